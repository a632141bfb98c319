(** Expected costs of a law that spreads probability over areas of the plane of both costs.

    The expectation of what is paid is an integral over c0, then over c1, from the density itself: no change of
    variables, no threshold weight. At the report p class 1 is predicted if c0 / (c0 + c1) < p, which is
    c0 < p c1 / (1 - p); so for each c1 the inner integral ends, or begins, there. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** Costs spread over a region of the plane: a density, and expressions that are not negative in the region. *)
Record area := Area { density : R -> R -> R; region : R -> R -> list R }.

Fixpoint hold (expressions : list R) : Prop :=
  match expressions with nil => True | e :: others => 0 <= e /\ hold others end.

(** 1 if no expression is negative, else 0. *)
Fixpoint indicator (expressions : list R) : R :=
  match expressions with nil => 1 | e :: others => if Rle_dec 0 e then indicator others else 0 end.

(** The integral over all positive numbers. *)
Definition over_positive (f : R -> R) (value : R) : Prop := is_RInt_gen f (at_right 0) (Rbar_locally p_infty) value.

(** What is paid at both costs, times their density, which is 0 outside of the region. *)
Definition paid (A : area) (pay : R -> R -> R) (c1 c0 : R) : R :=
  indicator (region A c0 c1) * (pay c0 c1 * density A c0 c1).

(** The expectation over an area: the integral over all c0 > 0, and then over all c1 > 0. *)
Definition over_area (A : area) (pay : R -> R -> R) (value : R) : Prop :=
  exists inner : R -> R,
    (forall c1, 0 < c1 -> over_positive (paid A pay c1) (inner c1)) /\ over_positive inner value.

Fixpoint over_areas (areas : list area) (pay : R -> R -> R) (value : R) : Prop :=
  match areas with
  | nil => value = 0
  | A :: others => exists a b, over_area A pay a /\ over_areas others pay b /\ value = a + b
  end.

Definition lawful_area (A : area) : Prop :=
  forall c0 c1, 0 < c0 -> 0 < c1 -> hold (region A c0 c1) -> 0 <= density A c0 c1.
Definition lawful_areas (areas : list area) : Prop := List.Forall lawful_area areas.
Definition has_total_of_areas (areas : list area) : R -> Prop := over_areas areas (fun _ _ => 1).

(** * Indicators and integrals *)

Lemma indicator_in expressions : hold expressions -> indicator expressions = 1.
Proof.
  induction expressions as [| e others IH]; simpl; [reflexivity |]. intros [E H].
  destruct (Rle_dec 0 e); [apply IH, H | contradiction].
Qed.
Lemma indicator_out expressions : ~ hold expressions -> indicator expressions = 0.
Proof.
  induction expressions as [| e others IH]; simpl; [intro H; exfalso; apply H; exact I |]. intros H.
  destruct (Rle_dec 0 e); [apply IH; intro K; apply H; split; assumption | reflexivity].
Qed.

Lemma hold_dec expressions : {hold expressions} + {~ hold expressions}.
Proof.
  induction expressions as [| e others IH]; simpl; [left; exact I |].
  destruct (Rle_dec 0 e), IH; [left; split; assumption | right; tauto ..].
Qed.
Lemma indicator_cases expressions :
  hold expressions /\ indicator expressions = 1 \/ ~ hold expressions /\ indicator expressions = 0.
Proof.
  destruct (hold_dec expressions) as [H | H].
  - left. split; [exact H | apply indicator_in, H].
  - right. split; [exact H | apply indicator_out, H].
Qed.

Lemma eventually_above (l : R) : Rbar_locally p_infty (fun y => l < y).
Proof. exists l. intros y H. exact H. Qed.

Lemma integral_of_zero (f : R -> R) a b : a <= b -> (forall x, a < x < b -> f x = 0) -> is_RInt f a b 0.
Proof.
  intros AB Z. apply (is_RInt_ext (fun _ => 0)).
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. symmetry. apply Z, X.
  - pose proof (is_RInt_const a b (0 : R)) as H. change (scal (b - a) 0) with ((b - a) * 0) in H.
    rewrite Rmult_0_r in H. exact H.
Qed.

