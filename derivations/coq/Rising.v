(** Signs by slopes: what is not negative at an end, and rises from there, or falls up to it, is positive.

    Two positive numbers are compared by their logarithms. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary.
Open Scope R_scope.

Lemma positive_from F f a b : 0 <= a -> continuous F a ->
  (forall p, a < p < b -> 0 < p < 1 -> is_derive F p (f p) /\ 0 < f p) -> 0 <= F a ->
  forall p, a < p < b -> 0 < p < 1 -> 0 < F p.
Proof.
  intros A C Slope Start p Within Unit. assert (0 < F p - F a); [| lra].
  apply (rises_inside F f); [lra | | intros x X; apply Slope; lra | intros x X; apply Slope; lra].
  intros x [[Above | <-] Below]; [| exact C].
  apply (ex_derive_continuous (V := R_NormedModule)). exists (f x). apply Slope; lra.
Qed.

Lemma positive_up_to F f a b : b <= 1 -> continuous F b ->
  (forall p, a < p < b -> 0 < p < 1 -> is_derive F p (- f p) /\ 0 < f p) -> 0 <= F b ->
  forall p, a < p < b -> 0 < p < 1 -> 0 < F p.
Proof.
  intros B C Slope Stop p Within Unit. assert (0 < - F b - - F p); [| lra].
  assert (Rising : forall x, a < x < b -> 0 < x < 1 -> is_derive (fun x => - F x) x (f x)).
  { intros x X Y. replace (f x) with (- (- f x)) by ring. apply (is_derive_opp F x (- f x)). apply Slope; assumption. }
  apply (rises_inside (fun x => - F x) f); [lra | | intros x X; apply Rising; lra | intros x X; apply Slope; lra].
  intros x [Above [Below | ->]]; [| apply (continuous_opp F), C].
  apply (ex_derive_continuous (V := R_NormedModule)). exists (f x). apply Rising; lra.
Qed.

Lemma greater_by_logarithm x y gap weight :
  weight = x - y -> 0 < x -> 0 < y -> ln x - ln y = gap -> 0 < gap -> 0 < weight.
Proof. intros -> X Y <- Gap. pose proof (ln_lt_inv y x Y X ltac:(lra)). lra. Qed.

Ltac difference_of_logarithms := unfold Rpower, Rminus, Rdiv; split_logarithms; field; see.
Ltac continuous_where_it_starts := unfold Rpower; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; see.
Ltac slope_is_seen := split; [unfold Rpower; auto_derive; [see | algebra] | see].
