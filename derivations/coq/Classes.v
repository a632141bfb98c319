(** Several classes whose costs vary: losses that depend on the ratios of the predicted probabilities.

    Let [D i j] be the slope of the loss [L i] in the probability of another class [j]. If all forecasts are multiplied
    by a number, the losses stay as they are, so that along a direction [v] the loss [L i] has the slope
    [sum_j D i j * (v j - v i * p j / p i)]. If moreover [D i j = D j i >= 0], the rule is proper: on the way from
    the belief to a report the risk has the slope

    [t * sum_(i < j) D i j * (q i * v j - q j * v i)^2 / (p i * p j) >= 0].

    At finitely many places of the way the losses need only be continuous there.

    For costs of the classes with a joint law, [D i j] is what a shift of the threshold between the classes [i] and [j]
    costs: it is symmetric and not negative. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Acts.
Open Scope R_scope.

(** * Double sums *)

Lemma sum_over_within n f g : (forall i, (i < n)%nat -> f i = g i) -> sum_over n f = sum_over n g.
Proof.
  intro E. induction n as [| n IH]; simpl; [reflexivity |].
  rewrite IH, E; [reflexivity | lia | intros i I; apply E; lia].
Qed.

Lemma sum_over_plus n f g : sum_over n (fun i => f i + g i) = sum_over n f + sum_over n g.
Proof. induction n as [| n IH]; simpl; [| rewrite IH]; ring. Qed.

Lemma sum_over_times n k f : sum_over n (fun i => k * f i) = k * sum_over n f.
Proof. induction n as [| n IH]; simpl; [| rewrite IH]; ring. Qed.

Lemma sum_over_switch n m a :
  sum_over n (fun i => sum_over m (fun j => a i j)) = sum_over m (fun j => sum_over n (fun i => a i j)).
Proof.
  induction n as [| n IH]; simpl.
  - induction m as [| m IH]; simpl; [| rewrite <- IH]; ring.
  - rewrite IH, <- sum_over_plus. reflexivity.
Qed.

Lemma sum_over_not_negative n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum_over n f.
Proof.
  intro F. induction n as [| n IH]; simpl; [lra |].
  pose proof (F n ltac:(lia)). pose proof (IH (fun i I => F i ltac:(lia))). lra.
Qed.

Lemma sum_over_positive n f k :
  (forall i, (i < n)%nat -> 0 <= f i) -> (k < n)%nat -> 0 < f k -> 0 < sum_over n f.
Proof.
  intros F K P. induction n as [| n IH]; simpl; [lia |].
  pose proof (F n ltac:(lia)). destruct (Nat.eq_dec k n) as [<- | N].
  - pose proof (sum_over_not_negative k f (fun i I => F i ltac:(lia))). lra.
  - pose proof (IH (fun i I => F i ltac:(lia)) ltac:(lia)). lra.
Qed.

Lemma sum_over_not_0 n f : sum_over n f <> 0 -> exists k, (k < n)%nat /\ f k <> 0.
Proof.
  induction n as [| n IH]; simpl; intro S; [lra |].
  destruct (Req_EM_T (f n) 0) as [Z | N]; [| exists n; split; [lia | exact N]].
  destruct IH as [k [K N]]; [lra | exists k; split; [lia | exact N]].
Qed.

Lemma derive_sum_over n (f : nat -> R -> R) (d : nat -> R) t :
  (forall i, (i < n)%nat -> is_derive (f i) t (d i)) ->
  is_derive (fun t => sum_over n (fun i => f i t)) t (sum_over n d).
Proof.
  intro F. induction n as [| n IH]; simpl; [apply (is_derive_const (K := R_AbsRing) 0) |].
  apply is_derive_Reals, derivable_pt_lim_plus; apply is_derive_Reals; [apply IH; intros i I |]; apply F; lia.
Qed.

(** * Functions with slopes but for finitely many places *)

Lemma change_by_slope f d a b : a < b -> (forall t, a <= t <= b -> continuous f t) ->
  (forall t, a < t < b -> is_derive f t (d t)) -> exists t, a < t < b /\ f b - f a = d t * (b - a).
Proof.
  intros AB C D.
  assert (Slope : forall t, a < t < b -> derivable_pt_lim f t (d t)) by (intros t T; apply is_derive_Reals, D, T).
  destruct (MVT f id a b (fun t T => exist _ _ (Slope t T)) (fun t _ => derivable_pt_id t)) as (t & T & E);
    [exact AB | intros t T; apply continuity_pt_filterlim, C, T | intros; apply derivable_continuous_pt, derivable_pt_id |].
  rewrite derive_pt_id in E. unfold id, derive_pt in E. simpl in E. exists t. split; [exact T | lra].
Qed.

Lemma rises_but_for places f d : forall a b, a < b -> (forall t, a <= t <= b -> continuous f t) ->
  (forall t, a < t < b -> ~ In t places -> is_derive f t (d t) /\ 0 < d t) -> f a < f b.
Proof.
  induction places as [| place others Rest]; intros a b AB C D.
  - destruct (change_by_slope f d a b AB C) as (t & T & E); [intros t T; apply D; simpl; tauto |].
    assert (0 < d t * (b - a)); [| lra]. apply Rmult_lt_0_compat; [apply D; simpl; tauto | lra].
  - assert (Part : forall x y, a <= x -> x < y -> y <= b -> ~ x < place < y -> f x < f y).
    { intros x y AX XY YB Out. apply Rest; [exact XY | intros; apply C; lra |].
      intros t T N. apply D; [lra |]. intros [E | I]; [apply Out; lra | exact (N I)]. }
    destruct (Rlt_dec a place) as [A |]; [destruct (Rlt_dec place b) as [B |] |]; try (apply Part; lra).
    apply Rlt_trans with (f place); apply Part; lra.
Qed.

Lemma does_not_fall_but_for places f d : forall a b, a < b -> (forall t, a <= t <= b -> continuous f t) ->
  (forall t, a < t < b -> ~ In t places -> is_derive f t (d t) /\ 0 <= d t) -> f a <= f b.
Proof.
  induction places as [| place others Rest]; intros a b AB C D.
  - destruct (change_by_slope f d a b AB C) as (t & T & E); [intros t T; apply D; simpl; tauto |].
    assert (0 <= d t * (b - a)); [| lra]. apply Rmult_le_pos; [apply D; simpl; tauto | lra].
  - assert (Part : forall x y, a <= x -> x < y -> y <= b -> ~ x < place < y -> f x <= f y).
    { intros x y AX XY YB Out. apply Rest; [exact XY | intros; apply C; lra |].
      intros t T N. apply D; [lra |]. intros [E | I]; [apply Out; lra | exact (N I)]. }
    destruct (Rlt_dec a place) as [A |]; [destruct (Rlt_dec place b) as [B |] |]; try (apply Part; lra).
    apply Rle_trans with (f place); apply Part; lra.
Qed.

Lemma continuous_sum_over n (f : nat -> R -> R) t :
  (forall i, (i < n)%nat -> continuous (f i) t) -> continuous (fun t => sum_over n (fun i => f i t)) t.
Proof.
  intro F. induction n as [| n IH]; simpl; [apply continuous_const |].
  apply (continuous_plus (fun t => sum_over n (fun i => f i t)) (f n)); [apply IH; intros i I |]; apply F; lia.
Qed.

(** * Properness *)

Section Classes.

Variables (classes : nat) (L : nat -> (nat -> R) -> R) (D : nat -> nat -> (nat -> R) -> R).

Definition positive_forecast (p : nat -> R) : Prop := forall i, (i < classes)%nat -> 0 < p i.

(** The expected loss of the forecast [p] under the belief [q]. *)
Definition risk_under (p q : nat -> R) : R := sum_over classes (fun i => q i * L i p).

(** The slope of a loss at [p] along [v], and the forecast that is [t] of the way from [q] to [p]. *)
Definition slope_along (i : nat) (p v : nat -> R) : R :=
  sum_over classes (fun j => D i j p * (v j - v i * p j / p i)).
Definition on_the_way (p q : nat -> R) (t : R) (i : nat) : R := q i + t * (p i - q i).

(** What makes a rule proper. *)
Definition sloped (i : nat) : Prop := forall p q t, positive_forecast p -> positive_forecast q -> 0 <= t <= 1 ->
  is_derive (fun t => L i (on_the_way p q t)) t (slope_along i (on_the_way p q t) (fun j => p j - q j)).
Definition all_sloped : Prop := forall i, (i < classes)%nat -> sloped i.

(** The same if losses are continuous, and have these slopes but for finitely many places of the way. *)
Variable places : (nat -> R) -> (nat -> R) -> list R.
Definition sloped_but_for (i : nat) : Prop := forall p q t, positive_forecast p -> positive_forecast q -> 0 <= t <= 1 ->
  continuous (fun t => L i (on_the_way p q t)) t /\
  (~ In t (places p q) ->
    is_derive (fun t => L i (on_the_way p q t)) t (slope_along i (on_the_way p q t) (fun j => p j - q j))).
Definition all_sloped_but_for : Prop := forall i, (i < classes)%nat -> sloped_but_for i.

Lemma sloped_is_sloped_but_for : all_sloped -> all_sloped_but_for.
Proof.
  intros S i I p q t P Q T. split; [| intros _; apply S; assumption].
  apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply S; assumption.
Qed.

Definition symmetric_slopes : Prop := forall i j p, (i < classes)%nat -> (j < classes)%nat -> D i j p = D j i p.
Definition slopes_not_negative : Prop := forall i j p, (i < classes)%nat -> (j < classes)%nat -> i <> j ->
  positive_forecast p -> 0 <= D i j p.
Definition slopes_positive : Prop := forall i j p, (i < classes)%nat -> (j < classes)%nat -> i <> j ->
  positive_forecast p -> 0 < D i j p.

(** Losses look at the probabilities one by one. *)
Definition only_probabilities : Prop := forall i p q, (forall j, p j = q j) -> L i p = L i q.

Hypotheses (slopes : all_sloped_but_for) (symmetric : symmetric_slopes) (signs : slopes_not_negative)
  (same : only_probabilities).

Lemma way_is_positive p q t i :
  positive_forecast p -> positive_forecast q -> 0 <= t <= 1 -> (i < classes)%nat -> 0 < on_the_way p q t i.
Proof.
  intros P Q T I. unfold on_the_way. specialize (P i I). specialize (Q i I).
  destruct (Req_EM_T t 1) as [-> | N]; [lra |].
  assert (0 < (1 - t) * q i) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= t * p i) by (apply Rmult_le_pos; lra). lra.
