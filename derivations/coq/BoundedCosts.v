(** Independent costs of several classes that are at most their bounds, as costs that are uniform from 0 on.

    Where all bounds, times the predicted probabilities, ascend in some order, what a class costs is integrated in pieces.
    At the cost [x] of class [i] the class [j] may be decided for as long as [bound j * p j] is above [p i * x]; from there on
    it is not, whatever its cost. So a piece ends at each bound, and the last one at the bound of the class itself. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Tails Areas Strips ClosedForms Acts Classes Orders ClassCosts BayesActs.
Import ListNotations.
Open Scope R_scope.

(** * Laws up to a bound *)

(** One function up to a number, and a value beyond it. *)
Definition capped (bound : R) (f : R -> R) (beyond : R) (x : R) : R := if Rle_dec x bound then f x else beyond.

Lemma up_to_it bound f beyond x : x <= bound -> capped bound f beyond x = f x.
Proof. intro X. unfold capped. destruct (Rle_dec x bound); [reflexivity | contradiction]. Qed.
Lemma beyond_it bound f beyond x : bound < x -> capped bound f beyond x = beyond.
Proof. intro X. unfold capped. destruct (Rle_dec x bound); [lra | reflexivity]. Qed.

(** [F] is the distribution function of a positive cost up to its bound, and [f] the density. *)
Definition is_law_up_to (bound : R) (F f : R -> R) : Prop :=
  0 < bound /\ F 0 = 0 /\ F bound = 1 /\ continuous F 0 /\
  (forall x, 0 < x -> x <= bound -> 0 <= f x /\ is_derive F x (f x) /\ continuous f x).

Section Bounded.
Variables (bound : R) (F f : R -> R).
Hypothesis law : is_law_up_to bound F f.

Lemma bounded_not_negative x : 0 < x -> 0 <= capped bound f 0 x.
Proof. intro X. unfold capped. destruct (Rle_dec x bound); [apply law; assumption | lra]. Qed.

(** All chances together are 1. *)
Theorem bounded_has_total_1 : over_positive (capped bound f 0) 1.
Proof.
  destruct law as (B & F0 & F1 & C0 & D). apply over_positive_is_onward.
  replace 1 with (F bound - F 0 + 0) by lra.
  apply (onward_step 0 bound _ f F (F 0) 0); try lra.
  - intros x X. apply up_to_it. lra.
  - intros x X _ XB. split; apply D; assumption.
  - apply tends_if_continuous, C0.
  - apply onward_zero; [lra |]. intros x X. apply beyond_it, X.
Qed.

Theorem bounded_is_chance : is_chance (capped bound F 1) (capped bound f 0).
Proof.
  split; [exact bounded_has_total_1 |]. destruct law as (B & F0 & F1 & C0 & D). intros strictly y Y.
  apply over_positive_is_onward. destruct (Rle_lt_dec y bound) as [YB | BY].
  - rewrite up_to_it by exact YB. replace (F y) with (F y - F 0 + 0) by lra. apply (onward_step 0 y _ f F); try lra.
    + intros x X. rewrite only_under_below, up_to_it by lra. ring.
    + intros x X _ XY. split; apply D; lra.
    + apply tends_if_continuous, C0.
    + apply onward_zero; [lra |]. intros x X. rewrite only_under_above by lra. ring.
  - rewrite beyond_it by exact BY. replace 1 with (F bound - F 0 + 0) by lra. apply (onward_step 0 bound _ f F); try lra.
    + intros x X. rewrite only_under_below, up_to_it by lra. ring.
    + intros x X _ XB. split; apply D; lra.
    + apply tends_if_continuous, C0.
    + apply onward_zero; [lra |]. intros x X. rewrite beyond_it by exact X. ring.
Qed.
End Bounded.

(** * What a class costs *)

Section Costs.

(** The classes, a factor of all costs, and the laws of the costs up to their bounds. *)
Variables (classes : nat) (factor : R) (bound : nat -> R) (F f : nat -> R -> R).
Definition bounded_chance (j : nat) : R -> R := capped (bound j) (F j) 1.
Definition bounded_density (j : nat) : R -> R := capped (bound j) (f j) 0.
Hypothesis bounds : forall j, (j < classes)%nat -> 0 < bound j.

(** What is paid at a cost of the class [i] beyond the bounds of the classes that are passed, and up to all others. *)
Definition paid_beyond (passed : list nat) (i : nat) (p : nat -> R) (x : R) : R :=
  factor * x * (1 - product_over classes (fun j =>
    if Nat.eqb j i then 1 else if existsb (Nat.eqb j) passed then 1 else F j (p i * x / p j))) * f i x.

(** Antiderivatives of it, one for each piece, and what they change by in all. *)
Fixpoint change_along (i : nat) (p : nat -> R) (order : list mark) (amounts : list (R -> R)) (a : R) : R :=
  match order, amounts with
  | m :: rest, G :: others => let b := bound (fst m) * p (fst m) / p i in
      G b - G a + (if Nat.eqb (fst m) i then 0 else change_along i p rest others b)
  | _, _ => 0
  end.
Fixpoint integrated_along (i : nat) (p : nat -> R) (passed : list nat) (order : list mark) (amounts : list (R -> R)) : Prop :=
  match order, amounts with
  | m :: rest, G :: others => (forall x, 0 <= x -> continuous G x) /\ (forall x, 0 < x -> slope_is G (paid_beyond passed i p) x) /\
      (if Nat.eqb (fst m) i then True else integrated_along i p (fst m :: passed) rest others)
  | _, _ => False
  end.

Lemma first_weighs_least m rest p n : ascends (m :: rest) p -> In n rest -> weighed m p <= weighed n p.
Proof.
  revert m. induction rest as [| k rest Rest]; intros m A N; [destruct N |]. destruct A as [M A].
  destruct N as [<- | N]; [exact M |]. apply Rle_trans with (1 := M). exact (Rest k A N).
Qed.

Lemma product_over_within n u v : (forall j, (j < n)%nat -> u j = v j) -> product_over n u = product_over n v.
Proof. intro E. induction n as [| n IH]; simpl; [reflexivity |]. rewrite IH, E; [reflexivity | lia | intros j J; apply E; lia]. Qed.

Lemma is_passed j passed : existsb (Nat.eqb j) passed = true <-> In j passed.
Proof.
  rewrite existsb_exists. split; [intros (k & K & E) | intro K; exists j]; [| split; [exact K | apply Nat.eqb_refl]].
  apply Nat.eqb_eq in E. rewrite E. exact K.
Qed.
Lemma not_passed j passed : existsb (Nat.eqb j) passed = false <-> ~ In j passed.
Proof. rewrite <- is_passed. destruct (existsb _ _); split; congruence. Qed.

Section AtAForecast.
Variables (i : nat) (p : nat -> R) (r : R).
Hypotheses (I : (i < classes)%nat) (P : positive_forecast classes p) (R0 : 0 < r).
Let f_paid (x : R) : R := factor * x * chance_of_another classes bounded_chance i p x * bounded_density i x.

Lemma paid_in_a_piece passed a b x : a < x < b -> ~ In i passed ->
  (forall j, (j < classes)%nat -> if existsb (Nat.eqb j) passed then bound j * p j <= p i * a else p i * b <= bound j * p j) ->
  f_paid x = paid_beyond passed i p x.
Proof.
  intros X N H. pose proof (P i I) as Pi. unfold f_paid, paid_beyond, chance_of_another, bounded_density.
  rewrite up_to_it.
  - do 3 f_equal. apply product_over_within. intros j J. destruct (Nat.eqb j i); [reflexivity |].
    specialize (H j J). pose proof (P j J) as Pj. unfold bounded_chance. destruct (existsb (Nat.eqb j) passed).
    + apply beyond_it. apply (Rmult_lt_reg_r (p j)); [exact Pj |]. replace (p i * x / p j * p j) with (p i * x) by (field; lra).
      apply Rle_lt_trans with (1 := H), Rmult_lt_compat_l; lra.
    + apply up_to_it. apply (Rmult_le_reg_r (p j)); [exact Pj |]. replace (p i * x / p j * p j) with (p i * x) by (field; lra).
      apply Rle_trans with (2 := H), Rmult_le_compat_l; lra.
  - specialize (H i I). rewrite (proj2 (not_passed i passed) N) in H.
    apply (Rmult_le_reg_l (p i)); [exact Pi |]. apply Rle_trans with (p i * b); [apply Rmult_le_compat_l; lra | lra].
Qed.

Lemma costs_from order : forall passed amounts a, 0 <= a -> ascends order p -> ~ In i passed ->
  (forall m, In m order -> (fst m < classes)%nat /\ bound (fst m) = r * snd m /\ p i * a <= bound (fst m) * p (fst m)) ->
  (forall j, (j < classes)%nat -> In j passed /\ bound j * p j <= p i * a \/ ~ In j passed /\ In j (map fst order)) ->
  integrated_along i p passed order amounts -> onward a f_paid (change_along i p order amounts a).
Proof.
  induction order as [| m rest Rest]; intros passed amounts a A0 A N M All D.
  - destruct (All i I) as [[H _] | [_ []]]. contradiction.
  - destruct amounts as [| G others]; [destruct D |]. destruct D as (CG & DG & D). cbn [change_along].
    set (b := bound (fst m) * p (fst m) / p i). pose proof (P i I) as Pi.
    destruct (M m (or_introl eq_refl)) as (ML & MB & MA). pose proof (P _ ML) as Pm. pose proof (bounds _ ML) as Bm.
    assert (Eb : p i * b = bound (fst m) * p (fst m)) by (unfold b; field; lra).
    assert (B : 0 < b) by (unfold b; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; assumption | exact Pi]).
    assert (AB : a <= b) by (apply (Rmult_le_reg_l (p i)); lra).
    assert (Least : forall n, In n rest -> p i * b <= bound (fst n) * p (fst n)).
    { intros n K. rewrite Eb. destruct (M n (or_intror K)) as (_ & NB & _). rewrite MB, NB.
      pose proof (first_weighs_least m rest p n A K) as W. unfold weighed in W. rewrite !Rmult_assoc.
      apply Rmult_le_compat_l; lra. }
    assert (Tail : ascends rest p) by (destruct rest; [exact Logic.I | apply A]).
    apply (onward_step a b f_paid (paid_beyond passed i p) G (G a)); try lra.
    + intros x X. apply (paid_in_a_piece passed a b x X N). intros j J.
      destruct (All j J) as [[Q H] | [Q H]]; [rewrite (proj2 (is_passed j passed) Q); exact H | rewrite (proj2 (not_passed j passed) Q)].
      apply in_map_iff in H. destruct H as (k & <- & [<- | K]); [lra | exact (Least k K)].
    + intros x X _ _. apply DG, X.
    + destruct (Req_dec a 0) as [-> | Na]; [apply tends_if_continuous, CG; lra | apply tends_after; [lra | reflexivity]].
    + destruct (Nat.eqb_spec (fst m) i) as [E | E].
      * rewrite <- E in Pi. assert (Bi : bound i < b \/ b = bound i) by (right; unfold b; rewrite E; field; rewrite <- E; lra).
        apply onward_zero; [lra |]. intros x X. unfold f_paid, bounded_density. rewrite beyond_it; [ring | lra].
      * apply (Rest (fst m :: passed)); try assumption; try lra.
        -- intros [K | K]; [exact (E K) | exact (N K)].
        -- intros n K. destruct (M n (or_intror K)) as (U & V & _). repeat split; try assumption. apply Least, K.
        -- intros j J. destruct (Nat.eq_dec j (fst m)) as [-> | Nj]; [left; split; [left; reflexivity | lra] |].
           destruct (All j J) as [[H K] | [H K]].
           ++ left. split; [right; exact H |]. apply Rle_trans with (1 := K), Rmult_le_compat_l; lra.
           ++ destruct K as [K | K]; [destruct Nj; symmetry; exact K |]. right. split; [| exact K].
              intros [L | L]; [apply Nj; symmetry; exact L | exact (H L)].
