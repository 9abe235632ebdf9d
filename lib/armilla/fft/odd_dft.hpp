#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/types.hpp>

#include <complex>

namespace armilla::fft {

using core::Index;

/// Discrete Fourier transforms of an odd length with large prime factors as two products with real matrices, of
/// cosines for the sums x_j + x_{length - j} and of sines for the differences: length^2 FMA per column, which run at
/// the machine's FMA rate where an FFT of such a length does not.
template <class T>
class OddDft {
 public:
  /// Columns come in multiples of this.
  static constexpr Index kColumns = 4;

  explicit OddDft(Index length);

  Index length() const { return length_; }
  /// Complex numbers of working space that `columns` columns take.
  static Index work_size(Index length, Index columns) { return (length + 1) * columns; }
  /// out[k][c] = sum over j of in[j][c] exp(-2 pi i j k / length), for `columns` columns side by side. Arrays are
  /// different ones, aligned to 64 bytes.
  void forward(const std::complex<T>* in, Index columns, std::complex<T>* out, std::complex<T>* work) const;
  /// Bytes of the tables.
  static Index bytes(Index length);

 private:
  Index length_;
  core::AlignedBuffer<T> table_;  ///< [block of k][j][k of the block][cosine, sine]
};

/// z_i = z_i * factor_i for i < count, a multiple of OddDft::kColumns.
void multiply_all(const std::complex<float>* factor, Index count, std::complex<float>* z);
void multiply_all(const std::complex<double>* factor, Index count, std::complex<double>* z);

extern template class OddDft<float>;
extern template class OddDft<double>;

}  // namespace armilla::fft
