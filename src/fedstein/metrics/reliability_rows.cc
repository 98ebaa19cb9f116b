// SPDX-License-Identifier: Apache-2.0
//
// Bins of many rows. Bins are found for several rows at once. Neighbouring rows fall into the same few bins and would
// wait for each other's sums: they are put into diagrams of their own, which are added in the end.
#include <algorithm>
#include <array>
#include <cstring>

#include "fedstein/metrics/calibration.h"

// Vectors of 64 bytes are several registers on most machines, and passing one by value would depend on the compiler's
// flags. Nothing here is called from outside this file.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace fedstein {
namespace {

constexpr int kTogether = 8;
typedef double Doubles __attribute__((vector_size(kTogether * sizeof(double))));  // NOLINT: no `using` form
typedef std::int32_t Integers __attribute__((vector_size(kTogether * sizeof(std::int32_t))));  // NOLINT
typedef std::int64_t Masks __attribute__((vector_size(kTogether * sizeof(std::int64_t))));     // NOLINT

constexpr std::size_t kRows = 256;    // that a set of diagrams is for: their counts stay far below 2^32
constexpr std::size_t kFewBins = 64;  // beyond, adding the diagrams would be more work than what they save
constexpr std::size_t kStrands = 4;

struct Strand {
  std::int64_t counts = 0;  // of the rows, and 2^32 times that of the right ones
  double confidence_sum = 0;
};

using Diagram = std::array<Strand, kFewBins>;

struct Found {
  std::array<std::int32_t, kTogether> bins;
  bool clear;  // none is so near an edge that a comparison would have to decide, and all are allowed
};

// As ReliabilityBins::bin_of.
Found find(const double* confidences, double bins) {
  Doubles confidence;
  std::memcpy(&confidence, confidences, sizeof confidence);
  const Doubles place = confidence * bins;
  const Integers whole = __builtin_convertvector(place, Integers);
  const Doubles above = place - __builtin_convertvector(whole, Doubles);
  const double nearness = 1e-7 * bins;
  const Masks inside = (confidence > 0) & (confidence < 1) & (above > nearness) & (above < 1 - nearness);
  const Masks clear = inside | ((confidence >= 1) & (confidence <= 1 + kRowSumTolerance));
  const auto last = static_cast<std::int32_t>(bins) - 1;
  const Integers bin = whole > last ? last - Integers{} : whole;
  Found found;
  std::memcpy(found.bins.data(), &bin, sizeof bin);
  std::int64_t all = -1;
  for (int i = 0; i < kTogether; ++i) all &= clear[i];
  found.clear = all != 0;
  return found;
}

}  // namespace

void ReliabilityBins::add(std::span<const double> confidences, std::span<const std::int64_t> right) {
  check_rows("ReliabilityBins::add", "right", static_cast<Index>(right.size()), static_cast<Index>(confidences.size()));
  for (std::size_t first = 0; first < confidences.size(); first += kRows) {
    const std::size_t count = std::min(kRows, confidences.size() - first);
    add_some(confidences.subspan(first, count), right.subspan(first, count));
  }
}

void ReliabilityBins::add_some(std::span<const double> confidences, std::span<const std::int64_t> right) {
  const bool few_bins = bins_.size() <= kFewBins;
  std::array<Diagram, kStrands> diagrams;
  for (Diagram& diagram : diagrams) std::fill_n(diagram.begin(), few_bins ? bins_.size() : 0, Strand{});
  std::size_t i = 0;
  for (; few_bins && i + kTogether <= confidences.size(); i += kTogether) {
    const Found found = find(confidences.data() + i, static_cast<double>(size()));
    if (!found.clear) {
      for (std::size_t k = i; k < i + kTogether; ++k) add(confidences[k], right[k] != 0);
      continue;
    }
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kTogether; ++k) {
      Strand& strand = diagrams[k % kStrands][static_cast<std::size_t>(found.bins[k])];
      strand.counts += 1 + (right[i + k] << 32);
      strand.confidence_sum += confidences[i + k];
    }
  }
  for (; i < confidences.size(); ++i) add(confidences[i], right[i] != 0);
  for (std::size_t j = 0; few_bins && j < bins_.size(); ++j) {
    for (const Diagram& diagram : diagrams) {
      bins_[j].count += diagram[j].counts & 0xffffffff;
      bins_[j].correct += diagram[j].counts >> 32;
      bins_[j].confidence_sum += diagram[j].confidence_sum;
    }
  }
}

}  // namespace fedstein
