"""Expressions as formulas: LaTeX, Unicode over several lines, and one plain line."""
