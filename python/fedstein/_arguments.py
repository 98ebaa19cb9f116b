# SPDX-License-Identifier: Apache-2.0
"""Arguments are checked against the annotations of the function that takes them: what is documented, what mypy checks and what
is refused are the same. Limits of numbers and lists of words stay with the functions (:mod:`fedstein._checks`)."""

from __future__ import annotations

import functools
import inspect
import os
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

import fedstein
from fedstein._checks import shown
from fedstein.errors import InvalidArgument

Checked = TypeVar("Checked", bound=Callable[..., Any])
_DUNDERS = ("__init__", "__getitem__")


class _Kind:
    """What an annotation allows, in code, in words, and in words of several of them."""

    def __init__(self, fits: Callable[[Any], bool], words: str, several: str) -> None:
        self.fits = fits
        self.words = words
        self.several = several


def checked(what: Checked) -> Checked:
    """Of a function, or of a class's constructor and public methods: arguments of another type than their annotations say are
    refused in one sentence, and so is None for an argument without a default."""
    if not inspect.isclass(what):
        return typing.cast(Checked, _function(what))
    for name, value in list(vars(what).items()):
        if name.startswith("_") and name not in _DUNDERS:
            continue
        if inspect.isfunction(value):
            setattr(what, name, _function(value))
        elif isinstance(value, classmethod):
            setattr(what, name, classmethod(_function(value.__func__)))
    return what


def _function(function: Callable[..., Any]) -> Callable[..., Any]:
    kinds = functools.cache(lambda: _kinds_of(function))  # when it is first called: annotations name what comes later in a module

    def check(given: tuple[Any, ...], named: dict[str, Any]) -> None:
        known = kinds()
        for (name, kind), value in zip(known.items(), given, strict=False):
            if kind is not None and not kind.fits(value):
                raise _refusal(name, kind, value)
        for name, value in named.items():
            kind = known.get(name)
            if kind is not None and not kind.fits(value):
                raise _refusal(name, kind, value)

    def call(*given: Any, **named: Any) -> Any:
        check(given, named)
        return function(*given, **named)

    # With the globals of the function's own module, by which doctest knows that the function is of that module.
    own = types.FunctionType(call.__code__, function.__globals__, function.__name__, None, call.__closure__)
    return functools.update_wrapper(own, function)


def _refusal(name: str, kind: _Kind, value: Any) -> InvalidArgument:
    return InvalidArgument(f"{name} is {shown(value)}; allowed: {kind.words}")


def _kinds_of(function: Callable[..., Any]) -> dict[str, _Kind | None]:
    hints = typing.get_type_hints(function)
    out: dict[str, _Kind | None] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            kind = _kind_of(hints.get(name, Any))
            needed = parameter.default is parameter.empty and name not in ("self", "cls")
            out[name] = (
                _Kind(lambda value: value is not None, "a value, None is not enough", "") if kind is None and needed else kind
            )
    return out


def _is_encodable(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(value.encode() or True)
    except UnicodeEncodeError:
        return False


def _is_path(value: Any) -> bool:
    return isinstance(value, os.PathLike) and _is_encodable(os.fspath(value))


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _is_several(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray, Mapping)) or not isinstance(value, Iterable):
        return False
    return hasattr(value, "__len__") and getattr(value, "ndim", 1) > 0  # NumPy's arrays of no dimension have the method only


_PLAIN = {
    bool: _Kind(_is_flag, "True or False", "flags"),
    int: _Kind(lambda value: isinstance(value, (int, np.integer)) and not _is_flag(value), "a whole number", "whole numbers"),
    float: _Kind(
        lambda value: isinstance(value, (int, float, np.integer, np.floating)) and not _is_flag(value), "a number", "numbers"
    ),
    str: _Kind(_is_encodable, "a text", "texts"),
    bytes: _Kind(lambda value: isinstance(value, (bytes, bytearray)), "bytes", "bytes"),
    type(None): _Kind(lambda value: value is None, "None", "None"),
}


def _kind_of(hint: Any) -> _Kind | None:
    """None: anything is allowed."""
    if hint is Any or hint in _PLAIN:
        return _PLAIN.get(hint)
    what = typing.get_origin(hint) or hint
    return _COMPOSED[what](typing.get_args(hint)) if what in _COMPOSED else _instance_of(what)


def _instance_of(what: type) -> _Kind:
    name = _name_of(what)
    article = "an" if name[0] in "AEIOU" else "a"
    return _Kind(lambda value: isinstance(value, what), f"{article} {name}", f"{name} objects")


def _name_of(what: type) -> str:
    """As users write it."""
    return f"fedstein.{what.__name__}" if what.__name__ in fedstein.__all__ else what.__name__


def _derived_from(base: type) -> _Kind:
    words = f"a class derived from {_name_of(base)}"
    return _Kind(lambda value: isinstance(value, type) and issubclass(value, base), words, "classes")


def _either(kinds: Sequence[_Kind | None]) -> _Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    words = " or ".join(kind.words for kind in known)
    return _Kind(lambda value: any(kind.fits(value) for kind in known), words, " or ".join(kind.several for kind in known))


def _list_of(kind: _Kind | None) -> _Kind:
    if kind is None:
        return _Kind(_is_several, "a list", "lists")
    return _Kind(lambda value: _is_several(value) and all(map(kind.fits, value)), f"a list of {kind.several}", "lists")


def _tuple_of(kinds: Sequence[_Kind | None]) -> _Kind:
    def fits(value: Any) -> bool:
        if not _is_several(value) or len(value) != len(kinds):
            return False
        return all(kind is None or kind.fits(one) for kind, one in zip(kinds, value, strict=True))

    first = kinds[0]
    return _Kind(fits, f"{len(kinds)} {first.several if first else 'values'}", "tuples")


_COMPOSED: dict[Any, Callable[[Any], _Kind | None]] = {
    types.UnionType: lambda inner: _either([_kind_of(one) for one in inner]),
    typing.Union: lambda inner: _either([_kind_of(one) for one in inner]),
    Callable: lambda _: _Kind(callable, "a function", "functions"),
    Sequence: lambda inner: _list_of(_kind_of(inner[0])),
    tuple: lambda inner: _tuple_of([_kind_of(one) for one in inner]),
    type: lambda inner: _derived_from(inner[0]),
    os.PathLike: lambda _: _Kind(_is_path, "a path", "paths"),
    Iterable: lambda _: _Kind(lambda value: _is_several(value) or hasattr(value, "__next__"), "an iterator", "iterators"),
    Mapping: lambda _: _Kind(lambda value: isinstance(value, Mapping), "a dict", "dicts"),
}
