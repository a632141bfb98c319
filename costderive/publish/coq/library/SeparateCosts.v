(** That the expected costs of two independent costs exist, without closed forms of them: each density has a total, and
    one of both means is finite.

    What is paid at one cost is an integral over the other one up to the ray of the report, or from it on. Such an
    integral is continuous in its end, so that it can be integrated again, and lies below a mean. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete Atoms ExpectedLoss Costs Tails Areas Spread Strips Cuts ClosedForms Arcs Independent LawAlone Bells Far Moments Families.
Import ListNotations.
Open Scope R_scope.

(** * Integrals of continuous functions, and of what is cut off *)

Lemma integrated_anyway (f : R -> R) : (forall x, 0 < x -> continuous f x) -> exists F, integrated F f.
Proof.
  intro C.
  assert (Ex : forall x y, 0 < x -> 0 < y -> ex_RInt f x y).
  { intros x y X Y. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z [Z _]. apply C.
    pose proof (Rmin_glb_lt x y 0 X Y). lra. }
  exists (RInt f 1). intros x y X XY.
  pose proof (RInt_Chasles (V := R_CompleteNormedModule) f 1 x y (Ex 1 x Rlt_0_1 X) (Ex x y X ltac:(lra))) as Sum.
  change (plus (RInt f 1 x) (RInt f x y)) with (RInt f 1 x + RInt f x y) in Sum.
  replace (RInt f 1 y - RInt f 1 x) with (RInt f x y) by lra. apply (RInt_correct (V := R_CompleteNormedModule)), Ex; lra.
Qed.

Lemma integrated_is_continuous (F f : R -> R) x : integrated F f -> 0 < x -> continuous F x.
Proof.
  intros I X. apply (continuous_ext (fun z => (F z - F (x / 2)) + F (x / 2))).
  { intro z. match goal with |- ?l = ?r => change (l = r :> R) end. ring. }
  apply (continuous_plus (V := R_NormedModule)); [| apply continuous_const].
  apply (continuous_RInt_1 (V := R_NormedModule) f (x / 2) x). apply filter_imp with (2 := near_right_of x (x / 2) ltac:(lra)).
  intros z Z. apply I; lra.
Qed.

Lemma integrated_where a b f k : interval a b -> (forall x, 0 < x -> continuous f x) -> (forall x, 0 < x -> continuous k x) ->
  exists F, integrated F (fun x => k x * within_only a b f x).
Proof.
  intros O CF CK. destruct (integrated_anyway (fun x => k x * f x)) as [F I].
  - intros x X. apply (continuous_mult k f); [apply CK | apply CF]; exact X.
  - exists (fun x => F (nearest a b x)). apply (integrated_as _ _ _ _ (fun _ _ => eq_refl)) with (2 := integrated_within a b F _ O I).
    intros x _. unfold within_only. destruct (inside_dec a b x); [reflexivity | ring].
Qed.

Lemma cut_above (F f : R -> R) y : 0 < y -> integrated F f ->
  integrated (fun x => F (nearest Zero (At y) x)) (fun x => if Rlt_dec x y then f x else 0).
Proof.
  intros Y I. apply (integrated_in_parts Zero (At y)); [exact Y | intros; contradiction | |].
  - intros x z X XZ InX InZ. rewrite !nearest_inside by assumption. destruct InZ as [_ H].
    apply (integral_same f _ x z (F z - F x)); [exact XZ | | reflexivity | apply I; assumption].
    intros t T. destruct (Rlt_dec t y); [reflexivity | lra].
  - intros x z X XZ After. rewrite !nearest_after by lra. apply integral_over_nothing; [exact XZ | | ring].
    intros t T. destruct (Rlt_dec t y); [lra | reflexivity].
Qed.
Lemma cut_below (F f : R -> R) y : 0 < y -> integrated F f ->
  integrated (fun x => F (nearest (At y) Beyond x)) (fun x => if Rlt_dec x y then 0 else f x).
Proof.
  intros Y I. apply (integrated_in_parts (At y) Beyond); [exact Y | | | intros; contradiction].
  - intros x z X XZ Before. rewrite !(nearest_before y Beyond) by (exact Y || lra). apply integral_over_nothing; [exact XZ | | ring].
    intros t T. destruct (Rlt_dec t y); [reflexivity | lra].
  - intros x z X XZ InX InZ. rewrite !nearest_inside by assumption. destruct InX as [H _].
    apply (integral_same f _ x z (F z - F x)); [exact XZ | | reflexivity | apply I; assumption].
    intros t T. destruct (Rlt_dec t y); [lra | reflexivity].
Qed.

(** * Totals and means, from antiderivatives along an interval *)

(** The density of a cost as an arc in that cost. *)
Definition spans_places (C : arc) (a b : place) : Prop :=
  match a with At l => from C = l /\ 0 < l | Zero => from C = 0 | Beyond => False end /\
  match b with At h => upto C = Finite h | Beyond => upto C = p_infty | Zero => False end.

Lemma added_tends (c k : R) : filterlim (fun y => y + k) (locally c) (locally (c + k)).
Proof. apply (ex_derive_continuous (V := R_NormedModule) (fun y => y + k) c). auto_derive. exact I. Qed.

Section OneCost.
Variables (C : arc) (a b : place) (charge : R -> R -> R) (f : R -> R) (F : along).
Hypotheses (ends : spans_places C a b) (ordered : interval a b) (continuous_f : forall x, 0 < x -> continuous f x).
Hypothesis same : forall x, inside_arc C x -> charge (cost0 C x) (cost1 C x) * likelihood C x = f x.
Hypothesis sums : integrates_along C charge F.

Lemma inside_is_within x : 0 < x -> strictly_within_places a b x -> inside_arc C x.
Proof.
  destruct ends as [A B]. intros X [Low High]. unfold inside_arc. destruct a as [| l |], b as [| h |]; try contradiction;
    rewrite B; simpl; repeat split; lra.
Qed.

Lemma adds_up_within : exists v, over_positive (within_only a b f) v.
Proof.
  destruct (integrated_anyway f continuous_f) as [G I]. destruct (between_ends a b ordered) as (m & M & InM).
  assert (Parallel : forall x, 0 < x -> strictly_within_places a b x -> G x = rise_along F x + (G m - rise_along F m)).
  { assert (Step : forall x y, 0 < x -> x <= y -> strictly_within_places a b x -> strictly_within_places a b y -> G y - G x = rise_along F y - rise_along F x).
    { intros x y X XY InX InY.
      assert (Between : forall z, x <= z <= y -> inside_arc C z).
      { intros z Z. apply inside_is_within; [lra |]. unfold strictly_within_places in *. destruct a, b; repeat split; try exact Logic.I; lra. }
      rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) f x y _ (I x y X XY)).
      apply (is_RInt_unique (V := R_CompleteNormedModule)). apply (between_bounds (rise_along F) f); [exact XY | | reflexivity].
      intros z Z. destruct (proj1 sums z (Between z Z)) as [D K]. split.
      - rewrite <- (same z (Between z Z)). exact D.
      - apply continuous_f. lra. }
    intros x X In. destruct (Rle_dec x m) as [L | L]; [pose proof (Step x m X L In InM) | pose proof (Step m x M ltac:(lra) InM In)]; lra. }
  destruct sums as (_ & Start & Stop & _). destruct ends as [A B]. set (k := G m - rise_along F m) in *.
  exists ((match b with At h => G h | _ => at_upto F + k end) - (match a with At l => G l | _ => at_from F + k end)).
  apply (over_positive_by_increments (fun x => G (nearest a b x)) (within_only a b f)).
  - apply integrated_within; assumption.
  - apply nearest_starts; [exact ordered |]. intros ->. simpl in A. rewrite A in Start.
    apply (filterlim_ext_loc (fun x => rise_along F x + k)).
    + apply filter_imp with (2 := right_of 0 m M). intros x X. symmetry. apply Parallel; [lra |].
      unfold strictly_within_places in *. destruct b; repeat split; try exact Logic.I; lra.
    + apply (filterlim_comp _ _ _ (rise_along F) (fun y => y + k) _ (locally (at_from F))); [exact Start |].
      apply added_tends.
  - apply nearest_ends; [exact ordered |]. intros ->. simpl in B. rewrite B in Stop. simpl in Stop.
    apply (filterlim_ext_loc (fun x => rise_along F x + k)).
    + exists m. intros x X. symmetry. apply Parallel; [lra |].
      unfold strictly_within_places in *. destruct a; repeat split; try exact Logic.I; lra.
    + apply (filterlim_comp _ _ _ (rise_along F) (fun y => y + k) _ (locally (at_upto F))); [exact Stop |].
      apply added_tends.
