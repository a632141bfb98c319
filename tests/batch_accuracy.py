"""The H-measure, the AUC and discriminations of real data: the package beside the published formulas.

Run as ``python -m tests.batch_accuracy`` it prints the table of the page on accuracy and speed. The formulas are
written here once more, from their sources, with nothing of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betainc
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

import costderive as cd
from costderive.batch import BatchRule, additive, auc, discrimination
from costderive.evaluate import Scores, score
from costderive.evaluate.curves import reliabilities, rocs

Array = np.ndarray[Any, np.dtype[np.float64]]
PREDICTIONS = Path(__file__).parent.parent / "notebooks" / "predictions.csv"
FEATURES = ("mean radius", "mean texture", "mean smoothness", "mean fractal dimension")
ROUNDING = 1e-12
EVERY = 19  # one of so many instances is taken for a discrimination, which is exact
CONTEXT = cd.Additive(budget=2, density="beta(2, 2)")
H_WEIGHT = "weight of the H-measure"
WEIGHTS: dict[str, Callable[[Array], Array]] = {
    "Brier score": lambda s: np.full_like(s, 2.0),
    H_WEIGHT: lambda s: 12 * s * (1 - s),
}
RULES = {"Brier score": cd.families.brier, H_WEIGHT: cd.families.h_measure}


# -------------------------------------------------------------------------------------- the published formulas


def published_h_measure(y: Array, scores: Array) -> float:
    """Return ``1 - L/L_max`` for the cost proportion of law Beta(2, 2), from the convex hull of the ROC curve.

    Source: Hand (2009), where the H-measure is introduced.
    """
    zeros, ones = _hull(y, scores)
    n0, n1 = zeros[-1], ones[-1]
    falls = np.diff(ones) / (
        np.diff(zeros) + np.diff(ones)
    )  # the cost proportions at which the best threshold moves
    edges = np.concatenate([[1.0], falls, [0.0]])
    loss = np.sum(zeros * _moment(edges, 0) + (n1 - ones) * _moment(edges, 1))
    trivial = np.array([1.0, n1 / (n0 + n1), 0.0])
    worst = n1 * _moment(trivial, 1)[0] + n0 * _moment(trivial, 0)[1]
    return float(1 - loss / worst)


def _moment(edges: Array, label: int) -> Array:
    """Return the integrals of the cost of an error, c or 1 - c, by Beta(2, 2) between descending edges."""
    powers = (2, 3) if label else (3, 2)
    return np.asarray(-np.diff(0.5 * betainc(*powers, edges)))


def _hull(y: Array, scores: Array) -> tuple[Array, Array]:
    """Return what lies above the thresholds at the corners of the hull, of each class, from none to all."""
    corners: list[tuple[int, int]] = []
    for threshold in (np.inf, *np.unique(scores)[::-1]):
        above = y[scores >= threshold]
        x, z = int(np.sum(above == 0)), int(np.sum(above == 1))
        while len(corners) > 1 and _turns_up(corners[-2], corners[-1], (x, z)):
            corners.pop()
        corners.append((x, z))
    found = np.array(corners, dtype=float)
    return found[:, 0], found[:, 1]


def _turns_up(first: tuple[int, int], second: tuple[int, int], third: tuple[int, int]) -> bool:
    """Whether the second corner lies on or below the line from the first to the third."""
    (a, b), (c, d), (e, f) = first, second, third
    return (c - a) * (f - b) >= (e - a) * (d - b)


def published_discrimination(name: str, report: Array, belief: Array) -> float:
    """Return ``E[D]^2/var[D]`` of independent labels, by integrals of the threshold weight from belief to report.

    ``D`` has the mean of the divergence, the integral of ``(s - q) w(s)``, and ``var[y]`` times the squared integral of
    ``w`` as its variance, for each label.

    Source: Schervish (1989), for the integral over thresholds; Parry (2016), Eq. (28).
    """
    nodes, parts = np.polynomial.legendre.leggauss(8)
    width = (report - belief) / 2
    s = belief[:, None] + width[:, None] * (1 + nodes)
    weight = WEIGHTS[name](s) * parts * width[:, None]
    mean = np.sum(weight * (s - belief[:, None]))
    variance = np.sum(belief * (1 - belief) * np.sum(weight, axis=1) ** 2)
    return float(mean**2 / variance)


# -------------------------------------------------------------------------------------------------- the data


def data() -> dict[str, tuple[Array, Array]]:
    """Return labels and forecasts: out-of-fold predictions, and features scaled to [0, 1] as if they were forecasts."""
    names = PREDICTIONS.read_text().partition("\n")[0].split(",")
    columns = np.loadtxt(PREDICTIONS, delimiter=",", skiprows=1)
    found = {name: (columns[:, 0], columns[:, k]) for k, name in enumerate(names) if k}
    cancer = load_breast_cancer()
    for feature in FEATURES:
        values = cancer.data[:, list(cancer.feature_names).index(feature)]
        scaled = (values - values.min()) / np.ptp(values)
        found[feature] = ((cancer.target == 0).astype(float), scaled)
    return found


# ------------------------------------------------------------------------------------------------- the table


class Row(NamedTuple):
    """What the package computes of a data set, in each way that it has, and what the formula says."""

    quantity: str
    forecasts: str
    found: tuple[float, ...]
    published: float

    @property
    def error(self) -> float:
        """The largest relative difference."""
        return max(abs(value - self.published) for value in self.found) / self.published


def rows() -> Iterator[Row]:
    """Yield every quantity of every data set."""
    known, rules = data(), {name: additive(build()).rule for name, build in RULES.items()}
    for name, (y, forecast) in known.items():
        scores = score(CONTEXT, y.astype(int), {name: forecast})
        ways = 1 - scores[0].recalibrated / scores.constant, _h_of_batch(rules[H_WEIGHT], y, forecast, scores)
        yield Row("H-measure", name, ways, published_h_measure(y, forecast))
        areas = auc(y, forecast), rocs(scores)[0].area
        yield Row("AUC", name, areas, float(roc_auc_score(y, forecast)))
    belief = known["logistic_regression"][1][::EVERY]
    for name in ("gradient_boosting", "naive_bayes"):
        report = known[name][1][::EVERY]
        for of, rule in rules.items():
            found = float(discrimination(rule, report.tolist(), belief.tolist()))
            yield Row(f"discrimination, {of}", name, (found,), published_discrimination(of, report, belief))


def _h_of_batch(rule: BatchRule, y: Array, forecast: Array, scores: Scores) -> float:
    """Return what recalibration saves by the additive rule of a batch, as a share of the loss of the best constant."""
    (diagram,) = reliabilities(scores)
    recalibrated = diagram.recalibrated[np.searchsorted(diagram.probability, forecast)]
    return 1 - rule.score(y, recalibrated) / rule.score(y, np.full_like(y, y.mean()))


def line(row: Row) -> str:
    """Return a line of the table, where differences of rounding are not told apart."""
    error = f"below {ROUNDING:.0e}" if row.error < ROUNDING else f"{row.error:.0e}"
    name = row.forecasts.replace("_", " ")
    return f"| {row.quantity} | {name} | {row.found[0]:.8f} | {row.published:.8f} | {error} |"


HEADER = (
    "| quantity | forecasts | costderive | formula | relative difference |",
    "| --- | --- | --- | --- | --- |",
)


def table() -> str:
    """Return the table of the page."""
    return "\n".join([*HEADER, *map(line, rows())])


if __name__ == "__main__":
    print(table())
