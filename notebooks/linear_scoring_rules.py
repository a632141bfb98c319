# %% [markdown]
# # Linear scoring rules and the AUC
#
# A ROC curve shows how well a model ranks, and competitions publish its area, the AUC. Matthew Parry's paper of 2016,
# *Linear scoring rules for probabilistic binary classification*, asks what a score must be like if a whole batch of
# forecasts is handed in at once, and nobody shall gain by handing in anything else than what they believe. Is the AUC
# such a score? Which costs does it stand for? Here the engine decides what the paper says, costs are computed and
# simulated beside it, and four models are scored on real data that they have not seen.
#
# The data: 442 patients with diabetes, half of them held out. Class 1 is a measure of progression above 200 after a
# year, about one patient in four. `c0` and `c1` are the costs of misclassifying class 0 and class 1.

# %%
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
from matplotlib import pyplot as plt
from sklearn import metrics
from sklearn.datasets import load_diabetes
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import costderive as cd
from costderive import batch

GREY = "#767676"
MODELS = {
    "logistic regression": (LogisticRegression(C=100), "#0072B2", "-"),
    "nearest neighbours": (KNeighborsClassifier(25), "#009E73", "-."),
    "naive Bayes": (GaussianNB(), "#D55E00", "--"),
    "decision tree": (DecisionTreeClassifier(min_samples_leaf=10, random_state=0), "#CC79A7", ":"),
}
x, progression = load_diabetes(return_X_y=True)
x, held_out, known, y = train_test_split(
    x, (progression > 200).astype(int), test_size=0.5, stratify=progression > 200, random_state=0
)
forecasts = {
    name: model.fit(x, known).predict_proba(held_out)[:, 1] for name, (model, _, _) in MODELS.items()
}
n, n1 = len(y), int(y.sum())
n0 = n - n1
print(f"{n} patients held out, {n1} of class 1")

# %% [markdown]
# ## A score of the whole batch
#
# With the labels `y` and the forecasts `w`, both of `n` numbers, a *linear scoring rule* is the loss
#
# $$ S(y, w) = H(w) + (y - w) \cdot g(w), $$
#
# in which `H` is a concave function, the entropy, and `g(w)` its gradient (at a kink, one of its supergradients): the
# loss is the height of the tangent plane at `w` above the point `y`. Tangent planes of a concave function lie above
# it, so nothing expects less than the probabilities `q` of the labels: `S(q, w) >= H(q) = S(q, q)`. Sums of losses of
# one instance are of this kind, but there are others. The engine proves each for any number of instances.

# %%
RULES = {
    "Brier, Eq. (7)": batch.additive("q*(1 - q)/2"),
    "log loss, Eq. (6)": batch.additive("-q*ln(q) - (1 - q)*ln(1 - q)"),
    "spherical, Eq. (9)": batch.homogeneous(2),
    "ranks, Eq. (12)": batch.rank_based(),
    "decisions, Eq. (25)": batch.additive(cd.derive(cd.FixedCosts(c0=1, c1=4))),
}
for name, derivation in RULES.items():
    report = derivation.check().require_proved()
    print(f"{name:20} {derivation.verdict:15} {report.verdict.name}, {len(report.findings)} claims")

# %% [markdown]
# Less is better, and the units differ: the third and the fourth judge a forecast beside the others of its batch.
# Naive Bayes ranks better than the decision tree and yet has a worse Brier score. The tree was certain of something
# that did not come true.

# %%
print(" " * 20, *(f"{name:>20}" for name in forecasts))
for name, derivation in RULES.items():
    print(f"{name:20}", *(f"{derivation.score(y, w):20.2f}" for w in forecasts.values()))

# %% [markdown]
# *Linear* means that `S` is linear in the labels. So its expectation depends on their probabilities alone, however
# the labels hang together, and nobody has to say how they do. Here are three labels that depend on each other.

# %%
LAW = {(0, 0, 0): "4/10", (1, 1, 0): "2/10", (1, 0, 0): "2/10", (1, 1, 1): "1/10", (0, 0, 1): "1/10"}
LAW = {labels: Fraction(chance) for labels, chance in LAW.items()}
probabilities = [sum(chance * labels[i] for labels, chance in LAW.items()) for i in range(3)]
told = ("1/2", "1/5", "3/10")
print("probabilities of the labels:", *probabilities)
for name, derivation in RULES.items():
    mean = sum(float(chance) * float(derivation.rule.exact(labels, told)) for labels, chance in LAW.items())
    alone = float(derivation.rule.expected(told, probabilities))
    print(f"{name:20} expects {mean:8.5f} by the law, {alone:8.5f} by the probabilities")
    assert abs(mean - alone) < 1e-12

