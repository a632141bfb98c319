(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Weights Areas.

Module Rule.

Module case1.
Section Case.
Variables a b d e : R.
Hypothesis given1 : 0 < a.
Hypothesis given2 : 0 < b.
Hypothesis given3 : 0 < d.
Hypothesis given4 : 0 < e.
Hypothesis given5 : a < b.
Hypothesis given6 : d < e.
Hypothesis given7 : a * e <= b * d.
Example possible : exists a b d e : R, 0 < a /\ 0 < b /\ 0 < d /\ 0 < e /\ a < b /\ d < e /\ a * e <= b * d.
Proof. exists (3 / 7), (31 / 8), (57 / 7), (38); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => d / 2 + e / 2)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))).
Definition piece3 : piece := Piece
  (fun p => (p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a)))
  (fun p => (3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a)))
  (fun p => (d ^ 2 + d * e + e ^ 2) / (3 * (1 - p) ^ 3 * (b - a))).
Definition piece4 : piece := Piece
  (fun p => a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))).
Definition piece5 : piece := Piece
  (fun p => a / 2 + b / 2)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then 0 else
  if Rle_dec p (a / (a + d)) then (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  if Rle_dec p (b / (b + e)) then (p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a)) else
  if Rle_dec p (b / (b + d)) then a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  a / 2 + b / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then d / 2 + e / 2 else
  if Rle_dec p (a / (a + d)) then d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  if Rle_dec p (b / (b + e)) then (3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a)) else
  if Rle_dec p (b / (b + d)) then (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  0.

Lemma order1 :
  0 <= (a / (a + e)).
Proof.
  apply (below_by (a / (a + e))); [field; see | see].
Qed.
Lemma order2 :
  (a / (a + e)) <= (a / (a + d)).
Proof.
  apply (below_by (a * (e - d) / ((a + d) * (a + e)))); [field; see | see].
Qed.
Lemma order3 :
  (a / (a + d)) <= (b / (b + e)).
Proof.
  apply (below_by (((e * (b * d - a * e)) / e) / ((a + d) * (b + e)))); [field; see | see].
Qed.
Lemma order4 :
  (b / (b + e)) <= (b / (b + d)).
Proof.
  apply (below_by (b * (e - d) / ((b + d) * (b + e)))); [field; see | see].
Qed.
Lemma order5 :
  (b / (b + d)) <= 1.
Proof.
  apply (below_by (d / (b + d))); [field; see | see].
Qed.
Lemma slopes1 :
  slopes 0 (a / (a + e)) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (a / (a + e)) (a / (a + d)) piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes3 :
  slopes (a / (a + d)) (b / (b + e)) piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes4 :
  slopes (b / (b + e)) (b / (b + d)) piece4.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece4]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes5 :
  slopes (b / (b + d)) 1 piece5.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece5]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (a / (a + e)) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma join2 :
  joins (a / (a + d)) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra.
Qed.
Lemma join3 :
  joins (b / (b + e)) piece3 piece4.
Proof.
  split; cbn [loss0 loss1 piece3 piece4]; algebra.
Qed.
Lemma join4 :
  joins (b / (b + d)) piece4 piece5.
Proof.
  split; cbn [loss0 loss1 piece4 piece5]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (a / (a + e)) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive (a / (a + e)) (a / (a + d)) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) * (e ^ 2 * p ^ 2 + (a * e) * p * (1 - p) + a ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see].
Qed.
Lemma sign3 :
  positive (a / (a + d)) (b / (b + e)) piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (positive_as ((d ^ 2 + d * e + e ^ 2) / (3 * (1 - p) ^ 3 * (b - a)))); [algebra | see].
Qed.
Lemma sign4 :
  positive (b / (b + e)) (b / (b + d)) piece4.
Proof.
  intros p Within Unit; cbn [weight piece4].
  apply (positive_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) * (d ^ 2 * p ^ 2 + (b * d) * p * (1 - p) + b ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see].
Qed.
Lemma sign5 :
  not_negative (b / (b + d)) 1 piece5.
Proof.
  intros p Within Unit; cbn [weight piece5].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5)))))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn (a / (a + e)) (b / (b + d)) L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  refine (strictly_proper_rule (a / (a + e)) (b / (b + d)) piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)] _ _ joined_pieces (conj _ (conj _ (conj _ (conj _ _))))); [lra | lra | ..].
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
  assert (near : 0 < (a / (a + e))) by (apply (strictly_below_by (a / (a + e))); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 (a / (a + e)));
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
  assert (near : (b / (b + d)) < 1) by (apply (strictly_below_by (d / (b + d))); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece5) (b / (b + d)) 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece5]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece5]; smooth | cbn [loss1 piece5]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends :
  tends_at_1 L0 (a / 2 + b / 2).
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : (b / (b + d)) < 1) by (apply (strictly_below_by (d / (b + d))); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece5) (b / (b + d)) 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece5]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece5]; smooth | cbn [loss0 piece5]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts :
  tends_at_0 L1 (d / 2 + e / 2).
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : 0 < (a / (a + e))) by (apply (strictly_below_by (a / (a + e))); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 (a / (a + e)));
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece1]; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (a / 2 + b / 2)) (extended L1 (d / 2 + e / 2) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Lemma steady1 p :
  0 <= p <= (a / (a + e)) -> 0 < p < 1 -> continuous (weight piece1) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece1].
  smooth.
Qed.
Lemma steady2 p :
  (a / (a + e)) <= p <= (a / (a + d)) -> 0 < p < 1 -> continuous (weight piece2) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece2].
  smooth.
Qed.
Lemma steady3 p :
  (a / (a + d)) <= p <= (b / (b + e)) -> 0 < p < 1 -> continuous (weight piece3) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece3].
  smooth.
Qed.
Lemma steady4 p :
  (b / (b + e)) <= p <= (b / (b + d)) -> 0 < p < 1 -> continuous (weight piece4) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece4].
  smooth.
Qed.
Lemma steady5 p :
  (b / (b + d)) <= p -> 0 < p < 1 -> continuous (weight piece5) p.
Proof.
  intros Within Unit. assert (p <= 1) by lra. unfold Rpower; cbn [weight piece5].
  smooth.
Qed.
Definition omega : R -> R := joined weight piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [((a / (a + e)), piece2); ((a / (a + d)), piece3); ((b / (b + e)), piece4); ((b / (b + d)), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5))))) (conj steady1 (conj steady2 (conj steady3 (conj steady4 steady5)))) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
Definition area1 : area := Area
  (fun c0 c1 => 1 / ((b - a) * (e - d)))
  (fun c0 c1 => [c0 - a; b - c0; c1 - d; e - c1]).
Definition areas : list area := [area1].
Lemma area1_slice1 p :
  0 < p < a / (a + e) -> share area1 p 0.
Proof.
  intros [Low High].
  assert (above : (a / (a + e)) <= 1) by (apply (below_by (e / (a + e))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (gap : e < (- a * (p - 1) / p)) by (apply (strictly_below_by ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / p)); [algebra | see]).
  apply over_nothing.
  intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
  assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
  assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
  assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
  assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
  intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra.
Qed.
Lemma area1_slice2 p :
  a / (a + e) < p < a / (a + d) -> share area1 p ((e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))).
