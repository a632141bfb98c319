"""The presets: each file is a context with its source, whose rule is proved and has the expected costs that it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mpmath import beta, mp, quad

import costderive as cd
from costderive import site

PAGE = (Path(site.__file__).parent / "pages" / "presets.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```toml\n# (\S+)\n(.*?)```", PAGE, flags=re.S))
CHURN = quad(lambda x: (190 * x - 1) * x**5 * (1 - x) ** 13, [mp.mpf(1) / 190, 1]) / quad(
    lambda x: x**5 * (1 - x) ** 13, [mp.mpf(1) / 190, 1]
)
EXPECTED = {  # of both costs, for rows with the amount 100 or the exposure 100
    "screening.toml": (0.03, 0.97),
    "fraud.toml": (10, 100),
    "churn.toml": (11, float(CHURN)),
    "credit.toml": (26.44, 100 * (2 / 9 + 7 / 9 / 2)),
}


def test_each_preset_has_a_source() -> None:
    assert set(FILES) == set(EXPECTED)
    assert all("\nsource = " in text for text in FILES.values())


@pytest.mark.parametrize("name", EXPECTED)
def test_the_rule_of_a_preset_is_proved_and_has_its_expected_costs(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    derivation = cd.spec.load(tmp_path / name).derive(60)
    cd.check(derivation).require_proved()
    rule = derivation.rule.at(**{symbol.name: 100 for symbol in derivation.rule.parameters})
    costs = float(rule.loss0.subs(cd.symbols.p, 1)), float(rule.loss1.subs(cd.symbols.p, 0))
    assert costs == pytest.approx(EXPECTED[name], rel=1e-12)


def test_the_law_of_churn_is_nearly_that_of_its_source() -> None:
    """Beta(6, 14), with less than 1e-9 of it cut off."""
    cut = quad(lambda x: x**5 * (1 - x) ** 13, [0, mp.mpf(1) / 190]) / beta(6, 14)
    assert cut < 1e-9 and float(CHURN) == pytest.approx(190 * 0.3 - 1, rel=1e-8)
