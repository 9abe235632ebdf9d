#pragma once

#include <armilla/resample/circle_rings.hpp>
#include <armilla/resample/sine_product.hpp>
#include <armilla/resample/theta_resampler.hpp>

namespace armilla::resample {

/// Quadrature in theta that is exact for fields of degree lmax, on the smallest number of equidistant rings that
/// determine them. The rings give the coefficients of the cosine or sine series of Delta_m. SineProduct gives their
/// integrals with cos(j theta) or sin(j theta) times sin(theta). The transposes give rings for which these integrals
/// are plain sums. A Legendre stage without weights therefore gives 2 pi times the integrals over theta of Delta_m
/// slambda_lm sin(theta) (docs/decisions/0011-exact-quadrature.md). Immutable and thread-safe; each thread needs its
/// own Workspace.
class ThetaQuadrature {
 public:
  /// Buffers of one thread; they share the buffers of the resampler.
  class Workspace {
   public:
    Workspace(const ThetaQuadrature& quadrature, ThetaResampler::Workspace& resampling);

   private:
    friend class ThetaQuadrature;
    ThetaResampler::Workspace& resampling_;
    SineProduct::Workspace product_;
    core::AlignedBuffer<std::complex<double>> coefficients_;
  };

  /// The targets of `resampler` are the pairs of `rings`, followed by a pair at the poles if rings.has_extra(). Both
  /// must outlive the quadrature.
  ThetaQuadrature(const ThetaResampler& resampler, const CircleRings& rings);

  /// Maps the rings of the grid to rings of the same grid, in place; the operator is symmetric. `rings`: [pair], with
  /// space for the extra pair at the end. Absent rings must be zero and are unspecified afterwards. `at_pole`: Delta_m
  /// may be non-zero at the poles (m = spin).
  void rings_to_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const;

  /// Maps the rings of the grid to the source rings of the resampler; overwrites both.
  void rings_to_source(PoleParity parity, bool at_pole, PairValue* rings, RingColumn source,
                       Workspace& workspace) const;
  /// The transpose.
  void source_to_rings(PoleParity parity, bool at_pole, ConstRingColumn source, PairValue* rings,
                       Workspace& workspace) const;

  const ThetaResampler& resampler() const { return resampler_; }
  const CircleRings& rings() const { return rings_; }
  /// Memory for `pairs` pairs of rings with this number of workspaces, without the resampler and its workspaces.
  static core::MemoryEstimate memory(Index lmax, Index pairs, Index workspaces);

  // Tables for quadrature in other modules: the product between the two sets of coefficients, its gain for
  // rings_to_rings, and the twiddles times the normalisations before and after it.

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

  const ThetaResampler& resampler_;
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