Qed.

(** A pair of classes in the slope of the risk, times two. *)
Definition pair_of (p q : nat -> R) (t : R) (i j : nat) : R :=
  t * (D i j (on_the_way p q t) * (q i * (p j - q j) - q j * (p i - q i)) ^ 2
       / (on_the_way p q t i * on_the_way p q t j)).

Lemma pair_of_classes d t a b c e : 0 < a + t * (b - a) -> 0 < c + t * (e - c) ->
  t * (d * (a * (e - c) - c * (b - a)) ^ 2 / ((a + t * (b - a)) * (c + t * (e - c)))) =
  a * (d * (e - c - (b - a) * (c + t * (e - c)) / (a + t * (b - a)))) +
  c * (d * (b - a - (e - c) * (a + t * (b - a)) / (c + t * (e - c)))).
Proof. intros. field. lra. Qed.

Lemma slope_of_risk p q t : positive_forecast p -> positive_forecast q -> 0 <= t <= 1 -> ~ In t (places p q) ->
  is_derive (fun t => risk_under (on_the_way p q t) q) t
    (sum_over classes (fun i => sum_over classes (pair_of p q t i)) / 2).
Proof.
  intros P Q T Place. pose proof (fun i => way_is_positive p q t i P Q T) as W.
  set (a i j := q i * (D i j (on_the_way p q t) *
    ((p j - q j) - (p i - q i) * on_the_way p q t j / on_the_way p q t i))).
  replace (_ / 2) with (sum_over classes (fun i => sum_over classes (a i))).
  - apply derive_sum_over. intros i I. unfold a. rewrite sum_over_times.
    apply is_derive_scal. exact (proj2 (slopes i I p q t P Q T) Place).
  - assert (E : sum_over classes (fun i => sum_over classes (pair_of p q t i)) =
      sum_over classes (fun i => sum_over classes (a i)) + sum_over classes (fun i => sum_over classes (fun j => a j i))).
    { rewrite <- sum_over_plus. apply sum_over_within. intros i I. rewrite <- sum_over_plus.
      apply sum_over_within. intros j J. unfold a, pair_of. rewrite (symmetric j i) by assumption.
      pose proof (W i I) as Wi. pose proof (W j J) as Wj. unfold on_the_way in Wi, Wj.
      unfold on_the_way at 2 3 5 6 8 9. apply pair_of_classes; assumption. }
    rewrite E, (sum_over_switch classes classes (fun i j => a j i)).
    change (fun j => sum_over classes (fun i => a j i)) with (fun i => sum_over classes (a i)). field.
