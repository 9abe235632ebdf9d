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

/// What a field transform needs to know before anything large is allocated.
struct FieldTransformSpec {
  FieldKind kind;
  std::shared_ptr<const dist::AlmDistribution> alm;
  std::shared_ptr<const dist::PixelDistribution> pixels;
  Index maps = 1;
  /// Whether its maps are some of a campaign, whatever their number: such maps may be iterated by the normal matrix and
  /// multiplied on tensor cores, which have other last bits than what is best for one map.
  bool campaign = false;
  /// kAuto: choose_backend() for this one transform, with devices tried in this process.
  backend::Kind backend = backend::Kind::kAuto;
  backend::Options options = {};
  /// Bytes of a device that each part of a stage may take for working space; nothing: as fits what it has free when
  /// the transform is made, with one field of coefficients and one of pixels beside it.
  std::optional<Index> device_work = {};
  /// Parts in which ranks on CPUs exchange Delta while they work on others; 0: as fits (choose_exchange_parts). No bit
  /// of a result depends on it.
  int exchange_parts = 0;

  /// Pixels of rings of the grid, each length once.
  std::set<Index> ring_lengths() const;
  /// Pairs of rings of the grid.
  Index grid_pairs() const;
  /// Pairs of rings that the Legendre stage runs on: those of the grid, or the least set where it is resampled().
  Index legendre_pairs() const;
  /// Whether Delta_m is resampled in theta.
  bool resampled() const;
  /// Whether it computes on a device, by its backend or device_work.
  bool on_device() const;
  /// Whether quadrature() takes Delta_m by resampling in theta (grid::RingGrid::needs_theta_quadrature).
  bool theta_quadrature() const;
  /// Of its coefficients, and of its pixels, on `rank`.
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

/// What a transform tells about its work while and after doing it; all members may be left empty.
struct Monitor {
  core::PhaseTimers* timers = nullptr;                 ///< phases "legendre", "exchange", "rings"
  Index* bytes_sent = nullptr;                         ///< bytes this rank sends to other ranks
  std::function<void(double fraction)> progress = {};  ///< of the transform under way, on this rank, from one thread
  std::function<void()> between_iterations = {};       ///< collective; may throw, the same on all ranks, to give up
};

/// Transforms of fields of one kind between one alm layout and one grid. All spin fields (T; Q with U; any
/// mixture) go through one exchange, whose buffers are allocated at construction; one rank alone takes spin field after
/// spin field through one buffer as large as the largest needs. Results have the bits that each spin field has when
/// transformed alone. Holds references to `comm`.
template <class T>
class FieldTransform {
 public:
  /// Collective. Throws ResourceError if the workspace does not fit, in host memory or on a device. Devices of a
  /// backend that is named are not tried: choose_backend() does that.
  FieldTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor = {});
  ~FieldTransform();
  FieldTransform(const FieldTransform&) = delete;
  FieldTransform& operator=(const FieldTransform&) = delete;

  /// Collective over ranks that will build such transforms in groups of their own: afterwards all have the same FFT
  /// plans, as the ranks of one transform have, so that groups get the same bits.
  static void agree_on_fft_plans(const comm::Communicator& comm, const FieldTransformSpec& spec);

  const FieldTransformSpec& spec() const;
  const comm::Communicator& comm() const;
  /// The backend in use, the same on all ranks: never kAuto.
  backend::Kind backend() const;
  /// Where it has its arrays: fields that were there before need not be carried over.
  std::shared_ptr<backend::Memory> memory() const;

  /// Collective. map = Y alm; overwrites map.
  void synthesis(const AlmField<T>& alm, MapField<T>& map);
  /// Collective. alm = Y^T map, the adjoint of synthesis: the sum over pixels of map times conj(Y_lm), without weights;
  /// overwrites alm.
  void adjoint_synthesis(const MapField<T>& map, AlmField<T>& alm);
  /// Collective. alm = Y^T W map with the ring weights W of the grid, or, where spec().theta_quadrature(), with exact
  /// quadrature for maps of that lmax by resample::ThetaQuadrature; overwrites alm. Throws InputError if the grid
  /// has no weights.
  void quadrature(const MapField<T>& map, AlmField<T>& alm);
  /// Collective. As quadrature(map, alm) with other ring weights than those of the grid: weight[i] [sr] of each pixel
  /// of the i-th of local_rings().
  void quadrature(const MapField<T>& map, AlmField<T>& alm, std::span<const double> weight);
  /// Collective. map = W Y alm, the adjoint of quadrature: a synthesis whose rings are multiplied by the weight [sr] of
  /// one of their pixels, or mixed by the transpose of the exact quadrature; overwrites map. Throws InputError if
  /// the grid has no weights.
  void adjoint_quadrature(const AlmField<T>& alm, MapField<T>& map);

  /// Throws InternalError if the fields are not of the kind, maps, layout and grid of the transform.
  void check(const AlmField<T>& alm, const MapField<T>& map) const;
  /// Its half between coefficients and Delta, for iterations that need no pixels (armilla/iteration).
  DeltaTransform<T>& delta() { return *delta_; }

  /// What one takes on `rank` of the memory of the host and, on a backend with devices, of its device. Not collective;
  /// any rank can ask for any other.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);
  static backend::DeviceEstimate device_memory(const FieldTransformSpec& spec, int rank);

 private:
  std::unique_ptr<DeltaTransform<T>> delta_;
};

}  // namespace armilla::transform
