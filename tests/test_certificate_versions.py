"""Certificates of older versions stay readable, and prove what they proved but for what is claimed today besides."""

from __future__ import annotations

from pathlib import Path

import pytest

import costderive as cd
from costderive.derivation.certificates.versions import SINCE, VERSION
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Verdict

KEPT = sorted((Path(__file__).parent / "certificates").glob("version-*.json"))
OPEN_SINCE = {
    1: {"every law of the context has the total 1: no antiderivative is given that shows it"},
    2: set(),
    3: set(),
}


def test_a_certificate_of_every_older_version_is_kept() -> None:
    assert [path.stem for path in KEPT] == [f"version-{older}" for older in range(1, VERSION)]
    assert set(SINCE) == set(range(1, VERSION))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_an_older_certificate_is_read_and_leaves_open_what_it_does_not_show(path: Path) -> None:
    derivation = Derivation.from_json(path.read_text(encoding="utf-8"))
    unproved = [found for found in cd.check(derivation).findings if found.verdict is not Verdict.PROVED]
    assert {found.claim.what for found in unproved} == OPEN_SINCE[int(path.stem[-1])]
    assert {found.verdict for found in unproved} <= {Verdict.OPEN}


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_what_an_older_certificate_says_is_what_is_derived_today(path: Path) -> None:
    derivation = Derivation.from_json(path.read_text(encoding="utf-8"))
    today = cd.derive(derivation.context)
    assert today.outcome == derivation.outcome
    assert Derivation.from_json(derivation.to_json()) == derivation
