"""Verdicts on pairs of losses: known answers, a brute-force search that disagrees with none, and bad input."""

from __future__ import annotations

import random
from typing import Any

import pytest
import sympy
from sympy import Abs, Eq, Expr, Integer, Max, Piecewise, Rational, exp, floor, log, sqrt

import costderive as cd
from costderive.core.errors import SpecError
from costderive.proof.claims import Verdict
from costderive.rules import Judgement

p = sympy.Symbol("p", real=True)
HALF = Rational(1, 2)
D = sqrt(p**2 + (1 - p) ** 2)

STRICT, PROPER, IMPROPER = Judgement.STRICTLY_PROPER, Judgement.PROPER, Judgement.IMPROPER
CONDITIONAL = Judgement.CONDITIONAL
CHANGED, UNDECIDED = Judgement.PROPER_AFTER_CHANGE, Judgement.UNDECIDED


def step(at: Any, cost0: Any, cost1: Any) -> tuple[Expr, Expr]:
    return Piecewise((0, p <= at), (cost0, True)), Piecewise((cost1, p <= at), (0, True))


def brier_with_atom(value0: Any, value1: Any) -> tuple[Expr, Expr]:
    """The Brier score plus a unit 0/1 loss at 1/2, with the values at the tie."""
    first = Piecewise((p**2, p < HALF), (value0, Eq(p, HALF)), (p**2 + 1, True))
    second = Piecewise(((1 - p) ** 2 + 1, p < HALF), (value1, Eq(p, HALF)), ((1 - p) ** 2, True))
    return first, second


def at_zero(value: Any, loss: Expr) -> Expr:
    return Piecewise((value, Eq(p, 0)), (loss, True))


