(** Two independent costs, each on an interval, of which one has a power as its density there.

    Of the other cost no more is needed than how its probability, its mean and one more moment add up from the lowest
    cost on, in whatever functions, as incomplete Beta and Gamma functions: integrals over both costs come down to
    these by parts. *)

From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From CostDerive Require Import Elementary Properness Limits Endpoints Atoms ExpectedLoss Costs Tails Areas Strips Independent.
Import ListNotations.
Open Scope R_scope.

(** * Intervals, and what adds up along them *)

(** An end of an interval of costs. *)
Inductive place := Zero | At (x : R) | Beyond.

Definition within_places (a b : place) (x : R) : Prop :=
  match a with At l => l <= x | _ => True end /\ match b with At h => x <= h | _ => True end.
Definition strictly_within_places (a b : place) (x : R) : Prop :=
  match a with At l => l < x | _ => True end /\ match b with At h => x < h | _ => True end.
Definition interval (a b : place) : Prop :=
  match a, b with
  | Zero, At h => 0 < h
  | Zero, Beyond => True
  | At l, At h => 0 < l < h
  | At l, Beyond => 0 < l
  | _, _ => False
  end.

(** The number in the interval that is nearest to [x]. *)
Definition nearest (a b : place) (x : R) : R :=
  let y := match a with At l => Rmax l x | _ => x end in match b with At h => Rmin h y | _ => y end.

(** What has been added up at a cost in the interval, and at its ends. *)
Record sum_up := SumUp { up_to : R -> R; least : R; most : R }.

(** The integral of [g] from one cost in the interval to another is the difference of what has been added up; [g] has
    limits at ends that are costs. Beside another cost from [c] to [d] limits at ends that are no costs may be needed only
    where [c] or [d] is such an end as well. *)
Definition adds_up_beside (c d a b : place) (g : R -> R) (G : sum_up) : Prop :=
  (forall x, 0 < x -> within_places a b x -> continuous (up_to G) x) /\
  (forall x, 0 < x -> strictly_within_places a b x -> is_derive (up_to G) x (g x)) /\
  (exists h, (forall x, 0 < x -> within_places a b x -> continuous h x) /\ (forall x, 0 < x -> strictly_within_places a b x -> h x = g x)) /\
  match a with At l => up_to G l = least G | _ => c = Zero -> filterlim (up_to G) (at_right 0) (locally (least G)) end /\
  match b with At h => up_to G h = most G | _ => d = Beyond -> is_lim (up_to G) p_infty (most G) end.
Definition adds_up : place -> place -> (R -> R) -> sum_up -> Prop := adds_up_beside Zero Beyond.
Lemma adds_up_beside_any c d a b g G : adds_up a b g G -> adds_up_beside c d a b g G.
Proof.
  intros (C & D & H & Start & Stop). repeat (split; [assumption |]).
  split; [destruct a; first [exact Start | intros _; exact (Start eq_refl)] | destruct b; first [exact Stop | intros _; exact (Stop eq_refl)]].
Qed.

(** What has been added up at a cost anywhere, and at a place. *)
Definition at_cost (a b : place) (G : sum_up) (x : R) : R := up_to G (nearest a b x).
Definition reach (a b : place) (G : sum_up) (where_ : place) : R :=
  match where_ with Zero => least G | At x => at_cost a b G x | Beyond => most G end.

Lemma inside_dec a b x : {within_places a b x} + {~ within_places a b x}.
Proof.
  unfold within_places. destruct a as [| l |], b as [| h |]; try (left; tauto); try destruct (Rle_dec l x); try destruct (Rle_dec x h);
    first [left; tauto | right; tauto].
Qed.
Definition within_only (a b : place) (g : R -> R) (x : R) : R := if inside_dec a b x then g x else 0.

(** ** Integrals by antiderivatives that are continuous at the ends *)

(** [F] is an antiderivative of [f] over all positive numbers, but perhaps for single ones. *)
Definition integrated (F f : R -> R) : Prop := forall x y, 0 < x -> x <= y -> is_RInt f x y (F y - F x).

Lemma integral_inside (G g : R -> R) a b : a <= b -> (forall x, a <= x <= b -> continuous G x /\ continuous g x) ->
  (forall x, a < x < b -> is_derive G x (g x)) -> is_RInt g a b (G b - G a).
Proof.
  intros AB C D. destruct (C0_extension_le g a b) as (h & H & E); [intros c I; apply C, I |].
  assert (DH : forall x, is_derive (RInt h a) x (h x)).
  { intro x. apply (is_derive_RInt h _ a x); [| apply H].
    apply filter_forall. intro y. apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous. intros; apply H. }
  assert (Same : G b - RInt h a b = G a - RInt h a a).
  { destruct (MVT_gen (fun x => G x - RInt h a x) a b (fun _ => 0)) as (c & _ & Eq); [| | lra].
    - rewrite Rmin_left, Rmax_right by exact AB. intros x X. replace 0 with (g x - h x) by (rewrite E by lra; ring).
      apply (is_derive_minus (V := R_NormedModule)); [apply D, X | apply DH].
    - rewrite Rmin_left, Rmax_right by exact AB. intros x X. apply continuity_pt_filterlim.
      apply (continuous_minus (V := R_NormedModule)); [apply C, X |].
      apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply DH. }
  rewrite RInt_point in Same. unfold zero in Same; simpl in Same.
  replace (G b - G a) with (RInt h a b) by lra.
  apply (is_RInt_ext h).
  - rewrite Rmin_left, Rmax_right by exact AB. intros x X. apply E. lra.
  - apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous. intros; apply H.
Qed.

Lemma integral_joined (f : R -> R) a m b (F : R -> R) : is_RInt f a m (F m - F a) -> is_RInt f m b (F b - F m) ->
  is_RInt f a b (F b - F a).
Proof.
  intros A B. replace (F b - F a) with (plus (F m - F a) (F b - F m)) by (unfold plus; simpl; ring).
  exact (is_RInt_Chasles (V := R_NormedModule) f a m b _ _ A B).
Qed.
Lemma integral_nowhere (f : R -> R) a (F : R -> R) : is_RInt f a a (F a - F a).
Proof. replace (F a - F a) with 0 by ring. exact (is_RInt_point (V := R_NormedModule) f a). Qed.

(** Before the interval, in it, and after it. *)
Lemma integrated_in_parts a b (F f : R -> R) : interval a b ->
  (forall x y, 0 < x -> x <= y -> match a with At l => y <= l | _ => False end -> is_RInt f x y (F y - F x)) ->
  (forall x y, 0 < x -> x <= y -> within_places a b x -> within_places a b y -> is_RInt f x y (F y - F x)) ->
  (forall x y, 0 < x -> x <= y -> match b with At h => h <= x | _ => False end -> is_RInt f x y (F y - F x)) -> integrated F f.
Proof.
  intros I Before In After.
  assert (Onward : forall x y, 0 < x -> x <= y -> match a with At l => l <= x | _ => True end -> is_RInt f x y (F y - F x)).
  { intros x y X XY A. destruct b as [| h |]; [destruct a; contradiction | | apply In; unfold within_places; destruct a; repeat split; lra].
    destruct (Rle_dec h x); [apply After; assumption |]. destruct (Rle_dec y h); [apply In; unfold within_places; destruct a; repeat split; lra |].
    apply integral_joined with h; [apply In; unfold within_places; destruct a; repeat split; lra | apply After; lra]. }
  intros x y X XY. destruct a as [| l |]; [apply Onward; tauto | | contradiction].
  destruct (Rle_dec l x); [apply Onward; assumption |]. destruct (Rle_dec y l); [apply Before; assumption |].
  apply integral_joined with l; [apply Before; lra | apply Onward; lra].
Qed.

Lemma integral_scaled (f : R -> R) (k a b v : R) : is_RInt f a b v -> is_RInt (fun x => k * f x) a b (k * v).
Proof. exact (is_RInt_scal (V := R_NormedModule) f a b k v). Qed.
Lemma integral_added (f g : R -> R) (a b v w : R) : is_RInt f a b v -> is_RInt g a b w -> is_RInt (fun x => f x + g x) a b (v + w).
Proof. exact (is_RInt_plus (V := R_NormedModule) f g a b v w). Qed.
Lemma integral_same (f g : R -> R) (a b v w : R) : a <= b -> (forall x, a < x < b -> f x = g x) -> v = w -> is_RInt f a b v -> is_RInt g a b w.
Proof. intros AB E <-. apply is_RInt_ext. rewrite Rmin_left, Rmax_right by exact AB. exact E. Qed.
Lemma integral_over_nothing (f : R -> R) (a b v : R) : a <= b -> (forall x, a < x < b -> f x = 0) -> v = 0 -> is_RInt f a b v.
Proof. intros AB Z ->. apply integral_of_zero; assumption. Qed.

