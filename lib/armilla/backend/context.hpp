#pragma once

#include <armilla/backend/devices.hpp>
#include <armilla/backend/field_stages.hpp>
#include <armilla/backend/memory.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/backend/placed_points.hpp>
#include <armilla/backend/placement.hpp>
#include <armilla/backend/point_engine.hpp>
#include <armilla/backend/radial_engine.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/math/meridian_circle.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace armilla::backend {

/// Result of device_room() for backends without a device.
inline constexpr Index kNoDevice = -1;

/// An uninitialised array of Delta in host or device memory.
template <class T>
class DeltaBuffer {
 public:
  DeltaBuffer() = default;
  DeltaBuffer(std::shared_ptr<void> numbers, Index size) : numbers_(std::move(numbers)), size_(size) {}

  std::complex<T>* data() const { return static_cast<std::complex<T>*>(numbers_.get()); }
  /// As returned by Memory::allocate.
  const std::shared_ptr<void>& array() const { return numbers_; }
  Index size() const { return size_; }
  Index bytes() const { return bytes_of(size_); }
  std::span<std::complex<T>> span() const { return {data(), static_cast<std::size_t>(size_)}; }

  static Index bytes_of(Index size) { return size * static_cast<Index>(sizeof(std::complex<T>)); }

 private:
  std::shared_ptr<void> numbers_;
  Index size_ = 0;
};

/// Resources shared by all spin fields on one rank: memory, FFT plans, a device.
template <class T>
class Context {
 public:
  virtual ~Context() = default;
  /// The memory that holds all arrays of the stages of this context.
  virtual std::shared_ptr<Memory> memory() const = 0;
  /// Like device_room(), for the device of the context.
  virtual Index room() const { return kNoDevice; }
  /// Sets the bytes of device memory that each workspace may use, in stages created afterwards.
  virtual void set_work(Index /*bytes*/) {}
  /// Creates the stages of one spin field. The tables of the tasks and the context must outlive them. `ring_lengths`:
  /// nphi of all rings of the grid, on all ranks, from which all ranks choose the same FFTs. A circle with points
  /// requests exact quadrature in theta; the rings must be on the circle.
  virtual std::unique_ptr<FieldStages<T>> make_stages(const Options& options, const legendre::Task& legendre_task,
                                                      const fft::RingTask& ring_task,
                                                      std::span<const Index> ring_lengths,
                                                      const math::MeridianCircle& circle) = 0;
  /// The context must outlive the engine. Throws InternalError on the host, which uses radial::Convolver instead.
  virtual std::unique_ptr<RadialEngine<T>> make_radial_engine() = 0;
  /// Copies the tables; the context must outlive the engine. Throws ResourceError if the device has too little memory,
  /// and InternalError on the host, which uses nufft instead.
  virtual std::unique_ptr<PointEngine<T>> make_point_engine(const PointTables<T>& tables) = 0;
  /// Sorts points by cells, for PointTables::placed. Their angles [point] are in the memory of the context. Identical
  /// to nufft::PointPlan. Throws like make_point_engine().
  virtual PlacedPoints<T> place_points(const kernels::NufftPlacement& placement, const double* theta, const double* phi,
                                       Index count) = 0;
};

/// Why the backend cannot be used in this build or on this machine, and what to do; empty if it can. kAuto can always
/// be used.
std::string why_unusable(Kind kind);

/// Throws ResourceError for a backend that cannot be used. Jobs call it before large allocations.
void check_backend(Kind kind);

/// The device assigned to a rank; std::nullopt if the backend has no device or cannot be used here.
std::optional<Device> device_of(Kind kind, const Placement& placement);

/// Bytes of currently free device memory that a rank may use, an equal share for all ranks of the device; kNoDevice for
/// a backend without a device. Throws like check_backend.
Index device_room(Kind kind, const Placement& placement);

/// Throws like check_backend, and InternalError for kAuto.
template <class T>
std::unique_ptr<Context<T>> make_context(Kind kind, const Placement& placement);

}  // namespace armilla::backend
