#pragma once

#include <armilla/ops/analysis_weights.hpp>
#include <armilla/radial/convolver.hpp>
#include <armilla/radial/device_convolver.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::ops {

/// Method of convolving maps with a kernel of the angle.
enum class RadialMethod {
  kAuto,     ///< kRings or kHarmonic, whichever takes fewer operations
  kRings,    ///< ring by ring, with spectra of rings or with sums over pixels
  kDirect,   ///< sum over the pixels within the cutoff
  kHarmonic  ///< adjoint synthesis, times the Legendre transform of the kernel, synthesis
};

/// Parameters of a convolution with one kernel.
struct RadialRequest {
  std::shared_ptr<const radial::Kernel> kernel;
  std::optional<double> cutoff = {};                 ///< [rad]; if empty, determined by the error
  std::optional<double> cutoff_error = {};           ///< relative rms error allowed for truncation of the kernel
  std::optional<std::vector<double>> spectrum = {};  ///< C_l for which this error is evaluated
  /// Kernel modes below this fraction of the largest one may be omitted by kRings; 0 keeps all. The default is 0.1
  /// times the jump at the cutoff.
  std::optional<double> mode_error = {};
  RadialMethod method = RadialMethod::kAuto;
  bool truncate = false;      ///< modes beyond a ring's Nyquist frequency are dropped instead of folded
  bool interpolated = false;  ///< kRings and kDirect interpolate the kernel in a table
  double sigma = 0;           ///< of a Gaussian [rad]: of fields of spin s, K_l is divided by exp(-s^2 sigma^2 / 2)
};

inline constexpr double kDefaultCutoffError = 1e-6;

/// Plan of a convolution: a pure function of the request, the two grids and the spins.
struct RadialPlan {
  radial::ConvolutionSpec spec;
  RadialMethod method;  ///< never kAuto
  double cutoff_error;  ///< relative rms error of the truncation
  Index lmax;           ///< for kHarmonic: K_l is negligible above this degree
  double sigma;
  std::string why;  ///< in one line
};

/// Truncation of a kernel.
struct RadialCutoff {
  double angle;  ///< [rad]
  double error;  ///< radial::cutoff_error there
};

/// Not collective. Throws InputError "<rest of a message>" for a cutoff whose error exceeds cutoff_error, and for a
/// spectrum that has no power at the degrees of the kernel.
RadialCutoff plan_cutoff(const RadialRequest& request);

/// Not collective. Throws InputError "<rest of a message>" for a method that does not support such fields and grids.
RadialPlan plan_radial(const RadialRequest& request, const RadialCutoff& cutoff,
                       const std::shared_ptr<const grid::RingGrid>& in,
                       const std::shared_ptr<const grid::RingGrid>& out, const transform::FieldKind& kind);

/// The value of a kernel at 0 times the area of a pixel, relative to the integral of its absolute value: the
/// contribution of the pixel itself. Above about 0.3, sums over pixels differ much from the integral.
double own_pixel_share(const radial::Kernel& kernel, double cutoff, const grid::RingGrid& grid);

/// Not collective. Prepares a plan for a job that computes on devices: tabulates the kernel, and explains in `why` if
/// the device does not support it.
void plan_for_device(RadialPlan& plan);

/// The area of a pixel of each ring [sr], from the weights; 1 without weights. A part of the sky has the areas of its
/// full grid.
class RadialAreas {
 public:
  /// Collective. Throws InputError like check(). Does not keep a reference to `comm`.
  RadialAreas(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
              const std::optional<WeightsSpec>& weights);
  /// Not collective. Throws InputError "<rest of a message>" if the grid has no such weights.
  static void check(const std::optional<WeightsSpec>& weights, const grid::RingGrid& grid);
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, const std::optional<WeightsSpec>& weights,
                                     int rank);

  const std::vector<double>& of_rings() const { return rings_; }  ///< area of one pixel, [ring of the grid]
  /// Weights that must still be applied pixel by pixel; null if there are none.
  const PixelWeights* of_pixels() const { return pixels_ ? &*pixels_ : nullptr; }

 private:
  std::vector<double> rings_;
  std::optional<PixelWeights> pixels_;
};

/// The device of a convolution.
struct RadialDevice {
  backend::Kind backend = backend::Kind::kCpu;  ///< never kAuto
  Index work_bytes = 0;                         ///< of each of its workspaces
};

/// Whether devices of that backend support the convolution: all specs have a device_table.
bool on_device(backend::Kind backend, const std::vector<radial::ConvolutionTarget>& targets);

/// Convolution of the maps of one grid with kernels by kRings and kDirect, kFieldsAtOnce maps at a time. Uses a device
/// if it supports the convolution.
template <class T>
class RadialConvolution {
 public:
  static constexpr Index kFieldsAtOnce = 8;

  /// Collective. `fields`: maximum of maps times components.
  RadialConvolution(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> in,
                    const std::vector<radial::ConvolutionTarget>& targets, Index fields,
                    const RadialDevice& device = {});
  /// Host memory.
  static core::MemoryEstimate memory(const dist::PixelDistribution& in,
                                     const std::vector<radial::ConvolutionTarget>& targets, int rank, Index fields,
                                     backend::Kind backend = backend::Kind::kCpu);
  /// Memory on a device that supports the convolution. With a workspace of this many bytes, a single rank also keeps
  /// its fields on the device.
  struct DeviceMemory {
    backend::DeviceEstimate estimate;
    Index one_band_bytes;
  };
  static DeviceMemory device_memory(const dist::PixelDistribution& in,
                                    const std::vector<radial::ConvolutionTarget>& targets, int rank, Index fields);

  /// Collective. Overwrites out[target], which have the components and maps of `map`. `areas` must be the same in all
  /// calls.
  void operator()(const transform::MapField<T>& map, const RadialAreas& areas,
                  const std::vector<transform::MapField<T>*>& out);

 private:
  std::shared_ptr<backend::Context<T>> context_;
  Index fields_;  // processed at once
  std::optional<radial::Convolver<T>> on_host_;
  std::optional<radial::DeviceConvolver<T>> on_device_;  // alternative to on_host_
};

/// Collective. Convolves with kHarmonic, using the transform of the grid; `out` must differ from `map`. `windows`
/// [kernel][spin field of the kind][l].
template <class T>
void convolve_harmonic(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                       const RadialAreas& areas, const std::vector<std::vector<std::vector<double>>>& windows,
                       const std::vector<transform::MapField<T>*>& out);

/// K_l of each spin field, l = 0 .. lmax.
std::vector<std::vector<double>> radial_windows(const RadialPlan& plan, const transform::FieldKind& kind, Index lmax);

/// Collective. map = map / divisor, or 0 where the divisor is at most `least` times its largest absolute value in the
/// component. The divisor has one component or that of the map, and one map or the number of maps.
template <class T>
void divide_map(const comm::Communicator& comm, transform::MapField<T>& map, const transform::MapField<T>& divisor,
                double least);

}  // namespace armilla::ops
