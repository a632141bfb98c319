(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms.

Module Rule.

Module rule.
Section Case.

Definition piece1 : piece := Piece (fun p => 0) (fun p => 2) (fun p => 0).
Definition piece2 : piece := Piece (fun p => (p + 2) * (4 * p - 1) ^ 2 / (12 * p * (1 - p) ^ 2))
  (fun p => 2 - (4 * p - 1) ^ 2 * (5 * p + 1) / (12 * p ^ 2 * (1 - p))) (fun p => 9 / (2 * (1 - p) ^ 3) - 1 / (6 * p ^ 3)).
Definition piece3 : piece := Piece (fun p => (41 * p - 14) / (12 * p)) (fun p => 1 / 3 + 7 * (1 - 2 * p) / (12 * p ^ 2))
  (fun p => 7 / (6 * p ^ 3)).
Definition piece4 : piece := Piece (fun p => 3 / 2 - (4 - 3 * p) * (3 * p - 2) ^ 2 / (12 * p * (1 - p) ^ 2))
  (fun p => (3 * p - 2) ^ 2 / (6 * p ^ 2 * (1 - p))) (fun p => 4 / (3 * p ^ 3) - 1 / (6 * (1 - p) ^ 3)).
Definition piece5 : piece := Piece (fun p => 3 / 2) (fun p => 0) (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 4) then 0 else
  if Rle_dec p (2 / 5) then (p + 2) * (4 * p - 1) ^ 2 / (12 * p * (1 - p) ^ 2) else
  if Rle_dec p (1 / 2) then (41 * p - 14) / (12 * p) else
  if Rle_dec p (2 / 3) then 3 / 2 - (4 - 3 * p) * (3 * p - 2) ^ 2 / (12 * p * (1 - p) ^ 2) else
  3 / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 4) then 2 else
  if Rle_dec p (2 / 5) then 2 - (4 * p - 1) ^ 2 * (5 * p + 1) / (12 * p ^ 2 * (1 - p)) else
  if Rle_dec p (1 / 2) then 1 / 3 + 7 * (1 - 2 * p) / (12 * p ^ 2) else
  if Rle_dec p (2 / 3) then (3 * p - 2) ^ 2 / (6 * p ^ 2 * (1 - p)) else
  0.

