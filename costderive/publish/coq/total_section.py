"""The total of a law of costs in Coq: 1, from the antiderivatives of the densities that the derivation holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Interval
from costderive.core.symbols import p
from costderive.costs.expected_loss import Antiderivative, ExpectedLoss
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.endpoints import at_an_end, stays_plain
from costderive.publish.coq.factors import hints, hints_at
from costderive.publish.coq.facts import positives
from costderive.publish.coq.gamma_shapes import IMPORTS as SHAPES
from costderive.publish.coq.gamma_shapes import by_gammas, written_by_gammas
from costderive.publish.coq.law_section import Curve, Law, costs, spread
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import settings
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
    "Totals",
)
WITH_BETAS = (*IMPORTS, *SHAPES)


TOTAL = "total_is_less"  # the theorem on a total that is less than 1


def sections(derivation: Derivation, total: Expr = ONE) -> tuple[Section, ...]:
    """Return one section for each case; it stands after that on the law.

    The ``total`` is less than 1 where the law is that of some of the costs.

    Raises:
        ExportError: if the derivation has no antiderivative of a density, as where it claims no total, or one that
            is not plainly continuous at an end of (0, 1); or if a common factor of the costs multiplies densities.
    """
    cases = zip(settings(derivation), derivation.cases, strict=True)
    return tuple(_section(Law(setting, costs(case)), total) for setting, case in cases if not spread(case))


def named(total: Expr) -> str:
    """Return the name of the theorem on a total."""
    return "total_is_1" if total == 1 else TOTAL


def _section(law: Law, total: Expr) -> Section:
    found = [(curve, _antiderivative(curve, law.costs)) for curve in law.curves]
    ends = [_at(curve, function, end) for curve, function in found for end in (curve.on.high, curve.on.low)]
    whole = sympy.Add(*ends[::2], *[-low for low in ends[1::2]]).replace(sympy.beta, by_gammas)
    refuse_multiples(whole + sympy.Add(*[point.probability for point in law.costs.points]), total)
    totals = [_total(curve, function) for curve, function in found]
    values = "; ".join(_gain(curve, function) for curve, function in found)
    betas = any(end.has(sympy.beta) for end in ends)
    equal = "; ".join((*(written_by_gammas(ends) if betas else ()), algebra(_written(found))))
    theorem = lemma(
        named(total),
        f"has_total curves points {atomic(total)}",
        f"apply (total_is curves points [{values}]).",
        f"- repeat apply List.Forall2_cons; try apply List.Forall2_nil.{_exactly(law)}",
        f"- unfold points; cbn [sum on_points probability]; {equal}.",
        kind="Theorem",
    )
    text = "\n".join([*totals, theorem])
    return Section(law.setting.name, "total", WITH_BETAS if betas else IMPORTS, text, (named(total),))


def _at(curve: Curve, function: Expr, end: Expr) -> Expr:
    """Return an antiderivative at an end of its curve."""
    return at_an_end(function, end) if end in (ZERO, ONE) else function.subs(p, end)


def refuse_multiples(found: Expr, total: Expr = ONE) -> None:
    """Refuse densities that are multiplied by the mean of a factor that both costs have in common.

    Raises:
        ExportError: if what is found is another number than their total, or has letters that do not cancel.
    """
    if sympy.simplify(found - total) != 0:
        raise ExportError(
            f"the densities have the total {str(found)[:60]}", "They hold the mean of a factor."
        )


def _written(found: list[tuple[Curve, Expr]]) -> tuple[str, ...]:
    """Return hints for logarithms and roots at the ends of the curves."""
    at_ends = [
        hints_at(end, (function, curve.density), curve.on, curve.setting.given)
        for curve, function in found
        for end in (curve.on.low, curve.on.high)
        if end not in (ZERO, ONE)
    ]
    return tuple(dict.fromkeys(chain.from_iterable(at_ends)))


def _exactly(law: Law) -> str:
    return "".join(f"\n    + exact total_of_{curve.name}." for curve in law.curves)


def _antiderivative(curve: Curve, found: ExpectedLoss) -> Expr:
    """Return the antiderivative of the density of a curve: a multiple of one that the derivation holds, if plain."""
    held = _held(curve, found)
    if all(_is_plain(held, end) for end in (curve.on.low, curve.on.high) if end in (ZERO, ONE)):
        return held
    return _of_beta(curve.density, curve.on) or held


def _is_plain(function: Expr, end: Expr) -> bool:
    return all(stays_plain(node, end) for node in sympy.preorder_traversal(function))


def _of_beta(density: Expr, on: Interval) -> Expr | None:
    """Return the antiderivative of a Beta density by an incomplete Beta function; ``None`` if it is another."""
    factor, core = sympy.powsimp(density).as_independent(p, as_Add=False)
    powers = core.as_powers_dict()
    if (on.low, on.high) != (ZERO, ONE) or not {p, 1 - p}.issuperset(powers):
        return None
    a, b = (sympy.expand(powers.get(base, ZERO) + 1) for base in (p, 1 - p))
    return factor * sympy.betainc(a, b, ZERO, p) if a.is_positive and b.is_positive else None


def _held(curve: Curve, found: ExpectedLoss) -> Expr:
    for function in _functions(found):
        slope = sympy.diff(function, p)
        share = sympy.simplify(curve.density / slope) if slope != 0 else p
        if not share.has(p):
            return share * function
    raise ExportError(
        "the derivation holds no antiderivative of a density", "Where it claims no total there is none."
    )


def _functions(found: ExpectedLoss) -> Iterator[Expr]:
    """Yield the antiderivatives of the derivation whose variable is clear, as functions of the report."""
    parameters = set().union(
        *[x.free_symbols for line in found.lines for x in (line.density, line.low, line.high)]
    )
    for total in found.totals:
        for part in total if isinstance(total, tuple) else ():
            if isinstance(part, Antiderivative) and part.function is not None:
                for variable in part.function.free_symbols - parameters:
                    yield part.function.subs(variable, p)


def _gain(curve: Curve, function: Expr) -> str:
    return f"{_limit(function, curve.on.high, ONE)} - {_limit(function, curve.on.low, ZERO)}"


def _limit(function: Expr, end: Expr, unit: Expr) -> str:
    """Return the antiderivative at an end of a curve, worked out where Coq takes a limit at an end of (0, 1)."""
    return atomic(at_an_end(function, end)) if end == unit else f"((fun p => {term(function)}) {atomic(end)})"


def _total(curve: Curve, function: Expr) -> str:
    low, high = curve.on.low, curve.on.high
    start, stop = _limit(function, low, ZERO), _limit(function, high, ONE)
    given, shown = curve.setting.given, f"(fun p => {term(function)})"
    equal = algebra(hints((function, curve.density), curve.on, given))
    return lemma(
        f"total_of_{curve.name}",
        f"integral_on_unit (on_curve (fun _ _ => 1) {curve.name}) ({_gain(curve, function)})",
        curve.setting.ordered,
        f"apply (total_of_curve {curve.name} {shown} {start} {stop}); cbn [start stop chance {curve.name} ray].",
        "1-3: lra.",
        "- intros p Within Unit; cbn [start stop chance ray]; unfold Rpower.",
        *[f"  {line}" for line in positives((function, curve.density), curve.on, curve.setting.given)],
        f"  split; [auto_derive; [see | {equal}] | smooth].",
        f"- {_end(curve, function, low, ZERO)}",
        f"- {_end(curve, function, high, ONE)}",
    )


def _end(curve: Curve, function: Expr, end: Expr, unit: Expr) -> str:
    """Return the proof of the limit of the antiderivative at an end of its curve."""
    shown, low, high = f"(fun p => {term(function)})", atomic(curve.on.low), atomic(curve.on.high)
    if end != unit:
        return f"apply ({'ends' if unit else 'starts'}_inside {shown}); lra."
    if not _is_plain(function, end):
        raise ExportError("an antiderivative is not plainly continuous at an end", "Coq needs its limit.")
    written = "; ".join(hints_at(end, (function,), curve.on, curve.setting.given)) or "idtac"
    outer, side = ("ends_at_1", "left") if unit else ("starts_at_0", "right")
    return (
        f"apply ({outer} {shown}); [lra |]. apply (tends_from_{side} {shown} {shown} {low} {high});\n"
        f"    [lra | reflexivity | unfold Rpower; smooth | evaluated ltac:({written})]."
    )
