"""Certificates as text: a derivation as one JSON document, from which an equal derivation is rebuilt.

What a certificate says of itself proves nothing: findings are written for people and never read back. ``check``
decides every claim of what was read again. ``FORMAT.md`` describes the format for those who write another checker.
"""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pkgutil import resolve_name
from textwrap import shorten
from typing import Any, Self, TypeVar

import costderive
from costderive import rules
from costderive.core import piecewise
from costderive.core.errors import CostDeriveError, ExportError, SpecError
from costderive.core.piecewise import Given
from costderive.costs import contexts
from costderive.deciders.cover import covers
from costderive.derivation.certificates.expression_trees import NotATreeError, require
from costderive.derivation.certificates.records import Vocabulary, hints
from costderive.derivation.certificates.versions import VERSION, brought_up_to_date
from costderive.proof import claims
from costderive.proof.checker import checked, latest
from costderive.proof.claims import Proof, Report

FORMAT, TABLE = "costderive derivation", "costderive.vocabularies"
KEYS = {"format", "version", "costderive", "derivation", "rule", "verdict", "findings"}
READABLE = tuple((FORMAT, version) for version in range(1, VERSION + 1))
MAX_CHARACTERS = 20_000_000
SHOWN = 120  # characters of what a derivation starts from
WIDTH = 110


class Certified(Proof):
    """A derivation that can be written as a certificate.

    What it may start from is what its field ``context`` is annotated with.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Say what it starts from and what it concludes, and whether that has been checked; nothing is decided here."""
        report, start = latest(self), shorten(repr(self.context), SHOWN, placeholder="...")
        reached = f"{self.concluded}, not checked" if report is None else self._found(report)
        cases = f", {len(self.cases)} cases" if len(self.cases) > 1 else ""
        return f"<{type(self).__name__} of {start}{cases}: {reached}>"

    def _found(self, report: Report) -> str:
        verdict = self.judged(report)
        return f"{verdict}, {report.verdict.name}" if isinstance(verdict, rules.Judgement) else verdict

    @property
    @abstractmethod
    def outcome(self) -> tuple[tuple[Given, Any], ...]:
        """For each case its facts, and its losses in a form that needs no proof to be read."""

    @property
    @abstractmethod
    def concluded(self) -> rules.Judgement:
        """What the steps conclude of the rule, whether or not their claims hold."""

    @property
    def verdict(self) -> rules.Judgement | rules.Unproved:
        """What is proved of the rule: strictly proper, proper, improper or undecided.

        A conclusion whose claims are not all proved says so, with the weakest finding: it is then text, such as
        ``"proper, not proved: OPEN: …"``, and equal to no `Judgement`. The claims are decided when this is first asked
        for, unless ``check`` has just decided them.
        """
        return self.judged(checked(self))

    def judged(self, report: Report) -> rules.Judgement | rules.Unproved:
        """Return the verdict, given the findings on this derivation."""
        return rules.verdict_of(self.concluded, report)

    def to_json(self, report: Report | None = None) -> str:
        """Write the derivation as a certificate, with the findings of a report for people to read.

        The same derivation and verdicts give the same text. ``costderive check --format`` prints the format.

        Raises:
            ExportError: if it holds something that certificates do not know.
        """
        return write(self, report)

    @classmethod
    def from_json(cls, text: str, place: str = "certificate") -> Self:
        """Rebuild the derivation of a certificate; its findings are not read, and nothing in it is evaluated.

        What was read is proved only if ``check`` says so. Errors name the ``place`` that the text is from.

        Raises:
            SpecError: if the text is not a certificate of this kind and version, is too large, or was changed into
                something that describes no derivation.
        """
        return read(text, (cls,), place)


def vocabulary_of(kind: type[Certified]) -> Vocabulary:
    """Return the vocabulary of a kind of derivation.

    The one table of them lies above all that it names. So it is found by its own name, when it is first asked for.

    Raises:
        ExportError: if it is not in the table.
    """
    place = _places().get(f"{kind.__module__}:{kind.__qualname__}")
    if place is None:
        raise ExportError(f"certificates have no words for {kind.__name__}", f"Add it to {TABLE}.")
    vocabulary: Vocabulary = resolve_name(f"{TABLE}.{place}")
    return vocabulary


def kinds() -> tuple[type[Certified], ...]:
    """Return the kinds of derivations that have a vocabulary."""
    return tuple(map(resolve_name, _places()))


def _places() -> Mapping[str, str]:
    """Return where each kind of derivation is, and where its vocabulary, in the words of ``pkgutil.resolve_name``."""
    places: Mapping[str, str] = import_module(TABLE).PLACES
    return places


C = TypeVar("C", bound=Certified)


def write(derivation: Certified, report: Report | None = None) -> str:
    """Write a derivation, its rule, and the findings on it, if given, as a JSON document.

    Raises:
        ExportError: if it holds something that certificates do not know.
    """
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "costderive": costderive.__version__}
    words = vocabulary_of(type(derivation))
    parts = {name: words.encode(getattr(derivation, name)) for name in ("context", "cases")}
    document["derivation"] = {"type": words.kind, **parts}
    document["rule"] = _rule(derivation)
    if report is not None:
        document["verdict"] = report.verdict.name
        document["findings"] = [_finding(finding) for finding in report.findings]
    return _laid_out(document) + "\n"