Lemma over_positive_by_increments (F f : R -> R) (bottom top : R) : integrated F f -> filterlim F (at_right 0) (locally bottom) ->
  is_lim F p_infty top -> over_positive f (top - bottom).
Proof.
  intros I Bottom Top P HP.
  assert (Change : filterlim (fun xy => F (snd xy) - F (fst xy)) (filter_prod (at_right 0) (Rbar_locally p_infty)) (locally (top - bottom))).
  { refine (filterlim_comp_2 (G := locally top) (H := locally (- bottom)) (fun xy : R * R => F (snd xy))
      (fun xy => - F (fst xy)) Rplus _ _ (filterlim_plus (V := R_NormedModule) top (- bottom))).
    - exact (filterlim_comp _ _ _ snd F _ _ _ filterlim_snd Top).
    - refine (filterlim_comp _ _ _ (fun xy : R * R => F (fst xy)) Ropp _ (locally bottom) _ _ (filterlim_opp (V := R_NormedModule) bottom)).
      exact (filterlim_comp _ _ _ fst F _ _ _ filterlim_fst Bottom). }
  assert (Near : filter_prod (at_right 0) (Rbar_locally p_infty) (fun xy => P (F (snd xy) - F (fst xy)))) by exact (Change P HP).
  refine (filter_imp _ _ _ (filter_and _ _ within_positive Near)).
  intros [x y] [[X XY] HF]. simpl in *. exists (F y - F x). split; [apply I; lra | exact HF].
Qed.

(** ** What adds up along an interval, over all positive numbers *)

Lemma nearest_inside a b x : within_places a b x -> nearest a b x = x.
Proof.
  unfold within_places, nearest. intros [A B]. destruct a as [| l |], b as [| h |]; try reflexivity;
    rewrite ?Rmax_right by assumption; rewrite ?Rmin_right by assumption; reflexivity.
Qed.
Lemma nearest_before l b x : interval (At l) b -> x <= l -> nearest (At l) b x = l.
Proof.
  unfold nearest. intros I X. rewrite Rmax_left by exact X. destruct b as [| h |]; simpl in I; try reflexivity. apply Rmin_right. lra.
Qed.
Lemma nearest_after a h x : h <= x -> nearest a (At h) x = h.
Proof. unfold nearest. intro X. destruct a as [| l |]; apply Rmin_left; try lra. pose proof (Rmax_r l x). lra. Qed.

Section Sum.
Variables (c d a b : place) (g : R -> R) (G : sum_up).
Hypothesis ordered : interval a b.
Hypothesis sums : adds_up_beside c d a b g G.
Local Notation F := (at_cost a b G).

Lemma at_cost_inside x : within_places a b x -> F x = up_to G x.
Proof. intro X. unfold at_cost. rewrite nearest_inside by exact X. reflexivity. Qed.

Lemma integrated_beside : integrated F (within_only a b g).
Proof.
  destruct sums as (C & D & (h & CH & E) & _). apply (integrated_in_parts a b _ _ ordered).
  - intros x y X XY Before. destruct a as [| l |]; try contradiction. apply integral_over_nothing; [exact XY | |].
    + intros z Z. unfold within_only. destruct (inside_dec _ _ z) as [[In _] |]; [lra | reflexivity].
    + unfold at_cost. rewrite !nearest_before by (exact ordered || lra). ring.
  - intros x y X XY InX InY. rewrite !at_cost_inside by assumption.
    assert (Between : forall z, x <= z <= y -> within_places a b z).
    { intros z Z. unfold within_places in *. destruct a, b; repeat split; try lra. }
    assert (Inner : forall z, x < z < y -> strictly_within_places a b z).
    { intros z Z. unfold within_places, strictly_within_places in *. destruct a, b; repeat split; lra. }
    apply (integral_same h _ x y (up_to G y - up_to G x)); [exact XY | | reflexivity |].
    + intros z Z. unfold within_only. destruct (inside_dec a b z) as [| N]; [apply E; [lra | apply Inner, Z] |]. exfalso. apply N, Between. lra.
    + apply integral_inside; [exact XY | |].
      * intros z Z. split; [apply C | apply CH]; lra || apply Between, Z.
      * intros z Z. rewrite E by (lra || apply Inner, Z). apply D; [lra | apply Inner, Z].
  - intros x y X XY After. destruct b as [| top |]; try contradiction. apply integral_over_nothing; [exact XY | |].
    + intros z Z. unfold within_only. destruct (inside_dec _ _ z) as [[_ In] |]; [lra | reflexivity].
    + unfold at_cost. rewrite !nearest_after by lra. ring.
Qed.

Lemma starts_beside : c = Zero -> filterlim F (at_right 0) (locally (least G)).
Proof.
  intro Needed. destruct sums as (_ & _ & _ & Start & _). destruct a as [| l |]; [| | contradiction].
  - assert (Near : exists e, 0 < e /\ forall x, 0 < x < e -> within_places Zero b x).
    { destruct b as [| h |]; simpl in ordered; [contradiction | exists h | exists 1]; split; try lra; intros x X; split; simpl; try exact I; lra. }
    destruct Near as (e & E & Near). apply (filterlim_ext_loc (up_to G)); [| exact (Start Needed)].
    apply filter_imp with (2 := right_of 0 e E). intros x X. symmetry. unfold at_cost. rewrite nearest_inside; [reflexivity | apply Near; lra].
  - assert (L : 0 < l) by (destruct b; simpl in ordered; lra).
    apply (filterlim_ext_loc (fun _ => least G)); [| apply filterlim_const].
    apply filter_imp with (2 := right_of 0 l L). intros x X. unfold at_cost. rewrite nearest_before by (exact ordered || lra). symmetry. exact Start.
Qed.
Lemma ends_beside : d = Beyond -> is_lim F p_infty (most G).
Proof.
  intro Needed. destruct sums as (_ & _ & _ & _ & Stop). destruct b as [| h |]; [destruct a; contradiction | |].
  - apply (is_lim_ext_loc (fun _ => most G)); [| apply is_lim_const].
    exists h. intros x X. unfold at_cost. rewrite nearest_after by lra. symmetry. exact Stop.
  - apply (is_lim_ext_loc (up_to G)); [| exact (Stop Needed)].
    exists (match a with At l => l | _ => 0 end). intros x X. unfold at_cost. rewrite nearest_inside; [reflexivity |].
    unfold within_places. destruct a; split; try exact I; lra.
Qed.

