(** The normal distribution function: its value at infinity, and the sum of two independent normal numbers.

    [erf] is defined by its integral in [Elementary]; everything here is proved from that. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary.
Open Scope R_scope.

(** * Integrals that depend on a parameter *)

Definition continuous_in_both (g : R -> R -> R) : Prop := forall u t, continuity_2d_pt g u t.

Lemma in_both_const k : continuous_in_both (fun _ _ => k).
Proof. intros u t. apply continuity_2d_pt_const. Qed.
Lemma in_both_plus f g : continuous_in_both f -> continuous_in_both g -> continuous_in_both (fun u t => f u t + g u t).
Proof. intros F G u t. apply continuity_2d_pt_plus; auto. Qed.
Lemma in_both_mult f g : continuous_in_both f -> continuous_in_both g -> continuous_in_both (fun u t => f u t * g u t).
Proof. intros F G u t. apply continuity_2d_pt_mult; auto. Qed.
Lemma in_both_of h f : (forall x, ex_derive h x) -> continuous_in_both f -> continuous_in_both (fun u t => h (f u t)).
Proof.
  intros H F u t. apply continuity_1d_2d_pt_comp; [| apply F].
  apply continuity_pt_filterlim. exact (ex_derive_continuous h _ (H _)).
Qed.
Lemma in_both_first : continuous_in_both (fun u _ => u).
Proof. intros u t. apply continuity_2d_pt_id1. Qed.
Lemma in_both_second : continuous_in_both (fun _ t => t).
Proof. intros u t. apply continuity_2d_pt_id2. Qed.

Lemma continuous_in_second g u t : continuous_in_both g -> continuous (g u) t.
Proof.
  intros G e [d He]. destruct (G u t d) as [r Hr]. exists r. intros x X. apply He.
  apply Hr; [| exact X]. rewrite Rminus_eq_0, Rabs_R0. apply cond_pos.
Qed.

(** The slope in the parameter is the integral of the slopes. *)
Lemma slope_of_integral (f g : R -> R -> R) a b u :
  continuous_in_both f -> continuous_in_both g -> (forall v t, is_derive (fun v => f v t) v (g v t)) ->
  is_derive (fun v => RInt (f v) a b) u (RInt (g u) a b).
Proof.
  intros F G D.
  assert (E : forall v t, Derive (fun v => f v t) v = g v t) by (intros; apply is_derive_unique, D).
  replace (RInt (g u) a b) with (RInt (fun t => Derive (fun v => f v t) u) a b) by (apply RInt_ext; intros; apply E).
  apply (is_derive_RInt_param f a b u).
  - apply filter_forall. intros v t _. exists (g v t). apply D.
  - intros t _. apply continuity_2d_pt_ext with (2 := G u t). intros; symmetry; apply E.
  - apply filter_forall. intro v. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros t _. apply continuous_in_second, F.
Qed.

(** A function without slope is constant. *)
Lemma without_slope f a b : (forall x, is_derive f x 0) -> f a = f b.
Proof.
  intro D. destruct (MVT_gen f a b (fun _ => 0)) as (c & _ & E).
  - intros; apply D.
  - intros; apply continuity_pt_filterlim, (ex_derive_continuous f). exists 0; apply D.
  - lra.
Qed.

(** * The bell, and its integral *)

Definition bell (x : R) : R := exp (- x ^ 2).
Definition bell_up_to (x : R) : R := RInt bell 0 x.

Lemma bell_smooth x : ex_derive bell x.
Proof. unfold bell. auto_derive. exact I. Qed.
Lemma bell_continuous x : continuous bell x.
Proof. exact (ex_derive_continuous bell x (bell_smooth x)). Qed.
Lemma bell_integral a b : is_RInt bell a b (RInt bell a b).
Proof. apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous. intros; apply bell_continuous. Qed.
Lemma bell_up_to_slope x : is_derive bell_up_to x (bell x).
Proof.
  apply (is_derive_RInt bell _ 0 x); [| apply bell_continuous]. apply filter_forall; intro y; apply bell_integral.
Qed.
Lemma erf_by_bell x : erf x = 2 / sqrt PI * bell_up_to x.
Proof. reflexivity. Qed.
Lemma root_of_pi : 0 < sqrt PI.
Proof. apply sqrt_lt_R0, PI_RGT_0. Qed.
Lemma bell_up_to_by_erf x : bell_up_to x = sqrt PI / 2 * erf x.
Proof. rewrite erf_by_bell. pose proof root_of_pi. field. lra. Qed.
Lemma bell_between a b : RInt bell a b = sqrt PI / 2 * (erf b - erf a).
Proof.
  rewrite Rmult_minus_distr_l, <- !bell_up_to_by_erf. apply is_RInt_unique.
  apply (is_RInt_derive bell_up_to bell); intros; [apply bell_up_to_slope | apply bell_continuous].
Qed.

Lemma erf_rises x y : x <= y -> erf x <= erf y.
Proof.
  intros [H | ->]; [| lra].
  assert (0 < erf y - erf x); [| lra].
  apply (rises erf (fun t => 2 / sqrt PI * exp (- t ^ 2))); [exact H | intros; apply is_derive_erf | intros t _].
  apply Rmult_lt_0_compat; [| apply exp_pos]. apply Rdiv_lt_0_compat; [lra | apply root_of_pi].
Qed.

Lemma erf_of_opposite x : erf (- x) = - erf x.
Proof.
  assert (E : erf x + erf (- x) = erf 0 + erf (- 0)); [| rewrite Ropp_0, erf_0 in E; lra].
  apply (without_slope (fun x => erf x + erf (- x))). clear x. intro x.
  auto_derive; [exact I |]. replace (- x * (- x * 1)) with (x * (x * 1)) by ring. ring.
Qed.

(** ** The square of the integral, and another integral beside it, add up to a quarter of pi *)

Definition beside (x : R) : R := RInt (fun t => exp (- (x ^ 2 * (1 + t ^ 2))) * / (1 + t ^ 2)) 0 1.

Lemma one_and_square t : 0 < 1 + t ^ 2.
Proof. pose proof (pow2_ge_0 t). lra. Qed.

Lemma beside_slope x : is_derive beside x (- 2 * bell x * bell_up_to x).
Proof.
  assert (Square : continuous_in_both (fun u t => - (u ^ 2 * (1 + t ^ 2)))).
  { apply (in_both_of Ropp (fun u t => u ^ 2 * (1 + t ^ 2))); [intro; auto_derive; exact I |]. apply in_both_mult.
    - apply (in_both_of (fun u => u ^ 2)); [intro; auto_derive; exact I | apply in_both_first].
    - apply (in_both_of (fun t => 1 + t ^ 2)); [intro; auto_derive; exact I | apply in_both_second]. }
  assert (Exp : continuous_in_both (fun u t => exp (- (u ^ 2 * (1 + t ^ 2))))).
  { apply (in_both_of exp); [intro; auto_derive; exact I | exact Square]. }
  replace (- 2 * bell x * bell_up_to x) with (RInt (fun t => - 2 * x * exp (- (x ^ 2 * (1 + t ^ 2)))) 0 1).
  - apply (slope_of_integral (fun u t => exp (- (u ^ 2 * (1 + t ^ 2))) * / (1 + t ^ 2))
      (fun u t => - 2 * u * exp (- (u ^ 2 * (1 + t ^ 2))))).
    + apply in_both_mult; [exact Exp |].
      apply (in_both_of (fun t => / (1 + t ^ 2))); [| apply in_both_second].
      intro t. auto_derive. pose proof (one_and_square t). simpl in *. lra.
    + apply in_both_mult; [| exact Exp]. apply in_both_mult; [apply in_both_const | apply in_both_first].
    + intros v t. pose proof (one_and_square t). auto_derive; [exact I |].
      replace (v * (v * 1) * (1 + t * (t * 1))) with (v ^ 2 * (1 + t ^ 2)) by ring. field. simpl in *; lra.
  - apply is_RInt_unique.
    replace (- 2 * bell x * bell_up_to x) with (- 2 * bell x * bell_up_to (x * 1) - - 2 * bell x * bell_up_to (x * 0)).
    + apply (is_RInt_derive (fun t => - 2 * bell x * bell_up_to (x * t))); intros t _.
      * replace (- 2 * x * exp (- (x ^ 2 * (1 + t ^ 2)))) with (- 2 * bell x * (x * bell (x * t))).
        -- apply (is_derive_scal (fun t => bell_up_to (x * t))).
           apply (is_derive_comp bell_up_to (fun t => x * t)); [apply bell_up_to_slope |]. auto_derive; [exact I | ring].
        -- unfold bell. replace (- (x ^ 2 * (1 + t ^ 2))) with (- x ^ 2 + - (x * t) ^ 2) by ring.
           rewrite exp_plus. ring.
      * apply (ex_derive_continuous (fun t => - 2 * x * exp (- (x ^ 2 * (1 + t ^ 2))))). auto_derive. exact I.
    + rewrite Rmult_0_r, Rmult_1_r. unfold bell_up_to at 2. rewrite RInt_point. unfold zero; simpl. ring.
Qed.

Lemma beside_at_0 : beside 0 = PI / 4.
Proof.
  unfold beside. rewrite (RInt_ext _ (fun t => / (1 + t ^ 2))).
  - apply is_RInt_unique. replace (PI / 4) with (atan 1 - atan 0) by (rewrite atan_1, atan_0; ring).
    apply (is_RInt_derive atan); intros t _.
    + evar_last; [apply is_derive_atan | rewrite Rsqr_pow2; reflexivity].
    + apply (ex_derive_continuous (fun t => / (1 + t ^ 2))). auto_derive. pose proof (one_and_square t). simpl in *; lra.
  - intros t _. replace (0 ^ 2 * (1 + t ^ 2)) with 0 by ring. rewrite Ropp_0, exp_0. apply Rmult_1_l.
Qed.

Lemma quarter_of_pi x : bell_up_to x ^ 2 + beside x = PI / 4.
Proof.
  transitivity (bell_up_to 0 ^ 2 + beside 0).
  - apply (without_slope (fun x => bell_up_to x ^ 2 + beside x)). clear x. intro x.
    replace 0 with (2 * bell x * bell_up_to x + - 2 * bell x * bell_up_to x) by ring.
    apply (is_derive_plus (fun x => bell_up_to x ^ 2) beside); [| apply beside_slope].
    evar_last; [apply (is_derive_pow bell_up_to 2), bell_up_to_slope |]. simpl. ring.
  - rewrite beside_at_0. unfold bell_up_to. rewrite RInt_point. unfold zero; simpl. ring.
Qed.

Lemma exp_rises x y : x <= y -> exp x <= exp y.
Proof. intros [H | ->]; [apply Rlt_le, exp_increasing, H | apply Rle_refl]. Qed.

Lemma beside_between x : 0 <= beside x <= bell x.
Proof.
  assert (C : forall t, continuous (fun t => exp (- (x ^ 2 * (1 + t ^ 2))) * / (1 + t ^ 2)) t).
  { intro t. apply (ex_derive_continuous (fun t => exp (- (x ^ 2 * (1 + t ^ 2))) * / (1 + t ^ 2))).
    auto_derive. pose proof (one_and_square t). simpl in *; lra. }
  assert (In : ex_RInt (fun t => exp (- (x ^ 2 * (1 + t ^ 2))) * / (1 + t ^ 2)) 0 1)
    by (apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply C).
  split.
  - apply RInt_ge_0; [lra | exact In |]. intros t _. apply Rmult_le_pos; [apply Rlt_le, exp_pos |].
    apply Rlt_le, Rinv_0_lt_compat, one_and_square.
  - replace (bell x) with (RInt (fun _ => bell x) 0 1)
      by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
    apply RInt_le; [lra | exact In | apply ex_RInt_const |]. intros t _. rewrite <- (Rmult_1_r (bell x)).
    apply Rmult_le_compat; try (apply Rlt_le, exp_pos).
    + apply Rlt_le, Rinv_0_lt_compat, one_and_square.
    + unfold bell. apply exp_rises. pose proof (Rmult_le_pos _ _ (pow2_ge_0 x) (pow2_ge_0 t)). lra.
    + rewrite <- Rinv_1. apply Rinv_le_contravar; [lra |]. pose proof (pow2_ge_0 t). lra.
Qed.

(** ** The values at infinity *)

Lemma erf_by_beside x : erf x ^ 2 = 1 - 4 / PI * beside x.
Proof.
  rewrite erf_by_bell. pose proof PI_RGT_0. pose proof root_of_pi.
  replace ((2 / sqrt PI * bell_up_to x) ^ 2) with (4 / (sqrt PI ^ 2) * bell_up_to x ^ 2) by (field; lra).
  rewrite pow2_sqrt by lra. pose proof (quarter_of_pi x) as Q.
  replace (bell_up_to x ^ 2) with (PI / 4 - beside x) by lra. field. lra.
Qed.

Lemma erf_bounded x : -1 <= erf x <= 1.
Proof.
  pose proof (erf_by_beside x) as E. pose proof (beside_between x) as [B _].
  assert (0 <= 4 / PI * beside x).
  { apply Rmult_le_pos; [| exact B]. apply Rlt_le, Rdiv_lt_0_compat; [lra | exact PI_RGT_0]. }
  split; nra.
Qed.

Lemma erf_inside x : -1 < erf x < 1.
Proof.
  assert (Rises : forall y, erf y < erf (y + 1)).
  { intro y. apply Rminus_gt_0_lt, (rises erf (fun t => 2 / sqrt PI * exp (- t ^ 2))); [lra | intros; apply is_derive_erf |].
    intros t _. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; [lra | exact root_of_pi] | apply exp_pos]. }
  pose proof (Rises x). pose proof (Rises (x - 1)) as Below. replace (x - 1 + 1) with x in Below by ring.
  pose proof (erf_bounded (x + 1)). pose proof (erf_bounded (x - 1)). lra.
