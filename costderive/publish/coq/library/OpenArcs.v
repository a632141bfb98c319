(** Arcs on which a mean is infinite: at reports between 0 and 1 that cost is paid on a part of the arc alone, up to a
    parameter or from one on, and an antiderivative needs a limit at that end of the arc, none at the other. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs.
Open Scope R_scope.

Definition rises_along (C : arc) (charge : R -> R -> R) (F : along) : Prop :=
  forall x, inside_arc C x -> slope_is (rise_along F) (fun x => charge (cost0 C x) (cost1 C x) * likelihood C x) x.
Definition integrates_from (C : arc) (charge : R -> R -> R) (F : along) : Prop :=
  rises_along C charge F /\ filterlim (rise_along F) (at_right (from C)) (locally (at_from F)) /\ rise_along F (from C) = at_from F.
Definition integrates_upto (C : arc) (charge : R -> R -> R) (F : along) : Prop :=
  rises_along C charge F /\ filterlim (rise_along F) (toward (upto C)) (locally (at_upto F)) /\
  match upto C with Finite b => rise_along F b = at_upto F | _ => True end.

(** A class is charged up to a parameter before the end, or from one on after the start; or nowhere. *)
Definition charged_before0 (C : arc) (t : turn) : Prop := match t with Rising z => Rbar_lt z (upto C) | Never => True | _ => False end.
Definition charged_before1 (C : arc) (t : turn) : Prop := match t with Falling z => Rbar_lt z (upto C) | Always => True | _ => False end.
Definition charged_after0 (C : arc) (t : turn) : Prop := match t with Falling z => from C < z | Never => True | _ => False end.
Definition charged_after1 (C : arc) (t : turn) : Prop := match t with Rising z => from C < z | Always => True | _ => False end.

Section OnAPart.
Variables (C : arc) (charge pay : R -> R -> R) (F : along).
Hypothesis span : spans C.
Hypothesis rises : rises_along C charge F.

Local Notation charged x := (pay (cost0 C x) (cost1 C x) = charge (cost0 C x) (cost1 C x)).
Local Notation free x := (pay (cost0 C x) (cost1 C x) = 0).
Local Notation rise := (rise_along F).

Lemma charged_on_a_part (x y : R) : from C < x -> x <= y -> Rbar_lt y (upto C) ->
  (forall z, inside_arc C z -> x < z < y -> charged z) -> is_RInt (on_arc pay C) x y (rise y - rise x).
Proof.
  intros X XY Y Charged. apply (is_RInt_ext (fun z => charge (cost0 C z) (cost1 C z) * likelihood C z)).
  - rewrite Rmin_left, Rmax_right by exact XY. intros z Z. unfold on_arc.
    rewrite Charged; [reflexivity | apply (inside_between C span x y); try assumption; lra | exact Z].
  - apply (between_bounds rise); [exact XY | | reflexivity]. intros z Z. exact (rises z (inside_between C span x y z X Y Z)).
Qed.

Lemma paid_before (z : R) : filterlim rise (at_right (from C)) (locally (at_from F)) -> rise (from C) = at_from F ->
  from C <= z -> Rbar_lt z (upto C) -> (forall x, inside_arc C x -> x < z -> charged x) ->
  (forall x, inside_arc C x -> z < x -> free x) -> over_arc C pay (before_turn F z).
Proof.
  intros Bottom Start A B Charged Free. destruct span as [_ S].
  refine (between_by_increments _ _ S (fun x => rise (Rmin x z)) (on_arc pay C) (at_from F) (rise z) _ _ _).
  - intros x y X XY Y. destruct (Rle_dec y z) as [YZ |]; [| destruct (Rle_dec z x) as [ZX |]].
    + rewrite !Rmin_left by lra. apply charged_on_a_part; try assumption. intros t T H. apply Charged; [exact T | lra].
    + rewrite !Rmin_right by lra. replace (rise z - rise z) with 0 by ring.
      apply (free_along C pay span); try assumption. intros t T H. apply Free; [exact T | lra].
    + rewrite (Rmin_left x), (Rmin_right y) by lra. apply (joined_at C pay x z y (rise z - rise x) 0); [| | ring].
      * apply charged_on_a_part; try lra; try assumption. intros t T H. apply Charged; [exact T | lra].
      * apply (free_along C pay span); try lra; try assumption. intros t T H. apply Free; [exact T | lra].
  - destruct (Rle_lt_or_eq_dec _ _ A) as [L | <-].
    + apply (filterlim_ext_loc rise); [| exact Bottom].
      apply filter_imp with (2 := right_of (from C) z L). intros x X. rewrite Rmin_left by lra. reflexivity.
    + rewrite <- Start. apply (filterlim_ext_loc (fun _ => rise (from C))); [| apply filterlim_const].
      apply filter_imp with (2 := right_of (from C) (from C + 1) ltac:(lra)). intros x X. rewrite Rmin_right by lra. reflexivity.
  - apply (constant_at_stop C _ _ z B). intros x X. rewrite Rmin_right by lra. reflexivity.
Qed.

Lemma paid_after (z : R) : filterlim rise (toward (upto C)) (locally (at_upto F)) ->
  match upto C with Finite b => rise b = at_upto F | _ => True end ->
  from C < z -> Rbar_le z (upto C) -> (forall x, inside_arc C x -> x < z -> free x) ->
  (forall x, inside_arc C x -> z < x -> charged x) -> over_arc C pay (after_turn F z).
Proof.
  intros Top Stop A B Free Charged. destruct span as [_ S].
  refine (between_by_increments _ _ S (fun x => rise (Rmax x z)) (on_arc pay C) (rise z) (at_upto F) _ _ _).
  - intros x y X XY Y. destruct (Rle_dec y z) as [YZ |]; [| destruct (Rle_dec z x) as [ZX |]].
    + rewrite !Rmax_right by lra. replace (rise z - rise z) with 0 by ring.
      apply (free_along C pay span); try assumption. intros t T H. apply Free; [exact T | lra].
    + rewrite !Rmax_left by lra. apply charged_on_a_part; try assumption. intros t T H. apply Charged; [exact T | lra].
    + rewrite (Rmax_right x), (Rmax_left y) by lra. assert (Z : Rbar_lt z (upto C)) by (apply (before_end _ y); [lra | exact Y]).
      apply (joined_at C pay x z y 0 (rise y - rise z)); [| | ring].
      * apply (free_along C pay span); try lra; try assumption. intros t T H. apply Free; [exact T | lra].
      * apply charged_on_a_part; try lra; try assumption. intros t T H. apply Charged; [exact T | lra].
  - apply (constant_at_start C _ _ z A). intros x X. rewrite Rmax_right by lra. reflexivity.
  - assert (V : Rbar_lt z (upto C) \/ upto C = Finite z).
    { destruct (upto C) as [h | |]; simpl in B; [| left; exact I | contradiction].
      destruct (Rle_lt_or_eq_dec _ _ B) as [L | ->]; [left; exact L | right; reflexivity]. }
    destruct V as [L | E].
    + apply (filterlim_ext_loc rise); [| exact Top]. apply filter_imp with (2 := toward_above z _ L). intros x X. rewrite Rmax_left by lra. reflexivity.
    + rewrite E in *. rewrite <- Stop. apply (filterlim_ext_loc (fun _ => rise z)); [| apply filterlim_const].
      apply filter_imp with (2 := left_of (z - 1) z ltac:(lra)). intros x X. rewrite Rmax_right by lra. reflexivity.
Qed.
End OnAPart.

(** * Both expected costs of a report *)

Section Reports.
Variables (C : arc) (p : R) (F : along) (t : turn).
Hypothesis Unit : 0 < p < 1.
Hypothesis lawful : lawful_arc C.
Hypothesis span : spans C.
Hypothesis turned : turns C p t.

Ltac on_class1 := intros; apply (class1 C p Unit lawful); [assumption |].
Ltac on_class0 := intros; apply (class0 C p Unit lawful); [assumption |].

Theorem paid_before0 : integrates_from C (fun c0 _ => c0) F -> charged_before0 C t -> over_arc C (pay0 p) (paid0 F t).
Proof.
  intros (J & Bottom & Start) K. destruct t as [z | z | |]; simpl in *; try contradiction.
  - destruct turned as (A & _ & H). apply (paid_before C (fun c0 _ => c0)); try assumption; [on_class1 | on_class0]; apply H; assumption.
  - apply (nothing_along C (pay0 p) span). on_class0. apply turned; assumption.
Qed.
Theorem paid_before1 : integrates_from C (fun _ c1 => c1) F -> charged_before1 C t -> over_arc C (pay1 p) (paid1 F t).
Proof.
  intros (J & Bottom & Start) K. destruct t as [z | z | |]; simpl in *; try contradiction.
  - destruct turned as (A & _ & H). apply (paid_before C (fun _ c1 => c1)); try assumption; [on_class0 | on_class1]; apply H; assumption.
  - apply (nothing_along C (pay1 p) span). on_class1. apply turned; assumption.
Qed.
Theorem paid_after0 : integrates_upto C (fun c0 _ => c0) F -> charged_after0 C t -> over_arc C (pay0 p) (paid0 F t).
Proof.
  intros (J & Top & Stop) K. destruct t as [z | z | |]; simpl in *; try contradiction.
  - destruct turned as (_ & B & H). apply (paid_after C (fun c0 _ => c0)); try assumption; [on_class0 | on_class1]; apply H; assumption.
  - apply (nothing_along C (pay0 p) span). on_class0. apply turned; assumption.
Qed.
Theorem paid_after1 : integrates_upto C (fun _ c1 => c1) F -> charged_after1 C t -> over_arc C (pay1 p) (paid1 F t).
Proof.
  intros (J & Top & Stop) K. destruct t as [z | z | |]; simpl in *; try contradiction.
  - destruct turned as (_ & B & H). apply (paid_after C (fun _ c1 => c1)); try assumption; [on_class1 | on_class0]; apply H; assumption.
  - apply (nothing_along C (pay1 p) span). on_class1. apply turned; assumption.
Qed.
End Reports.

(** * The tactics by which files certify such antiderivatives *)

Ltac rises_by hint :=
  intros x (Positive & From & Upto); cbn [polynomial]; unfold Rpower; split; cbn beta;
  [auto_derive; [see | first [equal_exponentials_by ltac:(idtac; hint x) | algebra_by ltac:(idtac; hint x)]] | smooth].
Ltac antiderivative_from_by hint :=
  unfold integrates_from, rises_along; reading_arcs; split; [rises_by hint | split; [refine (near_start _ _ _); continuous_at_end | reflexivity]].
Ltac antiderivative_upto_by hint :=
  unfold integrates_upto, rises_along; reading_arcs; split; [rises_by hint | split; [| first [reflexivity | exact I]]];
  lazymatch goal with
  | |- filterlim _ (at_left _) _ => refine (near_stop _ _ _); continuous_at_end
  | |- filterlim ?G (Rbar_locally p_infty) _ => change (is_lim G p_infty 0); vanishes
  end.
