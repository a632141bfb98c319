(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete BetaGamma Atoms ExpectedLoss Costs Tails Areas Spread Strips Cuts ClosedForms Arcs Normal LogNormal Independent Bells Far Moments Families GammaPairs.

Module Rule.

Module rule.
Definition assumed (a b the_theta : R) : Prop := 0 < a /\ 0 < b /\ 0 < the_theta.
Example possible : exists a b the_theta : R, assumed a b the_theta.
Proof. exists (41 / 7), (5), (16 / 9); unfold assumed; lra. Qed.
Section Case.
Variables a b the_theta : R.
Hypothesis given : assumed a b the_theta.
Let given1 : 0 < a := proj1 given. Let given2 : 0 < b := proj1 (proj2 given). Let given3 : 0 < the_theta := (proj2 (proj2 given)).

Definition piece1 : piece := Piece (fun p => the_theta * incomplete_beta (a + 1) b p * Gamma (a + b + 1) / (Gamma a * Gamma b))
  (fun p => the_theta * incomplete_beta (b + 1) a (1 - p) * Gamma (a + b + 1) / (Gamma a * Gamma b))
  (fun p => Rpower p (a - 1) * the_theta * Rpower (1 - p) (b - 1) * Gamma (a + b + 1) / (Gamma a * Gamma b)).
Definition L0 (p : R) : R :=
  the_theta * incomplete_beta (a + 1) b p * Gamma (a + b + 1) / (Gamma a * Gamma b).
Definition L1 (p : R) : R :=
  the_theta * incomplete_beta (b + 1) a (1 - p) * Gamma (a + b + 1) / (Gamma a * Gamma b).

Lemma order1 : 0 <= 1. Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1.
Proof. slopes_of piece1; (auto_derive; [see | algebra_by ltac:(factored (p); factored (1 - p); powered (exp (a * ln p) / p); powered (exp (b * ln (1 - p)) / (1 - p)); powered (exp (a * ln p)); powered (exp (b * ln (1 - p))))]). Qed.
Lemma sign1 : positive 0 1 piece1.
Proof. weight_of piece1; apply (positive_as (Rpower p (a - 1) * Rpower (1 - p) (b - 1) * Gamma (a + b + 1) * the_theta / (Gamma a * Gamma b))); [algebra_by ltac:(factored (p); factored (1 - p); powered (exp (a * ln p) / p); powered (exp (b * ln (1 - p)) / (1 - p))) | see]. Qed.
Lemma joined_pieces : chain 0 piece1 []. Proof. exact (conj order1 slopes1). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 []. Proof. each_weight; [weighs_by sign1]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof. pose proof order1. refine (strictly_proper_rule 0 1 _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1]]. Qed.
Definition density0 (x : R) : R := Rpower the_theta (- a) * Rpower x a * exp (- x / the_theta) / (x * Gamma a).
Definition density1 (x : R) : R := Rpower the_theta (- b) * Rpower x b * exp (- x / the_theta) / (x * Gamma b).
Definition areas : list area := [independent density0 density1].
Lemma density0_is x : 0 < x -> density0 x = stretched a 1 (/ the_theta) x.
Proof. intros Positive. unfold density0, stretched. replace (exp (- x / the_theta)) with (exp (- ((/ the_theta) * Rpower x 1))) by (apply f_equal; transitivity (- (x / the_theta)); [apply f_equal; symmetry; by_logarithms | field; see]). by_logarithms. Qed.
Lemma law0 :
  law_of_one density0 (stretched_tail a 1 (/ the_theta)) (stretched_mean_below a 1 (/ the_theta)) 0 (stretched_mean a 1 (/ the_theta)).
Proof. apply law_of_stretched; [see | see | see | exact density0_is]. Qed.
Lemma dense0 x : 0 < x -> 0 < density0 x /\ continuous density0 x.
Proof. apply (stretched_is_dense 1) with (q := a) (r := (/ the_theta)); [see | see | see | exact density0_is]. Qed.
Lemma density1_is x : 0 < x -> density1 x = stretched b 1 (/ the_theta) x.
Proof. intros Positive. unfold density1, stretched. replace (exp (- x / the_theta)) with (exp (- ((/ the_theta) * Rpower x 1))) by (apply f_equal; transitivity (- (x / the_theta)); [apply f_equal; symmetry; by_logarithms | field; see]). by_logarithms. Qed.
Lemma law1 :
  law_of_one density1 (stretched_tail b 1 (/ the_theta)) (stretched_mean_below b 1 (/ the_theta)) 0 (stretched_mean b 1 (/ the_theta)).
