(** Strictness from the density alone: a rule is strictly proper at the beliefs that are thresholds of costs around
    which the density is positive. No slope, weight or closed form of a loss is needed.

    Another report than the belief charges more at all costs whose threshold lies between both, and nowhere less; so
    its risk is greater by a positive integral over a small square of costs. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Areas.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** In a square around two costs, which lies in the region, the density has a positive lower bound. *)
Definition dense_near (x y : R) (A : area) : Prop :=
  exists d, 0 < d /\ forall c0 c1, x - d < c0 < x + d -> y - d < c1 < y + d ->
    hold (region A c0 c1) /\ d <= density A c0 c1.

(** Every number in an interval is the threshold of costs around which one of the densities is positive. *)
Definition spread_between (low high : R) (areas : list area) : Prop :=
  forall t, low < t < high -> exists x y, 0 < x /\ 0 < y /\ t * (x + y) = x /\ List.Exists (dense_near x y) areas.

(** * An integral that is not small *)

Lemma integral_at_least f x y z a b e : x < a -> a <= b -> b < y -> (forall c, x < c < y -> 0 <= f c) ->
  (forall c, a < c < b -> e <= f c) -> is_RInt f x y z -> e * (b - a) <= z.
Proof.
  intros X A Y N H Z.
  assert (Step : is_RInt (fun c => if Rlt_dec a c then if Rlt_dec c b then e else 0 else 0) x y (0 + e * (b - a) + 0)).
  { apply (is_RInt_Chasles (V := R_NormedModule)) with b; [apply (is_RInt_Chasles (V := R_NormedModule)) with a |].
    - apply integral_of_zero; [lra |]. intros c C. destruct (Rlt_dec a c); [lra | reflexivity].
    - apply (is_RInt_ext (fun _ => e)).
      + rewrite Rmin_left, Rmax_right by lra. intros c C. destruct (Rlt_dec a c), (Rlt_dec c b); lra.
      + replace (e * (b - a)) with (scal (b - a) e) by (unfold scal; simpl; unfold mult; simpl; ring).
        apply (is_RInt_const (V := R_NormedModule)).
    - apply integral_of_zero; [lra |]. intros c C. destruct (Rlt_dec a c), (Rlt_dec c b); lra. }
  assert (0 + e * (b - a) + 0 <= z); [| lra].
  apply (is_RInt_le _ f x y _ _ ltac:(lra) Step Z). intros c C.
  specialize (N c ltac:(lra)). destruct (Rlt_dec a c), (Rlt_dec c b); try lra. apply H. lra.
Qed.

Lemma over_positive_at_least f value a b e : 0 < a -> a <= b -> (forall x, 0 < x -> 0 <= f x) ->
  (forall x, a < x < b -> e <= f x) -> over_positive f value -> e * (b - a) <= value.
Proof.
  intros A B N H I. apply Rnot_lt_le. intro Less. assert (M : 0 < e * (b - a) - value) by lra.
  assert (Ends : filter_prod (at_right 0) (Rbar_locally p_infty) (fun xy => 0 < fst xy < a /\ b < snd xy)).
  { exists (fun x => 0 < x < a) (fun y => b < y); [apply right_of, A | apply eventually_above |].
    intros x y X Y. split; [exact X | exact Y]. }
  destruct (filter_ex _ (filter_and _ _ Ends (I _ (locally_ball value (mkposreal _ M)))))
    as ((x & y) & (X & Y) & z & Z & Near).
  apply ball_between in Near. simpl in *. assert (e * (b - a) <= z); [| lra].
  apply (integral_at_least f x y); try lra; [intros c C; apply N; lra | exact H | exact Z].
Qed.

Lemma over_area_at_least A pay value a b c d e : 0 < a -> a <= b -> 0 < c -> c <= d -> 0 <= e -> lawful_area A ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> 0 <= pay c0 c1) ->
  (forall c0 c1, a < c0 < b -> c < c1 < d -> hold (region A c0 c1) /\ e <= pay c0 c1 * density A c0 c1) ->
  over_area A pay value -> e * (b - a) * (d - c) <= value.
Proof.
  intros A0 B C D E L N H (inner & I & O).
  assert (P : forall c0 c1, 0 < c0 -> 0 < c1 -> 0 <= paid A pay c1 c0).
  { intros c0 c1 P0 P1. unfold paid. destruct (indicator_cases (region A c0 c1)) as [[Held ->] | [_ ->]]; [| lra].
    rewrite Rmult_1_l. apply Rmult_le_pos; [apply N | apply L]; assumption. }
  apply (over_positive_at_least inner); try assumption.
  - intros c1 P1. apply (over_positive_not_negative (paid A pay c1)); [| apply I, P1]. intros c0 P0. apply P; assumption.
  - intros c1 C1. apply (over_positive_at_least (paid A pay c1)); try assumption; [| | apply I; lra].
    + intros c0 P0. apply P; lra.
    + intros c0 C0. destruct (H c0 c1 C0 C1) as [Held Great]. unfold paid. rewrite indicator_in by exact Held. lra.
