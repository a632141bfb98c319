"""Pictures: they are drawn for every kind of weight, no labels overlap, and files are whole or not there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

import costderive as cd
from costderive.cli import main
from costderive.core.errors import ExportError, ParametersLeftError
from costderive.evaluate import Scores, cost_curves, score
from costderive.publish import plots
from costderive.publish.formats.terminal import context_words
from costderive.publish.plots.canvas import styles
from costderive.publish.plots.weight_pictures import _apart

CONTEXTS = {
    "narrow": cd.Additive(density="uniform(1/50, 1/10)"),
    "unbounded": cd.Harmonic(),
    "atom": cd.FixedCosts(c0=1, c1=3),
    "below 1 %": cd.IndependentUniform(c0=(0, 10), c1=(0, 1000)),
    "mixture": cd.Mixture(("1/4", cd.FixedCosts(c0=1, c1=3)), ("3/4", cd.Additive())),
}
LONG = "a model with a name that is far too long for any legend $x$"


@cache
def scored(name: str) -> Scores:
    generator = np.random.default_rng(2)
    y = generator.integers(0, 2, 200)
    p = np.clip(0.3 * y + 0.7 * generator.random(200), 0.001, 0.999)
    return score(CONTEXTS[name], y, {"a": p, LONG: p**2, "c": np.sqrt(p)})


@cache
def derived(name: str) -> cd.Derivation:
    return cd.derive(CONTEXTS[name])


def texts(figure: Any) -> Iterator[Any]:
    """Yield what is written in a figure; ticks beyond the limits of an axis are not."""
    yield from figure.texts
    for legend in figure.legends:
        yield from legend.get_texts()
    for axes in figure.axes:
        yield from (axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label, *axes.texts)
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in axis.get_major_ticks():
                if low <= tick.get_loc() <= high and tick.label1.get_visible():
                    yield tick.label1
        yield from axes.get_legend().get_texts() if axes.get_legend() else ()


def require_legible(figure: Any) -> None:
    """Fail if two texts overlap, or one leaves the paper."""
    figure.canvas.draw()
    paper = figure.bbox
    boxes = [(x.get_text(), x.get_window_extent()) for x in texts(figure) if x.get_visible() and x.get_text()]
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not first.shrunk(0.9, 0.8).overlaps(second.shrunk(0.9, 0.8)), (one, other)
    for text, box in boxes:
        assert paper.x0 - 2 <= box.x0 and box.x1 <= paper.x1 + 2, text
        assert paper.y0 - 2 <= box.y0 and box.y1 <= paper.y1 + 2, text


@pytest.mark.parametrize("name", CONTEXTS)
def test_pictures_of_scores_are_legible(name: str) -> None:
    found = scored(name)
    for draw in (
        plots.decision,
        plots.cost_curves,
        plots.murphy_diagram,
        plots.decision_curves,
        plots.reliability_diagrams,
    ):
        require_legible(draw(found))


def test_a_cost_curve_draws_the_heights_of_the_curve() -> None:
    found = scored("narrow")
    axis = plots.cost_curves(found).axes[0]
    line = next(line for line in axis.lines if str(line.get_label()).startswith("a: "))
    s, heights = line.get_data()
    assert heights == pytest.approx(cost_curves(found)[0](s))
    assert line.get_label() == f"a: {found[0].loss:.4g}"


@pytest.mark.parametrize("name", CONTEXTS)
def test_pictures_name_the_context(name: str) -> None:
    words = context_words(CONTEXTS[name])
    for figure in (plots.cost_curves(scored(name)), plots.derivation(derived(name))):
        assert " ".join(figure.get_suptitle().split()) == words


def test_the_picture_that_decides_has_costs_of_1000_cases_and_the_cheapest_models() -> None:
    """Thresholds around 1/20: the elementary scores are taken here from the rows."""
    generator = np.random.default_rng(2)
    y = generator.integers(0, 2, 400)
    p = np.clip(0.3 * y + 0.7 * generator.random(400), 0.001, 0.999)
    models = {"a": p, "b": 1 - p, "c": np.full(400, 0.03)}
    found = score(CONTEXTS["narrow"], y, models)
    costs, ranges = plots.decision(found).axes
    dots = [line.get_xdata()[0] for line in costs.lines if line.get_marker() == "o"]
    assert dots == pytest.approx(sorted(1000 * row.loss for row in found))
    colours = dict(zip(models, ("#0072B2", "#D55E00", "#009E73"), strict=True))
    for part in ranges.patches:
        s = part.get_x() + part.get_width() / 2
        elementary = {
            name: np.mean(np.where(y == 1, (1 - s) * (values <= s), s * (values > s)))
            for name, values in models.items()
        }
        cheapest = [name for name, value in elementary.items() if value <= min(elementary.values()) + 1e-12]
        assert to_hex(part.get_facecolor()).upper() in [colours[name] for name in cheapest]


def test_thresholds_below_1_percent_have_an_axis_of_odds_on_which_areas_are_losses() -> None:
    found = scored("below 1 %")
    axis = plots.cost_curves(found).axes[0]
    assert axis.get_xscale() == "logit" and axis.get_xlim()[0] < 0.001
    line = next(line for line in axis.lines if str(line.get_label()).startswith("a: "))
    s, heights = line.get_data()
    area = np.trapezoid(heights, np.log(s / (1 - s)))
    assert area == pytest.approx(
        found[0].loss, rel=0.05
    )  # 0.4 % of the weight lies outside, where costs are high
    assert plots.cost_curves(scored("narrow")).axes[0].get_xscale() == "linear"


def test_the_steps_of_known_costs_are_shown_in_full() -> None:
    figure = plots.losses(cd.derive(cd.FixedCosts(1, 20)))
    require_legible(figure)
    assert [round(axis.get_ylim()[1] / 1.08) for axis in figure.axes] == [1, 20]
    assert all(
        len(axis.get_shared_x_axes().get_siblings(axis)) == 1 for axis in figure.axes
    )  # no axis over another


@pytest.mark.parametrize("name", CONTEXTS)
def test_pictures_of_a_context_are_legible(name: str) -> None:
    require_legible(plots.derivation(derived(name)))


THREE = {
    "uniform": cd.multiclass.IndependentCosts(("uniform(0, 1)",) * 3),
    "additive": cd.multiclass.DirichletCosts((1, 1, 1)),
}


@pytest.mark.parametrize("name", THREE)
def test_pictures_of_three_classes_are_legible(name: str) -> None:
    require_legible(plots.simplex(cd.multiclass.derive(THREE[name])))


def test_contours_of_three_classes_run_where_the_loss_is_what_they_say() -> None:
    figure = plots.simplex(cd.multiclass.derive(THREE["additive"]))
    loss = lambda a, b, c: 1 / (1 + a / b) ** 2 + 1 / (1 + a / c) ** 2 - 1 / (1 + a / b + a / c) ** 2  # noqa: E731
    for label, axis in enumerate(figure.axes[:3]):
        contours = next(x for x in axis.collections if x.get_linewidths()[0] == 0.6)
        for level, path in zip(contours.levels, contours.get_paths(), strict=True):
            for x, y in path.vertices[:: max(1, len(path.vertices) // 20)]:
                top = y / np.sqrt(0.75)
                forecast = np.array([1 - x - top / 2, x - top / 2, top])
                if level > 0 and forecast.min() > 0.02:
                    assert loss(*np.roll(forecast, -label)) == pytest.approx(level, abs=2e-3)


def test_costs_of_three_classes_are_drawn_and_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "three.svg"
    three = ["plot", "dirichlet", "--classes", "3", "--to", str(picture)]
    assert main(three) == 0
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    assert main([*three, "--against", "additive"]) == 2
    assert "dirichlet has costs of several classes" in capsys.readouterr().err


def test_a_triangle_of_four_classes_is_refused() -> None:
    with pytest.raises(ExportError, match="a triangle is for three classes, not 4"):
        plots.simplex(cd.multiclass.derive(cd.multiclass.DirichletCosts((1, 1, 1, 1))))


def test_the_divergence_is_the_gap_between_tangent_and_entropy() -> None:
    axis = plots.entropy(cd.derive(cd.Additive()), belief=0.75, report=0.25).axes[0]
    gap = next(line for line in axis.lines if "divergence" in str(line.get_label())).get_ydata()
    assert gap[1] - gap[0] == pytest.approx(0.25)  # (p - q)^2


@pytest.mark.parametrize("pair", [("narrow", "unbounded"), ("atom", "mixture")])
def test_pictures_of_two_contexts_are_legible(pair: tuple[str, str]) -> None:
    require_legible(plots.comparison(*map(derived, pair), names=pair))


def test_two_contexts_are_compared_by_the_shares_of_their_weights() -> None:
    """The weight of geometric costs is that of the arcsine law, ``1/(pi sqrt(s (1 - s)))``, times a factor."""
    pair = cd.derive(cd.Geometric(mean=5)), cd.derive(cd.Additive())
    axis = plots.comparison(*pair, names=("geometric", "additive")).axes[2]
    for line, share in zip(
        axis.lines, (lambda s: 2 / np.pi * np.arcsin(np.sqrt(s)), lambda s: s), strict=True
    ):
        s, drawn = line.get_data()
        assert drawn == pytest.approx(share(s), abs=1e-12)


def test_atoms_alone_are_as_high_as_their_masses() -> None:
    axis = plots.threshold_weight(derived("atom")).axes[0]
    (stem,) = axis.lines
    assert list(stem.get_ydata()) == [0, 4] and list(stem.get_xdata()) == [0.25, 0.25]


def test_losses_of_different_size_are_both_seen() -> None:
    figure = plots.losses(cd.derive(cd.Additive(density="uniform(1/50, 1/25)")))
    require_legible(figure)
    for axis, top in zip(figure.axes, (0.06, 1.94), strict=True):  # E[c0] = 2 E[s], E[c1]
        assert top * 0.9 < axis.get_ylim()[1] < 1.2 * top


def test_two_contexts_are_drawn_in_one_picture(tmp_path: Path) -> None:
    picture = tmp_path / "both.svg"
    assert main(["plot", "geometric", "--against", "additive", "--to", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8").startswith("<?xml")


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.png").mkdir()
    with pytest.raises(ExportError, match="cannot be written"):
        plots.saved(plots.losses(cd.derive(cd.Additive())), tmp_path / "x.png")
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_a_picture_is_the_same_each_time(kind: str, tmp_path: Path) -> None:
    figures = [plots.losses(cd.derive(cd.Additive())) for _ in range(2)]
    for k, figure in enumerate(figures):
        plots.saved(figure, tmp_path / f"{k}.{kind}")
    assert (tmp_path / f"0.{kind}").read_bytes() == (tmp_path / f"1.{kind}").read_bytes()


def test_pictures_go_to_files_of_known_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = plots.losses(cd.derive(cd.Additive()))
    for name, message in (("x.bmp", "does not end in"), ("none/x.png", "cannot be written")):
        with pytest.raises(ExportError, match=message):
            plots.saved(figure, tmp_path / name)
    assert main(["plot", "additive", "--budget", "m", "--to", str(tmp_path / "x.png")]) == 2
    assert "m in additive has no value" in capsys.readouterr().err


def test_a_rule_that_is_not_proper_is_drawn_with_the_risk_that_shows_it() -> None:
    derivation = cd.derive(cd.FixedCosts(1, 4), threshold=cd.FixedThreshold("1/2"))
    witness = derivation.witness
    assert witness is not None
    *_, risk = cd.plot.derivation(derivation, draws=10).axes
    curve, truth, better = risk.lines
    q = float(witness.belief)
    reports, risks = curve.get_data()
    direct = np.where(reports > 0.5, (1 - q) * 1, q * 4)  # E[c0; T < p] and E[c1; T >= p], directly
    assert np.allclose(risks, direct)
    assert truth.get_xydata().tolist() == [[q, 4 * q]]
    assert better.get_xydata()[0][1] < truth.get_xydata()[0][1]


def test_a_context_with_letters_is_drawn_at_numbers() -> None:
    derivation = cd.derive(cd.FixedCosts("c", "d"))
    figure = cd.plot.derivation(derivation, at={"c": 1, "d": 3}, draws=10)
    assert figure.axes[0].collections[1].get_offsets().tolist() == [[1, 3]]
    with pytest.raises(ParametersLeftError, match="c, d"):
        cd.plot.derivation(derivation)


def test_models_that_tie_are_all_named_and_long_names_keep_their_ends() -> None:
    y, p = [0, 0, 1, 1], np.array([0.1, 0.4, 0.6, 0.9])
    names = {"first": p, "second": p, f"{LONG} 1": 1 - p, f"{LONG} 2": 1 - p}
    costs, ranges = cd.plot.decision(score(cd.Additive(), y, names)).axes
    assert "first = second" in {text.get_text() for text in ranges.texts}
    written = [label.get_text() for label in costs.get_yticklabels()]
    assert sorted(text[-1] for text in written if text.startswith("a model")) == ["1", "2"]


def test_looks_differ_for_fifty_lines() -> None:
    looks = [(look["color"], str(look["linestyle"])) for look, _ in zip(styles(), range(50), strict=False)]
    assert len(set(looks)) == 50


def test_what_names_the_threshold_of_the_context_is_no_second_mark() -> None:
    ranges = cd.plot.decision(scored("atom")).axes[1]
    assert len(ranges.lines) == 1
    assert ranges.get_legend() is None
    assert "▼" in ranges.get_xlabel()


@pytest.mark.parametrize(("low", "high"), [(0.03, 0.06), (0.001, 0.09), (1e-6, 0.19), (0.9, 0.995)])
def test_labels_on_an_axis_of_log_odds_are_several_and_do_not_touch(low, high):
    places = _apart(low, high)
    odds = np.log([x / (1 - x) for x in (low, *places, high)])
    assert 3 <= len(places) <= 8
    assert min(np.diff(odds[1:-1])) > 0.12 * (odds[-1] - odds[0])
