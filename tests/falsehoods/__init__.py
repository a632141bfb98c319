"""Statements that are false, by the thousand, which nothing may prove: a search for what the deciders get wrong.

Each generator draws a statement that looks true and is not: a true one that is changed by next to nothing, one that
holds for some values of the letters only, a pole inside, a total that is not 1. That it is false is found by a referee
with rigorous arithmetic (balls of Arb, fractions), never by the code under test. ``python -m tests.falsehoods`` tries
them for as long as is wanted; a sample is tried in every run of the tests. (The table of single claims for what
each decider once got wrong, or might, is `tests.mutants`.)
"""
