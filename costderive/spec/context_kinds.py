"""The kinds of contexts that a spec can name, and how the keys of each are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.expressions.law_names import LAWS
from costderive.core.toml_input import as_table, known_keys, nearest, shown
from costderive.costs.contexts import (
    Additive,
    CommonFactor,
    Context,
    Copula,
    Curve,
    FixedCosts,
    Geometric,
    Harmonic,
    Independent,
    IndependentUniform,
    Joint,
    Mixture,
    PowerMean,
)
from costderive.costs.laws import Law
from costderive.derivation.parts.costs_of_parts import CostsOfParts
from costderive.multiclass import CostMatrix, DirichletCosts, IndependentCosts, ordinal, top
from costderive.multiclass.class_costs import ClassContext
from costderive.spec.spec_values import (
    bounds,
    budget,
    classes,
    curve_law,
    facts,
    law,
    laws,
    matrix,
    name,
    number,
    numbers,
    parts,
    region,
    share,
    text,
)


def context_from(table: Mapping[str, object], place: str = "") -> Context | ClassContext:
    """Build the context that a table with ``kind`` and its keys describes; errors start with ``place``.

    Raises:
        SpecError: for an unknown kind or key, a missing key, or a value that the context cannot have.

    >>> context_from({"kind": "geometric", "mean": "2*m"}).parameters
    (m,)
    >>> context_from({"kind": "dirichlet", "classes": 3}).budget
    3
    """
    return context_of(costs_from(table, place))


def context_of(costs: Context | ClassContext | CostsOfParts) -> Context | ClassContext:
    """Return the context of costs; those of parts have one."""
    return costs.context if isinstance(costs, CostsOfParts) else costs


def costs_from(table: Mapping[str, object], place: str = "") -> Context | ClassContext | CostsOfParts:
    """Read the costs that a table describes as `context_from` does, but keep of which parts they are made.

    Raises:
        SpecError: as `context_from` does.
    """
    prefix = f"{place}: " if place else ""
    kind = _kind(as_table(table, f"{prefix}context"), prefix)
    known_keys(table, ("kind", *kind.keys, "factor"), place, "context.", home=_kinds_with)
    for key in kind.required:
        if key not in table:
            example = EXAMPLES.get(f"{table['kind']}.{key}", EXAMPLES.get(key, 2))
            raise SpecError(
                f"{prefix}context.{key} is missing",
                f"{table['kind']} needs it: write {key} = {example}, say.",
            )
    values = {
        key: read(table[key], f"{prefix}context.{key}") for key, read in kind.keys.items() if key in table
    }
    try:
        return _multiplied(kind.build(**values), table.get("factor"))
    except SpecError as error:
        raise type(error)(f"{prefix}{error.problem}", error.remedy) from None


def _multiplied(
    costs: Context | ClassContext | CostsOfParts, factor: object
) -> Context | ClassContext | CostsOfParts:
    """Multiply both costs by a factor that they have in common, if one is given."""
    if factor is None:
        return costs
    context = context_of(costs)
    if isinstance(context, CostMatrix):
        return replace(context, factor=law(factor, "context.factor"))
    if not isinstance(context, Context):
        raise SpecError("context.factor is for costs of two classes, or of a matrix", "Leave it out.")
    return CommonFactor(law(factor, "context.factor"), context)


def _kinds_with(key: str) -> str:
    """Name the kinds that have a key, if there are any, or say that it stands above the table."""
    found = ", ".join(name for name, kind in KINDS.items() if key in kind.keys)
    above = "" if found else nearest(key, ABOVE)
    return f"Kinds with {key}: {found}. " if found else above and f"{above}It stands above [context]. "


def _kind(table: Mapping[str, object], prefix: str) -> Kind:
    kind, kinds = table.get("kind"), f"Kinds: {', '.join(KINDS)}."
    if kind is None:
        raise SpecError(f"{prefix}context.kind is missing", kinds)
    if not isinstance(kind, str) or kind not in KINDS:
        problem = f"{prefix}context.kind = {shown(kind)} is not a kind of context"
        raise SpecError(problem, _of_one_cost(kind) or nearest(kind, KINDS) + kinds)
    return KINDS[kind]


def _of_one_cost(kind: object) -> str:
    """Say what to write instead of a law that stands where the kind of a context is due."""
    is_law = isinstance(kind, str) and kind.partition("(")[0].strip() in LAWS
    return (
        "That is a law of one cost: the kind is independent, with a law for each of c0 and c1."
        if is_law
        else ""
    )


def _parts(value: object, place: str) -> list[tuple[Expr, Context]]:
    """Read the parts of a mixture: tables of a context, each with its weight."""
    if not isinstance(value, list) or not value:
        remedy = 'Write [{weight = "1/2", kind = "additive"}, {weight = "1/2", kind = "harmonic"}].'
        raise SpecError(f"{place} = {shown(value)} is not a list of contexts", remedy)
    tables = [dict(as_table(part, f"{place}[{index}]")) for index, part in enumerate(value)]
    weights = [
        number(table.pop("weight", None), f"{place}[{index}].weight") for index, table in enumerate(tables)
    ]
    contexts = [context_from(table, f"{place}[{index}]") for index, table in enumerate(tables)]
    for index, context in enumerate(contexts):
        if isinstance(context, ClassContext):
            raise SpecError(
                f"{place}[{index}] is of several classes", "A mixture is of costs of two classes."
            )
    return list(zip(weights, contexts, strict=True))  # type: ignore[arg-type]  # as just seen


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of context that a spec can name: what builds it, and how each of its keys is read."""

    build: Callable[..., Context | ClassContext | CostsOfParts]
    keys: Mapping[str, Callable[[Any, str], object]]
    required: tuple[str, ...] = ()


