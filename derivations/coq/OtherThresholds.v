(** Costs of decisions at another threshold than that of the costs: a fixed one, a random one, or a wrong one.

    Whoever decides at the threshold t predicts class 1 if t is below the report. The expectation is over any law of
    the costs; a random threshold has a law of its own, independent of that of the costs. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AllReports Tails Areas Strips Cuts ClosedForms Arcs.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** What a decision at a threshold, which may depend on the costs, costs at the report p. *)
Definition pay0_at (threshold : R -> R -> R) (p c0 c1 : R) : R := if Rlt_dec (threshold c0 c1) p then c0 else 0.
Definition pay1_at (threshold : R -> R -> R) (p c0 c1 : R) : R := if Rlt_dec (threshold c0 c1) p then 0 else c1.

(** At the threshold of the costs it is what the other files have. *)
Lemma at_own_threshold p c0 c1 : pay0_at (fun c0 c1 => c0 / (c0 + c1)) p c0 c1 = pay0 p c0 c1 /\
  pay1_at (fun c0 c1 => c0 / (c0 + c1)) p c0 c1 = pay1 p c0 c1.
Proof. split; reflexivity. Qed.

(** A density of a threshold between two numbers. *)
Record band := Band { band_low : R; band_high : R; likely : R -> R }.
Definition over_band (f : R -> R) (B : band) (value : R) : Prop :=
  is_RInt_gen (fun t => f t * likely B t) (at_right (band_low B)) (at_left (band_high B)) value.
Fixpoint over_bands (f : R -> R) (bands : list band) (value : R) : Prop :=
  match bands with
  | nil => value = 0
  | B :: others => exists a b, over_band f B a /\ over_bands f others b /\ value = a + b
  end.
(** Thresholds with probabilities. *)
Fixpoint over_masses (f : R -> R) (masses : list (R * R)) : R :=
  match masses with nil => 0 | (t, mass) :: others => f t * mass + over_masses f others end.

(** The expectation over a random threshold of a function of it. *)
Definition over_thresholds (bands : list band) (masses : list (R * R)) (f : R -> R) (value : R) : Prop :=
  exists spread, over_bands f bands spread /\ value = spread + over_masses f masses.

(** The expectation over the costs, and then over the threshold. *)
Definition at_random (expectation : (R -> R -> R) -> R -> Prop) (bands : list band) (masses : list (R * R))
  (pay : R -> R -> R -> R) (value : R) : Prop :=
  exists at_threshold, (forall t, expectation (pay t) (at_threshold t)) /\ over_thresholds bands masses at_threshold value.

Definition lawful_thresholds (bands : list band) (masses : list (R * R)) : Prop :=
  List.Forall (fun B => band_low B < band_high B /\ forall t, band_low B < t < band_high B -> 0 <= t <= 1 /\ 0 <= likely B t) bands /\
  List.Forall (fun mass => 0 <= fst mass <= 1 /\ 0 <= snd mass) masses.

(** * Expectations over costs *)

(** What counts is paid at positive costs, and who pays nothing expects to pay nothing. *)
Definition is_expectation (expectation : (R -> R -> R) -> R -> Prop) : Prop :=
  (forall pay pay' value, (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 = pay' c0 c1) ->
    expectation pay value -> expectation pay' value) /\ expectation (fun _ _ => 0) 0.

Lemma areas_have_expectation areas : is_expectation (over_areas areas).
Proof. split; [exact (over_areas_ext areas) | apply over_areas_of_0]. Qed.
Lemma law_has_expectation L : lawful_law L -> is_expectation (expectation L).
Proof. intro H. split; [intros pay pay' value; apply expectation_ext, H | apply expectation_of_0, H]. Qed.
Lemma curves_have_expectation curves points : lawful curves points -> is_expectation (expected curves points).
Proof.
  intros [HC HP]. split.
  - intros pay pay' value E (a & A & ->). exists a. split.
    + apply integral_on_unit_ext with (2 := A). intros s S. clear A.
      induction HC as [| C others L HC Rest]; simpl; [reflexivity |]. rewrite Rest. f_equal. unfold on_curve.
      destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; try reflexivity.
      destruct (L s) as (P0 & P1 & _); try assumption. rewrite E by assumption. reflexivity.
    + f_equal. induction HP as [| P others (P0 & P1 & _) HP Rest]; simpl; [reflexivity |].
      rewrite Rest, E by assumption. reflexivity.
  - apply nothing_is_expected.
    + intros s _. induction curves as [| C others Rest]; simpl; [reflexivity |].
      inversion HC; subst. rewrite Rest by assumption. unfold on_curve.
      destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; ring.
    + induction points as [| P others Rest]; simpl; [reflexivity |]. inversion HP; subst. rewrite Rest by assumption. ring.
Qed.

Section Costs.
Variable expectation : (R -> R -> R) -> R -> Prop.
Hypothesis lawful : is_expectation expectation.

Lemma same_pay pay pay' value : (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 = pay' c0 c1) ->
  expectation pay value -> expectation pay' value.
