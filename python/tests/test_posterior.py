# SPDX-License-Identifier: Apache-2.0
"""Posteriors: predictions on the original scale, figures, calibration, summaries, files."""

import copy
import pickle

import numpy as np
import pandas
import pytest
from rows import line, patients, two_classes

from fedstein import DataError, Error, FileError, InvalidArgument, Posterior, SteinClassifier, SteinRegressor


@pytest.fixture(scope="module")
def of_patients():
    return SteinClassifier(rounds=30, random_state=1).fit(*patients()).posterior_


@pytest.fixture(scope="module")
def of_line():
    return SteinRegressor(rounds=50, random_state=1).fit(*line()).posterior_


def test_predictions_have_the_columns_that_the_program_prints(of_patients, of_line):
    table, _ = patients()
    predicted = of_patients.predict(table[:5])
    assert list(predicted.columns) == [
        "label", "confidence", "p(no)", "p(yes)", "total", "aleatoric", "epistemic", "unusual",
    ]  # fmt: skip
    assert set(predicted.label) <= {"yes", "no"}
    np.testing.assert_allclose(predicted["p(no)"] + predicted["p(yes)"], 1, atol=1e-6)
    regression = of_line.predict(line()[0][:5])
    assert list(regression.columns) == ["mean", "deviation", "aleatoric", "epistemic", "q05", "q50", "q95", "unusual"]
    np.testing.assert_allclose(regression.deviation**2, regression.aleatoric**2 + regression.epistemic**2, rtol=1e-4)


def test_columns_are_found_by_name_in_any_order(of_patients):
    table, _ = patients()
    other = table[["pressure", "sex", "age"]].assign(name="x")
    pandas.testing.assert_frame_equal(of_patients.predict(other), of_patients.predict(table))


def test_figures_of_labelled_rows(of_patients, of_line):
    table, ill = patients(rows=500, seed=2)
    found = of_patients.evaluate(table, ill)
    assert found.rows == 500
    assert found["accuracy"] == np.mean(of_patients.predict(table).label == ill)
    np.testing.assert_allclose(found["log_likelihood"], of_patients.log_predictive(table, ill).mean(), atol=1e-6)
    assert found.reliability["count"].sum() == 500
    assert found.abstention.figure.iloc[-1] > found["accuracy"]
    assert list(found.classes.name) == ["no", "yes"]
    regression = of_line.evaluate(*line(seed=2))
    assert 0.8 < regression["rmse"] < 1.3
    assert regression.reliability is None
    coverage = regression.intervals.set_index("level").coverage
    assert abs(coverage - coverage.index).max() < 0.1


def test_calibration_never_lowers_the_likelihood_of_its_rows(of_patients):
    table, ill = patients(rows=500, seed=3)
    calibrated = of_patients.calibrate(table, ill)
    assert calibrated.temperature != 1
    assert of_patients.temperature == 1
    assert calibrated.log_predictive(table, ill).mean() >= of_patients.log_predictive(table, ill).mean()


def test_rows_that_tell_no_temperature_are_refused(of_patients):
    table, _ = patients(rows=60, seed=3)
    with pytest.raises(
        InvalidArgument, match=r"60 rows of one class only \('yes'\): a temperature needs rows of other classes too"
    ):
        of_patients.calibrate(table, ["yes"] * 60)
    with pytest.raises(InvalidArgument, match="1 row of one class only"):
        of_patients.calibrate(table[:1], ["no"])
    never_wrong = of_patients.predict(table)["label"]
    with pytest.raises(InvalidArgument, match=r"the best temperature for 60 rows is 0\.05, where the search ends"):
        of_patients.calibrate(table, never_wrong)


def test_labels_are_the_classes_names(of_patients):
    table, ill = patients()
    with pytest.raises(InvalidArgument, match="y holds 'maybe'; allowed: the classes 'no', 'yes'"):
        of_patients.evaluate(table, ["maybe"] * len(table))
    with pytest.raises(InvalidArgument, match="y has shape"):
        of_patients.evaluate(table, [list(ill)])


def test_a_summary_is_in_the_columns_units(of_line):
    summary = of_line.summary(level=0.5)
    assert list(summary.columns) == ["mean", "deviation", "low", "high", "above_zero"]
    assert summary.attrs["level"] == 0.5
    assert summary.attrs["from_covariance"]
    np.testing.assert_allclose(summary.deviation, 1 / np.sqrt(200), rtol=0.3)  # of least squares with noise 1
    with pytest.raises(InvalidArgument, match="level is 1"):
        of_line.summary(level=1)


