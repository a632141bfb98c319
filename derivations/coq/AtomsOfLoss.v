(** The expected loss of a classifier where the threshold weight has atoms.

    Losses that jump by shares of masses are continuous ones and steps. The expectation of the former over the scores is
    the integral over the thresholds, and a step at [t] has as its expectation the chance of scores beyond [t]. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves.
Import ListNotations.
Open Scope R_scope.

(** * Steps *)

Definition step (t p : R) : R := if Rle_dec p t then 0 else 1.
Lemma step_before t p : p <= t -> step t p = 0.
Proof. intro H. unfold step. destruct (Rle_dec p t); [reflexivity | contradiction]. Qed.
Lemma step_behind t p : t < p -> step t p = 1.
Proof. intro H. unfold step. destruct (Rle_dec p t); [lra | reflexivity]. Qed.

Lemma scores_in_all F f : scores F f -> integral_on_unit f 1.
Proof.
  intro S. refine (eq_ind _ (integral_on_unit f) _ 1 (Rminus_0_r 1)).
  apply (integral_by_increments f F); [| exact (starts_at_0 _ _ S) | exact (ends_at_1 _ _ S)].
  intros x y X X' Y' Y. apply (scores_slope F f x y S); lra.
Qed.

Lemma no_step F f t x y : scores F f -> 0 < x -> x <= y -> y <= t -> is_RInt (fun p => step t p * f p) x y 0.
Proof.
  intros S X XY Y. apply (is_RInt_ext (fun _ => 0)).
  - rewrite Rmin_left, Rmax_right by exact XY. intros p P. rewrite step_before by lra. symmetry. exact (Rmult_0_l (f p)).
  - exact (eq_ind _ (fun v => is_RInt (fun _ => 0) x y v) (is_RInt_const x y 0) 0 (Rmult_0_r _)).
Qed.
Lemma whole_step F f t x y : scores F f -> 0 < x -> t <= x -> x <= y -> y < 1 ->
  is_RInt (fun p => step t p * f p) x y (F y - F x).
Proof.
  intros S X T XY Y. apply (is_RInt_ext f); [| apply (scores_slope F f); assumption].
  rewrite Rmin_left, Rmax_right by exact XY. intros p P. rewrite step_behind by lra. symmetry. exact (Rmult_1_l (f p)).
Qed.

(** The chance of scores beyond [t]. *)
Lemma scores_beyond F f t : scores F f -> 0 < t < 1 -> integral_on_unit (fun p => step t p * f p) (1 - F t).
Proof.
  intros S T. replace (1 - F t) with (1 - F t - 0) by ring.
  apply (integral_by_increments _ (fun p => F (Rmax p t) - F t)).
  - intros x y X X' Y' Y. assert (XY : x <= y) by lra. destruct (Rle_dec y t) as [YT | YT]; [| destruct (Rle_dec t x) as [TX | TX]].
    + rewrite !Rmax_right by lra. replace (F t - F t - (F t - F t)) with 0 by ring. apply (no_step F f); assumption.
    + rewrite !Rmax_left by lra. replace (F y - F t - (F x - F t)) with (F y - F x) by ring.
      apply (whole_step F f); assumption.
    + rewrite (Rmax_right x), (Rmax_left y) by lra.
      replace (F y - F t - (F t - F t)) with (plus 0 (F y - F t)) by (unfold plus; simpl; ring).
      apply (is_RInt_Chasles (V := R_NormedModule) _ x t y); [apply (no_step F f) | apply (whole_step F f)]; try assumption; lra.
  - apply (filterlim_ext_loc (fun _ => 0)); [| apply filterlim_const].
    apply filter_imp with (2 := right_of 0 t (proj1 T)). intros p P. rewrite Rmax_right by lra. ring.
  - apply (filterlim_ext_loc (fun p => F p - F t)).
    + apply filter_imp with (2 := left_of t 1 (proj2 T)). intros p P. rewrite Rmax_left by lra. reflexivity.
    + apply (limit_of_smooth F (fun y => y - F t)); [exact (ends_at_1 _ _ S) | auto_derive; exact I].
Qed.

(** * Losses without their jumps *)

(** A sum over the breakpoints with their masses. *)
Fixpoint over_atoms (g : R -> R) (rest : list (R * piece)) (masses : list R) : R :=
  match rest, masses with
  | (t, _) :: others, m :: others' => m * g t + over_atoms g others others'
  | _, _ => 0
  end.

Definition continued (a b : R) (P : piece) : piece := Piece (fun p => loss0 P p - a) (fun p => loss1 P p + b) (weight P).
Fixpoint continued_rest (a b : R) (rest : list (R * piece)) (masses : list R) : list (R * piece) :=
  match rest, masses with
  | (t, Q) :: others, m :: others' =>
      (t, continued (a + t * m) (b + (1 - t) * m) Q) :: continued_rest (a + t * m) (b + (1 - t) * m) others others'
  | _, _ => nil
  end.

Lemma continued_slopes a b lo hi P : slopes lo hi P -> slopes lo hi (continued a b P).
Proof.
  intros [C D]. split; intros p H U; simpl.
  - destruct (C p H U) as [C0 C1]. split.
    + apply (continuity_pt_minus (loss0 P) (fun _ => a)); [exact C0 | apply continuity_pt_const; intros x y; reflexivity].
    + apply (continuity_pt_plus (loss1 P) (fun _ => b)); [exact C1 | apply continuity_pt_const; intros x y; reflexivity].
  - destruct (D p H U) as [D0 D1]. split.
    + replace (p * weight P p) with (minus (p * weight P p) 0) by (unfold minus, plus, opp; simpl; ring).
      apply (is_derive_minus (loss0 P) (fun _ => a)); [exact D0 | apply @is_derive_const].
    + replace (- (1 - p) * weight P p) with (plus (- (1 - p) * weight P p) 0) by (unfold plus; simpl; ring).
      apply (is_derive_plus (loss1 P) (fun _ => b)); [exact D1 | apply @is_derive_const].
Qed.

Lemma continued_chain lo P rest masses a b :
  jumping_chain lo P rest masses -> chain lo (continued a b P) (continued_rest a b rest masses).
Proof.
  revert lo P masses a b. induction rest as [| [t Q] others Rest]; intros lo P masses a b H.
  - split; [exact (proj1 H) | apply continued_slopes, H].
  - destruct masses as [| m others']; [contradiction |]. destruct H as (Order & Slopes & (M & J0 & J1) & H).
    split; [exact Order | split; [apply continued_slopes, Slopes | split; [| apply Rest, H]]].
    unfold joins. simpl. lra.
Qed.
Lemma continued_weighs low high lo P rest masses a b : jumping_chain lo P rest masses ->
  weighs_all low high lo P rest -> weighs_all low high lo (continued a b P) (continued_rest a b rest masses).
Proof.
  revert lo P masses a b. induction rest as [| [t Q] others Rest]; intros lo P masses a b H W; [exact W |].
  destruct masses as [| m others']; [contradiction |]. split; [exact (proj1 W) |]. apply Rest; [apply H | exact (proj2 W)].
Qed.
Lemma continued_steady lo P rest masses a b : jumping_chain lo P rest masses ->
  steady lo P rest -> steady lo (continued a b P) (continued_rest a b rest masses).
Proof.
  revert lo P masses a b. induction rest as [| [t Q] others Rest]; intros lo P masses a b H W; [exact W |].
  destruct masses as [| m others']; [contradiction |]. split; [exact (proj1 W) |]. apply Rest; [apply H | exact (proj2 W)].
Qed.
Lemma continued_weight lo P rest masses a b p : jumping_chain lo P rest masses ->
  joined weight (continued a b P) (continued_rest a b rest masses) p = joined weight P rest p.
Proof.
  revert lo P masses a b. induction rest as [| [t Q] others Rest]; intros lo P masses a b H; [reflexivity |].
  destruct masses as [| m others']; [contradiction |]. simpl. destruct (Rle_dec p t); [reflexivity |]. apply (Rest t), H.
Qed.

(** Breakpoints are in order, so that at a report before the first one there is no step. *)
Lemma nothing_before lo P rest masses g p : jumping_chain lo P rest masses -> p <= lo ->
  over_atoms (fun t => g t * step t p) rest masses = 0.
Proof.
  revert lo P masses. induction rest as [| [t Q] others Rest]; intros lo P masses H L; [reflexivity |].
  destruct masses as [| m others']; [contradiction |]. destruct H as (Order & _ & _ & H). simpl.
  rewrite (Rest t Q others' H), step_before by lra. ring.
Qed.
Lemma continued_losses lo P rest masses a b p : jumping_chain lo P rest masses ->
  joined loss0 (continued a b P) (continued_rest a b rest masses) p =
    joined loss0 P rest p - a - over_atoms (fun t => t * step t p) rest masses /\
  joined loss1 (continued a b P) (continued_rest a b rest masses) p =
    joined loss1 P rest p + b + over_atoms (fun t => (1 - t) * step t p) rest masses.
Proof.
  revert lo P masses a b. induction rest as [| [t Q] others Rest]; intros lo P masses a b H; [simpl; lra |].
  destruct masses as [| m others']; [contradiction |]. destruct H as (Order & _ & _ & H). simpl.
  destruct (Rle_dec p t) as [L | L]; simpl.
  - rewrite (nothing_before t Q others others' (fun t => t) p H L), (nothing_before t Q others others' (fun t => 1 - t) p H L).
    rewrite step_before by exact L. lra.
  - destruct (Rest t Q others' (a + t * m) (b + (1 - t) * m) H) as [-> ->]. rewrite step_behind by lra. lra.
Qed.

(** * The expected loss *)

Definition within_unit (rest : list (R * piece)) : Prop := List.Forall (fun b => 0 < fst b < 1) rest.

Lemma no_steps_near_0 g rest masses : within_unit rest -> at_right 0 (fun p => over_atoms (fun t => g t * step t p) rest masses = 0).
Proof.
  intro In. revert masses. induction In as [| [t Q] others T In Rest]; intro masses; [apply filter_forall; reflexivity |].
  destruct masses as [| m others']; [apply filter_forall; reflexivity |]. simpl in T.
  apply filter_imp with (2 := filter_and _ _ (right_of 0 t (proj1 T)) (Rest others')). intros p [P E]. simpl.
  rewrite E, step_before by lra. ring.
Qed.
Lemma all_steps_near_1 g rest masses : within_unit rest ->
  at_left 1 (fun p => over_atoms (fun t => g t * step t p) rest masses = over_atoms g rest masses).
Proof.
  intro In. revert masses. induction In as [| [t Q] others T In Rest]; intro masses; [apply filter_forall; reflexivity |].
  destruct masses as [| m others']; [apply filter_forall; reflexivity |]. simpl in T.
  apply filter_imp with (2 := filter_and _ _ (left_of t 1 (proj2 T)) (Rest others')). intros p [P E]. simpl.
  rewrite E, step_behind by lra. ring.
Qed.
Lemma nothing_of_scores F f : scores F f -> integral_on_unit (fun p => 0 * f p) 0.
Proof.
  intro S. exact (eq_ind _ (integral_on_unit _) (integral_on_unit_scal f 0 1 (scores_in_all F f S)) 0 (Rmult_0_l 1)).
Qed.
Lemma steps_of_scores F f g rest masses : scores F f -> within_unit rest ->
  integral_on_unit (fun p => over_atoms (fun t => g t * step t p) rest masses * f p)
    (over_atoms (fun t => g t * (1 - F t)) rest masses).
Proof.
  intros S In. revert masses. induction In as [| [t Q] others T In Rest]; intro masses; [| destruct masses as [| m others']].
  1, 2: exact (nothing_of_scores F f S).
  simpl in T. apply (integral_on_unit_ext
    (fun p => m * g t * (step t p * f p) + over_atoms (fun t => g t * step t p) others others' * f p)); [intros p _; simpl; ring |].
  simpl. replace (m * (g t * (1 - F t))) with (m * g t * (1 - F t)) by ring.
  apply integral_on_unit_plus; [apply integral_on_unit_scal, scores_beyond; assumption | apply Rest].
Qed.
Lemma over_atoms_plus g h k l rest masses :
  over_atoms (fun t => k * g t + l * h t) rest masses = k * over_atoms g rest masses + l * over_atoms h rest masses.
Proof.
  revert masses. induction rest as [| [t Q] others Rest]; intro masses; [simpl; ring |].
  destruct masses as [| m others']; simpl; [ring |]. rewrite Rest. ring.
Qed.
Lemma over_atoms_ext g h rest masses : (forall t, g t = h t) -> over_atoms g rest masses = over_atoms h rest masses.
Proof.
  intro E. revert masses. induction rest as [| [t Q] others Rest]; intro masses; [reflexivity |].
  destruct masses as [| m others']; simpl; [reflexivity |]. rewrite Rest, E. reflexivity.
Qed.

Section Certified.
Variables (P : piece) (rest : list (R * piece)) (masses : list R).
Hypothesis certified : jumping_chain 0 P rest masses.
Hypothesis signed : weighs_all 0 0 0 P rest.
Hypothesis continuous_weight : steady 0 P rest.
Hypothesis within : within_unit rest.
Notation L0 := (joined loss0 P rest).
Notation L1 := (joined loss1 P rest).
Notation omega := (joined weight P rest).
Hypothesis starts : vanishes_at_0 L0.
Hypothesis ends : vanishes_at_1 L1.

Let steps : R := over_atoms (fun t => 1 - t) rest masses.
Let P' : piece := continued 0 (- steps) P.
Let rest' : list (R * piece) := continued_rest 0 (- steps) rest masses.

Lemma smooth0 p : joined loss0 P' rest' p = L0 p - 0 - over_atoms (fun t => t * step t p) rest masses.
Proof. apply (continued_losses 0 P rest masses 0 (- steps) p certified). Qed.
Lemma smooth1 p : joined loss1 P' rest' p = L1 p + - steps + over_atoms (fun t => (1 - t) * step t p) rest masses.
Proof. apply (continued_losses 0 P rest masses 0 (- steps) p certified). Qed.

Lemma smooth0_starts : vanishes_at_0 (joined loss0 P' rest').
Proof.
  apply (filterlim_ext_loc L0); [| exact starts].
  apply filter_imp with (2 := no_steps_near_0 (fun t => t) rest masses within). intros p E. rewrite smooth0, E. ring.
Qed.
Lemma smooth1_ends : vanishes_at_1 (joined loss1 P' rest').
Proof.
  apply (filterlim_ext_loc L1); [| exact ends].
  apply filter_imp with (2 := all_steps_near_1 (fun t => 1 - t) rest masses within). intros p E. rewrite smooth1, E. unfold steps. ring.
Qed.

(** Over the scores, and over the thresholds with the decisions at the atoms. *)
Theorem expected_loss_with_atoms F0 d0 F1 d1 pi0 pi1 l0 l1 : scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1 - over_atoms (fun t => pi0 * (t * (1 - F0 t)) + pi1 * ((1 - t) * F1 t)) rest masses).
Proof.
  intros S0 S1 H0 H1.
  assert (I0 : integral_on_unit (fun p => joined loss0 P' rest' p * d0 p)
    (l0 + -1 * over_atoms (fun t => t * (1 - F0 t)) rest masses)).
  { refine (integral_on_unit_ext _ _ _ _ (integral_on_unit_plus _ _ _ _ H0
      (integral_on_unit_scal _ (-1) _ (steps_of_scores F0 d0 (fun t => t) rest masses S0 within)))).
    intros p _. rewrite smooth0. ring. }
  assert (I1 : integral_on_unit (fun p => joined loss1 P' rest' p * d1 p)
    (l1 + (- steps * 1 + over_atoms (fun t => (1 - t) * (1 - F1 t)) rest masses))).
  { refine (integral_on_unit_ext _ _ _ _ (integral_on_unit_plus _ _ _ _ H1 (integral_on_unit_plus _ _ _ _
      (integral_on_unit_scal _ (- steps) _ (scores_in_all F1 d1 S1))
      (steps_of_scores F1 d1 (fun t => 1 - t) rest masses S1 within)))).
    intros p _. rewrite smooth1. ring. }
  pose proof (expected_loss P' rest' (continued_chain _ _ _ _ _ _ certified) (continued_weighs _ _ _ _ _ _ _ _ certified signed)
    (continued_steady _ _ _ _ _ _ certified continuous_weight) smooth0_starts smooth1_ends F0 d0 F1 d1 pi0 pi1 _ _ S0 S1 I0 I1) as E.
  replace (pi0 * l0 + pi1 * l1 - over_atoms (fun t => pi0 * (t * (1 - F0 t)) + pi1 * ((1 - t) * F1 t)) rest masses)
    with (pi0 * (l0 + -1 * over_atoms (fun t => t * (1 - F0 t)) rest masses)
      + pi1 * (l1 + (- steps * 1 + over_atoms (fun t => (1 - t) * (1 - F1 t)) rest masses))).
  - refine (integral_on_unit_ext _ _ _ _ E). intros s _. unfold P', rest'. rewrite (continued_weight 0 P rest masses _ _ s certified). reflexivity.
  - rewrite (over_atoms_plus (fun t => t * (1 - F0 t)) (fun t => (1 - t) * F1 t) pi0 pi1).
    assert (Split : over_atoms (fun t => (1 - t) * F1 t) rest masses =
      1 * over_atoms (fun t => 1 - t) rest masses + -1 * over_atoms (fun t => (1 - t) * (1 - F1 t)) rest masses).
    { rewrite <- over_atoms_plus. apply over_atoms_ext. intro t. ring. }
    rewrite Split. unfold steps. ring.
Qed.
End Certified.
