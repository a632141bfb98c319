"""The search for antiderivatives of densities: candidates, simple ones first, of which the claims decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial

import sympy
from sympy import Add, Expr, Integral, Mul, Pow, Symbol

from costderive.core.derivatives import derivative
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import s, u
from costderive.core.time_limit import within
from costderive.costs.expected_loss import Antiderivative
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.along_lines import primitive_along_line
from costderive.derivation.integration.binomials import over_binomials
from costderive.derivation.integration.contiguous_betas import MOST_POWERS
from costderive.derivation.integration.exponentials import beside_power_of_line, of_exponentials
from costderive.derivation.integration.partial_fractions import over_quadratic_factors
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.product_rule import by_product_rule
from costderive.derivation.integration.search import Deadline, antiderivative
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.rules import odds_form

ZERO = sympy.S.Zero
INFINITE = (sympy.oo, -sympy.oo)
SHARE_SECONDS = 3.0
SYMPY_SECONDS = 1.0
MOST_ROOTS = 12
LONG = 30  # operations of an integrand of which a decision may take longer than it is worth
SHORT = 30  # operations of a sum whose terms are worth a search each, and of what SymPy is asked for

_root = sympy.Dummy("root", positive=True)
_logarithm = sympy.Dummy("log", positive=True)

Candidates = Iterator[Callable[[], Expr | None]]


def searched(
    integrand: Expr,
    on: Interval,
    given: Given,
    candidates: Callable[[Expr, Interval, Given, Deadline], Candidates],
    deadline: Deadline,
    *,
    infinite: bool = False,
) -> Antiderivative:
    """Return the first candidate whose claims would be proved, with its limits, which may be ``infinite`` or not.

    What is decided of a long integrand takes no longer than the search for it.
    """
    ways = candidates(integrand, on, given, deadline)
    if sympy.count_ops(integrand) <= LONG:
        return _first_kept(ways, integrand, on, given, deadline, infinite)
    try:
        found: Antiderivative = within(
            2 * deadline.left, _first_kept, ways, integrand, on, given, deadline, infinite, nests=True
        )
    except Exception:  # a search that fails has found nothing
        return Antiderivative()
    return found


def _first_kept(
    ways: Candidates, integrand: Expr, on: Interval, given: Given, deadline: Deadline, infinite: bool
) -> Antiderivative:
    for candidate in ways:
        found = attempted(candidate) if deadline.left else None
        kept = None if found is None else _kept(found, integrand, on, given, infinite)
        if kept is not None:
            return kept
    return Antiderivative()


def attempted(candidate: Callable[[], Expr | None]) -> Expr | None:
    """Return what a search finds; nothing if it fails, as SymPy may in any way."""
    try:
        return candidate()
    except Exception:  # a search that fails has found nothing
        return None


def _kept(
    found: Expr, integrand: Expr, on: Interval, given: Given, infinite: bool = False
) -> Antiderivative | None:
    if found.has(Integral, sympy.I, sympy.Piecewise):
        return None
    ends = [value_at(found, Approach(on.variable, *end), given) for end in ((on.low, "+"), (on.high, "-"))]
    known = INFINITE if infinite else ()
    if any(end is None or (end.has(*INFINITE, sympy.zoo, sympy.nan) and end not in known) for end in ends):
        return None
    slope = derivative(found, on.variable)
    if not (regular(found, on, given) and zero(slope - integrand, on, given)):
        return None
    return Antiderivative(found, *ends)


def lowered(found: Antiderivative, integrand: Expr, on: Interval, given: Given) -> Antiderivative:
    """Lower the shape of incomplete Gamma and Beta functions by 1: a mean is then written with those of the total.

    ``Gamma(a + 1, y) = a Gamma(a, y) + y^a exp(-y)`` and ``(a + b) B_z(a + 1, b) = a B_z(a, b) - z^a (1 - z)^b``.
    """
    if found.function is None:
        return found
    lower = found.function.replace(sympy.uppergamma, _lower_gamma).replace(sympy.betainc, _lower_beta)
    return _kept(sympy.expand(lower), integrand, on, given) or found


def _lower_gamma(shape: Expr, y: Expr) -> Expr:
    a = sympy.expand(shape - 1)
    return a * sympy.uppergamma(a, y) + y**a * sympy.exp(-y)


def _lower_beta(first: Expr, b: Expr, low: Expr, z: Expr) -> Expr:
    a = sympy.expand(first - 1)
    return (a * sympy.betainc(a, b, low, z) - z**a * (1 - z) ** b) / (a + b)


def from_above(found: Antiderivative, integrand: Expr, on: Interval, given: Given) -> Antiderivative:
    """Write an incomplete Beta function that is complete at infinity by what it lacks, which is seen to die out."""
    if found.function is None or on.high is not sympy.oo or not found.at_high.has(sympy.beta):
        return found
    turned = found.function.replace(sympy.betainc, _turned)
    return _kept(turned, integrand, on, given) or found


def _turned(a: Expr, b: Expr, low: Expr, z: Expr) -> Expr:
    """``B_z(a, b)`` is ``B(a, b)``, a constant, less ``B_(1 - z)(b, a)``: powers of 1 - z for a whole number a."""
    if low != 0:
        return sympy.betainc(a, b, low, z)
    rest = sympy.cancel(1 - z)
    if not a.is_Integer or a > MOST_POWERS:
        return -sympy.betainc(b, a, 0, rest)
    return -Add(*[(-1) ** j * sympy.binomial(a - 1, j) * rest ** (b + j) / (b + j) for j in range(int(a))])


def line_candidates(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    """Antiderivatives of a density of a cost, simple ones first."""
    y = on.variable
    yield lambda: primitive(f, y, given)
    yield lambda: primitive(sympy.expand_power_base(f), y, given)
    yield lambda: primitive_along_line(f, y, given)
    yield lambda: _by_inner_power(f, on)
    yield lambda: _in_logarithm(f, on, given)
    yield lambda: by_product_rule(f, on, given)
    yield lambda: of_exponentials(f, y, given)
    yield lambda: beside_power_of_line(f, y, given)
    yield lambda: _incomplete_beta(f, on, given)
    yield lambda: over_binomials(f, y, given)
    if nonnegative(1 - on.high, None, given):
        share = f.subs(y, s)
        for found in unit_candidates(share, Interval(s, on.low, on.high), given, deadline):
            yield partial(_in_letter, found, y)
    yield lambda: over_quadratic_factors(f, on, given)
    yield lambda: by_ansatz(f, y, min(SHARE_SECONDS, deadline.left))
    yield lambda: _in_root(f, y, min(SHARE_SECONDS, deadline.left))
    yield lambda: _term_by_term(f, y, given, deadline)
    yield lambda: _integrated(f, y, deadline)


def with_one_base(f: Expr) -> Expr:
    """Multiply out sums below equal roots: ``sqrt(1 + x) sqrt(1 - x + x^2)`` is ``sqrt(1 + x^3)``."""
    return f.replace(lambda node: node.is_Mul, _with_equal_roots_joined)


def _with_equal_roots_joined(product: Expr) -> Expr:
    below = defaultdict[Expr, list[Expr]](list)
    for base, exponent in (factor.as_base_exp() for factor in Mul.make_args(product)):
        if base.is_Add and exponent.is_Rational and not exponent.is_Integer:
            below[exponent].append(base)
    several = {exponent: bases for exponent, bases in below.items() if len(bases) > 1}
    joined = {sympy.expand(Mul(*bases)) ** exponent for exponent, bases in several.items()}
    gone = Mul(*[base**exponent for exponent, bases in several.items() for base in bases])
    return product / gone * Mul(*joined) if several else product


def _in_letter(candidate: Callable[[], Expr | None], y: Symbol) -> Expr | None:
    found = candidate()
    return None if found is None else found.subs(s, y)


def unit_candidates(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    """Antiderivatives of a function of a probability, simple ones first."""
    yield lambda: primitive(f, s, given)
    yield lambda: _in_odds(f, given)
    yield lambda: antiderivative(f, on, given, deadline)


def _in_odds(f: Expr, given: Given) -> Expr | None:
    found = primitive(odds_form.to_odds(f, s, given) / (1 + u) ** 2, u, given)
    return None if found is None else odds_form.to_probability(found, s, given)


def _in_root(f: Expr, y: Symbol, seconds: float) -> Expr | None:
    """Integrate in a root of y of which all powers are whole."""
    powers = [node.exp for node in f.atoms(Pow) if node.base == y]
    order = sympy.ilcm(1, 1, *[exponent.q for exponent in powers if exponent.is_Rational])
    if not 1 < order <= MOST_ROOTS:
        return None
    image = f.subs(y, _root**order) * order * _root ** (order - 1)
    found = by_ansatz(image, _root, seconds)
    return None if found is None else found.subs(_root, y ** sympy.Rational(1, order))


def _by_inner_power(f: Expr, on: Interval) -> Expr | None:
    """``c g^q g'`` is the slope of ``c g^(q + 1)/(q + 1)``, or of ``c log g`` for q = -1, where g is not y itself."""
    y = on.variable
    for power in (
        part for part in Mul.make_args(f) if isinstance(part, Pow) and part.base.has(y) and part.base != y
    ):
        rest = sympy.powsimp(sympy.powdenest(f / power / sympy.diff(power.base, y)))
        if not rest.has(y):
            raised = (
                power.base ** (power.exp + 1) / (power.exp + 1) if power.exp != -1 else sympy.log(power.base)
            )
            return rest * raised
    return None