Proof.
  intros [Low High].
  assert (below : 0 <= (a / (a + e))) by (apply (below_by (a / (a + e))); [algebra | see]).
  assert (above : (a / (a + d)) <= 1) by (apply (below_by (d / (a + d))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= (- a * (p - 1) / p)) by (apply (below_by ((1 - p) * a / p)); [algebra | see]).
  assert (order2 : e <= (- b * (p - 1) / p)) by (apply (below_by ((((b + e) * ((a + d) * (a / (a + d) - p)) + (e * (b * d - a * e)) / e) / (a + d)) / p)); [algebra | see]).
  assert (order3 : d <= (- a * (p - 1) / p)) by (apply (below_by ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see]).
  assert (order4 : (- a * (p - 1) / p) <= e) by (apply (below_by ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]).
  apply (over_slice area1 p (- a * (p - 1) / p) e).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3 * (b - a) * (e - d)))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice3 p :
  a / (a + d) < p < b / (b + e) -> share area1 p ((d ^ 2 + d * e + e ^ 2) / (3 * (1 - p) ^ 3 * (b - a))).
Proof.
  intros [Low High].
  assert (below : 0 <= (a / (a + d))) by (apply (below_by (a / (a + d))); [algebra | see]).
  assert (above : (b / (b + e)) <= 1) by (apply (below_by (e / (b + e))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= d) by (apply (below_by (d)); [algebra | see]).
  assert (order2 : (- a * (p - 1) / p) <= d) by (apply (below_by ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / p)); [algebra | see]).
  assert (order3 : e <= (- b * (p - 1) / p)) by (apply (below_by ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / p)); [algebra | see]).
  assert (order4 : d <= e) by (apply (below_by (e - d)); [algebra | see]).
  apply (over_slice area1 p d e).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3 * (b - a) * (e - d)))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice4 p :
  b / (b + e) < p < b / (b + d) -> share area1 p ((b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))).
Proof.
  intros [Low High].
  assert (below : 0 <= (b / (b + e))) by (apply (below_by (b / (b + e))); [algebra | see]).
  assert (above : (b / (b + d)) <= 1) by (apply (below_by (d / (b + d))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= d) by (apply (below_by (d)); [algebra | see]).
  assert (order2 : (- a * (p - 1) / p) <= d) by (apply (below_by ((((a + d) * ((b + e) * (p - b / (b + e))) + (e * (b * d - a * e)) / e) / (b + e)) / p)); [algebra | see]).
  assert (order3 : (- b * (p - 1) / p) <= e) by (apply (below_by ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]).
  assert (order4 : d <= (- b * (p - 1) / p)) by (apply (below_by ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]).
  apply (over_slice area1 p d (- b * (p - 1) / p)).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3 * (b - a) * (e - d)))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice5 p :
  b / (b + d) < p < 1 -> share area1 p 0.
Proof.
  intros [Low High].
  assert (below : 0 <= (b / (b + d))) by (apply (below_by (b / (b + d))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (gap : (- b * (p - 1) / p) < d) by (apply (strictly_below_by ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / p)); [algebra | see]).
  apply over_nothing.
  intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
  assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
  assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
  assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
  assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
  intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra.
Qed.
Theorem weight1_is_inner_integral p :
  0 < p < (a / (a + e)) -> weight_of_areas [area1] p (weight piece1 p).
Proof.
  intros [Low High].
  assert (inside1 : (a / (a + e)) <= 1) by (apply (below_by (e / (a + e))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece1 p) with (0 + (0)) by (cbn [weight piece1]; algebra).
  apply one_more_area; [apply area1_slice1; lra |].
  apply no_area.
Qed.
Theorem weight2_is_inner_integral p :
  (a / (a + e)) < p < (a / (a + d)) -> weight_of_areas [area1] p (weight piece2 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (a / (a + e))) by (apply (below_by (a / (a + e))); [algebra | see]).
  assert (inside2 : (a / (a + d)) <= 1) by (apply (below_by (d / (a + d))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece2 p) with (((e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))) + (0)) by (cbn [weight piece2]; algebra).
  apply one_more_area; [apply area1_slice2; lra |].
  apply no_area.
Qed.
Theorem weight3_is_inner_integral p :
  (a / (a + d)) < p < (b / (b + e)) -> weight_of_areas [area1] p (weight piece3 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (a / (a + d))) by (apply (below_by (a / (a + d))); [algebra | see]).
  assert (inside2 : (b / (b + e)) <= 1) by (apply (below_by (e / (b + e))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece3 p) with (((d ^ 2 + d * e + e ^ 2) / (3 * (1 - p) ^ 3 * (b - a))) + (0)) by (cbn [weight piece3]; algebra).
  apply one_more_area; [apply area1_slice3; lra |].
  apply no_area.
Qed.
Theorem weight4_is_inner_integral p :
  (b / (b + e)) < p < (b / (b + d)) -> weight_of_areas [area1] p (weight piece4 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (b / (b + e))) by (apply (below_by (b / (b + e))); [algebra | see]).
  assert (inside2 : (b / (b + d)) <= 1) by (apply (below_by (d / (b + d))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece4 p) with (((b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))) + (0)) by (cbn [weight piece4]; algebra).
  apply one_more_area; [apply area1_slice4; lra |].
  apply no_area.
Qed.
Theorem weight5_is_inner_integral p :
  (b / (b + d)) < p < 1 -> weight_of_areas [area1] p (weight piece5 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (b / (b + d))) by (apply (below_by (b / (b + d))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece5 p) with (0 + (0)) by (cbn [weight piece5]; algebra).
  apply one_more_area; [apply area1_slice5; lra |].
  apply no_area.
Qed.
Lemma lawful_area1 :
  lawful_area area1.
Proof.
  intros c0 c1 Positive0 Positive1. cbn [region density area1 hold]. intros (Held0 & Held1 & Held2 & Held3 & _).
  apply (not_negative_as (1 / ((b - a) * (e - d)))); [equal_exponentials | see].
Qed.
Theorem lawful_costs :
  lawful_areas areas.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil.
  - exact lawful_area1.
Qed.
Lemma area1_cost0_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) d ((fun c1 => 0) e - (fun c1 => 0) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay0 p) d e (fun c1 => 0) (fun c1 => 0) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order5 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + e) * (a / (a + e) - p)) + a * (e - d)) / (a + e)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / (1 - p))); [algebra | see]]).
    apply (no_section_but _ _ _ a); [lra | |]; intros c0 Positive0 Outside; unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  over_area area1 (pay0 p) 0.
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 0) e - (fun c1 => 0) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) -> over_areas areas (pay0 p) 0.
Proof.
  intros Unit Start Stop.
  replace 0 with (0 + 0) by algebra.
  apply (one_area _ _ _ 0 0); [exact (area1_cost0_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece2_strip1 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) (a * (1 - p) / p) ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) e - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (a * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - a * (1 - p) / p) by (apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (a * (1 - p) / p) e (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 / (2 * (a - b) * (d - e))) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (b - a)); [algebra | see] | apply (not_negative_as ((((b + e) * ((a + d) * (a / (a + d) - p)) + (e * (b * d - a * e)) / e) / (a + d)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) ->
  over_area area1 (pay0 p) ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) e - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (a * (1 - p) / p) + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  apply (start_at _ _ (a * (1 - p) / p)); [lra | |].
  - intros c1 Positive Before. assert ((c1 * p / (1 - p)) < a) by (apply (crossed_before (p / (1 - p)) (a * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece2_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) -> over_areas areas (pay0 p) ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) with (((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) 0); [exact (area1_cost0_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece3_strip1 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + e)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) d ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) e - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay0 p) d e (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 / (2 * (a - b) * (d - e))) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b d e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + e) * (b / (b + e) - p)) + b * (e - d)) / (b + e)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) d e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + d) * (p - a / (a + d))) + a * (e - d)) / (a + d)) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece3 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + e)) ->
  over_area area1 (pay0 p) ((p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) e - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece3_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece3 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + e)) -> over_areas areas (pay0 p) ((p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a))).
