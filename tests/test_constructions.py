"""Rules from a weight, an entropy, a link or losses: closed forms from the literature, integration, and laws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from mpmath import mp
from sympy import Expr, Rational, atan, exp, log, sqrt

import costderive as cd
from costderive.core.errors import CostDeriveError, DivergentCostError, ParametersLeftError, SpecError
from costderive.core.symbols import p, parameter, q, s
from costderive.derivation.constructed_rules import prove
from costderive.proof.claims import Verdict
from costderive.rules import Judgement, ScoringRule, eta

HALF = Rational(1, 2)
m = parameter("m")

# losses from a weight, an entropy and a link; Buja, Stuetzle and Shen (2005), Table 1 and section 6; Gneiting and
# Raftery (2007), Example 3: constants are chosen so that a certain truth loses nothing
BOOSTING = (sqrt(p / (1 - p)), sqrt((1 - p) / p))
NORM = sqrt(p**2 + (1 - p) ** 2)
KNOWN: dict[str, tuple[Any, Any, Any, tuple[Expr, Expr]]] = {
    "Brier": ("2", "q*(1-q)", "2*p", (p**2, (1 - p) ** 2)),
    "log": (
        "1/(s*(1-s))",
        "-q*log(q) - (1-q)*log(1-q)",
        "log(p/(1-p))",
        (-log(1 - p), -log(p)),
    ),
    "boosting": (
        "1/(2*(s*(1-s))^(3/2))",
        "2*sqrt(q*(1-q))",
        "(2*p-1)/sqrt(p*(1-p))",
        BOOSTING,
    ),
    "spherical": (
        "1/(s^2+(1-s)^2)^(3/2)",
        "1 - sqrt(q^2+(1-q)^2)",
        "(2*p-1)/sqrt(p^2+(1-p)^2)",
        (1 - (1 - p) / NORM, 1 - p / NORM),
    ),
    "scaled Brier": ("m", "m*q*(1-q)/2", "m*p", (m * p**2 / 2, m * (1 - p) ** 2 / 2)),
}


def agrees(found: Expr, expected: Expr) -> bool:
    """Compare two expressions in p at some points; 40 digits, of which ten may be lost."""
    gap = (found - expected).subs(m, Rational(7, 3))
    points = [Rational(k, 17) for k in (1, 4, 8, 9, 13, 16)]
    return all(abs(gap.subs({p: x, q: x, s: x}).evalf(40)) < 1e-30 for x in points)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("source", ["weight", "entropy", "link"])
def test_losses_are_those_of_the_literature_and_proved(name: str, source: str) -> None:
    weight, entropy, link, losses = KNOWN[name]
    build = {
        "weight": lambda: cd.rule_from_weight(weight),
        "entropy": lambda: cd.rule_from_entropy(entropy),
        "link": lambda: cd.rule_from_link(link),
    }
    rule = build[source]()
    assert agrees(rule.loss0, losses[0]) and agrees(rule.loss1, losses[1])
    assert rule.verdict is Judgement.STRICTLY_PROPER
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    assert agrees(rule.weight, cd.rule_from_losses(*losses).weight)


def test_the_identities_are_claims_that_are_proved() -> None:
    report = cd.check(cd.rule_from_weight("2", {"1/3": "m"}).derivation)
    said = {finding.claim.what for finding in report.findings if finding.verdict is Verdict.PROVED}
    assert {
        "the entropy bends by the weight",
        "loss 0 is the tangent's value at 0",
        "loss 1 is the tangent's value at 1",
        "the weight is the slope of the link",
        "the link is the difference of the losses, 0 at 1/2",
    } <= said


@pytest.mark.parametrize(
    "density", ["2", "6*s", "exp(s)", "0 if s <= 1/4; 1/s if s <= 3/4; (1-s)/4", "1/sqrt(s)"]
)
def test_losses_are_the_integrals_of_the_weight(density: str) -> None:
    rule = cd.rule_from_weight(density, {"1/3": "1/2", "2/3": 1})
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    weight = sympy.lambdify(s, rule_weight(density), "mpmath")
    with mp.workdps(25):
        for x in (mp.mpf(1) / 5, mp.mpf(2) / 5, mp.mpf(4) / 5):
            breaks = [mp.mpf(k) / 12 for k in (3, 4, 8, 9)]
            below = [mp.mpf(0), *[b for b in breaks if b < x], x]
            above = [x, *[b for b in breaks if b > x], mp.mpf(1)]
            atoms = [(mp.mpf(1) / 3, mp.mpf(1) / 2), (mp.mpf(2) / 3, mp.mpf(1))]
            low = mpmath.quad(lambda t: t * weight(t), below) + sum(a * w for a, w in atoms if a < x)
            high = mpmath.quad(lambda t: (1 - t) * weight(t), above) + sum(
                (1 - a) * w for a, w in atoms if a >= x
            )
            # quadrature with the square root at 0 gives 12 digits
            assert abs(rule.loss0.subs(p, x).evalf(25) - low) < 1e-11
            assert abs(rule.loss1.subs(p, x).evalf(25) - high) < 1e-11


def rule_weight(text: str) -> Expr:
    table: dict[str, Expr] = {
        "0 if s <= 1/4; 1/s if s <= 3/4; (1-s)/4": sympy.Piecewise(
            (0, s <= Rational(1, 4)), (1 / s, s <= Rational(3, 4)), ((1 - s) / 4, True)
        )
    }
    return table.get(text) or sympy.sympify(text.replace("^", "**"), locals={"s": s})


# ------------------------------------------------------------------------------------------------ laws

fractions = st.fractions(min_value=Fraction(1, 12), max_value=Fraction(11, 12), max_denominator=12)
levels = st.integers(min_value=0, max_value=5)


@st.composite
def weights(draw: st.DrawFn) -> tuple[sympy.Piecewise, dict[Any, Any]]:
    """Draw a piecewise rational weight with atoms."""
    breaks = sorted(draw(st.sets(fractions, min_size=1, max_size=2)))
    forms = (lambda c: c, lambda c: c * s, lambda c: c / (1 + s) ** 3, lambda c: c * s * (1 - s))
    values = [draw(st.sampled_from(forms))(draw(levels)) for _ in range(len(breaks) + 1)]
    branches = [
        (value, s <= Rational(b.numerator, b.denominator)) for value, b in zip(values, breaks, strict=False)
    ]
    atoms = draw(st.dictionaries(fractions, st.integers(min_value=1, max_value=4), max_size=2))
    return sympy.Piecewise(*branches, (values[-1], True)), atoms


@settings(max_examples=4, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
@given(weights(), fractions, fractions)
def test_weight_to_losses_to_weight_is_the_identity(
    drawn: tuple[sympy.Piecewise, dict[Any, Any]], report: Fraction, belief: Fraction
) -> None:
    density, atoms = drawn
    rule = cd.rule_from_weight(density, atoms)
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    again = cd.rule_from_losses(rule.loss0, rule.loss1)
    assert again.verdict in (Judgement.STRICTLY_PROPER, Judgement.PROPER)
    points = [Rational(2 * k + 1, 50) for k in range(25)]
    assert all(sympy.simplify(again.weight.subs(s, x) - density.subs(s, x)) == 0 for x in points)
    assert {(x.at, sympy.simplify(x.mass)) for x in again.atoms} == {
        (Rational(at.numerator, at.denominator), mass) for at, mass in atoms.items()
    }
    # the divergence is the weight's mass between belief and report, each part by its distance to the belief
    x, y = (Rational(z.numerator, z.denominator) for z in (report, belief))
    excess = rule.divergence.subs({p: x, q: y}).evalf(30)
    between = [at for at in atoms if min(report, belief) <= at < max(report, belief) and at != belief]
    spread = sympy.integrate(sympy.piecewise_fold(density * abs(s - y)), (s, min(x, y), max(x, y)))
    mass = spread + sum(atoms[at] * abs(Rational(at.numerator, at.denominator) - y) for at in between)
    assert excess >= -1e-25 and abs(excess - mass.evalf(30)) < 1e-25


# ------------------------------------------------------------------------------------ the rule's own sides


def test_entropy_is_concave_and_bends_by_the_weight() -> None:
    rule = cd.derive(cd.Harmonic(1)).rule
    assert agrees(rule.entropy, -q * log(q) - (1 - q) * log(1 - q))
    assert sympy.simplify(rule.entropy.diff(q, 2) + rule.weight.subs(s, q)) == 0
    assert rule.generator == -rule.entropy


def test_links_have_their_closed_inverses() -> None:
    """Buja, Stuetzle and Shen (2005): identity, logit, and the link of boosting."""
    inverses = {
        "2": eta / 2 + HALF,
        "1/(s*(1-s))": 1 / (1 + exp(-eta)),
        "1/(2*(s*(1-s))^(3/2))": HALF + eta / (2 * sqrt(eta**2 + 4)),
    }
    for weight, expected in inverses.items():
        found = cd.rule_from_weight(weight).inverse_link
        assert found is not None
        gap = found - expected
        assert all(abs(gap.subs(eta, x).evalf(30)) < 1e-25 for x in (Rational(-3, 4), Rational(1, 5)))


def test_inverse_link_stays_at_an_atom() -> None:
    rule = cd.rule_from_weight("1", {"1/2": 1})
    inverse = rule.inverse_link
    assert inverse is not None
    assert [inverse.subs(eta, x) for x in (-HALF, 0, HALF, 1, 1 + HALF)] == [0, HALF, HALF, HALF, 1]


def test_convexity_in_a_link_is_proved_or_refuted() -> None:
    """The log loss is convex in the logit, the Brier score is not: its loss flattens where it is wrong."""
    brier, log_loss = cd.derive(cd.Additive()).rule, cd.derive(cd.Harmonic(1)).rule
    assert log_loss.in_link("log(p/(1-p))").convexity
    refuted = brier.in_link("log(p/(1-p))").convexity
    assert refuted.verdict is Verdict.REFUTED and "p =" in refuted.evidence
    assert brier.in_link().convexity and brier.in_link("p").convexity
    atom = cd.rule_from_weight("2", {"1/3": 1})
    assert atom.in_link("p").convexity.verdict is Verdict.REFUTED
    assert atom.in_link().convexity
    concave_kink = cd.rule_from_weight("2 if s <= 1/2; 1").in_link("p").convexity
    assert concave_kink.verdict is Verdict.REFUTED and "slope" in concave_kink.evidence


def test_slopes_in_a_link_are_derivatives() -> None:
    linked = cd.derive(cd.Harmonic(1)).rule.in_link("log(p/(1-p))")
    assert agrees(linked.slopes[0], p) and agrees(linked.slopes[1], p - 1)
    assert agrees(linked.curvatures[0], p * (1 - p)) and agrees(linked.curvatures[1], p * (1 - p))


def test_rules_are_compared_up_to_a_factor_and_constants() -> None:
    brier = cd.derive(cd.Additive()).rule
    exponential = cd.derive(cd.Independent(c0="exponential(m)", c1="exponential(m)")).rule
    found = exponential.equivalent_to(brier)
    assert found and found.factor == m and found.up_to_factor
    shifted = cd.rule_from_losses("3*p^2 + 1", "3*(1-p)^2 - 2").equivalent_to(brier)
    assert shifted and shifted.factor == 3 and shifted.constants == (1, -2) and not shifted.up_to_factor
    assert cd.derive(cd.Harmonic(1)).rule.equivalent_to(brier).verdict is Verdict.REFUTED
    assert cd.rule_from_losses("-p^2", "-(1-p)^2").equivalent_to(brier).verdict is Verdict.REFUTED


def test_symmetry() -> None:
    assert cd.derive(cd.Additive()).rule.is_symmetric is True
    assert cd.derive(cd.IndependentUniform(c0=(0, 1), c1=(0, 2))).rule.is_symmetric is False
    assert cd.rule_from_weight(0, {"1/2": 2}).is_symmetric is True  # though the tie itself goes to class 0
    assert cd.rule_from_weight(0, {"1/3": 2}).is_symmetric is False


def test_bounds_and_normalised_sizes() -> None:
    rule = cd.derive(cd.IndependentUniform(c0=(0, 1), c1=(0, 1))).rule
    assert rule.bounds == ((0, HALF), (0, HALF))
    assert rule.normalised("budget").bounds == ((0, 1), (0, 1))
    lopsided = cd.rule_from_weight(0, {"1/4": 8})
    assert lopsided.bounds == ((0, 2), (0, 6)) and lopsided.normalised("worst case").bounds[1] == (0, 1)
    brier = cd.derive(cd.Additive()).rule
    log_loss = cd.derive(cd.Harmonic(1)).rule
    assert agrees(log_loss.normalised("entropy").entropy.subs(q, HALF) + p - p, Rational(1, 4))
    assert agrees(brier.normalised(log_loss).entropy.subs(q, HALF), log(2))
    with pytest.raises(SpecError, match="budget of the rule is oo"):
        log_loss.normalised("budget")
    with pytest.raises(SpecError, match="is not a size"):
        brier.normalised("area")


def test_sums_and_multiples_are_proved_again() -> None:
    total = cd.derive(cd.Additive()).rule + 3 * cd.rule_from_weight(0, {"1/3": 1})
    expected = sympy.Piecewise((p**2, p <= Rational(1, 3)), (p**2 + 1, True))
    assert agrees(total.loss0, expected)
    assert cd.check(prove(total)).verdict is Verdict.PROVED
    mixed = cd.rule_from_losses("p^2", "(1-p)^2") + cd.derive(cd.Harmonic(1)).rule
    assert agrees(mixed.loss1, (1 - p) ** 2 - log(p)) and agrees(mixed.weight, 2 + 1 / (s * (1 - s)))
    with pytest.raises(SpecError, match="not a positive number"):
        _ = total * -1


def test_rules_at_numbers_are_proved_again() -> None:
    """Piecewise losses whose neighbours become the same are cut again where the weight is."""
    general = cd.derive(cd.IndependentUniform(c0=(0, "b"), c1=(0, 1))).rule
    for rule in (general.at(b=1), general.at(b=3), cd.rule_from_weight("m if s <= 1/2; 1").at(m=1)):
        assert cd.check(prove(rule)).verdict is Verdict.PROVED


def test_the_order_of_symbolic_breakpoints_is_asked_for() -> None:
    both = cd.rule_from_weight("0 if s <= a; 1"), cd.rule_from_weight("0 if s <= b; 1")
    with pytest.raises(ParametersLeftError, match="depends on"):
        _ = both[0] + both[1]
    with pytest.raises(ParametersLeftError, match="1/2"):
        _ = both[0].link


def test_improper_rules_have_a_verdict_and_no_weight() -> None:
    rule = cd.rule_from_entropy("q^2")
    assert rule.verdict is Judgement.IMPROPER and cd.check(rule.derivation).verdict is Verdict.PROVED
    with pytest.raises(SpecError, match="no threshold weight"):
        _ = rule.weight


@pytest.mark.parametrize(
    "build",
    [
        lambda: cd.rule_from_weight("2", {"1/3": "m"}),
        lambda: cd.rule_from_link("a*p"),
    ],
)
def test_certificates_and_articles_are_written(build: Any) -> None:
    rule: ScoringRule = build()
    report = cd.check(rule.derivation)
    again = cd.Derivation.from_json(rule.derivation.to_json(report))
    assert again == rule.derivation and cd.check(again).verdict is Verdict.PROVED
    assert "canonical link" in cd.export.latex(rule.derivation, report)


def test_an_article_of_an_entropy_shows_it() -> None:
    assert "tangents of the entropy" in cd.export.latex(cd.rule_from_entropy("q*(1-q)").derivation)


def test_what_sympy_writes_is_read_too() -> None:
    plain = sympy.Symbol("s")
    assert cd.rule_from_weight(2 + 0 * plain).weight == 2
    assert agrees(cd.rule_from_weight(1 / (1 + plain**2)).weight, 1 / (1 + s**2))
    assert agrees(cd.rule_from_weight(1 / (1 + plain**2)).loss0, log(1 + p**2) / 2)
    assert agrees(
        cd.rule_from_weight(1 / (1 + plain**2)).loss1, sympy.pi / 4 - atan(p) - log(2 / (1 + p**2)) / 2
    )


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: cd.rule_from_weight("1 - 3*s"), "negative at s ="),
        (lambda: cd.rule_from_weight("(s - 137/1000)^2 - 1/10000000"), "negative at s = "),
        (lambda: cd.rule_from_weight("2", {"1/2": -1}), "has the mass -1"),
        (lambda: cd.rule_from_weight("2", {0: 1}), "not inside"),
        (lambda: cd.rule_from_weight("2", {"oo": 1}), "not inside"),
        (lambda: cd.rule_from_weight("2", [("1/2", 1), (0.5, 1)]), "twice"),
        (lambda: cd.rule_from_weight("2*p"), "p"),
        (lambda: cd.rule_from_weight("2 if s <= 1/2"), "not defined on all"),
        (lambda: cd.rule_from_weight("__import__('os')"), "unexpected"),
        (lambda: cd.rule_from_weight("s^9^9^9"), "density"),
        (lambda: cd.rule_from_weight("1/(s-1/2)"), "s = 1/2|not a real number|negative"),
        (lambda: cd.rule_from_weight("log(s-1/2)"), "real"),
        (lambda: cd.rule_from_entropy("q if q <= 1/2; 2 - q"), "jumps"),
        (lambda: cd.rule_from_entropy("log(q)"), "at p = 0"),
        (lambda: cd.rule_from_entropy(float("nan")), "nan"),
        (lambda: cd.rule_from_link("p*(1-p)"), "negative"),
        (lambda: cd.rule_from_link("p if p <= 1/2; p - 1"), "negative"),
        (lambda: cd.rule_from_losses("p^2", None), "loss1"),
    ],
)
def test_bad_input_is_refused_with_its_value(build: Any, message: str) -> None:
    with pytest.raises(CostDeriveError, match=message):
        build()


@pytest.mark.parametrize("weight", ["1/s^2", "1/(1-s)^2", "1/s^3 if s <= 1/2; 1"])
def test_a_weight_without_losses_is_refused(weight: str) -> None:
    with pytest.raises(DivergentCostError, match="infinite"):
        cd.rule_from_weight(weight)
