"""What a scoring rule says about costs: the contexts that give it, the rules it equals, and its weight in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
import sympy
from sympy import Expr, Integral, Poly, Rational

from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.expressions import exact
from costderive.core.expressions.exact_numbers import shown
from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces, Sign
from costderive.core.symbols import p, s
from costderive.costs.contexts import Context, PowerMean
from costderive.costs.laws import ImproperLaw, Law, Mass, Spread, x
from costderive.deciders.limits import Approach, tail, value_at
from costderive.derivation import named_rules
from costderive.derivation.derivation import Derivation
from costderive.derivation.derive import derive
from costderive.derivation.integration.search import Deadline, antiderivative
from costderive.rules import Judgement, Losses, ScoringRule, odds_form
from costderive.rules.comparison import simplified

KINDS = {"additive": 1, "harmonic": -1, "geometric": 0}
HALF = Rational(1, 2)
NO_MIXTURE = "It is not a mixture over thresholds, so no law of the costs with calibrated decisions gives it."
UNKNOWN = "It is not known whether it is a mixture over thresholds, that is, whether costs give it."
SECONDS = 20.0
SHARES = (Rational(1, 20), HALF, Rational(19, 20))


# ---- the contexts of a rule


@dataclass(frozen=True, slots=True)
class ContextReading:
    """A rule read as a context with a given power mean of the costs, of exponent ``k``, and a law of s.

    ``density`` is the law's density in s. If its ``mass`` is infinite, the law is improper, and the costs have the mean
    1. The context gives the rule exactly. It is one of many: every exponent has a reading, and a random budget that is
    independent of s enters through its mean alone.
    """

    kind: str
    k: Expr
    density: Expr
    mass: Expr
    context: PowerMean

    @property
    def sentence(self) -> str:
        """The reading in words."""
        name = (
            f"the {self.kind} context" if self.kind in KINDS else f"the power-mean context with k = {self.k}"
        )
        return f"{name} with mean {self.context.mean} and {_law_words(self.context.share)}"


def as_context(rule: ScoringRule, kind: Any = "additive") -> ContextReading:
    """Read a proper rule as a context in which a power mean of the costs is given and s has a law.

    ``kind`` is ``"additive"``, ``"harmonic"``, ``"geometric"``, or the exponent k of a power mean. With the mean m the
    cost magnitude is ``m b(s)``, so the law of s has the density ``w/(m b)``, and m is what makes it a law; where no m
    does, the law is improper.

    Raises:
        SpecError: if there is no rule, it has no threshold weight, or the integral of ``w/b`` has no closed form.

    Source: Flach (2015), section 5, read backwards.

    >>> import costderive as cd
    >>> rule = cd.families.log_loss()
    >>> cd.as_context(rule).mass, cd.as_context(rule, "harmonic").context
    (oo, PowerMean(k=-1, mean=2, density=None, c0=None, c1=None))
    """
    _require_rule(rule)
    k = exact(KINDS.get(kind, kind), place="kind")
    name = kind if kind in KINDS else next((word for word, n in KINDS.items() if k == n), "power-mean")
    if not k.is_finite or k.free_symbols:
        raise SpecError(
            f"kind = {shown(kind)} is not a finite exponent",
            "Write additive, harmonic, geometric or a number.",
        )
    given, measure = rule.cases[0][0], rule.measures[0]
    _ = rule.only_case
    unit = PowerMean(k).magnitude()
    parts = [piece.map(lambda value: short(value / unit, given)) for piece in measure.density]
    total = _total(rule, measure, parts, k, given)
    mean = sympy.S.One if total is sympy.oo else total
    shares = [part.map(lambda value: short(value / mean, given)) for part in parts]
    law = _law(measure, shares, unit * mean)
    law = ImproperLaw(law.spreads, law.masses) if total is sympy.oo else law
    return ContextReading(name, k, _density(shares), total, PowerMean(k, mean, law))


def short(expr: Expr, given: Given) -> Expr:
    """Return a function of s in a short writing, its factors positive where that is seen."""
    if expr.is_rational_function():
        return odds_form.product(expr, s, given)
    return sympy.powsimp(simplified(expr))


def _total(rule: ScoringRule, measure: Measure, parts: list[Piece], k: Expr, given: Given) -> Expr:
    """Return the integral of ``w/b``; for additive costs it is half of what both losses reach."""
    losses = rule.only_case
    if k == 1 and isinstance(losses, Losses):
        half = sympy.Add(*losses.limits) / 2
        return half if half.is_infinite else simplified(half)
    unit = PowerMean(k).magnitude()
    masses = [atom.mass / unit.subs(s, atom.at) for atom in measure.atoms]
    return simplified(sympy.Add(*masses, *[_integral(piece, given) for piece in parts]))


def _integral(piece: Piece, given: Given) -> Expr:
    on = Interval(s, piece.low, piece.high)
    if piece.value == 0:
        return sympy.S.Zero
    if any(tail(piece.value, Approach(s, end, side), given) for end, side in ((on.low, "+"), (on.high, "-"))):
        return sympy.oo
    found = antiderivative(piece.value, on, given, Deadline.after(SECONDS))
    ends = [
        None if found is None else value_at(found, Approach(s, end, side), given)
        for end, side in ((on.high, "-"), (on.low, "+"))
    ]
    if ends[0] is None or ends[1] is None:
        problem = f"the integral of {piece.value} over s has no closed form that was found"
        raise SpecError(problem, 'Read the rule as another kind of context, such as "additive".')
    return ends[0] - ends[1]


def _density(parts: list[Piece]) -> Expr:
    """Return a density of s."""
    return Pieces(s, tuple(parts)).to_sympy()


def _law(measure: Measure, shares: list[Piece], unit: Expr) -> Law:
    spreads = tuple(Spread(part.low, part.high, part.value.subs(s, x)) for part in shares if part.value != 0)
    masses = [(atom.at, simplified(atom.mass / unit.subs(s, atom.at))) for atom in measure.atoms]
    return Law(_joined(spreads), tuple(Mass(at, mass) for at, mass in masses))


def _joined(spreads: tuple[Spread, ...]) -> tuple[Spread, ...]:
    """Join neighbours with one density, which an atom or a drawn breakpoint had cut."""
    kept: list[Spread] = []
    for part in spreads:
        if kept and kept[-1].high == part.low and kept[-1].density == part.density:
            kept[-1] = Spread(kept[-1].low, part.high, part.density)
        else:
            kept.append(part)
    return tuple(kept)


def _law_words(law: Law) -> str:
    """Say a law of s."""
    if law.spreads == (Spread(sympy.S.Zero, sympy.S.One, sympy.S.One),) and not law.masses:
        return "s uniform on [0, 1]"
    improper = "improper " if isinstance(law, ImproperLaw) else ""
    words = [
        f"the {improper}density {part.density.subs(x, s)} of s on [{part.low}, {part.high}]"
        for part in law.spreads
    ]
    share = "mass" if improper else "probability"
    words += [f"s = {mass.value} with {share} {mass.probability}" for mass in law.masses]
    return ", ".join(words)


# ---- the names of a rule


@dataclass(frozen=True, slots=True)
class Identity:
    """A rule that is a positive ``factor`` times a named one, ``family(parameters)``, up to constants per class."""

    name: str
    parameters: tuple[Expr, ...]
    factor: Expr
    constants: tuple[Expr, Expr]

    def __str__(self) -> str:
        inside = f"({', '.join(map(str, self.parameters))})" if self.parameters else ""
        times = "" if self.factor == 1 else f"{self.factor} times "
        shifted = (
            ""
            if self.constants == (0, 0)
            else f", plus {self.constants[0]} for class 0 and {self.constants[1]} for class 1"
        )
        return f"{times}{self.name}{inside}{shifted}"


PROPER = (
    "brier",
    "log-loss",
    "boosting",
    "geometric",
    "spherical",
    "h-measure",
    "zero-one",
)
IMPROPER = ("absolute", "focal")


def identify(source: Context | Derivation | ScoringRule) -> tuple[Identity, ...]:
    """Return the named rules that a rule is a positive multiple of, decided exactly; there may be none.

    Besides the rules without parameters it knows the Beta family, the power family, Winkler's and the bounded
    versions of the Brier score and the log loss, and known costs.

    Raises:
        SpecError: if the source is not a context, a derivation or a rule.
        ParametersLeftError: if the rule has several cases.

    >>> from costderive import Independent
    >>> print(*identify(Independent(c0="exponential(m)", c1="exponential(m)")))
    m times brier 2*m times beta(1, 1)
    """
    rule = _rule(source)
    _ = rule.only_case
    found = [_same(rule, name, ()) for name in (PROPER if _is_mixture(rule) else IMPROPER)]
    found += [_same(rule, name, parameters) for name, parameters in _candidates(rule)]
    return tuple(identity for identity in found if identity is not None)


def _rule(source: Context | Derivation | ScoringRule) -> ScoringRule:
    if isinstance(source, ScoringRule):
        return source
    if isinstance(source, Derivation):
        return source.rule
    if isinstance(source, Context):
        return derive(source).rule
    raise SpecError(
        f"{shown(source)} is neither a context nor a rule", "Give a context, a derivation or a rule."
    )


def _is_mixture(rule: ScoringRule) -> bool:
    try:
        return bool(rule.measures)
    except SpecError:
        return False


@cache
def _named(name: str, parameters: tuple[Expr, ...]) -> ScoringRule | None:
    try:
        return named_rules.NAMED[name](*parameters)
    except CostDeriveError:  # parameters that were guessed, and that the family does not have
        return None


def _same(rule: ScoringRule, name: str, parameters: tuple[Expr, ...]) -> Identity | None:
    other = _named(name, parameters)
    if other is None:
        return None
    try:
        found = rule.equivalent_to(other)
    except CostDeriveError:  # breakpoints whose order is open: then it is not known to be the same
        return None
    return Identity(name, parameters, found.factor, found.constants) if found and found.factor else None


def _candidates(rule: ScoringRule) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Guess the parameters with which a family might be the rule; whether it is so is decided afterwards."""
    if not _is_mixture(rule):
        return
    measure = rule.measures[0]
    spread = [piece for piece in measure.density if piece.value != 0]
    if len(measure.atoms) == 1 and not spread:
        at = measure.atoms[0].at
        yield "weighted-zero-one", (at, 1 - at)
        yield "net-benefit", (at,)
    if measure.atoms or len(spread) != 1:
        if len(spread) == 2 and not measure.atoms:
            yield "winkler", (spread[0].high,)
        return
    piece = spread[0]
    if (piece.low, piece.high) != (0, 1):
        yield "bounded-brier", (piece.low, piece.high)
        yield "bounded-log", (piece.low, piece.high)
        return
    yield from (("beta", exponents) for exponents in _exponents(piece.value))
    yield from (("power", (order,)) for order in _orders(piece.value))


