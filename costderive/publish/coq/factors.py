"""What stands under roots, in logarithms and below fraction lines, taken apart into factors.

Coq sees that two formulas are equal once their roots and logarithms are those of the same few irreducible factors,
and it may divide by these once it is on record that they are positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import sympy
from sympy import Expr, Pow, Rational

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.deciders.signs import positive
from costderive.publish.coq.terms import ATOM, CALL, PRODUCT, atomic, levelled
from costderive.publish.coq.visible_signs import Visible, factored, fraction_of, irrational_parts

Factors = list[tuple[Expr, int]]
Powers = list[tuple[Expr, Expr]]
ZERO = sympy.S.Zero
GREATEST_ROOT = 1000
INCOMPLETE_GAMMA = (sympy.lowergamma, sympy.uppergamma)
GAMMA = (sympy.gamma, *INCOMPLETE_GAMMA)


def hints(exprs: Iterable[Expr], on: Interval, given: Given) -> tuple[str, ...]:
    """Return tactics that write all roots, logarithms and powers in the expressions, or their slopes, by factors."""
    exprs = list(exprs)
    powers, slopes = _all_powers(exprs), powers_of_slopes(exprs)
    arguments = [*arguments_of_roots(exprs), *[base for base, _ in slopes]]
    written = [f"factored ({form})" for form in _written(arguments, on, given)]
    roots = _powered([*powers, *slopes], _square_roots(exprs), on, given)
    return (*_contiguous(exprs), *written, *roots_last((*roots, *_related(exprs, powers, on, given))))


def hints_at(point: Expr, exprs: Iterable[Expr], on: Interval, given: Given) -> tuple[str, ...]:
    """Return the same at a point: arguments are taken before SymPy evaluates a function of a number."""
    exprs = list(exprs)
    arguments = [x.subs(on.variable, point) for x in arguments_of_roots(exprs)]
    powers, squares = (
        [_power_of_power(base.subs(on.variable, point), root) for base, root in found]
        for found in (_all_powers(exprs), _square_roots(exprs))
    )
    return (
        *_contiguous(exprs),
        *(["factored (0)"] if any(sympy.simplify(x) == 0 for x in arguments) else []),
        *[f"factored ({form})" for form in _written(arguments, None, given)],
        *[f"factored ({levelled(base)[0]})" for base in dict.fromkeys(arguments) if _is_power(base)],
        *_powered(powers, squares, None, given),
    )


def _is_power(base: Expr) -> bool:
    """Return whether a base is a power by a letter itself."""
    return isinstance(base, Pow) and bool(base.exp.free_symbols)


def _power_of_power(base: Expr, exponent: Expr) -> tuple[Expr, Expr]:
    return (base.base, sympy.expand(base.exp * exponent)) if _is_power(base) else (base, exponent)


def roots_last(found: Iterable[str]) -> tuple[str, ...]:
    """Return hints, each once, those that put letters for roots last: nothing is read behind a letter."""
    return tuple(sorted(dict.fromkeys(found), key=lambda hint: hint.startswith("rooted")))


def _written(arguments: Iterable[Expr], on: Interval | None, given: Given) -> tuple[str, ...]:
    forms = (_factors(argument, on, given) for argument in arguments)
    return tuple(dict.fromkeys(_text(*form) for form in forms if form is not None))


def arguments_of_roots(exprs: Iterable[Expr]) -> list[Expr]:
    """Return what is under roots and in logarithms, each once."""
    return list(dict.fromkeys(argument for expr in exprs for argument in _arguments(expr)))


def divisors(exprs: Iterable[Expr], on: Interval | None, given: Given) -> tuple[Expr, ...]:
    """Return the factors, made positive, that the expressions divide by or take roots or logarithms of.

    Those of degree one are left out where Coq sees their signs without help.
    """
    found: dict[Expr, None] = {}
    for expr in exprs:
        for node in (*_arguments(expr), *_below(expr)):
            form = _factors(node, on, given) or _factors(-node, on, given)
            found |= dict.fromkeys(factor for factor, _ in (form[1] if form else ()))
            found |= dict.fromkeys([node] if _is_curved(node, on) else [])
    return tuple(factor for factor in found if not _is_plainly_signed(factor, on, given))


def _is_curved(node: Expr, on: Interval | None) -> bool:
    """Return whether something is a polynomial with roots of numbers for coefficients, above degree 1."""
    x = p if on is None else on.variable
    curved = node.is_polynomial(x) and sympy.degree(node, x) > 1
    return (
        curved
        and all(_is_root_of_number(part) for part in irrational_parts(node))
        and any(irrational_parts(node))
    )


def _is_root_of_number(part: Expr) -> bool:
    return isinstance(part, Pow) and part.is_number


def divided_at(point: Expr, exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    """Return the polynomials in letters that the expressions divide by at a point; not those of degree one."""
    bases = [base.subs(p, point) for expr in exprs for base in _below(expr) if base.has(p)]
    tops = [
        sympy.expand(sympy.numer(sympy.cancel(base))) for base in bases if not any(irrational_parts(base))
    ]
    return tuple(dict.fromkeys(top for top in tops if top.free_symbols and sympy.total_degree(top) > 1))


def _is_plainly_signed(factor: Expr, on: Interval | None, given: Given) -> bool:
    """Return whether Coq sees the sign of a factor by what is linear in all letters."""
    if sympy.Poly(factor, *factor.free_symbols).total_degree() > 1:
        return False
    ends = () if on is None else (on.low, on.high)
    return all(_is_linear(end) for end in ends) or bool(
        positive(factor, Interval(p, ZERO, sympy.S.One), given)
    )


def _is_linear(end: Expr) -> bool:
    letters = end.free_symbols
    return end is sympy.oo or bool(end.is_polynomial(*letters) and sympy.total_degree(end, *letters) <= 1)


def _arguments(expr: Expr) -> Iterator[Expr]:
    """Yield what is under a root or in a logarithm, also those that differentiation makes."""
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, Pow) and not node.exp.is_Integer and node.base != sympy.E:
            yield node.base
        elif isinstance(node, sympy.log):
            yield node.args[0]
        elif isinstance(node, sympy.asinh):
            yield node.args[0] ** 2 + 1
        elif isinstance(node, sympy.asin | sympy.acos):
            yield sympy.expand(1 - node.args[0] ** 2)


def _below(expr: Expr) -> Iterator[Expr]:
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, Pow) and node.exp.is_Rational and node.exp.is_negative:
            yield node.base


def _factors(expr: Expr, on: Interval | None, given: Given) -> tuple[Expr, Factors] | None:
    """Return a positive number and the irreducible factors of a rational function, each of them made positive."""
    if any(irrational_parts(expr)):
        return None
    top, bottom = (factored(part) for part in sympy.fraction(sympy.together(expr)))
    number = top[0] / bottom[0]
    found: Factors = []
    for factor, power in [*top[1], *[(factor, -power) for factor, power in bottom[1]]]:
        sign = 1 if positive(factor, on, given) else -1 if positive(-factor, on, given) else 0
        if not sign:
            return None
        number *= sympy.Integer(sign) ** power
        found.append((sympy.expand(sign * factor), power))
    return (number, found) if number > 0 else None


def with_signed_logarithms(expr: Expr, on: Interval, given: Given) -> Expr:
    """Return an expression with logarithms of sums of fractions, and of squares, by factors that are positive."""

    def is_hidden(node: Expr) -> bool:
        if not isinstance(node, sympy.log):
            return False
        (argument,) = node.args
        return bool(
            argument.is_Pow or (argument.is_Add and not argument.is_polynomial(*argument.free_symbols))
        )

    def written(node: Expr) -> Expr:
        form = _factors(node.args[0], on, given)
        return node if form is None else sympy.log(form[0] * sympy.prod([base**n for base, n in form[1]]))

    return expr.replace(is_hidden, written)


def _text(number: Expr, factors: Factors) -> str:
    """Write the factors of an argument, prime numbers included."""
    return _fraction(
        [(Visible(*levelled(factor)), power) for factor, power in _with_primes(number, factors)]
    ).text


def _with_primes(number: Expr, factors: Factors) -> Factors:
    return [*[(sympy.Integer(prime), power) for prime, power in sympy.factorrat(number).items()], *factors]


def factors_with_primes(expr: Expr, on: Interval | None, given: Given) -> Factors | None:
    """Return the positive irreducible factors of a fraction, prime numbers included; ``None`` if one is not."""
    form = _factors(expr, on, given)
    return None if form is None else _with_primes(*form)


def _fraction(parts: Iterable[tuple[Visible, int]]) -> Visible:
    parts = list(parts)
    above = [base**power for base, power in parts if power > 0]
    below = [base**-power for base, power in parts if power < 0]
    return fraction_of(sympy.S.One, above, below)


# ---- powers that are no roots of squares


def _all_powers(exprs: Iterable[Expr]) -> Powers:
    """Return bases and exponents of powers that Coq knows as ``exp (k * ln a)``, where fractions have no sign."""
    found = dict.fromkeys(
        node for expr in exprs for node in sympy.preorder_traversal(expr) if isinstance(node, Pow)
    )
    powers = [node.args for node in found if not (2 * node.exp).is_Integer and node.base != sympy.E]
    return [(base, abs(exponent) if exponent.is_Rational else exponent) for base, exponent in powers]


def _square_roots(exprs: Iterable[Expr]) -> Powers:
    """Return the square roots in the expressions."""
    nodes = chain.from_iterable(map(sympy.preorder_traversal, exprs))
    found = [x.base for x in nodes if isinstance(x, Pow) and x.exp.is_Rational and x.exp.q == 2]
    return [(base, Rational(1, 2)) for base in dict.fromkeys(found)]


def powers_of_slopes(exprs: Iterable[Expr]) -> Powers:
    """Return the powers in the slopes of incomplete Beta and Gamma functions, each with its whole exponent."""
    nodes = list(chain.from_iterable(map(sympy.preorder_traversal, exprs)))
    nexts = [
        (node.args[1], a)
        for node in nodes
        if isinstance(node, INCOMPLETE_GAMMA)
        for a in _below_by_ones(node, nodes)
    ]
    return list(dict.fromkeys((*chain.from_iterable(map(_powers_of_slope, nodes)), *nexts)))


def _below_by_ones(node: Expr, nodes: Iterable[Expr]) -> list[Expr]:
    """Return the first argument of a Gamma function less 1, 2, ..., down to that of another one."""
    gaps = {sympy.simplify(node.args[0] - other.args[0]) for other in nodes if isinstance(other, GAMMA)}
    steps = max((int(gap) for gap in gaps if gap.is_Integer), default=0)
    return [sympy.simplify(node.args[0] - step) for step in range(1, steps + 1)]


def _contiguous(exprs: Iterable[Expr]) -> Iterator[str]:
    """Yield tactics that write Gamma functions by those of the least first argument, from the greatest on."""
    nodes = [x for x in chain.from_iterable(map(sympy.preorder_traversal, exprs)) if isinstance(x, GAMMA)]
    chains = dict.fromkeys(tuple(_below_by_ones(node, nodes)) for node in nodes)
    longest_first = sorted(chains, key=len, reverse=True)
    yield from dict.fromkeys(f"next_gamma {atomic(a)}" for found in longest_first for a in found)


def _powers_of_slope(node: Expr) -> Powers:
    if isinstance(node, sympy.betainc) and node.args[3].free_symbols:
        a, b, _, x = node.args
        return [(x, a - 1), (1 - x, b - 1)]
    if isinstance(node, INCOMPLETE_GAMMA):
        a, x = node.args
        return [(x, a - 1)]
    return []


def _powered(powers: Powers, squares: Powers, on: Interval | None, given: Given) -> tuple[str, ...]:
    """Return tactics that write powers by those of the factors of their bases, and say what roots they are.

    Of one factor all are powers of one root, square roots too.

    Raises:
        ExportError: if the denominators of the exponents of a factor have a great common multiple.
    """
    forms, square = _factored_powers(powers, on, given), _factored_powers(squares, on, given)
    units = _units(chain.from_iterable((*forms, *square)))
    if any(unit > GREATEST_ROOT for unit in units.values()):
        raise ExportError("an exponent has a great denominator", "Coq would multiply that many roots.")
    steep = [form for form in square if any(units[base] > 2 for base, _ in form)]
    parts = [[part for x, n in form for part in _parts(x, n, units[x])] for form in (*forms, *steep)]
    written = dict.fromkeys(f"powered ({_fraction(form).text})" for form in parts)
    return *written, *[_rooted(base, unit) for base, unit in units.items() if unit > 2]


def _parts(base: Expr, exponent: Expr, unit: int = 1) -> Iterator[tuple[Visible, int]]:
    """Yield the powers of a base with one term of the exponent each, and how often they count.

    The one without letters is a power of the root that ``unit`` counts, or of its own.
    """
    for letter, coefficient in _terms(exponent).items():
        count = Rational(coefficient)
        root = int(sympy.ilcm(count.q, unit)) if letter == 1 else count.q
        if letter == 1 and root <= 2:
            yield Visible(*levelled(base if count.q == 1 else sympy.sqrt(base))), int(count.p)
        elif letter == 1:
            yield from _whole_and_rest(base, count, root)
        else:
            yield Visible(_exponential(base, letter / root), CALL), int(count * root)


def _terms(exponent: Expr) -> dict[Expr, Expr]:
    """Return the terms of an exponent with their counts; a fraction of one letter is taken apart, ``a/(a - 2)`` too."""
    letters = exponent.free_symbols
    apart = (
        len(letters) == 1 and not exponent.is_polynomial(*letters) and exponent.is_rational_function(*letters)
    )
    return dict((sympy.apart(exponent) if apart else sympy.expand(exponent)).as_coefficients_dict())


def _whole_and_rest(base: Expr, count: Rational, root: int) -> Iterator[tuple[Visible, int]]:
    """Yield a power by a fraction as a whole power and one of a root below the base, both of one sign."""
    sign, whole = (1 if count > 0 else -1), int(abs(count))
    rest = int((abs(count) - whole) * root)
    if whole:
        yield Visible(*levelled(base)), sign * whole
    if rest:
        yield Visible(_exponential(base, Rational(1, root)), CALL), sign * rest


def _factored_powers(powers: Powers, on: Interval | None, given: Given) -> list[Powers]:
    """Return the irreducible factors of each power, with an exponent each; without those whose signs are not seen."""
    forms = [(_factors_of_base(base, on, given), exponent) for base, exponent in powers]
    return [[(x, n * exponent) for x, n in _with_primes(*form)] for form, exponent in forms if form]


def _factors_of_base(base: Expr, on: Interval | None, given: Given) -> tuple[Expr, Powers] | None:
    """Return the factors of a base; where powers by letters stand in it, those that it is a product of."""
    if not any(isinstance(part, Pow) for part in irrational_parts(base)):
        return _factors(base, on, given)
    found = [part.as_base_exp() for part in sympy.Mul.make_args(base)]
    if not all(positive(part, on, given) for part, _ in found):
        return None
    forms = [(_factors(part, on, given) or (sympy.S.One, [(part, 1)]), power) for part, power in found]
    return sympy.S.One, [(x, n * power) for form, power in forms for x, n in _with_primes(*form)]


def _units(powers: Iterable[tuple[Expr, Expr]]) -> dict[Expr, int]:
    """Return the common denominator of the exponents of each factor, without letters."""
    units: dict[Expr, int] = {}
    for base, exponent in powers:
        count = Rational(_terms(exponent).get(sympy.S.One, 0))
        units[base] = int(sympy.ilcm(units.get(base, 1), count.q))
    return units


def _exponential(base: Expr, exponent: Expr) -> str:
    return f"exp ({Visible(*levelled(exponent)).at(PRODUCT)} * ln {Visible(*levelled(base)).at(ATOM)})"


def _rooted(base: Expr, root: int) -> str:
    return f"rooted ({_exponential(base, Rational(1, root))}) {root}%nat ({levelled(base)[0]})"


# ---- exponentials of logarithms


def _related(exprs: list[Expr], powers: Powers, on: Interval, given: Given) -> tuple[str, ...]:
    """Return tactics that write exponentials by one of them, if their exponents differ by logarithms and constants.

    It is the last one, or the first one from behind from which others differ by exponentials that the formulas have.
    """
    exponents = list(dict.fromkeys(_exponents(exprs)))
    bells = any(expr.has(sympy.erf, sympy.erfc) for expr in exprs) or _has_integrals_to_roots(exprs)
    if not bells and not any(exponent.has(sympy.log) for exponent in exponents):
        return ()
    families: list[list[Expr]] = []
    for exponent in reversed(exponents):
        family = next((x for x in families if _quotient(exponent, x[0], powers, on, given) is not None), None)
        if family is not None:
            family.append(exponent)
        elif not families or exponent.has(on.variable):
            families.append([exponent])
    known = {ZERO, *[node.args[0] for expr in exprs for node in expr.atoms(sympy.exp)]}
    hints = dict(pair for family in families for pair in _relations(family, known, powers, on, given))
    return tuple(dict.fromkeys(hints[exponent] for exponent in exponents if exponent in hints))


def _relations(
    family: list[Expr], known: set[Expr], powers: Powers, on: Interval, given: Given
) -> Iterator[tuple[Expr, str]]:
    """Yield exponents with the tactic that writes their exponentials by that of a base among them."""

    def quotients(base: Expr) -> list[tuple[Expr, tuple[str, Expr]]]:
        found = ((x, _quotient(x, base, powers, on, given)) for x in family if x is not base)
        return [(x, quotient) for x, quotient in found if quotient is not None]

    plain = (base for base in family if all(constant in known for _, (_, constant) in quotients(base)))
    base = next(plain, family[0])
    for exponent, (text, _) in quotients(base):
        yield exponent, f"related {Visible(*levelled(base)).at(ATOM)} ({text})"


def _exponents(exprs: list[Expr]) -> Iterator[Expr]:
    """Yield the exponents of exponentials with the report in them, also of those that differentiation makes."""
    for expr in exprs:
        for node in sympy.preorder_traversal(expr):
            if isinstance(node, sympy.exp) and node.args[0].free_symbols:
                yield node.args[0]
            elif isinstance(node, sympy.erf | sympy.erfc):
                yield -(node.args[0] ** 2)
            elif isinstance(node, sympy.expint) and node.args[1].free_symbols:
                yield -node.args[1]


def _has_integrals_to_roots(exprs: Iterable[Expr]) -> bool:
    """Return whether exponential integrals end at roots."""
    ends = [node.args[1] for expr in exprs for node in expr.atoms(sympy.expint)]
    return any(_is_root_of_letters(x) for end in ends for x in end.atoms(Pow))


def _is_root_of_letters(node: Expr) -> bool:
    return bool(node.exp.is_Rational and node.exp.q > 1 and node.free_symbols)


def _quotient(
    exponent: Expr, last: Expr, powers: Powers, on: Interval, given: Given
) -> tuple[str, Expr] | None:
    """Return the quotient of two exponentials, with the exponent of its constant, if the rest are powers of factors."""
    letters: dict[Expr, Expr] = {}
    gap = sympy.expand(_by_letters(exponent, letters, on, given) - _by_letters(last, letters, on, given))
    rest = sympy.cancel(sympy.together(gap))
    parts: list[tuple[Visible, int]] = []
    for factor, letter in letters.items():
        count = sympy.cancel(sympy.diff(rest, letter))
        if not count.is_Rational:
            return None
        rest = sympy.cancel(rest - count * letter)
        parts += _power(factor, count, powers)
    if rest.has(on.variable):
        return None
    sign = -1 if rest.could_extract_minus_sign() else 1  # the inverse cancels against a factor that is there
    constant = [(Visible(*levelled(sympy.exp(sign * rest))), sign)] if rest else []
    return _fraction([*constant, *parts]).text, sympy.expand(sign * rest)


def _power(base: Expr, count: Expr, powers: Powers) -> Iterator[tuple[Visible, int]]:
    """Yield a rational power by square roots, or by a power that stands in the formulas and a whole one."""
    if count.q <= 2:
        shown = Visible(*levelled(base if count.q == 1 else sympy.sqrt(base)))
        yield from [(shown, int(count.p))] if count else []
        return
    signed = [sign * exponent for known, exponent in powers if known == base for sign in (1, -1)]
    odd = next((x for x in signed if (count - x).is_Integer), count)
    yield from [part for part in (*_parts(base, odd), *_parts(base, count - odd)) if part[1]]


def _by_letters(expr: Expr, letters: dict[Expr, Expr], on: Interval, given: Given) -> Expr:
    """Write logarithms by letters, one for each irreducible factor of what they are of."""

    def written(argument: Expr) -> Expr:
        form = _factors(argument, on, given)
        parts = _with_primes(*form) if form else [(argument, 1)]
        return sympy.Add(*[n * letters.setdefault(factor, sympy.Dummy()) for factor, n in parts])

    return expr.replace(sympy.log, written)