Qed.
Ltac see_bounded ::=
  match goal with
  | |- 0 < erf ?x + 1 => pose proof (erf_inside x); lra
  | |- 0 < 1 - erf ?x => pose proof (erf_inside x); lra
  | |- 0 < erfc ?x => pose proof (erf_inside x); unfold erfc; lra
  end.

Lemma bell_vanishes : is_lim bell p_infty 0.
Proof.
  apply (is_lim_comp exp (fun x => - x ^ 2) p_infty 0 m_infty); [apply is_lim_exp_m | | exists 0; intros; discriminate].
  apply (is_lim_opp (fun x => x ^ 2) p_infty p_infty). apply (is_lim_ext (fun x => x * x)); [intro; ring |].
  evar_last; [apply is_lim_mult; [apply is_lim_id | apply is_lim_id | exact I] | reflexivity].
Qed.

Lemma erf_at_infinity : is_lim erf p_infty 1.
Proof.
  pose proof PI_RGT_0.
  assert (K : 0 < 4 / PI) by (apply Rdiv_lt_0_compat; lra).
  apply (is_lim_le_le_loc (fun x => 1 - 4 / PI * bell x) (fun _ => 1) erf p_infty 1).
  - exists 0. intros x X. pose proof (erf_bounded x). split; [| lra].
    pose proof (erf_by_beside x) as E. pose proof (beside_between x) as [_ B].
    assert (0 < erf x) by (apply erf_positive; exact X).
    assert (4 / PI * beside x <= 4 / PI * bell x) by (apply Rmult_le_compat_l; lra).
    nra.
  - replace (Finite 1) with (Finite (1 - 4 / PI * 0)) by (f_equal; ring).
    apply is_lim_minus'; [apply is_lim_const | apply (is_lim_scal_l bell (4 / PI) p_infty 0), bell_vanishes].
  - apply is_lim_const.
