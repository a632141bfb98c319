"""The ledger of published claims: each with its verdict and what decides it, as the engine finds it now."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import resources
from itertools import groupby

from costderive import literature
from costderive.literature.contents import Contents, Item, contents
from costderive.literature.report import totals
from costderive.site.frame import Page, framed, scrolled, signs
from costderive.site.incremental import made

SHOWN = 12  # digits of a hash; the whole one is in the output of the command
_INTRODUCTION = """<h1>Published claims, decided</h1>
<p>Statements from the literature behind this package. No file holds a verdict: each was decided by the engine when this
page was built, for all values of its letters in their domains, and
<code>costderive claims ID</code> decides it on your machine.
<em>Corrected</em> means that the statement fails as printed, and shows what holds instead, and whether the error is a
misprint, another convention, one of a simulation, or mathematical; <em>holds as tried</em>, that the checks are limited
to the instances that are named; <em>proof incomplete</em>, that the checks hold but the printed argument does not show
what it says. A verdict is on the statement: a proof in prose is not judged, unless a claim says which premises or
conditions of it are. After the claims of a source stands all that it contains: each theorem, lemma, numbered equation,
algorithm, table and figure, with its claims or why it has none.
<a href="ledger.html">How a claim is written</a>, with the kinds of checks, has a page of its own.</p>"""


def files() -> dict[str, bytes]:
    """Return the page of all published claims, decided now."""
    room = resources.files("costderive.literature")
    claims = [*(room / "published").iterdir(), room / "contents.toml"]
    return framed([made("ledger", claims, lambda: page(map(literature.decide, literature.list())))])


def page(decisions: Iterable[literature.Decision]) -> Page:
    """Return the page of decisions; those on claims of one source follow one another."""
    decided = tuple(decisions)
    sections = [
        _section(reference, tuple(found))
        for reference, found in groupby(decided, lambda decision: decision.claim.reference)
    ]
    summary = f"<p><strong>{escape(totals(decided))}</strong></p>"
    return Page("claims.html", "Published claims", "\n".join([_INTRODUCTION, summary, *sections]))


def _section(reference: str, decisions: tuple[literature.Decision, ...]) -> str:
    source = decisions[0].claim.source
    listed = [_contents(found) for found in contents() if found.source == source]
    return "\n".join([f"<h2>{escape(reference)}</h2>", *map(_claim, decisions), *listed])


def _contents(found: Contents) -> str:
    """Return a table of what a source contains."""
    rows = "".join(f"<tr><th>{escape(item.name)}</th><td>{_found(item)}</td></tr>\n" for item in found.items)
    table = scrolled(f"<table>\n<tr><th>item</th><th>claims, or why there is none</th></tr>\n{rows}</table>")
    return f"""<details><summary>All that it contains</summary>
<p>Read: {escape(found.read)}.</p>
{table}</details>"""


def _found(item: Item) -> str:
    links = [f'<a href="#{escape(name)}"><code>{escape(name)}</code></a>' for name in item.claims]
    return ", ".join(links) or escape(signs(item.reason))


def _claim(decision: literature.Decision) -> str:
    claim = decision.claim
    verdict = str(decision.verdict)
    badge = f'<span class="badge {verdict.replace(" ", "-")}">{verdict}</span>'
    assumed = "".join(f"<p>Assumed: {escape(signs(text))}</p>" for text in claim.assumptions)
    assumed += (
        f"<p>{escape(signs(decision.conclusion.capitalize()))}. The printed proof: {decision.proof}.</p>"
    )
    parts = [
        *[_answer("As printed", answer) for answer in decision.answers],
        *[_answer(f"Amended: {claim.amendment}".rstrip(": "), answer) for answer in decision.amended],
        *[_answer("The printed proof takes it that", answer) for answer in decision.premises],
        *[f"<p>The printed proof does not show that {escape(text)}</p>" for text in decision.missing],
    ]
    return f"""<details class="claim" id="{escape(claim.id)}">
<summary>{badge} {escape(signs(claim.title))} <span class="where">{escape(claim.place)}</span></summary>
<p>{escape(signs(claim.statement))}</p>
{_quoted(claim)}{assumed}{"".join(parts)}<p class="where"><code>costderive claims {escape(claim.id)}</code></p>
</details>"""


def _quoted(claim: literature.Published) -> str:
    """Return what the source says there, word for word, and its hash."""
    if not claim.quote:
        return ""
    hashed = f'<span class="where">SHA-256 <code>{claim.fingerprint[:SHOWN]}…</code></span>'
    return f"<p>Quoted: <q>{escape(claim.quote)}</q> {hashed}</p>\n"


def _answer(title: str, answer: literature.Answer) -> str:
    ruling = answer.ruling
    lines = [*answer.question.formal(), "", f"{ruling.outcome}:", *[f"  {line}" for line in ruling.evidence]]
    lines += ["", "instead:", *[f"  {line}" for line in ruling.correction]] if ruling.correction else []
    listing = escape("\n".join(lines))
    return f'<p>{escape(title)}:</p>\n<pre tabindex="0">{listing}</pre>\n'
