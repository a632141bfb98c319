"""How the probability, the mean and one more moment of a cost add up in Coq, from the lowest cost on.

Densities are products of powers of the cost and one of: an exponential of a power of the cost or of its inverse, a bell
in the logarithm. Each lemma of ``library/Families.v`` gives their antiderivatives in one of these families.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.deciders.signs import positive
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
SEEN = " ltac:(see)"
DISTINCT = "ltac:(discriminate)"


@dataclass(frozen=True, slots=True)
class Interval:
    """The costs that a law is on; the lower end may be 0, and the upper one infinite."""

    low: Expr
    high: Expr

    @property
    def places(self) -> tuple[str, str]:
        """Both ends as places of the library."""
        low = "Zero" if self.low == 0 else f"(At {atomic(self.low)})"
        return low, "Beyond" if self.high is sympy.oo else f"(At {atomic(self.high)})"

    def text(self) -> str:
        """Return both ends as arguments in Coq."""
        return " ".join(self.places)

    @property
    def costs(self) -> tuple[Expr, ...]:
        """The ends that are costs: neither 0 nor infinite."""
        return tuple(end for end in (self.low, self.high) if end not in (ZERO, sympy.oo))

    def needs(self, beside: Interval) -> tuple[bool, bool]:
        """Return whether limits at 0 and at infinity are needed beside another cost: where both have that end."""
        at_0 = (self.low, beside.low) == (ZERO, ZERO)
        return at_0, (self.high, beside.high) == (sympy.oo, sympy.oo)

    def rise(self, power: Expr) -> Expr:
        """Return by how much a power rises, which vanishes at 0 or at infinity if that is an end."""
        high = ZERO if self.high is sympy.oo else self.high**power
        return high - (ZERO if self.low == 0 else self.low**power)


POSITIVE = Interval(ZERO, sympy.oo)


@dataclass(frozen=True, slots=True)
class SumUp:
    """What has been added up: a multiple of a function of the library, by the lemma on it.

    The lemma may be on how it adds up beside another cost, where limits that are not needed are missing. A tail is the
    shape of an incomplete Gamma function from the cost on, which has no limit at 0.
    """

    proof: str
    rise: str
    least: str
    most: str
    gain: Expr
    shapes: tuple[Expr, ...] = ()
    beside: bool = False
    tail: Expr | None = None

    def text(self) -> str:
        """Return it as a term of Coq."""
        return f"SumUp (fun x => {self.rise}) {self.least} {self.most}"


@dataclass(frozen=True, slots=True)
class Stretched:
    """A density with an exponential of a power: ``x^(q c - 1) exp(-r x^c)``, as of Weibull and Gamma costs."""

    shape: Expr
    power: Expr
    rate: Expr

    @property
    def shown(self) -> str:
        """The power as a term of Coq."""
        return atomic(self.power)

    def density(self) -> str:
        """Return the density as a term of Coq."""
        q, c, r, k = (
            atomic(expr) for expr in (self.shape, self.power, self.rate, 1 / sympy.gamma(self.shape))
        )
        return f"{k} * ({c} * Rpower {r} {q} * Rpower x ({q} * {c} - 1) * exp (- ({r} * Rpower x {c})))"

    def moment(self, order: Expr, beside: Interval = POSITIVE) -> SumUp:
        """Return how a power of the cost adds up."""
        q = sympy.together(self.shape + order / self.power)
        factor = sympy.powsimp(self.rate ** (-order / self.power) / sympy.gamma(self.shape))
        k, shown, c, r = (atomic(expr) for expr in (factor, q, self.power, self.rate))
        if not q.is_positive:
            return self._from_the_cost_on(q, factor, beside)
        return SumUp(
            f"(stretched_adds_up {shown} {c} {r} {k}{SEEN * 3})",
            f"{k} * lower_gamma {shown} ({r} * Rpower x {c})",
            "0",
            f"({k} * Gamma {shown})",
            factor * sympy.gamma(q),
            (q,),
        )

    def _from_the_cost_on(self, q: Expr, factor: Expr, beside: Interval) -> SumUp:
        """Return the same by what is still to come, where what has been may be infinite."""
        if beside.low == 0:
            raise ExportError("a moment of a cost may be infinite", "Coq gets finite ones.")
        k, shown, c, r = (atomic(expr) for expr in (factor, q, self.power, self.rate))
        proof = f"(stretched_tail_adds_up {beside.text()} {shown} {c} {r} {k} {DISTINCT}{SEEN * 2})"
        rise = f"- {k} * tail_gamma {shown} ({r} * Rpower x {c})"
        return SumUp(proof, rise, "0", "0", sympy.oo, beside=True, tail=q)


@dataclass(frozen=True, slots=True)
class InverseStretched:
    """A density with an exponential of a negative power: ``x^(-q c - 1) exp(-r x^(-c))``, as of inverse Gamma costs."""

    shape: Expr
    inverse: Expr
    rate: Expr

    @property
    def power(self) -> Expr:
        """The power of the cost in the exponent, which is negative."""
        return -self.inverse

    @property
    def shown(self) -> str:
        """The power as the library writes it, which for a number is not what Coq reads as a negative one."""
        return f"(- ({atomic(self.inverse)}))"

    def density(self) -> str:
        """Return the density as a term of Coq."""
        q, c, r, k = (
            atomic(expr) for expr in (self.shape, self.inverse, self.rate, 1 / sympy.gamma(self.shape))
        )
        return f"{k} * ({c} * Rpower {r} {q} * Rpower x (- ({q} * {c}) - 1) * exp (- ({r} * Rpower x {self.shown})))"

    def moment(self, order: Expr, beside: Interval = POSITIVE) -> SumUp:
        """Return how a power of the cost adds up."""
        q = sympy.together(self.shape - order / self.inverse)
        factor = sympy.powsimp(self.rate ** (order / self.inverse) / sympy.gamma(self.shape))
        k, shown, c, r = (atomic(expr) for expr in (factor, q, self.inverse, self.rate))
        if not q.is_positive:
            if beside.high is sympy.oo:
                raise ExportError("a moment of a cost may be infinite", "Coq gets finite ones.")
            proof = (
                f"(inverse_stretched_tail_adds_up {beside.text()} {shown} {c} {r} {k} {DISTINCT}{SEEN * 2})"
            )
            rise = f"{k} * tail_gamma {shown} ({r} * Rpower x {self.shown})"
            return SumUp(proof, rise, "0", "0", sympy.oo, beside=True, tail=q)
        return SumUp(
            f"(inverse_stretched_adds_up {shown} {c} {r} {k}{SEEN * 3})",
            f"{k} * upper_gamma {shown} ({r} * Rpower x {self.shown})",
            "0",
            f"({k} * Gamma {shown})",
            factor * sympy.gamma(q),
            (q,),
        )


@dataclass(frozen=True, slots=True)
class LogNormal:
    """A log-normal density, by the mean and the spread of the logarithm."""

    mean: Expr
    spread: Expr

    def density(self) -> str:
        """Return the density as a term of Coq."""
        w, t = atomic(self.mean), atomic(self.spread)
        return f"1 / 2 * (2 / sqrt PI * exp (- standard {w} {t} x ^ 2) / ({t} * sqrt 2 * x))"

    def moment(self, order: Expr, beside: Interval = POSITIVE) -> SumUp:
        """Return how a power of the cost adds up."""
        w = atomic(sympy.expand(self.mean + order * self.spread**2))
        t = atomic(self.spread)
        gain = sympy.exp(sympy.expand(order * self.mean + order**2 * self.spread**2 / 2))
        k = atomic(gain / 2)
        return SumUp(
            f"(log_normal_adds_up {w} {t} {k}{SEEN})",
            f"{k} * erf (standard {w} {t} x)",
            f"({k} * -1)",
            f"({k} * 1)",
            gain,
        )


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """A density that is a power of the cost: ``k e x^(e - 1)`` on an interval."""

    exponent: Expr
    on: Interval

    @property
    def factor(self) -> Expr:
        """What makes the total 1."""
        return ONE / self.on.rise(self.exponent)

    @property
    def density(self) -> Expr:
        """The density as a function of x."""
        return self.factor * self.exponent * x ** (self.exponent - 1)

    @property
    def mean(self) -> Expr:
        """The mean of the cost."""
        e = self.exponent
        return sympy.factor(self.factor * e / (e + 1) * self.on.rise(e + 1))

    def function(self) -> str:
        """Return the power as a function in Coq."""
        return function(self.exponent)


def function(exponent: Expr) -> str:
    """Return a power of x as a function in Coq."""
    if not exponent.is_Integer:
        return f"(fun x => Rpower x {atomic(exponent)})"
    if exponent == 1:
        return "(fun x => x)"
    return f"(fun x => x ^ {exponent})" if exponent > 0 else f"(fun x => / x ^ {-exponent})"


def powered(exponent: Expr) -> str:
    """Return the proof that this is a power, which files read off its function."""
    return f"exact (powers_of_exponent {atomic(exponent)})" if not exponent.is_Integer else "powered_by"


@dataclass(frozen=True, slots=True)
class Powers:
    """A density that is a multiple of a power of the cost, or of its inverse, on an interval."""

    exponent: Expr
    factor: Expr
    on: Interval
    given: Given = Given()

    def density(self) -> str:
        """Return the density as a term of Coq."""
        return term(self.factor * x ** (self.exponent - 1))

    def moment(self, order: Expr, beside: Interval = POSITIVE) -> SumUp:
        """Return how a power of the cost adds up, with the limits that are needed beside another cost."""
        e, (low, high) = sympy.expand(self.exponent + order), self.on.places
        at_0, far = self.on.needs(beside)
        rises, falls = (positive(way, None, self.given) for way in (e, -e))
        if (at_0 and not rises) or (far and not falls):
            raise ExportError("a moment of a cost may be infinite", "Coq gets finite ones.")
        if e == 0:
            return self._logarithm(beside)
        if not (rises or falls):
            raise ExportError("the integral of a power may be a logarithm", "State whether it is.")
        f, shown, number = atomic(self.factor), function(e), atomic(e)
        proof = (
            f"(moment_of_power {beside.text()} {low} {high} {number} {shown} {f} ltac:(first [see | lra])"
            f" ltac:(cbn; repeat split; see) ltac:({powered(e)}) ltac:(fading_beside))"
        )
        first, last = (f"({f} / {number} * at_place {shown} {place})" for place in (low, high))
        gain = sympy.factor(self.factor / e * self.on.rise(e))
        return SumUp(proof, f"{f} / {number} * {shown} x", first, last, gain, beside=True)

    def _logarithm(self, beside: Interval) -> SumUp:
        k, (low, high) = atomic(self.factor), self.on.places
        seen = "ltac:(cbn; repeat split; see) ltac:(discriminate) ltac:(discriminate)"
        proof = f"(logarithm_adds_up {beside.text()} {low} {high} {k} {seen})"
        first, last = (f"({k} * at_place ln {place})" for place in (low, high))
        gain = self.factor * (sympy.log(self.on.high) - sympy.log(self.on.low))
        return SumUp(proof, f"{k} * ln x", first, last, gain, beside=True)


def power_law(density: Expr, on: Interval) -> PowerLaw | None:
    """Return the law of a density that is a multiple of a power of x; ``None`` if it is another."""
    _, core = sympy.powsimp(density).as_independent(x, as_Add=False)
    base, power = core.as_base_exp() if core != 1 else (x, ZERO)
    if base != x or power in (-1, -2) or power.has(x):
        return None
    return PowerLaw(sympy.together(power + 1), on)


Family = Stretched | InverseStretched | LogNormal | Powers


def family(density: Expr, on: Interval, given: Given = Given()) -> Family | None:
    """Return the law of a density that is normed, as a function of x; ``None`` if it is in no family."""
    factor, core = sympy.powsimp(density).as_independent(x, as_Add=False)
    base, power = core.as_base_exp() if core != 1 else (x, ZERO)
    if base == x and not power.has(x):
        return Powers(sympy.together(power + 1), factor, on, given)
    if (on.low, on.high) != (ZERO, sympy.oo):
        return None
    logarithm = sympy.expand(sympy.expand_log(sympy.log(density), force=True))
    logarithm = sympy.expand(sympy.expand_power_base(logarithm, force=True))
    name = sympy.Dummy(real=True)
    parts = [part for part in sympy.Add.make_args(logarithm) if part.has(x)]
    plain = sympy.Add(*[part for part in parts if not part.subs(sympy.log(x), name).has(x)])
    rest = [part for part in parts if part.subs(sympy.log(x), name).has(x)]
    curve = sympy.Poly(plain.subs(sympy.log(x), name), name)
    if curve.degree() == 2 and not rest:
        square, line = curve.coeff_monomial(name**2), curve.coeff_monomial(name)
        spread = sympy.sqrt(sympy.simplify(-1 / (2 * square)))
        return LogNormal(sympy.simplify(-(line + 1) / (2 * square)), spread)
    if curve.degree() > 1 or len(rest) != 1:
        return None
    factor, core = rest[0].as_independent(x, as_Add=False)
    base, power = core.as_base_exp()
    if base != x or not (power.is_positive or power.is_negative):
        return None
    start = curve.coeff_monomial(name) + 1
    if power.is_negative:
        return InverseStretched(sympy.together(start / power), -power, sympy.simplify(-factor))
    return Stretched(sympy.together(start / power), power, sympy.simplify(-factor))