def read(text: str, kinds: Iterable[type[C]], place: str = "certificate") -> C:
    """Rebuild the derivation of a certificate, which is of one of some kinds; its findings are not read.

    Raises:
        SpecError: if the text is not a certificate of this version, is too large, or was changed into
            something that describes no derivation.
    """
    document = _document(text, place)
    try:
        current = brought_up_to_date(document.get("derivation"), document["version"])
        derivation = whole(_derivation(current, kinds))
        rule = brought_up_to_date(document.get("rule"), document["version"])
        same = rule == _rule(derivation)
        require(same, "the rule is not the one that the steps arrive at")
    except NotATreeError as refusal:
        raise SpecError(f"{place}: {refusal}", "Write the certificate again with to_json.") from None
    except CostDeriveError as error:
        raise SpecError(f"{place}: {error.problem}", error.remedy) from None
    except Exception as error:  # a context may fail in any way on values that no constructor of it has seen
        problem = f"{place}: {type(error).__name__}: {error}"
        raise SpecError(problem, "Write the certificate again with to_json.") from None
    return derivation


def _rule(derivation: Certified) -> list[dict[str, Any]]:
    encode = vocabulary_of(type(derivation)).encode
    return [{"given": encode(given), "losses": encode(losses)} for given, losses in derivation.outcome]


def _finding(finding: claims.Finding) -> dict[str, str]:
    """Write a finding for people; seconds differ from run to run and stay out."""
    claim = finding.claim
    entry = {"claim": claim.what, "kind": type(claim).__name__, "verdict": finding.verdict.name}
    return {
        **entry,
        "decider": finding.decider,
        **({"evidence": finding.evidence} if finding.evidence else {}),
    }


def _laid_out(value: Any, indent: int = 0) -> str:
    """Write JSON with each value on one line if it fits, else its items below one another, short ones side by side."""
    line = json.dumps(value)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list):
        return line
    inner, margin = "\n" + " " * (indent + 1), "\n" + " " * indent
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: {_laid_out(item, indent + 1)}" for key, item in value.items()]
        return "{" + inner + ("," + inner).join(_side_by_side(rows, indent)) + margin + "}"
    return (
        "[" + ("," + inner).join(_side_by_side([_laid_out(item, indent + 1) for item in value], indent)) + "]"
    )


def _side_by_side(items: Iterable[str], indent: int) -> Iterator[str]:
    """Yield lines of items that are short, and each other item alone."""
    line = ""
    for item in items:
        together = f"{line}, {item}" if line else item
        if line and ("\n" in together or len(together) + indent > WIDTH):
            yield line
            together = item
        line = together
    yield line


# ---- reading


def _document(text: str, place: str) -> dict[str, Any]:
    if not isinstance(text, str):
        raise SpecError(f"{place} is no text but {type(text).__name__}", "Give what to_json returned.")
    if len(text) > MAX_CHARACTERS:
        raise SpecError(f"{place} has more than {MAX_CHARACTERS} characters", "Is this a certificate?")
    try:
        document = json.loads(text, parse_constant=_number, parse_float=_number, object_pairs_hook=_distinct)
    except (ValueError, RecursionError, NotATreeError) as problem:
        reason = "it is nested too deeply" if isinstance(problem, RecursionError) else problem
        raise SpecError(
            f"{place} is not a certificate: {reason}", "Certificates are written by to_json."
        ) from None
    header = (document.get("format"), document.get("version")) if isinstance(document, dict) else ()
    if header not in READABLE or type(header[1]) is not int:
        remedy = f"This costderive reads versions 1 to {VERSION}."
        raise SpecError(f'{place} does not say "format": "{FORMAT}", "version": {VERSION}', remedy)
    if others := set(document) - KEYS:
        raise SpecError(
            f"{place} has the key {ascii(min(others))[:60]}", f"Its keys: {', '.join(sorted(KEYS))}."
        )
    return document  # type: ignore[no-any-return]  # a dict, as just seen


def _number(text: str) -> float:
    require(math.isfinite(float(text)), f"{text[:40]} is not a number")
    return float(text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    require(len(table) == len(pairs), "a key stands twice in one object")
    return table


def _derivation(data: Any, kinds: Iterable[type[C]]) -> C:
    named = {vocabulary_of(kind).kind: kind for kind in kinds}
    kind = named.get(str(data.get("type"))) if isinstance(data, dict) else None
    if kind is None:
        raise NotATreeError(f"it has no {' or '.join(named)}")
    require(set(data) == {"type", "context", "cases"}, f"{data['type']} has other fields")
    decoded = vocabulary_of(kind).decoded
    start = decoded(data["context"], hints(kind)["context"], 1)
    return kind(start, decoded(data["cases"], tuple[claims.Case, ...], 1))


# ---- is it whole?


P = TypeVar("P", bound=Proof)


def whole(derivation: P) -> P:
    """Return a derivation whose steps have the right objects and start at the context, with no case missing."""
    facts = derivation.context.given()
    if isinstance(derivation.context, contexts.Context):
        derivation.context.expected_loss()  # fails for what is not a context
    for case in derivation.cases:
        _check_case(case, derivation.context, facts)
    conditions = [case.conditions(facts) for case in derivation.cases]
    require(covers(conditions, facts), "the cases do not cover everything")
    return derivation


def _check_case(case: claims.Case, start: object, facts: piecewise.Given) -> None:
    require(case.steps and case.steps[0].before == case.start(start), "a case does not start at the context")
    require(isinstance(case.steps[-1].after, rules.Conclusion), "a case does not end with a verdict")
    own = case.given.positive[: len(facts.positive)]
    require(own == facts.positive, "the facts of a case are not those of the context")
