# SPDX-License-Identifier: Apache-2.0
"""Arguments that make no sense, and what is wrong with the answers to them: test_arguments.py, test_interchange.py."""

import inspect
import re

import numpy as np

from fedstein.errors import Error, MissingExtra

WRONG = [
    None, object(), "x", "", "\udcff", b"x", -1, 0, 1.5, float("nan"), float("inf"), 1j, 10**30, True,
    np.datetime64("2026-01-01"), [], {}, (), [None], ["x"], [[]], [[1, "x"]], [[1j]], [[float("nan")]],
    {"x": 1}, np.zeros((0, 2)), np.zeros((2, 0)), np.zeros((2, 2, 2)), np.array(None), Ellipsis,
]  # fmt: skip
# What the inside calls things, which nobody who reads a message knows.
INTERNAL = re.compile(
    r"incompatible function|std::|fedstein::|nanobind|Eigen|_core|handle|OwnModel|Target|judge|middle|from_parts|NoneType"
    r"|object has no attribute|not subscriptable|not iterable|has no len|positional argument|\bfloat\(\)|\bint\(\)|__\w+__"
)
# How a message may call an argument.
NAMES = {
    "x": ("X",), "shards": ("shard",), "name": ("called",), "learning_rate": ("learning rate",),
    "method_settings": ("setting",), "model_settings": ("setting",),
}  # fmt: skip


def problem_of(call, name, value):
    """What is wrong with the answer to this value; empty where nothing is."""
    try:
        found = call(**{name: value})
        if inspect.isgenerator(found):
            next(found, None)
    except MissingExtra:
        return ""
    except Error as problem:
        said = str(problem)
    except Exception as problem:
        return f"{type(problem).__name__}, no Error of ours: {problem}"
    else:
        return ""
    if "\n" in said:
        return f"several lines: {said}"
    if INTERNAL.search(said):
        return f"internal names: {said}"
    named = any(re.search(rf"\b{word}\b", said) for word in (name, *NAMES.get(name, ())))
    return "" if named else f"does not name {name}: {said}"


def problems_of(function, good, without=()):
    """With every argument wrong in turn, but for some."""
    out = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or name in without:
            continue
        for value in WRONG:
            problem = problem_of(lambda **wrong: function(**{**good, **wrong}), name, value)
            if problem:
                out.append(f"{name}={value!r}: {problem}")
    return out
