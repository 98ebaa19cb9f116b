// SPDX-License-Identifier: Apache-2.0
#include "fedstein/model/row_order.h"

#include <numeric>
#include <utility>

namespace fedstein {

void RowOrder::restart(Index count, const Rng& rng) {
  order_.resize(static_cast<std::size_t>(count));
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  rng_.emplace(rng);
  drawn_ = 0;
  half_left_ = false;
}

// Uniform in 0 .. bound-1 from 32 random bits, as the upper half of bits * bound (Lemire 2019): without bias like
// Rng::below, but two numbers a word and a division only once in 2^32 / bound times. This runs for every row of every
// step.
std::uint32_t RowOrder::below(std::uint32_t bound) {
  while (true) {
    half_left_ = !half_left_;
    word_ = half_left_ ? (*rng_)() : word_ >> 32;
    const std::uint64_t product = (word_ & 0xffffffffU) * bound;
    const auto low = static_cast<std::uint32_t>(product);
    if (low >= bound || low >= (0U - bound) % bound) return static_cast<std::uint32_t>(product >> 32);
  }
}

void RowOrder::draw_up_to(Index end) {
  const auto count = static_cast<std::uint32_t>(order_.size());
  for (; drawn_ < end; ++drawn_) {
    const auto place = static_cast<std::uint32_t>(drawn_);
    std::swap(order_[place], order_[place + below(count - place)]);
  }
}

}  // namespace fedstein
