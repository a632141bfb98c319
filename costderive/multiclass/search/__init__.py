"""How moves of K classes find what they give, and the derivations that are made of them. Nothing here is trusted."""
