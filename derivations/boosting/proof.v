(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AllReports Totals.

Module Rule.

Module rule.
Section Case.

Definition piece1 : piece := Piece (fun p => 0) (fun p => 18 * sqrt 19 / (19 * ln 19)) (fun p => 0).
Definition piece2 : piece := Piece (fun p => sqrt p / (sqrt (1 - p) * ln 19) - sqrt 19 / (19 * ln 19))
  (fun p => sqrt (1 - p) / (sqrt p * ln 19) - sqrt 19 / (19 * ln 19)) (fun p => 1 / (2 * sqrt p ^ 3 * sqrt (1 - p) ^ 3 * ln 19)).
Definition piece3 : piece := Piece (fun p => 18 * sqrt 19 / (19 * ln 19)) (fun p => 0) (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 20) then 0 else
  if Rle_dec p (19 / 20) then sqrt p / (sqrt (1 - p) * ln 19) - sqrt 19 / (19 * ln 19) else
  18 * sqrt 19 / (19 * ln 19).
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 20) then 18 * sqrt 19 / (19 * ln 19) else
  if Rle_dec p (19 / 20) then sqrt (1 - p) / (sqrt p * ln 19) - sqrt 19 / (19 * ln 19) else
  0.

Lemma order1 : 0 <= (1 / 20). Proof. lra. Qed.
Lemma order2 : (1 / 20) <= (19 / 20). Proof. lra. Qed.
Lemma order3 : (19 / 20) <= 1. Proof. lra. Qed.
Ltac ordered := pose proof order1; pose proof order2; pose proof order3.
Lemma slopes1 : slopes 0 (1 / 20) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra_by ltac:(factored (19))]). Qed.
Lemma slopes2 : slopes (1 / 20) (19 / 20) piece2.
Proof. slopes_of piece2; (auto_derive; [see | algebra_by ltac:(factored (19); factored (p); factored (1 - p))]). Qed.
Lemma slopes3 : slopes (19 / 20) 1 piece3. Proof. slopes_of piece3; (auto_derive; [see | algebra_by ltac:(factored (19))]). Qed.
Lemma join1 : joins (1 / 20) piece1 piece2.
Proof. split; cbn [loss0 loss1 piece1 piece2]; algebra_by ltac:(factored (19); factored (1 / (2 ^ 2 * 5)); factored (19 / (2 ^ 2 * 5))). Qed.
Lemma join2 : joins (19 / 20) piece2 piece3.
Proof. split; cbn [loss0 loss1 piece2 piece3]; algebra_by ltac:(factored (19); factored (19 / (2 ^ 2 * 5)); factored (1 / (2 ^ 2 * 5))). Qed.
Lemma sign1 : not_negative 0 (1 / 20) piece1. Proof. weight_of piece1; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma sign2 : positive (1 / 20) (19 / 20) piece2.
Proof. weight_of piece2; apply (positive_as (1 / (2 * sqrt p ^ 3 * sqrt (1 - p) ^ 3 * ln 19))); [algebra_by ltac:(factored (p); factored (1 - p); factored (19)) | see]. Qed.
Lemma sign3 : not_negative (19 / 20) 1 piece3. Proof. weight_of piece3; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma joined_pieces : chain 0 piece1 [((1 / 20), piece2); ((19 / 20), piece3)].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 slopes3))))))). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 [((1 / 20), piece2); ((19 / 20), piece3)].
Proof. each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProperOn (1 / 20) (19 / 20) L0 L1.
Proof. ordered. refine (strictly_proper_rule (1 / 20) (19 / 20) _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3]]. Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (1 / 20) (1 / 20) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece3 (19 / 20) (1 / 20) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (18 * sqrt 19 / (19 * ln 19)).
Proof. ordered. ends_as loss0 piece3 (19 / 20) (1 / 20) ltac:(evaluated ltac:(factored (19))). Qed.
Lemma loss1_starts : tends_at_0 L1 (18 * sqrt 19 / (19 * ln 19)).
Proof. ordered. starts_as loss1 piece1 (1 / 20) (1 / 20) ltac:(evaluated ltac:(factored (19))). Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (18 * sqrt 19 / (19 * ln 19))) (extended L1 (18 * sqrt 19 / (19 * ln 19)) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Lemma steady1 p : 0 <= p <= (1 / 20) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (1 / 20) <= p <= (19 / 20) -> 0 < p < 1 -> continuous (weight piece2) p. Proof. weight_at piece2. smooth. Qed.
Lemma steady3 p : (19 / 20) <= p -> 0 < p < 1 -> continuous (weight piece3) p. Proof. weight_at piece3. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 20), piece2); ((19 / 20), piece3)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative (conj steady1 (conj steady2 steady3)) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
Definition curve1 : curve := ray (1 / 20) (19 / 20) (fun p => 1 / (sqrt p * sqrt (1 - p))) (fun p => 1 / (2 * p * (1 - p) * ln 19)).
Definition curves : list curve := [curve1].
Definition points : list point := [].
Lemma signs_of_curve1 p : 0 < p < 1 -> (1 / 20) < p -> p <= (19 / 20) ->
  0 < (1 / (sqrt p * sqrt (1 - p))) /\ 0 <= (1 / (2 * p * (1 - p) * ln 19)).
