"""What has to be trusted is small: a checker that knows no move, and deciders that neither integrate nor solve."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import costderive

ROOM = Path(costderive.__file__).parent
TRUSTED = [ROOM / "checker.py", *sorted((ROOM / "decide").glob("*.py"))]
SEARCHES = {
    *(
        "integrate",
        "doit",
        "solve",
        "solveset",
        "nsolve",
        "dsolve",
        "roots",
        "simplify",
        "nsimplify",
        "trigsimp",
    ),
    *("hyperexpand", "equals", "limit", "series", "aseries", "nseries", "gruntz"),
    *("evalf", "lambdify", "eval", "exec", "compile", "sympify", "parse_expr"),
}
OWN = {
    "expansion.py": {"limit"},
    "series.py": {"limit"},
    "signs.py": {"eval"},
}  # of expansions; of a polynomial


def called(source: str) -> set[str]:
    """Return the names of all functions and methods that a source calls or imports from SymPy."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            names.add(
                node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            )
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sympy"):
            names |= {alias.name for alias in node.names}
    return names


@pytest.mark.parametrize("file", TRUSTED, ids=lambda file: file.name)
def test_the_checker_and_the_deciders_search_for_nothing(file: Path) -> None:
    assert called(file.read_text(encoding="utf-8")) & SEARCHES <= OWN.get(file.name, set())


def test_the_search_would_be_seen() -> None:
    assert called("x = sympy.integrate(f, x)\ny = expr.doit()") & SEARCHES == {"integrate", "doit"}


def test_the_checker_is_short() -> None:
    assert len((ROOM / "checker.py").read_text(encoding="utf-8").splitlines()) < 400


def test_the_checker_loads_neither_moves_nor_searches() -> None:
    rooms = ("moves", "walks", "antiderivatives", "ansatz", "primitives", "certificate")
    code = f"import sys, costderive.checker; print([x for x in {rooms} if 'costderive.' + x in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
