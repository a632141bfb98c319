"""Exact decisions: is it zero, is it positive, what does it tend to. Nothing here searches or integrates."""
