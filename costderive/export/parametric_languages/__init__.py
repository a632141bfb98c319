"""The languages in which a rule with parameters can be written as formulas: one row, and one file of syntax, each."""

from __future__ import annotations

from collections.abc import Mapping

from costderive.export.parametric_languages import c, javascript, python, sql
from costderive.export.parametric_languages.shape import Target

TARGETS: Mapping[str, Target] = {
    "numpy": python.NUMPY,
    "python": python.PYTHON,
    "javascript": javascript.JAVASCRIPT,
    "c": c.C_TARGET,
    "sql": sql.SQL,
}
