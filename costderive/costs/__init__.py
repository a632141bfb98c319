"""Costs before any rule is derived: laws, contexts, decision thresholds, and the expected loss that they define.

How a context becomes a scoring rule is the business of the room `derivation`.
"""