KNOWN: dict[str, tuple[Any, Any, Judgement]] = {
    # proper scoring rules: Gneiting and Raftery (2007), section 3; Buja, Stuetzle and Shen (2005), section 2
    "Brier": (p**2, (1 - p) ** 2, STRICT),
    "log": (-log(1 - p), -log(p), STRICT),
    "spherical": (1 - (1 - p) / D, 1 - p / D, STRICT),
    "boosting": (2 * sqrt(p / (1 - p)), 2 * sqrt((1 - p) / p), STRICT),
    "exponential entropy": (exp(p) * (p - 1), exp(p) * (p - 2), STRICT),
    "cubes of Tsallis": (2 * p**3, 1 - 3 * p**2 + 2 * p**3, STRICT),
    # losses that are not proper
    "absolute": (p, 1 - p, IMPROPER),
    "focal": (-(p**2) * log(1 - p), -((1 - p) ** 2) * log(p), IMPROPER),
    "cubes": (p**3, (1 - p) ** 3, IMPROPER),
    "negative Brier": (-(p**2), -((1 - p) ** 2), IMPROPER),
    "root": (sqrt(p), sqrt(1 - p), IMPROPER),
    "log in two units": (-log(1 - p), -2 * log(p), IMPROPER),
    "from the middle": (Abs(p - HALF), Abs(p - HALF), IMPROPER),
    "a weight that dips below 0": (
        sympy.integrate(p * ((p - HALF) ** 2 - Rational(1, 10000)), p),
        sympy.integrate((p - 1) * ((p - HALF) ** 2 - Rational(1, 10000)), p),
        IMPROPER,
    ),
    # steps
    "0/1 at 1/2": (*step(HALF, 1, 1), PROPER),
    "0/1 at 1/3": (*step(Rational(1, 3), 1, 1), IMPROPER),
    "cost-weighted at its threshold": (*step(Rational(1, 4), 1, 3), PROPER),
    "cost-weighted elsewhere": (*step(Rational(1, 3), 1, 3), IMPROPER),
    "step at an irrational threshold": (*step(sqrt(2) / 2, sqrt(2) / 2, 1 - sqrt(2) / 2), PROPER),
    "signs with the mean at the tie": (
        sympy.sign(sympy.Symbol("p") - Rational(1, 3)),
        -2 * sympy.sign(sympy.Symbol("p") - Rational(1, 3)),
        PROPER,
    ),
    "step the wrong way": (*step(HALF, -1, -1), IMPROPER),
    # values at ties: the report 1/2 needs 1/2 x + 1/2 y = 1/4 m with the mass m = 2
    "ties to class 0": (*brier_with_atom(Rational(1, 4), Rational(5, 4)), STRICT),
    "ties to class 1": (*brier_with_atom(Rational(5, 4), Rational(1, 4)), STRICT),
    "ties to a coin": (*brier_with_atom(Rational(3, 4), Rational(3, 4)), STRICT),
    "ties to neither": (*brier_with_atom(Rational(1, 4), Rational(1, 4)), CHANGED),
    "ties to both": (*brier_with_atom(Rational(5, 4), Rational(5, 4)), CHANGED),
    "one value of Brier moved up": (Piecewise((1, Eq(p, HALF)), (p**2, True)), (1 - p) ** 2, CHANGED),
    "one value of Brier moved down": (Piecewise((0, Eq(p, HALF)), (p**2, True)), (1 - p) ** 2, CHANGED),
    # values at the ends
    "0 costs more than its neighbours": (p**2, at_zero(2, (1 - p) ** 2), STRICT),
    "0 costs less than its neighbours": (p**2, at_zero(HALF, (1 - p) ** 2), CHANGED),
    "0 is rewarded where it is certain": (at_zero(-1, p**2), (1 - p) ** 2, CHANGED),
    "0 is rewarded but risks everything": (at_zero(-1, -log(1 - p)), -log(p), STRICT),
    # the same up to a constant for each class
    "Brier and constants": (p**2 - 7, (1 - p) ** 2 + 5, STRICT),
    "constants": (1, 2, PROPER),
    # strict on a part
    "Brier between 1/4 and 3/4": (
        Piecewise((Rational(1, 16), p < Rational(1, 4)), (p**2, p < Rational(3, 4)), (Rational(9, 16), True)),
        Piecewise(
            (Rational(9, 16), p < Rational(1, 4)), ((1 - p) ** 2, p < Rational(3, 4)), (Rational(1, 16), True)
        ),
        PROPER,
    ),
    "a weight with an isolated zero": (
        sympy.integrate(p * (p**2 - HALF) ** 2, p),
        sympy.integrate((p - 1) * (p**2 - HALF) ** 2, p),
        STRICT,
    ),
    # letters
    "any multiple of Brier": ("a*p^2", "a*(1-p)^2", STRICT),
    "a step anywhere": ("0 if p <= a; a", "1 - a if p <= a; 0", PROPER),
    "absolute with two costs": ("a*p", "b*(1-p)", IMPROPER),
    "Brier in two units": ("a*p^2", "b*(1-p)^2", CONDITIONAL),
    "0/1 anywhere": ("0 if p <= a; 1", "1 if p <= a; 0", CONDITIONAL),
    # beyond the deciders: never called proper
    "staircase": (floor(3 * p), 1 - p, UNDECIDED),
}


@pytest.mark.parametrize("name", KNOWN)
def test_verdict_is_the_known_one_and_is_proved(name: str) -> None:
    loss0, loss1, known = KNOWN[name]
    found = cd.examine(loss0, loss1)
    assert found.verdict in ((known, IMPROPER) if name == "staircase" else (known,))
    proved = cd.check(found).verdict is Verdict.PROVED
    assert proved is (found.verdict is not UNDECIDED)
    assert (found.witness is not None) is (found.verdict in (IMPROPER, CHANGED))


NUMERIC = [
    name
    for name, (loss0, _, _) in KNOWN.items()
    if not isinstance(loss0, str) and name != "staircase" and "signs" not in name
]


@pytest.mark.parametrize("name", NUMERIC)
def test_verdict_agrees_with_the_definition_on_a_grid(name: str) -> None:
    loss0, loss1, known = KNOWN[name]
    places = [Rational(k, 40) for k in range(41)]
    losses = [(number(loss0, x, 1), number(loss1, x, 0)) for x in places]
    better = [
        (q, x)
        for q, truth in zip(places, losses, strict=True)
        for x, other in zip(places, losses, strict=True)
        if risk(q, other) < risk(q, truth) - 1e-12
    ]
    if known in (STRICT, PROPER):
        assert better == []
    elif name != "a weight that dips below 0":  # by less than the grid can see
        assert better


