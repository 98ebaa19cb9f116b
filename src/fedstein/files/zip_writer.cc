// SPDX-License-Identifier: Apache-2.0
// The field order is that of PKWARE's APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 4.3.16
// (its end), 4.5.3 (64-bit values).
#include "fedstein/files/zip_writer.h"

#include <limits>

#include "fedstein/files/deflate.h"
#include "fedstein/files/file_error.h"

namespace fedstein {
namespace {

constexpr std::uint32_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t kMost16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint16_t kVersion = 20;       // of the form, for deflate and folders
constexpr std::uint16_t kVersion64 = 45;     // for 64-bit values
constexpr std::uint16_t kUtf8Names = 0x800;  // flag bit 11
constexpr std::uint16_t kDeflated = 8;       // method 8; 0 is stored as it is
constexpr std::size_t kSmall = 1024;         // bytes below which zlib's own set-up costs more than it can save
constexpr std::uint16_t kDate = 33;          // 1980-01-01, the earliest there is

template <typename Integer>
void little(std::string& out, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU);
  }
}

}  // namespace

void ZipWriter::put(std::string_view bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::string_view bytes) {
  // deflateBound adds a little; with this margin every size fits into zlib's and the archive's 32 bits.
  if (bytes.size() > kMost32 - (kMost32 >> 8U) || name.size() > kMost16) {
    throw WriteError("the array " + name + " has " + std::to_string(bytes.size()) +
                     " bytes; an .npz file holds arrays below 4 GiB");
  }
  const std::string packed = bytes.size() < kSmall ? std::string(bytes) : deflated(bytes, {.form = DeflateForm::kRaw});
  Member member{.name = name,
                .offset = written_,
                .unpacked = static_cast<std::uint32_t>(bytes.size()),
                .deflated = packed.size() < bytes.size()};
  const std::string_view stored = member.deflated ? std::string_view(packed) : bytes;
  member.packed = static_cast<std::uint32_t>(stored.size());
  member.checksum = crc32_of(bytes);

  std::string out;
  little(out, std::uint32_t{0x04034b50});
  little(out, kVersion);
  little(out, kUtf8Names);
  little(out, static_cast<std::uint16_t>(member.deflated ? kDeflated : 0));
  little(out, std::uint16_t{0});  // midnight
  little(out, kDate);
  little(out, member.checksum);
  little(out, member.packed);
  little(out, member.unpacked);
  little(out, static_cast<std::uint16_t>(name.size()));
  little(out, std::uint16_t{0});  // no extra field
  put(out + name);
  put(stored);
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  const std::uint64_t start = written_;
  for (const Member& member : members_) {
    const bool far = member.offset >= kMost32;
    std::string out;
    little(out, std::uint32_t{0x02014b50});
    little(out, far ? kVersion64 : kVersion);  // made by
    little(out, far ? kVersion64 : kVersion);  // needed
    little(out, kUtf8Names);
    little(out, static_cast<std::uint16_t>(member.deflated ? kDeflated : 0));
    little(out, std::uint16_t{0});
    little(out, kDate);
    little(out, member.checksum);
    little(out, member.packed);
    little(out, member.unpacked);
    little(out, static_cast<std::uint16_t>(member.name.size()));
    little(out, static_cast<std::uint16_t>(far ? 12 : 0));  // extra field
    little(out, std::uint16_t{0});                          // comment
    little(out, std::uint16_t{0});                          // disk
    little(out, std::uint16_t{0});                          // attributes
    little(out, std::uint32_t{0});
    little(out, far ? kMost32 : static_cast<std::uint32_t>(member.offset));
    out += member.name;
    if (far) {
      little(out, std::uint16_t{1});
      little(out, std::uint16_t{8});
      little(out, member.offset);
    }
    put(out);
  }
  const std::uint64_t size = written_ - start;
  const std::uint64_t count = members_.size();
  const bool wide = count >= kMost16 || start >= kMost32 || size >= kMost32;
  std::string out;
  if (wide) {
    const std::uint64_t place = written_;
    little(out, std::uint32_t{0x06064b50});
    little(out, std::uint64_t{44});  // bytes that follow
    little(out, kVersion64);
    little(out, kVersion64);
    little(out, std::uint32_t{0});
    little(out, std::uint32_t{0});
    little(out, count);
    little(out, count);
    little(out, size);
    little(out, start);
    little(out, std::uint32_t{0x07064b50});
    little(out, std::uint32_t{0});
    little(out, place);
    little(out, std::uint32_t{1});  // disks
  }
  little(out, std::uint32_t{0x06054b50});
  little(out, std::uint32_t{0});  // disks
  little(out, wide ? kMost16 : static_cast<std::uint16_t>(count));
  little(out, wide ? kMost16 : static_cast<std::uint16_t>(count));
  little(out, wide ? kMost32 : static_cast<std::uint32_t>(size));
  little(out, wide ? kMost32 : static_cast<std::uint32_t>(start));
  little(out, std::uint16_t{0});  // comment
  put(out);
}

}  // namespace fedstein
