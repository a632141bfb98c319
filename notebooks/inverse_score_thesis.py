# %% [markdown]
# # The Inverse Score thesis, reproduced
#
# Diana Grygorian's master's thesis *Classifier Evaluation With Proper Scoring Rules* (University of Tartu, 2019) asks
# which proper scoring rule is the expected cost if both costs are independent and uniform, and answers for the unit
# square: the *Inverse Score*. This notebook draws its figures again, has the engine decide its theorems, and says what
# does not hold as printed.
#
# In the thesis class 0 is the positive one. Here `c0` is the cost of misclassifying class 0, which is right for both.

# %%
from textwrap import shorten

import numpy as np
from matplotlib import pyplot as plt

import costderive as cd

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#767676"


def labelled(axis, x, y, title=""):
    axis.set(xlabel=x, ylabel=y)
    axis.set_title(title, fontsize=10)
    axis.spines[["top", "right"]].set_visible(False)
    if axis.get_legend_handles_labels()[1]:
        axis.legend(fontsize=8, edgecolor="none", framealpha=1)


# %% [markdown]
# ## What is counted, and what it costs (figures 1 and 2)
#
# The confusion matrix counts decisions, the cost matrix says what each costs. The cost of a classifier is the sum of
# their products. The thesis writes the cost matrix with the actual class in rows, as here, and `C(i, j)` for deciding
# i where the class is j; a right decision costs nothing.

# %%
COUNTS = (("TP", "FN"), ("FP", "TN"))
COSTS = (("C(0, 0) = 0", "C(1, 0) = $c_0$"), ("C(0, 1) = $c_1$", "C(1, 1) = 0"))
figure, pair = plt.subplots(1, 2, figsize=(8, 2.6), layout="constrained")
for axis, entries, title in zip(
    pair, (COUNTS, COSTS), ("Figure 1: confusion matrix", "Figure 2: cost matrix"), strict=True
):
    axis.imshow([[0, 1], [1, 0]], cmap="Oranges", vmax=4, aspect="auto")  # mistakes have a colour
    for actual in (0, 1):
        for predicted in (0, 1):
            axis.text(predicted, actual, entries[actual][predicted], ha="center", va="center")
    axis.set_xticks((0, 1), ("decided 0 (positive)", "decided 1 (negative)"), fontsize=9)
    axis.set_yticks((0, 1), ("class 0", "class 1"), fontsize=9)
    axis.set_title(title, fontsize=10)
    axis.tick_params(length=0)

# %% [markdown]
# ## Scores and thresholds (figures 3 to 6)
#
# The scores x are N(-1, 1) in class 0 and N(1, 1) in class 1, and `p = 1/(1 + exp(-2x))` is the probability of class 1.
# If `c0 = 9 c1` the threshold is `p = 9/10`, that is `x = ln(9)/2`.

# %%
x, p = np.linspace(-4, 4, 401), np.linspace(0.001, 0.999, 999)
logit = np.log(p / (1 - p))
figure, grid = plt.subplots(2, 2, figsize=(9, 5.6), layout="constrained")
for column, (threshold, costs) in enumerate(((0.5, "c0 = c1"), (0.9, "c0 = 9 c1"))):
    for label, colour in ((0, BLUE), (1, ORANGE)):
        mean = 2 * label - 1
        of_x = np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi)
        of_p = np.exp(-((logit / 2 - mean) ** 2) / 2) / np.sqrt(2 * np.pi) / (2 * p * (1 - p))
        grid[0, column].plot(x, of_x, color=colour, label=f"$f_{label}$")
        grid[1, column].plot(p, of_p, color=colour, label=f"$f_{label}$")
    at = np.log(threshold / (1 - threshold)) / 2
    grid[0, column].axvline(at, color=GREY, linestyle="--", label=f"threshold {at:.3g}")
    grid[1, column].axvline(threshold, color=GREY, linestyle="--", label=f"threshold {threshold}")
    grid[0, column].set_ylim(0, 0.62)  # room for the legends
    grid[1, column].set_ylim(0, 15)
    labelled(grid[0, column], "score x", "density", f"Figure {3 + column}: {costs}")
    labelled(grid[1, column], "probability p", "density", f"Figure {5 + column}: {costs}")

# %% [markdown]
# The thesis simulates the cost for `c0 = 9`, `c1 = 1`: 0.78265 at the threshold 0 and 0.34942 at `ln(9)/2`. The exact
# costs are others, and the digits printed are those of one simulation.

# %%
for answer in cd.claims.decide("grygorian-section-2-costs").answers:
    print(*answer.ruling.evidence, *answer.ruling.correction, sep="; ")

