(** The threshold weight of a law of two costs is an integral over one of them.

    Costs [c0], [c1] with the joint density [f] have the cost proportion [s = c0 / (c0 + c1)]. With [c0] written
    as [s * c1 / (1 - s)], of slope [c1 / (1 - s) ^ 2] in [s], the threshold weight at [s] is the integral over
    all [c1 > 0] of total cost, density and slope. Here is what it takes to know that integral from an
    antiderivative: where the integrand is not zero, and what the antiderivative is at the ends. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary.
Import ListNotations.
Open Scope R_scope.

(** * The inner integral *)

(** Costs spread over a region of the plane: a density, and expressions that are not negative in the region. *)
Record area := Area { density : R -> R -> R; region : R -> R -> list R }.

Fixpoint hold (expressions : list R) : Prop :=
  match expressions with nil => True | e :: others => 0 <= e /\ hold others end.

(** 1 if no expression is negative, else 0. *)
Fixpoint indicator (expressions : list R) : R :=
  match expressions with nil => 1 | e :: others => if Rle_dec 0 e then indicator others else 0 end.

Definition cost0 (s c1 : R) : R := s * c1 / (1 - s).

Lemma slope_of_cost0 s c1 : s <> 1 -> is_derive (fun t => cost0 t c1) s (c1 / (1 - s) ^ 2).
Proof. intro H. unfold cost0. auto_derive; [lra | field; lra]. Qed.

Definition integrand (A : area) (s c1 : R) : R :=
  (cost0 s c1 + c1) * density A (cost0 s c1) c1 * (c1 / (1 - s) ^ 2).

Fixpoint all_areas (areas : list area) (s c1 : R) : R :=
  match areas with
  | nil => 0
  | A :: others => indicator (region A (cost0 s c1) c1) * integrand A s c1 + all_areas others s c1
  end.

Definition over_positive (f : R -> R) (value : R) : Prop :=
  is_RInt_gen f (at_point 0) (Rbar_locally p_infty) value.

(** [value] is the threshold weight at [s] of costs that are spread over some areas. *)
Definition weight_of_areas (areas : list area) (s value : R) : Prop :=
  over_positive (all_areas areas s) value.

(** [value] is what one area contributes. *)
Definition share (A : area) (s value : R) : Prop :=
  over_positive (fun c1 => indicator (region A (cost0 s c1) c1) * integrand A s c1) value.

(** * Where the integrand is not zero *)

Lemma indicator_in expressions : hold expressions -> indicator expressions = 1.
Proof.
  induction expressions as [| e others IH]; simpl; [reflexivity |]. intros [E H].
  destruct (Rle_dec 0 e); [apply IH, H | contradiction].
Qed.
Lemma indicator_out expressions : ~ hold expressions -> indicator expressions = 0.
Proof.
  induction expressions as [| e others IH]; simpl; [intro H; exfalso; apply H; exact I |]. intros H.
  destruct (Rle_dec 0 e); [apply IH; intro K; apply H; split; assumption | reflexivity].
Qed.

Lemma hold_dec expressions : {hold expressions} + {~ hold expressions}.
Proof.
  induction expressions as [| e others IH]; simpl; [left; exact I |].
  destruct (Rle_dec 0 e), IH; [left; split; assumption | right; tauto ..].
Qed.
Lemma indicator_cases expressions :
  hold expressions /\ indicator expressions = 1 \/ ~ hold expressions /\ indicator expressions = 0.
Proof.
  destruct (hold_dec expressions) as [H | H].
  - left. split; [exact H | apply indicator_in, H].
  - right. split; [exact H | apply indicator_out, H].
Qed.

Lemma eventually_above (l : R) : Rbar_locally p_infty (fun y => l < y).
Proof. exists l. intros y H. exact H. Qed.

Lemma integral_of_zero (f : R -> R) a b : a <= b -> (forall x, a < x < b -> f x = 0) -> is_RInt f a b 0.
Proof.
  intros AB Z. apply (is_RInt_ext (fun _ => 0)).
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. symmetry. apply Z, X.
  - pose proof (is_RInt_const a b (0 : R)) as H. change (scal (b - a) 0) with ((b - a) * 0) in H.
    rewrite Rmult_0_r in H. exact H.
Qed.

(** From [u] on the integrand is 0. *)
Lemma up_to_upper g f l u (value : R) :
  l <= u -> (forall c, l < c < u -> g c = f c) -> (forall c, u < c -> g c = 0) ->
  is_RInt f l u value -> is_RInt_gen g (at_point l) (Rbar_locally p_infty) value.
Proof.
  intros LU E Z H P HP.
  exists (fun a => a = l) (fun b => u < b); [reflexivity | apply eventually_above |].
  intros a b -> B. exists value. split; [| apply locally_singleton, HP]. simpl.
  rewrite <- (Rplus_0_r value). apply (is_RInt_Chasles g l u b value 0).
  - apply (is_RInt_ext f); [| exact H]. rewrite Rmin_left, Rmax_right by lra. intros x X. symmetry. apply E, X.
  - apply integral_of_zero; [lra | intros x X; apply Z; lra].
Qed.

Lemma over_positive_zero f : (forall c, 0 < c -> f c = 0) -> over_positive f 0.
Proof.
  intro Z. apply (up_to_upper f f 0 0); [lra | reflexivity | exact Z |].
  apply integral_of_zero; intros; lra.
Qed.

(** No [c1] has both costs in the region. *)
Lemma over_nothing A s : (forall c, 0 < c -> ~ hold (region A (cost0 s c) c)) -> share A s 0.
Proof.
  intro N. apply over_positive_zero. intros c C. rewrite indicator_out by (apply N, C). ring.
Qed.

(** From 0 to [l] the integrand is 0; after it comes its integral from [l] on. *)
Lemma from_lower g f l value : 0 <= l ->
  (forall c, 0 < c < l -> g c = 0) -> (forall c, l < c -> g c = f c) ->
  is_RInt_gen f (at_point l) (Rbar_locally p_infty) value -> over_positive g value.
Proof.
  intros L Z E H. rewrite <- (Rplus_0_l value).
  apply (is_RInt_gen_Chasles (Fa := at_point 0) (Fc := Rbar_locally p_infty) g l 0 value).
  - apply is_RInt_gen_at_point, integral_of_zero; assumption.
  - refine (is_RInt_gen_ext (Fa := at_point l) (Fb := Rbar_locally p_infty) f g value _ H).
    exists (fun a => a = l) (fun b => l < b); [reflexivity | apply eventually_above |].
    intros a b -> B x. simpl. rewrite Rmin_left, Rmax_right by lra. intro X. symmetry. apply E. lra.
Qed.

(** The [c1] with both costs in the region are those from [l] to [u], or all from [l] on. *)
Definition slice (A : area) (s l u : R) : Prop :=
  0 <= l <= u /\ forall c, 0 < c -> (hold (region A (cost0 s c) c) <-> l <= c <= u).
Definition half_line (A : area) (s l : R) : Prop :=
  0 <= l /\ forall c, 0 < c -> (hold (region A (cost0 s c) c) <-> l <= c).

Lemma over_slice A s l u value : slice A s l u -> is_RInt (integrand A s) l u value -> share A s value.
Proof.
  intros [L S] H. apply from_lower with (f := fun c => indicator (region A (cost0 s c) c) * integrand A s c) (l := l).
  - lra.
  - intros c C. rewrite indicator_out; [ring |]. rewrite S by lra. lra.
  - reflexivity.
  - apply (up_to_upper _ (integrand A s) l u); [lra | | | exact H]; intros c C.
    + rewrite indicator_in; [ring |]. apply S; lra.
    + rewrite indicator_out; [ring |]. rewrite S by lra. lra.
Qed.

Lemma over_half_line A s l value : half_line A s l ->
  is_RInt_gen (integrand A s) (at_point l) (Rbar_locally p_infty) value -> share A s value.
Proof.
  intros [L S] H. apply from_lower with (integrand A s) l; [exact L | | | exact H]; intros c C.
  - rewrite indicator_out; [ring |]. rewrite S by lra. lra.
  - rewrite indicator_in; [ring |]. apply S; lra.
Qed.

(** Areas add up. *)
Lemma no_area s : weight_of_areas nil s 0.
Proof. apply over_positive_zero. reflexivity. Qed.
Lemma one_more_area A others s a b :
  share A s a -> weight_of_areas others s b -> weight_of_areas (A :: others) s (a + b).
Proof.
  exact (is_RInt_gen_plus (Fa := at_point 0) (Fb := Rbar_locally p_infty)
    (fun c => indicator (region A (cost0 s c) c) * integrand A s c) (all_areas others s) a b).
Qed.

(** * What an antiderivative gives *)

Lemma between_bounds F f l u (value : R) : l <= u ->
  (forall c, l <= c <= u -> is_derive F c (f c) /\ continuous f c) -> value = F u - F l -> is_RInt f l u value.
Proof.
  intros LU D ->. apply (is_RInt_derive F f); rewrite Rmin_left, Rmax_right by exact LU; intros c C; apply D, C.
Qed.

Lemma from_a_bound F f l (value : R) :
  (forall c, l <= c -> is_derive F c (f c) /\ continuous f c) -> is_lim F p_infty 0 -> value = - F l ->
  is_RInt_gen f (at_point l) (Rbar_locally p_infty) value.
Proof.
  intros D T -> P HP.
  assert (K : is_lim (fun b => F b - F l) p_infty (- F l)).
  { replace (Finite (- F l)) with (Finite (0 - F l)) by (f_equal; ring).
    apply is_lim_minus'; [exact T | apply is_lim_const]. }
  exists (fun a => a = l) (fun b => l < b /\ P (F b - F l)).
  - reflexivity.
  - apply filter_and; [apply eventually_above | apply K, HP].
  - intros a b -> [B HB]. exists (F b - F l). split; [| exact HB]. simpl.
    apply (between_bounds F); [lra | intros c C; apply D; lra | reflexivity].
Qed.

(** * Limits of antiderivatives at infinity *)

Fixpoint polynomial (coefficients : list R) (x : R) : R :=
  match coefficients with nil => 0 | a :: others => a + x * polynomial others x end.

Lemma product_vanishes f g : is_lim f p_infty 0 -> is_lim g p_infty 0 -> is_lim (fun x => f x * g x) p_infty 0.
Proof.
  intros F G. replace (Finite 0) with (Rbar_mult 0 0) by (simpl; f_equal; ring). apply is_lim_mult; easy.
Qed.

Lemma multiple_falls k : 0 < k -> is_lim (fun x => - (k * x)) p_infty m_infty.
Proof.
  intro K. evar_last; [apply (is_lim_opp (fun x => k * x) p_infty p_infty) | reflexivity].
  evar_last; [apply (is_lim_scal_l (fun x => x) k p_infty p_infty), is_lim_id |].
  simpl. destruct (Rle_dec 0 k) as [H |]; [| lra]. destruct (Rle_lt_or_eq_dec 0 k H); [reflexivity | lra].
Qed.

Lemma exponential_vanishes k : 0 < k -> is_lim (fun x => exp (- (k * x))) p_infty 0.
Proof.
  intro K. apply (is_lim_comp exp (fun x => - (k * x)) p_infty 0 m_infty).
  - apply is_lim_exp_m.
  - apply multiple_falls, K.
  - exists 0. intros; discriminate.
Qed.

Lemma linear_exponential_vanishes k : 0 < k -> is_lim (fun x => x * exp (- (k * x))) p_infty 0.
Proof.
  intro K. apply (is_lim_ext (fun x => - / k * (- (k * x) * exp (- (k * x))))); [intro; field; lra |].
  replace (Finite 0) with (Rbar_mult (- / k) 0) by (simpl; f_equal; ring).
  apply (is_lim_scal_l (fun x => - (k * x) * exp (- (k * x)))).
  apply (is_lim_comp (fun y => y * exp y) (fun x => - (k * x)) p_infty 0 m_infty).
  - apply is_lim_mul_exp_m.
  - apply multiple_falls, K.
  - exists 0. intros; discriminate.
Qed.

(** An exponential outweighs a polynomial. *)
Lemma polynomial_exponential_vanishes coefficients k :
  0 < k -> is_lim (fun x => polynomial coefficients x * exp (- (k * x))) p_infty 0.
Proof.
  revert k. induction coefficients as [| a others IH]; intros k K; simpl.
  - apply (is_lim_ext (fun _ => 0)); [intro; ring | apply is_lim_const].
  - apply (is_lim_ext (fun x => a * exp (- (k * x)) +
      x * exp (- (k / 2 * x)) * (polynomial others x * exp (- (k / 2 * x))))).
    { intro x. replace (exp (- (k * x))) with (exp (- (k / 2 * x)) * exp (- (k / 2 * x))); [ring |].
      rewrite <- exp_plus. f_equal. field. }
    replace (Finite 0) with (Finite (a * 0 + 0)) by (f_equal; ring).
    apply is_lim_plus'; [apply (is_lim_scal_l (fun x => exp (- (k * x))) a p_infty 0), exponential_vanishes, K |].
    apply product_vanishes; [apply linear_exponential_vanishes; lra | apply IH; lra].
Qed.

Lemma inverse_power_vanishes a n : is_lim (fun x => a / x ^ S n) p_infty 0.
Proof.
  replace (Finite 0) with (Rbar_mult a 0) by (simpl; f_equal; ring). apply (is_lim_scal_l (fun x => / x ^ S n)).
  induction n as [| n IH].
  - apply (is_lim_ext (fun x => / x)); [intro x; rewrite pow_1; reflexivity |].
    evar_last; [apply (is_lim_inv (fun x => x) p_infty p_infty); [apply is_lim_id | discriminate] | reflexivity].
  - apply (is_lim_ext_loc (fun x => / x ^ S n * / x)).
    { exists 0. intros x X. assert (N : x <> 0) by (simpl in X; lra).
      simpl. field. split; [apply pow_nonzero, N | exact N]. }
    apply product_vanishes; [exact IH |].
    evar_last; [apply (is_lim_inv (fun x => x) p_infty p_infty); [apply is_lim_id | discriminate] | reflexivity].
Qed.

(** * Bounds of [c1] *)


(** An expression that rises with [c] is not negative from its zero on; one that falls is not negative up to it. *)
Lemma rises_from slope zero c e : 0 < slope -> e = slope * (c - zero) -> (0 <= e <-> zero <= c).
Proof.
  intros S ->. split; intro H; [| apply Rmult_le_pos; lra].
  apply Rnot_lt_le. intro N. assert (0 < slope * (zero - c)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma falls_up_to slope zero c e : 0 < slope -> e = slope * (zero - c) -> (0 <= e <-> c <= zero).
Proof.
  intros S ->. split; intro H; [| apply Rmult_le_pos; lra].
  apply Rnot_lt_le. intro N. assert (0 < slope * (c - zero)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma exp_of_zero a : a = 0 -> exp a = 1.
Proof. intros ->. exact exp_0. Qed.

(** Equality of closed forms with exponentials, whose exponents are compared as fractions. *)
Ltac exponentials :=
  repeat match goal with
  | |- context [exp ?a] => rewrite (exp_of_zero a) by (field; see)
  end;
  repeat match goal with
  | |- context [exp ?a] => match goal with |- context [exp ?b] =>
      assert_fails (constr_eq a b); replace (exp a) with (exp b) by (f_equal; field; see) end
  end.
Ltac equal := first [algebra | exponentials; algebra].

(** The slope of an antiderivative, and the continuity of the integrand, between the bounds. *)
Ltac certified A :=
  intros c1 Within; assert (0 <= c1) by lra; unfold integrand, A, cost0; cbn [density polynomial];
  split; [auto_derive; [see | equal] | apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; see].
