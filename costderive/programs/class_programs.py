"""The losses of K classes as a module that stands alone: it imports NumPy, and neither costderive nor SymPy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import Template

from sympy import Expr, Symbol

import costderive
from costderive.core.errors import ExportError, require_values
from costderive.multiclass import MulticlassRule
from costderive.multiclass.letters import predicted
from costderive.multiclass.similar_classes import alike, ascending, exchanged
from costderive.numeric.parameter_trees import plain
from costderive.programs.class_accuracy import TOLERANCE, TRAINED, require_slopes, rounded_up, worst_error
from costderive.programs.class_cell_frames import ROW_BY_ROW
from costderive.programs.class_frames import FRAMES, NOTES_LONG
from costderive.programs.class_frames_python import JAX, LIGHTGBM, OBJECTIVE, PYTHON, TORCH, XGBOOST
from costderive.programs.class_queries import NOTES_LISTS, class_query
from costderive.programs.language_printer import formula
from costderive.programs.languages import LANGUAGES
from costderive.programs.languages.language import commented

ACCURACY = """\
The losses are these formulas as they stand, compared at 400 forecasts with quadrature: within {error} of the mean cost.
A probability counts as at least 1e-30, so that at 0 there are the limits."""
REFUSED = "A ValueError is raised for what is not a label, or not a probability."
NOTES = {
    "jax": "In single precision a probability counts as at least 1e-9.\nLabels are not checked. Derivatives are JAX's.",
    "pytorch": "Numbers are doubles inside. Labels are not checked. Derivatives are those that PyTorch finds.",
    **{target: FRAMES[target].notes for target in ROW_BY_ROW},
}

_NUMBERS = """\
MARKED = $marked  # the classes whose costs have marks
MARKS = $marks
LAWS = $laws  # classes of the same number have the same law of costs
CELLS = {  # the losses of the classes, by the ascending order of the marks that the probabilities weigh
$cells
}
"""
_STANDING = '''

def _standing(labels):
    """Return the class that takes each place when classes of the same law are numbered as their marks appear."""
    seen = list(dict.fromkeys(labels))
    waiting = {law: iter([label for label in seen if LAWS[label] == law]) for law in LAWS}
    return [next(waiting[law], label) for label, law in enumerate(LAWS)]
'''
_LOSSES = '''

def losses(p):
    """Return the loss of each class, of the same shape (n, $classes) as the probabilities of the classes."""
    p = np.maximum(_probabilities(p), 1e-30)
    return _at(p, p)


def _at(p, values):
    """Return the losses at values next to probabilities, by the formulas of these; they depend on ratios alone."""
    weighed = p[:, MARKED] * np.array(MARKS)
    orders, cells = np.unique(np.argsort(weighed, axis=1, kind="stable"), axis=0, return_inverse=True)
    found = np.empty_like(values)
    for number, order in enumerate(orders):
        rows, marks = np.flatnonzero(cells.ravel() == number), [(MARKED[k], MARKS[k]) for k in order]
        standing = _standing([label for label, _ in marks])
        formulas = CELLS[tuple((standing.index(label), mark) for label, mark in marks)]
        for label, loss in zip(standing, formulas(*values[rows][:, standing].T)):
            found[rows, label] = loss
    return found
'''
_DERIVATIVES = '''

def _derivatives(p, y):
    """Take the slopes from imaginary steps so small that nothing cancels, and of these the curvatures.

    The slopes of the losses in a margin, weighed by the probabilities, add up to 0, and so do the slopes of this sum.
    """
    p, rows = np.maximum(p, 1e-30), np.arange(len(y))
    gradient, curvature = np.empty(p.shape), np.empty(p.shape)
    for label in range(p.shape[1]):
        values = p.astype(complex)
        values[:, label] *= 1 + 1e-30j
        slopes = _at(p, values).imag / 1e-30
        gradient[:, label] = slopes[rows, y]
        curvature[:, label] = -p[:, label] * slopes[:, label]
    return gradient, curvature
'''
_TORCH_LOSSES = '''\
def _losses(logarithms, labels):
    p = torch.exp(torch.clamp(logarithms.double(), min=-69))
    found = torch.zeros_like(p[:, 0])
    orders, cells = _cells(p.detach())
    for number, order in enumerate(orders):
        marks = [(MARKED[k], MARKS[k]) for k in order]
        standing = _standing([label for label, _ in marks])
        formulas = CELLS[tuple((standing.index(label), mark) for label, mark in marks)]
        for place, label in enumerate(standing):
            rows = torch.nonzero((cells == number) & (labels[:, 0] == label))[:, 0]
            values = formulas(*p[rows][:, standing].T)[place]
            found = found.index_put((rows,), values * torch.ones_like(found[rows]))
    return found.to(logarithms.dtype)


def _cells(p):
    """Return the orders of the marks that there are, and the number of that of each row."""
    if not MARKED:
        return [[]], torch.zeros(len(p), device=p.device)
    weighed = p[:, list(MARKED)] * torch.tensor(MARKS, dtype=p.dtype, device=p.device)
    order = torch.sort(weighed, dim=1, stable=True).indices
    orders, cells = torch.unique(order, dim=0, return_inverse=True)
    return orders.tolist(), cells
'''
_JAX_LOSSES = """\
def _loss(logarithms, label):
    p = jnp.exp(jnp.maximum(logarithms, -69.0 if logarithms.dtype == jnp.float64 else -20.7))
    classes, laws, marked = jnp.arange(len(LAWS)), jnp.array(LAWS), jnp.array(MARKED, dtype=int)
    order = jnp.argsort(p[marked] * jnp.array(MARKS), stable=True)
    first = jnp.full(len(LAWS), len(MARKED)).at[marked].min(jnp.argsort(order)) * len(LAWS) + classes
    place = ((laws[:, None] == laws) & (first[:, None] > first)).sum(axis=1)  # among the classes of the same law
    place = jnp.argsort(laws, stable=True)[(laws[:, None] > laws).sum(axis=1) + place]
    standing, which = p[jnp.argsort(place)], jnp.array(WHICH, dtype=int)[order]
    marks = place[marked[order]] * (len(MARKS) + 1) + which
    found = jnp.zeros_like(p[0])
    for listed, formulas in CELLS:
        here = jnp.all(marks == jnp.array([label * (len(MARKS) + 1) + k for label, k in listed], dtype=int))
        values = formulas(*jnp.where(here, standing, 1.0))  # guarded, so that slopes of other cells count as 0
        found = jnp.where(here, jnp.stack([value * jnp.ones_like(found) for value in values])[place[label]], found)
    return found
