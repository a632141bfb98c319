"""Derivations for readers: formulas, words, articles, pages, pictures, proofs for Coq, and the gallery."""
