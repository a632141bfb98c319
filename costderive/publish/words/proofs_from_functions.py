"""A threshold weight, an entropy or a link in words, and the moves that start from one or end with them."""

from __future__ import annotations

from typing import Any

from costderive.proof.claims import Step
from costderive.publish.words.displays import function
from costderive.publish.words.document_blocks import prose
from costderive.publish.words.law_phrases import Setting
from costderive.publish.words.scene import AGAINST_WEIGHT, Description, Scene, atoms_in_words, say, show
from costderive.rules import Represented
from costderive.rules.given_by import GivenEntropy, GivenLink, GivenWeight


def described(origin: Any) -> Setting:
    """Describe what a rule is given by, in place of a cost context."""
    match origin:
        case GivenWeight(density=density, atoms=atoms):
            words = "Of the law of the costs, only the threshold weight is given, on which alone the loss depends:"
            besides = prose(" besides {}", atoms_in_words(atoms)) if atoms else ()
            blocks = (
                say("{}{} it has the density", words, besides),
                function(r"\omega(s)", density),
            )
            return Setting(
                "a given threshold weight", prose("the costs have the threshold weight given above"), blocks
            )
        case GivenLink(link=link):
            words = "Of the law of the costs, only the canonical link is given, whose slope is the threshold weight:"
            blocks = (say(words), function(r"\psi(p)", link, closed=True))
            return Setting("a given link", prose("the costs have the link given above"), blocks)
    raise TypeError(origin)


def weight(step: Step, scene: Scene) -> Description:
    """Describe ``TakeWeight`` and ``DifferentiateLink``: the expected loss is an integral against the weight."""
    yield say(
        "Given the costs, an instance of class 0 is misclassified if $p > s$, and an instance of class 1 if "
        "$p \\le s$. Since $c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$, and the costs are independent of "
        "$(p, Y)$, the expected loss is",
        lead="The expected loss.",
    )
    yield show(AGAINST_WEIGHT, label="eq:threshold")
    if isinstance(step.before, GivenLink):
        yield say(
            r"The density of $\Omega$ is the slope $\omega = \psi'$ of the link, and $\Omega$ has an atom where "
            r"$\psi$ jumps, of that mass."
        )


def entropy(origin: GivenEntropy) -> Description:
    """Say how an entropy gives losses."""
    yield say("The losses are the values at 0 and at 1 of the tangents of the entropy")
    yield function("H(q)", origin.entropy, closed=True)
    yield say("that is, $L_0 = H - p H'$ and $L_1 = H + (1 - p) H'$ [@Gneiting2007, Theorem 1].")


def represented(step: Step, scene: Scene) -> Description:
    """Describe ``Represent``: the link of the rule."""
    after: Represented = step.after
    if after.link is None:
        return
    yield say(
        r"The function $L_0 - L_1$ has the slope $p \, \omega(p) + (1 - p) \, \omega(p) = \omega(p)$. So, up to a "
        "constant, it is the canonical link [@Buja2005], which is 0 at 1/2:",
        lead="The canonical link.",
    )
    yield function(r"\psi(p)", after.link, closed=True)
