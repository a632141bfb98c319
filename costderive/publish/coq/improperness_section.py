"""Against properness in Coq: the risks of a belief and of a better report, compared at the witness of a derivation.

The losses are defined with their values at breakpoints. A loss that is infinite at an end of [0, 1] has no value
there in Coq; then nothing is claimed of all reports in [0, 1].
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Dummy, Expr, Poly, Pow, Rational

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval, Pieces, Sign
from costderive.core.symbols import p
from costderive.deciders.identities import zero
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.enclosures import Irrational, enclosed
from costderive.publish.coq.factors import hints_at
from costderive.publish.coq.facts import ordered, sure
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, term
from costderive.rules import Improperness, RepairedProperness, Witness
from costderive.rules.loss_pair import LossPair, inside

ZERO, ONE, HALF = sympy.S.Zero, sympy.S.One, sympy.S.Half
_MARKS = sympy.symbols("x1:9", positive=True)
_NAMES = {sympy.log: "ln", sympy.exp: "exp", type(sympy.E): "exp"}
IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints", "Refutation")


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case that ends with a witness against properness.

    Raises:
        ExportError: if a loss at the witness has no form in Coq, or is a number that no fractions enclose there.
    """
    return tuple(_section(opening) for opening in openings(derivation))


def openings(derivation: Derivation) -> tuple[Opening, ...]:
    """Return the improper cases of a derivation, with the definitions that open their sections."""
    single = len(derivation.cases) == 1
    found = [(_improper(case), case, n) for n, case in enumerate(derivation.cases, start=1)]
    return tuple(
        Opening("rule" if single else f"case{number}", case, improper.losses, improper.witness)
        for improper, case, number in found
        if improper is not None
    )


def _improper(case: Case) -> Improperness | None:
    conclusion = case.steps[-1].after if case.steps else None
    found = conclusion.improper if isinstance(conclusion, RepairedProperness) else conclusion
    return found if isinstance(found, Improperness) else None


@dataclass(frozen=True, slots=True)
class Opening:
    """An improper rule: what is known of its parameters, its losses with their values, and the witness."""

    name: str
    case: Case
    pair: LossPair
    witness: Witness

    @property
    def given(self) -> Given:
        """What is known of the parameters."""
        return self.case.given

    @property
    def _setting(self) -> Setting:
        pieces = zip(self.pair.loss0, self.pair.loss1, strict=True)
        cells = [Cell(0, Interval(p, x.low, x.high), x.value, y.value, ZERO, Sign.ZERO) for x, y in pieces]
        return Setting(self.name, self.case, tuple(cells), (), ())

    def opening(self) -> str:
        """Return the text that opens the module of the case and defines ``L0`` and ``L1``."""
        return "\n".join([*self._setting.heading(), "", self._definition(0), self._definition(1), ""])

    def closing(self) -> str:
        """Return the text that closes the module."""
        return self._setting.closing()

    def _definition(self, label: int) -> str:
        return f"Definition L{label} (p : R) : R :=\n{chr(10).join(self._branches(label))}."

    def _branches(self, label: int) -> Iterator[str]:
        """Yield the values at the breakpoints and the pieces between them; the last one stands without a test."""
        values, pieces = self.pair.values, (self.pair.loss0, self.pair.loss1)[label]
        if values[0].loss(label).is_finite is not False:
            yield f"  if Rle_dec p 0 then {term(values[0].loss(label))} else"
        *inner, last = zip(pieces, values[1:], strict=True)
        for piece, value in inner:
            yield f"  if Rlt_dec p {atomic(piece.high)} then {term(piece.value)} else"
            yield f"  if Rle_dec p {atomic(piece.high)} then {term(value.loss(label))} else"
        if last[1].loss(label).is_finite is False:
            yield f"  {term(last[0].value)}"
        else:
            yield f"  if Rlt_dec p 1 then {term(last[0].value)} else {term(last[1].loss(label))}"

    @property
    def finite(self) -> bool:
        """Whether both losses have values everywhere."""
        ends = (self.pair.values[0], self.pair.values[-1])
        return all(value.loss(label).is_finite is not False for value in ends for label in (0, 1))


def _section(case: Opening) -> Section:
    comparison = _Comparison(case)
    theorems = ["better_report", *(["not_proper"] if comparison.refuted else [])]
    return Section(case.name, "refutation", IMPORTS, comparison.text(), tuple(theorems))


@dataclass(frozen=True, slots=True)
class _Place:
    """A loss at a report: the formula that holds there, the report, and the breakpoints below it."""

    label: int
    point: Expr
    formula: Expr
    below: tuple[Expr, ...]
    at: Expr | None

    @property
    def text(self) -> str:
        """The formula with the report put in, not evaluated."""
        return _put(term(self.formula), self.point)


def _put(text: str, point: Expr) -> str:
    return re.sub(r"\bp\b", lambda _: atomic(point), text)


