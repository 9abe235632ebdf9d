#pragma once

#include <armilla/resample/circle_rings.hpp>
#include <armilla/resample/sine_product.hpp>
#include <armilla/resample/theta_resampler.hpp>

namespace armilla::resample {

/// Quadrature in theta on equidistant rings that is exact for all fields up to the degree of the rings, for slambda_lm
/// of degree l <= lmax, where lmax may be lower. The rings give the coefficients of the cosine or sine series of
/// Delta_m up to their degree. SineProduct gives their integrals with cos(j theta) or sin(j theta) times sin(theta).
/// The transposes give rings for which these integrals are plain sums. A Legendre stage without weights therefore gives
/// 2 pi times the integrals over theta of Delta_m slambda_lm sin(theta) (docs/decisions/0020-truncated-quadrature.md).
/// Immutable and thread-safe; each thread needs its own Workspace.
class ThetaQuadrature {
 public:
  /// Buffers of one thread; they share those of a workspace of grid_side().
  class Workspace {
   public:
    Workspace(const ThetaQuadrature& quadrature, ThetaResampler::Workspace& resampling);

   private:
    friend class ThetaQuadrature;
    ThetaResampler::Workspace& resampling_;
    SineProduct::Workspace product_;
    core::AlignedBuffer<std::complex<double>> coefficients_;
  };

  /// The rings of the Legendre stage are the source of `source_side`, whose degree is lmax. The targets of `grid_side`
  /// are the pairs of `rings`, followed by a pair at the poles if rings.has_extra(). Its degree, at least lmax, is that
  /// up to which fields are integrated exactly. Both may be the same resampler. All must outlive the quadrature. Throws
  /// InternalError if the degree of `grid_side` is below lmax.
  ThetaQuadrature(const ThetaResampler& source_side, const ThetaResampler& grid_side, const CircleRings& rings);

  /// Maps the rings of the grid to rings of the same grid, in place; the operator is symmetric. The degrees of both
  /// sides must be equal. `rings`: [pair], with space for the extra pair at the end. Absent rings must be zero and are
  /// unspecified afterwards. `at_pole`: Delta_m may be non-zero at the poles (m = spin).
  void rings_to_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const;

  /// Maps the rings of the grid to the source rings; overwrites both.
  void rings_to_source(PoleParity parity, bool at_pole, PairValue* rings, RingColumn source,
                       Workspace& workspace) const;
  /// The transpose.
  void source_to_rings(PoleParity parity, bool at_pole, ConstRingColumn source, PairValue* rings,
                       Workspace& workspace) const;

  const ThetaResampler& source_side() const { return source_side_; }
  const ThetaResampler& grid_side() const { return grid_side_; }
  const CircleRings& rings() const { return rings_; }
  /// Memory for sides of these degrees and `pairs` pairs of rings with this number of workspaces, without the
  /// resamplers and their workspaces.
  static core::MemoryEstimate memory(Index lmax, Index degree, Index pairs, Index workspaces);

  // Tables for quadrature in other modules: the product between the two sets of coefficients, its gain for
  // rings_to_rings, and the twiddles times the normalisations before and after it, up to the degree of that side.

  const SineProduct& product() const { return product_; }
  double grid_gain() const { return grid_gain_; }
  std::span<const std::complex<double>> from_source() const { return from_source_.span(); }
  std::span<const std::complex<double>> from_grid() const { return from_grid_.span(); }
  std::span<const std::complex<double>> to_source() const { return to_source_.span(); }
  std::span<const std::complex<double>> to_grid() const { return to_grid_.span(); }

 private:
  using Complex = std::complex<double>;

  void get_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const;
  void add_rings(bool at_pole, PairValue* rings, Workspace& workspace) const;

  const ThetaResampler& source_side_;
  const ThetaResampler& grid_side_;
  const CircleRings& rings_;
  SineProduct product_;
  double grid_gain_;  ///< factor of sums over the rings of the grid, relative to those over the source
  // Twiddles times normalisations.
  core::AlignedBuffer<Complex> from_source_;
  core::AlignedBuffer<Complex> from_grid_;
  core::AlignedBuffer<Complex> to_source_;
  core::AlignedBuffer<Complex> to_grid_;
};

}  // namespace armilla::resample
