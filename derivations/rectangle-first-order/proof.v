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
  (fun p => 0)
  (fun p => 5 / 2)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2))
  (fun p => (69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p)))
  (fun p => 3 / (1 - p) ^ 3 - 1 / (9 * p ^ 3)).
Definition piece3 : piece := Piece
  (fun p => (16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2))
  (fun p => (30 - 49 * p) / (9 * (1 - p)))
  (fun p => 19 / (9 * (1 - p) ^ 3)).
Definition piece4 : piece := Piece
  (fun p => (261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2))
  (fun p => 8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p)))
  (fun p => 64 / (9 * p ^ 3) - 8 / (9 * (1 - p) ^ 3)).
Definition piece5 : piece := Piece
  (fun p => 5 / 2)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (1 / 4) then 0 else
  if Rle_dec p (1 / 3) then (p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2) else
  if Rle_dec p (4 / 7) then (16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2) else
  if Rle_dec p (2 / 3) then (261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2) else
  5 / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (1 / 4) then 5 / 2 else
  if Rle_dec p (1 / 3) then (69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p)) else
  if Rle_dec p (4 / 7) then (30 - 49 * p) / (9 * (1 - p)) else
  if Rle_dec p (2 / 3) then 8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p)) else
  0.

Lemma order1 :
  0 <= (1 / 4).
Proof.
  lra.
Qed.
Lemma order2 :
  (1 / 4) <= (1 / 3).
Proof.
  lra.
Qed.
Lemma order3 :
  (1 / 3) <= (4 / 7).
Proof.
  lra.
Qed.
Lemma order4 :
  (4 / 7) <= (2 / 3).
Proof.
  lra.
Qed.
Lemma order5 :
  (2 / 3) <= 1.
Proof.
  lra.
Qed.
Lemma slopes1 :
  slopes 0 (1 / 4) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (1 / 4) (1 / 3) piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes3 :
  slopes (1 / 3) (4 / 7) piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes4 :
  slopes (4 / 7) (2 / 3) piece4.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece4]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes5 :
  slopes (2 / 3) 1 piece5.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece5]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (1 / 4) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma join2 :
  joins (1 / 3) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra.
Qed.
Lemma join3 :
  joins (4 / 7) piece3 piece4.
Proof.
  split; cbn [loss0 loss1 piece3 piece4]; algebra.
Qed.
Lemma join4 :
  joins (2 / 3) piece4 piece5.
Proof.
  split; cbn [loss0 loss1 piece4 piece5]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (1 / 4) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive (1 / 4) (1 / 3) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (((4 * (4 * p - 1)) / 4) * (7 * p ^ 2 + p + 1) / (9 * (1 - p) ^ 3 * p ^ 3))); [algebra | see].
Qed.
Lemma sign3 :
  positive (1 / 3) (4 / 7) piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (positive_as (19 / (9 * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign4 :
  positive (4 / 7) (2 / 3) piece4.
Proof.
  intros p Within Unit; cbn [weight piece4].
  apply (positive_as (8 * ((3 * (2 - 3 * p)) / 3) * (3 * (1 - p) ^ 2 + 1) / (9 * (1 - p) ^ 3 * p ^ 3))); [algebra | see].
Qed.
Lemma sign5 :
  not_negative (2 / 3) 1 piece5.
Proof.
  intros p Within Unit; cbn [weight piece5].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5)))))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn (1 / 4) (2 / 3) L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  refine (strictly_proper_rule (1 / 4) (2 / 3) piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)] _ _ joined_pieces (conj _ (conj _ (conj _ (conj _ _))))); [lra | lra | ..].
  - apply weighs_if_outside; [lra | exact sign1].
  - exact (weighs_if_positive _ _ _ _ _ sign2).
  - exact (weighs_if_positive _ _ _ _ _ sign3).
  - exact (weighs_if_positive _ _ _ _ _ sign4).
  - apply weighs_if_outside; [lra | exact sign5].
Qed.
Lemma loss0_starts :
  tends_at_0 L0 0.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : 0 < (1 / 4)) by (apply (strictly_below_by (1 / 4)); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 (1 / 4));
    [exact near | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece1]; smooth | cbn [loss0 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_ends :
  tends_at_1 L1 0.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : (2 / 3) < 1) by (apply (strictly_below_by (1 / 3)); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece5) (2 / 3) 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece5]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece5]; smooth | cbn [loss1 piece5]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends :
  tends_at_1 L0 (5 / 2).
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : (2 / 3) < 1) by (apply (strictly_below_by (1 / 3)); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece5) (2 / 3) 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece5]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece5]; smooth | cbn [loss0 piece5]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts :
  tends_at_0 L1 (5 / 2).
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : 0 < (1 / 4)) by (apply (strictly_below_by (1 / 4)); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 (1 / 4));
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece1]; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (5 / 2)) (extended L1 (5 / 2) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Lemma steady1 p :
  0 <= p <= (1 / 4) -> 0 < p < 1 -> continuous (weight piece1) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece1].
  smooth.
