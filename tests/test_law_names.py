"""A law keeps its name and its arguments, however it was given; nothing guesses them, and no file can forge them."""

from __future__ import annotations

import json
import pickle
from inspect import signature
from typing import Any

import pytest
import scipy.stats
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, Symbol
from sympy.stats import (
    Arcsin,
    Beta,
    BetaPrime,
    ChiSquared,
    Dagum,
    Exponential,
    Gamma,
    GammaInverse,
    GaussianInverse,
    Gompertz,
    Kumaraswamy,
    LogitNormal,
    LogLogistic,
    LogNormal,
    Lomax,
    Maxwell,
    Pareto,
    Rayleigh,
    Reciprocal,
    Triangular,
    Uniform,
    Weibull,
)

import costderive as cd
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.symbols import parameter
from costderive.costs import laws
from costderive.costs.laws import NAMED, Density, Law, Mass, Spread, law_of, x
from costderive.derivation.certificates.expression_trees import NotATreeError
from costderive.derivation.derivation import Derivation
from costderive.publish.formats.terminal import context_words, plain
from costderive.publish.words.law_names import FAMILIES
from costderive.publish.words.law_phrases import law_phrase
from costderive.spec import parse, to_toml
from costderive.spec.spec_file import Spec
from costderive.vocabularies.two_classes import TWO_CLASSES

LETTERS = ("a", "b", "d", "h")
by_family = pytest.mark.parametrize("family", NAMED)


def lettered(family: str) -> Law:
    """Return the law of a family whose arguments are letters."""
    build = NAMED[family]
    return build(*LETTERS[: len(signature(build).parameters)])


def called(law: Law) -> str:
    return str(law.name)


# ---- a name is kept


@by_family
def test_a_law_that_was_built_by_name_has_it(family: str) -> None:
    law = lettered(family)
    assert law.name is not None and law.name.family == family
    assert law.name.law() == law
    assert repr(law) == f"<Law: {law.name}>"


@by_family
def test_text_that_calls_a_law_gives_it_its_name(family: str) -> None:
    assert called(law_of(called(lettered(family)), "a cost")) == called(lettered(family))


def test_arguments_that_were_left_out_belong_to_the_name() -> None:
    assert called(laws.gamma(2)) == called(laws.gamma(shape=2, scale=1)) == "gamma(2, 1)"


def test_arguments_are_exact() -> None:
    assert called(laws.gamma(0.5, "1/3")) == "gamma(1/2, 1/3)"


@by_family
def test_a_name_survives_pickling(family: str) -> None:
    assert pickle.loads(pickle.dumps(lettered(family))).name == lettered(family).name


def test_values_of_letters_go_into_the_name() -> None:
    assert called(laws.gamma("k", "theta").at({parameter("k"): Integer(2)})) == "gamma(2, theta)"
    context = cd.Independent(c0="exponential(m)", c1="pareto(3, m)").at(m=2)
    assert (called(context.c0), called(context.c1)) == ("exponential(2)", "pareto(3, 2)")
    threshold = cd.RandomThreshold("beta(a, 2)").subs({parameter("a"): Integer(3)})
    assert called(threshold.law) == "beta(3, 2)"


@by_family
def test_a_law_at_values_is_the_law_of_these_arguments(family: str) -> None:
    law, values = lettered(family), (Rational(1, 2), Integer(1), Integer(3), Integer(5))
    own = {parameter(letter): value for letter, value in zip(LETTERS, values, strict=True)}
    assert law.at(own) == NAMED[family](*values[: len(law.name.arguments)])  # type: ignore[union-attr]


SCALED = {
    "uniform(0, 2)": "uniform(0, 1)",
    "triangular(0, 1, 2)": "triangular(0, 1/2, 1)",
    "exponential(m)": "exponential(m/2)",
    "gamma(2, 3)": "gamma(2, 3/2)",
    "pareto(3, 2)": "pareto(3, 1)",
    "beta(2, 2)": "None",
    "lognormal(0, 1)": "lognormal(-log(2), 1)",
}


