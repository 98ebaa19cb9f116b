// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "fedstein/data/matlab_file.h"
#include "fedstein/files/deflate.h"

namespace fedstein {
namespace {

// Deflate cannot do better than 1032 to 1, so a promise beyond it is a lie that need not be unpacked to be found.
constexpr std::uint64_t kBestCompression = 1032;

// Bytes of one stored number, by type; 0 where the type is no number.
std::size_t stored_size(std::uint32_t type) {
  constexpr std::array<std::size_t, 14> kSizes{0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  return type < kSizes.size() ? kSizes[type] : 0;
}

// MATLAB stores the values of an integer class in that type or a narrower one, those of a floating class in any.
bool fits(std::uint32_t stored, MatlabClass type) {
  if (type == MatlabClass::kDouble || type == MatlabClass::kSingle) return true;
  if (stored == kSingleTag || stored == kDoubleTag) return false;
  // Integer classes come in pairs of one width: int8, uint8, int16, ...
  const unsigned pair = (static_cast<unsigned>(type) - static_cast<unsigned>(MatlabClass::kInt8)) / 2;
  return stored_size(stored) <= std::size_t{1} << pair;
}

class PackedVariable {
 public:
  explicit PackedVariable(std::string_view packed) : packed_(packed) {}

  // Appends bytes until `out` has `wanted` of them or the stream stops; memory at most doubles ahead of them.
  void fill(std::string& out, std::size_t wanted) {
    constexpr std::size_t kFirst = std::size_t{1} << 16;
    while (out.size() < wanted && !stopped_) {
      const std::size_t before = out.size();
      out.resize(std::min(wanted, std::max(kFirst, 2 * before)));
      out.resize(before + step(out.data() + before, out.size() - before));
    }
  }
  // Whether the stream ends here, with a correct checksum and nothing behind it.
  bool ends() {
    char beyond = 0;
    while (!stopped_) {
      if (step(&beyond, 1) != 0) return false;
    }
    return state_ == Inflater::State::kEnd && packed_.empty();
  }
  std::string problem() const {
    if (state_ == Inflater::State::kDamaged) return inflater_.problem();
    return stopped_ && state_ == Inflater::State::kGoing ? "it is cut short" : "it holds another number of bytes";
  }

 private:
  std::size_t step(char* out, std::size_t room) {
    const Inflater::Step step = inflater_.step(packed_, out, room);
    packed_.remove_prefix(step.taken);
    state_ = step.state;
    stopped_ = state_ != Inflater::State::kGoing || (step.taken == 0 && step.made == 0);
    return step.made;
  }

  std::string_view packed_;
  Inflater inflater_{DeflateForm::kZlib};
  Inflater::State state_ = Inflater::State::kGoing;
  bool stopped_ = false;
};

}  // namespace

std::string MatlabFile::unpack_front(std::string_view packed, std::uint64_t offset, std::size_t wanted) const {
  PackedVariable variable(packed);
  std::string out;
  variable.fill(out, wanted);
  if (out.size() < kMatlabTag) {
    fail_byte(name_, offset, "a packed variable is damaged (" + variable.problem() + "); expected zlib data");
  }
  return out;
}

std::string MatlabFile::unpack(std::string_view packed, std::uint64_t offset) const {
  const std::uint64_t wanted = std::uint64_t{kMatlabTag} + word(unpack_front(packed, offset, kMatlabTag), 4);
  if (wanted > byte_limit_ || wanted / kBestCompression > packed.size()) {
    fail_byte(name_,
              offset,
              "a packed variable promises " + std::to_string(wanted) + " bytes; expected at most what its " +
                  std::to_string(packed.size()) + " packed bytes can hold, and the limit of " +
                  std::to_string(byte_limit_));
  }
  PackedVariable variable(packed);
  std::string out;
  variable.fill(out, wanted);
  if (out.size() != wanted || !variable.ends()) {
    fail_byte(name_,
              offset,
              "a packed variable is damaged (" + variable.problem() + "); expected " + std::to_string(wanted) +
                  " sound bytes");
  }
  return out;
}

// `content`: what follows the variable's tag.
MatlabFile::Part MatlabFile::check_values(std::string_view content, const MatlabVariable& variable) const {
  for (const char* passed : {"flags", "dimensions", "name"}) {
    content.remove_prefix(part(content, variable.offset, passed).length);
  }
  const Part values = part(content, variable.offset, "values");
  const std::size_t size = stored_size(values.type);
  if (size == 0 || !fits(values.type, variable.type)) {
    fail_byte(name_,
              variable.offset,
              "the values are stored as type " + std::to_string(values.type) + "; expected one that suits " +
                  describe_variable(variable));
  }
  // Both dimensions are below 2^31: no overflow.
  const auto expected = static_cast<std::uint64_t>(variable.shape[0]) * static_cast<std::uint64_t>(variable.shape[1]);
  if (values.data.size() % size != 0 || values.data.size() / size != expected) {
    fail_byte(name_,
              variable.offset,
              "found " + std::to_string(values.data.size()) + " bytes of values; expected " + std::to_string(expected) +
                  " numbers of " + std::to_string(size) + " bytes for " + describe_variable(variable));
  }
  if (values.length != content.size()) {
    fail_byte(name_, variable.offset, "found bytes after the values; expected the end of the variable");
  }
  return values;
}

std::string MatlabFile::extract(const MatlabVariable& variable) const {
  std::string unpacked;
  std::string_view content = variable.stored;
  if (variable.compressed) {
    unpacked = unpack(variable.stored, variable.offset);
    content = std::string_view(unpacked).substr(kMatlabTag);
  }
  const Part values = check_values(content, variable);
  std::string flags;
  put_word(flags, static_cast<std::uint32_t>(variable.type));
  put_word(flags, 0);
  std::string shape;
  for (const Index length : variable.shape) put_word(shape, static_cast<std::uint32_t>(length));
  std::string front;
  put_part(front, kUint32Tag, flags);
  put_part(front, kInt32Tag, shape);
  put_part(front, kInt8Tag, "v");

  const std::uint64_t total = front.size() + kMatlabTag + matlab_padded(values.data.size());
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    fail_byte(name_, variable.offset, "the variable has 4 GiB or more; expected less");
  }
  std::string file = "MATLAB 5.0 MAT-file";
  file.reserve(kMatlabHeader + kMatlabTag + total);
  file.resize(kMatlabHeader - 4, ' ');
  file += little_ ? std::string_view("\0\1IM", 4) : std::string_view("\1\0MI", 4);
  put_word(file, kMatrixTag);
  put_word(file, static_cast<std::uint32_t>(total));
  file += front;
  put_part(file, values.type, values.data);
  return file;
}

void MatlabFile::put_word(std::string& out, std::uint32_t value) const {
  for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(value >> 8 * (little_ ? i : 3 - i) & 0xff);
}

void MatlabFile::put_part(std::string& out, std::uint32_t type, std::string_view data) const {
  put_word(out, type);
  put_word(out, static_cast<std::uint32_t>(data.size()));
  out += data;
  out.resize(matlab_padded(out.size()), '\0');
}

}  // namespace fedstein
