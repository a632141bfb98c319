"""What has to be trusted is small: a checker that knows no move, and deciders that neither integrate nor solve."""

from __future__ import annotations

import ast
import importlib
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import sympy

import costderive
import costderive.batch
import costderive.multiclass
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Piece
from costderive.core.symbols import p
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Move, Same, Verdict

ROOM = Path(costderive.__file__).parent
PYPROJECT = tomllib.loads((ROOM.parent / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {found["id"]: found for found in PYPROJECT["tool"]["importlinter"]["contracts"]}
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
OWN = {  # of expansions; of polynomials; a point that is then compared exactly; forms that are claimed to be equal
    "expansion.py": {"limit"},
    "series.py": {"limit"},
    "conditions.py": {"eval", "evalf"},
    "known_places.py": {"evalf"},
    "line.py": {"eval"},
    "rational.py": {"eval"},
    "change_of_variables.py": {"evalf"},
    "simplex_moves.py": {"simplify"},
    "bounds.py": {"simplify"},
}


def files_of(name: str) -> list[Path]:
    """Return the files of a module, or of a package with all that is in it."""
    path = ROOM.parent / name.replace(".", "/")
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


CLAIMING = [file for name in CONTRACTS["claims"]["source_modules"] for file in files_of(name)]
TRUSTED = [ROOM / "proof" / "checker.py", *files_of("costderive.deciders"), *CLAIMING]


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
def test_the_checker_the_deciders_and_the_claims_search_for_nothing(file: Path) -> None:
    assert called(file.read_text(encoding="utf-8")) & SEARCHES <= OWN.get(file.name, set())


def test_the_search_would_be_seen() -> None:
    assert called("x = sympy.integrate(f, x)\ny = expr.doit()") & SEARCHES == {"integrate", "doit"}


def private_functions(source: str) -> list[str]:
    """Return the names of the functions of a module that only the module itself may call."""
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return [name for name in names if name.startswith("_")]


@pytest.mark.parametrize("file", TRUSTED, ids=lambda file: file.name)
def test_what_writes_or_decides_claims_is_called(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    assert [x for x in private_functions(source) if len(re.findall(rf"\b{x}\b", source)) < 2] == []


def test_the_checker_is_short() -> None:
    assert len((ROOM / "proof" / "checker.py").read_text(encoding="utf-8").splitlines()) < 400


# ---- how much has to be trusted


DECIDING = {"core", "deciders", "proof"}
MOST_DECIDING, MOST_CLAIMING, MOST_SPOKEN_OF = (
    5_800,
    4_000,
    5_600,
)  # lines, as the page on what is proved says
A_MOVE = re.compile(r"^class (\w+)\(Move\)", re.M)
OF = {
    "derivation": "claims of two classes",
    "multiclass": "claims of K classes",
    "batch": "claims of batches",
}


def loaded() -> list[str]:
    """Return the modules of the package that are loaded with the checker, in a process of its own."""
    code = "import sys, costderive.proof.checker; print(*sorted(x for x in sys.modules if x.startswith('costderive.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def lines_of_code(source: str) -> int:
    """Return how many lines have code on them, without docstrings and comments."""
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
    lines = {line for x in tokens if x.type not in skipped for line in range(x.start[0], x.end[0] + 1)}
    return len(lines - docstrings)


def _docstring(node: ast.AST) -> range:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) or ast.get_docstring(node) is None:
        return range(0)
    return range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)


def test_the_lines_of_code_without_docstrings_and_comments_are_counted() -> None:
    source = '"""Says."""\n\n# why\ndef f():\n    """Says\n    more."""\n    return (1,\n        2)  # so\n'
    assert lines_of_code(source) == 3


def test_the_checker_loads_what_decides_and_nothing_that_searches_or_moves() -> None:
    assert {name.split(".")[1] for name in loaded()} == DECIDING


def parts() -> dict[str, int]:
    """Return the lines of code of each part of what has to be trusted for a proof."""
    found: Counter[str] = Counter()
    for name in loaded():
        found[name.split(".")[1]] += lines_of_code(source_of(name))
    for file in CLAIMING:
        found[OF[file.relative_to(ROOM).parts[0]]] += lines_of_code(file.read_text(encoding="utf-8"))
    for name in spoken_of():
        sizes = (lines_of_code(file.read_text(encoding="utf-8")) for file in files_of(name))
        found[f"objects in {name.split('.')[1]}"] += sum(sizes)
    return dict(found)


def spoken_of() -> set[str]:
    """Return the modules with the objects that claims are about: what the claims import beside what decides them."""
    found = {name for file in CLAIMING for name in imported(file.read_text(encoding="utf-8"))}
    return {
        name
        for name in found
        if name.split(".")[1] not in DECIDING and not set(files_of(name)) <= set(CLAIMING)
    }


def imported(source: str) -> Iterator[str]:
    """Yield the modules of the package that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("costderive."):
            yield str(node.module)


def test_what_is_trusted_is_small() -> None:
    sizes = parts()
    print(*(f"{size:6,} lines of code: {part}" for part, size in sizes.items()), sep="\n")
    assert sum(sizes[part] for part in DECIDING) < MOST_DECIDING
    assert sum(sizes[part] for part in OF.values()) < MOST_CLAIMING
    assert sum(size for part, size in sizes.items() if part.startswith("objects")) < MOST_SPOKEN_OF


def test_every_move_is_in_a_file_of_claims() -> None:
    moves = {file for file in ROOM.rglob("*.py") if A_MOVE.search(file.read_text(encoding="utf-8"))}
    assert moves - set(CLAIMING) == set()


def subclasses(kind: type) -> Iterator[type]:
    """Yield the moves of the package; data classes with slots leave the class without them behind."""
    for found in kind.__subclasses__():
        yield from subclasses(found)
        if getattr(sys.modules[found.__module__], found.__name__, None) is found:
            yield found


class Bare(Move):
    """A move without a search."""

    def claims(self, before: Any, after: Any, given: Given) -> Iterator[Claim]:
        """Nothing."""
        yield from ()


def test_a_move_without_a_search_says_so() -> None:
    with pytest.raises(SpecError, match="no search is named for Bare"):
        Bare().apply(None, Given())


def test_every_move_finds_what_it_gives_at_once_or_names_a_function_that_takes_it() -> None:
    for move in set(subclasses(Move)) - {Bare}:
        module, _, function = move.searched_by.partition(":")
        if not module:
            assert move.apply is not Move.apply
        else:
            search = getattr(importlib.import_module(module), function)
            assert issubclass(move, get_type_hints(search)["move"])


def source_of(name: str) -> str:
    """Return the source of a module, by its name."""
    path = ROOM.parent / name.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


PAGE = ROOM / "site" / "pages" / "proved.md"


def test_the_page_on_what_is_proved_says_what_each_move_claims_and_how_much_is_trusted() -> None:
    page = PAGE.read_text(encoding="utf-8")
    texts = [file.read_text(encoding="utf-8") for file in ROOM.rglob("*.py")]
    moves = {name for text in texts for name in A_MOVE.findall(text)}
    assert {name for name in moves if f"`{name}`" not in page} == set()
    kinds = re.findall(r"^class (\w+)\(Claim\)", source_of("costderive.proof.claims"), re.M)
    assert {name for name in kinds if f"`{name}`" not in page} == set()
    assert all(f"{most:,} lines" in page for most in (MOST_DECIDING, MOST_CLAIMING, MOST_SPOKEN_OF))


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
