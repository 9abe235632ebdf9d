// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/tile_kernel.cpp"

#include <armilla/fft/tile_kernel.hpp>

#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Prefetch distance in m, because hardware prefetchers do not follow from m to m.
constexpr Index kAhead = 24;

template <class T>
HWY_INLINE void fetch(const TileBlock<T>& block, const std::complex<T>* delta, Index i, Index count) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(std::complex<T>));
  const Index end = i + kAhead + count < block.fetched ? i + kAhead + count : block.fetched;
  for (Index ahead = i + kAhead; ahead < end; ++ahead) {
    const std::complex<T>* line = delta + block.m_shift[ahead];
    for (Index c = 0; c < block.columns; c += kLine) __builtin_prefetch(line + c);
    __builtin_prefetch(line + block.columns - 1);
  }
}

#if HWY_TARGET != HWY_SCALAR
template <class T>
using Square = hn::CappedTag<double, 64 / sizeof(double)>;

// Number of complex values in a vector, which is also the size of a square of vectors; 1 if a vector holds a single
// value.
template <class T>
constexpr Index square_size() {
  return static_cast<Index>(hn::MaxLanes(Square<T>()) * sizeof(double) / sizeof(std::complex<T>));
}

// Each step concatenates the elements with even index, and those with odd index, of pairs of vectors. It exchanges one
// bit of the element index with one bit of the vector index, so log2(size) steps transpose the square.
template <class D>
HWY_INLINE void transpose(D d, std::complex<float>*, hn::Vec<D>* v) {
  constexpr int kSize = static_cast<int>(hn::MaxLanes(D()));
  hn::Vec<D> w[kSize];
  for (int step = 1; step < kSize; step *= 2) {
    for (int s = 0; s < kSize / 2; ++s) {
      w[s] = hn::ConcatEven(d, v[2 * s + 1], v[2 * s]);
      w[s + kSize / 2] = hn::ConcatOdd(d, v[2 * s + 1], v[2 * s]);
    }
    for (int s = 0; s < kSize; ++s) v[s] = w[s];
  }
}

// For elements of two lanes.
template <class D>
HWY_INLINE void transpose(D d, std::complex<double>*, hn::Vec<D>* v) {
  constexpr int kSize = static_cast<int>(hn::MaxLanes(D())) / 2;
  if constexpr (kSize >= 2) {
    hn::Vec<D> w[kSize];
    for (int s = 0; s < kSize / 2; ++s) {
      w[s] = hn::ConcatLowerLower(d, v[s + kSize / 2], v[s]);
      w[s + kSize / 2] = hn::ConcatUpperUpper(d, v[s + kSize / 2], v[s]);
    }
    for (int s = 0; s < kSize; ++s) v[s] = w[s];
  }
  if constexpr (kSize == 4) {
    for (int s = 0; s < kSize; s += 2) {
      const auto a = v[s];
      const auto b = v[s + 1];
      v[s] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
      v[s + 1] = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
    }
  }
}

// Delta of a pair of rings begins at a multiple of 32 bytes, usually not of 64. Storing half vectors avoids stores that
// cross cache lines.
template <class D>
HWY_INLINE void store_halves(D d, hn::Vec<D> v, double* to) {
  if constexpr (hn::MaxLanes(D()) == 8) {
    const hn::Half<D> half;
    hn::StoreU(hn::LowerHalf(half, v), half, to);
    hn::StoreU(hn::UpperHalf(half, v), half, to + 4);
  } else {
    hn::StoreU(v, d, to);
  }
}

// Whether the block consists of whole cache lines, each of which fits a vector.
template <class T>
bool is_whole_lines(const TileBlock<T>& block, const std::complex<T>* delta) {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(std::complex<T>));
  if (block.columns % kLine != 0 || hn::MaxLanes(Square<T>()) * sizeof(double) != 64) return false;
  for (Index i = 0; i < block.count; ++i)
    if (reinterpret_cast<std::uintptr_t>(delta + block.m_shift[i]) % 64 != 0) return false;
  return true;
}
#endif