# %% [markdown]
# ## Convexity and divergence (figures 9 and 10)
#
# A function is convex if each chord lies above it, and, where it has a slope, if it lies above each of its tangents.
# The Bregman divergence `d(a, b)` is the height of the function above its tangent at a, at the place b. With the
# generator `-H` of a proper rule it is what reporting a instead of the belief b costs. Here it is that of the log loss.


# %%
def generated(x):
    return x * np.log(x) + (1 - x) * np.log(1 - x)


a, b = 0.75, 0.15
slope = np.log(a / (1 - a))
height = generated(a) + slope * (b - a)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained", sharey=True)
for axis in (left, right):
    axis.plot(p, generated(p), color=BLUE, label=r"$\phi$")
    axis.set_xticks((a, b), ("a", "b"))
    axis.set_yticks(())
left.plot((a, b), generated(np.array((a, b))), "o-", color=ORANGE, label="chord")
right.plot(p, generated(a) + slope * (p - a), color=GREY, label="tangent at a")
right.plot((b, b), (height, generated(b)), color=GREEN, linewidth=3, label="d(a, b)")
labelled(left, "", "", "Figure 9: a convex function")
labelled(right, "", "", "Figure 10: a Bregman divergence")
divergence = generated(b) - height
by_losses = b * np.log(b / a) + (1 - b) * np.log((1 - b) / (1 - a))
print(f"d(a, b) = {divergence:.4f}; by the losses, risk less entropy, {by_losses:.4f}")
assert abs(divergence - by_losses) < 1e-12

# %% [markdown]
# ## Log loss and Brier score (figures 7, 8, 11 and 12)
#
# The Brier score of the thesis is summed over both classes, twice what its Theorem 1 is about. As divergences: the gap
# between the generator `-H` at the belief 0.2 and its tangent at the report.

# %%
rules = {"log loss": cd.derive(cd.Harmonic(budget=1)), "Brier score": cd.derive(cd.Additive(budget=4))}
figure, grid = plt.subplots(2, 2, figsize=(9, 5.8), layout="constrained")
belief, report = 0.2, 0.7
for column, (name, derivation) in enumerate(rules.items()):
    loss = cd.numeric.compile(derivation)
    upper, lower = grid[:, column]
    upper.plot(p, loss.loss0(p), color=BLUE, label="class 0")
    upper.plot(p, loss.loss1(p), color=ORANGE, linestyle="--", label="class 1")
    upper.set_ylim(0, 4)
    labelled(upper, "p", "loss", f"Figure {7 + column}: {name}")
    generator = -((1 - p) * loss.loss0(p) + p * loss.loss1(p))
    tangent = -((1 - p) * loss.loss0(report) + p * loss.loss1(report))
    lower.plot(p, generator, color=BLUE, label="$-H$")
    lower.plot(p, tangent, color=GREY, linestyle="--", label=f"tangent at {report}")
    ends = [-((1 - belief) * loss.loss0(at) + belief * loss.loss1(at)) for at in (belief, report)]
    lower.plot([belief, belief], ends, color=GREEN, linewidth=3, label=f"divergence from {belief}")
    labelled(lower, "p", "", f"Figure {11 + column}: {name} as a Bregman divergence")

# %% [markdown]
# ## The costs (figures 13 and 14)
#
# Both costs are uniform, on the unit square or on any rectangle. The rays are lines of one threshold.

# %%
figure, grid = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for axis, (a, b, d, e), number in zip(grid, ((0, 1, 0, 1), (1, 2, 1, 3)), (13, 14), strict=True):
    axis.fill([a, b, b, a], [d, d, e, e], color=BLUE, alpha=0.25)
    for s in (0.2, 0.35, 0.5, 0.65, 0.8):
        reach = min(1.15 * b / s, 1.15 * e / (1 - s))
        axis.plot([0, s * reach], [0, (1 - s) * reach], color=GREY, linewidth=0.7)
        axis.annotate(f"{s}", (s * reach, (1 - s) * reach), fontsize=8, color=GREY)
    labelled(axis, "$c_0$", "$c_1$", f"Figure {number}: costs on [{a}, {b}] × [{d}, {e}]")

# %% [markdown]
# ## The Inverse Score (theorem 3, figures 15 and 16)
#
# The engine derives it from the costs, and the checker decides every claim of the derivation.

# %%
costs = cd.IndependentUniform(c0=(0, 1), c1=(0, 1))
derivation = cd.derive(costs)
report = cd.check(derivation).require_proved()
print(f"{derivation.verdict}: {report.verdict.name}, {len(report.findings)} claims")
print("L0 =", derivation.rule.loss0)
print("L1 =", derivation.rule.loss1)
for claim in ("grygorian-theorem-3", "grygorian-eq-33"):
    print(f"{claim}: {cd.claims.decide(claim).verdict}")

