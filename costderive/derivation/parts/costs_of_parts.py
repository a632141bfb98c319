"""Costs made of parts: each part has a law of its own, and the costs are written in them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import InitVar, dataclass, field, replace
from typing import Any

import sympy
from sympy import Add, Expr, Mul, S, Symbol

from costderive.core.errors import NegativeCostError, SpecError
from costderive.core.expressions import exact, parse
from costderive.core.expressions.exact_numbers import shown
from costderive.core.symbols import RESERVED, parameter
from costderive.core.time_limit import within
from costderive.costs.assumed_facts import facts_about
from costderive.costs.contexts import CommonFactor, Context, FixedCosts, HeldPart, Independent, Mixture
from costderive.costs.contexts.context import one_of
from costderive.costs.laws import Law, part_law_of, x
from costderive.deciders.signs import nonnegative
from costderive.derivation.parts.kinked_parts import sides
from costderive.derivation.parts.law_of_expression import as_named, law_of_expression, repeated
from costderive.derivation.parts.lognormal_parts import of_lognormal_parts
from costderive.derivation.parts.shared_parts import of_shared_parts

SEEN_SECONDS = 2.0
BOUND = RESERVED - {"c0", "c1"} | {x.name}  # letters that stand for nothing else in a cost


@dataclass(frozen=True, slots=True)
class CostsOfParts:
    """Costs that are expressions in independent parts, each with a law, and the ``context`` that they make.

    What stands in one cost alone gives the law of that cost, in closed form; a factor that both costs have in common is
    taken out; one part that is left in both makes a `Curve`, a pair of parts a `Joint` density. Where a law has no
    closed form, as that of a sum of two log-normal parts, one part is held (`HeldPart`), and the losses are the means
    of those at its values. Other letters are parameters; where the form of the costs depends on their order,
    ``assuming`` says it, as ``"d > m"``. ``fp`` and ``fn`` are other names of ``c0`` and ``c1``. A derivation starts
    from the ``context`` and knows nothing of the parts; an article says what the costs are made of if it is given this
    record as ``made_of``.

    Raises:
        SpecError: if a part has no law or a law no part, or costs with parts in common cannot be put in such a form.

    Example:
        >>> costs = CostsOfParts("lost", "lost + fee", parts={"lost": "exponential(1)", "fee": "uniform(0, 1)"})
        >>> costs.c1, costs.context.support
        (fee + lost, (c0, c1, -c0 + c1, c0 - c1 + 1))
    """

    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None
    parts: Any = field(kw_only=True)
    assuming: Any = field(default=(), kw_only=True)
    context: Context = field(init=False, compare=False, repr=False)

    def __post_init__(self, fp: Any, fn: Any) -> None:
        if not isinstance(self.parts, Mapping):
            raise SpecError(
                f"context.parts = {shown(self.parts)} is not a table of laws",
                'Write {"fee": "uniform(0, 5)"}, say.',
            )
        letters = {name: _letter(name) for name in self.parts}
        first = _cost(one_of(self.c0, fp, "c0", "fp"), "context.c0", letters)
        second = _cost(one_of(self.c1, fn, "c1", "fn"), "context.c1", letters)
        laws = {letters[name]: part_law_of(law, f"context.parts.{name}") for name, law in self.parts.items()}
        _require_parts((first, second), laws)
        facts = facts_about(self.assuming, _letters((first, second), laws))
        context = _Costs((first, second), laws).knowing(facts).with_numbers().closed_or_held()
        _require_known(facts, context)
        parts = tuple(laws.items())
        values = {"c0": first, "c1": second, "parts": parts, "assuming": facts, "context": context}
        for name, value in values.items():
            object.__setattr__(self, name, value)


def costs_of_parts(
    c0: Any = None,
    c1: Any = None,
    *,
    parts: Mapping[str, Any],
    fp: Any = None,
    fn: Any = None,
    assuming: Any = (),
) -> Context:
    """Return the context of costs that are expressions in independent parts; `CostsOfParts` has the details.

    Raises:
        SpecError: if a part has no law or a law no part, or costs with parts in common cannot be put in such a form.

    Example:
        >>> costs_of_parts("lost", "lost + fee", parts={"lost": "exponential(1)", "fee": "uniform(0, 1)"}).support
        (c0, c1, -c0 + c1, c0 - c1 + 1)
    """
    return CostsOfParts(c0, c1, fp, fn, parts=parts, assuming=assuming).context


def name_of_part(letter: Symbol) -> str:
    """Return the name that a part was given, whatever letter stands for it."""
    return str(as_named(letter))


def _cost(value: Any, place: str, letters: Mapping[str, Symbol]) -> Expr:
    if isinstance(value, str):
        return parse(value, place=place, names=letters)
    return exact(value, place=place).xreplace({parameter(name): letter for name, letter in letters.items()})


def _require_parts(costs: tuple[Expr, ...], laws: Mapping[Symbol, Law]) -> None:
    """Refuse laws of parts that stand in no cost, and those with a part as a letter."""
    unused = [part.name for part in laws if not any(cost.has(part) for cost in costs)]
    if unused:
        raise SpecError(
            f"context.parts.{unused[0]} is the law of a part that stands in no cost",
            f"The costs are {costs[0]} and {costs[1]}; leave it out, or write it there.",
        )
    for part, law in laws.items():
        if found := law.parameters & set(laws):
            name = min(letter.name for letter in found)
            raise SpecError(
                f"context.parts.{part.name} has the letter {name}, which is a part itself",
                "Parts are independent of each other; a parameter needs another name.",
            )
    if any(cost.has(x) for cost in costs) and x not in laws:
        raise SpecError(
            "the costs hold the letter x, which densities are written in", "Rename the parameter."
        )


def _require_known(facts: tuple[Expr, ...], context: Context) -> None:
    """Refuse what is not known any more of the costs that the parts make."""
    for fact in facts:
        if fact not in context.given().positive:
            problem = f"assuming: that {fact} > 0 cannot be kept with the costs {context}"
            raise SpecError(problem, "Leave it out, or give the parameters numbers.")


def _letters(costs: tuple[Expr, ...], laws: Mapping[Symbol, Law]) -> set[Symbol]:
    """Return the letters of costs that are no parts."""
    return set[Symbol]().union(
        *(law.parameters for law in laws.values()), *(cost.free_symbols for cost in costs)
    ) - set(laws)


def _length(law: Law) -> int:
    return sum(sympy.count_ops(spread.density) for spread in law.spreads)


def _letter(name: Any) -> Symbol:
    """Read the name of a part; in its costs it may have that of a letter with a meaning elsewhere, such as y or s.

    Raises:
        SpecError: if no letter of an expression can be called so.
    """
    if name in (*BOUND, x.name):
        return Symbol(f"_{name}", positive=True)
    place = f"context.parts: the name {name!r}"
    found = exact(name, place=place) if isinstance(name, str) else None
    if not isinstance(found, Symbol) or found.name != name:
        raise SpecError(f"{place} is not that of a letter", "Write a letter, then letters, digits and _.")
    return found


def _has_lawful_densities(context: Context) -> bool:
    """Are the densities of independent costs soon seen to be no less than 0?"""
    try:
        return not isinstance(context, Independent) or bool(within(SEEN_SECONDS, _are_lawful, context))
    except TimeoutError:
        return False


def _are_lawful(context: Independent) -> bool:
    spreads = (*context.c0.spreads, *context.c1.spreads)
    return all(nonnegative(spread.density, spread.interval, context.given()) for spread in spreads)


@dataclass(frozen=True, slots=True)
class _Costs:
    """Two costs, and the laws of the parts that they are written in."""

    costs: tuple[Expr, Expr]
    laws: Mapping[Symbol, Law]

    def knowing(self, facts: tuple[Expr, ...]) -> _Costs:
        """Let each law know facts about letters."""
        return replace(self, laws={part: law.knowing(facts) for part, law in self.laws.items()})

    def with_numbers(self) -> _Costs:
        """Put in the parts that are known."""
        known = {
            part: law.masses[0].value
            for part, law in self.laws.items()
            if not law.spreads and len(law.masses) == 1
        }
        first, second = (cost.subs(known) for cost in self.costs)
        return _Costs((first, second), {part: law for part, law in self.laws.items() if part not in known})

    def closed_or_held(self) -> Context:
        """Return the context of the costs, or else one of those at each value of a part.

        That is taken where a law has no closed form, or one whose density is not soon seen to be no less than 0.
        """
        try:
            closed = self.context()
        except SpecError as refusal:
            is_lost = isinstance(refusal, NegativeCostError) and not any(c.has(sympy.Max) for c in self.costs)
            held = None if is_lost else self._with_capitals()._held()
            if held is None:
                raise refusal
            return held
        if len(self.laws) == 1 or _has_lawful_densities(closed):
            return closed
        return self._with_capitals()._held() or closed

    def _held(self) -> HeldPart | None:
        """Hold a part with which the other ones have a context: one with a long density, if they are not all bounded.

        The form of the losses at a value depends on it where both costs have two ends.
        """
        parts = sorted(
            self.laws, key=lambda part: (self._others_are_bounded(part), -_length(self.laws[part]))
        )
        for part in parts if len(parts) > 1 else ():
            others = {other: law for other, law in self.laws.items() if other != part}
            try:
                inner = _Costs(self.costs, others).context()
                return HeldPart(self.costs, tuple(self.laws.items()), part, inner)
            except SpecError:  # another part may do
                continue
        return None

    def _with_capitals(self) -> _Costs:
        """Call parts Y that have the name y, say: where they are held they are letters, and y has another meaning."""
        taken = {letter.name for letter in (*self.laws, *_letters(self.costs, self.laws))}
        plain = {part: name_of_part(part).upper() for part in self.laws if part.name.startswith("_")}
        free = {
            part: next(found for found in (name, *(f"{name}{n}" for n in range(1, 99))) if found not in taken)
            for part, name in plain.items()
        }
        letters = {part: parameter(name) for part, name in free.items()}
        first, second = (cost.xreplace(letters) for cost in self.costs)
        return _Costs((first, second), {letters.get(part, part): law for part, law in self.laws.items()})

    def _others_are_bounded(self, part: Symbol) -> bool:
        ends = [high for other, law in self.laws.items() if other != part for _, high in law.ends]
        return len(self.laws) > 2 and S.Infinity not in ends

    def context(self) -> Context:
        first, second = (cost.free_symbols & set(self.laws) for cost in self.costs)
        if not first and not second:
            return FixedCosts(*self.costs)
        if not first & second:
            return Independent(*[self._law(cost, index) for index, cost in enumerate(self.costs)])
        found = self._factored() or of_lognormal_parts(self.costs, self.laws)
        return found or self._shared_as_one()._condensed()._of_shared()

    def _law(self, cost: Expr, index: int) -> Law:
        return law_of_expression(cost, self.laws, f"context.c{index}")

    def _factored(self) -> Context | None:
        """Take out a part that multiplies both costs."""
        for part, law in self.laws.items():
            rest = tuple(sympy.cancel(cost / part) for cost in self.costs)
            if not any(cost.has(part) for cost in rest):
                others = {other: found for other, found in self.laws.items() if other != part}
                return CommonFactor(law, _Costs(rest, others).context())
        return None

    def _shared_as_one(self) -> _Costs:
        """Write what stands in both costs, and holds parts that stand nowhere else, as one part with its law."""
        for letter, whole, (first, second) in repeated(self.costs, self.laws):
            left = {part: known for part, known in self.laws.items() if not whole.has(part)}
            with suppress(NegativeCostError):  # it is no cost by itself
                law = law_of_expression(whole, self.laws, "context.c0")
                return _Costs((first, second), {**left, letter: law})
        return self

    def _condensed(self) -> _Costs:
        """Write what stands in one cost alone, next to parts in common, as one part with its law."""
        shared = self.costs[0].free_symbols & self.costs[1].free_symbols & set(self.laws)
        found = self
        for index in range(2):
            found = found._with_one_part(index, shared)
        return found

    def _with_one_part(self, index: int, shared: set[Symbol]) -> _Costs:
        cost = self.costs[index]
        if not isinstance(cost, Add | Mul):
            return self
        own, common = sympy.sift(cost.args, lambda arg: not arg.free_symbols & shared, binary=True)
        whole = cost.func(*own)
        parts = whole.free_symbols & set(self.laws)
        if len(parts) < 2:
            return self
        letter = Symbol(f"_part{index}", positive=True)
        law = law_of_expression(whole, self.laws, f"context.c{index}")
        costs = list(self.costs)
        costs[index] = cost.func(*common, letter)
        left = {part: known for part, known in self.laws.items() if part not in parts}
        return replace(self, costs=(costs[0], costs[1]), laws={**left, letter: law})

    def _of_shared(self) -> Context:
        parts = {part: law for part, law in self.laws.items() if any(cost.has(part) for cost in self.costs)}
        valued = [part for part, law in parts.items() if law.masses]
        if len(parts) == 1:
            return of_shared_parts(self.costs, parts)
        if valued:
            return self._by_value(valued[0])
        cut = sides(self.costs, parts)
        mixed = [(side.share, _Costs(side.costs, side.laws).context()) for side in cut]
        if len(mixed) == 1:
            return mixed[0][1]
        return Mixture(*mixed) if cut else of_shared_parts(self.costs, parts)

    def _by_value(self, part: Symbol) -> Context:
        """Mix the contexts for each value of a part that has a probability, and for what is spread of its law."""
        law = self.laws[part]
        others = {other: found for other, found in self.laws.items() if other != part}
        known = [
            (mass.probability, _Costs(tuple(cost.subs(part, mass.value) for cost in self.costs), others))
            for mass in law.masses
        ]
        rest = sympy.factor(1 - Add(*[probability for probability, _ in known]))
        spreads = tuple(replace(spread, density=spread.density / rest) for spread in law.spreads)
        spread = (
            [(rest, replace(self, laws={**others, part: Law(spreads).knowing(law.assumed)}))]
            if spreads
            else []
        )
        return Mixture(*[(probability, costs.context()) for probability, costs in [*known, *spread]])
