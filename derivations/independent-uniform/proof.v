(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms.

Module Rule.

Module case1.
Definition assumed (a b d e : R) : Prop := 0 < a /\ 0 < b /\ 0 < d /\ 0 < e /\ a < b /\ d < e /\ a * e <= b * d.
Example possible : exists a b d e : R, assumed a b d e. Proof. exists (3 / 7), (31 / 8), (57 / 7), (38); unfold assumed; lra. Qed.
Section Case.
Variables a b d e : R.
Hypothesis given : assumed a b d e.
Let given1 : 0 < a := proj1 given. Let given2 : 0 < b := proj1 (proj2 given). Let given3 : 0 < d := proj1 (proj2 (proj2 given)).
Let given4 : 0 < e := proj1 (proj2 (proj2 (proj2 given))). Let given5 : a < b := proj1 (proj2 (proj2 (proj2 (proj2 given)))).
Let given6 : d < e := proj1 (proj2 (proj2 (proj2 (proj2 (proj2 given))))).
Let given7 : a * e <= b * d := (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 given)))))).

Definition piece1 : piece := Piece (fun p => 0) (fun p => d / 2 + e / 2) (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))).
Definition piece3 : piece := Piece
  (fun p => (p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a)))
  (fun p => (3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a)))
  (fun p => (d ^ 2 + d * e + e ^ 2) / (3 * (1 - p) ^ 3 * (b - a))).
Definition piece4 : piece := Piece
  (fun p => a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))).
Definition piece5 : piece := Piece (fun p => a / 2 + b / 2) (fun p => 0) (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then 0 else
  if Rle_dec p (a / (a + d)) then (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  if Rle_dec p (b / (b + e)) then (p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a)) else
  if Rle_dec p (b / (b + d)) then a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  a / 2 + b / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then d / 2 + e / 2 else
  if Rle_dec p (a / (a + d)) then d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  if Rle_dec p (b / (b + e)) then (3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a)) else
  if Rle_dec p (b / (b + d)) then (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  0.

Lemma order1 : 0 <= (a / (a + e)). Proof. ordered_by (a / (a + e)). Qed.
Lemma order2 : (a / (a + e)) <= (a / (a + d)). Proof. ordered_by (a * (e - d) / ((a + d) * (a + e))). Qed.
Lemma order3 : (a / (a + d)) <= (b / (b + e)). Proof. ordered_by (((e * (b * d - a * e)) / e) / ((a + d) * (b + e))). Qed.
Lemma order4 : (b / (b + e)) <= (b / (b + d)). Proof. ordered_by (b * (e - d) / ((b + d) * (b + e))). Qed.
Lemma order5 : (b / (b + d)) <= 1. Proof. ordered_by (d / (b + d)). Qed.
Ltac ordered := pose proof order1; pose proof order2; pose proof order3; pose proof order4; pose proof order5.
Lemma slopes1 : slopes 0 (a / (a + e)) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma slopes2 : slopes (a / (a + e)) (a / (a + d)) piece2. Proof. slopes_of piece2; (auto_derive; [see | algebra]). Qed.
Lemma slopes3 : slopes (a / (a + d)) (b / (b + e)) piece3. Proof. slopes_of piece3; (auto_derive; [see | algebra]). Qed.
Lemma slopes4 : slopes (b / (b + e)) (b / (b + d)) piece4. Proof. slopes_of piece4; (auto_derive; [see | algebra]). Qed.
Lemma slopes5 : slopes (b / (b + d)) 1 piece5. Proof. slopes_of piece5; (auto_derive; [see | algebra]). Qed.
Lemma join1 : joins (a / (a + e)) piece1 piece2. Proof. split; cbn [loss0 loss1 piece1 piece2]; algebra. Qed.
Lemma join2 : joins (a / (a + d)) piece2 piece3. Proof. split; cbn [loss0 loss1 piece2 piece3]; algebra. Qed.
Lemma join3 : joins (b / (b + e)) piece3 piece4. Proof. split; cbn [loss0 loss1 piece3 piece4]; algebra. Qed.
Lemma join4 : joins (b / (b + d)) piece4 piece5. Proof. split; cbn [loss0 loss1 piece4 piece5]; algebra. Qed.
Lemma sign1 : not_negative 0 (a / (a + e)) piece1. Proof. weight_of piece1; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma sign2 : positive (a / (a + e)) (a / (a + d)) piece2.
Proof. weight_of piece2; apply (positive_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) * (e ^ 2 * p ^ 2 + (a * e) * p * (1 - p) + a ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see]. Qed.
Lemma sign3 : positive (a / (a + d)) (b / (b + e)) piece3.
Proof. weight_of piece3; apply (positive_as ((d ^ 2 + d * e + e ^ 2) / (3 * (1 - p) ^ 3 * (b - a)))); [algebra | see]. Qed.
Lemma sign4 : positive (b / (b + e)) (b / (b + d)) piece4.
Proof. weight_of piece4; apply (positive_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) * (d ^ 2 * p ^ 2 + (b * d) * p * (1 - p) + b ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see]. Qed.
Lemma sign5 : not_negative (b / (b + d)) 1 piece5. Proof. weight_of piece5; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma joined_pieces :
  chain 0 piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))). Qed.
