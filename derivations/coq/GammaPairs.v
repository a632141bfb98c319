(** Independent Gamma costs of any shapes, and others whose densities have exponentials of one power, as Weibull ones.

    What a class pays is the mean of a Gamma cost beside the tail of another one: with [y] for [r x^c], the integral
    of a Gamma density times an incomplete Gamma function, which is an incomplete Beta function (BetaGamma.v). *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete BetaGamma Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal Independent Bells Far Moments Families.
Import ListNotations.
Open Scope R_scope.

(** * Integrals from 0 to infinity *)

Lemma over_positive_unique (f : R -> R) (u v : R) : over_positive f u -> over_positive f v -> u = v.
Proof. intros U V. apply Rle_antisym; apply (over_positive_le f f); trivial; intros; apply Rle_refl. Qed.

(** What has an integral has an antiderivative with limits at both ends. *)
Lemma antiderivative_with_limits (f : R -> R) (v : R) : (forall x, 0 < x -> continuous f x) -> over_positive f v ->
  exists (F : R -> R) (bottom top : R), (forall x, 0 < x -> is_derive F x (f x)) /\ filterlim F (at_right 0) (locally bottom) /\
    is_lim F p_infty top /\ top - bottom = v.
Proof.
  intros C H. set (F := RInt f 1).
  assert (Some : forall x y : R, 0 < x -> 0 < y -> ex_RInt (V := R_NormedModule) f x y).
  { intros x y X Y. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z Z. apply C. pose proof (Rmin_glb_lt x y 0 X Y). lra. }
  assert (D : forall x, 0 < x -> is_derive F x (f x)).
  { intros x X. apply (is_derive_RInt f F 1 x); [| apply C, X].
    apply filter_imp with (2 := near_right_of x 0 X). intros y Y.
    apply (RInt_correct (V := R_CompleteNormedModule)), Some; lra. }
  assert (Change : forall x y z, 0 < x -> 0 < y -> is_RInt f x y z -> F y - F x = z).
  { intros x y z X Y Z. pose proof (RInt_Chasles (V := R_CompleteNormedModule) f 1 x y (Some 1 x Rlt_0_1 X) (Some x y X Y)) as E.
    rewrite (is_RInt_unique _ _ _ _ Z) in E. unfold plus in E; simpl in E. unfold F. lra. }
  assert (Near : forall e : posreal, exists P Q, at_right 0 P /\ Rbar_locally p_infty Q /\
    forall x y, P x -> Q y -> v - e / 2 < F y - F x < v + e / 2).
  { intros [e E]. assert (Half : 0 < e / 2) by lra. destruct (H _ (locally_ball v (mkposreal _ Half))) as [P Q HP HQ PQ].
    exists (fun x => P x /\ 0 < x < 1), (fun y => Q y /\ 0 < y).
    split; [apply filter_and; [exact HP | apply right_of; lra] |]. split; [apply filter_and; [exact HQ | apply eventually_above] |].
    intros x y [Px X] [Qy Y]. destruct (PQ x y Px Qy) as (z & Z & B). apply ball_between in B. simpl in B, Z.
    rewrite (Change x y z (proj1 X) Y Z). simpl. lra. }
  assert (Bottom : exists bottom, filterlim F (at_right 0) (locally bottom)).
  { apply (filterlim_locally_cauchy (U := R_CompleteNormedModule) (F := at_right 0) F). intro e.
    destruct (Near e) as (P & Q & HP & HQ & PQ). destruct (filter_ex _ HQ) as [y Y].
    exists P. split; [exact HP |]. intros u w U W. apply (ball_between (F u) (F w) e). pose proof (PQ u y U Y). pose proof (PQ w y W Y). lra. }
  assert (Top : exists top, filterlim F (Rbar_locally p_infty) (locally top)).
  { apply (filterlim_locally_cauchy (U := R_CompleteNormedModule) (F := Rbar_locally p_infty) F). intro e.
    destruct (Near e) as (P & Q & HP & HQ & PQ). destruct (filter_ex _ HP) as [x X].
    exists Q. split; [exact HQ |]. intros u w U W. apply (ball_between (F u) (F w) e). pose proof (PQ x u X U). pose proof (PQ x w X W). lra. }
  destruct Bottom as [bottom Bottom], Top as [top Top]. exists F, bottom, top. split; [exact D | split; [exact Bottom | split; [exact Top |]]].
  apply (over_positive_unique f); [| exact H]. apply (over_positive_by_limits F); try assumption.
  intros x X. split; [apply D, X | apply C, X].
Qed.

(** A Gamma density beside an incomplete Gamma function. *)
Section Against.
Variables a b k : R.
Hypotheses (A : 0 < a) (B : 0 < b) (K : 0 < k).

Lemma beside_lower_gamma : over_positive (against a b k) (Gamma (a + b) * incomplete_beta a b (of_odds k)).
Proof.
  assert (SumP : 0 < a + b) by lra. set (v := Gamma (a + b) * incomplete_beta a b (of_odds k)). intros P HP.
  set (low xy := (lower_gamma (a + b) (snd xy) - lower_gamma (a + b) ((1 + k) * fst xy)) * incomplete_beta a b (of_odds k)).
  assert (Low : filterlim low (filter_prod (at_right 0) (Rbar_locally p_infty)) (locally v)).
  { refine (filterlim_comp _ _ _ (fun xy : R * R => lower_gamma (a + b) (snd xy) - lower_gamma (a + b) ((1 + k) * fst xy))
      (fun y => y * incomplete_beta a b (of_odds k)) _ (locally (Gamma (a + b))) _ _ (filterlim_scal_l (V := R_NormedModule) (Gamma (a + b)) _)).
    replace (Gamma (a + b)) with (Gamma (a + b) + - 0) by ring.
    apply (filterlim_comp_2 (G := locally (Gamma (a + b))) (H := locally (- 0)) (fun xy : R * R => lower_gamma (a + b) (snd xy))
      (fun xy => - lower_gamma (a + b) ((1 + k) * fst xy)) Rplus); [| | exact (filterlim_plus (V := R_NormedModule) _ _)].
    - refine (filterlim_comp _ _ _ snd (lower_gamma (a + b)) _ _ _ filterlim_snd (lower_gamma_far (a + b) SumP)).
    - refine (filterlim_comp _ _ _ (fun xy : R * R => lower_gamma (a + b) ((1 + k) * fst xy)) Ropp _ (locally 0) _ _ (filterlim_opp (V := R_NormedModule) 0)).
      exact (filterlim_comp _ _ _ fst (fun e => lower_gamma (a + b) ((1 + k) * e)) _ _ _ filterlim_fst (lower_gamma_starts (a + b) (1 + k) SumP)). }
  assert (Between : filterlim (fun xy => partly a b (fst xy) (snd xy) k) (filter_prod (at_right 0) (Rbar_locally p_infty)) (locally v)).
  { apply (filterlim_le_le (F := filter_prod (at_right 0) (Rbar_locally p_infty)) low _ (fun _ => v) (Finite v)); [| exact Low | apply filterlim_const].
    apply filter_imp with (2 := within_positive). intros [e x] E. simpl in E.
    split; [exact (partly_above a b A B e x E k K) | exact (partly_below a b A B e x E k K)]. }
  assert (Near : filter_prod (at_right 0) (Rbar_locally p_infty) (fun xy => P (partly a b (fst xy) (snd xy) k))) by exact (Between P HP).
  refine (filter_imp _ _ _ (filter_and _ _ within_positive Near)). intros [e x] [E HE]. simpl in *.
  exists (partly a b e x k). split; [exact (is_partly a b A e x E k) | exact HE].
Qed.

Lemma gamma_density_integrates : over_positive (gamma_density b) (Gamma b).
Proof.
  apply over_positive_is with (Gamma b - 0); [| ring].
  apply (over_positive_by_limits (lower_gamma b)); [| | exact (lower_gamma_far b B)].
  - intros x X. split; [apply is_derive_lower_gamma; assumption | apply continuous_gamma_density, X].
  - apply (filterlim_ext (fun e => lower_gamma b (1 * e))); [intro; f_equal; ring | apply lower_gamma_starts, B].
Qed.

Definition gamma_beside (y : R) : R := gamma_density b y * upper_gamma a (k * y).
Lemma beside_upper_gamma : over_positive gamma_beside (Gamma (a + b) * incomplete_beta b a (1 - of_odds k)).
Proof.
  apply (over_positive_ext (fun y => Gamma a * gamma_density b y + -1 * against a b k y)).
  - intros y _. unfold gamma_beside, against, upper_gamma. ring.
  - replace (Gamma (a + b) * incomplete_beta b a (1 - of_odds k)) with (Gamma a * Gamma b + -1 * (Gamma (a + b) * incomplete_beta a b (of_odds k))).
    + apply over_positive_combined; [apply gamma_density_integrates | apply beside_lower_gamma].
    + rewrite (reflected a b A B (of_odds k) (of_odds_inside k K)), <- (beta_in_halves a b A B), <- (beta_by_gammas a b A B). ring.
Qed.
Lemma continuous_beside y : 0 < y -> continuous gamma_beside y.
Proof.
  intro Y. apply (continuous_mult (gamma_density b) (fun y => upper_gamma a (k * y))); [apply continuous_gamma_density, Y |].
  apply (continuous_comp (fun y => k * y) (upper_gamma a)); [| apply continuous_upper_gamma, A].
  apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
Qed.
End Against.

(** * Densities with an exponential of a power *)

(** The density of a Gamma cost if [c = 1], where [r] is 1 over the scale, and of a Weibull cost if [q = 1]. *)
Definition stretched (q c r x : R) : R := c * Rpower r q * Rpower x (q * c - 1) * exp (- (r * Rpower x c)) / Gamma q.
Definition stretched_tail (q c r x : R) : R := upper_gamma q (r * Rpower x c) / Gamma q.
Definition stretched_mean_below (q c r x : R) : R := Rpower r (- (1 / c)) / Gamma q * lower_gamma (q + 1 / c) (r * Rpower x c).
Definition stretched_mean (q c r : R) : R := Rpower r (- (1 / c)) / Gamma q * Gamma (q + 1 / c).

Section Stretched.
Variables q c r : R.
Hypotheses (Q : 0 < q) (C : 0 < c) (R0 : 0 < r).

Lemma inverse_power_positive : 0 < 1 / c.
Proof. apply Rdiv_lt_0_compat; lra. Qed.
Lemma scaled_positive x : 0 < r * Rpower x c.
Proof. apply Rmult_lt_0_compat; [exact R0 | apply Rpower_positive]. Qed.

Lemma slope_of_scaled (F : R -> R) x d : 0 < x -> is_derive F (r * Rpower x c) d ->
  is_derive (fun x => F (r * Rpower x c)) x (r * (c * Rpower x (c - 1)) * d).
Proof.
  intros X D. apply (is_derive_comp F (fun x => r * Rpower x c)); [exact D |].
  apply (is_derive_scal (fun x => Rpower x c)), is_derive_Rpower, X.
Qed.

Lemma stretched_by_gamma x : 0 < x ->
  stretched q c r x = r * (c * Rpower x (c - 1)) * gamma_density q (r * Rpower x c) / Gamma q.
Proof.
  intro X. pose proof (Gamma_positive q Q) as G. unfold stretched, gamma_density, Rpower.
  rewrite ln_mult, ln_exp by (apply exp_pos || exact R0).
  assert (E : exp (q * ln r) * exp ((q * c - 1) * ln x) = exp (ln r) * (exp ((c - 1) * ln x) * exp ((q - 1) * (ln r + c * ln x))))
    by (rewrite <- !exp_plus; f_equal; ring).
  rewrite exp_ln in E by exact R0.
  set (e := exp (- (r * exp (c * ln x)))).
  transitivity (c * e / Gamma q * (exp (q * ln r) * exp ((q * c - 1) * ln x))); [field; lra | rewrite E; field; lra].
Qed.
Lemma stretched_mean_by_gamma x : 0 < x ->
  x * stretched q c r x = Rpower r (- (1 / c)) / Gamma q * (r * (c * Rpower x (c - 1)) * gamma_density (q + 1 / c) (r * Rpower x c)).
Proof.
  intro X. pose proof (Gamma_positive q Q) as G. unfold stretched, gamma_density, Rpower.
  rewrite ln_mult, ln_exp by (apply exp_pos || exact R0).
  assert (E : exp (ln x) * (exp (q * ln r) * exp ((q * c - 1) * ln x)) =
    exp (- (1 / c) * ln r) * (exp (ln r) * (exp ((c - 1) * ln x) * exp ((q + 1 / c - 1) * (ln r + c * ln x)))))
    by (rewrite <- !exp_plus; f_equal; field; lra).
  rewrite !exp_ln in E by (exact R0 || exact X).
  set (e := exp (- (r * exp (c * ln x)))).
  transitivity (c * e / Gamma q * (x * (exp (q * ln r) * exp ((q * c - 1) * ln x)))); [field; lra | rewrite E; field; lra].
Qed.

Lemma stretched_positive x : 0 < stretched q c r x.
Proof.
  pose proof (Gamma_positive q Q). apply Rdiv_lt_0_compat; [| assumption].
  repeat apply Rmult_lt_0_compat; try apply Rpower_positive; try apply exp_pos; exact C.
Qed.
Lemma continuous_stretched x : 0 < x -> continuous (stretched q c r) x.
Proof.
  intro X. apply (continuous_ext (fun x => / Gamma q * (c * Rpower r q * Rpower x (q * c - 1) * exp (- (r * Rpower x c))))).
  - intro y. unfold stretched, Rdiv. apply Rmult_comm.
  - apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. repeat split; exact X.
Qed.

Lemma scaled_starts : filterlim (fun x => r * Rpower x c) (at_right 0) (locally 0).
Proof. apply tends_scaled_to_0, power_starts, C. Qed.
Lemma scaled_grows : is_lim (fun x => r * Rpower x c) p_infty p_infty.
Proof. exact (filterlim_comp _ _ _ _ (fun y => r * y) _ _ _ (power_grows_without_bound c C) (multiple_grows r R0)). Qed.
Lemma scaled_comes_to_0 : filterlim (fun x => r * Rpower x c) (at_right 0) (at_right 0).
Proof.
  intros P [e H]. pose proof (scaled_starts _ (locally_ball 0 e)) as Near.
  unfold filtermap in *. refine (filter_imp _ _ _ Near). intros x X. apply H; [exact X | apply scaled_positive].
Qed.

Lemma stretched_law : law_of_one (stretched q c r) (stretched_tail q c r) (stretched_mean_below q c r) 0 (stretched_mean q c r).
Proof.
  pose proof (Gamma_positive q Q) as G. pose proof inverse_power_positive as I.
  assert (Start : forall a, 0 < a -> filterlim (fun x => lower_gamma a (r * Rpower x c)) (at_right 0) (locally 0)).
  { intros a A. apply (filterlim_comp _ _ _ (fun x => r * Rpower x c) (lower_gamma a) _ (locally 0)); [exact scaled_starts |].
    pose proof (continuous_lower_gamma a A 0) as K. unfold continuous in K. rewrite lower_gamma_0 in K by lra. exact K. }
  split; [intros x X | split; [| split; [| split]]].
  - pose proof (scaled_positive x) as Z. split; [apply Rlt_le, stretched_positive | split; [apply continuous_stretched, X | split]].
    + rewrite stretched_by_gamma by exact X.
      apply (is_derive_ext (fun x => / Gamma q * upper_gamma q (r * Rpower x c))); [intro; unfold stretched_tail, Rdiv; apply Rmult_comm |].
      evar_last; [apply (is_derive_scal (fun x => upper_gamma q (r * Rpower x c))), slope_of_scaled; [exact X | apply is_derive_upper_gamma; assumption] |].
      unfold gamma_density. simpl. field. lra.
    + rewrite stretched_mean_by_gamma by exact X. apply (is_derive_scal (fun x => lower_gamma (q + 1 / c) (r * Rpower x c))).
      apply slope_of_scaled; [exact X | apply is_derive_lower_gamma; [lra | exact Z]].
  - apply (filterlim_ext (fun x => 1 - / Gamma q * lower_gamma q (r * Rpower x c))); [intro; unfold stretched_tail, upper_gamma; field; lra |].
    replace (locally 1) with (locally (1 - 0)) by (f_equal; ring). apply limit_of_difference; [exact _ | apply filterlim_const | apply tends_scaled_to_0, Start, Q].
  - apply (is_lim_ext (fun x => / Gamma q * upper_gamma q (r * Rpower x c))); [intro; unfold stretched_tail, Rdiv; apply Rmult_comm |].
    apply multiple_vanishes, upper_gamma_vanishes; [exact Q | exact scaled_grows].
  - apply tends_scaled_to_0, Start. lra.
  - apply (tends_scaled (F := Rbar_locally p_infty)).
    exact (filterlim_comp _ _ _ (fun x => r * Rpower x c) (lower_gamma (q + 1 / c)) _ _ _ scaled_grows (lower_gamma_far (q + 1 / c) ltac:(lra))).
Qed.

(** The mean of a cost beside the tail of another one, at [w] times the cost. *)
Lemma mean_beside_tail q' r' w : 0 < q' -> 0 < r' -> 0 < w -> exists (H : R -> R) (bottom top : R),
  (forall x, 0 < x -> is_derive H x (stretched_tail q' c r' (w * x) * (x * stretched q c r x))) /\
  filterlim H (at_right 0) (locally bottom) /\ is_lim H p_infty top /\
  top - bottom = Rpower r (- (1 / c)) * Gamma (q' + (q + 1 / c)) / (Gamma q * Gamma q') *
    incomplete_beta (q + 1 / c) q' (1 - of_odds (r' * Rpower w c / r)).
