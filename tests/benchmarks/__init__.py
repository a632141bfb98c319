"""Benchmarks, run as ``python -m tests.benchmarks``."""
