#include <armilla/core/error.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/order_tables.hpp>
#include <armilla/legendre/pair_parts.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::legendre {

namespace {

template <class T>
struct Row {
  const char* name;
  std::unique_ptr<Engine<T>> (*make)(Task);
};

// From the fastest to the simplest; "auto" selects the first.
template <class T>
constexpr Row<T> kRows[] = {
    {"fast", [](Task task) { return make_fast_engine<T>(std::move(task)); }},
    {"reference", make_reference_engine<T>},
};

// Threads fetch up to this many m at once, provided that each thread still fetches at least kChunksPerThread times.
constexpr Index kMaxChunk = 8;
constexpr Index kChunksPerThread = 16;

}  // namespace

// Calls work(k, workspace) for each index k of a local m on the threads of the rank, a few at a time as threads become
// free. The m are ascending, so the longest come first and the last threads finish with short ones.
template <class T>
void Engine<T>::for_each_m(const Progress& progress, const std::function<void(Index, EngineWorkspace&)>& work) {
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  if (workspaces_.size() < threads) workspaces_.resize(threads);
  const Index all = count();
  const Index chunk = std::clamp<Index>(all / (kChunksPerThread * static_cast<Index>(threads)), 1, kMaxChunk);
  std::atomic<Index> done{0};
  core::ExceptionCollector collect;
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    auto& workspace = workspaces_[static_cast<std::size_t>(thread)];
#pragma omp for schedule(dynamic, chunk) nowait
    for (Index k = 0; k < all; ++k) {
      if (progress.watch != nullptr) progress.watch->wanted(k);
      collect([&] {
        if (!workspace) workspace = make_workspace();
        work(k, *workspace);
      });
      if (progress.watch != nullptr) progress.watch->done(k);
      if (!progress.tell) continue;
      const Index finished = ++done;
      if (thread == 0) collect([&] { progress.tell(static_cast<double>(finished) / static_cast<double>(all)); });
    }
    if (thread == 0 && progress.watch != nullptr) progress.watch->rest();
  }
  collect.rethrow();
}

template <class T>
void Engine<T>::synthesis(const Complex* alm, Complex* delta, const Progress& progress) {
  const auto work = [&](Index k, EngineWorkspace& workspace) { synthesise(k, alm, delta, workspace); };
  for_each_m(progress, std::ref(work));
}

template <class T>
void Engine<T>::adjoint(const Complex* delta, Complex* alm, const Progress& progress) {
  const auto work = [&](Index k, EngineWorkspace& workspace) { apply_adjoint(k, delta, alm, workspace); };
  for_each_m(progress, std::ref(work));
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names{"auto"};
  for (const auto& row : kRows<double>) names.emplace_back(row.name);
  return names;
}

template <class T>
core::MemoryEstimate Engine<T>::memory(Index lmax, Index spin, Index pairs, Index width) {
  constexpr auto kNumber = static_cast<Index>(sizeof(double));
  // Powers of the sine, or, for high spins, of the sines and cosines of half the colatitudes; factors of each pair.
  const core::MemoryEstimate powers = (spin > 3 ? 2 : 1) * PowerTable::memory(pairs, lmax);
  // Per thread: coefficients in two forms, both halves of Delta and those of a block of pairs, and the data that one m
  // needs for each degree and pair.
  const Index fields = width * (4 * (lmax + 1) + 4 * (pairs + kBlockPairs));
  const Index of_m = 24 * (lmax + 1) + 3 * pairs;
  const KeptLimits limits = KeptLimits::of_machine();
  Index kept = OrderTables::bytes_of_all(lmax, spin, pairs);
  if (spin > kMaxScalarSpin || kept > limits.tables)
    kept = 0;
  else
    kept += limits.values;
  return powers + core::MemoryEstimate{.tables = kNumber * 8 * pairs + kept,
                                       .kept = kNumber * omp_get_max_threads() * (fields + of_m)};
}

KeptLimits KeptLimits::of_machine() {
  // Of the cache of each thread, the rest is for coefficients and Delta. With more than two threads, most m are
  // processed by another thread than before, and their values are in the cache of another core.
  return {.tables = Index{12} << 20,
          .values = std::min(omp_get_max_threads(), 2) * (core::second_level_cache_bytes() / 8 * 5)};
}

template <class T>
std::unique_ptr<Engine<T>> make_engine(const std::string& name, Task task) {
  for (const auto& row : kRows<T>)
    if (name == row.name || name == "auto") return row.make(std::move(task));
  throw core::InputError(
      fmt::format("engine = {} does not exist: use one of {}", name, fmt::join(engine_names(), ", ")));
}

ARMILLA_INSTANTIATE_CLASS(Engine);
ARMILLA_INSTANTIATE(make_engine);

}  // namespace armilla::legendre
