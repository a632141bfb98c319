"""Text and numbers of a user become exact expressions, or an error that points at the column, at once."""

import contextlib
import time
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from costderive.core import symbols
from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse

a, d, k = (symbols.parameter(name) for name in "adk")
R = sympy.Rational

READ = [
    ("0.1", R(1, 10)),
    ("1e-3", R(1, 1000)),
    (".5", R(1, 2)),
    ("2.", sympy.Integer(2)),
    ("1.5E+2", sympy.Integer(150)),
    ("1e400", sympy.Integer(10) ** 400),
    ("a", a),
    ("2*a + 1", 2 * a + 1),
    ("a - d - 1", a - d - 1),
    ("a/2/d", a / (2 * d)),
    ("a/d*2", 2 * a / d),
    ("2^3^2", sympy.Integer(512)),
    ("2**3", sympy.Integer(8)),
    ("-2^2", sympy.Integer(-4)),
    ("2^-2", R(1, 4)),
    ("2^-a^2", 2 ** -(a**2)),
    ("2*-a", -2 * a),
    ("+-+a", -a),
    ("(a + 1)*d", (a + 1) * d),
    ("a +\n\t 1", a + 1),
    ("(a^2)^0.5", a),
    ("((a - 1)^2)^0.5", sympy.Abs(a - 1)),
    ("sqrt(a*(1 - a))", sympy.sqrt(a) * sympy.sqrt(1 - a)),
    ("sqrt(8)", 2 * sympy.sqrt(2)),
    ("0.95^0.5", sympy.sqrt(95) / 10),
    ("8^(2/3)", sympy.Integer(4)),
    ("1/sqrt(2*pi)", 1 / sympy.sqrt(2 * sympy.pi)),
    ("exp(1)", sympy.E),
    ("exp(2*log(a))", a**2),
    ("log(exp(a))", a),
    ("ln(a)", sympy.log(a)),
    ("exp(-(log(a) - 0.5)^2/(2*d^2))", sympy.exp(-((sympy.log(a) - R(1, 2)) ** 2) / (2 * d**2))),
    ("exp(-12345.678*a)", sympy.exp(-R(12345678, 1000) * a)),
    ("(a + d)**1000", (a + d) ** 1000),
    ("log(1 - (1 - a)^12)", sympy.log(1 - (1 - a) ** 12)),
    ("abs(-2*d*(a - 1))", 2 * d * sympy.Abs(a - 1)),
    ("abs(1 - pi)", sympy.pi - 1),
    ("min(3)", sympy.Integer(3)),
    ("min(2, a, 1/2)", sympy.Min(a, R(1, 2))),
    ("max(0, a)", a),
    ("max(0, a - 5)", sympy.Max(0, a - 5)),
    ("sin(pi/6)", R(1, 2)),
    ("asin(sqrt(a))", sympy.asin(sympy.sqrt(a))),
    ("tanh(a) + atan(d)", sympy.tanh(a) + sympy.atan(d)),
    ("erfc(a)", sympy.erfc(a)),
    ("gamma(5/2)", 3 * sympy.sqrt(sympy.pi) / 4),
    ("beta(a, d)", sympy.beta(a, d)),
    ("beta(2, 3)", R(1, 12)),
    ("beta(1/2, 1/2)", sympy.pi),
    ("Phi(a)", (1 + sympy.erf(a / sympy.sqrt(2))) / 2),
    ("Phi(0)", R(1, 2)),
    ("oo", sympy.oo),
    ("-inf", -sympy.oo),
    ("(" * 40 + "a" + ")" * 40, a),
    ("-" * 150 + "1", sympy.Integer(1)),
]

# Letters and digits of other alphabets, quotation marks, code.
CODE = (
    r"""
__import__('os').system('x')
().__class__
a.b
a[0]
a{0}
`a`
"a"
lambda: 1
a\b
a if d else k
a; d
a == 1
a, d
eval(1)
foo(1)
_a
__
lambda
None
True
nan
NaN
E
I
zoo
""".strip().splitlines()
    + ["\x00", "a\x00", "a\u00a0+ 1", "\u0430", "\uff11", "\u00b2", "\U0001f600", "a" * 41]
)

