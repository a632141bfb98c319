"""From the law of the costs to the rule in Coq: the losses are the expected costs, whose properness needs no weights.

The law is that of the context: curves on which the cost proportion has a density, and costs that are known. Coq
checks that no probability is negative, and that the losses are the expected costs of whoever decides at the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Interval
from costderive.core.symbols import p, s
from costderive.costs.expected_loss import ExpectedLoss, Line, Point
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.law_theorems import THEOREMS, signs_of_points
from costderive.publish.coq.properness_section import conjunction, rest_of, weighed
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = (
    "Elementary",
    "Properness",
    "Limits",
    "Endpoints",
    "Atoms",
    "ExpectedLoss",
    "Costs",
    "Curves",
    "AllReports",
)


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with costs on lines or points; after those on endpoints and expected loss.

    Raises:
        ExportError: if there are areas besides, or curves whose parameter is not the threshold; or if a sign is not
            visible.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_section(Law(setting, costs(case))) for setting, case in cases if not spread(case))


def spread(case: Case) -> bool:
    """Return whether the costs of a case are all spread over areas."""
    found = next((x.after for x in case.steps if isinstance(x.after, ExpectedLoss)), None)
    return found is not None and (bool(found.areas) or bool(found.arcs))


def costs(case: Case) -> ExpectedLoss:
    """Return the law of the costs of a case, if it is of lines and points.

    Raises:
        ExportError: if it is not.
    """
    found = next((x.after for x in case.steps if isinstance(x.after, ExpectedLoss)), None)
    if found is None or found.areas or found.arcs:
        raise ExportError(
            "the costs are not all on curves whose parameter is the threshold, or known",
            "Coq gets the expected costs of such laws alone.",
        )
    return found


@dataclass(frozen=True, slots=True)
class Curve:
    """Costs ``b p`` and ``b (1 - p)`` at the threshold ``p``, by the name of the curve in Coq."""

    number: int
    line: Line
    setting: Setting

    @property
    def name(self) -> str:
        """The name in Coq."""
        return f"curve{self.number}"

    @property
    def on(self) -> Interval:
        """The thresholds."""
        return Interval(p, self.line.low, self.line.high)

    @property
    def magnitude(self) -> Expr:
        """The sum of both costs."""
        return self.line.magnitude.subs(s, p)

    @property
    def density(self) -> Expr:
        """The density of the threshold."""
        return self.line.density.subs(s, p)

    def definition(self) -> str:
        """Return the curve in Coq."""
        functions = " ".join(f"(fun p => {term(x)})" for x in (self.magnitude, self.density))
        return (
            f"Definition {self.name} : curve := ray {atomic(self.on.low)} {atomic(self.on.high)} {functions}."
        )

    def holds(self, cell: Cell) -> bool:
        """Return whether it has costs at the thresholds of a piece, which lie all on it or all off it.

        Raises:
            ExportError: if its ends are no breakpoints of the rule.
        """
        ends = [cell.on.low for cell in self.setting.cells] + [ONE]
        if self.on.low not in ends or self.on.high not in ends:
            raise ExportError("the end of a curve is no breakpoint of the losses", "Derive the rule again.")
        return ends.index(self.on.low) < cell.number <= ends.index(self.on.high)

    def signs(self) -> str:
        """Return the lemma that costs are positive and densities are not negative."""
        return lemma(
            f"signs_of_{self.name} p",
            f"0 < p < 1 -> {atomic(self.on.low)} < p -> p <= {atomic(self.on.high)} ->\n"
            f"  0 < {atomic(self.magnitude)} /\\ 0 <= {atomic(self.density)}",
            "intros Unit Start Stop; unfold Rpower.",
            *positives((self.magnitude, self.density), self.on, self.setting.given),
            f"split; [{self._sign(self.magnitude, strict=True)} | {self._sign(self.density, strict=False)}].",
        )

    def _sign(self, expr: Expr, *, strict: bool) -> str:
        seen = sure(expr, self.on, self.setting.given, strict=strict)
        equal = algebra(hints((expr,), self.on, self.setting.given))
        return f"apply ({'positive_as' if strict else 'not_negative_as'} ({seen.text})); [{equal} | see]"


@dataclass(frozen=True, slots=True)
class Law:
    """The law of the costs of a case."""

    setting: Setting
    costs: ExpectedLoss

    @property
    def curves(self) -> tuple[Curve, ...]:
        """The curves, by number."""
        return tuple(
            Curve(number, line, self.setting) for number, line in enumerate(self.costs.lines, start=1)
        )

    def definitions(self) -> Iterator[str]:
        """Yield the curves and points in Coq."""
        yield from [curve.definition() for curve in self.curves]
        yield f"Definition curves : list curve := [{'; '.join(x.name for x in self.curves)}]."
        points = "; ".join(
            f"Point {atomic(x.c0)} {atomic(x.c1)} {atomic(x.probability)}" for x in self.costs.points
        )
        yield f"Definition points : list point := [{points}]."


def _section(law: Law) -> Section:
    setting = law.setting
    lemmas = [
        *law.definitions(),
        *[curve.signs() for curve in law.curves],
        *_lawful(law),
        *[_cost_of_piece(law, cell) for cell in setting.cells],
        _all_of_the_cost(setting),
        *[_jumps(law, label) for label in (0, 1)],
        *[_expected(setting, label) for label in (0, 1)],
        lemma(
            "law_is_proper",
            "Proper L0 L1",
            "exact (expected_costs_are_proper curves points L0 L1 lawful_costs expected_cost0 expected_cost1).",
            kind="Theorem",
        ),
    ]
    strict = dict(_strictly(setting))
    text = "\n".join([*lemmas, *strict.values()])
    return Section(setting.name, "law", IMPORTS, text, (*THEOREMS, *strict))


def _strictly(setting: Setting) -> Iterator[tuple[str, str]]:
    """Whatever functions the expected costs are, they are strictly proper where the thresholds are spread."""
    each = conjunction([f"steady{x.number}" for x in setting.cells])
    for number, (low, high) in enumerate(setting.strict, start=1):
        name = "law_is_strictly_proper" + ("" if len(setting.strict) == 1 else str(number))
        ends = f"{atomic(low)} {atomic(high)}"
        support = f"support_of_pieces curves {ends} piece1 {rest_of(setting)} {each} _ _ _ all_of_the_cost"
        yield (
            name,
            lemma(
                f"{name} E0 E1",
                "(forall p, 0 < p < 1 -> expected curves points (pay0 p) (E0 p)) ->\n"
                "  (forall p, 0 < p < 1 -> expected curves points (pay1 p) (E1 p)) ->\n"
                f"  StrictlyProperOn {ends} E0 E1",
                "intros Costs0 Costs1.",
                setting.ordered,
                f"apply (strictly_proper_law curves points E0 E1 lawful_costs thresholds Costs0 Costs1 {ends});"
                " [lra | lra |].",
                f"refine ({support}); [{weighed(setting)} | lra | lra].",
                kind="Theorem",
            ),
        )


def _lawful(law: Law) -> Iterator[str]:
    yield from signs_of_points(law.costs.points, law.setting.given)
    yield lemma(
        "lawful_costs",
        "lawful curves points",
        "split; repeat apply List.Forall_cons; try apply List.Forall_nil.",
        *[f"- apply ray_is_lawful. exact signs_of_{curve.name}." for curve in law.curves],
        *[f"- apply signs_of_point{k}." for k, _ in enumerate(law.costs.points, start=1)],
        kind="Theorem",
    )
    yield lemma(
        "thresholds",
        "List.Forall at_thresholds curves",
        "repeat apply List.Forall_cons; try apply List.Forall_nil.",
        *[f"- apply ray_is_at_thresholds. exact signs_of_{curve.name}." for curve in law.curves],
    )


def _cost_of_piece(law: Law, cell: Cell) -> str:
    """All of the cost at the thresholds of a piece is its weight."""
    setting = law.setting
    held = [curve for curve in law.curves if curve.holds(cell)]
    formulas = (cell.weight, *chain.from_iterable((x.magnitude, x.density) for x in held))
    return lemma(
        f"cost_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} -> on_curves Rplus curves p = weight {cell.name} p",
        "intros Unit Start Stop.",
        setting.ordered,
        f"unfold on_curves, curves, on_curve, {', '.join([*[x.name for x in law.curves], 'ray'])}, Rpower;"
        f" cbn [start stop along0 along1 chance weight {cell.name}].",
        "branch.",
        *positives(formulas, cell.on, setting.given),
        f"all: {algebra(hints(formulas, cell.on, setting.given))}.",
    )


def _all_of_the_cost(setting: Setting) -> str:
    pieces = " | ".join(f"apply cost_of_piece{cell.number}; lra" for cell in setting.cells)
    return lemma(
        "all_of_the_cost p",
        f"0 < p < 1 -> on_curves Rplus curves p = joined weight piece1 {rest_of(setting)} p",
        "intros Unit.",
        setting.ordered,
        f"cbn [joined]. branch; first [{pieces}].",
    )


def _masses(setting: Setting) -> str:
    """Return the masses at the breakpoints; without atoms those of the library, which are 0."""
    if not setting.atoms:
        return f"(no_masses {rest_of(setting)})"
    return "[" + "; ".join(term(setting.mass(cell.on.high)) for cell in setting.cells[:-1]) + "]"


def _jumps(law: Law, label: int) -> str:
    setting = law.setting
    statement = (
        f"0 < p < 1 ->\n  on_points (pay{label} p) points ="
        f" jumped {'true' if label else 'false'} {rest_of(setting)} {_masses(setting)} p"
    )
    if not setting.atoms:
        proof = ["intros _. symmetry. apply nothing_jumped."]
    else:
        proof = [
            "intros Unit.",
            setting.ordered,
            f"unfold points, pay{label}; cbn [on_points jumped known0 known1 probability].",
            *[_threshold(setting, point) for point in law.costs.points],
            "branch; algebra.",
        ]
    return lemma(f"jumps{label} p", statement, *proof)


def _threshold(setting: Setting, point: Point) -> str:
    """Write the threshold of known costs as the breakpoint that it is."""
    text = f"{atomic(point.c0)} / ({atomic(point.c0)} + {atomic(point.c1)})"
    return f"replace ({text}) with {atomic(threshold(setting, point))} by (field; see)."


def threshold(setting: Setting, point: Point) -> Expr:
    """Return the breakpoint that is the threshold of known costs.

    Raises:
        ExportError: if none is.
    """
    own = point.c0 / (point.c0 + point.c1)
    for cell in setting.cells[:-1]:
        if sympy.simplify(own - cell.on.high) == 0:
            return cell.on.high
    raise ExportError("the threshold of known costs is no breakpoint of the losses", "Derive the rule again.")


def _expected(setting: Setting, label: int) -> str:
    rest, certain = rest_of(setting), "loss1_ends" if label else "loss0_starts"
    pieces = "joined_pieces" if setting.atoms else "(chain_without_jumps 0 piece1 _ joined_pieces)"
    each = conjunction([f"steady{x.number}" for x in setting.cells])
    return lemma(
        f"expected_cost{label} p",
        f"0 < p < 1 -> expected curves points (pay{label} p) (L{label} p)",
        f"exact (loss{label}_is_expected piece1 {rest} {_masses(setting)} curves points {pieces} {each}",
        f"  thresholds all_of_the_cost {certain} jumps{label} p).",
        kind="Theorem",
    )
