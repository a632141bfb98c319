"""The gallery: a page for each entry, with its theorems, its picture and all files that lie beside its spec."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from costderive.proof.claims import Verdict
from costderive.publish import gallery
from costderive.publish.coq.coq_file import library_files
from costderive.publish.formats.html_page import html, statements
from costderive.publish.formats.terminal import context_words
from costderive.publish.gallery import FILES, PAGE, SPEC, Entry
from costderive.publish.words.paper import story
from costderive.site.frame import Page, framed, signs

PROOF = "proof.html"
WHAT = {
    SPEC: "what all this is made from",
    **{name: file.what for name, file in FILES.items()},
    PAGE: "this page in short, for a forge",
}

_INTRODUCTION = """<h1>Gallery</h1>
<p>Each entry is a cost context and the scoring rule that follows from it, with its proof. The article is there to read
and in LaTeX; the certificate lets you check the proof on your machine; the losses come as programs.</p>"""


def files(root: Path) -> dict[str, bytes]:
    """Return the pages of a gallery, and the files of its entries."""
    entries = tuple(map(gallery.certified, gallery.folders(root)))
    found = framed([_list(entries), *map(_page, entries)])
    for entry in entries:
        found |= _beside(entry)
    return found | _library(entries)


def _library(entries: tuple[Entry, ...]) -> dict[str, bytes]:
    """Return what the proofs for Coq share, by its paths in the site."""
    proofs = [f"{entry.name}/proof.v" for entry in entries if "proof.v" in _there(entry)]
    return {f"gallery/{path}": text.encode() for path, text in library_files("coq", proofs).items()}


def _list(entries: tuple[Entry, ...]) -> Page:
    rows = "\n".join(map(_row, entries))
    return Page("gallery/index.html", "Gallery", f'{_INTRODUCTION}\n<ul class="entries">\n{rows}\n</ul>')


def _row(entry: Entry) -> str:
    link = f'<a href="{entry.name}/index.html">{escape(_title(entry))}</a>'
    context: Any = entry.derivation.context  # that of a spec, never a pair of losses
    costs = escape(context_words(context))
    verdict = escape(entry.verdict)
    return f"<li>{link}<p>{costs}</p><p>{verdict} {_proof(entry)}</p></li>"


def _title(entry: Entry) -> str:
    return signs(entry.spec.title) or entry.name


def _proof(entry: Entry) -> str:
    findings = entry.report.findings
    proved = sum(finding.verdict is Verdict.PROVED for finding in findings)
    return f'<span class="badge {entry.report.verdict.name.lower()}">{proved} of {len(findings)} claims proved</span>'


def _page(entry: Entry) -> Page:
    source = f'<p class="source">Source: {escape(signs(entry.spec.source))}.</p>' if entry.spec.source else ""
    shown = escape(f"Costs, threshold weight and losses of: {_title(entry)}")
    picture = f'<img class="figure" src="figure.svg" alt="{shown}">'
    body = [
        f"<h1>{escape(_title(entry))}</h1>",
        source,
        f'<p><a href="{PROOF}">Read the article with its proofs</a> {_proof(entry)}</p>',
        picture if "figure.svg" in _there(entry) else "",
        statements(story(entry.derivation, entry.report), PROOF),
        "<h2>Take it with you</h2>",
        f'<ul>\n<li><a href="{PROOF}">{PROOF}</a>: the article with its proofs, in one file</li>',
        *[f'<li><a href="{name}">{name}</a>: {_words(WHAT[name])}</li>' for name in _there(entry)],
        "</ul>",
    ]
    return Page(f"gallery/{entry.name}/index.html", _title(entry), "\n".join(filter(None, body)))


def _words(text: str) -> str:
    """Set what stands between backticks as code."""
    plain, *marked = escape(text).split("`")
    return plain + "".join(
        f"<code>{part}</code>" if index % 2 == 0 else part for index, part in enumerate(marked)
    )


def _beside(entry: Entry) -> dict[str, bytes]:
    """Return the files beside a spec, and the article as a page, by their paths in the site."""
    room = f"gallery/{entry.name}"
    proof = {f"{room}/{PROOF}": html(entry.derivation, entry.report).encode()}
    return proof | {f"{room}/{name}": (entry.folder / name).read_bytes() for name in _there(entry)}


def _there(entry: Entry) -> tuple[str, ...]:
    return tuple(name for name in WHAT if (entry.folder / name).is_file())
