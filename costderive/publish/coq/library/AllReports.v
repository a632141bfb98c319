(** Laws of costs on curves and points: the reports 0 and 1, at which a mean cost may be infinite, and strictness.

    Losses may have the value +oo. A belief that is certain pays nothing for the class that it excludes: 0 times +oo
    is 0, as in Coquelicot's extended real numbers. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** The improper integral over (0, 1) with a value that may be infinite: the integrals from x to y tend to it. *)
Definition integral_on_unit_to (f : R -> R) (value : Rbar) : Prop :=
  filterlimi (fun ends => is_RInt f (fst ends) (snd ends)) (filter_prod (at_right 0) (at_left 1)) (Rbar_locally value).

(** The expectation of a function of both costs, finite or not. *)
Definition expected_to (curves : list curve) (points : list point) (pay : R -> R -> R) (value : Rbar) : Prop :=
  exists spread : Rbar,
    integral_on_unit_to (on_curves pay curves) spread /\ value = Rbar_plus spread (on_points pay points).

(** Losses with values at 0 and 1, and the risk of a report, all of which may be infinite. *)
Definition with_values (L : R -> R) (at_0 at_1 : Rbar) (p : R) : Rbar :=
  if Rle_dec p 0 then at_0 else if Rle_dec 1 p then at_1 else Finite (L p).
Definition risk_to (L0 L1 : R -> Rbar) (p q : R) : Rbar :=
  Rbar_plus (Rbar_mult (1 - q) (L0 p)) (Rbar_mult q (L1 p)).
Definition ProperOnAll (L0 L1 : R -> Rbar) : Prop :=
  forall p q, with_ends p -> with_ends q -> Rbar_le (risk_to L0 L1 q q) (risk_to L0 L1 p q).
Definition StrictlyProperOnAll (L0 L1 : R -> Rbar) : Prop :=
  forall p q, with_ends p -> with_ends q -> p <> q -> Rbar_lt (risk_to L0 L1 q q) (risk_to L0 L1 p q).

(** * Integrals over parts of (0, 1) *)

Lemma integral_between f v x y : 0 < x -> x <= y -> y < 1 -> integral_on_unit f v -> ex_RInt f x y.
Proof.
  intros X XY Y I. destruct (I (fun _ => True) (filter_true)) as [A B HA HB HI].
  destruct (filter_ex _ (filter_and _ _ (right_of 0 x X) HA)) as (a & A1 & A2).
  destruct (filter_ex _ (filter_and _ _ (left_of y 1 Y) HB)) as (b & B1 & B2).
  destruct (HI a b A2 B2) as (z & Z & _). simpl in Z.
  apply (ex_RInt_Chasles_1 (V := R_CompleteNormedModule) f x y b); [lra |].
  apply (ex_RInt_Chasles_2 (V := R_CompleteNormedModule) f a x b); [lra | exists z; exact Z].
Qed.

(** Of what is not negative, a part is at most the whole. *)
Lemma part_is_less f x y a b u v : a <= x -> x <= y -> y <= b -> (forall s, a < s < b -> 0 <= f s) ->
  is_RInt f x y u -> is_RInt f a b v -> u <= v.
Proof.
  intros A XY B Positive U V.
  assert (E : ex_RInt f a b) by (exists v; exact V).
  assert (Eax : ex_RInt f a y) by (apply (ex_RInt_Chasles_1 (V := R_CompleteNormedModule) f a y b); [lra | exact E]).
  destruct (ex_RInt_Chasles_1 (V := R_CompleteNormedModule) f a x y ltac:(lra) Eax) as [r Hr].
  destruct (ex_RInt_Chasles_2 (V := R_CompleteNormedModule) f a y b ltac:(lra) E) as [t Ht].
  assert (0 <= r) by (apply (is_RInt_ge_0 f a x); [lra | exact Hr | intros s S; apply Positive; lra]).
  assert (0 <= t) by (apply (is_RInt_ge_0 f y b); [lra | exact Ht | intros s S; apply Positive; lra]).
  pose proof (is_RInt_Chasles (V := R_NormedModule) f a x b r _ Hr
    (is_RInt_Chasles (V := R_NormedModule) f x y b u t U Ht)) as W.
  assert (v = r + (u + t)).
  { rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ V). exact (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ W). }
  lra.
Qed.
Lemma part_of_unit_is_less f x y u v : 0 < x -> x <= y -> y < 1 -> (forall s, 0 < s < 1 -> 0 <= f s) ->
  is_RInt f x y u -> integral_on_unit f v -> u <= v.
Proof.
  intros X XY Y Positive U I. destruct (Rle_lt_dec u v) as [| N]; [assumption | exfalso].
  assert (M : 0 < u - v) by lra.
  destruct (I (ball v (mkposreal _ M)) (locally_ball v _)) as [A B HA HB HI].
  destruct (filter_ex _ (filter_and _ _ (right_of 0 x X) HA)) as (a & A1 & A2).
  destruct (filter_ex _ (filter_and _ _ (left_of y 1 Y) HB)) as (b & B1 & B2).
  destruct (HI a b A2 B2) as (z & Z & Near). apply ball_between in Near. simpl in Z, Near.
  assert (u <= z); [| lra]. apply (part_is_less f x y a b); try assumption; try lra. intros s S. apply Positive. lra.
Qed.
(** And parts of it come as near to the whole as one likes. *)
Lemma part_comes_near f v r : r < v -> integral_on_unit f v ->
  exists x y u, 0 < x /\ x <= y /\ y < 1 /\ is_RInt f x y u /\ r < u.
Proof.
  intros RV I. assert (M : 0 < v - r) by lra.
  destruct (I (ball v (mkposreal _ M)) (locally_ball v _)) as [A B HA HB HI].
  destruct (filter_ex _ (filter_and _ _ near_0 HA)) as (a & A1 & A2).
  destruct (filter_ex _ (filter_and _ _ near_1 HB)) as (b & B1 & B2).
  destruct (HI a b A2 B2) as (z & Z & Near). apply ball_between in Near. simpl in Z, Near.
  exists a, b, z. repeat split; try lra. exact Z.
Qed.

(** * What is paid at the reports 0 and 1 *)

Lemma paid_at_an_end curves points : lawful curves points ->
  (forall s, 0 < s < 1 -> on_curves (pay0 0) curves s = 0 /\ on_curves (pay1 1) curves s = 0
    /\ on_curves (pay0 1) curves s = on_curves (fun c0 _ => c0) curves s
    /\ on_curves (pay1 0) curves s = on_curves (fun _ c1 => c1) curves s)
  /\ on_points (pay0 0) points = 0 /\ on_points (pay1 1) points = 0
  /\ on_points (pay0 1) points = on_points (fun c0 _ => c0) points
  /\ on_points (pay1 0) points = on_points (fun _ c1 => c1) points.