Qed.
End OneCost.

Lemma mean_within a b f : (exists v, over_positive (within_only a b (fun x => x * f x)) v) -> exists v, over_positive (fun x => x * within_only a b f x) v.
Proof.
  intros [v V]. exists v. apply (over_positive_ext (within_only a b (fun x => x * f x))); [| exact V].
  intros x _. unfold within_only. destruct (inside_dec a b x); [reflexivity | ring].
Qed.

(** * The expected costs of two independent costs exist *)

Section Two.
Variables (A : area) (a0 b0 a1 b1 : place) (f0 f1 : R -> R).
Hypotheses (product : product_of A a0 b0 f0 a1 b1 f1) (ordered0 : interval a0 b0) (ordered1 : interval a1 b1).
Hypotheses (continuous0 : forall x, 0 < x -> continuous f0 x) (continuous1 : forall x, 0 < x -> continuous f1 x).
Hypotheses (lawful0 : forall x, 0 < x -> 0 <= f0 x) (lawful1 : forall x, 0 < x -> 0 <= f1 x).
Local Notation g0 := (within_only a0 b0 f0).
Local Notation g1 := (within_only a1 b1 f1).
Variable total0 : R.
Hypotheses (sum0 : over_positive g0 total0) (sum1 : exists v, over_positive g1 v).
Hypothesis mean : (exists v, over_positive (fun x => x * g0 x) v) \/ (exists v, over_positive (fun x => x * g1 x) v).