Proof.
  intros Unit Start Stop; unfold Rpower.
  split; [apply (positive_as (1 / (sqrt p * sqrt (1 - p)))); [algebra_by ltac:(factored (p); factored (1 - p)) | see] | apply (not_negative_as (1 / (2 * (1 - p) * ln 19 * p))); [algebra_by ltac:(factored (19)) | see]].
Qed.
Theorem lawful_costs : lawful curves points.
Proof.
  split; repeat apply List.Forall_cons; try apply List.Forall_nil.
  - apply ray_is_lawful. exact signs_of_curve1.
Qed.
Lemma thresholds : List.Forall at_thresholds curves.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil.
  - apply ray_is_at_thresholds. exact signs_of_curve1.
Qed.
Lemma cost_of_piece1 p : 0 < p < 1 -> 0 < p -> p <= (1 / 20) -> on_curves Rplus curves p = weight piece1 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, curve1, ray, Rpower; cbn [start stop along0 along1 chance weight piece1]. branch.
  all: algebra.
Qed.
Lemma cost_of_piece2 p : 0 < p < 1 -> (1 / 20) < p -> p <= (19 / 20) -> on_curves Rplus curves p = weight piece2 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, curve1, ray, Rpower; cbn [start stop along0 along1 chance weight piece2]. branch.
  all: algebra_by ltac:(factored (p); factored (1 - p); factored (19)).
Qed.
Lemma cost_of_piece3 p : 0 < p < 1 -> (19 / 20) < p -> p <= 1 -> on_curves Rplus curves p = weight piece3 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, curve1, ray, Rpower; cbn [start stop along0 along1 chance weight piece3]. branch.
  all: algebra.
Qed.
Lemma all_of_the_cost p :
  0 < p < 1 -> on_curves Rplus curves p = joined weight piece1 [((1 / 20), piece2); ((19 / 20), piece3)] p.
Proof.
  intros Unit. ordered.
  cbn [joined]. branch; first [apply cost_of_piece1; lra | apply cost_of_piece2; lra | apply cost_of_piece3; lra].
Qed.
Lemma jumps0 p : 0 < p < 1 ->
  on_points (pay0 p) points = jumped false [((1 / 20), piece2); ((19 / 20), piece3)] (no_masses [((1 / 20), piece2); ((19 / 20), piece3)]) p.
Proof. intros _. symmetry. apply nothing_jumped. Qed.
Lemma jumps1 p : 0 < p < 1 ->
  on_points (pay1 p) points = jumped true [((1 / 20), piece2); ((19 / 20), piece3)] (no_masses [((1 / 20), piece2); ((19 / 20), piece3)]) p.
