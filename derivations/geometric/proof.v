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

Definition piece1 : piece := Piece (fun p => asin (sqrt p) - sqrt p * sqrt (1 - p))
  (fun p => asin (sqrt (1 - p)) - sqrt p * sqrt (1 - p)) (fun p => 1 / (sqrt p * sqrt (1 - p))).
Definition L0 (p : R) : R :=
  asin (sqrt p) - sqrt p * sqrt (1 - p).
Definition L1 (p : R) : R :=
  asin (sqrt (1 - p)) - sqrt p * sqrt (1 - p).

Lemma order1 : 0 <= 1. Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1.
Proof. slopes_of piece1; (auto_derive; [see | algebra_by ltac:(factored (p); factored (1 - p))]). Qed.
Lemma sign1 : positive 0 1 piece1.
Proof. weight_of piece1; apply (positive_as (1 / (sqrt p * sqrt (1 - p)))); [algebra_by ltac:(factored (p); factored (1 - p)) | see]. Qed.
Lemma joined_pieces : chain 0 piece1 []. Proof. exact (conj order1 slopes1). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 []. Proof. each_weight; [weighs_by sign1]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof. pose proof order1. refine (strictly_proper_rule 0 1 _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1]]. Qed.
Lemma loss0_starts : tends_at_0 L0 0.
Proof. pose proof order1. starts_as loss0 piece1 1 (1) ltac:(evaluated ltac:(factored (0); factored (1))). Qed.
Lemma loss1_ends : tends_at_1 L1 0.
Proof. pose proof order1. ends_as loss1 piece1 0 (1) ltac:(evaluated ltac:(factored (0); factored (1))). Qed.
Lemma loss0_ends : tends_at_1 L0 (PI / 2).
Proof. pose proof order1. ends_as loss0 piece1 0 (1) ltac:(evaluated ltac:(factored (0); factored (1))). Qed.
Lemma loss1_starts : tends_at_0 L1 (PI / 2).
Proof. pose proof order1. starts_as loss1 piece1 1 (1) ltac:(evaluated ltac:(factored (0); factored (1))). Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (PI / 2)) (extended L1 (PI / 2) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Theorem strictly_proper_with_ends : StrictlyProperAmong with_ends (extended L0 0 (PI / 2)) (extended L1 (PI / 2) 0).
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
Definition curve1 : curve := ray 0 1 (fun p => 1 / (sqrt p * sqrt (1 - p))) (fun p => 1).
Definition curves : list curve := [curve1].
Definition points : list point := [].
Lemma signs_of_curve1 p : 0 < p < 1 -> 0 < p -> p <= 1 -> 0 < (1 / (sqrt p * sqrt (1 - p))) /\ 0 <= 1.
Proof.
  intros Unit Start Stop; unfold Rpower.
  split; [apply (positive_as (1 / (sqrt p * sqrt (1 - p)))); [algebra_by ltac:(factored (p); factored (1 - p)) | see] | apply (not_negative_as (1)); [algebra | see]].
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
Lemma cost_of_piece1 p : 0 < p < 1 -> 0 < p -> p <= 1 -> on_curves Rplus curves p = weight piece1 p.
Proof.
  intros Unit Start Stop. pose proof order1.
  unfold on_curves, curves, on_curve, curve1, ray, Rpower; cbn [start stop along0 along1 chance weight piece1]. branch.
  all: algebra_by ltac:(factored (p); factored (1 - p)).
Qed.
Lemma all_of_the_cost p : 0 < p < 1 -> on_curves Rplus curves p = joined weight piece1 [] p.
Proof. intros Unit. pose proof order1. cbn [joined]. branch; first [apply cost_of_piece1; lra]. Qed.
Lemma jumps0 p : 0 < p < 1 -> on_points (pay0 p) points = jumped false [] (no_masses []) p.
Proof. intros _. symmetry. apply nothing_jumped. Qed.
Lemma jumps1 p : 0 < p < 1 -> on_points (pay1 p) points = jumped true [] (no_masses []) p.
Proof. intros _. symmetry. apply nothing_jumped. Qed.
Theorem expected_cost0 p : 0 < p < 1 -> expected curves points (pay0 p) (L0 p).
Proof.
  exact (loss0_is_expected piece1 [] (no_masses []) curves points (chain_without_jumps 0 piece1 _ joined_pieces) steady1
    thresholds all_of_the_cost loss0_starts jumps0 p).
Qed.
Theorem expected_cost1 p : 0 < p < 1 -> expected curves points (pay1 p) (L1 p).
Proof.
  exact (loss1_is_expected piece1 [] (no_masses []) curves points (chain_without_jumps 0 piece1 _ joined_pieces) steady1
    thresholds all_of_the_cost loss1_ends jumps1 p).
Qed.
Theorem law_is_proper : Proper L0 L1.
Proof. exact (expected_costs_are_proper curves points L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> expected curves points (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expected curves points (pay1 p) (E1 p)) -> StrictlyProperOn 0 1 E0 E1.
Proof.
  intros Costs0 Costs1. pose proof order1.
  apply (strictly_proper_law curves points E0 E1 lawful_costs thresholds Costs0 Costs1 0 1); [lra | lra |].
  refine (support_of_pieces curves 0 1 piece1 [] steady1 _ _ _ all_of_the_cost); [each_weight; [weighs_by sign1] | lra | lra].
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> expected_to curves points (pay0 p) ((with_values L0 0 (Finite (PI / 2))) p)) /\
  (forall p, with_ends p -> expected_to curves points (pay1 p) ((with_values L1 (Finite (PI / 2)) 0) p)) /\
  ProperOnAll (with_values L0 0 (Finite (PI / 2))) (with_values L1 (Finite (PI / 2)) 0) /\
  StrictlyProperOnAll (with_values L0 0 (Finite (PI / 2))) (with_values L1 (Finite (PI / 2)) 0).
Proof.
  destruct (costs_of_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite (PI / 2)) (Finite (PI / 2)) loss0_ends loss1_starts) as [Costs0 Costs1].
  repeat split; [exact Costs0 | exact Costs1 | exact (proper_on_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite (PI / 2)) (Finite (PI / 2)) loss0_ends loss1_starts) | exact (strictly_proper_on_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite (PI / 2)) (Finite (PI / 2)) loss0_ends loss1_starts strictly_proper)].
