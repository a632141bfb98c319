"""The kinds of checks that a claim's file can name, and how the inputs of each are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Interval
from costderive.core.symbols import s
from costderive.derivation.parse_losses import pair_of
from costderive.literature import fields
from costderive.literature.batch_questions import BATCHES, BatchIs
from costderive.literature.class_questions import OF_CLASSES, PROPER, STRICT, ForAllClasses, SumOfClasses
from costderive.literature.confusion import Confusion
from costderive.literature.equality_questions import (
    Concave,
    Identity,
    Inequality,
    Slope,
    Supremum,
    Value,
    printed_number,
)
from costderive.literature.integral_questions import ByParts, ExpectedLossIs, Part, Term
from costderive.literature.loss_questions import EntropyIs, Generates, LossesAre
from costderive.literature.measure_questions import MeasureIs
from costderive.literature.penalised_questions import PenalisedForAllClasses
from costderive.literature.properness_questions import VERDICTS, IsProper, IsSuperior
from costderive.literature.question import Question
from costderive.literature.range_questions import RangeIs
from costderive.literature.rank_questions import AucIs
from costderive.literature.ranking_questions import RANKED, RankingIs
from costderive.literature.uniqueness_questions import OnlyLocal, OnlyWithWeight, ProperOnlyIf
from costderive.multiclass.penalised import Ties
from costderive.rules.loss_pair import LossPair


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of check: what it says, what builds its question, how each input is read, and which are needed."""

    about: str
    build: Callable[..., Question]
    keys: Mapping[str, fields.Reader]
    required: tuple[str, ...]


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise SpecError(f"{place} = {value!r:.60} is not text", 'Write "p^2", or "0 if p <= 1/2; 1".')
    return str(value)


def _paired(build: Callable[..., Question]) -> Callable[..., Question]:
    """Let a question be built of the texts of two losses."""

    def built(*, loss0: str, loss1: str, **others: Any) -> Question:
        texts = {"texts": (loss0, loss1)} if build in (IsProper, ProperOnlyIf) else {}
        return build(losses=pair_of(loss0, loss1), **texts, **others)

    return built


def _function(value: Any, place: str) -> LossPair:
    """Read a function of p by cases: a pair of losses that are both this function."""
    text = _text(value, place)
    return pair_of(text, text)


def _range(low: Expr, high: Expr) -> Interval:
    return Interval(s, low, high)


def _part(**inputs: Any) -> Part:
    label, ends = inputs.pop("class"), inputs.pop("s")
    return Part(label, _range(*ends), **inputs)


def _term(**inputs: Any) -> Term:
    label, ends = inputs.pop("class"), inputs.pop("s")
    return Term(label, _range(*ends), inputs["integrand"], inputs.get("c1"))


def _cdf_values(value: Any, place: str) -> tuple[tuple[Symbol, int, Expr], ...]:
    """Read letters for values of the distribution functions: ``{A = [0, "1/2"]}`` says that A is F0(1/2)."""
    rows = fields.table(value, place).items()
    return tuple((fields.letter(name, place), *_cdf_value(pair, f"{place}.{name}")) for name, pair in rows)


def _cdf_value(value: Any, place: str) -> tuple[int, Expr]:
    if not isinstance(value, list) or len(value) != 2:
        raise SpecError(
            f"{place} = {value!r:.60} is not a class and a point", 'Write [0, "1/2"] for F0(1/2).'
        )
    return _label(value[0], place), fields.expression(value[1], place)


def _label(value: Any, place: str) -> int:
    label = fields.whole(value, place)
    if label > 1:
        raise SpecError(f"{place} = {label} is not a class", "The classes are 0 and 1.")
    return label


def _ties(value: Any, place: str) -> Ties:
    return Ties(fields.one_of(*[ties.value for ties in Ties])(value, place))


def _witness(value: Any, place: str) -> tuple[Expr, Expr]:
    read = fields.record(dict, dict.fromkeys(("belief", "report"), fields.expression), ("belief", "report"))
    found = read(fields.table(value, place), place)
    return found["belief"], found["report"]


