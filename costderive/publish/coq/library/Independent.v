(** Two independent costs with densities on all positive numbers, each with its tail and the mean of what is below.

    Integrals over both costs come down to integrals over one: with the tail [S] of the other cost, class 0 pays the
    integral of [S1 (x (1 - p) / p) * x * f0 x], and class 1 that of [S0 (p x / (1 - p)) * x * f1 x], by parts. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips.
Import ListNotations.
Open Scope R_scope.

(** [f] is a density with the tail [S]; [M] has the slope [x * f x], and rises from [least] to [most], which may be infinite. *)
Definition law_of_one (f S M : R -> R) (least : R) (most : Rbar) : Prop :=
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

(** ** What rises, and tails *)

Lemma rises_weakly F f a b : a <= b -> (forall x, a <= x <= b -> is_derive F x (f x) /\ 0 <= f x) -> F a <= F b.
Proof.
  intros AB D. destruct (MVT_gen F a b f) as (c & C & E).
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. apply D. lra.
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. apply continuity_pt_filterlim, (ex_derive_continuous (V := R_NormedModule)).
    eexists. apply D, X.
  - rewrite Rmin_left, Rmax_right in C by exact AB. assert (0 <= f c * (b - a)) by (apply Rmult_le_pos; [apply D, C | lra]). lra.
Qed.

Section One.
Variables (f S M : R -> R) (least : R) (most : Rbar).
Hypothesis law : law_of_one f S M least most.

Lemma tail_falls x y : 0 < x -> x <= y -> S y <= S x.
Proof.
  destruct law as (D & _). intros X XY. assert (- S x <= - S y); [| lra]. apply (rises_weakly (fun z => - S z) f); [exact XY |].
  intros z Z. destruct (D z ltac:(lra)) as (N & _ & S' & _). split; [| exact N].
  replace (f z) with (- - f z) by ring. exact (is_derive_opp S z _ S').
Qed.
Lemma tail_not_negative x : 0 < x -> 0 <= S x.
Proof.
  destruct law as (_ & _ & Stop & _). intro X. apply (is_lim_le_loc S (fun _ => S x) p_infty 0 (S x)); [| exact Stop | apply is_lim_const].
  exists x. intros y Y. apply tail_falls; lra.
Qed.
Lemma mean_below_rises x y : 0 < x -> x <= y -> M x <= M y.
Proof.
  destruct law as (D & _). intros X XY. apply (rises_weakly M (fun x => x * f x)); [exact XY |].
  intros z Z. destruct (D z ltac:(lra)) as (N & _ & _ & M'). split; [exact M' | apply Rmult_le_pos; lra].
Qed.
Lemma mean_below_from_least x : 0 < x -> least <= M x.
Proof.
  destruct law as (_ & _ & _ & Start & _). intro X. apply (limit_le (F := at_right 0) M (fun _ => M x)); [exact Start | apply filterlim_const |].
  apply filter_imp with (2 := right_of 0 x X). intros y Y. apply mean_below_rises; lra.
Qed.

(** What there is below a cost, and from it on. *)
Definition only_below (b x : R) : R := if Rlt_dec x b then x else 0.
Definition from_on (a x : R) : R := if Rlt_dec x a then 0 else 1.

Lemma over_only_below b : 0 < b -> over_positive (fun x => only_below b x * f x) (M b - least).
Proof.
  destruct law as (D & _ & _ & Start & _). intro B. apply over_positive_is_onward. replace (M b - least) with (M b - least + 0) by ring.
  apply (onward_step 0 b _ (fun x => x * f x)); try lra.
  - intros x X. unfold only_below. destruct (Rlt_dec x b); lra.
  - intros x X _ _. destruct (D x X) as (_ & K & _ & M'). split; [exact M' |]. apply (continuous_mult (fun x => x) f); [apply continuous_id | exact K].
  - rewrite after_0. exact Start.
  - apply onward_zero; [lra |]. intros x X. unfold only_below. destruct (Rlt_dec x b); lra.
Qed.
Lemma over_from_on a : 0 < a -> over_positive (fun x => from_on a x * f x) (S a).
Proof.
  destruct law as (D & _ & Stop & _). intro A. apply over_positive_is_onward. apply (onward_zero_step 0 a); try lra.
  { intros x X. unfold from_on. destruct (Rlt_dec x a); lra. }
  replace (S a) with (- 0 - - S a) by ring. apply (onward_last a _ f (fun x => - S x)); try lra.
  - intros x X. unfold from_on. destruct (Rlt_dec x a); lra.
  - intros x X _. destruct (D x X) as (_ & K & S' & _). split; [| exact K]. replace (f x) with (- - f x) by ring. exact (is_derive_opp S x _ S').
  - apply tends_after; [exact A | reflexivity].
  - exact (is_lim_opp S p_infty 0 Stop).
Qed.

(** Some costs are positive, and below any bound the mean is less than that of all if it is infinite. *)
Lemma some_tail : exists x, 0 < x /\ 1 / 2 < S x.
Proof.
  destruct law as (_ & Start & _). assert (H : 0 < 1 / 2) by lra.
  destruct (filter_ex _ (filter_and _ _ (right_of 0 1 Rlt_0_1) (Start _ (locally_ball 1 (mkposreal _ H))))) as (x & X & Near).
  apply ball_between in Near. simpl in Near. exists x. lra.
Qed.
Lemma mean_without_bound bound : most = p_infty -> exists x, 0 < x /\ bound < M x - least.
Proof.
  destruct law as (_ & _ & _ & _ & Stop). intros ->. destruct (Stop (fun y => bound + least < y)) as [x X]; [exists (bound + least); trivial |].
  exists (Rmax x 0 + 1). pose proof (Rmax_l x 0). pose proof (Rmax_r x 0). split; [lra |]. specialize (X (Rmax x 0 + 1) ltac:(lra)). lra.
Qed.
End One.

Section Pair.
Variables (f0 S0 M0 : R -> R) (least0 : R) (most0 : Rbar) (f1 S1 M1 : R -> R) (least1 : R) (most1 : Rbar).
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
Theorem independent_total : has_total_of_areas [A] 1.
Proof.
  replace 1 with (1 * 1) by ring. unfold has_total_of_areas.
  apply (over_areas_ext _ (fun _ _ => 1 * 1)); [intros; ring |].
  apply (over_product (fun _ => 1) (fun _ => 1)); [apply (total_of_one _ _ _ _ _ law0) | apply (total_of_one _ _ _ _ _ law1)].
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

(** Where the integral by parts has a limit, what stands beside it vanishes, also if the mean is infinite: from any cost
    [x] on, the tail at the end times what is added to the mean is less than what is added to the integral. *)
Lemma beside_vanishes H (top : R) : (forall x, 0 < x -> is_derive H x (S1 (x * (1 - p) / p) * (x * f0 x))) ->
  is_lim H p_infty top -> is_lim (fun c1 => S1 c1 * (M0 (u * c1) - least0)) p_infty 0.
Proof.
  intros H' Top P [e HP]. pose proof odds_positive as U. destruct law0 as (D0 & _), law1 as (_ & _ & Stop1 & _).
  assert (Gain : forall x c1, 0 < x -> x <= u * c1 -> S1 c1 * (M0 (u * c1) - M0 x) <= H (u * c1) - H x).
  { intros x c1 X XC. assert (H x - S1 c1 * M0 x <= H (u * c1) - S1 c1 * M0 (u * c1)); [| lra].
    apply (rises_weakly (fun z => H z - S1 c1 * M0 z) (fun z => S1 (z * (1 - p) / p) * (z * f0 z) - S1 c1 * (z * f0 z))); [exact XC |].
    intros z Z. destruct (D0 z ltac:(lra)) as (N & _ & _ & M'). split.
    - apply (is_derive_minus (V := R_NormedModule) H (fun z => S1 c1 * M0 z)); [apply H'; lra | exact (is_derive_scal M0 z _ _ M')].
    - rewrite <- Rmult_minus_distr_r. apply Rmult_le_pos; [| apply Rmult_le_pos; lra].
      assert (Before : z * (1 - p) / p <= c1).
      { replace c1 with (u * c1 * (1 - p) / p) by (field; lra).
        apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | apply Rmult_le_compat_r; lra]. }
      assert (0 < z * (1 - p) / p) by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra).
      pose proof (tail_falls _ _ _ _ _ law1 (z * (1 - p) / p) c1 ltac:(assumption) Before). lra. }
  destruct (Top (ball top (mkposreal _ (is_pos_div_2 (mkposreal _ (is_pos_div_2 e)))))) as [x0 Near]; [apply locally_ball |].
  set (x := Rmax x0 0 + 1). pose proof (Rmax_l x0 0). pose proof (Rmax_r x0 0). assert (X : 0 < x) by (unfold x; lra).
  assert (Last : is_lim (fun c1 => S1 c1 * (M0 x - least0)) p_infty 0).
  { replace (Finite 0) with (Finite (0 * (M0 x - least0))) by (f_equal; ring). apply (is_lim_scal_r S1 (M0 x - least0) p_infty 0 Stop1). }
  destruct (Last (ball 0 (mkposreal _ (is_pos_div_2 e)))) as [c Small]; [apply locally_ball |].
  exists (Rmax c (x / u)). intros c1 C1. pose proof (Rmax_l c (x / u)). pose proof (Rmax_r c (x / u)). apply HP, ball_between.
  assert (Positive : 0 < x / u) by (apply Rdiv_lt_0_compat; assumption).
  assert (XC : x <= u * c1) by (replace x with (u * (x / u)) by (field; lra); apply Rmult_le_compat_l; lra).
  pose proof (Near x ltac:(unfold x; lra)) as A1. pose proof (Near (u * c1) ltac:(unfold x in XC; lra)) as A2. specialize (Small c1 ltac:(lra)).
  apply ball_between in A1, A2, Small. simpl in A1, A2, Small. specialize (Gain x c1 X XC). pose proof (cond_pos e).
  assert (0 <= S1 c1 * (M0 (u * c1) - least0)); [| lra].
  apply Rmult_le_pos; [apply (tail_not_negative _ _ _ _ _ law1); lra |].
  pose proof (mean_below_from_least _ _ _ _ _ law0 (u * c1) ltac:(lra)). lra.
Qed.

(** By parts: what class 0 pays, from the tail of the other cost. *)
Theorem independent_cost0 H (bottom top : R) :
  (forall x, 0 < x -> is_derive H x (S1 (x * (1 - p) / p) * (x * f0 x))) ->
  filterlim H (at_right 0) (locally bottom) -> is_lim H p_infty top -> over_areas [A] (pay0 p) (top - bottom).
Proof.
  intros H' Bottom Top. pose proof (beside_vanishes H top H' Top) as Beside. apply one_independent. exists (fun c1 => f1 c1 * (M0 (u * c1) - least0)).
  split; [exact independent_inner0 |].
  pose proof odds_positive as U. destruct law0 as (D0 & _ & _ & Start0 & _), law1 as (D1 & Start1 & _).
  assert (Near : filterlim (fun c1 => M0 (u * c1)) (at_right 0) (locally least0))
    by exact (filterlim_comp _ _ _ _ M0 _ _ _ (multiple_comes_to_0 u U) Start0).
  assert (NearH : filterlim (fun c1 => H (u * c1)) (at_right 0) (locally bottom))
    by exact (filterlim_comp _ _ _ _ H _ _ _ (multiple_comes_to_0 u U) Bottom).
  assert (FarH : is_lim (fun c1 => H (u * c1)) p_infty top)
    by exact (filterlim_comp _ _ _ _ H _ _ _ (multiple_grows u U) Top).
  replace (top - bottom) with ((top - 0) - (bottom - 1 * (least0 - least0))) by ring.
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
  - apply is_lim_minus'; [exact FarH | exact Beside].
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

