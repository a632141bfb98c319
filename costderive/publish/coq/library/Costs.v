(** Expected costs, from the law of the costs itself to the losses of a rule.

    A law of the costs spreads probability over curves of pairs of costs, with densities of a parameter s in (0, 1),
    and puts masses on points. Whoever decides at the report p predicts class 1 if the threshold c0 / (c0 + c1) of the
    costs is below p; then class 0 costs c0, and else class 1 costs c1. Nothing here mentions a threshold weight, or
    the losses. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** What a decision at the report p costs if class 0, or class 1, is the true one. *)
Definition pay0 (p c0 c1 : R) : R := if Rlt_dec (c0 / (c0 + c1)) p then c0 else 0.
Definition pay1 (p c0 c1 : R) : R := if Rlt_dec (c0 / (c0 + c1)) p then 0 else c1.

(** Costs on a curve: both are functions of s, which has the density [chance] for start < s <= stop. *)
Record curve := Curve { start : R; stop : R; along0 : R -> R; along1 : R -> R; chance : R -> R }.
(** Costs that are known, with a probability. *)
Record point := Point { known0 : R; known1 : R; probability : R }.

Definition on_curve (pay : R -> R -> R) (C : curve) (s : R) : R :=
  if Rlt_dec (start C) s then if Rle_dec s (stop C) then pay (along0 C s) (along1 C s) * chance C s else 0 else 0.
Fixpoint on_curves (pay : R -> R -> R) (curves : list curve) (s : R) : R :=
  match curves with nil => 0 | C :: others => on_curve pay C s + on_curves pay others s end.
Fixpoint on_points (pay : R -> R -> R) (points : list point) : R :=
  match points with
  | nil => 0
  | P :: others => pay (known0 P) (known1 P) * probability P + on_points pay others
  end.

(** The expectation of a function of both costs. *)
Definition expected (curves : list curve) (points : list point) (pay : R -> R -> R) (value : R) : Prop :=
  exists spread, integral_on_unit (on_curves pay curves) spread /\ value = spread + on_points pay points.

Definition has_total (curves : list curve) (points : list point) : R -> Prop :=
  expected curves points (fun _ _ => 1).

(** Costs are positive, and no probability is negative. *)
Definition lawful_curve (C : curve) : Prop :=
  forall s, 0 < s < 1 -> start C < s -> s <= stop C -> 0 < along0 C s /\ 0 < along1 C s /\ 0 <= chance C s.
Definition lawful_point (P : point) : Prop := 0 < known0 P /\ 0 < known1 P /\ 0 <= probability P.
Definition lawful (curves : list curve) (points : list point) : Prop :=
  List.Forall lawful_curve curves /\ List.Forall lawful_point points.

(** * The expected costs of any law are a proper rule *)

(** At each pair of costs no decision is better than the one at the belief. *)
Lemma best_decision p q c0 c1 : 0 < c0 -> 0 < c1 ->
  (1 - q) * pay0 q c0 c1 + q * pay1 q c0 c1 <= (1 - q) * pay0 p c0 c1 + q * pay1 p c0 c1.
Proof.
  intros A B. unfold pay0, pay1. set (t := c0 / (c0 + c1)).
  assert (E : c0 = t * (c0 + c1)) by (unfold t; field; lra).
  assert (G : (1 - q) * c0 - q * c1 = (t - q) * (c0 + c1)) by (clearbody t; lra).
  destruct (Rlt_dec t q), (Rlt_dec t p); try lra.
  - assert (0 <= (q - t) * (c0 + c1)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (t - q) * (c0 + c1)) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition mixed (q p c0 c1 : R) : R := (1 - q) * pay0 p c0 c1 + q * pay1 p c0 c1.

Lemma on_curves_mixed q p curves s :
  on_curves (mixed q p) curves s = (1 - q) * on_curves (pay0 p) curves s + q * on_curves (pay1 p) curves s.
Proof.
  induction curves as [| C others Rest]; simpl; [ring |]. rewrite Rest. unfold on_curve, mixed.
  destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; ring.
Qed.
Lemma on_points_mixed q p points :
  on_points (mixed q p) points = (1 - q) * on_points (pay0 p) points + q * on_points (pay1 p) points.
Proof. induction points as [| P others Rest]; simpl; [ring |]. rewrite Rest. unfold mixed. ring. Qed.

