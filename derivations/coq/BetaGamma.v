(** Beta functions and Gamma functions: B(a, b) Gamma(a + b) = Gamma(a) Gamma(b).

    The density [y^(b-1) e^(-y)] is integrated against the incomplete Gamma function of [k y], from [e] to [x]. The
    slope of this in [k] is elementary but for the ends, so that it lies between two multiples of an incomplete Beta
    function of [k / (1 + k)]. Both come together as the ends go to 0 and to infinity. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Limits Endpoints Incomplete.
Open Scope R_scope.

(** The proportion [k / (1 + k)] of odds, and its slope. *)
Definition of_odds (k : R) : R := k / (1 + k).

Lemma of_odds_inside k : 0 < k -> 0 < of_odds k < 1.
Proof.
  intro K. unfold of_odds. split; [apply Rdiv_lt_0_compat; lra |].
  apply (strictly_below_by (/ (1 + k))); [field; lra | apply Rinv_0_lt_compat; lra].
Qed.
Lemma of_odds_near_1 : is_lim of_odds p_infty 1.
Proof.
  apply (is_lim_ext_loc (fun k => 1 - / (1 + k))); [exists 0; intros k K; unfold of_odds; field; lra |].
  replace (Finite 1) with (Finite (1 - 0)) by (f_equal; ring). apply is_lim_minus'; [apply is_lim_const |].
  apply (is_lim_inv (fun k => 1 + k) p_infty p_infty); [| discriminate].
  apply (is_lim_plus (fun _ => 1) (fun k => k) p_infty 1 p_infty); [apply is_lim_const | apply is_lim_id | reflexivity].
Qed.

Section Against.
Variables a b : R.
Hypotheses (A : 0 < a) (B : 0 < b).

Definition against (k y : R) : R := gamma_density b y * lower_gamma a (k * y).
Definition odds_speed (k : R) : R := Rpower k (a - 1) * Rpower (1 + k) (- (a + b)).
Local Notation G := (lower_gamma (a + b)).
Local Notation share k := (incomplete_beta a b (of_odds k)).

Lemma odds_speed_positive k : 0 < odds_speed k.
Proof. apply Rmult_lt_0_compat; apply Rpower_positive. Qed.

Lemma slope_of_beta_share k : 0 < k -> is_derive (fun k => share k) k (odds_speed k).
Proof.
  intro K. pose proof (of_odds_inside k K) as I.
  evar_last; [apply (is_derive_comp (incomplete_beta a b) of_odds k); [apply is_derive_incomplete_beta; assumption |] |].
  - unfold of_odds. instantiate (1 := / (1 + k) * / (1 + k)). auto_derive; [lra | field; lra].
  - unfold scal; simpl; unfold mult; simpl. unfold odds_speed. replace (1 - of_odds k) with (/ (1 + k)) by (unfold of_odds; field; lra).
    unfold of_odds, Rdiv, Rpower. rewrite ln_mult by (try apply Rinv_0_lt_compat; lra). rewrite ln_Rinv by lra.
    replace (/ (1 + k)) with (exp (- ln (1 + k))) by (rewrite exp_Ropp, exp_ln by lra; reflexivity).
    rewrite <- !exp_plus. f_equal. ring.
Qed.

(** ** The slope in [k] *)

Lemma continuous_gamma_density y : 0 < y -> continuous (gamma_density b) y.
Proof. intro Y. apply (ex_derive_continuous (V := R_NormedModule)). unfold gamma_density, Rpower. auto_derive. exact Y. Qed.
Lemma continuous_against k y : 0 < y -> continuous (against k) y.
Proof.
  intro Y. apply (continuous_mult (gamma_density b) (fun y => lower_gamma a (k * y))); [apply continuous_gamma_density, Y |].
  apply (continuous_comp (fun y => k * y) (lower_gamma a)); [| apply continuous_lower_gamma, A].
  apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
Qed.
Lemma slope_of_against k y : 0 < k -> 0 < y ->
  is_derive (fun k => against k y) k (gamma_density b y * (y * gamma_density a (k * y))).
Proof.
  intros K Y. apply (is_derive_scal (fun k => lower_gamma a (k * y))).
  apply (is_derive_comp (lower_gamma a) (fun k => k * y)); [apply is_derive_lower_gamma; [exact A | apply Rmult_lt_0_compat; assumption] |].
  auto_derive; [exact I | ring].
Qed.

Lemma steady_in_both k y : 0 < k -> 0 < y ->
  continuity_2d_pt (fun u v => gamma_density b v * (v * gamma_density a (u * v))) k y.
Proof.
  intros K Y. assert (0 < k * y) by (apply Rmult_lt_0_compat; assumption).
  apply continuity_2d_pt_mult.
  - apply (continuity_1d_2d_pt_comp (gamma_density b) (fun _ v => v)); [| apply continuity_2d_pt_id2].
    apply continuity_pt_filterlim, continuous_gamma_density, Y.
  - apply continuity_2d_pt_mult; [apply continuity_2d_pt_id2 |].
    apply (continuity_1d_2d_pt_comp (gamma_density a) (fun u v => u * v));
      [| apply continuity_2d_pt_mult; [apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2]].
    apply continuity_pt_filterlim, (ex_derive_continuous (V := R_NormedModule)). unfold gamma_density, Rpower. auto_derive. assumption.
Qed.

Variables e x : R.
Hypothesis Ends : 0 < e < x.
Definition partly (k : R) : R := RInt (against k) e x.

Lemma is_partly k : is_RInt (against k) e x (partly k).
Proof.
  apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous. rewrite Rmin_left, Rmax_right by lra.
  intros y Y. apply continuous_against. lra.
Qed.

Lemma slope_of_partly k : 0 < k -> is_derive partly k (odds_speed k * (G ((1 + k) * x) - G ((1 + k) * e))).
Proof.
  intro K. assert (D : forall y, e <= y <= x -> Derive (fun u => against u y) k = gamma_density b y * (y * gamma_density a (k * y))).
  { intros y Y. apply is_derive_unique, slope_of_against; lra. }
  replace (odds_speed k * (G ((1 + k) * x) - G ((1 + k) * e))) with (RInt (fun y => Derive (fun u => against u y) k) e x).
  - apply (is_derive_RInt_param against e x k); rewrite ?Rmin_left, ?Rmax_right by lra.
    + apply filter_imp with (2 := near_right_of k 0 K). intros u U y Y. eexists. apply slope_of_against; lra.
    + intros y Y. apply (continuity_2d_pt_ext_loc (fun u v => gamma_density b v * (v * gamma_density a (u * v)))).
      * assert (M : 0 < Rmin k y) by (apply Rmin_glb_lt; lra). exists (mkposreal _ M). simpl. intros u v U V.
        pose proof (Rmin_l k y). pose proof (Rmin_r k y). apply Rabs_def2 in U. apply Rabs_def2 in V.
        symmetry. apply is_derive_unique, slope_of_against; lra.
      * apply steady_in_both; lra.
    + apply filter_forall. intro u. eexists. apply is_partly.
  - apply is_RInt_unique. apply (is_RInt_ext (fun y => odds_speed k * ((1 + k) * gamma_density (a + b) ((1 + k) * y)))).
    + rewrite Rmin_left, Rmax_right by lra. intros y Y. rewrite D by lra. match goal with |- @eq _ ?u ?v => change (u = v :> R) end.
      unfold odds_speed, gamma_density, Rpower. rewrite !ln_mult by lra. replace (1 + k) with (exp (ln (1 + k))) at 2 by (apply exp_ln; lra).
      transitivity (exp ((b - 1) * ln y) * exp (- y) * (exp (ln y) * (exp ((a - 1) * (ln k + ln y)) * exp (- (k * y)))));
        [| rewrite exp_ln by lra; ring].
      rewrite <- !exp_plus. f_equal. ring.
    + evar_last; [apply (is_RInt_derive (V := R_CompleteNormedModule) (fun y => odds_speed k * G ((1 + k) * y))) | unfold minus, plus, opp; simpl; ring];
        rewrite Rmin_left, Rmax_right by lra; intros y Y; assert (0 < (1 + k) * y) by (apply Rmult_lt_0_compat; lra).
      * apply (is_derive_scal (fun y => G ((1 + k) * y))).
        apply (is_derive_comp G (fun y => (1 + k) * y)); [apply is_derive_lower_gamma; lra |]. auto_derive; [exact I | ring].
      * apply (continuous_scal_r (V := R_NormedModule) (odds_speed k) (fun y => (1 + k) * gamma_density (a + b) ((1 + k) * y))).
        apply (ex_derive_continuous (V := R_NormedModule)). unfold gamma_density, Rpower. auto_derive. assumption.
Qed.

(** ** Where [k] is small *)

Lemma share_starts : filterlim (fun k => share k) (at_right 0) (locally 0).
Proof.
  apply (tends_from_right _ (fun k => share k) 0 1); [lra | reflexivity | |].
  - apply (continuous_comp of_odds (incomplete_beta a b)).
    + apply (ex_derive_continuous (V := R_NormedModule)). unfold of_odds. auto_derive. lra.
    + apply continuous_incomplete_beta; [exact A |]. unfold of_odds. lra.
  - unfold of_odds. rewrite incomplete_beta_0 by lra. reflexivity.
Qed.

Lemma partly_between k l : 0 < k -> 0 <= l -> l <= k * e ->
  lower_gamma a l * (lower_gamma b x - lower_gamma b e) <= partly k <= lower_gamma a (k * x) * (lower_gamma b x - lower_gamma b e).
Proof.
  intros K L LE.
  assert (Density : forall c, is_RInt (fun y => c * gamma_density b y) e x (c * (lower_gamma b x - lower_gamma b e))).
  { intro c. apply (is_RInt_scal (V := R_NormedModule) (gamma_density b)).
    apply (is_RInt_derive (V := R_CompleteNormedModule) (lower_gamma b)); rewrite Rmin_left, Rmax_right by lra; intros y Y.
    - apply is_derive_lower_gamma; lra.
    - apply continuous_gamma_density. lra. }
  assert (Rise : forall u v, 0 <= u -> u <= v -> lower_gamma a u <= lower_gamma a v).
  { intros u v U [V | ->]; [apply Rlt_le, lower_gamma_rises; lra | lra]. }
  assert (Order : forall y, e < y < x -> k * e <= k * y <= k * x) by (intros y Y; split; apply Rmult_le_compat_l; lra).
  assert (KE : 0 < k * e) by (apply Rmult_lt_0_compat; lra).
  split.
  - refine (is_RInt_le _ _ e x _ _ ltac:(lra) (Density _) (is_partly k) _). intros y Y. unfold against.
    rewrite (Rmult_comm (gamma_density b y)). apply Rmult_le_compat_r; [apply Rlt_le, gamma_density_positive |].
    apply Rise; [exact L |]. specialize (Order y Y). lra.
  - refine (is_RInt_le _ _ e x _ _ ltac:(lra) (is_partly k) (Density _) _). intros y Y. unfold against.
    rewrite (Rmult_comm (gamma_density b y)). apply Rmult_le_compat_r; [apply Rlt_le, gamma_density_positive |].
    apply Rise; specialize (Order y Y); lra.
Qed.

Lemma partly_starts : filterlim partly (at_right 0) (locally 0).
Proof.
  apply (filterlim_le_le (F := at_right 0) (fun _ => 0) partly (fun k => lower_gamma a (k * x) * (lower_gamma b x - lower_gamma b e)) (Finite 0)).
  - apply filter_imp with (2 := right_of 0 1 Rlt_0_1). intros k K.
    pose proof (partly_between k 0 (proj1 K) (Rle_refl 0) ltac:(apply Rmult_le_pos; lra)) as P.
    rewrite (lower_gamma_0 a 0), Rmult_0_l in P by lra. exact P.
  - apply filterlim_const.
  - apply (tends_from_right _ (fun k => lower_gamma a (k * x) * (lower_gamma b x - lower_gamma b e)) 0 1); [lra | reflexivity | |].
    + apply (continuous_mult (fun k => lower_gamma a (k * x)) (fun _ => lower_gamma b x - lower_gamma b e)); [| apply continuous_const].
      apply (continuous_comp (fun k => k * x) (lower_gamma a)); [| apply continuous_lower_gamma, A].
      apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
    + rewrite Rmult_0_l, (lower_gamma_0 a 0) by lra. ring.
Qed.

(** ** Between two multiples of the share *)

(** What starts at 0 and rises is not negative. *)
Lemma not_negative_if_rising (F f : R -> R) k : 0 < k -> filterlim F (at_right 0) (locally 0) ->
  (forall u, 0 < u <= k -> is_derive F u (f u)) -> (forall u, 0 < u <= k -> 0 < f u) -> 0 <= F k.
Proof.
  intros K S D P. apply (limit_le (F := at_right 0) F (fun _ => F k) 0 (F k)); [exact S | apply filterlim_const |].
  apply filter_imp with (2 := right_of 0 k K). intros u U. apply Rlt_le, Rminus_lt_0.
  apply (rises F f u k); [lra | intros; apply D; lra | intros; apply P; lra].
Qed.

Lemma partly_by_share k c : 0 < k ->
  filterlim (fun k => c * share k - partly k) (at_right 0) (locally 0) /\
  forall u, 0 < u -> is_derive (fun k => c * share k - partly k) u (odds_speed u * (c - (G ((1 + u) * x) - G ((1 + u) * e)))).
Proof.
  intro K. split.
  - replace (locally 0) with (locally (c * 0 + - 0)) by (f_equal; ring).
    apply (filterlim_comp_2 (G := locally (c * 0)) (H := locally (- 0)) (fun k => c * share k) (fun k => - partly k) Rplus);
      [| | exact (filterlim_plus (V := R_NormedModule) _ _)].
    + exact (filterlim_comp _ _ _ _ (fun y => c * y) _ _ _ share_starts (filterlim_scal_r (V := R_NormedModule) c 0)).
    + exact (filterlim_comp _ _ _ partly Ropp _ _ _ partly_starts (filterlim_opp (V := R_NormedModule) 0)).
  - intros u U. evar_last; [apply (is_derive_minus (fun k => c * share k) partly); [apply (is_derive_scal (fun k => share k)), slope_of_beta_share, U | apply slope_of_partly, U] |].
    unfold minus, plus, opp; simpl. ring.
Qed.

Lemma partly_below k : 0 < k -> partly k <= Gamma (a + b) * share k.
Proof.
  intro K. destruct (partly_by_share k (Gamma (a + b)) K) as [S D].
  apply Rge_le, Rminus_ge, Rle_ge.
  refine (not_negative_if_rising _ _ k K S (fun u U => D u (proj1 U)) _).
  intros u [U _]. apply Rmult_lt_0_compat; [apply odds_speed_positive |].
  pose proof (lower_gamma_below_Gamma (a + b) ltac:(lra) ((1 + u) * x)).
  pose proof (lower_gamma_positive (a + b) ltac:(lra) ((1 + u) * e) ltac:(apply Rmult_lt_0_compat; lra)). lra.
Qed.

Lemma partly_above k : 0 < k -> (G x - G ((1 + k) * e)) * share k <= partly k.
Proof.
  intro K. destruct (partly_by_share k (G x - G ((1 + k) * e)) K) as [S D].
  apply Rge_le, Rminus_ge, Rle_ge.
  replace (partly k - (G x - G ((1 + k) * e)) * share k) with (- ((G x - G ((1 + k) * e)) * share k - partly k)) by ring.
  apply (not_negative_if_rising (fun k' => - ((G x - G ((1 + k) * e)) * share k' - partly k'))
    (fun u => - (odds_speed u * (G x - G ((1 + k) * e) - (G ((1 + u) * x) - G ((1 + u) * e))))) k K).
  - replace (locally 0) with (locally (- 0)) by (f_equal; ring). exact (filterlim_comp _ _ _ _ Ropp _ _ _ S (filterlim_opp (V := R_NormedModule) 0)).
  - intros u U. exact (is_derive_opp _ u _ (D u (proj1 U))).
  - intros u [U UK]. rewrite <- Ropp_mult_distr_r_reverse. apply Rmult_lt_0_compat; [apply odds_speed_positive |].
    assert (x < (1 + u) * x) by (pose proof (Rmult_lt_0_compat u x); lra).
    pose proof (lower_gamma_rises (a + b) ltac:(lra) x ((1 + u) * x) ltac:(lra)).
    assert (Order : (1 + u) * e <= (1 + k) * e) by (apply Rmult_le_compat_r; lra).
    assert (G ((1 + u) * e) <= G ((1 + k) * e)); [| lra].
    destruct (Rle_lt_or_eq_dec _ _ Order) as [L | ->]; [| lra].
    apply Rlt_le, lower_gamma_rises; [lra |]. split; [apply Rmult_le_pos; lra | exact L].
Qed.
End Against.

(** * The whole *)

Lemma over_e_grows : filterlim Rinv (at_right 0) (Rbar_locally p_infty).
Proof. exact filterlim_Rinv_0_right. Qed.

Lemma lower_gamma_starts a k : 0 < a -> filterlim (fun e => lower_gamma a (k * e)) (at_right 0) (locally 0).
Proof.
  intro A. apply (tends_from_right _ (fun e => lower_gamma a (k * e)) 0 1); [lra | reflexivity | |].
  - apply (continuous_comp (fun e => k * e) (lower_gamma a)); [| apply continuous_lower_gamma, A].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
  - rewrite Rmult_0_r. apply lower_gamma_0. lra.
Qed.

(** From nearly 0 to nearly infinity there is nearly all of a Gamma density. *)
Lemma nearly_all a k : 0 < a -> filterlim (fun e => lower_gamma a (/ e) - lower_gamma a (k * e)) (at_right 0) (locally (Gamma a)).
Proof.
  intro A. replace (Gamma a) with (Gamma a + - 0) by ring.
  apply (filterlim_comp_2 (G := locally (Gamma a)) (H := locally (- 0)) (fun e => lower_gamma a (/ e)) (fun e => - lower_gamma a (k * e)) Rplus);
    [| | exact (filterlim_plus (V := R_NormedModule) _ _)].
  - exact (filterlim_comp _ _ _ Rinv (lower_gamma a) _ _ _ over_e_grows (lower_gamma_far a A)).
  - exact (filterlim_comp _ _ _ _ Ropp _ _ _ (lower_gamma_starts a k A) (filterlim_opp (V := R_NormedModule) 0)).
Qed.

Lemma near_0_ordered : at_right 0 (fun e => 0 < e < / e).
Proof.
  apply filter_imp with (2 := right_of 0 1 Rlt_0_1). intros e E. split; [lra |].
  apply Rlt_trans with 1; [lra |]. rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra.
Qed.

Section Whole.
Variables a b : R.
Hypotheses (A : 0 < a) (B : 0 < b).

Lemma share_ends : is_lim (fun k => incomplete_beta a b (of_odds k)) p_infty (beta a b).
Proof.
  refine (filterlim_comp _ _ _ of_odds (incomplete_beta a b) _ (locally 1) _ of_odds_near_1 _).
  pose proof (continuous_incomplete_beta_1 a b A B) as C. unfold continuous in C.
  rewrite (incomplete_beta_1 a b 1) in C by lra. exact C.
Qed.

Lemma share_of_gammas_below k : 0 < k -> Gamma (a + b) * incomplete_beta a b (of_odds k) <= Gamma a * Gamma b.
Proof.
  intro K. apply (limit_le (F := at_right 0)
    (fun e => (lower_gamma (a + b) (/ e) - lower_gamma (a + b) ((1 + k) * e)) * incomplete_beta a b (of_odds k)) (fun _ => Gamma a * Gamma b)).
  - refine (filterlim_comp _ _ _ _ (fun y => y * incomplete_beta a b (of_odds k)) _ _ _ (nearly_all (a + b) (1 + k) ltac:(lra)) _).
    exact (filterlim_scal_l (V := R_NormedModule) (Gamma (a + b)) (incomplete_beta a b (of_odds k))).
  - apply filterlim_const.
  - apply filter_imp with (2 := near_0_ordered). intros e E.
    apply Rle_trans with (1 := partly_above a b A B e (/ e) E k K).
    apply Rle_trans with (1 := proj2 (partly_between a b A B e (/ e) E k 0 K (Rle_refl 0) ltac:(apply Rmult_le_pos; lra))).
    pose proof (lower_gamma_below_Gamma a A (k * / e)). pose proof (lower_gamma_below_Gamma b B (/ e)).
    pose proof (lower_gamma_positive b B e (proj1 E)). pose proof (lower_gamma_rises b B e (/ e) ltac:(lra)).
    pose proof (lower_gamma_positive a A (k * / e) ltac:(apply Rmult_lt_0_compat; lra)).
    apply Rmult_le_compat; lra.
Qed.

(** B(a, b) is a quotient of Gamma functions. *)
Theorem beta_by_gammas : Gamma (a + b) * beta a b = Gamma a * Gamma b.
Proof.
  assert (Ends : is_lim (fun k => Gamma (a + b) * incomplete_beta a b (of_odds k)) p_infty (Gamma (a + b) * beta a b)).
  { exact (filterlim_comp _ _ _ _ (fun y => Gamma (a + b) * y) _ _ _ share_ends (filterlim_scal_r (V := R_NormedModule) (Gamma (a + b)) (beta a b))). }
  assert (Positive : Rbar_locally p_infty (fun k => 0 < k)) by (exists 0; auto).
  apply Rle_antisym.
  - apply (limit_le (F := Rbar_locally p_infty) (fun k => Gamma (a + b) * incomplete_beta a b (of_odds k)) (fun _ => Gamma a * Gamma b));
      [exact Ends | apply filterlim_const |].
    apply filter_imp with (2 := Positive). exact share_of_gammas_below.
  - apply (limit_le (F := at_right 0) (fun e => Gamma a * (lower_gamma b (/ e) - lower_gamma b (1 * e))) (fun _ => Gamma (a + b) * beta a b)).
    + exact (filterlim_comp _ _ _ _ (fun y => Gamma a * y) _ _ _ (nearly_all b 1 B) (filterlim_scal_r (V := R_NormedModule) (Gamma a) (Gamma b))).
    + apply filterlim_const.
    + apply filter_imp with (2 := near_0_ordered). intros e E. rewrite Rmult_1_l.
      apply (limit_le (F := Rbar_locally p_infty) (fun k => lower_gamma a (k * e) * (lower_gamma b (/ e) - lower_gamma b e))
        (fun k => Gamma (a + b) * incomplete_beta a b (of_odds k))); [| exact Ends |].
      * refine (filterlim_comp _ _ _ _ (fun y => y * (lower_gamma b (/ e) - lower_gamma b e)) _ (locally (Gamma a)) _ _
          (filterlim_scal_l (V := R_NormedModule) (Gamma a) _)).
        refine (filterlim_comp _ _ _ (fun k => k * e) (lower_gamma a) _ _ _ _ (lower_gamma_far a A)).
        change (is_lim (fun k => k * e) p_infty p_infty). apply (is_lim_ext (fun k => e * k)); [intro; ring |].
        evar_last; [apply (is_lim_scal_l (fun k => k) e p_infty p_infty), is_lim_id |].
        simpl. destruct (Rle_dec 0 e) as [H |]; [| lra]. destruct (Rle_lt_or_eq_dec 0 e H); [reflexivity | lra].
      * apply filter_imp with (2 := Positive). intros k K.
        apply Rle_trans with (2 := partly_below a b A B e (/ e) E k K).
        apply (partly_between a b A B e (/ e) E k (k * e) K); [apply Rmult_le_pos; lra | lra].
Qed.
End Whole.

Lemma beta_is_quotient a b : 0 < a -> 0 < b -> beta a b = Gamma a * Gamma b / Gamma (a + b).
Proof.
  intros A B. pose proof (Gamma_positive (a + b) ltac:(lra)). rewrite <- (beta_by_gammas a b A B). field. lra.
Qed.

(** * Tactics *)

(** Write Beta functions by Gamma functions, and the same argument of these in the same way. *)
Ltac betas_by_gammas :=
  repeat match goal with |- context [beta ?a ?b] => rewrite (beta_is_quotient a b) by see end;
  repeat match goal with
  | |- context [Gamma ?a] => match goal with |- context [Gamma ?b] =>
      assert_fails (constr_eq a b); replace (Gamma a) with (Gamma b) by (f_equal; field; see) end
  end.

(** Write Gamma functions at [z] in one way. *)
Ltac shape_is z :=
  repeat match goal with |- context [Gamma ?x] =>
    assert_fails (constr_eq x z); replace (Gamma x) with (Gamma z) by (apply f_equal; field; see) end.
