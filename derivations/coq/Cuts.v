(** Strips that lie one on the other, and where the ray of a report cuts them.

    The ray on which the threshold equals the report runs below a strip, inside it, or above it, and from one to another
    at the cuts. What is paid between two cuts is integrated over [c1] by an antiderivative that is certified once for all
    reports; so the expected costs at a report, the total and the means are read off the cuts ([costs_by_cuts],
    [total_by_strips], [mean0_by_strips], [mean1_by_strips]). *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips.
Import ListNotations.
Open Scope R_scope.

(** * Antiderivatives in [c1], and cuts *)

(** An antiderivative with its values, or limits, where [c1] begins and where it ends. *)
Record outer := Outer { primitive : R -> R; at_low : R; at_high : R }.
Definition starts (S : strip) (O : outer) : Prop := filterlim (primitive O) (after (low S)) (locally (at_low O)).
Definition stops (S : strip) (O : outer) : Prop := filterlim (primitive O) (before (high S)) (locally (at_high O)).

(** The ray of a report: class 1 is predicted for the costs below it. *)
Definition ray_of (p : R) : side := Side (p / (1 - p)) 0.
(** The ray runs below the strip, inside it, or above it. *)
Inductive part := Below | Inside | Above.
Definition runs (S : strip) (p : R) (k : part) (a : R) (b : Rbar) : Prop :=
  match k with
  | Below => under (ray_of p) (lower S) a b
  | Inside => under (lower S) (ray_of p) a b /\ match upper S with Some s => under (ray_of p) s a b | None => True end
  | Above => match upper S with Some s => under s (ray_of p) a b | None => False end
  end.

(** A strip with its antiderivatives: in [c0] of both [c0] and 1 times the density; in [c1] of what class 0 pays where
    the ray runs inside and above, of what class 1 pays where it runs inside and below, and of the probability. *)
Record slab := Slab {
  extent : strip; amounts : inner; chances : inner;
  inside0 : R -> outer; whole0 : outer; inside1 : R -> outer; whole1 : outer; whole : outer }.
Definition all_of (J : inner) (c1 : R) : R := at_top J c1 - at_bottom J c1.
Definition part_below (J : inner) (p c1 : R) : R := amount J (side_at (ray_of p) c1) c1 - at_bottom J c1.
Definition part_above (J : inner) (p c1 : R) : R := at_top J c1 - amount J (side_at (ray_of p) c1) c1.

Definition slopes_in (S : strip) (O : outer) (g : R -> R) : Prop :=
  forall c1, in_strip S c1 -> slope_is (primitive O) g c1.
Definition slopes_where_inside (S : strip) (p : R) (O : outer) (g : R -> R) : Prop :=
  forall c1, in_strip S c1 -> bottom_of S c1 <= side_at (ray_of p) c1 -> Rbar_le (side_at (ray_of p) c1) (top_of S c1) ->
    slope_is (primitive O) g c1.
Definition certified (A : area) (B : slab) : Prop :=
  fills A (extent B) /\
  integrates A (extent B) (fun c0 _ => c0) (amounts B) /\
  integrates A (extent B) (fun _ _ => 1) (chances B) /\
  slopes_in (extent B) (whole0 B) (all_of (amounts B)) /\
  slopes_in (extent B) (whole1 B) (fun c1 => c1 * all_of (chances B) c1) /\
  slopes_in (extent B) (whole B) (all_of (chances B)) /\
  (forall p, 0 < p < 1 -> slopes_where_inside (extent B) p (inside0 B p) (part_below (amounts B) p)) /\
  (forall p, 0 < p < 1 -> slopes_where_inside (extent B) p (inside1 B p) (fun c1 => c1 * part_above (chances B) p c1)).

Definition nothing_paid : outer := Outer (fun _ => 0) 0 0.
Definition parts0 (p : R) (B : slab) (k : part) : outer :=
  match k with Below => nothing_paid | Inside => inside0 B p | Above => whole0 B end.
Definition parts1 (p : R) (B : slab) (k : part) : outer :=
  match k with Below => whole1 B | Inside => inside1 B p | Above => nothing_paid end.

(** Where a strip is cut, with how the ray runs before each cut and at last. *)
Definition cuts : Type := list (part * R) * part.
Fixpoint are_cuts (S : strip) (run : part -> R -> Rbar -> Prop) (a : R) (list : list (part * R)) (final : part) : Prop :=
  match list with
  | nil => run final a (high S)
  | (k, b) :: others => (a <= b /\ 0 < b /\ Rbar_le b (high S)) /\ run k a b /\ are_cuts S run b others final
  end.

(** What is paid between the cuts, and in all strips of an area, and in all areas. *)
Definition start_of (from : option R) (O : outer) : R :=
  match from with Some a => primitive O a | None => at_low O end.
Fixpoint gain (O : part -> outer) (from : option R) (list : list (part * R)) (final : part) : R :=
  match list with
  | nil => at_high (O final) - start_of from (O final)
  | (k, b) :: others => primitive (O k) b - start_of from (O k) + gain O (Some b) others final
  end.
Definition first_part (list : list (part * R)) (final : part) : part :=
  match list with nil => final | (k, _) :: _ => k end.

(** * The outer integral *)

Lemma onward_ext a f g value : 0 <= a -> (forall x, a < x -> f x = g x) -> onward a f value -> onward a g value.
Proof.
  intros A E. apply (is_RInt_gen_ext (Fa := after a) (Fb := Rbar_locally p_infty) f g).
  exists (fun x => 0 < x /\ a <= x /\ Rbar_le x (a + 1)) (fun y => a + 1 < y).
  - apply (after_is_above a (a + 1) A); simpl; lra.
  - apply eventually_above.
  - intros x y (X & AX & XA) Y z. simpl in *. rewrite Rmin_left, Rmax_right by lra. intro Z. apply E. lra.
Qed.

(** What comes after a strip. *)
Definition beyond (S : strip) (f : R -> R) (value : R) : Prop :=
  match high S with Finite b => onward b f value | _ => value = 0 end.

Section Cuts.
Variables (S : strip) (O : part -> outer) (f : R -> R) (g : part -> R -> R) (run : part -> R -> Rbar -> Prop).
Hypothesis Start : 0 <= low S.
Hypothesis Width : Rbar_lt (low S) (high S).
Hypothesis same : forall k a b c1, run k a b -> low S <= a -> Rbar_le b (high S) -> a < c1 -> Rbar_lt c1 b -> f c1 = g k c1.
Hypothesis slopes : forall k a b c1, run k a b -> a <= c1 -> Rbar_le c1 b -> in_strip S c1 -> slope_is (primitive (O k)) (g k) c1.

Lemma by_cuts value list : forall final a from, low S <= a -> Rbar_le a (high S) -> are_cuts S run a list final ->
  filterlim (primitive (O (first_part list final))) (after a) (locally (start_of from (O (first_part list final)))) ->
  stops S (O final) -> beyond S f value -> onward a f (gain O from list final + value).
Proof.
  assert (Positive : Rbar_lt 0 (high S)) by (destruct (high S); simpl in *; lra || trivial).
  induction list as [| [k b] others Rest]; simpl; intros final a from LA AH C First Last Next.
  - unfold stops, beyond in *. destruct (high S) as [e | |] eqn:H; try contradiction.
    + simpl in AH, Positive.
      replace (at_high (O final)) with (primitive (O final) e)
        by exact (filterlim_locally_unique (F := at_point e) _ _ _ (tends_before (primitive (O final)) e _ eq_refl) Last).
      apply (onward_step a e f (g final)); try assumption; try lra.
      * intros x X. apply (same final a e); simpl; try assumption; lra.
      * intros x P AX XE. apply (slopes final a e); simpl; try assumption; try lra.
        unfold in_strip. rewrite H. simpl. lra.
    + rewrite Next, Rplus_0_r. apply (onward_last a f (g final) (primitive (O final))); try assumption; try lra.
      * intros x X. apply (same final a p_infty); simpl; trivial.
      * intros x P AX. apply (slopes final a p_infty); simpl; trivial.
        unfold in_strip. rewrite H. simpl. repeat split; lra || trivial.
  - destruct C as ((AB & B & BH) & Runs & C).
    rewrite Rplus_assoc. apply (onward_step a b f (g k)); try assumption; try lra.
    + intros x X. apply (same k a b); simpl; try assumption; lra.
    + intros x P AX XB. apply (slopes k a b); simpl; try assumption.
      unfold in_strip. repeat split; try lra. apply Rbar_le_trans with b; [exact XB | exact BH].
    + apply (Rest final b (Some b)); try assumption; try lra. apply tends_after; [exact B | reflexivity].
Qed.
End Cuts.

(** Strips that lie one after the other. *)
Fixpoint stacked (slabs : list slab) : Prop :=
  match slabs with
  | B :: rest => match rest with B' :: _ => high (extent B) = Finite (low (extent B')) | nil => True end /\ stacked rest
  | nil => True
  end.
