(** Antiderivatives that vanish at infinity: incomplete Gamma functions, the rest of [erf], powers, bells beside roots. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Incomplete Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms Arcs Normal LogNormal Independent Bells.
Import ListNotations.
Open Scope R_scope.

(** * What grows without bound *)

Lemma power_grows n : is_lim (fun x => x ^ S n) p_infty p_infty.
Proof.
  induction n as [| n IH]; [apply (is_lim_ext (fun x => x)); [intro; ring | apply is_lim_id] |].
  apply (is_lim_ext (fun x => x * x ^ S n)); [reflexivity |].
  evar_last; [apply (is_lim_mult (fun x => x) (fun x => x ^ S n) p_infty p_infty p_infty); [apply is_lim_id | exact IH | exact I] | reflexivity].
Qed.
Lemma multiple_of_power_grows k n : 0 < k -> is_lim (fun x => k * x ^ S n) p_infty p_infty.
Proof. intro K. exact (filterlim_comp _ _ _ _ (fun y => k * y) _ _ _ (power_grows n) (multiple_grows k K)). Qed.
Lemma shifted_grows b : is_lim (fun x => x + b) p_infty p_infty.
Proof.
  evar_last; [apply (is_lim_plus (fun x => x) (fun _ => b) p_infty p_infty b p_infty); [apply is_lim_id | apply is_lim_const |] |]; reflexivity.
Qed.
Lemma multiple_of_root_grows k : 0 < k -> is_lim (fun x => k * sqrt x) p_infty p_infty.
Proof.
  intro K. refine (filterlim_comp _ _ _ sqrt (fun y => k * y) _ _ _ _ (multiple_grows k K)).
  exact (is_lim_sqrt_p (fun x => x) p_infty (is_lim_id p_infty)).
Qed.

(** * What vanishes as its argument grows *)

Section Growing.
Variables (a : R) (g : R -> R).
Hypothesis positive : 0 < a.
Hypothesis grows : is_lim g p_infty p_infty.

Lemma upper_gamma_vanishes : is_lim (fun x => upper_gamma a (g x)) p_infty 0.
Proof.
  apply (is_lim_comp (upper_gamma a) g p_infty 0 p_infty); [| exact grows | exists 0; intros; discriminate].
  unfold upper_gamma. replace (Finite 0) with (Finite (Gamma a - Gamma a)) by (f_equal; ring).
  apply is_lim_minus'; [apply is_lim_const | apply lower_gamma_far, positive].
Qed.
Lemma power_vanishes : is_lim (fun x => Rpower (g x) (- a)) p_infty 0.
Proof.
  apply (is_lim_ext (fun x => exp (- (a * ln (g x))))); [intro; unfold Rpower; f_equal; ring |].
  apply (is_lim_comp (fun y => exp (- (a * y))) (fun x => ln (g x)) p_infty 0 p_infty).
  - apply exponential_vanishes, positive.
  - apply (is_lim_comp ln g p_infty p_infty p_infty); [apply is_lim_ln_p | exact grows | exists 0; intros; discriminate].
  - exists 0. intros; discriminate.
Qed.
End Growing.

Lemma exponential_of_growing_vanishes g : is_lim g p_infty p_infty -> is_lim (fun x => exp (- g x)) p_infty 0.
Proof.
  intro G. apply (is_lim_comp (fun y => exp (- (1 * y))) g p_infty 0 p_infty) in G.
  - apply (is_lim_ext (fun x => exp (- (1 * g x)))); [intro; f_equal; ring | exact G].
  - apply exponential_vanishes, Rlt_0_1.
  - exists 0. intros; discriminate.
Qed.
Lemma rest_of_erf_vanishes g : is_lim g p_infty p_infty -> is_lim (fun x => erf (g x) - 1) p_infty 0.
Proof.
  intro G. replace (Finite 0) with (Finite (1 - 1)) by (f_equal; ring).
  apply is_lim_minus'; [| apply is_lim_const].
  apply (is_lim_comp erf g p_infty 1 p_infty); [exact erf_at_infinity | exact G | exists 0; intros; discriminate].
Qed.
Lemma multiple_vanishes k f : is_lim f p_infty 0 -> is_lim (fun x => k * f x) p_infty 0.
Proof. intro F. replace (Finite 0) with (Rbar_mult k 0) by (simpl; f_equal; ring). apply is_lim_scal_l, F. Qed.

Lemma inverse_vanishes k f : is_lim f p_infty p_infty -> is_lim (fun x => k / f x) p_infty 0.
Proof.
  intro F. apply multiple_vanishes. apply (is_lim_inv f p_infty p_infty); [exact F | discriminate].
Qed.
Lemma over_power_vanishes k a g : 0 < a -> is_lim g p_infty p_infty -> is_lim (fun x => k / Rpower (g x) a) p_infty 0.
Proof.
  intros A G. apply (is_lim_ext (fun x => k * Rpower (g x) (- a))); [intro; rewrite Rpower_Ropp; reflexivity |].
  apply multiple_vanishes, power_vanishes; assumption.
Qed.
Lemma over_root_vanishes k n g : is_lim g p_infty p_infty -> is_lim (fun x => k / sqrt (g x) ^ S n) p_infty 0.
Proof.
  intro G. apply inverse_vanishes. apply (is_lim_comp (fun y => y ^ S n) (fun x => sqrt (g x)) p_infty p_infty p_infty).
  - apply power_grows.
  - exact (is_lim_sqrt_p g p_infty G).
  - exists 0. intros; discriminate.
Qed.

Lemma exponential_beside_root_vanishes coefficients k : 0 < k ->
  is_lim (fun x => sqrt x * (polynomial coefficients x * exp (- (k * x)))) p_infty 0.
Proof.
  intro K. apply (is_lim_ext_loc (fun x => polynomial (0 :: coefficients) x * exp (- (k * x)) * (sqrt x / x))).
  { exists 0. intros x X. simpl. field. lra. }
  apply (vanishes_beside_bounded (fun x => polynomial (0 :: coefficients) x * exp (- (k * x)))); [apply polynomial_exponential_vanishes, K |].
  intros x X. assert (R : 0 < sqrt x) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt x ltac:(lra)) as S.
  assert (1 < sqrt x) by (rewrite <- sqrt_1; apply sqrt_lt_1_alt; lra). split; [see |].
  apply (Rmult_le_reg_r x); [lra |]. replace (sqrt x / x * x) with (sqrt x) by (field; lra). nra.
