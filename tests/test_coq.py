"""Coq accepts the properness of derived rules, rejects wrong ones, and speaks of the functions that Python computes."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp, mpf
from sympy import Rational, asin, log, sqrt

import costderive as cd
from costderive.cli import main
from costderive.core.errors import ExportError, SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces, Sign
from costderive.core.symbols import p, parameter, s
from costderive.costs import laws
from costderive.costs.contexts import Context
from costderive.derivation.certificates import document
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.proof.claims import Case
from costderive.publish.coq import coqc
from costderive.publish.coq.coq_file import combined, sections
from costderive.publish.coq.coqc import CLASSICAL_REALS, Status
from costderive.publish.coq.library_text import library as library_texts
from costderive.publish.coq.properness_section import IMPORTS
from costderive.publish.coq.terms import identifier, term
from costderive.publish.coq.visible_signs import visible
from costderive.rules import Losses, Properness
from tests.coq_terms import function, value
from tests.mutants import derivation as family

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "costderive" / "publish" / "coq" / "library"
CERTIFICATES = sorted((ROOT / "derivations").glob("*/certificate.json"))
GALLERY = [path.parent.name for path in CERTIFICATES if (path.parent / "proof.v").is_file()]
OF_TWO = [
    name for name in GALLERY if "Definition L0" in (ROOT / "derivations" / name / "proof.v").read_text()
]
with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
Capture = pytest.CaptureFixture[str]

# Contexts that no list of the project knows: other numbers, powers, mixtures, curves and symbols.
OTHERS: Mapping[str, Callable[[], Context]] = {
    "Rectangle": lambda: cd.IndependentUniform(c0=("3/10", "17/10"), c1=("1/5", 5)),
    "Half_open": lambda: cd.IndependentUniform(c0=(0, "b"), c1=(0, "e")),
    "Wild_names": lambda: cd.Additive(budget="forall + L0 + exp1"),
    "Power": lambda: cd.PowerMean("-1/2", mean=3),
    "Truncated": lambda: cd.Geometric(density="uniform(1/5, 7/10)"),
    "Mixture": lambda: cd.Mixture(("w", cd.Harmonic("d")), ("1-w", cd.IndependentUniform(c0=(0, 1), c1=(0, 1)))),
    "Wedge": lambda: cd.Joint("3*c0", ("c0 + c1 <= 2", "c0 <= c1")),
    "Inner": lambda: cd.Independent(c0=laws.uniform(1, 2), c1=laws.exponential(1)),
    "Logarithms": lambda: cd.Independent(c0=laws.lognormal(0, 1), c1=laws.lognormal(1, 2)),
    "Powers": lambda: cd.Independent(c0=laws.pareto("k+1", 1), c1=1),
}  # fmt: skip


@cache
def gallery_entry(name: str) -> Derivation | MulticlassDerivation:
    text = (ROOT / "derivations" / name / "certificate.json").read_text(encoding="utf-8")
    found: Derivation | MulticlassDerivation = document.read(text, (Derivation, MulticlassDerivation), name)
    return found


@cache
def other(name: str) -> Derivation:
    return cd.derive(OTHERS[name]())


def module_name(folder: str) -> str:
    return folder.replace("-", "_").capitalize()


def proved_in_the_gallery() -> dict[str, Derivation | MulticlassDerivation]:
    return {module_name(name): gallery_entry(name) for name in GALLERY}


# ---- what Coq accepts


@with_coq
def test_coq_accepts_rules_of_the_gallery_and_others_on_the_axioms_of_the_reals_alone(
    sampled: Callable[[Iterable[str]], list[str]],
) -> None:
    """One file for all: the text about each rule is that of its own ``proof.v``, which has the same library."""
    known = proved_in_the_gallery()
    rules = {name: known[name] for name in sampled(known)}
    rules |= {name: other(name) for name in sampled(OTHERS)}
    answer = coqc.ask(combined(rules, whole=True))
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS
    for name, derivation in rules.items():
        theorems = {
            f"{name}.{x.case}.{theorem}" for x in sections(derivation, whole=True) for theorem in x.theorems
        }
        assert theorems <= {lemma.name for lemma in answer.lemmas}


@with_coq
def test_the_end_of_a_section_does_not_end_the_module_of_its_name() -> None:
    proved = "Lemma {} : True.\nProof. exact I. Qed.\n"
    inside = f"Section Cuts.\n{proved.format('first')}End Cuts.\n{proved.format('second')}"
    answer = coqc.ask(f"Module Cuts.\n{inside}End Cuts.\n{proved.format('third')}")
    assert [lemma.name for lemma in answer.lemmas] == ["Cuts.first", "Cuts.second", "third"]


def test_every_entry_has_a_proof() -> None:
    assert {path.parent.name for path in CERTIFICATES} == {*GALLERY}


@pytest.mark.parametrize("folder", GALLERY)
def test_a_committed_proof_assumes_nothing(folder: str) -> None:
    """That it holds the text which is compiled is a test of the gallery."""
    proof = (ROOT / "derivations" / folder / "proof.v").read_text(encoding="utf-8")
    assert not re.search(r"\b(Admitted|Axiom|Parameter|Conjecture|admit|give_up)\b", proof)


@pytest.mark.parametrize("folder", GALLERY)
def test_a_proof_of_the_gallery_has_fewer_than_300_lines(folder: str) -> None:
    proof = (ROOT / "derivations" / folder / "proof.v").read_text(encoding="utf-8")
    assert len(proof.splitlines()) < 300


# ---- the functions are those that Python computes

NUMBERS = {
    "a": "1/3",
    "b": "2",
    "d": "1/4",
    "e": "3/2",
    "l": "1/4",
    "h": "1/2",
    "w": "1/3",
    "m": "1",
    "n": "2",
}


@pytest.mark.parametrize("name", [*OF_TWO, "Truncated", "Wedge", "Logarithms"])
def test_the_losses_in_coq_are_those_that_are_compiled(name: str) -> None:
    derivation = gallery_entry(name) if name in GALLERY else other(name)
    numbers = {x.name: sympy.Rational(NUMBERS.get(x.name, "2/3")) for x in derivation.rule.parameters}
    rule = derivation.rule.at(**numbers) if numbers else derivation.rule
    text = _case_of(_text(name), derivation, numbers)
    loss = cd.numeric.compile(rule)
    with mp.workdps(400):  # terms that cancel, near an end
        values = {identifier(parameter(name)): mpf(x.p) / x.q for name, x in numbers.items()}
        for label, compiled in ((0, loss.loss0), (1, loss.loss1)):
            for x in (2.0**-40, 0.013, 0.2, 0.25, 1 / 3, 0.5, 0.6180339887, 0.75, 0.9, 1 - 2.0**-30):
                exact = function(text, f"L{label}")(mpf(x), **values)
                # Compiled losses are right to four units in the last place, if they are not below all doubles.
                assert abs(compiled(x) - exact) <= 2.0**-50 * abs(exact) + 2.0**-1022, (label, x)


def _text(name: str) -> str:
    """Return the committed proof of an entry, or one that is written now."""
    if name in GALLERY:
        return (ROOT / "derivations" / name / "proof.v").read_text(encoding="utf-8")
    return str(cd.export.coq(other(name), whole=False))


def _case_of(text: str, derivation: Derivation, numbers: Mapping[str, sympy.Rational]) -> str:
    """Return the part of a file about the case that numbers belong to."""
    values = {parameter(name): number for name, number in numbers.items()}
    index = next(k for k, case in enumerate(derivation.cases) if case.given.holds_at(values))
    name = "rule" if len(derivation.cases) == 1 else f"case{index + 1}"
    return text[text.index(f"Module {name}.") :]


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (p**2 / (6 * (1 - p) ** 2), "p ^ 2 / (6 * (1 - p) ^ 2)"),
        (-log(1 - p) / 2, "- ln (1 - p) / 2"),
        (-(p**2), "- p ^ 2"),
        (sqrt(p) ** -3, "/ sqrt p ^ 3"),
        (p ** Rational(2, 3), "Rpower p (2 / 3)"),
        (2**p / sympy.pi, "Rpower 2 p / PI"),
        (sympy.exp(-1 / p), "exp (- / p)"),
        (Rational(-2, 3) * p - 1, "- 2 * p / 3 - 1"),
        (sympy.acosh(1 / p) - sympy.acos(p), None),
        (sympy.Max(p, 1 - p), None),
    ],
)
def test_a_term_has_the_value_of_its_expression(expr: sympy.Expr, text: str | None) -> None:
    found = term(expr)
    assert text in (None, found)
    with mp.workdps(30):
        for x in (mpf(1) / 7, mpf(5) / 8):
            exact = mpf(str(expr.subs(p, sympy.Float(x, 40)).evalf(30)))
            assert abs(value(found, {"p": x}) - exact) < mpf(10) ** -25


@pytest.mark.parametrize(
    "expr",
    [sympy.zeta(p), sympy.Float(0.5) * p, sympy.oo, sympy.gamma(p - 1), p**2000, sympy.Integer(10) ** 1200 * p,
     sympy.Integral(s, (s, 0, p)), sympy.I * p, sympy.Symbol("x y"), sympy.Symbol("p"), sympy.Dummy("x")],
    ids=str,
)  # fmt: skip
def test_what_coq_does_not_get_is_refused(expr: sympy.Expr) -> None:
    with pytest.raises(ExportError):
        term(expr)


def test_a_parameter_never_takes_a_word_of_coq() -> None:
    """Only one small letter with digits keeps its name; no word of Coq or of the library looks like that."""
    words = ("exp", "R", "forall", "L0", "piece1", "Qed", "in", "PI", "sqrt", "Rabs", "order1")
    assert [identifier(parameter(word)) for word in words] == [f"the_{word}" for word in words]
    assert identifier(parameter("a1")) == "a1"
    hostile = ("x. Axiom bad : False", "x*)", "x\nAdmitted", "", "é", "p")
    for name in hostile:
        with pytest.raises(ExportError):
            identifier(sympy.Symbol(name, positive=True))


# ---- signs


@pytest.mark.parametrize(
    ("expr", "low", "high"),
    [
        (2 * p**2 - 2 * p + 1, 0, 1),
        (p**2 - p + Rational(3, 10), 0, 1),
        ((p - Rational(1, 3)) * (Rational(3, 4) - p), Rational(1, 3), Rational(3, 4)),
        (p**4 - p**3 + p / 7 + Rational(1, 50), 0, 1),
    ],
)
def test_a_sign_is_seen_in_an_equal_term(expr: sympy.Expr, low: sympy.Expr, high: sympy.Expr) -> None:
    seen = visible(expr, Interval(p, sympy.sympify(low), sympy.sympify(high)), Given())
    assert seen is not None
    assert seen.strict
    for x in (mpf(2) / 7, mpf(3) / 5):
        assert abs(value(seen.text, {"p": x}) - mpf(str(expr.subs(p, sympy.Float(x, 30))))) < mpf(10) ** -12


def test_the_sign_of_a_form_of_two_letters_is_seen_in_its_squares() -> None:
    a, b = parameter("a"), parameter("b")
    seen = visible(a**2 - a * b + b**2, None, Given())
    assert seen is not None
    assert (seen.text, seen.strict) == ("((2 * a - b) ^ 2 + 3 * b ^ 2) / 4", True)
    assert visible(a**2 - 3 * a * b + b**2, None, Given()) is None


def test_a_sign_that_is_not_there_is_not_seen() -> None:
    unit = Interval(p, sympy.S.Zero, sympy.S.One)
    for expr in (p - Rational(1, 2), p**2 - p + Rational(2, 10), -p, sqrt(p) - sqrt(1 - p)):
        assert visible(expr, unit, Given()) is None
    a, b = parameter("a"), parameter("b")
    assert visible(a - b, None, Given((b - a,))) is None
    square = visible((p - Rational(1, 2)) ** 2, unit, Given())
    assert square is None or not square.strict


# ---- the library

STATED = re.compile(
    r"^(?:Global )?(?:Theorem|Lemma|Definition|Fixpoint|Inductive|Instance|Ltac) (\w+)(?![^\n]*::=)", re.M
)
RECORD = re.compile(r"^Record (\w+)[^{]*:= (\w+) \{([^}]*)\}", re.M)


def test_no_two_files_of_the_library_give_one_name_to_two_things() -> None:
    known = dict[str, str]()
    for file, text in library_texts().items():
        records = [x for name, made, fields in RECORD.findall(text) for x in (name, made, *_fields(fields))]
        for name in dict.fromkeys([*STATED.findall(text), *records]):
            assert name not in known, (name, known.get(name), file)
            known[name] = file
    assert {"along", "side", "in_order", "by_parts", "slopes_inside", "near_by_continuity"} <= known.keys()


def _fields(text: str) -> list[str]:
    return re.findall(r"(\w+) :", text)


# ---- what Coq rejects


def with_losses(derivation: Derivation, change: Callable[[Losses], Losses], case: int = 0) -> Derivation:
    """Falsify the losses that integration by parts gave, and all that was made of them."""
    found = derivation.cases[case]
    after = [step.after for step in found.steps]
    number = max(k for k, x in enumerate(after) if isinstance(x, Losses))
    steps = tuple(
        replace(step, after=change(step.after)) if k == number else step for k, step in enumerate(found.steps)
    )
    return replace(derivation, cases=(replace(found, steps=steps),))


def pieces_of(function: Pieces, change: Callable[[Piece], Piece], number: int | None = None) -> Pieces:
    changed = [change(x) if number in (None, k) else x for k, x in enumerate(function)]
    return Pieces(function.variable, tuple(changed))


def loss0(
    change: Callable[[sympy.Expr], sympy.Expr], number: int | None = None
) -> Callable[[Losses], Losses]:
    return lambda found: replace(found, loss0=pieces_of(found.loss0, lambda piece: piece.map(change), number))


def single(first: sympy.Expr, second: sympy.Expr, weight: sympy.Expr) -> Derivation:
    """Put losses and a weight in the place of those of the Brier score."""

    def change(found: Losses) -> Losses:
        density = pieces_of(found.weight.density, lambda piece: piece.map(lambda _: weight))
        return Losses(
            pieces_of(found.loss0, lambda piece: piece.map(lambda _: first)),
            pieces_of(found.loss1, lambda piece: piece.map(lambda _: second)),
            replace(found.weight, density=density),
            found.worst0,
            found.worst1,
        )

    return with_losses(gallery_entry("additive"), change)


def moved(found: Losses) -> Losses:
    """Move the breakpoint 1/2 to 1/3 in everything."""

    def change(piece: Piece) -> Piece:
        low, high = (x.subs(Rational(1, 2), Rational(1, 3)) for x in (piece.low, piece.high))
        return Piece(low, high, piece.value)

    density = pieces_of(found.weight.density, change)
    return replace(
        found,
        loss0=pieces_of(found.loss0, change),
        loss1=pieces_of(found.loss1, change),
        weight=replace(found.weight, density=density),
    )


def strict_everywhere(derivation: Derivation) -> Derivation:
    found = derivation.cases[0]
    last = replace(
        found.steps[-1], after=replace(found.steps[-1].after, strict=((sympy.S.Zero, sympy.S.One),))
    )
    assert isinstance(last.after, Properness)
    return replace(derivation, cases=(replace(found, steps=(*found.steps[:-1], last)),))


def called_positive(found: Losses) -> Losses:
    return replace(found, weight=replace(found.weight, signs=(Sign.POSITIVE,) * len(found.weight.signs)))


def other_order(derivation: Derivation) -> Derivation:
    first, second = derivation.cases
    return replace(derivation, cases=(Case(second.given, first.steps),))


def without_facts(derivation: Derivation) -> Derivation:
    return replace(derivation, cases=(Case(Given(), derivation.cases[0].steps),))


Q = 1 - p
MUTANTS: dict[str, tuple[Callable[[], Derivation], str]] = {
    "a loss doubled": (lambda: with_losses(gallery_entry("additive"), loss0(lambda x: 2 * x)), "slopes1"),
    "a loss by 1e-30 p too large": (
        lambda: with_losses(gallery_entry("additive"), loss0(lambda x: x + p / 10**30)), "slopes1"),
    "the absolute loss": (lambda: single(p, Q, sympy.S.One), "slopes1"),
    "the absolute loss with the weight of loss 0": (lambda: single(p, Q, 1 / s), "slopes1"),
    "the losses exchanged": (lambda: single(Q**2, p**2, sympy.Integer(2)), "slopes1"),
    "a weight doubled": (lambda: single(p**2, Q**2, sympy.Integer(4)), "slopes1"),
    "a logarithm of the wrong probability": (
        lambda: single(-log(p) / 2, -log(Q) / 2, 1 / (2 * s * (1 - s))), "slopes1"),
    "a root added, not subtracted": (
        lambda: single(asin(sqrt(p)) + sqrt(p * Q), asin(sqrt(Q)) + sqrt(p * Q), 1 / sqrt(s * (1 - s))), "slopes1"),
    "a negative weight": (lambda: single(-(p**2), -(Q**2), sympy.Integer(-2)), "sign1"),
    "a weight negative in part": (
        lambda: single(p**3 / 3 - p**2 / 4, p**3 / 3 - 3 * p**2 / 4 + p / 2, s - Rational(1, 2)), "sign1"),
    "a weight that vanishes, called positive": (
        lambda: with_losses(gallery_entry("bounded-log-loss"), called_positive), "sign1"),
    "a jump": (
        lambda: with_losses(gallery_entry("inverse-score"), loss0(lambda x: x + Rational(1, 10), 1)), "join1"),
    "a breakpoint moved": (lambda: with_losses(gallery_entry("inverse-score"), moved), "join1"),
    "strict where the weight vanishes": (
        lambda: strict_everywhere(gallery_entry("bounded-log-loss")), "strictly_proper"),
    "pieces of one order under the facts of the other": (
        lambda: other_order(family("orders")), "order3"),
    "a needed fact left out": (lambda: without_facts(gallery_entry("bounded-brier")), "order2"),
}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile the library once; files about mutants then need no copy of it."""
    folder = tmp_path_factory.mktemp("library")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COQPATH", str(folder))
        for name in IMPORTS:
            shutil.copy(LIBRARY / f"{name}.v", folder)
            subprocess.run(["coqc", f"{name}.v"], cwd=folder, check=True, capture_output=True)
        yield


