"""The sources that a told derivation may cite."""

from __future__ import annotations

from costderive.export.blocks import Source

SOURCES = {
    source.key: source
    for source in (
        Source(
            "Ahmadian2024",
            "R. Ahmadian, M. Ghatee and J. Wahlström",
            2024,
            "Superior scoring rules for probabilistic evaluation of single-label multi-class classification tasks",
            "Manuscript of July 26, 2024",
        ),
        Source(
            "Buja2005",
            "A. Buja, W. Stuetzle and Y. Shen",
            2005,
            "Loss functions for binary class probability estimation and classification: structure and "
            "applications",
            "Technical report",
        ),
        Source(
            "Flach2015",
            "P. A. Flach",
            2015,
            "Cost-sensitive classification meets proper scoring rules",
            "Paper at LMCE 2015",
        ),
        Source(
            "Gneiting2007",
            "T. Gneiting and A. E. Raftery",
            2007,
            "Strictly proper scoring rules, prediction, and estimation",
            "Journal of the American Statistical Association 102(477), 359–378",
        ),
        Source(
            "Grygorian2019",
            "D. Grygorian",
            2019,
            "Classifier evaluation with proper scoring rules",
            "Master's thesis, University of Tartu",
        ),
        Source(
            "HernandezOrallo2011",
            "J. Hernández-Orallo, P. A. Flach and C. Ferri",
            2011,
            "Brier curves: a new cost-based visualisation of classifier performance",
            "28th International Conference on Machine Learning, 585–592",
        ),
        Source(
            "HernandezOrallo2012",
            "J. Hernández-Orallo, P. A. Flach and C. Ferri",
            2012,
            "A unified view of performance metrics: translating threshold choice into expected "
            "classification loss",
            "Journal of Machine Learning Research 13, 2813–2869",
        ),
        Source(
            "Parry2016",
            "M. Parry",
            2016,
            "Linear scoring rules for probabilistic binary classification",
            "Electronic Journal of Statistics 10(1), 1596–1607",
        ),
        Source(
            "Schervish1989",
            "M. J. Schervish",
            1989,
            "A general method for comparing probability assessors",
            "The Annals of Statistics 17(4), 1856–1879",
        ),
    )
}
