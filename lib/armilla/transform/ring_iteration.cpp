#include <armilla/backend/resampled_engine.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/transform/ring_iteration.hpp>
#include <armilla/transform/ring_residual.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <set>
#include <utility>

#include <omp.h>

namespace armilla::transform {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Fields, components times maps, that a thread takes at once: what the kernels have side by side, and few enough for
// the columns of an m to stay in the second-level cache.
constexpr Index kMostFields = 32;

// Of spectra and residuals of a thread.
constexpr Index kMostBytes = Index{256} << 20;

// As many maps as threads share evenly, up to a full group, or as many as fit.
Index maps_together(const FieldTransformSpec& spec, const FieldPart& part, Index number) {
  const Index threads = omp_get_max_threads();
  const Index share = (spec.maps + threads - 1) / threads;
  const Index fit = kMostBytes / (2 * part.components * spec.pixels->grid().npix() * number);
  return std::clamp<Index>(std::min(share, fit), 1, kMostFields / part.components);
}

}  // namespace

/// Tables of one part of a field for `maps` maps at once.
template <class T>
struct RingIteration<T>::Part {
  Part(const FieldTransformSpec& spec, const FieldPart& part, Index maps_)
      : tables(spec, part, 0),
        maps(maps_),
        width(part.components * maps_),
        spectra(tables, spec.alm->layout().mmax(), width) {
    const auto& plan = tables.exchange;
    Index next = 0;
    for (std::size_t p = 0; p < plan.north_slot.size(); ++p) {
      pair_slot.push_back(next);
      next += (plan.north_slot[p] >= 0 ? 1 : 0) + (plan.south_slot[p] >= 0 ? 1 : 0);
    }
    pair_slot.push_back(next);
    const Index degrees = tables.lmax + 1;
    for (const Index m : tables.own_m) column_offset.push_back(-m);
    column_blocks.assign(tables.own_m.size(), 0);
    task = tables.legendre_task();
    task.maps = maps;
    task.blocks = 1;
    task.delta_read_at_once = true;
    task.alm_offset = column_offset;
    task.component_stride = degrees;
    task.map_stride = part.components * degrees;
    task.block_shift = column_blocks;
    engine = backend::is_resampled(spec.options, tables.lmax, task.pairs())
                 ? backend::make_resampled_engine<T>(spec.options.engine, task)
                 : legendre::make_engine<T>(spec.options.engine, task);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  // Slots of pairs begin .. end - 1 that feel m: they stand pair by pair.
  SlotRange slots_of(Index m, Index begin, Index end) const {
    const Index last = static_cast<Index>(pair_slot.size()) - 1;
    return {std::max(spectra.first_slot(m), pair_slot[at(std::min(begin, last))]), pair_slot[at(std::min(end, last))]};
  }

  PartTables tables;
  Index maps;
  Index width;
  RingSpectra spectra;
  std::vector<Index> pair_slot;                     // [pair] its first slot, and behind the last
  std::vector<Index> column_offset, column_blocks;  // [m]
  legendre::Task task;
  std::unique_ptr<legendre::Engine<T>> engine;
};

/// What one thread needs: numbers for the largest part, and of each part what computes with them.
template <class T>
class RingIteration<T>::Worker {
 public:
  using Complex = std::complex<T>;

  // Maps from number `first` on, as many as the part has.
  void analyse(const Part& part, const std::shared_ptr<fft::PlanCache<T>>& plans, const T* pixels,
               std::span<const double> weight, std::span<const double> factor, RingScheme scheme, Index iterations,
               Complex* alm) {
    Tools& tools = tools_of(part, plans);
    reserve(spectra_, part.spectra.size());
    if (scheme == RingScheme::kJacobi && iterations > 0) reserve(next_, part.spectra.size());
    reserve(column_, part.spectra.slots() * part.width);
    reserve(correction_, part.width * (part.tables.lmax + 1));
    tools.rings.adjoint(pixels, weight, spectra_.data());
    for (Index round = 0; round <= iterations; ++round) {
      const bool last = round == iterations;
      for (Index m = 0; m < part.engine->count(); ++m) {
        analyse_m(part, m, tools);
        add_correction(part, m, round == 0, alm);
        if (last) continue;
        Complex* left = scheme == RingScheme::kJacobi ? next_.data() : spectra_.data();
        const auto take_off = [&](Index begin, Index end) {
          take_off_column(part.spectra.columns(), m, part.slots_of(m, begin, end), factor, column_.data(),
                          spectra_.data(), left);
          fetch_next(part, m, begin, end, left);
        };
        part.engine->synthesise_stepwise(m, correction_.data(), column_.data(), *tools.engine, std::ref(take_off));
      }
      if (scheme == RingScheme::kJacobi && !last) std::swap(spectra_, next_);
    }
  }

 private:
  struct Tools {
    Tools(const Part& part_, const std::shared_ptr<fft::PlanCache<T>>& plans)
        : part(&part_),
          rings(part_.spectra.ring_task(part_.tables, part_.maps), plans),
          engine(part_.engine->make_workspace()) {}

    const Part* part;
    fft::RingTransform<T> rings;
    std::unique_ptr<legendre::EngineWorkspace> engine;
  };

  Tools& tools_of(const Part& part, const std::shared_ptr<fft::PlanCache<T>>& plans);
  static void reserve(core::AlignedBuffer<Complex>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<Complex>(size);
  }
  void analyse_m(const Part& part, Index m, Tools& tools);
  // Behind pairs begin .. end - 1 as many more: rows of spectra are all over memory.
  static void fetch_next(const Part& part, Index m, Index begin, Index end, const Complex* spectra) {
    const Index pairs = static_cast<Index>(part.pair_slot.size()) - 1;
    if (end < pairs)
      fetch_column(part.spectra.columns(), m, part.slots_of(m, end, std::min(end + (end - begin), pairs)), spectra);
  }
  void add_correction(const Part& part, Index m, bool first, Complex* alm) const;

