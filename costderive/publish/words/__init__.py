"""What a derivation says, in words: contexts, laws, proofs move by move, findings and sources."""
