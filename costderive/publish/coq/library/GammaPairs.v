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
  exists F bottom top, (forall x, 0 < x -> is_derive F x (f x)) /\ filterlim F (at_right 0) (locally bottom) /\
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
  set (v := Gamma (a + b) * incomplete_beta a b (of_odds k)). intros P HP.
  set (low xy := (lower_gamma (a + b) (snd xy) - lower_gamma (a + b) ((1 + k) * fst xy)) * incomplete_beta a b (of_odds k)).
  assert (Low : filterlim low (filter_prod (at_right 0) (Rbar_locally p_infty)) (locally v)).
  { refine (filterlim_comp _ _ _ (fun xy : R * R => lower_gamma (a + b) (snd xy) - lower_gamma (a + b) ((1 + k) * fst xy))
      (fun y => y * incomplete_beta a b (of_odds k)) _ (locally (Gamma (a + b))) _ _ (filterlim_scal_l (V := R_NormedModule) (Gamma (a + b)) _)).
    replace (Gamma (a + b)) with (Gamma (a + b) + - 0) by ring.
    apply (filterlim_comp_2 (G := locally (Gamma (a + b))) (H := locally (- 0)) (fun xy : R * R => lower_gamma (a + b) (snd xy))
      (fun xy => - lower_gamma (a + b) ((1 + k) * fst xy)) Rplus); [| | exact (filterlim_plus (V := R_NormedModule) _ _)].
    - exact (filterlim_comp _ _ _ snd _ _ _ _ filterlim_snd (lower_gamma_far (a + b) ltac:(lra))).
    - refine (filterlim_comp _ _ _ (fun xy : R * R => lower_gamma (a + b) ((1 + k) * fst xy)) Ropp _ (locally 0) _ _ (filterlim_opp (V := R_NormedModule) 0)).
      exact (filterlim_comp _ _ _ fst (fun e => lower_gamma (a + b) ((1 + k) * e)) _ _ _ filterlim_fst (lower_gamma_starts (a + b) (1 + k) ltac:(lra))). }
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

Definition beside (y : R) : R := gamma_density b y * upper_gamma a (k * y).
Lemma beside_upper_gamma : over_positive beside (Gamma (a + b) * incomplete_beta b a (1 - of_odds k)).
Proof.
  apply (over_positive_ext (fun y => Gamma a * gamma_density b y + -1 * against a b k y)).
  - intros y _. unfold beside, against, upper_gamma. ring.
  - replace (Gamma (a + b) * incomplete_beta b a (1 - of_odds k)) with (Gamma a * Gamma b + -1 * (Gamma (a + b) * incomplete_beta a b (of_odds k))).
    + apply over_positive_combined; [apply gamma_density_integrates | apply beside_lower_gamma].
    + rewrite (reflected a b A B (of_odds k) (of_odds_inside k K)), <- (beta_in_halves a b A B), <- (beta_by_gammas a b A B). ring.
Qed.
Lemma continuous_beside y : 0 < y -> continuous beside y.
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
    replace 1 with (1 - 0) by ring. apply limit_of_difference; [exact _ | apply filterlim_const | apply tends_scaled_to_0, Start, Q].
  - apply (is_lim_ext (fun x => / Gamma q * upper_gamma q (r * Rpower x c))); [intro; unfold stretched_tail, Rdiv; apply Rmult_comm |].
    apply multiple_vanishes, upper_gamma_vanishes; [exact Q | exact scaled_grows].
  - apply tends_scaled_to_0, Start. lra.
  - apply (tends_scaled (F := Rbar_locally p_infty)).
    exact (filterlim_comp _ _ _ (fun x => r * Rpower x c) (lower_gamma (q + 1 / c)) _ _ _ scaled_grows (lower_gamma_far (q + 1 / c) ltac:(lra))).
Qed.

(** The mean of a cost beside the tail of another one, at [w] times the cost. *)
Lemma mean_beside_tail q' r' w : 0 < q' -> 0 < r' -> 0 < w -> exists H bottom top,
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
    unfold beside, stretched_tail. replace (k * (r * Rpower x c)) with (r' * Rpower (w * x) c)
      by (rewrite <- Rpower_mult_distr by assumption; unfold k; field; lra).
    unfold m. simpl. field. lra.
  - apply tends_scaled. exact (filterlim_comp _ _ _ (fun x => r * Rpower x c) F _ _ _ scaled_comes_to_0 Bottom).
  - apply (tends_scaled (F := Rbar_locally p_infty)). exact (filterlim_comp _ _ _ (fun x => r * Rpower x c) F _ _ _ scaled_grows Top).
  - replace (m * top - m * bottom) with (m * (top - bottom)) by ring. rewrite V. unfold m. field. lra.
Qed.
End Stretched.
