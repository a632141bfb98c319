"""What comes before the theorems on a cost context: title, abstract, introduction and conventions."""

from __future__ import annotations

from costderive.core.piecewise import Piece
from costderive.core.symbols import p
from costderive.costs.contexts import Independent, IndependentUniform, PowerMean
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Report
from costderive.publish.formulas.printing import formula, width, with_slashes
from costderive.publish.words.common_names import cited, common, is_of_beta_family, named, noted
from costderive.publish.words.document_blocks import Block, Heading, Prose, prose
from costderive.publish.words.findings import kind_of_rule, proof_status, shows
from costderive.publish.words.law_names import FAMILIES, family_of
from costderive.publish.words.law_phrases import Setting
from costderive.publish.words.mirrored import mirrored
from costderive.publish.words.paper_of_costs import properness
from costderive.publish.words.proofs_of_properness import has_integral
from costderive.publish.words.scene import PROPER, RISK, Scene, ranges, say, show
from costderive.publish.words.special_functions import functions_in, kinds_in

Blocks = tuple[Block, ...]
SHORT = 40.0  # losses that an abstract has room for, in digits


def title(derivation: Derivation, costs: Prose, report: Report) -> Prose:
    """Return the title: the common name of the rule if it has one, and the costs that it belongs to."""
    rule = common(derivation)
    name = rule.in_title if rule else kind_of_rule(report)
    return prose("The {} {} {}", name, "from" if rule else "of", costs)


def abstract(derivation: Derivation, where: Setting, scenes: tuple[Scene, ...], report: Report) -> Prose:
    """Return the abstract."""
    rule = common(derivation)
    return prose(
        "A binary classifier predicts the probability $p$ of class 1, and decides by comparing it with the cost "
        "proportion $s = c_0/(c_0 + c_1)$, where $c_y$ is the cost of misclassifying an instance of class $y$. Let "
        "{}. We derive the losses $L_0$ and $L_1$ whose mean is {} of these decisions, and {} that they form {}. {}{}",
        *(where.short or where.law, _what(where), shows(report), _kind(scenes)),
        prose("It is {}. ", named(rule)) if rule else _losses_in_short(scenes),
        proof_status(report),
    )


def _losses_in_short(scenes: tuple[Scene, ...]) -> Prose:
    """Write losses that are one short formula each."""
    found = [(*scene.losses.loss0, *scene.losses.loss1) for scene in scenes]
    if len(found) > 1 or len(found[0]) > len(("L_0", "L_1")):
        return ()
    (first, second), (scene,) = (piece.value for piece in found[0]), scenes
    alike = mirrored(scene.losses, scene.case.given)
    room = width(first) + (0.0 if alike else width(second))
    if not first.has(p) or room > SHORT or functions_in([first, second]) or has_integral(scene.losses):
        return ()
    other = formula("L_0(1 - p)") if alike else with_slashes(second)
    return prose("The losses are $L_0(p) = {}$ and $L_1(p) = {}$. ", with_slashes(first), other)


def _what(where: Setting) -> str:
    return "the cost, added up over this law," if where.improper else "the expected cost"


def _kind(scenes: tuple[Scene, ...]) -> Prose:
    found = [properness(scene.case) for scene in scenes]
    if any(x is None for x in found):
        return prose("a scoring rule")
    if all(x is not None and x.everywhere for x in found):
        return prose("a strictly proper scoring rule")
    strict = {x.strict for x in found if x is not None and x.strict}
    where = (
        prose(", strictly so for beliefs in {}", ranges(strict.pop(), " or in ")) if len(strict) == 1 else ""
    )
    return prose("a proper scoring rule{}", where)


# ---- introduction


def introduction(
    derivation: Derivation, where: Setting, scenes: tuple[Scene, ...], *, in_one_formula: bool
) -> Blocks:
    """Return the section that says what the question is, what is known of it, and what is added."""
    in_one = ", by one formula for all values of the parameters" if in_one_formula else ""
    question = say(
        "A classifier that knows what its errors cost decides for class 1 if the predicted probability $p$ exceeds "
        "the "
        "cost proportion $s = c_0/(c_0 + c_1)$. Whatever the law of the costs, if they are independent of the "
        "instance "
        "and its prediction, the mean cost of such decisions is the mean of a scoring rule of $p$, and this rule is "
        "proper: it is a mixture of cost-weighted misclassification "
        "losses over the threshold $s$ [@Buja2005], [@Schervish1989]. Which rule it is depends on the law. If $s$ is "
        "uniform, additive costs, whose sum is fixed, lead to the Brier score [@HernandezOrallo2011], "
        "[@HernandezOrallo2012], and harmonic costs, whose harmonic mean is fixed, to the log loss [@Flach2015]. This "
        "article finds the rule of {}.",
        _meant(where),
    )
    return (
        Heading(prose("Introduction")),
        question,
        say(
            "{}{}{}",
            *(
                _known(derivation, where, scenes),
                _DERIVES if common(derivation) else _added(scenes, where, in_one),
                _character(derivation, scenes),
            ),
        ),
    )


