"""costderive cache: what was compiled and is kept on disk, to see and to clear."""

from __future__ import annotations

import argparse
from typing import Any

from costderive.cli.arguments import command


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "cache", _cache, "show, or clear, the compiled losses that are kept on disk")
    parser.add_argument("--clear", action="store_true", help="remove them")


def _cache(arguments: argparse.Namespace) -> int:
    from costderive.core import user_cache

    folder = user_cache.folder()
    if folder is None:
        print("nothing is kept: COSTDERIVE_CACHE is off, or its folder is not yours alone")
        return 0
    count, size = user_cache.contents()
    if arguments.clear:
        user_cache.clear()
    what = f"{count} {'value' if count == 1 else 'values'}, {size / 1e6:.1f} MB, in {folder}"
    print(f"removed {what}" if arguments.clear else what)
    return 0
