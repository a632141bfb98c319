(** Costs made of independent parts, one of which is held: at each of its values the costs have a law of their own.

    The expectation over all costs is that at a value, integrated over the values with the density of the part. No
    closed form of it is needed for properness: expectations at each value keep the order, and so does the integral. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Spread Strips Cuts ClosedForms Arcs OtherThresholds Mixtures.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** A part with a density between two values, of which the second may be infinite. *)
Record held_part := Part { lowest : R; highest : Rbar; density_of_part : R -> R }.
Definition among_values (P : held_part) (x : R) : Prop := lowest P < x /\ Rbar_lt x (highest P).
Definition over_values (P : held_part) (f : R -> R) (value : R) : Prop :=
  is_RInt_gen (fun x => f x * density_of_part P x) (at_right (lowest P)) (toward (highest P)) value.

(** What is paid in expectation, from the expectation at each value of the part. *)
Definition over_held (P : held_part) (at_value : R -> expectation_of_costs) (pay : R -> R -> R) (value : R) : Prop :=
  exists inner : R -> R, (forall x, among_values P x -> at_value x pay (inner x)) /\ over_values P inner value.
Definition lawful_held (P : held_part) (at_value : R -> expectation_of_costs) : Prop :=
  Rbar_lt (lowest P) (highest P) /\ forall x, among_values P x -> 0 <= density_of_part P x /\ fair (at_value x).

Section Held.
Variables (P : held_part) (at_value : R -> expectation_of_costs).
Hypothesis lawful : lawful_held P at_value.
Local Notation E := (over_held P at_value).

Lemma over_values_le f g u v : (forall x, among_values P x -> f x <= g x) -> over_values P f u -> over_values P g v -> u <= v.
Proof.
  destruct lawful as [S D]. intros H F G. refine (between_le _ _ S _ _ _ _ _ F G). intros x X Y.
  apply Rmult_le_compat_r; [apply D | apply H]; split; assumption.
Qed.
Lemma over_values_combined k l f g u v : over_values P f u -> over_values P g v -> over_values P (fun x => k * f x + l * g x) (k * u + l * v).
Proof.
  destruct lawful as [S _]. intros F G. refine (between_same _ _ S _ _ _ _ (between_combined _ _ k l _ _ _ _ F G)).
  intros x _ _. match goal with |- ?l = ?r => change (l = r :> R) end. ring.
Qed.

