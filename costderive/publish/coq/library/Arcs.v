(** Costs along arcs: both are functions of one uncertain parameter, such as one cost beside another that is known.

    The parameter is positive. At a report the decision changes at one value of it, or nowhere; expected costs are
    read off antiderivatives there and at the ends of the arc. Areas and points may be in the same law. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms.
Import ListNotations.
Open Scope R_scope.

(** * Definitions *)

(** Both costs as functions of a parameter that has a density between two values, of which the second may be infinite. *)
Record arc := Arc { from : R; upto : Rbar; cost0 : R -> R; cost1 : R -> R; likelihood : R -> R }.

(** What is paid at a parameter, times its density. *)
Definition on_arc (pay : R -> R -> R) (C : arc) (x : R) : R := pay (cost0 C x) (cost1 C x) * likelihood C x.

(** Its integral from one value to the other, with limits at both: a density may be unbounded there. *)
Definition toward (b : Rbar) : (R -> Prop) -> Prop := match b with Finite b => at_left b | _ => Rbar_locally p_infty end.
Definition over_arc (C : arc) (pay : R -> R -> R) (value : R) : Prop :=
  is_RInt_gen (on_arc pay C) (at_right (from C)) (toward (upto C)) value.

Fixpoint over_arcs (arcs : list arc) (pay : R -> R -> R) (value : R) : Prop :=
  match arcs with
  | nil => value = 0
  | C :: others => exists a b, over_arc C pay a /\ over_arcs others pay b /\ value = a + b
  end.

(** The expectation over areas, arcs and points. *)
Record law_of_costs := Law { areas_of : list area; arcs_of : list arc; points_of : list point }.
Definition expectation (L : law_of_costs) (pay : R -> R -> R) (value : R) : Prop :=
  exists a b, over_areas (areas_of L) pay a /\ over_arcs (arcs_of L) pay b /\ value = a + b + on_points pay (points_of L).

Definition inside_arc (C : arc) (x : R) : Prop := 0 < x /\ from C < x /\ Rbar_lt x (upto C).
Definition spans (C : arc) : Prop := 0 <= from C /\ Rbar_lt (from C) (upto C).
Definition lawful_arc (C : arc) : Prop :=
  spans C /\ forall x, inside_arc C x -> 0 < cost0 C x /\ 0 < cost1 C x /\ 0 <= likelihood C x.
Definition lawful_law (L : law_of_costs) : Prop :=
  lawful_areas (areas_of L) /\ List.Forall lawful_arc (arcs_of L) /\ List.Forall lawful_point (points_of L).

(** * Integrals along an arc *)

Global Instance toward_is_proper b : ProperFilter (toward b).
Proof. destruct b; [apply at_left_proper_filter | apply Rbar_locally_filter ..]. Qed.

Lemma before_end (z y : R) b : z <= y -> Rbar_lt y b -> Rbar_lt z b.
Proof. intros H. apply Rbar_le_lt_trans. exact H. Qed.

Section Between.
Variables (a : R) (b : Rbar).
Hypothesis ordered : Rbar_lt a b.
Local Notation near := (filter_prod (at_right a) (toward b)).
Local Notation integral f value := (is_RInt_gen (V := R_NormedModule) f (at_right a) (toward b) value).

(** Close to both ends. *)
Lemma close_to_ends : near (fun xy => a < fst xy /\ fst xy < snd xy /\ Rbar_lt (snd xy) b).
Proof.
  destruct b as [h | |]; simpl in ordered; try contradiction.
  - exists (fun x => a < x < (a + h) / 2) (fun y => (a + h) / 2 < y < h); [apply right_of; lra | apply left_of; lra |].
    intros x y X Y. simpl. lra.
  - exists (fun x => a < x < a + 1) (fun y => a + 1 < y); [apply right_of; lra | apply eventually_above |].
    intros x y X Y. simpl. repeat split; lra.
Qed.

Lemma between_same f g value : (forall x, a < x -> Rbar_lt x b -> f x = g x) ->
  integral f value -> integral g value.
Proof.
  intros E. apply is_RInt_gen_ext. apply filter_imp with (2 := close_to_ends). intros [x y] (X & XY & Y) z. cbn [fst snd] in *.
  rewrite Rmin_left, Rmax_right by lra. intro Z. apply E; [lra |]. apply (before_end _ y); [lra | exact Y].
Qed.

Lemma between_not_negative f value : (forall x, a < x -> Rbar_lt x b -> 0 <= f x) ->
  integral f value -> 0 <= value.
Proof.
  intros H I. destruct (Rle_lt_dec 0 value) as [| N]; [assumption | exfalso].
  assert (M : 0 < - value) by lra.
  destruct (filter_ex _ (filter_and _ _ close_to_ends (I _ (locally_ball value (mkposreal _ M)))))
    as ((x & y) & (X & XY & Y) & z & Z & Near).
  apply ball_between in Near. cbn [fst snd pos] in *. assert (0 <= z); [| lra].
  apply (is_RInt_ge_0 f x y); [lra | exact Z |]. intros c C. apply H; [lra |]. apply (before_end _ y); [lra | exact Y].
Qed.

Lemma between_combined k l f g u v : integral f u -> integral g v ->
  integral (fun x => k * f x + l * g x) (k * u + l * v).
Proof. intros F G. exact (is_RInt_gen_plus _ _ _ _ (is_RInt_gen_scal _ k _ F) (is_RInt_gen_scal _ l _ G)). Qed.

Lemma between_le f g u v : (forall x, a < x -> Rbar_lt x b -> f x <= g x) ->
  integral f u -> integral g v -> u <= v.
Proof.
  intros H F G. assert (0 <= 1 * v + -1 * u); [| lra].
  apply (between_not_negative (fun x => 1 * g x + -1 * f x)); [| apply between_combined; assumption].
  intros x X Y. specialize (H x X Y). lra.
Qed.

(** By a function that rises by the integral from one value to another. *)
Lemma between_by_increments (F f : R -> R) (bottom top : R) :
  (forall x y, a < x -> x <= y -> Rbar_lt y b -> is_RInt f x y (F y - F x)) ->
  filterlim F (at_right a) (locally bottom) -> filterlim F (toward b) (locally top) ->
  integral f (top - bottom).
Proof.
  intros I Bottom Top P HP.
  assert (Change : filterlim (fun xy => F (snd xy) - F (fst xy)) near (locally (top - bottom))).
  { refine (filterlim_comp_2 (G := locally top) (H := locally (- bottom)) (fun xy : R * R => F (snd xy))
      (fun xy => - F (fst xy)) Rplus _ _ (filterlim_plus (V := R_NormedModule) top (- bottom))).
    - exact (filterlim_comp _ _ _ snd F _ _ _ filterlim_snd Top).
    - refine (filterlim_comp _ _ _ (fun xy : R * R => F (fst xy)) Ropp _ (locally bottom) _ _ (filterlim_opp (V := R_NormedModule) bottom)).
      exact (filterlim_comp _ _ _ fst F _ _ _ filterlim_fst Bottom). }
  assert (Near : near (fun xy => P (F (snd xy) - F (fst xy)))) by exact (Change P HP).
  refine (filter_imp _ _ _ (filter_and _ _ close_to_ends Near)).
  intros [x y] [(X & XY & Y) HF]. cbn [fst snd] in *. exists (F y - F x). split; [apply I; [exact X | lra | exact Y] | exact HF].
Qed.
Lemma between_zero f : (forall x, a < x -> Rbar_lt x b -> f x = 0) -> integral f 0.
Proof.
  intro Z. replace 0 with (0 - 0) by ring. apply (between_by_increments (fun _ => 0)); try apply filterlim_const.
  intros x y X XY Y. replace (0 - 0) with 0 by ring. apply integral_of_zero; [exact XY |]. intros z H.
  apply Z; [lra |]. apply (before_end _ y); [lra | exact Y].
Qed.
End Between.

(** * Properness of every such law *)

Lemma on_arc_le C pay pay' x : lawful_arc C -> from C < x -> Rbar_lt x (upto C) ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> on_arc pay C x <= on_arc pay' C x.
Proof.
  intros [[Z _] L] F U H. unfold on_arc. destruct (L x) as (A & B & D); [repeat split; [lra | exact F | exact U] |].
  apply Rmult_le_compat_r; [exact D | apply H; assumption].
Qed.

Lemma over_arcs_le arcs pay pay' u v : List.Forall lawful_arc arcs ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> over_arcs arcs pay u -> over_arcs arcs pay' v -> u <= v.
Proof.
  intros L H. revert u v. induction L as [| C others LC L Rest]; simpl.
  - intros u v -> ->. lra.
  - intros u v (a & b & A & B & ->) (c & d & A' & B' & ->). apply Rplus_le_compat; [| apply Rest; assumption].
    refine (between_le (from C) (upto C) (proj2 (proj1 LC)) _ _ _ _ _ A A'). intros x X U. apply on_arc_le; assumption.
Qed.

Lemma on_points_le points pay pay' : List.Forall lawful_point points ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> on_points pay points <= on_points pay' points.
Proof.
  intros L H. induction L as [| P others (A & B & D) L Rest]; simpl; [lra |].
  apply Rplus_le_compat; [| exact Rest]. apply Rmult_le_compat_r; [exact D | apply H; assumption].
Qed.

Lemma expectation_le L pay pay' u v : lawful_law L ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 <= pay' c0 c1) -> expectation L pay u -> expectation L pay' v -> u <= v.
Proof.
  intros (LA & LC & LP) H (a & b & A & B & ->) (c & d & C & D & ->).
  pose proof (over_areas_le _ _ _ _ _ LA H A C). pose proof (over_arcs_le _ _ _ _ _ LC H B D).
  pose proof (on_points_le _ _ _ LP H). lra.
Qed.

(** The expectation has one value. *)
Theorem expectation_is_unique L pay a b : lawful_law L -> expectation L pay a -> expectation L pay b -> a = b.
Proof. intros H A B. apply Rle_antisym; eapply expectation_le; try eassumption; intros; lra. Qed.

Lemma over_arcs_mixed arcs q p u v :
  over_arcs arcs (pay0 p) u -> over_arcs arcs (pay1 p) v -> over_arcs arcs (mixed q p) ((1 - q) * u + q * v).
Proof.
  revert u v. induction arcs as [| C others Rest]; simpl.
  - intros u v -> ->. ring.
  - intros u v (a & b & A & B & ->) (c & d & C' & D & ->).
    exists ((1 - q) * a + q * c), ((1 - q) * b + q * d). split; [| split; [apply Rest; assumption | ring]].
    refine (is_RInt_gen_ext _ _ _ _ (between_combined _ _ (1 - q) q _ _ _ _ A C')).
    apply filter_forall. intros xy x _. unfold on_arc, mixed. match goal with |- ?l = ?r => change (l = r :> R) end. ring.
Qed.

Lemma expectation_mixed L q p u v :
  expectation L (pay0 p) u -> expectation L (pay1 p) v -> expectation L (mixed q p) ((1 - q) * u + q * v).
Proof.
  intros (a & b & A & B & ->) (c & d & C & D & ->). exists ((1 - q) * a + q * c), ((1 - q) * b + q * d).
  repeat split; [apply over_areas_mixed; assumption | apply over_arcs_mixed; assumption |].
  rewrite on_points_mixed. ring.
Qed.

Theorem no_better_report_of_law L p q u0 u1 v0 v1 : lawful_law L ->
  expectation L (pay0 q) u0 -> expectation L (pay1 q) u1 ->
  expectation L (pay0 p) v0 -> expectation L (pay1 p) v1 -> (1 - q) * u0 + q * u1 <= (1 - q) * v0 + q * v1.
Proof.
  intros H Q0 Q1 P0 P1. apply (expectation_le L (mixed q q) (mixed q p)); [exact H | | |].
  - intros c0 c1 A B. apply best_decision; assumption.
  - apply expectation_mixed; assumption.
  - apply expectation_mixed; assumption.
Qed.

Theorem proper_law L (L0 L1 : R -> R) : lawful_law L -> (forall p, 0 < p < 1 -> expectation L (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (L1 p)) -> Proper L0 L1.
Proof. intros H E0 E1 p q P Q. unfold risk. apply (no_better_report_of_law L p q); auto. Qed.

Theorem strictly_proper_of_law L low high (L0 L1 E0 E1 : R -> R) : lawful_law L -> 0 <= low -> high <= 1 ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (L1 p)) ->
  StrictlyProperOn low high L0 L1 ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (E1 p)) -> StrictlyProperOn low high E0 E1.
Proof.
  intros H Low High H0 H1 S K0 K1 p q P Q N. assert (Unit : 0 < q < 1) by lra. unfold risk.
  rewrite (expectation_is_unique L (pay0 q) (E0 q) (L0 q)), (expectation_is_unique L (pay1 q) (E1 q) (L1 q)),
    (expectation_is_unique L (pay0 p) (E0 p) (L0 p)), (expectation_is_unique L (pay1 p) (E1 p) (L1 p)) by auto.
  apply S; assumption.
Qed.

(** * The reports 0 and 1 *)

Lemma expectation_ext L pay pay' value : lawful_law L ->
  (forall c0 c1, 0 < c0 -> 0 < c1 -> pay c0 c1 = pay' c0 c1) -> expectation L pay value -> expectation L pay' value.
Proof.
  intros (_ & LC & LP) E (a & b & A & B & ->). exists a, b. split; [exact (over_areas_ext _ _ _ _ E A) |]. split.
  - revert b B. induction LC as [| C others H LC Rest]; simpl; [trivial |]. intros b (u & v & U & V & ->).
    exists u, v. split; [| split; [apply Rest, V | reflexivity]]. destruct H as [[Z S] H].
    refine (between_same _ _ S (on_arc pay C) (on_arc pay' C) u _ U). intros x F G. unfold on_arc.
    destruct (H x) as (P & Q & _); [repeat split; [lra | exact F | exact G] |]. rewrite E by assumption. reflexivity.
  - f_equal. induction LP as [| P others (P0 & P1 & _) LP Rest]; simpl; [reflexivity |]. rewrite Rest, E by assumption. reflexivity.
Qed.
Lemma expectation_of_0 L : lawful_law L -> expectation L (fun _ _ => 0) 0.
Proof.
  intros (_ & LC & _). exists 0, 0. split; [apply over_areas_of_0 | split].
  - induction LC as [| C others [[_ S] _] LC Rest]; simpl; [reflexivity |]. exists 0, 0. split; [| split; [exact Rest | ring]].
    refine (between_zero _ _ S (on_arc (fun _ _ => 0) C) _). intros x _ _. unfold on_arc. ring.
  - induction (points_of L) as [| P others Rest]; simpl; [ring |]. lra.
Qed.

Theorem proper_law_with_ends L (L0 L1 : R -> R) mean0 mean1 : lawful_law L ->
  (forall p, 0 < p < 1 -> expectation L (pay0 p) (L0 p)) ->
  (forall p, 0 < p < 1 -> expectation L (pay1 p) (L1 p)) ->
  expectation L (fun c0 _ => c0) mean0 -> expectation L (fun _ c1 => c1) mean1 ->
  (forall p, with_ends p -> expectation L (pay0 p) (extended L0 0 mean0 p)) /\
  (forall p, with_ends p -> expectation L (pay1 p) (extended L1 mean1 0 p)) /\
  ProperAmong with_ends (extended L0 0 mean0) (extended L1 mean1 0).
Proof.
  intros H E0 E1 M0 M1.
  assert (A0 : forall p, with_ends p -> expectation L (pay0 p) (extended L0 0 mean0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply expectation_ext with (3 := expectation_of_0 L H); [exact H | at_an_end].
    - replace p with 1 by lra. apply expectation_ext with (3 := M0); [exact H | at_an_end].
    - apply E0. lra. }
  assert (A1 : forall p, with_ends p -> expectation L (pay1 p) (extended L1 mean1 0 p)).
  { intros p [P P']. unfold extended. destruct (Rle_dec p 0); [| destruct (Rle_dec 1 p)].
    - replace p with 0 by lra. apply expectation_ext with (3 := M1); [exact H | at_an_end].
    - replace p with 1 by lra. apply expectation_ext with (3 := expectation_of_0 L H); [exact H | at_an_end].
    - apply E1. lra. }
  split; [exact A0 | split; [exact A1 |]]. intros p q P Q. unfold risk. apply (no_better_report_of_law L p q); auto.
Qed.

(** * Antiderivatives along an arc *)

(** An antiderivative in the parameter, with its limits at both ends. *)
Record along := Along { rise_along : R -> R; at_from : R; at_upto : R }.

(** It need not have a slope at the ends; at those that are numbers its value is its limit. *)
Definition integrates_along (C : arc) (charge : R -> R -> R) (F : along) : Prop :=
  (forall x, inside_arc C x -> slope_is (rise_along F) (fun x => charge (cost0 C x) (cost1 C x) * likelihood C x) x) /\
  filterlim (rise_along F) (at_right (from C)) (locally (at_from F)) /\
  filterlim (rise_along F) (toward (upto C)) (locally (at_upto F)) /\
  rise_along F (from C) = at_from F /\
  match upto C with Finite b => rise_along F b = at_upto F | _ => True end.

(** Where class 1 is predicted: up to a parameter, from one on, along all of the arc, or nowhere. *)
Inductive turn := Rising (x : R) | Falling (x : R) | Always | Never.

Definition turns (C : arc) (p : R) (t : turn) : Prop :=
  match t with
  | Rising z => from C <= z /\ Rbar_le z (upto C) /\
      forall x, inside_arc C x -> (x < z -> cost0 C x < p * cost1 C x / (1 - p)) /\ (z < x -> p * cost1 C x / (1 - p) <= cost0 C x)
  | Falling z => from C <= z /\ Rbar_le z (upto C) /\
      forall x, inside_arc C x -> (x < z -> p * cost1 C x / (1 - p) <= cost0 C x) /\ (z < x -> cost0 C x < p * cost1 C x / (1 - p))
  | Always => forall x, inside_arc C x -> cost0 C x < p * cost1 C x / (1 - p)
  | Never => forall x, inside_arc C x -> p * cost1 C x / (1 - p) <= cost0 C x
  end.

Definition before_turn (F : along) (z : R) : R := rise_along F z - at_from F.
Definition after_turn (F : along) (z : R) : R := at_upto F - rise_along F z.
Definition all_along (F : along) : R := at_upto F - at_from F.
Definition paid0 (F : along) (t : turn) : R :=
  match t with Rising z => before_turn F z | Falling z => after_turn F z | Always => all_along F | Never => 0 end.
Definition paid1 (F : along) (t : turn) : R :=
  match t with Rising z => after_turn F z | Falling z => before_turn F z | Always => 0 | Never => all_along F end.

Section OneArc.
Variables (C : arc) (charge pay : R -> R -> R) (F : along).
Hypothesis span : spans C.
Hypothesis integrated : integrates_along C charge F.

Local Notation charged x := (pay (cost0 C x) (cost1 C x) = charge (cost0 C x) (cost1 C x)).
Local Notation free x := (pay (cost0 C x) (cost1 C x) = 0).
Local Notation rise := (rise_along F).

Lemma inside_between (x y z : R) : from C < x -> Rbar_lt y (upto C) -> x <= z <= y -> inside_arc C z.
Proof.
  intros X Y Z. destruct span as [S _]. repeat split; [lra | lra |].
  apply (before_end _ y); [lra | exact Y].
Qed.

Lemma charged_along (x y : R) : from C < x -> x <= y -> Rbar_lt y (upto C) ->
  (forall z, inside_arc C z -> x < z < y -> charged z) -> is_RInt (on_arc pay C) x y (rise y - rise x).
Proof.
  intros X XY Y Charged. destruct integrated as (D & _).
  apply (is_RInt_ext (fun z => charge (cost0 C z) (cost1 C z) * likelihood C z)).
  - rewrite Rmin_left, Rmax_right by exact XY. intros z Z. unfold on_arc.
    rewrite Charged; [reflexivity | apply (inside_between x y); try assumption; lra | exact Z].
  - apply (between_bounds rise); [exact XY | | reflexivity]. intros z Z. exact (D z (inside_between x y z X Y Z)).
Qed.
Lemma free_along (x y : R) : from C < x -> x <= y -> Rbar_lt y (upto C) ->
  (forall z, inside_arc C z -> x < z < y -> free z) -> is_RInt (on_arc pay C) x y 0.
Proof.
  intros X XY Y Free. apply integral_of_zero; [exact XY |]. intros z Z. unfold on_arc.
  rewrite Free; [ring | apply (inside_between x y); try assumption; lra | exact Z].
Qed.

Lemma nothing_along : (forall x, inside_arc C x -> free x) -> over_arc C pay 0.
Proof.
  intro Free. destruct span as [Z S]. refine (between_zero _ _ S (on_arc pay C) _). intros x X Y. unfold on_arc.
  rewrite Free; [ring | repeat split; [lra | exact X | exact Y]].
Qed.

Lemma paid_all_along : (forall x, inside_arc C x -> charged x) -> over_arc C pay (all_along F).
Proof.
  intro Charged. destruct span as [_ S]. destruct integrated as (_ & Bottom & Top & _).
  refine (between_by_increments _ _ S rise (on_arc pay C) _ _ _ Bottom Top).
  intros x y X XY Y. apply charged_along; try assumption. intros z Z _. apply Charged, Z.
Qed.

(** Two integrals, one of which is over nothing. *)
Lemma joined_at (x z y u v w : R) : is_RInt (on_arc pay C) x z u -> is_RInt (on_arc pay C) z y v -> u + v = w -> is_RInt (on_arc pay C) x y w.
Proof. intros A B <-. exact (is_RInt_Chasles (V := R_NormedModule) _ x z y u v A B). Qed.

Lemma limit_at_start (G : R -> R) (z : R) : from C < z -> (forall x, from C < x < z -> G x = rise x) ->
  filterlim G (at_right (from C)) (locally (at_from F)).
Proof.
  intros A E. destruct integrated as (_ & Bottom & _). apply (filterlim_ext_loc rise); [| exact Bottom].
  apply filter_imp with (2 := right_of (from C) z A). intros x X. symmetry. apply E, X.
Qed.
Lemma constant_at_start (G : R -> R) (k z : R) : from C < z -> (forall x, from C < x < z -> G x = k) -> filterlim G (at_right (from C)) (locally k).
Proof.
  intros A E. apply (filterlim_ext_loc (fun _ => k)); [| apply filterlim_const].
  apply filter_imp with (2 := right_of (from C) z A). intros x X. symmetry. apply E, X.
Qed.
Lemma toward_above (z : R) b : Rbar_lt z b -> toward b (fun x => z < x).
Proof.
  intro H. destruct b as [h | |]; [| exact (eventually_above z) | contradiction]. simpl in H.
  apply filter_imp with (2 := left_of z h H). intros x X. lra.
Qed.
Lemma limit_at_stop (G : R -> R) (z : R) : Rbar_lt z (upto C) -> (forall x, z < x -> G x = rise x) ->
  filterlim G (toward (upto C)) (locally (at_upto F)).
Proof.
  intros A E. destruct integrated as (_ & _ & Top & _). apply (filterlim_ext_loc rise); [| exact Top].
  apply filter_imp with (2 := toward_above z _ A). intros x X. symmetry. apply E, X.
Qed.
Lemma constant_at_stop (G : R -> R) (k z : R) : Rbar_lt z (upto C) -> (forall x, z < x -> G x = k) -> filterlim G (toward (upto C)) (locally k).
Proof.
  intros A E. apply (filterlim_ext_loc (fun _ => k)); [| apply filterlim_const].
  apply filter_imp with (2 := toward_above z _ A). intros x X. symmetry. apply E, X.
Qed.

Lemma from_below (z : R) : from C <= z -> from C < z \/ rise z = at_from F.
Proof.
  intro A. destruct integrated as (_ & _ & _ & Start & _), (Rle_lt_or_eq_dec _ _ A) as [B | B]; [left; exact B | right].
  rewrite <- B. exact Start.
Qed.
Lemma upto_above (z : R) : Rbar_le z (upto C) -> Rbar_lt z (upto C) \/ upto C = Finite z /\ rise z = at_upto F.
Proof.
  intro A. destruct integrated as (_ & _ & _ & _ & Stop). destruct (upto C) as [h | |]; simpl in A; [| left; exact I | contradiction].
  destruct (Rle_lt_or_eq_dec _ _ A) as [B | ->]; [left; exact B | right; split; [reflexivity | exact Stop]].
Qed.

Lemma paid_up_to (z : R) : from C <= z -> Rbar_le z (upto C) -> (forall x, inside_arc C x -> x < z -> charged x) ->
  (forall x, inside_arc C x -> z < x -> free x) -> over_arc C pay (before_turn F z).
Proof.
  intros A B Charged Free. destruct span as [_ S]. refine (between_by_increments _ _ S (fun x => rise (Rmin x z)) (on_arc pay C) (at_from F) (rise z) _ _ _).
  - intros x y X XY Y. destruct (Rle_dec y z) as [YZ |]; [| destruct (Rle_dec z x) as [ZX |]].
    + rewrite !Rmin_left by lra. apply charged_along; try assumption. intros t T H. apply Charged; [exact T | lra].
    + rewrite !Rmin_right by lra. replace (rise z - rise z) with 0 by ring.
      apply free_along; try assumption. intros t T H. apply Free; [exact T | lra].
    + rewrite (Rmin_left x), (Rmin_right y) by lra. assert (Z : Rbar_lt z (upto C)) by (apply (inside_between x y); lra || assumption).
      apply (joined_at x z y (rise z - rise x) 0); [| | ring].
      * apply charged_along; try lra; try assumption. intros t T H. apply Charged; [exact T | lra].
      * apply free_along; try lra; try assumption. intros t T H. apply Free; [exact T | lra].
  - destruct (from_below z A) as [L | E].
    + apply (limit_at_start _ z L). intros x X. rewrite Rmin_left by lra. reflexivity.
    + destruct (Rle_lt_or_eq_dec _ _ A) as [L | L]; [apply (limit_at_start _ z L); intros x X; rewrite Rmin_left by lra; reflexivity |].
      rewrite <- E. apply (constant_at_start _ _ (z + 1)); [lra |]. intros x X. rewrite Rmin_right by lra. reflexivity.
  - destruct (upto_above z B) as [L | [E V]].
    + apply (constant_at_stop _ _ z L). intros x X. rewrite Rmin_right by lra. reflexivity.
    + rewrite V. destruct integrated as (_ & _ & Top & _). apply (filterlim_ext_loc rise); [| exact Top].
      rewrite E in *. apply filter_imp with (2 := left_of (z - 1) z ltac:(lra)). intros x X. rewrite Rmin_left by lra. reflexivity.
Qed.

Lemma paid_from (z : R) : from C <= z -> Rbar_le z (upto C) -> (forall x, inside_arc C x -> x < z -> free x) ->
  (forall x, inside_arc C x -> z < x -> charged x) -> over_arc C pay (after_turn F z).
Proof.
  intros A B Free Charged. destruct span as [_ S]. refine (between_by_increments _ _ S (fun x => rise (Rmax x z)) (on_arc pay C) (rise z) (at_upto F) _ _ _).
  - intros x y X XY Y. destruct (Rle_dec y z) as [YZ |]; [| destruct (Rle_dec z x) as [ZX |]].
    + rewrite !Rmax_right by lra. replace (rise z - rise z) with 0 by ring.
      apply free_along; try assumption. intros t T H. apply Free; [exact T | lra].
    + rewrite !Rmax_left by lra. apply charged_along; try assumption. intros t T H. apply Charged; [exact T | lra].
    + rewrite (Rmax_right x), (Rmax_left y) by lra. assert (Z : Rbar_lt z (upto C)) by (apply (inside_between x y); lra || assumption).
      apply (joined_at x z y 0 (rise y - rise z)); [| | ring].
      * apply free_along; try lra; try assumption. intros t T H. apply Free; [exact T | lra].
      * apply charged_along; try lra; try assumption. intros t T H. apply Charged; [exact T | lra].
  - destruct (Rle_lt_or_eq_dec _ _ A) as [L | L].
    + apply (constant_at_start _ _ z L). intros x X. rewrite Rmax_right by lra. reflexivity.
    + destruct (from_below z A) as [? | E]; [lra |]. rewrite E.
      destruct integrated as (_ & Bottom & _). apply (filterlim_ext_loc rise); [| exact Bottom].
      apply filter_imp with (2 := right_of (from C) (z + 1) ltac:(lra)). intros x X. rewrite Rmax_left by lra. reflexivity.
  - destruct (upto_above z B) as [L | [E V]].
    + apply (limit_at_stop _ z L). intros x X. rewrite Rmax_left by lra. reflexivity.
    + rewrite <- V, E. apply (filterlim_ext_loc (fun _ => rise z)); [| apply filterlim_const].
      apply filter_imp with (2 := left_of (z - 1) z ltac:(lra)). intros x X. rewrite Rmax_right by lra. reflexivity.
Qed.
End OneArc.

Lemma arc_value C pay v w : over_arc C pay v -> v = w -> over_arc C pay w.
Proof. intros I <-. exact I. Qed.

(** ** Both expected costs of a report *)

Section Reports.
Variables (C : arc) (p : R) (F0 F1 : along) (t : turn).
Hypothesis Unit : 0 < p < 1.
Hypothesis lawful : lawful_arc C.
Hypothesis span : spans C.
Hypothesis turned : turns C p t.

Lemma class1 x : inside_arc C x -> cost0 C x < p * cost1 C x / (1 - p) ->
  pay0 p (cost0 C x) (cost1 C x) = cost0 C x /\ pay1 p (cost0 C x) (cost1 C x) = 0.
Proof. intros In H. destruct (proj2 lawful x In) as (A & B & _). split; [apply pays0_below | apply pays1_below]; assumption. Qed.
Lemma class0 x : inside_arc C x -> p * cost1 C x / (1 - p) <= cost0 C x ->
  pay0 p (cost0 C x) (cost1 C x) = 0 /\ pay1 p (cost0 C x) (cost1 C x) = cost1 C x.
Proof. intros In H. destruct (proj2 lawful x In) as (A & B & _). split; [apply pays0_above | apply pays1_above]; assumption. Qed.

Theorem arc_cost0 : integrates_along C (fun c0 _ => c0) F0 -> over_arc C (pay0 p) (paid0 F0 t).
Proof.
  intro J. destruct t as [z | z | |]; simpl in *.
  - destruct turned as (A & B & H). apply (paid_up_to C (fun c0 _ => c0)); try assumption.
    + intros x X Y. apply class1, H; assumption.
    + intros x X Y. apply class0, H; assumption.
  - destruct turned as (A & B & H). apply (paid_from C (fun c0 _ => c0)); try assumption.
    + intros x X Y. apply class0, H; assumption.
    + intros x X Y. apply class1, H; assumption.
  - apply (paid_all_along C (fun c0 _ => c0)); try assumption. intros x X. apply class1, turned; exact X.
  - apply (nothing_along C (pay0 p) span). intros x X. apply class0, turned; exact X.
Qed.
Theorem arc_cost1 : integrates_along C (fun _ c1 => c1) F1 -> over_arc C (pay1 p) (paid1 F1 t).
Proof.
  intro J. destruct t as [z | z | |]; simpl in *.
  - destruct turned as (A & B & H). apply (paid_from C (fun _ c1 => c1)); try assumption.
    + intros x X Y. apply class1, H; assumption.
    + intros x X Y. apply class0, H; assumption.
  - destruct turned as (A & B & H). apply (paid_up_to C (fun _ c1 => c1)); try assumption.
    + intros x X Y. apply class0, H; assumption.
    + intros x X Y. apply class1, H; assumption.
  - apply (nothing_along C (pay1 p) span). intros x X. apply class1, turned; exact X.
  - apply (paid_all_along C (fun _ c1 => c1)); try assumption. intros x X. apply class0, turned; exact X.
Qed.
End Reports.

Theorem arc_of C charge F : spans C -> integrates_along C charge F -> over_arc C charge (all_along F).
Proof. intros S J. apply (paid_all_along C charge); try assumption. reflexivity. Qed.

(** ** The parameter at which the decision changes, from a factor of the difference of the costs *)

Lemma ray_factor p a b : p < 1 -> (0 < (1 - p) * a - p * b -> p * b / (1 - p) <= a) /\ ((1 - p) * a - p * b < 0 -> a < p * b / (1 - p)).
Proof.
  intro P. assert (E : p * b / (1 - p) * (1 - p) = p * b) by (field; lra).
  split; intro H; [apply (Rmult_le_reg_r (1 - p)) | apply (Rmult_lt_reg_r (1 - p))]; lra.
Qed.

(** Of what is not negative, the order is that of the squares, in which roots are gone. *)
Lemma below_by_squares c low high : 0 <= high -> high ^ 2 - low ^ 2 = c -> 0 <= c -> low <= high.
Proof. intros H <- C. apply Rsqr_incr_0_var; [unfold Rsqr; lra | exact H]. Qed.

Lemma rising_at C p z g : p < 1 -> from C <= z /\ Rbar_le z (upto C) ->
  (forall x, inside_arc C x -> (1 - p) * cost0 C x - p * cost1 C x = g x * (x - z) /\ 0 < g x) -> turns C p (Rising z).
Proof.
  intros P (A & B) H. repeat split; try assumption; intro X; destruct (H x) as [E G]; try assumption; apply ray_factor; try exact P; rewrite E.
  - assert (0 < g x * (z - x)) by (apply Rmult_lt_0_compat; lra). lra.
  - apply Rmult_lt_0_compat; lra.
Qed.
Lemma falling_at C p z g : p < 1 -> from C <= z /\ Rbar_le z (upto C) ->
  (forall x, inside_arc C x -> (1 - p) * cost0 C x - p * cost1 C x = g x * (z - x) /\ 0 < g x) -> turns C p (Falling z).
Proof.
  intros P (A & B) H. repeat split; try assumption; intro X; destruct (H x) as [E G]; try assumption; apply ray_factor; try exact P; rewrite E.
  - apply Rmult_lt_0_compat; lra.
  - assert (0 < g x * (x - z)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma always_on C p : p < 1 -> (forall x, inside_arc C x -> 0 < p * cost1 C x - (1 - p) * cost0 C x) -> turns C p Always.
Proof. intros P H x X. specialize (H x X). apply ray_factor; [exact P | lra]. Qed.
Lemma never_on C p : p < 1 -> (forall x, inside_arc C x -> 0 < (1 - p) * cost0 C x - p * cost1 C x) -> turns C p Never.
Proof. intros P H x X. apply ray_factor; [exact P | apply H, X]. Qed.

(** ** Sums *)

Lemma one_arc C others pay a b value :
  over_arc C pay a -> over_arcs others pay b -> a + b = value -> over_arcs (C :: others) pay value.
Proof. intros A B <-. exists a, b. repeat split; assumption. Qed.
Lemma expectation_is areas arcs points pay a b value : over_areas areas pay a -> over_arcs arcs pay b ->
  a + b + on_points pay points = value -> expectation (Law areas arcs points) pay value.
Proof. intros A B <-. exists a, b. repeat split; assumption. Qed.

(** A point is charged for one class or the other. *)
Lemma point_below p c0 c1 t : c0 / (c0 + c1) = t -> t < p -> pay0 p c0 c1 = c0 /\ pay1 p c0 c1 = 0.
Proof. intros <- H. unfold pay0, pay1. destruct (Rlt_dec _ _); [split; reflexivity | contradiction]. Qed.
Lemma point_above p c0 c1 t : c0 / (c0 + c1) = t -> p <= t -> pay0 p c0 c1 = 0 /\ pay1 p c0 c1 = c1.
Proof. intros <- H. unfold pay0, pay1. destruct (Rlt_dec _ _); [lra | split; reflexivity]. Qed.

(** * Arcs whose antiderivatives are closed forms, and the tactics by which files certify them *)

(** They are continuous where the arc begins, and vanish at infinity if it ends there. *)
Definition closed_along (C : arc) (F : R -> R) : along :=
  Along F (F (from C)) (match upto C with Finite b => F b | _ => 0 end).

Lemma near_start (G : R -> R) (a : R) : (forall x, x = a -> continuous G x) -> filterlim G (at_right a) (locally (G a)).
Proof. intro K. exact (near_by_continuity G a (K a eq_refl)). Qed.
Lemma near_stop (G : R -> R) (b : R) : (forall x, x = b -> continuous G x) -> filterlim G (at_left b) (locally (G b)).
Proof. intro K. exact (tends_from_left G G (b - 1) b (G b) ltac:(lra) (fun _ _ => eq_refl) (K b eq_refl) eq_refl). Qed.

Ltac reading_arcs := cbv beta iota delta [closed_along from upto cost0 cost1 likelihood rise_along at_from at_upto before_turn after_turn
  all_along paid0 paid1 spans integrates_along inside_arc lawful_arc slope_is toward Rbar_le Rbar_lt] in *.
Ltac continuous_at_end := intros x End; cbn beta; cbn [polynomial]; unfold Rpower; smooth.
(** Limits at both ends, by continuity where they are numbers; and values there, as the limits are written. *)
Ltac tends_to_ends vanish :=
  split; [refine (near_start _ _ _); continuous_at_end |];
  split; [lazymatch goal with
          | |- filterlim _ (at_left _) _ => refine (near_stop _ _ _); continuous_at_end
          | |- filterlim ?G (Rbar_locally p_infty) _ => change (is_lim G p_infty 0); vanish
          end |];
  split; [reflexivity | first [reflexivity | exact I]].
Ltac antiderivative_along_by hint :=
  reading_arcs; split;
  [ intros x (Positive & From & Upto); cbn [polynomial]; split; cbn beta;
    [auto_derive; [see | equal_exponentials_by ltac:(idtac; hint x)] | first [smooth | unfold Rpower; smooth]]
  | tends_to_ends ltac:(idtac; vanishes) ].

(** Equality of closed forms with angles or roots, which have their values at the ends first. *)
Ltac equal_at_ends_by hint := unfold Rpower; evaluate; algebra_by hint.

(** The costs of points, whose thresholds a file has compared with the report. *)
Ltac charge_points :=
  cbn [on_points known0 known1 probability];
  repeat match goal with
  | E : pay0 _ _ _ = _ /\ _ |- _ => rewrite ?(proj1 E), ?(proj2 E); clear E
  end.
