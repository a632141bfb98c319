(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs.

Module Rule.

Module rule.
Section Case.

Definition piece1 : piece := Piece (fun p => 0) (fun p => ln 10 / 9 + 1 / 2) (fun p => 0).
Definition piece2 : piece := Piece (fun p => (5 - 3 * p) * (3 * p - 1) / (72 * (1 - p) ^ 2))
  (fun p => ln (1 - p) / 9 + ln 5 / 9 + (5 - 6 * p) / (9 * (1 - p)) - ln p / 9) (fun p => 1 / (9 * p * (1 - p) ^ 3)).
Definition piece3 : piece := Piece (fun p => 15 / 8) (fun p => 0) (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 3) then 0 else
  if Rle_dec p (5 / 6) then (5 - 3 * p) * (3 * p - 1) / (72 * (1 - p) ^ 2) else
  15 / 8.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 3) then ln 10 / 9 + 1 / 2 else
  if Rle_dec p (5 / 6) then ln (1 - p) / 9 + ln 5 / 9 + (5 - 6 * p) / (9 * (1 - p)) - ln p / 9 else
  0.

Lemma order1 : 0 <= (1 / 3). Proof. lra. Qed.
Lemma order2 : (1 / 3) <= (5 / 6). Proof. lra. Qed.
Lemma order3 : (5 / 6) <= 1. Proof. lra. Qed.
Ltac ordered := pose proof order1; pose proof order2; pose proof order3.
Lemma slopes1 : slopes 0 (1 / 3) piece1. Proof. slopes_of piece1; (auto_derive; [see | algebra_by ltac:(factored (2 * 5))]). Qed.
Lemma slopes2 : slopes (1 / 3) (5 / 6) piece2.
Proof. slopes_of piece2; (auto_derive; [see | algebra_by ltac:(factored (p); factored (5); factored (1 - p))]). Qed.
Lemma slopes3 : slopes (5 / 6) 1 piece3. Proof. slopes_of piece3; (auto_derive; [see | algebra]). Qed.
Lemma join1 : joins (1 / 3) piece1 piece2.
Proof. split; cbn [loss0 loss1 piece1 piece2]; algebra_by ltac:(factored (2 * 5); factored (1 / 3); factored (5); factored (2 / 3)). Qed.
Lemma join2 : joins (5 / 6) piece2 piece3.
Proof. split; cbn [loss0 loss1 piece2 piece3]; algebra_by ltac:(factored (5 / (2 * 3)); factored (5); factored (1 / (2 * 3))). Qed.
Lemma sign1 : not_negative 0 (1 / 3) piece1. Proof. weight_of piece1; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma sign2 : positive (1 / 3) (5 / 6) piece2.
Proof. weight_of piece2; apply (positive_as (1 / (9 * p * (1 - p) ^ 3))); [algebra | see]. Qed.
Lemma sign3 : not_negative (5 / 6) 1 piece3. Proof. weight_of piece3; apply (not_negative_as (0)); [algebra | see]. Qed.
Lemma joined_pieces : chain 0 piece1 [((1 / 3), piece2); ((5 / 6), piece3)].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 slopes3))))))). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 [((1 / 3), piece2); ((5 / 6), piece3)].
Proof. each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProperOn (1 / 3) (5 / 6) L0 L1.
Proof. ordered. refine (strictly_proper_rule (1 / 3) (5 / 6) _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1 | weighs_by sign2 | weighs_by sign3]]. Qed.
Definition arc1 : arc := Arc (3 / 4) (Finite 3)
  (fun x => x)
  (fun x => x / (2 * x - 1))
  (fun x => 4 / 9).
Definition amount0_1 : along :=
  closed_along arc1 (fun x => 2 * x ^ 2 / 9).
Definition amount1_1 : along :=
  closed_along arc1 (fun x => 2 * x / 9 + ln (2 * x - 1) / 9).
Definition chance_1 : along :=
  closed_along arc1 (fun x => 4 * x / 9).
