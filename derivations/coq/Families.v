(** How powers, stretched exponentials, log-normal and Beta densities, times powers, add up. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete BetaGamma Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal Independent Spread Bells Far Moments.
Import ListNotations.
Open Scope R_scope.

Lemma tends_scaled_to_0 {F : (R -> Prop) -> Prop} {FF : Filter F} (G : R -> R) (k : R) :
  filterlim G F (locally 0) -> filterlim (fun x => k * G x) F (locally 0).
Proof. intro H. replace 0 with (k * 0) by ring. apply tends_scaled, H. Qed.

(** * Powers *)

Lemma powers_of_exponent e : power e (fun x => Rpower x e).
Proof.
  split; [| split].
  - intros x X. replace (e * Rpower x e / x) with (e * Rpower x (e - 1)); [apply is_derive_Rpower, X |].
    unfold Rminus. rewrite Rpower_plus, Rpower_Ropp, Rpower_1 by exact X. field. lra.
  - intros x y X Y. symmetry. apply Rpower_mult_distr; assumption.
  - intros. apply Rpower_positive.
Qed.
Lemma next_power e P : power e P -> power (e + 1) (fun x => x * P x).
Proof.
  intro H. split; [| split].
  - intros x X. replace ((e + 1) * (x * P x) / x) with ((e + 1) * P x) by (field; lra). apply (slope_of_next e P H), X.
  - intros x y X Y. rewrite (proj1 (proj2 H)) by assumption. ring.
  - intros x X. apply Rmult_lt_0_compat; [exact X | apply H, X].
Qed.

Lemma power_starts c : 0 < c -> filterlim (fun x => Rpower x c) (at_right 0) (locally 0).
Proof.
  intro C. apply (tends_from_right _ (fun x => positive_power x c) 0 1); [lra | | apply continuous_positive_power, C | apply positive_power_outside; lra].
  intros x X. symmetry. apply positive_power_inside. lra.
Qed.
Lemma power_grows_without_bound c : 0 < c -> is_lim (fun x => Rpower x c) p_infty p_infty.
Proof.
  intro C. apply (is_lim_comp exp (fun x => c * ln x) p_infty p_infty p_infty); [apply is_lim_exp_p | | exists 0; intros; discriminate].
  exact (filterlim_comp _ _ _ ln (fun y => c * y) _ _ _ is_lim_ln_p (multiple_grows c C)).
Qed.

Lemma power_fades e : 0 < - e -> is_lim (fun x => Rpower x e) p_infty 0.
Proof.
  intro E. apply (is_lim_ext (fun x => Rpower x (- - e))); [intro; f_equal; ring |].
  apply (power_vanishes (- e) (fun x => x)); [exact E | apply is_lim_id].
Qed.
Lemma next_power_starts e : 0 < e + 1 -> filterlim (fun x => x * Rpower x e) (at_right 0) (locally 0).
Proof.
  intro E. apply (soon_same (fun x => Rpower x (e + 1)) _ 1 _ Rlt_0_1); [| apply power_starts, E].
  intros x X. rewrite Rpower_plus, Rpower_1 by lra. ring.
Qed.
Lemma next_power_fades e : 0 < - (e + 1) -> is_lim (fun x => x * Rpower x e) p_infty 0.
Proof.
  intro E. apply (finally_same (fun x => Rpower x (e + 1)) _ 0); [| apply power_fades, E].
  intros x X. rewrite Rpower_plus, Rpower_1 by lra. ring.
Qed.
Lemma inverse_fades n : is_lim (fun x => / x ^ S n) p_infty 0.
Proof. apply (is_lim_ext (fun x => 1 / x ^ S n)); [intro; unfold Rdiv; ring | apply inverse_power_vanishes]. Qed.
Lemma next_inverse_fades n : is_lim (fun x => x * / x ^ S (S n)) p_infty 0.
Proof.
  apply (finally_same (fun x => / x ^ S n) _ 0); [| apply inverse_fades].
  intros x X. simpl. field. split; [apply pow_nonzero |]; lra.
Qed.

(** A function vanishes at the ends that are no costs, of those that are needed beside another cost from [c] to [d]. *)
Definition fades_beside (c d a b : place) (P : R -> R) : Prop :=
  match a with Zero => c = Zero -> filterlim P (at_right 0) (locally 0) | _ => True end /\
  match b with Beyond => d = Beyond -> is_lim P p_infty 0 | _ => True end.
Lemma fades_beside_all a b P : fades a b P -> fades_beside Zero Beyond a b P.
Proof. intros [A B]. split; [destruct a | destruct b]; auto. Qed.

Lemma power_adds_up_beside c d a b e P k : interval a b -> power e P -> fades_beside c d a b P ->
  adds_up_beside c d a b (fun x => k * (e * P x / x)) (SumUp (fun x => k * P x) (k * at_place P a) (k * at_place P b)).
Proof.
  intros O H [Fade0 Fade1].
  assert (C : forall x, 0 < x -> continuous (fun x => k * (e * P x / x)) x).
  { intros x X. apply (continuous_scal_r (V := R_NormedModule) k (fun x => e * P x / x)), (slope_of_power e P H x X). }
  split; [| split; [| split; [| split]]]; simpl.
  - intros x X _. apply (continuous_scal_r (V := R_NormedModule) k P), (continuous_power e P H x X).
  - intros x X _. apply (is_derive_scal P x k), H, X.
  - exists (fun x => k * (e * P x / x)). split; [intros x X _; apply C, X | reflexivity].
  - destruct a as [| l |]; [| reflexivity | contradiction]. intro Needed. simpl. apply tends_scaled, Fade0, Needed.
  - destruct b as [| h |]; [destruct a; contradiction | reflexivity |]. intro Needed. simpl.
    apply (tends_scaled (F := Rbar_locally p_infty)), Fade1, Needed.
Qed.
Lemma power_adds_up a b e P k : interval a b -> power e P -> fades a b P ->
  adds_up a b (fun x => k * (e * P x / x)) (SumUp (fun x => k * P x) (k * at_place P a) (k * at_place P b)).
Proof. intros O H F. apply power_adds_up_beside; [exact O | exact H | apply fades_beside_all, F]. Qed.

Lemma moment_of_power c d a b e P f : e <> 0 -> interval a b -> power e P -> fades_beside c d a b P ->
  adds_up_beside c d a b (fun x => f * (P x / x)) (SumUp (fun x => f / e * P x) (f / e * at_place P a) (f / e * at_place P b)).
Proof.
  intros E O H Fade. apply (adds_up_as a b (fun x => f / e * (e * P x / x))); [intros x X _; field; lra |].
  apply power_adds_up_beside; assumption.
Qed.
(** A logarithm has no limits at ends that are no costs, so that these must not be needed. *)
Lemma logarithm_adds_up c d a b k : interval a b -> (a = Zero -> c <> Zero) -> (b = Beyond -> d <> Beyond) ->
  adds_up_beside c d a b (fun x => k * / x) (SumUp (fun x => k * ln x) (k * at_place ln a) (k * at_place ln b)).
Proof.
  intros O Low High. assert (D : forall x, 0 < x -> is_derive (fun x => k * ln x) x (k * / x)).
  { intros x X. auto_derive; [exact X | field; lra]. }
  split; [| split; [| split; [| split]]]; simpl.
  - intros x X _. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply D, X.
  - intros x X _. apply D, X.
  - exists (fun x => k * / x). split; [| reflexivity]. intros x X _.
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
  - destruct a as [| l |]; [intro Needed; destruct (Low eq_refl Needed) | reflexivity | contradiction].
  - destruct b as [| h |]; [destruct a; contradiction | reflexivity | intro Needed; destruct (High eq_refl Needed)].
Qed.

(** * Other densities times powers *)

Lemma smooth_adds_up (g : R -> R) (G : sum_up) : (forall x, 0 < x -> is_derive (up_to G) x (g x) /\ continuous g x) ->
  filterlim (up_to G) (at_right 0) (locally (least G)) -> is_lim (up_to G) p_infty (most G) -> adds_up Zero Beyond g G.
Proof.
  intros D Start Stop. split; [| split; [| split; [| split; intros _; [exact Start | exact Stop]]]].
  - intros x X _. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply D, X.
  - intros x X _. apply D, X.
  - exists g. split; [intros x X _; apply D, X | reflexivity].
Qed.

(** Exponentials of powers, as of Weibull and Gamma costs. *)
Lemma rpower_of_stretched x q c r : 0 < r -> 0 < x ->
  Rpower (r * Rpower x c) (q - 1) = Rpower r q / r * (Rpower x (q * c - 1) / Rpower x (c - 1)).
Proof.
  intros R X. symmetry. apply ln_inv; [| apply Rpower_positive |].
  - apply Rmult_lt_0_compat; apply Rdiv_lt_0_compat; apply Rpower_positive || exact R.
  - unfold Rpower. rewrite ln_mult, !ln_of_quotient, !ln_exp, ln_mult, ln_exp by (apply exp_pos || exact R || (apply Rdiv_lt_0_compat; apply exp_pos || exact R)). field.
Qed.
Lemma stretched_adds_up q c r k : 0 < q -> 0 < c -> 0 < r ->
  adds_up Zero Beyond (fun x => k * (c * Rpower r q * Rpower x (q * c - 1) * exp (- (r * Rpower x c))))
    (SumUp (fun x => k * lower_gamma q (r * Rpower x c)) 0 (k * Gamma q)).
Proof.
  intros Q C R.
  apply smooth_adds_up; simpl.
  - intros x X. assert (Z : 0 < r * Rpower x c) by (apply Rmult_lt_0_compat; [exact R | apply Rpower_positive]). split.
    + apply (is_derive_scal (fun x => lower_gamma q (r * Rpower x c)) x k).
      replace (c * Rpower r q * Rpower x (q * c - 1) * exp (- (r * Rpower x c)))
        with (scal (r * (c * Rpower x (c - 1))) (Rpower (r * Rpower x c) (q - 1) * exp (- (r * Rpower x c)))).
      * apply (is_derive_comp (lower_gamma q) (fun x => r * Rpower x c)); [apply is_derive_lower_gamma; assumption |].
        apply (is_derive_scal (fun x => Rpower x c) x r), is_derive_Rpower, X.
      * unfold scal; simpl; unfold mult; simpl.
        rewrite rpower_of_stretched by assumption. field; split; try lra; apply Rgt_not_eq, Rpower_positive.
    + apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. see.
  - apply tends_scaled_to_0.
    apply (filterlim_comp _ _ _ (fun x => r * Rpower x c) (lower_gamma q) _ (locally 0)).
    + apply tends_scaled_to_0, power_starts, C.
    + pose proof (continuous_lower_gamma q Q 0) as K. unfold continuous in K. rewrite lower_gamma_0 in K by lra. exact K.
  - apply (tends_scaled (F := Rbar_locally p_infty)).
    refine (filterlim_comp _ _ _ (fun x => r * Rpower x c) (lower_gamma q) _ _ _ _ (lower_gamma_far q Q)).
    exact (filterlim_comp _ _ _ _ (fun y => r * y) _ _ _ (power_grows_without_bound c C) (multiple_grows r R)).
Qed.

(** The same of any shape beside another cost that is not near 0, by what is still to come. *)
Lemma stretched_tail_adds_up z d q c r k : z <> Zero -> 0 < c -> 0 < r ->
  adds_up_beside z d Zero Beyond (fun x => k * (c * Rpower r q * Rpower x (q * c - 1) * exp (- (r * Rpower x c))))
    (SumUp (fun x => - k * tail_gamma q (r * Rpower x c)) 0 0).
Proof.
  intros Z C R.
  assert (D : forall x, 0 < x -> is_derive (fun x => - k * tail_gamma q (r * Rpower x c)) x
    (k * (c * Rpower r q * Rpower x (q * c - 1) * exp (- (r * Rpower x c))))).
  { intros x X. assert (Y : 0 < r * Rpower x c) by (apply Rmult_lt_0_compat; [exact R | apply Rpower_positive]).
    evar_last; [apply (is_derive_scal (fun x => tail_gamma q (r * Rpower x c)) x (- k));
      apply (is_derive_comp (tail_gamma q) (fun x => r * Rpower x c)); [apply is_derive_tail_gamma, Y |];
      apply (is_derive_scal (fun x => Rpower x c) x r), is_derive_Rpower, X |].
    unfold scal; simpl; unfold mult; simpl. rewrite rpower_of_stretched by assumption. field; split; try lra; apply Rgt_not_eq, Rpower_positive. }
  split; [| split; [| split; [| split]]]; simpl.
  - intros x X _. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply D, X.
  - intros x X _. apply D, X.
  - eexists. split; [| reflexivity]. intros x X _. apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. see.
  - intro Needed. destruct (Z Needed).
  - intros _. replace 0 with (- k * 0) by ring. apply (tends_scaled (F := Rbar_locally p_infty)).
    refine (filterlim_comp _ _ _ (fun x => r * Rpower x c) (tail_gamma q) _ _ _ _ (tail_gamma_far q)).
    exact (filterlim_comp _ _ _ _ (fun y => r * y) _ _ _ (power_grows_without_bound c C) (multiple_grows r R)).
Qed.

(** Exponentials of powers of the inverse, as of inverse Gamma costs. *)
Lemma inverse_power_falls c : 0 < c -> filterlim (fun x => Rpower x (- c)) (at_right 0) (Rbar_locally p_infty).
Proof.
  intro C. apply (filterlim_ext_loc (fun x => Rpower (/ x) c)).
  - apply filter_imp with (2 := right_of 0 1 Rlt_0_1). intros x X. unfold Rpower. rewrite ln_Rinv by lra. f_equal. ring.
  - exact (filterlim_comp _ _ _ Rinv (fun y => Rpower y c) _ _ _ over_e_grows (power_grows_without_bound c C)).
Qed.
Lemma inverse_stretched_adds_up q c r k : 0 < q -> 0 < c -> 0 < r ->
  adds_up Zero Beyond (fun x => k * (c * Rpower r q * Rpower x (- (q * c) - 1) * exp (- (r * Rpower x (- c)))))
    (SumUp (fun x => k * upper_gamma q (r * Rpower x (- c))) 0 (k * Gamma q)).
Proof.
  intros Q C R.
  apply smooth_adds_up; simpl.
  - intros x X. assert (Z : 0 < r * Rpower x (- c)) by (apply Rmult_lt_0_compat; [exact R | apply Rpower_positive]). split.
    + apply (is_derive_scal (fun x => upper_gamma q (r * Rpower x (- c))) x k).
      evar_last; [apply (is_derive_comp (upper_gamma q) (fun x => r * Rpower x (- c))); [apply is_derive_upper_gamma; assumption |];
        apply (is_derive_scal (fun x => Rpower x (- c)) x r), is_derive_Rpower, X |].
      unfold scal; simpl; unfold mult; simpl. unfold Rpower. rewrite ln_mult, ln_exp by (apply exp_pos || exact R).
      assert (E : exp (q * ln r) * exp ((- (q * c) - 1) * ln x) = exp (ln r) * (exp ((- c - 1) * ln x) * exp ((q - 1) * (ln r + - c * ln x))))
        by (rewrite <- !exp_plus; f_equal; ring).
      rewrite exp_ln in E by exact R. set (e := exp (- (r * exp (- c * ln x)))).
      transitivity (c * e * (r * (exp ((- c - 1) * ln x) * exp ((q - 1) * (ln r + - c * ln x))))); [ring | rewrite <- E; ring].
    + apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. see.
  - apply tends_scaled_to_0.
    apply (filterlim_comp _ _ _ (fun x => r * Rpower x (- c)) (upper_gamma q) _ (Rbar_locally p_infty)).
    + exact (filterlim_comp _ _ _ _ (fun y => r * y) _ _ _ (inverse_power_falls c C) (multiple_grows r R)).
    + exact (upper_gamma_vanishes q (fun x => x) Q (is_lim_id p_infty)).
  - apply (tends_scaled (F := Rbar_locally p_infty)).
    apply (filterlim_comp _ _ _ (fun x => r * Rpower x (- c)) (upper_gamma q) _ (locally 0)).
    + apply (tends_scaled_to_0 (F := Rbar_locally p_infty)). apply power_fades. lra.
    + pose proof (continuous_upper_gamma q Q 0) as K. unfold continuous in K. rewrite upper_gamma_0 in K by lra. exact K.
Qed.

(** The same of any shape beside another cost that is bounded. *)
Lemma inverse_stretched_tail_adds_up z d q c r k : d <> Beyond -> 0 < c -> 0 < r ->
  adds_up_beside z d Zero Beyond (fun x => k * (c * Rpower r q * Rpower x (- (q * c) - 1) * exp (- (r * Rpower x (- c)))))
    (SumUp (fun x => k * tail_gamma q (r * Rpower x (- c))) 0 0).
Proof.
  intros Far C R.
  assert (D : forall x, 0 < x -> is_derive (fun x => k * tail_gamma q (r * Rpower x (- c))) x
    (k * (c * Rpower r q * Rpower x (- (q * c) - 1) * exp (- (r * Rpower x (- c)))))).
  { intros x X. assert (Y : 0 < r * Rpower x (- c)) by (apply Rmult_lt_0_compat; [exact R | apply Rpower_positive]).
    evar_last; [apply (is_derive_scal (fun x => tail_gamma q (r * Rpower x (- c))) x k);
      apply (is_derive_comp (tail_gamma q) (fun x => r * Rpower x (- c))); [apply is_derive_tail_gamma, Y |];
      apply (is_derive_scal (fun x => Rpower x (- c)) x r), is_derive_Rpower, X |].
    unfold scal; simpl; unfold mult; simpl. rewrite rpower_of_stretched by assumption.
    replace (q * - c - 1) with (- (q * c) - 1) by ring. field; split; try lra; apply Rgt_not_eq, Rpower_positive. }
  split; [| split; [| split; [| split]]]; simpl.
  - intros x X _. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply D, X.
  - intros x X _. apply D, X.
  - eexists. split; [| reflexivity]. intros x X _. apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. see.
  - intros _. apply tends_scaled_to_0.
    apply (filterlim_comp _ _ _ (fun x => r * Rpower x (- c)) (tail_gamma q) _ (Rbar_locally p_infty)); [| exact (tail_gamma_far q)].
    exact (filterlim_comp _ _ _ _ (fun y => r * y) _ _ _ (inverse_power_falls c C) (multiple_grows r R)).
  - intro Needed. destruct (Far Needed).
Qed.

(** Log-normal costs. *)
Lemma log_normal_adds_up w t k : 0 < t ->
  adds_up Zero Beyond (fun x => k * (2 / sqrt PI * exp (- standard w t x ^ 2) / (t * sqrt 2 * x)))
    (SumUp (fun x => k * erf (standard w t x)) (k * -1) (k * 1)).
Proof.
  intro T. pose proof (sqrt_lt_R0 PI PI_RGT_0). assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra). apply smooth_adds_up; simpl.
  - intros x X. unfold standard. split.
    + apply (is_derive_scal (fun x => erf ((ln x - w) / (t * sqrt 2))) x k).
      assert (Inner : is_derive (fun x => (ln x - w) / (t * sqrt 2)) x (/ (t * sqrt 2 * x))) by (auto_derive; [lra | field; repeat split; lra]).
      pose proof (is_derive_comp erf _ x _ _ (is_derive_erf _) Inner) as Whole. unfold scal in Whole; simpl in Whole; unfold mult in Whole; simpl in Whole.
      evar_last; [exact Whole | field; repeat split; lra].
    + apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. repeat split; try lra; repeat apply Rmult_integral_contrapositive_currified; lra.
  - apply tends_scaled, erf_of_standard_at_0, T.
  - apply (tends_scaled (F := Rbar_locally p_infty)), erf_of_standard_at_infinity, T.
