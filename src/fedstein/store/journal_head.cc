// SPDX-License-Identifier: Apache-2.0
#include "fedstein/store/journal_head.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fedstein/files/whole_file.h"
#include "fedstein/store/run_facts.h"

namespace fedstein {
namespace {

constexpr std::size_t kPlace = 4096;  // apart: no disk's sector holds both marks
constexpr std::string_view kName = "fedstein-journal-head 1 ";

[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
  throw StoreError(path + ": " + what + ": " + std::strerror(errno));
}

std::string text_of(const JournalHead::Mark& mark) {
  std::string out = std::string(kName) + std::to_string(mark.sequence) + " " + hexadecimal(mark.digest) + " ";
  const Digest check = Sealing().add(out).digest();
  return out + hexadecimal(check) + "\n";
}

// A mark is believed when writing it again gives the same text.
std::optional<JournalHead::Mark> mark_in(std::string_view bytes) {
  const std::string text(bytes.substr(0, bytes.find('\n') == std::string_view::npos ? 0 : bytes.find('\n') + 1));
  if (text.rfind(kName, 0) != 0) return std::nullopt;
  std::istringstream words(text.substr(kName.size()));
  JournalHead::Mark mark;
  std::string digits;
  words >> mark.sequence >> digits;
  if (!words || digits.size() != 2 * mark.digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < mark.digest.size(); ++i) {
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, mark.digest[i], 16);
  }
  if (text_of(mark) != text) return std::nullopt;
  return mark;
}

}  // namespace

JournalHead::JournalHead(const std::string& journal) : path_(journal + "-head") {}

JournalHead::~JournalHead() {
  if (descriptor_ >= 0) close(descriptor_);
}

void JournalHead::open(int flags) {
  if (descriptor_ >= 0) return;
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, S_IRUSR | S_IWUSR);
  if (descriptor_ < 0) fail_with_errno(path_, "cannot be opened");
}

std::optional<JournalHead::Mark> JournalHead::read() const {
  if (!std::filesystem::exists(path_)) return std::nullopt;
  std::ifstream file(path_, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const std::string text = bytes.str();
  std::optional<Mark> out;
  for (const std::size_t place : {std::size_t{0}, kPlace}) {
    const auto mark = place < text.size() ? mark_in(std::string_view(text).substr(place)) : std::nullopt;
    if (mark && (!out || mark->sequence > out->sequence)) out = mark;
  }
  if (!out) {
    throw StoreError(path_ + ": is damaged: neither of its two marks can be read; give the journal and its head back " +
                     "from one backup, or a new state folder");
  }
  return out;
}

void JournalHead::create() {
  open(O_CREAT);
  write({});
  sync();
  const std::string folder = std::filesystem::absolute(path_).parent_path().string();
  try {
    sync_folder(folder);
  } catch (const FileError& error) {
    throw StoreError(error.what());
  }
}

void JournalHead::write(const Mark& mark) {
  open(0);
  const std::string text = text_of(mark);
  const auto place = static_cast<off_t>(mark.sequence % 2 == 0 ? 0 : kPlace);
  ssize_t written = -1;
  do {
    written = pwrite(descriptor_, text.data(), text.size(), place);
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(text.size())) fail_with_errno(path_, "cannot be written");
}

void JournalHead::send_to_disk() const {
  sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);  // a hint: not every file system knows it
}

void JournalHead::sync() {
  open(0);
  if (fdatasync(descriptor_) != 0) fail_with_errno(path_, "cannot be synced");
}

}  // namespace fedstein
