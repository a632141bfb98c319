(** Rules whose threshold weight has atoms: the losses jump, each by its share of the mass.

    At an atom of mass [m] at [t] loss 0 jumps up by [t * m] and loss 1 down by [(1 - t) * m]: so do the losses of
    two known costs that sum to [m]. A tie [p = t] may be charged in any way that shares the atom. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints.
Import ListNotations.
Open Scope R_scope.

(** * Pieces that jump *)

Definition jumps (at_ mass : R) (P Q : piece) : Prop :=
  0 <= mass /\ loss0 Q at_ = loss0 P at_ + at_ * mass /\ loss1 Q at_ = loss1 P at_ - (1 - at_) * mass.

(** Neighbouring pieces from [a] to 1 that have the right slopes, and jump by shares of masses. *)
Fixpoint jumping_chain (a : R) (first : piece) (rest : list (R * piece)) (masses : list R) : Prop :=
  match rest, masses with
  | nil, _ => a <= 1 /\ slopes a 1 first
  | (at_, next) :: others, mass :: others' =>
      a <= at_ /\ slopes a at_ first /\ jumps at_ mass first next /\ jumping_chain at_ next others others'
  | _, nil => False
  end.

Lemma jumping_at_start part a first rest masses :
  jumping_chain a first rest masses -> joined part first rest a = part first a.
Proof.
  destruct rest as [| [at_ next] others]; intro H; [reflexivity |].
  destruct masses; [contradiction |]. destruct H as (Order & _).
  simpl. destruct (Rle_dec a at_); [reflexivity | lra].
Qed.

(** A belief below the atom prefers to stay before the jump, one above it prefers to be behind it. *)
Lemma before_jump at_ mass P Q q : jumps at_ mass P Q -> q <= at_ ->
  risk (loss0 P) (loss1 P) at_ q <= risk (loss0 Q) (loss1 Q) at_ q.
Proof.
  unfold risk. intros (M & -> & ->) H. apply (below_by (mass * (at_ - q))); [ring | apply Rmult_le_pos; lra].
Qed.
Lemma behind_jump at_ mass P Q q : jumps at_ mass P Q -> at_ <= q ->
  risk (loss0 Q) (loss1 Q) at_ q <= risk (loss0 P) (loss1 P) at_ q.
Proof.
  unfold risk. intros (M & -> & ->) H. apply (below_by (mass * (q - at_))); [ring | apply Rmult_le_pos; lra].
Qed.

(** Two reports on either side of a jump, or one of them at it. *)
Lemma truthful_across low high a at_ mass P Q T0 T1 :
  truthful_on (loss0 P) (loss1 P) low high a at_ -> jumps at_ mass P Q ->
  T0 at_ = loss0 Q at_ -> T1 at_ = loss1 Q at_ -> truthful_on T0 T1 low high at_ 1 ->
  forall x y, a <= x -> x <= at_ -> at_ < y -> 0 < x -> y < 1 ->
  forall L0 L1, L0 x = loss0 P x -> L1 x = loss1 P x -> L0 y = T0 y -> L1 y = T1 y ->
  truthful L0 L1 x y /\ (low <= x -> y <= high -> strictly_truthful L0 L1 x y).
Proof.
  intros A J E0 E1 B x y AX XA AY X0 Y1 L0 L1 F0 F1 G0 G1.
  destruct (B at_ y) as [T T']; try lra.
  pose proof (before_jump at_ mass P Q x J XA) as Before.
  pose proof (behind_jump at_ mass P Q y J (Rlt_le _ _ AY)) as Behind.
  pose proof (prefers_lower T0 T1 x at_ y XA AY T) as Lower.
  destruct (Rle_lt_or_eq_dec _ _ XA) as [XT | ->].
  - destruct (A x at_) as [S S']; try lra.
    pose proof (prefers_upper (loss0 P) (loss1 P) y x at_ (Rlt_le _ _ AY) XT S) as Upper.
    split; [| intros Low High; specialize (T' ltac:(lra) High); specialize (S' Low ltac:(lra))];
      unfold strictly_truthful, truthful, risk in *; rewrite F0, F1, G0, G1, E0, E1 in *; lra.
  - split; [| intros Low High; specialize (T' Low High)];
      unfold strictly_truthful, truthful, risk in *; rewrite F0, F1, G0, G1, E0, E1 in *; lra.
Qed.

Lemma jumping_chain_is_truthful low high a first rest masses :
  jumping_chain a first rest masses -> weighs_all low high a first rest ->
  truthful_on (joined loss0 first rest) (joined loss1 first rest) low high a 1.
Proof.
  revert a first masses; induction rest as [| [at_ next] others Rest]; intros a first masses H W.
  - apply piece_is_truthful; [exact (proj2 H) | exact W].
  - destruct masses as [| mass others']; [contradiction |].
    destruct H as (Order & Slopes & Jump & H), W as (Sign & W).
    pose proof (piece_is_truthful _ _ _ _ _ Slopes Sign) as Left.
    pose proof (Rest at_ next others' H W) as Right.
    intros x y AX XY YB X0 Y1. destruct (Rle_dec y at_) as [Y | Y]; [| destruct (Rle_dec x at_) as [X | X]].
    + refine (truthful_on_same low high a at_ (loss0 first) (loss1 first) _ _ _ Left x y AX XY Y X0 Y1).
      intros z Z; simpl. destruct (Rle_dec z at_); [split; reflexivity | lra].
    + apply (truthful_across low high a at_ mass first next
        (joined loss0 next others) (joined loss1 next others)); try assumption; try lra;
        try (apply (jumping_at_start _ _ _ _ _ H)); simpl;
        destruct (Rle_dec x at_), (Rle_dec y at_); (reflexivity || lra).
    + specialize (Right x y ltac:(lra) XY YB X0 Y1).
      unfold strictly_truthful, truthful, risk in *; simpl.
      destruct (Rle_dec x at_), (Rle_dec y at_); try lra; exact Right.
Qed.

Theorem proper_rule_with_atoms first rest masses :
  jumping_chain 0 first rest masses -> weighs_all 0 0 0 first rest ->
  Proper (joined loss0 first rest) (joined loss1 first rest).
Proof. intros H W. apply proper_if_truthful with 0 0. apply jumping_chain_is_truthful with masses; assumption. Qed.

Theorem strictly_proper_rule_with_atoms low high first rest masses :
  0 <= low -> high <= 1 -> jumping_chain 0 first rest masses -> weighs_all low high 0 first rest ->
  StrictlyProperOn low high (joined loss0 first rest) (joined loss1 first rest).
Proof.
  intros Low High H W. apply strictly_proper_if_truthful; try assumption.
  apply jumping_chain_is_truthful with masses; assumption.
Qed.

(** * Ties *)

(** A loss with another value at one report. *)
Definition with_tie (L : R -> R) (at_ value p : R) : R := if Req_EM_T p at_ then value else L p.

Lemma at_tie L at_ value : with_tie L at_ value at_ = value.
Proof. unfold with_tie. destruct (Req_EM_T at_ at_); [reflexivity | contradiction]. Qed.
Lemma beside_tie L at_ value p : p <> at_ -> with_tie L at_ value p = L p.
Proof. intro N. unfold with_tie. destruct (Req_EM_T p at_); [contradiction | reflexivity]. Qed.

Lemma solved a b c : a <> 0 -> a * b = c -> b = c / a.
Proof. intros A <-. field. exact A. Qed.

Section Tie.
Variables (L0 L1 : R -> R) (at_ mass : R).
Hypothesis within : 0 < at_ < 1.
Hypothesis proper : Proper L0 L1.
Hypothesis loss0_jumps : filterlim L0 (at_right at_) (locally (L0 at_ + at_ * mass)).
Hypothesis loss1_jumps : filterlim L1 (at_right at_) (locally (L1 at_ - (1 - at_) * mass)).

Lemma behind_the_atom q : 0 < q < 1 ->
  risk L0 L1 q q <= (1 - q) * (L0 at_ + at_ * mass) + q * (L1 at_ - (1 - at_) * mass).
Proof.
  intro Q. refine (limit_le (F := at_right at_) (fun _ => risk L0 L1 q q) _ _ _ (filterlim_const _)
    (risk_tends L0 L1 (fun _ => q) _ _ q loss0_jumps loss1_jumps (filterlim_const q)) _).
  apply filter_imp with (2 := right_of at_ 1 (proj2 within)). intros x X. apply proper; lra.
Qed.

(** What a tie adds to the losses, [x] to that before the jump and [y] to that behind it, must share the atom. *)
Theorem proper_if_tie_shares x y :
  0 <= x -> 0 <= y -> (1 - at_) * x + at_ * y = at_ * (1 - at_) * mass ->
  Proper (with_tie L0 at_ (L0 at_ + x)) (with_tie L1 at_ (L1 at_ - (1 - at_) * mass + y)).
Proof.
  intros X Y S p q P Q. destruct (Req_dec p at_) as [-> | PT], (Req_dec q at_) as [-> | QT]; [lra | | |];
    unfold risk; rewrite ?at_tie, ?beside_tie by assumption.
  - destruct (Rle_dec q at_) as [Below | Above].
    + apply Rle_trans with (risk L0 L1 at_ q); [apply proper; assumption |].
      apply (below_by (x * (at_ - q) / at_)); [| assert (0 <= at_ - q) by lra; see].
      unfold risk. rewrite (solved at_ y ((1 - at_) * (at_ * mass - x))) by lra. field. lra.
    + apply Rle_trans with (1 := behind_the_atom q Q).
      apply (below_by (y * (q - at_) / (1 - at_))); [| assert (0 <= q - at_) by lra; see].
      rewrite (solved (1 - at_) x (at_ * ((1 - at_) * mass - y))) by lra. field. lra.
  - apply Rle_trans with (risk L0 L1 at_ at_); [apply Req_le; unfold risk; lra | apply proper; assumption].
  - apply proper; assumption.
Qed.

Hypothesis loss0_from_left : filterlim L0 (at_left at_) (locally (L0 at_)).
Hypothesis loss1_from_left : filterlim L1 (at_left at_) (locally (L1 at_)).

Theorem tie_shares_if_proper x y :
  Proper (with_tie L0 at_ (L0 at_ + x)) (with_tie L1 at_ (L1 at_ - (1 - at_) * mass + y)) ->
  (1 - at_) * x + at_ * y = at_ * (1 - at_) * mass.
Proof.
  intro H. set (v0 := L0 at_ + x). set (v1 := L1 at_ - (1 - at_) * mass + y).
  assert (Itself : filterlim (fun q : R => q) (at_left at_) (locally at_)).
  { intros A [e E]. exists e. intros z Z _. apply E, Z. }
  assert (Own : risk L0 L1 at_ at_ <= (1 - at_) * v0 + at_ * v1).
  { refine (limit_le (F := at_left at_) _ _ _ _
      (risk_tends L0 L1 (fun q => q) _ _ at_ loss0_from_left loss1_from_left Itself)
      (risk_tends (fun _ => v0) (fun _ => v1) (fun q => q) _ _ at_ (filterlim_const _) (filterlim_const _) Itself) _).
    apply filter_imp with (2 := left_of 0 at_ (proj1 within)). intros q Q.
    pose proof (H at_ q within ltac:(lra)) as G. unfold risk in G.
    rewrite !at_tie, !beside_tie in G by lra. exact G. }
  assert (Other : (1 - at_) * v0 + at_ * v1 <= risk L0 L1 at_ at_).
  { refine (limit_le (F := at_left at_) (fun _ => (1 - at_) * v0 + at_ * v1) _ _ _ (filterlim_const _)
      (risk_tends L0 L1 (fun _ => at_) _ _ at_ loss0_from_left loss1_from_left (filterlim_const _)) _).
    apply filter_imp with (2 := left_of 0 at_ (proj1 within)). intros p P.
    pose proof (H p at_ ltac:(lra) within) as G. unfold risk in G.
    rewrite !at_tie, !beside_tie in G by lra. exact G. }
  unfold risk, v0, v1 in *. lra.
Qed.
End Tie.
