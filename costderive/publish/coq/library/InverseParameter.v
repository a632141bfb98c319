(** Arcs without an end whose antiderivatives have fractions, roots and angles of the parameter: they are functions of
    its inverse that are continuous at 0, and that is where their limits are read. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs.
Open Scope R_scope.

(** From a parameter on, a function is one of its inverse, which vanishes at 0. *)
Theorem vanishes_by_inverse (start : R) (F G : R -> R) : 0 <= start ->
  (forall x, start < x -> F x = G (/ x)) -> continuous G 0 -> G 0 = 0 -> is_lim F p_infty 0.
Proof.
  intros Start Same Continuous Zero.
  apply (is_lim_ext_loc (fun x => G (/ x))); [exists start; intros x X; symmetry; apply Same, X |].
  rewrite <- Zero. apply (is_lim_comp_continuous Rinv G p_infty 0); [| exact Continuous].
  evar_last; [exact (is_lim_inv (fun x => x) p_infty p_infty (is_lim_id p_infty) ltac:(discriminate)) | reflexivity].
Qed.

(** The angle of a large number is a right angle less that of its inverse. *)
Lemma angle_of_inverse a b : 0 < b -> a * b = 1 -> atan a = PI / 2 - atan b.
Proof. intros B E. replace a with (/ b) by (apply (Rmult_eq_reg_r b); [rewrite E; field |]; lra). apply atan_inv, B. Qed.
Ltac acute_angles :=
  repeat match goal with |- context [atan ?a] => match goal with |- context [atan ?b] =>
    assert_fails (constr_eq a b); replace (atan a) with (PI / 2 - atan b) by (symmetry; apply angle_of_inverse; [see | equal_by_roots])
  end end.

(** * The tactics by which files certify such antiderivatives *)

(** [inverted] is the function of the inverse, from [start] on; [known] puts on record what is positive. *)
Ltac vanishes_as start inverted known hint :=
  apply (vanishes_by_inverse start _ inverted);
  [ see
  | let x := fresh "x" in intros x Far; assert (Positive : 0 < x) by lra; known x; unfold Rpower; acute_angles;
    equal_at_ends_by ltac:(idtac; hint x)
  | unfold Rpower; smooth
  | cbn beta; evaluates ].
Ltac antiderivative_inverse_by start inverted known hint :=
  reading_arcs; split;
  [ intros x (Positive & From & Upto); known x; split; cbn beta;
    [auto_derive; [see | equal_exponentials_by ltac:(idtac; hint x)] | first [smooth | unfold Rpower; smooth]]
  | tends_to_ends ltac:(idtac; vanishes_as start inverted known hint) ].
