(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts ClosedForms.

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

Lemma order1 : 0 <= (1 / 2).
Proof. lra. Qed.
Lemma order2 : (1 / 2) <= 1.
Proof. lra. Qed.
Lemma slopes1 : slopes 0 (1 / 2) piece1.
Proof. slopes_of piece1; (auto_derive; [see | algebra]). Qed.
Lemma slopes2 : slopes (1 / 2) 1 piece2.
Proof. slopes_of piece2; (auto_derive; [see | algebra]). Qed.
Lemma join1 : joins (1 / 2) piece1 piece2.
Proof. split; cbn [loss0 loss1 piece1 piece2]; algebra. Qed.
Lemma sign1 : positive 0 (1 / 2) piece1.
Proof.
  intros p Within Unit; cbn [weight piece1].
  apply (positive_as (1 / (3 * (1 - p) ^ 3))); [algebra | see].
Qed.
Lemma sign2 : positive (1 / 2) 1 piece2.
Proof.
  intros p Within Unit; cbn [weight piece2].
  apply (positive_as (1 / (3 * p ^ 3))); [algebra | see].
Qed.
Lemma joined_pieces : chain 0 piece1 [((1 / 2), piece2)].
Proof. exact (conj order1 (conj slopes1 (conj join1 (conj order2 slopes2)))). Qed.
Theorem proper : Proper L0 L1.
Proof.
  exact (proper_rule piece1 [((1 / 2), piece2)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2)))).
Qed.
Theorem strictly_proper : StrictlyProper L0 L1.
Proof.
  pose proof order1. pose proof order2.
  refine (strictly_proper_rule 0 1 piece1 [((1 / 2), piece2)] _ _ joined_pieces (conj _ _)); [lra | lra | ..].
  - exact (weighs_if_positive _ _ _ _ _ sign1).
  - exact (weighs_if_positive _ _ _ _ _ sign2).
Qed.
Definition area1 : area := Area
  (fun c0 c1 => 1)
  (fun c0 c1 => [c0; 1 - c0; c1; 1 - c1]).
Definition areas : list area := [area1].
Definition strip1 : slab := closed_forms
  (Strip 0 (Finite 1) (Side 0 0) (Some (Side 0 1)))
  (fun c0 c1 => c0 ^ 2 / 2)
  (fun c0 c1 => c0)
  (fun p c1 => c1 ^ 3 * p ^ 2 / (6 * (1 - p) ^ 2))
  (fun c1 => c1 / 2)
  (fun p c1 => c1 ^ 2 / 2 - c1 ^ 3 * p / (3 * (1 - p)))
  (fun c1 => c1 ^ 2 / 2)
  (fun c1 => c1).
Definition law : strips := [(area1, [strip1])].
Ltac law_read := cbv beta iota delta [law areas area1 strip1 piece1 piece2] in *; reading.
Lemma lawful_area1 : lawful_area area1.
Proof.
  intros c0 c1 Positive0 Positive1. cbn [region density area1 hold]. intros (Held0 & Held1 & Held2 & Held3 & _).
  apply (not_negative_as (1)); [equal_exponentials | see].
Qed.
Theorem lawful_costs : lawful_areas areas.
Proof. apply List.Forall_cons; [exact lawful_area1 |]. apply List.Forall_nil. Qed.
Lemma certified_strip1 : certified area1 strip1.
Proof.
  apply certified_by; law_read.
  - in_order ltac:(fun seen => first [seen (0) | seen (1)]).
  - opened; intros. split; lra.
  - opened; intros. lra.
  - opened; intros. lra.
  - antiderivative_in_c0.
  - antiderivative_in_c0.
  - antiderivative_in_c1.
  - antiderivative_in_c1.
  - antiderivative_in_c1.
  - intros p Unit. antiderivative_in_c1.
  - intros p Unit. antiderivative_in_c1.
Qed.
Lemma covered_area1 : covered area1 [strip1].
Proof.
  split; law_read; [repeat split |].
  intros c0 c1 Positive0 Positive1 Held. split; [lra | lra].
