(** A Lomax cost of any shape beside an exponential one, whose expected costs are incomplete Gamma functions from a number on. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete BetaGamma Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal Independent Spread Bells Far Moments Families Euler.
Import ListNotations.
Open Scope R_scope.

(** * The law of an exponential cost *)

Definition exponential_density (l x : R) : R := l * exp (- (l * x)).
Definition exponential_tail (l x : R) : R := exp (- (l * x)).
Definition exponential_mean_below (l x : R) : R := - (x * exp (- (l * x)) + / l * exp (- (l * x))).

Lemma exponential_is_dense l x : 0 < l -> 0 < x -> 0 < exponential_density l x /\ continuous (exponential_density l) x.
Proof.
  intros K _. split; [apply Rmult_lt_0_compat; [exact K | apply exp_pos] |].
  apply (ex_derive_continuous (V := R_NormedModule)). unfold exponential_density. auto_derive. exact I.
Qed.

Lemma exponential_law l : 0 < l ->
  law_of_one (exponential_density l) (exponential_tail l) (exponential_mean_below l) (- / l) (Finite 0).
Proof.
  intro K. split; [intros x X | split; [| split; [| split]]].
  - destruct (exponential_is_dense l x K X). split; [lra | split; [assumption | split]].
    + unfold exponential_tail, exponential_density. auto_derive; [exact I | ring].
    + unfold exponential_mean_below, exponential_density. auto_derive; [exact I | field; lra].
  - replace 1 with (exponential_tail l 0) by (unfold exponential_tail; rewrite Rmult_0_r, Ropp_0; exact exp_0).
    apply (near_by_continuity (exponential_tail l)), (ex_derive_continuous (V := R_NormedModule)). unfold exponential_tail. auto_derive. exact I.
  - apply exponential_vanishes, K.
  - replace (- / l) with (exponential_mean_below l 0) by (unfold exponential_mean_below; rewrite Rmult_0_r, Ropp_0, exp_0; ring).
    apply (near_by_continuity (exponential_mean_below l)), (ex_derive_continuous (V := R_NormedModule)). unfold exponential_mean_below. auto_derive. exact I.
  - replace (Finite 0) with (Finite (- (0 + / l * 0))) by (f_equal; ring).
    apply (is_lim_opp (fun x => x * exp (- (l * x)) + / l * exp (- (l * x))) p_infty (Finite (0 + / l * 0))).
    apply is_lim_plus'; [apply linear_exponential_vanishes, K | apply (is_lim_scal_l (fun x => exp (- (l * x))) (/ l) p_infty 0), exponential_vanishes, K].
Qed.

(** * Exponentials beside a power of [1 + x / m] *)

Section Shifted.
Variables s m k : R.
Hypotheses (M : 0 < m) (K : 0 < k).
Definition shifted_rest (x : R) : R := - (m * (exp (k * m) * (Rpower (k * m) (s - 1) * tail_gamma (1 - s) (k * (x + m))))).

Lemma shifted_slope x : 0 <= x -> is_derive shifted_rest x (Rpower (1 + x / m) (- s) * exp (- (k * x))).
Proof.
  intro X. assert (P : 0 < k * (x + m)) by (apply Rmult_lt_0_compat; lra). assert (Q : 0 < k * m) by (apply Rmult_lt_0_compat; lra).
  assert (R' : 0 < 1 + x / m) by (apply (strictly_below_by ((x + m) / m)); [field; lra | apply Rdiv_lt_0_compat; lra]).
  assert (D : is_derive (fun x => tail_gamma (1 - s) (k * (x + m))) x (k * - (Rpower (k * (x + m)) (- s) * exp (- (k * (x + m)))))).
  { replace (- s) with (1 - s - 1) by ring.
    apply (is_derive_comp (tail_gamma (1 - s)) (fun x => k * (x + m))); [apply is_derive_tail_gamma, P | auto_derive; [exact I | ring]]. }
  replace (Rpower (1 + x / m) (- s) * exp (- (k * x)))
    with (- (m * exp (k * m) * Rpower (k * m) (s - 1)) * (k * - (Rpower (k * (x + m)) (- s) * exp (- (k * (x + m)))))).
  - apply (is_derive_ext (fun x => - (m * exp (k * m) * Rpower (k * m) (s - 1)) * tail_gamma (1 - s) (k * (x + m))));
      [intro; unfold shifted_rest; match goal with |- ?l = ?r => change (l = r :> R) end; ring |].
    exact (is_derive_scal _ x _ _ D).
  - replace (k * (x + m)) with (k * m * (1 + x / m)) at 1 by (field; lra). rewrite <- (Rpower_mult_distr (k * m) (1 + x / m) (- s)) by assumption.
    replace (- (k * (x + m))) with (- (k * m) + - (k * x)) by ring. rewrite exp_plus, exp_Ropp.
    replace (s - 1) with (s + - (1)) by ring. rewrite Rpower_plus, !Rpower_Ropp, Rpower_1 by exact Q.
    pose proof (exp_pos (k * m)). pose proof (Rpower_positive (k * m) s). pose proof (Rpower_positive (1 + x / m) s). field. repeat split; lra.
Qed.

Lemma shifted_start : filterlim shifted_rest (at_right 0) (locally (shifted_rest 0)).
Proof. apply (near_by_continuity shifted_rest), (ex_derive_continuous (V := R_NormedModule)). eexists. apply shifted_slope. lra. Qed.

Lemma shifted_far : is_lim shifted_rest p_infty 0.
Proof.
  set (c := m * exp (k * m) * Rpower (k * m) (s - 1)). replace (Finite 0) with (Finite (- c * 0)) by (f_equal; ring).
  apply (is_lim_ext (fun x => - c * tail_gamma (1 - s) (k * (x + m)))); [intro; unfold shifted_rest, c; ring |].
  apply (is_lim_scal_l (fun x => tail_gamma (1 - s) (k * (x + m))) (- c) p_infty 0).
  apply (is_lim_comp (tail_gamma (1 - s)) (fun x => k * (x + m)) p_infty 0 p_infty); [apply tail_gamma_far | | exists 0; intros; discriminate].
  apply (is_lim_ext (fun x => k * x + k * m)); [intro; ring | apply line_grows, K].
Qed.
End Shifted.

(** The difference of two such powers, which a cost beside one is a multiple of. *)
Lemma shifted_integral s t c m k (g : R -> R) : 0 < m -> 0 < k ->
  (forall x, 0 < x -> g x = c * ((Rpower (1 + x / m) (- s) - Rpower (1 + x / m) (- t)) * exp (- (k * x)))) -> exists (H : R -> R) (bottom top : R),
  (forall x, 0 < x -> is_derive H x (g x)) /\ filterlim H (at_right 0) (locally bottom) /\ is_lim H p_infty top /\
  top - bottom = c * (m * (exp (k * m) * (Rpower (k * m) (s - 1) * tail_gamma (1 - s) (k * m) - Rpower (k * m) (t - 1) * tail_gamma (1 - t) (k * m)))).
Proof.
  intros M K E. exists (fun x => c * (shifted_rest s m k x - shifted_rest t m k x)), (c * (shifted_rest s m k 0 - shifted_rest t m k 0)), (c * (0 - 0)).
  split; [| split; [| split]].
  - intros x X. rewrite E by exact X. rewrite Rmult_minus_distr_r.
    apply (is_derive_scal (fun x => shifted_rest s m k x - shifted_rest t m k x)).
    apply (is_derive_minus (V := R_NormedModule) (shifted_rest s m k)); apply shifted_slope; lra.
  - apply (near_by_continuity (fun x => c * (shifted_rest s m k x - shifted_rest t m k x))), (ex_derive_continuous (V := R_NormedModule)).
    eexists. apply (is_derive_scal (fun x => shifted_rest s m k x - shifted_rest t m k x)).
    apply (is_derive_minus (V := R_NormedModule) (shifted_rest s m k)); apply shifted_slope; lra.
  - apply (is_lim_scal_l (fun x => shifted_rest s m k x - shifted_rest t m k x) c p_infty (0 - 0)).
    apply is_lim_minus'; apply shifted_far; assumption.
  - unfold shifted_rest. rewrite !Rplus_0_l. ring.
Qed.

(** * What both costs pay *)

Section Pair.
Variables a m l : R.
Hypotheses (A : 0 < a) (M : 0 < m) (K : 0 < l).
Local Notation lomax := (burr_density 1 a m).
Local Notation exponential := (exponential_density l).
Let law_l := burr_law 1 a m Rlt_0_1 A M.
Let law_e := exponential_law l K.

Definition lomax_pays (z : R) : R := a * m * (exp z * (Rpower z (a - 1) * tail_gamma (1 - a) z - Rpower z a * tail_gamma (- a) z)).
Definition exponential_pays (z : R) : R := z / l * (exp z * (Rpower z (a - 1) * tail_gamma (2 - a) z - Rpower z a * tail_gamma (1 - a) z)).

Let above x : 0 < x -> 0 < 1 + x / m.
Proof. intro X. assert (0 < x / m) by (apply Rdiv_lt_0_compat; lra). lra. Qed.

Lemma one_power_more y t : 0 < y -> Rpower y (- t) = y * Rpower y (- t - 1).
Proof. intro Y. rewrite <- (Rpower_1 y) at 2 by exact Y. rewrite <- Rpower_plus. f_equal. ring. Qed.

Lemma lomax_integral r (g : R -> R) : 0 < r -> (forall x, 0 < x -> g x = exponential_tail l (r * x) * (x * lomax x)) -> exists (H : R -> R) (bottom top : R),
  (forall x, 0 < x -> is_derive H x (g x)) /\ filterlim H (at_right 0) (locally bottom) /\ is_lim H p_infty top /\ top - bottom = lomax_pays (l * r * m).
Proof.
  intros P E. assert (LR : 0 < l * r) by (apply Rmult_lt_0_compat; assumption).
  destruct (shifted_integral a (a + 1) a m (l * r) g M LR) as (H & bottom & top & D & Bottom & Top & V).
  - intros x X. rewrite E by exact X. assert (X' : 0 < x / m) by (apply Rdiv_lt_0_compat; lra). unfold exponential_tail, burr_density.
    replace (1 - 1) with 0 by ring. rewrite Rpower_O, Rpower_1 by exact X'. replace (- (a + 1)) with (- a - 1) by ring.
    rewrite (one_power_more (1 + x / m) a) by (apply above, X). replace (l * (r * x)) with (l * r * x) by ring. field. lra.
  - exists H, bottom, top. split; [exact D | split; [exact Bottom | split; [exact Top |]]]. rewrite V. unfold lomax_pays.
    replace (a + 1 - 1) with a by ring. replace (1 - (a + 1)) with (- a) by ring. ring.
Qed.

Lemma exponential_integral_beside r (g : R -> R) : 0 < r -> (forall x, 0 < x -> g x = burr_tail 1 a m (r * x) * (x * exponential x)) -> exists (H : R -> R) (bottom top : R),
  (forall x, 0 < x -> is_derive H x (g x)) /\ filterlim H (at_right 0) (locally bottom) /\ is_lim H p_infty top /\ top - bottom = exponential_pays (l * (m / r)).
Proof.
  intros P E. assert (N : 0 < m / r) by (apply Rdiv_lt_0_compat; assumption).
  destruct (shifted_integral (a - 1) a (l * (m / r)) (m / r) l g N K) as (H & bottom & top & D & Bottom & Top & V).
  - intros x X. rewrite E by exact X. assert (X' : 0 < r * x / m) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; assumption).
    unfold exponential_density, burr_tail. rewrite Rpower_1 by exact X'. replace (x / (m / r)) with (r * x / m) by (field; lra).
    rewrite (one_power_more (1 + r * x / m) (a - 1)) by lra. replace (- (a - 1) - 1) with (- a) by ring. field. lra.
  - exists H, bottom, top. split; [exact D | split; [exact Bottom | split; [exact Top |]]]. rewrite V. unfold exponential_pays. set (z := l * (m / r)).
    assert (Z : 0 < z) by (apply Rmult_lt_0_compat; assumption). replace (1 - (a - 1)) with (2 - a) by ring.
    replace (Rpower z a) with (z * Rpower z (a - 1)) by (rewrite <- (Rpower_1 z) at 1 by exact Z; rewrite <- Rpower_plus; f_equal; ring).
    replace (Rpower z (a - 1)) with (z * Rpower z (a - 1 - 1)) by (rewrite <- (Rpower_1 z) at 1 by exact Z; rewrite <- Rpower_plus; f_equal; ring).
    replace (m / r) with (z / l) by (unfold z; field; lra). ring.
Qed.

Let odds p : 0 < p < 1 -> 0 < (1 - p) / p /\ 0 < p / (1 - p).
Proof. intro P. split; apply Rdiv_lt_0_compat; lra. Qed.

(** The Lomax cost first. *)
Theorem lomax_cost0 p : 0 < p < 1 -> over_areas [independent lomax exponential] (pay0 p) (lomax_pays (l * ((1 - p) / p) * m)).
Proof.
  intro P. destruct (lomax_integral ((1 - p) / p) (fun x => exponential_tail l (x * (1 - p) / p) * (x * lomax x))) as (H & bottom & top & D & Bottom & Top & <-).
  - apply odds, P.
  - intros x X. replace (x * (1 - p) / p) with ((1 - p) / p * x) by (field; lra). reflexivity.
  - exact (independent_cost0 _ _ _ _ _ _ _ _ _ _ law_l law_e p P H bottom top D Bottom Top).
Qed.
Theorem beside_lomax_cost1 p : 0 < p < 1 -> over_areas [independent lomax exponential] (pay1 p) (exponential_pays (l * (m / (p / (1 - p))))).
Proof.
  intro P. destruct (exponential_integral_beside (p / (1 - p)) (fun x => burr_tail 1 a m (p * x / (1 - p)) * (x * exponential x))) as (H & bottom & top & D & Bottom & Top & <-).
  - apply odds, P.
  - intros x X. replace (p * x / (1 - p)) with (p / (1 - p) * x) by (field; lra). reflexivity.
  - exact (independent_cost1 _ _ _ _ _ _ _ _ _ _ law_l law_e p P H bottom top D Bottom Top).
Qed.
(** The exponential cost first. *)
Theorem beside_lomax_cost0 p : 0 < p < 1 -> over_areas [independent exponential lomax] (pay0 p) (exponential_pays (l * (m / ((1 - p) / p)))).
Proof.
  intro P. destruct (exponential_integral_beside ((1 - p) / p) (fun x => burr_tail 1 a m (x * (1 - p) / p) * (x * exponential x))) as (H & bottom & top & D & Bottom & Top & <-).
  - apply odds, P.
  - intros x X. replace (x * (1 - p) / p) with ((1 - p) / p * x) by (field; lra). reflexivity.
  - exact (independent_cost0 _ _ _ _ _ _ _ _ _ _ law_e law_l p P H bottom top D Bottom Top).
Qed.
Theorem lomax_cost1 p : 0 < p < 1 -> over_areas [independent exponential lomax] (pay1 p) (lomax_pays (l * (p / (1 - p)) * m)).
Proof.
  intro P. destruct (lomax_integral (p / (1 - p)) (fun x => exponential_tail l (p * x / (1 - p)) * (x * lomax x))) as (H & bottom & top & D & Bottom & Top & <-).
  - apply odds, P.
  - intros x X. replace (p * x / (1 - p)) with (p / (1 - p) * x) by (field; lra). reflexivity.
  - exact (independent_cost1 _ _ _ _ _ _ _ _ _ _ law_e law_l p P H bottom top D Bottom Top).
Qed.

(** The mean of the exponential cost. *)
Lemma exponential_mean0 : over_areas [independent exponential lomax] (fun c0 _ => c0) (1 / l).
Proof. apply over_areas_is with (1 := independent_mean0 _ _ _ _ _ _ _ _ _ _ law_e law_l). field. lra. Qed.
Lemma exponential_mean1 : over_areas [independent lomax exponential] (fun _ c1 => c1) (1 / l).
Proof. apply over_areas_is with (1 := independent_mean1 _ _ _ _ _ _ _ _ _ _ law_l law_e). field. lra. Qed.
(** The mean of the Lomax cost, if it is finite. *)
Lemma lomax_mean0 : 1 < 1 * a -> over_areas [independent lomax exponential] (fun c0 _ => c0) (a * m * beta (1 + 1 / 1) (a - 1 / 1)).
Proof.
  intro Mean. pose proof law_l as Law. unfold burr_mean in Law. destruct (Rlt_dec 1 (1 * a)); [| contradiction].
  apply over_areas_is with (1 := independent_mean0 _ _ _ _ _ _ _ _ _ _ Law law_e). ring.
Qed.
Lemma lomax_mean1 : 1 < 1 * a -> over_areas [independent exponential lomax] (fun _ c1 => c1) (a * m * beta (1 + 1 / 1) (a - 1 / 1)).
Proof.
  intro Mean. pose proof law_l as Law. unfold burr_mean in Law. destruct (Rlt_dec 1 (1 * a)); [| contradiction].
  apply over_areas_is with (1 := independent_mean1 _ _ _ _ _ _ _ _ _ _ law_e Law). ring.
Qed.
End Pair.

(** * Tactics for files *)

(** The same function from a number on, in whatever form its shape and that number stand. *)
Ltac same_tails :=
  repeat match goal with |- context [upper_gamma ?a ?x] => rewrite <- (tail_is_upper_gamma a x) by see end;
  repeat match goal with |- context [tail_gamma ?a ?x] =>
    match goal with |- context [tail_gamma ?b ?y] =>
      assert_fails (constr_eq (tail_gamma a x) (tail_gamma b y)); replace (tail_gamma a x) with (tail_gamma b y) by (f_equal; field; see)
    end
  end.
Lemma whole_and_rest x f r k : 0 < x -> f = INR k + r -> exp (f * ln x) = x ^ k * exp (r * ln x).
Proof. intros X ->. rewrite Rmult_plus_distr_r, exp_plus, <- (Rpower_pow k x X). reflexivity. Qed.
Lemma whole_without_rest x f r k : 0 < x -> f = INR k - r -> exp (f * ln x) = x ^ k / exp (r * ln x).
Proof.
  intros X ->. unfold Rminus, Rdiv. rewrite Rmult_plus_distr_r, exp_plus, <- (Rpower_pow k x X), <- exp_Ropp. f_equal. f_equal. ring.
Qed.
(** Powers by whole numbers, and by those that differ by whole numbers from [r] or from [- r], a fraction of 1. *)
Ltac powers_beside r :=
  let by_whole f x k :=
    first [ replace (exp (f * ln x)) with (x ^ k * exp (0 * ln x)) by (symmetry; apply whole_and_rest; [see | simpl; lra]); rewrite Rmult_0_l, exp_0
          | replace (exp (f * ln x)) with (x ^ k * exp (r * ln x)) by (symmetry; apply whole_and_rest; [see | simpl; lra])
          | replace (exp (f * ln x)) with (x ^ k / exp (r * ln x)) by (symmetry; apply whole_without_rest; [see | simpl; lra]) ] in
  repeat match goal with |- context [exp (?f * ln ?x)] =>
    assert_fails (constr_eq f r); first [by_whole f x O | by_whole f x 1%nat | by_whole f x 2%nat | by_whole f x 3%nat | by_whole f x 4%nat]
  end.
Ltac closed_tails r :=
  same_tails; same_arguments exp ltac:(field; see);
  repeat match goal with |- context [tail_gamma ?a ?x] => generalize (tail_gamma a x); intro end;
  spread_powers; powers_beside r; exponentials; field; see.
