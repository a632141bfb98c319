"""A whole file of Coq: the parts of the library that it needs, and one section for each case of each derivation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

import costderive
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.publish.coq import COMPILED
from costderive.publish.coq.chapters import Chapter, chapter_of
from costderive.publish.coq.library_text import LIBRARY, as_module, header, with_required
from costderive.publish.coq.section import Section
from costderive.publish.coq.tactics import WIDTH

ALONE = "Check it with coqc; it needs Coquelicot."
BESIDE = "Check it with coqc -Q ../coq CostDerive once the library there is compiled; both need Coquelicot."


def coq(derivation: Derivation | MulticlassDerivation, *, whole: bool = True, library: bool = True) -> str:
    """Return a file of Coq about the rule of a derivation; ``coqc`` with Coquelicot accepts it alone.

    Without the ``library`` the file requires that of `library_files` as ``CostDerive``, compiled beside it.

    The file starts from the law of the costs, as far as Coq gets it: that it is a law, that whoever decides at the
    report pays in expectation these losses, that the threshold weight is the inner integral, that the expected loss
    is the one over the scores, properness with the reports 0 and 1, and what a tie at an atom may be charged. It
    names the parts that it leaves out. A theorem of each case says that the rule is proper, strictly so where the
    derivation concludes it; or that it is not, with its witness. If it is not ``whole``, that is all. Where Coq gets no
    closed form of the losses, the file is about the law alone, and names them as left out: whatever functions the
    expected costs are, they are proper.

    Of several classes, it is about a matrix of known costs: whoever takes the act of the least expected cost pays
    these losses, they are proper, and at which forecasts each act is taken; or about costs of the classes whose
    losses are rational functions, in each order of the probabilities: that these are proper.

    Raises:
        ExportError: if neither losses nor the law have a form in Coq, or signs are not visible there, the
            derivation concludes neither that the rule is proper nor that it is not, or losses of several classes have
            formulas in many orders, or none that is rational.
    """
    return combined({"Rule": derivation}, whole=whole, library=library)


def combined(
    derivations: Mapping[str, Derivation | MulticlassDerivation], *, whole: bool = False, library: bool = True
) -> str:
    """Return one file about several rules, each in a module of the name that it is given."""
    chapters = {name: chapter_of(derivation, whole) for name, derivation in derivations.items()}
    found = [section for chapter in chapters.values() for section in chapter.sections]
    imports = {name for section in found for name in section.imports}
    needed = [name for name in LIBRARY if name in (with_required(imports) if library else imports)]
    opening = f"(* Written by costderive {costderive.__version__}. {ALONE if library else BESIDE} *)\n"
    base = [*map(as_module, needed)] if library else [f"From {COMPILED} Require Import {' '.join(needed)}.\n"]
    modules = [_module(name, chapter) for name, chapter in chapters.items()]
    return "\n".join([opening, header(needed), *base, *modules, _axioms(chapters)])


def theorems(text: str) -> tuple[str, ...]:
    """Return the names of the theorems on the rule in a file that `coq` writes, each once, without its library's.

    Costs that have modules of their own have a rule there too, which is another one: of these only what is about the
    costs is returned.
    """
    _, _, rule = text.rpartition("\nModule Rule.\n")
    modules = re.split(r"^Module (?=\w+\.$)", rule, flags=re.M)
    found = [re.findall(_ON_COSTS if _OF_COSTS.match(x) else _THEOREM, x, re.M) for x in modules]
    return tuple(dict.fromkeys(name for names in found for name in names))


_THEOREM = r"^Theorem (\w+)"
_OF_COSTS = re.compile(r"costs|part\d|held")
_ON_COSTS = r"^Theorem ((?:lawful|total|prices|mean_is)\w*)"


def left_out(text: str) -> tuple[str, ...]:
    """Return what files of Coq say that they leave out of a derivation, by name; empty if nothing."""
    return tuple(re.findall(r"^\(\* Left out: (.*)\. \*\)$", text, re.M))


def sections(derivation: Derivation | MulticlassDerivation, *, whole: bool = False) -> tuple[Section, ...]:
    """Return what there is to prove of a derivation, case by case."""
    return chapter_of(derivation, whole).sections


def _module(title: str, chapter: Chapter) -> str:
    parts = [f"(* Left out: {', '.join(chapter.without)}. *)\n"] if chapter.without else []
    for name, opening, closing in chapter.cases:
        texts = [section.text for section in chapter.sections if section.case == name]
        parts += [opening, *texts, closing, ""]
    return "\n".join([f"Module {title}.", "", *parts, f"End {title}.", ""])


def _axioms(chapters: Mapping[str, Chapter]) -> str:
    """Return the command that prints the axioms on which the final theorems rest, all of them together."""
    names = [
        f"{name}.{section.case}.{theorem}"
        for name, chapter in chapters.items()
        for section in chapter.sections
        for theorem in section.theorems
    ]
    listed = textwrap.fill(", ".join(f"@{name}" for name in names), WIDTH, subsequent_indent="   ")
    return f"Definition final_theorems :=\n  ({listed}).\nPrint Assumptions final_theorems.\n"
