(* Written by costderive 0.1.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms.

Module Rule.

Module rule.
Section Case.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => 1)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => 1)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 2) then 0 else
  1.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 2) then 1 else
  0.

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
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (1 / 2) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  jumps (1 / 2) 2 piece1 piece2.
Proof.
  split; [apply (not_negative_as (2)); [algebra | see] |].
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (1 / 2) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  not_negative (1 / 2) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  jumping_chain 0 piece1 [((1 / 2), piece2)] [2].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule_with_atoms piece1 [((1 / 2), piece2)] [2] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign2))).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper).
Print Assumptions final_theorems.
