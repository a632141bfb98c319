(** Costs of several classes with any densities: whoever decides for the largest [p i * c i] pays a proper rule.

    The costs are independent. What is expected of them is an integral over one cost after another, of what is paid at
    all of them: the decision is inside. At all costs at once, no decision costs less under a belief than the one that
    the belief asks for, so that none does on average. There are no losses, slopes or distribution functions here. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips ClosedForms Acts Classes ClassCosts.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

Definition with_cost (j : nat) (x : R) (c : nat -> R) (k : nat) : R := if Nat.eqb k j then x else c k.

(** The integral over the costs of some classes, in their order, of a function of all costs. *)
Fixpoint over_costs (density : nat -> R -> R) (order : list nat) (f : (nat -> R) -> R) (c : nat -> R) (value : R) : Prop :=
  match order with
  | nil => value = f c
  | j :: rest => exists inner : R -> R,
      (forall x, 0 < x -> over_costs density rest f (with_cost j x c) (inner x)) /\
      over_positive (fun x => inner x * density j x) value
  end.

(** The first class with the largest cost times probability, and what that costs if the class is [i]. *)
Definition decision (classes : nat) (p c : nat -> R) : nat := first_least (fun j => - (p j * c j)) (classes - 1).
Definition pay_of (classes i : nat) (p c : nat -> R) : R := if Nat.eqb (decision classes p c) i then 0 else c i.

(** The expected cost of class [i] at the forecast [p], if all costs are multiplied by a factor. *)
Definition expected_of (classes : nat) (factor : R) (density : nat -> R -> R) (order : list nat) (i : nat) (p : nat -> R) : R -> Prop :=
  over_costs density order (fun c => factor * pay_of classes i p c) (fun _ => 0).

(** * Integrals over several costs *)

Section Integrals.
Variable density : nat -> R -> R.

Lemma over_costs_of_0 order : forall c, over_costs density order (fun _ => 0) c 0.
Proof.
  induction order as [| j rest Rest]; intro c; [reflexivity |]. exists (fun _ => 0).
  split; [intros x _; apply Rest | apply over_positive_zero; intros; ring].
Qed.

Lemma over_costs_combined a b f g order : forall c u v, over_costs density order f c u -> over_costs density order g c v ->
  over_costs density order (fun c => a * f c + b * g c) c (a * u + b * v).
Proof.
  induction order as [| j rest Rest]; intros c u v; [intros -> ->; reflexivity |].
  intros (s & S & U) (t & T & V). exists (fun x => a * s x + b * t x).
  split; [intros x X; apply Rest; [apply S | apply T]; exact X |].
  apply (over_positive_ext (fun x => a * (s x * density j x) + b * (t x * density j x))); [intros; ring |].
  apply over_positive_combined; assumption.
Qed.

Lemma over_costs_summed n (k : nat -> R) (f : nat -> (nat -> R) -> R) (v : nat -> R) order c :
  (forall i, (i < n)%nat -> over_costs density order (f i) c (v i)) ->
  over_costs density order (fun c => sum_over n (fun i => k i * f i c)) c (sum_over n (fun i => k i * v i)).
Proof.
  intro H. induction n as [| n IH]; simpl; [apply over_costs_of_0 |].
  replace (sum_over n (fun i => k i * v i) + k n * v n) with (1 * sum_over n (fun i => k i * v i) + k n * v n) by ring.
  assert (E : forall g h c w, (forall c, g c = h c) -> over_costs density order g c w -> over_costs density order h c w).
  { clear. induction order as [| j rest Rest]; intros g h c w E; simpl; [intros ->; apply E |].
    intros (s & S & W). exists s. split; [intros x X; apply (Rest g h); [exact E | apply S, X] | exact W]. }
  apply (E (fun c => 1 * sum_over n (fun i => k i * f i c) + k n * f n c)); [intro; ring |].
  apply over_costs_combined; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma over_costs_le f g order : (forall j x, In j order -> 0 < x -> 0 <= density j x) -> (forall c, f c <= g c) ->
  forall c u v, over_costs density order f c u -> over_costs density order g c v -> u <= v.
Proof.
  intros D L. induction order as [| j rest Rest]; intros c u v; [intros -> ->; apply L |].
  intros (s & S & U) (t & T & V). refine (over_positive_le _ _ u v _ U V). intros x X.
  apply Rmult_le_compat_r; [apply D; [left; reflexivity | exact X] |].
  apply (Rest (fun k y K => D k y (or_intror K)) (with_cost j x c)); [apply S | apply T]; exact X.
Qed.
End Integrals.

(** * Properness *)

Lemma decision_within n p c : (0 < n)%nat -> (decision n p c < n)%nat.
Proof. intro N. unfold decision. pose proof (first_least_within (fun j => - (p j * c j)) (n - 1)). lia. Qed.

(** What is paid in all classes is all costs but that of the decision. *)
Lemma paid_but_for_one n k (u v : nat -> R) :
  sum_over n (fun i => u i * (if Nat.eqb k i then 0 else v i)) =
  sum_over n (fun i => u i * v i) - (if (k <? n)%nat then u k * v k else 0).
Proof.
  induction n as [| n IH]; simpl sum_over; [simpl; ring |]. rewrite IH.
  destruct (Nat.eqb_spec k n) as [-> | N].
  - rewrite (proj2 (Nat.ltb_ge n n)), (proj2 (Nat.ltb_lt n (S n))) by lia. ring.
  - destruct (Nat.ltb_spec k n), (Nat.ltb_spec k (S n)); try lia; ring.
Qed.

Lemma best_of_classes n p q c :
  sum_over n (fun i => q i * pay_of n i q c) <= sum_over n (fun i => q i * pay_of n i p c).
Proof.
  destruct n as [| n]; [simpl; lra |]. unfold pay_of. rewrite !paid_but_for_one.
  rewrite !(proj2 (Nat.ltb_lt _ _)) by (apply decision_within; lia).
  assert (q (decision (S n) p c) * c (decision (S n) p c) <= q (decision (S n) q c) * c (decision (S n) q c)); [| lra].
  pose proof (decision_within (S n) p c ltac:(lia)) as W.
  pose proof (first_least_is_least (fun j => - (q j * c j)) (S n - 1) (decision (S n) p c) ltac:(lia)) as H.
  change (first_least (fun j => - (q j * c j)) (S n - 1)) with (decision (S n) q c) in H. cbv beta in H. lra.
Qed.

(** Whatever numbers the expected costs are, in any one order of integration, they are a proper rule. *)
Theorem expected_costs_of_classes_are_proper classes factor density order (E : nat -> (nat -> R) -> R) p q : 0 <= factor ->
  (forall j x, In j order -> 0 < x -> 0 <= density j x) ->
  (forall i, (i < classes)%nat -> expected_of classes factor density order i p (E i p)) ->
  (forall i, (i < classes)%nat -> expected_of classes factor density order i q (E i q)) ->
  risk_under classes E q q <= risk_under classes E p q.
Proof.
  intros K D P Q. unfold risk_under.
  assert (Best : forall c, sum_over classes (fun i => q i * (factor * pay_of classes i q c)) <=
    sum_over classes (fun i => q i * (factor * pay_of classes i p c))).
  { intro c. assert (E' : forall r, sum_over classes (fun i => q i * (factor * pay_of classes i r c)) =
      factor * sum_over classes (fun i => q i * pay_of classes i r c)).
    { intro r. rewrite <- sum_over_times. apply sum_over_ext. intro i. ring. }
    rewrite !E'. apply Rmult_le_compat_l; [exact K | apply best_of_classes]. }
  refine (over_costs_le density _ _ order D Best (fun _ => 0) _ _ _ _); apply over_costs_summed; assumption.
Qed.

Theorem densities_of_classes_are_proper classes factor density (E : nat -> (nat -> R) -> R) : 0 <= factor ->
  (forall j x, (j < classes)%nat -> 0 < x -> 0 <= density j x) ->
  (forall i p, (i < classes)%nat -> positive_forecast classes p -> expected_of classes factor density (seq 0 classes) i p (E i p)) ->
  forall p q, positive_forecast classes p -> positive_forecast classes q -> risk_under classes E q q <= risk_under classes E p q.
Proof.
  intros K D H p q P Q. apply (expected_costs_of_classes_are_proper classes factor density (seq 0 classes)); auto.
  intros j x J. apply D. apply in_seq in J. lia.
Qed.

(** * The cost of a class, integrated last *)

(** The chance that a cost is below a number, or not above it, is the value of its distribution function there. *)
Definition only_under (strictly : bool) (y x : R) : R :=
  if strictly then (if Rlt_dec x y then 1 else 0) else (if Rle_dec x y then 1 else 0).
Definition is_chance (G g : R -> R) : Prop :=
  over_positive g 1 /\ forall strictly y, 0 < y -> over_positive (fun x => only_under strictly y x * g x) (G y).

Lemma only_under_below strictly y x : x < y -> only_under strictly y x = 1.
Proof. intro H. unfold only_under. destruct strictly, (Rlt_dec x y), (Rle_dec x y); try reflexivity; lra. Qed.
Lemma only_under_above strictly y x : y < x -> only_under strictly y x = 0.
Proof. intro H. unfold only_under. destruct strictly, (Rlt_dec x y), (Rle_dec x y); try reflexivity; lra. Qed.

(** What distribution functions say that have a density everywhere. *)
Lemma law_of_cost_is_chance G g : is_law_of_cost G g -> (forall x, 0 < x -> continuous g x) -> is_chance G g.
Proof.
  intros L C. split; [exact (density_has_total_1 G g L C) |]. intros strictly y Y. destruct L as (Start & From0 & _ & D).
  apply over_positive_is_onward. replace (G y) with (G y - G 0 + 0) by (rewrite Start; ring).
  apply (onward_step 0 y _ g G); try lra.
  - intros x X. rewrite only_under_below by lra. ring.
  - intros x X _ _. split; [apply D, X | apply C, X].
  - apply tends_if_continuous, From0.
  - apply onward_zero; [lra |]. intros x X. rewrite only_under_above by lra. ring.
Qed.

Fixpoint product_along (classes : list nat) (f : nat -> R) : R :=
  match classes with nil => 1 | j :: rest => f j * product_along rest f end.

(** Where a cost is fixed and not integrated over, functions need only agree where it has its value. *)
Lemma over_costs_where density i x l : forall (f h : (nat -> R) -> R) c w, ~ In i l -> (forall c, c i = x -> f c = h c) -> c i = x ->
  over_costs density l f c w -> over_costs density l h c w.
Proof.
  induction l as [| j rest IH]; intros f h c w Out H A; simpl; [intros ->; apply H, A |].
  intros (s & S & W). exists s. split; [| exact W]. intros y Y. apply (IH f h); [intro K; apply Out; right; exact K | exact H | | apply S, Y].
  unfold with_cost. destruct (Nat.eqb_spec i j) as [<- | _]; [destruct Out; left; reflexivity | exact A].
Qed.

(** Functions of one cost each: the integral of their product is the product of their integrals. *)
Lemma over_costs_of_product density (f : nat -> R -> R) (v : nat -> R) k order : forall c,
  NoDup order -> (forall j, In j order -> over_positive (fun x => f j x * density j x) (v j)) ->
  over_costs density order (fun c => k * product_along order (fun j => f j (c j))) c (k * product_along order v).
Proof.
  revert k. induction order as [| j rest Rest]; intros k c N V; [reflexivity |]. inversion_clear N as [| ? ? Out N'].
  exists (fun x => k * f j x * product_along rest v). split.
  - intros x X.
    apply (over_costs_where density j x rest (fun c => (k * f j x) * product_along rest (fun j => f j (c j)))).
    + exact Out.
    + intros e <-. simpl. ring.
    + unfold with_cost. rewrite Nat.eqb_refl. reflexivity.
    + apply Rest; [exact N' | intros i I; apply V; right; exact I].
  - apply (over_positive_ext (fun x => (k * product_along rest v) * (f j x * density j x) + 0 * (f j x * density j x))); [intros; ring |].
    replace (k * product_along (j :: rest) v) with ((k * product_along rest v) * v j + 0 * v j) by (simpl; ring).
    apply over_positive_combined; apply V; left; reflexivity.
Qed.

Definition others (classes i : nat) : list nat := filter (fun j => negb (Nat.eqb j i)) (seq 0 classes).

Lemma in_others n i j : In j (others n i) <-> (j < n)%nat /\ j <> i.
Proof. unfold others. rewrite filter_In, in_seq, Bool.negb_true_iff, Nat.eqb_neq. lia. Qed.

Lemma product_along_last l j f : product_along (l ++ [j]) f = product_along l f * f j.
Proof. induction l as [| k l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma product_along_others n i f : product_over n (fun j => if Nat.eqb j i then 1 else f j) = product_along (others n i) f.
Proof.
  unfold others. induction n as [| n IH]; [reflexivity |]. rewrite seq_S, filter_app. cbn [product_over filter]. rewrite Nat.add_0_l, IH.
  destruct (Nat.eqb n i); cbn [negb app]; [rewrite app_nil_r; ring | rewrite product_along_last; reflexivity].
Qed.

Lemma product_along_1 l f : (forall j, In j l -> f j = 1) -> product_along l f = 1.
Proof. intro H. induction l as [| j l IH]; simpl; [reflexivity |]. rewrite H, IH; [ring | intros k K; apply H; right; exact K | left; reflexivity]. Qed.
Lemma product_along_0 l f j : In j l -> f j = 0 -> product_along l f = 0.
Proof. intros J Z. induction l as [| k l IH]; [destruct J |]. simpl. destruct J as [-> | J]; [rewrite Z | rewrite IH by exact J]; ring. Qed.

(** The expected cost of class [i], of which its own cost is integrated last. *)
Definition paid_on_average (classes : nat) (factor : R) (density : nat -> R -> R) (i : nat) (p : nat -> R) : R -> Prop :=
  expected_of classes factor density (i :: others classes i) i p.

Section OwnCostLast.
Variables (classes : nat) (factor : R) (G g : nat -> R -> R).
Hypothesis laws : forall j, (j < classes)%nat -> is_chance (G j) (g j).
Variables (i : nat) (p : nat -> R).
Hypotheses (I : (i < classes)%nat) (P : positive_forecast classes p).

(** The cost is paid unless no other class has a larger cost times probability. *)
Lemma paid_unless_largest c :
  pay_of classes i p c = c i * (1 - product_along (others classes i) (fun j => only_under (j <? i)%nat (p i * c i / p j) (c j))).
Proof.
  set (under := fun j => only_under (j <? i)%nat (p i * c i / p j) (c j)).
  assert (Under : forall j, In j (others classes i) ->
    (under j = 1 /\ p j * c j <= p i * c i /\ ((j < i)%nat -> p j * c j < p i * c i)) \/
    (under j = 0 /\ p i * c i <= p j * c j /\ ((i < j)%nat -> p i * c i < p j * c j))).
  { intros j J. apply in_others in J. destruct J as [J N]. pose proof (P j J) as Pj. unfold under, only_under.
    assert (E : p j * (p i * c i / p j) = p i * c i) by (field; lra).
    destruct (Nat.ltb_spec j i); [destruct (Rlt_dec (c j) (p i * c i / p j)) as [L | L] | destruct (Rle_dec (c j) (p i * c i / p j)) as [L | L]].
    - left. pose proof (Rmult_lt_compat_l (p j) _ _ Pj L). repeat split; lra.
    - right. pose proof (Rmult_le_compat_l (p j) _ _ (Rlt_le _ _ Pj) (Rnot_lt_le _ _ L)). repeat split; try lra. lia.
    - left. pose proof (Rmult_le_compat_l (p j) _ _ (Rlt_le _ _ Pj) L). repeat split; try lra. lia.
    - right. pose proof (Rmult_lt_compat_l (p j) _ _ Pj (Rnot_le_lt _ _ L)). repeat split; lra. }
  unfold pay_of. destruct (Nat.eqb_spec (decision classes p c) i) as [E | E].
  - rewrite product_along_1; [ring |]. intros j J. destruct (Under j J) as [[U _] | [_ [V W]]]; [exact U | exfalso].
    apply in_others in J. destruct J as [J N]. rewrite <- E in V, W. unfold decision in V, W, E.
    pose proof (first_least_is_least (fun j => - (p j * c j)) (classes - 1) j ltac:(lia)) as Least. cbv beta in Least.
    destruct (Nat.lt_ge_cases j i) as [B | B].
    + pose proof (first_least_is_first (fun j => - (p j * c j)) (classes - 1) j ltac:(lia)) as First. cbv beta in First. lra.
    + specialize (W ltac:(lia)). lra.
  - assert (Some : exists j, In j (others classes i) /\ under j = 0).
    { apply Classical_Prop.NNPP. intro No. apply E. apply first_least_only; [lia | |].
      - intros j J. destruct (Nat.eq_dec j i) as [-> | N]; [lra |].
        assert (K : In j (others classes i)) by (apply in_others; lia).
        destruct (Under j K) as [[_ [V _]] | [Z _]]; [lra | destruct No; exists j; split; assumption].
      - intros j J. assert (K : In j (others classes i)) by (apply in_others; lia).
        destruct (Under j K) as [[_ [_ V]] | [Z _]]; [specialize (V J); lra | destruct No; exists j; split; assumption]. }
    destruct Some as (j & J & Z). rewrite (product_along_0 _ _ j J Z). ring.
Qed.

(** What is paid on average, with the decision inside of the integrals, from the chance of another decision. *)
Theorem paid_as_by_chances value : costs_of_class classes factor G g i p value -> paid_on_average classes factor g i p value.
Proof.
  intro V. pose proof (P i I) as Pi.
  exists (fun x => factor * x * chance_of_another classes G i p x). split; [| exact V].
  intros x X. set (d := with_cost i x (fun _ => 0)).
  assert (D : d i = x) by (unfold d, with_cost; rewrite Nat.eqb_refl; reflexivity).
  assert (N : NoDup (others classes i)) by (apply NoDup_filter, seq_NoDup).
  set (under := fun j => only_under (j <? i)%nat (p i * x / p j)).
  apply (over_costs_where g i x (others classes i) (fun c => 1 * (factor * x * product_along (others classes i) (fun j => 1)) + (-1) * (factor * x * product_along (others classes i) (fun j => under j (c j)))));
    [| | exact D |].
  - intro K. apply in_others in K. destruct K as [_ K]. apply K. reflexivity.
  - intros c <-. rewrite paid_unless_largest, product_along_1 by reflexivity. unfold under. ring.
  - replace (factor * x * chance_of_another classes G i p x) with
      (1 * (factor * x * product_along (others classes i) (fun _ => 1)) + (-1) * (factor * x * product_along (others classes i) (fun j => G j (p i * x / p j)))).
    + apply over_costs_combined.
      * refine (over_costs_of_product g (fun _ _ => 1) (fun _ => 1) (factor * x) _ d N _). intros j J. apply in_others in J.
        apply (over_positive_ext (g j)); [intros; ring | exact (proj1 (laws j (proj1 J)))].
      * refine (over_costs_of_product g under (fun j => G j (p i * x / p j)) (factor * x) _ d N _). intros j J. apply in_others in J.
        refine (proj2 (laws j (proj1 J)) (j <? i)%nat _ _).
        apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; assumption | exact (P j (proj1 J))].
    + unfold chance_of_another. rewrite product_along_others, product_along_1 by reflexivity. ring.
Qed.
End OwnCostLast.