Lemma order1 : 0 <= (1 / 4). Proof. lra. Qed.
Lemma order2 : (1 / 4) <= (2 / 5). Proof. lra. Qed.
Lemma order3 : (2 / 5) <= (1 / 2). Proof. lra. Qed.
Lemma order4 : (1 / 2) <= (2 / 3). Proof. lra. Qed.
Lemma order5 : (2 / 3) <= 1. Proof. lra. Qed.
Ltac ordered := pose proof order1; pose proof order2; pose proof order3; pose proof order4; pose proof order5.
Lemma slopes1 : slopes 0 (1 / 4) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma slopes2 : slopes (1 / 4) (2 / 5) piece2. Proof. slopes_of piece2; (auto_derive; [see | algebra]). Qed.
Lemma slopes3 : slopes (2 / 5) (1 / 2) piece3. Proof. slopes_of piece3; (auto_derive; [see | algebra]). Qed.
Lemma slopes4 : slopes (1 / 2) (2 / 3) piece4. Proof. slopes_of piece4; (auto_derive; [see | algebra]). Qed.
Lemma slopes5 : slopes (2 / 3) 1 piece5. Proof. slopes_of piece5; (auto_derive; [see | algebra]). Qed.
Lemma join1 : joins (1 / 4) piece1 piece2. Proof. split; cbn [loss0 loss1 piece1 piece2]; algebra. Qed.
Lemma join2 : joins (2 / 5) piece2 piece3. Proof. split; cbn [loss0 loss1 piece2 piece3]; algebra. Qed.
Lemma join3 : joins (1 / 2) piece3 piece4. Proof. split; cbn [loss0 loss1 piece3 piece4]; algebra. Qed.
Lemma join4 : joins (2 / 3) piece4 piece5. Proof. split; cbn [loss0 loss1 piece4 piece5]; algebra. Qed.
Lemma sign1 : not_negative 0 (1 / 4) piece1. Proof. weight_of piece1; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma sign2 : positive (1 / 4) (2 / 5) piece2.
Proof. weight_of piece2; apply (positive_as (((4 * (4 * p - 1)) / 4) * (7 * p ^ 2 + p + 1) / (6 * (1 - p) ^ 3 * p ^ 3))); [algebra | see]. Qed.
Lemma sign3 : positive (2 / 5) (1 / 2) piece3.
Proof. weight_of piece3; apply (positive_as (7 / (6 * p ^ 3))); [algebra | see]. Qed.
Lemma sign4 : positive (1 / 2) (2 / 3) piece4.
Proof. weight_of piece4; apply (positive_as (((3 * (2 - 3 * p)) / 3) * (3 * (1 - p) ^ 2 + 1) / (6 * (1 - p) ^ 3 * p ^ 3))); [algebra | see]. Qed.
Lemma sign5 : not_negative (2 / 3) 1 piece5. Proof. weight_of piece5; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma joined_pieces : chain 0 piece1 [((1 / 4), piece2); ((2 / 5), piece3); ((1 / 2), piece4); ((2 / 3), piece5)].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 [((1 / 4), piece2); ((2 / 5), piece3); ((1 / 2), piece4); ((2 / 3), piece5)].
Proof. each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3 | weighs_by sign4 | weighs_by sign5]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProperOn (1 / 4) (2 / 3) L0 L1.
Proof. ordered. refine (strictly_proper_rule (1 / 4) (2 / 3) _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3 | weighs_by sign4 | weighs_by sign5]]. Qed.
Definition area1 : area := Area (fun c0 c1 => 1 / 2) (fun c0 c1 => [c0 - 1; 2 - c0; c1 - 1; 3 - c1]).
Definition areas : list area := [area1].
Definition strip1 : slab := closed_forms (Strip 1 (Finite 3) (Side 0 1) (Some (Side 0 2))) (fun c0 c1 => c0 ^ 2 / 4)
  (fun c0 c1 => c0 / 2) (fun p c1 => c1 ^ 3 * p ^ 2 / (12 * (1 - p) ^ 2) - c1 / 4) (fun c1 => 3 * c1 / 4)
  (fun p c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (6 * (1 - p))) (fun c1 => c1 ^ 2 / 4) (fun c1 => c1 / 2).