def _class_costs(costs: list[Law], classes: int | None = None) -> IndependentCosts:
    """Build independent costs; one law alone is that of every class."""
    if classes is not None and len(costs) not in (1, classes):
        raise SpecError(
            f"context.costs has {len(costs)} laws for context.classes = {classes}",
            "Give one law for each class, or one for all of them.",
        )
    return IndependentCosts(tuple(costs) * (classes or 1) if len(costs) == 1 else tuple(costs))


def _dirichlet(
    shapes: list[Expr] | None = None, classes: int | None = None, budget: Expr | None = None
) -> DirichletCosts:
    """Build shares of a budget; without shapes they are 1."""
    if shapes is None and classes is None:
        raise SpecError("context.classes is missing", "Write classes = 3, or shapes = [1, 2, 1].")
    given = [S.One] * (classes or 0) if shapes is None else shapes
    if classes not in (None, len(given)):
        raise SpecError(
            f"context.shapes has {len(given)} numbers for context.classes = {classes}", "Leave classes out."
        )
    return DirichletCosts(tuple(given), budget)


def _cost_matrix(
    costs: str | list[list[Any]],
    classes: int | None = None,
    reject: Law | None = None,
    parts: Mapping[str, Law] | None = None,
) -> CostMatrix:
    """Build a cost matrix from its rows, or from the name of one: ``ordinal``, or ``top-2``."""
    if isinstance(costs, list):
        if classes not in (None, len(costs)):
            raise SpecError(
                f"context.costs has {len(costs)} rows for context.classes = {classes}", "Leave classes out."
            )
        return CostMatrix(costs, reject=reject, parts=parts)
    if classes is None:
        raise SpecError("context.classes is missing", f"Write classes = 3 with costs = {costs!r}.")
    named = ordinal(classes) if costs == "ordinal" else top(int(costs.removeprefix("top-")), classes)
    return replace(named, reject=reject, parts=parts)


COSTS = ("c0", "c1", "fp", "fn")


SHARE = {"density": share, **dict.fromkeys(COSTS, law)}


ABOVE = ("title", "source", "threshold")
EXAMPLES = {
    "family": '"frank"',
    "density": '"1/2"',
    "support": '"c0 + c1 <= 2"',
    "parts": '{fee = "uniform(0, 5)"}',
    "costs": '["uniform(0, 1)", 2]',
    "cost-matrix.costs": "[[0, 1], [5, 0]]",
}


KINDS: Mapping[str, Kind] = {
    "additive": Kind(Additive, {"budget": budget, **SHARE}),
    "harmonic": Kind(Harmonic, {"budget": budget, **SHARE}),
    "geometric": Kind(Geometric, {"mean": budget, **SHARE}),
    "power-mean": Kind(PowerMean, {"k": number, "mean": budget, **SHARE}, required=("k",)),
    "independent-uniform": Kind(IndependentUniform, dict.fromkeys(COSTS, bounds)),
    "independent": Kind(Independent, dict.fromkeys(COSTS, law)),
    "copula": Kind(
        Copula,
        {"family": name, "theta": number, "rho": number, **dict.fromkeys(COSTS, law)},
        required=("family",),
    ),
    "joint": Kind(Joint, {"density": text, "support": region}, required=("density", "support")),
    "curve": Kind(
        Curve,
        {**dict.fromkeys(COSTS, text), "density": curve_law, "support": bounds, "assuming": facts},
        required=("density",),
    ),
    "fixed": Kind(FixedCosts, dict.fromkeys(COSTS, number)),
    "parts": Kind(
        CostsOfParts,
        {**dict.fromkeys(COSTS, text), "parts": parts, "assuming": facts},
        required=("parts",),
    ),
    "class-costs": Kind(_class_costs, {"costs": laws, "classes": classes}, required=("costs",)),
    "cost-matrix": Kind(
        _cost_matrix,
        {"costs": matrix, "classes": classes, "reject": law, "parts": parts},
        required=("costs",),
    ),
    "dirichlet": Kind(_dirichlet, {"shapes": numbers, "classes": classes, "budget": number}),
    "mixture": Kind(lambda parts: Mixture(*parts), {"parts": _parts}, required=("parts",)),
}
