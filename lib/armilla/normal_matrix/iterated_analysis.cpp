#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/normal_matrix/belt_blocks.hpp>
#include <armilla/normal_matrix/cap_harmonics.hpp>
#include <armilla/normal_matrix/columns.hpp>
#include <armilla/normal_matrix/iterated_analysis.hpp>
#include <armilla/normal_matrix/self_matrix.hpp>

#include <algorithm>
#include <utility>

#include <omp.h>

namespace armilla::normal_matrix {

namespace {

using core::at;

// Columns of both halves, which share generated and loaded data: as many as fit in the L2 cache for one m.
constexpr Index kMaxPanels = 4;
constexpr Index kMaxBytes = Index{512} << 20;

// States of at least this size are written with non-temporal stores, because they would be evicted from the caches
// before they are read again.
constexpr Index kStreamBytes = Index{32} << 20;

// Size of a state of a chunk of maps and its sums on rings; there are two.
Index state_size(const Systems& systems, const AliasPlan& plan, const Panels& panels) {
  return State<double>::size(systems, panels) + CapHarmonics::workspace_size(systems, plan, panels);
}

// Maps processed by all threads together.
Index chunk_size(const Systems& systems, const AliasPlan& plan, Index maps) {
  const auto fits = [&](Index count) {
    const Panels panels = MapColumns{0, count}.panels(systems);
    return panels.count <= kMaxPanels &&
           2 * state_size(systems, plan, panels) * static_cast<Index>(sizeof(double)) <= kMaxBytes;
  };
  Index chunks = 1;
  const auto together = [&] { return (maps + chunks - 1) / chunks; };
  while (together() > kMaxColumns && !fits(together())) ++chunks;
  return std::max<Index>(together(), 1);
}

// Number of doubles in this number of bytes.
Index numbers_in(Index bytes) {
  constexpr Index kNumber = sizeof(double);
  return (bytes + kNumber - 1) / kNumber;
}

Index rows_of(const Systems& systems, Index m) { return systems.begin(m + 1, 0) - systems.begin(m, 0); }

}  // namespace

struct IteratedAnalysis::Tables {
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
  std::unique_ptr<EdgeRows> edges;  // only while tables are built
  SelfMatrix self;
  BeltBlocks belts;
  CapHarmonics caps;
  std::vector<std::vector<Index>> classes;
};

/// Memory of one thread.
struct IteratedAnalysis::Memory::Worker {
  SelfMatrix::Workspace self;
  core::AlignedVector<double> own;  // of the m of one class
};

/// Maps that pass through all rounds together, and the location of their columns.
struct IteratedAnalysis::Chunk {
  const Tables& tables;
  MapColumns maps;
  Panels panels;
  State<double> analysed, state;
  double* sums[2];  // on rings, of the current round and of the next

  bool is_streamed() const {
    return State<double>::size(tables.systems, panels) * static_cast<Index>(sizeof(double)) >= kStreamBytes;
  }

  // Computes the first analysis of m, and its sums on rings.
  template <class T>
  void begin(Index m, FirstAnalysis<T>& first) const {
    clear_columns(tables.systems, m, maps.count, analysed);
    first.find(m, [&](Index map, Index count, const AlmOfM<const std::complex<T>>& alm) {
      load_columns(tables.systems, m, {map, count}, alm, analysed);
    });
    tables.caps.synthesise(m, analysed, sums[0]);
  }