(** ** Finite means *)

Lemma mean_of_one f S M least most : law_of_one f S M least (Finite most) -> over_positive (fun x => x * f x) (most - least).
Proof.
  intros (D & _ & _ & Start & Stop). apply (over_positive_by_limits M); [| exact Start | exact Stop].
  intros x X. destruct (D x X) as (_ & K & _ & M'). split; [exact M' |].
  apply (continuous_mult (fun x => x) f); [apply continuous_id | exact K].
Qed.
Theorem independent_mean0 f0 S0 M0 least0 most0 f1 S1 M1 least1 most1 : law_of_one f0 S0 M0 least0 (Finite most0) ->
  law_of_one f1 S1 M1 least1 most1 -> over_areas [independent f0 f1] (fun c0 _ => c0) (most0 - least0).
Proof.
  intros law0 law1. replace (most0 - least0) with ((most0 - least0) * 1) by ring. apply (over_areas_ext _ (fun c0 _ => c0 * 1)); [intros; ring |].
  apply (over_product f0 f1 (fun c0 => c0) (fun _ => 1)); [apply (mean_of_one _ _ _ _ _ law0) | apply (total_of_one _ _ _ _ _ law1)].
Qed.
Theorem independent_mean1 f0 S0 M0 least0 most0 f1 S1 M1 least1 most1 : law_of_one f0 S0 M0 least0 most0 ->
  law_of_one f1 S1 M1 least1 (Finite most1) -> over_areas [independent f0 f1] (fun _ c1 => c1) (most1 - least1).
