"""SQL: a query over a table of predictions, where parameters are columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from costderive.programs.formula_languages.target import OWN, Shape, Steps, Target
from costderive.programs.languages import sql as compiled
from costderive.programs.power_series import Series

LARGEST = "1.7976931348623157e308"  # in some dialects nothing is infinite, in others NaN is larger


class Sql(Shape):
    """SQL, where parameters that a fact refuses give NULL; their names are quoted, and so may be any words."""

    comment = ("", "-- ", "")
    both = " AND "
    taken = OWN
    between = ",\n"

    def is_taken(self, name: str, names: Sequence[str]) -> bool:
        """Return whether a column has this name already, maybe in other letters."""
        alike = [other for other in names if other.lower() == name.lower()]
        return super().is_taken(name.lower(), names) or len(alike) > 1

    def symbol(self, name: str) -> str:
        return name if name in self.taken else f'"{name}"'

    def number(self, value: int | float) -> str:
        return compiled.number(float(value))

    def parameters(self, names: Sequence[str]) -> str:
        return "".join(f', CAST("{name}" AS DOUBLE) AS "{name}"' for name in names)

    def passed(self, names: Sequence[str]) -> str:
        return "".join(f', "{name}"' for name in names)

    def function(
        self, name: str, variable: str, names: Sequence[str], about: str, body: Iterable[str]
    ) -> str:
        return compiled.case(name, body)

    def positive(self, symbol: str) -> str:
        return f"{symbol} > 0 AND {symbol} <= {LARGEST}"

    def check(self, fact: str, text: str) -> str:
        return f"WHEN NOT ({fact}) THEN NULL"

    def branch(self, condition: str, lines: Iterable[str]) -> Iterator[str]:
        yield f"WHEN {condition} THEN" if condition else "ELSE"
        yield from [f"  {line}" for line in lines]

    def steps(self, steps: Steps) -> Iterator[str]:
        yield "CASE"
        yield f"  WHEN {steps.variable} = 0 THEN {steps.at0}"
        yield f"  WHEN {steps.variable} = 1 THEN {steps.at1}"
        yield from [f"  WHEN {steps.variable} <= {high} THEN {formula}" for high, formula in steps.rows]
        yield "END"

    def constants(self, name: str, numbers: Sequence[float]) -> str:
        return ""

    def series(self, distance: str, series: Series, table: str) -> str:
        """Return the series by Horner's rule."""
        power = self._power(distance, series.step)
        *others, highest = [self.number(number) for number in series.coefficients]
        text = highest
        for coefficient in reversed(others):
            text = f"({text} * {power} + {coefficient})"
        return f"{text} * {self._power(distance, series.exponent)}"

    def _power(self, base: str, exponent: float) -> str:
        return f"({base})" if exponent == 1 else f"POWER({base}, {self.number(exponent)})"


_FRAME = """
WITH given AS (SELECT y, CAST(p AS DOUBLE) AS p{parameters} FROM predictions),
losses AS (SELECT y, p{passed},
{losses}
FROM given)
SELECT *, CASE WHEN y = 1 THEN loss1 WHEN y = 0 THEN loss0 END AS loss FROM losses
"""

SQL = Target(
    {
        **{
            name: name.upper().replace("ARC", "A")
            for name in ("exp", "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "power")
        },
        "log": "LN",
        "log_p": "LN({0})",
        "log_r": "(CASE WHEN 1 - {0} = 1 THEN -{0} ELSE LN(1 - {0}) * ({0} / (1 - (1 - {0}))) END)",
        "log1p": "(CASE WHEN 1 + ({0}) = 1 THEN {0} ELSE LN(1 + ({0})) * (({0}) / ((1 + ({0})) - 1)) END)",
        "abs": "ABS",
    },
    compiled.SQL.infinity,
    _FRAME,
    {},
    Sql(),
    "NULL",
    ("WHEN NOT (p >= 0 AND p <= 1) THEN NULL",),
    notes="It is a query over a table predictions with columns y, a label 0 or 1, p, and one for each parameter.\n"
    "NULL is the loss of what is not a probability, and of parameters of which a condition above does not hold.",
)
