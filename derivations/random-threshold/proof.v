(* Written by costderive 0.2.0. Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot. *)

From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

From CostDerive Require Import Elementary Properness Limits Endpoints Refutation.

Module Rule.

(* Left out: expected costs. *)

Module rule.
Section Case.

Definition L0 (p : R) : R :=
  if Rle_dec p 0 then 0 else
  if Rlt_dec p 1 then p else 1.
Definition L1 (p : R) : R :=
  if Rle_dec p 0 then 1 else
  if Rlt_dec p 1 then 1 - p else 0.

Theorem better_report : risk L0 L1 0 (1 / 3) < risk L0 L1 (1 / 3) (1 / 3).
Proof.
  assert (value1 : L0 (1 / 3) = (1 / 3)).
  { assert (over1 : 0 < (1 / 3)) by (apply (strictly_below_by (1 / 3)); [algebra | see]). assert (under : (1 / 3) < 1) by (apply (strictly_below_by (2 / 3)); [algebra | see]). unfold L0; branch; reflexivity. }
  assert (value2 : L0 0 = 0).
  { unfold L0; branch; reflexivity. }
  assert (value3 : L1 (1 / 3) = 1 - (1 / 3)).
  { assert (over1 : 0 < (1 / 3)) by (apply (strictly_below_by (1 / 3)); [algebra | see]). assert (under : (1 / 3) < 1) by (apply (strictly_below_by (2 / 3)); [algebra | see]). unfold L1; branch; reflexivity. }
  assert (value4 : L1 0 = 1).
  { unfold L1; branch; reflexivity. }
  unfold risk; rewrite ?value1; rewrite ?value2; rewrite ?value3; rewrite ?value4. apply (strictly_below_by (1 / 9)); [algebra | see].
Qed.
Theorem not_proper : ~ ProperAmong with_ends L0 L1.
Proof.
  assert (report_low : 0 <= 0) by (apply (below_by (0)); [algebra | see]).
  assert (report_high : 0 <= 1) by (apply (below_by (1)); [algebra | see]).
  assert (belief_low : 0 <= (1 / 3)) by (apply (below_by (1 / 3)); [algebra | see]).
  assert (belief_high : (1 / 3) <= 1) by (apply (below_by (2 / 3)); [algebra | see]).
  apply (not_proper_with_ends_by 0 (1 / 3)); [lra | lra | exact better_report].
Qed.
End Case.
End rule.

End Rule.

Definition final_theorems :=
  (@Rule.rule.better_report, @Rule.rule.not_proper).
Print Assumptions final_theorems.
