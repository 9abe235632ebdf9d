#include <armilla/backend/device_need.hpp>
#include <armilla/backend/quadrature_engine.hpp>
#include <armilla/backend/resampled_engine.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/fft/wisdom.hpp>
#include <armilla/resample/theta_quadrature.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/delta_transform.hpp>
#include <armilla/transform/device_demand.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <omp.h>
#include <spdlog/spdlog.h>

namespace armilla::transform {

namespace {

// What FFTW has to transform on any rank; theta is resampled in double precision always.
std::set<Index> ring_plans(const FieldTransformSpec& spec) {
  std::set<Index> rings;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) rings.insert(ring.nphi);
  return fft::planned_lengths(rings);
}

std::set<Index> theta_plans(const FieldTransformSpec& spec) {
  const Index lmax = spec.alm->layout().lmax();
  std::set<Index> plans;
  if (spec.resampled() || spec.theta_quadrature()) plans.merge(resample::resampler_plans(lmax));
  if (spec.theta_quadrature()) plans.merge(resample::theta_quadrature_plans(lmax));
  return plans;
}

math::MeridianCircle circle_of(const FieldTransformSpec& spec) {
  return spec.theta_quadrature() ? spec.pixels->grid().analysis_limits().circle : math::MeridianCircle{};
}

// One rank measures, or reads what was measured before, for all: plans that are chosen alike give equal bits.
template <class T>
void share_wisdom(const comm::Communicator& comm, const std::set<Index>& lengths) {
  std::string wisdom;
  comm::phase(comm, [&] {
    if (comm.is_root()) wisdom = fft::measure<T>(lengths);
  });
  if (comm.size() == 1) return;
  wisdom = comm.broadcast(std::move(wisdom));
  if (!comm.is_root() && !fft::import_wisdom<T>(wisdom))
    spdlog::warn(
        "FFT plans: rank {} cannot use those of rank 0 (another processor or FFTW?) and measures its own; "
        "results may depend on the number of ranks in their last bits",
        comm.rank());
}

backend::Placement placement(const comm::Communicator& comm) {
  const auto place = comm.node_place();
  return {place.rank, place.ranks};
}

// Numbers in both Delta buffers.
struct BufferSizes {
  Index m_side = 0;
  Index ring_side = 0;
};

// All parts at once; on one rank alone the largest, on one side.
BufferSizes buffer_sizes(std::span<const std::unique_ptr<PartTables>> parts) {
  BufferSizes sizes;
  for (const auto& tables : parts) {
    const dist::ExchangePlan& plan = tables->exchange;
    if (tables->ranks == 1) {
      sizes.m_side = std::max(sizes.m_side, plan.send_size);
    } else {
      sizes.m_side += plan.send_size;
      sizes.ring_side += plan.receive_size;
    }
  }
  return sizes;
}

}  // namespace

template <class T>
void DeltaTransform<T>::agree_on_fft_plans(const comm::Communicator& comm, const FieldTransformSpec& spec) {
  if (spec.backend != backend::kAutoBackend && backend::has_device(spec.backend)) return;  // which has no FFTW
  share_wisdom<T>(comm, ring_plans(spec));
  if (const auto plans = theta_plans(spec); !plans.empty()) share_wisdom<double>(comm, plans);
}

template <class T>
DeltaTransform<T>::DeltaTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor)
    : comm_(comm), spec_(std::move(spec)), monitor_(std::move(monitor)) {
  choose_backend();
  const backend::Placement place = placement(comm);
  comm::phase(comm, [&] { context_ = backend::make_context<T>(spec_.backend, place); });
  choose_device_work();
  if (!on_device()) {
    share_wisdom<T>(comm, ring_plans(spec_));
    if (const auto plans = theta_plans(spec_); !plans.empty()) share_wisdom<double>(comm, plans);
  }
  comm::phase(comm, [&] {
    std::vector<dist::ExchangePlan*> exchanges;
    for (const FieldPart& part : spec_.kind.parts()) {
      auto& tables = parts_.emplace_back(std::make_unique<PartTables>(spec_, part, comm.rank()));
      exchanges.push_back(&tables->exchange);
    }
    if (!alone()) joint_.emplace(*spec_.alm, exchanges);
    const BufferSizes sizes = buffer_sizes(parts_);
    const auto allocate_host = [&](Index size) {
      return Buffer(memory()->allocate_host(Buffer::bytes_of(size)), size);
    };
    m_side_ = allocate(sizes.m_side);
    ring_side_ = allocate(sizes.ring_side);
    staged_ = memory()->space() != core::MemorySpace::kHost && !alone() && !comm::takes_device_memory();
    m_host_ = staged_ ? allocate_host(sizes.m_side) : m_side_;
    ring_host_ = staged_ ? allocate_host(sizes.ring_side) : ring_side_;
    std::vector<Index> ring_lengths;
    for (const grid::Ring& ring : spec_.pixels->grid().rings()) ring_lengths.push_back(ring.nphi);
    for (const auto& part : parts_)
      stages_.push_back(context_->make_backend(spec_.options, part->legendre_task(), part->ring_task(), ring_lengths,
                                               circle_of(spec_)));
  });
}

