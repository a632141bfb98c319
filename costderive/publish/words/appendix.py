"""The appendix of a paper: what was decided in each step of its proof, by which method, and where to find it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import groupby

import sympy

from costderive import __version__
from costderive.core.errors import CostDeriveError, ExportError
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.proof.claims import Claim, Finding, Move, NonNegative, Positive, Report, Verdict
from costderive.publish.coq.coq_file import coq, theorems
from costderive.publish.coq.own_threshold import at_another_threshold
from costderive.publish.words.document_blocks import (
    Block,
    Code,
    Heading,
    Paragraph,
    Prose,
    Story,
    Table,
    citations,
    prose,
    table,
)
from costderive.publish.words.findings import remark
from costderive.publish.words.parameters import of_locations
from costderive.publish.words.scene import listed, series
from costderive.publish.words.sources import SOURCES

_WORDS = {
    Verdict.PROVED: "proved",
    Verdict.NUMERIC: "numeric",
    Verdict.OPEN: "open",
    Verdict.REFUTED: "refuted",
}
_METHODS = {
    "rational canonical form": (
        "fractions",
        "the difference, as one fraction, is 0",
    ),
    "radicals as algebraic generators": (
        "roots",
        "the difference is 0, each root a generator that obeys its equation",
    ),
    "separation bound of radicals": (
        "separation",
        "the difference of two numbers made of roots is smaller than any but 0 can be",
    ),
    "angles and logarithms": (
        "angles, logarithms",
        "the difference of two numbers is 0: whole multiples of angles make no angle, and of logarithms that of 1",
    ),
    "independent generators": (
        "generators",
        "the difference is 0, logarithms, exponentials and the like being free generators",
    ),
    "continuity": ("continuity", "the limit is the value, by continuity of each part"),
    "leading terms": (
        "leading terms",
        "the limit is that of the leading terms, with an exact order for the rest",
    ),
    "series": (
        "series",
        "the limit of an expansion in powers and logarithms, with an exact order for the rest",
    ),
    "monotone convergence": ("monotone convergence", "the limit may be taken under the integral sign"),
    "structure": ("structure", "a sum, product, power or integral has the sign of what it is made of"),
    "exact point": ("point", "values are given at which all assumptions hold"),
    "given fact": (
        "assumptions",
        "the quantity is a positive multiple of one that has the sign by assumption, on the parameters or on what a "
        "variable stands for",
    ),
    "own condition": ("condition", "it is what the claim itself supposes"),
    "non-negative coefficients": (
        "coefficients",
        "a polynomial in non-negative quantities has no negative coefficient",
    ),
    "real-root isolation": (
        "Sturm",
        "a polynomial has no root there, by its Sturm sequence, and has the sign at a point",
    ),
    "zeros of the norm": (
        "norm",
        "there is no zero where some function with other signs of its roots has one; the sign is that at a point",
    ),
    "the conjugate": ("conjugate", "the sign of one part of a + b sqrt(d), and that of its norm"),
    "ends and a bend": (
        "bend",
        "a polynomial of degree 2 is not negative at the ends, nor below a tangent or the chord between them",
    ),
    "a completed square": ("square", "a quadratic has no real root"),
    "domains of its parts": ("domains", "each part is analytic where it is used"),
    "limits of parts": ("parts", "the limit is put together from those of the parts"),
    "one rising function": (
        "rising",
        "both are values of one rising function, at arguments that are in order",
    ),
    "functions between bounds": ("bounds", "functions are taken for variables between their bounds"),
    "start and slope": ("start", "it is not negative where the interval starts, and neither is its slope"),
    "limits at the ends and slopes": (
        "ends",
        "it lies above its limits at the ends, by the signs of its slopes",
    ),
    "signs of the factors": ("factors", "the sign is the product of those of the factors"),
    "signs of the terms": ("terms", "no term is negative"),
    "equal exponents": ("exponents", "of powers with one exponent, the bases are compared"),
}
_STEPS = {
    "TakeExpectation": "laws of the costs",
    "SliceRegion": "region",
    "IntegrateMagnitude": "threshold weight",
    "IntegrateByParts": "losses",
    "SlopeOfRisk": "slope of the risk",
    "SignOfWeight": "properness",
    "FindDistributions": "distributions of the costs",
    "ChooseByCost": "chance not to be chosen",
    "IntegrateCosts": "integrals",
    "ActOptimally": "Bayes acts",
    "CompareActs": "regions of the acts",
    "FindWitness": "witness",
}
SAME = "same expression"
AND, JOINT = " and ", "\0"


def paper(
    title: Prose, abstract: Prose, blocks: tuple[Block, ...], report: Report, unchecked: str = ""
) -> Story:
    """Return a story without its appendix, and the sources that it cites.

    ``unchecked`` says in full sentences, each with a space after it, which formulas no claim is about.
    """
    by = "; ".join(filter(None, (f"Derived and checked by costderive {__version__}", remark(report))))
    sources = tuple(SOURCES[key] for key in sorted(citations(blocks)))
    return Story(title, by, abstract, blocks, sources, unchecked=unchecked)


def with_appendix(paper: Story, derivation: Certified, report: Report) -> Story:
    """Return a paper with an appendix on what was checked, and on the files that hold it."""
    located = of_locations(derivation)
    appendix = (
        Heading(prose("What was checked"), "app:checked", appendix=True),
        Paragraph((*prose(_METHOD + paper.unchecked + _verdict(report) + _calibrated(derivation)), *located)),
        *_weak(report),
        *_proved(derivation, report),
        *_certificate(derivation, report),
        *_machine_proof(derivation),
    )
    return replace(paper, blocks=(*paper.blocks, *appendix))


_METHOD = (
    "The derivation is a chain of steps. Each step follows from claims, which a checker decided without relying on how "
    "the step was found: it differentiates, substitutes, takes limits and decides identities and signs, but neither "
    "integrates nor solves. What it does not see are the sentences that join the claims, the theorems of analysis that "
    "are named in the proofs, and what is cited. "
)


def _calibrated(derivation: Certified) -> str:
    """Say of a threshold that is set which of the steps are about another threshold."""
    moves = {step.move.__class__.__name__ for case in derivation.cases for step in case.steps}
    if "SetThreshold" not in moves or not isinstance(derivation, Derivation):
        return ""
    return _CALIBRATED if at_another_threshold(derivation) else _SAME_LOSSES


_CALIBRATED = (
    " The derivation starts from another rule, that of these costs at the threshold $c_0/(c_0 + c_1)$, and then sets "
    "the threshold of the article. Until then the steps are about the other rule, of which the article uses only the "
    "expected costs."
)
_SAME_LOSSES = (
    " The derivation starts from these costs at the threshold $c_0/(c_0 + c_1)$, and then sets the threshold of the "
    "article, at which the losses are the same."
)


def _certificate(derivation: Certified, report: Report) -> tuple[Block, ...]:
    """Say which certificate holds the derivation; one that cannot be written is left out."""
    try:
        certificate = derivation.to_json(report)
    except ExportError:
        return ()
    return (Paragraph(prose(_HASH, (_hash(certificate),))),)


_HASH = (
    "The certificate of this derivation is the file that `costderive derive` writes with `--json`, and `costderive "
    "check` decides its claims again. Its SHA-256 hash is {}."
)


def _machine_proof(derivation: Certified) -> tuple[Block, ...]:
    """Name the theorems that Coq checks and the file that holds them, if there is one."""
    if not isinstance(derivation, Derivation | MulticlassDerivation):
        return ()
    try:
        text = coq(derivation)
    except ExportError:
        return ()
    said = [
        prose(f"{what} ({{}})", series((Code(name),) for name in names))
        for what, names in _by_meaning(theorems(text)).items()
    ]
    return (Paragraph(prose(_MACHINE, listed(said), (_hash(text),))),)


_MACHINE = (
    "`costderive derive` writes with `--coq proof.v` a file in which Coq checks, in theorems of these names, {}. "
    "That file holds the library that it needs; its SHA-256 hash is {}. (The `proof.v` of a gallery is another file: "
    "it imports the library.)"
)
_MEANINGS = {
    r"lawful(?!_threshold).*": "that costs and their densities are not negative",
    r"total_(?!of_threshold).*": "that the law of the costs has the total 1",
    r"prices.*|mean_is.*": "that the costs have their means",
    r"lawful_threshold.*|total_of_threshold.*": "that the law of the threshold has the total 1",
    r"expected_.*|decisions_cost|cost_at\d|pays": "that the decisions cost what the losses say",
    r"act_is_the_cheapest|cheapest\d+|taken\d+": "where each act is the cheapest, and where it is taken",
    r"costs_exist": "that the expected costs exist",
    r"costs_are_.*": "that the expected costs are a proper rule, whatever closed forms they have",
    r"cost_at_threshold": "which losses the reports have at which the threshold is a proportion of the costs",
    r"better_than_the_truth": "that another report costs less than the truth where the threshold is another",
    r"proper_if_calibrated|proper_only_if|calibrated": "when the rule is proper",
    r"not_proper.*|better_report.*": "that the rule is not proper",
    r".*proper.*": "that the rule is proper",
    r"tie.*": "as a supplement which other values of the losses at an atom keep the rule proper",
    r"same_losses": "that two forecasts have the same losses",
    r"entropy_is_concave": "that its entropy is concave",
}


def _by_meaning(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the theorems of a file by what they say, in the order of the article."""
    found: dict[str, list[str]] = {what: [] for what in _MEANINGS.values()}
    for name in names:
        meant = next((what for pattern, what in _MEANINGS.items() if re.fullmatch(pattern, name)), "more")
        found.setdefault(meant, []).append(name)
    return {what: members for what, members in found.items() if members}


