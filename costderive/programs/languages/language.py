"""What a language is to the writer of programs: names for functions, and the shape of everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template

from costderive.core.errors import ExportError

USUAL = ("sqrt", "log", "exp", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh")
INVERSE = ("arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh")
CONDITIONS = {"above": "({0} > 0)", "at_least": "({0} >= 0)"}
IN_WORDS = {"both": "({0} and {1})", "either": "({0} or {1})", "choose": "({1} if {0} else {2})"}
IN_SIGNS = {"both": "({0} && {1})", "either": "({0} || {1})", "choose": "({0} ? {1} : {2})"}
NEEDS = {"beta": ("gamma",), "betainc": ("beta", "gamma")}  # functions whose helpers use others
OWN = [
    "p",
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
    reserved: frozenset[str] = frozenset()  # what the program needs itself
    has_macros: bool = False  # whether words in capitals may be something else
    notes: str = ""  # what becomes of those that are refused, in words

    def signature(self, names: Iterable[str]) -> str:
        """Return what follows the other arguments in a signature."""
        return self._joined(self.given, names)

    def arguments(self, names: Iterable[str]) -> str:
        """Return what follows the other arguments in a call."""
        return self._joined(self.passed, names)

    def _joined(self, templates: tuple[str, str], names: Iterable[str]) -> str:
        one, together = templates
        return together.format(", ".join(map(one.format, names))) if names else ""


@dataclass(frozen=True, slots=True)
class Language:
    """A language. Texts in braces are ``str.format`` templates, those with ``$`` are ``string.Template`` ones.

    ``names`` says for each function that trees call its name, or a template of its arguments, of the ``{table}`` of
    polynomials and of the inputs ``{p}`` and ``{at}``. ``helpers`` are put into the program if it uses a
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
    complement: str = ""  # the line that assigns q = 1 - p, if it is used
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

    def letters(self, names: Sequence[str]) -> dict[str, str]:
        """Return what a program calls parameters: by their names, with ``_`` after those that it needs itself.

        Raises:
            ExportError: if a name is none in programs, or columns differ in capitals alone.
        """
        called: dict[str, str] = {}
        for name in sorted(names, key=self.is_taken):
            word = name
            while self.is_taken(word) or self._key(word) in map(self._key, called.values()):
                word += "_"
            called[name] = word
        same = [name for name in names if sum(self._key(other) == self._key(name) for other in names) > 1]
        if unfit := [name for name in names if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII)]:
            raise ExportError(f"{unfit[0]!r} cannot be a parameter in a program", "Rename the parameter.")
        if same:
            raise ExportError(
                f"{same[0]!r} cannot be a parameter in a program beside {same[1]!r}: as columns they are one name",
                f"Give one another name, in the context or by rule.at({same[0]}={same[0] + '2'!r}).",
            )
        return {name: called[name] for name in names}

    def is_taken(self, name: str) -> bool:
        """Return whether a program needs a name itself."""
        syntax = self.parameters
        if syntax.written != "{0}":  # a column
            return self._key(name) in OWN
        functions = re.findall(r"[A-Za-z]\w*", " ".join(self.names.values()))
        is_macro = syntax.has_macros and len(name) > 2 and name.upper() == name and name[-1] != "_"
        is_case = re.fullmatch(r"in_case\d+", name) is not None
        return is_macro or is_case or name in (*OWN, *functions, *syntax.reserved)

    def _key(self, name: str) -> str:
        """Return what tells names apart: columns may not differ in capitals alone."""
        return name if self.parameters.written == "{0}" else name.lower()

    def parts(self, names: Iterable[str]) -> dict[str, str]:
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