  std::vector<std::unique_ptr<Tools>> tools_;
  core::AlignedBuffer<Complex> spectra_;     // of what is left, times the weights
  core::AlignedBuffer<Complex> next_;        // of the next round
  core::AlignedBuffer<Complex> column_;      // [slot][component, map] of one m
  core::AlignedBuffer<Complex> correction_;  // [map][component][l] of one m
};

template <class T>
typename RingIteration<T>::Worker::Tools& RingIteration<T>::Worker::tools_of(
    const Part& part, const std::shared_ptr<fft::PlanCache<T>>& plans) {
  for (auto& tools : tools_)
    if (tools->part == &part) return *tools;
  std::unique_ptr<Tools> made;
  // Plans are looked up by one thread at a time.
#pragma omp critical(armilla_ring_iteration_tools)
  made = std::make_unique<Tools>(part, plans);
  return *tools_.emplace_back(std::move(made));
}

// Coefficients of what the rings have of m; where it is its own class on all rings, from the spectra themselves.
template <class T>
void RingIteration<T>::Worker::analyse_m(const Part& part, Index m, Tools& tools) {
  if (part.spectra.is_plain(m)) {
    part.engine->adjoin(m, spectra_.data() + part.spectra.shift(m), correction_.data(), *tools.engine);
    return;
  }
  const auto gather = [&](Index begin, Index end) {
    gather_column(part.spectra.columns(), m, part.slots_of(m, begin, end), spectra_.data(), column_.data());
    fetch_next(part, m, begin, end, spectra_.data());
  };
  part.engine->adjoin_stepwise(m, column_.data(), correction_.data(), *tools.engine, std::ref(gather));
}

template <class T>
void RingIteration<T>::Worker::add_correction(const Part& part, Index m, bool first, Complex* alm) const {
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
RingIteration<T>::RingIteration(const FieldTransformSpec& spec)
    : spec_(spec), plans_(std::make_shared<fft::PlanCache<T>>()) {
  if (spec.alm->ranks() != 1 || spec.pixels->ranks() != 1)
    throw core::InternalError("ring iteration: it is for whole maps on one rank");
  for (const grid::Ring& ring : spec.pixels->grid().rings()) plans_->prepare(ring.nphi);
  for (const FieldPart& part : spec.kind.parts()) {
    const Index together = maps_together(spec, part, sizeof(T));
    for (Index map = 0; map < spec.maps; map += together) {
      const Index count = std::min(together, spec.maps - map);
      if (map == 0 || count < together) parts_.push_back(std::make_unique<Part>(spec, part, count));
      groups_.push_back({parts_.back().get(), map});
    }
  }
  // The longest first.
  std::ranges::stable_sort(groups_, std::ranges::greater(), [](const Group& group) { return group.part->width; });
  workers_.resize(std::min(groups_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  for (auto& worker : workers_) worker = std::make_unique<Worker>();
}

template <class T>
RingIteration<T>::~RingIteration() = default;

template <class T>
void RingIteration<T>::analyse(const MapField<T>& map, std::span<const double> weight, RingScheme scheme,
                               Index iterations, AlmField<T>& alm) {
  if (groups_.empty()) return;
  const std::vector<double> factor = parts_.front()->spectra.factors(weight);
  const T* pixels = map.data().data();
  std::complex<T>* coefficients = alm.data().data();
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(workers_.size()))
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Part& part = *groups_[i].part;
    const PartTables& tables = part.tables;
    try {
      workers_[static_cast<std::size_t>(omp_get_thread_num())]->analyse(
          part, plans_, pixels + groups_[i].map * tables.map_stride + tables.map_begin(), weight, factor, scheme,
          iterations, coefficients + groups_[i].map * tables.alm_stride + tables.alm_begin());
    } catch (...) {
#pragma omp critical(armilla_ring_iteration)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

template <class T>
Index RingIteration<T>::workspace_bytes(const FieldTransformSpec& spec, Index iterations) {
  // As the constructor and the workers, which keep the largest part's numbers.
  Index tables = 0;
  Index bytes = 0;  // of a worker
  std::set<Index> lengths;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) lengths.insert(ring.nphi);
  const int threads = omp_get_max_threads();
  Index groups = 0;
  for (const FieldPart& part : spec.kind.parts()) {
    const Index together = maps_together(spec, part, sizeof(T));
    groups += (spec.maps + together - 1) / together;
    FieldTransformSpec own = spec;
    own.maps = together;
    const PartTables part_tables(own, part, 0);
    const legendre::Task task = part_tables.legendre_task();
    const Index width = part.components * together;
    const Index slots = static_cast<Index>(part_tables.rings.size());
    const Index mmax = spec.alm->layout().mmax();
    bytes = std::max(bytes, (iterations > 0 ? 2 : 1) * RingSpectra::bytes<T>(part_tables, mmax, width) +
                                width * (slots + part_tables.lmax + 1) * static_cast<Index>(sizeof(std::complex<T>)));
    tables += part_tables.bytes() +
              legendre::engine_bytes(task.lmax, task.spin, spec.legendre_pairs(), width, threads) +
              fft::RingTransform<T>::workspace_bytes(part_tables.ring_task());
    if (spec.resampled()) tables += backend::resampled_engine_bytes<T>(task.lmax, task.pairs(), width, threads);
  }
  return tables + fft::PlanCache<T>::bytes(lengths) + std::min<Index>(groups, threads) * bytes;
}

template class RingIteration<float>;
template class RingIteration<double>;

}  // namespace armilla::transform
