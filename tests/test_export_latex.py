"""Mathematics is printed as a person writes it; a derivation becomes an honest article that compiles."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Expr, Integral, Rational, Symbol, asin, asinh, log, sqrt

import costderive as cd
from costderive.cli import main
from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.core.symbols import c0, c1, p, parameter, pi0, q, s
from costderive.costs.contexts import FixedCosts, Mixture
from costderive.costs.laws import (
    Density,
    exponential,
    gamma,
    known,
    law_of,
    lognormal,
    triangular,
    uniform,
    weibull,
)
from costderive.costs.laws import beta as beta_law
from costderive.derivation.moves import IntegrateMagnitude
from costderive.proof.claims import Claim, Finding, Move, Report, Same, Step, Verdict
from costderive.publish import arxiv
from costderive.publish.formats.article import escaped, latex
from costderive.publish.formats.terminal import context_words
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.notation import tex as written
from costderive.publish.formulas.printing import broken, inline, width
from costderive.publish.formulas.printing import latex as tex
from costderive.publish.formulas.shorter import NormalCdf, shorter
from costderive.publish.words import proofs_from_costs
from costderive.publish.words.context_phrases import setting_of
from costderive.publish.words.displays import positive, region
from costderive.publish.words.document_blocks import Front, Maths, Paragraph, Theorem, plain, prose
from costderive.publish.words.law_phrases import law_phrase
from costderive.publish.words.paper import story
from tests.families import CONTEXTS, GOLDEN, OTHERS, article, checked, golden

a, b, d, e, f, k, m = map(parameter, "abdefkm")
alpha, beta = parameter("alpha"), parameter("beta")

# ---------------------------------------------------------------------------------------------- printing

WRITTEN: list[tuple[Expr, str, str]] = [
    (b - a, "b - a", "b − a"),
    (1 - p, "1 - p", "1 − p"),
    (-p, "-p", "−p"),
    (sympy.Mul(-1, 1 - p, evaluate=False), "-(1 - p)", "−(1 − p)"),
    ((b - a) * p + a, r"a (1 - p) + b p", "a(1 − p) + bp"),
    ((a + b) * p - a, r"b p - a (1 - p)", "bp − a(1 − p)"),
    (3 * p**2 - 2 * p + 1, "2 p^2 + (1 - p)^2", "2p² + (1 − p)²"),
    (3 * p**2 - 4 * p + 1, "3 p^2 - 4 p + 1", "3p² − 4p + 1"),
    (log(a) - log(b) + p, r"p + \ln\frac{a}{b}", "p + ln(a/b)"),
    (
        -log(p) / 9 + log(1 - p) / 9 + log(5) / 9,
        r"\frac{1}{9} \ln\frac{5 (1 - p)}{p}",
        "ln(5(1 − p)/p)/9",
    ),
    (-p * log(p) - (1 - p) * log(1 - p), r"-p \ln p - (1 - p) \ln(1 - p)", "−p ln p − (1 − p)ln(1 − p)"),
    (18 * sqrt(19) / (19 * p), r"\frac{18}{\sqrt{19} \, p}", "18/(√19 p)"),
    ((p - a) * (p + a - 2) / b, r"\frac{(a - p) (2 - a - p)}{b}", "(a − p)(2 − a − p)/b"),
    (p ** (1 - a) * (1 - p) ** (a - 1), r"\left(\frac{1 - p}{p}\right)^{a - 1}", "((1 − p)/p)^(a − 1)"),
    (2 * p**2 - 2 * p + 1, "p^2 + (1 - p)^2", "p² + (1 − p)²"),
    (3 - 5 * p, "3 - 5 p", "3 − 5p"),
    (48 * p**2 + 3 * p - 104 * p**3 - 1, "48 p^2 + 3 p - 104 p^3 - 1", "48p² + 3p − 104p³ − 1"),
    ((5 * p - 2) / (6 * p), r"\frac{5 p - 2}{6 p}", "(5p − 2)/(6p)"),
    (
        (p + 2) * (4 * p - 1) ** 2 / (12 * p * (1 - p) ** 2),
        r"\frac{(p + 2) (4 p - 1)^2}{12 p (1 - p)^2}",
        "(p + 2)(4p − 1)²/(12p(1 − p)²)",
    ),
    (
        (-(a**3) / s**3 + e**3 / (1 - s) ** 3) / (3 * (b - a) * (e - d)),
        r"\frac{1}{3 (b - a) (e - d)} \left(\frac{e^3}{(1 - s)^3} - \frac{a^3}{s^3}\right)",
        "(e³/(1 − s)³ − a³/s³)/(3(b − a)(e − d))",
    ),
    (
        (a - b) * (3 * a**2 - p**2 * d) / (6 * (1 - p) ** 2 * (b - a) ** 2),
        r"\frac{d p^2 - 3 a^2}{6 (b - a) (1 - p)^2}",
        "(dp² − 3a²)/(6(b − a)(1 − p)²)",
    ),
    (a / 2 + b / 2, r"\frac{a + b}{2}", "(a + b)/2"),
    (a / 2 + b / 2 - 1 / p, r"\frac{a + b}{2} - \frac{1}{p}", "(a + b)/2 − 1/p"),
    (Rational(3, 2) - 3 * q / 2, r"\frac{3 (1 - q)}{2}", "3(1 − q)/2"),
    (a * (1 - s) / s, r"\frac{a (1 - s)}{s}", "a(1 − s)/s"),
    (-a * (s - 1) / s, r"\frac{a (1 - s)}{s}", "a(1 − s)/s"),
    (s * c1 / (1 - s), r"\frac{s c_1}{1 - s}", "sc₁/(1 − s)"),
    (sqrt(p) * sqrt(1 - p), r"\sqrt{p (1 - p)}", "√(p(1 − p))"),
    (1 / (sqrt(s) * sqrt(1 - s)), r"\frac{1}{\sqrt{s (1 - s)}}", "1/√(s(1 − s))"),
    (
        asin(sqrt(p)) - sqrt(p) * sqrt(1 - p),
        r"\arcsin\sqrt{p} - \sqrt{p (1 - p)}",
        "arcsin √p − √(p(1 − p))",
    ),
    (-log(1 - p) / 2, r"-\frac{1}{2} \ln(1 - p)", "−ln(1 − p)/2"),
    (log(p) / p, r"\frac{\ln p}{p}", "ln(p)/p"),
    (log(p) * log(1 - p), r"\ln(p) \ln(1 - p)", "ln(p)ln(1 − p)"),
    (a - b + log(p / (1 - p)), r"a - b + \ln\frac{p}{1 - p}", "a − b + ln(p/(1 − p))"),
    (b - a + log(p / (1 - p)), r"\ln\frac{p}{1 - p} - a + b", "ln(p/(1 − p)) − a + b"),
    (4 - a * p - 3 * a, "4 - 3 a - a p", "4 − 3a − ap"),
    (
        1 / (sqrt(p) * (1 - p) ** Rational(3, 2)),
        r"\frac{1}{p^{1/2} (1 - p)^{3/2}}",
        "1/(p^(1/2)(1 − p)^(3/2))",
    ),
    (log(log(3) / p) * p, r"p \ln\frac{\ln 3}{p}", "p ln(ln(3)/p)"),
    (sympy.exp(-log(3) / p), r"\mathrm{e}^{-\ln(3)/p}", "e^(−ln(3)/p)"),
    (log(p) + log(2) - log(3), r"\ln\frac{2 p}{3}", "ln(2p/3)"),
    (
        p + 5 * log(3) + 5 * log(2) / 2 - 5 * log(10) / 2,
        r"p + \frac{5}{2} \ln\frac{9}{5}",
        "p + 5 ln(9/5)/2",
    ),
    (p + log(3) - log(6), r"p - \ln 2", "p − ln 2"),
    (sympy.exp(-(log(p) ** 2) / 2), r"\mathrm{e}^{-(\ln p)^2/2}", "e^(−(ln p)²/2)"),
    (
        sympy.exp((2 * a * log(p) - log(p) ** 2 - a**2) / (2 * b)),
        r"\mathrm{e}^{-(\ln p - a)^2/(2 b)}",
        "e^(−(ln p − a)²/(2b))",
    ),
    (sympy.gamma(a + b + 1) * sympy.beta(a + 1, b) / (sympy.gamma(a) * sympy.gamma(b)), "a", "a"),
    (
        p + sqrt(2) * (asinh(p) - sqrt(2) * log(p)) / 4,
        r"p - \frac{1}{2} \ln p + \frac{1}{2 \sqrt{2}} \operatorname{arsinh} p",
        "p − ln(p)/2 + arsinh(p)/(2√2)",
    ),
    (sqrt(p) * sqrt(-1 / (p - 1)), r"\sqrt{\frac{p}{1 - p}}", "√(p/(1 − p))"),
    (a * sqrt(p) / (2 * sqrt(1 - p)), r"\frac{a}{2} \sqrt{\frac{p}{1 - p}}", "a√(p/(1 − p))/2"),
    (
        sympy.Mul(Rational(5, 2) * p, -log(p) - log(2), evaluate=False),
        r"-\frac{5 p}{2} \ln(2 p)",
        "−5p ln(2p)/2",
    ),
    (log(p) ** 2, r"(\ln p)^2", "(ln p)²"),
    (-p + log(2), r"\ln 2 - p", "ln 2 − p"),
    (asinh(2 * p - 1) / 2, r"\frac{1}{2} \operatorname{arsinh}(2 p - 1)", "arsinh(2p − 1)/2"),
    (sympy.exp(-p / m), r"\mathrm{e}^{-p/m}", "e^(−p/m)"),
    (a * p**2 - a * b + b, "a p^2 + b (1 - a)", "ap² + b(1 − a)"),
    (b * (1 - p) ** 2 - 4 * b + 4, "b (1 - p)^2 + 4 (1 - b)", "b(1 − p)² + 4(1 − b)"),
    (
        sqrt(2) / (2 * sqrt(sympy.pi) * sqrt(a**2 + b**2)),
        r"\frac{1}{\sqrt{2 \pi (a^2 + b^2)}}",
        "1/√(2π(a² + b²))",
    ),
    (sqrt(2) / (4 * sqrt(p)), r"\frac{1}{2 \sqrt{2 p}}", "1/(2√(2p))"),
    (sqrt(2) / sqrt(p), r"\frac{\sqrt{2}}{\sqrt{p}}", "√2/√p"),
    ((1 + a / b) ** -2, r"\left(\frac{b}{a + b}\right)^2", "(b/(a + b))²"),
    (m / (1 + a / b) ** 2, r"\frac{b^2 m}{(a + b)^2}", "b²m/(a + b)²"),
    ((a + b) ** -m, r"\frac{1}{(a + b)^m}", "1/(a + b)^m"),
    (
        (2 / (s**k + (1 - s) ** k)) ** (1 / k),
        r"\left(\frac{2}{s^k + (1 - s)^k}\right)^{1/k}",
        "(2/(s^k + (1 − s)^k))^(1/k)",
    ),
    (
        p ** (alpha - 1) * (1 - p) ** (beta - 1) / sympy.beta(alpha, beta),
        r"\frac{p^{\alpha - 1} (1 - p)^{\beta - 1}}{\mathrm{B}(\alpha, \beta)}",
        "p^(α − 1)(1 − p)^(β − 1)/B(α, β)",
    ),
    (sympy.beta(a, b), r"\mathrm{B}(a, b)", "B(a, b)"),
    (sympy.betainc(a, b, 0, p), r"\mathrm{B}_p(a, b)", "B[p](a, b)"),
    (sympy.betainc_regularized(a, b, 0, p), r"\mathrm{I}_p(a, b)", "I[p](a, b)"),
    (sympy.lowergamma(a, p / m), r"\gamma\left(a, \frac{p}{m}\right)", "γ(a, p/m)"),
    (sympy.erf(p / 2), r"\operatorname{erf}\left(\frac{p}{2}\right)", "erf(p/2)"),
    (sympy.digamma(a), r"\psi(a)", "ψ(a)"),
    (
        Integral(2 ** Rational(1, 3) * s * (1 / (s**3 + (1 - s) ** 3)) ** Rational(1, 3), (s, 0, p)),
        r"\int_0^p \frac{\sqrt[3]{2} \, s}{\sqrt[3]{s^3 + (1 - s)^3}} \, ds",
        "∫[0, p] ∛2 s/∛(s³ + (1 − s)³) ds",
    ),
    (parameter("k2") * p, "k_2 p", "k₂p"),
    (c0 * pi0, r"\pi_0 c_0", "π₀c₀"),
    (parameter("theta_max"), r"\theta_{\mathit{max}}", "θₘₐₓ"),
    (parameter("budget") * p, r"\mathit{budget} \, p", "budget p"),
    (2 * 3**k, r"2 \cdot 3^k", "2·3^k"),
    (sympy.oo, r"\infty", "∞"),
    (
        sympy.Piecewise((p, p <= Rational(1, 2)), (1 - p, True)),
        r"\begin{cases} p & \text{if } p \le \frac{1}{2} \\ 1 - p & \text{otherwise} \end{cases}",
        "p if p ≤ 1/2; 1 − p otherwise",
    ),
]


@pytest.mark.parametrize(("expr", "written", "line"), WRITTEN, ids=[line for _, _, line in WRITTEN])
def test_an_expression_is_written_as_a_person_does(expr: Expr, written: str, line: str) -> None:
    assert (tex(expr), inline(expr)) == (written, line)


GROUPS = r"\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}"


def meaning(written: str) -> str:
    """Translate LaTeX back into an expression, reading it as mathematics is read."""
    for pattern, image in (
        (r"\\frac" + GROUPS + GROUPS, r"((\1)/(\2))"),
        (r"\\sqrt\[(\d)\]" + GROUPS, r"((\2)**(1/\1))"),
        (r"\\sqrt" + GROUPS, r"sqrt(\1)"),
        (r"\^" + GROUPS, r"**(\1)"),
    ):
        while re.search(pattern, written):
            written = re.sub(pattern, image, written)
    written = re.sub(r"\\(left|right|,)|\\operatorname", "", written).replace(r"\pi", "pi")
    written = re.sub(r"\^(\w)", r"**\1", written).replace(r"\cdot", "*").replace("{", "").replace("}", "")
    written = re.sub(
        r"\\?(ln|arcsin|arsinh) ?(sqrt\([^()]*(?:\([^()]*\))?[^()]*\)|[a-z0-9]\b)", r"\1(\2)", written
    )
    written = re.sub(r"\\?\b(ln|arcsin|arsinh)\b", r"\1", written)
    written = re.sub(r"([\w)]) +(?=[\w(])", r"\1*", written)
    return re.sub(r"(?<![a-zA-Z])([0-9]+|\))(?=[a-z(])", r"\1*", written)


def values(expr: Expr) -> dict[str, Any]:
    numbers = {
        x.name: mpmath.mpf(number)
        for x, number in zip(sorted(expr.free_symbols, key=str), NUMBERS, strict=False)
    }
    return numbers | {
        "pi": mpmath.pi,
        "sqrt": mpmath.sqrt,
        "ln": mpmath.log,
        "arcsin": mpmath.asin,
        "arsinh": mpmath.asinh,
    }


NUMBERS = ("0.37", "0.21", "0.83", "0.64", "0.55")
EVALUATED = [
    expr
    for expr, written, _ in WRITTEN
    if not re.search(r"\\(mathrm|mathit|int|infty|psi|gamma|begin|theta)|erf|_", written)
    and expr.free_symbols
]


@pytest.mark.parametrize("expr", EVALUATED, ids=map(str, EVALUATED))
def test_the_latex_of_an_expression_means_the_expression(expr: Expr) -> None:
    numbers = values(expr)
    expected = sympy.lambdify(list(expr.free_symbols), expr, "mpmath")(
        *[numbers[x.name] for x in expr.free_symbols]
    )
    assert mpmath.almosteq(eval(meaning(tex(expr)), {}, numbers), expected, 1e-12)


@pytest.mark.parametrize("family", ["rectangle", "symbolic", "k = -2", "euclidean", "triangular"])
def test_the_latex_of_each_derived_loss_means_the_loss(family: str) -> None:
    for case in checked(family)[0].rule.cases:
        for piece in (*case[1].loss0, *case[1].loss1, *case[1].weight.density):
            if piece.value.free_symbols:
                test_the_latex_of_an_expression_means_the_expression(piece.value)


def test_an_antiderivative_is_written_as_the_function_that_was_checked() -> None:
    (step,) = [step for step in checked("exponential")[0].steps if isinstance(step.move, IntegrateMagnitude)]
    found = step.after.inner[0].antiderivative
    shown = proofs_from_costs._factored(found, Given())
    values = dict(zip(map(parameter, "mn"), (Rational(2, 3), Rational(7, 5)), strict=True))
    for place in ({s: Rational(1, 5), c1: Rational(1, 2)}, {s: Rational(5, 7), c1: 3}):
        first, second = (x.subs(values | place).evalf(30) for x in (found, shown))
        assert shown != found and abs(first - second) < 1e-25 * abs(first)


def test_a_long_factor_takes_a_line_of_its_own() -> None:
    rest = sympy.Mul(*[(p + i) ** (i + parameter("k")) for i in range(1, 6)])
    total = rest * (sympy.erf(p / 3 + 7) * parameter("kappa") + sympy.erf(p / 5 + 9) * parameter("lambda_1"))
    first, *lines = map(written, broken(total, 50))
    assert first == tex(rest) and lines[0].startswith(r"{} \times \Bigl(") and lines[-1].endswith(r"\Bigr)")
    assert tex(sympy.erf(p / 3 + 7)) in "".join(lines) and tex(sympy.erf(p / 5 + 9)) in "".join(lines)


def test_a_long_sum_breaks_into_lines_that_fit() -> None:
    total = sympy.Add(*[Symbol(f"a{i}", positive=True) / (p + i) ** 3 for i in range(1, 20)])
    assert width(total) > 60
    assert len(broken(total, 60)) >= 3
    assert " ".join(map(written, broken(total, 60))).replace("{} ", "") == tex(total)


def test_the_name_of_a_symbol_cannot_write_tex() -> None:
    hostile = Symbol(r"a$\input{x}%&#~^" + "\n\x1b", positive=True)
    assert re.fullmatch(
        r"\\mathit\{(?:[ax?]|nput|i|\\[${}%&#_]|\\backslash |\\sim |\\wedge )*\}", tex(hostile)
    )
    assert inline(hostile).isprintable()


def test_a_parameter_with_a_letter_of_the_theory_is_set_apart() -> None:
    assert tex(parameter("R") + parameter("L0")) == r"\mathsf{L}_0 + \mathsf{R}"


LAWS = {
    "uniform on $[a, b]$": uniform("a", "b"),
    "equal to $3$": known(3),
    "exponential with expectation $m$": exponential("m"),
    r"$\mathrm{LogNormal}(\mu, \sigma^2)$-distributed (mean and variance of the logarithm)": lognormal(
        "mu", "sigma"
    ),
    r"$\mathrm{LogNormal}(-1, \frac{1}{9})$-distributed (mean and variance of the logarithm)": lognormal(
        -1, "1/3"
    ),
    r"$\mathrm{Beta}(2, 2)$-distributed": beta_law(2, 2),
    r"$\mathrm{Beta}(\alpha, b)$-distributed": beta_law("alpha", "b"),
    r"$\mathrm{Gamma}(k, 3)$-distributed (shape and scale)": gamma("k", 3),
    r"random with the density $2 c_0 \mathrm{e}^{-c_0^2/9}/9$ on $[0, \infty)$": law_of(
        Density("2*x*exp(-x^2/9)/9"), "law"
    ),
    r"$\mathrm{Weibull}(2, 3)$-distributed (shape and scale)": weibull(2, 3),
    r"triangular on $[0, b]$ with its peak at $1$": triangular(0, 1, "b"),
    r"equal to $1$ with probability $\frac{1}{3}$ and to $4$ with probability $\frac{2}{3}$": law_of(
        {1: "1/3", 4: "2/3"}, "law"
    ),
}


@pytest.mark.parametrize("phrase", LAWS)
def test_a_law_is_said_in_words(phrase: str) -> None:
    assert law_phrase(LAWS[phrase], "c_0") == prose(phrase)


def test_a_region_is_written_without_needless_signs() -> None:
    constraints = (c0, c1, 2 - c0 - c1, c0 - c1 + 1, b - c0)
    assert list(map(written, region(constraints))) == [
        r"0 \le c_0 \le b",
        r"c_1 \ge 0",
        r"c_0 + c_1 \le 2",
        r"c_1 \le c_0 + 1",
    ]


@pytest.mark.parametrize(("fact", "text"), [(b - a, "a < b"), (1 - a, "a < 1"), (a - 1, "a > 1")])
def test_a_fact_has_its_smaller_side_on_the_left(fact: Expr, text: str) -> None:
    assert written(positive(fact)) == text


def test_a_fixed_maximum_is_not_called_a_minimum() -> None:
    assert r"\max(c_0, c_1) = 1" in article("maximum") and r"\min(" not in article("maximum")
    assert r"\min(c_0, c_1) = 1" in article("minimum") and r"\max(" not in article("minimum")


# ----------------------------------------------------------------------------------------------- article


def formulas(text: str) -> Iterator[str]:
    """Return every formula of an article, without the marks that end proofs beside them."""
    equation = r"\\begin\{equation\}(?:\\label\{.*?\})?(.+?)\\end\{equation\}"
    for groups in re.findall(rf"\\\((.+?)\\\)|\\\[(.+?)\\\]|{equation}", text, re.DOTALL):
        yield "".join(groups).replace(r"\qedhere", "").replace(r"\begin{array}[b]", r"\begin{array}")


@pytest.mark.parametrize("family", [*CONTEXTS, *OTHERS])
def test_every_formula_of_an_article_is_strict_katex(family: str) -> None:
    pykatex = pytest.importorskip("pykatex")
    found = list(formulas(article(family)))
    assert len(found) > 15
    for formula in found:
        pykatex.renderToString(formula, displayMode=True, throwOnError=True, strict=pykatex.STRICT_ERROR)


def test_katex_refuses_a_wrong_formula() -> None:
    pykatex = pytest.importorskip("pykatex")
    with pytest.raises(pykatex.ParseError):
        pykatex.renderToString(
            r"\frac{1}{2", displayMode=True, throwOnError=True, strict=pykatex.STRICT_ERROR
        )


def compiled(text: str, folder: Path, runs: int = 3) -> str:
    """Run pdflatex so often, and until references and page breaks settle, and return its last log."""
    if shutil.which("pdflatex") is None and os.environ.get("CI") != "true":
        pytest.skip("pdflatex is not installed")
    (folder / "article.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "article.tex"]
    log = ""
    for n in range(6):
        if n < runs or (runs > 1 and "Rerun" in log):
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
            assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
            log = (folder / "article.log").read_text(encoding="utf-8", errors="replace")
    return log


def complaints(log: str) -> list[str]:
    found = re.findall(r"^.*(?:Warning|Overfull|Undefined).*$", log, re.MULTILINE)
    return [line for line in found if "Font Warning" not in line]


def test_steps_fit_into_their_column_and_displays_in_a_row_stand_apart(tmp_path: Path) -> None:
    text = article("additive")
    (share,) = re.findall(r"\{>\{\\raggedright\\arraybackslash\}p\{(.*?)\}", text)
    measured = (
        r"\typeout{SKIP \the\abovedisplayshortskip}{\footnotesize\sbox0{change of variables}"
        rf"\typeout{{FREE \the\dimexpr{share}-\wd0\relax}}}}"
    )
    log = compiled(text.replace(r"\maketitle", r"\maketitle" + measured), tmp_path, runs=1)
    for length in ("SKIP", "FREE"):
        (points,) = re.findall(rf"^{length} (-?[\d.]+)pt", log, re.MULTILINE)
        assert float(points) > 1


@pytest.mark.parametrize("family", ["harmonic", "rectangle", "mixture", *GOLDEN])
def test_an_article_compiles_without_a_complaint(family: str, tmp_path: Path) -> None:
    assert complaints(compiled(article(family), tmp_path)) == []


def run(program: str, folder: Path) -> str:
    done = subprocess.run([program, "article"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


@pytest.mark.parametrize("family", ["harmonic", "symbolic mixture", "improper pair"])
def test_a_fragment_compiles_in_a_document_of_its_user(family: str, tmp_path: Path) -> None:
    fragment = latex(*checked(family), fragment=True)
    assert r"\documentclass" not in fragment and r"\section" not in fragment
    said = re.findall(r"^% .*?(\\(?:usepackage|newtheorem)\{.*\}(?=,| and|$))", fragment, re.MULTILINE)
    preamble = "\n".join(said)
    sources = "\\bibliographystyle{plain}\n\\bibliography{sources}"
    document = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{fragment}{sources}\n\\end{{document}}\n"
    entries = cd.export.bibtex(*checked(family), fragment=True)
    (tmp_path / "sources.bib").write_text(entries, encoding="ascii")
    compiled(document, tmp_path)
    assert "Warning" not in run("bibtex", tmp_path)
    log = compiled(document, tmp_path)
    assert "undefined" not in log and "multiply" not in log


def test_references_are_printed_before_bibtex_has_been_run_and_after(tmp_path: Path) -> None:
    derivation, report = checked("harmonic")
    text = latex(derivation, report, bibliography="sources")
    assert complaints(compiled(text, tmp_path)) == []
    (tmp_path / "sources.bib").write_text(cd.export.bibtex(derivation, report), encoding="ascii")
    assert "Warning" not in run("bibtex", tmp_path)
    entries = (tmp_path / "article.bbl").read_text(encoding="utf-8")
    assert set(re.findall(r"\\bibitem\{(\w+)\}", entries)) == set(re.findall(r"\\bibitem\{(\w+)\}", text))
    assert complaints(compiled(text, tmp_path)) == []
    assert "article.bbl" in (tmp_path / "article.log").read_text(encoding="utf-8", errors="replace")


def test_the_name_of_a_journal_is_set_apart_and_nothing_else() -> None:
    text = article("exponential")
    assert r"\emph{The Annals of Statistics} 17(4), 1856--1879." in text
    assert "scoring rules. Master's thesis, University of Tartu." in text


TITLES = {
    "additive costs": cd.Additive(),
    "additive costs whose proportion lies between bounds": cd.Additive(density="uniform(l, h)"),
    "Euclidean costs whose proportion has a Beta law": cd.PowerMean(2, density="beta(2, 2)"),
    "geometric costs whose proportion is not uniform": cd.Geometric(density="3*s*(1-s)+s"),
    "additive costs with uniform log-odds between bounds": cd.Additive(
        density=cd.Density("1/(2*log(3)*s*(1 - s))", ("1/4", "3/4"))
    ),
    "additive costs with a random mean": cd.Additive(budget="exponential(2)"),
    "harmonic costs, one of them with a uniform law": cd.Harmonic(c0="uniform(3/4, 3)"),
    "independent uniform costs": cd.IndependentUniform(c0=("a", "b"), c1=(0, 1)),
    "independent uniform costs on $[0, 1]$": cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "independent uniform costs on $[1, 2]$ and $[0, 1/2]$": cd.IndependentUniform(c0=(1, 2), c1=(0, "1/2")),
    "independent Gamma costs": cd.Independent(c0="gamma(2, 1)", c1="gamma(a, b)"),
    "independent Gamma and uniform costs": cd.Independent(c0="gamma(2, 1)", c1="uniform(0, 1)"),
    "a Weibull cost beside a known one": cd.Independent(c0=3, c1="weibull(2, 1)"),
    "independent costs": cd.Independent(c0="gamma(2, 1)", c1={1: "1/3", 4: "2/3"}),
}


def test_an_article_on_harmonic_costs_with_a_uniform_cost_says_that_the_log_loss_is_another_rule() -> None:
    remark = "the rule is then another one than the log loss"
    assert remark in latex(cd.derive(cd.Harmonic(c0="uniform(3/4, 3)")))
    assert remark not in latex(cd.derive(cd.Harmonic(c1="uniform(3/4, 3)")))
    assert remark not in latex(cd.derive(cd.Harmonic(density="uniform(1/4, 3/4)")))


def test_breakpoints_of_losses_alone_are_none_of_an_entropy() -> None:
    assert "away from the breakpoints" not in latex(*checked("cubic"))
    bounded = cd.derive(cd.Harmonic(1, density="uniform(1/10, 1/2)"))
    assert "away from the breakpoints" in latex(bounded)


@pytest.mark.parametrize("name", TITLES)
def test_a_title_says_which_costs(name: str) -> None:
    assert setting_of(TITLES[name]).name == name


def test_laws_that_are_the_same_are_said_once() -> None:
    gammas = setting_of(cd.Independent(c0="gamma(2, 1)", c1="gamma(3, 1)")).law
    assert str(gammas).count("shape and scale") == 1
    assert context_words(cd.Independent(c0="gamma(2, 1)", c1="gamma(3, 1)")) == (
        "independent, c₀ Gamma(2, 1)-distributed and c₁ Gamma(3, 1)-distributed (shape and scale)"
    )
    same = setting_of(cd.Independent(c0="exponential(m)", c1="exponential(m)")).law
    assert "be independent, both exponential with expectation" in str(same)


ENTRIES = sorted((Path(__file__).parents[1] / "derivations").glob("*/proof.tex"))


@pytest.mark.parametrize(
    ("family", "symmetric"),
    [
        ("additive", True),
        ("cubic", True),
        ("maximum", True),
        ("exponential", False),
        ("symbolic mixture", False),
    ],
)
def test_a_loss_that_mirrors_the_other_is_derived_once(family: str, symmetric: bool) -> None:
    assert (r"\(L_1(p) = L_0(1 - p)\)" in article(family)) is symmetric
    rule = checked(family)[0].rule
    values = dict(zip(rule.parameters, (Rational(2, 3), Rational(1, 2), Rational(3, 4)), strict=False))
    first, second = rule.loss0.subs(values), rule.loss1.subs(values)
    gap = second.subs(p, Rational(1, 5)) - first.subs(p, Rational(4, 5))
    assert (abs(float(gap.evalf(30))) < 1e-20) is symmetric


def test_each_part_of_a_mixture_has_its_own_probability() -> None:
    known = [(Rational(1, 2), FixedCosts(1, n)) for n in (1, 3)]
    inner = Mixture(*known)
    text = plain(setting_of(Mixture(("w", cd.Additive()), ("1 - w", inner))).law)
    assert "three parts: with probability w, let the costs satisfy" in text
    for costs in ("both costs be 1", "the costs be c₀ = 1 and c₁ = 3"):
        assert f"with probability (1 − w)/2, let {costs}" in text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.parent.name)
def test_no_line_of_the_gallery_runs_into_the_margin(entry: Path, tmp_path: Path) -> None:
    log = compiled(entry.read_text(encoding="utf-8"), tmp_path, runs=1)
    assert re.findall("^Overfull.*$", log, re.MULTILINE) == []


def test_the_bibliography_has_the_cited_sources_and_no_others() -> None:
    for family in ("additive", "harmonic", "symbolic", "improper pair"):
        for whole in (True, False):
            entries = cd.export.bibtex(*checked(family), self_contained=whole)
            listed = re.findall(r"^@\w+\{(\w+),$", entries, re.MULTILINE)
            assert set(listed) == cited(latex(*checked(family), self_contained=whole))


def cited(text: str) -> set[str]:
    return {key for keys in re.findall(r"\\cite(?:\[.*?\])?\{([\w,]+)\}", text) for key in keys.split(",")}


@pytest.mark.parametrize("name", ["a b", "x}", "../x", "ü"])
def test_a_bibliography_has_a_plain_name(name: str) -> None:
    with pytest.raises(ExportError, match="cannot name a bibliography"):
        latex(*checked("additive"), bibliography=name)


@pytest.mark.parametrize("family", GOLDEN)
def test_an_article_is_the_one_that_was_read(family: str) -> None:
    """A person reads the pages before ``python -m tests.families`` replaces a file."""
    assert article(family) == golden(family).read_text(encoding="utf-8")


def test_each_golden_file_belongs_to_a_family() -> None:
    assert set(golden("additive").parent.glob("*")) == set(map(golden, GOLDEN))


def test_the_public_name_is_the_function() -> None:
    assert cd.export.latex is latex


def test_an_article_without_a_report_checks_the_derivation() -> None:
    derivation, _ = checked("additive")
    assert latex(derivation, self_contained=True) == article("additive")


@pytest.mark.parametrize("family", CONTEXTS)
def test_no_name_of_sympy_stands_in_an_article(family: str) -> None:
    assert not re.search(
        r"Piecewise|Integral\(|Rational\(|\bTrue\b|Symbol|\bNone\b(?! of )|\*\*", article(family)
    )


def test_the_symbolic_article_states_both_orders_and_the_facts() -> None:
    text = article("symbolic")
    for condition in (r"Case \(a e \le b d\)", r"Case \(a e \ge b d\)", r"\(a < b\) and \(d < e\)"):
        assert condition in text
    assert "Lower bounds of 0 follow as limits" in text
    assert text.index("It remains to find the threshold weight") < text.index("The pieces.")
    leading = re.findall(r"(.*)\n\nCase \\\(a e \\le", text)
    assert len(leading) > 2
    assert all(line.endswith(r"\nopagebreak") for line in leading)


@pytest.mark.parametrize(
    ("family", "stated"), [("harmonic", True), ("minimum", True), ("additive", False), ("cubic", False)]
)
def test_the_boundary_condition_is_stated_where_a_loss_is_unbounded(family: str, stated: bool) -> None:
    text = article(family)
    assert (r"Suppose that \(\mathbb{E}[L_0(p) \mid Y = 0] < \infty\)" in text) is stated
    assert ("If the hypothesis fails" in text) is stated


def test_strictness_is_claimed_where_it_holds_and_ties_are_named() -> None:
    assert r"is strictly proper. That is, \(R(p|q) > R(q|q)\)" in article("additive")
    text = article("rectangle")
    assert r"It is strictly proper for beliefs \(q\) in \((\frac{1}{4}, \frac{2}{3})\)" in text
    assert r"both lie in \([0, \frac{1}{4}]\) or both lie in \([\frac{2}{3}, 1]\)" in text
    assert r"strictly so on \((\frac{1}{4}, \frac{2}{3})\), as only \(p = q\) attains it there." in text


def test_a_loss_without_a_closed_form_is_said_to_stay_an_integral() -> None:
    integral = cd.derive(cd.PowerMean(5), time_limit=2)
    assert "No antiderivative in closed form was found" in cd.export.latex(integral, cd.check(integral))
    assert "No antiderivative in closed form was found" not in article("euclidean")


def test_the_rule_is_named_where_it_has_a_name() -> None:
    assert r"is the Brier score \cite{Brier1950}, as was found in \cite{HernandezOrallo2011," in article(
        "additive"
    )
    assert r"\(2 d\) times the log loss" not in article("harmonic")
    assert r"is \(d\) times the log loss" in article("harmonic")
    assert r"This scoring rule is the Inverse Score of \cite[Theorem~3]{Grygorian2019}" in article(
        "unit square"
    )


def test_a_place_in_a_source_stays_on_one_line() -> None:
    places = re.findall(r"\\cite\[([^]]*)\]", latex(*checked("symbolic")))
    assert {"Theorem~3", "Section~4.3", "Theorem~1"} <= set(places)
    assert not [place for place in places if re.search(r" \d", place)]


def test_only_cited_sources_are_listed() -> None:
    assert cited(article("additive")) == set(re.findall(r"\\bibitem\{(\w+)\}", article("additive")))


@pytest.mark.parametrize("verdict", [Verdict.OPEN, Verdict.NUMERIC, Verdict.REFUTED])
def test_what_is_not_proved_is_said_everywhere(verdict: Verdict) -> None:
    derivation, report = checked("additive")
    weak = replace(report.findings[3], verdict=verdict, evidence="undecided at p = 1/3")
    text = latex(derivation, Report((weak, *report.findings[4:])))
    assert text.count("not fully proved") >= 7
    for environment in (r"\\begin\{theorem\}\[", r"\\begin\{corollary\}\[", r"\\begin\{proof\}\["):
        assert re.search(environment + "[^]]*not fully proved", text)
    assert "undecided at p = 1/3" in text and "are proved." not in text
    assert "not fully proved" not in article("additive")


def test_a_report_without_findings_proves_nothing() -> None:
    assert "not fully proved" in latex(checked("additive")[0], Report(()))


HOSTILE = r"50% of $x_1$ & \input{/etc/passwd} #1 ~^ {" + "\u202e é"


def test_text_from_outside_is_escaped(tmp_path: Path) -> None:
    finding = Finding(Same(HOSTILE, 1, 2), Verdict.REFUTED, HOSTILE, 0.0, HOSTILE)
    text = latex(checked("additive")[0], Report((finding,)))
    assert (
        r"\input" not in text and r"50\% of \$x\_1\$ \& \textbackslash{}input" in text and "[U+202E]" in text
    )
    assert complaints(compiled(text, tmp_path)) == []


def test_escaped_text_has_no_active_character_left() -> None:
    assert escaped("a_b^c~{}%$&#\\") == (
        r"a\_b\textasciicircum{}c\textasciitilde{}\{\}\%\$\&\#\textbackslash{}"
    )


def test_parameters_that_look_alike_are_refused() -> None:
    derivation = cd.derive(cd.IndependentUniform(c0=(0, "k2"), c1=(0, "k_2")))
    with pytest.raises(ExportError, match="k2 and k_2"):
        latex(derivation, Report(()))


# ---------------------------------------------------------------------------- titles, front matter, what is cited

COMMON = {
    "The Brier score from additive costs": lambda: cd.derive(cd.Additive("b")),
    "The log loss from harmonic costs": lambda: cd.derive(cd.Harmonic("d")),
    "The Inverse Score from independent uniform costs on [0, 1]": lambda: checked("unit square")[0],
    "The proper scoring rule of geometric costs": lambda: checked("geometric")[0],
    "The exponential loss of boosting from geometric costs with uniform log-odds": lambda: cd.derive(
        cd.Geometric("m", density="improper(1/(s*(1 - s)))")
    ),
    "The absolute error from known costs at a random threshold": lambda: cd.derive(
        FixedCosts(3, 3), threshold=cd.RandomThreshold("uniform(0, 1)")
    ),
    "The scoring rule of known costs at a random threshold": lambda: cd.derive(
        FixedCosts(1, 3), threshold=cd.RandomThreshold("uniform(0, 1)")
    ),
    "The zero-one loss from known costs at a fixed threshold": lambda: cd.derive(
        FixedCosts(1, 1), threshold=cd.FixedThreshold("1/2")
    ),
    "The proper scoring rule of a mixture of additive and known costs": lambda: checked("mixture")[0],
    "The bounded log loss from harmonic costs whose proportion lies between bounds": lambda: cd.derive(
        cd.Harmonic(1, density="uniform(1/10, 1/2)")
    ),
    "The Brier score from costs uniform on a triangle": lambda: checked("triangle")[0],
}


@pytest.mark.parametrize("title", COMMON)
def test_a_title_has_the_common_name_of_a_rule(title: str) -> None:
    assert plain(story(COMMON[title]()).title) == title


def test_functions_in_the_losses_are_defined_and_the_normal_law_has_its_own() -> None:
    derivation = cd.derive(cd.Independent(c0=lognormal("mu", "sigma"), c1=lognormal("nu", "tau")))
    text = latex(derivation, Report(()))
    assert r"\Phi\left(" in text and r"\operatorname{erf}" not in text.split("section{Properness}")[0]
    assert r"\(\Phi\) is the distribution function of the standard normal law" in text
    assert r"\(\mathrm{B}_x(\alpha, \beta) = \int_0^x" in article("cubic")
    assert "is the distribution function of the standard normal law" not in article("cubic")


@pytest.mark.parametrize(
    ("first", "second", "free"),
    [
        (("mu", "sigma"), ("nu", "tau"), True),
        (("mu", "sigma"), ("mu", "tau"), True),
        (("mu", "sigma"), ("nu", "mu"), False),
        (("mu", "sigma"), (0, "tau"), False),
    ],
)
def test_locations_are_real_where_a_factor_in_common_moves_them(first: Any, second: Any, free: bool) -> None:
    """Costs with the locations mu + a and nu + a are those with mu and nu times exp(a)."""
    derivation = cd.derive(cd.Independent(c0=lognormal(*first), c1=lognormal(*second)))
    assert bool(re.search(r"for (a )?real|real number", latex(derivation, Report(())))) is free


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (
            cd.IndependentUniform((0, 1), (0, 1)),
            r"At \(p = \frac{1}{2}\) the formulas on the left and on the right agree",
        ),
        (cd.Additive(density="uniform(0, 1/2)"), r"with \(H'' = -\omega\) for \(q \ne \frac{1}{2}\)"),
        (cd.FixedCosts(1, 4), r"concave on \([0, 1]\) and linear on either side of the atom"),
        (
            cd.FixedCosts(1, 4),
            r"if and only if \(q = \frac{1}{5}\), or \(p\) and \(q\) both lie in \([0, \frac{1}{5}]\)",
        ),
        (
            cd.FixedCosts(1, 4),
            r"\(c_0 = 1\) and \(c_1 = 4\). Let the threshold be \(s\). Then the expected loss",
        ),
    ],
)
def test_what_is_one_is_spoken_of_as_one(context: cd.Context, words: str) -> None:
    assert words in latex(cd.derive(context), Report(()))


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (
            cd.RandomThreshold("uniform(0, 1)"),
            r"let the threshold be \(T\), uniform on \([0, 1]\), independent of",
        ),
        (cd.FixedThreshold("1/3"), r"let the threshold be \(T = \frac{1}{3}\)"),
    ],
)
def test_a_theorem_says_which_threshold_there_is(threshold: Any, words: str) -> None:
    derivation = cd.derive(cd.FixedCosts(1, 4), threshold=threshold)
    theorem, _ = latex(derivation, Report(())).split(r"\begin{proof}", 1)
    assert words in theorem.split(r"\begin{theorem}")[1]


def test_functions_in_a_proof_alone_are_defined_in_it() -> None:
    text = latex(cd.derive(cd.Independent(c0="gamma(a, theta)", c1="gamma(b, theta)")), Report(()))
    theorem, proof = text.split(r"\begin{proof}")[:2]
    assert (
        r"\(\Gamma(\alpha, x) = \int_x^\infty" in proof.split(r"\end{proof}")[0]
        and r"\Gamma(\alpha, x)" not in theorem
    )


def test_the_normal_distribution_function_means_the_error_function() -> None:
    for expr in (
        (1 - sympy.erf(p / 3)) / 2,
        b * (1 + sympy.erf(p * sqrt(2))),
        (1 - sympy.erf((p - a) / b)) * a,
    ):
        numbers = {a: Rational(1, 3), b: Rational(5, 7), p: Rational(1, 4)}
        shown = shorter(expr).subs(numbers)
        normal = shown.replace(NormalCdf, lambda x: (1 + sympy.erf(x / sqrt(2))) / 2)
        assert shown.has(NormalCdf) and abs((normal - expr.subs(numbers)).evalf(20)) < 1e-15
    assert shorter(2 - sympy.erf(p)) == 2 - sympy.erf(p)


FRONT = Front(
    title="50% of it",
    authors=("A. One", "B. {Two}"),
    abstract="In short: $x_1$.",
    remark="We thank #1.",
    msc=("62C99",),
    keywords=("scores", "costs"),
)


def test_an_author_may_put_own_front_matter_which_is_text(tmp_path: Path) -> None:
    text = latex(*checked("additive"), front=FRONT)
    for said in (
        r"\title{50\% of it}",
        r"\author{A. One \and B. \{Two\}}",
        r"In short: \$x\_1\$.",
        r"\textbf{Remark.} We thank \#1.",
        r"\textbf{MSC 2020:} 62C99.",
        "pdfkeywords={scores, costs}",
        r"pdftitle={50\% of it}",
        r"\date{Derived and checked by costderive",
    ):
        assert said in text
    assert complaints(compiled(text, tmp_path)) == []


def test_the_preliminaries_compile_and_have_what_is_cited_from_them(tmp_path: Path) -> None:
    text = cd.export.preliminaries()
    assert complaints(compiled(text, tmp_path)) == []
    kinds = re.findall(r"\\begin\{(theorem|corollary)\}", text)
    numbered = {f"{kind.title()}~{number}" for number, kind in enumerate(kinds, 1)}
    numbered |= {f"Section~{number}" for number in range(1, 1 + text.count(r"\section{"))}
    places: set[str] = set()
    for family in CONTEXTS:
        places |= set(re.findall(r"\\cite\[([^]]*)\]\{CostContexts\}", latex(*checked(family))))
    assert places and places <= numbered


@pytest.mark.parametrize("family", ["additive", "harmonic", "symbolic mixture", "rectangle"])
def test_an_article_that_cites_the_preliminaries_is_shorter_and_compiles(family: str, tmp_path: Path) -> None:
    text = latex(*checked(family))
    assert len(text) < len(article(family)) and "by parts for" not in text and "Suppose that" not in text
    assert complaints(compiled(text, tmp_path)) == []


def test_an_article_names_the_hashes_of_its_certificate_and_its_proof_for_coq(tmp_path: Path) -> None:
    derivation, report = checked("additive")
    proof = tmp_path / "proof.v"
    assert main(["derive", "additive", "--coq", str(proof)]) == 0
    for text in (derivation.to_json(report), proof.read_text(encoding="utf-8")):
        digest = hashlib.sha256(text.encode()).hexdigest()
        assert digest in article("additive").replace("\\allowbreak{}", "")


def test_an_appendix_has_a_row_for_each_step_and_method_and_names_what_coq_checks() -> None:
    derivation, report = checked("symbolic mixture")
    text = latex(derivation, report).split("\\appendix")[1]
    rows = text.split("\\endhead\n")[1].split("\\end{longtable}")[0].split("\\noalign{\\vskip 2pt}\n")
    cells = [row.removesuffix(" \\\\ ").rstrip().split(" & ") for row in rows]
    steps = list(accumulate((step for step, _, _ in cells), lambda last, step: step or last))
    methods = {finding.decider for finding in report.findings} - {"same expression"}
    assert len({method for _, _, method in cells}) == len(methods)
    assert len({(step, method) for step, (_, _, method) in zip(steps, cells, strict=True)}) == len(rows)
    named = re.search(r"Coq checks, in theorems of these names, (.*)\. That file", text)
    assert named is not None
    names = re.findall(
        r"\\texttt\{((?:[^{}]|\{\})+)\}", named[1].replace("\\allowbreak{}", "").replace("\\_", "_")
    )
    assert {"proper", "law_is_proper"} <= set(names)
    for name in names:
        assert f"Theorem {name} " in cd.export.coq(derivation)
    assert "Coq" not in latex(*checked("classes with masses"))


def test_theorems_on_the_rule_at_the_own_threshold_of_costs_are_not_said_to_be_about_this_rule() -> None:
    said = latex(*checked("fixed threshold")).split("in theorems of these names, ")[1]
    assert "that the rule is not proper" in said and "that the rule is proper" not in said
    assert r"that costs and their densities are not negative (\texttt{lawful" in said


def test_a_submission_to_arxiv_compiles_with_its_figure(tmp_path: Path) -> None:
    derivation, report = checked("geometric")
    files = arxiv.submission(derivation, report, front=FRONT, at={"m": 2})
    assert {"article.tex", "article.bbl", "references.bib", "figure.pdf", "certificate.json"} == set(files)
    arxiv.save(files, str(tmp_path))
    log = compiled(files["article.tex"].decode(), tmp_path)
    assert complaints(log) == [] and "article.bbl" in log and "figure.pdf" in log
    assert "figure.pdf" not in arxiv.submission(derivation, report)


# ------------------------------------------------------------------------------------------------- story


@dataclass(frozen=True, slots=True)
class Nap(Move):
    """A move without a description."""

    def apply(self, before: Any, given: Given) -> Any:
        return before

    def claims(self, before: Any, after: Any, given: Given) -> Iterator[Claim]:
        yield Same("nothing happens in $sleep$", before, after)


def test_a_move_without_a_description_is_described_by_its_claims() -> None:
    derivation, report = checked("additive")
    case = derivation.cases[0]
    last = case.steps[-1]
    longer = replace(
        derivation, cases=(replace(case, steps=(*case.steps, Step(Nap(), last.after, last.after))),)
    )
    text = latex(longer, report)
    assert r"The step Nap rests on these claims: nothing happens in \$sleep\$." in text


@pytest.mark.parametrize("family", ["atom", "symbolic mixture"])
def test_an_article_that_stands_alone_has_the_entropy_of_costs_with_atoms(family: str) -> None:
    derivation, report = checked(family)
    text = latex(derivation, report, self_contained=True)
    assert r"\begin{corollary}[entropy]" in text and "a least value of concave functions" in text
    assert text.count(r"\begin{corollary}") == latex(derivation, report).count(r"\begin{corollary}") == 1


def test_a_story_is_plain_data() -> None:
    found = story(*checked("unit square"))
    assert [block.title for block in found.blocks if isinstance(block, Theorem)] == [
        "the expected loss is a score",
        "properness",
        "entropy",
    ]
    assert hash(found) == hash(story(*checked("unit square")))


def test_prose_is_read_into_text_and_mathematics() -> None:
    assert prose(r"Let $p \in [0, 1]$; a \$ is a dollar.") == (
        "Let ",
        Maths(read(r"p \in [0, 1]")),
        r"; a \$ is a dollar.",
    )
    assert Paragraph(prose("no mathematics")).text == ("no mathematics",)


def test_letters_are_unicode_whatever_the_encoding_of_the_output() -> None:
    program = r"""
from sympy import Symbol
from costderive.publish.formulas.printing import inline
print(ascii(inline(Symbol("c0"))))
"""
    plain = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=plain, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [ascii("c₀")]