Qed.

(** Beta costs, whose density has a limit at 1. *)
Lemma beta_adds_up a b k : 0 < a -> 1 < b ->
  adds_up Zero (At 1) (fun x => k * (Rpower x (a - 1) * Rpower (1 - x) (b - 1)))
    (SumUp (fun x => k * incomplete_beta a b x) 0 (k * beta a b)).
Proof.
  intros A B. split; [| split; [| split; [| split]]]; simpl.
  - intros x _ _. apply (continuous_scal_r (V := R_NormedModule) k (incomplete_beta a b)), continuous_incomplete_beta_everywhere; lra.
  - intros x X [_ In]. simpl in In. apply (is_derive_scal (incomplete_beta a b) x k), is_derive_incomplete_beta; lra.
  - exists (fun x => k * (Rpower x (a - 1) * positive_power (1 - x) (b - 1))). split.
    + intros x X _. apply (continuous_scal_r (V := R_NormedModule) k (fun x => Rpower x (a - 1) * positive_power (1 - x) (b - 1))).
      apply (continuous_mult (fun x => Rpower x (a - 1)) (fun x => positive_power (1 - x) (b - 1))).
      * apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply is_derive_Rpower, X.
      * apply (continuous_comp (fun x => 1 - x) (fun y => positive_power y (b - 1))); [| apply continuous_positive_power; lra].
        apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
    + intros x X [_ In]. simpl in In. rewrite positive_power_inside by lra. reflexivity.
  - intros _. apply tends_scaled_to_0.
    pose proof (continuous_incomplete_beta a b A 0 Rlt_0_1) as K. unfold continuous in K. rewrite incomplete_beta_0 in K by lra.
    intros Q H. destruct (K Q H) as [d D]. exists d. intros y Y _. apply D, Y.
  - rewrite incomplete_beta_1 by lra. reflexivity.
