"""The gallery: a page for each entry, with its theorems, its picture and all files that lie beside its spec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Verdict
from costderive.publish import gallery
from costderive.publish.coq.coq_file import left_out, theorems
from costderive.publish.coq.library_text import library_files
from costderive.publish.formats.html_page import html, losses_shown, statements
from costderive.publish.formats.terminal import context_words
from costderive.publish.gallery import FILES, PAGE, SPEC, Entry
from costderive.publish.words.paper import story
from costderive.site.frame import Page, framed, scrolled, signs
from costderive.site.incremental import made
from costderive.site.listings import code

PROOF = "proof.html"
WHAT = {
    SPEC: "what all this is made from",
    **{name: file.what for name, file in FILES.items()},
    PAGE: "this page in short, for a forge",
}

COQ = "proof.v"
PROGRAMS = {"losses.py": "Python", "losses.c": "C", "losses.sql": "SQL"}
LONGEST = 12_000  # letters of a program that a page shows
THEOREMS = {  # of files for Coq, by their names without numbers
    "not_proper": "that the rule is not proper",
    "proper": "that the rule is proper",
    "strictly_proper": "strictly so where it says",
    "proper_with_ends": "with the reports 0 and 1",
    "expected_loss_of_scores": "the expected loss as an integral over the scores",
    "expected_cost": "the losses as expected costs under the law of the costs",
    "decisions_cost": "as such with the decision inside of the integrals over all costs",
    "total_is_": "the total of that law",
    "total_of_threshold": "the total of the law of the threshold",
    "tie": "what a tie at an atom may be charged",
    "pays": "the losses as costs of the act that is taken",
    "cheapest": "the forecasts at which each act costs least",
    "same_losses": "that it is not strictly proper",
}

_INTRODUCTION = """<h1>Gallery</h1>
<p>Each entry is a cost context and the scoring rule that follows from it, with its proof. The article is there to read
and in LaTeX; the certificate lets you check the proof on your machine; the losses come as programs.</p>"""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the site shows of an entry: its page, its line in the list, and its article as a page."""

    page: Page
    row: str
    article: bytes


def files(root: Path) -> dict[str, bytes]:
    """Return the pages of a gallery, and the files of its entries."""
    rooms = gallery.folders(root)
    shown = [made(room.resolve().name, _sources(room), partial(_shown, room)) for room in rooms]
    found = framed([_list(shown), *(one.page for one in shown)])
    for room, one in zip(rooms, shown, strict=True):
        path = f"gallery/{room.resolve().name}"
        found |= {f"{path}/{PROOF}": one.article}
        found |= {f"{path}/{name}": (room / name).read_bytes() for name in _there(room)}
    return found | _library(rooms)


def _sources(folder: Path) -> tuple[Path, ...]:
    return tuple(folder / name for name in _there(folder))


def _shown(folder: Path) -> _Shown:
    entry = gallery.certified(folder)
    return _Shown(
        _page(entry), _row(entry), html(entry.derivation, entry.report, made_of=entry.spec.made_of).encode()
    )


def _library(rooms: tuple[Path, ...]) -> dict[str, bytes]:
    """Return what the proofs for Coq share, by its paths in the site."""
    proofs = [f"{room.resolve().name}/{COQ}" for room in rooms if COQ in _there(room)]
    return {f"gallery/{path}": text.encode() for path, text in library_files("coq", proofs).items()}


def _list(shown: list[_Shown]) -> Page:
    rows = "\n".join(one.row for one in shown)
    return Page("gallery/index.html", "Gallery", f'{_INTRODUCTION}\n<ul class="entries">\n{rows}\n</ul>')


def _row(entry: Entry) -> str:
    link = f'<a href="{entry.name}/index.html">{escape(_title(entry))}</a>'
    coq = f'<span class="badge">{escape(_coq(entry).badge)}</span>'
    return f"<li>{link}<p>{_costs(entry)}</p><p>{escape(entry.verdict)} {_proof(entry)} {coq}</p></li>"


def _title(entry: Entry) -> str:
    return signs(entry.spec.title) or entry.name


def _costs(entry: Entry) -> str:
    context: Any = entry.derivation.context  # that of a spec, never a pair of losses
    return escape(context_words(context))


def _proof(entry: Entry) -> str:
    findings = entry.report.findings
    proved = sum(finding.verdict is Verdict.PROVED for finding in findings)
    return f'<span class="badge {entry.report.verdict.name.lower()}">{proved} of {len(findings)} claims proved</span>'


