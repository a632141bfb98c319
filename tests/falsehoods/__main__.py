"""``python -m tests.falsehoods [--seconds N] [--seed N] [--only KIND]``: try false statements for some time."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from secrets import randbits

from tests.falsehoods.room import CLAIMS, READERS, answers, proved, table, within
from tests.falsehoods.statement import CRASHED, Answer


def main(arguments: list[str]) -> int:
    """Print the counts, and in full what was proved; return 1 if anything was."""
    reader = argparse.ArgumentParser(prog="python -m tests.falsehoods", description=__doc__)
    reader.add_argument(
        "--seconds", type=float, default=600.0, help="time of the processor, 600 if not given"
    )
    reader.add_argument("--seed", type=int, help="what to draw from; a new one if not given")
    reader.add_argument("--only", default="", help="generators whose name holds this")
    options = reader.parse_args(arguments)
    seed = randbits(32) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    generators = tuple(
        one for one in (*CLAIMS, *READERS) if options.only in f"{one.__module__}.{one.__name__}"
    )
    found: list[Answer] = []
    with suppress(KeyboardInterrupt):
        for one in within(options.seconds, answers(generators, seed)):
            found.append(one)
            if one.verdict == "PROVED" or one.verdict.startswith(CRASHED):
                shown = f"{one.statement.kind}, {one.statement.family}: {one.statement.shown}"
                print(f"{one.verdict}: {shown}\n    {one.statement.why}", flush=True)
    print(table(found))
    return 1 if proved(found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
