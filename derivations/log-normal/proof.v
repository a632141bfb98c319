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

Module Rule.

Module rule.
Section Case.
Variables the_mu the_nu the_sigma the_tau : R.
Hypothesis given1 : 0 < the_mu.
Hypothesis given2 : 0 < the_nu.
Hypothesis given3 : 0 < the_sigma.
Hypothesis given4 : 0 < the_tau.
Example possible : exists the_mu the_nu the_sigma the_tau : R, 0 < the_mu /\ 0 < the_nu /\ 0 < the_sigma /\ 0 < the_tau.
Proof. exists (41 / 7), (5), (16 / 9), (25 / 8); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => (1 - erf (sqrt 2 * (the_mu + the_sigma ^ 2 - the_nu) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)))) * exp (the_mu + the_sigma ^ 2 / 2) / 2)
  (fun p => (erf (sqrt 2 * (the_mu - the_nu - the_tau ^ 2) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) + 1) * exp (the_nu + the_tau ^ 2 / 2) / 2)
  (fun p => sqrt 2 * exp ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) / (2 * sqrt PI * p * (1 - p) ^ 2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))).
Definition L0 (p : R) : R :=
  (1 - erf (sqrt 2 * (the_mu + the_sigma ^ 2 - the_nu) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)))) * exp (the_mu + the_sigma ^ 2 / 2) / 2.
Definition L1 (p : R) : R :=
  (erf (sqrt 2 * (the_mu - the_nu - the_tau ^ 2) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2)) - sqrt 2 * ln (p / (1 - p)) / (2 * sqrt (the_sigma ^ 2 + the_tau ^ 2))) + 1) * exp (the_nu + the_tau ^ 2 / 2) / 2.

Lemma order1 :
  0 <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 1 piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  all: auto_derive; [see | algebra_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p)); related ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) (p / (exp (the_mu + the_sigma ^ 2 / 2) * (1 - p))); related ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) (1 / exp (the_nu + the_tau ^ 2 / 2)))].
Qed.
Lemma sign1 :
  positive 0 1 piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  assert (positive1 : 0 < the_sigma ^ 2 + the_tau ^ 2) by (apply (positive_as (the_sigma ^ 2 + the_tau ^ 2)); [field; see | see]).
  apply (positive_as (sqrt 2 * exp ((the_mu * the_nu + the_mu * the_tau ^ 2 + the_nu * the_sigma ^ 2 + the_sigma ^ 2 * the_tau ^ 2 / 2 + (the_mu - the_nu - the_tau ^ 2) * ln (p / (1 - p)) - the_mu ^ 2 / 2 - the_nu ^ 2 / 2 - ln (p / (1 - p)) ^ 2 / 2) / (the_sigma ^ 2 + the_tau ^ 2)) / (2 * sqrt PI * sqrt (the_sigma ^ 2 + the_tau ^ 2) * p * (1 - p) ^ 2))); [algebra_by ltac:(factored (2); factored (the_sigma ^ 2 + the_tau ^ 2); factored (p / (1 - p))) | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [].
Proof.
  exact (conj order1 slopes1).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [] joined_pieces (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1))).
Qed.
Theorem strictly_proper :
  StrictlyProper L0 L1.
Proof.
  pose proof order1.
  refine (strictly_proper_rule 0 1 piece1 [] _ _ joined_pieces _); [lra | lra | ..].
  - exact (weighs_if_positive _ _ _ _ _ sign1).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper,
   @Rule.rule.strictly_proper).
Print Assumptions final_theorems.
