#include <armilla/backend/resampled_engine.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/transform/part_plan.hpp>
#include <armilla/transform/ring_classes.hpp>
#include <armilla/transform/ring_iteration.hpp>

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
constexpr Index kMostFields = 8;

// As many maps as threads share evenly, up to a full group.
Index maps_together(const FieldPart& part, Index maps, int threads) {
  const Index share = (maps + threads - 1) / threads;
  return std::clamp<Index>(share, 1, kMostFields / part.components);
}

// Which numbers of a ring's spectrum there are: those of an m that is felt.
struct SpectrumShape {
  std::vector<Index> shift;  // [c] S_c of slot s stands at shift[c] + s * width
  Index size = 0;
};

}  // namespace

/// Tables of one part of a field for `maps` maps at once.
template <class T>
struct RingIteration<T>::Part {
  Part(const FieldTransformSpec& spec, const FieldPart& part, Index maps_)
      : tables(spec, part, 0),
        maps(maps_),
        width(part.components * maps_),
        slots(static_cast<Index>(tables.rings.size())),
        aliases(lengths(), longitudes(), tables.own_m.back()) {
    for (const fft::RingShape& ring : tables.rings) pixels.push_back(static_cast<double>(ring.nphi));
    set_first_slots();
    set_spectra();
    const Index degrees = tables.lmax + 1;
    for (const Index m : tables.own_m) column_offset.push_back(-m);
    column_blocks.assign(tables.own_m.size(), 0);
    task = tables.legendre_task();
    task.maps = maps;
    task.blocks = 1;
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

  std::vector<Index> lengths() const {
    std::vector<Index> nphi;
    for (const fft::RingShape& ring : tables.rings) nphi.push_back(ring.nphi);
    return nphi;
  }
  std::vector<double> longitudes() const {
    std::vector<double> phi0;
    for (const fft::RingShape& ring : tables.rings) phi0.push_back(ring.phi0);
    return phi0;
  }

  // Slots go pair by pair, so those that feel an m are the last ones.
  void set_first_slots() {
    const auto& plan = tables.exchange;
    for (const Index pair : plan.first_pair) {
      Index first = slots;
      for (std::size_t p = at(pair); p < std::min(plan.north_slot.size(), at(pair) + 1); ++p)
        for (const Index slot : {plan.north_slot[p], plan.south_slot[p]})
          if (slot >= 0) first = std::min(first, slot);
      first_slot.push_back(first);
    }
  }

  void set_spectra() {
    std::vector<Index> first(tables.own_m.size(), slots);
    rings = tables.rings;
    for (Index slot = 0; slot < slots; ++slot) {
      fft::RingShape& ring = rings[at(slot)];
      ring.m_count = std::min(ring.m_count, aliases.last_class(slot) + 1);
      for (Index c = 0; c < ring.m_count; ++c) first[at(c)] = std::min(first[at(c)], slot);
    }
    for (const Index slot : first) {
      spectrum.shift.push_back(spectrum.size - slot * width);
      spectrum.size += (slots - slot) * width;
    }
  }

  fft::RingTask ring_task() const {
    return {.rings = rings,
            .m_shift = spectrum.shift,
            .components = tables.part.components,
            .maps = maps,
            .component_stride = tables.map_size,
            .map_stride = tables.map_stride};
  }

  PartTables tables;
  Index maps;
  Index width;
  Index slots;
  RingAliases aliases;
  std::vector<double> pixels;     // [slot] of each ring
  std::vector<Index> first_slot;  // [m] those before do not feel it
  std::vector<fft::RingShape> rings;
  SpectrumShape spectrum;
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
               std::span<const double> weight, RingScheme scheme, Index iterations, Complex* alm) {
    Tools& tools = tools_of(part, plans);
    reserve(spectra_, part.spectrum.size);
    if (scheme == RingScheme::kJacobi && iterations > 0) reserve(next_, part.spectrum.size);
    reserve(column_, part.slots * part.width);
    reserve(correction_, part.width * (part.tables.lmax + 1));
    tools.rings.adjoint(pixels, weight, spectra_.data());
    for (Index round = 0; round <= iterations; ++round) {
      const bool last = round == iterations;
      for (Index m = 0; m < part.engine->count(); ++m) {
        part.engine->adjoin(m, gathered(part, m), correction_.data(), *tools.engine);
        add_correction(part, m, round == 0, alm);
        if (last) continue;
        part.engine->synthesise(m, correction_.data(), column_.data(), *tools.engine);
        take_off(part, m, weight, scheme == RingScheme::kJacobi ? next_.data() : spectra_.data());
      }
      if (scheme == RingScheme::kJacobi) std::swap(spectra_, next_);
    }
  }