def _in_logarithm(f: Expr, on: Interval, given: Given) -> Expr | None:
    """Integrate in the logarithm of a line, of one sign, as the quantiles of a Weibull law have its powers."""
    y, logs = on.variable, [node for node in f.atoms(sympy.log) if node.has(on.variable)]
    if len(logs) != 1 or not logs[0].args[0].is_polynomial(y) or sympy.degree(logs[0].args[0], y) != 1:
        return None
    (log,), line = logs, logs[0].args[0]
    level = _level(f, log)
    sign = next((i for i in (1, -1) if positive(i * (log - level), on, given)), None)
    if sign is None:
        return None
    place = (sympy.exp(sign * _logarithm + level) - line.subs(y, 0)) / sympy.diff(line, y)
    moved = f.xreplace({log: sign * _logarithm + level}).subs(y, place) * sympy.diff(place, _logarithm)
    short = sympy.expand_power_base(moved.replace(lambda node: node.is_Add, sympy.factor))
    found = primitive(sympy.powsimp(short, combine="exp"), _logarithm, given)
    return None if found is None else found.xreplace({_logarithm: sign * (log - level)})


def _level(f: Expr, log: Expr) -> Expr:
    """Return l for the first sum ``c (log - l)``, in which it may be a logarithm itself, else 0."""
    sums = sorted((node for node in f.atoms(Add) if node.coeff(log) != 0), key=str)
    found = (-(node - node.coeff(log) * log) / node.coeff(log) for node in sums)
    return next((level for level in found if not level.free_symbols & log.free_symbols), ZERO)


