// SPDX-License-Identifier: Apache-2.0
// Rows of a kind that a model has not learned from, to see whether it notices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fedstein/numeric/matrix.h"

namespace fedstein {

// Of test rows and of foreign ones no more are used: an AUROC of 2,000 against 2,000 is known to about 0.01.
inline constexpr Index kMostUnseenRows = 2000;

// Foreign rows under the name by which figures call them.
struct UnseenSet {
  std::string name = {};
  Matrix x = {};
};

// Those of rows that were taken out of the training rows.
inline constexpr const char* kUnseenClassSet = "class";
inline constexpr const char* kUnseenGroupSet = "group";

// How foreign rows are made of rows that are none.
enum class UnseenKind {
  kShuffled,  // "shuffled": a row's columns in random order, another order for each row
  kRotated,   // "rotated": square images, row by row of pixels, turned by 90 degrees clockwise
  kInverted,  // "inverted": (max + min of the training rows) - x, column by column
  kNoise,     // "noise": every column uniform between its least and its greatest training value
  kFar,       // "far": away from the training mean, in a random direction for each row, by kFarTimes times the training
              // rows' root mean square distance from it
};
inline constexpr double kFarTimes = 5;

// The names above, in their order; nothing for another name.
std::vector<std::string> unseen_kind_names();
std::optional<UnseenKind> unseen_kind(std::string_view name);

// The side of a square image with so many pixels; 0 where there is none.
Index image_side(Index features);

// As many rows as `rows` has. Draws come from the stream kUnseen of the seed, each kind from its own. Throws
// InvalidArgument for images that are not square, and where `train` has no row or other columns than `rows`.
Matrix make_unseen(UnseenKind kind, const ConstMatrixRef& train, const ConstMatrixRef& rows, std::uint64_t seed);

}  // namespace fedstein
