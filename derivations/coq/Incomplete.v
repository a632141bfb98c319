(** The incomplete Beta and Gamma functions, and the Gamma function, by the integrals that define them.

    For positive [a] the integrand [u^(a-1) g u] may grow without bound at 0, so that its integral is a limit there.
    Integration by parts turns it into one that is bounded, by which slopes and limits are found. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Limits Endpoints.
Open Scope R_scope.

(** * Definitions *)

(** The integral from 0 to [x], also of what is unbounded at 0. *)
Definition from_0 (f : R -> R) (x : R) : R :=
  if Rle_dec x 0 then 0 else RInt_gen f (at_right 0) (at_point x).

Definition beta_density (a b u : R) : R := Rpower u (a - 1) * Rpower (1 - u) (b - 1).
Definition gamma_density (a u : R) : R := Rpower u (a - 1) * exp (- u).

(** B(a, b) is an integral over (0, 1), and so is B[x](a, b) from [x = 1] on. *)
Definition beta (a b : R) : R := RInt_gen (beta_density a b) (at_right 0) (at_left 1).
Definition incomplete_beta (a b x : R) : R := if Rlt_dec x 1 then from_0 (beta_density a b) x else beta a b.

Definition lower_gamma (a x : R) : R := from_0 (gamma_density a) x.
Definition Gamma (a : R) : R := real (Lim (lower_gamma a) p_infty).
Definition upper_gamma (a x : R) : R := Gamma a - lower_gamma a x.

(** The integral from a positive [x] on exists whatever [a] is; that of [exp (- u) / u] is the exponential integral E1. *)
Definition tail_gamma (a x : R) : R := RInt_gen (gamma_density a) (at_point x) (Rbar_locally p_infty).
Definition exponential_integral (x : R) : R := tail_gamma 0 x.

(** * Powers that vanish at 0 *)

(** [x^k] for a positive [k], with its value at 0, where Coq's [Rpower] is 1. *)
Definition positive_power (x k : R) : R := if Rle_dec x 0 then 0 else Rpower x k.

Lemma positive_power_inside x k : 0 < x -> positive_power x k = Rpower x k.
Proof. intro X. unfold positive_power. destruct (Rle_dec x 0); [lra | reflexivity]. Qed.
Lemma positive_power_not_negative x k : 0 <= positive_power x k.
Proof. unfold positive_power. destruct (Rle_dec x 0); [lra | apply Rlt_le, Rpower_positive]. Qed.
Lemma positive_power_outside x k : x <= 0 -> positive_power x k = 0.
Proof. intro X. unfold positive_power. destruct (Rle_dec x 0); [reflexivity | lra]. Qed.

Lemma is_derive_Rpower x k : 0 < x -> is_derive (fun u => Rpower u k) x (k * Rpower x (k - 1)).
Proof. intro X. apply is_derive_Reals, derivable_pt_lim_power, X. Qed.

Lemma near_left_of (x y : R) : x < y -> locally x (fun z => z < y).
Proof. exact (open_lt y x). Qed.
Lemma near_right_of (x y : R) : y < x -> locally x (fun z => y < z).
Proof. exact (open_gt y x). Qed.

Lemma is_derive_positive_power x k : 0 < x -> is_derive (fun u => positive_power u k) x (k * Rpower x (k - 1)).
Proof.
  intro X. apply (is_derive_ext_loc (fun u => Rpower u k)); [| apply is_derive_Rpower, X].
  apply filter_imp with (2 := near_right_of x 0 X). intros u U. symmetry. apply positive_power_inside, U.
Qed.

Lemma continuous_positive_power x k : 0 < k -> continuous (fun u => positive_power u k) x.
Proof.
  intro K. destruct (Rtotal_order x 0) as [X | [-> | X]].
  - apply (continuous_ext_loc _ (fun _ => 0)); [| apply continuous_const].
    apply filter_imp with (2 := near_left_of x 0 X). intros u U. symmetry. apply positive_power_outside. lra.
  - apply filterlim_locally. intros [e E]. rewrite (positive_power_outside 0) by lra.
    exists (mkposreal (Rpower e (/ k)) (exp_pos _)). intros u U. apply ball_between in U. simpl in U.
    apply ball_between. simpl. destruct (Rle_dec u 0) as [N | N].
    + rewrite positive_power_outside by exact N. lra.
    + rewrite positive_power_inside by lra. pose proof (Rpower_positive u k).
      assert (Below : Rpower u k < Rpower (Rpower e (/ k)) k) by (apply Rlt_Rpower_l; lra).
      rewrite Rpower_mult, Rinv_l, Rpower_1 in Below by lra. lra.
  - apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply is_derive_positive_power, X.
Qed.

(** * Integrals from 0 *)

Section From0.
Variables (a top : R) (g g' : R -> R).
Hypothesis positive : 0 < a.
Hypothesis slope : forall u, u < top -> is_derive g u (g' u).
Hypothesis steady : forall u, u < top -> continuous g' u.

Let f u := Rpower u (a - 1) * g u.
Let rest u := positive_power u a * g' u.
Let F x := (positive_power x a * g x - RInt rest 0 x) / a.

Lemma rest_is_steady u : u < top -> continuous rest u.
Proof. intro U. apply (continuous_mult (fun u => positive_power u a) g'); [apply continuous_positive_power, positive | apply steady, U]. Qed.

Lemma is_derive_rest x : 0 < top -> x < top -> is_derive (RInt rest 0) x (rest x).
Proof.
  intros T X. apply (is_derive_RInt rest _ 0 x); [| apply rest_is_steady, X].
  apply filter_imp with (2 := near_left_of x top X). intros y Y.
  apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous.
  intros z Z. apply rest_is_steady. pose proof (Rmax_lub_lt 0 y top T Y). lra.
Qed.

Lemma slope_by_parts x : 0 < x < top -> is_derive F x (f x).
Proof.
  intros [X T].
  replace (f x) with ((a * Rpower x (a - 1) * g x + positive_power x a * g' x - rest x) / a).
  - unfold F, Rdiv. apply (is_derive_ext (fun y => / a * (positive_power y a * g y - RInt rest 0 y)));
      [intro; apply Rmult_comm |].
    rewrite (Rmult_comm _ (/ a)). apply (is_derive_scal (fun y => positive_power y a * g y - RInt rest 0 y)).
    apply (is_derive_minus (V := R_NormedModule)); [| apply is_derive_rest; lra].
    apply (is_derive_mult (fun y => positive_power y a) g); [apply is_derive_positive_power, X | apply slope, T | exact Rmult_comm].
  - unfold f, rest. field. lra.
Qed.

Lemma F_is_steady x : 0 < top -> x < top -> continuous F x.
Proof.
  intros T X. unfold F, Rdiv. apply (continuous_mult _ (fun _ => / a)); [| apply continuous_const].
  apply (continuous_minus (V := R_NormedModule)).
  - apply (continuous_mult (fun u => positive_power u a) g); [apply continuous_positive_power, positive |].
    apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply slope, X.
  - apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply is_derive_rest; assumption.
Qed.

Lemma F_outside x : x <= 0 -> F x = 0.
Proof.
  intro X. unfold F. rewrite positive_power_outside by exact X.
  assert (RInt rest 0 x = 0) as ->; [| unfold Rdiv; ring].
  rewrite (RInt_ext (V := R_CompleteNormedModule) rest (fun _ => 0)); [rewrite RInt_const; apply Rmult_0_r |].
  intros u [_ U]. rewrite Rmax_left in U by lra. unfold rest. rewrite positive_power_outside by lra. exact (Rmult_0_l _).
Qed.

Lemma f_is_steady x : 0 < x < top -> continuous f x.
Proof.
  intros [X T]. apply (continuous_mult (fun u => Rpower u (a - 1)) g);
    apply (ex_derive_continuous (V := R_NormedModule)); eexists; [apply is_derive_Rpower, X | apply slope, T].
Qed.

Lemma is_integral x : 0 < x < top -> is_RInt_gen f (at_right 0) (at_point x) (F x).
Proof.
  intros X P Near.
  assert (L : filterlim (fun e => F x - F e) (at_right 0) (locally (F x))).
  { apply (tends_from_right _ (fun e => F x - F e) 0 1); [lra | reflexivity | | rewrite (F_outside 0); lra].
    apply (continuous_minus (V := R_NormedModule)); [apply continuous_const | apply F_is_steady; lra]. }
  apply (Filter_prod _ _ _ (fun e => 0 < e < x /\ P (F x - F e)) (fun y => y = x)).
  - apply filter_and; [apply right_of; lra | apply L, Near].
  - reflexivity.
  - intros e y [E Pe] ->. exists (F x - F e). split; [simpl | exact Pe].
    apply (is_RInt_derive (V := R_CompleteNormedModule) F f); rewrite Rmin_left, Rmax_right by lra; intros u U.
    + apply slope_by_parts. lra.
    + apply f_is_steady. lra.
Qed.

Lemma from_0_by_parts x : 0 < top -> x < top -> from_0 f x = F x.
Proof.
  intros T X. unfold from_0. destruct (Rle_dec x 0) as [N | N]; [symmetry; apply F_outside, N |].
  apply is_RInt_gen_unique, is_integral. lra.
Qed.

Lemma is_derive_from_0 x : 0 < x < top -> is_derive (from_0 f) x (f x).
Proof.
  intros X. apply (is_derive_ext_loc F); [| apply slope_by_parts, X].
  apply filter_imp with (2 := near_left_of x top (proj2 X)). intros y Y. symmetry. apply from_0_by_parts; lra.
Qed.

Lemma continuous_from_0 x : 0 < top -> x < top -> continuous (from_0 f) x.
Proof.
  intros T X. apply (continuous_ext_loc _ F); [| apply F_is_steady; assumption].
  apply filter_imp with (2 := near_left_of x top X). intros y Y. symmetry. apply from_0_by_parts; assumption.
Qed.
End From0.

Lemma from_0_outside f x : x <= 0 -> from_0 f x = 0.
Proof. intro X. unfold from_0. destruct (Rle_dec x 0); [reflexivity | lra]. Qed.

(** What is integrated is not negative, so that the integral rises. *)
Lemma increases F f a b : a <= b -> (forall x, a <= x <= b -> continuous F x) ->
  (forall x, a < x < b -> is_derive F x (f x)) -> (forall x, a < x < b -> 0 < f x) -> F a <= F b.
Proof.
  intros [AB | ->] C D Positive; [| apply Rle_refl].
  pose proof (rises_inside F f a b AB C D Positive). lra.
Qed.

(** * The incomplete Beta function *)

Section Beta.
Variables a b : R.
Hypothesis A : 0 < a.

Let slope u : u < 1 -> is_derive (fun u => Rpower (1 - u) (b - 1)) u (- ((b - 1) * Rpower (1 - u) (b - 2))).
Proof.
  intro U. replace (- ((b - 1) * Rpower (1 - u) (b - 2))) with (-1 * ((b - 1) * Rpower (1 - u) (b - 1 - 1)))
    by (replace (b - 1 - 1) with (b - 2) by ring; ring).
  apply (is_derive_comp (fun y => Rpower y (b - 1)) (fun u => 1 - u)); [apply is_derive_Rpower; lra |].
  auto_derive; [exact I | ring].
Qed.
Let steady u : u < 1 -> continuous (fun u => - ((b - 1) * Rpower (1 - u) (b - 2))) u.
Proof. intro U. apply (ex_derive_continuous (V := R_NormedModule)). unfold Rpower. auto_derive. lra. Qed.

Lemma inside_beta x : x < 1 -> incomplete_beta a b x = from_0 (beta_density a b) x.
Proof. intro X. unfold incomplete_beta. destruct (Rlt_dec x 1); [reflexivity | lra]. Qed.

Lemma is_derive_incomplete_beta x :
  0 < x < 1 -> is_derive (incomplete_beta a b) x (Rpower x (a - 1) * Rpower (1 - x) (b - 1)).
Proof.
  intro X. apply (is_derive_ext_loc (from_0 (beta_density a b))).
  - apply filter_imp with (2 := near_left_of x 1 (proj2 X)). intros y Y. symmetry. apply inside_beta, Y.
  - exact (is_derive_from_0 a 1 _ _ A slope steady x X).
Qed.

Lemma continuous_incomplete_beta x : x < 1 -> continuous (incomplete_beta a b) x.
Proof.
  intro X. apply (continuous_ext_loc _ (from_0 (beta_density a b))).
  - apply filter_imp with (2 := near_left_of x 1 X). intros y Y. apply eq_sym, inside_beta, Y.
  - exact (continuous_from_0 a 1 _ _ A slope steady x Rlt_0_1 X).
Qed.

Lemma incomplete_beta_positive x : 0 < x < 1 -> 0 < incomplete_beta a b x.
Proof.
  intro X. assert (incomplete_beta a b 0 = 0) as Zero by (rewrite inside_beta by lra; apply from_0_outside; lra).
  replace (incomplete_beta a b x) with (incomplete_beta a b x - incomplete_beta a b 0) by lra.
  apply (rises_inside _ (beta_density a b)); [lra | intros; apply continuous_incomplete_beta; lra | |].
  - intros. apply is_derive_incomplete_beta. lra.
  - intros. apply Rmult_lt_0_compat; apply Rpower_positive.
Qed.
End Beta.

Lemma incomplete_beta_0 a b x : x <= 0 -> incomplete_beta a b x = 0.
Proof. intro X. rewrite inside_beta by lra. apply from_0_outside, X. Qed.

(** B(a, b) in two parts, each from its own end. *)
Section CompleteBeta.
Variables a b : R.
Hypotheses (A : 0 < a) (B : 0 < b).
Let halves := incomplete_beta a b (1 / 2) + incomplete_beta b a (1 / 2).

Lemma reflected x : 0 < x < 1 -> incomplete_beta a b x = halves - incomplete_beta b a (1 - x).
Proof.
  intro X. set (total y := incomplete_beta a b y + incomplete_beta b a (1 - y)).
  assert (D : forall y, 0 < y < 1 -> is_derive total y 0).
  { intros y Y. replace 0 with (beta_density a b y + -1 * beta_density b a (1 - y)).
    - apply (is_derive_plus (V := R_NormedModule)); [apply is_derive_incomplete_beta; assumption |].
      apply (is_derive_comp (incomplete_beta b a) (fun y => 1 - y)); [apply is_derive_incomplete_beta; lra |].
      auto_derive; [exact I | ring].
    - unfold beta_density. replace (1 - (1 - y)) with y by ring. ring. }
  assert (E : total x = total (1 / 2)).
  { destruct (Rtotal_order x (1 / 2)) as [Lower | [-> | Upper]]; [| reflexivity |].
    - apply (eq_is_derive total x (1 / 2)); [intros; apply D; lra | exact Lower].
    - symmetry. apply (eq_is_derive total (1 / 2) x); [intros; apply D; lra | exact Upper]. }
  unfold total in E. unfold halves. replace (1 - 1 / 2) with (1 / 2) in E by field. lra.
Qed.

Lemma beta_in_halves : beta a b = halves.
Proof.
  apply is_RInt_gen_unique. intros P Near.
  set (G := fun x => halves - incomplete_beta b a (1 - x)).
  assert (Upper : filterlim G (at_left 1) (locally halves)).
  { apply (tends_from_left _ G 0 1); [lra | reflexivity | |].
    - apply (continuous_minus (V := R_NormedModule)); [apply continuous_const |].
      apply (continuous_comp (fun x => 1 - x) (incomplete_beta b a)); [| apply continuous_incomplete_beta; lra].
      apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
    - unfold G. rewrite incomplete_beta_0 by lra. ring. }
  assert (Lower : filterlim (incomplete_beta a b) (at_right 0) (locally 0)).
  { apply (tends_from_right _ (incomplete_beta a b) 0 1); [lra | reflexivity | | apply incomplete_beta_0; lra].
    apply continuous_incomplete_beta; lra. }
  assert (L : filterlim (fun ends => G (snd ends) - incomplete_beta a b (fst ends))
    (filter_prod (at_right 0) (at_left 1)) (locally (halves - 0))).
  { apply (filterlim_comp_2 (G := locally halves) (H := locally (- 0)) (fun ends => G (snd ends))
      (fun ends => - incomplete_beta a b (fst ends)) Rplus).
    - eapply filterlim_comp; [apply filterlim_snd | exact Upper].
    - eapply filterlim_comp; [eapply filterlim_comp; [apply filterlim_fst | exact Lower] |].
      apply (filterlim_opp (V := R_NormedModule) 0).
    - apply (filterlim_plus (V := R_NormedModule) halves (- 0)). }
  rewrite Rminus_0_r in L.
  assert (I : filter_prod (at_right 0) (at_left 1) (fun ends => 0 < fst ends < 1 / 2 /\ 1 / 2 < snd ends < 1)).
  { exists (fun x => 0 < x < 1 / 2) (fun x => 1 / 2 < x < 1); [exact near_0 | exact near_1 | auto]. }
  assert (N : filter_prod (at_right 0) (at_left 1) (fun ends => P (G (snd ends) - incomplete_beta a b (fst ends))))
    by exact (L P Near).
  unfold filtermapi. generalize (filter_and _ _ I N). apply filter_imp.
  intros [e y] [[E Y] Pey]. simpl in E, Y, Pey. exists (G y - incomplete_beta a b e). split; [simpl | exact Pey].
  unfold G. rewrite <- reflected by lra.
  apply (is_RInt_derive (V := R_CompleteNormedModule) (incomplete_beta a b) (beta_density a b));
    rewrite Rmin_left, Rmax_right by lra; intros u U.
  - apply is_derive_incomplete_beta; [exact A | lra].
  - apply (ex_derive_continuous (V := R_NormedModule)). unfold beta_density, Rpower. auto_derive. lra.
Qed.

Lemma beta_positive : 0 < beta a b.
Proof.
  rewrite beta_in_halves. unfold halves.
  apply Rplus_lt_0_compat; apply incomplete_beta_positive; lra.
Qed.

Lemma incomplete_beta_1 x : 1 <= x -> incomplete_beta a b x = beta a b.
Proof. intro X. unfold incomplete_beta. destruct (Rlt_dec x 1); [lra | reflexivity]. Qed.

Lemma continuous_incomplete_beta_1 : continuous (incomplete_beta a b) 1.
Proof.
  apply (continuous_ext_loc _ (fun x => beta a b - incomplete_beta b a (1 - x))).
  - apply filter_imp with (2 := near_right_of 1 0 Rlt_0_1). intros x X. destruct (Rlt_dec x 1) as [N | N].
    + rewrite beta_in_halves. symmetry. apply reflected. lra.
    + rewrite incomplete_beta_1, incomplete_beta_0 by lra. apply Rminus_0_r.
  - apply (continuous_minus (V := R_NormedModule)); [apply continuous_const |].
    apply (continuous_comp (fun x => 1 - x) (incomplete_beta b a)); [| apply continuous_incomplete_beta; lra].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
Qed.

Lemma continuous_incomplete_beta_everywhere x : continuous (incomplete_beta a b) x.
Proof.
  destruct (Rtotal_order x 1) as [X | [-> | X]]; [apply continuous_incomplete_beta; assumption | apply continuous_incomplete_beta_1 |].
  apply (continuous_ext_loc _ (fun _ => beta a b)); [| apply continuous_const].
  apply filter_imp with (2 := near_right_of x 1 X). intros y Y. symmetry. apply incomplete_beta_1. lra.
Qed.
End CompleteBeta.

(** * The Gamma functions *)

Section Gamma.
Variable a : R.
Hypothesis A : 0 < a.

Let slope x u : u < x -> is_derive (fun u => exp (- u)) u (- exp (- u)).
Proof. intros _. auto_derive; [exact I | ring]. Qed.
Let steady x u : u < x -> continuous (fun u => - exp (- u)) u.
Proof. intros _. apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I. Qed.

Lemma is_derive_lower_gamma x : 0 < x -> is_derive (lower_gamma a) x (Rpower x (a - 1) * exp (- x)).
Proof. intro X. exact (is_derive_from_0 a (x + 1) _ _ A (slope _) (steady _) x ltac:(lra)). Qed.

Lemma continuous_lower_gamma x : continuous (lower_gamma a) x.
Proof.
  pose proof (Rmax_l x 0). pose proof (Rmax_r x 0).
  exact (continuous_from_0 a (Rmax x 0 + 1) _ _ A (slope _) (steady _) x ltac:(lra) ltac:(lra)).
Qed.

Lemma gamma_density_positive x : 0 < gamma_density a x.
Proof. apply Rmult_lt_0_compat; [apply Rpower_positive | apply exp_pos]. Qed.

Lemma lower_gamma_rises x y : 0 <= x < y -> lower_gamma a x < lower_gamma a y.
Proof.
  intro X. apply Rminus_lt_0. apply (rises_inside _ (gamma_density a)); [lra | intros; apply continuous_lower_gamma | |].
  - intros. apply is_derive_lower_gamma. lra.
  - intros. apply gamma_density_positive.
Qed.

Lemma lower_gamma_0 x : x <= 0 -> lower_gamma a x = 0.
Proof. apply from_0_outside. Qed.

(** The density is below a multiple of [exp (- u / 2)], so that the integral up to infinity is finite. *)
Let m := 2 * (Rabs (a - 1) + 1).
Let K := exp (Rabs (a - 1) * ln m).

Lemma gamma_density_below u : 1 < u -> gamma_density a u < K * exp (- u / 2).
Proof.
  intro U. unfold gamma_density, K, Rpower. rewrite <- !exp_plus. apply exp_increasing.
  pose proof (Rabs_pos (a - 1)). pose proof (ln_positive u U). assert (M : 0 < m) by (unfold m; lra).
  assert (ln (u / m) < u / m).
  { rewrite <- (ln_exp (u / m)) at 2. apply ln_increasing; [apply Rdiv_lt_0_compat; lra |].
    pose proof (exp_ineq1 (u / m) (Rgt_not_eq _ _ (Rdiv_lt_0_compat u m ltac:(lra) M))). lra. }
  assert (E : ln u < u / m + ln m) by (rewrite ln_of_quotient in * by lra; lra).
  assert (S : (Rabs (a - 1) + 1) * (u / m) = u / 2) by (unfold m; field; lra).
  assert (0 < u / m) by (apply Rdiv_lt_0_compat; lra).
  apply Rle_lt_trans with (Rabs (a - 1) * ln u + - u).
  - apply Rplus_le_compat_r, Rmult_le_compat_r; [lra | apply Rle_abs].
  - pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos (a - 1)) (Rlt_le _ _ E)). lra.
Qed.

Lemma lower_gamma_bounded x : lower_gamma a x <= lower_gamma a 1 + 2 * K.
Proof.
  pose proof (exp_pos (Rabs (a - 1) * ln m)) as KP. fold K in KP.
  destruct (Rle_dec x 1) as [X | X].
  - destruct (Rle_dec x 0) as [X0 | X0].
    + rewrite lower_gamma_0 by exact X0. pose proof (lower_gamma_rises 0 1 ltac:(lra)) as H.
      rewrite (lower_gamma_0 0) in H by lra. lra.
    + destruct X as [X | ->]; [pose proof (lower_gamma_rises x 1 ltac:(lra)) |]; lra.
  - assert (Below : 0 < - (lower_gamma a x + 2 * K * exp (- x / 2)) - - (lower_gamma a 1 + 2 * K * exp (- 1 / 2))).
    { apply (rises (fun y => - (lower_gamma a y + 2 * K * exp (- y / 2))) (fun y => K * exp (- y / 2) - gamma_density a y) 1 x).
      - lra.
      - intros y Y. replace (K * exp (- y / 2) - gamma_density a y)
          with (- (gamma_density a y + - (K * exp (- y / 2)))) by ring.
        apply (is_derive_opp (V := R_NormedModule)), (is_derive_plus (V := R_NormedModule)).
        + apply is_derive_lower_gamma. lra.
        + auto_derive; [exact I | unfold Rdiv; field].
      - intros y Y. pose proof (gamma_density_below y). lra. }
    assert (exp (- 1 / 2) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (Rmult_lt_0_compat _ _ KP (exp_pos (- x / 2))). nra.
Qed.

Lemma Gamma_is_limit : is_lim_seq (fun n => lower_gamma a (INR n)) (Gamma a).
Proof.
  destruct (ex_finite_lim_seq_incr (fun n => lower_gamma a (INR n)) (lower_gamma a 1 + 2 * K)) as [l L].
  - intro n. apply Rlt_le, lower_gamma_rises. rewrite S_INR. pose proof (pos_INR n). lra.
  - intro n. apply lower_gamma_bounded.
  - unfold Gamma, Lim. simpl. rewrite (is_lim_seq_unique _ l L). exact L.
Qed.

Lemma lower_gamma_below_Gamma x : lower_gamma a x < Gamma a.
Proof.
  assert (Weak : forall n, lower_gamma a (INR n) <= Gamma a).
  { apply is_lim_seq_incr_compare; [exact Gamma_is_limit |].
    intro n. apply Rlt_le, lower_gamma_rises. rewrite S_INR. pose proof (pos_INR n). lra. }
  pose proof (Rmax_l x 0). pose proof (Rmax_r x 0). destruct (nfloor_ex (Rmax x 0)) as [n [_ N]]; [lra |].
  rewrite <- S_INR in N. apply Rlt_le_trans with (2 := Weak (S n)). apply Rle_lt_trans with (lower_gamma a (Rmax x 0)).
  - destruct (Rle_dec x 0) as [X | X].
    + rewrite Rmax_right by exact X. rewrite !lower_gamma_0 by lra. lra.
    + rewrite Rmax_left by lra. lra.
  - apply lower_gamma_rises. lra.
Qed.

Lemma lower_gamma_far : is_lim (lower_gamma a) p_infty (Gamma a).
Proof.
  intros P [e H]. destruct (Gamma_is_limit _ (locally_ball (Gamma a) e)) as [N Near].
  exists (INR N). intros x X. apply H, ball_between. specialize (Near N (le_n N)). apply ball_between in Near.
  pose proof (lower_gamma_below_Gamma x). pose proof (lower_gamma_rises (INR N) x ltac:(pose proof (pos_INR N); lra)).
  pose proof (cond_pos e). simpl in *. lra.
Qed.

Lemma upper_gamma_positive x : 0 < upper_gamma a x.
Proof. pose proof (lower_gamma_below_Gamma x). unfold upper_gamma. lra. Qed.

Lemma Gamma_positive : 0 < Gamma a.
Proof. pose proof (lower_gamma_below_Gamma 0) as H. rewrite lower_gamma_0 in H by lra. exact H. Qed.

Lemma lower_gamma_positive x : 0 < x -> 0 < lower_gamma a x.
Proof. intro X. pose proof (lower_gamma_rises 0 x ltac:(lra)) as H. rewrite (lower_gamma_0 0) in H by lra. exact H. Qed.

Lemma is_derive_upper_gamma x : 0 < x -> is_derive (upper_gamma a) x (- (Rpower x (a - 1) * exp (- x))).
Proof.
  intro X. unfold upper_gamma. rewrite <- Rminus_0_l. apply (is_derive_minus (V := R_NormedModule) (fun _ => Gamma a)).
  - apply (is_derive_const (V := R_NormedModule)).
  - apply is_derive_lower_gamma, X.
Qed.

Lemma continuous_upper_gamma x : continuous (upper_gamma a) x.
Proof.
  apply (continuous_minus (V := R_NormedModule) (fun _ => Gamma a)); [apply continuous_const | apply continuous_lower_gamma].
Qed.
End Gamma.

Lemma upper_gamma_0 a x : x <= 0 -> upper_gamma a x = Gamma a.
Proof. intro X. unfold upper_gamma. rewrite lower_gamma_0 by exact X. apply Rminus_0_r. Qed.

(** * The functional equation *)

Section Next.
Variable a : R.
Hypothesis A : 0 < a.

Lemma lower_gamma_next x : 0 < x -> lower_gamma (a + 1) x = a * lower_gamma a x - Rpower x a * exp (- x).
Proof.
  intro X. rewrite <- (positive_power_inside x a X).
  set (D := fun y => lower_gamma (a + 1) y - (a * lower_gamma a y - positive_power y a * exp (- y))).
  assert (Slope : forall y, 0 < y -> is_derive D y 0).
  { intros y Y. replace 0 with (Rpower y (a + 1 - 1) * exp (- y)
      - (a * (Rpower y (a - 1) * exp (- y)) - (a * Rpower y (a - 1) * exp (- y) + positive_power y a * - exp (- y)))).
    - apply (is_derive_minus (V := R_NormedModule)); [apply is_derive_lower_gamma; lra |].
      apply (is_derive_minus (V := R_NormedModule)); [apply is_derive_scal, is_derive_lower_gamma; assumption |].
      apply (is_derive_mult (fun u => positive_power u a) (fun u => exp (- u))); [apply is_derive_positive_power, Y | | exact Rmult_comm].
      auto_derive; [exact I | ring].
    - rewrite positive_power_inside by exact Y. replace (a + 1 - 1) with a by ring. ring. }
  assert (Whole : forall y, continuous D y).
  { intro y. apply (continuous_minus (V := R_NormedModule)); [apply continuous_lower_gamma; lra |].
    apply (continuous_minus (V := R_NormedModule)).
    - apply (continuous_scal_r (V := R_NormedModule) a (lower_gamma a)), continuous_lower_gamma, A.
    - apply (continuous_mult (fun u => positive_power u a) (fun u => exp (- u))); [apply continuous_positive_power, A |].
      apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I. }
  destruct (MVT_gen D 0 x (fun _ => 0)) as (c & _ & E).
  - rewrite Rmin_left by lra. intros y Y. apply Slope, Y.
  - intros y _. apply continuity_pt_filterlim, Whole.
  - unfold D in E. rewrite (lower_gamma_0 (a + 1) 0), (lower_gamma_0 a 0), (positive_power_outside 0 a) in E by lra. lra.
Qed.

Lemma gamma_density_vanishes : is_lim_seq (fun n => Rpower (INR n) a * exp (- INR n)) 0.
Proof.
  set (K := exp (Rabs (a + 1 - 1) * ln (2 * (Rabs (a + 1 - 1) + 1)))).
  apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun n => K * exp (- INR n / 2))).
  - exists 2%nat. intros n N. apply le_INR in N. simpl in N. split.
    + apply Rlt_le, Rmult_lt_0_compat; [apply Rpower_positive | apply exp_pos].
    + pose proof (gamma_density_below (a + 1) (INR n) ltac:(lra)) as B. fold K in B. unfold gamma_density in B.
      replace (a + 1 - 1) with a in B by ring. apply Rlt_le, B.
  - apply is_lim_seq_const.
  - rewrite <- (Rmult_0_r K). apply (is_lim_seq_scal_l _ K 0).
    apply (is_lim_comp_seq exp (fun n => - INR n / 2) m_infty 0); [apply is_lim_exp_m | exists 0%nat; discriminate |].
    apply (is_lim_seq_ext (fun n => - (/ 2 * INR n))); [intro n; field |].
    apply (is_lim_seq_opp _ p_infty). rewrite <- (is_Rbar_mult_unique (/ 2) p_infty p_infty).
    + apply is_lim_seq_scal_l, is_lim_seq_INR.
    + apply is_Rbar_mult_sym, is_Rbar_mult_p_infty_pos. simpl. lra.
Qed.

Lemma Gamma_next : Gamma (a + 1) = a * Gamma a.
Proof.
  assert (L : is_lim_seq (fun n => lower_gamma (a + 1) (INR n)) (Rbar_minus (Rbar_mult a (Gamma a)) 0)).
  { apply (is_lim_seq_ext_loc (fun n => a * lower_gamma a (INR n) - Rpower (INR n) a * exp (- INR n))).
    - exists 1%nat. intros n N. apply le_INR in N. simpl in N. symmetry. apply lower_gamma_next. lra.
    - apply is_lim_seq_minus'; [| exact gamma_density_vanishes].
      apply (is_lim_seq_scal_l (fun n => lower_gamma a (INR n)) a (Gamma a)), Gamma_is_limit, A. }
  pose proof (Gamma_is_limit (a + 1) ltac:(lra)) as M.
  pose proof (is_lim_seq_unique _ _ L) as E. rewrite (is_lim_seq_unique _ _ M) in E.
  injection E. lra.
Qed.

Lemma upper_gamma_next x : 0 < x -> upper_gamma (a + 1) x = a * upper_gamma a x + Rpower x a * exp (- x).
Proof. intro X. unfold upper_gamma. rewrite Gamma_next, lower_gamma_next by exact X. ring. Qed.
End Next.

(** * The upper incomplete Gamma function of any first argument *)

(** What rises and is bounded has a limit. *)
Lemma bounded_has_limit (F : R -> R) (bound : R) : (forall x y, 0 < x <= y -> F x <= F y) -> (forall x, 0 < x -> F x <= bound) ->
  exists l : R, is_lim F p_infty l.
Proof.
  intros Rises Bounded. assert (Positive : forall n, 0 < INR (S n)) by (intro n; rewrite S_INR; pose proof (pos_INR n); lra).
  assert (Next : forall n, F (INR (S n)) <= F (INR (S (S n)))) by (intro n; apply Rises; split; [apply Positive | rewrite (S_INR (S n)); lra]).
  destruct (ex_finite_lim_seq_incr (fun n => F (INR (S n))) bound Next) as [l L]; [intro n; apply Bounded, Positive |].
  exists l. intros P [e H]. destruct (L _ (locally_ball l e)) as [N Near].
  exists (INR (S N)). intros x X. apply H, ball_between. specialize (Near N (le_n N)). apply ball_between in Near.
  pose proof (Positive N). pose proof (Rises (INR (S N)) x ltac:(lra)).
  destruct (nfloor_ex x) as [n [_ M]]; [lra |]. rewrite <- S_INR in M. pose proof (Rises x (INR (S n)) ltac:(lra)).
  pose proof (is_lim_seq_incr_compare (fun n => F (INR (S n))) l L Next n). pose proof (cond_pos e). simpl in *. lra.
Qed.

Section TailGamma.
Variable a : R.
Let F (x : R) := RInt (gamma_density a) 1 x.
Let K := exp (Rabs (a - 1) * ln (2 * (Rabs (a - 1) + 1))).

Lemma continuous_density x : 0 < x -> continuous (gamma_density a) x.
Proof. intro X. apply (ex_derive_continuous (V := R_NormedModule)). unfold gamma_density, Rpower. auto_derive. exact X. Qed.

Lemma gamma_density_integrable x y : 0 < x -> 0 < y -> is_RInt (gamma_density a) x y (RInt (gamma_density a) x y).
Proof.
  intros X Y. apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous.
  intros z [Z _]. apply continuous_density. pose proof (Rmin_glb_lt x y 0 X Y). lra.
Qed.

Lemma is_derive_from_1 x : 0 < x -> is_derive F x (gamma_density a x).
Proof.
  intro X. apply (is_derive_RInt (gamma_density a) _ 1 x); [| apply continuous_density, X].
  apply filter_imp with (2 := near_right_of x 0 X). intros y Y. apply gamma_density_integrable; lra.
Qed.

Lemma from_1_rises x y : 0 < x < y -> F x < F y.
Proof.
  intros X. apply Rminus_lt_0, (rises F (gamma_density a)); [lra | intros z Z; apply is_derive_from_1; lra |].
  intros. apply gamma_density_positive.
Qed.

Lemma from_1_bounded x : 1 <= x -> F x <= 2 * K.
Proof.
  pose proof (exp_pos (Rabs (a - 1) * ln (2 * (Rabs (a - 1) + 1)))) as Positive. fold K in Positive. intros [X | <-].
  - assert (Below : 0 < - (F x + 2 * K * exp (- x / 2)) - - (F 1 + 2 * K * exp (- 1 / 2))).
    { apply (rises (fun y => - (F y + 2 * K * exp (- y / 2))) (fun y => K * exp (- y / 2) - gamma_density a y) 1 x); [lra | |].
      - intros y Y. replace (K * exp (- y / 2) - gamma_density a y) with (- (gamma_density a y + - (K * exp (- y / 2)))) by ring.
        apply (is_derive_opp (V := R_NormedModule)), (is_derive_plus (V := R_NormedModule)).
        + apply is_derive_from_1. lra.
        + auto_derive; [exact I | unfold Rdiv; field].
      - intros y Y. pose proof (gamma_density_below a y ltac:(lra)) as B. fold K in B. lra. }
    unfold F in *. rewrite RInt_point in Below. unfold zero in Below; simpl in Below.
    assert (exp (- 1 / 2) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
    pose proof (Rmult_lt_0_compat _ _ Positive (exp_pos (- x / 2))). nra.
  - unfold F. rewrite RInt_point. unfold zero; simpl. lra.
Qed.

Lemma from_1_has_limit : exists l : R, is_lim F p_infty l.
Proof.
  apply (bounded_has_limit F (2 * K)).
  - intros x y [X [XY | <-]]; [apply Rlt_le, from_1_rises; lra | lra].
  - intros x X. destruct (Rle_dec 1 x) as [Far | Near]; [apply from_1_bounded, Far |].
    apply Rle_trans with (F 1); [apply Rlt_le, from_1_rises; lra | apply from_1_bounded; lra].
Qed.

Lemma tail_gamma_is (l x : R) : is_lim F p_infty l -> 0 < x -> tail_gamma a x = l - F x.
Proof.
  intros L X. apply is_RInt_gen_unique. intros P Near.
  assert (D : is_lim (fun y => F y - F x) p_infty (l - F x)) by (apply is_lim_minus'; [exact L | apply is_lim_const]).
  apply (Filter_prod _ _ _ (fun e => e = x) (fun y => 0 < y /\ P (F y - F x))).
  - reflexivity.
  - apply filter_and; [exists 0; intros y Y; exact Y | exact (D P Near)].
  - intros e y -> [Y Py]. exists (F y - F x). split; [simpl | exact Py].
    assert (C : F x + RInt (gamma_density a) x y = F y).
    { apply (RInt_Chasles (V := R_CompleteNormedModule)); eexists; apply gamma_density_integrable; lra. }
    rewrite <- C. replace (F x + RInt (gamma_density a) x y - F x) with (RInt (gamma_density a) x y) by lra.
    apply gamma_density_integrable; assumption.
Qed.

Lemma is_derive_tail_gamma x : 0 < x -> is_derive (tail_gamma a) x (- (Rpower x (a - 1) * exp (- x))).
Proof.
  intro X. destruct from_1_has_limit as [l L]. apply (is_derive_ext_loc (fun y => l - F y)).
  - apply filter_imp with (2 := near_right_of x 0 X). intros y Y. symmetry. apply tail_gamma_is; assumption.
  - rewrite <- Rminus_0_l. apply (is_derive_minus (V := R_NormedModule) (fun _ => l)).
    + apply (is_derive_const (V := R_NormedModule)).
    + apply is_derive_from_1, X.
Qed.
Lemma continuous_tail_gamma x : 0 < x -> continuous (tail_gamma a) x.
Proof. intro X. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply is_derive_tail_gamma, X. Qed.

Lemma tail_gamma_far : is_lim (tail_gamma a) p_infty 0.
Proof.
  destruct from_1_has_limit as [l L]. apply (is_lim_ext_loc (fun x => l - F x)).
  - exists 0. intros x X. symmetry. apply tail_gamma_is; assumption.
  - replace 0 with (l - l) by ring. apply is_lim_minus'; [apply is_lim_const | exact L].
Qed.

Lemma tail_gamma_positive x : 0 < x -> 0 < tail_gamma a x.
Proof.
  intro X. destruct from_1_has_limit as [l L]. rewrite (tail_gamma_is l) by assumption.
  pose proof (from_1_rises x (x + 1) ltac:(lra)).
  assert (F (x + 1) <= l); [| lra].
  apply (is_lim_le_loc (fun _ => F (x + 1)) F p_infty (F (x + 1)) l); [| apply is_lim_const | exact L].
  exists (x + 1). intros y Y. apply Rlt_le, from_1_rises. lra.
Qed.
Lemma tail_gamma_falls x y : 0 < x -> x < y -> 0 < tail_gamma a x - tail_gamma a y.
Proof.
  intros X XY. destruct from_1_has_limit as [l L]. rewrite !(tail_gamma_is l) by (assumption || lra).
  pose proof (from_1_rises x y ltac:(lra)). lra.
Qed.
End TailGamma.

(** What vanishes at infinity is known by its slope. *)
Lemma same_tail (f g h : R -> R) x : 0 < x -> (forall y, 0 < y -> is_derive f y (h y) /\ is_derive g y (h y)) ->
  is_lim f p_infty 0 -> is_lim g p_infty 0 -> f x = g x.
Proof.
  intros X D F G. assert (Steady : forall y, x < y -> f y - g y = f x - g x).
  { intros y Y. symmetry. apply (eq_is_derive (fun z => f z - g z) x y); [| exact Y]. intros t T.
    replace (zero (G := R_NormedModule)) with (h t - h t) by (unfold zero; simpl; ring).
    apply (is_derive_minus (V := R_NormedModule) f g); apply D; lra. }
  assert (L : is_lim (fun y => f y - g y) p_infty (0 - 0)) by (apply is_lim_minus'; assumption).
  assert (C : is_lim (fun y => f y - g y) p_infty (f x - g x)).
  { apply (is_lim_ext_loc (fun _ => f x - g x)); [exists x; intros y Y; symmetry; apply Steady, Y | apply is_lim_const]. }
  apply is_lim_unique in L. apply is_lim_unique in C. rewrite L in C. injection C. lra.
Qed.

Lemma power_beside_exponential_vanishes a : is_lim (fun x => Rpower x a * exp (- x)) p_infty 0.
Proof.
  set (K := exp (Rabs (a + 1 - 1) * ln (2 * (Rabs (a + 1 - 1) + 1)))).
  apply (is_lim_le_le_loc (fun _ => 0) (fun x => K * exp (- x / 2))).
  - exists 1. intros x X. split; [apply Rlt_le, Rmult_lt_0_compat; apply exp_pos |].
    pose proof (gamma_density_below (a + 1) x X) as B. fold K in B. unfold gamma_density in B.
    replace (a + 1 - 1) with a in B by ring. lra.
  - apply is_lim_const.
  - replace (Finite 0) with (Rbar_mult K 0) by (simpl; f_equal; ring). apply (is_lim_scal_l (fun x => exp (- x / 2))).
    apply (is_lim_comp exp (fun x => - x / 2) p_infty 0 m_infty); [apply is_lim_exp_m | | exists 0; intros; discriminate].
    apply (is_lim_ext (fun x => - / 2 * x)); [intro; field |].
    evar_last; [apply (is_lim_scal_l (fun x => x) (- / 2) p_infty p_infty), is_lim_id |].
    apply is_Rbar_mult_unique, is_Rbar_mult_sym, is_Rbar_mult_p_infty_neg. simpl. lra.
Qed.

Lemma tail_gamma_next a x : 0 < x -> tail_gamma (a + 1) x = a * tail_gamma a x + Rpower x a * exp (- x).
Proof.
  intro X. apply (same_tail (tail_gamma (a + 1)) (fun x => a * tail_gamma a x + Rpower x a * exp (- x))
    (fun x => - (Rpower x a * exp (- x))) x X).
  - intros y Y. split.
    + pose proof (is_derive_tail_gamma (a + 1) y Y) as D. replace (a + 1 - 1) with a in D by ring. exact D.
    + evar_last.
      * apply (is_derive_plus (V := R_NormedModule)); [apply is_derive_scal, is_derive_tail_gamma, Y |].
        apply (is_derive_mult (fun u => Rpower u a) (fun u => exp (- u))); [apply is_derive_Rpower, Y | | exact Rmult_comm].
        auto_derive; [exact I | reflexivity].
      * unfold plus; simpl. unfold mult; simpl. ring.
  - apply tail_gamma_far.
  - replace (Finite 0) with (Finite (a * 0 + 0)) by (f_equal; ring).
    apply is_lim_plus'; [apply (is_lim_scal_l (tail_gamma a) a p_infty 0), tail_gamma_far | apply power_beside_exponential_vanishes].
Qed.

(** Where the first argument is positive it is the function above. *)
Lemma tail_is_upper_gamma a x : 0 < a -> 0 < x -> tail_gamma a x = upper_gamma a x.
Proof.
  intros A X. apply (same_tail _ _ (fun x => - (Rpower x (a - 1) * exp (- x))) x X).
  - intros y Y. split; [apply is_derive_tail_gamma, Y | apply is_derive_upper_gamma; assumption].
  - apply tail_gamma_far.
  - unfold upper_gamma. replace (Finite 0) with (Finite (Gamma a - Gamma a)) by (f_equal; ring).
    apply is_lim_minus'; [apply is_lim_const | apply lower_gamma_far, A].
Qed.

Lemma is_derive_exponential_integral x : 0 < x -> is_derive exponential_integral x (- (exp (- x) / x)).
Proof.
  intro X. pose proof (is_derive_tail_gamma 0 x X) as D.
  replace (exp (- x) / x) with (Rpower x (0 - 1) * exp (- x)); [exact D |].
  rewrite Rminus_0_l, Rpower_Ropp, Rpower_1 by exact X. field. lra.
Qed.
Lemma exponential_integral_far : is_lim exponential_integral p_infty 0.
Proof. exact (tail_gamma_far 0). Qed.

(** * Tactics *)

Global Instance UnaryDiff_incomplete_beta a b : UnaryDiff' (incomplete_beta a b) :=
  Build_UnaryDiff' _ _ (fun x => 0 < a /\ 0 < x < 1)
    (fun x known => is_derive_incomplete_beta a b (proj1 known) x (proj2 known)).
Global Instance UnaryDiff_lower_gamma a : UnaryDiff' (lower_gamma a) :=
  Build_UnaryDiff' _ _ (fun x => 0 < a /\ 0 < x)
    (fun x known => is_derive_lower_gamma a (proj1 known) x (proj2 known)).
Global Instance UnaryDiff_upper_gamma a : UnaryDiff' (upper_gamma a) :=
  Build_UnaryDiff' _ _ (fun x => 0 < a /\ 0 < x)
    (fun x known => is_derive_upper_gamma a (proj1 known) x (proj2 known)).
Global Instance UnaryDiff_tail_gamma a : UnaryDiff' (tail_gamma a) :=
  Build_UnaryDiff' _ _ _ (is_derive_tail_gamma a).
Global Instance UnaryDiff_exponential_integral : UnaryDiff' exponential_integral :=
  Build_UnaryDiff' _ _ _ is_derive_exponential_integral.

Ltac see_sooner :=
  first [lra | lazymatch goal with |- ?n / ?a < ?n / ?b =>
    apply Rmult_lt_compat_l; [see | apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; see | lra]] end].
Ltac see_functions ::=
  lazymatch goal with
  | |- 0 < tail_gamma _ _ => apply tail_gamma_positive; see
  | |- 0 < exponential_integral _ => apply (tail_gamma_positive 0); see
  | |- 0 < exponential_integral _ - exponential_integral _ => apply (tail_gamma_falls 0); [see | see_sooner]
  | |- 0 < Gamma _ => apply Gamma_positive; see
  | |- 0 < beta _ _ => apply beta_positive; see
  | |- 0 < incomplete_beta _ _ _ => apply incomplete_beta_positive; see
  | |- 0 < lower_gamma _ _ => apply lower_gamma_positive; see
  | |- 0 < upper_gamma _ _ => apply upper_gamma_positive; see
  end.

(** What a file has put on record, in whatever form it stands. *)
Ltac see_known ::=
  match goal with
  | known : 0 < 1 - ?y |- ?x < 1 => replace x with y by (field; see); lra
  | known : 0 < ?y |- 0 < ?x => apply (positive_as y); [solve [field; see] | exact known]
  end.

Ltac see_not_negative_functions ::=
  match goal with |- 0 <= positive_power ?x ?k => apply positive_power_not_negative end.

Ltac smooth_functions ::=
  lazymatch goal with
  | |- continuous (incomplete_beta _ _) _ =>
      first [apply continuous_incomplete_beta; see | apply continuous_incomplete_beta_everywhere; see]
  | |- continuous (lower_gamma _) _ => apply continuous_lower_gamma; see
  | |- continuous (upper_gamma _) _ => apply continuous_upper_gamma; see
  | |- continuous (tail_gamma _) _ => apply continuous_tail_gamma; see
  | |- continuous exponential_integral _ => apply (continuous_tail_gamma 0); see
  | |- continuous (fun x => tail_gamma ?a (@?f x)) _ => apply (continuous_comp f (tail_gamma a)); smooth
  | |- continuous (fun x => exponential_integral (@?f x)) _ => apply (continuous_comp f exponential_integral); smooth
  | |- continuous (fun x => incomplete_beta ?a ?b (@?f x)) _ => apply (continuous_comp f (incomplete_beta a b)); smooth
  | |- continuous (fun x => lower_gamma ?a (@?f x)) _ => apply (continuous_comp f (lower_gamma a)); smooth
  | |- continuous (fun x => upper_gamma ?a (@?f x)) _ => apply (continuous_comp f (upper_gamma a)); smooth
  | |- continuous (fun x => positive_power (@?f x) ?k) _ =>
      apply (continuous_comp f (fun y => positive_power y k)); [smooth | apply continuous_positive_power; see]
  end.

Ltac not_inside := first [lra | right; field; see].
Ltac evaluate_functions ::=
  match goal with
  | |- context [incomplete_beta ?a ?b ?x] =>
      first [rewrite (incomplete_beta_0 a b x) by not_inside | rewrite (incomplete_beta_1 a b x) by not_inside]
  | |- context [lower_gamma ?a ?x] => rewrite (lower_gamma_0 a x) by not_inside
  | |- context [upper_gamma ?a ?x] => rewrite (upper_gamma_0 a x) by not_inside
  | |- context [positive_power ?x ?k] =>
      first [rewrite (positive_power_outside x k) by not_inside | rewrite (positive_power_inside x k) by not_inside]
  end.

(** Write the same end of an integral in the same way wherever it stands. *)
Ltac arguments_of_functions ::=
  repeat evaluate_functions;
  repeat match goal with
  | |- context [?f ?a ?x] =>
      lazymatch f with lower_gamma => idtac | tail_gamma => idtac | upper_gamma => idtac | incomplete_beta _ => idtac end;
      match goal with
      | |- context [f a ?y] => assert_fails (constr_eq x y); replace (f a x) with (f a y) by (f_equal; field; see)
      end
  end;
  same_arguments exponential_integral ltac:(field; see).

(** Write Gamma functions at [a + 1] by those at [a], and [a] in one way. *)
Ltac next_gamma a :=
  let is_next b := assert_fails (constr_eq b a); replace b with (a + 1) by (field; see) in
  repeat match goal with
  | |- context [Gamma ?b] => replace (Gamma b) with (a * Gamma a) by (is_next b; symmetry; apply Gamma_next; see)
  | |- context [Gamma ?b] => assert_fails (constr_eq b a); replace (Gamma b) with (Gamma a) by (f_equal; field; see)
  | |- context [lower_gamma ?b ?x] =>
      replace (lower_gamma b x) with (a * lower_gamma a x - exp (a * ln x) * exp (- x))
        by (is_next b; symmetry; apply lower_gamma_next; see)
  | |- context [upper_gamma ?b ?x] =>
      replace (upper_gamma b x) with (a * upper_gamma a x + exp (a * ln x) * exp (- x))
        by (is_next b; symmetry; apply upper_gamma_next; see)
  end.

(** A loss near 0, or 1, with powers in it, by a function that is continuous there. *)
Ltac same_powers :=
  repeat match goal with known : forall p, _ < p < _ -> 0 < _, X : _ < _ < _ |- _ => specialize (known _ X) end;
  rewrite ?positive_power_inside by see; unfold Rdiv; first [ring | field; see].
Ltac starts_as_power continued piece stop width value :=
  lazymatch goal with |- tends_at_0 ?L _ => limit_by (tends_from_right L continued 0 stop) piece width same_powers value end.
Ltac ends_as_power continued piece start width value :=
  lazymatch goal with |- tends_at_1 ?L _ => limit_by (tends_from_left L continued start 1) piece width same_powers value end.
