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

/// Working arrays of one thread for rings of up to `pixels` pixels.
struct RingWork {
  RingWork(const fft::RingFftSizes& sizes, Index pixels);
  /// Numbers in them, but for those of the FFTs.
  static Index numbers(Index pixels) { return 6 * pixels + 4 * fft::kTileM; }

  core::AlignedBuffer<double> rows[2];  ///< pixels of a pair
  core::AlignedBuffer<double> zeros;    ///< pixels of a ring that is not there
  core::AlignedBuffer<double> discarded;
  core::AlignedBuffer<std::complex<double>> spectrum;
  core::AlignedBuffer<std::complex<double>> tile[2];  ///< modes of a pair
  fft::RingFftWorkspace<double> fft;
  fft::RingPhase<double> phases[2];
};

/// What rings of the input a band needs: weighted pixels, repeated behind their end as far as sums along the ring
/// reach, and modes, x_m = sum over j of x_j exp(-i m phi_j), beyond the Nyquist frequency too. Pair q stands at place
/// q modulo the number of places.
class RingStore {
 public:
  struct Sizes {
    Index places;  ///< pairs
    Index fields;
    Index pixels;  ///< of a ring with what is repeated; 0: none is stored
    Index modes;   ///< from one array to the next, a multiple of 8; 0: none is stored
    Index bytes() const;
  };
  explicit RingStore(const Sizes& sizes);

  bool holds(Index q) const { return held_[place(q)] == q; }
  /// Holds nothing any more.
  void forget() { std::fill(held_.begin(), held_.end(), Index{-1}); }
  void set_held(Index q) { held_[place(q)] = q; }
  /// From the pixels of a ring to those of the next field.
  Index field_stride() const { return 2 * sizes_.pixels; }
  double* pixels(Index q, Index field, bool north) { return pixels_.data() + index(q, field, north) * sizes_.pixels; }
  fft::Split<double> modes(Index q, Index field, bool north) {
    double* re = modes_.data() + index(q, field, north) * 2 * sizes_.modes;
    return {re, re + sizes_.modes};
  }

  /// Modes 0 .. count - 1 of the rings of a pair from their pixels x, null where there is no ring; those beyond the
  /// Nyquist frequency are zero where `truncate`.
  static void transform(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                        const double* const (&x)[2], Index count, bool truncate, const fft::Split<double> (&modes)[2],
                        RingWork& work);
  /// The transpose: pixels of the rings, sum over m of y_m exp(i m phi), real part as that of m < 0 is the conjugate.
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
