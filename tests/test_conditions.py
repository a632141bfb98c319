"""A condition is decided, stated as an assumption, or refused: what is read is the user's function, everywhere.

The referee is plain substitution into the expression that the user wrote, at random numbers.
"""

from __future__ import annotations

import random

import pytest
import sympy
from sympy import Abs, And, Eq, Heaviside, Max, Min, Ne, Or, Piecewise, Rational, Symbol, exp, log, sign, sqrt

import costderive as cd
from costderive.cli import main
from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p, q, s
from costderive.costs.assumed_facts import facts_of
from costderive.costs.laws import Density, law_of
from costderive.deciders.conditions import UnsettledError, holds, settled
from costderive.deciders.conditions import sign as sign_of
from costderive.derivation.parse_losses import function_of, pair_of
from costderive.proof.claims import Verdict

HALF, THIRD, QUARTER = Rational(1, 2), Rational(1, 3), Rational(1, 4)
z, k, m = Symbol("p"), Symbol("k"), Symbol("m")
STATED = '"assumed":["tuple",["Add",["Integer","-7"],["Symbol","k"]]]'
UNIT = Interval(p, sympy.S.Zero, sympy.S.One)

DECIDED = {
    "a cubic condition": Piecewise((2 * z + HALF, z**3 < Rational(1, 8)), (1, True)),
    "a quintic condition": Piecewise((z, z**5 + z < HALF), (z**2, True)),
    "an exponential condition": Piecewise((z, exp(z) < Rational(3, 2)), (2 * z, True)),
    "a logarithmic condition": Piecewise((z, log(1 + z) <= QUARTER), (2 * z, True)),
    "a root in a condition": Piecewise((z, sqrt(z) < HALF), (2 * z, True)),
    "both": Piecewise((z, And(z > QUARTER, z < HALF)), (7, True)),
    "either": Piecewise((z, Or(z < QUARTER, z >= HALF)), (7, True)),
    "a point": Piecewise((3, Eq(z, THIRD)), (z, True)),
    "all but a point": Piecewise((z, Ne(z, THIRD)), (2, True)),
    "a bad value at 0": Piecewise((5, z <= 0), (z**2, True)),
    "a bad value at 1": Piecewise((z**2, z < 1), (9, True)),
    "a step at 0": z**2 + 1 - sign(z),
    "a step": z + Heaviside(z - HALF),
    "an absolute value in a condition": Piecewise((z, Abs(z - HALF) < QUARTER), (2, True)),
    "a sign in a condition": Piecewise((z**2, sign(z) > 0), (7, True)),
    "a step in a condition": Piecewise((z, Heaviside(z - THIRD) > 0), (7, True)),
    "an extreme of three": Max(z, 1 - z, Rational(2, 3)),
    "extremes inside each other": Min(Max(z, THIRD), Max(1 - z, QUARTER)),
    "cases inside cases": Piecewise((Piecewise((1, z < QUARTER), (z, True)), z < HALF), (Abs(z - 2), True)),
    "a breakpoint in a letter": Max(z, m / (1 + m)),
    "a letter against what it is": Max(z, -k) + Piecewise((1, k > -1), (2, True)),
    "a product with a letter": Max(z**2, m * z / (1 + m)),
    "an inverse": Piecewise((1, 1 / (z + 1) < Rational(2, 3)), (2, True)),
}
OPEN = {
    "an extreme of a letter": z**2 * Max(1, k - 6),
    "a ratio of a letter": z**2 * Max(1, k / 7),
    "cases of a letter": Piecewise((z**2, k < 7), (2 * z**2, True)),
    "cases of a letter, far": Piecewise((z**2, k < 10**6), (2 * z**2, True)),
    "a tie of a letter": Piecewise((z**2, Eq(k, 7)), (2 * z**2, True)),
    "no tie of a letter": Piecewise((2 * z**2, Ne(k, 7)), (z**2, True)),
    "an absolute value of a letter": z**2 * Abs(k - 7),
    "a sign of a letter": z**2 * (2 + sign(k - 7)),
    "a step of a letter": z**2 * (1 + Heaviside(k - m)),
    "a letter beside p": Piecewise((z, And(z**5 + z < HALF, k < 3)), (2 * z, True)),
    "a function of a letter": Piecewise((z, exp(-k) < Rational(1, 1000)), (2 * z, True)),
    "a hair": Piecewise((z, k > Rational(1, 10**9)), (2 * z, True)),
}
BOTH = {**DECIDED, **OPEN}


