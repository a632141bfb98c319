"""Known costs of acts in Coq: taking the act of the least expected cost is proper, and where each act is taken.

Nothing is assumed of the costs for the first. The regions of the acts are written if all costs are fractions: then
every claim on them follows by linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from costderive.core.errors import ExportError
from costderive.multiclass import MulticlassDerivation
from costderive.multiclass.act_regions import ActLosses, ActRegion
from costderive.multiclass.averaged_costs import EqualLosses
from costderive.multiclass.cost_matrix import expected_cost
from costderive.multiclass.letters import predicted
from costderive.publish.coq.section import Section
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import identifiers, term

NAME, IMPORTS = "rule", ("Acts",)
REGIONS = "regions of the acts"
MOST_WRITTEN = (
    12  # classes, and acts, of a matrix whose regions are written: the forecasts of each are compared
)
MOST_COSTS = 400


def acts_of(derivation: MulticlassDerivation) -> Acts:
    """Return the costs of the acts of a derivation from a matrix of them.

    Raises:
        ExportError: if costs are uncertain, or the matrix is too large.
    """
    proper: Any = derivation.cases[0].steps[-1].after
    if not isinstance(proper.losses, ActLosses):
        raise ExportError("the costs of the acts are uncertain", "Give them numbers, such as their means.")
    matrix = proper.losses.matrix
    if matrix.classes * matrix.acts > MOST_COSTS:
        raise ExportError(
            f"the matrix has {matrix.classes * matrix.acts} costs", f"Write {MOST_COSTS} at most."
        )
    return Acts(proper.losses, proper.same if isinstance(proper.same, EqualLosses) else None)


@dataclass(frozen=True, slots=True)
class Acts:
    """The rule of a matrix of known costs, and two forecasts with the same losses, if any were found."""

    losses: ActLosses
    same: EqualLosses | None

    @property
    def has_regions(self) -> bool:
        """Whether the regions of the acts are written."""
        matrix = self.losses.matrix
        fractions = all(cost.is_Rational for column in matrix.columns for cost in column)
        return fractions and max(matrix.classes, matrix.acts) <= MOST_WRITTEN

    def opening(self) -> str:
        """Return the text that opens the module, with the matrix and the rule."""
        letters = identifiers(self.losses.parameters)
        rows = [_listed(map(term, row)) for row in zip(*self.losses.matrix.columns, strict=True)]
        sizes = f"{self.losses.classes} {self.losses.matrix.acts - 1}"
        return "\n".join(
            [
                f"Module {NAME}.",
                "Section Case.",
                *([f"Variables {' '.join(letters)} : R."] if letters else []),
                "",
                "(* A row for each class, a column for each act. *)",
                f"Definition matrix : list (list R) :=\n  [{f';{chr(10)}   '.join(rows)}].",
                "Definition cost := costs_in matrix.",
                f"Definition act_at := act {sizes} cost.",
                f"Definition L := loss {sizes} cost.",
                f"Definition risk := risk_of_classes {sizes} cost.",
                f"Definition H := entropy {sizes} cost.",
                f"Definition no_act_is_cheaper := cheapest {sizes} cost.",
                "",
            ]
        )

    def closing(self) -> str:
        """Return the text that closes the module."""
        return f"End Case.\nEnd {NAME}."

    def sections(self) -> tuple[Section, ...]:
        """Return properness, whatever the costs are, and the regions of the acts."""
        regions = dict(self._regions()) if self.has_regions else {}
        found = [
            Section(NAME, "properness", IMPORTS, "\n".join(self._proper().values()), tuple(self._proper()))
        ]
        if regions:
            found.append(Section(NAME, REGIONS, IMPORTS, "\n".join(regions.values()), tuple(regions)))
        return tuple(found)

    def _proper(self) -> dict[str, str]:
        pays = f"risk p q = mean_cost {self.losses.classes} cost q (act_at p)"
        concave = "w * H q + (1 - w) * H r <= H (fun i => w * q i + (1 - w) * r i)"
        return {
            name: lemma(name, statement, proof, kind="Theorem")
            for name, statement, proof in (
                ("pays", f"forall p q, {pays}", "intros p q. apply risk_is_expected_cost."),
                ("act_is_the_cheapest", "forall p, no_act_is_cheaper p (act_at p)", "apply act_is_cheapest."),
                ("proper", "forall p q, risk q q <= risk p q", "apply acts_are_proper."),
                (
                    "entropy_is_concave",
                    f"forall q r w, 0 <= w <= 1 -> {concave}",
                    "intros q r w. apply entropy_is_concave.",
                ),
            )
        }

    def _regions(self) -> Iterator[tuple[str, str]]:
        for region in self.losses.regions:
            yield self._cheapest(region)
            yield self._taken(region)
        if self.same is not None:
            yield self._not_strict(self.same)

    def _cheapest(self, region: ActRegion) -> tuple[str, str]:
        """Return that the faces to the rivals bound the region of an act."""
        name, faces = f"cheapest{region.act}", self._faces(region, "<=")
        statement = f"{self._for_all()}\n  ({faces} <-> no_act_is_cheaper {self._forecast()} {region.act})"
        rivals = "".join(f" at_act C {rival}%nat." for rival in region.rivals)
        proof = (
            f"{self._introduced()} {_UNFOLDED} split.",
            "- intros F j J. acts_one_by_one j.",
            f"- intro C.{rivals} lra." if rivals else "- lra.",
        )
        return name, lemma(name, statement, *proof, kind="Theorem")

    def _taken(self, region: ActRegion) -> tuple[str, str]:
        """Return that an act is taken inside its region."""
        name, faces = f"taken{region.act}", self._faces(region, "<")
        statement = f"{self._for_all()}\n  {faces} -> act_at {self._forecast()} = {region.act}%nat"
        return name, lemma(name, statement, f"{self._introduced()} intro F.", *_TAKEN, kind="Theorem")

    def _not_strict(self, same: EqualLosses) -> tuple[str, str]:
        """Return that two forecasts have the same losses."""
        places = [f"(forecast {_listed(map(term, forecast))})" for forecast in same.forecasts]
        proof = [
            f"assert (at{number} : act_at {place} = {same.act}%nat).\n  {{ {' '.join(_TAKEN)} }}"
            for number, place in enumerate(places)
        ]
        proof.append("apply same_act_same_losses. fold act_at. rewrite at0, at1. reflexivity.")
        statement = f"forall i, L i {places[0]} = L i {places[1]}"
        return "same_losses", lemma("same_losses", statement, *proof, kind="Theorem")

    def _faces(self, region: ActRegion, sign: str) -> str:
        """Write that the rivals of an act cost no less, or more."""
        columns, own = self.losses.matrix.columns, self.losses.matrix.columns[region.act]
        forecast = tuple(map(predicted, range(self.losses.classes)))
        sides = [
            (expected_cost(own, forecast), expected_cost(columns[rival], forecast)) for rival in region.rivals
        ]
        faces = dict.fromkeys(f"{term(mine)} {sign} {term(theirs)}" for mine, theirs in sides)
        return " /\\\n   ".join(faces) or "True"

    @property
    def _letters(self) -> tuple[str, ...]:
        return tuple(f"p{label}" for label in range(self.losses.classes))

    def _forecast(self) -> str:
        return f"(forecast {_listed(self._letters)})"

    def _for_all(self) -> str:
        signs = " -> ".join(f"0 <= {letter}" for letter in self._letters)
        return f"forall {' '.join(self._letters)}, {signs} ->\n  {' + '.join(self._letters)} = 1 ->"

    def _introduced(self) -> str:
        return f"intros {' '.join(self._letters)} {' '.join(f'P{letter}' for letter in self._letters)} P."


_UNFOLDED = "unfold no_act_is_cheaper, cheapest, cost, matrix."
_TAKEN = (
    "apply act_is; unfold cheapest, cost, matrix; [lia | |].",
    *["- intros j J. acts_one_by_one j."] * 2,
)


def _listed(terms: Iterable[str]) -> str:
    return f"[{'; '.join(terms)}]"
