"""The section on properness: pieces have the right slopes and join, and the weight has the sign that is claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import sympy
from sympy import Expr, Rational

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Sign
from costderive.core.symbols import p
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.factors import (
    arguments_of_roots,
    divisors,
    hints,
    hints_at,
    powers_of_slopes,
)
from costderive.publish.coq.facts import positives_at, recorded
from costderive.publish.coq.gamma_shapes import IMPORTS as SHAPES
from costderive.publish.coq.gamma_shapes import betas_by_gammas
from costderive.publish.coq.inner_integrals import by_inner_integrals
from costderive.publish.coq.rising_signs import IMPORTS as RISING
from costderive.publish.coq.rising_signs import OF_NUMBERS, by_slopes
from costderive.publish.coq.section import Section
from costderive.publish.coq.setting import Cell, Setting, neighbours, settings, undefined_at
from costderive.publish.coq.tactics import ERRORS, algebra, algebra_of, evaluated, has_errors, lemma
from costderive.publish.coq.terms import BY_INTEGRALS, atomic, term
from costderive.publish.coq.visible_signs import Visible, irrational_parts, visible
from costderive.rules.hypergeometric import hyp2f1

IMPORTS: tuple[str, ...] = ("Elementary", "Properness")
INCOMPLETE = ("Limits", "Endpoints", "Incomplete")  # what functions that are defined by integrals need
EXPONENTIALS = ("Limits", "Endpoints", "Tails")  # what products of exponentials need
NORMAL = ("Normal",)  # what a weight with values of the error function needs
ATOMS = ("Limits", "Endpoints", "Atoms")  # what a rule whose losses jump, or are steep, needs besides
LONG = 10**6  # what a numerator or denominator of an error function is no more than, if there are several


def properness(setting: Setting) -> Section:
    """Write the proof that a rule is proper, and strictly so for beliefs in the intervals that are claimed.

    Raises:
        ExportError: if a formula has no form in Coq, or one that it does not compare, or the sign of a weight is not
            visible.
    """
    _refuse_towers(setting)
    lemmas = [
        *_orders(setting),
        *_slopes(setting),
        *_joins(setting),
        *_signs(setting),
        *_linked(setting),
    ]
    theorems = list(_theorems(setting))
    text = "\n".join([*lemmas, *[text for _, text in theorems]])
    return Section(
        setting.name, "properness", _imports(setting, text), text, tuple(name for name, _ in theorems)
    )


def _refuse_towers(setting: Setting) -> None:
    """Refuse powers by fractions of letters in powers by letters or in logarithms, ``(x^(1/(a - 2)))^(-a)``."""
    formulas = [formula for cell in setting.cells for formula in cell.formulas]
    if any(map(_is_tower, chain.from_iterable(map(sympy.preorder_traversal, formulas)))):
        raise ExportError(
            "a power by a fraction of letters stands in another one, or in a logarithm",
            "Coq does not compare these.",
        )


def _is_tower(node: Expr) -> bool:
    powers = isinstance(node, sympy.Pow) and node.base != sympy.E and node.exp.free_symbols
    inner = sympy.preorder_traversal(node.args[0]) if powers or isinstance(node, sympy.log) else ()
    return any(
        isinstance(part, sympy.Pow) and not part.exp.is_polynomial(*part.exp.free_symbols) for part in inner
    )


def orders(setting: Setting) -> Section:
    """Return the section on the order of the breakpoints alone, which properness by the law of the costs needs.

    Raises:
        ExportError: if what a breakpoint cuts off has several error functions of long numbers.
    """
    for cell in setting.cells:
        _refuse_errors_of_long_numbers(cell)
    return Section(setting.name, "orders", IMPORTS, "\n".join(_orders(setting)), ())


def slopes(derivation: Derivation) -> tuple[Section, ...]:
    """Return one section for each case on the slopes of losses that are known to be proper: no weight is negative.

    Raises:
        ExportError: if a formula has no form in Coq.
    """
    return tuple(_slopes_if_proper(setting) for setting in settings(derivation))


def _slopes_if_proper(setting: Setting) -> Section:
    lemmas = [
        *_slopes(setting),
        *_joins(setting),
        *_signs_if_proper(setting),
        *_linked(setting),
    ]
    text = "\n".join(lemmas)
    return Section(setting.name, "slopes", _imports(setting, text), text, ())


def _imports(setting: Setting, text: str) -> tuple[str, ...]:
    """Return the files of the library that a text on the pieces of a case needs."""
    imports = IMPORTS + ATOMS if setting.atoms or "smooth" in text else IMPORTS
    if _by_integrals(formula for cell in setting.cells for formula in cell.formulas):
        imports += INCOMPLETE
    if "betas_by_gammas" in text:
        imports += SHAPES
    if "equal_exponentials" in text or "equal_opposites" in text:
        imports += EXPONENTIALS
    if "rising" in text:
        imports += (*RISING, *(OF_NUMBERS if "_enclosed" in text else ()))
    if "_errors" in text:
        return imports + ERRORS
    return imports + (NORMAL if any(map(_has_errors, setting.cells)) else ())


def _by_integrals(formulas: Iterable[Expr]) -> bool:
    """Return whether there are functions that the library defines by integrals."""
    return any(formula.has(*BY_INTEGRALS) for formula in formulas)


# ---- the pieces


def _orders(setting: Setting) -> Iterator[str]:
    for cell in setting.cells:
        yield lemma(f"order{cell.number}", f"{cell.low} <= {cell.high}", _ordered(cell, setting.given))
    if len(setting.cells) > 1:
        known = "; ".join(f"pose proof order{cell.number}" for cell in setting.cells)
        yield f"Ltac ordered := {known}."


def _ordered(cell: Cell, given: Given) -> str:
    gap = cell.on.high - cell.on.low
    seen = None if gap.is_Rational else visible(gap, None, given)
    if seen is None and gap.is_number and not gap.is_Rational:
        raise ExportError(
            f"the order of breakpoints, {str(gap)[:100]} >= 0, is not visible", "Take fractions."
        )
    return "lra." if seen is None else f"ordered_by ({seen.text})."


def _slopes(setting: Setting) -> Iterator[str]:
    for cell in setting.cells:
        _refuse_angles_of_roots(cell)
        _refuse_gammas_beside_roots(cell)
        _refuse_unbounded_inside(cell)
        _refuse_powers_by_logarithms(cell)
        _refuse_beta_of_powers(cell)
        refuse_hypergeometric(cell)
        _refuse_errors_of_long_numbers(cell)
        equal = _equal_slopes(cell, setting.given)
        given, formulas = setting.given, cell.formulas[:2]
        known = [f"all: {line}." for line in positives(cell, given)]
        inside = [
            f"all: {line}." for line in (*_inside(formulas, cell, given), *_angles(formulas, cell, given))
        ]
        sloped = f"auto_derive; [see | {_or_related(equal, cell.formulas)}]"
        if _steep_at_an_end(cell):
            to_the_ends = [f"all: {line}." for line in positives(cell, given, to_the_ends=True)]
            later = [line for line in known if line not in to_the_ends]
            opened = [f"slopes_inside {cell.name}.", *to_the_ends, "1, 2: smooth_at p."]
            proof = [*opened, *later, *inside, f"all: {sloped}."]
        elif known or inside:
            proof = [f"slopes_of {cell.name}.", *known, *inside, f"all: {sloped}."]
        else:
            proof = [f"slopes_of {cell.name}; ({sloped})."]
        yield lemma(f"slopes{cell.number}", f"slopes {cell.low} {cell.high} {cell.name}", *proof)


def _equal_slopes(cell: Cell, given: Given) -> str:
    """Return the tactic for slopes of losses, which may have integrals of exponentials beside exponentials."""
    written = hints(cell.formulas, cell.on, given)
    if any(formula.has(sympy.exp) for formula in cell.formulas):
        if _has_errors(cell):
            return f"equal_errors ltac:({'; '.join(written) or 'idtac'})"
        if cell.weight.has(sympy.expint):
            return f"equal_opposites_by ltac:({'; '.join(written) or 'idtac'})"
        if cell.weight.atoms(sympy.exp) - cell.loss0.atoms(sympy.exp) - cell.loss1.atoms(sympy.exp):
            return f"equal_exponentials_by ltac:({'; '.join(written) or 'idtac'})"
    return algebra(written)


def _refuse_errors_of_long_numbers(cell: Cell) -> None:
    """Refuse several error functions of long numbers, as of costs in words beside a uniform cost.

    Raises:
        ExportError: if there are such.
    """
    found = set().union(*[formula.atoms(sympy.erf, sympy.erfc) for formula in cell.formulas])
    numbers = set().union(*[error.atoms(sympy.Rational) for error in found])
    if len(found) > 2 and any(max(abs(x.p), x.q) > LONG for x in numbers):
        raise ExportError(
            "several error functions have numbers of many digits",
            "Coq would compare their exponentials for minutes.",
        )


def _has_errors(cell: Cell) -> bool:
    return bool(cell.weight.has(sympy.erf, sympy.erfc))


def _steep_at_an_end(cell: Cell) -> bool:
    """Return whether something under a root is 0 at an inner breakpoint, where slopes may be infinite."""
    bases = [base for base, _ in powers_of_slopes(cell.formulas[:2])]
    arguments = [x for x in (*arguments_of_roots(cell.formulas[:2]), *bases) if x.has(cell.on.variable)]
    return any(_vanishes_at_an_end(x, cell) for x in arguments)


def _vanishes_at_an_end(part: Expr, cell: Cell) -> bool:
    """Return whether something is 0 at an end of a piece that is an inner breakpoint."""
    ends = [end for end in (cell.on.low, cell.on.high) if end not in (0, 1)]
    return any(sympy.simplify(part.subs(cell.on.variable, end)) == 0 for end in ends)


def _angles(formulas: Iterable[Expr], cell: Cell, given: Given) -> Iterator[str]:
    """Yield tactics that put on record that sines lie between -1 and 1, unless they are roots or one over another."""
    nodes = chain.from_iterable(map(sympy.preorder_traversal, formulas))
    sines = dict.fromkeys(x.args[0] for x in nodes if isinstance(x, sympy.asin | sympy.acos))
    for number, sine in enumerate(sines, start=1):
        seen = None if _is_quotient_of_roots(sine) else visible(sympy.expand(1 - sine**2), cell.on, given)
        if seen is not None and seen.strict:
            yield (
                f"assert (angle{number} : -1 < {term(sine)} < 1)"
                f" by (apply (angle_by ({seen.text})); [equal_by_roots | see])"
            )


def _is_quotient_of_roots(expr: Expr) -> bool:
    return all(
        isinstance(x, sympy.Pow) and abs(x.exp) == Rational(1, 2) for x in sympy.Mul.make_args(expr)
    ) and (len(sympy.Mul.make_args(expr)) <= 2)


def _inside(formulas: Iterable[Expr], cell: Cell, given: Given) -> Iterator[str]:
    """Yield tactics that put on record that incomplete functions are taken inside of where they have slopes."""
    bases = dict.fromkeys(base for base, _ in powers_of_slopes(formulas))
    for number, base in enumerate(bases, start=1):
        seen = visible(base, cell.on, given)
        if seen is not None and seen.strict and not base.is_polynomial(*base.free_symbols):
            equal = algebra(hints((base,), cell.on, given))
            yield (
                f"assert (inside{number} : 0 < {term(base)})"
                f" by (apply (positive_as ({seen.text})); [{equal} | see])"
            )


def _refuse_unbounded_inside(cell: Cell) -> None:
    """Refuse losses that are closed forms up to an inner breakpoint only, where Coq's powers of 0 are 1, too."""
    for end in (cell.on.low, cell.on.high):
        if end not in (0, 1) and (zero := undefined_at(cell, end)) is not None:
            raise ExportError(
                f"a loss divides by {str(zero)[:90]}, 0 at a breakpoint, or has its power or logarithm",
                "Coq needs its limit there.",
            )


