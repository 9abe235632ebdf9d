#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/iteration/immediate_iteration.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <omp.h>

namespace armilla::iteration {

namespace {

using core::at;

// Of modes and residuals of a thread.
constexpr Index kMaxBytes = Index{256} << 20;

// As many maps as threads share evenly, up to a full group, or as many as fit.
Index maps_together(const FieldTransformSpec& spec, const FieldPart& part, Index number) {
  const Index threads = omp_get_max_threads();
  const Index share = (spec.maps + threads - 1) / threads;
  const Index fit = kMaxBytes / (2 * part.components * spec.pixels->grid().npix() * number);
  return std::clamp<Index>(std::min(share, fit), 1, RingPart<double>::kMaxFields / part.components);
}

}  // namespace

/// What one thread needs: numbers for the largest part, and of each part what computes with them.
template <class T>
class ImmediateIteration<T>::Worker {
 public:
  using Complex = std::complex<T>;

  // Maps from number `first` on, as many as the part has.
  void analyse(const RingPart<T>& part, const std::shared_ptr<fft::PlanCache<T>>& plans, const T* pixels,
               std::span<const double> weight, std::span<const double> factor, Index corrections, Complex* alm) {
    Tools& tools = tools_of(part, plans);
    reserve(modes_, part.modes.size());
    reserve(column_, part.column_size());
    reserve(correction_, part.coefficients_size());
    tools.rings.adjoint(pixels, weight, modes_.data());
    for (Index round = 0; round <= corrections; ++round) {
      const bool last = round == corrections;
      for (Index m = 0; m < part.engine->count(); ++m) {
        part.analyse(m, modes_.data(), column_.data(), *tools.engine, correction_.data());
        add_correction(part, m, round == 0, alm);
        if (last) continue;
        const auto subtract = [&](Index begin, Index end) {
          subtract_column(part.modes.columns(), m, part.slots_of(m, begin, end), factor, column_.data(), modes_.data());
          part.fetch_next(m, begin, end, modes_.data());
        };
        part.engine->synthesise_stepwise(m, correction_.data(), column_.data(), *tools.engine, std::ref(subtract));
      }
    }
  }

 private:
  struct Tools {
    Tools(const RingPart<T>& part_, const std::shared_ptr<fft::PlanCache<T>>& plans)
        : part(&part_),
          rings(part_.modes.ring_task(part_.tables, part_.maps), plans),
          engine(part_.engine->make_workspace()) {}

    const RingPart<T>* part;
    fft::RingTransform<T> rings;
    std::unique_ptr<legendre::EngineWorkspace> engine;
  };

  Tools& tools_of(const RingPart<T>& part, const std::shared_ptr<fft::PlanCache<T>>& plans);
  static void reserve(core::AlignedBuffer<Complex>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<Complex>(size);
  }
  void add_correction(const RingPart<T>& part, Index m, bool first, Complex* alm) const;

  std::vector<std::unique_ptr<Tools>> tools_;
  core::AlignedBuffer<Complex> modes_;       // of what is left, times the weights
  core::AlignedBuffer<Complex> column_;      // [slot][component, map] of one m
  core::AlignedBuffer<Complex> correction_;  // [map][component][l] of one m
};

template <class T>
typename ImmediateIteration<T>::Worker::Tools& ImmediateIteration<T>::Worker::tools_of(
    const RingPart<T>& part, const std::shared_ptr<fft::PlanCache<T>>& plans) {
  for (auto& tools : tools_)
    if (tools->part == &part) return *tools;
  std::unique_ptr<Tools> made;
  // Plans are looked up by one thread at a time.
#pragma omp critical(armilla_immediate_iteration_tools)
  made = std::make_unique<Tools>(part, plans);
  return *tools_.emplace_back(std::move(made));
}

template <class T>
void ImmediateIteration<T>::Worker::add_correction(const RingPart<T>& part, Index m, bool first, Complex* alm) const {
  const PartTables& tables = part.tables;
  for (Index map = 0; map < part.maps; ++map)
    for (Index component = 0; component < tables.part.components; ++component) {
      const Complex* from = part.task.coefficients(correction_.data(), m, component, map);
      Complex* to = alm + map * tables.alm_stride + component * tables.alm_size + tables.alm_offsets[at(m)];
      if (first)
        std::copy(from + m, from + tables.lmax + 1, to + m);
      else
        for (Index l = m; l <= tables.lmax; ++l) to[l] += from[l];
    }
}

template <class T>
ImmediateIteration<T>::ImmediateIteration(const FieldTransformSpec& spec, std::span<const double> weight)
    : weight_(weight.begin(), weight.end()), plans_(std::make_shared<fft::PlanCache<T>>()) {
  if (spec.alm->ranks() != 1 || spec.pixels->ranks() != 1)
    throw core::InternalError("immediate iteration: it is for whole maps on one rank");
  for (const grid::Ring& ring : spec.pixels->grid().rings()) plans_->prepare(ring.nphi);
  for (const FieldPart& part : spec.kind.parts()) {
    const Index together = maps_together(spec, part, sizeof(T));
    for (Index map = 0; map < spec.maps; map += together) {
      const Index count = std::min(together, spec.maps - map);
      if (map == 0 || count < together) parts_.push_back(std::make_unique<RingPart<T>>(spec, part, count));
      groups_.push_back({parts_.back().get(), map});
    }
  }
  // The longest first.
  std::ranges::stable_sort(groups_, std::ranges::greater(), [](const Group& group) { return group.part->width; });
  workers_.resize(std::min(groups_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  for (auto& worker : workers_) worker = std::make_unique<Worker>();
}

template <class T>
ImmediateIteration<T>::~ImmediateIteration() = default;

template <class T>
void ImmediateIteration<T>::analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm) {
  if (groups_.empty()) return;
  const std::vector<double> factor = parts_.front()->modes.factors(weight_);
  const T* pixels = map.data().data();
  std::complex<T>* coefficients = alm.data().data();
  core::ExceptionCollector collected;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(workers_.size()))
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const RingPart<T>& part = *groups_[i].part;
    const PartTables& tables = part.tables;
    collected([&] {
      workers_[static_cast<std::size_t>(omp_get_thread_num())]->analyse(
          part, plans_, pixels + groups_[i].map * tables.map_stride + tables.map_begin(), weight_, factor, corrections,
          coefficients + groups_[i].map * tables.alm_stride + tables.alm_begin());
    });
  }
  collected.rethrow();
}

template <class T>
Index ImmediateIteration<T>::bytes(const FieldTransformSpec& spec) {
  // As the constructor and the workers, which keep the largest part's numbers.
  Index tables = 0;
  Index bytes = 0;  // of a worker
  std::set<Index> lengths;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) lengths.insert(ring.nphi);
  Index groups = 0;
  for (const FieldPart& part : spec.kind.parts()) {
    const Index together = maps_together(spec, part, sizeof(T));
    groups += (spec.maps + together - 1) / together;
    bytes = std::max(bytes, RingModeLayout::bytes<T>(PartTables(spec, part, 0), spec.alm->layout().mmax(),
                                                     part.components * together));
    tables += RingPart<T>::bytes(spec, part, together);
  }
  return tables + fft::PlanCache<T>::bytes(lengths) + std::min<Index>(groups, omp_get_max_threads()) * bytes;
}

template class ImmediateIteration<float>;
template class ImmediateIteration<double>;

}  // namespace armilla::iteration
