# SPDX-License-Identifier: Apache-2.0
"""Files go both ways between Python and the fedstein program."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pandas
import pytest
from rows import line, patients, two_classes
from wrong_arguments import problems_of

from fedstein import Posterior, Run, SteinClassifier, SteinCounts, SteinRegressor, plot

ROOT = pathlib.Path(__file__).parents[2]


def the_program():
    candidates = [os.environ.get("FEDSTEIN_PROGRAM"), *(ROOT / f"build/{preset}/apps/fedstein" for preset in ("dev", "release"))]
    return next((str(path) for path in candidates if path and pathlib.Path(path).exists()), None)


PROGRAM = the_program()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no fedstein program is built: files are not exchanged with it")


def program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def predicted(model, rows):
    import io

    return pandas.read_csv(io.StringIO(program("predict", model, rows)))


def same(ours, theirs):
    for name in ours.columns:
        if name == "label":
            assert ours[name].astype(str).tolist() == theirs[name].astype(str).tolist()
        else:
            np.testing.assert_allclose(ours[name], theirs[name], rtol=2e-4, atol=2e-5, err_msg=name)


def check_both(posterior, table, tmp_path, header=True):
    model, rows = tmp_path / "model.fedstein", tmp_path / "rows.csv"
    posterior.save(model)
    table.to_csv(rows, index=False, header=header)
    theirs = predicted(model, rows)
    ours = posterior.predict(table if header else table.to_numpy())
    assert set(ours.columns) <= set(theirs.columns)
    same(ours, theirs)


def test_the_program_predicts_with_a_table_of_words(tmp_path):
    table, ill = patients()
    check_both(SteinClassifier(rounds=10, random_state=1).fit(table, ill).posterior_, table, tmp_path)


def test_the_program_predicts_with_missing_and_unseen_values(tmp_path):
    table, ill = patients()
    table.loc[::10, "pressure"] = np.nan
    table.loc[5::50, "sex"] = None
    posterior = SteinClassifier(missing="impute", rounds=10, random_state=1).fit(table, ill).posterior_
    check_both(posterior, table.assign(sex=table.sex.where(table.index % 7 > 0, "diverse")), tmp_path)


def test_the_program_predicts_with_columns_without_names(tmp_path):
    x, y = two_classes()
    check_both(SteinClassifier(rounds=10, random_state=1).fit(x, y).posterior_, pandas.DataFrame(x), tmp_path, header=False)


def test_the_program_predicts_numbers_and_counts(tmp_path):
    x, y = line()
    table = pandas.DataFrame(x, columns=["a", "b"])
    check_both(SteinRegressor(rounds=20, random_state=1).fit(table, y).posterior_, table, tmp_path)
    counts = np.random.default_rng(1).poisson(np.exp(0.5 * x[:, 0]))
    check_both(SteinCounts(rounds=20, random_state=1).fit(table, counts).posterior_, table, tmp_path)


def test_the_program_predicts_with_a_network_in_double(tmp_path):
    x, y = two_classes()
    table = pandas.DataFrame(x, columns=["a", "b", "c"])
    clf = SteinClassifier(model="network", hidden=8, rounds=5, dtype="float64", random_state=1).fit(table, y + (x[:, 2] > 1))
    check_both(clf.posterior_, table, tmp_path)


def test_the_program_evaluates_and_summarises(tmp_path):
    table, ill = patients()
    posterior = SteinClassifier(rounds=10, random_state=1).fit(table, ill).posterior_
    posterior.save(tmp_path / "model.fedstein")
    table.assign(ill=ill).to_csv(tmp_path / "rows.csv", index=False)
    assert "accuracy" in program("evaluate", tmp_path / "model.fedstein", tmp_path / "rows.csv")
    assert "sex=male" in program("summary", tmp_path / "model.fedstein")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    table, ill = patients()
    table.assign(ill=ill, hospital=np.arange(300) % 3).to_csv(folder / "patients.csv", index=False)
    (folder / "patients.toml").write_text(
        """
[experiment]
name = "patients"
dataset = "patients.csv"
partition = "by-column"
trials = 2
[data]
label = "ill"
group = "hospital"
[federation]
rounds = 5
[[algorithm]]
type = "c-dsvgd"
[[algorithm]]
type = "fedavg"
"""
    )
    subprocess.run([PROGRAM, "run", "patients.toml"], cwd=folder, check=True, capture_output=True)
    yield folder / "runs/patients"
    shutil.rmtree(folder)


def test_python_predicts_with_the_programs_posterior(run, tmp_path):
    table, ill = patients()
    table.to_csv(tmp_path / "rows.csv", index=False)
    path = run / "posteriors/c-dsvgd-1.fedstein"
    posterior = Posterior.load(path)
    same(posterior.predict(table), predicted(path, tmp_path / "rows.csv"))
    assert posterior.columns == ["age", "sex", "pressure"]
    assert posterior.evaluate(table, ill)["accuracy"] > 0.7
    posterior.save(tmp_path / "again.fedstein")
    assert (tmp_path / "again.fedstein").read_bytes() == path.read_bytes()


def test_a_run_is_read(run):
    found = Run.open(run)
    assert found.name == "patients"
    assert found.finished
    assert "patients" in repr(found)
    assert "c-dsvgd" in found._repr_html_()
    curves = found.curves()
    assert len(curves) == 2 * 2 * 5
    assert set(curves.algorithm) == {"c-dsvgd", "fedavg"}
    assert curves.accuracy.between(0, 1).all()
    assert found.posterior("c-dsvgd").training["experiment"] == "patients"
    comparison = found.comparison()
    assert len(comparison) == 2
    assert comparison["accuracy"].between(0, 1).all()
    assert comparison["accuracy_error"].between(0, 1).all()  # of two trials
    particles = found.particles("c-dsvgd")
    np.testing.assert_allclose(particles, found.posterior("c-dsvgd").particles, rtol=1e-6)
    assert found.reliability("c-dsvgd")["count"].sum() > 0


def test_a_runs_report_is_shown_and_saved(run, tmp_path):
    report = Run.open(run).report()
    assert report._repr_html_().startswith("<iframe sandbox")
    report.save(tmp_path / "report.html")
    assert "<html" in (tmp_path / "report.html").read_text().lower()


def test_a_runs_curves_are_drawn(run):
    ax = plot.curves(Run.open(run).curves(), "accuracy")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["c-dsvgd", "fedavg"]


def test_what_is_not_there_is_refused_in_a_sentence(run, tmp_path):
    found = Run.open(run)
    with pytest.raises(ValueError, match="there is no trial 3 of 'c-dsvgd'"):
        found.particles("c-dsvgd", trial=3)
    with pytest.raises(ValueError, match="round is 99"):
        found.particles("c-dsvgd", round=99)
    with pytest.raises(ValueError, match="the run's posteriors are c-dsvgd-1"):
        found.posterior("svgd")
    with pytest.raises(OSError, match="not there"):
        Run.open(tmp_path / "not there")


def test_wrong_arguments_of_a_run_are_named_with_their_values(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = Run.open(run)
    problems = problems_of(Run.open, {"folder": run})
    for function in (found.particles, found.reliability, found.posterior):
        problems += problems_of(function, {"algorithm": "c-dsvgd"})
    assert not problems, "\n".join(problems)