Proof.
  assert (Pays : forall c0 c1, 0 < c0 -> 0 < c1 ->
    pay0 0 c0 c1 = 0 /\ pay1 1 c0 c1 = 0 /\ pay0 1 c0 c1 = c0 /\ pay1 0 c0 c1 = c1).
  { intros c0 c1 A B.
    assert (T : 0 < c0 / (c0 + c1) < 1).
    { split; [apply Rdiv_lt_0_compat; lra |]. apply (Rmult_lt_reg_r (c0 + c1)); [lra |].
      replace (c0 / (c0 + c1) * (c0 + c1)) with c0 by (field; lra). lra. }
    unfold pay0, pay1. repeat split; destruct (Rlt_dec _ _); lra. }
  intros [Curves Points]. split; [intros s S | clear Curves].
  - induction Curves as [| C others L _ (I & J & K & M)]; simpl; [repeat split; reflexivity |].
    rewrite I, J, K, M. unfold on_curve.
    destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; try (repeat split; ring).
    destruct (L s) as (A & B & _); try assumption. destruct (Pays _ _ A B) as (-> & -> & -> & ->).
    repeat split; ring.
  - induction Points as [| P others (A & B & _) _ (I & J & K & M)]; simpl; [repeat split; reflexivity |].
    rewrite I, J, K, M. destruct (Pays _ _ A B) as (-> & -> & -> & ->). repeat split; ring.
Qed.

Lemma paid_is_not_negative curves pay s : List.Forall lawful_curve curves -> 0 < s < 1 ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> 0 <= pay c0 c1) -> 0 <= on_curves pay curves s.
Proof.
  intros L S H. induction L as [| C others LC _ I]; simpl; [lra |].
  apply Rplus_le_le_0_compat; [| exact I]. unfold on_curve.
  destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; try lra. destruct (LC s) as (A & B & D); try assumption.
  apply Rmult_le_pos; [apply H; assumption | exact D].
Qed.

(** Near 1 all points are charged as at 1, and near 0 as at 0. *)
Lemma points_near_1 points : List.Forall lawful_point points ->
  at_left 1 (fun p => on_points (pay0 p) points = on_points (pay0 1) points).
Proof.
  induction 1 as [| P others (A & B & _) _ I]; [apply filter_forall; reflexivity |].
  set (t := known0 P / (known0 P + known1 P)).
  assert (T : t < 1).
  { apply (Rmult_lt_reg_r (known0 P + known1 P)); [lra |]. unfold t.
    replace (known0 P / (known0 P + known1 P) * (known0 P + known1 P)) with (known0 P) by (field; lra). lra. }
  apply filter_imp with (2 := filter_and _ _ I (left_of t 1 T)). intros p [E H]. simpl. rewrite E.
  f_equal. f_equal. unfold pay0. fold t. destruct (Rlt_dec t p), (Rlt_dec t 1); lra.
Qed.
Lemma points_near_0 points : List.Forall lawful_point points ->
  at_right 0 (fun p => on_points (pay1 p) points = on_points (pay1 0) points).
Proof.
  induction 1 as [| P others (A & B & _) _ I]; [apply filter_forall; reflexivity |].
  set (t := known0 P / (known0 P + known1 P)).
  assert (T : 0 < t) by (apply Rdiv_lt_0_compat; lra).
  apply filter_imp with (2 := filter_and _ _ I (right_of 0 t T)). intros p [E H]. simpl. rewrite E.
  f_equal. f_equal. unfold pay1. fold t. destruct (Rlt_dec t p), (Rlt_dec t 0); lra.
Qed.

(** * Losses that grow towards an end have a limit there *)

Lemma increasing_has_limit (f : R -> R) : (forall x y, 0 < x -> x <= y -> y < 1 -> f x <= f y) ->
  exists v : Rbar, filterlim f (at_left 1) (Rbar_locally v).
Proof.
  intros H. set (E := fun r => exists x, 0 < x < 1 /\ f x = r).
  pose proof (Lub_Rbar_correct E) as [Upper Least]. set (v := Lub_Rbar E) in *.
  assert (Above : forall r : R, Rbar_lt r v -> exists x, 0 < x < 1 /\ r < f x).
  { intros r R'. apply Classical_Prop.NNPP. intro N. apply (Rbar_lt_not_le _ _ R'). apply Least.
    intros z (x & X & <-). simpl. apply Rnot_lt_le. intro K. apply N. exists x. split; [exact X | exact K]. }
  exists v. intros P HP.
  destruct v as [v | |]; simpl in HP.
  - destruct HP as [e He]. destruct (Above (v - e)) as (x & X & K); [simpl; pose proof (cond_pos e); lra |].
    apply filter_imp with (2 := left_of x 1 ltac:(lra)). intros y Y. apply He, ball_between.
    pose proof (H x y ltac:(lra) ltac:(lra) ltac:(lra)). pose proof (cond_pos e).
    assert (Rbar_le (f y) v) by (apply Upper; exists y; split; [lra | reflexivity]). simpl in *. lra.
  - destruct HP as [M HM]. destruct (Above M I) as (x & X & K).
    apply filter_imp with (2 := left_of x 1 ltac:(lra)). intros y Y. apply HM.
    pose proof (H x y ltac:(lra) ltac:(lra) ltac:(lra)). lra.
  - exfalso. apply (Upper (f (1 / 2))). exists (1 / 2). split; [lra | reflexivity].
Qed.
Lemma decreasing_has_limit (f : R -> R) : (forall x y, 0 < x -> x <= y -> y < 1 -> f y <= f x) ->
  exists v : Rbar, filterlim f (at_right 0) (Rbar_locally v).
Proof.
  intros H. destruct (increasing_has_limit (fun x => f (1 - x))) as [v V]; [intros; apply H; lra |].
  exists v. intros P HP. destruct (V P HP) as [e He]. exists e. intros y Y Y0. apply ball_between in Y.
  replace y with (1 - (1 - y)) by ring. apply He; [apply ball_between |]; lra.
Qed.

(** * The expectation as a limit of those of decisions that are made more and more often *)

Section Limit.
Variables (G : (R -> Prop) -> Prop) (h : R -> R -> R) (g l : R -> R) (v : Rbar).
Context {PG : ProperFilter G}.
Hypothesis inside : G (fun p => 0 < p < 1).
Hypothesis integrals : forall p, 0 < p < 1 -> integral_on_unit (h p) (l p).
Hypothesis bounds : forall p s, 0 < p < 1 -> 0 < s < 1 -> 0 <= h p s <= g s.
Hypothesis same : forall x y, 0 < x -> x <= y -> y < 1 -> G (fun p => forall s, x < s < y -> h p s = g s).
Hypothesis limit : filterlim l G (Rbar_locally v).

Lemma integral_of_limit_exists x y : 0 < x -> x <= y -> y < 1 -> ex_RInt g x y.
Proof.
  intros X XY Y. destruct (filter_ex _ (filter_and _ _ inside (same x y X XY Y))) as (p & P & E).
  destruct (integral_between (h p) (l p) x y X XY Y (integrals p P)) as [z Z]. exists z.
  apply is_RInt_ext with (2 := Z). rewrite Rmin_left, Rmax_right by lra. exact E.
Qed.
Lemma part_is_below_limit x y z : 0 < x -> x <= y -> y < 1 -> is_RInt g x y z -> Rbar_le z v.
Proof.
  intros X XY Y Z. apply (filterlim_le (F := G) (fun _ => z) l z v); [| apply filterlim_const | exact limit].
  apply filter_imp with (2 := filter_and _ _ inside (same x y X XY Y)). intros p [P E].
  apply (part_of_unit_is_less (h p) x y); try assumption; [intros s S; apply bounds; assumption | | apply integrals, P].
  apply is_RInt_ext with (2 := Z). rewrite Rmin_left, Rmax_right by lra. intros s S. symmetry. apply E, S.
