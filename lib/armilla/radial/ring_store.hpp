#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/fold.hpp>
#include <armilla/fft/ring_fft.hpp>
#include <armilla/fft/split_buffer.hpp>
#include <armilla/radial/row_kernels.hpp>
#include <armilla/radial/row_plan.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace armilla::radial {

/// Scratch arrays of one thread for rings of up to `pixels` pixels.
struct RingWork {
  RingWork(const fft::RingFftSizes& sizes, Index pixels);
  /// Number of doubles in these arrays, without those of the FFTs.
  static Index numbers(Index pixels) { return 6 * pixels + 4 * fft::kTileM; }

  core::AlignedBuffer<double> rows[2];  ///< pixels of a pair
  core::AlignedBuffer<double> zeros;    ///< pixels of an absent ring
  core::AlignedBuffer<double> discarded;
  core::AlignedBuffer<std::complex<double>> spectrum;
  core::AlignedBuffer<std::complex<double>> tile[2];  ///< modes of a pair
  fft::RingFftWorkspace<double> fft;
  fft::RingPhase<double> phases[2];
};

/// Data of the input rings that a band needs: weighted pixels and modes. Pixels are repeated beyond the end of the ring
/// as far as sums along the ring extend. The modes are x_m = sum over j of x_j exp(-i m phi_j), also beyond the Nyquist
/// frequency. Pair q is stored at index q modulo the number of stored pairs.
class RingStore {
 public:
  struct Sizes {
    Index places;  ///< number of stored pairs
    Index fields;
    Index pixels;  ///< pixels of a ring, including the repeated ones; 0: no pixels are stored
    Index modes;   ///< stride between arrays, a multiple of 8; 0: no modes are stored
    Index bytes() const;
  };
  explicit RingStore(const Sizes& sizes);

  bool holds(Index q) const { return held_[place(q)] == q; }
  /// Invalidates all stored rings.
  void forget() { std::fill(held_.begin(), held_.end(), Index{-1}); }
  void set_held(Index q) { held_[place(q)] = q; }
  /// Stride from the pixels of a ring to those of the next field.
  Index field_stride() const { return 2 * sizes_.pixels; }
  double* pixels(Index q, Index field, bool north) { return pixels_.data() + index(q, field, north) * sizes_.pixels; }
  fft::Split<double> modes(Index q, Index field, bool north) {
    double* re = modes_.data() + index(q, field, north) * 2 * sizes_.modes;
    return {re, re + sizes_.modes};
  }

  /// Computes modes 0 .. count - 1 of the rings of a pair from their pixels x, null if there is no ring. Modes beyond
  /// the Nyquist frequency are zero if `truncate`.
  static void transform(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                        const double* const (&x)[2], Index count, bool truncate, const fft::Split<double> (&modes)[2],
                        RingWork& work);
  /// The transpose: pixels of the rings, the sum over m of y_m exp(i m phi). Only the real part is used, because modes
  /// of m < 0 are the conjugates.
  static void transform_back(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                             const fft::Split<double> (&modes)[2], Index count, bool truncate, double* const (&y)[2],
                             RingWork& work);

 private:
  std::size_t place(Index q) const { return static_cast<std::size_t>(q % sizes_.places); }
  Index index(Index q, Index field, bool north) const {
    return ((q % sizes_.places) * sizes_.fields + field) * 2 + (north ? 0 : 1);
  }

  Sizes sizes_;
  std::vector<Index> held_;
  core::AlignedBuffer<double> pixels_, modes_;
};

}  // namespace armilla::radial
