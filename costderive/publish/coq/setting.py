"""One case of a derivation as the opening of a section of Coq: parameters, what is known of them, and functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Atom, Given, Interval, Measure, Pieces, Sign
from costderive.core.symbols import p
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import positive
from costderive.derivation.derivation import Derivation, losses
from costderive.proof.claims import Case
from costderive.publish.coq.assumptions import Assumptions
from costderive.publish.coq.factors import with_signed_logarithms
from costderive.publish.coq.tactics import filled
from costderive.publish.coq.terms import BY_INTEGRALS, GammaOfPositive, atomic, term
from costderive.rules import Losses, Properness, Represented
from costderive.rules.hypergeometric import hyp2f1
from costderive.rules.loss_pair import LossPair, WeighedPair
from costderive.rules.odds_form import product


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a rule: both losses and the weight between two breakpoints, all of them functions of ``p``."""

    number: int
    on: Interval
    loss0: Expr
    loss1: Expr
    weight: Expr
    sign: Sign

    @property
    def name(self) -> str:
        """The name of the piece in Coq."""
        return f"piece{self.number}"

    @property
    def low(self) -> str:
        """The lower end, as an argument."""
        return atomic(self.on.low)

    @property
    def high(self) -> str:
        """The upper end, as an argument."""
        return atomic(self.on.high)

    @property
    def formulas(self) -> tuple[Expr, Expr, Expr]:
        """The two losses and the weight."""
        return self.loss0, self.loss1, self.weight


@dataclass(frozen=True, slots=True)
class Pole:
    """A breakpoint at which the closed forms of both losses are not defined, with their limits there."""

    at: Expr
    loss0: Expr
    loss1: Expr

    @property
    def limits(self) -> tuple[Expr, Expr]:
        """The values of the two losses."""
        return self.loss0, self.loss1