Qed.

(** Values of the Gamma functions at 1 and at 1/2, from which those at whole numbers and halves follow. *)
Lemma lower_gamma_1 x : 0 < x -> lower_gamma 1 x = 1 - exp (- x).
Proof.
  intro X. pose (D := fun y => lower_gamma 1 y + exp (- y)).
  destruct (MVT_gen D 0 x (fun _ => 0)) as (c & _ & E).
  - rewrite Rmin_left by lra. intros y Y. replace 0 with (Rpower y (1 - 1) * exp (- y) + - exp (- y)).
    + apply (is_derive_plus (V := R_NormedModule)); [apply is_derive_lower_gamma; lra |]. auto_derive; [exact I | ring].
    + replace (1 - 1) with 0 by ring. rewrite Rpower_O by lra. ring.
  - intros y _. apply continuity_pt_filterlim. apply (continuous_plus (V := R_NormedModule)); [apply continuous_lower_gamma; lra |].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
  - unfold D in E. rewrite (lower_gamma_0 1 0), Ropp_0, exp_0 in E by lra. lra.
Qed.
Lemma lower_gamma_half x : 0 < x -> lower_gamma (1 / 2) x = sqrt PI * erf (sqrt x).
Proof.
  intro X. pose (D := fun y => lower_gamma (1 / 2) y - sqrt PI * erf (sqrt y)). pose proof (sqrt_lt_R0 PI PI_RGT_0).
  destruct (MVT_gen D 0 x (fun _ => 0)) as (c & _ & E).
  - rewrite Rmin_left by lra. intros y [Y _].
    replace 0 with (Rpower y (1 / 2 - 1) * exp (- y) - sqrt PI * (/ (2 * sqrt y) * (2 / sqrt PI * exp (- sqrt y ^ 2)))).
    + apply (is_derive_minus (V := R_NormedModule)); [apply is_derive_lower_gamma; lra |].
      apply (is_derive_scal (fun y => erf (sqrt y))). apply (is_derive_comp erf sqrt); [apply is_derive_erf |].
      auto_derive; [exact Y | field]. apply Rgt_not_eq, sqrt_lt_R0, Y.
    + rewrite pow2_sqrt by lra. replace (Rpower y (1 / 2 - 1)) with (/ sqrt y); [assert (0 < sqrt y) by (apply sqrt_lt_R0, Y); field; split; lra |].
      rewrite <- Rpower_sqrt, <- Rpower_Ropp by exact Y. f_equal. field.
  - intros y _. apply continuity_pt_filterlim. apply (continuous_minus (V := R_NormedModule)); [apply continuous_lower_gamma; lra |].
    apply (continuous_scal_r (V := R_NormedModule) (sqrt PI) (fun y => erf (sqrt y))).
    apply (continuous_comp sqrt erf); [apply continuous_sqrt |].
    apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply is_derive_erf.
  - unfold D in E. rewrite (lower_gamma_0 (1 / 2) 0), sqrt_0, erf_0 in E by lra. lra.
