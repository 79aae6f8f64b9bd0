"""Fits the linear classifier of `tem_graph.answer.rules.weights` on masked phrasings. Needs scikit-learn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tem_graph.answer.rules.masked import Masked
from tem_graph.answer.rules.weights import INTERCEPT

MIN_COUNT = 2
"""Phrasings that a feature must be in. A feature of one phrasing tells of that phrasing."""
SMALLEST, DIGITS = 0.1, 1
"""Weights below are left out, the others rounded. A hundredth of the numbers, and as good on writers left out."""
_STEPS = 150


def fit_weights(examples: Sequence[tuple[str, Masked]]) -> dict[str, dict[str, float]]:
    """Feature → operator → weight, by multinomial logistic regression (L2, C = 1).

    Raises:
        SystemExit: scikit-learn is not installed.
    """
    try:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise SystemExit("fitting the weights needs scikit-learn: pip install scikit-learn") from error

    features = [masked.features() for _, masked in examples]
    counts = Counter(feature for row in features for feature in row)
    names = DictVectorizer()
    matrix = names.fit_transform([{f: 1.0 for f in row if counts[f] >= MIN_COUNT} for row in features])
    model = LogisticRegression(C=1.0, max_iter=_STEPS).fit(matrix, [operator for operator, _ in examples])
    operators = [str(o) for o in model.classes_]
    weights = {
        str(feature): {o: round(float(w), DIGITS) for o, w in zip(operators, column, strict=True) if abs(w) >= SMALLEST}
        for feature, column in zip(names.get_feature_names_out(), model.coef_.T, strict=True)
    }
    weights[INTERCEPT] = {o: round(float(b), DIGITS) for o, b in zip(operators, model.intercept_, strict=True)}
    return weights