def _hash(text: str) -> Code:
    return Code(hashlib.sha256(text.encode()).hexdigest())


def _verdict(report: Report) -> str:
    if report.verdict is Verdict.PROVED:
        return f"{_all_proved(report)} {_UNLISTED if _decided(report) else ''}"
    counts = Counter(finding.verdict for finding in report.findings)
    shown = ", ".join(f"{counts[verdict]} {_WORDS[verdict]}" for verdict in sorted(counts, reverse=True))
    return (
        "A claim is proved if it was decided exactly, numeric if no exact method decided it but both sides agree to "
        "many digits at sample points, open if it could not be decided, and refuted if it fails at a point. Only the "
        f"first is a proof. The derivation is not fully proved. Of its {len(report.findings)} claims there are "
        f"{shown or 'none decided'}."
    )


def _all_proved(report: Report) -> str:
    """Say that all claims are proved, and whether some are by assumptions."""
    assumed = any("given fact" in _decider(finding) for finding in report.findings)
    apart = ", under the assumptions of the theorems" if assumed else ""
    return f"Every claim is proved, that is, decided exactly{apart}."


def _decided(report: Report) -> list[Finding]:
    """Return what needed a decision; a claim that several steps make is decided once."""
    found = [x for x in report.findings if x.verdict is Verdict.PROVED and x.decider != SAME]
    return list({(x.claim, x.decider): x for x in found}.values())


