"""What has to be trusted is small: a checker that knows no move, and deciders that neither integrate nor solve."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
import sympy

import costderive
from costderive.core.piecewise import Piece
from costderive.core.symbols import p
from costderive.proof.checker import decide
from costderive.proof.claims import Same, Verdict

ROOM = Path(costderive.__file__).parent
TRUSTED = [ROOM / "proof" / "checker.py", *sorted((ROOM / "deciders").glob("*.py"))]
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
OWN = {  # of expansions; of polynomials; a point that is then compared exactly
    "expansion.py": {"limit"},
    "series.py": {"limit"},
    "conditions.py": {"eval", "evalf"},
    "line.py": {"eval"},
    "rational.py": {"eval"},
}


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
    assert len((ROOM / "proof" / "checker.py").read_text(encoding="utf-8").splitlines()) < 400


# ---- how much has to be trusted


DECIDING = {"core", "deciders", "proof"}
MOST_DECIDING, MOST_CLAIMING = 3_100, 1_500  # lines of code, as the page on what is proved says


def loaded() -> list[str]:
    """Return the modules of the package that are loaded with the checker, in a process of its own."""
    code = "import sys, costderive.proof.checker; print(*sorted(x for x in sys.modules if x.startswith('costderive.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def lines_of_code(source: str, *parts: ast.AST) -> int:
    """Return how many lines have code on them, without docstrings and comments: in some parts, or in all."""
    tree = ast.parse(source)
    docstrings = {line for node in ast.walk(tree) for line in _docstring(node)}
    skipped = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {
        line for x in tokens if x.type not in skipped for line in range(x.start[0], x.end[0] + 1)
    } - docstrings
    within = [range(part.lineno, part.end_lineno + 1) for part in parts]  # type: ignore[attr-defined]
    return len({line for line in lines if not parts or any(line in one for one in within)})


def _docstring(node: ast.AST) -> range:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) or ast.get_docstring(node) is None:
        return range(0)
    return range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)


def claiming(source: str) -> list[ast.AST]:
    """Return the functions of a source that yield claims."""
    functions = [x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.FunctionDef)]
    return [x for x in functions if x.returns is not None and ast.unparse(x.returns) == "Iterator[Claim]"]


def test_the_lines_of_code_without_docstrings_and_comments_are_counted() -> None:
    source = '"""Says."""\n\n# why\ndef f():\n    """Says\n    more."""\n    return (1,\n        2)  # so\n'
    assert lines_of_code(source) == 3
    assert lines_of_code(source + "\nx = 1\n", ast.parse(source).body[1]) == 3


def test_the_checker_loads_what_decides_and_nothing_that_searches_or_moves() -> None:
    assert {name.split(".")[1] for name in loaded()} == DECIDING


def test_what_decides_is_small() -> None:
    sizes = {name: lines_of_code(source_of(name)) for name in loaded()}
    print(f"{sum(sizes.values())} lines of code decide claims:", sizes)
    assert sum(sizes.values()) < MOST_DECIDING


def test_what_writes_claims_is_small() -> None:
    sources = {file: file.read_text(encoding="utf-8") for file in ROOM.rglob("*.py")}
    sizes = {
        str(file.relative_to(ROOM)): lines_of_code(text, *claiming(text))
        for file, text in sources.items()
        if claiming(text)
    }
    print(f"{sum(sizes.values())} lines of code write claims:", sizes)
    assert sum(sizes.values()) < MOST_CLAIMING


def source_of(name: str) -> str:
    """Return the source of a module, by its name."""
    path = ROOM.parent / name.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


PAGE = ROOM / "site" / "pages" / "proved.md"


def test_the_page_on_what_is_proved_says_what_each_move_claims_and_how_much_is_trusted() -> None:
    page = PAGE.read_text(encoding="utf-8")
    texts = [file.read_text(encoding="utf-8") for file in ROOM.rglob("*.py")]
    moves = {name for text in texts for name in re.findall(r"^class (\w+)\(Move\)", text, re.M)}
    assert {name for name in moves if f"`{name}`" not in page} == set()
    kinds = re.findall(r"^class (\w+)\(Claim\)", source_of("costderive.proof.claims"), re.M)
    assert {name for name in kinds if f"`{name}`" not in page} == set()
    assert all(f"{most:,} lines" in page for most in (MOST_DECIDING, MOST_CLAIMING))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (1.0, 1),
        (sympy.oo, float("inf")),
        ((sympy.S.One, 1), (sympy.S.One, True)),
        (Piece(0, 1, p), Piece(False, 1, p)),
    ],
)
def test_what_python_calls_equal_is_not_the_same_if_it_is_of_another_type(
    left: object, right: object
) -> None:
    assert left == right
    assert decide(Same("", left, right)).verdict is Verdict.REFUTED
    assert decide(Same("", left, left)).verdict is Verdict.PROVED
