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
Variables w : R.
Hypothesis given1 : 0 < w.
Hypothesis given2 : 0 < w.
Hypothesis given3 : w < 1.
Example possible : exists w : R, 0 < w /\ 0 < w /\ w < 1.
Proof. exists (1 / 3); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => p ^ 2 * w)
  (fun p => w * (1 - p) ^ 2 + 4 - 4 * w)
  (fun p => 2 * w).
Definition piece2 : piece := Piece
  (fun p => p ^ 2 * w + 1 - w)
  (fun p => w * (1 - p) ^ 2)
  (fun p => 2 * w).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 5) then p ^ 2 * w else
  p ^ 2 * w + 1 - w.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 5) then w * (1 - p) ^ 2 + 4 - 4 * w else
  w * (1 - p) ^ 2.

Lemma order1 :
  0 <= (1 / 5).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 5) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 5) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (1 / 5) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  jumps (1 / 5) (5 - 5 * w) piece1 piece2.
Proof.
  split; [apply (not_negative_as (5 * (1 - w))); [algebra | see] |].
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma sign1 :
  positive 0 (1 / 5) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (positive_as (2 * w)); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 5) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (2 * w)); [algebra | see].
Qed.
Lemma joined_pieces :
  jumping_chain 0 piece1 [((1 / 5), piece2)] [5 - 5 * w].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule_with_atoms piece1 [((1 / 5), piece2)] [5 - 5 * w] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)))).
Qed.
Theorem strictly_proper :
  StrictlyProper L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  refine (strictly_proper_rule_with_atoms 0 1 piece1 [((1 / 5), piece2)] [5 - 5 * w] _ _ joined_pieces (conj _ _)); [lra | lra | ..].
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