Proof.
  intros Unit Start Stop.
  replace ((p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a))) with (((p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a))) + 0) by algebra.
  apply (one_area _ _ _ ((p ^ 2 * (d ^ 2 + d * e + e ^ 2) - 3 * a ^ 2 * (1 - p) ^ 2) / (6 * (1 - p) ^ 2 * (b - a))) 0); [exact (area1_cost0_of_piece3 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece4_strip1 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) ->
  forall v, beyond area1 (pay0 p) (b * (1 - p) / p) v ->
  from area1 (pay0 p) d ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= b * (1 - p) / p - d) by (apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) d (b * (1 - p) / p) (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 / (2 * (a - b) * (d - e))) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((b + e) * (p - b / (b + e))) + (e * (b * d - a * e)) / e) / (b + e)) / (1 - p))); [algebra | see] | apply (not_negative_as (b - a)); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece4_strip2 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) (b * (1 - p) / p) ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) (b * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < b * (1 - p) / p) by (apply (positive_as ((1 - p) * b / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - b * (1 - p) / p) by (apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (b * (1 - p) / p) e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece4 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) ->
  over_area area1 (pay0 p) (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) d + ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) (b * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece4_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost0_of_piece4_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece4 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) -> over_areas areas (pay0 p) (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) with ((a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) 0); [exact (area1_cost0_of_piece4 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece5_strip1 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) d ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay0 p) d e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) d e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + d) * (p - b / (b + d))) + b * (e - d)) / (b + d)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  over_area area1 (pay0 p) (a / 2 + b / 2).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece5_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 -> over_areas areas (pay0 p) (a / 2 + b / 2).
Proof.
  intros Unit Start Stop.
  replace (a / 2 + b / 2) with ((a / 2 + b / 2) + 0) by algebra.
  apply (one_area _ _ _ (a / 2 + b / 2) 0); [exact (area1_cost0_of_piece5 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay1 p) d e (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + e) * (a / (a + e) - p)) + a * (e - d)) / (a + e)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  over_area area1 (pay1 p) (d / 2 + e / 2).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) -> over_areas areas (pay1 p) (d / 2 + e / 2).
Proof.
  intros Unit Start Stop.
  replace (d / 2 + e / 2) with ((d / 2 + e / 2) + 0) by algebra.
  apply (one_area _ _ _ (d / 2 + e / 2) 0); [exact (area1_cost1_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece2_strip1 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay1 p) (a * (1 - p) / p) v ->
  from area1 (pay1 p) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) (a * (1 - p) / p) - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= a * (1 - p) / p - d) by (apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) d (a * (1 - p) / p) (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2_strip2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) (a * (1 - p) / p) ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) e - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (a * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - a * (1 - p) / p) by (apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) (a * (1 - p) / p) e (fun c1 => b * c1 / ((a - b) * (d - e)) - c1 ^ 2 * p / ((1 - p) * (a - b) * (d - e))) (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (a)); [algebra | see] | apply (not_negative_as (e * p / (1 - p))); [algebra | see]]).
    assert (order2 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (b - a)); [algebra | see] | apply (not_negative_as ((((b + e) * ((a + d) * (a / (a + d) - p)) + (e * (b * d - a * e)) / e) / (a + d)) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)) b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) ->
  over_area area1 (pay1 p) (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) (a * (1 - p) / p) - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) e - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (a * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece2_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost1_of_piece2_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (a / (a + d)) -> over_areas areas (pay1 p) (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) with ((d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) 0); [exact (area1_cost1_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece3_strip1 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + e)) ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) d ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) e - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay1 p) d e (fun c1 => b * c1 / ((a - b) * (d - e)) - c1 ^ 2 * p / ((1 - p) * (a - b) * (d - e))) (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 d e c1); [lra | lra | algebra | apply (not_negative_as (d * p / (1 - p))); [algebra | see] | apply (not_negative_as (e * p / (1 - p))); [algebra | see]]).
    assert (order2 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) d e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + d) * (p - a / (a + d))) + a * (e - d)) / (a + d)) / (1 - p))); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b d e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + e) * (b / (b + e) - p)) + b * (e - d)) / (b + e)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)) b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece3 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + e)) ->
  over_area area1 (pay1 p) ((3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) e - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece3_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece3 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + e)) -> over_areas areas (pay1 p) ((3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a))).
Proof.
  intros Unit Start Stop.
  replace ((3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a))) with (((3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a))) + 0) by algebra.
  apply (one_area _ _ _ ((3 * b * d + 3 * b * e + p * (- 3 * b * d - 3 * b * e - 2 * d ^ 2 - 2 * d * e - 2 * e ^ 2)) / (6 * (1 - p) * (b - a))) 0); [exact (area1_cost1_of_piece3 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece4_strip1 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) ->
  forall v, beyond area1 (pay1 p) (b * (1 - p) / p) v ->
  from area1 (pay1 p) d ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= b * (1 - p) / p - d) by (apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) d (b * (1 - p) / p) (fun c1 => b * c1 / ((a - b) * (d - e)) - c1 ^ 2 * p / ((1 - p) * (a - b) * (d - e))) (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (d * p / (1 - p))); [algebra | see] | apply (not_negative_as (b)); [algebra | see]]).
    assert (order2 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((b + e) * (p - b / (b + e))) + (e * (b * d - a * e)) / e) / (b + e)) / (1 - p))); [algebra | see] | apply (not_negative_as (b - a)); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)) b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece4 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) ->
  over_area area1 (pay1 p) ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece4_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. assert (b < (c1 * p / (1 - p))) by (apply (crossed_after (p / (1 - p)) (b * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece4 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (b / (b + d)) -> over_areas areas (pay1 p) ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) with (((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) 0); [exact (area1_cost1_of_piece4 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece5_strip1 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) d ((fun c1 => 0) e - (fun c1 => 0) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay1 p) d e (fun c1 => 0) (fun c1 => 0) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order5 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) d e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + d) * (p - b / (b + d))) + b * (e - d)) / (b + d)) / (1 - p))); [algebra | see]]).
    apply (no_section_but _ _ _ b); [lra | |]; intros c0 Positive0 Outside; unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  over_area area1 (pay1 p) 0.
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 0) e - (fun c1 => 0) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece5_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 -> over_areas areas (pay1 p) 0.
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
  StrictlyProperOn (a / (a + e)) (b / (b + d)) E0 E1.
Proof.
  intros Costs0 Costs1.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  apply (strictly_proper_density areas (a / (a + e)) (b / (b + d)) L0 L1 E0 E1); try assumption; try lra.
  - exact lawful_costs.
  - exact expected_cost0.
  - exact expected_cost1.
  - exact strictly_proper.
Qed.
Lemma total_of_area1_strip1 :
  forall v, beyond area1 (fun _ _ => 1) e v ->
  from area1 (fun _ _ => 1) d ((fun c1 => - c1 / (d - e)) e - (fun c1 => - c1 / (d - e)) d + v).
