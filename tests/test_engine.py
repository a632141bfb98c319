"""The page that derives gives what the command line gives, in a browser that reaches nothing but its own site."""

from __future__ import annotations

import json
import os
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from costderive import site
from costderive.cli import main
from costderive.core.errors import ExportError
from costderive.publish.in_page import FILES, Session
from costderive.site import engine
from costderive.site.frame import framed
from tests.browser import PROGRAM, Browser

PYODIDE = os.environ.get("COSTDERIVE_PYODIDE")  # the folder of the npm package
in_a_browser = pytest.mark.skipif(
    PROGRAM is None or PYODIDE is None,
    reason="needs chromium, and COSTDERIVE_PYODIDE, the npm package pyodide",
)
ALONE = ("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",)  # no name leads anywhere

WORDS = '[context]\nkind = "independent"\nfp = "5 to 20"\nfn = "50 to 200"\n'
SPECS = {
    "words": WORDS,
    "letters": 'title = "<b>Costs</b> & bounds"\n\n[context]\nkind = "additive"\nbudget = "b"\n',
    "threshold": 'threshold = "1/2"\n\n[context]\nkind = "additive"\nbudget = 2\n',
}
MISTAKES = {
    "bounds": WORDS.replace("5 to 20", "20 to 5"),
    "markup": WORDS.replace("5 to 20", "<img src=x onerror='document.title=1'>"),
    "no TOML": "[context",
    "hostile": WORDS.replace("5 to 20", "__import__('os').system('true')"),
}


class Quiet(SimpleHTTPRequestHandler):
    """Hands out a folder without a word."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Open the page, from a server, in a browser that reaches no other."""
    assert PYODIDE is not None
    folder = tmp_path_factory.mktemp("site")
    site.write(site.assets() | framed([engine.page()]) | engine.files(Path(PYODIDE)), folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Browser(*ALONE) as browser:
        browser.resize(1280, 800)
        browser.visit(f"http://127.0.0.1:{server.server_address[1]}/derive.html")
        yield browser
    server.shutdown()
    server.server_close()


def asked(page: Browser, task: str, text: str) -> dict[str, Any]:
    """Ask the engine as the page does; what is refused has ``error``."""
    task, text = json.dumps(task), json.dumps(text)
    kept = "(answer) => (window.found = answer), (problem) => (window.found = { error: problem.message })"
    page.value(f"window.found = null; ask({task}, {text}).then({kept}); 0")
    return dict(waited(page, "window.found"))


def derived(page: Browser, spec: str) -> None:
    """Type a spec and press the button."""
    page.value(f"byId('spec').value = {json.dumps(spec)}; byId('start').click()")
    waited(page, "!byId('start').disabled")


def waited(page: Browser, script: str) -> Any:
    """Return the value of a script as soon as it is not false."""
    until = f"""(async () => {{ for (let tries = 0; tries < 400; tries++) {{
        const found = {script}; if (found) return found; await new Promise((next) => setTimeout(next, 100)); }} }})()"""
    found = page.value(until) or page.value(until)
    assert found, page.value("byId('status').textContent")
    return found


def printed(spec: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return what the command line prints on a spec."""
    file = folder / "spec.toml"
    file.write_text(spec, encoding="utf-8")
    main(["derive", str(file), *options])
    return capsys.readouterr().out


@in_a_browser
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_page_derives_and_writes_what_the_command_line_does(
    page: Browser, spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    derived(page, spec)
    here = Session()
    wanted = json.loads(here.derive(spec))
    assert page.value("byId('problem').textContent") == ""
    assert page.value("byId('counted').textContent") == wanted["sentence"]
    shown = page.value(
        "[...byId('claims').rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert shown == wanted["claims"]
    mathml = page.value(
        "[...byId('shown').querySelectorAll('math')].map((formula) => formula.getAttribute('alttext'))"
    )
    assert len(mathml) == wanted["html"].count("<math")
    assert page.value("byId('shown').querySelector('script, img, [onerror], [style]')") is None
    for name in (*FILES, "python", "javascript"):
        assert asked(page, "file", name) == json.loads(here.file(name))
    assert asked(page, "file", "article.tex")["text"] == printed(spec, tmp_path, capsys, "--latex", "-")


@in_a_browser
@pytest.mark.parametrize("spec", MISTAKES.values(), ids=MISTAKES)
def test_a_bad_spec_shows_its_error_as_text(page: Browser, spec: str) -> None:
    derived(page, spec)
    assert page.value("byId('problem').textContent") == json.loads(Session().derive(spec))["error"]
    assert page.value("[byId('problem').hidden, byId('result').hidden, byId('problem').children.length]") == [
        False,
        True,
        0,
    ]


@in_a_browser
def test_a_derivation_is_stopped_at_once_and_the_next_one_has_a_new_engine(
    page: Browser,
) -> None:
    page.value(f"byId('spec').value = {json.dumps(WORDS)}; byId('start').click(); byId('stop').click()")
    assert waited(page, "byId('problem').textContent") == "Stopped."
    assert page.value("[byId('start').disabled, byId('stop').disabled, tasks.size]") == [False, True, 0]
    assert page.value("worker !== null")


@in_a_browser
def test_the_page_loads_nothing_that_its_policy_does_not_name(page: Browser) -> None:
    assert "unsafe-inline" not in engine.OWN_POLICY and "http" not in engine.OWN_POLICY
    refused = page.value("fetch('https://example.org/').then(() => 'fetched', (problem) => problem.message)")
    assert "fetch" in refused.lower() and refused != "fetched"


def test_an_answer_says_what_is_wrong_and_a_file_needs_a_derivation() -> None:
    session = Session()
    assert "nothing is derived" in json.loads(session.file("article.tex"))["error"]
    assert "not TOML" in json.loads(session.derive("[context"))["error"]
    assert json.loads(session.derive('[context]\nkind = "additive"\n'))["verdict"] == "PROVED"
    assert json.loads(session.file("c"))["name"] == "losses.c"
    assert "nothing is derived" in json.loads(Session().file("c"))["error"]


def test_the_archive_has_what_runs_and_no_tests() -> None:
    names = zipfile.ZipFile(BytesIO(engine.packages())).namelist()
    assert {"sympy/__init__.py", "mpmath/__init__.py", "costderive/publish/in_page.py"} <= set(names)
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


def test_a_folder_that_is_not_pyodide_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"pyodide\.mjs is not there"):
        engine.files(tmp_path)
