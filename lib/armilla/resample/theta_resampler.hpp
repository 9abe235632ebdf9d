#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/resample/convolution.hpp>
#include <armilla/resample/fine_grid.hpp>
#include <armilla/resample/meridian.hpp>
#include <armilla/resample/pole_parity.hpp>

#include <complex>
#include <set>
#include <span>
#include <vector>

namespace armilla::resample {

/// Carries Delta_m(theta) of one m and one component from a least set of rings, the source, to the rings of a grid, the
/// target. Delta_m continued around the whole meridian is a trigonometric polynomial of degree lmax and of known
/// parity, so values at lmax + 1 rings theta_j = pi (j + 1/2) / n fix it (no ring lies on a pole). Cosine or sine
/// coefficients come from one complex FFT of n points (Makhoul 1980), and values at any theta from a second FFT onto a
/// finer grid and a short convolution (nonuniform FFT of type 2; Dutt & Rokhlin 1993, Barnett et al. 2019). Relative
/// error about 1e-13 of the largest value plus what the rounding of theta itself costs.
///
/// Immutable; any number of threads may call it, each with a Workspace of its own. Each column is summed in an order
/// that depends on lmax and the targets alone.
class ThetaResampler {
 public:
  using Complex = std::complex<double>;

  /// Buffers of one thread. Good for every call of the resampler it was made for.
  class Workspace {
   public:
    explicit Workspace(const ThetaResampler& resampler);

   private:
    friend class ThetaResampler;
    core::AlignedBuffer<std::complex<double>> first_;
    core::AlignedBuffer<std::complex<double>> second_;
    core::AlignedBuffer<std::complex<double>> fine_;  ///< [north, south][pair, with margins]
  };

  /// Targets are pairs of rings, named by cosine >= 0 and sine of the northern one (both, so that neither the poles nor
  /// the equator lose digits); any order, repeated ones allowed. Throws InputError for lmax < 0, lists of different
  /// length, or a target that is not in the northern hemisphere.
  ThetaResampler(Index lmax, std::span<const double> target_cos, std::span<const double> target_sin);
  /// Its targets are the pairs of the fine grid itself, without the sums over it: what a transform at points takes its
  /// kernel's sums of. Throws InputError for lmax < 0, and a grid that is too small or of no such length.
  ThetaResampler(Index lmax, const FineGrid& fine);

  Index lmax() const { return lmax_; }
  /// Pairs of rings that the Legendre stage must fill: about (lmax + 1) / 2, sines ascending, none on pole or equator.
  Index source_pairs() const { return source_plan_.length() / 2; }
  std::span<const double> source_cos() const { return source_cos_; }
  std::span<const double> source_sin() const { return source_sin_; }
  Index target_pairs() const { return static_cast<Index>(first_point_.size()); }
  /// Whether they are the pairs of the fine grid itself.
  bool is_on_fine_grid() const { return on_fine_grid_; }

  /// Synthesis, in two steps: source [source pair] -> the fine grid, which the workspace keeps,
  void synthesis(PoleParity parity, ConstRingColumn source, Workspace& workspace) const;
  /// and from there to target pairs begin .. end - 1, the first of which stands at targets.data. As often as wanted.
  void get_targets(Index begin, Index end, RingColumn targets, Workspace& workspace) const;
  /// The same for targets of which only one ring is wanted, north or south as `hemisphere` [target] says: that of
  /// target i at rings[(i - begin) stride].
  void get_rings(Index begin, Index end, const Hemisphere* hemisphere, Complex* rings, Index stride,
                 Workspace& workspace) const;

  /// The transpose, in three: clears the fine grid of the workspace,
  void clear(Workspace& workspace) const;
  /// adds target pairs begin .. end - 1 to it, the first of which stands at targets.data (sums depend on the order of
  /// the targets, not on how they are cut into calls; pairs left out count as zero),
  void add_targets(Index begin, Index end, ConstRingColumn targets, Workspace& workspace) const;
  /// The same for targets that have one ring each, as get_rings,
  void add_rings(Index begin, Index end, const Hemisphere* hemisphere, const Complex* rings, Index stride,
                 Workspace& workspace) const;
  /// and brings the fine grid to source [source pair], overwritten; the fine grid is void then.
  void adjoint(PoleParity parity, RingColumn source, Workspace& workspace) const;

