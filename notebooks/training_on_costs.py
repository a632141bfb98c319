# %% [markdown]
# # Training on costs
#
# A rule that was derived from costs can be trained on, not only scored with: its gradient in the logit is what
# gradient boosting needs. Does that save anything over training on log loss? Here missing a malignant tumour costs
# about nine times what a false alarm does, and neither cost is known: both are exponential.

# %%
import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeRegressor

import costderive as cd

context = cd.Independent(fp=cd.laws.exponential(1), fn=cd.laws.exponential(9))
cost = cd.numeric.compile(cd.derive(context))
log_loss = cd.numeric.compile(cd.derive(cd.Harmonic(budget=1)))
print("costs:", cd.derive(context).rule.loss0, "and", cd.derive(context).rule.loss1)

# %% [markdown]
# Newton boosting in twenty lines. Each tree is fitted to the Newton step `-gradient/curvature`, weighted by the
# curvature. The second derivative of a loss may be negative far from the label; its expected value under the model's
# own belief is not: it is `w(p) p²(1 - p)²`, with `w` the threshold weight, and the gradient for class 0 is
# `w(p) p²(1 - p)`. A floor keeps steps finite where the weight all but vanishes.

# %%
ROUNDS, RATE, FLOOR = 20, 0.2, 1e-3


def curvature(loss, logit):
    """Return the expected second derivative in the logit."""
    found = loss.gradient(np.zeros(len(logit), dtype=int), logit=logit, wrt="logit") / (1 + np.exp(logit))
    return np.maximum(found, FLOOR)


def boosted(loss, x, y, more):
    """Train on (x, y) and return the probabilities of the rows ``more``."""
    start = np.log(y.mean() / (1 - y.mean()))
    logit, answer = np.full(len(y), start), np.full(len(more), start)
    for _ in range(ROUNDS):
        weight = curvature(loss, logit)
        step = -loss.gradient(y, logit=logit, wrt="logit") / weight
        tree = DecisionTreeRegressor(max_depth=3, min_samples_leaf=15, random_state=0)
        tree.fit(x, np.clip(step, -5, 5), sample_weight=weight)
        logit, answer = logit + RATE * tree.predict(x), answer + RATE * tree.predict(more)
    return 1 / (1 + np.exp(-answer))


# %% [markdown]
# Half of the breast-cancer data trains (class 1 is malignant), the other half is held out, in twenty random splits.
# Both losses get the same trees, rounds and rate. What counts is the cost of an instance held out, when whoever
# decides learns the costs and applies the threshold `c0/(c0 + c1)` to the model's probabilities: the rule itself.

# %%
x, benign = load_breast_cancer(return_X_y=True)
y, splits = 1 - benign, 20
ours, theirs = [], []
for train, test in StratifiedShuffleSplit(splits, test_size=0.5, random_state=1).split(x, y):
    ours.append(cost(y[test], boosted(cost, x[train], y[train], x[test])))
    theirs.append(cost(y[test], boosted(log_loss, x[train], y[train], x[test])))
print(f"cost held out: {np.mean(ours):.4f} trained on costs, {np.mean(theirs):.4f} trained on log loss")

# %% [markdown]
# The same rows stand in many splits, so that their costs are not independent. The corrected interval of Nadeau and
# Bengio (2003) takes the variance of the paired differences `1/n + test/train` times instead of `1/n`.

# %%
T_QUANTILE = 2.093  # 97.5 % with 19 degrees of freedom
difference = np.subtract(ours, theirs)
half = T_QUANTILE * np.sqrt(difference.var(ddof=1) * (1 / splits + 1))
low, high = difference.mean() - half, difference.mean() + half
print(f"difference: {difference.mean():+.4f}, 95 % interval {low:+.4f} to {high:+.4f}")
print(f"cheaper in {np.count_nonzero(difference < 0)} of {splits} splits")
verdict = "cheaper" if high < 0 else "dearer" if low > 0 else "not shown to be cheaper or dearer"
print(f"on these data, training on the costs is {verdict}")

# %% [markdown]
# In most splits log loss was the better teacher, although it knows nothing of the costs. Both rules are strictly
# proper and have the same Newton step `(y - p)/(p(1 - p))`; they differ in how much each row weighs,
# `w(p) p²(1 - p)²`. The costs weigh rows near their likely threshold, about 1/10, and forget those that are settled,
# which leaves a flexible model with fewer rows to learn from. A rule of the costs earns its keep as what models are
# compared by. Train on it where the model is too simple to be right everywhere (Buja, Stuetzle and Shen, 2005), and
# measure, as above.

# %%
p = np.linspace(0.002, 0.998, 499)
logits = np.log(p / (1 - p))
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
for name, loss, colour, dashes in (
    ("the costs", cost, "#D55E00", "-"),
    ("log loss", log_loss, "#0072B2", "--"),
):
    weight = loss.gradient(np.zeros(len(p), dtype=int), logit=logits, wrt="logit") * (1 - p)
    left.plot(p, weight / weight.max(), dashes, color=colour, label=name)
left.axvline(0.1, color="#767676", linewidth=0.7)
left.set(xlabel="forecast of a row", ylabel="weight of the row, of the largest", xlim=(0, 1), ylim=(0, 1.2))
left.set_title("What a row counts in training", fontsize=10)
left.legend(fontsize=8, frameon=False, ncols=2, loc="upper center")
right.plot(np.sort(difference), np.arange(1, splits + 1), "o", color="#767676", markersize=4, label="a split")
right.errorbar(
    difference.mean(), splits + 2, xerr=half, fmt="s", color="#D55E00", capsize=3, label="mean, interval"
)
right.axvline(0, color="#767676", linewidth=0.7)
right.set(xlabel="cost held out: trained on costs less on log loss", yticks=[], ylim=(0, splits + 4))
right.set_title("Twenty splits, in order", fontsize=10)
right.legend(fontsize=8, frameon=False, loc="lower right")
for axis in (left, right):
    axis.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# The rule is the expected total cost, so simulated costs agree with it within their standard error.

# %%
probability = boosted(cost, x[train], y[train], x[test])
run = cd.evaluate.simulate(context, y[test], probability, draws=20_000, seed=3)
print(f"rule {cost(y[test], probability):.4f}, simulated {run.mean:.4f} ± {run.standard_error:.4f}")
assert abs(run.mean - cost(y[test], probability)) < 4.5 * run.standard_error
