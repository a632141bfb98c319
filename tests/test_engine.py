"""The page that derives gives what the command line gives, in a browser that reaches nothing but its own site."""

from __future__ import annotations

import itertools
import json
import os
import random
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
from costderive.core import time_limit
from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.proof import checker
from costderive.proof.claims import Claim, Finding, NonNegative
from costderive.publish.in_page import FILES, Session
from costderive.site import engine
from costderive.site.frame import framed
from tests.browser import PROGRAM, Browser

PYODIDE = os.environ.get("COSTDERIVE_PYODIDE")  # the folder of the npm package
AXE = os.environ.get("COSTDERIVE_AXE")  # the program of axe-core
SCREENS = {"wide": (1280, "light"), "phone": (390, "dark")}
VIOLATIONS = "axe.run().then((found) => found.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`))"
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
CLASSES = """[context]
kind = "class-costs"
costs = ["gamma(2, 1)", "gamma(3, 1)", "gamma(2, 2)", "gamma(4, 1)"]
"""
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
    waited(page, "!byId('start').disabled && byId('score-stop').hidden")


def waited(page: Browser, script: str) -> Any:
    """Return the value of a script as soon as it is not false: a busy machine loads SymPy for minutes."""
    until = f"""(async () => {{ for (let tries = 0; tries < 400; tries++) {{
        const found = {script}; if (found) return found; await new Promise((next) => setTimeout(next, 100)); }} }})()"""
    found = next(filter(None, (page.value(until) for _ in range(6))), None)
    assert found, page.value("byId('status').textContent")
    return found


def scored(page: Browser, script: str) -> None:
    """Do something that scores predictions, and wait until they are, or are refused."""
    page.value(f"byId('score-status').textContent = ''; {script}; 0")
    waited(page, "byId('score-stop').hidden && / is scored|No scores/.test(byId('score-status').textContent)")


def dropped(page: Browser, name: str, text: str) -> None:
    """Drop a file on the page."""
    given = f"new File([{json.dumps(text)}], {json.dumps(name)})"
    event = "new DragEvent('drop', { dataTransfer: moved, bubbles: true, cancelable: true })"
    scored(page, f"moved = new DataTransfer(); moved.items.add({given}); byId('drop').dispatchEvent({event})")


def leaves(numbers: Any) -> dict[str, float]:
    """Return the numbers of a JSON document by their place in it."""
    if isinstance(numbers, dict | list):
        inside = numbers.items() if isinstance(numbers, dict) else enumerate(numbers)
        return {f"{key} {rest}": x for key, item in inside for rest, x in leaves(item).items()}
    return {"": numbers} if isinstance(numbers, int | float) else {}