Qed.
Lemma certified_costs : certified_law law.
Proof.
  repeat apply List.Forall_cons; try apply List.Forall_nil; (split; [| split; [discriminate |]]).
  - exact covered_area1.
  - apply List.Forall_cons; [exact certified_strip1 |]. apply List.Forall_nil.
Qed.
Lemma costs_of_piece1 p :
  0 < p < 1 -> 0 < p -> p <= (1 / 2) ->
  over_areas areas (pay0 p) (loss0 piece1 p) /\ over_areas areas (pay1 p) (loss1 piece1 p).
Proof.
  intros Unit Start Stop.
  apply (costs_by_cuts law p [[([], Inside)]] _ _ Unit certified_costs); law_read;
    [in_order ltac:(fun seen => first [seen (1) | seen (0) | seen (p / (1 - p)) | seen (((2 * (1 - 2 * p)) / 2) / (1 - p))]) | limits | limits | gained | gained].
Qed.
Lemma costs_of_piece2 p :
  0 < p < 1 -> (1 / 2) < p -> p <= 1 ->
  over_areas areas (pay0 p) (loss0 piece2 p) /\ over_areas areas (pay1 p) (loss1 piece2 p).
Proof.
  intros Unit Start Stop.
  apply (costs_by_cuts law p [[([(Inside, (1 - p) / p)], Above)]] _ _ Unit certified_costs); law_read;
    [in_order ltac:(fun seen => first [seen ((1 - p) / p) | seen (((2 * (2 * p - 1)) / 2) / p) | seen (0) | seen (1) | seen (((2 * (2 * p - 1)) / 2) / (1 - p))]) | limits | limits | gained | gained].
Qed.
Theorem expected_cost0 p : 0 < p < 1 -> over_areas areas (pay0 p) (L0 p).
Proof.
  intros Unit. pose proof order1. pose proof order2. unfold L0. branch; first [first_of (costs_of_piece1 p Unit ltac:(lra) ltac:(lra)) | first_of (costs_of_piece2 p Unit ltac:(lra) ltac:(lra))].
Qed.
Theorem expected_cost1 p : 0 < p < 1 -> over_areas areas (pay1 p) (L1 p).
Proof.
  intros Unit. pose proof order1. pose proof order2. unfold L1. branch; first [second_of (costs_of_piece1 p Unit ltac:(lra) ltac:(lra)) | second_of (costs_of_piece2 p Unit ltac:(lra) ltac:(lra))].
Qed.
Theorem law_is_proper : Proper L0 L1.
Proof. exact (proper_density areas L0 L1 lawful_costs expected_cost0 expected_cost1). Qed.
Theorem law_is_strictly_proper E0 E1 :
  (forall p, 0 < p < 1 -> over_areas areas (pay0 p) (E0 p)) ->
  (forall p, 0 < p < 1 -> over_areas areas (pay1 p) (E1 p)) ->
  StrictlyProperOn 0 1 E0 E1.
Proof.
  pose proof order1. pose proof order2. apply (strictly_proper_density areas _ _ L0 L1);
    [exact lawful_costs | lra | lra | exact expected_cost0 | exact expected_cost1 | exact strictly_proper].
Qed.
Theorem total_is_1 : has_total_of_areas areas 1.
Proof. apply (total_by_strips law 1 certified_costs); law_read; [limits | gained]. Qed.
Lemma mean0 : over_areas areas (fun c0 _ => c0) (1 / 2).
Proof. apply (mean0_by_strips law _ certified_costs); law_read; [limits | gained]. Qed.
Lemma mean1 : over_areas areas (fun _ c1 => c1) (1 / 2).
Proof. apply (mean1_by_strips law _ certified_costs); law_read; [limits | gained]. Qed.
Theorem law_is_proper_with_ends :
  (forall p, with_ends p -> over_areas areas (pay0 p) ((extended L0 0 (1 / 2)) p)) /\
  (forall p, with_ends p -> over_areas areas (pay1 p) ((extended L1 (1 / 2) 0) p)) /\
  ProperAmong with_ends (extended L0 0 (1 / 2)) (extended L1 (1 / 2) 0).
