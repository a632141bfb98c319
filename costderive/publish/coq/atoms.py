"""Atoms of a threshold weight in Coq: a tie may be charged in those ways, and no others, that share the atom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr

from costderive.derivation.derivation import Derivation
from costderive.publish.coq.facts import ordered
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, neighbours, settings
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("Elementary", "Properness", "Limits", "Endpoints", "Atoms")


def sections(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case with atoms; it stands after the one on properness."""
    return tuple(_section(setting) for setting in settings(derivation) if setting.atoms)


def _section(setting: Setting) -> Section:
    pairs = [(left, right) for left, right in neighbours(setting.cells) if setting.mass(left.on.high) != 0]
    ties = [_Tie(setting, left, right) for left, right in pairs]
    text = "\n".join(line for tie in ties for line in tie.lemmas())
    return Section(setting.name, "atoms", IMPORTS, text, tuple(tie.name for tie in ties))


@dataclass(frozen=True, slots=True)
class _Tie:
    """An atom between two pieces."""

    setting: Setting
    left: Cell
    right: Cell

    @property
    def name(self) -> str:
        """The name of the theorem."""
        return f"tie{self.left.number}"

    @property
    def mass(self) -> str:
        """The mass, as an argument."""
        return atomic(self.setting.mass(self.left.on.high))

    def lemmas(self) -> Iterator[str]:
        """Yield the limits of both losses on both sides, and what a tie may add to the losses."""
        yield from [self._limit(label, side) for label in (0, 1) for side in ("before", "behind")]
        yield self._theorem()

    def _behind(self, label: int) -> str:
        """The limit of a loss behind the jump."""
        at_ = self.left.high
        return f"L0 {at_} + {at_} * {self.mass}" if label == 0 else f"L1 {at_} - (1 - {at_}) * {self.mass}"

    def _limit(self, label: int, side: str) -> str:
        at_, joint = self.left.high, f"join{self.left.number}"
        cell, where = (self.left, "left") if side == "before" else (self.right, "right")
        value = f"L{label} {at_}" if side == "before" else self._behind(label)
        here = f"replace (L{label} {at_}) with (loss{label} {self.left.name} {at_})"
        known = "reflexivity" if side == "before" else f"apply {joint}"
        return lemma(
            f"loss{label}_{side}{self.left.number}",
            f"filterlim L{label} (at_{where} {at_}) (locally ({value}))",
            f"{' '.join(self._orders())} {here}"
            f" by (unfold L{label}; cbn [loss{label} {self.left.name}]; branch; reflexivity).",
            f"apply (tends_from_{where} L{label} (loss{label} {cell.name}) {cell.low} {cell.high}); [lra"
            f" | intros x X; unfold L{label}; cbn [loss{label} {cell.name}]; branch; reflexivity"
            f" | apply continuity_pt_filterlim, slopes{cell.number}; lra | {known}].",
        )

    def _orders(self) -> Iterator[str]:
        """Yield the order of the breakpoints, which is strict beside the atom."""
        yield self.setting.ordered
        places: list[Expr] = [ZERO, self.left.on.low, self.left.on.high, self.right.on.high, ONE]
        for number, (low, high) in enumerate(pairwise(places), start=1):
            if low != high:
                strict = number in (2, 3)
                yield ordered(f"near{number}", low, high, None, self.setting.given, strict=strict)

    def _theorem(self) -> str:
        at_, number = self.left.high, self.left.number
        return lemma(
            f"{self.name} x y",
            f"0 <= x -> 0 <= y ->\n  ((1 - {at_}) * x + {at_} * y = {at_} * (1 - {at_}) * {self.mass} <->\n"
            f"   Proper (with_tie L0 {at_} (L0 {at_} + x)) (with_tie L1 {at_} ({self._behind(1)} + y)))",
            f"{' '.join(self._orders())} intros X Y. split; intro Shared.",
            f"- apply (proper_if_tie_shares L0 L1 {at_} {self.mass}); try assumption;"
            f" [lra | exact proper | apply loss0_behind{number} | apply loss1_behind{number}].",
            f"- apply (tie_shares_if_proper L0 L1 {at_} {self.mass}); try assumption;"
            f" [lra | apply loss0_before{number} | apply loss1_before{number}].",
            kind="Theorem",
        )