def without_library(text: str) -> str:
    start, end = text.index(f"Module {IMPORTS[0]}."), text.index("Module Rule.")
    return f"{text[:start]}Require Import {' '.join(IMPORTS)}.\n{text[end:]}"


@with_coq
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("name", MUTANTS)
def test_coq_rejects_a_wrong_rule_at_the_lemma_that_is_wrong(name: str) -> None:
    build, lemma = MUTANTS[name]
    answer = coqc.ask(without_library(cd.export.coq(build(), whole=False)))
    assert not answer.accepted
    assert answer.culprit == f"Rule.rule.{lemma}"


# ---- the library beside the gallery


@with_coq
def test_the_proofs_of_the_gallery_compile_with_the_library_that_lies_beside_them(tmp_path: Path) -> None:
    root = ROOT / "derivations"
    files = [
        name for name in (root / "_CoqProject").read_text(encoding="utf-8").split() if name.endswith(".v")
    ]
    proofs = {f"{name}/proof.v" for name in GALLERY}
    assert proofs == {name for name in files if not name.startswith("coq/")}
    for name in [name for name in files if name not in proofs] + ["inverse-score/proof.v"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
        subprocess.run(
            ["coqc", "-Q", "coq", "CostDerive", name], cwd=tmp_path, check=True, capture_output=True
        )


# ---- refusals


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        (lambda: cd.PowerMean(5), "Integral"),
        (lambda: cd.PowerMean(4, density="beta(v, w)"), "Integral"),
    ],
)
def test_a_rule_that_coq_does_not_get_is_refused_with_the_reason(
    context: Callable[[], Context], reason: str
) -> None:
    with pytest.raises(ExportError, match=reason):
        cd.export.coq(cd.derive(context()), whole=False)


