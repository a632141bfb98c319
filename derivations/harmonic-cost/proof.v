(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints ExpectedLoss.

Module Rule.

(* Left out: expected costs along arcs, total along arcs, reports 0 and 1 along arcs. *)

Module rule.
Section Case.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => ln 2 / 9 + ln 5 / 9 + 1 / 2)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (5 - 3 * p) * (3 * p - 1) / (72 * (1 - p) ^ 2))
  (fun p => ln (1 - p) / 9 + ln 5 / 9 + (5 - 6 * p) / (9 * (1 - p)) - ln p / 9)
  (fun p => 1 / (9 * p * (1 - p) ^ 3)).
Definition piece3 : piece := Piece
  (fun p => 15 / 8)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 3) then 0 else
  if Rle_dec p (5 / 6) then (5 - 3 * p) * (3 * p - 1) / (72 * (1 - p) ^ 2) else
  15 / 8.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 3) then ln 2 / 9 + ln 5 / 9 + 1 / 2 else
  if Rle_dec p (5 / 6) then ln (1 - p) / 9 + ln 5 / 9 + (5 - 6 * p) / (9 * (1 - p)) - ln p / 9 else
  0.

Lemma order1 : 0 <= (1 / 3).
Proof. lra. Qed.
Lemma order2 : (1 / 3) <= (5 / 6).
Proof. lra. Qed.
Lemma order3 : (5 / 6) <= 1.
Proof. lra. Qed.
Lemma slopes1 : slopes 0 (1 / 3) piece1.
Proof. slopes_of piece1; (auto_derive; [see | algebra_by ltac:(factored (2); factored (5))]). Qed.
Lemma slopes2 : slopes (1 / 3) (5 / 6) piece2.
Proof. slopes_of piece2; (auto_derive; [see | algebra_by ltac:(factored (p); factored (5); factored (1 - p))]). Qed.
Lemma slopes3 : slopes (5 / 6) 1 piece3.
Proof. slopes_of piece3; (auto_derive; [see | algebra]). Qed.
Lemma join1 : joins (1 / 3) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra_by ltac:(factored (2); factored (5); factored (1 / 3); factored (2 / 3)).
Qed.
Lemma join2 : joins (5 / 6) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra_by ltac:(factored (5 / (2 * 3)); factored (5); factored (1 / (2 * 3))).
Qed.
Lemma sign1 : not_negative 0 (1 / 3) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 : positive (1 / 3) (5 / 6) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (1 / (9 * p * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign3 : not_negative (5 / 6) 1 piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces : chain 0 piece1 [((1 / 3), piece2); ((5 / 6), piece3)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 slopes3))))))).
Qed.
Theorem proper : Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 3), piece2); ((5 / 6), piece3)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign3)))).
Qed.
Theorem strictly_proper : StrictlyProperOn (1 / 3) (5 / 6) L0 L1.
Proof.
  pose proof order1. pose proof order2. pose proof order3.
  refine (strictly_proper_rule (1 / 3) (5 / 6) piece1 [((1 / 3), piece2); ((5 / 6), piece3)] _ _ joined_pieces (conj _ (conj _ _))); [lra | lra | ..].
  - apply weighs_if_outside; [lra | exact sign1].
  - exact (weighs_if_positive _ _ _ _ _ sign2).
  - apply weighs_if_outside; [lra | exact sign3].
Qed.
Lemma loss0_starts : tends_at_0 L0 0.
Proof.
  pose proof order1. pose proof order2. pose proof order3. assert (near : 0 < (1 / 3)) by (apply (strictly_below_by (1 / 3)); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 (1 / 3));
    [exact near | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece1]; smooth | cbn [loss0 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_ends : tends_at_1 L1 0.
Proof.
  pose proof order1. pose proof order2. pose proof order3. assert (near : (5 / 6) < 1) by (apply (strictly_below_by (1 / 6)); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece3) (5 / 6) 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece3]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece3]; smooth | cbn [loss1 piece3]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends : tends_at_1 L0 (15 / 8).
Proof.
  pose proof order1. pose proof order2. pose proof order3. assert (near : (5 / 6) < 1) by (apply (strictly_below_by (1 / 6)); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece3) (5 / 6) 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece3]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece3]; smooth | cbn [loss0 piece3]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts : tends_at_0 L1 (ln 2 / 9 + ln 5 / 9 + 1 / 2).
Proof.
  pose proof order1. pose proof order2. pose proof order3. assert (near : 0 < (1 / 3)) by (apply (strictly_below_by (1 / 3)); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 (1 / 3));
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece1]; smooth | cbn [loss1 piece1]; evaluated ltac:(factored (2); factored (5))].
Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (15 / 8)) (extended L1 (ln 2 / 9 + ln 5 / 9 + 1 / 2) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Lemma steady1 p : 0 <= p <= (1 / 3) -> 0 < p < 1 -> continuous (weight piece1) p.
Proof. intros Within Unit. unfold Rpower; cbn [weight piece1]. smooth. Qed.
Lemma steady2 p : (1 / 3) <= p <= (5 / 6) -> 0 < p < 1 -> continuous (weight piece2) p.
Proof. intros Within Unit. unfold Rpower; cbn [weight piece2]. smooth. Qed.
Lemma steady3 p : (5 / 6) <= p -> 0 < p < 1 -> continuous (weight piece3) p.
Proof. intros Within Unit. assert (p <= 1) by lra. unfold Rpower; cbn [weight piece3]. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 3), piece2); ((5 / 6), piece3)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [((1 / 3), piece2); ((5 / 6), piece3)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign3))) (conj steady1 (conj steady2 steady3)) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
