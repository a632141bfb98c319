(** What a law of costs says by itself: that the expected costs exist, and where they are strictly proper.

    No loss, weight or slope is needed, so that a rule without closed forms has these theorems too. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AllReports Tails Areas Spread Strips Cuts ClosedForms Arcs Independent.
Import ListNotations.
Open Scope R_scope.

(** * Integrals between two ends of what is not negative and lies below something that has one *)

Lemma toward_within (z : R) b : Rbar_lt z b -> toward b (fun x => z < x /\ Rbar_lt x b).
Proof.
  intro H. destruct b as [h | |]; simpl in *; [| | contradiction].
  - apply filter_imp with (2 := left_of z h H). intros x X. exact X.
  - exists z. intros x X. split; [exact X | exact I].
Qed.

Section Between.
Variables (a : R) (b : Rbar).
Hypothesis ordered : Rbar_lt a b.
Local Notation integral f value := (is_RInt_gen (V := R_NormedModule) f (at_right a) (toward b) value).

Lemma some_between : exists m, a < m /\ Rbar_lt m b.
Proof. destruct (filter_ex _ (toward_within a b ordered)) as [m M]. exists m. exact M. Qed.

Section Rising.
Variables (f : R -> R) (least most : R).
Hypothesis rises : forall x y, a < x -> x <= y -> Rbar_lt y b -> f x <= f y.
Hypothesis bounded : forall x, a < x -> Rbar_lt x b -> least <= f x <= most.

Lemma rising_has_limit : exists top, filterlim f (toward b) (locally top).
Proof.
  destruct (completeness (fun r => exists x, a < x /\ Rbar_lt x b /\ f x = r)) as [top [Upper Least]].
  - exists most. intros r (x & X & Y & <-). apply bounded; assumption.
  - destruct some_between as (m & A & B). exists (f m), m. repeat split; assumption.
  - exists top. intros P [e H]. pose proof (cond_pos e) as E.
    assert (Near : exists x, a < x /\ Rbar_lt x b /\ top - e < f x).
    { apply Classical_Prop.NNPP. intro No. assert (top <= top - e); [| lra]. apply Least.
      intros r (x & X & Y & <-). apply Rnot_lt_le. intro K. apply No. exists x. repeat split; assumption. }
    destruct Near as (x & X & Y & K). apply filter_imp with (2 := toward_within x b Y). intros y [XY YB].
    apply H, ball_between. pose proof (rises x y X (Rlt_le _ _ XY) YB).
    assert (f y <= top); [| lra]. apply Upper. exists y. repeat split; [lra | exact YB].
Qed.
Lemma rising_has_start : exists bottom, filterlim f (at_right a) (locally bottom).
Proof.
  destruct (completeness (fun r => exists x, a < x /\ Rbar_lt x b /\ - f x = r)) as [top [Upper Least]].
  - exists (- least). intros r (x & X & Y & <-). pose proof (bounded x X Y). lra.
  - destruct some_between as (m & A & B). exists (- f m), m. repeat split; assumption.
  - exists (- top). intros P [e H]. pose proof (cond_pos e) as E.
    assert (Near : exists x, a < x /\ Rbar_lt x b /\ f x < - top + e).
    { apply Classical_Prop.NNPP. intro No. assert (top <= top - e); [| lra]. apply Least.
      intros r (x & X & Y & <-). apply Rnot_lt_le. intro K. apply No. exists x. repeat split; [exact X | exact Y | lra]. }
    destruct Near as (x & X & Y & K). apply filter_imp with (2 := right_of a x X). intros y [AY YX].
    assert (YB : Rbar_lt y b) by (apply (before_end y x); [lra | exact Y]).
    apply H, ball_between. pose proof (rises y x AY (Rlt_le _ _ YX) Y).
    assert (- f y <= top); [| lra]. apply Upper. exists y. repeat split; assumption.
Qed.
End Rising.

Section Dominated.
Variables (f g : R -> R) (v : R).
Hypothesis integrable : forall x y, a < x -> x <= y -> Rbar_lt y b -> ex_RInt f x y.
Hypothesis bounds : forall x, a < x -> Rbar_lt x b -> 0 <= f x <= g x.
Hypothesis whole : integral g v.

Lemma part_below_whole x y : a < x -> x <= y -> Rbar_lt y b -> 0 <= RInt f x y <= v.
Proof.
  intros X XY Y. pose proof (RInt_correct (V := R_CompleteNormedModule) f x y (integrable x y X XY Y)) as Part.
  split.
  - apply (is_RInt_ge_0 f x y); [exact XY | exact Part |]. intros s S. apply bounds; [lra |]. apply (before_end s y); [lra | exact Y].
  - apply Rnot_lt_le. intro Less. assert (M : 0 < RInt f x y - v) by lra.
    assert (Ends : filter_prod (at_right a) (toward b) (fun xy => a < fst xy < x /\ y < snd xy /\ Rbar_lt (snd xy) b)).
    { exists (fun s => a < s < x) (fun s => y < s /\ Rbar_lt s b); [apply right_of, X | apply toward_within, Y |].
      intros s t S T. split; [exact S | exact T]. }
    destruct (filter_ex _ (filter_and _ _ Ends (whole _ (locally_ball v (mkposreal _ M)))))
      as ((s & t) & (S & T & TB) & z & Z & Near).
    apply ball_between in Near. cbn [fst snd pos] in *. assert (RInt f x y <= z); [| lra].
    assert (Inside : forall r, s < r < t -> a < r /\ Rbar_lt r b).
    { intros r R'. split; [lra |]. apply (before_end r t); [lra | exact TB]. }
    pose proof (RInt_correct (V := R_CompleteNormedModule) f s t ltac:(apply integrable; [lra | lra | exact TB])) as Wide.
    apply Rle_trans with (RInt f s t).
    + apply (part_is_less f x y s t); try assumption; try lra. intros r R'. apply bounds; apply Inside, R'.
    + apply (is_RInt_le f g s t); [lra | exact Wide | exact Z |]. intros r R'. apply bounds; apply Inside, R'.
Qed.

Lemma dominated_has_integral : exists w, integral f w.
Proof.
  destruct some_between as (m & A & B).
  assert (Ex : forall x, a < x -> Rbar_lt x b -> ex_RInt f m x).
  { intros x X Y. destruct (Rle_dec m x); [apply integrable; assumption |]. apply ex_RInt_swap, integrable; [exact X | lra | exact B]. }
  assert (Rise : forall x y, a < x -> x <= y -> Rbar_lt y b -> RInt f x y = RInt f m y - RInt f m x).
  { intros x y X XY Y. assert (XB : Rbar_lt x b) by (apply (before_end x y); assumption).
    pose proof (RInt_Chasles (V := R_CompleteNormedModule) f m x y (Ex x X XB) (integrable x y X XY Y)) as Sum.
    change (plus (RInt f m x) (RInt f x y)) with (RInt f m x + RInt f x y) in Sum. lra. }
  assert (Point : RInt f m m = 0) by exact (RInt_point (V := R_CompleteNormedModule) m f).
  assert (Rises : forall x y, a < x -> x <= y -> Rbar_lt y b -> RInt f m x <= RInt f m y).
  { intros x y X XY Y. pose proof (part_below_whole x y X XY Y). rewrite (Rise x y X XY Y) in *. lra. }
  assert (Bounded : forall x, a < x -> Rbar_lt x b -> - v <= RInt f m x <= v).
  { intros x X Y. destruct (Rle_dec m x) as [MX | XM].
    - pose proof (part_below_whole m x A MX Y). lra.
    - assert (XM' : x <= m) by lra. pose proof (part_below_whole x m X XM' B) as Part. rewrite (Rise x m X XM' B) in Part. lra. }
  destruct (rising_has_limit _ _ _ Rises Bounded) as [top Top], (rising_has_start _ _ _ Rises Bounded) as [bottom Bottom].
  exists (top - bottom). apply (between_by_increments a b ordered (fun x => RInt f m x)); try assumption.
  intros x y X XY Y. rewrite <- (Rise x y X XY Y). apply (RInt_correct (V := R_CompleteNormedModule)), integrable; assumption.
Qed.
End Dominated.

Lemma between_at_least f value x y k : a < x -> x <= y -> Rbar_lt y b -> (forall s, a < s -> Rbar_lt s b -> 0 <= f s) ->
  (forall s, x < s < y -> k <= f s) -> integral f value -> k * (y - x) <= value.
Proof.
  intros X XY Y N H I. apply Rnot_lt_le. intro Less. assert (M : 0 < k * (y - x) - value) by lra.
  assert (Ends : filter_prod (at_right a) (toward b) (fun xy => a < fst xy < x /\ y < snd xy /\ Rbar_lt (snd xy) b)).
  { exists (fun s => a < s < x) (fun s => y < s /\ Rbar_lt s b); [apply right_of, X | apply toward_within, Y |].
    intros s t S T. split; [exact S | exact T]. }
  destruct (filter_ex _ (filter_and _ _ Ends (I _ (locally_ball value (mkposreal _ M))))) as ((s & t) & (S & T & TB) & z & Z & Near).
  apply ball_between in Near. cbn [fst snd pos] in *. assert (k * (y - x) <= z); [| lra].
  apply (integral_at_least f s t); try lra; [| exact H | exact Z].
  intros c C. apply N; [lra |]. apply (before_end c t); [lra | exact TB].
Qed.
End Between.

(** What is one continuous function up to a place, and another one from it on, has integrals. *)
Lemma integrable_in_two (f l r : R -> R) z x y : x <= y -> (forall s, x <= s <= y -> continuous l s /\ continuous r s) ->
  (forall s, x < s < y -> (s < z -> f s = l s) /\ (z < s -> f s = r s)) -> ex_RInt f x y.
Proof.
  intros XY K E.
  assert (Before : forall t, x <= t <= y -> t <= z -> ex_RInt f x t).
  { intros t T Z. apply ex_RInt_ext with l.
    - rewrite Rmin_left, Rmax_right by lra. intros s S. symmetry. apply E; lra.
    - apply (ex_RInt_continuous (V := R_CompleteNormedModule)). rewrite Rmin_left, Rmax_right by lra. intros s S. apply K; lra. }
  assert (After : forall t, x <= t <= y -> z <= t -> ex_RInt f t y).
  { intros t T Z. apply ex_RInt_ext with r.
    - rewrite Rmin_left, Rmax_right by lra. intros s S. symmetry. apply E; lra.
    - apply (ex_RInt_continuous (V := R_CompleteNormedModule)). rewrite Rmin_left, Rmax_right by lra. intros s S. apply K; lra. }
  destruct (Rle_dec z x); [apply After; lra |]. destruct (Rle_dec y z); [apply Before; lra |].
  apply (ex_RInt_Chasles (V := R_NormedModule) f x z y); [apply Before | apply After]; lra.
Qed.

(** * Expected costs along an arc *)

Definition continuous_arc (C : arc) : Prop := forall x, inside_arc C x ->
  continuous (cost0 C) x /\ continuous (cost1 C) x /\ continuous (likelihood C) x.
(** The threshold rises with the parameter, or falls. *)
Definition settles (C : arc) : Prop :=
  (forall x y, inside_arc C x -> inside_arc C y -> x <= y -> cost0 C x * cost1 C y <= cost0 C y * cost1 C x) \/
  (forall x y, inside_arc C x -> inside_arc C y -> x <= y -> cost0 C y * cost1 C x <= cost0 C x * cost1 C y).
(** The mean of one of both costs is finite. *)
Definition has_a_mean (C : arc) : Prop :=
  (exists v, over_arc C (fun c0 _ => c0) v) \/ (exists v, over_arc C (fun _ c1 => c1) v).

Section Turning.
Variable C : arc.
Hypothesis lawful : lawful_arc C.

(** What holds at all parameters below one at which it holds does so up to a place. *)
Lemma holds_up_to (D : R -> Prop) : (forall x y, inside_arc C x -> inside_arc C y -> x <= y -> D y -> D x) ->
  (forall x, inside_arc C x -> D x) \/ (forall x, inside_arc C x -> ~ D x) \/
  exists z, from C <= z /\ Rbar_le z (upto C) /\ forall x, inside_arc C x -> (x < z -> D x) /\ (z < x -> ~ D x).
Proof.
  intro Down. destruct (Classical_Prop.classic (forall x, inside_arc C x -> D x)) as [All | Some]; [left; exact All | right].
  destruct (Classical_Prop.classic (forall x, inside_arc C x -> ~ D x)) as [None | One]; [left; exact None | right].
  assert (Out : exists y, inside_arc C y /\ ~ D y).
  { apply Classical_Prop.NNPP. intro No. apply Some. intros x X. apply Classical_Prop.NNPP. intro N. apply No. exists x. split; assumption. }
  assert (In : exists x, inside_arc C x /\ D x).
  { apply Classical_Prop.NNPP. intro No. apply One. intros x X N. apply No. exists x. split; assumption. }
  destruct Out as (y & Y & NY), In as (x & X & DX).
  destruct (completeness (fun s => inside_arc C s /\ D s)) as [z [Upper Least]].
  - exists y. intros s [S DS]. apply Rnot_lt_le. intro L. apply NY. apply (Down y s); try assumption. lra.
  - exists x. split; assumption.
  - exists z. pose proof (Upper x (conj X DX)). destruct X as (_ & FX & _).
    assert (ZY : z <= y).
    { apply Least. intros s [S DS]. apply Rnot_lt_le. intro L. apply NY. apply (Down y s); try assumption. lra. }
    split; [lra |]. split; [apply Rbar_lt_le, (before_end z y); [exact ZY | apply Y] |].
    intros s S. split; intro L.
    + apply Classical_Prop.NNPP. intro N. assert (z <= s); [| lra]. apply Least. intros t [T DT]. apply Rnot_lt_le.
      intro K. apply N. apply (Down s t); try assumption. lra.
    + intro DS. pose proof (Upper s (conj S DS)). lra.
Qed.

Lemma settles_turns p : 0 < p < 1 -> settles C -> exists t, turns C p t.
Proof.
  intros P [Rises | Falls].
  - destruct (holds_up_to (fun x => cost0 C x < p * cost1 C x / (1 - p))) as [All | [None | (z & A & B & H)]].
    + intros x y X Y XY D. pose proof (proj2 lawful x X) as (_ & X1 & _). pose proof (proj2 lawful y Y) as (_ & Y1 & _).
      apply (Rmult_lt_reg_r (cost1 C y)); [exact Y1 |]. apply Rle_lt_trans with (1 := Rises x y X Y XY).
      replace (p * cost1 C x / (1 - p) * cost1 C y) with (p * cost1 C y / (1 - p) * cost1 C x) by (field; lra).
      apply Rmult_lt_compat_r; assumption.
    + exists Always. exact All.
    + exists Never. intros x X. apply Rnot_lt_le, None, X.
    + exists (Rising z). split; [exact A |]. split; [exact B |]. intros x X. destruct (H x X) as [U V].
      split; [exact U |]. intro Z. apply Rnot_lt_le, V, Z.
  - destruct (holds_up_to (fun x => p * cost1 C x / (1 - p) <= cost0 C x)) as [All | [None | (z & A & B & H)]].
    + intros x y X Y XY D. pose proof (proj2 lawful x X) as (_ & X1 & _). pose proof (proj2 lawful y Y) as (_ & Y1 & _).
      apply (Rmult_le_reg_r (cost1 C y)); [exact Y1 |]. apply Rle_trans with (2 := Falls x y X Y XY).
      replace (p * cost1 C x / (1 - p) * cost1 C y) with (p * cost1 C y / (1 - p) * cost1 C x) by (field; lra).
      apply Rmult_le_compat_r; lra.
    + exists Never. exact All.
    + exists Always. intros x X. apply Rnot_le_lt, None, X.
    + exists (Falling z). split; [exact A |]. split; [exact B |]. intros x X. destruct (H x X) as [U V].
      split; [exact U |]. intro Z. apply Rnot_le_lt, V, Z.
Qed.
End Turning.

(** The quotient of both costs shows it, by its slope. *)
Lemma settles_by C (r slope : R -> R) (rises : bool) : lawful_arc C ->
  (forall x, inside_arc C x -> cost0 C x = r x * cost1 C x) ->
  (forall x, inside_arc C x -> is_derive r x (slope x) /\ if rises then 0 <= slope x else 0 <= - slope x) -> settles C.
Proof.
  intros [[Z _] L] E D.
  assert (Ordered : forall k x y, inside_arc C x -> inside_arc C y -> x <= y ->
    (forall s, inside_arc C s -> 0 <= k * slope s) -> k * r x <= k * r y).
  { intros k x y X Y XY N. apply (rises_weakly (fun s => k * r s) (fun s => k * slope s)); [exact XY |]. intros s S.
    assert (In : inside_arc C s).
    { destruct X as (X & FX & _), Y as (_ & _ & YU). repeat split; [lra | lra |]. apply (before_end s y); [apply S | exact YU]. }
    split; [apply (is_derive_scal r s k), D, In | apply N, In]. }
  destruct rises; [left | right]; intros x y X Y XY; rewrite (E x X), (E y Y);
    destruct (L x X) as (_ & X1 & _), (L y Y) as (_ & Y1 & _); assert (0 < cost1 C x * cost1 C y) by (apply Rmult_lt_0_compat; assumption).
  - pose proof (Ordered 1 x y X Y XY ltac:(intros s S; pose proof (proj2 (D s S)); lra)).
    assert (r x * (cost1 C x * cost1 C y) <= r y * (cost1 C x * cost1 C y)) by (apply Rmult_le_compat_r; lra). lra.
  - pose proof (Ordered (-1) x y X Y XY ltac:(intros s S; pose proof (proj2 (D s S)); lra)).
    assert (r y * (cost1 C x * cost1 C y) <= r x * (cost1 C x * cost1 C y)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Section Along.
Variables (C : arc) (p : R).
Hypothesis Unit : 0 < p < 1.
Hypothesis lawful : lawful_arc C.
Hypothesis continuous_along : continuous_arc C.
Hypothesis settled : settles C.

Definition decided (class1 : bool) (x : R) : Prop :=
  if class1 then cost0 C x < p * cost1 C x / (1 - p) else p * cost1 C x / (1 - p) <= cost0 C x.
Definition due0 (class1 : bool) (x : R) : R := (if class1 then cost0 C x else 0) * likelihood C x.
Definition due1 (class1 : bool) (x : R) : R := (if class1 then 0 else cost1 C x) * likelihood C x.

Lemma decided_in_two : exists z before after, forall x, inside_arc C x -> (x < z -> decided before x) /\ (z < x -> decided after x).
Proof.
  destruct (settles_turns C lawful p Unit settled) as [[z | z | |] T]; simpl in T.
  - exists z, true, false. apply T.
  - exists z, false, true. apply T.
  - exists 0, true, true. intros x X. split; intros _; apply T, X.
  - exists 0, false, false. intros x X. split; intros _; apply T, X.
Qed.
Lemma paid_as_decided b x : inside_arc C x -> decided b x ->
  on_arc (pay0 p) C x = due0 b x /\ on_arc (pay1 p) C x = due1 b x.
Proof.
  intros X D. unfold on_arc, due0, due1. destruct b.
  - destruct (class1 C p Unit lawful x X D) as [-> ->]. split; reflexivity.
  - destruct (class0 C p Unit lawful x X D) as [-> ->]. split; reflexivity.
Qed.
Lemma due_continuously b x : inside_arc C x -> continuous (due0 b) x /\ continuous (due1 b) x.
Proof.
  intro X. destruct (continuous_along x X) as (K0 & K1 & L).
  assert (N : continuous (fun s => 0 * likelihood C s) x) by (apply (continuous_mult (fun _ => 0)); [apply continuous_const | exact L]).
  destruct b; (split; [first [exact N | apply (continuous_mult (cost0 C)); assumption] | first [exact N | apply (continuous_mult (cost1 C)); assumption]]).
Qed.

Lemma report_is_integrable x y : from C < x -> x <= y -> Rbar_lt y (upto C) -> ex_RInt (on_arc (pay0 p) C) x y /\ ex_RInt (on_arc (pay1 p) C) x y.
Proof.
  intros X XY Y. destruct decided_in_two as (z & before & after & H).
  assert (In : forall s, x <= s <= y -> inside_arc C s) by (intros s S; apply (inside_between C (proj1 lawful) x y); assumption).
  split.
  - apply (integrable_in_two _ (due0 before) (due0 after) z); [exact XY | intros s S; split; apply due_continuously, In, S |].
    intros s S. assert (I : inside_arc C s) by (apply In; lra). split; intro Z; apply paid_as_decided; try exact I; apply H; assumption.
  - apply (integrable_in_two _ (due1 before) (due1 after) z); [exact XY | intros s S; split; apply due_continuously, In, S |].
    intros s S. assert (I : inside_arc C s) by (apply In; lra). split; intro Z; apply paid_as_decided; try exact I; apply H; assumption.
Qed.

(** What is paid lies below either cost times a number. *)
Lemma paid_below_costs x : inside_arc C x ->
  let u := p / (1 - p) in let w := (1 - p) / p in
  (0 <= on_arc (pay0 p) C x <= (1 + w) * (cost0 C x * likelihood C x) /\ on_arc (pay0 p) C x <= (1 + u) * (cost1 C x * likelihood C x)) /\
  (0 <= on_arc (pay1 p) C x <= (1 + w) * (cost0 C x * likelihood C x) /\ on_arc (pay1 p) C x <= (1 + u) * (cost1 C x * likelihood C x)).
Proof.
  intro X. destruct (proj2 lawful x X) as (A & B & D). simpl.
  assert (U : 0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra). assert (W : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra).
  assert (UA : 0 < p / (1 - p) * cost1 C x) by (apply Rmult_lt_0_compat; lra).
  assert (WB : 0 < (1 - p) / p * cost0 C x) by (apply Rmult_lt_0_compat; lra).
  assert (E : p * cost1 C x / (1 - p) = p / (1 - p) * cost1 C x) by (field; lra).
  assert (F : (1 - p) / p * (p / (1 - p) * cost1 C x) = cost1 C x) by (field; lra).
  unfold on_arc. rewrite <- !Rmult_assoc. destruct (Rlt_dec (cost0 C x) (p * cost1 C x / (1 - p))) as [H | H].
  - destruct (class1 C p Unit lawful x X H) as [-> ->]. rewrite E in H. repeat split; try (apply Rmult_le_compat_r; lra); try (apply Rmult_le_pos; lra); lra.
  - apply Rnot_lt_le in H. destruct (class0 C p Unit lawful x X H) as [-> ->]. rewrite E in H.
    assert ((1 - p) / p * (p / (1 - p) * cost1 C x) <= (1 - p) / p * cost0 C x) by (apply Rmult_le_compat_l; lra).
    repeat split; try (apply Rmult_le_compat_r; lra); try (apply Rmult_le_pos; lra); lra.
Qed.

Lemma exists_below_a_mean pay charge k v : (forall x y, from C < x -> x <= y -> Rbar_lt y (upto C) -> ex_RInt (on_arc pay C) x y) ->
  (forall x, inside_arc C x -> 0 <= on_arc pay C x <= k * on_arc charge C x) -> over_arc C charge v -> exists w, over_arc C pay w.
Proof.
  intros Ex Below V. destruct lawful as [[Z S] _].
  apply (dominated_has_integral (from C) (upto C) S _ (fun x => k * on_arc charge C x) (k * v) Ex); [| exact (is_RInt_gen_scal _ k _ V)].
  intros x X Y. apply Below. repeat split; [lra | exact X | exact Y].
Qed.

Theorem costs_exist_along : has_a_mean C -> (exists v, over_arc C (pay0 p) v) /\ (exists v, over_arc C (pay1 p) v).
Proof.
  intros [[v V] | [v V]]; split.
  - apply (exists_below_a_mean (pay0 p) (fun c0 _ => c0) (1 + (1 - p) / p) v); [intros; apply report_is_integrable; assumption | | exact V]. intros x X. apply (paid_below_costs x X).
  - apply (exists_below_a_mean (pay1 p) (fun c0 _ => c0) (1 + (1 - p) / p) v); [intros; apply report_is_integrable; assumption | | exact V]. intros x X. apply (paid_below_costs x X).
  - apply (exists_below_a_mean (pay0 p) (fun _ c1 => c1) (1 + p / (1 - p)) v); [intros; apply report_is_integrable; assumption | | exact V].
    intros x X. destruct (paid_below_costs x X) as [[[A _] B] _]. split; [exact A | exact B].
  - apply (exists_below_a_mean (pay1 p) (fun _ c1 => c1) (1 + p / (1 - p)) v); [intros; apply report_is_integrable; assumption | | exact V].
    intros x X. destruct (paid_below_costs x X) as [_ [[A _] B]]. split; [exact A | exact B].
Qed.
End Along.

(** ** Means that are finite *)

(** A cost below a bound has one if the density has a total, and so has a cost with an integral from end to end. *)
Lemma mean_by_bound C k v : lawful_arc C -> continuous_arc C -> over_arc C (fun _ _ => 1) v ->
  (forall x, inside_arc C x -> cost0 C x <= k) \/ (forall x, inside_arc C x -> cost1 C x <= k) -> has_a_mean C.
Proof.
  intros L K V.
  assert (In : forall x y s : R, from C < x -> Rbar_lt y (upto C) -> x <= s <= y -> inside_arc C s)
    by (intros x y s X Y S; apply (inside_between C (proj1 L) x y s); assumption).
  assert (Product : forall (f : R -> R) (x y : R), (forall s, inside_arc C s -> continuous f s) -> from C < x -> x <= y -> Rbar_lt y (upto C) ->
    ex_RInt (fun s => f s * likelihood C s) x y).
  { intros f x y F X XY Y. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). rewrite Rmin_left, Rmax_right by lra.
    intros s S. assert (I : inside_arc C s) by (apply (In x y s); assumption). apply (continuous_mult f); [apply F, I | apply (K s I)]. }
  intros [B | B]; [left | right].
  - apply (exists_below_a_mean C L (fun c0 _ => c0) (fun _ _ => 1) k v); [| | exact V].
    + intros x y X XY Y. apply (Product (cost0 C)); try assumption. intros s S. apply (K s S).
    + intros x X. destruct (proj2 L x X) as (P & _ & D). unfold on_arc. split; [apply Rmult_le_pos; lra |].
      rewrite Rmult_1_l. apply Rmult_le_compat_r; [exact D | apply B, X].
  - apply (exists_below_a_mean C L (fun _ c1 => c1) (fun _ _ => 1) k v); [| | exact V].
    + intros x y X XY Y. apply (Product (cost1 C)); try assumption. intros s S. apply (K s S).
    + intros x X. destruct (proj2 L x X) as (_ & P & D). unfold on_arc. split; [apply Rmult_le_pos; lra |].
      rewrite Rmult_1_l. apply Rmult_le_compat_r; [exact D | apply B, X].
Qed.
Lemma closed_has_integral (f : R -> R) (a b : R) : a < b -> (forall x, a <= x <= b -> continuous f x) ->
  (forall x, a < x < b -> 0 <= f x) -> exists v, is_RInt_gen (V := R_NormedModule) f (at_right a) (at_left b) v.
Proof.
  intros AB K N. destruct (continuity_ab_maj f a b ltac:(lra)) as (m & M & _).
  { intros x X. apply continuity_pt_filterlim, K, X. }
  assert (Tends : forall s x, filterlim (fun x => s * x) (locally x) (locally (s * x))).
  { intros s x. apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I. }
  apply (dominated_has_integral a b AB f (fun _ => f m) (f m * b - f m * a)).
  - intros x y X XY Y. simpl in Y. apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
    rewrite Rmin_left, Rmax_right by lra. intros s S. apply K. lra.
  - intros x X Y. simpl in Y. split; [apply N; lra | apply M; lra].
  - apply (between_by_increments a b AB (fun x => f m * x)).
    + intros x y _ XY _. replace (f m * y - f m * x) with (scal (y - x) (f m)) by (unfold scal; simpl; unfold mult; simpl; ring).
      apply (is_RInt_const (V := R_NormedModule)).
    + apply (filterlim_filter_le_1 (F := locally a)); [apply filter_le_within | apply Tends].
    + apply (filterlim_filter_le_1 (F := locally b)); [apply filter_le_within | apply Tends].
Qed.
Lemma mean_by_continuity C (b : R) : upto C = b -> lawful_arc C ->
  (forall x, from C <= x <= b -> continuous (fun x => cost0 C x * likelihood C x) x) \/
  (forall x, from C <= x <= b -> continuous (fun x => cost1 C x * likelihood C x) x) -> has_a_mean C.
Proof.
  intros E [[Z S] L] K. unfold has_a_mean, over_arc, inside_arc in *. rewrite E in *. simpl in *.
  destruct K as [K | K]; [left | right]; (apply closed_has_integral; [exact S | exact K |]); intros x X;
    destruct (L x ltac:(lra)) as (A & B & D); apply Rmult_le_pos; lra.
Qed.

(** * The expected costs of a law exist *)

Definition costs_exist_over (over : (R -> R -> R) -> R -> Prop) : Prop :=
  forall p, 0 < p < 1 -> (exists v, over (pay0 p) v) /\ (exists v, over (pay1 p) v).

Lemma exist_over_no_areas : costs_exist_over (over_areas nil).
Proof. intros p _. split; exists 0; reflexivity. Qed.
Lemma exist_over_arcs arcs : List.Forall (fun C => costs_exist_over (over_arc C)) arcs -> costs_exist_over (over_arcs arcs).
Proof.
  intros H p P. induction H as [| C others HC H [[u U] [v V]]]; simpl; [split; exists 0; reflexivity |].
  destruct (HC p P) as [[a A] [b B]]. split; [exists (a + u), a, u | exists (b + v), b, v]; repeat split; assumption.
Qed.

(** The value of an expectation that has one. *)
Definition value_of (L : law_of_costs) (pay : R -> R -> R) : R := iota (T := R_CompleteNormedModule) (expectation L pay).
Lemma has_value L pay v : lawful_law L -> expectation L pay v -> expectation L pay (value_of L pay).
Proof.
  intros H V. apply (iota_correct (V := R_CompleteNormedModule) (expectation L pay)). exists v. split; [exact V |].
  intros w W. exact (expectation_is_unique L pay v w H V W).
Qed.

(** They are functions of the report, and proper. *)
Theorem costs_exist_and_are_proper L : lawful_law L -> costs_exist_over (over_areas (areas_of L)) ->
  List.Forall (fun C => costs_exist_over (over_arc C)) (arcs_of L) ->
  exists E0 E1, (forall p, 0 < p < 1 -> expectation L (pay0 p) (E0 p)) /\
    (forall p, 0 < p < 1 -> expectation L (pay1 p) (E1 p)) /\ Proper E0 E1.
Proof.
  intros H Areas Arcs.
  assert (Some : costs_exist_over (expectation L)).
  { intros p P. destruct (Areas p P) as [[a A] [b B]], (exist_over_arcs _ Arcs p P) as [[c C] [d D]].
    split; [exists (a + c + on_points (pay0 p) (points_of L)), a, c | exists (b + d + on_points (pay1 p) (points_of L)), b, d];
      repeat split; assumption. }
  assert (E0 : forall p, 0 < p < 1 -> expectation L (pay0 p) (value_of L (pay0 p)))
    by (intros p P; destruct (Some p P) as [[v V] _]; exact (has_value L _ v H V)).
  assert (E1 : forall p, 0 < p < 1 -> expectation L (pay1 p) (value_of L (pay1 p)))
    by (intros p P; destruct (Some p P) as [_ [v V]]; exact (has_value L _ v H V)).
  exists (fun p => value_of L (pay0 p)), (fun p => value_of L (pay1 p)).
  split; [exact E0 | split; [exact E1 |]]. exact (proper_law L _ _ H E0 E1).
Qed.

(** * Strictness *)

(** A threshold is that of costs on an arc at which the density is positive. *)
Definition attains (C : arc) (t : R) : Prop := exists x, inside_arc C x /\ cost0 C x = t * (cost0 C x + cost1 C x) /\ 0 < likelihood C x.
Definition attained (t : R) (L : law_of_costs) : Prop :=
  (exists x y, 0 < x /\ 0 < y /\ t * (x + y) = x /\ List.Exists (dense_near x y) (areas_of L)) \/
  List.Exists (fun C => continuous_arc C /\ attains C t) (arcs_of L).

Section Strict.
Variables (p q t : R).
Hypotheses (P : 0 < p < 1) (Q : 0 < q < 1) (T : p < t < q \/ q < t < p).

Lemma near_values (f : R -> R) (x d : R) : 0 < d -> continuous f x -> exists e, 0 < e /\ forall s, x - e < s < x + e -> f x - d < f s < f x + d.
Proof.
  intros D K. destruct (K _ (locally_ball (f x) (mkposreal d D))) as [e H]. exists e. split; [apply cond_pos |].
  intros s S. apply (proj1 (ball_between (f x) (f s) (mkposreal d D))), H, ball_between. exact S.
Qed.

Lemma excess_along C value : lawful_arc C -> continuous_arc C -> attains C t -> over_arc C (excess q p) value -> 0 < value.
Proof.
  intros [[Z S] L] K (x & X & E & D) V. destruct (L x X) as (A & B & _), (K x X) as (K0 & K1 & KL).
  destruct (excess_in_a_square q p t (cost0 C x) (cost1 C x) P Q T A B ltac:(symmetry; exact E)) as (d & Positive & _ & Square).
  destruct (near_values (cost0 C) x d ltac:(lra) K0) as (e0 & E0 & N0), (near_values (cost1 C) x d ltac:(lra) K1) as (e1 & E1 & N1),
    (near_values (likelihood C) x (likelihood C x / 2) ltac:(lra) KL) as (e2 & E2 & N2).
  destruct (filter_ex _ (toward_within x (upto C) ltac:(apply X))) as [m [M MU]].
  set (e := Rmin (Rmin e0 e1) (Rmin e2 (m - x))).
  assert (Small : 0 < e /\ e <= e0 /\ e <= e1 /\ e <= e2 /\ e <= m - x).
  { unfold e. pose proof (Rmin_l (Rmin e0 e1) (Rmin e2 (m - x))). pose proof (Rmin_r (Rmin e0 e1) (Rmin e2 (m - x))).
    pose proof (Rmin_l e0 e1). pose proof (Rmin_r e0 e1). pose proof (Rmin_l e2 (m - x)). pose proof (Rmin_r e2 (m - x)).
    split; [repeat apply Rmin_glb_lt; lra | repeat split; lra]. }
  clearbody e. destruct Small as (Small & S0 & S1 & S2 & S3).
  assert (Least : d * (likelihood C x / 2) * ((x + e) - x) <= value).
  { apply (between_at_least (from C) (upto C) (on_arc (excess q p) C)); try lra; [apply X | | | | exact V].
    - apply (before_end (x + e) m); [lra | exact MU].
    - intros s F U. destruct (L s) as (As & Bs & Ds); [repeat split; [lra | exact F | exact U] |].
      apply Rmult_le_pos; [apply excess_not_negative; assumption | exact Ds].
    - intros s I. apply Rmult_le_compat; try lra; [apply Square; [apply N0 | apply N1]; lra | pose proof (N2 s ltac:(lra)); lra]. }
  assert (0 < d * (likelihood C x / 2) * ((x + e) - x)) by (repeat apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma excess_of_arcs_not_negative arcs value : List.Forall lawful_arc arcs -> over_arcs arcs (excess q p) value -> 0 <= value.
Proof.
  intro H. revert value. induction H as [| C others [[Z S] L] H Rest]; simpl; [intros v ->; lra |].
  intros value (a & b & A & B & ->). specialize (Rest b B). assert (0 <= a); [| lra].
  apply (between_not_negative (from C) (upto C) S (on_arc (excess q p) C)); [| exact A]. intros s F U.
  destruct (L s) as (As & Bs & Ds); [repeat split; [lra | exact F | exact U] |].
  apply Rmult_le_pos; [apply excess_not_negative; assumption | exact Ds].
Qed.
Lemma excess_of_arcs arcs value : List.Forall lawful_arc arcs -> List.Exists (fun C => continuous_arc C /\ attains C t) arcs ->
  over_arcs arcs (excess q p) value -> 0 < value.
Proof.
  intros H X. revert value. induction X as [C others [K A] | C others X IH]; inversion_clear H as [| ? ? HC HO]; intros value (a & b & Va & Vb & ->).
  - pose proof (excess_along C a HC K A Va). pose proof (excess_of_arcs_not_negative others b HO Vb). lra.
  - pose proof (IH HO b Vb). assert (0 <= a); [| lra].
    apply (excess_of_arcs_not_negative [C] a); [apply List.Forall_cons; [exact HC | apply List.Forall_nil] |].
    exists a, 0. repeat split; [exact Va | ring].
Qed.
Lemma excess_of_law L value : lawful_law L -> attained t L -> expectation L (excess q p) value -> 0 < value.
Proof.
  intros (HA & HC & HP) Attained (a & b & A & B & ->).
  assert (Points : 0 <= on_points (excess q p) (points_of L)).
  { assert (Nothing : forall points, on_points (fun _ _ => 0) points = 0) by (induction points as [| U others Rest]; simpl; [| rewrite Rest]; ring).
    rewrite <- (Nothing (points_of L)). apply on_points_le; [exact HP | intros; apply excess_not_negative; assumption]. }
  assert (Areas : 0 <= a).
  { apply (over_areas_le (areas_of L) (fun _ _ => 0) (excess q p) 0 a HA); [intros; apply excess_not_negative; assumption | apply over_areas_of_0 | exact A]. }
  pose proof (excess_of_arcs_not_negative _ _ HC B). destruct Attained as [(x & y & X & Y & E & Dense) | Attained].
  - pose proof (excess_is_paid q p t x y (areas_of L) a P Q T X Y E HA Dense A). lra.
  - pose proof (excess_of_arcs _ _ HC Attained B). lra.
Qed.
End Strict.

Lemma expectation_combined L k l pay pay' u v : expectation L pay u -> expectation L pay' v ->
  expectation L (fun c0 c1 => k * pay c0 c1 + l * pay' c0 c1) (k * u + l * v).
Proof.
  intros (a & b & A & B & ->) (c & d & C & D & ->). exists (k * a + l * c), (k * b + l * d).
  split; [apply over_areas_combined; assumption |]. split.
  - revert b d B D. induction (arcs_of L) as [| O others Rest]; simpl; [intros b d -> ->; ring |].
    intros b d (e & f & E & F & ->) (g & h & G & H & ->). exists (k * e + l * g), (k * f + l * h).
    split; [| split; [apply Rest; assumption | ring]]. refine (is_RInt_gen_ext _ _ _ _ (between_combined _ _ k l _ _ _ _ E G)).
    apply filter_forall. intros xy x _. unfold on_arc. match goal with |- ?l = ?r => change (l = r :> R) end. ring.
  - assert (Sum : forall points, on_points (fun c0 c1 => k * pay c0 c1 + l * pay' c0 c1) points = k * on_points pay points + l * on_points pay' points)
      by (induction points as [| U others Rest]; simpl; [| rewrite Rest]; ring).
    rewrite Sum. ring.
Qed.

Theorem strictly_proper_if_attained L low high (E0 E1 : R -> R) : lawful_law L -> 0 <= low -> high <= 1 ->
  (forall t, low < t < high -> attained t L) ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (E1 p)) -> StrictlyProperOn low high E0 E1.
Proof.
  intros H Low High Attained H0 H1 p q P Q N. assert (Unit : 0 < q < 1) by lra.
  assert (Between : exists t, low < t < high /\ (p < t < q \/ q < t < p)).
  { destruct (Rtotal_order p q) as [PQ | [-> | QP]]; [| contradiction |].
    - exists ((Rmax low p + q) / 2). pose proof (Rmax_l low p). pose proof (Rmax_r low p).
      assert (Rmax low p < q) by (apply Rmax_lub_lt; lra). split; [| left]; lra.
    - exists ((q + Rmin high p) / 2). pose proof (Rmin_l high p). pose proof (Rmin_r high p).
      assert (q < Rmin high p) by (apply Rmin_glb_lt; lra). split; [| right]; lra. }
  destruct Between as (t & T & Between).
  assert (0 < 1 * risk E0 E1 p q + -1 * risk E0 E1 q q); [| lra].
  apply (excess_of_law p q t P Unit Between L); [exact H | apply Attained, T |]. unfold excess.
  apply expectation_combined; apply expectation_mixed; auto.
Qed.
