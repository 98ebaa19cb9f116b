// SPDX-License-Identifier: Apache-2.0
// Four hospitals and one question: is this patient's heart ill (+1) or not (-1)? Two sets are made of their files.
#pragma once

#include <string>
#include <vector>

#include "fedstein/data/dataset.h"

namespace fedstein {

// Both take the paths of the four files in the order of tested_patients() and give the training rows of all hospitals,
// hospital by hospital, then the test rows; group = hospital. Which rows test is fixed (heart_disease_split.h), and no
// value of another row depends on theirs. Throw DataError for a file that is damaged or another one.

// FLamby's Fed-Heart-Disease (Ogier du Terrail et al. 2022) as its code makes it: without the columns slope, ca and
// thal and without the patients who lack any other value, 740 x 13: age, sex, trestbps, chol, fbs, thalach, exang,
// oldpeak, then cp 2 to 4 and restecg 1 and 2 as 0 or 1. Each hospital's rows are shifted and scaled by mean and
// deviation (n - 1) of its own training rows; a constant column is shifted alone. Cholesterol 0, which means missing,
// stays a number, as it does there.
Dataset read_fed_heart(const std::vector<std::string>& paths);

// All patients and all columns, unscaled, 920 x 28: age, sex, trestbps, chol, fbs, thalach, exang, oldpeak, ca; cp 2
// to 4, restecg 1 and 2, slope 2 and 3, thal 6 and 7 as 0 or 1, all 0 where missing; then for each column that lacks
// values (trestbps, chol, fbs, restecg, thalach, exang, oldpeak, slope, ca, thal) 1 where it does. Other missing
// values are the mean of the training rows of all hospitals that have one: 0 once standardised, and known to a
// federation from sums. A blood pressure or cholesterol of 0 is nobody's: it is missing.
Dataset read_fed_heart_all(const std::vector<std::string>& paths);

}  // namespace fedstein