def _refuse_powers_by_logarithms(cell: Cell) -> None:
    """Refuse powers whose exponents are logarithms, where they are parts of exponentials of error functions."""
    nodes = chain.from_iterable(map(sympy.preorder_traversal, cell.formulas))
    power = next(
        (x for x in nodes if isinstance(x, sympy.Pow) and x.base.has(p) and x.exp.has(sympy.log)), None
    )
    if power is not None and _has_errors(cell):
        raise ExportError(
            f"a loss has the power {str(power)[:90]} beside values of the error function",
            "Coq sees relations of exponentials whose exponents are squares of logarithms.",
        )


def refuse_hypergeometric(cell: Cell) -> None:
    """Refuse a weight that is the slope of a hypergeometric function.

    Raises:
        ExportError: if it is.
    """
    if cell.weight.has(hyp2f1):
        raise ExportError(
            "a weight has a hypergeometric function", "Coq knows no slopes of these: see the law."
        )


def _refuse_beta_of_powers(cell: Cell) -> None:
    """Refuse incomplete Beta functions that end at sums of powers by letters, whose slopes have powers of these."""
    for node in set().union(*[formula.atoms(sympy.betainc) for formula in cell.formulas]):
        powers = [power for total in node.args[3].atoms(sympy.Add) for power in total.atoms(sympy.Pow)]
        steep = [power for power in powers if power.exp.free_symbols and power.base.has(p)]
        if steep:
            raise ExportError(
                f"an incomplete Beta function ends at a sum with the power {str(steep[0])[:90]}",
                "Coq gets fractions and roots there.",
            )


