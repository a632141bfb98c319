(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Weights Areas.

Module Rule.

Module rule.
Section Case.

Definition piece1 : piece := Piece
  (fun p => p ^ 2 / (6 * (1 - p) ^ 2))
  (fun p => (3 - 5 * p) / (6 * (1 - p)))
  (fun p => 1 / (3 * (1 - p) ^ 3)).
Definition piece2 : piece := Piece
  (fun p => (5 * p - 2) / (6 * p))
  (fun p => (1 - p) ^ 2 / (6 * p ^ 2))
  (fun p => 1 / (3 * p ^ 3)).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 2) then p ^ 2 / (6 * (1 - p) ^ 2) else
  (5 * p - 2) / (6 * p).
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 2) then (3 - 5 * p) / (6 * (1 - p)) else
  (1 - p) ^ 2 / (6 * p ^ 2).

Lemma order1 :
  0 <= (1 / 2).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 2) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 2) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (1 / 2) 1 piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (1 / 2) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma sign1 :
  positive 0 (1 / 2) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (positive_as (1 / (3 * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 2) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (1 / (3 * p ^ 3))); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((1 / 2), piece2)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 2), piece2)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)))).
Qed.
Theorem strictly_proper :
  StrictlyProper L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  refine (strictly_proper_rule 0 1 piece1 [((1 / 2), piece2)] _ _ joined_pieces (conj _ _)); [lra | lra | ..].
  - exact (weighs_if_positive _ _ _ _ _ sign1).
  - exact (weighs_if_positive _ _ _ _ _ sign2).
Qed.
Lemma loss0_starts :
  tends_at_0 L0 0.
Proof.
  pose proof order1.
  pose proof order2.
  assert (near : 0 < (1 / 2)) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 (1 / 2));
    [exact near | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece1]; smooth | cbn [loss0 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_ends :
  tends_at_1 L1 0.
Proof.
  pose proof order1.
  pose proof order2.
  assert (near : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece2) (1 / 2) 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece2]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece2]; smooth | cbn [loss1 piece2]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends :
  tends_at_1 L0 (1 / 2).
Proof.
  pose proof order1.
  pose proof order2.
  assert (near : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece2) (1 / 2) 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece2]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece2]; smooth | cbn [loss0 piece2]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts :
  tends_at_0 L1 (1 / 2).
Proof.
  pose proof order1.
  pose proof order2.
  assert (near : 0 < (1 / 2)) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 (1 / 2));
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece1]; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (1 / 2)) (extended L1 (1 / 2) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Theorem strictly_proper_with_ends :
  StrictlyProperAmong with_ends (extended L0 0 (1 / 2)) (extended L1 (1 / 2) 0).
Proof.
  apply (strictly_proper_among with_ends); [apply all_with_ends | apply all_with_ends | | exact proper_with_ends].
  apply extended_strictly_proper, strictly_proper.
Qed.
Lemma steady1 p :
  0 <= p <= (1 / 2) -> 0 < p < 1 -> continuous (weight piece1) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece1].
  smooth.
Qed.
Lemma steady2 p :
  (1 / 2) <= p -> 0 < p < 1 -> continuous (weight piece2) p.
Proof.
  intros Within Unit. assert (p <= 1) by lra. unfold Rpower; cbn [weight piece2].
  smooth.
Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 2), piece2)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [((1 / 2), piece2)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2))) (conj steady1 steady2) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
Definition area1 : area := Area
  (fun c0 c1 => 1)
  (fun c0 c1 => [c0; 1 - c0; c1; 1 - c1]).
Definition areas : list area := [area1].
Lemma area1_slice1 p :
  0 < p < 1 / 2 -> share area1 p (1 / (3 * (1 - p) ^ 3)).
