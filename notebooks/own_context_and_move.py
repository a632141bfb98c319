# %% [markdown]
# # Your own context, and your own move
#
# Most costs can be said with the contexts that are there. If yours cannot, write a class: it says what the expected
# loss is, as integrals over the costs, and everything else follows: the rule, its proof, its code.
#
# ## A context
#
# A bank's fraud desk: a false alarm costs the customer's goodwill, `c0`, uniform between 0 and `g`. A missed fraud
# costs the same goodwill and a fixed sum `f` besides, `c1 = f + c0`. Both costs depend on one uncertain number, so that
# they lie on a curve: an `Arc`. (`Curve(c0="x", c1="f + x", density="uniform(0, g)")` says the same without a class.)

# %%
from dataclasses import dataclass, replace

import numpy as np
import sympy
from costderive.contexts import Context
from costderive.laws import Expectation, Law, Spread
from costderive.rule import Losses
from sympy import S, Symbol

import costderive as cd
from costderive.core.expressions import exact
from costderive.core.piecewise import Given, Interval
from costderive.costs.expected_loss import Arc, ExpectedLoss
from costderive.proof.claims import Case, Equal, Move, Same, Step

X = Symbol("x", positive=True)


@dataclass(frozen=True, slots=True)
class Goodwill(Context):
    """Costs ``c0`` uniform on [0, goodwill] and ``c1 = sum + c0``."""

    goodwill: object
    fixed: object

    def __post_init__(self):
        for name in ("goodwill", "fixed"):
            object.__setattr__(self, name, exact(getattr(self, name), place=name))

    def given(self):
        return Given()  # letters are positive, which is all that is needed

    def law(self):
        return Law((Spread(S.Zero, self.goodwill, 1 / self.goodwill),))

    def expectations(self):
        return (Expectation(self.law()),)  # to be proved: it is a law, of total 1

    def expected_loss(self):
        (part,) = self.law().spreads
        return ExpectedLoss(arcs=(Arc(X, X, self.fixed + X, part.density, part.low, part.high),))

    def _draw(self, generator, draws):
        c0 = generator.uniform(0, float(self.goodwill), draws)
        return c0, c0 + float(self.fixed)


# %% [markdown]
# With letters, it is derived and proved for all amounts at once.

# %%
derivation = cd.derive(Goodwill("g", "f"))
report = cd.check(derivation).require_proved()
print(f"{derivation.verdict}; {report.verdict.name}, {len(report.findings)} claims")
for piece in derivation.cases[0].steps[-1].after.losses.loss0:
    print(f"L0 = {piece.value}   up to p = {piece.high}")
for piece in derivation.cases[0].steps[-1].after.losses.loss1:
    print(f"L1 = {piece.value}   up to p = {piece.high}")

# %% [markdown]
# Nothing of that is taken on trust: by hand, `L0(p) = E[c0; c0/(c0 + c1) < p]`, and a simulation agrees.

# %%
context = Goodwill(30, 100)
loss = cd.numeric.compile(cd.derive(context))
generator = np.random.default_rng(1)
labels = generator.integers(0, 2, 200)
probabilities = np.clip(0.25 * labels + generator.normal(0.12, 0.08, 200), 0, 1)
run = cd.evaluate.simulate(context, labels, probabilities, draws=20_000, seed=2)
print(
    f"mean loss {loss(labels, probabilities):.3f}, simulated cost {run.mean:.3f} ± {run.standard_error:.3f}"
)
assert abs(loss(labels, probabilities) - run.mean) < 4.5 * run.standard_error

# %%
cd.plot.derivation(cd.derive(context))

# %% [markdown]
# A context that is wrong does not get through: if a density is negative somewhere, a claim fails.


# %%
class Wrong(Goodwill):
    """The same with a density that is negative below 1/3 of the goodwill."""

    def law(self):
        return Law((Spread(S.Zero, self.goodwill, (6 * X / self.goodwill - 2) / self.goodwill),))


wrong = cd.check(cd.derive(Wrong(30, 100)))
print(wrong.verdict.name)
refuted = next(finding for finding in wrong.findings if finding.verdict.name == "REFUTED")
print(refuted.claim.what, refuted.evidence, sep=": ")

# %% [markdown]
# ## A move
#
# A move turns one object into the next by any means, and says what must hold for that to be right. Nothing relies on
# how it was found: `check` decides the claims. Here is one that writes losses over a common denominator. It leaves the
# threshold weight and the pieces as they are, and the new formulas must equal the old ones on each piece.


# %%
@dataclass(frozen=True, slots=True)
class OneFraction(Move):
    """Write each piece of the losses as one fraction."""

    def apply(self, before, given):
        loss0, loss1 = (loss.map(sympy.factor) for loss in (before.loss0, before.loss1))
        return replace(before, loss0=loss0, loss1=loss1)

    def claims(self, before, after, given):
        yield Same(
            "weight and expected costs stay", replace(before, loss0=after.loss0, loss1=after.loss1), after
        )
        for old, new in ((before.loss0, after.loss0), (before.loss1, after.loss1)):
            yield Same("the pieces stay", old.map(lambda _: S.Zero), new.map(lambda _: S.Zero))
            for piece, other in zip(old, new, strict=True):
                on = Interval(old.variable, piece.low, piece.high)
                yield Equal("the loss is the same on each piece", piece.value, other.value, on)


def with_move(move, derivation):
    """Put a move where the losses are, and make the moves after it again."""
    case = derivation.cases[0]
    place = next(k for k, step in enumerate(case.steps, 1) if isinstance(step.after, Losses))
    steps = list(case.steps[:place])
    for following in (move, *(step.move for step in case.steps[place:])):
        steps.append(Step.make(following, steps[-1].after, case.given))
    return cd.Derivation(derivation.context, (Case(case.given, tuple(steps)),))


rewritten = with_move(OneFraction(), derivation)
report = cd.check(rewritten).require_proved()
print(report.verdict.name, len(report.findings))
print("L1 =", rewritten.rule.loss1)

# %% [markdown]
# Now a search that goes wrong: a move that loses a term. Its claims are those of the right one, and do not hold.


# %%
class Careless(OneFraction):
    """Write each piece as one fraction, and drop the values at 0."""

    def apply(self, before, given):
        right = super().apply(before, given)
        return replace(
            right, loss1=right.loss1.map(lambda value: value - value.subs(right.loss1.variable, 0))
        )


careless = cd.check(with_move(Careless(), derivation))
print(careless.verdict.name)
print(next(finding.claim.what for finding in careless.findings if finding.verdict.name == "REFUTED"))

# %% [markdown]
# So claims must be complete: for each way in which a result could be wrong, there must be one that fails. The
# contribution guide says how to test that with falsified results.
