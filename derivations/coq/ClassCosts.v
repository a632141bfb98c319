(** Independent costs of several classes: what it costs to decide for the class with the largest [p i * c i].

    If the class is [i] and its cost is [x], the decision is for another class unless [p j * c j <= p i * x] for all
    others. The costs are independent, so that this has the probability [prod_(j <> i) G j (p i * x / p j)], with [G j]
    the distribution function of the cost of class [j]; ties have no probability. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Tails Areas Strips ClosedForms Acts Classes.
Import ListNotations.
Open Scope R_scope.

(** [f 0 * ... * f (n - 1)]. *)
Fixpoint product_over (n : nat) (f : nat -> R) : R :=
  match n with O => 1 | S m => product_over m f * f m end.

(** A positive cost with the distribution function [G], of which [g] is the density. *)
Definition is_law_of_cost (G g : R -> R) : Prop :=
  G 0 = 0 /\ continuous G 0 /\ is_lim G p_infty 1 /\ (forall x, 0 < x -> 0 <= g x /\ is_derive G x (g x)).

(** The chance that the cost is in an interval is the increase of [G], so that all together is 1. *)
Lemma density_has_total_1 G g : is_law_of_cost G g -> (forall x, 0 < x -> continuous g x) -> over_positive g 1.
Proof.
  intros (Start & From0 & Total & Slope) C. replace 1 with (1 - G 0) by (rewrite Start; ring).
  apply over_positive_is_onward. apply (by_antiderivative 0 p_infty G g); simpl; try lra.
  - intros x X _ _. split; [apply Slope, X | apply C, X].
  - apply tends_if_continuous, From0.
  - exact Total.
Qed.

Section Decisions.

(** The number of classes; a factor of all costs; distribution functions and densities of the costs. *)
Variables (classes : nat) (factor : R) (G g : nat -> R -> R).

Definition chance_of_another (i : nat) (p : nat -> R) (x : R) : R :=
  1 - product_over classes (fun j => if Nat.eqb j i then 1 else G j (p i * x / p j)).
Definition costs_of_class (i : nat) (p : nat -> R) (value : R) : Prop :=
  over_positive (fun x => factor * x * chance_of_another i p x * g i x) value.

End Decisions.

(** What has an antiderivative that vanishes at infinity is integrated by its value at 0. *)
Lemma over_positive_by (F f : R -> R) value : (forall x, 0 < x -> slope_is F f x) -> continuous F 0 ->
  is_lim F p_infty 0 -> - F 0 = value -> over_positive f value.
Proof.
  intros S C V E. replace value with (0 - F 0) by lra. apply over_positive_is_onward.
  apply (by_antiderivative 0 p_infty F f); simpl; try lra.
  - intros x X _ _. apply S, X.
  - apply tends_if_continuous, C.
  - exact V.
Qed.

Lemma tends_to_1 (G rest : R -> R) : (forall x, G x = 1 + rest x) -> is_lim rest p_infty 0 -> is_lim G p_infty 1.
Proof.
  intros E V. apply (is_lim_ext (fun x => 1 + rest x)); [intro; symmetry; apply E |].
  replace (Finite 1) with (Finite (1 + 0)) by (f_equal; ring). apply is_lim_plus'; [apply is_lim_const | exact V].
Qed.

(** * Closed forms *)

(** Write exponentials of sums as products, and equal ones alike. *)
Ltac split_exponentials :=
  repeat match goal with
  | |- context [exp (- ((?a + ?b) * ?x))] =>
      replace (exp (- ((a + b) * x))) with (exp (- (a * x)) * exp (- (b * x))) by (rewrite <- exp_plus; f_equal; ring)
  end.
Ltac equal_sums := cbn [polynomial]; split_exponentials; exponentials; name_exponentials; field; see.

(** [rest] is what the distribution function lacks to 1, so written that its limit is seen. *)
Ltac lawful_by unfolded rest :=
  split; [unfolded; equal_exponentials | split; [unfolded; smooth | split;
    [unfolded; apply (tends_to_1 _ rest); [intro; cbn [polynomial]; equal_exponentials | vanishes]
    | intros x X; unfolded; split; [see | auto_derive; [see | equal_exponentials]]]]].

(** [F] is an antiderivative, at a forecast, of the cost of a class where another is decided for. *)
Ltac expected_by unfolded F :=
  let p := fresh "p" in let P := fresh "P" in
  intros p P; match type of P with positive_forecast ?n _ => parts_of P n end;
  unfold costs_of_class; apply (over_positive_by (F p)); unfolded;
  repeat match goal with
  | |- context [p ?k] => let v := fresh "v" in set (v := p k) in *; clearbody v
  end;
  [ let x := fresh "x" in let X := fresh "X" in intros x X; split; [cbn [polynomial]; auto_derive; [see | equal_sums] | smooth]
  | cbn [polynomial]; smooth | vanishes | cbn [polynomial]; exponentials; field; see ].
