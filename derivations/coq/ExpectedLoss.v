(** The expected loss of a classifier, written over its thresholds and written over its scores.

   A threshold weight w gives the losses L0' = s w and L1' = -(1 - s) w. If the scores of class k have the
   distribution function Fk with the continuous density fk, integration by parts turns
   the integral of  pi0 s w(s) (1 - F0(s)) + pi1 (1 - s) w(s) F1(s)  over the thresholds s
   into that of     pi0 L0(p) f0(p) + pi1 L1(p) f1(p)                over the scores p.
   All integrals are improper ones, over (0, 1). *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits.
Import ListNotations.
Open Scope R_scope.

(** * The fundamental theorem of calculus *)

(** A continuous function on [a, b] whose derivative inside is f, continuous on [a, b], increases by the
   integral of f: nothing is asked of its derivative at the ends. *)
Lemma integral_of_slope F f a b : a <= b ->
  (forall x, a <= x <= b -> continuity_pt F x) ->
  (forall x, a < x < b -> is_derive F x (f x)) ->
  (forall x, a <= x <= b -> continuous f x) ->
  is_RInt f a b (F b - F a).
Proof.
  intros Hab HF HD Hf.
  destruct (C0_extension_le f a b Hf) as (g & Hg & E).
  assert (HI : forall x, is_RInt g a x (RInt g a x)).
  { intro x; apply @RInt_correct, @ex_RInt_continuous; intros; apply Hg. }
  assert (HDI : forall x, is_derive (fun y => RInt g a y) x (g x)).
  { intro x; apply is_derive_RInt with a; [|apply Hg].
    exists (mkposreal 1 Rlt_0_1); intros y _; apply HI. }
  assert (G : RInt g a b - F b - (RInt g a a - F a) = 0).
  { destruct (MVT_gen (fun x => RInt g a x - F x) a b (fun _ => 0)) as (c & _ & M).
    - rewrite Rmin_left, Rmax_right by assumption; intros x Hx.
      replace 0 with (minus (g x) (f x)) by (rewrite E by lra; apply (minus_eq_zero (f x))).
      apply @is_derive_minus; [apply HDI | apply HD, Hx].
    - rewrite Rmin_left, Rmax_right by assumption; intros x Hx.
      apply (continuity_pt_minus (fun y => RInt g a y) F); [|apply HF, Hx].
      apply derivable_continuous_pt; exists (g x); apply is_derive_Reals, HDI.
    - rewrite M; ring. }
  rewrite RInt_point in G; change (zero : R) with 0 in G.
  replace (F b - F a) with (RInt g a b) by lra.
  apply is_RInt_ext with g; [|apply HI].
  rewrite Rmin_left, Rmax_right by assumption; intros x Hx; apply E; lra.
Qed.

(** * Integration by parts between two points *)

(** u = U' and v = V', at all points but finitely many *)
Definition Parts (U u V v : R -> R) (x y : R) :=
  is_RInt (fun s => u s * V s + U s * v s) x y (U y * V y - U x * V x).

Lemma parts_point U u V v x : Parts U u V v x x.
Proof. unfold Parts; rewrite Rminus_eq_0; exact (is_RInt_point _ x). Qed.

Lemma parts_glue U u V v x b y : Parts U u V v x b -> Parts U u V v b y -> Parts U u V v x y.
Proof.
  unfold Parts; intros A B.
  replace (U y * V y - U x * V x) with (plus (U b * V b - U x * V x) (U y * V y - U b * V b))
    by (unfold plus; simpl; ring).
  exact (is_RInt_Chasles _ _ _ _ _ _ A B).
Qed.

Lemma parts_ext U u M m V v x y : x <= y ->
  (forall s, x <= s <= y -> U s = M s) -> (forall s, x < s < y -> u s = m s) ->
  Parts M m V v x y -> Parts U u V v x y.
Proof.
  unfold Parts; intros h E e A. rewrite (E x), (E y) by lra.
  refine (is_RInt_ext _ _ _ _ _ _ A).
  rewrite Rmin_left, Rmax_right by assumption; intros s Hs.
  rewrite e, E by lra; reflexivity.
Qed.

(** a product grows by the integral of u V + U v *)
Lemma parts_inside U u V v x y : x <= y ->
  (forall s, x <= s <= y -> continuity_pt U s /\ continuous u s) ->
  (forall s, x < s < y -> is_derive U s (u s)) ->
  (forall s, x <= s <= y -> is_derive V s (v s) /\ continuous v s) ->
  Parts U u V v x y.
Proof.
  intros h HU Hu HV.
  assert (CU : forall s, x <= s <= y -> continuous U s).
  { intros s Hs; apply continuity_pt_filterlim, HU, Hs. }
  assert (CV : forall s, x <= s <= y -> continuous V s).
  { intros s Hs; apply @ex_derive_continuous; exists (v s); apply HV, Hs. }
  apply (integral_of_slope (fun s => U s * V s)); [exact h | | |]; intros s Hs.
  - apply continuity_pt_filterlim, (continuous_mult U V); [apply CU | apply CV]; exact Hs.
  - apply (is_derive_mult U V); [apply Hu, Hs | apply HV; lra | exact Rmult_comm].
  - apply (continuous_plus (fun s => u s * V s) (fun s => U s * v s)).
    + apply (continuous_mult u V); [apply HU, Hs | apply CV, Hs].
    + apply (continuous_mult U v); [apply CU, Hs | apply HV, Hs].
Qed.

(** * The losses of a certificate *)

(** class false is class 0, class true is class 1; the loss of a class has the slope  factor * w *)
Definition loss_of (class : bool) : piece -> R -> R := if class then loss1 else loss0.
Definition factor (class : bool) (s : R) : R := if class then - (1 - s) else s.

(** the weight of each piece is continuous on it, ends included, but for 0 and 1 *)
Fixpoint steady (lo : R) (P : piece) (rest : list (R * piece)) : Prop :=
  match rest with
  | nil => forall x, lo <= x -> 0 < x < 1 -> continuous (weight P) x
  | (b, Q) :: tl => (forall x, lo <= x <= b -> 0 < x < 1 -> continuous (weight P) x) /\ steady b Q tl
  end.

(** V has the continuous slope v on (0, 1) *)
Definition slope_on_unit (V v : R -> R) :=
  forall x, 0 < x < 1 -> is_derive V x (v x) /\ continuous v x.

Lemma continuous_factor class x : continuous (factor class) x.
Proof. apply @ex_derive_continuous; destruct class; unfold factor; auto_derive; exact I. Qed.

Lemma piece_parts class lo hi P V v x y :
  slopes lo hi P -> (forall s, lo <= s <= hi -> 0 < s < 1 -> continuous (weight P) s) ->
  slope_on_unit V v -> lo <= x -> x <= y -> y <= hi -> 0 < x -> y < 1 ->
  Parts (loss_of class P) (fun s => factor class s * weight P s) V v x y.
Proof.
  intros [HC HD] Hw HV h1 h2 h3 h4 h5.
  apply parts_inside; [exact h2 | | |]; intros s Hs.
  - split; [destruct class; apply HC; lra|].
    apply (continuous_mult (factor class) (weight P)); [apply continuous_factor | apply Hw; lra].
  - destruct class; apply HD; lra.
  - apply HV; lra.
Qed.

Lemma chain_joins class lo P b Q tl : chain lo P ((b, Q) :: tl) -> loss_of class P b = loss_of class Q b.
Proof. intros (_ & _ & (E0 & E1) & _); destruct class; assumption. Qed.

Lemma joined_left part P b Q tl x : x <= b -> joined part P ((b, Q) :: tl) x = part P x.
Proof. intro h; simpl; destruct (Rle_dec x b); [reflexivity | lra]. Qed.
Lemma joined_right part P b Q tl x : chain b Q tl -> part P b = part Q b -> b <= x ->
  joined part P ((b, Q) :: tl) x = joined part Q tl x.
Proof.
  intros H E h; simpl; destruct (Rle_dec x b); [|reflexivity].
  replace x with b by lra; rewrite (joined_at_start _ _ _ _ H); exact E.
Qed.

(** What holds of a loss and its weight on each piece, and passes to neighbours, holds across all pieces. *)
Lemma by_pieces class (G : (R -> R) -> (R -> R) -> R -> R -> Prop) :
  (forall U M u m x y, x <= y -> (forall s, x <= s <= y -> U s = M s) ->
    (forall s, x < s < y -> u s = m s) -> G M m x y -> G U u x y) ->
  (forall U u x b y, G U u x b -> G U u b y -> G U u x y) ->
  (forall lo hi P, slopes lo hi P -> (forall s, lo <= s <= hi -> 0 < s < 1 -> continuous (weight P) s) ->
    forall x y, lo <= x -> x <= y -> y <= hi -> 0 < x -> y < 1 -> G (loss_of class P) (weight P) x y) ->
  forall lo P rest, chain lo P rest -> steady lo P rest ->
  forall x y, lo <= x -> x <= y -> 0 < x -> y < 1 -> G (joined (loss_of class) P rest) (joined weight P rest) x y.
Proof.
  intros ext glue here lo P rest; revert lo P; induction rest as [|[b Q] tl IH];
    intros lo P H S x y h1 h2 h3 h4.
  - apply (here lo 1); [apply H | | lra..]. intros s Hs; apply S; lra.
  - pose proof (chain_joins class _ _ _ _ _ H) as E.
    destruct H as (h & HP & J & H); destruct S as [SP S]; specialize (IH _ _ H S).
    set (U := joined (loss_of class) P ((b, Q) :: tl)); set (u := joined weight P ((b, Q) :: tl)).
    assert (left : forall x y, lo <= x -> x <= y -> y <= b -> 0 < x -> y < 1 -> G U u x y).
    { intros x' y' k1 k2 k3 k4 k5.
      apply ext with (loss_of class P) (weight P); [exact k2 | | | apply (here lo b); assumption];
        intros s Hs; apply joined_left; lra. }
    assert (right : forall x y, b <= x -> x <= y -> 0 < x -> y < 1 -> G U u x y).
    { intros x' y' k1 k2 k3 k4.
      apply ext with (joined (loss_of class) Q tl) (joined weight Q tl); [exact k2 | | | apply IH; assumption];
        intros s Hs; [apply joined_right; (assumption || lra)|].
      unfold u; cbn [joined]; destruct (Rle_dec s b); [exfalso; lra | reflexivity]. }
    destruct (Rle_dec y b); [apply left; lra|].
    destruct (Rle_dec b x); [apply right; lra|].
    apply glue with b; [apply left; lra | apply right; lra].
Qed.

Lemma chain_parts class lo P rest V v : chain lo P rest -> steady lo P rest -> slope_on_unit V v ->
  forall x y, lo <= x -> x <= y -> 0 < x -> y < 1 ->
  Parts (joined (loss_of class) P rest) (fun s => factor class s * joined weight P rest s) V v x y.
Proof.
  intros H S HV.
  apply (by_pieces class (fun U u => Parts U (fun s => factor class s * u s) V v)); [ | | | assumption..].
  - intros U M u m x y h EU Eu; apply parts_ext; [exact h | exact EU |].
    intros s Hs; rewrite Eu; [reflexivity | exact Hs].
  - intros; eapply parts_glue; eassumption.
  - intros; eapply piece_parts; eassumption.
Qed.

(** the loss of a class times a continuous function is integrable between two points *)
Lemma chain_integrable class lo P rest f : chain lo P rest -> steady lo P rest ->
  (forall x, 0 < x < 1 -> continuous f x) ->
  forall x y, lo <= x -> x <= y -> 0 < x -> y < 1 ->
  ex_RInt (fun s => joined (loss_of class) P rest s * f s) x y.
Proof.
  intros H S Hf.
  apply (by_pieces class (fun U u => ex_RInt (fun s => U s * f s))); [ | | | assumption..].
  - intros U M u m x y h EU _; apply ex_RInt_ext; rewrite Rmin_left, Rmax_right by exact h.
    intros s Hs; rewrite EU by lra; reflexivity.
  - intros U u x b y; apply ex_RInt_Chasles.
  - intros l h Q [HC _] _ x y h1 h2 h3 h4 h5; apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
    rewrite Rmin_left, Rmax_right by exact h2; intros s Hs.
    apply (continuous_mult (loss_of class Q) f); [|apply Hf; lra].
    apply continuity_pt_filterlim; destruct class; apply HC; lra.
Qed.

(** * Integration by parts over (0, 1) *)

Definition integral_on_unit (f : R -> R) (v : R) := is_RInt_gen f (at_right 0) (at_left 1) v.

(** two functions that agree on (0, 1) have the same integral *)
Lemma integral_on_unit_ext f g v :
  (forall x, 0 < x < 1 -> f x = g x) -> integral_on_unit f v -> integral_on_unit g v.
Proof.
  intro E; apply (@is_RInt_gen_ext R_NormedModule (at_right 0) (at_left 1) _ _ f g).
  exists (fun x => 0 < x < 1 / 2) (fun x => 1 / 2 < x < 1); [exact near_0 | exact near_1 |].
  intros x y Hx Hy s; simpl; rewrite Rmin_left, Rmax_right by lra; intro Hs; apply E; lra.
Qed.

Lemma integral_on_unit_plus f g a b :
  integral_on_unit f a -> integral_on_unit g b -> integral_on_unit (fun x => f x + g x) (a + b).
Proof. exact (@is_RInt_gen_plus R_NormedModule (at_right 0) (at_left 1) _ _ f g a b). Qed.
Lemma integral_on_unit_scal f k a : integral_on_unit f a -> integral_on_unit (fun x => k * f x) (k * a).
Proof. exact (@is_RInt_gen_scal R_NormedModule (at_right 0) (at_left 1) _ _ f k a). Qed.

(** if U V vanishes at both ends, the integral of u V + U v is 0 *)
Lemma parts_on_unit U u V v :
  (forall x y, 0 < x -> x <= y -> y < 1 -> Parts U u V v x y) ->
  vanishes_at_0 (fun s => U s * V s) -> vanishes_at_1 (fun s => U s * V s) ->
  integral_on_unit (fun s => u s * V s + U s * v s) 0.
Proof.
  intros HP H0 H1 A [e HA].
  apply (proj1 (filterlim_locally _ _)) with (eps := pos_div_2 e) in H0.
  apply (proj1 (filterlim_locally _ _)) with (eps := pos_div_2 e) in H1.
  unfold filtermapi.
  exists (fun x => 0 < x < 1 / 2 /\ ball 0 (pos_div_2 e) (U x * V x))
         (fun x => 1 / 2 < x < 1 /\ ball 0 (pos_div_2 e) (U x * V x)).
  - exact (filter_and _ _ near_0 H0).
  - exact (filter_and _ _ near_1 H1).
  - intros x y [Hx Bx] [Hy By]; exists (U y * V y - U x * V x); split; [simpl; apply HP; lra|].
    apply ball_between in Bx, By; simpl in Bx, By; apply HA, ball_between; lra.
Qed.

(** Under the boundary conditions the integral of U v is minus that of u V. *)
Lemma by_parts U u V v l :
  (forall x y, 0 < x -> x <= y -> y < 1 -> Parts U u V v x y) ->
  vanishes_at_0 (fun s => U s * V s) -> vanishes_at_1 (fun s => U s * V s) ->
  integral_on_unit (fun s => U s * v s) l -> integral_on_unit (fun s => u s * V s) (- l).
Proof.
  intros HP H0 H1 HI.
  replace (- l) with (0 + -1 * l) by ring.
  refine (integral_on_unit_ext _ _ _ _
    (integral_on_unit_plus _ _ _ _ (parts_on_unit U u V v HP H0 H1) (integral_on_unit_scal _ (-1) _ HI))).
  intros; ring.
Qed.

(** * The boundary terms *)

(** F is the distribution function, with the continuous density f, of scores in (0, 1) *)
Record scores (F f : R -> R) : Prop := {
  density_continuous : forall x, 0 < x < 1 -> is_derive F x (f x) /\ continuous f x;
  density_nonnegative : forall x, 0 < x < 1 -> 0 <= f x;
  starts_at_0 : vanishes_at_0 F;
  ends_at_1 : filterlim F (at_left 1) (locally 1) }.

Lemma scores_slope F f x y : scores F f -> 0 < x -> x <= y -> y < 1 -> is_RInt f x y (F y - F x).
Proof.
  intros S h1 h2 h3; apply (integral_of_slope F f); [exact h2 | | |]; intros s Hs.
  - apply derivable_continuous_pt; exists (f s); apply is_derive_Reals, S; lra.
  - apply S; lra.
  - apply S; lra.
Qed.

Lemma scores_rise F f x y : scores F f -> 0 < x -> x <= y -> y < 1 -> F x <= F y.
Proof.
  intros S h1 h2 h3.
  assert (0 <= F y - F x); [|lra].
  apply (is_RInt_ge_0 f x y); [exact h2 | apply scores_slope; assumption |].
  intros s Hs; apply (density_nonnegative _ _ S); lra.
Qed.

Lemma scores_between F f x : scores F f -> 0 < x < 1 -> 0 <= F x <= 1.
Proof.
  intros S Hx; split.
  - refine (limit_le (F := at_right 0) F (fun _ => F x) 0 (F x) (starts_at_0 _ _ S) (filterlim_const _) _).
    apply filter_imp with (2 := right_of 0 x (proj1 Hx)); intros y Hy.
    apply (scores_rise F f); (assumption || lra).
  - refine (limit_le (F := at_left 1) (fun _ => F x) F (F x) 1 (filterlim_const _) (ends_at_1 _ _ S) _).
    apply filter_imp with (2 := left_of x 1 (proj2 Hx)); intros y Hy.
    apply (scores_rise F f); (assumption || lra).
Qed.

(** the integral between two points that are near enough to the ends is near to the whole one *)
Lemma integral_near g l (e : posreal) : integral_on_unit g l ->
  exists A B, at_right 0 A /\ at_left 1 B /\
    forall x y, A x -> B y -> exists v, is_RInt g x y v /\ l - e < v < l + e.
Proof.
  intro H; destruct (H (ball l e) (locally_ball l e)) as [A B HA HB HI].
  exists A, B; split; [exact HA | split; [exact HB|]]; intros x y Hx Hy.
  destruct (HI x y Hx Hy) as (v & Hv & Bv); exists v; split; [exact Hv | apply ball_between, Bv].
Qed.

(** near to an end, the integral between any two points is small *)
Lemma small_at_1 g l (e : posreal) : integral_on_unit g l ->
  exists B, at_left 1 B /\ forall y z v, B y -> B z -> is_RInt g y z v -> v < e.
Proof.
  intro H; destruct (integral_near g l (pos_div_2 e) H) as (A & B & HA & HB & HI).
  exists B; split; [exact HB|]; intros y z v Hy Hz Hv.
  destruct (filter_ex A HA) as [x Hx].
  destruct (HI x y Hx Hy) as (a & Ha & a1); destruct (HI x z Hx Hz) as (b & Hb & b1).
  pose proof (is_RInt_unique _ _ _ _ (is_RInt_Chasles _ _ _ _ _ _ Ha Hv)) as E.
  rewrite (is_RInt_unique _ _ _ _ Hb) in E; unfold plus in E; simpl in *; lra.
Qed.
Lemma small_at_0 g l (e : posreal) : integral_on_unit g l ->
  exists A, at_right 0 A /\ forall x y v, A x -> A y -> is_RInt g x y v -> v < e.
Proof.
  intro H; destruct (integral_near g l (pos_div_2 e) H) as (A & B & HA & HB & HI).
  exists A; split; [exact HA|]; intros x y v Hx Hy Hv.
  destruct (filter_ex B HB) as [z Hz].
  destruct (HI x z Hx Hz) as (a & Ha & a1); destruct (HI y z Hy Hz) as (b & Hb & b1).
  pose proof (is_RInt_unique _ _ _ _ (is_RInt_Chasles _ _ _ _ _ _ Hv Hb)) as E.
  rewrite (is_RInt_unique _ _ _ _ Ha) in E; unfold plus in E; simpl in *; lra.
Qed.

Definition rising (L : R -> R) := forall x y, 0 < x -> x <= y -> y < 1 -> L x <= L y.
Definition falling (L : R -> R) := forall x y, 0 < x -> x <= y -> y < 1 -> L y <= L x.
Definition not_below_0 (L : R -> R) := forall x, 0 < x < 1 -> 0 <= L x.
Definition integrable_with (L f : R -> R) :=
  forall x y, 0 < x -> x <= y -> y < 1 -> ex_RInt (fun s => L s * f s) x y.

(** the loss at one end of an interval bounds the integral over it *)
Lemma integral_above L F f c x y v : scores F f -> 0 < x -> x <= y -> y < 1 ->
  (forall s, x <= s <= y -> c <= L s) -> is_RInt (fun s => L s * f s) x y v -> c * (F y - F x) <= v.
Proof.
  intros S h1 h2 h3 HL Hv.
  apply (is_RInt_le (fun s => c * f s) (fun s => L s * f s) x y); [exact h2 | | exact Hv |].
  - apply (is_RInt_scal f x y c), scores_slope; assumption.
  - intros s Hs; apply Rmult_le_compat_r; [apply (density_nonnegative _ _ S); lra | apply HL; lra].
Qed.

Lemma vanishes_between {G : (R -> Prop) -> Prop} {FG : Filter G} (f : R -> R) :
  (forall e : posreal, G (fun x => 0 <= f x <= e)) -> filterlim f G (locally 0).
Proof.
  intro H; apply filterlim_locally; intro e.
  apply filter_imp with (2 := H (pos_div_2 e)); intros x Hx.
  apply ball_between; pose proof (cond_pos e); simpl in *; lra.
Qed.

(** If the expected loss of class 0 is finite, L0 (1 - F0) vanishes at 1, even where L0 is unbounded. *)
Lemma boundary_at_1 L F f l : scores F f -> not_below_0 L -> rising L -> integrable_with L f ->
  integral_on_unit (fun s => L s * f s) l -> vanishes_at_1 (fun s => L s * (1 - F s)).
Proof.
  intros S N M X H; apply vanishes_between; intro e.
  destruct (small_at_1 _ _ e H) as (B & HB & HI).
  apply filter_imp with (2 := filter_and _ _ near_1 HB); intros y [Hy By]; assert (y1 : y < 1) by lra.
  pose proof (scores_between F f y S ltac:(lra)); pose proof (N y ltac:(lra)).
  split; [apply Rmult_le_pos; lra|].
  apply (limit_le (F := at_left 1) (fun z => L y * (F z - F y)) (fun _ => pos e)).
  - refine (limit_of_smooth (G := at_left 1) F (fun t => L y * (t - F y)) 1 (ends_at_1 _ _ S) _).
    auto_derive; exact I.
  - apply filterlim_const.
  - apply filter_imp with (2 := filter_and _ _ (left_of y 1 y1) HB); intros z [Hz Bz].
    destruct (X y z) as [v Hv]; [lra..|].
    apply Rle_trans with v; [|apply Rlt_le, (HI y z); assumption].
    apply (integral_above L F f (L y) y z); [assumption | lra.. | | exact Hv].
    intros s Hs; apply M; lra.
Qed.

(** If the expected loss of class 1 is finite, L1 F1 vanishes at 0, even where L1 is unbounded. *)
Lemma boundary_at_0 L F f l : scores F f -> not_below_0 L -> falling L -> integrable_with L f ->
  integral_on_unit (fun s => L s * f s) l -> vanishes_at_0 (fun s => L s * F s).
Proof.
  intros S N M X H; apply vanishes_between; intro e.
  destruct (small_at_0 _ _ e H) as (A & HA & HI).
  apply filter_imp with (2 := filter_and _ _ near_0 HA); intros y [Hy Ay]; assert (y0 : 0 < y) by lra.
  pose proof (scores_between F f y S ltac:(lra)); pose proof (N y ltac:(lra)).
  split; [apply Rmult_le_pos; lra|].
  apply (limit_le (F := at_right 0) (fun x => L y * (F y - F x)) (fun _ => pos e)).
  - replace (L y * F y) with (L y * (F y - 0)) by ring.
    refine (limit_of_smooth (G := at_right 0) F (fun t => L y * (F y - t)) 0 (starts_at_0 _ _ S) _).
    auto_derive; exact I.
  - apply filterlim_const.
  - apply filter_imp with (2 := filter_and _ _ (right_of 0 y y0) HA); intros x [Hx Ax].
    destruct (X x y) as [v Hv]; [lra..|].
    apply Rle_trans with v; [|apply Rlt_le, (HI x y); assumption].
    apply (integral_above L F f (L y) x y); [assumption | lra.. | | exact Hv].
    intros s Hs; apply M; lra.
Qed.

(** a factor between 0 and 1 leaves a limit 0 as it is *)
Lemma vanishes_times {G : (R -> Prop) -> Prop} {FG : Filter G} (f h : R -> R) :
  G (fun x => 0 <= h x <= 1) -> filterlim f G (locally 0) -> filterlim (fun x => f x * h x) G (locally 0).
Proof.
  intros Hh Hf; apply filterlim_locally; intro e.
  apply filter_imp with (2 := filter_and _ _ Hh (proj1 (filterlim_locally _ _) Hf e)); intros x [Hx Bx].
  apply ball_between in Bx; apply ball_between; nra.
Qed.

(** * The expected loss of a certified rule *)

Section Certified.
Variables (P : piece) (rest : list (R * piece)).
Hypothesis certified : chain 0 P rest.
Hypothesis signed : weighs_all 0 0 0 P rest.
Hypothesis continuous_weight : steady 0 P rest.
Notation L0 := (joined loss0 P rest).
Notation L1 := (joined loss1 P rest).
Notation omega := (joined weight P rest).
Hypothesis starts : vanishes_at_0 L0.
Hypothesis ends : vanishes_at_1 L1.

Lemma loss0_rises : rising L0.
Proof.
  intros x y h1 h2 h3; destruct (Rle_lt_or_eq_dec _ _ h2) as [h | ->]; [|lra].
  destruct (chain_is_truthful 0 0 0 P rest certified signed x y) as [T _]; try lra.
  pose proof (prefers_lower _ _ 0 x y ltac:(lra) h T) as A; unfold risk in A; lra.
Qed.
Lemma loss1_falls : falling L1.
Proof.
  intros x y h1 h2 h3; destruct (Rle_lt_or_eq_dec _ _ h2) as [h | ->]; [|lra].
  destruct (chain_is_truthful 0 0 0 P rest certified signed x y) as [T _]; try lra.
  pose proof (prefers_upper _ _ 1 x y ltac:(lra) h T) as A; unfold risk in A; lra.
Qed.
Lemma loss0_nonnegative : not_below_0 L0.
Proof.
  intros x Hx; apply (limit_le (F := at_right 0) L0 (fun _ => L0 x)); [exact starts | apply filterlim_const |].
  apply filter_imp with (2 := right_of 0 x (proj1 Hx)); intros y Hy; apply loss0_rises; lra.
Qed.
Lemma loss1_nonnegative : not_below_0 L1.
Proof.
  intros x Hx; apply (limit_le (F := at_left 1) L1 (fun _ => L1 x)); [exact ends | apply filterlim_const |].
  apply filter_imp with (2 := left_of x 1 (proj2 Hx)); intros y Hy; apply loss1_falls; lra.
Qed.

Lemma unit_factor F f : scores F f -> at_left 1 (fun x => 0 <= F x <= 1) /\ at_right 0 (fun x => 0 <= F x <= 1).
Proof.
  intro S; split; [apply filter_imp with (2 := near_1) | apply filter_imp with (2 := near_0)];
    intros x Hx; apply (scores_between F f); (exact S || lra).
Qed.

(** class 0: the integral over the scores is the one over the thresholds *)
Theorem expected_loss0 F f l : scores F f -> integral_on_unit (fun p => L0 p * f p) l ->
  integral_on_unit (fun s => s * omega s * (1 - F s)) l.
Proof.
  intros S H; rewrite <- (Ropp_involutive l).
  apply (by_parts L0 _ (fun s => 1 - F s) (fun s => - f s)).
  - intros; apply (chain_parts false 0); try assumption; [|lra].
    intros t Ht; destruct (density_continuous _ _ S t Ht) as [D C]; split.
    + replace (- f t) with (minus 0 (f t)) by (unfold minus, plus, opp; simpl; ring).
      apply (is_derive_minus (fun _ => 1) F); [apply @is_derive_const | exact D].
    + apply (continuous_opp f), C.
  - apply (vanishes_times (G := at_right 0) L0 (fun s => 1 - F s)); [|exact starts].
    apply filter_imp with (2 := proj2 (unit_factor F f S)); intros; lra.
  - apply (boundary_at_1 L0 F f l); try assumption; [apply loss0_nonnegative | apply loss0_rises |].
    intros x y h1 h2 h3; apply (chain_integrable false 0); try (assumption || lra); apply S.
  - replace (- l) with (-1 * l) by ring.
    refine (integral_on_unit_ext _ _ _ _ (integral_on_unit_scal _ (-1) _ H)); intros; ring.
Qed.

(** class 1 alike *)
Theorem expected_loss1 F f l : scores F f -> integral_on_unit (fun p => L1 p * f p) l ->
  integral_on_unit (fun s => (1 - s) * omega s * F s) l.
Proof.
  intros S H.
  replace l with (-1 * - l) by ring.
  apply integral_on_unit_ext with (fun s => -1 * (- (1 - s) * omega s * F s)); [intros; ring|].
  apply integral_on_unit_scal, (by_parts L1 (fun s => - (1 - s) * omega s) F f); try assumption.
  - intros; apply (chain_parts true 0); try (assumption || lra); exact (density_continuous _ _ S).
  - apply (boundary_at_0 L1 F f l); try assumption; [apply loss1_nonnegative | apply loss1_falls |].
    intros x y h1 h2 h3; apply (chain_integrable true 0); try (assumption || lra); apply S.
  - apply (vanishes_times (G := at_left 1) L1 F); [exact (proj1 (unit_factor F f S)) | exact ends].
Qed.

(** Both classes: whenever the expected losses are finite, nothing is left at the boundary. *)
Theorem expected_loss F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  intros S0 S1 H0 H1.
  apply integral_on_unit_plus; apply integral_on_unit_scal;
    [apply (expected_loss0 F0 d0) | apply (expected_loss1 F1 d1)]; assumption.
Qed.
End Certified.