Qed.

(** * Another report than the belief *)

(** What the report [p] charges more than the belief [q], weighed by the belief. *)
Definition excess (q p c0 c1 : R) : R := 1 * mixed q p c0 c1 + -1 * mixed q q c0 c1.

Lemma excess_not_negative q p c0 c1 : 0 < c0 -> 0 < c1 -> 0 <= excess q p c0 c1.
Proof. intros A B. pose proof (best_decision p q c0 c1 A B). unfold excess, mixed. lra. Qed.

(** The sign of [c0 - t (c0 + c1)] is that of the threshold of the costs less [t]. *)
Lemma class1_if c0 c1 t : 0 < c0 -> 0 < c1 -> c0 < t * (c0 + c1) -> c0 / (c0 + c1) < t.
Proof.
  intros A B H. apply (Rmult_lt_reg_r (c0 + c1)); [lra |].
  replace (c0 / (c0 + c1) * (c0 + c1)) with c0 by (field; lra). exact H.
Qed.
Lemma class0_if c0 c1 t : 0 < c0 -> 0 < c1 -> t * (c0 + c1) <= c0 -> ~ c0 / (c0 + c1) < t.
Proof.
  intros A B H. apply Rle_not_lt, (Rmult_le_reg_r (c0 + c1)); [lra |].
  replace (c0 / (c0 + c1) * (c0 + c1)) with c0 by (field; lra). exact H.
Qed.

(** If the threshold lies between the report and the belief, the excess is its distance from the belief, in costs. *)
Lemma excess_between q p c0 c1 : 0 < c0 -> 0 < c1 ->
  p * (c0 + c1) <= c0 < q * (c0 + c1) \/ q * (c0 + c1) <= c0 < p * (c0 + c1) ->
  excess q p c0 c1 = Rabs (c0 - q * (c0 + c1)).
Proof.
  intros A B. unfold excess, mixed, pay0, pay1. intros [[H K] | [H K]].
  - pose proof (class0_if c0 c1 p A B H). pose proof (class1_if c0 c1 q A B K).
    destruct (Rlt_dec _ p), (Rlt_dec _ q); try contradiction. rewrite Rabs_left by lra. lra.
  - pose proof (class0_if c0 c1 q A B H). pose proof (class1_if c0 c1 p A B K).
    destruct (Rlt_dec _ p), (Rlt_dec _ q); try contradiction. rewrite Rabs_right by lra. lra.
Qed.

(** In a small square the excess stays above half of what it is in the middle. *)
Lemma excess_in_a_square q p t x y : 0 < p < 1 -> 0 < q < 1 -> p < t < q \/ q < t < p -> 0 < x -> 0 < y -> t * (x + y) = x ->
  exists d, 0 < d < x /\ d < y /\ forall c0 c1, x - d < c0 < x + d -> y - d < c1 < y + d -> d <= excess q p c0 c1.
