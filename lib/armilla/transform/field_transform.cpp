#include <armilla/backend/resampled_engine.hpp>
#include <armilla/fft/wisdom.hpp>
#include <armilla/resample/theta_quadrature.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/device_demand.hpp>
#include <armilla/transform/field_transform_impl.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <omp.h>
#include <spdlog/spdlog.h>

namespace armilla::transform {

Index FieldTransformSpec::grid_pairs() const { return static_cast<Index>(pixels->grid().pairs().size()); }

Index FieldTransformSpec::legendre_pairs() const {
  return resampled() ? resample::resampler_size(alm->layout().lmax(), grid_pairs()).source_pairs : grid_pairs();
}

bool FieldTransformSpec::resampled() const {
  return backend::is_resampled(options, alm->layout().lmax(), grid_pairs());
}

bool FieldTransformSpec::on_device() const {
  return device_work.has_value() || (backend != backend::kAutoBackend && backend::has_device(backend));
}

bool FieldTransformSpec::theta_quadrature() const {
  return pixels->grid().needs_theta_quadrature(alm->layout().lmax());
}

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
void FieldTransform<T>::agree_on_fft_plans(const comm::Communicator& comm, const FieldTransformSpec& spec) {
  if (spec.backend != backend::kAutoBackend && backend::has_device(spec.backend)) return;  // which has no FFTW
  share_wisdom<T>(comm, ring_plans(spec));
  if (const auto plans = theta_plans(spec); !plans.empty()) share_wisdom<double>(comm, plans);
}

template <class T>
FieldTransform<T>::FieldTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor)
    : impl_(std::make_unique<Impl>(comm, std::move(spec), std::move(monitor))) {
  Impl& self = *impl_;
  self.choose_backend();
  const backend::Placement place = placement(comm);
  comm::phase(comm, [&] { self.context = backend::make_context<T>(self.backend_name, place); });
  self.choose_device_work();
  if (!self.device_work) {
    share_wisdom<T>(comm, ring_plans(self.spec));
    if (const auto plans = theta_plans(self.spec); !plans.empty()) share_wisdom<double>(comm, plans);
  }
  const std::shared_ptr<backend::Memory>& memory = self.context->memory();
  comm::phase(comm, [&] {
    std::vector<dist::ExchangePlan*> exchanges;
    for (const FieldPart& part : self.spec.kind.parts()) {
      auto& tables = self.parts.emplace_back(std::make_unique<PartTables>(self.spec, part, comm.rank()));
      exchanges.push_back(&tables->exchange);
    }
    if (!self.alone()) self.joint.emplace(*self.spec.alm, exchanges);
    const BufferSizes sizes = buffer_sizes(self.parts);
    const auto allocate_host = [&](Index size) {
      return typename Impl::Buffer(memory->allocate_host(Impl::Buffer::bytes_of(size)), size);
    };
    self.m_side = self.allocate(sizes.m_side);
    self.ring_side = self.allocate(sizes.ring_side);
    self.staged = memory->space() != core::MemorySpace::kHost && !self.alone() && !comm::takes_device_memory();
    self.m_host = self.staged ? allocate_host(sizes.m_side) : self.m_side;
    self.ring_host = self.staged ? allocate_host(sizes.ring_side) : self.ring_side;
    self.backends = self.make_backends(self.spec, self.parts);
  });
}

template <class T>
std::vector<std::unique_ptr<backend::Backend<T>>> FieldTransform<T>::Impl::make_backends(
    const FieldTransformSpec& own, std::span<const std::unique_ptr<PartTables>> tables) const {
  std::vector<Index> ring_lengths;
  for (const grid::Ring& ring : own.pixels->grid().rings()) ring_lengths.push_back(ring.nphi);
  std::vector<std::unique_ptr<backend::Backend<T>>> made;
  for (const auto& part : tables)
    made.push_back(
        context->make_backend(own.options, part->legendre_task(), part->ring_task(), ring_lengths, circle_of(own)));
  return made;
}

template <class T>
FieldTransform<T>::~FieldTransform() = default;

template <class T>
const FieldTransformSpec& FieldTransform<T>::spec() const {
  return impl_->spec;
}

template <class T>
const comm::Communicator& FieldTransform<T>::comm() const {
  return impl_->comm;
}

template <class T>
const std::string& FieldTransform<T>::backend() const {
  return impl_->backend_name;
}

template <class T>
const std::shared_ptr<backend::Memory>& FieldTransform<T>::memory() const {
  return impl_->context->memory();
}

template <class T>
void FieldTransform<T>::Impl::choose_backend() {
  backend_name = spec.backend;
  if (backend_name != backend::kAutoBackend) return;
  const BackendChoice choice =
      transform::choose_backend(comm, backend_name, core::kPrecisionOf<T>, backend::why_cpu(spec.options));
  backend_name = choice.name;
  if (!comm.is_root()) return;
  if (!choice.note.empty()) spdlog::info("{}", choice.note);
  if (!choice.warning.empty()) spdlog::warn("{}", choice.warning);
}

