(** Elementary functions: slopes that [auto_derive] lacks, signs that are visible, equalities of closed forms.

    The tactics search for nothing: the sign of a term is read off its structure, and two closed forms are equal as
    fractions once their roots and logarithms are written by the factors that the file names. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

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

Lemma root_below_root a b : 0 <= a < b -> sqrt a * / sqrt b < 1.
Proof.
  intro H. assert (0 < sqrt b) by (apply sqrt_lt_R0; lra). apply (Rmult_lt_reg_r (sqrt b)); [assumption |].
  rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_l, Rmult_1_r. apply sqrt_lt_1_alt, H.
Qed.

Lemma roots_below_root a b c : 0 <= a -> 0 <= b -> a * b < c -> sqrt a * sqrt b * / sqrt c < 1.
Proof.
  intros A B C. rewrite <- sqrt_mult by assumption. apply root_below_root. pose proof (Rmult_le_pos a b A B). lra.
Qed.

Lemma exp_below_one a : 0 < - a -> 0 < 1 - exp a.
Proof. intro H. pose proof (exp_increasing a 0 ltac:(lra)) as E. rewrite exp_0 in E. lra. Qed.
Lemma exp_above_one a : 0 < a -> 0 < exp a - 1.
Proof. intro H. pose proof (exp_ineq1 a ltac:(lra)). lra. Qed.

Lemma ln_positive a : 1 < a -> 0 < ln a.
Proof. intro H. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln_of_greater a b : 0 < b < a -> 0 < ln (a / b).
Proof. intro H. apply ln_positive, (Rmult_lt_reg_r b); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma ln_negative a : 0 < a < 1 -> 0 < - ln a.
Proof. intro H. pose proof (ln_increasing a 1). rewrite ln_1 in *. lra. Qed.

Lemma ln_rises a b : 0 < a < b -> 0 < ln b - ln a.
Proof. intro H. pose proof (ln_increasing a b). lra. Qed.

Lemma ln_differ a b : 0 < a < b \/ 0 < b < a -> ln a - ln b <> 0.
Proof. intros [H | H]; pose proof (ln_rises _ _ H); lra. Qed.

Lemma positive_as b a : a = b -> 0 < b -> 0 < a.
Proof. intros ->; trivial. Qed.
Lemma not_negative_as b a : a = b -> 0 <= b -> 0 <= a.
Proof. intros ->; trivial. Qed.
Lemma below_by c a b : b - a = c -> 0 <= c -> a <= b.
Proof. lra. Qed.
Lemma strictly_below_by c a b : b - a = c -> 0 < c -> a < b.
Proof. lra. Qed.

Lemma not_0_by_opposite a : 0 < - a -> a <> 0.
Proof. lra. Qed.

(** Sums of whole multiples of logarithms of numbers are a multiple of the logarithm of one number less that of another one. *)
Lemma ln_of_power a n : 0 < a -> ln (a ^ n) = INR n * ln a.
Proof. intro H. exact (Rcomplements.ln_pow a n H). Qed.
Ltac common_of e :=
  lazymatch e with
  | ?x + ?y => let a := common_of x in let b := common_of y in eval vm_compute in (Z.gcd a b)
  | ?x - ?y => let a := common_of x in let b := common_of y in eval vm_compute in (Z.gcd a b)
  | - ?x => common_of x
  | IZR (Zpos ?n) * ln _ => constr:(Zpos n)
  | _ => constr:(1%Z)
  end.
Ltac counted n common :=
  let count := eval vm_compute in (Z.div (Zpos n) common) in
  let few := eval vm_compute in (Z.leb count 1000) in
  lazymatch few with true => eval vm_compute in (Z.to_nat count) end.
Ltac above_of e common :=
  lazymatch e with
  | ?x + ?y => let a := above_of x common in let b := above_of y common in constr:(a * b)
  | ?x - ?y => let a := above_of x common in let b := below_of y common in constr:(a * b)
  | - ?x => below_of x common
  | IZR (Zpos ?n) * ln ?a => let n := counted n common in constr:(a ^ n)
  | ln ?a => constr:(a)
  end
with below_of e common :=
  lazymatch e with
  | ?x + ?y => let a := below_of x common in let b := below_of y common in constr:(a * b)
  | ?x - ?y => let a := below_of x common in let b := above_of y common in constr:(a * b)
  | - ?x => above_of x common
  | IZR _ * ln _ => constr:(1)
  | ln _ => constr:(1)
  end.
Ltac see_logarithms :=
  lazymatch goal with |- 0 < ?e =>
    let common := common_of e in
    let a := above_of e common in let b := below_of e common in
    apply (positive_as (IZR common * (ln a - ln b))); [| apply Rmult_lt_0_compat; [lra | apply ln_rises; lra]];
    repeat (rewrite ln_mult by lra); rewrite ?ln_of_power by lra; rewrite ?ln_1; simpl INR; ring
  end.

Lemma Rpower_below_one a k : 0 < a < 1 -> 0 < k -> 0 < 1 - Rpower a k.
Proof.
  intros A K. unfold Rpower. apply exp_below_one. pose proof (ln_negative a A).
  replace (- (k * ln a)) with (k * - ln a) by ring. apply Rmult_lt_0_compat; assumption.
Qed.
Lemma sqrt_below_1 a : 0 <= a < 1 -> 0 < 1 - sqrt a.
Proof. intro A. pose proof (sqrt_below_one a A). lra. Qed.

Lemma angle_by c x : 1 - x ^ 2 = c -> 0 < c -> -1 < x < 1.
Proof. intros E C. assert (x ^ 2 < 1) by lra. split; nra. Qed.

(** The integral of what is positive is positive: an antiderivative rises. *)
Lemma rises F f a b :
  a < b -> (forall x, a <= x <= b -> is_derive F x (f x)) -> (forall x, a < x < b -> 0 < f x) -> 0 < F b - F a.
Proof.
  intros AB D Positive.
  destruct (MVT_cor2 F f a b AB) as (c & E & C); [intros x X; apply is_derive_Reals, D, X |].
  rewrite E. apply Rmult_lt_0_compat; [apply Positive, C | lra].
Qed.

(** The same if it has no slope at the ends. *)
Lemma rises_inside F f a b : a < b -> (forall x, a <= x <= b -> continuous F x) ->
  (forall x, a < x < b -> is_derive F x (f x)) -> (forall x, a < x < b -> 0 < f x) -> 0 < F b - F a.
Proof.
  intros AB C D Positive.
  assert (Slope : forall x, a < x < b -> derivable_pt_lim F x (f x)) by (intros x X; apply is_derive_Reals, D, X).
  assert (Whole : forall x, a <= x <= b -> continuity_pt F x) by (intros x X; apply continuity_pt_filterlim, C, X).
  destruct (MVT F id a b (fun x X => exist _ _ (Slope x X)) (fun x _ => derivable_pt_id x)) as (x & X & E);
    [exact AB | exact Whole | intros; apply derivable_continuous_pt, derivable_pt_id |].
  rewrite derive_pt_id in E. unfold id, derive_pt in E. simpl in E.
  rewrite Rmult_1_r in E. rewrite <- E. apply Rmult_lt_0_compat; [lra | apply Positive, X].
Qed.

Lemma erf_positive x : 0 < x -> 0 < erf x.
Proof.
  intro X. replace (erf x) with (erf x - erf 0) by (rewrite erf_0; ring).
  apply (rises erf (fun t => 2 / sqrt PI * exp (- t ^ 2))); [exact X | intros; apply is_derive_erf | intros t _].
  apply Rmult_lt_0_compat; [| apply exp_pos].
  apply Rdiv_lt_0_compat; [lra | apply sqrt_lt_R0, PI_RGT_0].
Qed.

(** More functions for the tactics are added by the files that define them. *)
Ltac see_functions := fail.
Ltac see_known := match goal with known : 0 < ?y |- 0 < ?x => apply (positive_as y); [ring | exact known] end.
Ltac see_bounded := fail.
Ltac see_not_negative_functions := fail.

Lemma square_of_negative x : 0 < - x -> 0 < x ^ 2.
Proof. intro X. apply pow2_gt_0. lra. Qed.
Lemma quotient_below_1 x y : 0 < y -> x < y -> x * / y < 1.
Proof. intros Y L. apply (Rmult_lt_reg_r y); [exact Y |]. replace (x * / y * y) with x by (field; lra). lra. Qed.

(** Read a sign off the structure of a term: goals [0 < e], [0 <= e], [e <> 0], and those that are linear. *)
Ltac see :=
  lazymatch goal with
  | |- _ /\ _ => split; see
  | |- True => exact I
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; see
  | |- / _ <> 0 => apply Rinv_neq_0_compat; see
  | |- _ ^ _ <> 0 => apply pow_nonzero; see
  | |- ln _ - ln _ <> 0 => apply ln_differ; lra
  | |- ln _ + - ln _ <> 0 => apply ln_differ; lra
  | |- _ <> 0 => first [assumption | apply Rgt_not_eq; see | apply Rlt_not_eq; lra | apply not_0_by_opposite; see_logarithms]
  | |- _ > _ => apply Rlt_gt; see
  | |- 0 < _ => first [assumption | lra | see_positive | see_known | see_bounded]
  | |- 0 <= _ => first [assumption | lra | see_not_negative]
  | |- -1 < _ => first [lra | apply Rlt_le_trans with 0; [lra | see] | see_angle | see_known]
  | |- 1 - ?x < 1 => let positive := fresh "positive" in assert (positive : 0 < x) by see; lra
  | |- sqrt _ < 1 => apply sqrt_below_one; lra
  | |- sqrt _ * / sqrt _ < 1 => apply root_below_root; lra
  | |- sqrt _ * sqrt _ * / sqrt _ < 1 => apply roots_below_root; [see | see | lra]
  | |- ?x * / ?y < 1 => first [lra | see_angle | see_known | apply (quotient_below_1 x y); lra]
  | |- ?x / ?y < 1 => first [lra | see_angle | see_known | apply (quotient_below_1 x y); lra]
  | |- _ => first [lra | see_angle | see_known]
  end
with see_angle :=
  match goal with
  | known : -1 < ?y < 1 |- ?x < 1 => replace x with y by (unfold Rminus, Rdiv; field; see); apply known
  | known : -1 < ?y < 1 |- -1 < ?x => replace x with y by (unfold Rminus, Rdiv; field; see); apply known
  end
with see_positive :=
  lazymatch goal with
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; see
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; see
  | |- 0 < / _ => apply Rinv_0_lt_compat; see
  | |- 0 < _ ^ 2 => first [apply pow_lt; see | apply square_of_negative; see]
  | |- 0 < _ ^ _ => apply pow_lt; see
  | |- 0 < sqrt _ => apply sqrt_lt_R0; see
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < Rpower _ _ => apply Rpower_positive
  | |- 0 < PI => exact PI_RGT_0
  | |- 0 < ln _ - ln _ => apply ln_rises; lra
  | |- 0 < ln _ + - ln _ => apply ln_rises; lra
  | |- 0 < ln (_ / _) => first [apply ln_of_greater; lra | apply ln_positive; see]
  | |- 0 < ln _ => apply ln_positive; see
  | |- 0 < - ln _ => apply ln_negative; see
  | |- 0 < erf _ => apply erf_positive; see
  | |- 0 < exp _ - 1 => apply exp_above_one; see
  | |- 0 < 1 - exp _ => apply exp_below_one; see_opposite
  | |- 0 < 1 - Rpower _ _ => apply Rpower_below_one; [split; see | see]
  | |- 0 < 1 - sqrt _ => apply sqrt_below_1; split; see
  | |- 0 < _ + _ =>
      first [ apply Rplus_lt_0_compat; see
            | apply Rplus_lt_le_0_compat; see
            | apply Rplus_le_lt_0_compat; see
            | see_logarithms ]
  | |- 0 < _ - _ => first [see_logarithms | see_functions]
  | |- _ => see_functions
  end
with see_opposite :=
  lazymatch goal with
  | |- 0 < - (- ?a) => apply (positive_as a); [ring | see]
  | |- 0 < - (?n * exp ?a - ?n) => apply (positive_as (n * (1 - exp a))); [ring | see]
  | |- 0 < - (?a / ?b) => apply (positive_as (- a / b)); [unfold Rdiv; ring | apply Rdiv_lt_0_compat; [see_opposite | see]]
  | |- 0 < - (?a * ?b) => apply (positive_as (- a * b)); [ring | apply Rmult_lt_0_compat; [see_opposite | see]]
  | |- _ => lra
  end
with see_not_negative :=
  lazymatch goal with
  | |- 0 <= ?x * ?x => exact (Rle_0_sqr x)
  | |- 0 <= _ * _ => apply Rmult_le_pos; see
  | |- 0 <= _ / _ => apply Rmult_le_pos; [see | apply Rlt_le, Rinv_0_lt_compat; see]
  | |- 0 <= / _ => apply Rlt_le, Rinv_0_lt_compat; see
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; see
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= exp _ => apply Rlt_le, exp_pos
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; see
  | |- 0 <= _ => first [apply Rlt_le; see | see_not_negative_functions]
  end.

(** An order that is seen by the difference, written so that its sign is visible. *)
Ltac ordered_by difference := apply (below_by difference); [field; see | see].

(** * Equalities *)

Lemma sqrt_of_inverse a : 0 < a -> sqrt (/ a) = / sqrt a.
Proof.
  intro H. pose proof (sqrt_div_alt 1 a H) as E. rewrite sqrt_1 in E. unfold Rdiv in E.
  rewrite !Rmult_1_l in E. exact E.
Qed.

Lemma sqrt_of_square a : 0 < a -> sqrt (a ^ 2) = a.
Proof. intro H. apply sqrt_pow2. lra. Qed.

Lemma sqrt_of_higher_power a n : 0 < a -> sqrt (a ^ S (S n)) = a * sqrt (a ^ n).
Proof.
  intro H. replace (a ^ S (S n)) with (a ^ 2 * a ^ n) by (simpl; ring).
  rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_of_square by exact H. reflexivity.
Qed.

Lemma ln_of_quotient a b : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof.
  intros A B. unfold Rdiv. rewrite ln_mult, ln_Rinv; [ring | exact B | exact A | apply Rinv_0_lt_compat, B].
Qed.

Lemma ln_of_root a : 0 < a -> ln (sqrt a) = ln a / 2.
Proof.
  intro H. pose proof (ln_mult (sqrt a) (sqrt a) (sqrt_lt_R0 a H) (sqrt_lt_R0 a H)) as E.
  rewrite sqrt_sqrt in E by lra. lra.
Qed.

(** A root times itself needs no factors, a root of a product has those of its factors. *)
Ltac square_roots :=
  repeat match goal with
  | |- context [sqrt ?a * sqrt ?a] => rewrite (sqrt_sqrt a) by see
  | |- context [sqrt ?a ^ 2] => rewrite (pow2_sqrt a) by see
  end.

(** The least divisor of a number from [d] on, if there is one among as many numbers as there are tries; else the number. *)
Fixpoint divisor_from (d : Z) (tries : nat) (n : Z) : Z :=
  match tries with O => n | S tries => if Z.eqb (Z.modulo n d) 0 then d else divisor_from (Z.succ d) tries n end.

(** Write roots of whole numbers by those of their prime factors, if all but one of these are small. *)
Ltac split_root n :=
  let d := eval vm_compute in (divisor_from 2 1000 (Zpos n)) in
  let m := eval vm_compute in (Z.div (Zpos n) d) in
  lazymatch m with 1%Z => fail | _ =>
    let r := eval vm_compute in (Z.div m d) in
    let square := eval vm_compute in (Z.eqb (Z.mul r d) m) in
    lazymatch square with
    | true => replace (sqrt (IZR (Zpos n))) with (IZR d * sqrt (IZR r)) by (rewrite <- (sqrt_of_square (IZR d)), <- sqrt_mult by lra; f_equal; lra)
    | false => replace (sqrt (IZR (Zpos n))) with (sqrt (IZR d) * sqrt (IZR m)) by (rewrite <- sqrt_mult by lra; f_equal; lra)
    end
  end.

Ltac split_roots :=
  repeat match goal with
  | |- context [sqrt (?a ^ 2)] => rewrite (sqrt_of_square a) by see
  | |- context [sqrt (?a ^ 1)] => rewrite (pow_1 a)
  | |- context [sqrt (?a ^ S (S (S ?n)))] => rewrite (sqrt_of_higher_power a (S n)) by see
  | |- context [sqrt (?a * ?b)] => rewrite (sqrt_mult a b) by see
  | |- context [sqrt (?a / ?b)] => rewrite (sqrt_div_alt a b) by see
  | |- context [sqrt (/ ?a)] => rewrite (sqrt_of_inverse a) by see
  | |- context [sqrt 1] => rewrite sqrt_1
  | |- context [sqrt 0] => rewrite sqrt_0
  | |- context [sqrt (IZR (Zpos ?n))] => split_root n
  end;
  square_roots.

(** Write logarithms of whole numbers by those of their prime factors, if all but one of these are small. *)
Ltac split_number n :=
  let d := eval vm_compute in (divisor_from 2 1000 (Zpos n)) in
  let m := eval vm_compute in (Z.div (Zpos n) d) in
  lazymatch m with 1%Z => fail | _ =>
    replace (ln (IZR (Zpos n))) with (ln (IZR d) + ln (IZR m)) by (rewrite <- ln_mult by lra; apply f_equal; lra)
  end.
Ltac split_logarithms :=
  repeat match goal with
  | |- context [ln (?a / ?b)] => rewrite (ln_of_quotient a b) by see
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by see
  | |- context [ln (?a ^ ?n)] => rewrite (ln_of_power a n) by see; simpl (INR n)
  | |- context [ln (/ ?a)] => rewrite (ln_Rinv a) by see
  | |- context [ln (exp ?a)] => rewrite (ln_exp a)
  | |- context [ln (sqrt ?a)] => rewrite (ln_of_root a) by see
  | |- context [ln 1] => rewrite ln_1
  | |- context [ln (IZR (Zpos ?n))] => split_number n
  end.

(** Write a power as [a'], by the powers of the factors of its base; say that [root ^ n = a] and nothing else of a root. *)
Ltac powered a' :=
  let a' := eval unfold Rpower in a' in
  repeat match goal with
  | |- context [exp (?k * ln ?a)] =>
      assert_fails (idtac; match a' with context [exp (k * ln a)] => idtac end);
      replace (exp (k * ln a)) with a'
        by (apply ln_inv; [see | apply exp_pos | unfold Rminus, Rdiv; split_logarithms; field; see])
  | |- context [sqrt ?a] =>
      assert_fails (constr_eq (sqrt a) a');
      replace (sqrt a) with a' by (apply ln_inv; [see | see | unfold Rminus, Rdiv; split_logarithms; field; see])
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
      first [assert (sign : 0 < sqrt a) by see | assert (sign : 0 <= sqrt a) by apply sqrt_pos];
      assert (square : sqrt a ^ 2 = a) by (apply pow2_sqrt; see);
      set (root := sqrt a) in *; clearbody root
  end.

(** A polynomial identity modulo the squares of the roots, by all of them at once. *)
Ltac ring_of_roots :=
  first
    [ ring
    | lazymatch goal with
      | A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _, D : _ ^ _ = _, E : _ ^ _ = _,
        F : _ ^ _ = _, G : _ ^ _ = _, H : _ ^ _ = _ |- _ => ring [A B C D E F G H]
      | A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _, D : _ ^ _ = _, E : _ ^ _ = _,
        F : _ ^ _ = _, G : _ ^ _ = _ |- _ => ring [A B C D E F G]
      | A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _, D : _ ^ _ = _, E : _ ^ _ = _, F : _ ^ _ = _ |- _ => ring [A B C D E F]
      | A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _, D : _ ^ _ = _, E : _ ^ _ = _ |- _ => ring [A B C D E]
      | A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _, D : _ ^ _ = _ |- _ => ring [A B C D]
      | A : _ ^ _ = _, B : _ ^ _ = _, C : _ ^ _ = _ |- _ => ring [A B C]
      | A : _ ^ _ = _, B : _ ^ _ = _ |- _ => ring [A B]
      | A : _ ^ _ = _ |- _ => ring [A]
      end ].

Ltac equal_by_roots :=
  first [solve [field; see] | solve [name_roots; field_simplify_eq; [ring_of_roots | see ..]]].

(** Arguments are many; roots in them are few. *)
Ltac same_argument :=
  first [solve [field; see] | lazymatch goal with |- context [sqrt _] => equal_by_roots end].

(** Write every root and logarithm of [a] as one of [a'], which is the same number written by its factors. *)
Ltac factored a' :=
  let a' := eval unfold Rpower in a' in
  repeat match goal with
  | |- context [sqrt ?a] => assert_fails (constr_eq a a'); replace (sqrt a) with (sqrt a') by (f_equal; same_argument)
  | |- context [ln ?a] => assert_fails (constr_eq a a'); replace (ln a) with (ln a') by (f_equal; same_argument)
  end.

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
Lemma atan_root_3 : atan (sqrt 3) = PI / 3.
Proof. rewrite <- tan_PI3. apply atan_tan. pose proof PI_RGT_0. lra. Qed.
Lemma atan_inverse_root_3 : atan (/ sqrt 3) = PI / 6.
Proof.
  replace (/ sqrt 3) with (1 / sqrt 3) by (unfold Rdiv; ring). rewrite <- tan_PI6. apply atan_tan.
  pose proof PI_RGT_0. lra.
Qed.
Lemma atan_opposite x value : atan x = value -> atan (- x) = - value.
Proof. intros <-. apply atan_opp. Qed.

Ltac known_angles :=
  at_known sin 0 0 sin_0 equal_by_roots;
  at_known sin PI 0 sin_PI equal_by_roots;
  at_known sin (PI / 2) 1 sin_PI2 equal_by_roots;
  at_known cos 0 1 cos_0 equal_by_roots;
  at_known cos PI (-1) cos_PI equal_by_roots;
  at_known cos (PI / 2) 0 cos_PI2 equal_by_roots;
  at_known asin 0 0 asin_0 equal_by_roots;
  at_known asin 1 (PI / 2) asin_1 equal_by_roots;
  at_known asin (/ sqrt 2) (PI / 4) asin_inv_sqrt2 equal_by_roots;
  at_known asin (1 / 2) (PI / 6) asin_half equal_by_roots;
  at_known asin (sqrt 3 / 2) (PI / 3) asin_half_root_3 equal_by_roots;
  at_known atan 1 (PI / 4) atan_1 equal_by_roots;
  at_known atan (sqrt 3) (PI / 3) atan_root_3 equal_by_roots;
  at_known atan (/ sqrt 3) (PI / 6) atan_inverse_root_3 equal_by_roots;
  at_known atan (- 1) (- (PI / 4)) (atan_opposite _ _ atan_1) equal_by_roots;
  at_known atan (- sqrt 3) (- (PI / 3)) (atan_opposite _ _ atan_root_3) equal_by_roots;
  at_known atan (- / sqrt 3) (- (PI / 6)) (atan_opposite _ _ atan_inverse_root_3) equal_by_roots.

(** Let a letter stand for each power of a letter by a letter: no two of them have the same argument. *)
Ltac name_powers :=
  repeat match goal with
  | |- context [exp (?k * ln ?a)] =>
      is_var k; is_var a;
      let power := fresh "power" in let sign := fresh "sign" in
      assert (sign : 0 < exp (k * ln a)) by apply exp_pos;
      set (power := exp (k * ln a)) in *; clearbody power
  end.

(** Angles of opposite numbers are opposite. *)
Ltac opposite_angles :=
  repeat match goal with |- context [atan ?a] => match goal with |- context [atan ?b] =>
    assert_fails (constr_eq a b); replace (atan a) with (- atan b) by (rewrite <- atan_opp; f_equal; equal_by_roots) end end.

Ltac arguments_of_functions := idtac.
Ltac arguments :=
  unfold Rminus, Rdiv; arguments_of_functions;
  at_zero exp 1 exp_0; at_zero erf 0 erf_0; at_zero arcsinh 0 arcsinh_0;
  same_arguments exp same_argument; same_arguments erf equal_by_roots; same_arguments sin ltac:(field; see); same_arguments cos ltac:(field; see);
  same_arguments asin equal_by_roots; same_arguments atan equal_by_roots; opposite_angles; same_arguments arcsinh equal_by_roots.

Ltac written_by hint := square_roots; hint; split_roots; split_logarithms; name_powers; arguments.

(** Of two exponentials with opposite exponents one is the inverse of the other. *)
Ltac opposites :=
  repeat match goal with |- context [exp ?a] => match goal with |- context [exp ?b] =>
    assert_fails (constr_eq a b); replace (exp a) with (/ exp b) by (rewrite <- exp_Ropp; f_equal; field; see) end end.

(** Two closed forms are equal; [hint] writes the arguments of roots and logarithms by their factors. Without it
    fractions often are, and with it they seldom are before it has written them. *)
Ltac equal_as_written_by hint := written_by hint; first [equal_by_roots | known_angles; equal_by_roots].
Ltac algebra_by hint :=
  unfold Rpower;
  first
    [ reflexivity
    | lra
    | solve [equal_as_written_by hint]
    | solve [field; see]
    | solve [arguments; field; see] ].

Ltac algebra :=
  unfold Rpower;
  first
    [ reflexivity
    | lra
    | solve [field; see]
    | solve [arguments; field; see]
    | solve [equal_as_written_by idtac] ].

(** Examples of numbers of which something holds. *)
Lemma exponential_below_1 x : x < 0 -> exp x < 1.
Proof. intro H. rewrite <- exp_0. apply exp_increasing, H. Qed.
Lemma powers_in_order x y a : 0 < x -> x < y -> 0 < a -> Rpower y (- a) * Rpower x a < 1.
Proof.
  intros X Y A. rewrite Rpower_Ropp. assert (P : 0 < Rpower y a) by apply exp_pos. apply (Rmult_lt_reg_l (Rpower y a)); [exact P |].
  replace (Rpower y a * (/ Rpower y a * Rpower x a)) with (Rpower x a) by (field; lra). rewrite Rmult_1_r.
  unfold Rpower. apply exp_increasing, Rmult_lt_compat_l; [exact A | apply ln_increasing; assumption].
Qed.
Ltac holds := repeat split; first [lra | apply exp_pos | apply exponential_below_1; lra | apply powers_in_order; lra].
