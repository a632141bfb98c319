"""The sources that a paper on a derivation may cite, and how a bibliography writes them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from costderive import __version__
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
            "https://arxiv.org/abs/2407.17697",
        ),
        Source(
            "Brier1950",
            "article",
            ("G. W. Brier",),
            1950,
            "Verification of forecasts expressed in terms of probability",
            _article("Monthly Weather Review", "78", "1", "1–3"),
            "https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
        ),
        Source(
            "Buja2005",
            "techreport",
            ("A. Buja", "W. Stuetzle", "Y. Shen"),
            2005,
            "Loss functions for binary class probability estimation and classification: structure and "
            "applications",
            (("institution", "University of Pennsylvania"),),
            "http://stat.wharton.upenn.edu/~buja/PAPERS/paper-proper-scoring.pdf",
        ),
        Source(
            "CostContexts",
            "misc",
            ("The costderive authors",),
            2026,
            "Cost contexts and scoring rules: preliminaries",
            (
                (
                    "howpublished",
                    f"Distributed with costderive {__version__}, which writes it with the option --preliminaries",
                ),
            ),
        ),
        Source(
            "Chow1970",
            "article",
            ("C. K. Chow",),
            1970,
            "On optimum recognition error and reject tradeoff",
            _article("IEEE Transactions on Information Theory", "16", "1", "41–46"),
            "https://doi.org/10.1109/TIT.1970.1054406",
        ),
        Source(
            "DLMF",
            "misc",
            ("F. W. J. Olver", "A. B. Olde Daalhuis", "D. W. Lozier", "others"),
            2024,
            "NIST Digital Library of Mathematical Functions",
            (("howpublished", "National Institute of Standards and Technology"),),
            "https://dlmf.nist.gov/15.6",
        ),
        Source(
            "Elkan2001",
            "inproceedings",
            ("C. Elkan",),
            2001,
            "The foundations of cost-sensitive learning",
            (
                (
                    "booktitle",
                    "Proceedings of the 17th International Joint Conference on Artificial Intelligence",
                ),
                ("pages", "973–978"),
            ),
            "https://cseweb.ucsd.edu/~elkan/rescale.pdf",
        ),
        Source(
            "Flach2015",
            "misc",
            ("P. A. Flach",),
            2015,
            "Cost-sensitive classification meets proper scoring rules",
            (
                (
                    "howpublished",
                    "2nd International Workshop on Learning over Multiple Contexts (LMCE 2015) at ECML PKDD",
                ),
            ),
            "http://dmip.webs.upv.es/LMCE2015/Papers/LMCE_2015_submission_5.pdf",
        ),
        Source(
            "Gneiting2007",
            "article",
            ("T. Gneiting", "A. E. Raftery"),
            2007,
            "Strictly proper scoring rules, prediction, and estimation",
            _article("Journal of the American Statistical Association", "102", "477", "359–378"),
            "https://doi.org/10.1198/016214506000001437",
        ),
        Source(
            "Good1952",
            "article",
            ("I. J. Good",),
            1952,
            "Rational decisions",
            _article("Journal of the Royal Statistical Society, Series B", "14", "1", "107–114"),
            "https://doi.org/10.1111/j.2517-6161.1952.tb00104.x",
        ),
        Source(
            "Grygorian2019",
            "mastersthesis",
            ("D. Grygorian",),
            2019,
            "Classifier evaluation with proper scoring rules",
            (("school", "University of Tartu"),),
            "https://comserv.cs.ut.ee/ati_thesis/datasheet.php?id=66826",
        ),
        Source(
            "Hand2009",
            "article",
            ("D. J. Hand",),
            2009,
            "Measuring classifier performance: a coherent alternative to the area under the ROC curve",
            _article("Machine Learning", "77", "1", "103–123"),
            "https://doi.org/10.1007/s10994-009-5119-5",
        ),
        Source(
            "HernandezOrallo2011",
            "inproceedings",
            _FERRI,
            2011,
            "Brier curves: a new cost-based visualisation of classifier performance",
            (("booktitle", "28th International Conference on Machine Learning"), ("pages", "585–592")),
            "http://dmip.webs.upv.es/papers/BrierCurvespres.pdf",  # the slides of the talk
        ),
        Source(
            "HernandezOrallo2012",
            "article",
            _FERRI,
            2012,
            "A unified view of performance metrics: translating threshold choice into expected "
            "classification loss",
            _article("Journal of Machine Learning Research", "13", "", "2813–2869"),
            "https://www.jmlr.org/papers/v13/hernandez-orallo12a.html",
        ),
        Source(
            "Nelsen2006",
            "book",
            ("R. B. Nelsen",),
            2006,
            "An introduction to copulas, 2nd edition",
            (("publisher", "Springer"),),
            "https://doi.org/10.1007/0-387-28678-0",
        ),
        Source(
            "Parry2016",
            "article",
            ("M. Parry",),
            2016,
            "Linear scoring rules for probabilistic binary classification",
            _article("Electronic Journal of Statistics", "10", "1", "1596–1607"),
            "https://doi.org/10.1214/16-EJS1150",
        ),
        Source(
            "Schervish1989",
            "article",
            ("M. J. Schervish",),
            1989,
            "A general method for comparing probability assessors",
            _article("The Annals of Statistics", "17", "4", "1856–1879"),
            "https://doi.org/10.1214/aos/1176347398",
        ),
    )
}

_KINDS = {"mastersthesis": "Master's thesis", "techreport": "Technical report"}
_TEX = {"--": "-{}-", "á": r"{\'a}", "ö": r"{\"o}", "–": "--"}


def bibtex(sources: Iterable[Source]) -> str:
    """Return the entries of a BibTeX file, in ASCII.

    >>> print(bibtex([SOURCES["Good1952"]]).splitlines()[0])
    @article{Good1952,
    """
    return "\n".join(_entry(source) for source in sources)


def _entry(source: Source) -> str:
    title = f"{{{source.title}}}"  # a second pair of braces keeps the capitals
    note = (("note", rf"\url{{{source.url}}}"),) if source.url else ()
    fields = (("author", " and ".join(source.authors)), ("title", title), ("year", str(source.year)))
    lines = [f"  {name} = {{{_ascii(value)}}}," for name, value in (*fields, *source.fields, *note)]
    return "\n".join([f"@{source.kind}{{{source.key},", *lines, "}\n"])


def _ascii(text: str) -> str:
    return reduce(lambda written, pair: written.replace(*pair), _TEX.items(), text)


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
