"""An evaluator of the terms that a file of Coq defines its functions by: the grammar of Coq's reals, and mpmath.

Nothing here comes from the package: the losses are read from the text of the file and from nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mpmath import mp, mpf

Real = Any
TOKEN = re.compile(r"\s*(\d+|[A-Za-z_]\w*|[-+*/^()])")
FUNCTIONS: Mapping[str, tuple[int, Callable[..., Real]]] = {
    "ln": (1, mp.log),
    "exp": (1, mp.exp),
    "sqrt": (1, mp.sqrt),
    "sin": (1, mp.sin),
    "cos": (1, mp.cos),
    "sinh": (1, mp.sinh),
    "cosh": (1, mp.cosh),
    "asin": (1, mp.asin),
    "atan": (1, mp.atan),
    "arcsinh": (1, mp.asinh),
    "erf": (1, mp.erf),
    "erfc": (1, mp.erfc),
    "Rabs": (1, abs),
    "Rmin": (2, min),
    "Rmax": (2, max),
    "Gamma": (1, mp.gamma),
    "beta": (2, mp.beta),
    "incomplete_beta": (3, lambda a, b, x: mp.betainc(a, b, 0, x)),
    "lower_gamma": (2, lambda a, x: mp.gammainc(a, 0, x)),
    "upper_gamma": (2, mp.gammainc),
    "tail_gamma": (2, mp.gammainc),
    "exponential_integral": (1, mp.e1),
    "hypergeometric": (4, mp.hyp2f1),
    "Rpower": (2, lambda base, exponent: mp.exp(exponent * mp.log(base))),
}


@dataclass
class _Reader:
    """Reads a term by Coq's levels: 50 for sums, 40 for products, 35 for signs, 30 for powers, 10 for calls."""

    tokens: list[str]
    values: Mapping[str, Real]
    place: int = field(default=0)

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def sum(self) -> Real:
        total = self.product()
        while self.next in ("+", "-"):
            total = total + self.product() if self.take() == "+" else total - self.product()
        return total

    def product(self) -> Real:
        total = self.signed()
        while self.next in ("*", "/"):
            total = total * self.signed() if self.take() == "*" else total / self.signed()
        return total

    def signed(self) -> Real:
        if self.next == "-":
            self.take()
            return -self.signed()
        if self.next == "/":
            self.take()
            return 1 / self.signed()
        return self.power()

    def power(self) -> Real:
        base = self.call()
        if self.next != "^":
            return base
        self.take()
        return base ** int(self.take())

    def call(self) -> Real:
        if self.next not in FUNCTIONS:
            return self.atom()
        arity, function = FUNCTIONS[self.take()]
        return function(*[self.atom() for _ in range(arity)])

    def atom(self) -> Real:
        token = self.take()
        if token == "(":
            value = self.sum()
            assert self.take() == ")"
            return value
        if token.isdigit():
            return mpf(int(token))
        return mp.pi if token == "PI" else self.values[token]


def value(term: str, values: Mapping[str, Real]) -> Real:
    """Return the value of a term, to the working precision."""
    tokens = TOKEN.findall(term)
    assert "".join(tokens) == re.sub(r"\s", "", term), f"not a term: {term}"
    reader = _Reader(tokens, values)
    found = reader.sum()
    assert reader.place == len(tokens), f"not one term: {term}"
    return found


def function(text: str, name: str) -> Callable[..., Real]:
    """Return a function that a file defines by cases of ``p``; the first definition of that name counts."""
    found = re.search(rf"^Definition {name} \(p : R\) : R :=\n(.*?)\.$", text, re.DOTALL | re.MULTILINE)
    assert found, f"no definition of {name}"

    def evaluated(p: Real, **parameters: Real) -> Real:
        values, rest = {"p": p, **parameters}, found[1].strip()
        while case := re.match(r"if R(le|lt)_dec p (.*?) then (.*?) else\s(.*)", rest, re.DOTALL):
            end = value(case[2], values)
            if p < end or (p == end and case[1] == "le"):
                return value(case[3], values)
            rest = case[4].strip()
        return value(rest, values)

    return evaluated