def test_an_improper_rule_has_no_proof_of_properness() -> None:
    text = cd.export.coq(cd.examine(p, 1 - p))
    assert "Theorem not_proper" in text
    assert "Theorem proper " not in text


def test_facts_that_contradict_one_another_are_no_hypotheses() -> None:
    """Of parameters that cannot be, everything would be a theorem."""
    derivation = gallery_entry("bounded-brier")
    low, high = parameter("l"), parameter("h")
    case = replace(derivation.cases[0], given=Given((high - low, low - high)))
    with pytest.raises(ExportError, match="no parameters"):
        cd.export.coq(replace(derivation, cases=(case,)))


# ---- asking Coq


@with_coq
def test_coq_is_ended_when_its_time_is_over() -> None:
    with pytest.raises(SpecError, match=r"0\.5 seconds"):
        coqc.ask("Ltac turn := turn.\nGoal True.\nturn.\nQed.\n", seconds=0.5)


@with_coq
def test_a_proof_from_another_axiom_is_not_accepted() -> None:
    answer = coqc.ask(
        "Axiom bad : False.\nLemma wrong : 0 = 1.\nProof. destruct bad. Qed.\nPrint Assumptions wrong.\n"
    )
    assert [lemma.status for lemma in answer.lemmas] == [Status.ACCEPTED]
    assert answer.axioms == ("bad",)
    assert not answer.accepted