Qed.
Lemma Gamma_1 : Gamma 1 = 1.
Proof.
  apply (filterlim_locally_unique (F := Rbar_locally p_infty) (lower_gamma 1)); [exact (lower_gamma_far 1 Rlt_0_1) |].
  apply (filterlim_ext_loc (fun x => 1 - exp (- x))).
  - exists 0. intros x X. symmetry. apply lower_gamma_1, X.
  - enough (L : filterlim (fun x => 1 - exp (- x)) (Rbar_locally p_infty) (locally (1 - 0))) by (replace (1 - 0) with 1 in L by ring; exact L).
    apply limit_of_difference; [exact _ | apply filterlim_const |].
    apply (filterlim_ext (fun x => exp (- (1 * x)))); [intro; f_equal; ring | exact (exponential_vanishes 1 Rlt_0_1)].
Qed.
Lemma Gamma_half : Gamma (1 / 2) = sqrt PI.
Proof.
  apply (filterlim_locally_unique (F := Rbar_locally p_infty) (lower_gamma (1 / 2))); [apply (lower_gamma_far (1 / 2)); lra |].
  apply (filterlim_ext_loc (fun x => sqrt PI * erf (sqrt x))).
  - exists 0. intros x X. symmetry. apply lower_gamma_half, X.
  - enough (L : filterlim (fun x => sqrt PI * erf (sqrt x)) (Rbar_locally p_infty) (locally (sqrt PI * 1))) by (rewrite Rmult_1_r in L; exact L).
    apply (tends_scaled (F := Rbar_locally p_infty)). refine (filterlim_comp _ _ _ sqrt erf _ _ _ _ erf_at_infinity). exact (is_lim_sqrt_p (fun x => x) p_infty (is_lim_id p_infty)).