@pytest.mark.parametrize("text", SCALED)
def test_a_multiple_keeps_its_name_if_it_is_of_the_same_family(text: str) -> None:
    assert called(law_of(text, "a cost").scaled(Rational(1, 2))) == SCALED[text]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(NAMED)), st.fractions(Rational(1, 9), 9), st.floats(0.05, 4))
def test_a_multiple_has_the_density_of_a_multiple(family: str, factor: Any, place: float) -> None:
    law = NAMED[family](*(1, 2, 3, 4)[: len(signature(NAMED[family]).parameters)])
    by = Rational(factor.numerator, factor.denominator)

    def density(one: Law, at: float) -> float:
        return sum(float(y.density.subs(x, at)) for y in one.spreads if y.low < at < y.high)

    assert density(law.scaled(by), place) == pytest.approx(
        density(law, place / float(by)) / float(by), rel=1e-9
    )


IN_SYMPY = {
    "uniform(0, 2)": Uniform("X", 0, 2),
    "uniform(0, a)": Uniform("X", 0, Symbol("a")),
    "exponential(1/3)": Exponential("X", 3),
    "gamma(2, 3)": Gamma("X", 2, 3),
    "invgamma(3, 2)": GammaInverse("X", 3, 2),
    "lognormal(0, 2)": LogNormal("X", 0, 2),
    "loglogistic(2, 3)": LogLogistic("X", 2, 3),
    "beta(2, 3)": Beta("X", 2, 3),
    "pareto(3, 1)": Pareto("X", 1, 3),
    "weibull(3, 2)": Weibull("X", 2, 3),
    "lomax(3, 2)": Lomax("X", 3, 2),
    "betaprime(2, 3, 1)": BetaPrime("X", 2, 3),
    "maxwell(2)": Maxwell("X", 2),
    "gompertz(3, 1/2)": Gompertz("X", 2, 3),
    "invgauss(2, 3)": GaussianInverse("X", 2, 3),
    "gamma(5/2, 2)": ChiSquared("X", 5),
    "triangular(0, 1, 3)": Triangular("X", 0, 3, 1),
    "rayleigh(2)": Rayleigh("X", 2),
    "kumaraswamy(2, 3)": Kumaraswamy("X", 2, 3),
    "arcsine()": Arcsin("X", 0, 1),
    "logitnormal(0, 1)": LogitNormal("X", 0, 1),
    "dagum(2, 3, 1)": Dagum("X", 3, 2, 1),
    "loguniform(1, 3)": Reciprocal("X", 1, 3),
}


@pytest.mark.parametrize("name", IN_SYMPY)
def test_a_variable_of_sympy_has_the_name_of_its_law(name: str) -> None:
    law = law_of(IN_SYMPY[name], "a cost")
    assert called(law) == name
    own, theirs = law.spreads[0].density, IN_SYMPY[name].pspace.distribution.pdf(x)
    values = {x: Rational(1, 3) + law.spreads[0].low, parameter("a"): 2, Symbol("a"): 2}
    assert float(own.subs(values)) == pytest.approx(float(theirs.subs(values)), rel=1e-12)


def test_an_arcsine_law_elsewhere_is_described_by_its_density() -> None:
    assert law_of(Arcsin("X", 0, 2), "a cost").name is None


def test_a_density_that_is_the_one_of_a_named_law_has_no_name() -> None:
    assert law_of(Density("exp(-x)"), "a cost") == laws.exponential(1)
    assert law_of(Density("exp(-x)"), "a cost").name is None


def test_a_constant_density_is_uniform() -> None:
    assert called(law_of(Density("1/2", (1, 3)), "a cost")) == "uniform(1, 3)"
    assert called(law_of(Density(5, (1, 3), normalize=True), "a cost")) == "uniform(1, 3)"
    assert called(cd.RandomThreshold().law) == "uniform(0, 1)"


def test_laws_are_equal_whatever_they_are_called() -> None:
    assert laws.gamma(1, 2) == laws.exponential(2)
    assert hash(laws.gamma(1, 2)) == hash(laws.exponential(2))