# ---- what Coq is given of an entry


@dataclass(frozen=True, slots=True)
class _Coq:
    """What Coq can check of an entry: in two words, and in a sentence."""

    badge: str
    words: str


def _coq(entry: Entry) -> _Coq:
    """Say what the file for Coq proves, by its theorems; or why there is none, as the page for a forge does."""
    if COQ not in _there(entry.folder):
        why = re.search(rf"There is no `{re.escape(COQ)}`: (.*)", _text(entry, PAGE))
        return _Coq("not in Coq", f"no proof for Coq{f': {why[1]}' if why else '.'}")
    text = _text(entry, COQ)
    found = {re.sub("[0-9]", "", name) for name in theorems(text)}
    said = [words for name, words in THEOREMS.items() if name in found]
    proved = ", and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))
    missing = "".join(f" It leaves out: {parts}." for parts in left_out(text))
    return _Coq(
        "Coq: from costs to rule" if "expected_cost" in found else "Coq: the rule", f"{proved}.{missing}"
    )


def _text(entry: Entry, name: str) -> str:
    file = entry.folder / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


# ---- the page of an entry


def _page(entry: Entry) -> Page:
    source = f'<p class="source">Source: {escape(signs(entry.spec.source))}.</p>' if entry.spec.source else ""
    body = [
        f"<h1>{escape(_title(entry))}</h1>",
        source,
        _facts(entry),
        *_formulas(entry),
        _picture(entry),
        '<h2 id="theorems">Theorems</h2>',
        statements(story(entry.derivation, entry.report, made_of=entry.spec.made_of), PROOF),
        *_programs(entry),
        *_files(entry),
    ]
    return Page(f"gallery/{entry.name}/index.html", _title(entry), "\n".join(filter(None, body)))


def _facts(entry: Entry) -> str:
    there = [
        f'<a href="{name}">{escape(language)}</a>'
        for name, language in PROGRAMS.items()
        if name in _there(entry.folder)
    ]
    coq = _coq(entry)
    link = f'<a href="{COQ}">{COQ}</a> proves ' if COQ in _there(entry.folder) else ""
    facts = {
        "Costs": _costs(entry),
        "The rule is": f"<strong>{escape(entry.verdict)}</strong>",
        "Proof": f'{_proof(entry)} <a href="{PROOF}">Read the article with its proofs</a>',
        "Coq": link + escape(coq.words),
        "Programs": ", ".join(there),
    }
    rows = "\n".join(f"<div><dt>{name}</dt><dd>{what}</dd></div>" for name, what in facts.items() if what)
    return f'<dl class="facts">\n{rows}\n</dl>'


def _formulas(entry: Entry) -> Iterator[str]:
    if isinstance(entry.derivation, Derivation):
        yield '<h2 id="losses">Losses and threshold weight</h2>'
        yield losses_shown(entry.derivation)


def _picture(entry: Entry) -> str:
    if "figure.svg" not in _there(entry.folder):
        return ""
    shown = escape(f"Costs, threshold weight and losses of: {_title(entry)}")
    return scrolled(f'<img class="figure" src="figure.svg" alt="{shown}">')


def _programs(entry: Entry) -> Iterator[str]:
    """Yield the programs that are short, in full."""
    found = {name: text for name in PROGRAMS if 0 < len(text := _text(entry, name)) <= LONGEST}
    if found:
        yield '<h2 id="programs">Programs</h2>'
    for name, text in found.items():
        shown = code(text.rstrip("\n"), name.rpartition(".")[2])
        yield f"<details>\n<summary>{escape(PROGRAMS[name])}: {name}</summary>\n{shown}</details>"


def _files(entry: Entry) -> Iterator[str]:
    yield '<h2 id="files">Take it with you</h2>'
    yield f'<ul>\n<li><a href="{PROOF}">{PROOF}</a>: the article with its proofs, in one file</li>'
    yield from (
        f'<li><a href="{name}">{name}</a>: {_words(WHAT[name])}</li>' for name in _there(entry.folder)
    )
    yield "</ul>"


def _words(text: str) -> str:
    """Set what stands between backticks as code."""
    plain, *marked = escape(text).split("`")
    return plain + "".join(
        f"<code>{part}</code>" if index % 2 == 0 else part for index, part in enumerate(marked)
    )


def _there(folder: Path) -> tuple[str, ...]:
    return tuple(name for name in WHAT if (folder / name).is_file())
