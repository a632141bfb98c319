(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AllReports Totals Tails Areas ClosedForms Arcs OtherThresholds Refutation.

Module Rule.

Module costs.
Section Case.

Definition piece1 : piece := Piece (fun p => 0) (fun p => 4) (fun p => 0).
Definition piece2 : piece := Piece (fun p => 1) (fun p => 0) (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 5) then 0 else
  1.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 5) then 4 else
  0.

Lemma order1 : 0 <= (1 / 5). Proof. lra. Qed.
Lemma order2 : (1 / 5) <= 1. Proof. lra. Qed.
Ltac ordered := pose proof order1; pose proof order2.
Lemma slopes1 : slopes 0 (1 / 5) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma slopes2 : slopes (1 / 5) 1 piece2. Proof. slopes_of piece2; (auto_derive; [see | algebra]). Qed.
Lemma join1 : jumps (1 / 5) 5 piece1 piece2.
Proof. split; [apply (not_negative_as (5)); [algebra | see] |]. split; cbn [loss0 loss1 piece1 piece2]; algebra. Qed.
Lemma sign1 : not_negative 0 (1 / 5) piece1. Proof. weight_of piece1; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma sign2 : not_negative (1 / 5) 1 piece2. Proof. weight_of piece2; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma joined_pieces : jumping_chain 0 piece1 [((1 / 5), piece2)] [5].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 [((1 / 5), piece2)]. Proof. each_weight; [weighs_by sign1 | weighs_by sign2]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule_with_atoms _ _ _ joined_pieces never_negative). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (1 / 5) (1 / 5) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece2 (1 / 5) (4 / 5) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 1. Proof. ordered. ends_as loss0 piece2 (1 / 5) (4 / 5) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 4. Proof. ordered. starts_as loss1 piece1 (1 / 5) (1 / 5) evaluates. Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 1) (extended L1 4 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Lemma steady1 p : 0 <= p <= (1 / 5) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (1 / 5) <= p -> 0 < p < 1 -> continuous (weight piece2) p. Proof. weight_at piece2. smooth. Qed.
Definition curves : list curve := [].
Definition points : list point := [Point 1 4 1].
Lemma signs_of_point1 : lawful_point (Point 1 4 1).
Proof. split; [| split]; cbn [known0 known1 probability]; [apply (positive_as (1)); [algebra | see] | apply (positive_as (4)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]. Qed.
Theorem lawful_costs : lawful curves points.
Proof.
  split; repeat apply List.Forall_cons; try apply List.Forall_nil.
  - apply signs_of_point1.
Qed.
Lemma thresholds : List.Forall at_thresholds curves. Proof. repeat apply List.Forall_cons; try apply List.Forall_nil. Qed.
Lemma cost_of_piece1 p : 0 < p < 1 -> 0 < p -> p <= (1 / 5) -> on_curves Rplus curves p = weight piece1 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, ray, Rpower; cbn [start stop along0 along1 chance weight piece1]. branch. all: algebra.
Qed.
Lemma cost_of_piece2 p : 0 < p < 1 -> (1 / 5) < p -> p <= 1 -> on_curves Rplus curves p = weight piece2 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, ray, Rpower; cbn [start stop along0 along1 chance weight piece2]. branch. all: algebra.
Qed.
Lemma all_of_the_cost p : 0 < p < 1 -> on_curves Rplus curves p = joined weight piece1 [((1 / 5), piece2)] p.
Proof. intros Unit. ordered. cbn [joined]. branch; first [apply cost_of_piece1; lra | apply cost_of_piece2; lra]. Qed.
Lemma jumps0 p : 0 < p < 1 -> on_points (pay0 p) points = jumped false [((1 / 5), piece2)] [5] p.
Proof.
  intros Unit. ordered. unfold points, pay0; cbn [on_points jumped known0 known1 probability].
  replace (1 / (1 + 4)) with (1 / 5) by (field; see). branch; algebra.
Qed.
Lemma jumps1 p : 0 < p < 1 -> on_points (pay1 p) points = jumped true [((1 / 5), piece2)] [5] p.
Proof.
  intros Unit. ordered. unfold points, pay1; cbn [on_points jumped known0 known1 probability].
  replace (1 / (1 + 4)) with (1 / 5) by (field; see). branch; algebra.
Qed.
Theorem expected_cost0 p : 0 < p < 1 -> expected curves points (pay0 p) (L0 p).
Proof.
  exact (loss0_is_expected piece1 [((1 / 5), piece2)] [5] curves points joined_pieces (conj steady1 steady2)
    thresholds all_of_the_cost loss0_starts jumps0 p).
Qed.
Theorem expected_cost1 p : 0 < p < 1 -> expected curves points (pay1 p) (L1 p).
Proof.
  exact (loss1_is_expected piece1 [((1 / 5), piece2)] [5] curves points joined_pieces (conj steady1 steady2)
    thresholds all_of_the_cost loss1_ends jumps1 p).
Qed.
Theorem law_is_proper : Proper L0 L1.
Proof. exact (expected_costs_are_proper curves points L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> expected_to curves points (pay0 p) ((with_values L0 0 (Finite 1)) p)) /\
  (forall p, with_ends p -> expected_to curves points (pay1 p) ((with_values L1 (Finite 4) 0) p)) /\
  ProperOnAll (with_values L0 0 (Finite 1)) (with_values L1 (Finite 4) 0).
Proof.
  destruct (costs_of_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite 1) (Finite 4) loss0_ends loss1_starts) as [Costs0 Costs1].
  repeat split; [exact Costs0 | exact Costs1 | exact (proper_on_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite 1) (Finite 4) loss0_ends loss1_starts)].
