#include <armilla/normal/belt_blocks.hpp>
#include <armilla/normal/cap_harmonics.hpp>
#include <armilla/normal/columns.hpp>
#include <armilla/normal/normal_iteration.hpp>
#include <armilla/normal/self_matrix.hpp>

#include <algorithm>
#include <exception>
#include <utility>

#include <omp.h>

namespace armilla::normal {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Columns of a half that a thread takes at once: two panels share what is generated and read, in one they fit.
constexpr Index kMostPanels = 2;
constexpr Index kMostBytes = Index{512} << 20;

// Numbers of a worker.
Index working_size(const Systems& systems, const AliasPlan& plan, Index panels) {
  return 2 * State<double>::size(systems, panels) + 2 * CapHarmonics::workspace_size(systems, plan, panels);
}

Index maps_together(const Systems& systems, const AliasPlan& plan, Index maps) {
  const Index threads = omp_get_max_threads();
  const Index share = (maps + threads - 1) / threads;
  Index panels = kMostPanels / systems.halves();
  while (panels > 1 &&
         working_size(systems, plan, panels * systems.halves()) * static_cast<Index>(sizeof(double)) > kMostBytes)
    --panels;
  return std::clamp<Index>(share, 1, panels * kPanelColumns);
}

}  // namespace

struct NormalIteration::Tables {
  Tables(NormalTask task_, const std::string& engine)
      : task(std::move(task_)),
        systems(task.spin, task.lmax, task.mmax()),
        plan(task),
        edges(task, engine),
        self(systems, task, edges),
        belts(systems, task, plan, edges),
        caps(systems, task, plan),
        classes(BeltBlocks::classes(task, plan)) {}

  NormalTask task;
  Systems systems;
  AliasPlan plan;
  EdgeRows edges;
  SelfMatrix self;
  BeltBlocks belts;
  CapHarmonics caps;
  std::vector<std::vector<Index>> classes;
};

struct NormalIteration::Worker {
  core::AlignedBuffer<double> first, state;
  core::AlignedBuffer<double> caps[2];
  core::AlignedVector<double> own;  // of the m of a class
  SelfMatrix::Workspace self;

  static void reserve(core::AlignedBuffer<double>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<double>(size);
  }
};

NormalIteration::NormalIteration(NormalTask task, const std::string& engine)
    : tables_(std::make_unique<Tables>(std::move(task), engine)) {}

NormalIteration::~NormalIteration() = default;

const NormalTask& NormalIteration::task() const { return tables_->task; }

template <class T>
void NormalIteration::iterate_some(Index first, Index count, const AlmPlaces& places, Index iterations,
                                   std::complex<T>* alm, Worker& worker) const {
  const Systems& systems = tables_->systems;
  const MapColumns maps{first, count};
  const Index panels = maps.panels(systems);
  for (auto* buffer : {&worker.first, &worker.state}) Worker::reserve(*buffer, State<double>::size(systems, panels));
  for (auto& caps : worker.caps) Worker::reserve(caps, tables_->caps.workspace_size(panels));
  const State<double> analysed{worker.first.data(), panels};
  const State<double> state{worker.state.data(), panels};
  double* sums = worker.caps[0].data();
  double* next_sums = worker.caps[1].data();
  for (Index m = 0; m <= systems.mmax(); ++m) {
    load_columns(systems, m, maps, places, alm, analysed);
    tables_->caps.synthesise(m, analysed, sums);
  }
  for (Index round = 0; round < iterations; ++round) {
    const State<const double> from = round == 0 ? analysed : state;
    const bool last = round + 1 == iterations;
    tables_->caps.meet(panels, sums);
    // Those m at once that read each other's coefficients, which are then overwritten; with the sums on rings that the
    // next round begins with.
    for (const std::vector<Index>& own : tables_->classes) {
      std::vector<State<double>> found;
      Index rows = 0;
      for (const Index m : own) rows += systems.begin(m + 1, 0) - systems.begin(m, 0);
      worker.own.resize(at(rows * panels * kPanelNumbers));
      double* place = worker.own.data();
      for (const Index m : own) {
        const State<double> to{place, panels, systems.begin(m, 0)};
        found.push_back(to);
        place += (systems.begin(m + 1, 0) - systems.begin(m, 0)) * panels * kPanelNumbers;
        tables_->self.multiply(m, from, analysed, to, worker.self);
        tables_->belts.take_off(m, from, to);
        tables_->caps.take_off(m, sums, to);
        if (!last) tables_->caps.synthesise(m, to, next_sums);
      }
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (last) {
          store_columns(systems, own[i], maps, places, State<const double>(found[i]), alm);
          continue;
        }
        const double* numbers = found[i].numbers;
        const Index size = (systems.begin(own[i] + 1, 0) - systems.begin(own[i], 0)) * panels * kPanelNumbers;
        std::copy(numbers, numbers + size, state.panel(systems, own[i], 0, 0));
      }
    }
    std::swap(sums, next_sums);
  }
}

template <class T>
void NormalIteration::iterate(Index maps, const AlmPlaces& places, Index iterations, std::complex<T>* alm) {
  const Index together = maps_together(tables_->systems, tables_->plan, maps);
  const Index groups = (maps + together - 1) / together;
  const Index threads = std::min<Index>(groups, omp_get_max_threads());
  while (static_cast<Index>(workers_.size()) < threads) workers_.push_back(std::make_unique<Worker>());
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(threads))
  for (Index group = 0; group < groups; ++group) {
    try {
      const Index first = group * together;
      iterate_some(first, std::min(together, maps - first), places, iterations, alm,
                   *workers_[at(omp_get_thread_num())]);
    } catch (...) {
#pragma omp critical(armilla_normal_iteration)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

Index NormalIteration::table_bytes(const NormalTask& task) {
  const Systems systems(task.spin, task.lmax, task.mmax());
  const AliasPlan plan(task);
  return SelfMatrix::bytes(systems) + BeltBlocks::bytes(systems, task, plan) + CapHarmonics::bytes(systems, plan);
}

Index NormalIteration::working_bytes(const NormalTask& task, Index maps) {
  const Systems systems(task.spin, task.lmax, task.mmax());
  const AliasPlan plan(task);
  const Index together = maps_together(systems, plan, maps);
  const Index panels = MapColumns{0, together}.panels(systems);
  const Index groups = (maps + together - 1) / together;
  return std::min<Index>(groups, omp_get_max_threads()) * working_size(systems, plan, panels) *
         static_cast<Index>(sizeof(double));
}

template void NormalIteration::iterate<float>(Index, const AlmPlaces&, Index, std::complex<float>*);
template void NormalIteration::iterate<double>(Index, const AlmPlaces&, Index, std::complex<double>*);

}  // namespace armilla::normal