Qed.

Lemma pair_not_negative p q t i j : positive_forecast p -> positive_forecast q -> 0 <= t <= 1 ->
  (i < classes)%nat -> (j < classes)%nat -> 0 <= pair_of p q t i j.
Proof.
  intros P Q T I J. pose proof (fun i => way_is_positive p q t i P Q T) as W. unfold pair_of.
  apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto].
  destruct (Nat.eq_dec i j) as [-> | N].
  - right. ring.
  - apply Rmult_le_pos; [apply signs; auto | apply pow2_ge_0].
Qed.

Lemma way_starts p q i : on_the_way p q 0 i = q i.
Proof. unfold on_the_way. ring. Qed.
Lemma way_ends p q i : on_the_way p q 1 i = p i.
Proof. unfold on_the_way. ring. Qed.

Lemma risk_at_the_ends p q :
  risk_under (on_the_way p q 0) q = risk_under q q /\ risk_under (on_the_way p q 1) q = risk_under p q.
Proof.
  split; apply sum_over_ext; intro i; f_equal; apply same; intro j; [apply way_starts | apply way_ends].
Qed.

Lemma risk_is_continuous p q t : positive_forecast p -> positive_forecast q -> 0 <= t <= 1 ->
  continuous (fun t => risk_under (on_the_way p q t) q) t.
