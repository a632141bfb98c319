"""False statements on laws: a total that is not 1, or a density that is negative somewhere, is derived and proved.

Totals are of polynomials, in fractions, or of a known law times a factor; a density is negative at a point.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import costderive as cd
from costderive import multiclass
from costderive.proof.claims import Verdict
from tests.falsehoods.formula import letter
from tests.falsehoods.rules import allowed, share, tiny
from tests.falsehoods.statement import Statement

Coefficients = tuple[Fraction, ...]


def _polynomial(coefficients: Coefficients, name: str) -> str:
    return " + ".join(f"({c})*{name}^{n}" if n else f"({c})" for n, c in enumerate(coefficients))


def _integral(coefficients: Coefficients, low: Fraction, high: Fraction) -> Fraction:
    return sum(
        (c * (high ** (n + 1) - low ** (n + 1)) / (n + 1) for n, c in enumerate(coefficients)), Fraction(0)
    )


def _law(draw: Random, low: Fraction, high: Fraction) -> Coefficients:
    """Return a polynomial that is positive on an interval of positive numbers, with total 1."""
    raw = tuple(Fraction(draw.randint(0, 5), draw.choice((1, 2, 3))) for _ in range(3))
    raw = raw if any(raw) else (Fraction(1),)
    total = _integral(raw, low, high)
    return tuple(c / total for c in raw)


def _off(draw: Random) -> Fraction:
    return Fraction(draw.choice((1, -1))) * tiny(draw)


def shares(draw: Random) -> Statement | None:
    """A budget whose cost proportion has a density with another total."""
    eps = _off(draw)
    density = tuple(c * (1 + eps) for c in _law(draw, Fraction(0), Fraction(1)))
    if draw.random() < 0.3:
        density = (*_law(draw, Fraction(0), Fraction(1)), *([Fraction(0)] * 3), eps)
    total = _integral(density, Fraction(0), Fraction(1))
    make = draw.choice(
        (
            cd.Additive,
            cd.Geometric,
            lambda density: cd.Additive(budget=3, density=density),
            lambda density: cd.derive(
                cd.Additive(), threshold=cd.RandomThreshold(density=density.replace("s", "t"))
            ),
        )
    )
    text = _polynomial(density, "s")
    return (
        _derived("total of s", text, f"total {float(total - 1):g} more than 1", lambda: make(density=text))
        if total != 1
        else None
    )


def curves(draw: Random) -> Statement | None:
    """A curve, or independent costs, whose density has another total."""
    low = share(draw)
    high = low + share(draw) * 3
    eps = _off(draw)
    text = _polynomial(tuple(c * (1 + eps) for c in _law(draw, low, high)), "x")

    def law():
        return cd.Density(text, (low, high))

    make = draw.choice(
        (
            lambda: cd.Curve(c0="x", c1=1, density=law()),
            lambda: cd.Curve(c0="x", c1="1/x", density=text, support=(low, high)),
            lambda: cd.Independent(law(), "uniform(0, 1)"),
            lambda: cd.Independent(law(), 1),
        )
    )
    return _derived("total of x", text, f"total {float(eps):g} more than 1", make)


def halflines(draw: Random) -> Statement | None:
    """A known density on the half-line, times nearly 1."""
    c, m = 1 + _off(draw), draw.randint(1, 5)
    text, support = draw.choice(
        (
            (f"({c})*exp(-x)", (0, "oo")),
            (f"({c})*{m}*exp(-{m}*x)", (0, "oo")),
            (f"({c})*x*exp(-x)", (0, "oo")),
            (f"({c})*{m}*x^(-{m + 1})", (1, "oo")),
            (f"({c})*2/(1+x)^3", (0, "oo")),
            (f"({c})*sqrt(2/pi)*exp(-x^2/2)", (0, "oo")),
            (f"({c})/(2*sqrt(x))", (0, 1)),
            (f"({c})*6*x*(1-x)", (0, 1)),
            (f"({c})/(pi*sqrt(x*(1-x)))", (0, 1)),
            (f"({c})*pi/2*sin(pi*x)", (0, 1)),
        )
    )
    make = draw.choice(
        (
            lambda: cd.Curve(c0="x", c1=1, density=text, support=support),
            lambda: cd.Independent(cd.Density(text, support), 1),
        )
    )
    return _derived("total on the half-line", text, f"total {float(c - 1):g} more than 1", make)


def joints(draw: Random) -> Statement | None:
    """A joint density with another total: on a rectangle, or on a triangle."""
    eps, (w, h) = _off(draw), (share(draw) * 3, share(draw) * 3)
    rectangle = ((0, w), (0, h))
    text, support = draw.choice(
        (
            (f"({(1 + eps) / (w * h)})", rectangle),
            (f"({4 * (1 + eps) / (w * h) ** 2})*c0*c1", rectangle),
            (f"({2 * (1 + eps) / w**2})", f"c0 + c1 <= {w}"),
            (f"({1 + eps})*exp(-c0-c1)", ((0, "oo"), (0, "oo"))),
            (f"({3 * (1 + eps) / w**3})*(c0 + c1)", f"c0 + c1 <= {w}"),
        )
    )
    return _derived(
        "joint total",
        f"{text} on {support}",
        f"total {float(eps):g} more than 1",
        lambda: cd.Joint(text, support),
    )


def letters(draw: Random) -> Statement | None:
    """A density with a letter whose total is 1 for one of its values only, close to some number."""
    c = draw.choice((Fraction(7, 41), share(draw), 1 + _off(draw), Fraction(1, 6)))
    text, _total = draw.choice(
        (
            (f"({c})*a", letter("a") * c),
            (f"1 + a*s*({tiny(draw)})", None),
            (f"({c})*a*s", letter("a") * c * Fraction(1, 2)),
            ("2*a*s", letter("a")),
            (f"max(1, a*({c}))", None),
            (f"1 + ({c})*(a - 1)", None),
            (f"min(1, a*({c}))", None),
            (f"a*s^(a - 1)*({1 + _off(draw)})", None),
        )
    )
    joint = f"{text}".replace("*s", "*c0")
    make = (
        draw.choice((lambda: cd.Additive(density=text), lambda: cd.Joint(joint, ((0, 1), (0, 1)))))
        if "s^" not in text and "max" not in text and "min" not in text
        else (lambda: cd.Additive(density=text))
    )
    return _derived(
        "total with a letter", text, "the total is 1 for few values of a only", make, needs_letters=True
    )


def negative(draw: Random) -> Statement | None:
    """A density with total 1 that is negative somewhere."""
    r, eps = share(draw), tiny(draw)
    raw = (r * r - eps, -2 * r, Fraction(1))  # (s - r)^2 - eps
    total = _integral(raw, Fraction(0), Fraction(1))
    if total <= 0:
        return None
    text = _polynomial(tuple(c / total for c in raw), "s")
    steep = draw.choice((text, f"1 + ({1 + eps})*(1 - 2*s)", f"1 + ({1 + eps})*(2*s - 1)"))

    def budget():
        return cd.Additive(density=steep)

    def joint():
        return cd.Joint(steep.replace("s", "c0"), ((0, 1), (0, 1)))

    return _derived(
        "negative density",
        steep,
        "negative somewhere",
        draw.choice(
            (budget, joint, lambda: cd.Curve(c0="x", c1=1, density=steep.replace("s", "x"), support=(0, 1)))
        ),
    )


def tables(draw: Random) -> Statement | None:
    """A table of costs, or the weights of a mixture, whose total is not 1."""
    eps = _off(draw)
    first = share(draw)
    rest = 1 - first + eps
    if rest <= 0:
        return None
    make = draw.choice(
        (
            lambda: cd.Mixture((first, cd.FixedCosts(1, 2)), (rest, cd.FixedCosts(2, 1))),
            lambda: cd.Independent({1: first, 2: rest}, 1),
            lambda: cd.Independent({1: first, 3: rest}, "uniform(0, 1)"),
            lambda: cd.Additive(density={Fraction(1, 3): first, Fraction(1, 2): rest}),
            lambda: cd.Independent({1: float(first), 3: float(rest)}, 1) if abs(eps) > 1e-9 else None,
        )
    )
    return _derived("table", f"{first} + {rest}", f"total {float(eps):g} more than 1", make)


def class_laws(draw: Random) -> Statement | None:
    """Costs of K classes with a law whose total is not 1."""
    c = 1 + _off(draw)
    law = cd.Density
    text, support = draw.choice(
        (
            (f"({c})*exp(-x)", (0, "oo")),
            (f"({c})", (0, 1)),
            (f"({c / 2})*x", (0, 2)),
            (f"({c})*x*exp(-x)", (0, "oo")),
        )
    )

    def make():
        return multiclass.IndependentCosts([law(text, support), "exponential(1)"])

    return _derived(
        "law of a class", text, f"total {float(c - 1):g} more than 1", make, derive=multiclass.derive
    )


def _derived(
    family: str,
    shown: str,
    why: str,
    make: Callable[[], Any],
    needs_letters: bool = False,
    derive: Callable[[Any], Any] = cd.derive,
) -> Statement:
    def ask() -> str:
        context = make()
        found = context if hasattr(context, "cases") else derive(context)
        spread = (
            {"a": Fraction(3, 2)},
            {"a": Fraction(29, 5)},
            {"a": Fraction(41, 7) + Fraction(1, 10**9)},
            {"a": Fraction(1, 9)},
            {"a": Fraction(100)},
        )
        if (
            needs_letters
            and not sum(any(allowed(case.given, one) for case in found.cases) for one in spread) > 1
        ):
            return Verdict.REFUTED.name
        return cd.check(found).verdict.name

    return Statement("derive", family, shown, why, ask)


GENERATORS = (shares, curves, halflines, joints, letters, negative, tables, class_laws)
