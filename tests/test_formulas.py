"""A formula is read into a tree, from which TeX, a line of text and MathML are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sympy import Basic, EulerGamma, Integral, Symbol, Tuple, oo, pi

from costderive.core.errors import ExportError
from costderive.core.symbols import s, t
from costderive.publish.formulas.drawn import symbol
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.mathml import math
from costderive.publish.formulas.notation import read, tex
from costderive.publish.formulas.one_line import text
from costderive.publish.formulas.printing import chain, formula, latex
from costderive.publish.words.document_blocks import Maths, prose

a = Symbol("a", positive=True)
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.tex"))
_FORMULA = re.compile(r"\\\((.+?)\\\)|(?<!\\)\\\[(.+?)\\\]", re.DOTALL)
_GRID = re.compile(
    r"\\def\\arraystretch\{[^}]*\}|\\(begin|end)\{(aligned|array|cases)\}(\{l+\})?|\\\\(\[.*?\])?|&|\\hline|\{\}"
)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_what_is_read_is_written_as_it_was(file: Path) -> None:
    for formulas in _FORMULA.findall(file.read_text(encoding="utf-8")):
        formula = _GRID.sub("", "".join(formulas)).replace(
            "\\qedhere", ""
        )  # a grid and an empty start of a line are made, never read
        assert tex(read(formula)) == formula


def test_formulas_and_expressions_stand_in_the_places_of_others() -> None:
    found = formula(r"\frac{}{2} + x_{} \le R_{{}}({})^2", a + 1, 12, 3, chain(", ", (a, "b", formula("y"))))
    assert tex(found) == r"\frac{a + 1}{2} + x_{12} \le R_{3}(a, b, y)^2"


@pytest.mark.parametrize(
    ("expr", "written"),
    [
        (Integral(a * s * t, (s, 0, 1), (t, s, oo)), r"\int_s^{\infty} \int_0^1 a s t \, ds \, dt"),
        (-oo, r"-\infty"),
        (EulerGamma * pi, r"\pi \gamma"),
        (Tuple(a, 1), r"\mathrm{(a,\ 1)}"),
    ],
)
def test_what_has_no_node_of_its_own_is_written(expr: Basic, written: str) -> None:
    assert latex(expr) == written


@pytest.mark.parametrize("parts", [(), (a,), (a, a, a)])
def test_parts_that_are_more_or_fewer_than_the_places_are_refused(parts: tuple[Symbol, ...]) -> None:
    with pytest.raises(ExportError, match="cannot be read from"):
        formula("{} < {}", *parts)
    with pytest.raises(AssertionError, match="parts for the places"):
        prose("Here ${} < {}$.", *parts)


def test_text_of_users_in_a_sentence_stays_text() -> None:
    assert prose("The {} of {}.", "$x$ {} [@y] {#z}", a) == (
        "The $x$ {} [@y] {#z} of ",
        Maths(formula("a")),
        ".",
    )


LINES = {
    r"L_0(p) = \int_0^p s \, \omega(s) \, ds": "L₀(p) = ∫[0, p] s ω(s) ds",
    r"\frac{1}{2} (a - b) \ln p": "(a − b)ln(p)/2",
    r"\frac{1}{(1 - s)^2} - \frac{a}{b c}": "1/(1 − s)² − a/(bc)",
    r"\mathbb{E}[L_1(p) \mid Y = 1] < \infty": "E[L₁(p) | Y = 1] < ∞",
    r"c_0, c_1 \ge 0 \qquad -x \le y^{n + 1}": "c₀, c₁ ≥ 0   −x ≤ y^(n + 1)",
    r"\sum_{j \ne i} w_j": "Σ_(j ≠ i) wⱼ",
    r"L_0(0+) = H''(q)": "L₀(0+) = H′′(q)",
}


@pytest.mark.parametrize("formula", LINES)
def test_a_formula_is_a_line_of_text(formula: str) -> None:
    assert text(read(formula)) == LINES[formula]


@pytest.mark.parametrize("name", ['a<b>&"$\\', "^_{}%#~", "\x1b[31m"])
def test_a_name_cannot_write_anything_but_itself(name: str) -> None:
    formula = Row((symbol(name),))
    printable = name.replace("\x1b", "?")
    assert (tex(formula), text(formula)) == (tex(read(tex(formula))), printable)
    assert re.sub("<[^<>]*>", "", math(formula)).count("<") == 0


@pytest.mark.parametrize("formula", [r"\foo", r"a } b", r"\left( a", r"x_", "é"])
def test_what_is_not_in_the_notation_is_refused(formula: str) -> None:
    with pytest.raises(ExportError, match="cannot be read from"):
        read(formula)
