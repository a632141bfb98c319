(** Expected costs over an area that is cut into strips: between two values of [c1], [c0] runs from a lower side to an
    upper one, both of them lines.

    At a report the ray on which the threshold equals the report runs below a strip, inside it, or above it, and from
    one to another at the cuts. For each of these an antiderivative in [c0], and one in [c1], are certified once for all
    reports; then the expected costs at a report are read off the cuts. *)

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
Definition along (s : side) (c1 : R) : R := rate s * c1 + offset s.

(** The first line is not above the second one from [a] to [b]: as lines, at both ends. *)
Definition under (s t : side) (a : R) (b : Rbar) : Prop :=
  along s a <= along t a /\ match b with Finite b => along s b <= along t b | _ => rate s <= rate t end.

Lemma under_between s t a b c1 : under s t a b -> a <= c1 -> Rbar_le c1 b -> along s c1 <= along t c1.
Proof.
  unfold under, along. intros [A B] AC CB. destruct b as [b | |]; simpl in *; [| | contradiction].
  - destruct (Rle_lt_dec (rate s) (rate t)) as [R | R].
    + assert (0 <= (rate t - rate s) * (c1 - a)) by (apply Rmult_le_pos; lra). lra.
    + assert (0 <= (rate s - rate t) * (b - c1)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (rate t - rate s) * (c1 - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** For [c1] from [low] to [high], [c0] runs from the lower side to the upper one, or to infinity. *)
Record strip := Strip { low : R; high : Rbar; lower : side; upper : option side }.
Definition bottom_of (S : strip) (c1 : R) : R := along (lower S) c1.
Definition top_of (S : strip) (c1 : R) : Rbar :=
  match upper S with Some s => Finite (along s c1) | None => p_infty end.
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

(** * Antiderivatives in [c1], and cuts *)

(** An antiderivative with its values, or limits, where [c1] begins and where it ends. *)
Record outer := Outer { primitive : R -> R; at_low : R; at_high : R }.
Definition starts (S : strip) (O : outer) : Prop := filterlim (primitive O) (after (low S)) (locally (at_low O)).
Definition stops (S : strip) (O : outer) : Prop := filterlim (primitive O) (before (high S)) (locally (at_high O)).

(** The ray of a report: class 1 is predicted for the costs below it. *)
Definition ray_of (p : R) : side := Side (p / (1 - p)) 0.
(** The ray runs below the strip, inside it, or above it. *)
Inductive part := Below | Inside | Above.
Definition runs (S : strip) (p : R) (k : part) (a : R) (b : Rbar) : Prop :=
  match k with
  | Below => under (ray_of p) (lower S) a b
  | Inside => under (lower S) (ray_of p) a b /\ match upper S with Some s => under (ray_of p) s a b | None => True end
  | Above => match upper S with Some s => under s (ray_of p) a b | None => False end
  end.

(** A strip with its antiderivatives: in [c0] of both [c0] and 1 times the density; in [c1] of what class 0 pays where
    the ray runs inside and above, of what class 1 pays where it runs inside and below, and of the probability. *)
Record slab := Slab {
  extent : strip; amounts : inner; chances : inner;
  inside0 : R -> outer; whole0 : outer; inside1 : R -> outer; whole1 : outer; whole : outer }.
Definition all_of (J : inner) (c1 : R) : R := at_top J c1 - at_bottom J c1.
Definition part_below (J : inner) (p c1 : R) : R := amount J (along (ray_of p) c1) c1 - at_bottom J c1.
Definition part_above (J : inner) (p c1 : R) : R := at_top J c1 - amount J (along (ray_of p) c1) c1.

Definition slopes_in (S : strip) (O : outer) (g : R -> R) : Prop :=
  forall c1, in_strip S c1 -> slope_is (primitive O) g c1.
Definition slopes_inside (S : strip) (p : R) (O : outer) (g : R -> R) : Prop :=
  forall c1, in_strip S c1 -> bottom_of S c1 <= along (ray_of p) c1 -> Rbar_le (along (ray_of p) c1) (top_of S c1) ->
    slope_is (primitive O) g c1.
Definition certified (A : area) (B : slab) : Prop :=
  fills A (extent B) /\
  integrates A (extent B) (fun c0 _ => c0) (amounts B) /\
  integrates A (extent B) (fun _ _ => 1) (chances B) /\
  slopes_in (extent B) (whole0 B) (all_of (amounts B)) /\
  slopes_in (extent B) (whole1 B) (fun c1 => c1 * all_of (chances B) c1) /\
  slopes_in (extent B) (whole B) (all_of (chances B)) /\
  (forall p, 0 < p < 1 -> slopes_inside (extent B) p (inside0 B p) (part_below (amounts B) p)) /\
  (forall p, 0 < p < 1 -> slopes_inside (extent B) p (inside1 B p) (fun c1 => c1 * part_above (chances B) p c1)).

Definition nothing_paid : outer := Outer (fun _ => 0) 0 0.
Definition parts0 (p : R) (B : slab) (k : part) : outer :=
  match k with Below => nothing_paid | Inside => inside0 B p | Above => whole0 B end.
Definition parts1 (p : R) (B : slab) (k : part) : outer :=
  match k with Below => whole1 B | Inside => inside1 B p | Above => nothing_paid end.

(** Where a strip is cut, with how the ray runs before each cut and at last. *)
Definition cuts : Type := list (part * R) * part.
Fixpoint are_cuts (S : strip) (run : part -> R -> Rbar -> Prop) (a : R) (list : list (part * R)) (final : part) : Prop :=
  match list with
  | nil => run final a (high S)
  | (k, b) :: others => (a <= b /\ 0 < b /\ Rbar_le b (high S)) /\ run k a b /\ are_cuts S run b others final
  end.

(** What is paid between the cuts, and in all strips of an area, and in all areas. *)
Definition start_of (from : option R) (O : outer) : R :=
  match from with Some a => primitive O a | None => at_low O end.
Fixpoint gain (O : part -> outer) (from : option R) (list : list (part * R)) (final : part) : R :=
  match list with
  | nil => at_high (O final) - start_of from (O final)
  | (k, b) :: others => primitive (O k) b - start_of from (O k) + gain O (Some b) others final
  end.
Definition first_part (list : list (part * R)) (final : part) : part :=
  match list with nil => final | (k, _) :: _ => k end.

(** * The outer integral *)

Lemma onward_ext a f g value : 0 <= a -> (forall x, a < x -> f x = g x) -> onward a f value -> onward a g value.
Proof.
  intros A E. apply (is_RInt_gen_ext (Fa := after a) (Fb := Rbar_locally p_infty) f g).
  exists (fun x => 0 < x /\ a <= x /\ Rbar_le x (a + 1)) (fun y => a + 1 < y).
  - apply (after_is_above a (a + 1) A); simpl; lra.
  - apply eventually_above.
  - intros x y (X & AX & XA) Y z. simpl in *. rewrite Rmin_left, Rmax_right by lra. intro Z. apply E. lra.
Qed.

(** What comes after a strip. *)
Definition beyond (S : strip) (f : R -> R) (value : R) : Prop :=
  match high S with Finite b => onward b f value | _ => value = 0 end.

Section Cuts.
Variables (S : strip) (O : part -> outer) (f : R -> R) (g : part -> R -> R) (run : part -> R -> Rbar -> Prop).
Hypothesis Start : 0 <= low S.
Hypothesis Width : Rbar_lt (low S) (high S).
Hypothesis same : forall k a b c1, run k a b -> low S <= a -> Rbar_le b (high S) -> a < c1 -> Rbar_lt c1 b -> f c1 = g k c1.
Hypothesis slopes : forall k a b c1, run k a b -> a <= c1 -> Rbar_le c1 b -> in_strip S c1 -> slope_is (primitive (O k)) (g k) c1.

Lemma by_cuts value list : forall final a from, low S <= a -> Rbar_le a (high S) -> are_cuts S run a list final ->
  filterlim (primitive (O (first_part list final))) (after a) (locally (start_of from (O (first_part list final)))) ->
  stops S (O final) -> beyond S f value -> onward a f (gain O from list final + value).
Proof.
  assert (Positive : Rbar_lt 0 (high S)) by (destruct (high S); simpl in *; lra || trivial).
  induction list as [| [k b] others Rest]; simpl; intros final a from LA AH C First Last Next.
  - unfold stops, beyond in *. destruct (high S) as [e | |] eqn:H; try contradiction.
    + simpl in AH, Positive.
      replace (at_high (O final)) with (primitive (O final) e)
        by exact (filterlim_locally_unique (F := at_point e) _ _ _ (tends_before (primitive (O final)) e _ eq_refl) Last).
      apply (onward_step a e f (g final)); try assumption; try lra.
      * intros x X. apply (same final a e); simpl; try assumption; lra.
      * intros x P AX XE. apply (slopes final a e); simpl; try assumption; try lra.
        unfold in_strip. rewrite H. simpl. lra.
    + rewrite Next, Rplus_0_r. apply (onward_last a f (g final) (primitive (O final))); try assumption; try lra.
      * intros x X. apply (same final a p_infty); simpl; trivial.
      * intros x P AX. apply (slopes final a p_infty); simpl; trivial.
        unfold in_strip. rewrite H. simpl. repeat split; lra || trivial.
  - destruct C as ((AB & B & BH) & Runs & C).
    rewrite Rplus_assoc. apply (onward_step a b f (g k)); try assumption; try lra.
    + intros x X. apply (same k a b); simpl; try assumption; lra.
    + intros x P AX XB. apply (slopes k a b); simpl; try assumption.
      unfold in_strip. repeat split; try lra. apply Rbar_le_trans with b; [exact XB | exact BH].
    + apply (Rest final b (Some b)); try assumption; try lra. apply tends_after; [exact B | reflexivity].
Qed.
End Cuts.

(** Strips that lie one after the other. *)
Fixpoint stacked (slabs : list slab) : Prop :=
  match slabs with
  | B :: rest => match rest with B' :: _ => high (extent B) = Finite (low (extent B')) | nil => True end /\ stacked rest
  | nil => True
  end.
