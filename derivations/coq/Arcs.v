(** Costs along arcs: both are functions of one uncertain parameter, such as one cost beside another that is known.

    The parameter is positive. At a report the decision changes at one value of it, or nowhere; expected costs are
    read off antiderivatives there and at the ends of the arc. Areas and points may be in the same law. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** Both costs as functions of a parameter that has a density between two values, of which the second may be infinite. *)
Record arc := Arc { from : R; upto : Rbar; cost0 : R -> R; cost1 : R -> R; likelihood : R -> R }.

(** What is paid at a parameter, times its density. *)
Definition on_arc (pay : R -> R -> R) (C : arc) (x : R) : R :=
  if Rlt_dec (from C) x then if Rbar_lt_dec x (upto C) then pay (cost0 C x) (cost1 C x) * likelihood C x else 0 else 0.

Fixpoint over_arcs (arcs : list arc) (pay : R -> R -> R) (value : R) : Prop :=
  match arcs with
  | nil => value = 0
  | C :: others => exists a b, over_positive (on_arc pay C) a /\ over_arcs others pay b /\ value = a + b
  end.

(** The expectation over areas, arcs and points. *)
Record law_of_costs := Law { areas_of : list area; arcs_of : list arc; points_of : list point }.
Definition expectation (L : law_of_costs) (pay : R -> R -> R) (value : R) : Prop :=
  exists a b, over_areas (areas_of L) pay a /\ over_arcs (arcs_of L) pay b /\ value = a + b + on_points pay (points_of L).

Definition inside_arc (C : arc) (x : R) : Prop := 0 < x /\ from C < x /\ Rbar_lt x (upto C).
Definition lawful_arc (C : arc) : Prop :=
  forall x, inside_arc C x -> 0 < cost0 C x /\ 0 < cost1 C x /\ 0 <= likelihood C x.
Definition lawful_law (L : law_of_costs) : Prop :=
  lawful_areas (areas_of L) /\ List.Forall lawful_arc (arcs_of L) /\ List.Forall lawful_point (points_of L).

(** * Properness of every such law *)

Lemma on_arc_le C pay pay' x : lawful_arc C -> 0 < x ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> on_arc pay C x <= on_arc pay' C x.
Proof.
  intros L P H. unfold on_arc. destruct (Rlt_dec _ _) as [F |]; [destruct (Rbar_lt_dec _ _) as [U |] |]; try lra.
  destruct (L x (conj P (conj F U))) as (A & B & D). apply Rmult_le_compat_r; [exact D | apply H; assumption].
Qed.