# ---- in specs


CONTEXTS = {
    "independent": cd.Independent(c0="weibull(2, m)", c1="triangular(0, 1, 3)"),
    "share": cd.PowerMean(1, density="beta(a, 2)"),
    "cost": cd.Additive(c0="uniform(1/2, 3/2)"),
    "budget": cd.Additive(budget="gamma(2, 1)"),
    "curve": cd.Curve("x", "1", "invgamma(3, 2)"),
    "classes": cd.multiclass.IndependentCosts(("exponential(m)", "uniform(0, 2)", 1)),
}


def names(context: Any) -> list[str]:
    """Return the names of the laws in the fields of a context."""
    values = context.costs if isinstance(context, cd.multiclass.IndependentCosts) else None
    fields = values or [
        getattr(context, key) for key in context.__dataclass_fields__ if hasattr(context, key)
    ]
    return [called(value) for value in fields if isinstance(value, Law)]


@pytest.mark.parametrize("kind", CONTEXTS)
def test_names_are_kept_in_spec_files(kind: str) -> None:
    read = parse(to_toml(Spec("", "", CONTEXTS[kind]))).context
    assert read == CONTEXTS[kind]
    assert names(read) == names(CONTEXTS[kind]) != []


def test_the_name_of_a_random_threshold_is_kept_in_spec_files() -> None:
    spec = Spec("", "", cd.FixedCosts(1, 3), threshold=cd.RandomThreshold("uniform(1/4, 3/4)"))
    assert 'threshold = "uniform(1/4, 3/4)"' in to_toml(spec)
    assert parse(to_toml(spec)) == spec


# ---- in words


@by_family
def test_every_family_is_named_in_words(family: str) -> None:
    law = lettered(family)
    words = plain(law_phrase(law, "c_0"))
    assert "density" not in words
    assert all(letter in words for letter in LETTERS[: len(law.name.arguments)])  # type: ignore[union-attr]


def test_the_table_of_words_has_every_family_but_known_costs() -> None:
    assert set(FAMILIES) == set(NAMED) - {"known"}


def test_what_the_parameters_mean_stands_beside_them() -> None:
    context = cd.Independent(c0="weibull(2, 3)", c1="pareto(3, 2)")
    assert context_words(context) == (
        "independent, c₀ Weibull(2, 3)-distributed (shape and scale) "
        "and c₁ Pareto(3, 2)-distributed (shape and minimum)"
    )


def test_a_threshold_with_a_name_is_called_by_it() -> None:
    derivation = cd.derive(cd.FixedCosts(1, 3), threshold=cd.RandomThreshold("triangular(0, 1/2, 1)"))
    article = cd.export.latex(derivation, cd.check(derivation))
    assert r"\(T\) is triangular on \([0, 1]\) with its peak at \(\frac{1}{2}\)" in article


# ---- laws of SciPy


@pytest.mark.parametrize(
    "law",
    [scipy.stats.expon, scipy.stats.poisson(2), scipy.stats.norm(5), scipy.stats.norm([1, 2])],
    ids=["free", "discrete", "negative", "several"],
)
def test_a_law_of_scipy_is_refused_with_the_way_out(law: Any) -> None:
    with pytest.raises(
        SpecError,
        match=r"context\.c1 is the law \w+ of scipy\.stats(.|\n)*(Freeze it|expon, gamma|law of counts)",
    ):
        cd.Independent(c0=1, c1=law)


# ---- in certificates


def encoded(law: Law) -> Any:
    return TWO_CLASSES.encode(law)


def decoded(data: Any) -> Law:
    found: Law = TWO_CLASSES.decode(json.loads(json.dumps(data)))
    return found


@by_family
def test_a_certificate_keeps_the_name(family: str) -> None:
    law = lettered(family)
    assert encoded(law)["name"]["type"] == family
    assert decoded(encoded(law)) == law
    assert decoded(encoded(law)).name == law.name


def test_a_law_without_a_name_has_none_in_a_certificate() -> None:
    law = law_of(Density("2*x", (0, 1)), "a cost")
    assert encoded(law)["name"] is None
    assert decoded(encoded(law)).name is None


