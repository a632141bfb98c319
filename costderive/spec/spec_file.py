"""A spec as a whole: its title, its source, its context and the losses that the source gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sympy import Expr

from costderive import multiclass
from costderive.core.errors import SpecError
from costderive.core.piecewise import Pieces
from costderive.core.short_repr import short_repr
from costderive.core.time_limit import within
from costderive.core.toml_input import as_table, content, known_keys, toml, words
from costderive.costs.contexts import Context
from costderive.costs.read_threshold import threshold_from
from costderive.costs.thresholds import Calibrated, Threshold, thresholded
from costderive.derivation import derive
from costderive.derivation.derivation import Derivation
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.multiclass import MulticlassDerivation
from costderive.multiclass.class_costs import ClassContext
from costderive.proof.claims import Report, Verdict
from costderive.spec.context_kinds import ABOVE, context_of, costs_from
from costderive.spec.expected_comparison import compared
from costderive.spec.spec_values import number, pieces


@dataclass(frozen=True, slots=True)
class Expected:
    """The losses that a source gives for a context, as functions of ``p``."""

    loss0: Pieces
    loss1: Pieces

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Spec:
    """A cost context with its title and source, the losses that the source gives, if any, and numbers for a picture.

    ``example`` has a number for each parameter, by name; it is empty if the context has none. ``made_of`` has the parts
    that the costs were written in, if they were; ``context`` is then what these make.

    Raises:
        SpecError: if there is a threshold, or expected losses, for costs that are given class by class; if the context
            is not that of the parts.
    """

    title: str
    source: str
    context: Context | ClassContext
    expected: Expected | None = None
    threshold: Threshold = Calibrated()
    example: Mapping[str, Expr] = field(default_factory=dict)
    made_of: CostsOfParts | None = None

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.made_of is not None and self.made_of.context != self.context:
            raise SpecError("made_of has parts of other costs than context", "Leave one of them out.")
        if isinstance(self.context, ClassContext):
            if not isinstance(self.threshold, Calibrated):
                remedy = (
                    "Decisions between several classes have the least expected cost; leave the threshold out."
                )
                raise SpecError(f"threshold = {self.threshold} is for costs of two classes", remedy)
            if self.expected is not None:
                raise SpecError("expected has losses of two classes", "Leave it out.")

    @classmethod
    def of(cls, table: Mapping[str, object]) -> Spec:
        """Return the spec of a context alone, from a table as `context_from` reads."""
        costs = costs_from(table)
        return cls("", "", context_of(costs), made_of=_made_of(costs))

    @property
    def start(self) -> Context | ClassContext:
        """What the derivation starts from: the costs, and the threshold if it is not the calibrated one."""
        costs = self.context
        return thresholded(costs, self.threshold) if isinstance(costs, Context) else costs

    def derive(self, time_limit: float = 60.0) -> Derivation | MulticlassDerivation:
        """Derive the scoring rule, with the steps of its proof; losses that are expected are compared with its own.

        Raises:
            SpecError: if the context has no scoring rule or, with K classes, none was found in so many seconds; if
                the losses are not those expected, with a point where they differ.
        """
        if isinstance(self.context, Context):
            derivation = derive.derive(self.context, threshold=self.threshold, time_limit=time_limit)
            self.compare(derivation)
            return derivation
        try:
            found: MulticlassDerivation = within(time_limit, multiclass.derive, self.context)
        except TimeoutError:
            problem = (
                f"the losses of {self.context.classes} classes were not written down in {time_limit:g} s"
            )
            raise SpecError(problem, "Give more --time-limit, or fewer classes.") from None
        return found

    def compare(self, derivation: Derivation | MulticlassDerivation) -> Report | None:
        """Decide that the losses of a derivation are those expected; return what was found, or ``None`` without any.

        Raises:
            SpecError: if they differ, with a point where they do.
        """
        if self.expected is None or not isinstance(derivation, Derivation):
            return None
        report = compared((self.expected.loss0, self.expected.loss1), derivation)
        if report.verdict is Verdict.REFUTED:
            problem = f"[expected] is not what follows from these costs: {report.doubt}"
            raise SpecError(problem, "Correct [expected], or leave it out.")
        return report


def load(path: str | Path) -> Spec:
    """Read a spec file.

    Raises:
        SpecError: if the file cannot be read or is not a spec; the message names file, key and value.
    """
    text = content(path, remedy="A spec is a TOML file with a table [context].")
    return parse(text, place=str(path))


def parse(text: str, place: str = "spec") -> Spec:
    """Read a spec from its text; errors start with ``place``.

    Raises:
        SpecError: if the text is not TOML or does not say a meaningful context.

    >>> parse('title = "Half"\\n[context]\\nkind = "additive"\\nbudget = 1').context
    PowerMean(k=1, mean=1/2, density=None, c0=None, c1=None)
    """
    table = toml(text, place)
    known_keys(table, (*ABOVE, "context", "expected", "example"), place, "")
    if "context" not in table:
        raise SpecError(
            f"{place} has no table [context]", 'Write [context] and below it kind = "additive", say.'
        )
    expected = table.get("expected")
    costs = costs_from(table["context"], place)
    parts = (
        words(table.get("title", ""), f"{place}: title"),
        words(table.get("source", ""), f"{place}: source"),
        context_of(costs),
        None if expected is None else _expected(expected, place),
        threshold_from(table["threshold"], f"{place}: threshold") if "threshold" in table else Calibrated(),
        _example(table.get("example", {}), f"{place}: example"),
        _made_of(costs),
    )
    try:
        return Spec(*parts)
    except SpecError as error:
        raise SpecError(f"{place}: {error.problem}", error.remedy) from None


def _made_of(costs: object) -> CostsOfParts | None:
    return costs if isinstance(costs, CostsOfParts) else None


def _example(value: object, place: str) -> dict[str, Expr]:
    return {name: number(given, f"{place}.{name}") for name, given in as_table(value, place).items()}


def _expected(value: object, place: str) -> Expected:
    table = as_table(value, f"{place}: expected")
    known_keys(table, ("loss0", "loss1"), place, "expected.")
    if len(table) < 2:
        raise SpecError(f"{place}: expected gives one loss", "Give loss0 and loss1, or leave [expected] out.")
    loss0, loss1 = (pieces(table[key], f"{place}: expected.{key}") for key in ("loss0", "loss1"))
    return Expected(loss0, loss1)
