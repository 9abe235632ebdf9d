#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::fft {

using core::Index;

/// Real and imaginary parts of complex numbers, in two arrays.
template <class T>
struct Split {
  T* re = nullptr;
  T* im = nullptr;

  Split operator+(Index i) const { return {re + i, im + i}; }
};

/// One pass of a SplitFft: `after` groups of `before` transforms of `radix` points, and the factors behind them.
template <class T>
struct SplitPass {
  /// How factors are stored and results reordered: transposed (before = 1), in blocks of 4 (before = 4, vectors longer
  /// than that), or in columns of `before` values.
  enum class Kind { kTranspose, kBlocks, kColumns };

  Kind kind;
  Index radix;
  Index before;
  Index after;
  Index twiddle;  ///< where its factors begin
};

/// The complex transform of one length, forward, not normalised: out_k = sum over j of in_j exp(-2 pi i j k / length).
/// Passes of radix 2, 3, 4, 5, 7 and 8 between two arrays, which leave the order natural (Stockham's method, in
/// Cochran et al. 1967), in the widest vectors of the machine. Sums and their order depend on the length and the
/// instruction set alone.
template <class T>
class SplitFft {
 public:
  /// Multiples of 4 without prime factors above 7.
  static bool serves(Index length);
  /// Throws InternalError for a length that it does not serve.
  explicit SplitFft(Index length);

  Index length() const { return length_; }
  /// Values of T that forward needs as working space.
  static Index scratch_size(Index length) { return 4 * length + kScratchExtra; }
  /// `in` and `out` are different arrays of any alignment; `in` is kept. Safe to call from several threads, each with
  /// its own scratch.
  /// `streamed` writes the results past the caches where they are whole lines of them.
  void forward(Split<const T> in, Split<T> out, T* scratch, bool streamed = false) const;

  /// Bytes of the tables of one length.
  static Index table_bytes(Index length);

 private:
  static constexpr Index kScratchExtra = 1024;
  Index length_;
  std::vector<SplitPass<T>> passes_;
  core::AlignedBuffer<T> twiddles_;
};

extern template class SplitFft<float>;
extern template class SplitFft<double>;

}  // namespace armilla::fft
