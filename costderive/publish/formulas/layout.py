"""How a person writes an expression: which term comes first, what stands above a bar, what goes under a root.

``layout`` turns a SymPy expression into a small tree (`nodes`) that says this once; the printers only draw it. Whatever
is rearranged stays the same function, under the conventions of the package: p, q, s, t lie in (0, 1) and
parameters are positive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

import sympy
from sympy import Add, Expr, Function, Integral, Mul, Piecewise, Pow, Rational

from costderive.core import symbols
from costderive.core.curve_parameters import CurveParameter
from costderive.core.unevaluated import ordered_terms
from costderive.publish.formulas import nodes
from costderive.publish.formulas.nodes import Node, has_call, has_fraction
from costderive.publish.formulas.places import MAIN, NUMBERS, ROOTS, SPECIAL, place
from costderive.publish.formulas.products import one_power, one_root, plain_exponent, root_below, turned_over
from costderive.publish.formulas.shorter import (
    lower_gamma,
    one_logarithm,
    shorter,
    single_fraction,
    squared,
    without_gammas,
)
from costderive.publish.formulas.sums import (
    between_ends,
    is_positive_between,
    joined_logarithms,
    two_squares,
    with_number_apart,
    with_shares,
)

LABELLED = re.compile("[pq]([0-9]+|_[ij])")  # letters of classes
MINUS, PLUS = True, False
COSTS = (symbols.c0, symbols.c1)
EXPONENT = 12  # operations in an exponent that is read easily above the line


def layout(expr: sympy.Basic) -> Node:
    """Return the tree of an expression as a person would write it."""
    expr = shorter(expr)
    if isinstance(expr, Add):
        expr = one_logarithm(_distributed(_cancelled(expr)))
    if isinstance(expr, Add):
        expr = with_number_apart(with_shares(joined_logarithms(expr, plainly_positive)))
    if isinstance(expr, Add):
        return _over_one_bar(expr) or nodes.Sum(tuple(_signed(term) for term in _written_terms(expr)))
    if isinstance(expr, sympy.exp):
        return _exponential(squared(expr.args[0]))
    if expr.has(sympy.beta) and not expr.has(*MAIN):
        expr = without_gammas(expr)
    if isinstance(expr, Mul | Pow | Rational):
        negative, node = _signed(expr)
        return nodes.Sum(((MINUS, node),)) if negative else node
    if isinstance(expr, Integral) and all(len(limit) == 3 for limit in expr.limits):
        first = layout(expr.function)
        return reduce(lambda body, limit: nodes.Definite(body, *map(layout, limit)), expr.limits, first)
    if isinstance(expr, Piecewise):
        return nodes.Choice(tuple((layout(value), layout(condition)) for value, condition in expr.args))
    if isinstance(expr, sympy.core.relational.Relational):
        return nodes.Relation(layout(expr.lhs), expr.rel_op, layout(expr.rhs))
    return _call(expr) if isinstance(expr, Function | sympy.Max | sympy.Min) else nodes.Leaf(expr)


def _exponential(exponent: Expr) -> Node:
    """Write a power of e, or ``exp(...)`` where the exponent is too long to be read above a line."""
    exponent = single_fraction(exponent)
    if sympy.count_ops(exponent) > EXPONENT:
        return nodes.Call(sympy.exp, (layout(exponent),), closed=True)
    return nodes.Power(nodes.Leaf(sympy.E), layout(exponent))


def _call(expr: Expr) -> nodes.Call:
    if isinstance(expr, CurveParameter):
        return nodes.Call(Function(expr.stretch.variable.name), (layout(expr.proportion),), closed=True)
    if isinstance(expr, sympy.gamma):
        expr = sympy.gamma(sympy.expand(expr.args[0]), evaluate=False)
    return nodes.Call(type(expr), tuple(layout(arg) for arg in expr.args), closed=len(expr.args) != 1)


# ---- what is shorter when written otherwise


def _distributed(total: Add) -> Expr:
    """Multiply a number into sums of functions within a sum, which are terms like its others."""
    found = Add(*[sympy.expand_mul(x, deep=False) if _is_multiple_of_functions(x) else x for x in total.args])
    return found if isinstance(found, Add) else total


def _cancelled(total: Add) -> Expr:
    """Return a sum of fractions in parameters alone as the polynomial that it is, if it is one."""
    letters = total.free_symbols
    if not letters or letters & {*MAIN, *COSTS} or not total.is_rational_function() or total.is_polynomial():
        return total
    found = sympy.cancel(total)
    return found if found.is_polynomial(*letters) else total


def _is_multiple_of_functions(term: Expr) -> bool:
    """Is a term a number times a sum that holds a function?"""
    number, rest = term.as_independent(*term.free_symbols, as_Add=False)
    return number != 1 and isinstance(rest, Add) and any(part.has(Function) for part in rest.args)


# ---- sums


def _over_one_bar(total: Expr) -> Node | None:
    """Write a polynomial whose terms have one denominator in common over that: ``3(1 - q)/2``."""
    content, rest = total.primitive()
    if content.q == 1 or not total.free_symbols or not total.is_polynomial(*total.free_symbols):
        return None
    same = {_number(term).q for term in Add.make_args(total)} == {content.q}
    return layout(Mul(content, rest, evaluate=False)) if same else None


def _written_terms(total: Expr) -> list[Expr]:
    """Return the terms of a sum as written, by the ends of the unit interval where that shows more."""
    shares = between_ends(total) or two_squares(total)
    return sorted(shares, key=_negative) if shares else terms(total)


def _number(term: Expr) -> Rational:
    """Return the rational factor with which a term is written."""
    return _powers(term)[0]


def terms(total: Expr) -> list[Expr]:
    """Return the terms of a sum as written: falling powers of p, a positive term first if there is one."""
    curve = _one_curve(total)
    if curve is not None:
        letter = sympy.Dummy(positive=True)
        return [term.xreplace({letter: curve}) for term in terms(total.xreplace({curve: letter}))]
    ordered = _by_degree(total)
    if not ordered[0].has(*MAIN):
        ordered = sorted(ordered, key=lambda term: term.has(*MAIN))  # what is constant stands together
    if not _negative(ordered[0]) or all(_negative(term) for term in ordered):
        return _joined(ordered)
    if total.is_polynomial(*total.free_symbols) and not _is_labelled(total):
        rising = _rising(ordered)
        return _joined(sorted(ordered, key=_negative) if _negative(rising[0]) else rising)
    return _joined(_function_first(ordered) or sorted(ordered, key=_negative))


def _one_curve(total: Expr) -> CurveParameter | None:
    """Return the parameter of a curve of which a sum is a polynomial that has the report nowhere else."""
    curves = list(total.atoms(CurveParameter))
    if len(curves) != 1 or not total.is_polynomial(*curves):
        return None
    return None if total.xreplace({curves[0]: sympy.S.One}).has(*MAIN, symbols.s) else curves[0]


def _function_first(ordered: list[Expr]) -> list[Expr]:
    """Put a function of p before parameters, if that is what a sum is made of: ``ln p - a + b``."""
    functions = [term for term in ordered if term.has(*MAIN)]
    plain = all(term.free_symbols and not term.has(Function) for term in ordered if term not in functions)
    if len(functions) != 1 or _negative(functions[0]) or not functions[0].has(Function) or not plain:
        return []
    return [*functions, *[term for term in ordered if term not in functions]]


def _rising(falling: list[Expr]) -> list[Expr]:
    """Turn the order of the powers of p; terms with the same power keep theirs, but for their signs."""
    variable = next((x for x in MAIN if any(term.has(x) for term in falling)), None)
    if variable is None:
        costs = [term for term in falling if term.has(symbols.c0, symbols.c1)]
        constants = sorted((term for term in falling if term not in costs), key=_negative)
        before = bool(constants) and not _negative(constants[0]) and any(term.has(Add) for term in costs)
        apart = [*constants, *sorted(costs, key=_negative)] if before else sorted(falling, key=_negative)
        return apart if costs else falling[::-1]
    degrees = {term: int(sympy.Poly(term, variable).degree()) for term in falling}
    if len({*degrees.values()}) == 1 and not _negative(falling[-1]):
        return falling[::-1]
    return sorted(falling, key=lambda term: (degrees[term], _negative(term)))


def _by_degree(total: Expr) -> list[Expr]:
    """Order by falling powers of p; numbers, terms without sums, and elementary functions come first."""
    natural = ordered_terms(total)
    if _is_labelled(total):
        return sorted(natural, key=_by_label)
    if total.is_number:
        return sorted(natural, key=lambda term: not term.is_Rational)
    variable = next((x for x in MAIN if total.has(x) and total.is_polynomial(x)), None)
    if variable is None and total.has(symbols.s) and total.is_polynomial(symbols.c1):  # of an inner integral
        powers = {term: sympy.Poly(term, symbols.c1).degree() for term in natural}
        inner = any(powers.values())  # else a constant keeps its order
        key = {
            term: (-powers[term], term.has(Add), inner and not powers[term] and _negative(term))
            for term in natural
        }
        return sorted(natural, key=key.__getitem__)
    if variable is None:
        rational = total.is_rational_function()
        by_cost = _of_costs_or_classes(natural)
        return sorted(by_cost, key=lambda term: term.has(Add) if rational else _rank(term))
    degrees = {term: sympy.Poly(term, variable).degree() for term in natural}
    return sorted(natural, key=lambda term: (-degrees[term], *_of_constant(term, degrees[term])))


def _place_of_costs(term: Expr) -> int:
    """Put what holds the cost of class 0 before what holds that of class 1 alone, and the rest last."""
    return next((place for place, cost in enumerate((symbols.c0, symbols.c1)) if term.has(cost)), 2)


def _of_costs_or_classes(natural: list[Expr]) -> list[Expr]:
    """Order terms by their costs, or by the probabilities of both classes, if they have such."""
    if any(term.has(symbols.c0) for term in natural):
        return sorted(natural, key=_place_of_costs)
    return sorted(natural, key=_place_of_class) if {0, 1} <= {*map(_place_of_class, natural)} else natural


def _place_of_class(term: Expr) -> int:
    """Put what the probability of class 0 multiplies before what that of class 1 does, and the rest last."""
    factors = Mul.make_args(term)
    return next((place for place, share in enumerate((1 - symbols.q, symbols.q)) if share in factors), 2)


def _of_constant(term: Expr, degree: int) -> tuple[bool, bool]:
    """Put numbers before functions of them, and of each a positive one first."""
    return degree == 0 and term.has(Function), degree == 0 and _negative(term)


def _rank(term: Expr) -> tuple[bool, bool, bool]:
    """Put elementary functions after what is algebraic, those without a closed form last, less a number after each."""
    return term.has(*SPECIAL), term.has(Function), bool(term.is_number) and _negative(term)


def _is_labelled(total: Expr) -> bool:
    return any(LABELLED.fullmatch(symbol.name) for symbol in total.free_symbols)


def _by_label(term: Expr) -> tuple[object, ...]:
    """Put numbers and short sums first, then what holds the letters of lower classes."""
    size = max((len(part.args) for part in term.atoms(Add)), default=0)
    names = sorted(symbol.name for symbol in term.free_symbols)
    return size, list(filter(LABELLED.fullmatch, names)), names


def _negative(term: Expr) -> bool:
    return bool(_number(term).is_negative)


def _joined(ordered: list[Expr]) -> list[Expr]:
    """Put neighbouring terms in the parameters alone that share a denominator over one bar: ``(a + b)/2``."""
    joined: list[Expr] = []
    for denominator, group in groupby(ordered, key=_denominator):
        members = list(group)
        if denominator > 1 and len(members) > 1:
            members = [
                Mul(Rational(1, denominator), Add(*[denominator * x for x in members]), evaluate=False)
            ]
        joined += members
    return joined


def _denominator(term: Expr) -> int:
    plain = term.free_symbols and not term.has(*MAIN) and term.is_polynomial(*term.free_symbols)
    return int(_number(term).q) if plain else 1


# ---- products and fractions


def _signed(expr: Expr) -> tuple[bool, Node]:
    """Lay out a term without its sign."""
    if not isinstance(expr, Mul | Pow | Rational):
        return PLUS, layout(expr)
    if expr.has(sympy.log):
        expr = expr.replace(lambda part: isinstance(part, Add) and part.is_number, one_logarithm)
    if expr.has(sympy.gamma):
        expr = lower_gamma(expr)
    number, powers = root_below(*one_root(*_powers(expr)))
    powers = one_power(turned_over(powers))
    top = [power for power in powers if not _below(power[1])]
    bottom = [(base, -exponent) for base, exponent in powers if _below(exponent)]
    return bool(number.is_negative), _over(abs(number), _factors(top), _factors(bottom, below=True))


def _powers(expr: Expr) -> tuple[Rational, list[tuple[Expr, Expr]]]:
    """Split a product into a rational number and powers of different bases; x and -x are one base."""
    number, rest = expr.as_coeff_Mul(rational=True)
    powers: dict[Expr, Expr] = {}
    parts = [part for whole in _flat(rest) for one in _as_product(whole) for part in _cleared(one)]
    for factor in _shared(parts):
        if factor.is_Rational:
            number *= factor
            continue
        base, exponent = _power(factor)
        if isinstance(base, Add) and exponent.is_Integer:
            content, base = _primitive(base, turned=base not in powers and -base in powers)
            number *= content**exponent
        base = next((known for known in powers if _same_polynomial(base, known)), base)
        powers[base] = plain_exponent(powers.get(base, sympy.S.Zero) + exponent)
    whole = {base: exponent for base, exponent in powers.items() if base.is_Rational and exponent.is_Integer}
    number *= sympy.prod([base**exponent for base, exponent in whole.items()])
    kept = [(base, exponent) for base, exponent in powers.items() if base not in whole and exponent != 0]
    return _positive(number, kept) if number.is_negative else (number, _turned_in_pairs(kept))


def _as_product(factor: Expr) -> list[Expr]:
    """Take apart a sum below a bar whose terms are fractions with common factors, which may cancel."""
    base, exponent = factor.as_base_exp()
    if not (isinstance(base, Add) and exponent.is_Integer and exponent.is_negative):
        return [factor]
    if not any(_below(part.as_base_exp()[1]) for term in base.args for part in Mul.make_args(term)):
        return [factor]
    found = sympy.factor_terms(base)
    return [part**exponent for part in found.args] if isinstance(found, Mul) else [factor]


def _same_polynomial(first: Expr, second: Expr) -> bool:
    """Are two sums the same polynomial in one letter, however it is written?"""
    sums = isinstance(first, Add) and isinstance(second, Add) and first != second
    letters = first.free_symbols
    if not sums or len(letters) != 1 or letters != second.free_symbols:
        return False
    return bool(first.is_polynomial() and second.is_polynomial() and sympy.expand(first - second) == 0)


def _shared(factors: list[Expr]) -> list[Expr]:
    """Take apart powers of positive products whose factors stand in the product themselves, or that has a bar."""
    powers = [factor.as_base_exp() for factor in factors]
    bases, barred = {base for base, _ in powers}, any(_below(exponent) for _, exponent in powers)
    return [part for factor in factors for part in _apart(factor, bases, barred)]


def _cleared(factor: Expr) -> list[Expr]:
    """Take the denominators out of a sum of fractions below a root, if they are squares: no fraction in a power."""
    base, exponent = factor.as_base_exp()
    if not isinstance(base, Add) or exponent.is_Integer or not exponent.is_Rational:
        return [factor]
    if not base.is_rational_function() or sympy.fraction(sympy.together(base))[1] == 1:
        return [factor]
    number, rest = sympy.factor(base).as_coeff_Mul()
    inside, outside = sympy.sign(number), []
    for part in (abs(number), *Mul.make_args(rest)):
        root, power = part.as_base_exp()
        root = -root if plainly_positive(-root) and power % 2 == 0 else root
        taken = Pow(root, power * exponent)
        if plainly_positive(root) and (taken.is_Rational or (power * exponent).is_Integer):
            outside.append(taken)
        else:
            inside *= part
    simple = sympy.fraction(sympy.together(inside))[1] == 1
    return [*outside, Pow(inside, exponent)] if simple else [factor]


def _apart(factor: Expr, bases: set[Expr], barred: bool) -> list[Expr]:
    base, exponent = factor.as_base_exp()
    if exponent.is_Rational or not isinstance(base, Mul) or not all(map(plainly_positive, base.args)):
        return [factor]
    inner = [part.as_base_exp() for part in base.args]
    if any(inside in bases or (barred and _below(power)) for inside, power in inner):
        return [Pow(inside, sympy.expand(power * exponent)) for inside, power in inner]
    if all(_below(power) for _, power in inner):
        return [Pow(1 / base, -exponent, evaluate=False)]
    return [factor]


def _flat(product: Expr) -> list[Expr]:
    """Return the factors of a product, and of those within it that are products."""
    if not isinstance(product, Mul):
        return [product]
    return [inner for factor in product.args for inner in _flat(factor)]


def _positive(number: Rational, powers: list[tuple[Expr, Expr]]) -> tuple[Rational, list[tuple[Expr, Expr]]]:
    """Put a minus sign into a sum above the bar that has mostly minus signs, or p and some minus sign."""
    for index, (base, exponent) in enumerate(powers):
        if isinstance(base, Add) and exponent == 1 and _turns(base):
            return -number, [*powers[:index], (-base, exponent), *powers[index + 1 :]]
    return number, powers


def _turned_in_pairs(powers: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    """Turn two sums above the bar if one is seen to be negative for letters below 1: ``(h - p)(2 - h - p)``."""
    sums = [k for k, (base, power) in enumerate(powers) if isinstance(base, Add) and power == 1]
    below = next((k for k in sums if _is_sum_less_its_count(powers[k][0])), None)
    other = next((k for k in sums if k != below and any(map(_negative, powers[k][0].args))), None)
    if below is None or other is None:
        return powers
    return [
        (-base, power) if k in (below, other) else (base, power) for k, (base, power) in enumerate(powers)
    ]


def _is_sum_less_its_count(base: Expr) -> bool:
    """Is a sum one of letters less their number, such as ``p + h - 2``?"""
    number, letters = base.as_coeff_add()
    return len(letters) > 1 and number == -len(letters) and all(x.is_Symbol for x in letters)


def _by_ends(total: Expr) -> tuple[Expr, ...]:
    """Return the terms of a sum, by the ends of the unit interval where it is written so."""
    return between_ends(total) or Add.make_args(total)


def _turns(base: Expr) -> bool:
    minus = sum(map(_negative, _by_ends(base)))
    if not base.is_polynomial(*base.free_symbols):
        return len(base.args) == 2 and any(term.is_Rational and term.is_negative for term in base.args)
    of_one_letter = base.has(*MAIN) or len(base.free_symbols) == 1
    return 2 * minus > len(base.args) or (minus > 0 and of_one_letter and not plainly_positive(base))


def _primitive(base: Expr, turned: bool) -> tuple[Rational, Expr]:
    """Take the common number out of a sum, and a minus sign if what is left is then seen to be positive."""
    content, rest = base.primitive()
    turned = turned or plainly_positive(-rest) or all(map(_negative, _by_ends(rest)))
    return (-content, -rest) if turned else (content, rest)


def _power(factor: Expr) -> tuple[Expr, Expr]:
    """Return base and exponent; ``(1/x)^r`` is ``x^(-r)`` for a positive x."""
    if isinstance(factor, sympy.exp):
        return factor, sympy.S.One
    base, exponent = factor.as_base_exp()
    base = _single(base) if isinstance(base, Mul) and not exponent.is_Integer else base
    if isinstance(base, Pow) and base.exp.is_real and exponent.is_real and plainly_positive(base.base):
        return base.base, base.exp * exponent
    return base, exponent


def _single(base: Expr) -> Expr:
    """Return a product that is one power of something positive as that power: ``-1/(p - 1)`` is ``1/(1 - p)``."""
    number, powers = _powers(base)
    return Pow(*powers[0]) if number == 1 and len(powers) == 1 else base


def _below(exponent: Expr) -> bool:
    """Does a power with this exponent belong below the bar?"""
    return all(bool(term.as_coeff_Mul()[0].is_extended_negative) for term in Add.make_args(exponent))


def plainly_positive(expr: Expr) -> bool:
    """Return whether an expression is positive because of how it is built, for p, q, s, t in (0, 1).

    SymPy is not asked about sums with these: for ``sqrt(3)*pi*p**6 - 108*p**5 + ...`` it looks for roots, for minutes.
    """
    if isinstance(expr, Add | Mul) and expr.has(*MAIN):
        return is_positive_between(expr) or all(plainly_positive(arg) for arg in expr.args)
    if expr.is_positive:
        return True
    if isinstance(expr, Add | Mul):
        return all(plainly_positive(arg) for arg in expr.args)
    return isinstance(expr, Pow) and bool(expr.exp.is_real) and plainly_positive(expr.base)


@dataclass(frozen=True, slots=True)
class _Factor:
    """A laid out factor with its place in a product."""

    place: tuple[object, ...]
    node: Node

    @property
    def tall(self) -> bool:
        """Whether it reads better beside a fraction with a number below than above its bar."""
        late = isinstance(self.place[0], int) and self.place[0] >= ROOTS
        return late or isinstance(self.node, nodes.Call) or has_call(self.node)  # ln p + ln 2 is ln(2p)

    @property
    def bulky(self) -> bool:
        """Whether it may not stand above a bar at all: functions, sums and powers of fractions, integrals."""
        node = self.node.base if isinstance(self.node, nodes.Power) else self.node
        if isinstance(node, nodes.Fraction):
            return node is not self.node
        if isinstance(node, nodes.Call):
            return node.function is sympy.exp or any(map(has_fraction, node.args))
        return isinstance(node, nodes.Definite) or (isinstance(node, nodes.Sum) and has_fraction(node))


def _factors(powers: list[tuple[Expr, Expr]], *, below: bool = False) -> list[_Factor]:
    """Lay out powers, those under the same root together, in the order of writing.

    Numbers are joined with what else is under a root ``below`` a bar.
    """
    roots: dict[Rational, list[Expr]] = {}
    found = []
    joined = [
        exponent for base, exponent in powers if below and (base == sympy.pi or _is_rooted(base, exponent))
    ]
    rooted = {exponent for exponent in joined if not exponent.is_Integer}
    for base, exponent in powers:
        if _is_rooted(base, exponent) or (exponent in rooted and plainly_positive(base)):
            roots.setdefault(exponent, []).append(base)
        else:
            found.append(_Factor(place(base, exponent), _raised(base, exponent)))
    higher = {exponent.q for exponent in roots if exponent.p > 1}
    for exponent, bases in roots.items():
        if exponent.q in higher and (exponent.p == 1 or len(bases) == 1):  # p^(1/2) (1 - p)^(3/2)
            found += [_as_power(x, exponent) for x in bases]
            continue
        whole = Mul(*bases, evaluate=len(bases) < 2)
        found.append(_Factor((ROOTS, str(exponent)), _raised(whole, exponent)))
    return sorted(found, key=lambda factor: factor.place)


def _as_power(base: Expr, exponent: Expr) -> _Factor:
    """Lay out a root as a power; letters stand before sums."""
    return _Factor((ROOTS, "", str(base.is_Add)), nodes.Power(layout(base), layout(exponent)))


def _is_rooted(base: Expr, exponent: Expr) -> bool:
    """Return whether a power is a root of something positive that is no number."""
    is_root = exponent.is_Rational and not exponent.is_Integer and not base.is_number
    return bool(is_root and plainly_positive(base))


def _raised(base: Expr, exponent: Expr) -> Node:
    if exponent == 1:
        return layout(base)
    if exponent.is_Rational and exponent.p == 1 and exponent.q < 10:
        return nodes.Root(int(exponent.q), layout(base))
    return nodes.Power(layout(base), layout(exponent))


def _over(number: Rational, top: list[_Factor], bottom: list[_Factor]) -> Node:
    """Put factors over a bar, and those beside it that would make it hard to read."""
    top, bottom = _root_of_quotient(top, bottom)
    if number.q == 1 and not bottom:
        return _product(number.p, top)
    plain = all(x.place[0] == NUMBERS for x in bottom)
    beside = [x for x in top if x.bulky or (x.tall and plain)]
    if len(top) == 1 and has_call(top[0].node):
        beside = []
    above = [x for x in top if x not in beside]
    fraction = nodes.Fraction(_product(number.p, above), _product(number.q, bottom))
    return nodes.Product((fraction, *_spaced([x.node for x in beside]))) if beside else fraction


def _root_of_quotient(top: list[_Factor], bottom: list[_Factor]) -> tuple[list[_Factor], list[_Factor]]:
    """Join a square root above a bar and one below it: the odds are under one root."""
    first, second = ([x for x in factors if _is_square_root(x)] for factors in (top, bottom))
    if len(first) != 1 or len(second) != 1:
        return top, bottom
    (above,), (below,) = first, second
    inside = nodes.Fraction(above.node.inside, below.node.inside)  # type: ignore[union-attr]
    joined = _Factor(above.place, nodes.Root(2, inside))
    return [joined if x is above else x for x in top], [x for x in bottom if x is not below]


def _is_square_root(factor: _Factor) -> bool:
    return factor.place[0] == ROOTS and isinstance(factor.node, nodes.Root) and factor.node.degree == 2


def _product(number: int, factors: list[_Factor]) -> Node:
    written = [x.node for x in factors]
    if number != 1 or not written:
        written.insert(0, nodes.Leaf(sympy.Integer(number)))
    return written[0] if len(written) == 1 else nodes.Product(tuple(_spaced(written)))


def _spaced(factors: list[Node]) -> list[Node]:
    """Close a function that is followed by a factor, which would else seem to be part of its argument."""
    return [
        *[replace(x, closed=True) if isinstance(x, nodes.Call) else x for x in factors[:-1]],
        *factors[-1:],
    ]