"""
_JAX_NUMBERS = """\
MARKED = $marked  # the classes whose costs have marks
MARKS = $marks
WHICH = $which  # mark of its law it is
LAWS = $laws  # classes of the same number have the same law of costs
CELLS = [  # the losses of the classes, for each order of the marks that the probabilities weigh
$cells
]


"""
_NUMPY = "\nimport numpy as np\n\n" + _NUMBERS + _LOSSES + _STANDING + PYTHON
_FRAMES = {
    "numpy": _NUMPY,
    "lightgbm": _NUMPY + OBJECTIVE + _DERIVATIVES + LIGHTGBM,
    "xgboost": _NUMPY + OBJECTIVE + _DERIVATIVES + XGBOOST,
    "pytorch": TORCH.replace("$constants", _NUMBERS + "\n") + _TORCH_LOSSES + _STANDING,
    "jax": JAX.replace("$constants", _JAX_NUMBERS) + _JAX_LOSSES,
}


def class_formulas(
    rule: MulticlassRule, target: str = "numpy", *, title: str = "", has_lists: bool = True
) -> str:
    """Return a module with ``losses(p)``, of each class for rows of probabilities, and the mean ``loss`` of labels.

    Its target is NumPy, or LightGBM or XGBoost: then it has an objective, too. For PyTorch it has a ``Loss`` of logits,
    for JAX a ``loss`` of them. In SQL it is a query over lists, or over a row for each class.

    Raises:
        ExportError: if a loss has a function that is not elementary, its formulas cancel near the ends, or it has steps
            and the target needs slopes.
        ParametersLeftError: if a parameter has no number.
    """
    require_values(rule.parameters, "costs")
    if target in TRAINED:
        require_slopes(rule.losses.costs)
    error = _error(rule)
    if not error <= TOLERANCE:
        raise ExportError(
            f"the formulas of the losses cancel: they are off by {error:.1g} of the mean cost",
            "costderive.export.code writes them as tables, and costderive.multiclass.compile integrates.",
        )
    said = ACCURACY.format(error=rounded_up(error))
    if target == "sql":
        notes, program = NOTES_LISTS if has_lists else NOTES_LONG, _query(rule, has_lists)
    else:
        notes, program = NOTES.get(target, REFUSED), _program(rule, target)
    about = _about(rule, title, f"{said}\n{notes}")
    return commented(LANGUAGES[target].comment, about) + program


def cancels(rule: MulticlassRule) -> bool:
    """Return whether formulas without parameters lose too many digits."""
    return not (rule.parameters or _error(rule) <= TOLERANCE)


@lru_cache(maxsize=8)
def _error(rule: MulticlassRule) -> float:
    return worst_error(_program(rule, "numpy"), rule, rule.losses.costs)


def _about(rule: MulticlassRule, title: str, notes: str) -> Iterator[str]:
    yield from [title, ""] if title else []
    yield f"Written by costderive {costderive.__version__}. pi is the probability of class i."
    for cell in rule.cells:
        yield ""
        yield from [f"Where {' <= '.join(map(plain, ascending(cell.order)))}:"] if cell.order else []
        yield from [f"loss{label}(p) = {plain(loss)}" for label, loss in enumerate(cell.losses)]
    if exchanged(rule.losses.costs):
        yield from ["", "In other orders alike: classes whose costs have the same law may be exchanged."]
    yield from ["", notes]


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of all laws, each with its class and its number in the law, and the number of the law of each class.

    Those of higher classes come first: as sorts are stable, ties go to the lower class.
    """

    labels: tuple[int, ...]
    which: tuple[int, ...]
    values: tuple[float, ...]
    laws: tuple[int, ...]

    @classmethod
    def of(cls, rule: MulticlassRule) -> _Marks:
        """Read the laws of a rule."""
        distributions = rule.losses.costs.of_class
        found = [(label, n) for label, one in enumerate(distributions) for n in range(len(one.marks))][::-1]
        laws = list(alike(distributions))
        return cls(
            tuple(label for label, _ in found),
            tuple(n for _, n in found),
            tuple(float(distributions[label].marks[n]) for label, n in found),
            tuple(laws.index(one) for one in distributions),
        )


