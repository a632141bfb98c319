(** Costs of which one is 0 with a probability: errors that cost nothing.

    Beside the law of costs that are both positive stand points with one cost 0, or both. At a report between 0 and 1
    neither class pays at such a point: the decision is for the class of the error that costs nothing. Only the reports
    0 and 1 cost more. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AllReports Tails Areas Arcs OtherThresholds Mixtures.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

Definition free_point (P : point) : Prop :=
  0 <= known0 P /\ 0 <= known1 P /\ (known0 P = 0 \/ known1 P = 0) /\ 0 <= probability P.

(** The expectation over positive costs and such points, also where that of positive costs is infinite. *)
Definition beside_free (E : expectation_of_costs) (free : list point) : expectation_of_costs :=
  fun pay value => exists a, E pay a /\ value = a + on_points pay free.
Definition expects_beside_free (E : expectation_of_costs) (free : list point) (pay : R -> R -> R) (value : Rbar) : Prop :=
  exists a : Rbar, expects E pay a /\ value = Rbar_plus a (on_points pay free).
Definition lawful_beside_free (E : expectation_of_costs) (free : list point) : Prop :=
  fair E /\ List.Forall free_point free.

(** What the error costs where the other one is free. *)
Definition charged0 (c0 c1 : R) : R := if Req_EM_T c1 0 then c0 else 0.
Definition charged1 (c0 c1 : R) : R := if Req_EM_T c0 0 then c1 else 0.

(** * Nothing is paid between 0 and 1 *)

Lemma threshold_if_free0 c1 : 0 / (0 + c1) = 0.
Proof. unfold Rdiv. ring. Qed.
Lemma threshold_if_free1 c0 : 0 < c0 -> c0 / (c0 + 0) = 1.
Proof. intro H. field. lra. Qed.

Lemma nothing_at_free P p : free_point P -> 0 < p < 1 ->
  pay0 p (known0 P) (known1 P) = 0 /\ pay1 p (known0 P) (known1 P) = 0.
Proof.
  intros (A & B & [Z | Z] & _) Unit; rewrite Z; unfold pay0, pay1.
  - rewrite threshold_if_free0. destruct (Rlt_dec 0 p); [split; reflexivity | lra].
  - destruct (Req_dec (known0 P) 0) as [-> | N]; [destruct (Rlt_dec _ p); split; reflexivity |].
    rewrite threshold_if_free1 by lra. destruct (Rlt_dec 1 p); [lra | split; reflexivity].
Qed.
Lemma nothing_on_free free p : List.Forall free_point free -> 0 < p < 1 ->
  on_points (pay0 p) free = 0 /\ on_points (pay1 p) free = 0.
Proof.
  intros H Unit. induction H as [| P others L H [A B]]; simpl; [split; reflexivity |].
  destruct (nothing_at_free P p L Unit) as [-> ->]. rewrite A, B. split; ring.
Qed.

(** A report that is sure of a class pays for its errors, also where the other ones are free; at 1 that is a tie. *)
Lemma paid_on_free_at_ends free : List.Forall free_point free ->
  on_points (pay0 0) free = 0 /\ on_points (pay1 1) free = 0 /\
  on_points (pay0 1) free = 0 /\ on_points (pay1 0) free = on_points charged1 free.
Proof.
  intros H. induction H as [| P others (A & B & Z & _) H (I0 & I1 & J0 & J1)]; simpl; [repeat split; reflexivity |].
  rewrite I0, I1, J0, J1. unfold pay0, pay1, charged1. destruct Z as [Z | Z]; rewrite Z.
  - rewrite threshold_if_free0. destruct (Rlt_dec 0 0), (Rlt_dec 0 1), (Req_EM_T 0 0); repeat split; first [ring | lra | congruence].
  - destruct (Req_dec (known0 P) 0) as [-> | N].
    + destruct (Rlt_dec _ 0), (Rlt_dec _ 1), (Req_EM_T 0 0); repeat split; ring.
    + rewrite threshold_if_free1 by lra.
      destruct (Rlt_dec 1 0), (Rlt_dec 1 1), (Req_EM_T (known0 P) 0); repeat split; first [ring | lra | congruence].
Qed.

Lemma charges_not_negative free : List.Forall free_point free ->
  0 <= on_points charged0 free /\ 0 <= on_points charged1 free.
Proof.
  intros H. induction H as [| P others (A & B & _ & D) H [I J]]; simpl; [lra |].
  assert (0 <= charged0 (known0 P) (known1 P) * probability P)
    by (apply Rmult_le_pos; [unfold charged0; destruct (Req_EM_T (known1 P) 0); lra | exact D]).
  assert (0 <= charged1 (known0 P) (known1 P) * probability P)
    by (apply Rmult_le_pos; [unfold charged1; destruct (Req_EM_T (known0 P) 0); lra | exact D]).
  lra.
Qed.

(** * Properness *)

Section Beside.
Variables (E : expectation_of_costs) (free : list point).
Local Notation whole := (beside_free E free).

Theorem cost0_beside_free p v : List.Forall free_point free -> 0 < p < 1 -> E (pay0 p) v -> whole (pay0 p) v.
Proof. intros H P A. exists v. split; [exact A |]. rewrite (proj1 (nothing_on_free free p H P)). ring. Qed.
Theorem cost1_beside_free p v : List.Forall free_point free -> 0 < p < 1 -> E (pay1 p) v -> whole (pay1 p) v.
Proof. intros H P A. exists v. split; [exact A |]. rewrite (proj2 (nothing_on_free free p H P)). ring. Qed.

Theorem beside_free_is_unique pay a b : fair E -> whole pay a -> whole pay b -> a = b.
Proof. intros F (x & X & ->) (y & Y & ->). rewrite (fair_is_unique E F pay x y X Y). reflexivity. Qed.

Theorem proper_beside_free (L0 L1 : R -> R) : lawful_beside_free E free ->
  (forall p, 0 < p < 1 -> whole (pay0 p) (L0 p)) -> (forall p, 0 < p < 1 -> whole (pay1 p) (L1 p)) -> Proper L0 L1.
Proof.
  intros [F H] A B. apply (proper_if_fair E F); intros p P.
  - destruct (A p P) as (v & V & ->). rewrite (proj1 (nothing_on_free free p H P)), Rplus_0_r. exact V.
  - destruct (B p P) as (v & V & ->). rewrite (proj2 (nothing_on_free free p H P)), Rplus_0_r. exact V.
Qed.

Theorem strictly_proper_beside_free low high (L0 L1 E0 E1 : R -> R) : lawful_beside_free E free -> 0 <= low -> high <= 1 ->
  (forall p, 0 < p < 1 -> whole (pay0 p) (L0 p)) -> (forall p, 0 < p < 1 -> whole (pay1 p) (L1 p)) ->
  StrictlyProperOn low high L0 L1 ->
  (forall p, 0 < p < 1 -> whole (pay0 p) (E0 p)) -> (forall p, 0 < p < 1 -> whole (pay1 p) (E1 p)) ->
  StrictlyProperOn low high E0 E1.
Proof.
  intros [F _] Low High H0 H1 S K0 K1 p q P Q N. assert (Unit : 0 < q < 1) by lra. unfold risk.
  rewrite (beside_free_is_unique (pay0 q) (E0 q) (L0 q)), (beside_free_is_unique (pay1 q) (E1 q) (L1 q)),
    (beside_free_is_unique (pay0 p) (E0 p) (L0 p)), (beside_free_is_unique (pay1 p) (E1 p) (L1 p)) by auto.
  apply S; assumption.
Qed.
End Beside.

(** * The reports 0 and 1 *)

(** They may cost more than the limits of the losses. *)
Lemma proper_with_more_at_ends L0 L1 (v0 v1 : Rbar) (more0 more1 : R) : 0 <= more0 -> 0 <= more1 ->
  ProperOnAll (with_values L0 0 v0) (with_values L1 v1 0) ->
  ProperOnAll (with_values L0 0 (Rbar_plus v0 more0)) (with_values L1 (Rbar_plus v1 more1) 0).
Proof.
  assert (Greater : forall (r : R) (v : Rbar) more, 0 <= r -> 0 <= more -> Rbar_le (Rbar_mult r v) (Rbar_mult r (Rbar_plus v more))).
  { intros r [v | |] more R0 M; [simpl | apply Rbar_le_refl | apply Rbar_le_refl].
    assert (0 <= r * more) by (apply Rmult_le_pos; assumption). lra. }
  intros M0 M1 H p q P Q. specialize (H p q P Q).
  assert (Own : forall u0 u1, risk_to (with_values L0 0 u0) (with_values L1 u1 0) q q
    = if Req_EM_T q 0 then Finite 0 else if Req_EM_T q 1 then Finite 0 else Finite (risk L0 L1 q q)).
  { intros u0 u1. unfold with_ends in Q. destruct (Req_EM_T q 0) as [-> | N]; [rewrite certain_of_0; apply values_at_0 |].
    destruct (Req_EM_T q 1) as [-> | N']; [rewrite certain_of_1; apply values_at_1 | apply risk_inside; lra]. }
  rewrite Own in *. refine (Rbar_le_trans _ _ _ H _). unfold with_ends in *.
  destruct (Req_dec p 0) as [-> | P0]; [rewrite !risk_of_0; apply Greater; lra |].
  destruct (Req_dec p 1) as [-> | P1]; [rewrite !risk_of_1; apply Greater; lra |].
  rewrite !risk_inside by lra. apply Rbar_le_refl.
Qed.

Section Ends.
Variables (E : expectation_of_costs) (free : list point) (L0 L1 : R -> R) (mean0 mean1 : Rbar) (more0 more1 : R).
Hypothesis lawful : lawful_beside_free E free.
Hypothesis cost0 : forall p, 0 < p < 1 -> E (pay0 p) (L0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> E (pay1 p) (L1 p).
Hypothesis mean_is0 : match mean0 with Finite v => E (fun c0 _ => c0) v | _ => filterlim L0 (at_left 1) (Rbar_locally p_infty) /\ mean0 = p_infty end.
Hypothesis mean_is1 : match mean1 with Finite v => E (fun _ c1 => c1) v | _ => filterlim L1 (at_right 0) (Rbar_locally p_infty) /\ mean1 = p_infty end.
Hypothesis more_is0 : on_points charged0 free = more0.
Hypothesis more_is1 : on_points charged1 free = more1.

(** The costs at all reports, and properness. The report 1 is a tie where class 1 costs nothing: the costs are proper
    whether its errors are charged there or not. *)
Theorem proper_beside_free_with_ends :
  (forall p, with_ends p -> expects_beside_free E free (pay0 p) (with_values L0 0 mean0 p)) /\
  (forall p, with_ends p -> expects_beside_free E free (pay1 p) (with_values L1 (Rbar_plus mean1 more1) 0 p)) /\
  ProperOnAll (with_values L0 0 mean0) (with_values L1 (Rbar_plus mean1 more1) 0) /\
  ProperOnAll (with_values L0 0 (Rbar_plus mean0 more0)) (with_values L1 (Rbar_plus mean1 more1) 0).
Proof.
  destruct lawful as [F H]. destruct (proper_with_infinite_ends E L0 L1 mean0 mean1 F cost0 cost1 mean_is0 mean_is1) as (A & B & P).
  destruct (paid_on_free_at_ends free H) as (Z0 & Z1 & O0 & O1), (charges_not_negative free H) as [G0 G1].
  rewrite more_is0 in *. rewrite more_is1 in *. split; [| split; [| split]].
  - intros p U. exists (with_values L0 0 mean0 p). split; [apply A, U |].
    replace (on_points (pay0 p) free) with 0; [symmetry; apply Rbar_plus_0_r |]. unfold with_ends in U.
    destruct (Req_dec p 0) as [-> |]; [congruence |]. destruct (Req_dec p 1) as [-> |]; [congruence |].
    symmetry. apply (nothing_on_free free p H). lra.
  - intros p U. exists (with_values L1 mean1 0 p). split; [apply B, U |]. unfold with_ends in U.
    destruct (Req_dec p 0) as [-> |]; [rewrite !values_at_0, O1; reflexivity |].
    replace (on_points (pay1 p) free) with 0; [rewrite Rbar_plus_0_r |].
    + unfold with_values. destruct (Rle_dec p 0); [lra | reflexivity].
    + destruct (Req_dec p 1) as [-> |]; [congruence |]. symmetry. apply (nothing_on_free free p H). lra.
  - replace mean0 with (Rbar_plus mean0 0) by apply Rbar_plus_0_r. apply proper_with_more_at_ends; [lra | exact G1 | exact P].
  - apply proper_with_more_at_ends; assumption.
Qed.
End Ends.

Ltac charged :=
  cbn [on_points known0 known1 probability]; unfold charged0, charged1;
  repeat match goal with |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b); try (exfalso; first [lra | congruence]) end.