def number(loss: Any, x: Expr, infinite_at: int) -> float:
    """Return a loss as a double; at the end where it may be infinite, SymPy has no limit of its own."""
    value = sympy.sympify(loss).subs(p, x)
    return float("inf") if value.has(sympy.zoo, sympy.oo) and x == infinite_at else float(value)


def risk(q: Expr, losses: tuple[float, float]) -> float:
    return (float(1 - q) * losses[0] if q != 1 else 0) + (float(q) * losses[1] if q != 0 else 0)


@pytest.mark.parametrize("name", [name for name in NUMERIC if KNOWN[name][2] in (IMPROPER, CHANGED)])
def test_witness_satisfies_the_definition_exactly(name: str) -> None:
    loss0, loss1, _ = KNOWN[name]
    witness = cd.examine(loss0, loss1).witness
    assert witness is not None
    q = witness.belief

    def exact_risk(x: Expr) -> Expr:
        first, second = (sympy.sympify(loss).subs(p, x) for loss in (loss0, loss1))
        return second if q == 1 else first if q == 0 else (1 - q) * first + q * second

    assert sympy.simplify(exact_risk(q) - witness.truthful) == 0
    assert sympy.simplify(exact_risk(witness.report) - witness.better) == 0
    assert witness.better < witness.truthful


@pytest.mark.parametrize(
    ("name", "most"), [("absolute", 3), ("cubes", 4), ("focal", 3), ("ties to neither", 3)]
)
def test_witness_is_simple(name: str, most: int) -> None:
    witness = cd.examine(*KNOWN[name][:2]).witness
    assert witness is not None
    assert max(witness.belief.q, witness.report.q) <= most


def test_symbolic_witness_holds_for_all_parameters() -> None:
    witness = cd.examine("a*p", "b*(1-p)").witness
    assert witness is not None
    draw = random.Random(1)
    for _ in range(20):
        values = {cd.symbols.parameter(n): Rational(draw.randint(1, 99), draw.randint(1, 99)) for n in "ab"}
        a, b = values.values()
        q, x = witness.belief.subs(values), witness.report.subs(values)
        assert 0 <= q <= 1
        assert (1 - q) * a * x + q * b * (1 - x) < (1 - q) * a * q + q * b * (1 - q)


# ------------------------------------------------------------------------------------------ by construction


def constructed(draw: random.Random) -> tuple[Expr, Expr, bool]:
    """Build losses from a weight with atoms, sometimes spoilt; say whether nothing was spoilt."""
    at = [Rational(k, 12) for k in sorted(draw.sample(range(1, 12), draw.randint(0, 2)))]
    ends, masses = [Integer(0), *at, Integer(1)], [draw.choice([0, 1, HALF]) for _ in at]
    weights = [draw.choice([0, 1, p, (p - HALF) ** 2, 1 / (1 + p)]) for _ in ends[1:]]
    rising = [sympy.integrate(p * w, p) for w in weights]
    falling = [sympy.integrate((p - 1) * w, p) for w in weights]
    first, second, spoilt = [], [], draw.random() < 0.4
    for i in range(len(weights)):
        total0 = total(rising, ends, i) + sum(ends[k] * masses[k - 1] for k in range(1, i + 1))
        total1 = total(falling, ends, i) - sum((1 - ends[k]) * masses[k - 1] for k in range(1, i + 1))
        first.append((rising[i] - rising[i].subs(p, ends[i]) + total0, p <= ends[i + 1]))
        second.append((falling[i] - falling[i].subs(p, ends[i]) + total1, p <= ends[i + 1]))
    if spoilt:
        k = draw.randrange(len(second))
        second[k] = (second[k][0] + draw.choice([p / 9, -p / 9, Rational(-1, 9) * p**2]), second[k][1])
    return (
        Piecewise(*first[:-1], (first[-1][0], True)),
        Piecewise(*second[:-1], (second[-1][0], True)),
        not spoilt,
    )


