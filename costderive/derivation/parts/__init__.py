"""Costs written in parts with laws of their own: the laws of sums, products, extremes and functions of these.

What reads a context from parts belongs here; what derives a rule from a context does not.
"""
