"""The paper that articles on single cost contexts cite: conventions, and what holds whatever the law of the costs."""

from __future__ import annotations

from costderive import __version__
from costderive.publish.words.document_blocks import (
    Block,
    Heading,
    Proof,
    Story,
    Theorem,
    citations,
    prose,
)
from costderive.publish.words.scene import PROPER, RISK, say, show
from costderive.publish.words.sources import SOURCES

Blocks = tuple[Block, ...]

ABSTRACT = (
    "A binary classifier that knows the costs of its errors decides by comparing the predicted probability with the "
    "cost proportion. We show that, whatever the law of the costs, if they are independent of the instance, the "
    "expected loss of its decisions is the mean of "
    "a scoring rule, that this rule is proper, and exactly when it is strictly so. The law enters through one "
    "measure, the threshold weight. None of this is new; it is written down once, with complete proofs and with "
    "ties, atoms and ends, for articles on particular costs to cite."
)


def story() -> Story:
    """Return the paper."""
    blocks = (*_conventions(), *_loss(), *_proper(), *_entropy(), *_given_densities())
    return Story(
        prose("Cost contexts and scoring rules: preliminaries"),
        f"Distributed with costderive {__version__}",
        prose(ABSTRACT),
        blocks,
        tuple(SOURCES[key] for key in sorted(citations(blocks))),
        keywords=("proper scoring rule", "misclassification cost", "threshold weight"),
        msc=("62C99", "62H30"),
    )


def _conventions() -> Blocks:
    return (
        Heading(prose("Conventions"), "sec:conventions"),
        say(
            r"An instance has a class $Y \in \{0, 1\}$, with $\pi_y = \Pr(Y = y) > 0$, and a model predicts the "
            r"probability $p \in [0, 1]$ of class 1. Within class $y$, the prediction has the distribution function "
            r"$F_y(t) = \Pr(p \le t \mid Y = y)$."
        ),
        say(
            r"Misclassifying an instance of class $y$ costs $c_y \ge 0$; a right decision costs nothing. The pair "
            "$(c_0, c_1)$ has a probability law, and is independent of $(p, Y)$, or it has an improper law, that "
            r"is, a $\sigma$-finite measure of infinite mass, and the joint measure is the product of this law and "
            r"that of $(p, Y)$. For an improper law $\mathbb{E}$ and $\Pr$ of the "
            "costs are integrals over it and masses of it, and a loss is in units of cost times mass. Some authors "
            "call class 0 positive, others class 1; here a cost has the index of the class that is mistaken."
        ),
        say(
            "Where $c_0 + c_1 > 0$, the cost proportion is $s = c_0/(c_0 + c_1)$; where both costs are 0, no "
            "decision costs anything, and $s$ may be any number. The classifier decides for class 1 if $p > s$ and "
            r"for class 0 if $p \le s$, so that a tie goes to class 0. If $p$ is right, this is the cheaper "
            r"decision: deciding for class 1 then costs $(1 - p) \, c_0$ on average and deciding for class 0 costs "
            r"$p \, c_1$, and the former is less if and only if $p > s$. This choice of the threshold is studied in "
            "[@HernandezOrallo2011], [@HernandezOrallo2012], [@Flach2015]."
        ),
        say(r"The threshold weight of the costs is the measure $\Omega$ on $[0, 1]$ with"),
        show(r"\Omega(ds) = \mathbb{E}[c_0 + c_1; \; s \in ds],", label="eq:weight"),
        say(
            r"the mean of $c_0 + c_1$ over the costs whose proportion lies in $ds$; for a random variable $X$ and an "
            r"event $A$, $\mathbb{E}[X; A] = \mathbb{E}[X \, 1_A]$. The density of $\Omega$, or of its "
            r"part without atoms, is $\omega$, if there is one. It is the weight function of [@Buja2005] and the "
            r"mixing measure of [@Schervish1989]."
        ),
        say(
            r"A scoring rule is a pair of losses $L_0, L_1 \colon [0, 1] \to [0, \infty]$; predicting $p$ loses "
            "$L_y(p)$ if the class is $y$. Under the belief that class 1 has probability $q$, the report $p$ has "
            "the risk"
        ),
        show(RISK),
        say(
            f"{PROPER} We suppose that the losses below are finite for $0 < p < 1$; at the ends they need not be."
        ),
    )


