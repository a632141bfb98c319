"""A page has the same content as the article, with the same numbers, and needs nothing but itself."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

import costderive as cd
from costderive.proof.claims import Finding, Report, Same, Verdict
from tests.families import GOLDEN, article, checked
from tests.test_export_latex import HOSTILE, compiled, formulas


@cache
def page(family: str) -> str:
    return cd.export.html(*checked(family))


def body(text: str) -> str:
    """Return a page without its style sheet and its scripts."""
    return re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)


def shown(text: str) -> list[str]:
    """Return the formulas of a page."""
    found = re.findall(
        r'<span class="tex">(.*?)</span>|<div class="display"[^>]*>(.*?)</div>', text, re.DOTALL
    )
    return [unescape("".join(groups)) for groups in found]


@pytest.mark.parametrize("family", GOLDEN)
def test_a_page_has_the_formulas_of_the_article_in_its_order(family: str) -> None:
    untagged = [re.sub(r" \\tag\{\d+\}$", "", formula) for formula in shown(page(family))]
    assert [formula.strip() for formula in untagged] == [
        formula.strip() for formula in formulas(article(family))
    ]


@pytest.mark.parametrize("family", ["additive", "symbolic", "improper pair", "classes with masses"])
def test_every_formula_of_a_page_is_strict_katex(family: str) -> None:
    pykatex = pytest.importorskip("pykatex")
    for formula in shown(page(family)):
        pykatex.renderToString(formula, displayMode=True, throwOnError=True, strict=pykatex.STRICT_ERROR)


@pytest.mark.parametrize("family", GOLDEN)
def test_a_page_refers_to_nothing_outside_itself(family: str) -> None:
    text = body(page(family))
    assert re.findall(r"<(?:link|img|script|style|iframe|base)\b|src=", text) == []
    (style,) = re.findall(r"<style>(.*?)</style>", page(family), re.DOTALL)
    assert re.findall(r"@import|url\((?!data:font/woff2;base64,)", style) == []
    targets = re.findall(r'href="([^"]*)"', text)
    assert targets and {target[0] for target in targets} == {"#"}
    assert {target[1:] for target in targets} <= set(re.findall(r'id="([^"]+)"', text))


@pytest.mark.parametrize("family", ["symbolic", "random threshold"])
def test_numbers_on_a_page_are_those_that_latex_gives(family: str, tmp_path: Path) -> None:
    compiled(article(family), tmp_path)
    aux = (tmp_path / "article.aux").read_text(encoding="utf-8")
    labels = dict(re.findall(r"\\newlabel\{([\w:]+)\}\{\{(\w+)\}", aux))
    text = page(family)
    patterns = (
        r'<h2 id="([\w:]+)">(\w+)&ensp;',
        r'<div class="theorem" id="([\w:]+)">\n<p><b>\w+ (\w+)</b>',
        r'<div class="display" id="([\w:]+)">[^<]*\\tag\{(\w+)\}</div>',
    )
    numbers = dict(pair for pattern in patterns for pair in re.findall(pattern, text))
    assert labels and numbers == labels
    cited = dict(re.findall(r"\\bibcite\{(\w+)\}\{(\d+)\}", aux))
    assert list(cited) == re.findall(r'<li id="(\w+)">', text)
    assert all(f'<a href="#{key}">[{number}' in text for key, number in cited.items())


def test_the_fonts_are_in_the_page() -> None:
    assert page("additive").count("data:font/woff2;base64,") == 10
    assert len(page("additive")) < 600_000


def test_text_from_outside_cannot_write_html() -> None:
    hostile = "<script>alert(1)</script>&amp;" + HOSTILE
    finding = Finding(Same(hostile, 1, 2), Verdict.REFUTED, hostile, 0.0, hostile)
    text = body(cd.export.html(checked("additive")[0], Report((finding,))))
    assert "<script>" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;" in text
    assert text.count("not fully proved") >= 7
