"""The languages in which a scoring rule can be written as a program: one row, and one file of names, each."""

from __future__ import annotations

from collections.abc import Mapping

from costderive.programs.languages import (
    arrays,
    boosting,
    c,
    javascript,
    jax,
    julia,
    pytorch,
    r,
    scalars,
    sql,
)
from costderive.programs.languages.language import Language

LANGUAGES: Mapping[str, Language] = {
    "numpy": arrays.NUMPY,
    "python": scalars.PYTHON,
    "numba": scalars.NUMBA,
    "c": c.C,
    "javascript": javascript.JAVASCRIPT,
    "r": r.R,
    "julia": julia.JULIA,
    "sql": sql.SQL,
    "pytorch": pytorch.PYTORCH,
    "jax": jax.JAX,
    "lightgbm": boosting.LIGHTGBM,
    "xgboost": boosting.XGBOOST,
}