Proof. apply law_of_stretched; [see | see | see | exact density1_is]. Qed.
Lemma dense1 x : 0 < x -> 0 < density1 x /\ continuous density1 x.
Proof. apply (stretched_is_dense 1) with (q := b) (r := (/ the_theta)); [see | see | see | exact density1_is]. Qed.
Theorem lawful_costs : lawful_areas areas. Proof. exact (independent_is_lawful _ _ _ _ _ _ _ _ _ _ law0 law1). Qed.
Lemma loss0_vanishes : tends_at_0 L0 0. Proof. pose proof order1. starts_as loss0 piece1 1 (1) evaluates. Qed.
Lemma loss1_vanishes : tends_at_1 L1 0. Proof. pose proof order1. ends_as loss1 piece1 0 (1) evaluates. Qed.
Lemma weighs p : 0 < p < 1 -> weight piece1 p = pair_weight a b 1 (/ the_theta) (/ the_theta) p (1 - p).
Proof.
  intros Unit. unfold pair_weight; cbn [weight piece1].
  replace (Gamma (a + b + 1 / 1)) with (Gamma (a + b + 1)) by (f_equal; field; see).
  replace ((/ the_theta) * Rpower p 1 + (/ the_theta) * Rpower (1 - p) 1) with (/ the_theta) by (rewrite !Rpower_1 by see; field; see).
  by_logarithms.
Qed.
Lemma costs_of_piece1 p : 0 < p < 1 -> 0 < p -> p <= 1 ->
  over_areas areas (pay0 p) (loss0 piece1 p) /\ over_areas areas (pay1 p) (loss1 piece1 p).
Proof.
  intros Unit _ _. apply (pair_costs density0 density1 a b 1 (/ the_theta) (/ the_theta)); [see | see | see | see | see |
    exact density0_is | exact density1_is | exact slopes1 | exact weighs | exact loss0_vanishes |
    exact loss1_vanishes | exact Unit].
Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof. intros Unit. pose proof order1. unfold L0. branch; first [paid_by costs_of_piece1]. Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof. intros Unit. pose proof order1. unfold L1. branch; first [paid_by costs_of_piece1]. Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Lemma spread_thresholds : spread_between 0 1 areas. Proof. exact (always_spread density0 density1 dense0 dense1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn 0 1 E0 E1.
Proof. intros Costs0 Costs1. pose proof order1. apply (strictly_proper_if_spread areas); [exact lawful_costs | intros t T; apply spread_thresholds; lra | lra | lra | exact Costs0 | exact Costs1]. Qed.
Theorem total_is_1 : has_total_of_areas areas 1. Proof. exact (independent_total _ _ _ _ _ _ _ _ _ _ law0 law1). Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) (a * the_theta).
Proof.
  apply over_areas_is with (1 := independent_mean0 _ _ _ _ _ _ _ _ _ _ law0 law1).
  rewrite Rminus_0_r. unfold stretched_mean. replace (Gamma (a + 1 / 1)) with (Gamma (a + 1)) by (f_equal; field; see). next_shape (a + 1) a. by_logarithms.
Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) (b * the_theta).
Proof.
  apply over_areas_is with (1 := independent_mean1 _ _ _ _ _ _ _ _ _ _ law0 law1).
  rewrite Rminus_0_r. unfold stretched_mean. replace (Gamma (b + 1 / 1)) with (Gamma (b + 1)) by (f_equal; field; see). next_shape (b + 1) b. by_logarithms.
Qed.
Theorem law_is_proper_with_ends : (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (a * the_theta)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 (b * the_theta) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (a * the_theta)) (extended L1 (b * the_theta) 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0. Proof. pose proof order1. starts_as loss0 piece1 1 (1) evaluates. Qed.
Lemma loss1_ends : tends_at_1 L1 0. Proof. pose proof order1. ends_as loss1 piece1 0 (1) evaluates. Qed.
Lemma loss0_ends : tends_at_1 L0 (the_theta * beta (a + 1) b * Gamma (a + b + 1) / (Gamma a * Gamma b)).
Proof. pose proof order1. ends_as loss0 piece1 0 (1) evaluates. Qed.
Lemma loss1_starts : tends_at_0 L1 (the_theta * beta (b + 1) a * Gamma (a + b + 1) / (Gamma a * Gamma b)).
Proof. pose proof order1. starts_as loss1 piece1 1 (1) evaluates. Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (the_theta * beta (a + 1) b * Gamma (a + b + 1) / (Gamma a * Gamma b))) (extended L1 (the_theta * beta (b + 1) a * Gamma (a + b + 1) / (Gamma a * Gamma b)) 0).
Proof. apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]]. Qed.
Theorem strictly_proper_with_ends :
  StrictlyProperAmong with_ends (extended L0 0 (the_theta * beta (a + 1) b * Gamma (a + b + 1) / (Gamma a * Gamma b))) (extended L1 (the_theta * beta (b + 1) a * Gamma (a + b + 1) / (Gamma a * Gamma b)) 0).
Proof.
  apply (strictly_proper_among with_ends); [apply all_with_ends | apply all_with_ends | | exact proper_with_ends].
  apply extended_strictly_proper, strictly_proper.
Qed.
Lemma steady1 p : 0 <= p -> 0 < p < 1 -> continuous (weight piece1) p. Proof. weight_at piece1. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s)) (pi0 * l0 + pi1 * l1).
Proof. exact (expected_loss _ _ joined_pieces never_negative steady1 loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1). Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0, @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper, @Rule.rule.total_is_1, @Rule.rule.law_is_proper_with_ends,
   @Rule.rule.proper_with_ends, @Rule.rule.strictly_proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
