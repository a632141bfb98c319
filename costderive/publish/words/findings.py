"""What is said of the findings of a report: in titles, headings, abstracts and sentences."""

from __future__ import annotations

from collections import Counter

from costderive.proof.claims import Report, Verdict


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
        return (
            "The formulas of the proofs were verified exactly by a program; the appendix says which, and what it does "
            "not see."
        )
    total = len(report.findings)
    weak = sum(finding.verdict is not Verdict.PROVED for finding in report.findings)
    return (
        f"The derivation is not fully proved: {weak} of the {counted_claims(total)} on which it rests could not be "
        f"proved (see the appendix)."
    )


def counted_claims(number: int) -> str:
    """Return a number of claims in words that agree with it."""
    return f"{number} claim" if number == 1 else f"{number} claims"


def methods(report: Report) -> list[tuple[str, int]]:
    """Count what each method decided exactly, the most first."""
    return Counter(x.decider for x in report.findings if x.verdict is Verdict.PROVED).most_common()
