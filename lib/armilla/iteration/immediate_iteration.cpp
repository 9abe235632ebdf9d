#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/immediate_iteration.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <omp.h>

namespace armilla::iteration {

namespace {

using core::at;

// Limit for the modes and residuals of one thread.
constexpr Index kMaxBytes = Index{256} << 20;

// Number of maps that a thread processes together: an even share for each thread, up to a full chunk, or as many as
// fit.
Index maps_together(const FieldTransformSpec& spec, const SpinField& spin_field, Index number) {
  const Index threads = omp_get_max_threads();
  const Index share = (spec.maps + threads - 1) / threads;
  const Index fit = kMaxBytes / (2 * spin_field.components * spec.pixels->grid().npix() * number);
  return std::clamp<Index>(std::min(share, fit), 1, SpinFieldRings<double>::kMaxFields / spin_field.components);
}

}  // namespace

/// Per-thread workspace: buffers for the largest spin field, and the transforms of each spin field.
template <class T>
class ImmediateIteration<T>::Worker {
 public:
  using Complex = std::complex<T>;

  explicit Worker(Plans& plans) : plans_(plans) {}

  // Analyses maps that start at `pixels`, as many as the spin field has.
  void analyse(const SpinFieldRings<T>& spin_field, const T* pixels, std::span<const double> weight,
               std::span<const double> factor, Index corrections, Complex* alm) {
    Tools& tools = tools_of(spin_field);
    reserve(modes_, spin_field.modes.size());
    reserve(column_, spin_field.column_size());
    reserve(correction_, spin_field.coefficients_size());
    tools.rings.adjoint(pixels, weight, modes_.data());
    for (Index round = 0; round <= corrections; ++round) {
      const bool last = round == corrections;
      for (Index m = 0; m < spin_field.engine->count(); ++m) {
        spin_field.analyse(m, modes_.data(), column_.data(), *tools.engine, correction_.data());
        add_correction(spin_field, m, round == 0, alm);
        if (last) continue;
        const auto subtract = [&](Index begin, Index end) {
          subtract_column(spin_field.modes.columns(), m, spin_field.slots_of(m, begin, end), factor, column_.data(),
                          modes_.data());
          spin_field.fetch_next(m, begin, end, modes_.data());
        };
        spin_field.engine->synthesise_stepwise(m, correction_.data(), column_.data(), *tools.engine,
                                               std::ref(subtract));
      }
    }
  }

 private:
  struct Tools {
    Tools(const SpinFieldRings<T>& spin_field_, const std::shared_ptr<fft::PlanCache<T>>& plans)
        : spin_field(&spin_field_),
          rings(spin_field_.modes.ring_task(spin_field_.tables, spin_field_.maps), plans),
          engine(spin_field_.engine->make_workspace()) {}

    const SpinFieldRings<T>* spin_field;
    fft::RingTransform<T> rings;
    std::unique_ptr<legendre::EngineWorkspace> engine;
  };

  Tools& tools_of(const SpinFieldRings<T>& spin_field);
  static void reserve(core::AlignedBuffer<Complex>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<Complex>(size);
  }
  void add_correction(const SpinFieldRings<T>& spin_field, Index m, bool first, Complex* alm) const;