Definition arcs : list arc := [arc1].
Definition points : list point := [].
Definition law : law_of_costs := Law [] arcs points.
Ltac arcs_read := cbv beta iota delta [arc1 amount0_1 amount1_1 chance_1 piece1 piece2 piece3 loss0 loss1] in *; reading_arcs.
Lemma spans_arc1 : spans arc1.
Proof. arcs_read; split; [apply (not_negative_as (3 / 4)); [algebra | see] | apply (strictly_below_by (9 / 4)); [algebra | see]]. Qed.
Lemma lawful_arc1 : lawful_arc arc1.
Proof. split; [exact spans_arc1 |]. intros x (Positive & From & Upto); arcs_read. split; [| split]; [apply (positive_as (x)); [equal_exponentials | see] | apply (positive_as (x / ((2 * (4 * x - 3) + 2) / 4))); [equal_exponentials | see] | apply (not_negative_as (4 / 9)); [equal_exponentials | see]]. Qed.
Theorem lawful_costs : lawful_law law.
Proof.
  split; [apply List.Forall_nil | split].
  - apply List.Forall_cons; [exact lawful_arc1 |]. apply List.Forall_nil.
  -  apply List.Forall_nil.
Qed.
Lemma integrated_amount0_1 : integrates_along arc1 (fun c0 _ => c0) amount0_1.
Proof. arcs_read; antiderivative_along_by ltac:(fun x => idtac). Qed.
Lemma integrated_amount1_1 : integrates_along arc1 (fun _ c1 => c1) amount1_1.
Proof. arcs_read; antiderivative_along_by ltac:(fun x => factored (2 * x - 1)). Qed.
Lemma integrated_chance_1 : integrates_along arc1 (fun _ _ => 1) chance_1.
Proof. arcs_read; antiderivative_along_by ltac:(fun x => idtac). Qed.
Lemma costs_of_piece1 p : 0 < p < 1 -> 0 < p -> p <= (1 / 3) ->
  expectation law (pay0 p) (loss0 piece1 p) /\ expectation law (pay1 p) (loss1 piece1 p).
Proof.
  intros Unit Start Stop.
  assert (turn1 : turns arc1 p Never) by (apply never_on; [lra | intros x (Positive & From & Upto); arcs_read; apply (positive_as (x * (((2 * x) * (1 - 3 * p) + (4 * (4 * x - 3)) / 4) / 3) / ((2 * (4 * x - 3) + 2) / 4))); [algebra | see]]).
  split; [refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_cost0 arc1 p _ _ Unit lawful_arc1 spans_arc1 turn1 integrated_amount0_1) (eq_refl : over_arcs nil _ 0) eq_refl) _); unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (2); factored (5); factored (2 * 5); factored (1 / 2))
    | refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_cost1 arc1 p _ _ Unit lawful_arc1 spans_arc1 turn1 integrated_amount1_1) (eq_refl : over_arcs nil _ 0) eq_refl) _); unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (2); factored (5); factored (2 * 5); factored (1 / 2))].
Qed.
Lemma costs_of_piece2 p : 0 < p < 1 -> (1 / 3) < p -> p <= (5 / 6) ->
  expectation law (pay0 p) (loss0 piece2 p) /\ expectation law (pay1 p) (loss1 piece2 p).
Proof.
  intros Unit Start Stop.
  assert (turn1 : turns arc1 p (Rising (1 / (2 * (1 - p))))) by (apply (rising_at _ _ _ (fun x => 2 * (1 - p) * x / ((2 * (4 * x - 3) + 2) / 4))); [lra | arcs_read; split; [apply (below_by (((3 * (3 * p - 1)) / 3) / (4 * (1 - p)))); [algebra | see] | apply (below_by (((6 * (5 - 6 * p)) / 6) / (2 * (1 - p)))); [algebra | see]] | intros x (Positive & From & Upto); arcs_read; split; [algebra | see]]).
  split; [refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_cost0 arc1 p _ _ Unit lawful_arc1 spans_arc1 turn1 integrated_amount0_1) (eq_refl : over_arcs nil _ 0) eq_refl) _); unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (p / (1 - p)); factored (5); factored (p); factored (1 - p); factored (1 / 2))
    | refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_cost1 arc1 p _ _ Unit lawful_arc1 spans_arc1 turn1 integrated_amount1_1) (eq_refl : over_arcs nil _ 0) eq_refl) _); unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (p / (1 - p)); factored (5); factored (p); factored (1 - p); factored (1 / 2))].
Qed.
Lemma costs_of_piece3 p : 0 < p < 1 -> (5 / 6) < p -> p <= 1 ->
  expectation law (pay0 p) (loss0 piece3 p) /\ expectation law (pay1 p) (loss1 piece3 p).
