"""The reports 0 and 1 of costs on lines and points in Coq: mean costs are paid there, which may be infinite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr, Pow

from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.deciders.signs import positive
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.endpoints import ends_of, has_limit_at, stays_plain
from costderive.publish.coq.factors import hints, hints_at
from costderive.publish.coq.facts import ordered, positives, sure
from costderive.publish.coq.law_section import IMPORTS as LAW
from costderive.publish.coq.law_section import spread
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import algebra, lemma
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = (*LAW, "AllReports")
FILTERS = ("(at_left 1)", "(at_right 0)")
EXPONENTS = tuple(sympy.Rational(k, 2) for k in range(1, 9))


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with costs on lines or points; it stands after that on the law.

    A mean whose value Coq does not get is said to exist, as a number or as +oo; properness holds in either case.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_section(setting) for setting, case in cases if not spread(case))


def known_means(setting: Setting) -> tuple[bool, bool]:
    """Return of each mean cost on lines and points whether Coq gets its value."""
    first, second = (_Mean(setting, label, value) for label, value in enumerate(ends_of(setting)))
    return first.known, second.known


def growing(setting: Setting) -> Mapping[int, tuple[str, ...]]:
    """Return of each loss that is infinite where its class is excluded the lemma that it grows without bound.

    Raises:
        ExportError: if that is not seen, or it is not known whether it is.
    """
    means = [_Mean(setting, label, value) for label, value in enumerate(ends_of(setting))]
    found = {
        mean.label: tuple(mean.lemmas()) for mean in means if mean.limit is None or mean.limit.is_infinite
    }
    if not all(found.values()):
        raise ExportError("a mean cost is not seen to be infinite", "Coq needs to see how a loss grows.")
    return found


def _section(setting: Setting) -> Section:
    means = [_Mean(setting, label, value) for label, value in enumerate(ends_of(setting))]
    lemmas = [text for mean in means for text in mean.lemmas()]
    strict = setting.strict == ((ZERO, ONE),)
    parts = [*means[0].existence(), *means[1].existence()]
    law = "curves points L0 L1 lawful_costs thresholds expected_cost0 expected_cost1"
    bounds = " ".join(mean.value for mean in means)
    tends = " ".join(mean.tends for mean in means)
    proofs = ["proper_on_all_reports", *(["strictly_proper_on_all_reports"] if strict else [])]
    ends = " strictly_proper" if strict else ""
    theorem = lemma(
        "law_is_proper_with_ends",
        _statement(means, strict),
        *parts,
        f"destruct (costs_of_all_reports {law} {bounds} {tends}) as [Costs0 Costs1].",
        "repeat split; [exact Costs0 | exact Costs1"
        f" | exact ({proofs[0]} {law} {bounds} {tends})"
        + (f" | exact ({proofs[1]} {law} {bounds} {tends}{ends})" if strict else "")
        + "].",
        kind="Theorem",
    )
    return Section(
        setting.name, "all reports", IMPORTS, "\n".join([*lemmas, theorem]), ("law_is_proper_with_ends",)
    )


def _statement(means: list[_Mean], strict: bool) -> str:
    unknown = " ".join(mean.value for mean in means if not mean.known)
    losses = f"(with_values L0 0 {means[0].value})", f"(with_values L1 {means[1].value} 0)"
    lines = [
        f"(forall p, with_ends p -> expected_to curves points (pay{k} p) ({losses[k]} p))" for k in (0, 1)
    ]
    lines.append(f"ProperOnAll {' '.join(losses)}")
    if strict:
        lines.append(f"StrictlyProperOnAll {' '.join(losses)}")
    opening = f"exists {unknown} : Rbar,\n  " if unknown else ""
    return opening + " /\\\n  ".join(lines)


@dataclass(frozen=True, slots=True)
class _Mean:
    """The mean cost of a class, to which its loss tends where that class is excluded."""

    setting: Setting
    label: int
    limit: Expr | None

    @property
    def growth(self) -> tuple[str, ...]:
        """The proof that the loss grows without bound, if it does and that is seen."""
        if self.limit is None or self.limit.is_finite is not False:
            return ()
        return _Growth(self.setting, self.cell, self.end).proof(self.cell.formulas[self.label])

    @property
    def known(self) -> bool:
        """Whether Coq gets its value."""
        return has_limit_at(self.setting, self.label, self.end, self.limit) or bool(self.growth)

    @property
    def value(self) -> str:
        """The value in Coq, or the name of one that exists."""
        if not self.known:
            return f"mean{self.label}"
        return "p_infty" if self.growth else f"(Finite {atomic(self.limit)})"

    @property
    def tends(self) -> str:
        """The name of the proof that the loss tends to it."""
        if not self.known:
            return f"Tends{self.label}"
        if self.growth:
            return f"loss{self.label}_grows"
        return f"{('loss0_ends', 'loss1_starts')[self.label]}"

    @property
    def end(self) -> Expr:
        """The report at which it is paid."""
        return (ONE, ZERO)[self.label]

    @property
    def cell(self) -> Cell:
        """The piece at that report."""
        return self.setting.cells[0 if self.end == 0 else -1]

    def existence(self) -> Iterator[str]:
        """Yield the tactics that name a mean of which only the existence is proved."""
        if not self.known:
            law = "curves points L0 lawful_costs" if self.label == 0 else "curves points L1 lawful_costs"
            found = f"loss{self.label}_has_limit {law} expected_cost{self.label}"
            yield f"destruct ({found}) as [{self.value} {self.tends}]. exists {self.value}."

    def lemmas(self) -> Iterator[str]:
        """Yield the lemma that the loss grows without bound, if it does and that is seen."""
        proof = self.growth
        if not proof:
            return
        cell, shown = self.cell, f"loss{self.label} {self.cell.name}"
        yield lemma(
            f"loss{self.label}_grows",
            f"filterlim L{self.label} {FILTERS[self.label]} (Rbar_locally p_infty)",
            self.setting.ordered,
            ordered("near", cell.on.low, cell.on.high, None, self.setting.given, strict=True),
            f"apply filterlim_ext_loc with ({shown}).",
            f"{{ apply filter_imp with (2 := {_side(self.end)}_of {cell.low} {cell.high} near). intros p Within.",
            f"  unfold L{self.label}; cbn [{shown}]; branch; reflexivity. }}",
            *proof,
        )


def _side(end: Expr) -> str:
    return "right" if end == 0 else "left"


@dataclass(frozen=True, slots=True)
class _Growth:
    """Proofs that expressions grow without bound at an end of the reports."""

    setting: Setting
    cell: Cell
    end: Expr

    @property
    def share(self) -> Expr:
        """What vanishes at the end, by itself."""
        return 1 - p if self.end == 1 else p

    def proof(self, expr: Expr) -> tuple[str, ...]:
        """Return the proof for a sum of what has a limit and ``g h``, where g has a positive limit and h grows.

        What grows is a logarithm, an inverse hyperbolic sine, or a power of what vanishes. There is no proof if
        nothing of that sort is seen.
        """
        for node in sympy.preorder_traversal(expr):
            if isinstance(node, sympy.log | sympy.asinh) and (found := self._by_function(expr, node)):
                return found
        for vanishing in (self.share**exponent for exponent in EXPONENTS):
            factor = sympy.powsimp(sympy.expand(expr * vanishing))
            if self._tends_above_0(factor):
                return self._parts(expr, factor, f"/ {atomic(vanishing)}", ZERO, self._inverse(vanishing))
        return next(filter(None, (self._by_power(expr, node) for node in self._steep_powers(expr))), ())

    def _steep_powers(self, expr: Expr) -> list[Pow]:
        """Return the powers of what vanishes, no square roots, whose exponents are visibly negative."""
        found = (node for node in sympy.preorder_traversal(expr) if node.is_Pow and node.base == self.share)
        steep = (node for node in found if not (2 * node.exp).is_Integer)
        return [node for node in steep if positive(-node.exp, None, self.setting.given)]

    def _by_power(self, expr: Expr, power: Pow) -> tuple[str, ...]:
        plain, steep = sympy.sift(sympy.Add.make_args(_expanded(expr)), self._is_plain, binary=True)
        factor, rest = sympy.powsimp(sympy.Add(*steep) / power), sympy.Add(*plain)
        if not self._is_plain(factor) or not positive(factor.subs(p, self.end), None, self.setting.given):
            return ()
        size = f"/ Rpower {atomic(self.share)} {atomic(-power.exp)}"
        return self._parts(expr, factor, size, rest, self._growing_power(-power.exp), 1 / power)

    def _by_function(self, expr: Expr, node: Expr) -> tuple[str, ...]:
        letter = sympy.Dummy()
        linear = _expanded(expr).xreplace({node: letter})
        factor, rest = sympy.diff(linear, letter), linear.subs(letter, 0)
        if factor.has(letter) or not self._is_plain(rest):
            return ()
        if isinstance(node, sympy.asinh):
            inner = self.proof(node.args[0]) if self._tends_above_0(factor) else ()
            return (
                self._parts(expr, factor, term(node), rest, ("apply (arcsinh_grows _ _).", *inner))
                if inner
                else ()
            )
        if node.args[0] != self.share or not self._tends_above_0(-factor):
            return ()
        return self._parts(expr, -factor, f"- {term(node)}", rest, self._inverse(self.share, "logarithm"))

    def _parts(
        self, expr: Expr, factor: Expr, size: str, rest: Expr, grows: tuple[str, ...], *powers: Expr
    ) -> tuple[str, ...]:
        given, values = self.setting.given, [x.subs(p, self.end) for x in (factor, rest)]
        positive = sure(values[0], None, given)
        return (
            f"apply (grows_by _ _ _ (fun p => {term(factor)}) (fun p => {size}) (fun p => {term(rest)})",
            f"  {atomic(values[0])} {atomic(values[1])}).",
            f"{{ {grows[0]}",
            *[f"  {line}" for line in grows[1:]],
            "}",
            f"{{ {self._limit(factor)} }}",
            f"{{ apply (positive_as ({positive.text})); [algebra | see]. }}",
            f"{{ {self._limit(rest)} }}",
            f"{self._inside()} cbn [loss0 loss1 {self.cell.name}]. unfold Rpower.",
            *positives((expr, factor, rest), self.cell.on, given),
            f"{algebra(hints((expr, factor, rest, *powers), self.cell.on, given))}.",
        )

    def _inverse(self, vanishing: Expr, kind: str = "inverse") -> tuple[str, ...]:
        return (
            f"apply ({kind}_grows _ _ (fun p => {term(vanishing)})).",
            *self._vanishes(vanishing),
        )

    def _vanishes(self, vanishing: Expr) -> tuple[str, ...]:
        sign = sure(vanishing, self.cell.on, self.setting.given)
        return (
            f"- {self._inside()} apply (positive_as ({sign.text})); [algebra | see].",
            f"- {self._limit(vanishing)}",
        )

    def _growing_power(self, exponent: Expr) -> tuple[str, ...]:
        sign = sure(exponent, None, self.setting.given)
        return (
            f"apply (inverse_power_grows _ _ (fun p => {term(self.share)}) {atomic(exponent)});"
            f" [apply (positive_as ({sign.text})); [algebra | see] | |].",
            *self._vanishes(self.share),
        )

    def _inside(self) -> str:
        place = f"{_side(self.end)}_of {self.cell.low} {self.cell.high} near"
        return f"apply filter_imp with (2 := {place}). intros p Within."

    def _limit(self, expr: Expr) -> str:
        shown, place = f"(fun p => {term(expr)})", f"{self.cell.low} {self.cell.high}"
        written = "; ".join(hints_at(self.end, (expr,), self.cell.on, self.setting.given)) or "idtac"
        return (
            f"apply (tends_from_{_side(self.end)} {shown} {shown} {place});"
            f" [exact near | reflexivity | unfold Rpower; smooth | evaluated ltac:({written})]."
        )

    def _tends_above_0(self, factor: Expr) -> bool:
        return self._is_plain(factor) and factor.subs(p, self.end).is_positive is True

    def _is_plain(self, expr: Expr) -> bool:
        return all(stays_plain(node, self.end) for node in sympy.preorder_traversal(expr))


def _expanded(expr: Expr) -> Expr:
    """Expand an expression, but not what is divided by: that this is positive is seen by its factors."""
    below = (node for node in expr.atoms(sympy.Pow) if node.exp.is_Integer and node.exp < 0)
    names = {node: sympy.Dummy(positive=True) for node in below}
    return sympy.expand(expr.xreplace(names)).xreplace({name: node for node, name in names.items()})