def _refuse_angles_of_roots(cell: Cell) -> None:
    """Refuse what Coq would compute with for minutes, in vain: angles beside cube roots and the like."""
    nodes = set().union(*[sympy.preorder_traversal(expr) for expr in cell.formulas])
    angles = [node for node in nodes if isinstance(node, sympy.atan | sympy.asin | sympy.acos)]
    roots = [
        node for node in nodes if isinstance(node, sympy.Pow) and node.exp.is_Rational and node.exp.q > 2
    ]
    if angles and roots:
        raise ExportError(
            f"a loss has angles beside the root {str(roots[0])[:100]}", "Coq gets square roots there."
        )


def _refuse_gammas_beside_roots(cell: Cell) -> None:
    """Refuse incomplete Gamma functions beside square roots and powers by other fractions, both of numbers."""
    nodes = set().union(*[sympy.preorder_traversal(expr) for expr in cell.formulas])
    roots = {x for x in nodes if isinstance(x, sympy.Pow) and x.exp.is_Rational and not x.exp.is_Integer}
    powers = [x for x in roots if x.base.is_Rational and x.exp.q > 2]
    squares = [x for x in roots if x.base.is_Rational and x.exp.q == 2]
    if powers and squares and any(isinstance(x, sympy.uppergamma | sympy.lowergamma) for x in nodes):
        raise ExportError(
            f"an incomplete Gamma function is beside the powers {powers[0]} and {squares[0]}",
            "Coq sees relations of powers of letters there.",
        )


