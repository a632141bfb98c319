"""costderive score: which of several models is cheapest under a context, by how much, and how sure that is."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from typing import TYPE_CHECKING, Any

from costderive.cli.arguments import (
    WHAT,
    command,
    context_arguments,
    delimiter_argument,
    right_decision_arguments,
    whole,
)
from costderive.cli.output import terminal_width
from costderive.cli.waiting import progress, waiting, with_progress

if TYPE_CHECKING:
    from costderive.costs.contexts import Context
    from costderive.evaluate import CostMatrix, Scores
    from costderive.publish.score_report.summary import ScoreSummary
    from costderive.spec import Spec

DRAWS = 100_000
NO_PICTURES = (
    'the page has no pictures: matplotlib is not installed; install it with pip install "costderive[plot]"'
)
COMPILING = "deriving and compiling the losses"


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "score", _score, "say which model's predictions are cheapest under a cost context"
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="+",
        help="CSV file with a header, or Parquet file, or - for a pipe; a row for each instance. Several files are "
        "models of the same instances, in the same order. A name in a cost that is a column of the first is the "
        "number of its row",
    )
    parser.add_argument(
        "--context", metavar="CONTEXT", help=f"{WHAT} (default: independent, if costs are given)"
    )
    parser.add_argument("--y-true", metavar="COL", required=True, help="column of the labels")
    parser.add_argument(
        "--y-proba",
        metavar="COL",
        nargs="+",
        default=(),
        help="columns of probabilities, each a model (default: all others that can hold probabilities)",
    )
    delimiter_argument(parser)
    parser.add_argument(
        "--pos-label", metavar="LABEL", help="the label of class 1, if labels are not 0 and 1"
    )
    parser.add_argument(
        "--labels",
        metavar="A,B,C",
        help="labels of several classes in the order of their costs (default 0,1,2...); the columns of probabilities "
        "are then MODEL:LABEL, or LABEL if a file has one model",
    )
    parser.add_argument(
        "--weights", metavar="COL", help="column of weights of the rows, at least 0, by which means are taken"
    )
    parser.add_argument(
        "--by",
        metavar="COL",
        help="column of the group of each row, such as a region: each is scored apart, too",
    )
    parser.add_argument(
        "--prevalence",
        metavar="PI",
        type=float,
        help="proportion of class 1 where the models will be used (default: that of the file)",
    )
    parser.add_argument(
        "--level", metavar="LEVEL", type=float, default=0.95, help="of confidence intervals (default 0.95)"
    )
    parser.add_argument(
        "--bootstrap",
        metavar="N",
        type=whole,
        default=0,
        help="take intervals from N random samples of the rows, such as 2000 (default: the delta method)",
    )
    parser.add_argument(
        "--engine",
        choices=("numpy", "duckdb"),
        default="numpy",
        help="what reads the files and takes the losses: numpy, or duckdb by SQL on all processors",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help=f"simulate the total cost too, with {DRAWS} random pairs of costs",
    )
    parser.add_argument("--draws", metavar="N", type=whole, help="verify with so many pairs")
    parser.add_argument("--seed", metavar="N", type=whole, default=0, help="of what is random (default 0)")
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help="print JSON, or write it to a file; an infinite loss is the text Infinity",
    )
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw what 1000 cases cost with each model, and which is cheapest where: .png, .svg or .pdf",
    )
    parser.add_argument("--html", metavar="FILE", help="write a report as a page that needs no network")
    context_arguments(parser)
    right_decision_arguments(parser)


def _score(arguments: argparse.Namespace) -> int:
    from costderive.cli import own_costs, score_classes
    from costderive.cli.files import write
    from costderive.evaluate.scores import letters_of
    from costderive.multiclass.class_costs import ClassContext
    from costderive.publish import plots
    from costderive.publish.score_report.summary import ScoreSummary

    spec, matrix = own_costs.spec_and_matrix(arguments)
    if isinstance(spec.context, ClassContext):
        return score_classes.score(spec.context, arguments)
    start = matrix or spec.context
    own_costs.require_apart(arguments, arguments.file[0])
    columns = own_costs.chosen(letters_of(start, spec.threshold), arguments.file[0], arguments.delimiter)
    own_costs.require_possible(columns, arguments)
    own_costs.require_engine(arguments)
    scores, left_out = _scored(start, spec, arguments, columns)
    summary = ScoreSummary.of(scores, left_out)
    if arguments.plot:
        plots.saved(plots.decision(scores), arguments.plot)
    if arguments.html:
        _write_page(arguments.html, summary, scores)
    if arguments.json:
        write(arguments.json, _document(scores, left_out, arguments) + "\n")
    if "-" not in (arguments.json, arguments.html):
        print(summary.text(terminal_width()))
    return 0


def _scored(
    costs: Context | CostMatrix, spec: Spec, arguments: argparse.Namespace, columns: tuple[str, ...]
) -> tuple[Scores, dict[str, str]]:
    """Return the scores, and why columns are no models."""
    from costderive.evaluate import How, duckdb_scores, from_files, score_blocks

    how = How(
        threshold=spec.threshold,
        prevalence=arguments.prevalence,
        level=arguments.level,
        bootstrap=arguments.bootstrap,
        draws=DRAWS if arguments.draws is None and arguments.verify else arguments.draws or 0,
        seed=arguments.seed,
        time_limit=arguments.time_limit,
    )
    files: dict[str, Any] = {
        name: getattr(arguments, name) for name in ("y_true", "y_proba", "pos_label", "delimiter")
    }
    if arguments.engine == "duckdb":
        with waiting(COMPILING) as end, progress(end) as show:
            found = duckdb_scores.score_files(costs, arguments.file, how, **files, watch=show)
        return found, next(from_files(arguments.file, **files)).left_out
    blocks = from_files(arguments.file, **files, columns=columns, weights=arguments.weights, by=arguments.by)
    left_out: dict[str, str] = {}
    with waiting(COMPILING) as end:
        return score_blocks(costs, with_progress(blocks, left_out, end), how, columns), left_out


def _write_page(file: str, summary: ScoreSummary, scores: Scores) -> None:
    from costderive.cli.files import write
    from costderive.publish.score_report.page import page

    write(file, page(summary, _figures(scores)))


def _figures(scores: Scores) -> dict[str, tuple[str, str]]:
    """Return the pictures of a report, with what they show; without matplotlib there are none, and it is said."""
    if importlib.util.find_spec("matplotlib") is None:
        print(f"costderive: {NO_PICTURES}", file=sys.stderr)
        return {}
    from costderive.publish import plots

    kinds = dict(_PICTURES)
    if not all(scores.counts):
        del kinds["Reliability"]
    drawn = {heading: getattr(plots, name)(scores) for heading, (name, _) in kinds.items()}
    return {heading: (plots.svg(figure), kinds[heading][1]) for heading, figure in drawn.items()}


_PICTURES = {
    "Which model is cheapest": (
        "decision",
        "What 1000 cases cost with each model, and at which thresholds each is cheapest, where the context has weight.",
    ),
    "Cost by cost proportion": (
        "cost_curves",
        "What each model costs at each cost proportion; the area under a line is its loss, which the legend gives. "
        "Thin lines: the best that a choice of thresholds could do with the same model. Grey: always the same class.",
    ),
    "Elementary scores": (
        "murphy_diagram",
        "Mean cost of an instance at each threshold if the costs add up to 1, and in grey how much the context weighs "
        "it. A model whose line is lower everywhere is cheaper under any costs.",
    ),
    "Net benefit": (
        "decision_curves",
        "The proportion of true ones, less false ones at the odds of the threshold. The loss is the integral of "
        "(1 − t) (proportion of class 1 − net benefit) by the threshold weight.",
    ),
    "Reliability": (
        "reliability_diagrams",
        "The isotonic recalibration of each prediction. Grey bars: how many predictions there are.",
    ),
}


# ---- JSON


def _document(scores: Scores, left_out: dict[str, str], arguments: argparse.Namespace) -> str:
    from costderive.publish.formats import terminal
    from costderive.publish.formats.json_numbers import finite
    from costderive.publish.score_report.plain_summary import numbers, numbers_of_group

    about: dict[str, Any] = {
        "context": terminal.context_words(scores.context),
        "instances": sum(scores.counts),
        "class_1": scores.counts[1],
        "prevalence": scores.proportions[1],
        "level": scores.level,
        "constant": scores.constant,
    }
    if left_out:
        about["left_out"] = left_out
    if scores.columns:
        about["columns"] = scores.columns
    if scores.is_weighted:
        about["weights"] = arguments.weights
    if scores.matrix:
        about["regrets"] = str(scores.matrix)
        about["cost_of_right_decisions"] = scores.rest
        about["always_class_0"], about["always_class_1"] = (loss + scores.rest for loss in scores.always)
    if scores.bootstrap:
        about["bootstrap"] = scores.bootstrap
    if scores.bootstrap or any(score.simulation for score in scores):
        about["seed"] = arguments.seed
    document = {**about, **numbers(scores)}
    if scores.groups:
        document["by"] = arguments.by
        document["groups"] = {name: numbers_of_group(part) for name, part in scores.groups.items()}
    return json.dumps(finite(document), indent=2, allow_nan=False)
