"""Nothing that is false is proved: a sample of the statements of `tests.falsehoods`, another one on each day.

``COSTDERIVE_SEED`` draws the same sample again.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from fractions import Fraction
from random import Random

import pytest
import sympy

from costderive.core.symbols import p
from costderive.proof.claims import NonNegative, Verdict
from tests.falsehoods import referee
from tests.falsehoods.room import CLAIMS, READERS, Answer, answers, proved, within
from tests.falsehoods.statement import Generator, Statement, answer, of_claim

SECONDS = 9.0  # of the processor, for each sample
SEED = int(os.environ.get("COSTDERIVE_SEED", datetime.now(UTC).strftime("%Y%m%d")))


@pytest.mark.parametrize(("generators", "limit"), [(CLAIMS, 2.0), (READERS, 5.0)], ids=["claims", "readers"])
def test_no_false_statement_of_a_sample_is_proved(generators: tuple[Generator, ...], limit: float) -> None:
    found = list(within(SECONDS, answers(generators, SEED, limit)))
    print(f"COSTDERIVE_SEED={SEED}: {len(found)} false statements")
    assert [
        f"{one.statement.family}: {one.statement.shown} ({one.statement.why})" for one in proved(found)
    ] == []


@pytest.mark.parametrize(
    "generator", (*CLAIMS, *READERS), ids=lambda one: f"{one.__module__.split('.')[-1]}.{one.__name__}"
)
def test_each_generator_makes_statements(generator: Generator) -> None:
    draw = Random(SEED)
    assert any(generator(draw) is not None for _ in range(60))


# ---- the referee, by values that are known


def test_the_referee_knows_signs_values_and_limits() -> None:
    x = sympy.Symbol("x", positive=True)
    tiny = sympy.Rational(1, 10**60)
    assert referee.is_negative((x - 1) ** 2 - tiny, {x: Fraction(1)})
    assert not referee.is_negative((x - 1) ** 2, {x: Fraction(1)})
    assert referee.differ(sympy.sqrt(5 + 2 * sympy.sqrt(6)), sympy.sqrt(2) + sympy.sqrt(3) + tiny, {})
    assert not referee.differ(sympy.sqrt(5 + 2 * sympy.sqrt(6)), sympy.sqrt(2) + sympy.sqrt(3), {})
    assert referee.is_not_real(sympy.log(x - 2), {x: Fraction(1)})
    assert referee.limit_at_zero((sympy.exp(2 * x) - 1) / sympy.sin(x), x).contains(2)
    assert referee.value(sympy.Integral(sympy.exp(-x), (x, 0, 1))).real.overlaps(
        (1 - referee.value(sympy.exp(-1))).real
    )


def test_the_referee_concludes_nothing_where_there_is_no_value() -> None:
    x = sympy.Symbol("x", positive=True)
    assert not referee.is_negative(1 / (x - 1), {x: Fraction(1)})
    assert not referee.differ(1 / (x - 1), x, {x: Fraction(1)})
    with pytest.raises(referee.NoValueError):
        referee.value(sympy.zeta(x), {x: Fraction(3)})


def test_a_proof_of_a_falsehood_would_be_seen() -> None:
    statement = of_claim("dip", NonNegative("", (p - 1) ** 2 - 1), "")
    assert answer(statement) == Verdict.REFUTED.name
    fooled = Answer(
        Statement("", "", "", "", lambda: Verdict.PROVED.name),
        answer(Statement("", "", "", "", lambda: "PROVED")),
        0.0,
    )
    assert proved([fooled]) == [fooled]