Qed.
Lemma steady2 p :
  (1 / 4) <= p <= (1 / 3) -> 0 < p < 1 -> continuous (weight piece2) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece2].
  smooth.
Qed.
Lemma steady3 p :
  (1 / 3) <= p <= (4 / 7) -> 0 < p < 1 -> continuous (weight piece3) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece3].
  smooth.
Qed.
Lemma steady4 p :
  (4 / 7) <= p <= (2 / 3) -> 0 < p < 1 -> continuous (weight piece4) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece4].
  smooth.
Qed.
Lemma steady5 p :
  (2 / 3) <= p -> 0 < p < 1 -> continuous (weight piece5) p.
Proof.
  intros Within Unit. assert (p <= 1) by lra. unfold Rpower; cbn [weight piece5].
  smooth.
Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [((1 / 4), piece2); ((1 / 3), piece3); ((4 / 7), piece4); ((2 / 3), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5))))) (conj steady1 (conj steady2 (conj steady3 (conj steady4 steady5)))) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
Definition area1 : area := Area
  (fun c0 c1 => 1 / 3)
  (fun c0 c1 => [c0 - 1; 4 - c0; c1 - 2; 3 - c1]).
Definition areas : list area := [area1].
Lemma area1_slice1 p :
  0 < p < 1 / 4 -> share area1 p 0.
