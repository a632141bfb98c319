"""Named rules against the literature; their contexts, names and meaning; the command line that shows them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from mpmath import mp
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as sklearn_log_loss
from sympy import Expr, Piecewise, Rational, asin, log, sqrt

import costderive as cd
from costderive.cli import main
from costderive.core.errors import CostDeriveError, ParametersLeftError, SpecError
from costderive.core.symbols import p, parameter, q, s
from costderive.derivation import named_rules
from costderive.derivation.interpretation import as_context, explain, identify
from costderive.proof.claims import Verdict
from costderive.rules import Judgement, ScoringRule

HALF = Rational(1, 2)
POINTS = [Rational(k, 19) for k in (1, 5, 9, 10, 14, 18)]
a, c = parameter("a"), Rational(1, 5)
STRICT, PROPER, IMPROPER = Judgement.STRICTLY_PROPER, Judgement.PROPER, Judgement.IMPROPER


@cache
def rule(text: str) -> ScoringRule:
    return named_rules.named(text)


def agree(found: Expr, expected: Expr) -> bool:
    """Compare at points, at 40 digits of which ten may be lost."""
    gap = (found - expected).subs(a, Rational(5, 4))
    return all(abs(gap.subs({p: x, q: x, s: x}).evalf(40)) < 1e-30 for x in POINTS)


NORM = p**3 + (1 - p) ** 3
# name: loss 0, loss 1 (up to constants), entropy of the two as they stand, verdict
TABLE: dict[str, tuple[Expr, Expr, Judgement]] = {
    "brier": (p**2, (1 - p) ** 2, STRICT),
    "log-loss": (-log(1 - p), -log(p), STRICT),
    # Buja, Stuetzle and Shen (2005)
    "boosting": (sqrt(p / (1 - p)), sqrt((1 - p) / p), STRICT),
    "geometric": (
        asin(sqrt(p)) - sqrt(p * (1 - p)),
        asin(sqrt(1 - p)) - sqrt(p * (1 - p)),
        STRICT,
    ),
    # Gneiting and Raftery (2007), section 3.1, for two classes: alpha = 2 and 3
    "spherical": (1 - (1 - p) / sqrt(p**2 + (1 - p) ** 2), 1 - p / sqrt(p**2 + (1 - p) ** 2), STRICT),
    "pseudospherical(3)": (
        1 - (1 - p) ** 2 / NORM ** Rational(2, 3),
        1 - p**2 / NORM ** Rational(2, 3),
        STRICT,
    ),
    # the power family: S(p, 1) = (alpha p^(alpha-1) - (alpha-1)(p^alpha + (1-p)^alpha) - 1)/(alpha - 1), negated
    "power(3)": (
        (1 - 3 * (1 - p) ** 2 + 2 * NORM) / 2,
        (1 - 3 * p**2 + 2 * NORM) / 2,
        STRICT,
    ),
    "power(1 + a)": (
        (1 - (1 + a) * (1 - p) ** a + a * (p ** (1 + a) + (1 - p) ** (1 + a))) / a,
        (1 - (1 + a) * p**a + a * (p ** (1 + a) + (1 - p) ** (1 + a))) / a,
        STRICT,
    ),
    # Hand (2009): the antiderivatives of 12 s^2 (1 - s) and of 12 s (1 - s)^2
    "h-measure": (4 * p**3 - 3 * p**4, 1 - 6 * p**2 + 8 * p**3 - 3 * p**4, STRICT),
    "beta(2, 3)": (
        p**3 / 3 - p**4 / 2 + p**5 / 5,
        Rational(1, 20) - (p**2 / 2 - p**3 + 3 * p**4 / 4 - p**5 / 5),
        STRICT,
    ),
    # Winkler (1994), with the Brier score: (S(p) - S(c))/T(c), T by the side that p is on
    "winkler(1/5)": (
        Piecewise(((p**2 - c**2) / c**2, p <= c), ((p**2 - c**2) / (1 - c) ** 2, True)) + 1,
        Piecewise(
            (((1 - p) ** 2 - (1 - c) ** 2) / c**2, p <= c),
            (((1 - p) ** 2 - (1 - c) ** 2) / (1 - c) ** 2, True),
        )
        + 1,
        STRICT,
    ),
    # a report p is clipped to the bounds, up to constants and the factor 1/(h - l)
    "bounded-brier(1/4, 1/2)": (
        4 * (sympy.Max(Rational(1, 4), sympy.Min(p, HALF)) ** 2 - Rational(1, 16)),
        4 * ((1 - sympy.Max(Rational(1, 4), sympy.Min(p, HALF))) ** 2 - Rational(1, 4)),
        PROPER,
    ),
    "bounded-log(1/4, 1/2)": (
        -4 * log(1 - sympy.Max(Rational(1, 4), sympy.Min(p, HALF))) + 4 * log(Rational(3, 4)),
        -4 * log(sympy.Max(Rational(1, 4), sympy.Min(p, HALF))) + 4 * log(HALF),
        PROPER,
    ),
    "zero-one": (Piecewise((0, p <= HALF), (1, True)), Piecewise((1, p <= HALF), (0, True)), PROPER),
    "weighted-zero-one(1, 4)": (Piecewise((0, p <= c), (1, True)), Piecewise((4, p <= c), (0, True)), PROPER),
    # Vickers and Elkin (2006): a false positive costs t/(1 - t) of a missed case
    "net-benefit(1/5)": (
        Piecewise((0, p <= c), (Rational(1, 4), True)),
        Piecewise((1, p <= c), (0, True)),
        PROPER,
    ),
    "absolute": (p, 1 - p, IMPROPER),
    "focal(2)": (-(p**2) * log(1 - p), -((1 - p) ** 2) * log(p), IMPROPER),
}


@pytest.mark.parametrize("name", TABLE)
def test_named_rule_has_the_losses_of_its_source(name: str) -> None:
    loss0, loss1, verdict = TABLE[name]
    assert agree(rule(name).loss0, loss0) and agree(rule(name).loss1, loss1)
    assert rule(name).verdict is verdict
    assert cd.check(rule(name).derivation).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "name",
    [
        "beta",
        "power",
        "weighted-brier",
        "weighted-log",
        "bounded-brier",
        "bounded-log",
        "winkler",
        "net-benefit",
    ],
)
def test_families_are_proved_with_letters(name: str) -> None:
    assert rule(name).parameters
    assert cd.check(rule(name).derivation).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("special", "general", "factor"),
    [
        ("beta(-1/2, -1/2)", "boosting", 2),
        ("beta(0, 0)", "log-loss", 1),
        ("beta(1/2, 1/2)", "geometric", 1),
        ("beta(1, 1)", "brier", HALF),
        ("power(1)", "log-loss", 1),
        ("power(2)", "brier", 2),
        ("power(3)", "brier", Rational(3, 2)),
        ("bounded-brier(0, 1)", "brier", 1),
        ("weighted-brier(2, 2)", "h-measure", 1),
        ("weighted-log(1, 1)", "log-loss", 1),
        ("winkler(1/2)", "brier", 4),
    ],
)
def test_special_cases_are_recognised(special: str, general: str, factor: Any) -> None:
    found = {identity.name: identity for identity in identify(rule(special))}
    assert found[general].factor == factor and found[general].constants == (0, 0)


def test_contexts_are_recognised() -> None:
    """Independent exponential costs with equal means give the Brier score; Gamma costs the Beta family."""
    exponential = identify(cd.Independent(c0="exponential(m)", c1="exponential(m)"))
    assert str(exponential[0]) == "m times brier"
    gammas = identify(cd.derive(cd.Independent(c0="gamma(2, 1)", c1="gamma(3, 1)")))
    assert [str(identity) for identity in gammas] == ["60 times beta(2, 3)"]
    assert identify(cd.IndependentUniform(c0=(0, 1), c1=(0, 1))) == ()
    with pytest.raises(SpecError, match="neither a context nor a rule"):
        identify("brier")  # type: ignore[arg-type]
    with pytest.raises(ParametersLeftError, match="2 cases"):
        identify(ScoringRule(rule("brier").cases * 2))


# -------------------------------------------------------------------------------------------- contexts


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("brier", "additive"),
        ("brier", "harmonic"),
        ("log-loss", "harmonic"),
        ("boosting", "harmonic"),
        ("h-measure", "additive"),
        ("bounded-brier(1/20, 3/10)", "additive"),
        ("bounded-log(1/20, 3/10)", "harmonic"),
        ("winkler(1/5)", "additive"),
        ("net-benefit(1/10)", "geometric"),
    ],
)
def test_the_context_of_a_rule_gives_the_rule(name: str, kind: str) -> None:
    context = as_context(rule(name), kind).context
    assert context is not None
    derivation = cd.derive(context)
    losses = [derivation.rule.loss0 - rule(name).loss0, derivation.rule.loss1 - rule(name).loss1]
    # a rule whose losses stay integrals is compared by quadrature: 12 digits
    assert all(abs(gap.subs(p, x).evalf(15)) < 1e-11 for gap in losses for x in POINTS[1:5])


def test_log_loss_is_additive_only_with_a_density_of_infinite_mass() -> None:
    reading = as_context(rule("log-loss"))
    assert reading.context.improper_law is not None and reading.mass is sympy.oo
    assert sympy.simplify(reading.density * s * (1 - s)).is_number
    assert "the improper density" in reading.sentence
    uniform = as_context(rule("log-loss"), "harmonic")
    assert uniform.context == cd.Harmonic(1) and "s uniform on [0, 1]" in uniform.sentence


def test_mass_of_a_reading_is_the_integral_of_the_weight_over_the_magnitude() -> None:
    """Harmonic costs have the magnitude 1/(2 s (1-s)) for the mean 1; 30 digits by quadrature."""
    with mp.workdps(30):
        mass = as_context(rule("bounded-brier(1/20, 3/10)"), "harmonic").mass
        expected = mp.quad(lambda x: 8 * 2 * x * (1 - x), [mp.mpf(1) / 20, mp.mpf(3) / 10])
        assert abs(mp.mpf(str(mass.evalf(30))) - expected) < 1e-25


def test_improper_rules_have_no_context() -> None:
    with pytest.raises(SpecError, match="no threshold weight"):
        as_context(rule("absolute"))
    with pytest.raises(SpecError, match="not a finite exponent"):
        as_context(rule("brier"), "oo")
    with pytest.raises(CostDeriveError, match="arithmetic"):
        as_context(rule("brier"), "arithmetic?")


# --------------------------------------------------------------------------------------------- in words


def test_explanation_says_where_the_weight_lies_and_what_it_ignores() -> None:
    explanation = explain(rule("bounded-brier(1/20, 3/10)"))
    assert "between 1/20 and 3/10 have the weight 8" in explanation
    assert (
        "Half of it lies below s = 0.175" in explanation and "from 0.0625 to 0.2875 carry 90 %" in explanation
    )
    assert "ignores decisions at thresholds between 3/10 and 1" in explanation
    assert "bounded-brier(1/20, 3/10)" in explanation and "the additive context with mean 1" in explanation


def test_explanation_of_an_improper_rule_gives_the_witness() -> None:
    explanation = explain(rule("absolute"))
    assert (
        "improper" in explanation
        and "q = 1/3" in explanation
        and "not a mixture over thresholds" in explanation
    )


def test_explanation_of_an_undecided_rule_claims_nothing() -> None:
    undecided = cd.rule_from_losses("p^b*(1+p)", "(1-p)^b*(2-p)")
    assert undecided.verdict is Judgement.UNDECIDED
    assert "not known" in explain(undecided)


@pytest.mark.parametrize("size", [1e300, "10^20", -1e9])
def test_an_enormous_exponent_is_refused_at_once(size: float | str) -> None:
    with pytest.raises(SpecError):
        cd.families.beta(size, size)
    with pytest.raises(SpecError):
        cd.rule_from_weight(f"s^({size})" if isinstance(size, str) else f"s^{int(size)}")


def test_parameters_beyond_all_bounds_and_names_that_are_no_text_are_refused() -> None:
    for build in (cd.families.weighted_brier, cd.families.weighted_log, cd.families.pseudospherical):
        with pytest.raises(SpecError, match="above 10000"):
            build(1e300)
    for name in (3, None, b"brier"):
        with pytest.raises(SpecError, match="not the name of a scoring rule"):
            cd.families.named(name)  # type: ignore[arg-type]


def test_explanation_says_what_is_not_proved() -> None:
    waves = cd.rule_from_weight("9/10 + sin(20*s)*cos(3*s)*cos(5*s)")  # positive, but no decider sees it
    assert cd.check(waves.derivation).verdict is not Verdict.PROVED
    assert "not proved" in explain(waves).splitlines()[0]


def test_constants_do_not_move_the_quantiles() -> None:
    shifted = cd.rule_from_losses("p^2 + 3", "(1-p)^2 - 5")
    assert "Half of it lies below s = 0.5:" in explain(shifted)
    assert "brier, plus 3 for class 0 and -5 for class 1" in explain(shifted)


# ------------------------------------------------------------------------------------------ other makers


def test_brier_and_log_loss_are_those_of_scikit_learn() -> None:
    draw = np.random.default_rng(1)
    labels, reports = draw.integers(0, 2, 200), draw.uniform(0.01, 0.99, 200)
    ours = [cd.numeric.compile(rule(name))(labels, reports) for name in ("brier", "log-loss")]
    theirs = [brier_score_loss(labels, reports), sklearn_log_loss(labels, reports)]
    assert ours == pytest.approx(theirs, rel=1e-13)  # sums of 200 terms in doubles


# -------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bier", "Did you mean"),
        ("beta(1, 2, 3)", "0 to 2 parameters"),
        ("pseudospherical", "1 parameter"),
        ("pseudospherical(1)", "not above 1"),
        ("beta(-1, 0)", "not above -1"),
        ("bounded-brier(1/2, 1/4)", "not in order"),
        ("bounded-brier(-1, 1/4)", "not in order"),
        ("net-benefit(1)", "atom"),
        ("winkler(0)", "not inside"),
        ("focal(0)", "not positive"),
        ("brier(", "unexpected"),
        ("__import__('os')", "does not name a scoring rule"),
        ("beta(" + "9^" * 30 + "9)", "beta"),
        ("x" * 5000, "does not name a scoring rule"),
    ],
)
def test_bad_names_are_refused(text: str, message: str) -> None:
    with pytest.raises(CostDeriveError, match=message) as refused:
        named_rules.named(text)
    assert len(str(refused.value)) < 1000


# ------------------------------------------------------------------------------------------ command line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["net-benefit(1/10)", "--explain"], "The threshold 1/10 alone, where c0/c1 = 1/9"),
        (["--weight", "2", "--atom", "1/3,m"], "Point masses    mass m at s = 1/3"),
        (["--entropy", "-q*log(q)-(1-q)*log(1-q)"], "L₀(p) = −ln(1 − p)"),
        (["--link", "-2/p"], "ω(s) = 2/s²"),
        (["--loss0", "p", "--loss1", "1-p"], "improper"),
    ],
)
def test_rule_command_derives_and_explains(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["rule", *arguments])
    printed = capsys.readouterr()
    if "--link" in arguments:  # s w(s) = 2/s has no finite integral at 0
        assert status == 2 and "diverges" in printed.err
        return
    assert status == 0 and words in printed.out


@pytest.mark.parametrize(
    "arguments",
    [[], ["brier", "--weight", "2"], ["--link", "p", "--weight", "2"], ["--loss0", "p"], ["--atom", "1/3"]],
)
def test_rule_command_wants_one_description(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", *arguments]) == 2
    assert "given" in capsys.readouterr().err or "--atom" in arguments
