"""What the description of a move may look at, and short ways to say things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sympy import Expr, Integral, Symbol

from costderive.core.piecewise import Atom
from costderive.costs.expected_loss import ExpectedLoss
from costderive.costs.thresholds import FixedThreshold
from costderive.derivation.derivation import losses
from costderive.derivation.moves import SetThreshold
from costderive.proof.claims import Case
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.notation import PLACE
from costderive.publish.formulas.printing import Part, chain, formula, taken
from costderive.publish.words.document_blocks import (
    Block,
    Display,
    Paragraph,
    Proof,
    Prose,
    Theorem,
    displayed,
    filled,
    prose,
)
from costderive.publish.words.long_values import Names
from costderive.rules import Conclusion, Losses, Undecided, Witness

SHOWN = 8  # forecasts, weights and functions that are written out
NAMED = 4  # classes that are named one by one
RISK = r"R(p|q) = (1 - q) \, L_0(p) + q \, L_1(p) \qquad (0 \cdot \infty = 0)."
PROPER = (
    "The rule is proper if $R(p|q) \\ge R(q|q)$ for all $p, q \\in [0, 1]$, and strictly proper if equality holds "
    "for $p = q$ alone [@Gneiting2007]."
)
NEITHER = "Neither a proof that the rule is proper nor a witness against it was found."
AGAINST_WEIGHT = (
    r"L = \int_0^1 \bigl(\pi_0 s \, (1 - F_0(s)) + \pi_1 (1 - s) \, F_1(s)\bigr) \, \Omega(ds), "
    r"\qquad \Omega(ds) = \mathbb{E}[c_0 + c_1; \; s \in ds]."
)


@dataclass(frozen=True, slots=True)
class Scene:
    """A case of a derivation, the names of its long values, and whether both costs are bounded.

    A ``brief`` paper cites the preliminaries for what holds for all costs. In the scene of the steps before the mean
    over a part is taken, its value is ``held``.
    """

    case: Case
    names: Names
    bounded: bool = False
    brief: bool = False
    held: Symbol | None = None

    @property
    def stated(self) -> str:
        """Where the losses are stated that are being proved."""
        return "of the theorem" if self.held is None else "stated above"

    @property
    def losses(self) -> Losses:
        """The losses that the case arrives at, with their threshold weight; at 0 and 1 they have their limits."""
        return self._found.with_limits()

    @property
    def one_sided(self) -> tuple[Expr, Expr]:
        """What the losses exceed their limits by at the sure reports."""
        return self._found.one_sided

    @property
    def _found(self) -> Losses:
        found = losses(self.case)
        assert isinstance(found, Losses)  # a story of pairs has no scenes
        return found

    @property
    def expected(self) -> ExpectedLoss | None:
        """The expected loss over the costs, if the derivation starts from one."""
        return next((step.after for step in self.case.steps if isinstance(step.after, ExpectedLoss)), None)

    @property
    def measure(self) -> str:
        """The threshold weight under an integral sign: a density, or a measure if it has atoms."""
        return r"\Omega(ds)" if self.losses.weight.atoms else r"\omega(s) \, ds"

    def finite(self, worst: Expr) -> bool | None:
        """Return whether a limit of a loss is finite; ``None`` if it is an integral for which this is open."""
        if worst.is_infinite:
            return False
        return True if self.bounded or not worst.has(Integral) else None


def fixed_threshold(case: Case) -> Expr | None:
    """Return the threshold of a case that decides at a fixed one."""
    moves = [step.move for step in case.steps if isinstance(step.move, SetThreshold)]
    found = [move.threshold.at for move in moves if isinstance(move.threshold, FixedThreshold)]
    return found[0] if found else None


def say(text: str, *parts: Part | Prose, lead: str = "") -> Paragraph:
    """Return a paragraph, its places filled by the parts; ``lead`` is the title that runs into it."""
    return Paragraph(prose(text, *parts), lead)


def show(text: str, *parts: Part, label: str = "") -> Display:
    r"""Return a display, its places filled by the parts; ``\\`` ends a row, and ``&`` says where rows are aligned."""
    assert len(parts) == text.count(PLACE), f"{len(parts)} parts for the places of {text!r}"
    left = iter(parts)
    return displayed([[taken(cell, left) for cell in row.split(" & ")] for row in text.split(r" \\ ")], label)


def listed(items: Iterable[Part | Prose]) -> Prose:
    """Return ``a, b and c``."""
    *first, last = items
    return prose("{} and {}", series(first), last) if first else filled(last)


def series(items: Iterable[Part | Prose], between: str = ", ") -> Prose:
    """Return items with the same between any two of them."""
    parts = list(items)
    return prose(between.join([PLACE] * len(parts)), *parts)


def counted(number: int) -> str:
    """Return a small number as a word."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return words[number] if number < len(words) else str(number)


def by_label(pattern: str, count: int) -> str:
    """Return a pattern with the label of each class in it, in TeX; the middle of a long list is left out."""
    labels = [pattern.format(label) for label in range(count)]
    return ", ".join(labels if count <= NAMED else [*labels[:2], r"\ldots", labels[-1]])


def numbered(name: str, index: int, count: int) -> str:
    """Return a letter, with an index if there are several."""
    return name if count == 1 else f"{name}_{{{index}}}"


Description = Iterator[Block]


def few(items: Iterable[Part]) -> list[Part]:
    """Return items, or of many ones the beginning and the end."""
    written = list(items)
    return written if len(written) <= SHOWN else [*written[: SHOWN // 2], r"\ldots", written[-1]]


def point(values: Expr | Iterable[Expr]) -> Row:
    """Write a probability, or a forecast of several; of a long one the beginning and the end."""
    return formula(values) if isinstance(values, Expr) else formula("({})", chain(", ", few(values)))


def against(opening: str | Prose, witness: Witness, letter: str = "p") -> Description:
    """State that a report has a smaller risk than the truth, as a witness against a rule shows."""
    belief, report = point(witness.belief), point(witness.report)
    yield say("{} $q = {}$, the report ${} = {}$ has the smaller risk", opening, belief, letter, report)
    yield show("R({}|q) = {} < {} = R(q|q).", letter, witness.better, witness.truthful)


def on_properness(
    reached: Conclusion, statement: Iterable[Block], proof: Iterable[Block], label: str, note: str
) -> Description:
    """State what is concluded of a rule, and prove it, unless that is left open."""
    if isinstance(reached, Undecided):
        yield say(NEITHER)
    else:
        yield Theorem("Theorem", "properness", tuple(statement), label, note)
        yield Proof(tuple(proof), note)


def ranges(parts: Iterable[tuple[Expr, Expr]], between: str = " and in ") -> Prose:
    """List open intervals: ``(0, 1/2) and in (3/4, 1)``."""
    return series((formula("({}, {})", low, high) for low, high in parts), between)


def atoms_in_words(atoms: Iterable[Atom]) -> Prose:
    """List point masses of a threshold weight."""
    return series((prose("mass {} at $s = {}$", x.mass, x.at) for x in atoms), " and ")
