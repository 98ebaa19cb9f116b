# SPDX-License-Identifier: Apache-2.0
"""Tables become features by the rules of docs/tables.md."""

import numpy as np
import pandas
import pytest

from fedstein._column import Column, in_order, text_of
from fedstein._columns import Columns
from fedstein.errors import InvalidArgument


def patients():
    return pandas.DataFrame(
        {
            "age": [34, 71, 50, 62],
            "sex": ["male", "female", "female", "male"],
            "ward": pandas.Categorical([10, 9, 10, 9]),
            "smokes": [True, False, False, True],
        }
    )


def test_words_become_features_for_all_values_but_the_first():
    columns = Columns.study(patients())
    assert columns.feature_names == ["age", "sex=male", "ward=10", "smokes=True"]
    features, unknown = columns.features(patients())
    assert features.tolist() == [[34, 1, 1, 1], [71, 0, 0, 0], [50, 0, 1, 0], [62, 1, 0, 1]]
    assert unknown.tolist() == [0, 0, 0, 0]


def test_columns_are_found_by_name_in_any_order_and_others_left_alone():
    columns = Columns.study(patients())
    shuffled = patients().assign(name="x")[["name", "smokes", "sex", "ward", "age"]]
    assert np.array_equal(columns.features(shuffled)[0], columns.features(patients())[0])
    with pytest.raises(InvalidArgument, match="there is no column 'sex'"):
        columns.features(patients().drop(columns="sex"))


def test_a_value_that_training_has_not_seen_is_the_first_category_and_counted():
    columns = Columns.study(patients())
    features, unknown = columns.features(patients().assign(sex="diverse"))
    assert features[:, 1].tolist() == [0, 0, 0, 0]
    assert unknown.tolist() == [1, 1, 1, 1]


def test_missing_values_are_refused_by_name_or_filled_in():
    lacking = patients()
    lacking["age"] = [34.0, np.nan, 50, 62]
    lacking["sex"] = ["male", None, "female", "male"]
    with pytest.raises(InvalidArgument, match="column 'age' has 1 missing value"):
        Columns.study(lacking)
    columns = Columns.study(lacking, impute=True)
    assert columns.feature_names == ["age", "age missing", "sex=male", "sex missing", "ward=10", "smokes=True"]
    features, _ = columns.features(lacking)
    assert features[1].tolist() == [50, 1, 1, 1, 0, 0]  # the median; the most frequent word


def test_few_missing_values_among_many_get_no_mark_of_their_own():
    column = Columns.study(pandas.DataFrame({"age": [np.nan] + [float(k) for k in range(50)]}), impute=True).columns[0]
    assert column.fill == 24.5
    assert not column.has_mark


def test_missing_values_that_training_did_not_have_are_refused():
    columns = Columns.study(patients())
    with pytest.raises(InvalidArgument, match="training had none"):
        columns.features(patients().assign(age=np.nan))


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"day": pandas.to_datetime(["2024-01-01", "2024-01-02"])}, "column 'day' holds dates"),
        ({"name": [f"patient {k}" for k in range(60)]}, "60 different words in 60 rows"),
        ({"age": [1.0, np.inf]}, "column 'age' is infinity in row 1"),
        ({"age": [np.nan, np.nan]}, "missing value"),
    ],
)
def test_columns_that_teach_nothing_are_refused(table, sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        Columns.study(pandas.DataFrame(table))


def test_large_numbers_are_counted_from_the_least():
    columns = Columns.study(np.array([[1.7e9, 1], [1.7e9 + 5, 2]]))
    assert columns.columns[0].origin == 1.7e9
    features, _ = columns.features(np.array([[1.7e9 + 2, 1]]))
    assert features.tolist() == [[2, 1]]
    assert columns.origins.tolist() == [1.7e9, 0]


def test_arrays_have_numbered_columns_as_the_program_calls_them():
    columns = Columns.study(np.eye(2))
    table = columns.to_json("binary", ["0", "1"])
    assert table["header"] is False
    assert table["places"] == ["column 0", "column 1", "column 2"]
    assert table["label"] == "column 2"


def test_a_label_never_has_the_name_of_a_column():
    columns = Columns.study(pandas.DataFrame({"label": [1.0, 2.0]}))
    assert columns.to_json("regression", [])["label"] == "label_"
    assert columns.to_json("regression", [], "ill")["label"] == "ill"


def test_json_brings_columns_back():
    columns = Columns.study(patients().assign(late=[1.7e9, 1.7e9 + 1, 1.7e9 + 2, 1.7e9 + 3]), impute=True)
    assert Columns.from_json(columns.to_json("binary", ["a", "b"])) == columns


def test_arrays_of_another_shape_or_kind_are_refused():
    columns = Columns.study(np.eye(2))
    with pytest.raises(InvalidArgument, match=r"X has shape \(1, 3\); expected rows of 2 columns"):
        columns.features(np.zeros((1, 3)))
    with pytest.raises(InvalidArgument, match="NaN or infinity in row 1"):
        columns.features(np.array([[0, 0], [np.nan, 0]]))
    with pytest.raises(InvalidArgument, match="other than numbers"):
        columns.features([["a", "b"]])


def test_values_are_written_as_a_csv_file_holds_them():
    assert [text_of(value) for value in (True, 3, 3.0, 2.5, np.float32(0.5), " a ")] == ["True", "3", "3", "2.5", "0.5", "a"]
    assert in_order({"10", "9"}) == ["9", "10"]
    assert in_order({"b", "10", "a"}) == ["10", "a", "b"]


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(InvalidArgument, match="two columns are called 'a'"):
        Columns.study(pandas.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_column_knows_its_features():
    assert Column("a", categories=("x", "y", "z"), fill=0.0).feature_names() == ["a=y", "a=z", "a missing"]


def test_a_column_of_texts_that_are_numbers_or_missing_is_one_of_numbers():
    texts = pandas.DataFrame({"v": ["1", "2.5", "?", " 3 ", "NA", "1e1"]})
    with pytest.raises(InvalidArgument, match="column 'v' has 2 missing values"):
        Columns.study(texts)
    columns = Columns.study(texts, impute=True)
    assert columns.feature_names == ["v", "v missing"]
    assert columns.features(texts)[0].tolist() == [[1, 0], [2.5, 0], [2.75, 1], [3, 0], [2.75, 1], [10, 0]]
    with pytest.raises(InvalidArgument, match="column 'v' is 'many' in row 1; it holds numbers, as in training"):
        columns.features(pandas.DataFrame({"v": ["1", "many"]}))
    words = Columns.study(pandas.DataFrame({"v": ["1", "2", "many", "?"]}), impute=True)
    assert words.columns[0].categories == ("1", "2", "many")
    coded = Columns.study(pandas.DataFrame({"v": pandas.Categorical(["1", "2", "?"])}), impute=True)
    assert coded.columns[0].categories == ("1", "2")
