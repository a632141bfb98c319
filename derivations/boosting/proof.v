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
  (fun p => 18 * sqrt 19 / (19 * ln 19))
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => sqrt p / (sqrt (1 - p) * ln 19) - sqrt 19 / (19 * ln 19))
  (fun p => sqrt (1 - p) / (sqrt p * ln 19) - sqrt 19 / (19 * ln 19))
  (fun p => 1 / (2 * sqrt p ^ 3 * sqrt (1 - p) ^ 3 * ln 19)).
Definition piece3 : piece := Piece
  (fun p => 18 * sqrt 19 / (19 * ln 19))
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 20) then 0 else
  if Rle_dec p (19 / 20) then sqrt p / (sqrt (1 - p) * ln 19) - sqrt 19 / (19 * ln 19) else
  18 * sqrt 19 / (19 * ln 19).
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 20) then 18 * sqrt 19 / (19 * ln 19) else
  if Rle_dec p (19 / 20) then sqrt (1 - p) / (sqrt p * ln 19) - sqrt 19 / (19 * ln 19) else
  0.

Lemma order1 :
  0 <= (1 / 20).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 20) <= (19 / 20).
Proof.
  lra.
Qed.
Lemma order3 :
  (19 / 20) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 20) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (19))].
Qed.
Lemma slopes2 :
  slopes (1 / 20) (19 / 20) piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (19); factored (p); factored (1 - p))].
Qed.
Lemma slopes3 :
  slopes (19 / 20) 1 piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra_by ltac:(factored (19))].
Qed.
Lemma join1 :
  joins (1 / 20) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra_by ltac:(factored (19); factored (1 / (2 ^ 2 * 5)); factored (19 / (2 ^ 2 * 5))).
Qed.
Lemma join2 :
  joins (19 / 20) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra_by ltac:(factored (19); factored (19 / (2 ^ 2 * 5)); factored (1 / (2 ^ 2 * 5))).
Qed.
Lemma sign1 :
  not_negative 0 (1 / 20) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 20) (19 / 20) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (1 / (2 * ln 19 * sqrt p ^ 3 * sqrt (1 - p) ^ 3))); [algebra_by ltac:(factored (p); factored (1 - p); factored (19)) | see].
Qed.
Lemma sign3 :
  not_negative (19 / 20) 1 piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((1 / 20), piece2); ((19 / 20), piece3)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 slopes3))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 20), piece2); ((19 / 20), piece3)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign3)))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn (1 / 20) (19 / 20) L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  refine (strictly_proper_rule (1 / 20) (19 / 20) piece1 [((1 / 20), piece2); ((19 / 20), piece3)] _ _ joined_pieces (conj _ (conj _ _))); [lra | lra | ..].
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