# %%
loss = cd.numeric.compile(derivation)
figure, grid = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained", sharey=True)
for label, (axis, values) in enumerate(zip(grid, (loss.loss0(p), loss.loss1(p)), strict=True)):
    axis.plot(p, values, color=(BLUE, ORANGE)[label])
    axis.axvline(0.5, color=GREY, linewidth=0.7)
    labelled(axis, "p", f"$L_{label}(p)$", f"Figure {15 + label}: loss if the class is {label}")

# %% [markdown]
# Its theorem 4, that the Inverse Score is proper, is true. The proof in print shows that the derivative of the risk
# vanishes at the truth, and no more: not its sign, nor what happens at 1/2, at 0 and at 1.

# %%
decision = cd.claims.decide("grygorian-theorem-4")
print(f"{decision.verdict}. Not shown:")
for condition in decision.missing:
    print(" *", condition)

# %% [markdown]
# ## General bounds (section 4.3)
#
# The thesis leaves general bounds to future work, and prints where to start, Eq. (36). That lacks a factor `c1` in the
# integrals of class 1, so that it fails on the unit square too, and for class 0 it misses the lower bound
# `a(1 - s)/s` of `c1` and the second order of the breakpoints, so that it is wrong as soon as `a > 0`. For costs on
# [1, 2] and [1, 3] class 0 cannot cost more than E[c0] = 3/2; Eq. (36) gives 1.7593.

# %%
a, b, d, e = 1, 2, 1, 3
s = np.linspace(a / (a + e), b / (b + d), 400_001)[:-1] + (b / (b + d) - a / (a + e)) / 800_000
top = np.where(s < b / (b + e), e, b * (1 - s) / s)
density = s / (1 - s) ** 3 * np.maximum(top**3 - d**3, 0) / 3 / ((b - a) * (e - d))
print(f"Eq. (36) with F0 = F1 = 0: {density.mean() * (b / (b + d) - a / (a + e)):.4f}")
general = cd.derive(cd.IndependentUniform(c0=(a, b), c1=(d, e)))
cd.check(general).require_proved()
print("L0(1) =", cd.numeric.compile(general).loss0(1.0))
print("Eq. (36) as printed:", cd.claims.decide("grygorian-eq-36").verdict)
print("L0 =", general.rule.loss0)

# %% [markdown]
# The engine has both losses for all bounds at once, in both orders of the breakpoints:
# `cd.derive(cd.IndependentUniform(c0=("a", "b"), c1=("d", "e")))`.
#
# ## Cost and loss (figure 17)
#
# 5,000 instances with scores N(-mu, 1) and N(mu, 1). The thesis takes `1/(1 + exp(-2x))` for all mu, which is
# calibrated for mu = 1 alone, and calls class 1 what it otherwise calls class 0. The equality of mean loss and
# expected cost needs no calibration and holds all the same; what calibration does is to make both smaller.

# %%
generator = np.random.default_rng(2019)
labels = np.repeat([0, 1], 2500)
noise = generator.normal(size=labels.size)
mus = np.linspace(0, 3, 13)
found = []
for mu in mus:
    margin = noise + np.where(labels == 1, mu, -mu)
    row = []
    for slope in (2.0, 2 * mu):
        probability = 1 / (1 + np.exp(-slope * margin))
        run = cd.evaluate.simulate(costs, labels, probability, draws=5000, seed=17)
        row += [loss(labels, probability), run.mean]
        assert abs(row[-2] - row[-1]) < 4.5 * run.standard_error
    found.append(row)
printed, simulated, calibrated, again = np.array(found).T
figure, axis = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axis.plot(mus, printed, color="#CC79A7", label="Inverse Score, 1/(1 + exp(-2x)) as printed")
axis.plot(mus, simulated, "o", color=GREEN, markersize=4, label="simulated cost")
axis.plot(mus, calibrated, color=BLUE, linestyle="--", label="Inverse Score, calibrated")
axis.plot(mus, again, "s", color=GREEN, markersize=3, label="simulated cost, calibrated")
labelled(axis, "mu", "mean loss, mean cost", "Figure 17: mean loss and simulated cost")

# %% [markdown]
# ## All that the thesis claims
#
# Each claim is data (`costderive/literature/published`), and its verdict is computed here.

# %%
for claim in cd.claims.list():
    if claim.id.startswith("grygorian"):
        decision = cd.claims.decide(claim)
        print(f"{decision.verdict:16} {claim.where:26} {claim.title}")
        if decision.verdict == "corrected":
            corrections = [line for answer in decision.answers for line in answer.ruling.correction]
            instead = shorten(claim.amendment or "; ".join(corrections), 140, placeholder=" …")
            print(f"{'':43} instead: {instead}")
