#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/types.hpp>

namespace armilla::fft {

using core::Index;

/// Real and imaginary parts of complex numbers, in two arrays.
template <class T>
struct Split {
  T* re = nullptr;
  T* im = nullptr;

  Split operator+(Index i) const { return {re + i, im + i}; }
};

/// `count` complex numbers, real and imaginary parts apart, each part aligned to 64 bytes; not initialised.
template <class T>
class SplitBuffer {
 public:
  SplitBuffer() = default;
  explicit SplitBuffer(Index count) : apart_(padded(count)), values_(2 * apart_) {}

  Split<T> get() { return {values_.data(), values_.data() + apart_}; }
  Split<const T> get() const { return {values_.data(), values_.data() + apart_}; }

  /// Distance of two arrays of `count` values that do not fall onto the same sets of a cache: whole lines, and one more
  /// than some power of two.
  static Index padded(Index count) {
    constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
    return (count + kLine - 1) / kLine * kLine + kLine;
  }

 private:
  Index apart_ = 0;
  core::AlignedBuffer<T> values_;
};

}  // namespace armilla::fft
