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
  (fun p => 3 * p ^ 2 / (4 * (1 - p) ^ 2))
  (fun p => 3 * (1 - 2 * p) / (2 * (1 - p)))
  (fun p => 3 / (2 * (1 - p) ^ 3)).
Definition piece2 : piece := Piece
  (fun p => (13 * p - 4) / (9 * p))
  (fun p => 2 * (1 - p) ^ 2 / (9 * p ^ 2))
  (fun p => 4 / (9 * p ^ 3)).
Definition L0 (p : R) : R :=
  if Rle_dec p (2 / 5) then 3 * p ^ 2 / (4 * (1 - p) ^ 2) else
  (13 * p - 4) / (9 * p).
Definition L1 (p : R) : R :=
  if Rle_dec p (2 / 5) then 3 * (1 - 2 * p) / (2 * (1 - p)) else
  2 * (1 - p) ^ 2 / (9 * p ^ 2).

Lemma order1 :
  0 <= (2 / 5).
Proof.
  lra.
Qed.
Lemma order2 :
  (2 / 5) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (2 / 5) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (2 / 5) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (2 / 5) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma sign1 :
  positive 0 (2 / 5) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (positive_as (3 / (2 * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign2 :
  positive (2 / 5) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (4 / (9 * p ^ 3))); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((2 / 5), piece2)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((2 / 5), piece2)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)))).
Qed.
Theorem strictly_proper :
  StrictlyProper L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  refine (strictly_proper_rule 0 1 piece1 [((2 / 5), piece2)] _ _ joined_pieces (conj _ _)); [lra | lra | ..].
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
