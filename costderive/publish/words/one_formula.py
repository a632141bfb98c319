"""One formula for losses whose breakpoints may be in several orders: a sum over the corners of these breakpoints.

A corner is a pair of costs ``(v, w)``, whose proportion ``v/(v + w)`` is a breakpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import sympy
from sympy import Expr, Mul, S, Symbol

from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p, q, s
from costderive.deciders.signs import positive
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula
from costderive.publish.formulas.turned import turned
from costderive.publish.words.document_blocks import Block, Prose, displayed, ended
from costderive.publish.words.scene import Scene, counted, listed, say
from costderive.rules import odds_form

LETTERS = (
    ("v", "w", "u"),
    ("g", "h", "u"),
    ("k", "l", "u"),
)  # of a corner, and what vanishes at its breakpoint
SIGMA = Symbol("sigma")
Corner = tuple[Expr, Expr]


@dataclass(frozen=True, slots=True)
class Gains:
    """A function of pieces as its value next to 0 and what its formula gains at each breakpoint, times a factor."""

    start: Expr
    factor: Expr
    at: dict[Expr, Expr]


@dataclass(frozen=True, slots=True)
class CornerSum:
    """A function as ``start + factor * sum of sign * term`` over the corners whose breakpoints are below its variable.

    In the term, ``u`` stands for ``w p - v (1 - p)``.
    """

    start: Expr
    factor: Expr
    term: Expr
    signs: dict[Corner, int]

    def at(self, variable: Symbol) -> CornerSum:
        """Return a function of ``p`` as one of another variable."""
        start, factor, term = (part.xreplace({p: variable}) for part in (self.start, self.factor, self.term))
        return CornerSum(start, factor, term, self.signs)


@dataclass(frozen=True, slots=True)
class OneFormula:
    """The threshold weight, the losses and the entropy of all cases, in the letters of their corners."""

    weight: CornerSum
    loss0: CornerSum
    loss1: CornerSum
    entropy: CornerSum
    letters: tuple[Symbol, ...]


# ---- finding it


def one_formula(scenes: tuple[Scene, ...]) -> OneFormula | None:
    """Return the formula that several cases have in common, if their breakpoints are those of corners."""
    letters = _letters(scenes)
    if len(scenes) < 2 or letters is None or any(scene.losses.weight.atoms for scene in scenes):
        return None
    cases = [(scene, scene.case.given) for scene in scenes]
    weight, loss0, loss1, entropy = (
        _over_corners(gains([(pieces(scene), given) for scene, given in cases]), letters)
        for pieces in (_weight, _loss0, _loss1, _entropy)
    )
    if weight is None or loss0 is None or loss1 is None or entropy is None:
        return None
    same = weight.signs == loss0.signs == loss1.signs == entropy.signs
    vanish = all(
        one.term.has(letters[-1]) for one in (loss0, loss1, entropy)
    )  # at the breakpoint and below it
    return OneFormula(weight, loss0, loss1, entropy, letters) if same and vanish else None


def _weight(scene: Scene) -> Pieces:
    return scene.losses.weight.density


def _loss0(scene: Scene) -> Pieces:
    return scene.losses.loss0


def _loss1(scene: Scene) -> Pieces:
    return scene.losses.loss1


def _entropy(scene: Scene) -> Pieces:
    pairs = zip(scene.losses.loss0, scene.losses.loss1, strict=True)
    return Pieces(p, tuple(Piece(x.low, x.high, (1 - p) * x.value + p * y.value) for x, y in pairs))


def _letters(scenes: tuple[Scene, ...]) -> tuple[Symbol, ...] | None:
    """Return letters that no parameter has."""
    weights = [piece for scene in scenes for piece in scene.losses.weight.density]
    taken = {symbol.name for piece in weights for symbol in (piece.value + piece.high).free_symbols}
    free = next((names for names in LETTERS if taken.isdisjoint(names)), None)
    return None if free is None else tuple(Symbol(name, positive=True) for name in free)


def gains(cases: list[tuple[Pieces, Given]]) -> Gains | None:
    """Return what a function gains at each breakpoint, if that is rational and the same in all cases."""
    first, *others = [_gains(pieces, given) for pieces, given in cases]
    if first is None or len(first) < 2 or any(other is None or not _same(first, other) for other in others):
        return None
    terms = {at: gain for at, gain in first.items() if at != 0}
    factor = _shared(list(terms.values()))
    return Gains(first[S.Zero], factor, {at: gain / factor for at, gain in terms.items()})


def _gains(pieces: Pieces, given: Given) -> dict[Expr, Expr] | None:
    """Return what a function gains at each breakpoint, with its value next to 0 at 0; none if it is not rational."""
    if not all(piece.value.is_rational_function() for piece in pieces):
        return None
    gained = {
        right.low: _product(right.value - left.value, pieces.variable, given)
        for left, right in pairwise(pieces)
    }
    return {S.Zero: sympy.factor(pieces.pieces[0].value)} | gained


def _product(value: Expr, variable: Symbol, given: Given) -> Expr:
    """Write a rational function as a product of factors that are positive where that is decided, with its sign."""
    on, factors = Interval(variable, S.Zero, S.One), Mul.make_args(odds_form.product(value, variable, given))
    negative = [factor for factor in factors if factor.is_Add and positive(-factor, on, given)]
    opposite = {factor: sympy.collect(sympy.expand(-factor), variable) for factor in negative}
    return Mul(*[opposite.get(factor, factor) for factor in factors], (-1) ** len(negative))


def _shared(products: list[Expr]) -> Expr:
    """Return the product of the least powers of all factors: what is left is a polynomial."""
    powers = [_powers(product) for product in products]
    least = {base: min(x.get(base, 0) for x in powers) for x in powers for base in x}
    below = sympy.ilcm(1, *[product.as_coeff_Mul()[0].q for product in products])
    return Mul(sympy.Rational(1, below), *[base**power for base, power in least.items()])


def _powers(product: Expr) -> dict[Expr, int]:
    factors = Mul.make_args(product.as_coeff_Mul()[1])
    return {base: int(power) for base, power in (factor.as_base_exp() for factor in factors)}


def _same(first: dict[Expr, Expr], second: dict[Expr, Expr]) -> bool:
    return first.keys() == second.keys() and all(sympy.cancel(first[at] - second[at]) == 0 for at in first)


def _over_corners(found: Gains | None, letters: tuple[Symbol, ...]) -> CornerSum | None:
    """Write gains that are one function of the corners, but for its sign, as that function."""
    corners = {_corner(at): gain for at, gain in found.at.items()} if found is not None else {}
    model = next((one for one in corners if one[0].is_Symbol and one[1].is_Symbol and one[0] != one[1]), None)
    if found is None or model is None:
        return None
    v, w, _ = letters
    term = corners[model].xreplace({model[0]: v, model[1]: w})
    signs = {
        one: sympy.cancel(gain / term.subs({v: one[0], w: one[1]}, simultaneous=True))
        for one, gain in corners.items()
    }
    if any(abs(sign) != 1 for sign in signs.values()):
        return None
    first = signs[next(iter(signs))]
    equal = {one: int(sign * first) for one, sign in signs.items()}
    return CornerSum(found.start, *_written(found.factor * first, term, letters), equal)


def _corner(proportion: Expr) -> Corner:
    above, below = proportion.as_numer_denom()
    return above, sympy.expand(below - above)


def _written(factor: Expr, term: Expr, letters: tuple[Symbol, ...]) -> tuple[Expr, Expr]:
    """Write the factor before a sum and a summand: by what vanishes at its breakpoint, or apart if it has ``s``."""
    v, w, u = letters
    if term.has(s):
        alone, depending = factor.as_independent(s, as_Add=False)
        apart = turned(sympy.apart(depending * term, s), Interval(s, S.Zero, S.One))
        return (-alone, -apart) if alone.could_extract_minus_sign() else (alone, apart)
    number, ratios = (
        term.as_coeff_Mul()[0],
        {x: sympy.cancel(x / (w * p - v * (1 - p))) for x in _powers(term)},
    )
    vanishing = {base: ratio * u for base, ratio in ratios.items() if ratio.is_number}
    product = number * Mul(*[vanishing.get(base, base) ** power for base, power in _powers(term).items()])
    return (-factor, -product) if product.could_extract_minus_sign() else (factor, product)


# ---- writing it


def in_theorem(one: OneFormula) -> Iterator[Block]:
    """State the threshold weight and the losses as sums over the corners."""
    apart = "" if _is_continuous(one) else f" except at the breakpoints ${_breakpoint(one)}$"
    yield say(f"with the threshold weight (for $0 < s < 1${apart}) and the losses (for $0 < p < 1$)")
    some = rf"\sum_{{{_breakpoint(one)} < s}}"
    rows = (
        _row(r"\omega(s)", one.weight, some, ","),
        _row("L_0(p)", one.loss0, r"\sum", ","),
        _row("L_1(p)", one.loss1, r"\sum", "."),
    )
    yield displayed(rows)
    yield say(
        f"The sums are over {counted(len(one.weight.signs))} pairs ${_pair(one)}$, with $\\sigma = 1$ for {{}} and "
        f"$\\sigma = -1$ for {{}}; that of $\\omega(s)$ is over those with ${_breakpoint(one)} < s$"
        f"{_CONTINUOUS.format(_breakpoint(one)) * _is_continuous(one)}. In the losses, "
        f"${_vanishing(one, p)}$, which is positive if and only if $p > {_breakpoint(one)}$.",
        *(_with_sign(one, sign) for sign in (1, -1)),
    )


_CONTINUOUS = ", and as each summand vanishes at $s = {}$, $\\omega$ is continuous"


def _is_continuous(one: OneFormula) -> bool:
    """Return whether each summand of the threshold weight vanishes at its breakpoint."""
    v, w, _ = one.letters
    return bool(sympy.cancel(one.weight.term.subs(s, v / (v + w))) == 0)


def in_proof(one: OneFormula, by_case: Iterable[Block]) -> Iterator[Block]:
    """Write out the sums between the breakpoints, in each of the orders that these may have."""
    yield say("Between two breakpoints the sums of the theorem are as follows.", lead="The pieces.")
    yield from by_case
    counting = say(
        "Indeed, to the left of all breakpoints no pair counts, and at each breakpoint "
        f"${_breakpoint(one)}$ the formula on the right is that on the left plus the summand of ${_pair(one)}$."
    )
    yield replace(counting, apart=True)
    if _cancel(one):
        yield from _multiplied_out(one)


def _cancel(one: OneFormula) -> bool:
    """Return whether any two corners that share a cost have opposite signs."""
    pairs = combinations(one.weight.signs.items(), 2)
    return all(
        first[1] != second[1]
        for first, second in pairs
        if any(x == y for x, y in zip(first[0], second[0], strict=True))
    )


def _multiplied_out(one: OneFormula) -> Iterator[Block]:
    """Write summands without what vanishes, if they are polynomials, and say what cancels."""
    v, w, u = one.letters
    terms = [loss.term for loss in (one.loss0, one.loss1)]
    if not all(term.is_polynomial(v, w, u, p) for term in terms):
        return
    written = [_by_degree(term.subs(u, w * p - v * (1 - p)), v, w) for term in terms]
    yield say(f"Where ${u} > 0$, the summands of the losses, multiplied out and without $\\sigma$, are")
    marked = zip(terms, written, ",.", strict=True)
    yield displayed([(formula(term), ended(formula("= {}", form), mark)) for term, form, mark in marked])
    yield say(
        f"Of two pairs with the same ${v}$ the terms in ${v}$ alone cancel, as their signs are opposite, and the rest "
        f"has the difference of the two ${w}$ as a factor. In the same way, of two pairs with the same ${w}$ the terms "
        f"in ${w}$ alone cancel."
    )
    if (ends := _to_the_right(one)) is not None:
        yield say(
            f"With ${w} p - {v} (1 - p)$ for ${u}$ in all summands, both kinds of terms cancel, and the sums give "
            "$L_0(p) = {}$ and $L_1(p) = {}$. So these are the losses where all pairs count; where all but one do, the "
            "losses are these less what that pair would add.",
            *ends,
        )


def _to_the_right(one: OneFormula) -> tuple[Expr, Expr] | None:
    """Return the losses to the right of all breakpoints, if those are numbers or parameters."""
    v, w, u = one.letters
    found = [
        sympy.cancel(
            loss.start
            + loss.factor
            * sympy.Add(
                *[
                    sign
                    * loss.term.subs(u, w * p - v * (1 - p)).subs({v: first, w: second}, simultaneous=True)
                    for (first, second), sign in loss.signs.items()
                ]
            )
        )
        for loss in (one.loss0, one.loss1)
    ]
    return None if any(x.has(p) for x in found) else (sympy.factor(found[0]), sympy.factor(found[1]))


def _by_degree(term: Expr, v: Symbol, w: Symbol) -> Expr:
    """Write a polynomial by the powers of ``v`` and ``w``, with their coefficients as products."""
    found = sympy.Poly(term, v, w).terms()
    return sympy.Add(*[sympy.factor(part) * v**first * w**second for (first, second), part in found])


def in_corollary(one: OneFormula) -> Iterator[Block]:
    """State the entropy as a sum over the corners."""
    yield displayed([_row("H(q)", one.entropy.at(q), r"\sum", "")])
    yield say(f"where the sum is over the pairs of Theorem {{#thm:score}}, and ${_vanishing(one, q)}$.")


def _row(left: str, found: CornerSum, sum_: str, mark: str) -> tuple[Row, Row]:
    before = formula("{}", found.factor)
    if found.start != 0:
        negative = found.factor.could_extract_minus_sign()
        sign, size = ("-", -found.factor) if negative else ("+", found.factor)
        before = formula(f"{{}} {sign} {{}}", found.start, size)
    return formula(left), ended(formula(f"= {{}} {sum_} {{}}", before, SIGMA * found.term), mark)


def _with_sign(one: OneFormula, sign: int) -> Prose:
    pairs = [formula("({}, {})", *corner) for corner, has in one.weight.signs.items() if has == sign]
    return listed(pairs)


def _pair(one: OneFormula) -> str:
    v, w, _ = one.letters
    return f"({v}, {w})"


def _breakpoint(one: OneFormula) -> str:
    v, w, _ = one.letters
    return f"{v}/({v} + {w})"


def _vanishing(one: OneFormula, at: Symbol) -> str:
    v, w, u = one.letters
    return rf"{u} = \max\{{0, {w} {at} - {v} (1 - {at})\}}"