def _loss() -> Blocks:
    statement = (
        say("Let"),
        show(
            r"L_0(p) = \int_{[0, p)} s \, \Omega(ds), \qquad L_1(p) = \int_{[p, 1]} (1 - s) \, \Omega(ds).",
            label="eq:losses",
        ),
        say("Then the expected loss $L$ of the decisions is"),
        show(
            r"L & = \int_{[0, 1]} \bigl(\pi_0 s \, (1 - F_0(s)) + \pi_1 (1 - s) \, F_1(s)\bigr) \, \Omega(ds) \\ "
            r" & = \pi_0 \, \mathbb{E}[L_0(p) \mid Y = 0] + \pi_1 \, \mathbb{E}[L_1(p) \mid Y = 1],"
        ),
        say(
            r"where all three may be infinite. Moreover $L_0(p) = \mathbb{E}[c_0; \; s < p]$ and $L_1(p) = "
            r"\mathbb{E}[c_1; \; s \ge p]$; so $L_0(0) = 0$, $L_1(1) = 0$, $L_1(0) = \mathbb{E}[c_1]$, and $L_0(1) = "
            r"\mathbb{E}[c_0]$ if $s < 1$ almost surely."
        ),
    )
    proof = (
        say(
            "Given the costs, an instance of class 0 is misclassified if $p > s$, which has probability $1 - "
            r"F_0(s)$, and one of class 1 if $p \le s$, which has probability $F_1(s)$. As the costs are independent "
            "of $(p, Y)$,"
        ),
        show(r"L = \mathbb{E}\bigl[\pi_0 c_0 \, (1 - F_0(s)) + \pi_1 c_1 \, F_1(s)\bigr]."),
        say(
            r"Since $c_0 = s (c_0 + c_1)$ and $c_1 = (1 - s) (c_0 + c_1)$, this is the integral against $\Omega$, by "
            r"{#eq:weight}. Now $1 - F_0(s) = \Pr(p > s \mid Y = 0)$ and $F_1(s) = \Pr(p \le s \mid Y = 1)$, and "
            "nothing here is negative. So by Tonelli's theorem"
        ),
        show(
            r"\int_{[0, 1]} s \, (1 - F_0(s)) \, \Omega(ds) & = \mathbb{E}\Bigl[\int_{[0, p)} s \, \Omega(ds) \Bigm| "
            r"Y = 0\Bigr] = \mathbb{E}[L_0(p) \mid Y = 0], \\ \int_{[0, 1]} (1 - s) \, F_1(s) \, \Omega(ds) & = "
            r"\mathbb{E}\Bigl[\int_{[p, 1]} (1 - s) \, \Omega(ds) \Bigm| Y = 1\Bigr] = \mathbb{E}[L_1(p) \mid Y = 1]."
        ),
        say(
            r"By {#eq:weight} again, $\int_{[0, p)} s \, \Omega(ds) = \mathbb{E}[s (c_0 + c_1); \; s < p] = "
            r"\mathbb{E}[c_0; \; s < p]$, and $L_1$ alike. For the last value, $1 - s = 0$ at $s = 1$."
        ),
    )
    return (
        Heading(prose("The expected loss is a score")),
        Theorem("Theorem", "the expected loss is a score", statement, "thm:score"),
        Proof(proof),
        say(
            r"Tonelli's theorem asks that $\Omega$ is $\sigma$-finite. On $(0, 1)$ it is, as finite losses give "
            r"finite mass to $[\varepsilon, 1 - \varepsilon]$ for each $\varepsilon > 0$. An atom of infinite mass "
            "at 0 makes both sides infinite if $F_1(0) > 0$, and adds nothing otherwise; one at 1 adds nothing, "
            "since $F_0(1) = 1$ and $1 - s = 0$ there."
        ),
    )


def _proper() -> Blocks:
    statement = (
        say(r"The rule of Theorem {#thm:score} is proper: for $p, q \in [0, 1]$"),
        show(
            r"R(p|q) - R(q|q) & = \int_{[q, p)} (s - q) \, \Omega(ds) \ge 0 & \quad \text{if } q < p, \\ "
            r"R(p|q) - R(q|q) & = \int_{[p, q)} (q - s) \, \Omega(ds) \ge 0 & \quad \text{if } p < q.",
            label="eq:excess",
        ),
        say(
            r"The first is 0 if and only if $\Omega$ has no mass in $(q, p)$, the second if and only if it has none "
            r"in $[p, q)$. So the rule is strictly proper if and only if $\Omega$ gives mass to every open interval "
            "in $(0, 1)$."
        ),
    )
    proof = (
        say(
            "Note that $R(q|q)$ is finite: for $0 < q < 1$ both losses are, and $R(0|0) = L_0(0) = 0$, $R(1|1) = "
            r"L_1(1) = 0$. Let $0 < q < p \le 1$. By {#eq:losses}, $L_0(p) - L_0(q)$ is the integral of $s$ over "
            "$[q, p)$, and $L_1(p) - L_1(q)$ is that of $-(1 - s)$, which is finite. So the difference of the risks "
            "is the integral of $(1 - q) s - q (1 - s) = s - q$ over $[q, p)$. For $q = 0 < p$ it is $L_0(p)$, of "
            r"the same form. Let $0 \le p < q < 1$. Then $L_0(p) - L_0(q)$ is the integral of $-s$ over $[p, q)$, "
            "and finite, and $L_1(p) - L_1(q)$ is that of $1 - s$, so the difference of the risks is the integral "
            r"of $q - s$. For $p < q = 1$ it is $L_1(p) = \int_{[p, 1]} (1 - s) \, \Omega(ds)$, of the same form "
            "again."
        ),
        say(
            "Both integrands are not negative. The first is positive in $(q, p)$ and 0 at $q$, the second is "
            "positive in $[p, q)$. If every open interval has mass, neither integral is 0. If an open interval in "
            "$(0, 1)$ has none, then $R(p|q) = R(q|q)$ for all $q < p$ in it."
        ),
    )
    return (
        Heading(prose("Properness")),
        Theorem("Theorem", "properness", statement, "thm:proper"),
        Proof(proof),
        say(
            "Conversely, up to their values at ties, and up to $L_0(1)$ and $L_1(0)$, which may exceed the limits of "
            "the losses there, the proper scoring rules whose losses are finite in $(0, 1)$, "
            "with $L_0(0+) = L_1(1-) = 0$, are these rules [@Buja2005], [@Schervish1989]."
        ),
    )