Proof. apply lawful. Qed.
Lemma valued pay v w : expectation pay v -> v = w -> expectation pay w.
Proof. intros H <-. exact H. Qed.

(** The mean costs are what is paid at the reports 1 and 0. *)
Lemma mean0_of_report_1 value : expectation (pay0 1) value -> expectation (fun c0 _ => c0) value.
Proof. apply same_pay. at_an_end. Qed.
Lemma mean1_of_report_0 value : expectation (pay1 0) value -> expectation (fun _ c1 => c1) value.
Proof. apply same_pay. at_an_end. Qed.

Variables mean0 mean1 : R.
Hypothesis mean_is0 : expectation (fun c0 _ => c0) mean0.
Hypothesis mean_is1 : expectation (fun _ c1 => c1) mean1.

(** * A fixed threshold *)

Lemma cost0_at t p : expectation (pay0_at (fun _ _ => t) p) (if Rlt_dec t p then mean0 else 0).
Proof. unfold pay0_at. destruct (Rlt_dec t p); [exact mean_is0 | apply lawful]. Qed.
Lemma cost1_at t p : expectation (pay1_at (fun _ _ => t) p) (if Rlt_dec t p then 0 else mean1).
Proof. unfold pay1_at. destruct (Rlt_dec t p); [apply lawful | exact mean_is1]. Qed.

(** * A random threshold *)

(** The probability of thresholds below a number in a band, and that of all of the band. *)
Record portion := Portion { below : R -> R; full : R }.

Definition distributed (B : band) (D : portion) : Prop :=
  band_low B < band_high B /\ (forall t, band_low B < t < band_high B -> slope_is (below D) (likely B) t) /\
  filterlim (below D) (at_right (band_low B)) (locally 0) /\ filterlim (below D) (at_left (band_high B)) (locally (full D)).

Definition share_below (B : band) (D : portion) (p : R) : R :=
  if Rle_dec p (band_low B) then 0 else if Rle_dec (band_high B) p then full D else below D p.

Lemma integral_of_band B D (f F : R -> R) (low high : R) : distributed B D ->
  (forall x y, band_low B < x -> x <= y -> y < band_high B -> is_RInt (fun t => f t * likely B t) x y (F y - F x)) ->
  filterlim F (at_right (band_low B)) (locally low) -> filterlim F (at_left (band_high B)) (locally high) ->
  over_band f B (high - low).
Proof. intros (O & _) I L H. exact (between_by_increments (band_low B) (Finite (band_high B)) O F _ low high I L H). Qed.

Lemma constant_between B D k x y : distributed B D -> band_low B < x -> x <= y -> y < band_high B ->
  is_RInt (fun t => k * likely B t) x y (k * below D y - k * below D x).
Proof.
  intros (_ & Slope & _) X XY Y. replace (_ - _) with (scal k (below D y - below D x)) by (unfold scal; simpl; unfold mult; simpl; ring).
  apply (is_RInt_scal (V := R_NormedModule)), (between_bounds (below D)); [exact XY | | reflexivity]. intros z Z. apply Slope. lra.
Qed.

(** Up to p one amount is paid, and from there on another one. *)
Lemma over_band_of_steps B D k l p : distributed B D ->
  over_band (fun t => if Rlt_dec t p then k else l) B (k * share_below B D p + l * (full D - share_below B D p)).
