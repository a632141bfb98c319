"""What derive and examine have in common: the files that they write, and what they tell."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.files import write
from costderive.errors import ExportError


def output_arguments(parser: argparse.ArgumentParser) -> Any:
    """Add the files that a derivation is written to."""
    output = parser.add_argument_group("output", "An existing file is replaced. - means standard output.")
    output.add_argument("--latex", metavar="FILE", help="write the derivation as a LaTeX article")
    output.add_argument("--json", metavar="FILE", help="write the derivation as a certificate")
    return output


def told(derivation: Any, title: str, source: str, arguments: argparse.Namespace) -> int:
    """Check a derivation, write the files that are asked for, and tell the result."""
    from costderive.checker import check
    from costderive.export import terminal
    from costderive.proof import Verdict

    report = check(derivation)
    texts = [
        (file, _exported(kind, derivation, report, title, arguments)) for kind, file in _files(arguments)
    ]
    for file, text in texts:
        write(file, text)
    if "-" not in [file for file, _ in texts]:
        print(terminal.summary(derivation, report, title=title, source=source))
    return 0 if report.verdict is Verdict.PROVED else 1


def _files(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    named = [(kind, getattr(arguments, kind, None)) for kind in ("latex", "json", "python")]
    files = [(kind, file) for kind, file in named if file is not None]
    files += [_target_and_file(text) for text in getattr(arguments, "code", None) or ()]
    if len({file for _, file in files}) < len(files):
        raise ExportError("two outputs go to the same file", "Give each its own name.")
    return files


def _target_and_file(text: str) -> tuple[str, str]:
    target, colon, file = text.partition(":")
    if not (target and colon and file):
        raise ExportError(f"--code {text!r} is not TARGET:FILE", "For example --code c:losses.c.")
    return f"code:{target}", file


def _exported(kind: str, derivation: Any, report: Any, title: str, arguments: argparse.Namespace) -> str:
    from costderive.export import terminal
    from costderive.export.article import latex
    from costderive.export.certificate import to_json
    from costderive.export.parametric import formulas
    from costderive.export.writer import code

    if kind == "latex":
        return latex(derivation, report)
    if kind == "json":
        return to_json(derivation, report)
    words = terminal.context_words(derivation.context)
    about = "\n".join([text for text in (title, words) if text])
    if kind.startswith("code:"):
        return code(derivation.rule, kind.removeprefix("code:"), title=about, dialect=arguments.dialect)
    write_python = formulas if derivation.rule.parameters else code
    return write_python(derivation.rule, title=about)
