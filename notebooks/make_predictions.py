"""Write ``predictions.csv``: out-of-fold probabilities of three classifiers on real data.

The data are scikit-learn's Wisconsin breast-cancer measurements (569 tumours, 30 features). There a label
of 0 means malignant; here the labels are swapped, so that ``label`` is 1 for a malignant tumour and each
probability is that of malignancy: a false negative is a missed cancer.

Each probability comes from a model that did not see its row (stratified ten-fold cross-validation). The
seeds are fixed; another version of scikit-learn or of the linear algebra below it may change last digits.
"""

import csv
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

CLASSIFIERS = {
    "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "gradient_boosting": GradientBoostingClassifier(random_state=0),
    "naive_bayes": GaussianNB(),  # takes correlated features for independent: far too sure of itself
}
FOLDS = StratifiedKFold(n_splits=10, shuffle=True, random_state=0)


def write_predictions(path: Path) -> None:
    """Write one row per tumour, in the order of the data; each number reads back as the same float."""
    features, benign = load_breast_cancer(return_X_y=True)
    label = 1 - benign
    columns = [label.tolist()]
    for classifier in CLASSIFIERS.values():
        probability = cross_val_predict(classifier, features, label, cv=FOLDS, method="predict_proba")
        columns.append(probability[:, 1].tolist())

    with path.open("w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["label", *CLASSIFIERS])
        writer.writerows(map(repr, row) for row in zip(*columns, strict=True))


if __name__ == "__main__":
    write_predictions(Path(__file__).with_name("predictions.csv"))