Qed.

(** * Laws *)

Lemma law_of_power a b e P k : interval a b -> power e P -> fades a b P -> fades a b (fun x => x * P x) -> e + 1 <> 0 ->
  0 <= k * e -> k * at_place P b - k * at_place P a = 1 ->
  law_along Beyond a b (fun x => k * (e * P x / x)) (SumUp (fun x => k * P x) (k * at_place P a) (k * at_place P b))
    (SumUp (fun x => k * e / (e + 1) * (x * P x)) (k * e / (e + 1) * at_place (fun x => x * P x) a) (k * e / (e + 1) * at_place (fun x => x * P x) b)).
Proof.
  intros O H Fade Fade' E K Total. split; [exact O | split; [| split; [apply power_adds_up; assumption | split; [| exact Total]]]].
  - intros x X _. replace (k * (e * P x / x)) with (k * e * (P x * / x)) by (field; lra).
    apply Rmult_le_pos; [exact K | apply Rlt_le, Rmult_lt_0_compat; [apply H, X | apply Rinv_0_lt_compat, X]].
  - apply (adds_up_as a b (fun x => k * e / (e + 1) * ((e + 1) * (x * P x) / x))); [intros x X _; field; lra |].
    apply (power_adds_up a b (e + 1) (fun x => x * P x)); [exact O | apply next_power, H | exact Fade'].
Qed.

(** * Strictness from the densities alone *)

(** Both densities are continuous and positive near costs inside of both intervals. *)
Lemma inside_nearby a b x : 0 < x -> strictly_within_places a b x ->
  exists r, 0 < r /\ forall c, x - r < c < x + r -> 0 < c /\ within_places a b c.
Proof.
  intros X [L H].
  assert (Low : exists r, 0 < r /\ forall c, x - r < c -> match a with At l => l <= c | _ => True end).
  { destruct a as [| l |]; [exists 1 | exists (x - l) | exists 1]; (split; [lra |]); intros c C; simpl; trivial; lra. }
  assert (High : exists r, 0 < r /\ forall c, c < x + r -> match b with At h => c <= h | _ => True end).
  { destruct b as [| h |]; [exists 1 | exists (h - x) | exists 1]; (split; [lra |]); intros c C; simpl; trivial; lra. }
  destruct Low as (r & R & Low), High as (s & S & High). exists (Rmin x (Rmin r s)).
  pose proof (Rmin_l x (Rmin r s)). pose proof (Rmin_r x (Rmin r s)). pose proof (Rmin_l r s). pose proof (Rmin_r r s).
  split; [repeat apply Rmin_glb_lt; assumption |]. intros c C. split; [lra |]. split; [apply Low | apply High]; lra.
Qed.
Lemma two_are_dense A a0 b0 a1 b1 (f0 f1 : R -> R) x y : product_of A a0 b0 f0 a1 b1 f1 ->
  (forall c, 0 < c -> 0 < f0 c /\ continuous f0 c) -> (forall c, 0 < c -> 0 < f1 c /\ continuous f1 c) ->
  0 < x -> 0 < y -> strictly_within_places a0 b0 x -> strictly_within_places a1 b1 y -> dense_near x y A.
Proof.
  intros Product D0 D1 X Y In0 In1.
  destruct (inside_nearby a0 b0 x X In0) as (r & R & Near0), (inside_nearby a1 b1 y Y In1) as (s & S & Near1).
  destruct (product_is_dense f0 f1 (fun c0 c1 => nil) x y (Rmin r s)) as (d & D & Great);
    [apply Rmin_glb_lt; assumption | intros; exact I | apply D0, X | apply D0, X | apply D1, Y | apply D1, Y |].
  exists (Rmin d (Rmin r s)).
  pose proof (Rmin_l d (Rmin r s)). pose proof (Rmin_r d (Rmin r s)). pose proof (Rmin_l r s). pose proof (Rmin_r r s).
  split; [repeat apply Rmin_glb_lt; assumption |]. intros c0 c1 C0 C1.
  destruct (Near0 c0 ltac:(lra)) as [P0 I0], (Near1 c1 ltac:(lra)) as [P1 I1].
  destruct (Product c0 c1 P0 P1) as [Density Held]. split; [apply Held; split; assumption |].
  destruct (Great c0 c1 ltac:(lra) ltac:(lra)) as [_ Above]. rewrite Density. simpl in Above. lra.
Qed.

(** The ray of a threshold meets the inside of a rectangle. *)
Definition ray_meets (t : R) (a0 b0 a1 b1 : place) : Prop :=
  match a0, b1 with At l, At h => (1 - t) * l < t * h | _, _ => True end /\
  match b0, a1 with At h, At l => t * l < (1 - t) * h | _, _ => True end.
Lemma between_ends a b : interval a b -> exists z, 0 < z /\ strictly_within_places a b z.
Proof.
  unfold interval, strictly_within_places. destruct a as [| l |], b as [| h |]; intro H; try contradiction.
  - exists (h / 2). lra.
  - exists 1. lra.
  - exists ((l + h) / 2). lra.
  - exists (l + 1). lra.
Qed.
Definition greater (a b : place) : place := match a, b with At x, At y => At (Rmax x y) | At x, _ => a | _, _ => b end.
Definition smaller (a b : place) : place := match a, b with At x, At y => At (Rmin x y) | At x, _ => a | _, _ => b end.
Lemma ray_in_both t a0 b0 a1 b1 : 0 < t < 1 -> interval a0 b0 -> interval a1 b1 -> ray_meets t a0 b0 a1 b1 ->
  exists z, 0 < z /\ strictly_within_places a0 b0 (t * z) /\ strictly_within_places a1 b1 ((1 - t) * z).
Proof.
  intros T I0 I1 M.
  assert (Over : forall x y s, 0 < s -> x / s < y -> x < s * y).
  { intros x y s S H. apply (Rmult_lt_reg_r (/ s)); [apply Rinv_0_lt_compat, S |].
    replace (s * y * / s) with y by (field; lra). exact H. }
  assert (Under : forall x y s, 0 < s -> y < x / s -> s * y < x).
  { intros x y s S H. apply (Rmult_lt_reg_r (/ s)); [apply Rinv_0_lt_compat, S |].
    replace (s * y * / s) with y by (field; lra). exact H. }
  assert (Cross : forall x y r s, 0 < r -> 0 < s -> s * x < r * y -> x / r < y / s).
  { intros x y r s P Q H. apply (Rmult_lt_reg_r (r * s)); [apply Rmult_lt_0_compat; assumption |].
    replace (x / r * (r * s)) with (s * x) by (field; lra). replace (y / s * (r * s)) with (r * y) by (field; lra). exact H. }
  assert (Same : forall x y r, 0 < r -> x < y -> x / r < y / r).
  { intros x y r P H. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, P | exact H]. }
  assert (Positive : forall x r, 0 < r -> 0 < x -> 0 < x / r) by (intros; apply Rdiv_lt_0_compat; assumption).
  set (over := fun s a => match a with At x => At (x / s) | other => other end).
  destruct (between_ends (greater (over t a0) (over (1 - t) a1)) (smaller (over t b0) (over (1 - t) b1))) as (z & Z & In).
  - unfold ray_meets, interval, over, greater, smaller in *.
    destruct a0, b0, a1, b1; try contradiction; trivial;
      repeat match goal with H : _ /\ _ |- _ => destruct H end;
      repeat first [apply conj | apply Rmax_lub_lt | apply Rmin_glb_lt | apply Rlt_le_trans with (2 := Rmax_l _ _)];
      first [apply Positive; lra | apply Same; lra | apply Cross; lra].
  - exists z. split; [exact Z |]. unfold strictly_within_places, over, greater, smaller in *.
    destruct a0 as [| l0 |], b0 as [| h0 |], a1 as [| l1 |], b1 as [| h1 |]; try contradiction;
      try pose proof (Rmax_l (l0 / t) (l1 / (1 - t))); try pose proof (Rmax_r (l0 / t) (l1 / (1 - t)));
      try pose proof (Rmin_l (h0 / t) (h1 / (1 - t))); try pose proof (Rmin_r (h0 / t) (h1 / (1 - t)));
      repeat split; try exact I; first [apply Over; lra | apply Under; lra].