# %% [markdown]
# ## Ranks, and the AUC
#
# Let `psi_i` be the number of forecasts below the i-th less the number above it. The rule of ranks is `S = -y · psi`:
# a 1 earns a point for each forecast that it beats, and loses one for each that beats it; what two 1s take from each
# other cancels. A ROC curve in counts instead of rates shows it (Parry's figure 1): `S` is -2 times the area between
# curve and diagonal. The AUC is the same on another scale, `AUC = (1 - S/(n1 n0))/2`.

# %%
ranks = RULES["ranks, Eq. (12)"]
figure, axis = plt.subplots(figsize=(5.8, 4.4), layout="constrained")
for name, w in forecasts.items():
    _, colour, dashes = MODELS[name]
    false, true, _ = metrics.roc_curve(y, w, drop_intermediate=False)
    area = metrics.auc(n0 * false, n1 * (true - false))
    score = ranks.score(y, w)
    print(f"{name:20} S = {score:6.0f}, AUC {metrics.roc_auc_score(y, w):.4f}")
    assert abs(score + 2 * area) < 1e-8
    assert abs((1 - score / (n0 * n1)) / 2 - metrics.roc_auc_score(y, w)) < 1e-12
    axis.plot(n0 * false, n1 * true, dashes, color=colour, label=f"{name}: area {area:.0f}")
    if name == "logistic regression":
        axis.fill_between(n0 * false, n1 * true, n1 * false, color=colour, alpha=0.12, linewidth=0)
axis.plot([0, n0], [0, n1], color=GREY, linewidth=0.8)
axis.set(xlabel="false positives", ylabel="true positives", xlim=(0, n0), ylim=(0, n1 + 1))
axis.set_title("Figure 1: the area above the diagonal, in counts", fontsize=10)
axis.spines[["top", "right"]].set_visible(False)
axis.legend(fontsize=8, frameon=False, loc="lower right")

# %% [markdown]
# ## Is the AUC proper?
#
# Its scale `1/(n1 n0)` depends on the labels, so that the AUC is not linear in them. Proper means here that no
# ranking expects a larger AUC than that of the probabilities, and whether that is so depends on what is known of the
# labels.

# %%
for what, derivation in {
    "rule of ranks, any labels": ranks,
    "AUC, n1 known beforehand": batch.auc_among("counted"),
    "AUC, independent labels": batch.auc_among("independent"),
    "AUC, any labels": batch.auc_alone(),
}.items():
    report = derivation.check().require_proved()
    print(f"{what:26} {derivation.verdict:9} {report.verdict.name}, {len(report.findings)} claims")

# %% [markdown]
# If `n1` is known, the scale is a number. If labels are independent, the other labels weigh a pair alike whichever of
# the two is the 1 (which the paper takes from Byrne, 2016). If they depend, it may pay to hand in another ranking.
# The engine's witness has four instances; scikit-learn's AUC agrees.

# %%
trap = batch.auc_alone().conclusion
for labels, chance in trap.law:
    print(f"labels {labels}: chance {chance}")
expected = []
for what, w in (("probabilities", trap.witness.belief), ("another report", trap.witness.report)):
    told = np.array(w, dtype=float)
    expected.append(sum(float(chance) * metrics.roc_auc_score(labels, told) for labels, chance in trap.law))
    score = sum(chance * ranks.rule.exact(labels, w) for labels, chance in trap.law)
    print(f"{what:14} {told}: AUC {expected[-1]:.2f} expected, rule of ranks {score}")
assert np.allclose(expected, [-float(trap.witness.truthful), -float(trap.witness.better)])

# %% [markdown]
# Either the first label alone is 1, or the next two are, which is a little likelier. In the first event there are
# fewer pairs of different labels, and each weighs more: it pays to bet on it. The rule of ranks is not misled.
#
# And none of them is *strictly* proper: only the ranking counts. Forecasts raised to the tenth power rank alike; as
# probabilities they are worthless, and the Brier score says so.