Qed.
Lemma erf_at_minus_infinity : is_lim erf m_infty (-1).
Proof.
  apply (is_lim_ext (fun x => - erf (- x))); [intro x; rewrite erf_of_opposite; ring |].
  apply (is_lim_opp (fun x => erf (- x)) m_infty 1).
  apply (is_lim_comp erf Ropp m_infty 1 p_infty); [exact erf_at_infinity | | exists 0; intros; discriminate].
  exact (is_lim_opp (fun x => x) m_infty m_infty (is_lim_id m_infty)).
Qed.

(** * A normal number below a line of another one *)

Lemma slope_of_erf_of_line u v z : is_derive (fun z => erf (u * z + v)) z (u * (2 / sqrt PI * exp (- (u * z + v) ^ 2))).
Proof.
  auto_derive; [exact I |]. replace ((u * z + v) ^ 2) with ((u * z + v) * ((u * z + v) * 1)) by ring.
  pose proof root_of_pi. field. lra.
Qed.

Definition bell_below (a b z : R) : R := bell z * erf (a + b * z).

Lemma bell_below_in_both b : continuous_in_both (fun a z => bell_below a b z).
Proof.
  apply in_both_mult; [apply (in_both_of bell); [exact bell_smooth | apply in_both_second] |].
  apply (in_both_of erf (fun a z => a + b * z)); [intro x; exists (2 / sqrt PI * exp (- x ^ 2)); apply is_derive_erf |].
  apply in_both_plus; [apply in_both_first | apply in_both_mult; [apply in_both_const | apply in_both_second]].
