"""Why a pair of losses with a threshold weight is proper."""

from __future__ import annotations

import sympy

from costderive.core.piecewise import Sign
from costderive.core.symbols import p, q
from costderive.publish.words.displays import function, interval
from costderive.publish.words.document_blocks import Block, Prose, by_cases, prose
from costderive.publish.words.scene import say, series
from costderive.rules.loss_pair import WeighedPair


def why_proper(weighed: WeighedPair) -> tuple[Block, ...]:
    """Prove that a pair is proper: of two steps by their risks, of others by slope, jumps and values."""
    return _by_two_risks(weighed) if _has_two_steps(weighed) else _by_weight(weighed)


def _has_two_steps(weighed: WeighedPair) -> bool:
    """Return whether all reports up to one threshold lose the same, and so do all above it."""
    pair, weight = weighed.pair, weighed.weight
    first, last = pair.values[0], pair.values[-1]
    ends = [(piece.value for piece in loss.pieces) for loss in (pair.loss0, pair.loss1)]
    return (
        len(weight.atoms) == 1
        and all(sign is Sign.ZERO for sign in weight.signs)
        and pair.from_the_left
        and list(map(tuple, ends)) == [(first.loss0, last.loss0), (first.loss1, last.loss1)]
    )


def _by_two_risks(weighed: WeighedPair) -> tuple[Block, ...]:
    (atom,) = weighed.weight.atoms
    risks = [sympy.expand(value.risk(q)) for value in (weighed.pair.values[0], weighed.pair.values[-1])]
    held = [interval(piece, p, closed=True) for piece in weighed.pair.loss0]
    return (
        say("Under the belief $q$ there are two risks,"),
        by_cases("R(p|q)", zip(risks, held, strict=True)),
        say(
            "The second less the first is {}, which is at least 0 for $q \\le {}$ and at most 0 for $q > {}$. So the "
            "truth, the report $p = q$, has the lesser risk. So have all other reports on its side of {}: under no "
            "belief is it the only best one.",
            *(sympy.expand(risks[1] - risks[0]), atom.at, atom.at, atom.at),
        ),
    )


def _by_weight(weighed: WeighedPair) -> tuple[Block, ...]:
    weight = weighed.weight
    blocks: list[Block] = [
        say(
            r"On each piece the losses are analytic, with $L_0'(p) = p \, \omega(p)$ and $L_1'(p) = -(1 - p) \, "
            r"\omega(p)$, where"
        ),
        function(r"\omega(s)", weight.density),
        say(f"So $\\partial R(p|q)/\\partial p = \\omega(p) \\, (p - q)$. {_signs(weight.signs)}"),
    ]
    if len(weighed.limits) > 2:
        blocks.append(say(_JUMPS + "Here {}.", _masses(weighed)))
    return (*blocks, say(_ENDS))


_JUMPS = (
    r"At an inner breakpoint $t$ the losses jump by $t m$ and $-(1 - t) m$ with some $m \ge 0$, so $R(\cdot\,|q)$ "
    r"jumps by $m \, (t - q)$: up if $q < t$, down if $q > t$. The values at $t$ exceed $L_0(t-)$ and $L_1(t+)$ by "
    r"some $x, y \ge 0$ with $(1 - t) x + t y = t (1 - t) m$. So $R(t|q)$ less $R(t-|q)$, and less $R(t+|q)$, which "
    r"are linear in $q$, are 0 at $q = t$; the first is $x$ at $q = 0$, and the second is $y$ at $q = 1$. Hence "
    r"$R(t|q)$ is no less than the limit of the risk on the side of $q$, and if $q = t$ it is both limits. "
)
_ENDS = (
    r"Hence, for $p, q \in (0, 1)$, no report $p$ has a smaller risk than the truth $q$. The reports 0 and 1 either "
    r"lose infinitely much under any other belief, and no more than the limit where they are certain, or they lose "
    r"that limit where they are certain and no less than the limit of the other loss. Neither can be better than "
    r"the truth, nor is another report better where they are true."
)


def _masses(weighed: WeighedPair) -> Prose:
    atoms = weighed.weight.atoms
    found = series((prose("$m = {}$ at $t = {}$", x.mass, x.at) for x in atoms), " and ")
    return found or prose("$m = 0$")


def _signs(signs: tuple[Sign, ...]) -> str:
    if all(sign is Sign.ZERO for sign in signs):
        return "Here it is 0, so the losses are constant on each piece."
    positive = r"The weight $\omega$ is positive on each piece, except perhaps at isolated points."
    if all(sign is Sign.POSITIVE for sign in signs):
        return positive
    return (
        r"The weight $\omega$ is not negative on any piece, and 0, or positive except at isolated points, where that "
        "is said."
    )
