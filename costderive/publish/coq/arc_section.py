"""From costs along arcs to the rule in Coq: a known cost beside an uncertain one, or a curve in its own parameter.

At a report the decision changes at one parameter of an arc, or nowhere on it (`paths`). The expected costs are read
off antiderivatives in the parameter there and at the ends of the arc, so that no density of the threshold is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.core.symbols import p, s
from costderive.costs.expected_loss import Arc, ExpectedLoss, Line, Point, ThresholdIntegral
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Case
from costderive.publish.coq import far_terms, inverse_parameter
from costderive.publish.coq.all_reports_section import growing
from costderive.publish.coq.area_section import BESIDE
from costderive.publish.coq.factors import hints, hints_at, roots_last
from costderive.publish.coq.facts import positive_parts, records
from costderive.publish.coq.gamma_shapes import IMPORTS as SHAPES
from costderive.publish.coq.gamma_shapes import betas_by_gammas
from costderive.publish.coq.law_section import threshold
from costderive.publish.coq.law_theorems import (
    CHARGES,
    MIXED,
    THEOREMS,
    expected,
    proper,
    signs_of_points,
    strictly,
    with_ends,
    with_infinite_ends,
)
from costderive.publish.coq.log_normal_paths import LogNormalPath, log_normal_path
from costderive.publish.coq.paths import Path, equality
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.strips import in_both_shares
from costderive.publish.coq.tactics import ERRORS, evaluated, lemma
from costderive.publish.coq.terms import atomic
from costderive.publish.coq.total_section import named, refuse_multiples

IMPORTS = (*BESIDE, "Arcs")
OPEN = ("OpenArcs",)
POWERS = ("Incomplete", "ArcPowers")
NORMAL = ("Normal", "LogNormal", "KnownLogNormal")
AT_REPORT = "unfold points; charge_points;"


def sections(derivation: Derivation, *, by_law: bool = False) -> tuple[Section, ...]:
    """Return one section for each case with costs along arcs: the losses are the expected costs.

    If properness is known ``by_law`` alone, nothing is said of strictness.

    Raises:
        ExportError: if there are areas besides, a parameter may be negative, there is no elementary antiderivative
            or the parameter at which a decision changes has no closed form that Coq sees.
    """
    return tuple(_section(law, by_law) for law in _laws(derivation))


def totals(derivation: Derivation, total: Expr = sympy.S.One) -> tuple[Section, ...]:
    """Return one section for each case with costs along arcs: the ``total`` of their law.

    Raises:
        ExportError: as `sections`, and if a common factor of the costs multiplies densities.
    """
    return tuple(_total(law, total) for law in _laws(derivation))


def ends(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with costs along arcs: the reports 0 and 1, which cost the means.

    Raises:
        ExportError: as `sections`, and if a mean is infinite and Coq does not see how a loss grows.
    """
    return tuple(_ends(law) for law in _laws(derivation))


def on_arcs(case: Case) -> bool:
    """Return whether there are costs along arcs whose parameter is not the threshold."""
    found = next((step.after for step in case.steps if isinstance(step.after, ExpectedLoss)), None)
    return found is not None and bool(found.arcs)


# ---- laws


