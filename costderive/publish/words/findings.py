"""Papers with what was checked: the findings of a report, by method, and those that are no proofs one by one."""

from __future__ import annotations

import re
from collections import Counter

from costderive import __version__
from costderive.proof.claims import Finding, Report, Verdict
from costderive.publish.words.document_blocks import (
    Block,
    Heading,
    Paragraph,
    Prose,
    Story,
    citations,
    prose,
    table,
)
from costderive.publish.words.sources import SOURCES

_WORDS = {
    Verdict.PROVED: "proved",
    Verdict.NUMERIC: "numeric",
    Verdict.OPEN: "open",
    Verdict.REFUTED: "refuted",
}
_METHODS = {
    "same expression": "both sides are the same expression as they stand",
    "rational canonical form": "the difference, as one fraction over the rationals and the parameters, is 0",
    "radicals as algebraic generators": "the difference is 0, each root a generator that obeys its equation",
    "separation bound of radicals": "the difference of two numbers made of roots is smaller than any but 0 can be",
    "independent generators": "the difference is 0, logarithms, exponentials and the like being free generators",
    "continuity": "the limit is the value, by continuity of each part",
    "leading terms": "the limit of the leading terms, with an exact order for the rest",
    "series": "the limit of an expansion in powers and logarithms, with an exact order for the rest",
    "monotone convergence": "the limit may be taken under the integral sign",
    "structure": "a sum, product, power or integral of what has that sign",
    "given fact": "an assumption on the parameters",
    "non-negative coefficients": "all coefficients of a polynomial in non-negative quantities are",
    "real-root isolation": "a Sturm sequence: a polynomial has no root there",
    "zeros of the norm": "no zero where some function with other signs of its roots has one, and the sign at a point",
    "the conjugate": "the sign of one part of a + b sqrt(d), and that of its norm",
    "a completed square": "a quadratic without real roots",
    "domains of its parts": "each part is analytic where it is used",
}


def paper(title: Prose, abstract: Prose, blocks: tuple[Block, ...], report: Report) -> Story:
    """Return a story with the appendix on its report, and the sources that it cites."""
    whole = (*blocks, *checked(report))
    by = "; ".join(filter(None, (f"Derived and checked by costderive {__version__}", remark(report))))
    return Story(title, by, abstract, whole, tuple(SOURCES[key] for key in sorted(citations(whole))))


def remark(report: Report) -> str:
    """Return what the headings of theorems say if not all claims are proved."""
    return "" if report.verdict is Verdict.PROVED else "not fully proved"


def sentence(statement: str, report: Report) -> str:
    """Return a sentence that something is so, or one that it is not fully proved to be so."""
    if report.verdict is Verdict.PROVED:
        return f"{statement[0].upper()}{statement[1:]}."
    return f"That {statement} is not fully proved."


def shows(report: Report) -> str:
    """Return what a paper does with what its steps conclude."""
    return "show" if report.verdict is Verdict.PROVED else "claim, but do not fully prove,"


def kind_of_rule(report: Report) -> str:
    """Return what a title calls a rule that steps conclude to be proper."""
    return "proper scoring rule" if report.verdict is Verdict.PROVED else "scoring rule"


def proof_status(report: Report) -> str:
    """Return the sentence of an abstract on how many claims are proved."""
    total = len(report.findings)
    if report.verdict is Verdict.PROVED:
        return f"All {total} claims on which the proofs rest were decided exactly by machine."
    weak = sum(finding.verdict is not Verdict.PROVED for finding in report.findings)
    return (
        f"The derivation is not fully proved: of the {total} claims on which it rests, {weak} could not be "
        f"proved (see the appendix)."
    )


def checked(report: Report) -> tuple[Block, ...]:
    """Return the appendix on a report."""
    method = (
        "Each step of the derivation makes claims, and follows from them. A checker decided the claims without "
        "relying on how the step was found: it differentiates, substitutes, takes limits and decides identities and "
        "signs, but neither integrates nor solves. What it does not see are the sentences that join the claims, and "
        "the theorems of analysis that are named in the proofs. "
    )
    return (
        Heading(prose("What was checked"), "app:checked", appendix=True),
        Paragraph(prose(method + _verdict(report))),
        *_weak(report),
        *_proved(report),
    )


def _verdict(report: Report) -> str:
    if report.verdict is Verdict.PROVED:
        return f"All {len(report.findings)} claims are proved, that is, decided exactly:"
    counts = Counter(finding.verdict for finding in report.findings)
    listed = ", ".join(f"{counts[verdict]} {_WORDS[verdict]}" for verdict in sorted(counts, reverse=True))
    return (
        "A claim is proved if it was decided exactly, numeric if no exact method decided it but both sides agree to "
        "many digits at sample points, open if it could not be decided, and refuted if it fails at a point. Only the "
        f"first is a proof. The derivation is not fully proved. Of its {len(report.findings)} claims there are "
        f"{listed or 'none decided'}."
    )


def _proved(report: Report) -> tuple[Block, ...]:
    """List the methods that decided claims, with what each means and what it decided."""
    proved = [finding for finding in report.findings if finding.verdict is Verdict.PROVED]
    if not proved:
        return ()
    rows = ((_method(method), _decided(method, proved), count) for method, count in methods(report))
    return (table(("method", "what it decided", "claims"), rows, wide=(0, 1)),)


def methods(report: Report) -> list[tuple[str, int]]:
    """Count what each method decided exactly, the most first."""
    return Counter(x.decider for x in report.findings if x.verdict is Verdict.PROVED).most_common()


def _method(name: str) -> str:
    meant = [_METHODS[part] for part in name.split(" and ") if part in _METHODS]
    return f"{name}: {'; '.join(meant)}" if meant else name


def _decided(method: str, proved: list[Finding]) -> str:
    """Name the claims that a method decided, each once; those of plain bookkeeping are too many."""
    if method == "same expression":
        return "that each step starts where the one before it ended, and carries over all parts of it"
    whats = (finding.claim.what for finding in proved if finding.decider == method)
    return "; ".join(dict.fromkeys(re.sub(r"\bloss [01]\b", "a loss", what) for what in whats))


def _weak(report: Report) -> tuple[Block, ...]:
    """List the claims that are not proved, with the evidence."""
    weak = [finding for finding in report.findings if finding.verdict is not Verdict.PROVED]
    if not weak:
        return ()
    rows = ((finding.claim.what, finding.evidence, _WORDS[finding.verdict]) for finding in weak)
    return (table(("claim that is not proved", "evidence", "verdict"), rows, wide=(0, 1)),)
