(** Expected costs of log-normal laws: both costs have normal logarithms, which may depend on each other.

    Given c1, the mean of ln c0 is [m + k (ln c1 - n)]; with [k = 0] the costs are independent. Times c0, or c1, the
    density is one of the same kind. So each expected cost is the share of such a law below the ray of the report, or
    above it, and that share is a value of [erf] ([integral_of_bell_below]). *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Normal.
Import ListNotations.
Open Scope R_scope.

(** * Integrals over a positive number by those over its logarithm *)

Definition standard (n t c : R) : R := (ln c - n) / (t * sqrt 2).

Section Standard.
Variables n t : R.
Hypothesis spread : 0 < t.

Lemma root_of_2 : 0 < sqrt 2.
Proof. apply sqrt_lt_R0. lra. Qed.
Lemma scale : 0 < t * sqrt 2.
Proof. apply Rmult_lt_0_compat; [exact spread | exact root_of_2]. Qed.

Lemma standard_slope c : 0 < c -> is_derive (standard n t) c (/ (c * (t * sqrt 2))).
Proof. intro C. pose proof scale. unfold standard. pose proof root_of_2. auto_derive; [exact C | field; repeat split; lra]. Qed.
Lemma standard_slope_continuous c : 0 < c -> continuous (fun c => / (c * (t * sqrt 2))) c.
Proof.
  intro C. apply (ex_derive_continuous (fun c => / (c * (t * sqrt 2)))). auto_derive.
  apply Rgt_not_eq, Rmult_lt_0_compat; [exact C | exact scale].
Qed.

Lemma standard_at_0 : filterlim (standard n t) (at_right 0) (Rbar_locally m_infty).
Proof.
  apply (filterlim_comp _ _ _ ln (fun y => (y - n) / (t * sqrt 2)) (at_right 0) (Rbar_locally m_infty)); [exact is_lim_ln_0 |].
  pose proof scale as S. intros P [M HM]. exists (M * (t * sqrt 2) + n). intros y Y. apply HM.
  apply (Rmult_lt_reg_r (t * sqrt 2)); [exact S |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma standard_at_infinity : filterlim (standard n t) (Rbar_locally p_infty) (Rbar_locally p_infty).
Proof.
  apply (filterlim_comp _ _ _ ln (fun y => (y - n) / (t * sqrt 2)) (Rbar_locally p_infty) (Rbar_locally p_infty)); [exact is_lim_ln_p |].
  pose proof scale as S. intros P [M HM]. exists (M * (t * sqrt 2) + n). intros y Y. apply HM.
  apply (Rmult_lt_reg_r (t * sqrt 2)); [exact S |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma over_positive_by_logarithm h value : (forall z, continuous h z) ->
  filterlim (fun xy => RInt h (fst xy) (snd xy)) both_ends (locally value) ->
  over_positive (fun c => / (c * (t * sqrt 2)) * h (standard n t c)) value.
Proof.
  intros C L P HP.
  assert (Ends : filterlim (fun xy => (standard n t (fst xy), standard n t (snd xy)))
    (filter_prod (at_right 0) (Rbar_locally p_infty)) both_ends).
  { apply filterlim_pair.
    - apply (filterlim_comp _ _ _ fst (standard n t) _ (at_right 0)); [apply filterlim_fst | exact standard_at_0].
    - apply (filterlim_comp _ _ _ snd (standard n t) _ (Rbar_locally p_infty)); [apply filterlim_snd | exact standard_at_infinity]. }
  assert (Near : filter_prod (at_right 0) (Rbar_locally p_infty)
    (fun xy => P (RInt h (standard n t (fst xy)) (standard n t (snd xy))))) by exact (Ends _ (L P HP)).
  refine (filter_imp _ _ _ (filter_and _ _ within_positive Near)).
  intros [x y] [[X XY] HI]. simpl in *. eexists. split; [| exact HI].
  apply (is_RInt_comp h (standard n t) (fun c => / (c * (t * sqrt 2)))); intros c; rewrite Rmin_left, Rmax_right by lra; intros W.
  - apply C.
  - split; [apply standard_slope; lra | apply standard_slope_continuous; lra].
Qed.
End Standard.

(** * The density of a pair *)

Definition log_normal_pair (w m k s n t c0 c1 : R) : R :=
  w / (2 * PI * s * t * c0 * c1) *
  exp (- (ln c0 - m - k * (ln c1 - n)) ^ 2 / (2 * s ^ 2) - (ln c1 - n) ^ 2 / (2 * t ^ 2)).

(** What is integrated over all c0 > 0, and then over all c1 > 0. *)
Definition iterated (f : R -> R -> R) (value : R) : Prop :=
  exists inner : R -> R, (forall c1, 0 < c1 -> over_positive (f c1) (inner c1)) /\ over_positive inner value.

Lemma iterated_ext f g value : (forall c0 c1, 0 < c0 -> 0 < c1 -> f c1 c0 = g c1 c0) -> iterated f value -> iterated g value.
Proof.
  intros E (inner & F & I). exists inner. split; [| exact I]. intros c1 P1.
  apply over_positive_ext with (f c1); [intros c0 P0; apply E; assumption | apply F, P1].
Qed.

Section Pair.
Variables w m k s n t : R.
Hypothesis spread0 : 0 < s.
Hypothesis spread1 : 0 < t.

(** The part of the density that depends on c1 alone. *)
Definition strand (c1 : R) : R := w / (2 * sqrt PI) * (/ (c1 * (t * sqrt 2)) * bell (standard n t c1)).
Definition inside_mean (c1 : R) : R := m + k * (ln c1 - n).
Definition share (c1 c0 : R) : R := strand c1 * erf (standard (inside_mean c1) s c0).

Lemma share_slope c0 c1 : 0 < c0 -> 0 < c1 -> slope_is (share c1) (fun c0 => log_normal_pair w m k s n t c0 c1) c0.
Proof.
  intros P0 P1. pose proof root_of_pi as Pi. pose proof root_of_2 as Two. split.
  - unfold share. evar_last; [apply is_derive_scal; eapply is_derive_comp; [apply is_derive_erf | apply standard_slope; assumption] |].
    unfold scal; simpl; unfold mult; simpl. unfold log_normal_pair, strand, bell, inside_mean.
    set (z0 := standard (m + k * (ln c1 - n)) s c0). set (z1 := standard n t c1).
    replace (- (ln c0 - m - k * (ln c1 - n)) ^ 2 / (2 * s ^ 2) - (ln c1 - n) ^ 2 / (2 * t ^ 2)) with (- z0 ^ 2 + - z1 ^ 2).
    + rewrite exp_plus. replace (z0 * (z0 * 1)) with (z0 ^ 2) by ring.
      replace (2 * PI * s * t * c0 * c1) with (sqrt 2 * sqrt 2 * (sqrt PI * sqrt PI) * s * t * c0 * c1)
        by (rewrite !sqrt_sqrt by (pose proof PI_RGT_0; lra); ring).
      field. repeat split; lra.
    + unfold z0, z1, standard.
      replace (((ln c0 - (m + k * (ln c1 - n))) / (s * sqrt 2)) ^ 2) with ((ln c0 - (m + k * (ln c1 - n))) ^ 2 / (s ^ 2 * sqrt 2 ^ 2)) by (field; split; lra).
      replace (((ln c1 - n) / (t * sqrt 2)) ^ 2) with ((ln c1 - n) ^ 2 / (t ^ 2 * sqrt 2 ^ 2)) by (field; split; lra).
      rewrite pow2_sqrt by lra. field. split; lra.
  - apply (ex_derive_continuous (fun c0 => log_normal_pair w m k s n t c0 c1)). unfold log_normal_pair.
    pose proof PI_RGT_0. auto_derive. see.
Qed.

(** ** Over c0: up to infinity, or to a number *)

Lemma erf_of_standard_at_0 d q : 0 < q -> filterlim (fun c => erf (standard d q c)) (at_right 0) (locally (-1)).
Proof.
  intro Q. apply (filterlim_comp _ _ _ (standard d q) erf _ (Rbar_locally m_infty)); [apply standard_at_0, Q |].
  exact erf_at_minus_infinity.
Qed.
Lemma erf_of_standard_at_infinity d q : 0 < q -> filterlim (fun c => erf (standard d q c)) (Rbar_locally p_infty) (locally 1).
Proof.
  intro Q. apply (filterlim_comp _ _ _ (standard d q) erf _ (Rbar_locally p_infty)); [apply standard_at_infinity, Q |].
  exact erf_at_infinity.
Qed.

Lemma over_all_c0 c1 : 0 < c1 -> over_positive (fun c0 => log_normal_pair w m k s n t c0 c1) (strand c1 * 2).
Proof.
  intro P1. apply over_positive_is_onward. replace (strand c1 * 2) with (strand c1 * 1 - strand c1 * -1) by ring.
  apply (onward_last 0 _ (fun c0 => log_normal_pair w m k s n t c0 c1) (share c1)); [lra | reflexivity | | |].
  - intros c0 P0 _. apply share_slope; assumption.
  - rewrite after_0. apply tends_scaled, erf_of_standard_at_0, spread0.
  - apply tends_scaled, erf_of_standard_at_infinity, spread0.
Qed.

Lemma over_c0_below c1 top : 0 < c1 -> 0 < top ->
  over_positive (fun c0 => if Rlt_dec c0 top then log_normal_pair w m k s n t c0 c1 else 0)
    (strand c1 * (1 + erf (standard (inside_mean c1) s top))).
Proof.
  intros P1 T. apply over_positive_is_onward.
  replace (strand c1 * (1 + erf (standard (inside_mean c1) s top))) with (share c1 top - strand c1 * -1 + 0) by (unfold share; ring).
  apply (onward_step 0 top _ (fun c0 => log_normal_pair w m k s n t c0 c1) (share c1)); try lra.
  - intros c0 C. destruct (Rlt_dec c0 top); [reflexivity | lra].
  - intros c0 P0 _ _. apply share_slope; assumption.
  - rewrite after_0. apply tends_scaled, erf_of_standard_at_0, spread0.
  - apply onward_zero; [lra |]. intros c0 C. destruct (Rlt_dec c0 top); [lra | reflexivity].
Qed.

(** ** Over c1 *)

Lemma all_of_bell : filterlim (fun xy => RInt bell (fst xy) (snd xy)) both_ends (locally (sqrt PI)).
Proof.
  apply filterlim_ext with (fun xy : R * R => sqrt PI / 2 * (erf (snd xy - 0) - erf (fst xy + 0))).
  { intros [x y]. simpl. rewrite bell_between, Rminus_0_r, Rplus_0_r. reflexivity. }
  destruct (erf_at_both_ends 0) as [A B].
  assert (E : sqrt PI / 2 * (1 - -1) = sqrt PI) by field.
  refine (eq_ind _ (fun v => filterlim _ both_ends (locally v)) _ _ E).
  apply (filterlim_comp _ _ _ (fun xy : R * R => erf (snd xy - 0) - erf (fst xy + 0)) (fun y => sqrt PI / 2 * y) _ (locally (1 - -1)));
    [| apply (filterlim_scal_r (V := R_NormedModule))].
  refine (filterlim_comp_2 (G := locally 1) (H := locally (- -1)) (fun xy : R * R => erf (snd xy - 0))
    (fun xy => - erf (fst xy + 0)) Rplus B _ (filterlim_plus (V := R_NormedModule) 1 (- -1))).
  exact (filterlim_comp _ _ _ (fun xy : R * R => erf (fst xy + 0)) Ropp _ _ _ A (filterlim_opp (V := R_NormedModule) (-1))).
Qed.

Theorem whole_pair : iterated (fun c1 c0 => log_normal_pair w m k s n t c0 c1) w.
Proof.
  exists (fun c1 => strand c1 * 2). split; [exact over_all_c0 |]. pose proof root_of_pi as Pi.
  pose proof (over_positive_by_logarithm n t spread1 bell (sqrt PI) bell_continuous all_of_bell) as B.
  apply (over_positive_is _ (w / sqrt PI * sqrt PI + 0 * sqrt PI)); [| field; lra].
  apply over_positive_ext with (2 := over_positive_combined (w / sqrt PI) 0 _ _ _ _ B B).
  intros c1 P1. unfold strand. pose proof root_of_2. field. repeat split; lra.
Qed.

(** The share below the ray [c0 = u c1]. *)
Theorem pair_below u slope : 0 < u -> 0 < slope -> slope ^ 2 * (2 * (s ^ 2 + (k - 1) ^ 2 * t ^ 2)) = 1 ->
  iterated (fun c1 c0 => if Rlt_dec c0 (u * c1) then log_normal_pair w m k s n t c0 c1 else 0)
    (w / 2 * (1 + erf (slope * (ln u - (m - n))))).
Proof.
  intros U S E. pose proof root_of_pi as Pi. pose proof root_of_2 as Two.
  exists (fun c1 => strand c1 * (1 + erf (standard (inside_mean c1) s (u * c1)))). split.
  { intros c1 P1. apply over_c0_below; [exact P1 | apply Rmult_lt_0_compat; assumption]. }
  set (a := (ln u - (m - n)) / (s * sqrt 2)). set (b := (1 - k) * t / s).
  destruct (radius b) as [R1 R2].
  assert (Argument : a / sqrt (1 + b ^ 2) = slope * (ln u - (m - n))).
  { assert (Q : s * sqrt 2 * sqrt (1 + b ^ 2) * slope = 1).
    { assert (Positive : 0 < s * sqrt 2 * sqrt (1 + b ^ 2) * slope) by (repeat apply Rmult_lt_0_compat; lra).
      assert (Square : (s * sqrt 2 * sqrt (1 + b ^ 2) * slope) ^ 2 = 1).
      { rewrite !Rpow_mult_distr, R2, pow2_sqrt by lra. transitivity (slope ^ 2 * (2 * (s ^ 2 + (k - 1) ^ 2 * t ^ 2))); [unfold b; field; lra | exact E]. }
      nra. }
    unfold a. apply (Rmult_eq_reg_r (s * sqrt 2 * sqrt (1 + b ^ 2))); [| apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; lra].
    transitivity (ln u - (m - n)); [field; repeat split; lra |].
    transitivity ((ln u - (m - n)) * (s * sqrt 2 * sqrt (1 + b ^ 2) * slope)); [rewrite Q; ring | ring]. }
  rewrite <- Argument.
  pose proof (over_positive_by_logarithm n t spread1 bell (sqrt PI) bell_continuous all_of_bell) as B.
  assert (C : forall z, continuous (bell_below a b) z)
    by (intro z; apply (continuous_in_second (fun a z => bell_below a b z)), bell_below_in_both).
  pose proof (over_positive_by_logarithm n t spread1 (bell_below a b) _ C (integral_of_bell_below a b)) as D.
  apply (over_positive_is _ (w / (2 * sqrt PI) * sqrt PI + w / (2 * sqrt PI) * (sqrt PI * erf (a / sqrt (1 + b ^ 2)))));
    [| field; lra].
  apply over_positive_ext with (2 := over_positive_combined (w / (2 * sqrt PI)) (w / (2 * sqrt PI)) _ _ _ _ B D).
  intros c1 P1. unfold strand, bell_below.
  replace (standard (inside_mean c1) s (u * c1)) with (a + b * standard n t c1); [ring |].
  unfold standard, inside_mean, a, b. rewrite ln_mult by assumption. field. repeat split; lra.
Qed.
End Pair.

(** ** Times a cost, the density is of the same kind *)

Lemma pair_times_c0 w m k s n t c0 c1 : 0 < s -> 0 < t -> 0 < c0 -> 0 < c1 ->
  c0 * log_normal_pair w m k s n t c0 c1 =
  log_normal_pair (w * exp (m + (s ^ 2 + k ^ 2 * t ^ 2) / 2)) (m + s ^ 2 + k ^ 2 * t ^ 2) k s (n + k * t ^ 2) t c0 c1.
Proof.
  intros S T P0 P1. unfold log_normal_pair. rewrite <- (exp_ln c0 P0) at 1.
  set (e := exp (m + _)). set (d := w / _).
  replace (w * e / (2 * PI * s * t * c0 * c1)) with (d * e) by (unfold d; field; pose proof PI_RGT_0; repeat split; lra).
  unfold e. rewrite (Rmult_comm (exp (ln c0))), !Rmult_assoc, <- !exp_plus. do 2 f_equal. field. split; lra.
Qed.
Lemma pair_times_c1 w m k s n t c0 c1 : 0 < s -> 0 < t -> 0 < c0 -> 0 < c1 ->
  c1 * log_normal_pair w m k s n t c0 c1 =
  log_normal_pair (w * exp (n + t ^ 2 / 2)) (m + k * t ^ 2) k s (n + t ^ 2) t c0 c1.
Proof.
  intros S T P0 P1. unfold log_normal_pair. rewrite <- (exp_ln c1 P1) at 1.
  set (e := exp (n + _)). set (d := w / _).
  replace (w * e / (2 * PI * s * t * c0 * c1)) with (d * e) by (unfold d; field; pose proof PI_RGT_0; repeat split; lra).
  unfold e. rewrite (Rmult_comm (exp (ln c1))), !Rmult_assoc, <- !exp_plus. do 2 f_equal. field. split; lra.
Qed.

(** * Expected costs *)

(** An area has the density of a pair, at all positive costs. *)
Definition log_normal (A : area) (w m k s n t : R) : Prop :=
  0 < s /\ 0 < t /\ forall c0 c1, 0 < c0 -> 0 < c1 ->
    hold (region A c0 c1) /\ density A c0 c1 = log_normal_pair w m k s n t c0 c1.

Section Costs.
Variables (A : area) (w m k s n t : R).
Hypothesis known : log_normal A w m k s n t.

Lemma paid_of_pair pay c0 c1 : 0 < c0 -> 0 < c1 -> paid A pay c1 c0 = pay c0 c1 * log_normal_pair w m k s n t c0 c1.
Proof.
  intros P0 P1. destruct known as (_ & _ & H). destruct (H c0 c1 P0 P1) as [Held <-].
  apply paid_inside; [exact Held | reflexivity].
Qed.

Lemma log_normal_is_lawful : 0 <= w -> lawful_area A.
Proof.
  intros W c0 c1 P0 P1 _. destruct known as (S & T & H). destruct (H c0 c1 P0 P1) as [_ ->].
  unfold log_normal_pair. pose proof PI_RGT_0. see.
Qed.

Theorem log_normal_total : over_area A (fun _ _ => 1) w.
Proof.
  apply iterated_ext with (2 := whole_pair w m k s n t (proj1 known) (proj1 (proj2 known))).
  intros c0 c1 P0 P1. rewrite paid_of_pair by assumption. ring.
Qed.
Theorem log_normal_mean0 : over_area A (fun c0 _ => c0) (w * exp (m + (s ^ 2 + k ^ 2 * t ^ 2) / 2)).
Proof.
  destruct known as (S & T & _).
  apply iterated_ext with (2 := whole_pair _ (m + s ^ 2 + k ^ 2 * t ^ 2) k s (n + k * t ^ 2) t S T).
  intros c0 c1 P0 P1. rewrite paid_of_pair, <- pair_times_c0 by assumption. reflexivity.
Qed.
Theorem log_normal_mean1 : over_area A (fun _ c1 => c1) (w * exp (n + t ^ 2 / 2)).
Proof.
  destruct known as (S & T & _).
  apply iterated_ext with (2 := whole_pair _ (m + k * t ^ 2) k s (n + t ^ 2) t S T).
  intros c0 c1 P0 P1. rewrite paid_of_pair, <- pair_times_c1 by assumption. reflexivity.
Qed.

(** [slope] is 1 over the root of twice the variance of [ln c0 - ln c1]. *)
Variables p slope : R.
Hypothesis Unit : 0 < p < 1.
Hypothesis upward : 0 < slope.
Hypothesis squared : slope ^ 2 * (2 * (s ^ 2 + (k - 1) ^ 2 * t ^ 2)) = 1.

Lemma odds : 0 < p / (1 - p).
Proof. apply Rdiv_lt_0_compat; lra. Qed.

Theorem log_normal_cost0 : over_area A (pay0 p)
  (w * exp (m + (s ^ 2 + k ^ 2 * t ^ 2) / 2) / 2 *
   (1 + erf (slope * (ln (p / (1 - p)) - (m - n + s ^ 2 + k * (k - 1) * t ^ 2))))).
Proof.
  destruct known as (S & T & _).
  replace (m - n + s ^ 2 + k * (k - 1) * t ^ 2) with (m + s ^ 2 + k ^ 2 * t ^ 2 - (n + k * t ^ 2)) by ring.
  apply iterated_ext with (2 := pair_below _ _ k s _ t S T _ slope odds upward squared).
  intros c0 c1 P0 P1. rewrite paid_of_pair by assumption.
  replace (p / (1 - p) * c1) with (p * c1 / (1 - p)) by (field; lra).
  destruct (Rlt_dec c0 (p * c1 / (1 - p))).
  - rewrite pays0_below by assumption. symmetry. apply pair_times_c0; assumption.
  - rewrite pays0_above by lra. ring.
Qed.

Theorem log_normal_cost1 : over_area A (pay1 p)
  (w * exp (n + t ^ 2 / 2) / 2 * (1 - erf (slope * (ln (p / (1 - p)) - (m - n + (k - 1) * t ^ 2))))).
Proof.
  destruct known as (S & T & _).
  replace (m - n + (k - 1) * t ^ 2) with (m + k * t ^ 2 - (n + t ^ 2)) by ring.
  set (w' := w * exp (n + t ^ 2 / 2)). set (d := slope * _).
  destruct (whole_pair w' (m + k * t ^ 2) k s (n + t ^ 2) t S T) as (f & F & F').
  destruct (pair_below w' (m + k * t ^ 2) k s (n + t ^ 2) t S T _ slope odds upward squared) as (g & G & G').
  exists (fun c1 => 1 * f c1 + -1 * g c1). split.
  - intros c1 P1. apply over_positive_ext with (2 := over_positive_combined 1 (-1) _ _ _ _ (F c1 P1) (G c1 P1)).
    intros c0 P0. rewrite paid_of_pair by assumption.
    replace (p / (1 - p) * c1) with (p * c1 / (1 - p)) by (field; lra).
    destruct (Rlt_dec c0 (p * c1 / (1 - p))).
    + rewrite pays1_below by assumption. ring.
    + rewrite pays1_above by lra. unfold w'. rewrite <- pair_times_c1 by assumption. ring.
  - refine (over_positive_is _ _ _ (over_positive_combined 1 (-1) _ _ _ _ F' G') _). fold d. field.
Qed.
End Costs.

(** Equality of closed forms with values of [erf]: arguments are the same, or opposite. *)
Ltac equal_arguments := first [solve [field; see] | equal_by_roots].
Ltac joined_errors :=
  repeat match goal with
  | |- context [erf ?a] => match goal with |- context [erf ?b] =>
      assert_fails (constr_eq a b);
      first [ replace (erf a) with (erf b) by (f_equal; equal_arguments)
            | replace (erf a) with (- erf b) by (rewrite <- erf_of_opposite; f_equal; equal_arguments);
              assert_fails (assert (0 < a) by see) ] end
  end.
Ltac joined_exponentials :=
  repeat match goal with
  | |- context [exp ?a] => match goal with |- context [exp ?b] =>
      assert_fails (constr_eq a b); replace (exp a) with (exp b) by (f_equal; equal_arguments) end
  end.
(** A mean is a median times an exponential. *)
Ltac medians :=
  repeat match goal with
  | |- context [exp (ln ?a + ?b)] => replace (exp (ln a + b)) with (a * exp b) by (rewrite exp_plus, exp_ln by see; reflexivity)
  end.
Ltac closed_forms_as_written_by hint :=
  medians; square_roots; hint; split_roots; joined_errors; joined_exponentials; first [solve [field; see] | equal_by_roots].
Ltac closed_forms_by hint :=
  first [solve [closed_forms_as_written_by hint] | closed_forms_as_written_by ltac:(hint; split_logarithms)].
(** Write exponentials whose exponents are opposite by one of them. *)
Ltac opposite_exponentials :=
  repeat match goal with
  | |- context [exp ?a] => match goal with |- context [exp ?b] =>
      assert_fails (constr_eq a b); replace (exp a) with (/ exp b) by (rewrite <- exp_Ropp; f_equal; equal_arguments) end
  end.