(** Close to 0, and far away. *)
Lemma within_positive : filter_prod (at_right 0) (Rbar_locally p_infty) (fun xy => 0 < fst xy /\ fst xy < snd xy).
Proof.
  exists (fun x => 0 < x < 1) (fun y => 1 < y); [apply right_of; lra | apply eventually_above |].
  intros x y X Y. simpl. lra.
Qed.

Lemma over_positive_ext f g value : (forall x, 0 < x -> f x = g x) -> over_positive f value -> over_positive g value.
Proof.
  intros E. apply is_RInt_gen_ext. apply filter_imp with (2 := within_positive).
  intros [a b] [A B] x. simpl in *. rewrite Rmin_left, Rmax_right by lra. intro X. apply E. lra.
Qed.

Lemma over_positive_zero f : (forall c, 0 < c -> f c = 0) -> over_positive f 0.
Proof.
  intros Z P HP. apply filter_imp with (2 := within_positive). intros [a b] [A B]. simpl in *.
  exists 0. split; [| apply locally_singleton, HP]. apply integral_of_zero; [lra |]. intros x X. apply Z. lra.
Qed.

(** * The expected costs of any density are a proper rule *)

Lemma over_positive_not_negative f value : (forall x, 0 < x -> 0 <= f x) -> over_positive f value -> 0 <= value.
Proof.
  intros H I. destruct (Rle_lt_dec 0 value) as [| N]; [assumption | exfalso].
  assert (M : 0 < - value) by lra.
  destruct (filter_ex _ (filter_and _ _ within_positive (I _ (locally_ball value (mkposreal _ M)))))
    as ((x & y) & (X & XY) & z & Z & Near).
  apply ball_between in Near; simpl in *.
  assert (0 <= z); [| lra]. apply (is_RInt_ge_0 f x y); [lra | exact Z | intros c C; apply H; lra].
Qed.

Lemma over_positive_combined a b f g u v :
  over_positive f u -> over_positive g v -> over_positive (fun x => a * f x + b * g x) (a * u + b * v).
Proof.
  intros F G. exact (is_RInt_gen_plus _ _ _ _ (is_RInt_gen_scal _ a _ F) (is_RInt_gen_scal _ b _ G)).
Qed.

Lemma over_positive_le f g u v : (forall x, 0 < x -> f x <= g x) -> over_positive f u -> over_positive g v -> u <= v.
Proof.
  intros H F G. assert (0 <= 1 * v + -1 * u); [| lra].
  apply (over_positive_not_negative (fun x => 1 * g x + -1 * f x)).
  - intros x X. specialize (H x X). lra.
  - apply over_positive_combined; assumption.
Qed.

Lemma over_area_le A pay pay' u v : lawful_area A ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> over_area A pay u -> over_area A pay' v -> u <= v.
Proof.
  intros L H (f & F & F') (g & G & G'). refine (over_positive_le f g u v _ F' G'). intros c1 P1.
  refine (over_positive_le _ _ _ _ _ (F c1 P1) (G c1 P1)). intros c0 P0. unfold paid.
  destruct (indicator_cases (region A c0 c1)) as [[Held ->] | [_ ->]]; [| lra].
  rewrite !Rmult_1_l. apply Rmult_le_compat_r; [apply L | apply H]; assumption.
Qed.

Lemma over_area_mixed A q p u v :
  over_area A (pay0 p) u -> over_area A (pay1 p) v -> over_area A (mixed q p) ((1 - q) * u + q * v).
Proof.
  intros (f & F & F') (g & G & G'). exists (fun c1 => (1 - q) * f c1 + q * g c1).
  split; [| apply over_positive_combined; assumption]. intros c1 P1.
  apply over_positive_ext with (fun c0 => (1 - q) * paid A (pay0 p) c1 c0 + q * paid A (pay1 p) c1 c0).
  - intros c0 _. unfold paid, mixed. ring.
  - apply over_positive_combined; [apply F | apply G]; exact P1.
Qed.

Lemma over_areas_mixed areas q p u v :
  over_areas areas (pay0 p) u -> over_areas areas (pay1 p) v -> over_areas areas (mixed q p) ((1 - q) * u + q * v).