Qed.
Lemma two_are_spread A a0 b0 a1 b1 (f0 f1 : R -> R) low high : product_of A a0 b0 f0 a1 b1 f1 ->
  (forall c, 0 < c -> 0 < f0 c /\ continuous f0 c) -> (forall c, 0 < c -> 0 < f1 c /\ continuous f1 c) ->
  interval a0 b0 -> interval a1 b1 -> 0 <= low -> high <= 1 ->
  (forall t, low < t < high -> 0 < t < 1 -> ray_meets t a0 b0 a1 b1) -> spread_between low high [A].
Proof.
  intros Product D0 D1 I0 I1 Low High M t T. assert (U : 0 < t < 1) by lra.
  destruct (ray_in_both t a0 b0 a1 b1 U I0 I1 (M t T U)) as (z & Z & In0 & In1). exists (t * z), ((1 - t) * z).
  assert (X : 0 < t * z) by (apply Rmult_lt_0_compat; lra). assert (Y : 0 < (1 - t) * z) by (apply Rmult_lt_0_compat; lra).
  repeat split; try assumption; [ring |]. apply List.Exists_cons_hd.
  apply (two_are_dense A a0 b0 a1 b1 f0 f1); assumption.
Qed.
Lemma ray_above l h low t : 0 < l + h -> low = l / (l + h) -> low < t -> (1 - t) * l < t * h.
Proof.
  intros S -> T. assert (0 < (t - l / (l + h)) * (l + h)) by (apply Rmult_lt_0_compat; lra).
  replace ((t - l / (l + h)) * (l + h)) with (t * h - (1 - t) * l) in * by (field; lra). lra.
