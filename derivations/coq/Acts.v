(** Several classes, and the act of the least expected cost.

    An act costs [cost i j] if the class is [i] and the act is [j]. Under a forecast [p], which gives each class a
    probability, act [j] has the expected cost [sum_i p_i * cost i j], and the first act of the least expected cost is
    taken. What that costs in each class is a scoring rule of the forecast. It is proper whatever the costs are: the
    act that the belief asks for costs least under the belief. *)

From Coq Require Import Reals Lra Lia List.
Import ListNotations.
Open Scope R_scope.

(** * Sums over classes *)

(** [f 0 + ... + f (n - 1)]. *)
Fixpoint sum_over (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum_over m f + f m end.

Lemma sum_over_linear n f g u v :
  sum_over n (fun i => u * f i + v * g i) = u * sum_over n f + v * sum_over n g.
Proof. induction n as [| n IH]; simpl; [| rewrite IH]; ring. Qed.

Lemma sum_over_ext n f g : (forall i, f i = g i) -> sum_over n f = sum_over n g.
Proof. intro E. induction n as [| n IH]; simpl; [| rewrite IH, E]; reflexivity. Qed.

(** * The first of the least *)

(** The first number [k] from 0 to [n] with the least [e k]. *)
Fixpoint first_least (e : nat -> R) (n : nat) : nat :=
  match n with
  | O => O
  | S m => let k := first_least e m in if Rlt_dec (e (S m)) (e k) then S m else k
  end.

Lemma first_least_within e n : (first_least e n <= n)%nat.
Proof. induction n as [| n IH]; simpl; [| destruct Rlt_dec]; lia. Qed.

Lemma first_least_is_least e n j : (j <= n)%nat -> e (first_least e n) <= e j.
Proof.
  induction n as [| n IH]; intro J; simpl.
  - replace j with O by lia. lra.
  - destruct Rlt_dec as [H | H]; destruct (Nat.eq_dec j (S n)) as [-> | N]; try lra.
    + specialize (IH ltac:(lia)). lra.
    + apply IH. lia.
Qed.

Lemma first_least_is_first e n j : (j < first_least e n)%nat -> e (first_least e n) < e j.
Proof.
  induction n as [| n IH]; simpl; [lia |]. destruct Rlt_dec as [H | H]; [| apply IH].
  intro J. pose proof (first_least_is_least e n j ltac:(lia)). lra.
Qed.

Lemma first_least_only e n k : (k <= n)%nat -> (forall j, (j <= n)%nat -> e k <= e j) ->
  (forall j, (j < k)%nat -> e k < e j) -> first_least e n = k.
Proof.
  intros K L F. destruct (Nat.lt_trichotomy (first_least e n) k) as [H | [H | H]]; [| exact H |].
  - specialize (F _ H). pose proof (first_least_is_least e n k K). lra.
  - pose proof (first_least_is_first e n k H). pose proof (L _ (first_least_within e n)). lra.
Qed.

(** * The rule of the costs of acts *)

Section Acts.

(** The number of classes, the last of the acts 0, 1, ..., and what each act costs in each class. *)
Variables (classes last : nat) (cost : nat -> nat -> R).

(** The expected cost of an act. *)
Definition mean_cost (p : nat -> R) (j : nat) : R := sum_over classes (fun i => p i * cost i j).

(** Whether no act has a lesser expected cost. *)
Definition cheapest (p : nat -> R) (k : nat) : Prop := forall j, (j <= last)%nat -> mean_cost p k <= mean_cost p j.

(** The act that is taken, and what it costs in each class. *)
Definition act (p : nat -> R) : nat := first_least (mean_cost p) last.
Definition loss (i : nat) (p : nat -> R) : R := cost i (act p).

(** The expected loss of the forecast [p] under the belief [q], and the least of all. *)
Definition risk_of_classes (p q : nat -> R) : R := sum_over classes (fun i => q i * loss i p).
Definition entropy (q : nat -> R) : R := risk_of_classes q q.

(** That is the expected cost, under the belief, of the act that the forecast asks for. *)
Theorem risk_is_expected_cost p q : risk_of_classes p q = mean_cost q (act p).
Proof. reflexivity. Qed.

Theorem act_is_cheapest p : cheapest p (act p).
Proof. intros j J. apply first_least_is_least, J. Qed.

Theorem acts_are_proper p q : risk_of_classes q q <= risk_of_classes p q.
Proof. rewrite !risk_is_expected_cost. apply act_is_cheapest, first_least_within. Qed.

Theorem entropy_is_least q k : (k <= last)%nat -> cheapest q k -> entropy q = mean_cost q k.
Proof.
  intros K C. unfold entropy. rewrite risk_is_expected_cost.
  apply Rle_antisym; [apply act_is_cheapest, K | apply C, first_least_within].
Qed.

Theorem entropy_is_concave q r w : 0 <= w <= 1 ->
  w * entropy q + (1 - w) * entropy r <= entropy (fun i => w * q i + (1 - w) * r i).
Proof.
  intro W. set (m := fun i => w * q i + (1 - w) * r i).
  assert (M : entropy m = w * risk_of_classes m q + (1 - w) * risk_of_classes m r).
  { unfold entropy, risk_of_classes. rewrite <- sum_over_linear. apply sum_over_ext. intro i. unfold m. ring. }
  pose proof (acts_are_proper m q) as Q. pose proof (acts_are_proper m r) as P. fold (entropy q) in Q.
  fold (entropy r) in P. rewrite M.
  apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.

Theorem act_is k p : (k <= last)%nat -> cheapest p k ->
  (forall j, (j < k)%nat -> mean_cost p k < mean_cost p j) -> act p = k.
Proof. apply first_least_only. Qed.

(** Two forecasts that ask for the same act lose the same in every class. *)
Theorem same_act_same_losses p r : act p = act r -> forall i, loss i p = loss i r.
Proof. intros E i. unfold loss. rewrite E. reflexivity. Qed.

End Acts.

(** * Matrices and forecasts that are written down *)

(** The costs of a matrix with a row for each class. *)
Definition costs_in (matrix : list (list R)) (i j : nat) : R := nth j (nth i matrix []) 0.

(** A forecast, by the list of its probabilities. *)
Definition forecast (probabilities : list R) (i : nat) : R := nth i probabilities 0.

(** Compare expected costs, act by act. *)
Ltac acts_one_by_one j :=
  repeat (destruct j as [| j]; [cbv [mean_cost sum_over costs_in forecast nth]; lra |]); exfalso; lia.
Ltac at_act H k :=
  let cheaper := fresh in
  pose proof (H k ltac:(lia)) as cheaper; cbv [mean_cost sum_over costs_in forecast nth] in cheaper.
