#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/normal_analysis.hpp>
#include <armilla/transform/part_plan.hpp>
#include <armilla/transform/ring_iteration.hpp>
#include <armilla/transform/ring_residual.hpp>
#include <armilla/transform/whole_maps.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::transform {

/// What a FieldTransform is made of, for the files that implement it.
template <class T>
struct FieldTransform<T>::Impl {
  using Buffer = backend::DeltaBuffer<T>;

  Impl(const comm::Communicator& comm_, FieldTransformSpec spec_, Monitor monitor_)
      : comm(comm_), spec(std::move(spec_)), monitor(std::move(monitor_)) {}

  // One rank alone reads Delta where it wrote it: both sides have the same layout then.
  bool alone() const { return comm.size() == 1; }

  // Time of this rank's own work; waiting for others is not in it, but for the exchange.
  void timed(const char* phase_name, const std::function<void()>& work) {
    std::optional<core::ScopedPhase> timer;
    if (monitor.timers != nullptr) timer.emplace(*monitor.timers, phase_name);
    work();
  }

  // All parts of a group through one exchange, which counts what leaves this rank; through host memory where MPI takes
  // nothing else.
  void exchange_to_rings() {
    timed("exchange", [&] {
      count(joint->send_counts);
      fetch(m_side, m_host);
      comm::exchange<T>(comm, m_host.span(), joint->send_counts, joint->send_displacements, ring_host.span(),
                        joint->receive_counts, joint->receive_displacements);
      put(ring_host, ring_side);
    });
  }
  void exchange_to_m() { exchange_to_m(ring_side); }
  // From other numbers laid out as ring_side.
  void exchange_to_m(const Buffer& from) {
    timed("exchange", [&] {
      count(joint->receive_counts);
      fetch(from, ring_host);
      comm::exchange<T>(comm, (staged ? ring_host : from).span(), joint->receive_counts, joint->receive_displacements,
                        m_host.span(), joint->send_counts, joint->send_displacements);
      put(m_host, m_side);
    });
  }
  // Collective, as the copies of a device may fail on one rank alone.
  void fetch(const Buffer& delta, const Buffer& host) const {
    if (!staged) return;
    comm::phase(comm, [&] { context->memory()->to_host(host.data(), delta.data(), delta.bytes()); });
  }
  void put(const Buffer& host, const Buffer& delta) const {
    if (!staged) return;
    comm::phase(comm, [&] { context->memory()->from_host(delta.data(), host.data(), delta.bytes()); });
  }
  void count(std::span<const Index> counts) {
    if (monitor.bytes_sent == nullptr) return;
    for (int r = 0; r < comm.size(); ++r)
      if (r != comm.rank())
        *monitor.bytes_sent += counts[static_cast<std::size_t>(r)] * static_cast<Index>(sizeof(std::complex<T>));
  }

  legendre::Progress progress_of(std::size_t part) const {
    if (!monitor.progress) return {};
    const auto all = static_cast<double>(parts.size());
    return [this, part, all](double fraction) { monitor.progress((static_cast<double>(part) + fraction) / all); };
  }

  /// Collective. Sets backend_name.
  void choose_backend();
  /// Collective. Sets device_work, where the context has a device. Throws ResourceError where its memory is too small.
  void choose_device_work();

  void check(const AlmField<T>& alm, const MapField<T>& map) const {
    if (!(alm.kind() == spec.kind) || !(map.kind() == spec.kind) || alm.maps() != spec.maps ||
        map.maps() != spec.maps || !(alm.distribution().layout() == spec.alm->layout()) ||
        &map.distribution().grid() != &spec.pixels->grid())
      throw core::InternalError("field transform: a field does not fit the plan it is given to");
  }

  // Calls work(begin, end) for parts that are exchanged together: all; one rank alone, which exchanges nothing, uses
  // its buffer for one after the other.
  template <class Work>
  void for_each_group(const Work& work) {
    const std::size_t step = alone() ? 1 : parts.size();
    for (std::size_t begin = 0; begin < parts.size(); begin += step) work(begin, begin + step);
  }

  // Collective. work(part) for each part of a group, as a phase of that name.
  template <class Work>
  void in_phase(const char* name, std::size_t begin, std::size_t end, const Work& work) {
    comm::phase(comm, [&] {
      timed(name, [&] {
        for (std::size_t p = begin; p < end; ++p) work(p);
      });
    });
  }

