"""The mean of the losses as a machine program: one pass that reads, checks, weights and sums (extra ``fast``).

The text of the program is written from the same segments that NumPy runs. It is kept in a folder of the user's
cache under a name made from the text, and Numba keeps what it compiles beside it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any

from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.user_cache import folder
from costderive.numeric import machine_text
from costderive.numeric.blocks import Both, Rows, Sums, Unusual
from costderive.numeric.closed_form import Closed
from costderive.numeric.distance_trees import distance, times_power
from costderive.numeric.end_tables import FULL, LOG, MOST_FACTORS, MOST_POWER, Listed, Table
from costderive.numeric.function import Function, Pair
from costderive.numeric.lanes import chosen, double, right_at
from costderive.numeric.panels import FIRST, LOWEST, SHIFT, SIDE, START
from costderive.numeric.point_pairs import Evaluate
from costderive.numeric.program_tree import PYTHON, Name
from costderive.numeric.tree_of import NAMES

HALF = "e"  # what NumPy calls the type of half precision
X = Name("x")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A pair of losses as a program text; its machine code is made, or found on disk, when it is first run.

    ``panels`` has the coefficients of one panel in each row, highest first, and no row if they are not read.
    """

    text: str
    panels: Array

    @classmethod
    def of(cls, both: Both) -> Kernel:
        """Write the program of two losses.

        Raises:
            CostDeriveError: if Numba is not installed.
        """
        if importlib.util.find_spec("numba") is None:
            raise CostDeriveError(
                "fast=True needs Numba, which is not installed",
                'Install it with pip install "costderive[fast]", or leave out fast.',
            )
        losses, panels = both.functions, np.empty((0, 0))
        functions, loops = chosen(losses), machine_text.BOTH
        if functions is None:
            functions = "\n".join(_written(f"loss{label}", loss) for label, loss in enumerate(losses))
            if both.panels is None:
                loops = _sorted(losses)
            else:
                functions += _dispatched(losses)
                panels = np.column_stack(both.panels.coefficients)
                loops = _read(panels.shape[1])
        imports = sorted({*NAMES.values(), "exp", "sqrt", "power"} - {"log", "log_p", "log_r"})
        return cls(
            machine_text.FRAME.format(
                imports=", ".join(imports),
                functions=functions,
                most_factors=MOST_FACTORS,
                most_power=MOST_POWER,
                full=FULL,
                **loops,
            ),
            panels,
        )

    def sums(self, rows: Rows) -> Sums:
        """Return the sums of losses and of weights.

        Raises:
            Unusual: if a row is not what it should be.
        """
        program, labels, predictions = _loaded(self.text), _native(rows.labels), _native(rows.predictions)
        if rows.weights is None:
            total, error, bad = program.plain(labels, predictions, self.panels)
            size, rest = float(len(rows)), 0.0
        else:
            total, error, size, rest, bad = program.weighted(
                labels, predictions, _native(rows.weights), self.panels
            )
        if bad and not rows.trusted:
            raise Unusual
        return Sums(total + error if math.isfinite(total) else total, size + rest)


