"""The search of the site answers from an index on the disk, by keyboard, and shows what is typed as text only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from costderive import site
from costderive.site import search
from costderive.site.frame import Page, framed
from tests.browser import PROGRAM, Browser

PAGES = (
    Page(
        "scores.html",
        "Scores",
        "<h1>Scores</h1><p>Files of any size.</p><h2 id='weights'>Weights &amp; groups</h2><pre>--weight w</pre>"
        "<p>A café <math><mi>x</mi></math>has <img alt='' src='data:,'>&lt;b onclick='x'&gt; groups.</p>",
    ),
    Page(
        "reference/rule.html",
        "Rule",
        "<h1>Rule</h1><section class='object' id='brier'><h3>rule.brier</h3>"
        "<p>c₀ weighted; a quadratic score.</p></section>",
    ),
    Page(
        "claims.html",
        "Claims",
        "<h1>Claims</h1><details id='one'><summary>A theorem</summary><p>Refuted weights.</p></details>",
    ),
)


def rows() -> list[list[str]]:
    text = search.index(framed(PAGES) | {"proof.html": b"<h1>Not framed</h1>"}).decode()
    return list(json.loads(text.removeprefix("const SEARCH = ").removesuffix(";\n")))


def test_each_section_is_indexed_where_its_heading_is_without_formulas() -> None:
    assert rows() == [
        ["claims.html", "Claims", "", ""],
        ["claims.html#one", "Claims", "A theorem", "Refuted weights."],
        ["reference/rule.html", "Rule", "", ""],
        ["reference/rule.html#brier", "Rule", "rule.brier", "c₀ weighted; a quadratic score."],
        ["scores.html", "Scores", "", "Files of any size."],
        ["scores.html#weights", "Scores", "Weights & groups", "--weight w A café has <b onclick='x'> groups."],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if PROGRAM is None:
        pytest.skip("needs chromium")
    with Browser() as opened:
        opened.resize(1280, 800)
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    files = framed(PAGES) | site.assets()
    site.write(files | {search.INDEX: search.index(files)}, made)
    return made


def ask(browser: Browser, folder: Path, text: str, page: str = "scores.html") -> list[str]:
    """Type a text into the field of a page, and return the addresses that are found, from the root of the site."""
    browser.open(folder / page)
    typed = f"field.focus(); field.value = {json.dumps(text)}; field.dispatchEvent(new Event('input'))"
    browser.value(f"(() => {{ const field = document.querySelector('#search input'); {typed} }})()")
    links = browser.value(
        "new Promise((done) => setTimeout(done, 150)).then(() =>"
        " [...document.querySelectorAll('#found a')].map((link) => link.href))"
    )
    root = f"{folder.as_uri()}/"
    return [link.removeprefix(root) for link in links]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("weight", ["scores.html#weights", "claims.html#one", "reference/rule.html#brier"]),
        ("WEIGHTS refut", ["claims.html#one"]),
        ("c0 quadratic", ["reference/rule.html#brier"]),
        ("cafe", ["scores.html#weights"]),
        ("--weight", ["scores.html#weights", "claims.html#one", "reference/rule.html#brier"]),
        ("eight", []),
        ("(?<", []),
        (".*", []),
    ],
)
@pytest.mark.parametrize("page", ["scores.html", "reference/rule.html"])
def test_all_words_are_found_by_their_beginnings_headings_first(
    browser: Browser, folder: Path, text: str, found: list[str], page: str
) -> None:
    assert ask(browser, folder, text, page) == found
    status = browser.value("document.querySelector('#found [role=status]').textContent")
    assert found or not text.isalpha() or status == "No section has this word."


def test_what_is_typed_or_indexed_is_never_markup(browser: Browser, folder: Path) -> None:
    assert ask(browser, folder, "onclick groups") == ["scores.html#weights"]
    assert "<b onclick='x'>" in browser.value("document.querySelector('#found li p').textContent")
    ask(browser, folder, "<img src=x onerror=document.title=1> groups")
    assert browser.value("document.querySelectorAll('#found img, #found b').length") == 0
    assert browser.value("document.title") == "Scores · costderive"


def test_a_page_may_load_nothing_from_elsewhere_and_run_nothing_that_is_written_into_it(
    browser: Browser, tmp_path: Path
) -> None:
    body = (
        "<h1>T</h1><script>document.title = 'run'</script><img src='x.png' onerror='document.title = 1'>"
        "<p id='styled' style='color: red'>T</p>"
    )
    site.write(framed([Page("page.html", "T", body)]) | site.assets(), tmp_path)
    browser.open(tmp_path / "page.html")
    assert browser.value("document.title") == "T · costderive"
    assert browser.value("getComputedStyle(document.getElementById('styled')).color") != "rgb(255, 0, 0)"
    assert browser.value("getComputedStyle(document.body).margin") == "0px"  # by the style of the site
    assert browser.value("document.getElementById('search').hidden") is False  # by its program


def test_results_are_reached_by_keyboard(browser: Browser, folder: Path) -> None:
    ask(browser, folder, "weight")
    focused = "document.activeElement.getAttribute('href') ?? document.activeElement.type"
    browser.press("ArrowDown")
    assert browser.value(focused) == "./scores.html#weights"
    browser.press("ArrowUp")
    assert browser.value(focused) == "search"
    browser.press("Escape")
    assert browser.value("document.getElementById('found').hidden") is True