@dataclass(frozen=True, slots=True)
class Law:
    """The law of the costs of a case: arcs and points."""

    setting: Setting
    paths: tuple[Path | LogNormalPath, ...]
    points: tuple[Point, ...]

    @property
    def bells(self) -> bool:
        """Whether a cost is log-normal."""
        return any(isinstance(path, LogNormalPath) for path in self.paths)

    @property
    def imports(self) -> tuple[str, ...]:
        """The files of the library that are needed."""
        more = (
            (NORMAL, self.bells),
            (far_terms.IMPORTS, self.far),
            (ERRORS, self.errors),
            (SHAPES, self.by_gammas(())),
            (OPEN, any(any(path.parts) for path in self.plain)),
            (POWERS, any(path.powers for path in self.plain)),
            (inverse_parameter.IMPORTS, any(any(path.inverses) for path in self.plain)),
        )
        return (*IMPORTS, *(name for names, needed in more if needed for name in names))

    @property
    def far(self) -> bool:
        """Whether antiderivatives vanish at infinity by more than powers and exponentials."""
        return any(any(path.far) for path in self.plain)

    @property
    def errors(self) -> bool:
        """Whether antiderivatives on bounded arcs have values of the error function."""
        return any(path.errors for path in self.plain)

    @property
    def plain(self) -> tuple[Path, ...]:
        """The arcs on which no cost is log-normal."""
        return tuple(path for path in self.paths if isinstance(path, Path))

    def by_gammas(self, formulas: Iterable[Expr]) -> tuple[str, ...]:
        """Return the tactics that write Beta functions at the ends of arcs by Gamma functions."""
        beside = [found for path in self.plain for found in path.antiderivatives]
        return betas_by_gammas(
            chain.from_iterable(path.whole_betas() for path in self.plain), (*beside, *formulas)
        )

    def definitions(self) -> Iterator[str]:
        """Yield the arcs and points in Coq."""
        for path in self.paths:
            yield from path.definitions()
        known = "; ".join(f"Point {atomic(a.c0)} {atomic(a.c1)} {atomic(a.probability)}" for a in self.points)
        arcs = "; ".join(path.name for path in self.paths)
        yield f"Definition arcs : list arc := [{arcs}]."
        yield f"Definition points : list point := [{known}]."
        yield "Definition law : law_of_costs := Law [] arcs points."
        written = [name for path in self.paths for name in path.shown]
        written += [cell.name for cell in self.setting.cells]
        yield f"Ltac arcs_read := cbv beta iota delta [{' '.join(written)} loss0 loss1] in *; reading_arcs."


def _laws(derivation: Derivation) -> tuple[Law, ...]:
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_law(setting, case) for setting, case in cases if on_arcs(case))


def _law(setting: Setting, case: Case) -> Law:
    found = next(step.after for step in case.steps if isinstance(step.after, ExpectedLoss))
    if found.areas:
        raise ExportError("there are areas beside arcs", "Coq gets either alone.")
    letters = set().union(
        *[part.free_symbols for arc in found.arcs for part in (arc.c0, arc.c1, arc.density)]
    )
    own = {arc.variable for arc in found.arcs}
    if not letters - own <= set(setting.parameters) or x in setting.parameters:
        raise ExportError("the costs have a parameter that the rule has not", "Give it a number.")
    strands = next(step.after.strands for step in case.steps if isinstance(step.after, ThresholdIntegral))
    parts = [
        (renamed(arc), strand.inverse.subs(s, p)) for arc, strand in zip(found.arcs, strands, strict=True)
    ]
    parts += [(as_arc(line), p) for line in found.lines]
    betas = _betas(setting)
    paths = [_path(k, arc, inverse, setting.given, betas) for k, (arc, inverse) in enumerate(parts, start=1)]
    return Law(setting, tuple(paths), found.points)


def _betas(setting: Setting) -> frozenset[tuple[Expr, ...]]:
    """Return the shapes of the incomplete Beta functions of the losses."""
    losses = [loss for cell in setting.cells for loss in cell.formulas[:2]]
    return frozenset(node.args[:2] for loss in losses for node in loss.atoms(sympy.betainc))


def _path(
    number: int, arc: Arc, inverse: Expr, given: Given, betas: frozenset[tuple[Expr, ...]]
) -> Path | LogNormalPath:
    return log_normal_path(number, arc, given) or Path(number, arc, inverse, given, betas)


def renamed(arc: Arc) -> Arc:
    """Return an arc whose parameter is written ``x``, with exponentials as Coq gets them."""
    parts = (part.subs(arc.variable, x) for part in (arc.c0, arc.c1, arc.density))
    c0, c1, density = (part.replace(sympy.exp, _with_sum_as_exponent) for part in parts)
    return Arc(x, c0, c1, density, arc.low, arc.high)


def _with_sum_as_exponent(exponent: Expr) -> Expr:
    """Return an exponential, of a sum if its exponent is linear: Coq takes that for a product."""
    linear = sympy.diff(exponent, x, 2) == 0
    return sympy.exp(sympy.expand(exponent) if linear else exponent)