Proof.
  intros Known. pose proof Known as (O & _ & Low & High).
  assert (Scaled : forall c v G, filterlim (below D) G (locally v) -> Filter G -> filterlim (fun t => c * below D t) G (locally (c * v))).
  { intros c v G H FG. exact (filterlim_comp _ _ _ _ _ _ _ _ H (filterlim_scal_r (V := R_NormedModule) c v)). }
  assert (Part : forall x y c, band_low B < x -> x <= y -> y < band_high B -> (forall t, x < t < y -> (if Rlt_dec t p then k else l) = c) ->
    is_RInt (fun t => (if Rlt_dec t p then k else l) * likely B t) x y (c * below D y - c * below D x)).
  { intros x y c X XY Y E. apply is_RInt_ext with (fun t => c * likely B t); [| apply constant_between; assumption].
    rewrite Rmin_left, Rmax_right by exact XY. intros t T. rewrite E by exact T. reflexivity. }
  unfold share_below. destruct (Rle_dec p (band_low B)) as [Early | Late]; [| destruct (Rle_dec (band_high B) p) as [Beyond | Within]].
  - replace (_ + _) with (l * full D - l * 0) by ring. apply (integral_of_band B D _ (fun t => l * below D t)); [exact Known | | |].
    + intros x y X XY Y. apply Part; try assumption. intros t T. destruct (Rlt_dec t p); lra.
    + apply Scaled; [exact Low | apply filter_filter].
    + apply Scaled; [exact High | apply filter_filter].
  - replace (_ + _) with (k * full D - k * 0) by ring. apply (integral_of_band B D _ (fun t => k * below D t)); [exact Known | | |].
    + intros x y X XY Y. apply Part; try assumption. intros t T. destruct (Rlt_dec t p); lra.
    + apply Scaled; [exact Low | apply filter_filter].
    + apply Scaled; [exact High | apply filter_filter].
  - replace (_ + _) with (l * full D - (k * 0 - k * below D p + l * below D p)) by ring.
    apply (integral_of_band B D _ (fun t => if Rle_dec t p then k * below D t - k * below D p + l * below D p else l * below D t)); [exact Known | | |].
    + intros x y X XY Y. destruct (Rle_dec x p) as [XP | XP], (Rle_dec y p) as [YP | YP]; try (exfalso; lra).
      * replace (_ - _) with (k * below D y - k * below D x) by ring. apply Part; try assumption. intros t T. destruct (Rlt_dec t p); lra.
      * replace (_ - _) with (plus (k * below D p - k * below D x) (l * below D y - l * below D p)) by (unfold plus; simpl; ring).
        refine (is_RInt_Chasles (V := R_NormedModule) _ x p y _ _ _ _); apply Part; try lra; intros t T; destruct (Rlt_dec t p); lra.
      * apply Part; try assumption. intros t T. destruct (Rlt_dec t p); lra.
    + apply filterlim_ext_loc with (fun t => k * below D t + (- k * below D p + l * below D p)).
      * apply filter_imp with (2 := right_of (band_low B) p ltac:(lra)). intros t T. destruct (Rle_dec t p); [ring | lra].
      * replace (_ - _ + _) with (k * 0 + (- k * below D p + l * below D p)) by ring.
        refine (filterlim_comp_2 (fun t => k * below D t) (fun _ => - k * below D p + l * below D p) Rplus _ (filterlim_const _) (filterlim_plus (V := R_NormedModule) _ _)).
        apply Scaled; [exact Low | apply filter_filter].
    + apply filterlim_ext_loc with (fun t => l * below D t).
      * apply filter_imp with (2 := left_of p (band_high B) ltac:(lra)). intros t T. destruct (Rle_dec t p); [lra | reflexivity].
      * apply Scaled; [exact High | apply filter_filter].
Qed.

(** By an antiderivative, which is continuous at the ends. *)
Definition by_rise (B : band) (F : R -> R) : portion := Portion (fun t => F t - F (band_low B)) (F (band_high B) - F (band_low B)).
Lemma distributed_by B F : band_low B < band_high B -> (forall t, band_low B < t < band_high B -> slope_is F (likely B) t) ->
  (forall t, t = band_low B -> continuous F t) -> (forall t, t = band_high B -> continuous F t) -> distributed B (by_rise B F).