Proof.
  revert u v. induction areas as [| A others Rest]; simpl.
  - intros u v -> ->. ring.
  - intros u v (a & b & HA & HB & ->) (c & d & HC & HD & ->).
    exists ((1 - q) * a + q * c), ((1 - q) * b + q * d). repeat split.
    + apply over_area_mixed; assumption.
    + apply Rest; assumption.
    + ring.
Qed.

Lemma over_areas_le areas pay pay' u v : lawful_areas areas ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> over_areas areas pay u -> over_areas areas pay' v -> u <= v.
Proof.
  intros L H. revert u v. induction L as [| A others LA L Rest]; simpl.
  - intros u v -> ->. lra.
  - intros u v (a & b & HA & HB & ->) (c & d & HC & HD & ->).
    apply Rplus_le_compat; [apply (over_area_le A pay pay'); assumption | apply Rest; assumption].
Qed.

(** The expectation has one value. *)
Theorem over_areas_is_unique areas pay a b : lawful_areas areas ->
  over_areas areas pay a -> over_areas areas pay b -> a = b.
Proof. intros L A B. apply Rle_antisym; eapply over_areas_le; try eassumption; intros; lra. Qed.

(** Properness of every density at once: at each pair of costs no decision is better than the one at the belief.
    Reports and beliefs may be 0 and 1. *)
Theorem no_better_report areas p q u0 u1 v0 v1 : lawful_areas areas ->
  over_areas areas (pay0 q) u0 -> over_areas areas (pay1 q) u1 ->
  over_areas areas (pay0 p) v0 -> over_areas areas (pay1 p) v1 -> (1 - q) * u0 + q * u1 <= (1 - q) * v0 + q * v1.
Proof.
  intros L Q0 Q1 P0 P1. apply (over_areas_le areas (mixed q q) (mixed q p)); [exact L | | |].
  - intros c0 c1 A B. apply best_decision; assumption.
  - apply over_areas_mixed; assumption.
  - apply over_areas_mixed; assumption.
Qed.

Theorem proper_density areas (L0 L1 : R -> R) : lawful_areas areas ->
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (L1 p)) -> Proper L0 L1.
Proof. intros L E0 E1 p q P Q. unfold risk. apply (no_better_report areas p q); auto. Qed.

(** What holds of losses that are the expected costs holds of the expected costs, whatever functions they are. *)
Theorem strictly_proper_density areas low high (L0 L1 E0 E1 : R -> R) : lawful_areas areas -> 0 <= low -> high <= 1 ->
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (L1 p)) ->
  StrictlyProperOn low high L0 L1 ->
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) -> StrictlyProperOn low high E0 E1.
Proof.
  intros L Low High H0 H1 S K0 K1 p q P Q N. assert (Unit : 0 < q < 1) by lra. unfold risk.
  rewrite (over_areas_is_unique areas (pay0 q) (E0 q) (L0 q)), (over_areas_is_unique areas (pay1 q) (E1 q) (L1 q)),
    (over_areas_is_unique areas (pay0 p) (E0 p) (L0 p)), (over_areas_is_unique areas (pay1 p) (E1 p) (L1 p)) by auto.
  apply S; assumption.
Qed.

(** * The reports 0 and 1: the same class is predicted whatever the costs are *)

Lemma over_area_ext A pay pay' value : (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 = pay' c0 c1) ->
  over_area A pay value -> over_area A pay' value.
Proof.
  intros E (f & F & I). exists f. split; [| exact I]. intros c1 P1.
  apply over_positive_ext with (paid A pay c1); [| apply F, P1].
  intros c0 P0. unfold paid. rewrite E by assumption. reflexivity.
Qed.
Lemma over_areas_ext areas pay pay' value : (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 = pay' c0 c1) ->
  over_areas areas pay value -> over_areas areas pay' value.
Proof.
  intros E. revert value. induction areas as [| A others Rest]; simpl; [trivial |].
  intros value (a & b & HA & HB & ->). exists a, b. repeat split; [apply (over_area_ext A pay) | apply Rest]; assumption.
Qed.
Lemma over_areas_of_0 areas : over_areas areas (fun _ _ => 0) 0.
Proof.
  induction areas as [| A others Rest]; simpl; [reflexivity |]. exists 0, 0. repeat split; [| exact Rest | ring].
  exists (fun _ => 0). split; [| apply over_positive_zero; reflexivity].
  intros c1 P1. apply over_positive_zero. intros c0 P0. unfold paid. ring.
