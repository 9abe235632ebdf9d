#pragma once

#include <armilla/resample/circle_rings.hpp>
#include <armilla/resample/sine_product.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <set>

namespace armilla::resample {

/// Quadrature in theta that is exact for fields of degree lmax on as few equidistant rings as fix them: the
/// coefficients of Delta_m's cosine or sine series follow from the rings, their integrals with cos(j theta) or
/// sin(j theta) sin(theta) from SineProduct, and rings that give these integrals as plain sums from the transposes. So
/// a Legendre stage that is used without weights gives 2 pi times the integrals over theta of Delta_m slambda_lm
/// sin(theta) (docs/decisions/0011-exact-quadrature.md). Immutable; any number of threads may call it, each with a
/// Workspace of its own.
class ThetaQuadrature {
 public:
  /// Buffers of one thread, which use those of the resampler too.
  class Workspace {
   public:
    Workspace(const ThetaQuadrature& quadrature, ThetaResampler::Workspace& resampling);

   private:
    friend class ThetaQuadrature;
    ThetaResampler::Workspace& resampling_;
    SineProduct::Workspace product_;
    core::AlignedBuffer<std::complex<double>> coefficients_;
  };

  /// `resampler` has the pairs of `rings` as its targets, and one pair at the poles behind them where
  /// rings.has_extra(). Both must outlive the quadrature.
  ThetaQuadrature(const ThetaResampler& resampler, const CircleRings& rings);

  /// Takes the rings of the grid to rings of the same grid, in place: its own transpose. `rings`: [pair], room for the
  /// extra pair behind; rings that are not there must be zero, and come out void. `at_pole`: Delta_m need not vanish at
  /// the poles (m = spin).
  void rings_to_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const;

  /// Takes them to the source rings of the resampler; overwrites both.
  void rings_to_source(PoleParity parity, bool at_pole, PairValue* rings, RingColumn source,
                       Workspace& workspace) const;
  /// The transpose.
  void source_to_rings(PoleParity parity, bool at_pole, ConstRingColumn source, PairValue* rings,
                       Workspace& workspace) const;

  const ThetaResampler& resampler() const { return resampler_; }
  const CircleRings& rings() const { return rings_; }
  /// For `pairs` pairs of rings, with so many workspaces, besides the resampler and its workspaces.
  static core::MemoryEstimate memory(Index lmax, Index pairs, Index workspaces);

  // Tables for quadrature elsewhere: the product between the two sets of coefficients, its gain for rings_to_rings, and
  // the twiddles times normalisations that come before and after it.

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
  double grid_gain_;  ///< of sums over the rings of the grid, against those over the source
  // Twiddles times normalisations.
  core::AlignedBuffer<Complex> from_source_;
  core::AlignedBuffer<Complex> from_grid_;
  core::AlignedBuffer<Complex> to_source_;
  core::AlignedBuffer<Complex> to_grid_;
};

/// Lengths of its FFTs, besides the resampler's.
std::set<Index> theta_quadrature_plans(Index lmax);

}  // namespace armilla::resample