def positives(cell: Cell, given: Given, *, to_the_ends: bool = False) -> Iterator[str]:
    """Yield tactics that put on record that the parts of the formulas that must be positive are so.

    With ``to_the_ends`` only of those which are so at inner breakpoints, too.
    """
    for number, (part, seen) in enumerate(_positive_parts(cell, given), start=1):
        if not (to_the_ends and _vanishes_at_an_end(part, cell)):
            yield recorded(number, part, seen)


def _positive_parts(cell: Cell, given: Given) -> Iterator[tuple[Expr, Visible]]:
    """Yield what the formulas divide by, or take roots of, where it is seen to be positive.

    Raises:
        ExportError: if a polynomial with roots for coefficients is not: Coq does not see it either.
    """
    for part in divisors(cell.formulas, cell.on, given):
        seen = visible(part, cell.on, given)
        if seen is None and any(irrational_parts(part)):
            raise ExportError(f"the sign of {str(part)[:200]} is not visible", "Coq has its logarithm.")
        if seen is not None and seen.strict:
            yield part, seen


def _joins(setting: Setting) -> Iterator[str]:
    """Neighbouring pieces join, or they jump by shares of a mass, which is 0 between atoms."""
    for left, right in neighbours(setting.cells):
        formulas = (*left.formulas[:2], *right.formulas[:2])
        _refuse_exponentials_in_logarithms(left.on.high, formulas)
        _refuse_opposites(left.on.high, formulas)
        forms = hints_at(left.on.high, formulas, left.on, setting.given)
        forms += betas_by_gammas(_complete_at(left.on.high, formulas), formulas)
        mass = setting.mass(left.on.high)
        jump = f"jumps {left.high} {atomic(mass)}" if setting.atoms else f"joins {left.high}"
        proof = f"split; cbn [loss0 loss1 {left.name} {right.name}]; {_or_related(_joined(formulas, forms), formulas)}."
        yield lemma(
            f"join{left.number}",
            f"{jump} {left.name} {right.name}",
            *([f"split; [{_massive(mass, setting.given)} |]."] if setting.atoms else []),
            *(positives_at(left.on.high, formulas, setting.given) if left.on.high.free_symbols else ()),
            proof,
        )


def _or_related(equal: str, formulas: Iterable[Expr]) -> str:
    """Add a second tactic where one exponential with letters may be another times a constant."""
    nodes = set().union(*[formula.atoms(sympy.exp) for formula in formulas])
    several = len([node for node in nodes if node.has(p) and node.free_symbols - {p}]) > 1
    return f"first [{equal} | equal_exponentials]" if several else equal


