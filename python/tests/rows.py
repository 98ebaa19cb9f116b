# SPDX-License-Identifier: Apache-2.0
"""Rows that several tests use."""

import numpy as np
import pandas


def two_classes(rows=200, features=3, seed=1):
    """y is 1 where x w is positive, but for noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    weights = np.array([2.0, -1.0] + [0.0] * (features - 2))
    y = np.where(x @ weights + 0.5 * rng.normal(size=rows) > 0, 1, 0)
    return x, y


def line(rows=200, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 2))
    return x, 100 + 5 * x[:, 0] - 2 * x[:, 1] + rng.normal(size=rows)


def patients(rows=300, seed=1):
    """A table with words, and a label of words."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, rows)
    sex = rng.choice(["female", "male"], rows)
    pressure = rng.normal(130, 20, rows).round(1)
    ill = age + pressure / 2 + 10 * (sex == "male") + 10 * rng.normal(size=rows) > 120
    table = pandas.DataFrame({"age": age, "sex": sex, "pressure": pressure})
    return table, pandas.Series(np.where(ill, "yes", "no"), name="ill")
