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
  (fun p => - p - ln (1 - p))
  (fun p => ln 2 - p)
  (fun p => / (1 - p)).
Definition piece2 : piece := Piece
  (fun p => p + ln 2 - 1)
  (fun p => p - ln p - 1)
  (fun p => / p).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 2) then - p - ln (1 - p) else
  p + ln 2 - 1.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 2) then ln 2 - p else
  p - ln p - 1.

Lemma order1 :
  0 <= (1 / 2).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 2) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 2) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (1 - p); factored (2))].
Qed.
Lemma slopes2 :
  slopes (1 / 2) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (2); factored (p))].
Qed.
Lemma join1 :
  joins (1 / 2) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra_by ltac:(factored (1 / 2); factored (2)).
Qed.
Lemma sign1 :
  positive 0 (1 / 2) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (positive_as (1 / (1 - p))); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 2) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (1 / p)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((1 / 2), piece2)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 2), piece2)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)))).
Qed.
Theorem strictly_proper :
  StrictlyProper L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  refine (strictly_proper_rule 0 1 piece1 [((1 / 2), piece2)] _ _ joined_pieces (conj _ _)); [lra | lra | ..].
  - exact (weighs_if_positive _ _ _ _ _ sign1).
  - exact (weighs_if_positive _ _ _ _ _ sign2).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper,
   @Rule.rule.strictly_proper).
Print Assumptions final_theorems.
