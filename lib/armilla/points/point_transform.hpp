#pragma once

#include <armilla/nufft/point_plan.hpp>
#include <armilla/points/device_plan.hpp>
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

/// Default accuracy.
template <class T>
inline constexpr double kDefaultAccuracy = sizeof(T) == 4 ? 1e-6 : 1e-10;

/// Parameters of a transform at points, known before large allocations.
struct PointTransformSpec {
  transform::FieldKind kind;
  std::shared_ptr<const dist::AlmDistribution> alm;
  Index maps = 1;
  double accuracy = 1e-10;                      ///< relative l2 error over the sphere (nufft::choose_kernel)
  backend::Kind backend = backend::Kind::kCpu;  ///< never kAuto
  std::string engine = "auto";                  ///< engine of the Legendre stage
  /// See transform::FieldTransformSpec::device_work.
  std::optional<Index> device_work = {};
};

/// Transforms fields between coefficients and values at arbitrary points. A field is extended to the doubled sphere.
/// The ring transform computes its samples on the fine grid, with rows and orders divided by the transform of a kernel.
/// Each value is a kernel-weighted sum of a few samples (Reinecke, Belkner & Carron 2023; the kernel is that of
/// Barnett, Magland & af Klinteberg 2019). The adjoint is the exact transpose of each step.
///
/// Synthesis values are bitwise identical on any number of ranks and threads. Adjoint results are bitwise identical on
/// any number of threads. On different numbers of ranks they differ by rounding, because samples near rank boundaries
/// are sums over the points of both ranks. Holds a reference to the communicator.
template <class T>
class PointTransform {
 public:
  /// Values at the points passed by this rank: [map, component][point].
  using Values = std::span<const std::span<T>>;
  using ConstValues = std::span<const std::span<const T>>;

  /// Collective. `theta` in [0, pi] and any finite `phi` [rad] are the points passed by this rank, any number including
  /// none. They are not used after the constructor returns. Throws InputError for invalid points, an accuracy that
  /// cannot be reached, and an lmax below a spin.
  PointTransform(const comm::Communicator& comm, PointTransformSpec spec, std::span<const double> theta,
                 std::span<const double> phi, transform::Monitor monitor = {});
  /// The same for the points of a single rank whose positions are in the memory of its device (is_placed_there()).
  PointTransform(const comm::Communicator& comm, PointTransformSpec spec, const DevicePositions& positions,
                 transform::Monitor monitor = {});
  PointTransform(const PointTransform&) = delete;
  PointTransform& operator=(const PointTransform&) = delete;

  const PointTransformSpec& spec() const { return spec_; }
  const comm::Communicator& comm() const { return comm_; }
  /// The memory of its arrays, as transform::FieldTransform::memory().
  std::shared_ptr<backend::Memory> memory() const { return transform_.memory(); }
  /// Number of points passed by this rank.
  Index points() const { return owners_.given(); }
  const nufft::KernelChoice& kernel() const { return kernel_; }

  /// Collective. values = Y alm at the points, in the local frame of theta and phi; overwrites values.
  void synthesis(const transform::AlmField<T>& alm, Values values);
  /// Collective. alm = Y^T values, without weights; overwrites alm.
  void adjoint_synthesis(ConstValues values, transform::AlmField<T>& alm);
  /// Collective. Variants for values [map, component][point of this rank] in the memory of the backend. A single rank
  /// with a device does not copy them to the host.
  void synthesis(const transform::AlmField<T>& alm, backend::DualBuffer<T>& values);
  void adjoint_synthesis(const backend::DualBuffer<T>& values, transform::AlmField<T>& alm);

  /// Not collective. The transform between coefficients and the fine grid, over this number of ranks.
  static transform::FieldTransformSpec torus(const PointTransformSpec& spec, int ranks) {
    return torus_spec(spec, choose(spec), ranks);
  }
  /// Rows of the fine grid on 0 .. pi (PointOwners).
  static Index rows(const PointTransformSpec& spec);
  /// Whether points are sorted on the device: those of a single rank. Several ranks exchange them on the host.
  static bool is_placed_there(const PointTransformSpec& spec, int ranks) {
    return backend::has_device(spec.backend) && ranks == 1;
  }
  /// Memory of one transform on `rank` of `ranks`, with `given` points on that rank. `counts` [row pair] are the points
  /// of all ranks.
  static core::MemoryEstimate memory(const PointTransformSpec& spec, std::span<const Index> counts, int ranks, int rank,
                                     Index given);
  /// Device memory, including the values but not the input coefficients.
  static backend::DeviceEstimate device_memory(const PointTransformSpec& spec, std::span<const Index> counts, int ranks,
                                               int rank);

 private:
  /// Points of this rank whose windows are in one band of rows.
  struct Part {
    std::vector<Index> numbers;  // indices of owned points; empty: all of them
    std::unique_ptr<nufft::PointPlan<T>> plan;
    std::unique_ptr<TorusRows<T>> rows;
  };

  /// Positions passed to the constructor: on the host, or on the device.
  struct Given {
    std::span<const double> theta, phi;
    const DevicePositions* there = nullptr;
  };

  PointTransform(const comm::Communicator& comm, PointTransformSpec spec, const Given& given,
                 transform::Monitor monitor);
  static PointOwners owners_of(const comm::Communicator& comm, Index rows, const Given& given);
  static nufft::KernelChoice choose(const PointTransformSpec& spec);
  static transform::FieldTransformSpec torus_spec(const PointTransformSpec& spec, const nufft::KernelChoice& kernel,
                                                  int ranks);
  /// Rows needed by the points of a range of row pairs: one band, or one in each hemisphere.
  static std::vector<nufft::Band> bands(const nufft::KernelChoice& kernel, dist::PairRange pairs);
  /// [rank] Row pairs needed by each rank, if its points are in pairs begin[rank] .. begin[rank + 1] - 1.
  static std::vector<dist::PairRange> needed(const nufft::KernelChoice& kernel, std::span<const Index> begin);
  static backend::DeviceEstimate device_memory(const PointTransformSpec& spec, const nufft::KernelChoice& kernel,
                                               dist::PairRange pairs, Index owned, int ranks, int rank);
  /// Collective. torus_spec() with the workspace limit of devices.
  transform::FieldTransformSpec choose_device_work();
  void make_parts();
  void make_device(const backend::Placement& place, std::span<const Index> spins, const Given& given);
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
  std::unique_ptr<DeviceSums<T>> device_;  // used instead of the parts
};

}  // namespace armilla::points
