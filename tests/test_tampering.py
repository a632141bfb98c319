"""A changed certificate proves nothing new, and a hostile one gives an error in words."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import sympy

import costderive as cd
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import Law, Mass, Spread
from costderive.deciders.enclosure import sample as sample_points
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.vocabularies.two_classes import TWO_CLASSES
from tests.tampering import FAMILIES, KINDS, SURVIVES, WITHOUT, fate, places, put, sample

UNPROVED = {"refused", "REFUTED", "OPEN", "NUMERIC"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_changed_certificate_proves_nothing_else(family: str, kind: str) -> None:
    """A sample: ``python -m tests.tampering`` tries all changes."""
    fates = [fate(family, changed) for changed in sample(family, kind, 2)]
    assert bool(fates) == (family not in WITHOUT.get(kind, ()))
    assert SURVIVES not in fates
    if kind not in ("part missing", "step removed"):  # what is left may still be whole, and prove the same
        assert set(fates) <= UNPROVED


# ---- hostile files

INTEGER, P = (lambda n: ["Integer", str(n)]), ["Symbol", "p"]


def tower(levels: int, exponent: int) -> Any:
    """Return a power of a power of a power, each of which is small."""
    return P if levels == 0 else ["Pow", ["Add", tower(levels - 1, exponent), INTEGER(1)], INTEGER(exponent)]


HUGE = {
    "an exponent that is a product": ["Pow", INTEGER(10), ["Mul", INTEGER(9999), INTEGER(9999)]],
    "the same of p": ["Pow", P, ["Mul", INTEGER(9999), INTEGER(9999)]],
    "an exponent that is an exponential": ["Pow", P, ["exp", INTEGER(99)]],
    "a fraction to a fraction": ["Pow", ["Rational", "7" * 999, "2"], ["Rational", "99", "2"]],
    "a factorial": ["gamma", INTEGER(10**8)],
    "a factorial of a factorial": ["gamma", ["gamma", INTEGER(9999)]],
    "a factorial and a half": ["gamma", ["Rational", "99999999", "2"]],
    "an incomplete factorial": ["uppergamma", INTEGER(10**8), P],
    "exponentials of exponentials": ["exp", ["exp", ["exp", ["exp", INTEGER(9)]]]],
    "a tower": tower(6, 30),
    "a higher tower": tower(20, 40),
}


@pytest.mark.parametrize("name", HUGE)
def test_a_number_that_fills_the_memory_is_not_read(name: str) -> None:
    text = cd.derive(cd.Additive()).to_json()
    loss = '["Pow", ["Symbol", "p"], ["Integer", "2"]]'
    assert loss in text
    with pytest.raises(SpecError, match=r"too (large|high) to work with"):
        Derivation.from_json(text.replace(loss, json.dumps(HUGE[name])))


def test_an_exponential_of_exponentials_is_not_enclosed() -> None:
    expr = cd.symbols.p
    for _ in range(6):
        expr = sympy.exp(expr)
    assert sample_points(expr, Interval(cd.symbols.p, sympy.S.Zero, sympy.S.One), Given()) == []


@pytest.mark.parametrize("new", [None, 1, 0.5, "p", [], {}, ["tuple"], True], ids=str)
def test_a_value_of_another_kind_anywhere_proves_nothing_else(new: Any) -> None:
    whole = json.loads(FAMILIES["improper pair"]().to_json())
    spots = [path for path in places(whole) if path and path[0] in ("derivation", "rule")]
    for path in spots[:: len(spots) // 40]:
        changed = deepcopy(whole)
        put(changed, path, new)
        if changed != whole:
            assert fate("improper pair", changed) in {"refused", "REFUTED", "OPEN"}


BYTES = {
    "another encoding": '{"format": "costderive derivation", "x": "\u00e9"}'.encode("latin-1"),
    "a byte order": "\ufeff{}".encode(),
    "half a letter": b'{"format": "\\ud800", "version": 2}',
    "zeros": b"\0" * 100,
    "an infinite number": b'{"format": "costderive derivation", "version": 2, "x": 1e999}',
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_certificate_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hostile.json"
    file.write_bytes(BYTES[name])
    assert main(["check", str(file)]) == 2
    assert "hostile.json" in capsys.readouterr().err


def test_a_certificate_that_takes_too_long_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slow.json"
    file.write_text(cd.derive(cd.Additive()).to_json())
    assert main(["check", "--time-limit", "0.001", str(file)]) == 2
    assert "was not read in 0.001 seconds" in capsys.readouterr().err


def of_classes(text: str) -> MulticlassDerivation:
    return MulticlassDerivation.from_json(text, "hostile.json")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"classes": 3', '"classes": 900', "classes = 900 is not a whole number from 2 to 8"),
        ('"classes": 3', '"classes": 4000000000', "4000000000 is not a count"),
        ('"classes": 3', '"classes": 2', "entropy has a parameter p2, which is a letter of the package"),
        ('"classes": 3', '"classes": true', "True is not int"),
        ('"MulticlassDerivation"', '"Derivation"', "it has no MulticlassDerivation"),
    ],
)
def test_hostile_entropies_are_refused(old: str, new: str, words: str) -> None:
    text = FAMILIES["entropy"]().to_json()
    assert old in text
    with pytest.raises(SpecError, match=f"hostile.json: {words}"):
        of_classes(text.replace(old, new))


@pytest.mark.parametrize(("old", "new"), [("x", "t"), ("x", "p0"), ("x", "q7")])
def test_an_entropy_for_any_number_of_classes_has_letters_of_no_class(old: str, new: str) -> None:
    text = FAMILIES["any classes"]().to_json()
    with pytest.raises(SpecError, match=f"has a parameter {new}, which is a letter"):
        of_classes(text.replace(f'["Symbol", "{old}"]', f'["Symbol", "{new}"]'))


def test_shapes_that_fill_the_memory_are_refused() -> None:
    text = FAMILIES["shares"]().to_json()
    changed = text.replace(
        '"shapes": ["tuple", ["Integer", "1"]', '"shapes": ["tuple", ["Integer", "9999999999"]'
    )
    assert changed != text
    with pytest.raises(SpecError):
        cd.check(of_classes(changed))


NO_LAW = {
    "twice as probable": Law(masses=(Mass(sympy.S.One, sympy.Integer(2)),)),
    "of nothing": Law(),
    "of negative costs": Law(spreads=(Spread(-sympy.S.One, sympy.S.Zero, sympy.S.One),)),
    "too dense": Law(spreads=(Spread(sympy.S.Zero, sympy.S.One, sympy.Integer(2)),)),
}


@pytest.mark.parametrize("name", NO_LAW)
def test_a_law_that_is_none_is_not_read(name: str) -> None:
    with pytest.raises(SpecError, match="a law has"):
        TWO_CLASSES.decode(TWO_CLASSES.encode(NO_LAW[name]))


def test_a_joint_density_of_another_total_is_not_read() -> None:
    data = TWO_CLASSES.encode(cd.Joint(2, "c0 + c1 <= 1"))
    assert TWO_CLASSES.decode(data) == cd.Joint(2, "c0 + c1 <= 1")
    with pytest.raises(SpecError, match="total probability"):
        TWO_CLASSES.decode({**data, "density": INTEGER(3)})


def test_laws_with_steep_ends_are_read() -> None:
    """Their densities lose up to a fifth of their total in doubles."""
    for law in (cd.laws.kumaraswamy("1/10", "1/10"), cd.laws.logitnormal(1, 40), cd.laws.weibull("1/10", 1)):
        assert TWO_CLASSES.decode(TWO_CLASSES.encode(law)) == law