Qed.

Theorem costs_along order amounts value : ascends order p ->
  (forall m, In m order -> (fst m < classes)%nat /\ bound (fst m) = r * snd m) ->
  (forall j, (j < classes)%nat -> In j (map fst order)) ->
  integrated_along i p nil order amounts -> change_along i p order amounts 0 = value ->
  costs_of_class classes factor bounded_chance bounded_density i p value.
Proof.
  intros A M All D <-. apply over_positive_is_onward. apply costs_from with nil; try assumption; try lra.
  - intros [].
  - intros m K. destruct (M m K) as [U V]. repeat split; try assumption. rewrite Rmult_0_r.
    left. apply Rmult_lt_0_compat; [apply bounds, U | apply P, U].
  - intros j J. right. split; [intros [] | apply All, J].
Qed.
End AtAForecast.

(** * In every order *)

Definition costs_of_order (cell : formulas_in_order) : Prop := forall i p, (i < classes)%nat -> positive_forecast classes p ->
  ascends (marks cell) p -> costs_of_class classes factor bounded_chance bounded_density i p (loss_in cell i p).

Theorem costs_by_order cells last i p : List.Forall costs_of_order (cells ++ [last]) ->
  (forall p, positive_forecast classes p -> exists cell, In cell (cells ++ [last]) /\ ascends (marks cell) p) ->
  (i < classes)%nat -> positive_forecast classes p ->
  costs_of_class classes factor bounded_chance bounded_density i p (loss_by_order cells last i p).