def _meant(where: Setting) -> Prose:
    """Name costs, and say what those are called after whose means are not defined before."""
    kind = next((kind for kind in _CALLED if where.name.startswith(kind)), "")
    rest = where.name.removeprefix(kind)
    join = " and" if rest.startswith(" whose") else "," * bool(rest)
    return prose(f"{kind}{_CALLED[kind]}{join}{rest}") if kind else where.named


_CALLED = {
    "geometric costs": ", whose geometric mean is fixed",
    "Euclidean costs": ", the sum of whose squares is fixed",
}


def _known(derivation: Derivation, where: Setting, scenes: tuple[Scene, ...]) -> Prose:
    """Say what sources have on the rule of a context, if they have something, or which rule it is."""
    if where.known:
        return (*where.known, " ")
    if isinstance(derivation.context, IndependentUniform):
        general = len(derivation.context.parameters) == BOUNDS
        return (*prose(_GENERAL_BOUNDS + _ALL_BOUNDS * general), " ")
    rule = common(derivation)
    if rule:
        return prose(f"This scoring rule is {{}}.{noted(rule.name)} ", named(rule, cited(rule.name)))
    kinds = (kind for kind in _NEW if isinstance(derivation.context, kind))
    remark = _NOT_LOG_LOSS if _is_taken_for_log_loss(derivation.context) else _instead(derivation.context)
    if all(is_of_beta_family(scene.losses) for scene in scenes):
        remark += _OF_BETA_FAMILY
    return (*prose(_NEW[next(kinds, object)] + remark), " ")


def _is_taken_for_log_loss(context: object) -> bool:
    """Return whether costs have a harmonic mean and that of class 0 is uniform."""
    if not isinstance(context, PowerMean) or context.c0 is None:
        return False
    return context.k == -1 and family_of(context.c0) is FAMILIES["uniform"]


def _instead(context: object) -> str:
    """Say which law costs with a fixed mean have in place of a uniform cost proportion."""
    if not isinstance(context, PowerMean):
        return ""
    one_cost = context.c0 is not None or context.c1 is not None
    return " Here the law of one cost is given." if one_cost else " Here the cost proportion has another law."


_NOT_LOG_LOSS = (
    " The introduction of [@Grygorian2019] describes the harmonic one with a uniform $c_0$ in place of a uniform cost "
    "proportion; the rule is then another one than the log loss, as Theorem {#thm:score} shows."
)


_OF_BETA_FAMILY = (
    " The rule itself is of the family that Buja et al. [@Buja2005] propose: its threshold weight is a multiple of a "
    "power of $s$ times one of $1 - s$, as a Beta density is."
)


_NEW: dict[type, str] = {
    PowerMean: (
        "Flach [@Flach2015] finds the scoring rules of costs with a fixed arithmetic or harmonic mean and a uniform "
        "cost proportion."
    ),
    Independent: (
        "The independent costs in [@Grygorian2019] are uniform, on $[0, 1]$ and in Section 4.3 between other bounds; "
        "none of the sources cited here has independent costs with the laws of this article."
    ),
    object: "None of the sources cited here has costs with this law.",
}


_GENERAL_BOUNDS = (
    "For both costs uniform on $[0, 1]$ the rule is the Inverse Score of [@Grygorian2019, Theorem 3]. For general "
    "bounds [@Grygorian2019, Section 4.3] proposes a sum of four integrals as the expected loss, Equation 36. As "
    "printed, that equation does not hold: its integrals of class 1 have $c_1/(1 - s)^2$ where $c_1^2/(1 - s)^2$ "
    "is needed, as in Equation 26; the density of the costs is missing; and if both lower bounds are "
    "positive, the integrals over $c_1$ have in general three pieces, not two."
)
_ALL_BOUNDS = " The result here is for all positive bounds, and those of 0 follow."
BOUNDS = 4  # letters of a context whose bounds are all letters


_DERIVES = prose("The proof of Theorem {#thm:score} derives the losses from the law of the costs.")


def _added(scenes: tuple[Scene, ...], where: Setting, in_one: str) -> Prose:
    """Say what the article adds to what is known."""
    form = f"{_form(scenes)}{in_one}"
    text = (
        "Theorem {{#thm:score}} gives the losses {}."
        if where.known
        else "Theorem {{#thm:score}} gives the losses for the costs of this article {}."
    )
    return prose(text.format(form))


def _form(scenes: tuple[Scene, ...]) -> str:
    """Say how the losses are given: as integrals, in terms of functions that are integrals, or in closed form."""
    if any(has_integral(scene.losses) for scene in scenes):
        return "as integrals"
    if _are_steps(scenes):
        return "as step functions"
    found = kinds_in([piece.value for scene in scenes for piece in _pieces(scene)])
    return f"in terms of {' and '.join(found)}" if found else "in closed form"


def _pieces(scene: Scene) -> tuple[Piece, ...]:
    return *scene.losses.loss0, *scene.losses.loss1