Lemma only0_not_negative x : 0 < x -> 0 <= g0 x.
Proof. intro X. unfold within_only. destruct (inside_dec a0 b0 x); [apply lawful0, X | lra]. Qed.
Lemma only1_not_negative x : 0 < x -> 0 <= g1 x.
Proof. intro X. unfold within_only. destruct (inside_dec a1 b1 x); [apply lawful1, X | lra]. Qed.

Lemma part_of_total x y : 0 < x -> x <= y -> 0 <= RInt g0 x y <= total0.
Proof.
  intros X XY. destruct (integrated_where a0 b0 f0 (fun _ => 1) ordered0 continuous0 ltac:(intros; apply continuous_const)) as [F I].
  apply (part_below_whole 0 p_infty g0 g0 total0); [| | exact sum0 | exact X | exact XY | exact Logic.I].
  - intros s t S ST _. exists (F t - F s). apply (integral_same (fun x => 1 * g0 x) g0 s t (F t - F s) (F t - F s)); [exact ST | intros; ring | reflexivity | apply I; lra].
  - intros s S _. pose proof (only0_not_negative s S). lra.
Qed.

(** Below a cost the mean of the other one is finite, and continuous in that cost; and so is its tail from a cost on. *)
Lemma below_a_cost : exists G, (forall y, 0 < y -> continuous G y) /\
  forall y, 0 < y -> over_positive (fun x => if Rlt_dec x y then x * g0 x else 0) (G y).
Proof.
  destruct (integrated_where a0 b0 f0 (fun x => x) ordered0 continuous0 ltac:(intros; apply continuous_id)) as [H I].
  assert (Step : forall x y, 0 < x -> x <= y -> y <= 1 -> 0 <= H y - H x <= total0).
  { intros x y X XY Y. pose proof (part_of_total x y X XY) as Part.
    destruct (integrated_where a0 b0 f0 (fun _ => 1) ordered0 continuous0 ltac:(intros; apply continuous_const)) as [K J].
    assert (R0 : is_RInt g0 x y (RInt g0 x y)).
    { apply (RInt_correct (V := R_CompleteNormedModule)). exists (K y - K x).
      apply (integral_same (fun x => 1 * g0 x) g0 x y (K y - K x) (K y - K x)); [exact XY | intros; ring | reflexivity | apply J; lra]. }
    split.
    - apply (is_RInt_ge_0 (fun x => x * g0 x) x y); [exact XY | apply I; lra |]. intros s S. apply Rmult_le_pos; [lra | apply only0_not_negative; lra].
    - apply Rle_trans with (RInt g0 x y); [| lra]. apply (is_RInt_le (fun x => x * g0 x) g0 x y); [exact XY | apply I; lra | exact R0 |].
      intros s S. pose proof (only0_not_negative s ltac:(lra)). rewrite <- (Rmult_1_l (g0 s)) at 2. apply Rmult_le_compat_r; lra. }
  assert (Start : exists bottom, filterlim H (at_right 0) (locally bottom)).
  { apply (rising_has_start 0 (Finite 1) Rlt_0_1 H (H 1 - total0) (H 1)).
    - intros x y X XY Y. simpl in Y. pose proof (Step x y X XY ltac:(lra)). lra.
    - intros x X Y. simpl in Y. pose proof (Step x 1 X ltac:(lra) ltac:(lra)). lra. }
  destruct Start as [bottom Bottom]. exists (fun y => H y - bottom). split.
  - intros y Y. apply (continuous_minus (V := R_NormedModule)); [apply (integrated_is_continuous H _ y I Y) | apply continuous_const].
  - intros y Y. apply (over_positive_by_increments (fun x => H (nearest Zero (At y) x))).
    + apply cut_above; assumption.
    + exact (nearest_starts Zero (At y) H bottom Y (fun _ => Bottom)).
    + exact (nearest_ends Zero (At y) H 0 Y ltac:(discriminate)).
