(** Decisions at a threshold that is another function of the proportion of the costs than this itself, as of wrong
    assumed costs: whoever reports the truth decides as another belief would, and pays more.

    Whatever functions the expected costs are, they are proper if and only if the threshold is that of the costs. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Arcs OtherThresholds Mixtures.
Import ListNotations.
Open Scope R_scope.

Section Miscalibrated.
Variables (expects_to_pay : expectation_of_costs) (g : R -> R).
Hypothesis fairly : fair expects_to_pay.
Hypothesis grows : forall s t, 0 < s -> s < t -> t < 1 -> g s < g t.
Hypothesis inside : forall s, 0 < s < 1 -> 0 < g s < 1.
Local Notation wrong := (fun c0 c1 => g (c0 / (c0 + c1))).

Variables E0 E1 F0 F1 : R -> R.
Hypothesis own0 : forall p, 0 < p < 1 -> expects_to_pay (pay0 p) (E0 p).
Hypothesis own1 : forall p, 0 < p < 1 -> expects_to_pay (pay1 p) (E1 p).
Hypothesis cost0 : forall p, 0 < p < 1 -> expects_to_pay (pay0_at wrong p) (F0 p).
Hypothesis cost1 : forall p, 0 < p < 1 -> expects_to_pay (pay1_at wrong p) (F1 p).

(** The report of a value of the threshold pays what the proportion there would at the threshold of the costs. *)
Lemma pays_as_another h : 0 < h < 1 -> F0 (g h) = E0 h /\ F1 (g h) = E1 h.
Proof.
  intro H. split; [apply (fair_is_unique expects_to_pay fairly (pay0_at wrong (g h))) | apply (fair_is_unique expects_to_pay fairly (pay1_at wrong (g h)))].
  - apply cost0, inside, H.
  - apply (cost0_of_distorted expects_to_pay (proj1 fairly) g grows h); [exact H | reflexivity | apply own0, H].
  - apply cost1, inside, H.
  - apply (cost1_of_distorted expects_to_pay (proj1 fairly) g grows h); [exact H | reflexivity | apply own1, H].
Qed.

(** A belief at which the threshold is another number has a better report: the threshold there. *)
Theorem better_than_the_truth low high h : StrictlyProperOn low high E0 E1 -> 0 < h < 1 -> low < g h < high -> g h <> h ->
  risk F0 F1 (g (g h)) (g h) < risk F0 F1 (g h) (g h).
Proof.
  intros Strict H Within N. pose proof (inside h H) as I. unfold risk.
  destruct (pays_as_another h H) as [-> ->], (pays_as_another (g h) I) as [-> ->].
  apply (Strict h (g h)); [exact H | exact Within |]. intro E. apply N. symmetry. exact E.
Qed.

Theorem proper_if_calibrated : StrictlyProperOn 0 1 E0 E1 -> (Proper F0 F1 <-> forall h, 0 < h < 1 -> g h = h).
Proof.
  intro Strict. split.
  - intros P h H. destruct (Req_dec (g h) h) as [E | N]; [exact E | exfalso].
    pose proof (inside h H) as I. pose proof (better_than_the_truth 0 1 h Strict H I N).
    pose proof (P (g (g h)) (g h) (inside _ I) I). lra.
  - intros C p q P Q. pose proof (no_better_report_if_fair expects_to_pay fairly p q) as Best. unfold risk.
    pose proof (pays_as_another p P) as [A B]. pose proof (pays_as_another q Q) as [A' B']. rewrite (C p P) in A, B. rewrite (C q Q) in A', B'.
    rewrite A, B, A', B'. apply Best; auto.
Qed.
End Miscalibrated.
