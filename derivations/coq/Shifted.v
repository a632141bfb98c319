(** Exponentials beside shifted powers, as of Lomax and exponential costs: their integrals, and where they end. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete Atoms ExpectedLoss Costs Tails Areas Strips Independent Bells Fractions.
Import ListNotations.
Open Scope R_scope.

Lemma shifted_exponential_vanishes a k b n : 0 < k -> is_lim (fun x => a * exp (- (k * x)) / (x + b) ^ S n) p_infty 0.
Proof.
  intro K. apply (is_lim_ext (fun x => a / (x + b) ^ S n * exp (- (k * x)))); [intro; unfold Rdiv; ring |].
  apply product_vanishes; [apply shifted_inverse_power_vanishes | apply exponential_vanishes, K].
Qed.

Lemma shifted_integral_vanishes a k b : 0 < k -> is_lim (fun x => a * exponential_integral (k * (x + b))) p_infty 0.
Proof.
  intro K. replace (Finite 0) with (Rbar_mult a 0) by (simpl; f_equal; ring).
  apply (is_lim_scal_l (fun x => exponential_integral (k * (x + b)))).
  apply (is_lim_comp exponential_integral (fun x => k * (x + b)) p_infty 0 p_infty); [exact exponential_integral_far | | exists 0; intros; discriminate].
  apply (is_lim_ext (fun x => k * x + k * b)); [intro; ring | apply line_grows, K].
Qed.

(** * Tactics for files *)

Ltac far_shifted :=
  lazymatch goal with
  | |- is_lim (fun x => @?f x + @?g x) p_infty _ => apply (sum_vanishes f g); far_shifted
  | |- is_lim (fun x => _ * exp (- (_ * x)) / (x + _) ^ _) p_infty _ => apply shifted_exponential_vanishes; see
  | |- is_lim (fun x => _ * exponential_integral (_ * (x + _))) p_infty _ => apply shifted_integral_vanishes; see
  | |- is_lim (fun x => polynomial _ x * exp (- (_ * x))) p_infty _ => apply polynomial_exponential_vanishes; see
  end.
Ltac sloped_shifted := cbn [polynomial]; auto_derive; [see | equal_exponentials].
Ltac closed_shifted hint :=
  cbn [polynomial]; unfold Rminus, Rdiv; same_arguments exponential_integral ltac:(field; see); equal_exponentials_by hint.
