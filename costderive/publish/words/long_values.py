"""Names for the values that are too long for a display by cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sympy import Add, Expr

from costderive.core.piecewise import Pieces
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula, width

VALUE = 46.0  # what a value in a display by cases may take of a line, in digits


@dataclass(frozen=True, slots=True)
class Names:
    """How long values are written, and what the names stand for that they are written in."""

    written: Mapping[Expr, Row] = field(default_factory=dict)
    defined: tuple[tuple[Row, Expr], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.defined)


def names(functions: Iterable[Pieces]) -> Names:
    r"""Name long values: ``\ell_1(p)``, ``\ell_2(p)``, ...; two that differ in a sign are a sum and a difference."""
    by_cases = [function for function in functions if function.breaks]
    long = [piece.value for function in by_cases for piece in function if width(piece.value) > VALUE]
    written = dict(_in_parts(list(dict.fromkeys(long))))
    parts = list(dict.fromkeys(part for signed in written.values() for part, _ in signed))
    called = {part: _name(index, len(parts)) for index, part in enumerate(parts, 1)}
    return Names(
        {value: _sum(signed, called) for value, signed in written.items()},
        tuple((name, part) for part, name in called.items()),
    )


_Signed = tuple[tuple[Expr, str], ...]


def _in_parts(values: list[Expr]) -> Iterator[tuple[Expr, _Signed]]:
    """Pair each value with the parts that it is written in: itself, or what it shares with another, and the rest."""
    taken: set[Expr] = set()
    for index, value in enumerate(values):
        if value in taken:
            continue
        other = next((x for x in values[index + 1 :] if x not in taken and _rest(value, x)), None)
        rest = None if other is None else _rest(value, other)
        if other is None or rest is None:
            yield value, ((value, ""),)
            continue
        taken.add(other)
        yield value, ((value - rest, ""), (rest, "+"))
        yield other, ((value - rest, ""), (rest, "-"))


def _rest(first: Expr, second: Expr) -> Expr | None:
    """Return the terms of a sum that another sum has with the opposite sign, if the two share all others."""
    terms, others = set(Add.make_args(first)), set(Add.make_args(second))
    rest = terms - others
    differ = {-term for term in rest} == others - terms
    return Add(*rest) if rest and differ and terms & others else None


def _name(index: int, count: int) -> Row:
    return formula(r"\ell(p)") if count == 1 else formula(r"\ell_{{}}(p)", index)


def _sum(signed: _Signed, called: Mapping[Expr, Row]) -> Row:
    (first, _), *others = signed
    written = called[first]
    for part, sign in others:
        written = formula(f"{{}} {sign} {{}}", written, called[part])
    return written
