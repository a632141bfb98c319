"""The ends of [0, 1] in Coq: limits of the losses, and properness with the reports 0 and 1 where they are finite."""

from __future__ import annotations

import sympy
from sympy import Expr

from costderive.derivation import Derivation, losses
from costderive.export.coq_proofs.factors import hints_at
from costderive.export.coq_proofs.facts import ordered
from costderive.export.coq_proofs.section import Section
from costderive.export.coq_proofs.setting import Cell, Setting, settings
from costderive.export.coq_proofs.tactics import lemma
from costderive.export.coq_proofs.terms import atomic
from costderive.pairs import WeighedPair
from costderive.rule import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints")


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case: limits of the losses, and properness with the ends where both are finite.

    Its lemmas ``loss0_starts`` and ``loss1_ends`` say that each loss vanishes where its class is certain.
    """
    return tuple(_section(setting) for setting in settings(derivation))


def _section(setting: Setting) -> Section:
    worst = [None if x is None or x.is_finite is False else x for x in _worst(setting)]
    limits = [_limit(setting, "loss0_starts", 0, ZERO, ZERO), _limit(setting, "loss1_ends", 1, ONE, ZERO)]
    limits += [
        _limit(setting, name, label, end, value)
        for name, label, end, value in (("loss0_ends", 0, ONE, worst[0]), ("loss1_starts", 1, ZERO, worst[1]))
        if value is not None
    ]
    theorems = [_with_ends(worst[0], worst[1])] if any(x is not None for x in worst) else []
    if theorems and setting.strict == ((ZERO, ONE),):
        theorems.append(_strictly(worst[0], worst[1]))
    names = ("proper_with_ends", "strictly_proper_with_ends")[: len(theorems)]
    return Section(setting.name, "endpoints", IMPORTS, "\n".join([*limits, *theorems]), names)


def _worst(setting: Setting) -> tuple[Expr | None, Expr | None]:
    """Return the limits of the losses where their class is excluded; they may be infinite, or unknown."""
    found = losses(setting.case)
    if isinstance(found, Losses):
        return found.worst0, found.worst1
    weighed = next(x.after for x in setting.case.steps if isinstance(x.after, WeighedPair))
    return weighed.limits[-1].left0, weighed.limits[0].right1


def _limit(setting: Setting, name: str, label: int, end: Expr, value: Expr) -> str:
    """Near an end a loss is that of the last piece, which is continuous there."""
    cell, other = _outermost(setting, end)
    near = ordered("near", *((ZERO, other) if end == 0 else (other, ONE)), None, setting.given, strict=True)
    formula, side = f"(loss{label} {cell.name})", "right" if end == 0 else "left"
    shown = f"cbn [loss{label} {cell.name}]"
    return lemma(
        name,
        f"tends_at_{end} L{label} {atomic(value)}",
        *[f"pose proof order{x.number}." for x in setting.cells],
        near,
        f"apply (tends_from_{side} L{label} {formula} {cell.low} {cell.high});",
        f"  [exact near | intros x X; unfold L{label}; {shown}; branch; reflexivity",
        f"  | unfold Rpower; {shown}; smooth | {shown}; {_value(cell, label, end, setting)}].",
    )


def _outermost(setting: Setting, end: Expr) -> tuple[Cell, Expr]:
    """Return the piece at an end, and its other end."""
    cell = setting.cells[0 if end == 0 else -1]
    return cell, cell.on.high if end == 0 else cell.on.low


def _value(cell: Cell, label: int, end: Expr, setting: Setting) -> str:
    written = hints_at(end, (cell.formulas[label],), cell.on, setting.given)
    return f"evaluated ltac:({'; '.join(written) or 'idtac'})"


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
