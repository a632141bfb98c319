# %% [markdown]
# # Cost-sensitive classification meets proper scoring rules, reproduced
#
# Peter Flach's paper of 2015 asks what happens to the expected cost of a classifier if not the sum of the two costs is
# given, but another mean of them. This notebook draws its figures again, has the engine decide its theorem, derives the
# loss of geometric costs that it left open and the family in `k`, and answers its question about boosting.
#
# In the paper class 0 is the positive one. Here `c0` is the cost of misclassifying class 0, which is right for both.

# %%
import numpy as np
from matplotlib import pyplot as plt

import costderive as cd

CONTEXTS = {
    "additive": (cd.Additive(budget=2), "#0072B2", "-"),
    "harmonic": (cd.Harmonic(budget="1/2"), "#D55E00", "--"),
    "geometric": (cd.Geometric(mean=1), "#009E73", ":"),
    "Euclidean": (cd.PowerMean(k=2, mean=1), "#CC79A7", "-."),
}
GREY = "#767676"
derivations = {name: cd.derive(context) for name, (context, _, _) in CONTEXTS.items()}
losses = {name: cd.numeric.compile(derivation) for name, derivation in derivations.items()}

# %% [markdown]
# ## Cost curves
#
# A model gives ten instances these scores. At the cost proportion `c` the costs are `b c` and `b (1 - c)`, where the
# mean that is given fixes `b`; the model decides at the threshold `c`.

# %%
scores = np.array([0.05, 0.15, 0.22, 0.35, 0.4, 0.48, 0.6, 0.72, 0.8, 0.95])
labels = np.array([0, 0, 1, 0, 0, 1, 0, 1, 1, 1])
calibrated = np.array(
    [0, 0, 1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2, 1, 1, 1]
)  # by the pool-adjacent-violators algorithm
BUDGETS = {
    "additive": lambda c: 2 + 0 * c,
    "harmonic": lambda c: 0.5 / (c * (1 - c)),
    "geometric": lambda c: 1 / np.sqrt(c * (1 - c)),
    "Euclidean": lambda c: np.sqrt(2 / (c**2 + (1 - c) ** 2)),
}


def cost(probabilities, name, c, threshold=None):
    threshold = c if threshold is None else threshold
    of0 = np.mean((labels == 0) & (probabilities > threshold[:, None]), axis=1)
    of1 = np.mean((labels == 1) & (probabilities <= threshold[:, None]), axis=1)
    return BUDGETS[name](c) * (c * of0 + (1 - c) * of1)


c = (np.arange(20_000) + 0.5) / 20_000
for name in CONTEXTS:
    area, mean = cost(scores, name, c).mean(), losses[name](labels, scores)
    print(f"{name:10} area under the cost curve {area:.4f}, mean loss {mean:.4f}")
    assert abs(area - mean) < 5e-3

# %% [markdown]
# The area under a curve is the mean loss: this is what the paper proves for additive costs (the Brier score) and for
# harmonic ones (half the log loss), and what holds of every context. With calibrated scores the curve is the lower
# envelope of the cost lines.


