"""How a compiled function is computed, part by part, to be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

TINY = 1e-307


@dataclass(frozen=True, slots=True)
class Part:
    """How a function is computed for ``low < p <= high``: by its closed form or from a table, and why.

    Where ``variable`` is ``1 - p`` it stands in the place of p.

    ``ulps`` is the largest error found at the probes of the part, in units in the last place, of values above 1e-300;
    of a table it is that at many points besides, and half as much again for what lies between them. It is None where
    there is no closed form to compare with. ``elsewhere`` is that of programs in other languages, if it differs: they
    leave logarithms rounded. ``bound`` is a certified bound, in the same units, on the distance of the polynomial of a
    table from the function, before its evaluation is rounded; None where none could be shown. Of panels, from which
    NumPy reads most rows of both classes at once, the bound is on the values, after rounding.
    """

    function: str
    low: float
    high: float
    method: str
    why: str
    ulps: float | None
    bound: float | None = None
    elsewhere: float | None = None
    variable: str = "p"

    def mirrored(self) -> Part:
        """Return the part of a function of ``1 - p``, named after the class that it is of."""
        swapped = {"0": "1", "1": "0"}.get(self.function[-1])
        name = self.function if swapped is None else self.function[:-1] + swapped
        return replace(self, function=name, variable="1 - p")

    def __str__(self) -> str:
        return (
            f"{self.function} for {shown(self.low)} < {self.variable} <= {shown(self.high)}: {self.method}"
            f"{''.join(self._accuracy())}; {self.why}"
        )

    def _accuracy(self) -> Iterator[str]:
        if self.ulps is not None:
            yield f", measured within {self.ulps:.2g} ulp" if self.ulps else ", measured without error"
        if self.bound is not None:
            yield f", certified within {self.bound:.2g} ulp" + (
                " but for rounding" if self.method == "table" else ""
            )


class Plan(tuple[Part, ...]):
    """The parts, to be read line by line."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Plan of {len(self)} parts: print it>"


def shown(point: float) -> str:
    """Write a probability, briefly also next to 0 and 1."""
    return (
        f"1 - {1 - point:.3g}" if 0 < 1 - point < 1e-4 else f"{point:.6g}" if point > TINY else f"{point:.2g}"
    )
