(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra Lia List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Acts Classes Orders ClassCosts BayesActs BoundedCosts.

Module Rule.

Module rule.
Section Case.

Definition loss0_in1 (p0 p1 p2 : R) : R :=
  1 / 2 - p0 ^ 2 / (4 * p1 * p2).
Definition loss1_in1 (p0 p1 p2 : R) : R :=
  p0 ^ 3 / (12 * p1 ^ 2 * p2) + 1 / 2 - p1 / (3 * p2).
Definition loss2_in1 (p0 p1 p2 : R) : R :=
  p0 ^ 3 / (12 * p1 * p2 ^ 2) + p1 ^ 2 / (6 * p2 ^ 2).
Definition slope0_1_in1 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (4 * p2 * p1 ^ 2).
Definition slope0_2_in1 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (4 * p1 * p2 ^ 2).
Definition slope1_2_in1 (p0 p1 p2 : R) : R :=
  (((3 * p1 ^ 3) * p0 ^ 3 + (12 * p1 ^ 3) * p0 ^ 2 * (p1 - p0) + (12 * p1 ^ 3) * p0 * (p1 - p0) ^ 2 + (4 * p1 ^ 3) * (p1 - p0) ^ 3) / p1 ^ 3) / (12 * p1 ^ 2 * p2 ^ 2).
Definition L_in1 (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0_in1 | 1 => loss1_in1 | _ => loss2_in1 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D_in1 (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1_in1 | 0, 2 | 2, 0 => slope0_2_in1 | 1, 2 | 2, 1 => slope1_2_in1 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition order1 : formulas_in_order := InOrder
  [(0%nat, 1); (1%nat, 1); (2%nat, 1)] L_in1 D_in1.
Definition loss0_in2 (p0 p1 p2 : R) : R :=
  1 / 2 - p0 ^ 2 / (4 * p1 * p2).
Definition loss1_in2 (p0 p1 p2 : R) : R :=
  p0 ^ 3 / (12 * p1 ^ 2 * p2) + p2 ^ 2 / (6 * p1 ^ 2).
Definition loss2_in2 (p0 p1 p2 : R) : R :=
  p0 ^ 3 / (12 * p1 * p2 ^ 2) + 1 / 2 - p2 / (3 * p1).
Definition slope0_1_in2 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (4 * p2 * p1 ^ 2).
Definition slope0_2_in2 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (4 * p1 * p2 ^ 2).
Definition slope1_2_in2 (p0 p1 p2 : R) : R :=
  (((3 * p2 ^ 3) * p0 ^ 3 + (12 * p2 ^ 3) * p0 ^ 2 * (p2 - p0) + (12 * p2 ^ 3) * p0 * (p2 - p0) ^ 2 + (4 * p2 ^ 3) * (p2 - p0) ^ 3) / p2 ^ 3) / (12 * p1 ^ 2 * p2 ^ 2).
Definition L_in2 (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0_in2 | 1 => loss1_in2 | _ => loss2_in2 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D_in2 (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1_in2 | 0, 2 | 2, 0 => slope0_2_in2 | 1, 2 | 2, 1 => slope1_2_in2 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition order2 : formulas_in_order := InOrder
  [(0%nat, 1); (2%nat, 1); (1%nat, 1)] L_in2 D_in2.
Definition loss0_in3 (p0 p1 p2 : R) : R :=
  1 / 2 + p1 ^ 3 / (12 * p0 ^ 2 * p2) - p0 / (3 * p2).
Definition loss1_in3 (p0 p1 p2 : R) : R :=
  1 / 2 - p1 ^ 2 / (4 * p0 * p2).
Definition loss2_in3 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (6 * p2 ^ 2) + p1 ^ 3 / (12 * p0 * p2 ^ 2).
Definition slope0_1_in3 (p0 p1 p2 : R) : R :=
  p1 ^ 2 / (4 * p2 * p0 ^ 2).
Definition slope0_2_in3 (p0 p1 p2 : R) : R :=
  (4 * (p0 - p1) ^ 3 + (12 * p1) * (p0 - p1) ^ 2 + (12 * p1 ^ 2) * (p0 - p1) + 3 * p1 ^ 3) / (12 * p0 ^ 2 * p2 ^ 2).
Definition slope1_2_in3 (p0 p1 p2 : R) : R :=
  p1 ^ 2 / (4 * p0 * p2 ^ 2).
Definition L_in3 (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0_in3 | 1 => loss1_in3 | _ => loss2_in3 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D_in3 (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1_in3 | 0, 2 | 2, 0 => slope0_2_in3 | 1, 2 | 2, 1 => slope1_2_in3 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition order3 : formulas_in_order := InOrder
  [(1%nat, 1); (0%nat, 1); (2%nat, 1)] L_in3 D_in3.
Definition loss0_in4 (p0 p1 p2 : R) : R :=
  p1 ^ 3 / (12 * p0 ^ 2 * p2) + p2 ^ 2 / (6 * p0 ^ 2).
Definition loss1_in4 (p0 p1 p2 : R) : R :=
  1 / 2 - p1 ^ 2 / (4 * p0 * p2).
Definition loss2_in4 (p0 p1 p2 : R) : R :=
  1 / 2 + p1 ^ 3 / (12 * p0 * p2 ^ 2) - p2 / (3 * p0).
Definition slope0_1_in4 (p0 p1 p2 : R) : R :=
  p1 ^ 2 / (4 * p2 * p0 ^ 2).
Definition slope0_2_in4 (p0 p1 p2 : R) : R :=
  (((3 * p2 ^ 3) * p1 ^ 3 + (12 * p2 ^ 3) * p1 ^ 2 * (p2 - p1) + (12 * p2 ^ 3) * p1 * (p2 - p1) ^ 2 + (4 * p2 ^ 3) * (p2 - p1) ^ 3) / p2 ^ 3) / (12 * p0 ^ 2 * p2 ^ 2).
Definition slope1_2_in4 (p0 p1 p2 : R) : R :=
  p1 ^ 2 / (4 * p0 * p2 ^ 2).
Definition L_in4 (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0_in4 | 1 => loss1_in4 | _ => loss2_in4 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D_in4 (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1_in4 | 0, 2 | 2, 0 => slope0_2_in4 | 1, 2 | 2, 1 => slope1_2_in4 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition order4 : formulas_in_order := InOrder
  [(1%nat, 1); (2%nat, 1); (0%nat, 1)] L_in4 D_in4.
Definition loss0_in5 (p0 p1 p2 : R) : R :=
  1 / 2 + p2 ^ 3 / (12 * p0 ^ 2 * p1) - p0 / (3 * p1).
Definition loss1_in5 (p0 p1 p2 : R) : R :=
  p0 ^ 2 / (6 * p1 ^ 2) + p2 ^ 3 / (12 * p0 * p1 ^ 2).
Definition loss2_in5 (p0 p1 p2 : R) : R :=
  1 / 2 - p2 ^ 2 / (4 * p0 * p1).
Definition slope0_1_in5 (p0 p1 p2 : R) : R :=
  (4 * (p0 - p2) ^ 3 + (12 * p2) * (p0 - p2) ^ 2 + (12 * p2 ^ 2) * (p0 - p2) + 3 * p2 ^ 3) / (12 * p0 ^ 2 * p1 ^ 2).
Definition slope0_2_in5 (p0 p1 p2 : R) : R :=
  p2 ^ 2 / (4 * p1 * p0 ^ 2).
Definition slope1_2_in5 (p0 p1 p2 : R) : R :=
  p2 ^ 2 / (4 * p0 * p1 ^ 2).
Definition L_in5 (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0_in5 | 1 => loss1_in5 | _ => loss2_in5 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D_in5 (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1_in5 | 0, 2 | 2, 0 => slope0_2_in5 | 1, 2 | 2, 1 => slope1_2_in5 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition order5 : formulas_in_order := InOrder
  [(2%nat, 1); (0%nat, 1); (1%nat, 1)] L_in5 D_in5.
Definition loss0_in6 (p0 p1 p2 : R) : R :=
  p1 ^ 2 / (6 * p0 ^ 2) + p2 ^ 3 / (12 * p0 ^ 2 * p1).
Definition loss1_in6 (p0 p1 p2 : R) : R :=
  1 / 2 + p2 ^ 3 / (12 * p0 * p1 ^ 2) - p1 / (3 * p0).
Definition loss2_in6 (p0 p1 p2 : R) : R :=
  1 / 2 - p2 ^ 2 / (4 * p0 * p1).
Definition slope0_1_in6 (p0 p1 p2 : R) : R :=
  (4 * (p1 - p2) ^ 3 + (12 * p2) * (p1 - p2) ^ 2 + (12 * p2 ^ 2) * (p1 - p2) + 3 * p2 ^ 3) / (12 * p0 ^ 2 * p1 ^ 2).
Definition slope0_2_in6 (p0 p1 p2 : R) : R :=
  p2 ^ 2 / (4 * p1 * p0 ^ 2).
Definition slope1_2_in6 (p0 p1 p2 : R) : R :=
  p2 ^ 2 / (4 * p0 * p1 ^ 2).
Definition L_in6 (i : nat) (p : nat -> R) : R :=
  match i with 0 => loss0_in6 | 1 => loss1_in6 | _ => loss2_in6 end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition D_in6 (i j : nat) (p : nat -> R) : R :=
  match i, j with 0, 1 | 1, 0 => slope0_1_in6 | 0, 2 | 2, 0 => slope0_2_in6 | 1, 2 | 2, 1 => slope1_2_in6 | _, _ => fun _ _ _ => 0%R end%nat
  (p 0%nat) (p 1%nat) (p 2%nat).
Definition order6 : formulas_in_order := InOrder
  [(2%nat, 1); (1%nat, 1); (0%nat, 1)] L_in6 D_in6.
Definition orders : list formulas_in_order := [order1; order2; order3; order4; order5].
Definition L := loss_by_order orders order6.
Definition risk := risk_under 3 L.
Ltac orders_read := cbv beta iota delta [orders app marks loss_in slope_in ascends weighed fst snd order1 order2 order3 order4 order5 order6] in *.
Ltac formulas_read :=
  cbv [L_in1 D_in1 loss0_in1 loss1_in1 loss2_in1 slope0_1_in1 slope0_2_in1 slope1_2_in1 L_in2 D_in2 loss0_in2 loss1_in2 loss2_in2 slope0_1_in2 slope0_2_in2 slope1_2_in2 L_in3 D_in3 loss0_in3 loss1_in3 loss2_in3 slope0_1_in3 slope0_2_in3 slope1_2_in3 L_in4 D_in4 loss0_in4 loss1_in4 loss2_in4 slope0_1_in4 slope0_2_in4 slope1_2_in4 L_in5 D_in5 loss0_in5 loss1_in5 loss2_in5 slope0_1_in5 slope0_2_in5 slope1_2_in5 L_in6 D_in6 loss0_in6 loss1_in6 loss2_in6 slope0_1_in6 slope0_2_in6 slope1_2_in6].

Lemma all_of_them_sloped_in1 : all_sloped 3 L_in1 D_in1.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L_in1 D_in1 loss0_in1 loss1_in1 loss2_in1 slope0_1_in1 slope0_2_in1 slope1_2_in1]). Qed.
Lemma symmetric_in1 : symmetric_slopes 3 D_in1. Proof. symmetric_by_pairs. Qed.
Lemma same_in1 : only_probabilities L_in1. Proof. intros label report other E. unfold L_in1. rewrite !E. reflexivity. Qed.
Lemma signed_order1 : positive_in 3 order1. Proof. signed_in_order orders_read formulas_read. Qed.
Lemma all_of_them_sloped_in2 : all_sloped 3 L_in2 D_in2.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L_in2 D_in2 loss0_in2 loss1_in2 loss2_in2 slope0_1_in2 slope0_2_in2 slope1_2_in2]). Qed.
Lemma symmetric_in2 : symmetric_slopes 3 D_in2. Proof. symmetric_by_pairs. Qed.
Lemma same_in2 : only_probabilities L_in2. Proof. intros label report other E. unfold L_in2. rewrite !E. reflexivity. Qed.
Lemma signed_order2 : positive_in 3 order2. Proof. signed_in_order orders_read formulas_read. Qed.
Lemma all_of_them_sloped_in3 : all_sloped 3 L_in3 D_in3.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L_in3 D_in3 loss0_in3 loss1_in3 loss2_in3 slope0_1_in3 slope0_2_in3 slope1_2_in3]). Qed.
Lemma symmetric_in3 : symmetric_slopes 3 D_in3. Proof. symmetric_by_pairs. Qed.
Lemma same_in3 : only_probabilities L_in3. Proof. intros label report other E. unfold L_in3. rewrite !E. reflexivity. Qed.
Lemma signed_order3 : positive_in 3 order3. Proof. signed_in_order orders_read formulas_read. Qed.
Lemma all_of_them_sloped_in4 : all_sloped 3 L_in4 D_in4.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L_in4 D_in4 loss0_in4 loss1_in4 loss2_in4 slope0_1_in4 slope0_2_in4 slope1_2_in4]). Qed.
Lemma symmetric_in4 : symmetric_slopes 3 D_in4. Proof. symmetric_by_pairs. Qed.
Lemma same_in4 : only_probabilities L_in4. Proof. intros label report other E. unfold L_in4. rewrite !E. reflexivity. Qed.
Lemma signed_order4 : positive_in 3 order4. Proof. signed_in_order orders_read formulas_read. Qed.
Lemma all_of_them_sloped_in5 : all_sloped 3 L_in5 D_in5.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L_in5 D_in5 loss0_in5 loss1_in5 loss2_in5 slope0_1_in5 slope0_2_in5 slope1_2_in5]). Qed.
Lemma symmetric_in5 : symmetric_slopes 3 D_in5. Proof. symmetric_by_pairs. Qed.
Lemma same_in5 : only_probabilities L_in5. Proof. intros label report other E. unfold L_in5. rewrite !E. reflexivity. Qed.
Lemma signed_order5 : positive_in 3 order5. Proof. signed_in_order orders_read formulas_read. Qed.
Lemma all_of_them_sloped_in6 : all_sloped 3 L_in6 D_in6.
Proof. intros label Label. each_class label; sloped_loss_by ltac:(cbv [slope_along sum_over L_in6 D_in6 loss0_in6 loss1_in6 loss2_in6 slope0_1_in6 slope0_2_in6 slope1_2_in6]). Qed.
Lemma symmetric_in6 : symmetric_slopes 3 D_in6. Proof. symmetric_by_pairs. Qed.
Lemma same_in6 : only_probabilities L_in6. Proof. intros label report other E. unfold L_in6. rewrite !E. reflexivity. Qed.
Lemma signed_order6 : positive_in 3 order6. Proof. signed_in_order orders_read formulas_read. Qed.
Lemma all_right : List.Forall (right_in 3) (orders ++ [order6]).
Proof.
  in_all_orders; [exact (conj all_of_them_sloped_in1 (conj symmetric_in1 same_in1)) | exact (conj all_of_them_sloped_in2 (conj
    symmetric_in2 same_in2)) | exact (conj all_of_them_sloped_in3 (conj symmetric_in3 same_in3)) | exact (conj
    all_of_them_sloped_in4 (conj symmetric_in4 same_in4)) | exact (conj all_of_them_sloped_in5 (conj symmetric_in5 same_in5)) |
    exact (conj all_of_them_sloped_in6 (conj symmetric_in6 same_in6))].
Qed.
Lemma all_signed : List.Forall (positive_in 3) (orders ++ [order6]).
Proof.
  in_all_orders; [exact signed_order1 | exact signed_order2 | exact signed_order3 | exact signed_order4 | exact signed_order5 |
    exact signed_order6].
Qed.
Lemma complete : forall p, positive_forecast 3 p -> exists cell, In cell (orders ++ [order6]) /\ ascends (marks cell) p.
Proof.
  intros p P. destruct (Rle_lt_dec (1 * p 0%nat) (1 * p 1%nat)), (Rle_lt_dec (1 * p 0%nat) (1 * p 2%nat)), (Rle_lt_dec (1 * p 1%nat) (1 * p 2%nat));
    first [held order1 orders_read | held order2 orders_read | held order3 orders_read | held order4 orders_read | held order5 orders_read | held order6 orders_read].
Qed.
Lemma agree1_2 : agree 3 order1 order2. Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 1%nat 2%nat) formulas_read. Qed.
Lemma agree1_3 : agree 3 order1 order3. Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 1%nat) formulas_read. Qed.
Lemma agree1_4 : agree 3 order1 order4.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 1%nat; tied_at 1 1 p 0%nat 2%nat) formulas_read. Qed.
Lemma agree1_5 : agree 3 order1 order5.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 1%nat; tied_at 1 1 p 0%nat 2%nat) formulas_read. Qed.
Lemma agree1_6 : agree 3 order1 order6.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 1%nat; tied_at 1 1 p 0%nat 2%nat) formulas_read. Qed.
Lemma agree2_3 : agree 3 order2 order3.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 2%nat; tied_at 1 1 p 0%nat 1%nat) formulas_read. Qed.
Lemma agree2_4 : agree 3 order2 order4.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 2%nat; tied_at 1 1 p 0%nat 1%nat) formulas_read. Qed.
Lemma agree2_5 : agree 3 order2 order5. Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 2%nat) formulas_read. Qed.
Lemma agree2_6 : agree 3 order2 order6.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 2%nat; tied_at 1 1 p 0%nat 1%nat) formulas_read. Qed.
Lemma agree3_4 : agree 3 order3 order4. Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 2%nat) formulas_read. Qed.
Lemma agree3_5 : agree 3 order3 order5.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 1%nat 0%nat; tied_at 1 1 p 1%nat 2%nat) formulas_read. Qed.
Lemma agree3_6 : agree 3 order3 order6.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 1%nat 0%nat; tied_at 1 1 p 1%nat 2%nat) formulas_read. Qed.
Lemma agree4_5 : agree 3 order4 order5.
Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 1%nat 2%nat; tied_at 1 1 p 1%nat 0%nat) formulas_read. Qed.
Lemma agree4_6 : agree 3 order4 order6. Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 1%nat 2%nat) formulas_read. Qed.
Lemma agree5_6 : agree 3 order5 order6. Proof. agree_by orders_read ltac:(fun p => tied_at 1 1 p 0%nat 1%nat) formulas_read. Qed.
Lemma in_pairs : ForallOrdPairs (agree 3) (orders ++ [order6]).
Proof.
  in_all_pairs; [exact agree1_2 | exact agree1_3 | exact agree1_4 | exact agree1_5 | exact agree1_6 | exact agree2_3 | exact
    agree2_4 | exact agree2_5 | exact agree2_6 | exact agree3_4 | exact agree3_5 | exact agree3_6 | exact agree4_5 | exact
    agree4_6 | exact agree5_6].
