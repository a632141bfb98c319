"""From costs, losses or a name to a scoring rule with its proof: the moves, the search behind them, certificates.

What decides the claims of a derivation is in `proof` and `deciders`; of what is here, `moves` is trusted, which makes
these claims and imports nothing that searches.
"""
