(** Strips whose antiderivatives are closed forms, and the tactics by which files certify them.

    A closed form is continuous where the strip begins, and it vanishes at infinity if the strip ends there. The tactics
    write definitions out, see orders by differences that the file names, and compare closed forms. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Cuts.
Import ListNotations.
Open Scope R_scope.

(** * Strips whose antiderivatives are closed forms *)

(** In [c0] and in [c1] they are continuous where the strip begins, and they vanish at infinity if it ends there. *)
Definition spanning (S : strip) (F : R -> R -> R) : inner :=
  Inner F (fun c1 => F (bottom_of S c1) c1) (fun c1 => match upper S with Some s => F (side_at s c1) c1 | None => 0 end).
Definition ranging (S : strip) (F : R -> R) : outer :=
  Outer F (F (low S)) (match high S with Finite b => F b | _ => 0 end).
Definition closed_forms (S : strip) (amounts chances : R -> R -> R) (inside0 : R -> R -> R) (whole0 : R -> R)
  (inside1 : R -> R -> R) (whole1 whole : R -> R) : slab :=
  Slab S (spanning S amounts) (spanning S chances) (fun p => ranging S (inside0 p)) (ranging S whole0)
    (fun p => ranging S (inside1 p)) (ranging S whole1) (ranging S whole).

Lemma tends_if_continuous (G : R -> R) (a : R) : continuous G a -> filterlim G (after a) (locally (G a)).
Proof.
  intro K. unfold after. destruct (Req_EM_T a 0) as [-> |]; [exact (near_by_continuity G 0 K) |].
  intros P H. exact (locally_singleton _ _ H).
Qed.

(** * Tactics for files *)

Lemma certified_by A B : (0 <= low (extent B) /\ Rbar_lt (low (extent B)) (high (extent B))) ->
  (forall c1, in_strip (extent B) c1 -> 0 <= bottom_of (extent B) c1 /\ Rbar_le (bottom_of (extent B) c1) (top_of (extent B) c1)) ->
  (forall c1, in_strip (extent B) c1 -> low (extent B) < c1 -> Rbar_lt c1 (high (extent B)) ->
    Rbar_lt (bottom_of (extent B) c1) (top_of (extent B) c1)) ->
  (forall c1, in_strip (extent B) c1 -> forall c0, 0 < c0 ->
    (hold (region A c0 c1) <-> bottom_of (extent B) c1 <= c0 /\ Rbar_le c0 (top_of (extent B) c1))) ->
  integrates A (extent B) (fun c0 _ => c0) (amounts B) ->
  integrates A (extent B) (fun _ _ => 1) (chances B) ->
  slopes_in (extent B) (whole0 B) (all_of (amounts B)) ->
  slopes_in (extent B) (whole1 B) (fun c1 => c1 * all_of (chances B) c1) ->
  slopes_in (extent B) (whole B) (all_of (chances B)) ->
  (forall p, 0 < p < 1 -> slopes_where_inside (extent B) p (inside0 B p) (part_below (amounts B) p)) ->
  (forall p, 0 < p < 1 -> slopes_where_inside (extent B) p (inside1 B p) (fun c1 => c1 * part_above (chances B) p c1)) ->
  certified A B.
Proof.
  intros W Order Strict Region Amounts Chances Whole0 Whole1 Whole Inside0 Inside1.
  repeat (split; [assumption |]); try assumption.
  split; [| repeat (split; [assumption |]); assumption].
  split; [apply W | split; [apply W |]]. intros c1 In. destruct (Order c1 In) as [Bottom Below].
  split; [exact Bottom | split; [exact Below | split; [apply Strict, In | apply Region, In]]].
Qed.

(** Write definitions out, down to closed forms. *)
Ltac reading := cbv beta iota delta [
    certified_law certified_area strips all_of_law gains_of_law uncut map fst snd all_cuts all_limits gains gain are_cuts runs under
    first_part start_of starts stops parts0 parts1 nothing_paid begins ends stacked covered integrates slopes_in slopes_where_inside in_strip
    slope_is hold Rbar_le Rbar_lt closed_forms spanning ranging extent amounts chances inside0 whole0 inside1 whole1 whole amount
    at_bottom at_top primitive at_low at_high all_of part_below part_above bottom_of top_of side_at ray_of density region lower upper rate
    offset low high loss0 loss1] in *.
Ltac opened := reading; intros c1 (Positive & From & To).

(** An order that is seen by one of some differences, which are not negative, or positive: by fractions, or else by more. *)
Ltac quickly difference :=
  first [ apply (below_by difference); [solve [field; see] | see] | apply (strictly_below_by difference); [solve [field; see] | see] ].
Ltac thoroughly difference :=
  first [ apply (below_by difference); [equal_exponentials | see] | apply (strictly_below_by difference); [equal_exponentials | see] ].
Ltac in_order differences :=
  reading; repeat match goal with |- _ /\ _ => split | |- True => exact I end;
  first [lra | differences quickly | differences thoroughly].

(** Limits at the ends of strips: of what is continuous there, or vanishes at infinity. *)
Ltac vanishes_otherwise := fail.
Ltac vanishes :=
  lazymatch goal with
  | |- is_lim (fun x => polynomial _ x * exp _) p_infty _ => first [apply polynomial_exponential_vanishes; see | vanishes_otherwise]
  | |- is_lim (fun x => @?f x + @?g x) p_infty _ => apply (sum_vanishes f g); vanishes
  | |- is_lim (fun x => _ / x ^ _) p_infty _ => apply inverse_power_vanishes
  | |- is_lim (fun x => _ / (x + _) ^ _) p_infty _ => apply shifted_inverse_power_vanishes
  | |- is_lim (fun x => _ / sqrt x ^ _) p_infty _ => apply inverse_root_vanishes
  | |- _ => vanishes_otherwise
  end.
Ltac tends :=
  lazymatch goal with
  | |- filterlim (fun _ => 0) _ _ => apply filterlim_const
  | |- filterlim _ (before (Finite _)) _ => apply tends_before; reflexivity
  | |- filterlim ?G (before p_infty) _ => change (is_lim G p_infty 0); vanishes
  | |- filterlim ?G (after ?a) _ => refine (tends_if_continuous G a _); cbn [polynomial]; smooth
  end.
Ltac limits := reading; repeat match goal with |- _ /\ _ => split | |- True => exact I end; tends.

Ltac antiderivative_in_c1_by hint := opened; intros; sloped_by hint.
Ltac antiderivative_in_c1 := antiderivative_in_c1_by idtac.
Ltac antiderivative_in_c0 := opened; split; [intros c0 Positive0 Above Under; sloped_by idtac | split; tends].
Ltac gained_by hint :=
  reading; cbn [polynomial]; first [equal_exponentials_by hint | split_logarithms; equal_exponentials_by hint].
Ltac gained := gained_by idtac.

(** A strip with two sides that are lines: [read] writes out what it is, and [widths] see that it is wide. *)
Ltac certified_plainly read widths :=
  apply certified_by; read;
  [ in_order widths | opened; intros; split; lra | opened; intros; lra | opened; intros; lra
  | antiderivative_in_c0 | antiderivative_in_c0 | antiderivative_in_c1 | antiderivative_in_c1 | antiderivative_in_c1
  | intros p Unit; antiderivative_in_c1 | intros p Unit; antiderivative_in_c1 ].
Ltac covered_plainly read :=
  split; read; [repeat split |]; intros c0 c1 Positive0 Positive1 Held; split; first [exact I | lra].

(** A law is certified if each of its areas is covered and each of their strips certified. *)
Ltac each_strip := repeat apply List.Forall_cons; try apply List.Forall_nil; (split; [| split; [discriminate | listed]]).

(** What is counted over whole strips, and the expected costs at the report [p], by how its ray cuts each strip. *)
Ltac summed theorem read certified gains := refine (theorem _ _ certified _ _); read; [limits | gains].
Definition cut_so (at_report : R -> list (list cuts)) : R -> list (list cuts) := at_report.
Ltac costs_by read certified cuts orders gains :=
  try intros p Unit Start Stop;
  lazymatch goal with Unit : 0 < ?p < 1 |- _ =>
    let cuts := eval cbv beta delta [cut_so] in (cuts p) in
    apply (costs_by_cuts _ p cuts _ _ Unit certified); read; [in_order orders | limits | limits | gains | gains]
  end.