_UNLISTED = (
    "The table lists them by step, with their number where there are several alike, and with the methods that decided "
    "them. It leaves out those whose two sides are written alike, such as that each step starts where the one before "
    "it ended."
)


def _proved(derivation: Certified, report: Report) -> tuple[Block, ...]:
    """List what was decided, by step, and say what the methods are."""
    found = _decided(report)
    return (_by_step(found, _step_names(derivation)), _legend(found)) if found else ()


def _by_step(found: list[Finding], steps: dict[Claim | str, str]) -> Table:
    """List findings in the order of the proof; the name of a step stands in the first of its rows."""
    order = {name: place for place, name in enumerate(("", *dict.fromkeys(steps.values())))}

    def step(finding: Finding) -> str:
        return steps.get(finding.claim) or steps.get(finding.claim.what, "")

    groups = groupby(sorted(found, key=lambda x: order[step(x)]), key=step)
    rows = [row for name, members in groups for row in _rows(name or "parameters", list(members))]
    return table(("step", "what was decided", "by"), rows, wide=(0, 1, 2))


def _rows(step: str, members: list[Finding]) -> list[tuple[Prose | str, ...]]:
    """Write what was decided in a step, each sentence once, and those together that the same methods decided."""
    said: dict[str, list[Finding]] = {}
    for finding in members:
        said.setdefault(_what(finding, step), []).append(finding)
    alike: dict[str, list[tuple[str, int]]] = {}
    for what, found in said.items():
        alike.setdefault(_names_of_methods(found), []).append((what, len(found)))
    firsts = (step, *[""] * len(alike))
    return [
        (first, series(map(_times, counted), "; "), how)
        for first, (how, counted) in zip(firsts, alike.items(), strict=False)
    ]


