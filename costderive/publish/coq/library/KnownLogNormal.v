(** A log-normal cost beside one that is known: expected costs are values of [erf], in closed form.

    Times the uncertain cost, its density is one of the same kind. So what is paid up to a value of that cost, or from it
    on, is a share of a log-normal law. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal.
Import ListNotations.
Open Scope R_scope.

(** [w] times the density of a cost whose logarithm has the mean [n] and the standard deviation [t]. *)
Definition log_normal_density (w n t x : R) : R := w / (x * t * (sqrt 2 * sqrt PI)) * exp (- (ln x - n) ^ 2 / (2 * t ^ 2)).

(** The law up to a value, of all positive values. *)
Definition share_up_to (w n t : R) : along :=
  Along (fun x => if Rle_dec x 0 then 0 else w / 2 * (1 + erf (standard n t x))) 0 w.
Lemma share_of_positive w n t x : 0 < x -> rise_along (share_up_to w n t) x = w / 2 * (1 + erf (standard n t x)).
Proof. intro X. simpl. destruct (Rle_dec x 0); [lra | reflexivity]. Qed.
Lemma near_positive x : 0 < x -> locally x (fun y => 0 < y).
Proof. intro X. exists (mkposreal x X). intros y Y. apply ball_between in Y. simpl in Y. lra. Qed.

Definition spread_log_normally (C : arc) (w n t : R) : Prop :=
  0 < t /\ from C = 0 /\ upto C = p_infty /\ forall x, 0 < x -> likelihood C x = log_normal_density w n t x.

Lemma exponent_of_standard n t x : 0 < t -> - (ln x - n) ^ 2 / (2 * t ^ 2) = - standard n t x ^ 2.
Proof.
  intro T. pose proof root_of_2. unfold standard.
  replace (((ln x - n) / (t * sqrt 2)) ^ 2) with ((ln x - n) ^ 2 / (t ^ 2 * sqrt 2 ^ 2)) by (field; split; lra).
  rewrite pow2_sqrt by lra. field. lra.
Qed.

Lemma log_normal_density_continuous w n t x : 0 < t -> 0 < x -> continuous (log_normal_density w n t) x.
Proof.
  intros T X. pose proof root_of_2. pose proof root_of_pi.
  apply (ex_derive_continuous (V := R_NormedModule)). unfold log_normal_density. auto_derive. repeat split; see.
Qed.

Lemma slope_of_share w n t x : 0 < t -> 0 < x -> is_derive (rise_along (share_up_to w n t)) x (log_normal_density w n t x).
Proof.
  intros T X. pose proof root_of_2 as Two. pose proof root_of_pi as Pi.
  apply (is_derive_ext_loc (fun x => w / 2 * (1 + erf (standard n t x)))).
  { apply filter_imp with (2 := near_positive x X). intros y Y. symmetry. apply share_of_positive, Y. }
  evar_last.
  { apply (is_derive_scal (fun x => 1 + erf (standard n t x))). apply (is_derive_plus (fun _ => 1)); [apply @is_derive_const |].
    apply (is_derive_comp erf (standard n t)); [apply is_derive_erf | apply standard_slope; assumption]. }
  unfold log_normal_density. rewrite exponent_of_standard by exact T.
  unfold scal, plus, zero; simpl; unfold mult, plus, zero; simpl. replace (standard n t x * (standard n t x * 1)) with (standard n t x ^ 2) by ring.
  field. repeat split; lra.
Qed.

Section Along.
Variables (C : arc) (w n t : R).
Hypothesis known : spread_log_normally C w n t.

(** What is [k] along the arc, and what is the uncertain cost itself. *)
Lemma spans_all : spans C.
Proof. destruct known as (_ & F & U & _). unfold spans. rewrite F, U. split; [lra | exact I]. Qed.

Lemma integrates_share charge A d : (forall x, 0 < x -> charge (cost0 C x) (cost1 C x) * likelihood C x = log_normal_density A d t x) ->
  integrates_along C charge (share_up_to A d t).
Proof.
  intro H. destruct known as (T & F & U & _). split; [| split; [| split; [| split]]].
  - intros x (X & _). split.
    + rewrite H by exact X. apply slope_of_share; assumption.
    + apply (continuous_ext_loc _ (log_normal_density A d t)); [| apply log_normal_density_continuous; assumption].
      apply filter_imp with (2 := near_positive x X). intros y Y. symmetry. apply H, Y.
  - rewrite F. apply (filterlim_ext_loc (fun x => A / 2 * (1 + erf (standard d t x)))).
    { exists (mkposreal 1 Rlt_0_1). intros x _ X. symmetry. apply share_of_positive, X. }
    refine (eq_ind (A / 2 * (1 + -1)) (fun v => filterlim (fun x => A / 2 * (1 + erf (standard d t x))) _ (locally v)) _ _ _); [| simpl; field].
    apply (limit_of_smooth (fun x => erf (standard d t x)) (fun y => A / 2 * (1 + y))); [apply erf_of_standard_at_0, T | auto_derive; exact I].
  - rewrite U. apply (filterlim_ext_loc (fun x => A / 2 * (1 + erf (standard d t x)))).
    { exists 0. intros x X. symmetry. apply share_of_positive, X. }
    refine (eq_ind (A / 2 * (1 + 1)) (fun v => filterlim (fun x => A / 2 * (1 + erf (standard d t x))) _ (locally v)) _ _ _); [| simpl; field].
    apply (limit_of_smooth (fun x => erf (standard d t x)) (fun y => A / 2 * (1 + y))); [apply erf_of_standard_at_infinity, T | auto_derive; exact I].
  - rewrite F. simpl. destruct (Rle_dec 0 0); [reflexivity | lra].
  - rewrite U. exact I.
Qed.

Lemma integrates_known charge k : (forall x, 0 < x -> charge (cost0 C x) (cost1 C x) = k) ->
  integrates_along C charge (share_up_to (w * k) n t).
Proof.
  intro H. destruct known as (T & _ & _ & L). pose proof root_of_2. pose proof root_of_pi.
  apply integrates_share. intros x X. rewrite H, L by exact X. unfold log_normal_density. field. repeat split; lra.
Qed.
Lemma integrates_uncertain charge : (forall x, 0 < x -> charge (cost0 C x) (cost1 C x) = x) ->
  integrates_along C charge (share_up_to (w * exp (n + t ^ 2 / 2)) (n + t ^ 2) t).
Proof.
  intro H. destruct known as (T & _ & _ & L). pose proof root_of_2. pose proof root_of_pi.
  apply integrates_share. intros x X. rewrite H, L by exact X. unfold log_normal_density.
  set (m := n + t ^ 2 / 2).
  replace (- (ln x - (n + t ^ 2)) ^ 2 / (2 * t ^ 2)) with (- (ln x - n) ^ 2 / (2 * t ^ 2) + (ln x + - m)) by (unfold m; field; lra).
  rewrite exp_plus, (exp_plus (ln x)), exp_Ropp, exp_ln by exact X. pose proof (exp_pos m). field. repeat split; lra.
Qed.

Variables (k p : R).
Hypothesis positive : 0 < k.
Hypothesis Unit : 0 < p < 1.
Lemma positive_odds : 0 < p / (1 - p).
Proof. apply Rdiv_lt_0_compat; lra. Qed.

(** The report at which the decision changes, and what is paid, where the cost of class 0 is the uncertain one. *)
Section Uncertain0.
Hypothesis costs : forall x, cost0 C x = x /\ cost1 C x = k.
Hypothesis weighed : 0 <= w.

Lemma lawful_uncertain0 : lawful_arc C.
Proof.
  split; [apply spans_all |]. intros x (X & _). destruct (costs x) as [-> ->], known as (T & _ & _ & L). rewrite L by exact X. unfold log_normal_density.
  pose proof root_of_2. pose proof root_of_pi. see.
Qed.
Lemma positive_turn0 : 0 < k * (p / (1 - p)).
Proof. exact (Rmult_lt_0_compat _ _ positive positive_odds). Qed.
Lemma turns_uncertain0 : turns C p (Rising (k * (p / (1 - p)))).
Proof.
  destruct known as (_ & F & U & _). pose proof positive_turn0. apply (rising_at _ _ _ (fun _ => 1 - p)); [lra | rewrite F, U; repeat split; lra |].
  intros x _. destruct (costs x) as [-> ->]. split; [field; lra | lra].
Qed.
Theorem uncertain0_cost0 : over_arc C (pay0 p)
  (w * exp (n + t ^ 2 / 2) / 2 * (1 + erf (standard (n + t ^ 2) t (k * (p / (1 - p)))))).
Proof.
  refine (arc_value _ _ _ _ (arc_cost0 C p _ _ Unit lawful_uncertain0 spans_all turns_uncertain0 (integrates_uncertain _ _)) _).
  - intros x _. apply costs.
  - unfold paid0, before_turn. rewrite share_of_positive by exact positive_turn0. simpl. ring.
Qed.
Theorem uncertain0_cost1 : over_arc C (pay1 p) (w * k / 2 * (1 - erf (standard n t (k * (p / (1 - p)))))).
Proof.
  refine (arc_value _ _ _ _ (arc_cost1 C p _ _ Unit lawful_uncertain0 spans_all turns_uncertain0 (integrates_known _ k _)) _).
  - intros x _. apply costs.
  - unfold paid1, after_turn. rewrite share_of_positive by exact positive_turn0. simpl. field.
Qed.
End Uncertain0.

Section Uncertain1.
Hypothesis costs : forall x, cost0 C x = k /\ cost1 C x = x.
Hypothesis weighed : 0 <= w.

Lemma lawful_uncertain1 : lawful_arc C.
Proof.
  split; [apply spans_all |]. intros x (X & _). destruct (costs x) as [-> ->], known as (T & _ & _ & L). rewrite L by exact X. unfold log_normal_density.
  pose proof root_of_2. pose proof root_of_pi. see.
Qed.
Lemma positive_turn1 : 0 < k / (p / (1 - p)).
Proof. exact (Rdiv_lt_0_compat _ _ positive positive_odds). Qed.
Lemma turns_uncertain1 : turns C p (Falling (k / (p / (1 - p)))).
Proof.
  destruct known as (_ & F & U & _). pose proof positive_turn1. apply (falling_at _ _ _ (fun _ => p)); [lra | rewrite F, U; repeat split; lra |].
  intros x _. destruct (costs x) as [-> ->]. split; [field; lra | lra].
Qed.
Theorem uncertain1_cost0 : over_arc C (pay0 p) (w * k / 2 * (1 - erf (standard n t (k / (p / (1 - p)))))).
Proof.
  refine (arc_value _ _ _ _ (arc_cost0 C p _ _ Unit lawful_uncertain1 spans_all turns_uncertain1 (integrates_known _ k _)) _).
  - intros x _. apply costs.
  - unfold paid0, after_turn. rewrite share_of_positive by exact positive_turn1. simpl. field.
Qed.
Theorem uncertain1_cost1 : over_arc C (pay1 p)
  (w * exp (n + t ^ 2 / 2) / 2 * (1 + erf (standard (n + t ^ 2) t (k / (p / (1 - p)))))).
Proof.
  refine (arc_value _ _ _ _ (arc_cost1 C p _ _ Unit lawful_uncertain1 spans_all turns_uncertain1 (integrates_uncertain _ _)) _).
  - intros x _. apply costs.
  - unfold paid1, before_turn. rewrite share_of_positive by exact positive_turn1. simpl. ring.
Qed.
End Uncertain1.

(** The means, and the total. *)
Theorem mean_of_known charge : (forall x, 0 < x -> charge (cost0 C x) (cost1 C x) = k) -> over_arc C charge (w * k).
Proof.
  intro H. refine (arc_value _ _ _ _ (arc_of C charge _ spans_all (integrates_known charge k H)) _). unfold all_along. simpl. ring.
Qed.
Theorem mean_of_uncertain charge : (forall x, 0 < x -> charge (cost0 C x) (cost1 C x) = x) ->
  over_arc C charge (w * exp (n + t ^ 2 / 2)).
Proof.
  intro H. refine (arc_value _ _ _ _ (arc_of C charge _ spans_all (integrates_uncertain charge H)) _). unfold all_along. simpl. ring.
Qed.
End Along.

(** Equality of closed forms with values of [erf], of logarithms of products, and exponentials of opposite numbers. *)
Ltac closed_forms_of_products_by hint :=
  medians; square_roots; hint; split_logarithms; split_roots; joined_errors; joined_exponentials; opposite_exponentials;
  first [solve [field; see] | equal_by_roots].
