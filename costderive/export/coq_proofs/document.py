"""A whole file of Coq: the parts of the library that it needs, and one section for each case of each derivation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources

import costderive
from costderive.derivation import Derivation
from costderive.export.coq_proofs.properness import properness
from costderive.export.coq_proofs.section import Section
from costderive.export.coq_proofs.setting import Setting, settings

LIBRARY = ("Elementary", "Properness")  # in the order of their dependence
HEADER = """From Coq Require Import Reals Lra List.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.
"""


def coq(derivation: Derivation) -> str:
    """Return a file of Coq that proves the rule of a derivation proper; ``coqc`` with Coquelicot accepts it alone.

    The last theorem of each case says that the rule is proper, strictly so where the derivation concludes it.

    Raises:
        ExportError: if a loss has no form in Coq, the sign of the threshold weight is not visible there, or the
            derivation does not conclude that the rule is proper.
    """
    return combined({"Rule": derivation})


def combined(derivations: Mapping[str, Derivation]) -> str:
    """Return one file about several rules, each in a module of the name that it is given."""
    modules = [_module(name, derivation) for name, derivation in derivations.items()]
    found = [section for derivation in derivations.values() for section in sections(derivation)]
    needed = [name for name in LIBRARY if any(name in section.imports for section in found)]
    told = f"(* Written by costderive {costderive.__version__}. Check it with coqc; it needs Coquelicot. *)\n"
    return "\n".join([told, HEADER, *map(_library, needed), *modules, _axioms(derivations)])


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return what there is to prove of a derivation, case by case."""
    return tuple(section for setting in settings(derivation) for section in _of(setting))


def _of(setting: Setting) -> tuple[Section, ...]:
    return (properness(setting),)


def _module(name: str, derivation: Derivation) -> str:
    parts = []
    for setting in settings(derivation):
        parts += [setting.opening(), *[section.text for section in _of(setting)], setting.closing(), ""]
    return "\n".join([f"Module {name}.", "", *parts, f"End {name}.", ""])


def _axioms(derivations: Mapping[str, Derivation]) -> str:
    """Return the text that tells on which axioms the final theorems rest, all of them together."""
    names = [
        f"{name}.{section.case}.{theorem}"
        for name, derivation in derivations.items()
        for section in sections(derivation)
        for theorem in section.theorems
    ]
    listed = ",\n   ".join(f"@{name}" for name in names)
    return f"Definition final_theorems :=\n  ({listed}).\nPrint Assumptions final_theorems.\n"


def _library(name: str) -> str:
    """Return a file of the library as a module, without what the header of the file has already required."""
    text = (resources.files("costderive.export.coq_proofs") / "library" / f"{name}.v").read_text(
        encoding="utf-8"
    )
    inner = re.sub(
        r"^(From .* Require .*|Import ListNotations|Open Scope R_scope|Set Warnings .*)\.\n",
        "",
        text,
        flags=re.M,
    )
    return f"Module {name}.\n{inner}End {name}.\nImport {name}.\n"
