"""A generated program says what the rule says, to the last digits, and needs nothing of costderive."""

from __future__ import annotations

import ast
import subprocess
import sys
import warnings
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Measure, Piece, Pieces, Sign
from costderive.core.symbols import p, parameter
from costderive.core.symbols import s as proportion
from costderive.costs import laws
from costderive.costs.contexts import (
    Additive,
    FixedCosts,
    Geometric,
    Harmonic,
    Independent,
    IndependentUniform,
    PowerMean,
)
from costderive.programs.program import formulas
from costderive.rules import Losses, ScoringRule
from tests.test_certificate import derived

CONTEXTS = {
    "additive": Additive(),
    "log loss": Harmonic(1),
    "geometric": Geometric(),
    "Euclidean": PowerMean(2),
    "maximum": PowerMean("oo"),
    "minimum": PowerMean("-oo"),
    "inverse square": PowerMean(-2),
    "square root": PowerMean("1/2"),
    "inverse root": PowerMean("-1/2"),
    "Inverse Score": IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "rectangle": IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "flat rectangle": IndependentUniform(c0=(0, 1), c1=("1/10", 3)),
    "atom": FixedCosts(1, 3),
}
by_context = pytest.mark.parametrize("name", CONTEXTS)
by_target = pytest.mark.parametrize("target", ("numpy", "python"))

# Rounding: down to 1/8 from the end where a loss is 0, a sum of terms near 1 may cancel to 0.01.
TOLERANCE = 3e-14

TINY = [10.0**-k for k in (300, 100, 30, 16, 12, 8, 6, 4, 2)]
MIDDLE = [0.1, 1 / 8, 0.2, 1 / 4, 1 / 3, 0.4, 0.5, 0.6, 0.66, 0.7, 7 / 8, 0.9, 0.99]
REPORTS = [*TINY, *MIDDLE, *[1 - x for x in TINY if 1 - x < 1], 1 - 2**-53]


@cache
def rule(name: str) -> ScoringRule:
    return cd.derive(CONTEXTS[name]).rule


@cache
def program(name: str, target: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(formulas(rule(name), target), names)
    return names


@cache
def exact(name: str, label: int) -> Any:
    return sympy.lambdify(p, rule(name).loss1 if label else rule(name).loss0, "mpmath")


def truth(name: str, label: int, report: float) -> Any:
    with mp.workdps(700):  # p - p^2/2 + ... at 1e-300 cancels by 300 digits, and squares it
        return +mpmath.mpf(exact(name, label)(mpmath.mpf(report)))


@by_target
@by_context
@pytest.mark.parametrize("label", [0, 1])
def test_a_program_has_the_digits_of_the_closed_form(name: str, target: str, label: int) -> None:
    loss = program(name, target)[f"loss{label}"]
    for report in REPORTS:
        expected = truth(name, label, report)
        assert abs(loss(report) - expected) <= max(TOLERANCE * abs(expected), 1e-290), report


@by_target
@by_context
def test_a_program_is_exact_at_0_and_1(name: str, target: str) -> None:
    made, losses = program(name, target), rule(name).only_case
    assert made["loss0"](0) == made["loss1"](1) == 0
    assert made["loss0"](1.0) == float(losses.worst0)
    assert made["loss1"](0.0) == float(losses.worst1)


@by_context
def test_an_array_gives_no_warning_and_what_its_items_give(name: str) -> None:
    made, single = program(name, "numpy"), program(name, "python")
    reports = np.array([[0.0, 5e-324, 1.0], [0.5, 1 - 2**-53, 0.25]])
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        together = made["loss0"](reports)
    one_by_one = [[single["loss0"](report) for report in row] for row in reports]
    np.testing.assert_allclose(together, one_by_one, rtol=1e-13)  # two libraries' functions, a few ulp apart


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 1))
def test_both_targets_say_the_same_of_any_report(report: float) -> None:
    for name in ("geometric", "Inverse Score", "maximum"):
        first, second = program(name, "numpy")["loss1"](report), program(name, "python")["loss1"](report)
        assert first == pytest.approx(
            second, rel=1e-13, abs=1e-300
        )  # two libraries' functions, a few ulp apart


# ---- the mean


@by_target
def test_the_loss_is_the_weighted_mean(target: str) -> None:
    loss = program("additive", target)["loss"]
    assert loss([0, 1, 1], [0.5, 0.5, 1.0]) == pytest.approx(1 / 6, rel=1e-15)
    assert loss([0, 1, 1], [0.5, 0.5, 1.0], sample_weight=[1, 1, 0]) == pytest.approx(1 / 4, rel=1e-15)


@by_target
def test_an_infinite_loss_is_infinite_and_without_weight_nothing(target: str) -> None:
    loss = program("log loss", target)["loss"]
    assert loss([0, 1], [1.0, 0.5]) == np.inf
    assert loss([0, 1], [1.0, 1.0], sample_weight=[0, 1]) == 0


BAD = {
    "label 2": ([0, 2], [0.5, 0.5], None),
    "a probability above 1": ([0, 1], [0.5, 1.1], None),
    "a negative probability": ([0, 1], [0.5, -0.1], None),
    "NaN": ([0, 1], [0.5, float("nan")], None),
    "lengths that differ": ([0, 1], [0.5], None),
    "nothing": ([], [], None),
    "a negative weight": ([0, 1], [0.5, 0.5], [1, -1]),
    "an infinite weight": ([0, 1], [0.5, 0.5], [1, float("inf")]),
    "no weight": ([0, 1], [0.5, 0.5], [0, 0]),
    "a weight too few": ([0, 1], [0.5, 0.5], [1]),
}


@by_target
@pytest.mark.parametrize("case", BAD)
def test_a_program_refuses_bad_numbers(target: str, case: str) -> None:
    with pytest.raises(ValueError):
        program("additive", target)["loss"](*BAD[case])