Lemma never_negative :
  weighs_all 0 0 0 piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)].
Proof. each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3 | weighs_by sign4 | weighs_by sign5]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProperOn (a / (a + e)) (b / (b + d)) L0 L1.
Proof. ordered. refine (strictly_proper_rule (a / (a + e)) (b / (b + d)) _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3 | weighs_by sign4 | weighs_by sign5]]. Qed.
Definition area1 : area := Area (fun c0 c1 => 1 / ((b - a) * (e - d))) (fun c0 c1 => [c0 - a; b - c0; c1 - d; e - c1]).
Definition areas : list area := [area1].
Definition strip1 : slab := closed_forms (Strip d (Finite e) (Side 0 a) (Some (Side 0 b)))
  (fun c0 c1 => c0 ^ 2 / (2 * (a - b) * (d - e))) (fun c0 c1 => c0 / ((a - b) * (d - e)))
  (fun p c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e)))
  (fun c1 => - c1 * (a + b) / (2 * (d - e)))
  (fun p c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e)))
  (fun c1 => - c1 ^ 2 / (2 * (d - e))) (fun c1 => - c1 / (d - e)).
Definition law : strips := [(area1, [strip1])].
Ltac law_read := cbv beta iota delta [law areas area1 strip1 piece1 piece2 piece3 piece4 piece5] in *; reading.
Lemma lawful_area1 : lawful_area area1.
Proof. lawful_inside area1. apply (not_negative_as (1 / ((b - a) * (e - d)))); [equal_exponentials | see]. Qed.
Theorem lawful_costs : lawful_areas areas. Proof. listed; [exact lawful_area1]. Qed.
Lemma certified_strip1 : certified area1 strip1.
Proof. certified_plainly law_read ltac:(fun seen => first [seen (d) | seen (e - d)]). Qed.
Lemma covered_area1 : covered area1 [strip1]. Proof. covered_plainly law_read. Qed.
Lemma certified_costs : certified_law law. Proof. each_strip; [exact covered_area1 | exact certified_strip1]. Qed.
Lemma costs_of_piece1 : costs_between areas 0 (a / (a + e)) piece1.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Below)]])) ltac:(fun seen => first [seen (e - d) | seen (e) | seen (0) | seen ((((a + d) * ((a + e) * (a / (a + e) - p)) + a * (e - d)) / (a + e)) / (1 - p)) | seen ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece2 : costs_between areas (a / (a + e)) (a / (a + d)) piece2.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Below, a * (1 - p) / p)], Inside)]])) ltac:(fun seen => first [seen ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p) | seen ((1 - p) * a / p) | seen ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p) | seen ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / (1 - p)) | seen (0) | seen (e) | seen ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / (1 - p)) | seen (b - a) | seen ((((b + e) * ((a + d) * (a / (a + d) - p)) + (e * (b * d - a * e)) / e) / (a + d)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece3 : costs_between areas (a / (a + d)) (b / (b + e)) piece3.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Inside)]])) ltac:(fun seen => first [seen (e - d) | seen (e) | seen (0) | seen ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / (1 - p)) | seen ((((a + e) * ((a + d) * (p - a / (a + d))) + a * (e - d)) / (a + d)) / (1 - p)) | seen ((((b + d) * ((b + e) * (b / (b + e) - p)) + b * (e - d)) / (b + e)) / (1 - p)) | seen ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece4 : costs_between areas (b / (b + e)) (b / (b + d)) piece4.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Inside, b * (1 - p) / p)], Above)]])) ltac:(fun seen => first [seen ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p) | seen ((1 - p) * b / p) | seen ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p) | seen ((((a + d) * ((b + e) * (p - b / (b + e))) + (e * (b * d - a * e)) / e) / (b + e)) / (1 - p)) | seen (b - a) | seen ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / (1 - p)) | seen (0) | seen (e) | seen ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece5 : costs_between areas (b / (b + d)) 1 piece5.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Above)]])) ltac:(fun seen => first [seen (e - d) | seen (e) | seen (0) | seen ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / (1 - p)) | seen ((((b + e) * ((b + d) * (p - b / (b + d))) + b * (e - d)) / (b + d)) / (1 - p))]) gained. Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof. intros Unit. ordered. unfold L0. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3 | paid_by costs_of_piece4 | paid_by costs_of_piece5]. Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof. intros Unit. ordered. unfold L1. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3 | paid_by costs_of_piece4 | paid_by costs_of_piece5]. Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn (a / (a + e)) (b / (b + d)) E0 E1.
Proof. ordered. apply (strictly_proper_density areas _ _ L0 L1); [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper]. Qed.
Theorem total_is_1 : has_total_of_areas areas 1. Proof. summed total_by_strips law_read certified_costs gained. Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) ((a + b) / 2). Proof. summed mean0_by_strips law_read certified_costs gained. Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) ((d + e) / 2). Proof. summed mean1_by_strips law_read certified_costs gained. Qed.
Theorem law_is_proper_with_ends : (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 ((a + b) / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 ((d + e) / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 ((a + b) / 2)) (extended L1 ((d + e) / 2) 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (a / (a + e)) (a / (a + e)) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece5 (b / (b + d)) (d / (b + d)) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (a / 2 + b / 2). Proof. ordered. ends_as loss0 piece5 (b / (b + d)) (d / (b + d)) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 (d / 2 + e / 2).
Proof. ordered. starts_as loss1 piece1 (a / (a + e)) (a / (a + e)) evaluates. Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (a / 2 + b / 2)) (extended L1 (d / 2 + e / 2) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Lemma steady1 p : 0 <= p <= (a / (a + e)) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (a / (a + e)) <= p <= (a / (a + d)) -> 0 < p < 1 -> continuous (weight piece2) p.
Proof. weight_at piece2. smooth. Qed.
Lemma steady3 p : (a / (a + d)) <= p <= (b / (b + e)) -> 0 < p < 1 -> continuous (weight piece3) p.
Proof. weight_at piece3. smooth. Qed.
Lemma steady4 p : (b / (b + e)) <= p <= (b / (b + d)) -> 0 < p < 1 -> continuous (weight piece4) p.
Proof. weight_at piece4. smooth. Qed.
Lemma steady5 p : (b / (b + d)) <= p -> 0 < p < 1 -> continuous (weight piece5) p. Proof. weight_at piece5. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative (conj steady1 (conj steady2 (conj steady3 (conj steady4 steady5)))) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
End Case.
End case1.

Module case2.
Definition assumed (a b d e : R) : Prop := 0 < a /\ 0 < b /\ 0 < d /\ 0 < e /\ a < b /\ d < e /\ b * d <= a * e.
Example possible : exists a b d e : R, assumed a b d e.
Proof. exists (43 / 10), (23 / 5), (14 / 3), (26); unfold assumed; lra. Qed.
Section Case.
Variables a b d e : R.
Hypothesis given : assumed a b d e.
Let given1 : 0 < a := proj1 given. Let given2 : 0 < b := proj1 (proj2 given). Let given3 : 0 < d := proj1 (proj2 (proj2 given)).
Let given4 : 0 < e := proj1 (proj2 (proj2 (proj2 given))). Let given5 : a < b := proj1 (proj2 (proj2 (proj2 (proj2 given)))).
Let given6 : d < e := proj1 (proj2 (proj2 (proj2 (proj2 (proj2 given))))).
Let given7 : b * d <= a * e := (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 given)))))).

