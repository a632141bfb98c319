From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs.
Import ListNotations.
Open Scope R_scope.
(** * The losses are the expected costs

    If the threshold weight of a rule is all of the cost that the curves spread over a threshold, and the losses jump by
    what the points cost, then the losses are the expected costs. *)

(** What the jumps before the report add to loss 0, and those behind it to loss 1. *)
Fixpoint jumped (class : bool) (rest : list (R * piece)) (masses : list R) (p : R) : R :=
  match rest, masses with
  | (at_, _) :: others, mass :: others' =>
      (if Rlt_dec at_ p then (if class then 0 else at_ * mass) else (if class then (1 - at_) * mass else 0))
      + jumped class others others' p
  | _, _ => 0
  end.

Lemma jumped_before class a P rest masses x y : jumping_chain a P rest masses -> x <= a -> y <= a ->
  jumped class rest masses x = jumped class rest masses y.
Proof.
  revert a P masses; induction rest as [| [b Q] others Rest]; intros a P masses H X Y; [reflexivity |].
  destruct masses as [| m masses]; [contradiction |]. destruct H as (Order & _ & _ & H). simpl.
  rewrite (Rest b Q masses H) by lra. destruct (Rlt_dec b x), (Rlt_dec b y); lra.
Qed.

(** A loss without its jumps is continuous, and the integral of its slope. *)
Definition level (class : bool) (P : piece) (rest : list (R * piece)) (masses : list R) (p : R) : R :=
  joined (loss_of class) P rest p - jumped class rest masses p.

Lemma integral_of_piece class a b P x y :
  slopes a b P -> (forall s, a <= s <= b -> 0 < s < 1 -> continuous (weight P) s) ->
  a <= x -> x <= y -> y <= b -> 0 < x -> y < 1 ->
  is_RInt (fun s => factor class s * weight P s) x y (loss_of class P y - loss_of class P x).
Proof.
  intros [C D] W AX XY YB X Y.
  apply (integral_of_slope (loss_of class P)); [exact XY | | |]; intros s S.
  - destruct class; apply C; lra.
  - destruct class; apply D; lra.
  - apply (continuous_mult (factor class) (weight P)); [apply continuous_factor | apply W; lra].
Qed.

Lemma integral_of_level class a P rest masses : jumping_chain a P rest masses -> steady a P rest ->
  forall x y, a <= x -> x <= y -> 0 < x -> y < 1 ->
  is_RInt (fun s => factor class s * joined weight P rest s) x y
    (level class P rest masses y - level class P rest masses x).
