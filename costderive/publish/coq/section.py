"""A part of a file of Coq about one case of a derivation: its lemmas and the theorems that they lead to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """Lemmas and theorems that stand in the section of Coq of a case, after its parameters and definitions.

    ``case`` is the name of that section, ``imports`` the files of the library that the text needs, and ``theorems``
    the names of the final theorems, whose axioms Coq prints.
    """

    case: str
    name: str
    imports: tuple[str, ...]
    text: str
    theorems: tuple[str, ...]
