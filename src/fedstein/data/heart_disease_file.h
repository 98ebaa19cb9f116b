// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fedstein/data/source.h"

namespace fedstein {

// The columns of a hospital's file processed.NAME.data.
enum HeartColumn : Index {
  kAge,
  kSex,
  kChestPain,
  kBloodPressure,
  kCholesterol,
  kBloodSugar,
  kRestEcg,
  kHeartRate,
  kAngina,
  kOldPeak,
  kSlope,
  kVessels,
  kThal,
  kIll,
  kHeartColumns,
};

// One patient a row (n x 14), as the file has them: comma separated, without header. A value that is missing - `?`,
// NaN or nothing - is NaN here; age, sex, chest pain and the label may not be. Throws DataError with line and column
// for anything else.
DoubleMatrix read_patients(ByteSource source);

}  // namespace fedstein
