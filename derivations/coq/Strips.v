(** A strip of an area: between two values of [c1], [c0] runs from a lower side to an upper one, both of them lines.

    For one value of [c1], what is paid is integrated over [c0] by an antiderivative that is certified once for all
    reports: over all of the strip, below a value of [c0], or above it. Integrals may begin at 0 and go on without end. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas.
Import ListNotations.
Open Scope R_scope.

(** * Integrals from a number on, and antiderivatives *)

(** Close to [a], from above; functions need not be bounded at 0. *)
Definition after (a : R) : (R -> Prop) -> Prop := if Req_EM_T a 0 then at_right 0 else at_point a.
Definition before (b : Rbar) : (R -> Prop) -> Prop :=
  match b with Finite b => at_point b | _ => Rbar_locally p_infty end.

Global Instance after_is_proper a : ProperFilter (after a).
Proof. unfold after. destruct (Req_EM_T a 0); [apply at_right_proper_filter | apply at_point_filter]. Qed.
Global Instance before_is_proper b : ProperFilter (before b).
Proof. destruct b; [apply at_point_filter | apply Rbar_locally_filter ..]. Qed.

Lemma after_0 : after 0 = at_right 0.
Proof. unfold after. destruct (Req_EM_T 0 0); [reflexivity | lra]. Qed.
Lemma after_positive a : 0 < a -> after a = at_point a.
Proof. intro A. unfold after. destruct (Req_EM_T a 0); [lra | reflexivity]. Qed.

Lemma after_is_above a b : 0 <= a -> Rbar_le a b -> Rbar_lt 0 b -> after a (fun x => 0 < x /\ a <= x /\ Rbar_le x b).
Proof.
  intros A AB B. destruct (Req_dec a 0) as [-> | N].
  - rewrite after_0. destruct b as [b | |]; simpl in B; try contradiction.
    + apply filter_imp with (2 := right_of 0 b B). simpl. intros x X. lra.
    + apply filter_imp with (2 := right_of 0 1 Rlt_0_1). simpl. intros x X. repeat split; lra.
  - rewrite after_positive by lra. unfold at_point. repeat split; [lra | lra | exact AB].
Qed.

Lemma tends_after (G : R -> R) (a value : R) : 0 < a -> G a = value -> filterlim G (after a) (locally value).
Proof. intros A <-. rewrite after_positive by exact A. intros P H. exact (locally_singleton _ _ H). Qed.
Lemma tends_before (G : R -> R) (b value : R) : G b = value -> filterlim G (before b) (locally value).
Proof. intros <- P H. exact (locally_singleton _ _ H). Qed.

(** What has an antiderivative is integrated by its values, or limits, at both ends. *)
Lemma by_antiderivative a b (G g : R -> R) (bottom top : R) : 0 <= a -> Rbar_le a b -> Rbar_lt 0 b ->
  (forall x, 0 < x -> a <= x -> Rbar_le x b -> slope_is G g x) ->
  filterlim G (after a) (locally bottom) -> filterlim G (before b) (locally top) ->
  is_RInt_gen g (after a) (before b) (top - bottom).
Proof.
  intros A AB B D Start Stop P HP.
  assert (Within : filter_prod (after a) (before b)
    (fun xy => 0 < fst xy /\ a <= fst xy /\ fst xy <= snd xy /\ Rbar_le (snd xy) b)).
  { destruct b as [b | |]; simpl in AB, B; try contradiction.
    - exists (fun x => 0 < x /\ a <= x /\ Rbar_le x b) (fun y => y = b);
        [exact (after_is_above a b A AB B) | reflexivity |].
      intros x y (X & AX & XB) ->. simpl in *. repeat split; try assumption; lra.
    - exists (fun x => 0 < x /\ a <= x /\ Rbar_le x (a + 1)) (fun y => a + 1 < y).
      + apply (after_is_above a (a + 1) A); simpl; lra.
      + apply eventually_above.
      + intros x y (X & AX & XB) Y. simpl in *. repeat split; lra. }
  assert (Change : filterlim (fun xy => G (snd xy) - G (fst xy)) (filter_prod (after a) (before b)) (locally (top - bottom))).
  { refine (filterlim_comp_2 (G := locally top) (H := locally (- bottom)) (fun xy : R * R => G (snd xy))
      (fun xy => - G (fst xy)) Rplus _ _ (filterlim_plus (V := R_NormedModule) top (- bottom))).
    - exact (filterlim_comp _ _ _ snd G _ _ _ filterlim_snd Stop).
    - refine (filterlim_comp _ _ _ (fun xy : R * R => G (fst xy)) Ropp _ (locally bottom) _ _ (filterlim_opp (V := R_NormedModule) bottom)).
      exact (filterlim_comp _ _ _ fst G _ _ _ filterlim_fst Start). }
  assert (Near : filter_prod (after a) (before b) (fun xy => P (G (snd xy) - G (fst xy)))) by exact (Change P HP).
  refine (filter_imp _ _ _ (filter_and _ _ Within Near)).
  intros [x y] [(X & AX & XY & Y) HG]; simpl in *. exists (G y - G x). split; [| exact HG].
  apply (between_bounds G); [exact XY | | reflexivity].
  intros c C. apply D; [lra | lra |]. destruct b; simpl in *; [lra | exact I | contradiction].
Qed.

Definition onward (a : R) (f : R -> R) (value : R) : Prop := is_RInt_gen f (after a) (Rbar_locally p_infty) value.

Lemma over_positive_is_onward f value : onward 0 f value -> over_positive f value.
Proof. unfold onward. rewrite after_0. trivial. Qed.

Lemma onward_last a (f g G : R -> R) (bottom top : R) : 0 <= a -> (forall x, a < x -> f x = g x) ->
  (forall x, 0 < x -> a <= x -> slope_is G g x) ->
  filterlim G (after a) (locally bottom) -> filterlim G (before p_infty) (locally top) -> onward a f (top - bottom).
Proof.
  intros A E D Start Stop.
  refine (is_RInt_gen_ext (Fa := after a) (Fb := Rbar_locally p_infty) g f _ _
    (by_antiderivative a p_infty G g bottom top A I I (fun x X AX _ => D x X AX) Start Stop)).
  exists (fun x => 0 < x /\ a <= x /\ Rbar_le x (a + 1)) (fun y => a + 1 < y).
  - apply (after_is_above a (a + 1) A); simpl; lra.
  - apply eventually_above.
  - intros x y (X & AX & XA) Y z. simpl in *. rewrite Rmin_left, Rmax_right by lra. intro Z. symmetry. apply E. lra.
Qed.

Lemma onward_step a b (f g G : R -> R) (bottom value : R) : 0 <= a -> a <= b -> 0 < b -> (forall x, a < x < b -> f x = g x) ->
  (forall x, 0 < x -> a <= x -> x <= b -> slope_is G g x) ->
  filterlim G (after a) (locally bottom) -> onward b f value -> onward a f (G b - bottom + value).
Proof.
  intros A AB B E D Start Next. unfold onward in *. rewrite (after_positive b B) in Next.
  apply (is_RInt_gen_Chasles (Fa := after a) (Fc := Rbar_locally p_infty) f b (G b - bottom) value); [| exact Next].
  refine (is_RInt_gen_ext (Fa := after a) (Fb := at_point b) g f _ _
    (by_antiderivative a b G g bottom (G b) A AB B D Start (tends_before G b _ eq_refl))).
  exists (fun x => 0 < x /\ a <= x /\ Rbar_le x b) (fun y => y = b); [exact (after_is_above a b A AB B) | reflexivity |].
  intros x y (X & AX & XB) -> z. simpl in *. rewrite Rmin_left, Rmax_right by lra. intro Z. symmetry. apply E. lra.
Qed.

Lemma onward_zero a f : 0 <= a -> (forall x, a < x -> f x = 0) -> onward a f 0.
Proof.
  intros A Z. replace 0 with (0 - 0) by ring.
  apply (onward_last a f (fun _ => 0) (fun _ => 0)); try assumption; try apply filterlim_const.
  intros x _ _. split; [apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)) | apply continuous_const].