Qed.
Theorem total_is_1 : has_total curves points 1.
Proof.
  apply (total_is curves points []).
  - repeat apply List.Forall2_cons; try apply List.Forall2_nil.
  - unfold points; cbn [sum on_points probability]; algebra.
Qed.
Definition priced : (R -> R -> R) -> R -> Prop := expected curves points.
Theorem prices : is_expectation priced. Proof. exact (curves_have_expectation curves points lawful_costs). Qed.
Theorem mean_is0 : priced (fun c0 _ => c0) 1.
Proof.
  pose proof (proj1 law_is_proper_with_ends 1 ltac:(unfold with_ends; lra)) as Mean.
  rewrite values_at_1 in Mean. apply finite_expectation in Mean. apply (mean0_of_report_1 priced prices) in Mean.
  apply (valued priced _ _ _ Mean); algebra.
Qed.
Theorem mean_is1 : priced (fun _ c1 => c1) 4.
Proof.
  pose proof (proj1 (proj2 law_is_proper_with_ends) 0 ltac:(unfold with_ends; lra)) as Mean.
  rewrite values_at_0 in Mean. apply finite_expectation in Mean. apply (mean1_of_report_0 priced prices) in Mean.
  apply (valued priced _ _ _ Mean); algebra.
Qed.
End Case.
End costs.

Module rule.
Section Case.

Definition L0 (p : R) : R :=
  if Rle_dec p 0 then 0 else
  if Rlt_dec p (1 / 2) then 0 else
  if Rle_dec p (1 / 2) then 0 else
  if Rlt_dec p 1 then 1 else 1.
Definition L1 (p : R) : R :=
  if Rle_dec p 0 then 4 else
  if Rlt_dec p (1 / 2) then 4 else
  if Rle_dec p (1 / 2) then 4 else
  if Rlt_dec p 1 then 0 else 0.