def test_a_derivation_that_was_read_speaks_of_the_same_laws() -> None:
    derivation = cd.derive(cd.Independent(c0="exponential(m)", c1="gamma(2, m)"))
    read = Derivation.from_json(derivation.to_json())
    assert context_words(read.context) == context_words(derivation.context)


INTEGER = [["Integer", str(n)] for n in range(4)]
FORGED = {
    "another argument": {"type": "gamma", "shape": INTEGER[3], "scale": INTEGER[1]},
    "another family": {"type": "exponential", "mean": INTEGER[1]},
    "another support": {"type": "uniform", "low": INTEGER[0], "high": INTEGER[1]},
    "a known cost": {"type": "known", "value": INTEGER[1]},
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_name_is_refused(how: str) -> None:
    forged = {**encoded(laws.gamma(2, 1)), "name": FORGED[how]}
    text = cd.derive(cd.Independent(c0="gamma(2, 1)", c1=1)).to_json()
    document = json.loads(text)
    document["derivation"]["context"]["c0"] = forged
    with pytest.raises(
        SpecError, match=rf"certificate: a law is called {FORGED[how]['type']}\(.*, and is another one"
    ):
        Derivation.from_json(json.dumps(document))


MALFORMED = {
    "no family": {"type": "gaussian", "mu": INTEGER[1]},
    "not a name": {"type": "Mass", "value": INTEGER[1], "probability": INTEGER[1]},
    "a parameter missing": {"type": "gamma", "shape": INTEGER[2]},
    "a parameter of another family": {"type": "gamma", "shape": INTEGER[2], "rate": INTEGER[1]},
    "an argument that is no expression": {"type": "gamma", "shape": ["tuple"], "scale": INTEGER[1]},
    "arguments that no law has": {"type": "gamma", "shape": INTEGER[2], "scale": INTEGER[0]},
    "a type that is no text": {"type": ["gamma"], "shape": INTEGER[2], "scale": INTEGER[1]},
}


@pytest.mark.parametrize("how", MALFORMED)
def test_a_name_that_is_none_is_refused(how: str) -> None:
    document = json.loads(cd.derive(cd.Independent(c0="gamma(2, 1)", c1=1)).to_json())
    document["derivation"]["context"]["c0"]["name"] = MALFORMED[how]
    with pytest.raises(SpecError, match=r"^certificate: "):
        Derivation.from_json(json.dumps(document))


def test_an_improper_law_has_no_name() -> None:
    data = encoded(law_of("improper(1/x, 1, oo)", "a cost", improper=True))
    assert data["name"] is None
    with pytest.raises(NotATreeError, match=r"an improper law is called pareto\(1, 1\), and is another one"):
        decoded({**data, "name": {"type": "pareto", "shape": INTEGER[1], "minimum": INTEGER[1]}})


def test_a_law_built_from_its_parts_is_described_by_them() -> None:
    law = Law((Spread(sympy.S.Zero, sympy.S.One, sympy.S.Half),), (Mass(sympy.S.One, sympy.S.Half),))
    assert repr(law) == "<Law: density 1/2 on (0, 1), 1 with probability 1/2>"


# ---- on the command line


def test_the_command_line_keeps_the_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "independent", "--fp", "triangular(0, 1, 3)", "--fn", "2"]) == 0
    assert "c₀ triangular on [0, 3] with its peak at 1, and c₁ equal to 2" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize("law", ["triangular(5,8,20)", "triangular(1/10,3/10,7/10)", "beta(2,3)"])
def test_a_density_that_is_0_at_its_end_is_not_negative_by_rounding(law: str) -> None:
    derivation = cd.derive(cd.Independent(c0=1, c1=law))
    assert cd.Derivation.from_json(derivation.to_json()) == derivation


def test_a_density_that_is_negative_is_still_refused() -> None:
    with pytest.raises(cd.errors.SpecError, match="negative density"):
        cd.laws.law_of(cd.laws.Density("3/2 - x", (0, 2)), "cost")