BROKEN = (
    """
(
)
()
((1)
1)
+
a +
* a
2***3
a d
2a
2(3)
a(d)
1.2.3
1..2
1_000
1,000
0x10
1e
min(
min()
min(,1)
min(1,)
log()
log(1,2)
beta(1)
exp
""".strip().splitlines()
    + ["", " \n"]
)

NOT_REAL = """
log(0)
1/0
0/0
0^-1
0^(a - 1)
1/(a - a)
1/(sin(1)^2 + cos(1)^2 - 1)
sqrt(-1)
sqrt(-a)
(-8)^(1/3)
(-1)^a
log(-a)
log(-1 - a)
asin(2)
acosh(0)
atanh(1)
gamma(0)
gamma(-2)
beta(0, 1)
tan(pi/2)
oo - oo
oo/oo
0*oo
oo + 1
1/oo
exp(-oo)
oo^0
min(oo, 1)
""".strip().splitlines()

# Where SymPy, left alone, computes a giant number, evaluates it, or searches for minutes.
ROOTS_OF_ZERO = "(sqrt(2) + sqrt(3) + sqrt(5))^2 - 10 - 2*sqrt(6) - 2*sqrt(10) - 2*sqrt(15)"
GIANT = f"""
9**9**9
((9**64)**64)**64
(1/3)**100000
2^2^2^2^2^2
(3*a)^100000
((3*a)^999)^999
a^(10^90)
gamma(1e9)
gamma(10^9)
gamma(1000)^9
1e99999999
1e401
1e-401
exp(exp(exp(exp(exp(100)))))
exp(-exp(exp(exp(100))))
sin(10^90)
sin(exp(1000))
erf(10^300)
exp(10^9*log(2))
exp(a*(10^9*log(2) + log(3)))
2^(10^9 + a)
2^(10^9*log(3)/log(2))
(exp(a*10^9))^(log(2)/a)
(2^(2^(a + 100)))^(2^(-a))
(exp(2^(a + 1000)))^(log(2)*2^(-a))
(10^99 + 7)^(1/97)*(10^98 + 7)^(1/97)
24^(10^9 + 1/3)
sqrt(a*max(a^99 - 3*a^50 + a - 7, d))
exp(a*sqrt(a^99 - 3*a^50 - 7))
abs({ROOTS_OF_ZERO})
log({ROOTS_OF_ZERO})
(a - 1)^({ROOTS_OF_ZERO} + 1)
""".strip().splitlines()

LONG = [
    *("1" * 101, "0." + "1" * 101, "1" * 10**6, "a" * 10**6, "\x00" * 10**6, "(" * 10**6, "1+" * 999 + "1"),
    *("(" * 10_000 + "1" + ")" * 10_000, "(" * 60 + "1" + ")" * 60, "-" * 1_900 + "1", "-" * 10_000 + "1"),
    *("a^" * 60 + "a", "exp(-" * 45 + "1" + ")" * 45, "Phi(" * 20 + "1" + ")" * 20, "max(1," * 200 + "1"),
    *("^" * 1_999, "(" * 45 + "a" + "+ 1)^2" * 45),
]
HOSTILE = CODE + BROKEN + NOT_REAL + GIANT + LONG

DEMANDING = (
    """
abs(a^999 - 3*a^500 + a - 7)
log(a^999 - 3*a^500 - 7)
erf(sqrt(a^99 - 3*a^50 - 7))
sqrt(a*(a^999 - 3*a^500 - 7))
24^0.7654321
2^(1/10^90)
5780494398318877040616264^(-0.37)
12^(6000/9973)*12^(6000/9967)*12^(6000/9949)
gamma(1000)
asin(sin(10^6))
exp(700000)
((1 + a)^30 - 1)/a
1000*(1 - 0.05)^365
""".strip().splitlines()
    + [
        "max(" + ",".join(f"a{i}" for i in range(90)) + ")",
        "exp(" + "+".join(f"sqrt({i})" for i in range(2, 40)) + ")",
        "exp(" + "+".join(f"{i}*log({i}*a)" for i in range(20, 40)) + ")",
        "(" * 45 + "a" + "+ 1)*2" * 45,
    ]
)


def short(value: object) -> str:
    return ascii(value)[:40]


def refusal(text: str, **options: object) -> str:
    with pytest.raises(SpecError) as caught:
        parse(text, **options)  # type: ignore[arg-type]
    return str(caught.value)


