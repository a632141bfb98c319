"""A spec says one context, or it says nothing: every other text is refused in words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Rational, Symbol

import costderive as cd
from costderive import spec
from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.piecewise import Pieces
from costderive.core.symbols import p, parameter
from costderive.costs import laws
from costderive.costs.contexts import (
    Additive,
    FixedCosts,
    Geometric,
    Harmonic,
    Independent,
    IndependentUniform,
    Mixture,
    PowerMean,
)

ENTRIES = sorted((Path(__file__).parents[1] / "derivations").glob("*/spec.toml"))
by_entry = pytest.mark.parametrize("path", ENTRIES, ids=lambda path: path.parent.name)


def context(text: str) -> Any:
    return spec.parse(f"[context]\n{text}").context


# ---- what a spec says


def test_a_table_of_kinds_names_each_context() -> None:
    assert context('kind = "additive"') == Additive()
    assert context('kind = "harmonic"\nbudget = 1') == Harmonic(1)
    assert context('kind = "geometric"\nmean = "2*m"') == Geometric("2*m")
    assert context('kind = "power-mean"\nk = "-oo"\nmean = 3') == PowerMean(k="-oo", mean=3)
    uniform = IndependentUniform(c0=(0, "1/2"), c1=("a", "b"))
    assert context('kind = "independent-uniform"\nc0 = [0, "1/2"]\nc1 = ["a", "b"]') == uniform


def test_costs_may_be_known_or_have_laws_of_their_own() -> None:
    assert context('kind = "fixed"\nfp = 1\nfn = "a"') == FixedCosts(1, "a")
    named = context('kind = "independent"\nc0 = "gamma(2, 1/2)"\nc1 = 3')
    assert named == Independent(c0=laws.gamma(2, "1/2"), c1=3)
    written = context(
        'kind = "independent"\nc0 = {density = "2*x", support = [0, 1]}\nfn = {density = "exp(-x)"}'
    )
    assert written == Independent(c0=laws.Density("2*x", (0, 1)), c1=laws.exponential(1))


def test_a_mixture_has_parts_with_weights() -> None:
    parts = '[{weight = "1/3", kind = "additive"}, {weight = "2/3", kind = "fixed", fp = 1, fn = 3}]'
    assert context(f'kind = "mixture"\nparts = {parts}') == Mixture(
        ("1/3", Additive()), ("2/3", FixedCosts(1, 3))
    )


def test_false_positives_and_negatives_are_names_of_the_costs_of_class_0_and_1() -> None:
    named = context('kind = "independent-uniform"\nfp = [0, 1]\nfn = {low = 2, high = 3}')
    assert named == IndependentUniform(c0=(0, 1), c1=(2, 3))


def test_the_letter_e_is_a_parameter_like_any_other() -> None:
    assert context('kind = "additive"\nbudget = "e"').parameters == (parameter("e"),)


def test_a_decimal_means_itself() -> None:
    assert context('kind = "additive"\nbudget = 0.2').mean == Rational(1, 10)
    assert context('kind = "additive"\nbudget = 2e-1').mean == Rational(1, 10)
    assert context('kind = "additive"\nbudget = 1_000.5').mean == Rational(2001, 4)


def test_infinity_is_an_exponent() -> None:
    assert context('kind = "power-mean"\nk = inf') == PowerMean(k=sympy.oo)
    assert context('kind = "power-mean"\nk = -inf') == PowerMean(k=-sympy.oo)


def test_title_and_source_are_kept() -> None:
    read = spec.parse('title = "Ein Maß"\nsource = "Flach (2015)"\n[context]\nkind = "additive"')
    assert (read.title, read.source, read.expected) == ("Ein Maß", "Flach (2015)", None)


def test_expected_losses_are_functions_of_p() -> None:
    text = '[context]\nkind = "additive"\n[expected]\nloss1 = [{up_to = 1, value = 1}]\n'
    read = spec.parse(text + 'loss0 = [{up_to = "1/2", value = "p"}, {up_to = 1, value = "p^2"}]')
    assert read.expected is not None
    assert read.expected.loss0.to_sympy() == sympy.Piecewise((p, p <= Rational(1, 2)), (p**2, True))


def test_a_byte_order_mark_is_no_part_of_a_spec(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_bytes(b'\xef\xbb\xbf[context]\r\nkind = "additive"\r\n')
    assert spec.load(path).context == Additive()


@pytest.mark.parametrize("kind", spec.KINDS)
def test_every_kind_names_its_unknown_keys(kind: str) -> None:
    with pytest.raises(SpecError, match=r"context\.colour = 1 is an unknown key"):
        context(f'kind = "{kind}"\ncolour = 1')


# ---- what a spec cannot say

REFUSED = {
    "nothing": ("", "has no table [context]"),
    "no kind": ("[context]", "context.kind is missing"),
    "context is a number": ("context = 3", "context = 3 is not a table"),
    "kind is a number": ("[context]\nkind = 3", "context.kind = 3 is not a kind"),
    "kind with a slip": ('[context]\nkind = "aditive"', 'Did you mean "additive"?'),
    "law for a kind": ('[context]\nkind = "gamma(2, 1)"', "the kind is independent"),
    "kind in capitals": ('[context]\nkind = "Additive"', 'Did you mean "additive"?'),
    "key with a slip": ('[context]\nkind = "additive"\nbugdet = 1', 'Did you mean "budget"?'),
    "top key with a slip": ('titel = "x"\n[context]\nkind = "additive"', 'Did you mean "title"?'),
    "top key within the table": (
        '[context]\nkind = "additive"\nthresold = "1/2"',
        "It stands above [context].",
    ),
    "a law's number with a name": (
        '[context]\nkind = "additive"\nbudget = "gamma(shape=2)"',
        "without names",
    ),
    "missing key": ('[context]\nkind = "power-mean"', "context.k is missing"),
    "list for a number": (
        '[context]\nkind = "additive"\nbudget = [1]',
        "context.budget = [1] is not a number",
    ),
    "table for a number": ('[context]\nkind = "power-mean"\nk = {a = 1}', "is not a number"),
    "date for a number": ('[context]\nkind = "additive"\nbudget = 1979-05-27', "is not a number"),
    "bool for a number": (
        '[context]\nkind = "additive"\nbudget = true',
        "context.budget = True is not a number",
    ),
    "nan": ('[context]\nkind = "additive"\nbudget = nan', '"nan"'),
    "infinite budget": ('[context]\nkind = "additive"\nbudget = inf', "is not a positive number"),
    "negative budget": (
        '[context]\nkind = "additive"\nbudget = -1',
        "context.budget = -1 is not a positive number",
    ),
    "number for bounds": (
        '[context]\nkind = "independent-uniform"\nc0 = 1\nc1 = [0, 1]',
        "is not a pair of bounds",
    ),
    "three bounds": (
        '[context]\nkind = "independent-uniform"\nc0 = [1, 2, 3]\nc1 = [0, 1]',
        "is not a pair of bounds",
    ),
    "half a pair": (
        '[context]\nkind = "independent-uniform"\nc0 = {low = 1}\nc1 = [0, 1]',
        "is not a pair of bounds",
    ),
    "nested bound": (
        '[context]\nkind = "independent-uniform"\nc0 = [0, [1]]\nc1 = [0, 1]',
        "context.c0.high = [1]",
    ),
    "bound with a slip": (
        '[context]\nkind = "independent-uniform"\nc0 = {low = 0, hihg = 1}\nc1 = [0, 1]',
        'Did you mean "high"?',
    ),
    "bounds in descent": (
        '[context]\nkind = "independent-uniform"\nc0 = [2, 1]\nc1 = [0, 1]',
        "context.c0.low = 2 is not below context.c0.high = 1",
    ),
    "one cost": ('[context]\nkind = "independent-uniform"\nc0 = [0, 1]', "neither of c1 and fn"),
    "one cost twice": (
        '[context]\nkind = "independent-uniform"\nc0 = [0, 1]\nfp = [0, 1]\nfn = [0, 1]',
        "both of c0",
    ),
    "a law with a slip": (
        '[context]\nkind = "independent"\nc0 = "gama(2)"\nc1 = 1',
        '"gama" is neither a law nor a function',
    ),
    "a law of three numbers": (
        '[context]\nkind = "independent"\nc0 = "gamma(2,1,1)"\nc1 = 1',
        "gamma(shape, scale)",
    ),
    "a law of a cost below 0": (
        '[context]\nkind = "independent"\nc0 = {density = "1", support = [-1, 0]}\nc1 = 1',
        "context.c0",
    ),
    "a density that is none": (
        '[context]\nkind = "independent"\nc0 = {density = "x", support = [0, 1]}\nc1 = 1',
        "not 1",
    ),
    "a law without a density": (
        '[context]\nkind = "independent"\nc0 = {support = [0, 1]}\nc1 = 1',
        "context.c0.density",
    ),
    "no parts": ('[context]\nkind = "mixture"', "context.parts is missing"),
    "parts that are numbers": (
        '[context]\nkind = "mixture"\nparts = [1]',
        "context.parts[0] = 1 is not a table",
    ),
    "a part without a weight": (
        '[context]\nkind = "mixture"\nparts = [{kind = "additive"}]',
        "parts[0].weight",
    ),
    "a part of no kind": (
        '[context]\nkind = "mixture"\nparts = [{weight = 1, kind = "x"}]',
        "context.parts[0]",
    ),
    "weights of one half": (
        '[context]\nkind = "mixture"\nparts = [{weight = "1/2", kind = "additive"}]',
        "add up to 1",
    ),
    "half an expression": ('[context]\nkind = "additive"\nbudget = "1/"', "at column 3"),
    "Euler's number": ('[context]\nkind = "additive"\nbudget = "2*E"', "Write exp(1)"),
    "code": (
        "[context]\nkind = \"additive\"\nbudget = \"__import__('os').system('false')\"",
        "context.budget",
    ),
    "a tower of powers": ('[context]\nkind = "additive"\nbudget = "((9^64)^64)^64"', "context.budget"),
    "not TOML": ("a = 1 = 2", "line 1, column"),
    "key twice": ("a = 1\na = 2", "is not TOML"),
    "deep list": ("a = " + "[" * 2000, "nested too deeply"),
    "long line": ("a" + ".a" * 4000 + " = 1", "Keep lines below"),
    "long file": ("#\n" * 40_000, "more than 65536 characters"),
    "digits": ("a = 1" + "0" * 2000 + "\n[context]", "unknown key"),
    "title is a number": ('title = 3\n[context]\nkind = "additive"', "title = 3 is not text"),
    "title that drives the terminal": (
        'title = "\\u001b[31m"\n[context]\nkind = "additive"',
        "not one printable line",
    ),
    "endless title": (f'title = "{"x" * 400}"\n[context]\nkind = "additive"', "not one printable line"),
    "one expected loss": (
        '[context]\nkind = "additive"\n[expected]\nloss0 = [{up_to = 1, value = 1}]',
        "one loss",
    ),
    "expected is a number": ('expected = 1\n[context]\nkind = "additive"', "expected = 1 is not a table"),
    "loss is a number": (
        '[context]\nkind = "additive"\n[expected]\nloss0 = 1\nloss1 = 1',
        "not a list of pieces",
    ),
    "piece is a number": (
        '[context]\nkind = "additive"\n[expected]\nloss0 = [1]\nloss1 = [1]',
        "is not a table",
    ),
    "piece without a value": (
        '[context]\nkind = "additive"\n[expected]\nloss0 = [{up_to = 1}]\nloss1 = [1]',
        "whole piece",
    ),
    "pieces in descent": (
        '[context]\nkind = "additive"\n[expected]\nloss1 = [{up_to = 1, value = 1}]\n'
        "loss0 = [{up_to = 0.5, value = 1}, {up_to = 0.4, value = 2}, {up_to = 1, value = 3}]",
        "Pieces ascend",
    ),
    "loss of s": (
        '[context]\nkind = "additive"\n[expected]\nloss1 = [{up_to = 1, value = 1}]\n'
        'loss0 = [{up_to = 1, value = "s"}]',
        "expected.loss0[0].value",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_the_file_and_what_is_wrong(name: str) -> None:
    text, problem = REFUSED[name]
    with pytest.raises(SpecError) as refused:
        spec.parse(text, place="my.toml")
    assert str(refused.value).startswith("my.toml")
    assert problem in str(refused.value)
    assert refused.value.remedy


def test_hostile_keys_are_shown_escaped() -> None:
    with pytest.raises(SpecError) as refused:
        spec.parse('"\\u001b[31m\\u202e" = 1')
    assert "\x1b" not in str(refused.value)
    assert "\u202e" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\xff\xfe", "is not UTF-8: byte 0xff at offset 0"),
        (b"#" * 70_000, "more than 65536"),
        (b"\x00", "is not TOML"),
    ],
)
def test_a_file_that_is_no_spec_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "spec.toml"
    path.write_bytes(content)
    with pytest.raises(SpecError) as refused:
        spec.load(path)
    assert str(path) in str(refused.value)
    assert problem in str(refused.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="Is a directory"):
        spec.load(tmp_path)
    with pytest.raises(SpecError, match="No such file"):
        spec.load(tmp_path / "none.toml")


# ---- any text at all

WORDS = [
    *spec.KINDS,
    "context",
    "kind",
    "budget",
    "mean",
    "k",
    "c0",
    "fn",
    "low",
    "up_to",
    "value",
    "expected",
    "loss0",
]
TOKENS = [
    *WORDS,
    "[",
    "]",
    "{",
    "}",
    "=",
    '"',
    "'",
    ",",
    ".",
    "\n",
    " ",
    "[context]\n",
    'kind = "additive"\n',
    "1",
    "-",
    "a*b",
    "e",
]
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(TOKENS), max_size=30).map("".join))


@settings(max_examples=400, deadline=None)
@given(texts)
def test_any_text_is_a_spec_or_a_spec_error(text: str) -> None:
    with suppress(SpecError):
        assert isinstance(spec.parse(text), spec.Spec)


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.text(max_size=8),
        st.sampled_from(["a", "1/2", "2*a", "oo"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["low", "high"]), inner)
    ),
    max_leaves=5,
)
keys = st.sampled_from(["budget", "mean", "k", "c0", "c1", "fp", "fn", "x"])


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.sampled_from([*spec.KINDS]), values), st.dictionaries(keys, values, max_size=3))
def test_any_table_is_a_context_or_a_spec_error(kind: object, table: dict[str, object]) -> None:
    try:
        built = spec.context_from({"kind": kind, **table})
    except SpecError:
        return
    assert spec.parse(spec.to_toml(spec.Spec("", "", built))).context == built


# ---- writing


@by_entry
def test_a_spec_survives_being_written_and_read(path: Path) -> None:
    read = spec.load(path)
    assert spec.parse(spec.to_toml(read)) == read


def test_quotation_marks_survive_too() -> None:
    said = spec.Spec('The "half" \\ rule', "", Additive(1))
    assert spec.parse(spec.to_toml(said)) == said
    assert tomllib.loads(spec.to_toml(said))["title"] == said.title


# ---- the entries of the gallery


@by_entry
def test_every_entry_has_a_title_and_a_source(path: Path) -> None:
    read = spec.load(path)
    assert read.title
    assert read.source


def test_the_losses_of_the_general_rectangle_are_not_written_down() -> None:
    read = spec.load(next(path for path in ENTRIES if path.parent.name == "independent-uniform"))
    assert read.expected is None
    assert set(read.context.parameters) == {parameter(name) for name in "abde"}


@cache
def derived(path: Path) -> Any:
    read = spec.load(path)
    return cd.derive(read.context, threshold=read.threshold).rule.only_case


@by_entry
def test_the_derived_losses_are_the_expected_ones(path: Path) -> None:
    read = spec.load(path)
    if read.expected is not None:
        found = derived(path)
        numbers = {parameter(name): value for name, value in read.example.items()}
        assert _agree(found.loss0, read.expected.loss0, numbers)
        assert _agree(found.loss1, read.expected.loss1, numbers)


def _agree(found: Pieces, expected: Pieces, numbers: Mapping[Symbol, Expr]) -> bool:
    """Compare to 40 digits inside each piece: two closed forms that differ would differ there."""
    points = [
        low + (high - low) * Rational(k, 7)
        for low, high in pairwise([0, *[end.subs(numbers) for end in expected.breaks], 1])
        for k in range(1, 7)
    ]
    left, right = (loss.to_sympy().subs(numbers) for loss in (found, expected))
    gaps = [left.subs(p, point) - right.subs(p, point) for point in points]
    return all(abs(gap.evalf(50, chop=True)) < mpmath.mpf(10) ** -40 for gap in gaps)


def test_errors_of_a_spec_are_errors_of_costderive() -> None:
    assert issubclass(SpecError, CostDeriveError)


def test_an_example_has_numbers_for_parameters() -> None:
    text = '[context]\nkind = "additive"\nbudget = "2*m"\n[example]\nm = "1/2"'
    found = spec.parse(text)
    assert found.context.at(**found.example) == cd.Additive(budget=1)
    with pytest.raises(SpecError, match=r"spec: example\.m = True is not a number"):
        spec.parse(text.replace('"1/2"', "true"))
