"""Mixtures of cost contexts in words: each part has a number, and is described under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sympy import Expr

from costderive.core.symbols import s
from costderive.costs.contexts import Context, Mixture, PowerMean
from costderive.costs.expected_loss import ExpectedLoss
from costderive.costs.laws import Law
from costderive.publish.words.document_blocks import Block, Paragraph, Prose, prose
from costderive.publish.words.law_phrases import Setting, contributions
from costderive.publish.words.scene import Description, counted, listed, say, series

SCALED = ", multiplied by the probability of the part,"
NAMED = 3  # parts of a mixture that its title names


def mixture(context: Mixture, setting_of: Callable[[Any], Setting]) -> Setting:
    """Describe a mixture by its parts, of which ``setting_of`` has the descriptions."""
    parts = tuple(_parts(context))
    settings = [setting_of(part) for _, part in parts]
    drawn = listed(prose("from part {} with probability {}", n, w) for n, (w, _) in enumerate(parts, 1))
    laws = series(
        (prose("with probability {}, let {}", w, x.law) for (w, _), x in zip(parts, settings, strict=True)),
        "; ",
    )
    short = series((prose("part {}: {}", n, x.costs) for n, x in enumerate(settings, 1)), "; ")
    return Setting(
        _name(settings),
        prose("the law of the costs have {} parts: {}", counted(len(parts)), laws),
        tuple(_described(parts, settings, drawn)),
        costs=prose("drawn {}; {}", drawn, short),
        known=_known([chance for chance, _ in parts], settings),
        short=_short([chance for chance, _ in parts], settings),
    )


def _short(chances: list[Expr], settings: list[Setting]) -> Prose:
    """Say in an abstract which laws are mixed, if their names are short; the theorem says what they are."""
    if not _can_be_named(settings):
        return ()
    named = (prose("of {}, with probability {}", x.named, w) for w, x in zip(chances, settings, strict=True))
    return prose("the law of the costs be a mixture {}", series(named, ", and "))


def _known(chances: list[Expr], settings: list[Setting]) -> Prose:
    """Say that the losses are sums of those of the parts."""
    text = (
        "None of the sources cited here has costs with this law. The expected cost is linear in the law, so the "
        "losses are those of the parts, weighted with their probabilities{}."
    )
    if not _can_be_named(settings):
        return prose(text, "")
    return prose(
        text,
        prose(
            ": {}",
            listed(prose("those of {} with {}", x.named, w) for w, x in zip(chances, settings, strict=True)),
        ),
    )


def _can_be_named(settings: list[Setting]) -> bool:
    return 1 < len({found.name for found in settings}) == len(settings) <= NAMED


def _parts(context: Mixture) -> Iterator[tuple[Expr, Context]]:
    """Return the parts with their probabilities; a part that is a mixture gives its own."""
    for weight, part in context.parts:
        if isinstance(part, Mixture):
            yield from ((weight * chance, inner) for chance, inner in _parts(part))
        else:
            yield weight, part


def numbers_of_parts(context: object, kind: str) -> list[int]:
    """Return the number of the part of a mixture that each of its areas, lines, arcs or points is of.

    Of what is no mixture there are none.
    """
    if not isinstance(context, Mixture):
        return []
    parts = enumerate(_parts(context), 1)
    return [number for number, (_, part) in parts for _ in getattr(part.expected_loss(), kind)]


def is_random(context: object) -> bool:
    """Return whether the sum of the costs is random at a given cost proportion, in a part at least."""
    if isinstance(context, Mixture):
        return any(is_random(part) for _, part in context.parts)
    return isinstance(context, PowerMean) and isinstance(context.mean, Law)


def _described(parts: tuple[tuple[Expr, Context], ...], settings: list[Setting], drawn: Prose) -> Description:
    losses = [part.expected_loss().scaled(weight) for weight, part in parts]
    blocks = list(_each(losses, settings, [is_random(part) for _, part in parts]))
    opening = f"The law of the costs has {counted(len(parts))} parts."
    yield say(f"{opening} The costs are drawn {{}}.", drawn)
    yield from _own(settings) if all(map(_is_plain, losses)) else blocks


def _own(settings: list[Setting]) -> Iterator[Block]:
    """Describe each part as an article on it alone would."""
    for number, found in enumerate(settings, 1):
        match found.blocks:
            case (Paragraph() as first, *others):
                yield replace(first, lead=f"Part {number}.")
                yield from others
            case _:
                yield say("Let {}.", found.law, lead=f"Part {number}.")


def _each(losses: list[ExpectedLoss], settings: list[Setting], random: list[bool]) -> Iterator[Block]:
    areas, before = sum(len(loss.areas) for loss in losses), 0
    for number, (loss, found, drawn) in enumerate(zip(losses, settings, random, strict=True), 1):
        yield say("Let {}.", found.law, lead=f"Part {number}.")
        if not _is_plain(loss):
            yield from contributions(loss, before, areas, SCALED, random=drawn)
        before += len(loss.areas)


def _is_plain(loss: ExpectedLoss) -> bool:
    """Return whether the law in words has all of it: known costs, or a sum of the costs that is the same for all s."""
    if loss.areas or loss.arcs:
        return False
    return len(loss.points) == 1 if not loss.lines else not any(line.magnitude.has(s) for line in loss.lines)


def _name(settings: list[Setting]) -> str:
    names = list(dict.fromkeys(found.name for found in settings))
    joined = any(" and " in name for name in names)
    if not 1 < len(names) <= (2 if joined else NAMED):
        return "a mixture of cost contexts"
    if joined:
        return f"a mixture of {' with '.join(names)}"
    if not all(name.endswith(" costs") for name in names):
        return f"a mixture of {series(names, ', and ')}"
    *others, last = names
    return f"a mixture of {', '.join(name.removesuffix(' costs') for name in others)} and {last}"
