// SPDX-License-Identifier: Apache-2.0
// In the place of matlab.cc where the build has no matio: the Python package, whose users have scipy.io.
#include "fedstein/data/error.h"
#include "fedstein/data/matlab.h"

namespace fedstein {
namespace {

[[noreturn]] void fail_absent(const std::string& name) {
  fail_file(
      name,
      "this fedstein was built without matio and reads no MATLAB files; read it with scipy.io.loadmat, or save it "
      "as text");
}

}  // namespace

Matrix read_matlab(const std::string& path, const std::string& /*variable*/, std::uint64_t /*byte_limit*/) {
  fail_absent(path);
}

Matrix parse_matlab(std::string_view /*bytes*/,
                    const std::string& name,
                    const std::string& /*variable*/,
                    std::uint64_t /*byte_limit*/) {
  fail_absent(name);
}

}  // namespace fedstein