def test_draws_have_the_summarys_means_and_widths(of_line, of_patients):
    draws = of_line.draws(20000)
    summary = of_line.summary()
    both = np.column_stack([draws["intercept"], draws["coefficient"]])
    np.testing.assert_allclose(both.mean(axis=0), summary["mean"], atol=0.01)
    np.testing.assert_allclose(both.std(axis=0), summary.deviation, rtol=0.05)
    particles = of_line.draws()
    assert particles["coefficient"].shape == (20, 2)
    np.testing.assert_allclose(particles["coefficient"].mean(axis=0), summary["mean"].iloc[1:], atol=1e-3)
    np.testing.assert_allclose(of_patients.draws()["coefficient"].mean(axis=0), of_patients.summary()["mean"].iloc[1:], rtol=1e-3)


def test_a_data_tree_for_arviz_has_the_features_names(of_patients):
    pytest.importorskip("arviz_base", reason="arviz_base is not installed: to_datatree() is not tested")
    tree = of_patients.to_datatree()
    assert tree["posterior"]["coefficient"].dims[-1] == "feature"
    assert tree["posterior"]["feature"].to_numpy().tolist() == ["age", "sex=male", "pressure"]


def test_a_file_gives_back_every_bit(of_patients, tmp_path):
    path = tmp_path / "patients.fedstein"
    of_patients.save(path)
    again = Posterior.load(path)
    assert np.array_equal(again.particles, of_patients.particles)
    assert np.array_equal(again.covariance, of_patients.covariance)
    assert again.to_bytes() == of_patients.to_bytes() == path.read_bytes()
    table, _ = patients()
    pandas.testing.assert_frame_equal(again.predict(table), of_patients.predict(table))
    of_patients.save(path)  # a posterior file may be replaced
    assert Posterior.load(path, dtype="float64").particles.dtype == np.float64


def test_other_files_are_neither_overwritten_nor_read(of_patients, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("notes")
    with pytest.raises(FileError, match=r"notes\.txt', a file that is there and is no posterior; force=True replaces it"):
        of_patients.save(path)
    assert path.read_text() == "notes"
    with pytest.raises(FileError, match=r"there is no folder '.*not there'; save.. makes none"):
        of_patients.save(tmp_path / "not there" / "a.fedstein")
    assert not (tmp_path / "not there").exists()
    with pytest.raises(DataError):
        Posterior.load(path)
    with pytest.raises(Error):
        Posterior.load(tmp_path / "not there")
    of_patients.save(path, force=True)
    assert Posterior.load(path).classes == ["no", "yes"]


@pytest.mark.parametrize("cut", [0, 7, 30, 500, -1])
def test_a_damaged_file_is_refused(of_patients, cut):
    contents = of_patients.to_bytes()
    with pytest.raises(DataError):
        Posterior.from_bytes(contents[:cut])
    damaged = bytearray(contents)
    damaged[cut] ^= 1
    with pytest.raises(DataError):
        Posterior.from_bytes(bytes(damaged))


def test_copies_and_pickles(of_patients):
    for again in (copy.deepcopy(of_patients), pickle.loads(pickle.dumps(of_patients))):
        assert again.to_bytes() == of_patients.to_bytes()


def test_notebooks_show_it(of_patients, of_line):
    assert "sex=male" in of_patients._repr_html_()
    assert "logistic-regression" in repr(of_patients)
    assert "rmse" in of_line.evaluate(*line())._repr_html_()
    x, y = two_classes()
    table = pandas.DataFrame(x, columns=["<script>", "b", "c"])
    assert "<script>" not in SteinClassifier(rounds=3, random_state=1).fit(table, y).posterior_._repr_html_()


def test_what_a_regression_has_is_not_asked_of_classes(of_patients, of_line):
    table, _ = patients()
    with pytest.raises(InvalidArgument, match="a mean is that of a number"):
        of_patients.mean(table)
    with pytest.raises(InvalidArgument, match="probabilities are those of classes"):
        of_line.probabilities(line()[0])
    with pytest.raises(InvalidArgument):
        of_patients.quantiles(table)
    with pytest.raises(InvalidArgument):
        of_line.quantiles(line()[0], [0.0])


def test_a_file_that_is_not_there_is_a_file_error(tmp_path):
    with pytest.raises(OSError, match="there is no file"):
        Posterior.load(tmp_path / "nothing.fedstein")
