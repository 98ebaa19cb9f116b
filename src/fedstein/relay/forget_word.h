// SPDX-License-Identifier: Apache-2.0
// The words by which an operator gave a lost factor up, each of which works once in a state folder. Private.
#pragma once

#include <string>

namespace fedstein {

class ForgetWord {
 public:
  // An empty word is never new. Throws StoreError.
  ForgetWord(const std::string& state, std::string word);

  bool is_new() const { return new_; }
  // The factor is given up: from now on the word does nothing.
  void remember();

 private:
  std::string file_;
  std::string word_;
  bool new_ = false;
};

}  // namespace fedstein