Qed.
Lemma bell_below_integral a b x y : is_RInt (bell_below a b) x y (RInt (bell_below a b) x y).
Proof.
  apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous. intros z _.
  apply (continuous_in_second (fun a z => bell_below a b z)), bell_below_in_both.
Qed.

Section Below.
Variable b : R.
Local Notation r := (sqrt (1 + b ^ 2)).

Lemma radius : 1 <= r /\ r ^ 2 = 1 + b ^ 2.
Proof.
  pose proof (pow2_ge_0 b). split; [| apply pow2_sqrt; lra].
  rewrite <- sqrt_1 at 1. apply sqrt_le_1_alt. lra.
Qed.

Lemma inverse_radius : 0 < / r <= 1.
Proof.
  destruct radius as [R _]. split; [apply Rinv_0_lt_compat; lra |].
  pose proof (Rinv_le_contravar 1 r ltac:(lra) R) as H. rewrite Rinv_1 in H. exact H.
Qed.

(** The slope in [a] is an integral of a bell, after completing the square. *)
Lemma slope_of_bell_below x y a :
  is_derive (fun a => RInt (bell_below a b) x y) a
    (/ r * exp (- a ^ 2 / r ^ 2) * (erf (r * y + a * b / r) - erf (r * x + a * b / r))).