Qed.

Lemma threshold_between c0 c1 : 0 < c0 -> 0 < c1 -> 0 < c0 / (c0 + c1) < 1.
Proof.
  intros A B. assert (S : 0 < c0 + c1) by lra. split; [apply Rdiv_lt_0_compat; lra |].
  apply (Rmult_lt_reg_r (c0 + c1)); [lra |]. replace (c0 / (c0 + c1) * (c0 + c1)) with c0 by (field; lra). lra.
Qed.
Ltac at_an_end :=
  intros c0 c1 A B; pose proof (threshold_between c0 c1 A B); unfold pay0, pay1;
  destruct (Rlt_dec (c0 / (c0 + c1)) _); lra.
Lemma cost0_at_0 areas : over_areas areas (pay0 0) 0.
Proof. apply over_areas_ext with (2 := over_areas_of_0 areas). at_an_end. Qed.
Lemma cost1_at_1 areas : over_areas areas (pay1 1) 0.
Proof. apply over_areas_ext with (2 := over_areas_of_0 areas). at_an_end. Qed.
Lemma cost0_at_1 areas value : over_areas areas (fun c0 _ => c0) value -> over_areas areas (pay0 1) value.
Proof. apply over_areas_ext. at_an_end. Qed.
Lemma cost1_at_0 areas value : over_areas areas (fun _ c1 => c1) value -> over_areas areas (pay1 0) value.
Proof. apply over_areas_ext. at_an_end. Qed.

Theorem proper_density_with_ends areas (L0 L1 : R -> R) mean0 mean1 : lawful_areas areas ->
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (L1 p)) ->
  over_areas areas (fun c0 _ => c0) mean0 -> over_areas areas (fun _ c1 => c1) mean1 ->
  (forall p, with_ends p -> over_areas areas (pay0 p) (extended L0 0 mean0 p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) (extended L1 mean1 0 p)) /\
  ProperAmong with_ends (extended L0 0 mean0) (extended L1 mean1 0).
