#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/radial/interpolated_kernel.hpp>
#include <armilla/transform/ring_halo.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::radial {

using transform::ring_of;
using transform::RingHalo;

/// Parameters of the ring-by-ring convolution of a map with one kernel.
struct ConvolutionSpec {
  std::shared_ptr<const Kernel> kernel;
  double cutoff;  ///< the kernel is treated as zero beyond it [rad]
  /// The result of band_limit(); std::nullopt: rings of unequal length are summed in pixels.
  std::optional<Index> degree = {};
  bool direct = false;    ///< all rings are summed in pixels
  bool truncate = false;  ///< modes beyond the Nyquist frequency of either ring are dropped instead of folded
  std::shared_ptr<const InterpolatedKernel> table =
      {};  ///< table used instead of the kernel; null: evaluate the kernel
  /// Table used by a device for rings of unequal length; null: convolve on the host.
  std::shared_ptr<const InterpolatedKernel> device_table = {};

  /// The kernel value for sin^2(angle / 2) = chord, within reach.
  double value(double chord) const;
};

/// Geometry of two rings for their kernel: sin^2(angle / 2) = chord + g2 sin^2(phi / 2), which loses no digits at small
/// angles, and the largest phi within reach [rad].
struct RowShape {
  double chord;
  double g2;
  double phi_end;

  /// sin^2(angle / 2) of pixels separated by phi.
  double chord_at(double phi) const {
    const double half = std::sin(phi / 2);
    return chord + g2 * half * half;
  }
};

/// A row that is summed in modes.
struct ModeRow {
  RowShape shape;
  bool used[2];  ///< whether the northern, southern output ring uses it
};

/// Sampling of a row around the axis for its spectrum. The spectrum is zero beyond half the number of points. The mode
/// at half that number represents both signs and has weight one half.
struct RowSampling {
  Index points;
  bool lattice;  ///< at the offsets between the pixels of two rings, otherwise up to the band limit of the kernel
  bool half;     ///< the first sample is half a step off the axis instead of on it
  Index modes;   ///< a multiple of kModeStep
};

/// The rows of a kernel between the rings of two grids. Pairs of rings share rows. A row of an `out` pair p and an `in`
/// pair q is that of their rings in the same hemisphere, or, if `crossed`, in opposite hemispheres.
class RowPlan {
 public:
  using PairRange = dist::PairRange;

  /// Creates the plan for the pairs `own` of `out`.
  RowPlan(const grid::RingGrid& in, const grid::RingGrid& out, ConvolutionSpec spec, PairRange own);

  const ConvolutionSpec& spec() const { return spec_; }
  const grid::RingGrid& in() const { return in_; }
  const grid::RingGrid& out() const { return out_; }
  PairRange own() const { return own_; }
  /// Colatitude of a pair, folded to the north [rad].
  double theta_out(Index p) const { return theta_out_[core::at(p)]; }

  /// Pairs of `in` with a ring within reach of pair p of `out`; both ends increase with p.
  PairRange reach(Index p) const;
  std::optional<RowShape> shape(Index p, Index q, bool crossed) const;
  /// Whether the rings of this row in hemisphere `north` of `out` are summed in pixels. Both rings must exist.
  bool in_pixels(Index p, Index q, bool crossed, bool north) const;
  /// The row, if some of its rings are summed in modes.
  std::optional<ModeRow> mode_row(Index p, Index q, bool crossed) const;
  /// The sampling of a row that is summed in modes. The offsets between the pixels of the two rings are used if they
  /// form a lattice and need fewer operations; this is exact for any kernel. Otherwise sampling extends to the band
  /// limit of the kernel.
  RowSampling sampling(Index p, Index q, bool crossed) const;
  /// Number of modes of all rows of p, a multiple of kModeStep; zero if all are summed in pixels.
  Index out_modes(Index p) const { return out_modes_[core::at(p - own_.first)]; }

  /// Number of samples of a row, from the axis to its reach.
  static Index sample_count(const RowSampling& sampling, const RowShape& row);
  /// Appends these samples, multiplied by the factors of the cosine sum that gives the spectrum; returns their number.
  Index add_samples(const RowSampling& sampling, const RowShape& row, std::vector<double>& samples) const;

  // The following are for `in` pairs, over all local pairs of `out`.

  /// Number of modes needed.
  Index in_modes(Index q) const { return in_modes_[core::at(q)]; }
  /// Whether the pixels of pair q are needed.
  bool needs_pixels(Index q) const { return needs_pixels_[core::at(q)]; }

  /// Length of the longest sum along a ring, in pixels.
  Index longest_sum() const { return longest_sum_; }
  /// Upper bound on the samples of the rows of a pair.
  Index most_samples() const { return most_samples_; }
  /// Whether some rows are transformed by FFT.
  bool has_row_fft() const { return row_fft_; }
  /// Number of FMA for all local rows and their ring FFTs.
  double count() const { return count_; }

 private:
  /// Method of summing rows between rings of equal length.
  enum class EqualRingMethod { kPixels, kBandLimit, kLattice };
  /// Calls visit(q, crossed, north, shape, out ring, in ring) for all rings within reach of a pair.
  template <class Visit>
  void for_rows(Index p, const Visit& visit) const;
  void plan_pair(Index p);
  /// The method with the fewest operations; `ffts`: operations of the ring FFTs of the pair.
  EqualRingMethod choose(Index p, double ffts) const;
  double band_count(Index p, Index q, const RowShape& row) const;
  static double lattice_count(const RowShape& row, const grid::Ring& ring);
  /// Number of modes up to the band limit.
  Index band_modes(Index p, Index q) const;
  /// Whether the pixel offsets of a row are half a step off, if they form a lattice that is symmetric about the axis.
  /// std::nullopt if they do not, or if they differ between the hemispheres.
  std::optional<bool> lattice(Index p, Index q, bool crossed) const;

  const grid::RingGrid& in_;
  const grid::RingGrid& out_;
  ConvolutionSpec spec_;
  PairRange own_;
  double reach_chord_;  // sin^2(cutoff / 2)
  std::vector<double> theta_in_, theta_out_;
  std::vector<Index> out_modes_, band_points_;  // [local pair of `out`]
  std::vector<EqualRingMethod> equal_rings_;    // [local pair of `out`]
  std::vector<Index> in_modes_;                 // [q]
  std::vector<bool> needs_pixels_;              // [q]
  Index longest_sum_ = 0;
  Index most_samples_ = 0;
  bool row_fft_ = false;
  double count_ = 0;
};

/// Whether an FFT computes the spectrum of a row on a lattice with fewer operations than a cosine sum over this many
/// samples.
bool by_fft(const RowSampling& sampling, Index samples);

/// Number of FMA that take as long as the FFT of one ring, including its passes over memory (measured).
double ring_fft_count(Index nphi);

}  // namespace armilla::radial