  // Computes new coefficients of the m of a class, which read each other's old ones and then overwrite them, and the
  // sums on rings for the next round; in the last round, writes alm.
  template <class T>
  void correct(const std::vector<Index>& own, Index round, bool last, const AlmPositions& positions,
               std::complex<T>* alm, Memory::Worker& worker) const {
    const Systems& systems = tables.systems;
    const State<const double> from = round == 0 ? analysed : state;
    const bool streamed = is_streamed();
    Index rows = 0;
    for (const Index m : own) rows += rows_of(systems, m);
    worker.own.resize(at(rows * panels.all_numbers()));
    double* place = worker.own.data();
    for (const Index m : own) {
      const State<double> to{place, panels, systems.begin(m, 0)};
      place += rows_of(systems, m) * panels.all_numbers();
      tables.self.multiply(m, from, analysed, to, worker.self);
      tables.belts.subtract(m, from, to);
      tables.caps.subtract(m, sums[round % 2], to);
      if (last)
        store_columns(systems, m, maps.count, to,
                      AlmOfM<std::complex<T>>{alm + positions.offset[at(m)] + maps.first * positions.map_stride,
                                              positions.component_stride, positions.map_stride},
                      streamed);
      else
        tables.caps.synthesise(m, to, sums[(round + 1) % 2]);
    }
    if (last) return;
    const double* numbers = worker.own.data();
    for (const Index m : own) {
      const Index size = rows_of(systems, m) * panels.all_numbers();
      copy(numbers, size * static_cast<Index>(sizeof(double)), streamed, state.panel(systems, m, 0, 0));
      numbers += size;
    }
  }
};

IteratedAnalysis::IteratedAnalysis(NormalTask task, const std::string& engine)
    : tables_(std::make_unique<Tables>(std::move(task), engine)) {}

IteratedAnalysis::~IteratedAnalysis() = default;
IteratedAnalysis::Memory::Memory() = default;
IteratedAnalysis::Memory::~Memory() = default;

const NormalTask& IteratedAnalysis::task() const { return tables_->task; }

Index IteratedAnalysis::maps_together(const NormalTask& task, Index maps) {
  return chunk_size(Systems(task.spin, task.lmax, task.mmax()), AliasPlan(task), maps);
}

template <class T>
void IteratedAnalysis::reserve(Index maps, const FirstAnalysis<T>& first, Memory& memory) const {
  const Systems& systems = tables_->systems;
  const Index together = chunk_size(systems, tables_->plan, maps);
  const Panels panels = MapColumns{0, together}.panels(systems);
  const auto extend = [](core::AlignedBuffer<double>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<double>(size);
  };
  extend(memory.first_, State<double>::size(systems, panels));
  extend(memory.first_sums_, tables_->caps.workspace_size(panels));
  extend(memory.later_, std::max(state_size(systems, tables_->plan, panels),
                                 numbers_in(first.workspace_bytes(std::min(together, maps)))));
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  while (memory.workers_.size() < threads) memory.workers_.push_back(std::make_unique<Memory::Worker>());
}

template <class T>
void IteratedAnalysis::iterate(Index maps, FirstAnalysis<T>& first, Index iterations, const AlmPositions& positions,
                               std::complex<T>* alm, Memory& memory) const {
  const Systems& systems = tables_->systems;
  const CapHarmonics& caps = tables_->caps;
  const Index together = chunk_size(systems, tables_->plan, maps);
  reserve(maps, first, memory);
  for (Index begin = 0; begin < maps; begin += together) {
    const MapColumns columns{begin, std::min(together, maps - begin)};
    const Panels panels = columns.panels(systems);
    double* later = memory.later_.data();
    const Chunk chunk{*tables_,        columns,
                      panels,          {memory.first_.data(), panels},
                      {later, panels}, {memory.first_sums_.data(), later + State<double>::size(systems, panels)}};
    first.begin(begin, columns.count, reinterpret_cast<std::byte*>(later));
    core::ExceptionCollector guarded;
#pragma omp parallel
    {
      Memory::Worker& worker = *memory.workers_[at(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 1)
      for (Index m = 0; m <= systems.mmax(); ++m) guarded([&] { chunk.begin(m, first); });
      for (Index round = 0; round < iterations; ++round) {
#pragma omp for schedule(dynamic, 1)
        for (Index number = 0; number < caps.crowded(); ++number)
          guarded([&] { caps.fold_aliases(number, panels, chunk.sums[round % 2]); });
#pragma omp for schedule(dynamic, 1)
        for (const std::vector<Index>& own : tables_->classes)
          guarded([&] { chunk.correct(own, round, round + 1 == iterations, positions, alm, worker); });
      }
    }
    guarded.rethrow();
  }
}

core::MemoryEstimate IteratedAnalysis::memory(const NormalTask& task, Index maps, Index first_room) {
  const Systems systems(task.spin, task.lmax, task.mmax());
  const AliasPlan plan(task);
  const Panels panels = MapColumns{0, chunk_size(systems, plan, maps)}.panels(systems);
  Index class_rows = 0;
  for (const std::vector<Index>& own : BeltBlocks::classes(task, plan)) {
    Index rows = 0;
    for (const Index m : own) rows += rows_of(systems, m);
    class_rows = std::max(class_rows, rows);
  }
  const Index of_threads = omp_get_max_threads() * class_rows * panels.all_numbers();
  const Index size = state_size(systems, plan, panels);
  core::MemoryEstimate memory = in_turn(SelfMatrix::memory(systems), BeltBlocks::memory(systems, task, plan)) +
                                CapHarmonics::memory(systems, plan);
  memory.kept = (size + std::max(size, numbers_in(first_room)) + of_threads) * static_cast<Index>(sizeof(double));
  return memory;
}

ARMILLA_INSTANTIATE(IteratedAnalysis::reserve);
ARMILLA_INSTANTIATE(IteratedAnalysis::iterate);

}  // namespace armilla::normal_matrix