Proof.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (fun _ _ => 1) d e (fun c1 => - / (d - e)) (fun c1 => - c1 / (d - e)) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 / ((a - b) * (d - e))) b - (fun c0 => c0 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ _ => 1) c1 (fun c0 => 1) (fun c0 => c0 / ((a - b) * (d - e))) a b); [lra | lra | ..].
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
  apply (over_area_is _ _ ((fun c1 => - c1 / (d - e)) e - (fun c1 => - c1 / (d - e)) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
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
  forall v, beyond area1 (fun c0 _ => c0) e v ->
  from area1 (fun c0 _ => c0) d ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + v).
Proof.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (fun c0 _ => c0) d e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun c0 _ => c0) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean0_of_area1 :
  over_area area1 (fun c0 _ => c0) ((a + b) / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
  - apply (mean0_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean0 :
  over_areas areas (fun c0 _ => c0) ((a + b) / 2).
Proof.
  replace ((a + b) / 2) with (((a + b) / 2) + 0) by algebra.
  apply (one_area _ _ _ ((a + b) / 2) 0); [exact (mean0_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Lemma mean1_of_area1_strip1 :
  forall v, beyond area1 (fun _ c1 => c1) e v ->
  from area1 (fun _ c1 => c1) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (fun _ c1 => c1) d e (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ c1 => c1) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean1_of_area1 :
  over_area area1 (fun _ c1 => c1) ((d + e) / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
  - apply (mean1_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean1 :
  over_areas areas (fun _ c1 => c1) ((d + e) / 2).
Proof.
  replace ((d + e) / 2) with (((d + e) / 2) + 0) by algebra.
  apply (one_area _ _ _ ((d + e) / 2) 0); [exact (mean1_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 ((a + b) / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 ((d + e) / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 ((a + b) / 2)) (extended L1 ((d + e) / 2) 0).
Proof.
  exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1).
Qed.
End Case.
End case1.

Module case2.
Section Case.
Variables a b d e : R.
Hypothesis given1 : 0 < a.
Hypothesis given2 : 0 < b.
Hypothesis given3 : 0 < d.
Hypothesis given4 : 0 < e.
Hypothesis given5 : a < b.
Hypothesis given6 : d < e.
Hypothesis given7 : b * d <= a * e.
Example possible : exists a b d e : R, 0 < a /\ 0 < b /\ 0 < d /\ 0 < e /\ a < b /\ d < e /\ b * d <= a * e.
Proof. exists (43 / 10), (23 / 5), (14 / 3), (26); lra. Qed.

Definition piece1 : piece := Piece
  (fun p => 0)
  (fun p => d / 2 + e / 2)
  (fun p => 0).
Definition piece2 : piece := Piece
  (fun p => (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))).
Definition piece3 : piece := Piece
  (fun p => (p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d)))
  (fun p => ((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d)))
  (fun p => (a ^ 2 + a * b + b ^ 2) / (3 * p ^ 3 * (e - d))).
Definition piece4 : piece := Piece
  (fun p => a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)))
  (fun p => (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)))
  (fun p => (b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))).
Definition piece5 : piece := Piece
  (fun p => a / 2 + b / 2)
  (fun p => 0)
  (fun p => 0).
Definition L0 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then 0 else
  if Rle_dec p (b / (b + e)) then (p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  if Rle_dec p (a / (a + d)) then (p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d)) else
  if Rle_dec p (b / (b + d)) then a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d)) else
  a / 2 + b / 2.
Definition L1 (p : R) : R :=
  if Rle_dec p (a / (a + e)) then d / 2 + e / 2 else
  if Rle_dec p (b / (b + e)) then d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  if Rle_dec p (a / (a + d)) then ((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d)) else
  if Rle_dec p (b / (b + d)) then (p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d)) else
  0.

Lemma order1 :
  0 <= (a / (a + e)).
Proof.
  apply (below_by (a / (a + e))); [field; see | see].
Qed.
Lemma order2 :
  (a / (a + e)) <= (b / (b + e)).
Proof.
  apply (below_by (e * (b - a) / ((a + e) * (b + e)))); [field; see | see].
Qed.
Lemma order3 :
  (b / (b + e)) <= (a / (a + d)).
Proof.
  apply (below_by (((e * (a * e - b * d)) / e) / ((a + d) * (b + e)))); [field; see | see].
Qed.
Lemma order4 :
  (a / (a + d)) <= (b / (b + d)).
Proof.
  apply (below_by (d * (b - a) / ((a + d) * (b + d)))); [field; see | see].
Qed.
Lemma order5 :
  (b / (b + d)) <= 1.
Proof.
  apply (below_by (d / (b + d))); [field; see | see].
Qed.
Lemma slopes1 :
  slopes 0 (a / (a + e)) piece1.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece1]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes2 :
  slopes (a / (a + e)) (b / (b + e)) piece2.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece2]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes3 :
  slopes (b / (b + e)) (a / (a + d)) piece3.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece3]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes4 :
  slopes (a / (a + d)) (b / (b + d)) piece4.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece4]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma slopes5 :
  slopes (b / (b + d)) 1 piece5.
Proof.
  apply slopes_everywhere; intros p Within Unit.
  all: cbn [loss0 loss1 weight piece5]; unfold Rpower.
  all: auto_derive; [see | algebra].
Qed.
Lemma join1 :
  joins (a / (a + e)) piece1 piece2.
Proof.
  split; cbn [loss0 loss1 piece1 piece2]; algebra.
Qed.
Lemma join2 :
  joins (b / (b + e)) piece2 piece3.
Proof.
  split; cbn [loss0 loss1 piece2 piece3]; algebra.
Qed.
Lemma join3 :
  joins (a / (a + d)) piece3 piece4.
Proof.
  split; cbn [loss0 loss1 piece3 piece4]; algebra.
Qed.
Lemma join4 :
  joins (b / (b + d)) piece4 piece5.
Proof.
  split; cbn [loss0 loss1 piece4 piece5]; algebra.
Qed.
Lemma sign1 :
  not_negative 0 (a / (a + e)) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma sign2 :
  positive (a / (a + e)) (b / (b + e)) piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) * (e ^ 2 * p ^ 2 + (a * e) * p * (1 - p) + a ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see].
Qed.
Lemma sign3 :
  positive (b / (b + e)) (a / (a + d)) piece3.
Proof.
  intros p Within Unit; cbn [weight piece3].
  apply (positive_as ((a ^ 2 + a * b + b ^ 2) / (3 * p ^ 3 * (e - d)))); [algebra | see].
Qed.
Lemma sign4 :
  positive (a / (a + d)) (b / (b + d)) piece4.
Proof.
  intros p Within Unit; cbn [weight piece4].
  apply (positive_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) * (d ^ 2 * p ^ 2 + (b * d) * p * (1 - p) + b ^ 2 * (1 - p) ^ 2) / (3 * (1 - p) ^ 3 * p ^ 3 * (b - a) * (e - d)))); [algebra | see].
Qed.
Lemma sign5 :
  not_negative (b / (b + d)) 1 piece5.
Proof.
  intros p Within Unit; cbn [weight piece5].
  apply (not_negative_as (0)); [algebra | see].
Qed.
Lemma joined_pieces :
  chain 0 piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)].
Proof.
  exact (conj order1 (conj slopes1 (conj join1 (conj order2 (conj slopes2 (conj join2 (conj order3 (conj slopes3 (conj join3 (conj order4 (conj slopes4 (conj join4 (conj order5 slopes5))))))))))))).
Qed.
Theorem proper :
  Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5)))))).
Qed.
Theorem strictly_proper :
  StrictlyProperOn (a / (a + e)) (b / (b + d)) L0 L1.
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  refine (strictly_proper_rule (a / (a + e)) (b / (b + d)) piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)] _ _ joined_pieces (conj _ (conj _ (conj _ (conj _ _))))); [lra | lra | ..].
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
  assert (near : 0 < (a / (a + e))) by (apply (strictly_below_by (a / (a + e))); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 (a / (a + e)));
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
  assert (near : (b / (b + d)) < 1) by (apply (strictly_below_by (d / (b + d))); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece5) (b / (b + d)) 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece5]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece5]; smooth | cbn [loss1 piece5]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends :
  tends_at_1 L0 (a / 2 + b / 2).
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : (b / (b + d)) < 1) by (apply (strictly_below_by (d / (b + d))); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece5) (b / (b + d)) 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece5]; branch; reflexivity
    | unfold Rpower; cbn [loss0 piece5]; smooth | cbn [loss0 piece5]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts :
  tends_at_0 L1 (d / 2 + e / 2).