@dataclass(frozen=True, slots=True)
class Setting:
    """A case: what is known of its parameters, its pieces, and where it is concluded to be strictly proper."""

    name: str
    case: Case
    cells: tuple[Cell, ...]
    atoms: tuple[Atom, ...]
    strict: tuple[tuple[Expr, Expr], ...]
    poles: tuple[Pole, ...] = ()

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.case.given

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The parameters, by name."""
        exprs = [x for cell in self.cells for x in (*cell.formulas, cell.on.low, cell.on.high)]
        found = set().union(
            *[x.free_symbols for x in (*exprs, *self.given.positive, *self.given.nonnegative)]
        )
        return tuple(sorted(found - {p}, key=str))

    @property
    def ordered(self) -> str:
        """The tactic that puts the order of the breakpoints on record."""
        return "ordered." if len(self.cells) > 1 else "pose proof order1."

    def unsigned(self) -> Setting:
        """Return the case with weights of which it is only known that they are not negative."""
        return replace(self, cells=tuple(replace(cell, sign=Sign.NONNEGATIVE) for cell in self.cells))

    def mass(self, at: Expr) -> Expr:
        """Return the mass of the threshold weight at a breakpoint, 0 where there is no atom."""
        return sympy.Add(*[atom.mass for atom in self.atoms if atom.at == at])

    def opening(self) -> str:
        """Return the text that opens the module of the case and defines ``piece1`` ..., ``L0`` and ``L1``."""
        return "\n".join([*self.heading(), "", *self._definitions(), ""])

    def heading(self) -> list[str]:
        """Return the lines that open the module of the case, with its parameters and what is known of them."""
        return heading(self.name, Assumptions(self.parameters, self.given))

    def closing(self) -> str:
        """Return the text that closes the module."""
        return f"End Case.\nEnd {self.name}."

    def _definitions(self) -> Iterator[str]:
        for cell in self.cells:
            functions = [f"(fun p => {term(formula)})" for formula in cell.formulas]
            yield "\n".join(filled([f"Definition {cell.name} : piece := Piece", *functions])) + "."
        for label in (0, 1):
            yield f"Definition L{label} (p : R) : R :=\n{self._branches(label)}."

    def _branches(self, label: int) -> str:
        lines = [
            f"  if Req_EM_T p {atomic(pole.at)} then {term(pole.limits[label])} else" for pole in self.poles
        ]
        lines += [
            f"  if Rle_dec p {cell.high} then {term(cell.formulas[label])} else" for cell in self.cells[:-1]
        ]
        return "\n".join([*lines, f"  {term(self.cells[-1].formulas[label])}"])


def settings(derivation: Derivation) -> tuple[Setting, ...]:
    """Return the cases of a derivation that concludes that a rule is proper.

    Raises:
        ExportError: if it concludes something else, or the rule has more than pieces that join.
    """
    return tuple(map(_setting, derivation.cases, case_names(derivation)))


def heading(name: str, assumed: Assumptions) -> list[str]:
    """Return the lines that open a module, with its parameters and what is known of them."""
    return [f"Module {name}.", *assumed.conditions(), "Section Case.", *assumed.variables()]


def properness_of(case: Case) -> Properness:
    """Return the conclusion of a case.

    Raises:
        ExportError: if it is not that the rule is proper.
    """
    conclusion = case.steps[-1].after if case.steps else None
    proper = conclusion.proper if isinstance(conclusion, Represented) else conclusion
    if not isinstance(proper, Properness):
        raise ExportError("the derivation does not conclude that the rule is proper", "See its verdict.")
    return proper


def case_names(derivation: Derivation) -> tuple[str, ...]:
    """Return the names of the modules on the cases of a derivation."""
    count = len(derivation.cases)
    return ("rule",) if count == 1 else tuple(f"case{number}" for number in range(1, count + 1))


def _setting(case: Case, name: str) -> Setting:
    proper = properness_of(case)
    found, weight = losses(case), _weight(case)
    if isinstance(found, LossPair) and not found.from_the_left:
        raise ExportError(
            "a value at a breakpoint is not the one on its left", "In Coq losses are those of pieces."
        )
    if isinstance(found, Losses) and any(found.one_sided):
        raise ExportError(
            "an error costs nothing with a probability, and a loss jumps at the report 0 or 1",
            "In Coq the losses of these reports are limits.",
        )
    cells = tuple(_cells(found.loss0, found.loss1, weight, case.given))
    for alike in (_with_exponents_alike, _with_shapes_alike, _with_logarithms_alike):
        cells = alike(cells)
    return Setting(name, case, cells, weight.atoms, proper.strict, tuple(_poles(cells, case.given)))


def undefined_at(cell: Cell, end: Expr) -> Expr | None:
    """Return what is 0 at an end of a piece where a loss divides by it, or has its power or logarithm."""
    for node in set().union(*[sympy.preorder_traversal(expr) for expr in cell.formulas[:2]]):
        power = isinstance(node, sympy.Pow) and (node.exp.is_negative or not (2 * node.exp).is_Integer)
        if power or isinstance(node, sympy.log):
            inner: Expr = node.args[0]
            if sympy.simplify(inner.subs(p, end)) == 0:
                return inner
    return None


def _poles(cells: tuple[Cell, ...], given: Given) -> Iterator[Pole]:
    """Yield the breakpoints at which losses are not defined and have limits, which are seen from the left."""
    for left, right in neighbours(cells):
        if undefined_at(left, left.on.high) is None or undefined_at(right, left.on.high) is None:
            continue
        approach = Approach(p, left.on.high, "-")
        first, second = (value_at(formula, approach, given) for formula in left.formulas[:2])
        if first is not None and second is not None and first.is_finite and second.is_finite:
            yield Pole(left.on.high, first, second)


def _weight(case: Case) -> Measure:
    for step in reversed(case.steps):
        if isinstance(step.after, Losses | WeighedPair):
            return step.after.weight
    raise ExportError("the derivation finds no threshold weight", "Derive the rule from a context.")


def _cells(loss0: Pieces, loss1: Pieces, weight: Measure, given: Given) -> Iterator[Cell]:
    ends = [[(piece.low, piece.high) for piece in function] for function in (loss0, loss1, weight.density)]
    if not ends[0] == ends[1] == ends[2] or len(ends[0]) != len(weight.signs):
        raise ExportError("the losses and their weight have different pieces", "Derive the rule again.")
    for number, (first, second, density, sign) in enumerate(
        zip(loss0, loss1, weight.density, weight.signs, strict=True), start=1
    ):
        parts = ((first, loss0), (second, loss1), (density, weight.density))
        on = Interval(p, first.low, first.high)
        loss_0, loss_1, density_of_p = (
            _plain(piece.value.subs(function.variable, p), on, given) for piece, function in parts
        )
        if density_of_p.has(sympy.Integral) and loss_0.has(hyp2f1):
            density_of_p = sympy.diff(loss_0, p) / p
        yield Cell(number, on, loss_0, loss_1, density_of_p, sign)


def _plain(formula: Expr, on: Interval, given: Given) -> Expr:
    """Return a formula with exponents in lowest terms, and what is under roots and in logarithms in factors."""
    single = _with_single_exponentials(_with_plain_exponents(formula))
    rooted = _with_whole_sums(with_plain_roots(single, given))
    return _with_positive_shapes(with_signed_logarithms(rooted, on, given), given)


def _with_positive_shapes(expr: Expr, given: Given) -> Expr:
    """Return an expression with Gamma functions of what is positive by the facts on parameters."""

    def is_positive_by_facts(node: Expr) -> bool:
        undecided = node.func is sympy.gamma and not node.args[0].is_positive
        return bool(undecided and positive(node.args[0], None, given))

    return expr.replace(is_positive_by_facts, lambda node: GammaOfPositive(*node.args))


def _with_whole_sums(expr: Expr) -> Expr:
    """Return an expression with sums of fractions beside powers of what they divide by over one denominator.

    So they are seen to be continuous where it is 0: ``x^(7/3) (1 + 2/x^2)`` is ``x^(1/3) (x^2 + 2)``.
    """

    def whole(product: Expr) -> Expr:
        powers = {x.base for x in product.args if x.is_Pow and x.exp.is_Rational and not x.exp.is_Integer}
        sums = [x for x in product.args if x.is_Add and any(y.base in powers for y in _below(x))]
        return sympy.Mul(*[sympy.together(x) if x in sums else x for x in product.args])

    return expr.replace(lambda node: isinstance(node, sympy.Mul), whole)


def _with_single_exponentials(expr: Expr) -> Expr:
    """Return an expression in which sums of exponentials of numbers are multiplied out by such a factor."""

    def has_number(node: Expr) -> bool:
        return any(isinstance(x, sympy.exp) and x.args[0].is_number for x in sympy.preorder_traversal(node))

    def is_product(node: Expr) -> bool:
        factors = [x for x in node.args if has_number(x)] if isinstance(node, sympy.Mul) else []
        return len(factors) > 1 and any(x.is_Add for x in factors)

    return expr.replace(is_product, sympy.expand_mul)


def _below(expr: Expr) -> Iterator[Expr]:
    """Yield the powers with negative exponents in an expression."""
    yield from (x for x in expr.atoms(sympy.Pow) if x.exp.is_Integer and x.exp.is_negative)


def _with_exponents_alike(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Write exponents of weights as those of losses that they are equal to, which have signs on their faces."""
    losses = chain.from_iterable(_exponentials(x) for cell in cells for x in (cell.loss0, cell.loss1))
    spelled = {sympy.cancel(node.args[0]): node for node in losses}
    weights = {node for cell in cells for node in _exponentials(cell.weight)}
    alike = {node: spelled.get(sympy.cancel(node.args[0]), node) for node in weights}
    return tuple(replace(cell, weight=cell.weight.xreplace(alike)) for cell in cells)


