#pragma once

#include <armilla/backend/backend.hpp>
#include <armilla/backend/devices.hpp>
#include <armilla/backend/memory.hpp>
#include <armilla/backend/options.hpp>
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

/// What device_room() returns for backends that have no device.
inline constexpr Index kNoDevice = -1;

/// An array of Delta in host or device memory, not initialised.
template <class T>
class DeltaBuffer {
 public:
  DeltaBuffer() = default;
  DeltaBuffer(std::shared_ptr<void> numbers, Index size) : numbers_(std::move(numbers)), size_(size) {}

  std::complex<T>* data() const { return static_cast<std::complex<T>*>(numbers_.get()); }
  Index size() const { return size_; }
  Index bytes() const { return bytes_of(size_); }
  std::span<std::complex<T>> span() const { return {data(), static_cast<std::size_t>(size_)}; }

  static Index bytes_of(Index size) { return size * static_cast<Index>(sizeof(std::complex<T>)); }

 private:
  std::shared_ptr<void> numbers_;
  Index size_ = 0;
};

/// What all spin fields share on one rank: memory, plans of FFTs, a device.
template <class T>
class Context {
 public:
  virtual ~Context() = default;
  /// Where the backends of this context have all their arrays.
  virtual std::shared_ptr<Memory> memory() const = 0;
  /// As device_room(), for the device of the context.
  virtual Index room() const { return kNoDevice; }
  /// Bytes of its device that each working space may take, in backends made from now on.
  virtual void set_work(Index /*bytes*/) {}
  /// The backend of one part. The tasks' tables, and the context, must outlive it. `ring_lengths`: nphi of all rings of
  /// the grid, on whatever rank: all ranks choose the same FFTs by them. A circle with points asks for the exact
  /// quadrature in theta; the rings must lie on it.
  virtual std::unique_ptr<Backend<T>> make_backend(const Options& options, const legendre::Task& legendre_task,
                                                   const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                                                   const math::MeridianCircle& circle) = 0;
  /// Throws InternalError on the host, where radial::Convolver does that. The context must outlive it.
  virtual std::unique_ptr<RadialEngine<T>> make_radial_engine() = 0;
  /// Copies the tables; throws ResourceError where the device has too little memory, and InternalError on the host,
  /// where nufft does that. The context must outlive it.
  virtual std::unique_ptr<PointEngine<T>> make_point_engine(const PointTables<T>& tables) = 0;
};

/// Number of a rank among those of its machine, which share its devices.
struct Placement {
  int rank = 0;
  int ranks = 1;
};

/// Why the backend cannot work in this build or on this machine, and what to do; empty where it can. kAuto always can.
std::string why_unusable(Kind kind);

/// Throws ResourceError for a backend that cannot work: for jobs, before anything large is allocated.
void check_backend(Kind kind);

/// The device that a rank takes; nothing where the backend has none, or cannot work here.
std::optional<Device> device_of(Kind kind, const Placement& placement);

/// Bytes that a rank may take of the memory which its device has free now, an equal share for all ranks of the device;
/// kNoDevice for a backend without one. Throws as check_backend.
Index device_room(Kind kind, const Placement& placement);

/// Throws as check_backend, and InternalError for kAuto.
template <class T>
std::unique_ptr<Context<T>> make_context(Kind kind, const Placement& placement);

}  // namespace armilla::backend