def cpu_seconds(text: str) -> float:
    """Return the best of three, so that one pause of the machine does not count."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        with contextlib.suppress(SpecError):
            parse(text)
        seconds.append(time.process_time() - start)
    return min(seconds)


@pytest.mark.parametrize(("text", "expected"), READ, ids=short)
def test_text_means_this_expression(text: str, expected: sympy.Expr) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("text", HOSTILE, ids=short)
def test_hostile_text_is_refused(text: str) -> None:
    message = refusal(text, place="context.c0.low")
    assert message.startswith('context.c0.low = "')
    assert message.isascii() and len(message) < 1_500


@pytest.mark.parametrize("text", HOSTILE + DEMANDING, ids=short)
def test_no_text_takes_longer_than_50_ms(text: str) -> None:
    parse("exp(a)*sqrt(1 - d) + Phi(3)")
    assert cpu_seconds(text) < 0.05


def test_decimal_is_exact() -> None:
    assert parse("0.1") + parse("0.2") == R(3, 10)


def test_error_points_at_the_column() -> None:
    assert refusal("2 + * 3", place="context.c0.low").splitlines() == [
        'context.c0.low = "2 + * 3": unexpected "*" at column 5.',
        "    2 + * 3",
        "        ^",
        "  An expression has numbers, names, + - * / ^, parentheses and functions such as exp, log, sqrt.",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "unexpected end at column 1"),
        ("(a", "unexpected end at column 3"),
        ("a  d", 'unexpected "d" at column 4'),
        ("a.b", 'unexpected "." at column 2'),
        ("a + \u0430", 'unexpected "\\u0430" at column 5'),
        ("a\n+ \x00", 'unexpected "\\x00" at column 5'),
        ("1 + 1/0", "division by zero at column 6"),
        ("1 + log(0)", "this is not a finite real number at column 5"),
        ("a + lambda", '"lambda" is not a name at column 5'),
        ("a + s", 'the letter "s" is reserved at column 5'),
        ("a + beta", '"beta" is the name of a law at column 5'),
        ("a + foo(1)", '"foo" is not a function at column 5'),
        ("a + log(1, 2)", "log takes 1 value, not 2, at column 5"),
        ("beta(1)", "beta takes 2 values, not 1, at column 1"),
        ("max()", "max takes at least one value, not 0, at column 1"),
        ("1 + 1e401", "a decimal exponent beyond 400 at column 5"),
        ("a*9**9**9", "this number is too large or too small at column 4"),
        ("a**a**a", "a**a in an exponent, which may be any number at column 2"),
        ("2^(b*c^9)", "c**9 in an exponent, which may be any number at column 2"),
        ("(" * 51 + "1", "more than 50 levels of nesting at column 52"),
        ("1" + "+1" * 100, "more than 200 numbers, names and signs at column 201"),
    ],
)
def test_problem_has_its_column(text: str, problem: str) -> None:
    assert refusal(text).splitlines()[0].endswith(f'": {problem}.')


def test_caret_stands_under_the_column_of_a_long_text() -> None:
    _, line, caret, _ = refusal("1 + " * 40 + "@" + " + 1" * 40).splitlines()
    assert line.strip().startswith("...") and line.endswith("...") and len(line) < 80
    assert line[caret.index("^")] == "@"


def test_caret_stands_under_an_escaped_character() -> None:
    _, line, caret, _ = refusal("a\n+ \u0430").splitlines()
    assert line.strip() == "a\\n+ \\u0430" and line[caret.index("^") :] == "\\u0430"


def test_long_text_is_cut_in_the_message() -> None:
    assert refusal("a" * 2_001).splitlines()[0] == f'expression = "{"a" * 40}..." has 2001 characters.'


def test_reserved_letter_means_its_symbol_only_where_it_is_given() -> None:
    assert parse("s^2", names={"s": symbols.s}) == symbols.s**2
    assert "of them, s may stand here" in refusal("t", names={"s": symbols.s})
    assert "none of them may stand here" in refusal("t")


@pytest.mark.parametrize("name", sorted(symbols.RESERVED))
def test_no_reserved_letter_is_a_parameter(name: str) -> None:
    assert f'the letter "{name}" is reserved' in refusal(name)


def test_name_is_a_positive_parameter() -> None:
    assert parse("Lambda_1") == symbols.parameter("Lambda_1")


def test_text_must_be_text() -> None:
    with pytest.raises(SpecError, match="expression = 3 is not text"):
        parse(3)  # type: ignore[arg-type]


x = sympy.Symbol("x")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, sympy.Integer(3)),
        (10**300, sympy.Integer(10) ** 300),
        (Fraction(1, 3), R(1, 3)),
        (0.1, R(1, 10)),
        (1e-7, R(1, 10**7)),
        (5e-324, R(5, 10**324)),
        (float("inf"), sympy.oo),
        (-np.inf, -sympy.oo),
        (np.float64(0.1), R(1, 10)),
        (np.int8(3), sympy.Integer(3)),
        (np.array(0.25), R(1, 4)),
        (Decimal("0.10"), R(1, 10)),
        (Decimal("-Infinity"), -sympy.oo),
        ("0.1*a", a / 10),
        (0.1 * x, symbols.parameter("x") / 10),
        (x**0.5, sympy.sqrt(symbols.parameter("x"))),
        (sympy.Float("0.1", 40) * a, a / 10),
        (sympy.Float("1e-320"), R(1, 10**320)),
        (
            sympy.Piecewise((0.5, x < 1.5), (x, True)),
            sympy.Piecewise((R(1, 2), symbols.parameter("x") < R(3, 2)), (symbols.parameter("x"), True)),
        ),
        (sympy.Symbol("s") + symbols.p, symbols.s + symbols.p),
        (sympy.oo, sympy.oo),
        (sympy.pi, sympy.pi),
    ],
    ids=str,
)
def test_value_becomes_exact(value: object, expected: sympy.Expr) -> None:
    assert exact(value, place="low") == expected


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "True"),
        (np.bool_(True), "np.True_"),
        (None, "None"),
        (float("nan"), "nan"),
        (np.float64("nan"), "np.float64(nan)"),
        (Decimal("NaN"), "Decimal('NaN')"),
        (Decimal("1e999999999"), "Decimal('1E+999999999')"),
        (Decimal("1e-999999999"), "Decimal('1E-999999999')"),
        (10**5000, "a large int"),
        (1j, "1j"),
        ([1], "[1]"),
        (b"1", "b'1'"),
        (np.array([0.25]), "array([0.25])"),
        (sympy.true, "True"),
        (x > 1, "x > 1"),
        (sympy.nan, "nan"),
        (sympy.zoo, "zoo"),
        (sympy.I * x, "I*x"),
        (sympy.asin(2), "asin(2)"),
        (sympy.Function("f")(x), "f(x)"),
        (sympy.Float("1e9999"), "1000000"),
        (sympy.Symbol("y"), "y"),
        (sympy.Symbol("lambda"), "lambda"),
        (sympy.Symbol("a b"), "a b"),
        (sympy.Symbol("__import__('os')"), "__import__('os')"),
        (sympy.Symbol("n", negative=True), "n"),
        (sympy.Symbol("A", commutative=False), "A"),
        (sympy.Dummy("x") + x, "_x + x"),
    ],
    ids=lambda value: "" if isinstance(value, int) else short(value),
)
def test_value_is_refused_and_shown(value: object, shown: str) -> None:
    with pytest.raises(SpecError) as caught:
        exact(value, place="context.c0.low")
    assert str(caught.value).startswith(f"context.c0.low = {shown}")


def test_text_in_exact_is_read_by_the_grammar() -> None:
    with pytest.raises(SpecError, match=r'low = "a\.b": unexpected "\." at column 2'):
        exact("a.b", place="low")


PIECES = st.sampled_from(
    [
        *"0123456789.eE+-*/^()aspxy, _'[]\n",
        "**",
        "exp(",
        "log(",
        "sqrt(",
        "max(",
        "Phi(",
        "beta(",
        "oo",
        "pi",
        "\u0430",
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=25).map("".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        result = parse(text, names={"s": symbols.s})
    except SpecError:
        return
    assert isinstance(result, sympy.Expr)
    assert result.free_symbols <= {symbols.s} | {
        symbols.parameter(symbol.name) for symbol in result.free_symbols
    }


Tree = tuple[str, sympy.Expr]
LEAVES: st.SearchStrategy[Tree] = st.one_of(
    st.integers(0, 99).map(lambda n: (str(n), sympy.Integer(n))),
    st.integers(1, 999).map(lambda n: (f"{n / 100:.2f}", R(n, 100))),
    st.sampled_from([a, d, k, sympy.pi]).map(lambda symbol: (str(symbol), symbol)),
)


def larger(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pairs = st.tuples(trees, trees)
    return st.one_of(
        pairs.map(lambda pair: (f"({pair[0][0]}) + ({pair[1][0]})", pair[0][1] + pair[1][1])),
        pairs.map(lambda pair: (f"({pair[0][0]}) - ({pair[1][0]})", pair[0][1] - pair[1][1])),
        pairs.map(lambda pair: (f"({pair[0][0]})*({pair[1][0]})", pair[0][1] * pair[1][1])),
        st.tuples(trees, st.integers(0, 3)).map(lambda two: (f"({two[0][0]})^{two[1]}", two[0][1] ** two[1])),
        trees.map(lambda tree: (f"-({tree[0]})", -tree[1])),
        trees.map(lambda tree: (f"exp(({tree[0]})/100)", sympy.exp(tree[1] / 100))),
        trees.map(lambda tree: (f"1/(({tree[0]})^2 + 1)", 1 / (tree[1] ** 2 + 1))),
    )


def read(text: str) -> sympy.Expr:
    """Return the expression, and leave aside what the bounds refuse: they never give another expression."""
    try:
        return parse(text)
    except SpecError:
        reject()


@settings(max_examples=200, deadline=None)
@given(st.recursive(LEAVES, larger, max_leaves=6))
def test_printed_tree_reads_as_the_same_expression(tree: Tree) -> None:
    assert read(tree[0]) == tree[1]


Numeric = tuple[str, mpmath.mpf]
VALUES = {a: mpmath.mpf("1.25"), d: mpmath.mpf("0.5"), k: mpmath.mpf(2)}
FUNCTIONS = {
    **{name: getattr(mpmath, name) for name in ("exp", "sin", "cos", "atan", "asinh", "erf", "erfc")},
    **{"sqrt": lambda z: mpmath.sqrt(1 + z**2), "log": lambda z: mpmath.log(1 + z**2), "abs": abs},
    **{"Phi": mpmath.ncdf, "gamma": lambda z: mpmath.gamma(1 + z**2), "ln": lambda z: mpmath.log(1 + z**2)},
}
NUMBERS: st.SearchStrategy[Numeric] = st.one_of(
    st.integers(0, 30).map(lambda n: (f"{n / 10}", mpmath.mpf(n) / 10)),
    st.sampled_from([(str(symbol), value) for symbol, value in VALUES.items()]),
)


def applied(numbers: st.SearchStrategy[Numeric]) -> st.SearchStrategy[Numeric]:
    pairs = st.tuples(numbers, numbers)
    return st.one_of(
        pairs.map(lambda pair: (f"({pair[0][0]} - {pair[1][0]})", pair[0][1] - pair[1][1])),
        pairs.map(lambda pair: (f"{pair[0][0]}*{pair[1][0]}", pair[0][1] * pair[1][1])),
        pairs.map(lambda pair: (f"max({pair[0][0]}, {pair[1][0]})", max(pair[0][1], pair[1][1]))),
        pairs.map(lambda pair: (f"min({pair[0][0]}, {pair[1][0]}, 9)", min(pair[0][1], pair[1][1], 9))),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), numbers).map(called),
        numbers.map(lambda one: (f"(({one[0]})^2 + 1)^(-0.37)", (one[1] ** 2 + 1) ** mpmath.mpf("-0.37"))),
    )


def called(call: tuple[str, Numeric]) -> Numeric:
    name, (text, value) = call
    operand = f"1 + ({text})^2" if name in ("sqrt", "log", "ln", "gamma") else text
    return f"{name}({operand})", FUNCTIONS[name](value)


@settings(max_examples=300, deadline=None)
@given(st.recursive(NUMBERS, applied, max_leaves=5))
def test_text_has_the_value_that_mpmath_computes(number: Numeric) -> None:
    value = sympy.N(read(number[0]).xreplace({symbol: R(str(value)) for symbol, value in VALUES.items()}), 30)
    assert mpmath.almosteq(
        mpmath.mpf(str(value)), number[1], rel_eps=1e-9, abs_eps=1e-9
    )  # 15 digits, cancelled


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_float_means_its_shortest_decimal(number: float) -> None:
    assert exact(number, place="low") == R(Fraction(repr(number)))
    assert float(exact(number, place="low")) == number