def _letters(facts: tuple[sympy.Expr, ...], seed: int) -> dict[str, sympy.Expr]:
    """Draw numbers for the letters that satisfy what was stated of them."""
    draw = random.Random(seed)
    for _ in range(2000):
        values = {name: Rational(draw.randint(1, 400), draw.randint(1, 40)) for name in ("k", "m")}
        if all(_put(fact, values) > 0 for fact in facts):
            return values
    raise AssertionError(f"nothing satisfies {facts}")


def _put(expr: sympy.Expr, values: dict[str, sympy.Expr]) -> sympy.Expr:
    return expr.subs({x: values[x.name] for x in expr.free_symbols if x.name in values})


def _same(left: sympy.Expr, right: sympy.Expr) -> bool:
    return left == right or abs(sympy.N(left - right, 40)) < Rational(1, 10**30)


def _require_pieces(pieces, wanted, facts, name="p", seeds=6):
    for seed in range(seeds):
        values = _letters(facts, seed)
        for piece in pieces:
            low, high = (_put(end, values) for end in (piece.low, piece.high))
            for part in (Rational(1, 1000), Rational(2, 7), Rational(5, 8), Rational(999, 1000)):
                at = {**values, name: Rational(str(sympy.N(low + part * (high - low), 25)))}
                assert _same(_put(piece.value, at), _put(wanted, {**at, "p": at[name]})), (at, piece)


@pytest.mark.parametrize("what", BOTH)
def test_a_loss_that_is_read_is_the_loss_that_was_given(what):
    wanted = BOTH[what]
    try:
        pair = pair_of(wanted, "(1-p)^2")
    except SpecError as refusal:
        assert what in OPEN, refusal
        assert "depends on whether" in str(refusal)
        return
    assert what in DECIDED
    _require_pieces(pair.loss0, wanted, pair.assumed)
    for value in pair.values:
        values = _letters(pair.assumed, 3)
        at = _put(value.at, values)
        assert _same(_put(value.loss0, values), _put(wanted, {**values, "p": at})), value


@pytest.mark.parametrize("letter", [q, s, p], ids=str)
@pytest.mark.parametrize("what", BOTH)
def test_a_function_that_is_read_is_the_one_that_was_given(what, letter):
    """Entropies, threshold weights and links are read by one function."""
    wanted = BOTH[what]
    try:
        pieces, facts = function_of(wanted.subs(z, Symbol(letter.name)), letter, "function")
    except SpecError as refusal:
        assert what in OPEN, refusal
        return
    _require_pieces(pieces, wanted, facts, letter.name, seeds=2)


LAWS = {
    "a cubic condition": Piecewise((2 * z + HALF, z**3 < Rational(1, 8)), (1, True)),
    "floats": Piecewise((2 * z + 0.5, z**3 < 0.125), (1.0, True)),
    "a letter": Piecewise((1 / (2 * m), z < m), (1 / (2 * (1 - m)), True)),
    "an extreme": 2 * Min(z / m, (1 - z) / (1 - m)),
    "a step": 2 * Heaviside(z - HALF),
    "a sign": 1 + sign(z - HALF),
    "either": Piecewise((2, Or(z < QUARTER, z > Rational(3, 4))), (0, True)),
    "an exponential condition": Piecewise((2 * z + HALF, exp(z) < exp(HALF)), (1, True)),
    "a condition on a letter": Piecewise((2 * z, k < 7), (1, True)),
    "an extreme of a letter": 1 + (2 * z - 1) * Max(0, k - 6) / k,
    "a piece that a letter removes": Piecewise((0, z < k - m), (1 / (1 - k + m), True)),
}


@pytest.mark.parametrize("what", LAWS)
def test_a_density_that_is_read_is_the_density_that_was_given(what):
    wanted = LAWS[what]
    try:
        law = law_of(Density(wanted.subs(z, Symbol("x")), (0, 1)), "law")
    except SpecError as refusal:
        assert "letter" in what, refusal
        return
    exact = sympy.nsimplify(wanted, rational=True)
    facts = law.given().positive
    for seed in range(4):
        values = _letters(facts, seed)
        for n in range(1, 40):
            at = Rational(2 * n + 1, 83)
            found = sum(
                _put(part.density, {**values, "x": at})
                for part in law.spreads
                if _put(part.low, values) < at < _put(part.high, values)
            )
            assert _same(sympy.sympify(found), _put(exact, {**values, "p": at})), (at, values)


c0, c1 = sympy.symbols("c0 c1")
JOINT = {
    "a triangle": Piecewise((2, c0 < c1), (0, True)),
    "a square": Piecewise((4, And(c0 < HALF, c1 < HALF)), (0, True)),
    "a step": 2 * Heaviside(c0 - c1),
    "a sign": 1 + sign(c1 - c0),
    "an extreme": Rational(3, 2) * Max(c0, c1),
    "always": Piecewise((1, c0**2 + 1 > 0), (7, True)),
    "a disc": Piecewise((4 / sympy.pi, c0**2 + c1**2 < 1), (0, True)),
    "a letter": Piecewise((1, k < 7), (4 * c0 * c1, True)),
}


