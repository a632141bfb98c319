"""What the sources contain is listed whole, and each item has claims that exist, or a reason."""

from __future__ import annotations

import re

import pytest

from costderive.cli import main
from costderive.literature import Verdict, decide
from costderive.literature.contents import Contents, contents
from costderive.literature.published import published
from costderive.site import ledger

CLAIMS = {claim.id: claim for claim in published()}
NUMBERED = {  # how many of each the sources have, counted in their texts
    "Ahmadian2024": {"Eq.": 43, "Theorem": 6, "Definition": 5, "Algorithm": 4, "Table": 3, "Figure": 5},
    "Flach2015": {"Eq.": 20, "Theorem": 1, "Figure": 4},
    "Grygorian2019": {"Eq.": 36, "Theorem": 4, "Lemma": 2, "Figure": 17},
    "Parry2016": {"Eq.": 32, "Lemma": 2, "Figure": 1},
}


def numbers(found: Contents, sort: str) -> list[int]:
    """Return the numbers of the items of a sort; "Eq. (5)–(8)" is four."""
    ranges = [
        re.findall(r"\d+", item.name)
        for item in found.items
        if re.match(rf"{re.escape(sort)} \(?\d", item.name)
    ]
    return [number for ends in ranges for number in range(int(ends[0]), int(ends[-1]) + 1)]


@pytest.mark.parametrize("found", contents(), ids=lambda found: found.source.split()[0])
def test_every_numbered_item_of_a_source_is_listed_once(found: Contents) -> None:
    for sort, count in NUMBERED.get(found.source, {}).items():
        assert numbers(found, sort) == list(range(1, count + 1)), sort


def test_every_source_of_a_claim_is_listed() -> None:
    assert {found.source for found in contents()} == {claim.source for claim in published()}


def test_every_item_has_claims_of_its_source_or_a_reason() -> None:
    for found in contents():
        assert found.read
        for item in found.items:
            assert bool(item.claims) != bool(item.reason)
            assert all(CLAIMS[name].source == found.source for name in item.claims), item


def test_every_claim_belongs_to_an_item_that_it_names() -> None:
    listed = [name for found in contents() for item in found.items for name in item.claims]
    assert set(listed) == set(CLAIMS)


def test_the_contents_are_printed_with_the_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--contents"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^  Theorem 4 +ahmadian-theorem-4$", out, re.MULTILINE)
    assert re.search(r"^  Figure 16 +no claim: a drawing of Eq. \(33\)$", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 120


def test_the_page_links_each_item_to_its_claims() -> None:
    body = ledger.page([decide("flach-eq-13")]).body
    assert '<th>Eq. (13)</th><td><a href="#flach-eq-13"><code>flach-eq-13</code></a></td>' in body
    assert "<p>Read: paper 5 of the workshop" in body


def test_a_proof_that_is_only_quoted_is_not_judged() -> None:
    quoted = decide("flach-theorem-1")
    assert (quoted.verdict, quoted.proof) == (Verdict.CONFIRMED, "not judged")
    assert "The printed proof: not judged." in ledger.page([quoted]).body
    assert decide("grygorian-theorem-2").proof == decide("parry-eq-31").proof == "incomplete"
