#include <armilla/backend/cpu.hpp>
#include <armilla/backend/device_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/resample/theta_quadrature.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/delta_transform.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

// Lengths of all rings of the grid.
std::vector<Index> ring_lengths(const FieldTransformSpec& spec) {
  std::vector<Index> lengths;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) lengths.push_back(ring.nphi);
  return lengths;
}

math::MeridianCircle circle_of(const FieldTransformSpec& spec) {
  return spec.theta_quadrature() ? spec.pixels->grid().analysis_limits().circle : math::MeridianCircle{};
}

std::vector<std::unique_ptr<SpinTables>> spin_tables(const FieldTransformSpec& spec, int rank) {
  std::vector<std::unique_ptr<SpinTables>> spin_fields;
  for (const SpinField& spin_field : spec.kind.spin_fields())
    spin_fields.push_back(std::make_unique<SpinTables>(spec, spin_field, rank));
  return spin_fields;
}

// Sizes of both Delta buffers, in values.
struct BufferSizes {
  Index m_side = 0;
  Index ring_side = 0;
  template <class T>
  core::MemoryEstimate memory() const {
    return {.kept = backend::DeltaBuffer<T>::bytes_of(m_side + ring_side)};
  }
};

// The buffers hold all spin fields at once. On a single rank, one buffer holds the largest spin field.
BufferSizes buffer_sizes(std::span<const std::unique_ptr<SpinTables>> spin_fields) {
  BufferSizes sizes;
  for (const auto& tables : spin_fields) {
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
DeltaTransform<T>::DeltaTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor)
    : comm_(comm), spec_(std::move(spec)), monitor_(std::move(monitor)) {
  if (spec_.backend == backend::Kind::kAuto)
    spec_.backend = take_backend(comm, spec_.backend, core::kPrecisionOf<T>, spec_.options);
  const backend::Placement place = placement(comm, spec_.backend);
  comm::phase(comm, [&] { context_ = backend::make_context<T>(spec_.backend, place); });
  choose_device_work();
  const ExchangePath path = choose_exchange_path(comm, *memory()).path;
  spec_.exchange_parts = choose_exchange_parts(comm, spec_, path, static_cast<Index>(sizeof(Complex)));
  comm::phase(comm, [&] { spin_fields_ = spin_tables(spec_, comm.rank()); });
  staged_ = memory()->space() != core::MemorySpace::kHost && !alone() && path == ExchangePath::kHost;
  comm::phase(comm, [&] {
    const BufferSizes sizes = buffer_sizes(spin_fields_);
    const auto allocate_host = [&](Index size) {
      return Buffer(memory()->allocate_host(Buffer::bytes_of(size)), size);
    };
    m_side_ = allocate(sizes.m_side);
    ring_side_ = allocate(sizes.ring_side);
    m_host_ = staged_ ? allocate_host(sizes.m_side) : m_side_;
    ring_host_ = staged_ ? allocate_host(sizes.ring_side) : ring_side_;
  });
  // Before the stages: changes the positions in the tables.
  if (!alone())
    exchange_ =
        std::make_unique<DeltaExchange<T>>(*spec_.alm, spin_fields_, [&](std::vector<core::ExchangePart> parts) {
          return make_exchange<T>(comm, path, std::move(parts), *memory(), {m_side_.array(), ring_side_.array()});
        });
  comm::phase(comm, [&] {
    const std::vector<Index> lengths = ring_lengths(spec_);
    for (const auto& spin_field : spin_fields_)
      stages_.push_back(context_->make_stages(spec_.options, spin_field->legendre_task(), spin_field->ring_task(),
                                              lengths, circle_of(spec_)));
  });
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
    backend::DeviceEstimate memory;
    Index fields = 0;
    comm::phase(comm_, [&] {
      const int rank = comm_.rank();
      memory = device_memory(spec_, rank);
      fields = (spec_.alm_memory<T>(rank) + spec_.map_memory<T>(rank)).held();
    });
    const auto total = [&](Index work) { return fields + memory.with_work(work).peak(); };
    const auto too_small = [&] {
      return core::ErrorContext{
          .text = fmt::format("transform on the GPU: each rank may use {} bytes of its memory, but needs {}: use more "
                              "ranks and GPUs, single precision, a smaller batch, or backend: cpu",
                              room, total(memory.min_work()))};
    };
    spec_.device_work = transform::choose_device_work(comm_, room, memory.min_work(), total, too_small);
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
void DeltaTransform<T>::legendre_then_exchange(const std::function<void()>& legendre) {
  count(exchange_->counts().send_counts);
  exchange_->begin_to_rings(m_host_.data(), ring_host_.data());
  if (exchange_->overlaps()) return overlap(legendre);
  in_phase("legendre", legendre);
  timed("exchange", [&] {
    fetch(m_side_, m_host_);
    exchange_->finish();
    put(ring_host_, ring_side_);
  });
}

template <class T>
void DeltaTransform<T>::exchange_then_legendre(const Buffer& from, const std::function<void()>& legendre) {
  count(exchange_->counts().receive_counts);
  exchange_->begin_to_m((staged_ ? ring_host_ : from).data(), m_host_.data());
  if (exchange_->overlaps()) return overlap(legendre);
  timed("exchange", [&] {
    fetch(from, ring_host_);
    exchange_->finish();
    put(m_host_, m_side_);
  });
  in_phase("legendre", legendre);
}

template <class T>
void DeltaTransform<T>::overlap(const std::function<void()>& legendre) {
  std::optional<core::CaughtError> error;
  const double start = core::now_seconds();
  try {
    legendre();
  } catch (...) {
    error = core::describe_current_exception();
  }
  exchange_->finish();
  if (monitor_.timers != nullptr) {
    monitor_.timers->add("legendre", core::now_seconds() - start - exchange_->seconds_waited());
    monitor_.timers->add("exchange", exchange_->seconds_waited());
  }
  comm::agree(comm_, error);
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
legendre::Progress DeltaTransform<T>::progress_of(std::size_t spin_field) const {
  legendre::Progress progress;
  if (exchange_) progress.watch = exchange_->watch(spin_field);
  if (!monitor_.progress) return progress;
  const auto all = static_cast<double>(spin_fields_.size());
  progress.tell = [this, spin_field, all](double fraction) {
    monitor_.progress((static_cast<double>(spin_field) + fraction) / all);
  };
  return progress;
}

template <class T>
auto DeltaTransform<T>::ranges() const -> std::vector<Range> {
  if (!alone()) return {{0, spin_fields_.size()}};
  std::vector<Range> ranges;
  for (std::size_t p = 0; p < spin_fields_.size(); ++p) ranges.push_back({p, p + 1});
  return ranges;
}

template <class T>
void DeltaTransform<T>::to_rings(const Range& range, const AlmField<T>& alm, Rule rule) {
  const auto legendre = [&] {
    const Complex* coefficients = alm.read(memory());
    for (std::size_t p = range.begin; p < range.end; ++p) {
      const Complex* from = coefficients + spin_fields_[p]->alm_begin();
      if (rule == Rule::kQuadrature)
        stages_[p]->legendre_adjoint_analysis(from, m_side_.data(), progress_of(p));
      else
        stages_[p]->legendre_synthesis(from, m_side_.data(), progress_of(p));
    }
  };
  if (alone())
    in_phase("legendre", legendre);
  else
    legendre_then_exchange(legendre);
}

template <class T>
void DeltaTransform<T>::use_rings(const Range& range, const Use& use) {
  in_phase("rings", [&] {
    for (std::size_t p = range.begin; p < range.end; ++p) use(p, alone() ? m_side_.data() : ring_side_.data());
  });
}

template <class T>
void DeltaTransform<T>::from_rings(const Range& range, AlmField<T>& alm, Rule rule, const Complex* alone_delta,
                                   const Buffer& from) {
  const auto legendre = [&] {
    Complex* coefficients = alm.overwrite(memory());
    for (std::size_t p = range.begin; p < range.end; ++p) {
      Complex* to = coefficients + spin_fields_[p]->alm_begin();
      if (rule == Rule::kQuadrature)
        stages_[p]->legendre_analysis(m_side_.data(), to, progress_of(p));
      else
        stages_[p]->legendre_adjoint(alone() ? alone_delta : m_side_.data(), to, progress_of(p));
    }
  };
  if (alone())
    in_phase("legendre", legendre);
  else
    exchange_then_legendre(from, legendre);
}

template <class T>
void DeltaTransform<T>::synthesis(const AlmField<T>& alm, const Use& use, Rule rule) {
  for (const Range& range : ranges()) {
    to_rings(range, alm, rule);
    use_rings(range, use);
  }
}

template <class T>
void DeltaTransform<T>::adjoint(const Make& make, AlmField<T>& alm, Rule rule, const Buffer* standing) {
  for (const Range& range : ranges()) {
    const Complex* delta = nullptr;
    use_rings(range, [&](std::size_t p, Complex* buffer) { delta = make(p, buffer); });
    from_rings(range, alm, rule, delta, standing != nullptr ? *standing : ring_side_);
  }
}

template <class T>
void DeltaTransform<T>::normal(const AlmField<T>& alm, const Use& change, AlmField<T>& result) {
  for (const Range& range : ranges()) {
    to_rings(range, alm, Rule::kPlain);
    use_rings(range, change);
    from_rings(range, result, Rule::kPlain, m_side_.data(), ring_side_);
  }
}

template <class T>
core::MemoryEstimate DeltaTransform<T>::memory(const FieldTransformSpec& spec, int rank) {
  const auto spin_fields = spin_tables(spec, rank);
  core::MemoryEstimate memory = buffer_sizes(spin_fields).memory<T>();
  std::set<Index> lengths;  // spin fields share FFT plans
  for (const auto& spin_field : spin_fields) {
    memory += spin_field->memory() + backend::cpu_memory<T>(spec.options, spin_field->legendre_task(),
                                                            spin_field->ring_task(), circle_of(spec));
    for (const fft::RingShape& ring : spin_field->rings) lengths.insert(ring.nphi);
  }
  return memory + fft::PlanCache<T>::memory(lengths);
}

template <class T>
backend::DeviceEstimate DeltaTransform<T>::device_memory(const FieldTransformSpec& spec, int rank) {
  const auto spin_fields = spin_tables(spec, rank);
  const std::vector<Index> lengths = ring_lengths(spec);
  backend::DeviceEstimate memory{buffer_sizes(spin_fields).memory<T>(), {}};
  for (const auto& spin_field : spin_fields)
    memory += backend::device_memory<T>(spec.options, spin_field->legendre_task(), spin_field->ring_task(), lengths,
                                        circle_of(spec));
  return memory;
}

ARMILLA_INSTANTIATE_CLASS(DeltaTransform);

}  // namespace armilla::transform
