# SPDX-License-Identifier: Apache-2.0
"""Federated methods: fedstein's own by name, and methods of yours as two small classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fedstein import _checks, _load
from fedstein._arguments import checked
from fedstein.errors import InvalidArgument
from fedstein.models import Model

#: Matrices whose meaning the method knows. The first one is what the server predicts with, unless it says otherwise.
Belief = list[np.ndarray]


@checked
@dataclasses.dataclass(frozen=True)
class Setting:
    """A number, word or flag by which a method can be changed; its limits are checked before anything runs."""

    key: str
    default: Any
    help: str
    least: float | None = None
    most: float | None = None
    choices: Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class Task:
    """One round's work for one agent. ``version`` counts the rounds that the belief has taken in: 0 is the start."""

    round: int
    agent: int
    version: int
    belief: Belief


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What became of an agent's upload; not folded: the agent must forget it."""

    round: int
    agent: int
    folded: bool
    weight: float


@dataclasses.dataclass(frozen=True)
class Update:
    """What an agent has sent."""

    agent: int
    belief: Belief


class Server:
    """The half of a method that has the belief. Derive from it and define ``start`` and ``fold``.

    A server keeps nothing in itself: the belief is all that there is.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    def start(self, model: Model, rows: list[int], seed: int) -> Belief:
        """The belief before anybody's data; ``rows`` are the agents' numbers of rows. Every belief has these shapes."""
        raise NotImplementedError(f"{type(self).__name__} must define start(model, rows, seed)")

    def fold(self, belief: Belief, updates: list[Update]) -> Belief:
        """The next belief, from this one and a round's updates: at least one, sorted by agent."""
        raise NotImplementedError(f"{type(self).__name__} must define fold(belief, updates)")

    def particles(self, belief: Belief) -> np.ndarray:
        """What to predict with: N x d."""
        return belief[0]


class Agent:
    """The half of a method that has the rows. Derive from it and define ``update``.

    ``model``, ``x``, ``y``, ``agent`` (its number), ``agents``, ``total_rows``, ``seed`` and ``settings`` are there from the start.
    An agent that keeps something between rounds changes it in ``settle`` only, when the server's verdict is known, and defines
    ``save`` and ``restore`` too.
    """

    model: Model
    x: np.ndarray
    y: np.ndarray
    agent: int
    agents: int
    total_rows: int
    seed: int
    settings: Mapping[str, Any]

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    def update(self, task: Task) -> Belief:
        """What the agent answers. It may be asked for the same task again and must then answer the same."""
        raise NotImplementedError(f"{type(self).__name__} must define update(task)")

    def settle(self, verdict: Verdict, as_sent: Belief) -> None:
        """What follows the upload; ``as_sent`` is the update as the server got it."""

    def rng(self, round: int) -> np.random.Generator:
        """Random numbers of this agent and round: the same ones whenever they are asked for."""
        return np.random.default_rng([self.seed, self.agent, round])


@checked
@dataclasses.dataclass(frozen=True)
class Method:
    """A federated method of your own: a name and two classes.

    >>> import numpy as np
    >>> import fedstein
    >>> class Mean(fedstein.Server):
    ...     def start(self, model, rows, seed):
    ...         return [np.zeros((1, model.dimension))]
    ...     def fold(self, belief, updates):
    ...         return [np.mean([update.belief[0] for update in updates], axis=0)]
    >>> class Step(fedstein.Agent):
    ...     def update(self, task):
    ...         score = self.model.likelihood_score(task.belief[0], self.x, self.y)
    ...         return [task.belief[0] + self.settings["learning_rate"] * score]
    >>> rate = fedstein.Setting("learning_rate", 0.2, "of a step", least=0)
    >>> averaging = fedstein.Method("averaging", Mean, Step, settings=[rate])
    >>> x, y = np.array([[2.0, 1], [1, -1], [-1, 1], [-2, 0]]), np.array([1, 1, 0, 0])
    >>> model = fedstein.Model("logistic-regression", features=2)
    >>> fed = fedstein.Federation(averaging, model, [(x[:2], y[:2]), (x[2:], y[2:])], learning_rate=0.1)
    >>> fed.run(20).rounds
    20
    >>> bool(fed.particles[0, 0] > 0.5)
    True

    ``parallel``: the server can take several updates in a round; otherwise agents take turns. ``centralised``: one agent has all
    the data.
    """

    name: str
    server: type[Server]
    agent: type[Agent]
    parallel: bool = True
    centralised: bool = False
    settings: Sequence[Setting] = ()
    summary: str = ""

    def __post_init__(self) -> None:
        for name, given, base in (("server", self.server, Server), ("agent", self.agent, Agent)):
            if not (isinstance(given, type) and issubclass(given, base)):
                raise InvalidArgument(f"{name} is {_checks.shown(given)}; allowed: a class derived from fedstein.{base.__name__}")

    def _core_method(self, dtype: str) -> Any:
        def start(model: Any, rows: list[int], seed: int, settings: dict[str, Any]) -> Belief:
            return self.server(settings).start(Model._around(model, dtype), rows, seed)

        def fold(belief: Belief, updates: list[dict[str, Any]], settings: dict[str, Any]) -> Belief:
            return self.server(settings).fold(belief, [Update(**update) for update in updates])

        def particles(belief: Belief) -> np.ndarray:
            return self.server({}).particles(belief)

        def make_agent(given: dict[str, Any]) -> _AgentBeside:
            own = self.agent(**{**given, "model": Model._around(given["model"], dtype)})
            return _LastingAgentBeside(own) if hasattr(own, "save") else _AgentBeside(own)

        return _load.core(dtype).Method(
            self.name,
            start=start,
            fold=fold,
            make_agent=make_agent,
            particles=particles,
            parallel=self.parallel,
            centralised=self.centralised,
            settings=[_plain(setting) for setting in self.settings],
            summary=self.summary,
        )


class _AgentBeside:
    """An agent as the extension calls it."""

    def __init__(self, own: Any) -> None:
        self._own = own

    def update(self, task: dict[str, Any]) -> Belief:
        answer: Belief = self._own.update(Task(**task))
        return answer

    def settle(self, verdict: dict[str, Any], as_sent: Belief) -> None:
        self._own.settle(Verdict(**verdict), as_sent)


class _LastingAgentBeside(_AgentBeside):
    """Of an agent that keeps something between rounds."""

    def save(self) -> bytes:
        return bytes(self._own.save())

    def restore(self, state: bytes) -> None:
        self._own.restore(state)


def _plain(setting: Setting) -> dict[str, Any]:
    out: dict[str, Any] = {"key": setting.key, "default": setting.default, "help": setting.help}
    for name in ("least", "most"):
        if getattr(setting, name) is not None:
            out[name] = getattr(setting, name)
    if setting.choices:
        out["choices"] = list(setting.choices)
    return out


def method_list() -> list[dict[str, Any]]:
    """fedstein's methods, each with its name, a summary and its settings.

    >>> from fedstein import method_list
    >>> next(method["parallel"] for method in method_list() if method["name"] == "c-dsvgd")
    True
    """
    return [dict(method) for method in _load.core("float32").methods()]


def method_named(name: Any) -> dict[str, Any]:
    """What there is to know of one method. Unknown names are refused with those that there are."""
    known = method_list()
    _checks.one_of("method", name, [method["name"] for method in known])
    return next(method for method in known if method["name"] == name)