def _incomplete_beta(f: Expr, on: Interval, given: Given) -> Expr | None:
    """``c x^(a - 1) (1 - x)^(b - 1)`` is the slope of ``c B_x(a, b)``."""
    y = on.variable
    constant, moving = f.as_independent(y, as_Add=False)
    exponents = dict.fromkeys((y, 1 - y), ZERO)
    for part in Mul.make_args(moving):
        base, exponent = part.as_base_exp()
        if base not in exponents or exponent.has(y):
            return None
        exponents[base] += exponent
    first, second = (exponents[base] + 1 for base in (y, 1 - y))
    if not (positive(first, None, given) and positive(second, None, given)):
        return None
    return constant * sympy.betainc(first, second, 0, y)


def _term_by_term(f: Expr, y: Symbol, given: Given, deadline: Deadline) -> Expr | None:
    """Integrate each term of a sum, one by the table and another by undetermined coefficients."""
    terms = Add.make_args(sympy.expand(f)) if sympy.count_ops(f) <= SHORT else ()
    searches: tuple[Callable[[Expr], Expr | None], ...] = (
        lambda term: primitive(term, y, given),
        lambda term: by_ansatz(term, y, min(SHARE_SECONDS, deadline.left)),
    )
    total = ZERO
    for term in terms if len(terms) > 1 else ():
        found = next((found for search in searches if (found := search(term)) is not None), None)
        if found is None:
            return None
        total += found
    return total or None


def _integrated(f: Expr, y: Expr, deadline: Deadline) -> Expr | None:
    """Ask SymPy, in a process that is ended in time, for what is short and has numbers alone beside the variable."""
    if f.free_symbols != {y} or sympy.count_ops(f) > SHORT:
        return None
    try:
        found: Expr = within(min(SYMPY_SECONDS, deadline.left), sympy.integrate, f, y)
    except Exception:  # an integrator that fails has found nothing
        return None
    return found
