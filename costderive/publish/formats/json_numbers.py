"""Numbers that JSON lacks."""

from __future__ import annotations

import math
from typing import Any


def finite(value: Any) -> Any:
    """Write what JSON has no number for: infinity as text, what is not known as null."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value).replace("inf", "Infinity")
