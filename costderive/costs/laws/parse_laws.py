"""Reading a law from a number, text, a SymPy random variable, or a density with its support."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from inspect import signature
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Integer, Piecewise, Pow, S, Symbol

from costderive.core.errors import ImproperLawError, SpecError
from costderive.core.expressions import call, exact, multiple_of_call, parse
from costderive.core.expressions.bounded_steps import FUNCTIONS
from costderive.core.expressions.exact_numbers import printable, shown
from costderive.core.piecewise import Given, Interval
from costderive.core.plain_functions import in_plain_functions
from costderive.core.symbols import s
from costderive.costs.cut_points import NUMBERS, cells_between, gaps, lengths, places
from costderive.costs.laws.counting_laws import COUNTING
from costderive.costs.laws.expectation import x
from costderive.costs.laws.law import Density, ImproperLaw, Law, Mass, Spread
from costderive.costs.laws.named_laws import NAMED, SYNONYMS, known_value, uniform
from costderive.costs.laws.phrases import law_in_words
from costderive.costs.laws.scipy_laws import from_scipy
from costderive.costs.laws.total_probability import OF_DENSITY, OF_PROBABILITIES, normalized, wrong_total
from costderive.costs.never_negative import require_never_negative
from costderive.deciders.conditions import CASED
from costderive.deciders.limits import Approach, tail
from costderive.deciders.regularity import regular
from costderive.deciders.signs import positive

MAX_NAME = 60
CALLED: Mapping[str, Callable[..., Law]] = {**NAMED, **SYNONYMS, **COUNTING}
IMPROPER = "improper"  # as text: improper(density), or improper(density, low, high)


def law_of(value: Any, place: str, *, improper: bool = False, zero: bool = False) -> Law:
    """Read the law of a cost; a number, or an expression in parameters, is a known cost.

    Text that calls a named law is that law: ``"gamma(2, 1)"`` is never the number Gamma(2, 1), nor ``"beta(2, 2)"``
    the number 1/6; and ``"a*uniform(1/2, 1)"`` is the law of a multiple. It may be ``zero`` with a probability if that
    is said.

    Raises:
        SpecError: if the value is not a law, has values that are not costs, or does not add up to 1;
            ``ImproperLawError`` if it is improper, unless that is allowed.
    """
    found = cost_law_in(value, place)
    if found is None:
        return known_value(_letter_free(_expression(value, place, x), place), place)
    law = found if improper else require_proper(found, place)
    return law if zero else _never_zero(law, place)


def _never_zero(law: Law, place: str) -> Law:
    for mass in law.masses:
        if mass.value.is_zero:
            raise SpecError(
                f"{place} has the value 0 with probability {mass.probability}", "It must be positive."
            )
    return law


def part_law_of(value: Any, place: str) -> Law:
    """Read the law of a part of a cost: as `law_of`, but it may be a count.

    Raises:
        SpecError: as `law_of`.
    """
    counted = call(value, place=place, functions=COUNTING) if isinstance(value, str) else None
    return law_of(value, place, zero=True) if counted is None else _named(*counted, place)


def is_count(value: Any, place: str) -> bool:
    """Return whether text calls a counting law."""
    return isinstance(value, str) and call(value, place=place, functions=COUNTING) is not None


def require_proper(law: Law, place: str) -> Law:
    """Return a law that is not improper.

    Raises:
        ImproperLawError: if it is.
    """
    if isinstance(law, ImproperLaw):
        raise ImproperLawError(
            f"{place} is an improper law, which is not possible here",
            "The law of s, of one cost with a given mean of the costs, and of the x of a curve may be improper.",
        )
    return law


def share_of(value: Any, place: str) -> Law:
    """Read the law of a cost proportion, on [0, 1]; an expression is its density, in ``s``.

    Raises:
        SpecError: as `law_of`, and if values beyond 1 may occur.
    """
    found = law_in(value, place, s)
    law = law_in(Density(value, (0, 1)), place, s) if found is None else found
    assert law is not None
    for _, high in law.ends:
        if positive(high - 1) is not None or high is S.Infinity:
            raise SpecError(
                f"{place} reaches up to {high}", "The cost proportion s = c0/(c0 + c1) has a law on [0, 1]."
            )
    return law


def law_in(value: Any, place: str, letter: Symbol = x) -> Law | None:
    """Return the law that a value is, or ``None`` if it is an expression or a number."""
    if isinstance(value, Law):
        return value
    if isinstance(value, Density):
        return require_law(_from_density(value, place, letter), place)
    if isinstance(value, Mapping):
        return require_law(_from_table(value, place), place)
    if hasattr(value, "pspace"):
        return require_law(_from_random_variable(value, place), place)
    if type(value).__module__.startswith("scipy.stats."):
        return require_law(from_scipy(value, place), place)
    if isinstance(value, tuple | list) and len(value) == 2:
        return _named("uniform", tuple(exact(end, place=place) for end in value), place)
    if not isinstance(value, str):
        return None
    return law_in_words(value, place) or _called(value, place, letter)


def cost_law_in(value: Any, place: str) -> Law | None:
    """Return the law that a cost is, by its name or as a multiple, or ``None`` if it is an expression or a number."""
    found = law_in(value, place)
    if found is not None or not isinstance(value, str):
        return found
    multiple = multiple_of_call(value, place=place, functions=CALLED, names={"x": x})
    if multiple is None:
        return None
    name, arguments, factor = multiple
    known_value(_letter_free(factor, place), place)
    law = _named(name, arguments, place).scaled(factor)
    return require_law(law, place) if name in COUNTING else law


def _called(text: str, place: str, letter: Symbol) -> Law | None:
    """Read a law that is called by name."""
    named = call(text, place=place, functions=CALLED)
    if named is not None:
        law = _named(*named, place)
        return require_law(law, place) if named[0] in COUNTING else law
    improper = call(text, place=place, functions=(IMPROPER,), names={letter.name: letter})
    if improper is not None:
        return law_in(_improper(improper[1], place, letter), place, letter)
    _refuse_unknown(text, place)
    return None


def _improper(arguments: tuple[Expr, ...], place: str, letter: Symbol) -> Density:
    """Read ``improper(density)`` or ``improper(density, low, high)``; the law of s is on [0, 1], others on [0, oo)."""
    if len(arguments) not in (1, 3):
        raise SpecError(
            f"{place}: improper of {len(arguments)} values", "Write improper(density, low, high)."
        )
    density, *support = arguments
    low, high = support or (S.Zero, S.One if letter is s else S.Infinity)
    return Density(density, (low, high), improper=True)


def _refuse_unknown(text: str, place: str) -> None:
    """Refuse a text that calls an unknown law, and name the laws there are."""
    found = re.match(r"\s*([A-Za-z_]\w*)\s*\(", text[:MAX_NAME])
    if found and found[1] not in (*CALLED, *FUNCTIONS):
        near = get_close_matches(found[1].lower(), CALLED, n=1, cutoff=0.7)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise SpecError(
            f'{place} = "{printable(text[:MAX_NAME])}": "{found[1]}" is neither a law nor a function',
            f"{hint}Laws: {', '.join(CALLED)}; any other is given by its density and support. A product needs its *.",
        )


def _named(name: str, arguments: tuple[Expr, ...], place: str) -> Law:
    build = CALLED[name]
    wanted = signature(build).parameters
    least = sum(parameter.default is parameter.empty for parameter in wanted.values())
    if not least <= len(arguments) <= len(wanted):
        count = f"{len(arguments)} {'number' if len(arguments) == 1 else 'numbers'}"
        raise SpecError(f"{place}: {name} of {count}", f"Write {name}({', '.join(wanted)}).")
    try:
        return build(*arguments)
    except SpecError as error:
        raise SpecError(f"{place}: {error.problem}", error.remedy) from None


def _expression(value: Any, place: str, letter: Symbol) -> Expr:
    """Return an expression in the letter of a density."""
    return (
        parse(value, place=place, names={letter.name: letter})
        if isinstance(value, str)
        else exact(value, place=place)
    )


def _letter_free(expr: Expr, place: str) -> Expr:
    if expr.has(x):
        raise SpecError(
            f"{place} = {expr} holds the letter x, which densities are written in",
            'Write a density with its support, as in Density("2*x", (0, 1)), or rename the parameter.',
        )
    return expr


def _from_density(value: Density, place: str, letter: Symbol) -> Law:
    if not (isinstance(value.support, tuple | list) and len(value.support) == 2):
        raise SpecError(
            f"{place}.support = {shown(value.support)} is not a pair of ends", "Write (0, 1), say."
        )
    low, high = (
        _letter_free(exact(end, place=f"{place}.support"), f"{place}.support") for end in value.support
    )
    expr = value.density
    if isinstance(expr, Piecewise):
        expr = exact(expr, place=f"{place}.density")
    else:
        expr = _expression(expr, f"{place}.density" if letter is x else place, letter)
    if letter is not x and expr.has(x):
        raise SpecError(
            f"{place} = {expr} holds the letter x", f"A density of {letter} is written in {letter}."
        )
    if value.improper:
        return ImproperLaw(tuple(_spreads(expr.subs(letter, x), low, high, place, poles=True)))
    law = Law(tuple(_spreads(expr.subs(letter, x), low, high, place)))
    law = normalized(law, place) if value.normalize else law
    constant = law.spreads == (Spread(low, high, 1 / (high - low)),)
    return uniform(low, high) if constant else law


def _from_table(value: Mapping[Any, Any], place: str) -> Law:
    pairs = [
        (exact(v, place=place), exact(w, place=f"{place}: probability of {v}")) for v, w in value.items()
    ]
    return Law(masses=tuple(Mass(v, w) for v, w in pairs))


def _from_random_variable(variable: Any, place: str) -> Law:
    distribution = getattr(variable.pspace, "distribution", None)
    if not isinstance(variable, sympy.stats.rv.RandomSymbol) or distribution is None:
        raise SpecError(
            f"{place} = {variable} is not a single random variable",
            "Give one sympy.stats variable, or a Density.",
        )
    if hasattr(distribution, "dict"):
        return _from_table(dict(sorted(distribution.dict.items(), key=str)), place)
    called = _called_in_sympy(distribution)
    if called is not None:
        return _named(*called, place)
    support = getattr(distribution, "set", None)
    if not isinstance(support, sympy.Interval):
        raise SpecError(
            f"{place} = {variable} has no interval as its support", "Give a Density with its support."
        )
    low, high = (exact(end, place=place) for end in (support.inf, support.sup))
    return Law(tuple(_spreads(_positive_parameters(distribution.pdf(x), place), low, high, place)))


def _called_in_sympy(distribution: Any) -> tuple[str, tuple[Expr, ...]] | None:
    """Return the name and the arguments, in the words of ``costderive.laws``, of a distribution of sympy.stats."""
    kind = type(distribution)
    row = _IN_SYMPY.get(kind.__name__) if kind.__module__ == "sympy.stats.crv_types" else None
    if row is None or (kind.__name__ == "ArcsinDistribution" and distribution.args != (0, 1)):
        return None
    name, arguments = row
    return name, arguments(*distribution.args)


_IN_SYMPY: Mapping[str, tuple[str, Callable[..., tuple[Expr, ...]]]] = {
    "UniformDistribution": ("uniform", lambda left, right: (left, right)),
    "ExponentialDistribution": ("exponential", lambda rate: (1 / rate,)),
    "GammaDistribution": ("gamma", lambda k, theta: (k, theta)),
    "GammaInverseDistribution": ("invgamma", lambda a, b: (a, b)),
    "LogNormalDistribution": ("lognormal", lambda mean, std: (mean, std)),
    "LogLogisticDistribution": ("loglogistic", lambda alpha, beta: (alpha, beta)),
    "BetaDistribution": ("beta", lambda alpha, beta: (alpha, beta)),
    "ParetoDistribution": ("pareto", lambda xm, alpha: (alpha, xm)),
    "WeibullDistribution": ("weibull", lambda alpha, beta: (beta, alpha)),
    "TriangularDistribution": ("triangular", lambda a, b, c: (a, c, b)),
    "LomaxDistribution": ("lomax", lambda alpha, lamda: (alpha, lamda)),
    "BetaPrimeDistribution": ("betaprime", lambda alpha, beta: (alpha, beta, S.One)),
    "MaxwellDistribution": ("maxwell", lambda a: (a,)),
    "GompertzDistribution": ("gompertz", lambda b, eta: (eta, 1 / b)),
    "GaussianInverseDistribution": ("invgauss", lambda mean, shape: (mean, shape)),
    "ChiSquaredDistribution": ("gamma", lambda k: (k / 2, Integer(2))),
    "RayleighDistribution": ("rayleigh", lambda sigma: (sigma,)),
    "KumaraswamyDistribution": ("kumaraswamy", lambda a, b: (a, b)),
    "ArcsinDistribution": ("arcsine", lambda a, b: ()),
    "LogitNormalDistribution": ("logitnormal", lambda mu, s: (mu, s)),
    "DagumDistribution": ("dagum", lambda p, a, b: (a, p, b)),
    "NakagamiDistribution": ("nakagami", lambda mu, omega: (mu, omega)),
    "ReciprocalDistribution": ("loguniform", lambda a, b: (a, b)),
}


def _positive_parameters(expr: Expr, place: str) -> Expr:
    return expr.subs({symbol: exact(symbol, place=place) for symbol in expr.free_symbols - {x}})


def _spreads(expr: Expr, low: Expr, high: Expr, place: str, *, poles: bool = False) -> list[Spread]:
    """Split a density where a condition, an absolute value, a least or greatest one, or a step changes.

    With ``poles`` it is split where a power with a negative exponent is infinite, too.
    """
    _require_support(low, high, place)
    expr, on = in_plain_functions(expr), Interval(x, low, high)
    whole = Given().also(positive=(high - low,) if high is not S.Infinity else ())
    if not (expr.has(*CASED) or poles):
        return [Spread(low, high, expr)]
    infinite = places(_divisors(expr), x) if poles else ()
    inner = [pole for pole in infinite if all(positive(y, None, whole) for y in lengths(pole, on))]
    found = cells_between([*places(gaps(expr), x), *inner], on, whole, place)
    values = found.settled(expr, x, place)
    parts = [Spread(*cell, value) for cell, value in zip(pairwise(found.ends), values, strict=True)]
    return _stated([part for part in parts if part.density != 0], found.given, place)


def _stated(parts: list[Spread], given: Given, place: str) -> list[Spread]:
    """Return the parts of a density if they state that every breakpoint in letters is inside the support."""
    if any(part.density.has(S.NaN) for part in parts):
        raise SpecError(f"{place} is not defined on all of its support", "End a Piecewise with (0, True).")
    open_facts = [fact for fact in given.positive if positive(fact, None, Law(tuple(parts)).given()) is None]
    if open_facts and parts:
        raise SpecError(
            f"{place}: whether {open_facts[0]} > 0 is open, and a breakpoint depends on it", NUMBERS
        )
    return parts


def _require_support(low: Expr, high: Expr, place: str) -> None:
    if low.is_negative or low.is_finite is False:
        raise SpecError(
            f"{place} has the support [{low}, {high}]",
            "Neither a cost nor a cost proportion is negative: start the support at 0 or above.",
        )
    if (high - low).is_nonpositive:
        raise SpecError(f"{place} has the support [{low}, {high}]", "Write the lower end first.")


def _divisors(expr: Expr) -> Iterator[Expr]:
    """Find what a density is divided by."""
    yield from (power.base for power in expr.atoms(Pow) if power.base.has(x) and power.exp.is_negative)


# ---- is it a law?


def require_law(law: Law, place: str) -> Law:
    """Refuse what is not a law: values that are not costs, a total that is not 1 or, if improper, not infinite.

    The total is exact for masses and polynomials; else it is tried by quadrature, at a few values of the parameters,
    and the derivation proves it. That of an improper law has to be infinite for all of them.

    Raises:
        SpecError: naming the value, the end or the total that is wrong.
    """
    for spread in law.spreads:
        whole = (spread.low, law.spreads[-1].high) if spread.low.is_negative else (spread.low, spread.high)
        _require_support(*whole, place)
    for mass in law.masses:
        if mass.value.is_negative or mass.probability.is_nonpositive or mass.value.is_finite is False:
            raise SpecError(
                f"{place} has the value {mass.value} with probability {mass.probability}",
                "A value is at least 0, and a probability positive.",
            )
    if not law.ends:
        raise SpecError(f"{place} has no values", "Give a density on an interval, or values.")
    _require_nonnegative(law, place)
    if isinstance(law, ImproperLaw):
        _require_infinite(law, place)
    else:
        _require_total(law, place)
    return law


def _require_nonnegative(law: Law, place: str) -> None:
    if law.parameters:
        for part in law.spreads:
            require_never_negative(place, part.density, part.interval, law.given())
    elif (negative := law.negative_at()) is not None:
        raise SpecError(
            f"{place} has a negative density at {float(negative):.6g}", "A density is at least 0."
        )


def _require_total(law: Law, place: str) -> None:
    wrong = wrong_total(law)
    if wrong is not None:
        remedy = OF_DENSITY if law.spreads else OF_PROBABILITIES
        total = "oo" if any(1 in _tails(part, law.given()) for part in law.spreads) else wrong
        raise SpecError(f"{place} has total probability {total}, not 1", remedy)


def _require_infinite(law: ImproperLaw, place: str) -> None:
    if law.infinite() is not None:
        return
    if all(_is_finite(part, law.given()) for part in law.spreads):
        raise SpecError(
            f"{place} is called improper, but its total mass is finite",
            "Divide the density by its integral, which makes it a law like any other, and do not call it improper.",
        )
    raise SpecError(
        f"{place} is called improper, and whether its total mass is infinite is open",
        "Give its parameters numbers, or write it so that it is infinite for all of them, as s^(-1 - a) is.",
    )


def _is_finite(part: Spread, given: Given) -> bool:
    return regular(part.density, part.interval, given) and _tails(part, given) == (0, 0)


def _tails(part: Spread, given: Given) -> tuple[int | None, int | None]:
    """Return for each end 0 if the mass there is finite, 1 if it is infinite, ``None`` if that is not known."""
    low, high = Approach(x, part.low, "+"), Approach(x, part.high, "-")
    return tail(part.density, low, given), tail(part.density, high, given)
