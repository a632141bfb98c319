"""Derivations as proofs that Coq checks: terms and signs, one section per theorem, and the library that they use."""
