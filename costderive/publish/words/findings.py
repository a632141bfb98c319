"""Papers with what was checked: the findings of a report, by method, and those that are no proofs one by one."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import replace

from costderive import __version__
from costderive.core.errors import ExportError
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Finding, Report, Verdict
from costderive.publish.coq.coq_file import theorems
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
from costderive.publish.words.scene import listed, series
from costderive.publish.words.sources import SOURCES

_WORDS = {
    Verdict.PROVED: "proved",
    Verdict.NUMERIC: "numeric",
    Verdict.OPEN: "open",
    Verdict.REFUTED: "refuted",
}
_METHODS = {
    "rational canonical form": "the difference, as one fraction over the rationals and the parameters, is 0",
    "radicals as algebraic generators": "the difference is 0, each root a generator that obeys its equation",
    "separation bound of radicals": "the difference of two numbers made of roots is smaller than any but 0 can be",
    "independent generators": "the difference is 0, logarithms, exponentials and the like being free generators",
    "continuity": "the limit is the value, by continuity of each part",
    "leading terms": "the limit of the leading terms, with an exact order for the rest",
    "series": "the limit of an expansion in powers and logarithms, with an exact order for the rest",
    "monotone convergence": "the limit may be taken under the integral sign",
    "structure": "a sum, product, power or integral of what has that sign",
    "exact point": "values at which they hold",
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
    if report.verdict is Verdict.PROVED:
        return "Each formula on which the proofs rest was decided exactly by machine (see the appendix)."
    total = len(report.findings)
    weak = sum(finding.verdict is not Verdict.PROVED for finding in report.findings)
    return (
        f"The derivation is not fully proved: {weak} of the {counted_claims(total)} on which it rests could not be "
        f"proved (see the appendix)."
    )


def counted_claims(number: int) -> str:
    """Return a number of claims in words that agree with it."""
    return f"{number} claim" if number == 1 else f"{number} claims"


def checked(report: Report) -> tuple[Block, ...]:
    """Return the appendix on a report."""
    method = (
        "Each step of the derivation makes claims, and follows from them. A checker decided the claims without "
        "relying on how the step was found: it differentiates, substitutes, takes limits and decides identities and "
        "signs, but neither integrates nor solves. What it does not see are the sentences that join the claims, the "
        "theorems of analysis that are named in the proofs, and what is cited. "
    )
    return (
        Heading(prose("What was checked"), "app:checked", appendix=True),
        Paragraph(prose(method + _verdict(report))),
        *_weak(report),
        *_proved(report),
    )


def with_certificate(paper: Story, derivation: Certified, report: Report) -> Story:
    """Return a paper whose appendix says which certificate it is of; one that cannot be written is left out."""
    try:
        certificate = derivation.to_json(report)
    except ExportError:
        return paper
    digest = hashlib.sha256(certificate.encode()).hexdigest()
    written = Paragraph(prose(_CERTIFICATE, digest[:32], digest[32:]))
    return replace(paper, blocks=(*paper.blocks, written, *_machine_proof(derivation)))


_CERTIFICATE = (
    "The certificate of this derivation is the JSON that costderive derive writes; costderive check decides its claims "
    "again. The SHA-256 hash of that file is {} {}."
)


def _machine_proof(derivation: Certified) -> tuple[Block, ...]:
    """Name the theorems that Coq checks, if there are any."""
    found = theorems(derivation) if isinstance(derivation, Derivation) else ()
    if not found:
        return ()
    kind = "theorems" if len(found) > 1 else "theorem"
    text = (
        "costderive derive --coq proof.v writes the file proof.v, in which Coq checks the {} {} of this rule."
    )
    return (Paragraph(prose(text, kind, listed((name,) for name in found))),)


def _verdict(report: Report) -> str:
    if report.verdict is Verdict.PROVED:
        return f"Every claim is proved, that is, decided exactly. {_UNLISTED if _decided(report) else ''}"
    counts = Counter(finding.verdict for finding in report.findings)
    shown = ", ".join(f"{counts[verdict]} {_WORDS[verdict]}" for verdict in sorted(counts, reverse=True))
    return (
        "A claim is proved if it was decided exactly, numeric if no exact method decided it but both sides agree to "
        "many digits at sample points, open if it could not be decided, and refuted if it fails at a point. Only the "
        f"first is a proof. The derivation is not fully proved. Of its {len(report.findings)} claims there are "
        f"{shown or 'none decided'}."
    )


def _proved(report: Report) -> tuple[Block, ...]:
    """List what was decided, by method, in the order of the proof; what is the same as it stands is left out."""
    found: dict[str, Counter[str]] = {}
    for finding in _decided(report):
        found.setdefault(_method(finding.decider), Counter())[_what(finding)] += 1
    rows = ((how, series(map(_times, counts.items()), "; ")) for how, counts in found.items())
    return (table(("how", "what was decided"), rows, wide=(0, 1)),) if found else ()


def _decided(report: Report) -> list[Finding]:
    return [x for x in report.findings if x.verdict is Verdict.PROVED and x.decider != SAME]


def _what(finding: Finding) -> str:
    """Return what a claim says, whichever class it is of."""
    return re.sub(r"\bloss [01]\b", "a loss", finding.claim.what)


def _times(counted: tuple[str, int]) -> Prose:
    what, count = counted
    return prose("{}" if count == 1 else f"{{}} ({count} times)", _with_letters(what))


def _with_letters(what: str) -> Prose:
    """Write costs, their change of variables and reports in a claim as mathematics; the rest stays text."""
    maths = re.compile(r"(\bc0 = s c1/\(1 - s\)|\bc[01]\b|\bp = [01]\b)")
    runs = (_maths(part) if maths.fullmatch(part) else (part,) for part in maths.split(what) if part)
    return series(runs, "")


def _maths(text: str) -> Prose:
    return prose("$" + re.sub("c([01])", r"c_\1", text) + "$")


SAME = "same expression"
_UNLISTED = (
    "The table lists them by method. It leaves out equalities of two sides that are the same expression as they "
    "stand, such as that each step starts where the one before it ended."
)


def methods(report: Report) -> list[tuple[str, int]]:
    """Count what each method decided exactly, the most first."""
    return Counter(x.decider for x in report.findings if x.verdict is Verdict.PROVED).most_common()


def _method(name: str) -> str:
    meant = [_METHODS[part] for part in name.split(" and ") if part in _METHODS]
    return "; ".join(meant) or name


def _weak(report: Report) -> tuple[Block, ...]:
    """List the claims that are not proved, with the evidence."""
    weak = [finding for finding in report.findings if finding.verdict is not Verdict.PROVED]
    if not weak:
        return ()
    rows = ((finding.claim.what, finding.evidence, _WORDS[finding.verdict]) for finding in weak)
    return (table(("claim that is not proved", "evidence", "verdict"), rows, wide=(0, 1)),)