Proof.
  intros P Q T. unfold risk_under. apply (continuous_sum_over classes (fun i t => q i * L i (on_the_way p q t))).
  intros i I. apply (continuous_scal_r (q i) (fun t => L i (on_the_way p q t))). exact (proj1 (slopes i I p q t P Q T)).
Qed.

Local Notation slope_of_pairs p q := (fun t => sum_over classes (fun i => sum_over classes (pair_of p q t i)) / 2).

Theorem classes_are_proper p q : positive_forecast p -> positive_forecast q -> risk_under q q <= risk_under p q.
Proof.
  intros P Q. destruct (risk_at_the_ends p q) as [<- <-].
  apply (does_not_fall_but_for (places p q) (fun t => risk_under (on_the_way p q t) q) (slope_of_pairs p q)); [lra | |].
  - intros t T. apply risk_is_continuous; assumption.
  - intros t T N. split; [apply slope_of_risk; auto; lra |].
    assert (0 <= sum_over classes (fun i => sum_over classes (pair_of p q t i))); [| lra].
    apply sum_over_not_negative; intros i I. apply sum_over_not_negative; intros j J.
    apply pair_not_negative; auto; lra.
Qed.

Lemma pairs_positive p q t : slopes_positive -> positive_forecast p -> positive_forecast q ->
  sum_over classes p = 1 -> sum_over classes q = 1 -> (exists i, (i < classes)%nat /\ p i <> q i) -> 0 < t <= 1 ->
  0 < sum_over classes (fun i => sum_over classes (pair_of p q t i)).
Proof.
  intros S P Q P1 Q1 [i [I N]] T.
  pose proof (fun i => way_is_positive p q t i P Q ltac:(lra)) as W.
  destruct (sum_over_not_0 classes (fun j => q i * (p j - q j) - q j * (p i - q i))) as [j [J M]].
  { replace (sum_over _ _) with (q i * (sum_over classes p - sum_over classes q) - (p i - q i) * sum_over classes q).
    - rewrite P1, Q1. lra.
    - unfold Rminus at 2. rewrite Rmult_plus_distr_l.
      replace (q i * sum_over classes p + q i * - sum_over classes q - (p i - q i) * sum_over classes q)
        with (q i * sum_over classes p + (- q i - (p i - q i)) * sum_over classes q) by ring.
      rewrite <- sum_over_linear. apply sum_over_ext. intro j. ring. }
  assert (F : forall i j, (i < classes)%nat -> (j < classes)%nat -> 0 <= pair_of p q t i j).
  { intros; apply pair_not_negative; auto; lra. }
  apply (sum_over_positive _ _ i); [| exact I |].
  - intros k K. apply sum_over_not_negative. auto.
  - apply (sum_over_positive _ _ j); auto. unfold pair_of. apply Rmult_lt_0_compat; [lra |].
    apply Rmult_lt_0_compat; [| apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto].
    apply Rmult_lt_0_compat; [| apply pow2_gt_0; exact M].
    apply S; auto. intros ->. apply M. ring.
Qed.

Theorem classes_are_strictly_proper p q : slopes_positive -> positive_forecast p -> positive_forecast q ->
  sum_over classes p = 1 -> sum_over classes q = 1 -> (exists i, (i < classes)%nat /\ p i <> q i) ->
  risk_under q q < risk_under p q.
Proof.
  intros S P Q P1 Q1 Other. destruct (risk_at_the_ends p q) as [<- <-].
  apply (rises_but_for (places p q) (fun t => risk_under (on_the_way p q t) q) (slope_of_pairs p q)); [lra | |].
  - intros t T. apply risk_is_continuous; assumption.
  - intros t T N. split; [apply slope_of_risk; auto; lra |].
    pose proof (pairs_positive p q t S P Q P1 Q1 Other ltac:(lra)). lra.
Qed.

End Classes.

