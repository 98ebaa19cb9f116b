// SPDX-License-Identifier: Apache-2.0
// Printed by `scripts/heart-disease split`, which asks scikit-learn (1.9.1, NumPy 2.4.6). Of the patients whom FLamby
// keeps these are FLamby's: train_test_split(test_size = 1 - 0.66, train_size = 0.66, random_state = 43) in each
// hospital, stratified by ill where both classes have more than two patients. Those whom it drops for missing values
// are divided by the same call among themselves.
#include "fedstein/data/heart_disease_split.h"

#include <array>

namespace fedstein {
namespace {

constexpr std::array<Index, 104> kCleveland = {
    6,   14,  17,  25,  27,  35,  41,  43,  44,  47,  48,  49,  50,  54,  56,  57,  60,  61,  62,  64,  65,
    66,  70,  73,  77,  79,  87,  88,  89,  91,  92,  94,  96,  102, 104, 105, 106, 114, 117, 124, 129, 134,
    135, 136, 137, 138, 152, 153, 155, 157, 158, 161, 164, 166, 171, 172, 180, 181, 189, 191, 193, 198, 202,
    203, 204, 212, 214, 216, 217, 219, 222, 224, 225, 228, 229, 234, 237, 240, 244, 247, 250, 251, 257, 258,
    259, 260, 261, 265, 266, 267, 271, 284, 285, 286, 289, 290, 291, 293, 295, 296, 297, 298, 299, 302};
constexpr std::array<Index, 101> kHungarian = {
    3,   5,   9,   18,  23,  27,  29,  30,  31,  32,  33,  37,  39,  40,  41,  45,  47,  53,  54,  55,  57,
    59,  64,  67,  68,  71,  77,  83,  84,  85,  97,  99,  101, 103, 105, 107, 109, 113, 122, 125, 126, 129,
    130, 131, 135, 138, 139, 141, 144, 149, 150, 153, 154, 155, 159, 160, 162, 166, 167, 170, 174, 180, 184,
    185, 187, 190, 195, 198, 199, 207, 210, 214, 216, 217, 218, 219, 221, 222, 224, 228, 231, 232, 233, 235,
    243, 245, 250, 254, 255, 265, 267, 271, 275, 279, 282, 284, 285, 286, 288, 292, 293};
constexpr std::array<Index, 43> kSwitzerland = {2,  3,  5,  7,  15, 19,  20,  21,  22,  24,  27,  30,  39, 40, 43,
                                                47, 51, 52, 56, 57, 58,  60,  62,  63,  64,  65,  71,  80, 82, 83,
                                                85, 86, 87, 91, 98, 100, 101, 107, 109, 112, 114, 115, 116};
constexpr std::array<Index, 69> kVa = {
    2,   6,   7,   11,  15,  24,  30,  31,  33,  36,  42,  43,  46,  47,  49,  51,  52,  53,  55,  56,  57,  61,  62,
    65,  68,  80,  86,  87,  89,  92,  94,  96,  99,  103, 105, 107, 109, 114, 115, 118, 119, 121, 125, 129, 133, 138,
    139, 141, 143, 145, 146, 150, 152, 153, 162, 165, 168, 177, 178, 179, 181, 182, 185, 187, 188, 190, 194, 196, 198};

}  // namespace

std::span<const Index> tested_patients(Index hospital) {
  const std::array<std::span<const Index>, kHospitals> all = {kCleveland, kHungarian, kSwitzerland, kVa};
  return all.at(static_cast<std::size_t>(hospital));
}

}  // namespace fedstein
