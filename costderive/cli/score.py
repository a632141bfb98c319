"""costderive score: the cost of predictions under a context."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from costderive.cli.arguments import WHAT, command, context_arguments, spec_from
from costderive.errors import ParametersLeftError

if TYPE_CHECKING:
    from costderive.evaluate import ModelScore

MAX_WHOLE = 10**7  # draws of costs that fit into memory


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "score", _score, "score the predictions in a CSV file under a cost context")
    parser.add_argument("file", metavar="FILE", help="CSV file with a header, a row for each instance")
    parser.add_argument("--context", metavar="CONTEXT", required=True, help=WHAT)
    parser.add_argument("--y-true", metavar="COL", required=True, help="column of the labels")
    parser.add_argument(
        "--y-proba",
        metavar="COL",
        nargs="+",
        default=(),
        help="columns of probabilities (default: all others)",
    )
    parser.add_argument(
        "--pos-label", metavar="LABEL", help="the label of class 1, if labels are not 0 and 1"
    )
    parser.add_argument(
        "--draws", metavar="N", type=_whole, default=100_000, help="simulated pairs of costs (default 100000)"
    )
    parser.add_argument("--seed", metavar="N", type=_whole, default=0, help="of the simulation (default 0)")
    parser.add_argument(
        "--json", action="store_true", help="print JSON; an infinite loss is the text Infinity"
    )
    context_arguments(parser)


def _whole(text: str) -> int:
    number = int(text)
    if not 0 <= number <= MAX_WHOLE:
        raise ValueError
    return number


def _score(arguments: argparse.Namespace) -> int:
    from costderive.evaluate import read_predictions, score
    from costderive.export import terminal
    from costderive.numeric.data import batch
    from costderive.thresholds import thresholded

    spec = spec_from(arguments.context, arguments)
    context = thresholded(spec.context, spec.threshold)
    if context.parameters:
        names = ", ".join(symbol.name for symbol in context.parameters)
        raise ParametersLeftError(
            f"{names} in the context has no value", "Scores need numbers in place of letters."
        )
    read = read_predictions(arguments.file, y_true=arguments.y_true, y_proba=arguments.y_proba)
    label = _label(arguments.pos_label, read.labels)
    ones = batch(read.labels, next(iter(read.models.values())), label).is_one
    settings: dict[str, Any] = {
        "draws": arguments.draws,
        "seed": arguments.seed,
        "time_limit": arguments.time_limit,
    }
    scores = score(
        spec.context, read.labels, read.models, threshold=spec.threshold, pos_label=label, **settings
    )
    about = {"context": terminal.context_words(context), "instances": len(ones), "class_1": int(ones.sum())}
    about |= {"draws": arguments.draws, "seed": arguments.seed}
    print(_scores_json(about, scores) if arguments.json else _scores_text(about, scores))
    return 0


def _label(text: str | None, labels: Any) -> Any:
    """Return the label that a text names: a number if the labels are numbers."""
    if text is None or labels.dtype.kind not in "iuf":
        return text
    try:
        return float(text)
    except ValueError:
        return text


def _scores_json(about: dict[str, Any], scores: Sequence[ModelScore]) -> str:
    models = [asdict(score) for score in scores]
    return json.dumps({**about, "models": [_finite(model) for model in models]}, indent=2, allow_nan=False)


def _finite(value: Any) -> Any:
    """Write what JSON has no number for as text."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return (
        str(value).replace("inf", "Infinity")
        if isinstance(value, float) and not math.isfinite(value)
        else value
    )


def _scores_text(about: dict[str, Any], scores: Sequence[ModelScore]) -> str:
    from costderive.export import terminal

    names = [terminal.printable(score.model) for score in scores]
    columns = {
        "loss": ([score.loss for score in scores], 5),
        "of class 0": ([score.loss0 for score in scores], 5),
        "of class 1": ([score.loss1 for score in scores], 5),
        "simulated": ([score.simulation.mean for score in scores], 5),
        "± s.e.": ([score.simulation.standard_error for score in scores], 2),
        "Brier": ([score.brier for score in scores], 5),
        "log loss": ([score.log_loss for score in scores], 5),
    }
    lines = [
        f"Costs: {about['context']}",
        f"{about['instances']} instances, {about['class_1']} of class 1; {about['draws']} simulated pairs of costs",
        "",
        terminal.number_table("model", names, columns),
        "",
        "loss: mean cost of an instance, in the units of the costs, as the sum of what each class contributes.",
    ]
    return "\n".join([*lines, *_infinite(scores)])


def _infinite(scores: Sequence[ModelScore]) -> Iterator[str]:
    """Say which rows make a mean infinite: a probability of exactly 0 or 1 that was wrong."""
    from costderive.export.terminal import printable

    found = [("loss", score.model, score.infinite) for score in scores]
    found += [("log loss", score.model, score.infinite_log_loss) for score in scores]
    for name, model, rows in found:
        if rows:
            where = f"in {rows} rows" if rows > 1 else "in 1 row"
            yield f"∞: the {name} of {printable(model)} is infinite {where}, wrong with probability 0 or 1."
