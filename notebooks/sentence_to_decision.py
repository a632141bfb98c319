# %% [markdown]
# # From a client's sentence about costs to a decision, in ten cells
#
# A clinic says: *"A false alarm costs us a biopsy, 100 to 300 euros. A tumour that we miss costs 5,000 to 20,000, most
# likely 8,000."* It has three models and asks which to use, where to put the threshold, and what that saves. Each
# number below follows from the sentence and the data; the only thing added is that the two costs are independent.
#
# ## 1. The sentence, as laws of two costs
#
# The client's own words are the input. A range is a uniform law, a range with a most likely value a triangular one.

# %%
from pathlib import Path

import numpy as np

import costderive as cd

context = cd.Independent(fp="100 to 300", fn="5000 to 20000, most likely 8000")
print(context.c0, "and", context.c1)

# %% [markdown]
# ## 2. What was understood
#
# Read this back to the client before anything is computed with it: a misunderstanding is cheap now.

# %%
for line in cd.evaluate.cost_ranges(context).lines():
    print(line)

# %% [markdown]
# ## 3. The rule
#
# The expected cost of a forecast p is a proper scoring rule, and which one is derived, not chosen. The checker decides
# each claim of the derivation, so that the rule need not be believed.

# %%
derivation = cd.derive(context)
report = cd.check(derivation).require_proved()
loss = cd.numeric.compile(derivation)
print(f"{derivation.verdict}: {report.verdict.name}, {len(report.findings)} claims")
print(f"a false alarm costs {loss.loss0(1.0):.0f} euros on average, a missed tumour {loss.loss1(0.0):.0f}")

# %% [markdown]
# ## 4. The threshold
#
# If the costs of a case are known when it is decided, compare p with `c0/(c0 + c1)`. If not, only their means count,
# and one threshold serves all cases. It is far from 1/2, because a miss costs 55 times what a false alarm does.

# %%
threshold = cd.evaluate.threshold_for(context)
print(f"one threshold for all cases: {threshold:.4f}")

# %% [markdown]
# ## 5. The scores of three models
#
# Out-of-fold probabilities on the breast-cancer data of scikit-learn. Losses are euros for each patient. The simulation
# draws costs, decides and adds up; it uses nothing of the derivation, and must agree within its standard error.

# %%
folder = (
    Path(__file__).parent if "__file__" in globals() else Path()
)  # Jupyter starts in the notebook's folder
data = cd.evaluate.read_predictions(folder / "predictions.csv", y_true="label")
scores = cd.evaluate.score(context, data.labels, data.models, draws=20_000, seed=1)
for row in scores:
    simulated = f"{row.simulation.mean:6.1f} ± {row.simulation.standard_error:.1f}"
    print(f"{row.model:20} {row.loss:6.1f} euros, simulated {simulated}")
    assert abs(row.loss - row.simulation.mean) < 4 * row.simulation.standard_error

# %% [markdown]
# ## 6. Is the difference more than chance?
#
# Each difference is between losses of the same patients, so its interval is narrower than the two losses suggest.

# %%
best = scores.best.model
for model, more in scores.over(best).items():
    chance = "may be chance" if more.low < 0 < more.high else "is more than chance"
    print(
        f"{model} costs {more.value:.1f} more than {best}, 95 % {more.low:.1f} to {more.high:.1f}: {chance}"
    )

# %% [markdown]
# ## 7. Where each model is good
#
# The area under a curve is the loss. Only thresholds that these costs can give have any weight.

# %%
cd.plot.cost_curves(scores)

# %% [markdown]
# ## 8. The decisions
#
# For each patient: operate or not, what that is expected to cost, and how likely the other decision would be right if
# the costs of the patient were known. Patients with doubt are those for whom asking about the costs is worth it.

# %%
p = data.models[best]
decisions = cd.evaluate.decide(p, context)
doubtful = np.count_nonzero(decisions.doubt > 0)
print(
    f"class 1 for {decisions.decision.sum()} of {len(p)}; for {doubtful} it depends on the costs of the patient"
)
assert np.array_equal(decisions.decision == 1, p > threshold)

# %% [markdown]
# ## 9. What it saves
#
# Against what the clinic would do otherwise: the threshold 1/2 of `predict`, or treating all. What happened is added up
# at the mean costs, so that the numbers are of these patients and not of the model's belief.

# %%
fp, fn = loss.loss0(1.0), loss.loss1(0.0)


def paid(decided):
    """Return the mean cost for each patient of decisions, at the mean costs."""
    return np.mean(np.where(data.labels == 1, fn * (decided == 0), fp * (decided == 1)))


ours = paid(decisions.decision)
for name, decided in (("threshold 1/2", p > 0.5), ("class 1 for all", np.ones(len(p)))):
    print(
        f"{name:16} {paid(decided):6.1f} euros; deciding by costs {ours:6.1f} saves {paid(decided) - ours:6.1f}"
    )

# %% [markdown]
# ## 10. What if?
#
# The client doubts the sentence. Does the choice survive a miss that costs half as much, a false alarm that
# costs five times as much, or a screening where 1 in 100 has a tumour?

# %%
cheaper_miss = cd.Independent(fp="100 to 300", fn="2500 to 10000, most likely 4000")
dear_alarm = cd.Independent(fp="500 to 1500", fn="5000 to 20000, most likely 8000")
for name, other, prevalence in (
    ("as said", context, None),
    ("a miss costs half", cheaper_miss, None),
    ("an alarm costs five times", dear_alarm, None),
    ("1 in 100 has a tumour", context, 0.01),
):
    found = cd.evaluate.score(other, data.labels, data.models, prevalence=prevalence)
    at = cd.evaluate.threshold_for(other)
    print(f"{name:26} threshold {at:.3f}, {found.best.model} at {found.best.loss:.1f} euros")

# %% [markdown]
# The threshold moves with the costs, the choice does not, except where tumours are rare: then false alarms count
# most, and naive Bayes raises the fewest. For such a screening the losses are not the whole answer: the
# probabilities were learned where more than a third of the patients had a tumour, and have to be those of the people
# who are screened.
#
# Two more things to tell the client. Cells 5 and 9 differ by a euro: so much is gained by knowing the costs of each
# patient. And the interval of cell 6 contains 0: between the two best models more data should decide.
