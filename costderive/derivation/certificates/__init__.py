"""Certificates: derivations as documents that anyone can check, with no more than a reader of JSON."""
