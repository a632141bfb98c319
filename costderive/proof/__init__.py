"""What is trusted: claims and their kinds, and the checker that turns claims into findings.

Nothing here knows a move, a context or a rule; the decisions themselves are made in `deciders`.
"""

from costderive.proof.claims import (
    Case,
    Claim,
    Conclusion,
    Consistent,
    Equal,
    Finding,
    Move,
    NonNegative,
    Open,
    Positive,
    Proof,
    Regular,
    Report,
    Same,
    Step,
    Tends,
    Verdict,
)

__all__ = [
    "Case",
    "Claim",
    "Conclusion",
    "Consistent",
    "Equal",
    "Finding",
    "Move",
    "NonNegative",
    "Open",
    "Positive",
    "Proof",
    "Regular",
    "Report",
    "Same",
    "Step",
    "Tends",
    "Verdict",
]
