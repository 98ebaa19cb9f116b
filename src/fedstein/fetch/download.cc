// SPDX-License-Identifier: Apache-2.0
#include "fedstein/fetch/download.h"

#include <chrono>

#include "fedstein/data/source.h"
#include "fedstein/fetch/http.h"
#include "fedstein/files/sha256.h"
#include "fedstein/files/whole_file.h"

namespace fedstein {
namespace {

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

// The body as it comes: counted, bounded, hashed, written.
class Arrival {
 public:
  Arrival(const std::string& address, const Expected& expected, const DownloadOptions& options, WholeFile& file)
      : address_(address), expected_(expected), options_(options), file_(file) {}

  void begin(std::optional<std::uint64_t> announced) {
    if (!announced) return;
    if (*announced > most() || (!expected_.unpacked && *announced != expected_.bytes)) {
      throw FetchError(address_ + ": has " + bytes_text(*announced) + "; expected " +
                       (expected_.unpacked ? "at most " : "") + bytes_text(most()));
    }
    total_ = *announced;
  }

  void add(std::string_view bytes) {
    done_ += bytes.size();
    if (done_ > most()) throw FetchError(address_ + ": is longer than " + bytes_text(most()) + ", the most expected");
    if (std::chrono::steady_clock::now() - start_ > std::chrono::seconds(options_.limits.total_seconds)) {
      throw FetchError(address_ + ": took longer than " + std::to_string(options_.limits.total_seconds) + " seconds");
    }
    hash_.add(bytes);
    file_.write(bytes);
    if (options_.progress && !options_.progress(done_, total_)) throw FetchError(address_ + ": was stopped");
  }

  void check() {
    if (expected_.unpacked) return check_unpacked();
    compare(done_, std::move(hash_).hex());
  }

 private:
  std::uint64_t most() const { return expected_.unpacked ? expected_.most_bytes : expected_.bytes; }

  void check_unpacked() const {
    Sha256 hash;
    std::uint64_t count = 0;
    try {
      ByteSource source = ByteSource::open(file_.unfinished_path(), expected_.bytes + 1);
      for (std::string_view block = source.next(); !block.empty(); block = source.next()) {
        hash.add(block);
        count += block.size();
      }
    } catch (const DataError&) {
      throw FetchError(address_ + ": cannot be unpacked to the " + bytes_text(expected_.bytes) + " expected");
    }
    compare(count, std::move(hash).hex());
  }

  void compare(std::uint64_t bytes, const std::string& sha256) const {
    if (bytes != expected_.bytes) {
      throw FetchError(address_ + ": has " + bytes_text(bytes) + "; expected " + bytes_text(expected_.bytes));
    }
    if (sha256 != expected_.sha256) {
      throw FetchError(address_ + ": is another file than expected: its SHA-256 is " + sha256 + ", not " +
                       expected_.sha256);
    }
  }

  const std::string& address_;
  const Expected& expected_;
  const DownloadOptions& options_;
  WholeFile& file_;
  Sha256 hash_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

void download(const std::string& first,
              const std::string& path,
              const Expected& expected,
              const DownloadOptions& options) {
  std::string address = first;
  for (int redirects = 0; redirects <= options.most_redirects; ++redirects) {
    WholeFile file(path, {.replacing = options.replacing, .way_out = "--force replaces it"});
    Arrival arrival(address, expected, options, file);
    const HttpAnswer answer = http_get(
        address,
        options.limits,
        [&](std::optional<std::uint64_t> length) { arrival.begin(length); },
        [&](std::string_view bytes) { arrival.add(bytes); });
    if (is_redirect(answer.status)) {
      address = resolve_redirect(address, answer.location);
      continue;
    }
    constexpr int kOk = 200;
    if (answer.status != kOk) throw FetchError(address + ": the host answers " + std::to_string(answer.status));
    arrival.check();
    file.commit();
    return;
  }
  throw FetchError(first + ": more than " + std::to_string(options.most_redirects) + " redirects, the last to " +
                   address);
}

}  // namespace fedstein
