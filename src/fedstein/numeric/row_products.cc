// SPDX-License-Identifier: Apache-2.0
//
// Lanes are columns: a row is read once, in whole registers, and multiplied with every factor. A group of as many rows
// as a register has lanes is then folded, factor by factor, into one register of results. No lane is spent on a factor
// that is not there, and no number is spread over a register alone, which is what bounds products with the factors side
// by side (narrow.h).
//
// Registers of 32 bytes even where there are larger ones: rows are short, and what the last register of a row does not
// hold is lost.
#include "fedstein/numeric/row_products.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "fedstein/numeric/lanes.h"

namespace fedstein {
namespace {

constexpr int kChunkBytes = std::min(kLaneBytes, 32);
constexpr int kChunk = kChunkBytes / static_cast<int>(sizeof(Real));
typedef Real Chunk __attribute__((vector_size(kChunkBytes)));             // NOLINT: see lanes.h
typedef LaneInteger ChunkMask __attribute__((vector_size(kChunkBytes)));  // NOLINT

// Rows at a time: with the sums of six factors, the rows and a factor 15 of 16 registers.
constexpr int kTall = 2;

// Short rows are no stream that the processor would foresee: what comes a page later is asked for meanwhile.
constexpr std::uintptr_t kAheadBytes = 4096;
constexpr std::uintptr_t kLineBytes = 64;

// The compiler would read a factor again for every row, and reading is what bounds the loop then.
[[gnu::always_inline]] inline Chunk in_register(Chunk chunk) {
#if defined(__x86_64__)
  asm("" : "+x"(chunk));
#endif
  return chunk;
}

// Lanes of a row's last chunk, which ends with the row, that no chunk before it held.
ChunkMask last_chunk(Index columns) {
  const Index fresh = columns % kChunk == 0 ? kChunk : columns % kChunk;
  ChunkMask mask;
  for (Index i = 0; i < kChunk; ++i) mask[i] = i >= kChunk - fresh ? LaneInteger{-1} : LaneInteger{0};
  return mask;
}

// Lane by lane the products of kTall rows.
template <int kFactors>
[[gnu::always_inline]] inline void multiply(const RowFactors& factors,
                                            const Real* const* rows,
                                            const ChunkMask& fresh,
                                            Chunk* out) {
  Chunk sums[kFactors][kTall] = {};
  const Real* factor = factors.chunks();
  const auto add = [&](const Chunk(&x)[kTall]) {
#pragma GCC unroll 8
    for (int n = 0; n < kFactors; ++n, factor += kChunk) {
      const Chunk f = in_register(load_register<Chunk>(factor));
#pragma GCC unroll 8
      for (int r = 0; r < kTall; ++r) sums[n][r] += f * x[r];
    }
  };
  Chunk x[kTall];
  const Index last = factors.columns() - kChunk;
  for (Index k = 0; k < last; k += kChunk) {
#pragma GCC unroll 8
    for (int r = 0; r < kTall; ++r) x[r] = load_register<Chunk>(rows[r] + k);
    add(x);
  }
#pragma GCC unroll 8
  for (int r = 0; r < kTall; ++r) x[r] = fresh ? load_register<Chunk>(rows[r] + last) : Chunk{};
  add(x);
#pragma GCC unroll 8
  for (int n = 0; n < kFactors; ++n) {
#pragma GCC unroll 8
    for (int r = 0; r < kTall; ++r) out[n * kChunk + r] = sums[n][r];
  }
}

void ask_for(const Real* rows, Index numbers) {
  const auto ahead = reinterpret_cast<std::uintptr_t>(rows) + kAheadBytes;
  const auto bytes = static_cast<std::uintptr_t>(numbers) * sizeof(Real);
  for (std::uintptr_t line = 0; line < bytes; line += kLineBytes) {
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + line));  // may lie behind the end: nothing is read there
  }
}

template <int kFactors>
void for_groups(const RowFactors& factors, const RowSet& x, Real* out, Index out_stride) {
  const ChunkMask fresh = last_chunk(factors.columns());
  Chunk sums[kFactors * kChunk];
  const Real* rows[kChunk];
  for (Index i = 0; i < x.count; i += kChunk) {
    ask_for(x.data + i * x.stride, kChunk * x.stride);
    for (Index r = 0; r < kChunk; ++r) rows[r] = x.data + std::min(i + r, x.count - 1) * x.stride;
    for (int r = 0; r < kChunk; r += kTall) multiply<kFactors>(factors, rows + r, fresh, sums + r);
#pragma GCC unroll 8
    for (int n = 0; n < kFactors; ++n) {
      store_register(factors.start(n) + lane_sums(sums + n * kChunk), out + n * out_stride + i);
    }
  }
}

using ForGroups = void (*)(const RowFactors&, const RowSet&, Real*, Index);

template <int... kFactors>
constexpr std::array<ForGroups, sizeof...(kFactors)> for_groups_of(std::integer_sequence<int, kFactors...>) {
  return {&for_groups<kFactors + 1>...};
}

}  // namespace

static_assert(kRowGroup % kChunk == 0);

RowFactors::RowFactors(const ConstMatrixRef& rows, const Vector& starts)
    : count_(rows.rows()), columns_(rows.cols()), starts_(starts) {
  const Index chunks = (columns_ + kChunk - 1) / kChunk;
  chunks_.resize(chunks * count_ * kChunk);
  const ChunkMask fresh = last_chunk(columns_);
  for (Index c = 0; c < chunks; ++c) {
    const bool at_end = c == chunks - 1;
    const Index column = at_end ? columns_ - kChunk : c * kChunk;
    for (Index n = 0; n < count_; ++n) {
      for (Index lane = 0; lane < kChunk; ++lane) {
        const bool counts = !at_end || fresh[lane] != 0;
        chunks_((c * count_ + n) * kChunk + lane) = counts ? rows(n, column + lane) : 0;
      }
    }
  }
}

void row_products(const RowFactors& factors, const RowSet& x, Real* out, Index out_stride) {
  static constexpr auto kKernels = for_groups_of(std::make_integer_sequence<int, static_cast<int>(kMostRowFactors)>{});
  kKernels[static_cast<std::size_t>(factors.count() - 1)](factors, x, out, out_stride);
}

}  // namespace fedstein
