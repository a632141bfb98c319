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

Definition piece1 : piece := Piece (fun p => 2 * p ^ 2 / 3) (fun p => 2 * (1 - p) ^ 2 / 3) (fun p => 4 / 3).
Definition L0 (p : R) : R :=
  2 * p ^ 2 / 3.
Definition L1 (p : R) : R :=
  2 * (1 - p) ^ 2 / 3.

Lemma order1 : 0 <= 1. Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma sign1 : positive 0 1 piece1. Proof. weight_of piece1; apply (positive_as (4 / 3)); [algebra | see]. Qed.
Lemma joined_pieces : chain 0 piece1 []. Proof. exact (conj order1 slopes1). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 []. Proof. each_weight; [weighs_by sign1]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof. pose proof order1. refine (strictly_proper_rule 0 1 _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1]]. Qed.
Definition area1 : area := Area (fun c0 c1 => 1 / 2) (fun c0 c1 => [c0; c1; 2 - c0 - c1]).
Definition areas : list area := [area1].
Definition strip1 : slab := closed_forms (Strip 0 (Finite 2) (Side 0 0) (Some (Side (- 1) 2))) (fun c0 c1 => c0 ^ 2 / 4)
  (fun c0 c1 => c0 / 2) (fun p c1 => c1 ^ 3 * p ^ 2 / (12 * (1 - p) ^ 2)) (fun c1 => c1 ^ 3 / 12 + c1 - c1 ^ 2 / 2)
  (fun p c1 => c1 ^ 2 / 2 - c1 ^ 3 / (6 * (1 - p))) (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 / 6) (fun c1 => c1 - c1 ^ 2 / 4).
Definition law : strips := [(area1, [strip1])].
Ltac law_read := cbv beta iota delta [law areas area1 strip1 piece1] in *; reading.
Lemma lawful_area1 : lawful_area area1.
Proof. lawful_inside area1. apply (not_negative_as (1 / 2)); [equal_exponentials | see]. Qed.
Theorem lawful_costs : lawful_areas areas. Proof. listed; [exact lawful_area1]. Qed.
Lemma certified_strip1 : certified area1 strip1.
Proof. certified_plainly law_read ltac:(fun seen => first [seen (0) | seen (2)]). Qed.
Lemma covered_area1 : covered area1 [strip1].
Proof.
  split; law_read; [repeat split |].
  intros c0 c1 Positive0 Positive1 Held. split; [lra | apply Rnot_lt_le; intro Out;  assert ((2 - c1) < 0) by (apply (crossed_after (1) 2 c1); [assumption | see | algebra]); lra].
Qed.
Lemma certified_costs : certified_law law. Proof. each_strip; [exact covered_area1 | exact certified_strip1]. Qed.
Lemma costs_of_piece1 : costs_between areas 0 1 piece1.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Inside, 2 - 2 * p)], Above)]])) ltac:(fun seen => first [seen (2 * (1 - p)) | seen (2 * p) | seen (0) | seen (2) | seen (2 * p / (1 - p))]) gained. Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof. intros Unit. pose proof order1. unfold L0. branch; first [paid_by costs_of_piece1]. Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof. intros Unit. pose proof order1. unfold L1. branch; first [paid_by costs_of_piece1]. Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn 0 1 E0 E1.
Proof. pose proof order1. apply (strictly_proper_density areas _ _ L0 L1); [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper]. Qed.
Theorem total_is_1 : has_total_of_areas areas 1. Proof. summed total_by_strips law_read certified_costs gained. Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) (2 / 3). Proof. summed mean0_by_strips law_read certified_costs gained. Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) (2 / 3). Proof. summed mean1_by_strips law_read certified_costs gained. Qed.
Theorem law_is_proper_with_ends : (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (2 / 3)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 (2 / 3) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (2 / 3)) (extended L1 (2 / 3) 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. pose proof order1. starts_as loss0 piece1 1 (1) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. pose proof order1. ends_as loss1 piece1 0 (1) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (2 / 3). Proof. pose proof order1. ends_as loss0 piece1 0 (1) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 (2 / 3). Proof. pose proof order1. starts_as loss1 piece1 1 (1) evaluates. Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (2 / 3)) (extended L1 (2 / 3) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Theorem strictly_proper_with_ends : StrictlyProperAmong with_ends (extended L0 0 (2 / 3)) (extended L1 (2 / 3) 0).
Proof.
  apply (strictly_proper_among with_ends); [apply all_with_ends | apply all_with_ends | | exact proper_with_ends].
  apply extended_strictly_proper, strictly_proper.
Qed.
Lemma steady1 p : 0 <= p -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative steady1 loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper, @Rule.rule.total_is_1, @Rule.rule.law_is_proper_with_ends,
   @Rule.rule.proper_with_ends, @Rule.rule.strictly_proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