Proof.
  intros Q' R' W. pose proof (Gamma_positive q Q) as G. pose proof (Gamma_positive q' Q') as G'. pose proof inverse_power_positive as I.
  set (k := r' * Rpower w c / r).
  assert (K : 0 < k) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [exact R' | apply Rpower_positive] | exact R0]).
  destruct (antiderivative_with_limits _ _ (continuous_beside q' (q + 1 / c) k Q')
    (beside_upper_gamma q' (q + 1 / c) k Q' ltac:(lra) K)) as (F & bottom & top & D & Bottom & Top & V).
  set (m := Rpower r (- (1 / c)) / (Gamma q * Gamma q')).
  exists (fun x => m * F (r * Rpower x c)), (m * bottom), (m * top). split; [| split; [| split]].
  - intros x X. rewrite stretched_mean_by_gamma by exact X.
    evar_last; [apply (is_derive_scal (fun x => F (r * Rpower x c))), slope_of_scaled; [exact X | apply D, scaled_positive] |].
    unfold gamma_beside, stretched_tail. replace (k * (r * Rpower x c)) with (r' * Rpower (w * x) c)
      by (rewrite <- Rpower_mult_distr by assumption; unfold k; field; lra).
    unfold m. simpl. field. lra.
  - apply tends_scaled. exact (filterlim_comp _ _ _ (fun x => r * Rpower x c) F _ _ _ scaled_comes_to_0 Bottom).
  - apply (tends_scaled (F := Rbar_locally p_infty)). exact (filterlim_comp _ _ _ (fun x => r * Rpower x c) F _ _ _ scaled_grows Top).
  - replace (m * top - m * bottom) with (m * (top - bottom)) by ring. rewrite V. unfold m. field. lra.
Qed.
End Stretched.

(** * Two such costs *)

(** The share of one cost in what its class pays, at a cost proportion of [a] to [b]. *)
Definition mean_share (c r r' a b : R) : R := r * Rpower a c / (r * Rpower a c + r' * Rpower b c).
Definition pair_cost (q q' c r r' a b : R) : R :=
  Rpower r (- (1 / c)) * Gamma (q' + (q + 1 / c)) / (Gamma q * Gamma q') * incomplete_beta (q + 1 / c) q' (mean_share c r r' a b).
Definition pair_weight (q0 q1 c r0 r1 a b : R) : R :=
  c * Gamma (q0 + q1 + 1 / c) / (Gamma q0 * Gamma q1) * (Rpower r0 q0 * Rpower r1 q1) *
  (Rpower a (c * q0 - 1) * Rpower b (c * q1 - 1)) * Rpower (r0 * Rpower a c + r1 * Rpower b c) (- (q0 + q1 + 1 / c)).

Lemma total_of_rates c r r' a b : 0 < r -> 0 < r' -> 0 < r * Rpower a c + r' * Rpower b c.
Proof. intros R R'. apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; apply Rpower_positive || assumption. Qed.
Lemma mean_share_inside c r r' a b : 0 < r -> 0 < r' -> 0 < mean_share c r r' a b < 1.
Proof.
  intros R R'. pose proof (total_of_rates c r r' a b R R') as T. pose proof (Rpower_positive a c). pose proof (Rpower_positive b c).
  assert (0 < r * Rpower a c) by (apply Rmult_lt_0_compat; assumption).
  assert (0 < r' * Rpower b c) by (apply Rmult_lt_0_compat; assumption). unfold mean_share.
  split; [apply Rdiv_lt_0_compat; assumption |].
  apply (strictly_below_by (r' * Rpower b c / (r * Rpower a c + r' * Rpower b c))); [field; lra | apply Rdiv_lt_0_compat; assumption].
Qed.

Lemma slope_of_mean_share c r r' p : 0 < r -> 0 < r' -> 0 < p < 1 ->
  is_derive (fun p => mean_share c r r' p (1 - p)) p (c * mean_share c r r' p (1 - p) * (1 - mean_share c r r' p (1 - p)) / (p * (1 - p))).
Proof.
  intros R R' P. pose proof (total_of_rates c r r' p (1 - p) R R') as T. unfold mean_share, Rpower in *.
  auto_derive; [repeat split; try lra; unfold Rminus in T; lra | unfold Rminus in *; field; repeat split; lra].
Qed.

Lemma pair_weight_reflected q0 q1 c r0 r1 a b : pair_weight q1 q0 c r1 r0 b a = pair_weight q0 q1 c r0 r1 a b.
Proof.
  unfold pair_weight. rewrite (Rplus_comm q1 q0), (Rplus_comm (r1 * _)), (Rmult_comm (Gamma q1)). ring.
Qed.

Lemma slope_of_pair_cost q q' c r r' p : 0 < q -> 0 < q' -> 0 < c -> 0 < r -> 0 < r' -> 0 < p < 1 ->
  is_derive (fun p => pair_cost q q' c r r' p (1 - p)) p (p * pair_weight q q' c r r' p (1 - p)).
Proof.
  intros Q Q' C R R' P. pose proof (mean_share_inside c r r' p (1 - p) R R') as S. pose proof (inverse_power_positive c C) as I.
  pose proof (total_of_rates c r r' p (1 - p) R R') as T. pose proof (Gamma_positive q Q). pose proof (Gamma_positive q' Q').
  evar_last.
  - apply (is_derive_scal (fun p => incomplete_beta (q + 1 / c) q' (mean_share c r r' p (1 - p)))).
    apply (is_derive_comp (incomplete_beta (q + 1 / c) q') (fun p => mean_share c r r' p (1 - p)));
      [apply is_derive_incomplete_beta; [lra | exact S] | apply slope_of_mean_share; assumption].
  - unfold scal; simpl; unfold mult; simpl. unfold pair_weight. replace (q' + (q + 1 / c)) with (q + q' + 1 / c) by ring.
    pose proof (Gamma_positive (q + q' + 1 / c) ltac:(lra)).
    set (s := mean_share c r r' p (1 - p)) in *. set (D := r * Rpower p c + r' * Rpower (1 - p) c) in *.
    assert (Es : ln s = ln r + c * ln p - ln D).
    { unfold s, mean_share. fold D. rewrite ln_of_quotient, ln_mult by (try apply Rmult_lt_0_compat; try apply Rpower_positive; assumption).
      unfold Rpower. rewrite ln_exp. ring. }
    assert (Er : ln (1 - s) = ln r' + c * ln (1 - p) - ln D).
    { replace (1 - s) with (r' * Rpower (1 - p) c / D) by (unfold s, mean_share; fold D; unfold D; field; unfold D in T; lra).
      rewrite ln_of_quotient, ln_mult by (try apply Rmult_lt_0_compat; try apply Rpower_positive; assumption).
      unfold Rpower. rewrite ln_exp. ring. }
    assert (Powers : exp (- (1 / c) * ln r) * (exp (ln s) * exp ((q + 1 / c - 1) * ln s)) * (exp (ln (1 - s)) * exp ((q' - 1) * ln (1 - s))) =
      exp (ln p) * exp (ln (1 - p)) * exp (ln p) * (exp (q * ln r) * exp (q' * ln r')) * (exp ((c * q - 1) * ln p) * exp ((c * q' - 1) * ln (1 - p))) *
        exp (- (q + q' + 1 / c) * ln D)).
    { rewrite Es, Er. rewrite <- !exp_plus. f_equal. field. lra. }
    rewrite !exp_ln in Powers by lra. unfold Rpower.
    transitivity (c * Gamma (q + q' + 1 / c) / (Gamma q * Gamma q') / (p * (1 - p)) *
      (exp (- (1 / c) * ln r) * (s * exp ((q + 1 / c - 1) * ln s)) * ((1 - s) * exp ((q' - 1) * ln (1 - s))))); [field; lra |].
    rewrite Powers. fold D. field. lra.
Qed.

Lemma pair_cost_starts q q' c r r' : 0 < q -> 0 < q' -> 0 < c -> 0 < r -> 0 < r' -> tends_at_0 (fun p => pair_cost q q' c r r' p (1 - p)) 0.
Proof.
  intros Q Q' C R R'. pose proof (inverse_power_positive c C) as I. unfold pair_cost.
  apply tends_scaled_to_0.
  apply (tends_from_right _ (fun p => incomplete_beta (q + 1 / c) q' (r * positive_power p c / (r * positive_power p c + r' * Rpower (1 - p) c))) 0 1); [lra | | |].
  - intros x X. rewrite positive_power_inside by lra. reflexivity.
  - apply (continuous_comp (fun p => r * positive_power p c / (r * positive_power p c + r' * Rpower (1 - p) c)) (incomplete_beta (q + 1 / c) q')).
    + assert (Top : continuous (fun p => r * positive_power p c) 0)
        by (apply (continuous_scal_r (V := R_NormedModule) r (fun p => positive_power p c)), continuous_positive_power, C).
      apply (continuous_mult (fun p => r * positive_power p c)); [exact Top |].
      apply (continuous_comp (fun p => r * positive_power p c + r' * Rpower (1 - p) c) Rinv).
      * apply (continuous_plus (V := R_NormedModule) (fun p => r * positive_power p c)); [exact Top |].
        apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. lra.
      * apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. rewrite positive_power_outside by lra.
        pose proof (Rmult_lt_0_compat _ _ R' (Rpower_positive (1 - 0) c)). lra.
    + apply continuous_incomplete_beta; [lra |]. rewrite positive_power_outside by lra. unfold Rdiv. rewrite Rmult_0_r, Rmult_0_l. lra.
  - rewrite positive_power_outside by lra. unfold Rdiv. rewrite Rmult_0_r, Rmult_0_l. apply incomplete_beta_0. lra.
Qed.

(** Functions with the same slope and the same limit somewhere are the same. *)
Lemma same_by_slopes {K : (R -> Prop) -> Prop} {PK : ProperFilter K} (F G f : R -> R) p : K (fun x => 0 < x < 1) ->
  (forall x, 0 < x < 1 -> is_derive F x (f x)) -> (forall x, 0 < x < 1 -> is_derive G x (f x)) ->
  filterlim F K (locally 0) -> filterlim G K (locally 0) -> 0 < p < 1 -> G p = F p.
Proof.
  intros Inside DF DG LF LG P. set (D x := F x - G x).
  assert (Flat : forall x, 0 < x < 1 -> is_derive D x 0).
  { intros x X. replace 0 with (f x - f x) by ring. exact (is_derive_minus F G x _ _ (DF x X) (DG x X)). }
  assert (Same : forall x, 0 < x < 1 -> D x = D p).
  { intros x X. destruct (Rtotal_order x p) as [L | [-> | L]]; [| reflexivity | symmetry].
    - apply (eq_is_derive D x p); [intros; apply Flat; lra | exact L].
    - apply (eq_is_derive D p x); [intros; apply Flat; lra | exact L]. }
  assert (D p = 0); [| unfold D in *; lra].
  apply (filterlim_locally_unique (F := K) D).
  - apply (filterlim_ext_loc (fun _ => D p)); [| apply filterlim_const]. apply filter_imp with (2 := Inside). intros x X. symmetry. apply Same, X.
  - enough (L : filterlim D K (locally (0 - 0))) by (replace (0 - 0) with 0 in L by ring; exact L).
    apply limit_of_difference; [exact _ | exact LF | exact LG].
Qed.

Section Pair.
Variables (f0 f1 : R -> R) (q0 q1 c r0 r1 : R).
Hypotheses (Q0 : 0 < q0) (Q1 : 0 < q1) (C : 0 < c) (R0 : 0 < r0) (R1 : 0 < r1).
Hypothesis density0 : forall x, 0 < x -> f0 x = stretched q0 c r0 x.
Hypothesis density1 : forall x, 0 < x -> f1 x = stretched q1 c r1 x.

Lemma law_of_stretched f q r : 0 < q -> 0 < r -> (forall x, 0 < x -> f x = stretched q c r x) ->
  law_of_one f (stretched_tail q c r) (stretched_mean_below q c r) 0 (stretched_mean q c r).
Proof.
  intros Q R E. destruct (stretched_law q c r Q C R) as (D & Limits). split; [| exact Limits].
  intros x X. destruct (D x X) as (N & K & S & M). rewrite E by exact X. split; [exact N | split; [| split; [exact S | exact M]]].
  apply (continuous_ext_loc _ (stretched q c r)); [| exact K].
  apply filter_imp with (2 := near_right_of x 0 X). intros y Y. symmetry. apply E, Y.
Qed.
Lemma stretched_is_dense f q r : 0 < q -> 0 < r -> (forall x, 0 < x -> f x = stretched q c r x) ->
  forall x, 0 < x -> 0 < f x /\ continuous f x.
Proof.
  intros Q R E x X. split; [rewrite E by exact X; apply stretched_positive; assumption |].
  apply (law_of_stretched f q r Q R E), X.
Qed.

Lemma pays_pair_cost0 p : 0 < p < 1 -> over_areas [independent f0 f1] (pay0 p) (pair_cost q0 q1 c r0 r1 p (1 - p)).
Proof.
  intro P. assert (W : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra).
  destruct (mean_beside_tail q0 c r0 Q0 C R0 q1 r1 _ Q1 R1 W) as (H & bottom & top & D & Bottom & Top & V).
  apply over_areas_is with (top - bottom).
  - apply (independent_cost0 _ _ _ _ _ _ _ _ _ _ (law_of_stretched f0 q0 r0 Q0 R0 density0) (law_of_stretched f1 q1 r1 Q1 R1 density1) p P H); [| exact Bottom | exact Top].
    intros x X. rewrite density0 by exact X. replace (x * (1 - p) / p) with ((1 - p) / p * x) by (field; lra). apply D, X.
  - rewrite V. unfold pair_cost. f_equal. f_equal. unfold mean_share, of_odds.
    replace (Rpower ((1 - p) / p) c) with (Rpower (1 - p) c / Rpower p c).
    + pose proof (Rpower_positive p c). pose proof (total_of_rates c r0 r1 p (1 - p) R0 R1). field. repeat split; lra.
    + unfold Rpower. rewrite ln_of_quotient by lra. unfold Rdiv. rewrite <- exp_Ropp, <- exp_plus. f_equal. ring.
Qed.
Lemma pays_pair_cost1 p : 0 < p < 1 -> over_areas [independent f0 f1] (pay1 p) (pair_cost q1 q0 c r1 r0 (1 - p) p).
Proof.
  intro P. assert (W : 0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  destruct (mean_beside_tail q1 c r1 Q1 C R1 q0 r0 _ Q0 R0 W) as (H & bottom & top & D & Bottom & Top & V).
  apply over_areas_is with (top - bottom).
  - apply (independent_cost1 _ _ _ _ _ _ _ _ _ _ (law_of_stretched f0 q0 r0 Q0 R0 density0) (law_of_stretched f1 q1 r1 Q1 R1 density1) p P H); [| exact Bottom | exact Top].
    intros x X. rewrite density1 by exact X. replace (p * x / (1 - p)) with (p / (1 - p) * x) by (field; lra). apply D, X.
  - rewrite V. unfold pair_cost. f_equal. f_equal. unfold mean_share, of_odds.
    replace (Rpower (p / (1 - p)) c) with (Rpower p c / Rpower (1 - p) c).
    + pose proof (Rpower_positive (1 - p) c). pose proof (total_of_rates c r1 r0 (1 - p) p R1 R0). field. repeat split; lra.
    + unfold Rpower. rewrite ln_of_quotient by lra. unfold Rdiv. rewrite <- exp_Ropp, <- exp_plus. f_equal. ring.
Qed.

(** Losses that have the slopes of the expected costs, and vanish where these do, are the expected costs. *)
Theorem pair_costs (L : piece) : slopes 0 1 L -> (forall p, 0 < p < 1 -> weight L p = pair_weight q0 q1 c r0 r1 p (1 - p)) ->
  tends_at_0 (loss0 L) 0 -> tends_at_1 (loss1 L) 0 -> forall p, 0 < p < 1 ->
  over_areas [independent f0 f1] (pay0 p) (loss0 L p) /\ over_areas [independent f0 f1] (pay1 p) (loss1 L p).
Proof.
  intros [_ S] W Start Stop p P. split.
  - apply over_areas_is with (1 := pays_pair_cost0 p P).
    apply (same_by_slopes (K := at_right 0) (loss0 L) (fun p => pair_cost q0 q1 c r0 r1 p (1 - p)) (fun p => p * weight L p)); try assumption.
    + exact inside_near_0.
    + intros x X. apply S; exact X.
    + intros x X. rewrite W by exact X. apply slope_of_pair_cost; assumption.
    + apply pair_cost_starts; assumption.
  - apply over_areas_is with (1 := pays_pair_cost1 p P).
    apply (same_by_slopes (K := at_left 1) (loss1 L) (fun p => pair_cost q1 q0 c r1 r0 (1 - p) p) (fun p => - (1 - p) * weight L p)); try assumption.
    + exact inside_near_1.
    + intros x X. apply S; exact X.
    + intros x X. rewrite W, <- pair_weight_reflected by exact X.
      apply (is_derive_ext (fun p => pair_cost q1 q0 c r1 r0 (1 - p) (1 - (1 - p)))); [intro y; f_equal; ring |].
      replace (- (1 - x) * pair_weight q1 q0 c r1 r0 (1 - x) x) with (-1 * ((1 - x) * pair_weight q1 q0 c r1 r0 (1 - x) (1 - (1 - x))))
        by (replace (1 - (1 - x)) with x by ring; ring).
      apply (is_derive_comp (fun a => pair_cost q1 q0 c r1 r0 a (1 - a)) (fun p => 1 - p)); [apply slope_of_pair_cost; try assumption; lra |].
      auto_derive; [exact I | ring].
    + pose proof (pair_cost_starts q1 q0 c r1 r0 Q1 Q0 C R1 R0) as T. intros U HU. specialize (T U HU). unfold filtermap in *.
      destruct T as [e H]. exists e. intros y Y Y1. apply ball_between in Y. simpl in Y.
      assert (Near : ball 0 e (1 - y)) by (apply ball_between; simpl; lra).
      pose proof (H (1 - y) Near ltac:(lra)) as HY. replace (1 - (1 - y)) with y in HY by lra. exact HY.
Qed.
End Pair.