Proof. exact (proper_density_with_ends areas L0 L1 _ _ lawful_costs expected_cost0 expected_cost1 mean0 mean1). Qed.
Lemma loss0_starts : tends_at_0 L0 0.
Proof.
  pose proof order1. pose proof order2. assert (near : 0 < (1 / 2)) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_right L0 (loss0 piece1) 0 (1 / 2));
    [exact near | intros x X; unfold L0; cbn [loss0 piece1]; branch; reflexivity
    | cbn [loss0 piece1]; unfold Rpower; smooth | cbn [loss0 piece1]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_ends : tends_at_1 L1 0.
Proof.
  pose proof order1. pose proof order2. assert (near : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_left L1 (loss1 piece2) (1 / 2) 1);
    [exact near | intros x X; unfold L1; cbn [loss1 piece2]; branch; reflexivity
    | cbn [loss1 piece2]; unfold Rpower; smooth | cbn [loss1 piece2]; evaluated ltac:(idtac)].
Qed.
Lemma loss0_ends : tends_at_1 L0 (1 / 2).
Proof.
  pose proof order1. pose proof order2. assert (near : (1 / 2) < 1) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_left L0 (loss0 piece2) (1 / 2) 1);
    [exact near | intros x X; unfold L0; cbn [loss0 piece2]; branch; reflexivity
    | cbn [loss0 piece2]; unfold Rpower; smooth | cbn [loss0 piece2]; evaluated ltac:(idtac)].
Qed.
Lemma loss1_starts : tends_at_0 L1 (1 / 2).
Proof.
  pose proof order1. pose proof order2. assert (near : 0 < (1 / 2)) by (apply (strictly_below_by (1 / 2)); [algebra | see]).
  apply (tends_from_right L1 (loss1 piece1) 0 (1 / 2));
    [exact near | intros x X; unfold L1; cbn [loss1 piece1]; branch; reflexivity
    | cbn [loss1 piece1]; unfold Rpower; smooth | cbn [loss1 piece1]; evaluated ltac:(idtac)].
Qed.
Theorem proper_with_ends : ProperAmong with_ends (extended L0 0 (1 / 2)) (extended L1 (1 / 2) 0).
Proof.
  apply (proper_with_ends L0 L1 proper); [split; [exact loss0_starts | exact loss1_starts] | split; [exact loss0_ends | exact loss1_ends]].
Qed.
Theorem strictly_proper_with_ends :
  StrictlyProperAmong with_ends (extended L0 0 (1 / 2)) (extended L1 (1 / 2) 0).
Proof.
  apply (strictly_proper_among with_ends); [apply all_with_ends | apply all_with_ends | | exact proper_with_ends].
  apply extended_strictly_proper, strictly_proper.
Qed.
Lemma steady1 p : 0 <= p <= (1 / 2) -> 0 < p < 1 -> continuous (weight piece1) p.
Proof. intros Within Unit. cbn [weight piece1]; unfold Rpower. smooth. Qed.
Lemma steady2 p : (1 / 2) <= p -> 0 < p < 1 -> continuous (weight piece2) p.
Proof. intros Within Unit. assert (p <= 1) by lra. cbn [weight piece2]; unfold Rpower. smooth. Qed.
Definition omega : R -> R := joined weight piece1 [((1 / 2), piece2)].
Theorem expected_loss_of_scores F0 d0 F1 d1 pi0 pi1 l0 l1 :
  scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1).
Proof.
  exact (expected_loss piece1 [((1 / 2), piece2)] joined_pieces (conj (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign1)) (weighs_if_outside _ _ _ _ _ (or_intror (or_intror (Rle_refl 0))) (positive_is_not_negative _ _ _ sign2))) (conj steady1 steady2) loss0_starts loss1_ends F0 d0 F1 d1 pi0 pi1 l0 l1).
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.proper, @Rule.rule.strictly_proper, @Rule.rule.lawful_costs, @Rule.rule.expected_cost0,
   @Rule.rule.expected_cost1, @Rule.rule.law_is_proper, @Rule.rule.law_is_strictly_proper,
   @Rule.rule.total_is_1, @Rule.rule.law_is_proper_with_ends, @Rule.rule.proper_with_ends,
   @Rule.rule.strictly_proper_with_ends, @Rule.rule.expected_loss_of_scores).
Print Assumptions final_theorems.