def _are_steps(scenes: tuple[Scene, ...]) -> bool:
    """Return whether all losses are constant between breakpoints."""
    return not any(piece.value.has(p) for scene in scenes for piece in _pieces(scene))


def _character(derivation: Derivation, scenes: tuple[Scene, ...]) -> str:
    """Say how a rule without a common name treats what is surely wrong, and both classes."""
    if common(derivation) is not None or _are_steps(scenes):
        return ""
    finite: set[bool | None] = {
        scene.finite(x) for scene in scenes for x in (scene.losses.worst0, scene.losses.worst1)
    }
    like = {
        frozenset[bool | None]((True,)): " The losses are bounded, as those of the Brier score are",
        frozenset[bool | None]((False,)): " The losses are unbounded, as those of the log loss are",
    }.get(frozenset(finite), "")
    alike = all(mirrored(scene.losses, scene.case.given) for scene in scenes)
    if not like:
        return " The rule treats both classes alike." if alike else ""
    return f"{like}, and treat both classes alike." if alike else f"{like}."


# ---- conventions


POSITIVE = "With class 1 called positive, $c_0$ is the cost of a false positive and $c_1$ the cost of a false negative."
_OTHERS_CALL = {
    PowerMean: " In [@Flach2015] class 0 is called positive; the indices of the costs agree.",
    IndependentUniform: " In [@Grygorian2019] class 0 is called positive; the indices of the costs agree.",
}
_INSTANCE = (
    r"An instance has a class $Y \in \{0, 1\}$, with $\pi_y = \Pr(Y = y) > 0$, and a model predicts the "
    r"probability $p \in [0, 1]$ of class 1. Within class $y$, the prediction has the distribution "
    r"function $F_y(t) = \Pr(p \le t \mid Y = y)$ and, if there is one, the density $f_y$."
)
_DECISION = "The classifier decides for class 1 if $p > s$, and for class 0 if $p \\le s$."


def conventions(context: object, where: Setting, *, brief: bool) -> Blocks:
    """Return the section that says what the letters mean; a brief one cites the preliminaries for the rest."""
    errors = _errors(context, where)
    body = _brief(errors) if brief else _in_full(errors)
    return Heading(prose("Conventions")), *body


def _errors(context: object, where: Setting) -> str:
    independent = "" if where.certain else f" {_INDEPENDENT[where.improper]}"
    others = next((text for kind, text in _OTHERS_CALL.items() if isinstance(context, kind)), "")
    return (
        rf"Misclassifying an instance of class $y$ costs $c_y \ge 0$. {POSITIVE}{others} The cost proportion is "
        rf"$s = c_0/(c_0 + c_1)$.{independent}"
    )


_INDEPENDENT = {
    False: "The costs are random and independent of $(p, Y)$.",
    True: "The joint measure of the costs and $(p, Y)$ is the product of their laws.",
}


def _brief(errors: str) -> Blocks:
    rule = (
        rf"{_DECISION} A scoring rule is a pair of losses $L_0, L_1$; under the belief that class 1 has probability "
        r"$q$, the report $p$ has the risk $R(p|q) = (1 - q) \, L_0(p) + q \, L_1(p)$, with $0 \cdot \infty = 0$. The "
        r"rule is proper if $R(p|q) \ge R(q|q)$ for all $p, q \in [0, 1]$, and strictly proper if equality holds for "
        r"$p = q$ alone. The threshold weight $\Omega$ "
        r"of the costs is the measure $\Omega(ds) = \mathbb{E}[c_0 + c_1; \; s \in ds]$, and $\omega$ is its "
        "density, or that of its part without atoms, if there is one. "
        "Definitions in full, and the proofs of what holds whatever the law of the costs, are in [@CostContexts]."
    )
    return say(_INSTANCE), say(errors), say(rule)


def _in_full(errors: str) -> Blocks:
    texts = (
        _INSTANCE,
        errors,
        rf"{_DECISION} If $p$ is right, "
        r"this is the cheaper decision: deciding for class 1 then costs $(1 - p) \, c_0$ on average and "
        r"deciding for class 0 costs $p \, c_1$, and the former is less if and only if $p > s$. This "
        r"choice of the threshold is studied in [@HernandezOrallo2011], [@HernandezOrallo2012].",
        r"A scoring rule is a pair of losses $L_0, L_1 \colon [0, 1] \to [0, \infty]$; predicting $p$ "
        r"loses $L_y(p)$ if the class is $y$. Under the belief that class 1 has probability $q$, the "
        r"report $p$ has the risk",
    )
    proper = (
        f"{PROPER} Up to their values at ties, where $p$ equals a threshold that has mass, proper scoring rules whose "
        "losses are finite in $(0, 1)$, with $L_0(0+) = L_1(1-) = 0$, are mixtures of "
        "cost-weighted misclassification losses over the threshold $s$ [@Buja2005], [@Schervish1989]; the "
        "mixing measure $\\Omega$ is called the threshold weight here, and $\\omega$ is its density."
    )
    return *map(say, texts), show(RISK), say(proper)
