"""What a language is to the writer of programs: names for functions, and the shape of everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

FUNCTIONS = ("sqrt", "log", "exp", "arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "power")
LOSSES = ("loss0", "loss1")
OF_P = (*LOSSES, "slope0", "slope1", "curvature0", "curvature1")
OF_MARGIN = (
    "margin_loss0",
    "margin_loss1",
    "margin_slope0",
    "margin_slope1",
    "margin_curvature0",
    "margin_curvature1",
)


@dataclass(frozen=True, slots=True)
class Language:
    """A language. Texts in braces are ``str.format`` templates, those with ``$`` are ``string.Template`` ones.

    ``names`` says for each function that trees call its name, or a template of its arguments, of the ``{table}`` of
    polynomials and of the inputs ``{p}``, ``{r}`` and ``{at}``. ``helpers`` are put into the program if it uses a
    function of that name. ``comment`` opens, continues and closes a comment.
    """

    names: Mapping[str, str]
    comment: tuple[str, str, str]
    outside: str  # what becomes of a number that is not a probability, in words
    function: str  # $name $about $complement $branches $lowest $ends $at_zero $at_one
    branch: str  # {high} {value}
    piece: str  # a function for a formula with assignments: $name $parameters $steps $value
    call: str  # of a piece: {name} {arguments}
    step: str  # an assignment: {name} {value}
    table: str  # $name $rows $width
    frame: str  # $tables $helpers $pieces $functions
    infinity: str
    nan: str
    helpers: Mapping[str, str] = field(default_factory=dict)
    complement: str = ""  # the line that assigns r, if r is used
    parameter: str = "{}"
    quantities: tuple[str, ...] = LOSSES
    brackets: tuple[str, str] = ("[", "]")
    last: str = ""  # the branch without a condition; like the others if it is empty
    number: Callable[[float], str] = repr
    in_lanes: bool = False  # whether formulas may have logarithms and square roots alone
    notes: str = ""  # what else the reader must know


def prefixed(prefix: str, **others: str) -> dict[str, str]:
    """Return names that are NumPy's after a prefix, but for some others."""
    return {name: f"{prefix}{name}" for name in FUNCTIONS} | others


def commented(comment: tuple[str, str, str], lines: Iterable[str]) -> str:
    """Return lines as a comment, opened, continued and closed as ``comment`` says; no line can close it early."""
    opening, prefix, closing = comment
    text = [f"{prefix}{_harmless(line)}".rstrip() for given in lines for line in given.split("\n")]
    return opening + "\n".join(text) + closing + "\n"


def _harmless(line: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in line)
    return shown.replace("\\", "/").replace('"', "'").replace("*/", "* /").replace("/*", "/ *")