Proof.
  revert a P masses; induction rest as [| [b Q] others Rest]; intros a P masses H S x y AX XY X Y.
  - destruct H as (_ & H). unfold level; simpl.
    replace (_ - 0 - _) with (loss_of class P y - loss_of class P x) by ring.
    apply (integral_of_piece class a 1); try assumption; [intros s S' U; apply S; lra | lra].
  - destruct masses as [| m masses]; [contradiction |]. destruct H as (Order & Slopes & J & H), S as (SP & S).
    pose proof (jumping_at_start (loss_of class) b Q others masses H) as Start.
    assert (Jump : loss_of class Q b = loss_of class P b + factor class b * m)
      by (destruct J as (_ & J0 & J1); destruct class; unfold factor; simpl in *; lra).
    assert (Left : forall u v, a <= u -> u <= v -> v <= b -> 0 < u -> v < 1 ->
      is_RInt (fun s => factor class s * joined weight P ((b, Q) :: others) s) u v
        (level class P ((b, Q) :: others) (m :: masses) v - level class P ((b, Q) :: others) (m :: masses) u)).
    { intros u v U UV V U0 V1. unfold level. rewrite !joined_left by lra.
      replace (_ - _ - _) with (loss_of class P v - loss_of class P u).
      - apply is_RInt_ext with (fun s => factor class s * weight P s).
        + rewrite Rmin_left, Rmax_right by lra. intros s I. rewrite joined_left by lra. reflexivity.
        + apply (integral_of_piece class a b); assumption.
      - simpl. rewrite (jumped_before class b Q others masses u v H) by lra.
        destruct (Rlt_dec b u), (Rlt_dec b v); lra. }
    assert (Right : forall u v, b <= u -> u <= v -> 0 < u -> v < 1 ->
      is_RInt (fun s => factor class s * joined weight P ((b, Q) :: others) s) u v
        (level class P ((b, Q) :: others) (m :: masses) v - level class P ((b, Q) :: others) (m :: masses) u)).
    { intros u v U UV U0 V1.
      assert (E : forall t, b <= t -> level class P ((b, Q) :: others) (m :: masses) t
                  = level class Q others masses t - (if class then 0 else b * m)).
      { intros t T. unfold level. simpl. destruct (Rle_dec t b), (Rlt_dec b t); try lra.
        replace t with b by lra. rewrite Start, Jump. unfold factor. destruct class; lra. }
      rewrite (E u), (E v) by lra.
      replace (_ - _ - _) with (level class Q others masses v - level class Q others masses u)
        by ring.
      apply is_RInt_ext with (fun s => factor class s * joined weight Q others s).
      - rewrite Rmin_left, Rmax_right by lra. intros s I. simpl. destruct (Rle_dec s b); [lra | reflexivity].
      - apply (Rest b Q masses H S); assumption. }
    destruct (Rle_dec y b); [apply Left; lra |]. destruct (Rle_dec b x); [apply Right; lra |].
    replace (_ - _) with (plus (level class P ((b, Q) :: others) (m :: masses) b
        - level class P ((b, Q) :: others) (m :: masses) x)
      (level class P ((b, Q) :: others) (m :: masses) y - level class P ((b, Q) :: others) (m :: masses) b))
      by (unfold plus; simpl; ring).
    refine (is_RInt_Chasles (V := R_NormedModule) _ _ b _ _ _ _ _); [apply Left | apply Right]; lra.
Qed.

(** Near the end where its class is certain nothing has jumped. *)
Lemma jumped_at_0 a P rest masses : 0 <= a -> jumping_chain a P rest masses ->
  at_right 0 (fun x => jumped false rest masses x = 0).
Proof.
  revert a P masses; induction rest as [| [b Q] others Rest]; intros a P masses A H; [apply filter_forall; reflexivity |].
  destruct masses as [| m masses]; [contradiction |]. destruct H as (Order & _ & _ & H).
  assert (B : at_right 0 (fun x => (if Rlt_dec b x then b * m else 0) = 0)).
  { destruct (Req_dec b 0) as [-> | N]; [apply filter_forall; intro x; destruct (Rlt_dec 0 x); ring |].
    apply filter_imp with (2 := right_of 0 b ltac:(lra)). intros x X. destruct (Rlt_dec b x); [lra | reflexivity]. }
  apply filter_imp with (2 := filter_and _ _ B (Rest b Q masses ltac:(lra) H)).
  intros x [U V]. simpl. rewrite V. destruct (Rlt_dec b x); lra.
Qed.
Lemma jumped_at_1 a P rest masses : jumping_chain a P rest masses ->
  at_left 1 (fun x => jumped true rest masses x = 0).
Proof.
  revert a P masses; induction rest as [| [b Q] others Rest]; intros a P masses H; [apply filter_forall; reflexivity |].
  destruct masses as [| m masses]; [contradiction |]. destruct H as (_ & _ & _ & H).
  assert (B1 : b <= 1).
  { clear Rest. revert b Q masses H. induction others as [| [c T] others Rest]; intros b Q masses H; [apply H |].
    destruct masses; [contradiction |]. destruct H as (Order & _ & _ & H). apply Rest in H. lra. }
  assert (B : at_left 1 (fun x => (if Rlt_dec b x then 0 else (1 - b) * m) = 0)).
  { destruct (Req_dec b 1) as [-> | N]; [apply filter_forall; intro x; destruct (Rlt_dec 1 x); ring |].
    apply filter_imp with (2 := left_of b 1 ltac:(lra)). intros x X. destruct (Rlt_dec b x); [reflexivity | lra]. }
  apply filter_imp with (2 := filter_and _ _ B (Rest b Q masses H)).
  intros x [U V]. simpl. rewrite V. destruct (Rlt_dec b x); lra.
Qed.

Lemma integral_of_nothing a b : is_RInt (fun _ : R => 0) a b 0.
Proof.
  assert (H : forall v, is_RInt (fun _ : R => 0) a b v -> v = 0 -> is_RInt (fun _ : R => 0) a b 0)
    by (intros v V E; rewrite E in V; exact V).
  apply (H _ (is_RInt_const a b 0)). unfold scal; simpl; unfold mult; simpl; ring.
Qed.

(** The integral of a function from its increments, and their limits at 0 and 1. *)
Lemma integral_by_increments (f F : R -> R) a b :
  (forall x y, 0 < x -> x < 1 / 2 -> 1 / 2 < y -> y < 1 -> is_RInt f x y (F y - F x)) ->
  tends_at_0 F a -> tends_at_1 F b -> integral_on_unit f (b - a).
Proof.
  intros H A B P [e E].
  apply (proj1 (filterlim_locally _ _)) with (eps := pos_div_2 e) in A.
  apply (proj1 (filterlim_locally _ _)) with (eps := pos_div_2 e) in B.
  exists (fun x => 0 < x < 1 / 2 /\ ball a (pos_div_2 e) (F x))
         (fun x => 1 / 2 < x < 1 /\ ball b (pos_div_2 e) (F x)).
  - exact (filter_and _ _ near_0 A).
  - exact (filter_and _ _ near_1 B).
  - intros x y [X Near] [Y Near']. exists (F y - F x). split; [simpl; apply H; lra |].
    apply ball_between in Near, Near'. simpl in Near, Near'. apply E, ball_between. lra.
Qed.

(** What is paid only below p, and what is paid only above it. *)
Lemma integral_below (f F : R -> R) p : 0 < p < 1 ->
  (forall x y, 0 < x -> x <= y -> y < 1 -> is_RInt f x y (F y - F x)) -> tends_at_0 F 0 ->
  integral_on_unit (fun s => if Rlt_dec s p then f s else 0) (F p).
Proof.
  intros P H A. replace (F p) with (F p - 0) by ring.
  apply (integral_by_increments _ (fun x => if Rle_dec x p then F x else F p)).
  - intros x y X X' Y' Y.
    assert (Below : forall u v, 0 < u -> u <= v -> v <= p ->
      is_RInt (fun s => if Rlt_dec s p then f s else 0) u v (F v - F u)).
    { intros u v U UV V. apply is_RInt_ext with f; [| apply H; lra].
      rewrite Rmin_left, Rmax_right by lra. intros s S. destruct (Rlt_dec s p); [reflexivity | lra]. }
    assert (Above : forall u v, p <= u -> u <= v -> is_RInt (fun s => if Rlt_dec s p then f s else 0) u v 0).
    { intros u v U UV. apply is_RInt_ext with (fun _ => 0).
      - rewrite Rmin_left, Rmax_right by lra. intros s S. destruct (Rlt_dec s p); [lra | reflexivity].
      - apply integral_of_nothing. }
    destruct (Rle_dec x p), (Rle_dec y p); try (exfalso; lra).
    + apply Below; lra.
    + replace (F p - F x) with (plus (F p - F x) 0) by (unfold plus; simpl; ring).
      refine (is_RInt_Chasles (V := R_NormedModule) _ _ p _ _ _ _ _); [apply Below | apply Above]; lra.
    + replace (F p - F p) with 0 by ring. apply Above; lra.
  - apply filterlim_ext_loc with F; [| exact A]. apply filter_imp with (2 := right_of 0 p (proj1 P)).
    intros x X. destruct (Rle_dec x p); [reflexivity | lra].
  - apply filterlim_ext_loc with (fun _ => F p); [| apply filterlim_const].
    apply filter_imp with (2 := left_of p 1 (proj2 P)). intros x X. destruct (Rle_dec x p); [lra | reflexivity].
Qed.

Lemma integral_after (f F : R -> R) p : 0 < p < 1 ->
  (forall x y, 0 < x -> x <= y -> y < 1 -> is_RInt f x y (F y - F x)) -> tends_at_1 F 0 ->
  integral_on_unit (fun s => if Rlt_dec s p then 0 else f s) (- F p).
Proof.
  intros P H B. replace (- F p) with (0 - F p) by ring.
  apply (integral_by_increments _ (fun x => if Rle_dec p x then F x else F p)).
  - intros x y X X' Y' Y.
    assert (Above : forall u v, p <= u -> u <= v -> v < 1 ->
      is_RInt (fun s => if Rlt_dec s p then 0 else f s) u v (F v - F u)).
    { intros u v U UV V. apply is_RInt_ext with f; [| apply H; lra].
      rewrite Rmin_left, Rmax_right by lra. intros s S. destruct (Rlt_dec s p); [lra | reflexivity]. }
    assert (Below : forall u v, u <= v -> v <= p -> is_RInt (fun s => if Rlt_dec s p then 0 else f s) u v 0).
    { intros u v UV V. apply is_RInt_ext with (fun _ => 0).
      - rewrite Rmin_left, Rmax_right by lra. intros s S. destruct (Rlt_dec s p); [reflexivity | lra].
      - apply integral_of_nothing. }
    destruct (Rle_dec p x), (Rle_dec p y); try (exfalso; lra).
    + apply Above; lra.
    + replace (F y - F p) with (plus 0 (F y - F p)) by (unfold plus; simpl; ring).
      refine (is_RInt_Chasles (V := R_NormedModule) _ _ p _ _ _ _ _); [apply Below | apply Above]; lra.
    + replace (F p - F p) with 0 by ring. apply Below; lra.
  - apply filterlim_ext_loc with (fun _ => F p); [| apply filterlim_const].
    apply filter_imp with (2 := right_of 0 p (proj1 P)). intros x X. destruct (Rle_dec p x); [lra | reflexivity].
  - apply filterlim_ext_loc with F; [| exact B]. apply filter_imp with (2 := left_of p 1 (proj2 P)).
    intros x X. destruct (Rle_dec p x); [reflexivity | lra].
Qed.

(** ** Costs at the threshold s: both are its shares of their sum *)

Definition at_thresholds (C : curve) : Prop :=
  forall s, 0 < s < 1 -> start C < s -> s <= stop C ->
    0 < along0 C s + along1 C s /\ along0 C s = s * (along0 C s + along1 C s).

Lemma threshold_is_parameter C s : at_thresholds C -> 0 < s < 1 -> start C < s -> s <= stop C ->
  along0 C s / (along0 C s + along1 C s) = s /\
  along1 C s = (1 - s) * (along0 C s + along1 C s).
Proof.
  intros T S L H. destruct (T s S L H) as [Positive E]. split; [| lra].
  apply (Rmult_eq_reg_r (along0 C s + along1 C s)); [| lra]. rewrite <- E. field. lra.
Qed.

Lemma paid_on_curves p curves s : List.Forall at_thresholds curves -> 0 < s < 1 ->
  on_curves (pay0 p) curves s = (if Rlt_dec s p then factor false s * on_curves Rplus curves s else 0) /\
  on_curves (pay1 p) curves s = (if Rlt_dec s p then 0 else - (factor true s * on_curves Rplus curves s)).
Proof.
  intros T S. induction T as [| C others TC T [I J]]; simpl.
  - split; destruct (Rlt_dec s p); ring.
  - rewrite I, J. unfold on_curve, pay0, pay1, factor.
    destruct (Rlt_dec (start C) s) as [L |]; [destruct (Rle_dec s (stop C)) as [H |] |].
    + destruct (threshold_is_parameter C s TC S L H) as [E F]. destruct (TC s S L H) as [_ G]. rewrite E.
      destruct (Rlt_dec s p); split; try ring; [rewrite G at 1 | rewrite F at 1]; ring.
    + destruct (Rlt_dec s p); split; ring.
    + destruct (Rlt_dec s p); split; ring.
Qed.

Section Losses.
Variables (P : piece) (rest : list (R * piece)) (masses : list R) (curves : list curve) (points : list point).
Hypothesis pieces : jumping_chain 0 P rest masses.
Hypothesis steady_pieces : steady 0 P rest.
Hypothesis thresholds : List.Forall at_thresholds curves.
Hypothesis all_of_the_cost : forall s, 0 < s < 1 -> on_curves Rplus curves s = joined weight P rest s.

Theorem loss0_is_expected : tends_at_0 (joined loss0 P rest) 0 ->
  (forall p, 0 < p < 1 -> on_points (pay0 p) points = jumped false rest masses p) ->
  forall p, 0 < p < 1 -> expected curves points (pay0 p) (joined loss0 P rest p).
Proof.
  intros Start Jumps p Unit. exists (level false P rest masses p). split.
  - apply integral_on_unit_ext with (fun s => if Rlt_dec s p then factor false s * joined weight P rest s else 0).
    + intros s S. rewrite (proj1 (paid_on_curves p curves s thresholds S)), all_of_the_cost by exact S. reflexivity.
    + apply (integral_below _ (level false P rest masses)); [exact Unit | |].
      * intros x y X XY Y. apply (integral_of_level false 0); try assumption. lra.
      * apply filterlim_ext_loc with (2 := Start).
        apply filter_imp with (2 := jumped_at_0 0 P rest masses (Rle_refl 0) pieces).
        intros x X. unfold level. rewrite X. simpl. ring.
  - rewrite Jumps by exact Unit. unfold level. simpl. ring.
Qed.

Theorem loss1_is_expected : tends_at_1 (joined loss1 P rest) 0 ->
  (forall p, 0 < p < 1 -> on_points (pay1 p) points = jumped true rest masses p) ->
  forall p, 0 < p < 1 -> expected curves points (pay1 p) (joined loss1 P rest p).
Proof.
  intros End Jumps p Unit. exists (level true P rest masses p). split.
  - apply integral_on_unit_ext with
      (fun s => if Rlt_dec s p then 0 else - (factor true s * joined weight P rest s)).
    + intros s S. rewrite (proj2 (paid_on_curves p curves s thresholds S)), all_of_the_cost by exact S. reflexivity.
    + replace (level true P rest masses p) with (- - level true P rest masses p) by ring.
      apply (integral_after _ (fun x => - level true P rest masses x)); [exact Unit | |].
      * intros x y X XY Y.
        replace (- _ - - _) with (opp (level true P rest masses y - level true P rest masses x))
          by (unfold opp; simpl; ring).
        apply @is_RInt_opp. apply (integral_of_level true 0); try assumption. lra.
      * replace 0 with (- 0) by ring.
        apply (limit_of_smooth (level true P rest masses) Ropp); [| auto_derive; exact I].
        apply filterlim_ext_loc with (2 := End).
        apply filter_imp with (2 := jumped_at_1 0 P rest masses pieces).
        intros x X. unfold level. rewrite X. simpl. ring.
  - rewrite Jumps by exact Unit. unfold level. simpl. ring.
Qed.
End Losses.

(** ** Pieces that join *)

Definition no_masses (rest : list (R * piece)) : list R := List.map (fun _ => 0) rest.
Lemma chain_without_jumps a P rest : chain a P rest -> jumping_chain a P rest (no_masses rest).
Proof.
  revert a P; induction rest as [| [b Q] others Rest]; intros a P H; [exact H |].
  destruct H as (Order & Slopes & [J0 J1] & H). simpl. repeat split; try assumption; try lra; try apply Slopes; try assumption.
  apply Rest, H.
Qed.
Lemma nothing_jumped class rest p : jumped class rest (no_masses rest) p = 0.
Proof.
  induction rest as [| [b Q] others Rest]; [reflexivity |]. simpl. fold (no_masses others). rewrite Rest.
  destruct (Rlt_dec b p), class; ring.
Qed.

(** A curve of costs that are [b s] and [b (1 - s)] has the threshold s. *)
Definition ray (l h : R) (b f : R -> R) : curve := Curve l h (fun s => b s * s) (fun s => b s * (1 - s)) f.
Lemma ray_is_lawful l h b f :
  (forall s, 0 < s < 1 -> l < s -> s <= h -> 0 < b s /\ 0 <= f s) -> lawful_curve (ray l h b f).
Proof.
  intros H s S L U. destruct (H s S L U). simpl. repeat split; try assumption; apply Rmult_lt_0_compat; lra.
Qed.
Lemma ray_is_at_thresholds l h b f :
  (forall s, 0 < s < 1 -> l < s -> s <= h -> 0 < b s /\ 0 <= f s) -> at_thresholds (ray l h b f).
Proof. intros H s S L U. destruct (H s S L U). simpl. split; [lra | ring]. Qed.
