"""Improper laws of costs: losses against quadrature, what is refused, what is said of them, and what check claims."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import sympy
from mpmath import mp
from sympy import Rational, log, oo, sqrt

import costderive as cd
from costderive.cli import main
from costderive.core.errors import CostDeriveError, DivergentCostError, ImproperLawError, SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p, parameter
from costderive.costs.contexts import Context, Mixture, PowerMean
from costderive.costs.laws import Density, ImproperLaw, Law, Mass, Spread, x
from costderive.deciders.leading import leading
from costderive.deciders.leading_terms import NoLeadingTerm
from costderive.deciders.limits import Approach, tends
from costderive.deciders.regularity import regular
from costderive.derivation import named_rules
from costderive.derivation.derivation import Derivation
from costderive.derivation.interpretation import as_context
from costderive.proof.claims import Verdict
from costderive.publish.formats import terminal
from costderive.publish.formats.forge_markdown import markdown
from costderive.publish.plots.cost_curves import along
from costderive.rules import Judgement
from costderive.spec import parse
from costderive.spec.write_spec import to_toml
from tests.reference import derived

HALDANE = "improper(1/(s*(1 - s)))"  # log-odds uniform on the line
SCORES = (0.02, 0.31, 0.5, 0.77, 0.995)
HALF = mp.mpf(1) / 2
DIGITS = 1e-12  # of quadrature with 30 digits, whose integrands have powers at one end
Number = Any


@dataclass(frozen=True, slots=True)
class Weighed:
    """A context with the costs and the density as functions of a quantity on (low, high), and values of its letters.

    The cost proportion rises with the quantity, and ``at`` is the quantity at which it is p.
    """

    context: Callable[[], Context]
    c0: Callable[[Number], Number]
    c1: Callable[[Number], Number]
    density: Callable[[Number], Number]
    low: Number = 0
    high: Number = 1
    at: Callable[[Number], Number] = lambda score: score
    values: tuple[tuple[str, str], ...] = ()

    def loss0(self, score: Number) -> Number:
        """Return the integral of c0 over all costs with a proportion below the score."""
        return _integral(lambda y: self.c0(y) * self.density(y), self.low, self._end(score))

    def loss1(self, score: Number) -> Number:
        """Return the integral of c1 over all other costs."""
        return _integral(lambda y: self.c1(y) * self.density(y), self._end(score), self.high)

    def _end(self, score: Number) -> Number:
        return min(max(self.at(score), self.low), self.high)


def _integral(function: Callable[[Number], Number], low: Number, high: Number) -> Number:
    """Integrate, in two parts where 1/2 is inside: the larger of two costs has a kink there."""
    inside = [HALF] if low < HALF < high else []
    return mp.quad(function, [low, *inside, high]) if low < high else mp.mpf(0)


def additive(power0: str, power1: str, **values: str) -> Weighed:
    """Return additive costs with the improper density ``s^(-power0) (1-s)^(-power1)``."""
    first, second = (mp.mpf(sympy.Rational(sympy.sympify(e).subs(values))) for e in (power0, power1))
    return Weighed(
        lambda: cd.Additive(density=f"improper(s^(-({power0}))*(1 - s)^(-({power1})))"),
        lambda s: 2 * s,
        lambda s: 2 * (1 - s),
        lambda s: s**-first * (1 - s) ** -second,
        values=tuple(values.items()),
    )


def haldane(s: Number) -> Number:
    return 1 / (s * (1 - s))


WEIGHED = {
    "geometric": Weighed(
        lambda: cd.Geometric("b", density=HALDANE),
        lambda s: 3 * mp.sqrt(s / (1 - s)),
        lambda s: 3 * mp.sqrt((1 - s) / s),
        haldane,
        values=(("b", "3"),),
    ),
    "Beta (0, 0)": additive("1", "1"),
    "Beta (-1/2, -1/2)": additive("3/2", "3/2"),
    "Beta (-1/4, 1/2)": additive("5/4", "1/2"),
    "Beta (-a, -a)": additive("1 + a", "1 + a", a="1/3"),
    "Beta (-a, 0)": additive("1 + a", "1", a="1/3"),
    "Beta (b, -a)": additive("1 - b", "1 + a", a="1/5", b="7/4"),
    "Euclidean": Weighed(
        lambda: cd.PowerMean(2, density=HALDANE),
        lambda s: s * mp.sqrt(2 / (s**2 + (1 - s) ** 2)),
        lambda s: (1 - s) * mp.sqrt(2 / (s**2 + (1 - s) ** 2)),
        haldane,
    ),
    "maximum": Weighed(
        lambda: cd.PowerMean("oo", density=HALDANE),
        lambda s: s / max(s, 1 - s),
        lambda s: (1 - s) / max(s, 1 - s),
        haldane,
    ),
    "from a bound on": Weighed(
        lambda: cd.Additive(density="improper(1/(s*(1 - s)), a, 1)"),
        lambda s: 2 * s,
        lambda s: 2 * (1 - s),
        haldane,
        low=mp.mpf(1) / 4,
        values=(("a", "1/4"),),
    ),
    "law of c0": Weighed(
        lambda: cd.Geometric("m", c0="improper(1/x)"),
        lambda c: c,
        lambda c: 4 / c,
        lambda c: 1 / c,
        high=mp.inf,
        at=lambda score: 2 * mp.sqrt(score / (1 - score)),
        values=(("m", "2"),),
    ),
    "curve": Weighed(
        lambda: cd.Curve("x", "1", density="improper(x^(-3/2))"),
        lambda y: y,
        lambda y: mp.mpf(1),
        lambda y: y ** (-mp.mpf(3) / 2),
        high=mp.inf,
        at=lambda score: score / (1 - score),
    ),
    "no closed form": Weighed(
        lambda: cd.Additive(density="improper(exp(-a*s)/(s*(1 - s)))"),
        lambda s: 2 * s,
        lambda s: 2 * (1 - s),
        lambda s: mp.exp(-2 * s) * haldane(s),
        values=(("a", "2"),),
    ),
}


@pytest.mark.parametrize("name", WEIGHED)
def test_losses_are_the_integrals_of_the_costs_over_the_law_and_proved(name: str) -> None:
    row = WEIGHED[name]
    derivation = derived(row.context())
    assert cd.check(derivation).verdict is Verdict.PROVED
    rule = derivation.rule.at(**dict(row.values)) if row.values else derivation.rule
    with mp.workdps(30):
        for score in map(mp.mpf, SCORES):
            for found, wanted in ((rule.loss0, row.loss0(score)), (rule.loss1, row.loss1(score))):
                value = sympy.sympify(found).subs(p, sympy.Float(score, 30)).evalf(25)
                assert abs(mp.mpf(value) - wanted) <= DIGITS * (1 + abs(wanted))


def test_geometric_costs_with_uniform_log_odds_lose_what_boosting_does() -> None:
    derivation = derived(cd.Geometric("b", density=HALDANE))
    rule, b = derivation.rule, parameter("b")
    assert derivation.verdict is Judgement.STRICTLY_PROPER
    assert (rule.loss0, rule.loss1) == (2 * b * sqrt(p) / sqrt(1 - p), 2 * b * sqrt(1 - p) / sqrt(p))
    assert rule.bounds == ((0, oo), (0, oo))
    assert cd.Geometric(1, density=HALDANE).improper_law is not None
    boosting = derived(cd.Geometric("1/2", density=HALDANE)).rule
    same = boosting.equivalent_to(named_rules.boosting())
    assert same and same.factor == 1


@pytest.mark.parametrize(
    ("name", "kind"), [("boosting", "geometric"), ("boosting", "additive"), ("log-loss", 1)]
)
def test_a_rule_whose_weight_has_no_mass_is_read_as_an_improper_context(name: str, kind: Any) -> None:
    rule = named_rules.NAMED[name]()
    reading = as_context(rule, kind)
    assert reading.mass is oo and reading.context.improper_law is not None
    assert "improper density" in reading.sentence
    same = derived(reading.context).rule.equivalent_to(rule)
    assert same and same.factor == 1


def test_an_atom_beside_an_infinite_mass_is_called_a_mass() -> None:
    """With p = 1/2 the log loss of class 0 is 2 ln 2, from the density, and jumps by 2 (1/2) = 1 at the atom."""
    half = sympy.S.Half
    law = ImproperLaw(cd.Additive(density=HALDANE).density.spreads, (Mass(half, sympy.S.One),))
    derivation = derived(cd.Additive(density=law))
    report = cd.check(derivation)
    assert report.verdict is Verdict.PROVED
    just_above = derivation.rule.cases[0][1].loss0.pieces[1].value.subs(p, half)
    assert sympy.simplify(just_above - 2 * log(2) - 1) == 0
    assert "the mass 1 at 1/2" in terminal.context_words(derivation.context)
    assert r"the mass \(1\) at \(\frac{1}{2}\)" in " ".join(cd.export.latex(derivation, report).split())


def test_all_ways_to_write_an_improper_law_are_one() -> None:
    spec = '[context]\nkind = "geometric"\ndensity = {density = "1/(s*(1 - s))", improper = true}'
    named = cd.Geometric(density=HALDANE)
    assert cd.Geometric(density=Density("1/(s*(1 - s))", (0, 1), improper=True)) == named
    assert parse(spec).context == parse(to_toml(parse(spec))).context == named
    assert cd.Geometric(density="improper(1/(s*(1 - s)), 0, 1)") == named
    assert cd.Geometric(density=named.density) == named


REFUSED: dict[str, tuple[Callable[[], object], type[CostDeriveError], str]] = {
    "costs that diverge": (
        lambda: cd.derive(cd.Additive(density="improper(s^(-3))")),
        DivergentCostError,
        "s = 0",
    ),
    "at the other end": (
        lambda: cd.derive(cd.Additive(density="improper((1-s)^(-2))")),
        DivergentCostError,
        "s = 1",
    ),
    "inside": (
        lambda: cd.derive(cd.Additive(density="improper((s-1/3)^(-2))")),
        DivergentCostError,
        "s = 1/3",
    ),
    "for all values of a letter": (
        lambda: cd.Additive(density="improper(s^(-1 - a)*(1 - s)^(a - 3))"),
        DivergentCostError,
        "never both positive",
    ),
    "harmonic": (lambda: cd.derive(cd.Harmonic(density=HALDANE)), DivergentCostError, "s = 0"),
    "a finite mass": (
        lambda: cd.Additive(density="improper(6*s*(1 - s))"),
        SpecError,
        "total mass is finite",
    ),
    "an open mass": (lambda: cd.Additive(density="improper(s^(a - 2))"), SpecError, "open"),
    "a negative density": (lambda: cd.Additive(density="improper((1 - 2*s)/s^(3/2))"), SpecError, "negative"),
    "three values": (lambda: cd.Additive(density="improper(1/s, 0)"), SpecError, "improper of 2 values"),
    "not said to be improper": (lambda: cd.Additive(density="1/(s*(1 - s))"), SpecError, "improper"),
    "a flag that is none": (
        lambda: parse('[context]\nkind = "additive"\ndensity = {density = "1/s", improper = 1}'),
        SpecError,
        "improper = 1 is not true or false",
    ),
    "a budget": (lambda: cd.Additive(budget="improper(1/x)"), ImproperLawError, "context.budget"),
    "independent costs": (lambda: cd.Independent(c0="improper(1/x)", c1=1), ImproperLawError, "context.c0"),
    "one cost proportion": (
        lambda: cd.derive(cd.Curve("x", "2*x", density="improper(1/x)")),
        ImproperLawError,
        "context.density",
    ),
    "a part of a mixture": (
        lambda: Mixture(("1/2", cd.Additive()), ("1/2", cd.Additive(density=HALDANE))),
        ImproperLawError,
        r"context.parts\[1\]",
    ),
    "random costs": (lambda: cd.Geometric(density=HALDANE).sample(2), ImproperLawError, "cannot be drawn"),
    "simulated costs": (
        lambda: cd.evaluate.simulate(cd.Geometric(density=HALDANE), [0, 1], [0.1, 0.9], draws=10),
        ImproperLawError,
        "cannot be drawn",
    ),
    "a threshold of its own": (
        lambda: cd.derive(cd.Geometric(density=HALDANE), threshold=cd.FixedThreshold("1/2")),
        DivergentCostError,
        "infinite",
    ),
    "a parameter beyond what converges": (
        lambda: cd.Additive(density="improper(s^(-1 - a))").at(a=1),
        SpecError,
        "not positive",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_an_improper_law_does_not_have_is_refused_in_words(name: str) -> None:
    ask, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        ask()


def test_exponents_say_where_the_losses_converge() -> None:
    a, b = parameter("a"), parameter("b")
    context = cd.Additive(density="improper(s^(-1 - a)*(1 - s)^(-1 - b))")
    assert set(context.given().positive) == {1 - a, 1 - b}
    assert cd.Additive(density="improper(1/(s*(1 - s)))").given() == Given()


def test_a_threshold_of_its_own_goes_with_expected_costs_that_are_finite() -> None:
    """E[c0] is the integral of x x^(-3/2) over (0, 1), which is 2; E[c1] that of x^2 x^(-3/2), which is 2/3."""
    context = cd.Curve("x", "x^2", density="improper(x^(-3/2), 0, 1)")
    rule = cd.derive(context, threshold=cd.FixedThreshold("1/2")).rule
    assert [loss.subs(p, at) for loss, at in ((rule.loss0, 1), (rule.loss1, 0))] == [2, Rational(2, 3)]


# ---- what is said


def test_every_text_says_that_the_law_is_improper() -> None:
    derivation = derived(cd.Geometric("b", density=HALDANE))
    report = cd.check(derivation)
    plain = " ".join(terminal.summary(derivation, report).split())
    for text in (plain, markdown(derivation, report)):
        assert "total mass of this law is infinite" in text
        assert "not expected costs of a random instance" in text
    for written in (cd.export.latex(derivation, report), cd.export.html(derivation, report)):
        text = " ".join(written.split())
        assert "is improper, as some priors are: its total mass is infinite" in text
        assert "not the expected cost of a random instance" in text
        assert "The costs are random" not in text and "counts as in the error rate" not in text


@pytest.mark.parametrize("name", ["maximum", "curve", "law of c0", "Euclidean"])
def test_articles_claim_no_bound_and_no_probability_of_an_improper_law(name: str) -> None:
    derivation = derived(WEIGHED[name].context())
    text = " ".join(cd.export.latex(derivation, self_contained=True).split())
    assert "is improper, as some priors are" in text
    assert "Neither cost exceeds" not in text and "probabilities add up to one" not in text
    assert r"\mathbb{E}[L_0(p) \mid Y = 0] < \infty" in text


def test_scores_are_printed_in_units_of_cost_times_mass(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "y,a\n" + "\n".join(f"{k % 2},{0.2 + 0.6 * (k % 2) + 0.01 * k}" for k in range(12))
    (tmp_path / "predictions.csv").write_text(rows)
    ask = ["score", str(tmp_path / "predictions.csv"), "--y-true", "y", "--context", "geometric"]
    assert main([*ask, "--density", HALDANE]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "in units of cost times mass" in printed and "not expected costs of a random instance" in printed
    assert main([*ask, "--density", HALDANE, "--verify"]) == 2
    assert "cannot be drawn" in capsys.readouterr().err


def test_a_picture_shows_the_curve_of_the_costs() -> None:
    loss = cd.Geometric(2, density=HALDANE).expected_loss()
    first, second = along(loss, 50)
    assert np.allclose(first * second, 4) and 45 <= len(first) <= 50
    steps = np.diff(np.log(first / second))
    assert np.allclose(steps, steps.mean(), rtol=0.05)
    arcs = cd.Curve("x", "1", density="improper(1/x^(3/2))").expected_loss()
    assert np.all(along(arcs, 50)[1] == 1)


# ---- what check claims, and what it refuses


def unchecked_law(density: Any, low: Any = 0, high: Any = 1) -> ImproperLaw:
    """Return a law without the check that it is improper."""
    low, high, density = map(sympy.sympify, (low, high, density))
    return ImproperLaw((Spread(low, high, density.subs(sympy.Symbol("x"), x)),))


MUTANTS = {
    "uniform": unchecked_law(1),
    "of a finite mass with a pole": unchecked_law("1/(2*sqrt(x))"),
    "negative where it is infinite": unchecked_law("-1/x + 1"),
    "negative elsewhere": unchecked_law("1/x - 3"),
    "finite, since logarithms help": unchecked_law("1/(x*(1 - log(x))^2)"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_law_that_is_called_improper_and_is_not_is_not_proved(name: str) -> None:
    derivation = cd.derive(PowerMean(1, density=MUTANTS[name]))
    assert cd.check(derivation).verdict is not Verdict.PROVED


def test_a_derivation_does_not_pass_for_one_with_the_other_kind_of_law() -> None:
    whole = derived(cd.Additive(density="beta(2, 3)"))
    law = whole.context.density
    renamed = replace(whole.context, density=ImproperLaw(law.spreads))
    forged = replace(whole, context=renamed, cases=tuple(_from(case, renamed) for case in whole.cases))
    assert cd.check(forged).verdict is not Verdict.PROVED


def _from(case: Any, context: Context) -> Any:
    return replace(case, steps=(replace(case.steps[0], before=context), *case.steps[1:]))


@pytest.mark.parametrize(
    ("density", "words"), [(HALDANE, "total probability"), ("beta(2, 3)", "total mass is finite")]
)
def test_certificates_in_which_improper_is_turned_on_or_off_are_refused(density: str, words: str) -> None:
    text = cd.derive(cd.Additive(density=density)).to_json()
    assert Derivation.from_json(text) == derived(cd.Additive(density=density))
    old, new = ("ImproperLaw", "Law") if density == HALDANE else ("Law", "ImproperLaw")
    changed = text.replace(json.dumps(old), json.dumps(new))
    assert changed != text
    with pytest.raises(SpecError, match=words):
        Derivation.from_json(changed)


# ---- what the deciders learnt


def test_powers_vanish_or_grow_as_a_given_fact_says() -> None:
    a, y = parameter("a"), sympy.Symbol("y", positive=True)
    below, above = Given(positive=(1 - a,)), Given(positive=(a - 1,))
    end = Approach(y, sympy.S.Zero, "+")
    assert tends(y ** (1 - a), end, sympy.S.Zero, below) and tends(y ** (1 - a), end, oo, above)
    assert not tends(y ** (1 - a), end, sympy.S.Zero) and not tends(y ** (1 - a), end, sympy.S.Zero, above)


@pytest.mark.parametrize(
    ("first", "second"), [("3/4", "-1/4"), ("1/2", "-5/4"), ("2/3", "0"), ("1/2", "-1"), ("5/2", "-2")]
)
def test_incomplete_beta_functions_grow_as_they_do(first: str, second: str) -> None:
    """``B_z(a, b)`` over its leading term at z = 1, in 30 digits; what it misses is of the order of y or y^(-b)."""
    a, b, y = Rational(first), Rational(second), sympy.Symbol("y", positive=True)
    term = leading(sympy.betainc(a, b, 0, 1 - y), y, Given())
    assert term is not None
    at = mp.mpf(10) ** -30
    with mp.workdps(60):
        claimed = mp.mpf(term.coefficient) * at ** mp.mpf(term.power) * (-mp.log(at)) ** int(term.logs)
        grown = mp.betainc(mp.mpf(a), mp.mpf(b), 0, 1 - at)
        assert abs(grown / claimed - 1) < (0.1 if b == 0 else 1e-6)


def test_incomplete_beta_functions_of_open_growth_have_no_leading_term() -> None:
    a, y = parameter("a"), sympy.Symbol("y", positive=True)
    with pytest.raises(NoLeadingTerm):
        leading(sympy.betainc(1, a - 1, 0, 1 - y), y, Given())
    with pytest.raises(NoLeadingTerm):
        leading(sympy.betainc(-a, -1, 0, 1 - y), y, Given())
    for end in (sympy.exp(-1 / y), 1 - sympy.exp(-1 / y), 1 - y * log(y) ** 2, Rational(1, 3) - y):
        with pytest.raises(NoLeadingTerm):
            leading(sympy.betainc(Rational(1, 2), Rational(-1, 2), 0, end), y, Given())


def test_a_difference_of_beta_functions_tends_to_what_is_left() -> None:
    """B(7/4, -1/4) = B(3/4, -1/4) a/(a + b) = (3/2) B(3/4, -1/4), continued analytically."""
    end = Approach(p, sympy.S.One, "-")
    first, second = (sympy.betainc(Rational(n, 4), Rational(-1, 4), 0, p) for n in (3, 7))
    left = sympy.beta(Rational(3, 4), Rational(-1, 4)) - sympy.beta(Rational(7, 4), Rational(-1, 4))
    assert tends(first - second, end, left)
    with mp.workdps(40):
        near = 1 - mp.mpf(10) ** -30
        gap = mp.betainc(0.75, -0.25, 0, near) - mp.betainc(1.75, -0.25, 0, near)
        assert abs(gap - mp.mpf(left.evalf(30))) < 1e-12
    assert not tends(first - second, end, left + 1) and not tends(first + second, end, left)


def test_smooth_functions_of_beta_need_no_second_exponent() -> None:
    on = Interval(p, sympy.S.Zero, sympy.S.One)
    assert regular(sympy.betainc(Rational(1, 2), -3, 0, p), on, Given())
    assert not regular(sympy.betainc(-Rational(1, 2), 1, 0, p), on, Given())


def test_laws_of_total_mass_one_stay_what_they_were() -> None:
    assert cd.Additive(density="beta(2, 3)").improper_law is None
    assert Law((Spread(sympy.S.Zero, sympy.S.One, sympy.S.One),)) != unchecked_law(1)