Proof.
  intros Each Complete I P. unfold loss_by_order.
  apply (proj1 (List.Forall_forall _ _) Each); [apply holding_is_one | exact I | exact P | apply holding_holds, Complete, P].
Qed.
End Costs.

(** * Distribution functions that are polynomials *)

(** Coefficients of sums, products, functions of multiples, slopes and antiderivatives. *)
Fixpoint sum_of_polynomials (u v : list R) : list R :=
  match u, v with a :: s, b :: t => (a + b) :: sum_of_polynomials s t | nil, _ => v | _, nil => u end.
Definition multiple_of_polynomial (k : R) (u : list R) : list R := map (fun a => k * a) u.
Fixpoint product_of_polynomials (u v : list R) : list R :=
  match u with nil => nil | a :: s => sum_of_polynomials (multiple_of_polynomial a v) (0 :: product_of_polynomials s v) end.
Fixpoint at_multiple (k : R) (u : list R) : list R :=
  match u with nil => nil | a :: s => a :: multiple_of_polynomial k (at_multiple k s) end.
Fixpoint slope_of_polynomial (u : list R) : list R :=
  match u with nil => nil | _ :: s => sum_of_polynomials s (0 :: slope_of_polynomial s) end.
Fixpoint divided_from (n : R) (u : list R) : list R :=
  match u with nil => nil | a :: s => a / n :: divided_from (n + 1) s end.