Lemma positive_slopes_are_not_negative classes D : slopes_positive classes D -> slopes_not_negative classes D.
Proof. intros signs i j p I J N P. left. apply signs; assumption. Qed.

Section PositiveSlopesButForPlaces.

Variables (classes : nat) (L : nat -> (nat -> R) -> R) (D : nat -> nat -> (nat -> R) -> R).
Variable places : (nat -> R) -> (nat -> R) -> list R.
Hypotheses (slopes : all_sloped_but_for classes L D places) (symmetric : symmetric_slopes classes D)
  (signs : slopes_positive classes D) (same : only_probabilities L).

Theorem positive_slopes_but_for_places_are_proper p q : positive_forecast classes p -> positive_forecast classes q ->
  risk_under classes L q q <= risk_under classes L p q.
Proof.
  exact (classes_are_proper classes L D places slopes symmetric (positive_slopes_are_not_negative _ _ signs) same p q).
Qed.

Theorem positive_slopes_but_for_places_are_strictly_proper p q :
  positive_forecast classes p -> positive_forecast classes q ->
  sum_over classes p = 1 -> sum_over classes q = 1 -> (exists i, (i < classes)%nat /\ p i <> q i) ->
  risk_under classes L q q < risk_under classes L p q.
Proof.
  exact (classes_are_strictly_proper classes L D places slopes symmetric (positive_slopes_are_not_negative _ _ signs)
    same p q signs).
Qed.

End PositiveSlopesButForPlaces.

Section PositiveSlopes.

Variables (classes : nat) (L : nat -> (nat -> R) -> R) (D : nat -> nat -> (nat -> R) -> R).
Hypotheses (slopes : all_sloped classes L D) (symmetric : symmetric_slopes classes D)
  (signs : slopes_positive classes D) (same : only_probabilities L).
Let nowhere (p q : nat -> R) : list R := nil.
Let sloped_everywhere := sloped_is_sloped_but_for classes L D nowhere slopes.

Theorem positive_slopes_are_proper p q : positive_forecast classes p -> positive_forecast classes q ->
  risk_under classes L q q <= risk_under classes L p q.
Proof.
  exact (positive_slopes_but_for_places_are_proper classes L D nowhere sloped_everywhere symmetric signs same p q).
Qed.

Theorem positive_slopes_are_strictly_proper p q : positive_forecast classes p -> positive_forecast classes q ->
  sum_over classes p = 1 -> sum_over classes q = 1 -> (exists i, (i < classes)%nat /\ p i <> q i) ->
  risk_under classes L q q < risk_under classes L p q.
Proof.
  exact (positive_slopes_but_for_places_are_strictly_proper
    classes L D nowhere sloped_everywhere symmetric signs same p q).
Qed.

End PositiveSlopes.

(** * Losses that are written down *)

Ltac each_class i := first [exfalso; lia | destruct i as [| i]; [| each_class i]].

(** The probabilities of a forecast, and those on the way to it, are positive. *)
Ltac parts_of P n :=
  lazymatch n with O => idtac | S ?m => pose proof (P m ltac:(lia)); parts_of P m end.
Ltac ways_of n m p q t P Q T :=
  lazymatch m with
  | O => idtac
  | S ?k => pose proof (way_is_positive n p q t k P Q T ltac:(lia)); ways_of n k p q t P Q T
  end.

(** A loss has its slopes: [unfolded] writes it, and them, by the probabilities. *)
Ltac sloped_loss_by unfolded :=
  let p := fresh "p" in let q := fresh "q" in let t := fresh "t" in
  let P := fresh "P" in let Q := fresh "Q" in let T := fresh "T" in
  intros p q t P Q T;
  match type of P with positive_forecast ?n _ => ways_of n n p q t P Q T end;
  unfold on_the_way in *; unfolded; auto_derive; [see |];
  repeat match goal with
  | |- context [q ?k + t * (p ?k - q ?k)] =>
      let x := fresh "x" in set (x := q k + t * (p k - q k)) in *; clearbody x
  end;
  repeat match goal with
  | |- context [p ?k - q ?k] => let v := fresh "v" in set (v := p k - q k) in *; clearbody v
  end;
  field; see.

Ltac symmetric_by_pairs :=
  let i := fresh "i" in let j := fresh "j" in intros i j p I J; each_class i; each_class j; reflexivity.
Ltac positive_by_pairs unfolded :=
  let i := fresh "i" in let j := fresh "j" in let N := fresh "N" in let P := fresh "P" in
  intros i j p I J N P; match type of P with positive_forecast ?n _ => parts_of P n end;
  each_class i; each_class j; first [exfalso; apply N; reflexivity | unfolded; see].
