"""Decisions on published claims for a reader at a terminal, and as data for other programs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

from costderive.literature.decision import Answer, Decision, Verdict
from costderive.literature.published import SLIPS, Published
from costderive.literature.question import Outcome

NARROW = 110  # below so many columns the title of a claim has a line of its own
MARGIN = 12
ID, VERDICT, SECONDS = 31, 16, 7
HARD = "\N{NO-BREAK SPACE}"
_EQUATION = re.compile(r"(?<!\S\S\S\S\S\S\S) ([=<≤≈]) (?=\S{1,10}(?:\s|$))")


def heading(claim: Published, before: Published | None, width: int) -> str:
    """Return the source of a claim, if it is not that of the claim before."""
    if before is not None and before.source == claim.source:
        return ""
    gap = "" if before is None else "\n"
    return gap + "\n".join(_indented(claim.reference, 0, width)) + "\n"


def row(decision: Decision, width: int) -> str:
    """Return one claim in a table of claims: id, verdict, seconds, title."""
    claim = decision.claim
    facts = f"  {claim.id:{ID}}  {decision.verdict:{VERDICT}}{decision.seconds:{SECONDS}.2f} s"
    title = f"{claim.title} ({decision.slip})" if decision.slip else claim.title
    if width < NARROW:
        return "\n".join([facts, *_indented(title, 6, width)])
    first, *others = _indented(title, len(facts) + 2, width)
    return "\n".join([facts + first[len(facts) :], *others])


def totals(decisions: Iterable[Decision]) -> str:
    """Return how many claims have which verdict."""
    found = list(decisions)
    counted = Counter(decision.verdict for decision in found)
    parts = [
        f"{counted[verdict]} {verdict}{_slips(found, verdict)}" for verdict in Verdict if counted[verdict]
    ]
    return f"{counted.total()} claims: {', '.join(parts)}."


def _slips(decisions: list[Decision], verdict: Verdict) -> str:
    """Return how many errors of which sort are behind a verdict, in brackets."""
    counted = Counter(
        decision.slip for decision in decisions if decision.verdict is verdict and decision.slip
    )
    parts = [f"{count} {slip}{'s' if count > 1 else ''}" for slip in SLIPS if (count := counted[slip])]
    return f" ({', '.join(parts)})" if parts else ""


def claim_text(decision: Decision, width: int) -> str:
    """Return a claim with everything that decides it."""
    claim = decision.claim
    lines = [*wrap(f"{claim.id}: {claim.title}", width, subsequent_indent="  "), ""]
    lines += _labelled("Source", f"{claim.reference}; {claim.place}", width)
    lines += _labelled("Quoted", f"“{claim.quote}”", width) if claim.quote else []
    lines += _labelled("SHA-256", claim.fingerprint, width) if claim.quote else []
    lines += _labelled("Statement", claim.statement, width)
    for index, text in enumerate(claim.assumptions):
        lines += _labelled("Assumed" if index == 0 else "", text, width)
    lines += (
        _labelled("Tried", claim.tried, width)
        if claim.tried and decision.verdict is not Verdict.TRIED
        else []
    )
    lines += _labelled("Verdict", decision.conclusion, width)
    lines += _labelled("Proof", decision.proof, width)
    lines += _section("As printed", decision.answers, width)
    lines += _section(f"Amended: {claim.amendment}".rstrip(": "), decision.amended, width)
    lines += _section("The printed proof takes it that", decision.premises, width)
    if decision.missing:
        lines += ["", "The printed proof does not show that"]
        lines += [line for text in decision.missing for line in _indented(text, 4, width)]
    return "\n".join(lines)


def _labelled(label: str, text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent=f"{label:{MARGIN}}", subsequent_indent=" " * MARGIN)


def _section(title: str, answers: tuple[Answer, ...], width: int) -> Iterator[str]:
    for number, answer in enumerate(answers, start=1):
        yield ""
        yield from wrap(f"{title} ({number} of {len(answers)})" if len(answers) > 1 else title, width)
        for line in answer.question.formal():
            yield from _indented(line, 4, width)
        yield f"  {'It ' if answer.ruling.outcome is Outcome.OPEN else ''}{answer.ruling.outcome}:"
        for line in answer.ruling.evidence:
            yield from _indented(line, 4, width)
        if answer.ruling.correction:
            yield "  instead:"
        for line in answer.ruling.correction:
            yield from _indented(line, 4, width)


def _indented(text: str, margin: int, width: int) -> list[str]:
    """Break a line, its continuation two columns further in, but not at the sign of a short equation."""
    start = " " * margin
    held = _EQUATION.sub(f"{HARD}\\1{HARD}", text)
    lines = wrap(held, width, initial_indent=start, subsequent_indent=f"{start}  ", break_long_words=False)
    return [line.replace(HARD, " ") for line in lines]


def to_json(decisions: Iterable[Decision]) -> str:
    """Return decisions as JSON: an object with a list ``claims``, each with its verdict and what decides it."""
    return json.dumps({"claims": [_data(d) for d in decisions]}, ensure_ascii=False, indent=1) + "\n"


def _data(decision: Decision) -> dict[str, Any]:
    claim = decision.claim
    words = {
        name: getattr(claim, name)
        for name in ("id", "title", "source", "where", "page", "quote", "statement", "assumptions")
    }
    answers = {
        name: [_answer(x) for x in getattr(decision, name)] for name in ("answers", "amended", "premises")
    }
    verdict = {
        "verdict": str(decision.verdict),
        "proof": decision.proof,
        "seconds": round(decision.seconds, 3),
    }
    scope = {"slip": decision.slip, "tried": claim.tried}
    words["quote_sha256"] = claim.fingerprint
    return {**words, **verdict, **scope, **answers, "missing": decision.missing}


def _answer(answer: Answer) -> dict[str, Any]:
    ruling = answer.ruling
    return {
        "statement": answer.question.formal(),
        "outcome": str(ruling.outcome),
        "evidence": ruling.evidence,
        "correction": ruling.correction,
    }
