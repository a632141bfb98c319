(** Limits at the ends of (0, 1), from inside. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Definition tends_at_0 (f : R -> R) (value : R) : Prop := filterlim f (at_right 0) (locally value).
Definition tends_at_1 (f : R -> R) (value : R) : Prop := filterlim f (at_left 1) (locally value).
Definition vanishes_at_0 (f : R -> R) : Prop := tends_at_0 f 0.
Definition vanishes_at_1 (f : R -> R) : Prop := tends_at_1 f 0.

Lemma ball_between (a x : R) (e : posreal) : ball a e x <-> a - e < x < a + e.
Proof. exact (Rabs_lt_between' x a e). Qed.

Lemma right_of a b : a < b -> at_right a (fun x => a < x < b).
Proof.
  intro h; exists (mkposreal (b - a) ltac:(lra)); intros x Hx Hax.
  apply ball_between in Hx; simpl in Hx; lra.
Qed.
Lemma left_of a b : a < b -> at_left b (fun x => a < x < b).
Proof.
  intro h; exists (mkposreal (b - a) ltac:(lra)); intros x Hx Hax.
  apply ball_between in Hx; simpl in Hx; lra.
Qed.
Lemma near_0 : at_right 0 (fun x => 0 < x < 1 / 2).
Proof. apply right_of; lra. Qed.
Lemma near_1 : at_left 1 (fun x => 1 / 2 < x < 1).
Proof. apply left_of; lra. Qed.

(** an inequality that holds near a point holds in the limit *)
Lemma limit_le {F : (R -> Prop) -> Prop} {FF : ProperFilter F} f g (a b : R) :
  filterlim f F (locally a) -> filterlim g F (locally b) -> F (fun x => f x <= g x) -> a <= b.
Proof. exact (fun Hf Hg H => filterlim_le f g (Finite a) (Finite b) H Hf Hg). Qed.

(** a differentiable function passes limits on *)
Lemma limit_of_smooth {G : (R -> Prop) -> Prop} {FG : Filter G} (f g : R -> R) (a : R) :
  filterlim f G (locally a) -> ex_derive g a -> filterlim (fun x => g (f x)) G (locally (g a)).
Proof.
  intros Hf Hg; exact (filterlim_comp _ _ _ f g G (locally a) _ Hf (ex_derive_continuous g a Hg)).
Qed.

(** What is continuous at a point tends to its value there, from either side. *)
Lemma near_by_continuity (f : R -> R) (a : R) : continuous f a -> filterlim f (at_right a) (locally (f a)).
Proof. intros C P H. destruct (C P H) as [e He]. exists e. intros y Y _. apply He, Y. Qed.
Lemma tends_from_right (f g : R -> R) (a b value : R) : a < b -> (forall x, a < x < b -> f x = g x) ->
  continuous g a -> g a = value -> filterlim f (at_right a) (locally value).
Proof.
  intros B E C <-. apply filterlim_ext_loc with g.
  - apply filter_imp with (2 := right_of a b B). intros x X. symmetry. apply E, X.
  - exact (near_by_continuity g a C).
Qed.
Lemma tends_from_left (f g : R -> R) (a b value : R) : a < b -> (forall x, a < x < b -> f x = g x) ->
  continuous g b -> g b = value -> filterlim f (at_left b) (locally value).
Proof.
  intros A E C <-. apply filterlim_ext_loc with g.
  - apply filter_imp with (2 := left_of a b A). intros x X. symmetry. apply E, X.
  - intros P HP. destruct (C P HP) as [e He]. exists e. intros y Y _. apply He, Y.
Qed.
