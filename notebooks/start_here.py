# %% [markdown]
# # From costs to a loss to a classifier
#
# A clinic screens for malignant tumours. Calling a benign tumour malignant (a false positive, class 0) costs between
# 1 and 10; missing a malignant one (a false negative, class 1) costs between 100 and 1000. Nothing more is known.
# Which of three classifiers is cheapest, and how should it decide?
#
# ## Your costs
#
# Say what you know, and derive. The checker decides every claim of the derivation, so that nothing of it has to be
# believed.

# %%
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import costderive as cd

context = cd.IndependentUniform(fp=(1, 10), fn=(100, 1000))
derivation = cd.derive(context)
report = cd.check(derivation).require_proved()
print(f"{report.verdict.name}: {len(report.findings)} claims")

# %% [markdown]
# ## Your loss
#
# `L0(p)` is what the forecast p of class 1 costs on average if the class is 0, `L1(p)` if it is 1, when the costs are
# known at the time of the decision and p is compared with `c0/(c0 + c1)`.

# %%
for name, loss in (("L0", derivation.rule.loss0), ("L1", derivation.rule.loss1)):
    for value, condition in loss.args:
        print(f"{name} = {value}, {'else' if condition == True else condition}")  # noqa: E712

# %% [markdown]
# The rule is proper: no other report is better than one's belief. It is strictly proper exactly where the threshold can
# lie: whether a tumour is malignant with probability 0.3 or 0.8 makes no difference to these costs, as the patient is
# operated on in both cases.

# %%
proper = derivation.cases[0].steps[-1].after
print("strictly proper for beliefs in", *proper.strict)
print("worst losses:", proper.losses.worst0, "and", proper.losses.worst1)
cd.plot.derivation(derivation)

# %% [markdown]
# ## Your classifiers
#
# Out-of-fold probabilities of three models, on the breast-cancer data of scikit-learn. The loss is in the units of
# the costs, an instance; drawing costs, deciding and adding up agrees within the standard error. All three rank
# almost perfectly, and the Brier score orders them alike; the factors between them are others.

# %%
folder = (
    Path(__file__).parent if "__file__" in globals() else Path()
)  # Jupyter starts in the folder of a notebook
data = cd.evaluate.read_predictions(folder / "predictions.csv", y_true="label")
scores = cd.evaluate.score(context, data.labels, data.models, draws=20_000, seed=1)
for row in scores:
    simulated = f"{row.simulation.mean:.3f} ± {row.simulation.standard_error:.3f}"
    print(f"{row.model:22} cost {row.loss:8.3f}   simulated {simulated}   Brier {row.brier:.4f}")
    assert abs(row.loss - row.simulation.mean) < 4 * row.simulation.standard_error

# %%
best, worst = scores.best, max(scores, key=lambda row: row.loss)
print(f"{worst.model} costs {worst.loss / best.loss:.1f} times what {best.model} costs;", end=" ")
print(f"by the Brier score it is {worst.brier / best.brier:.1f} times.")
for model, more in scores.over(best.model).items():
    chance = "may be chance" if more.low < 0 else "is no chance"
    print(
        f"{model} costs {more.value:.2f} more, 95 % interval {more.low:.2f} to {more.high:.2f}: that {chance}"
    )

# %% [markdown]
# Missing a tumour is a hundred times worse than a false alarm, and naive Bayes pays for being sure of itself when it
# is wrong. The area under a curve is the loss; only thresholds between 1/1001 and 1/11 count. Treating everybody
# ("always 1") costs 3.45: gradient boosting, with a fine Brier score, costs more than that.

# %%
cd.plot.cost_curves(scores)

# %% [markdown]
# ## Your choice of a model
#
# The rule is a scorer for scikit-learn, too: here it picks the regularisation of logistic regression. Sixty percent
# of the tumours train; the others are held out.

# %%
loss = scores.rule  # compiled; by itself, cd.numeric.compile(derivation)
x, benign = load_breast_cancer(return_X_y=True)
known, held_out, label, y = train_test_split(x, 1 - benign, test_size=0.4, stratify=benign, random_state=0)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
search = GridSearchCV(
    model, {"logisticregression__C": [0.01, 0.1, 1, 10]}, scoring=cd.sklearn.scorer(loss)
).fit(known, label)
p = search.predict_proba(held_out)[:, 1]
print(f"chosen: C = {search.best_params_['logisticregression__C']}; held out, it costs {loss(y, p):.2f}")

# %% [markdown]
# ## Your decisions
#
# If the costs become known case by case, compare p with `c0/(c0 + c1)`: that is what the loss is the cost of. If one
# threshold must do for all, it is `E[c0]/(E[c0] + E[c1])`. The threshold 1/2 of `predict` is for equal costs.

# %%
only = cd.evaluate.threshold_for(loss)
fp, fn = loss.loss0(1.0), loss.loss1(0.0)  # the expected costs, 5.5 and 550


def paid(threshold):
    """Return the mean cost, and how many of each kind of mistake there are."""
    false, missed = np.sum((p > threshold) & (y == 0)), np.sum((p <= threshold) & (y == 1))
    return (fp * false + fn * missed) / len(y), false, missed


run = cd.evaluate.simulate(context, y, p, draws=20_000, seed=2)
print(
    f"c0/(c0 + c1), case by case: cost {loss(y, p):6.2f}, simulated {run.mean:.2f} ± {run.standard_error:.2f}"
)
for name, threshold in ((f"one threshold, {only:.4f}", only), ("one threshold, 1/2", 0.5)):
    cost, false, missed = paid(threshold)
    print(f"{name:27} cost {cost:6.2f}, {false} false alarms and {missed} missed")
assert abs(run.mean - loss(y, p)) < 4.5 * run.standard_error

# %% [markdown]
# The decision matters more than the choice of the model. Next: `sentence_to_decision` for the way from a client's words
# to a saving, `flach_2015` and `inverse_score_thesis` for where such rules come from, `exercises` to try yourself,
# `linear_scoring_rules` for what the AUC costs, `training_on_costs` for training on a rule, and `own_context_and_move`
# if your costs are like those of no one else.