Definition begins (slabs : list slab) (c1 : R) : Prop :=
  match slabs with B :: _ => low (extent B) <= c1 | nil => False end.
Fixpoint ends (slabs : list slab) (c1 : R) : Prop :=
  match slabs with
  | B :: rest => match rest with nil => Rbar_le c1 (high (extent B)) | _ => ends rest c1 end
  | nil => False
  end.
(** An area is cut into strips. *)
Definition covered (A : area) (slabs : list slab) : Prop :=
  stacked slabs /\ forall c0 c1, 0 < c0 -> 0 < c1 -> hold (region A c0 c1) -> begins slabs c1 /\ ends slabs c1.

(** What is integrated over [c1]: in each strip its own function. *)
Fixpoint in_strips (h : slab -> R -> R) (slabs : list slab) (c1 : R) : R :=
  match slabs with
  | nil => 0
  | B :: rest =>
      if Rlt_dec c1 (low (extent B)) then 0 else
      if Rbar_le_dec c1 (high (extent B)) then h B c1 else in_strips h rest c1
  end.

Lemma sections_in_strips A pay h c1 slabs : 0 < c1 -> stacked slabs ->
  List.Forall (fun B => in_strip (extent B) c1 -> over_positive (paid A pay c1) (h B c1)) slabs ->
  (forall c0, 0 < c0 -> hold (region A c0 c1) -> begins slabs c1 /\ ends slabs c1) ->
  over_positive (paid A pay c1) (in_strips h slabs c1).