Proof.
  intros O Slope Low High.
  assert (Shifted : forall v G, filterlim F G (locally v) -> Filter G -> filterlim (fun t => F t - F (band_low B)) G (locally (v - F (band_low B)))).
  { intros v G H FG. exact (filterlim_comp_2 F (fun _ => - F (band_low B)) Rplus H (filterlim_const _) (filterlim_plus (V := R_NormedModule) _ _)). }
  split; [exact O | split; [| split]]; cbn [below full by_rise].
  - intros t T. destruct (Slope t T) as [D C]. split; [| exact C]. replace (likely B t) with (likely B t - 0) by ring.
    apply (is_derive_minus F (fun _ => F (band_low B))); [exact D | apply @is_derive_const].
  - pose proof (Shifted _ _ (near_start F _ Low) ltac:(apply filter_filter)) as L. rewrite Rminus_eq_0 in L. exact L.
  - apply Shifted; [apply near_stop, High | apply filter_filter].
Qed.

Definition all_distributed (law : list (band * portion)) : Prop := List.Forall (fun part => distributed (fst part) (snd part)) law.
Fixpoint shares_below (law : list (band * portion)) (p : R) : R :=
  match law with nil => 0 | (B, D) :: others => share_below B D p + shares_below others p end.
Fixpoint all_shares (law : list (band * portion)) : R :=
  match law with nil => 0 | (_, D) :: others => full D + all_shares others end.
Definition bands_of (law : list (band * portion)) : list band := List.map fst law.
Fixpoint masses_below (masses : list (R * R)) (p : R) : R :=
  match masses with nil => 0 | (t, mass) :: others => (if Rlt_dec t p then mass else 0) + masses_below others p end.
Fixpoint all_masses (masses : list (R * R)) : R :=
  match masses with nil => 0 | (_, mass) :: others => mass + all_masses others end.

Lemma over_thresholds_of_steps law masses k l p : all_distributed law ->
  over_thresholds (bands_of law) masses (fun t => if Rlt_dec t p then k else l)
    (k * (shares_below law p + masses_below masses p)
      + l * (all_shares law + all_masses masses - (shares_below law p + masses_below masses p))).
Proof.
  intro Known. exists (k * shares_below law p + l * (all_shares law - shares_below law p)). split.
  - induction Known as [| [B D] others HB Known Rest]; simpl; [ring |].
    exists (k * share_below B D p + l * (full D - share_below B D p)), (k * shares_below others p + l * (all_shares others - shares_below others p)).
    split; [apply over_band_of_steps, HB | split; [exact Rest | ring]].
  - induction masses as [| [t mass] others Rest]; simpl; [ring |]. destruct (Rlt_dec t p); lra.
Qed.

Variables (law : list (band * portion)) (masses : list (R * R)).
Hypothesis distribution : all_distributed law.
Hypothesis total : all_shares law + all_masses masses = 1.

Theorem total_of_thresholds : over_thresholds (bands_of law) masses (fun _ => 1) 1.
Proof.
  destruct (over_thresholds_of_steps law masses 1 1 0 distribution) as (a & A & E). exists a. split.
  - clear E total. revert a A. unfold bands_of. induction law as [| [B D] others Rest]; simpl; [trivial |].
    inversion distribution; subst. intros a (u & v & U & V & ->). exists u, v. split; [| split; [apply Rest; assumption | reflexivity]].
    refine (between_same (band_low B) (Finite (band_high B)) _ _ _ u _ U); [simpl in *; match goal with H : distributed _ _ |- _ => apply H end |].
    intros t _ _. cbv beta. destruct (Rlt_dec t 0); reflexivity.
  - replace 1 with (1 * (shares_below law 0 + masses_below masses 0)
      + 1 * (all_shares law + all_masses masses - (shares_below law 0 + masses_below masses 0))) at 1 by (rewrite total; ring).
    rewrite E. f_equal. clear E total. induction masses as [| [t mass] others Rest]; simpl; [reflexivity |]. rewrite Rest. destruct (Rlt_dec t 0); reflexivity.
Qed.

(** What share of the thresholds is below the report decides for class 1. *)
Theorem cost0_at_random p : at_random expectation (bands_of law) masses (fun t => pay0_at (fun _ _ => t) p)
  (mean0 * (shares_below law p + masses_below masses p)).
Proof.
  exists (fun t => if Rlt_dec t p then mean0 else 0). split; [intro t; apply cost0_at |].
  pose proof (over_thresholds_of_steps law masses mean0 0 p distribution) as H. rewrite Rmult_0_l, Rplus_0_r in H. exact H.
