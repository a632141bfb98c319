"""The kinds of checks described for a reader, and a claim of each kind to start from."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from textwrap import wrap

from costderive.core.errors import SpecError
from costderive.core.toml_input import nearest
from costderive.literature.kinds import KINDS
from costderive.literature.published import SUFFIX, Published, published

WIDTH = 100
AMENDED = "[[amended]]"

_HEAD = """\
# A claim of your own: change what is here, and decide it with: costderive claims mine.toml
title = {title}
source = {source}  # a key of the bibliography, or a source in words
where = {where}
statement = "What the source says, in words."
# page = "12"
# quote = "at most 25 of its words, where it says so"
# assumptions = ["what it takes for granted"]
# tried = "to which instances the checks are limited, if the statement is about more"
# slip = "misprint"  # or convention, simulation error, mathematical error: of what sort an error is

# This check is one of {id}.
"""


_OWN = "# No published source says this. Change it into your own claim: costderive claims mine.toml\n"
UNPUBLISHED = {
    "only-with-weight": _OWN
    + """\
title = "Half the Brier score is the only rule with a uniform threshold weight of mass 1"
source = "Schervish1989"  # a key of the bibliography, or a source in words
where = "the theorem or page"
statement = "What the source says, in words."

[[checks]]
kind = "only-with-weight"
loss0 = "p^2/2"
loss1 = "(1 - p)^2/2"
weight = "1"
""",
    "only-local": _OWN
    + """\
title = "Log loss is the only local proper rule"
source = "a source in words"
where = "the theorem or page"
statement = "What the source says, in words."

[[checks]]
kind = "only-local"
loss = "-log(p)"
""",
}


def kinds() -> str:
    """Return the kinds of checks, each with what it says, its keys, and the published claim that is its example."""
    return "\n\n".join(map(_described, KINDS)) + "\n"


def _described(name: str) -> str:
    kind = KINDS[name]
    others = [key for key in kind.keys if key not in kind.required]
    facts = [f"needs {', '.join(kind.required)}", *([f"may have {', '.join(others)}"] if others else [])]
    claim = example(name)
    shown = f"Example: {claim.id}." if claim else f"Example: costderive claims --new {name}."
    text = f"{kind.about}; {'; '.join(facts)}. {shown}"
    return "\n".join(
        [name, *wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)]
    )


def example(kind: str) -> Published | None:
    """Return the first published claim with a check of a kind, one without an error if there is such a claim.

    Of those in ``UNPUBLISHED`` there is none.

    Raises:
        SpecError: if there is no such kind.
    """
    if kind not in KINDS:
        raise SpecError(
            f"{kind!r:.60} is not a kind of check", f"{nearest(kind, KINDS)}Kinds: {', '.join(KINDS)}."
        )
    found = [claim for claim in published() if any(check["kind"] == kind for check in claim.checks)]
    return min(found, key=lambda claim: bool(claim.slip), default=None)


def template(kind: str) -> str:
    """Return the file of a claim of a kind, complete, with the check of a published one, amended if that has an error.

    Raises:
        SpecError: if there is no such kind.
    """
    claim = example(kind)
    if claim is None:
        return UNPUBLISHED[kind]
    text = files("costderive.literature").joinpath("published", f"{claim.id}{SUFFIX}").read_text("utf-8")
    tables = re.split(r"(?m)^(?=\[\[)", text)[1:]
    checks = [part for part in tables if re.search(rf'(?m)^kind = "{kind}"$', part)]
    check = next((part for part in checks if part.startswith(AMENDED)), checks[0]).replace(
        AMENDED, "[[checks]]"
    )
    facts = {
        name: json.dumps(getattr(claim, name), ensure_ascii=False) for name in ("title", "source", "where")
    }
    return _HEAD.format(id=claim.id, **facts) + check.rstrip() + "\n"
