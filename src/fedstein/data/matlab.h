// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fedstein/data/source.h"

namespace fedstein {

// One real numeric matrix out of a MATLAB 5 file (what MATLAB saves with -v6 and -v7), of any numeric class, logical
// included. Anything else - complex, sparse, cell, another rank, a name that is not there - is refused with a sentence
// that lists what the file holds. Throws DataError; positions are those of the variable's element.
Matrix read_matlab(const std::string& path, const std::string& variable, std::uint64_t byte_limit = kByteLimit);
Matrix parse_matlab(std::string_view bytes,
                    const std::string& name,
                    const std::string& variable,
                    std::uint64_t byte_limit = kByteLimit);

}  // namespace fedstein
