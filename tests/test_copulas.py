"""Copulas: their rules against quadrature with the textbook's formulas, their draws against Kendall's tau."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import sympy

import costderive as cd
from costderive import spec
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive
from costderive.numeric import compile
from costderive.proof.claims import Verdict
from costderive.publish.export import latex

NORMAL = NormalDist()
UNIT = "uniform(0, 1)"


def below_given(family: str, theta: float, u: float, v: float) -> float:
    """Return ``P(V <= v | U = u)``; Nelsen (2006), section 2.9, from the distribution functions of table 4.1."""
    v = min(max(v, 1e-15), 1 - 1e-15)
    match family:
        case "independent":
            return v
        case "fgm":
            return v + theta * v * (1 - v) * (1 - 2 * u)
        case "clayton":
            return u ** (-theta - 1) * (u**-theta + v**-theta - 1) ** (-1 / theta - 1)
        case "gaussian":
            scores = NORMAL.inv_cdf(u), NORMAL.inv_cdf(v)
            return NORMAL.cdf((scores[1] - theta * scores[0]) / math.sqrt(1 - theta**2))
        case "frank":
            part, rest = math.exp(-theta * u), math.expm1(-theta * v)
            return part * rest / (math.expm1(-theta) + math.expm1(-theta * u) * rest)
        case "gumbel":
            x, y = -math.log(u), -math.log(v)
            whole = (x**theta + y**theta) ** (1 / theta)
            return math.exp(-whole) * whole ** (1 - theta) * x ** (theta - 1) / u
        case "comonotone":
            return float(u <= v)
        case "countermonotone":
            return float(1 - u <= v)
    raise ValueError(family)


@dataclass(frozen=True)
class Margin:
    """A law by its quantiles and its distribution function."""

    text: str
    quantile: Callable[[float], float]
    below: Callable[[float], float]


def flat(low: float, high: float) -> Margin:
    return Margin(
        f"uniform({low}, {high})",
        lambda v: low + (high - low) * v,
        lambda c: min(max((c - low) / (high - low), 0.0), 1.0),
    )


def decay(mean: float) -> Margin:
    return Margin(f"exponential({mean})", lambda v: -mean * math.log1p(-v), lambda c: -math.expm1(-c / mean))


def heavy(shape: float) -> Margin:
    return Margin(
        f"lomax({shape}, 1)", lambda v: (1 - v) ** (-1 / shape) - 1, lambda c: 1 - (1 + c) ** -shape
    )


def steep(shape: float) -> Margin:
    return Margin(
        f"weibull({shape}, 1)",
        lambda v: (-math.log1p(-v)) ** (1 / shape),
        lambda c: -math.expm1(-(c**shape)),
    )


def above(shape: float, least: float) -> Margin:
    return Margin(
        f"pareto({shape}, {least})",
        lambda v: least * (1 - v) ** (-1 / shape),
        lambda c: 1 - (least / c) ** shape if c > least else 0.0,
    )


def bell(mu: float, sigma: float) -> Margin:
    law = NormalDist(mu, sigma)
    return Margin(
        f"lognormal({mu}, {sigma})", lambda v: math.exp(law.inv_cdf(v)), lambda c: law.cdf(math.log(c))
    )


ERROR = 2e-3  # of a rule with 2000 nodes where the integrand jumps by up to 4
ANGLES = (np.arange(2000) + 0.5) * np.pi / 2000
LEVELS, WEIGHTS = (1 + np.cos(ANGLES)) / 2, np.sin(ANGLES) * np.pi / 4000  # close together at the ends


def truth(family: str, theta: float, first: Margin, second: Margin, odds: float) -> float:
    """Return ``E[c0; c0 < odds c1]``, conditioning on the level of c0; these copulas are symmetric."""
    costs = [first.quantile(level) for level in LEVELS]
    shares = [
        1 - below_given(family, theta, level, second.below(cost / odds))
        for level, cost in zip(LEVELS, costs, strict=True)
    ]
    return float(np.dot(WEIGHTS, np.multiply(costs, shares)))


def losses(rule: Any, report: str) -> tuple[float, float]:
    """Evaluate losses by SymPy, and integrals, whose integrands it takes to be 0/0 far out, as they are compiled."""
    at, case = sympy.Rational(report), rule.only_case
    if any(piece.value.has(sympy.Integral) for loss in (case.loss0, case.loss1) for piece in loss):
        loss = compile(rule)
        return float(loss([0], [float(at)])), float(loss([1], [float(at)]))
    found = (loss.piece_at(at).value.subs(cd.symbols.p, at) for loss in (case.loss0, case.loss1))
    first, second = (float(sympy.N(value, 20)) for value in found)
    return first, second


RULES = {
    "FGM": ("fgm", "-1", flat(0, 2), flat(0, 1)),
    "FGM at 0": ("fgm", 0, decay(1), decay(2)),
    "Clayton": ("clayton", 1, flat(0, 1), flat(0, 1)),
    "Clayton with roots": ("clayton", 2, flat(0, 1), flat(0, 1)),
    "Clayton with roots of costs": ("clayton", "1/2", flat(0, 1), flat(0, 3)),
    "Clayton with fourth powers of costs": ("clayton", 1, above(2, 1), above(2, 3)),
    "Clayton as an integral": ("clayton", 3, decay(1), flat(1, 2)),
    "Frank": ("frank", 2, flat(0, 1), flat(0, 1)),
    "Frank of exponentials": ("frank", 2, decay(1), decay(2)),
    "Frank the other way": ("frank", -3, decay(1), flat(0, 2)),
    "Frank between bounds of two sizes": ("frank", 5, flat(1, 4), flat(10, 50)),
    "Clayton of two kinds": ("clayton", 2, decay(3), heavy(3)),
    "Gumbel": ("gumbel", 2, flat(0, 1), decay(1)),
    "Gumbel of other bounds": ("gumbel", 2, flat(0, 1), flat(0, 2)),
    "Gumbel of exponentials": ("gumbel", 3, decay(1), decay(2)),
    "Gaussian": ("gaussian", "-1/2", bell(0, 1), bell(1, 2)),
    "Gaussian at 0": ("gaussian", 0, decay(1), decay(2)),
    "comonotone": ("comonotone", None, flat(1, 2), flat(0, 4)),
    "comonotone with roots of logarithms": ("comonotone", None, heavy(2), steep(2)),
    "countermonotone": ("countermonotone", None, bell(0, 1), bell(1, 2)),
    "countermonotone, a curve without an inverse": ("countermonotone", None, heavy(2), decay(1)),
    "countermonotone exponentials": ("countermonotone", None, decay(1), decay(2)),
}


@pytest.mark.parametrize("name", RULES)
def test_the_rule_is_proved_and_that_of_the_textbook(name: str) -> None:
    family, theta, first, second = RULES[name]
    derivation = cd.derive(cd.Copula(family, theta, c0=first.text, c1=second.text), time_limit=20)
    assert cd.check(derivation).verdict is Verdict.PROVED
    number = 0.0 if theta is None else float(sympy.Rational(theta))
    for report in ("1/5", "2/5", "7/10"):
        odds = float(sympy.Rational(report) / (1 - sympy.Rational(report)))
        wanted = truth(family, number, first, second, odds), truth(family, number, second, first, 1 / odds)
        assert losses(derivation.rule, report) == pytest.approx(wanted, rel=2e-3, abs=ERROR)


@pytest.mark.parametrize("name", ["Clayton with roots of costs", "Clayton with fourth powers of costs"])
def test_these_have_a_closed_form(name: str) -> None:
    family, theta, first, second = RULES[name]
    assert cd.derive(cd.Copula(family, theta, c0=first.text, c1=second.text)).rule.closed_form


def test_a_letter_between_two_numbers_is_proved_by_both() -> None:
    derivation = cd.derive(cd.Copula("fgm", "k", c0="gamma(2, 1)", c1="uniform(0, 1)"))
    assert cd.check(derivation).verdict is Verdict.PROVED


def test_independence_is_the_limit_of_each_family() -> None:
    laws = {"c0": "gamma(2, 1)", "c1": "exponential(1)"}
    wanted = cd.derive(cd.Independent(**laws)).rule
    for family, theta in (("fgm", 0), ("gaussian", 0), ("clayton", 0), ("frank", 0), ("gumbel", 1)):
        rule = cd.derive(cd.Copula(family, theta, **laws)).rule
        assert (rule.loss0, rule.loss1) == (wanted.loss0, wanted.loss1)


def test_a_letter_is_assumed_to_be_in_the_range() -> None:
    context = cd.Copula("fgm", "h", c0=UNIT, c1=UNIT)
    assert [str(fact) for fact in context.given().nonnegative] == ["1 - h"]
    derivation = cd.derive(context)
    assert cd.check(derivation).verdict is Verdict.PROVED
    margin = flat(0, 1)
    wanted = truth("fgm", 0.5, margin, margin, 1 / 3), truth("fgm", 0.5, margin, margin, 3)
    assert losses(derivation.rule.at(h="1/2"), "1/4") == pytest.approx(wanted, abs=ERROR)
    with pytest.raises(SpecError, match="not at least 0"):
        context.at(h=2)


def test_a_root_of_a_square_of_a_logarithm_is_the_logarithm_without_its_sign() -> None:
    on, inside = Interval(c0, sympy.S.Zero, sympy.oo), 1 - sympy.exp(-(c0**2))
    root = sympy.sqrt(sympy.log(inside) ** 2)
    assert zero(sympy.exp(-root) - inside, on)
    assert not zero(sympy.exp(root) - inside, on)
    assert not zero(sympy.exp(-sympy.sqrt(sympy.log(2 * inside) ** 2)) - 2 * inside, on)  # of no one sign


def test_a_gumbel_copula_may_have_a_letter() -> None:
    derivation = cd.derive(cd.Copula("gumbel", "h", c0="exponential(1)", c1="exponential(1)"), time_limit=30)
    assert cd.check(derivation).verdict is Verdict.PROVED
    wanted = truth("gumbel", 3, decay(1), decay(1), 2 / 3), truth("gumbel", 3, decay(1), decay(1), 3 / 2)
    loss = compile(derivation.rule.at(h=3))
    assert [float(loss([y], [0.4])) for y in (0, 1)] == pytest.approx(wanted, rel=2e-3, abs=ERROR)


TAU: dict[str, tuple[Any, float]] = {  # Nelsen (2006), section 5.1; that of Frank by Debye's function at 5
    "clayton": (2, 2 / 4),
    "fgm": ("-9/10", -2 / 9 * 0.9),
    "gumbel": (3, 1 - 1 / 3),
    "gaussian": ("1/2", 2 / math.pi * math.asin(0.5)),
    "frank": (5, 0.4567),
    "comonotone": (None, 1.0),
    "countermonotone": (None, -1.0),
}


@pytest.mark.parametrize("family", TAU)
def test_drawn_costs_have_kendalls_tau_and_their_own_laws(family: str) -> None:
    theta, tau = TAU[family]
    context = cd.Copula(family, theta, c0="lognormal(0, 1)", c1="lognormal(1, 2)")
    first, second = (np.log(costs) for costs in context.sample(200_000, seed=3))
    pairs = np.sign(first[::2] - first[1::2]) * np.sign(second[::2] - second[1::2])
    assert abs(pairs.mean() - tau) < 5 / 100_000**0.5 + 1e-4
    for drawn, (mean, deviation) in ((first, (0, 1)), (second, (1, 2))):
        assert abs(drawn.mean() - mean) < 5 * deviation / 200_000**0.5
        assert abs(drawn.std() - deviation) < 5 * deviation / 400_000**0.5


NO_FORMULA = cd.Density("1.71623571209*exp(-x^4 - x)", (0, "oo"))  # of its distribution function
REFUSED: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "another family": (("joe", 2), {}, "context.family = 'joe'"),
    "FGM beyond 1": (("fgm", 2), {}, "context.theta = 2 is outside the range"),
    "Clayton below 0": (("clayton", -1), {}, "context.theta = -1"),
    "Gumbel below 1": (("gumbel", "1/2"), {}, "at least 1"),
    "Gaussian at 1": (("gaussian",), {"rho": 1}, "context.rho = 1"),
    "no parameter": (("frank",), {}, "context.theta is missing"),
    "a parameter too many": (("comonotone", 1), {}, "no parameter"),
    "rho of Clayton": (("clayton",), {"rho": "1/2"}, "context.rho"),
    "a letter of costs": (("fgm", cd.symbols.s), {}, "the letter s"),
    "no quantile": (("gaussian", "1/2"), {"c1": NO_FORMULA}, "no formula is known"),
    "no formula": (("fgm", 1), {"c1": NO_FORMULA}, "no formula is known"),
    "values": (("fgm", 1), {"c1": {1: "1/2", 2: "1/2"}}, "values with probabilities"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_copula_is_refused_in_words(name: str) -> None:
    arguments, given, words = REFUSED[name]
    with pytest.raises(SpecError, match=words):
        cd.Copula(*arguments, **{"c0": UNIT, "c1": UNIT, **given})


def test_a_clayton_copula_may_have_a_letter_and_its_margins_too() -> None:
    derivation = cd.derive(cd.Copula("clayton", "h", c0="uniform(0, m)", c1="uniform(0, n)"), time_limit=30)
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form
    for h, m, n in (("1/3", 2, 1), ("7/2", 1, 3)):
        first, second, theta = flat(0, m), flat(0, n), float(sympy.Rational(h))
        for report in ("1/5", "3/5"):
            odds = float(sympy.Rational(report) / (1 - sympy.Rational(report)))
            wanted = (
                truth("clayton", theta, first, second, odds),
                truth("clayton", theta, second, first, 1 / odds),
            )
            found = losses(derivation.rule.at(h=h, m=m, n=n), report)
            assert found == pytest.approx(wanted, rel=2e-3, abs=ERROR)


def test_a_curve_whose_direction_depends_on_letters_has_a_case_for_each() -> None:
    """With ``c0 = e^(m + v z)`` and ``c1 = e^(n + w z)`` the threshold is below p for z on one side of a place."""
    derivation = cd.derive(cd.Copula("comonotone", c0="lognormal(m, v)", c1="lognormal(n, w)"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert derivation.rule.closed_form
    assert len(derivation.cases) == 3
    normal = NormalDist()
    for m, v, n, w in ((0.25, 1.0, 0.5, 2.0), (0.25, 2.0, 0.5, 1.0), (0.25, 1.5, 0.5, 1.5)):
        loss = compile(derivation.rule.at(**{k: str(x) for k, x in zip("mvnw", (m, v, n, w), strict=True)}))
        for p in (0.2, 0.7):
            gap = math.log((1 - p) / p) - n + m
            below = math.copysign(math.inf, gap) if v == w else gap / abs(w - v)
            side = 1 if w >= v else -1
            chance0, chance1 = (normal.cdf(shift) for shift in (side * v - below, below - side * w))
            wanted = math.exp(m + v * v / 2) * chance0, math.exp(n + w * w / 2) * chance1
            assert [float(loss([y], [p])) for y in (0, 1)] == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_a_case_without_an_expected_cost_is_refused_and_the_way_out_works() -> None:
    """At ``a = b`` both costs are one, which has a mean for exponents above 1 alone."""
    with pytest.raises(SpecError, match=r"sign of a - b.*wrong for some letters[\s\S]*write a \+ 1"):
        cd.derive(cd.Copula("comonotone", c0="pareto(a, 1)", c1="pareto(b, 1)"))
    derivation = cd.derive(cd.Copula("comonotone", c0="pareto(a + 1, 1)", c1="pareto(b + 1, 1)"))
    assert cd.check(derivation).verdict is Verdict.PROVED


def test_specs_the_command_line_and_certificates_hold_copulas(tmp_path: Any) -> None:
    context = cd.Copula("countermonotone", fp=UNIT, fn="uniform(0, 1)")
    assert spec.parse(spec.to_toml(spec.Spec("", "", context))).context == context
    certificate = tmp_path / "c.json"
    command = ["derive", "copula", "--family", "countermonotone", "--fp", UNIT, "--fn", "uniform:0,1"]
    assert main([*command, "--json", str(certificate)]) == 0
    assert cd.Derivation.from_json(certificate.read_text()).context == context
    letters = cd.Copula("gaussian", rho="r", c0="lognormal(0, 1)", c1="lognormal(0, 2)")
    assert spec.parse(spec.to_toml(spec.Spec("", "", letters))).context == letters


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("exponential(1)", r"L_1(0) & = \mathbb{E}[c_1] = 1."),
        ("lomax(1, 1)", r"as \(\mathbb{E}[c_0]\) is and \(c_1 \le c_0 (1 - p)/p\) where class 1 is missed"),
    ],
)
def test_an_article_calls_no_expected_cost_finite_that_may_not_be(second: str, said: str) -> None:
    text = latex(cd.derive(cd.Copula("gumbel", 2, c0="exponential(1)", c1=second)))
    assert said in text
    assert (
        ("They are finite" in text)
        is (r"\mathbb{E}[c_1] = \infty" not in text)
        is (second == "exponential(1)")
    )


def test_a_root_of_a_distribution_function_is_below_1() -> None:
    """The base of the density of a Clayton copula with a root and an exponential margin: ``r (1 - g) + g``."""
    cost, level = sympy.sqrt(cd.symbols.c0), sympy.sqrt(1 - sympy.exp(-cd.symbols.c1))
    known = Given(positive=(cd.symbols.c0, 1 - cd.symbols.c0, cd.symbols.c1))
    assert positive(cost + level - cost * level, None, known)
    for false in (cost + level - 3 * cost * level, cost * level + 1 - 2 * level):
        assert not positive(false, None, known)
