"""Derivations and rules, written for readers and for other programs."""
