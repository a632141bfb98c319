"""Whole documents: the article in LaTeX, the page in HTML, Markdown, and the terminal."""
