"""The library of Coq as text: its files in the order of their dependence, and what a file requires of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import resources

from costderive.publish.coq import COMPILED

LIBRARY = (  # in the order of their dependence
    "Elementary",
    "Rising",
    "Properness",
    "Limits",
    "Endpoints",
    "Incomplete",
    "BetaGamma",
    "Atoms",
    "ExpectedLoss",
    "Costs",
    "Curves",
    "AtomsOfLoss",
    "AllReports",
    "Totals",
    "Tails",
    "Areas",
    "Spread",
    "Strips",
    "Cuts",
    "ClosedForms",
    "Arcs",
    "OpenArcs",
    "InverseParameter",
    "ArcPowers",
    "Normal",
    "LogNormal",
    "KnownLogNormal",
    "Independent",
    "LawAlone",
    "Bells",
    "Fractions",
    "Shifted",
    "Far",
    "Moments",
    "Families",
    "SeparateCosts",
    "Euler",
    "LomaxExponential",
    "GammaPairs",
    "OtherThresholds",
    "Mixtures",
    "Miscalibration",
    "FreeErrors",
    "HeldPart",
    "Refutation",
    "Acts",
    "Classes",
    "Orders",
    "ClassCosts",
    "BayesActs",
    "BoundedCosts",
)
ALWAYS, MORE = (
    ("Reals", "Lra", "List"),
    ("Lia",),
)  # of Coq's own library; more where a file of this one needs it


def library_files(folder: str, proofs: Iterable[str]) -> dict[str, str]:
    """Return the files of the library in a folder, and a ``_CoqProject`` for it and for proofs that require it."""
    texts = {f"{folder}/{name}.v": _source(name) for name in LIBRARY}
    project = "\n".join([f"-Q {folder} {COMPILED}", "-arg -w -arg -ambiguous-paths", *texts, *proofs, ""])
    return {**texts, "_CoqProject": project}


def library() -> dict[str, str]:
    """Return the files of the library by name, in the order in which they are compiled."""
    return {f"{name}.v": _source(name) for name in LIBRARY}


def with_required(names: set[str]) -> set[str]:
    """Return files of the library with those that they require."""
    lines = (re.search(rf"^From {COMPILED} Require Import (.*)\.$", _source(name), re.M) for name in names)
    found = names.union(*[line[1].split() for line in lines if line])
    return found if found == names else with_required(found)


def header(needed: Iterable[str]) -> str:
    """Return what a file requires of Coq and Coquelicot, with these files of the library."""
    required = " ".join(
        line
        for name in needed
        for line in re.findall(r"^From Coq Require Import (.*)\.$", _source(name), re.M)
    )
    more = [name for name in MORE if name in required.split()]
    return f"""From Coq Require Import {" ".join([*ALWAYS[:-1], *more, ALWAYS[-1]])}.
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.
"""


def as_module(name: str) -> str:
    """Return a file of the library as a module, without what the header of the file has already required."""
    inner = re.sub(
        r"^(From .* Require .*|Import ListNotations|Open Scope R_scope|Set Warnings .*)\.\n",
        "",
        _source(name),
        flags=re.M,
    )
    return f"Module {name}.\n{inner}End {name}.\nImport {name}.\n"


def _source(name: str) -> str:
    return (resources.files("costderive.publish.coq") / "library" / f"{name}.v").read_text(encoding="utf-8")