def _names_of_methods(members: Iterable[Finding]) -> str:
    """Name the methods that decided findings, in the order in which they are known here."""
    parts = {part for finding in members for part in _methods(_decider(finding))}
    known = [short for name, (short, _) in _METHODS.items() if name in parts]
    return ", ".join((*known, *sorted(parts.difference(_METHODS))))


def _step_names(derivation: Certified) -> dict[Claim | str, str]:
    """Return in which step of a derivation each claim, and each one of its name, is made first, in their order."""
    found: dict[Claim | str, str] = {}
    with suppress(CostDeriveError):  # of a step that claims nothing because it cannot be made
        for case in derivation.cases:
            for step in case.steps:
                for claim in step.claims(case.given):
                    name = _name(type(step.move))
                    found.setdefault(claim, name)
                    found.setdefault(claim.what, name)
    return found


def _name(move: type[Move]) -> str:
    """Return what a table calls a step: the name of its move, as words, unless it has another."""
    return _STEPS.get(move.__name__) or re.sub(r"\B(?=[A-Z])", " ", move.__name__).lower()


def _legend(found: list[Finding]) -> Paragraph:
    """Say what the methods of a table are."""
    parts = dict.fromkeys(part for finding in found for part in _methods(_decider(finding)))
    meant = [f"{_METHODS[part][0]}: {_METHODS[part][1]}" for part in parts if part in _METHODS]
    opening = "The methods: {}." if len(meant) > 1 else "The method is {}."
    return Paragraph(prose(opening, series(((text,) for text in meant), "; ")) if meant else ())


def _decider(finding: Finding) -> str:
    """Name what decided a claim; a fact that the claim brings is no assumption of a theorem."""
    claim = finding.claim
    if finding.decider != "given fact" or not isinstance(claim, NonNegative | Positive):
        return finding.decider
    own = any(sympy.cancel(claim.expr / fact).is_positive for fact in claim.facts)
    return "own condition" if own else finding.decider


def _methods(name: str) -> list[str]:
    """Return the methods that a decision names, joined by "and", which is in the names of some too."""
    for whole in (known for known in _METHODS if AND in known):
        name = name.replace(whole, whole.replace(AND, JOINT))
    return [part.replace(JOINT, AND) for part in name.split(AND)]


def _what(finding: Finding, step: str) -> str:
    """Return what a claim of a step says as a sentence, whichever class it is of."""
    what = re.sub(r"\bloss [01]\b", "a loss", finding.claim.what)
    return _sentence(
        re.sub(
            r"acting on class \d+ costs no less than on class \d+",
            "deciding for another class than the one chosen costs no less",
            what,
        ),
        step,
    )


_VERB = re.compile(
    r"\b(is|are|was|has|have|cannot|holds?|ascend|starts?|ends|end where|reach(es)?|jumps|lies?|fails?|adds?|falls?|"
    r"rises?|los(es|e)|expects|gives?|makes?|shares? the|obeys?|decides?|does|sits?|stays?|assumes?|covers?|moves|"
    r"grows|turns|comes|goes|arrives|count|depends|leaves|costs? (no|less|the|more)|the total Gamma)\b"
)
_PLURAL = re.compile(r"(the )?(\w*[^s\W]s (of|at|in) |\w+, .* and )")


