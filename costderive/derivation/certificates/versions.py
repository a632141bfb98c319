"""Versions of the format of certificates: what is written, and how older files are brought up to date.

An older file is changed as data, one version at a time, before anything of it is read. Nothing is added to what it
proves: where it says less than today's claims ask for, these stay open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

VERSION = 4


def brought_up_to_date(derivation: Any, version: int) -> Any:
    """Return the derivation of a file of some version from 1 on as one of this version."""
    for older in range(version, VERSION):
        derivation = _records_changed(derivation, SINCE[older])
    return derivation


def _records_changed(data: Any, changes: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]) -> Any:
    if isinstance(data, list):
        return [_records_changed(item, changes) for item in data]
    if not isinstance(data, dict):
        return data
    inside = {key: _records_changed(value, changes) for key, value in data.items()}
    change = changes.get(str(inside.get("type")))
    return change(inside) if change else inside


def _without_totals(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "totals": record.get("totals", ["tuple"])}


def _without_name(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "name": record.get("name")}


def _without_one_sided(record: dict[str, Any]) -> dict[str, Any]:
    nothing = ["tuple", ["Integer", "0"], ["Integer", "0"]]
    return {**record, "one_sided": record.get("one_sided", nothing)}


SINCE: Mapping[int, Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    1: {"ExpectedLoss": _without_totals},
    2: {"Law": _without_name, "ImproperLaw": _without_name},
    3: dict.fromkeys(("ThresholdIntegral", "WeightedLoss", "Losses"), _without_one_sided),
}
