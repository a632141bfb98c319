(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra Lia List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Acts Classes ClassCosts BayesActs.

Module Rule.

Module rule.
Section Case.

Definition loss0 (p0 p1 p2 : R) : R :=
  p1 ^ 2 / (p0 + p1) ^ 2 + p2 ^ 2 / (p0 + p2) ^ 2 - p1 ^ 2 * p2 ^ 2 / (p0 * p1 + p0 * p2 + p1 * p2) ^ 2.
Definition loss1 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (p0 + p1) ^ 2 + p2 ^ 2 / (p1 + p2) ^ 2 - p0 ^ 2 * p2 ^ 2 / (p0 * p1 + p0 * p2 + p1 * p2) ^ 2.
Definition loss2 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (p0 + p2) ^ 2 + p1 ^ 2 / (p1 + p2) ^ 2 - p0 ^ 2 * p1 ^ 2 / (p0 * p1 + p0 * p2 + p1 * p2) ^ 2.
Definition slope0_1 (p0 p1 p2 : R) : R :=
  2 * p0 ^ 2 * p1 ^ 2 * (p0 ^ 2 * p1 ^ 2 + 3 * p0 ^ 2 * p1 * p2 + 3 * p0 ^ 2 * p2 ^ 2 + 3 * p0 * p1 ^ 2 * p2 + 6 * p0 * p1 * p2 ^ 2 + 3 * p1 ^ 2 * p2 ^ 2) / ((p0 + p1) ^ 3 * (p0 * p1 + p0 * p2 + p1 * p2) ^ 3).
Definition slope0_2 (p0 p1 p2 : R) : R :=
  2 * p0 ^ 2 * p2 ^ 2 * (3 * p0 ^ 2 * p1 ^ 2 + 3 * p0 ^ 2 * p1 * p2 + p0 ^ 2 * p2 ^ 2 + 6 * p0 * p1 ^ 2 * p2 + 3 * p0 * p1 * p2 ^ 2 + 3 * p1 ^ 2 * p2 ^ 2) / ((p0 + p2) ^ 3 * (p0 * p1 + p0 * p2 + p1 * p2) ^ 3).
Definition slope1_2 (p0 p1 p2 : R) : R :=
  2 * p1 ^ 2 * p2 ^ 2 * (3 * p0 ^ 2 * p1 ^ 2 + 6 * p0 ^ 2 * p1 * p2 + 3 * p0 ^ 2 * p2 ^ 2 + 3 * p0 * p1 ^ 2 * p2 + 3 * p0 * p1 * p2 ^ 2 + p1 ^ 2 * p2 ^ 2) / ((p1 + p2) ^ 3 * (p0 * p1 + p0 * p2 + p1 * p2) ^ 3).
Definition L (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0 | 1 => loss1 | _ => loss2 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1 | 0, 2 | 2, 0 => slope0_2 | 1, 2 | 2, 1 => slope1_2 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition risk := risk_under 3 L.

Lemma all_of_them_sloped : all_sloped 3 L D.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L D loss0 loss1 loss2 slope0_1 slope0_2 slope1_2]). Qed.
Lemma symmetric : symmetric_slopes 3 D. Proof. symmetric_by_pairs. Qed.
Lemma positive_slopes : slopes_positive 3 D. Proof. positive_by_pairs ltac:(cbv [D slope0_1 slope0_2 slope1_2]). Qed.
Lemma same : only_probabilities L. Proof. intros label report other E. unfold L. rewrite !E. reflexivity. Qed.
Theorem proper : forall p q, positive_forecast 3 p -> positive_forecast 3 q -> risk q q <= risk p q.
Proof. exact (positive_slopes_are_proper 3 L D all_of_them_sloped symmetric positive_slopes same). Qed.
Theorem strictly_proper : forall p q, positive_forecast 3 p -> positive_forecast 3 q -> sum_over 3 p = 1 -> sum_over 3 q = 1 ->
  (exists i, (i < 3)%nat /\ p i <> q i) -> risk q q < risk p q.
Proof. exact (positive_slopes_are_strictly_proper 3 L D all_of_them_sloped symmetric positive_slopes same). Qed.
Definition chance_below (label : nat) : R -> R := fun x => 1 - exp (- x).
Definition density_of_cost (label : nat) : R -> R := fun x => exp (- x).
Definition amount0 (p : nat -> R) (x : R) : R :=
  let p0 := p 0%nat in let p1 := p 1%nat in let p2 := p 2%nat in
  polynomial [(- p1 ^ 2 / (p0 + p1) ^ 2); (- p1 / (p0 + p1))] x * exp (- ((p0 / p1 + 1) * x)) + polynomial [(- p2 ^ 2 / (p0 + p2) ^ 2); (- p2 / (p0 + p2))] x * exp (- ((p0 / p2 + 1) * x)) + polynomial [(p1 ^ 2 * p2 ^ 2 / (p0 * p1 + p0 * p2 + p1 * p2) ^ 2); (p1 * p2 / (p0 * p1 + p0 * p2 + p1 * p2))] x * exp (- ((p0 / p2 + p0 / p1 + 1) * x)).
