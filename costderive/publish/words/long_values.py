"""Names for the values that are too long for a display by cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import sympy
from sympy import Add, Expr, Function, Symbol

from costderive.core.piecewise import Pieces
from costderive.core.symbols import p
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula, width
from costderive.publish.formulas.shorter import cleared

VALUE = 46.0  # what a value in a display by cases may take of a line, in digits
ARGUMENT = 8.0  # what an argument may take of it that is set as an index
LETTERS = ("z", "v", "w", "x")
_INCOMPLETE = (sympy.betainc, sympy.betainc_regularized, sympy.lowergamma, sympy.uppergamma)


@dataclass(frozen=True, slots=True)
class Names:
    """How long values are written, what the names stand for that they are written in, and those of long arguments."""

    written: Mapping[Expr, Row] = field(default_factory=dict)
    parts: tuple[Expr, ...] = ()
    arguments: Mapping[Expr, Expr] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.parts or self.arguments)

    @property
    def defined(self) -> tuple[tuple[Row, Expr], ...]:
        """Each name with what it stands for."""
        values = [(self.at(part, p), part) for part in self.parts]
        return *values, *[(formula(name), cleared(argument, p)) for argument, name in self.arguments.items()]

    def at(self, part: Expr, place: Expr) -> Row:
        """Write the name of a part of long values, at a place."""
        return _called(self.parts.index(part) + 1, len(self.parts), place)

    def short(self, value: Expr, variable: Symbol = p) -> Expr:
        """Write the long arguments of functions by their names."""
        return value.xreplace(
            {x.subs(p, variable): name.subs(p, variable) for x, name in self.arguments.items()}
        )


def names(functions: Iterable[Pieces]) -> Names:
    r"""Name long values: ``\ell_1(p)``, ``\ell_2(p)``, ...; two that differ in a sign are a sum and a difference.

    Long arguments of incomplete Beta and Gamma functions are named first.
    """
    found = list(functions)
    named = Names(arguments=_arguments([piece.value for function in found for piece in function]))
    several = [function for function in found if len({piece.value for piece in function}) > 1]
    by_cases = dict.fromkeys(piece.value for function in several for piece in function)
    long = {value: short for value in by_cases if width(short := named.short(value)) > VALUE}
    signed = dict(_in_parts(list(dict.fromkeys(long.values()))))
    parts = tuple(dict.fromkeys(part for terms in signed.values() for part, _ in terms))
    written = replace(named, parts=parts)
    return replace(written, written={value: _sum(signed[short], written) for value, short in long.items()})


def _arguments(values: list[Expr]) -> dict[Expr, Expr]:
    """Name the long arguments of incomplete functions, in a letter that no parameter has."""
    calls = sorted(
        (call for value in values for call in value.atoms(*_INCOMPLETE)), key=sympy.default_sort_key
    )
    long = dict.fromkeys(x for call in calls for x in call.args if x.has(p) and width(x) > ARGUMENT)
    taken = {symbol.name for value in values for symbol in value.free_symbols}
    letter = next((name for name in LETTERS if name not in taken), None)
    if letter is None:
        return {}
    return {
        x: Function(letter if len(long) == 1 else f"{letter}_{index}")(p) for index, x in enumerate(long, 1)
    }


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


def _called(index: int, count: int, place: Expr) -> Row:
    return formula(r"\ell({})", place) if count == 1 else formula(r"\ell_{{}}({})", index, place)


def _sum(signed: _Signed, named: Names) -> Row:
    (first, _), *others = signed
    written = named.at(first, p)
    for part, sign in others:
        written = formula(f"{{}} {sign} {{}}", written, named.at(part, p))
    return written
