"""The page to explore shows the losses of the package, to the last digits, with a keyboard and on a phone."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mp

import costderive as cd
from costderive import site
from costderive.costs.contexts import Context
from costderive.programs.program import formulas
from costderive.publish.formulas.templates import template
from costderive.site import explorer
from costderive.site.frame import document
from tests.browser import PROGRAM, Browser
from tests.families import checked
from tests.test_parametric_javascript import losses

GENERATOR = np.random.default_rng(390844)
TOLERANCE = 1e-12
BUILT = os.environ.get("COSTDERIVE_SITE")
Task = dict[str, Any]

if PROGRAM is None:
    pytest.skip("there is no chromium", allow_module_level=True)


@cache
def derived(context: Context) -> cd.Derivation:
    known = checked("symbolic")[0]  # the rectangle with four letters, which other tests derive too
    return known if context == known.context else cd.derive(context)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page and what it needs, unless the whole site was built just before."""
    if BUILT:
        return Path(BUILT)
    target = tmp_path_factory.mktemp("site")
    (target / "assets").mkdir()
    for asset in (Path(site.__file__).parent / "assets").iterdir():
        shutil.copy(asset, target / "assets")
    (target / "explore.html").write_text(document(explorer.page()), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explorer, "derive", derived)
        (target / "assets" / "models.js").write_text(explorer.models(), encoding="utf-8")
    return target


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as opened:
        opened.resize(1280, 800)
        yield opened


# ---- the numbers


def rectangles() -> Iterator[Task]:
    """Yield bounds in both orders of the breakpoints, from 0, with breakpoints that coincide, and known costs."""
    edges = [(0, 1, 0, 1), (0, 2, 0, 3), (0, 1, 2, 3), (1, 2, 0, 3), (1, 2, 1, 2), (1, 3, 2, 6)]
    edges += [(1, 1, 2, 5), (2, 2, 0, 3), (1, 4, 3, 3), (0, 4, 3, 3), (2, 2, 5, 5)]
    for _ in range(20):
        a, d, width, height = 10 ** GENERATOR.uniform(-1, 1, 4)
        edges.append((a, a + width, d, d + height))
    for a, b, d, e in edges:
        at = [x for x in (a / (a + e), b / (b + e)) if 0 < x < 1]
        for p in (*at, *GENERATOR.uniform(0.01, 0.99, 3)):
            yield {"model": "rectangle", "a": a, "b": b, "d": d, "e": e, "p": p}


INTEGRATED = ("3", "0.7", "-1.3", "1/3", "-7", "25", "0.01", "-0.01", "-200")


def means() -> Iterator[Task]:
    for k in (*explorer.EXPONENTS, *INTEGRATED):
        for p in (1 / 2, *GENERATOR.uniform(0.01, 0.99, 4)):
            yield {"model": "mean", "k": k, "m": float(10 ** GENERATOR.uniform(-1, 1)), "p": p}


def betas() -> Iterator[Task]:
    for alpha, nu in [(1, 1), (0.5, 0.5), *10 ** GENERATOR.uniform(-1, 1.3, (20, 2))]:
        yield {"model": "beta", "alpha": alpha, "nu": nu, "p": GENERATOR.uniform(0.01, 0.99)}


def of_mean(k: str, m: float, p: float) -> tuple[Any, Any]:
    """Return the losses of a given mean as integrals of the costs on its curve."""
    exponent = mpmath.mpf(k.replace("oo", "inf")) if "oo" in k else mpmath.mpf(float(Fraction(k)))

    def magnitude(s: Any) -> Any:
        if exponent == 0:
            return m / mpmath.sqrt(s * (1 - s))
        if mpmath.isinf(exponent):
            return m / (max if exponent > 0 else min)(s, 1 - s)
        return m * (2 / (s**exponent + (1 - s) ** exponent)) ** (1 / exponent)

    at = mpmath.mpf(p)
    first = sorted({mpmath.mpf(0), min(mpmath.mpf(1) / 2, at), at})
    second = sorted({at, max(mpmath.mpf(1) / 2, at), mpmath.mpf(1)})
    return mpmath.quad(lambda s: s * magnitude(s), first), mpmath.quad(
        lambda s: (1 - s) * magnitude(s), second
    )


