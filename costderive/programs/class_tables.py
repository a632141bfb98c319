"""The losses of K classes as programs, for costs of any laws: sums over tables of polynomials, as `TableRows` has them.

Each law has P(cost > x) and x times its density, as polynomials in the pieces into which its costs are cut. The loss of
class i is the sum of x times its density times ``1 - prod G_j(p_i x/p_j)`` over Gauss-Legendre nodes between all cuts
and marks, and of the same over the costs that have a probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import Template

import costderive
from costderive.core.errors import ExportError, require_values
from costderive.core.numpy_on_demand import Array, np
from costderive.multiclass import MulticlassRule
from costderive.multiclass.gauss import gauss
from costderive.multiclass.row_tables import NODES, TabledLaw, TableRows, chebyshev, chebyshev_places, density
from costderive.multiclass.single_integrals import SingleIntegrals
from costderive.multiclass.stages import IndependentDistributions
from costderive.programs.class_accuracy import TOLERANCE, TRAINED, require_slopes, rounded_up, worst_error
from costderive.programs.class_frames import FRAMES as OF_SUMS
from costderive.programs.class_table_frames import ARRAYS, FRAMES
from costderive.programs.languages import LANGUAGES
from costderive.programs.languages.language import commented

NEGLIGIBLE = 2.5e-16  # a coefficient, in parts of the largest one of its piece
ACCURACY = """\
Class i costs c_i if it is not chosen; argmax p_i c_i is. The losses have no formulas: they are sums over tables of the
laws, compared at 400 forecasts with quadrature: within {error} of the mean cost.
A probability counts as at least {least}, so that at 0 there are the limits."""
NOTES = {target: OF_SUMS[target].notes for target in FRAMES} | {
    "pytorch": "Numbers are doubles inside. Labels are not checked. Derivatives are those that PyTorch finds.",
    "jax": "In single precision a probability counts as at least 1e-9.\nLabels are not checked. Derivatives are JAX's.",
}
ClassRuleOfCosts = MulticlassRule | SingleIntegrals


@dataclass(frozen=True, slots=True)
class Reach:
    """What numbers there are: the least probability, what lies beyond all costs, and what such a cost counts as."""

    least: float
    far: float
    farthest: float


DOUBLE, SINGLE = Reach(1e-150, 1e307, 1e306), Reach(1e-30, 1e38, 1e37)
REACHES = {
    "jax": SINGLE,
    "pytorch": SINGLE,
}  # which may be without doubles, or divide by powers of probabilities


@dataclass(frozen=True, slots=True)
class Pieces:
    """A function of a cost in pieces: their m + 1 ends, and m rows of coefficients, the lowest power first."""

    ends: Array
    rows: Array

    @classmethod
    def of(cls, ends: Array, coefficients: Array, before: float, far: float) -> Pieces:
        """Take Chebyshev coefficients, of shape (degree + 1, pieces); in front is a constant, and behind is 0."""
        sizes = np.abs(coefficients)
        kept = np.where(sizes < NEGLIGIBLE * sizes.max(axis=0), 0.0, coefficients)
        rows = np.zeros((len(ends) + 1, len(kept)))
        rows[0, 0] = before
        for piece, column in enumerate(kept.T, start=1):
            powers = np.polynomial.chebyshev.cheb2poly(column)
            rows[piece, : len(powers)] = powers
        return cls(np.concatenate([[0.0], ends, [far]]), rows)

    def filled(self, count: int, width: int) -> Pieces:
        """Return as many pieces with as many coefficients; those that are added have no length."""
        more = count - len(self.rows)
        ends = np.insert(self.ends, len(self.ends) - 1, np.full(more, self.ends[-2]))
        return Pieces(ends, np.pad(self.rows, ((0, more), (0, width)))[:, :width])

    @property
    def width(self) -> int:
        """How many coefficients there are, without those that are 0 in every piece."""
        return 1 + int(np.flatnonzero(self.rows.any(axis=0)).max(initial=0))


def class_tables(rule: ClassRuleOfCosts, target: str, *, title: str = "") -> str:
    """Return a program with the losses of classes whose costs have any laws; targets are those of `FRAMES`.

    Raises:
        ExportError: if the target has no such program, or needs slopes of losses that have steps, or tables are too
            rough.
        ParametersLeftError: if a parameter has no number.
        SpecError: if a law is too rough for tables.
    """
    require_values(rule.parameters, "costs")
    if target not in FRAMES:
        raise ExportError(
            f"losses without formulas have no program for {target}: each is a sum over thousands of numbers",
            f"Score with costderive.multiclass.compile, or in another language: {', '.join(FRAMES)}.",
        )
    costs = rule.losses.costs if isinstance(rule, MulticlassRule) else rule.costs
    if target in TRAINED:
        require_slopes(costs)
    tables = TableRows.of(tuple(one.law for one in costs.of_class)).laws
    reach = REACHES.get(target, DOUBLE)
    compared = _program(costs, tables, "numpy", reach)
    error = max(worst_error(compared, rule, costs), *(one.error() for one in tables))
    if not error <= TOLERANCE:
        raise ExportError(
            f"tables of these laws are off by {error:.1g} of the mean cost",
            "Score with costderive.multiclass.compile.",
        )
    about = _about(
        costs, title, f"{ACCURACY.format(error=rounded_up(error), least=reach.least)}\n{NOTES[target]}"
    )
    return (
        commented(LANGUAGES[target].comment, about) + _program(costs, tables, target, reach).rstrip() + "\n"
    )


def _about(costs: IndependentDistributions, title: str, notes: str) -> Iterator[str]:
    yield from [title, ""] if title else []
    yield f"Written by costderive {costderive.__version__}."
    yield ""
    yield from notes.splitlines()


def _program(costs: IndependentDistributions, tables: Sequence[TabledLaw], target: str, reach: Reach) -> str:
    laws = list(dict.fromkeys(tables))
    chances = _alike([Pieces.of(one.ends, one.coefficients, 1.0, reach.far) for one in laws])
    parts = _alike([Pieces.of(one.cuts, _weighed(one), 0.0, reach.far) for one in laws])
    masses = [[[float(mass.value), float(mass.probability)] for mass in one.law.masses] for one in laws]
    places, weights = gauss(NODES)
    of_laws = {
        "marks": _rectangle([one.breaks for one in laws]),
        "masses": _rectangle([np.reshape(one, (-1, 2)) for one in masses]),
        "chance_ends": np.stack([one.ends for one in chances]),
        "chances": np.stack([one.rows for one in chances]),
        "part_ends": np.stack([one.ends for one in parts]),
        "parts": np.stack([one.rows for one in parts]),
    }
    numbers = {"laws": [laws.index(one) for one in tables], "places": places, "weights": weights}
    write = _in_r if target == "r" else _braced if target == "c" else _bracketed
    return Template(FRAMES[target]).substitute(
        {name: ", ".join(map(repr, np.asarray(values).tolist())) for name, values in numbers.items()},
        **{name: write(values) for name, values in of_laws.items()},
        **{f"{name}_count": values.shape[1] for name, values in of_laws.items()},
        chance_width=of_laws["chances"].shape[2],
        part_width=of_laws["parts"].shape[2],
        scale=repr(float(costs.factor)),
        farthest=repr(reach.farthest),
        least=repr(reach.least),
        lowest=repr(math.log(reach.least)),
        array=ARRAYS.get(target, ""),
        classes=len(tables),
        count=len(laws),
        nodes=NODES,
        wrong=f"p.shape[1] != {len(tables)}",
    )


def _weighed(one: TabledLaw) -> Array:
    """Return the coefficients of x times the density between cuts."""
    places = chebyshev_places(one.cuts)
    return chebyshev(places * density(one.law, places))


def _alike(tables: Sequence[Pieces]) -> list[Pieces]:
    count, width = max(len(one.rows) for one in tables), max(one.width for one in tables)
    return [one.filled(count, width) for one in tables]


def _rectangle(lists: Sequence[Array]) -> Array:
    """Return lists of numbers as one array, filled up with 0."""
    count = max(1, *map(len, lists))
    return np.stack([np.pad(one, ((0, count - len(one)), *((0, 0),) * (one.ndim - 1))) for one in lists])


# ---- arrays as they are written


def _bracketed(values: Array) -> str:
    """Return a nested list, as Python and JavaScript write it."""
    if values.ndim == 1:
        return f"[{', '.join(map(repr, values.tolist()))}]"
    return "[\n" + ",\n".join(map(_bracketed, values)) + ",\n]"


def _braced(values: Array) -> str:
    return _bracketed(values).replace(",\n]", "\n]").translate(str.maketrans("[]", "{}"))


def _in_r(values: Array) -> str:
    """Return a list with a vector or a matrix for each law."""
    columns = f", ncol = {values.shape[2]}, byrow = TRUE" if values.ndim == 3 else ""
    listed = [",\n".join(", ".join(map(repr, row.tolist())) for row in np.atleast_2d(one)) for one in values]
    written = [f"matrix(c({one}){columns})" if columns else f"c({one})" for one in listed]
    return "list(\n" + ",\n".join(written) + "\n)"
