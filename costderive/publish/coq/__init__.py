"""Derivations as proofs that Coq checks: terms and signs, one section per theorem, and the library that they use."""

COMPILED = "CostDerive"  # the name of the library where it is compiled
