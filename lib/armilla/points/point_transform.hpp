#pragma once

#include <armilla/nufft/point_plan.hpp>
#include <armilla/points/device_sums.hpp>
#include <armilla/points/point_owners.hpp>
#include <armilla/points/torus_rows.hpp>
#include <armilla/transform/field_transform.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armilla::points {

/// Accuracy where none is asked for.
template <class T>
inline constexpr double kDefaultAccuracy = sizeof(T) == 4 ? 1e-6 : 1e-10;

/// What a transform at points needs to know before anything large is allocated.
struct PointTransformSpec {
  transform::FieldKind kind;
  std::shared_ptr<const dist::AlmDistribution> alm;
  Index maps = 1;
  double accuracy = 1e-10;                      ///< relative l2 error over the sphere (nufft::choose_kernel)
  backend::Kind backend = backend::Kind::kCpu;  ///< never kAuto
  std::string engine = "auto";                  ///< of the Legendre stage
  /// As transform::FieldTransformSpec::device_work.
  std::optional<Index> device_work = {};
};

/// Transforms of fields between coefficients and their values at arbitrary points. A field is continued to the doubled
/// sphere, on whose fine grid it is made of coefficients by the ring transform with rows and orders divided by the
/// transform of a kernel; values are sums of a few samples each (Reinecke, Belkner & Carron 2023; the kernel is that of
/// Barnett, Magland & af Klinteberg 2019). The adjoint is the exact transpose of each step.
///
/// Values of synthesis are bitwise identical on any number of ranks and threads. Those of the adjoint are on any number
/// of threads; on other numbers of ranks they differ by rounding, as samples near the boundaries of ranks are sums over
/// the points of both. Holds a reference to the communicator.
template <class T>
class PointTransform {
 public:
  /// Values at the points that this rank gave: [map, component][point].
  using Values = std::span<const std::span<T>>;
  using ConstValues = std::span<const std::span<const T>>;

  /// Collective. The points that this rank gives, any number, none too: theta in [0, pi], any finite phi [rad]; not
  /// used after it returns. Throws InputError for invalid points, an accuracy out of reach, and an lmax below a spin.
  PointTransform(const comm::Communicator& comm, PointTransformSpec spec, std::span<const double> theta,
                 std::span<const double> phi, transform::Monitor monitor = {});
  PointTransform(const PointTransform&) = delete;
  PointTransform& operator=(const PointTransform&) = delete;

  const PointTransformSpec& spec() const { return spec_; }
  const comm::Communicator& comm() const { return comm_; }
  /// Points that this rank gave.
  Index points() const { return owners_.given(); }
  const nufft::KernelChoice& kernel() const { return kernel_; }

  /// Collective. values = Y alm at the points, in the local frame of theta and phi; overwrites values.
  void synthesis(const transform::AlmField<T>& alm, Values values);
  /// Collective. alm = Y^T values, without weights; overwrites alm.
  void adjoint_synthesis(ConstValues values, transform::AlmField<T>& alm);
  /// Collective. The same with values [map, component][point that this rank gave] where the backend has its arrays: one
  /// rank alone on a device moves none of them.
  void synthesis(const transform::AlmField<T>& alm, backend::DualBuffer<T>& values);
  void adjoint_synthesis(const backend::DualBuffer<T>& values, transform::AlmField<T>& alm);

  /// The transform between coefficients and the fine grid, over so many ranks. Not collective.
  static transform::FieldTransformSpec torus(const PointTransformSpec& spec, int ranks) {
    return torus_spec(spec, choose(spec), ranks);
  }
  /// Rows of the fine grid on 0 .. pi (PointOwners).
  static Index rows(const PointTransformSpec& spec);
  /// What one takes on `rank` of `ranks`, which gives `given` points, where the points of all ranks are `counts` [pair
  /// of rows].
  static core::MemoryEstimate memory(const PointTransformSpec& spec, std::span<const Index> counts, int ranks, int rank,
                                     Index given);
  /// Likewise of its device, besides the coefficients that it is given, and with the values.
  static backend::DeviceEstimate device_memory(const PointTransformSpec& spec, std::span<const Index> counts, int ranks,
                                               int rank);

 private:
  /// Points of this rank whose windows lie in one band of rows.
  struct Part {
    std::vector<Index> numbers;  // of owned points; empty: all of them
    std::unique_ptr<nufft::PointPlan<T>> plan;
    std::unique_ptr<TorusRows<T>> rows;
  };

  static nufft::KernelChoice choose(const PointTransformSpec& spec);
  static transform::FieldTransformSpec torus_spec(const PointTransformSpec& spec, const nufft::KernelChoice& kernel,
                                                  int ranks);
  /// Rows that points of pairs of rows need: one band, or one in each hemisphere.
  static std::vector<nufft::Band> bands(const nufft::KernelChoice& kernel, dist::PairRange pairs);
  /// [rank] Pairs of rows that each rank needs, where its points lie in pairs begin[rank] .. begin[rank + 1] - 1.
  static std::vector<dist::PairRange> needed(const nufft::KernelChoice& kernel, std::span<const Index> begin);
  static backend::DeviceEstimate device_memory(const PointTransformSpec& spec, const nufft::KernelChoice& kernel,
                                               dist::PairRange pairs, Index owned, int ranks, int rank);
  /// Collective. torus_spec() with the working space of devices.
  transform::FieldTransformSpec choose_device_work();
  void make_parts();
  void make_device(const backend::Placement& place, std::span<const Index> spins);
  Index fields() const { return spec_.maps * spec_.kind.components(); }
  /// Collective. Coefficients -> rows of the fine grid, and the transpose.
  void make_torus(const transform::AlmField<T>& alm);
  void from_torus(transform::AlmField<T>& alm);
  void phase(const char* name, const std::function<void()>& work) const;

  const comm::Communicator& comm_;
  PointTransformSpec spec_;
  transform::Monitor monitor_;
  nufft::KernelChoice kernel_;
  PointOwners owners_;
  transform::FieldTransform<T> transform_;
  std::optional<transform::AlmField<T>> scaled_;
  std::optional<transform::MapField<T>> torus_;
  std::optional<transform::RingHalo<T>> halo_;
  std::vector<double> deconvolution_;  // [m]
  std::vector<Part> parts_;
  std::unique_ptr<DeviceSums<T>> device_;  // in place of the parts
};

}  // namespace armilla::points
