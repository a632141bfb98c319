"""What everything else stands on: letters, errors, limits of time, exact piecewise functions, and how text is read.

Nothing here knows what a cost or a scoring rule is.
"""
