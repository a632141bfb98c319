"""NumPy, imported when it is first used: a rule is derived, proved and written without it, as in a browser."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from costderive.core.errors import SpecError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
else:
    ArrayLike, NDArray = Any, list  # an alias of a list of something can be written without NumPy
    Array = NDArray[float]

    class _OnDemand(ModuleType):
        """A module that keeps what it was asked for, so that the next use of a name costs nothing."""

        def __getattr__(self, name: str) -> Any:
            try:
                found = getattr(import_module(self.__name__), name)
            except ModuleNotFoundError:
                problem = "this takes NumPy, which is not here"
                raise SpecError(problem, "Use costderive where NumPy is installed.") from None
            setattr(self, name, found)
            return found

    np = _OnDemand("numpy")


def has_numpy() -> bool:
    """Return whether NumPy can be imported."""
    try:
        import_module("numpy")
    except ModuleNotFoundError:
        return False
    return True


__all__ = ["Array", "ArrayLike", "NDArray", "has_numpy", "np"]
