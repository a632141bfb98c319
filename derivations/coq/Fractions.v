(** Independent costs with rational densities, as Lomax costs: partial fractions and logarithms, and where they end. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Independent.
Import ListNotations.
Open Scope R_scope.

(** Two logarithms come close to each other at infinity. *)
Lemma logarithms_meet a b c : 0 < b -> 0 < c -> is_lim (fun x => a * (ln (x + b) - ln (x + c))) p_infty 0.
Proof.
  intros B C. replace (Finite 0) with (Rbar_mult a 0) by (simpl; f_equal; ring).
  apply (is_lim_scal_l (fun x => ln (x + b) - ln (x + c))).
  apply (is_lim_ext_loc (fun x => ln (1 + (b - c) / (x + c) ^ 1))).
  { exists 0. intros x X. rewrite <- ln_div by lra. f_equal. field. lra. }
  rewrite <- ln_1. apply (is_lim_comp_continuous (fun x => 1 + (b - c) / (x + c) ^ 1) ln p_infty 1).
  - evar_last; [apply (is_lim_plus' (fun _ => 1)); [apply is_lim_const | apply shifted_inverse_power_vanishes] | f_equal; ring].
  - apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
Qed.

(** A line that is 0 at one place is not 0 at another. *)
Lemma apart_from_zero slope rest zero p : slope <> 0 -> slope * zero + rest = 0 -> p <> zero -> slope * p + rest <> 0.
Proof.
  intros S Z P E. apply P. apply (Rmult_eq_reg_l slope); [lra | exact S].
Qed.

(** * Tactics for files *)

(** What is divided by is not 0: it is positive, or the line that is known not to be. *)
Ltac see_apart :=
  repeat match goal with |- _ /\ _ => split end;
  first
    [ solve [see]
    | match goal with Apart : ?line <> 0 |- ?e <> 0 =>
        let E := fresh in intro E; apply Apart; first [lra | replace line with e by ring; exact E | replace line with (- e) by ring; rewrite E; ring]
      end ].

(** The limit at infinity of partial fractions and differences of logarithms. *)
Ltac far_fractions :=
  lazymatch goal with
  | |- is_lim (fun x => @?f x + @?g x) p_infty _ => apply (sum_vanishes f g); far_fractions
  | |- is_lim (fun x => _ / (x + _) ^ _) p_infty _ => apply shifted_inverse_power_vanishes
  | |- is_lim (fun x => _ * (ln (x + _) - ln (x + _))) p_infty _ => apply logarithms_meet; see
  end.
Ltac steady_fractions := apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; repeat split; see_apart.
Ltac sloped_fractions := auto_derive; [repeat split; see_apart | field; see_apart].
Ltac closed_fractions hint :=
  rewrite ?Rplus_0_l;
  first [solve [field; see_apart] | solve [hint; split_logarithms; field; see_apart]].
