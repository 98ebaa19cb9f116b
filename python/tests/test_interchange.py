# SPDX-License-Identifier: Apache-2.0
"""Files go both ways between Python and the fedstein program."""

import io
import json
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


def test_the_program_reads_numbers_with_words_for_missing_ones_as_python_does(tmp_path):
    table, ill = patients()
    texts = table.pressure.astype(str).where(table.index % 9 > 0, "?").where(table.index % 11 > 0, "NA")
    table = table.assign(pressure=texts, ward=np.where(table.index % 3 > 0, "3", "12"))
    table["ward"] = table.ward.where(table.index % 2 > 0, "?")
    posterior = SteinClassifier(missing="impute", rounds=10, random_state=1).fit(table, ill).posterior_
    assert posterior.feature_names == ["age", "sex=male", "pressure", "pressure missing", "ward", "ward missing"]
    check_both(posterior, table, tmp_path)
    table.assign(ill=ill).to_csv(tmp_path / "table.csv", index=False)
    told = program("data", "describe", tmp_path / "table.csv", "--label", "ill", "--missing", "impute", "--toml")
    assert "categorical" not in told
    (tmp_path / "same.toml").write_text(
        '[experiment]\nname = "same"\ndataset = "table.csv"\nagents = 2\n[data]\nlabel = "ill"\nmissing = "impute"\n'
        '[federation]\nrounds = 1\n[[algorithm]]\ntype = "c-dsvgd"\n'
    )
    subprocess.run([PROGRAM, "run", "same.toml"], cwd=tmp_path, check=True, capture_output=True)
    assert Posterior.load(tmp_path / "runs/same/posteriors/c-dsvgd-1.fedstein").feature_names == posterior.feature_names


def test_far_rows_are_asked_about_at_the_edge_as_by_the_program(tmp_path):
    table, ill = patients()
    far = table[:4].assign(age=[1e30, -1e4, 50, 95], pressure=[120, 1e6, 140, 130])
    clf = SteinClassifier(rounds=30, random_state=1).fit(table, ill)
    check_both(clf.posterior_, far, tmp_path)
    far.to_csv(tmp_path / "far.csv", index=False)
    taken = pandas.read_csv(io.StringIO(program("predict", tmp_path / "model.fedstein", tmp_path / "far.csv", "--extrapolate")))
    same(clf.posterior_.predict(far, extrapolate=True), taken)
    sure = clf.posterior_.probabilities(far, extrapolate=True)
    assert sure[0].max() == 1
    assert clf.predict_proba(far)[0].max() < 0.9999
    assert (clf.uncertainty(far)["total"][:2] > clf.posterior_.uncertainty(far, extrapolate=True)["total"][:2]).all()
    x, y = line()
    numbers = pandas.DataFrame(x, columns=["a", "b"])
    reg = SteinRegressor(rounds=20, random_state=1).fit(numbers, y)
    out = pandas.DataFrame({"a": [100.0, 0.5], "b": [0.0, -70.0]})
    check_both(reg.posterior_, out, tmp_path)
    assert reg.predict(out)[0] < 150
    assert reg.posterior_.mean(out, extrapolate=True)[0] > 500
    expected = reg.posterior_.predict(out)
    np.testing.assert_allclose(reg.predict(out, return_std=True), (expected["mean"], expected["deviation"]))
    np.testing.assert_allclose(reg.predict_quantiles(out), expected[["q05", "q50", "q95"]])


def test_labelled_rows_are_taken_as_they_are_as_by_the_program(tmp_path):
    table, ill = patients()
    posterior = SteinClassifier(rounds=30, random_state=1).fit(table, ill).posterior_
    posterior.save(tmp_path / "model.fedstein")
    table, ill = table[:50].assign(age=table.age[:50] * 10), ill[:50]
    table.assign(ill=ill).to_csv(tmp_path / "rows.csv", index=False)
    theirs = json.loads(program("evaluate", tmp_path / "model.fedstein", tmp_path / "rows.csv", "--json"))
    ours = posterior.evaluate(table, ill)["log_likelihood"]
    assert f"{ours:.4f}" in {f"{value:.4f}" for value in numbers_in(theirs)}


def numbers_in(value):
    if isinstance(value, dict | list):
        return [number for one in (value.values() if isinstance(value, dict) else value) for number in numbers_in(one)]
    return [value] if isinstance(value, float) else []


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