Proof.
  intros Unit Start Stop.
  assert (turn1 : turns arc1 p Always) by (apply always_on; [lra | intros x (Positive & From & Upto); arcs_read; apply (positive_as (x * (((2 * x) * (6 * p - 5) + 2 * (3 - x)) / 6) / ((2 * (4 * x - 3) + 2) / 4))); [algebra | see]]).
  split; [refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_cost0 arc1 p _ _ Unit lawful_arc1 spans_arc1 turn1 integrated_amount0_1) (eq_refl : over_arcs nil _ 0) eq_refl) _); unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (1 / 2); factored (5))
    | refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_cost1 arc1 p _ _ Unit lawful_arc1 spans_arc1 turn1 integrated_amount1_1) (eq_refl : over_arcs nil _ 0) eq_refl) _); unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (1 / 2); factored (5))].
Qed.
Theorem expected_cost0 p : 0 < p < 1 -> expectation law (pay0 p) (L0 p).
Proof. intros Unit. ordered. unfold L0. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3]. Qed.
Theorem expected_cost1 p : 0 < p < 1 -> expectation law (pay1 p) (L1 p).
Proof. intros Unit. ordered. unfold L1. branch; first [paid_by costs_of_piece1 | paid_by costs_of_piece2 | paid_by costs_of_piece3]. Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_law law L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> expectation law (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expectation law (pay1 p) (E1 p)) -> StrictlyProperOn (1 / 3) (5 / 6) E0 E1.
Proof. ordered. apply (strictly_proper_of_law law _ _ L0 L1); [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper]. Qed.
Theorem total_is_1 : expectation law (fun _ _ => 1) 1.
Proof.
  refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_of arc1 _ _ spans_arc1 integrated_chance_1) (eq_refl : over_arcs nil _ 0) eq_refl) _);
  unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (1 / 2); factored (5)).
Qed.
Lemma mean0 : expectation law (fun c0 _ => c0) (15 / 8).
Proof.
  refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_of arc1 _ _ spans_arc1 integrated_amount0_1) (eq_refl : over_arcs nil _ 0) eq_refl) _);
  unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (1 / 2); factored (5)).
Qed.
Lemma mean1 : expectation law (fun _ c1 => c1) ((2 * ln 2 + 2 * ln 5 + 9) / 18).
Proof.
  refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) (one_arc arc1 _ _ _ _ _ (arc_of arc1 _ _ spans_arc1 integrated_amount1_1) (eq_refl : over_arcs nil _ 0) eq_refl) _);
  unfold points; charge_points; arcs_read; cbn [polynomial]; equal_exponentials_by ltac:(factored (2); factored (5); factored (1 / 2)).
Qed.
Theorem law_is_proper_with_ends : (forall p, with_ends p -> expectation law (pay0 p) ((extended L0 0 (15 / 8)) p)) /\
  (forall p, with_ends p -> expectation law (pay1 p) ((extended L1 ((2 * ln 2 + 2 * ln 5 + 9) / 18) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (15 / 8)) (extended L1 ((2 * ln 2 + 2 * ln 5 + 9) / 18) 0).
Proof. exact (proper_law_with_ends law L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. ordered. starts_as loss0 piece1 (1 / 3) (1 / 3) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. ordered. ends_as loss1 piece3 (5 / 6) (1 / 6) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (15 / 8). Proof. ordered. ends_as loss0 piece3 (5 / 6) (1 / 6) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 (ln 10 / 9 + 1 / 2).
Proof. ordered. starts_as loss1 piece1 (1 / 3) (1 / 3) ltac:(evaluated ltac:(factored (2 * 5))). Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (15 / 8)) (extended L1 (ln 10 / 9 + 1 / 2) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Lemma steady1 p : 0 <= p <= (1 / 3) -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Lemma steady2 p : (1 / 3) <= p <= (5 / 6) -> 0 < p < 1 -> continuous (weight piece2) p. Proof. weight_at piece2. smooth. Qed.
Lemma steady3 p : (5 / 6) <= p -> 0 < p < 1 -> continuous (weight piece3) p. Proof. weight_at piece3. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 3), piece2); ((5 / 6), piece3)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative (conj steady1 (conj steady2 steady3)) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper, @Rule.rule.total_is_1, @Rule.rule.law_is_proper_with_ends,
   @Rule.rule.proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
