# SPDX-License-Identifier: Apache-2.0
"""Arrays that are none of NumPy's, or hold nothing: what an attacker ended the interpreter with."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from fedstein import Error, Model, ksd, svgd


def test_an_array_of_ctypes_is_read_as_numbers():
    array = (ctypes.c_float * 3 * 4)()
    assert ksd(array, array) == ksd(np.zeros((4, 3)), np.zeros((4, 3)))
    start = np.ones((4, 3), dtype=np.float32)
    assert np.array_equal(svgd(lambda theta: array, start, 3).particles, svgd(lambda theta: np.zeros((4, 3)), start, 3).particles)


def test_rows_without_columns_are_refused_however_many_they_are():
    rows = np.zeros((2**40, 0), dtype=np.float32)
    with pytest.raises(Error):
        svgd(lambda theta: theta, rows)
    with pytest.raises(Error):
        Model("logistic-regression", features=2).log_prior(rows)
