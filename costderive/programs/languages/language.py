"""What a language is to the writer of programs: names for functions, and the shape of everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template

USUAL = ("sqrt", "log", "exp", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh")
INVERSE = ("arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh")
CONDITIONS = {"above": "({0} > 0)", "at_least": "({0} >= 0)"}
IN_WORDS = {"both": "({0} and {1})", "either": "({0} or {1})", "choose": "({1} if {0} else {2})"}
IN_SIGNS = {"both": "({0} && {1})", "either": "({0} || {1})", "choose": "({0} ? {1} : {2})"}
NEEDS = {"beta": ("gamma",), "betainc": ("beta", "gamma")}  # functions whose helpers use others
OWN = [
    "p",
    "r",
    "y",
    "s",
    "at",
    "step",
    "loss",
    "loss0",
    "loss1",
    "thresholdweight",
    "thresholdWeight",
    "ends",
    "formulas",
]
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
class ParameterSyntax:
    """How a language takes parameters: templates of one, and of all of them, joined by commas.

    ``positive`` is the line that refuses a parameter ``{0}`` that is not positive and finite, ``check`` the line that
    refuses those of which a ``{condition}``, ``{text}`` in words, does not hold.
    """

    positive: str
    check: str
    given: tuple[str, str] = ("{0}", ", {0}")  # in a signature
    passed: tuple[str, str] = ("{0}", ", {0}")  # in a call
    written: str = "{0}"  # in a formula
    reserved: frozenset[str] = frozenset()  # what none may be called
    has_macros: bool = False  # whether words in capitals may be something else
    notes: str = ""  # what becomes of those that are refused, in words

    def signature(self, names: Sequence[str]) -> str:
        """Return what follows the other arguments in a signature."""
        return self._joined(self.given, names)

    def arguments(self, names: Sequence[str]) -> str:
        """Return what follows the other arguments in a call."""
        return self._joined(self.passed, names)

    def _joined(self, templates: tuple[str, str], names: Sequence[str]) -> str:
        one, together = templates
        return together.format(", ".join(map(one.format, names))) if names else ""


@dataclass(frozen=True, slots=True)
class Language:
    """A language. Texts in braces are ``str.format`` templates, those with ``$`` are ``string.Template`` ones.

    ``names`` says for each function that trees call its name, or a template of its arguments, of the ``{table}`` of
    polynomials and of the inputs ``{p}``, ``{r}`` and ``{at}``. ``helpers`` are put into the program if it uses a
    function of that name. ``places`` say what stands in the frame and in functions without parameters, and what with
    them, whose ``$names`` are ``$given`` in a signature and ``$passed`` in a call. ``comment`` opens, continues and
    closes a comment.
    """

    names: Mapping[str, str]
    comment: tuple[str, str, str]
    outside: str  # what becomes of a number that is not a probability, in words
    function: str  # $name $about $checks $complement $branches $lowest $ends $at_zero $at_one
    branch: str  # {high} {value}
    piece: str  # a function for a formula with assignments: $name $parameters $steps $value
    call: str  # of a piece: {name} {arguments}
    step: str  # an assignment: {name} {value}
    table: str  # $name $rows $width
    frame: str  # $imports $tables $helpers $pieces $functions
    infinity: str
    nan: str
    parameters: ParameterSyntax
    helpers: Mapping[str, str] = field(default_factory=dict)
    complement: str = ""  # the line that assigns r, if r is used
    parameter: str = "{}"
    quantities: tuple[str, ...] = LOSSES
    brackets: tuple[str, str] = ("[", "]")
    last: str = ""  # the branch without a condition; like the others if it is empty
    number: Callable[[float], str] = repr
    in_lanes: bool = False  # whether formulas may have logarithms and square roots alone
    notes: str = ""  # what else the reader must know
    trains: bool = False  # whether models are trained with its programs
    places: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    with_density: bool = False  # whether formulas come with the density of the threshold weight

    def is_taken(self, name: str, names: Sequence[str]) -> bool:
        """Return whether a program cannot have a parameter of this name, which is one of several."""
        syntax = self.parameters
        if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
            return True
        if syntax.written != "{0}":  # a column
            return name.lower() in OWN or sum(other.lower() == name.lower() for other in names) > 1
        functions = re.findall(r"[A-Za-z]\w*", " ".join(self.names.values()))
        is_macro = syntax.has_macros and len(name) > 2 and name.upper() == name
        return is_macro or name in (*OWN, *functions, *syntax.reserved) or name.startswith("in_case")

    def parts(self, names: Sequence[str]) -> dict[str, str]:
        """Return what stands in templates for the names of parameters."""
        given, passed = self.parameters.signature(names), self.parameters.arguments(names)
        own = {"given": given, "passed": passed, "names": ", ".join(names)}
        chosen = {place: texts[bool(names)] for place, texts in self.places.items()}
        return own | {place: Template(text).safe_substitute(own) for place, text in chosen.items()}


def prefixed(prefix: str, **others: str) -> dict[str, str]:
    """Return names that are NumPy's after a prefix, but for some others."""
    return {name: f"{prefix}{name}" for name in (*USUAL, *INVERSE, "abs", "power")} | CONDITIONS | others


def like_c(prefix: str, **others: str) -> dict[str, str]:
    """Return names that are C's after a prefix, but for some others."""
    inverse = {name: f"{prefix}{name.replace('arc', 'a')}" for name in INVERSE}
    logs = {"log_p": f"{prefix}log({{0}})", "log_r": f"{prefix}log1p(-{{0}})"}
    same = dict.fromkeys(("positive", "exactly"), "{0}")
    table = {"polynomial": "polynomial({table}, {p}, {0})"}
    return {name: f"{prefix}{name}" for name in USUAL} | inverse | logs | same | table | CONDITIONS | others


def commented(comment: tuple[str, str, str], lines: Iterable[str]) -> str:
    """Return lines as a comment, opened, continued and closed as ``comment`` says; no line can close it early."""
    opening, prefix, closing = comment
    text = [f"{prefix}{_harmless(line)}".rstrip() for given in lines for line in given.split("\n")]
    return opening + "\n".join(text) + closing + "\n"


def _harmless(line: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in line)
    return shown.replace("\\", "/").replace('"', "'").replace("*/", "* /").replace("/*", "/ *")
