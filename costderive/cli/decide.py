"""costderive decide: the cheaper decision in each case at its costs, as a table, and what that saves."""

from __future__ import annotations

import argparse
import csv
import io
import shutil
import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from costderive.cli.arguments import (
    WHAT,
    command,
    context_arguments,
    delimiter_argument,
    right_decision_arguments,
)
from costderive.cli.waiting import waiting
from costderive.core.errors import SpecError

if TYPE_CHECKING:
    from costderive.costs.contexts import Context
    from costderive.evaluate import CostMatrix, Decisions

WIDTH = 80  # where there is no terminal
UNSURE = 0.1  # a doubt above which a decision is called unsure


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "decide", _decide, "decide in each case for the class that costs less at its costs"
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="CSV file with a header, or Parquet file, or - for a pipe; a row for each case. A name in a cost that is "
        "one of its columns is the number of the row",
    )
    parser.add_argument("--p", metavar="COL", required=True, help="column of the probabilities of class 1")
    parser.add_argument(
        "--context", metavar="CONTEXT", help=f"{WHAT} (default: independent, if costs are given)"
    )
    delimiter_argument(parser)
    parser.add_argument("--id", metavar="COL", help="column to repeat beside the decisions, such as a name")
    parser.add_argument(
        "--capacity",
        metavar="N",
        type=int,
        help="decide for class 1 in at most N cases: those in which it saves most",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        default="-",
        help="write the decisions as CSV there, and print a summary (default: CSV to standard output)",
    )
    context_arguments(parser, threshold=False)
    right_decision_arguments(parser)


def _decide(arguments: argparse.Namespace) -> int:
    from costderive.cli.files import write

    start = _costs(arguments)
    rows, decisions = _decided(start, arguments)
    write(arguments.out, _csv({**rows, **decisions.columns()}))
    if arguments.out != "-":
        print(_summary(start, decisions))
    elif sys.stderr.isatty():
        print(_summary(start, decisions), file=sys.stderr)
    return 0


def _costs(arguments: argparse.Namespace) -> Context | CostMatrix:
    from costderive.cli.own_costs import spec_and_matrix
    from costderive.costs.contexts import Context
    from costderive.costs.thresholds import Calibrated

    spec, matrix = spec_and_matrix(arguments)
    if not isinstance(spec.context, Context):
        raise SpecError(f"{arguments.context} has costs of several classes", "Decisions are for two classes.")
    if not isinstance(spec.threshold, Calibrated):
        raise SpecError(
            f"{arguments.context} sets a threshold", "Decisions follow from the costs: leave it out."
        )
    return matrix or spec.context


def _decided(start: Context | CostMatrix, arguments: argparse.Namespace) -> tuple[dict[str, Any], Decisions]:
    """Return what is repeated of the file, by column, and the decisions."""
    import numpy as np

    from costderive.cli import own_costs
    from costderive.evaluate import CostMatrix
    from costderive.evaluate.case_decisions import Cases, compiled, decided
    from costderive.evaluate.prediction_files import blocks

    own_costs.require_apart(arguments, arguments.file)
    letters = own_costs.chosen(
        [letter.name for letter in start.parameters], arguments.file, arguments.delimiter
    )
    matrix = start if isinstance(start, CostMatrix) else None
    with waiting("deriving and compiling the losses"):
        loss = compiled(start, arguments.time_limit)
    found = list(
        blocks(
            arguments.file,
            y_true=arguments.id,
            y_proba=[arguments.p],
            columns=letters,
            delimiter=arguments.delimiter,
        )
    )
    cases = [Cases(block.models[arguments.p], block.columns, block.place) for block in found]
    decisions = decided(loss, cases, arguments.capacity, matrix)
    named = {} if arguments.id is None else {arguments.id: np.concatenate([block.labels for block in found])}
    columns = {name: np.concatenate([case.columns[name] for case in cases]) for name in letters}
    return {**named, arguments.p: np.concatenate([case.p for case in cases]), **columns}, decisions


def _csv(columns: dict[str, Any]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*[values.tolist() for values in columns.values()], strict=True))
    return text.getvalue()


# ---- what is said


def _summary(start: Context | CostMatrix, decisions: Decisions) -> str:
    from costderive.evaluate import CostMatrix
    from costderive.publish.formats import terminal
    from costderive.publish.score_report.remarks import matrix_facts

    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
    context = start.context if isinstance(start, CostMatrix) else start
    facts = [f"Costs: {terminal.context_words(context)}", *matrix_facts(start), *_own(start, context)]
    notes = [*_waiting(decisions), *_unsure(decisions)]
    above, lead, below = (
        "\n".join(part for text in texts for part in wrap(text, width, subsequent_indent=indent))
        for texts, indent in ((facts, "  "), ([_lead(decisions)], ""), (notes, "  "))
    )
    return "\n\n".join([above, lead, _policies(decisions), below])


def _own(start: Context | CostMatrix, context: Context) -> Iterator[str]:
    from costderive.publish.formats.terminal import printable
    from costderive.publish.score_report.remarks import ranges

    if start.parameters:
        yield f"Each row has its own {' and '.join(printable(letter.name) for letter in start.parameters)}."
    yield from ranges(context)


def _lead(decisions: Decisions) -> str:
    from costderive.publish.formats.terminal import decimals

    total, each = (decimals([value], 4)[0] for value in (decisions.cost.sum(), decisions.cost.mean()))
    return (
        f"Decide for class 1 in {decisions.decision.sum()} of {len(decisions)} cases: expected cost {total}, "
        f"{each} a case."
    )


def _policies(decisions: Decisions) -> str:
    """Return a table of what these decisions are expected to cost, and what one for all would, if that may be."""
    from costderive.evaluate.case_decisions import next_saving
    from costderive.publish.formats.terminal import decimals, table

    costs = {"these": decisions.cost, "class 1 for all": decisions.cost1, "class 0 for all": decisions.cost0}
    if next_saving(decisions):  # more cases than the capacity
        del costs["class 1 for all"]
    totals = [float(cost.sum()) for cost in costs.values()]
    columns = [totals, [total / len(decisions) for total in totals], [total - totals[0] for total in totals]]
    cells = [decimals(values, 4) for values in columns]
    cells[2][0] = ""
    heading = ("decisions", "expected cost", "a case", "saved by these")
    return table([heading, *zip(costs, *cells, strict=True)], right=range(1, 4))


def _waiting(decisions: Decisions) -> Iterator[str]:
    """Say what a capacity has left undone."""
    from costderive.evaluate.case_decisions import next_saving
    from costderive.publish.formats.terminal import decimals

    if saved := next_saving(decisions):
        wanted = int((decisions.saving > 0).sum())
        yield (
            f"Class 1 would be cheaper in {wanted} cases, more than the capacity; these are the ones in which it "
            f"saves most. One case more would save {decimals([saved], 4)[0]}."
        )


def _unsure(decisions: Decisions) -> Iterator[str]:
    """Say in how many cases other costs would turn the decision."""
    count = int((decisions.doubt > UNSURE).sum())
    yield (
        f"doubt: the probability over the costs that the other decision is right, each pair of costs counted by "
        f"c₀ + c₁; it is above {UNSURE:g} in {count} of {len(decisions)} cases."
    )
    yield "Probabilities are taken to be calibrated."
