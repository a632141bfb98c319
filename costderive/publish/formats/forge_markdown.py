"""The rule of a derivation in Markdown, its formulas in blocks of the language ``math``, which forges set."""

from __future__ import annotations

from collections.abc import Iterator

from costderive.costs.contexts import Context
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.proof.claims import Case, Report
from costderive.publish.formats import terminal
from costderive.publish.formats.typeset import cases, display
from costderive.publish.formulas.formula import Row, Word
from costderive.publish.formulas.notation import Notation
from costderive.publish.formulas.printing import drawn, formula
from costderive.publish.words import parts_phrases
from costderive.publish.words.displays import condition, definitions, function
from costderive.publish.words.document_blocks import Block, Cases, Display, displayed
from costderive.publish.words.long_values import names
from costderive.rules import (
    Calibration,
    ConditionalProperness,
    Improperness,
    Losses,
    Miscalibration,
    RepairedProperness,
    Witness,
)
from costderive.rules.loss_pair import LossPair


def markdown(derivation: Certified, report: Report, *, made_of: CostsOfParts | None = None) -> str:
    """Return costs, losses, threshold weight and verdict of a derivation; what a terminal shows of it is folded away.

    The formulas keep to the commands of TeX that forges allow. Of several classes, or a batch, they get the text alone.
    ``made_of`` has the parts of the costs.

    Raises:
        ExportError: if ``made_of`` has parts of other costs.
    """
    parts_phrases.require_parts_of(derivation.context, made_of)
    text = terminal.summary(derivation, report, made_of=made_of)
    if not isinstance(derivation, Derivation):  # of several classes, or of a batch
        return f"```text\n{text}\n```"
    several = len(derivation.cases) > 1
    cases = [part for case in derivation.cases for part in _case(case, several)]
    folded = (
        "<details>",
        "<summary>All this as text, and what proves it</summary>",
        f"```text\n{text}\n```",
        "</details>",
    )
    return "\n\n".join([*_costs(derivation, made_of), *cases, *folded])


def _costs(derivation: Derivation, made_of: CostsOfParts | None) -> Iterator[str]:
    if isinstance(derivation.context, Context):
        yield f"Costs: {terminal.context_words(derivation.context)}."
    if made_of is not None:
        yield f"Made of: {terminal.plain(parts_phrases.in_short(made_of))}. {parts_phrases.NOT_CHECKED}"


def _case(case: Case, several: bool) -> Iterator[str]:
    found = losses(case)
    if several:
        yield f"## If {_inline(condition(case.given))}"
    named = names((found.loss0, found.loss1))
    closed = isinstance(found, Losses)
    for label, loss in enumerate((found.loss0, found.loss1)):
        yield _math(function(f"L_{label}(p)", loss, named, closed=closed))
    if named:
        yield "where"
        yield _math(definitions(named))
    yield from _weight(found) if isinstance(found, Losses) else _values(found)
    yield from _against(case)


def _weight(found: Losses) -> Iterator[str]:
    yield "and the threshold weight is"
    yield _math(function(r"\omega(s)", found.weight.density))
    if found.weight.atoms:
        listed = " and ".join(
            f"{_inline(drawn(x.mass))} at {_inline(formula('s = {}', x.at))}" for x in found.weight.atoms
        )
        yield f"with a point mass of {listed}."


def _values(found: LossPair) -> Iterator[str]:
    """Write the values at breakpoints, of which pieces alone do not say to which side they belong."""
    for value in found.values[1:-1]:
        first, second = (formula("L_{}({}) = {}", k, value.at, value.loss(k)) for k in (0, 1))
        yield _inline(formula("{}, {}", first, second))


def _against(case: Case) -> Iterator[str]:
    """Show the witness against a rule that is not proper."""
    reached = case.steps[-1].after
    if isinstance(reached, RepairedProperness):
        reached = reached.improper
    if isinstance(reached, ConditionalProperness | Calibration):
        conditions = (reached,) if isinstance(reached, ConditionalProperness) else reached.conditions
        values = [_inline(formula("{} = {}", one.letter, one.value)) for one in conditions]
        yield f"It is proper if and only if {' and '.join(values)}."
    if isinstance(reached, Miscalibration):
        yield "It is not proper: one does better by reporting the threshold of what one believes in."
    if isinstance(reached, Improperness):
        yield "It is not proper: one does better by reporting another probability than the one that one believes in."
        yield _math(displayed([(_comparison(reached.witness),)]))


def _comparison(witness: Witness) -> Row:
    risk, q, p = r"R\left({} \,\middle|\, {}\right)", witness.belief, witness.report
    first, last = formula(risk, p, q), formula(risk, q, q)
    return formula("{} = {} < {} = {}", first, witness.better, witness.truthful, last)


def _math(block: Block) -> str:
    assert isinstance(block, Display | Cases)
    formula = cases(block, "") if isinstance(block, Cases) else display(block, "")
    return f"```math\n{_FORGE.write(formula)}\n```"


def _inline(formula: Row) -> str:
    return f"$`{_FORGE.write(formula)}`$"  # of forges, whose Markdown would see emphasis in plain dollars


class _Forge(Notation):
    """Writes formulas in the commands of TeX that forges allow."""

    def word(self, word: Word) -> str:
        return Notation.word(self, Word(word.text, word.style.replace("operatorname", "mathrm")))


_FORGE = _Forge()