template <class T>
void DeltaTransform<T>::choose_backend() {
  if (spec_.backend != backend::kAutoBackend) return;
  const BackendChoice choice =
      transform::choose_backend(comm_, spec_.backend, core::kPrecisionOf<T>, backend::why_cpu(spec_.options));
  spec_.backend = choice.name;
  if (!comm_.is_root()) return;
  if (!choice.note.empty()) spdlog::info("{}", choice.note);
  if (!choice.warning.empty()) spdlog::warn("{}", choice.warning);
}

template <class T>
void DeltaTransform<T>::choose_device_work() {
  Index room = backend::kNoDevice;
  comm::phase(comm_, [&] { room = context_->room(); });
  if (room == backend::kNoDevice) {
    spec_.device_work.reset();
    return;
  }
  if (!spec_.device_work) {
    Index min_work = 0;
    comm::phase(comm_, [&] {
      const DeviceDemand demand = device_demand<T>(spec_, comm_.rank());
      min_work = demand.min_work();
      const auto total = [&](Index work) { return demand.alm + demand.map + demand.total(work); };
      spec_.device_work = backend::choose_work(room, min_work, total);
      if (!spec_.device_work)
        throw core::ResourceError(
            fmt::format("transform on the GPU: each rank may take {} bytes of its memory, but it needs {}: use more "
                        "ranks and GPUs, single precision, a smaller batch, or execution.backend: cpu",
                        room, total(min_work)));
    });
    // The same on all ranks, of which each needs its own least.
    auto agreed = static_cast<double>(*spec_.device_work);
    comm_.min({&agreed, 1});
    spec_.device_work = std::max(static_cast<Index>(agreed), min_work);
  }
  context_->set_work(*spec_.device_work);
}

template <class T>
void DeltaTransform<T>::timed(const char* name, const std::function<void()>& work) const {
  std::optional<core::ScopedPhase> timer;
  if (monitor_.timers != nullptr) timer.emplace(*monitor_.timers, name);
  work();
}

template <class T>
void DeltaTransform<T>::in_phase(const char* name, const std::function<void()>& work) const {
  comm::phase(comm_, [&] { timed(name, work); });
}

template <class T>
void DeltaTransform<T>::exchange_to_rings() {
  timed("exchange", [&] {
    count(joint_->send_counts);
    fetch(m_side_, m_host_);
    comm::exchange<T>(comm_, m_host_.span(), joint_->send_counts, joint_->send_displacements, ring_host_.span(),
                      joint_->receive_counts, joint_->receive_displacements);
    put(ring_host_, ring_side_);
  });
}

template <class T>
void DeltaTransform<T>::exchange_to_m(const Buffer& from) {
  timed("exchange", [&] {
    count(joint_->receive_counts);
    fetch(from, ring_host_);
    comm::exchange<T>(comm_, (staged_ ? ring_host_ : from).span(), joint_->receive_counts,
                      joint_->receive_displacements, m_host_.span(), joint_->send_counts, joint_->send_displacements);
    put(m_host_, m_side_);
  });
}

template <class T>
void DeltaTransform<T>::fetch(const Buffer& delta, const Buffer& host) const {
  if (!staged_) return;
  comm::phase(comm_, [&] { memory()->to_host(host.data(), delta.data(), delta.bytes()); });
}

template <class T>
void DeltaTransform<T>::put(const Buffer& host, const Buffer& delta) const {
  if (!staged_) return;
  comm::phase(comm_, [&] { memory()->from_host(delta.data(), host.data(), delta.bytes()); });
}

template <class T>
void DeltaTransform<T>::count(std::span<const Index> counts) const {
  if (monitor_.bytes_sent == nullptr) return;
  for (int r = 0; r < comm_.size(); ++r)
    if (r != comm_.rank())
      *monitor_.bytes_sent += counts[static_cast<std::size_t>(r)] * static_cast<Index>(sizeof(Complex));
}

template <class T>
legendre::Progress DeltaTransform<T>::progress_of(std::size_t part) const {
  if (!monitor_.progress) return {};
  const auto all = static_cast<double>(parts_.size());
  return [this, part, all](double fraction) { monitor_.progress((static_cast<double>(part) + fraction) / all); };
}