Proof. intros _. symmetry. apply nothing_jumped. Qed.
Theorem expected_cost0 p : 0 < p < 1 -> expected curves points (pay0 p) (L0 p).
Proof.
  exact (loss0_is_expected piece1 [((1 / 20), piece2); ((19 / 20), piece3)] (no_masses [((1 / 20), piece2); ((19 / 20), piece3)]) curves points (chain_without_jumps 0 piece1 _ joined_pieces) (conj steady1 (conj steady2 steady3))
    thresholds all_of_the_cost loss0_starts jumps0 p).
Qed.
Theorem expected_cost1 p : 0 < p < 1 -> expected curves points (pay1 p) (L1 p).
Proof.
  exact (loss1_is_expected piece1 [((1 / 20), piece2); ((19 / 20), piece3)] (no_masses [((1 / 20), piece2); ((19 / 20), piece3)]) curves points (chain_without_jumps 0 piece1 _ joined_pieces) (conj steady1 (conj steady2 steady3))
    thresholds all_of_the_cost loss1_ends jumps1 p).
Qed.
Theorem law_is_proper : Proper L0 L1.
Proof. exact (expected_costs_are_proper curves points L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> expected curves points (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expected curves points (pay1 p) (E1 p)) -> StrictlyProperOn (1 / 20) (19 / 20) E0 E1.
Proof.
  intros Costs0 Costs1. ordered.
  apply (strictly_proper_law curves points E0 E1 lawful_costs thresholds Costs0 Costs1 (1 / 20) (19 / 20)); [lra | lra |].
  refine (support_of_pieces curves (1 / 20) (19 / 20) piece1 [((1 / 20), piece2); ((19 / 20), piece3)] (conj steady1 (conj steady2 steady3)) _ _ _ all_of_the_cost); [each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3] | lra | lra].
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> expected_to curves points (pay0 p) ((with_values L0 0 (Finite (18 * sqrt 19 / (19 * ln 19)))) p)) /\
  (forall p, with_ends p -> expected_to curves points (pay1 p) ((with_values L1 (Finite (18 * sqrt 19 / (19 * ln 19))) 0) p)) /\
  ProperOnAll (with_values L0 0 (Finite (18 * sqrt 19 / (19 * ln 19)))) (with_values L1 (Finite (18 * sqrt 19 / (19 * ln 19))) 0).
Proof.
  destruct (costs_of_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite (18 * sqrt 19 / (19 * ln 19))) (Finite (18 * sqrt 19 / (19 * ln 19))) loss0_ends loss1_starts) as [Costs0 Costs1].
  repeat split; [exact Costs0 | exact Costs1 | exact (proper_on_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite (18 * sqrt 19 / (19 * ln 19))) (Finite (18 * sqrt 19 / (19 * ln 19))) loss0_ends loss1_starts)].
Qed.
Lemma total_of_curve1 :
  integral_on_unit (on_curve (fun _ _ => 1) curve1) (((fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) (19 / 20)) - ((fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) (1 / 20))).
Proof.
  ordered.
  apply (total_of_curve curve1 (fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) ((fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) (1 / 20)) ((fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) (19 / 20))); cbn [start stop chance curve1 ray].
  1-3: lra.
  - intros p Within Unit; cbn [start stop chance ray]; unfold Rpower.
    split; [auto_derive; [see | algebra_by ltac:(factored (19); factored (p); factored (1 - p))] | smooth].
  - apply (starts_inside (fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19)); lra.
  - apply (ends_inside (fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19)); lra.
Qed.
Theorem total_is_1 : has_total curves points 1.
Proof.
  apply (total_is curves points [((fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) (19 / 20)) - ((fun p => (ln p / 2 - ln (1 - p) / 2) / ln 19) (1 / 20))]).
  - repeat apply List.Forall2_cons; try apply List.Forall2_nil.
    + exact total_of_curve1.
  - unfold points; cbn [sum on_points probability]; algebra_by ltac:(factored (19); factored (1 / (2 ^ 2 * 5)); factored (19 / (2 ^ 2 * 5))).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.proper_with_ends, @Rule.rule.expected_loss_of_scores,
   @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1, @Rule.rule.law_is_proper,
   @Rule.rule.law_is_strictly_proper, @Rule.rule.law_is_proper_with_ends, @Rule.rule.total_is_1).
Print Assumptions final_theorems.
