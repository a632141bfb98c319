"""The languages in which a rule with parameters can be written as formulas: one row, and one file of syntax, each."""

from __future__ import annotations

from collections.abc import Mapping

from costderive.programs.formula_languages import (
    c_formulas,
    javascript_formulas,
    python_formulas,
    sql_formulas,
)
from costderive.programs.formula_languages.target import Target

TARGETS: Mapping[str, Target] = {
    "numpy": python_formulas.NUMPY,
    "python": python_formulas.PYTHON,
    "javascript": javascript_formulas.JAVASCRIPT,
    "c": c_formulas.C_TARGET,
    "sql": sql_formulas.SQL,
}
