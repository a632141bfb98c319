"""A rule of a batch on the terminal: the loss, and whether it is proper."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from textwrap import wrap
from typing import Any

from sympy import Symbol

from costderive.batch.auc import AucScore
from costderive.batch.auc_labels import AucAmong
from costderive.batch.batch_conclusions import BatchImproperness, BatchProperness, BatchUndecided
from costderive.batch.batch_entropies import LowestRule, SmoothRule
from costderive.batch.linear_rules import AdditiveRule, BatchLoss, Forecast, NormRule, RankRule, x
from costderive.core.piecewise import Pieces
from costderive.publish.formulas.printing import inline
from costderive.publish.words.terminal_phrases import WIDTH, labelled, properness
from costderive.rules.loss_pair import LossPair

SHOWN = 8
OF_ONE, OF_OTHER = (Symbol(f"w_{index}", positive=True) for index in "ij")
RANKS = "ψᵢ = #{j: wⱼ < wᵢ} − #{j: wⱼ > wᵢ}"
NAMING = "y: the labels; w: the forecast, a probability for each of them; S(y, w): the loss"


def start(loss: BatchLoss) -> Iterator[str]:
    """Say what a derivation starts from."""
    number = loss.instances
    count = "any number of instances" if number is None else f"{number} instance{'s' if number > 1 else ''}"
    yield from labelled("Batch", [count, NAMING])


def reached(conclusion: Any, doubt: str) -> Iterator[str]:
    """Describe what a derivation arrives at; ``doubt`` is why that is not proved, if it is not."""
    yield "Loss of the batch"
    yield from losses(conclusion.losses)
    yield ""
    yield from concluded(conclusion, doubt)


def _several(items: list[str]) -> str:
    shown = items if len(items) <= SHOWN else [*items[: SHOWN // 2], "…", items[-1]]
    return ", ".join(shown)


def _forecast(values: Forecast) -> str:
    return f"({_several([inline(value) for value in values])})"


def _row(text: str) -> Iterator[str]:
    yield from wrap(text, WIDTH, initial_indent="    ", subsequent_indent=" " * 8)


# ---- losses


@singledispatch
def losses(found: Any) -> Iterator[str]:
    """Write a loss; one of a kind without a form of its own, by its fields."""
    yield from _row(str(found))


@losses.register
def _(found: AdditiveRule) -> Iterator[str]:
    weighed = found.weights is not None
    yield from _row(f"S(y, w) = Σᵢ {'vᵢ' if weighed else ''}((1 − yᵢ)L₀(wᵢ) + yᵢL₁(wᵢ))")
    if weighed:
        yield from _row(f"v = {_forecast(found.weights or ())}")
    for name, loss in (("L₀(p)", found.losses.loss0), ("L₁(p)", found.losses.loss1)):
        yield from _pieces(name, loss)
    if isinstance(found.losses, LossPair) and not found.losses.from_the_left:
        yield from _row("and other values where pieces meet: derivation.rule.losses.values")


def _pieces(name: str, loss: Pieces) -> Iterator[str]:
    for number, piece in enumerate(loss):
        where = f"    {inline(piece.low)} {'<' if number else '≤'} p ≤ {inline(piece.high)}"
        yield from _row(f"{name} = {inline(piece.value)}{where if len(loss.pieces) > 1 else ''}")


@losses.register
def _(found: NormRule) -> Iterator[str]:
    slope = inline(-found.slope.subs(x, OF_ONE))
    yield from _row(f"S(y, w) = −Σᵢ yᵢ · {slope},   t = Σⱼ {inline(OF_OTHER**found.alpha)};   0 for w = 0")


@losses.register
def _(found: RankRule) -> Iterator[str]:
    yield from _row(f"S(y, w) = −Σᵢ yᵢψᵢ,   {RANKS}")


@losses.register
def _(found: LowestRule) -> Iterator[str]:
    for number, term in enumerate(found.terms[:SHOWN]):
        yield from _row(f"{'     +' if number else 'H(w) ='} min({_several(list(map(inline, term)))})")
    if len(found.terms) > SHOWN:
        yield from _row(f"     + {len(found.terms) - SHOWN} more terms: derivation.rule.terms")
    yield from _row("S(y, w): for each term the mean, at y, of the functions that are the least at w")


@losses.register
def _(found: SmoothRule) -> Iterator[str]:
    yield from _row(f"H(w) = {inline(found.entropy_function)}")
    yield from _row("S(y, w) = H(w) + Σᵢ (yᵢ − wᵢ) ∂H/∂wᵢ, with")
    for letter, slope in zip(found.letters, found.slopes, strict=True):
        yield from _row(f"∂H/∂{inline(letter)} = {inline(slope)}")


@losses.register
def _(found: AucScore | AucAmong) -> Iterator[str]:
    yield from _row(f"S(y, w) = −AUC = −(1 + Σᵢ yᵢψᵢ/(n₁(n − n₁)))/2,   {RANKS}")
    yield from _row("n₁: the number of labels that are 1; −1/2 if all labels are the same")


# ---- conclusions


@singledispatch
def concluded(found: Any, doubt: str) -> Iterator[str]:
    """Write a conclusion; one of a kind without a form of its own, in a word."""
    yield from properness(found.judgement, doubt)


@concluded.register
def _(found: BatchProperness, doubt: str) -> Iterator[str]:
    lines = []
    if found.flat is not None:
        first, second = map(_forecast, found.flat)
        lines.append(f"not strictly: the forecasts {first} and {second} always have the same loss")
    yield from properness(f"{found.judgement}, {found.losses.scope}", doubt, *lines)


@concluded.register
def _(found: BatchImproperness, doubt: str) -> Iterator[str]:
    witness = found.witness
    belief, report = map(_forecast, (witness.belief, witness.report))
    yield from properness(found.judgement, doubt)
    lines = [f"under the belief q = {belief}, the report w = {report} is better:"]
    lines += [f"E S(Y, w) = {inline(witness.better)}  <  {inline(witness.truthful)} = E S(Y, q)"]
    laws = [f"{_ones(labels)} with probability {inline(chance)}" for labels, chance in found.law]
    if laws:
        lines.append(f"if the labels that are 1 are those of the instances {_several(laws)}")
    yield from labelled("Witness", lines)


def _ones(labels: tuple[int, ...]) -> str:
    return f"{{{_several([str(n) for n, label in enumerate(labels) if label])}}}"


@concluded.register
def _(found: BatchUndecided, doubt: str) -> Iterator[str]:
    why = "neither a proof nor a witness against it was found"
    yield from properness(f"{found.judgement}: {why}", "")
