(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness.

Module Rule.

(* Left out: endpoints, expected loss, expected costs, total. *)

Module rule.
Section Case.

Definition piece1 : piece := Piece
  (fun p => sqrt 2 * (arcsinh (p / (1 - p)) / 2 - sqrt (p ^ 2 + (1 - p) ^ 2) / 2 - sqrt 2 * arcsinh (2 * p - 1) / 4) + sqrt 2 / 2 - ln (1 + sqrt 2) / 2)
  (fun p => sqrt 2 * (arcsinh ((1 - p) / p) / 2 + sqrt 2 * arcsinh (2 * p - 1) / 4 - sqrt (p ^ 2 + (1 - p) ^ 2) / 2) + sqrt 2 / 2 - ln (1 + sqrt 2) / 2)
  (fun p => sqrt 2 * sqrt (/ (1 - p) ^ 2 + / p ^ 2) / 2).
Definition L0 (p : R) : R :=
  sqrt 2 * (arcsinh (p / (1 - p)) / 2 - sqrt (p ^ 2 + (1 - p) ^ 2) / 2 - sqrt 2 * arcsinh (2 * p - 1) / 4) + sqrt 2 / 2 - ln (1 + sqrt 2) / 2.
Definition L1 (p : R) : R :=
  sqrt 2 * (arcsinh ((1 - p) / p) / 2 + sqrt 2 * arcsinh (2 * p - 1) / 4 - sqrt (p ^ 2 + (1 - p) ^ 2) / 2) + sqrt 2 / 2 - ln (1 + sqrt 2) / 2.

Lemma order1 : 0 <= 1.
Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1.
Proof.
  slopes_of piece1.
  all: assert (positive1 : 0 < 2 * p ^ 2 + 1 - 2 * p) by (apply (positive_as (p ^ 2 + (1 - p) ^ 2)); [field; see | see]).
  all: auto_derive; [see | algebra_by ltac:(factored (2); factored ((2 * p ^ 2 + 1 - 2 * p) / (1 - p) ^ 2); factored (2 * p ^ 2 + 1 - 2 * p); factored (2 * (2 * p ^ 2 + 1 - 2 * p)); factored ((2 * p ^ 2 + 1 - 2 * p) / p ^ 2); factored ((2 * p ^ 2 + 1 - 2 * p) / ((1 - p) ^ 2 * p ^ 2)))].
Qed.
Lemma sign1 : positive 0 1 piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  assert (positive1 : 0 < 2 * p ^ 2 + 1 - 2 * p) by (apply (positive_as (p ^ 2 + (1 - p) ^ 2)); [field; see | see]).
  apply (positive_as (sqrt 2 * sqrt (/ (1 - p) ^ 2 + / p ^ 2) / 2)); [algebra_by ltac:(factored (2); factored ((2 * p ^ 2 + 1 - 2 * p) / ((1 - p) ^ 2 * p ^ 2))) | see].
Qed.
Lemma joined_pieces : chain 0 piece1 [].
Proof. exact (conj order1 slopes1). Qed.
Theorem proper : Proper L0 L1.
Proof.
  exact (proper_rule piece1 [] joined_pieces (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1))).
Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof.
  pose proof order1.
  refine (strictly_proper_rule 0 1 piece1 [] _ _ joined_pieces _); [lra | lra | ..].
  - exact (weighs_if_positive _ _ _ _ _ sign1).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper).
Print Assumptions final_theorems.