Proof.
  destruct radius as [R1 R2]. pose proof root_of_pi as Pi.
  set (k := 2 / sqrt PI). assert (K : 0 < k) by (apply Rdiv_lt_0_compat; lra).
  replace (/ r * exp (- a ^ 2 / r ^ 2) * (erf (r * y + a * b / r) - erf (r * x + a * b / r)))
    with (RInt (fun z => bell z * (k * bell (a + b * z))) x y).
  - apply (slope_of_integral (fun a z => bell_below a b z) (fun a z => bell z * (k * bell (a + b * z)))).
    + apply bell_below_in_both.
    + apply in_both_mult; [apply (in_both_of bell); [exact bell_smooth | apply in_both_second] |].
      apply in_both_mult; [apply in_both_const |].
      apply (in_both_of bell (fun a z => a + b * z)); [exact bell_smooth |].
      apply in_both_plus; [apply in_both_first | apply in_both_mult; [apply in_both_const | apply in_both_second]].
    + intros v z. apply (is_derive_scal (fun v => erf (v + b * z))).
      evar_last; [apply (is_derive_comp erf (fun v => v + b * z)); [apply is_derive_erf | auto_derive; [exact I | reflexivity]] |].
      unfold scal; simpl; unfold mult, bell, k; simpl. ring.
  - apply is_RInt_unique. rewrite Rmult_minus_distr_l.
    apply (is_RInt_derive (fun z => / r * exp (- a ^ 2 / r ^ 2) * erf (r * z + a * b / r))); intros z _.
    + assert (E : bell z * bell (a + b * z) = exp (- a ^ 2 / r ^ 2) * exp (- (r * z + a * b / r) ^ 2)).
      { unfold bell. rewrite <- !exp_plus. f_equal.
        replace ((r * z + a * b / r) ^ 2) with (r ^ 2 * z ^ 2 + 2 * z * a * b + a ^ 2 * b ^ 2 / r ^ 2) by (field; lra).
        rewrite R2. pose proof (pow2_ge_0 b). field. lra. }
      evar_last; [apply is_derive_scal, slope_of_erf_of_line | fold k].
      transitivity (k * (exp (- a ^ 2 / r ^ 2) * exp (- (r * z + a * b / r) ^ 2))); [field; lra | rewrite <- E; ring].
    + apply (ex_derive_continuous (fun z => bell z * (k * bell (a + b * z)))). unfold bell. auto_derive. exact I.
Qed.

(** The integral over all numbers: as far from its value as the integral over an interval is, at most. *)
Definition whole_bell_below (a : R) : R := sqrt PI * erf (a / r).