def as_arc(line: Line) -> Arc:
    """Return a line as an arc whose parameter is the threshold."""
    magnitude, density = line.magnitude.subs(s, x), line.density.subs(s, x)
    return Arc(x, magnitude * x, magnitude * (1 - x), density, line.low, line.high)


def _section(law: Law, by_law: bool) -> Section:
    setting = law.setting
    strict = {} if by_law else dict(strictly(MIXED, setting))
    lemmas = [
        *law.definitions(),
        *[path.lawful() for path in law.paths],
        *_lawful(law),
        *[line for path in law.paths for line in path.integrated()],
        *[_piece(law, cell) for cell in setting.cells],
        *expected(MIXED, setting),
        proper(MIXED),
        *strict.values(),
    ]
    return Section(setting.name, "law", law.imports, "\n".join(lemmas), (*THEOREMS, *strict))


def _lawful(law: Law) -> Iterator[str]:
    yield from signs_of_points(law.points, law.setting.given)
    arcs = [f"apply List.Forall_cons; [exact lawful_{path.name} |]." for path in law.paths]
    known = [
        f"apply List.Forall_cons; [exact signs_of_point{k} |]." for k, _ in enumerate(law.points, start=1)
    ]
    yield lemma(
        "lawful_costs",
        "lawful_law law",
        "split; [apply List.Forall_nil | split].",
        f"- {' '.join(arcs)} apply List.Forall_nil.",
        f"- {' '.join(known)} apply List.Forall_nil.",
        kind="Theorem",
    )


def _piece(law: Law, cell: Cell) -> str:
    """The expected costs of both classes for the reports of a piece."""
    known = enumerate(law.points, start=1)
    early, late = _signed_parts(law, cell)
    return lemma(
        f"costs_of_piece{cell.number} p",
        f"0 < p < 1 -> {cell.low} < p -> p <= {cell.high} ->\n"
        f"  expectation law (pay0 p) (loss0 {cell.name} p) /\\ expectation law (pay1 p) (loss1 {cell.name} p)",
        "intros Unit Start Stop.",
        *records(early, cell.on, law.setting.given),
        *[line for path in law.paths for line in path.turning(cell, frozenset(early))],
        *([law.setting.ordered] if law.points else []),
        *[_placed(law.setting, cell, number, point) for number, point in known],
        *_costs(law, cell, records(late, cell.on, law.setting.given, after=len(early))),
    )


def _signed_parts(law: Law, cell: Cell) -> tuple[list[Expr], list[Expr]]:
    """Return the positive factors of formulas: those that are so at the end of a piece, too, and the others."""
    turned = [formula for path in law.paths for formula in path.turned(cell)]
    parts = positive_parts((*_paid(law, cell), *turned), cell.on, law.setting.given)
    early, late = sympy.sift(parts, lambda part: sympy.simplify(part.subs(p, cell.on.high)) != 0, binary=True)
    return early, late


def _paid(law: Law, cell: Cell) -> list[Expr]:
    """Return what the arcs pay at a report of a piece, and the losses there."""
    return [*[formula for path in law.paths for formula in path.paid(cell)], *cell.formulas[:2]]


def _costs(law: Law, cell: Cell, inside: Iterable[str]) -> Iterator[str]:
    """Yield the tactics for the costs at a report; at the end of the piece apart if not all is positive there."""
    formulas, on, given = _paid(law, cell), cell.on, law.setting.given
    proof = [*inside, _both(law, _valued(law, _hints(law, cell, formulas)))]
    if len(proof) == 1:
        yield from proof
        return
    written = roots_last((*hints_at(on.high, formulas, on, given), *_at_the_ends(law)))
    yield "destruct Stop as [Stop | Last]."
    yield f"- {' '.join(proof)}"
    yield f"- {_both(law, f'{AT_REPORT} subst p; arcs_read; cbn [polynomial]; {evaluated(formulas, written)}')}"