Qed.
Lemma total_of_curve1 : integral_on_unit (on_curve (fun _ _ => 1) curve1) (1 - 0).
Proof.
  pose proof order1. apply (total_of_curve curve1 (fun p => p) 0 1); cbn [start stop chance curve1 ray]. 1-3: lra.
  - intros p Within Unit; cbn [start stop chance ray]; unfold Rpower. split; [auto_derive; [see | algebra] | smooth].
  - apply (starts_at_0 (fun p => p)); [lra |]. apply (tends_from_right (fun p => p) (fun p => p) 0 1);
    [lra | reflexivity | unfold Rpower; smooth | evaluated ltac:(idtac)].
  - apply (ends_at_1 (fun p => p)); [lra |]. apply (tends_from_left (fun p => p) (fun p => p) 0 1);
    [lra | reflexivity | unfold Rpower; smooth | evaluated ltac:(idtac)].
Qed.
Theorem total_is_1 : has_total curves points 1.
Proof.
  apply (total_is curves points [1 - 0]).
  - repeat apply List.Forall2_cons; try apply List.Forall2_nil.
    + exact total_of_curve1.
  - unfold points; cbn [sum on_points probability]; algebra.
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.proper_with_ends, @Rule.rule.strictly_proper_with_ends,
   @Rule.rule.expected_loss_of_scores, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper, @Rule.rule.law_is_proper_with_ends, @Rule.rule.total_is_1).
Print Assumptions final_theorems.