Qed.

(** * Tactics for files *)

Ltac grows_far :=
  lazymatch goal with
  | |- is_lim (fun x => x) p_infty _ => apply is_lim_id
  | |- is_lim (fun x => x + ?b) p_infty _ => apply (shifted_grows b)
  | |- is_lim (fun x => _ * x) p_infty _ => apply multiple_grows; see
  | |- is_lim (fun x => _ * x ^ _) p_infty _ => apply multiple_of_power_grows; see
  | |- is_lim (fun x => _ * sqrt x) p_infty _ => apply multiple_of_root_grows; see
  end.
Ltac vanishes_far :=
  lazymatch goal with
  | |- is_lim (fun x => @?f x + @?g x) p_infty _ => apply (sum_vanishes f g); vanishes_far
  | |- is_lim (fun x => _ * upper_gamma ?a (@?g x)) p_infty _ => apply multiple_vanishes, (upper_gamma_vanishes a g); [see | grows_far]
  | |- is_lim (fun x => _ * (erf (@?g x) - 1)) p_infty _ => apply multiple_vanishes, (rest_of_erf_vanishes g); grows_far
  | |- is_lim (fun x => _ * Rpower (@?g x) (- ?a)) p_infty _ => apply multiple_vanishes, (power_vanishes a g); [see | grows_far]
  | |- is_lim (fun x => _ / Rpower (@?g x) ?a) p_infty _ => apply (over_power_vanishes _ a g); [see | grows_far]
  | |- is_lim (fun x => _ / sqrt (@?g x) ^ ?n) p_infty _ => apply (over_root_vanishes _ _ g); grows_far
  | |- is_lim (fun x => sqrt x * (polynomial _ x * exp (- (_ * x)))) p_infty _ => apply exponential_beside_root_vanishes; see
  | |- is_lim (fun x => polynomial _ x * exp (- (_ * x ^ 2 + 2 * _ * x))) p_infty _ => apply polynomial_bell_vanishes; see
  | |- is_lim (fun x => polynomial _ x * exp (- (_ * x))) p_infty _ => apply polynomial_exponential_vanishes; see
  | |- is_lim (fun x => _ * exp (- @?g x)) p_infty _ => apply multiple_vanishes, (exponential_of_growing_vanishes g); grows_far
  end.
Ltac tends_far :=
  lazymatch goal with
  | |- filterlim ?G (before p_infty) _ => change (is_lim G p_infty 0); vanishes_far
  | |- filterlim ?G (after ?a) _ => refine (tends_if_continuous G a _); cbn [polynomial]; unfold Rpower; smooth
  end.
Ltac vanishes_otherwise ::= vanishes_far.
(** Values of functions at 0 come first where less does not do: a hint does not see them before. *)
Ltac equal_far hint :=
  unfold erfc; first [algebra_by hint | equal_exponentials_by hint | unfold Rpower; evaluate; algebra_by hint].
Ltac antiderivative_far_by hint :=
  reading_arcs; split;
  [ intros x (Positive & From & Upto); cbn [polynomial]; unfold Rpower; split; cbn beta;
    [auto_derive; [see | equal_far ltac:(idtac; hint x)] | smooth]
  | tends_to_ends ltac:(idtac; vanishes_far) ].
Ltac antiderivative_in_c1_far hint := opened; intros; cbn [polynomial]; unfold Rpower; split; cbn beta; [auto_derive; [see | equal_far hint] | smooth].
Ltac antiderivative_in_c0_far hint :=
  opened; split;
  [ intros c0 Positive0 Above Under; cbn [polynomial]; unfold Rpower; split; cbn beta; [auto_derive; [see | equal_far hint] | smooth]
  | split; tends ].
Ltac gained_far hint := reading; cbn [polynomial]; equal_far hint.
