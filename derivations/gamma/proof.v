(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete ExpectedLoss.

Module Rule.

(* Left out: expected costs over areas, total over areas, reports 0 and 1 over areas. *)

Module rule.
Definition assumed (a b the_theta : R) : Prop := 0 < a /\ 0 < b /\ 0 < the_theta.
Example possible : exists a b the_theta : R, assumed a b the_theta.
Proof. exists (41 / 7), (5), (16 / 9); unfold assumed; lra. Qed.
Section Case.
Variables a b the_theta : R.
Hypothesis given : assumed a b the_theta.
Let given1 : 0 < a := proj1 given.
Let given2 : 0 < b := proj1 (proj2 given).
Let given3 : 0 < the_theta := (proj2 (proj2 given)).

Definition piece1 : piece := Piece
  (fun p => the_theta * incomplete_beta (a + 1) b p * Gamma (a + b + 1) / (Gamma a * Gamma b))
  (fun p => the_theta * incomplete_beta (b + 1) a (1 - p) * Gamma (a + b + 1) / (Gamma a * Gamma b))
  (fun p => Rpower p (a - 1) * the_theta * Rpower (1 - p) (b - 1) * Gamma (a + b + 1) / (Gamma a * Gamma b)).
Definition L0 (p : R) : R :=
  the_theta * incomplete_beta (a + 1) b p * Gamma (a + b + 1) / (Gamma a * Gamma b).
Definition L1 (p : R) : R :=
  the_theta * incomplete_beta (b + 1) a (1 - p) * Gamma (a + b + 1) / (Gamma a * Gamma b).

Lemma order1 : 0 <= 1.
Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1.
Proof.
  slopes_of piece1; (auto_derive; [see | algebra_by ltac:(factored (p); factored (1 - p); powered (exp (a * ln p) / p); powered (exp (b * ln (1 - p)) / (1 - p)); powered (exp (a * ln p)); powered (exp (b * ln (1 - p))))]).
Qed.
Lemma sign1 : positive 0 1 piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (positive_as (Rpower p (a - 1) * Rpower (1 - p) (b - 1) * Gamma (a + b + 1) * the_theta / (Gamma a * Gamma b))); [algebra_by ltac:(factored (p); factored (1 - p); powered (exp (a * ln p) / p); powered (exp (b * ln (1 - p)) / (1 - p))) | see].
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
Lemma loss0_starts : tends_at_0 L0 0.
Proof.
  pose proof order1. assert (near : 0 < 1) by (apply (strictly_below_by (1)); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity
    | cbn [loss0 piece1]; unfold Rpower; smooth | cbn [loss0 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_ends : tends_at_1 L1 0.
Proof.
  pose proof order1. assert (near : 0 < 1) by (apply (strictly_below_by (1)); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece1) 0 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | cbn [loss1 piece1]; unfold Rpower; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends : tends_at_1 L0 (the_theta * beta (a + 1) b * Gamma (a + b + 1) / (Gamma a * Gamma b)).
Proof.
  pose proof order1. assert (near : 0 < 1) by (apply (strictly_below_by (1)); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece1) 0 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity
    | cbn [loss0 piece1]; unfold Rpower; smooth | cbn [loss0 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts : tends_at_0 L1 (the_theta * beta (b + 1) a * Gamma (a + b + 1) / (Gamma a * Gamma b)).
Proof.
  pose proof order1. assert (near : 0 < 1) by (apply (strictly_below_by (1)); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | cbn [loss1 piece1]; unfold Rpower; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (the_theta * beta (a + 1) b * Gamma (a + b + 1) / (Gamma a * Gamma b))) (extended L1 (the_theta * beta (b + 1) a * Gamma (a + b + 1) / (Gamma a * Gamma b)) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Theorem strictly_proper_with_ends :
  StrictlyProperAmong with_ends (extended L0 0 (the_theta * beta (a + 1) b * Gamma (a + b + 1) / (Gamma a * Gamma b))) (extended L1 (the_theta * beta (b + 1) a * Gamma (a + b + 1) / (Gamma a * Gamma b)) 0).
Proof.
  apply (strictly_proper_among with_ends); [apply all_with_ends | apply all_with_ends | | exact proper_with_ends].
  apply extended_strictly_proper, strictly_proper.
Qed.
Lemma steady1 p : 0 <= p -> 0 < p < 1 -> continuous (weight piece1) p.
Proof. intros Within Unit. assert (p <= 1) by lra. cbn [weight piece1]; unfold Rpower. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [] joined_pieces (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) steady1 loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.proper_with_ends,
   @Rule.rule.strictly_proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