Proof.
  intros P Q T X Y E.
  assert (S : 0 < x + y) by lra.
  set (h := Rmin (Rabs (t - q)) (Rabs (t - p))).
  assert (H : 0 < h).
  { unfold h. apply Rmin_glb_lt; apply Rabs_pos_lt; lra. }
  assert (HQ : h <= Rabs (t - q)) by apply Rmin_l. assert (HP : h <= Rabs (t - p)) by apply Rmin_r. clearbody h.
  set (m := h * (x + y)). assert (M : 0 < m) by (apply Rmult_lt_0_compat; assumption).
  assert (MQ : m <= Rabs (t - q) * (x + y)) by (apply Rmult_le_compat_r; lra).
  assert (MP : m <= Rabs (t - p) * (x + y)) by (apply Rmult_le_compat_r; lra). clearbody m.
  set (d := Rmin (m / 2) (Rmin (x / 2) (y / 2))).
  assert (D : 0 < d) by (repeat apply Rmin_glb_lt; lra).
  assert (DM : d <= m / 2) by apply Rmin_l.
  assert (DX : d <= x / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_l]).
  assert (DY : d <= y / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_r]). clearbody d.
  exists d. split; [lra |]. split; [lra |]. intros c0 c1 C0 C1.
  assert (Near : forall r, 0 < r < 1 -> - d < (c0 - r * (c0 + c1)) - (x - r * (x + y)) < d).
  { intros r R. assert (F : (c0 - r * (c0 + c1)) - (x - r * (x + y)) = (1 - r) * (c0 - x) + r * (y - c1)) by ring.
    rewrite F. clear F. assert (- d < y - c1 < d /\ - d < c0 - x < d) as [U V] by lra.
    assert (r * - d < r * (y - c1) < r * d) by (split; apply Rmult_lt_compat_l; lra).
    assert ((1 - r) * - d < (1 - r) * (c0 - x) < (1 - r) * d) by (split; apply Rmult_lt_compat_l; lra). lra. }
  pose proof (Near q Q) as NearQ. pose proof (Near p P) as NearP. clear Near.
  replace (x - q * (x + y)) with ((t - q) * (x + y)) in NearQ by (rewrite <- E at 2; ring).
  replace (x - p * (x + y)) with ((t - p) * (x + y)) in NearP by (rewrite <- E at 2; ring).
  destruct T as [T | T].
  - rewrite Rabs_left in MQ by lra. rewrite Rabs_right in MP by lra.
    rewrite excess_between; [rewrite Rabs_left by lra; lra | lra | lra | left; lra].
  - rewrite Rabs_right in MQ by lra. rewrite Rabs_left in MP by lra.
    rewrite excess_between; [rewrite Rabs_right by lra; lra | lra | lra | right; lra].
Qed.

(** * Strict properness *)

