"""Drawing statements, putting them to the code under test, and counting the answers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.falsehoods import classes, equalities, laws, limits, origins, regularity, rules, signs, structure
from tests.falsehoods.statement import CRASHED, REFUSED, TIMEOUT, Answer, Generator, Statement, answer

CLAIMS: tuple[Generator, ...] = tuple(
    generator
    for module in (signs, equalities, regularity, limits, structure)
    for generator in module.GENERATORS
)
READERS: tuple[Generator, ...] = tuple(
    generator for module in (rules, origins, laws, classes) for generator in module.GENERATORS
)
VERDICTS = ("REFUTED", "OPEN", "NUMERIC", "PROVED", REFUSED, TIMEOUT, CRASHED)


def answers(generators: tuple[Generator, ...], seed: int, limit: float = 20.0) -> Iterator[Answer]:
    """Yield answers without end: each round has one statement of each generator, in an order that the seed gives."""
    draw = Random(seed)
    while True:
        for generator in draw.sample(generators, len(generators)):
            statement = _drawn(generator, draw.getrandbits(64))
            if statement is not None:
                start = spent()
                yield Answer(statement, answer(statement, limit), spent() - start)


def _drawn(generator: Generator, seed: int, tries: int = 20) -> Statement | None:
    """Return a statement of a generator: not all that it draws are false."""
    draw = Random(seed)
    return next((one for _ in range(tries) if (one := generator(draw)) is not None), None)


def spent() -> float:
    """Return the seconds that the processor has worked for this process and its children."""
    return sum(os.times()[:4])


def within(seconds: float, found: Iterator[Answer]) -> Iterator[Answer]:
    """Yield answers until the time of the processor is over."""
    end = spent() + seconds
    for one in found:
        yield one
        if spent() > end:
            return


def table(found: list[Answer]) -> str:
    """Return how many statements of each kind were answered in each way."""
    kinds = sorted({one.statement.kind for one in found})
    counts = Counter((one.statement.kind, one.verdict.split(":")[0]) for one in found)
    rows = [["kind", "tried", *VERDICTS]]
    for kind in [*kinds, "all"]:
        each = [
            sum(n for (k, v), n in counts.items() if v == verdict and kind in (k, "all"))
            for verdict in VERDICTS
        ]
        rows.append([kind, str(sum(each)), *map(str, each)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)) for row in rows)


def proved(found: list[Answer]) -> list[Answer]:
    """Return the answers that should not be."""
    return [one for one in found if one.verdict == "PROVED"]
