"""A spec as a whole: its title, its source, its context and the losses that the source gives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sympy import Expr

from costderive import multiclass
from costderive.contexts import Context
from costderive.deadline import within
from costderive.derivation import Derivation
from costderive.errors import SpecError
from costderive.multiclass import ClassCosts, MulticlassDerivation
from costderive.pieces import Pieces
from costderive.spec.kinds import context_from
from costderive.spec.values import numbers, pieces, threshold_from
from costderive.tables import as_table, content, known_keys, shown, toml, words
from costderive.thresholds import Calibrated, Threshold
from costderive.walks import derive


@dataclass(frozen=True, slots=True)
class Expected:
    """The losses that a source gives for a context, as functions of ``p``."""

    loss0: Pieces
    loss1: Pieces


@dataclass(frozen=True, slots=True)
class ExpectedAt:
    """The losses of K classes that a source gives at some forecasts, one for each class."""

    losses: tuple[tuple[tuple[Expr, ...], tuple[Expr, ...]], ...]


@dataclass(frozen=True, slots=True)
class Spec:
    """A cost context with its title and source, and the losses that the source gives, if any.

    Raises:
        SpecError: if there is a threshold for more than two classes.
    """

    title: str
    source: str
    context: Context | ClassCosts
    expected: Expected | ExpectedAt | None = None
    threshold: Threshold = Calibrated()

    def __post_init__(self) -> None:
        if isinstance(self.context, ClassCosts) and not isinstance(self.threshold, Calibrated):
            remedy = "Costs of several classes decide for the largest p_i c_i; leave the threshold out."
            raise SpecError(f"threshold = {self.threshold} is for costs of two classes", remedy)

    def derive(self, time_limit: float = 60.0) -> Derivation | MulticlassDerivation:
        """Derive the scoring rule, with the steps of its proof.

        Raises:
            SpecError: if the context has no scoring rule or, with K classes, none was found in so many seconds.
        """
        if isinstance(self.context, Context):
            return derive(self.context, threshold=self.threshold, time_limit=time_limit)
        try:
            found: MulticlassDerivation = within(time_limit, multiclass.derive, self.context)
        except TimeoutError:
            problem = (
                f"the losses of {self.context.classes} classes were not written down in {time_limit:g} s"
            )
            raise SpecError(problem, "Give more --time-limit, or fewer classes.") from None
        return found


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
    known_keys(table, ("title", "source", "threshold", "context", "expected"), place, "")
    if "context" not in table:
        raise SpecError(
            f"{place} has no table [context]", 'Write [context] and below it kind = "additive", say.'
        )
    context = context_from(table["context"], place)
    read = _expected_at if isinstance(context, ClassCosts) else _expected
    try:
        return Spec(
            words(table.get("title", ""), f"{place}: title"),
            words(table.get("source", ""), f"{place}: source"),
            context,
            read(table["expected"], place) if "expected" in table else None,
            threshold_from(table["threshold"], "threshold") if "threshold" in table else Calibrated(),
        )
    except SpecError as error:
        told = error.problem if error.problem.startswith(place) else f"{place}: {error.problem}"
        raise type(error)(told, error.remedy) from None


def _expected_at(value: object, place: str) -> ExpectedAt:
    """Read ``at = [{forecast = [...], losses = [...]}, ...]``."""
    table = as_table(value, f"{place}: expected")
    known_keys(table, ("at",), place, "expected.")
    rows = table.get("at")
    if not isinstance(rows, list) or not rows:
        remedy = 'Write at = [{forecast = ["1/2", "1/2"], losses = ["1/4", "1/4"]}].'
        raise SpecError(f"{place}: expected.at = {shown(rows)} is not a list of losses at forecasts", remedy)
    return ExpectedAt(tuple(_row(row, f"{place}: expected.at[{n}]") for n, row in enumerate(rows)))


def _row(value: object, place: str) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    table = as_table(value, place)
    known_keys(table, ("forecast", "losses"), "", f"{place}.")
    forecast, losses = (tuple(numbers(table.get(key), f"{place}.{key}")) for key in ("forecast", "losses"))
    if len(forecast) != len(losses):
        raise SpecError(
            f"{place} has {len(losses)} losses at {len(forecast)} probabilities", "Give one each."
        )
    return forecast, losses


def _expected(value: object, place: str) -> Expected:
    table = as_table(value, f"{place}: expected")
    known_keys(table, ("loss0", "loss1"), place, "expected.")
    if len(table) < 2:
        raise SpecError(f"{place}: expected gives one loss", "Give loss0 and loss1, or leave [expected] out.")
    loss0, loss1 = (pieces(table[key], f"{place}: expected.{key}") for key in ("loss0", "loss1"))
    return Expected(loss0, loss1)