Lemma opposite_ends x y : Rabs (RInt (bell_below 0 b) x y) <= sqrt PI / 2 * Rabs (erf y + erf x).
Proof.
  set (P := fun y => RInt (bell_below 0 b) 0 y).
  assert (C : forall z, continuous (bell_below 0 b) z)
    by (intro z; apply (continuous_in_second (fun a z => bell_below a b z)), bell_below_in_both).
  assert (D : forall z, is_derive P z (bell_below 0 b z)).
  { intro z. apply (is_derive_RInt (bell_below 0 b) P 0 z); [| apply C].
    apply filter_forall; intro v. apply bell_below_integral. }
  assert (Even : P x = P (- x)).
  { assert (E : P x + - P (- x) = P 0 + - P (- 0)); [| rewrite Ropp_0 in E; lra].
    apply (without_slope (fun x => P x + - P (- x))). intro z.
    replace 0 with (bell_below 0 b z + - (-1 * bell_below 0 b (- z))).
    - apply (is_derive_plus P (fun x => - P (- x))); [apply D |]. apply (is_derive_opp (fun x => P (- x))).
      apply (is_derive_comp P Ropp); [apply D |]. auto_derive; [exact I | reflexivity].
    - unfold bell_below, bell. replace (0 + b * - z) with (- (0 + b * z)) by ring. rewrite erf_of_opposite.
      replace (- (- z) ^ 2) with (- z ^ 2) by ring. ring. }
  assert (E : forall s, RInt (bell_below 0 b) s y = P y - P s).
  { intro s. apply is_RInt_unique. apply (is_RInt_derive P); intros; [apply D | apply C]. }
  rewrite E, Even, <- E. replace (erf y + erf x) with (erf y - erf (- x)) by (rewrite erf_of_opposite; ring).
  assert (Ordered : forall s t, s <= t -> Rabs (RInt (bell_below 0 b) s t) <= sqrt PI / 2 * (erf t - erf s)).
  { intros s t ST. rewrite <- bell_between.
    apply (norm_RInt_le (V := R_NormedModule) (bell_below 0 b) bell s t); try exact ST;
      [| apply bell_below_integral | apply bell_integral].
    intros z _. unfold norm; simpl; unfold abs; simpl. unfold bell_below. rewrite Rabs_mult.
    rewrite (Rabs_pos_eq (bell z)) by (apply Rlt_le, exp_pos). rewrite <- (Rmult_1_r (bell z)) at 2.
    apply Rmult_le_compat_l; [apply Rlt_le, exp_pos |]. apply Rabs_le. pose proof (erf_bounded (0 + b * z)). lra. }
  destruct (Rle_dec (- x) y) as [L | L].
  - rewrite (Rabs_pos_eq (erf y - _)) by (pose proof (erf_rises _ _ L); lra). apply Ordered, L.
  - rewrite <- (opp_RInt_swap (V := R_CompleteNormedModule)) by (eexists; apply bell_below_integral).
    change (opp ?v) with (- v). rewrite Rabs_Ropp, (Rabs_minus_sym (erf y)).
    rewrite (Rabs_pos_eq (erf (- x) - _)) by (pose proof (erf_rises y (- x)); lra). apply Ordered. lra.
Qed.

Lemma distance_to_whole a x y : 0 <= y -> x <= 0 ->
  Rabs (RInt (bell_below a b) x y - whole_bell_below a)
    <= sqrt PI / 2 * Rabs (erf y + erf x) + Rabs a * (2 - erf (y - Rabs (a * b)) + erf (x + Rabs (a * b))).
