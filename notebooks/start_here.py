# %% [markdown]
# # From costs to a loss to a classifier
#
# A clinic screens for malignant tumours. Calling a benign tumour malignant (a false positive, class 0) costs between
# 1 and 10; missing a malignant one (a false negative, class 1) costs between 100 and 1000. Nothing more is known.
# Which of three classifiers is cheapest?

# %%
from pathlib import Path

import numpy as np

import costderive as cd

context = cd.IndependentUniform(fp=(1, 10), fn=(100, 1000))
derivation = cd.derive(context)
report = cd.check(derivation).require_proved()
print(f"{report.verdict.name}: {len(report.findings)} claims")

# %% [markdown]
# The scoring rule of these costs is proper, and strictly so exactly where the threshold `c0/(c0 + c1)` can lie.

# %%
proper = derivation.cases[0].steps[-1].after
print("strictly proper for beliefs in", proper.strict)
print("worst losses:", proper.losses.worst0, proper.losses.worst1)

# %% [markdown]
# Compiled, it scores predictions in the units of the costs. The simulated total cost agrees within its standard error.

# %%
folder = (
    Path(__file__).parent if "__file__" in globals() else Path()
)  # Jupyter starts in the folder of a notebook
data = cd.evaluate.read_predictions(folder / "predictions.csv", y_true="label")
scores = cd.evaluate.score(context, data.labels, data.models, draws=20_000, seed=1)
for row in scores:
    simulated = f"{row.simulation.mean:.3f} ± {row.simulation.standard_error:.3f}"
    print(f"{row.model:22} cost {row.loss:8.3f}   simulated {simulated}   Brier {row.brier:.4f}")

assert all(abs(row.loss - row.simulation.mean) < 4 * row.simulation.standard_error for row in scores)

# %% [markdown]
# The Brier score puts the models in the same order here; the factors between them are others. Under costs that make
# a missed tumour a hundred times worse, naive Bayes, which is sure of itself when it is wrong, pays for it.

# %%
best, worst = min(scores, key=lambda row: row.loss), max(scores, key=lambda row: row.loss)
print(f"{worst.model} costs {worst.loss / best.loss:.1f} times what {best.model} costs;", end=" ")
print(f"by the Brier score it is {worst.brier / best.brier:.1f} times.")

# %% [markdown]
# For comparison, the experiment of the thesis that introduced the Inverse Score: 5,000 instances with scores
# N(-mu, 1) and N(mu, 1), calibrated. The log-odds of the two normal laws are 2 mu s.

# %%
inverse = cd.IndependentUniform(c0=(0, 1), c1=(0, 1))
loss = cd.numeric.compile(cd.derive(inverse))
generator = np.random.default_rng(2019)
labels = np.repeat([0, 1], 2500)
for mu in (0.0, 0.5, 1.0, 2.0, 3.0):
    margin = generator.normal(np.where(labels == 1, mu, -mu), 1.0)
    probability = 1 / (1 + np.exp(-2 * mu * margin))
    run = cd.evaluate.simulate(inverse, labels, probability, draws=20_000, seed=7)
    mean = loss(labels, probability)
    print(
        f"mu = {mu:3.1f}: Inverse Score {mean:.5f}, simulated cost {run.mean:.5f} ± {run.standard_error:.5f}"
    )
    assert abs(mean - run.mean) < 4.5 * run.standard_error