@pytest.mark.parametrize("what", JOINT)
def test_a_joint_density_that_is_read_is_the_one_that_was_given(what):
    wanted = JOINT[what]
    try:
        context = cd.Joint(wanted, ((0, 1), (0, 1)))
    except SpecError as refusal:
        assert what in ("a disc", "a letter"), refusal
        return
    draw = random.Random(7)
    for _ in range(60):
        at = {name: Rational(draw.randint(1, 996), 997) for name in ("c0", "c1")}
        found = sum(
            _put(area.density, at)
            for area in context.expected_loss().areas
            if all(_put(side, at) > 0 for side in area.constraints)
        )
        assert at["c0"] == at["c1"] or _same(sympy.sympify(found), _put(wanted, at))


@pytest.mark.parametrize(
    "read",
    [
        lambda: cd.examine("p^2*max(1,k-6)", "(1-p)^2"),
        lambda: cd.examine("(1-p)^2", "p^2*max(1,k/7)"),
        lambda: cd.rule_from_losses("p^2*abs(k-7)", "(1-p)^2*abs(k-7)"),
        lambda: cd.rule_from_weight("max(1,k-6)"),
        lambda: cd.rule_from_entropy("q*(1-q)*max(1,k-6)"),
        lambda: cd.rule_from_link("p*max(1,k-6)"),
        lambda: cd.rule_from_cdf("own", quantile="p*max(1,k-6)"),
        lambda: cd.Additive(density="1 + (2*s-1)*max(0,k-6)/k"),
        lambda: cd.RandomThreshold(density="1 + (2*t-1)*max(0,k-6)/k"),
        lambda: cd.Independent(
            c0=Density(Piecewise((2 * Symbol("x"), k < 7), (1, True)), (0, 1)), c1="uniform(0,1)"
        ),
    ],
)
def test_a_condition_on_a_letter_is_not_settled_by_sampling(read):
    with pytest.raises(SpecError, match="depends on whether"):
        read()


def test_an_assumption_settles_a_condition_and_is_stated_everywhere(tmp_path, capsys):
    derivation = cd.examine("p^2*max(1,k-6)", "(k-6)*(1-p)^2", assuming="k > 7")
    assert derivation.verdict.value == "strictly proper"
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert [str(fact) for fact in derivation.cases[0].given.positive] == ["k - 7"]
    assert STATED in "".join(derivation.to_json().split())
    assert cd.Derivation.from_json(derivation.to_json()) == derivation
    arguments = ["examine", "--loss0", "p^2*max(1,k-6)", "--loss1", "(k-6)*(1-p)^2", "--assuming", "k > 7"]
    article = tmp_path / "article.tex"
    assert main([*arguments, "--latex", str(article)]) == 0
    assert "k > 7" in capsys.readouterr().out
    assert "7 < k" in article.read_text() or "k > 7" in article.read_text()


def test_what_is_assumed_decides_the_branch():
    below = cd.examine("p^2*max(1,k-6)", "(1-p)^2", assuming="k < 7")
    above = cd.examine("p^2*max(1,k-6)", "(1-p)^2", assuming="k > 7")
    assert (below.verdict.value, above.verdict.value) == ("strictly proper", "improper")


def test_assumptions_far_from_one_can_be_satisfied():
    assert cd.rule_from_weight("max(1,k-600)", assuming="k > 700").weight == Symbol("k", positive=True) - 600


@pytest.mark.parametrize(
    "assuming",
    [
        "k >= 7",
        "k = 7",
        "1 > 2",
        "-k > 0",
        ["k > 7", "k < 6"],
        "p > 1/2",
        "q",
        "k > ",
        sympy.false,
        True,
        -1,
        "oo",
    ],
)
def test_what_cannot_be_assumed_is_an_error(assuming):
    with pytest.raises(SpecError):
        cd.examine("p^2*max(1,k-6)", "(1-p)^2", assuming=assuming)


def test_assumptions_are_read_as_text_and_as_relations():
    letter = Symbol("k", positive=True)
    assert facts_of("0 < k < 1") == (letter, 1 - letter)
    assert facts_of(k > 7) == facts_of("k > 7") == facts_of(["k - 7"]) == (letter - 7,)
    assert facts_of(letter > -1) == ()


def test_a_named_rule_takes_no_assumption(capsys):
    assert main(["rule", "brier", "--assuming", "k > 7"]) != 0
    assert "leave it out" in capsys.readouterr().err