def _exponents(weight: Expr) -> Iterator[tuple[Expr, Expr]]:
    """If ``s (1-s) w'/w`` is linear in s, the weight is that of a Beta law: read the exponents off it."""
    slope = simplified(s * (1 - s) * sympy.diff(weight, s) / weight)
    if slope.is_polynomial(s) and Poly(slope, s).degree() <= 1:
        yield simplified(slope.subs(s, 0) + 1), simplified(1 - slope.subs(s, 1))


def _orders(weight: Expr) -> Iterator[Expr]:
    """Near 0 the weight of the power family grows like ``s^(alpha - 2)``, if alpha < 2."""
    powers = {node.exp for node in weight.atoms(sympy.Pow) if node.base == s}
    yield from sorted((simplified(power + 2) for power in powers if (power + 2).is_positive), key=str)


def _require_rule(rule: ScoringRule) -> None:
    if not isinstance(rule, ScoringRule):
        raise SpecError(
            f"{type(rule).__name__} is not a scoring rule", "Pass a rule, such as derive(context).rule."
        )


# ---- the weight in words


def explain(rule: ScoringRule) -> str:
    """Say in sentences what a rule's threshold weight means: where it lies, what it ignores, and what else gives it.

    Raises:
        ParametersLeftError: if the rule has several cases.
        SpecError: if what is given is no rule.
    """
    _require_rule(rule)
    _ = rule.only_case
    return "\n".join(_sentences(rule))


