"""The front page: which of three models costs least, from the sample predictions, and a theorem with its proof."""

from __future__ import annotations

from html import escape
from pathlib import Path

from costderive.core.errors import ExportError
from costderive.costs.contexts import Context, IndependentUniform
from costderive.derivation.derive import derive
from costderive.evaluate import Estimate, ModelScore, Scores, read_predictions, rocs, score
from costderive.proof.checker import check
from costderive.publish.formats.html_page import html, with_proof
from costderive.publish.words.paper import story
from costderive.site import markdown
from costderive.site.frame import Page, framed
from costderive.site.incremental import made
from costderive.site.listings import code

SAMPLE = "predictions.csv"
FALSE_ALARM, MISSED = (1, 3), (5, 20)
CASES = 1000  # that sums of costs are for
PROOF = "inverse-score.html"
UNITS = {"a": FALSE_ALARM[0], "b": FALSE_ALARM[1], "d": MISSED[0], "e": MISSED[1]}

_COMMAND = f"""costderive score predictions.csv --y-true label \\
    --fp "{FALSE_ALARM[0]} to {FALSE_ALARM[1]}" --fn "{MISSED[0]} to {MISSED[1]}\""""

_WAYS = """<h2>What do you have?</h2>
<ul class="ways">
<li><a href="scores.html">Predictions</a>
<p>Score models in files or in Python, with intervals; see which decision costs less in each case.</p></li>
<li><a href="choose.html">Some knowledge of costs</a>
<p>A range, a ratio, a budget, plausible thresholds: find the cost context that says it.</p></li>
<li><a href="presets.html">A common problem</a>
<p>Start from the costs of screening, fraud, churn or credit.</p></li>
<li><a href="rules.html">A loss</a>
<p>See what it says about costs, and whether it is proper.</p></li>
<li><a href="programs.html">A system to run it in</a>
<p>Losses in C, SQL, JavaScript, R, Julia, PyTorch, LightGBM and more.</p></li>
<li><a href="tutorial.html">Five minutes</a>
<p>The tutorial goes from costs to the cheaper of two classifiers.</p></li>
</ul>"""

_RESEARCH = r"""## For researchers: the costs decide the rule

Decide for class 1 if its predicted probability $p$ is above $s = c_0/(c_0 + c_1)$. If the costs are uncertain, what
these decisions cost on average is a proper scoring rule of $p$, and the law of the costs says which one.
**costderive** finds it in closed form, letters included, and proves what it says of it with claims that a small
checker decides exactly: %d of them for the theorem below, where $\pi_y$ is the proportion of class $y$ and $F_y$ the
distribution function of $p$ within it."""

_FURTHER = """<p class="actions"><a class="button second" href="derive.html">Derive your own</a>
<a href="gallery/index.html">Gallery of rules with proofs</a>
<a href="mathematics.html">The mathematics in one page</a>
<a href="proved.html">What is proved</a>
<a href="claims.html">Published claims, decided</a></p>"""


def files(samples: Path) -> dict[str, bytes]:
    """Return the front page and the article that it shows a theorem of; ``samples`` is the folder of the predictions.

    Raises:
        ExportError: if the predictions are not there.
    """
    file = samples / SAMPLE
    if not file.is_file():
        raise ExportError(f"there are no sample predictions in {file}", "Copy those of the repository there.")
    page, article = made("front", [file], lambda: _made(file))
    return framed([page]) | {PROOF: article}


def _made(file: Path) -> tuple[Page, bytes]:
    derivation = derive(IndependentUniform(c0=(0, 1), c1=(0, 1)))
    report = check(derivation).require_proved()
    body = [
        _decision(_scores(file)),
        _WAYS,
        markdown.html(_RESEARCH % len(report.findings)),
        with_proof(story(derivation, report), PROOF),
        _FURTHER,
    ]
    page = Page("index.html", "costderive: what wrong decisions cost", "\n".join(body))
    return page, html(derivation, report).encode()


def _scores(file: Path) -> Scores:
    found = read_predictions(file, y_true="label")
    context: Context = IndependentUniform(fp=FALSE_ALARM, fn=MISSED)
    return score(context, found.labels, found.models)


def _decision(scores: Scores) -> str:
    """Return what the page begins with: the question, the saving, the picture, and what to do."""
    state = "&amp;".join(f"{name}={value}" for name, value in UNITS.items())
    return f"""<h1>Which of your models costs least?</h1>
<p class="lead">{_saving(scores)}</p>
{_picture(scores)}
<p class="actions"><a class="button" href="explore.html#{state}">Try your costs</a>
<a href="scores.html">Score your predictions</a> <a href="tutorial.html">Five-minute tutorial</a></p>
<p>The same from a file of predictions, at a prompt:</p>
{code(_COMMAND, "sh")}"""


def _saving(scores: Scores) -> str:
    """Say what the cheapest model saves beside the most expensive one, and how alike they rank."""
    best, worst = scores.best, max(scores, key=lambda row: row.loss)
    more = scores.over(best.model)[worst.model]
    areas = {roc.name: roc.area for roc in rocs(scores)}
    low, high = FALSE_ALARM
    return (
        f"If a false alarm costs {low} to {high} and a missed cancer {MISSED[0]} to {MISSED[1]}, "
        f"{_name(best)} instead of {_name(worst)} saves "
        f"<strong>{_percent(more.value / worst.loss)} of the costs</strong> of decisions, "
        f"{_cases(more.value)} per {CASES} cases ({_percent(scores.level)} interval {_cases(more.low)} "
        f"to {_cases(more.high)}), although both rank cases nearly alike: the areas under their ROC curves are "
        f"{areas[best.model]:.3f} and {areas[worst.model]:.3f}."
    )


def _picture(scores: Scores) -> str:
    """Return a table of the models with a bar for what each costs, and a line for its interval."""
    most = 1.02 * max(row.interval.high for row in scores)
    over = scores.over(scores.best.model)
    rows = "\n".join(_row(row, most, over.get(row.model)) for row in sorted(scores, key=lambda row: row.loss))
    return f"""<table class="bars">
<caption>What the decisions on {CASES} tumours cost, with {_percent(scores.level)} intervals, estimated from
{sum(scores.counts)}</caption>
<thead><tr><th>model</th><th>cost</th><td></td><th>beside the cheapest</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


def _row(row: ModelScore, most: float, more: Estimate | None) -> str:
    value, low, high = (f"{100 * x / most:.1f}%" for x in (row.loss, row.interval.low, row.interval.high))
    kind = "bar" if more else "bar best"
    bar = (
        '<svg class="bar-line" width="100%" height="30" aria-hidden="true">'
        f'<rect class="{kind}" width="{value}" y="4" height="22"/>'
        f'<line class="interval" x1="{low}" x2="{high}" y1="15" y2="15"/></svg>'
    )
    return f'<tr><th scope="row">{_name(row)}</th><td>{_cases(row.loss)}</td><td>{bar}</td><td>{_more(more)}</td></tr>'


def _more(more: Estimate | None) -> str:
    if more is None:
        return "the cheapest"
    chance = ", may be chance" if more.low <= 0 else ""
    return f"{_cases(more.value)} more ({_cases(more.low)} to {_cases(more.high)}{chance})"


def _name(row: ModelScore) -> str:
    return escape(row.model.replace("_", " "))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def _cases(loss: float) -> str:
    """Return what so many cases cost, a whole number."""
    return f"{CASES * loss:.0f}".replace("-", "−")