Definition amount1 (p : nat -> R) (x : R) : R :=
  let p0 := p 0%nat in let p1 := p 1%nat in let p2 := p 2%nat in
  polynomial [(- p0 ^ 2 / (p0 + p1) ^ 2); (- p0 / (p0 + p1))] x * exp (- ((1 + p1 / p0) * x)) + polynomial [(- p2 ^ 2 / (p1 + p2) ^ 2); (- p2 / (p1 + p2))] x * exp (- ((p1 / p2 + 1) * x)) + polynomial [(p0 ^ 2 * p2 ^ 2 / (p0 * p1 + p0 * p2 + p1 * p2) ^ 2); (p0 * p2 / (p0 * p1 + p0 * p2 + p1 * p2))] x * exp (- ((p1 / p2 + 1 + p1 / p0) * x)).
Definition amount2 (p : nat -> R) (x : R) : R :=
  let p0 := p 0%nat in let p1 := p 1%nat in let p2 := p 2%nat in
  polynomial [(- p0 ^ 2 / (p0 + p2) ^ 2); (- p0 / (p0 + p2))] x * exp (- ((1 + p2 / p0) * x)) + polynomial [(- p1 ^ 2 / (p1 + p2) ^ 2); (- p1 / (p1 + p2))] x * exp (- ((1 + p2 / p1) * x)) + polynomial [(p0 ^ 2 * p1 ^ 2 / (p0 * p1 + p0 * p2 + p1 * p2) ^ 2); (p0 * p1 / (p0 * p1 + p0 * p2 + p1 * p2))] x * exp (- ((1 + p2 / p1 + p2 / p0) * x)).
Lemma density_not_negative : forall label value, (label < 3)%nat -> 0 < value -> 0 <= density_of_cost label value.
Proof. intros label value Label Positive. each_class label; cbv [density_of_cost]; see. Qed.
Theorem lawful0 : is_law_of_cost (chance_below 0) (density_of_cost 0).
Proof. lawful_by ltac:(cbv [chance_below density_of_cost]) (fun x => polynomial [(- 1)] x * exp (- ((1) * x))). Qed.
Theorem lawful1 : is_law_of_cost (chance_below 1) (density_of_cost 1).
Proof. lawful_by ltac:(cbv [chance_below density_of_cost]) (fun x => polynomial [(- 1)] x * exp (- ((1) * x))). Qed.
Theorem lawful2 : is_law_of_cost (chance_below 2) (density_of_cost 2).
Proof. lawful_by ltac:(cbv [chance_below density_of_cost]) (fun x => polynomial [(- 1)] x * exp (- ((1) * x))). Qed.
Theorem expected_cost0 : forall p, positive_forecast 3 p -> costs_of_class 3 1 chance_below density_of_cost 0 p (L 0 p).
Proof. expected_by ltac:(cbv [chance_of_another product_over Nat.eqb chance_below density_of_cost L loss0 amount0]) amount0. Qed.
Theorem expected_cost1 : forall p, positive_forecast 3 p -> costs_of_class 3 1 chance_below density_of_cost 1 p (L 1 p).
Proof. expected_by ltac:(cbv [chance_of_another product_over Nat.eqb chance_below density_of_cost L loss1 amount1]) amount1. Qed.
Theorem expected_cost2 : forall p, positive_forecast 3 p -> costs_of_class 3 1 chance_below density_of_cost 2 p (L 2 p).
Proof. expected_by ltac:(cbv [chance_of_another product_over Nat.eqb chance_below density_of_cost L loss2 amount2]) amount2. Qed.
Theorem lawful_costs : forall label, (label < 3)%nat -> is_chance (chance_below label) (density_of_cost label).
Proof.
  intros label Label. apply law_of_cost_is_chance; [| intros value Positive; each_class label; cbv [density_of_cost]; smooth].
  each_class label; [exact lawful0 | exact lawful1 | exact lawful2].
Qed.
Theorem decisions_cost label report : (label < 3)%nat -> positive_forecast 3 report ->
  paid_on_average 3 1 density_of_cost label report (L label report).
Proof. intros Label Report. apply (paid_as_by_chances 3 1 chance_below density_of_cost lawful_costs label report Label Report). each_class label; [exact (expected_cost0 report Report) | exact (expected_cost1 report Report) | exact (expected_cost2 report Report)]. Qed.
Theorem costs_are_proper E :
  (forall label report, (label < 3)%nat -> positive_forecast 3 report -> expected_of 3 1 density_of_cost (seq 0 3) label report (E label report)) ->
  forall p q, positive_forecast 3 p -> positive_forecast 3 q -> risk_under 3 E q q <= risk_under 3 E p q.
Proof. apply (densities_of_classes_are_proper 3 1 density_of_cost E); [see | exact density_not_negative]. Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful0, @Rule.rule.lawful1, @Rule.rule.lawful2,
   @Rule.rule.expected_cost0, @Rule.rule.expected_cost1, @Rule.rule.expected_cost2, @Rule.rule.lawful_costs,
   @Rule.rule.decisions_cost, @Rule.rule.costs_are_proper).
Print Assumptions final_theorems.