Definition begins (slabs : list slab) (c1 : R) : Prop :=
  match slabs with B :: _ => low (extent B) <= c1 | nil => False end.
Fixpoint ends (slabs : list slab) (c1 : R) : Prop :=
  match slabs with
  | B :: rest => match rest with nil => Rbar_le c1 (high (extent B)) | _ => ends rest c1 end
  | nil => False
  end.
(** An area is cut into strips. *)
Definition covered (A : area) (slabs : list slab) : Prop :=
  stacked slabs /\ forall c0 c1, 0 < c0 -> 0 < c1 -> hold (region A c0 c1) -> begins slabs c1 /\ ends slabs c1.

(** What is integrated over [c1]: in each strip its own function. *)
Fixpoint in_strips (h : slab -> R -> R) (slabs : list slab) (c1 : R) : R :=
  match slabs with
  | nil => 0
  | B :: rest =>
      if Rlt_dec c1 (low (extent B)) then 0 else
      if Rbar_le_dec c1 (high (extent B)) then h B c1 else in_strips h rest c1
  end.

Lemma sections_in_strips A pay h c1 slabs : 0 < c1 -> stacked slabs ->
  List.Forall (fun B => in_strip (extent B) c1 -> over_positive (paid A pay c1) (h B c1)) slabs ->
  (forall c0, 0 < c0 -> hold (region A c0 c1) -> begins slabs c1 /\ ends slabs c1) ->
  over_positive (paid A pay c1) (in_strips h slabs c1).