// Calls square(i, column) for squares of values, and value(i, column) for the remaining values; `fetched`: prefetches
// Delta.
template <class T, class OfSquare, class OfValue>
HWY_INLINE void walk(const TileBlock<T>& block, const std::complex<T>* delta, Index size, bool fetched,
                     const OfSquare& square, const OfValue& value) {
  for (Index i = 0; i < block.count; i += size) {
    if (fetched) fetch(block, delta, i, size);
    const bool whole = i + size <= block.count;
    Index column = 0;
    if (whole)
      for (; column + size <= block.columns; column += size) square(i, column);
    const Index end = whole ? i + size : block.count;
    for (Index j = i; j < end && column < block.columns; ++j)
      for (Index c = column; c < block.columns; ++c) value(j, c);
  }
}

template <class T>
void read_all(const TileBlock<T>& block, const std::complex<T>* delta) {
  const auto read_value = [&](Index i, Index column) {
    block.rows[column * block.stride + i] = delta[block.m_shift[i] + column];
  };
#if HWY_TARGET == HWY_SCALAR
  walk(block, delta, 1, true, read_value, read_value);
#else
  const Square<T> d;
  constexpr Index kSize = square_size<T>();
  const auto read_square = [&](Index i, Index column) HWY_ATTR {
    hn::Vec<Square<T>> v[kSize];
    for (Index s = 0; s < kSize; ++s)
      v[s] = hn::LoadU(d, reinterpret_cast<const double*>(delta + block.m_shift[i + s] + column));
    transpose(d, block.rows, v);
    for (Index s = 0; s < kSize; ++s)
      hn::StoreU(v[s], d, reinterpret_cast<double*>(block.rows + (column + s) * block.stride + i));
  };
  walk(block, delta, kSize, true, read_square, read_value);
#endif
}

template <class T>
void write_all(const TileBlock<T>& block, std::complex<T>* delta) {
  const auto write_value = [&](Index i, Index column) {
    delta[block.m_shift[i] + column] = block.rows[column * block.stride + i];
  };
#if HWY_TARGET == HWY_SCALAR
  walk(block, delta, 1, true, write_value, write_value);
#else
  const Square<T> d;
  constexpr Index kSize = square_size<T>();
  const bool streamed = block.streamed && is_whole_lines(block, delta);
  const auto write_square = [&](Index i, Index column) HWY_ATTR {
    hn::Vec<Square<T>> v[kSize];
    for (Index s = 0; s < kSize; ++s)
      v[s] = hn::LoadU(d, reinterpret_cast<const double*>(block.rows + (column + s) * block.stride + i));
    transpose(d, block.rows, v);
    for (Index s = 0; s < kSize; ++s) {
      double* to = reinterpret_cast<double*>(delta + block.m_shift[i + s] + column);
      streamed ? hn::Stream(v[s], d, to) : store_halves(d, v[s], to);
    }
  };
  walk(block, delta, kSize, !streamed, write_square, write_value);
  if (streamed) hwy::FlushStream();
#endif
}

void read_float(const TileBlock<float>& block, const std::complex<float>* delta) { read_all(block, delta); }
void read_double(const TileBlock<double>& block, const std::complex<double>* delta) { read_all(block, delta); }
void write_float(const TileBlock<float>& block, std::complex<float>* delta) { write_all(block, delta); }
void write_double(const TileBlock<double>& block, std::complex<double>* delta) { write_all(block, delta); }

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(read_float);
HWY_EXPORT(read_double);
HWY_EXPORT(write_float);
HWY_EXPORT(write_double);

void read_block(const TileBlock<float>& block, const std::complex<float>* delta) {
  HWY_DYNAMIC_DISPATCH(read_float)(block, delta);
}
void read_block(const TileBlock<double>& block, const std::complex<double>* delta) {
  HWY_DYNAMIC_DISPATCH(read_double)(block, delta);
}
void write_block(const TileBlock<float>& block, std::complex<float>* delta) {
  HWY_DYNAMIC_DISPATCH(write_float)(block, delta);
}
void write_block(const TileBlock<double>& block, std::complex<double>* delta) {
  HWY_DYNAMIC_DISPATCH(write_double)(block, delta);
}

}  // namespace armilla::fft
#endif
