"""Data frames of pandas, which is optional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from costderive.core.errors import CostDeriveError


def data_frame(columns: Mapping[str, Any], index: str | None = None) -> Any:
    """Return columns as a data frame of pandas; one of them may be the index.

    Raises:
        CostDeriveError: if pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise CostDeriveError(
            "a data frame needs pandas, which is not installed", "Install it with pip install pandas."
        ) from None

    frame = pandas.DataFrame(columns)
    return frame if index is None else frame.set_index(index)
