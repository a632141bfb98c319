"""The ends of [0, 1] in Coq: the limits of the losses, and properness with the reports 0 and 1 where these are finite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.derivation import Derivation
from costderive.errors import ExportError
from costderive.export.coq_proofs.facts import lemma, ordered
from costderive.export.coq_proofs.factors import factored_at
from costderive.export.coq_proofs.section import Section
from costderive.export.coq_proofs.setting import Cell, Setting, settings
from costderive.export.coq_proofs.terms import atomic
from costderive.decide.limits import Approach, value_at
from costderive.symbols import p

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints")


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case: limits of the losses, and properness with the ends where both are finite.

    Raises:
        ExportError: if it is not known what a loss tends to at an end.
    """
    return tuple(_section(_Ends(setting)) for setting in settings(derivation))


def _section(ends: _Ends) -> Section:
    theorems = list(ends.theorems())
    text = "\n".join([*ends.limits(), *[text for _, text in theorems]])
    names = tuple(name for name, _ in theorems) or ("loss0_starts", "loss1_ends")
    return Section(ends.setting.name, "endpoints", IMPORTS, text, names)
