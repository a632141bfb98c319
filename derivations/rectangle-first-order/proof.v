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
  (fun p => 5 / 2)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2))
  (fun p => (69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p)))
  (fun p => 3 / (1 - p) ^ 3 - 1 / (9 * p ^ 3)).
Definition piece3 : piece := Piece
  (fun p => (16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2))
  (fun p => (30 - 49 * p) / (9 * (1 - p)))
  (fun p => 19 / (9 * (1 - p) ^ 3)).
Definition piece4 : piece := Piece
  (fun p => (261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2))
  (fun p => 8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p)))
  (fun p => 64 / (9 * p ^ 3) - 8 / (9 * (1 - p) ^ 3)).
Definition piece5 : piece := Piece
  (fun p => 5 / 2)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 4) then 0 else
  if Rle_dec p (1 / 3) then (p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2) else
  if Rle_dec p (4 / 7) then (16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2) else
  if Rle_dec p (2 / 3) then (261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2) else
  5 / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 4) then 5 / 2 else
  if Rle_dec p (1 / 3) then (69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p)) else
  if Rle_dec p (4 / 7) then (30 - 49 * p) / (9 * (1 - p)) else
  if Rle_dec p (2 / 3) then 8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p)) else
  0.

Lemma order1 :
  0 <= (1 / 4).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 4) <= (1 / 3).
Proof.
  lra.
Qed.
Lemma order3 :
  (1 / 3) <= (4 / 7).
Proof.
  lra.
Qed.
Lemma order4 :
  (4 / 7) <= (2 / 3).
Proof.
  lra.
Qed.
Lemma order5 :
  (2 / 3) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 4) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (1 / 4) (1 / 3) piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes3 :
  slopes (1 / 3) (4 / 7) piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes4 :
  slopes (4 / 7) (2 / 3) piece4.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece4]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes5 :
  slopes (2 / 3) 1 piece5.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece5]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (1 / 4) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma join2 :
  joins (1 / 3) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra.
Qed.
Lemma join3 :
  joins (4 / 7) piece3 piece4.
Proof.
  split; cbn [loss0 loss1 piece3 piece4]; algebra.
Qed.
Lemma join4 :
  joins (2 / 3) piece4 piece5.
Proof.
  split; cbn [loss0 loss1 piece4 piece5]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (1 / 4) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 4) (1 / 3) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (((4 * (4 * p - 1)) / 4) * (7 * p ^ 2 + p + 1) / (9 * (1 - p) ^ 3 * p ^ 3))); [algebra | see].
Qed.
Lemma sign3 :
  positive (1 / 3) (4 / 7) piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (positive_as (19 / (9 * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign4 :
  positive (4 / 7) (2 / 3) piece4.
Proof.
  intros p Within Unit; cbn [weight piece4].
  apply (positive_as (8 * ((3 * (2 - 3 * p)) / 3) * (3 * (1 - p) ^ 2 + 1) / (9 * (1 - p) ^ 3 * p ^ 3))); [algebra | see].
Qed.
Lemma sign5 :
  not_negative (2 / 3) 1 piece5.
Proof.
  intros p Within Unit; cbn [weight piece5].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5)))))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn (1 / 4) (2 / 3) L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  refine (strictly_proper_rule (1 / 4) (2 / 3) piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)] _ _ joined_pieces (conj _ (conj _ (conj _ (conj _ _))))); [lra | lra | ..].
  - apply weighs_if_outside; [lra | exact sign1].
  - exact (weighs_if_positive _ _ _ _ _ sign2).
  - exact (weighs_if_positive _ _ _ _ _ sign3).
  - exact (weighs_if_positive _ _ _ _ _ sign4).
  - apply weighs_if_outside; [lra | exact sign5].
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper,
   @Rule.rule.strictly_proper).
Print Assumptions final_theorems.