LOSSES = {"loss0": _text, "loss1": _text}
TERM = fields.record(
    _term,
    {"class": _label, "s": fields.bounds, "c1": fields.bounds, "integrand": fields.expression},
    ("class", "s", "integrand"),
)
PART = fields.record(
    _part,
    {"class": _label, "s": fields.bounds, "rate": fields.expression, "kernel": fields.expression},
    ("class", "s", "rate", "kernel"),
)
SIDES = {"left": fields.expression, "right": fields.expression}
LETTERS = {"where": fields.where, "on": fields.interval}

KINDS: Mapping[str, Kind] = {
    "losses": Kind(
        "the losses of a context, at its threshold, are loss0 and loss1",
        lambda losses, **others: LossesAre(printed=losses, **others),
        {**LOSSES, "context": fields.context, "threshold": fields.threshold},
        ("context", "loss0", "loss1"),
    ),
    "expected-loss": Kind(
        "the expected loss of a context is a sum of integrals over s, and within it over c1",
        ExpectedLossIs,
        {
            "context": fields.context,
            "terms": fields.tables(TERM),
            "unweighted": fields.flag,
            "where": fields.where,
        },
        ("context", "terms"),
    ),
    "proper": Kind(
        "a pair of losses is strictly proper, proper or improper; a witness is a belief and a report",
        IsProper,
        {**LOSSES, "says": fields.one_of(*VERDICTS), "witness": _witness},
        ("loss0", "loss1", "says"),
    ),
    "proper-only-if": Kind(
        "a pair of losses is proper if and only if a letter has this value",
        ProperOnlyIf,
        {**LOSSES, "letter": fields.letter, "value": fields.expression},
        ("loss0", "loss1", "letter", "value"),
    ),
    "only-with-weight": Kind(
        "a pair of losses is the only proper one with this threshold weight in s that costs nothing at right certainty",
        OnlyWithWeight,
        {**LOSSES, "weight": fields.expression},
        ("loss0", "loss1", "weight"),
    ),
    "only-local": Kind(
        "f(p) of the true class alone is the only differentiable proper loss of K > 2 classes that is of that form",
        OnlyLocal,
        {"loss": fields.expression},
        ("loss",),
    ),
    "superior": Kind(
        "every correct prediction loses less than every wrong one, and a number lies between the two",
        IsSuperior,
        {**LOSSES, "between": fields.expression},
        ("loss0", "loss1", "between"),
    ),
    "entropy": Kind(
        "the least expected loss of a pair of losses is this function",
        EntropyIs,
        {**LOSSES, "entropy": _function},
        ("loss0", "loss1", "entropy"),
    ),
    "generates": Kind(
        "this entropy has these losses as its tangents",
        Generates,
        {"entropy": _function, **LOSSES},
        ("entropy", "loss0", "loss1"),
    ),
    "sum-of-classes": Kind(
        "own(p_i) plus the sum of other(p_j) over the other classes is a proper loss with that entropy",
        SumOfClasses,
        {
            **dict.fromkeys(("own", "other", "entropy"), fields.expression),
            "says": fields.one_of(STRICT, PROPER),
        },
        ("own", "other", "entropy", "says"),
    ),
    "penalised": Kind(
        "a named rule with a penalty in K, unless p_i is the largest, is proper or not for every K; a tie goes to the "
        "lowest class, or to all, so that it costs none",
        PenalisedForAllClasses,
        {
            "rule": fields.one_of(*OF_CLASSES),
            "penalty": fields.expression,
            "ties": _ties,
            "says": fields.one_of(STRICT, PROPER, "improper"),
        },
        ("rule", "penalty", "ties", "says"),
    ),
    "classes": Kind(
        "a named rule is strictly proper, proper or improper for every number of classes",
        ForAllClasses,
        {"rule": fields.one_of(*OF_CLASSES), "says": fields.one_of(STRICT, PROPER, "improper")},
        ("rule", "says"),
    ),
    "identity": Kind(
        "both sides are equal, for all positive values of their letters that satisfy where",
        Identity,
        {**SIDES, **LETTERS, "positive": fields.expressions},
        ("left", "right"),
    ),
    "confusion": Kind(
        "an equation in TP, FN, FP and TN, where one class is called positive",
        Confusion,
        {**SIDES, "positive": _label},
        ("left", "right", "positive"),
    ),
    "inequality": Kind(
        "left is less than right (weak: at most), for all positive values of their letters",
        Inequality,
        {**SIDES, **LETTERS, "weak": fields.flag},
        ("left", "right"),
    ),
    "value": Kind(
        "an expression has the printed digits, or is within twice the standard error of a simulation",
        Value,
        {
            "expression": fields.expression,
            "printed": printed_number,
            "where": fields.where,
            "error": printed_number,
        },
        ("expression", "printed"),
    ),
    "slope": Kind(
        "the derivative of left is right, for letters whose derivatives are the rates",
        Slope,
        {**SIDES, "rates": fields.rates, "up_to_a_constant": fields.flag},
        ("left", "right", "rates"),
    ),
    "concave": Kind(
        "an expression is concave in a variable in which its letters have the rates as derivatives",
        Concave,
        {"of": fields.expression, "rates": fields.rates},
        ("of", "rates"),
    ),
    "supremum": Kind(
        "an expression has this least upper bound on a range, and tends to it at one end",
        Supremum,
        dict.fromkeys(("expression", "at", "value"), fields.expression) | {"on": fields.interval},
        ("expression", "on", "at", "value"),
    ),
    "range": Kind(
        "an expression that only rises, or only falls, on a range takes just the values between two",
        RangeIs,
        {
            "expression": fields.expression,
            "on": fields.interval,
            "values": fields.bounds,
            "where": fields.where,
        },
        ("expression", "on", "values"),
    ),
    "by-parts": Kind(
        "integrals of a kernel against densities are those of its rate against distribution functions",
        ByParts,
        {
            "parts": fields.tables(PART),
            "boundary": fields.expression,
            "at": _cdf_values,
            "whole": fields.flag,
        },
        ("parts",),
    ),
    "auc": Kind(
        "a formula in D = y . psi, n and n1 is the area under the ROC curve, for each small ranking",
        AucIs,
        {"formula": fields.expression},
        ("formula",),
    ),
    "ranking": Kind(
        "a named rule of K classes is superior, or not; largest is what right predictions lose at most",
        RankingIs,
        {
            "rule": fields.one_of(*RANKED),
            "superior": fields.flag,
            "classes": fields.whole,
            "penalised": fields.flag,
            "largest": fields.expression,
        },
        ("rule",),
    ),
    "batch": Kind(
        "a named rule of a batch is strictly proper, proper or improper, for labels that may depend",
        BatchIs,
        {"rule": fields.one_of(*BATCHES), "says": fields.one_of("strictly proper", "proper", "improper")},
        ("rule", "says"),
    ),
    "measure": Kind(
        "a measure of TP, FN, FP and TN, of decisions at 1/2 for independent instances, is proper or improper",
        MeasureIs,
        {
            "measure": fields.expression,
            "otherwise": fields.expression,
            "instances": fields.whole,
            "says": fields.one_of("proper", "improper"),
        },
        ("measure", "instances", "says"),
    ),
}


def question(table: Mapping[str, Any], place: str) -> Question:
    """Read a check: a table with its ``kind`` and the inputs of that kind.

    Raises:
        SpecError: for an unknown kind or key, a missing key, or an input that does not fit the kind.
    """
    name = table.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise SpecError(f"{place}.kind = {name!r:.60} is not a kind of check", f"Kinds: {', '.join(KINDS)}.")
    kind = KINDS[name]
    build = _paired(kind.build) if "loss0" in kind.keys else kind.build
    inputs = {key: value for key, value in table.items() if key != "kind"}
    try:
        found: Question = fields.record(build, kind.keys, kind.required)(inputs, place)
    except SpecError as error:
        here = "" if error.problem.startswith(place) else f"{place}: "
        raise SpecError(f"{here}{error.problem}", error.remedy) from None
    return found