Qed.
Lemma ray_below l h high t : 0 < l + h -> high = h / (h + l) -> t < high -> t * l < (1 - t) * h.
Proof.
  intros S -> T. assert (0 < (h / (h + l) - t) * (h + l)) by (apply Rmult_lt_0_compat; lra).
  replace ((h / (h + l) - t) * (h + l)) with ((1 - t) * h - t * l) in * by (field; lra). lra.
Qed.
Ltac ray_meets low high :=
  unfold ray_meets; split; try exact I;
  first [apply (ray_above _ _ low); [see | field; see | lra] | apply (ray_below _ _ high); [see | field; see | lra]].

(** * Tactics for files *)

Ltac by_logarithms :=
  first
    [ solve [field; see]
    | apply ln_inv; [see | see | unfold standard, Rpower, Rminus, Rdiv; split_logarithms;
        first [field; see | equal_by_roots]] ].
Ltac powered_by :=
  split; [intros x X; auto_derive; [see | field; see] | split; [intros x y X Y; field; see | intros x X; see]].
Ltac fading_at_end :=
  first
    [ apply (tends_from_right _ _ 0 1 0 Rlt_0_1 (fun x _ => eq_refl)); [smooth | field; see]
    | apply power_starts; see
    | apply next_power_starts; see
    | apply inverse_fades
    | apply next_inverse_fades
    | apply power_fades; see
    | apply next_power_fades; see ].
Ltac fading := split; cbn beta iota; try exact I; fading_at_end.
(** The same beside another cost, by whose ends some limits are not needed. *)
Ltac fading_beside :=
  split; cbn beta iota; try exact I;
  let needed := fresh "needed" in intro needed; first [discriminate needed | fading_at_end].

(** Say which is the nearest cost of an interval, by differences whose sign is seen. *)
Ltac settle differences :=
  repeat match goal with
  | |- context [Rmax ?a ?b] =>
      first [rewrite (Rmax_left a b) by first [lra | differences quickly] | rewrite (Rmax_right a b) by first [lra | differences quickly]]
  | |- context [Rmin ?a ?b] =>
      first [rewrite (Rmin_left a b) by first [lra | differences quickly] | rewrite (Rmin_right a b) by first [lra | differences quickly]]
  end.

(** Write definitions out, down to what has been added up at costs. *)
Ltac read_moments :=
  cbv beta iota zeta delta [by_second0 by_second1 at_place reach at_cost nearest scaled up_to least most] in *.

(** The same argument of an incomplete function in the same way, and those of a shape by those of another. *)
Ltac same_shapes :=
  unfold upper_gamma;
  repeat match goal with
  | |- context [lower_gamma _ ?x] => match goal with |- context [lower_gamma _ ?y] =>
      assert_fails (constr_eq x y); replace x with y by by_logarithms end
  end;
  repeat match goal with
  | |- context [Gamma ?a] => match goal with |- context [Gamma ?b] =>
      assert_fails (constr_eq a b); replace (Gamma a) with (Gamma b) by (f_equal; field; see) end
  | |- context [lower_gamma ?a ?x] => match goal with |- context [lower_gamma ?b x] =>
      assert_fails (constr_eq a b); replace (lower_gamma a x) with (lower_gamma b x) by (f_equal; field; see) end
  end.
Ltac next_shape b a :=
  repeat match goal with
  | |- context [Gamma b] =>
      replace (Gamma b) with (a * Gamma a) by (transitivity (Gamma (a + 1)); [symmetry; apply Gamma_next; see | apply f_equal; field; see])
  | |- context [lower_gamma b ?x] =>
      replace (lower_gamma b x) with (a * lower_gamma a x - Rpower x a * exp (- x))
        by (replace b with (a + 1) by (field; see); symmetry; apply lower_gamma_next; see)
  end.
Lemma Rpower_whole x n : 0 < x -> Rpower x (IZR (Zpos n)) = x ^ Pos.to_nat n.
Proof. intro X. rewrite <- Rpower_pow, INR_IPR by exact X. reflexivity. Qed.
Lemma Rpower_halves x n : 0 < x -> exp (IZR (Zpos n) / 2 * ln x) = sqrt x ^ Pos.to_nat n.
Proof.
  intro X. rewrite <- (Rpower_whole (sqrt x) n) by (apply sqrt_lt_R0; exact X). unfold Rpower. rewrite ln_of_root by exact X.
  f_equal. field.
