"""The expected loss in Coq: over scores with continuous densities it is what it is over the thresholds."""

from __future__ import annotations

import sympy

from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.deciders.limits import Approach, value_at
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.properness_section import conjunction, never_negative, positives, rest_of
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, settings
from costderive.publish.coq.tactics import lemma

IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints", "ExpectedLoss")
NAME = "expected_loss_of_scores"
LETTERS = "F0 d0 F1 d1 pi0 pi1 l0 l1"
STATEMENT = """scores F0 d0 -> scores F1 d1 ->
  integral_on_unit (fun p => L0 p * d0 p) l0 -> integral_on_unit (fun p => L1 p * d1 p) l1 ->
  integral_on_unit (fun s => pi0 * (s * omega s * (1 - F0 s)) + pi1 * ((1 - s) * omega s * F1 s))
    (pi0 * l0 + pi1 * l1)"""


def sections(derivation: Derivation, *, by_law: bool = False) -> tuple[Section, ...]:
    """Return one section for each case; it stands after those on properness and on the endpoints.

    There is none where the losses jump. If properness is known ``by_law``, no weight is known to be positive.

    Raises:
        ExportError: if the threshold weight grows without bound at a breakpoint.
    """
    return tuple(
        _section(setting.unsigned() if by_law else setting)
        for setting in settings(derivation)
        if not setting.atoms
    )


def _section(setting: Setting) -> Section:
    continuous = [steady(setting, cell) for cell in setting.cells]
    rest = rest_of(setting)
    certificate = (
        f"joined_pieces {never_negative(setting)} {conjunction([f'steady{x.number}' for x in setting.cells])}"
    )
    theorem = lemma(
        f"{NAME} {LETTERS}",
        STATEMENT,
        f"exact (expected_loss piece1 {rest} {certificate} loss0_starts loss1_ends {LETTERS}).",
        kind="Theorem",
    )
    omega = f"Definition omega : R -> R := joined weight piece1 {rest}."
    return Section(setting.name, "expected", IMPORTS, "\n".join([*continuous, omega, theorem]), (NAME,))


def steady(setting: Setting, cell: Cell) -> str:
    """Return the lemma that the weight of a piece is continuous on it, inner ends included.

    Raises:
        ExportError: if the threshold weight grows without bound at a breakpoint.
    """
    _refuse_poles(setting, cell)
    last = cell is setting.cells[-1]
    within = f"{cell.low} <= p" if last else f"{cell.low} <= p <= {cell.high}"
    known = [f"{line}." for line in positives(cell, setting.given, to_the_ends=True)]
    opened = (
        "intros Within Unit. "
        + (f"assert (p <= {cell.high}) by lra. " if last else "")
        + f"cbn [weight {cell.name}]; unfold Rpower."
    )
    return lemma(
        f"steady{cell.number} p",
        f"{within} -> 0 < p < 1 -> continuous (weight {cell.name}) p",
        *([opened, *known, "smooth."] if known else [f"{opened} smooth."]),
    )


def _refuse_poles(setting: Setting, cell: Cell) -> None:
    for point, side, end in ((cell.on.low, "+", 0), (cell.on.high, "-", 1)):
        value = (
            sympy.S.Zero if point == end else value_at(cell.weight, Approach(p, point, side), setting.given)
        )
        if value is None or value.is_finite is False:
            raise ExportError(
                f"the threshold weight {str(cell.weight)[:200]} is not known to be bounded at {point}",
                "Coq integrates by parts between breakpoints at which the weight is bounded.",
            )