Lemma over_area_combined A a b pay pay' u v : over_area A pay u -> over_area A pay' v ->
  over_area A (fun c0 c1 => a * pay c0 c1 + b * pay' c0 c1) (a * u + b * v).
Proof.
  intros (f & F & F') (g & G & G'). exists (fun c1 => a * f c1 + b * g c1).
  split; [| apply over_positive_combined; assumption]. intros c1 P1.
  apply over_positive_ext with (fun c0 => a * paid A pay c1 c0 + b * paid A pay' c1 c0).
  - intros c0 _. unfold paid. ring.
  - apply over_positive_combined; [apply F | apply G]; exact P1.
Qed.
Lemma over_areas_combined areas a b pay pay' u v : over_areas areas pay u -> over_areas areas pay' v ->
  over_areas areas (fun c0 c1 => a * pay c0 c1 + b * pay' c0 c1) (a * u + b * v).
Proof.
  revert u v. induction areas as [| A others Rest]; simpl.
  - intros u v -> ->. ring.
  - intros u v (c & d & C & D & ->) (e & f & E & F & ->). exists (a * c + b * e), (a * d + b * f). repeat split.
    + apply over_area_combined; assumption.
    + apply Rest; assumption.
    + ring.
Qed.

Lemma excess_is_paid q p t x y areas value : 0 < p < 1 -> 0 < q < 1 -> p < t < q \/ q < t < p ->
  0 < x -> 0 < y -> t * (x + y) = x -> lawful_areas areas -> List.Exists (dense_near x y) areas ->
  over_areas areas (excess q p) value -> 0 < value.
Proof.
  intros P Q T X Y E L H. destruct (excess_in_a_square q p t x y P Q T X Y E) as (d & D & D' & Square). revert value.
  assert (Others : forall others value, lawful_areas others -> over_areas others (excess q p) value -> 0 <= value).
  { intros others value Lawful I. apply (over_areas_le others (fun _ _ => 0) (excess q p) 0 value Lawful).
    - intros c0 c1 A B. apply excess_not_negative; assumption.
    - apply over_areas_of_0.
    - exact I. }
  induction H as [A others (e & Positive & Dense) | A others Dense IH]; inversion_clear L as [| ? ? LA Lawful];
    intros value (a & b & Ia & Ib & ->).
  - specialize (Others others b Lawful Ib). set (r := Rmin d e).
    assert (R : 0 < r) by (apply Rmin_glb_lt; lra).
    assert (RD : r <= d) by apply Rmin_l. assert (RE : r <= e) by apply Rmin_r. clearbody r.
    assert (Great : r * r * ((x + r) - (x - r)) * ((y + r) - (y - r)) <= a).
    { apply (over_area_at_least A (excess q p)); try lra; try assumption; [apply Rmult_le_pos; lra | |].
      - intros c0 c1 A0 B0. apply excess_not_negative; assumption.
      - intros c0 c1 C0 C1. destruct (Dense c0 c1) as [Held Bound]; try lra. split; [exact Held |].
        apply Rmult_le_compat; try lra. apply Rle_trans with d; [exact RD | apply Square; lra]. }
    assert (0 < r * r * ((x + r) - (x - r)) * ((y + r) - (y - r))); [| lra].
    repeat apply Rmult_lt_0_compat; lra.
  - assert (0 <= a).
    { apply (Others [A] a); [apply List.Forall_cons; [exact LA | apply List.Forall_nil] |].
      exists a, 0. repeat split; [exact Ia | ring]. }
    assert (0 < b) by (apply IH; assumption). lra.
Qed.

Theorem strictly_proper_if_spread areas low high (E0 E1 : R -> R) : lawful_areas areas -> spread_between low high areas ->
  0 <= low -> high <= 1 ->
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn low high E0 E1.
Proof.
  intros L Spread Low High H0 H1 p q P Q N. assert (Unit : 0 < q < 1) by lra.
  assert (Between : exists t, low < t < high /\ (p < t < q \/ q < t < p)).
  { destruct (Rtotal_order p q) as [PQ | [-> | QP]]; [| contradiction |].
    - exists ((Rmax low p + q) / 2). pose proof (Rmax_l low p). pose proof (Rmax_r low p).
      assert (Rmax low p < q) by (apply Rmax_lub_lt; lra). split; [| left]; lra.
    - exists ((q + Rmin high p) / 2). pose proof (Rmin_l high p). pose proof (Rmin_r high p).
      assert (q < Rmin high p) by (apply Rmin_glb_lt; lra). split; [| right]; lra. }
  destruct Between as (t & T & Between). destruct (Spread t T) as (x & y & X & Y & E & Dense).
  assert (0 < 1 * risk E0 E1 p q + -1 * risk E0 E1 q q); [| lra].
  apply (excess_is_paid q p t x y areas); try assumption. unfold excess.
  apply over_areas_combined; apply over_areas_mixed; auto.
Qed.

(** * Densities of independent costs *)

(** Where a continuous function is positive, it stays above a positive number nearby. *)
Lemma positive_around (f : R -> R) x : continuous f x -> 0 < f x ->
  exists d, 0 < d /\ forall c, x - d < c < x + d -> f x / 2 <= f c.
Proof.
  intros C P. assert (Half : 0 < f x / 2) by lra.
  destruct (C _ (locally_ball (f x) (mkposreal _ Half))) as [d H]. exists d. split; [apply cond_pos |].
  intros c Near. specialize (H c). assert (B : ball x d c) by (apply ball_between; simpl; lra).
  specialize (H B). apply ball_between in H. simpl in H. lra.
Qed.

(** Both densities are continuous and positive near some costs. *)
Lemma product_is_dense (f0 f1 : R -> R) (sides : R -> R -> list R) x y r : 0 < r ->
  (forall c0 c1, x - r < c0 < x + r -> y - r < c1 < y + r -> hold (sides c0 c1)) ->
  continuous f0 x -> 0 < f0 x -> continuous f1 y -> 0 < f1 y ->
  dense_near x y (Area (fun c0 c1 => f0 c0 * f1 c1) sides).
Proof.
  intros R Held C0 P0 C1 P1.
  destruct (positive_around f0 x C0 P0) as (d & D & H0), (positive_around f1 y C1 P1) as (e & E & H1).
  set (low := f0 x / 2 * (f1 y / 2)). assert (Low : 0 < low) by (apply Rmult_lt_0_compat; lra).
  exists (Rmin (Rmin r low) (Rmin d e)).
  pose proof (Rmin_l (Rmin r low) (Rmin d e)). pose proof (Rmin_r (Rmin r low) (Rmin d e)).
  pose proof (Rmin_l r low). pose proof (Rmin_r r low). pose proof (Rmin_l d e). pose proof (Rmin_r d e).
  split; [repeat apply Rmin_glb_lt; assumption |]. intros c0 c1 X Y. simpl. split; [apply Held; lra |].
  apply Rle_trans with low; [lra |]. specialize (H0 c0 ltac:(lra)). specialize (H1 c1 ltac:(lra)).
  apply Rmult_le_compat; lra.
Qed.

Lemma always_spread (f0 f1 : R -> R) : (forall x, 0 < x -> 0 < f0 x /\ continuous f0 x) ->
  (forall x, 0 < x -> 0 < f1 x /\ continuous f1 x) ->
  spread_between 0 1 [Area (fun c0 c1 => f0 c0 * f1 c1) (fun _ _ => nil)].
Proof.
  intros H0 H1 t T. exists t, (1 - t). split; [lra |]. split; [lra |]. split; [ring |]. apply List.Exists_cons_hd.
  apply (product_is_dense f0 f1 (fun _ _ => nil) t (1 - t) 1); [lra | intros; exact I | ..]; apply H0 || apply H1; lra.
Qed.
