"""What a compiled loss takes and gives: any numbers and two classes, or an error that names the first bad row."""

from __future__ import annotations

import itertools
import math
import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

import costderive as cd
from costderive.core.errors import DataError, SpecError
from costderive.numeric import CompiledLoss, compile, one_number
from costderive.numeric.point_pairs import missing_of_one


@cache
def compiled(context: cd.contexts.Context) -> CompiledLoss:
    return compile(cd.derive(context))


def power_mean(k: object) -> CompiledLoss:
    return compiled(cd.PowerMean(k))


def rectangle(c0: tuple[object, object], c1: tuple[object, object]) -> CompiledLoss:
    return compiled(cd.IndependentUniform(c0=c0, c1=c1))


# -------------------------------------------------------------------------------------- what goes in and out


def test_a_row_alone_takes_no_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = power_mean(1)
    wanted = [loss.per_sample([1, 1], **{name: [0.3, 0.3]})[0] for name in ("y_proba", "complement", "logit")]

    def refused(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("costderive.numeric.blocks.per_row", refused)
    monkeypatch.setattr("costderive.numeric.function.Function.values", refused)
    assert [loss([1], **{name: [0.3]}) for name in ("y_proba", "complement", "logit")] == wanted


TAKEN = ("log", "exp", "power")  # from Python where processors have the same bits


@pytest.mark.parametrize(
    "context",
    [cd.Additive(budget=2), cd.Harmonic(budget=1), cd.Independent("lognormal(0, 1)", "lognormal(1, 1)")],
    ids=["polynomial", "logarithm", "tables"],
)
def test_a_row_alone_seldom_takes_what_is_slow(
    context: cd.contexts.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more digits are taken than it needs to round rightly, and NumPy is silenced for its own bits alone."""
    loss, longer = compiled(context), []

    def refused(**_: object) -> None:
        raise AssertionError

    def counted(*arguments: float) -> float:
        longer.append(arguments)
        return missing_of_one(*arguments)

    if all(one_number._functions()[name] is getattr(math, name.replace("power", "pow")) for name in TAKEN):
        monkeypatch.setattr("costderive.core.numpy_on_demand.np.errstate", refused)
    monkeypatch.setattr("costderive.numeric.one_number.missing_of_one", counted)
    logits = np.random.default_rng(3).normal(0, 8, 200).tolist()
    for logit in logits:
        assert loss([0], logit=[logit]) + loss([1], logit=[logit]) > 0
    assert len(longer) < len(logits) / 2  # of two losses each


@pytest.mark.parametrize("name", ["y_proba", "complement", "logit"])
def test_a_row_alone_has_the_loss_that_it_has_among_others(name: str) -> None:
    generator = np.random.default_rng(2)
    y, p = generator.integers(0, 2, 40), 10.0 ** -generator.uniform(0, 20, 40)
    logits = np.concatenate([np.log(p[:18]), generator.normal(0, 30, 18), [0.0, -0.0, 746.0, -746.0]])
    given = logits if name == "logit" else np.append(p[:-2], [0.0, 1.0])
    plain, tables, pieces = power_mean(1), power_mean(3), rectangle((1, 2), (1, 3))
    for task in (
        *(loss.per_sample for loss in (plain, tables, pieces)),
        *(partial(plain.gradient, wrt=wrt) for wrt in ("p", "logit")),
        plain.hessian,
    ):
        alone = [task([label], **{name: [x]})[0] for label, x in zip(y, given, strict=True)]
        np.testing.assert_array_equal(task(y, **{name: given}), alone)
    for label, x, wanted in zip(y, given, tables.per_sample(y, **{name: given}), strict=True):
        assert tables([label], **{name: [x]}) == wanted == tables(np.array([label]), **{name: np.array([x])})
        of_class = tables.loss1 if label else tables.loss0
        assert of_class(**{"p" if name == "y_proba" else name: float(x)}) == wanted


@pytest.mark.parametrize(
    "context",
    [
        cd.PowerMean(3),
        cd.Independent("weibull(3/2,1)", "uniform(1,2)"),
        cd.Independent("uniform(1,2)", "beta(2,3)"),
    ],
    ids=["a table beside 1/2", "steep tables", "tables beside breakpoints"],
)
def test_one_logit_has_the_bits_that_it_has_in_an_array(context: cd.contexts.Context) -> None:
    """Whether what p has lost is put back by a slope or by values beside p, and where distances are those of logits."""
    loss, generator = compiled(context), np.random.default_rng(7)
    logits = np.concatenate(
        [generator.normal(0, 2, 300), generator.normal(0, 60, 50), [-744.9, -709.0, 709.0, 1e-300]]
    )
    for label, task in itertools.product((0, 1), (loss.per_sample, loss.gradient)):
        alone = [task([label], logit=[logit])[0] for logit in logits.tolist()]
        np.testing.assert_array_equal(task(np.full(len(logits), label), logit=logits), alone)


SPECIAL = (0.0, 5e-324, 1e-310, 1e-200, 1e-17, 0.5, 0.25, 1 / 3, 1.0, 1 - 2.0**-53, np.nextafter(0.5, 1))


@pytest.mark.parametrize(
    "context",
    [
        cd.Additive(budget=2),
        cd.Geometric(mean=1),
        cd.Harmonic(budget=1),
        cd.FixedCosts(1, 3),
        cd.PowerMean("1/2"),
        cd.Independent("exponential(1)", "exponential(2)"),
        cd.Independent("lognormal(0, 1)", "lognormal(1, 1)"),
        cd.Independent("gamma(3, 1)", "gamma(2, 2)"),
        cd.Additive(budget=1, density="exp(s)/(exp(1) - 1)"),
        cd.Mixture(("1/2", cd.Additive()), ("1/2", cd.FixedCosts(1, 2))),
    ],
    ids=lambda context: type(context).__name__,
)
def test_numbers_of_python_have_the_bits_of_arrays(context: cd.contexts.Context) -> None:
    generator, loss = np.random.default_rng(3), compiled(context)
    p = np.concatenate([SPECIAL, generator.random(60), 10.0 ** -generator.uniform(0, 320, 20)])
    y = generator.integers(0, 2, len(p))
    among = loss.per_sample(y, p)
    np.testing.assert_array_equal(among, [loss([label], [x]) for label, x in zip(y, p, strict=True)])


@pytest.mark.parametrize(
    ("label", "prediction"),
    [
        (1, math.nan),
        (1, 1.5),
        (1, -1e-300),
        (2, 0.5),
        ("1", 0.5),
        (1, "0.5"),
        (None, 0.5),
        (1, [0.5]),
        (1, None),
    ],
)
def test_a_row_alone_is_refused_as_it_is_among_others(label: object, prediction: object) -> None:
    loss = power_mean(1)
    with pytest.raises(DataError) as alone:
        loss([label], [prediction])
    with pytest.raises(DataError) as among:
        loss([label, label], [prediction, prediction])
    assert str(alone.value) == str(among.value).replace("shape (2, 1)", "shape (1, 1)")


@pytest.mark.parametrize("one", [1, 1.0, True, np.int8(1), np.bool_(True), np.float32(1)])
@pytest.mark.parametrize(
    "third", [np.float32(0.3), np.float16(0.3), np.longdouble(0.3), Fraction(1, 3), 1, True]
)
def test_a_row_alone_may_be_of_any_numbers(one: object, third: object) -> None:
    loss = power_mean(3)
    assert loss([one], [third]) == loss.per_sample([one, 0], [third, 0])[0]
    assert loss((one,), (third,)) == loss(np.array([one]), np.array([third]))


def test_loss_is_the_mean_of_the_losses_of_the_rows() -> None:
    generator = np.random.default_rng(1)
    y, p = generator.integers(0, 2, 200_000), generator.random(200_000)  # more than one block
    for loss in (power_mean(1), power_mean(0), rectangle((1, 2), (1, 3))):
        rows = loss.per_sample(y, p)
        assert (rows == np.where(y == 1, loss.loss1(p), loss.loss0(p))).all()
        assert loss(y, p) == pytest.approx(math.fsum(rows) / len(rows), rel=1e-15)
        weights = generator.random(200_000)
        wanted = math.fsum(rows * weights) / math.fsum(weights)
        assert loss(y, p, sample_weight=weights) == pytest.approx(wanted, rel=1e-14)


def test_scikit_learn_agrees_on_the_brier_score_and_the_log_loss() -> None:
    generator = np.random.default_rng(2)
    y, p, weights = generator.integers(0, 2, 5000), generator.random(5000), generator.random(5000)
    brier, log = power_mean(1), compiled(cd.Harmonic(budget=1))
    assert brier(y, p) == pytest.approx(brier_score_loss(y, p), rel=1e-13)
    assert log(y, p) == pytest.approx(log_loss(y, p), rel=1e-13)
    assert brier(y, p, sample_weight=weights) == pytest.approx(
        brier_score_loss(y, p, sample_weight=weights), rel=1e-13
    )
    words = np.where(y == 1, "ham", "spam")
    assert brier(words, p, pos_label="ham") == pytest.approx(
        brier_score_loss(words, p, pos_label="ham"), rel=1e-13
    )


def test_numbers_of_any_kind_are_read() -> None:
    loss = power_mean(1)
    for points in (
        [0.25, 0.75],
        (Fraction(1, 4), Fraction(3, 4)),
        [Decimal("0.25"), Decimal("0.75")],
        np.array([0.25, 0.75], dtype=np.float32),
        np.array([0.25, 0.75], dtype=np.longdouble),
        np.array([[0.75, 0.25], [0.25, 0.75]]),
    ):
        assert loss([0, 1], points) == 0.0625
    assert loss([False, True], np.array([1, 0])) == 1.0
    assert loss(np.array([0.0, 1.0]), [0.25, 0.75]) == 0.0625
    assert loss([-1, 1], [0.25, 0.75]) == 0.0625


def test_scalars_give_floats_and_arrays_keep_their_shape() -> None:
    loss = power_mean(1)
    assert type(loss.loss0(0.5)) is float and loss.loss0(np.float32(0.5)) == 0.25
    assert type(loss([0], [0.5])) is float
    assert loss.loss1([[0, 0.5], [1, 1]]).tolist() == [[1, 0.25], [0, 0]]
    assert loss.loss0([]).shape == (0,)


def test_input_is_left_as_it_was() -> None:
    y, p, weights = np.array([0, 1, 1]), np.array([0.0, 0.3, 1.0]), np.array([3.0, 0.0, 1.0])
    copies = y.copy(), p.copy(), weights.copy()
    power_mean(0)(y, p, sample_weight=weights)
    assert all((now == then).all() for now, then in zip((y, p, weights), copies, strict=True))


def test_pos_label_says_which_label_is_class_1() -> None:
    loss = rectangle((1, 2), (1, 3))
    rows = loss.per_sample([0, 1, 1], [0.2, 0.3, 0.9])
    for labels, positive in ((["a", "b", "b"], "b"), (["b", "a", "a"], "a"), ([2, 1, 1], 1), ([1, 0, 0], 0)):
        assert (loss.per_sample(labels, [0.2, 0.3, 0.9], pos_label=positive) == rows).all()


def test_of_two_columns_that_of_class_1_counts() -> None:
    loss, columns = power_mean(1), np.array([[0.2, 0.8], [0.9, 0.1]])
    assert loss.per_sample([1, 0], columns).tolist() == loss.per_sample([1, 0], [0.8, 0.1]).tolist()
    by_label = loss.per_sample(["a", "b"], columns, pos_label="a")  # the columns are in the order a, b
    assert by_label.tolist() == loss.per_sample([1, 0], [0.2, 0.9]).tolist()


def test_one_class_alone_is_scored() -> None:
    assert (
        power_mean(1)([0, 0], [0.5, 0.5]) == power_mean(1)([1], [0.5]) == power_mean(1)([-1], [0.5]) == 0.25
    )


def test_a_row_of_weight_0_does_not_count_even_if_its_loss_is_infinite() -> None:
    log = power_mean(-1)
    assert log([0, 1], [1.0, 0.5], sample_weight=[0, 2]) == log([1], [0.5])
    assert log([0, 1], [1.0, 0.5], sample_weight=[5e-324, 1e308]) == math.inf


def test_weights_of_any_size_give_the_same_mean() -> None:
    loss = power_mean(0)
    wanted = loss([0, 1, 1], [0.1, 0.2, 0.4], sample_weight=[1, 2, 1])
    for scale in (2.0**1020, 2.0**-1070):
        weights = np.array([1, 2, 1]) * scale
        assert loss([0, 1, 1], [0.1, 0.2, 0.4], sample_weight=weights) == wanted


def test_compiled_loss_survives_pickling() -> None:
    loss = power_mean(0)
    assert pickle.loads(pickle.dumps(loss))([0, 1], [0.3, 0.4]) == loss([0, 1], [0.3, 0.4])


def test_pickling_keeps_what_was_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = power_mean(3)
    gradient = loss.gradient([0, 1], [0.3, 0.4], wrt="logit")
    text = pickle.dumps(loss)
    monkeypatch.setattr("costderive.numeric.compiled_loss.both", None)
    again = pickle.loads(text)
    assert again.plan == loss.plan
    assert (again.gradient([0, 1], [0.3, 0.4], wrt="logit") == gradient).all()


def test_pickling_leaves_out_what_many_rows_are_read_by() -> None:
    loss = power_mean(3)
    fresh, rows = len(pickle.dumps(loss)), np.linspace(0, 1, 100_000)
    found = loss.per_sample(rows > 0.5, rows)
    assert len(loss.plan) > len(pickle.loads(pickle.dumps(loss)).plan)
    assert len(pickle.dumps(loss)) <= 2 * fresh
    assert (pickle.loads(pickle.dumps(loss)).per_sample(rows > 0.5, rows) == found).all()


def test_joblib_runs_it_in_other_processes() -> None:
    joblib = pytest.importorskip("joblib")
    loss = power_mean(0)
    tasks = (joblib.delayed(loss)([0, 1], [0.1 * k, 0.5]) for k in range(1, 4))
    assert joblib.Parallel(n_jobs=2)(tasks) == [loss([0, 1], [0.1 * k, 0.5]) for k in range(1, 4)]


def test_several_threads_may_use_one_loss() -> None:
    loss = compile(cd.derive(cd.PowerMean(-3)))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: loss.gradient([k % 2], [0.1 * k])[0], range(1, 9)))
    assert found == [loss.gradient([k % 2], [0.1 * k])[0] for k in range(1, 9)]


def test_threads_change_nothing() -> None:
    generator = np.random.default_rng(4)
    y, p = generator.integers(0, 2, 900_000), generator.random(900_000)
    loss = rectangle((1, 2), (1, 3))
    assert loss(y, p, threads=2) == loss(y, p)
    assert (loss.per_sample(y, p, threads=3) == loss.per_sample(y, p)).all()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_data_are_not_copied(kind: type) -> None:
    generator = np.random.default_rng(4)
    y, p = generator.random(400_000) < 0.5, generator.random(400_000).astype(kind)
    for loss in (power_mean(1), power_mean(0), power_mean(3), rectangle((1, 2), (1, 3))):
        loss(y, p)
        tracemalloc.start()
        loss(y, p, sample_weight=p)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 1_600_000  # bytes: a few arrays of one block, none as long as the data


def test_without_validation_good_data_give_the_same() -> None:
    generator = np.random.default_rng(5)
    y, p, weights = generator.integers(0, 2, 1000), generator.random(1000), generator.random(1000)
    for loss in (power_mean(1), power_mean(0)):
        assert loss(y, p, sample_weight=weights, validate=False) == loss(y, p, sample_weight=weights)
        assert (loss.hessian(y, p, validate=False) == loss.hessian(y, p)).all()
    assert math.isnan(power_mean(1)([0, 1], [0.5, math.nan], validate=False))


def test_complements_and_logits_stand_for_probabilities() -> None:
    loss, y, p = power_mean(0), [0, 1, 1], np.array([0.125, 0.5, 0.75])
    assert loss(y, complement=1 - p) == pytest.approx(loss(y, p), rel=1e-15)  # by programs of their own
    assert loss(y, logit=np.log(p / (1 - p))) == pytest.approx(loss(y, p), rel=1e-14)
    assert loss(y, logit=[-math.inf, math.inf, math.inf]) == 0.0
    found = loss.per_sample(["a", "b", "b"], complement=1 - p, pos_label="b")
    assert found == pytest.approx(loss.per_sample(y, p), rel=1e-15)


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize("name", ["complement", "logit"])
def test_bad_complements_and_logits_are_named(name: str) -> None:
    with pytest.raises(DataError, match=rf"{name}\[1\] = nan"):
        power_mean(1)([0, 1], **{name: [0.5, math.nan]})
    with pytest.raises(DataError, match=rf"{name} has shape \(2, 2\)"):
        power_mean(1)([0, 1], **{name: [[0.5, 0.5], [0.5, 0.5]]})
    with pytest.raises(DataError, match=rf"y_true has 1 rows and {name} has 2"):
        power_mean(1)([0], **{name: [0.5, 0.5]})


def test_exactly_one_kind_of_prediction_is_given() -> None:
    with pytest.raises(DataError, match="no prediction was given"):
        power_mean(1)([0, 1])
    with pytest.raises(DataError, match="y_proba and logit were given"):
        power_mean(1)([0, 1], [0.5, 0.5], logit=[0, 0])
    with pytest.raises(DataError, match=r"complement = 1\.5 lies above 1 by 0\.5"):
        power_mean(1).loss0(complement=1.5)


def test_odd_options_are_refused() -> None:
    with pytest.raises(DataError, match="wrt = 'q' is not a variable"):
        power_mean(1).gradient([0], [0.5], wrt="q")
    for threads in (0, 1.5, -1):
        with pytest.raises(DataError, match="is not a number of threads"):
            power_mean(1)([0], [0.5], threads=threads)


BAD = {
    "above 1": (([0, 1], [0.5, 1.25]), r"y_proba\[1\] = 1.25 lies above 1 by 0.25"),
    "a rounding above 1": (([0, 1], [0.5, 1.0000000000000002]), r"above 1 by 2.22e-16"),
    "below 0": (([0, 1], [-0.5, 0.5]), r"y_proba\[0\] = -0.5 lies below 0 by 0.5"),
    "nan": (([0, 1], [0.5, math.nan]), r"y_proba\[1\] = nan"),
    "inf": (([0, 1], [math.inf, 0.5]), r"y_proba\[0\] = inf"),
    "text": (([0, 1], [0.5, "0.5"]), r"y_proba has dtype"),
    "None": (([0, 1], [0.5, None]), r"y_proba\[1\] = None is not a number"),
    "complex": (([0, 1], [0.5, 0.5j]), r"y_proba has dtype complex128"),
    "masked": (([0, 1], np.ma.array([0.5, 0.5], mask=[0, 1])), r"y_proba\[1\] is masked"),
    "a huge integer": (([0, 1], [0, 10**400]), r"y_proba\[1\] = 1000"),
    "other lengths": (([0, 1, 1], [0.5, 0.5]), "y_true has 3 rows and y_proba has 2"),
    "empty": (([], []), "empty"),
    "ragged": (([0, 1], [[0.5], [0.5, 0.5]]), "y_proba is not an array"),
    "three columns": (([0, 1], np.full((2, 3), 1 / 3)), r"y_proba has shape \(2, 3\)"),
    "one column": (([0, 1], [[0.5], [0.5]]), r"y_proba has shape \(2, 1\)"),
    "columns that are no distribution": (
        ([0, 1], [[0.5, 0.5], [0.5, 0.9]]),
        r"y_proba\[1\] = \[0.5, 0.9\] does not sum",
    ),
    "a bad first column": (([0, 1], [[0.5, 0.5], [math.nan, 0.9]]), r"y_proba\[1, 0\] = nan"),
    "a scalar": (([0], 0.5), r"y_proba has shape \(\)"),
    "a dict": (([0], {"p": 0.5}), "y_proba = {'p': 0.5} is not a number"),
    "label matrix": (([[0, 1]], [0.5, 0.5]), r"y_true has shape \(1, 2\)"),
    "three labels": (([0, 1, 2], [0.5, 0.5, 0.5]), r"y_true\[2\] = 2 is a third label, after 0 and 1"),
    "a label between": (([0, 0.5, 1], [0.5, 0.5, 0.5]), r"y_true\[2\] = 1.0 is a third label"),
    "a missing label": (([0, math.nan], [0.5, 0.5]), r"y_true\[1\] = nan is not a label"),
    "a label None": (([0, None], [0.5, 0.5]), r"y_true\[1\] = None is not a label"),
    "words": ((["no", "yes"], [0.5, 0.5]), "labels 'no' and 'yes' and it is not said which"),
    "1 and 2": (([1, 2], [0.5, 0.5]), "labels 1 and 2 and"),
    "a list for a label": (([0, [1]], [0.5, 0.5]), "y_true"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_data_are_refused_with_place_and_value(name: str) -> None:
    (y, p), message = BAD[name]
    for call in (power_mean(1), power_mean(1).per_sample, power_mean(1).gradient, power_mean(1).hessian):
        with pytest.raises(DataError, match=message):
            call(y, p)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], r"sample_weight\[1\] = -1.0 is not a weight"),
        ([math.nan, 1], r"sample_weight\[0\] = nan is not a weight"),
        ([1, math.inf], r"sample_weight\[1\] = inf is not a weight"),
        ([0, 0], "sample_weight is 0 in every row"),
        ([1], r"sample_weight has shape \(1,\), not \(2,\)"),
        (1.0, r"sample_weight has shape \(\)"),
    ],
)
def test_bad_weights_are_refused(weights: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        power_mean(1)([0, 1], [0.5, 0.5], sample_weight=weights)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [([0, 1], 2), (["a", "b"], "c"), ([0, 1], "1"), ([5, 5], 4), ([0, 1], np.array([1, 0]))],
)
def test_pos_label_must_be_a_label(labels: list[object], positive: object) -> None:
    with pytest.raises(DataError, match="is not among the labels"):
        power_mean(1)(labels, [0.5, 0.5], pos_label=positive)


def test_points_outside_the_unit_interval_are_refused() -> None:
    for point in (-1e-300, math.nextafter(1, 2), math.nan):
        with pytest.raises(DataError, match="p = "):
            power_mean(1).loss0(point)


def test_only_rules_compile() -> None:
    with pytest.raises(SpecError, match="is not a scoring rule"):
        compile(cd.Additive())  # type: ignore[arg-type]


NUMBERS = st.one_of(
    st.floats(), st.integers(), st.text(max_size=3), st.none(), st.complex_numbers(), st.booleans()
)
MESS = st.recursive(NUMBERS, lambda inner: st.lists(inner, max_size=4), max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(y=MESS, p=MESS, weights=st.one_of(st.none(), MESS), positive=NUMBERS)
def test_whatever_is_given_the_answer_is_a_number_or_a_data_error(y, p, weights, positive) -> None:
    try:
        value = power_mean(0)(y, p, sample_weight=weights, pos_label=positive)
    except DataError as error:
        assert str(error)
    else:
        assert value >= 0
