"""A report on the terminal: each claim with its verdict, who decided it, and how long that took.

Claims that read the same and were decided in the same way are counted on one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, zip_longest
from textwrap import wrap

from costderive.derivation.certificates.document import Certified
from costderive.proof.claims import Finding, Report, Verdict
from costderive.publish.formats import terminal

HEAD = ("claim", "n", "verdict", "decider", "seconds")
NARROWEST = 20
INDENT = "  "

Row = tuple[str, str, str, str, str]
Key = tuple[str, Verdict, str, str]


def summary(derivation: Certified, report: Report, width: int) -> str:
    """Return the table of findings and the result, for a terminal so many columns wide."""
    return f"{table(report, width)}\n\n{terminal.summary(derivation, report)}"


def second_proof(report: Report, width: int) -> str:
    """Return the table of the findings of a second proof of the losses, and what they mean."""
    meaning = {
        Verdict.PROVED: "The losses are PROVED a second time, without a change of variables and a threshold weight.",
        Verdict.REFUTED: "The second way REFUTES the losses: please report this as a mistake of costderive.",
    }
    said = meaning.get(report.verdict, "There is no second proof: one of its claims is not proved.")
    return f"\n{table(report, width)}\n\n{said}"


def table(report: Report, width: int) -> str:
    """Return the claims with verdicts, deciders and seconds; below a claim that is not proved stands the evidence."""
    rows = [*_rows(report.findings), _total(report)]
    claim, decider = _widths([HEAD, *rows], width)
    lines = [line for row in rows for line in _wrapped(row, claim, decider)]
    return terminal.table([HEAD, *lines], right=(1, 4))


def _key(finding: Finding) -> Key:
    return finding.claim.what, finding.verdict, finding.decider, finding.evidence


def _rows(findings: tuple[Finding, ...]) -> Iterator[Row]:
    """In the order of the proof: a row stands where the first of its claims does."""
    first: dict[Key, int] = {}
    for finding in findings:
        first.setdefault(_key(finding), len(first))
    for key, found in groupby(sorted(findings, key=lambda x: first[_key(x)]), key=_key):
        what, verdict, decider, evidence = key
        alike = list(found)
        claim = f"{what}\n{evidence}" if evidence else what
        yield claim, str(len(alike)), verdict.name, decider, _seconds(alike)


def _total(report: Report) -> Row:
    count = len(report.findings)
    return "all claims", str(count), report.verdict.name, "the weakest of them", _seconds(report.findings)


def _seconds(findings: tuple[Finding, ...] | list[Finding]) -> str:
    return f"{sum(finding.seconds for finding in findings):.2f}"


def _widths(rows: list[Row], width: int) -> tuple[int, int]:
    """Share what the other columns leave between claim and decider, if both do not fit."""
    natural = [max(len(line) for row in rows for line in row[k].splitlines()) for k in range(len(HEAD))]
    room = width - sum(natural[k] for k in (1, 2, 4)) - 2 * (len(HEAD) - 1)
    if natural[0] + natural[3] <= room:
        return natural[0], natural[3]
    decider = max(NARROWEST, min(natural[3], room * 2 // 5))
    return max(NARROWEST, room - decider), decider


def _wrapped(row: Row, claim: int, decider: int) -> Iterator[Row]:
    what, *evidence = row[0].splitlines()
    claims = wrap(what, claim, subsequent_indent=INDENT)
    claims += [
        line for x in evidence for line in wrap(x, claim, initial_indent=INDENT, subsequent_indent=INDENT)
    ]
    methods = wrap(row[3], decider, break_on_hyphens=False)
    for number, (left, method) in enumerate(zip_longest(claims, methods, fillvalue="")):
        yield (left, row[1], row[2], method, row[4]) if number == 0 else (left, "", "", method, "")