Proof.
  intros [Low High].
  assert (above : (1 / 2) <= 1) by (apply (below_by (1 / 2)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 1 <= (- (p - 1) / p)) by (apply (below_by (((2 * (1 - 2 * p)) / 2) / p)); [algebra | see]).
  assert (order2 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
  apply (over_slice area1 p 0 1).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 <-> 0 <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= 1 - c0 <-> c1 <= (- (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 <-> 0 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= 1 - c1 <-> c1 <= 1) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice2 p :
  1 / 2 < p < 1 -> share area1 p (1 / (3 * p ^ 3)).
Proof.
  intros [Low High].
  assert (below : 0 <= (1 / 2)) by (apply (below_by (1 / 2)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : (- (p - 1) / p) <= 1) by (apply (below_by (((2 * (2 * p - 1)) / 2) / p)); [algebra | see]).
  assert (order2 : 0 <= (- (p - 1) / p)) by (apply (below_by ((1 - p) / p)); [algebra | see]).
  apply (over_slice area1 p 0 (- (p - 1) / p)).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 <-> 0 <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= 1 - c0 <-> c1 <= (- (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 <-> 0 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= 1 - c1 <-> c1 <= 1) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3))); [lra | certified area1 | equal].
Qed.
Theorem weight1_is_inner_integral p :
  0 < p < (1 / 2) -> weight_of_areas [area1] p (weight piece1 p).
Proof.
  intros [Low High].
  assert (inside1 : (1 / 2) <= 1) by (apply (below_by (1 / 2)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece1 p) with ((1 / (3 * (1 - p) ^ 3)) + (0)) by (cbn [weight piece1]; algebra).
  apply one_more_area; [apply area1_slice1; lra |].
  apply no_area.
Qed.
Theorem weight2_is_inner_integral p :
  (1 / 2) < p < 1 -> weight_of_areas [area1] p (weight piece2 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (1 / 2)) by (apply (below_by (1 / 2)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece2 p) with ((1 / (3 * p ^ 3)) + (0)) by (cbn [weight piece2]; algebra).
  apply one_more_area; [apply area1_slice2; lra |].
  apply no_area.
Qed.
Lemma lawful_area1 :
  lawful_area area1.
Proof.
  intros c0 c1 Positive0 Positive1. cbn [region density area1 hold]. intros (Held0 & Held1 & Held2 & Held3 & _).
  apply (not_negative_as (1)); [equal_exponentials | see].
Qed.
Theorem lawful_costs :
  lawful_areas areas.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil.
  - exact lawful_area1.
Qed.
Lemma area1_cost0_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) ->
  forall v, beyond area1 (pay0 p) 1 v ->
  from area1 (pay0 p) 0 ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) 1 - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) 0 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay0 p) 0 1 (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2)) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((2 * (1 - 2 * p)) / 2) / (1 - p))); [algebra | see]]).
    assert (order2 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (p / (1 - p))); [algebra | see]]).
    assert (order3 : 0 <= c1) by (apply (below_between 1 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 2) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / 2) 0)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 2) 0 (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) ->
  over_area area1 (pay0 p) (p ^ 2 / (6 * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) 1 - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) 0 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (area1_cost0_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) -> over_areas areas (pay0 p) (p ^ 2 / (6 * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  replace (p ^ 2 / (6 * (1 - p) ^ 2)) with ((p ^ 2 / (6 * (1 - p) ^ 2)) + 0) by algebra.
  apply (one_area _ _ _ (p ^ 2 / (6 * (1 - p) ^ 2)) 0); [exact (area1_cost0_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece2_strip1 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 ->
  forall v, beyond area1 (pay0 p) ((1 - p) / p) v ->
  from area1 (pay0 p) 0 ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) ((1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) 0 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= (1 - p) / p) by (apply (not_negative_as ((1 - p) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) 0 ((1 - p) / p) (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2)) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order2 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order3 : 0 <= c1) by (apply (below_between 1 0 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((1 - p) / p)); [algebra | see]]).
    assert (order4 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((2 * (2 * p - 1)) / 2) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 2) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / 2) 0)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 2) 0 (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece2_strip2 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 ->
  forall v, beyond area1 (pay0 p) 1 v ->
  from area1 (pay0 p) ((1 - p) / p) ((fun c1 => c1 / 2) 1 - (fun c1 => c1 / 2) ((1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < (1 - p) / p) by (apply (positive_as ((1 - p) / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1 - (1 - p) / p) by (apply (not_negative_as (((2 * (2 * p - 1)) / 2) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) ((1 - p) / p) 1 (fun c1 => 1 / 2) (fun c1 => c1 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) ((1 - p) / p) 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (((2 * (2 * p - 1)) / 2) / (1 - p))); [algebra | see]]).
    assert (order2 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order3 : 0 <= c1) by (apply (below_between 1 0 ((1 - p) / p) 1 c1); [lra | lra | algebra | apply (not_negative_as ((1 - p) / p)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 ((1 - p) / p) 1 c1); [lra | lra | algebra | apply (not_negative_as (((2 * (2 * p - 1)) / 2) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 2) 1 - (fun c0 => c0 ^ 2 / 2) 0)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 2) 0 1); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece2 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 ->
  over_area area1 (pay0 p) ((5 * p - 2) / (6 * p)).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) ((1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2)) 0 + ((fun c1 => c1 / 2) 1 - (fun c1 => c1 / 2) ((1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (area1_cost0_of_piece2_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost0_of_piece2_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece2 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 -> over_areas areas (pay0 p) ((5 * p - 2) / (6 * p)).
Proof.
  intros Unit Start Stop.
  replace ((5 * p - 2) / (6 * p)) with (((5 * p - 2) / (6 * p)) + 0) by algebra.
  apply (one_area _ _ _ ((5 * p - 2) / (6 * p)) 0); [exact (area1_cost0_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) ->
  forall v, beyond area1 (pay1 p) 1 v ->
  from area1 (pay1 p) 0 ((fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) 1 - (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) 0 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay1 p) 0 1 (fun c1 => c1 - c1 ^ 2 * p / (1 - p)) (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (p / (1 - p))); [algebra | see]]).
    assert (order2 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((2 * (1 - 2 * p)) / 2) / (1 - p))); [algebra | see]]).
    assert (order3 : 0 <= c1) by (apply (below_between 1 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1) 1 - (fun c0 => c0 * c1) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1) (c1 * p / (1 - p)) 1); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) ->
  over_area area1 (pay1 p) ((3 - 5 * p) / (6 * (1 - p))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) 1 - (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) 0 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (area1_cost1_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) -> over_areas areas (pay1 p) ((3 - 5 * p) / (6 * (1 - p))).
Proof.
  intros Unit Start Stop.
  replace ((3 - 5 * p) / (6 * (1 - p))) with (((3 - 5 * p) / (6 * (1 - p))) + 0) by algebra.
  apply (one_area _ _ _ ((3 - 5 * p) / (6 * (1 - p))) 0); [exact (area1_cost1_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece2_strip1 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 ->
  forall v, beyond area1 (pay1 p) ((1 - p) / p) v ->
  from area1 (pay1 p) 0 ((fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) ((1 - p) / p) - (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) 0 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= (1 - p) / p) by (apply (not_negative_as ((1 - p) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) 0 ((1 - p) / p) (fun c1 => c1 - c1 ^ 2 * p / (1 - p)) (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order2 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : 0 <= c1) by (apply (below_between 1 0 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((1 - p) / p)); [algebra | see]]).
    assert (order4 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((2 * (2 * p - 1)) / 2) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1) 1 - (fun c0 => c0 * c1) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1) (c1 * p / (1 - p)) 1); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 ->
  over_area area1 (pay1 p) ((1 - p) ^ 2 / (6 * p ^ 2)).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) ((1 - p) / p) - (fun c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p))) 0 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (area1_cost1_of_piece2_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. assert (1 < (c1 * p / (1 - p))) by (apply (crossed_after (p / (1 - p)) ((1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece2 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 -> over_areas areas (pay1 p) ((1 - p) ^ 2 / (6 * p ^ 2)).
Proof.
  intros Unit Start Stop.
  replace ((1 - p) ^ 2 / (6 * p ^ 2)) with (((1 - p) ^ 2 / (6 * p ^ 2)) + 0) by algebra.
  apply (one_area _ _ _ ((1 - p) ^ 2 / (6 * p ^ 2)) 0); [exact (area1_cost1_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Theorem expected_cost0 p :
  0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof.
  intros Unit.
  pose proof order1.
  pose proof order2.
  unfold L0. branch; first [simple apply cost0_of_piece1; lra | simple apply cost0_of_piece2; lra].
Qed.
Theorem expected_cost1 p :
  0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof.
  intros Unit.
  pose proof order1.
  pose proof order2.
  unfold L1. branch; first [simple apply cost1_of_piece1; lra | simple apply cost1_of_piece2; lra].
Qed.
Theorem law_is_proper :
  Proper L0 L1.
Proof.
  exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1).
Qed.
Theorem law_is_strictly_proper E0 E1 :
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) ->
  StrictlyProperOn 0 1 E0 E1.
Proof.
  intros Costs0 Costs1.
  pose proof order1.
  pose proof order2.
  apply (strictly_proper_density areas 0 1 L0 L1 E0 E1); try assumption; try lra.
  - exact lawful_costs.
  - exact expected_cost0.
  - exact expected_cost1.
  - exact strictly_proper.
Qed.
Lemma total_of_area1_strip1 :
  forall v, beyond area1 (fun _ _ => 1) 1 v ->
  from area1 (fun _ _ => 1) 0 ((fun c1 => c1) 1 - (fun c1 => c1) 0 + v).
Proof.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (fun _ _ => 1) 0 1 (fun c1 => 1) (fun c1 => c1) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 0 <= c1) by (apply (below_between 1 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order3 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0) 1 - (fun c0 => c0) 0)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ _ => 1) c1 (fun c0 => 1) (fun c0 => c0) 0 1); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma total_of_area1 :
  over_area area1 (fun _ _ => 1) 1.
Proof.
  apply (over_area_is _ _ ((fun c1 => c1) 1 - (fun c1 => c1) 0 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (total_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Theorem total_is_1 :
  has_total_of_areas areas 1.
Proof.
  replace 1 with (1 + 0) by algebra.
  apply (one_area _ _ _ 1 0); [exact (total_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Lemma mean0_of_area1_strip1 :
  forall v, beyond area1 (fun c0 _ => c0) 1 v ->
  from area1 (fun c0 _ => c0) 0 ((fun c1 => c1 / 2) 1 - (fun c1 => c1 / 2) 0 + v).
Proof.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (fun c0 _ => c0) 0 1 (fun c1 => 1 / 2) (fun c1 => c1 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 0 <= c1) by (apply (below_between 1 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order3 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 2) 1 - (fun c0 => c0 ^ 2 / 2) 0)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun c0 _ => c0) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 2) 0 1); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean0_of_area1 :
  over_area area1 (fun c0 _ => c0) (1 / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => c1 / 2) 1 - (fun c1 => c1 / 2) 0 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (mean0_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean0 :
  over_areas areas (fun c0 _ => c0) (1 / 2).
Proof.
  replace (1 / 2) with ((1 / 2) + 0) by algebra.
  apply (one_area _ _ _ (1 / 2) 0); [exact (mean0_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Lemma mean1_of_area1_strip1 :
  forall v, beyond area1 (fun _ c1 => c1) 1 v ->
  from area1 (fun _ c1 => c1) 0 ((fun c1 => c1 ^ 2 / 2) 1 - (fun c1 => c1 ^ 2 / 2) 0 + v).
Proof.
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (fun _ c1 => c1) 0 1 (fun c1 => c1) (fun c1 => c1 ^ 2 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 0 <= c1) by (apply (below_between 1 0 0 1 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order3 : 0 <= 1 - c1) by (apply (below_between (- 1) 1 0 1 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1) 1 - (fun c0 => c0 * c1) 0)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ c1 => c1) c1 (fun c0 => c1) (fun c0 => c0 * c1) 0 1); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean1_of_area1 :
  over_area area1 (fun _ c1 => c1) (1 / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 2 / 2) 1 - (fun c1 => c1 ^ 2 / 2) 0 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 <= 0) by (apply (not_negative_as (0)); [algebra | see]).
  apply (start_at _ _ 0); [lra | |].
  - intros c1 Positive Before. exfalso; lra.
  - apply (mean1_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean1 :
  over_areas areas (fun _ c1 => c1) (1 / 2).
Proof.
  replace (1 / 2) with ((1 / 2) + 0) by algebra.
  apply (one_area _ _ _ (1 / 2) 0); [exact (mean1_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (1 / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 (1 / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (1 / 2)) (extended L1 (1 / 2) 0).
Proof.
  exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper,
   @Rule.rule.strictly_proper,
   @Rule.rule.proper_with_ends,
   @Rule.rule.strictly_proper_with_ends,
   @Rule.rule.expected_loss_of_scores,
   @Rule.rule.weight1_is_inner_integral,
   @Rule.rule.weight2_is_inner_integral,
   @Rule.rule.lawful_costs,
   @Rule.rule.expected_cost0,
   @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper,
   @Rule.rule.law_is_strictly_proper,
   @Rule.rule.total_is_1,
   @Rule.rule.law_is_proper_with_ends).
Print Assumptions final_theorems.