Proof.
  intros Y X. destruct radius as [R1 R2]. pose proof root_of_pi as Pi.
  set (gap := fun a => RInt (bell_below a b) x y - whole_bell_below a).
  set (slope := fun a => / r * exp (- a ^ 2 / r ^ 2) * (erf (r * y + a * b / r) - erf (r * x + a * b / r) - 2)).
  assert (D : forall c, is_derive gap c (slope c)).
  { intro c. unfold slope. rewrite Rmult_minus_distr_l.
    apply (is_derive_minus (fun a => RInt (bell_below a b) x y) whole_bell_below); [apply slope_of_bell_below |].
    unfold whole_bell_below. 
    apply (is_derive_ext (fun a => sqrt PI * erf (/ r * a + 0))); [intro v; do 2 f_equal; field; lra |].
    evar_last; [apply is_derive_scal, slope_of_erf_of_line |].
    replace (- (/ r * c + 0) ^ 2) with (- c ^ 2 / r ^ 2) by (field; lra). field. lra. }
  destruct (MVT_gen gap 0 a slope) as (c & C & E).
  { intros; apply D. }
  { intros; apply continuity_pt_filterlim, (ex_derive_continuous gap). eexists; apply D. }
  assert (Start : gap 0 = RInt (bell_below 0 b) x y).
  { unfold gap, whole_bell_below. replace (0 / r) with 0 by (field; lra). rewrite erf_0. ring. }
  assert (Inside : Rabs (c * b / r) <= Rabs (a * b)).
  { assert (Rabs c <= Rabs a) by (unfold Rmin, Rmax in C; destruct (Rle_dec 0 a); unfold Rabs; repeat destruct Rcase_abs; lra).
    unfold Rdiv. rewrite !Rabs_mult. rewrite (Rabs_pos_eq (/ r)) by (apply Rlt_le, Rinv_0_lt_compat; lra).
    pose proof (Rabs_pos c). pose proof (Rabs_pos b).
    destruct inverse_radius as [R3 R4].
    rewrite <- (Rmult_1_r (Rabs a * Rabs b)). apply Rmult_le_compat; try lra; [apply Rmult_le_pos; assumption |].
    apply Rmult_le_compat_r; assumption. }
  apply Rabs_le_between in Inside. set (m := Rabs (a * b)) in *.
  assert (Far : 0 <= 2 - (erf (r * y + c * b / r) - erf (r * x + c * b / r)) <= 2 - erf (y - m) + erf (x + m)).
  { assert (0 <= (r - 1) * y) by (apply Rmult_le_pos; lra).
    assert (0 <= (r - 1) * - x) by (apply Rmult_le_pos; lra).
    pose proof (erf_bounded (r * y + c * b / r)). pose proof (erf_bounded (r * x + c * b / r)).
    pose proof (erf_rises (y - m) (r * y + c * b / r) ltac:(lra)).
    pose proof (erf_rises (r * x + c * b / r) (x + m) ltac:(lra)). lra. }
  assert (Slope : Rabs (slope c) <= 2 - erf (y - m) + erf (x + m)).
  { unfold slope. rewrite Rabs_mult. set (d := erf (r * y + c * b / r) - erf (r * x + c * b / r)) in *. clearbody d.
    rewrite (Rabs_left1 (d - 2)) by lra.
    assert (0 <= Rabs (/ r * exp (- c ^ 2 / r ^ 2)) <= 1).
    { split; [apply Rabs_pos |]. rewrite Rabs_pos_eq.
      - destruct inverse_radius as [R3 R4]. assert (exp (- c ^ 2 / r ^ 2) <= 1).
        { apply Rle_trans with (exp 0); [apply exp_rises | rewrite exp_0; apply Rle_refl]. unfold Rdiv. rewrite <- Ropp_mult_distr_l.
          assert (0 <= c ^ 2 * / r ^ 2); [| lra].
          apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, Rinv_0_lt_compat, pow_lt; lra]. }
        pose proof (exp_pos (- c ^ 2 / r ^ 2)). set (q := exp _) in *. set (i := / r) in *. clearbody q i.
        rewrite <- (Rmult_1_r 1). apply Rmult_le_compat; lra.
      - apply Rmult_le_pos; apply Rlt_le; [apply Rinv_0_lt_compat; lra | apply exp_pos]. }
    apply Rle_trans with (1 * (2 - erf (y - m) + erf (x + m))); [| lra]. apply Rmult_le_compat; lra. }
  fold (gap a). replace (gap a) with (gap 0 + slope c * (a - 0)) by lra. rewrite Start.
  apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; [apply opposite_ends |].
  rewrite Rabs_mult, Rminus_0_r, Rmult_comm. apply Rmult_le_compat_l; [apply Rabs_pos | exact Slope].
Qed.
End Below.

(** Limits along [x] to minus infinity and [y] to infinity at once. *)
Definition both_ends : (R * R -> Prop) -> Prop := filter_prod (Rbar_locally m_infty) (Rbar_locally p_infty).

