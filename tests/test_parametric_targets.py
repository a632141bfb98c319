"""Programs whose parameters are arguments say what the costs themselves say, integrated over directly."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive import spec
from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Measure, Piece, Pieces, Sign
from costderive.core.symbols import RESERVED, p, parameter
from costderive.core.symbols import s as proportion
from costderive.programs.languages import LANGUAGES
from costderive.programs.program import code, formulas
from costderive.rules import Losses, ScoringRule
from tests import targets
from tests.families import checked
from tests.test_parametric import handmade
from tests.test_parametric_javascript import losses as rectangle

GALLERY = Path(__file__).parents[1] / "derivations"
GENERATOR = np.random.default_rng(1121)
ENDS = (0.0, 1.0)
MIDDLE = (1e-4, 0.013, 0.2, 0.5, 0.77, 0.991)

by_target = pytest.mark.parametrize("target", targets.OF_ROWS)


# ---- expected costs, by integrals over the costs


def independent(report: float, law0: Law, law1: Law) -> tuple[Any, Any]:
    """Return ``E[c0; c0 < u c1]`` and ``E[c1; c0 >= u c1]`` of independent costs, u the odds of the report."""
    x = mpf(report)
    if report in ENDS:
        return (law0.mean if report else mpf(0)), (mpf(0) if report else law1.mean)
    odds = x / (1 - x)
    return law0.where_other_exceeds(law1, 1 / odds), law1.where_other_exceeds(law0, odds)


@dataclass(frozen=True)
class Law:
    """A law on the positive numbers, through ``x = exp(z)``: its density of z, and its survival function of x."""

    density: Callable[[Any], Any]
    survival: Callable[[Any], Any]
    centre: Any
    mean: Any

    def where_other_exceeds(self, other: Law, factor: Any) -> Any:
        """Return ``E[x; y > factor x]``: where x times its density is large, and beyond."""
        marks = [self.centre + k for k in (-40, -12, -6, -3, -1, 1, 3, 8)]
        return mpmath.quad(
            lambda z: mpmath.exp(z) * self.density(z) * other.survival(factor * mpmath.exp(z)), marks
        )


def lognormal(mean: float, spread: float) -> Law:
    m, t = mpf(mean), mpf(spread)
    return Law(
        lambda z: mpmath.npdf(z, m, t),
        lambda x: mpmath.erfc((mpmath.log(x) - m) / (t * mpmath.sqrt(2))) / 2,
        m + t**2,
        mpmath.exp(m + t**2 / 2),
    )


def gamma(shape: float, scale: float) -> Law:
    k, c = mpf(shape), mpf(scale)
    return Law(
        lambda z: mpmath.exp(k * (z - mpmath.log(c)) - mpmath.exp(z) / c) / mpmath.gamma(k),
        lambda x: mpmath.gammainc(k, x / c, mpmath.inf, regularized=True),
        mpmath.log(k * c),
        k * c,
    )


def along(report: float, power0: Any, power1: Any, low: Any = 0, high: Any = 1) -> tuple[Any, Any]:
    """Integrate ``s**power0 (1 - s)**power1`` from low to a report with one more power of s, and then of 1 - s."""
    low, at, high = (mpmath.asin(mpmath.sqrt(x)) for x in (low, min(max(mpf(report), low), high), high))
    rate = lambda v: 2 * mpmath.sin(v) ** (2 * power0 + 1) * mpmath.cos(v) ** (2 * power1 + 1)  # noqa: E731
    below = mpmath.quad(lambda v: mpmath.sin(v) ** 2 * rate(v), [low, at])
    return below, mpmath.quad(lambda v: mpmath.cos(v) ** 2 * rate(v), [at, high])


def scaled(factor: Any, pair: tuple[Any, Any]) -> tuple[Any, Any]:
    return factor * pair[0], factor * pair[1]


def beta(report: float, alpha: float, b: float) -> tuple[Any, Any]:
    k, n = mpf(alpha), mpf(b)
    return scaled(2 / mpmath.beta(k, n), along(report, k - 1, n - 1))


def known(report: float, c: float, d: float) -> Any:
    return (c, 0) if report * (c + d) > c else (0, d)


def mixture(report: float, w: float) -> Any:
    x = mpf(report)
    atom = known(report, 1, 4)
    return w * x**2 + (1 - mpf(w)) * atom[0], w * (1 - x) ** 2 + (1 - mpf(w)) * atom[1]


def bounded(report: float, h: float, l: float) -> tuple[Any, Any]:  # noqa: E741
    return scaled(2 / (mpf(h) - mpf(l)), along(report, 0, 0, mpf(l), mpf(h)))


def geometric(report: float, m: float) -> tuple[Any, Any]:
    """Costs whose geometric mean is 2 m: they are ``2 m sqrt(s/(1 - s))`` and its inverse."""
    return scaled(2 * mpf(m), along(report, mpf(-0.5), mpf(-0.5)))


@dataclass(frozen=True)
class Family:
    """A rule with parameters: numbers for them in alphabetical order, breakpoints, and the truth."""

    rule: Callable[[], ScoringRule]
    numbers: Sequence[tuple[float, ...]]
    truth: Callable[..., Any]
    breaks: Callable[..., tuple[float, ...]] = lambda *_: ()
    lacking: tuple[str, ...] = ()  # targets without a function that it needs


def entry(name: str) -> Callable[[], ScoringRule]:
    return lambda: spec.load(GALLERY / name / "spec.toml").derive(60).rule


FAMILIES = {
    "rectangle": Family(
        lambda: checked("symbolic")[0].rule,
        [(1, 2, 1, 3), (1, 3, 1, 2), (0.5, 1.5, 1, 3), (0.01, 70, 0.2, 0.9), (2, 3, 4, 6), (3, 90, 1, 1.5)],
        lambda report, a, b, d, e: (
            rectangle(report, a, b, d, e) if 0 < report < 1 else ends(report, a, b, d, e)
        ),
        lambda a, b, d, e: (a / (a + e), a / (a + d), b / (b + e), b / (b + d)),
    ),
    "log-normal": Family(
        entry("log-normal"),
        [(0.5, 1.0, 0.5, 1.0), (2.0, 0.25, 1.5, 0.25)],
        lambda x, mu, nu, sigma, tau: independent(x, lognormal(mu, sigma), lognormal(nu, tau)),
        lacking=("sql",),
    ),
    "exponential": Family(
        entry("exponential"),
        [(1, 4), (2, 2)],
        lambda x, m, n: independent(x, gamma(1, m), gamma(1, n)),
    ),
    "gamma": Family(
        entry("gamma"),
        [(0.5, 1.5, 2), (7, 0.75, 0.5)],
        lambda x, a, b, theta: independent(x, gamma(a, theta), gamma(b, theta)),
        lacking=("sql",),
    ),
    "beta": Family(entry("additive-beta"), [(2, 5), (0.5, 0.5), (1, 1), (20, 3.5)], beta, lacking=("sql",)),
    "known": Family(entry("known-costs"), [(3, 1), (1, 4), (0.25, 0.75)], known, lambda c, d: (c / (c + d),)),
    "mixture": Family(entry("mixture-with-atom"), [(0.5,), (2 / 3,), (1e-3,)], mixture, lambda w: (0.2,)),
    "bounded": Family(entry("bounded-brier"), [(0.3, 0.05), (0.9, 0.2)], bounded, lambda *bounds: bounds),
    "geometric": Family(lambda: cd.derive(cd.Geometric("2*m")).rule, [(0.5,), (3,)], geometric),
}


def ends(report: float, a: float, b: float, d: float, e: float) -> Any:
    return (mpf(a + b) / 2, mpf(0)) if report else (mpf(0), mpf(d + e) / 2)


@cache
def rule(name: str) -> ScoringRule:
    return FAMILIES[name].rule()


@cache
def rows(name: str) -> tuple[tuple[float, ...], ...]:
    """Return reports and parameters: the ends, the middle, and each breakpoint with what is around it."""
    family = FAMILIES[name]
    found = []
    for numbers in family.numbers:
        at = family.breaks(*numbers)
        near = [x * (1 + k) for x in at for k in (-1e-3, 1e-3)]
        found += [(float(x), *map(float, numbers)) for x in (*ENDS, *MIDDLE, *at, *near)]
    return tuple(found)


@cache
def truth(name: str) -> tuple[tuple[float, float], ...]:
    with mp.workdps(16):
        return tuple(
            tuple(map(float, FAMILIES[name].truth(*row)))  # type: ignore[misc]
            for row in rows(name)
        )


@pytest.mark.parametrize(
    ("name", "target"),
    [
        (name, target)
        for name, family in FAMILIES.items()
        for target in targets.OF_ROWS
        if target not in family.lacking
    ],
)
def test_a_program_with_letters_agrees_with_the_costs(name: str, target: str) -> None:
    """It is right to 1e-13 of a loss that is not small beside the costs, but where terms of a rectangle cancel."""
    symbols = [symbol.name for symbol in rule(name).parameters]
    found = targets.OF_ROWS[target](formulas(rule(name), target), symbols, rows(name))
    for row, wanted, got in zip(rows(name), truth(name), zip(*found, strict=True), strict=True):
        least = (1e-14 if name == "rectangle" else 1e-16) * max(row[1:])
        for label in (0, 1):
            assert abs(got[label] - wanted[label]) <= max(1e-13 * wanted[label], least), (
                row,
                label,
                got,
                wanted,
            )


ROWS = {  # other families need no other functions, and compiling takes seconds
    "javascript": ("rectangle", "gamma", "mixture"),
    "r": tuple(FAMILIES),
    "jax": tuple(FAMILIES),
    "numba": ("known", "beta"),
}
HELD = {
    "javascript": shutil.which("node"),
    "r": shutil.which("Rscript"),
    "pytorch": targets.python_with_torch(),
}


@pytest.mark.parametrize(
    ("name", "target"),
    [
        pytest.param(
            name, target, marks=pytest.mark.skipif(not HELD.get(target, True), reason=f"there is no {target}")
        )
        for target in targets.OF_COLUMNS
        for name in ROWS.get(target, FAMILIES)
        if not (target == "pytorch" and name in ("gamma", "beta"))
    ],
)
def test_programs_of_arrays_take_parameters_in_each_row(name: str, target: str) -> None:
    symbols = [symbol.name for symbol in rule(name).parameters]
    found = targets.OF_COLUMNS[target](code(rule(name), target), symbols, rows(name))
    least = 1e-13 if target == "jax" else 1e-14  # of a cost; XLA has special functions of its own
    for row, wanted, got in zip(rows(name), truth(name), zip(*found, strict=True), strict=True):
        for label in (0, 1):
            assert abs(got[label] - wanted[label]) <= max(1e-13 * wanted[label], least * max(row[1:])), (
                row,
                label,
            )


COMMITTED = {
    "independent-uniform": "rectangle",
    "gamma": "gamma",
    "additive-beta": "beta",
}  # without expected losses


@pytest.mark.parametrize("target", ["numpy", "c", "sql"])
@pytest.mark.parametrize("folder", COMMITTED)
def test_the_committed_programs_agree_with_the_costs(folder: str, target: str) -> None:
    """At the numbers of the example, for which those programs are that cannot have parameters."""
    family, example = FAMILIES[COMMITTED[folder]], spec.load(GALLERY / folder / "spec.toml").example
    names = sorted(example)
    numbers = [float(example[name]) for name in names]
    with mp.workdps(16):
        wanted = [tuple(map(float, family.truth(x, *numbers))) for x in MIDDLE]
    name = {"numpy": "losses.py", "c": "losses.c", "sql": "losses.sql"}[target]
    program = (GALLERY / folder / name).read_text(encoding="utf-8")
    passed = [] if target in family.lacking else names
    found = targets.OF_ROWS[target](program, passed, [(x, *numbers[: len(passed)]) for x in MIDDLE])
    np.testing.assert_allclose(np.transpose(found), wanted, rtol=1e-13, atol=1e-14)


# ---- what is refused


def answers(target: str, program: str, names: Sequence[str], rows: Sequence[Sequence[float]]) -> list[bool]:
    """Return of each row whether it is answered with a number, and not refused."""
    if target in ("c", "sql"):
        found = targets.OF_ROWS[target](program, names, rows)
        return [all(map(math.isfinite, row)) for row in zip(*found, strict=True)]
    return [_is_answered(target, program, names, row) for row in rows]


def _is_answered(target: str, program: str, names: Sequence[str], row: Sequence[float]) -> bool:
    try:
        return all(math.isfinite(loss[0]) for loss in targets.OF_ROWS[target](program, names, [row]))
    except ValueError:
        return False


@by_target
def test_parameters_that_break_a_condition_are_refused_in_either_case(target: str) -> None:
    """With bounds in the wrong order ``b d >= a e`` may hold or not, and so choose either case."""
    program, names = formulas(rule("rectangle"), target), ("a", "b", "d", "e")
    good = [(0.5, 1, 2, 1, 3), (0.5, 1, 3, 1, 2)]
    bad = [
        (0.5, 2, 1, 1, 2),
        (0.5, 2, 1, 3, 1),
        (0.5, 1, 2, 3, 1),
        (0.5, 1, 1, 1, 2),
        (0.5, -1, 1, 1, 2),
        (0.5, math.nan, 2, 1, 2),
        (0.5, 1, math.inf, 1, math.inf),
        (-0.1, 1, 2, 1, 3),
        (1.1, 1, 2, 1, 3),
        (math.nan, 1, 2, 1, 3),
    ]
    found = answers(target, program, names, (*good, *bad))
    assert found == [True] * len(good) + [False] * len(bad)


@by_target
def test_a_weak_condition_of_the_only_case_is_checked(target: str) -> None:
    (_, losses), a = handmade(p * parameter("a")).cases[0], parameter("a")
    program = formulas(ScoringRule(((Given(nonnegative=(a - 1,)), losses),)), target)
    assert answers(target, program, ("a",), [(0.5, 1.0), (0.5, 0.5), (0.5, 2.0)]) == [True, False, True]


# ---- names


def with_parameters(*names: str) -> ScoringRule:
    """Return a pair of losses of which nothing is claimed: p times the sum of the parameters."""
    return handmade(p * sympy.Add(*map(parameter, names)))


_WORDS = """
lambda int select from where class order group double return static void float const register auto restrict inline
linux unix exp log pow j1 y0 gamma erfc tgamma fabs isnan signgam nan loss loss0 loss1 y s r given losses predictions
NAN INFINITY M_PI FP_NAN HUGE_VAL DOMAIN near_zero beta series incomplete_beta NEAR_ZERO_0 highs formulas main np math
print float None True self import case when end null cast union table user A rate alpha x1 Infinity let new
x z k row order total ends at q_
"""
WORDS = _WORDS.split()


@by_target
def test_a_parameter_may_have_any_name(target: str) -> None:
    """Names that the program needs itself have ``_`` after them there, which it says."""
    names = sorted({name.lower(): name for name in WORDS if name not in RESERVED}.values())
    program, letters = formulas(with_parameters(*names), target), LANGUAGES[target].letters(names)
    others = {name for name, word in letters.items() if word != name}
    assert not {"a", "rate", "alpha", "x1", "user", "r"} & others and {"loss0", "loss1"} <= others
    assert all(f"{letters[name]} is {name}" in " ".join(program.split()) for name in others)
    numbers = [float(2**k) for k in range(len(names))]
    # a column has the name of its parameter
    given = names if target == "sql" else [*letters.values()]
    assert targets.OF_ROWS[target](program, given, [(0.5, *numbers)]) == [[sum(numbers) / 2]] * 2


def test_a_name_that_is_taken_by_another_parameter_gets_one_more_mark() -> None:
    assert LANGUAGES["c"].letters(["loss", "loss_"]) == {"loss": "loss__", "loss_": "loss_"}
    assert LANGUAGES["sql"].letters(["loss", "LOSS_"]) == {"loss": "loss__", "LOSS_": "LOSS_"}


@by_target
def test_the_letter_r_is_no_complement(target: str) -> None:
    found = targets.OF_ROWS[target](
        formulas(handmade((1 - p) * parameter("r")), target), ("r",), [(0.25, 8.0)]
    )
    assert found == [[6.0]] * 2


def test_no_macro_of_c_can_be_a_parameter_that_it_replaces(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    command = [compiler, "-dM", "-E", "-include", "math.h", "-x", "c", "-"]
    macros = subprocess.run(command, input="", capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^#define ([A-Za-z][A-Za-z0-9_]*) ", macros, flags=re.MULTILINE)
    assert {"NAN", "INFINITY", "linux"} <= {*names}
    assert not {*LANGUAGES["c"].letters(names).values()} & {*names}


def test_columns_that_differ_in_capitals_alone_are_refused() -> None:
    with pytest.raises(
        ExportError, match=r"'\w' cannot be a parameter[\s\S]* rule\.at\(\w='\w2'\)"
    ) as refusal:
        formulas(with_parameters("a", "A"), "sql")
    assert "beside" in str(refusal.value)
    found = targets.c_of_rows(formulas(with_parameters("a", "A"), "c"), ("A", "a"), [(0.5, 1.0, 2.0)])
    assert found == [[1.5], [1.5]]


# ---- cases, dialects, functions


def test_cases_may_start_with_series_of_their_own() -> None:
    """Two cases whose losses start with different functions, which both cancel near 0."""
    a = parameter("a")
    starts = (-sympy.log(1 - p) - p, sympy.exp(p) - 1 - p)
    cases = []
    for sign, loss in zip((1, -1), starts, strict=True):
        losses, density = (
            Pieces(x, (Piece(sympy.S.Zero, sympy.S.One, value),))
            for x, value in ((p, loss), (proportion, sympy.S.One))
        )
        weight = Measure(density, (Sign.POSITIVE,))
        given = Given(nonnegative=(sign * (a - 1),))
        cases.append((given, Losses(losses, losses, weight, sympy.S.One, sympy.S.One)))
    small = 1e-6
    with mp.workdps(40):
        x = mpf(small)
        wanted = [float(-mpmath.log1p(-x) - x), float(mpmath.expm1(x) - x)]
    for target, run in targets.OF_ROWS.items():
        (found, _) = run(formulas(ScoringRule(tuple(cases)), target), ("a",), [(small, 2.0), (small, 0.5)])
        assert found == pytest.approx(wanted, rel=1e-14), target


def test_a_query_for_another_dialect_is_translated() -> None:
    program = formulas(rule("known"), "sql", dialect="sqlite")
    (found,) = targets.in_python(
        """