def _sentences(rule: ScoringRule) -> Iterator[str]:
    if rule.derivation is not None:
        yield f"The rule is {rule.verdict}."
    if not _is_mixture(rule):
        is_open = rule.verdict in (Judgement.UNDECIDED, Judgement.CONDITIONAL)
        yield NO_MIXTURE if rule.derivation and not is_open else UNKNOWN
        yield from _witness(rule)
        return
    yield from _where(rule.measures[0])
    yield from _quantiles(rule)
    yield from _names(rule)
    yield from _contexts(rule)


def _witness(rule: ScoringRule) -> Iterator[str]:
    found = getattr(rule.derivation, "witness", None)
    if found is not None:
        yield (
            f"Under the belief q = {found.belief} the report p = {found.report} has the risk {found.better}, less "
            f"than {found.truthful} of the truth."
        )


def _where(measure: Measure) -> Iterator[str]:
    """Say on which thresholds the weight lies, and what it ignores."""
    pairs = list(zip(measure.density, measure.signs, strict=True))
    for piece, sign in pairs:
        if sign is not Sign.ZERO:
            yield f"Thresholds s between {piece.low} and {piece.high} have the weight {piece.value}."
    for atom in measure.atoms:
        odds = simplified(atom.at / (1 - atom.at))
        yield f"The threshold {atom.at} alone, where c0/c1 = {odds}, has the mass {atom.mass}."
    for piece, sign in pairs:
        if sign is Sign.ZERO:
            yield f"It ignores decisions at thresholds between {piece.low} and {piece.high}: there all reports tie."