Qed.
Theorem cost1_at_random p : at_random expectation (bands_of law) masses (fun t => pay1_at (fun _ _ => t) p)
  (mean1 * (1 - (shares_below law p + masses_below masses p))).
Proof.
  exists (fun t => if Rlt_dec t p then 0 else mean1). split; [intro t; apply cost1_at |].
  pose proof (over_thresholds_of_steps law masses 0 mean1 p distribution) as H. rewrite Rmult_0_l, Rplus_0_l, total in H. exact H.
Qed.
End Costs.

Ltac reading_thresholds := cbv beta iota delta
  [lawful_thresholds bands_of shares_below share_below all_shares masses_below all_masses below full by_rise band_low band_high likely map fst snd] in *.
Ltac distribution_by hint :=
  apply distributed_by; reading_thresholds;
  [ | intros x Within; split; cbn beta; [auto_derive; [see | equal_exponentials_by hint] | first [smooth | unfold Rpower; smooth]]
  | continuous_at_end | continuous_at_end ].

(** * A threshold that is another function of the proportion of the costs *)

Section Distorted.
Variable expectation : (R -> R -> R) -> R -> Prop.
Hypothesis lawful : is_expectation expectation.
Variable g : R -> R.
Hypothesis grows : forall s t, 0 < s -> s < t -> t < 1 -> g s < g t.
Local Notation wrong := (fun c0 c1 => g (c0 / (c0 + c1))).

(** Where it is the report: the decisions are those of the report h at the threshold of the costs. *)
Lemma decides_as h p c0 c1 : 0 < h < 1 -> g h = p -> 0 < c0 -> 0 < c1 -> g (c0 / (c0 + c1)) < p <-> c0 / (c0 + c1) < h.
Proof.
  intros H <- A B. pose proof (threshold_between c0 c1 A B) as S. set (s := c0 / (c0 + c1)) in *. clearbody s. split; intro L.
  - destruct (Rtotal_order s h) as [W | [-> | W]]; [exact W | lra |]. pose proof (grows h s). lra.
  - apply grows; lra.
Qed.
Theorem cost0_of_distorted h p value : 0 < h < 1 -> g h = p -> expectation (pay0 h) value -> expectation (pay0_at wrong p) value.
Proof.
  intros H E. apply (same_pay expectation lawful). intros c0 c1 A B. pose proof (decides_as h p c0 c1 H E A B).
  unfold pay0_at, pay0. destruct (Rlt_dec _ p), (Rlt_dec _ h); tauto || reflexivity.
Qed.
Theorem cost1_of_distorted h p value : 0 < h < 1 -> g h = p -> expectation (pay1 h) value -> expectation (pay1_at wrong p) value.
Proof.
  intros H E. apply (same_pay expectation lawful). intros c0 c1 A B. pose proof (decides_as h p c0 c1 H E A B).
  unfold pay1_at, pay1. destruct (Rlt_dec _ p), (Rlt_dec _ h); tauto || reflexivity.
Qed.

(** Reports below all values of the threshold, and above all of them. *)
Theorem costs_below_all mean1 p : (forall s, 0 < s < 1 -> p <= g s) -> expectation (fun _ c1 => c1) mean1 ->
  expectation (pay0_at wrong p) 0 /\ expectation (pay1_at wrong p) mean1.
Proof.
  intros H M. split; [apply (same_pay expectation lawful (fun _ _ => 0)) with (2 := proj2 lawful) | apply (same_pay expectation lawful) with (2 := M)];
    intros c0 c1 A B; pose proof (H _ (threshold_between c0 c1 A B)); unfold pay0_at, pay1_at; destruct (Rlt_dec _ p); lra.
Qed.
Theorem costs_above_all mean0 p : (forall s, 0 < s < 1 -> g s < p) -> expectation (fun c0 _ => c0) mean0 ->
  expectation (pay0_at wrong p) mean0 /\ expectation (pay1_at wrong p) 0.
Proof.
  intros H M. split; [apply (same_pay expectation lawful) with (2 := M) | apply (same_pay expectation lawful (fun _ _ => 0)) with (2 := proj2 lawful)];
    intros c0 c1 A B; pose proof (H _ (threshold_between c0 c1 A B)); unfold pay0_at, pay1_at; destruct (Rlt_dec _ p); lra.
Qed.
End Distorted.