import sqlite3
connection = sqlite3.connect(":memory:")
connection.execute("CREATE TABLE predictions (y INTEGER, p REAL, c REAL, d REAL)")
connection.execute("INSERT INTO predictions VALUES (0, 0.8, 3, 1), (1, 0.75, 3, 1), (1, 0.5, -3, 1)")
RESULT = [connection.execute(DATA).fetchall()]
""",
        program,
    )
    assert [row[-1] for row in found] == [3, 1, None]
    with pytest.raises(ExportError, match="dialect = 'cobol'"):
        formulas(rule("known"), "sql", dialect="cobol")


@pytest.mark.parametrize(("name", "function"), [("log-normal", "erf"), ("gamma", "beta")])
def test_a_function_that_sql_lacks_is_refused(name: str, function: str) -> None:
    with pytest.raises(ExportError, match=f"there is no {function}"):
        formulas(rule(name), "sql")


@pytest.mark.parametrize("target", ["c", "sql"])
def test_a_title_cannot_leave_its_comment(target: str) -> None:
    title = 'x */ int main; /*\nDROP TABLE predictions; -- "\x1b[31m\\'
    program = formulas(rule("known"), target, title=title)
    assert targets.OF_ROWS[target](program, ("c", "d"), [(0.8, 3, 1)]) == [[3.0], [0.0]]


@by_target
def test_a_program_says_how_exact_it_is(target: str) -> None:
    said = formulas(rule("rectangle"), target).split("\n\n")
    assert any("digits are lost where" in part for part in said)


@by_target
def test_an_example_measures_the_formulas(target: str) -> None:
    """A root of 1 + 1e-12 a p is right to 1e-16, so a million million times its distance from 1 to 1e-4."""
    a = parameter("a")
    cancels = 10**12 * (sympy.sqrt(1 + a * p / 10**12) - 1)
    said = formulas(handmade(cancels), target, example={"a": sympy.Integer(3)})
    assert re.search(r"At a = 3 they are within 1e-0[34] of the largest loss", said)
    assert "within 1e-14 of the largest loss" in formulas(handmade(a * p), target, example={"a": 3})


def test_an_example_beyond_doubles_is_refused() -> None:
    with pytest.raises(ExportError, match="the formulas have no value at a = 400, b = 2"):
        formulas(rule("beta"), "c", example={"a": 400, "b": 2})
