"""The losses of K classes as a query, by the order of marks: with comparisons and cases alone, which every dialect has.

Each row has its marks ranked, its classes of the same law numbered as their marks appear, and the probabilities at the
places that classes take; the formulas are those of the order that the ranks then are in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

LEAST = "1e-30"
NOTES_LISTS = """\
For DuckDB: a table predictions with labels y from 0 to K - 1, and lists p of probabilities.
NULL is the loss of what is none of these."""
Marks = Sequence[tuple[int, int, str]]  # the class, the number of the mark in its law, and its value
Orders = Sequence[
    Sequence[tuple[int, int]]
]  # of marks: a place of a class, and the number of a mark of its law


def class_query(
    marks: Marks, laws: Sequence[int], orders: Orders, losses: Sequence[Sequence[str]], has_lists: bool
) -> str:
    """Return a query whose losses, one for each place in each order, are of the columns ``at0``, ``at1`` and so on."""
    classes = range(len(laws))
    steps = {
        "given": _of_lists(classes) if has_lists else _of_rows(classes),
        "ranked": _ranks(marks),
        "numbered": _places(marks, laws),
        "standing": [*_standing(marks, laws), _case("place", _at_label(classes))],
    }
    made = [column.rpartition(" AS ")[2] for columns in steps.values() for column in columns]
    kept = f"* EXCLUDE ({', '.join(made)})" if has_lists else "id, y"
    lines, source = [], "predictions"
    for name, columns in steps.items():
        passed = "*" if has_lists or name != "given" else "id, y"
        grouped = "\n    GROUP BY id, y" if passed != "*" else ""
        listed = "".join(f",\n        {column}" for column in columns)
        lines.append(f"{name} AS (\n    SELECT {passed}{listed}\n    FROM {source}{grouped}\n)")
        source = name
    loss = "\n".join(_losses(orders, losses))
    return f"\nWITH {', '.join(lines)}\nSELECT {kept},\n    CASE\n{loss}\n    END AS loss\nFROM standing\n"


def _of_lists(classes: Iterable[int]) -> list[str]:
    """Return the columns that are read from a list of probabilities."""
    count = len(list(classes))
    fits = f"len(p) = {count} AND abs(list_sum(p) - 1) <= 1e-5 AND list_min(p) >= 0"
    return [
        f"CASE WHEN {fits} THEN 1 END AS fits",
        *(f"{_at_least(f'p[{label + 1}]')} AS p{label}" for label in classes),
    ]


def _of_rows(classes: Iterable[int]) -> list[str]:
    """Return the columns that are read from a row for each class."""
    count = len(list(classes))
    fits = (
        f"COUNT(DISTINCT label) = {count} AND COUNT(*) = {count} AND ABS(SUM(p) - 1) <= 1e-5 AND MIN(p) >= 0"
    )
    return [
        f"CASE WHEN {fits} THEN 1 END AS fits",
        *(f"MAX(CASE WHEN label = {label} THEN {_at_least('p')} END) AS p{label}" for label in classes),
    ]


def _at_least(p: str) -> str:
    return f"CASE WHEN {p} > {LEAST} THEN CAST({p} AS DOUBLE) ELSE {LEAST} END"


def _ranks(marks: Marks) -> list[str]:
    """Return the rank of each mark; those that weigh the same stay as they are."""
    weights = [f"p{label} * {value}" for label, _, value in marks]

    def rank(k: int) -> str:
        signs = ("<=" if j < k else "<" for j in range(len(marks)))
        facts = [f"{weights[j]} {sign} {weights[k]}" for j, sign in enumerate(signs) if j != k]
        return _count(facts)

    return [f"{rank(k)} AS rank{label}_{which}" for k, (label, which, _) in enumerate(marks)]


def _count(facts: Iterable[str]) -> str:
    return " + ".join(f"CASE WHEN {fact} THEN 1 ELSE 0 END" for fact in facts) or "0"


def _alike(label: int, laws: Sequence[int]) -> list[int]:
    return [other for other, law in enumerate(laws) if law == laws[label]]


def _places(marks: Marks, laws: Sequence[int]) -> list[str]:
    """Return the place that each class takes among those of its law, in the order of their first marks."""
    marked = {label for label, _, _ in marks}

    def place(label: int) -> str:
        others = [other for other in _alike(label, laws) if other != label]
        if not others or label not in marked:
            return str(label)
        before = _count(f"rank{other}_0 < rank{label}_0" for other in others)
        cases = " ".join(f"WHEN {n} THEN {taken}" for n, taken in enumerate(_alike(label, laws)))
        return f"CASE {before} {cases} END"

    return [f"{place(label)} AS place{label}" for label in range(len(laws))]


def _standing(marks: Marks, laws: Sequence[int]) -> Iterator[str]:
    """Yield the probability of the class at each place, and the ranks of its marks."""
    for place in range(len(laws)):
        names = [("p{}", f"at{place}")]
        names += [(f"rank{{}}_{n}", f"mark{place}_{n}") for label, n, _ in marks if label == place]
        for name, column in names:
            yield _case(
                column, ((f"place{label} = {place}", name.format(label)) for label in _alike(place, laws))
            )


def _at_label(classes: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Yield when the class of a row stands where."""
    return ((f"fits = 1 AND y = {label}", f"place{label}") for label in classes)


def _case(column: str, cases: Iterable[tuple[str, str]]) -> str:
    return f"CASE {' '.join(f'WHEN {fact} THEN {value}' for fact, value in cases)} END AS {column}"


def _losses(orders: Orders, losses: Sequence[Sequence[str]]) -> Iterator[str]:
    for order, own in zip(orders, losses, strict=True):
        columns = [f"mark{place}_{which}" for place, which in order]
        facts = " AND ".join(f"{low} < {high}" for low, high in pairwise(columns)) or "1 = 1"
        values = " ".join(f"WHEN {place} THEN {loss}" for place, loss in enumerate(own))
        yield f"        WHEN {facts} THEN CASE place {values} END"