# ---- parameters


@by_target
def test_parameters_are_arguments(target: str) -> None:
    names: dict[str, Any] = {}
    exec(formulas(cd.derive(Geometric("2*m")).rule, target), names)
    assert names["loss0"](0.3, m=0.5) == pytest.approx(program("geometric", target)["loss0"](0.3), rel=1e-14)
    assert names["loss"]([0, 1], [0.3, 0.3], m=1) == pytest.approx(
        2 * program("geometric", target)["loss"]([0, 1], [0.3, 0.3])
    )
    with pytest.raises(ValueError, match="m > 0"):
        names["loss0"](0.3, m=-1)


@by_target
def test_each_order_of_the_breakpoints_has_its_branch(target: str) -> None:
    names: dict[str, Any] = {}
    symbolic = derived("two orders").rule
    exec(formulas(symbolic, target), names)
    for a in (sympy.Rational(1, 2), sympy.Rational(2, 3), sympy.S.One):
        wanted = symbolic.at(a=a)
        for report in (0.05, 0.3, 0.45, 0.6, 0.95):
            for name, loss in (("loss0", wanted.loss0), ("loss1", wanted.loss1)):
                expected = float(loss.subs(p, report))
                assert names[name](report, a=float(a)) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    with pytest.raises(ValueError, match="2 - a > 0"):
        names["loss0"](0.5, a=3)


# ---- what cannot be a program


def test_an_integral_is_refused_with_a_way_out() -> None:
    with pytest.raises(ExportError, match="no closed form"):
        formulas(cd.derive(PowerMean(5), time_limit=2).rule)


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(ExportError, match="Targets: numpy, python"):
        formulas(rule("additive"), "cobol")


def handmade(loss0: sympy.Expr) -> ScoringRule:
    """Return a pair of losses of which nothing is claimed; only its program is of interest."""
    losses, density = (
        Pieces(x, (Piece(sympy.S.Zero, sympy.S.One, value),))
        for x, value in ((p, loss0), (proportion, sympy.S.One))
    )
    weight = Measure(density, (Sign.POSITIVE,))
    return ScoringRule(((Given(), Losses(losses, losses, weight, sympy.S.One, sympy.S.One)),))


@pytest.mark.parametrize("name", ["x y", "p);print(1", "_p", "1p"])
def test_a_name_that_would_break_the_program_is_refused(name: str) -> None:
    with pytest.raises(ExportError, match="cannot be a parameter"):
        formulas(handmade(p * sympy.Symbol(name, positive=True)))


@by_target
def test_a_function_that_the_target_lacks_is_refused(target: str) -> None:
    with pytest.raises(ExportError, match="lowergamma, which programs lack"):
        formulas(handmade(sympy.lowergamma(2, p, evaluate=False)), target)
    with pytest.raises(ExportError, match="zeta, which programs lack"):
        formulas(handmade(sympy.zeta(p, 2)), target)


@by_target
def test_tails_of_the_normal_law_keep_their_digits(target: str) -> None:
    names: dict[str, Any] = {}
    lognormal = cd.derive(Independent(laws.lognormal(0, 1), laws.lognormal(0, 1))).rule
    exec(formulas(lognormal, target), names)
    for report in (1e-12, 1e-6, 0.01, 0.5, 0.99, 1 - 1e-6):
        with mp.workdps(300):
            exact = sympy.lambdify(p, lognormal.loss0, "mpmath")(mpmath.mpf(report))
        # erfc(z) multiplies a relative error of its argument by 2 z^2, about 400 here
        assert abs(names["loss0"](report) - exact) <= 1e-13 * exact


def test_a_number_beyond_doubles_is_refused() -> None:
    with pytest.raises(ExportError, match="too large for a double"):
        formulas(handmade(p * 10**400))


# ---- the text of a program


def test_a_title_cannot_leave_its_docstring() -> None:
    title = 'x"""\nimport os\n\\"""\x1b[31m'
    tree = ast.parse(formulas(rule("additive"), title=title))
    assert not any(
        "os" in alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    )
    assert "import os" in (ast.get_docstring(tree) or "")


@by_target
def test_a_program_states_its_context_and_its_losses(target: str) -> None:
    text = (
        ast.get_docstring(ast.parse(formulas(rule("Inverse Score"), target, title="Two uniform costs"))) or ""
    )
    assert text.startswith("Two uniform costs")
    assert "p**2/(6*(1 - p)**2)    up to p = 1/2" in text


def test_log_of_one_minus_p_keeps_its_digits() -> None:
    assert "-np.log1p(-p)" in formulas(rule("log loss"))


@by_target
def test_the_same_rule_gives_the_same_program(target: str) -> None:
    assert formulas(rule("Euclidean"), target) == formulas(rule("Euclidean"), target)


@pytest.mark.parametrize(
    ("target", "absent"), [("python", ("numpy", "sympy", "costderive")), ("numpy", ("sympy", "costderive"))]
)
def test_a_program_stands_alone(target: str, absent: tuple[str, ...]) -> None:
    checked = f"import sys; assert not {{*sys.modules}} & {{*{absent!r}}}; print(loss([0, 1], [0.5, 0.5]))"
    text = formulas(rule("geometric"), target) + "\n" + checked
    done = subprocess.run(
        [sys.executable, "-I", "-c", text], capture_output=True, text=True, check=True, timeout=60
    )
    assert float(done.stdout) == pytest.approx(float(rule("geometric").loss0.subs(p, 0.5)), rel=1e-14)


def test_a_parameter_named_in_code_is_the_parameter_of_the_rule() -> None:
    assert "def loss0(p, *, rate):" in formulas(handmade(p * parameter("rate")))
