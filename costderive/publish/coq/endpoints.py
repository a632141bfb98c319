"""The ends of [0, 1] in Coq: limits of the losses, and properness with the reports 0 and 1 where they are finite."""

from __future__ import annotations

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.derivation.derivation import Derivation, losses
from costderive.publish.coq.factors import hints_at
from costderive.publish.coq.facts import positive_parts, positives_at, sure
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import ERRORS, evaluated, lemma
from costderive.publish.coq.terms import PositivePower, atomic, term
from costderive.rules import Losses
from costderive.rules.loss_pair import WeighedPair

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints")


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case: limits of the losses, and properness with the ends where both are finite.

    Its lemmas ``loss0_starts`` and ``loss1_ends`` say that each loss vanishes where its class is certain.

    Raises:
        ExportError: if a loss is not plainly continuous where its class is certain.
    """
    return tuple(map(section, settings(derivation)))


def section(setting: Setting) -> Section:
    """Return the section of one case.

    Raises:
        ExportError: as `sections`.
    """
    for label, end in ((0, ZERO), (1, ONE)):
        _refuse_unplain(setting, label, end)
    places = zip(ends_of(setting), ((0, ONE), (1, ZERO)), strict=True)
    worst = [value if has_limit_at(setting, *place, value) else None for value, place in places]
    limits = [limit(setting, "loss0_starts", 0, ZERO, ZERO), limit(setting, "loss1_ends", 1, ONE, ZERO)]
    limits += [
        limit(setting, name, label, end, value)
        for name, label, end, value in (("loss0_ends", 0, ONE, worst[0]), ("loss1_starts", 1, ZERO, worst[1]))
        if value is not None
    ]
    theorems = [_with_ends(worst[0], worst[1])] if any(x is not None for x in worst) else []
    if theorems and setting.strict == ((ZERO, ONE),):
        theorems.append(_strictly(worst[0], worst[1]))
    names = ("proper_with_ends", "strictly_proper_with_ends")[: len(theorems)]
    text = "\n".join([*limits, *theorems])
    powers = ("Incomplete",) if "positive_power" in text else ()
    errors = ERRORS if "_errors" in text else ()
    return Section(setting.name, "endpoints", (*IMPORTS, *powers, *errors), text, names)


def ends_of(setting: Setting) -> tuple[Expr | None, Expr | None]:
    """Return the limits of the losses where their class is excluded; they may be infinite, or unknown."""
    found = losses(setting.case)
    if isinstance(found, Losses):
        first, last = (
            _in_its_terms(setting, 0, ONE, found.worst0),
            _in_its_terms(setting, 1, ZERO, found.worst1),
        )
        return _with_one_power(first), _with_one_power(last)
    weighed = next(x.after for x in setting.case.steps if isinstance(x.after, WeighedPair))
    return weighed.limits[-1].left0, weighed.limits[0].right1


def _with_one_power(value: Expr | None) -> Expr | None:
    """Write powers of one letter, whose exponents have letters, as one power."""
    steep = value is not None and any(node.exp.free_symbols for node in value.atoms(sympy.Pow))
    return sympy.powsimp(value) if steep else value


def _in_its_terms(setting: Setting, label: int, end: Expr, value: Expr | None) -> Expr | None:
    """Return the limit of a loss by B(a, b) if it has an incomplete one."""
    formula = _outermost(setting, end)[0].formulas[label]
    if not formula.has(p):
        return formula
    if not (formula.has(sympy.betainc) and has_limit_at(setting, label, end, value)):
        return value
    return at_an_end(formula, end)


def at_an_end(formula: Expr, end: Expr) -> Expr:
    """Return the value of a formula at an end, where incomplete Beta functions are 0, or B(a, b)."""
    return formula.subs(p, end).replace(sympy.betainc, _complete)


def _complete(a: Expr, b: Expr, start: Expr, x: Expr) -> Expr:
    if x in (ZERO, ONE):
        return sympy.beta(a, b, evaluate=False) if x == 1 else ZERO
    return sympy.betainc(a, b, start, x)


def has_limit_at(setting: Setting, label: int, end: Expr, value: Expr | None) -> bool:
    """Return whether a loss has a finite limit at an end that Coq gets by continuity."""
    return value is not None and value.is_finite is not False and _is_plain(setting, label, end)


def _refuse_unplain(setting: Setting, label: int, end: Expr) -> None:
    if not _is_plain(setting, label, end):
        formula = _outermost(setting, end)[0].formulas[label]
        raise ExportError(
            f"the loss {str(formula)[:200]} is not plainly continuous at {end}",
            "Coq gets limits by continuity, without quotients and logarithms of what vanishes.",
        )


def _is_plain(setting: Setting, label: int, end: Expr) -> bool:
    """Return whether a loss is continuous at an end by its structure, and its value there needs no identity."""
    formula = _with_values(_outermost(setting, end)[0].formulas[label], end)
    return all(stays_plain(node, end) for node in sympy.preorder_traversal(formula))


def _with_values(formula: Expr, end: Expr) -> Expr:
    """Write powers of what vanishes at an end, if exponents are positive, by the function that is continuous there."""

    def vanishes(node: Expr) -> bool:
        steep = is_root_of_0(node, end) and not (2 * node.exp).is_Integer and node.exp.is_positive
        return bool(steep and _is_line_or_quotient(node.base))

    def written(node: Expr) -> Expr:
        return PositivePower(node.base, node.exp)

    return formula.replace(vanishes, written)


def _is_line_or_quotient(base: Expr) -> bool:
    """Return whether a base is linear in the report, or a quotient of such."""
    parts = sympy.fraction(sympy.together(base))
    return all(part.is_polynomial(p) and sympy.degree(part, p) <= 1 for part in parts)


def stays_plain(node: Expr, end: Expr, variable: Symbol = p) -> bool:
    """Return whether a part of a formula is continuous at an end by its structure."""
    if isinstance(node, sympy.log) or (node.is_Pow and node.exp.is_negative):
        return bool(node.args[0].subs(variable, end) != 0)
    if isinstance(node, sympy.betainc):
        return bool(node.args[3].subs(variable, end) != 1 or node.args[1].is_positive)
    square = bool(node.is_Pow and node.exp.is_Rational and node.exp.q == 2)
    return square or not is_root_of_0(node, end, variable)


def is_root_of_0(node: Expr, end: Expr, variable: Symbol = p) -> bool:
    """Return whether a part of a formula is a root of 0 at an end, where its slope is infinite."""
    return bool(node.is_Pow and not node.exp.is_Integer and node.base.subs(variable, end) == 0)


def limit(setting: Setting, name: str, label: int, end: Expr, value: Expr) -> str:
    """Near an end a loss is that of the last piece, which is continuous there."""
    cell, other = _outermost(setting, end)
    written = _with_values(cell.formulas[label], end)
    near = sure(other if end == 0 else ONE - other, None, setting.given)
    which, loss = "starts_as" if end == 0 else "ends_as", f"loss{label}"
    records = list(positives_at(end, (cell.formulas[label],), setting.given))
    if written.has(PositivePower):
        which, loss = f"{which}_power", f"(fun p => {term(written)})"
        records += [_positive_in(part, cell, setting) for part in _divided_by(cell, label, setting)]
    there = _value((cell.formulas[label], value), cell, end, setting)
    proof = f"{which} {loss} {cell.name} {atomic(other)} ({near.text}) {there}."
    return lemma(name, f"tends_at_{end} L{label} {atomic(value)}", setting.ordered, *records, proof)


def _divided_by(cell: Cell, label: int, setting: Setting) -> list[Expr]:
    """Return what a loss divides by or takes powers of, where its sign is not plain by what is linear."""
    found = positive_parts((cell.formulas[label],), cell.on, setting.given)
    return [part for part in found if part.has(p)]


def _positive_in(part: Expr, cell: Cell, setting: Setting) -> str:
    """Return the tactic that puts on record that a part is positive at all reports of a piece."""
    seen = sure(part, cell.on, setting.given)
    stated = f"forall p, {cell.low} < p < {cell.high} -> 0 < {term(part)}"
    return f"assert ({stated}) by (intros p Within; apply (positive_as ({seen.text})); [field; see | see])."


def _outermost(setting: Setting, end: Expr) -> tuple[Cell, Expr]:
    """Return the piece at an end, and its other end."""
    cell = setting.cells[0 if end == 0 else -1]
    return cell, cell.on.high if end == 0 else cell.on.low


def _value(formulas: tuple[Expr, Expr], cell: Cell, end: Expr, setting: Setting) -> str:
    if len({node.has(p) for node in formulas[0].atoms(sympy.exp)}) > 1:
        raise ExportError("exponentials of numbers are beside others", "Coq does not see that they cancel.")
    found = evaluated(formulas, hints_at(end, formulas, cell.on, setting.given))
    return "evaluates" if found == "evaluated ltac:(idtac)" else f"ltac:({found})"


def _among(worst0: Expr | None, worst1: Expr | None) -> str:
    """Return the name of the reports at which both losses are finite."""
    if worst0 is not None and worst1 is not None:
        return "with_ends"
    return "with_end_0" if worst0 is None else "with_end_1"


def _extended(worst0: Expr | None, worst1: Expr | None) -> str:
    """Return the losses with their limits as values; where there is no limit, nothing is said of the value."""
    last, first = (ZERO if x is None else x for x in (worst0, worst1))
    return f"(extended L0 0 {atomic(last)}) (extended L1 {atomic(first)} 0)"


def _with_ends(worst0: Expr | None, worst1: Expr | None) -> str:
    at_0 = ["split; [exact loss0_starts | exact loss1_starts]"] if worst1 is not None else []
    at_1 = ["split; [exact loss0_ends | exact loss1_ends]"] if worst0 is not None else []
    among = _among(worst0, worst1)
    statement = f"ProperAmong {among} {_extended(worst0, worst1)}"
    proof = f"apply (proper_{among} L0 L1 proper); [{' | '.join(at_0 + at_1)}]."
    return lemma("proper_with_ends", statement, proof, kind="Theorem")


def _strictly(worst0: Expr | None, worst1: Expr | None) -> str:
    among, extended = _among(worst0, worst1), _extended(worst0, worst1)
    return lemma(
        "strictly_proper_with_ends",
        f"StrictlyProperAmong {among} {extended}",
        f"apply (strictly_proper_among {among}); [apply all_{among} | apply all_{among} | | exact proper_with_ends].",
        "apply extended_strictly_proper, strictly_proper.",
        kind="Theorem",
    )