def _exponentials(expr: Expr) -> Iterator[Expr]:
    """Yield the exponentials in an expression, in a fixed order."""
    yield from (node for node in sympy.preorder_traversal(expr) if isinstance(node, sympy.exp))


def _with_shapes_alike(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Write equal shapes of Gamma and Beta functions in the same way: Coq takes different ones for different."""
    nodes = chain.from_iterable(sympy.preorder_traversal(x) for cell in cells for x in cell.formulas)
    spelled: dict[Expr, Expr] = {}
    alike: dict[Expr, Expr] = {}
    for node in dict.fromkeys(x for x in nodes if x.func in BY_INTEGRALS):
        count = 2 if isinstance(node, sympy.beta | sympy.betainc) else 1
        shapes = [spelled.setdefault(sympy.expand(sympy.cancel(x)), x) for x in node.args[:count]]
        if shapes != list(node.args[:count]):
            alike[node] = node.func(*shapes, *node.args[count:])
    return _replaced(cells, alike)


def _with_logarithms_alike(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Write logarithms of products by those of all factors where the rule has these: Coq takes them for different."""
    found = dict.fromkeys(node for cell in cells for x in cell.formulas for node in x.atoms(sympy.log))
    known = {node.args[0] for node in found}
    factors = {node: node.args[0].as_powers_dict() for node in found}
    alike = {
        node: sympy.Add(*[count * sympy.log(base) for base, count in powers.items()])
        for node, powers in factors.items()
        if len(powers) > 1 and known.issuperset(powers)
    }
    return _replaced(cells, alike)


def _replaced(cells: tuple[Cell, ...], alike: Mapping[Expr, Expr]) -> tuple[Cell, ...]:
    """Return pieces with terms exchanged for others that are equal."""
    return tuple(
        replace(cell, loss0=loss0, loss1=loss1, weight=density)
        for cell in cells
        for loss0, loss1, density in [[x.xreplace(alike) for x in cell.formulas]]
    )


def _with_plain_exponents(expr: Expr) -> Expr:
    """Return an expression with exponents in lowest terms, some of which are numbers then: ``k ((k + 2)/k - 1)``."""

    def is_fraction(node: Expr) -> bool:
        return isinstance(node, sympy.Pow) and not node.exp.is_polynomial(*node.exp.free_symbols)

    return expr.replace(is_fraction, lambda node: node.base ** sympy.expand(sympy.cancel(node.exp)))


def with_plain_roots(expr: Expr, given: Given) -> Expr:
    """Return an expression with fractions under roots in factors, positive where that can be seen."""

    def is_fraction_under_root(node: Expr) -> bool:
        root = isinstance(node, sympy.Pow) and node.exp.is_Rational and not node.exp.is_Integer
        return bool(root and node.base.is_Add and not node.base.is_polynomial(*node.free_symbols))

    return expr.replace(is_fraction_under_root, lambda node: product(node.base, p, given) ** node.exp)


def neighbours(cells: tuple[Cell, ...]) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs of neighbouring pieces."""
    return pairwise(cells)
