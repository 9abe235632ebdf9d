#pragma once

#include <armilla/ops/analysis_weights.hpp>
#include <armilla/radial/convolver.hpp>
#include <armilla/radial/device_convolver.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::ops {

/// How maps are convolved with a kernel of the angle.
enum class RadialMethod {
  kAuto,     ///< kRings or kHarmonic: what takes fewer operations
  kRings,    ///< ring by ring, by spectra and by sums in pixels
  kDirect,   ///< the sum over the pixels in reach
  kHarmonic  ///< adjoint synthesis, times the Legendre transform of the kernel, synthesis
};

/// What is asked of a convolution with one kernel.
struct RadialRequest {
  std::shared_ptr<const radial::Kernel> kernel;
  std::optional<double> cutoff = {};                 ///< [rad]; nothing: by the error
  std::optional<double> cutoff_error = {};           ///< relative rms error that cutting the kernel may make
  std::optional<std::vector<double>> spectrum = {};  ///< C_l that this error is for
  /// The largest mode of the kernel that kRings may omit, relative to the largest of all; 0: none. By default a tenth
  /// of the step at the cutoff.
  std::optional<double> mode_error = {};
  RadialMethod method = RadialMethod::kAuto;
  bool truncate = false;      ///< modes beyond a ring's Nyquist frequency are dropped, not folded
  bool interpolated = false;  ///< kRings and kDirect look the kernel up in a table
  double sigma = 0;           ///< of a Gaussian [rad]: of fields of spin s, K_l is divided by exp(-s^2 sigma^2 / 2)
};

inline constexpr double kDefaultCutoffError = 1e-6;

/// How it is done: a pure function of the request, the two grids and the spins.
struct RadialPlan {
  radial::ConvolutionSpec spec;
  RadialMethod method;  ///< never kAuto
  double cutoff_error;  ///< relative rms error of the cut
  Index lmax;           ///< of kHarmonic: from there on K_l is negligible
  double sigma;
  std::string why;  ///< in one line
};

/// Where a kernel is cut.
struct RadialCutoff {
  double angle;  ///< [rad]
  double error;  ///< radial::cutoff_error there
};

/// Throws InputError "<rest of a message>" for a cutoff that drops more than cutoff_error, and for a spectrum that has
/// no power where the kernel has some. Not collective.
RadialCutoff plan_cutoff(const RadialRequest& request);

/// Throws InputError "<rest of a message>" for a method that cannot convolve such fields between these grids. Not
/// collective.
RadialPlan plan_radial(const RadialRequest& request, const RadialCutoff& cutoff,
                       const std::shared_ptr<const grid::RingGrid>& in,
                       const std::shared_ptr<const grid::RingGrid>& out, const transform::FieldKind& kind);

/// The value of a kernel at 0 times the area of a pixel, over the integral of its absolute value: what a pixel itself
/// contributes. Beyond some 0.3 sums over pixels are far from the integral.
double own_pixel_share(const radial::Kernel& kernel, double cutoff, const grid::RingGrid& grid);

/// Makes a plan ready for a job that computes on devices: tabulates the kernel, and says in `why` where a device cannot
/// do it. Not collective.
void plan_for_device(RadialPlan& plan);

/// The area of a pixel of each ring [sr]: by the weights; 1 without. A part of the sky has those of its whole grid.
class RadialAreas {
 public:
  /// Collective. Throws InputError as check(). Holds `comm` no longer than the call.
  RadialAreas(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
              const std::optional<WeightsSpec>& weights);
  /// Not collective. Throws InputError "<rest of a message>" where the grid has no such weights.
  static void check(const std::optional<WeightsSpec>& weights, const grid::RingGrid& grid);
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, const std::optional<WeightsSpec>& weights,
                                     int rank);

  const std::vector<double>& of_rings() const { return rings_; }  ///< of a pixel, [ring of the grid]
  /// What remains to be multiplied pixel by pixel; null if nothing does.
  const PixelWeights* of_pixels() const { return pixels_ ? &*pixels_ : nullptr; }

 private:
  std::vector<double> rings_;
  std::optional<PixelWeights> pixels_;
};

/// The device of a convolution.
struct RadialDevice {
  backend::Kind backend = backend::Kind::kCpu;  ///< never kAuto
  Index work_bytes = 0;                         ///< of each of its working spaces
};

/// Whether a device of that backend can do it: all specs have a device_table.
bool on_device(backend::Kind backend, const std::vector<radial::ConvolutionTarget>& targets);

/// Convolution of the maps of one grid with kernels by kRings and kDirect, kFieldsAtOnce maps at a time. Works on a
/// device where that can do it.
template <class T>
class RadialConvolution {
 public:
  static constexpr Index kFieldsAtOnce = 8;

  /// Collective. `fields`: maps times components, at the most.
  RadialConvolution(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> in,
                    const std::vector<radial::ConvolutionTarget>& targets, Index fields,
                    const RadialDevice& device = {});
  /// On the host.
  static core::MemoryEstimate memory(const dist::PixelDistribution& in,
                                     const std::vector<radial::ConvolutionTarget>& targets, int rank, Index fields,
                                     backend::Kind backend = backend::Kind::kCpu);
  /// On a device that can do it. With working space of that many bytes one rank alone has its fields there too.
  struct DeviceMemory {
    backend::DeviceEstimate estimate;
    Index one_band_bytes;
  };
  static DeviceMemory device_memory(const dist::PixelDistribution& in,
                                    const std::vector<radial::ConvolutionTarget>& targets, int rank, Index fields);

  /// Collective. Overwrites out[target], which have the components and maps of `map`. `areas` are the same in all
  /// calls.
  void operator()(const transform::MapField<T>& map, const RadialAreas& areas,
                  const std::vector<transform::MapField<T>*>& out);

 private:
  std::shared_ptr<backend::Context<T>> context_;
  Index fields_;  // at once
  std::optional<radial::Convolver<T>> on_host_;
  std::optional<radial::DeviceConvolver<T>> on_device_;  // or
};

/// Collective. The same by kHarmonic, with the transform of the grid; `out` is not `map`. `windows` [kernel][spin field
/// of the kind][l].
template <class T>
void convolve_harmonic(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                       const RadialAreas& areas, const std::vector<std::vector<std::vector<double>>>& windows,
                       const std::vector<transform::MapField<T>*>& out);

/// K_l of each spin field, l = 0 .. lmax.
std::vector<std::vector<double>> radial_windows(const RadialPlan& plan, const transform::FieldKind& kind, Index lmax);

/// Collective. map = map / divisor, 0 if that is at most `least` times its largest absolute value anywhere in the
/// component; the divisor has one component or as many, one map or as many.
template <class T>
void divide_map(const comm::Communicator& comm, transform::MapField<T>& map, const transform::MapField<T>& divisor,
                double least);

}  // namespace armilla::ops
