# %% [markdown]
# # Exercises, with answers that the engine decides
#
# Six questions about costs and proper scoring rules. An answer is a claim, as in the ledger of published claims: it is
# given as data, and the engine confirms or refutes it, with what shows it. Write your own answers in place of those
# here; some exercises have a likely wrong one first. `L0(p)` is the loss of the report p, a
# probability of class 1, if the class is 0, and decisions are made at the threshold `c0/(c0 + c1)`.

# %%
import json

import costderive as cd

CLAIM = """
title = "My answer"
source = "An exercise of this notebook"
where = "here"
statement = "What the check says."
[[checks]]
"""


def decided(kind, **answer):
    """Print the verdict on an answer, with what the engine found, and return it."""
    context = answer.pop("context", None)
    rows = [f"{key} = {json.dumps(value)}" for key, value in {"kind": kind, **answer}.items()]
    if context is not None:
        rows.append(
            f"context = {{{', '.join(f'{key} = {json.dumps(value)}' for key, value in context.items())}}}"
        )
    decision = cd.claims.decide(cd.claims.read(CLAIM + "\n".join(rows), "my-answer"))
    print(decision.verdict, *decision.rulings[0].evidence, *decision.rulings[0].correction, sep="\n  ")
    return str(decision.verdict)


# %% [markdown]
# ## 1. A budget of 1
#
# The costs add up to 1, and all splits are equally likely: `c0` is uniform on [0, 1] and `c1 = 1 - c0`. What are the
# losses? *Hint: the threshold is `c0` itself, so `L0(p)` is the mean of `c0` over `c0 < p`.*

# %%
budget = {"kind": "additive", "budget": 1}
wrong = decided("losses", context=budget, loss0="p^2", loss1="(1 - p)^2")
right = decided("losses", context=budget, loss0="p^2/2", loss1="(1 - p)^2/2")
assert (wrong, right) == ("corrected", "confirmed")

# %% [markdown]
# The Brier score is the expected cost for a budget of 2: with that, both errors cost 1 in the mean.
#
# ## 2. The absolute error
#
# The mean absolute error charges `p` to class 0 and `1 - p` to class 1. Is it a proper scoring rule? *Hint: who
# believes q, and reports p, expects `(1 - q) p + q (1 - p)`, which is linear in p.*

# %%
wrong = decided("proper", loss0="p", loss1="1 - p", says="proper")
right = decided("proper", loss0="p", loss1="1 - p", says="improper")
assert (wrong, right) == ("refuted", "confirmed")

# %% [markdown]
# A line is least at one of its ends, so it pays to report 0 or 1 instead of the belief.
#
# ## 3. Other costs, the same rule
#
# Both costs are exponential with mean 1, and independent. What are the losses? *Hint: the sum of the costs, of mean 2,
# is independent of the proportion `c0/(c0 + c1)`, which is uniform.*

# %%
exponential = {"kind": "independent", "c0": "exponential(1)", "c1": "exponential(1)"}
right = decided("losses", context=exponential, loss0="p^2", loss1="(1 - p)^2")
assert right == "confirmed"

# %% [markdown]
# It is the Brier score again: different costs can give the same rule, as only the mean of the sum counts at each
# proportion.
#
# ## 4. Costs that are known
#
# A false positive costs 1 and a false negative 4, always. What are the losses, and is the rule proper, or even strictly
# proper? *Hint: there is one threshold, 1/5. Which reports lead to the same decision?*

# %%
known = {"loss0": "0 if p <= 1/5; 1", "loss1": "4 if p <= 1/5; 0"}
assert decided("losses", context={"kind": "fixed", "c0": 1, "c1": 4}, **known) == "confirmed"
assert decided("proper", **known, says="strictly proper") == "corrected"
assert decided("proper", **known, says="proper") == "confirmed"

# %% [markdown]
# ## 5. What honesty costs
#
# Who believes q and reports it expects `H(q) = (1 - q) L0(q) + q L1(q)`, the entropy of the rule. What is it for the
# log loss? And for which rule is it `sqrt(q (1 - q))`? *Hint for the second: the losses are `H - q H'` and
# `H + (1 - q) H'`.*

# %%
assert (
    decided("entropy", loss0="-log(1 - p)", loss1="-log(p)", entropy="-p*log(p) - (1 - p)*log(1 - p)")
    == "confirmed"
)
odds = {"loss0": "sqrt(p/(1 - p))/2", "loss1": "sqrt((1 - p)/p)/2"}
assert decided("generates", entropy="sqrt(p*(1 - p))", **odds) == "confirmed"

# %% [markdown]
# The second is, up to a factor, the exponential loss of boosting, with the logit halved.
#
# ## 6. Accuracy and F
#
# Decisions are made where a report exceeds 1/2. Is the expected accuracy of two instances a proper scoring rule? Is the
# expected F-measure, `2 TP/(2 TP + FP + FN)`? *Hint for F: an instance with probability 2/5 may be worth calling
# positive if the other one almost surely is negative.*

# %%
assert decided("measure", measure="(TP + TN)/(TP + TN + FP + FN)", instances=2, says="proper") == "confirmed"
assert (
    decided("measure", measure="2*TP/(2*TP + FP + FN)", instances=2, otherwise=0, says="improper")
    == "confirmed"
)

# %% [markdown]
# The losses of exercises 1, 3 and 4 need no guessing: `cd.derive(cd.Additive(budget=1)).rule` and so on. How claims are
# written, and which kinds there are, is on the page "How a claim is written".