Lemma erf_at_both_ends d : filterlim (fun xy => erf (fst xy + d)) both_ends (locally (-1)) /\
  filterlim (fun xy => erf (snd xy - d)) both_ends (locally 1).
Proof.
  split.
  - apply (filterlim_comp _ _ _ fst (fun x => erf (x + d)) both_ends (Rbar_locally m_infty)); [apply filterlim_fst |].
    apply (is_lim_comp erf (fun x => x + d) m_infty (-1) m_infty); [exact erf_at_minus_infinity | | exists 0; intros; discriminate].
    exact (is_lim_plus (fun x => x) (fun _ => d) m_infty m_infty d m_infty (is_lim_id _) (is_lim_const _ _) eq_refl).
  - apply (filterlim_comp _ _ _ snd (fun y => erf (y - d)) both_ends (Rbar_locally p_infty)); [apply filterlim_snd |].
    apply (is_lim_comp erf (fun x => x - d) p_infty 1 p_infty); [exact erf_at_infinity | | exists 0; intros; discriminate].
    exact (is_lim_minus (fun x => x) (fun _ => d) p_infty p_infty d p_infty (is_lim_id _) (is_lim_const _ _) eq_refl).
Qed.

Theorem integral_of_bell_below a b :
  filterlim (fun xy => RInt (bell_below a b) (fst xy) (snd xy)) both_ends (locally (sqrt PI * erf (a / sqrt (1 + b ^ 2)))).
Proof.
  pose proof root_of_pi as Pi. set (m := Rabs (a * b)).
  assert (Near : forall e, 0 < e -> both_ends (fun xy => fst xy <= 0 /\ 0 <= snd xy /\ erf (fst xy + 0) < -1 + e /\
    1 - e < erf (snd xy - 0) /\ erf (fst xy + m) < -1 + e /\ 1 - e < erf (snd xy - m))).
  { intros e E. set (d := mkposreal e E).
    assert (Close : forall k, both_ends (fun xy => erf (fst xy + k) < -1 + e /\ 1 - e < erf (snd xy - k))).
    { intro k. destruct (erf_at_both_ends k) as [L H].
      pose proof (proj1 (filterlim_locally _ _) L d) as L'. pose proof (proj1 (filterlim_locally _ _) H d) as H'.
      refine (filter_imp _ _ _ (filter_and _ _ L' H')).
      intros xy [A B]. apply Rabs_lt_between' in A, B. simpl in A, B. lra. }
    assert (Sides : both_ends (fun xy => fst xy <= 0 /\ 0 <= snd xy)).
    { exists (fun x => x < 0) (fun y => 0 < y); [exists 0; trivial | exists 0; trivial |]. simpl. intros; lra. }
    apply filter_imp with (2 := filter_and _ _ Sides (filter_and _ _ (Close 0) (Close m))).
    intros xy ((A & B) & (C & D) & F & G). repeat split; assumption. }
  apply filterlim_locally. intro eps.
  set (k := sqrt PI / 2 + 2 * Rabs a + 1). pose proof (Rabs_pos a).
  assert (K : 0 < k) by (unfold k; lra).
  assert (E : 0 < eps / k) by (apply Rdiv_lt_0_compat; [apply cond_pos | exact K]).
  apply filter_imp with (2 := Near _ E). intros [x y] (X & Y & A & B & C & D). simpl in *.
  rewrite Rplus_0_r in A. rewrite Rminus_0_r in B.
  apply Rle_lt_trans with (1 := distance_to_whole b a x y Y X). fold m.
  pose proof (erf_bounded x). pose proof (erf_bounded y). set (e := eps / k) in *.
  assert (Rabs (erf y + erf x) <= e) by (apply Rabs_le; lra).
  assert (sqrt PI / 2 * Rabs (erf y + erf x) <= sqrt PI / 2 * e) by (apply Rmult_le_compat_l; lra).
  assert (Rabs a * (2 - erf (y - m) + erf (x + m)) <= Rabs a * (2 * e)) by (apply Rmult_le_compat_l; lra).
  apply Rle_lt_trans with ((k - 1) * e); [unfold k; lra |].
  replace (pos eps) with (k * e) by (unfold e; field; lra). apply Rmult_lt_compat_r; [exact E | lra].
Qed.