Definition integral_of_polynomial (u : list R) : list R := 0 :: divided_from 1 u.

Lemma sum_of_polynomials_is u v x : polynomial (sum_of_polynomials u v) x = polynomial u x + polynomial v x.
Proof. revert v. induction u as [| a s IH]; intros [| b t]; simpl; rewrite ?IH; ring. Qed.
Lemma multiple_of_polynomial_is k u x : polynomial (multiple_of_polynomial k u) x = k * polynomial u x.
Proof. induction u as [| a s IH]; simpl; rewrite ?IH; ring. Qed.
Lemma product_of_polynomials_is u v x : polynomial (product_of_polynomials u v) x = polynomial u x * polynomial v x.
Proof.
  induction u as [| a s IH]; cbn [product_of_polynomials]; [simpl; ring |].
  rewrite sum_of_polynomials_is, multiple_of_polynomial_is. cbn [polynomial]. rewrite IH. ring.
Qed.
Lemma at_multiple_is k u x : polynomial (at_multiple k u) x = polynomial u (k * x).
Proof. induction u as [| a s IH]; cbn [at_multiple polynomial]; rewrite ?multiple_of_polynomial_is, ?IH; ring. Qed.

Lemma slope_of_polynomial_is u x : is_derive (polynomial u) x (polynomial (slope_of_polynomial u) x).
Proof.
  induction u as [| a s IH]; [apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)) |].
  cbn [slope_of_polynomial polynomial]. rewrite sum_of_polynomials_is. cbn [polynomial].
  apply (is_derive_ext (fun x => a + x * polynomial s x)); [intro; reflexivity |].
  evar_last; [apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule) (fun _ => a) (fun x => x * polynomial s x));
    [apply is_derive_const | apply (is_derive_mult (K := R_AbsRing) (fun x => x) (polynomial s)); [apply is_derive_id | exact IH | apply Rmult_comm]] |].
  unfold plus, zero, one, mult; simpl. unfold mult; simpl. ring.