Proof.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  assert (near : 0 < (a / (a + e))) by (apply (strictly_below_by (a / (a + e))); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 (a / (a + e)));
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | unfold Rpower; cbn [loss1 piece1]; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Theorem proper_with_ends :
  ProperAmong with_ends (extended L0 0 (a / 2 + b / 2)) (extended L1 (d / 2 + e / 2) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Lemma steady1 p :
  0 <= p <= (a / (a + e)) -> 0 < p < 1 -> continuous (weight piece1) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece1].
  smooth.
Qed.
Lemma steady2 p :
  (a / (a + e)) <= p <= (b / (b + e)) -> 0 < p < 1 -> continuous (weight piece2) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece2].
  smooth.
Qed.
Lemma steady3 p :
  (b / (b + e)) <= p <= (a / (a + d)) -> 0 < p < 1 -> continuous (weight piece3) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece3].
  smooth.
Qed.
Lemma steady4 p :
  (a / (a + d)) <= p <= (b / (b + d)) -> 0 < p < 1 -> continuous (weight piece4) p.
Proof.
  intros Within Unit. unfold Rpower; cbn [weight piece4].
  smooth.
Qed.
Lemma steady5 p :
  (b / (b + d)) <= p -> 0 < p < 1 -> continuous (weight piece5) p.
Proof.
  intros Within Unit. assert (p <= 1) by lra. unfold Rpower; cbn [weight piece5].
  smooth.
Qed.
Definition omega : R -> R := joined weight piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [((a / (a + e)), piece2); ((b / (b + e)), piece3); ((a / (a + d)), piece4); ((b / (b + d)), piece5)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign1) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign3)) (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign4)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) sign5))))) (conj steady1 (conj steady2 (conj steady3 (conj steady4 steady5)))) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
Definition area1 : area := Area
  (fun c0 c1 => 1 / ((b - a) * (e - d)))
  (fun c0 c1 => [c0 - a; b - c0; c1 - d; e - c1]).
Definition areas : list area := [area1].
Lemma area1_slice1 p :
  0 < p < a / (a + e) -> share area1 p 0.
Proof.
  intros [Low High].
  assert (above : (a / (a + e)) <= 1) by (apply (below_by (e / (a + e))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (gap : e < (- a * (p - 1) / p)) by (apply (strictly_below_by ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / p)); [algebra | see]).
  apply over_nothing.
  intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
  assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
  assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
  assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
  assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
  intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra.
Qed.
Lemma area1_slice2 p :
  a / (a + e) < p < b / (b + e) -> share area1 p ((e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))).
Proof.
  intros [Low High].
  assert (below : 0 <= (a / (a + e))) by (apply (below_by (a / (a + e))); [algebra | see]).
  assert (above : (b / (b + e)) <= 1) by (apply (below_by (e / (b + e))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= (- a * (p - 1) / p)) by (apply (below_by ((1 - p) * a / p)); [algebra | see]).
  assert (order2 : e <= (- b * (p - 1) / p)) by (apply (below_by ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / p)); [algebra | see]).
  assert (order3 : d <= (- a * (p - 1) / p)) by (apply (below_by ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / p)); [algebra | see]).
  assert (order4 : (- a * (p - 1) / p) <= e) by (apply (below_by ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]).
  apply (over_slice area1 p (- a * (p - 1) / p) e).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3 * (b - a) * (e - d)))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice3 p :
  b / (b + e) < p < a / (a + d) -> share area1 p ((a ^ 2 + a * b + b ^ 2) / (3 * p ^ 3 * (e - d))).
Proof.
  intros [Low High].
  assert (below : 0 <= (b / (b + e))) by (apply (below_by (b / (b + e))); [algebra | see]).
  assert (above : (a / (a + d)) <= 1) by (apply (below_by (d / (a + d))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= (- a * (p - 1) / p)) by (apply (below_by ((1 - p) * a / p)); [algebra | see]).
  assert (order2 : d <= (- a * (p - 1) / p)) by (apply (below_by ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see]).
  assert (order3 : (- b * (p - 1) / p) <= e) by (apply (below_by ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]).
  assert (order4 : (- a * (p - 1) / p) <= (- b * (p - 1) / p)) by (apply (below_by ((1 - p) * (b - a) / p)); [algebra | see]).
  apply (over_slice area1 p (- a * (p - 1) / p) (- b * (p - 1) / p)).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3 * (b - a) * (e - d)))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice4 p :
  a / (a + d) < p < b / (b + d) -> share area1 p ((b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))).
Proof.
  intros [Low High].
  assert (below : 0 <= (a / (a + d))) by (apply (below_by (a / (a + d))); [algebra | see]).
  assert (above : (b / (b + d)) <= 1) by (apply (below_by (d / (b + d))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (order1 : 0 <= d) by (apply (below_by (d)); [algebra | see]).
  assert (order2 : (- a * (p - 1) / p) <= d) by (apply (below_by ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / p)); [algebra | see]).
  assert (order3 : (- b * (p - 1) / p) <= e) by (apply (below_by ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / p)); [algebra | see]).
  assert (order4 : d <= (- b * (p - 1) / p)) by (apply (below_by ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]).
  apply (over_slice area1 p d (- b * (p - 1) / p)).
  - split; [lra |].
    intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
    assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
    assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
    assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
    assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
    split; [intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra | intro Within; repeat split].
    + apply bound1; lra.
    + apply bound2; lra.
    + apply bound3; lra.
    + apply bound4; lra.
  - apply (between_bounds (fun c1 => c1 ^ 3 / (3 * (1 - p) ^ 3 * (b - a) * (e - d)))); [lra | certified area1 | equal].
Qed.
Lemma area1_slice5 p :
  b / (b + d) < p < 1 -> share area1 p 0.
Proof.
  intros [Low High].
  assert (below : 0 <= (b / (b + d))) by (apply (below_by (b / (b + d))); [algebra | see]).
  assert (positive : 0 < p) by lra. assert (rest : 0 < 1 - p) by lra.
  assert (gap : (- b * (p - 1) / p) < d) by (apply (strictly_below_by ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / p)); [algebra | see]).
  apply over_nothing.
  intros c1 Positive. unfold area1, cost0; cbn [region hold]; set (c0 := p * c1 / (1 - p)).
  assert (bound1 : 0 <= c0 - a <-> (- a * (p - 1) / p) <= c1) by (unfold c0; apply (rises_from (p / (1 - p))); [see | field; see]).
  assert (bound2 : 0 <= b - c0 <-> c1 <= (- b * (p - 1) / p)) by (unfold c0; apply (falls_up_to (p / (1 - p))); [see | field; see]).
  assert (bound3 : 0 <= c1 - d <-> d <= c1) by (unfold c0; apply (rises_from (1)); [see | field; see]).
  assert (bound4 : 0 <= e - c1 <-> c1 <= e) by (unfold c0; apply (falls_up_to (1)); [see | field; see]).
  intros (H1 & H2 & H3 & H4 & _); apply bound1 in H1; apply bound2 in H2; apply bound3 in H3; apply bound4 in H4; lra.
Qed.
Theorem weight1_is_inner_integral p :
  0 < p < (a / (a + e)) -> weight_of_areas [area1] p (weight piece1 p).