# %%
w = forecasts["logistic regression"]
brier = RULES["Brier, Eq. (7)"]
for what, told in (("w", w), ("w^10", w**10)):
    print(
        f"{what:5} AUC {batch.auc(y, told):.4f}, ranks {ranks.score(y, told):.0f}, Brier {brier.score(y, told):.1f}"
    )

# %% [markdown]
# ## The costs of decisions
#
# Let a false alarm cost `c0 = 1` and a missed patient `c1 = 4`. Once it is said how forecasts become decisions, their
# cost is a score of the forecasts. Is it proper? Parry's section 4 takes a fixed threshold (Eq. 21), decisions drawn
# at random with the forecast as their probability (Eq. 22 and 23), and the Bayes act, class 1 above
# `c0/(c0 + c1) = 1/5` (Eq. 24 to 27). Drawing at random is the same as a random threshold, uniform on [0, 1]. An
# improper rule comes with a witness: a belief, and a report that costs less.

# %%
costs = cd.FixedCosts(c0=1, c1=4)
DECISIONS = {
    "threshold 1/2": cd.derive(costs, threshold=cd.FixedThreshold("1/2")),
    "drawn at random": cd.derive(costs, threshold=cd.RandomThreshold(density="1")),
    "threshold 1/5": cd.derive(costs),
}
for name, derivation in DECISIONS.items():
    report, found = cd.check(derivation).require_proved(), derivation.witness
    print(f"{name:16} {derivation.verdict:9} {report.verdict.name}, {len(report.findings)} claims")
    if found:
        print(
            f"    belief {found.belief}: {found.truthful} if told, {found.better} if {found.report} is told"
        )

# %% [markdown]
# With letters for the costs the witness is a formula: with `c0 = a` and `c1 = b`, a belief below `a/(a + b)` should
# be told as 0. The entropy of random decisions, Eq. (22), is that of another rule, a multiple of the Brier score.
# That of the Bayes act, Eq. (27), is the lower of two lines; the rule of a batch is proved from that alone.

# %%
drawn = cd.examine("a*p", "b*(1 - p)")
cd.check(drawn).require_proved()
found = drawn.witness
print(
    f"{drawn.verdict}: belief {found.belief} costs {found.truthful} if told, {found.better} if {found.report} is told"
)
again = cd.rule_from_entropy("(a + b)*q*(1 - q)")
print("the entropy (a + b) q (1 - q) has the losses", again.loss0, "and", again.loss1)
bayes = batch.lowest([["4*w0", "1 - w0"], ["4*w1", "1 - w1"]], instances=2)
print("the lower of 4w and 1 - w, two instances:", bayes.verdict, bayes.check().require_proved().verdict.name)

# %% [markdown]
# Does it matter? Say a competition charges 1 and 4 for the held-out patients. A team that trusts its logistic
# regression may hand in the forecasts, or play the game: 1 above 1/5, and 0 below. Beside the engine's losses,
# decisions are made (10,000 times, where they are drawn) and paid for.

# %%
DRAWS = np.random.default_rng(1).uniform(size=(10_000, n))
THRESHOLDS = {"threshold 1/2": 0.5, "drawn at random": DRAWS, "threshold 1/5": 0.2}


def paid(told, thresholds):
    """Return mean and standard error of the cost of an instance; there may be a row of thresholds for each draw."""
    positive = np.atleast_2d(told > thresholds)
    runs = np.where(y == 1, 4 * ~positive, positive).mean(axis=1)
    return runs.mean(), runs.std() / np.sqrt(len(runs))


for name, derivation in DECISIONS.items():
    loss, line = cd.numeric.compile(derivation), []
    for told in (w, np.where(w > 0.2, 1.0, 0.0)):
        mean, error = paid(told, THRESHOLDS[name])
        assert abs(loss(y, told) - mean) < 4.5 * error + 1e-12
        line.append(f"{loss(y, told):.3f} (simulated {mean:.3f})")
    print(f"{name:16} believed: {line[0]}   played: {line[1]}")