Qed.
Lemma from_a_cost_on : exists S, (forall y, 0 < y -> continuous S y) /\
  forall y, 0 < y -> over_positive (fun x => if Rlt_dec x y then 0 else g0 x) (S y).
Proof.
  destruct (integrated_where a0 b0 f0 (fun _ => 1) ordered0 continuous0 ltac:(intros; apply continuous_const)) as [K J].
  assert (I : integrated K g0) by (apply (integrated_as K _ K _ (fun _ _ => eq_refl)) with (2 := J); intros; ring).
  assert (Step : forall x y, 0 < x -> x <= y -> 0 <= K y - K x <= total0).
  { intros x y X XY. pose proof (part_of_total x y X XY) as Part. rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) g0 x y _ (I x y X XY)). exact Part. }
  assert (Stop : exists top, filterlim K (toward p_infty) (locally top)).
  { apply (rising_has_limit 0 p_infty Logic.I K (K 1 - total0) (K 1 + total0)).
    - intros x y X XY _. pose proof (Step x y X XY). lra.
    - intros x X _. destruct (Rle_dec x 1); [pose proof (Step x 1 X ltac:(lra)) | pose proof (Step 1 x Rlt_0_1 ltac:(lra))]; lra. }
  destruct Stop as [top Top]. exists (fun y => top - K y). split.
  - intros y Y. apply (continuous_minus (V := R_NormedModule)); [apply continuous_const | apply (integrated_is_continuous K _ y I Y)].
  - intros y Y. apply (over_positive_by_increments (fun x => K (nearest (At y) Beyond x))).
    + apply cut_below; assumption.
    + exact (nearest_starts (At y) Beyond K 0 Y ltac:(discriminate)).
    + exact (nearest_ends (At y) Beyond K top Y (fun _ => Top)).
Qed.

Variable p : R.
Hypothesis Unit : 0 < p < 1.
Local Notation ray c1 := (p * c1 / (1 - p)).

Lemma ray_is_positive c1 : 0 < c1 -> 0 < ray c1.
Proof. intro C. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra. Qed.

(** What is integrated over the other cost can be integrated again if it lies below a multiple of something. *)
Lemma second_integral (k bound : R -> R) v : (forall y, 0 < y -> continuous k y) -> (forall x, 0 < x -> 0 <= k x <= bound x) ->
  over_positive (fun x => bound x * g1 x) v -> exists w, over_positive (fun x => k x * g1 x) w.
Proof.
  intros K B V. destruct (integrated_where a1 b1 f1 k ordered1 continuous1 K) as [F I].
  apply (dominated_has_integral 0 p_infty Logic.I (fun x => k x * g1 x) (fun x => bound x * g1 x) v); [| | exact V].
  - intros x y X XY _. exists (F y - F x). apply I; assumption.
  - intros x X _. pose proof (only1_not_negative x X). destruct (B x X). split; [apply Rmult_le_pos; assumption | apply Rmult_le_compat_r; assumption].
Qed.

Lemma of_two_factors pay c1 h (v : R) : 0 < c1 -> (forall c0, 0 < c0 -> pay c0 c1 * g0 c0 = h c0) -> over_positive h v ->
  over_positive (paid A pay c1) (v * g1 c1).
