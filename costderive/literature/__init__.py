"""Published claims on scoring rules, each decided by the engine: confirmed, corrected, refuted, proof incomplete.

A claim is data, a file in ``published``: its source, its statement in words, and the checks that decide it with their
inputs. The verdict is computed from these and stored nowhere. `list` returns the claims and `decide` decides one, which
may also be the path of a file of your own.
"""

from __future__ import annotations

from costderive.literature.decision import Answer, Decision, Verdict, decide
from costderive.literature.published import Published, read
from costderive.literature.published import published as list
from costderive.literature.question import Outcome, Ruling

__all__ = ["Answer", "Decision", "Outcome", "Published", "Ruling", "Verdict", "decide", "list", "read"]