Proof.
  intros [Low High].
  assert (above : (1 / 4) <= 1) by (apply (below_by (3 / 4)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (gap : 3 < (- (p - 1) / p)) by (apply (strictly_below_by (((4 * (1 - 4 * p)) / 4) / p)); [algebra | see]).
  apply over_nothing.
  intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
  assert (bound1 : 0 <= c0 - 1 <-> (- (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
  assert (bound2 : 0 <= 4 - c0 <-> c1 <= (- 4 * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
  assert (bound3 : 0 <= c1 - 2 <-> 2 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
  assert (bound4 : 0 <= 3 - c1 <-> c1 <= 3) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
  intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra.
Qed.
Lemma area1_slice2 p :
  1 / 4 < p < 1 / 3 -> share area1 p (3 / (1 - p) ^ 3 - 1 / (9 * p ^ 3)).
Proof.
  intros [Low High].
  assert (below : 0 <= (1 / 4)) by (apply (below_by (1 / 4)); [algebra | see]).
  assert (above : (1 / 3) <= 1) by (apply (below_by (2 / 3)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= (- (p - 1) / p)) by (apply (below_by ((1 - p) / p)); [algebra | see]).
  assert (order2 : 3 <= (- 4 * (p - 1) / p)) by (apply (below_by (((7 * (1 - 3 * p) + 5) / 3) / p)); [algebra | see]).
  assert (order3 : 2 <= (- (p - 1) / p)) by (apply (below_by (((3 * (1 - 3 * p)) / 3) / p)); [algebra | see]).
  assert (order4 : (- (p - 1) / p) <= 3) by (apply (below_by (((4 * (4 * p - 1)) / 4) / p)); [algebra | see]).
  apply (over_slice area1 p (- (p - 1) / p) 3).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - 1 <-> (- (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= 4 - c0 <-> c1 <= (- 4 * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - 2 <-> 2 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= 3 - c1 <-> c1 <= 3) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (9 * (1 - p) ^ 3))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice3 p :
  1 / 3 < p < 4 / 7 -> share area1 p (19 / (9 * (1 - p) ^ 3)).
Proof.
  intros [Low High].
  assert (below : 0 <= (1 / 3)) by (apply (below_by (1 / 3)); [algebra | see]).
  assert (above : (4 / 7) <= 1) by (apply (below_by (3 / 7)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= 2) by (apply (below_by (2)); [algebra | see]).
  assert (order2 : (- (p - 1) / p) <= 2) by (apply (below_by (((3 * (3 * p - 1)) / 3) / p)); [algebra | see]).
  assert (order3 : 3 <= (- 4 * (p - 1) / p)) by (apply (below_by (((7 * (4 - 7 * p)) / 7) / p)); [algebra | see]).
  assert (order4 : 2 <= 3) by (apply (below_by (1)); [algebra | see]).
  apply (over_slice area1 p 2 3).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - 1 <-> (- (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= 4 - c0 <-> c1 <= (- 4 * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - 2 <-> 2 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= 3 - c1 <-> c1 <= 3) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (9 * (1 - p) ^ 3))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice4 p :
  4 / 7 < p < 2 / 3 -> share area1 p (8 * (8 / p ^ 3 - / (1 - p) ^ 3) / 9).
Proof.
  intros [Low High].
  assert (below : 0 <= (4 / 7)) by (apply (below_by (4 / 7)); [algebra | see]).
  assert (above : (2 / 3) <= 1) by (apply (below_by (1 / 3)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= 2) by (apply (below_by (2)); [algebra | see]).
  assert (order2 : (- (p - 1) / p) <= 2) by (apply (below_by (((3 * (7 * p - 4) + 5) / 7) / p)); [algebra | see]).
  assert (order3 : (- 4 * (p - 1) / p) <= 3) by (apply (below_by (((7 * (7 * p - 4)) / 7) / p)); [algebra | see]).
  assert (order4 : 2 <= (- 4 * (p - 1) / p)) by (apply (below_by (2 * ((3 * (2 - 3 * p)) / 3) / p)); [algebra | see]).
  apply (over_slice area1 p 2 (- 4 * (p - 1) / p)).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - 1 <-> (- (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= 4 - c0 <-> c1 <= (- 4 * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - 2 <-> 2 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= 3 - c1 <-> c1 <= 3) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (9 * (1 - p) ^ 3))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice5 p :
  2 / 3 < p < 1 -> share area1 p 0.
Proof.
  intros [Low High].
  assert (below : 0 <= (2 / 3)) by (apply (below_by (2 / 3)); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (gap : (- 4 * (p - 1) / p) < 2) by (apply (strictly_below_by (2 * ((3 * (3 * p - 2)) / 3) / p)); [algebra | see]).
  apply over_nothing.
  intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
  assert (bound1 : 0 <= c0 - 1 <-> (- (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
  assert (bound2 : 0 <= 4 - c0 <-> c1 <= (- 4 * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
  assert (bound3 : 0 <= c1 - 2 <-> 2 <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
  assert (bound4 : 0 <= 3 - c1 <-> c1 <= 3) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
  intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra.
Qed.
Theorem weight1_is_inner_integral p :
  0 < p < (1 / 4) -> weight_of_areas [area1] p (weight piece1 p).
Proof.
  intros [Low High].
  assert (inside1 : (1 / 4) <= 1) by (apply (below_by (3 / 4)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece1 p) with (0 + (0)) by (cbn [weight piece1]; algebra).
  apply one_more_area; [apply area1_slice1; lra |].
  apply no_area.
Qed.
Theorem weight2_is_inner_integral p :
  (1 / 4) < p < (1 / 3) -> weight_of_areas [area1] p (weight piece2 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (1 / 4)) by (apply (below_by (1 / 4)); [algebra | see]).
  assert (inside2 : (1 / 3) <= 1) by (apply (below_by (2 / 3)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece2 p) with ((3 / (1 - p) ^ 3 - 1 / (9 * p ^ 3)) + (0)) by (cbn [weight piece2]; algebra).
  apply one_more_area; [apply area1_slice2; lra |].
  apply no_area.
Qed.
Theorem weight3_is_inner_integral p :
  (1 / 3) < p < (4 / 7) -> weight_of_areas [area1] p (weight piece3 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (1 / 3)) by (apply (below_by (1 / 3)); [algebra | see]).
  assert (inside2 : (4 / 7) <= 1) by (apply (below_by (3 / 7)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece3 p) with ((19 / (9 * (1 - p) ^ 3)) + (0)) by (cbn [weight piece3]; algebra).
  apply one_more_area; [apply area1_slice3; lra |].
  apply no_area.
Qed.
Theorem weight4_is_inner_integral p :
  (4 / 7) < p < (2 / 3) -> weight_of_areas [area1] p (weight piece4 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (4 / 7)) by (apply (below_by (4 / 7)); [algebra | see]).
  assert (inside2 : (2 / 3) <= 1) by (apply (below_by (1 / 3)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece4 p) with ((8 * (8 / p ^ 3 - / (1 - p) ^ 3) / 9) + (0)) by (cbn [weight piece4]; algebra).
  apply one_more_area; [apply area1_slice4; lra |].
  apply no_area.
Qed.
Theorem weight5_is_inner_integral p :
  (2 / 3) < p < 1 -> weight_of_areas [area1] p (weight piece5 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (2 / 3)) by (apply (below_by (2 / 3)); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece5 p) with (0 + (0)) by (cbn [weight piece5]; algebra).
  apply one_more_area; [apply area1_slice5; lra |].
  apply no_area.
Qed.
Lemma lawful_area1 :
  lawful_area area1.
Proof.
  intros c0 c1 Positive0 Positive1. cbn [region density area1 hold]. intros (Held0 & Held1 & Held2 & Held3 & _).
  apply (not_negative_as (1 / 3)); [equal_exponentials | see].
Qed.
Theorem lawful_costs :
  lawful_areas areas.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil.
  - exact lawful_area1.
Qed.
Lemma area1_cost0_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 4) ->
  forall v, beyond area1 (pay0 p) 3 v ->
  from area1 (pay0 p) 2 ((fun c1 => 0) 3 - (fun c1 => 0) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay0 p) 2 3 (fun c1 => 0) (fun c1 => 0) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order3 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order5 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 2 3 c1); [lra | lra | algebra | apply (not_negative_as (((3 * (1 - 4 * p) + 1) / 4) / (1 - p))); [algebra | see] | apply (not_negative_as (((4 * (1 - 4 * p)) / 4) / (1 - p))); [algebra | see]]).
    apply (no_section_but _ _ _ 1); [lra | |]; intros c0 Positive0 Outside; unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 4) ->
  over_area area1 (pay0 p) 0.
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 0) 3 - (fun c1 => 0) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 4) -> over_areas areas (pay0 p) 0.
Proof.
  intros Unit Start Stop.
  replace 0 with (0 + 0) by algebra.
  apply (one_area _ _ _ 0 0); [exact (area1_cost0_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece2_strip1 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) ->
  forall v, beyond area1 (pay0 p) 3 v ->
  from area1 (pay0 p) ((1 - p) / p) ((fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 3 - (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) ((1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < (1 - p) / p) by (apply (positive_as ((1 - p) / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 3 - (1 - p) / p) by (apply (not_negative_as (((4 * (4 * p - 1)) / 4) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) ((1 - p) / p) 3 (fun c1 => c1 ^ 2 * p ^ 2 / (6 * (1 - p) ^ 2) - 1 / 6) (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= 4) by (apply (below_between (- p / (1 - p)) 4 ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (3)); [algebra | see] | apply (not_negative_as (((7 * (1 - 3 * p) + 5) / 3) / (1 - p))); [algebra | see]]).
    assert (order3 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (((4 * (4 * p - 1)) / 4) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (((3 * (1 - 3 * p)) / 3) / p)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (((4 * (4 * p - 1)) / 4) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 6) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / 6) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 6) 1 (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece2 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) ->
  over_area area1 (pay0 p) ((p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 3 - (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) ((1 - p) / p) + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < (1 - p) / p) by (apply (positive_as ((1 - p) / p)); [algebra | see]).
  apply (start_at _ _ ((1 - p) / p)); [lra | |].
  - intros c1 Positive Before. assert ((c1 * p / (1 - p)) < 1) by (apply (crossed_before (p / (1 - p)) ((1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece2_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece2 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) -> over_areas areas (pay0 p) ((p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  replace ((p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2)) with (((p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2)) + 0) by algebra.
  apply (one_area _ _ _ ((p + 2) * (4 * p - 1) ^ 2 / (18 * p * (1 - p) ^ 2)) 0); [exact (area1_cost0_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece3_strip1 p :
  0 < p < 1 -> (1 / 3) < p -> p <= (4 / 7) ->
  forall v, beyond area1 (pay0 p) 3 v ->
  from area1 (pay0 p) 2 ((fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 3 - (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay0 p) 2 3 (fun c1 => c1 ^ 2 * p ^ 2 / (6 * (1 - p) ^ 2) - 1 / 6) (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= 4) by (apply (below_between (- p / (1 - p)) 4 2 3 c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (4 - 7 * p) + 2) / 7) / (1 - p))); [algebra | see] | apply (not_negative_as (((7 * (4 - 7 * p)) / 7) / (1 - p))); [algebra | see]]).
    assert (order3 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (((3 * (3 * p - 1)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (((4 * (3 * p - 1) + 1) / 3) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 6) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / 6) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 6) 1 (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece3 p :
  0 < p < 1 -> (1 / 3) < p -> p <= (4 / 7) ->
  over_area area1 (pay0 p) ((16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 3 - (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece3_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece3 p :
  0 < p < 1 -> (1 / 3) < p -> p <= (4 / 7) -> over_areas areas (pay0 p) ((16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  replace ((16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2)) with (((16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2)) + 0) by algebra.
  apply (one_area _ _ _ ((16 * p ^ 2 + 6 * p - 3) / (18 * (1 - p) ^ 2)) 0); [exact (area1_cost0_of_piece3 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece4_strip1 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) ->
  forall v, beyond area1 (pay0 p) (4 * (1 - p) / p) v ->
  from area1 (pay0 p) 2 ((fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) (4 * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 4 * (1 - p) / p - 2) by (apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) 2 (4 * (1 - p) / p) (fun c1 => c1 ^ 2 * p ^ 2 / (6 * (1 - p) ^ 2) - 1 / 6) (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= 4) by (apply (below_between (- p / (1 - p)) 4 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (((3 * (7 * p - 4) + 5) / 7) / (1 - p))); [algebra | see] | apply (not_negative_as (3)); [algebra | see]]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / p)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((7 * (7 * p - 4)) / 7) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 6) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / 6) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 6) 1 (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece4_strip2 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) ->
  forall v, beyond area1 (pay0 p) 3 v ->
  from area1 (pay0 p) (4 * (1 - p) / p) ((fun c1 => 5 * c1 / 2) 3 - (fun c1 => 5 * c1 / 2) (4 * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 4 * (1 - p) / p) by (apply (positive_as (4 * (1 - p) / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 3 - 4 * (1 - p) / p) by (apply (not_negative_as (((7 * (7 * p - 4)) / 7) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (4 * (1 - p) / p) 3 (fun c1 => 5 / 2) (fun c1 => 5 * c1 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 4 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 4) (4 * (1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (((7 * (7 * p - 4)) / 7) / (1 - p))); [algebra | see]]).
    assert (order3 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) (4 * (1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / p)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 (4 * (1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (((7 * (7 * p - 4)) / 7) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 6) 4 - (fun c0 => c0 ^ 2 / 6) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 6) 1 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece4 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) ->
  over_area area1 (pay0 p) ((261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) (4 * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (18 * (1 - p) ^ 2) - c1 / 6) 2 + ((fun c1 => 5 * c1 / 2) 3 - (fun c1 => 5 * c1 / 2) (4 * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece4_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost0_of_piece4_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece4 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) -> over_areas areas (pay0 p) ((261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2)).
Proof.
  intros Unit Start Stop.
  replace ((261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2)) with (((261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2)) + 0) by algebra.
  apply (one_area _ _ _ ((261 * p ^ 3 + 525 * p - 666 * p ^ 2 - 128) / (18 * p * (1 - p) ^ 2)) 0); [exact (area1_cost0_of_piece4 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece5_strip1 p :
  0 < p < 1 -> (2 / 3) < p -> p <= 1 ->
  forall v, beyond area1 (pay0 p) 3 v ->
  from area1 (pay0 p) 2 ((fun c1 => 5 * c1 / 2) 3 - (fun c1 => 5 * c1 / 2) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay0 p) 2 3 (fun c1 => 5 / 2) (fun c1 => 5 * c1 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 4 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 4) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (3 * p - 2)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (((7 * (3 * p - 2) + 2) / 3) / (1 - p))); [algebra | see]]).
    assert (order3 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 6) 4 - (fun c0 => c0 ^ 2 / 6) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 6) 1 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece5 p :
  0 < p < 1 -> (2 / 3) < p -> p <= 1 ->
  over_area area1 (pay0 p) (5 / 2).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 5 * c1 / 2) 3 - (fun c1 => 5 * c1 / 2) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece5_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece5 p :
  0 < p < 1 -> (2 / 3) < p -> p <= 1 -> over_areas areas (pay0 p) (5 / 2).
Proof.
  intros Unit Start Stop.
  replace (5 / 2) with ((5 / 2) + 0) by algebra.
  apply (one_area _ _ _ (5 / 2) 0); [exact (area1_cost0_of_piece5 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 4) ->
  forall v, beyond area1 (pay1 p) 3 v ->
  from area1 (pay1 p) 2 ((fun c1 => c1 ^ 2 / 2) 3 - (fun c1 => c1 ^ 2 / 2) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay1 p) 2 3 (fun c1 => c1) (fun c1 => c1 ^ 2 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 2 3 c1); [lra | lra | algebra | apply (not_negative_as (((3 * (1 - 4 * p) + 1) / 4) / (1 - p))); [algebra | see] | apply (not_negative_as (((4 * (1 - 4 * p)) / 4) / (1 - p))); [algebra | see]]).
    assert (order3 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / 3) 4 - (fun c0 => c0 * c1 / 3) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / 3) 1 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 4) ->
  over_area area1 (pay1 p) (5 / 2).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 2 / 2) 3 - (fun c1 => c1 ^ 2 / 2) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 4) -> over_areas areas (pay1 p) (5 / 2).
Proof.
  intros Unit Start Stop.
  replace (5 / 2) with ((5 / 2) + 0) by algebra.
  apply (one_area _ _ _ (5 / 2) 0); [exact (area1_cost1_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece2_strip1 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) ->
  forall v, beyond area1 (pay1 p) ((1 - p) / p) v ->
  from area1 (pay1 p) 2 ((fun c1 => c1 ^ 2 / 2) ((1 - p) / p) - (fun c1 => c1 ^ 2 / 2) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= (1 - p) / p - 2) by (apply (not_negative_as (((3 * (1 - 3 * p)) / 3) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) 2 ((1 - p) / p) (fun c1 => c1) (fun c1 => c1 ^ 2 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= 1) by (apply (below_between (- p / (1 - p)) 1 2 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (((3 * (1 - 3 * p)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (((3 * (1 - 3 * p)) / 3) / p)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 ((1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((4 * (4 * p - 1)) / 4) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / 3) 4 - (fun c0 => c0 * c1 / 3) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / 3) 1 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2_strip2 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) ->
  forall v, beyond area1 (pay1 p) 3 v ->
  from area1 (pay1 p) ((1 - p) / p) ((fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 3 - (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) ((1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < (1 - p) / p) by (apply (positive_as ((1 - p) / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 3 - (1 - p) / p) by (apply (not_negative_as (((4 * (4 * p - 1)) / 4) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) ((1 - p) / p) 3 (fun c1 => 4 * c1 / 3 - c1 ^ 2 * p / (3 * (1 - p))) (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (3 * p / (1 - p))); [algebra | see]]).
    assert (order2 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (((4 * (4 * p - 1)) / 4) / (1 - p))); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= 4) by (apply (below_between (- p / (1 - p)) 4 ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (3)); [algebra | see] | apply (not_negative_as (((7 * (1 - 3 * p) + 5) / 3) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (((3 * (1 - 3 * p)) / 3) / p)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 ((1 - p) / p) 3 c1); [lra | lra | algebra | apply (not_negative_as (((4 * (4 * p - 1)) / 4) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / 3) 4 - (fun c0 => c0 * c1 / 3) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / 3) (c1 * p / (1 - p)) 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) ->
  over_area area1 (pay1 p) ((69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 2 / 2) ((1 - p) / p) - (fun c1 => c1 ^ 2 / 2) 2 + ((fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 3 - (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) ((1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece2_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost1_of_piece2_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece2 p :
  0 < p < 1 -> (1 / 4) < p -> p <= (1 / 3) -> over_areas areas (pay1 p) ((69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p))).
Proof.
  intros Unit Start Stop.
  replace ((69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p))) with (((69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p))) + 0) by algebra.
  apply (one_area _ _ _ ((69 * p ^ 2 + 3 * p - 125 * p ^ 3 - 1) / (18 * p ^ 2 * (1 - p))) 0); [exact (area1_cost1_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece3_strip1 p :
  0 < p < 1 -> (1 / 3) < p -> p <= (4 / 7) ->
  forall v, beyond area1 (pay1 p) 3 v ->
  from area1 (pay1 p) 2 ((fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 3 - (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay1 p) 2 3 (fun c1 => 4 * c1 / 3 - c1 ^ 2 * p / (3 * (1 - p))) (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 2 3 c1); [lra | lra | algebra | apply (not_negative_as (2 * p / (1 - p))); [algebra | see] | apply (not_negative_as (3 * p / (1 - p))); [algebra | see]]).
    assert (order2 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (((3 * (3 * p - 1)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (((4 * (3 * p - 1) + 1) / 3) / (1 - p))); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= 4) by (apply (below_between (- p / (1 - p)) 4 2 3 c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (4 - 7 * p) + 2) / 7) / (1 - p))); [algebra | see] | apply (not_negative_as (((7 * (4 - 7 * p)) / 7) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / 3) 4 - (fun c0 => c0 * c1 / 3) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / 3) (c1 * p / (1 - p)) 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece3 p :
  0 < p < 1 -> (1 / 3) < p -> p <= (4 / 7) ->
  over_area area1 (pay1 p) ((30 - 49 * p) / (9 * (1 - p))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 3 - (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece3_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece3 p :
  0 < p < 1 -> (1 / 3) < p -> p <= (4 / 7) -> over_areas areas (pay1 p) ((30 - 49 * p) / (9 * (1 - p))).
Proof.
  intros Unit Start Stop.
  replace ((30 - 49 * p) / (9 * (1 - p))) with (((30 - 49 * p) / (9 * (1 - p))) + 0) by algebra.
  apply (one_area _ _ _ ((30 - 49 * p) / (9 * (1 - p))) 0); [exact (area1_cost1_of_piece3 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece4_strip1 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) ->
  forall v, beyond area1 (pay1 p) (4 * (1 - p) / p) v ->
  from area1 (pay1 p) 2 ((fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) (4 * (1 - p) / p) - (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 4 * (1 - p) / p - 2) by (apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) 2 (4 * (1 - p) / p) (fun c1 => 4 * c1 / 3 - c1 ^ 2 * p / (3 * (1 - p))) (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (2 * p / (1 - p))); [algebra | see] | apply (not_negative_as (4)); [algebra | see]]).
    assert (order2 : 1 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 1) 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (((3 * (7 * p - 4) + 5) / 7) / (1 - p))); [algebra | see] | apply (not_negative_as (3)); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= 4) by (apply (below_between (- p / (1 - p)) 4 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order4 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (2 * ((3 * (2 - 3 * p)) / 3) / p)); [algebra | see]]).
    assert (order5 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 (4 * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (((7 * (7 * p - 4)) / 7) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / 3) 4 - (fun c0 => c0 * c1 / 3) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / 3) (c1 * p / (1 - p)) 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece4 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) ->
  over_area area1 (pay1 p) (8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) (4 * (1 - p) / p) - (fun c1 => 2 * c1 ^ 2 / 3 - c1 ^ 3 * p / (9 * (1 - p))) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece4_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. assert (4 < (c1 * p / (1 - p))) by (apply (crossed_after (p / (1 - p)) (4 * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece4 p :
  0 < p < 1 -> (4 / 7) < p -> p <= (2 / 3) -> over_areas areas (pay1 p) (8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p))).
Proof.
  intros Unit Start Stop.
  replace (8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p))) with ((8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p))) + 0) by algebra.
  apply (one_area _ _ _ (8 * (3 * p - 2) ^ 2 / (9 * p ^ 2 * (1 - p))) 0); [exact (area1_cost1_of_piece4 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece5_strip1 p :
  0 < p < 1 -> (2 / 3) < p -> p <= 1 ->
  forall v, beyond area1 (pay1 p) 3 v ->
  from area1 (pay1 p) 2 ((fun c1 => 0) 3 - (fun c1 => 0) 2 + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (pay1 p) 2 3 (fun c1 => 0) (fun c1 => 0) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order3 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order5 : 4 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- 4) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (2 * ((3 * (3 * p - 2)) / 3) / (1 - p))); [algebra | see] | apply (not_negative_as (((7 * (3 * p - 2) + 2) / 3) / (1 - p))); [algebra | see]]).
    apply (no_section_but _ _ _ 4); [lra | |]; intros c0 Positive0 Outside; unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece5 p :
  0 < p < 1 -> (2 / 3) < p -> p <= 1 ->
  over_area area1 (pay1 p) 0.
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 0) 3 - (fun c1 => 0) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece5_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece5 p :
  0 < p < 1 -> (2 / 3) < p -> p <= 1 -> over_areas areas (pay1 p) 0.
Proof.
  intros Unit Start Stop.
  replace 0 with (0 + 0) by algebra.
  apply (one_area _ _ _ 0 0); [exact (area1_cost1_of_piece5 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Theorem expected_cost0 p :
  0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof.
  intros Unit.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  unfold L0. branch; first [simple apply cost0_of_piece1; lra | simple apply cost0_of_piece2; lra | simple apply cost0_of_piece3; lra | simple apply cost0_of_piece4; lra | simple apply cost0_of_piece5; lra].
Qed.
Theorem expected_cost1 p :
  0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof.
  intros Unit.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  unfold L1. branch; first [simple apply cost1_of_piece1; lra | simple apply cost1_of_piece2; lra | simple apply cost1_of_piece3; lra | simple apply cost1_of_piece4; lra | simple apply cost1_of_piece5; lra].
Qed.
Theorem law_is_proper :
  Proper L0 L1.
Proof.
  exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1).
Qed.
Theorem law_is_strictly_proper E0 E1 :
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) ->
  StrictlyProperOn (1 / 4) (2 / 3) E0 E1.
Proof.
  intros Costs0 Costs1.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  apply (strictly_proper_density areas (1 / 4) (2 / 3) L0 L1 E0 E1); try assumption; try lra.
  - exact lawful_costs.
  - exact expected_cost0.
  - exact expected_cost1.
  - exact strictly_proper.
Qed.
Lemma total_of_area1_strip1 :
  forall v, beyond area1 (fun _ _ => 1) 3 v ->
  from area1 (fun _ _ => 1) 2 ((fun c1 => c1) 3 - (fun c1 => c1) 2 + v).
Proof.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (fun _ _ => 1) 2 3 (fun c1 => 1) (fun c1 => c1) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order3 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 / 3) 4 - (fun c0 => c0 / 3) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ _ => 1) c1 (fun c0 => 1) (fun c0 => c0 / 3) 1 4); [lra | lra | ..].
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
  apply (over_area_is _ _ ((fun c1 => c1) 3 - (fun c1 => c1) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
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
  forall v, beyond area1 (fun c0 _ => c0) 3 v ->
  from area1 (fun c0 _ => c0) 2 ((fun c1 => 5 * c1 / 2) 3 - (fun c1 => 5 * c1 / 2) 2 + v).
Proof.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (fun c0 _ => c0) 2 3 (fun c1 => 5 / 2) (fun c1 => 5 * c1 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order3 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / 6) 4 - (fun c0 => c0 ^ 2 / 6) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun c0 _ => c0) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / 6) 1 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean0_of_area1 :
  over_area area1 (fun c0 _ => c0) (5 / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => 5 * c1 / 2) 3 - (fun c1 => 5 * c1 / 2) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
  - apply (mean0_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean0 :
  over_areas areas (fun c0 _ => c0) (5 / 2).
Proof.
  replace (5 / 2) with ((5 / 2) + 0) by algebra.
  apply (one_area _ _ _ (5 / 2) 0); [exact (mean0_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Lemma mean1_of_area1_strip1 :
  forall v, beyond area1 (fun _ c1 => c1) 3 v ->
  from area1 (fun _ c1 => c1) 2 ((fun c1 => c1 ^ 2 / 2) 3 - (fun c1 => c1 ^ 2 / 2) 2 + v).
Proof.
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= 1) by (apply (not_negative_as (1)); [algebra | see]).
  apply (strip area1 (fun _ c1 => c1) 2 3 (fun c1 => c1) (fun c1 => c1 ^ 2 / 2) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
    assert (order2 : 1 <= 4) by (apply (below_by (3)); [algebra | see]).
    assert (order3 : 0 <= c1 - 2) by (apply (below_between 1 (- 2) 2 3 c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (1)); [algebra | see]]).
    assert (order4 : 0 <= 3 - c1) by (apply (below_between (- 1) 3 2 3 c1); [lra | lra | algebra | apply (not_negative_as (1)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / 3) 4 - (fun c0 => c0 * c1 / 3) 1)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ c1 => c1) c1 (fun c0 => c1) (fun c0 => c0 * c1 / 3) 1 4); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean1_of_area1 :
  over_area area1 (fun _ c1 => c1) (5 / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 2 / 2) 3 - (fun c1 => c1 ^ 2 / 2) 2 + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < 2) by (apply (positive_as (2)); [algebra | see]).
  apply (start_at _ _ 2); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
  - apply (mean1_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean1 :
  over_areas areas (fun _ c1 => c1) (5 / 2).
Proof.
  replace (5 / 2) with ((5 / 2) + 0) by algebra.
  apply (one_area _ _ _ (5 / 2) 0); [exact (mean1_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (5 / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 (5 / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (5 / 2)) (extended L1 (5 / 2) 0).
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
   @Rule.rule.expected_loss_of_scores,
   @Rule.rule.weight1_is_inner_integral,
   @Rule.rule.weight2_is_inner_integral,
   @Rule.rule.weight3_is_inner_integral,
   @Rule.rule.weight4_is_inner_integral,
   @Rule.rule.weight5_is_inner_integral,
   @Rule.rule.lawful_costs,
   @Rule.rule.expected_cost0,
   @Rule.rule.expected_cost1,
   @Rule.rule.law_is_proper,
   @Rule.rule.law_is_strictly_proper,
   @Rule.rule.total_is_1,
   @Rule.rule.law_is_proper_with_ends).
Print Assumptions final_theorems.
