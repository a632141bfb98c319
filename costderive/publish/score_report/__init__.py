"""Scores of models for readers: tables and remarks at a terminal, and a page with pictures."""