@with_coq
def test_check_reports_each_lemma(capsys: Capture) -> None:
    assert main(["check", "--coq", str(ROOT / "derivations" / "additive" / "certificate.json")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^Rule.rule.slopes1 +accepted$", out, re.MULTILINE)
    assert "those of the classical real numbers alone" in out


def test_without_coq_check_says_how_to_run_coq_elsewhere(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["check", "--coq", str(ROOT / "derivations" / "additive" / "certificate.json")]) == 2
    err = capsys.readouterr().err
    assert "there is no coqc" in err
    assert "derive --coq proof.v" in err


def test_derive_writes_a_proof_that_stands_alone(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "proof.v"
    assert main(["derive", "harmonic", "--coq", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    assert re.findall(r"^From (\w+)", text, re.MULTILINE) == ["Coq", "Coquelicot"]
    assert re.search(r"Theorem strictly_proper :\s+StrictlyProper L0 L1\.", text)


# ---- the whole gallery


@with_coq
def test_proofs_of_the_gallery_are_checked_by_one_command(tmp_path: Path, capsys: Capture) -> None:
    entry = tmp_path / "fixed-threshold"
    shutil.copytree(ROOT / "derivations" / "fixed-threshold", entry)
    assert main(["gallery", "--coq", str(entry)]) == 0
    line = capsys.readouterr().out
    assert re.match(r"fixed-threshold: accepts the proof \(\d+\.\d s\); 15 theorems, \d+ lines\n", line), line
    proof = entry / "proof.v"
    text = proof.read_text(encoding="utf-8")
    others, name, report = text.partition("Theorem better_report")
    wrong = re.sub(r"strictly_below_by \((\d+) / (\d+)\)", r"strictly_below_by (1\1 / \2)", report)
    assert wrong != report
    proof.write_text(f"{others}{name}{wrong}", encoding="utf-8")
    assert main(["gallery", "--coq", str(entry)]) == 1
    assert "fixed-threshold: rejects Rule.rule.better_report" in capsys.readouterr().out
