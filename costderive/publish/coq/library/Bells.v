(** Powers times exponentials of squares: bells, their integrals by the error function, and limits at infinity. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Normal LogNormal Independent.
Import ListNotations.
Open Scope R_scope.

(** The integral of [exp (- (rate * x ^ 2 + 2 * lean * x))] but for a constant, and its limit at infinity. *)
Definition bell_whole (rate lean : R) : R := sqrt PI / (2 * sqrt rate) * exp (lean ^ 2 / rate).
Definition bell_to (rate lean x : R) : R := bell_whole rate lean * erf (sqrt rate * x + lean / sqrt rate).

Lemma is_derive_bell_to rate lean x : 0 < rate ->
  is_derive (bell_to rate lean) x (exp (- (rate * x ^ 2 + 2 * lean * x))).
Proof.
  intro E. assert (S : 0 < sqrt rate) by apply sqrt_lt_R0, E. pose proof root_of_pi as P.
  assert (Q : sqrt rate * sqrt rate = rate) by (apply sqrt_sqrt; lra).
  replace (exp _) with (bell_whole rate lean *
    (sqrt rate * (2 / sqrt PI * exp (- (sqrt rate * x + lean / sqrt rate) ^ 2)))).
  { apply (is_derive_scal (fun x => erf (sqrt rate * x + lean / sqrt rate))). apply slope_of_erf_of_line. }
  unfold bell_whole. replace (exp (- (rate * x ^ 2 + 2 * lean * x)))
    with (exp (lean ^ 2 / rate) * exp (- (sqrt rate * x + lean / sqrt rate) ^ 2)); [field; lra |].
  rewrite <- exp_plus. f_equal. revert S Q. generalize (sqrt rate). intros root S <-. field. lra.
Qed.

Global Instance UnaryDiff_bell_to rate lean : UnaryDiff' (bell_to rate lean) :=
  Build_UnaryDiff' _ _ (fun _ => 0 < rate) (fun x known => is_derive_bell_to rate lean x known).

Lemma line_grows a b : 0 < a -> is_lim (fun x => a * x + b) p_infty p_infty.
Proof.
  intro A. evar_last; [apply (is_lim_plus (fun x => a * x) (fun _ => b) p_infty p_infty b); [exact (multiple_grows a A) | apply is_lim_const | reflexivity] | reflexivity].
Qed.

Lemma bell_to_far a rate lean : 0 < rate -> is_lim (fun x => a * bell_to rate lean x) p_infty (a * bell_whole rate lean).
Proof.
  intro E. apply (is_lim_scal_l (bell_to rate lean) a p_infty (bell_whole rate lean)).
  replace (Finite (bell_whole rate lean)) with (Rbar_mult (bell_whole rate lean) 1) by (simpl; f_equal; ring).
  apply (is_lim_scal_l (fun x => erf (sqrt rate * x + lean / sqrt rate))).
  apply (is_lim_comp erf (fun x => sqrt rate * x + lean / sqrt rate) p_infty 1 p_infty).
  - apply erf_at_infinity.
  - apply line_grows, sqrt_lt_R0, E.
  - exists 0. intros; discriminate.
Qed.

Lemma bell_to_beside_far f rate lean : is_lim f p_infty 0 -> 0 < rate -> is_lim (fun x => f x * bell_to rate lean x) p_infty 0.
Proof.
  intros F R. replace (Finite 0) with (Rbar_mult 0 (bell_whole rate lean)) by (simpl; f_equal; ring).
  apply (is_lim_mult f (bell_to rate lean) p_infty 0 (bell_whole rate lean)); [exact F | | exact I].
  apply (is_lim_ext (fun x => 1 * bell_to rate lean x)); [intro; ring |].
  replace (bell_whole rate lean) with (1 * bell_whole rate lean) by ring. apply bell_to_far, R.
Qed.

Lemma vanishes_beside_bounded f g : is_lim f p_infty 0 -> (forall x, 1 < x -> 0 <= g x <= 1) ->
  is_lim (fun x => f x * g x) p_infty 0.
Proof.
  intros F G. apply is_lim_spec. intro e. destruct (proj2 (is_lim_spec f p_infty 0) F e) as [M H].
  exists (Rmax 1 M). intros x X. assert (1 < x /\ M < x) as [X1 XM].
  { pose proof (Rmax_l 1 M). pose proof (Rmax_r 1 M). lra. }
  specialize (H x XM). specialize (G x X1). rewrite Rminus_0_r in *. rewrite Rabs_mult, (Rabs_right (g x)) by lra.
  apply Rle_lt_trans with (Rabs (f x) * 1); [apply Rmult_le_compat_l; [apply Rabs_pos | lra] | lra].
Qed.

Lemma polynomial_bell_vanishes coefficients rate lean : 0 < rate -> 0 <= lean ->
  is_lim (fun x => polynomial coefficients x * exp (- (rate * x ^ 2 + 2 * lean * x))) p_infty 0.
Proof.
  intros E B.
  apply (is_lim_ext (fun x => polynomial coefficients x * exp (- (rate * x)) * exp (- (rate * (x * (x - 1)) + 2 * lean * x)))).
  { intro x. rewrite Rmult_assoc, <- exp_plus. f_equal. f_equal. ring. }
  apply (vanishes_beside_bounded (fun x => polynomial coefficients x * exp (- (rate * x)))).
  - apply polynomial_exponential_vanishes, E.
  - intros x X. split; [left; apply exp_pos |].
    apply Rle_trans with (exp 0); [apply exp_rises | rewrite exp_0; lra].
    assert (0 <= rate * (x * (x - 1))) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
    assert (0 <= 2 * lean * x) by (apply Rmult_le_pos; lra). lra.
Qed.

(** * Tactics for files *)

(** The limit at infinity of a sum of bells, their integrals, and a number. *)
Ltac far :=
  lazymatch goal with
  | |- is_lim (fun x => @?f x + @?g x) p_infty _ => apply (is_lim_plus' f g); far
  | |- is_lim (fun x => @?f x * exp (@?g x) * bell_to _ _ x) p_infty _ =>
      apply (bell_to_beside_far (fun x => f x * exp (g x))); [far | see]
  | |- is_lim (fun x => _ * bell_to _ _ x) p_infty _ => apply bell_to_far; see
  | |- is_lim (fun x => polynomial _ x * exp (- (_ * x ^ 2 + 2 * _ * x))) p_infty _ => apply polynomial_bell_vanishes; see
  | |- is_lim (fun x => polynomial _ x * exp (- (_ * x))) p_infty _ => apply polynomial_exponential_vanishes; see
  | |- is_lim (fun _ => _) p_infty _ => apply is_lim_const
  end.
Ltac far_bells := evar_last; [far | apply f_equal; unfold Rdiv; ring].

(** Closed forms are continuous where they have slopes, and have the slopes that are said. *)
Ltac steady_bells := cbn [polynomial]; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; see.
Ltac equal_bells hint := first [equal_exponentials | exponentials; closed_forms_by hint].
Ltac sloped_bells hint := cbn [polynomial]; auto_derive; [see | equal_bells hint].

(** The same where bells stand beside the integrals of others, whose exponentials are products. *)
Ltac sloped_beside hint :=
  cbn [polynomial]; auto_derive;
  [ see
  | unfold bell_to, bell_whole; exponentials; square_roots; hint; split_roots; joined_errors; joined_exponentials;
    exponential_products; first [solve [field; see] | equal_by_roots] ].

(** The value at 0, and the equality of closed forms with values of the error function. *)
Lemma erf_of_zero a : a = 0 -> erf a = 0.
Proof. intros ->. exact erf_0. Qed.
Ltac bells_at_0 :=
  cbn [polynomial]; unfold bell_to, bell_whole, erfc;
  repeat match goal with |- context [erf ?a] => rewrite (erf_of_zero a) by (field; see) end.
Ltac closed_bells hint := first [solve [exponentials; field; see] | exponentials; closed_forms_by hint].

(** Closed forms with values of the error function beside exponentials are equal, as slopes of losses. *)
Ltac equal_errors hint :=
  unfold erfc; exponentials; square_roots; hint; split_roots; joined_errors; joined_exponentials; opposite_exponentials;
  first [solve [field; see] | equal_by_roots].

(** The same where less may do. *)
Ltac equal_beside_errors hint := first [equal_exponentials_by hint | equal_errors hint].
Ltac evaluated_beside_errors hint := first [evaluated hint | equal_errors hint].