# %% [markdown]
# At 1/2 the team gains a little by not saying what it believes, and a third where decisions are drawn. Under the
# Bayes act there is nothing to gain.
#
# ## Which cost the AUC stands for
#
# Now the costs are uncertain: `c0 = 2s` and `c1 = 2(1 - s)` with `s` uniform, the additive context. Who learns `s`
# and decides at the threshold `s` expects the Brier score as the cost. Hernández-Orallo, Flach and Ferri (2012)
# consider another practice as well, *rate-driven* thresholds: the share `s` of the batch with the lowest forecasts is
# called class 0, however low they are. Beds and inspectors are given out like that. Their theorem: the expected cost
# is `1/3 + π0 π1 (1 - 2 AUC)`, with `π0 = n0/n` and `π1 = n1/n`. Put in the rule of ranks and it reads
#
# $$ \text{expected cost} = \tfrac13 + S(y, w)/n^2. $$
#
# The labels are gone from the scale. **The cost behind the AUC is a proper linear scoring rule, Parry's rule of
# ranks, for labels of any kind. The AUC itself, which divides by `n1 n0`, is not.**
#
# (Draw the share independently of the costs, uniformly, and 1/3 becomes 1/2.) Why it holds: if the share `s` has
# `B(s)` labels of class 1, hence `n s - B(s)` of class 0, the cost of an instance is
# `2 (s (n0 - n s + B) + (1 - s) B)/n = 2 (s (n0 - n s) + B)/n`. A label of class 1 is in the share for a fraction
# `(n - psi_i)/(2n)` of all `s`, so that the integral of `B` is `n1/2 - y · psi/(2n)`, and the cost
# `n0/n - 2/3 + n1/n - y · psi/n²`. This is exact for each batch if ties are shared out, and so is the one instance at
# the edge of the share. The package derives costs of thresholds that do not depend on the batch, so this link has no
# certificate: here it is decided for all rankings and labels of up to four instances, by Simpson's rule in fractions,
# exact where costs are quadratic.


# %%
def rate_driven(s, y, w):
    """Return the cost of an instance at the cost proportions s, of shape (m,), if the lowest share s is class 0."""
    w, n = np.asarray(w), len(w)
    below, tied = (w[:, None] > w).sum(axis=1), (w[:, None] == w).sum(axis=1)
    zero = np.minimum(
        np.maximum((s[:, None] * n - below) / tied, 0), 1
    )  # which part of each is called class 0
    return 2 * np.where(np.asarray(y) == 1, (1 - s[:, None]) * zero, s[:, None] * (1 - zero)).sum(axis=1) / n


def integral(y, w, number=float):
    """Return the mean cost over s uniform: costs are quadratic between multiples of 1/n."""
    n = len(w)
    s = np.array([number(k) / (2 * n) for k in range(2 * n + 1)])
    c = rate_driven(s, y, w)
    return (c[:-1:2] + 4 * c[1::2] + c[2::2]).sum() / (6 * n)


decided = 0
for size in (1, 2, 3, 4):
    for labels, order in product(product((0, 1), repeat=size), product(range(size), repeat=size)):
        net = [sum(v < mine for v in order) - sum(v > mine for v in order) for mine in order]
        score = -sum(one * psi for one, psi in zip(labels, net, strict=True))
        assert integral(labels, order, Fraction) == Fraction(1, 3) + Fraction(score, size**2)
        decided += 1
print(decided, "batches, all equal")

# %% [markdown]
# On the patients held out, with a simulation: a cost proportion is drawn, the share is called class 0, ties and the
# edge by lot, and the costs are paid.


# %%
def simulated(w, draws=4000, seed=5):
    """Return mean and standard error of the cost of an instance."""
    draw = np.random.default_rng(seed)
    runs = []
    for s in draw.uniform(size=draws):
        order = np.lexsort((draw.uniform(size=n), w))
        zeros = order[: int(s * n + draw.uniform())]
        missed = y[zeros].sum()
        runs.append(2 * (s * (n0 - len(zeros) + missed) + (1 - s) * missed) / n)
    return np.mean(runs), np.std(runs) / np.sqrt(draws)


for name, w in forecasts.items():
    by_rank = 1 / 3 + ranks.score(y, w) / n**2
    mean, error = simulated(w)
    print(
        f"{name:20} 1/3 + S/n² = {by_rank:.4f}, integral {integral(y, w):.4f}, simulated {mean:.4f} ± {error:.4f}"
    )
    assert abs(integral(y, w) - by_rank) < 1e-12 and abs(mean - by_rank) < 4.5 * error

