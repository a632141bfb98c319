(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AtomsOfLoss AllReports Totals.

Module Rule.

Module rule.
Definition assumed (w : R) : Prop := 0 < w /\ w < 1.
Example possible : exists w : R, assumed w. Proof. exists (1 / 3); unfold assumed; lra. Qed.
Section Case.
Variables w : R.
Hypothesis given : assumed w.
Let given1 : 0 < w := proj1 given. Let given2 : w < 1 := (proj2 given).

Definition piece1 : piece := Piece (fun p => p ^ 2 * w) (fun p => w * (1 - p) ^ 2 + 4 - 4 * w) (fun p => 2 * w).
Definition piece2 : piece := Piece (fun p => p ^ 2 * w + 1 - w) (fun p => w * (1 - p) ^ 2) (fun p => 2 * w).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 5) then p ^ 2 * w else
  p ^ 2 * w + 1 - w.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 5) then w * (1 - p) ^ 2 + 4 - 4 * w else
  w * (1 - p) ^ 2.

Lemma order1 : 0 <= (1 / 5). Proof. lra. Qed.
Lemma order2 : (1 / 5) <= 1. Proof. lra. Qed.
Ltac ordered := pose proof order1; pose proof order2.
Lemma slopes1 : slopes 0 (1 / 5) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma slopes2 : slopes (1 / 5) 1 piece2. Proof. slopes_of piece2; (auto_derive; [see | algebra]). Qed.
Lemma join1 : jumps (1 / 5) (5 - 5 * w) piece1 piece2.
Proof. split; [apply (not_negative_as (5 * (1 - w))); [algebra | see] |]. split; cbn [loss0 loss1 piece1 piece2]; algebra. Qed.
Lemma sign1 : positive 0 (1 / 5) piece1. Proof. weight_of piece1; apply (positive_as (2 * w)); [algebra | see]. Qed.
Lemma sign2 : positive (1 / 5) 1 piece2. Proof. weight_of piece2; apply (positive_as (2 * w)); [algebra | see]. Qed.
Lemma joined_pieces : jumping_chain 0 piece1 [((1 / 5), piece2)] [5 - 5 * w].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 [((1 / 5), piece2)]. Proof. each_weight; [weighs_by sign1 | weighs_by sign2]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule_with_atoms _ _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof. ordered. refine (strictly_proper_rule_with_atoms 0 1 _ _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1 | weighs_by sign2]]. Qed.
Lemma loss0_before1 : filterlim L0 (at_left (1 / 5)) (locally (L0 (1 / 5))).
Proof.
  ordered. assert (near2 : 0 < (1 / 5)) by (apply (strictly_below_by (1 / 5)); [algebra | see]). assert (near3 : (1 / 5) < 1) by (apply (strictly_below_by (4 / 5)); [algebra | see]). replace (L0 (1 / 5)) with (loss0 piece1 (1 / 5)) by (unfold L0; cbn [loss0 piece1]; branch; reflexivity).
  apply (tends_from_left L0 (loss0 piece1) 0 (1 / 5)); [lra | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity | apply continuity_pt_filterlim, slopes1; lra | reflexivity].
Qed.
Lemma loss0_behind1 : filterlim L0 (at_right (1 / 5)) (locally (L0 (1 / 5) + (1 / 5) * (5 - 5 * w))).
Proof.
  ordered. assert (near2 : 0 < (1 / 5)) by (apply (strictly_below_by (1 / 5)); [algebra | see]). assert (near3 : (1 / 5) < 1) by (apply (strictly_below_by (4 / 5)); [algebra | see]). replace (L0 (1 / 5)) with (loss0 piece1 (1 / 5)) by (unfold L0; cbn [loss0 piece1]; branch; reflexivity).
  apply (tends_from_right L0 (loss0 piece2) (1 / 5) 1); [lra | intros x X; unfold L0; cbn [loss0 piece2]; branch; reflexivity | apply continuity_pt_filterlim, slopes2; lra | apply join1].
Qed.
Lemma loss1_before1 : filterlim L1 (at_left (1 / 5)) (locally (L1 (1 / 5))).
Proof.
  ordered. assert (near2 : 0 < (1 / 5)) by (apply (strictly_below_by (1 / 5)); [algebra | see]). assert (near3 : (1 / 5) < 1) by (apply (strictly_below_by (4 / 5)); [algebra | see]). replace (L1 (1 / 5)) with (loss1 piece1 (1 / 5)) by (unfold L1; cbn [loss1 piece1]; branch; reflexivity).
  apply (tends_from_left L1 (loss1 piece1) 0 (1 / 5)); [lra | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity | apply continuity_pt_filterlim, slopes1; lra | reflexivity].
Qed.
Lemma loss1_behind1 : filterlim L1 (at_right (1 / 5)) (locally (L1 (1 / 5) - (1 - (1 / 5)) * (5 - 5 * w))).
Proof.
  ordered. assert (near2 : 0 < (1 / 5)) by (apply (strictly_below_by (1 / 5)); [algebra | see]). assert (near3 : (1 / 5) < 1) by (apply (strictly_below_by (4 / 5)); [algebra | see]). replace (L1 (1 / 5)) with (loss1 piece1 (1 / 5)) by (unfold L1; cbn [loss1 piece1]; branch; reflexivity).
  apply (tends_from_right L1 (loss1 piece2) (1 / 5) 1); [lra | intros x X; unfold L1; cbn [loss1 piece2]; branch; reflexivity | apply continuity_pt_filterlim, slopes2; lra | apply join1].