_FOR_READERS = {
    "a fact about the parameters": "an assumption on the parameters holds",
    "some parameters are as assumed": "there are parameters as the theorems assume them",
    "the breakpoints ascend": "no interval ends before it starts",
    "the other parts lie beside the piece": "the intervals of other contributions do not meet the piece",
    "a loss starts at 0": "a loss tends to 0 where its class is certain",
    "a loss ends at 0": "a loss tends to 0 where its class is certain",
    "a loss reaches its value from the left": "a loss at a breakpoint is its limit from the left",
    "a loss is continuous": "a loss at a breakpoint is its limit from the right too",
    "a loss jumps by its share of the atom": "a loss jumps at an atom by its share of the mass",
    "a loss reaches its value": "a loss at the end of a piece is its limit from the left",
    "a loss starts from its value and its jump": "on the right of a breakpoint a loss starts from its value and jump",
    "a loss is smooth on the piece": "a loss is smooth between breakpoints",
    "the inverse is smooth, so the cost proportion runs one way": (
        "the inverse is smooth, so the cost proportion is strictly monotone"
    ),
    "the marks ascend": "the breakpoints of a distribution function are in order",
    "it is smooth, also at the ends of its region": (
        "a distribution function, or an antiderivative of $x$ times its density, is smooth up to its breakpoints"
    ),
    "it is smooth in its region": (
        "a distribution function, or an antiderivative of $x$ times its density, is smooth between its breakpoints"
    ),
    "it has a limit at an end": (
        "a distribution function, or an antiderivative of $x$ times its density, has a limit at a breakpoint"
    ),
    "the last moment ends at 0": "the antiderivative of $x$ times the density tends to 0 at infinity",
    "a slice has an end above its start": "an interval of integration has a length",
    "the slice has a length": "the range of c1 has a length",
    "the inner integrand is positive inside the slice": "the inner integrand is positive inside the range of c1",
    "a constraint holds at the lower bound": "costs at the lower bound of c1 satisfy a constraint of their region",
    "a constraint holds at the upper bound": "costs at the upper bound of c1 satisfy a constraint of their region",
    "a constraint holds however large c1 is": "costs satisfy a constraint of their region however large c1 is",
    "beyond the bound the constraint fails": "costs beyond a bound of c1 are outside their region",
    "at the bound the constraint is an equality": "a bound of c1 makes a constraint of the region an equality",
    "costs are not negative": "costs in the region are not negative",
    "the belief lies in its piece": "the belief lies in the piece whose formula is used",
    "the report lies in its piece": "the report lies in the piece whose formula is used",
    "the antiderivative of a density": "the antiderivative of a density has this density as its slope",
    "the antiderivative at the lower end": "the antiderivative of a density has its limit at an end",
    "the antiderivative at the upper end": "the antiderivative of a density has its limit at an end",
    "the antiderivative in c1": "the antiderivative in c1 has the integrand as its slope",
    "the antiderivative at the lower bound": "the antiderivative in c1 has its limit at a bound",
    "the antiderivative at the upper bound": "the antiderivative in c1 has its limit at a bound",
    "the total probability is 1": "the probabilities of a law add up to 1",
    "the loss of class 0 at p = 1": "a loss has the limit stated where the other class is certain",
    "the loss of class 1 at p = 0": "a loss has the limit stated where the other class is certain",
    "the other parts of the law lie beside the piece": (
        "the intervals of the other parts of the law lie to the left or right of the piece"
    ),
    "distance from the end times density of the improper law": (
        "the density of the improper law times the distance from the end has a limit"
    ),
    "the Jacobian of c0 = s c1/(1 - s)": "the Jacobian is the slope of c0 = s c1/(1 - s) in $s$",
    "the integrand in the new variables": "the integrand is $c_0 + c_1$ times the density and the Jacobian",
    "the density in s and c1": "the density in $s$ and c1 is that of the costs times the Jacobian",
    "the slope of the inverse": "along a curve, its variable has this slope in $s$",
    "the total cost times density": "a curve adds $c_0 + c_1$ times the density and the size of the slope",
    "the lower end of the arc": "the variable of a curve has the limit used at an end",
    "the upper end of the arc": "the variable of a curve has the limit used at an end",
    "the cost proportion at the lower end": "the cost proportion has the limit used at an end of a curve",
    "the cost proportion at the upper end": "the cost proportion has the limit used at an end of a curve",
    "the limit of the risk at p = 0": "the risk has the limit stated at 0 or at 1",
    "the limit of the risk at p = 1": "the risk has the limit stated at 0 or at 1",
    "the slope of a loss": "the slope of a loss is the threshold weight times $p$, or times $p - 1$ for class 1",
    "set threshold: the slope of a loss": (
        "the slope of a loss is an expected cost times the density of the threshold, up to its sign"
    ),
    "the slope of the risk": "the slope of the risk is the threshold weight times $p - q$",
    "the slope of the link": "the slope of the link is the threshold weight",
    "the limit of a loss at a breakpoint": "a loss has the limit used at a breakpoint",
    "the least threshold": "the threshold has the limit used at $s = 0$",
    "the greatest threshold": "the threshold has the limit used at $s = 1$",
    "the risk of the truth": "the truth has the risk that is stated",
    "the risk of the other report": "the other report has the risk that is stated",
    "the cost, density and chance not to be chosen": (
        "the integrand is the product of cost, density and chance not to be chosen"
    ),
    "the slope of the antiderivative": "an antiderivative has its integrand as its slope",
    "the limit of the antiderivative": "an antiderivative has the limit used at an end",
    "the slope of the limited expected value": (
        "the slope of the limited expected value is 1 less the distribution function"
    ),
    "the Savage representation": "the losses are those of the Savage representation",
    "the chance of labels": "the chance of labels is positive",
}


