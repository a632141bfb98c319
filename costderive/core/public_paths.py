"""Public modules under the names that users import, wherever in the house they lie."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class PublicPaths(MetaPathFinder, Loader):
    """Finds ``costderive.laws`` where it lies: the very module, so that no class exists twice.

    >>> import costderive.laws, costderive.costs.laws
    >>> costderive.laws is costderive.costs.laws
    True
    """

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._home = {f"costderive.{name}": home for name, home in modules.items()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a public name that is not a module of its own."""
        home = self._home.get(fullname, fullname)
        return None if home == fullname else ModuleSpec(fullname, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module itself, with its own spec noted, since the import system puts the alias there."""
        module = importlib.import_module(self._home[spec.name])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back; it has run before."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state
