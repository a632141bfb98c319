(** Hypergeometric functions by Euler's integral, and Lomax costs of any shapes, whose expected costs they are. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete BetaGamma Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal Independent Spread Bells Far Moments Families.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

Definition euler_density (a b c z t : R) : R := Rpower t (b - 1) * (Rpower (1 + t) (a - c) * Rpower (1 + (1 - z) * t) (- a)).
Definition hypergeometric (a b c z : R) : R :=
  RInt_gen (euler_density a b c z) (at_right 0) (Rbar_locally p_infty) / beta b (c - b).

Definition lomax_density (a m x : R) : R := a / m * Rpower (1 + x / m) (- a - 1).
Definition lomax_tail (a m x : R) : R := Rpower (1 + x / m) (- a).
Definition lomax_mean_below (a m x : R) : R := m * Rpower (1 + x / m) (- a) - a * m / (a - 1) * Rpower (1 + x / m) (- (a - 1)).

(** * Integrals of what is below a density times its cost *)

Lemma rises_weakly F f a b : a <= b -> (forall x, a <= x <= b -> is_derive F x (f x) /\ 0 <= f x) -> F a <= F b.
Proof.
  intros AB D. destruct (MVT_gen F a b f) as (c & C & E).
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. apply D. lra.
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. apply continuity_pt_filterlim, (ex_derive_continuous (V := R_NormedModule)).
    eexists. apply D, X.
  - rewrite Rmin_left, Rmax_right in C by exact AB. assert (0 <= f c * (b - a)) by (apply Rmult_le_pos; [apply D, C | lra]). lra.
Qed.

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

(** * Expected costs *)

Lemma tail_falls f S M least most x y : law_of_one f S M least most -> 0 < x -> x <= y -> S y <= S x.
Proof.
  intros (D & _) X XY. assert (- S x <= - S y); [| lra]. apply (rises_weakly (fun z => - S z) f); [exact XY |].
  intros z Z. destruct (D z ltac:(lra)) as (N & _ & S' & _). split; [| exact N].
  replace (f z) with (- - f z) by ring. exact (is_derive_opp S z _ S').
Qed.
Lemma tail_between f S M least most x : law_of_one f S M least most -> 0 < x -> 0 <= S x <= 1.
Proof.
  intros L X. pose proof L as (_ & Start & Stop & _). split.
  - apply (is_lim_le_loc S (fun _ => S x) p_infty 0 (S x)); [| exact Stop | apply is_lim_const].
    exists x. intros y Y. apply (tail_falls f S M least most x y L); lra.
  - apply (limit_le (F := at_right 0) (fun _ => S x) S); [apply filterlim_const | exact Start |].
    apply filter_imp with (2 := right_of 0 x X). intros y Y. apply (tail_falls f S M least most y x L); lra.
Qed.

(** A cost times its density times the tail of the other one at a multiple has a finite integral. *)
Lemma paid_has_limits f S M least most f' S' M' least' most' k (g : R -> R) :
  law_of_one f S M least most -> law_of_one f' S' M' least' most' -> 0 < k ->
  (forall x, 0 < x -> g x = S' (k * x) * (x * f x)) ->
  exists bottom top : R, (forall x, 0 < x -> is_derive (RInt g 1) x (g x) /\ continuous g x) /\
    filterlim (RInt g 1) (at_right 0) (locally bottom) /\ is_lim (RInt g 1) p_infty top.
Proof.
  intros L L' K E. pose proof L as (D & _ & _ & Start & Stop). pose proof L' as (D' & _).
  assert (Below : forall x, 0 < x -> 0 <= g x <= x * f x /\ continuous g x /\ is_derive M x (x * f x)).
  { intros x X. destruct (D x X) as (N & C & _ & M''). assert (Y : 0 < k * x) by (apply Rmult_lt_0_compat; assumption).
    pose proof (tail_between _ _ _ _ _ (k * x) L' Y) as T. assert (P : 0 <= x * f x) by (apply Rmult_le_pos; lra).
    split; [| split; [| exact M'']].
    - rewrite E by exact X. split; [apply Rmult_le_pos; lra |].
      rewrite <- (Rmult_1_l (x * f x)) at 2. apply Rmult_le_compat_r; lra.
    - apply (continuous_ext_loc _ (fun x => S' (k * x) * (x * f x))).
      + apply filter_imp with (2 := near_right_of x 0 X). intros y Z. symmetry. apply E, Z.
      + apply (continuous_mult (fun x => S' (k * x)) (fun x => x * f x)).
        * destruct (D' _ Y) as (_ & _ & Slope & _).
          apply continuous_at_multiple, (ex_derive_continuous (V := R_NormedModule)). eexists. exact Slope.
        * apply (continuous_mult (fun x => x) f); [apply continuous_id | exact C]. }
  destruct (dominated_has_limits g (fun x => x * f x) M least most Below Start Stop) as (bottom & top & Bottom & Top).
  exists bottom, top. split; [| split; assumption]. intros x X.
  split; [apply (is_derive_dominated g (fun x => x * f x) M Below x X) | apply Below, X].
Qed.

(** The integral of what is a multiple of Euler's integrand of a multiple of the variable. *)
Lemma is_euler (g F : R -> R) (bottom top s k a b c z : R) : (forall x, 0 < x -> is_derive F x (g x) /\ continuous g x) ->
  filterlim F (at_right 0) (locally bottom) -> is_lim F p_infty top -> 0 < s -> k <> 0 -> 0 < b < c ->
  (forall t, 0 < t -> k * (s * g (s * t)) = euler_density a b c z t) ->
  top - bottom = beta b (c - b) * hypergeometric a b c z / k.
Proof.
  intros D Bottom Top S K B E. pose proof (beta_positive b (c - b) ltac:(lra) ltac:(lra)).
  assert (I : over_positive (fun t => s * g (s * t)) (top - bottom)).
  { apply (over_positive_by_limits (fun t => F (s * t))).
    - intros t T. assert (Y : 0 < s * t) by (apply Rmult_lt_0_compat; assumption). destruct (D _ Y) as [F' C]. split.
      + apply slope_at_multiple; assumption.
      + apply (continuous_scal_r (V := R_NormedModule) s (fun t => g (s * t))), continuous_at_multiple, C.
    - exact (filterlim_comp _ _ _ _ F _ _ _ (multiple_comes_to_0 s S) Bottom).
    - exact (filterlim_comp _ _ _ _ F _ _ _ (multiple_grows s S) Top). }
  assert (J : over_positive (euler_density a b c z) (k * (top - bottom))).
  { apply (over_positive_ext (fun t => k * (s * g (s * t)))); [exact E | exact (is_RInt_gen_scal _ k _ I)]. }
  unfold hypergeometric. rewrite (is_RInt_gen_unique _ _ J). field. lra.
Qed.

Section Euler.
Variables (f0 S0 M0 : R -> R) (least0 most0 : R) (f1 S1 M1 : R -> R) (least1 most1 : R).
Hypotheses (law0 : law_of_one f0 S0 M0 least0 most0) (law1 : law_of_one f1 S1 M1 least1 most1).
Variables p s k a b c z : R.
Hypotheses (Unit : 0 < p < 1) (scale : 0 < s) (factor : k <> 0) (order : 0 < b < c).

Theorem euler_cost0 :
  (forall t, 0 < t -> k * (s * (S1 (s * t * (1 - p) / p) * (s * t * f0 (s * t)))) = euler_density a b c z t) ->
  over_areas [independent f0 f1] (pay0 p) (beta b (c - b) * hypergeometric a b c z / k).
Proof.
  intro E. assert (O : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra).
  destruct (paid_has_limits f0 S0 M0 least0 most0 f1 S1 M1 least1 most1 ((1 - p) / p)
    (fun x => S1 (x * (1 - p) / p) * (x * f0 x)) law0 law1 O) as (bottom & top & D & Bottom & Top).
  { intros x X. replace (x * (1 - p) / p) with ((1 - p) / p * x) by (field; lra). reflexivity. }
  rewrite <- (is_euler _ _ bottom top s k a b c z D Bottom Top scale factor order E).
  apply (independent_cost0 f0 S0 M0 least0 most0 f1 S1 M1 least1 most1 law0 law1 p Unit (RInt (fun x => S1 (x * (1 - p) / p) * (x * f0 x)) 1) bottom top);
    [apply D | exact Bottom | exact Top].
Qed.
Theorem euler_cost1 :
  (forall t, 0 < t -> k * (s * (S0 (p * (s * t) / (1 - p)) * (s * t * f1 (s * t)))) = euler_density a b c z t) ->
  over_areas [independent f0 f1] (pay1 p) (beta b (c - b) * hypergeometric a b c z / k).
Proof.
  intro E. assert (O : 0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  destruct (paid_has_limits f1 S1 M1 least1 most1 f0 S0 M0 least0 most0 (p / (1 - p))
    (fun x => S0 (p * x / (1 - p)) * (x * f1 x)) law1 law0 O) as (bottom & top & D & Bottom & Top).
  { intros x X. replace (p * x / (1 - p)) with (p / (1 - p) * x) by (field; lra). reflexivity. }
  rewrite <- (is_euler _ _ bottom top s k a b c z D Bottom Top scale factor order E).
  apply (independent_cost1 f0 S0 M0 least0 most0 f1 S1 M1 least1 most1 law0 law1 p Unit (RInt (fun x => S0 (p * x / (1 - p)) * (x * f1 x)) 1) bottom top);
    [apply D | exact Bottom | exact Top].
Qed.
End Euler.

(** * Lomax costs *)

Section Lomax.
Variables a m : R.
Hypotheses (A : 1 < a) (scale : 0 < m).

Let inside x : 0 < x -> 0 < 1 + x / m.
Proof. intro X. assert (0 < x / m) by (apply Rdiv_lt_0_compat; assumption). lra. Qed.

Lemma lomax_is_dense x : 0 < x -> 0 < lomax_density a m x /\ continuous (lomax_density a m) x.
Proof.
  intro X. pose proof (inside x X). split; [apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | apply Rpower_positive] |].
  apply (ex_derive_continuous (V := R_NormedModule)). unfold lomax_density, Rpower. auto_derive. lra.
Qed.
Lemma shifted_power_slope e x : 0 < x -> is_derive (fun x => Rpower (1 + x / m) e) x (e / m * Rpower (1 + x / m) (e - 1)).
Proof.
  intro X. pose proof (is_derive_Rpower (1 + x / m) e (inside x X)) as D.
  replace (e / m * Rpower (1 + x / m) (e - 1)) with (scal (/ m) (e * Rpower (1 + x / m) (e - 1))) by (unfold scal; simpl; unfold mult; simpl; field; lra).
  apply (is_derive_comp (fun y => Rpower y e) (fun x => 1 + x / m)); [exact D |]. auto_derive; [exact I | field; lra].
Qed.
Lemma shifted_power_starts e : continuous (fun x => Rpower (1 + x / m) e) 0.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. unfold Rdiv. rewrite Rmult_0_l. lra. Qed.
Lemma shifted_power_ends e : 0 < e -> is_lim (fun x => Rpower (1 + x / m) (- e)) p_infty 0.
Proof.
  intro E. apply (power_vanishes e (fun x => 1 + x / m) E). apply (is_lim_ext (fun x => / m * x + 1)); [intro; field; lra |].
  apply line_grows. apply Rinv_0_lt_compat, scale.
Qed.
Lemma at_0 e : Rpower (1 + 0 / m) e = 1.
Proof. unfold Rdiv, Rpower. rewrite Rmult_0_l, Rplus_0_r, ln_1, Rmult_0_r. exact exp_0. Qed.

Lemma lomax_law : law_of_one (lomax_density a m) (lomax_tail a m) (lomax_mean_below a m) (- (m / (a - 1))) 0.
Proof.
  split; [intros x X | split; [| split; [| split]]].
  - pose proof (inside x X). split; [apply Rlt_le, lomax_is_dense, X | split; [apply lomax_is_dense, X | split]].
    + replace (- lomax_density a m x) with (- a / m * Rpower (1 + x / m) (- a - 1)) by (unfold lomax_density; field; lra).
      apply shifted_power_slope, X.
    + evar_last.
      * apply (is_derive_minus (V := R_NormedModule) (fun x => m * Rpower (1 + x / m) (- a)) (fun x => a * m / (a - 1) * Rpower (1 + x / m) (- (a - 1))));
          apply is_derive_scal, shifted_power_slope, X.
      * unfold minus, plus, opp; simpl. unfold lomax_density. replace (- (a - 1) - 1) with (- a - 1 + 1) by ring.
        rewrite Rpower_plus, Rpower_1 by assumption. field. lra.
  - replace 1 with (Rpower (1 + 0 / m) (- a)) by apply at_0. exact (near_by_continuity _ 0 (shifted_power_starts (- a))).
  - apply shifted_power_ends. lra.
  - replace (- (m / (a - 1))) with (lomax_mean_below a m 0) by (unfold lomax_mean_below; rewrite !at_0; field; lra).
    apply near_by_continuity. apply (continuous_minus (V := R_NormedModule) (fun x => m * Rpower (1 + x / m) (- a)));
      apply (continuous_scal_r (V := R_NormedModule) _ (fun x => Rpower (1 + x / m) _)), shifted_power_starts.
  - replace (Finite 0) with (Finite (m * 0 - a * m / (a - 1) * 0)) by (f_equal; ring).
    apply is_lim_minus'; [apply (is_lim_scal_l _ m p_infty 0) | apply (is_lim_scal_l _ (a * m / (a - 1)) p_infty 0)];
      apply shifted_power_ends; lra.
Qed.
End Lomax.

Lemma euler_of_two_lomax a m b n r t : 0 < m -> 0 < n -> 0 < r -> 0 < a -> 0 < t ->
  / (a * m) * (m * (lomax_tail b n (r * (m * t)) * (m * t * lomax_density a m (m * t)))) =
  euler_density b 2 (a + b + 1) (1 - m * r / n) t.
Proof.
  intros M N P A T. unfold lomax_tail, lomax_density, euler_density.
  replace (m * t / m) with t by (field; lra). replace (2 - 1) with 1 by ring. rewrite Rpower_1 by exact T.
  replace (b - (a + b + 1)) with (- a - 1) by ring. replace ((1 - (1 - m * r / n)) * t) with (r * (m * t) / n) by (field; lra).
  field. lra.
Qed.

Lemma beta_at_2 q : 0 < q -> beta 2 q = / (q * (q + 1)).
Proof.
  intro Q. pose proof (beta_by_gammas 2 q ltac:(lra) Q) as B. pose proof (Gamma_positive q Q) as P.
  pose proof (Gamma_next q Q) as G. pose proof (Gamma_next (q + 1) ltac:(lra)) as G'. pose proof (Gamma_next 1 Rlt_0_1) as G2.
  replace (q + 1 + 1) with (2 + q) in G' by ring. replace (1 + 1) with 2 in G2 by ring. rewrite G', G, G2, Gamma_1 in B.
  apply (Rmult_eq_reg_l ((q + 1) * (q * Gamma q))); [rewrite B; field; lra |].
  apply Rgt_not_eq. repeat apply Rmult_lt_0_compat; lra.
Qed.

Theorem lomax_cost0 a m b n p : 1 < a -> 0 < m -> 1 < b -> 0 < n -> 0 < p < 1 ->
  over_areas [independent (lomax_density a m) (lomax_density b n)] (pay0 p)
    (a * m / ((a + b - 1) * (a + b)) * hypergeometric b 2 (a + b + 1) (1 - m * (1 - p) / (n * p))).
Proof.
  intros A M B N P. apply over_areas_is with (beta 2 (a + b + 1 - 2) * hypergeometric b 2 (a + b + 1) (1 - m * ((1 - p) / p) / n) / / (a * m)).
  - apply (euler_cost0 _ _ _ _ _ _ _ _ _ _ (lomax_law a m A M) (lomax_law b n B N) p m); try assumption.
    + apply Rinv_neq_0_compat, Rmult_integral_contrapositive_currified; lra.
    + lra.
    + intros t T. replace (m * t * (1 - p) / p) with ((1 - p) / p * (m * t)) by (field; lra).
      apply euler_of_two_lomax; try lra. apply Rdiv_lt_0_compat; lra.
  - rewrite beta_at_2 by lra. replace (m * ((1 - p) / p) / n) with (m * (1 - p) / (n * p)) by (field; lra). field. lra.
Qed.
Theorem lomax_cost1 a m b n p : 1 < a -> 0 < m -> 1 < b -> 0 < n -> 0 < p < 1 ->
  over_areas [independent (lomax_density a m) (lomax_density b n)] (pay1 p)
    (b * n / ((a + b - 1) * (a + b)) * hypergeometric a 2 (a + b + 1) (1 - n * p / (m * (1 - p)))).
Proof.
  intros A M B N P. apply over_areas_is with (beta 2 (b + a + 1 - 2) * hypergeometric a 2 (b + a + 1) (1 - n * (p / (1 - p)) / m) / / (b * n)).
  - apply (euler_cost1 _ _ _ _ _ _ _ _ _ _ (lomax_law a m A M) (lomax_law b n B N) p n); try assumption.
    + apply Rinv_neq_0_compat, Rmult_integral_contrapositive_currified; lra.
    + lra.
    + intros t T. replace (p * (n * t) / (1 - p)) with (p / (1 - p) * (n * t)) by (field; lra).
      apply euler_of_two_lomax; try lra. apply Rdiv_lt_0_compat; lra.
  - rewrite beta_at_2 by lra. replace (b + a + 1) with (a + b + 1) by ring.
    replace (n * (p / (1 - p)) / m) with (n * p / (m * (1 - p))) by (field; lra). field. lra.
Qed.

(** * Tactics for files *)

(** The same hypergeometric function wherever it stands; what else there is are fractions. *)
Ltac closed_hypergeometric :=
  repeat match goal with |- context [hypergeometric ?a ?b ?c ?z] =>
    match goal with |- context [hypergeometric ?d ?e ?f ?y] =>
      assert_fails (constr_eq (hypergeometric a b c z) (hypergeometric d e f y));
      replace (hypergeometric a b c z) with (hypergeometric d e f y) by (f_equal; field; see)
    end
  end;
  field; see.