def _sentence(what: str, step: str = "") -> str:
    """Say of what a claim names, without a verb, that it is what the step says."""
    for named in (f"{step}: the {what}", what, f"the {what}"):
        if named in _FOR_READERS:
            return _FOR_READERS[named]
    if _VERB.search(what):
        return what
    if re.match(r"(one|nothing) ", what):
        return f"there is {what}"
    if what.startswith("Lagrange's identity"):
        return f"{what}, holds"
    if what.startswith("what bends in"):
        return what.replace("what bends", "the bend") + " has the factor that all share"
    article = "" if re.match(r"(the|a|an|its|what|both|x)\b", what) else "the "
    return f"{article}{what} {'are' if _PLURAL.match(what) else 'is'} as stated"


def _times(counted: tuple[str, int]) -> Prose:
    what, count = counted
    return prose("{}" if count == 1 else f"{{}} ({count})", _with_letters(what))


def _with_letters(what: str) -> Prose:
    """Write costs, their change of variables and reports in a claim as mathematics; the rest stays text."""
    maths = re.compile(r"(\$[^$]+\$|\bc0 = s c1/\(1 - s\)|\bc[01]\b|\bp = [01]\b)")
    runs = (_maths(part) if maths.fullmatch(part) else (part,) for part in maths.split(what) if part)
    return series(runs, "")


def _maths(text: str) -> Prose:
    return prose("$" + re.sub("c([01])", r"c_\1", text.strip("$")) + "$")


def _weak(report: Report) -> tuple[Block, ...]:
    """List the claims that are not proved, with the evidence."""
    weak = [finding for finding in report.findings if finding.verdict is not Verdict.PROVED]
    if not weak:
        return ()
    rows = ((finding.claim.what, finding.evidence, _WORDS[finding.verdict]) for finding in weak)
    return (table(("claim that is not proved", "evidence", "verdict"), rows, wide=(0, 1)),)