Proof.
  intros C E V. apply (over_positive_ext (fun c0 => g1 c1 * h c0)).
  - intros c0 C0. rewrite <- E by exact C0. destruct (product c0 c1 C0 C) as [D H]. unfold paid, within_only. rewrite D.
    destruct (indicator_cases (region A c0 c1)) as [[Held ->] | [Not ->]].
    + apply H in Held. destruct (inside_dec a0 b0 c0), (inside_dec a1 b1 c1); try tauto. ring.
    + destruct (inside_dec a0 b0 c0), (inside_dec a1 b1 c1); try tauto; ring.
  - replace (v * g1 c1) with (g1 c1 * v) by ring. exact (is_RInt_gen_scal _ (g1 c1) _ V).
Qed.

Lemma on_the_ray (k : R -> R) y : (forall y, 0 < y -> continuous k y) -> 0 < y -> continuous (fun y => k (ray y)) y.
Proof.
  intros K Y. apply (continuous_comp (fun y => ray y) k); [| apply K, ray_is_positive, Y].
  apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
Qed.

Lemma below_not_negative y x : 0 < x -> 0 <= (if Rlt_dec x y then x * g0 x else 0).
Proof. intro X. pose proof (only0_not_negative x X). destruct (Rlt_dec x y); [apply Rmult_le_pos |]; lra. Qed.
Lemma rest_not_negative y x : 0 < x -> 0 <= (if Rlt_dec x y then 0 else g0 x).
Proof. intro X. pose proof (only0_not_negative x X). destruct (Rlt_dec x y); lra. Qed.

Lemma class0_exists : exists v, over_areas [A] (pay0 p) v.
Proof.
  destruct below_a_cost as (G & CG & IG).
  assert (Some : exists w, over_positive (fun c1 => G (ray c1) * g1 c1) w).
  { destruct mean as [[m M] | [m M]].
    - destruct sum1 as [v V]. apply (second_integral _ (fun _ => m) (m * v)); [intros y Y; apply on_the_ray; assumption | |].
      + intros x X. pose proof (ray_is_positive x X) as P. split.
        * apply (over_positive_not_negative _ _ (below_not_negative (ray x)) (IG _ P)).
        * refine (over_positive_le _ _ _ _ _ (IG _ P) M). intros c C. pose proof (only0_not_negative c C).
          destruct (Rlt_dec c (ray x)); [apply Rle_refl | apply Rmult_le_pos; lra].
      + exact (is_RInt_gen_scal _ m _ V).
    - apply (second_integral _ (fun x => p / (1 - p) * total0 * x) (p / (1 - p) * total0 * m)); [intros y Y; apply on_the_ray; assumption | |].
      + intros x X. pose proof (ray_is_positive x X) as P. split.
        * apply (over_positive_not_negative _ _ (below_not_negative (ray x)) (IG _ P)).
        * replace (p / (1 - p) * total0 * x) with (ray x * total0) by (field; lra).
          refine (over_positive_le _ _ _ _ _ (IG _ P) (is_RInt_gen_scal _ (ray x) _ sum0)). intros c C. pose proof (only0_not_negative c C).
          change (scal (ray x) (g0 c)) with (ray x * g0 c). destruct (Rlt_dec c (ray x)); [apply Rmult_le_compat_r; lra | apply Rmult_le_pos; lra].
      + apply (over_positive_ext (fun x => p / (1 - p) * total0 * (x * g1 x))); [intros; ring | exact (is_RInt_gen_scal _ (p / (1 - p) * total0) _ M)]. }
  destruct Some as [w W]. exists (w + 0). exists w, 0. split; [| split; reflexivity].
  exists (fun c1 => G (ray c1) * g1 c1). split; [| exact W]. intros c1 C1. pose proof (ray_is_positive c1 C1) as P.
  apply (of_two_factors (pay0 p) c1 _ _ C1) with (2 := IG _ P). intros c0 C0.
  destruct (Rlt_dec c0 (ray c1)) as [L | L]; [rewrite pays0_below by assumption; ring | rewrite pays0_above by (assumption || lra); ring].