Definition piece1 : piece := Piece (fun p => 0) (fun p => d / 2 + e / 2) (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))).
Definition piece3 : piece := Piece
  (fun p => (p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d)))
  (fun p => ((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d)))
  (fun p => (a ^ 2 + a * b + b ^ 2) / (3 * p ^ 3 * (e - d))).
Definition piece4 : piece := Piece
  (fun p => a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))).
Definition piece5 : piece := Piece (fun p => a / 2 + b / 2) (fun p => 0) (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then 0 else
  if Rle_dec p (b / (b + e)) then (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  if Rle_dec p (a / (a + d)) then (p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d)) else
  if Rle_dec p (b / (b + d)) then a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  a / 2 + b / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then d / 2 + e / 2 else
  if Rle_dec p (b / (b + e)) then d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  if Rle_dec p (a / (a + d)) then ((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d)) else
  if Rle_dec p (b / (b + d)) then (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  0.

Lemma order1 : 0 <= (a / (a + e)). Proof. ordered_by (a / (a + e)). Qed.
Lemma order2 : (a / (a + e)) <= (b / (b + e)). Proof. ordered_by (e * (b - a) / ((a + e) * (b + e))). Qed.
Lemma order3 : (b / (b + e)) <= (a / (a + d)). Proof. ordered_by (((e * (a * e - b * d)) / e) / ((a + d) * (b + e))). Qed.
Lemma order4 : (a / (a + d)) <= (b / (b + d)). Proof. ordered_by (d * (b - a) / ((a + d) * (b + d))). Qed.
Lemma order5 : (b / (b + d)) <= 1. Proof. ordered_by (d / (b + d)). Qed.
Ltac ordered := pose proof order1; pose proof order2; pose proof order3; pose proof order4; pose proof order5.
Lemma slopes1 : slopes 0 (a / (a + e)) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma slopes2 : slopes (a / (a + e)) (b / (b + e)) piece2. Proof. slopes_of piece2; (auto_derive; [see | algebra]). Qed.
Lemma slopes3 : slopes (b / (b + e)) (a / (a + d)) piece3. Proof. slopes_of piece3; (auto_derive; [see | algebra]). Qed.
Lemma slopes4 : slopes (a / (a + d)) (b / (b + d)) piece4. Proof. slopes_of piece4; (auto_derive; [see | algebra]). Qed.
Lemma slopes5 : slopes (b / (b + d)) 1 piece5. Proof. slopes_of piece5; (auto_derive; [see | algebra]). Qed.
Lemma join1 : joins (a / (a + e)) piece1 piece2. Proof. split; cbn [loss0 loss1 piece1 piece2]; algebra. Qed.
Lemma join2 : joins (b / (b + e)) piece2 piece3. Proof. split; cbn [loss0 loss1 piece2 piece3]; algebra. Qed.
Lemma join3 : joins (a / (a + d)) piece3 piece4. Proof. split; cbn [loss0 loss1 piece3 piece4]; algebra. Qed.
Lemma join4 : joins (b / (b + d)) piece4 piece5. Proof. split; cbn [loss0 loss1 piece4 piece5]; algebra. Qed.
Lemma sign1 : not_negative 0 (a / (a + e)) piece1. Proof. weight_of piece1; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma sign2 : positive (a / (a + e)) (b / (b + e)) piece2.
Proof. weight_of piece2; apply (positive_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) * (e ^ 2 * p ^ 2 + (a * e) * p * (1 - p) + a ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see]. Qed.
Lemma sign3 : positive (b / (b + e)) (a / (a + d)) piece3.
Proof. weight_of piece3; apply (positive_as ((a ^ 2 + a * b + b ^ 2) / (3 * p ^ 3 * (e - d)))); [algebra | see]. Qed.
Lemma sign4 : positive (a / (a + d)) (b / (b + d)) piece4.
Proof. weight_of piece4; apply (positive_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) * (d ^ 2 * p ^ 2 + (b * d) * p * (1 - p) + b ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see]. Qed.
Lemma sign5 : not_negative (b / (b + d)) 1 piece5. Proof. weight_of piece5; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma joined_pieces :
  chain 0 piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))). Qed.
