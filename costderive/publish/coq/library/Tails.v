(** Antiderivatives of powers and exponentials: their limits at infinity, and their equality as closed forms. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints.
Import ListNotations.
Open Scope R_scope.

(** * Limits at infinity *)

Fixpoint polynomial (coefficients : list R) (x : R) : R :=
  match coefficients with nil => 0 | a :: others => a + x * polynomial others x end.

Lemma product_vanishes f g : is_lim f p_infty 0 -> is_lim g p_infty 0 -> is_lim (fun x => f x * g x) p_infty 0.
Proof.
  intros F G. replace (Finite 0) with (Rbar_mult 0 0) by (simpl; f_equal; ring). apply is_lim_mult; easy.
Qed.

Lemma multiple_falls k : 0 < k -> is_lim (fun x => - (k * x)) p_infty m_infty.
Proof.
  intro K. evar_last; [apply (is_lim_opp (fun x => k * x) p_infty p_infty) | reflexivity].
  evar_last; [apply (is_lim_scal_l (fun x => x) k p_infty p_infty), is_lim_id |].
  simpl. destruct (Rle_dec 0 k) as [H |]; [| lra]. destruct (Rle_lt_or_eq_dec 0 k H); [reflexivity | lra].
Qed.

Lemma exponential_vanishes k : 0 < k -> is_lim (fun x => exp (- (k * x))) p_infty 0.
Proof.
  intro K. apply (is_lim_comp exp (fun x => - (k * x)) p_infty 0 m_infty).
  - apply is_lim_exp_m.
  - apply multiple_falls, K.
  - exists 0. intros; discriminate.
Qed.

Lemma linear_exponential_vanishes k : 0 < k -> is_lim (fun x => x * exp (- (k * x))) p_infty 0.
Proof.
  intro K. apply (is_lim_ext (fun x => - / k * (- (k * x) * exp (- (k * x))))); [intro; field; lra |].
  replace (Finite 0) with (Rbar_mult (- / k) 0) by (simpl; f_equal; ring).
  apply (is_lim_scal_l (fun x => - (k * x) * exp (- (k * x)))).
  apply (is_lim_comp (fun y => y * exp y) (fun x => - (k * x)) p_infty 0 m_infty).
  - apply is_lim_mul_exp_m.
  - apply multiple_falls, K.
  - exists 0. intros; discriminate.
Qed.

(** An exponential outweighs a polynomial. *)
Lemma polynomial_exponential_vanishes coefficients k :
  0 < k -> is_lim (fun x => polynomial coefficients x * exp (- (k * x))) p_infty 0.
Proof.
  revert k. induction coefficients as [| a others IH]; intros k K; simpl.
  - apply (is_lim_ext (fun _ => 0)); [intro; ring | apply is_lim_const].
  - apply (is_lim_ext (fun x => a * exp (- (k * x)) +
      x * exp (- (k / 2 * x)) * (polynomial others x * exp (- (k / 2 * x))))).
    { intro x. replace (exp (- (k * x))) with (exp (- (k / 2 * x)) * exp (- (k / 2 * x))); [ring |].
      rewrite <- exp_plus. f_equal. field. }
    replace (Finite 0) with (Finite (a * 0 + 0)) by (f_equal; ring).
    apply is_lim_plus'; [apply (is_lim_scal_l (fun x => exp (- (k * x))) a p_infty 0), exponential_vanishes, K |].
    apply product_vanishes; [apply linear_exponential_vanishes; lra | apply IH; lra].
Qed.

Lemma inverse_power_vanishes a n : is_lim (fun x => a / x ^ S n) p_infty 0.
Proof.
  replace (Finite 0) with (Rbar_mult a 0) by (simpl; f_equal; ring). apply (is_lim_scal_l (fun x => / x ^ S n)).
  induction n as [| n IH].
  - apply (is_lim_ext (fun x => / x)); [intro x; rewrite pow_1; reflexivity |].
    evar_last; [apply (is_lim_inv (fun x => x) p_infty p_infty); [apply is_lim_id | discriminate] | reflexivity].
  - apply (is_lim_ext_loc (fun x => / x ^ S n * / x)).
    { exists 0. intros x X. assert (N : x <> 0) by (simpl in X; lra).
      simpl. field. split; [apply pow_nonzero, N | exact N]. }
    apply product_vanishes; [exact IH |].
    evar_last; [apply (is_lim_inv (fun x => x) p_infty p_infty); [apply is_lim_id | discriminate] | reflexivity].
Qed.

Lemma shifted_inverse_power_vanishes a b n : is_lim (fun x => a / (x + b) ^ S n) p_infty 0.
Proof.
  apply (is_lim_comp (fun y => a / y ^ S n) (fun x => x + b) p_infty 0 p_infty).
  - apply inverse_power_vanishes.
  - evar_last; [apply (is_lim_plus (fun x => x) (fun _ => b) p_infty p_infty b); [apply is_lim_id | apply is_lim_const | reflexivity] | reflexivity].
  - exists 0. intros; discriminate.
Qed.

Lemma inverse_root_vanishes a n : is_lim (fun x => a / sqrt x ^ S n) p_infty 0.
Proof.
  apply (is_lim_comp (fun y => a / y ^ S n) sqrt p_infty 0 p_infty).
  - apply inverse_power_vanishes.
  - exact (is_lim_sqrt_p (fun x => x) p_infty (is_lim_id p_infty)).
  - exists 0. intros; discriminate.
Qed.

Lemma sum_vanishes f g : is_lim f p_infty 0 -> is_lim g p_infty 0 -> is_lim (fun x => f x + g x) p_infty 0.
Proof.
  intros F G. replace (Finite 0) with (Finite (0 + 0)) by (f_equal; ring). apply is_lim_plus'; assumption.
Qed.

(** * Equalities, orders and slopes *)

Lemma exp_of_zero a : a = 0 -> exp a = 1.
Proof. intros ->. exact exp_0. Qed.

(** Let a letter stand for each distinct exponential: only then is each pair of them compared once. *)
Ltac name_exponentials :=
  repeat match goal with
  | |- context [exp ?a] =>
      let e := fresh "e" in let known := fresh "known" in
      first [remember (exp a) as e eqn:known | remember (exp a) as e eqn:known in |- *]; symmetry in known
  end;
  repeat match goal with outer : exp ?b = _ |- _ => match b with context [exp ?a] =>
      let e := fresh "e" in let known := fresh "known" in remember (exp a) as e eqn:known in outer; symmetry in known
  end end.
Definition compared (x : R) : Prop := True.
Ltac each_exponential write :=
  repeat match goal with
  | A : exp ?a = ?x |- _ =>
      assert_fails (idtac; match goal with _ : compared x |- _ => idtac end);
      first [write A x | pose proof (I : compared x)]
  end;
  repeat match goal with S : compared _ |- _ => clear S end.

(** Equality of closed forms with exponentials, whose exponents are compared as fractions. *)
Ltac known_or_alike A x :=
  first
    [ assert (x = 1) by (rewrite <- A; apply exp_of_zero; field; see); clear A; subst x
    | match goal with B : exp _ = ?y |- _ =>
        assert_fails (constr_eq x y); assert (x = y) by (rewrite <- A, <- B; f_equal; field; see); clear A; subst x end ].
Ltac exponentials :=
  name_exponentials; each_exponential known_or_alike; repeat match goal with A : exp _ = ?x |- _ => subst x end.
Ltac equal_by hint := first [algebra_by hint | exponentials; algebra].
Ltac equal := equal_by idtac.

(** Write exponentials of a sum of two others as their product; what is a product is a factor of others still. *)
Ltac product_of_two A x :=
  match goal with
  | B : exp _ = ?y |- _ =>
      assert_fails (constr_eq x y); assert (x = y * y) by (rewrite <- A, <- B, <- exp_plus; f_equal; field; see)
  | B : exp _ = ?y, C : exp _ = ?z |- _ =>
      assert_fails (constr_eq x y); assert_fails (constr_eq x z);
      assert_fails (idtac; match goal with _ : y = x * _ |- _ => idtac | _ : y = _ * x |- _ => idtac end);
      assert_fails (idtac; match goal with _ : z = x * _ |- _ => idtac | _ : z = _ * x |- _ => idtac end);
      assert (x = y * z) by (rewrite <- A, <- B, <- C, <- exp_plus; f_equal; field; see)
  end;
  pose proof (I : compared x).
Ltac exponential_products :=
  name_exponentials; each_exponential product_of_two;
  repeat match goal with product : ?x = _ * _, A : exp _ = ?x |- _ => clear A; subst x end;
  repeat match goal with A : exp _ = ?x |- _ => subst x end.
(** Closed forms in which exponentials have opposite exponents, of which one is the inverse of the other. *)
Ltac opposite_of_another A x :=
  match goal with B : exp _ = ?y |- _ =>
    assert_fails (constr_eq x y); replace x with (/ y) by (rewrite <- A, <- B, <- exp_Ropp; f_equal; field; see); clear A x end.

(** An exponential may be the inverse of the square of another one. *)
Ltac inverse_of_square A x :=
  match goal with B : exp _ = ?y |- _ =>
    assert_fails (constr_eq x y); replace x with (/ (y * y)) by (rewrite <- A, <- B, <- exp_plus, <- exp_Ropp; f_equal; field; see); clear A x end.

(** Sums with an opposite are differences again, as signs are seen of these. *)
Ltac differences := repeat match goal with |- context [?a + - ?b] => change (a + - b) with (a - b) end.

(** Exponentials of sums of three and more are products of those of their terms, of which some may be opposite. *)
Ltac equal_factors :=
  unfold Rminus; rewrite ?exp_plus; name_exponentials; each_exponential known_or_alike; each_exponential opposite_of_another;
  each_exponential inverse_of_square; exponential_products; differences; field; see.
(** Products of two exponentials may be products of two others. *)
Ltac product_of_others :=
  match goal with A : exp _ = ?x, B : exp _ = ?y, C : exp _ = ?z, D : exp _ = ?w |- _ =>
    assert_fails (constr_eq x y); assert_fails (constr_eq x z); assert_fails (constr_eq x w);
    assert (x = y * z * / w) by (rewrite <- A, <- B, <- C, <- D, <- exp_Ropp, <- !exp_plus; f_equal; field; see);
    clear A; subst x
  end.
Ltac equal_products :=
  name_exponentials; each_exponential known_or_alike; product_of_others;
  repeat match goal with A : exp _ = ?x |- _ => subst x end; field; see.
Ltac equal_products_of_products :=
  name_exponentials; each_exponential known_or_alike; each_exponential opposite_of_another; each_exponential product_of_two;
  repeat match goal with product : ?x = _ * _, A : exp _ = ?x |- _ => clear A; subst x end;
  product_of_others; repeat match goal with A : exp _ = ?x |- _ => subst x end; field; see.
(** Over the same denominator, whose sign is seen as it stands, only what is above is written as products. *)
Ltac over_the_same :=
  lazymatch goal with |- ?a / ?b = ?c / ?d =>
    match b with context [exp _] => idtac end;
    let same := fresh "same" in assert (same : b = d) by ring; rewrite same; apply f_equal2; [| reflexivity] end.
(** An exponential of three terms is no product of two others. *)
Ltac equal_sums_of_three := lazymatch goal with |- context [exp (_ - _ - _)] => solve [equal_factors] end.
Ltac equal_exponentials_by hint :=
  lazymatch goal with
  | |- context [exp _] =>
      try over_the_same;
      first [equal_sums_of_three | solve [exponentials; exponential_products; field; see] | equal_by hint | equal_factors | equal_products | equal_products_of_products]
  | |- _ => equal_by hint
  end.
Ltac equal_exponentials := equal_exponentials_by idtac.

Ltac equal_opposites_by hint :=
  name_exponentials; each_exponential known_or_alike; each_exponential opposite_of_another;
  repeat match goal with A : exp _ = ?x |- _ => subst x end; algebra_by hint.

(** A slope and the continuity of what it is the slope of, from closed forms. *)
Ltac sloped_by hint :=
  cbn [polynomial]; split; cbn beta; [auto_derive; [see | equal_exponentials_by hint] | smooth].

(** An expression that rises with [c] is not negative from its zero on; one that falls is not negative up to it. *)
Lemma rises_from slope zero c e : 0 < slope -> e = slope * (c - zero) -> (0 <= e <-> zero <= c).
Proof.
  intros S ->. split; intro H; [| apply Rmult_le_pos; lra].
  apply Rnot_lt_le. intro N. assert (0 < slope * (zero - c)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma falls_up_to slope zero c e : 0 < slope -> e = slope * (zero - c) -> (0 <= e <-> c <= zero).
Proof.
  intros S ->. split; intro H; [| apply Rmult_le_pos; lra].
  apply Rnot_lt_le. intro N. assert (0 < slope * (c - zero)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** Bounds that are linear in [c1] are in order between two values of it if they are in order there. *)

Lemma below_between slope rest d e c1 low high : d <= c1 -> c1 <= e -> high - low = slope * c1 + rest ->
  0 <= slope * d + rest -> 0 <= slope * e + rest -> low <= high.
Proof.
  intros D E H A B. destruct (Rle_lt_dec 0 slope) as [S | S].
  - assert (0 <= slope * (c1 - d)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= (- slope) * (e - c1)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma below_from slope rest d c1 low high : d <= c1 -> high - low = slope * c1 + rest ->
  0 <= slope * d + rest -> 0 <= slope -> low <= high.
Proof. intros D H A S. assert (0 <= slope * (c1 - d)) by (apply Rmult_le_pos; lra). lra. Qed.

(** Two bounds that meet at [d] have crossed before it, or after it. *)
Lemma crossed_before slope d c1 low high : c1 < d -> 0 < slope -> low - high = slope * (d - c1) -> high < low.
Proof. intros D S E. assert (0 < slope * (d - c1)) by (apply Rmult_lt_0_compat; lra). lra. Qed.
Lemma crossed_after slope d c1 low high : d < c1 -> 0 < slope -> low - high = slope * (c1 - d) -> high < low.
Proof. intros D S E. assert (0 < slope * (c1 - d)) by (apply Rmult_lt_0_compat; lra). lra. Qed.