Proof.
  intros [Low High].
  assert (inside1 : (a / (a + e)) <= 1) by (apply (below_by (e / (a + e))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece1 p) with (0 + (0)) by (cbn [weight piece1]; algebra).
  apply one_more_area; [apply area1_slice1; lra |].
  apply no_area.
Qed.
Theorem weight2_is_inner_integral p :
  (a / (a + e)) < p < (b / (b + e)) -> weight_of_areas [area1] p (weight piece2 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (a / (a + e))) by (apply (below_by (a / (a + e))); [algebra | see]).
  assert (inside2 : (b / (b + e)) <= 1) by (apply (below_by (e / (b + e))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece2 p) with (((e ^ 3 / (1 - p) ^ 3 - a ^ 3 / p ^ 3) / (3 * (b - a) * (e - d))) + (0)) by (cbn [weight piece2]; algebra).
  apply one_more_area; [apply area1_slice2; lra |].
  apply no_area.
Qed.
Theorem weight3_is_inner_integral p :
  (b / (b + e)) < p < (a / (a + d)) -> weight_of_areas [area1] p (weight piece3 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (b / (b + e))) by (apply (below_by (b / (b + e))); [algebra | see]).
  assert (inside2 : (a / (a + d)) <= 1) by (apply (below_by (d / (a + d))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece3 p) with (((a ^ 2 + a * b + b ^ 2) / (3 * p ^ 3 * (e - d))) + (0)) by (cbn [weight piece3]; algebra).
  apply one_more_area; [apply area1_slice3; lra |].
  apply no_area.
Qed.
Theorem weight4_is_inner_integral p :
  (a / (a + d)) < p < (b / (b + d)) -> weight_of_areas [area1] p (weight piece4 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (a / (a + d))) by (apply (below_by (a / (a + d))); [algebra | see]).
  assert (inside2 : (b / (b + d)) <= 1) by (apply (below_by (d / (b + d))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece4 p) with (((b ^ 3 / p ^ 3 - d ^ 3 / (1 - p) ^ 3) / (3 * (b - a) * (e - d))) + (0)) by (cbn [weight piece4]; algebra).
  apply one_more_area; [apply area1_slice4; lra |].
  apply no_area.
Qed.
Theorem weight5_is_inner_integral p :
  (b / (b + d)) < p < 1 -> weight_of_areas [area1] p (weight piece5 p).
Proof.
  intros [Low High].
  assert (inside1 : 0 <= (b / (b + d))) by (apply (below_by (b / (b + d))); [algebra | see]).
  assert (0 < p) by lra. assert (0 < 1 - p) by lra.
  replace (weight piece5 p) with (0 + (0)) by (cbn [weight piece5]; algebra).
  apply one_more_area; [apply area1_slice5; lra |].
  apply no_area.
Qed.
Lemma lawful_area1 :
  lawful_area area1.
Proof.
  intros c0 c1 Positive0 Positive1. cbn [region density area1 hold]. intros (Held0 & Held1 & Held2 & Held3 & _).
  apply (not_negative_as (1 / ((b - a) * (e - d)))); [equal_exponentials | see].
Qed.
Theorem lawful_costs :
  lawful_areas areas.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil.
  - exact lawful_area1.
Qed.
Lemma area1_cost0_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) d ((fun c1 => 0) e - (fun c1 => 0) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay0 p) d e (fun c1 => 0) (fun c1 => 0) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order5 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + e) * (a / (a + e) - p)) + a * (e - d)) / (a + e)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / (1 - p))); [algebra | see]]).
    apply (no_section_but _ _ _ a); [lra | |]; intros c0 Positive0 Outside; unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  over_area area1 (pay0 p) 0.
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 0) e - (fun c1 => 0) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) -> over_areas areas (pay0 p) 0.
Proof.
  intros Unit Start Stop.
  replace 0 with (0 + 0) by algebra.
  apply (one_area _ _ _ 0 0); [exact (area1_cost0_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece2_strip1 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) (a * (1 - p) / p) ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) e - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (a * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - a * (1 - p) / p) by (apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (a * (1 - p) / p) e (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 / (2 * (a - b) * (d - e))) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (b - a)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) ->
  over_area area1 (pay0 p) ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) e - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (a * (1 - p) / p) + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  apply (start_at _ _ (a * (1 - p) / p)); [lra | |].
  - intros c1 Positive Before. assert ((c1 * p / (1 - p)) < a) by (apply (crossed_before (p / (1 - p)) (a * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece2_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) -> over_areas areas (pay0 p) ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) with (((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ ((p * (a + e) - a) ^ 2 * (2 * a + p * (e - 2 * a)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) 0); [exact (area1_cost0_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece3_strip1 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay0 p) (b * (1 - p) / p) v ->
  from area1 (pay0 p) (a * (1 - p) / p) ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (a * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= b * (1 - p) / p - a * (1 - p) / p) by (apply (not_negative_as ((1 - p) * (b - a) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (a * (1 - p) / p) (b * (1 - p) / p) (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 / (2 * (a - b) * (d - e))) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (b - a)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (b - a)); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see] | apply (not_negative_as ((((b + d) * ((a + d) * (a / (a + d) - p)) + d * (b - a)) / (a + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + e) * ((b + e) * (p - b / (b + e))) + e * (b - a)) / (b + e)) / p)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece3_strip2 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) (b * (1 - p) / p) ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) (b * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < b * (1 - p) / p) by (apply (positive_as ((1 - p) * b / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - b * (1 - p) / p) by (apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (b * (1 - p) / p) e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((a + d) * (a / (a + d) - p)) + d * (b - a)) / (a + d)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece3 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) ->
  over_area area1 (pay0 p) ((p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (a * (1 - p) / p) + ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) (b * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  apply (start_at _ _ (a * (1 - p) / p)); [lra | |].
  - intros c1 Positive Before. assert ((c1 * p / (1 - p)) < a) by (apply (crossed_before (p / (1 - p)) (a * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece3_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost0_of_piece3_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece3 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) -> over_areas areas (pay0 p) ((p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d))).
Proof.
  intros Unit Start Stop.
  replace ((p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d))) with (((p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ ((p * (2 * a ^ 2 + 2 * a * b + 3 * a * e + 2 * b ^ 2 + 3 * b * e) - 2 * a ^ 2 - 2 * a * b - 2 * b ^ 2) / (6 * p * (e - d))) 0); [exact (area1_cost0_of_piece3 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece4_strip1 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) ->
  forall v, beyond area1 (pay0 p) (b * (1 - p) / p) v ->
  from area1 (pay0 p) d ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= b * (1 - p) / p - d) by (apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) d (b * (1 - p) / p) (fun c1 => c1 ^ 2 * p ^ 2 / (2 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 / (2 * (a - b) * (d - e))) (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (b - a)); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) (c1 * p / (1 - p)) - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a (c1 * p / (1 - p))); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece4_strip2 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) (b * (1 - p) / p) ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) (b * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < b * (1 - p) / p) by (apply (positive_as ((1 - p) * b / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - b * (1 - p) / p) by (apply (not_negative_as ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / p)); [algebra | see]).
  apply (strip area1 (pay0 p) (b * (1 - p) / p) e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (b * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece4 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) ->
  over_area area1 (pay0 p) (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2 * (a - b) * (d - e)) - a ^ 2 * c1 / (2 * (a - b) * (d - e))) d + ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) (b * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece4_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost0_of_piece4_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece4 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) -> over_areas areas (pay0 p) (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) with ((a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ (a / 2 + b / 2 - (p * (b + d) - b) ^ 2 * (2 * b + p * (d - 2 * b)) / (6 * p * (1 - p) ^ 2 * (b - a) * (e - d))) 0); [exact (area1_cost0_of_piece4 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost0_of_piece5_strip1 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  forall v, beyond area1 (pay0 p) e v ->
  from area1 (pay0 p) d ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay0 p) d e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) d e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + d) * (p - b / (b + d))) + b * (e - d)) / (b + d)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay0 p) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays0_below; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost0_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  over_area area1 (pay0 p) (a / 2 + b / 2).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
  - apply (area1_cost0_of_piece5_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays0_above; lra].
Qed.
Lemma cost0_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 -> over_areas areas (pay0 p) (a / 2 + b / 2).
Proof.
  intros Unit Start Stop.
  replace (a / 2 + b / 2) with ((a / 2 + b / 2) + 0) by algebra.
  apply (one_area _ _ _ (a / 2 + b / 2) 0); [exact (area1_cost0_of_piece5 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece1_strip1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay1 p) d e (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + e) * (a / (a + e) - p)) + a * (e - d)) / (a + e)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (a / (a + e) - p))) / (a + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) ->
  over_area area1 (pay1 p) (d / 2 + e / 2).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece1_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (a / (a + e)) -> over_areas areas (pay1 p) (d / 2 + e / 2).
