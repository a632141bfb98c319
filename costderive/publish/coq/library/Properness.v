(** Proper scoring rules for a binary event, from the slopes of their losses.

    A rule is a pair of losses of the report [p], one for each class. On each piece of (0, 1) they are closed
    forms with the slopes [p * weight p] and [- (1 - p) * weight p]. If the weight is not negative and the
    pieces join, then no report has a smaller risk than the belief itself; and where the weight is positive,
    every other report has a greater one. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(** * What is proved *)

(** The expected loss of the report [p] under the belief [q]. *)
Definition risk (L0 L1 : R -> R) (p q : R) : R := (1 - q) * L0 p + q * L1 p.

Definition Proper (L0 L1 : R -> R) : Prop :=
  forall p q, 0 < p < 1 -> 0 < q < 1 -> risk L0 L1 q q <= risk L0 L1 p q.

(** For beliefs in an interval every other report, wherever it is, has a greater risk. *)
Definition StrictlyProperOn (low high : R) (L0 L1 : R -> R) : Prop :=
  forall p q, 0 < p < 1 -> low < q < high -> p <> q -> risk L0 L1 q q < risk L0 L1 p q.

Definition StrictlyProper : (R -> R) -> (R -> R) -> Prop := StrictlyProperOn 0 1.

(** * Two reports *)

Section Reports.
Variables L0 L1 : R -> R.

(** Each of two reports is the better one under the belief that equals it. *)
Definition truthful (x y : R) : Prop :=
  risk L0 L1 x x <= risk L0 L1 y x /\ risk L0 L1 y y <= risk L0 L1 x y.
Definition strictly_truthful (x y : R) : Prop :=
  risk L0 L1 x x < risk L0 L1 y x /\ risk L0 L1 y y < risk L0 L1 x y.

Lemma strictly_truthful_is_truthful x y : strictly_truthful x y -> truthful x y.
Proof. intros [A B]; split; lra. Qed.

(** Between truthful reports loss 0 gains on loss 1. *)
Lemma losses_part x y : x < y -> truthful x y -> L0 x - L1 x <= L0 y - L1 y.
Proof.
  intros XY [A B]. apply Rmult_le_reg_l with (y - x); [lra |]. unfold risk in A, B. lra.
Qed.

(** So a belief below both prefers the lower one, and a belief above both the upper one. *)
Lemma prefers_lower q x y : q <= x -> x < y -> truthful x y -> risk L0 L1 x q <= risk L0 L1 y q.
Proof.
  intros QX XY T. pose proof (losses_part x y XY T) as S. destruct T as [A _].
  assert (0 <= (x - q) * ((L0 y - L1 y) - (L0 x - L1 x))) by (apply Rmult_le_pos; lra).
  unfold risk in *. lra.
Qed.

Lemma prefers_upper q x y : y <= q -> x < y -> truthful x y -> risk L0 L1 y q <= risk L0 L1 x q.
Proof.
  intros YQ XY T. pose proof (losses_part x y XY T) as S. destruct T as [_ B].
  assert (0 <= (q - y) * ((L0 y - L1 y) - (L0 x - L1 x))) by (apply Rmult_le_pos; lra).
  unfold risk in *. lra.
Qed.

Lemma truthful_through x m y :
  x < m -> m < y -> truthful x m -> truthful m y -> truthful x y.
Proof.
  intros XM MY T U.
  pose proof (prefers_lower x m y (Rlt_le _ _ XM) MY U).
  pose proof (prefers_upper y x m (Rlt_le _ _ MY) XM T).
  destruct T, U; split; lra.
Qed.

Lemma strictly_truthful_through x m y :
  x < m -> m < y -> strictly_truthful x m -> strictly_truthful m y -> strictly_truthful x y.
Proof.
  intros XM MY T U.
  pose proof (prefers_lower x m y (Rlt_le _ _ XM) MY (strictly_truthful_is_truthful _ _ U)).
  pose proof (prefers_upper y x m (Rlt_le _ _ MY) XM (strictly_truthful_is_truthful _ _ T)).
  destruct T, U; split; lra.
Qed.

(** * Intervals *)

(** All pairs of reports in [[a, b]] are truthful, and strictly so those in [[low, high]]. *)
Definition truthful_on (low high a b : R) : Prop :=
  forall x y, a <= x -> x < y -> y <= b -> 0 < x -> y < 1 ->
    truthful x y /\ (low <= x -> y <= high -> strictly_truthful x y).

Lemma truthful_on_both low high a b c :
  truthful_on low high a b -> truthful_on low high b c -> truthful_on low high a c.
Proof.
  intros A B x y AX XY YC X0 Y1.
  destruct (Rle_dec y b); [apply A; lra |].
  destruct (Rle_dec b x); [apply B; lra |].
  destruct (A x b) as [T T']; try lra. destruct (B b y) as [U U']; try lra.
  split; [apply truthful_through with b; (assumption || lra) |].
  intros; apply strictly_truthful_through with b; try lra; [apply T' | apply U']; lra.
Qed.

Lemma proper_if_truthful low high : truthful_on low high 0 1 -> Proper L0 L1.
Proof.
  intros T p q P Q. destruct (Rtotal_order p q) as [PQ | [-> | QP]]; [| lra |].
  - destruct (T p q) as [[A B] _]; lra.
  - destruct (T q p) as [[A B] _]; lra.
Qed.

(** A belief in the strict interval beats a report outside it through one half of the way to the boundary. *)
Lemma strictly_proper_if_truthful low high :
  0 <= low -> high <= 1 -> truthful_on low high 0 1 -> StrictlyProperOn low high L0 L1.
Proof.
  intros Low High T p q P Q N. destruct (Rtotal_order p q) as [PQ | [PQ | QP]]; [| lra |].
  - destruct (Rle_dec low p) as [In | Out].
    + destruct (T p q) as [_ S]; try lra. destruct S; lra.
    + set (m := (low + q) / 2). assert (p < m < q /\ low <= m) by (unfold m; lra).
      destruct (T m q) as [_ S]; try lra. destruct (T p m) as [U _]; try lra.
      pose proof (prefers_upper q p m ltac:(lra) ltac:(lra) U). destruct S; lra.
  - destruct (Rle_dec p high) as [In | Out].
    + destruct (T q p) as [_ S]; try lra. destruct S; lra.
    + set (m := (q + high) / 2). assert (q < m < p /\ m <= high) by (unfold m; lra).
      destruct (T q m) as [_ S]; try lra. destruct (T m p) as [U _]; try lra.
      pose proof (prefers_lower q m p ltac:(lra) ltac:(lra) U). destruct S; lra.
Qed.

End Reports.

Lemma truthful_on_same low high a b L0 L1 M0 M1 :
  (forall x, a <= x <= b -> L0 x = M0 x /\ L1 x = M1 x) ->
  truthful_on L0 L1 low high a b -> truthful_on M0 M1 low high a b.
Proof.
  intros E T x y AX XY YB X0 Y1. specialize (T x y AX XY YB X0 Y1).
  unfold strictly_truthful, truthful, risk in *.
  destruct (E x ltac:(lra)) as [<- <-], (E y ltac:(lra)) as [<- <-]. exact T.
Qed.

(** * Pieces *)

Record piece := Piece { loss0 : R -> R; loss1 : R -> R; weight : R -> R }.

(** A function of several pieces: each breakpoint belongs to the piece on its left. *)
Fixpoint joined (part : piece -> R -> R) (first : piece) (rest : list (R * piece)) (p : R) : R :=
  match rest with
  | nil => part first p
  | (at_, next) :: others => if Rle_dec p at_ then part first p else joined part next others p
  end.

(** The closed forms of a piece are continuous on it, ends included, and have the right slopes inside. *)
Definition slopes (a b : R) (P : piece) : Prop :=
  (forall p, a <= p <= b -> 0 < p < 1 -> continuity_pt (loss0 P) p /\ continuity_pt (loss1 P) p) /\
  (forall p, a < p < b -> 0 < p < 1 ->
     is_derive (loss0 P) p (p * weight P p) /\ is_derive (loss1 P) p (- (1 - p) * weight P p)).

(** Most closed forms are differentiable at the ends of their piece as well. *)
Lemma slopes_everywhere a b P :
  (forall p, a <= p <= b -> 0 < p < 1 -> is_derive (loss0 P) p (p * weight P p)) ->
  (forall p, a <= p <= b -> 0 < p < 1 -> is_derive (loss1 P) p (- (1 - p) * weight P p)) ->
  slopes a b P.
Proof.
  intros D0 D1; split; intros p Hp Hp1.
  - split; apply derivable_continuous_pt; eexists; apply is_derive_Reals; [apply D0 | apply D1]; assumption.
  - split; [apply D0 | apply D1]; lra.
Qed.

Ltac slopes_of piece :=
  apply slopes_everywhere; intros p Within Unit; unfold piece, Rpower; cbn [loss0 loss1 weight].

(** A root that is 0 at the end of a piece has no slope there. *)
Ltac slopes_inside piece := split; intros p Within Unit; unfold piece, Rpower; cbn [loss0 loss1 weight]; split.

Definition not_negative (a b : R) (P : piece) : Prop := forall p, a < p < b -> 0 < p < 1 -> 0 <= weight P p.
Definition positive (a b : R) (P : piece) : Prop := forall p, a < p < b -> 0 < p < 1 -> 0 < weight P p.
Definition joins (at_ : R) (P Q : piece) : Prop := loss0 P at_ = loss0 Q at_ /\ loss1 P at_ = loss1 Q at_.

Lemma positive_is_not_negative a b P : positive a b P -> not_negative a b P.
Proof. intros H p Hp Hp1. apply Rlt_le, H; assumption. Qed.

(** What is asked of the weight of a piece: its sign, and that it is positive in the strict interval. *)
Definition weighs (low high a b : R) (P : piece) : Prop :=
  not_negative a b P /\ forall p, a < p < b -> 0 < p < 1 -> low < p < high -> 0 < weight P p.

Lemma weighs_if_positive low high a b P : positive a b P -> weighs low high a b P.
Proof. intro H; split; [apply positive_is_not_negative, H | intros p Hp Hp1 _; apply H; assumption]. Qed.

(** A piece outside the strict interval need not have a positive weight. *)
Lemma weighs_if_outside low high a b P :
  b <= low \/ high <= a \/ high <= low -> not_negative a b P -> weighs low high a b P.
Proof. intros Out H; split; [exact H | intros p Hp _ Hs; exfalso; lra]. Qed.

(** By the mean value theorem the risk changes by [weight c * (c - q) * (y - x)] for some [c] in between. *)
Lemma change_of_risk a b P x y q :
  slopes a b P -> a <= x -> x < y -> y <= b -> 0 < x -> y < 1 ->
  exists c, x < c < y /\
    risk (loss0 P) (loss1 P) y q - risk (loss0 P) (loss1 P) x q = weight P c * (c - q) * (y - x).
Proof.
  intros [Continuous Differentiable] AX XY YB X0 Y1.
  pose (f := fun p => risk (loss0 P) (loss1 P) p q).
  assert (Slope : forall c, x < c < y -> derivable_pt_lim f c (weight P c * (c - q))).
  { intros c C. destruct (Differentiable c ltac:(lra) ltac:(lra)) as [D0 D1].
    apply is_derive_Reals in D0. apply is_derive_Reals in D1.
    replace (weight P c * (c - q)) with ((1 - q) * (c * weight P c) + q * (- (1 - c) * weight P c)) by ring.
    apply (derivable_pt_lim_plus (fun p => (1 - q) * loss0 P p) (fun p => q * loss1 P p));
      apply derivable_pt_lim_scal; assumption. }
  destruct (MVT f id x y (fun c C => exist _ _ (Slope c C)) (fun c _ => derivable_pt_id c)) as (c & C & E).
  - exact XY.
  - intros c C. destruct (Continuous c ltac:(lra) ltac:(lra)) as [C0 C1].
    apply (continuity_pt_plus (fun p => (1 - q) * loss0 P p) (fun p => q * loss1 P p));
      apply continuity_pt_scal; assumption.
  - intros c _. apply derivable_continuous_pt, derivable_pt_id.
  - exists c; split; [exact C |]. rewrite derive_pt_id in E. unfold derive_pt, id in E; simpl in E.
    unfold f in E. lra.
Qed.

Lemma piece_is_truthful low high a b P :
  slopes a b P -> weighs low high a b P -> truthful_on (loss0 P) (loss1 P) low high a b.
Proof.
  intros S [Sign Strict] x y AX XY YB X0 Y1.
  destruct (change_of_risk a b P x y x S) as (c & C & E); try assumption.
  destruct (change_of_risk a b P x y y S) as (d & D & F); try assumption.
  split; [split | intros Low High; split].
  - assert (0 <= weight P c * (c - x) * (y - x)); [| lra].
    repeat apply Rmult_le_pos; try lra. apply Sign; lra.
  - assert (0 <= weight P d * (y - d) * (y - x)); [| lra].
    repeat apply Rmult_le_pos; try lra. apply Sign; lra.
  - assert (0 < weight P c * (c - x) * (y - x)); [| lra].
    repeat apply Rmult_lt_0_compat; try lra. apply Strict; lra.
  - assert (0 < weight P d * (y - d) * (y - x)); [| lra].
    repeat apply Rmult_lt_0_compat; try lra. apply Strict; lra.
Qed.

(** * The rule *)

(** Neighbouring pieces from [a] to 1 that have the right slopes and join. *)
Fixpoint chain (a : R) (first : piece) (rest : list (R * piece)) : Prop :=
  match rest with
  | nil => a <= 1 /\ slopes a 1 first
  | (at_, next) :: others => a <= at_ /\ slopes a at_ first /\ joins at_ first next /\ chain at_ next others
  end.

Fixpoint weighs_all (low high a : R) (first : piece) (rest : list (R * piece)) : Prop :=
  match rest with
  | nil => weighs low high a 1 first
  | (at_, next) :: others => weighs low high a at_ first /\ weighs_all low high at_ next others
  end.

(** The weights of all pieces, one after the other, by the sign that each is known to have. *)
Ltac each_weight := cbn [weighs_all]; repeat match goal with |- _ /\ _ => split end.
Ltac weighs_by sign := first [exact (weighs_if_positive _ _ _ _ _ sign) | apply weighs_if_outside; [lra | exact sign]].
Ltac weight_of piece := intros p Within Unit; unfold piece; cbn [weight].

Lemma joined_at_start part a first rest : chain a first rest -> joined part first rest a = part first a.
Proof.
  destruct rest as [| [at_ next] others]; intro H; [reflexivity |]. destruct H as (Order & _).
  simpl. destruct (Rle_dec a at_); [reflexivity | lra].
Qed.

Lemma chain_is_truthful low high a first rest :
  chain a first rest -> weighs_all low high a first rest ->
  truthful_on (joined loss0 first rest) (joined loss1 first rest) low high a 1.
Proof.
  revert a first; induction rest as [| [at_ next] others Rest]; intros a first H W.
  - apply piece_is_truthful; [exact (proj2 H) | exact W].
  - destruct H as (Order & Slopes & (J0 & J1) & H), W as (Sign & W). apply truthful_on_both with at_.
    + apply truthful_on_same with (loss0 first) (loss1 first); [| apply piece_is_truthful; assumption].
      intros x X; simpl. destruct (Rle_dec x at_); [split; reflexivity | lra].
    + apply truthful_on_same with (joined loss0 next others) (joined loss1 next others); [| apply Rest; assumption].
      intros x X; simpl. destruct (Rle_dec x at_); [| split; reflexivity].
      replace x with at_ by lra. rewrite !(joined_at_start _ at_) by exact H. split; symmetry; assumption.
Qed.

Theorem proper_rule first rest :
  chain 0 first rest -> weighs_all 0 0 0 first rest ->
  Proper (joined loss0 first rest) (joined loss1 first rest).
Proof. intros H W. apply proper_if_truthful with 0 0. apply chain_is_truthful; assumption. Qed.

Theorem strictly_proper_rule low high first rest :
  0 <= low -> high <= 1 -> chain 0 first rest -> weighs_all low high 0 first rest ->
  StrictlyProperOn low high (joined loss0 first rest) (joined loss1 first rest).
Proof. intros Low High H W. apply strictly_proper_if_truthful; try assumption. apply chain_is_truthful; assumption. Qed.

(** * Signs from properness *)

(** A function that falls nowhere has no negative slope. *)
Lemma slope_if_not_falling (f : R -> R) x d a b : a < x < b -> is_derive f x d ->
  (forall u v, a < u -> u < v -> v < b -> f u <= f v) -> 0 <= d.
Proof.
  intros X D Rises. apply Rnot_lt_le. intro N. apply is_derive_Reals in D.
  destruct (D (- d) ltac:(lra)) as [e Near]. set (h := Rmin (e / 2) ((b - x) / 2)).
  assert (E : 0 < e) by apply cond_pos. assert (H : 0 < h) by (apply Rmin_glb_lt; lra).
  assert (HE : h <= e / 2) by apply Rmin_l. assert (HB : h <= (b - x) / 2) by apply Rmin_r. clearbody h.
  specialize (Near h ltac:(lra)). rewrite (Rabs_right h) in Near by lra. specialize (Near ltac:(lra)).
  specialize (Rises x (x + h) ltac:(lra) ltac:(lra) ltac:(lra)).
  assert (0 <= (f (x + h) - f x) / h).
  { apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, H]. }
  rewrite Rabs_right in Near by lra. lra.
