(** Losses of several classes with a formula for each order of the probabilities, times what they are compared with.

    A mark is a class with a number: it weighs the number times the predicted probability of the class. In each order
    of the marks the losses have formulas of their own, with symmetric and positive slopes. Where marks weigh the same
    the formulas of both orders agree. On the way from one forecast to another two marks weigh the same at one
    place at most, or everywhere, so that the losses have the slopes of their formulas but for finitely many places. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Acts Classes.
Import ListNotations.
Open Scope R_scope.

(** * Marks that ascend *)

Definition mark : Type := nat * R.
Definition weighed (m : mark) (p : nat -> R) : R := snd m * p (fst m).

Fixpoint ascends (order : list mark) (p : nat -> R) : Prop :=
  match order with
  | m :: (n :: _) as rest => weighed m p <= weighed n p /\ ascends rest p
  | _ => True
  end.

Lemma ascends_dec order p : {ascends order p} + {~ ascends order p}.
Proof.
  induction order as [| m [| n rest] Rest]; [left; exact I | left; exact I |]. simpl in *.
  destruct (Rle_dec (weighed m p) (weighed n p)), Rest; try (left; tauto); right; tauto.
Defined.

Lemma ascends_same order p q : (forall j, p j = q j) -> ascends order p -> ascends order q.
Proof.
  intro E. induction order as [| m [| n rest] Rest]; try (intros; exact I).
  intros [M A]. unfold weighed in M. rewrite !E in M. exact (conj M (Rest A)).
Qed.

(** The losses of the classes, and the slope of each in the probability of another, where an order holds. *)
Record formulas_in_order := InOrder {
  marks : list mark; loss_in : nat -> (nat -> R) -> R; slope_in : nat -> nat -> (nat -> R) -> R }.

(** The first order that holds; the last one if no other does. *)
Fixpoint holding (cells : list formulas_in_order) (last : formulas_in_order) (p : nat -> R) : formulas_in_order :=
  match cells with
  | nil => last
  | cell :: rest => if ascends_dec (marks cell) p then cell else holding rest last p
  end.

Lemma holding_is_one cells last p : In (holding cells last p) (cells ++ [last]).
Proof.
  induction cells as [| cell rest Rest]; simpl; [left; reflexivity |].
  destruct (ascends_dec _ _); [left; reflexivity | right; exact Rest].
Qed.

Lemma holding_holds cells last p : (exists cell, In cell (cells ++ [last]) /\ ascends (marks cell) p) ->
  ascends (marks (holding cells last p)) p.
Proof.
  intros (cell & I & A). induction cells as [| first rest Rest]; simpl in *.
  - destruct I as [-> | []]. exact A.
  - destruct (ascends_dec (marks first) p) as [F | F]; [exact F |].
    apply Rest. destruct I as [-> | I]; [contradiction | exact I].
Qed.

(** * On the way from one forecast to another *)

(** Where two marks weigh the same, if they do at one place alone. *)
Definition meeting (p q : nat -> R) (m n : mark) : R :=
  (weighed m q - weighed n q) / ((weighed m q - weighed n q) - (weighed m p - weighed n p)).
Fixpoint meetings (p q : nat -> R) (order : list mark) : list R :=
  match order with
  | m :: (n :: _) as rest => meeting p q m n :: meetings p q rest
  | _ => nil
  end.

Section Way.
Variables p q : nat -> R.
Local Notation way := (on_the_way p q).

Lemma gap_on_the_way m n t : weighed m (way t) - weighed n (way t) =
  (weighed m q - weighed n q) + t * ((weighed m p - weighed n p) - (weighed m q - weighed n q)).
Proof. unfold weighed, on_the_way. ring. Qed.

Lemma gap_is_continuous m n t : continuous (fun t => weighed m (way t) - weighed n (way t)) t.
Proof.
  apply (ex_derive_continuous (V := R_NormedModule)). unfold weighed, on_the_way. auto_derive. exact I.
Qed.

Lemma stays_negative m n t : weighed m (way t) - weighed n (way t) < 0 ->
  locally t (fun s => weighed m (way s) - weighed n (way s) < 0).
Proof. intro H. exact (gap_is_continuous m n t _ (open_lt 0 _ H)). Qed.
Lemma stays_positive m n t : 0 < weighed m (way t) - weighed n (way t) ->
  locally t (fun s => 0 < weighed m (way s) - weighed n (way s)).
Proof. intro H. exact (gap_is_continuous m n t _ (open_gt 0 _ H)). Qed.

(** But for their meeting two marks compare as they do nearby. *)
Lemma compares_nearby m n t : t <> meeting p q m n ->
  locally t (fun s => weighed m (way s) <= weighed n (way s) <-> weighed m (way t) <= weighed n (way t)).
Proof.
  intro N. destruct (Rtotal_order (weighed m (way t) - weighed n (way t)) 0) as [H | [H | H]].
  - apply filter_imp with (2 := stays_negative m n t H). intros s S. lra.
  - apply filter_forall. intro s. pose proof (gap_on_the_way m n t) as T. pose proof (gap_on_the_way m n s) as S.
    rewrite H in T. set (d := weighed m p - weighed n p - (weighed m q - weighed n q)) in *.
    destruct (Req_EM_T d 0) as [Z | Z].
    + rewrite Z in *. lra.
    + destruct N. unfold meeting. apply (Rmult_eq_reg_r (- d)); [| lra].
      replace (weighed m q - weighed n q - (weighed m p - weighed n p)) with (- d) by (unfold d; ring).
      field_simplify; [lra | lra].
  - apply filter_imp with (2 := stays_positive m n t H). intros s S. lra.
Qed.

Lemma ascends_nearby order t : ~ In t (meetings p q order) ->
  locally t (fun s => ascends order (way s) <-> ascends order (way t)).
Proof.
  induction order as [| m [| n rest] Rest]; intro N; try (apply filter_forall; simpl; tauto).
  assert (M : t <> meeting p q m n) by (intro E; apply N; left; symmetry; exact E).
  assert (O : ~ In t (meetings p q (n :: rest))) by (intro H; apply N; right; exact H).
  apply filter_imp with (2 := filter_and _ _ (compares_nearby m n t M) (Rest O)).
  intros s [C A]. change (weighed m (way s) <= weighed n (way s) /\ ascends (n :: rest) (way s) <->
    weighed m (way t) <= weighed n (way t) /\ ascends (n :: rest) (way t)). tauto.
Qed.

Lemma holds_nearby cells last t : (forall cell, In cell cells -> ~ In t (meetings p q (marks cell))) ->
  locally t (fun s => holding cells last (way s) = holding cells last (way t)).
Proof.
  induction cells as [| cell rest Rest]; intro N; [apply filter_forall; reflexivity |].
  apply filter_imp with (2 := filter_and _ _ (ascends_nearby (marks cell) t (N cell (or_introl eq_refl)))
    (Rest (fun other I => N other (or_intror I)))).
  intros s [A E]. simpl.
  destruct (ascends_dec (marks cell) (way s)), (ascends_dec (marks cell) (way t)); tauto.
Qed.

(** An order that does not hold does not hold nearby. *)
Lemma fails_nearby order t : ~ ascends order (way t) -> locally t (fun s => ~ ascends order (way s)).
Proof.
  induction order as [| m [| n rest] Rest]; intro N; try (destruct N; exact I).
  destruct (Rle_dec (weighed m (way t)) (weighed n (way t))) as [M | M].
  - apply filter_imp with (2 := Rest (fun A => N (conj M A))). intros s S [_ A]. exact (S A).
  - apply filter_imp with (2 := stays_positive m n t ltac:(lra)). intros s S [A _]. lra.
Qed.
End Way.

(** * The losses *)

Section Orders.

Variables (classes : nat) (cells : list formulas_in_order) (last : formulas_in_order).
Local Notation all := (cells ++ [last]).

Definition loss_by_order (i : nat) (p : nat -> R) : R := loss_in (holding cells last p) i p.
Definition slope_by_order (i j : nat) (p : nat -> R) : R := slope_in (holding cells last p) i j p.
Definition all_meetings (p q : nat -> R) : list R := flat_map (fun cell => meetings p q (marks cell)) cells.

(** What is asked of the formulas of an order. *)
Definition right_in (cell : formulas_in_order) : Prop :=
  all_sloped classes (loss_in cell) (slope_in cell) /\ symmetric_slopes classes (slope_in cell) /\
  only_probabilities (loss_in cell).
Definition not_negative_in (cell : formulas_in_order) : Prop := forall i j p, (i < classes)%nat -> (j < classes)%nat -> i <> j ->
  positive_forecast classes p -> ascends (marks cell) p -> 0 <= slope_in cell i j p.
Definition positive_in (cell : formulas_in_order) : Prop := forall i j p, (i < classes)%nat -> (j < classes)%nat -> i <> j ->
  positive_forecast classes p -> ascends (marks cell) p -> 0 < slope_in cell i j p.
Definition agree (cell other : formulas_in_order) : Prop := forall i p, (i < classes)%nat -> positive_forecast classes p ->
  ascends (marks cell) p -> ascends (marks other) p -> loss_in cell i p = loss_in other i p.

Hypothesis right : List.Forall right_in all.
Hypothesis complete : forall p, positive_forecast classes p -> exists cell, In cell all /\ ascends (marks cell) p.
Hypothesis in_pairs : ForallOrdPairs agree all.

Lemma agreeing cell other : In cell all -> In other all -> agree cell other.
Proof.
  intros C O. destruct (ForallOrdPairs_In in_pairs cell other C O) as [-> | [H | H]]; [| exact H |].
  - intros i p _ _ _ _. reflexivity.
  - intros i p I P A B. symmetry. exact (H i p I P B A).
Qed.

Lemma right_one p : right_in (holding cells last p).
Proof. apply (proj1 (List.Forall_forall _ _) right), holding_is_one. Qed.
Lemma held_one p : positive_forecast classes p -> ascends (marks (holding cells last p)) p.
Proof. intro P. apply holding_holds, complete, P. Qed.
Lemma way_is_a_forecast p q t : positive_forecast classes p -> positive_forecast classes q -> 0 <= t <= 1 ->
  positive_forecast classes (on_the_way p q t).
Proof. intros P Q T i I. exact (way_is_positive classes p q t i P Q T I). Qed.

Lemma way_of_order cell i p q t : In cell all -> (i < classes)%nat ->
  positive_forecast classes p -> positive_forecast classes q -> 0 <= t <= 1 ->
  is_derive (fun t => loss_in cell i (on_the_way p q t)) t
    (slope_along classes (slope_in cell) i (on_the_way p q t) (fun j => p j - q j)).
Proof.
  intros C I P Q T. destruct (proj1 (List.Forall_forall _ _) right cell C) as (S & _). exact (S i I p q t P Q T).
Qed.

(** Near a place each loss is near to what it is there, whichever order holds. *)
Lemma losses_stay_near some i p q t (e : posreal) : incl some all -> (i < classes)%nat ->
  positive_forecast classes p -> positive_forecast classes q -> 0 <= t <= 1 ->
  locally t (fun s => forall cell, In cell some -> ascends (marks cell) (on_the_way p q s) ->
    ball (loss_by_order i (on_the_way p q t)) e (loss_in cell i (on_the_way p q s))).
Proof.
  intros Some I P Q T. induction some as [| cell rest Rest].
  - apply filter_forall. intros s cell [].
  - assert (C : In cell all) by (apply Some; left; reflexivity).
    assert (Here : locally t (fun s => ascends (marks cell) (on_the_way p q s) ->
      ball (loss_by_order i (on_the_way p q t)) e (loss_in cell i (on_the_way p q s)))).
    { destruct (ascends_dec (marks cell) (on_the_way p q t)) as [A | A].
      - replace (loss_by_order i (on_the_way p q t)) with (loss_in cell i (on_the_way p q t)).
        + assert (K : continuous (fun t => loss_in cell i (on_the_way p q t)) t).
          { apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply way_of_order; assumption. }
          pose proof (K _ (locally_ball (loss_in cell i (on_the_way p q t)) e)) as H. unfold filtermap in H.
          apply filter_imp with (2 := H). intros s S _. exact S.
        + pose proof (way_is_a_forecast p q t P Q T) as W.
          apply agreeing; [exact C | apply holding_is_one | exact I | exact W | exact A | apply held_one, W].
      - apply filter_imp with (2 := fails_nearby p q (marks cell) t A). intros s S B. destruct (S B). }
    apply filter_imp with (2 := filter_and _ _ Here (Rest (fun x X => Some x (or_intror X)))).
    intros s [H Others] other [<- | O] A; [exact (H A) | exact (Others other O A)].
Qed.

Lemma forecasts_nearby p q t : positive_forecast classes (on_the_way p q t) ->
  locally t (fun s => positive_forecast classes (on_the_way p q s)).
Proof.
  unfold positive_forecast. clear. induction classes as [| n Rest]; intro P.
  - apply filter_forall. intros s i I. lia.
  - assert (K : continuous (fun s => on_the_way p q s n) t).
    { apply (ex_derive_continuous (V := R_NormedModule)). unfold on_the_way. auto_derive. exact I. }
    pose proof (K _ (open_gt 0 _ (P n ltac:(lia)))) as Last. unfold filtermap in Last.
    apply filter_imp with (2 := filter_and _ _ Last (Rest (fun i I => P i ltac:(lia)))).
    intros s [H Others] i I. destruct (Nat.eq_dec i n) as [-> | N]; [exact H | apply Others; lia].
Qed.

Lemma sloped_by_order : all_sloped_but_for classes loss_by_order slope_by_order all_meetings.
Proof.
  intros i I p q t P Q T. split.
  - intros U [e U']. apply filter_imp with (2 := filter_and _ _ (forecasts_nearby p q t (way_is_a_forecast p q t P Q T))
      (losses_stay_near all i p q t e (fun x X => X) I P Q T)).
    intros s [W S]. apply U', S; [apply holding_is_one | apply held_one, W].
  - intro N. apply (is_derive_ext_loc (fun s => loss_in (holding cells last (on_the_way p q t)) i (on_the_way p q s))).
    + assert (Apart : forall cell, In cell cells -> ~ In t (meetings p q (marks cell))).
      { intros cell C M. apply N, in_flat_map. exists cell. split; assumption. }
      apply filter_imp with (2 := holds_nearby p q cells last t Apart).
      intros s E. unfold loss_by_order. rewrite E. reflexivity.
    + apply way_of_order; try assumption. apply holding_is_one.
Qed.

Lemma symmetric_by_order : symmetric_slopes classes slope_by_order.
Proof. intros i j p I J. destruct (right_one p) as (_ & S & _). exact (S i j p I J). Qed.

Lemma same_by_order : only_probabilities loss_by_order.
Proof.
  intros i p q E. unfold loss_by_order.
  assert (H : holding cells last p = holding cells last q).
  { clear right complete in_pairs. induction cells as [| cell rest Rest]; [reflexivity |]. simpl. rewrite Rest.
    destruct (ascends_dec (marks cell) p) as [A | A], (ascends_dec (marks cell) q) as [B | B]; try reflexivity; exfalso.
    - apply B, (ascends_same _ p q E A).
    - apply A, (ascends_same _ q p (fun j => eq_sym (E j)) B). }
  rewrite H. destruct (right_one q) as (_ & _ & Same). exact (Same i p q E).
Qed.

Section Signs.
Hypothesis signs : List.Forall not_negative_in all.

Theorem orders_are_proper p q : positive_forecast classes p -> positive_forecast classes q ->
  risk_under classes loss_by_order q q <= risk_under classes loss_by_order p q.
Proof.
  apply (classes_are_proper classes _ slope_by_order all_meetings sloped_by_order symmetric_by_order); [| exact same_by_order].
  intros i j r I J N P. exact (proj1 (List.Forall_forall _ _) signs _ (holding_is_one cells last r) i j r I J N P (held_one r P)).
Qed.
End Signs.

Section PositiveSigns.
Hypothesis signs : List.Forall positive_in all.

Lemma positive_by_order : slopes_positive classes slope_by_order.
Proof.
  intros i j r I J N P. exact (proj1 (List.Forall_forall _ _) signs _ (holding_is_one cells last r) i j r I J N P (held_one r P)).
Qed.

Theorem positive_orders_are_proper p q : positive_forecast classes p -> positive_forecast classes q ->
  risk_under classes loss_by_order q q <= risk_under classes loss_by_order p q.
Proof.
  exact (positive_slopes_but_for_places_are_proper classes _ _ all_meetings
    sloped_by_order symmetric_by_order positive_by_order same_by_order p q).
Qed.

Theorem positive_orders_are_strictly_proper p q : positive_forecast classes p -> positive_forecast classes q ->
  sum_over classes p = 1 -> sum_over classes q = 1 -> (exists i, (i < classes)%nat /\ p i <> q i) ->
  risk_under classes loss_by_order q q < risk_under classes loss_by_order p q.
Proof.
  exact (positive_slopes_but_for_places_are_strictly_proper classes _ _ all_meetings
    sloped_by_order symmetric_by_order positive_by_order same_by_order p q).
Qed.
End PositiveSigns.

End Orders.

(** * Orders that are written down *)

Lemma tied a b x y : 0 < b -> a * x <= b * y -> b * y <= a * x -> y = a * x / b.
Proof. intros B L U. apply (Rmult_eq_reg_l b); [| lra]. field_simplify; lra. Qed.

Ltac tied_at a b p i j :=
  let E := fresh "E" in assert (E : p j = a * p i / b) by (apply tied; see); rewrite ?E; clear E.

(** Of two orders that hold both: [read] says so of what the marks weigh, [tied] which probabilities are tied. *)
Ltac agree_by read tied unfolded :=
  let i := fresh "i" in let p := fresh "p" in let I := fresh "I" in let P := fresh "P" in
  let A := fresh "A" in let B := fresh "B" in
  intros i p I P A B; match type of P with positive_forecast ?n _ => parts_of P n end;
  read; each_class i; unfolded; tied p; field; see.

(** Where two marks have the same positive factor, their order is that of what it multiplies. *)
Ltac without_common_factors :=
  repeat match goal with H : _ /\ _ |- _ => destruct H end;
  repeat match goal with H : ?r * _ <= ?r * _ |- _ => apply Rmult_le_reg_l in H; [| lra] end.

(** A slope has its sign where its order holds. *)
Ltac signed_in_order read unfolded :=
  let i := fresh "i" in let j := fresh "j" in let p := fresh "p" in
  let I := fresh "I" in let J := fresh "J" in let N := fresh "N" in let P := fresh "P" in let A := fresh "A" in
  intros i j p I J N P A; match type of P with positive_forecast ?n _ => parts_of P n end; read; without_common_factors;
  each_class i; each_class j; first [exfalso; apply N; reflexivity | unfolded; see].

Ltac held cell read := exists cell; split; [simpl; tauto | read; repeat split; lra].

(** One goal for each order, and for each pair of them. *)
Ltac in_all_orders := repeat apply List.Forall_cons; try apply List.Forall_nil.
Ltac in_all_pairs :=
  repeat (apply FOP_cons; [repeat apply List.Forall_cons; try apply List.Forall_nil |]); try apply FOP_nil.
