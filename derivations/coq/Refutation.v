(** Against properness: a report that is better than the belief, and numbers enclosed between fractions.

    Square roots are enclosed by squares, logarithms by the series of [ln ((1 + z) / (1 - z))], and exponentials by
    the logarithms of their bounds. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints.
Open Scope R_scope.

(** * A witness *)

Lemma not_proper_by report belief L0 L1 : 0 < report < 1 -> 0 < belief < 1 ->
  risk L0 L1 report belief < risk L0 L1 belief belief -> ~ Proper L0 L1.
Proof. intros P Q W H. specialize (H report belief P Q). lra. Qed.

Lemma not_proper_with_ends_by report belief L0 L1 : 0 <= report <= 1 -> 0 <= belief <= 1 ->
  risk L0 L1 report belief < risk L0 L1 belief belief -> ~ ProperAmong with_ends L0 L1.
Proof. intros P Q W H. specialize (H report belief P Q). lra. Qed.

(** * Square roots *)

Lemma sqrt_enclosed low high a : 0 <= low -> 0 <= high -> low * low <= a -> a <= high * high ->
  low <= sqrt a <= high.
Proof.
  intros L H LA AH. split.
  - rewrite <- (sqrt_square low L). apply sqrt_le_1_alt, LA.
  - rewrite <- (sqrt_square high H). apply sqrt_le_1_alt, AH.
Qed.

(** * Logarithms *)

(** The first [n] terms of the series of the half of [ln ((1 + z) / (1 - z))]. *)
Fixpoint odd_powers (n : nat) (z : R) : R :=
  match n with O => 0 | S m => odd_powers m z + z ^ (2 * m + 1) / IZR (2 * Z.of_nat m + 1) end.

Lemma odd_is_positive m : 0 < IZR (2 * Z.of_nat m + 1).
Proof. apply IZR_lt. apply Z.add_nonneg_pos; [apply Z.mul_nonneg_nonneg; [| apply Nat2Z.is_nonneg] |]; easy. Qed.

Lemma INR_of_odd m : INR (2 * m + 1) = IZR (2 * Z.of_nat m + 1).
Proof. rewrite INR_IZR_INZ, Nat2Z.inj_add, Nat2Z.inj_mul. reflexivity. Qed.

Lemma slope_of_odd_power m z : is_derive (fun x => x ^ (2 * m + 1) / IZR (2 * Z.of_nat m + 1)) z (z ^ (2 * m)).
Proof.
  pose proof (odd_is_positive m) as P. set (k := IZR (2 * Z.of_nat m + 1)) in *.
  replace (z ^ (2 * m)) with (/ k * (k * 1 * z ^ Nat.pred (2 * m + 1))).
  - apply (is_derive_ext (fun x => / k * x ^ (2 * m + 1))); [intro x; unfold Rdiv; apply Rmult_comm |].
    apply (is_derive_scal (fun x => x ^ (2 * m + 1))). unfold k. rewrite <- INR_of_odd.
    apply (is_derive_pow (fun x => x)), @is_derive_id.
  - rewrite Nat.add_1_r. change (Nat.pred (S (2 * m))) with (2 * m)%nat. field. lra.
Qed.

Lemma slope_of_odd_powers n z : 1 - z ^ 2 <> 0 ->
  is_derive (odd_powers n) z ((1 - z ^ (2 * n)) / (1 - z ^ 2)).
Proof.
  intro Z. induction n as [| n IH]; simpl odd_powers.
  - replace ((1 - z ^ (2 * 0)) / (1 - z ^ 2)) with 0 by (simpl; field; simpl in Z; lra). apply @is_derive_const.
  - replace ((1 - z ^ (2 * S n)) / (1 - z ^ 2)) with ((1 - z ^ (2 * n)) / (1 - z ^ 2) + z ^ (2 * n)).
    + apply (is_derive_plus (odd_powers n)); [exact IH | apply slope_of_odd_power].
    + replace (2 * S n)%nat with (2 * n + 2)%nat by ring. rewrite pow_add. field. exact Z.
Qed.

(** What grows faster from the same start is above. *)
Lemma above_if_faster (f g f' g' : R -> R) z : 0 <= z -> f 0 = g 0 ->
  (forall x, 0 <= x <= z -> is_derive f x (f' x) /\ is_derive g x (g' x) /\ f' x <= g' x) -> f z <= g z.
Proof.
  intros Z E D. destruct (MVT_gen (fun x => g x - f x) 0 z (fun x => g' x - f' x)) as (c & C & M).
  - rewrite Rmin_left, Rmax_right by exact Z. intros x X. destruct (D x) as (F & G & _); [lra |].
    apply (is_derive_minus g f); assumption.
  - rewrite Rmin_left, Rmax_right by exact Z. intros x X. destruct (D x X) as (F & G & _).
    apply derivable_continuous_pt. exists (g' x - f' x). apply is_derive_Reals, (is_derive_minus g f); assumption.
  - rewrite Rmin_left, Rmax_right in C by exact Z. destruct (D c C) as (_ & _ & L).
    assert (0 <= (g' c - f' c) * (z - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma slope_of_ln_ratio x : 0 <= x < 1 -> is_derive (fun t => ln (1 + t) - ln (1 - t)) x (2 / (1 - x ^ 2)).
Proof. intro X. auto_derive; [lra |]. field. nra. Qed.

(** The sum is below the logarithm, by at most a multiple of the first power that it leaves out. *)
Lemma ln_ratio_enclosed n z : 0 <= z < 1 ->
  2 * odd_powers n z <= ln (1 + z) - ln (1 - z) <=
  2 * odd_powers n z + 2 / (1 - z ^ 2) * (z ^ (2 * n + 1) / IZR (2 * Z.of_nat n + 1)).
Proof.
  intro Z. assert (D : forall x, 0 <= x <= z -> 0 < 1 - z ^ 2 <= 1 - x ^ 2) by (intros; nra).
  assert (O : odd_powers n 0 = 0).
  { induction n as [| m IH]; simpl; [reflexivity |]. rewrite IH, Nat.add_1_r. simpl. unfold Rdiv. ring. }
  assert (P : forall x, 0 <= x -> 0 <= x ^ (2 * n)) by (intros; apply pow_le; assumption).
  split.
  - apply (above_if_faster (fun x => 2 * odd_powers n x) (fun t => ln (1 + t) - ln (1 - t))
      (fun x => 2 * ((1 - x ^ (2 * n)) / (1 - x ^ 2))) (fun x => 2 / (1 - x ^ 2))); [lra | |].
    + rewrite O, Rplus_0_r, Rminus_0_r. ring.
    + intros x X. specialize (D x X). specialize (P x (proj1 X)). split; [| split].
      * apply (is_derive_scal (odd_powers n)), slope_of_odd_powers. lra.
      * apply slope_of_ln_ratio. lra.
      * apply (below_by (2 * x ^ (2 * n) / (1 - x ^ 2))); [field; lra | see].
  - apply (above_if_faster (fun t => ln (1 + t) - ln (1 - t))
      (fun x => 2 * odd_powers n x + 2 / (1 - z ^ 2) * (x ^ (2 * n + 1) / IZR (2 * Z.of_nat n + 1)))
      (fun x => 2 / (1 - x ^ 2))
      (fun x => 2 * ((1 - x ^ (2 * n)) / (1 - x ^ 2)) + 2 / (1 - z ^ 2) * x ^ (2 * n))); [lra | |].
    + rewrite O, Nat.add_1_r, Rplus_0_r, Rminus_0_r. simpl. unfold Rdiv. ring.
    + intros x X. specialize (D x X). specialize (P x (proj1 X)). split; [| split].
      * apply slope_of_ln_ratio. lra.
      * apply (is_derive_plus (fun x => 2 * odd_powers n x)).
        -- apply (is_derive_scal (odd_powers n)), slope_of_odd_powers. lra.
        -- apply (is_derive_scal (fun x => x ^ (2 * n + 1) / IZR (2 * Z.of_nat n + 1))), slope_of_odd_power.
      * apply (below_by (2 * x ^ (2 * n) * ((1 - x ^ 2) - (1 - z ^ 2)) / ((1 - z ^ 2) * (1 - x ^ 2)))).
        -- field. lra.
        -- assert (0 <= 1 - x ^ 2 - (1 - z ^ 2)) by lra. see.
Qed.

Lemma ln_enclosed n a low high : 1 <= a ->
  low <= 2 * odd_powers n ((a - 1) / (a + 1)) ->
  2 * odd_powers n ((a - 1) / (a + 1)) + 2 / (1 - ((a - 1) / (a + 1)) ^ 2) *
    (((a - 1) / (a + 1)) ^ (2 * n + 1) / IZR (2 * Z.of_nat n + 1)) <= high ->
  low <= ln a <= high.
Proof.
  intros A L H. set (z := (a - 1) / (a + 1)) in *.
  assert (Z : 0 <= z < 1).
  { split; unfold z; [see |]. apply (strictly_below_by (2 / (a + 1))); [field; lra | see]. }
  pose proof (ln_ratio_enclosed n z Z) as E.
  replace a with ((1 + z) / (1 - z)) at 1 2 by (unfold z; field; lra).
  rewrite ln_of_quotient by lra. lra.
Qed.

(** Doubling adds the logarithm of 2, halving takes it away. *)
Lemma ln_doubled up down m a : 0 < m -> a * 2 ^ down = m * 2 ^ up -> ln a = (INR up - INR down) * ln 2 + ln m.
Proof.
  intros M E. assert (T : forall k, 0 < 2 ^ k) by (intro; apply pow_lt; lra).
  pose proof (T up). pose proof (T down).
  replace a with (m * 2 ^ up / 2 ^ down) by (rewrite <- E; field; lra).
  rewrite ln_of_quotient, ln_mult, !ln_of_power by see. ring.
Qed.

(** * Exponentials *)

Lemma exp_enclosed low high a : 0 < low -> 0 < high -> ln low <= a -> a <= ln high -> low <= exp a <= high.
Proof.
  intros L H LA AH. split.
  - rewrite <- (exp_ln low L). destruct LA as [LA | <-]; [left; apply exp_increasing, LA | right; reflexivity].
  - rewrite <- (exp_ln high H). destruct AH as [AH | ->]; [left; apply exp_increasing, AH | right; reflexivity].
Qed.
