#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/resample/convolution.hpp>
#include <armilla/resample/fine_grid.hpp>
#include <armilla/resample/meridian.hpp>
#include <armilla/resample/pole_parity.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::resample {

/// Resamples Delta_m(theta) of one m and one component from a minimal set of rings, the source, to the rings of a grid,
/// the target. Extended around the whole meridian, Delta_m is a trigonometric polynomial of degree lmax and known
/// parity. Values at lmax + 1 rings theta_j = pi (j + 1/2) / n, none at a pole, therefore determine it. One complex FFT
/// of n points gives the cosine or sine coefficients (Makhoul 1980). A second FFT onto a finer grid and a short
/// convolution give values at any theta (nonuniform FFT of type 2; Dutt & Rokhlin 1993, Barnett et al. 2019). The
/// relative error is about 1e-13 of the largest value plus the effect of rounding theta itself.
///
/// Immutable and thread-safe; each thread needs its own Workspace. Each column is summed in an order that depends only
/// on lmax and the targets.
class ThetaResampler {
 public:
  using Complex = std::complex<double>;

  /// Buffers of one thread, for any call of the resampler for which they were made, and of resamplers of lower degree.
  class Workspace {
   public:
    explicit Workspace(const ThetaResampler& resampler);

   private:
    friend class ThetaResampler;
    core::AlignedBuffer<std::complex<double>> first_;
    core::AlignedBuffer<std::complex<double>> second_;
    core::AlignedBuffer<std::complex<double>> fine_;  ///< [north, south][pair, with margins]
  };

  /// Targets are pairs of rings, given by cosine >= 0 and sine of the northern one. Both are given so that no digits
  /// are lost at the poles or the equator. Any order and repeated targets are allowed. Throws InputError for lmax < 0,
  /// lists of different length, or a target that is not in the northern hemisphere.
  ThetaResampler(Index lmax, std::span<const double> target_cos, std::span<const double> target_sin);
  /// The targets are the pairs of the fine grid itself. The kernel sums over it are omitted, as required for transforms
  /// at points. Throws InputError for lmax < 0, and for a fine grid that is too small or of an unsupported length.
  ThetaResampler(Index lmax, const FineGrid& fine);

  Index lmax() const { return lmax_; }
  /// Pairs of rings that the Legendre stage must fill: about (lmax + 1) / 2, sines ascending, none at a pole or the
  /// equator.
  Index source_pairs() const { return source_plan_.length() / 2; }
  std::span<const double> source_cos() const { return source_cos_; }
  std::span<const double> source_sin() const { return source_sin_; }
  Index target_pairs() const { return static_cast<Index>(first_point_.size()); }
  /// Whether the targets are the pairs of the fine grid itself.
  bool is_on_fine_grid() const { return on_fine_grid_; }

  /// Synthesis, first step: source [source pair] -> the fine grid, which the workspace keeps.
  void synthesis(PoleParity parity, ConstRingColumn source, Workspace& workspace) const;
  /// Synthesis, second step: evaluates target pairs begin .. end - 1; the first is at targets.data. May be called
  /// repeatedly.
  void get_targets(Index begin, Index end, RingColumn targets, Workspace& workspace) const;
  /// The second step for targets with a single requested ring, in the half given by `hemisphere` [target]. Target i is
  /// at rings[(i - begin) stride].
  void get_rings(Index begin, Index end, const Hemisphere* hemisphere, Complex* rings, Index stride,
                 Workspace& workspace) const;

  /// The transpose, first step: clears the fine grid of the workspace.
  void clear(Workspace& workspace) const;
  /// The transpose, second step: adds target pairs begin .. end - 1 to the fine grid; the first is at targets.data.
  /// Sums depend on the order of the targets, but not on how they are divided into calls. Omitted pairs count as zero.
  void add_targets(Index begin, Index end, ConstRingColumn targets, Workspace& workspace) const;
  /// The second step for targets with a single ring, with the parameters of get_rings.
  void add_rings(Index begin, Index end, const Hemisphere* hemisphere, const Complex* rings, Index stride,
                 Workspace& workspace) const;
  /// The transpose, third step: transforms the fine grid to source [source pair], overwritten. The fine grid is
  /// unspecified afterwards.
  void adjoint(PoleParity parity, RingColumn source, Workspace& workspace) const;