def _program(rule: MulticlassRule, target: str) -> str:
    marks = _Marks.of(rule)
    if target in ROW_BY_ROW:
        return _row_by_row(rule, marks, target)
    return Template(_FRAMES[target]).substitute(
        marked=marks.labels,
        marks=marks.values,
        which=marks.which,
        laws=marks.laws,
        cells="\n".join(_cells(rule, target)),
        classes=rule.classes,
        wrong=f"p.shape[1] != {rule.classes}",
    )


def _cells(rule: MulticlassRule, target: str) -> Iterator[str]:
    """Yield each order of marks, with the losses there as a function of the probabilities of all classes."""
    language, letters = LANGUAGES[target], ", ".join(predicted(label).name for label in range(rule.classes))
    by_number = zip(map(tuple, _orders(rule)), rule.cells, strict=True)
    for order, cell in by_number:
        losses = "\n".join(f"        {formula(loss, language)}," for loss in cell.losses)
        function = f"lambda {letters}: (\n{losses}\n    )"
        values = tuple((mark.label, float(mark.value)) for mark in cell.order)
        yield f"    ({order}, {function})," if target == "jax" else f"    {values}: {function},"


def _query(rule: MulticlassRule, has_lists: bool) -> str:
    marks, language = _Marks.of(rule), LANGUAGES["sql"]
    listed = zip(marks.labels, marks.which, map(language.number, marks.values), strict=True)
    losses = [[formula(_written(loss, "at{}"), language) for loss in cell.losses] for cell in rule.cells]
    return class_query(tuple(listed), marks.laws, _orders(rule), losses, has_lists)


def _orders(rule: MulticlassRule) -> list[list[tuple[int, int]]]:
    """Return the order of marks in each cell: the place of a class, and the number of the mark in its law."""
    distributions = rule.losses.costs.of_class
    return [
        [(mark.label, distributions[mark.label].marks.index(mark.value)) for mark in cell.order]
        for cell in rule.cells
    ]


def _row_by_row(rule: MulticlassRule, marks: _Marks, target: str) -> str:
    """Return a program whose function takes one row, or R's."""
    frame, language, orders = ROW_BY_ROW[target], LANGUAGES[target], _orders(rule)
    losses = [
        [formula(_written(loss, "p[{}]", frame.first), language) for loss in cell.losses]
        for cell in rule.cells
    ]
    listed = {"marked": marks.labels, "which": marks.which, "laws": marks.laws}
    return Template(frame.text).substitute(
        {name: ", ".join(map(str, numbers)) or frame.nothing for name, numbers in listed.items()},
        marks=", ".join(map(language.number, marks.values)) or frame.nothing,
        classes=rule.classes,
        count=len(marks.labels),
        cell_count=len(rule.cells),
        cells=frame.cells(orders, losses),
        orders=frame.orders(orders),
    )


def _written(loss: Expr, name: str, first: int = 0) -> Expr:
    """Write the probabilities of the classes by other names, which count them from ``first``."""
    return loss.xreplace(
        {
            letter: Symbol(name.format(first + int(letter.name[1:])), positive=True)
            for letter in loss.free_symbols
        }
    )
