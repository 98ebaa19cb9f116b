// SPDX-License-Identifier: Apache-2.0
#include "fedstein/numeric/scratch.h"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace fedstein {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallestChunk = std::size_t{1} << 16;

// Chunks are filled one after another and kept until the thread ends; `current` is the one being filled. A request that
// does not fit moves on to the next chunk, so the same sequence of requests finds the same places without allocating.
class Stack {
 public:
  std::byte* push(std::size_t bytes) {
    while (current_ < chunks_.size() && chunks_[current_].size - chunks_[current_].used < bytes) ++current_;
    if (current_ == chunks_.size()) grow(bytes);
    Chunk& chunk = chunks_[current_];
    std::byte* place = chunk.memory.get() + chunk.used;
    chunk.used += bytes;
    return place;
  }

  void pop(std::size_t bytes) {
    while (chunks_[current_].used == 0) --current_;
    chunks_[current_].used -= bytes;
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kAlignment}); }
  };
  struct Chunk {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0;
    std::size_t used = 0;
  };

  void grow(std::size_t bytes) {
    const std::size_t last = chunks_.empty() ? 0 : chunks_.back().size;
    const std::size_t size = std::max({bytes, 2 * last, kSmallestChunk});
    auto* memory = static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlignment}));
    chunks_.push_back({std::unique_ptr<std::byte, Free>(memory), size, 0});
  }

  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;
};

thread_local Stack stack;

std::size_t rounded(Index rows, Index columns) {
  const auto bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * sizeof(Real);
  // At least one unit, so that every push leaves a mark that its pop can find.
  return std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

Scratch::Scratch(Index rows, Index columns)
    : bytes_(rounded(rows, columns)), matrix_(reinterpret_cast<Real*>(stack.push(bytes_)), rows, columns) {}

Scratch::~Scratch() {
  stack.pop(bytes_);
}

}  // namespace fedstein