Lemma never_negative :
  weighs_all 0 0 0 piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)].
Proof. each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3 | weighs_by sign4 | weighs_by sign5]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProperOn (a / (a + e)) (b / (b + d)) L0 L1.
Proof. ordered. refine (strictly_proper_rule (a / (a + e)) (b / (b + d)) _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3 | weighs_by sign4 | weighs_by sign5]]. Qed.
Definition area1 : area := Area (fun c0 c1 => 1 / ((b - a) * (e - d))) (fun c0 c1 => [c0 - a; b - c0; c1 - d; e - c1]).
Definition areas : list area := [area1].
Definition strip1 : slab := closed_forms (Strip d (Finite e) (Side 0 a) (Some (Side 0 b)))
  (fun c0 c1 => c0 ^ 2 / (2 * (a - b) * (d - e))) (fun c0 c1 => c0 / ((a - b) * (d - e)))
  (fun p c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e)))
  (fun c1 => - c1 * (a + b) / (2 * (d - e)))
  (fun p c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e)))
  (fun c1 => - c1 ^ 2 / (2 * (d - e))) (fun c1 => - c1 / (d - e)).
Definition law : strips := [(area1, [strip1])].
Ltac law_read := cbv beta iota delta [law areas area1 strip1 piece1 piece2 piece3 piece4 piece5] in *; reading.
Lemma lawful_area1 : lawful_area area1.
Proof. lawful_inside area1. apply (not_negative_as (1 / ((b - a) * (e - d)))); [equal_exponentials | see]. Qed.
Theorem lawful_costs : lawful_areas areas. Proof. listed; [exact lawful_area1]. Qed.
Lemma certified_strip1 : certified area1 strip1.
Proof. certified_plainly law_read ltac:(fun seen => first [seen (d) | seen (e - d)]). Qed.
Lemma covered_area1 : covered area1 [strip1]. Proof. covered_plainly law_read. Qed.
Lemma certified_costs : certified_law law. Proof. each_strip; [exact covered_area1 | exact certified_strip1]. Qed.
Lemma costs_of_piece1 : costs_between areas 0 (a / (a + e)) piece1.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Below)]])) ltac:(fun seen => first [seen (e - d) | seen (e) | seen (0) | seen ((((a + d) * ((a + e) * (a / (a + e) - p)) + a * (e - d)) / (a + e)) / (1 - p)) | seen ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece2 : costs_between areas (a / (a + e)) (b / (b + e)) piece2.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Below, a * (1 - p) / p)], Inside)]])) ltac:(fun seen => first [seen ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / p) | seen ((1 - p) * a / p) | seen ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p) | seen ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / (1 - p)) | seen (0) | seen (e) | seen ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / (1 - p)) | seen (b - a) | seen ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece3 : costs_between areas (b / (b + e)) (a / (a + d)) piece3.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Below, a * (1 - p) / p); (Inside, b * (1 - p) / p)], Above)]])) ltac:(fun seen => first [seen ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p) | seen ((1 - p) * a / p) | seen ((((a + e) * ((b + e) * (p - b / (b + e))) + e * (b - a)) / (b + e)) / p) | seen ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / (1 - p)) | seen (0) | seen ((1 - p) * (b - a) / p) | seen ((1 - p) * b / p) | seen ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p) | seen (b - a) | seen (e) | seen ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece4 : costs_between areas (a / (a + d)) (b / (b + d)) piece4.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([(Inside, b * (1 - p) / p)], Above)]])) ltac:(fun seen => first [seen ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p) | seen ((1 - p) * b / p) | seen ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / p) | seen ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / (1 - p)) | seen (b - a) | seen ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / (1 - p)) | seen (0) | seen (e) | seen ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / (1 - p))]) gained. Qed.
Lemma costs_of_piece5 : costs_between areas (b / (b + d)) 1 piece5.
Proof. costs_by law_read certified_costs (cut_so (fun p => [[([], Above)]])) ltac:(fun seen => first [seen (e - d) | seen (e) | seen (0) | seen ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / (1 - p)) | seen ((((b + e) * ((b + d) * (p - b / (b + d))) + b * (e - d)) / (b + d)) / (1 - p))]) gained. Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof. intros Unit. ordered. unfold L0. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3 | paid_by costs_of_piece4 | paid_by costs_of_piece5]. Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof. intros Unit. ordered. unfold L1. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3 | paid_by costs_of_piece4 | paid_by costs_of_piece5]. Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn (a / (a + e)) (b / (b + d)) E0 E1.
Proof. ordered. apply (strictly_proper_density areas _ _ L0 L1); [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper]. Qed.
Theorem total_is_1 : has_total_of_areas areas 1. Proof. summed total_by_strips law_read certified_costs gained. Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) ((a + b) / 2). Proof. summed mean0_by_strips law_read certified_costs gained. Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) ((d + e) / 2). Proof. summed mean1_by_strips law_read certified_costs gained. Qed.
Theorem law_is_proper_with_ends : (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 ((a + b) / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 ((d + e) / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 ((a + b) / 2)) (extended L1 ((d + e) / 2) 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (a / (a + e)) (a / (a + e)) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece5 (b / (b + d)) (d / (b + d)) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (a / 2 + b / 2). Proof. ordered. ends_as loss0 piece5 (b / (b + d)) (d / (b + d)) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 (d / 2 + e / 2).
Proof. ordered. starts_as loss1 piece1 (a / (a + e)) (a / (a + e)) evaluates. Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (a / 2 + b / 2)) (extended L1 (d / 2 + e / 2) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Lemma steady1 p : 0 <= p <= (a / (a + e)) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (a / (a + e)) <= p <= (b / (b + e)) -> 0 < p < 1 -> continuous (weight piece2) p.
Proof. weight_at piece2. smooth. Qed.
Lemma steady3 p : (b / (b + e)) <= p <= (a / (a + d)) -> 0 < p < 1 -> continuous (weight piece3) p.
Proof. weight_at piece3. smooth. Qed.
Lemma steady4 p : (a / (a + d)) <= p <= (b / (b + d)) -> 0 < p < 1 -> continuous (weight piece4) p.
Proof. weight_at piece4. smooth. Qed.
Lemma steady5 p : (b / (b + d)) <= p -> 0 < p < 1 -> continuous (weight piece5) p. Proof. weight_at piece5. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative (conj steady1 (conj steady2 (conj steady3 (conj steady4 steady5)))) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
End Case.
End case2.

End Rule.

Definition final_theorems :=
  (@Rule.case1.proper, @Rule.case1.strictly_proper, @Rule.case2.proper, @Rule.case2.strictly_proper, @Rule.case1.lawful_costs,
   @Rule.case1.expected_cost0, @Rule.case1.expected_cost1, @Rule.case1.law_is_proper, @Rule.case1.law_is_strictly_proper,
   @Rule.case2.lawful_costs, @Rule.case2.expected_cost0, @Rule.case2.expected_cost1, @Rule.case2.law_is_proper,
   @Rule.case2.law_is_strictly_proper, @Rule.case1.total_is_1, @Rule.case2.total_is_1, @Rule.case1.law_is_proper_with_ends,
   @Rule.case2.law_is_proper_with_ends, @Rule.case1.proper_with_ends, @Rule.case2.proper_with_ends,
   @Rule.case1.expected_loss_of_scores, @Rule.case2.expected_loss_of_scores).
Print Assumptions final_theorems.
