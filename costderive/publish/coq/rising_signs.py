"""Signs by slopes: a weight is positive where a sum of logarithms and a fraction is, by its value at an end.

A weight with logarithms is such a sum times a factor. One that is the difference of two products of powers and
exponentials is positive where the difference of their logarithms is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p
from costderive.publish.coq.enclosures import enclosed_sum
from costderive.publish.coq.factors import arguments_of_roots, divisors, factors_with_primes, hints, hints_at
from costderive.publish.coq.facts import recorded, sure
from costderive.publish.coq.tactics import algebra, algebra_of, lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import Visible, irrational_parts, visible

IMPORTS = ("Rising",)
OF_NUMBERS = ("Refutation",)
ZERO = sympy.S.Zero
MANY = 101  # more than what is on record without a slope


@dataclass(frozen=True, slots=True)
class Rise:
    """A lemma that a sum of logarithms is positive on a piece, and the tactics for the weight from it."""

    lemma: str
    tactics: tuple[str, ...]


def by_slopes(number: int, weight: Expr, on: Interval, given: Given) -> Rise | None:
    """Return how a weight is seen to be positive on a piece of a number by a slope; ``None`` if it is not."""
    for taken_apart in (_by_factor, _by_products):
        found = taken_apart(weight, on, given)
        shown = None if found is None else _positive(f"rise{number}", found.total, on, given)
        if found is not None and shown is not None:
            known = f"pose proof (rise{number} p Within Unit) as rising."
            return Rise(shown, (known, *_records(found.parts, on, given), found.proof))
    return None


@dataclass(frozen=True, slots=True)
class _Apart:
    """A sum of logarithms that has the sign of a weight, with the proof of this, and what that divides by."""

    total: Expr
    proof: str
    parts: tuple[Expr, ...]


# ---- what has the sign of the weight


def _by_factor(weight: Expr, on: Interval, given: Given) -> _Apart | None:
    """Divide a weight by what stands before its logarithms."""
    found = _with_plain_logarithms(weight, on, given)
    if found is None or not (logarithms := [x for x in found.atoms(sympy.log) if x.has(p)]):
        return None
    factor = sympy.factor(sympy.expand(found).coeff(logarithms[0]))
    if factor == 0 or factor.has(sympy.log, sympy.exp):
        return None
    for sign in (1, -1):
        seen = visible(sign * factor, on, given)
        if seen is not None and seen.strict:
            return _times(weight, seen, _divided(found, sign * factor), on, given)
    return None


def _divided(expr: Expr, factor: Expr) -> Expr:
    """Return the quotient of a sum of multiples of logarithms and a factor."""
    logarithms = sorted(expr.atoms(sympy.log), key=sympy.default_sort_key)
    letters = dict(zip(logarithms, sympy.symbols(f"_x:{len(logarithms)}"), strict=True))
    terms = sympy.Poly(expr.xreplace(letters), *letters.values()).terms()
    names = {letter: node for node, letter in letters.items()}
    return sympy.Add(*[_monomial(powers, names) * sympy.factor(count / factor) for powers, count in terms])


def _monomial(powers: tuple[int, ...], names: Mapping[Expr, Expr]) -> Expr:
    return sympy.Mul(*[node**power for power, node in zip(powers, names.values(), strict=True)])


def _times(weight: Expr, factor: Visible, total: Expr, on: Interval, given: Given) -> _Apart:
    equal = algebra_of(weight, hints((weight, total), on, given))
    proof = f"apply (positive_as ({factor.text} * ({term(total)}))); [{equal} | see]."
    return _Apart(total, proof, divisors((weight, total), on, given))


def _by_products(weight: Expr, on: Interval, given: Given) -> _Apart | None:
    """Compare the two products of powers and exponentials of which a weight is the difference."""
    products = _products(weight, on, given)
    if len(products) != 2:
        return None
    above, below = (
        [x for x in (_signed(sign, *pair, on, given) for pair in products) if x] for sign in (1, -1)
    )
    if len(above) != 1 or len(below) != 1:
        return None
    (first, more), (second, less) = above[0], below[0]
    total = _logarithms_last(more - less)
    parts = divisors((weight, total), on, given)
    equal = f"equal_exponentials_by ltac:({'; '.join(hints((weight, first, second), on, given)) or 'idtac'})"
    proofs = f"{equal} | see | see | difference_of_logarithms | exact rising"
    arguments = f"({term(first)}) ({term(second)}) ({term(total)})"
    return _Apart(total, f"apply (greater_by_logarithm {arguments}); [{proofs}].", parts)


def _products(weight: Expr, on: Interval, given: Given) -> list[tuple[Expr, Expr]]:
    """Return the products of powers and exponentials of which a weight is a sum, each with its rational factor.

    There are none if it has powers of what is not seen to be positive.
    """
    found: dict[Expr, Expr] = {}
    for part in sympy.Add.make_args(sympy.expand(weight, power_exp=False, power_base=False)):
        powers, others = sympy.sift(sympy.Mul.make_args(part), _is_root, binary=True)
        exponents = _exponents(powers, on, given)
        if exponents is None:
            return []
        wholes = {base: sympy.floor(n.as_coeff_Add()[0]) for base, n in exponents.items()}
        steep, fraction = sympy.sift(others, lambda factor: isinstance(factor, sympy.exp), binary=True)
        key = sympy.Mul(*steep, *[base ** (n - wholes[base]) for base, n in exponents.items()])
        found[key] = found.get(key, ZERO) + sympy.Mul(*fraction, *[base**n for base, n in wholes.items()])
    return [(power, sympy.factor(fraction)) for power, fraction in found.items()]


def _is_root(factor: Expr) -> bool:
    return factor.is_Pow and not factor.exp.is_Integer and not isinstance(factor, sympy.exp)


def _exponents(powers: Iterable[Expr], on: Interval, given: Given) -> dict[Expr, Expr] | None:
    """Return the exponents of the positive irreducible factors of powers; ``None`` if one is not positive."""
    found: dict[Expr, Expr] = {}
    for power in powers:
        form = factors_with_primes(power.base, on, given)
        if form is None:
            return None
        for base, count in form:
            found[base] = sympy.expand(found.get(base, ZERO) + count * power.exp)
    return found


def _signed(sign: int, power: Expr, fraction: Expr, on: Interval, given: Given) -> tuple[Expr, Expr] | None:
    """Return a product or its opposite by positive factors, with its logarithm; ``None`` if it is not positive."""
    form = factors_with_primes(sign * fraction, on, given)
    if form is None:
        return None
    steep, powers = sympy.sift(sympy.Mul.make_args(power), lambda x: isinstance(x, sympy.exp), binary=True)
    pairs = [*form, *[x.as_base_exp() for x in powers if x != 1]]
    total = sympy.Add(*[x.args[0] for x in steep], *[count * sympy.log(base) for base, count in pairs])
    return sympy.Mul(power, *[base**count for base, count in form]), total


def _with_plain_logarithms(expr: Expr, on: Interval | None, given: Given) -> Expr | None:
    """Return an expression with logarithms of positive irreducible factors and of primes; ``None`` if it has others."""
    logarithms = expr.atoms(sympy.log)
    forms = {node: factors_with_primes(node.args[0], on, given) for node in logarithms}
    plain = {
        node: sympy.Add(*[count * sympy.log(base) for base, count in form])
        for node, form in forms.items()
        if form is not None
    }
    return expr.xreplace(plain) if len(plain) == len(logarithms) else None


def _logarithms_last(total: Expr) -> Expr:
    """Return a sum of logarithms with one fraction beside them."""
    fraction, logarithms = sympy.expand(total).as_independent(sympy.log, as_Add=True)
    return sympy.factor(fraction) + sympy.collect(logarithms, list(logarithms.atoms(sympy.log)))


# ---- that it is positive


def _positive(name: str, total: Expr, on: Interval, given: Given) -> str | None:
    """Return the lemma that a sum of logarithms is positive on an interval, by its slope from one end of it."""
    direct = visible(total, on, given)
    if direct is not None and direct.strict:
        return _plainly(name, total, direct, on)
    slope = sympy.together(sympy.diff(total, p))
    if any(irrational_parts(slope)):
        return None
    for sign, end in ((1, on.low), (-1, on.high)):
        seen = visible(sign * slope, on, given)
        if seen is not None and seen.strict and (value := _value(total, end, on, given)) is not None:
            return _risen(_Risen(name, total, seen, sign, on, given), value)
    return None


def _plainly(name: str, total: Expr, seen: Visible, on: Interval) -> str:
    return lemma(
        name,
        _stated(total, on),
        "intros p Within Unit.",
        f"apply (positive_as ({seen.text})); [{algebra_of(total)} | see].",
    )


def _stated(total: Expr, on: Interval) -> str:
    low, high = atomic(on.low), atomic(on.high)
    return f"forall p, {low} < p < {high} -> 0 < p < 1 -> 0 < {term(total)}"


def _value(total: Expr, end: Expr, on: Interval, given: Given) -> str | None:
    """Return the proof that a sum of logarithms is not negative at an end; ``None`` if it is not, or not continuous."""
    at_end = total.replace(sympy.log, lambda x: sympy.log(sympy.together(x.subs(p, end)), evaluate=False))
    found = _with_plain_logarithms(at_end, None, given)
    below = sympy.denom(sympy.together(total.replace(sympy.log, lambda _: ZERO)))
    if found is None or sympy.simplify(below.subs(p, end)) == 0:
        return None
    value = sympy.expand(found.subs(p, end))
    if sympy.simplify(value) == 0:
        return f"apply Req_le; symmetry; {algebra(hints_at(end, (total,), on, given))}"
    return _not_negative(total, value, end, on, given)


def _not_negative(total: Expr, value: Expr, end: Expr, on: Interval, given: Given) -> str | None:
    equal = algebra(hints_at(end, (total,), on, given))
    seen = visible(value, None, given)
    if seen is not None:
        return f"apply (not_negative_as ({seen.text})); [{equal} | see]"
    if not value.is_number:
        return None
    try:
        return f"apply (not_negative_as ({term(value)})); [{equal} | {enclosed_sum(value)}]"
    except ExportError:
        return None


@dataclass(frozen=True, slots=True)
class _Risen:
    """A sum that rises, or falls for the sign -1, on an interval, with its visible slope, or its opposite."""

    name: str
    total: Expr
    slope: Visible
    sign: int
    on: Interval
    given: Given

    @property
    def end(self) -> Expr:
        """The end at which the value is seen."""
        return self.on.low if self.sign == 1 else self.on.high

    def inside(self) -> str:
        """Return the tactic that the end is not beyond 0 or 1.

        Raises:
            ExportError: if that is not seen.
        """
        gap = sure(self.end if self.sign == 1 else 1 - self.end, None, self.given, strict=False)
        return f"apply ({'not_negative_as' if self.sign == 1 else 'below_by'} ({gap.text})); [algebra | see]"

    def continuous(self) -> str:
        """Return the tactics that it is continuous at the end."""
        parts = dict.fromkeys(
            (*arguments_of_roots((self.total,)), *divisors((self.total,), None, self.given))
        )
        at_end = [part.subs(p, self.end) for part in parts]
        known = _records([x for x in at_end if x.free_symbols and not x.is_Symbol], None, self.given)
        return " ".join([*known, "continuous_where_it_starts"])


def _risen(rise: _Risen, value: str) -> str:
    kind = "positive_from" if rise.sign == 1 else "positive_up_to"
    functions = f"(fun p => {term(rise.total)}) (fun p => {rise.slope.text})"
    low, high = atomic(rise.on.low), atomic(rise.on.high)
    known = _records(divisors((rise.total,), rise.on, rise.given), rise.on, rise.given)
    return lemma(
        rise.name,
        _stated(rise.total, rise.on),
        f"apply ({kind} {functions} {low} {high}).",
        f"- {rise.inside()}.",
        f"- {rise.continuous()}.",
        " ".join(["- intros p Within Unit.", *known, "slope_is_seen."]),
        f"- {value}.",
    )


def _records(parts: Iterable[Expr], on: Interval | None, given: Given) -> Iterator[str]:
    for number, part in enumerate(parts, start=MANY):
        seen = visible(part, on, given)
        if seen is not None and seen.strict:
            yield f"{recorded(number, part, seen)}."