Proof.
  intros P Stack Sections. assert (Nothing : (forall c0, 0 < c0 -> ~ hold (region A c0 c1)) -> over_positive (paid A pay c1) 0).
  { intro N. apply over_positive_zero. intros c0 P0. apply unpaid_is_0. intro H. destruct (N c0 P0 H). }
  induction Sections as [| B rest Section Sections Rest]; simpl; intro Covered.
  - apply Nothing. intros c0 P0 H. destruct (Covered c0 P0 H). contradiction.
  - destruct Stack as [Joint Stack]. destruct (Rlt_dec c1 (low (extent B))) as [L | L].
    { apply Nothing. intros c0 P0 H. destruct (Covered c0 P0 H). lra. }
    destruct (Rbar_le_dec c1 (high (extent B))) as [U | U].
    { apply Section. repeat split; [exact P | lra | exact U]. }
    apply Rest; [exact Stack |]. intros c0 P0 H. destruct (Covered c0 P0 H) as [_ C].
    destruct rest as [| B' rest]; [contradiction |]. split; [| exact C].
    rewrite Joint in U. simpl in U |- *. lra.
Qed.

(** What is gained in all strips. *)
Fixpoint gains (O : slab -> part -> outer) (slabs : list slab) (all : list cuts) : R :=
  match slabs, all with
  | B :: rest, (list, final) :: others => gain (O B) None list final + gains O rest others
  | _, _ => 0
  end.
Fixpoint all_cuts (run : slab -> part -> R -> Rbar -> Prop) (slabs : list slab) (all : list cuts) : Prop :=
  match slabs, all with
  | B :: rest, (list, final) :: others =>
      are_cuts (extent B) (run B) (low (extent B)) list final /\ all_cuts run rest others
  | nil, nil => True
  | _, _ => False
  end.
Fixpoint all_limits (O : slab -> part -> outer) (slabs : list slab) (all : list cuts) : Prop :=
  match slabs, all with
  | B :: rest, (list, final) :: others =>
      (starts (extent B) (O B (first_part list final)) /\ stops (extent B) (O B final)) /\ all_limits O rest others
  | _, _ => True
  end.

Section Stack.
Variables (A : area) (pay : R -> R -> R) (h : slab -> R -> R) (g : slab -> part -> R -> R) (O : slab -> part -> outer)
  (run : slab -> part -> R -> Rbar -> Prop).

(** On a strip: sections have the value [h], which is [g] where the ray runs in one way, of which [O] is an antiderivative. *)
Definition known (B : slab) : Prop :=
  (0 <= low (extent B) /\ Rbar_lt (low (extent B)) (high (extent B))) /\
  (forall c1, in_strip (extent B) c1 -> over_positive (paid A pay c1) (h B c1)) /\
  (forall k a b c1, run B k a b -> low (extent B) <= a -> Rbar_le b (high (extent B)) ->
    a < c1 -> Rbar_lt c1 b -> h B c1 = g B k c1) /\
  (forall k a b c1, run B k a b -> a <= c1 -> Rbar_le c1 b -> in_strip (extent B) c1 ->
    slope_is (primitive (O B k)) (g B k) c1).

Lemma onward_strips slabs : List.Forall known slabs -> forall all, stacked slabs -> all_cuts run slabs all -> all_limits O slabs all ->
  match slabs with B :: _ => onward (low (extent B)) (in_strips h slabs) (gains O slabs all) | nil => True end.
Proof.
  induction 1 as [| B rest ((L & W) & _ & Same & Slopes) Known Rest]; [trivial |].
  intros [| [list final] others] Stack Cuts Limits; [contradiction |].
  destruct Stack as [Joint Stack], Cuts as [Cut Cuts], Limits as [[Start Stop] Limits]. simpl gains.
  assert (LH : Rbar_le (low (extent B)) (high (extent B))) by (destruct (high (extent B)); simpl in *; lra || trivial).
  apply (by_cuts (extent B) (O B) _ (g B) (run B)); try assumption; [| apply Rle_refl |].
  - intros k a b c1 Run LA BH AC CB. rewrite <- (Same k a b c1) by assumption. simpl.
    destruct (Rlt_dec c1 (low (extent B))); [lra |]. destruct (Rbar_le_dec c1 (high (extent B))) as [| N]; [reflexivity |].
    destruct N. apply Rbar_le_trans with b; [apply Rbar_lt_le, CB | exact BH].
  - specialize (Rest others Stack Cuts Limits). unfold beyond. destruct rest as [| B' rest].
    + destruct others; [| contradiction]. simpl. destruct (high (extent B)) as [e | |] eqn:H; [| reflexivity | reflexivity].
      apply onward_zero; [simpl in W; lra |]. intros c1 C. destruct (Rlt_dec c1 (low (extent B))); [reflexivity |].
      destruct (Rbar_le_dec c1 e) as [N |]; [simpl in N; lra | reflexivity].
    + rewrite Joint in *. refine (onward_ext _ _ _ _ _ _ Rest); [simpl in W; lra |].
      intros c1 C. simpl in W. change (in_strips h (B' :: rest) c1 = in_strips h (B :: B' :: rest) c1).
      simpl. destruct (Rlt_dec c1 (low (extent B))); [lra |]. rewrite Joint.
      destruct (Rbar_le_dec c1 (low (extent B'))) as [N |]; [simpl in N; lra | reflexivity].
Qed.

Lemma over_strips slabs all : List.Forall known slabs -> covered A slabs -> slabs <> nil ->
  all_cuts run slabs all -> all_limits O slabs all -> over_area A pay (gains O slabs all).
Proof.
  intros Known [Stack Covered] Some Cuts Limits. pose proof (onward_strips slabs Known all Stack Cuts Limits) as Gains.
  exists (in_strips h slabs). split.
  - intros c1 P. apply sections_in_strips; try assumption; [| intros c0 P0; apply Covered; assumption].
    apply List.Forall_impl with (2 := Known). intros B (_ & K & _). apply K.
  - destruct slabs as [| B rest]; [contradiction |]. destruct (List.Forall_inv Known) as ((L & W) & _).
    apply over_positive_is_onward, (onward_zero_step 0 (low (extent B))); try lra; [| exact Gains].
    intros c1 C. simpl. destruct (Rlt_dec c1 (low (extent B))); [reflexivity | lra].
Qed.
End Stack.

(** * What is paid on a strip at a report *)

Lemma ray_is p c1 : side_at (ray_of p) c1 = p * c1 / (1 - p).
Proof. unfold side_at, ray_of, Rdiv. simpl. ring. Qed.
Lemma ray_positive p c1 : 0 < p < 1 -> 0 < c1 -> 0 < side_at (ray_of p) c1.
Proof. intros P C. rewrite ray_is. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat |]; lra. Qed.

Definition section0 (J : inner) (p : R) (k : part) (c1 : R) : R :=
  match k with Below => 0 | Inside => part_below J p c1 | Above => all_of J c1 end.
Definition section1 (J : inner) (p : R) (k : part) (c1 : R) : R :=
  match k with Below => all_of J c1 | Inside => part_above J p c1 | Above => 0 end.

Section Runs.
Variables (A : area) (S : strip) (charge : R -> R -> R) (J : inner) (p : R).
Hypothesis Unit : 0 < p < 1.
Hypothesis filled : fills A S.
Hypothesis integrated : integrates A S charge J.

Lemma runs_at k a b c1 : runs S p k a b -> a <= c1 -> Rbar_le c1 b ->
  match k with
  | Below => side_at (ray_of p) c1 <= bottom_of S c1
  | Inside => bottom_of S c1 <= side_at (ray_of p) c1 /\ Rbar_le (side_at (ray_of p) c1) (top_of S c1)
  | Above => Rbar_le (top_of S c1) (side_at (ray_of p) c1)
  end.
Proof.
  unfold bottom_of, top_of. destruct k; simpl.
  - apply under_between.
  - intros [L U] AC CB. split; [exact (under_between _ _ a b c1 L AC CB) |].
    destruct (upper S); [exact (under_between _ _ a b c1 U AC CB) | exact I].
  - destruct (upper S); [apply under_between | contradiction].
Qed.

Lemma sums_by k a b c1 : runs S p k a b -> low S <= a -> Rbar_le b (high S) -> a < c1 -> Rbar_lt c1 b ->
  sum_below S J (side_at (ray_of p) c1) c1 = section0 J p k c1 /\ sum_above S J (side_at (ray_of p) c1) c1 = section1 J p k c1.
Proof.
  intros Run LA BH AC CB. destruct filled as (L & W & Sides).
  assert (In : in_strip S c1).
  { repeat split; [lra | lra |]. apply Rbar_le_trans with b; [apply Rbar_lt_le, CB | exact BH]. }
  destruct (Sides c1 In) as (Bottom & _ & Open & _). destruct (integrated c1 In) as (_ & AtBottom & AtTop).
  assert (Strict : Rbar_lt (bottom_of S c1) (top_of S c1))
    by (apply Open; [lra | apply Rbar_lt_le_trans with b; [exact CB | exact BH]]).
  pose proof (ray_positive p c1 Unit (proj1 In)) as T.
  pose proof (runs_at k a b c1 Run (Rlt_le _ _ AC) (Rbar_lt_le _ _ CB)) as At.
  unfold sum_below, sum_above, section0, section1, part_below, part_above, all_of.
  set (t := side_at (ray_of p) c1) in *. clearbody t.
  destruct (Rbar_le_dec (top_of S c1) (bottom_of S c1)) as [N | _]; [destruct (Rbar_lt_not_le _ _ Strict N) |].
  assert (Edge : t = bottom_of S c1 -> at_bottom J c1 = amount J t c1).
  { intro E. refine (filterlim_locally_unique (F := after (bottom_of S c1)) _ _ _ AtBottom _).
    rewrite <- E. apply tends_after; [exact T | reflexivity]. }
  assert (Edge' : Finite t = top_of S c1 -> at_top J c1 = amount J t c1).
  { intro E. rewrite <- E in AtTop. refine (filterlim_locally_unique (F := before t) _ _ _ AtTop _).
    apply tends_before. reflexivity. }
  destruct k; destruct (Rle_dec t (bottom_of S c1)) as [TL | TL]; try (exfalso; lra).
  - split; reflexivity.
  - rewrite Edge by lra. split; ring.
  - destruct (Rbar_le_dec (top_of S c1) t) as [UT |]; [| split; reflexivity].
    rewrite (Edge' (Rbar_le_antisym _ _ (proj2 At) UT)). split; ring.
  - exfalso. apply (Rbar_lt_not_le _ _ Strict). apply Rbar_le_trans with t; [exact At | exact TL].
  - destruct (Rbar_le_dec (top_of S c1) t); [split; reflexivity | contradiction].
Qed.
End Runs.

Lemma slope_same F f g x : (forall y, f y = g y) -> slope_is F f x -> slope_is F g x.
Proof.
  intros E [D K]. split; [rewrite <- E; exact D |].
  apply continuous_ext with f; [intro y; apply E | exact K].
Qed.

Section Slabs.
Variables (A : area) (B : slab).
Hypothesis C : certified A B.
Local Notation S := (extent B).

Lemma nothing_slopes c1 : slope_is (primitive nothing_paid) (fun _ => 0) c1.
Proof. split; [exact (is_derive_const (K := R_AbsRing) (V := R_NormedModule) 0 c1) | apply continuous_const]. Qed.

Lemma known_to_pay0 p : 0 < p < 1 -> known A (pay0 p) (fun B c1 => sum_below (extent B) (amounts B) (side_at (ray_of p) c1) c1)
  (fun B => section0 (amounts B) p) (parts0 p) (fun B => runs (extent B) p) B.
Proof.
  intro P. destruct C as (Fills & Amounts & _ & Whole & _ & _ & Part & _).
  split; [split; apply Fills |]. split; [| split].
  - intros c1 In. apply (paid_below A S (fun c0 _ => c0)); try assumption; [apply ray_positive; [exact P | apply In] | |];
      intros c0 P0 T; rewrite ray_is in T; [apply pays0_below | apply pays0_above]; try assumption; apply In.
  - intros k a b c1 Run LA BH AC CB. exact (proj1 (sums_by A S _ (amounts B) p P Fills Amounts k a b c1 Run LA BH AC CB)).
  - intros k a b c1 Run AC CB In. pose proof (runs_at S p k a b c1 Run AC CB) as At. destruct k.
    + apply nothing_slopes.
    + apply Part; [exact P | exact In | apply At ..].
    + apply Whole, In.
Qed.

Lemma known_to_pay1 p : 0 < p < 1 -> known A (pay1 p) (fun B c1 => sum_above (extent B) (times_c1 (chances B)) (side_at (ray_of p) c1) c1)
  (fun B => section1 (times_c1 (chances B)) p) (parts1 p) (fun B => runs (extent B) p) B.
Proof.
  intro P. destruct C as (Fills & _ & Chances & _ & Whole & _ & _ & Part).
  apply integrates_times_c1 in Chances.
  split; [split; apply Fills |]. split; [| split].
  - intros c1 In. apply (paid_above A S (fun _ c1 => c1)); try assumption; [apply ray_positive; [exact P | apply In] | |];
      intros c0 P0 T; rewrite ray_is in T; [apply pays1_below | apply pays1_above]; try assumption; apply In.
  - intros k a b c1 Run LA BH AC CB.
    exact (proj2 (sums_by A S _ (times_c1 (chances B)) p P Fills Chances k a b c1 Run LA BH AC CB)).
  - intros k a b c1 Run AC CB In. pose proof (runs_at S p k a b c1 Run AC CB) as At. destruct k.
    + destruct (Whole c1 In) as [D K]. apply slope_same with (2 := conj D K). intro x. unfold section1, all_of, times_c1. cbn [at_top at_bottom]. ring.
    + destruct (Part p P c1 In (proj1 At) (proj2 At)) as [D K]. apply slope_same with (2 := conj D K).
      intro x. unfold section1, part_above, times_c1. cbn [at_top amount]. ring.
    + apply nothing_slopes.
Qed.

Lemma known_everywhere charge pay J (O : slab -> outer) : integrates A S charge (J B) ->
  slopes_in S (O B) (all_of (J B)) -> (forall c0 c1, pay c0 c1 = charge c0 c1) ->
  known A pay (fun B => sum_above (extent B) (J B) (-1)) (fun B _ => all_of (J B)) (fun B _ => O B) (fun _ _ _ _ => True) B.
Proof.
  intros Inner Whole E. destruct C as (Fills & _). split; [split; apply Fills |]. split; [| split].
  - intros c1 In. apply (paid_everywhere A S charge); try assumption. intros c0 _. apply E.
  - intros _ a b c1 _ LA BH AC CB. destruct Fills as (L & W & Sides).
    assert (In : in_strip S c1).
    { repeat split; [lra | lra |]. apply Rbar_le_trans with b; [apply Rbar_lt_le, CB | exact BH]. }
    destruct (Sides c1 In) as (Bottom & _ & Open & _). unfold sum_above, all_of.
    destruct (Rbar_le_dec (top_of S c1) (bottom_of S c1)) as [N |].
    + exfalso. refine (Rbar_lt_not_le _ _ _ N). apply Open; [lra | apply Rbar_lt_le_trans with b; [exact CB | exact BH]].
    + destruct (Rle_dec (-1) (bottom_of S c1)); [reflexivity | lra].
  - intros _ a b c1 _ _ _ In. apply Whole, In.
Qed.
End Slabs.

(** * Laws: areas with their strips *)

Definition strips : Type := list (area * list slab).
Definition certified_area (law : area * list slab) : Prop :=
  covered (fst law) (snd law) /\ snd law <> nil /\ List.Forall (certified (fst law)) (snd law).
Definition certified_law : strips -> Prop := List.Forall certified_area.

Fixpoint all_of_law {X : Type} (P : list slab -> X -> Prop) (law : strips) (all : list X) : Prop :=
  match law, all with
  | (_, slabs) :: rest, x :: others => P slabs x /\ all_of_law P rest others
  | nil, nil => True
  | _, _ => False
  end.
Fixpoint gains_of_law (O : slab -> part -> outer) (law : strips) (all : list (list cuts)) : R :=
  match law, all with
  | (_, slabs) :: rest, x :: others => gains O slabs x + gains_of_law O rest others
  | _, _ => 0
  end.

Lemma over_law pay h g O run law : List.Forall (fun A => covered (fst A) (snd A) /\ snd A <> nil /\
    List.Forall (known (fst A) pay h g O run) (snd A)) law ->
  forall all, all_of_law (all_cuts run) law all -> all_of_law (all_limits O) law all ->
  over_areas (map fst law) pay (gains_of_law O law all).
Proof.
  induction 1 as [| [A slabs] rest (Covered & Some & Known) H Rest]; simpl in *; intros [| x others] Cuts Limits; try contradiction.
  - reflexivity.
  - destruct Cuts as [Cut Cuts], Limits as [Limit Limits].
    exists (gains O slabs x), (gains_of_law O rest others). repeat split; [| apply Rest; assumption].
    apply (over_strips A pay h g O run); assumption.
Qed.

(** The expected costs at a report, from the cuts that its ray makes. *)
Theorem costs_by_cuts law p all value0 value1 : 0 < p < 1 -> certified_law law ->
  all_of_law (all_cuts (fun B => runs (extent B) p)) law all ->
  all_of_law (all_limits (parts0 p)) law all -> all_of_law (all_limits (parts1 p)) law all ->
  gains_of_law (parts0 p) law all = value0 -> gains_of_law (parts1 p) law all = value1 ->
  over_areas (map fst law) (pay0 p) value0 /\ over_areas (map fst law) (pay1 p) value1.
Proof.
  intros P C Cuts Limits0 Limits1 <- <-. split; (eapply over_law; [| exact Cuts | eassumption]).
  - refine (List.Forall_impl _ _ C). intros [A slabs] (Covered & Some & Slabs). split; [exact Covered | split; [exact Some |]].
    refine (List.Forall_impl _ _ Slabs). intros B CB. exact (known_to_pay0 A B CB p P).
  - refine (List.Forall_impl _ _ C). intros [A slabs] (Covered & Some & Slabs). split; [exact Covered | split; [exact Some |]].
    refine (List.Forall_impl _ _ Slabs). intros B CB. exact (known_to_pay1 A B CB p P).
Qed.

(** Where no report decides: each strip counts from where [c1] begins to where it ends. *)
Definition uncut (law : strips) : list (list cuts) := map (fun A => map (fun _ => (nil, Inside)) (snd A)) law.
Lemma all_uncut law : all_of_law (all_cuts (fun _ _ _ _ => True)) law (uncut law).
Proof.
  induction law as [| [A slabs] rest Rest]; simpl; [exact I |]. split; [| exact Rest].
  induction slabs as [| B others Others]; simpl; [exact I |]. split; [exact I | exact Others].
Qed.

Section Everywhere.
Variables (law : strips) (value : R).
Hypothesis C : certified_law law.

Lemma over_all pay J O : (forall A B, certified A B -> known A pay (fun B => sum_above (extent B) (J B) (-1))
    (fun B _ => all_of (J B)) (fun B _ => O B) (fun _ _ _ _ => True) B) ->
  all_of_law (all_limits (fun B _ => O B)) law (uncut law) -> gains_of_law (fun B _ => O B) law (uncut law) = value ->
  over_areas (map fst law) pay value.
Proof.
  intros Known Limits <-. eapply over_law; [| apply all_uncut | exact Limits].
  refine (List.Forall_impl _ _ C). intros [A slabs] (Covered & Some & Slabs). split; [exact Covered | split; [exact Some |]].
  refine (List.Forall_impl _ _ Slabs). intros B. apply Known.
Qed.

Theorem total_by_strips : all_of_law (all_limits (fun B _ => whole B)) law (uncut law) ->
  gains_of_law (fun B _ => whole B) law (uncut law) = value -> has_total_of_areas (map fst law) value.
Proof.
  apply (over_all _ chances). intros A B CB. apply (known_everywhere A B CB (fun _ _ => 1)); [apply CB .. |]. reflexivity.
Qed.
Theorem mean0_by_strips : all_of_law (all_limits (fun B _ => whole0 B)) law (uncut law) ->
  gains_of_law (fun B _ => whole0 B) law (uncut law) = value -> over_areas (map fst law) (fun c0 _ => c0) value.
Proof.
  apply (over_all _ amounts). intros A B CB. apply (known_everywhere A B CB (fun c0 _ => c0)); [apply CB .. |]. reflexivity.
Qed.
Theorem mean1_by_strips : all_of_law (all_limits (fun B _ => whole1 B)) law (uncut law) ->
  gains_of_law (fun B _ => whole1 B) law (uncut law) = value -> over_areas (map fst law) (fun _ c1 => c1) value.
Proof.
  apply (over_all _ (fun B => times_c1 (chances B))). intros A B CB.
  apply (known_everywhere A B CB (fun _ c1 => c1) _ (fun B => times_c1 (chances B))); [| | reflexivity].
  - apply integrates_times_c1. apply CB.
  - destruct CB as (_ & _ & _ & _ & Whole & _). intros c1 In. apply slope_same with (2 := Whole c1 In).
    intro x. unfold section1, all_of, times_c1. cbn [at_top at_bottom]. ring.
Qed.
End Everywhere.