def test_a_value_at_0_survives_printing_and_reading():
    rule = cd.rule_from_losses("5 if p = 0; p^2", "(1-p)^2")
    assert rule.loss0.subs(p, 0) == 5
    again = pair_of(rule.loss0, rule.loss1)
    assert again == pair_of("5 if p = 0; p^2", "(1-p)^2")
    assert cd.rule_from_losses(rule.loss0, rule.loss1).verdict.value.startswith("improper")


@pytest.mark.parametrize(
    "bad", [Piecewise((5, Symbol("p0") <= 0), (Symbol("p0") * Symbol("p1"), True)), sign(Symbol("p0"))]
)
def test_an_entropy_of_classes_written_by_cases_is_refused(bad):
    with pytest.raises(SpecError, match="by cases"):
        cd.multiclass.from_entropy(bad, classes=2)


def test_an_entropy_of_a_batch_written_by_cases_is_refused():
    w0 = Symbol("w0")
    with pytest.raises(SpecError, match="by cases"):
        cd.batch.from_entropy(Piecewise((5, w0 <= 0), (-(w0**2), True)), instances=1)


def test_a_spec_refuses_a_density_that_depends_on_a_letter(tmp_path, capsys):
    spec = tmp_path / "spec.toml"
    spec.write_text('[context]\nkind = "additive"\ndensity = "1 + (2*s-1)*max(0,k-6)/k"\n')
    assert main(["derive", str(spec)]) != 0
    assert "depends on whether" in capsys.readouterr().err


def test_an_undecided_part_does_not_hide_a_decided_one():
    letter = Symbol("k", positive=True)
    assert holds(And(letter < 7, p > 2), UNIT) is False
    assert holds(Or(letter < 7, p < 2), UNIT) is True
    for joined in (And(letter < 7, p < 2), Or(letter < 7, p > 2)):
        with pytest.raises(UnsettledError):
            holds(joined, UNIT)


@pytest.mark.parametrize(
    ("gap", "on", "wanted"),
    [
        (exp(p) - Rational(3, 2), Interval(p, sympy.S.Zero, log(Rational(3, 2))), -1),
        (exp(p) - Rational(3, 2), Interval(p, log(Rational(3, 2)), sympy.S.One), 1),
        (p - sqrt(2) / 2, Interval(p, sqrt(2) / 2, sympy.S.One), 1),
        ((p - THIRD) ** 2, Interval(p, sympy.S.Zero, THIRD), 1),
        (1 / (p - THIRD), Interval(p, sympy.S.Zero, THIRD), -1),
        ((p - THIRD) ** 2 - Rational(1, 10**30), UNIT, None),
        (1 / (p - THIRD), UNIT, None),
        (p - HALF, UNIT, None),
        (sympy.sin(40 * p), UNIT, None),
        ((p - HALF) * (p - sqrt(2) / 2), UNIT, None),
        (p + 1.0, UNIT, None),
    ],
)
def test_one_sign_is_found_only_where_there_is_one(gap, on, wanted):
    if wanted is None:
        with pytest.raises(UnsettledError):
            sign_of(gap, on)
    else:
        assert sign_of(gap, on) == wanted


def test_random_conditions_are_settled_as_substitution_says():
    """Polynomials in p with random roots and letters: an answer is right at every point tried, or there is none."""
    draw, decided = random.Random(11), 0
    letter = Symbol("k", positive=True)
    for _ in range(150):
        roots = [Rational(draw.randint(-3, 13), 10) for _ in range(draw.randint(1, 4))]
        gap = sympy.expand(sympy.Mul(*[p - root for root in roots])) + draw.choice(
            [0, 0, letter, -letter, letter - 1]
        )
        ends = sorted(Rational(draw.randint(0, 20), 20) for _ in range(2))
        if ends[0] == ends[1]:
            continue
        relation = draw.choice([sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge, sympy.Eq, sympy.Ne])(gap, 0)
        value = Piecewise((1, relation), (2, True)) if relation not in (True, False) else sympy.S.One
        try:
            found = settled(value, Interval(p, *ends), Given())
        except UnsettledError:
            continue
        decided += 1
        for _ in range(12):
            at = {p: ends[0] + Rational(draw.randint(1, 998), 999) * (ends[1] - ends[0])}
            at[letter] = Rational(draw.randint(1, 500), draw.randint(1, 100))
            assert found == value.subs(at), (value, ends, at)
    assert decided > 30


def test_a_certificate_states_what_was_assumed():
    text = cd.rule_from_link("p*max(1,k-6)", assuming="k > 7").derivation.to_json()
    assert STATED in "".join(text.split())


def test_errors_say_what_to_do():
    with pytest.raises(CostDeriveError, match='assuming="k > 7"'):
        cd.examine("p^2*max(1,k-6)", "(1-p)^2")