Definition priced : (R -> R -> R) -> R -> Prop := costs.priced.
Lemma prices : is_expectation priced. Proof. intros. unfold priced, costs.priced. eapply costs.prices; eassumption. Qed.
Lemma mean_is0 : priced (fun c0 _ => c0) 1. Proof. intros. unfold priced, costs.priced. eapply costs.mean_is0; eassumption. Qed.
Lemma mean_is1 : priced (fun _ c1 => c1) 4. Proof. intros. unfold priced, costs.priced. eapply costs.mean_is1; eassumption. Qed.
Theorem expected_cost0 p : with_ends p -> priced (pay0_at (fun _ _ => 1 / 2) p) (L0 p).
Proof.
  intros Unit. unfold with_ends in Unit. assert (place1 : 0 < (1 / 2)) by (apply (strictly_below_by (1 / 2)); [algebra | see]). assert (place2 : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  refine (eq_ind _ (priced (pay0_at (fun _ _ => 1 / 2) p)) (cost0_at priced prices _ mean_is0 (1 / 2) p) _ _).
  unfold L0; branch; first [algebra | replace p with 0 by lra; algebra | replace p with (1 / 2) by lra; algebra | replace p with 1 by lra; algebra].
Qed.
Theorem expected_cost1 p : with_ends p -> priced (pay1_at (fun _ _ => 1 / 2) p) (L1 p).
Proof.
  intros Unit. unfold with_ends in Unit. assert (place1 : 0 < (1 / 2)) by (apply (strictly_below_by (1 / 2)); [algebra | see]). assert (place2 : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  refine (eq_ind _ (priced (pay1_at (fun _ _ => 1 / 2) p)) (cost1_at priced prices _ mean_is1 (1 / 2) p) _ _).
  unfold L1; branch; first [algebra | replace p with 0 by lra; algebra | replace p with (1 / 2) by lra; algebra | replace p with 1 by lra; algebra].
Qed.
Theorem better_report : risk L0 L1 1 (1 / 3) < risk L0 L1 (1 / 3) (1 / 3).
Proof.
  assert (value1 : L0 (1 / 3) = 0).
  { assert (over1 : 0 < (1 / 3)) by (apply (strictly_below_by (1 / 3)); [algebra | see]). assert (under : (1 / 3) < (1 / 2)) by (apply (strictly_below_by (1 / 6)); [algebra | see]). unfold L0; branch; reflexivity. }
  assert (value2 : L0 1 = 1).
  { assert (over1 : 0 < 1) by (apply (strictly_below_by (1)); [algebra | see]). assert (over2 : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]). unfold L0; branch; reflexivity. }
  assert (value3 : L1 (1 / 3) = 4).
  { assert (over1 : 0 < (1 / 3)) by (apply (strictly_below_by (1 / 3)); [algebra | see]). assert (under : (1 / 3) < (1 / 2)) by (apply (strictly_below_by (1 / 6)); [algebra | see]). unfold L1; branch; reflexivity. }
  assert (value4 : L1 1 = 0).
  { assert (over1 : 0 < 1) by (apply (strictly_below_by (1)); [algebra | see]). assert (over2 : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]). unfold L1; branch; reflexivity. }
  unfold risk; rewrite ?value1; rewrite ?value2; rewrite ?value3; rewrite ?value4. apply (strictly_below_by (2 / 3)); [algebra | see].
Qed.
Theorem not_proper : ~ ProperAmong with_ends L0 L1.
Proof.
  assert (report_low : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
  assert (report_high : 1 <= 1) by (apply (below_by (0)); [algebra | see]).
  assert (belief_low : 0 <= (1 / 3)) by (apply (below_by (1 / 3)); [algebra | see]).
  assert (belief_high : (1 / 3) <= 1) by (apply (below_by (2 / 3)); [algebra | see]).
  apply (not_proper_with_ends_by 1 (1 / 3)); [lra | lra | exact better_report].
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.costs.proper, @Rule.costs.proper_with_ends, @Rule.costs.lawful_costs, @Rule.costs.expected_cost0,
   @Rule.costs.expected_cost1, @Rule.costs.law_is_proper, @Rule.costs.law_is_proper_with_ends, @Rule.costs.total_is_1,
   @Rule.costs.prices, @Rule.costs.mean_is0, @Rule.costs.mean_is1, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.better_report, @Rule.rule.not_proper).
Print Assumptions final_theorems.
