# SPDX-License-Identifier: Apache-2.0
"""Classes from a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedstein import _sklearn
from fedstein._column import text_of
from fedstein._estimator import SteinEstimator
from fedstein.errors import InvalidArgument


class SteinClassifier(_sklearn.ClassifierMixin, SteinEstimator):  # type: ignore[misc]
    """A Bayesian classifier whose weights are Stein particles, trained by a federation in this process.

    Parameters
    ----------
    n_particles
        How many weight vectors stand for the posterior, of the methods that have particles.
    rounds
        Rounds between server and agents.
    method
        A name of :func:`method_list`: "c-dsvgd" and others. A centralised one, "svgd" for example, sees all rows in one place.
    model
        "auto" and "linear": logistic regression, or softmax regression of more than two classes. "network": a neural network. Or
        a name of :func:`model_types`.
    hidden
        Hidden units of a network, 50 unless given, a list for several layers. With it "auto" is a network; a model without hidden
        units refuses it.
    missing
        What becomes of missing values (NaN): "refuse", or "impute" by the column's median or most frequent category, with a feature
        that marks them.
    method_settings, model_settings
        Further settings by name; docs/reference.md lists them.
    random_state
        An int makes results repeatable.
    dtype
        What particles are computed in: "float32" or "float64".

    Features are standardised inside. A data frame's columns of words become categories; their names are kept, and the posterior
    finds its columns by them. There are no sample weights: SVGD's minibatches are drawn row by row.

    Attributes: ``posterior_`` (a :class:`Posterior`), ``classes_``, ``n_features_in_``, ``feature_names_in_``, ``n_rounds_``.

    >>> import numpy as np
    >>> from fedstein import SteinClassifier
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(300, 3))
    >>> y = np.where(x[:, 0] + 0.3 * rng.normal(size=300) > 0, "ill", "well")
    >>> hospital = np.arange(300) % 4
    >>> clf = SteinClassifier(random_state=1).fit(x, y, groups=hospital)  # four agents
    >>> clf.predict(np.array([[2.0, 0, 0], [-2.0, 0, 0]])).tolist()
    ['ill', 'well']
    >>> list(clf.uncertainty(x).columns)
    ['total', 'aleatoric', 'epistemic', 'unusual']
    """

    _y_numeric = False

    def fit(self, X: Any, y: Any, groups: Any = None) -> SteinClassifier:
        """Trains. ``groups`` says whose row is whose: each group is an agent, and rows stay with it. Without: one agent."""
        label_name = getattr(y, "name", None)
        x, y = self._checked(X, y, fit=True)
        try:
            _sklearn.check_classification_targets(y)
            self.classes_, places = np.unique(y, return_inverse=True)
        except TypeError:
            raise InvalidArgument("y holds missing values, or values of different types; expected numbers or texts") from None
        if len(self.classes_) < 2:
            raise InvalidArgument(f"y holds one class only, {self.classes_.tolist()[0]!r}; at least two classes are needed")
        binary = len(self.classes_) == 2
        labels = np.where(places == 1, 1.0, -1.0) if binary else places.astype(np.float64)
        names = [text_of(value) for value in self.classes_.tolist()]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidArgument(f"y holds classes that differ in blanks or type only, and would both be '{twice}' in a file")
        self._fit_rows(x, labels, groups, "binary" if binary else "multiclass", names, label_name)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """n x C, in the order of ``classes_``: averaged over the particles."""
        rows = self._new_rows(X)
        found = self.posterior_.probabilities(rows)
        return np.asarray(found / found.sum(axis=1, keepdims=True))  # single precision: they add up to seven digits only

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row."""
        places = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])
