#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/types.hpp>

namespace armilla::fft {

using core::Index;

/// Complex values as two arrays of real and imaginary parts.
template <class T>
struct Split {
  T* re = nullptr;
  T* im = nullptr;

  Split operator+(Index i) const { return {re + i, im + i}; }
};

/// `count` complex values with separate real and imaginary parts, each aligned to 64 bytes; not initialised.
template <class T>
class SplitBuffer {
 public:
  SplitBuffer() = default;
  explicit SplitBuffer(Index count) : apart_(padded(count)), values_(2 * apart_) {}

  Split<T> get() { return {values_.data(), values_.data() + apart_}; }
  Split<const T> get() const { return {values_.data(), values_.data() + apart_}; }

  /// Distance between two arrays of `count` values that avoids mapping to the same cache sets: whole cache lines, one
  /// more than a power of two.
  static Index padded(Index count) {
    constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
    return (count + kLine - 1) / kLine * kLine + kLine;
  }

 private:
  Index apart_ = 0;
  core::AlignedBuffer<T> values_;
};

}  // namespace armilla::fft