def _quantiles(rule: ScoringRule) -> Iterator[str]:
    """Say where the middle of the weight is, and the range that carries 90 % of it."""
    (low0, high0), (low1, high1) = rule.bounds
    if high0.is_infinite or high1.is_infinite:
        yield "The weight has no finite mass (the mean of c0 + c1 is infinite), so it has no median threshold."
        return
    whole = high0 - low0 + high1 - low1
    if rule.parameters or whole.has(Integral):
        return
    low, middle, high = (_quantile(rule, low0 - high1 + share * whole) for share in SHARES)
    ratio = middle / (1 - middle)
    yield f"Half of it lies below s = {middle:.4g}: the median cost ratio c0/c1, weighted by c0 + c1, is {ratio:.4g}."
    yield f"Thresholds from {low:.4g} to {high:.4g} carry 90 % of it."


def _quantile(rule: ScoringRule, level: Expr) -> float:
    """Return the threshold up to which ``L0 - L1``, which grows by the weight, is below a level."""
    growth, goal = sympy.lambdify(p, rule.loss0 - rule.loss1, "mpmath"), mpmath.mpf(str(level.evalf(20)))
    low, high = mpmath.mpf(0), mpmath.mpf(1)
    while high - low > 1e-13:
        middle = (low + high) / 2
        low, high = (middle, high) if growth(middle) < goal else (low, middle)
    return float((low + high) / 2)


def _names(rule: ScoringRule) -> Iterator[str]:
    found = identify(rule)
    if found:
        yield f"It is {'; '.join(map(str, found))}."


def _contexts(rule: ScoringRule) -> Iterator[str]:
    """Say which contexts with a given mean of the costs give the rule."""
    readings = list(filter(None, map(_reading(rule), KINDS)))
    proper = [reading.sentence for reading in readings if reading.context.improper_law is None]
    improper = [reading.sentence for reading in readings if reading.context.improper_law is not None]
    if proper:
        yield f"It is the expected cost of {'; and of '.join(proper)}."
    if improper:
        yield f"It is the integral of the cost, over a law of infinite total mass, of {'; and of '.join(improper)}."
    yield "Other laws of the costs give it too: only E[c0 + c1; s in ds] matters."


def _reading(rule: ScoringRule) -> Callable[[str], ContextReading | None]:
    def read(kind: str) -> ContextReading | None:
        try:
            return as_context(rule, kind)
        except CostDeriveError:  # no closed form, or no law that a context accepts
            return None

    return read
