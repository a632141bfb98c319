(** Properness with the reports 0 and 1, where the losses have finite limits there. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits.
Open Scope R_scope.

(** Reports and beliefs from among some probabilities, such as [[0, 1)]. *)
Definition ProperAmong (among : R -> Prop) (L0 L1 : R -> R) : Prop :=
  forall p q, among p -> among q -> risk L0 L1 q q <= risk L0 L1 p q.
Definition StrictlyProperAmong (among : R -> Prop) (L0 L1 : R -> R) : Prop :=
  forall p q, among p -> among q -> p <> q -> risk L0 L1 q q < risk L0 L1 p q.

Definition with_ends (p : R) : Prop := 0 <= p <= 1.
Definition with_end_0 (p : R) : Prop := 0 <= p < 1.
Definition with_end_1 (p : R) : Prop := 0 < p <= 1.

(** A loss with values at 0 and 1. *)
Definition extended (L : R -> R) (at_0 at_1 p : R) : R :=
  if Rle_dec p 0 then at_0 else if Rle_dec 1 p then at_1 else L p.

Lemma extended_at_0 L u v : extended L u v 0 = u.
Proof. unfold extended. destruct (Rle_dec 0 0); [reflexivity | lra]. Qed.
Lemma extended_at_1 L u v : extended L u v 1 = v.
Proof. unfold extended. destruct (Rle_dec 1 0), (Rle_dec 1 1); (reflexivity || lra). Qed.
Lemma extended_inside L u v p : 0 < p < 1 -> extended L u v p = L p.
Proof. intro P. unfold extended. destruct (Rle_dec p 0), (Rle_dec 1 p); (reflexivity || lra). Qed.

(** The risk of a report that tends to an end, under a belief that may change with it. *)
Lemma risk_tends {F : (R -> Prop) -> Prop} {FF : Filter F} (M0 M1 belief : R -> R) (a b c : R) :
  filterlim M0 F (locally a) -> filterlim M1 F (locally b) -> filterlim belief F (locally c) ->
  filterlim (fun x => (1 - belief x) * M0 x + belief x * M1 x) F (locally ((1 - c) * a + c * b)).
Proof.
  intros A B C.
  assert (D : filterlim (fun x => 1 - belief x) F (locally (1 - c))).
  { apply (limit_of_smooth belief (fun y => 1 - y) c C). auto_derive. exact I. }
  eapply filterlim_comp_2; [| | apply (filterlim_plus ((1 - c) * a) (c * b))].
  - eapply filterlim_comp_2; [exact D | exact A | apply (filterlim_mult (1 - c) a)].
  - eapply filterlim_comp_2; [exact C | exact B | apply (filterlim_mult c b)].
Qed.

Lemma tends_to_itself_at_0 : tends_at_0 (fun x => x) 0.
Proof. intros P [e H]. exists e. intros y Y _. apply H, Y. Qed.
Lemma tends_to_itself_at_1 : tends_at_1 (fun x => x) 1.
Proof. intros P [e H]. exists e. intros y Y _. apply H, Y. Qed.

Lemma inside_near_0 : at_right 0 (fun x => 0 < x < 1).
Proof. apply right_of. lra. Qed.
Lemma inside_near_1 : at_left 1 (fun x => 0 < x < 1).
Proof. apply left_of. lra. Qed.

Section Ends.
Variables L0 L1 : R -> R.
Hypothesis proper : Proper L0 L1.
Variables u0 u1 v0 v1 : R.
Notation M0 := (extended L0 u0 v0).
Notation M1 := (extended L1 u1 v1).
Definition limits_at_0 : Prop := tends_at_0 L0 u0 /\ tends_at_0 L1 u1.
Definition limits_at_1 : Prop := tends_at_1 L0 v0 /\ tends_at_1 L1 v1.

Ltac at_ends := unfold risk; rewrite ?extended_at_0, ?extended_at_1, ?extended_inside by lra.

Lemma between p q : 0 < p < 1 -> 0 < q < 1 -> risk M0 M1 q q <= risk M0 M1 p q.
Proof. intros P Q. at_ends. apply proper; assumption. Qed.

Lemma report_0 q : limits_at_0 -> 0 < q < 1 -> risk M0 M1 q q <= risk M0 M1 0 q.
Proof.
  intros [A B] Q. at_ends. refine (limit_le (F := at_right 0) (fun _ => risk L0 L1 q q) _ _ _ _
    (risk_tends L0 L1 (fun _ => q) u0 u1 q A B (filterlim_const q)) _); [apply filterlim_const |].
  apply filter_imp with (2 := inside_near_0). intros x X. apply proper; assumption.
Qed.
Lemma report_1 q : limits_at_1 -> 0 < q < 1 -> risk M0 M1 q q <= risk M0 M1 1 q.
Proof.
  intros [A B] Q. at_ends. refine (limit_le (F := at_left 1) (fun _ => risk L0 L1 q q) _ _ _ _
    (risk_tends L0 L1 (fun _ => q) v0 v1 q A B (filterlim_const q)) _); [apply filterlim_const |].
  apply filter_imp with (2 := inside_near_1). intros x X. apply proper; assumption.
Qed.

Lemma belief_0 p : limits_at_0 -> 0 < p < 1 -> risk M0 M1 0 0 <= risk M0 M1 p 0.
Proof.
  intros [A B] P. at_ends. refine (limit_le (F := at_right 0) _ _ _ _
    (risk_tends L0 L1 (fun q => q) u0 u1 0 A B tends_to_itself_at_0)
    (risk_tends (fun _ => L0 p) (fun _ => L1 p) (fun q => q) _ _ 0
      (filterlim_const _) (filterlim_const _) tends_to_itself_at_0) _).
  apply filter_imp with (2 := inside_near_0). intros q Q. apply proper; assumption.
Qed.
Lemma belief_1 p : limits_at_1 -> 0 < p < 1 -> risk M0 M1 1 1 <= risk M0 M1 p 1.
Proof.
  intros [A B] P. at_ends. refine (limit_le (F := at_left 1) _ _ _ _
    (risk_tends L0 L1 (fun q => q) v0 v1 1 A B tends_to_itself_at_1)
    (risk_tends (fun _ => L0 p) (fun _ => L1 p) (fun q => q) _ _ 1
      (filterlim_const _) (filterlim_const _) tends_to_itself_at_1) _).
  apply filter_imp with (2 := inside_near_1). intros q Q. apply proper; assumption.
Qed.

Lemma reports_0_and_1 : limits_at_0 -> limits_at_1 -> u0 <= v0 /\ v1 <= u1.
Proof.
  intros A B. split.
  - apply (limit_le (F := at_left 1) (fun _ => u0) L0); [apply filterlim_const | apply B |].
    apply filter_imp with (2 := inside_near_1). intros p P. pose proof (belief_0 p A P) as H.
    unfold risk in H. rewrite !extended_at_0, !extended_inside in H by lra. lra.
  - apply (limit_le (F := at_right 0) (fun _ => v1) L1); [apply filterlim_const | apply A |].
    apply filter_imp with (2 := inside_near_0). intros p P. pose proof (belief_1 p B P) as H.
    unfold risk in H. rewrite !extended_at_1, !extended_inside in H by lra. lra.
Qed.

(** An end may be reported if both losses have finite limits there. *)
Theorem proper_with_end_0 : limits_at_0 -> ProperAmong with_end_0 M0 M1.
Proof.
  intros A p q P Q. unfold with_end_0 in *.
  destruct (Req_dec q 0) as [-> | Q0], (Req_dec p 0) as [-> | P0]; [lra | | |].
  - apply belief_0; [exact A | lra].
  - apply report_0; [exact A | lra].
  - apply between; lra.
Qed.
Theorem proper_with_end_1 : limits_at_1 -> ProperAmong with_end_1 M0 M1.
Proof.
  intros A p q P Q. unfold with_end_1 in *.
  destruct (Req_dec q 1) as [-> | Q1], (Req_dec p 1) as [-> | P1]; [lra | | |].
  - apply belief_1; [exact A | lra].
  - apply report_1; [exact A | lra].
  - apply between; lra.
Qed.
Theorem proper_with_ends : limits_at_0 -> limits_at_1 -> ProperAmong with_ends M0 M1.
Proof.
  intros A B p q P Q. unfold with_ends in *. destruct (reports_0_and_1 A B) as [U V].
  destruct (Req_dec p 1) as [-> | P1]; [| destruct (Req_dec q 1) as [-> | Q1]].
  - destruct (Req_dec q 0) as [-> | Q0]; [at_ends; lra |].
    apply proper_with_end_1; [exact B | |]; unfold with_end_1; lra.
  - destruct (Req_dec p 0) as [-> | P0]; [at_ends; lra |].
    apply proper_with_end_1; [exact B | |]; unfold with_end_1; lra.
  - apply proper_with_end_0; [exact A | |]; unfold with_end_0; lra.
Qed.
End Ends.

(** * Strictness *)

(** A belief that gains strictly on its side of two reports does so at the end of its side. *)
Lemma strictly_prefers_lower q x y L0 L1 : q < x -> x < y ->
  risk L0 L1 x x < risk L0 L1 y x -> risk L0 L1 y y <= risk L0 L1 x y -> risk L0 L1 x q < risk L0 L1 y q.
Proof.
  unfold risk. intros QX XY S T. set (A := L0 y - L0 x). set (B := L1 y - L1 x).
  assert (S' : 0 < (1 - x) * A + x * B) by (unfold A, B; lra).
  assert (T' : (1 - y) * A + y * B <= 0) by (unfold A, B; lra).
  assert (G : 0 < (1 - q) * A + q * B); [| unfold A, B in G; lra].
  apply Rmult_lt_reg_l with (y - x); [lra |]. rewrite Rmult_0_r.
  assert (0 < (y - q) * ((1 - x) * A + x * B)) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= (x - q) * - ((1 - y) * A + y * B)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma strictly_prefers_upper q x y L0 L1 : y < q -> x < y ->
  risk L0 L1 y y < risk L0 L1 x y -> risk L0 L1 x x <= risk L0 L1 y x -> risk L0 L1 y q < risk L0 L1 x q.
Proof.
  unfold risk. intros YQ XY S T. set (A := L0 x - L0 y). set (B := L1 x - L1 y).
  assert (S' : 0 < (1 - y) * A + y * B) by (unfold A, B; lra).
  assert (T' : (1 - x) * A + x * B <= 0) by (unfold A, B; lra).
  assert (G : 0 < (1 - q) * A + q * B); [| unfold A, B in G; lra].
  apply Rmult_lt_reg_l with (y - x); [lra |]. rewrite Rmult_0_r.
  assert (0 < (q - x) * ((1 - y) * A + y * B)) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= (q - y) * - ((1 - x) * A + x * B)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** A rule that is strictly proper inside and proper with ends is strictly proper with them. *)
Theorem strictly_proper_among (among : R -> Prop) L0 L1 :
  (forall p, among p -> 0 <= p <= 1) -> (forall p, 0 < p < 1 -> among p) ->
  StrictlyProper L0 L1 -> ProperAmong among L0 L1 -> StrictlyProperAmong among L0 L1.
Proof.
  intros Unit Inside S W p q P Q N. pose proof (Unit p P). pose proof (Unit q Q).
  set (m := (p + q) / 2). set (k := (p + m) / 2).
  assert (T : forall x y, among x -> among y -> truthful L0 L1 x y) by (intros; split; apply W; assumption).
  destruct (Rtotal_order p q) as [PQ | [PQ | QP]]; [| contradiction |].
  - assert (p < k < m /\ m < q) by (unfold k, m; lra).
    assert (K : among k) by (apply Inside; lra). assert (M : among m) by (apply Inside; lra).
    apply Rle_lt_trans with (risk L0 L1 m q); [apply W; assumption |].
    apply (strictly_prefers_upper q p m); try lra; [| apply W; assumption].
    apply Rlt_le_trans with (risk L0 L1 k m); [apply S; lra | apply prefers_upper; try lra; apply T; assumption].
  - assert (m < k < p /\ q < m) by (unfold k, m; lra).
    assert (K : among k) by (apply Inside; lra). assert (M : among m) by (apply Inside; lra).
    apply Rle_lt_trans with (risk L0 L1 m q); [apply W; assumption |].
    apply (strictly_prefers_lower q m p); try lra; [| apply W; assumption].
    apply Rlt_le_trans with (risk L0 L1 k m); [apply S; lra | apply prefers_lower; try lra; apply T; assumption].
Qed.

Lemma extended_strictly_proper L0 L1 u0 u1 v0 v1 :
  StrictlyProper L0 L1 -> StrictlyProper (extended L0 u0 v0) (extended L1 u1 v1).
Proof. intros S p q P Q N. unfold risk. rewrite !extended_inside by assumption. apply S; assumption. Qed.

Lemma all_with_ends : (forall p, with_ends p -> 0 <= p <= 1) /\ (forall p, 0 < p < 1 -> with_ends p).
Proof. unfold with_ends. split; intros; lra. Qed.
Lemma all_with_end_0 : (forall p, with_end_0 p -> 0 <= p <= 1) /\ (forall p, 0 < p < 1 -> with_end_0 p).
Proof. unfold with_end_0. split; intros; lra. Qed.
Lemma all_with_end_1 : (forall p, with_end_1 p -> 0 <= p <= 1) /\ (forall p, 0 < p < 1 -> with_end_1 p).
Proof. unfold with_end_1. split; intros; lra. Qed.

(** A rule that is proper with the reports 0 and 1 at finite costs vanishes where its class is certain. *)
Lemma small_near_0 m e x : 0 <= m -> 0 < e -> 0 < x -> x < 1 / 2 -> x < e / (2 * (m + 1)) -> 2 * x * m < e.
Proof.
  intros M E X _ H. apply Rle_lt_trans with (x * (2 * (m + 1))); [nra |].
  apply Rlt_le_trans with (e / (2 * (m + 1)) * (2 * (m + 1))); [apply Rmult_lt_compat_r; lra |]. right. field. lra.
Qed.
Theorem vanishing_where_certain L0 L1 mean0 mean1 :
  ProperAmong with_ends (extended L0 0 mean0) (extended L1 mean1 0) -> tends_at_0 L0 0 /\ tends_at_1 L1 0.
Proof.
  intro H. unfold ProperAmong, risk, with_ends in H.
  assert (A : forall p, 0 < p < 1 -> 0 <= L0 p).
  { intros p P. specialize (H p 0 ltac:(lra) ltac:(lra)). rewrite !extended_at_0, !extended_inside in H by assumption. lra. }
  assert (B : forall p, 0 < p < 1 -> 0 <= L1 p).
  { intros p P. specialize (H p 1 ltac:(lra) ltac:(lra)). rewrite !extended_at_1, !extended_inside in H by assumption. lra. }
  assert (C : forall p, 0 < p < 1 -> (1 - p) * L0 p <= p * mean1).
  { intros p P. pose proof (Rmult_le_pos p (L1 p) ltac:(lra) (B p P)).
    specialize (H 0 p ltac:(lra) ltac:(lra)). rewrite !extended_at_0, !extended_inside in H by assumption. lra. }
  assert (D : forall p, 0 < p < 1 -> p * L1 p <= (1 - p) * mean0).
  { intros p P. pose proof (Rmult_le_pos (1 - p) (L0 p) ltac:(lra) (A p P)).
    specialize (H 1 p ltac:(lra) ltac:(lra)). rewrite !extended_at_1, !extended_inside in H by assumption. lra. }
  assert (M0 : 0 <= mean0) by (pose proof (B (1 / 2) ltac:(lra)); pose proof (D (1 / 2) ltac:(lra)); lra).
  assert (M1 : 0 <= mean1) by (pose proof (A (1 / 2) ltac:(lra)); pose proof (C (1 / 2) ltac:(lra)); lra).
  assert (near : forall m e, 0 <= m -> 0 < e -> 0 < Rmin (1 / 2) (e / (2 * (m + 1)))).
  { intros m e M E. apply Rmin_pos; [lra |]. apply Rdiv_lt_0_compat; lra. }
  split; apply filterlim_locally; intros [e E].
  - exists (mkposreal _ (near mean1 e M1 E)). intros x X Positive. apply ball_between in X. simpl in X. apply ball_between. simpl.
    assert (x < 1 / 2) by (apply Rlt_le_trans with (1 := proj2 X); rewrite Rplus_0_l; apply Rmin_l).
    assert (x < e / (2 * (mean1 + 1))) by (apply Rlt_le_trans with (1 := proj2 X); rewrite Rplus_0_l; apply Rmin_r).
    pose proof (small_near_0 mean1 e x M1 E Positive ltac:(assumption) ltac:(assumption)).
    pose proof (A x ltac:(lra)). pose proof (C x ltac:(lra)). split; [lra | nra].
  - exists (mkposreal _ (near mean0 e M0 E)). intros x X Below. apply ball_between in X. simpl in X. apply ball_between. simpl.
    pose proof (Rmin_l (1 / 2) (e / (2 * (mean0 + 1)))). pose proof (Rmin_r (1 / 2) (e / (2 * (mean0 + 1)))).
    pose proof (small_near_0 mean0 e (1 - x) M0 E ltac:(lra) ltac:(lra) ltac:(lra)).
    pose proof (B x ltac:(lra)). pose proof (D x ltac:(lra)). split; [lra | nra].
Qed.

(** * Limits of closed forms *)

(** Decide in which branch a point lies, from what is known of its order among the breakpoints. *)
Ltac branch :=
  repeat match goal with |- context [if ?test then _ else _] => destruct test; try (exfalso; lra) end.

(** Equality of closed forms whose functions are taken at 0 or at 1. *)
Lemma sqrt_of_0 a : a = 0 -> sqrt a = 0.
Proof. intros ->. exact sqrt_0. Qed.
Lemma sqrt_of_1 a : a = 1 -> sqrt a = 1.
Proof. intros ->. exact sqrt_1. Qed.
Lemma ln_of_1 a : a = 1 -> ln a = 0.
Proof. intros ->. exact ln_1. Qed.
Lemma asin_of_0 a : a = 0 -> asin a = 0.
Proof. intros ->. exact asin_0. Qed.
Lemma asin_of_1 a : a = 1 -> asin a = PI / 2.
Proof. intros ->. exact asin_1. Qed.
Lemma atan_of_0 a : a = 0 -> atan a = 0.
Proof. intros ->. exact atan_0. Qed.

(** The inverse hyperbolic sine of 1 and -1 is a logarithm. *)
Lemma arcsinh_of_1 a : a = 1 -> arcsinh a = ln (1 + sqrt 2).
Proof. intros ->. unfold arcsinh. do 3 f_equal. ring. Qed.
Lemma arcsinh_of_opp_1 a : a = -1 -> arcsinh a = - ln (1 + sqrt 2).
Proof.
  intros ->. unfold arcsinh. replace ((-1) ^ 2 + 1) with 2 by ring.
  assert (S : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). pose proof (sqrt_pos 2).
  rewrite <- ln_Rinv by lra. f_equal. apply (Rmult_eq_reg_r (1 + sqrt 2)); [| lra]. rewrite Rinv_l by lra. lra.
Qed.
Lemma arcsinh_of_0 a : a = 0 -> arcsinh a = 0.
Proof. intros ->. exact arcsinh_0. Qed.

Ltac evaluate_functions := fail.
Ltac evaluate :=
  repeat match goal with
  | |- context [arcsinh ?a] =>
      first [rewrite (arcsinh_of_0 a) by (field; see) | rewrite (arcsinh_of_1 a) by (field; see)
            | rewrite (arcsinh_of_opp_1 a) by (field; see)]
  | |- context [sqrt ?a] => first [rewrite (sqrt_of_0 a) by (field; see) | rewrite (sqrt_of_1 a) by (field; see)]
  | |- context [ln ?a] => rewrite (ln_of_1 a) by (field; see)
  | |- context [asin ?a] => first [rewrite (asin_of_0 a) by (field; see) | rewrite (asin_of_1 a) by (field; see)]
  | |- context [atan ?a] => rewrite (atan_of_0 a) by (field; see)
  | |- _ => evaluate_functions
  end.
Ltac evaluated hints :=
  first
    [ reflexivity
    | lra
    | solve [field; see]
    | solve [unfold Rpower; evaluate; algebra]
    | algebra
    | solve [hints; algebra]
    | solve [unfold Rpower; evaluate; at_zero exp 1 exp_0; hints; evaluate; algebra] ].

(** The inverse sine is continuous at 1, where it has no slope. *)
Lemma continuous_asin_1 : continuous asin 1.
Proof.
  apply filterlim_locally. intros [e E]. rewrite asin_1.
  set (d := Rmin e (PI / 2)). assert (D : 0 < d <= PI / 2).
  { unfold d. pose proof PI_RGT_0. split; [apply Rmin_pos; lra | apply Rmin_r]. }
  assert (C : 0 < 1 - sin (PI / 2 - d)).
  { rewrite sin_shift. pose proof (cos_decreasing_1 0 d) as K. rewrite cos_0 in K.
    pose proof PI_RGT_0. assert (cos d < 1) by (apply K; lra). lra. }
  exists (mkposreal _ C). intros x X. apply ball_between in X. simpl in X. apply ball_between. simpl.
  pose proof (asin_bound x) as B. assert (PI / 2 - d < asin x); [| pose proof (Rmin_l e (PI / 2) : d <= e); lra].
  destruct (Rle_dec 1 x) as [Above | Below].
  - assert (asin x = PI / 2) as -> by (unfold asin; destruct (Rle_dec x (-1)), (Rle_dec 1 x); lra). lra.
  - apply Rnot_le_lt. intro N. assert (M : -1 <= x <= 1).
    { split; [| lra]. pose proof (SIN_bound (PI / 2 - d)). lra. }
    pose proof (sin_incr_1 (asin x) (PI / 2 - d)) as I. rewrite sin_asin in I by exact M.
    pose proof PI_RGT_0. assert (x <= sin (PI / 2 - d)) by (apply I; lra). lra.
Qed.
Lemma continuous_asin x : continuous asin x.
Proof.
  assert (Inside : forall y, -1 < y < 1 -> continuous asin y).
  { intros y Y. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply is_derive_asin, Y. }
  assert (Up : forall y, -1 < y -> continuous asin y).
  { intros y Y. destruct (Rtotal_order y 1) as [B | [-> | A]]; [apply Inside; lra | exact continuous_asin_1 |].
    apply (continuous_ext_loc asin (fun _ => PI / 2)); [| apply continuous_const].
    exists (mkposreal (y - 1) ltac:(lra)). intros z Z. apply ball_between in Z. simpl in Z.
    unfold asin. destruct (Rle_dec z (-1)), (Rle_dec 1 z); lra. }
  destruct (Rlt_le_dec (-1) x) as [A | B]; [apply Up, A |].
  apply (continuous_ext (fun y => - asin (- y))); [intro y; change (- asin (- y) = asin y :> R); rewrite asin_opp; ring |].
  apply (continuous_opp (fun y => asin (- y))), (continuous_comp (fun y => - y) asin).
  { apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I. }
  apply Up. simpl. lra.
Qed.

(** Continuity by structure: where a form is differentiable, and through roots, sums and products. *)
Ltac smooth_functions := fail.
Ltac smooth :=
  first
    [ solve [apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; see]
    | lazymatch goal with
      | |- continuous (fun x => sqrt (@?f x)) _ => apply (continuous_sqrt_comp f); smooth
      | |- continuous (fun x => @?f x + @?g x) _ => apply (continuous_plus f g); smooth
      | |- continuous (fun x => @?f x - @?g x) _ => apply (continuous_minus f g); smooth
      | |- continuous (fun x => - @?f x) _ => apply (continuous_opp f); smooth
      | |- continuous (fun x => @?f x * @?g x) _ => apply (continuous_mult f g); smooth
      | |- continuous (fun x => @?f x / @?g x) _ => apply (continuous_mult f (fun x => / g x)); smooth
      | |- continuous (fun x => / @?g x) _ => apply (continuous_Rinv_comp g); [smooth | see]
      | |- continuous (fun x => (@?f x) ^ ?n) _ => apply (continuous_comp f (fun y => y ^ n)); smooth
      | |- continuous asin _ => apply continuous_asin
      | |- continuous (fun x => asin (@?f x)) _ => apply (continuous_comp f asin); smooth
      | |- continuous (fun x => atan (@?f x)) _ => apply (continuous_comp f atan); smooth
      | |- continuous (fun x => erf (@?f x)) _ => apply (continuous_comp f erf); smooth
      | |- continuous (fun x => exp (@?f x)) _ => apply (continuous_comp f exp); smooth
      | |- continuous (fun x => arcsinh (@?f x)) _ => apply (continuous_comp f arcsinh); smooth
      | |- continuous (fun x => ln (@?f x)) _ => apply (continuous_comp f ln); smooth
      | |- _ => smooth_functions
      end ].
Ltac smooth_at p := apply continuity_pt_filterlim; match goal with |- filterlim ?f _ _ => change (continuous f p) end; smooth.

(** Near 0, or 1, a loss is that of the first, or last, piece, which is continuous there. [width] is how wide
    the piece is, [same] shows that the losses are the same, and [value] what they are at the end. *)
Ltac limit_by by_continuity piece width same value :=
  lazymatch goal with |- ?tends ?L _ =>
    apply by_continuity;
      [ apply (strictly_below_by width); [algebra | see]
      | intros x X; unfold L, piece; cbn [loss0 loss1]; branch; same
      | unfold piece, Rpower; cbn [loss0 loss1]; smooth
      | unfold piece; cbn [loss0 loss1]; value ]
  end.
Ltac starts_as loss piece stop width value :=
  lazymatch goal with |- tends_at_0 ?L _ => limit_by (tends_from_right L (loss piece) 0 stop) piece width reflexivity value end.
Ltac ends_as loss piece start width value :=
  lazymatch goal with |- tends_at_1 ?L _ => limit_by (tends_from_left L (loss piece) start 1) piece width reflexivity value end.
Ltac evaluates := evaluated idtac.

(** The weight of a piece at a report. *)
Ltac weight_at piece :=
  intros Within Unit; unfold piece, Rpower; cbn [weight];
  lazymatch goal with |- continuous _ ?p => assert (p <= 1) by lra end.
