"""Which reports tie where a threshold weight vanishes but for atoms, in words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import sympy
from sympy import Expr

from costderive.core.piecewise import Atom
from costderive.deciders.signs import positive
from costderive.publish.words.document_blocks import Prose, prose
from costderive.publish.words.proofs_of_properness import gaps
from costderive.publish.words.scene import Scene, series
from costderive.publish.words.sign_of_weight import vanishes_outside
from costderive.rules import Properness


def ties_beside_atoms(found: Properness, scene: Scene) -> Prose:
    """Say for which reports and beliefs two risks are equal; nothing if the order of atoms and gaps is not seen.

    A belief q and a report p tie if no mass is in (q, p), or in [p, q) if p is below q.
    """
    atoms, given = scene.losses.weight.atoms, scene.case.given
    known = all(positive(atom.mass, None, given) for atom in atoms) and vanishes_outside(scene.losses)
    if not (atoms and found.strict and known and _are_ordered(found, atoms)):
        return ()
    ties = [tie for low, high in gaps(found) for tie in _ties(low, high, [atom.at for atom in atoms])]
    return prose("In general, $R(p|q) = R(q|q)$ if and only if $p = q${}.", series(ties, ""))


def _are_ordered(found: Properness, atoms: tuple[Atom, ...]) -> bool:
    ends = [end for gap in gaps(found) for end in gap]
    return all((atom.at - end).is_number for atom in atoms for end in ends)


def _ties(low: Expr, high: Expr, atoms: Iterable[Expr]) -> list[Prose]:
    """Name the ranges within a gap between which no atom is, and the atoms that tie with what follows them."""
    inside = sorted(at for at in atoms if low <= at < high)
    after = list(pairwise([*inside, high]))
    first = (low, inside[0] if inside else high)
    both = [prose(", or $p$ and $q$ both lie in $[{}, {}]$", *first)] if first[0] != first[1] else []
    both += [prose(", or $p$ and $q$ both lie in $({}, {}]$", at, end) for at, end in after]
    return [*both, *[_after(at, end) for at, end in after]]


def _after(atom: Expr, end: Expr) -> Prose:
    if end == sympy.S.One:
        return prose(", or $q = {} < p$", atom)
    return prose(r", or $q = {} < p \le {}$", atom, end)
