"""The command line: derive a scoring rule, examine one, score predictions under a cost context, check a certificate.

Exit status: 0, or 1 if a claim is not proved, 2 if something was wrong with the input, 130 if interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import costderive
from costderive.errors import CostDeriveError, ExportError, ParametersLeftError, SpecError

if TYPE_CHECKING:
    from costderive.evaluate import ModelScore
    from costderive.spec import Spec

NUMBERS = {
    "budget": "c0 + c1 if additive (default 2), or d in 1/c0 + 1/c1 = 1/d if harmonic (default 1/2); or a law",
    "mean": "mean of geometric or power-mean costs (default 1); or a law",
    "k": "exponent of a power mean: 1, -1, 0, 2, 1/2, oo, -oo ...",
}
LAWS = {
    "density": "law of s = c0/(c0 + c1) if a mean is given: an expression in s, or beta(2,2), uniform(l,h) ...; "
    "density of (c0, c1) if joint, law of x if curve",
    "support": "where the density is: inequalities such as 'c0 + c1 <= 2' if joint, LOW,HIGH of x if curve",
}
COSTS = {
    "c0": "cost of misclassifying class 0: bounds LOW,HIGH if independent-uniform, a number if fixed, "
    "a law such as gamma(2,1) if independent or in place of --density, an expression in x if curve",
    "c1": "cost of misclassifying class 1, likewise",
    "fp": "another name for --c0: the cost of a false positive, if class 1 is called positive",
    "fn": "another name for --c1: the cost of a false negative",
}
KINDS = "additive, harmonic, geometric, power-mean, independent-uniform, independent, joint, curve, fixed"
OPTIONS = {**NUMBERS, **LAWS, **COSTS}
LOSSES = ("loss0", "loss1")
WHAT = f"a kind of context ({KINDS}) or a spec file"
MAX_CERTIFICATE = 20_000_000
MAX_WHOLE = 10**7  # draws of costs that fit into memory

Command = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a stream that is not a text file
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    arguments = _parser().parse_args(_joined(sys.argv[1:] if argv is None else argv))
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except CostDeriveError as error:
        print(f"costderive: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("costderive: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever read our output has seen enough; say nothing when Python closes it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status


# ---- arguments


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="costderive",
        description="From a distribution of misclassification costs to a proven scoring rule.",
        epilog="Example: costderive derive independent-uniform --fp 0,1 --fn 0,5 --latex proof.tex",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"costderive {costderive.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _derive_arguments(
        _command(commands, "derive", _derive, "derive the scoring rule of a cost context and prove it")
    )
    _examine_arguments(
        _command(commands, "examine", _examine, "decide whether a pair of losses is a proper scoring rule")
    )
    _score_arguments(
        _command(commands, "score", _score, "score the predictions in a CSV file under a cost context")
    )
    check = _command(
        commands, "check", _check, "decide every claim of a certificate anew; status 0 only if all are proved"
    )
    check.add_argument(
        "certificate", metavar="CERTIFICATE.json", help="written by derive --json; - reads standard input"
    )
    return parser


def _command(commands: Any, name: str, run: Command, purpose: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=purpose, description=purpose, allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def _derive_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="CONTEXT", help=WHAT)
    _context_arguments(parser)
    output = _output_arguments(parser)
    output.add_argument(
        "--python", metavar="FILE", help="write the losses as a Python module that needs NumPy alone"
    )


def _examine_arguments(parser: argparse.ArgumentParser) -> None:
    text = 'in p, such as "p^2", or by cases, such as "0 if p <= 1/2; 1"'
    parser.add_argument("--loss0", metavar="L0", required=True, help=f"loss if the class is 0: {text}")
    parser.add_argument("--loss1", metavar="L1", required=True, help="loss if the class is 1, likewise")
    _time_limit_argument(parser, "for the search of a verdict (default 60)")
    _output_arguments(parser)


def _output_arguments(parser: argparse.ArgumentParser) -> Any:
    output = parser.add_argument_group("output", "An existing file is replaced. - means standard output.")
    output.add_argument("--latex", metavar="FILE", help="write the derivation as a LaTeX article")
    output.add_argument("--json", metavar="FILE", help="write the derivation as a certificate")
    return output


def _score_arguments(parser: argparse.ArgumentParser) -> None:
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
    _context_arguments(parser)


def _whole(text: str) -> int:
    number = int(text)
    if not 0 <= number <= MAX_WHOLE:
        raise ValueError
    return number


def _context_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "the context", "Numbers or expressions such as 1/3, a, 2*a; a letter is a parameter."
    )
    for name, purpose in OPTIONS.items():
        group.add_argument(f"--{name}", metavar="X", help=purpose)
    parser.add_argument(
        "--threshold",
        metavar="T",
        help="decide at a number, or at random by a law such as uniform(0,1), instead of at c0/(c0 + c1)",
    )
    _time_limit_argument(parser, "for the search of closed forms (default 60)")


def _time_limit_argument(parser: argparse.ArgumentParser, purpose: str) -> None:
    parser.add_argument("--time-limit", metavar="SECONDS", type=_seconds, default=60.0, help=purpose)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise ValueError
    return seconds


def _joined(arguments: Sequence[str]) -> list[str]:
    """Write ``--k -1/2`` as ``--k=-1/2``, since argparse takes what starts with a dash for an option."""
    joined: list[str] = []
    for argument in arguments:
        takes_value = bool(joined) and joined[-1] in [f"--{name}" for name in (*OPTIONS, *LOSSES)]
        if takes_value and argument.startswith("-") and not argument.startswith("--"):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _spec(what: str, arguments: argparse.Namespace) -> Spec:
    """Return the spec of a named kind with the options given, or of a file; a threshold given replaces its own."""
    from costderive.spec import threshold_from

    found = _spec_of_context(what, arguments)
    given = arguments.threshold
    return found if given is None else replace(found, threshold=threshold_from(given))


def _spec_of_context(what: str, arguments: argparse.Namespace) -> Spec:
    from costderive import spec

    options = {name: getattr(arguments, name) for name in OPTIONS}
    given = {name: text for name, text in options.items() if text is not None}
    if what in spec.KINDS:
        parts = {name: spec.split(text) for name, text in given.items()}
        values = {name: text if len(parts[name]) == 1 else parts[name] for name, text in given.items()}
        return spec.Spec("", "", spec.context_from({"kind": what, **values}))
    if given:
        named = ", ".join(f"--{name}" for name in given)
        remedy = f"Options belong to a kind: {', '.join(spec.KINDS)}."
        raise SpecError(f"{named} cannot go with {what!r}", remedy)
    if not what.endswith(".toml") and not os.path.exists(what):
        spec.context_from({"kind": what})  # refuses, and names the kinds
    return spec.load(what)


# ---- commands


def _derive(arguments: argparse.Namespace) -> int:
    from costderive.walks import derive

    spec = _spec(arguments.what, arguments)
    derivation = derive(spec.context, threshold=spec.threshold, time_limit=arguments.time_limit)
    return _told(derivation, spec.title, spec.source, arguments)


def _examine(arguments: argparse.Namespace) -> int:
    from costderive.walks import examine

    derivation = examine(arguments.loss0, arguments.loss1, time_limit=arguments.time_limit)
    return _told(derivation, "", "", arguments)


def _told(derivation: Any, title: str, source: str, arguments: argparse.Namespace) -> int:
    """Check a derivation, write the files that are asked for, and tell the result."""
    from costderive.checker import check
    from costderive.export import terminal
    from costderive.proof import Verdict

    report = check(derivation)
    texts = [(file, _exported(kind, derivation, report, title)) for kind, file in _files(arguments)]
    for file, text in texts:
        _write(file, text)
    if "-" not in [file for file, _ in texts]:
        print(terminal.summary(derivation, report, title=title, source=source))
    return 0 if report.verdict is Verdict.PROVED else 1


def _files(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    named = [(kind, getattr(arguments, kind, None)) for kind in ("latex", "json", "python")]
    files = [(kind, file) for kind, file in named if file is not None]
    if len({file for _, file in files}) < len(files):
        raise ExportError("two outputs go to the same file", "Give each its own name.")
    return files


def _exported(kind: str, derivation: Any, report: Any, title: str) -> str:
    from costderive.export import terminal
    from costderive.export.article import latex
    from costderive.export.certificate import to_json
    from costderive.export.program import code

    if kind == "latex":
        return latex(derivation, report)
    if kind == "json":
        return to_json(derivation, report)
    words = terminal.context_words(derivation.context)
    return code(derivation.rule, title="\n".join([text for text in (title, words) if text]))


def _score(arguments: argparse.Namespace) -> int:
    from costderive.evaluate import read_predictions, score
    from costderive.export import terminal
    from costderive.numeric.data import batch
    from costderive.thresholds import thresholded

    spec = _spec(arguments.context, arguments)
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


def _check(arguments: argparse.Namespace) -> int:
    from costderive.checker import check
    from costderive.export import terminal
    from costderive.export.certificate import from_json
    from costderive.proof import Verdict

    derivation = from_json(_read(arguments.certificate), arguments.certificate)
    try:
        report = check(derivation)
        lines = [terminal.findings_table(report), "", terminal.summary(derivation, report)]
    except Exception as error:  # objects that no move ever made may fail in any way
        problem = f"{arguments.certificate}: its claims cannot be decided ({type(error).__name__}: {error})"
        raise SpecError(problem, "Write it again with derive --json.") from None
    print("\n".join(lines))
    return 0 if report.verdict is Verdict.PROVED else 1


# ---- scores


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


# ---- files


def _read(file: str) -> str:
    try:
        if file == "-":
            return sys.stdin.read(MAX_CERTIFICATE + 1)
        with open(file, encoding="utf-8") as stream:
            return stream.read(MAX_CERTIFICATE + 1)
    except OSError as problem:
        raise SpecError(
            f"{file} cannot be read: {problem.strerror}", "Give a file that derive --json wrote."
        ) from None
    except UnicodeDecodeError:
        raise SpecError(f"{file} is not text in UTF-8", "Give a file that derive --json wrote.") from None


def _write(file: str, text: str) -> None:
    """Write a whole file or nothing: the text goes to a neighbour, which then takes the file's place."""
    if file == "-":
        print(text, end="")
        return
    target = Path(os.path.realpath(file))
    try:
        if target.exists() and not target.is_file():  # /dev/stderr, a pipe; a directory fails here
            target.write_text(text, encoding="utf-8")
            return
        _replace(target, text)
    except OSError as problem:
        raise ExportError(
            f"{file} cannot be written: {problem.strerror}",
            "Choose a file in a folder that you may write to.",
        ) from None


def _replace(target: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(name, _permissions(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _permissions(target: Path) -> int:
    """Return those of the file that is replaced, or those of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
