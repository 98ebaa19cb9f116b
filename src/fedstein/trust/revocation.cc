// SPDX-License-Identifier: Apache-2.0
#include "fedstein/trust/revocation.h"

#include <sys/stat.h>

#include <ctime>
#include <utility>

#include "fedstein/base/text.h"
#include "fedstein/files/read_file.h"

namespace fedstein {
namespace {

// File systems stamp changes with a clock of coarse ticks: two within one tick look alike. A file that changed so
// recently is read again, however unchanged it looks.
constexpr std::int64_t kFreshSeconds = 2;

// Changes whenever the file does, whether it is replaced by a rename or written in place; empty when that cannot be
// told yet.
std::string stamp_of(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) return {};
  if (std::time(nullptr) - facts.st_ctim.tv_sec <= kFreshSeconds) return {};
  return std::to_string(facts.st_ino) + ":" + std::to_string(facts.st_size) + ":" +
         std::to_string(facts.st_mtim.tv_sec) + ":" + std::to_string(facts.st_mtim.tv_nsec) + ":" +
         std::to_string(facts.st_ctim.tv_sec) + ":" + std::to_string(facts.st_ctim.tv_nsec);
}

}  // namespace

RevocationList::RevocationList(RevocationOptions options) : options_(std::move(options)) {
  const std::lock_guard lock(mutex_);
  bytes_ = read_file(options_.list_path);
  try {
    in_force_ = revocation_facts(bytes_, options_.authority_pem);
  } catch (const TrustError& error) {
    throw TrustError(options_.list_path + ": " + error.what());
  }
}

std::int64_t RevocationList::now() const {
  return options_.now ? options_.now() : static_cast<std::int64_t>(std::time(nullptr));
}

void RevocationList::take_in(const std::string& bytes) const {
  RevocationFacts found = revocation_facts(bytes, options_.authority_pem);
  if (const std::string why = rollback(in_force_, found); !why.empty()) throw TrustError(why);
  in_force_ = std::move(found);
}

void RevocationList::refresh() const {
  const std::string stamp = stamp_of(options_.list_path);
  if (!stamp.empty() && stamp == stamp_) return;
  stamp_ = stamp;
  try {
    std::string bytes = read_file(options_.list_path);
    const bool same = bytes == bytes_;
    bytes_ = std::move(bytes);
    if (same && file_trouble_.empty()) return;
    take_in(bytes_);
    file_trouble_.clear();
  } catch (const UnreadableFile& error) {
    file_trouble_ = error.what();
  } catch (const TrustError& error) {
    file_trouble_ = options_.list_path + ": " + error.what();
  }
}

void RevocationList::tell(const std::string& trouble) const {
  if (trouble == told_) return;
  told_ = trouble;
  if (options_.on_trouble) options_.on_trouble(trouble);
}

Objection RevocationList::objection(const CertificateFacts& facts) const {
  const std::lock_guard lock(mutex_);
  refresh();
  const std::int64_t time = now();
  if (!file_trouble_.empty()) {
    tell(file_trouble_ + "; the last good revocation list stays in force");
  } else if (in_force_.next_update > 0 && time > in_force_.next_update) {
    tell(options_.list_path + ": should have been replaced by " + utc_text(in_force_.next_update) +
         ", its nextUpdate; it stays in force");
  } else {
    tell({});
  }
  const std::string whose = "the certificate of '" + facts.name + "' ";
  if (in_force_.serials.contains(facts.serial)) return {Objection::Kind::kFinal, whose + "is revoked"};
  const std::string by_clock = " by the server's clock, which says " + utc_text(time);
  if (time > facts.not_after) {
    return {Objection::Kind::kPassing, whose + "has expired (" + utc_text(facts.not_after) + ")" + by_clock};
  }
  if (time < facts.not_before) {
    return {Objection::Kind::kPassing, whose + "is not yet valid (" + utc_text(facts.not_before) + ")" + by_clock};
  }
  return {};
}

std::string RevocationList::trouble() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

}  // namespace fedstein