(** By parts, beside a function with a slope. *)
Lemma added_by_parts (P P' : R -> R) c' d' (H : sum_up) : (forall x, 0 < x -> is_derive P x (P' x) /\ continuous P' x) ->
  adds_up_beside c' d' a b (fun x => P x * g x) H -> integrated (fun x => P x * F x - at_cost a b H x) (fun x => P' x * F x).
Proof.
  intros DP (CH & DH & _). destruct sums as (C & D & _).
  assert (CP : forall x, 0 < x -> continuous P x).
  { intros x X. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply DP, X. }
  assert (Steady : forall k x y z, 0 < x -> x <= y -> (forall t, x <= t <= y -> F t = k /\ at_cost a b H t = z) ->
    is_RInt (fun x => P' x * F x) x y (P y * F y - at_cost a b H y - (P x * F x - at_cost a b H x))).
  { intros k x y z X XY K. destruct (K x) as [-> ->]; [lra |]. destruct (K y) as [-> ->]; [lra |].
    apply (integral_same (fun t => k * P' t) _ x y (k * (P y - P x))); [exact XY | | ring |].
    - intros t T. destruct (K t) as [-> _]; [lra | ring].
    - apply integral_scaled, integral_inside; [exact XY | |]; intros t T; [split; [apply CP | apply DP] | apply DP]; lra. }
  apply (integrated_in_parts a b _ _ ordered).
  - intros x y X XY Before. destruct a as [| l |]; try contradiction.
    apply (Steady (up_to G l) x y (up_to H l) X XY). intros t T. unfold at_cost. rewrite nearest_before by (exact ordered || lra). split; reflexivity.
  - intros x y X XY InX InY.
    assert (Between : forall z, x <= z <= y -> within_places a b z).
    { intros z Z. unfold within_places in *. destruct a, b; repeat split; try lra. }
    apply (integral_same (fun t => P' t * up_to G t) _ x y (P y * up_to G y - up_to H y - (P x * up_to G x - up_to H x))); [exact XY | | |].
    + intros t T. rewrite at_cost_inside by (apply Between; lra). reflexivity.
    + unfold at_cost. rewrite !nearest_inside by assumption. reflexivity.
    + apply (integral_inside (fun t => P t * up_to G t - up_to H t)); [exact XY | |].
      * intros t T. assert (0 < t) by lra. assert (CG : continuous (up_to G) t) by (apply C; [lra | apply Between, T]).
        assert (CH' : continuous (up_to H) t) by (apply CH; [lra | apply Between, T]). split.
        -- apply (continuous_minus (V := R_NormedModule) (fun t => P t * up_to G t) (up_to H)); [| exact CH'].
           apply (continuous_mult P (up_to G)); [apply CP; lra | exact CG].
        -- apply (continuous_mult P' (up_to G)); [apply DP; lra | exact CG].
      * intros t T. assert (S : strictly_within_places a b t) by (unfold within_places, strictly_within_places in *; destruct a, b; repeat split; lra).
        replace (P' t * up_to G t) with (P' t * up_to G t + P t * g t - P t * g t) by ring.
        apply (is_derive_minus (V := R_NormedModule) (fun t => P t * up_to G t) (up_to H)); [| apply DH; [lra | exact S]].
        apply (is_derive_mult P (up_to G)); [apply DP; lra | apply D; [lra | exact S] | exact Rmult_comm].
  - intros x y X XY After. destruct b as [| h |]; try contradiction.
    apply (Steady (up_to G h) x y (up_to H h) X XY). intros t T. unfold at_cost. rewrite nearest_after by lra. split; reflexivity.
Qed.
End Sum.

Lemma at_cost_is_integrated a b g G : interval a b -> adds_up a b g G -> integrated (at_cost a b G) (within_only a b g).
Proof. apply integrated_beside. Qed.
Lemma at_cost_starts a b g G : interval a b -> adds_up a b g G -> filterlim (at_cost a b G) (at_right 0) (locally (least G)).
Proof. intros O S. exact (starts_beside Zero Beyond a b g G O S eq_refl). Qed.
Lemma at_cost_ends a b g G : interval a b -> adds_up a b g G -> is_lim (at_cost a b G) p_infty (most G).
Proof. intros O S. exact (ends_beside Zero Beyond a b g G O S eq_refl). Qed.

Lemma adds_up_as {c d} a b (g h : R -> R) (G : sum_up) : (forall x, 0 < x -> strictly_within_places a b x -> g x = h x) ->
  adds_up_beside c d a b g G -> adds_up_beside c d a b h G.
Proof.
  intros E (C & D & (f & CF & F) & Limits). split; [exact C | split; [| split; [| exact Limits]]].
  - intros x X In. rewrite <- E by assumption. apply D; assumption.
  - exists f. split; [exact CF |]. intros x X In. rewrite F by assumption. apply E; assumption.
Qed.

Lemma integrated_combined k m (F f G g : R -> R) : integrated F f -> integrated G g ->
  integrated (fun x => k * F x + m * G x) (fun x => k * f x + m * g x).
Proof.
  intros IF IG x y X XY. replace (k * F y + m * G y - (k * F x + m * G x)) with (k * (F y - F x) + m * (G y - G x)) by ring.
  apply integral_added; apply integral_scaled; [apply IF | apply IG]; assumption.
Qed.
Lemma integrated_as (F f G g : R -> R) : (forall x, 0 < x -> F x = G x) -> (forall x, 0 < x -> f x = g x) ->
  integrated F f -> integrated G g.
Proof.
  intros EF Ef I x y X XY. apply (integral_same f g x y (F y - F x)); [exact XY | | | apply I; assumption].
  - intros z Z. apply Ef. lra.
  - rewrite !EF by lra. reflexivity.
Qed.
Lemma integrated_at_multiple k (F f : R -> R) : 0 < k -> integrated F f -> integrated (fun x => F (k * x)) (fun x => k * f (k * x)).
Proof.
  intros K I x y X XY. assert (0 < k * x) by (apply Rmult_lt_0_compat; assumption).
  assert (k * x <= k * y) by (apply Rmult_le_compat_l; lra).
  assert (J : is_RInt f (k * x + 0) (k * y + 0) (F (k * y) - F (k * x))) by (rewrite !Rplus_0_r; apply I; assumption).
  apply (is_RInt_comp_lin (V := R_NormedModule)) in J. revert J. apply is_RInt_ext.
  intros z _. rewrite Rplus_0_r. reflexivity.
Qed.

(** What is integrated on an interval alone. *)
Lemma integrated_within a b (F f : R -> R) : interval a b -> integrated F f ->
  integrated (fun x => F (nearest a b x)) (within_only a b f).
Proof.
  intros O I. apply (integrated_in_parts a b _ _ O).
  - intros x y X XY Before. destruct a as [| l |]; try contradiction. apply integral_over_nothing; [exact XY | |].
    + intros z Z. unfold within_only. destruct (inside_dec _ _ z) as [[In _] |]; [lra | reflexivity].
    + rewrite !nearest_before by (exact O || lra). ring.
  - intros x y X XY InX InY. rewrite !nearest_inside by assumption.
    apply (integral_same f _ x y (F y - F x)); [exact XY | | reflexivity | apply I; assumption].
    intros z Z. unfold within_only. destruct (inside_dec a b z) as [| N]; [reflexivity |]. exfalso. apply N.
    unfold within_places in *. destruct a, b; repeat split; try lra.
  - intros x y X XY After. destruct b as [| h |]; try contradiction. apply integral_over_nothing; [exact XY | |].
    + intros z Z. unfold within_only. destruct (inside_dec _ _ z) as [[_ In] |]; [lra | reflexivity].
    + rewrite !nearest_after by lra. ring.
Qed.
Lemma nearest_starts a b (F : R -> R) (bottom : R) : interval a b -> (a = Zero -> filterlim F (at_right 0) (locally bottom)) ->
  filterlim (fun x => F (nearest a b x)) (at_right 0) (locally (match a with At l => F l | _ => bottom end)).
Proof.
  intros O Start. destruct a as [| l |]; [| | contradiction].
  - assert (Near : exists e, 0 < e /\ forall x, 0 < x < e -> within_places Zero b x).
    { destruct b as [| h |]; simpl in O; [contradiction | exists h | exists 1]; split; try lra; intros x X; split; simpl; try exact I; lra. }
    destruct Near as (e & E & Near). apply (filterlim_ext_loc F); [| exact (Start eq_refl)].
    apply filter_imp with (2 := right_of 0 e E). intros x X. rewrite nearest_inside; [reflexivity | apply Near; lra].
  - assert (L : 0 < l) by (destruct b; simpl in O; lra).
    apply (filterlim_ext_loc (fun _ => F l)); [| apply filterlim_const].
    apply filter_imp with (2 := right_of 0 l L). intros x X. rewrite nearest_before by (exact O || lra). reflexivity.
Qed.
Lemma nearest_ends a b (F : R -> R) (top : R) : interval a b -> (b = Beyond -> is_lim F p_infty top) ->
  is_lim (fun x => F (nearest a b x)) p_infty (Finite (match b with At h => F h | _ => top end)).
Proof.
  intros O Stop. destruct b as [| h |]; [destruct a; contradiction | |].
  - apply (is_lim_ext_loc (fun _ => F h)); [| apply is_lim_const].
    exists h. intros x X. rewrite nearest_after by lra. reflexivity.
  - apply (is_lim_ext_loc F); [| exact (Stop eq_refl)].
    exists (match a with At l => l | _ => 0 end). intros x X. rewrite nearest_inside; [reflexivity |].
    unfold within_places. destruct a; split; try exact I; lra.
Qed.
Lemma over_interval a b (F f : R -> R) (bottom top : R) : interval a b -> integrated F f ->
  (a = Zero -> filterlim F (at_right 0) (locally bottom)) -> (b = Beyond -> is_lim F p_infty top) ->
  over_positive (within_only a b f) (match b with At h => F h | _ => top end - match a with At l => F l | _ => bottom end).
Proof.
  intros O I Start Stop. apply (over_positive_by_increments (fun x => F (nearest a b x))).
  - apply integrated_within; assumption.
  - apply nearest_starts; assumption.
  - apply nearest_ends; assumption.
Qed.

(** What is integrated up to a number, or from it on. *)
Lemma integrated_below (F f : R -> R) t : 0 < t -> integrated F f ->
  integrated (fun x => F (Rmin x t)) (fun x => if Rlt_dec x t then f x else 0).
Proof.
  intros T I. apply (integrated_in_parts Zero (At t) _ _ T).
  - intros x y _ _ [].
  - intros x y X XY [_ InX] [_ InY]. rewrite !Rmin_left by assumption.
    apply (integral_same f _ x y (F y - F x)); [exact XY | | reflexivity | apply I; assumption].
    intros z Z. destruct (Rlt_dec z t); [reflexivity | lra].
  - intros x y X XY After. rewrite !Rmin_right by lra. apply integral_over_nothing; [exact XY | | ring].
    intros z Z. destruct (Rlt_dec z t); [lra | reflexivity].
Qed.
Lemma integrated_above (F f : R -> R) t : 0 < t -> integrated F f ->
  integrated (fun x => F (Rmax x t)) (fun x => if Rlt_dec x t then 0 else f x).
Proof.
  intros T I. apply (integrated_in_parts (At t) Beyond _ _ T).
  - intros x y X XY Before. rewrite !Rmax_right by lra. apply integral_over_nothing; [exact XY | | ring].
    intros z Z. destruct (Rlt_dec z t); [reflexivity | lra].
  - intros x y X XY [InX _] [InY _]. rewrite !Rmax_left by assumption.
    apply (integral_same f _ x y (F y - F x)); [exact XY | | reflexivity | apply I; assumption].
    intros z Z. destruct (Rlt_dec z t); [lra | reflexivity].
  - intros x y _ _ [].
Qed.
Lemma soon_constant (F : R -> R) t value : 0 < t -> (forall x, 0 < x < t -> F x = value) -> filterlim F (at_right 0) (locally value).
Proof.
  intros T E. apply (filterlim_ext_loc (fun _ => value)); [| apply filterlim_const].
  apply filter_imp with (2 := right_of 0 t T). intros x X. symmetry. apply E, X.
Qed.
Lemma finally_constant (F : R -> R) t (value : R) : (forall x, t < x -> F x = value) -> is_lim F p_infty value.
Proof. intro E. apply (is_lim_ext_loc (fun _ => value)); [exists t; intros x X; symmetry; apply E, X | apply is_lim_const]. Qed.
Lemma soon_same (F G : R -> R) t value : 0 < t -> (forall x, 0 < x < t -> G x = F x) ->
  filterlim F (at_right 0) (locally value) -> filterlim G (at_right 0) (locally value).
Proof.
  intros T E. apply filterlim_ext_loc. apply filter_imp with (2 := right_of 0 t T). intros x X. symmetry. apply E, X.
Qed.
Lemma finally_same (F G : R -> R) t (value : R) : (forall x, t < x -> G x = F x) -> is_lim F p_infty value -> is_lim G p_infty value.
Proof. intro E. apply is_lim_ext_loc. exists t. intros x X. symmetry. apply E, X. Qed.

Lemma over_positive_scaled k (f : R -> R) (v : R) : over_positive f v -> over_positive (fun x => k * f x) (k * v).
Proof. exact (is_RInt_gen_scal f k v). Qed.

(** * Two independent costs *)

(** The law of one cost: its density on an interval, and how its probability and its mean add up there. Beside another cost
    that ends at [d] the mean may be infinite, unless [d] is no cost. *)
Definition law_along (d a b : place) (f : R -> R) (C M : sum_up) : Prop :=
  interval a b /\ (forall x, 0 < x -> within_places a b x -> 0 <= f x) /\ adds_up a b f C /\
  adds_up_beside Zero d a b (fun x => x * f x) M /\ most C - least C = 1.
Lemma law_beside d a b f C M : law_along Beyond a b f C M -> law_along d a b f C M.
Proof. intros (O & N & HC & HM & E). exact (conj O (conj N (conj HC (conj (adds_up_beside_any _ _ _ _ _ _ HM) E)))). Qed.

Definition product_of (A : area) (a0 b0 : place) (f0 : R -> R) (a1 b1 : place) (f1 : R -> R) : Prop :=
  forall c0 c1, 0 < c0 -> 0 < c1 ->
    density A c0 c1 = f0 c0 * f1 c1 /\ (hold (region A c0 c1) <-> within_places a0 b0 c0 /\ within_places a1 b1 c1).

Section Two.
Context {d0 d1 : place}.
Variables (A : area) (a0 b0 a1 b1 : place) (f0 f1 : R -> R) (C0 M0 C1 M1 : sum_up).
Hypotheses (law0 : law_along d0 a0 b0 f0 C0 M0) (law1 : law_along d1 a1 b1 f1 C1 M1) (product : product_of A a0 b0 f0 a1 b1 f1).
Local Notation only0 := (within_only a0 b0 f0).
Local Notation only1 := (within_only a1 b1 f1).

Lemma paid_by_two pay c0 c1 : 0 < c0 -> 0 < c1 -> paid A pay c1 c0 = pay c0 c1 * (only0 c0 * only1 c1).
Proof.
  intros P0 P1. destruct (product c0 c1 P0 P1) as [D H]. unfold paid, within_only. rewrite D.
  destruct (indicator_cases (region A c0 c1)) as [[Held ->] | [Not ->]].
  - apply H in Held. destruct (inside_dec a0 b0 c0), (inside_dec a1 b1 c1); try tauto. ring.
  - destruct (inside_dec a0 b0 c0), (inside_dec a1 b1 c1); try tauto; ring.
Qed.

Lemma two_are_lawful : lawful_areas [A].
Proof.
  apply List.Forall_cons; [| apply List.Forall_nil]. intros c0 c1 P0 P1 Held.
  destruct (product c0 c1 P0 P1) as [-> H]. apply H in Held. destruct law0 as (_ & N0 & _), law1 as (_ & N1 & _).
  apply Rmult_le_pos; [apply N0 | apply N1]; tauto.
Qed.

Lemma alone_over pay value : over_area A pay value -> over_areas [A] pay value.
Proof. intro H. exists value, 0. repeat split; [exact H | ring]. Qed.

Lemma over_factors (g0 g1 : R -> R) (v0 v1 : R) : over_positive (fun x => g0 x * only0 x) v0 ->
  over_positive (fun x => g1 x * only1 x) v1 -> over_areas [A] (fun c0 c1 => g0 c0 * g1 c1) (v0 * v1).
Proof.
  intros I0 I1. apply alone_over. exists (fun c1 => g1 c1 * only1 c1 * v0). split.
  - intros c1 P1. apply (over_positive_ext (fun c0 => g1 c1 * only1 c1 * (g0 c0 * only0 c0))).
    + intros x X. rewrite paid_by_two by assumption. ring.
    + exact (over_positive_scaled (g1 c1 * only1 c1) _ _ I0).
  - apply (over_positive_ext (fun c1 => v0 * (g1 c1 * only1 c1))); [intros; ring |].
    exact (over_positive_scaled v0 _ _ I1).
Qed.

Lemma only_beside a b (f g : R -> R) x : within_only a b (fun x => g x * f x) x = g x * within_only a b f x.
Proof. unfold within_only. destruct (inside_dec a b x); ring. Qed.
Lemma whole_along {d} a b f C M : law_along d a b f C M -> over_positive (fun x => 1 * within_only a b f x) 1.
Proof.
  intros (O & _ & HC & _ & E). apply (over_positive_ext (within_only a b f)); [intros; ring |].
  apply over_positive_is with (most C - least C); [| exact E].
  apply (over_positive_by_increments (at_cost a b C)).
  - apply (at_cost_is_integrated a b f C O HC).
  - apply (at_cost_starts a b f C O HC).
  - apply (at_cost_ends a b f C O HC).
Qed.
Lemma mean_along a b f C M : law_along Beyond a b f C M -> over_positive (fun x => x * within_only a b f x) (most M - least M).
Proof.
  intros (O & _ & _ & HM & _). apply (over_positive_ext (within_only a b (fun x => x * f x))).
  - intros x _. exact (only_beside a b f (fun x => x) x).
  - apply (over_positive_by_increments (at_cost a b M)).
    + apply (at_cost_is_integrated a b _ M O HM).
    + apply (at_cost_starts a b _ M O HM).
    + apply (at_cost_ends a b _ M O HM).
Qed.

Theorem total_of_two : has_total_of_areas [A] 1.
Proof.
  replace 1 with (1 * 1) by ring. unfold has_total_of_areas.
  apply (over_areas_ext _ (fun _ _ => 1 * 1)); [intros; ring |].
  apply (over_factors (fun _ => 1) (fun _ => 1)); [apply (whole_along _ _ _ _ _ law0) | apply (whole_along _ _ _ _ _ law1)].
Qed.
(** ** Expected costs at a report, as integrals over the second cost *)

Variable p : R.
Hypothesis Unit : 0 < p < 1.
Local Notation u := (p / (1 - p)).
Local Notation ray c1 := (p * c1 / (1 - p)).

Lemma ray_is_multiple c1 : ray c1 = u * c1.
Proof. field. lra. Qed.
Lemma multiple_is_positive c1 : 0 < c1 -> 0 < u * c1.
Proof. intro P. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | exact P]. Qed.

Lemma inner0_of_two c1 : 0 < c1 -> over_positive (paid A (pay0 p) c1) (only1 c1 * (at_cost a0 b0 M0 (u * c1) - least M0)).
Proof.
  intro P1. pose proof (multiple_is_positive c1 P1) as T. rewrite <- ray_is_multiple in *. destruct law0 as (O & _ & _ & HM & _).
  apply (over_positive_ext (fun c0 => only1 c1 * (if Rlt_dec c0 (ray c1) then within_only a0 b0 (fun x => x * f0 x) c0 else 0))).
  - intros c0 P0. rewrite paid_by_two by assumption. rewrite (only_beside a0 b0 f0 (fun x => x)). destruct (Rlt_dec c0 (ray c1)).
    + rewrite pays0_below by assumption. ring.
    + rewrite pays0_above by (assumption || lra). ring.
  - apply over_positive_scaled.
    apply (over_positive_by_increments (fun x => at_cost a0 b0 M0 (Rmin x (ray c1)))).
    + apply integrated_below; [exact T | exact (integrated_beside _ _ a0 b0 _ M0 O HM)].
    + apply (soon_same (at_cost a0 b0 M0) _ (ray c1) _ T); [intros x X; rewrite Rmin_left by lra; reflexivity | exact (starts_beside _ _ a0 b0 _ M0 O HM eq_refl)].
    + apply (finally_constant _ (ray c1)). intros x X. rewrite Rmin_right by lra. reflexivity.
Qed.

Lemma inner1_of_two c1 : 0 < c1 -> over_positive (paid A (pay1 p) c1) (only1 c1 * (c1 * (most C0 - at_cost a0 b0 C0 (u * c1)))).
Proof.
  intro P1. pose proof (multiple_is_positive c1 P1) as T. rewrite <- ray_is_multiple in *. destruct law0 as (O & _ & HC & _).
  rewrite <- Rmult_assoc.
  apply (over_positive_ext (fun c0 => only1 c1 * c1 * (if Rlt_dec c0 (ray c1) then 0 else only0 c0))).
  - intros c0 P0. rewrite paid_by_two by assumption. destruct (Rlt_dec c0 (ray c1)).
    + rewrite pays1_below by assumption. ring.
    + rewrite pays1_above by (assumption || lra). ring.
  - apply over_positive_scaled.
    apply (over_positive_by_increments (fun x => at_cost a0 b0 C0 (Rmax x (ray c1)))).
    + apply integrated_above; [exact T | exact (at_cost_is_integrated a0 b0 _ C0 O HC)].
    + apply (soon_constant _ (ray c1) _ T). intros x X. rewrite Rmax_right by lra. reflexivity.
    + apply (finally_same (at_cost a0 b0 C0) _ (ray c1)); [intros x X; rewrite Rmax_left by lra; reflexivity | exact (at_cost_ends a0 b0 _ C0 O HC)].
Qed.

(** The integrals over the second cost, whatever way they are found. *)
Lemma cost0_over_second value : over_positive (fun c1 => only1 c1 * (at_cost a0 b0 M0 (u * c1) - least M0)) value ->
  over_areas [A] (pay0 p) value.
Proof. intro H. apply alone_over. eexists. split; [exact inner0_of_two | exact H]. Qed.
Lemma cost1_over_second value : over_positive (fun c1 => only1 c1 * (c1 * (most C0 - at_cost a0 b0 C0 (u * c1)))) value ->
  over_areas [A] (pay1 p) value.
Proof. intro H. apply alone_over. eexists. split; [exact inner1_of_two | exact H]. Qed.
End Two.

Theorem mean0_of_two {d} A a0 b0 a1 b1 f0 f1 C0 M0 C1 M1 : law_along Beyond a0 b0 f0 C0 M0 -> law_along d a1 b1 f1 C1 M1 ->
  product_of A a0 b0 f0 a1 b1 f1 -> over_areas [A] (fun c0 _ => c0) (most M0 - least M0).
Proof.
  intros law0 law1 product. replace (most M0 - least M0) with ((most M0 - least M0) * 1) by ring. apply (over_areas_ext _ (fun c0 _ => c0 * 1)); [intros; ring |].
  apply (over_factors A a0 b0 a1 b1 f0 f1 product (fun c0 => c0) (fun _ => 1)); [apply (mean_along _ _ _ _ _ law0) | apply (whole_along _ _ _ _ _ law1)].
Qed.
Theorem mean1_of_two {d} A a0 b0 a1 b1 f0 f1 C0 M0 C1 M1 : law_along d a0 b0 f0 C0 M0 -> law_along Beyond a1 b1 f1 C1 M1 ->
  product_of A a0 b0 f0 a1 b1 f1 -> over_areas [A] (fun _ c1 => c1) (most M1 - least M1).
Proof.
  intros law0 law1 product. replace (most M1 - least M1) with (1 * (most M1 - least M1)) by ring. apply (over_areas_ext _ (fun _ c1 => 1 * c1)); [intros; ring |].
  apply (over_factors A a0 b0 a1 b1 f0 f1 product (fun _ => 1) (fun c1 => c1)); [apply (whole_along _ _ _ _ _ law0) | apply (mean_along _ _ _ _ _ law1)].
Qed.

(** * Powers *)

Definition power (e : R) (P : R -> R) : Prop :=
  (forall x, 0 < x -> is_derive P x (e * P x / x)) /\ (forall x y, 0 < x -> 0 < y -> P (x * y) = P x * P y) /\
  (forall x, 0 < x -> 0 < P x).
(** A function vanishes at the ends of an interval that are no costs. *)
Definition fades (a b : place) (P : R -> R) : Prop :=
  match a with Zero => filterlim P (at_right 0) (locally 0) | _ => True end /\
  match b with Beyond => is_lim P p_infty 0 | _ => True end.
Definition at_place (P : R -> R) (where_ : place) : R := match where_ with At x => P x | _ => 0 end.
Definition scaled (k : R) (where_ : place) : place := match where_ with At x => At (k * x) | other => other end.

Section Power.
Variables (e : R) (P : R -> R).
Hypothesis powered : power e P.
Local Notation slope x := (e * P x / x).
Local Notation next x := (x * P x).

Lemma continuous_power x : 0 < x -> continuous P x.
Proof. intro X. apply (ex_derive_continuous (V := R_NormedModule)). eexists. apply powered, X. Qed.
Lemma slope_of_power x : 0 < x -> is_derive P x (slope x) /\ continuous (fun x => slope x) x.
Proof.
  intro X. split; [apply powered, X |]. apply (continuous_mult (fun x => e * P x) (fun x => / x)).
  - apply (continuous_scal_r (V := R_NormedModule) e P), continuous_power, X.
  - apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
Qed.
Lemma slope_of_next x : 0 < x -> is_derive (fun x => next x) x ((e + 1) * P x) /\ continuous (fun x => (e + 1) * P x) x.
Proof.
  intro X. split; [| apply (continuous_scal_r (V := R_NormedModule) (e + 1) P), continuous_power, X].
  replace ((e + 1) * P x) with (1 * P x + x * slope x) by (field; lra).
  apply (is_derive_mult (fun x => x) P); [apply (is_derive_id (K := R_AbsRing)) | apply powered, X | exact Rmult_comm].
Qed.
End Power.

Lemma limit_of_difference (F : (R -> Prop) -> Prop) {FF : Filter F} (f g : R -> R) (a b : R) : filterlim f F (locally a) -> filterlim g F (locally b) ->
  filterlim (fun x => f x - g x) F (locally (a - b)).
Proof.
  intros A B. apply (filterlim_comp_2 (G := locally a) (H := locally (- b)) f (fun x => - g x) Rplus); [exact A | | exact (filterlim_plus (V := R_NormedModule) a (- b))].
  exact (filterlim_comp _ _ _ g Ropp _ _ _ B (filterlim_opp (V := R_NormedModule) b)).
Qed.
Lemma limit_of_product (F : (R -> Prop) -> Prop) {FF : Filter F} (f g : R -> R) (a b : R) : filterlim f F (locally a) -> filterlim g F (locally b) ->
  filterlim (fun x => f x * g x) F (locally (a * b)).
Proof.
  intros A B. apply (filterlim_comp_2 (G := locally a) (H := locally b) f g Rmult); [exact A | exact B | exact (filterlim_mult (K := R_AbsRing) a b)].
Qed.

(** ** The density of the second cost is a power *)

Section SecondPower.
Variables (A : area) (a0 b0 a1 b1 : place) (f0 f1 : R -> R) (C0 M0 C1 M1 Q : sum_up) (k e : R) (P : R -> R) (p : R).
Hypotheses (law0 : law_along b1 a0 b0 f0 C0 M0) (law1 : law_along Beyond a1 b1 f1 C1 M1) (product : product_of A a0 b0 f0 a1 b1 f1).
Hypotheses (powered : power e P) (density1 : forall x, 0 < x -> f1 x = k * (e * P x / x)).
Hypothesis moment : adds_up_beside a1 b1 a0 b0 (fun x => P x * (x * f0 x)) Q.
Hypothesis Unit : 0 < p < 1.
Local Notation u := (p / (1 - p)).
Let U : 0 < u. Proof. apply Rdiv_lt_0_compat; lra. Qed.
Let PU : 0 < P u. Proof. apply powered, U. Qed.
Let O0 : interval a0 b0. Proof. apply law0. Qed.

Lemma starts_at_multiple {d} g G : adds_up_beside Zero d a0 b0 g G -> filterlim (fun c => at_cost a0 b0 G (u * c)) (at_right 0) (locally (least G)).
Proof. intro S. exact (filterlim_comp _ _ _ _ (at_cost a0 b0 G) _ _ _ (multiple_comes_to_0 u U) (starts_beside _ _ a0 b0 g G O0 S eq_refl)). Qed.
Lemma ends_at_multiple {c} g G : adds_up_beside c Beyond a0 b0 g G -> is_lim (fun c => at_cost a0 b0 G (u * c)) p_infty (most G).
Proof. intro S. exact (filterlim_comp _ _ _ _ (at_cost a0 b0 G) _ _ _ (multiple_grows u U) (ends_beside _ _ a0 b0 g G O0 S eq_refl)). Qed.

Definition by_second0 (where_ : place) : R :=
  k * (at_place P where_ * (reach a0 b0 M0 (scaled u where_) - least M0) - reach a0 b0 Q (scaled u where_) / P u).

Theorem second_power_cost0 : fades a1 b1 P -> over_areas [A] (pay0 p) (by_second0 b1 - by_second0 a1).
Proof.
  intros [Fade0 Fade1]. apply (cost0_over_second A a0 b0 a1 b1 f0 f1 C0 M0 law0 product p Unit).
  destruct law0 as (_ & _ & _ & HM & _), law1 as (O1 & _).
  set (J := fun c => k * (P c * (at_cost a0 b0 M0 (u * c) - least M0) - at_cost a0 b0 Q (u * c) / P u)).
  assert (I : integrated J (fun c => k * (e * P c / c) * (at_cost a0 b0 M0 (u * c) - least M0))).
  { pose proof (added_by_parts _ _ a0 b0 _ M0 O0 HM P _ _ _ Q (slope_of_power e P powered) moment) as Parts.
    assert (Alone : integrated P (fun x => e * P x / x)).
    { intros x y X XY. apply integral_inside; [exact XY | |]; intros t T;
        [split; [apply (continuous_power e P powered) | apply (slope_of_power e P powered)] | apply powered]; lra. }
    pose proof (integrated_combined (k / P u) (- (k / P u) * least M0) _ _ _ _ Parts Alone) as Both.
    apply (integrated_at_multiple u _ _ U) in Both. revert Both. apply integrated_as; intros c X; unfold J;
      rewrite (proj1 (proj2 powered) u c U X); [field; lra |]. field. repeat split; lra. }
  apply (over_positive_ext (within_only a1 b1 (fun c => k * (e * P c / c) * (at_cost a0 b0 M0 (u * c) - least M0)))).
  { intros c X. unfold within_only. destruct (inside_dec a1 b1 c); [rewrite density1 by exact X |]; ring. }
  apply over_positive_is with (match b1 with At h => J h | _ => by_second0 Beyond end - match a1 with At l => J l | _ => by_second0 Zero end).
  2: { destruct a1, b1; try reflexivity; contradiction. }
  apply over_interval; [exact O1 | exact I | |].
  - intro End. rewrite End in *. unfold J, by_second0. simpl. apply tends_scaled, limit_of_difference; [exact _ | |].
    + apply limit_of_product; [exact _ | exact Fade0 |]. apply limit_of_difference; [exact _ | exact (starts_at_multiple _ _ HM) | apply filterlim_const].
    + apply limit_of_product; [exact _ | exact (starts_at_multiple _ _ moment) | apply filterlim_const].
  - intro End. rewrite End in HM, Fade1, moment. unfold J, by_second0. simpl. apply (tends_scaled (F := Rbar_locally p_infty)), limit_of_difference; [exact _ | |].
    + apply limit_of_product; [exact _ | exact Fade1 |]. apply limit_of_difference; [exact _ | exact (ends_at_multiple _ _ HM) | apply filterlim_const].
    + apply limit_of_product; [exact _ | exact (ends_at_multiple _ _ moment) | apply filterlim_const].
Qed.

Definition by_second1 (where_ : place) : R :=
  k * e / (e + 1) * (at_place (fun x => x * P x) where_ * (most C0 - reach a0 b0 C0 (scaled u where_)) + reach a0 b0 Q (scaled u where_) / (u * P u)).

Theorem second_power_cost1 : e + 1 <> 0 -> fades a1 b1 (fun x => x * P x) -> over_areas [A] (pay1 p) (by_second1 b1 - by_second1 a1).
Proof.
  intros E [Fade0 Fade1]. apply (cost1_over_second A a0 b0 a1 b1 f0 f1 C0 M0 law0 product p Unit).
  destruct law0 as (_ & _ & HC & _), law1 as (O1 & _).
  set (J := fun c => k * e / (e + 1) * (c * P c * (most C0 - at_cost a0 b0 C0 (u * c)) + at_cost a0 b0 Q (u * c) / (u * P u))).
  assert (I : integrated J (fun c => k * (e * P c / c) * (c * (most C0 - at_cost a0 b0 C0 (u * c))))).
  { assert (moment' : adds_up_beside a1 b1 a0 b0 (fun x => x * P x * f0 x) Q) by (apply (adds_up_as a0 b0 (fun x => P x * (x * f0 x))); [intros; ring | exact moment]).
    pose proof (added_by_parts _ _ a0 b0 _ C0 O0 HC (fun x => x * P x) _ _ _ Q (slope_of_next e P powered) moment') as Parts.
    assert (Alone : integrated (fun x => x * P x) (fun x => (e + 1) * P x)).
    { intros x y X XY. apply (integral_inside (fun x => x * P x) (fun x => (e + 1) * P x)); [exact XY | |]; intros t T; [| apply (slope_of_next e P powered); lra].
      split; [| apply (slope_of_next e P powered); lra].
      apply (continuous_mult (fun x => x) P); [apply continuous_id | apply (continuous_power e P powered); lra]. }
    pose proof (integrated_combined (- (k * e / ((e + 1) * (u * P u)))) (k * e / ((e + 1) * (u * P u)) * most C0) _ _ _ _ Parts Alone) as Both.
    apply (integrated_at_multiple u _ _ U) in Both. revert Both. apply integrated_as; intros c X; unfold J;
      rewrite (proj1 (proj2 powered) u c U X); field; repeat split; try lra. }
  apply (over_positive_ext (within_only a1 b1 (fun c => k * (e * P c / c) * (c * (most C0 - at_cost a0 b0 C0 (u * c)))))).
  { intros c X. unfold within_only. destruct (inside_dec a1 b1 c); [rewrite density1 by exact X |]; ring. }
  apply over_positive_is with (match b1 with At h => J h | _ => by_second1 Beyond end - match a1 with At l => J l | _ => by_second1 Zero end).
  2: { destruct a1, b1; try reflexivity; contradiction. }
  apply over_interval; [exact O1 | exact I | |].
  - intro End. rewrite End in *. unfold J, by_second1. simpl. apply tends_scaled. replace (0 * (most C0 - least C0) + least Q / (u * P u)) with (0 * (most C0 - least C0) - - / (u * P u) * least Q) by (field; lra).
    apply (filterlim_ext (fun c => c * P c * (most C0 - at_cost a0 b0 C0 (u * c)) - - / (u * P u) * at_cost a0 b0 Q (u * c))); [intro; field; lra |].
    apply limit_of_difference; [exact _ | |].
    + apply limit_of_product; [exact _ | exact Fade0 |]. apply limit_of_difference; [exact _ | apply filterlim_const | exact (starts_at_multiple _ _ HC)].
    + apply tends_scaled. exact (starts_at_multiple _ _ moment).
  - intro End. rewrite End in Fade1, moment. unfold J, by_second1. simpl. apply (tends_scaled (F := Rbar_locally p_infty)). replace (0 * (most C0 - most C0) + most Q / (u * P u)) with (0 * (most C0 - most C0) - - / (u * P u) * most Q) by (field; lra).
    apply (filterlim_ext (fun c => c * P c * (most C0 - at_cost a0 b0 C0 (u * c)) - - / (u * P u) * at_cost a0 b0 Q (u * c))); [intro; field; lra |].
    apply limit_of_difference; [exact _ | |].
    + apply limit_of_product; [exact _ | exact Fade1 |]. apply limit_of_difference; [exact _ | apply filterlim_const | exact (ends_at_multiple _ _ HC)].
    + apply (tends_scaled (F := Rbar_locally p_infty)). exact (ends_at_multiple _ _ moment).
Qed.
End SecondPower.

(** ** The density of the first cost is a power *)

(** An integral with one integrand before an interval, two in it, and one after it. *)
Section Ways.
Variables (d a b : place) (g q : R -> R) (G Q : sum_up) (alpha beta : place) (before_ in_ beside after_ : R).
Hypotheses (ordered : interval a b) (sums : adds_up_beside Zero d a b g G) (moments : adds_up_beside alpha beta a b q Q) (cut : interval alpha beta).
Hypotheses (reached : beta = Beyond -> d = Beyond) (charged : d = Beyond \/ after_ = 0).
Local Notation low c := (match alpha with At l => Rmin c l | _ => 1 end).
Local Notation high c := (match beta with At h => Rmax c h | _ => 1 end).
Local Notation middle c := (nearest alpha beta c).

Lemma over_ways (f : R -> R) :
  (forall c, 0 < c -> match alpha with At l => c < l | _ => False end -> f c = before_ * within_only a b g c) ->
  (forall c, 0 < c -> strictly_within_places alpha beta c -> f c = in_ * within_only a b q c + beside * within_only a b g c) ->
  (forall c, 0 < c -> match beta with At h => h < c | _ => False end -> f c = after_ * within_only a b g c) ->
  over_positive f (before_ * (reach a b G alpha - least G) + in_ * (reach a b Q beta - reach a b Q alpha) +
    beside * (reach a b G beta - reach a b G alpha) + after_ * (most G - reach a b G beta)).
Proof.
  intros Before In After.
  pose proof (integrated_beside _ _ a b g G ordered sums) as IG. pose proof (integrated_beside _ _ a b q Q ordered moments) as IQ.
  set (FG := at_cost a b G) in *. set (FQ := at_cost a b Q) in *.
  set (J := fun c => before_ * FG (low c) + (in_ * FQ (middle c) + beside * FG (middle c)) + after_ * FG (high c)).
  assert (I : integrated J f).
  { apply (integrated_in_parts alpha beta _ _ cut).
    - intros x y X XY Up. destruct alpha as [| l |]; try contradiction.
      apply (integral_same (fun c => before_ * within_only a b g c) _ x y (before_ * (FG y - FG x))); [exact XY | | |].
      + intros z Z. symmetry. apply Before; lra.
      + unfold J. rewrite !nearest_before by (exact cut || lra). rewrite !Rmin_left by lra.
        destruct beta as [| h |]; simpl in cut; rewrite ?Rmax_right by lra; ring.
      + apply integral_scaled, IG; assumption.
    - intros x y X XY InX InY.
      apply (integral_same (fun c => in_ * within_only a b q c + beside * within_only a b g c) _ x y (in_ * (FQ y - FQ x) + beside * (FG y - FG x))); [exact XY | | |].
      + intros z Z. symmetry. apply In; [lra |]. unfold within_places, strictly_within_places in *. destruct alpha, beta; repeat split; lra.
      + unfold J. rewrite !nearest_inside by assumption. unfold within_places in *. destruct alpha as [| l |], beta as [| h |];
          rewrite ?Rmin_right by lra; rewrite ?Rmax_right by lra; ring.
      + apply integral_added; apply integral_scaled; [apply IQ | apply IG]; assumption.
    - intros x y X XY Up. destruct beta as [| h |]; try contradiction.
      apply (integral_same (fun c => after_ * within_only a b g c) _ x y (after_ * (FG y - FG x))); [exact XY | | |].
      + intros z Z. symmetry. apply After; lra.
      + unfold J. rewrite !nearest_after by lra. rewrite !Rmax_left by lra.
        destruct alpha as [| l |]; simpl in cut; rewrite ?Rmin_right by lra; ring.
      + apply integral_scaled, IG; assumption. }
  pose proof (starts_beside _ _ a b g G ordered sums eq_refl) as StartG. pose proof (starts_beside _ _ a b q Q ordered moments) as StartQ.
  pose proof (ends_beside _ _ a b g G ordered sums) as EndG. pose proof (ends_beside _ _ a b q Q ordered moments) as EndQ.
  apply over_positive_is with
    (before_ * (match alpha with At l => FG l | _ => FG 1 end) + (in_ * reach a b Q beta + beside * reach a b G beta) +
       after_ * (match beta with At h => most G | _ => FG 1 end) -
     (before_ * (match alpha with At l => least G | _ => FG 1 end) + (in_ * reach a b Q alpha + beside * reach a b G alpha) +
       after_ * (match beta with At h => FG h | _ => FG 1 end))).
  2: { destruct alpha as [| l |], beta as [| h |]; try contradiction; simpl; fold FG; ring. }
  apply (over_positive_by_increments J _ _ _ I).
  - assert (Plus : forall (f g : R -> R) (v w : R), filterlim f (at_right 0) (locally v) -> filterlim g (at_right 0) (locally w) ->
      filterlim (fun x => f x + g x) (at_right 0) (locally (v + w))).
    { intros h1 h2 v w V W. exact (filterlim_comp_2 (G := locally v) (H := locally w) h1 h2 Rplus V W (filterlim_plus (V := R_NormedModule) v w)). }
    unfold J. apply Plus; [apply Plus |]; [| apply Plus |]; apply tends_scaled.
    + destruct alpha as [| l |]; try apply filterlim_const.
      apply (soon_same FG _ l); [destruct beta; simpl in cut; lra | | exact StartG]. intros x X. rewrite Rmin_left by lra. reflexivity.
    + pose proof (nearest_starts alpha beta FQ (least Q) cut StartQ) as N. destruct alpha; [exact N | exact N | contradiction].
    + pose proof (nearest_starts alpha beta FG (least G) cut (fun _ => StartG)) as N. destruct alpha; [exact N | exact N | contradiction].
    + destruct beta as [| h |]; try apply filterlim_const.
      apply (soon_constant _ h); [destruct alpha; simpl in cut; lra |]. intros x X. rewrite Rmax_right by lra. reflexivity.
  - unfold J. apply is_lim_plus'; [apply is_lim_plus'; [| apply is_lim_plus']; apply (tends_scaled (F := Rbar_locally p_infty)) |].
    + destruct alpha as [| l |]; try apply filterlim_const.
      apply (finally_constant _ l). intros x X. rewrite Rmin_right by lra. reflexivity.
    + pose proof (nearest_ends alpha beta FQ (most Q) cut EndQ) as N. destruct beta; [destruct alpha; contradiction | exact N | exact N].
    + pose proof (nearest_ends alpha beta FG (most G) cut (fun E => EndG (reached E))) as N. destruct beta; [destruct alpha; contradiction | exact N | exact N].
    + destruct charged as [Far | Nothing].
      * apply (tends_scaled (F := Rbar_locally p_infty)). destruct beta as [| h |]; try apply filterlim_const.
        apply (finally_same FG _ h); [| exact (EndG Far)]. intros x X. rewrite Rmax_left by lra. reflexivity.
      * rewrite Nothing. apply (is_lim_ext (fun _ => 0)); [intro; ring |]. rewrite Rmult_0_l. apply is_lim_const.
Qed.
End Ways.

Section FirstPower.
Variables (A : area) (a0 b0 a1 b1 : place) (f0 f1 : R -> R) (C1 M1 Q : sum_up) (k e : R) (P : R -> R) (low high lower upper : R) (p : R).
Local Notation C0 := (SumUp (fun x => k * P x) low high).
Local Notation M0 := (SumUp (fun x => k * e / (e + 1) * (x * P x)) lower upper).
Hypotheses (law0 : law_along Beyond a0 b0 f0 C0 M0) (law1 : law_along b0 a1 b1 f1 C1 M1) (product : product_of A a0 b0 f0 a1 b1 f1).
Hypotheses (powered : power e P).
Hypothesis moment : adds_up_beside a0 b0 a1 b1 (fun x => P x * (x * f1 x)) Q.
Hypothesis Unit : 0 < p < 1.
Local Notation u := (p / (1 - p)).
Local Notation v := ((1 - p) / p).
Let U : 0 < u. Proof. apply Rdiv_lt_0_compat; lra. Qed.
Let V : 0 < v. Proof. apply Rdiv_lt_0_compat; lra. Qed.
Let O0 : interval a0 b0. Proof. apply law0. Qed.
Let Cut : interval (scaled v a0) (scaled v b0).
Proof.
  destruct a0 as [| l |], b0 as [| h |]; simpl in *; try contradiction; try exact I; try apply Rmult_lt_0_compat; try assumption.
  split; [apply Rmult_lt_0_compat; lra | apply Rmult_lt_compat_l; lra].
Qed.

Let Moment : adds_up_beside (scaled v a0) (scaled v b0) a1 b1 (fun x => P x * (x * f1 x)) Q.
Proof.
  destruct moment as (C & D & H & Start & Stop). repeat (split; [assumption |]). split.
  - destruct a1 as [| l |]; try exact Start; intro S; apply Start; destruct a0; (reflexivity || discriminate S).
  - destruct b1 as [| h |]; try exact Stop; intro S; apply Stop; destruct b0; (reflexivity || discriminate S).
Qed.

Lemma at_or_before c h : c <= v * h <-> u * c <= h.
Proof.
  assert (E : u * (v * h) = h) by (field; lra). assert (F : v * (u * c) = c) by (field; lra).
  split; intro H; [apply (Rmult_le_compat_l u) in H; lra | apply (Rmult_le_compat_l v) in H; lra].
Qed.
Lemma at_or_after c l : v * l <= c <-> l <= u * c.
Proof.
  assert (E : u * (v * l) = l) by (field; lra). assert (F : v * (u * c) = c) by (field; lra).
  split; intro H; [apply (Rmult_le_compat_l u) in H; lra | apply (Rmult_le_compat_l v) in H; lra].
Qed.
Lemma ray_inside c : strictly_within_places (scaled v a0) (scaled v b0) c -> within_places a0 b0 (u * c).
Proof.
  unfold strictly_within_places, within_places. intros [L H]. destruct a0 as [| l |], b0 as [| h |]; simpl in *; split; try exact I;
    try (apply at_or_after; lra); apply at_or_before; lra.
Qed.

Theorem first_power_cost0 : over_areas [A] (pay0 p)
  (k * e / (e + 1) * (u * P u) * (reach a1 b1 Q (scaled v b0) - reach a1 b1 Q (scaled v a0)) -
   lower * (reach a1 b1 C1 (scaled v b0) - reach a1 b1 C1 (scaled v a0)) + (upper - lower) * (most C1 - reach a1 b1 C1 (scaled v b0))).
Proof.
  apply (cost0_over_second A a0 b0 a1 b1 f0 f1 C0 M0 law0 product p Unit).
  destruct law0 as (_ & _ & _ & (_ & _ & _ & Start & Stop) & _), law1 as (O1 & _ & HC & _). simpl in Start, Stop. simpl (least _).
  apply over_positive_is with (0 * (reach a1 b1 C1 (scaled v a0) - least C1) +
    k * e / (e + 1) * (u * P u) * (reach a1 b1 Q (scaled v b0) - reach a1 b1 Q (scaled v a0)) +
    - lower * (reach a1 b1 C1 (scaled v b0) - reach a1 b1 C1 (scaled v a0)) + (upper - lower) * (most C1 - reach a1 b1 C1 (scaled v b0))); [| ring].
  apply (over_ways Beyond a1 b1 f1 (fun x => P x * (x * f1 x)) C1 Q (scaled v a0) (scaled v b0) _ _ _ _ O1 HC Moment Cut
    (fun _ => eq_refl) (or_introl eq_refl)).
  - intros c X Before. destruct a0 as [| l |]; try contradiction. simpl in Before. unfold at_cost.
    rewrite nearest_before by (exact O0 || (apply at_or_before; lra)). simpl. rewrite Start. ring.
  - intros c X In. apply ray_inside in In. unfold at_cost. rewrite nearest_inside by exact In. simpl.
    rewrite (proj1 (proj2 powered) u c U X). unfold within_only. destruct (inside_dec a1 b1 c); ring.
  - intros c X After. destruct b0 as [| h |]; try contradiction. simpl in After. unfold at_cost.
    rewrite nearest_after by (apply at_or_after; lra). simpl. rewrite Stop. ring.
Qed.

Theorem first_power_cost1 : over_areas [A] (pay1 p)
  ((high - low) * (reach a1 b1 M1 (scaled v a0) - least M1) - k * P u * (reach a1 b1 Q (scaled v b0) - reach a1 b1 Q (scaled v a0)) +
   high * (reach a1 b1 M1 (scaled v b0) - reach a1 b1 M1 (scaled v a0))).
Proof.
  apply (cost1_over_second A a0 b0 a1 b1 f0 f1 C0 M0 law0 product p Unit).
  destruct law0 as (_ & _ & (_ & _ & _ & Start & Stop) & _), law1 as (O1 & _ & _ & HM & _). simpl in Start, Stop. simpl (most _).
  apply over_positive_is with ((high - low) * (reach a1 b1 M1 (scaled v a0) - least M1) +
    - (k * P u) * (reach a1 b1 Q (scaled v b0) - reach a1 b1 Q (scaled v a0)) +
    high * (reach a1 b1 M1 (scaled v b0) - reach a1 b1 M1 (scaled v a0)) + 0 * (most M1 - reach a1 b1 M1 (scaled v b0))); [| ring].
  assert (Far : scaled v b0 = Beyond -> b0 = Beyond) by (destruct b0; (reflexivity || discriminate)).
  apply (over_ways b0 a1 b1 (fun x => x * f1 x) (fun x => P x * (x * f1 x)) M1 Q (scaled v a0) (scaled v b0) _ _ _ _ O1 HM Moment Cut
    Far (or_intror eq_refl)).
  - intros c X Before. destruct a0 as [| l |]; try contradiction. simpl in Before. unfold at_cost.
    rewrite nearest_before by (exact O0 || (apply at_or_before; lra)). simpl. rewrite Start.
    unfold within_only. destruct (inside_dec a1 b1 c); ring.
  - intros c X In. apply ray_inside in In. unfold at_cost. rewrite nearest_inside by exact In. simpl.
    rewrite (proj1 (proj2 powered) u c U X). unfold within_only. destruct (inside_dec a1 b1 c); ring.
  - intros c X After. destruct b0 as [| h |]; try contradiction. simpl in After. unfold at_cost.
    rewrite nearest_after by (apply at_or_after; lra). simpl. rewrite Stop. ring.
Qed.
End FirstPower.