Proof.
  intros L E0 E1 M0 M1.
  assert (A0 : forall p, with_ends p -> over_areas areas (pay0 p) (extended L0 0 mean0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply cost0_at_0.
    - replace p with 1 by lra. apply cost0_at_1, M0.
    - apply E0. lra. }
  assert (A1 : forall p, with_ends p -> over_areas areas (pay1 p) (extended L1 mean1 0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply cost1_at_0, M1.
    - replace p with 1 by lra. apply cost1_at_1.
    - apply E1. lra. }
  split; [exact A0 | split; [exact A1 |]]. intros p q P Q. unfold risk. apply (no_better_report areas p q); auto.
Qed.

(** * What is paid at a report *)

Lemma threshold_below p c0 c1 : 0 < p < 1 -> 0 < c0 -> 0 < c1 -> (c0 / (c0 + c1) < p <-> c0 < p * c1 / (1 - p)).
Proof.
  intros P A B. assert (S : 0 < c0 + c1) by lra. assert (Rest : 0 < 1 - p) by lra.
  assert (E : c0 / (c0 + c1) * (c0 + c1) = c0) by (field; lra).
  assert (F : p * c1 / (1 - p) * (1 - p) = p * c1) by (field; lra).
  split; intro H.
  - apply (Rmult_lt_reg_r (1 - p)); [lra |]. apply (Rmult_lt_compat_r (c0 + c1)) in H; lra.
  - apply (Rmult_lt_reg_r (c0 + c1)); [lra |]. apply (Rmult_lt_compat_r (1 - p)) in H; lra.
Qed.

(** Below the ray class 0 is charged, above it class 1. *)
Lemma pays0_below p c0 c1 : 0 < p < 1 -> 0 < c0 -> 0 < c1 -> c0 < p * c1 / (1 - p) -> pay0 p c0 c1 = c0.
Proof.
  intros P A B H. apply threshold_below in H; try assumption. unfold pay0. destruct (Rlt_dec _ p); [reflexivity | lra].
Qed.
Lemma pays0_above p c0 c1 : 0 < p < 1 -> 0 < c0 -> 0 < c1 -> p * c1 / (1 - p) <= c0 -> pay0 p c0 c1 = 0.
Proof.
  intros P A B H. unfold pay0. destruct (Rlt_dec _ p) as [N |]; [| reflexivity].
  apply threshold_below in N; try assumption. lra.
Qed.
Lemma pays1_below p c0 c1 : 0 < p < 1 -> 0 < c0 -> 0 < c1 -> c0 < p * c1 / (1 - p) -> pay1 p c0 c1 = 0.
Proof.
  intros P A B H. apply threshold_below in H; try assumption. unfold pay1. destruct (Rlt_dec _ p); [reflexivity | lra].
Qed.
Lemma pays1_above p c0 c1 : 0 < p < 1 -> 0 < c0 -> 0 < c1 -> p * c1 / (1 - p) <= c0 -> pay1 p c0 c1 = c1.
Proof.
  intros P A B H. unfold pay1. destruct (Rlt_dec _ p) as [N |]; [| reflexivity].
  apply threshold_below in N; try assumption. lra.
Qed.

(** Where the region ends, or the other decision begins, nothing is paid. *)
Definition unpaid (A : area) (pay : R -> R -> R) (c1 c0 : R) : Prop := hold (region A c0 c1) -> pay c0 c1 = 0.
Lemma unpaid_is_0 A pay c1 c0 : unpaid A pay c1 c0 -> paid A pay c1 c0 = 0.
Proof.
  intro H. unfold paid. destruct (indicator_cases (region A c0 c1)) as [[Held ->] | [_ ->]]; [| ring].
  rewrite (H Held). ring.
Qed.
Lemma paid_inside A pay c1 c0 value : hold (region A c0 c1) -> pay c0 c1 = value ->
  paid A pay c1 c0 = value * density A c0 c1.
Proof. intros H <-. unfold paid. rewrite indicator_in by exact H. ring. Qed.

Definition slope_is (F f : R -> R) (x : R) : Prop := is_derive F x (f x) /\ continuous f x.

Lemma over_positive_is f v w : over_positive f v -> v = w -> over_positive f w.
Proof. intros H <-. exact H. Qed.
Lemma over_area_is A pay v w : over_area A pay v -> v = w -> over_area A pay w.
Proof. intros H <-. exact H. Qed.
Lemma one_area A others pay a b value :
  over_area A pay a -> over_areas others pay b -> a + b = value -> over_areas (A :: others) pay value.
Proof. intros H I <-. exists a, b. repeat split; assumption. Qed.

Lemma between_bounds F f l u (value : R) : l <= u ->
  (forall c, l <= c <= u -> is_derive F c (f c) /\ continuous f c) -> value = F u - F l -> is_RInt f l u value.
Proof.
  intros LU D ->. apply (is_RInt_derive F f); rewrite Rmin_left, Rmax_right by exact LU; intros c C; apply D, C.
Qed.

(** Between two breakpoints a piece has the expected costs of both classes. *)
Definition costs_between (areas : list area) (low high : R) (P : piece) : Prop := forall p, 0 < p < 1 -> low < p -> p <= high ->
  over_areas areas (pay0 p) (loss0 P p) /\ over_areas areas (pay1 p) (loss1 P p).

(** What a density is inside of an area, and what holds for all things in a list. *)
Ltac lawful_inside A :=
  intros c0 c1 Positive0 Positive1 Held; unfold A in *; cbn [region density hold] in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H end.
Ltac listed := repeat first [apply List.Forall_nil | apply List.Forall_cons].

(** The costs of a report, by those of the piece that it is in, which may have to be none at which a loss is not defined. *)
Ltac first_of costs := let both := fresh "both" in assert (both := costs); exact (proj1 both).
Ltac second_of costs := let both := fresh "both" in assert (both := costs); exact (proj2 both).
Ltac paid_by costs :=
  let both := fresh "both" in
  match goal with Unit : 0 < ?p < 1 |- _ => pose proof (costs p Unit ltac:(lra) ltac:(lra)) as both end;
  try specialize (both ltac:(assumption));
  lazymatch goal with |- context [pay0] => exact (proj1 both) | |- _ => exact (proj2 both) end.