Qed.
Theorem tie1 x y : 0 <= x -> 0 <= y -> ((1 - (1 / 5)) * x + (1 / 5) * y = (1 / 5) * (1 - (1 / 5)) * (5 - 5 * w) <->
   Proper (with_tie L0 (1 / 5) (L0 (1 / 5) + x)) (with_tie L1 (1 / 5) (L1 (1 / 5) - (1 - (1 / 5)) * (5 - 5 * w) + y))).
Proof.
  ordered. assert (near2 : 0 < (1 / 5)) by (apply (strictly_below_by (1 / 5)); [algebra | see]). assert (near3 : (1 / 5) < 1) by (apply (strictly_below_by (4 / 5)); [algebra | see]). intros X Y. split; intro Shared.
  - apply (proper_if_tie_shares L0 L1 (1 / 5) (5 - 5 * w)); try assumption; [lra | exact proper | apply loss0_behind1 | apply loss1_behind1].
  - apply (tie_shares_if_proper L0 L1 (1 / 5) (5 - 5 * w)); try assumption; [lra | apply loss0_before1 | apply loss1_before1].
Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (1 / 5) (1 / 5) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece2 (1 / 5) (4 / 5) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 1. Proof. ordered. ends_as loss0 piece2 (1 / 5) (4 / 5) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 (4 - 3 * w). Proof. ordered. starts_as loss1 piece1 (1 / 5) (1 / 5) evaluates. Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 1) (extended L1 (4 - 3 * w) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Theorem strictly_proper_with_ends : StrictlyProperAmong with_ends (extended L0 0 1) (extended L1 (4 - 3 * w) 0).
Proof.
  apply (strictly_proper_among with_ends); [apply all_with_ends | apply all_with_ends | | exact proper_with_ends].
  apply extended_strictly_proper, strictly_proper.
Qed.
Lemma steady1 p : 0 <= p <= (1 / 5) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (1 / 5) <= p -> 0 < p < 1 -> continuous (weight piece2) p. Proof. weight_at piece2. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 5), piece2)].
Lemma breakpoints_inside : within_unit [((1 / 5), piece2)].
Proof.
  assert (above1 : 0 < (1 / 5)) by (apply (strictly_below_by (1 / 5)); [algebra | see]). assert (below1 : (1 / 5) < 1) by (apply (strictly_below_by (4 / 5)); [algebra | see]).
  apply List.Forall_cons; [split; assumption |]. apply List.Forall_nil.
Qed.
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1
      - ((5 - 5 * w) * (pi0 * ((1 / 5) * (1 - F0 (1 / 5))) + pi1 * ((1 - (1 / 5)) * F1 (1 / 5))))).
Proof.
  intros S0 S1 H0 H1.
  refine (eq_ind _ (integral_on_unit _) (expected_loss_with_atoms _ _ _ joined_pieces never_negative (conj steady1 steady2) breakpoints_inside loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1 S0 S1 H0 H1) _ _).
  cbn [over_atoms]. ring.
Qed.
Definition curve1 : curve := ray 0 1 (fun p => 2) (fun p => w).
Definition curves : list curve := [curve1].
Definition points : list point := [Point 1 4 (1 - w)].
Lemma signs_of_curve1 p : 0 < p < 1 -> 0 < p -> p <= 1 -> 0 < 2 /\ 0 <= w.
Proof.
  intros Unit Start Stop; unfold Rpower.
  split; [apply (positive_as (2)); [algebra | see] | apply (not_negative_as (w)); [algebra | see]].
Qed.
Lemma signs_of_point1 : lawful_point (Point 1 4 (1 - w)).
Proof. split; [| split]; cbn [known0 known1 probability]; [apply (positive_as (1)); [algebra | see] | apply (positive_as (4)); [algebra | see] | apply (not_negative_as (1 - w)); [algebra | see]]. Qed.
Theorem lawful_costs : lawful curves points.
Proof.
  split; repeat apply List.Forall_cons; try apply List.Forall_nil.
  - apply ray_is_lawful. exact signs_of_curve1.
  - apply signs_of_point1.
Qed.
Lemma thresholds : List.Forall at_thresholds curves.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil.
  - apply ray_is_at_thresholds. exact signs_of_curve1.
Qed.
Lemma cost_of_piece1 p : 0 < p < 1 -> 0 < p -> p <= (1 / 5) -> on_curves Rplus curves p = weight piece1 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, curve1, ray, Rpower; cbn [start stop along0 along1 chance weight piece1]. branch.
  all: algebra.
Qed.
Lemma cost_of_piece2 p : 0 < p < 1 -> (1 / 5) < p -> p <= 1 -> on_curves Rplus curves p = weight piece2 p.
Proof.
  intros Unit Start Stop. ordered.
  unfold on_curves, curves, on_curve, curve1, ray, Rpower; cbn [start stop along0 along1 chance weight piece2]. branch.
  all: algebra.
