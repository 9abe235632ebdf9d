#include <armilla/normal/belt_blocks.hpp>
#include <armilla/normal/cap_harmonics.hpp>
#include <armilla/normal/columns.hpp>
#include <armilla/normal/guarded.hpp>
#include <armilla/normal/normal_iteration.hpp>
#include <armilla/normal/self_matrix.hpp>

#include <algorithm>
#include <utility>

#include <omp.h>

namespace armilla::normal {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Of both halves, which share what is generated and read: as many as an m has room for in the second-level cache.
constexpr Index kMostPanels = 4;
constexpr Index kMostBytes = Index{512} << 20;

// Numbers for a group of maps.
Index group_size(const Systems& systems, const AliasPlan& plan, const Panels& panels) {
  return 2 * State<double>::size(systems, panels) + 2 * CapHarmonics::workspace_size(systems, plan, panels);
}

// Maps that all threads work on together.
Index maps_together(const Systems& systems, const AliasPlan& plan, Index maps) {
  const auto fits = [&](Index count) {
    const Panels panels = MapColumns{0, count}.panels(systems);
    return panels.count <= kMostPanels &&
           group_size(systems, plan, panels) * static_cast<Index>(sizeof(double)) <= kMostBytes;
  };
  Index groups = 1;
  const auto together = [&] { return (maps + groups - 1) / groups; };
  while (together() > kMostColumns && !fits(together())) ++groups;
  return std::max<Index>(together(), 1);
}

Index rows_of(const Systems& systems, Index m) { return systems.begin(m + 1, 0) - systems.begin(m, 0); }

}  // namespace

struct NormalIteration::Tables {
  Tables(NormalTask task_, const std::string& engine)
      : task(std::move(task_)),
        systems(task.spin, task.lmax, task.mmax()),
        plan(task),
        edges(std::make_unique<EdgeRows>(task, engine)),
        self(systems, task, *edges),
        belts(systems, task, plan, *edges),
        caps(systems, task, plan),
        classes(BeltBlocks::classes(task, plan)) {
    edges.reset();
  }

  NormalTask task;
  Systems systems;
  AliasPlan plan;
  std::unique_ptr<EdgeRows> edges;  // while tables are made
  SelfMatrix self;
  BeltBlocks belts;
  CapHarmonics caps;
  std::vector<std::vector<Index>> classes;
};

/// What one thread computes with.
struct NormalIteration::Memory::Worker {
  SelfMatrix::Workspace self;
  core::AlignedVector<double> own;  // of the m of a class
};

/// Maps that go through all rounds together, and where their columns stand.
struct NormalIteration::Group {
  const Tables& tables;
  MapColumns maps;
  Panels panels;
  State<double> analysed, state;

  // To new coefficients of the m of a class, which read each other's old ones and then overwrite them, and to the sums
  // on rings that the next round begins with; in the last round to alm.
  template <class T>
  void correct(const std::vector<Index>& own, bool first, bool last, const double* sums, double* next_sums,
               const AlmPlaces& places, std::complex<T>* alm, Memory::Worker& worker) const {
    const Systems& systems = tables.systems;
    const State<const double> from = first ? analysed : state;
    Index rows = 0;
    for (const Index m : own) rows += rows_of(systems, m);
    worker.own.resize(at(rows * panels.all_numbers()));
    double* place = worker.own.data();
    for (const Index m : own) {
      const State<double> to{place, panels, systems.begin(m, 0)};
      place += rows_of(systems, m) * panels.all_numbers();
      tables.self.multiply(m, from, analysed, to, worker.self);
      tables.belts.take_off(m, from, to);
      tables.caps.take_off(m, sums, to);
      if (last)
        store_columns(systems, m, maps, places, State<const double>(to), alm);
      else
        tables.caps.synthesise(m, to, next_sums);
    }
    if (last) return;
    const double* numbers = worker.own.data();
    for (const Index m : own) {
      const Index size = rows_of(systems, m) * panels.all_numbers();
      std::copy(numbers, numbers + size, state.panel(systems, m, 0, 0));
      numbers += size;
    }
  }
};

