#pragma once

#include <armilla/backend/backend.hpp>
#include <armilla/backend/devices.hpp>
#include <armilla/backend/memory.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/math/equidistant_weights.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::backend {

/// The room of backends that have no device.
inline constexpr Index kNoDevice = -1;

/// Numbers of Delta in host or device memory, not initialised.
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

/// What all parts of a field share on one rank: memory, plans of FFTs, a device.
template <class T>
class Context {
 public:
  virtual ~Context() = default;
  /// As in the table of backends: "cpu", "cuda".
  virtual std::string name() const = 0;
  /// Where the backends of this context have all their arrays.
  virtual const std::shared_ptr<Memory>& memory() const = 0;
  /// As device_room, for the context's own place.
  virtual Index room() const { return kNoDevice; }
  /// Bytes of its device that each part of a stage may take for working space, in backends made from now on.
  virtual void set_work(Index /*bytes*/) {}
  /// The backend of one part. The tasks' tables, and the context, must outlive it. `ring_lengths`: nphi of all rings of
  /// the grid, on whatever rank, for FFTs are to be the same on all. A circle with points asks for the exact quadrature
  /// in theta; the rings must lie on it.
  virtual std::unique_ptr<Backend<T>> make_backend(const Options& options, const legendre::Task& legendre_task,
                                                   const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                                                   const math::MeridianCircle& circle) = 0;
};

/// Place of a rank among those of its machine, which share its devices.
struct Placement {
  int rank = 0;
  int ranks = 1;
};

/// What a job says that leaves the choice of a backend to Armilla: transform::choose_backend() puts a name in its
/// place.
inline constexpr const char* kAutoBackend = "auto";

/// Names that a job may ask for: "auto", then one per row of the table of backends, in the order in which "auto"
/// prefers them.
std::vector<std::string> backend_names();

/// Whether the backend of that name computes on devices. Throws InputError for a name that does not exist.
bool has_device(const std::string& name);

/// Why the backend of that name cannot work in this build or on this machine, and what to do; empty where it can.
/// Throws InputError for a name that does not exist. "auto" always can.
std::string why_unusable(const std::string& name);

/// Throws InputError for a name that does not exist, ResourceError for one that cannot work: for jobs, before anything
/// large is allocated.
void check_backend(const std::string& name);

/// The device that a rank of that place takes; nothing where the backend has none, or cannot work here.
std::optional<Device> device_of(const std::string& name, const Placement& placement);

/// Bytes that the rank of that place may take of the memory which its device has free now, an equal share for all ranks
/// of the device; kNoDevice for a backend without one. Throws as check_backend.
Index device_room(const std::string& name, const Placement& placement);

/// Throws as check_backend.
template <class T>
std::unique_ptr<Context<T>> make_context(const std::string& name, const Placement& placement);

extern template std::unique_ptr<Context<float>> make_context<float>(const std::string&, const Placement&);
extern template std::unique_ptr<Context<double>> make_context<double>(const std::string&, const Placement&);

}  // namespace armilla::backend