Qed.
Ltac whole_exponents :=
  repeat match goal with |- context [Rpower ?x (IZR (Zpos ?n))] =>
    let k := eval compute in (Pos.to_nat n) in replace (Rpower x (IZR (Zpos n))) with (x ^ k) by (symmetry; apply Rpower_whole; see)
  end.
Ltac argument_is z :=
  let write x := assert_fails (constr_eq x z); replace x with z by first [by_logarithms | whole_exponents; field; see] in
  repeat match goal with
  | |- context [lower_gamma _ ?x] => write x
  | |- context [tail_gamma _ ?x] => write x
  | |- context [exponential_integral ?x] => write x
  end.

(** An incomplete Gamma function from a cost on, of the shape [a], by that of [b = a + 1]. *)
Ltac next_tail a b :=
  repeat match goal with |- context [tail_gamma a ?x] =>
    replace (tail_gamma a x) with ((tail_gamma b x - Rpower x a * exp (- x)) / a)
      by (replace b with (a + 1) by (field; see); rewrite (tail_gamma_next a x) by see; field; see)
  end.
Ltac positive_tail a :=
  repeat match goal with |- context [tail_gamma a ?x] => rewrite (tail_is_upper_gamma a x) by see end.
Ltac inverse_root a n :=
  repeat match goal with |- context [Rpower ?x a] => replace (Rpower x a) with (/ sqrt x ^ n) by by_logarithms end.
Ltac inverse_power a n :=
  repeat match goal with |- context [Rpower ?x a] => replace (Rpower x a) with (/ x ^ n) by by_logarithms end.
Ltac root_power a n :=
  repeat match goal with |- context [Rpower ?x a] => replace (Rpower x a) with (sqrt x ^ n) by by_logarithms end.
Ltac whole_power a n :=
  repeat match goal with |- context [Rpower ?x a] => replace (Rpower x a) with (x ^ n) by by_logarithms end.
Ltac known_shapes :=
  rewrite ?Gamma_1, ?Gamma_half;
  repeat match goal with
  | |- context [lower_gamma 1 ?x] => rewrite (lower_gamma_1 x) by see
  | |- context [lower_gamma (1 / 2) ?x] => rewrite (lower_gamma_half x) by see
  end.
Ltac closed_errors hint :=
  unfold standard, erfc, Rpower; square_roots; hint; split_roots; split_logarithms; joined_errors; joined_exponentials;
  first [solve [field; see] | equal_by_roots].
(** Write powers by those of letters alone, whose exponents are terms of the exponents. *)
Ltac spread_powers :=
  unfold Rpower, Rminus; split_logarithms; unfold Rminus;
  repeat match goal with
  | |- context [exp ((?a + ?b) * ?c)] => replace (exp ((a + b) * c)) with (exp (a * c) * exp (b * c)) by (rewrite <- exp_plus; f_equal; ring)
  | |- context [exp (?a * (?b + ?c))] => replace (exp (a * (b + c))) with (exp (a * b) * exp (a * c)) by (rewrite <- exp_plus; f_equal; ring)
  | |- context [exp (- ?a * ?c)] => replace (exp (- a * c)) with (/ exp (a * c)) by (rewrite <- exp_Ropp; f_equal; ring)
  | |- context [exp (- ?a)] => rewrite (exp_Ropp a)
  | |- context [exp (?a * - ?c)] => replace (exp (a * - c)) with (/ exp (a * c)) by (rewrite <- exp_Ropp; f_equal; ring)
  | |- context [exp (IZR (Zneg ?z) / ?d * ?c)] =>
      replace (exp (IZR (Zneg z) / d * c)) with (/ exp (IZR (Zpos z) / d * c)) by (rewrite <- exp_Ropp; f_equal; field; see)
  | |- context [exp (1 * ln ?x)] => replace (exp (1 * ln x)) with x by (rewrite Rmult_1_l, exp_ln; [reflexivity | see])
  | |- context [exp (IZR (Zpos ?n) * ln ?x)] =>
      let k := eval compute in (Pos.to_nat n) in
      replace (exp (IZR (Zpos n) * ln x)) with (x ^ k) by (symmetry; apply (Rpower_whole x n); see)
  | |- context [exp (IZR (Zpos ?n) / 2 * ln ?x)] =>
      let k := eval compute in (Pos.to_nat n) in
      replace (exp (IZR (Zpos n) / 2 * ln x)) with (sqrt x ^ k) by (symmetry; apply (Rpower_halves x n); see)
  | |- context [exp (?a * 0)] => replace (exp (a * 0)) with 1 by (rewrite Rmult_0_r, exp_0; reflexivity)
  end.
(** Write exponentials of what has powers by one of them, if their exponents are equal or opposite. *)
Ltac same_stretched :=
  repeat match goal with |- context [exp ?a] => lazymatch a with context [exp _] =>
    match goal with |- context [exp ?b] => lazymatch b with context [exp _] =>
      assert_fails (constr_eq a b);
      first
        [ replace (exp a) with (exp b) by (apply f_equal; field; see)
        | replace (exp a) with (/ exp b) by (rewrite <- exp_Ropp; apply f_equal; field; see) ]
    end end end end.
Ltac closed_moments hint :=
  rewrite ?ln_1;
  first
    [ solve [field; see]
    | lazymatch goal with
      | |- context [erf _] => first [solve [closed_errors idtac] | closed_errors hint]
      | |- context [erfc _] => first [solve [closed_errors idtac] | closed_errors hint]
      | |- context [Rpower _ _] => first
          [ solve [spread_powers; same_stretched; field; see] | algebra_by hint | solve [unfold Rpower; hint; spread_powers; field; see]
          | spread_powers; algebra_by hint
          | spread_powers; hint; opposites; field; see ]
      | |- _ => first [algebra_by hint | opposites; field; see]
      end ].
Ltac same_sides := unfold within_places; split; intros; repeat match goal with H : _ /\ _ |- _ => destruct H end; repeat split; lra.