Proof.
  intros Unit Start Stop.
  replace (d / 2 + e / 2) with ((d / 2 + e / 2) + 0) by algebra.
  apply (one_area _ _ _ (d / 2 + e / 2) 0); [exact (area1_cost1_of_piece1 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece2_strip1 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) ->
  forall v, beyond area1 (pay1 p) (a * (1 - p) / p) v ->
  from area1 (pay1 p) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) (a * (1 - p) / p) - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= a * (1 - p) / p - d) by (apply (not_negative_as ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) d (a * (1 - p) / p) (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2_strip2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) (a * (1 - p) / p) ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) e - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (a * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - a * (1 - p) / p) by (apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) (a * (1 - p) / p) e (fun c1 => b * c1 / ((a - b) * (d - e)) - c1 ^ 2 * p / ((1 - p) * (a - b) * (d - e))) (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (a)); [algebra | see] | apply (not_negative_as (e * p / (1 - p))); [algebra | see]]).
    assert (order2 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / (1 - p))); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as (b - a)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (b / (b + e) - p))) / (b + e)) / (1 - p))); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((b + e) * (b / (b + e) - p)) + (e * (a * e - b * d)) / e) / (b + e)) / p)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (a * (1 - p) / p) e c1); [lra | lra | algebra | apply (not_negative_as ((((a + e) * ((a + e) * (p - a / (a + e)))) / (a + e)) / p)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)) b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) ->
  over_area area1 (pay1 p) (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) (a * (1 - p) / p) - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) e - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (a * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece2_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost1_of_piece2_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece2 p :
  0 < p < 1 -> (a / (a + e)) < p -> p <= (b / (b + e)) -> over_areas areas (pay1 p) (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) with ((d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ (d / 2 + e / 2 - (p * (a + e) - a) ^ 2 * (a + p * (2 * e - a)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) 0); [exact (area1_cost1_of_piece2 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece3_strip1 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay1 p) (a * (1 - p) / p) v ->
  from area1 (pay1 p) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) (a * (1 - p) / p) - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= a * (1 - p) / p - d) by (apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) d (a * (1 - p) / p) (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : c1 * p / (1 - p) <= a) by (apply (below_between (- p / (1 - p)) a d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order3 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (a * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((a + e) * ((b + e) * (p - b / (b + e))) + e * (b - a)) / (b + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece3_strip2 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) ->
  forall v, beyond area1 (pay1 p) (b * (1 - p) / p) v ->
  from area1 (pay1 p) (a * (1 - p) / p) ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (a * (1 - p) / p) + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < a * (1 - p) / p) by (apply (positive_as ((1 - p) * a / p)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= b * (1 - p) / p - a * (1 - p) / p) by (apply (not_negative_as ((1 - p) * (b - a) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) (a * (1 - p) / p) (b * (1 - p) / p) (fun c1 => b * c1 / ((a - b) * (d - e)) - c1 ^ 2 * p / ((1 - p) * (a - b) * (d - e))) (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (a)); [algebra | see] | apply (not_negative_as (b)); [algebra | see]]).
    assert (order2 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (b - a)); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (b - a)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (a / (a + d) - p))) / (a + d)) / p)); [algebra | see] | apply (not_negative_as ((((b + d) * ((a + d) * (a / (a + d) - p)) + d * (b - a)) / (a + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e (a * (1 - p) / p) (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + e) * ((b + e) * (p - b / (b + e))) + e * (b - a)) / (b + e)) / p)); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + e) * (p - b / (b + e)))) / (b + e)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)) b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece3 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) ->
  over_area area1 (pay1 p) (((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) (a * (1 - p) / p) - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (a * (1 - p) / p) + (0)))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece3_strip1 p Unit Start Stop).
    apply from_is_beyond, (area1_cost1_of_piece3_strip2 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. assert (b < (c1 * p / (1 - p))) by (apply (crossed_after (p / (1 - p)) (b * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece3 p :
  0 < p < 1 -> (b / (b + e)) < p -> p <= (a / (a + d)) -> over_areas areas (pay1 p) (((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d))).
Proof.
  intros Unit Start Stop.
  replace (((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d))) with ((((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ (((1 - p) ^ 2 * (a ^ 2 + a * b + b ^ 2) - 3 * d ^ 2 * p ^ 2) / (6 * p ^ 2 * (e - d))) 0); [exact (area1_cost1_of_piece3 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece4_strip1 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) ->
  forall v, beyond area1 (pay1 p) (b * (1 - p) / p) v ->
  from area1 (pay1 p) d ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= b * (1 - p) / p - d) by (apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]).
  apply (strip area1 (pay1 p) d (b * (1 - p) / p) (fun c1 => b * c1 / ((a - b) * (d - e)) - c1 ^ 2 * p / ((1 - p) * (a - b) * (d - e))) (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) 0 d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (d * p / (1 - p))); [algebra | see] | apply (not_negative_as (b)); [algebra | see]]).
    assert (order2 : a <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- a) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((a + d) * ((a + d) * (p - a / (a + d)))) / (a + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (b - a)); [algebra | see]]).
    assert (order3 : c1 * p / (1 - p) <= b) by (apply (below_between (- p / (1 - p)) b d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order4 : 0 <= c1 - d) by (apply (below_between 1 (- d) d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as ((((b + d) * ((b + d) * (b / (b + d) - p))) / (b + d)) / p)); [algebra | see]]).
    assert (order5 : 0 <= e - c1) by (apply (below_between (- 1) e d (b * (1 - p) / p) c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as ((((b + e) * ((a + d) * (p - a / (a + d))) + (e * (a * e - b * d)) / e) / (a + d)) / p)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)))); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (pay1 p) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) (c1 * p / (1 - p)) b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | apply pays1_above; lra].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece4 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) ->
  over_area area1 (pay1 p) ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) (b * (1 - p) / p) - (fun c1 => b * c1 ^ 2 / (2 * (a - b) * (d - e)) - c1 ^ 3 * p / (3 * (1 - p) * (a - b) * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece4_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. assert (b < (c1 * p / (1 - p))) by (apply (crossed_after (p / (1 - p)) (b * (1 - p) / p) c1); [assumption | see | algebra]). apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece4 p :
  0 < p < 1 -> (a / (a + d)) < p -> p <= (b / (b + d)) -> over_areas areas (pay1 p) ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))).