  Plans& plans_;
  std::vector<std::unique_ptr<Tools>> tools_;
  core::AlignedBuffer<Complex> modes_;       // of the residual, times the weights
  core::AlignedBuffer<Complex> column_;      // [slot][component, map] of one m
  core::AlignedBuffer<Complex> correction_;  // [map][component][l] of one m
};

template <class T>
typename ImmediateIteration<T>::Worker::Tools& ImmediateIteration<T>::Worker::tools_of(
    const SpinFieldRings<T>& spin_field) {
  for (auto& tools : tools_)
    if (tools->spin_field == &spin_field) return *tools;
  // Only one thread may look up plans at a time.
  const std::lock_guard guard(plans_.lock);
  return *tools_.emplace_back(std::make_unique<Tools>(spin_field, plans_.cache));
}

template <class T>
void ImmediateIteration<T>::Worker::add_correction(const SpinFieldRings<T>& spin_field, Index m, bool first,
                                                   Complex* alm) const {
  const SpinTables& tables = spin_field.tables;
  for (Index map = 0; map < spin_field.maps; ++map)
    for (Index component = 0; component < tables.spin_field.components; ++component) {
      const Complex* from = spin_field.task.coefficients(correction_.data(), m, component, map);
      Complex* to = alm + map * tables.alm_stride + component * tables.alm_size + tables.alm_offsets[at(m)];
      if (first)
        std::copy(from + m, from + tables.lmax + 1, to + m);
      else
        for (Index l = m; l <= tables.lmax; ++l) to[l] += from[l];
    }
}

template <class T>
ImmediateIteration<T>::ImmediateIteration(const FieldTransformSpec& spec, std::span<const double> weight)
    : weight_(weight.begin(), weight.end()) {
  if (spec.alm->ranks() != 1 || spec.pixels->ranks() != 1)
    throw core::InternalError("the immediate iteration requires whole maps on one rank");
  for (const grid::Ring& ring : spec.pixels->grid().rings()) plans_.cache->prepare(ring.nphi);
  for (const SpinField& spin_field : spec.kind.spin_fields()) {
    const Index together = maps_together(spec, spin_field, sizeof(T));
    for (Index map = 0; map < spec.maps; map += together) {
      const Index count = std::min(together, spec.maps - map);
      if (map == 0 || count < together)
        spin_fields_.push_back(std::make_unique<SpinFieldRings<T>>(spec, spin_field, count));
      chunks_.push_back({spin_fields_.back().get(), map});
    }
  }
  // Chunks that take longest come first.
  std::ranges::stable_sort(chunks_, std::ranges::greater(), [](const Chunk& chunk) { return chunk.spin_field->width; });
  workers_.resize(std::min(chunks_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  for (auto& worker : workers_) worker = std::make_unique<Worker>(plans_);
}

template <class T>
ImmediateIteration<T>::~ImmediateIteration() = default;

template <class T>
void ImmediateIteration<T>::analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>*) {
  if (chunks_.empty()) return;
  const std::vector<double> factor = spin_fields_.front()->modes.factors(weight_);
  const T* pixels = map.data().data();
  std::complex<T>* coefficients = alm.data().data();
  core::ExceptionCollector collected;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(workers_.size()))
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const SpinFieldRings<T>& spin_field = *chunks_[i].spin_field;
    const SpinTables& tables = spin_field.tables;
    collected([&] {
      workers_[static_cast<std::size_t>(omp_get_thread_num())]->analyse(
          spin_field, pixels + chunks_[i].map * tables.map_stride + tables.map_begin(), weight_, factor, corrections,
          coefficients + chunks_[i].map * tables.alm_stride + tables.alm_begin());
    });
  }
  collected.rethrow();
}

template <class T>
core::MemoryEstimate ImmediateIteration<T>::memory(const FieldTransformSpec& spec) {
  // Memory allocated by the constructor and by the workers, whose buffers fit the largest spin field.
  core::MemoryEstimate memory = fft::PlanCache<T>::memory(spec.ring_lengths());
  Index modes = 0;  // of one worker
  Index groups = 0;
  for (const SpinField& spin_field : spec.kind.spin_fields()) {
    const Index together = maps_together(spec, spin_field, sizeof(T));
    groups += (spec.maps + together - 1) / together;
    modes = std::max(modes, RingModeLayout::size_of(SpinTables(spec, spin_field, 0), spec.alm->layout().mmax(),
                                                    spin_field.components * together));
    memory += SpinFieldRings<T>::memory(spec, spin_field, together);
  }
  memory.kept += std::min<Index>(groups, omp_get_max_threads()) * modes * static_cast<Index>(sizeof(std::complex<T>));
  return memory;
}

ARMILLA_INSTANTIATE_CLASS(ImmediateIteration);

}  // namespace armilla::iteration
