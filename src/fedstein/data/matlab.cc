// SPDX-License-Identifier: Apache-2.0
#include "fedstein/data/matlab.h"

#include <matio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <memory>
#include <system_error>

#include "fedstein/data/matlab_file.h"
#include "fedstein/data/number.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// A file that lives in memory and has a path: matio opens paths only.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fedstein", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("create");
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) {
        const int error = errno;
        close(descriptor_);
        errno = error;
        fail("write");
      }
      bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::system_error(
        errno, std::generic_category(), std::string("read_matlab: cannot ") + what + " a file in memory");
  }

  int descriptor_;
};

const MatlabVariable& find_variable(const MatlabFile& file, const std::string& wanted) {
  for (const MatlabVariable& variable : file.variables()) {
    if (variable.name != wanted) continue;
    const bool numeric = variable.type >= MatlabClass::kDouble && variable.type <= MatlabClass::kUint64;
    const bool matrix = variable.shape.size() == 2 && variable.shape[0] > 0 && variable.shape[1] > 0;
    if (numeric && matrix && !variable.complex) return variable;
    fail_byte(file.name(),
              variable.offset,
              "variable " + in_quotes(wanted) + " is " + describe_variable(variable) +
                  "; expected a real numeric matrix with at least one row and one column; " + file.contents());
  }
  fail_file(file.name(), "there is no variable " + in_quotes(wanted) + "; " + file.contents());
}

// matio's values, column by column, into our rows.
template <typename T>
Matrix convert(const matvar_t& loaded, const MatlabFile& file, const MatlabVariable& variable) {
  const auto* values = static_cast<const T*>(loaded.data);
  const Index rows = variable.shape[0];
  Matrix out(rows, variable.shape[1]);
  for (Index column = 0; column < out.cols(); ++column) {
    for (Index row = 0; row < rows; ++row) {
      const auto value = static_cast<double>(values[column * rows + row]);
      if (std::abs(value) <= static_cast<double>(std::numeric_limits<Real>::max())) {  // not so for a NaN
        out(row, column) = static_cast<Real>(value);
        continue;
      }
      std::string problem;
      to_real(value, to_text(value), problem);
      fail_byte(file.name(),
                variable.offset,
                "variable " + in_quotes(variable.name) + ", row " + std::to_string(row + 1) + ", column " +
                    std::to_string(column) + " (from 0): " + problem);
    }
  }
  return out;
}

Matrix convert(const matvar_t& loaded, const MatlabFile& file, const MatlabVariable& variable) {
  switch (loaded.class_type) {
    case MAT_C_DOUBLE:
      return convert<double>(loaded, file, variable);
    case MAT_C_SINGLE:
      return convert<float>(loaded, file, variable);
    case MAT_C_INT8:
      return convert<std::int8_t>(loaded, file, variable);
    case MAT_C_UINT8:
      return convert<std::uint8_t>(loaded, file, variable);
    case MAT_C_INT16:
      return convert<std::int16_t>(loaded, file, variable);
    case MAT_C_UINT16:
      return convert<std::uint16_t>(loaded, file, variable);
    case MAT_C_INT32:
      return convert<std::int32_t>(loaded, file, variable);
    case MAT_C_UINT32:
      return convert<std::uint32_t>(loaded, file, variable);
    case MAT_C_INT64:
      return convert<std::int64_t>(loaded, file, variable);
    case MAT_C_UINT64:
      return convert<std::uint64_t>(loaded, file, variable);
    default:
      fail_byte(file.name(), variable.offset, "the variable has a class that matio does not know");
  }
}

}  // namespace

Matrix parse_matlab(std::string_view bytes,
                    const std::string& name,
                    const std::string& variable,
                    std::uint64_t byte_limit) {
  if (bytes.empty()) fail_file(name, "the file is empty; expected a MATLAB 5 file");
  const MatlabFile file(bytes, name, byte_limit);
  const MatlabVariable& wanted = find_variable(file, variable);
  const MemoryFile alone(file.extract(wanted));

  const std::unique_ptr<mat_t, int (*)(mat_t*)> opened(Mat_Open(alone.path().c_str(), MAT_ACC_RDONLY), Mat_Close);
  if (!opened) fail_byte(name, wanted.offset, "matio cannot open the variable");
  const std::unique_ptr<matvar_t, void (*)(matvar_t*)> loaded(Mat_VarRead(opened.get(), "v"), Mat_VarFree);
  // What was checked above must be what matio found; anything else would be read out of bounds below.
  if (!loaded || loaded->data == nullptr || loaded->isComplex != 0 || loaded->rank != 2 ||
      loaded->dims[0] != static_cast<std::size_t>(wanted.shape[0]) ||
      loaded->dims[1] != static_cast<std::size_t>(wanted.shape[1]) ||
      loaded->nbytes != loaded->dims[0] * loaded->dims[1] * Mat_SizeOfClass(loaded->class_type)) {
    fail_byte(name, wanted.offset, "matio cannot read the variable as " + describe_variable(wanted));
  }
  return convert(*loaded, file, wanted);
}

Matrix read_matlab(const std::string& path, const std::string& variable, std::uint64_t byte_limit) {
  return parse_matlab(ByteSource::open(path, byte_limit).rest(), path, variable, byte_limit);
}

}  // namespace fedstein