Lemma over_arcs_le arcs pay pay' u v : List.Forall lawful_arc arcs ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> over_arcs arcs pay u -> over_arcs arcs pay' v -> u <= v.
Proof.
  intros L H. revert u v. induction L as [| C others LC L Rest]; simpl.
  - intros u v -> ->. lra.
  - intros u v (a & b & A & B & ->) (c & d & A' & B' & ->). apply Rplus_le_compat; [| apply Rest; assumption].
    refine (over_positive_le _ _ _ _ _ A A'). intros x X. apply on_arc_le; assumption.
Qed.

Lemma on_points_le points pay pay' : List.Forall lawful_point points ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> on_points pay points <= on_points pay' points.
Proof.
  intros L H. induction L as [| P others (A & B & D) L Rest]; simpl; [lra |].
  apply Rplus_le_compat; [| exact Rest]. apply Rmult_le_compat_r; [exact D | apply H; assumption].
Qed.

Lemma expectation_le L pay pay' u v : lawful_law L ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> expectation L pay u -> expectation L pay' v -> u <= v.
Proof.
  intros (LA & LC & LP) H (a & b & A & B & ->) (c & d & C & D & ->).
  pose proof (over_areas_le _ _ _ _ _ LA H A C). pose proof (over_arcs_le _ _ _ _ _ LC H B D).
  pose proof (on_points_le _ _ _ LP H). lra.
Qed.

(** The expectation has one value. *)
Theorem expectation_is_unique L pay a b : lawful_law L -> expectation L pay a -> expectation L pay b -> a = b.
Proof. intros H A B. apply Rle_antisym; eapply expectation_le; try eassumption; intros; lra. Qed.

Lemma over_arcs_mixed arcs q p u v :
  over_arcs arcs (pay0 p) u -> over_arcs arcs (pay1 p) v -> over_arcs arcs (mixed q p) ((1 - q) * u + q * v).
Proof.
  revert u v. induction arcs as [| C others Rest]; simpl.
  - intros u v -> ->. ring.
  - intros u v (a & b & A & B & ->) (c & d & C' & D & ->).
    exists ((1 - q) * a + q * c), ((1 - q) * b + q * d). split; [| split; [apply Rest; assumption | ring]].
    apply over_positive_ext with (2 := over_positive_combined (1 - q) q _ _ _ _ A C').
    intros x _. unfold on_arc, mixed. destruct (Rlt_dec _ _); [destruct (Rbar_lt_dec _ _) |]; ring.
Qed.

Lemma expectation_mixed L q p u v :
  expectation L (pay0 p) u -> expectation L (pay1 p) v -> expectation L (mixed q p) ((1 - q) * u + q * v).
Proof.
  intros (a & b & A & B & ->) (c & d & C & D & ->). exists ((1 - q) * a + q * c), ((1 - q) * b + q * d).
  repeat split; [apply over_areas_mixed; assumption | apply over_arcs_mixed; assumption |].
  rewrite on_points_mixed. ring.
Qed.

Theorem no_better_report_of_law L p q u0 u1 v0 v1 : lawful_law L ->
  expectation L (pay0 q) u0 -> expectation L (pay1 q) u1 ->
  expectation L (pay0 p) v0 -> expectation L (pay1 p) v1 -> (1 - q) * u0 + q * u1 <= (1 - q) * v0 + q * v1.
Proof.
  intros H Q0 Q1 P0 P1. apply (expectation_le L (mixed q q) (mixed q p)); [exact H | | |].
  - intros c0 c1 A B. apply best_decision; assumption.
  - apply expectation_mixed; assumption.
  - apply expectation_mixed; assumption.
Qed.

Theorem proper_law L (L0 L1 : R -> R) : lawful_law L -> (forall p, 0 < p < 1 -> expectation L (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (L1 p)) -> Proper L0 L1.
Proof. intros H E0 E1 p q P Q. unfold risk. apply (no_better_report_of_law L p q); auto. Qed.

Theorem strictly_proper_of_law L low high (L0 L1 E0 E1 : R -> R) : lawful_law L -> 0 <= low -> high <= 1 ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (L1 p)) ->
  StrictlyProperOn low high L0 L1 ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (E1 p)) -> StrictlyProperOn low high E0 E1.
Proof.
  intros H Low High H0 H1 S K0 K1 p q P Q N. assert (Unit : 0 < q < 1) by lra. unfold risk.
  rewrite (expectation_is_unique L (pay0 q) (E0 q) (L0 q)), (expectation_is_unique L (pay1 q) (E1 q) (L1 q)),
    (expectation_is_unique L (pay0 p) (E0 p) (L0 p)), (expectation_is_unique L (pay1 p) (E1 p) (L1 p)) by auto.
  apply S; assumption.
Qed.

(** * The reports 0 and 1 *)

Lemma expectation_ext L pay pay' value : lawful_law L ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 = pay' c0 c1) -> expectation L pay value -> expectation L pay' value.
Proof.
  intros (_ & LC & LP) E (a & b & A & B & ->). exists a, b. split; [exact (over_areas_ext _ _ _ _ E A) |]. split.
  - revert b B. induction LC as [| C others H LC Rest]; simpl; [trivial |]. intros b (u & v & U & V & ->).
    exists u, v. split; [| split; [apply Rest, V | reflexivity]]. apply over_positive_ext with (2 := U). intros x X. unfold on_arc.
    destruct (Rlt_dec _ _) as [F |]; [destruct (Rbar_lt_dec _ _) as [G |] |]; try reflexivity.
    destruct (H x (conj X (conj F G))) as (P & Q & _). rewrite E by assumption. reflexivity.
  - f_equal. induction LP as [| P others (P0 & P1 & _) LP Rest]; simpl; [reflexivity |]. rewrite Rest, E by assumption. reflexivity.
Qed.
Lemma expectation_of_0 L : expectation L (fun _ _ => 0) 0.
Proof.
  exists 0, 0. split; [apply over_areas_of_0 | split].
  - induction (arcs_of L) as [| C others Rest]; simpl; [reflexivity |]. exists 0, 0. split; [| split; [exact Rest | ring]].
    apply over_positive_zero. intros x _. unfold on_arc. destruct (Rlt_dec _ _); [destruct (Rbar_lt_dec _ _) |]; ring.
  - induction (points_of L) as [| P others Rest]; simpl; [ring |]. lra.
Qed.

Theorem proper_law_with_ends L (L0 L1 : R -> R) mean0 mean1 : lawful_law L ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (L1 p)) ->
  expectation L (fun c0 _ => c0) mean0 -> expectation L (fun _ c1 => c1) mean1 ->
  (forall p, with_ends p -> expectation L (pay0 p) (extended L0 0 mean0 p)) /\
  (forall p, with_ends p -> expectation L (pay1 p) (extended L1 mean1 0 p)) /\
  ProperAmong with_ends (extended L0 0 mean0) (extended L1 mean1 0).
