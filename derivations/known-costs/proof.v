(* Written by costderive 0.1.0. Check it with coqc; it needs Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

Module Elementary.
(** Elementary functions: slopes that [auto_derive] lacks, signs that are visible, equalities of closed forms.

    The tactics search for nothing: the sign of a term is read off its structure, and two closed forms are equal as
    fractions once their roots and logarithms are written by the factors that the file names. *)


(** * Slopes *)

Lemma is_derive_asin x : -1 < x < 1 -> is_derive asin x (/ sqrt (1 - x * x)).
Proof.
  intro H. apply is_derive_Reals.
  replace (/ sqrt (1 - x * x)) with (derive_pt asin x (derivable_pt_asin x H)).
  - unfold derive_pt; destruct (derivable_pt_asin x H) as [slope D]; exact D.
  - rewrite derive_pt_asin. unfold Rsqr, Rdiv. ring.
Qed.

Global Instance UnaryDiff_asin : UnaryDiff' asin := Build_UnaryDiff' asin _ _ is_derive_asin.

Lemma is_derive_arcsinh x : is_derive arcsinh x (/ sqrt (x ^ 2 + 1)).
Proof. apply is_derive_Reals, derivable_pt_lim_arcsinh. Qed.

Global Instance UnaryDiff_arcsinh : UnaryDiff arcsinh := Build_UnaryDiff arcsinh _ is_derive_arcsinh.

(** The error function, which Coq's libraries lack, and its complement. *)
Definition erf (x : R) : R := 2 / sqrt PI * RInt (fun t => exp (- t ^ 2)) 0 x.
Definition erfc (x : R) : R := 1 - erf x.

Lemma is_derive_erf x : is_derive erf x (2 / sqrt PI * exp (- x ^ 2)).
Proof.
  apply (is_derive_scal (fun y => RInt (fun t => exp (- t ^ 2)) 0 y) x (2 / sqrt PI) (exp (- x ^ 2))).
  assert (C : forall t, continuous (fun t => exp (- t ^ 2)) t).
  { intro t. apply (ex_derive_continuous (fun t => exp (- t ^ 2))). auto_derive. exact I. }
  apply (is_derive_RInt (fun t => exp (- t ^ 2)) _ 0 x); [| apply C].
  apply filter_forall; intro y. apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous.
  intros t _; apply C.
Qed.

Global Instance UnaryDiff_erf : UnaryDiff erf := Build_UnaryDiff erf _ is_derive_erf.

Lemma is_derive_erfc x : is_derive erfc x (- (2 / sqrt PI * exp (- x ^ 2))).
Proof.
  apply is_derive_Reals. rewrite <- Rminus_0_l. apply (derivable_pt_lim_minus (fun _ => 1) erf).
  - apply derivable_pt_lim_const.
  - apply is_derive_Reals, is_derive_erf.
Qed.

Global Instance UnaryDiff_erfc : UnaryDiff erfc := Build_UnaryDiff erfc _ is_derive_erfc.

Lemma erf_0 : erf 0 = 0.
Proof. unfold erf. rewrite RInt_point. apply Rmult_0_r. Qed.

(** * Signs *)

Lemma sqrt_below_one a : 0 <= a < 1 -> sqrt a < 1.
Proof. intro H. rewrite <- sqrt_1. apply sqrt_lt_1_alt, H. Qed.

Lemma Rpower_positive a k : 0 < Rpower a k.
Proof. apply exp_pos. Qed.

Lemma exp_above_one a : 0 < a -> 0 < exp a - 1.
Proof. intro H. pose proof (exp_ineq1 a ltac:(lra)). lra. Qed.

Lemma ln_positive a : 1 < a -> 0 < ln a.
Proof. intro H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_negative a : 0 < a < 1 -> 0 < - ln a.
Proof. intro H. pose proof (ln_increasing a 1). rewrite ln_1 in *. lra. Qed.

Lemma positive_as b a : a = b -> 0 < b -> 0 < a.
Proof. intros ->; trivial. Qed.
Lemma not_negative_as b a : a = b -> 0 <= b -> 0 <= a.
Proof. intros ->; trivial. Qed.
Lemma below_by c a b : b - a = c -> 0 <= c -> a <= b.
Proof. lra. Qed.
Lemma strictly_below_by c a b : b - a = c -> 0 < c -> a < b.
Proof. lra. Qed.

(** The integral of what is positive is positive: an antiderivative rises. *)
Lemma rises F f a b :
  a < b -> (forall x, a <= x <= b -> is_derive F x (f x)) -> (forall x, a < x < b -> 0 < f x) -> 0 < F b - F a.
Proof.
  intros AB D Positive.
  destruct (MVT_cor2 F f a b AB) as (c & E & C); [intros x X; apply is_derive_Reals, D, X |].
  rewrite E. apply Rmult_lt_0_compat; [apply Positive, C | lra].
Qed.

Lemma erf_positive x : 0 < x -> 0 < erf x.
Proof.
  intro X. replace (erf x) with (erf x - erf 0) by (rewrite erf_0; ring).
  apply (rises erf (fun t => 2 / sqrt PI * exp (- t ^ 2))); [exact X | intros; apply is_derive_erf | intros t _].
  apply Rmult_lt_0_compat; [| apply exp_pos].
  apply Rdiv_lt_0_compat; [lra | apply sqrt_lt_R0, PI_RGT_0].
Qed.

(** Read a sign off the structure of a term: goals [0 < e], [0 <= e], [e <> 0], and those that are linear. *)
Ltac see :=
  lazymatch goal with
  | |- _ /\ _ => split; see
  | |- True => exact I
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; see
  | |- / _ <> 0 => apply Rinv_neq_0_compat; see
  | |- _ ^ _ <> 0 => apply pow_nonzero; see
  | |- _ <> 0 => first [assumption | apply Rgt_not_eq; see | apply Rlt_not_eq; lra]
  | |- _ > _ => apply Rlt_gt; see
  | |- 0 < _ => first [assumption | lra | see_positive]
  | |- 0 <= _ => first [assumption | lra | see_not_negative]
  | |- -1 < sqrt _ => apply Rlt_le_trans with 0; [lra | apply sqrt_pos]
  | |- sqrt _ < 1 => apply sqrt_below_one; lra
  | |- _ => lra
  end
with see_positive :=
  lazymatch goal with
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; see
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; see
  | |- 0 < / _ => apply Rinv_0_lt_compat; see
  | |- 0 < _ ^ _ => apply pow_lt; see
  | |- 0 < sqrt _ => apply sqrt_lt_R0; see
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < Rpower _ _ => apply Rpower_positive
  | |- 0 < PI => exact PI_RGT_0
  | |- 0 < ln _ => apply ln_positive; see
  | |- 0 < - ln _ => apply ln_negative; see
  | |- 0 < erf _ => apply erf_positive; see
  | |- 0 < exp _ - 1 => apply exp_above_one; see
  | |- 0 < _ + _ =>
      first [ apply Rplus_lt_0_compat; see
            | apply Rplus_lt_le_0_compat; see
            | apply Rplus_le_lt_0_compat; see ]
  end
with see_not_negative :=
  lazymatch goal with
  | |- 0 <= _ * _ => apply Rmult_le_pos; see
  | |- 0 <= _ / _ => apply Rmult_le_pos; [see | apply Rlt_le, Rinv_0_lt_compat; see]
  | |- 0 <= / _ => apply Rlt_le, Rinv_0_lt_compat; see
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; see
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= exp _ => apply Rlt_le, exp_pos
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; see
  | |- 0 <= _ => apply Rlt_le; see
  end.

(** * Equalities *)

Lemma sqrt_of_inverse a : 0 < a -> sqrt (/ a) = / sqrt a.
Proof.
  intro H. pose proof (sqrt_div_alt 1 a H) as E. rewrite sqrt_1 in E. unfold Rdiv in E.
  rewrite !Rmult_1_l in E. exact E.
Qed.

Lemma sqrt_of_square a : 0 < a -> sqrt (a ^ 2) = a.
Proof. intro H. apply sqrt_pow2. lra. Qed.

Lemma ln_of_quotient a b : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof.
  intros A B. unfold Rdiv. rewrite ln_mult, ln_Rinv; [ring | exact B | exact A | apply Rinv_0_lt_compat, B].
Qed.

Lemma ln_of_power a n : 0 < a -> ln (a ^ n) = INR n * ln a.
Proof. intro H. exact (Rcomplements.ln_pow a n H). Qed.

Lemma ln_of_root a : 0 < a -> ln (sqrt a) = ln a / 2.
Proof.
  intro H. pose proof (ln_mult (sqrt a) (sqrt a) (sqrt_lt_R0 a H) (sqrt_lt_R0 a H)) as E.
  rewrite sqrt_sqrt in E by lra. lra.
Qed.

(** Write every root and logarithm of [a] as one of [a'], which is the same number written by its factors. *)
Ltac factored a' :=
  repeat match goal with
  | |- context [sqrt ?a] => assert_fails (constr_eq a a'); replace (sqrt a) with (sqrt a') by (f_equal; field; see)
  | |- context [ln ?a] => assert_fails (constr_eq a a'); replace (ln a) with (ln a') by (f_equal; field; see)
  end.

(** A root times itself needs no factors, a root of a product has those of its factors. *)
Ltac square_roots :=
  repeat match goal with
  | |- context [sqrt ?a * sqrt ?a] => rewrite (sqrt_sqrt a) by see
  | |- context [sqrt ?a ^ 2] => rewrite (pow2_sqrt a) by see
  end.

Ltac split_roots :=
  repeat match goal with
  | |- context [sqrt (?a ^ 2)] => rewrite (sqrt_of_square a) by see
  | |- context [sqrt (?a * ?b)] => rewrite (sqrt_mult a b) by see
  | |- context [sqrt (?a / ?b)] => rewrite (sqrt_div_alt a b) by see
  | |- context [sqrt (/ ?a)] => rewrite (sqrt_of_inverse a) by see
  | |- context [sqrt 1] => rewrite sqrt_1
  | |- context [sqrt 0] => rewrite sqrt_0
  end;
  square_roots.

Ltac split_logarithms :=
  repeat match goal with
  | |- context [ln (?a / ?b)] => rewrite (ln_of_quotient a b) by see
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by see
  | |- context [ln (?a ^ ?n)] => rewrite (ln_of_power a n) by see; simpl (INR n)
  | |- context [ln (/ ?a)] => rewrite (ln_Rinv a) by see
  | |- context [ln (exp ?a)] => rewrite (ln_exp a)
  | |- context [ln (sqrt ?a)] => rewrite (ln_of_root a) by see
  | |- context [ln 1] => rewrite ln_1
  end.

(** Write a power as [a'], by the powers of the factors of its base; say that [root ^ n = a] and nothing else of a root. *)
Ltac powered a' :=
  repeat match goal with
  | |- context [exp (?k * ln ?a)] =>
      assert_fails (constr_eq (exp (k * ln a)) a');
      replace (exp (k * ln a)) with a'
        by (apply ln_inv; [see | apply exp_pos | unfold Rminus, Rdiv; split_logarithms; field; see])
  end.

Ltac rooted r n a :=
  match goal with
  | |- context [r] =>
      let root := fresh "root" in let sign := fresh "sign" in let power := fresh "power" in
      assert (sign : 0 < r) by apply exp_pos;
      assert (power : r ^ n = a)
        by (apply ln_inv; [apply pow_lt, exp_pos | see | rewrite ln_of_power by apply exp_pos; rewrite ln_exp; simpl INR; field]);
      set (root := r) in *; clearbody root
  | _ => idtac
  end.

(** Let a letter stand for each root, of which only its sign and its square are known. *)
Ltac name_roots :=
  repeat match goal with
  | |- context [sqrt ?a] =>
      let root := fresh "root" in let sign := fresh "sign" in let square := fresh "square" in
      assert (sign : 0 < sqrt a) by see;
      assert (square : sqrt a ^ 2 = a) by (apply pow2_sqrt; see);
      set (root := sqrt a) in *; clearbody root
  end.

(** A polynomial identity modulo the squares of the roots. *)
Ltac ring_of_roots :=
  first
    [ ring
    | match goal with A : _ ^ _ = _ |- _ => ring [A] end
    | match goal with A : _ ^ _ = _, B : _ ^ _ = _ |- _ => ring [A B] end
    | match goal with A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _ |- _ => ring [A B C] end
    | match goal with A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _, D : _ ^ _ = _ |- _ => ring [A B C D] end ].

Ltac equal_by_roots :=
  first [solve [field; see] | solve [name_roots; field_simplify_eq; [ring_of_roots | see ..]]].

(** Write exponentials by that of [b], which differ from it by a factor [f]. *)
Ltac related b f :=
  repeat match goal with
  | |- context [exp ?a] =>
      assert_fails (constr_eq a b);
      replace (exp a) with (exp b * f) by (apply ln_inv; [see | apply exp_pos | split_logarithms; equal_by_roots])
  end.

(** Write the same argument in the same way wherever it stands, and functions of 0 by their values. *)
Ltac same_arguments f same :=
  repeat match goal with
  | |- context [f ?a] =>
      match goal with
      | |- context [f ?b] => assert_fails (constr_eq a b); replace (f a) with (f b) by (f_equal; same)
      end
  end.

Ltac at_known f x value known same :=
  repeat match goal with
  | |- context [f ?a] => replace (f a) with value by (replace a with x by same; symmetry; exact known)
  end.
Ltac at_zero f value at_0 := at_known f 0 value at_0 ltac:(field; see).

Lemma asin_half : asin (1 / 2) = PI / 6.
Proof. rewrite <- sin_PI6. apply asin_sin. pose proof PI_RGT_0. lra. Qed.
Lemma asin_half_root_3 : asin (sqrt 3 / 2) = PI / 3.
Proof. rewrite <- sin_PI3. apply asin_sin. pose proof PI_RGT_0. lra. Qed.

Ltac known_angles :=
  at_known asin (/ sqrt 2) (PI / 4) asin_inv_sqrt2 equal_by_roots;
  at_known asin (1 / 2) (PI / 6) asin_half equal_by_roots;
  at_known asin (sqrt 3 / 2) (PI / 3) asin_half_root_3 equal_by_roots;
  at_known atan 1 (PI / 4) atan_1 equal_by_roots.

(** Exponents are many; roots in them are few. *)
Ltac same_exponents :=
  first [solve [field; see] | lazymatch goal with |- context [sqrt _] => equal_by_roots end].

Ltac arguments :=
  unfold Rminus, Rdiv;
  at_zero exp 1 exp_0; at_zero erf 0 erf_0; at_zero arcsinh 0 arcsinh_0;
  same_arguments exp same_exponents; same_arguments erf equal_by_roots; same_arguments sin ltac:(field; see); same_arguments cos ltac:(field; see);
  same_arguments asin equal_by_roots; same_arguments atan equal_by_roots; same_arguments arcsinh equal_by_roots.

(** Two closed forms are equal; [hint] writes the arguments of roots and logarithms by their factors. *)
Ltac algebra_by hint :=
  unfold Rpower;
  first
    [ reflexivity
    | lra
    | solve [field; see]
    | solve [arguments; field; see]
    | solve [square_roots; hint; split_roots; split_logarithms; arguments; equal_by_roots]
    | solve [square_roots; hint; split_roots; split_logarithms; arguments; known_angles; equal_by_roots] ].

Ltac algebra := algebra_by idtac.
End Elementary.
Import Elementary.

Module Properness.
(** Proper scoring rules for a binary event, from the slopes of their losses.

    A rule is a pair of losses of the report [p], one for each class. On each piece of (0, 1) they are closed
    forms with the slopes [p * weight p] and [- (1 - p) * weight p]. If the weight is not negative and the
    pieces join, then no report has a smaller risk than the belief itself; and where the weight is positive,
    every other report has a greater one. *)


(** * What is proved *)

(** The expected loss of the report [p] under the belief [q]. *)
Definition risk (L0 L1 : R -> R) (p q : R) : R := (1 - q) * L0 p + q * L1 p.

Definition Proper (L0 L1 : R -> R) : Prop :=
  forall p q, 0 < p < 1 -> 0 < q < 1 -> risk L0 L1 q q <= risk L0 L1 p q.

(** For beliefs in an interval every other report, wherever it is, has a greater risk. *)
Definition StrictlyProperOn (low high : R) (L0 L1 : R -> R) : Prop :=
  forall p q, 0 < p < 1 -> low < q < high -> p <> q -> risk L0 L1 q q < risk L0 L1 p q.

Definition StrictlyProper : (R -> R) -> (R -> R) -> Prop := StrictlyProperOn 0 1.

(** * Two reports *)

Section Reports.
Variables L0 L1 : R -> R.

(** Each of two reports is the better one under the belief that equals it. *)
Definition truthful (x y : R) : Prop :=
  risk L0 L1 x x <= risk L0 L1 y x /\ risk L0 L1 y y <= risk L0 L1 x y.
Definition strictly_truthful (x y : R) : Prop :=
  risk L0 L1 x x < risk L0 L1 y x /\ risk L0 L1 y y < risk L0 L1 x y.

Lemma strictly_truthful_is_truthful x y : strictly_truthful x y -> truthful x y.
Proof. intros [A B]; split; lra. Qed.

(** Between truthful reports loss 0 gains on loss 1. *)
Lemma losses_part x y : x < y -> truthful x y -> L0 x - L1 x <= L0 y - L1 y.
Proof.
  intros XY [A B]. apply Rmult_le_reg_l with (y - x); [lra |]. unfold risk in A, B. lra.
Qed.

(** So a belief below both prefers the lower one, and a belief above both the upper one. *)
Lemma prefers_lower q x y : q <= x -> x < y -> truthful x y -> risk L0 L1 x q <= risk L0 L1 y q.
Proof.
  intros QX XY T. pose proof (losses_part x y XY T) as S. destruct T as [A _].
  assert (0 <= (x - q) * ((L0 y - L1 y) - (L0 x - L1 x))) by (apply Rmult_le_pos; lra).
  unfold risk in *. lra.
Qed.

Lemma prefers_upper q x y : y <= q -> x < y -> truthful x y -> risk L0 L1 y q <= risk L0 L1 x q.
Proof.
  intros YQ XY T. pose proof (losses_part x y XY T) as S. destruct T as [_ B].
  assert (0 <= (q - y) * ((L0 y - L1 y) - (L0 x - L1 x))) by (apply Rmult_le_pos; lra).
  unfold risk in *. lra.
Qed.

Lemma truthful_through x m y :
  x < m -> m < y -> truthful x m -> truthful m y -> truthful x y.
Proof.
  intros XM MY T U.
  pose proof (prefers_lower x m y (Rlt_le _ _ XM) MY U).
  pose proof (prefers_upper y x m (Rlt_le _ _ MY) XM T).
  destruct T, U; split; lra.
Qed.

Lemma strictly_truthful_through x m y :
  x < m -> m < y -> strictly_truthful x m -> strictly_truthful m y -> strictly_truthful x y.
Proof.
  intros XM MY T U.
  pose proof (prefers_lower x m y (Rlt_le _ _ XM) MY (strictly_truthful_is_truthful _ _ U)).
  pose proof (prefers_upper y x m (Rlt_le _ _ MY) XM (strictly_truthful_is_truthful _ _ T)).
  destruct T, U; split; lra.
Qed.

(** * Intervals *)

(** All pairs of reports in [[a, b]] are truthful, and strictly so those in [[low, high]]. *)
Definition truthful_on (low high a b : R) : Prop :=
  forall x y, a <= x -> x < y -> y <= b -> 0 < x -> y < 1 ->
    truthful x y /\ (low <= x -> y <= high -> strictly_truthful x y).

Lemma truthful_on_both low high a b c :
  truthful_on low high a b -> truthful_on low high b c -> truthful_on low high a c.
Proof.
  intros A B x y AX XY YC X0 Y1.
  destruct (Rle_dec y b); [apply A; lra |].
  destruct (Rle_dec b x); [apply B; lra |].
  destruct (A x b) as [T T']; try lra. destruct (B b y) as [U U']; try lra.
  split; [apply truthful_through with b; (assumption || lra) |].
  intros; apply strictly_truthful_through with b; try lra; [apply T' | apply U']; lra.
Qed.

Lemma proper_if_truthful low high : truthful_on low high 0 1 -> Proper L0 L1.
Proof.
  intros T p q P Q. destruct (Rtotal_order p q) as [PQ | [-> | QP]]; [| lra |].
  - destruct (T p q) as [[A B] _]; lra.
  - destruct (T q p) as [[A B] _]; lra.
Qed.

(** A belief in the strict interval beats a report outside it through one half of the way to the boundary. *)
Lemma strictly_proper_if_truthful low high :
  0 <= low -> high <= 1 -> truthful_on low high 0 1 -> StrictlyProperOn low high L0 L1.
Proof.
  intros Low High T p q P Q N. destruct (Rtotal_order p q) as [PQ | [PQ | QP]]; [| lra |].
  - destruct (Rle_dec low p) as [In | Out].
    + destruct (T p q) as [_ S]; try lra. destruct S; lra.
    + set (m := (low + q) / 2). assert (p < m < q /\ low <= m) by (unfold m; lra).
      destruct (T m q) as [_ S]; try lra. destruct (T p m) as [U _]; try lra.
      pose proof (prefers_upper q p m ltac:(lra) ltac:(lra) U). destruct S; lra.
  - destruct (Rle_dec p high) as [In | Out].
    + destruct (T q p) as [_ S]; try lra. destruct S; lra.
    + set (m := (q + high) / 2). assert (q < m < p /\ m <= high) by (unfold m; lra).
      destruct (T q m) as [_ S]; try lra. destruct (T m p) as [U _]; try lra.
      pose proof (prefers_lower q m p ltac:(lra) ltac:(lra) U). destruct S; lra.
Qed.

End Reports.

Lemma truthful_on_same low high a b L0 L1 M0 M1 :
  (forall x, a <= x <= b -> L0 x = M0 x /\ L1 x = M1 x) ->
  truthful_on L0 L1 low high a b -> truthful_on M0 M1 low high a b.
Proof.
  intros E T x y AX XY YB X0 Y1. specialize (T x y AX XY YB X0 Y1).
  unfold strictly_truthful, truthful, risk in *.
  destruct (E x ltac:(lra)) as [<- <-], (E y ltac:(lra)) as [<- <-]. exact T.
Qed.

(** * Pieces *)

Record piece := Piece { loss0 : R -> R; loss1 : R -> R; weight : R -> R }.

(** A function of several pieces: each breakpoint belongs to the piece on its left. *)
Fixpoint joined (part : piece -> R -> R) (first : piece) (rest : list (R * piece)) (p : R) : R :=
  match rest with
  | nil => part first p
  | (at_, next) :: others => if Rle_dec p at_ then part first p else joined part next others p
  end.

(** The closed forms of a piece are continuous on it, ends included, and have the right slopes inside. *)
Definition slopes (a b : R) (P : piece) : Prop :=
  (forall p, a <= p <= b -> 0 < p < 1 -> continuity_pt (loss0 P) p /\ continuity_pt (loss1 P) p) /\
  (forall p, a < p < b -> 0 < p < 1 ->
     is_derive (loss0 P) p (p * weight P p) /\ is_derive (loss1 P) p (- (1 - p) * weight P p)).

(** Most closed forms are differentiable at the ends of their piece as well. *)
Lemma slopes_everywhere a b P :
  (forall p, a <= p <= b -> 0 < p < 1 -> is_derive (loss0 P) p (p * weight P p)) ->
  (forall p, a <= p <= b -> 0 < p < 1 -> is_derive (loss1 P) p (- (1 - p) * weight P p)) ->
  slopes a b P.
Proof.
  intros D0 D1; split; intros p Hp Hp1.
  - split; apply derivable_continuous_pt; eexists; apply is_derive_Reals; [apply D0 | apply D1]; assumption.
  - split; [apply D0 | apply D1]; lra.
Qed.

Definition not_negative (a b : R) (P : piece) : Prop := forall p, a < p < b -> 0 < p < 1 -> 0 <= weight P p.
Definition positive (a b : R) (P : piece) : Prop := forall p, a < p < b -> 0 < p < 1 -> 0 < weight P p.
Definition joins (at_ : R) (P Q : piece) : Prop := loss0 P at_ = loss0 Q at_ /\ loss1 P at_ = loss1 Q at_.

Lemma positive_is_not_negative a b P : positive a b P -> not_negative a b P.
Proof. intros H p Hp Hp1. apply Rlt_le, H; assumption. Qed.

(** What is asked of the weight of a piece: its sign, and that it is positive in the strict interval. *)
Definition weighs (low high a b : R) (P : piece) : Prop :=
  not_negative a b P /\ forall p, a < p < b -> 0 < p < 1 -> low < p < high -> 0 < weight P p.

Lemma weighs_if_positive low high a b P : positive a b P -> weighs low high a b P.
Proof. intro H; split; [apply positive_is_not_negative, H | intros p Hp Hp1 _; apply H; assumption]. Qed.

(** A piece outside the strict interval need not have a positive weight. *)
Lemma weighs_if_outside low high a b P :
  b <= low \/ high <= a \/ high <= low -> not_negative a b P -> weighs low high a b P.
Proof. intros Out H; split; [exact H | intros p Hp _ Hs; exfalso; lra]. Qed.

(** By the mean value theorem the risk changes by [weight c * (c - q) * (y - x)] for some [c] in between. *)
Lemma change_of_risk a b P x y q :
  slopes a b P -> a <= x -> x < y -> y <= b -> 0 < x -> y < 1 ->
  exists c, x < c < y /\
    risk (loss0 P) (loss1 P) y q - risk (loss0 P) (loss1 P) x q = weight P c * (c - q) * (y - x).
Proof.
  intros [Continuous Differentiable] AX XY YB X0 Y1.
  pose (f := fun p => risk (loss0 P) (loss1 P) p q).
  assert (Slope : forall c, x < c < y -> derivable_pt_lim f c (weight P c * (c - q))).
  { intros c C. destruct (Differentiable c ltac:(lra) ltac:(lra)) as [D0 D1].
    apply is_derive_Reals in D0. apply is_derive_Reals in D1.
    replace (weight P c * (c - q)) with ((1 - q) * (c * weight P c) + q * (- (1 - c) * weight P c)) by ring.
    apply (derivable_pt_lim_plus (fun p => (1 - q) * loss0 P p) (fun p => q * loss1 P p));
      apply derivable_pt_lim_scal; assumption. }
  destruct (MVT f id x y (fun c C => exist _ _ (Slope c C)) (fun c _ => derivable_pt_id c)) as (c & C & E).
  - exact XY.
  - intros c C. destruct (Continuous c ltac:(lra) ltac:(lra)) as [C0 C1].
    apply (continuity_pt_plus (fun p => (1 - q) * loss0 P p) (fun p => q * loss1 P p));
      apply continuity_pt_scal; assumption.
  - intros c _. apply derivable_continuous_pt, derivable_pt_id.
  - exists c; split; [exact C |]. rewrite derive_pt_id in E. unfold derive_pt, id in E; simpl in E.
    unfold f in E. lra.
Qed.

Lemma piece_is_truthful low high a b P :
  slopes a b P -> weighs low high a b P -> truthful_on (loss0 P) (loss1 P) low high a b.
Proof.
  intros S [Sign Strict] x y AX XY YB X0 Y1.
  destruct (change_of_risk a b P x y x S) as (c & C & E); try assumption.
  destruct (change_of_risk a b P x y y S) as (d & D & F); try assumption.
  split; [split | intros Low High; split].
  - assert (0 <= weight P c * (c - x) * (y - x)); [| lra].
    repeat apply Rmult_le_pos; try lra. apply Sign; lra.
  - assert (0 <= weight P d * (y - d) * (y - x)); [| lra].
    repeat apply Rmult_le_pos; try lra. apply Sign; lra.
  - assert (0 < weight P c * (c - x) * (y - x)); [| lra].
    repeat apply Rmult_lt_0_compat; try lra. apply Strict; lra.
  - assert (0 < weight P d * (y - d) * (y - x)); [| lra].
    repeat apply Rmult_lt_0_compat; try lra. apply Strict; lra.
Qed.

(** * The rule *)

(** Neighbouring pieces from [a] to 1 that have the right slopes and join. *)
Fixpoint chain (a : R) (first : piece) (rest : list (R * piece)) : Prop :=
  match rest with
  | nil => a <= 1 /\ slopes a 1 first
  | (at_, next) :: others => a <= at_ /\ slopes a at_ first /\ joins at_ first next /\ chain at_ next others
  end.

Fixpoint weighs_all (low high a : R) (first : piece) (rest : list (R * piece)) : Prop :=
  match rest with
  | nil => weighs low high a 1 first
  | (at_, next) :: others => weighs low high a at_ first /\ weighs_all low high at_ next others
  end.

Lemma joined_at_start part a first rest : chain a first rest -> joined part first rest a = part first a.
Proof.
  destruct rest as [| [at_ next] others]; intro H; [reflexivity |]. destruct H as (Order & _).
  simpl. destruct (Rle_dec a at_); [reflexivity | lra].
Qed.

Lemma chain_is_truthful low high a first rest :
  chain a first rest -> weighs_all low high a first rest ->
  truthful_on (joined loss0 first rest) (joined loss1 first rest) low high a 1.
Proof.
  revert a first; induction rest as [| [at_ next] others Rest]; intros a first H W.
  - apply piece_is_truthful; [exact (proj2 H) | exact W].
  - destruct H as (Order & Slopes & (J0 & J1) & H), W as (Sign & W). apply truthful_on_both with at_.
    + apply truthful_on_same with (loss0 first) (loss1 first); [| apply piece_is_truthful; assumption].
      intros x X; simpl. destruct (Rle_dec x at_); [split; reflexivity | lra].
    + apply truthful_on_same with (joined loss0 next others) (joined loss1 next others); [| apply Rest; assumption].
      intros x X; simpl. destruct (Rle_dec x at_); [| split; reflexivity].
      replace x with at_ by lra. rewrite !(joined_at_start _ at_) by exact H. split; symmetry; assumption.
Qed.

Theorem proper_rule first rest :
  chain 0 first rest -> weighs_all 0 0 0 first rest ->
  Proper (joined loss0 first rest) (joined loss1 first rest).
Proof. intros H W. apply proper_if_truthful with 0 0. apply chain_is_truthful; assumption. Qed.

Theorem strictly_proper_rule low high first rest :
  0 <= low -> high <= 1 -> chain 0 first rest -> weighs_all low high 0 first rest ->
  StrictlyProperOn low high (joined loss0 first rest) (joined loss1 first rest).
Proof. intros Low High H W. apply strictly_proper_if_truthful; try assumption. apply chain_is_truthful; assumption. Qed.
End Properness.
Import Properness.

Module Limits.
(** Limits at the ends of (0, 1), from inside. *)


Definition tends_at_0 (f : R -> R) (value : R) : Prop := filterlim f (at_right 0) (locally value).
Definition tends_at_1 (f : R -> R) (value : R) : Prop := filterlim f (at_left 1) (locally value).
Definition vanishes_at_0 (f : R -> R) : Prop := tends_at_0 f 0.
Definition vanishes_at_1 (f : R -> R) : Prop := tends_at_1 f 0.

Lemma ball_between (a x : R) (e : posreal) : ball a e x <-> a - e < x < a + e.
Proof. exact (Rabs_lt_between' x a e). Qed.

Lemma right_of a b : a < b -> at_right a (fun x => a < x < b).
Proof.
  intro h; exists (mkposreal (b - a) ltac:(lra)); intros x Hx Hax.
  apply ball_between in Hx; simpl in Hx; lra.
Qed.
Lemma left_of a b : a < b -> at_left b (fun x => a < x < b).
Proof.
  intro h; exists (mkposreal (b - a) ltac:(lra)); intros x Hx Hax.
  apply ball_between in Hx; simpl in Hx; lra.
Qed.
Lemma near_0 : at_right 0 (fun x => 0 < x < 1 / 2).
Proof. apply right_of; lra. Qed.
Lemma near_1 : at_left 1 (fun x => 1 / 2 < x < 1).
Proof. apply left_of; lra. Qed.

(** an inequality that holds near a point holds in the limit *)
Lemma limit_le {F : (R -> Prop) -> Prop} {FF : ProperFilter F} f g (a b : R) :
  filterlim f F (locally a) -> filterlim g F (locally b) -> F (fun x => f x <= g x) -> a <= b.
Proof. exact (fun Hf Hg H => filterlim_le f g (Finite a) (Finite b) H Hf Hg). Qed.

(** a differentiable function passes limits on *)
Lemma limit_of_smooth {G : (R -> Prop) -> Prop} {FG : Filter G} (f g : R -> R) (a : R) :
  filterlim f G (locally a) -> ex_derive g a -> filterlim (fun x => g (f x)) G (locally (g a)).
Proof.
  intros Hf Hg; exact (filterlim_comp _ _ _ f g G (locally a) _ Hf (ex_derive_continuous g a Hg)).
Qed.

(** What is continuous at a point tends to its value there, from either side. *)
Lemma tends_from_right (f g : R -> R) (a b value : R) : a < b -> (forall x, a < x < b -> f x = g x) ->
  continuous g a -> g a = value -> filterlim f (at_right a) (locally value).
Proof.
  intros B E C <-. apply filterlim_ext_loc with g.
  - apply filter_imp with (2 := right_of a b B). intros x X. symmetry. apply E, X.
  - intros P HP. destruct (C P HP) as [e He]. exists e. intros y Y _. apply He, Y.
Qed.
Lemma tends_from_left (f g : R -> R) (a b value : R) : a < b -> (forall x, a < x < b -> f x = g x) ->
  continuous g b -> g b = value -> filterlim f (at_left b) (locally value).
Proof.
  intros A E C <-. apply filterlim_ext_loc with g.
  - apply filter_imp with (2 := left_of a b A). intros x X. symmetry. apply E, X.
  - intros P HP. destruct (C P HP) as [e He]. exists e. intros y Y _. apply He, Y.
Qed.
End Limits.
Import Limits.

Module Endpoints.
(** Properness with the reports 0 and 1, where the losses have finite limits there. *)


(** Reports and beliefs from among some probabilities, such as [[0, 1)]. *)
Definition ProperAmong (among : R -> Prop) (L0 L1 : R -> R) : Prop :=
  forall p q, among p -> among q -> risk L0 L1 q q <= risk L0 L1 p q.
Definition StrictlyProperAmong (among : R -> Prop) (L0 L1 : R -> R) : Prop :=
  forall p q, among p -> among q -> p <> q -> risk L0 L1 q q < risk L0 L1 p q.

Definition with_ends (p : R) : Prop := 0 <= p <= 1.
Definition with_end_0 (p : R) : Prop := 0 <= p < 1.
Definition with_end_1 (p : R) : Prop := 0 < p <= 1.

(** A loss with values at 0 and 1. *)
Definition extended (L : R -> R) (at_0 at_1 p : R) : R :=
  if Rle_dec p 0 then at_0 else if Rle_dec 1 p then at_1 else L p.

Lemma extended_at_0 L u v : extended L u v 0 = u.
Proof. unfold extended. destruct (Rle_dec 0 0); [reflexivity | lra]. Qed.
Lemma extended_at_1 L u v : extended L u v 1 = v.
Proof. unfold extended. destruct (Rle_dec 1 0), (Rle_dec 1 1); (reflexivity || lra). Qed.
Lemma extended_inside L u v p : 0 < p < 1 -> extended L u v p = L p.
Proof. intro P. unfold extended. destruct (Rle_dec p 0), (Rle_dec 1 p); (reflexivity || lra). Qed.

(** The risk of a report that tends to an end, under a belief that may change with it. *)
Lemma risk_tends {F : (R -> Prop) -> Prop} {FF : Filter F} (M0 M1 belief : R -> R) (a b c : R) :
  filterlim M0 F (locally a) -> filterlim M1 F (locally b) -> filterlim belief F (locally c) ->
  filterlim (fun x => (1 - belief x) * M0 x + belief x * M1 x) F (locally ((1 - c) * a + c * b)).
Proof.
  intros A B C.
  assert (D : filterlim (fun x => 1 - belief x) F (locally (1 - c))).
  { apply (limit_of_smooth belief (fun y => 1 - y) c C). auto_derive. exact I. }
  eapply filterlim_comp_2; [| | apply (filterlim_plus ((1 - c) * a) (c * b))].
  - eapply filterlim_comp_2; [exact D | exact A | apply (filterlim_mult (1 - c) a)].
  - eapply filterlim_comp_2; [exact C | exact B | apply (filterlim_mult c b)].
Qed.

Lemma tends_to_itself_at_0 : tends_at_0 (fun x => x) 0.
Proof. intros P [e H]. exists e. intros y Y _. apply H, Y. Qed.
Lemma tends_to_itself_at_1 : tends_at_1 (fun x => x) 1.
Proof. intros P [e H]. exists e. intros y Y _. apply H, Y. Qed.

Lemma inside_near_0 : at_right 0 (fun x => 0 < x < 1).
Proof. apply right_of. lra. Qed.
Lemma inside_near_1 : at_left 1 (fun x => 0 < x < 1).
Proof. apply left_of. lra. Qed.

Section Ends.
Variables L0 L1 : R -> R.
Hypothesis proper : Proper L0 L1.
Variables u0 u1 v0 v1 : R.
Notation M0 := (extended L0 u0 v0).
Notation M1 := (extended L1 u1 v1).
Definition limits_at_0 : Prop := tends_at_0 L0 u0 /\ tends_at_0 L1 u1.
Definition limits_at_1 : Prop := tends_at_1 L0 v0 /\ tends_at_1 L1 v1.

Ltac at_ends := unfold risk; rewrite ?extended_at_0, ?extended_at_1, ?extended_inside by lra.

Lemma between p q : 0 < p < 1 -> 0 < q < 1 -> risk M0 M1 q q <= risk M0 M1 p q.
Proof. intros P Q. at_ends. apply proper; assumption. Qed.

Lemma report_0 q : limits_at_0 -> 0 < q < 1 -> risk M0 M1 q q <= risk M0 M1 0 q.
Proof.
  intros [A B] Q. at_ends. refine (limit_le (F := at_right 0) (fun _ => risk L0 L1 q q) _ _ _ _
    (risk_tends L0 L1 (fun _ => q) u0 u1 q A B (filterlim_const q)) _); [apply filterlim_const |].
  apply filter_imp with (2 := inside_near_0). intros x X. apply proper; assumption.
Qed.
Lemma report_1 q : limits_at_1 -> 0 < q < 1 -> risk M0 M1 q q <= risk M0 M1 1 q.
Proof.
  intros [A B] Q. at_ends. refine (limit_le (F := at_left 1) (fun _ => risk L0 L1 q q) _ _ _ _
    (risk_tends L0 L1 (fun _ => q) v0 v1 q A B (filterlim_const q)) _); [apply filterlim_const |].
  apply filter_imp with (2 := inside_near_1). intros x X. apply proper; assumption.
Qed.

Lemma belief_0 p : limits_at_0 -> 0 < p < 1 -> risk M0 M1 0 0 <= risk M0 M1 p 0.
Proof.
  intros [A B] P. at_ends. refine (limit_le (F := at_right 0) _ _ _ _
    (risk_tends L0 L1 (fun q => q) u0 u1 0 A B tends_to_itself_at_0)
    (risk_tends (fun _ => L0 p) (fun _ => L1 p) (fun q => q) _ _ 0
      (filterlim_const _) (filterlim_const _) tends_to_itself_at_0) _).
  apply filter_imp with (2 := inside_near_0). intros q Q. apply proper; assumption.
Qed.
Lemma belief_1 p : limits_at_1 -> 0 < p < 1 -> risk M0 M1 1 1 <= risk M0 M1 p 1.
Proof.
  intros [A B] P. at_ends. refine (limit_le (F := at_left 1) _ _ _ _
    (risk_tends L0 L1 (fun q => q) v0 v1 1 A B tends_to_itself_at_1)
    (risk_tends (fun _ => L0 p) (fun _ => L1 p) (fun q => q) _ _ 1
      (filterlim_const _) (filterlim_const _) tends_to_itself_at_1) _).
  apply filter_imp with (2 := inside_near_1). intros q Q. apply proper; assumption.
Qed.

Lemma reports_0_and_1 : limits_at_0 -> limits_at_1 -> u0 <= v0 /\ v1 <= u1.
Proof.
  intros A B. split.
  - apply (limit_le (F := at_left 1) (fun _ => u0) L0); [apply filterlim_const | apply B |].
    apply filter_imp with (2 := inside_near_1). intros p P. pose proof (belief_0 p A P) as H.
    unfold risk in H. rewrite !extended_at_0, !extended_inside in H by lra. lra.
  - apply (limit_le (F := at_right 0) (fun _ => v1) L1); [apply filterlim_const | apply A |].
    apply filter_imp with (2 := inside_near_0). intros p P. pose proof (belief_1 p B P) as H.
    unfold risk in H. rewrite !extended_at_1, !extended_inside in H by lra. lra.
Qed.

(** An end may be reported if both losses have finite limits there. *)
Theorem proper_with_end_0 : limits_at_0 -> ProperAmong with_end_0 M0 M1.
Proof.
  intros A p q P Q. unfold with_end_0 in *.
  destruct (Req_dec q 0) as [-> | Q0], (Req_dec p 0) as [-> | P0]; [lra | | |].
  - apply belief_0; [exact A | lra].
  - apply report_0; [exact A | lra].
  - apply between; lra.
Qed.
Theorem proper_with_end_1 : limits_at_1 -> ProperAmong with_end_1 M0 M1.
Proof.
  intros A p q P Q. unfold with_end_1 in *.
  destruct (Req_dec q 1) as [-> | Q1], (Req_dec p 1) as [-> | P1]; [lra | | |].
  - apply belief_1; [exact A | lra].
  - apply report_1; [exact A | lra].
  - apply between; lra.
Qed.
Theorem proper_with_ends : limits_at_0 -> limits_at_1 -> ProperAmong with_ends M0 M1.
Proof.
  intros A B p q P Q. unfold with_ends in *. destruct (reports_0_and_1 A B) as [U V].
  destruct (Req_dec p 1) as [-> | P1]; [| destruct (Req_dec q 1) as [-> | Q1]].
  - destruct (Req_dec q 0) as [-> | Q0]; [at_ends; lra |].
    apply proper_with_end_1; [exact B | |]; unfold with_end_1; lra.
  - destruct (Req_dec p 0) as [-> | P0]; [at_ends; lra |].
    apply proper_with_end_1; [exact B | |]; unfold with_end_1; lra.
  - apply proper_with_end_0; [exact A | |]; unfold with_end_0; lra.
Qed.
End Ends.

(** * Strictness *)

(** A belief that gains strictly on its side of two reports does so at the end of its side. *)
Lemma strictly_prefers_lower q x y L0 L1 : q < x -> x < y ->
  risk L0 L1 x x < risk L0 L1 y x -> risk L0 L1 y y <= risk L0 L1 x y -> risk L0 L1 x q < risk L0 L1 y q.
Proof.
  unfold risk. intros QX XY S T. set (A := L0 y - L0 x). set (B := L1 y - L1 x).
  assert (S' : 0 < (1 - x) * A + x * B) by (unfold A, B; lra).
  assert (T' : (1 - y) * A + y * B <= 0) by (unfold A, B; lra).
  assert (G : 0 < (1 - q) * A + q * B); [| unfold A, B in G; lra].
  apply Rmult_lt_reg_l with (y - x); [lra |]. rewrite Rmult_0_r.
  assert (0 < (y - q) * ((1 - x) * A + x * B)) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= (x - q) * - ((1 - y) * A + y * B)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma strictly_prefers_upper q x y L0 L1 : y < q -> x < y ->
  risk L0 L1 y y < risk L0 L1 x y -> risk L0 L1 x x <= risk L0 L1 y x -> risk L0 L1 y q < risk L0 L1 x q.
Proof.
  unfold risk. intros YQ XY S T. set (A := L0 x - L0 y). set (B := L1 x - L1 y).
  assert (S' : 0 < (1 - y) * A + y * B) by (unfold A, B; lra).
  assert (T' : (1 - x) * A + x * B <= 0) by (unfold A, B; lra).
  assert (G : 0 < (1 - q) * A + q * B); [| unfold A, B in G; lra].
  apply Rmult_lt_reg_l with (y - x); [lra |]. rewrite Rmult_0_r.
  assert (0 < (q - x) * ((1 - y) * A + y * B)) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= (q - y) * - ((1 - x) * A + x * B)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** A rule that is strictly proper inside and proper with ends is strictly proper with them. *)
Theorem strictly_proper_among (among : R -> Prop) L0 L1 :
  (forall p, among p -> 0 <= p <= 1) -> (forall p, 0 < p < 1 -> among p) ->
  StrictlyProper L0 L1 -> ProperAmong among L0 L1 -> StrictlyProperAmong among L0 L1.
Proof.
  intros Unit Inside S W p q P Q N. pose proof (Unit p P). pose proof (Unit q Q).
  set (m := (p + q) / 2). set (k := (p + m) / 2).
  assert (T : forall x y, among x -> among y -> truthful L0 L1 x y) by (intros; split; apply W; assumption).
  destruct (Rtotal_order p q) as [PQ | [PQ | QP]]; [| contradiction |].
  - assert (p < k < m /\ m < q) by (unfold k, m; lra).
    assert (K : among k) by (apply Inside; lra). assert (M : among m) by (apply Inside; lra).
    apply Rle_lt_trans with (risk L0 L1 m q); [apply W; assumption |].
    apply (strictly_prefers_upper q p m); try lra; [| apply W; assumption].
    apply Rlt_le_trans with (risk L0 L1 k m); [apply S; lra | apply prefers_upper; try lra; apply T; assumption].
  - assert (m < k < p /\ q < m) by (unfold k, m; lra).
    assert (K : among k) by (apply Inside; lra). assert (M : among m) by (apply Inside; lra).
    apply Rle_lt_trans with (risk L0 L1 m q); [apply W; assumption |].
    apply (strictly_prefers_lower q m p); try lra; [| apply W; assumption].
    apply Rlt_le_trans with (risk L0 L1 k m); [apply S; lra | apply prefers_lower; try lra; apply T; assumption].
Qed.

Lemma extended_strictly_proper L0 L1 u0 u1 v0 v1 :
  StrictlyProper L0 L1 -> StrictlyProper (extended L0 u0 v0) (extended L1 u1 v1).
Proof. intros S p q P Q N. unfold risk. rewrite !extended_inside by assumption. apply S; assumption. Qed.

Lemma all_with_ends : (forall p, with_ends p -> 0 <= p <= 1) /\ (forall p, 0 < p < 1 -> with_ends p).
Proof. unfold with_ends. split; intros; lra. Qed.
Lemma all_with_end_0 : (forall p, with_end_0 p -> 0 <= p <= 1) /\ (forall p, 0 < p < 1 -> with_end_0 p).
Proof. unfold with_end_0. split; intros; lra. Qed.
Lemma all_with_end_1 : (forall p, with_end_1 p -> 0 <= p <= 1) /\ (forall p, 0 < p < 1 -> with_end_1 p).
Proof. unfold with_end_1. split; intros; lra. Qed.

(** * Limits of closed forms *)

(** Decide in which branch a point lies, from what is known of its order among the breakpoints. *)
Ltac branch :=
  repeat match goal with |- context [if ?test then _ else _] => destruct test; try (exfalso; lra) end.

(** Equality of closed forms whose functions are taken at 0 or at 1. *)
Lemma sqrt_of_0 a : a = 0 -> sqrt a = 0.
Proof. intros ->. exact sqrt_0. Qed.
Lemma sqrt_of_1 a : a = 1 -> sqrt a = 1.
Proof. intros ->. exact sqrt_1. Qed.
Lemma ln_of_1 a : a = 1 -> ln a = 0.
Proof. intros ->. exact ln_1. Qed.
Lemma asin_of_0 a : a = 0 -> asin a = 0.
Proof. intros ->. exact asin_0. Qed.
Lemma asin_of_1 a : a = 1 -> asin a = PI / 2.
Proof. intros ->. exact asin_1. Qed.
Lemma atan_of_0 a : a = 0 -> atan a = 0.
Proof. intros ->. exact atan_0. Qed.

Ltac evaluate :=
  repeat match goal with
  | |- context [sqrt ?a] => first [rewrite (sqrt_of_0 a) by (field; see) | rewrite (sqrt_of_1 a) by (field; see)]
  | |- context [ln ?a] => rewrite (ln_of_1 a) by (field; see)
  | |- context [asin ?a] => first [rewrite (asin_of_0 a) by (field; see) | rewrite (asin_of_1 a) by (field; see)]
  | |- context [atan ?a] => rewrite (atan_of_0 a) by (field; see)
  end.
Ltac evaluated hints := first [algebra | solve [evaluate; algebra] | solve [hints; algebra]].

(** The inverse sine is continuous at 1, where it has no slope. *)
Lemma continuous_asin_1 : continuous asin 1.
Proof.
  apply filterlim_locally. intros [e E]. rewrite asin_1.
  set (d := Rmin e (PI / 2)). assert (D : 0 < d <= PI / 2).
  { unfold d. pose proof PI_RGT_0. split; [apply Rmin_pos; lra | apply Rmin_r]. }
  assert (C : 0 < 1 - sin (PI / 2 - d)).
  { rewrite sin_shift. pose proof (cos_decreasing_1 0 d) as K. rewrite cos_0 in K.
    pose proof PI_RGT_0. assert (cos d < 1) by (apply K; lra). lra. }
  exists (mkposreal _ C). intros x X. apply ball_between in X. simpl in X. apply ball_between. simpl.
  pose proof (asin_bound x) as B. assert (PI / 2 - d < asin x); [| pose proof (Rmin_l e (PI / 2) : d <= e); lra].
  destruct (Rle_dec 1 x) as [Above | Below].
  - assert (asin x = PI / 2) as -> by (unfold asin; destruct (Rle_dec x (-1)), (Rle_dec 1 x); lra). lra.
  - apply Rnot_le_lt. intro N. assert (M : -1 <= x <= 1).
    { split; [| lra]. pose proof (SIN_bound (PI / 2 - d)). lra. }
    pose proof (sin_incr_1 (asin x) (PI / 2 - d)) as I. rewrite sin_asin in I by exact M.
    pose proof PI_RGT_0. assert (x <= sin (PI / 2 - d)) by (apply I; lra). lra.
Qed.
Lemma continuous_asin_at_1 a : a = 1 -> continuous asin a.
Proof. intros ->. exact continuous_asin_1. Qed.

(** Continuity by structure: where a form is differentiable, and through roots, sums and products. *)
Ltac smooth :=
  first
    [ solve [apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; see]
    | lazymatch goal with
      | |- continuous (fun x => sqrt (@?f x)) _ => apply (continuous_sqrt_comp f); smooth
      | |- continuous (fun x => @?f x + @?g x) _ => apply (continuous_plus f g); smooth
      | |- continuous (fun x => @?f x - @?g x) _ => apply (continuous_minus f g); smooth
      | |- continuous (fun x => - @?f x) _ => apply (continuous_opp f); smooth
      | |- continuous (fun x => @?f x * @?g x) _ => apply (continuous_mult f g); smooth
      | |- continuous (fun x => @?f x / @?g x) _ => apply (continuous_mult f (fun x => / g x)); smooth
      | |- continuous (fun x => (@?f x) ^ ?n) _ => apply (continuous_comp f (fun y => y ^ n)); smooth
      | |- continuous asin _ => apply continuous_asin_at_1; solve [evaluate; algebra]
      | |- continuous (fun x => asin (@?f x)) _ => apply (continuous_comp f asin); smooth
      | |- continuous (fun x => atan (@?f x)) _ => apply (continuous_comp f atan); smooth
      | |- continuous (fun x => ln (@?f x)) _ => apply (continuous_comp f ln); smooth
      end ].
End Endpoints.
Import Endpoints.

Module Atoms.
(** Rules whose threshold weight has atoms: the losses jump, each by its share of the mass.

    At an atom of mass [m] at [t] loss 0 jumps up by [t * m] and loss 1 down by [(1 - t) * m]: so do the losses of
    two known costs that sum to [m]. A tie [p = t] may be charged in any way that shares the atom. *)


(** * Pieces that jump *)

Definition jumps (at_ mass : R) (P Q : piece) : Prop :=
  0 <= mass /\ loss0 Q at_ = loss0 P at_ + at_ * mass /\ loss1 Q at_ = loss1 P at_ - (1 - at_) * mass.

(** Neighbouring pieces from [a] to 1 that have the right slopes, and jump by shares of masses. *)
Fixpoint jumping_chain (a : R) (first : piece) (rest : list (R * piece)) (masses : list R) : Prop :=
  match rest, masses with
  | nil, _ => a <= 1 /\ slopes a 1 first
  | (at_, next) :: others, mass :: others' =>
      a <= at_ /\ slopes a at_ first /\ jumps at_ mass first next /\ jumping_chain at_ next others others'
  | _, nil => False
  end.

Lemma jumping_at_start part a first rest masses :
  jumping_chain a first rest masses -> joined part first rest a = part first a.
Proof.
  destruct rest as [| [at_ next] others]; intro H; [reflexivity |].
  destruct masses; [contradiction |]. destruct H as (Order & _).
  simpl. destruct (Rle_dec a at_); [reflexivity | lra].
Qed.

(** A belief below the atom prefers to stay before the jump, one above it prefers to be behind it. *)
Lemma before_jump at_ mass P Q q : jumps at_ mass P Q -> q <= at_ ->
  risk (loss0 P) (loss1 P) at_ q <= risk (loss0 Q) (loss1 Q) at_ q.
Proof.
  unfold risk. intros (M & -> & ->) H. apply (below_by (mass * (at_ - q))); [ring | apply Rmult_le_pos; lra].
Qed.
Lemma behind_jump at_ mass P Q q : jumps at_ mass P Q -> at_ <= q ->
  risk (loss0 Q) (loss1 Q) at_ q <= risk (loss0 P) (loss1 P) at_ q.
Proof.
  unfold risk. intros (M & -> & ->) H. apply (below_by (mass * (q - at_))); [ring | apply Rmult_le_pos; lra].
Qed.

(** Two reports on either side of a jump, or one of them at it. *)
Lemma truthful_across low high a at_ mass P Q T0 T1 :
  truthful_on (loss0 P) (loss1 P) low high a at_ -> jumps at_ mass P Q ->
  T0 at_ = loss0 Q at_ -> T1 at_ = loss1 Q at_ -> truthful_on T0 T1 low high at_ 1 ->
  forall x y, a <= x -> x <= at_ -> at_ < y -> 0 < x -> y < 1 ->
  forall L0 L1, L0 x = loss0 P x -> L1 x = loss1 P x -> L0 y = T0 y -> L1 y = T1 y ->
  truthful L0 L1 x y /\ (low <= x -> y <= high -> strictly_truthful L0 L1 x y).
Proof.
  intros A J E0 E1 B x y AX XA AY X0 Y1 L0 L1 F0 F1 G0 G1.
  destruct (B at_ y) as [T T']; try lra.
  pose proof (before_jump at_ mass P Q x J XA) as Before.
  pose proof (behind_jump at_ mass P Q y J (Rlt_le _ _ AY)) as Behind.
  pose proof (prefers_lower T0 T1 x at_ y XA AY T) as Lower.
  destruct (Rle_lt_or_eq_dec _ _ XA) as [XT | ->].
  - destruct (A x at_) as [S S']; try lra.
    pose proof (prefers_upper (loss0 P) (loss1 P) y x at_ (Rlt_le _ _ AY) XT S) as Upper.
    split; [| intros Low High; specialize (T' ltac:(lra) High); specialize (S' Low ltac:(lra))];
      unfold strictly_truthful, truthful, risk in *; rewrite F0, F1, G0, G1, E0, E1 in *; lra.
  - split; [| intros Low High; specialize (T' Low High)];
      unfold strictly_truthful, truthful, risk in *; rewrite F0, F1, G0, G1, E0, E1 in *; lra.
Qed.

Lemma jumping_chain_is_truthful low high a first rest masses :
  jumping_chain a first rest masses -> weighs_all low high a first rest ->
  truthful_on (joined loss0 first rest) (joined loss1 first rest) low high a 1.
Proof.
  revert a first masses; induction rest as [| [at_ next] others Rest]; intros a first masses H W.
  - apply piece_is_truthful; [exact (proj2 H) | exact W].
  - destruct masses as [| mass others']; [contradiction |].
    destruct H as (Order & Slopes & Jump & H), W as (Sign & W).
    pose proof (piece_is_truthful _ _ _ _ _ Slopes Sign) as Left.
    pose proof (Rest at_ next others' H W) as Right.
    intros x y AX XY YB X0 Y1. destruct (Rle_dec y at_) as [Y | Y]; [| destruct (Rle_dec x at_) as [X | X]].
    + refine (truthful_on_same low high a at_ (loss0 first) (loss1 first) _ _ _ Left x y AX XY Y X0 Y1).
      intros z Z; simpl. destruct (Rle_dec z at_); [split; reflexivity | lra].
    + apply (truthful_across low high a at_ mass first next
        (joined loss0 next others) (joined loss1 next others)); try assumption; try lra;
        try (apply (jumping_at_start _ _ _ _ _ H)); simpl;
        destruct (Rle_dec x at_), (Rle_dec y at_); (reflexivity || lra).
    + specialize (Right x y ltac:(lra) XY YB X0 Y1).
      unfold strictly_truthful, truthful, risk in *; simpl.
      destruct (Rle_dec x at_), (Rle_dec y at_); try lra; exact Right.
Qed.

Theorem proper_rule_with_atoms first rest masses :
  jumping_chain 0 first rest masses -> weighs_all 0 0 0 first rest ->
  Proper (joined loss0 first rest) (joined loss1 first rest).
Proof. intros H W. apply proper_if_truthful with 0 0. apply jumping_chain_is_truthful with masses; assumption. Qed.

Theorem strictly_proper_rule_with_atoms low high first rest masses :
  0 <= low -> high <= 1 -> jumping_chain 0 first rest masses -> weighs_all low high 0 first rest ->
  StrictlyProperOn low high (joined loss0 first rest) (joined loss1 first rest).
Proof.
  intros Low High H W. apply strictly_proper_if_truthful; try assumption.
  apply jumping_chain_is_truthful with masses; assumption.
Qed.

(** * Ties *)

(** A loss with another value at one report. *)
Definition with_tie (L : R -> R) (at_ value p : R) : R := if Req_EM_T p at_ then value else L p.

Lemma at_tie L at_ value : with_tie L at_ value at_ = value.
Proof. unfold with_tie. destruct (Req_EM_T at_ at_); [reflexivity | contradiction]. Qed.
Lemma beside_tie L at_ value p : p <> at_ -> with_tie L at_ value p = L p.
Proof. intro N. unfold with_tie. destruct (Req_EM_T p at_); [contradiction | reflexivity]. Qed.

Lemma solved a b c : a <> 0 -> a * b = c -> b = c / a.
Proof. intros A <-. field. exact A. Qed.

Section Tie.
Variables (L0 L1 : R -> R) (at_ mass : R).
Hypothesis within : 0 < at_ < 1.
Hypothesis proper : Proper L0 L1.
Hypothesis loss0_jumps : filterlim L0 (at_right at_) (locally (L0 at_ + at_ * mass)).
Hypothesis loss1_jumps : filterlim L1 (at_right at_) (locally (L1 at_ - (1 - at_) * mass)).

Lemma behind_the_atom q : 0 < q < 1 ->
  risk L0 L1 q q <= (1 - q) * (L0 at_ + at_ * mass) + q * (L1 at_ - (1 - at_) * mass).
Proof.
  intro Q. refine (limit_le (F := at_right at_) (fun _ => risk L0 L1 q q) _ _ _ (filterlim_const _)
    (risk_tends L0 L1 (fun _ => q) _ _ q loss0_jumps loss1_jumps (filterlim_const q)) _).
  apply filter_imp with (2 := right_of at_ 1 (proj2 within)). intros x X. apply proper; lra.
Qed.

(** What a tie adds to the losses, [x] to that before the jump and [y] to that behind it, must share the atom. *)
Theorem proper_if_tie_shares x y :
  0 <= x -> 0 <= y -> (1 - at_) * x + at_ * y = at_ * (1 - at_) * mass ->
  Proper (with_tie L0 at_ (L0 at_ + x)) (with_tie L1 at_ (L1 at_ - (1 - at_) * mass + y)).
Proof.
  intros X Y S p q P Q. destruct (Req_dec p at_) as [-> | PT], (Req_dec q at_) as [-> | QT]; [lra | | |];
    unfold risk; rewrite ?at_tie, ?beside_tie by assumption.
  - destruct (Rle_dec q at_) as [Below | Above].
    + apply Rle_trans with (risk L0 L1 at_ q); [apply proper; assumption |].
      apply (below_by (x * (at_ - q) / at_)); [| assert (0 <= at_ - q) by lra; see].
      unfold risk. rewrite (solved at_ y ((1 - at_) * (at_ * mass - x))) by lra. field. lra.
    + apply Rle_trans with (1 := behind_the_atom q Q).
      apply (below_by (y * (q - at_) / (1 - at_))); [| assert (0 <= q - at_) by lra; see].
      rewrite (solved (1 - at_) x (at_ * ((1 - at_) * mass - y))) by lra. field. lra.
  - apply Rle_trans with (risk L0 L1 at_ at_); [apply Req_le; unfold risk; lra | apply proper; assumption].
  - apply proper; assumption.
Qed.

Hypothesis loss0_from_left : filterlim L0 (at_left at_) (locally (L0 at_)).
Hypothesis loss1_from_left : filterlim L1 (at_left at_) (locally (L1 at_)).

Theorem tie_shares_if_proper x y :
  Proper (with_tie L0 at_ (L0 at_ + x)) (with_tie L1 at_ (L1 at_ - (1 - at_) * mass + y)) ->
  (1 - at_) * x + at_ * y = at_ * (1 - at_) * mass.
Proof.
  intro H. set (v0 := L0 at_ + x). set (v1 := L1 at_ - (1 - at_) * mass + y).
  assert (Itself : filterlim (fun q : R => q) (at_left at_) (locally at_)).
  { intros A [e E]. exists e. intros z Z _. apply E, Z. }
  assert (Own : risk L0 L1 at_ at_ <= (1 - at_) * v0 + at_ * v1).
  { refine (limit_le (F := at_left at_) _ _ _ _
      (risk_tends L0 L1 (fun q => q) _ _ at_ loss0_from_left loss1_from_left Itself)
      (risk_tends (fun _ => v0) (fun _ => v1) (fun q => q) _ _ at_ (filterlim_const _) (filterlim_const _) Itself) _).
    apply filter_imp with (2 := left_of 0 at_ (proj1 within)). intros q Q.
    pose proof (H at_ q within ltac:(lra)) as G. unfold risk in G.
    rewrite !at_tie, !beside_tie in G by lra. exact G. }
  assert (Other : (1 - at_) * v0 + at_ * v1 <= risk L0 L1 at_ at_).
  { refine (limit_le (F := at_left at_) (fun _ => (1 - at_) * v0 + at_ * v1) _ _ _ (filterlim_const _)
      (risk_tends L0 L1 (fun _ => at_) _ _ at_ loss0_from_left loss1_from_left (filterlim_const _)) _).
    apply filter_imp with (2 := left_of 0 at_ (proj1 within)). intros p P.
    pose proof (H p at_ ltac:(lra) within) as G. unfold risk in G.
    rewrite !at_tie, !beside_tie in G by lra. exact G. }
  unfold risk, v0, v1 in *. lra.
Qed.
End Tie.
End Atoms.
Import Atoms.

Module Rule.

Module rule.
Section Case.
Variables c d : R.
Hypothesis given1 : 0 < c.
Hypothesis given2 : 0 < d.
Example possible : exists c d : R, 0 < c /\ 0 < d.
Proof. exists (41 / 7), (5); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => d)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => c)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (c / (c + d)) then 0 else
  c.
Definition L1 (p : R) : R :=
  if Rle_dec p (c / (c + d)) then d else
  0.

Lemma order1 :
  0 <= (c / (c + d)).
Proof.
  apply (below_by (c / (c + d))); [field; see | see].
Qed.
Lemma order2 :
  (c / (c + d)) <= 1.
Proof.
  apply (below_by (d / (c + d))); [field; see | see].
Qed.
Lemma slopes1 :
  slopes 0 (c / (c + d)) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (c / (c + d)) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  jumps (c / (c + d)) (c + d) piece1 piece2.
Proof.
  split; [apply (not_negative_as (c + d)); [algebra | see] |].
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (c / (c + d)) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  not_negative (c / (c + d)) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  jumping_chain 0 piece1 [((c / (c + d)), piece2)] [c + d].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule_with_atoms piece1 [((c / (c + d)), piece2)] [c + d] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign2))).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper).
Print Assumptions final_theorems.