Qed.
Lemma polynomial_is_continuous u x : continuous (polynomial u) x.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply slope_of_polynomial_is. Qed.

Lemma integral_of_polynomial_is u x : is_derive (polynomial (integral_of_polynomial u)) x (polynomial u x).
Proof.
  evar_last; [apply slope_of_polynomial_is |]. unfold integral_of_polynomial. cbn [slope_of_polynomial].
  assert (H : forall n, 0 < n -> polynomial (sum_of_polynomials (multiple_of_polynomial n (divided_from n u)) (0 :: slope_of_polynomial (divided_from n u))) x
    = polynomial u x).
  { induction u as [| a s IH]; intros n N; [simpl; ring |]. pose proof (IH (n + 1) ltac:(lra)) as E.
    rewrite sum_of_polynomials_is, multiple_of_polynomial_is in *. cbn [divided_from slope_of_polynomial polynomial] in *.
    rewrite sum_of_polynomials_is. cbn [polynomial]. rewrite <- E. field. lra. }
  specialize (H 1 Rlt_0_1). rewrite sum_of_polynomials_is, multiple_of_polynomial_is in *. rewrite <- H. ring.
Qed.

Lemma law_of_polynomial bound F : 0 < bound -> polynomial F 0 = 0 -> polynomial F bound = 1 ->
  (forall x, 0 < x -> x <= bound -> 0 <= polynomial (slope_of_polynomial F) x) ->
  is_law_up_to bound (polynomial F) (polynomial (slope_of_polynomial F)).
Proof.
  intros B F0 F1 S. split; [exact B | split; [exact F0 | split; [exact F1 | split; [apply polynomial_is_continuous |]]]].
  intros x X XB. split; [apply S; assumption | split; [apply slope_of_polynomial_is | apply polynomial_is_continuous]].
Qed.

Section Polynomials.
Variables (classes : nat) (factor : R) (bound : nat -> R) (F : nat -> list R).
Hypothesis bounds : forall j, (j < classes)%nat -> 0 < bound j.

Definition chance_up_to (j : nat) : R -> R := polynomial (F j).
Definition density_up_to (j : nat) : R -> R := polynomial (slope_of_polynomial (F j)).

Fixpoint product_of_chances (passed : list nat) (i : nat) (p : nat -> R) (n : nat) : list R :=
  match n with
  | O => [1]
  | S m => if (Nat.eqb m i || existsb (Nat.eqb m) passed)%bool then product_of_chances passed i p m
      else product_of_polynomials (product_of_chances passed i p m) (at_multiple (p i / p m) (F m))
  end.
Definition amount_beyond (passed : list nat) (i : nat) (p : nat -> R) : list R :=
  integral_of_polynomial (product_of_polynomials [0; factor]
    (product_of_polynomials (sum_of_polynomials [1] (multiple_of_polynomial (-1) (product_of_chances passed i p classes)))
      (slope_of_polynomial (F i)))).
Fixpoint amounts_along (i : nat) (p : nat -> R) (passed : list nat) (order : list mark) : list (R -> R) :=
  match order with
  | m :: rest => polynomial (amount_beyond passed i p) :: amounts_along i p (fst m :: passed) rest
  | nil => nil
  end.

Lemma product_of_chances_is passed i p x n : polynomial (product_of_chances passed i p n) x = product_over n (fun j =>
  if Nat.eqb j i then 1 else if existsb (Nat.eqb j) passed then 1 else chance_up_to j (p i * x / p j)).