def _native(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array as it is, unless its numbers are of half precision or in the other byte order."""
    dtype = values.dtype
    if dtype.char == HALF:
        return values.astype(np.float32)
    return values if dtype.isnative else values.astype(dtype.newbyteorder("="))


def _read(terms: int) -> dict[str, str]:
    """Return the loops over rows that are read from panels of so many terms."""
    steps = "\n".join(f"            value = value * x + panels[place, {k}]" for k in range(1, terms))
    numbers = {"side": SIDE, "both_sides": 2 * SIDE, "lowest": LOWEST, "shift": SHIFT, "first": FIRST}
    plain, weighted = (
        machine_text.READ.format(**numbers, start=int(START), terms=steps, times=times)
        for times in ("", machine_text.TIMES)
    )
    return {"scratch": "", "plain": plain, "weighted": weighted}


def _dispatched(losses: Pair) -> str:
    """Return the text of a function that computes a row by its segment."""
    zero, one = (_branches(f"loss{label}", loss) for label, loss in enumerate(losses))
    return machine_text.SEGMENT.format(zero=indent(zero, 4 * " "), one=indent(one, 8 * " "))


def _branches(name: str, loss: Function) -> str:
    found = [
        f"if p <= {segment.part.high!r}:\n    return {name}_{index}(p, r)"
        for index, segment in enumerate(loss.segments[:-1])
    ]
    return "\n".join([*found, f"return {name}_{len(found)}(p, r)"])


def _sorted(losses: Pair) -> dict[str, str]:
    """Return the loops over sorted rows."""
    names = [
        f"loss{label}_{index}" for label, loss in enumerate(losses) for index in range(len(loss.segments))
    ]
    kinds = [" + ".join(["0", *_above(loss)]) for loss in losses]
    kind = f"{len(losses[0].segments)} + {kinds[1]} if is_one else {kinds[0]}"

    def text(shares: str, times: str) -> str:
        loops = [
            machine_text.LOOP.format(index=index, name=name, times=times) for index, name in enumerate(names)
        ]
        return machine_text.SORT.format(kind=kind, kinds=len(names), shares=shares, loops="".join(loops))

    weighted = text("            shares[place] = ws[i]\n", "shares[i] * ")
    return {
        "scratch": machine_text.SCRATCH.format(kinds=len(names)),
        "plain": text("", ""),
        "weighted": weighted,
    }


def _above(loss: Function) -> Iterator[str]:
    return (f"np.int64(p > {segment.part.high!r})" for segment in loss.segments[:-1])


def _written(name: str, loss: Function) -> str:
    """Return the text of a loss: a function for each segment, which starts with the end it has no value for."""
    last, firsts = len(loss.segments) - 1, [""] * len(loss.segments)
    for index, place, end, value in ((0, "p", 0.0, loss.at_zero), (last, "r", 1.0, loss.at_one)):
        if not right_at(loss, end):
            line = machine_text.AT_END.format(place=place, value=double(value))
            firsts[index] = line + firsts[index]
    return "\n".join(
        _segment(f"{name}_{index}", segment.evaluate, first)
        for index, (segment, first) in enumerate(zip(loss.segments, firsts, strict=True))
    )


def _segment(name: str, program: Evaluate, first: str) -> str:
    if isinstance(program, Closed):
        return machine_text.CLOSED.format(name=name, first=first, body=program.text)
    if isinstance(program, Listed):
        return machine_text.LISTED.format(
            name=name,
            first=first,
            doubles=program.doubles.tolist(),
            values=program.values.tolist(),
            last=len(program.values) - 1,
        )
    assert isinstance(program, Table)
    is_series = len(program.centres) == 1 and program.variable is not LOG
    return _series(name, program, first) if is_series else _table(name, program, first)


def _series(name: str, program: Table, first: str) -> str:
    highest, *others = np.trim_zeros(program.coefficients[:, 0], "f").tolist()
    return machine_text.SERIES.format(
        name=name,
        first=first,
        distance=PYTHON.text(distance(program.end)),
        variable=PYTHON.text(program.variable.tree(X)),
        centre=float(program.centres[0]),
        scale=float(program.scales[0]),
        highest=highest,
        terms="\n".join(f"    value = value * z + {number!r}" for number in others),
        value=PYTHON.text(times_power(Name("value"), X, float(program.powers[0]))),
        at_end=double(program.at_end),
    )


def _table(name: str, program: Table, first: str) -> str:
    return machine_text.TABLE.format(
        name=name,
        first=first,
        distance=PYTHON.text(distance(program.end)),
        variable=PYTHON.text(program.variable.tree(X)),
        rounded_off=" + rounded_off(x, z)" if program.variable is LOG else "",
        bottom=program.bottom,
        at_end=double(program.at_end),
        terms=len(program.coefficients),
        edges=program.edges.tolist(),
        centres=program.centres.tolist(),
        scales=program.scales.tolist(),
        powers=program.powers.tolist(),
        shifts=program.shifts.tolist(),
        lifts=program.lifts.tolist(),
        coefficients=_rows(program.coefficients.T),
    )


def _rows(matrix: Array) -> str:
    return "[\n" + "".join(f"    {row},\n" for row in matrix.tolist()) + "]"


@functools.cache
def _loaded(text: str) -> ModuleType:
    """Put a program where Numba can cache it, and import it."""
    name = f"costderive_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    path = _folder() / f"{name}.py"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as draft:
            draft.write(text)
        os.replace(draft.name, path)  # at once: another process may be reading
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Numba looks its functions up there
    spec.loader.exec_module(module)
    return module


def _folder() -> Path:
    """Return the folder of the programs, one that nobody else can write to."""
    return folder() or Path(tempfile.mkdtemp(prefix="costderive-"))