def _complete_at(point: Expr, formulas: Iterable[Expr]) -> Iterator[Expr]:
    """Yield the Beta functions that incomplete ones are at a point."""
    for node in set().union(*[formula.atoms(sympy.betainc) for formula in formulas]):
        if sympy.simplify(node.args[3].subs(p, point)) == 1:
            yield sympy.beta(*node.args[:2], evaluate=False)


def _joined(formulas: tuple[Expr, ...], forms: tuple[str, ...]) -> str:
    """Return the tactic for the equal values of two pieces, which hints help to write."""
    by_values = _by_integrals(formulas) or has_errors(formulas)
    return (
        evaluated(formulas, forms) if by_values else algebra_of(sympy.Add(*formulas, evaluate=False), forms)
    )


def _refuse_exponentials_in_logarithms(point: Expr, formulas: Iterable[Expr]) -> None:
    """Refuse a breakpoint with exponentials of numbers where losses have logarithms, which Coq would not join."""
    if point.has(sympy.E, sympy.exp) and any(formula.has(sympy.log) for formula in formulas):
        raise ExportError(
            f"losses with logarithms meet at {str(point)[:100]}", "Coq gets fractions and roots there."
        )


def _refuse_opposites(point: Expr, formulas: Iterable[Expr]) -> None:
    """Refuse inverse hyperbolic sines of opposite numbers, of which Coq would see no relation."""
    sines = set().union(*[formula.atoms(sympy.asinh) for formula in formulas])
    numbers = {sympy.cancel(node.args[0].subs(p, point)) for node in sines} - {sympy.S.Zero}
    if any(-number in numbers for number in numbers):
        raise ExportError(
            f"losses with inverse hyperbolic sines of opposite numbers meet at {str(point)[:100]}",
            "Coq gets one of them.",
        )


def _massive(mass: Expr, given: Given) -> str:
    seen = visible(mass, None, given)
    return "lra" if seen is None else f"apply (not_negative_as ({seen.text})); [{algebra_of(mass)} | see]"


# ---- the weight


def _signs(setting: Setting) -> Iterator[str]:
    for cell in setting.cells:
        predicate = "positive" if cell.sign is Sign.POSITIVE else "not_negative"
        known = [
            f"{line}."
            for line in (*positives(cell, setting.given), *_inside((cell.weight,), cell, setting.given))
        ]
        opened, (lemmas, sign) = f"weight_of {cell.name}", _sign(cell, setting)
        yield from lemmas
        yield lemma(
            f"sign{cell.number}",
            f"{predicate} {cell.low} {cell.high} {cell.name}",
            *(
                ["; ".join([opened, *sign])]
                if not known and len(sign) == 1
                else [f"{opened}.", *known, *sign]
            ),
        )


def _signs_if_proper(setting: Setting) -> Iterator[str]:
    """Yield lemmas that the weight, by which the losses rise and fall, is not negative, as they are proper."""
    for cell in setting.cells:
        yield lemma(
            f"sign{cell.number}",
            f"not_negative {cell.low} {cell.high} {cell.name}",
            f"{setting.ordered} apply (not_negative_if_proper L0 L1 _ _ _ proper slopes{cell.number}).",
            "intros p Within Unit. unfold L0, L1. split; branch; reflexivity.",
        )


