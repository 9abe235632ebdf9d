#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/transform/field.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace armilla::transform {

/// Parameters of a field transform, known before any large allocation.
struct FieldTransformSpec {
  FieldKind kind;
  std::shared_ptr<const dist::AlmDistribution> alm;
  std::shared_ptr<const dist::PixelDistribution> pixels;
  Index maps = 1;
  /// Whether its maps belong to a campaign, independent of their number. Such maps may be iterated by the normal matrix
  /// and multiplied on tensor cores, with other last bits than the fastest method for one map.
  bool campaign = false;
  /// kAuto: choose_backend() for this transform.
  backend::Kind backend = backend::Kind::kAuto;
  backend::Options options = {};
  /// Workspace of each part of a stage in device memory [bytes]; default: the largest that fits in the free memory at
  /// construction, with one field of coefficients and one of pixels.
  std::optional<Index> device_work = {};
  /// Number of parts in which ranks on CPUs exchange Delta while they work on others; 0: chosen by
  /// choose_exchange_parts. It does not affect results.
  int exchange_parts = 0;

  /// Whether both specify the same transform: equal in all members, layouts and grids by their values. Names of
  /// components are ignored.
  friend bool operator==(const FieldTransformSpec& a, const FieldTransformSpec& b);
  /// Whether both are equal except for ranks, maps, and numbers of workspace bytes and exchange parts: they take the
  /// same steps in the Legendre stage.
  bool same_but_for_size(const FieldTransformSpec& other) const;

  /// Distinct numbers of pixels of the rings of the grid.
  std::set<Index> ring_lengths() const;
  /// Pairs of rings of the grid.
  Index grid_pairs() const;
  /// Pairs of rings of the Legendre stage: those of the grid, or the smallest sufficient set if resampled().
  Index legendre_pairs() const;
  /// Whether Delta_m is resampled in theta.
  bool resampled() const;
  /// Whether it computes on a device, by its backend or device_work.
  bool on_device() const;
  /// Whether quadrature() resamples Delta_m in theta (grid::RingGrid::needs_theta_quadrature).
  bool theta_quadrature() const;
  /// Memory of its coefficients, and of its pixels, on `rank`.
  template <class T>
  core::MemoryEstimate alm_memory(int rank) const {
    return AlmField<T>::memory(kind, *alm, rank, maps);
  }
  template <class T>
  core::MemoryEstimate map_memory(int rank) const {
    return MapField<T>::memory(kind, *pixels, rank, maps);
  }
};

template <class T>
class DeltaTransform;

/// Receives information about a transform, during and after its work; all members may be empty.
struct Monitor {
  core::PhaseTimers* timers = nullptr;                 ///< phases "legendre", "exchange", "rings"
  Index* bytes_sent = nullptr;                         ///< number of bytes that this rank sends to other ranks
  std::function<void(double fraction)> progress = {};  ///< of the current transform, on this rank, from one thread
  std::function<void()> between_iterations = {};       ///< collective; may throw, the same on all ranks, to stop
};

/// Transforms of fields of one kind between one alm layout and one grid. All spin fields (T; Q with U; any mixture) go
/// through one exchange, whose buffers are allocated at construction; a single rank processes one spin field after the
/// other in a buffer for the largest. Results are bitwise identical to those of each spin field transformed alone.
/// Holds a reference to `comm`.
template <class T>
class FieldTransform {
 public:
  /// Collective. Throws ResourceError if the workspace does not fit, in host memory or on a device. Does not test the
  /// devices of an explicitly named backend; choose_backend() does.
  FieldTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor = {});
  ~FieldTransform();
  FieldTransform(const FieldTransform&) = delete;
  FieldTransform& operator=(const FieldTransform&) = delete;

  const FieldTransformSpec& spec() const;
  const comm::Communicator& comm() const;
  /// The backend in use, the same on all ranks: never kAuto.
  backend::Kind backend() const;
  /// The memory of its arrays: fields in this memory need not be copied.
  std::shared_ptr<backend::Memory> memory() const;

  /// Collective. map = F Y alm; overwrites map. F multiplies the i-th of local_rings() by factor[i], or is 1 if
  /// `factor` is empty.
  void synthesis(const AlmField<T>& alm, MapField<T>& map, std::span<const double> factor = {});
  /// Collective. alm = Y^T F map, the adjoint of synthesis: the sum over pixels of map times conj(Y_lm), without
  /// weights; overwrites alm.
  void adjoint_synthesis(const MapField<T>& map, AlmField<T>& alm, std::span<const double> factor = {});
  /// Collective. alm = Y^T W map with the ring weights W of the grid, or, if spec().theta_quadrature(), with
  /// quadrature by resample::ThetaQuadrature, which is exact for all maps that the rings determine; overwrites alm.
  /// Throws InputError if the grid has no weights.
  void quadrature(const MapField<T>& map, AlmField<T>& alm);
  /// Collective. Like quadrature(map, alm), with ring weights other than those of the grid: weight[i] [sr] of each
  /// pixel of the i-th of local_rings().
  void quadrature(const MapField<T>& map, AlmField<T>& alm, std::span<const double> weight);
  /// Collective. Like quadrature(map, alm), of the map with the i-th of local_rings() multiplied by factor[i].
  void scaled_quadrature(const MapField<T>& map, std::span<const double> factor, AlmField<T>& alm);
  /// Collective. map = W Y alm, the adjoint of quadrature: a synthesis whose rings are multiplied by the weight [sr] of
  /// one of their pixels, or mixed by the transpose of the exact quadrature; overwrites map. Throws InputError if
  /// the grid has no weights.
  void adjoint_quadrature(const AlmField<T>& alm, MapField<T>& map);

  /// Replaces the monitor.
  void set_monitor(Monitor monitor);
  /// Throws InternalError if the fields are not of the kind, maps, layout and grid of the transform.
  void check(const AlmField<T>& alm, const MapField<T>& map) const;
  /// The part of the transform between coefficients and Delta, for iterations that need no pixels (armilla/iteration).
  DeltaTransform<T>& delta() { return *delta_; }

  /// Memory on `rank`, of the host and, on a backend with devices, of its device. Not collective; any rank can call it
  /// for any rank.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);
  static backend::DeviceEstimate device_memory(const FieldTransformSpec& spec, int rank);

 private:
  std::unique_ptr<DeltaTransform<T>> delta_;
};

}  // namespace armilla::transform
