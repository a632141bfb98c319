(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Normal LogNormal.

Module Rule.

Module rule.
Definition assumed (the_mu the_nu the_sigma the_tau : R) : Prop := 0 < the_mu /\ 0 < the_nu /\ 0 < the_sigma /\ 0 < the_tau.
Example possible : exists the_mu the_nu the_sigma the_tau : R, assumed the_mu the_nu the_sigma the_tau.
Proof. exists (41 / 7), (5), (16 / 9), (25 / 8); unfold assumed; lra. Qed.
Section Case.
Variables the_mu the_nu the_sigma the_tau : R.
Hypothesis given : assumed the_mu the_nu the_sigma the_tau.
Let given1 : 0 < the_mu := proj1 given. Let given2 : 0 < the_nu := proj1 (proj2 given).
Let given3 : 0 < the_sigma := proj1 (proj2 (proj2 given)). Let given4 : 0 < the_tau := (proj2 (proj2 (proj2 given))).

Definition piece1 : piece := Piece
  (fun p => (1 - erf (sqrt 2 * (the_mu + the_sigma ^ 2 - the_nu) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)))) * exp (the_mu + the_sigma ^ 2 / 2) / 2)
  (fun p => (erf (sqrt 2 * (the_mu - the_nu - the_tau ^ 2) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) + 1) * exp (the_nu + the_tau ^ 2 / 2) / 2)
  (fun p => sqrt 2 * exp ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) / (2 * sqrt PI * p * (1 - p) ^ 2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))).
Definition L0 (p : R) : R :=
  (1 - erf (sqrt 2 * (the_mu + the_sigma ^ 2 - the_nu) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)))) * exp (the_mu + the_sigma ^ 2 / 2) / 2.
Definition L1 (p : R) : R :=
  (erf (sqrt 2 * (the_mu - the_nu - the_tau ^ 2) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) + 1) * exp (the_nu + the_tau ^ 2 / 2) / 2.

Lemma order1 : 0 <= 1. Proof. lra. Qed.
Lemma slopes1 : slopes 0 1 piece1.
Proof.
  slopes_of piece1.
  all: assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  all: auto_derive; [see | equal_exponentials_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p)); related ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) (p / (exp (the_mu + the_sigma ^ 2 / 2) * (1 - p))); related ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) (1 / exp (the_nu + the_tau ^ 2 / 2)))].
Qed.
Lemma sign1 : positive 0 1 piece1.
Proof.
  weight_of piece1.
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  apply (positive_as (sqrt 2 * exp ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) / (2 * sqrt PI * sqrt (the_sigma ^ 2 + the_tau ^ 2) * p * (1 - p) ^ 2))); [algebra_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p))) | see].
Qed.
Lemma joined_pieces : chain 0 piece1 []. Proof. exact (conj order1 slopes1). Qed.
Lemma never_negative : weighs_all 0 0 0 piece1 []. Proof. each_weight; [weighs_by sign1]. Qed.
Theorem proper : Proper L0 L1. Proof. exact (proper_rule _ _ joined_pieces never_negative). Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof. pose proof order1. refine (strictly_proper_rule 0 1 _ _ _ _ joined_pieces _); [lra | lra | each_weight; [weighs_by sign1]]. Qed.
Definition area1 : area := Area
  (fun c0 c1 => exp (- (ln c1 - the_nu) ^ 2 / (2 * the_tau ^ 2) - (ln c0 - the_mu) ^ 2 / (2 * the_sigma ^ 2)) / (2 * PI * c0 * c1 * the_sigma * the_tau))
  (fun c0 c1 => [c0; c1]).
Definition areas : list area := [area1].
Lemma log_normal1 : log_normal area1 1 the_mu 0 the_sigma the_nu the_tau.
Proof.
  split; [see | split; [see |]]. intros c0 c1 Positive0 Positive1.
  split; cbn [region density area1 hold]; [repeat split; lra | unfold log_normal_pair; closed_forms_by ltac:(factored (c0); factored (c1))].
Qed.
Theorem lawful_costs : lawful_areas areas.
Proof. apply List.Forall_cons; [exact (log_normal_is_lawful _ _ _ _ _ _ _ log_normal1 ltac:(see)) |]. apply List.Forall_nil. Qed.
Lemma slope1 :
  0 < (sqrt 2 / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) /\ (sqrt 2 / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) ^ 2 * (2 * (the_sigma ^ 2 + (0 - 1) ^ 2 * the_tau ^ 2)) = 1.
Proof.
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  split; [see | closed_forms_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2))].
Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof.
  intros Unit. refine (one_area _ _ _ _ _ _ (log_normal_cost0 _ _ _ _ _ _ _ log_normal1 p _ Unit (proj1 slope1) (proj2 slope1)) (eq_refl : over_areas nil _ 0) _).
  unfold L0.
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  closed_forms_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p))).
Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof.
  intros Unit. refine (one_area _ _ _ _ _ _ (log_normal_cost1 _ _ _ _ _ _ _ log_normal1 p _ Unit (proj1 slope1) (proj2 slope1)) (eq_refl : over_areas nil _ 0) _).
  unfold L1.
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  closed_forms_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p))).
Qed.
Theorem law_is_proper : Proper L0 L1. Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 : (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn 0 1 E0 E1.
Proof. pose proof order1. apply (strictly_proper_density areas _ _ L0 L1); [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper]. Qed.
Theorem total_is_1 : has_total_of_areas areas 1.
Proof. refine (one_area _ _ _ _ _ _ (log_normal_total _ _ _ _ _ _ _ log_normal1) (eq_refl : over_areas nil _ 0) _). closed_forms_by ltac:(idtac). Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) (exp (the_mu + the_sigma ^ 2 / 2)).
Proof.
  refine (one_area _ _ _ _ _ _ (log_normal_mean0 _ _ _ _ _ _ _ log_normal1) (eq_refl : over_areas nil _ 0) _).
  closed_forms_by ltac:(idtac).
Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) (exp (the_nu + the_tau ^ 2 / 2)).
Proof.
  refine (one_area _ _ _ _ _ _ (log_normal_mean1 _ _ _ _ _ _ _ log_normal1) (eq_refl : over_areas nil _ 0) _).
  closed_forms_by ltac:(idtac).
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (exp (the_mu + the_sigma ^ 2 / 2))) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 (exp (the_nu + the_tau ^ 2 / 2)) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (exp (the_mu + the_sigma ^ 2 / 2))) (extended L1 (exp (the_nu + the_tau ^ 2 / 2)) 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0.
Proof. exact (proj1 (vanishing_where_certain L0 L1 _ _ (proj2 (proj2 law_is_proper_with_ends)))). Qed.
Lemma loss1_ends : tends_at_1 L1 0.
Proof. exact (proj2 (vanishing_where_certain L0 L1 _ _ (proj2 (proj2 law_is_proper_with_ends)))). Qed.
Lemma steady1 p : 0 <= p -> 0 < p < 1 -> continuous (weight piece1) p.
Proof.
  weight_at piece1.
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  smooth.
Qed.
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
   @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
