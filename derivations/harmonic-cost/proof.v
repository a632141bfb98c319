(* Written by costderive 0.1.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness.

Module Rule.

Module rule.
Section Case.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => ln 2 / 9 + ln 5 / 9 + 1 / 2)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (5 - 3 * p) * (3 * p - 1) / (72 * (1 - p) ^ 2))
  (fun p => ln (1 - p) / 9 + ln 5 / 9 + (5 - 6 * p) / (9 * (1 - p)) - ln p / 9)
  (fun p => - 1 / (9 * p * (p - 1) ^ 3)).
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

Lemma order1 :
  0 <= (1 / 3).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 3) <= (5 / 6).
Proof.
  lra.
Qed.
Lemma order3 :
  (5 / 6) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 3) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (2); factored (5))].
Qed.
Lemma slopes2 :
  slopes (1 / 3) (5 / 6) piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (p); factored (5); factored (1 - p))].
Qed.
Lemma slopes3 :
  slopes (5 / 6) 1 piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (1 / 3) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra_by ltac:(factored (2); factored (5); factored (1 / 3); factored (2 / 3)).
Qed.
Lemma join2 :
  joins (5 / 6) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra_by ltac:(factored (5 / (2 * 3)); factored (5); factored (1 / (2 * 3))).
Qed.
Lemma sign1 :
  not_negative 0 (1 / 3) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 3) (5 / 6) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (1 / (9 * p * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign3 :
  not_negative (5 / 6) 1 piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((1 / 3), piece2); ((5 / 6), piece3)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 slopes3))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 3), piece2); ((5 / 6), piece3)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign3)))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn (1 / 3) (5 / 6) L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  refine (strictly_proper_rule (1 / 3) (5 / 6) piece1 [((1 / 3), piece2); ((5 / 6), piece3)] _ _ joined_pieces (conj _ (conj _ _))); [lra | lra | ..].
  - apply weighs_if_outside; [lra | exact sign1].
  - exact (weighs_if_positive _ _ _ _ _ sign2).
  - apply weighs_if_outside; [lra | exact sign3].
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper,
   @Rule.rule.strictly_proper).
Print Assumptions final_theorems.