# %% [markdown]
# The same costs, the same models, two practices. The areas are expected costs: on the left what the AUC stands for,
# on the right the Brier score.

# %%
additive = cd.derive(cd.Additive(budget=2))
cd.check(additive).require_proved()
by_probability = cd.numeric.compile(additive)
s = (np.arange(4000) + 0.5) / 4000
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.9), layout="constrained", sharey=True)
for name, w in forecasts.items():
    _, colour, dashes = MODELS[name]
    at_s = 2 * np.array([np.where(y == 1, (1 - c) * (w <= c), c * (w > c)).mean() for c in s])
    assert abs(at_s.mean() - by_probability(y, w)) < 1e-3
    left.plot(s, rate_driven(s, y, w), dashes, color=colour, label=f"{name}: {integral(y, w):.3f}")
    right.plot(s, at_s, dashes, color=colour, label=f"{name}: {by_probability(y, w):.3f}")
left.plot(s, rate_driven(s, y, y), color=GREY, linewidth=0.9, label=f"perfect ranking: {integral(y, y):.3f}")
constant = 2 * np.minimum(s * n0, (1 - s) * n1) / n
right.plot(s, constant, color=GREY, linewidth=0.9, label=f"best constant: {constant.mean():.3f}")
left.set_ylabel("cost of an instance")
left.set_title("Figure 2: decided by rank, at the rate s", fontsize=10)
right.set_title("decided by probability, at the threshold s", fontsize=10)
for axis in (left, right):
    axis.set(xlabel="cost proportion s", xlim=(0, 1), ylim=(0, 0.6))
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(fontsize=8, frameon=False, loc="upper right")

# %% [markdown]
# To decide by rank costs more with each of the models, and something even with perfect ranks, `1/3 - π0 π1`: the
# share that is called class 0 is forced upon the batch, whoever is in it. The two practices order the models
# differently, too. Naive Bayes ranks better than the tree; but its probabilities are too sure, and who decides by
# them pays for it: below 1/5 and above 3/5 a constant would be cheaper. The AUC does not see that.
#
# ## A ruler that depends on what it measures
#
# What if decisions are made at the best thresholds, after recalibration? Hand (2009) shows that the AUC is an
# expected cost then as well, under a law of the cost proportion that is not uniform: it is the law of the
# recalibrated forecasts themselves. In each group of equal recalibrated forecasts `s`, the share of class 1 is `s`.
# If `s` is drawn as the forecast of a random patient of the batch, the expected cost is `4 π0 π1 (1 - AUC)`, with the
# AUC of the recalibrated forecasts, whose ROC curve is the convex hull. Such a law is a context like others: a table
# of masses. (Forecasts of 0 and 1 cost nothing, and are left out; the budget is less by their share.)

# %%
recalibrated, hand = {}, {}
for name, w in forecasts.items():
    values, place = np.unique(w, return_inverse=True)
    mean, size = (np.bincount(place, weights=y) / np.bincount(place), np.bincount(place))
    recalibrated[name] = isotonic_regression(mean, sample_weight=size)[place]
    masses = Counter(Fraction(q).limit_denominator(n) for q in recalibrated[name])
    inside = {str(q): count for q, count in masses.items() if 0 < q < 1}
    total = sum(inside.values())
    law = {q: str(Fraction(count, total)) for q, count in inside.items()}
    derivation = cd.derive(cd.Additive(budget=str(Fraction(2 * total, n)), density=law))
    report = cd.check(derivation).require_proved()
    hand[name] = cd.numeric.compile(derivation)
    cost = hand[name](y, recalibrated[name])
    area = metrics.roc_auc_score(y, recalibrated[name])
    print(
        f"{name:20} cost {cost:.5f}, 4 π0 π1 (1 - {area:.4f}) = {4 * n0 * n1 / n**2 * (1 - area):.5f}",
        end="; ",
    )
    print(f"{derivation.verdict}, {report.verdict.name}, {len(report.findings)} claims")
    assert abs(cost - 4 * n0 * n1 / n**2 * (1 - area)) < 1e-12

# %% [markdown]
# So each model is measured by a law of its own, and no two models by the same: this is Hand's objection. His
# H-measure takes one law for all, Beta(2, 2).

