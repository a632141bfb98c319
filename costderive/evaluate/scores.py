"""The scores of several models on one set of labels, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costderive.contexts import Additive, Context, Harmonic
from costderive.evaluate.simulation import Simulation, simulate
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.data import batch
from costderive.thresholds import Calibrated, Threshold
from costderive.walks import derive


@dataclass(frozen=True, slots=True)
class ModelScore:
    """What one model loses: the mean loss, its parts from the two classes, and well-known scores beside it.

    ``loss = loss0 + loss1``, in the units of the costs: ``loss0`` is what instances of class 0 contribute to the
    mean over all instances, ``loss1`` what those of class 1 do. ``infinite`` counts the rows whose loss is infinite.
    """

    model: str
    loss: float
    loss0: float
    loss1: float
    brier: float
    log_loss: float
    infinite: int
    infinite_log_loss: int
    simulation: Simulation


def score(
    context: Context,
    y_true: ArrayLike,
    models: Mapping[str, ArrayLike],
    *,
    threshold: Threshold = Calibrated(),
    draws: int = 100_000,
    seed: int | None = None,
    pos_label: Any = None,
    time_limit: float = 60.0,
) -> tuple[ModelScore, ...]:
    """Score each model's predictions under a cost context, with the Brier score and the log loss beside it.

    At a ``threshold`` of its own the loss need not be a proper scoring rule; it is what those decisions cost.

    ``models`` maps a name to probabilities of class 1, of shape (n,) or (n, 2). The Brier score and the log loss
    are themselves derived, from the additive and the harmonic context; nothing is clipped, so a log loss may be
    infinite. All models are simulated with the same draws of the costs.

    Raises:
        DataError: if labels or probabilities cannot be scored.
        ParametersLeftError: if a parameter of the context has no number.
    """
    derivation = derive(context, threshold=threshold, time_limit=time_limit)
    loss = compile(derivation)
    seed = int(np.random.default_rng().integers(2**63)) if seed is None else seed
    return tuple(
        _scored(
            name,
            loss,
            y_true,
            proba,
            simulate(derivation.context, y_true, proba, draws=draws, seed=seed, pos_label=pos_label),
            pos_label,
        )
        for name, proba in models.items()
    )


def _scored(
    name: str,
    loss: CompiledLoss,
    y_true: ArrayLike,
    y_proba: ArrayLike,
    simulation: Simulation,
    pos_label: Any,
) -> ModelScore:
    losses = loss.per_sample(y_true, y_proba, pos_label=pos_label)
    logs = _log_loss().per_sample(y_true, y_proba, pos_label=pos_label)
    is_one = batch(y_true, y_proba, pos_label).is_one
    return ModelScore(
        model=name,
        loss=loss(y_true, y_proba, pos_label=pos_label),
        loss0=float(losses[~is_one].sum() / len(losses)),
        loss1=float(losses[is_one].sum() / len(losses)),
        brier=_brier()(y_true, y_proba, pos_label=pos_label),
        log_loss=_log_loss()(y_true, y_proba, pos_label=pos_label),
        infinite=int(np.isinf(losses).sum()),
        infinite_log_loss=int(np.isinf(logs).sum()),
        simulation=simulation,
    )


@cache
def _brier() -> CompiledLoss:
    return compile(derive(Additive(budget=2)))


@cache
def _log_loss() -> CompiledLoss:
    return compile(derive(Harmonic(budget=1)))