Proof.
  intros law0 law1. replace (most1 - least1) with (1 * (most1 - least1)) by ring. apply (over_areas_ext _ (fun _ c1 => 1 * c1)); [intros; ring |].
  apply (over_product f0 f1 (fun _ => 1) (fun c1 => c1)); [apply (total_of_one _ _ _ _ _ law0) | apply (mean_of_one _ _ _ _ _ law1)].
Qed.

(** ** Infinite means *)

Section InfiniteMeans.
Variables (f0 S0 M0 : R -> R) (least0 : R) (most0 : Rbar) (f1 S1 M1 : R -> R) (least1 : R) (most1 : Rbar) (L0 L1 : R -> R).
Hypotheses (law0 : law_of_one f0 S0 M0 least0 most0) (law1 : law_of_one f1 S1 M1 least1 most1).
Local Notation A := (independent f0 f1).
Hypothesis cost0 : forall p, 0 < p < 1 -> over_areas [A] (pay0 p) (L0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> over_areas [A] (pay1 p) (L1 p).

(** The threshold of costs rises with [c0] and falls with [c1]. *)
Lemma threshold_order a b c d : 0 < a -> 0 < b -> 0 < c -> 0 < d -> a <= c -> d <= b -> a / (a + b) <= c / (c + d).
Proof.
  intros A B C D AC DB. apply (below_by ((c * (b - d) + d * (c - a)) / ((a + b) * (c + d)))); [field; lra |].
  apply Rdiv_le_0_compat; [| apply Rmult_lt_0_compat; lra]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.

Theorem independent_cost0_grows : most0 = p_infty -> filterlim L0 (at_left 1) (Rbar_locally p_infty).
Proof.
  intros Infinite P [bound HP]. destruct (some_tail _ _ _ _ _ law1) as (y & Y & Some).
  destruct (mean_without_bound _ _ _ _ _ law0 (2 * Rabs bound) Infinite) as (b & B & Great).
  assert (Last : b / (b + y) < 1) by (apply (strictly_below_by (y / (b + y))); [field; lra | apply Rdiv_lt_0_compat; lra]).
  assert (First : 0 < b / (b + y)) by (apply Rdiv_lt_0_compat; lra).
  apply filter_imp with (2 := left_of _ 1 Last). intros p [Low High]. apply HP.
  apply Rlt_le_trans with ((M0 b - least0) * S1 y).
  - pose proof (Rabs_pos bound). pose proof (Rle_abs bound). assert ((M0 b - least0) * (1 / 2) <= (M0 b - least0) * S1 y) by (apply Rmult_le_compat_l; lra). lra.
  - apply (over_areas_le [A] (fun c0 c1 => only_below b c0 * from_on y c1) (pay0 p)).
    + apply (independent_is_lawful _ _ _ _ _ _ _ _ _ _ law0 law1).
    + intros c0 c1 P0 P1. unfold only_below, from_on, pay0. destruct (Rlt_dec c0 b), (Rlt_dec c1 y), (Rlt_dec _ p); try lra.
      pose proof (threshold_order c0 c1 b y P0 P1 B Y ltac:(lra) ltac:(lra)). lra.
    + apply (over_product f0 f1 (only_below b) (from_on y)); [apply (over_only_below _ _ _ _ _ law0 b B) | apply (over_from_on _ _ _ _ _ law1 y Y)].
    + apply cost0. lra.
Qed.
Theorem independent_cost1_grows : most1 = p_infty -> filterlim L1 (at_right 0) (Rbar_locally p_infty).
Proof.
  intros Infinite P [bound HP]. destruct (some_tail _ _ _ _ _ law0) as (x & X & Some).
  destruct (mean_without_bound _ _ _ _ _ law1 (2 * Rabs bound) Infinite) as (b & B & Great).
  assert (Last : x / (x + b) < 1) by (apply (strictly_below_by (b / (x + b))); [field; lra | apply Rdiv_lt_0_compat; lra]).
  assert (First : 0 < x / (x + b)) by (apply Rdiv_lt_0_compat; lra).
  apply filter_imp with (2 := right_of 0 _ First). intros p [Low High]. apply HP.
  apply Rlt_le_trans with (S0 x * (M1 b - least1)).
  - pose proof (Rabs_pos bound). pose proof (Rle_abs bound). assert (1 / 2 * (M1 b - least1) <= S0 x * (M1 b - least1)) by (apply Rmult_le_compat_r; lra). lra.
  - apply (over_areas_le [A] (fun c0 c1 => from_on x c0 * only_below b c1) (pay1 p)).
    + apply (independent_is_lawful _ _ _ _ _ _ _ _ _ _ law0 law1).
    + intros c0 c1 P0 P1. unfold only_below, from_on, pay1. destruct (Rlt_dec c0 x), (Rlt_dec c1 b), (Rlt_dec _ p); try lra.
      pose proof (threshold_order x b c0 c1 X B P0 P1 ltac:(lra) ltac:(lra)). lra.
    + apply (over_product f0 f1 (from_on x) (only_below b)); [apply (over_from_on _ _ _ _ _ law0 x X) | apply (over_only_below _ _ _ _ _ law1 b B)].
    + apply cost1. lra.
Qed.
End InfiniteMeans.