Proof.
  induction n as [| n IH]; cbn [product_of_chances product_over]; [simpl; ring |]. rewrite <- IH. unfold chance_up_to.
  destruct (Nat.eqb n i), (existsb (Nat.eqb n) passed); cbn [orb]; rewrite ?product_of_polynomials_is, ?at_multiple_is; try ring.
  unfold Rdiv. replace (p i * / p n * x) with (p i * x * / p n) by ring. ring.
Qed.

Lemma amounts_are_integrals i p order : forall passed, In i (map fst order) ->
  integrated_along classes factor chance_up_to density_up_to i p passed order (amounts_along i p passed order).
Proof.
  induction order as [| m rest Rest]; intros passed K; [destruct K |]. cbn [amounts_along integrated_along].
  assert (E : forall x, polynomial (product_of_polynomials [0; factor] (product_of_polynomials
      (sum_of_polynomials [1] (multiple_of_polynomial (-1) (product_of_chances passed i p classes))) (slope_of_polynomial (F i)))) x =
    paid_beyond classes factor chance_up_to density_up_to passed i p x).
  { intro x. rewrite !product_of_polynomials_is, sum_of_polynomials_is, multiple_of_polynomial_is, product_of_chances_is.
    unfold paid_beyond, density_up_to. cbn [polynomial]. ring. }
  split; [intros x _; apply polynomial_is_continuous | split].
  - intros x _. split; [rewrite <- E; apply integral_of_polynomial_is | apply (continuous_ext _ _ x E), polynomial_is_continuous].
  - destruct (Nat.eqb_spec (fst m) i) as [Same | Other]; [exact I |]. apply Rest.
    destruct K as [K | K]; [contradiction | exact K].
Qed.

Definition cost_along (order : list mark) (i : nat) (p : nat -> R) : R :=
  change_along bound i p order (amounts_along i p nil order) 0.

(** In an order of all classes, which may be one of their probabilities if all bounds are the same multiple of marks. *)
Lemma costs_in_order r cell : 0 < r ->
  (forall m, In m (marks cell) -> (fst m < classes)%nat /\ bound (fst m) = r * snd m) ->
  (forall j, (j < classes)%nat -> In j (map fst (marks cell))) ->
  (forall i p, (i < classes)%nat -> positive_forecast classes p -> cost_along (marks cell) i p = loss_in cell i p) ->
  costs_of_order classes factor bound chance_up_to density_up_to cell.
Proof.
  intros R0 M All E i p I P A. refine (costs_along classes factor bound chance_up_to density_up_to bounds i p r I P R0
    (marks cell) _ _ A M All (amounts_are_integrals i p (marks cell) nil (All i I)) (E i p I P)).
Qed.
End Polynomials.

(** * Laws and formulas that are written down *)

(** The polynomials of all classes are distribution functions up to their bounds. *)
Ltac bounded_laws unfolded :=
  let j := fresh "j" in let J := fresh "J" in
  intros j J; each_class j; (apply law_of_polynomial; unfolded;
    cbv [polynomial slope_of_polynomial sum_of_polynomials]; [see | ring | field; see | intros; see]).

(** All classes stand in an order, and a loss is the sum of what the antiderivatives change by. *)
Ltac costs_by_pieces laws r read unfolded :=
  apply (costs_in_order _ _ _ _ (fun j J => proj1 (laws j J)) r);
  [ see
  | let m := fresh "m" in let M := fresh "M" in
    intros m M; read; simpl in M; repeat destruct M as [<- | M]; try destruct M; cbn [fst snd]; (split; [lia | unfolded; ring])
  | let j := fresh "j" in let J := fresh "J" in intros j J; read; each_class j; simpl; tauto
  | let i := fresh "i" in let p := fresh "p" in let I := fresh "I" in let P := fresh "P" in
    intros i p I P; match type of P with positive_forecast ?n _ => parts_of P n end; each_class i; (read; unfolded;
    cbv [cost_along change_along amounts_along amount_beyond product_of_chances product_of_polynomials multiple_of_polynomial
      slope_of_polynomial sum_of_polynomials integral_of_polynomial divided_from at_multiple map existsb orb Nat.eqb fst snd polynomial];
    field; see) ].
