"""The grammar: precedence climbing over the tokens of a text, each step behind a bound."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from mpmath.libmp import NoConvergence
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.expressions.bounded_steps import FUNCTIONS, add, multiply, negate, power
from costderive.core.expressions.exact_numbers import MAX_NAME, named, number, printable, shown
from costderive.core.expressions.growth import INFINITE, REAL, SMALLER, RefusedError, facts
from costderive.core.expressions.law_names import LAWS

MAX_CHARACTERS, MAX_TOKENS, MAX_DEPTH = 2_000, 200, 50

GRAMMAR = "An expression has numbers, names, + - * / ^, parentheses and functions such as exp, log, sqrt."
REMEDIES = {
    "=": "Numbers stand at their places without names, as in weibull(2, 1); to compare, write <= or >=."
}
_RELATIONS = ("<=", "<", ">=", ">")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    index: int


_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<mark>\*\*|<=|>=|[-+*/^(),<>])|(?P<space>[ \t\r\n]+)|(?P<other>.)",
    re.DOTALL,
)


def _gap(relation: str, left: Expr, right: Expr) -> Expr:
    """Return the difference that is at least 0 where the relation holds."""
    greater, less = (left, right) if relation[0] == ">" else (right, left)
    return add([greater, negate(less)])


def _closes_last(tokens: list[str]) -> bool:
    """Return whether the parenthesis before these tokens is closed by the last of them, or never."""
    depth = 1
    for index, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return not any(tokens[index + 1 :])
    return True


def _not_a_function(name: str) -> tuple[str, str]:
    """Return what is wrong with a call, and the remedy."""
    if name in LAWS:
        return (
            f'"{name}" is the name of a law, not of a function',
            "A law stands alone; where it is that of a part, give the cost in parts: min(x, 5) with x for the part.",
        )
    return (
        f'"{name[:MAX_NAME]}" is not a function',
        f"A product needs its *. Functions: {', '.join(FUNCTIONS)}.",
    )


class Parser:
    """Precedence climbing over the tokens of one text; each method reads the phrase it is named after."""

    def __init__(self, text: str, place: str, names: Mapping[str, Expr]) -> None:
        if not isinstance(text, str):
            raise SpecError(f"{place} = {shown(text)} is not text", GRAMMAR)
        if len(text) > MAX_CHARACTERS:
            problem = f'{place} = "{printable(text[:40])}..." has {len(text)} characters'
            raise SpecError(problem, f"An expression has at most {MAX_CHARACTERS}.")
        self.text, self.place, self.names = text, place, names
        self.tokens = self._tokens()
        self.position = self.depth = 0

    def parse(self) -> Expr:
        result = self._sum()
        self._end()
        return result

    def inequalities(self) -> tuple[Expr, ...]:
        gaps = self._chain()
        while self._take(",") or self._now.text == "and":
            self.position += self._now.text == "and"
            gaps += self._chain()
        self._end()
        return gaps

    def _chain(self) -> tuple[Expr, ...]:
        sides, marks = [self._sum()], list[_Token]()
        while mark := self._take(*_RELATIONS):
            marks.append(mark)
            sides.append(self._sum())
        if not marks and self._now.text:
            self._end()
        if not marks:
            raise self._error(self._now.index, "no relation", "Write an inequality, as in c0 + c1 <= 2.")
        return tuple(
            self._step(mark.index, _gap, mark.text, left, right)
            for mark, (left, right) in zip(marks, pairwise(sides), strict=True)
        )

    def whole_call(self, functions: Collection[str]) -> tuple[str, tuple[Expr, ...]] | None:
        name, opening, *rest = [token.text for token in self.tokens] + ["", ""]
        if name not in functions or opening != "(" or not _closes_last(rest):
            return None
        self.position = 2
        operands = tuple(self._operands())
        self._end()
        return name, operands

    def multiple(self, functions: Collection[str]) -> tuple[str, tuple[Expr, ...], Expr] | None:
        calls = [index for index in range(len(self.tokens)) if self._calls(index, functions)]
        for start in calls:
            end = self._behind(start)
            left, right = self.tokens[max(0, start - 1)], self.tokens[end]
            is_first, is_last = start == 0 and right.text == "*", left.text == "*" and right.kind == "end"
            if not (is_first or is_last):
                continue
            if others := [index for index in calls if not start <= index < end]:
                second = self.tokens[max(start, *others)]
                raise self._error(second.index, "a second law", "Multiply a law by numbers and letters.")
            self.position = start + 2
            operands = tuple(self._operands())
            rest = self if is_first else Parser(self.text[: left.index], self.place, self.names)
            rest.position += is_first
            factor = rest._product()
            return (self.tokens[start].text, operands, factor) if rest._now.kind == "end" else None
        return None

    def _calls(self, index: int, functions: Collection[str]) -> bool:
        return self.tokens[index].text in functions and self.tokens[index + 1].text == "("

    def _behind(self, start: int) -> int:
        """Return the place of the token after a call, or the last one if it is not closed."""
        depth = 0
        for index in range(start + 1, len(self.tokens) - 1):
            depth += (self.tokens[index].text == "(") - (self.tokens[index].text == ")")
            if depth == 0:
                return index + 1
        return len(self.tokens) - 1

    def _end(self) -> None:
        if self._now.kind != "end":
            raise self._unexpected()

    def _tokens(self) -> list[_Token]:
        tokens: list[_Token] = []
        for match in _TOKEN.finditer(self.text):
            token = _Token(match.lastgroup or "", match.group(), match.start())
            if token.kind == "other":
                problem = f'unexpected "{printable(token.text)}"'
                raise self._error(token.index, problem, REMEDIES.get(token.text, GRAMMAR))
            if len(tokens) == MAX_TOKENS:
                raise self._error(token.index, f"more than {MAX_TOKENS} numbers, names and signs", SMALLER)
            tokens += [token] if token.kind != "space" else []
        return [*tokens, _Token("end", "", len(self.text))]

    @property
    def _now(self) -> _Token:
        return self.tokens[self.position]

    def _take(self, *marks: str) -> _Token | None:
        """Return the token and step over it if it is one of the marks."""
        token = self._now
        if token.kind != "mark" or token.text not in marks:
            return None
        self.position += 1
        return token

    def _expect(self, mark: str) -> None:
        if self._take(mark) is None:
            raise self._unexpected()

    def _deeper(self, phrase: Callable[[], Expr]) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(self._now.index, f"more than {MAX_DEPTH} levels of nesting", SMALLER)
        result = phrase()
        self.depth -= 1
        return result

    def _sum(self) -> Expr:
        start, terms = self._now.index, [self._product()]
        while mark := self._take("+", "-"):
            term = self._product()
            terms.append(self._step(mark.index, negate, term) if mark.text == "-" else term)
        return self._step(start, add, terms) if len(terms) > 1 else terms[0]

    def _product(self) -> Expr:
        start, factors = self._now.index, [self._signed()]
        while mark := self._take("*", "/"):
            factor = self._signed()
            divides = mark.text == "/"
            factors.append(self._step(mark.index, power, factor, S.NegativeOne) if divides else factor)
        return self._step(start, multiply, factors) if len(factors) > 1 else factors[0]

    def _signed(self) -> Expr:
        start, negative = self._now.index, False
        while mark := self._take("+", "-"):
            negative ^= mark.text == "-"
        operand = self._raised()
        return self._step(start, negate, operand) if negative else operand

    def _raised(self) -> Expr:
        base = self._atom()
        mark = self._take("^", "**")
        return self._step(mark.index, power, base, self._deeper(self._signed)) if mark else base

    def _atom(self) -> Expr:
        token = self._now
        if self._take("("):
            inside = self._deeper(self._sum)
            self._expect(")")
            return inside
        if token.kind not in ("number", "name"):
            raise self._unexpected()
        self.position += 1
        if token.kind == "number":
            return self._step(token.index, number, token.text)
        if self._take("("):
            return self._call(token)
        return self._step(token.index, named, token.text, self.names)

    def _call(self, name: _Token) -> Expr:
        if name.text not in FUNCTIONS:
            raise self._error(name.index, *_not_a_function(name.text))
        operands = self._operands()
        least, most = {"beta": (2, 2), "min": (1, MAX_TOKENS), "max": (1, MAX_TOKENS)}.get(name.text, (1, 1))
        if not least <= len(operands) <= most:
            wanted = (
                f"{least} {'value' if least == 1 else 'values'}" if least == most else "at least one value"
            )
            raise self._error(name.index, f"{name.text} takes {wanted}, not {len(operands)},")
        return self._step(name.index, FUNCTIONS[name.text], *operands)

    def _operands(self) -> list[Expr]:
        operands: list[Expr] = []
        while not self._take(")"):
            if operands:
                self._expect(",")
            operands.append(self._deeper(self._sum))
        return operands

    def _step(self, index: int, step: Callable[..., Expr], *operands: Any) -> Expr:
        """Return the finite real result of one step, or say at which column it was refused."""
        try:
            result = step(*operands)
            _ = result in INFINITE or facts(result)
        except RefusedError as refusal:
            raise self._error(index, refusal.problem, refusal.remedy) from None
        except (ArithmeticError, ValueError, TypeError, NotImplementedError, RecursionError, NoConvergence):
            raise self._error(index, "this has no finite real value that can be found", REAL) from None
        return result

    def _unexpected(self) -> SpecError:
        token = self._now
        found = f'"{token.text[:MAX_NAME]}"' if token.text else "end"
        return self._error(token.index, f"unexpected {found}")

    def _error(self, index: int, problem: str, remedy: str = GRAMMAR) -> SpecError:
        """Return the error with the text, cut to sixty characters around the column, and a caret under it."""
        start = max(0, min(index - 30, len(self.text) - 60))
        left = ("..." if start > 0 else "") + printable(self.text[start:index])
        right = printable(self.text[index : start + 60]) + ("..." if start + 60 < len(self.text) else "")
        pointer = f"  {left}{right}\n    {' ' * len(left)}^\n  {remedy}"
        return SpecError(f'{self.place} = "{left}{right}": {problem} at column {index + 1}', pointer)