Qed.
Lemma class1_exists : exists v, over_areas [A] (pay1 p) v.
Proof.
  destruct from_a_cost_on as (S & CS & IS).
  assert (Tail : forall x, 0 < x -> 0 <= S (ray x)).
  { intros x X. apply (over_positive_not_negative _ _ (rest_not_negative (ray x)) (IS _ (ray_is_positive x X))). }
  assert (Some : exists w, over_positive (fun c1 => c1 * S (ray c1) * g1 c1) w).
  { assert (K : forall y, 0 < y -> continuous (fun c1 => c1 * S (ray c1)) y)
      by (intros y Y; apply (continuous_mult (fun c1 => c1) (fun c1 => S (ray c1))); [apply continuous_id | apply on_the_ray; assumption]).
    destruct mean as [[m M] | [m M]].
    - destruct sum1 as [v V]. apply (second_integral _ (fun _ => (1 - p) / p * m) ((1 - p) / p * m * v) K); [| exact (is_RInt_gen_scal _ ((1 - p) / p * m) _ V)].
      intros x X. pose proof (ray_is_positive x X) as P. split; [apply Rmult_le_pos; [lra | apply Tail, X] |].
      refine (over_positive_le _ _ _ _ _ (is_RInt_gen_scal _ x _ (IS _ P)) (is_RInt_gen_scal _ ((1 - p) / p) _ M)). intros c C.
      pose proof (only0_not_negative c C). change (x * (if Rlt_dec c (ray x) then 0 else g0 c) <= (1 - p) / p * (c * g0 c)).
      assert (W : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra). destruct (Rlt_dec c (ray x)) as [L | L].
      + rewrite Rmult_0_r. apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra].
      + rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [assumption |].
        replace x with ((1 - p) / p * ray x) by (field; lra). apply Rmult_le_compat_l; lra.
    - apply (second_integral _ (fun x => total0 * x) (total0 * m) K).
      + intros x X. pose proof (ray_is_positive x X) as P. split; [apply Rmult_le_pos; [lra | apply Tail, X] |].
        rewrite (Rmult_comm total0). apply Rmult_le_compat_l; [lra |].
        refine (over_positive_le _ _ _ _ _ (IS _ P) sum0). intros c C. pose proof (only0_not_negative c C). destruct (Rlt_dec c (ray x)); lra.
      + apply (over_positive_ext (fun x => total0 * (x * g1 x))); [intros; ring | exact (is_RInt_gen_scal _ total0 _ M)]. }
  destruct Some as [w W]. exists (w + 0). exists w, 0. split; [| split; reflexivity].
  exists (fun c1 => c1 * S (ray c1) * g1 c1). split; [| exact W]. intros c1 C1. pose proof (ray_is_positive c1 C1) as P.
  apply (of_two_factors (pay1 p) c1 (fun c0 => c1 * (if Rlt_dec c0 (ray c1) then 0 else g0 c0)) _ C1) with (2 := is_RInt_gen_scal _ c1 _ (IS _ P)). intros c0 C0.
  destruct (Rlt_dec c0 (ray c1)) as [L | L]; [rewrite pays1_below by assumption; ring | rewrite pays1_above by (assumption || lra); ring].
Qed.
End Two.

Theorem separate_costs_exist A a0 b0 a1 b1 (f0 f1 : R -> R) : product_of A a0 b0 f0 a1 b1 f1 -> interval a0 b0 -> interval a1 b1 ->
  (forall x, 0 < x -> 0 < f0 x /\ continuous f0 x) -> (forall x, 0 < x -> 0 < f1 x /\ continuous f1 x) ->
  (exists v, over_positive (within_only a0 b0 f0) v) -> (exists v, over_positive (within_only a1 b1 f1) v) ->
  (exists v, over_positive (fun x => x * within_only a0 b0 f0 x) v) \/ (exists v, over_positive (fun x => x * within_only a1 b1 f1 x) v) ->
  costs_exist_over (over_areas [A]).
Proof.
  intros Product O0 O1 D0 D1 [v V] S1 M p P.
  assert (C0 : forall x, 0 < x -> continuous f0 x) by (intros x X; apply D0, X).
  assert (C1 : forall x, 0 < x -> continuous f1 x) by (intros x X; apply D1, X).
  assert (N0 : forall x, 0 < x -> 0 <= f0 x) by (intros x X; apply Rlt_le, D0, X).
  assert (N1 : forall x, 0 < x -> 0 <= f1 x) by (intros x X; apply Rlt_le, D1, X).
  split; [apply (class0_exists A a0 b0 a1 b1 f0 f1) with v | apply (class1_exists A a0 b0 a1 b1 f0 f1) with v]; assumption.
