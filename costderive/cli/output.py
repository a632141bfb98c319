"""What derive and examine have in common: the files that they write, and the result that they print."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from costderive.cli.files import write
from costderive.cli.waiting import waiting
from costderive.core.errors import ExportError

if TYPE_CHECKING:
    from costderive.derivation.parts.costs_of_parts import CostsOfParts
    from costderive.proof.claims import Report
    from costderive.publish.words.document_blocks import Front

WIDTH = 80


def terminal_width() -> int:
    """Return how many letters a line may have: 80 where there is no terminal."""
    return shutil.get_terminal_size((WIDTH, 24)).columns


def output_arguments(parser: argparse.ArgumentParser) -> Any:
    """Add the files that a derivation is written to."""
    output = parser.add_argument_group("output", "An existing file is replaced. - means standard output.")
    output.add_argument(
        "--latex",
        metavar="FILE",
        help="write the derivation as a LaTeX article, and with FILE.tex its FILE.bib",
    )
    output.add_argument(
        "--fragment",
        action="store_true",
        help="let --latex write theorems and proofs alone, to paste in a paper",
    )
    output.add_argument(
        "--self-contained",
        action="store_true",
        help="let articles prove what holds for all costs, which they cite from the preliminaries otherwise",
    )
    output.add_argument(
        "--preliminaries",
        metavar="FILE",
        help="write the LaTeX article that others cite for what holds for all costs",
    )
    output.add_argument(
        "--arxiv",
        metavar="DIR",
        help="write what arXiv asks for into a folder: a self-contained article, its bibliography and its figure",
    )
    front = parser.add_argument_group("front matter", "What stands before an article, as plain text.")
    front.add_argument("--title", metavar="TEXT", help="its title")
    front.add_argument(
        "--author", metavar="NAME", action="append", default=[], help="an author; once for each"
    )
    front.add_argument("--abstract", metavar="TEXT", help="its abstract")
    front.add_argument("--remark", metavar="TEXT", help="a remark at the end of its last section")
    front.add_argument(
        "--msc", metavar="CODE", action="append", default=[], help="a code of MSC 2020; once for each"
    )
    front.add_argument(
        "--keyword", metavar="TEXT", action="append", default=[], help="a keyword; once for each"
    )
    output.add_argument("--html", metavar="FILE", help="write the derivation as a page that needs no network")
    output.add_argument("--json", metavar="FILE", help="write the derivation as a certificate")
    return output


def check_and_write(
    derivation: Any,
    title: str,
    source: str,
    arguments: argparse.Namespace,
    compared: Report | None = None,
    at: Mapping[str, Any] | None = None,
    made_of: CostsOfParts | None = None,
) -> int:
    """Check a derivation, write the files that are asked for, and print the result; return 0 if all of it is proved.

    ``compared`` has the findings on losses that were expected; ``at`` has numbers for parameters, for a figure;
    ``made_of`` has the parts of the costs.
    """
    from costderive.proof.checker import check
    from costderive.proof.claims import Verdict
    from costderive.publish.formats import terminal

    files = _files(arguments)
    with waiting("checking"):
        report = check(derivation)
        texts = [
            (file, _exported(kind, file, derivation, report, title, arguments, made_of))
            for kind, file in files
        ]
    for file, text in texts:
        write(file, text)
    if arguments.arxiv is not None:
        _submit(derivation, report, arguments, at or {}, made_of)
    if "-" not in [file for file, _ in texts]:
        print(
            terminal.summary(
                derivation, report, title=title, source=source, compared=compared, made_of=made_of
            )
        )
    verdicts = {found.verdict for found in (report, compared) if found is not None}
    return 0 if verdicts == {Verdict.PROVED} else 1


def _submit(
    derivation: Any,
    report: Any,
    arguments: argparse.Namespace,
    at: Mapping[str, Any],
    made_of: CostsOfParts | None,
) -> None:
    """Write what arXiv asks for, and say what that is."""
    from costderive.publish import arxiv

    files = arxiv.submission(derivation, report, front=_front(arguments), at=at, made_of=made_of)
    arxiv.save(files, arguments.arxiv)


def _files(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Return what is written to which file.

    Raises:
        ExportError: if two outputs go to the same file, or there is no article of which to write a fragment.
    """
    if arguments.fragment and arguments.latex is None:
        raise ExportError("--fragment has no file", "Say where the fragment goes: --latex proof.tex.")
    files = list(_named(arguments))
    if len({file for _, file in files}) < len(files):
        raise ExportError("two outputs go to the same file", "Give each its own name.")
    return files