def total(growth: list[Expr], ends: list[Expr], count: int) -> Expr:
    return sum(
        (growth[k].subs(p, ends[k + 1]) - growth[k].subs(p, ends[k]) for k in range(count)), Integer(0)
    )


@pytest.mark.parametrize("seed", range(24))
def test_losses_of_a_weight_are_proper_and_spoilt_ones_are_not(seed: int) -> None:
    loss0, loss1, whole = constructed(random.Random(seed))
    found = cd.examine(loss0, loss1)
    assert cd.check(found).verdict is Verdict.PROVED
    assert (found.verdict in (STRICT, PROPER)) is whole


# -------------------------------------------------------------------------------------- input, certificates


@pytest.mark.parametrize(
    ("loss0", "loss1", "problem"),
    [
        (sqrt(p - HALF), 1 - p, "not a real number"),
        (1 / (p - HALF) ** 2, 1 - p, "at p = 1/2"),
        (sympy.nan, 1, "nan"),
        (log(p), 1 - p, "p = 0"),
        (sympy.Symbol("q"), 1 - p, "reserved letter q"),
        (Piecewise((0, p < HALF)), 1 - p, "not defined"),
        (Piecewise((0, sympy.cos(p) < p), (1, True)), 1 - p, "depends on whether p - cos"),
        ("p^2; 1", "1-p", "before its last"),
        ("1 if q < 1/2; 0", "1-p", "not a condition"),
        ("0 if p <= a; 1 if p <= b; 2", "1-p", "order of the breakpoints"),
        ("p", "__import__('os')", "column"),
        ("0 if p <= a*b - a^4 - b^4 - 1; 1", "1-p", "no values were found"),
        (sympy.oo, 1, "not finite"),
        ("x^2", "(1-x)^2", "do not depend on p"),
        ("0 if p <= 1/2", "1-p", "not defined"),
        ([1], 1, "is not a number"),
    ],
)
def test_bad_losses_get_an_error_that_names_the_problem(loss0: Any, loss1: Any, problem: str) -> None:
    with pytest.raises(SpecError, match=problem.replace("(", r"\(")):
        cd.examine(loss0, loss1)


@pytest.mark.parametrize("name", ["Brier", "absolute", "ties to neither", "a step anywhere", "log"])
def test_certificate_gives_back_the_same_verdict(name: str) -> None:
    found = cd.examine(*KNOWN[name][:2])
    read = cd.Derivation.from_json(found.to_json())
    assert read == found
    assert read.verdict is found.verdict
    assert cd.check(read).verdict is Verdict.PROVED


def test_text_and_expressions_read_alike() -> None:
    text = cd.examine("0 if p <= 1/2; max(p, 3/4)", "1 if p < 1/2; 1 if p == 1/2; abs(p - 1)")
    loss1 = Piecewise((1, p <= HALF), (1 - p, True))
    assert text.rule.loss0 == cd.examine(Piecewise((0, p <= HALF), (Max(p, 0.75), True)), loss1).rule.loss0
    assert text.rule.loss1 == Piecewise((1, cd.symbols.p <= HALF), (1 - cd.symbols.p, True))


def test_breakpoints_outside_the_unit_interval_do_not_count() -> None:
    found = cd.examine("p^2 if p <= 1 + a; -1", "(1-p)^2 if p >= -1; 7")
    assert found.context.assumed == ()
    assert found.verdict is STRICT


def test_a_pair_without_time_is_left_undecided() -> None:
    found = cd.examine("p^2", "(1-p)^2", time_limit=0)
    assert found.verdict is UNDECIDED
    assert cd.check(found).verdict is Verdict.OPEN


@pytest.mark.parametrize("seconds", [None, "5", True, -1, float("nan"), float("inf")])
def test_a_time_limit_is_a_number_of_seconds(seconds: Any) -> None:
    with pytest.raises(SpecError, match=r"time_limit = .* is not a number of seconds"):
        cd.examine("p", "1 - p", time_limit=seconds)
    with pytest.raises(SpecError, match="time_limit"):
        cd.derive(cd.Additive(), time_limit=seconds)