def printed(spec: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return what the command line prints on a spec."""
    file = folder / "spec.toml"
    file.write_text(spec, encoding="utf-8")
    main(["derive", str(file), *options])
    return capsys.readouterr().out


@in_a_browser
@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_page_derives_and_writes_what_the_command_line_does(
    page: Browser,
    spec: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    derived(page, spec)
    here = Session()
    with monkeypatch.context() as bare:  # a check in a child may name another decider of the same claim
        bare.setattr(time_limit, "HAS_CHILDREN", False)
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
def test_a_derivation_that_exceeds_its_limit_ends_with_words_and_the_engine_goes_on(page: Browser) -> None:
    page.value("byId('limit').value = '0.3'; 0")
    derived(page, CLASSES)
    assert "the losses of 4 classes were not written down in 0.3 s" in page.value(
        "byId('problem').textContent"
    )
    page.value("byId('limit').value = 'soon'; 0")
    derived(page, WORDS)
    assert "time limit = '' is no time" in page.value("byId('problem').textContent")
    page.value("byId('limit').value = '60'; 0")
    derived(page, SPECS["threshold"])
    assert page.value("[byId('problem').hidden, byId('result').hidden]") == [True, False]


@in_a_browser
def test_predictions_are_scored_as_on_the_command_line(
    page: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    derived(page, WORDS)
    file = tmp_path / "models & <b>more.csv"
    generator = random.Random(1)
    rows = [(generator.random(), generator.random() < 0.3) for _ in range(200)]
    lines = [
        f"{'bad' if one else 'good'},{p},{round(p, 1)},{9 * p},<b>{'xyz'[k % 3]}"
        for k, (p, one) in enumerate(rows)
    ]
    file.write_text("\n".join(["outcome,<img src=x>,ties,w,<i>region", *lines]) + "\n", encoding="utf-8")
    dropped(page, file.name, file.read_text(encoding="utf-8"))
    assert "it is not said which is class 1" in page.value("byId('score-problem').textContent")
    values = {"weights": "w", "by": "<i>region", "pos-label": "bad"}
    scored(
        page,
        f"for (const [id, x] of Object.entries({json.dumps(values)})) byId(id).value = x; byId('by').onchange()",
    )
    assert page.value("[byId('score-problem').hidden, byId('scores').hidden]") == [True, False]
    (tmp_path / "spec.toml").write_text(WORDS, encoding="utf-8")
    how = ["--y-true", "outcome", "--pos-label", "bad", "--weights", "w", "--by", "<i>region"]
    main(["score", str(file), "--context", str(tmp_path / "spec.toml"), *how, "--json", "-"])
    wanted, found = json.loads(capsys.readouterr().out), page.value("shown.numbers")
    assert page.value("byId('scores').querySelector('img, script, i, b > *, [onerror]')") is None
    assert [model["model"] for model in found["models"]] == ["<img src=x>", "ties"]
    for part in ("models", "differences", "prevalence", "constant", "instances", "groups"):
        assert leaves(found[part]) == pytest.approx(leaves(wanted[part]), rel=1e-12), part


@in_a_browser
def test_sample_data_are_scored_at_one_click_and_shown(page: Browser) -> None:
    derived(page, WORDS)
    scored(page, "byId('sample').click()")
    assert "logistic_regression costs least, 1.406 an instance." in page.value(
        "byId('score-verdict').textContent"
    )
    heads = page.value("[...byId('score-tables').querySelectorAll('th')].map((cell) => cell.textContent)")
    assert {"loss", "95 % interval", "recalibrated", "may be chance"} <= set(heads)
    assert page.value("byId('decision').querySelectorAll('circle').length") == 3
    assert page.value("byId('calibration').querySelectorAll('svg').length") == 3
    assert "0.09091" in page.value("byId('score-notes').textContent")
    sources = page.value("performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)")
    assert set(sources) == {page.value("location.origin")}


@in_a_browser
def test_a_bad_file_shows_its_error_with_line_and_value(page: Browser) -> None:
    derived(page, WORDS)
    dropped(page, "<i>bad</i>.csv", "y,a\n0,0.5\n1,1.5\n")
    assert page.value("byId('score-problem').textContent").startswith(
        "<i>bad</i>.csv, line 3, column 'a': 1.5 is outside"
    )
    assert page.value("[byId('score-problem').hidden, byId('score-problem').children.length]") == [False, 0]
    assert page.value("byId('scores').hidden")
    dropped(page, "empty.csv", "")
    assert "empty.csv has no header line" in page.value("byId('score-problem').textContent")
    derived(page, SPECS["letters"])
    scored(page, "byId('sample').click()")
    assert "the rule has open parameters: b" in page.value("byId('score-problem').textContent")


@in_a_browser
def test_after_a_stop_the_rule_is_derived_again_for_the_scores(page: Browser) -> None:
    derived(page, SPECS["threshold"])
    page.value("byId('score-stop').onclick(); 0")
    scored(page, "byId('sample').click()")
    assert page.value("byId('score-problem').textContent") == ""
    assert "deciding at the given threshold" in page.value("byId('score-notes').textContent")


@in_a_browser
@pytest.mark.skipif(AXE is None, reason="needs COSTDERIVE_AXE, the path of axe-core's axe.min.js")
@pytest.mark.parametrize("screen", SCREENS)
def test_scores_are_accessible_and_fit_the_screen(page: Browser, screen: str) -> None:
    width, scheme = SCREENS[screen]
    derived(page, WORDS)
    page.resize(width, 844)
    page.prefer("prefers-color-scheme", scheme)
    scored(page, "byId('sample').click()")
    assert page.value("document.documentElement.scrollWidth") <= width
    page.value(f"{Path(str(AXE)).read_text(encoding='utf-8')}; 0")
    assert page.value(VIOLATIONS) == []
    page.resize(1280, 800)


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


def test_a_check_that_exceeds_the_limit_is_ended_and_names_its_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, decide = Session(), checker.decide

    def slow(claim: Claim, given: Given) -> Finding:
        return sum(itertools.repeat(0)) if isinstance(claim, NonNegative) else decide(claim, given)

    monkeypatch.setattr(checker, "decide", slow)
    found = json.loads(session.derive('[context]\nkind = "additive"\n', "0.5"))
    assert found["verdict"] == "OPEN"
    *decided, (_, verdict, why), (rest, *_) = found["claims"]
    assert {verdict for _, verdict, _ in decided} == {"PROVED"}
    assert (verdict, rest) == ("OPEN", "what is claimed after that")
    assert "not decided within time_limit = 0.5 s" in why


def test_the_session_scores_what_it_has_derived() -> None:
    session, data = Session(), b"y;a\n0;0,25\n1;0,75\n"
    assert "nothing is derived" in json.loads(session.score("f.csv", data, "y"))["error"]
    session.derive('[context]\nkind = "additive"\n')
    assert json.loads(session.columns("f.csv", data)) == {"columns": ["y", "a"], "label": "y"}
    found = json.loads(session.score("f.csv", data, "y"))
    assert found["numbers"]["models"][0]["loss"] == 0.0625
    assert found["picture"]["parts"] == [] and len(found["reliability"]) == 1
    assert "has no column 'z'" in json.loads(session.score("f.csv", data, "z"))["error"]
    session.derive('[context]\nkind = "additive"\nbudget = "b"\n')
    assert "open parameters: b" in json.loads(session.score("f.csv", data, "y"))["error"]
    session.derive('[context]\nkind = "class-costs"\nclasses = 3\ncosts = "uniform(0, 1)"\n')
    assert "of several classes" in json.loads(session.score("f.csv", data, "y"))["error"]
    assert "time limit = '-1' is no time" in json.loads(session.derive(WORDS, "-1"))["error"]


def test_the_sample_is_that_of_the_notebooks() -> None:
    sample = Path(str(site.__file__)).parent / "assets" / "sample-predictions.csv"
    assert sample.read_bytes() == (Path(__file__).parents[1] / "notebooks" / "predictions.csv").read_bytes()


def test_the_archive_has_what_runs_and_no_tests() -> None:
    names = zipfile.ZipFile(BytesIO(engine.packages())).namelist()
    assert {"sympy/__init__.py", "mpmath/__init__.py", "costderive/publish/in_page.py"} <= set(names)
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


def test_a_folder_that_is_not_pyodide_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"pyodide\.mjs is not there"):
        engine.files(tmp_path)
