"""What was checked: the findings of a report, counted, and those that are no proofs one by one."""

from __future__ import annotations

from collections import Counter

from costderive.export.blocks import Block, Heading, Paragraph, Table, prose
from costderive.proof import Report, Verdict

_WORDS = {
    Verdict.PROVED: "proved",
    Verdict.NUMERIC: "numeric",
    Verdict.OPEN: "open",
    Verdict.REFUTED: "refuted",
}


def checked(report: Report) -> tuple[Block, ...]:
    """Return the appendix on a report."""
    counts = Counter((finding.verdict, finding.claim.what, finding.decider) for finding in report.findings)
    rows = tuple(
        ((what,), (decider,), (str(count),), (_WORDS[verdict],))
        for (verdict, what, decider), count in sorted(counts.items(), key=lambda item: item[0][0])
    )
    method = (
        "Each step of the derivation makes claims, and follows from them. A checker decided the claims "
        "without relying on how the step was found: it differentiates, substitutes, takes limits and "
        "decides identities and signs, but neither integrates nor solves. What it does not see are the "
        "sentences that join the claims, and the theorems of analysis that are named in the proofs."
    )
    verdicts = (
        "A claim is proved if it was decided exactly, numeric if no exact method decided it but both sides "
        "agree to many digits at sample points, open if it could not be decided, and refuted if it fails "
        "at a point. Only the first is a proof."
    )
    head = (prose("claim"), prose("decided by"), prose("times"), prose("verdict"))
    return (
        Heading(prose("What was checked"), "app:checked", appendix=True),
        Paragraph(prose(method)),
        Paragraph(prose(verdicts)),
        Paragraph(prose(_verdict(report))),
        *_weak(report),
        Table(head, rows, wide=(0, 1)),
    )


def _verdict(report: Report) -> str:
    if report.verdict is Verdict.PROVED:
        return f"All {len(report.findings)} claims are proved."
    counts = Counter(finding.verdict for finding in report.findings)
    listed = ", ".join(f"{counts[verdict]} {_WORDS[verdict]}" for verdict in sorted(counts, reverse=True))
    return (
        f"The derivation is not fully proved. Of its {len(report.findings)} claims there are "
        f"{listed or 'none decided'}."
    )


def _weak(report: Report) -> tuple[Block, ...]:
    """List the claims that are not proved, with the evidence."""
    weak = [finding for finding in report.findings if finding.verdict is not Verdict.PROVED]
    if not weak:
        return ()
    head = (prose("claim that is not proved"), prose("evidence"), prose("verdict"))
    rows = tuple(((x.claim.what,), (x.evidence,), (_WORDS[x.verdict],)) for x in weak)
    return (Table(head, rows, wide=(0, 1)),)