// All ranks measure before any of them allocates: they may share a device.
template <class T>
void FieldTransform<T>::Impl::choose_device_work() {
  Index room = backend::kNoDevice;
  comm::phase(comm, [&] { room = context->room(); });
  if (room == backend::kNoDevice) return;
  device_work = spec.device_work;
  if (!device_work) {
    Index least_work = 0;
    comm::phase(comm, [&] {
      const DeviceDemand demand = device_demand<T>(spec, comm.rank());
      least_work = demand.least_work();
      const auto total = [&](Index work) { return demand.alm + demand.map + demand.total(work); };
      device_work = backend::choose_work(room, least_work, total);
      if (!device_work)
        throw core::ResourceError(fmt::format(
            "transform on the GPU: each rank may take {} bytes of its memory, but it needs {}: use more ranks and GPUs, "
            "single precision, a smaller batch, or execution.backend: cpu",
            room, total(least_work)));
    });
    // The same on all ranks, of which each needs its own least.
    auto agreed = static_cast<double>(*device_work);
    comm.min({&agreed, 1});
    device_work = std::max(static_cast<Index>(agreed), least_work);
  }
  context->set_work(*device_work);
}

template <class T>
void FieldTransform<T>::Impl::synthesis(const AlmField<T>& alm, MapField<T>& map, Rule rule,
                                        std::span<const double> weight) {
  check(alm, map);
  for_each_group([&](std::size_t begin, std::size_t end) {
    comm::phase(comm, [&] {
      timed("legendre", [&] {
        const std::complex<T>* coefficients = alm.read(context->memory());
        for (std::size_t p = begin; p < end; ++p) {
          const std::complex<T>* from = coefficients + parts[p]->alm_begin();
          if (rule == Rule::kGrid && spec.theta_quadrature())
            backends[p]->legendre_adjoint_analysis(from, m_side.data(), progress_of(p));
          else
            backends[p]->legendre_synthesis(from, m_side.data(), progress_of(p));
        }
      });
    });
    if (!alone()) exchange_to_rings();
    const std::complex<T>* delta = alone() ? m_side.data() : ring_side.data();
    comm::phase(comm, [&] {
      timed("rings", [&] {
        T* pixels = map.overwrite(context->memory());
        for (std::size_t p = begin; p < end; ++p)
          backends[p]->rings_synthesis(delta, weight, pixels + parts[p]->map_begin());
      });
    });
  });
}

template <class T>
void FieldTransform<T>::Impl::adjoint(const MapField<T>& map, AlmField<T>& alm, Rule rule,
                                      std::span<const double> weight) {
  check(alm, map);
  for_each_group([&](std::size_t begin, std::size_t end) {
    std::complex<T>* delta = alone() ? m_side.data() : ring_side.data();
    comm::phase(comm, [&] {
      timed("rings", [&] {
        const T* pixels = map.read(context->memory());
        for (std::size_t p = begin; p < end; ++p)
          backends[p]->rings_adjoint(pixels + parts[p]->map_begin(), weight, delta);
      });
    });
    if (!alone()) exchange_to_m();
    comm::phase(comm, [&] {
      timed("legendre", [&] {
        std::complex<T>* coefficients = alm.overwrite(context->memory());
        for (std::size_t p = begin; p < end; ++p) {
          std::complex<T>* to = coefficients + parts[p]->alm_begin();
          if (rule == Rule::kGrid && spec.theta_quadrature())
            backends[p]->legendre_analysis(m_side.data(), to, progress_of(p));
          else
            backends[p]->legendre_adjoint(m_side.data(), to, progress_of(p));
        }
      });
    });
  });
}

template <class T>
void FieldTransform<T>::synthesis(const AlmField<T>& alm, MapField<T>& map) {
  impl_->synthesis(alm, map, Impl::Rule::kNone, {});
}

template <class T>
void FieldTransform<T>::adjoint_synthesis(const MapField<T>& map, AlmField<T>& alm) {
  impl_->adjoint(map, alm, Impl::Rule::kNone, {});
}

template <class T>
void FieldTransform<T>::quadrature(const MapField<T>& map, AlmField<T>& alm) {
  impl_->check_weights("adjoint_synthesis");
  impl_->adjoint(map, alm, Impl::Rule::kGrid, impl_->grid_weights());
}

template <class T>
void FieldTransform<T>::quadrature(const MapField<T>& map, AlmField<T>& alm, std::span<const double> weight) {
  if (weight.size() != impl_->parts.front()->rings.size())
    throw core::InternalError("quadrature: one weight for each own ring is needed");
  impl_->adjoint(map, alm, Impl::Rule::kWeights, weight);
}

template <class T>
void FieldTransform<T>::adjoint_quadrature(const AlmField<T>& alm, MapField<T>& map) {
  impl_->check_weights("synthesis");
  impl_->synthesis(alm, map, Impl::Rule::kGrid, impl_->grid_weights());
}

template <class T>
Index FieldTransform<T>::workspace_bytes(const FieldTransformSpec& spec, int rank) {
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

template class FieldTransform<float>;
template class FieldTransform<double>;

}  // namespace armilla::transform