template <class T>
auto DeltaTransform<T>::groups() const -> std::vector<Group> {
  if (!alone()) return {{0, parts_.size()}};
  std::vector<Group> groups;
  for (std::size_t p = 0; p < parts_.size(); ++p) groups.push_back({p, p + 1});
  return groups;
}

template <class T>
void DeltaTransform<T>::to_rings(const Group& group, const AlmField<T>& alm, Rule rule) {
  in_phase("legendre", [&] {
    const Complex* coefficients = alm.read(memory());
    for (std::size_t p = group.begin; p < group.end; ++p) {
      const Complex* from = coefficients + parts_[p]->alm_begin();
      if (rule == Rule::kQuadrature)
        stages_[p]->legendre_adjoint_analysis(from, m_side_.data(), progress_of(p));
      else
        stages_[p]->legendre_synthesis(from, m_side_.data(), progress_of(p));
    }
  });
  if (!alone()) exchange_to_rings();
}

template <class T>
void DeltaTransform<T>::use_rings(const Group& group, const Use& use) {
  in_phase("rings", [&] {
    for (std::size_t p = group.begin; p < group.end; ++p) use(p, alone() ? m_side_.data() : ring_side_.data());
  });
}

template <class T>
void DeltaTransform<T>::from_rings(const Group& group, AlmField<T>& alm, Rule rule, const Complex* alone_delta) {
  in_phase("legendre", [&] {
    Complex* coefficients = alm.overwrite(memory());
    for (std::size_t p = group.begin; p < group.end; ++p) {
      Complex* to = coefficients + parts_[p]->alm_begin();
      if (rule == Rule::kQuadrature)
        stages_[p]->legendre_analysis(m_side_.data(), to, progress_of(p));
      else
        stages_[p]->legendre_adjoint(alone() ? alone_delta : m_side_.data(), to, progress_of(p));
    }
  });
}

template <class T>
void DeltaTransform<T>::synthesis(const AlmField<T>& alm, const Use& use, Rule rule) {
  for (const Group& group : groups()) {
    to_rings(group, alm, rule);
    use_rings(group, use);
  }
}

template <class T>
void DeltaTransform<T>::adjoint(const Make& make, AlmField<T>& alm, Rule rule, const Buffer* standing) {
  for (const Group& group : groups()) {
    const Complex* delta = nullptr;
    use_rings(group, [&](std::size_t p, Complex* buffer) { delta = make(p, buffer); });
    if (!alone()) exchange_to_m(standing != nullptr ? *standing : ring_side_);
    from_rings(group, alm, rule, delta);
  }
}

template <class T>
void DeltaTransform<T>::normal(const AlmField<T>& alm, const Use& change, AlmField<T>& result) {
  for (const Group& group : groups()) {
    to_rings(group, alm, Rule::kPlain);
    use_rings(group, change);
    if (!alone()) exchange_to_m(ring_side_);
    from_rings(group, result, Rule::kPlain, m_side_.data());
  }
}

template <class T>
Index DeltaTransform<T>::bytes(const FieldTransformSpec& spec, int rank) {
  Index tables_bytes = 0;
  std::set<Index> lengths;  // parts share plans
  std::vector<std::unique_ptr<PartTables>> parts;
  for (const FieldPart& part : spec.kind.parts()) {
    const PartTables& tables = *parts.emplace_back(std::make_unique<PartTables>(spec, part, rank));
    tables_bytes += tables.bytes();
    const legendre::Task task = tables.legendre_task();
    if (spec.resampled())
      tables_bytes += backend::resampled_engine_bytes<T>(task.lmax, task.pairs(), task.width(), omp_get_max_threads());
    if (spec.theta_quadrature())
      tables_bytes +=
          backend::quadrature_engine_bytes(task.lmax, task.pairs(), spec.resampled(), omp_get_max_threads());
    tables_bytes +=
        legendre::engine_bytes(task.lmax, task.spin, spec.legendre_pairs(), task.width(), omp_get_max_threads());
    tables_bytes += fft::RingTransform<T>::workspace_bytes(tables.ring_task());
    for (const fft::RingShape& ring : tables.rings) lengths.insert(ring.nphi);
  }
  tables_bytes += fft::PlanCache<T>::bytes(lengths);
  const BufferSizes buffers = buffer_sizes(parts);
  return (buffers.m_side + buffers.ring_side) * static_cast<Index>(sizeof(std::complex<T>)) + tables_bytes;
}

template class DeltaTransform<float>;
template class DeltaTransform<double>;

}  // namespace armilla::transform