def _named(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    for kind in ("latex", "preliminaries", "html", "json", "python", "coq"):
        file = getattr(arguments, kind, None)
        if file is not None:
            yield "fragment" if kind == "latex" and arguments.fragment else kind, file
        if kind == "latex" and file is not None and _bibliography(file):
            yield "bibtex", str(PurePath(file).with_suffix(".bib"))
    yield from map(_target_and_file, getattr(arguments, "code", None) or ())


def _target_and_file(text: str) -> tuple[str, str]:
    target, colon, file = text.partition(":")
    if not (target and colon and file):
        raise ExportError(f"--code {text!r} is not TARGET:FILE", "For example --code c:losses.c.")
    return f"code:{target}", file


def _bibliography(file: str) -> str:
    """Return the name of the bibliography beside an article; there is none if BibTeX could not read the name."""
    name = re.fullmatch(r"(?:.*/)?([\w.-]+)\.tex", file, re.ASCII)
    return name[1] if name else ""


def _exported(
    kind: str,
    file: str,
    derivation: Any,
    report: Any,
    title: str,
    arguments: argparse.Namespace,
    made_of: CostsOfParts | None,
) -> str:
    from costderive.publish import export

    if kind.startswith(("python", "code:")):
        return _program(kind, derivation, title, arguments)
    whole = arguments.self_contained
    writers: dict[str, Callable[[], str]] = {
        "latex": lambda: export.latex(
            derivation,
            report,
            bibliography=_bibliography(file),
            self_contained=whole,
            front=_front(arguments),
            made_of=made_of,
        ),
        "fragment": lambda: export.latex(derivation, report, fragment=True, made_of=made_of),
        "preliminaries": export.preliminaries,
        "bibtex": lambda: export.bibtex(derivation, report, self_contained=whole or arguments.fragment),
        "html": lambda: export.html(derivation, report, made_of=made_of),
        "json": lambda: str(derivation.to_json(report)),
        "coq": lambda: _coq(file, derivation, not arguments.losses_only),
    }
    return writers[kind]()


def _coq(file: str, derivation: Any, whole: bool) -> str:
    """Return a proof for Coq, and say which parts of the derivation it is without."""
    from costderive.publish import export
    from costderive.publish.coq.coq_file import left_out

    text = str(export.coq(derivation, whole=whole))
    for parts in left_out(text):
        print(f"{file}: left out: {parts}", file=sys.stderr)
    return text


def _front(arguments: argparse.Namespace) -> Front:
    """Return the front matter that arguments ask for."""
    from costderive.publish.words.document_blocks import Front

    return Front(
        title=arguments.title or "",
        authors=tuple(arguments.author),
        abstract=arguments.abstract or "",
        remark=arguments.remark or "",
        msc=tuple(arguments.msc),
        keywords=tuple(arguments.keyword),
    )


def _program(kind: str, derivation: Any, title: str, arguments: argparse.Namespace) -> str:
    from costderive.publish import export
    from costderive.publish.formats import terminal

    words = terminal.context_words(derivation.context)
    about = "\n".join([text for text in (title, words) if text])
    rule, target = derivation.rule, "numpy" if kind == "python" else kind.removeprefix("code:")
    return str(export.code(rule, target, title=about, dialect=arguments.dialect))