# %%
fair = cd.derive(cd.Additive(budget=2, density="beta(2, 2)"))
cd.check(fair).require_proved()
common = cd.numeric.compile(fair)
figure, axis = plt.subplots(figsize=(6.4, 3.9), layout="constrained")
for name, q in recalibrated.items():
    _, colour, dashes = MODELS[name]
    axis.step(
        [0, *np.sort(q), 1], [0, *(np.arange(n) + 1) / n, 1], dashes, color=colour, where="post", label=name
    )
axis.plot(s, s**2 * (3 - 2 * s), color="black", linewidth=1.6, label="Beta(2, 2), of the H-measure")
axis.plot(s, s, color=GREY, linewidth=0.9, label="uniform, of the Brier score")
axis.set(xlabel="cost proportion s", ylabel="probability of a smaller one", xlim=(0, 1), ylim=(0, 1.01))
axis.set_title("Figure 3: the cost proportions that the AUC takes for granted", fontsize=10)
axis.spines[["top", "right"]].set_visible(False)
axis.legend(fontsize=8, frameon=False, loc="lower right")

# %% [markdown]
# In a table, with a column for each law: the AUC reads the diagonal, each model in its own column. To compare models,
# read down a column instead. The last ones are the H-measure's law, and the H-measure: the share that is saved of the
# cost of the best constant forecast.

# %%
worst = common(y, np.full(n, n1 / n))
print(f"{'':20} {'costs by the law of each':^84} Beta(2, 2)  H-measure")
for name, q in recalibrated.items():
    line = [f"{loss(y, q):.4f}{'*' if other == name else ' '}" for other, loss in hand.items()]
    print(
        f"{name:20}",
        *(f"{cell:>20}" for cell in line),
        f"{common(y, q):10.4f} {1 - common(y, q) / worst:10.3f}",
    )

# %% [markdown]
# The starred costs say that the tree is more than twice as dear as logistic regression. By any one law, its own too,
# it is not. Here all laws agree on the order, as they need not if ROC curves cross. (The table is symmetric, and a
# curiosity: in a cell the forecasts of class 1 of one model compete with those of class 0 of the other.)

# %%
low, high = (recalibrated[name] for name in ("logistic regression", "decision tree"))
print("how many times as dear the tree is:")
for name, loss in (*hand.items(), ("Beta(2, 2)", common)):
    print(f"    {loss(y, high) / loss(y, low):.2f} by the law of {name}")
own = hand["decision tree"](y, high) / hand["logistic regression"](y, low)
print(f"    {own:.2f} each by its own, as the AUC has it")

# %% [markdown]
# Flach, Hernández-Orallo and Ferri (2011) answered that the AUC is coherent if all forecasts serve as thresholds, and
# not only the optimal ones. Both are right, of different practices: decisions by rank with one law for all models, or
# decisions at the best threshold with a law for each. What no reading gives is the best threshold under one law.
#
# ## What does not hold as printed
#
# Each statement of the paper is data (`costderive/literature/published`), and its verdict is computed here.

# %%
for claim in cd.claims.list():
    if claim.id.startswith("parry"):
        print(f"{cd.claims.decide(claim).verdict:16} {claim.where:30} {claim.title}")

# %% [markdown]
# Two proofs are incomplete. After Eq. (23) it is said that near any belief some report of a random decision costs
# less than the truth; at the belief `c0/(c0 + c1)` all reports cost the same. The proof of Lemma 1 calls a quantile
# function non-negative; that of the logistic distribution, which the paper takes next, is negative below 1/2. Both
# statements hold: one belief is enough, and a quantile function need only be non-decreasing.

# %%
for name in ("parry-eq-23", "parry-lemma-1"):
    decision = cd.claims.decide(name)
    for answer in decision.premises:
        print(name, *answer.question.formal(), answer.ruling.outcome, *answer.ruling.evidence, sep="; ")

# %% [markdown]
# And one statement is wrong. Section 5 asks which linear rule tells a forecast `q + e v` best from the truth `q`:
# which has the largest squared mean of the difference over its variance, per `e²`. With the curvature `M` of the
# entropy and the covariance `C` of the labels that tends to `(v' M v)²/(4 v' M C M v)`. The paper finds its worst
# case where `v` is an eigenvector of `C M`, so that the covariance alone decides how bad it gets, and all linear
# rules are on a par. But there it is at its **best**, where it reaches the bound `v' C⁻¹ v/4`. So rules are not on a
# par: log loss has `M = C⁻¹` if labels are independent, and is as good as can be in each direction; the Brier score
# is not.