Definition law : strips := [(area1, [strip1])].
Ltac law_read := cbv beta iota delta [law areas area1 strip1 piece1 piece2 piece3 piece4 piece5] in *; reading.
Lemma lawful_area1 : lawful_area area1.
Proof. lawful_inside area1. apply (not_negative_as (1 / 2)); [equal_exponentials | see]. Qed.
Theorem lawful_costs : lawful_areas areas. Proof. listed; [exact lawful_area1]. Qed.
Lemma certified_strip1 : certified area1 strip1.
Proof. certified_plainly law_read ltac:(fun seen => first [seen (1) | seen (2)]). Qed.
Lemma covered_area1 : covered area1 [strip1]. Proof. covered_plainly law_read. Qed.
Lemma certified_costs : certified_law law. Proof. each_strip; [exact covered_area1 | exact certified_strip1]. Qed.
Lemma costs_of_piece1 : costs_between areas 0 (1 / 4) piece1.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Below)]])) ltac:(fun seen => first [seen (2) | seen (3) | seen (0) | seen (((2 * (1 - 4 * p) + 2) / 4) / (1 - p)) | seen (((4 * (1 - 4 * p)) / 4) / (1 - p))]) gained. Qed.
Lemma costs_of_piece2 : costs_between areas (1 / 4) (2 / 5) piece2.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Below, (1 - p) / p)], Inside)]])) ltac:(fun seen => first [seen (((2 * (2 - 5 * p) + 1) / 5) / p) | seen ((1 - p) / p) | seen (((4 * (4 * p - 1)) / 4) / p) | seen (((2 * (2 - 5 * p) + 1) / 5) / (1 - p)) | seen (0) | seen (3) | seen (((4 * (4 * p - 1)) / 4) / (1 - p)) | seen (1) | seen (((5 * (2 - 5 * p)) / 5) / (1 - p))]) gained. Qed.
Lemma costs_of_piece3 : costs_between areas (2 / 5) (1 / 2) piece3.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Below, (1 - p) / p); (Inside, 2 * (1 - p) / p)], Above)]])) ltac:(fun seen => first [seen (((2 * (1 - 2 * p)) / 2) / p) | seen ((1 - p) / p) | seen (((4 * (5 * p - 2) + 3) / 5) / p) | seen (((2 * (1 - 2 * p)) / 2) / (1 - p)) | seen (0) | seen (2 * (1 - p) / p) | seen (((5 * (5 * p - 2)) / 5) / p) | seen (1) | seen (3) | seen (((5 * (5 * p - 2)) / 5) / (1 - p))]) gained. Qed.
Lemma costs_of_piece4 : costs_between areas (1 / 2) (2 / 3) piece4.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Inside, 2 * (1 - p) / p)], Above)]])) ltac:(fun seen => first [seen (((3 * (2 - 3 * p)) / 3) / p) | seen (2 * (1 - p) / p) | seen (((5 * (2 * p - 1) + 1) / 2) / p) | seen (((2 * (2 * p - 1)) / 2) / (1 - p)) | seen (1) | seen (((3 * (2 - 3 * p)) / 3) / (1 - p)) | seen (0) | seen (3) | seen (((5 * (2 * p - 1) + 1) / 2) / (1 - p))]) gained. Qed.
Lemma costs_of_piece5 : costs_between areas (2 / 3) 1 piece5.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Above)]])) ltac:(fun seen => first [seen (2) | seen (3) | seen (0) | seen (((3 * (3 * p - 2)) / 3) / (1 - p)) | seen (((5 * (3 * p - 2) + 4) / 3) / (1 - p))]) gained. Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof. intros Unit. ordered. unfold L0. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3 | paid_by costs_of_piece4 | paid_by costs_of_piece5]. Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof. intros Unit. ordered. unfold L1. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3 | paid_by costs_of_piece4 | paid_by costs_of_piece5]. Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn (1 / 4) (2 / 3) E0 E1.
Proof. ordered. apply (strictly_proper_density areas _ _ L0 L1); [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper]. Qed.
Theorem total_is_1 : has_total_of_areas areas 1. Proof. summed total_by_strips law_read certified_costs gained. Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) (3 / 2). Proof. summed mean0_by_strips law_read certified_costs gained. Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) 2. Proof. summed mean1_by_strips law_read certified_costs gained. Qed.
Theorem law_is_proper_with_ends : (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (3 / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 2 0) p)) /\
  ProperAmong with_ends (extended L0 0 (3 / 2)) (extended L1 2 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (1 / 4) (1 / 4) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece5 (2 / 3) (1 / 3) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (3 / 2). Proof. ordered. ends_as loss0 piece5 (2 / 3) (1 / 3) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 2. Proof. ordered. starts_as loss1 piece1 (1 / 4) (1 / 4) evaluates. Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (3 / 2)) (extended L1 2 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Lemma steady1 p : 0 <= p <= (1 / 4) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (1 / 4) <= p <= (2 / 5) -> 0 < p < 1 -> continuous (weight piece2) p. Proof. weight_at piece2. smooth. Qed.
Lemma steady3 p : (2 / 5) <= p <= (1 / 2) -> 0 < p < 1 -> continuous (weight piece3) p. Proof. weight_at piece3. smooth. Qed.
Lemma steady4 p : (1 / 2) <= p <= (2 / 3) -> 0 < p < 1 -> continuous (weight piece4) p. Proof. weight_at piece4. smooth. Qed.
Lemma steady5 p : (2 / 3) <= p -> 0 < p < 1 -> continuous (weight piece5) p. Proof. weight_at piece5. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 4), piece2); ((2 / 5), piece3); ((1 / 2), piece4); ((2 / 3), piece5)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative (conj steady1 (conj steady2 (conj steady3 (conj steady4 steady5)))) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper, @Rule.rule.total_is_1, @Rule.rule.law_is_proper_with_ends,
   @Rule.rule.proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