@cache
def python_program(name: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(formulas(derived(explorer.contexts()[name]).rule, "python"), names)
    return names


def in_python(task: Task) -> list[float]:
    """Return the two losses by the program in Python of the rule that the page shows."""
    if task["model"] == "mean":
        name, values = f"mean {task['k']}", {"m": task["m"]}
    else:
        name = f"bounds {bounds(task, 'a', 'b')},{bounds(task, 'd', 'e')}"
        values = {letter: task[letter] for letter in name.removeprefix("bounds ") if letter in "abde"}
    return [python_program(name)[loss](task["p"], **values) for loss in ("loss0", "loss1")]


def bounds(task: Task, low: str, high: str) -> str:
    """Return how the page names two bounds: a known cost has a letter only, and 0 has none."""
    if task[low] == task[high]:
        return low
    return (low if task[low] else "0") + high


def between(p: float, a: float, b: float, d: float, e: float) -> tuple[Any, Any]:
    """Return the losses of costs between bounds; a known cost is compared with the other one at its threshold."""
    if a < b and d < e:
        return losses(p, a, b, d, e)
    odds = mpmath.mpf(p) / (1 - mpmath.mpf(p))
    if a == b and d == e:
        return (a, 0) if a < odds * d else (0, d)
    if a == b:  # class 1 is chosen if c1 > a/odds
        cut = min(max(a / odds, d), e)
        return a * (e - cut) / (e - d), (cut**2 - mpmath.mpf(d) ** 2) / (2 * (e - d))
    cut = min(max(odds * d, a), b)  # class 1 is chosen if c0 < odds * d
    return (cut**2 - mpmath.mpf(a) ** 2) / (2 * (b - a)), d * (b - cut) / (b - a)


def truth(task: Task) -> list[float]:
    """Return the two losses by integrals that the package has no part in."""
    with mp.workdps(25):
        if task["model"] == "rectangle":
            found = between(task["p"], *[task[name] for name in "abde"])
        elif task["model"] == "mean":
            found = of_mean(task["k"], task["m"], task["p"])
        else:
            a, n, p = (mpmath.mpf(task[name]) for name in ("alpha", "nu", "p"))
            found = (
                2 * a / (a + n) * mpmath.betainc(a + 1, n, 0, p, regularized=True),
                2 * n / (a + n) * mpmath.betainc(n + 1, a, 0, 1 - p, regularized=True),
            )
        return [float(x) for x in found]


ASK = """
((tasks) => tasks.map((task) => {
  for (const [name, value] of Object.entries(task)) {
    if (name === "model") document.querySelector(`input[value=${value}]`).checked = true;
    else document.getElementById(name).value = value;
  }
  document.getElementById("p").dispatchEvent(new Event("input", { bubbles: true }));
  const message = document.getElementById("message").textContent;
  const broken = document.querySelectorAll("merror, math:empty, [d*=NaN], [points*=NaN]").length;
  return message || (broken ? "broken" : ["loss0", "loss1"].map((id) => document.getElementById(id).dataset.value));
}))
"""


def test_the_page_shows_the_losses_of_its_fields(folder: Path, browser: Browser) -> None:
    """A number in a field is what it is as a double; the losses are compared in units of the largest cost."""
    tasks = [*rectangles(), *means(), *betas()]
    assert {task["a"] * task["e"] < task["b"] * task["d"] for task in rectangles()} == {True, False}
    browser.open(folder / "explore.html")
    found = browser.value(f"{ASK}({json.dumps(tasks)})")
    for task, shown in zip(tasks, found, strict=True):
        assert isinstance(shown, list), (task, shown)
        largest = max(task.get(name, 0) for name in ("b", "e", "m", "alpha"))
        wanted = [truth(task)]
        if task["model"] != "beta" and task.get("k") not in INTEGRATED:  # these have no program in Python
            wanted.append(in_python(task))
        for right in wanted:
            assert np.allclose([*map(float, shown)], right, rtol=TOLERANCE, atol=TOLERANCE * largest), task


def test_an_exponent_without_a_formula_gives_the_compiled_losses(folder: Path, browser: Browser) -> None:
    """What the page integrates is what Python reads from its tables."""
    for k in ("0.7", "-1.3"):
        compiled = cd.numeric.compile(cd.derive(cd.PowerMean(k, mean=1)))
        points = [0.01, 0.3, 0.5, 0.8, 0.999]
        browser.open(folder / "explore.html")
        found = browser.value(
            f"{ASK}({json.dumps([{'model': 'mean', 'k': k, 'm': 1, 'p': p} for p in points])})"
        )
        wanted = np.transpose([compiled.loss0(points), compiled.loss1(points)])
        assert np.allclose(np.array(found, float), wanted, rtol=TOLERANCE, atol=0)


REFUSED = [
    (
        {"model": "rectangle", "a": 3, "b": 2, "d": 1, "e": 2},
        "b has to be at least a.",
    ),
    ({"model": "rectangle", "a": 1, "b": 2, "d": 0, "e": 0}, "e has to be above 0."),
    ({"model": "rectangle", "a": -1, "b": 2, "d": 1, "e": 2}, "a has to be a number that is at least 0."),
    ({"model": "rectangle", "a": "", "b": 2, "d": 1, "e": 2}, "a has to be a number that is at least 0."),
    ({"model": "rectangle", "a": 1, "b": 2, "d": 1, "e": 2, "p": 1.5}, "p is a probability: at most 1."),
    ({"model": "mean", "k": "2", "m": 0, "p": 0.5}, "m has to be above 0."),
    ({"k": "1/0", "m": 1}, "k has to be a number, a fraction such as 1/3, oo or -oo."),
    ({"k": "1e3"}, "k has to be a number, a fraction such as 1/3, oo or -oo."),
    ({"k": "-1001"}, "k has to lie between -1000 and 1000, or be oo or -oo."),
    ({"model": "beta", "alpha": 1, "nu": 0}, "β has to be above 0."),
]


def test_what_asks_for_nothing_is_refused_in_words(folder: Path, browser: Browser) -> None:
    browser.open(folder / "explore.html")
    found = browser.value(f"{ASK}({json.dumps([task for task, _ in REFUSED])})")
    assert found == [message for _, message in REFUSED]
    assert browser.value("document.querySelector('[aria-invalid]').id") == "nu"


# ---- the formulas


def test_a_formula_has_a_place_for_each_of_its_numbers() -> None:
    for context in explorer.contexts().values():
        for _, found in derived(context).rule.cases:
            for pieces in (found.loss0, found.loss1, found.weight.density):
                for piece in pieces:
                    made = template(piece.value, pieces.variable)
                    places = {int(x) for x in re.findall(r"N_\{?(\d+)", made.tex)}
                    assert places == set(range(len(made.numbers)))
                    assert not any(number.has(pieces.variable) for number in made.numbers)


@pytest.mark.parametrize(
    ("state", "parts"),
    [
        ("a=0&b=1&d=0&e=1", ["0.1667p2", "(1−p)2", "0.5−", "0.3333(1−p)", "0.5<p<1"]),
        ("model=mean&k=1&m=1", ["L0(p)=p2", "L1(p)=(1−p)2", "ω(s)=2"]),
        ("model=mean&k=-1&m=2", ["L0(p)=−ln(1−p)", "L1(p)=−lnp"]),
        ("model=beta&alpha=2&nu=1", ["ω(s)=4s"]),
        ("model=mean&k=0.7&m=1", ["L0(p)=∫0psω(s)ds", "s0.7+(1−s)0.7"]),
        ("a=2&b=2&d=3&e=3", ["Ω({0.4})=5", "0<p<0.4"]),
    ],
)
def test_the_page_shows_formulas_with_numbers(
    folder: Path, browser: Browser, state: str, parts: list[str]
) -> None:
    browser.open(folder / "explore.html", f"#{state}")
    shown = browser.value(
        "[...document.querySelectorAll('#formulas math')].map((x) => x.textContent).join(' ')"
    )
    plain = re.sub(r"[\s\u200b]", "", shown)
    for part in parts:
        assert part in plain, (part, plain)


def test_letters_show_both_orders_of_the_breakpoints(folder: Path, browser: Browser) -> None:
    for state, order in (("a=1&b=3&d=2&e=8", "ae≥bd"), ("a=1&b=9&d=2&e=3", "ae≤bd")):
        browser.open(folder / "explore.html", f"#{state}")
        browser.value("document.getElementById('letters').click()")
        shown = browser.value("document.querySelector('#order math').textContent")
        assert order in re.sub(r"\s", "", shown)


# ---- readers


def test_the_programs_that_the_page_names_give_its_losses(folder: Path, browser: Browser) -> None:
    for state in (
        "a=0.5&b=3&d=2&e=8&p=0.3",
        "model=mean&k=-1/2&m=2.5&p=0.3",
        "model=beta&alpha=2&nu=1.5&p=0.3",
        "a=0.5&b=3&d=1.5&e=1.5&p=0.3",
        "a=1&b=1&d=4&e=4&p=0.3",
    ):
        browser.open(folder / "explore.html", f"#{state}")
        names: dict[str, Any] = {"cd": cd}
        exec(browser.value("document.getElementById('python').textContent"), names)
        shown = float(browser.value("document.getElementById('loss0').dataset.value"))
        rule = names["derivation"].rule
        assert float(rule.loss0.subs(cd.symbols.p, 0.3).evalf()) == pytest.approx(shown, rel=1e-12)


def test_every_field_has_a_name_and_shows_that_it_has_the_focus(folder: Path, browser: Browser) -> None:
    browser.open(folder / "explore.html")
    names = browser.value(
        "[...document.querySelectorAll('main input, main select')]"
        ".map((x) => x.labels.length || x.getAttribute('aria-label'))"
    )
    assert len(names) == 23 and all(names)
    seen = []
    while len(seen) < 60 and (not seen or seen[-1][0] != "letters"):
        browser.press("Tab")
        seen.append(
            browser.value(
                "[document.activeElement.id || document.activeElement.name || document.activeElement.className, "
                "getComputedStyle(document.activeElement).outlineStyle]"
            )
        )
    assert all(outline != "none" for _, outline in seen), seen
    reached = [name for name, _ in seen]
    assert reached.index("figures") < reached.index("model")
    assert reached[0] == "skip"
    assert reached[reached.index("model") :][:12] == [
        "model", "a-range", "a", "b-range", "b", "d-range", "d", "e-range", "e", "p-range", "p", "letters",
    ]  # fmt: skip


def test_arrow_keys_move_the_costs(folder: Path, browser: Browser) -> None:
    browser.open(folder / "explore.html", "#a=1&b=3&d=2&e=8&p=0.4")
    before = browser.value("document.getElementById('loss0').dataset.value")
    browser.value("document.getElementById('b-range').focus()")
    browser.press("ArrowRight")
    assert browser.value("document.getElementById('b').value") == "3.1"
    assert browser.value("document.getElementById('loss0').dataset.value") != before
    browser.value("document.querySelector('input[value=rectangle]').focus()")
    browser.press("ArrowRight")
    assert browser.value("document.querySelector('fieldset[data-model=mean]').hidden") is False
    assert "model=mean" in browser.value("location.hash")


def test_the_exponent_moves_by_slider_by_name_and_by_typing(folder: Path, browser: Browser) -> None:
    browser.open(folder / "explore.html", "#model=mean&k=0&m=1&p=0.4")
    browser.value("document.getElementById('k-range').focus()")
    browser.press("ArrowRight")
    assert browser.value("[document.getElementById('k').value, document.getElementById('named').value]") == [
        "0.1",
        "",
    ]
    browser.value(
        "(() => { const named = document.getElementById('named'); named.value = '-oo';"
        " named.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )
    assert browser.value("document.getElementById('k').value") == "-oo"
    assert 'PowerMean("-oo", mean="1")' in browser.value("document.getElementById('python').textContent")


def test_known_costs_are_one_atom(folder: Path, browser: Browser) -> None:
    browser.open(folder / "explore.html", "#a=1&b=1&d=4&e=4&p=0.3")
    assert browser.value("document.getElementById('verdict').value") == "proper, nowhere strictly"
    assert browser.value("document.getElementById('thresholdWeight').value") == "an atom of 5 at 0.2"


SMALLEST = """Math.min(...[...document.querySelectorAll('main *')]
  .filter((x) => !x.closest('math') && [...x.childNodes].some((y) => y.nodeType === 3 && y.textContent.trim()))
  .map((x) => parseFloat(getComputedStyle(x).fontSize) * (x.ownerSVGElement?.getScreenCTM().a ?? 1)))"""
HIDDEN = """[...document.querySelectorAll('#controls input, #controls select')]
  .filter((x) => x.checkVisibility())
  .filter((x) => {
    x.scrollIntoView({ block: 'center', behavior: 'instant' });
    const [field, chart] = [x.getBoundingClientRect(), document.getElementById('losses').getBoundingClientRect()];
    return field.top < chart.bottom || field.bottom > innerHeight || chart.top < 0 || chart.right > innerWidth;
  })
  .map((x) => x.id)"""


def test_the_page_fits_a_phone(folder: Path, browser: Browser) -> None:
    """No text is smaller than 16 pixels, and each field can be used with the losses in sight, right above it."""
    browser.resize(390, 844)
    try:
        for state in ("a=1&b=3&d=2&e=8", "model=mean&k=1/2", "model=mean&k=0.7", "model=beta"):
            browser.open(folder / "explore.html", f"#{state}")
            assert browser.value("document.documentElement.scrollWidth") == 390
            assert browser.value(SMALLEST) >= 16
            assert [x for x in browser.value(HIDDEN) if x] == []
    finally:
        browser.resize(1280, 800)


def test_an_address_cannot_bring_in_anything_but_numbers(folder: Path, browser: Browser) -> None:
    browser.open(folder / "explore.html", "#model=%22%5D%2Cbody&k=%3Cb%3E&a=%3Cscript%3E1%3C/script%3E&p=0.5")
    assert browser.value("document.querySelector('input[name=model]:checked').value") == "rectangle"
    assert browser.value("document.getElementById('k').value") == "0"
    assert (
        browser.value("document.getElementById('message').textContent")
        == "a has to be a number that is at least 0."
    )
