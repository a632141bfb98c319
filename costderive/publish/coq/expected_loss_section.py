"""The expected loss in Coq: over scores with continuous densities it is what it is over the thresholds."""

from __future__ import annotations

import sympy

from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.deciders.limits import Approach, value_at
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.facts import ordered
from costderive.publish.coq.properness_section import (
    conjunction,
    positives,
    refuse_hypergeometric,
    rest_of,
)
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, neighbours, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints", "ExpectedLoss")
WITH_ATOMS = (*IMPORTS, "Atoms", "Costs", "Curves", "AtomsOfLoss")
NAME = "expected_loss_of_scores"
LETTERS = "F0 d0 F1 d1 pi0 pi1 l0 l1"
STATEMENT = """scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1{at_atoms})"""


def sections(derivation: Derivation, *, by_law: bool = False) -> tuple[Section, ...]:
    """Return one section for each case; it stands after those on properness, weights and the endpoints.

    If properness is known ``by_law``, no weight is known to be positive.

    Raises:
        ExportError: if the losses jump and a breakpoint is not visibly between 0 and 1.
    """
    return tuple(_section(setting.unsigned() if by_law else setting) for setting in settings(derivation))


def weights(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case: the threshold weight is continuous on its pieces.

    Raises:
        ExportError: if it grows without bound at a breakpoint, or has a hypergeometric function.
    """
    return tuple(map(_weights, settings(derivation)))


def _weights(setting: Setting) -> Section:
    for cell in setting.cells:
        refuse_hypergeometric(cell)
    lemmas = "\n".join(steady(setting, cell) for cell in setting.cells)
    return Section(setting.name, "weights", IMPORTS, lemmas, ())


def _section(setting: Setting) -> Section:
    omega = f"Definition omega : R -> R := joined weight piece1 {rest_of(setting)}."
    proved = (
        [_breakpoints_inside(setting), _with_atoms(setting)] if setting.atoms else [_without_atoms(setting)]
    )
    imports = WITH_ATOMS if setting.atoms else IMPORTS
    return Section(setting.name, "expected", imports, "\n".join([omega, *proved]), (NAME,))


def _certificate(setting: Setting) -> str:
    """Return the proofs that the pieces join, and that their weights are not negative, and continuous."""
    return f"joined_pieces never_negative {conjunction([f'steady{x.number}' for x in setting.cells])}"


def _without_atoms(setting: Setting) -> str:
    applied = f"expected_loss _ _ {_certificate(setting)} loss0_starts loss1_ends {LETTERS}"
    return lemma(f"{NAME} {LETTERS}", STATEMENT.format(at_atoms=""), f"exact ({applied}).", kind="Theorem")


def _with_atoms(setting: Setting) -> str:
    """What is paid at the atoms is a sum over them, beside the integral over the thresholds."""
    paid = " + ".join(
        f"{atomic(atom.mass)} * (pi0 * ({t} * (1 - F0 {t})) + pi1 * ((1 - {t}) * F1 {t}))"
        for atom in setting.atoms
        for t in [atomic(atom.at)]
    )
    applied = f"expected_loss_with_atoms _ _ _ {_certificate(setting)} breakpoints_inside"
    return lemma(
        f"{NAME} {LETTERS}",
        STATEMENT.format(at_atoms=f"\n      - ({paid})"),
        "intros S0 S1 H0 H1.",
        f"refine (eq_ind _ (integral_on_unit _) ({applied} loss0_starts loss1_ends {LETTERS} S0 S1 H0 H1) _ _).",
        "cbn [over_atoms]. ring.",
        kind="Theorem",
    )


def _breakpoints_inside(setting: Setting) -> str:
    """Return the lemma that all breakpoints lie between 0 and 1."""
    ends = [left.on.high for left, _ in neighbours(setting.cells)]
    facts = [
        ordered(f"{name}{number}", low, high, None, setting.given, strict=True)
        for number, end in enumerate(ends, start=1)
        for name, low, high in (("above", ZERO, end), ("below", end, ONE))
    ]
    steps = "apply List.Forall_cons; [split; assumption |]. " * len(ends)
    return lemma(
        "breakpoints_inside",
        f"within_unit {rest_of(setting)}",
        " ".join(facts),
        f"{steps}apply List.Forall_nil.",
    )


def steady(setting: Setting, cell: Cell) -> str:
    """Return the lemma that the weight of a piece is continuous on it, inner ends included.

    Raises:
        ExportError: if the threshold weight grows without bound at a breakpoint, or has no value there.
    """
    _refuse_poles(setting, cell)
    within = f"{cell.low} <= p" if cell is setting.cells[-1] else f"{cell.low} <= p <= {cell.high}"
    known = [f"{line}." for line in positives(cell, setting.given, to_the_ends=True)]
    return lemma(
        f"steady{cell.number} p",
        f"{within} -> 0 < p < 1 -> continuous (weight {cell.name}) p",
        f"weight_at {cell.name}.",
        *known,
        "smooth.",
    )


def _refuse_poles(setting: Setting, cell: Cell) -> None:
    if setting.poles:
        raise ExportError("the closed forms divide by 0 at a breakpoint", "In Coq they have no limits there.")
    for point, side, end in ((cell.on.low, "+", 0), (cell.on.high, "-", 1)):
        value = (
            sympy.S.Zero if point == end else value_at(cell.weight, Approach(p, point, side), setting.given)
        )
        if value is None or value.is_finite is False:
            raise ExportError(
                f"the threshold weight {str(cell.weight)[:200]} is not known to be bounded at {point}",
                "Coq integrates by parts between breakpoints at which the weight is bounded.",
            )