 private:
  struct Tools {
    Tools(const Part& part_, const std::shared_ptr<fft::PlanCache<T>>& plans)
        : part(&part_), rings(part_.ring_task(), plans), engine(part_.engine->make_workspace()) {}

    const Part* part;
    fft::RingTransform<T> rings;
    std::unique_ptr<legendre::EngineWorkspace> engine;
  };

  Tools& tools_of(const Part& part, const std::shared_ptr<fft::PlanCache<T>>& plans);
  static void reserve(core::AlignedBuffer<Complex>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<Complex>(size);
  }
  static Complex* place_of(const Part& part, Complex* spectra, Index c, Index slot) {
    return spectra + part.spectrum.shift[at(c)] + slot * part.width;
  }
  const Complex* gathered(const Part& part, Index m);
  void add_correction(const Part& part, Index m, bool first, Complex* alm) const;
  void take_off(const Part& part, Index m, std::span<const double> weight, Complex* to);

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

// What the rings have of m; where it is its own class on all rings, the spectra themselves.
template <class T>
const std::complex<T>* RingIteration<T>::Worker::gathered(const Part& part, Index m) {
  const Index width = part.width;
  const auto plain = [&](Index slot) { return part.aliases.is_plain(m, slot) || m == 0; };
  const Index begin = part.first_slot[at(m)];
  bool all = true;
  for (Index slot = begin; slot < part.slots && all; ++slot) all = plain(slot);
  if (all) return spectra_.data() + part.spectrum.shift[at(m)];
  for (Index slot = begin; slot < part.slots; ++slot) {
    Complex* to = column_.data() + slot * width;
    if (plain(slot)) {
      std::copy_n(place_of(part, spectra_.data(), m, slot), width, to);
      continue;
    }
    const RingAliases::Alias alias = part.aliases.of(m, slot);
    const Complex* from = place_of(part, spectra_.data(), alias.c, slot);
    const auto re = static_cast<T>(alias.phase.real());
    const auto im = static_cast<T>(alias.phase.imag());
    const T sign = alias.conjugate ? T{-1} : T{1};
    for (Index w = 0; w < width; ++w) {
      const T x = from[w].real();
      const T y = sign * from[w].imag();
      to[w] = {re * x - im * y, re * y + im * x};
    }
  }
  return column_.data();
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

// Takes Delta of m off what is left, from spectra_ to `to`. Where these are two, an m that is its own class comes
// before all its aliases.
template <class T>
void RingIteration<T>::Worker::take_off(const Part& part, Index m, std::span<const double> weight, Complex* to) {
  const Index width = part.width;
  for (Index slot = part.first_slot[at(m)]; slot < part.slots; ++slot) {
    const auto ring = static_cast<T>(weight[at(slot)] * part.pixels[at(slot)]);
    const Complex* delta = column_.data() + slot * width;
    if (part.aliases.is_plain(m, slot)) {
      const Complex* left = place_of(part, spectra_.data(), m, slot);
      Complex* place = place_of(part, to, m, slot);
      for (Index w = 0; w < width; ++w) place[w] = left[w] - ring * delta[w];
      continue;
    }
    const RingAliases::Alias alias = part.aliases.of(m, slot);
    Complex* place = place_of(part, to, alias.c, slot);
    const Complex* left = alias.c == m ? place_of(part, spectra_.data(), m, slot) : place;
    if (m == 0) {
      for (Index w = 0; w < width; ++w) place[w] = left[w] - ring * delta[w].real();
      continue;
    }
    const Complex phase(std::conj(alias.phase));
    const bool twice = part.aliases.is_own_mirror(alias.c, slot);
    const Complex mirror(alias.c == 0 ? std::complex<double>(1) : part.aliases.turned(slot));
    for (Index w = 0; w < width; ++w) {
      Complex v = delta[w] * phase;
      if (alias.conjugate) v = std::conj(v);
      if (twice) v += std::conj(v) * mirror;
      place[w] = left[w] - ring * v;
    }
  }
}

template <class T>
RingIteration<T>::RingIteration(const FieldTransformSpec& spec)
    : spec_(spec), plans_(std::make_shared<fft::PlanCache<T>>()) {
  if (spec.alm->ranks() != 1 || spec.pixels->ranks() != 1)
    throw core::InternalError("ring iteration: it is for whole maps on one rank");
  for (const grid::Ring& ring : spec.pixels->grid().rings()) plans_->prepare(ring.nphi);
  for (const FieldPart& part : spec.kind.parts()) {
    const Index together = maps_together(part, spec.maps, omp_get_max_threads());
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
  const T* pixels = map.data().data();
  std::complex<T>* coefficients = alm.data().data();
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast<int>(workers_.size()))
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Part& part = *groups_[i].part;
    const PartTables& tables = part.tables;
    try {
      workers_[static_cast<std::size_t>(omp_get_thread_num())]->analyse(
          part, plans_, pixels + groups_[i].map * tables.map_stride + tables.map_begin(), weight, scheme, iterations,
          coefficients + groups_[i].map * tables.alm_stride + tables.alm_begin());
    } catch (...) {
#pragma omp critical(armilla_ring_iteration)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

template <class T>
Index RingIteration<T>::workspace_bytes(const FieldTransformSpec& spec) {
  // As the constructor and the workers, which keep the largest part's numbers.
  Index tables = 0;
  Index numbers = 0;
  std::set<Index> lengths;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) lengths.insert(ring.nphi);
  const int threads = omp_get_max_threads();
  Index groups = 0;
  for (const FieldPart& part : spec.kind.parts()) {
    const Index together = maps_together(part, spec.maps, threads);
    groups += (spec.maps + together - 1) / together;
    FieldTransformSpec own = spec;
    own.maps = together;
    const PartTables part_tables(own, part, 0);
    const legendre::Task task = part_tables.legendre_task();
    const Index width = part.components * together;
    const Index slots = static_cast<Index>(part_tables.rings.size());
    Index spectrum = 0;
    for (const fft::RingShape& ring : part_tables.rings)
      spectrum += std::min({ring.nphi / 2, part_tables.own_m.back(), ring.m_count - 1}) + 1;
    numbers = std::max(numbers, width * (2 * spectrum + slots + part_tables.lmax + 1));
    tables += part_tables.bytes() +
              legendre::engine_bytes(task.lmax, task.spin, spec.legendre_pairs(), width, threads) +
              fft::RingTransform<T>::workspace_bytes(part_tables.ring_task());
    if (spec.resampled()) tables += backend::resampled_engine_bytes<T>(task.lmax, task.pairs(), width, threads);
  }
  return tables + fft::PlanCache<T>::bytes(lengths) +
         std::min<Index>(groups, threads) * numbers * static_cast<Index>(sizeof(std::complex<T>));
}

template class RingIteration<float>;
template class RingIteration<double>;

}  // namespace armilla::transform
