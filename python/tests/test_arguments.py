# SPDX-License-Identifier: Apache-2.0
"""Every public function answers every argument that makes no sense in one sentence that names it."""

import pytest
from callables import CALLS, public_callables
from wrong_arguments import problems_of


def test_every_public_callable_is_called_here():
    assert public_callables() == set(CALLS)


@pytest.mark.parametrize("what", sorted(CALLS))
@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments_are_named_with_their_values(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, good = CALLS[what]()
    # scikit-learn speaks for the tables of its estimators.
    problems = problems_of(function, good, without=("X", "y") if what.startswith("Stein") else ())
    assert not problems, "\n".join([f"{len(problems)} problems", *problems])