Qed.

(** If losses that are known to be proper have the slopes of a weight, it is nowhere negative: loss 0 gains on loss 1
    at its rate. *)
Lemma not_negative_if_proper L0 L1 a b P : Proper L0 L1 -> slopes a b P ->
  (forall p, a < p < b -> 0 < p < 1 -> L0 p = loss0 P p /\ L1 p = loss1 P p) -> not_negative a b P.
Proof.
  intros H [_ S] E p Within Unit. destruct (S p Within Unit) as [S0 S1].
  apply (slope_if_not_falling (fun p => loss0 P p - loss1 P p) p _ (Rmax a 0) (Rmin b 1)).
  - split; [apply Rmax_lub_lt | apply Rmin_glb_lt]; lra.
  - replace (weight P p) with (p * weight P p - - (1 - p) * weight P p) by ring. apply (is_derive_minus (V := R_NormedModule)); assumption.
  - intros u v U UV V. pose proof (Rmax_l a 0). pose proof (Rmax_r a 0). pose proof (Rmin_l b 1). pose proof (Rmin_r b 1).
    destruct (E u ltac:(lra) ltac:(lra)) as [<- <-], (E v ltac:(lra) ltac:(lra)) as [<- <-].
    apply losses_part; [exact UV |]. split; apply H; lra.
Qed.