Qed.

(** * Costs whose density is a sum of multiples of such products *)

Fixpoint sum_of (parts : list (R * (R -> R -> R))) (c0 c1 : R) : R :=
  match parts with nil => 0 | (k, d) :: others => k * d c0 c1 + sum_of others c0 c1 end.

Lemma sum_exists A0 pay parts : List.Forall (fun part => exists v, over_areas [Area (snd part) A0] pay v) parts ->
  exists v, over_area (Area (sum_of parts) A0) pay v.
Proof.
  induction 1 as [| [k d] others [v (a & b & (f & F & F') & -> & _)] _ [w (g & G & G')]].
  - exists 0, (fun _ => 0). split; [| apply over_positive_zero; reflexivity].
    intros c1 _. apply over_positive_zero. intros c0 _. unfold paid. cbn [region density sum_of]. ring.
  - exists (k * a + 1 * w), (fun c1 => k * f c1 + 1 * g c1). split; [| apply over_positive_combined; assumption].
    intros c1 C1. apply (over_positive_ext (fun c0 => k * paid (Area d A0) pay c1 c0 + 1 * paid (Area (sum_of others) A0) pay c1 c0)).
    + intros c0 _. unfold paid. cbn [region density sum_of]. ring.
    + apply over_positive_combined; [apply F | apply G]; exact C1.
Qed.

Theorem costs_of_sum_exist A parts : (forall c0 c1, 0 < c0 -> 0 < c1 -> density A c0 c1 = sum_of parts c0 c1) ->
  List.Forall (fun part => costs_exist_over (over_areas [Area (snd part) (region A)])) parts -> costs_exist_over (over_areas [A]).
Proof.
  intros E H p P.
  assert (Each : forall pay, List.Forall (fun part => exists v, over_areas [Area (snd part) (region A)] pay v) parts ->
    exists v, over_areas [A] pay v).
  { intros pay K. destruct (sum_exists (region A) pay parts K) as (v & f & F & F'). exists (v + 0), v, 0.
    split; [| split; reflexivity]. exists f. split; [| exact F']. intros c1 C1.
    apply (over_positive_ext) with (2 := F c1 C1). intros c0 C0. unfold paid. cbn [region density]. rewrite E by assumption. reflexivity. }
  split; apply Each; revert H; apply List.Forall_impl; intros part K; [exact (proj1 (K p P)) | exact (proj2 (K p P))].
Qed.

(** A density that is never below a multiple of another one is positive where that one is. *)
Lemma spread_if_above A d k low high : 0 < k ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> hold (region A c0 c1) -> k * d c0 c1 <= density A c0 c1) ->
  spread_between low high [Area d (region A)] -> spread_between low high [A].
Proof.
  intros K Above Spread t T. destruct (Spread t T) as (x & y & X & Y & E & Dense). exists x, y. repeat split; try assumption.
  apply List.Exists_cons_hd. apply List.Exists_cons in Dense. destruct Dense as [(e & Pos & Near) | Dense]; [| inversion Dense].
  set (m := Rmin (Rmin x y) (Rmin e (k * e))).
  assert (M : 0 < m) by (apply Rmin_glb_lt; apply Rmin_glb_lt; try assumption; apply Rmult_lt_0_compat; assumption).
  assert (m <= x /\ m <= y /\ m <= e /\ m <= k * e).
  { unfold m. pose proof (Rmin_l (Rmin x y) (Rmin e (k * e))). pose proof (Rmin_r (Rmin x y) (Rmin e (k * e))).
    pose proof (Rmin_l x y). pose proof (Rmin_r x y). pose proof (Rmin_l e (k * e)). pose proof (Rmin_r e (k * e)). lra. }
  exists m. split; [exact M |]. intros c0 c1 C0 C1. destruct (Near c0 c1) as [Held D]; [lra | lra |]. cbn [region density] in *.
  split; [exact Held |]. apply Rle_trans with (k * e); [lra |]. apply Rle_trans with (k * d c0 c1); [apply Rmult_le_compat_l; lra |].
  apply Above; [lra | lra | exact Held].
Qed.