Qed.
Lemma parts_come_near_limit (r : R) : Rbar_lt r v -> exists x y, 0 < x /\ x <= y /\ y < 1 /\
  forall a b z, 0 < a -> a < x -> y < b -> b < 1 -> is_RInt g a b z -> r < z.
Proof.
  intros RV. assert (Beyond : G (fun p => r < l p)) by exact (limit _ (open_Rbar_gt' v r RV)).
  destruct (filter_ex _ (filter_and _ _ inside Beyond)) as (p & P & K).
  destruct (part_comes_near (h p) (l p) r K (integrals p P)) as (x & y & u & X & XY & Y & U & RU).
  exists x, y. repeat split; try assumption. intros a b z A AX YB B Z. apply Rlt_le_trans with (1 := RU).
  destruct (integral_of_limit_exists x y X XY Y) as [w W].
  apply Rle_trans with w.
  - apply (is_RInt_le (h p) g x y); try assumption. intros s S. apply bounds; [exact P | lra].
  - apply (part_is_less g x y a b); try assumption; try lra. intros s S.
    assert (S' : 0 < s < 1) by lra. destruct (bounds p s P S'). lra.
Qed.

Lemma integral_is_limit : integral_on_unit_to g v.
Proof.
  intros Q HQ. unfold filtermapi.
  assert (Near : forall x y (T : R -> Prop), 0 < x -> x <= y -> y < 1 ->
    (forall a b z, 0 < a -> a < x -> y < b -> b < 1 -> is_RInt g a b z -> T z) ->
    filter_prod (at_right 0) (at_left 1) (fun ends => exists z, is_RInt g (fst ends) (snd ends) z /\ T z)).
  { intros x y T X XY Y H. exists (fun a => 0 < a < x) (fun b => y < b < 1).
    - apply right_of, X.
    - apply left_of, Y.
    - intros a b A B. simpl. destruct (integral_of_limit_exists a b) as [z Z]; try lra.
      exists z. split; [exact Z |]. apply (H a b); try lra. exact Z. }
  pose proof part_is_below_limit as Below. pose proof parts_come_near_limit as Coming.
  revert HQ Below Coming. generalize v. intros [w | |] HQ Below Coming; simpl in HQ.
  - destruct HQ as [e He]. destruct (Coming (w - e)) as (x & y & X & XY & Y & H).
    { simpl. pose proof (cond_pos e). lra. }
    apply (Near x y); try assumption. intros a b z A AX YB B Z. apply He, ball_between.
    pose proof (H a b z A AX YB B Z). assert (U : Rbar_le z w) by (apply (Below a b); try lra; exact Z).
    simpl in U. pose proof (cond_pos e). lra.
  - destruct HQ as [M HM]. destruct (Coming M I) as (x & y & X & XY & Y & H).
    apply (Near x y); try assumption. intros a b z A AX YB B Z. apply HM, (H a b); assumption.
  - exfalso. destruct (integral_of_limit_exists (1 / 2) (1 / 2)) as [z Z]; try lra.
    apply (Below (1 / 2) (1 / 2) z); try lra. exact Z.
Qed.
End Limit.

(** * All reports *)

Section AllReports.
Variables (curves : list curve) (points : list point) (L0 L1 : R -> R).
Hypothesis lawful_costs : lawful curves points.
Hypothesis thresholds : List.Forall at_thresholds curves.
Hypothesis cost0 : forall p, 0 < p < 1 -> expected curves points (pay0 p) (L0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> expected curves points (pay1 p) (L1 p).

Lemma expected_le pay pay' u v : (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) ->
  expected curves points pay u -> expected curves points pay' v -> u <= v.
Proof.
  intros H (a & A & ->) (b & B & ->). destruct lawful_costs as [Curves Points]. apply Rplus_le_compat.
  - refine (integral_on_unit_le _ _ _ _ _ A B). intros s S. clear A B thresholds cost0 cost1 lawful_costs.
    induction Curves as [| C others LC _ I]; simpl; [lra |].
    apply Rplus_le_compat; [| exact I]. unfold on_curve.
    destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; try lra. destruct (LC s) as (P & Q & D); try assumption.
    apply Rmult_le_compat_r; [exact D | apply H; assumption].
  - clear thresholds cost0 cost1 lawful_costs. induction Points as [| P others (Q & T & D) _ I]; simpl; [lra |].
    apply Rplus_le_compat; [| exact I]. apply Rmult_le_compat_r; [exact D | apply H; assumption].
Qed.

Lemma nothing_is_expected pay : (forall s, 0 < s < 1 -> on_curves pay curves s = 0) -> on_points pay points = 0 ->
  expected curves points pay 0.
Proof.
  intros H P. exists 0. rewrite P. split; [| ring].
  apply integral_on_unit_ext with (fun _ => 0); [intros s S; symmetry; apply H, S |].
  assert (N : integral_on_unit (fun _ => 0) (0 - 0)); [| rewrite Rminus_0_r in N; exact N].
  apply (integral_by_increments _ (fun _ => 0)); [| apply filterlim_const | apply filterlim_const].
  intros. rewrite Rminus_0_r. apply integral_of_nothing.
Qed.
Lemma nothing_at_0 : expected curves points (pay0 0) 0.
Proof. destruct (paid_at_an_end _ _ lawful_costs) as (C & P & _). apply nothing_is_expected; [apply C | exact P]. Qed.
Lemma nothing_at_1 : expected curves points (pay1 1) 0.
Proof. destruct (paid_at_an_end _ _ lawful_costs) as (C & _ & P & _). apply nothing_is_expected; [apply C | exact P]. Qed.

Lemma loss0_increases x y : 0 < x -> x <= y -> y < 1 -> L0 x <= L0 y.
Proof.
  intros X XY Y. apply (expected_le (pay0 x) (pay0 y)); [| apply cost0; lra | apply cost0; lra].
  intros c0 c1 A B. unfold pay0. destruct (Rlt_dec _ x), (Rlt_dec _ y); lra.
Qed.
Lemma loss1_decreases x y : 0 < x -> x <= y -> y < 1 -> L1 y <= L1 x.
Proof.
  intros X XY Y. apply (expected_le (pay1 y) (pay1 x)); [| apply cost1; lra | apply cost1; lra].
  intros c0 c1 A B. unfold pay1. destruct (Rlt_dec _ x), (Rlt_dec _ y); lra.
Qed.
Lemma losses_are_not_negative p : 0 < p < 1 -> 0 <= L0 p /\ 0 <= L1 p.
Proof.
  intros P. split.
  - apply (expected_le (pay0 0) (pay0 p)); [| exact nothing_at_0 | apply cost0, P].
    intros c0 c1 A B. unfold pay0. destruct (Rlt_dec _ 0), (Rlt_dec _ p); lra.
  - apply (expected_le (pay1 1) (pay1 p)); [| exact nothing_at_1 | apply cost1, P].
    intros c0 c1 A B. unfold pay1. destruct (Rlt_dec _ 1), (Rlt_dec _ p); lra.
Qed.

(** The means exist, as numbers or as +oo. *)
Lemma loss0_has_limit : exists mean : Rbar, filterlim L0 (at_left 1) (Rbar_locally mean).
Proof. apply increasing_has_limit, loss0_increases. Qed.
Lemma loss1_has_limit : exists mean : Rbar, filterlim L1 (at_right 0) (Rbar_locally mean).
Proof. apply decreasing_has_limit. exact loss1_decreases. Qed.

Variables mean0 mean1 : Rbar.
Hypothesis loss0_tends : filterlim L0 (at_left 1) (Rbar_locally mean0).
Hypothesis loss1_tends : filterlim L1 (at_right 0) (Rbar_locally mean1).

Lemma shifted {G : (R -> Prop) -> Prop} {FG : Filter G} f (c : R) (v : Rbar) : filterlim f G (Rbar_locally v) ->
  filterlim (fun p => f p + c) G (Rbar_locally (Rbar_plus v c)).
Proof.
  intros F. eapply filterlim_comp_2; [exact F | apply filterlim_const | apply (filterlim_Rbar_plus v c)].
  destruct v; reflexivity.
Qed.
Lemma shifted_back (v : Rbar) (c : R) : v = Rbar_plus (Rbar_plus v (- c)) c.
Proof. destruct v; simpl; [f_equal; ring | reflexivity | reflexivity]. Qed.

Lemma mean0_is_expected : expected_to curves points (pay0 1) mean0.
Proof.
  set (k := on_points (pay0 1) points). exists (Rbar_plus mean0 (- k)). split; [| apply shifted_back].
  apply (@integral_is_limit (at_left 1) (fun p => on_curves (pay0 p) curves) _ (fun p => L0 p - on_points (pay0 p) points) _ (at_left_proper_filter 1)).
  - apply left_of; lra.
  - intros p P. destruct (cost0 p P) as (a & A & ->). replace (a + _ - _) with a by ring. exact A.
  - intros p s P S. split.
    + apply paid_is_not_negative; [apply lawful_costs | exact S |]. intros c0 c1 A B. unfold pay0. destruct (Rlt_dec _ _); lra.
    + rewrite (proj1 (paid_on_curves p curves s thresholds S)), (proj1 (paid_on_curves 1 curves s thresholds S)).
      destruct (Rlt_dec s p), (Rlt_dec s 1); try lra. unfold factor. apply Rmult_le_pos; [lra |].
      apply paid_is_not_negative; [apply lawful_costs | exact S | intros; lra].
  - intros x y X XY Y. apply filter_imp with (2 := left_of y 1 Y). intros p P s S. assert (S' : 0 < s < 1) by lra.
    rewrite (proj1 (paid_on_curves p curves s thresholds S')), (proj1 (paid_on_curves 1 curves s thresholds S')).
    destruct (Rlt_dec s p), (Rlt_dec s 1); try lra.
  - apply filterlim_ext_loc with (fun p => L0 p + - k); [| apply shifted, loss0_tends].
    apply filter_imp with (2 := points_near_1 points (proj2 lawful_costs)). intros p ->. reflexivity.
Qed.
Lemma mean1_is_expected : expected_to curves points (pay1 0) mean1.
Proof.
  set (k := on_points (pay1 0) points). exists (Rbar_plus mean1 (- k)). split; [| apply shifted_back].
  assert (Positive : forall s, 0 < s < 1 -> 0 <= on_curves Rplus curves s)
    by (intros s S; apply paid_is_not_negative; [apply lawful_costs | exact S | intros; lra]).
  apply (@integral_is_limit (at_right 0) (fun p => on_curves (pay1 p) curves) _ (fun p => L1 p - on_points (pay1 p) points) _ (at_right_proper_filter 0)).
  - apply right_of; lra.
  - intros p P. destruct (cost1 p P) as (a & A & ->). replace (a + _ - _) with a by ring. exact A.
  - intros p s P S. split.
    + apply paid_is_not_negative; [apply lawful_costs | exact S |]. intros c0 c1 A B. unfold pay1. destruct (Rlt_dec _ _); lra.
    + rewrite (proj2 (paid_on_curves p curves s thresholds S)), (proj2 (paid_on_curves 0 curves s thresholds S)).
      assert (0 <= (1 - s) * on_curves Rplus curves s) by (apply Rmult_le_pos; [lra | apply Positive, S]).
      unfold factor. destruct (Rlt_dec s p), (Rlt_dec s 0); lra.
  - intros x y X XY Y. apply filter_imp with (2 := right_of 0 x X). intros p P s S. assert (S' : 0 < s < 1) by lra.
    rewrite (proj2 (paid_on_curves p curves s thresholds S')), (proj2 (paid_on_curves 0 curves s thresholds S')).
    destruct (Rlt_dec s p), (Rlt_dec s 0); try lra.
  - apply filterlim_ext_loc with (fun p => L1 p + - k); [| apply shifted, loss1_tends].
    apply filter_imp with (2 := points_near_0 points (proj2 lawful_costs)). intros p ->. reflexivity.
Qed.

Lemma finite_expectation pay v : expected curves points pay v <-> expected_to curves points pay v.
Proof.
  split.
  - intros (a & A & ->). exists a. split; [exact A | reflexivity].
  - intros ([a | |] & A & E); simpl in E; try discriminate. injection E as ->. exists a. split; [exact A | reflexivity].
Qed.

(** A loss is below its mean. *)
Lemma loss0_below_mean p : 0 < p < 1 -> Rbar_le (L0 p) mean0.
Proof.
  intros P. apply (filterlim_le (F := at_left 1) (fun _ => L0 p) L0 (L0 p) mean0); [| apply filterlim_const | exact loss0_tends].
  apply filter_imp with (2 := left_of p 1 (proj2 P)). intros y Y. apply loss0_increases; lra.
Qed.
Lemma loss1_below_mean p : 0 < p < 1 -> Rbar_le (L1 p) mean1.
Proof.
  intros P. apply (filterlim_le (F := at_right 0) (fun _ => L1 p) L1 (L1 p) mean1); [| apply filterlim_const | exact loss1_tends].
  apply filter_imp with (2 := right_of 0 p (proj1 P)). intros y Y. apply loss1_decreases; lra.
Qed.

Theorem costs_of_all_reports :
  (forall p, with_ends p -> expected_to curves points (pay0 p) (with_values L0 0 mean0 p)) /\
  (forall p, with_ends p -> expected_to curves points (pay1 p) (with_values L1 mean1 0 p)).
Proof.
  unfold with_ends, with_values. split; intros p P; (destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)]).
  - replace p with 0 by lra. apply (finite_expectation _ 0), nothing_at_0.
  - replace p with 1 by lra. exact mean0_is_expected.
  - apply (finite_expectation _ (L0 p)), cost0. lra.
  - replace p with 0 by lra. exact mean1_is_expected.
  - replace p with 1 by lra. apply (finite_expectation _ 0), nothing_at_1.
  - apply (finite_expectation _ (L1 p)), cost1. lra.
Qed.

(** No report is better than a belief in (0, 1). *)
Lemma no_better_report_on_curves p q u0 u1 v0 v1 : 0 < q < 1 ->
  expected curves points (pay0 q) u0 -> expected curves points (pay1 q) u1 ->
  expected curves points (pay0 p) v0 -> expected curves points (pay1 p) v1 -> (1 - q) * u0 + q * u1 <= (1 - q) * v0 + q * v1.
Proof.
  intros Q U0 U1 V0 V1.
  assert (Mixed : forall r a b, expected curves points (pay0 r) a -> expected curves points (pay1 r) b ->
    expected curves points (mixed q r) ((1 - q) * a + q * b)).
  { intros r a b (x & X & ->) (y & Y & ->). exists ((1 - q) * x + q * y). rewrite on_points_mixed. split; [| ring].
    apply integral_on_unit_ext with (1 := fun s _ => eq_sym (on_curves_mixed q r curves s)).
    apply integral_on_unit_plus; apply integral_on_unit_scal; assumption. }
  apply (expected_le (mixed q q) (mixed q p)); [| apply Mixed; assumption | apply Mixed; assumption].
  intros c0 c1 A B. apply best_decision; assumption.
Qed.

Lemma values_inside L u v p : 0 < p < 1 -> with_values L u v p = L p.
Proof. intro P. unfold with_values. destruct (Rle_dec p 0), (Rle_dec 1 p); (reflexivity || lra). Qed.
Lemma values_at_0 L u v : with_values L u v 0 = u.
Proof. unfold with_values. destruct (Rle_dec 0 0); [reflexivity | lra]. Qed.
Lemma values_at_1 L u v : with_values L u v 1 = v.
Proof. unfold with_values. destruct (Rle_dec 1 0), (Rle_dec 1 1); (reflexivity || lra). Qed.

Notation M0 := (with_values L0 0 mean0).
Notation M1 := (with_values L1 mean1 0).

Lemma risk_inside p q : 0 < p < 1 -> risk_to M0 M1 p q = risk L0 L1 p q.
Proof. intro P. unfold risk_to. rewrite !values_inside by exact P. reflexivity. Qed.

(** What is times 0 is 0, also if it is infinite. *)
Lemma times_0 (v : Rbar) : Rbar_mult 0 v = 0.
Proof.
  destruct v as [v | |]; unfold Rbar_mult, Rbar_mult'; [f_equal; ring | |];
    (destruct (Rle_dec 0 0) as [H | N]; [| lra]); destruct (Rle_lt_or_eq_dec 0 0 H); (reflexivity || lra).
Qed.
Lemma times_1 (v : Rbar) : Rbar_mult 1 v = v.
Proof.
  destruct v as [v | |]; unfold Rbar_mult, Rbar_mult'; [f_equal; ring | |];
    (destruct (Rle_dec 0 1) as [H | N]; [| lra]); destruct (Rle_lt_or_eq_dec 0 1 H); (reflexivity || lra).
Qed.

(** What a report costs at least, if the belief is certain. *)
Lemma certain_of_0 p : risk_to M0 M1 p 0 = M0 p.
Proof.
  unfold risk_to. replace (1 - 0) with 1 by ring. rewrite times_0, times_1, Rbar_plus_0_r. reflexivity.
Qed.
Lemma certain_of_1 p : risk_to M0 M1 p 1 = M1 p.
Proof.
  unfold risk_to. replace (1 - 1) with 0 by ring. rewrite times_0, times_1, Rbar_plus_0_l. reflexivity.
Qed.

(** The risk of the reports 0 and 1 under a belief that is not certain. *)
Lemma risk_of_0 q : risk_to M0 M1 0 q = Rbar_mult q mean1.
Proof.
  unfold risk_to. rewrite !values_at_0. rewrite (Rbar_mult_comm (1 - q) 0), times_0, Rbar_plus_0_l. reflexivity.
Qed.
Lemma risk_of_1 q : risk_to M0 M1 1 q = Rbar_mult (1 - q) mean0.
Proof.
  unfold risk_to. rewrite !values_at_1. rewrite (Rbar_mult_comm q 0), times_0, Rbar_plus_0_r. reflexivity.
Qed.
Lemma positive_times_infinity (r : R) : 0 < r -> Rbar_mult r p_infty = p_infty.
Proof.
  intro P. unfold Rbar_mult, Rbar_mult'. destruct (Rle_dec 0 r) as [H | N]; [| lra].
  destruct (Rle_lt_or_eq_dec 0 r H); (reflexivity || lra).
Qed.

Lemma mean0_is_no_less : Rbar_le 0 mean0.
Proof.
  apply Rbar_le_trans with (L0 (1 / 2)); [| apply loss0_below_mean; lra].
  apply (losses_are_not_negative (1 / 2)). lra.
Qed.
Lemma mean1_is_no_less : Rbar_le 0 mean1.
Proof.
  apply Rbar_le_trans with (L1 (1 / 2)); [| apply loss1_below_mean; lra].
  apply (losses_are_not_negative (1 / 2)). lra.
Qed.

Lemma never_below_0 p : with_ends p -> Rbar_le 0 (M0 p) /\ Rbar_le 0 (M1 p).
Proof.
  intros P. unfold with_ends in P. unfold with_values. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
  - split; [apply Rbar_le_refl | exact mean1_is_no_less].
  - split; [exact mean0_is_no_less | apply Rbar_le_refl].
  - apply (losses_are_not_negative p). lra.
Qed.

(** A belief in (0, 1) is no worse than the reports 0 and 1. *)
Lemma report_0_is_no_better q : 0 < q < 1 -> Rbar_le (risk L0 L1 q q) (risk_to M0 M1 0 q).
Proof.
  intros Q. rewrite risk_of_0. pose proof mean1_is_expected as E. revert E. pose proof mean1_is_no_less as N. revert N.
  generalize mean1. intros [m | |] N E; [| rewrite positive_times_infinity by lra; exact I | destruct N].
  apply (finite_expectation _ m) in E. simpl.
  pose proof (no_better_report_on_curves 0 q _ _ _ _ Q (cost0 q Q) (cost1 q Q) nothing_at_0 E). unfold risk. lra.
Qed.
Lemma report_1_is_no_better q : 0 < q < 1 -> Rbar_le (risk L0 L1 q q) (risk_to M0 M1 1 q).
Proof.
  intros Q. rewrite risk_of_1. pose proof mean0_is_expected as E. revert E. pose proof mean0_is_no_less as N. revert N.
  generalize mean0. intros [m | |] N E; [| rewrite positive_times_infinity by lra; exact I | destruct N].
  apply (finite_expectation _ m) in E. simpl.
  pose proof (no_better_report_on_curves 1 q _ _ _ _ Q (cost0 q Q) (cost1 q Q) E nothing_at_1). unfold risk. lra.
Qed.

(** The expected costs are proper among all reports and beliefs from 0 to 1, whether the means are finite or not. *)
Theorem proper_on_all_reports : ProperOnAll M0 M1.
Proof.
  intros p q P Q. destruct (never_below_0 p P) as [Z0 Z1]. unfold with_ends in *.
  destruct (Req_dec q 0) as [-> | Q0]; [rewrite !certain_of_0, values_at_0; exact Z0 |].
  destruct (Req_dec q 1) as [-> | Q1]; [rewrite !certain_of_1, values_at_1; exact Z1 |].
  assert (U : 0 < q < 1) by lra. rewrite (risk_inside q q U).
  destruct (Req_dec p 0) as [-> | P0]; [apply report_0_is_no_better, U |].
  destruct (Req_dec p 1) as [-> | P1]; [apply report_1_is_no_better, U |].
  rewrite risk_inside by lra. apply (expected_costs_are_proper curves points L0 L1 lawful_costs cost0 cost1); lra.
Qed.

(** * Strictness *)

Hypothesis strict : StrictlyProper L0 L1.

Lemma loss0_strictly_increases x y : 0 < x -> x < y -> y < 1 -> L0 x < L0 y.
Proof.
  intros X XY Y. pose proof (strict x y ltac:(lra) ltac:(lra) ltac:(lra)) as A.
  pose proof (strict y x ltac:(lra) ltac:(lra) ltac:(lra)) as B. unfold risk in *.
  assert (0 < (L0 y - L0 x) * (y - x)); [| apply (Rmult_lt_reg_r (y - x)); lra].
  assert (y * ((1 - x) * L0 x + x * L1 x) < y * ((1 - x) * L0 y + x * L1 y)) by (apply Rmult_lt_compat_l; lra).
  assert (x * ((1 - y) * L0 y + y * L1 y) < x * ((1 - y) * L0 x + y * L1 x)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.
Lemma loss1_strictly_decreases x y : 0 < x -> x < y -> y < 1 -> L1 y < L1 x.
Proof.
  intros X XY Y. pose proof (strict x y ltac:(lra) ltac:(lra) ltac:(lra)) as A.
  pose proof (strict y x ltac:(lra) ltac:(lra) ltac:(lra)) as B. unfold risk in *.
  assert (0 < (L1 x - L1 y) * (y - x)); [| apply (Rmult_lt_reg_r (y - x)); lra].
  assert ((1 - y) * ((1 - x) * L0 x + x * L1 x) < (1 - y) * ((1 - x) * L0 y + x * L1 y)) by (apply Rmult_lt_compat_l; lra).
  assert ((1 - x) * ((1 - y) * L0 y + y * L1 y) < (1 - x) * ((1 - y) * L0 x + y * L1 x)) by (apply Rmult_lt_compat_l; lra). lra.
Qed.

(** Halfway to an end there is a report that is better than the end, and worse than the belief. *)
Lemma report_0_is_worse q : 0 < q < 1 -> Rbar_lt (risk L0 L1 q q) (risk_to M0 M1 0 q).
Proof.
  intros Q. set (m := q / 2). assert (U : 0 < m < 1) by (unfold m; lra). assert (MQ : m < q) by (unfold m; lra).
  clearbody m. pose proof (strict m q U Q ltac:(lra)) as S. apply Rbar_lt_le_trans with (risk L0 L1 m q); [exact S |].
  pose proof (report_0_is_no_better m U) as W. rewrite risk_of_0 in *. pose proof (loss1_below_mean m U) as N. revert N W.
  generalize mean1. intros [v | |] N W; [| rewrite positive_times_infinity by lra; exact I | destruct N].
  simpl in *. unfold risk in *. pose proof (losses_are_not_negative m U) as [Z0 Z1].
  assert (0 <= (q - m) * (v - L1 m)) by (apply Rmult_le_pos; lra).
  assert (0 <= (q - m) * L0 m) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma report_1_is_worse q : 0 < q < 1 -> Rbar_lt (risk L0 L1 q q) (risk_to M0 M1 1 q).
Proof.
  intros Q. set (m := (q + 1) / 2). assert (U : 0 < m < 1) by (unfold m; lra). assert (MQ : q < m) by (unfold m; lra).
  clearbody m. pose proof (strict m q U Q ltac:(lra)) as S. apply Rbar_lt_le_trans with (risk L0 L1 m q); [exact S |].
  pose proof (report_1_is_no_better m U) as W. rewrite risk_of_1 in *. pose proof (loss0_below_mean m U) as N. revert N W.
  generalize mean0. intros [v | |] N W; [| rewrite positive_times_infinity by lra; exact I | destruct N].
  simpl in *. unfold risk in *. pose proof (losses_are_not_negative m U) as [Z0 Z1].
  assert (0 <= (m - q) * (v - L0 m)) by (apply Rmult_le_pos; lra).
  assert (0 <= (m - q) * L1 m) by (apply Rmult_le_pos; lra). lra.
Qed.

(** Under a certain belief every other report costs something. *)
Lemma loss0_is_positive p : 0 < p <= 1 -> Rbar_lt 0 (M0 p).
Proof.
  intros P. assert (Inside : forall x, 0 < x < 1 -> Rbar_lt 0 (L0 x)).
  { intros x X. destruct (losses_are_not_negative (x / 2)) as [Z _]; [lra |].
    pose proof (loss0_strictly_increases (x / 2) x). simpl. lra. }
  destruct (Req_dec p 1) as [-> | N]; [| rewrite values_inside by lra; apply Inside; lra].
  rewrite values_at_1. apply Rbar_lt_le_trans with (L0 (1 / 2)); [apply Inside | apply loss0_below_mean]; lra.
Qed.
Lemma loss1_is_positive p : 0 <= p < 1 -> Rbar_lt 0 (M1 p).
Proof.
  intros P. assert (Inside : forall x, 0 < x < 1 -> Rbar_lt 0 (L1 x)).
  { intros x X. destruct (losses_are_not_negative ((x + 1) / 2)) as [_ Z]; [lra |].
    pose proof (loss1_strictly_decreases x ((x + 1) / 2)). simpl. lra. }
  destruct (Req_dec p 0) as [-> | N]; [| rewrite values_inside by lra; apply Inside; lra].
  rewrite values_at_0. apply Rbar_lt_le_trans with (L1 (1 / 2)); [apply Inside | apply loss1_below_mean]; lra.
Qed.

Theorem strictly_proper_on_all_reports : StrictlyProperOnAll M0 M1.
Proof.
  intros p q P Q N. unfold with_ends in *.
  destruct (Req_dec q 0) as [-> | Q0]; [rewrite !certain_of_0, values_at_0; apply loss0_is_positive; lra |].
  destruct (Req_dec q 1) as [-> | Q1]; [rewrite !certain_of_1, values_at_1; apply loss1_is_positive; lra |].
  assert (U : 0 < q < 1) by lra. rewrite (risk_inside q q U).
  destruct (Req_dec p 0) as [-> | P0]; [apply report_0_is_worse, U |].
  destruct (Req_dec p 1) as [-> | P1]; [apply report_1_is_worse, U |].
  rewrite risk_inside by lra. apply strict; lra.
Qed.
End AllReports.

(** * Strictness from the law alone

    What the curves cost at a threshold, times the density of the threshold. Where it is positive somewhere between
    any two thresholds, no other report is as good as the belief, whatever the losses are. *)
Definition supported (curves : list curve) (low high : R) : Prop :=
  forall a b, low <= a -> a < b -> b <= high ->
    exists c, a < c < b /\ continuous (on_curves Rplus curves) c /\ 0 < on_curves Rplus curves c.

Section Support.
Variables (curves : list curve) (points : list point) (E0 E1 : R -> R).
Hypothesis lawful_costs : lawful curves points.
Hypothesis thresholds : List.Forall at_thresholds curves.
Hypothesis cost0 : forall p, 0 < p < 1 -> expected curves points (pay0 p) (E0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> expected curves points (pay1 p) (E1 p).

(** What the report p costs more than the belief q at the threshold s. *)
Definition regret (p q s : R) : R := on_curves (mixed q p) curves s + -1 * on_curves (mixed q q) curves s.

Lemma regret_is_not_negative p q s : 0 < q < 1 -> 0 < s < 1 -> 0 <= regret p q s.
Proof. intros Q S. pose proof (mixed_on_curves p q curves s Q S (proj1 lawful_costs)). unfold regret. lra. Qed.

Lemma regret_between p q s : 0 < s < 1 -> p < s < q \/ q < s < p ->
  regret p q s = Rabs (q - s) * on_curves Rplus curves s.
Proof.
  intros S B. unfold regret. rewrite !on_curves_mixed.
  rewrite (proj1 (paid_on_curves p curves s thresholds S)), (proj2 (paid_on_curves p curves s thresholds S)),
    (proj1 (paid_on_curves q curves s thresholds S)), (proj2 (paid_on_curves q curves s thresholds S)).
  unfold factor. destruct B as [B | B].
  - rewrite Rabs_pos_eq by lra. destruct (Rlt_dec s p), (Rlt_dec s q); try lra.
  - rewrite Rabs_left by lra. destruct (Rlt_dec s p), (Rlt_dec s q); try lra.
Qed.

Lemma regret_is_integrable p q : 0 < p < 1 -> 0 < q < 1 ->
  exists v, integral_on_unit (regret p q) v /\ v <= risk E0 E1 p q - risk E0 E1 q q.
Proof.
  intros P Q.
  destruct (cost0 p P) as (u0 & U0 & F0), (cost1 p P) as (u1 & U1 & F1), (cost0 q Q) as (v0 & V0 & G0), (cost1 q Q) as (v1 & V1 & G1).
  assert (Mixed : forall r a b, integral_on_unit (on_curves (pay0 r) curves) a -> integral_on_unit (on_curves (pay1 r) curves) b ->
    integral_on_unit (on_curves (mixed q r) curves) ((1 - q) * a + q * b)).
  { intros r a b A B. apply integral_on_unit_ext with (1 := fun s _ => eq_sym (on_curves_mixed q r curves s)).
    apply integral_on_unit_plus; apply integral_on_unit_scal; assumption. }
  exists ((1 - q) * u0 + q * u1 + -1 * ((1 - q) * v0 + q * v1)). split.
  - apply integral_on_unit_plus; [| apply integral_on_unit_scal]; apply Mixed; assumption.
  - pose proof (mixed_on_points p q points Q (proj2 lawful_costs)) as H. rewrite !on_points_mixed in H.
    unfold risk. rewrite F0, F1, G0, G1. lra.
Qed.

Theorem strictly_proper_law low high : 0 <= low -> high <= 1 -> supported curves low high ->
  StrictlyProperOn low high E0 E1.
Proof.
  intros Low High H p q P Q N. assert (U : 0 < q < 1) by lra.
  assert (Middle : exists a b, low <= a /\ a < b /\ b <= high /\ 0 < a /\ b < 1 /\
    (b <= q /\ (forall s, a < s < b -> p < s < q) \/ q <= a /\ forall s, a < s < b -> q < s < p)).
  { destruct (Rtotal_order p q) as [L | [E | G]]; [| contradiction |].
    - exists ((Rmax p low + q) / 2), q. pose proof (Rmax_l p low). pose proof (Rmax_r p low).
      assert (Rmax p low < q) by (apply Rmax_lub_lt; lra). repeat split; try lra. left. split; [lra | intros s S; lra].
    - exists q, ((q + Rmin p high) / 2). pose proof (Rmin_l p high). pose proof (Rmin_r p high).
      assert (q < Rmin p high) by (apply Rmin_glb_lt; lra). repeat split; try lra. right. split; [lra | intros s S; lra]. }
  destruct Middle as (a & b & A & AB & B & A0 & B1 & Between). destruct (H a b A AB B) as (c & C & Continuous & Positive).
  set (w := on_curves Rplus curves) in *. assert (Half : 0 < w c / 2) by lra.
  destruct (proj1 (filterlim_locally _ _) Continuous (mkposreal _ Half)) as [e He].
  set (d := Rmin (e / 2) (Rmin ((c - a) / 2) ((b - c) / 2))). pose proof (cond_pos e) as E0'.
  assert (D : 0 < d /\ d <= e / 2 /\ d <= (c - a) / 2 /\ d <= (b - c) / 2).
  { unfold d. pose proof (Rmin_l (e / 2) (Rmin ((c - a) / 2) ((b - c) / 2))).
    pose proof (Rmin_r (e / 2) (Rmin ((c - a) / 2) ((b - c) / 2))).
    pose proof (Rmin_l ((c - a) / 2) ((b - c) / 2)). pose proof (Rmin_r ((c - a) / 2) ((b - c) / 2)).
    repeat split; try lra. repeat apply Rmin_pos; lra. }
  clearbody d. destruct (regret_is_integrable p q P U) as (v & V & Risk).
  destruct (integral_between (regret p q) v (c - d) (c + d) ltac:(lra) ltac:(lra) ltac:(lra) V) as [u Hu].
  pose proof (part_of_unit_is_less (regret p q) (c - d) (c + d) u v ltac:(lra) ltac:(lra) ltac:(lra)
    (fun s S => regret_is_not_negative p q s U S) Hu V) as Part.
  set (k := Rmin (c - a) (b - c) / 2 * (w c / 2)).
  assert (K : 0 < k) by (apply Rmult_lt_0_compat; [| exact Half]; assert (0 < Rmin (c - a) (b - c)) by (apply Rmin_pos; lra); lra).
  assert (Below : forall s, c - d < s < c + d -> k <= regret p q s).
  { intros s S. assert (AS : a < s < b) by lra.
    rewrite regret_between by (try lra; destruct Between as [[_ T] | [_ T]]; specialize (T s AS); lra). fold w. unfold k.
    assert (Near : w c / 2 < w s).
    { assert (X : ball (w c) (mkposreal _ Half) (w s)) by (apply He, ball_between; lra).
      apply ball_between in X. simpl in X. lra. }
    pose proof (Rmin_l (c - a) (b - c)). pose proof (Rmin_r (c - a) (b - c)).
    assert (0 < Rmin (c - a) (b - c)) by (apply Rmin_pos; lra).
    apply Rmult_le_compat; try lra.
    destruct Between as [[T _] | [T _]]; [rewrite Rabs_pos_eq by lra | rewrite Rabs_left by lra]; lra. }
  assert (Constant : is_RInt (fun _ => k) (c - d) (c + d) (scal ((c + d) - (c - d)) k)) by exact (is_RInt_const (V := R_NormedModule) _ _ k).
  pose proof (is_RInt_le _ _ (c - d) (c + d) _ _ ltac:(lra) Constant Hu Below) as Last.
  unfold scal in Last; simpl in Last; unfold mult in Last; simpl in Last.
  assert (0 < (c + d - (c - d)) * k) by (apply Rmult_lt_0_compat; lra). unfold risk in *. lra.
Qed.
End Support.

(** The support from the pieces of a threshold weight. *)
Lemma joined_support low high at_start P rest : steady at_start P rest -> weighs_all low high at_start P rest ->
  0 <= low -> high <= 1 -> forall a b, at_start <= a -> low <= a -> a < b -> b <= high ->
  exists c, a < c < b /\ continuous (joined weight P rest) c /\ 0 < joined weight P rest c.
Proof.
  intros S W Low High. revert at_start P S W. induction rest as [| [m Q] others Rest]; intros at_start P S W a b A LA AB B.
  - exists ((a + b) / 2). simpl in *. repeat split; try lra.
    + apply S; lra.
    + apply (proj2 W); lra.
  - destruct S as [SP S], W as [WP W]. destruct (Rlt_dec a m) as [AM | AM].
    + pose proof (Rmin_l b m). pose proof (Rmin_r b m). assert (a < Rmin b m) by (apply Rmin_glb_lt; assumption).
      set (c := (a + Rmin b m) / 2). assert (C : a < c < b /\ c < m) by (unfold c; lra). clearbody c.
      exists c. split; [lra |]. rewrite joined_left by lra. split; [| apply (proj2 WP); lra].
      apply continuous_ext_loc with (weight P); [| apply SP; lra].
      exists (mkposreal (m - c) ltac:(lra)). intros x X. apply ball_between in X. simpl in X.
      rewrite joined_left by lra. reflexivity.
    + destruct (Rest m Q S W a b) as (c & C & K & Z); try lra.
      assert (Same : forall x, m < x -> joined weight P ((m, Q) :: others) x = joined weight Q others x)
        by (intros x X; simpl; destruct (Rle_dec x m); [lra | reflexivity]).
      exists c. split; [exact C |]. rewrite Same by lra. split; [| exact Z].
      apply continuous_ext_loc with (2 := K). exists (mkposreal (c - m) ltac:(lra)). intros x X.
      apply ball_between in X. simpl in X. symmetry. apply Same. lra.
Qed.

Lemma support_of_pieces curves low high P rest : steady 0 P rest -> weighs_all low high 0 P rest -> 0 <= low -> high <= 1 ->
  (forall s, 0 < s < 1 -> on_curves Rplus curves s = joined weight P rest s) -> supported curves low high.
Proof.
  intros S W Low High H a b A AB B. destruct (joined_support low high 0 P rest S W Low High a b) as (c & C & K & Z); try lra.
  exists c. split; [exact C |]. rewrite H by lra. split; [| exact Z].
  apply continuous_ext_loc with (2 := K). exists (mkposreal (Rmin c (1 - c)) ltac:(apply Rmin_pos; lra)). intros x X.
  apply ball_between in X. simpl in X. pose proof (Rmin_l c (1 - c)). pose proof (Rmin_r c (1 - c)). symmetry. apply H. lra.
Qed.

(** * Losses without bound at an end *)

Section Growth.
Variables (G : (R -> Prop) -> Prop) (FG : Filter G).
Definition grows (f : R -> R) : Prop := filterlim f G (Rbar_locally p_infty).

(** What is divided by, or is the logarithm of, something positive that vanishes. *)
Lemma inverse_grows d : G (fun x => 0 < d x) -> filterlim d G (locally 0) -> grows (fun x => / d x).
Proof.
  intros Positive D P [M H]. set (e := / (1 + Rabs M)). pose proof (Rabs_pos M).
  assert (E : 0 < e) by (apply Rinv_0_lt_compat; lra).
  assert (Close : G (fun x => ball 0 (mkposreal _ E) (d x))) by exact (D _ (locally_ball 0 (mkposreal _ E))).
  unfold filtermap. apply filter_imp with (2 := filter_and _ _ Positive Close).
  intros x [X Near]. apply ball_between in Near. simpl in Near. apply H.
  assert (1 + Rabs M < / d x); [| pose proof (Rle_abs M); lra].
  replace (1 + Rabs M) with (/ e) by (unfold e; field; lra). apply Rinv_lt_contravar; [apply Rmult_lt_0_compat |]; lra.
Qed.
Lemma inverse_power_grows d k : 0 < k -> G (fun x => 0 < d x) -> filterlim d G (locally 0) -> grows (fun x => / Rpower (d x) k).
Proof.
  intros K Positive D P [M H]. set (e := - ln (1 + Rabs M) / k). pose proof (Rabs_pos M). pose proof (Rle_abs M).
  assert (Close : G (fun x => ball 0 (mkposreal _ (exp_pos e)) (d x))) by exact (D _ (locally_ball 0 (mkposreal _ (exp_pos e)))).
  unfold filtermap. apply filter_imp with (2 := filter_and _ _ Positive Close).
  intros x [X Near]. apply ball_between in Near. simpl in Near. apply H.
  assert (L : ln (d x) < e) by (rewrite <- (ln_exp e); apply ln_increasing; lra).
  assert (k * ln (d x) < - ln (1 + Rabs M)).
  { replace (- ln (1 + Rabs M)) with (k * e) by (unfold e; field; lra). apply Rmult_lt_compat_l; assumption. }
  assert (1 + Rabs M < / Rpower (d x) k); [| lra].
  rewrite <- (exp_ln (1 + Rabs M)) by lra. unfold Rpower. rewrite <- exp_Ropp. apply exp_increasing. lra.
Qed.
Lemma logarithm_grows d : G (fun x => 0 < d x) -> filterlim d G (locally 0) -> grows (fun x => - ln (d x)).
Proof.
  intros Positive D P [M H]. pose proof (exp_pos (- M)) as E.
  assert (Close : G (fun x => ball 0 (mkposreal _ E) (d x))) by exact (D _ (locally_ball 0 (mkposreal _ E))).
  unfold filtermap. apply filter_imp with (2 := filter_and _ _ Positive Close).
  intros x [X Near]. apply ball_between in Near. simpl in Near. apply H.
  assert (ln (d x) < ln (exp (- M))) by (apply ln_increasing; lra). rewrite ln_exp in *. lra.
Qed.
Lemma arcsinh_grows f : grows f -> grows (fun x => arcsinh (f x)).
Proof.
  intros F P [M H].
  assert (Above : G (fun x => Rmax 0 (exp M) < f x))
    by exact (F (fun y => Rmax 0 (exp M) < y) (ex_intro _ (Rmax 0 (exp M)) (fun y Y => Y))).
  unfold filtermap. apply filter_imp with (2 := Above).
  intros x X. apply H. pose proof (Rmax_l 0 (exp M)). pose proof (Rmax_r 0 (exp M)).
  unfold arcsinh. rewrite <- (ln_exp M) at 1. apply ln_increasing; [apply exp_pos |].
  pose proof (sqrt_pos (f x ^ 2 + 1)). lra.
Qed.

(** Times what tends to something positive, and beside what has a limit. *)
Lemma grows_by f g h k (a b : R) : grows h -> filterlim g G (locally a) -> 0 < a -> filterlim k G (locally b) ->
  G (fun x => f x = g x * h x + k x) -> grows f.
Proof.
  intros Hh Hg A Hk E. apply filterlim_ext_loc with (fun x => g x * h x + k x).
  { apply filter_imp with (2 := E). intros x X. symmetry. exact X. }
  assert (Product : grows (fun x => g x * h x)).
  { eapply filterlim_comp_2; [exact Hg | exact Hh | apply (filterlim_Rbar_mult a p_infty p_infty)].
    apply is_Rbar_mult_sym, is_Rbar_mult_p_infty_pos. exact A. }
  eapply filterlim_comp_2; [exact Product | exact Hk | apply (filterlim_Rbar_plus p_infty b p_infty); reflexivity].
Qed.
End Growth.