Proof.
  intros Unit Start Stop.
  replace ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) with (((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) + 0) by algebra.
  apply (one_area _ _ _ ((p * (b + d) - b) ^ 2 * (b + p * (2 * d - b)) / (6 * p ^ 2 * (1 - p) * (b - a) * (e - d))) 0); [exact (area1_cost1_of_piece4 p Unit Start Stop) | | reflexivity].
  reflexivity.
Qed.
Lemma area1_cost1_of_piece5_strip1 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  forall v, beyond area1 (pay1 p) e v ->
  from area1 (pay1 p) d ((fun c1 => 0) e - (fun c1 => 0) d + v).
Proof.
  intros Unit Start Stop.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (pay1 p) d e (fun c1 => 0) (fun c1 => 0) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    assert (order5 : b <= c1 * p / (1 - p)) by (apply (below_between (p / (1 - p)) (- b) d e c1); [lra | lra | algebra | apply (not_negative_as ((((b + d) * ((b + d) * (p - b / (b + d)))) / (b + d)) / (1 - p))); [algebra | see] | apply (not_negative_as ((((b + e) * ((b + d) * (p - b / (b + d))) + b * (e - d)) / (b + d)) / (1 - p))); [algebra | see]]).
    apply (no_section_but _ _ _ b); [lra | |]; intros c0 Positive0 Outside; unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma area1_cost1_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 ->
  over_area area1 (pay1 p) 0.
Proof.
  intros Unit Start Stop.
  apply (over_area_is _ _ ((fun c1 => 0) e - (fun c1 => 0) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
  - apply (area1_cost1_of_piece5_strip1 p Unit Start Stop).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; first [exfalso; lra | apply pays1_below; lra].
Qed.
Lemma cost1_of_piece5 p :
  0 < p < 1 -> (b / (b + d)) < p -> p <= 1 -> over_areas areas (pay1 p) 0.
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
  StrictlyProperOn (a / (a + e)) (b / (b + d)) E0 E1.
Proof.
  intros Costs0 Costs1.
  pose proof order1.
  pose proof order2.
  pose proof order3.
  pose proof order4.
  pose proof order5.
  apply (strictly_proper_density areas (a / (a + e)) (b / (b + d)) L0 L1 E0 E1); try assumption; try lra.
  - exact lawful_costs.
  - exact expected_cost0.
  - exact expected_cost1.
  - exact strictly_proper.
Qed.
Lemma total_of_area1_strip1 :
  forall v, beyond area1 (fun _ _ => 1) e v ->
  from area1 (fun _ _ => 1) d ((fun c1 => - c1 / (d - e)) e - (fun c1 => - c1 / (d - e)) d + v).
Proof.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (fun _ _ => 1) d e (fun c1 => - / (d - e)) (fun c1 => - c1 / (d - e)) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 / ((a - b) * (d - e))) b - (fun c0 => c0 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ _ => 1) c1 (fun c0 => 1) (fun c0 => c0 / ((a - b) * (d - e))) a b); [lra | lra | ..].
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
  apply (over_area_is _ _ ((fun c1 => - c1 / (d - e)) e - (fun c1 => - c1 / (d - e)) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
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
  forall v, beyond area1 (fun c0 _ => c0) e v ->
  from area1 (fun c0 _ => c0) d ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + v).
Proof.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (fun c0 _ => c0) d e (fun c1 => - (a + b) / (2 * (d - e))) (fun c1 => - c1 * (a + b) / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) b - (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun c0 _ => c0) c1 (fun c0 => c0) (fun c0 => c0 ^ 2 / (2 * (a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean0_of_area1 :
  over_area area1 (fun c0 _ => c0) ((a + b) / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => - c1 * (a + b) / (2 * (d - e))) e - (fun c1 => - c1 * (a + b) / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
  - apply (mean0_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean0 :
  over_areas areas (fun c0 _ => c0) ((a + b) / 2).
Proof.
  replace ((a + b) / 2) with (((a + b) / 2) + 0) by algebra.
  apply (one_area _ _ _ ((a + b) / 2) 0); [exact (mean0_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Lemma mean1_of_area1_strip1 :
  forall v, beyond area1 (fun _ c1 => c1) e v ->
  from area1 (fun _ c1 => c1) d ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + v).
Proof.
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  intros v Next.
  assert (width : 0 <= e - d) by (apply (not_negative_as (e - d)); [algebra | see]).
  apply (strip area1 (fun _ c1 => c1) d e (fun c1 => - c1 / (d - e)) (fun c1 => - c1 ^ 2 / (2 * (d - e))) v); [lra | | | exact Next].
  - intros c1 Positive From To. unfold section_is.
    assert (order1 : 0 <= a) by (apply (below_by (a)); [algebra | see]).
    assert (order2 : a <= b) by (apply (below_by (b - a)); [algebra | see]).
    assert (order3 : 0 <= c1 - d) by (apply (below_between 1 (- d) d e c1); [lra | lra | algebra | apply (not_negative_as (0)); [algebra | see] | apply (not_negative_as (e - d)); [algebra | see]]).
    assert (order4 : 0 <= e - c1) by (apply (below_between (- 1) e d e c1); [lra | lra | algebra | apply (not_negative_as (e - d)); [algebra | see] | apply (not_negative_as (0)); [algebra | see]]).
    apply (over_positive_is _ ((fun c0 => c0 * c1 / ((a - b) * (d - e))) b - (fun c0 => c0 * c1 / ((a - b) * (d - e))) a)); [| cbn [polynomial]; equal_exponentials].
    apply (section_between area1 (fun _ c1 => c1) c1 (fun c0 => c1) (fun c0 => c0 * c1 / ((a - b) * (d - e))) a b); [lra | lra | ..].
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Outside. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
    + intros c0 Positive0 Inside Below.
      cbn [region area1 hold]. split; [lra | reflexivity].
    + intros c0 Within. cbn [density area1]. unfold slope_is; sloped.
  - intros c1 Within. unfold slope_is; sloped.
Qed.
Lemma mean1_of_area1 :
  over_area area1 (fun _ c1 => c1) ((d + e) / 2).
Proof.
  apply (over_area_is _ _ ((fun c1 => - c1 ^ 2 / (2 * (d - e))) e - (fun c1 => - c1 ^ 2 / (2 * (d - e))) d + (0))); [| cbn [polynomial]; equal_exponentials].
  assert (from_0 : 0 < d) by (apply (positive_as (d)); [algebra | see]).
  apply (start_at _ _ d); [lra | |].
  - intros c1 Positive Before. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
  - apply (mean1_of_area1_strip1 ).
    apply nothing_beyond. intros c1 Positive After. apply no_section. intros c0 Positive0. unfold unpaid; cbn [region area1 hold]; intros Held; exfalso; lra.
Qed.
Lemma mean1 :
  over_areas areas (fun _ c1 => c1) ((d + e) / 2).
Proof.
  replace ((d + e) / 2) with (((d + e) / 2) + 0) by algebra.
  apply (one_area _ _ _ ((d + e) / 2) 0); [exact (mean1_of_area1 ) | | reflexivity].
  reflexivity.
Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 ((a + b) / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 ((d + e) / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 ((a + b) / 2)) (extended L1 ((d + e) / 2) 0).
Proof.
  exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1).
Qed.
End Case.
End case2.

End Rule.

Definition final_theorems :=
  (@Rule.case1.proper,
   @Rule.case1.strictly_proper,
   @Rule.case2.proper,
   @Rule.case2.strictly_proper,
   @Rule.case1.proper_with_ends,
   @Rule.case2.proper_with_ends,
   @Rule.case1.expected_loss_of_scores,
   @Rule.case2.expected_loss_of_scores,
   @Rule.case1.weight1_is_inner_integral,
   @Rule.case1.weight2_is_inner_integral,
   @Rule.case1.weight3_is_inner_integral,
   @Rule.case1.weight4_is_inner_integral,
   @Rule.case1.weight5_is_inner_integral,
   @Rule.case2.weight1_is_inner_integral,
   @Rule.case2.weight2_is_inner_integral,
   @Rule.case2.weight3_is_inner_integral,
   @Rule.case2.weight4_is_inner_integral,
   @Rule.case2.weight5_is_inner_integral,
   @Rule.case1.lawful_costs,
   @Rule.case1.expected_cost0,
   @Rule.case1.expected_cost1,
   @Rule.case1.law_is_proper,
   @Rule.case1.law_is_strictly_proper,
   @Rule.case2.lawful_costs,
   @Rule.case2.expected_cost0,
   @Rule.case2.expected_cost1,
   @Rule.case2.law_is_proper,
   @Rule.case2.law_is_strictly_proper,
   @Rule.case1.total_is_1,
   @Rule.case2.total_is_1,
   @Rule.case1.law_is_proper_with_ends,
   @Rule.case2.law_is_proper_with_ends).
Print Assumptions final_theorems.
