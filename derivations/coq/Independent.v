(** Two independent costs with densities on all positive numbers, each with its tail and the mean of what is below.

    Integrals over both costs come down to integrals over one: with the tail [S] of the other cost, class 0 pays the
    integral of [S1 (x (1 - p) / p) * x * f0 x], and class 1 that of [S0 (p x / (1 - p)) * x * f1 x], by parts. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips.
Import ListNotations.
Open Scope R_scope.

(** [f] is a density with the tail [S]; [M] has the slope [x * f x], and rises from [least] to [most]. *)
Definition law_of_one (f S M : R -> R) (least most : R) : Prop :=
  (forall x, 0 < x -> 0 <= f x /\ continuous f x /\ is_derive S x (- f x) /\ is_derive M x (x * f x)) /\
  filterlim S (at_right 0) (locally 1) /\ is_lim S p_infty 0 /\
  filterlim M (at_right 0) (locally least) /\ is_lim M p_infty most.

Definition independent (f0 f1 : R -> R) : area := Area (fun c0 c1 => f0 c0 * f1 c1) (fun _ _ => nil).

(** An integral from 0 to infinity by an antiderivative with limits at both ends. *)
Lemma over_positive_by_limits (F f : R -> R) (bottom top : R) : (forall x, 0 < x -> is_derive F x (f x) /\ continuous f x) ->
  filterlim F (at_right 0) (locally bottom) -> is_lim F p_infty top -> over_positive f (top - bottom).
Proof.
  intros D Bottom Top. apply over_positive_is_onward. apply (onward_last 0 f f F); try easy; [lra | intros; apply D; assumption |].
  rewrite after_0. exact Bottom.
Qed.

Lemma over_areas_is areas pay v w : over_areas areas pay v -> v = w -> over_areas areas pay w.
Proof. intros H <-. exact H. Qed.

(** A positive multiple of what comes close to 0, or goes to infinity, does so too. *)
Lemma multiple_comes_to_0 k : 0 < k -> filterlim (fun x => k * x) (at_right 0) (at_right 0).
Proof.
  intros K P [e H]. assert (E : 0 < e / k) by (apply Rdiv_lt_0_compat; [apply cond_pos | exact K]).
  exists (mkposreal _ E). intros x X P0. apply ball_between in X. simpl in X. apply H.
  - apply ball_between. assert (0 < k * x) by (apply Rmult_lt_0_compat; lra).
    assert (k * x < k * (e / k)) by (apply Rmult_lt_compat_l; lra).
    replace (k * (e / k)) with (pos e) in * by (field; lra). lra.
  - apply Rmult_lt_0_compat; lra.
Qed.
Lemma multiple_grows k : 0 < k -> filterlim (fun x => k * x) (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
  intro K. change (is_lim (fun x => k * x) p_infty p_infty).
  evar_last; [apply (is_lim_scal_l (fun x => x) k p_infty p_infty), is_lim_id |].
  simpl. destruct (Rle_dec 0 k) as [H |]; [| lra]. destruct (Rle_lt_or_eq_dec 0 k H); [reflexivity | lra].
Qed.

Section Pair.
Variables (f0 S0 M0 : R -> R) (least0 most0 : R) (f1 S1 M1 : R -> R) (least1 most1 : R).
Hypotheses (law0 : law_of_one f0 S0 M0 least0 most0) (law1 : law_of_one f1 S1 M1 least1 most1).
Local Notation A := (independent f0 f1).

Lemma paid_by_independent pay c0 c1 : paid A pay c1 c0 = pay c0 c1 * (f0 c0 * f1 c1).
Proof. unfold paid. simpl. ring. Qed.

Lemma independent_is_lawful : lawful_areas [A].
Proof.
  apply List.Forall_cons; [| apply List.Forall_nil]. intros c0 c1 P0 P1 _. simpl.
  apply Rmult_le_pos; [apply law0, P0 | apply law1, P1].
Qed.

Lemma one_independent pay value : over_area A pay value -> over_areas [A] pay value.
Proof. intro H. exists value, 0. repeat split; [exact H | ring]. Qed.

(** ** Expectations of a product of a function of each cost *)

Lemma over_product (g0 g1 : R -> R) (v0 v1 : R) : over_positive (fun x => g0 x * f0 x) v0 ->
  over_positive (fun x => g1 x * f1 x) v1 -> over_areas [A] (fun c0 c1 => g0 c0 * g1 c1) (v0 * v1).
Proof.
  intros I0 I1. apply one_independent. exists (fun c1 => g1 c1 * f1 c1 * v0). split.
  - intros c1 _. apply (over_positive_ext (fun c0 => g1 c1 * f1 c1 * (g0 c0 * f0 c0))).
    + intros x _. rewrite paid_by_independent. ring.
    + exact (is_RInt_gen_scal _ (g1 c1 * f1 c1) _ I0).
  - apply (over_positive_ext (fun c1 => v0 * (g1 c1 * f1 c1))); [intros; ring |].
    exact (is_RInt_gen_scal _ v0 _ I1).
Qed.

Lemma total_of_one f S M least most : law_of_one f S M least most -> over_positive (fun x => 1 * f x) 1.
Proof.
  intros (D & Start & Stop & _). apply (over_positive_ext f); [intros; ring |].
  apply over_positive_is with (- 0 - - (1)); [| ring]. apply (over_positive_by_limits (fun x => - S x)).
  - intros x X. destruct (D x X) as (_ & K & S' & _). split; [| exact K].
    replace (f x) with (- - f x) by ring. exact (is_derive_opp S x _ S').
  - exact (filterlim_comp _ _ _ S Ropp _ _ _ Start (filterlim_opp (V := R_NormedModule) 1)).
  - exact (is_lim_opp S p_infty 0 Stop).
Qed.
Lemma mean_of_one f S M least most : law_of_one f S M least most -> over_positive (fun x => x * f x) (most - least).
Proof.
  intros (D & _ & _ & Start & Stop). apply (over_positive_by_limits M); [| exact Start | exact Stop].
  intros x X. destruct (D x X) as (_ & K & _ & M'). split; [exact M' |].
  apply (continuous_mult (fun x => x) f); [apply continuous_id | exact K].
Qed.

Theorem independent_total : has_total_of_areas [A] 1.
Proof.
  replace 1 with (1 * 1) by ring. unfold has_total_of_areas.
  apply (over_areas_ext _ (fun _ _ => 1 * 1)); [intros; ring |].
  apply (over_product (fun _ => 1) (fun _ => 1)); [apply (total_of_one _ _ _ _ _ law0) | apply (total_of_one _ _ _ _ _ law1)].
Qed.
Theorem independent_mean0 : over_areas [A] (fun c0 _ => c0) (most0 - least0).
Proof.
  replace (most0 - least0) with ((most0 - least0) * 1) by ring. apply (over_areas_ext _ (fun c0 _ => c0 * 1)); [intros; ring |].
  apply (over_product (fun c0 => c0) (fun _ => 1)); [apply (mean_of_one _ _ _ _ _ law0) | apply (total_of_one _ _ _ _ _ law1)].
Qed.
Theorem independent_mean1 : over_areas [A] (fun _ c1 => c1) (most1 - least1).
Proof.
  replace (most1 - least1) with (1 * (most1 - least1)) by ring. apply (over_areas_ext _ (fun _ c1 => 1 * c1)); [intros; ring |].
  apply (over_product (fun _ => 1) (fun c1 => c1)); [apply (total_of_one _ _ _ _ _ law0) | apply (mean_of_one _ _ _ _ _ law1)].
Qed.

(** ** Expected costs at a report *)

Variable p : R.
Hypothesis Unit : 0 < p < 1.
Local Notation u := (p / (1 - p)).
Local Notation ray c1 := (p * c1 / (1 - p)).

Lemma ray_by_odds c1 : ray c1 = u * c1.
Proof. field. lra. Qed.
Lemma odds_positive : 0 < u.
Proof. apply Rdiv_lt_0_compat; lra. Qed.

Lemma slope_at_multiple (F : R -> R) k x d : 0 < k -> is_derive F (k * x) d -> is_derive (fun x => F (k * x)) x (k * d).
Proof.
  intros K D. replace (k * d) with (scal k d) by reflexivity. apply (is_derive_comp F (fun x => k * x)); [exact D |].
  auto_derive; [exact I | ring].
Qed.
Lemma continuous_at_multiple (F : R -> R) k x : continuous F (k * x) -> continuous (fun x => F (k * x)) x.
Proof.
  intro C. apply (continuous_comp (fun x => k * x) F); [| exact C].
  apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
Qed.

Lemma independent_inner0 c1 : 0 < c1 -> over_positive (paid A (pay0 p) c1) (f1 c1 * (M0 (u * c1) - least0)).
Proof.
  intro P1. assert (T : 0 < ray c1) by (rewrite ray_by_odds; apply Rmult_lt_0_compat; [apply odds_positive | exact P1]).
  destruct law0 as (D & _ & _ & Start & _). rewrite <- ray_by_odds. apply over_positive_is_onward.
  replace (f1 c1 * (M0 (ray c1) - least0)) with (f1 c1 * M0 (ray c1) - f1 c1 * least0 + 0) by ring.
  apply (onward_step 0 (ray c1) _ (fun c0 => f1 c1 * (c0 * f0 c0)) (fun c0 => f1 c1 * M0 c0)); try lra.
  - intros c0 C. rewrite paid_by_independent, pays0_below by lra. ring.
  - intros c0 P0 _ _. destruct (D c0 P0) as (_ & K & _ & M'). split.
    + exact (is_derive_scal M0 c0 (f1 c1) _ M').
    + apply (continuous_scal_r (f1 c1) (fun c0 => c0 * f0 c0)), (continuous_mult (fun x => x) f0); [apply continuous_id | exact K].
  - rewrite after_0. apply tends_scaled. exact Start.
  - apply onward_zero; [lra |]. intros c0 C. rewrite paid_by_independent, pays0_above by lra. ring.
Qed.

Lemma independent_inner1 c1 : 0 < c1 -> over_positive (paid A (pay1 p) c1) (c1 * f1 c1 * S0 (u * c1)).
Proof.
  intro P1. assert (T : 0 < ray c1) by (rewrite ray_by_odds; apply Rmult_lt_0_compat; [apply odds_positive | exact P1]).
  destruct law0 as (D & _ & Stop & _). rewrite <- ray_by_odds. apply over_positive_is_onward.
  apply (onward_zero_step 0 (ray c1)); try lra.
  { intros c0 C. rewrite paid_by_independent, pays1_below by lra. ring. }
  replace (c1 * f1 c1 * S0 (ray c1)) with (- (c1 * f1 c1) * 0 - - (c1 * f1 c1) * S0 (ray c1)) by ring.
  apply (onward_last (ray c1) _ (fun c0 => - (c1 * f1 c1) * - f0 c0) (fun c0 => - (c1 * f1 c1) * S0 c0)); try lra.
  - intros c0 C. rewrite paid_by_independent, pays1_above by lra. ring.
  - intros c0 P0 _. destruct (D c0 P0) as (_ & K & S' & _). split.
    + exact (is_derive_scal S0 c0 _ _ S').
    + apply (continuous_scal_r (- (c1 * f1 c1)) (fun c0 => - f0 c0)), (continuous_opp f0), K.
  - apply tends_after; [exact T | reflexivity].
  - apply tends_scaled. exact Stop.
Qed.

(** By parts: what class 0 pays, from the tail of the other cost. *)
Theorem independent_cost0 H (bottom top : R) :
  (forall x, 0 < x -> is_derive H x (S1 (x * (1 - p) / p) * (x * f0 x))) ->
  filterlim H (at_right 0) (locally bottom) -> is_lim H p_infty top -> over_areas [A] (pay0 p) (top - bottom).
Proof.
  intros H' Bottom Top. apply one_independent. exists (fun c1 => f1 c1 * (M0 (u * c1) - least0)).
  split; [exact independent_inner0 |].
  pose proof odds_positive as U. destruct law0 as (D0 & _ & _ & Start0 & Stop0), law1 as (D1 & Start1 & Stop1 & _).
  assert (Near : filterlim (fun c1 => M0 (u * c1)) (at_right 0) (locally least0))
    by exact (filterlim_comp _ _ _ _ M0 _ _ _ (multiple_comes_to_0 u U) Start0).
  assert (Far : is_lim (fun c1 => M0 (u * c1)) p_infty most0)
    by exact (filterlim_comp _ _ _ _ M0 _ _ _ (multiple_grows u U) Stop0).
  assert (NearH : filterlim (fun c1 => H (u * c1)) (at_right 0) (locally bottom))
    by exact (filterlim_comp _ _ _ _ H _ _ _ (multiple_comes_to_0 u U) Bottom).
  assert (FarH : is_lim (fun c1 => H (u * c1)) p_infty top)
    by exact (filterlim_comp _ _ _ _ H _ _ _ (multiple_grows u U) Top).
  replace (top - bottom) with ((top - 0 * (most0 - least0)) - (bottom - 1 * (least0 - least0))) by ring.
  apply (over_positive_by_limits (fun c1 => H (u * c1) - S1 c1 * (M0 (u * c1) - least0))).
  - intros c1 P1. assert (P : 0 < u * c1) by (apply Rmult_lt_0_compat; assumption).
    destruct (D0 _ P) as (_ & K0 & _ & M'), (D1 c1 P1) as (_ & K1 & S' & _). specialize (H' _ P).
    replace (u * c1 * (1 - p) / p) with c1 in H' by (field; lra). split.
    + evar_last.
      * apply (is_derive_minus (fun c1 => H (u * c1)) (fun c1 => S1 c1 * (M0 (u * c1) - least0))).
        -- apply slope_at_multiple; [exact U | exact H'].
        -- apply (is_derive_mult S1 (fun c1 => M0 (u * c1) - least0)); [exact S' | | intros; apply Rmult_comm].
           apply (is_derive_minus (fun c1 => M0 (u * c1)) (fun _ => least0)); [| apply (is_derive_const (K := R_AbsRing) least0)].
           apply slope_at_multiple; [exact U | exact M'].
      * unfold minus, plus, opp, mult, zero; simpl. ring.
    + apply (continuous_mult f1 (fun c1 => M0 (u * c1) - least0)); [exact K1 |].
      apply (continuous_minus (fun c1 => M0 (u * c1)) (fun _ => least0)); [| apply continuous_const].
      apply continuous_at_multiple, (ex_derive_continuous (V := R_NormedModule)). eexists. exact M'.
  - apply (filterlim_comp_2 (G := locally bottom) (H := locally (- (1 * (least0 - least0)))) _
      (fun c1 => - (S1 c1 * (M0 (u * c1) - least0))) Rplus); [exact NearH | | exact (filterlim_plus (V := R_NormedModule) _ _)].
    apply (filterlim_comp _ _ _ (fun c1 => S1 c1 * (M0 (u * c1) - least0)) Ropp _ (locally (1 * (least0 - least0))));
      [| exact (filterlim_opp (V := R_NormedModule) _)].
    apply (filterlim_comp_2 (G := locally 1) (H := locally (least0 - least0)) S1 (fun c1 => M0 (u * c1) - least0) Rmult);
      [exact Start1 | | exact (filterlim_mult (K := R_AbsRing) 1 (least0 - least0))].
    apply (filterlim_comp_2 (G := locally least0) (H := locally (- least0)) (fun c1 => M0 (u * c1)) (fun _ => - least0) Rplus);
      [exact Near | apply filterlim_const | exact (filterlim_plus (V := R_NormedModule) _ _)].
  - apply is_lim_minus'; [exact FarH |].
    evar_last; [apply (is_lim_mult S1 (fun c1 => M0 (u * c1) - least0) p_infty 0 (most0 - least0)); [exact Stop1 | | exact I] | reflexivity].
    apply is_lim_minus'; [exact Far | apply is_lim_const].
Qed.

Theorem independent_cost1 H (bottom top : R) :
  (forall x, 0 < x -> is_derive H x (S0 (p * x / (1 - p)) * (x * f1 x))) ->
  filterlim H (at_right 0) (locally bottom) -> is_lim H p_infty top -> over_areas [A] (pay1 p) (top - bottom).
Proof.
  intros H' Bottom Top. apply one_independent. exists (fun c1 => c1 * f1 c1 * S0 (u * c1)).
  split; [exact independent_inner1 |]. pose proof odds_positive as U.
  destruct law0 as (D0 & _), law1 as (D1 & _).
  apply (over_positive_by_limits H); [| exact Bottom | exact Top].
  intros c1 P1. specialize (H' c1 P1). rewrite ray_by_odds in H'. split.
  - replace (c1 * f1 c1 * S0 (u * c1)) with (S0 (u * c1) * (c1 * f1 c1)) by ring. exact H'.
  - assert (P : 0 < u * c1) by (apply Rmult_lt_0_compat; assumption).
    destruct (D0 _ P) as (_ & _ & S' & _), (D1 c1 P1) as (_ & K1 & _).
    apply (continuous_mult (fun c1 => c1 * f1 c1) (fun c1 => S0 (u * c1))).
    + apply (continuous_mult (fun x => x) f1); [apply continuous_id | exact K1].
    + apply continuous_at_multiple, (ex_derive_continuous (V := R_NormedModule)). eexists. exact S'.
Qed.
End Pair.
