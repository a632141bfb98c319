(** Costs of several kinds, each with a probability: areas beside lines, arcs or points.

    The expectation over a mixture is the sum of those over its parts, times their probabilities. What the other files
    prove of each kind of law rests on four facts on expectations, which mixtures inherit. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Curves AllReports Tails Areas Strips Cuts ClosedForms Arcs OtherThresholds.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

Definition expectation_of_costs := (R -> R -> R) -> R -> Prop.

(** Probabilities of parts, with the expectation over each. *)
Fixpoint over_parts (parts : list (R * expectation_of_costs)) (pay : R -> R -> R) (value : R) : Prop :=
  match parts with
  | nil => value = 0
  | (share, part) :: others => exists a b, part pay a /\ over_parts others pay b /\ value = share * a + b
  end.
Fixpoint all_parts (parts : list (R * expectation_of_costs)) : R :=
  match parts with nil => 0 | (share, _) :: others => share + all_parts others end.

(** Expectations count what is paid at positive costs, keep the order, and add up what both classes pay. *)
Definition fair (E : expectation_of_costs) : Prop :=
  is_expectation E /\
  (forall pay pay' u v, (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> E pay u -> E pay' v -> u <= v) /\
  (forall q p u v, E (pay0 p) u -> E (pay1 p) v -> E (mixed q p) ((1 - q) * u + q * v)).
Definition lawful_parts (parts : list (R * expectation_of_costs)) : Prop :=
  List.Forall (fun part => 0 <= fst part /\ fair (snd part)) parts /\ all_parts parts = 1.

(** * The kinds of laws *)

Lemma areas_are_fair areas : lawful_areas areas -> fair (over_areas areas).
Proof.
  intro L. split; [apply areas_have_expectation | split].
  - intros pay pay' u v. apply over_areas_le, L.
  - intros q p u v. apply over_areas_mixed.
Qed.
Lemma law_is_fair L : lawful_law L -> fair (expectation L).
Proof.
  intro H. split; [apply law_has_expectation, H | split].
  - intros pay pay' u v. apply expectation_le, H.
  - intros q p u v. apply expectation_mixed.
Qed.
Lemma curves_are_fair curves points : lawful curves points -> fair (expected curves points).
Proof.
  intro H. split; [apply curves_have_expectation, H | split].
  - intros pay pay' u v. apply (expected_le curves points H).
  - intros q p u v (a & A & ->) (b & B & ->). exists ((1 - q) * a + q * b). split; [| rewrite on_points_mixed; ring].
    apply integral_on_unit_ext with (1 := fun s _ => eq_sym (on_curves_mixed q p curves s)).
    apply integral_on_unit_plus; apply integral_on_unit_scal; assumption.
Qed.

Lemma mixture_is_fair parts : lawful_parts parts -> fair (over_parts parts).
Proof.
  intros [H _]. split; [split | split].
  - intros pay pay' value E. revert value. induction H as [| [w P] others [W (I & _)] H Rest]; simpl; [trivial |].
    intros value (a & b & A & B & ->). exists a, b. split; [exact (proj1 I pay pay' a E A) | split; [apply Rest, B | reflexivity]].
  - induction H as [| [w P] others [W (I & _)] H Rest]; simpl; [reflexivity |].
    exists 0, 0. split; [apply I | split; [exact Rest | ring]].
  - intros pay pay' u v E. revert u v. induction H as [| [w P] others [W (_ & Le & _)] H Rest]; simpl.
    + intros u v -> ->. lra.
    + intros u v (a & b & A & B & ->) (c & d & C & D & ->).
      apply Rplus_le_compat; [apply Rmult_le_compat_l; [exact W | apply (Le pay pay'); assumption] | apply Rest; assumption].
  - intros q p. induction H as [| [w P] others [W (_ & _ & Mixed)] H Rest]; simpl.
    + intros u v -> ->. ring.
    + intros u v (a & b & A & B & ->) (c & d & C & D & ->). exists ((1 - q) * a + q * c), ((1 - q) * b + q * d).
      split; [apply Mixed; assumption | split; [apply Rest; assumption | ring]].
Qed.

Lemma one_part share (part : expectation_of_costs) others pay a b value :
  part pay a -> over_parts others pay b -> share * a + b = value -> over_parts ((share, part) :: others) pay value.
Proof. intros A B <-. exists a, b. split; [exact A | split; [exact B | reflexivity]]. Qed.

(** * Properness, from these facts alone *)

Section Fair.
Variable E : expectation_of_costs.
Hypothesis fairly : fair E.

Theorem fair_is_unique pay a b : E pay a -> E pay b -> a = b.
Proof.
  destruct fairly as (_ & Le & _). intros A B. apply Rle_antisym; apply (Le pay pay); try assumption; intros; lra.
Qed.
Theorem no_better_report_if_fair p q u0 u1 v0 v1 : E (pay0 q) u0 -> E (pay1 q) u1 ->
  E (pay0 p) v0 -> E (pay1 p) v1 -> (1 - q) * u0 + q * u1 <= (1 - q) * v0 + q * v1.
Proof.
  destruct fairly as (_ & Le & Mixed). intros Q0 Q1 P0 P1.
  apply (Le (mixed q q) (mixed q p)); [intros c0 c1; apply best_decision | apply Mixed; assumption | apply Mixed; assumption].
Qed.
Theorem proper_if_fair (L0 L1 : R -> R) : (forall p, 0 < p < 1 -> E (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> E (pay1 p) (L1 p)) -> Proper L0 L1.
Proof. intros E0 E1 p q P Q. unfold risk. apply (no_better_report_if_fair p q); auto. Qed.

Theorem proper_if_fair_with_ends (L0 L1 : R -> R) mean0 mean1 : (forall p, 0 < p < 1 -> E (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> E (pay1 p) (L1 p)) -> E (fun c0 _ => c0) mean0 -> E (fun _ c1 => c1) mean1 ->
  (forall p, with_ends p -> E (pay0 p) (extended L0 0 mean0 p)) /\ (forall p, with_ends p -> E (pay1 p) (extended L1 mean1 0 p)) /\
  ProperAmong with_ends (extended L0 0 mean0) (extended L1 mean1 0).
Proof.
  intros E0 E1 M0 M1. destruct fairly as ((Same & Nothing) & _).
  assert (A0 : forall p, with_ends p -> E (pay0 p) (extended L0 0 mean0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply Same with (2 := Nothing). at_an_end.
    - replace p with 1 by lra. apply Same with (2 := M0). at_an_end.
    - apply E0. lra. }
  assert (A1 : forall p, with_ends p -> E (pay1 p) (extended L1 mean1 0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply Same with (2 := M1). at_an_end.
    - replace p with 1 by lra. apply Same with (2 := Nothing). at_an_end.
    - apply E1. lra. }
  split; [exact A0 | split; [exact A1 |]]. intros p q P Q. unfold risk. apply (no_better_report_if_fair p q); auto.
Qed.
End Fair.

Theorem mixture_is_unique parts pay a b : lawful_parts parts -> over_parts parts pay a -> over_parts parts pay b -> a = b.
Proof. intro H. apply fair_is_unique, mixture_is_fair, H. Qed.

Theorem proper_mixture parts (L0 L1 : R -> R) : lawful_parts parts -> (forall p, 0 < p < 1 -> over_parts parts (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> over_parts parts (pay1 p) (L1 p)) -> Proper L0 L1.
Proof. intro H. apply proper_if_fair, mixture_is_fair, H. Qed.

Theorem strictly_proper_of_mixture parts low high (L0 L1 E0 E1 : R -> R) : lawful_parts parts -> 0 <= low -> high <= 1 ->
  (forall p, 0 < p < 1 -> over_parts parts (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> over_parts parts (pay1 p) (L1 p)) ->
  StrictlyProperOn low high L0 L1 ->
  (forall p, 0 < p < 1 -> over_parts parts (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_parts parts (pay1 p) (E1 p)) -> StrictlyProperOn low high E0 E1.
Proof.
  intros H Low High H0 H1 S K0 K1 p q P Q N. assert (Unit : 0 < q < 1) by lra. unfold risk.
  rewrite (mixture_is_unique parts (pay0 q) (E0 q) (L0 q)), (mixture_is_unique parts (pay1 q) (E1 q) (L1 q)),
    (mixture_is_unique parts (pay0 p) (E0 p) (L0 p)), (mixture_is_unique parts (pay1 p) (E1 p) (L1 p)) by auto.
  apply S; assumption.
Qed.

Theorem proper_mixture_with_ends parts (L0 L1 : R -> R) mean0 mean1 : lawful_parts parts ->
  (forall p, 0 < p < 1 -> over_parts parts (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> over_parts parts (pay1 p) (L1 p)) ->
  over_parts parts (fun c0 _ => c0) mean0 -> over_parts parts (fun _ c1 => c1) mean1 ->
  (forall p, with_ends p -> over_parts parts (pay0 p) (extended L0 0 mean0 p)) /\
  (forall p, with_ends p -> over_parts parts (pay1 p) (extended L1 mean1 0 p)) /\
  ProperAmong with_ends (extended L0 0 mean0) (extended L1 mean1 0).
Proof. intro H. apply proper_if_fair_with_ends, mixture_is_fair, H. Qed.

(** * Means that are infinite *)

(** What is paid in expectation, also if that is infinite: then less than it has expectations above any bound. *)
Definition expects (E : expectation_of_costs) (pay : R -> R -> R) (value : Rbar) : Prop :=
  match value with
  | Finite v => E pay v
  | p_infty => forall bound, exists less v,
      (forall c0 c1, 0 < c0 -> 0 < c1 -> less c0 c1 <= pay c0 c1) /\ E less v /\ bound < v
  | m_infty => False
  end.

Section Ends.
Variables (E : expectation_of_costs) (L0 L1 : R -> R) (mean0 mean1 : Rbar).
Hypothesis fairly : fair E.
Hypothesis cost0 : forall p, 0 < p < 1 -> E (pay0 p) (L0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> E (pay1 p) (L1 p).
Hypothesis mean_is0 : match mean0 with Finite v => E (fun c0 _ => c0) v | _ => filterlim L0 (at_left 1) (Rbar_locally p_infty) /\ mean0 = p_infty end.
Hypothesis mean_is1 : match mean1 with Finite v => E (fun _ c1 => c1) v | _ => filterlim L1 (at_right 0) (Rbar_locally p_infty) /\ mean1 = p_infty end.

Lemma ordered_costs pay pay' u v : (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> E pay u -> E pay' v -> u <= v.
Proof. apply fairly. Qed.

Lemma pay0_grows p q c0 c1 : p <= q -> 0 < c0 -> 0 < c1 -> 0 <= pay0 p c0 c1 <= pay0 q c0 c1.
Proof. intros P A B. unfold pay0. destruct (Rlt_dec _ p), (Rlt_dec _ q); lra. Qed.
Lemma pay1_falls p q c0 c1 : p <= q -> 0 < c0 -> 0 < c1 -> 0 <= pay1 q c0 c1 <= pay1 p c0 c1.
Proof. intros P A B. unfold pay1. destruct (Rlt_dec _ p), (Rlt_dec _ q); lra. Qed.

Lemma costs_of_certain : E (pay0 0) 0 /\ E (pay1 1) 0.
Proof. destruct fairly as ((Same & Nothing) & _). split; apply Same with (2 := Nothing); at_an_end. Qed.

Lemma far_costs : expects E (pay0 1) mean0 /\ expects E (pay1 0) mean1.
Proof.
  destruct fairly as ((Same & _) & _). split.
  - revert mean_is0. generalize mean0. intros [v | |]; simpl.
    + intro M. apply Same with (2 := M). at_an_end.
    + intros [G _] bound. assert (N : at_left 1 (fun p => 0 < p < 1 /\ bound < L0 p))
        by (apply filter_and; [apply left_of; lra | exact (G (fun x => bound < x) (ex_intro _ bound (fun x H => H)))]).
      destruct (filter_ex _ N) as (p & P & B).
      exists (pay0 p), (L0 p). split; [intros c0 c1 A C; apply (pay0_grows p 1); lra | split; [apply cost0, P | exact B]].
    + intros [_ N]. discriminate N.
  - revert mean_is1. generalize mean1. intros [v | |]; simpl.
    + intro M. apply Same with (2 := M). at_an_end.
    + intros [G _] bound. assert (N : at_right 0 (fun p => 0 < p < 1 /\ bound < L1 p))
        by (apply filter_and; [apply right_of; lra | exact (G (fun x => bound < x) (ex_intro _ bound (fun x H => H)))]).
      destruct (filter_ex _ N) as (p & P & B).
      exists (pay1 p), (L1 p). split; [intros c0 c1 A C; apply (pay1_falls 0 p); lra | split; [apply cost1, P | exact B]].
    + intros [_ N]. discriminate N.
Qed.

Notation M0 := (with_values L0 0 mean0).
Notation M1 := (with_values L1 mean1 0).

Theorem costs_with_ends : (forall p, with_ends p -> expects E (pay0 p) (M0 p)) /\ (forall p, with_ends p -> expects E (pay1 p) (M1 p)).
Proof.
  destruct costs_of_certain as [A B], far_costs as [C D].
  unfold with_ends, with_values. split; intros p P; (destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)]).
  - replace p with 0 by lra. exact A.
  - replace p with 1 by lra. exact C.
  - apply cost0. lra.
  - replace p with 0 by lra. exact D.
  - replace p with 1 by lra. exact B.
  - apply cost1. lra.
Qed.

Lemma costs_not_negative p : with_ends p -> Rbar_le 0 (M0 p) /\ Rbar_le 0 (M1 p).
Proof.
  intros P. destruct costs_with_ends as [A B]. specialize (A p P). specialize (B p P). destruct costs_of_certain as [C D]. split.
  - destruct (M0 p) as [v | |]; simpl in *; [| exact I | contradiction].
    apply (ordered_costs (pay0 0) (pay0 p)); try assumption. intros c0 c1 X Y. apply (pay0_grows 0 p); unfold with_ends in P; lra.
  - destruct (M1 p) as [v | |]; simpl in *; [| exact I | contradiction].
    apply (ordered_costs (pay1 1) (pay1 p)); try assumption. intros c0 c1 X Y. apply (pay1_falls p 1); unfold with_ends in P; lra.
Qed.

Lemma no_better q p u0 u1 v0 v1 : E (pay0 q) u0 -> E (pay1 q) u1 -> E (pay0 p) v0 -> E (pay1 p) v1 ->
  (1 - q) * u0 + q * u1 <= (1 - q) * v0 + q * v1.
Proof. apply no_better_report_if_fair, fairly. Qed.

(** No report is better than the belief, the reports 0 and 1 among them, whose costs may be infinite. *)
Theorem proper_with_infinite_ends : (forall p, with_ends p -> expects E (pay0 p) (M0 p)) /\
  (forall p, with_ends p -> expects E (pay1 p) (M1 p)) /\ ProperOnAll M0 M1.
Proof.
  destruct costs_with_ends as [A B]. split; [exact A | split; [exact B |]]. intros p q P Q.
  destruct (costs_not_negative p P) as [Z0 Z1]. unfold with_ends in *.
  destruct (Req_dec q 0) as [-> | Q0]; [rewrite !certain_of_0, values_at_0; exact Z0 |].
  destruct (Req_dec q 1) as [-> | Q1]; [rewrite !certain_of_1, values_at_1; exact Z1 |].
  assert (U : 0 < q < 1) by lra. rewrite (risk_inside L0 L1 mean0 mean1 q q U). destruct costs_of_certain as [C D], far_costs as [F G].
  destruct (Req_dec p 0) as [-> | P0].
  - rewrite risk_of_0. clear Z0 Z1 A B. revert G. generalize mean1. intros [v | |] G; simpl in G; [| rewrite positive_times_infinity by lra; exact I | contradiction].
    simpl. pose proof (no_better q 0 _ _ _ _ (cost0 q U) (cost1 q U) C G). unfold risk. lra.
  - destruct (Req_dec p 1) as [-> | P1].
    + rewrite risk_of_1. clear Z0 Z1 A B. revert F. generalize mean0. intros [v | |] F; simpl in F; [| rewrite positive_times_infinity by lra; exact I | contradiction].
      simpl. pose proof (no_better q 1 _ _ _ _ (cost0 q U) (cost1 q U) F D). unfold risk. lra.
    + assert (V : 0 < p < 1) by lra. rewrite (risk_inside L0 L1 mean0 mean1 p q V). simpl. unfold risk.
      exact (no_better q p _ _ _ _ (cost0 q U) (cost1 q U) (cost0 p V) (cost1 p V)).
Qed.
End Ends.