Qed.
Lemma all_of_the_cost p : 0 < p < 1 -> on_curves Rplus curves p = joined weight piece1 [((1 / 5), piece2)] p.
Proof. intros Unit. ordered. cbn [joined]. branch; first [apply cost_of_piece1; lra | apply cost_of_piece2; lra]. Qed.
Lemma jumps0 p : 0 < p < 1 -> on_points (pay0 p) points = jumped false [((1 / 5), piece2)] [5 - 5 * w] p.
Proof.
  intros Unit. ordered. unfold points, pay0; cbn [on_points jumped known0 known1 probability].
  replace (1 / (1 + 4)) with (1 / 5) by (field; see). branch; algebra.
Qed.
Lemma jumps1 p : 0 < p < 1 -> on_points (pay1 p) points = jumped true [((1 / 5), piece2)] [5 - 5 * w] p.
Proof.
  intros Unit. ordered. unfold points, pay1; cbn [on_points jumped known0 known1 probability].
  replace (1 / (1 + 4)) with (1 / 5) by (field; see). branch; algebra.
Qed.
Theorem expected_cost0 p : 0 < p < 1 -> expected curves points (pay0 p) (L0 p).
Proof.
  exact (loss0_is_expected piece1 [((1 / 5), piece2)] [5 - 5 * w] curves points joined_pieces (conj steady1 steady2)
    thresholds all_of_the_cost loss0_starts jumps0 p).
Qed.
Theorem expected_cost1 p : 0 < p < 1 -> expected curves points (pay1 p) (L1 p).
Proof.
  exact (loss1_is_expected piece1 [((1 / 5), piece2)] [5 - 5 * w] curves points joined_pieces (conj steady1 steady2)
    thresholds all_of_the_cost loss1_ends jumps1 p).
Qed.
Theorem law_is_proper : Proper L0 L1.
Proof. exact (expected_costs_are_proper curves points L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> expected curves points (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expected curves points (pay1 p) (E1 p)) -> StrictlyProperOn 0 1 E0 E1.
Proof.
  intros Costs0 Costs1. ordered.
  apply (strictly_proper_law curves points E0 E1 lawful_costs thresholds Costs0 Costs1 0 1); [lra | lra |].
  refine (support_of_pieces curves 0 1 piece1 [((1 / 5), piece2)] (conj steady1 steady2) _ _ _ all_of_the_cost); [each_weight; [weighs_by sign1 | weighs_by sign2] | lra | lra].
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> expected_to curves points (pay0 p) ((with_values L0 0 (Finite 1)) p)) /\
  (forall p, with_ends p -> expected_to curves points (pay1 p) ((with_values L1 (Finite (4 - 3 * w)) 0) p)) /\
  ProperOnAll (with_values L0 0 (Finite 1)) (with_values L1 (Finite (4 - 3 * w)) 0) /\
  StrictlyProperOnAll (with_values L0 0 (Finite 1)) (with_values L1 (Finite (4 - 3 * w)) 0).
Proof.
  destruct (costs_of_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite 1) (Finite (4 - 3 * w)) loss0_ends loss1_starts) as [Costs0 Costs1].
  repeat split; [exact Costs0 | exact Costs1 | exact (proper_on_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite 1) (Finite (4 - 3 * w)) loss0_ends loss1_starts) | exact (strictly_proper_on_all_reports curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1 (Finite 1) (Finite (4 - 3 * w)) loss0_ends loss1_starts strictly_proper)].
Qed.
Lemma total_of_curve1 : integral_on_unit (on_curve (fun _ _ => 1) curve1) (w - 0).
Proof.
  ordered. apply (total_of_curve curve1 (fun p => p * w) 0 w); cbn [start stop chance curve1 ray]. 1-3: lra.
  - intros p Within Unit; cbn [start stop chance ray]; unfold Rpower. split; [auto_derive; [see | algebra] | smooth].
  - apply (starts_at_0 (fun p => p * w)); [lra |]. apply (tends_from_right (fun p => p * w) (fun p => p * w) 0 1);
    [lra | reflexivity | unfold Rpower; smooth | evaluated ltac:(idtac)].
  - apply (ends_at_1 (fun p => p * w)); [lra |]. apply (tends_from_left (fun p => p * w) (fun p => p * w) 0 1);
    [lra | reflexivity | unfold Rpower; smooth | evaluated ltac:(idtac)].
Qed.
Theorem total_is_1 : has_total curves points 1.
Proof.
  apply (total_is curves points [w - 0]).
  - repeat apply List.Forall2_cons; try apply List.Forall2_nil.
    + exact total_of_curve1.
  - unfold points; cbn [sum on_points probability]; algebra.
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.tie1, @Rule.rule.proper_with_ends, @Rule.rule.strictly_proper_with_ends,
   @Rule.rule.expected_loss_of_scores, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper, @Rule.rule.law_is_proper_with_ends, @Rule.rule.total_is_1).
Print Assumptions final_theorems.