Lemma mixed_on_curves p q curves s : 0 < q < 1 -> 0 < s < 1 -> List.Forall lawful_curve curves ->
  on_curves (mixed q q) curves s <= on_curves (mixed q p) curves s.
Proof.
  intros Q S. induction 1 as [| C others L H Rest]; simpl; [lra |].
  apply Rplus_le_compat; [| exact Rest]. unfold on_curve.
  destruct (Rlt_dec _ _); [destruct (Rle_dec _ _) |]; try lra. destruct (L s) as (A & B & D); try assumption.
  apply Rmult_le_compat_r; [exact D | apply best_decision; assumption].
Qed.
Lemma mixed_on_points p q points : 0 < q < 1 -> List.Forall lawful_point points ->
  on_points (mixed q q) points <= on_points (mixed q p) points.
Proof.
  intros Q. induction 1 as [| P others (A & B & D) H Rest]; simpl; [lra |].
  apply Rplus_le_compat; [| exact Rest].
  apply Rmult_le_compat_r; [exact D | apply best_decision; assumption].
Qed.

Lemma integral_on_unit_not_negative h v : (forall s, 0 < s < 1 -> 0 <= h s) -> integral_on_unit h v -> 0 <= v.
Proof.
  intros H I. destruct (Rle_lt_dec 0 v) as [| N]; [assumption | exfalso].
  assert (M : 0 < - v) by lra.
  destruct (I (ball v (mkposreal _ M)) (locally_ball v _)) as [A B HA HB HI].
  destruct (filter_ex _ (filter_and _ _ near_0 HA)) as (x & X & Ax).
  destruct (filter_ex _ (filter_and _ _ near_1 HB)) as (y & Y & By).
  destruct (HI x y Ax By) as (z & Z & Near). apply ball_between in Near; simpl in Z, Near.
  assert (0 <= z); [| lra]. apply (is_RInt_ge_0 h x y); [lra | exact Z | intros s S; apply H; lra].
Qed.
Lemma integral_on_unit_le f g a b : (forall s, 0 < s < 1 -> f s <= g s) ->
  integral_on_unit f a -> integral_on_unit g b -> a <= b.
Proof.
  intros H A B.
  assert (0 <= b + -1 * a); [| lra].
  apply (integral_on_unit_not_negative (fun s => g s + -1 * f s)).
  - intros s S. specialize (H s S). lra.
  - apply integral_on_unit_plus; [exact B | apply integral_on_unit_scal, A].
Qed.

(** The expectation has one value: losses that are expected costs are the expected costs. *)
Theorem expected_is_unique curves points pay a b :
  expected curves points pay a -> expected curves points pay b -> a = b.
Proof.
  intros (u & U & ->) (v & V & ->). apply f_equal2; [| reflexivity].
  apply Rle_antisym; eapply integral_on_unit_le; try eassumption; intros; lra.
Qed.

(** Properness of every law at once, without slopes or weights. *)
Theorem expected_costs_are_proper curves points (L0 L1 : R -> R) : lawful curves points ->
  (forall p, 0 < p < 1 -> expected curves points (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expected curves points (pay1 p) (L1 p)) -> Proper L0 L1.
Proof.
  intros H E0 E1 p q P Q. unfold risk.
  destruct (E0 p P) as (u0 & U0 & ->), (E1 p P) as (u1 & U1 & ->), (E0 q Q) as (v0 & V0 & ->), (E1 q Q) as (v1 & V1 & ->).
  pose proof (mixed_on_points p q points Q (proj2 H)) as Points. rewrite !on_points_mixed in Points.
  assert (Curves : (1 - q) * v0 + q * v1 <= (1 - q) * u0 + q * u1); [| lra].
  refine (integral_on_unit_le _ _ _ _ (fun s S => mixed_on_curves p q curves s Q S (proj1 H)) _ _).
  - apply integral_on_unit_ext with (1 := fun s _ => eq_sym (on_curves_mixed q q curves s)).
    apply integral_on_unit_plus; apply integral_on_unit_scal; assumption.
  - apply integral_on_unit_ext with (1 := fun s _ => eq_sym (on_curves_mixed q p curves s)).
    apply integral_on_unit_plus; apply integral_on_unit_scal; assumption.
Qed.