  // The halves of these, for what works on the coefficients of cos(k theta) (even parity) or sin(k theta) between them.
  // Coefficients stand at [0 .. lmax]; those that come out are factor_k times
  //   2 (even) or -2 i (odd) times the sum over rings of x cos(k theta) or x sin(k theta),
  // where `scaled_twiddle` is the twiddle below times the factors, and what goes in comes out as
  //   2 (even) or 2 i (odd) times the sum over k of c_k cos(k theta) or c_k sin(k theta).
  // On the fine grid it is the kernel's sum and its transpose: coefficients are to be divided by kernel_transform.

  void source_to_coefficients(PoleParity parity, ConstRingColumn source, const Complex* scaled_twiddle,
                              Complex* coefficients, Workspace& workspace) const;
  void coefficients_to_source(PoleParity parity, const Complex* coefficients, RingColumn source,
                              Workspace& workspace) const;
  void fine_to_coefficients(PoleParity parity, const Complex* scaled_twiddle, Complex* coefficients,
                            Workspace& workspace) const;
  void coefficients_to_fine(PoleParity parity, const Complex* coefficients, Workspace& workspace) const;

  std::span<const Complex> source_twiddle() const { return source_twiddle_.span(); }
  std::span<const Complex> fine_twiddle() const { return fine_twiddle_.span(); }
  /// [k] Fourier transform of the kernel at degree k.
  std::vector<double> kernel_transform() const;

  // Tables for resampling elsewhere.

  /// Factors of synthesis between its two FFTs: source_twiddle and, for the transpose, fine_twiddle, times the
  /// normalisation over the transform of the kernel.
  std::span<const Complex> source_scaled() const { return source_scaled_.span(); }
  std::span<const Complex> fine_scaled() const { return fine_scaled_.span(); }
  Index fine_pairs() const { return fine_plan_.length() / 2; }
  /// What the targets read of a half of the fine grid that begins margin() pairs before the pole's.
  Convolution convolution() const { return {first_point_.data(), weights_.data()}; }
  static Index margin();
  /// For so many target pairs, with so many workspaces.
  static core::MemoryEstimate memory(Index lmax, Index target_pairs, Index workspaces, const FineGrid& fine);

 private:
  ThetaResampler(Index lmax, const FineGrid& fine, bool on_fine_grid);
  void plan_coefficients();
  void plan_targets(std::span<const double> target_cos, std::span<const double> target_sin);
  /// The fine grid of a workspace from its first margin on, and from its first pair on.
  Halves extended(Workspace& workspace) const;
  Halves inner(Workspace& workspace) const;

  Index lmax_;
  FineGrid fine_grid_;
  bool on_fine_grid_;  ///< targets are its pairs
  fft::ComplexPlan<double> source_plan_;
  fft::ComplexPlan<double> fine_plan_;
  std::vector<double> source_cos_;
  std::vector<double> source_sin_;
  core::AlignedBuffer<Complex> source_twiddle_;  ///< [k] t_k = exp(-i pi k / (2 n)), n = length of the source
  core::AlignedBuffer<Complex> fine_twiddle_;    ///< [k] the same for the fine grid
  core::AlignedBuffer<Complex> source_scaled_;   ///< [k] t_k times the normalisation over the transform of the kernel
  core::AlignedBuffer<Complex> fine_scaled_;
  std::vector<Index> first_point_;       ///< [target pair] where its weights begin in the extended fine grid
  core::AlignedBuffer<double> weights_;  ///< [target pair][kWindow]
};

/// Pairs of rings of the grids of a ThetaResampler.
struct ResamplerSize {
  Index source_pairs;
  Index fine_pairs;
};
ResamplerSize resampler_size(Index lmax, const FineGrid& fine);

/// Northern rings of the source, as ThetaResampler::source_cos and source_sin.
struct SourceThetas {
  std::vector<double> cosines, sines;
};
SourceThetas source_thetas(Index lmax);

/// Lengths of the FFTs of a ThetaResampler, both in double precision.
std::set<Index> resampler_plans(Index lmax, const FineGrid& fine);

}  // namespace armilla::resample
