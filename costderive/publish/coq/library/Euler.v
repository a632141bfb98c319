(** Hypergeometric functions by Euler's integral, and Burr costs with the same power, whose expected costs they are. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete BetaGamma Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal Independent Spread Bells Far Moments Families.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

Definition euler_density (a b c z t : R) : R := Rpower t (b - 1) * (Rpower (1 + t) (a - c) * Rpower (1 + (1 - z) * t) (- a)).
Definition hypergeometric (a b c z : R) : R :=
  RInt_gen (euler_density a b c z) (at_right 0) (Rbar_locally p_infty) / beta b (c - b).

(** Burr costs: Lomax ones have the power [k = 1], and log-logistic ones the tail [a = 1]. *)
Definition burr_density (k a m x : R) : R := a * k / m * Rpower (x / m) (k - 1) * Rpower (1 + Rpower (x / m) k) (- a - 1).
Definition burr_tail (k a m x : R) : R := Rpower (1 + Rpower (x / m) k) (- a).
Definition burr_mean_below (k a m x : R) : R := a * m * incomplete_beta (1 + 1 / k) (a - 1 / k) (of_odds (Rpower (x / m) k)).
Definition burr_mean (k a m : R) : Rbar := if Rlt_dec 1 (k * a) then Finite (a * m * beta (1 + 1 / k) (a - 1 / k)) else p_infty.

(** * Integrals of what is below something with a finite integral *)

Section Dominated.
Variables (g h M : R -> R) (least most : R).
Hypothesis below : forall x, 0 < x -> 0 <= g x <= h x /\ continuous g x /\ is_derive M x (h x).
Hypotheses (Start : filterlim M (at_right 0) (locally least)) (Stop : is_lim M p_infty most).
Let H (x : R) : R := RInt g 1 x.

Lemma is_derive_dominated x : 0 < x -> is_derive H x (g x).
Proof.
  intro X. apply (is_derive_RInt g _ 1 x); [| apply below, X].
  apply filter_imp with (2 := near_right_of x 0 X). intros y Y. apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous.
  intros z [Z _]. apply below. pose proof (Rmin_glb_lt 1 y 0 Rlt_0_1 Y). lra.
Qed.
Lemma dominated_rises x y : 0 < x -> x <= y -> H x <= H y.
Proof. intros X XY. apply (rises_weakly H g); [exact XY |]. intros z Z. split; [apply is_derive_dominated | apply below]; lra. Qed.
Lemma rest_rises x y : 0 < x -> x <= y -> M x - H x <= M y - H y.
Proof.
  intros X XY. apply (rises_weakly (fun z => M z - H z) (fun z => h z - g z)); [exact XY |]. intros z Z. split.
  - apply (is_derive_minus (V := R_NormedModule) M H); [apply below; lra | apply is_derive_dominated; lra].
  - pose proof (proj1 (below z ltac:(lra))). lra.
Qed.
Lemma bound_rises x y : 0 < x -> x <= y -> M x <= M y.
Proof. intros X XY. pose proof (dominated_rises x y X XY). pose proof (rest_rises x y X XY). lra. Qed.
Lemma bound_below_most x : 0 < x -> M x <= most.
Proof.
  intro X. apply (is_lim_le_loc (fun _ => M x) M p_infty (M x) most); [| apply is_lim_const | exact Stop].
  exists x. intros y Y. apply bound_rises; lra.
Qed.
Lemma bound_above_least x : 0 < x -> least <= M x.
Proof.
  intro X. apply (limit_le (F := at_right 0) M (fun _ => M x)); [exact Start | apply filterlim_const |].
  apply filter_imp with (2 := right_of 0 x X). intros y Y. apply bound_rises; lra.
Qed.

Lemma dominated_has_limits : exists bottom top : R, filterlim H (at_right 0) (locally bottom) /\ is_lim H p_infty top.
Proof.
  destruct (bounded_has_limit H (H 1 + most - M 1)) as [top Top].
  - intros x y X. apply dominated_rises; lra.
  - intros x X. pose proof (bound_below_most x X). pose proof (bound_below_most 1 Rlt_0_1).
    destruct (Rle_dec x 1) as [Less | More].
    + pose proof (dominated_rises x 1 X Less). lra.
    + pose proof (rest_rises 1 x Rlt_0_1 ltac:(lra)). lra.
  - destruct (bounded_has_limit (fun y => - H (/ y)) (M 1 - H 1 - least)) as [bottom Bottom].
    + intros x y X. apply Ropp_le_contravar, dominated_rises; [apply Rinv_0_lt_compat | apply Rinv_le_contravar]; lra.
    + intros y Y. assert (X : 0 < / y) by (apply Rinv_0_lt_compat, Y). pose proof (bound_above_least (/ y) X).
      pose proof (bound_above_least 1 Rlt_0_1). destruct (Rle_dec (/ y) 1) as [Less | More].
      * pose proof (rest_rises (/ y) 1 X Less). lra.
      * pose proof (dominated_rises 1 (/ y) Rlt_0_1 ltac:(lra)). lra.
    + exists (- bottom), top. split; [| exact Top].
      apply (filterlim_ext_loc (fun x => - - H (/ / x))).
      * apply filter_imp with (2 := right_of 0 1 Rlt_0_1). intros x X. rewrite Rinv_inv. ring.
      * apply (filterlim_comp _ _ _ (fun x => - H (/ / x)) Ropp _ (locally bottom)); [| exact (filterlim_opp (V := R_NormedModule) bottom)].
        exact (filterlim_comp _ _ _ Rinv (fun y => - H (/ y)) _ _ _ over_e_grows Bottom).
Qed.
End Dominated.

(** * Euler's integral *)

Section Euler.
Variables a b c z : R.
Hypotheses (A : 0 < a) (order : 0 < b < c) (below1 : z < 1).
Let lowest := Rmin 1 (1 - z).
Let K := Rpower lowest (- a).

Let inside t : 0 < t -> 0 < 1 + (1 - z) * t.
Proof. intro T. assert (0 < (1 - z) * t) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Lemma continuous_euler t : 0 < t -> continuous (euler_density a b c z) t.
Proof.
  intro T. pose proof (inside t T). apply (ex_derive_continuous (V := R_NormedModule)).
  unfold euler_density, Rpower. auto_derive. repeat split; lra.
Qed.
Lemma euler_positive t : 0 < euler_density a b c z t.
Proof. repeat apply Rmult_lt_0_compat; apply Rpower_positive. Qed.

Lemma euler_below t : 0 < t -> euler_density a b c z t <= K * odds_speed b (c - b) t.
Proof.
  intro T. pose proof (inside t T). assert (L : lowest <= 1) by apply Rmin_l. assert (L' : lowest <= 1 - z) by apply Rmin_r.
  assert (P : 0 < lowest) by (apply Rmin_glb_lt; lra).
  assert (Above : lowest * (1 + t) <= 1 + (1 - z) * t) by (assert (lowest * t <= (1 - z) * t) by (apply Rmult_le_compat_r; lra); lra).
  assert (Q : 0 < lowest * (1 + t)) by (apply Rmult_lt_0_compat; lra).
  assert (Less : Rpower (1 + (1 - z) * t) (- a) <= K * Rpower (1 + t) (- a)).
  { unfold K. rewrite Rpower_mult_distr by lra. rewrite !Rpower_Ropp. apply Rinv_le_contravar; [apply Rpower_positive |].
    apply Rle_Rpower_l; lra. }
  unfold euler_density, odds_speed. replace (- (b + (c - b))) with ((a - c) + - a) by ring. rewrite Rpower_plus.
  apply Rle_trans with (Rpower t (b - 1) * (Rpower (1 + t) (a - c) * (K * Rpower (1 + t) (- a)))); [| apply Req_le; ring].
  repeat (apply Rmult_le_compat_l; [apply Rlt_le, Rpower_positive |]). exact Less.
Qed.

Lemma euler_integral : exists bottom top : R,
  (forall t, 0 < t -> is_derive (RInt (euler_density a b c z) 1) t (euler_density a b c z t)) /\
  filterlim (RInt (euler_density a b c z) 1) (at_right 0) (locally bottom) /\ is_lim (RInt (euler_density a b c z) 1) p_infty top /\
  top - bottom = beta b (c - b) * hypergeometric a b c z.
Proof.
  assert (B : 0 < b) by lra. assert (C : 0 < c - b) by lra.
  assert (Below : forall t, 0 < t -> 0 <= euler_density a b c z t <= K * odds_speed b (c - b) t /\ continuous (euler_density a b c z) t /\
    is_derive (fun t => K * incomplete_beta b (c - b) (of_odds t)) t (K * odds_speed b (c - b) t)).
  { intros t T. split; [split | split].
    - apply Rlt_le, euler_positive.
    - apply euler_below, T.
    - apply continuous_euler, T.
    - exact (is_derive_scal (fun t => incomplete_beta b (c - b) (of_odds t)) t K _ (slope_of_beta_share b (c - b) B t T)). }
  assert (Start : filterlim (fun t => K * incomplete_beta b (c - b) (of_odds t)) (at_right 0) (locally 0))
    by apply tends_scaled_to_0, share_starts, B.
  assert (Stop : is_lim (fun t => K * incomplete_beta b (c - b) (of_odds t)) p_infty (K * beta b (c - b)))
    by exact (is_lim_scal_l _ K p_infty _ (share_ends b (c - b) B C)).
  destruct (dominated_has_limits _ _ _ 0 (K * beta b (c - b)) Below Start Stop) as (bottom & top & Bottom & Top).
  exists bottom, top. assert (D : forall t, 0 < t -> is_derive (RInt (euler_density a b c z) 1) t (euler_density a b c z t)).
  { intros t T. exact (is_derive_dominated _ _ _ Below t T). }
  split; [exact D | split; [exact Bottom | split; [exact Top |]]].
  assert (I : over_positive (euler_density a b c z) (top - bottom)).
  { apply (over_positive_by_limits (RInt (euler_density a b c z) 1)); [| exact Bottom | exact Top].
    intros t T. split; [apply D, T | apply continuous_euler, T]. }
  pose proof (beta_positive b (c - b) B C). unfold hypergeometric. rewrite (is_RInt_gen_unique _ _ I). field. lra.
Qed.
End Euler.

(** Where the second parameter of an incomplete Beta function is not positive it grows without bound towards 1. *)
Lemma share_without_bound a b : 1 <= a -> b <= 0 -> is_lim (fun t => incomplete_beta a b (of_odds t)) p_infty p_infty.
Proof.
  intros A B. set (F t := incomplete_beta a b (of_odds t)). set (c := Rpower (1 / 2) (a - 1)). assert (C : 0 < c) by apply Rpower_positive.
  apply (is_lim_le_p_loc (fun t => F 1 - c * ln 2 + c * ln (1 + t))).
  - exists 1. intros t T. assert (F 1 - c * ln (1 + 1) <= F t - c * ln (1 + t)); [| replace 2 with (1 + 1) by ring; lra].
    apply (rises_weakly (fun t => F t - c * ln (1 + t)) (fun t => odds_speed a b t - c * / (1 + t))); [lra |]. intros s S. split.
    + apply (is_derive_minus (V := R_NormedModule) F (fun t => c * ln (1 + t))); [apply slope_of_beta_share; lra |].
      auto_derive; [lra | field; lra].
    + assert (c * / (1 + s) <= odds_speed a b s); [| lra]. unfold odds_speed, c.
      apply Rle_trans with (Rpower (1 / 2) (a - 1) * (Rpower (1 + s) (a - 1) * Rpower (1 + s) (- (a + b)))).
      * apply Rmult_le_compat_l; [apply Rlt_le, Rpower_positive |]. rewrite <- Rpower_plus.
        rewrite <- (Rpower_1 (1 + s)) at 1 by lra. rewrite <- Rpower_Ropp. apply Rle_Rpower; lra.
      * rewrite <- Rmult_assoc, Rpower_mult_distr by lra. apply Rmult_le_compat_r; [apply Rlt_le, Rpower_positive | apply Rle_Rpower_l; lra].
  - apply (is_lim_ext (fun t => c * ln (1 + t) + (F 1 - c * ln 2))); [intro; ring |].
    apply (is_lim_comp (fun y => c * y + (F 1 - c * ln 2)) (fun t => ln (1 + t)) p_infty p_infty p_infty); [apply line_grows, C | | exists 0; discriminate].
    apply (is_lim_comp ln (fun t => 1 + t) p_infty p_infty p_infty); [apply is_lim_ln_p | | exists 0; discriminate].
    apply (is_lim_ext (fun t => 1 * t + 1)); [intro; ring | apply line_grows; lra].
Qed.

(** * Burr costs *)

Section Burr.
Variables k a m : R.
Hypotheses (K : 0 < k) (A : 0 < a) (scale : 0 < m).
Local Notation odds x := (Rpower (x / m) k).

Lemma odds_positive_at x : 0 < odds x.
Proof. apply Rpower_positive. Qed.
Lemma next_odds x : 0 < x -> x * Rpower (x / m) (k - 1) = m * odds x.
Proof.
  intro X. assert (0 < x / m) by (apply Rdiv_lt_0_compat; assumption).
  replace (odds x) with (Rpower (x / m) (k - 1) * Rpower (x / m) 1) by (rewrite <- Rpower_plus; f_equal; ring).
  rewrite Rpower_1 by assumption. field. lra.
Qed.
Lemma root_of_odds x : 0 < x -> Rpower (odds x) (1 / k) = x / m.
Proof.
  intro X. assert (0 < x / m) by (apply Rdiv_lt_0_compat; assumption). rewrite Rpower_mult.
  replace (k * (1 / k)) with 1 by (field; lra). apply Rpower_1. assumption.
Qed.
Lemma odds_slope x : 0 < x -> is_derive (fun x => odds x) x (k / x * odds x).
Proof.
  intro X. assert (0 < x / m) by (apply Rdiv_lt_0_compat; assumption).
  replace (k / x * odds x) with (/ m * (k * Rpower (x / m) (k - 1)))
    by (apply (Rmult_eq_reg_l (m * x)); [| apply Rmult_integral_contrapositive_currified; lra];
      replace (m * x * (k / x * odds x)) with (k * (m * odds x)) by (field; lra); rewrite <- (next_odds x X); field; lra).
  apply (is_derive_comp (fun y => Rpower y k) (fun x => x / m)); [apply is_derive_Rpower; assumption |]. auto_derive; [exact I | field; lra].
Qed.
Lemma odds_start : filterlim (fun x => odds x) (at_right 0) (at_right 0).
Proof.
  intros P [e H]. assert (L : filterlim (fun x => odds x) (at_right 0) (locally 0)).
  { apply (filterlim_ext (fun x => Rpower (/ m * x) k)); [intro; f_equal; field; lra |].
    exact (filterlim_comp _ _ _ _ (fun y => Rpower y k) _ _ _ (multiple_comes_to_0 (/ m) (Rinv_0_lt_compat m scale)) (power_starts k K)). }
  exact (filter_imp (F := at_right 0) (fun x => ball 0 e (odds x)) (fun x => P (odds x)) (fun x X => H _ X (odds_positive_at x)) (L _ (locally_ball 0 e))).
Qed.
Lemma odds_grow : filterlim (fun x => odds x) (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
  apply (filterlim_ext (fun x => Rpower (/ m * x) k)); [intro; f_equal; field; lra |].
  exact (filterlim_comp _ _ _ _ (fun y => Rpower y k) _ _ _ (multiple_grows (/ m) (Rinv_0_lt_compat m scale)) (power_grows_without_bound k K)).
Qed.

Lemma burr_is_dense x : 0 < x -> 0 < burr_density k a m x /\ continuous (burr_density k a m) x.
Proof.
  intro X. assert (0 < x / m) by (apply Rdiv_lt_0_compat; assumption). split.
  - unfold burr_density. repeat apply Rmult_lt_0_compat; try apply Rpower_positive; try assumption. apply Rinv_0_lt_compat, scale.
  - apply (ex_derive_continuous (V := R_NormedModule)). unfold burr_density, Rpower. auto_derive. repeat split; try assumption.
    apply Rplus_lt_0_compat; [lra | apply exp_pos].
Qed.

(** The slope of a function of the odds. *)
Lemma slope_by_odds (F : R -> R) x d : 0 < x -> is_derive F (odds x) d -> is_derive (fun x => F (odds x)) x (d * (k / x * odds x)).
Proof.
  intros X D. rewrite Rmult_comm. exact (is_derive_comp F (fun x => odds x) x d (k / x * odds x) D (odds_slope x X)).
Qed.

Lemma burr_law : law_of_one (burr_density k a m) (burr_tail k a m) (burr_mean_below k a m) 0 (burr_mean k a m).
Proof.
  assert (Root : 0 < 1 / k) by (apply Rdiv_lt_0_compat; lra).
  split; [intros x X | split; [| split; [| split]]].
  - pose proof (odds_positive_at x) as O. pose proof (next_odds x X) as N. destruct (burr_is_dense x X) as [Positive Steady].
    split; [lra | split; [exact Steady | split]].
    + replace (- burr_density k a m x) with (- a * Rpower (1 + odds x) (- a - 1) * (k / x * odds x))
        by (unfold burr_density; apply (Rmult_eq_reg_l (m * x)); [| apply Rmult_integral_contrapositive_currified; lra];
          replace (m * x * (- a * Rpower (1 + odds x) (- a - 1) * (k / x * odds x))) with (- a * k * Rpower (1 + odds x) (- a - 1) * (m * odds x)) by (field; lra);
          rewrite <- N; field; lra).
      apply (slope_by_odds (fun t => Rpower (1 + t) (- a))); [exact X |].
      evar_last; [apply (is_derive_comp (fun y => Rpower y (- a)) (fun t => 1 + t)); [apply is_derive_Rpower; lra | auto_derive; [exact I | reflexivity]] |].
      unfold scal; simpl; unfold mult; simpl. ring.
    + replace (x * burr_density k a m x) with (a * m * (odds_speed (1 + 1 / k) (a - 1 / k) (odds x) * (k / x * odds x))).
      * apply (is_derive_scal (fun x => incomplete_beta (1 + 1 / k) (a - 1 / k) (of_odds (odds x)))).
        apply (slope_by_odds (fun t => incomplete_beta (1 + 1 / k) (a - 1 / k) (of_odds t))); [exact X |]. apply slope_of_beta_share; lra.
      * unfold odds_speed, burr_density. replace (1 + 1 / k - 1) with (1 / k) by ring. rewrite root_of_odds by exact X.
        replace (- (1 + 1 / k + (a - 1 / k))) with (- a - 1) by ring.
        replace (x * (a * k / m * Rpower (x / m) (k - 1) * Rpower (1 + odds x) (- a - 1)))
          with (a * k / m * (x * Rpower (x / m) (k - 1)) * Rpower (1 + odds x) (- a - 1)) by ring.
        rewrite N. field. lra.
  - refine (filterlim_comp _ _ _ _ (fun t => Rpower (1 + t) (- a)) _ (at_right 0) _ odds_start _).
    apply (tends_from_right _ (fun t => Rpower (1 + t) (- a)) 0 1); [lra | reflexivity | |].
    + apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. lra.
    + rewrite Rplus_0_r. unfold Rpower. rewrite ln_1, Rmult_0_r. exact exp_0.
  - refine (filterlim_comp _ _ _ _ (fun t => Rpower (1 + t) (- a)) _ _ _ odds_grow _).
    apply (power_vanishes a (fun t => 1 + t) A). apply (is_lim_ext (fun t => 1 * t + 1)); [intro; ring | apply line_grows; lra].
  - apply (tends_scaled_to_0 (fun x => incomplete_beta (1 + 1 / k) (a - 1 / k) (of_odds (odds x)))).
    exact (filterlim_comp _ _ _ _ _ _ _ _ odds_start (share_starts (1 + 1 / k) (a - 1 / k) ltac:(lra))).
  - unfold burr_mean. destruct (Rlt_dec 1 (k * a)) as [Finite_mean | Infinite].
    + assert (B : 0 < a - 1 / k) by (apply (strictly_below_by ((k * a - 1) / k)); [field; lra | apply Rdiv_lt_0_compat; lra]).
      apply (is_lim_scal_l (fun x => incomplete_beta (1 + 1 / k) (a - 1 / k) (of_odds (odds x))) (a * m) p_infty (beta (1 + 1 / k) (a - 1 / k))).
      exact (filterlim_comp _ _ _ _ _ _ _ _ odds_grow (share_ends (1 + 1 / k) (a - 1 / k) ltac:(lra) B)).
    + assert (B : a - 1 / k <= 0) by (apply (below_by ((1 - k * a) / k)); [field; lra | apply Rdiv_le_0_compat; lra]).
      assert (AM : 0 < a * m) by (apply Rmult_lt_0_compat; assumption).
      refine (filterlim_comp _ _ _ _ (fun y => a * m * y) _ _ _ _ (multiple_grows (a * m) AM)).
      exact (filterlim_comp _ _ _ _ _ _ _ _ odds_grow (share_without_bound (1 + 1 / k) (a - 1 / k) ltac:(lra) B)).
Qed.

(** What is paid is Euler's integrand, with the odds for its variable. *)
Lemma burr_paid b n r x : 0 < n -> 0 < r -> 0 < x ->
  burr_tail k b n (r * x) * (x * burr_density k a m x) =
  a * m * (euler_density b (1 + 1 / k) (a + b + 1) (1 - Rpower (m * r / n) k) (odds x) * (k / x * odds x)).
Proof.
  intros N P X. pose proof (next_odds x X) as Next. unfold burr_tail, burr_density, euler_density.
  replace (1 + 1 / k - 1) with (1 / k) by ring. rewrite root_of_odds by exact X.
  replace (b - (a + b + 1)) with (- a - 1) by ring. replace (1 - (1 - Rpower (m * r / n) k)) with (Rpower (m * r / n) k) by ring.
  rewrite Rpower_mult_distr by (apply Rdiv_lt_0_compat; try apply Rmult_lt_0_compat; assumption).
  replace (m * r / n * (x / m)) with (r * x / n) by (field; lra).
  replace (x * (a * k / m * Rpower (x / m) (k - 1) * Rpower (1 + odds x) (- a - 1)))
    with (a * k / m * (x * Rpower (x / m) (k - 1)) * Rpower (1 + odds x) (- a - 1)) by ring.
  rewrite Next. field. lra.
Qed.

Lemma burr_integral b n r (g : R -> R) : 0 < b -> 0 < n -> 0 < r -> 1 < k * (a + b) ->
  (forall x, 0 < x -> g x = burr_tail k b n (r * x) * (x * burr_density k a m x)) -> exists (H : R -> R) (bottom top : R),
  (forall x, 0 < x -> is_derive H x (g x)) /\ filterlim H (at_right 0) (locally bottom) /\ is_lim H p_infty top /\
  top - bottom = a * m * (beta (1 + 1 / k) (a + b - 1 / k) * hypergeometric b (1 + 1 / k) (a + b + 1) (1 - Rpower (m * r / n) k)).
Proof.
  intros B N P Finite_cost E. assert (Root : 0 < 1 / k) by (apply Rdiv_lt_0_compat; lra).
  assert (C : 0 < a + b - 1 / k) by (apply (strictly_below_by ((k * (a + b) - 1) / k)); [field; lra | apply Rdiv_lt_0_compat; lra]).
  pose proof (Rpower_positive (m * r / n) k) as W.
  destruct (euler_integral b (1 + 1 / k) (a + b + 1) (1 - Rpower (m * r / n) k) B ltac:(lra) ltac:(lra)) as (bottom & top & D & Bottom & Top & Whole).
  set (F := RInt (euler_density b (1 + 1 / k) (a + b + 1) (1 - Rpower (m * r / n) k)) 1) in *.
  exists (fun x => a * m * F (odds x)), (a * m * bottom), (a * m * top). split; [| split; [| split]].
  - intros x X. rewrite E, burr_paid by assumption. apply (is_derive_scal (fun x => F (odds x))), slope_by_odds; [exact X | apply D, odds_positive_at].
  - apply (tends_scaled (F := at_right 0) (fun x => F (odds x)) (a * m)). exact (filterlim_comp _ _ _ _ F _ _ _ odds_start Bottom).
  - apply (is_lim_scal_l (fun x => F (odds x)) (a * m) p_infty top). exact (filterlim_comp _ _ _ _ F _ _ _ odds_grow Top).
  - rewrite <- Rmult_minus_distr_l, Whole. replace (a + b + 1 - (1 + 1 / k)) with (a + b - 1 / k) by ring. reflexivity.
Qed.

(** The mean, which may be infinite, as a theorem on the reports 0 and 1 asks for it, beside any other cost. *)
Lemma burr_beside0 f S F least most : law_of_one f S F least most -> forall L0 : R -> R,
  (forall p, 0 < p < 1 -> over_areas [independent (burr_density k a m) f] (pay0 p) (L0 p)) -> match burr_mean k a m with
  Finite v => over_areas [independent (burr_density k a m) f] (fun c0 _ => c0) v
  | _ => filterlim L0 (at_left 1) (Rbar_locally p_infty) /\ burr_mean k a m = p_infty end.
Proof.
  intros Other L0 cost0. pose proof burr_law as Law. unfold burr_mean in Law |- *. destruct (Rlt_dec 1 (k * a)).
  - replace (a * m * beta (1 + 1 / k) (a - 1 / k)) with (a * m * beta (1 + 1 / k) (a - 1 / k) - 0) by ring.
    exact (independent_mean0 _ _ _ _ _ _ _ _ _ _ Law Other).
  - split; [exact (independent_cost0_grows _ _ _ _ _ _ _ _ _ _ L0 Law Other cost0 eq_refl) | reflexivity].
Qed.
Lemma burr_beside1 f S F least most : law_of_one f S F least most -> forall L1 : R -> R,
  (forall p, 0 < p < 1 -> over_areas [independent f (burr_density k a m)] (pay1 p) (L1 p)) -> match burr_mean k a m with
  Finite v => over_areas [independent f (burr_density k a m)] (fun _ c1 => c1) v
  | _ => filterlim L1 (at_right 0) (Rbar_locally p_infty) /\ burr_mean k a m = p_infty end.
Proof.
  intros Other L1 cost1. pose proof burr_law as Law. unfold burr_mean in Law |- *. destruct (Rlt_dec 1 (k * a)).
  - replace (a * m * beta (1 + 1 / k) (a - 1 / k)) with (a * m * beta (1 + 1 / k) (a - 1 / k) - 0) by ring.
    exact (independent_mean1 _ _ _ _ _ _ _ _ _ _ Other Law).
  - split; [exact (independent_cost1_grows _ _ _ _ _ _ _ _ _ _ L1 Other Law cost1 eq_refl) | reflexivity].
Qed.
End Burr.

Section BurrPair.
Variables k a m b n : R.
Hypotheses (K : 0 < k) (A : 0 < a) (M : 0 < m) (B : 0 < b) (N : 0 < n) (finite_costs : 1 < k * (a + b)).
Local Notation areas := [independent (burr_density k a m) (burr_density k b n)].
Let law0 := burr_law k a m K A M.
Let law1 := burr_law k b n K B N.

Theorem burr_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p)
  (a * m * (beta (1 + 1 / k) (a + b - 1 / k) * hypergeometric b (1 + 1 / k) (a + b + 1) (1 - Rpower (m * (1 - p) / (n * p)) k))).
Proof.
  intro P. assert (O : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra).
  replace (m * (1 - p) / (n * p)) with (m * ((1 - p) / p) / n) by (field; lra).
  destruct (burr_integral k a m K M b n ((1 - p) / p) (fun x => burr_tail k b n (x * (1 - p) / p) * (x * burr_density k a m x)) B N O finite_costs)
    as (H & bottom & top & D & Bottom & Top & <-).
  - intros x X. replace (x * (1 - p) / p) with ((1 - p) / p * x) by (field; lra). reflexivity.
  - exact (independent_cost0 _ _ _ _ _ _ _ _ _ _ law0 law1 p P H bottom top D Bottom Top).
Qed.
Theorem burr_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p)
  (b * n * (beta (1 + 1 / k) (a + b - 1 / k) * hypergeometric a (1 + 1 / k) (a + b + 1) (1 - Rpower (n * p / (m * (1 - p))) k))).
Proof.
  intro P. assert (O : 0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  replace (n * p / (m * (1 - p))) with (n * (p / (1 - p)) / m) by (field; lra). rewrite (Rplus_comm a b) in *.
  destruct (burr_integral k b n K N a m (p / (1 - p)) (fun x => burr_tail k a m (p * x / (1 - p)) * (x * burr_density k b n x)) A M O finite_costs)
    as (H & bottom & top & D & Bottom & Top & <-).
  - intros x X. replace (p * x / (1 - p)) with (p / (1 - p) * x) by (field; lra). reflexivity.
  - exact (independent_cost1 _ _ _ _ _ _ _ _ _ _ law0 law1 p P H bottom top D Bottom Top).
Qed.

Variables L0 L1 : R -> R.
Hypothesis cost0 : forall p, 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).

Lemma burr_mean_is0 : match burr_mean k a m with
  Finite v => over_areas areas (fun c0 _ => c0) v | _ => filterlim L0 (at_left 1) (Rbar_locally p_infty) /\ burr_mean k a m = p_infty end.
Proof. exact (burr_beside0 k a m K A M _ _ _ _ _ law1 L0 cost0). Qed.
Lemma burr_mean_is1 : match burr_mean k b n with
  Finite v => over_areas areas (fun _ c1 => c1) v | _ => filterlim L1 (at_right 0) (Rbar_locally p_infty) /\ burr_mean k b n = p_infty end.
Proof. exact (burr_beside1 k b n K B N _ _ _ _ _ law0 L1 cost1). Qed.
End BurrPair.

Lemma burr_shapes k a b : 0 < k -> 1 < k * (a + b) -> 0 < 1 + 1 / k /\ 0 < a + b - 1 / k.
Proof.
  intros K Surplus. assert (0 < 1 / k) by (apply Rdiv_lt_0_compat; lra). split; [lra |].
  apply (strictly_below_by ((k * (a + b) - 1) / k)); [field; lra | apply Rdiv_lt_0_compat; lra].
Qed.

(** A finite mean. *)
Theorem burr_mean0 k a m b n : 0 < k -> 0 < a -> 0 < m -> 0 < b -> 0 < n -> 1 < k * a ->
  over_areas [independent (burr_density k a m) (burr_density k b n)] (fun c0 _ => c0) (a * m * beta (1 + 1 / k) (a - 1 / k)).
Proof.
  intros K A M B N Mean. pose proof (burr_law k a m K A M) as Law. unfold burr_mean in Law. destruct (Rlt_dec 1 (k * a)); [| contradiction].
  apply over_areas_is with (1 := independent_mean0 _ _ _ _ _ _ _ _ _ _ Law (burr_law k b n K B N)). ring.
Qed.
Theorem burr_mean1 k a m b n : 0 < k -> 0 < a -> 0 < m -> 0 < b -> 0 < n -> 1 < k * b ->
  over_areas [independent (burr_density k a m) (burr_density k b n)] (fun _ c1 => c1) (b * n * beta (1 + 1 / k) (b - 1 / k)).
Proof.
  intros K A M B N Mean. pose proof (burr_law k b n K B N) as Law. unfold burr_mean in Law. destruct (Rlt_dec 1 (k * b)); [| contradiction].
  apply over_areas_is with (1 := independent_mean1 _ _ _ _ _ _ _ _ _ _ (burr_law k a m K A M) Law). ring.
Qed.

(** * Tactics for files *)

(** The same hypergeometric function wherever it stands; what else there is are fractions. *)
Ltac same_bases :=
  repeat match goal with |- context [Rpower ?x ?k] => match goal with |- context [Rpower ?y k] =>
    assert_fails (constr_eq x y); replace (Rpower x k) with (Rpower y k) by (f_equal; field; see) end end.
Ltac same_parameter :=
  first [ solve [field; see] | solve [whole_exponents; field; see] | solve [same_bases; field; see] | solve [spread_powers; field; see] ].
Ltac by_root_of_pi :=
  let r := fresh "r" in let E := fresh "E" in let P := fresh "P" in
  assert (P : 0 < sqrt PI) by (apply sqrt_lt_R0, PI_RGT_0); remember (sqrt PI) as r eqn:E;
  replace PI with (r * r) by (rewrite E; apply sqrt_def, Rlt_le, PI_RGT_0).
Ltac closed_hypergeometric :=
  repeat match goal with |- context [hypergeometric ?a ?b ?c ?z] =>
    match goal with |- context [hypergeometric ?d ?e ?f ?y] =>
      assert_fails (constr_eq (hypergeometric a b c z) (hypergeometric d e f y));
      replace (hypergeometric a b c z) with (hypergeometric d e f y) by (f_equal; same_parameter)
    end
  end;
  first [solve [field; see] | by_root_of_pi; field; see].
Ltac closed_beta :=
  repeat match goal with |- context [beta ?a ?b] => match goal with |- context [beta ?c ?d] =>
    assert_fails (constr_eq (beta a b) (beta c d)); replace (beta a b) with (beta c d) by (f_equal; field; see) end end;
  field; see.
