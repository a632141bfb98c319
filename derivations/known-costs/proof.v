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
Variables c d : R.
Hypothesis given1 : 0 < c.
Hypothesis given2 : 0 < d.
Example possible : exists c d : R, 0 < c /\ 0 < d.
Proof. exists (41 / 7), (5); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => d)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => c)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (c / (c + d)) then 0 else
  c.
Definition L1 (p : R) : R :=
  if Rle_dec p (c / (c + d)) then d else
  0.

Lemma order1 :
  0 <= (c / (c + d)).
Proof.
  apply (below_by (c / (c + d))); [field; see | see].
Qed.
Lemma order2 :
  (c / (c + d)) <= 1.
Proof.
  apply (below_by (d / (c + d))); [field; see | see].
Qed.
Lemma slopes1 :
  slopes 0 (c / (c + d)) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (c / (c + d)) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  jumps (c / (c + d)) (c + d) piece1 piece2.
Proof.
  split; [apply (not_negative_as (c + d)); [algebra | see] |].
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (c / (c + d)) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  not_negative (c / (c + d)) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  jumping_chain 0 piece1 [((c / (c + d)), piece2)] [c + d].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule_with_atoms piece1 [((c / (c + d)), piece2)] [c + d] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign2))).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper).
Print Assumptions final_theorems.