# %%
decision = cd.claims.decide("parry-section-5")
print(f"{decision.verdict}: {decision.claim.amendment}")
q = (0.05, 0.5)
CURVATURES = {"Brier": np.eye(2), "log loss": np.diag([1 / (p * (1 - p)) for p in q])}
LOSSES = {
    "Brier": lambda y, w: ((y - w) ** 2).sum(axis=1) / 2,
    "log loss": lambda y, w: -np.log(np.where(y == 1, w, 1 - w)).sum(axis=1),
}
STYLES = {
    ("log loss", "0"): ("#0072B2", "-"),
    ("log loss", "0.02"): ("#0072B2", "--"),
    ("Brier", "0"): ("#D55E00", "-"),
    ("Brier", "0.02"): ("#D55E00", "--"),
}
TWO = np.array(list(product((0, 1), repeat=2)))


def enumerated(loss, v, covariance, e=1e-5):
    """Return the squared mean over the variance of the difference, per e², by all labels of two instances."""
    both = q[0] * q[1] + covariance
    chances = np.array([1 - q[0] - q[1] + both, q[1] - both, q[0] - both, both])
    gap = loss(TWO, np.add(q, e * v)) - loss(TWO, np.array(q))
    mean = chances @ gap
    return mean**2 / (chances @ (gap - mean) ** 2) / e**2


figure, axis = plt.subplots(figsize=(6.4, 3.9), layout="constrained")
angles = np.linspace(0, np.pi, 61)
for (name, covariance), (colour, dashes) in STYLES.items():
    spread = [["0.0475", covariance], [covariance, "0.25"]]
    bend = CURVATURES[name].astype(str).tolist()
    reached = []
    for v in np.stack([np.cos(angles), np.sin(angles)], axis=1).round(6):
        bound = float(batch.discrimination_bound(v.astype(str), spread))
        reached.append(float(batch.discrimination_limit(bend, v.astype(str), spread)) / bound)
        assert reached[-1] < 1 + 1e-9
        assert abs(enumerated(LOSSES[name], v, float(covariance)) / bound - reached[-1]) < 1e-3
    axis.plot(
        np.degrees(angles), reached, dashes, color=colour, label=f"{name}, labels of covariance {covariance}"
    )
    _, own = np.linalg.eig(np.array(spread, dtype=float) @ CURVATURES[name])
    if (name, covariance) != ("log loss", "0"):  # there each direction is an eigenvector
        at = np.degrees(np.arctan2(own[1], own[0])) % 180
        axis.plot(
            [*at, *(at[at < 1e-9] + 180)],
            np.ones(len(at) + (at < 1e-9).sum()),
            "o",
            color=colour,
            clip_on=False,
        )
axis.set(xlabel="direction of v, in degrees", ylabel="share of the bound that is reached", ylim=(0, 1.08))
axis.set(xlim=(0, 180), xticks=range(0, 181, 45))
axis.set_title("Figure 4: discrimination near the truth; dots are eigenvectors", fontsize=10)
axis.spines[["top", "right"]].set_visible(False)
axis.legend(fontsize=8, frameon=False, loc="lower center")

# %% [markdown]
# Engine and enumeration of the four pairs of labels agree for each direction.
#
# ## To take home
#
# * To compare **probabilities**, use a strictly proper rule: one derived from your costs, log loss, the Brier score.
#   Near the truth and for independent labels, log loss tells models apart best.
# * If decisions follow from **known costs**, score the cost at the threshold `c0/(c0 + c1)`, and at no other one:
#   elsewhere the best forecast to hand in is not the best forecast.
# * The **AUC** judges the ranking alone. It is proper, never strictly, if labels are independent or `n1` is known; if
#   labels may depend and `n1` is not known, the rule of ranks `-y · psi` does the same without the trap. On a given
#   test set both order models alike.
# * As a cost, the AUC stands for decisions **by rank**: a share of cases that the costs prescribe. If that is what
#   you do, it is your score. If you act on probabilities, it is not: here it prefers naive Bayes to the tree, and the
#   cost does not.
# * As a cost at the **best** thresholds, the AUC takes another law of costs for each model. Say which law is yours,
#   and let `cd.derive` make its rule.
