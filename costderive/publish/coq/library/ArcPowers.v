(** Arcs from 0 whose antiderivatives have powers that are no whole ones: their limit at 0 is 0, where Coq's [Rpower] is 1. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs.
Open Scope R_scope.

(** What is the same for positive parameters has the same slopes there. *)
Theorem slope_where_positive (F G : R -> R) x slope : 0 < x ->
  (forall y, 0 < y -> F y = G y) -> is_derive G x slope -> is_derive F x slope.
Proof.
  intros X Same D. apply (is_derive_ext_loc G); [| exact D].
  apply filter_imp with (2 := near_right_of x 0 X). intros y Y. symmetry. apply Same, Y.
Qed.

(** [plain] is the antiderivative with Coq's powers. *)
Ltac antiderivative_powers_by plain hint :=
  reading_arcs; split;
  [ intros x (Positive & From & Upto); split; cbn beta;
    [ apply (slope_where_positive _ plain); [exact Positive | let y := fresh "y" in intros y Y; rewrite ?positive_power_inside by see; reflexivity |];
      unfold Rpower; auto_derive; [see | equal_exponentials_by ltac:(idtac; hint x)]
    | unfold Rpower; smooth ]
  | tends_to_ends ltac:(idtac; vanishes) ].

Ltac plain_powers :=
  repeat match goal with |- context [positive_power ?x ?k] =>
    first [rewrite (positive_power_outside x k) by lra | rewrite (positive_power_inside x k) by see] end.
Ltac equal_powers_by hint := plain_powers; equal_at_ends_by hint.