NormalIteration::NormalIteration(NormalTask task, const std::string& engine)
    : tables_(std::make_unique<Tables>(std::move(task), engine)) {}

NormalIteration::~NormalIteration() = default;
NormalIteration::Memory::Memory() = default;
NormalIteration::Memory::~Memory() = default;

const NormalTask& NormalIteration::task() const { return tables_->task; }

void NormalIteration::reserve(Index maps, Memory& memory) const {
  const Systems& systems = tables_->systems;
  const Panels panels = MapColumns{0, maps_together(systems, tables_->plan, maps)}.panels(systems);
  const auto extend = [](core::AlignedBuffer<double>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<double>(size);
  };
  for (auto* buffer : {&memory.first_, &memory.state_}) extend(*buffer, State<double>::size(systems, panels));
  for (auto& buffer : memory.sums_) extend(buffer, tables_->caps.workspace_size(panels));
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  while (memory.workers_.size() < threads) memory.workers_.push_back(std::make_unique<Memory::Worker>());
}

template <class T>
void NormalIteration::iterate(Index maps, const AlmPlaces& places, Index iterations, std::complex<T>* alm,
                              Memory& memory) const {
  const Systems& systems = tables_->systems;
  const CapHarmonics& caps = tables_->caps;
  const Index together = maps_together(systems, tables_->plan, maps);
  reserve(maps, memory);
  for (Index begin = 0; begin < maps; begin += together) {
    const MapColumns columns{begin, std::min(together, maps - begin)};
    const Panels panels = columns.panels(systems);
    const Group group{*tables_, columns, panels, {memory.first_.data(), panels}, {memory.state_.data(), panels}};
    Guarded guarded;
#pragma omp parallel
    {
      Memory::Worker& worker = *memory.workers_[at(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 1)
      for (Index m = 0; m <= systems.mmax(); ++m)
        guarded([&] {
          load_columns(systems, m, columns, places, alm, group.analysed);
          caps.synthesise(m, group.analysed, memory.sums_[0].data());
        });
      for (Index round = 0; round < iterations; ++round) {
        double* sums = memory.sums_[round % 2].data();
        double* next_sums = memory.sums_[(round + 1) % 2].data();
#pragma omp for schedule(dynamic, 1)
        for (Index number = 0; number < caps.crowded(); ++number) guarded([&] { caps.meet(number, panels, sums); });
#pragma omp for schedule(dynamic, 1)
        for (const std::vector<Index>& own : tables_->classes)
          guarded(
              [&] { group.correct(own, round == 0, round + 1 == iterations, sums, next_sums, places, alm, worker); });
      }
    }
    guarded.rethrow();
  }
}

Index NormalIteration::table_bytes(const NormalTask& task) {
  const Systems systems(task.spin, task.lmax, task.mmax());
  const AliasPlan plan(task);
  return SelfMatrix::bytes(systems) + BeltBlocks::bytes(systems, task, plan) + CapHarmonics::bytes(systems, plan);
}

Index NormalIteration::working_bytes(const NormalTask& task, Index maps) {
  const Systems systems(task.spin, task.lmax, task.mmax());
  const AliasPlan plan(task);
  const Panels panels = MapColumns{0, maps_together(systems, plan, maps)}.panels(systems);
  Index class_rows = 0;
  for (const std::vector<Index>& own : BeltBlocks::classes(task, plan)) {
    Index rows = 0;
    for (const Index m : own) rows += rows_of(systems, m);
    class_rows = std::max(class_rows, rows);
  }
  const Index of_threads = omp_get_max_threads() * class_rows * panels.all_numbers();
  return (group_size(systems, plan, panels) + of_threads) * static_cast<Index>(sizeof(double));
}

template void NormalIteration::iterate<float>(Index, const AlmPlaces&, Index, std::complex<float>*, Memory&) const;
template void NormalIteration::iterate<double>(Index, const AlmPlaces&, Index, std::complex<double>*, Memory&) const;

}  // namespace armilla::normal
