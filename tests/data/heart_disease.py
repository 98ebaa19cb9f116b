# SPDX-License-Identifier: Apache-2.0
"""The sets fed-heart and fed-heart-all by a second program that shares no code with the library. Standard library only.

Only which patients are tested on is not computed here: scripts/heart-disease has computed that, and the library's table holds it.
"""
import pathlib
import re
import statistics

HOSPITALS = ("cleveland", "hungarian", "switzerland", "va")
AGE, SEX, CP, TRESTBPS, CHOL, FBS, RESTECG, THALACH, EXANG, OLDPEAK, SLOPE, CA, THAL, NUM = range(14)
SPLIT = pathlib.Path(__file__).resolve().parents[2] / "src/fedstein/data/heart_disease_split.cc"


def patients(folder):
    """Per hospital a list of patients, 14 values each; None is missing."""
    out = []
    for hospital in HOSPITALS:
        with open(f"{folder}/heart_disease/processed.{hospital}.data") as file:
            lines = [line.strip().split(",") for line in file if line.strip()]
        out.append([[None if field in ("?", "NaN", "") else float(field) for field in line] for line in lines])
    return out


def is_complete(patient):
    """Whether FLamby keeps the patient: nothing is missing in the columns that it reads."""
    return all(value is not None for column, value in enumerate(patient) if column not in (SLOPE, CA, THAL))


def test_lines():
    """Per hospital the lines of its file, from 1, that are tested on."""
    text = SPLIT.read_text()
    return [set(map(int, re.search(rf"k{name.capitalize()} = \{{\{{?([0-9, \n]*)\}}", text)[1].replace("\n", "").strip(", ").split(",")))
            for name in HOSPITALS]


def dummies(value, levels):
    return [0.0 if value is None else float(value == level) for level in levels]


def arranged(groups, row_of):
    """Training rows of all hospitals, then test rows: (rows, labels, hospitals, number of training rows)."""
    tested = test_lines()
    rows, labels, hospitals, counts = [], [], [], []
    for testing in (False, True):
        for hospital, group in enumerate(groups):
            for line, patient in group:
                if (line in tested[hospital]) == testing:
                    rows.append(row_of(patient))
                    labels.append(1.0 if patient[NUM] > 0 else -1.0)
                    hospitals.append(hospital)
        counts.append(len(rows))
    return rows, labels, hospitals, counts[0]


def fed_heart(folder, scaled=True):
    groups = [[(line, p) for line, p in enumerate(group, 1) if is_complete(p)] for group in patients(folder)]
    plain = (AGE, SEX, TRESTBPS, CHOL, FBS, THALACH, EXANG, OLDPEAK)
    rows, labels, hospitals, trained = arranged(
        groups, lambda p: [p[c] for c in plain] + dummies(p[CP], (2, 3, 4)) + dummies(p[RESTECG], (1, 2)))
    for hospital in range(len(HOSPITALS) if scaled else 0):
        for column in range(len(rows[0])):
            seen = [rows[i][column] for i in range(trained) if hospitals[i] == hospital]
            mean = statistics.fmean(seen)
            spread = 1.0 if len(set(seen)) == 1 else (sum((v - mean) ** 2 for v in seen) / (len(seen) - 1)) ** 0.5
            for i, row in enumerate(rows):
                if hospitals[i] == hospital:
                    row[column] = (row[column] - mean) / spread
    return rows, labels, hospitals, trained


def fed_heart_all(folder):
    groups = [list(enumerate(group, 1)) for group in patients(folder)]
    for group in groups:
        for _, patient in group:
            for column in (TRESTBPS, CHOL):
                if patient[column] == 0:
                    patient[column] = None
    plain = (AGE, SEX, TRESTBPS, CHOL, FBS, THALACH, EXANG, OLDPEAK, CA)
    flagged = (TRESTBPS, CHOL, FBS, RESTECG, THALACH, EXANG, OLDPEAK, SLOPE, CA, THAL)
    rows, labels, hospitals, trained = arranged(
        groups,
        lambda p: [p[c] for c in plain] + dummies(p[CP], (2, 3, 4)) + dummies(p[RESTECG], (1, 2)) + dummies(p[SLOPE], (2, 3))
        + dummies(p[THAL], (6, 7)) + [float(p[c] is None) for c in flagged])
    for column in range(len(plain)):
        mean = statistics.fmean(row[column] for row in rows[:trained] if row[column] is not None)
        for row in rows:
            if row[column] is None:
                row[column] = mean
    return rows, labels, hospitals, trained