Proof.
  intros P Stack Sections. assert (Nothing : (forall c0, 0 < c0 -> ~ hold (region A c0 c1)) -> over_positive (paid A pay c1) 0).
  { intro N. apply over_positive_zero. intros c0 P0. apply unpaid_is_0. intro H. destruct (N c0 P0 H). }
  induction Sections as [| B rest Section Sections Rest]; simpl; intro Covered.
  - apply Nothing. intros c0 P0 H. destruct (Covered c0 P0 H). contradiction.
  - destruct Stack as [Joint Stack]. destruct (Rlt_dec c1 (low (extent B))) as [L | L].
    { apply Nothing. intros c0 P0 H. destruct (Covered c0 P0 H). lra. }
    destruct (Rbar_le_dec c1 (high (extent B))) as [U | U].
    { apply Section. repeat split; [exact P | lra | exact U]. }
    apply Rest; [exact Stack |]. intros c0 P0 H. destruct (Covered c0 P0 H) as [_ C].
    destruct rest as [| B' rest]; [contradiction |]. split; [| exact C].
    rewrite Joint in U. simpl in U |- *. lra.
Qed.

(** What is gained in all strips. *)
Fixpoint gains (O : slab -> part -> outer) (slabs : list slab) (all : list cuts) : R :=
  match slabs, all with
  | B :: rest, (list, final) :: others => gain (O B) None list final + gains O rest others
  | _, _ => 0
  end.
Fixpoint all_cuts (run : slab -> part -> R -> Rbar -> Prop) (slabs : list slab) (all : list cuts) : Prop :=
  match slabs, all with
  | B :: rest, (list, final) :: others =>
      are_cuts (extent B) (run B) (low (extent B)) list final /\ all_cuts run rest others
  | nil, nil => True
  | _, _ => False
  end.
Fixpoint all_limits (O : slab -> part -> outer) (slabs : list slab) (all : list cuts) : Prop :=
  match slabs, all with
  | B :: rest, (list, final) :: others =>
      (starts (extent B) (O B (first_part list final)) /\ stops (extent B) (O B final)) /\ all_limits O rest others
  | _, _ => True
  end.

Section Stack.
Variables (A : area) (pay : R -> R -> R) (h : slab -> R -> R) (g : slab -> part -> R -> R) (O : slab -> part -> outer)
  (run : slab -> part -> R -> Rbar -> Prop).

(** On a strip: sections have the value [h], which is [g] where the ray runs in one way, of which [O] is an antiderivative. *)
Definition known (B : slab) : Prop :=
  (0 <= low (extent B) /\ Rbar_lt (low (extent B)) (high (extent B))) /\
  (forall c1, in_strip (extent B) c1 -> over_positive (paid A pay c1) (h B c1)) /\
  (forall k a b c1, run B k a b -> low (extent B) <= a -> Rbar_le b (high (extent B)) ->
    a < c1 -> Rbar_lt c1 b -> h B c1 = g B k c1) /\
  (forall k a b c1, run B k a b -> a <= c1 -> Rbar_le c1 b -> in_strip (extent B) c1 ->
    slope_is (primitive (O B k)) (g B k) c1).

Lemma onward_strips slabs : List.Forall known slabs -> forall all, stacked slabs -> all_cuts run slabs all -> all_limits O slabs all ->
  match slabs with B :: _ => onward (low (extent B)) (in_strips h slabs) (gains O slabs all) | nil => True end.
Proof.
  induction 1 as [| B rest ((L & W) & _ & Same & Slopes) Known Rest]; [trivial |].
  intros [| [list final] others] Stack Cuts Limits; [contradiction |].
  destruct Stack as [Joint Stack], Cuts as [Cut Cuts], Limits as [[Start Stop] Limits]. simpl gains.
  assert (LH : Rbar_le (low (extent B)) (high (extent B))) by (destruct (high (extent B)); simpl in *; lra || trivial).
  apply (by_cuts (extent B) (O B) _ (g B) (run B)); try assumption; [| apply Rle_refl |].
  - intros k a b c1 Run LA BH AC CB. rewrite <- (Same k a b c1) by assumption. simpl.
    destruct (Rlt_dec c1 (low (extent B))); [lra |]. destruct (Rbar_le_dec c1 (high (extent B))) as [| N]; [reflexivity |].
    destruct N. apply Rbar_le_trans with b; [apply Rbar_lt_le, CB | exact BH].
  - specialize (Rest others Stack Cuts Limits). unfold beyond. destruct rest as [| B' rest].
    + destruct others; [| contradiction]. simpl. destruct (high (extent B)) as [e | |] eqn:H; [| reflexivity | reflexivity].
      apply onward_zero; [simpl in W; lra |]. intros c1 C. destruct (Rlt_dec c1 (low (extent B))); [reflexivity |].
      destruct (Rbar_le_dec c1 e) as [N |]; [simpl in N; lra | reflexivity].
    + rewrite Joint in *. refine (onward_ext _ _ _ _ _ _ Rest); [simpl in W; lra |].
      intros c1 C. simpl in W. change (in_strips h (B' :: rest) c1 = in_strips h (B :: B' :: rest) c1).
      simpl. destruct (Rlt_dec c1 (low (extent B))); [lra |]. rewrite Joint.
      destruct (Rbar_le_dec c1 (low (extent B'))) as [N |]; [simpl in N; lra | reflexivity].
Qed.

Lemma over_strips slabs all : List.Forall known slabs -> covered A slabs -> slabs <> nil ->
  all_cuts run slabs all -> all_limits O slabs all -> over_area A pay (gains O slabs all).
Proof.
  intros Known [Stack Covered] Some Cuts Limits. pose proof (onward_strips slabs Known all Stack Cuts Limits) as Gains.
  exists (in_strips h slabs). split.
  - intros c1 P. apply sections_in_strips; try assumption; [| intros c0 P0; apply Covered; assumption].
    apply List.Forall_impl with (2 := Known). intros B (_ & K & _). apply K.
  - destruct slabs as [| B rest]; [contradiction |]. destruct (List.Forall_inv Known) as ((L & W) & _).
    apply over_positive_is_onward, (onward_zero_step 0 (low (extent B))); try lra; [| exact Gains].
    intros c1 C. simpl. destruct (Rlt_dec c1 (low (extent B))); [reflexivity | lra].
Qed.
End Stack.

(** * What is paid on a strip at a report *)

Lemma ray_is p c1 : along (ray_of p) c1 = p * c1 / (1 - p).
Proof. unfold along, ray_of, Rdiv. simpl. ring. Qed.
Lemma ray_positive p c1 : 0 < p < 1 -> 0 < c1 -> 0 < along (ray_of p) c1.
Proof. intros P C. rewrite ray_is. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra. Qed.

Definition section0 (J : inner) (p : R) (k : part) (c1 : R) : R :=
  match k with Below => 0 | Inside => part_below J p c1 | Above => all_of J c1 end.
Definition section1 (J : inner) (p : R) (k : part) (c1 : R) : R :=
  match k with Below => all_of J c1 | Inside => part_above J p c1 | Above => 0 end.

Section Runs.
Variables (A : area) (S : strip) (charge : R -> R -> R) (J : inner) (p : R).
Hypothesis Unit : 0 < p < 1.
Hypothesis filled : fills A S.
Hypothesis integrated : integrates A S charge J.

Lemma runs_at k a b c1 : runs S p k a b -> a <= c1 -> Rbar_le c1 b ->
  match k with
  | Below => along (ray_of p) c1 <= bottom_of S c1
  | Inside => bottom_of S c1 <= along (ray_of p) c1 /\ Rbar_le (along (ray_of p) c1) (top_of S c1)
  | Above => Rbar_le (top_of S c1) (along (ray_of p) c1)
  end.
Proof.
  unfold bottom_of, top_of. destruct k; simpl.
  - apply under_between.
  - intros [L U] AC CB. split; [exact (under_between _ _ a b c1 L AC CB) |].
    destruct (upper S); [exact (under_between _ _ a b c1 U AC CB) | exact I].
  - destruct (upper S); [apply under_between | contradiction].
Qed.

Lemma sums_by k a b c1 : runs S p k a b -> low S <= a -> Rbar_le b (high S) -> a < c1 -> Rbar_lt c1 b ->
  sum_below S J (along (ray_of p) c1) c1 = section0 J p k c1 /\ sum_above S J (along (ray_of p) c1) c1 = section1 J p k c1.
Proof.
  intros Run LA BH AC CB. destruct filled as (L & W & Sides).
  assert (In : in_strip S c1).
  { repeat split; [lra | lra |]. apply Rbar_le_trans with b; [apply Rbar_lt_le, CB | exact BH]. }
  destruct (Sides c1 In) as (Bottom & _ & Open & _). destruct (integrated c1 In) as (_ & AtBottom & AtTop).
  assert (Strict : Rbar_lt (bottom_of S c1) (top_of S c1))
    by (apply Open; [lra | apply Rbar_lt_le_trans with b; [exact CB | exact BH]]).
  pose proof (ray_positive p c1 Unit (proj1 In)) as T.
  pose proof (runs_at k a b c1 Run (Rlt_le _ _ AC) (Rbar_lt_le _ _ CB)) as At.
  unfold sum_below, sum_above, section0, section1, part_below, part_above, all_of.
  set (t := along (ray_of p) c1) in *. clearbody t.
  destruct (Rbar_le_dec (top_of S c1) (bottom_of S c1)) as [N | _]; [destruct (Rbar_lt_not_le _ _ Strict N) |].
  assert (Edge : t = bottom_of S c1 -> at_bottom J c1 = amount J t c1).
  { intro E. refine (filterlim_locally_unique (F := after (bottom_of S c1)) _ _ _ AtBottom _).
    rewrite <- E. apply tends_after; [exact T | reflexivity]. }
  assert (Edge' : Finite t = top_of S c1 -> at_top J c1 = amount J t c1).
  { intro E. rewrite <- E in AtTop. refine (filterlim_locally_unique (F := before t) _ _ _ AtTop _).
    apply tends_before. reflexivity. }
  destruct k; destruct (Rle_dec t (bottom_of S c1)) as [TL | TL]; try (exfalso; lra).
  - split; reflexivity.
  - rewrite Edge by lra. split; ring.
  - destruct (Rbar_le_dec (top_of S c1) t) as [UT |]; [| split; reflexivity].
    rewrite (Edge' (Rbar_le_antisym _ _ (proj2 At) UT)). split; ring.
  - exfalso. apply (Rbar_lt_not_le _ _ Strict). apply Rbar_le_trans with t; [exact At | exact TL].
  - destruct (Rbar_le_dec (top_of S c1) t); [split; reflexivity | contradiction].
Qed.
End Runs.

Lemma slope_same F f g x : (forall y, f y = g y) -> slope_is F f x -> slope_is F g x.
Proof.
  intros E [D K]. split; [rewrite <- E; exact D |].
  apply continuous_ext with f; [intro y; apply E | exact K].
Qed.

Section Slabs.
Variables (A : area) (B : slab).
Hypothesis C : certified A B.
Local Notation S := (extent B).

Lemma nothing_slopes c1 : slope_is (primitive nothing_paid) (fun _ => 0) c1.
Proof. split; [exact (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 0 c1) | apply continuous_const]. Qed.

Lemma known_to_pay0 p : 0 < p < 1 -> known A (pay0 p) (fun B c1 => sum_below (extent B) (amounts B) (along (ray_of p) c1) c1)
  (fun B => section0 (amounts B) p) (parts0 p) (fun B => runs (extent B) p) B.
Proof.
  intro P. destruct C as (Fills & Amounts & _ & Whole & _ & _ & Part & _).
  split; [split; apply Fills |]. split; [| split].
  - intros c1 In. apply (paid_below A S (fun c0 _ => c0)); try assumption; [apply ray_positive; [exact P | apply In] | |];
      intros c0 P0 T; rewrite ray_is in T; [apply pays0_below | apply pays0_above]; try assumption; apply In.
  - intros k a b c1 Run LA BH AC CB. exact (proj1 (sums_by A S _ (amounts B) p P Fills Amounts k a b c1 Run LA BH AC CB)).
  - intros k a b c1 Run AC CB In. pose proof (runs_at S p k a b c1 Run AC CB) as At. destruct k.
    + apply nothing_slopes.
    + apply Part; [exact P | exact In | apply At ..].
    + apply Whole, In.
Qed.

Lemma known_to_pay1 p : 0 < p < 1 -> known A (pay1 p) (fun B c1 => sum_above (extent B) (times_c1 (chances B)) (along (ray_of p) c1) c1)
  (fun B => section1 (times_c1 (chances B)) p) (parts1 p) (fun B => runs (extent B) p) B.
Proof.
  intro P. destruct C as (Fills & _ & Chances & _ & Whole & _ & _ & Part).
  apply integrates_times_c1 in Chances.
  split; [split; apply Fills |]. split; [| split].
  - intros c1 In. apply (paid_above A S (fun _ c1 => c1)); try assumption; [apply ray_positive; [exact P | apply In] | |];
      intros c0 P0 T; rewrite ray_is in T; [apply pays1_below | apply pays1_above]; try assumption; apply In.
  - intros k a b c1 Run LA BH AC CB.
    exact (proj2 (sums_by A S _ (times_c1 (chances B)) p P Fills Chances k a b c1 Run LA BH AC CB)).
  - intros k a b c1 Run AC CB In. pose proof (runs_at S p k a b c1 Run AC CB) as At. destruct k.
    + destruct (Whole c1 In) as [D K]. apply slope_same with (2 := conj D K). intro x. unfold section1, all_of, times_c1. cbn [at_top at_bottom]. ring.
    + destruct (Part p P c1 In (proj1 At) (proj2 At)) as [D K]. apply slope_same with (2 := conj D K).
      intro x. unfold section1, part_above, times_c1. cbn [at_top amount]. ring.
    + apply nothing_slopes.
Qed.

Lemma known_everywhere charge pay J (O : slab -> outer) : integrates A S charge (J B) ->
  slopes_in S (O B) (all_of (J B)) -> (forall c0 c1, pay c0 c1 = charge c0 c1) ->
  known A pay (fun B => sum_above (extent B) (J B) (-1)) (fun B _ => all_of (J B)) (fun B _ => O B) (fun _ _ _ _ => True) B.
Proof.
  intros Inner Whole E. destruct C as (Fills & _). split; [split; apply Fills |]. split; [| split].
  - intros c1 In. apply (paid_everywhere A S charge); try assumption. intros c0 _. apply E.
  - intros _ a b c1 _ LA BH AC CB. destruct Fills as (L & W & Sides).
    assert (In : in_strip S c1).
    { repeat split; [lra | lra |]. apply Rbar_le_trans with b; [apply Rbar_lt_le, CB | exact BH]. }
    destruct (Sides c1 In) as (Bottom & _ & Open & _). unfold sum_above, all_of.
    destruct (Rbar_le_dec (top_of S c1) (bottom_of S c1)) as [N |].
    + exfalso. refine (Rbar_lt_not_le _ _ _ N). apply Open; [lra | apply Rbar_lt_le_trans with b; [exact CB | exact BH]].
    + destruct (Rle_dec (-1) (bottom_of S c1)); [reflexivity | lra].
  - intros _ a b c1 _ _ _ In. apply Whole, In.
Qed.
End Slabs.

(** * Laws: areas with their strips *)

Definition strips : Type := list (area * list slab).
Definition certified_area (law : area * list slab) : Prop :=
  covered (fst law) (snd law) /\ snd law <> nil /\ List.Forall (certified (fst law)) (snd law).
Definition certified_law : strips -> Prop := List.Forall certified_area.

Fixpoint all_of_law {X : Type} (P : list slab -> X -> Prop) (law : strips) (all : list X) : Prop :=
  match law, all with
  | (_, slabs) :: rest, x :: others => P slabs x /\ all_of_law P rest others
  | nil, nil => True
  | _, _ => False
  end.
Fixpoint gains_of_law (O : slab -> part -> outer) (law : strips) (all : list (list cuts)) : R :=
  match law, all with
  | (_, slabs) :: rest, x :: others => gains O slabs x + gains_of_law O rest others
  | _, _ => 0
  end.

Lemma over_law pay h g O run law : List.Forall (fun A => covered (fst A) (snd A) /\ snd A <> nil /\
    List.Forall (known (fst A) pay h g O run) (snd A)) law ->
  forall all, all_of_law (all_cuts run) law all -> all_of_law (all_limits O) law all ->
  over_areas (map fst law) pay (gains_of_law O law all).
Proof.
  induction 1 as [| [A slabs] rest (Covered & Some & Known) H Rest]; simpl in *; intros [| x others] Cuts Limits; try contradiction.
  - reflexivity.
  - destruct Cuts as [Cut Cuts], Limits as [Limit Limits].
    exists (gains O slabs x), (gains_of_law O rest others). repeat split; [| apply Rest; assumption].
    apply (over_strips A pay h g O run); assumption.
Qed.

(** The expected costs at a report, from the cuts that its ray makes. *)
Theorem costs_by_cuts law p all value0 value1 : 0 < p < 1 -> certified_law law ->
  all_of_law (all_cuts (fun B => runs (extent B) p)) law all ->
  all_of_law (all_limits (parts0 p)) law all -> all_of_law (all_limits (parts1 p)) law all ->
  gains_of_law (parts0 p) law all = value0 -> gains_of_law (parts1 p) law all = value1 ->
  over_areas (map fst law) (pay0 p) value0 /\ over_areas (map fst law) (pay1 p) value1.
Proof.
  intros P C Cuts Limits0 Limits1 <- <-. split; (eapply over_law; [| exact Cuts | eassumption]).
  - refine (List.Forall_impl _ _ C). intros [A slabs] (Covered & Some & Slabs). split; [exact Covered | split; [exact Some |]].
    refine (List.Forall_impl _ _ Slabs). intros B CB. exact (known_to_pay0 A B CB p P).
  - refine (List.Forall_impl _ _ C). intros [A slabs] (Covered & Some & Slabs). split; [exact Covered | split; [exact Some |]].
    refine (List.Forall_impl _ _ Slabs). intros B CB. exact (known_to_pay1 A B CB p P).
Qed.

(** Where no report decides: each strip counts from where [c1] begins to where it ends. *)
Definition uncut (law : strips) : list (list cuts) := map (fun A => map (fun _ => (nil, Inside)) (snd A)) law.
Lemma all_uncut law : all_of_law (all_cuts (fun _ _ _ _ => True)) law (uncut law).
Proof.
  induction law as [| [A slabs] rest Rest]; simpl; [exact I |]. split; [| exact Rest].
  induction slabs as [| B others Others]; simpl; [exact I |]. split; [exact I | exact Others].
Qed.

Section Everywhere.
Variables (law : strips) (value : R).
Hypothesis C : certified_law law.

Lemma over_all pay J O : (forall A B, certified A B -> known A pay (fun B => sum_above (extent B) (J B) (-1))
    (fun B _ => all_of (J B)) (fun B _ => O B) (fun _ _ _ _ => True) B) ->
  all_of_law (all_limits (fun B _ => O B)) law (uncut law) -> gains_of_law (fun B _ => O B) law (uncut law) = value ->
  over_areas (map fst law) pay value.
Proof.
  intros Known Limits <-. eapply over_law; [| apply all_uncut | exact Limits].
  refine (List.Forall_impl _ _ C). intros [A slabs] (Covered & Some & Slabs). split; [exact Covered | split; [exact Some |]].
  refine (List.Forall_impl _ _ Slabs). intros B. apply Known.
Qed.

Theorem total_by_strips : all_of_law (all_limits (fun B _ => whole B)) law (uncut law) ->
  gains_of_law (fun B _ => whole B) law (uncut law) = value -> has_total_of_areas (map fst law) value.
Proof.
  apply (over_all _ chances). intros A B CB. apply (known_everywhere A B CB (fun _ _ => 1)); [apply CB .. |]. reflexivity.
Qed.
Theorem mean0_by_strips : all_of_law (all_limits (fun B _ => whole0 B)) law (uncut law) ->
  gains_of_law (fun B _ => whole0 B) law (uncut law) = value -> over_areas (map fst law) (fun c0 _ => c0) value.
Proof.
  apply (over_all _ amounts). intros A B CB. apply (known_everywhere A B CB (fun c0 _ => c0)); [apply CB .. |]. reflexivity.
Qed.
Theorem mean1_by_strips : all_of_law (all_limits (fun B _ => whole1 B)) law (uncut law) ->
  gains_of_law (fun B _ => whole1 B) law (uncut law) = value -> over_areas (map fst law) (fun _ c1 => c1) value.
Proof.
  apply (over_all _ (fun B => times_c1 (chances B))). intros A B CB.
  apply (known_everywhere A B CB (fun _ c1 => c1) _ (fun B => times_c1 (chances B))); [| | reflexivity].
  - apply integrates_times_c1. apply CB.
  - destruct CB as (_ & _ & _ & _ & Whole & _). intros c1 In. apply slope_same with (2 := Whole c1 In).
    intro x. unfold section1, all_of, times_c1. cbn [at_top at_bottom]. ring.
Qed.
End Everywhere.

(** * Strips whose antiderivatives are closed forms *)

(** In [c0] and in [c1] they are continuous where the strip begins, and they vanish at infinity if it ends there. *)
Definition spanning (S : strip) (F : R -> R -> R) : inner :=
  Inner F (fun c1 => F (bottom_of S c1) c1) (fun c1 => match upper S with Some s => F (along s c1) c1 | None => 0 end).
Definition ranging (S : strip) (F : R -> R) : outer :=
  Outer F (F (low S)) (match high S with Finite b => F b | _ => 0 end).
Definition closed_forms (S : strip) (amounts chances : R -> R -> R) (inside0 : R -> R -> R) (whole0 : R -> R)
  (inside1 : R -> R -> R) (whole1 whole : R -> R) : slab :=
  Slab S (spanning S amounts) (spanning S chances) (fun p => ranging S (inside0 p)) (ranging S whole0)
    (fun p => ranging S (inside1 p)) (ranging S whole1) (ranging S whole).

Lemma tends_if_continuous (G : R -> R) (a : R) : continuous G a -> filterlim G (after a) (locally (G a)).
Proof.
  intro K. unfold after. destruct (Req_EM_T a 0) as [-> |]; intros P H.
  - destruct (K P H) as [e He]. exists e. intros y Y _. apply He, Y.
  - exact (locally_singleton _ _ H).
Qed.

(** * Tactics for files *)

Lemma certified_by A B : (0 <= low (extent B) /\ Rbar_lt (low (extent B)) (high (extent B))) ->
  (forall c1, in_strip (extent B) c1 -> 0 <= bottom_of (extent B) c1 /\ Rbar_le (bottom_of (extent B) c1) (top_of (extent B) c1)) ->
  (forall c1, in_strip (extent B) c1 -> low (extent B) < c1 -> Rbar_lt c1 (high (extent B)) ->
    Rbar_lt (bottom_of (extent B) c1) (top_of (extent B) c1)) ->
  (forall c1, in_strip (extent B) c1 -> forall c0, 0 < c0 ->
    (hold (region A c0 c1) <-> bottom_of (extent B) c1 <= c0 /\ Rbar_le c0 (top_of (extent B) c1))) ->
  integrates A (extent B) (fun c0 _ => c0) (amounts B) ->
  integrates A (extent B) (fun _ _ => 1) (chances B) ->
  slopes_in (extent B) (whole0 B) (all_of (amounts B)) ->
  slopes_in (extent B) (whole1 B) (fun c1 => c1 * all_of (chances B) c1) ->
  slopes_in (extent B) (whole B) (all_of (chances B)) ->
  (forall p, 0 < p < 1 -> slopes_inside (extent B) p (inside0 B p) (part_below (amounts B) p)) ->
  (forall p, 0 < p < 1 -> slopes_inside (extent B) p (inside1 B p) (fun c1 => c1 * part_above (chances B) p c1)) ->
  certified A B.
Proof.
  intros W Order Strict Region Amounts Chances Whole0 Whole1 Whole Inside0 Inside1.
  repeat (split; [assumption |]); try assumption.
  split; [| repeat (split; [assumption |]); assumption].
  split; [apply W | split; [apply W |]]. intros c1 In. destruct (Order c1 In) as [Bottom Below].
  split; [exact Bottom | split; [exact Below | split; [apply Strict, In | apply Region, In]]].
Qed.

(** Write definitions out, down to closed forms. *)
Ltac reading := cbv beta iota delta [
    certified_law certified_area strips all_of_law gains_of_law uncut map fst snd all_cuts all_limits gains gain are_cuts runs under
    first_part start_of starts stops parts0 parts1 nothing_paid begins ends stacked covered integrates slopes_in slopes_inside in_strip
    slope_is hold Rbar_le Rbar_lt closed_forms spanning ranging extent amounts chances inside0 whole0 inside1 whole1 whole amount
    at_bottom at_top primitive at_low at_high all_of part_below part_above bottom_of top_of along ray_of density region lower upper rate
    offset low high loss0 loss1] in *.
Ltac opened := reading; intros c1 (Positive & From & To).

(** An order that is seen by one of some differences, which are not negative, or positive: by fractions, or else by more. *)
Ltac quickly difference :=
  first [ apply (below_by difference); [solve [field; see] | see] | apply (strictly_below_by difference); [solve [field; see] | see] ].
Ltac thoroughly difference :=
  first [ apply (below_by difference); [equal_exponentials | see] | apply (strictly_below_by difference); [equal_exponentials | see] ].
Ltac in_order differences :=
  reading; repeat match goal with |- _ /\ _ => split | |- True => exact I end;
  first [lra | differences quickly | differences thoroughly].

(** Limits at the ends of strips: of what is continuous there, or vanishes at infinity. *)
Ltac vanishes :=
  lazymatch goal with
  | |- is_lim (fun x => polynomial _ x * exp _) p_infty _ => apply polynomial_exponential_vanishes; see
  | |- is_lim (fun x => @?f x + @?g x) p_infty _ => apply (sum_vanishes f g); vanishes
  | |- is_lim (fun x => _ / x ^ _) p_infty _ => apply inverse_power_vanishes
  | |- is_lim (fun x => _ / sqrt x ^ _) p_infty _ => apply inverse_root_vanishes
  end.
Ltac tends :=
  lazymatch goal with
  | |- filterlim (fun _ => 0) _ _ => apply filterlim_const
  | |- filterlim _ (before (Finite _)) _ => apply tends_before; reflexivity
  | |- filterlim ?G (before p_infty) _ => change (is_lim G p_infty 0); vanishes
  | |- filterlim ?G (after ?a) _ => refine (tends_if_continuous G a _); cbn [polynomial]; smooth
  end.
Ltac limits := reading; repeat match goal with |- _ /\ _ => split | |- True => exact I end; tends.

Ltac antiderivative_in_c1_by hint := opened; intros; sloped_by hint.
Ltac antiderivative_in_c1 := antiderivative_in_c1_by idtac.
Ltac antiderivative_in_c0 := opened; split; [intros c0 Positive0 Above Under; sloped_by idtac | split; tends].
Ltac gained := reading; cbn [polynomial]; equal_exponentials.

(** The costs of a report, by those of the piece that it is in. *)
Ltac first_of costs := let both := fresh "both" in assert (both := costs); exact (proj1 both).
Ltac second_of costs := let both := fresh "both" in assert (both := costs); exact (proj2 both).