  void check_weights(const char* instead) const {
    const grid::RingGrid& grid = spec.pixels->grid();
    if (!grid.description().is_whole())
      throw core::InputError(fmt::format("grid {} is a part of the sky, over which nothing integrates exactly: use {}",
                                         grid.description().text(), instead));
    if (!grid.has_weights())
      throw core::InputError(
          fmt::format("grid {} has no quadrature weights: give data set 'weight' [sr] in its rings file, or use {}",
                      grid.description().text(), instead));
  }

  // The quadrature of the grid, of which weights may be a part only (theta_quadrature), or none, or weights alone.
  enum class Rule { kNone, kGrid, kWeights };

  // Of one pixel of each own ring; all parts have the same rings.
  std::span<const double> grid_weights() const { return parts.front()->quadrature; }

  // `weight` of each pixel of each own ring; without it where the rule is none.
  void synthesis(const AlmField<T>& alm, MapField<T>& map, Rule rule, std::span<const double> weight);
  void adjoint(const MapField<T>& map, AlmField<T>& alm, Rule rule, std::span<const double> weight);
  void iterate_together(const MapField<T>& map, std::span<const double> weight, Index iterations, AlmField<T>& alm);
  void iterate_whole(const MapField<T>& map, std::span<const double> weight, RingScheme scheme, Index iterations,
                     AlmField<T>& alm);
  // On a device. The first is for the transform's own parts, the second for whole maps on each
  // rank.
  void jacobi_on_device(const MapField<T>& map, std::span<const double> weight, Index iterations, AlmField<T>& alm);
  void immediate_on_device(const MapField<T>& map, std::span<const double> weight, Index iterations, AlmField<T>& alm);

  /// The parts of a field on one rank, what computes them, and Delta of the largest, or of all.
  struct Stages {
    std::vector<std::unique_ptr<PartTables>> parts;
    std::vector<std::unique_ptr<backend::Backend<T>>> backends;
    Buffer m_side;  ///< as the owners of m hold it, in the memory of the context
  };
  /// What computes these parts.
  std::vector<std::unique_ptr<backend::Backend<T>>> make_backends(
      const FieldTransformSpec& own, std::span<const std::unique_ptr<PartTables>> tables) const;
  /// For whole maps of this rank alone, on its device beside the transform's own.
  std::unique_ptr<Stages> make_whole_stages(const FieldTransformSpec& own);
  /// All rounds of the immediate scheme, for all parts of maps that are whole on this rank.
  void immediate_rounds(const Stages& on, const FieldTransformSpec& own, const T* pixels,
                        std::span<const double> weight, Index iterations, std::complex<T>* alm);
  Buffer allocate(Index size) const { return Buffer(context->memory()->allocate(Buffer::bytes_of(size)), size); }

  const comm::Communicator& comm;
  FieldTransformSpec spec;
  Monitor monitor;
  std::string backend_name;
  std::optional<Index> device_work;  ///< of a backend with a device
  std::unique_ptr<backend::Context<T>> context;
  Stages stages;
  std::vector<std::unique_ptr<PartTables>>& parts = stages.parts;
  std::vector<std::unique_ptr<backend::Backend<T>>>& backends = stages.backends;
  Buffer& m_side = stages.m_side;
  std::optional<dist::JointExchange> joint;             ///< of all parts; nothing where alone
  Buffer ring_side;                                     ///< Delta as the owners of rings hold it; empty where alone
  bool staged = false;                                  ///< whether Delta is exchanged by way of the host
  std::unique_ptr<WholeMaps<T>> whole;                  ///< while iterate() works on them
  std::unique_ptr<Stages> whole_stages;                 ///< on a device, kept from call to call
  std::unique_ptr<RingIteration<T>> by_maps;            ///< likewise
  std::unique_ptr<NormalAnalysis<T>> by_normal_matrix;  ///< likewise
  std::vector<std::unique_ptr<RingNormal<T>>> ring_normals;  ///< [part] likewise
  Buffer m_host, ring_host;  ///< what is exchanged: the same buffers, or copies in host memory
};

}  // namespace armilla::transform