def _hints(law: Law, cell: Cell, formulas: Iterable[Expr]) -> tuple[str, ...]:
    turned = [power for path in law.plain for power in path.powers_at_turn(cell)]
    found = (*hints((*formulas, *turned), cell.on, law.setting.given), *_at_the_ends(law))
    return (*roots_last(found), *law.by_gammas(cell.formulas[:2]))


def _both(law: Law, equal: str) -> str:
    """Return the tactic for the costs of both classes; what is added up is equal to the losses by another one."""
    costs = [_summed(law, [path.cost(label) for path in law.paths]) for label in (0, 1)]
    return f"split; [{costs[0]} {equal}\n    | {costs[1]} {equal}]."


def _at_the_ends(law: Law) -> tuple[str, ...]:
    """Return tactics that write the logarithms and roots of antiderivatives at the ends of the arcs."""
    return tuple(hint for path in law.paths for hint in path.hints_at_the_ends())


def _summed(law: Law, theorems: Sequence[str]) -> str:
    """Return the tactic that adds up what is paid along the arcs, by a theorem on each of them."""
    proof = "(eq_refl : over_arcs nil _ 0)"
    for path, theorem in reversed([*zip(law.paths, theorems, strict=True)]):
        proof = f"(one_arc {path.name} _ _ _ _ _ ({theorem}) {proof} eq_refl)"
    return f"refine (expectation_is [] arcs points _ 0 _ _ (eq_refl : over_areas nil _ 0) {proof} _);"


def _valued(law: Law, written: Iterable[str]) -> str:
    """Return the tactic for the value of a sum; hints say how to write roots and logarithms."""
    found = dict.fromkeys(hint for hint in written if not law.bells or hint.startswith("factored"))
    equal = "closed_forms_of_products_by" if law.bells else f"cbn [polynomial]; {equality(law.plain)}"
    return f"{AT_REPORT} arcs_read; {equal} ltac:({'; '.join(found) or 'idtac'})"


def _placed(setting: Setting, cell: Cell, number: int, point: Point) -> str:
    """Put on record what a point pays at the reports of a piece."""
    own = threshold(setting, point)
    breakpoints = [other.on.high for other in setting.cells]
    name = "point_below" if breakpoints.index(own) + 1 < cell.number else "point_above"
    arguments = " ".join(map(atomic, (p, point.c0, point.c1, own)))
    return f"pose proof ({name} {arguments} ltac:(field; see) ltac:(lra)) as placed{number}."


# ---- the total, and the ends


def _whole(law: Law, number: int) -> Expr:
    """Return the expectation of one of what `CHARGES` names."""
    gains = [path.value(number) for path in law.paths]
    known = [(point.c0, point.c1, sympy.S.One)[number] * point.probability for point in law.points]
    total = sympy.Add(*gains, *known)
    if law.bells:
        return total  # of which factors would take exponentials apart
    plain = in_both_shares(total)
    numbers = any(node.args[0].is_number for node in plain.atoms(sympy.exp))
    return sympy.expand_mul(plain) if numbers else sympy.factor(plain)


def _valued_as(law: Law, number: int) -> tuple[str, str]:
    """Return the proof of an expectation of what `CHARGES` names."""
    formulas = [path.value(number) for path in law.paths]
    on, given = law.setting.cells[0].on, law.setting.given
    written = (*hints(formulas, on, given), *_at_the_ends(law), *law.by_gammas(formulas))
    return _summed(law, [path.mean_of(number) for path in law.paths]), f"{_valued(law, written)}."


def _total(law: Law, total: Expr) -> Section:
    refuse_multiples(_whole(law, 2), total)
    name, statement = named(total), f"expectation law {CHARGES[2]} {atomic(total)}"
    theorem = lemma(name, statement, *_valued_as(law, 2), kind="Theorem")
    return Section(law.setting.name, "total", law.imports, theorem, (name,))


def _ends(law: Law) -> Section:
    growth = growing(law.setting)
    means = {label: (_whole(law, label), _valued_as(law, label)) for label in (0, 1) if label not in growth}
    if growth:
        return with_infinite_ends(MIXED, law.setting, law.imports, means, growth)
    values, proofs = zip(*means.values(), strict=True)
    return with_ends(MIXED, law.setting, law.imports, values, proofs)
