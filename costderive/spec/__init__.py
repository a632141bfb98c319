"""Spec files: a cost context with its title and source, written in TOML.

A spec has a table ``[context]`` with a ``kind`` and the keys of that kind; ``title`` and ``source`` are
optional, and so are ``threshold`` and ``[expected]`` with the losses that the literature gives. Values are
numbers or texts in the grammar of `costderive.core.expressions`; a decimal means itself, 0.1 is 1/10. Nothing in a
spec is evaluated as code.
"""

from costderive.costs.read_threshold import threshold_from
from costderive.spec.context_kinds import KINDS, context_from
from costderive.spec.spec_file import Expected, Spec, load, parse
from costderive.spec.spec_values import split
from costderive.spec.write_spec import to_toml

__all__ = [
    "KINDS",
    "Expected",
    "Spec",
    "context_from",
    "load",
    "parse",
    "split",
    "threshold_from",
    "to_toml",
]