Qed.
Theorem proper : forall p q, positive_forecast 3 p -> positive_forecast 3 q -> risk q q <= risk p q.
Proof. exact (positive_orders_are_proper 3 orders order6 all_right complete in_pairs all_signed). Qed.
Theorem strictly_proper : forall p q, positive_forecast 3 p -> positive_forecast 3 q -> sum_over 3 p = 1 -> sum_over 3 q = 1 ->
  (exists i, (i < 3)%nat /\ p i <> q i) -> risk q q < risk p q.
Proof. exact (positive_orders_are_strictly_proper 3 orders order6 all_right complete in_pairs all_signed). Qed.
Definition bound (label : nat) : R := 1.
Definition distribution (label : nat) : list R := [0; 1].
Definition chance_below := bounded_chance bound (chance_up_to distribution).
Definition density_of_cost := bounded_density bound (density_up_to distribution).
Lemma laws_up_to_bounds : forall label, (label < 3)%nat ->
  is_law_up_to (bound label) (chance_up_to distribution label) (density_up_to distribution label).
Proof. bounded_laws ltac:(cbv [bound distribution]). Qed.
Lemma density_not_negative : forall label value, (label < 3)%nat -> 0 < value -> 0 <= density_of_cost label value.
Proof. intros label value Label. exact (bounded_not_negative _ _ _ (laws_up_to_bounds label Label) value). Qed.
Lemma costs_in_order1 : costs_of_order 3 1 bound (chance_up_to distribution) (density_up_to distribution) order1.
Proof. costs_by_pieces laws_up_to_bounds 1 orders_read ltac:(cbv [bound distribution]; formulas_read). Qed.
Lemma costs_in_order2 : costs_of_order 3 1 bound (chance_up_to distribution) (density_up_to distribution) order2.
Proof. costs_by_pieces laws_up_to_bounds 1 orders_read ltac:(cbv [bound distribution]; formulas_read). Qed.
Lemma costs_in_order3 : costs_of_order 3 1 bound (chance_up_to distribution) (density_up_to distribution) order3.
Proof. costs_by_pieces laws_up_to_bounds 1 orders_read ltac:(cbv [bound distribution]; formulas_read). Qed.
Lemma costs_in_order4 : costs_of_order 3 1 bound (chance_up_to distribution) (density_up_to distribution) order4.
Proof. costs_by_pieces laws_up_to_bounds 1 orders_read ltac:(cbv [bound distribution]; formulas_read). Qed.
Lemma costs_in_order5 : costs_of_order 3 1 bound (chance_up_to distribution) (density_up_to distribution) order5.
Proof. costs_by_pieces laws_up_to_bounds 1 orders_read ltac:(cbv [bound distribution]; formulas_read). Qed.
Lemma costs_in_order6 : costs_of_order 3 1 bound (chance_up_to distribution) (density_up_to distribution) order6.
Proof. costs_by_pieces laws_up_to_bounds 1 orders_read ltac:(cbv [bound distribution]; formulas_read). Qed.
Theorem lawful_costs : forall label, (label < 3)%nat -> is_chance (chance_below label) (density_of_cost label).
Proof. intros label Label. exact (bounded_is_chance _ _ _ (laws_up_to_bounds label Label)). Qed.
Theorem expected_cost label report : (label < 3)%nat -> positive_forecast 3 report ->
  costs_of_class 3 1 chance_below density_of_cost label report (L label report).
Proof.
  apply (costs_by_order 3 1 bound _ _ orders order6); [| exact complete].
  in_all_orders; [exact costs_in_order1 | exact costs_in_order2 | exact costs_in_order3 | exact costs_in_order4 | exact costs_in_order5 | exact costs_in_order6].
Qed.
Theorem decisions_cost label report : (label < 3)%nat -> positive_forecast 3 report ->
  paid_on_average 3 1 density_of_cost label report (L label report).
Proof. intros Label Report. apply (paid_as_by_chances 3 1 chance_below density_of_cost lawful_costs label report Label Report). exact (expected_cost label report Label Report). Qed.
Theorem costs_are_proper E :
  (forall label report, (label < 3)%nat -> positive_forecast 3 report -> expected_of 3 1 density_of_cost (seq 0 3) label report (E label report)) ->
  forall p q, positive_forecast 3 p -> positive_forecast 3 q -> risk_under 3 E q q <= risk_under 3 E p q.
Proof. apply (densities_of_classes_are_proper 3 1 density_of_cost E); [see | exact density_not_negative]. Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful_costs, @Rule.rule.expected_cost, @Rule.rule.decisions_cost,
   @Rule.rule.costs_are_proper).
Print Assumptions final_theorems.