Qed.

Lemma onward_zero_step a b f value : 0 <= a -> a <= b -> (a < b -> 0 < b) -> (forall x, a < x < b -> f x = 0) ->
  onward b f value -> onward a f value.
Proof.
  intros A AB B Z Next. destruct (Req_dec a b) as [-> | N]; [exact Next |].
  replace value with (0 - 0 + value) by ring.
  apply (onward_step a b f (fun _ => 0) (fun _ => 0)); try assumption; try apply filterlim_const; try lra.
  intros x _ _ _. split; [apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)) | apply continuous_const].
Qed.

(** * Sides, strips, and where the ray of a report runs *)

(** A line in the plane of the costs: [c0] as a function of [c1]. *)
Record side := Side { rate : R; offset : R }.
Definition side_at (s : side) (c1 : R) : R := rate s * c1 + offset s.

(** The first line is not above the second one from [a] to [b]: as lines, at both ends. *)
Definition under (s t : side) (a : R) (b : Rbar) : Prop :=
  side_at s a <= side_at t a /\ match b with Finite b => side_at s b <= side_at t b | _ => rate s <= rate t end.

Lemma under_between s t a b c1 : under s t a b -> a <= c1 -> Rbar_le c1 b -> side_at s c1 <= side_at t c1.
Proof.
  unfold under, side_at. intros [A B] AC CB. destruct b as [b | |]; simpl in *; [| | contradiction].
  - destruct (Rle_lt_dec (rate s) (rate t)) as [R | R].
    + assert (0 <= (rate t - rate s) * (c1 - a)) by (apply Rmult_le_pos; lra). lra.
    + assert (0 <= (rate s - rate t) * (b - c1)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (rate t - rate s) * (c1 - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** For [c1] from [low] to [high], [c0] runs from the lower side to the upper one, or to infinity. *)
Record strip := Strip { low : R; high : Rbar; lower : side; upper : option side }.
Definition bottom_of (S : strip) (c1 : R) : R := side_at (lower S) c1.
Definition top_of (S : strip) (c1 : R) : Rbar :=
  match upper S with Some s => Finite (side_at s c1) | None => p_infty end.
Definition in_strip (S : strip) (c1 : R) : Prop := 0 < c1 /\ low S <= c1 /\ Rbar_le c1 (high S).

(** A strip is the part of an area at its values of [c1]. *)
Definition fills (A : area) (S : strip) : Prop :=
  0 <= low S /\ Rbar_lt (low S) (high S) /\
  forall c1, in_strip S c1 -> 0 <= bottom_of S c1 /\ Rbar_le (bottom_of S c1) (top_of S c1) /\
    (low S < c1 -> Rbar_lt c1 (high S) -> Rbar_lt (bottom_of S c1) (top_of S c1)) /\
    forall c0, 0 < c0 -> (hold (region A c0 c1) <-> bottom_of S c1 <= c0 /\ Rbar_le c0 (top_of S c1)).

(** * Antiderivatives in [c0] *)

(** [amount c0 c1], with its values at the lower and at the upper side. *)
Record inner := Inner { amount : R -> R -> R; at_bottom : R -> R; at_top : R -> R }.
Definition integrates (A : area) (S : strip) (charge : R -> R -> R) (J : inner) : Prop :=
  forall c1, in_strip S c1 ->
    (forall c0, 0 < c0 -> bottom_of S c1 <= c0 -> Rbar_le c0 (top_of S c1) ->
      slope_is (fun c0 => amount J c0 c1) (fun c0 => charge c0 c1 * density A c0 c1) c0) /\
    filterlim (fun c0 => amount J c0 c1) (after (bottom_of S c1)) (locally (at_bottom J c1)) /\
    filterlim (fun c0 => amount J c0 c1) (before (top_of S c1)) (locally (at_top J c1)).

(** The same with the factor [c1], which does not depend on [c0]. *)
Definition times_c1 (J : inner) : inner :=
  Inner (fun c0 c1 => c1 * amount J c0 c1) (fun c1 => c1 * at_bottom J c1) (fun c1 => c1 * at_top J c1).

Lemma tends_scaled {F : (R -> Prop) -> Prop} {FF : Filter F} (G : R -> R) (k value : R) :
  filterlim G F (locally value) -> filterlim (fun x => k * G x) F (locally (k * value)).
Proof. intro H. exact (filterlim_comp _ _ _ G (fun y => k * y) F _ _ H (filterlim_scal_r k value)). Qed.

Lemma integrates_times_c1 A S J : integrates A S (fun _ _ => 1) J -> integrates A S (fun _ c1 => c1) (times_c1 J).
Proof.
  intros H c1 In. destruct (H c1 In) as (D & Bottom & Top).
  split; [intros c0 P L U; destruct (D c0 P L U) as [D' C]; split | split; apply tends_scaled; assumption].
  - replace (c1 * density A c0 c1) with (c1 * (1 * density A c0 c1)) by ring.
    exact (is_derive_scal (fun c0 => amount J c0 c1) c0 c1 _ D').
  - apply continuous_ext with (fun c0 => c1 * (1 * density A c0 c1)).
    { intro x. change (c1 * (1 * density A x c1) = c1 * density A x c1). ring. }
    exact (continuous_scal_r c1 (fun c0 => 1 * density A c0 c1) c0 C).
Qed.

(** The integral of a charge over the [c0] of a strip below [t], and above [t]. *)
Definition sum_below (S : strip) (J : inner) (t c1 : R) : R :=
  if Rbar_le_dec (top_of S c1) (bottom_of S c1) then 0 else
  if Rle_dec t (bottom_of S c1) then 0 else
  if Rbar_le_dec (top_of S c1) t then at_top J c1 - at_bottom J c1 else amount J t c1 - at_bottom J c1.
Definition sum_above (S : strip) (J : inner) (t c1 : R) : R :=
  if Rbar_le_dec (top_of S c1) (bottom_of S c1) then 0 else
  if Rle_dec t (bottom_of S c1) then at_top J c1 - at_bottom J c1 else
  if Rbar_le_dec (top_of S c1) t then 0 else at_top J c1 - amount J t c1.

Section Inner.
Variables (A : area) (S : strip) (charge pay : R -> R -> R) (J : inner) (c1 : R).
Hypothesis filled : fills A S.
Hypothesis integrated : integrates A S charge J.
Hypothesis In : in_strip S c1.

Local Notation l := (bottom_of S c1).
Local Notation u := (top_of S c1).
Local Notation f := (fun c0 => charge c0 c1 * density A c0 c1).

Lemma outside c0 : 0 < c0 -> ~ (l <= c0 /\ Rbar_le c0 u) -> paid A pay c1 c0 = 0.
Proof.
  intros P N. apply unpaid_is_0. intro H. destruct filled as (_ & _ & Sides). destruct (Sides c1 In) as (_ & _ & _ & E).
  apply E in H; [contradiction | exact P].
Qed.
Lemma inside c0 : 0 < c0 -> l <= c0 -> Rbar_le c0 u -> pay c0 c1 = charge c0 c1 -> paid A pay c1 c0 = f c0.
Proof.
  intros P L U E. apply paid_inside; [| exact E]. destruct filled as (_ & _ & Sides).
  destruct (Sides c1 In) as (_ & _ & _ & F). apply F; [exact P | split; assumption].
Qed.

(** All that is charged on a strip lies between two values of [c0] in it. *)
Lemma charged_between a b bottom top : l <= a -> Rbar_le a b -> Rbar_le b u -> Rbar_lt 0 b ->
  (forall c0, 0 < c0 -> a < c0 -> Rbar_lt c0 b -> pay c0 c1 = charge c0 c1) ->
  (forall c0, 0 < c0 -> c0 < a \/ Rbar_lt b c0 -> l <= c0 -> Rbar_le c0 u -> pay c0 c1 = 0) ->
  filterlim (fun c0 => amount J c0 c1) (after a) (locally bottom) ->
  filterlim (fun c0 => amount J c0 c1) (before b) (locally top) -> over_positive (paid A pay c1) (top - bottom).
Proof.
  intros LA AB BU B Charged Free Bottom Top.
  destruct filled as (_ & _ & Sides). destruct (Sides c1 In) as (L & LU & _ & _).
  destruct (integrated c1 In) as (D & _ & _). pose proof inside as Within.
  assert (Out : forall c0, 0 < c0 -> c0 < a \/ Rbar_lt b c0 -> paid A pay c1 c0 = 0).
  { intros c0 P O. destruct (Rle_dec l c0) as [M |]; [destruct (Rbar_le_dec c0 u) as [N |] |]; try (apply outside; tauto).
    apply unpaid_is_0. intros _. apply Free; assumption. }
  apply over_positive_is_onward, (onward_zero_step 0 a); [lra | lra | lra | intros; apply Out; lra |].
  set (end_ := u) in *. clearbody end_.
  destruct b as [b | |]; simpl in AB, B; try contradiction.
  - replace (top - bottom) with (amount J b c1 - bottom + 0).
    + apply (onward_step a b _ f (fun c0 => amount J c0 c1)); try lra; try assumption.
      * intros c0 C. apply Within; try lra; [destruct end_; simpl in *; try lra; exact I | apply Charged; simpl; lra].
      * intros c0 P AC CB. apply D; try lra. destruct end_; simpl in *; try lra; exact I.
      * apply onward_zero; [lra |]. intros c0 C. apply Out; [lra | right; exact C].
    + rewrite (filterlim_locally_unique (F := before b) (fun c0 => amount J c0 c1) (amount J b c1) top); [ring | | exact Top].
      apply tends_before. reflexivity.
  - destruct end_; simpl in BU; try contradiction.
    apply (onward_last a _ f (fun c0 => amount J c0 c1)); try assumption; try lra.
    + intros c0 C. apply Within; try lra; [exact I | apply Charged; simpl; try lra; exact I].
    + intros c0 P AC. apply D; try lra. exact I.
Qed.

Lemma nothing_charged : (forall c0, 0 < c0 -> l < c0 -> Rbar_lt c0 u -> pay c0 c1 = 0) -> over_positive (paid A pay c1) 0.
Proof.
  intro Free. destruct filled as (_ & _ & Sides). destruct (Sides c1 In) as (L & LU & _ & _).
  assert (Out : forall c0, 0 < c0 -> c0 <> l -> Finite c0 <> u -> paid A pay c1 c0 = 0).
  { intros c0 P Nl Nu. destruct (Rle_dec l c0) as [M |]; [destruct (Rbar_le_dec c0 u) as [N |] |]; try (apply outside; tauto).
    apply unpaid_is_0. intros _. apply Free; [exact P | lra |].
    destruct (top_of S c1); simpl in *; [| exact I | contradiction]. assert (c0 <> r) by congruence. lra. }
  set (end_ := u) in *. clearbody end_.
  apply over_positive_is_onward, (onward_zero_step 0 l); [lra | exact L | lra | |].
  - intros c0 C. apply Out; [lra | lra |]. destruct end_; simpl in *; try discriminate. intro E. injection E. lra.
  - destruct end_ as [u' | |]; simpl in LU; try contradiction.
    + apply (onward_zero_step l u'); [lra | lra | lra | |]; [| apply onward_zero; [lra |]]; intros c0 C;
        (apply Out; [lra | lra | intro E; injection E; lra]).
    + apply onward_zero; [lra |]. intros c0 C. apply Out; [lra | lra | discriminate].
Qed.

Lemma paid_below t : 0 < t -> (forall c0, 0 < c0 -> c0 < t -> pay c0 c1 = charge c0 c1) ->
  (forall c0, 0 < c0 -> t <= c0 -> pay c0 c1 = 0) -> over_positive (paid A pay c1) (sum_below S J t c1).
Proof.
  intros T Charged Free. destruct filled as (_ & _ & Sides). destruct (Sides c1 In) as (L & LU & _ & _).
  destruct (integrated c1 In) as (_ & Bottom & Top). unfold sum_below.
  destruct (Rbar_le_dec u l) as [UL |].
  { apply nothing_charged. intros c0 P LC CU. exfalso. destruct (top_of S c1); simpl in *; lra || contradiction. }
  destruct (Rle_dec t l).
  { apply nothing_charged. intros c0 P LC CU. apply Free; lra. }
  destruct (Rbar_le_dec u t) as [UT |].
  - apply (charged_between l u); try assumption; try lra.
    + apply Rbar_le_refl.
    + destruct (top_of S c1); simpl in *; try lra; exact I.
    + intros c0 P LC CU. apply Charged; [exact P |]. destruct (top_of S c1); simpl in *; lra || contradiction.
    + intros c0 P [C | C] M N; exfalso; [lra |]. destruct (top_of S c1); simpl in *; lra || contradiction.
  - apply (charged_between l t); try assumption; try lra.
    + simpl. lra.
    + destruct (top_of S c1); simpl in *; try lra; exact I.
    + intros c0 P LC CT. apply Charged; assumption.
    + intros c0 P [C | C] M N; [exfalso; lra |]. simpl in C. apply Free; lra.
    + apply tends_before. reflexivity.
Qed.

Lemma paid_above t : 0 < t -> (forall c0, 0 < c0 -> c0 < t -> pay c0 c1 = 0) ->
  (forall c0, 0 < c0 -> t <= c0 -> pay c0 c1 = charge c0 c1) -> over_positive (paid A pay c1) (sum_above S J t c1).
Proof.
  intros T Free Charged. destruct filled as (_ & _ & Sides). destruct (Sides c1 In) as (L & LU & _ & _).
  destruct (integrated c1 In) as (_ & Bottom & Top). unfold sum_above.
  destruct (Rbar_le_dec u l) as [UL | NUL].
  { apply nothing_charged. intros c0 P LC CU. exfalso. destruct (top_of S c1); simpl in *; lra || contradiction. }
  destruct (Rle_dec t l).
  { apply (charged_between l u); try assumption; try lra.
    + apply Rbar_le_refl.
    + destruct (top_of S c1); simpl in *; try lra; exact I.
    + intros c0 P LC CU. apply Charged; lra.
    + intros c0 P [C | C] M N; exfalso; [lra |]. destruct (top_of S c1); simpl in *; lra || contradiction. }
  destruct (Rbar_le_dec u t) as [UT | NUT].
  - apply nothing_charged. intros c0 P LC CU. apply Free; [exact P |]. destruct (top_of S c1); simpl in *; lra || contradiction.
  - apply (charged_between t u); try assumption; try lra.
    + destruct (top_of S c1); simpl in *; try lra; exact I.
    + apply Rbar_le_refl.
    + destruct (top_of S c1); simpl in *; try lra; exact I.
    + intros c0 P LC CU. apply Charged; lra.
    + intros c0 P [C | C] M N; [apply Free; lra | exfalso]. destruct (top_of S c1); simpl in *; lra || contradiction.
    + apply tends_after; [exact T | reflexivity].
Qed.

Lemma paid_everywhere : (forall c0, 0 < c0 -> pay c0 c1 = charge c0 c1) ->
  over_positive (paid A pay c1) (sum_above S J (-1) c1).
Proof.
  intro Charged. destruct filled as (_ & _ & Sides). destruct (Sides c1 In) as (L & LU & _ & _).
  destruct (integrated c1 In) as (_ & Bottom & Top). unfold sum_above.
  destruct (Rbar_le_dec u l) as [UL | NUL].
  { apply nothing_charged. intros c0 P LC CU. exfalso. destruct (top_of S c1); simpl in *; lra || contradiction. }
  destruct (Rle_dec (-1) l); [| lra].
  apply (charged_between l u); try assumption; try lra.
  + apply Rbar_le_refl.
  + destruct (top_of S c1); simpl in *; try lra; exact I.
  + intros c0 P LC CU. apply Charged; lra.
  + intros c0 P [C | C] M N; exfalso; [lra |]. destruct (top_of S c1); simpl in *; lra || contradiction.
Qed.
End Inner.
