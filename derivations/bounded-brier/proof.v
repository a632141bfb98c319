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
Variables h l : R.
Hypothesis given1 : 0 < h.
Hypothesis given2 : 0 < l.
Hypothesis given3 : l < h.
Hypothesis given4 : h < 1.
Example possible : exists h l : R, 0 < h /\ 0 < l /\ l < h /\ h < 1.
Proof. exists (7 / 10), (1 / 2); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => 2 - h - l)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p - l) * (l + p) / (h - l))
  (fun p => (p - h) * (h + p - 2) / (h - l))
  (fun p => 2 / (h - l)).
Definition piece3 : piece := Piece
  (fun p => h + l)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p l then 0 else
  if Rle_dec p h then (p - l) * (l + p) / (h - l) else
  h + l.
Definition L1 (p : R) : R :=
  if Rle_dec p l then 2 - h - l else
  if Rle_dec p h then (p - h) * (h + p - 2) / (h - l) else
  0.

Lemma order1 :
  0 <= l.
Proof.
  apply (below_by (l)); [field; see | see].
Qed.
Lemma order2 :
  l <= h.
Proof.
  apply (below_by (h - l)); [field; see | see].
Qed.
Lemma order3 :
  h <= 1.
Proof.
  apply (below_by (1 - h)); [field; see | see].
Qed.
Lemma slopes1 :
  slopes 0 l piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes l h piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes3 :
  slopes h 1 piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins l piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma join2 :
  joins h piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 l piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive l h piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (2 / (h - l))); [algebra | see].
Qed.
Lemma sign3 :
  not_negative h 1 piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [(l, piece2); (h, piece3)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 slopes3))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [(l, piece2); (h, piece3)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign3)))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn l h L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  refine (strictly_proper_rule l h piece1 [(l, piece2); (h, piece3)] _ _ joined_pieces (conj _ (conj _ _))); [lra | lra | ..].
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
