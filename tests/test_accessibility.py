"""The pages of the site pass axe-core, wide and as a phone shows them, light and dark, and scroll nowhere sideways."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from costderive import site
from costderive.site import engine, entries, explorer, front, markdown, reference
from costderive.site.frame import Page, framed
from tests.browser import PROGRAM, Browser

ROOT = Path(__file__).parents[1]
BUILT = os.environ.get("COSTDERIVE_SITE")
AXE = os.environ.get("COSTDERIVE_AXE")  # the program of axe-core
ALWAYS = ("index.html", "explore.html", "derive.html", "gallery/index.html", "gallery/harmonic/index.html")
SCREENS = {"wide": (1280, "light"), "phone": (390, "dark")}

if PROGRAM is None or AXE is None:
    pytest.skip(
        "needs chromium, and COSTDERIVE_AXE, the path of axe-core's axe.min.js", allow_module_level=True
    )


def some_pages() -> dict[str, bytes]:
    """Return pages that are quickly made: those in Markdown without what their examples print, and one entry."""
    written = [
        Page(source.with_suffix(".html").name, source.stem, markdown.html(source.read_text(encoding="utf-8")))
        for source in (Path(site.__file__).parent / "pages").iterdir()
    ]
    made = front.files(ROOT / "notebooks") | entries.files(ROOT / "derivations" / "harmonic")
    return framed([*written, explorer.page(), engine.page()]) | made | reference.files() | site.assets()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if BUILT:
        return Path(BUILT)
    made = tmp_path_factory.mktemp("site")
    site.write(some_pages(), made)
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as opened:
        yield opened


VIOLATIONS = """axe.run().then((found) => found.violations.flatMap((one) =>
  one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`)))"""


def violations(browser: Browser, file: Path) -> list[str]:
    assert AXE is not None
    browser.open(file)
    browser.value(f"{Path(AXE).read_text(encoding='utf-8')}; 0")
    found: list[str] = browser.value(VIOLATIONS)
    return found


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_are_accessible(
    folder: Path, browser: Browser, screen: str, sampled: Callable[[Iterable[str]], list[str]], request: Any
) -> None:
    width, scheme = SCREENS[screen]
    browser.resize(width, 844)
    browser.prefer("prefers-color-scheme", scheme)
    every = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html"))
    some = every if request.config.getoption("--full") else [*ALWAYS, *sampled(every)[:4]]
    found = {page: violations(browser, folder / page) for page in dict.fromkeys(some)}
    assert {page: problems for page, problems in found.items() if problems} == {}


def test_axe_sees_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        "<!doctype html><title>T</title><main><h1>T</h1><img src=x.png><input></main>"
    )
    kinds = {problem.split(":")[0] for problem in violations(browser, tmp_path / "page.html")}
    assert kinds >= {"html-has-lang", "image-alt", "label"}


SMALL = """[...document.querySelectorAll('body *')]
  .filter((x) => !x.closest('math, svg, script, style'))
  .filter((x) => [...x.childNodes].some((y) => y.nodeType === 3 && y.textContent.trim()))
  .filter((x) => parseFloat(getComputedStyle(x).fontSize) < 16)
  .map((x) => x.outerHTML.slice(0, 80))"""


def test_on_a_phone_no_page_scrolls_sideways_and_no_text_is_small(folder: Path, browser: Browser) -> None:
    browser.resize(390, 844)
    wide, small = {}, {}
    for file in sorted(folder.rglob("*.html")):
        browser.open(file)
        name = str(file.relative_to(folder))
        wide[name], small[name] = browser.value("document.documentElement.scrollWidth"), browser.value(SMALL)
    assert {page: width for page, width in wide.items() if width > 390} == {}
    assert {page: texts[:3] for page, texts in small.items() if texts} == {}


def test_the_menu_opens_by_a_button_and_closes_by_a_key_without_programs(
    folder: Path, browser: Browser
) -> None:
    browser.resize(390, 844)
    browser.open(folder / "index.html")
    shown = "document.querySelector('nav a').checkVisibility()"
    assert browser.value(shown) is False
    browser.value("document.querySelector('header .menu').focus()")
    browser.press(" ")
    assert browser.value(shown) is True
    browser.press("Escape")
    assert browser.value(shown) is False
    browser.resize(1280, 844)
    assert browser.value(shown) is True
