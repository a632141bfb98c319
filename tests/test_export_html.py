"""A page has the same content as the article, with the same numbers, and needs nothing but itself."""

from __future__ import annotations

import re
from functools import cache
from html import escape, unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

import costderive as cd
from costderive.proof.claims import Finding, Report, Same, Verdict
from costderive.publish.formulas.drawn import symbol
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.mathml import WIDE, in_sentence, math, unbroken
from costderive.publish.formulas.notation import read
from costderive.publish.words.sources import SOURCES
from tests.families import GOLDEN, article, checked
from tests.test_export_latex import HOSTILE, compiled, formulas


@cache
def page(family: str) -> str:
    return cd.export.html(*checked(family))


def body(text: str) -> str:
    """Return a page without its style sheet."""
    return re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)


def shown(text: str) -> list[str]:
    """Return the formulas of a page in TeX; a line may break between the parts of one in a sentence."""
    found: list[str] = []
    spans = r'(?:<span class="(?:whole|long)"[^>]*>)*'
    start = rf'(</math>(?:</span>)?)?{spans}<math(?: display="block")? alttext="([^"]*)"'
    for continues, formula in re.findall(start, text):
        found.append((found.pop() if continues else "") + unescape(formula))
    return found


@pytest.mark.parametrize("family", GOLDEN)
def test_a_page_has_the_formulas_of_the_article_in_its_order(family: str) -> None:
    assert [formula.strip() for formula in shown(body(page(family)))] == [
        formula.strip() for formula in formulas(article(family))
    ]


# Elements of MathML Core and how many elements are in each; None is any number.
ELEMENTS = {
    **dict.fromkeys(("math", "mrow", "mstyle", "mtable", "mtr", "mtd", "msqrt"), None),
    **dict.fromkeys(("mi", "mn", "mo", "mtext", "mspace"), 0),
    **dict.fromkeys(("mfrac", "mroot", "msub", "msup", "munder", "mover"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}


@pytest.mark.parametrize("family", GOLDEN)
def test_the_formulas_of_a_page_are_mathml_core(family: str) -> None:
    for text in re.findall(r"<math\b.*?</math>", page(family), re.DOTALL):
        for element in ElementTree.fromstring(text).iter():
            count = ELEMENTS[element.tag]
            assert count is None or len(element) == count, text
            assert element.tag in ("mi", "mn", "mo", "mtext") or not (element.text or "").strip(), text


ADDRESSES = {escape(source.url) for source in SOURCES.values() if source.url}


@pytest.mark.parametrize("family", GOLDEN)
def test_a_page_refers_to_nothing_outside_itself(family: str) -> None:
    text = body(page(family))
    assert re.findall(r"<(?:link|img|script|style|iframe|base)\b|src=", text) == []
    (style,) = re.findall(r"<style>(.*?)</style>", page(family), re.DOTALL)
    assert re.findall(r"@import|url\(", style) == []
    targets = re.findall(r'href="([^"]*)"', text)
    outside = {target for target in targets if not target.startswith("#")}
    assert targets and outside == {
        url for url in ADDRESSES if f"{url}</a>" in text
    }  # which a reader may follow
    assert {target[1:] for target in set(targets) - outside} <= set(re.findall(r'id="([^"]+)"', text))


@pytest.mark.parametrize("family", ["symbolic", "random threshold"])
def test_numbers_on_a_page_are_those_that_latex_gives(family: str, tmp_path: Path) -> None:
    compiled(article(family), tmp_path)
    aux = (tmp_path / "article.aux").read_text(encoding="utf-8")
    labels = dict(re.findall(r"\\newlabel\{([\w:]+)\}\{\{(\w+)\}", aux))
    text = page(family)
    patterns = (
        r'<h2 id="([\w:]+)">(\w+)&ensp;',
        r'<div class="theorem" id="([\w:]+)">\n<p><b>\w+ (\w+)</b>',
        r'<div class="display" tabindex="0" id="([\w:]+)"><math.*?</math><span class="tag">\((\w+)\)</span>',
    )
    numbers = dict(pair for pattern in patterns for pair in re.findall(pattern, text))
    assert labels and numbers == labels
    cited = dict(re.findall(r"\\bibcite\{(\w+)\}\{(\d+)\}", aux))
    assert list(cited) == re.findall(r'<li id="(\w+)">', text)
    assert all(f'<a href="#{key}">[{number}' in text for key, number in cited.items())


def test_a_comma_stays_with_its_formula_and_a_long_formula_may_be_broken() -> None:
    formula = read(r"L_0(p) \in [0, 1], p = \frac{1}{2}")
    assert [part.count("<mfrac>") for part in in_sentence(formula).split("</math>")[:-1]] == [0, 0, 0, 1]
    assert unbroken(f"({math(read('p'))}, or") == f'<span class="whole">({math(read("p"))},</span> or'
    wide = in_sentence(read("+".join(["p"] * WIDE)))
    assert (
        wide.startswith('<span class="long"')
        and unbroken(f"{wide}, or") == f'<span class="whole">{wide},</span> or'
    )


def test_names_of_users_are_text_in_mathml() -> None:
    name = 'a<b>&"$\\'
    found = math(Row((symbol(name),)))
    assert ElementTree.fromstring(found)[0].text == name


def test_text_from_outside_cannot_write_html() -> None:
    hostile = "<script>alert(1)</script>&amp;" + HOSTILE
    finding = Finding(Same(hostile, 1, 2), Verdict.REFUTED, hostile, 0.0, hostile)
    text = body(cd.export.html(checked("additive")[0], Report((finding,))))
    assert "<script>" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;" in text
    assert text.count("not fully proved") >= 7
