// SPDX-License-Identifier: Apache-2.0
// Posteriors as files: exact to the bit, or refused with a sentence.
#pragma once

#include <string>
#include <string_view>

#include "fedstein/files/output_rules.h"
#include "fedstein/posterior/posterior.h"

namespace fedstein {

// The ending by which people know them; nothing depends on it.
inline constexpr const char* kPosteriorEnding = ".fedstein";

// Layout, little-endian:
//
//   "FSPOST\r\n"   8 bytes; a transfer that rewrites line ends shows here
//   format         u64, kPosteriorFormat
//   bytes          u64, of the whole file
//   header bytes   u64
//   header         JSON: everything but the particles and the covariance; `number_bytes` is 4 or 8
//   particles      N x d numbers, row by row
//   covariance     where the header says so: its lower triangle, d (d + 1) / 2 doubles, row by row
//   SHA-256        32 bytes, of everything before
//
// A file of the other precision is read too: float to double loses nothing, double to float rounds, and is refused
// where a number does not fit.
// Format 1, which is still read, knew neither columns nor ranges nor a covariance.
inline constexpr std::uint64_t kPosteriorFormat = 2;

// A file may be packed by gzip or bzip2, and is then unpacked only as far as its header promises and never beyond this:
// a few kilobytes can unpack to anything. Unpacked by the user, it may be larger.
inline constexpr std::uint64_t kMostPackedPosterior = std::uint64_t{1} << 30;

std::string to_bytes(const Posterior& posterior, const Registry& registry = Registry::standard());
// `name` stands for the file in complaints. Throws DataError for bytes that are foreign, newer, cut short, damaged or
// contradict themselves, and for a model type that the registry does not hold.
Posterior posterior_from(std::string_view bytes,
                         const std::string& name,
                         const Registry& registry = Registry::standard());

// A posterior file may take the place of another one, of nothing else.
WriteOptions posterior_output();
// The file appears whole or not at all. Throws InvalidArgument for a posterior that cannot predict, AlreadyThere or
// WriteError when it cannot be written.
void save_posterior(const Posterior& posterior,
                    const std::string& path,
                    const WriteOptions& options = posterior_output(),
                    const Registry& registry = Registry::standard());
Posterior load_posterior(const std::string& path, const Registry& registry = Registry::standard());

}  // namespace fedstein
