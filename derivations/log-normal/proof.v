(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness.

Module Rule.

(* Left out: endpoints, expected loss, expected costs over areas, total over areas, reports 0 and 1 over areas. *)

Module rule.
Definition assumed (the_mu the_nu the_sigma the_tau : R) : Prop := 0 < the_mu /\ 0 < the_nu /\ 0 < the_sigma /\ 0 < the_tau.
Example possible : exists the_mu the_nu the_sigma the_tau : R, assumed the_mu the_nu the_sigma the_tau.
Proof. exists (41 / 7), (5), (16 / 9), (25 / 8); unfold assumed; lra. Qed.
Section Case.
Variables the_mu the_nu the_sigma the_tau : R.
Hypothesis given : assumed the_mu the_nu the_sigma the_tau.
Let given1 : 0 < the_mu := proj1 given.
Let given2 : 0 < the_nu := proj1 (proj2 given).
Let given3 : 0 < the_sigma := proj1 (proj2 (proj2 given)).
Let given4 : 0 < the_tau := (proj2 (proj2 (proj2 given))).

Definition piece1 : piece := Piece
  (fun p => (1 - erf (sqrt 2 * (the_mu + the_sigma ^ 2 - the_nu) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)))) * exp (the_mu + the_sigma ^ 2 / 2) / 2)
  (fun p => (erf (sqrt 2 * (the_mu - the_nu - the_tau ^ 2) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) + 1) * exp (the_nu + the_tau ^ 2 / 2) / 2)
  (fun p => sqrt 2 * exp ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) / (2 * sqrt PI * p * (1 - p) ^ 2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))).
Definition L0 (p : R) : R :=
  (1 - erf (sqrt 2 * (the_mu + the_sigma ^ 2 - the_nu) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)))) * exp (the_mu + the_sigma ^ 2 / 2) / 2.
Definition L1 (p : R) : R :=
  (erf (sqrt 2 * (the_mu - the_nu - the_tau ^ 2) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) + 1) * exp (the_nu + the_tau ^ 2 / 2) / 2.

Lemma order1 : 0 <= 1.
Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1.
Proof.
  slopes_of piece1.
  all: assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  all: auto_derive; [see | algebra_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p)); related ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) (p / (exp (the_mu + the_sigma ^ 2 / 2) * (1 - p))); related ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) (1 / exp (the_nu + the_tau ^ 2 / 2)))].
Qed.
Lemma sign1 : positive 0 1 piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  apply (positive_as (sqrt 2 * exp ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) / (2 * sqrt PI * sqrt (the_sigma ^ 2 + the_tau ^ 2) * p * (1 - p) ^ 2))); [algebra_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p))) | see].
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
