"""Exact numbers only: what holds a Float has been rounded before any decider saw it, so nothing is decided of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from sympy import Basic, Float

P = ParamSpec("P")
T = TypeVar("T")


def rounded(part: Any) -> bool:
    """Return whether a Float is in an expression, or in a part of an interval, of facts or of a claim."""
    if isinstance(part, Basic):
        return _holds_float(part)
    if isinstance(part, tuple | list):
        return any(map(rounded, part))
    return is_dataclass(part) and _parts_rounded(cast(Hashable, part))


@lru_cache(maxsize=4096)
def _parts_rounded(part: Hashable) -> bool:
    return any(rounded(getattr(part, field.name)) for field in fields(cast(Any, part)))


@lru_cache(maxsize=65536)
def _holds_float(expr: Basic) -> bool:
    return isinstance(expr, Float) or any(map(_holds_float, expr.args))


def of_exact_numbers(undecided: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a decider answer that it is undecided wherever an argument holds a Float.

    Every public decider has this door: ``1.0 + 1e-20`` has become 1 before anything can be decided about it.
    """

    def guarded(decider: Callable[P, T]) -> Callable[P, T]:
        @wraps(decider)
        def decided(*args: P.args, **kwargs: P.kwargs) -> T:
            if any(map(rounded, (*args, *kwargs.values()))):
                answer: T = undecided
                return answer
            return decider(*args, **kwargs)

        return decided

    return guarded
