// SPDX-License-Identifier: Apache-2.0
// What the fuzzer does with its bytes as a posterior file: as they are, and with length and SHA-256 put right, as
// somebody who means harm would. A file is refused with DataError, or is a posterior that predicts and that its own
// bytes give back.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fedstein/data/error.h"
#include "fedstein/files/sha256.h"
#include "fedstein/numeric/check.h"
#include "fedstein/posterior/posterior_file.h"
#include "fedstein/posterior/predictor.h"
#include "fedstein/posterior/summary.h"

namespace fedstein {

inline constexpr std::size_t kDigestBytes = 32;

inline std::string resealed(std::string_view bytes) {
  std::string out(bytes.substr(0, bytes.size() - kDigestBytes));
  const std::uint64_t format = bytes[8] == 1 ? 1 : kPosteriorFormat;  // the older one is read too
  const std::uint64_t size = bytes.size();
  std::memcpy(out.data(), "FSPOST\r\n", 8);
  std::memcpy(out.data() + 8, &format, sizeof format);
  std::memcpy(out.data() + 16, &size, sizeof size);
  Sha256 sum;
  sum.add(out);
  const std::string hex = std::move(sum).hex();
  for (std::size_t i = 0; i < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

// A finite one, or a sentence: particles may be too large for any.
inline void demand_prediction(const Posterior& posterior) {
  const Predictor predictor(posterior);
  try {
    const RowPredictions found = predictor.predict(Matrix::Zero(2, predictor.features()));
    if (!found.total.allFinite()) throw std::logic_error("a prediction is not finite");
  } catch (const InvalidArgument& error) {
    if (std::string_view(error.what()).find("has no finite prediction") == std::string_view::npos) throw;
  }
}

// Whether the bytes are a posterior.
inline bool fuzz_posterior_file(std::string_view bytes) {
  try {
    const Posterior posterior = posterior_from(bytes, "input");
    const std::string written = to_bytes(posterior);
    if (to_bytes(posterior_from(written, "again")) != written) throw std::logic_error("another posterior came back");
    demand_prediction(posterior);
    summarise(posterior);
    return true;
  } catch (const DataError& error) {
    if (std::string_view(error.what()).empty()) throw std::logic_error("refused without a reason");
    return false;
  }
}

inline bool fuzz_posterior(std::string_view bytes) {
  const bool as_it_is = fuzz_posterior_file(bytes);
  return bytes.size() < 32 + kDigestBytes ? as_it_is : fuzz_posterior_file(resealed(bytes));
}

}  // namespace fedstein