def _place(pair: LossPair, label: int, point: Expr, given: Given) -> _Place:
    """Find the branch of a loss in which a report lies.

    Raises:
        ExportError: if the loss is infinite there, or it is not decided where the report lies.
    """
    pieces: Pieces = (pair.loss0, pair.loss1)[label]
    breaks = [value.at for value in pair.values]
    for number, value in enumerate(pair.values):
        if zero(point - value.at, None, given):
            return _Place(label, point, value.loss(label), tuple(breaks[:number]), value.at)
    for number, piece in enumerate(pieces, start=1):
        if inside(point, piece, given):
            return _Place(label, point, piece.value, tuple(breaks[:number]), None)
    raise ExportError(f"it is open between which breakpoints {point} lies", "Give the parameters numbers.")


# ---- the comparison of two risks


class _Letters:
    """Letters for the roots, logarithms and exponentials in formulas at a report."""

    def __init__(self) -> None:
        self.numbers: dict[Dummy, Irrational] = {}

    def lettered(self, place: _Place) -> Expr:
        """Return the formula at the report, with letters for what is no fraction."""
        nodes = [node for node in sympy.preorder_traversal(place.formula) if _irrational(node)]
        letters = {node: self._power(node, place.point) for node in nodes}
        return place.formula.xreplace(letters).subs(p, place.point)

    def _power(self, node: Expr, point: Expr) -> Expr:
        if not _is_root(node):
            return self._letter(node, point)
        letter, base = self._letter(Pow(node.base, HALF), point), node.base.subs(p, point)
        return letter ** (2 * node.exp) if node.exp > 0 else (letter / base) ** (-2 * node.exp)

    def _letter(self, node: Expr, point: Expr) -> Dummy:
        number = _number(node, point)
        found = next((letter for letter, known in self.numbers.items() if known == number), None)
        letter = found or Dummy(positive=True)
        self.numbers[letter] = number
        return letter

    def reduced(self, expr: Expr) -> Expr:
        """Return a polynomial in the letters, in which squares of roots are the fractions that they are."""
        if not self.numbers:
            return expr
        if not expr.is_polynomial(*self.numbers):
            raise ExportError(
                f"the difference {str(expr)[:200]} is too involved", "Choose a simpler witness."
            )
        terms = sympy.Poly(expr, *self.numbers).terms()
        return sympy.Add(*[c * sympy.Mul(*map(self._reduced, self.numbers, powers)) for powers, c in terms])

    def has_squares(self, expr: Expr) -> bool:
        """Return whether a root is squared in a polynomial in the letters."""
        roots = [letter for letter, number in self.numbers.items() if number.function == "sqrt"]
        return any(sympy.degree(expr, letter) > 1 for letter in roots)

    def _reduced(self, letter: Dummy, power: int) -> Expr:
        number = self.numbers[letter]
        if number.function != "sqrt":
            return letter**power
        return number.argument ** (power // 2) * letter ** (power % 2)


def _number(node: Expr, point: Expr) -> Irrational:
    """Read a root, a logarithm or an exponential at a report.

    Raises:
        ExportError: if it is something else, or not one of a fraction.
    """
    function = "sqrt" if _is_root(node) else _NAMES.get(type(node), "")
    argument = ONE if node is sympy.E else node.args[0].subs(p, point) if node.args else sympy.nan
    if not function or not argument.is_Rational:
        raise ExportError(
            f"no fractions enclose {str(node)[:100]} at {point}", "Coq gets those of fractions."
        )
    return Irrational(function, argument, _put(term(node), point))


def _is_root(node: Expr) -> bool:
    return bool(node.is_Pow and node.exp.is_Rational and node.exp.q == 2)


def _irrational(node: Expr) -> bool:
    rational = node.is_Symbol or node.is_Rational or node.is_Add or node.is_Mul
    return not rational and not (node.is_Pow and node.exp.is_Integer)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The risks of the report and of the belief at the witness."""

    case: Opening

    @property
    def refuted(self) -> bool:
        """Whether the witness speaks against properness as Coq has it, on [0, 1] or inside of it."""
        return self.case.finite or self._is_inside

    @property
    def _is_inside(self) -> bool:
        ends = (ZERO, ONE)
        return self.case.witness.belief not in ends and self.case.witness.report not in ends

    def _places(self) -> list[_Place]:
        """Return the losses that count: not those of a class that the belief excludes."""
        belief, report = self.case.witness.belief, self.case.witness.report
        labels = [label for label, share in ((0, 1 - belief), (1, belief)) if share != 0]
        return [
            _place(self.case.pair, x, point, self.case.given) for x in labels for point in (belief, report)
        ]

    def text(self) -> str:
        """Return the comparison, and what follows from it."""
        belief, report = (atomic(x) for x in (self.case.witness.belief, self.case.witness.report))
        statement = f"risk L0 L1 {report} {belief} < risk L0 L1 {belief} {belief}"
        found = lemma("better_report", statement, *self._values(), *self._difference(), kind="Theorem")
        return "\n".join([found, self._conclusion(report, belief)]) if self.refuted else found

    def _values(self) -> Iterator[str]:
        """Yield what each loss is, in the branch in which the report lies."""
        for number, place in enumerate(self._places(), start=1):
            orders = [
                ordered(f"over{k}", x, place.point, None, self.case.given, strict=True)
                for k, x in enumerate(place.below, start=1)
            ]
            if place.at is not None and place.at != place.point:
                orders.append(
                    f"assert (at_break : {atomic(place.point)} = {atomic(place.at)}) by (field; see)."
                )
            yield f"assert (value{number} : L{place.label} {atomic(place.point)} = {place.text})."
            yield "{ " + " ".join(
                [*orders, *self._under(place), f"unfold L{place.label}; branch; reflexivity. }}"]
            )

    def _under(self, place: _Place) -> Iterator[str]:
        if place.at is None:
            high = next(x.high for x in self.case.pair.loss0 if x.low == place.below[-1])
            yield ordered("under", place.point, high, None, self.case.given, strict=True)

    def _difference(self) -> Iterator[str]:
        letters, belief = _Letters(), self.case.witness.belief
        shares = {0: 1 - belief, 1: belief}
        signs = {belief: 1, self.case.witness.report: -1}
        terms = [shares[x.label] * signs[x.point] * letters.lettered(x) for x in self._places()]
        plain = sympy.Add(*terms)
        gap = letters.reduced(plain)
        numbers = "; ".join(f"rewrite ?value{n}" for n in range(1, len(terms) + 1))
        found = self._sign(gap, letters)
        equal = algebra(self._roots() if letters.has_squares(plain) else ())
        yield from found[1]
        yield f"unfold risk; {numbers}. apply (strictly_below_by ({found[0]})); [{equal} | {found[2]}]."

    def _roots(self) -> tuple[str, ...]:
        """Return tactics that write roots of numbers by prime numbers."""
        unit, given = Interval(p, ZERO, ONE), self.case.given
        found = [hint for x in self._places() for hint in hints_at(x.point, [x.formula], unit, given)]
        return tuple(dict.fromkeys(found))

    def _sign(self, gap: Expr, letters: _Letters) -> tuple[str, list[str], str]:
        """Return the gap as a term, tactics that enclose its letters, and the one that shows that it is positive."""
        used = [letter for letter in letters.numbers if letter in gap.free_symbols]  # a file has one order
        if not used:
            return sure(gap, None, self.case.given).text, [], "see"
        parts = sympy.Mul.make_args(sympy.factor(gap))
        numbers = [part for part in parts if part.free_symbols.intersection(used)]
        if any(part.free_symbols.difference(used) for part in numbers):
            raise ExportError(f"the sign of {str(gap)[:200]} is not visible", "Give the parameters numbers.")
        number, scale = sympy.Mul(*numbers), sympy.Mul(*[part for part in parts if part not in numbers])
        values = {letter: letters.numbers[letter].value for letter in used}
        sign = 1 if number.subs(values).evalf() > 0 else -1
        text, tactics, decide = _enclosed(sympy.Poly(sign * number, *used), letters)
        return f"({sure(sign * scale, None, self.case.given).text}) * ({text})", tactics, decide

    def _conclusion(self, report: str, belief: str) -> str:
        kind = "ProperAmong with_ends" if self.case.finite else "Proper"
        rule = "not_proper_with_ends_by" if self.case.finite else "not_proper_by"
        orders = [
            ordered(f"{name}_{end}", low, high, None, self.case.given, strict=not self.case.finite)
            for name, point in (("report", self.case.witness.report), ("belief", self.case.witness.belief))
            for end, low, high in (("low", ZERO, point), ("high", point, ONE))
        ]
        proof = f"apply ({rule} {report} {belief}); [lra | lra | exact better_report]."
        return lemma("not_proper", f"~ {kind} L0 L1", *orders, proof, kind="Theorem")


def _enclosed(number: Poly, letters: _Letters) -> tuple[str, list[str], str]:
    """Return a positive polynomial in numbers as a term, and the tactics that show that it is positive."""
    if number.total_degree() > 2 or len(number.gens) > len(_MARKS):
        raise ExportError(
            f"the sign of {str(number.as_expr())[:200]} is not visible", "Choose a simpler witness."
        )
    used = {letter: letters.numbers[letter] for letter in number.gens}
    size = number.as_expr().subs({letter: known.value for letter, known in used.items()})
    largest = 1 + max(abs(known.value) for known in used.values())
    width = Rational(str((size / (8 * largest * sum(map(abs, number.coeffs())))).evalf(5)))
    marks = dict(zip(used, _MARKS, strict=False))
    text = term(number.as_expr().xreplace(marks))
    tactics: list[str] = []
    for k, (letter, known) in enumerate(used.items(), start=1):
        text = re.sub(rf"\b{marks[letter]}\b", f"({known.text})", text)
        tactics += enclosed(f"bounds{k}", known, width).tactics
    decide = "lra" if number.total_degree() == 1 else "nra"
    return text, tactics, f"apply Rmult_lt_0_compat; [see | {decide}]"