Lemma held_is_fair : fair E.
Proof.
  pose proof lawful as [S D]. split; [split | split].
  - intros pay pay' value Same (inner & I & V). exists inner. split; [| exact V]. intros x X.
    destruct (D x X) as (_ & ((Ext & _) & _)). exact (Ext pay pay' _ Same (I x X)).
  - exists (fun _ => 0). split; [intros x X; apply (D x X) |].
    refine (between_zero _ _ S _ _). intros x _ _. match goal with |- ?l = ?r => change (l = r :> R) end. ring.
  - intros pay pay' u v Below (f & F & U) (g & G & V). apply (over_values_le f g); try assumption.
    intros x X. destruct (D x X) as (_ & _ & Le & _). apply (Le pay pay'); [exact Below | apply F, X | apply G, X].
  - intros q p u v (f & F & U) (g & G & V). exists (fun x => (1 - q) * f x + q * g x). split; [| apply over_values_combined; assumption].
    intros x X. destruct (D x X) as (_ & _ & _ & Mixed). apply Mixed; [apply F, X | apply G, X].
Qed.

(** The integral of the expected costs at the values is the expected cost of all. *)
Theorem mean_over_values pay (at_x : R -> R) value : (forall x, among_values P x -> at_value x pay (at_x x)) ->
  over_values P at_x value -> E pay value.
Proof. intros I V. exists at_x. split; assumption. Qed.
Theorem total_over_values : (forall x, among_values P x -> at_value x (fun _ _ => 1) 1) -> over_values P (fun _ => 1) 1 -> E (fun _ _ => 1) 1.
Proof. apply mean_over_values. Qed.

(** ** Strictness *)

Lemma over_values_at_least f value a b e : among_values P a -> a <= b -> among_values P b -> (forall x, among_values P x -> 0 <= f x) ->
  (forall x, a < x < b -> e <= f x * density_of_part P x) -> over_values P f value -> e * (b - a) <= value.
Proof.
  destruct lawful as [S D]. intros [A _] AB [_ B] N H I. apply Rnot_lt_le. intro Less. assert (M : 0 < e * (b - a) - value) by lra.
  assert (Ends : filter_prod (at_right (lowest P)) (toward (highest P)) (fun xy => lowest P < fst xy < a /\ b < snd xy /\ Rbar_lt (snd xy) (highest P))).
  { exists (fun x => lowest P < x < a) (fun y => b < y /\ Rbar_lt y (highest P)); [apply right_of, A | | intros x y X Y; split; assumption].
    destruct (highest P) as [h | |]; [| apply filter_and; [apply eventually_above | apply filter_forall; intro; exact Logic.I] | contradiction].
    apply left_of, B. }
  destruct (filter_ex _ (filter_and _ _ Ends (I _ (locally_ball value (mkposreal _ M))))) as ((x & y) & (X & Y & Y') & z & Z & Near).
  apply ball_between in Near. simpl in *. assert (e * (b - a) <= z); [| lra].
  apply (integral_at_least (fun x => f x * density_of_part P x) x y); try lra; [| exact H | exact Z].
  intros c C. assert (among_values P c) by (split; [lra | apply (before_end _ y); [lra | exact Y']]).
  apply Rmult_le_pos; [apply N | apply D]; assumption.
Qed.

Variables (at0 at1 : R -> R -> R).
Hypothesis cost0 : forall x, among_values P x -> forall p, 0 < p < 1 -> at_value x (pay0 p) (at0 x p).
Hypothesis cost1 : forall x, among_values P x -> forall p, 0 < p < 1 -> at_value x (pay1 p) (at1 x p).
Variables (E0 E1 : R -> R).
Hypothesis mean0 : forall p, 0 < p < 1 -> E (pay0 p) (E0 p).
Hypothesis mean1 : forall p, 0 < p < 1 -> E (pay1 p) (E1 p).
Local Notation gap q p x := (risk (at0 x) (at1 x) p q - risk (at0 x) (at1 x) q q).

Lemma values_are pay (at_x : R -> R) value : (forall x, among_values P x -> at_value x pay (at_x x)) -> E pay value -> over_values P at_x value.
Proof.
  pose proof lawful as [S D]. intros H (inner & I & V). refine (between_same _ _ S _ _ _ _ V). intros x X Y. f_equal. assert (W : among_values P x) by (split; assumption).
  apply (fair_is_unique (at_value x) (proj2 (D x W)) pay); [apply I, W | apply H, W].
Qed.
Lemma gap_over_values q p : 0 < p < 1 -> 0 < q < 1 -> over_values P (fun x => gap q p x) (risk E0 E1 p q - risk E0 E1 q q).
Proof.
  intros U V. pose proof lawful as [S _]. assert (I0 : forall r, 0 < r < 1 -> over_values P (fun x => at0 x r) (E0 r)).
  { intros r R'. apply (values_are (pay0 r)); [intros x X; apply cost0; assumption | apply mean0, R']. }
  assert (I1 : forall r, 0 < r < 1 -> over_values P (fun x => at1 x r) (E1 r)).
  { intros r R'. apply (values_are (pay1 r)); [intros x X; apply cost1; assumption | apply mean1, R']. }
  pose proof (over_values_combined 1 (-1) _ _ _ _ (over_values_combined (1 - q) q _ _ _ _ (I0 p U) (I1 p U))
    (over_values_combined (1 - q) q _ _ _ _ (I0 q V) (I1 q V))) as I.
  replace (risk E0 E1 p q - risk E0 E1 q q) with (1 * ((1 - q) * E0 p + q * E1 p) + -1 * ((1 - q) * E0 q + q * E1 q)) by (unfold risk; ring).
  refine (between_same _ _ S _ _ _ _ I). intros x _ _. unfold risk. match goal with |- ?l = ?r => change (l = r :> R) end. ring.
Qed.

(** A belief is strictly better than other reports if it is so at one value of the part, around which its density is
    positive and the expected costs vary continuously. *)
Definition strict_at (q x : R) : Prop :=
  among_values P x /\ 0 < density_of_part P x /\ continuous (density_of_part P) x /\
  (forall p, 0 < p < 1 -> continuous (fun y => at0 y p) x /\ continuous (fun y => at1 y p) x) /\
  (forall p, 0 < p < 1 -> p <> q -> risk (at0 x) (at1 x) q q < risk (at0 x) (at1 x) p q).

Lemma room_above x d : among_values P x -> 0 < d -> exists b, x < b < x + d /\ among_values P b.
Proof.
  intros [A B] D. unfold among_values. destruct (highest P) as [h | |]; simpl in B; [| | contradiction].
  - pose proof (Rmin_l d (h - x)). pose proof (Rmin_r d (h - x)). assert (0 < Rmin d (h - x)) by (apply Rmin_glb_lt; lra).
    exists (x + Rmin d (h - x) / 2). simpl. lra.
  - exists (x + d / 2). simpl. lra.
Qed.

Lemma gap_is_positive q p x : 0 < p < 1 -> 0 < q < 1 -> p <> q -> strict_at q x -> 0 < risk E0 E1 p q - risk E0 E1 q q.
Proof.
  intros U V N (W & Positive & Steady & Vary & Strict). pose proof lawful as [_ D].
  assert (C : continuous (fun y => gap q p y * density_of_part P y) x).
  { apply (continuous_mult (fun y => gap q p y)); [| exact Steady].
    assert (K : forall r, 0 < r < 1 -> continuous (fun y => risk (at0 y) (at1 y) r q) x).
    { intros r R'. destruct (Vary r R') as [K0 K1]. unfold risk.
      apply (continuous_plus (fun y => (1 - q) * at0 y r) (fun y => q * at1 y r));
        [apply (continuous_scal_r (1 - q) (fun y => at0 y r)) | apply (continuous_scal_r q (fun y => at1 y r))]; assumption. }
    apply (continuous_minus (fun y => risk (at0 y) (at1 y) p q) (fun y => risk (at0 y) (at1 y) q q)); apply K; assumption. }
  assert (At : 0 < gap q p x * density_of_part P x) by (apply Rmult_lt_0_compat; [specialize (Strict p U N); lra | exact Positive]).
  destruct (positive_around _ x C At) as (d & Near & Above), (room_above x d W Near) as (b & B & WB).
  assert (gap q p x * density_of_part P x / 2 * (b - x) <= risk E0 E1 p q - risk E0 E1 q q).
  { apply (over_values_at_least (fun y => gap q p y)); [exact W | lra | exact WB | | | apply gap_over_values; assumption].
    - intros y Y. pose proof (no_better_report_if_fair _ (proj2 (D y Y)) p q _ _ _ _ (cost0 y Y q V) (cost1 y Y q V) (cost0 y Y p U) (cost1 y Y p U)).
      unfold risk. lra.
    - intros y Y. apply Above. lra. }
  assert (0 < gap q p x * density_of_part P x / 2 * (b - x)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Theorem strictly_proper_over_held low high : 0 <= low -> high <= 1 -> (forall q, low < q < high -> exists x, strict_at q x) ->
  StrictlyProperOn low high E0 E1.
Proof.
  intros Low High H p q U V N. destruct (H q V) as [x X]. pose proof (gap_is_positive q p x U ltac:(lra) N X). lra.
Qed.
End Held.
