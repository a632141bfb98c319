"""The sources that a paper on a derivation may cite, and how a bibliography writes them."""

from __future__ import annotations

from collections.abc import Iterable

from costderive.publish.words.document_blocks import Source

_FERRI = ("J. Hernández-Orallo", "P. A. Flach", "C. Ferri")


def _article(journal: str, volume: str, number: str, pages: str) -> tuple[tuple[str, str], ...]:
    parts = (("journal", journal), ("volume", volume), ("number", number), ("pages", pages))
    return tuple((name, value) for name, value in parts if value)


SOURCES = {
    source.key: source
    for source in (
        Source(
            "Ahmadian2024",
            "misc",
            ("R. Ahmadian", "M. Ghatee", "J. Wahlström"),
            2024,
            "Superior scoring rules for probabilistic evaluation of single-label multi-class classification tasks",
            (("howpublished", "Manuscript of July 26, 2024"),),
        ),
        Source(
            "Brier1950",
            "article",
            ("G. W. Brier",),
            1950,
            "Verification of forecasts expressed in terms of probability",
            _article("Monthly Weather Review", "78", "1", "1–3"),
        ),
        Source(
            "Buja2005",
            "techreport",
            ("A. Buja", "W. Stuetzle", "Y. Shen"),
            2005,
            "Loss functions for binary class probability estimation and classification: structure and "
            "applications",
            (("institution", "University of Pennsylvania"),),
        ),
        Source(
            "Flach2015",
            "misc",
            ("P. A. Flach",),
            2015,
            "Cost-sensitive classification meets proper scoring rules",
            (("howpublished", "Paper at LMCE"),),
        ),
        Source(
            "Gneiting2007",
            "article",
            ("T. Gneiting", "A. E. Raftery"),
            2007,
            "Strictly proper scoring rules, prediction, and estimation",
            _article("Journal of the American Statistical Association", "102", "477", "359–378"),
        ),
        Source(
            "Good1952",
            "article",
            ("I. J. Good",),
            1952,
            "Rational decisions",
            _article("Journal of the Royal Statistical Society, Series B", "14", "1", "107–114"),
        ),
        Source(
            "Grygorian2019",
            "mastersthesis",
            ("D. Grygorian",),
            2019,
            "Classifier evaluation with proper scoring rules",
            (("school", "University of Tartu"),),
        ),
        Source(
            "HernandezOrallo2011",
            "inproceedings",
            _FERRI,
            2011,
            "Brier curves: a new cost-based visualisation of classifier performance",
            (("booktitle", "28th International Conference on Machine Learning"), ("pages", "585–592")),
        ),
        Source(
            "HernandezOrallo2012",
            "article",
            _FERRI,
            2012,
            "A unified view of performance metrics: translating threshold choice into expected "
            "classification loss",
            _article("Journal of Machine Learning Research", "13", "", "2813–2869"),
        ),
        Source(
            "Nelsen2006",
            "book",
            ("R. B. Nelsen",),
            2006,
            "An introduction to copulas, 2nd edition",
            (("publisher", "Springer"),),
        ),
        Source(
            "Parry2016",
            "article",
            ("M. Parry",),
            2016,
            "Linear scoring rules for probabilistic binary classification",
            _article("Electronic Journal of Statistics", "10", "1", "1596–1607"),
        ),
        Source(
            "Schervish1989",
            "article",
            ("M. J. Schervish",),
            1989,
            "A general method for comparing probability assessors",
            _article("The Annals of Statistics", "17", "4", "1856–1879"),
        ),
    )
}

_KINDS = {"mastersthesis": "Master's thesis", "techreport": "Technical report"}
_TEX = {"á": r"{\'a}", "ö": r"{\"o}", "–": "--"}


def bibtex(sources: Iterable[Source]) -> str:
    """Return the entries of a BibTeX file, in ASCII.

    >>> print(bibtex([SOURCES["Good1952"]]).splitlines()[0])
    @article{Good1952,
    """
    return "\n".join(_entry(source) for source in sources)


def _entry(source: Source) -> str:
    title = f"{{{source.title}}}"  # a second pair of braces keeps the capitals
    fields = (("author", " and ".join(source.authors)), ("title", title), ("year", str(source.year)))
    lines = [f"  {name} = {{{_ascii(value)}}}," for name, value in (*fields, *source.fields)]
    return "\n".join([f"@{source.kind}{{{source.key},", *lines, "}\n"])


def _ascii(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in text)


def authors(source: Source) -> str:
    """Return the authors as a reader expects them: ``A, B and C``."""
    *first, last = source.authors
    return f"{', '.join(first)} and {last}" if first else last


def venue(source: Source) -> tuple[str, str]:
    """Return where a source appeared: the name of a journal or a book, which is set apart, and the rest.

    >>> venue(SOURCES["Good1952"])
    ('Journal of the Royal Statistical Society, Series B', ' 14(1), 107–114')
    >>> venue(SOURCES["Grygorian2019"])
    ('', "Master's thesis, University of Tartu")
    """
    fields = dict(source.fields)
    name = fields.get("journal", "") + fields.get("booktitle", "")
    number = f"({fields['number']})" if "number" in fields else ""
    volume = f" {fields['volume']}{number}" if "volume" in fields else ""
    pages = f", {fields['pages']}" if "pages" in fields else ""
    plain = (
        _KINDS.get(source.kind),
        *map(fields.get, ("school", "institution", "publisher", "howpublished")),
    )
    return name, f"{volume}{pages}" if name else ", ".join(filter(None, plain))
