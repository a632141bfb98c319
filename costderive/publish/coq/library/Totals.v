From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves.
Import ListNotations.
Open Scope R_scope.
(** * The total of a law *)

(** A chance is integrated from its antiderivative, with the limits at the ends of its curve. *)
Definition within (a b s : R) : R := Rmax a (Rmin b s).
Definition slope_between (F f : R -> R) (a b : R) : Prop :=
  forall s, a <= s <= b -> 0 < s < 1 -> is_derive F s (f s) /\ continuous f s.

Lemma total_of_curve C F u v : start C <= stop C -> start C < 1 -> 0 < stop C ->
  slope_between F (chance C) (start C) (stop C) ->
  tends_at_0 (fun s => F (within (start C) (stop C) s)) u -> tends_at_1 (fun s => F (within (start C) (stop C) s)) v ->
  integral_on_unit (on_curve (fun _ _ => 1) C) (v - u).
Proof.
  intros LH L1 H0 D U V. apply (integral_by_increments _ (fun s => F (within (start C) (stop C) s))); try assumption.
  intros x y X X' Y' Y. set (a := start C) in *. set (b := stop C) in *.
  assert (Zero : forall s t, s <= t -> (t <= a \/ b <= s \/ t <= s) -> is_RInt (on_curve (fun _ _ => 1) C) s t 0).
  { intros s t ST Out. apply is_RInt_ext with (fun _ => 0).
    - rewrite Rmin_left, Rmax_right by lra. intros r In. unfold on_curve. fold a b.
      destruct (Rlt_dec a r); [destruct (Rle_dec r b); [lra | reflexivity] | reflexivity].
    - apply integral_of_nothing. }
  assert (In : forall s t, a <= s -> s <= t -> t <= b -> 0 < s -> t < 1 ->
    is_RInt (on_curve (fun _ _ => 1) C) s t (F t - F s)).
  { intros s t A ST B S T. apply is_RInt_ext with (chance C).
    - rewrite Rmin_left, Rmax_right by lra. intros r R'. unfold on_curve. fold a b.
      destruct (Rlt_dec a r); [destruct (Rle_dec r b); [symmetry; apply Rmult_1_l | lra] | lra].
    - apply (is_RInt_derive F (chance C)); rewrite Rmin_left, Rmax_right by lra; intros r R'; apply D; lra. }
  assert (Join : forall s r t l, s <= r -> r <= t -> is_RInt (on_curve (fun _ _ => 1) C) s r 0 ->
    is_RInt (on_curve (fun _ _ => 1) C) r t l -> is_RInt (on_curve (fun _ _ => 1) C) s t l).
  { intros s r t l _ _ A B. replace l with (plus 0 l) by (unfold plus; simpl; ring).
    exact (is_RInt_Chasles (V := R_NormedModule) _ _ r _ _ _ A B). }
  assert (Join' : forall s r t l, s <= r -> r <= t -> is_RInt (on_curve (fun _ _ => 1) C) s r l ->
    is_RInt (on_curve (fun _ _ => 1) C) r t 0 -> is_RInt (on_curve (fun _ _ => 1) C) s t l).
  { intros s r t l _ _ A B. replace l with (plus l 0) by (unfold plus; simpl; ring).
    exact (is_RInt_Chasles (V := R_NormedModule) _ _ r _ _ _ A B). }
  assert (Clamp : within a b x = Rmax a x \/ b <= x)
    by (unfold within, Rmin; destruct (Rle_dec b x); [right; assumption | left; reflexivity]).
  destruct (Rle_dec y a) as [YA | YA].
  - replace (within a b x) with a by (unfold within, Rmin; destruct (Rle_dec b x); rewrite Rmax_left; lra).
    replace (within a b y) with a by (unfold within, Rmin; destruct (Rle_dec b y); rewrite Rmax_left; lra).
    replace (F a - F a) with 0 by ring. apply Zero; lra.
  - destruct (Rle_dec b x) as [BX | BX].
    + replace (within a b x) with b by (unfold within; rewrite Rmin_left, Rmax_right; lra).
      replace (within a b y) with b by (unfold within; rewrite Rmin_left, Rmax_right; lra).
      replace (F b - F b) with 0 by ring. apply Zero; lra.
    + replace (within a b x) with (Rmax a x) by (unfold within; rewrite (Rmin_right b x); lra).
      replace (within a b y) with (Rmin b y) by (unfold within, Rmin; destruct (Rle_dec b y); rewrite Rmax_right; lra).
      assert (Cx : Rmax a x = a /\ x <= a \/ Rmax a x = x /\ a <= x)
        by (unfold Rmax; destruct (Rle_dec a x); [right | left]; lra).
      assert (Cy : Rmin b y = b /\ b <= y \/ Rmin b y = y /\ y <= b)
        by (unfold Rmin; destruct (Rle_dec b y); [left | right]; lra).
      set (cx := Rmax a x) in *; set (cy := Rmin b y) in *. clearbody cx cy.
      apply (Join x cx y); [lra | lra | apply Zero; lra |].
      apply (Join' cx cy y); [lra | lra | apply In; lra | apply Zero; lra].
Qed.

(** The antiderivative at the ends of a curve, inside of (0, 1) or at its ends. *)
Lemma starts_inside (F : R -> R) a b : 0 < a -> a <= b -> tends_at_0 (fun s => F (within a b s)) (F a).
Proof.
  intros A AB. apply filterlim_ext_loc with (fun _ => F a); [| apply filterlim_const].
  apply filter_imp with (2 := right_of 0 a A). intros x X. f_equal. unfold within.
  rewrite Rmin_right by lra. rewrite Rmax_left; lra.
Qed.
Lemma starts_at_0 (F : R -> R) b v : 0 < b -> tends_at_0 F v -> tends_at_0 (fun s => F (within 0 b s)) v.
Proof.
  intros B H. apply filterlim_ext_loc with (2 := H).
  apply filter_imp with (2 := right_of 0 b B). intros x X. f_equal. unfold within.
  rewrite Rmin_right by lra. rewrite Rmax_right; lra.
Qed.
Lemma ends_inside (F : R -> R) a b : b < 1 -> a <= b -> tends_at_1 (fun s => F (within a b s)) (F b).
Proof.
  intros B AB. apply filterlim_ext_loc with (fun _ => F b); [| apply filterlim_const].
  apply filter_imp with (2 := left_of b 1 B). intros x X. f_equal. unfold within.
  rewrite Rmin_left by lra. rewrite Rmax_right; lra.
Qed.
Lemma ends_at_1 (F : R -> R) a v : a < 1 -> tends_at_1 F v -> tends_at_1 (fun s => F (within a 1 s)) v.
Proof.
  intros A H. apply filterlim_ext_loc with (2 := H).
  apply filter_imp with (2 := left_of a 1 A). intros x X. f_equal. unfold within.
  rewrite Rmin_right by lra. rewrite Rmax_right; lra.
Qed.

(** The totals of the curves, and the probabilities of the points, add up. *)
Fixpoint sum (terms : list R) : R := match terms with nil => 0 | x :: others => x + sum others end.
Lemma total_of_curves curves values :
  List.Forall2 (fun C v => integral_on_unit (on_curve (fun _ _ => 1) C) v) curves values ->
  integral_on_unit (on_curves (fun _ _ => 1) curves) (sum values).
Proof.
  induction 1 as [| C v others values H Hs Rest]; simpl.
  - assert (Nothing : integral_on_unit (fun _ => 0) (0 - 0)).
    { apply (integral_by_increments (fun _ => 0) (fun _ => 0)); [| apply filterlim_const | apply filterlim_const].
      intros. rewrite Rminus_0_r. apply integral_of_nothing. }
    rewrite Rminus_0_r in Nothing. exact Nothing.
  - apply integral_on_unit_plus; assumption.
Qed.
Theorem total_is curves points values total :
  List.Forall2 (fun C v => integral_on_unit (on_curve (fun _ _ => 1) C) v) curves values ->
  sum values + on_points (fun _ _ => 1) points = total -> has_total curves points total.
Proof. intros H E. exists (sum values). split; [apply total_of_curves, H | symmetry; exact E]. Qed.