  // The halves of these transforms, for methods that use the coefficients of cos(k theta) (even parity) or sin(k
  // theta). Coefficients are stored at [0 .. lmax]. Output coefficients are factor_k times
  //   2 (even) or -2 i (odd) times the sum over rings of x cos(k theta) or x sin(k theta),
  // where `scaled_twiddle` is the twiddle below times the factors. Input coefficients give
  //   2 (even) or 2 i (odd) times the sum over k of c_k cos(k theta) or c_k sin(k theta).
  // On the fine grid these are the kernel's sum and its transpose: multiply coefficients by deconvolution().

  void source_to_coefficients(PoleParity parity, ConstRingColumn source, const Complex* scaled_twiddle,
                              Complex* coefficients, Workspace& workspace) const;
  void coefficients_to_source(PoleParity parity, const Complex* coefficients, RingColumn source,
                              Workspace& workspace) const;
  void fine_to_coefficients(PoleParity parity, const Complex* scaled_twiddle, Complex* coefficients,
                            Workspace& workspace) const;
  void coefficients_to_fine(PoleParity parity, const Complex* coefficients, Workspace& workspace) const;

  std::span<const Complex> source_twiddle() const { return source_twiddle_.span(); }
  std::span<const Complex> fine_twiddle() const { return fine_twiddle_.span(); }
  /// [k] inverse of the Fourier transform of the kernel at degree k.
  std::vector<double> deconvolution() const;

  // Tables for resampling in other modules.

  /// Factors of synthesis between its two FFTs: source_twiddle and, for the transpose, fine_twiddle, times the
  /// normalisation divided by the transform of the kernel.
  std::span<const Complex> source_scaled() const { return source_scaled_.span(); }
  std::span<const Complex> fine_scaled() const { return fine_scaled_.span(); }
  Index fine_pairs() const { return fine_plan_.length() / 2; }
  /// The convolution from a half of the fine grid, which begins margin() pairs before the pole, to the targets.
  Convolution convolution() const { return {first_point_.data(), weights_.data()}; }
  static Index margin();
  /// Memory for these numbers of target pairs and workspaces.
  static core::MemoryEstimate memory(Index lmax, Index target_pairs, Index workspaces, const FineGrid& fine);

 private:
  ThetaResampler(Index lmax, const FineGrid& fine, bool on_fine_grid);
  void plan_coefficients();
  void plan_targets(std::span<const double> target_cos, std::span<const double> target_sin);
  /// The fine grid of a workspace, starting at its first margin, and starting at its first pair.
  Halves extended(Workspace& workspace) const;
  Halves inner(Workspace& workspace) const;

  Index lmax_;
  FineGrid fine_grid_;
  bool on_fine_grid_;  ///< targets are the pairs of the fine grid
  fft::ComplexPlan<double> source_plan_;
  fft::ComplexPlan<double> fine_plan_;
  std::vector<double> source_cos_;
  std::vector<double> source_sin_;
  core::AlignedBuffer<Complex> source_twiddle_;  ///< [k] t_k = exp(-i pi k / (2 n)), n = length of the source
  core::AlignedBuffer<Complex> fine_twiddle_;    ///< [k] the same for the fine grid
  core::AlignedBuffer<Complex> source_scaled_;   ///< [k] t_k normalised and divided by the transform of the kernel
  core::AlignedBuffer<Complex> fine_scaled_;
  std::vector<Index> first_point_;       ///< [target pair] first point of its weights in the extended fine grid
  core::AlignedBuffer<double> weights_;  ///< [target pair][kWindow]
};

/// Numbers of ring pairs of the source and of the fine grid of a ThetaResampler.
struct ResamplerSize {
  Index source_pairs;
  Index fine_pairs;
};
ResamplerSize resampler_size(Index lmax, const FineGrid& fine);

/// Northern rings of the source, equal to ThetaResampler::source_cos and source_sin.
struct SourceThetas {
  std::vector<double> cosines, sines;
};
SourceThetas source_thetas(Index lmax);

}  // namespace armilla::resample