def _entropy() -> Blocks:
    statement = (
        say(
            r"The entropy $H(q) = R(q|q)$, the least expected loss under the belief $q$, is concave on $[0, 1]$, and "
            r"strictly concave on each interval of beliefs under which only $p = q$ attains it; so on $[0, 1]$ if the "
            r"rule is strictly proper. Where $\Omega$ has a continuous density, $H'' = "
            r"-\omega$; at an atom in $(0, 1)$ the slope of $H$ falls by the mass of the atom."
        ),
    )
    proof = (
        say(
            r"By Theorem {#thm:proper}, $H(q) = \min_p R(p|q)$, a least value of concave functions of $q$ (affine, or "
            "infinite but at one end), hence concave. (Compare [@Gneiting2007, Theorem 1].) Let only $p = q$ attain it "
            r"under each belief $q$ in an interval. For $q$ inside it the affine function $R(q|\cdot)$ is equal to $H$ "
            r"at $q$, and above it at all other beliefs of the interval; so $H$ is strictly concave there. Where "
            r"$\omega$ is continuous, $L_0' = q \, \omega$ and "
            r"$L_1' = -(1 - q) \, \omega$ by {#eq:losses}. So $H' = L_1 - L_0 + (1 - q) L_0' + q L_1' = "
            r"L_1 - L_0$, and $H'' = L_1' - L_0' = -\omega$. For any $q$ in $(0, 1)$ the function $R(q|\cdot)$ of the "
            r"slope $L_1(q) - L_0(q)$ is nowhere below $H$ and equal to it at $q$; so the left and the right "
            r"derivative of $H$ are the limits of $L_1 - L_0$ from the left and from the right. At an atom of mass "
            r"$m$ "
            r"at $t$ these differ by $-(1 - t) \, m - t m = -m$."
        ),
    )
    return Theorem("Corollary", "entropy", statement, "thm:entropy"), Proof(proof)


def _given_densities() -> Blocks:
    return (
        Heading(prose("Densities, atoms and ends")),
        say(
            r"If $\Omega$ has a density on $(0, 1)$, and no atom at 0 (one at 1 changes neither loss), then $L_0(p) "
            r"= \int_0^p s \, \omega(s) \, ds$ and $L_1(p) = \int_p^1 (1 - s) \, \omega(s) \, ds$: both are "
            r"continuous on $(0, 1)$, with the slopes $p \, \omega(p)$ and $-(1 - p) \, \omega(p)$ where $\omega$ is "
            r"continuous. If $\omega$ is continuous but at "
            "finitely many points, then conversely functions that have these slopes at all other points, are "
            "continuous on $(0, 1)$, and have $L_0(0+) = 0$ and $L_1(1-) = 0$, are the losses there. The "
            "limits of $L_0$ at 1 and of $L_1$ at 0 are $L_0(1)$ and $L_1(0)$, by monotone convergence."
        ),
        say(
            "An atom of finite mass $m$ at $t < 1$ lets $L_0$ rise by $t m$ and $L_1$ fall by $(1 - t) m$ just after "
            "$t$: as the costs there have the proportion $t$, the report $p = t$ is a tie, which goes to class 0. If "
            "it goes to class 1 "
            r"with the probability $\lambda$, the losses at $t$ are $L_0(t) + \lambda t m$ and $L_1(t) - \lambda (1 "
            r"- t) "
            "\\, m$, and the rule is proper as well: the risk of this report is a mean of the risk of $t$ and of the "
            "limit from the right, and under the belief $t$ both are the same. With finitely many atoms, none of "
            "them at 0, functions are the losses that are continuous from the left on $(0, 1)$, have the slopes "
            "above inside each piece between atoms and these jumps just after the atoms, and $L_0(0+) = L_1(1-) = "
            "0$: their differences from the losses are constant."
        ),
        say(
            r"If the predictions have densities $f_y$ within the classes, then $L = \pi_0 \int_0^1 L_0(p) f_0(p) \, "
            r"dp + \pi_1 \int_0^1 L_1(p) f_1(p) \, dp$."
        ),
    )