# %%
def curves(names, number):
    _, grid = plt.subplots(1, 2, figsize=(9.5, 3.7), layout="constrained", sharey=True)
    for axis, used, title in zip(
        grid, (scores, calibrated), ("the scores", "calibrated scores"), strict=True
    ):
        for name in names:
            _, colour, dashes = CONTEXTS[name]
            mean = losses[name](labels, used)
            axis.plot(
                c, cost(used, name, c), dashes, color=colour, linewidth=1.4, label=f"{name}: area {mean:.3f}"
            )
        if len(names) == 1:
            for at in (0, *scores):
                axis.plot(
                    c,
                    cost(scores, names[0], c, 0 * c + at),
                    color=GREY,
                    linewidth=0.5,
                    linestyle="--",
                    zorder=0,
                )
            axis.vlines(np.unique(used), 0, 0.6, color=GREY, linewidth=0.5, linestyle=":", zorder=0)
        axis.set(xlabel="cost proportion c", ylim=(0, 0.6), xlim=(0, 1))
        axis.set_title(f"Figure {number}: {title}", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(fontsize=8, edgecolor="none", framealpha=1, loc="upper right")
    grid[0].set_ylabel("cost")


curves(["additive"], 1)

# %%
curves(["additive", "harmonic"], 2)

# %% [markdown]
# ## Four contexts (figure 3)
#
# All go through (1, 1): they are commensurate with the error rate.

# %%
inner = np.linspace(0.002, 0.998, 997)
figure, axis = plt.subplots(figsize=(5, 4.4), layout="constrained")
for name, (_, colour, dashes) in CONTEXTS.items():
    budget = BUDGETS[name](inner)
    axis.plot(budget * inner, budget * (1 - inner), dashes, color=colour, label=name)
axis.set(xlim=(0, 3), ylim=(0, 3), xlabel="$c_0$", ylabel="$c_1$")
axis.set_title("Figure 3: the costs of four contexts", fontsize=10)
axis.spines[["top", "right"]].set_visible(False)
axis.legend(fontsize=8, frameon=False)

# %% [markdown]
# ## Theorem 1
#
# The expected loss of harmonic costs, `s` uniform, is (half) the log loss. The engine decides it from the statement,
# and the paper's equations one by one; what does not hold as printed are slips of the pen.

# %%
for claim in cd.claims.list():
    if claim.id.startswith("flach"):
        decision = cd.claims.decide(claim)
        print(f"{decision.verdict:14} {claim.where:26} {claim.title}")
        if decision.verdict == "corrected":
            print(f"{'':41} instead: {claim.amendment or decision.answers[0].ruling.correction[0]}")

# %% [markdown]
# ## The loss of geometric costs
#
# The paper stops at Eq. (16), the expected loss in terms of the cost proportion, and leaves its metric to future work.
# Here it is, with its proof.

# %%
geometric = derivations["geometric"]
report = cd.check(geometric).require_proved()
print(f"{geometric.verdict}; {report.verdict.name}, {len(report.findings)} claims")
print("L0 =", geometric.rule.loss0)
print("L1 =", geometric.rule.loss1)

# %%
curves(list(CONTEXTS), 4)

# %% [markdown]
# ## The family in k
#
# Between the smaller cost being given (`k` to minus infinity) and the larger one (`k` to infinity). The members shown
# have losses in closed form; where none is found they stay integrals, and are proved and computed all the same.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.7), layout="constrained")
FAMILY = ("-oo", -2, -1, 0, "1/2", 1, 2, 3, "oo")
INFINITE = {"-oo": "-∞", "oo": "∞"}
for index, k in enumerate(FAMILY):
    derivation = cd.derive(cd.PowerMean(k=k, mean=1))
    cd.check(derivation).require_proved()
    loss = cd.numeric.compile(derivation)
    print(f"k = {k!s:>3}: L0 = {derivation.rule.loss0}")
    colour = plt.colormaps["viridis"](0.95 * index / len(FAMILY))
    left.plot(inner, loss.loss0(inner), color=colour, label=f"k = {INFINITE.get(k, k)}")
    slope = np.gradient(loss.loss0(inner), inner) / inner
    right.plot(inner[1:-1], slope[1:-1], color=colour)
left.set(xlabel="p", ylabel="$L_0(p)$", xlim=(0, 1), ylim=(0, 2))
right.set(xlabel="s", ylabel="threshold weight", xlim=(0, 1), ylim=(0, 6))
left.set_title("The loss of class 0", fontsize=10)
right.set_title("The threshold weight", fontsize=10)
left.legend(fontsize=8, frameon=False)
for axis in (left, right):
    axis.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# ## Boosting
#
# "The form of the loss suggests a possible connection with boosting" (section 6). Boosting minimises the mean of
# `exp(-yF)`, with `y = 1` or `-1` and `F` half the log-odds; in `p` this is `sqrt((1 - p)/p)` and `sqrt(p/(1 - p))`.
# As a scoring rule it has the threshold weight `1/(2 (s (1 - s))^(3/2))`, and a context of given geometric mean has
# that weight if the density of the cost proportion is a multiple of `1/(s (1 - s))`: if its log-odds are uniform on the
# whole line. That is no probability. So the connection holds, and it is improper: the geometric mean of the costs is
# known, and every order of magnitude of their ratio is equally likely. With `s` uniform the weight is
# `1/sqrt(s (1 - s))`, and there is no boosting.

# %%
boosting = cd.rule_from_weight("1/(2*(s*(1-s))^(3/2))")
cd.check(boosting.derivation).require_proved()
print("L0 =", boosting.loss0)
print("L1 =", boosting.loss1)
p = cd.symbols.p
same = cd.rule_from_losses("sqrt(p/(1-p))", "sqrt((1-p)/p)")
print("the losses of boosting:", same.verdict, "with the threshold weight", same.weight)

# %% [markdown]
# The engine takes such a law if it is told that it is improper. The losses then are in units of cost times mass, that
# is, per unit of log-odds, and not expected costs of a random instance; on the scale of the logit `x` of `p` they are
# `2 b exp(x/2)` and `2 b exp(-x/2)`, the exponential loss.

# %%
improper = cd.derive(cd.Geometric(mean="b", density="improper(1/(s*(1-s)))"))
cd.check(improper).require_proved()
print("L0 =", improper.rule.loss0, " L1 =", improper.rule.loss1)
print(improper.rule.at(b="1/2").equivalent_to(boosting))

# %% [markdown]
# Cut off at odds of 1 : 19 and 19 : 1, the same law is a probability, and the context one like the others. Inside the
# bounds its losses are those of boosting, but for a factor and a constant.

# %%
uniform_log_odds = cd.laws.Density("1/(2*log(19)*s*(1-s))", ("1/20", "19/20"))
bounded = cd.derive(cd.Geometric(mean=1, density=uniform_log_odds))
cd.check(bounded).require_proved()
print("L0 =", bounded.rule.loss0)
loss = cd.numeric.compile(bounded)
within = np.linspace(0.06, 0.94, 45)
gap = np.log(19) * loss.loss0(within) - np.sqrt(within / (1 - within))
print("ln(19) L0 - sqrt(p/(1 - p)) =", np.unique(gap.round(12)), " and -1/sqrt(19) =", -1 / np.sqrt(19))
assert np.ptp(gap) < 1e-12