Proof.
  intros H E0 E1 M0 M1.
  assert (A0 : forall p, with_ends p -> expectation L (pay0 p) (extended L0 0 mean0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply expectation_ext with (3 := expectation_of_0 L); [exact H | at_an_end].
    - replace p with 1 by lra. apply expectation_ext with (3 := M0); [exact H | at_an_end].
    - apply E0. lra. }
  assert (A1 : forall p, with_ends p -> expectation L (pay1 p) (extended L1 mean1 0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply expectation_ext with (3 := M1); [exact H | at_an_end].
    - replace p with 1 by lra. apply expectation_ext with (3 := expectation_of_0 L); [exact H | at_an_end].
    - apply E1. lra. }
  split; [exact A0 | split; [exact A1 |]]. intros p q P Q. unfold risk. apply (no_better_report_of_law L p q); auto.
Qed.

(** * Antiderivatives along an arc *)

(** An antiderivative in the parameter, with its limits at both ends. *)
Record along := Along { rise_along : R -> R; at_from : R; at_upto : R }.

Definition integrates_along (C : arc) (charge : R -> R -> R) (F : along) : Prop :=
  (forall x, 0 < x -> from C <= x -> Rbar_le x (upto C) ->
    slope_is (rise_along F) (fun x => charge (cost0 C x) (cost1 C x) * likelihood C x) x) /\
  filterlim (rise_along F) (after (from C)) (locally (at_from F)) /\ filterlim (rise_along F) (before (upto C)) (locally (at_upto F)).
Definition spans (C : arc) : Prop := 0 <= from C /\ Rbar_lt (from C) (upto C).

(** Where class 1 is predicted: up to a parameter, from one on, along all of the arc, or nowhere. *)
Inductive turn := Rising (x : R) | Falling (x : R) | Always | Never.

Definition turns (C : arc) (p : R) (t : turn) : Prop :=
  match t with
  | Rising z => 0 < z /\ from C <= z /\ Rbar_le z (upto C) /\
      forall x, inside_arc C x -> (x < z -> cost0 C x < p * cost1 C x / (1 - p)) /\ (z < x -> p * cost1 C x / (1 - p) <= cost0 C x)
  | Falling z => 0 < z /\ from C <= z /\ Rbar_le z (upto C) /\
      forall x, inside_arc C x -> (x < z -> p * cost1 C x / (1 - p) <= cost0 C x) /\ (z < x -> cost0 C x < p * cost1 C x / (1 - p))
  | Always => forall x, inside_arc C x -> cost0 C x < p * cost1 C x / (1 - p)
  | Never => forall x, inside_arc C x -> p * cost1 C x / (1 - p) <= cost0 C x
  end.

Definition before_turn (F : along) (z : R) : R := rise_along F z - at_from F.
Definition after_turn (F : along) (z : R) : R := at_upto F - rise_along F z.
Definition all_along (F : along) : R := at_upto F - at_from F.
Definition paid0 (F : along) (t : turn) : R :=
  match t with Rising z => before_turn F z | Falling z => after_turn F z | Always => all_along F | Never => 0 end.
Definition paid1 (F : along) (t : turn) : R :=
  match t with Rising z => after_turn F z | Falling z => before_turn F z | Always => 0 | Never => all_along F end.

Section OneArc.
Variables (C : arc) (charge pay : R -> R -> R) (F : along).
Hypothesis span : spans C.
Hypothesis integrated : integrates_along C charge F.

Local Notation charged x := (pay (cost0 C x) (cost1 C x) = charge (cost0 C x) (cost1 C x)).
Local Notation free x := (pay (cost0 C x) (cost1 C x) = 0).

Lemma paid_along x : inside_arc C x -> charged x -> on_arc pay C x = charge (cost0 C x) (cost1 C x) * likelihood C x.
Proof.
  intros (_ & F' & U) E. unfold on_arc. destruct (Rlt_dec _ _); [| contradiction].
  destruct (Rbar_lt_dec _ _); [| contradiction]. rewrite E. reflexivity.
Qed.
Lemma unpaid_along x : 0 < x -> (inside_arc C x -> free x) -> on_arc pay C x = 0.
Proof.
  intros P E. unfold on_arc. destruct (Rlt_dec _ _) as [A |]; [| reflexivity].
  destruct (Rbar_lt_dec _ _) as [B |]; [| reflexivity]. rewrite E by (repeat split; assumption). ring.
Qed.

Lemma nothing_along : (forall x, inside_arc C x -> free x) -> over_positive (on_arc pay C) 0.
Proof. intro Free. apply over_positive_zero. intros x X. apply unpaid_along; [exact X | apply Free]. Qed.

Lemma paid_between a b bottom top : 0 <= a -> from C <= a -> Rbar_le a b -> Rbar_lt 0 b -> Rbar_le b (upto C) ->
  (forall x, inside_arc C x -> a < x -> Rbar_lt x b -> charged x) ->
  (forall x, inside_arc C x -> x < a \/ Rbar_lt b x -> free x) ->
  filterlim (rise_along F) (after a) (locally bottom) -> filterlim (rise_along F) (before b) (locally top) ->
  over_positive (on_arc pay C) (top - bottom).
Proof.
  intros A FA AB B BU Charged Free Bottom Top. destruct span as [Z _]. destruct integrated as (D & _ & _).
  set (g := fun x => charge (cost0 C x) (cost1 C x) * likelihood C x) in D.
  assert (Out : forall x, 0 < x -> x < a \/ Rbar_lt b x -> on_arc pay C x = 0).
  { intros x P O. apply unpaid_along; [exact P |]. intro In. apply Free; assumption. }
  apply over_positive_is_onward, (onward_zero_step 0 a); [lra | lra | lra | intros; apply Out; lra |].
  destruct b as [b | |]; simpl in AB, B; try contradiction.
  - replace (top - bottom) with (rise_along F b - bottom + 0).
    + apply (onward_step a b _ g (rise_along F)); try lra; try assumption.
      * intros x X. assert (Inside : inside_arc C x).
        { repeat split; [lra | lra |]. destruct (upto C); simpl in *; try lra; try exact I; contradiction. }
        apply paid_along; [exact Inside | apply Charged; simpl; [exact Inside | lra | lra]].
      * intros x P AX XB. apply D; [lra | lra |]. destruct (upto C); simpl in *; try lra; try exact I; contradiction.
      * apply onward_zero; [lra |]. intros x X. apply Out; [lra | right; exact X].
    + rewrite (filterlim_locally_unique (F := before b) (rise_along F) (rise_along F b) top); [ring | | exact Top].
      apply tends_before. reflexivity.
  - assert (End : upto C = p_infty) by (destruct (upto C); simpl in BU; try contradiction; reflexivity).
    apply (onward_last a _ g (rise_along F)); try assumption; try lra.
    + intros x X. assert (Inside : inside_arc C x) by (repeat split; [lra | lra | rewrite End; exact I]).
      apply paid_along; [exact Inside | apply Charged; [exact Inside | lra | exact I]].
    + intros x P AX. apply D; [lra | lra | rewrite End; exact I].
Qed.

Lemma paid_all_along : (forall x, inside_arc C x -> charged x) -> over_positive (on_arc pay C) (all_along F).
Proof.
  intro Charged. destruct span as [Z S]. destruct integrated as (_ & Bottom & Top). unfold all_along.
  apply (paid_between (from C) (upto C)); try assumption; try lra.
  - apply Rbar_lt_le, S.
  - apply Rbar_le_lt_trans with (from C); [exact Z | exact S].
  - apply Rbar_le_refl.
  - intros x X _ _. apply Charged, X.
  - intros x (_ & A & B) [E | E]; exfalso; [lra |]. exact (Rbar_lt_not_le _ _ E (Rbar_lt_le _ _ B)).
Qed.

Lemma paid_up_to z : 0 < z -> from C <= z -> Rbar_le z (upto C) -> (forall x, inside_arc C x -> x < z -> charged x) ->
  (forall x, inside_arc C x -> z < x -> free x) -> over_positive (on_arc pay C) (before_turn F z).
Proof.
  intros P A B Charged Free. destruct span as [Z S]. destruct integrated as (_ & Bottom & Top). unfold before_turn.
  apply (paid_between (from C) z); try assumption; try lra.
  - intros x X _ Y. apply Charged; assumption.
  - intros x X [Y | Y]; [exfalso; destruct X as (_ & Y' & _); lra | apply Free; assumption].
  - apply tends_before. reflexivity.
Qed.

Lemma paid_from z : 0 < z -> from C <= z -> Rbar_le z (upto C) -> (forall x, inside_arc C x -> x < z -> free x) ->
  (forall x, inside_arc C x -> z < x -> charged x) -> over_positive (on_arc pay C) (after_turn F z).
Proof.
  intros P A B Free Charged. destruct span as [Z S]. destruct integrated as (_ & Bottom & Top). unfold after_turn.
  apply (paid_between z (upto C)); try assumption; try lra.
  - apply Rbar_lt_le_trans with z; [exact P | exact B].
  - apply Rbar_le_refl.
  - intros x X Y _. apply Charged; assumption.
  - intros x X [Y | Y]; [apply Free; assumption | exfalso]. destruct X as (_ & _ & X). exact (Rbar_lt_not_le _ _ Y (Rbar_lt_le _ _ X)).
  - apply tends_after; [exact P | reflexivity].
Qed.
End OneArc.

(** ** Both expected costs of a report *)

Section Reports.
Variables (C : arc) (p : R) (F0 F1 : along) (t : turn).
Hypothesis Unit : 0 < p < 1.
Hypothesis lawful : lawful_arc C.
Hypothesis span : spans C.
Hypothesis turned : turns C p t.

Lemma class1 x : inside_arc C x -> cost0 C x < p * cost1 C x / (1 - p) ->
  pay0 p (cost0 C x) (cost1 C x) = cost0 C x /\ pay1 p (cost0 C x) (cost1 C x) = 0.
Proof. intros In H. destruct (lawful x In) as (A & B & _). split; [apply pays0_below | apply pays1_below]; assumption. Qed.
Lemma class0 x : inside_arc C x -> p * cost1 C x / (1 - p) <= cost0 C x ->
  pay0 p (cost0 C x) (cost1 C x) = 0 /\ pay1 p (cost0 C x) (cost1 C x) = cost1 C x.
Proof. intros In H. destruct (lawful x In) as (A & B & _). split; [apply pays0_above | apply pays1_above]; assumption. Qed.

Theorem arc_cost0 : integrates_along C (fun c0 _ => c0) F0 -> over_positive (on_arc (pay0 p) C) (paid0 F0 t).
Proof.
  intro J. destruct t as [z | z | |]; simpl in *.
  - destruct turned as (P & A & B & H). apply (paid_up_to C (fun c0 _ => c0)); try assumption.
    + intros x X Y. apply class1, H; assumption.
    + intros x X Y. apply class0, H; assumption.
  - destruct turned as (P & A & B & H). apply (paid_from C (fun c0 _ => c0)); try assumption.
    + intros x X Y. apply class0, H; assumption.
    + intros x X Y. apply class1, H; assumption.
  - apply (paid_all_along C (fun c0 _ => c0)); try assumption. intros x X. apply class1, turned; exact X.
  - apply nothing_along. intros x X. apply class0, turned; exact X.
Qed.
Theorem arc_cost1 : integrates_along C (fun _ c1 => c1) F1 -> over_positive (on_arc (pay1 p) C) (paid1 F1 t).
Proof.
  intro J. destruct t as [z | z | |]; simpl in *.
  - destruct turned as (P & A & B & H). apply (paid_from C (fun _ c1 => c1)); try assumption.
    + intros x X Y. apply class1, H; assumption.
    + intros x X Y. apply class0, H; assumption.
  - destruct turned as (P & A & B & H). apply (paid_up_to C (fun _ c1 => c1)); try assumption.
    + intros x X Y. apply class0, H; assumption.
    + intros x X Y. apply class1, H; assumption.
  - apply nothing_along. intros x X. apply class1, turned; exact X.
  - apply (paid_all_along C (fun _ c1 => c1)); try assumption. intros x X. apply class0, turned; exact X.
Qed.
End Reports.

Theorem arc_of C charge F : spans C -> integrates_along C charge F -> over_positive (on_arc charge C) (all_along F).
Proof. intros S J. apply (paid_all_along C charge); try assumption. reflexivity. Qed.

(** ** The parameter at which the decision changes, from a factor of the difference of the costs *)

Lemma ray_factor p a b : p < 1 -> (0 < (1 - p) * a - p * b -> p * b / (1 - p) <= a) /\ ((1 - p) * a - p * b < 0 -> a < p * b / (1 - p)).
Proof.
  intro P. assert (E : p * b / (1 - p) * (1 - p) = p * b) by (field; lra).
  split; intro H; [apply (Rmult_le_reg_r (1 - p)) | apply (Rmult_lt_reg_r (1 - p))]; lra.
Qed.

Lemma rising_at C p z g : p < 1 -> 0 < z /\ from C <= z /\ Rbar_le z (upto C) ->
  (forall x, inside_arc C x -> (1 - p) * cost0 C x - p * cost1 C x = g x * (x - z) /\ 0 < g x) -> turns C p (Rising z).
Proof.
  intros P (A & B & D) H. repeat split; try assumption; intro X; destruct (H x) as [E G]; try assumption; apply ray_factor; try exact P; rewrite E.
  - assert (0 < g x * (z - x)) by (apply Rmult_lt_0_compat; lra). lra.
  - apply Rmult_lt_0_compat; lra.
Qed.
Lemma falling_at C p z g : p < 1 -> 0 < z /\ from C <= z /\ Rbar_le z (upto C) ->
  (forall x, inside_arc C x -> (1 - p) * cost0 C x - p * cost1 C x = g x * (z - x) /\ 0 < g x) -> turns C p (Falling z).
Proof.
  intros P (A & B & D) H. repeat split; try assumption; intro X; destruct (H x) as [E G]; try assumption; apply ray_factor; try exact P; rewrite E.
  - apply Rmult_lt_0_compat; lra.
  - assert (0 < g x * (x - z)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma always_on C p : p < 1 -> (forall x, inside_arc C x -> 0 < p * cost1 C x - (1 - p) * cost0 C x) -> turns C p Always.
Proof. intros P H x X. specialize (H x X). apply ray_factor; [exact P | lra]. Qed.
Lemma never_on C p : p < 1 -> (forall x, inside_arc C x -> 0 < (1 - p) * cost0 C x - p * cost1 C x) -> turns C p Never.
Proof. intros P H x X. apply ray_factor; [exact P | apply H, X]. Qed.

(** ** Sums *)

Lemma one_arc C others pay a b value :
  over_positive (on_arc pay C) a -> over_arcs others pay b -> a + b = value -> over_arcs (C :: others) pay value.
Proof. intros A B <-. exists a, b. repeat split; assumption. Qed.
Lemma expectation_is areas arcs points pay a b value : over_areas areas pay a -> over_arcs arcs pay b ->
  a + b + on_points pay points = value -> expectation (Law areas arcs points) pay value.
Proof. intros A B <-. exists a, b. repeat split; assumption. Qed.

(** A point is charged for one class or the other. *)
Lemma point_below p c0 c1 t : c0 / (c0 + c1) = t -> t < p -> pay0 p c0 c1 = c0 /\ pay1 p c0 c1 = 0.
Proof. intros <- H. unfold pay0, pay1. destruct (Rlt_dec _ _); [split; reflexivity | contradiction]. Qed.
Lemma point_above p c0 c1 t : c0 / (c0 + c1) = t -> p <= t -> pay0 p c0 c1 = 0 /\ pay1 p c0 c1 = c1.
Proof. intros <- H. unfold pay0, pay1. destruct (Rlt_dec _ _); [lra | split; reflexivity]. Qed.

(** * Arcs whose antiderivatives are closed forms, and the tactics by which files certify them *)

(** They are continuous where the arc begins, and vanish at infinity if it ends there. *)
Definition closed_along (C : arc) (F : R -> R) : along :=
  Along F (F (from C)) (match upto C with Finite b => F b | _ => 0 end).

Ltac reading_arcs := cbv beta iota delta [closed_along from upto cost0 cost1 likelihood rise_along at_from at_upto before_turn after_turn
  all_along paid0 paid1 spans integrates_along inside_arc lawful_arc slope_is Rbar_le Rbar_lt] in *.
Ltac antiderivative_along_by hint :=
  reading_arcs; split; [intros x Positive From Upto; sloped_by ltac:(idtac; hint x) | split; tends].

(** The costs of points, whose thresholds a file has compared with the report. *)
Ltac charge_points :=
  cbn [on_points known0 known1 probability];
  repeat match goal with
  | E : pay0 _ _ _ = _ /\ _ |- _ => rewrite ?(proj1 E), ?(proj2 E); clear E
  end.
