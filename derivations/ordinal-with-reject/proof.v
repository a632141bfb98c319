(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra Lia List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Acts.

Module Rule.

Module rule.
Section Case.

(* A row for each class, a column for each act. *)
Definition matrix : list (list R) :=
  [[0; 1; 2; 1 / 4];
   [1; 0; 1; 1 / 4];
   [2; 1; 0; 1 / 4]].
Definition cost := costs_in matrix.
Definition act_at := act 3 3 cost.
Definition L := loss 3 3 cost.
Definition risk := risk_of_classes 3 3 cost.
Definition H := entropy 3 3 cost.
Definition no_act_is_cheaper := cheapest 3 3 cost.

Theorem pays : forall p q, risk p q = mean_cost 3 cost q (act_at p). Proof. intros p q. apply risk_is_expected_cost. Qed.
Theorem act_is_the_cheapest : forall p, no_act_is_cheaper p (act_at p). Proof. apply act_is_cheapest. Qed.
Theorem proper : forall p q, risk q q <= risk p q. Proof. apply acts_are_proper. Qed.
Theorem entropy_is_concave : forall q r w, 0 <= w <= 1 -> w * H q + (1 - w) * H r <= H (fun i => w * q i + (1 - w) * r i).
Proof. intros q r w. apply entropy_is_concave. Qed.
Theorem cheapest0 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 ->
  (p1 + 2 * p2 <= 1 / 4 <-> no_act_is_cheaper (forecast [p0; p1; p2]) 0).
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. unfold no_act_is_cheaper, cheapest, cost, matrix. split.
  - intros F j J. acts_one_by_one j.
  - intro C. at_act C 3%nat. lra.
Qed.
Theorem taken0 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 ->
  p1 + 2 * p2 < 1 / 4 -> act_at (forecast [p0; p1; p2]) = 0%nat.
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. intro F. apply act_is; unfold cheapest, cost, matrix; [lia | |].
  - intros j J. acts_one_by_one j.
  - intros j J. acts_one_by_one j.
Qed.
Theorem cheapest1 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 ->
  (p0 + p2 <= 1 / 4 <-> no_act_is_cheaper (forecast [p0; p1; p2]) 1).
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. unfold no_act_is_cheaper, cheapest, cost, matrix. split.
  - intros F j J. acts_one_by_one j.
  - intro C. at_act C 3%nat. lra.
Qed.
Theorem taken1 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 ->
  p0 + p2 < 1 / 4 -> act_at (forecast [p0; p1; p2]) = 1%nat.
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. intro F. apply act_is; unfold cheapest, cost, matrix; [lia | |].
  - intros j J. acts_one_by_one j.
  - intros j J. acts_one_by_one j.
Qed.
Theorem cheapest2 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 ->
  (2 * p0 + p1 <= 1 / 4 <-> no_act_is_cheaper (forecast [p0; p1; p2]) 2).
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. unfold no_act_is_cheaper, cheapest, cost, matrix. split.
  - intros F j J. acts_one_by_one j.
  - intro C. at_act C 3%nat. lra.
Qed.
Theorem taken2 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 ->
  2 * p0 + p1 < 1 / 4 -> act_at (forecast [p0; p1; p2]) = 2%nat.
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. intro F. apply act_is; unfold cheapest, cost, matrix; [lia | |].
  - intros j J. acts_one_by_one j.
  - intros j J. acts_one_by_one j.
Qed.
Theorem cheapest3 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 -> (1 / 4 <= p1 + 2 * p2 /\
   1 / 4 <= p0 + p2 /\ 1 / 4 <= 2 * p0 + p1 <-> no_act_is_cheaper (forecast [p0; p1; p2]) 3).
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. unfold no_act_is_cheaper, cheapest, cost, matrix. split.
  - intros F j J. acts_one_by_one j.
  - intro C. at_act C 0%nat. at_act C 1%nat. at_act C 2%nat. lra.
Qed.
Theorem taken3 : forall p0 p1 p2, 0 <= p0 -> 0 <= p1 -> 0 <= p2 -> p0 + p1 + p2 = 1 -> 1 / 4 < p1 + 2 * p2 /\ 1 / 4 < p0 + p2 /\
   1 / 4 < 2 * p0 + p1 -> act_at (forecast [p0; p1; p2]) = 3%nat.
Proof.
  intros p0 p1 p2 Pp0 Pp1 Pp2 P. intro F. apply act_is; unfold cheapest, cost, matrix; [lia | |].
  - intros j J. acts_one_by_one j.
  - intros j J. acts_one_by_one j.
Qed.
Theorem same_losses : forall i, L i (forecast [11 / 12; 1 / 24; 1 / 24]) = L i (forecast [23 / 24; 1 / 48; 1 / 48]).
Proof.
  assert (at0 : act_at (forecast [11 / 12; 1 / 24; 1 / 24]) = 0%nat).
  { apply act_is; unfold cheapest, cost, matrix; [lia | |]. - intros j J. acts_one_by_one j. - intros j J. acts_one_by_one j. }
  assert (at1 : act_at (forecast [23 / 24; 1 / 48; 1 / 48]) = 0%nat).
  { apply act_is; unfold cheapest, cost, matrix; [lia | |]. - intros j J. acts_one_by_one j. - intros j J. acts_one_by_one j. }
  apply same_act_same_losses. fold act_at. rewrite at0, at1. reflexivity.
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.pays, @Rule.rule.act_is_the_cheapest, @Rule.rule.proper, @Rule.rule.entropy_is_concave, @Rule.rule.cheapest0,
   @Rule.rule.taken0, @Rule.rule.cheapest1, @Rule.rule.taken1, @Rule.rule.cheapest2, @Rule.rule.taken2, @Rule.rule.cheapest3,
   @Rule.rule.taken3, @Rule.rule.same_losses).
Print Assumptions final_theorems.
