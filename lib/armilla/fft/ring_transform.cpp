#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/fft/ring_workspace.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <omp.h>

namespace armilla::fft {

namespace {

// Size of the Delta_m of a block for each m, in bytes, if the rank has enough rings: two cache lines, or up to four if
// the spectra then stay in the L2 cache.
constexpr Index kRunBytes = 128;
constexpr Index kLongRunBytes = 256;
constexpr Index kSpectraBytes = Index{512} << 10;
// Upper limit, in bytes per ring and m, for adjacent maps that are processed at once, if the spectra stay in the L2
// cache.
constexpr Index kColumnBytes = 512;
// Minimum number of blocks per thread, for load balance.
constexpr Index kBlocksPerThread = 4;
// Maps and Delta of at least this size are written with non-temporal stores.
constexpr Index kStreamBytes = Index{32} << 20;
// A chirped ring takes about this many times as long as a direct one of the same length.
constexpr double kChirpCost = 4.0;

template <class T>
constexpr Index kRunValues = kRunBytes / static_cast<Index>(sizeof(std::complex<T>));

using core::at;

// Number of columns w, out of `width`, that a block processes at once, if the longest ring has `longest` pixels.
template <class T>
Index columns(Index width, Index longest) {
  constexpr Index kValue = sizeof(std::complex<T>);
  const Index in_cache = kSpectraBytes / (std::max(Index{1}, longest) * kValue);
  return std::min(width, std::clamp(in_cache / kRunValues<T> * kRunValues<T>, kRunValues<T>, kColumnBytes / kValue));
}

}  // namespace

template <class T>
RingTransform<T>::RingTransform(RingTask task, std::shared_ptr<PlanCache<T>> plans)
    : task_(std::move(task)), plans_(std::move(plans)) {
  Index pixels = 0;
  Index delta = 0;
  for (const RingShape& ring : task_.rings) {
    plans_->prepare(ring.nphi);
    longest_ = std::max(longest_, ring.nphi);
    pixels += ring.nphi;
    delta += ring.m_count;
  }
  streamed_ = pixels * task_.width() * static_cast<Index>(sizeof(T)) >= kStreamBytes;
  delta_streamed_ = delta * task_.width() * static_cast<Index>(sizeof(std::complex<T>)) >= kStreamBytes;
  make_units();
  make_blocks();
}

template <class T>
RingTransform<T>::~RingTransform() = default;

template <class T>
core::MemoryEstimate RingTransform<T>::memory(const RingTask& task) {
  constexpr Index kValue = sizeof(std::complex<T>);
  RingFftSizes sizes;
  Index longest = 0;
  for (const RingShape& ring : task.rings) {
    sizes.include(ring.nphi);
    longest = std::max(longest, ring.nphi);
  }
  const Index unit_run = 2 * task.width() * kValue;
  const Index unit_spectra = columns<T>(task.width(), longest) * longest * kValue;
  const auto spectra = [&](Index run) { return (run + unit_run - 1) / unit_run * unit_spectra; };
  const Index kept = std::max(spectra(kRunBytes), std::min(kSpectraBytes, spectra(kLongRunBytes)));
  const core::MemoryEstimate of_thread{.kept = kept + longest * kValue};
  return omp_get_max_threads() * (of_thread + RingFftWorkspace<T>::memory(sizes));
}

template <class T>
void RingTransform<T>::make_units() {
  const Index slots = static_cast<Index>(task_.rings.size());
  for (Index slot = 0; slot < slots; ++slot) {
    const RingShape& ring = task_.rings[at(slot)];
    Index partner = ring.partner;
    if (partner >= 0) {
      const RingShape& image = task_.rings[at(partner)];
      if (image.nphi != ring.nphi || image.m_count != ring.m_count) partner = -1;
    }
    if (partner < 0 || slot < partner) units_.push_back({slot, partner});
  }
}

template <class T>
void RingTransform<T>::make_blocks() {
  constexpr Index kValue = sizeof(std::complex<T>);
  columns_ = columns<T>(task_.width(), longest_);
  const Index share = static_cast<Index>(units_.size()) / (kBlocksPerThread * omp_get_max_threads());
  for (std::size_t u = 0; u < units_.size();) {
    Block block{u, u, 0, 0, 0};
    Index run = 0;
    Index spectra = 0;
    const auto is_full = [&](Index units) {
      if (units == 0) return false;
      return run >= kLongRunBytes || units >= share || (run >= kRunBytes && spectra >= kSpectraBytes);
    };
    for (; u < units_.size() && !is_full(static_cast<Index>(block.end - block.begin)); ++u) {
      const RingShape& ring = task_.rings[at(units_[u].real)];
      const double n = static_cast<double>(ring.nphi);
      block.end = u + 1;
      block.nphi = std::max(block.nphi, ring.nphi);
      block.m_count = std::max(block.m_count, ring.m_count);
      const bool chirped = RingFft<T>::method(ring.nphi) == RingFft<T>::Method::kChirp;
      block.cost += n * (1 + std::log2(n)) * (chirped ? kChirpCost : 1.0) + 4 * static_cast<double>(ring.m_count);
      run += (units_[u].imaginary >= 0 ? 2 : 1) * task_.width() * kValue;
      spectra += ring.nphi * columns_ * kValue;
    }
    max_units_ = std::max(max_units_, static_cast<Index>(block.end - block.begin));
    blocks_.push_back(block);
  }
  std::ranges::stable_sort(blocks_, std::greater<>(), &Block::cost);
}

template <class T>
template <class Work>
void RingTransform<T>::for_each_block(const Work& work) {
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  if (workspaces_.size() < threads) workspaces_.resize(threads);
  core::ExceptionCollector collect;
#pragma omp parallel
  {
    auto& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
    collect([&] {
      if (!workspace) workspace = std::make_unique<Workspace>(*this);
    });
#pragma omp for schedule(dynamic, 1)
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      collect([&] {
        for (Index w = 0; w < task_.width(); w += columns_) {
          workspace->set_block(blocks_[b], w, std::min(columns_, task_.width() - w));
          work(*workspace);
        }
      });
  }
  collect.rethrow();
}

template <class T>
void RingTransform<T>::synthesis(const std::complex<T>* delta, T* map, std::span<const double> factor) {
  for_each_block([&](Workspace& workspace) { workspace.synthesis(delta, factor, map); });
}

template <class T>
void RingTransform<T>::adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) {
  for_each_block([&](Workspace& workspace) { workspace.adjoint(map, factor, delta); });
}

ARMILLA_INSTANTIATE_CLASS(RingTransform);

}  // namespace armilla::fft