def _sign(cell: Cell, setting: Setting) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return lemmas and the tactics for the sign of a weight; if it is rational and not seen, Coq will say which."""
    wanted = "positive" if cell.sign is Sign.POSITIVE else "not_negative"
    known = frozenset(part for part, _ in _positive_parts(cell, setting.given))
    seen = visible(cell.weight, cell.on, setting.given, known=known)
    if seen is not None and (seen.strict or cell.sign is not Sign.POSITIVE):
        equal = _equal_to_seen(cell.weight, seen, hints((cell.weight,), cell.on, setting.given))
        return (), (f"apply ({wanted}_as ({seen.text})); [{equal} | see].",)
    if cell.sign is Sign.POSITIVE and (integrated := by_inner_integrals(cell, setting)):
        return (), integrated
    below = _by_lower_gamma(cell.weight)
    if below != cell.weight and (seen := visible(below, cell.on, setting.given)) is not None and seen.strict:
        equal = algebra(hints((cell.weight,), cell.on, setting.given))
        return (), (f"apply ({wanted}_as ({seen.text})); [unfold upper_gamma; {equal} | see].",)
    if cell.weight.is_rational_function():
        return (), ("see.",)
    if (rise := by_slopes(cell.number, cell.weight, cell.on, setting.given)) is not None:
        weak = () if cell.sign is Sign.POSITIVE else ("apply Rlt_le.",)
        return (rise.lemma,), (*weak, *rise.tactics)
    raise ExportError(
        f"the sign of the threshold weight between {cell.on.low} and {cell.on.high} is not visible to Coq",
        "costderive check decides it by other means.",
    )


def _equal_to_seen(weight: Expr, seen: Visible, written: tuple[str, ...]) -> str:
    """Return the tactic for a weight that is what is seen, where exponentials may stand as products of others."""
    if all(term(node) in seen.text for node in weight.atoms(sympy.exp) if node.has(p)):
        return algebra_of(weight, written)
    return f"equal_exponentials_by ltac:({'; '.join(written) or 'idtac'})"


def _by_lower_gamma(weight: Expr) -> Expr:
    """Write what upper incomplete Gamma functions lack to whole ones by lower ones, which are positive."""
    lower = weight.replace(sympy.uppergamma, lambda a, start: sympy.gamma(a) - sympy.lowergamma(a, start))
    return sympy.expand(lower, deep=False)


# ---- theorems


def rest_of(setting: Setting) -> str:
    """Return the pieces after the first one, each with the breakpoint before it."""
    return "[" + "; ".join(f"({left.high}, {right.name})" for left, right in neighbours(setting.cells)) + "]"


def conjunction(terms: list[str]) -> str:
    """Return the proof of several statements from one of each."""
    text = terms[-1]
    for part in reversed(terms[:-1]):
        text = f"(conj {part} {text})"
    return text


def _linked(setting: Setting) -> Iterator[str]:
    """The pieces have the right slopes and join, and no weight is negative."""
    links = [
        part
        for cell in setting.cells
        for part in (f"order{cell.number}", f"slopes{cell.number}", f"join{cell.number}")
    ]
    chain = "jumping_chain" if setting.atoms else "chain"
    statement = f"{chain} 0 piece1 {rest_of(setting)}{masses(setting)}"
    yield lemma("joined_pieces", statement, f"exact {conjunction(links[:-1])}.")
    yield lemma("never_negative", f"weighs_all 0 0 0 piece1 {rest_of(setting)}", f"{weighed(setting)}.")


def masses(setting: Setting) -> str:
    """Return the masses at the breakpoints, as an argument, if there are atoms."""
    if not setting.atoms:
        return ""
    return " [" + "; ".join(term(setting.mass(left.on.high)) for left, _ in neighbours(setting.cells)) + "]"


def _rule(theorem: str, setting: Setting, interval: str = "") -> str:
    """Return a theorem of the library on pieces, in the form for rules with atoms if there are any."""
    return f"{theorem}_with_atoms{interval} _ _ _" if setting.atoms else f"{theorem}{interval} _ _"


def weighed(setting: Setting) -> str:
    """Return the tactic for all weights: each is positive, or that of a piece outside of the strict interval."""
    signs = " | ".join(f"weighs_by sign{cell.number}" for cell in setting.cells)
    return f"each_weight; [{signs}]"


def _theorems(setting: Setting) -> Iterator[tuple[str, str]]:
    yield (
        "proper",
        lemma(
            "proper",
            "Proper L0 L1",
            f"exact ({_rule('proper_rule', setting)} joined_pieces never_negative).",
            kind="Theorem",
        ),
    )
    for number, (low, high) in enumerate(setting.strict, start=1):
        everywhere = (low, high) == (0, 1)
        name = "strictly_proper" if len(setting.strict) == 1 else f"strictly_proper{number}"
        statement = (
            "StrictlyProper L0 L1" if everywhere else f"StrictlyProperOn {atomic(low)} {atomic(high)} L0 L1"
        )
        yield name, lemma(name, statement, _strictly(setting, low, high), kind="Theorem")


def _strictly(setting: Setting, low: Expr, high: Expr) -> str:
    """Return the proof of strict properness: each weight is positive, or that of a piece outside of the interval."""
    rule = _rule("strictly_proper_rule", setting, f" {atomic(low)} {atomic(high)}")
    return f"{setting.ordered} refine ({rule} _ _ joined_pieces _); [lra | lra | {weighed(setting)}]."
