#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/radial/convolver.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include <omp.h>

namespace armilla::radial {

using core::at;

namespace {

using PairRange = RowPlan::PairRange;

// Number of tasks that are processed together: sufficient for all threads, and small enough for the caches.
constexpr std::size_t kLeastBand = 32;
constexpr std::size_t kBandOfThread = 4;
// Results of at least this size are written with non-temporal stores.
constexpr Index kStreamBytes = Index{32} << 20;

}  // namespace

template <class T>
struct Convolver<T>::Layout {
  std::vector<RowPlan> plans;
  std::vector<Task> tasks;
  std::vector<Band> bands;
  RingStore::Sizes store;
  RowSum::Sizes sum = {};
};

template <class T>
typename Convolver<T>::Layout Convolver<T>::make_layout(const dist::PixelDistribution& in,
                                                        const std::vector<ConvolutionTarget>& targets, int rank,
                                                        Index fields) {
  Layout layout;
  Index pixels = 0, in_modes = 0, out_modes = 0, longest_sum = 0, longest_ring = 1;
  for (const grid::Ring& ring : in.grid().rings()) longest_ring = std::max(longest_ring, ring.nphi);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const grid::RingGrid& out = targets[t].pixels->grid();
    const PairRange own = targets[t].pixels->own_pairs(rank);
    const RowPlan& plan = layout.plans.emplace_back(in.grid(), out, targets[t].spec, own);
    for (const grid::Ring& ring : out.rings()) longest_ring = std::max(longest_ring, ring.nphi);
    for (Index p = own.first; p < own.end; ++p) out_modes = std::max(out_modes, plan.out_modes(p));
    for (Index p = own.first; p < own.end; p += kPairsAtOnce)
      layout.tasks.push_back({t, p, std::min(kPairsAtOnce, own.end - p), plan.theta_out(p)});
    for (Index q = 0; q < static_cast<Index>(in.grid().pairs().size()); ++q)
      in_modes = std::max(in_modes, plan.in_modes(q));
    longest_sum = std::max(longest_sum, plan.longest_sum());
    layout.sum.row_fft = layout.sum.row_fft || plan.has_row_fft();
    layout.sum.samples = std::max(layout.sum.samples, plan.most_samples());
  }
  std::stable_sort(layout.tasks.begin(), layout.tasks.end(),
                   [](const Task& a, const Task& b) { return a.theta < b.theta; });
  const std::size_t length = std::max(kLeastBand, kBandOfThread * static_cast<std::size_t>(omp_get_max_threads()));
  Index places = 1;
  for (std::size_t first = 0; first < layout.tasks.size(); first += length) {
    Band band{first, std::min(first + length, layout.tasks.size()), {0, 0}};
    for (std::size_t i = band.first; i < band.end; ++i) {
      const Task& task = layout.tasks[i];
      const RowPlan& plan = layout.plans[task.target];
      band.needed = hull(band.needed, needed_pairs(plan, {task.p, task.p + task.pairs}));
    }
    places = std::max(places, band.needed.end - band.needed.first);
    layout.bands.push_back(band);
  }
  if (longest_sum > 0) pixels = longest_ring + longest_sum;
  // One more cache line, so that equal modes of different rings do not map to the same cache sets.
  constexpr Index kLine = 8;
  layout.store = {places, fields, pixels, in_modes > 0 ? in_modes + kLine : 0};
  layout.sum.fields = fields;
  layout.sum.pixels = longest_ring;
  layout.sum.modes = out_modes;
  layout.sum.longest = longest_sum;
  return layout;
}

template <class T>
std::set<Index> Convolver<T>::ring_lengths(const grid::RingGrid& in, const std::vector<ConvolutionTarget>& targets) {
  std::set<Index> lengths;
  for (const ConvolutionTarget& target : targets) {
    if (target.spec.direct) continue;
    for (const grid::Ring& ring : in.rings()) lengths.insert(ring.nphi);
    for (const grid::Ring& ring : target.pixels->grid().rings()) lengths.insert(ring.nphi);
  }
  return lengths;
}

template <class T>
core::MemoryEstimate Convolver<T>::memory(const dist::PixelDistribution& in,
                                          const std::vector<ConvolutionTarget>& targets, int rank, Index fields) {
  const Layout layout = make_layout(in, targets, rank, fields);
  fft::RingFftSizes sizes;
  const auto lengths = ring_lengths(in.grid(), targets);
  for (Index length : lengths) sizes.include(length);
  core::MemoryEstimate estimate = fft::PlanCache<double>::memory(lengths);
  estimate += static_cast<Index>(omp_get_max_threads()) * RowSum::Sizes::memory(layout.sum, sizes);
  estimate.kept += layout.store.bytes() + RingHalo<T>::bytes(in, needed_pairs(in, targets), rank, fields);
  return estimate;
}

template <class T>
Convolver<T>::Convolver(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> in,
                        std::vector<ConvolutionTarget> targets, Index fields)
    : Convolver(comm, make_layout(*in, targets, comm.rank(), fields), in, targets, fields) {}

template <class T>
Convolver<T>::Convolver(const comm::Communicator& comm, Layout layout,
                        std::shared_ptr<const dist::PixelDistribution> in, std::vector<ConvolutionTarget> targets,
                        Index fields)
    : comm_(comm),
      in_(std::move(in)),
      targets_(std::move(targets)),
      fields_(fields),
      plans_(std::move(layout.plans)),
      tasks_(std::move(layout.tasks)),
      bands_(std::move(layout.bands)),
      halo_(comm, in_, needed_pairs(*in_, targets_), fields),
      store_(layout.store) {
  for (const ConvolutionTarget& target : targets_)
    streamed_ = streamed_ || target.pixels->local_pixels(comm.rank()) * static_cast<Index>(sizeof(T)) >= kStreamBytes;
  for (const Index length : ring_lengths(in_->grid(), targets_)) ffts_.prepare(length);
  for (const ConvolutionTarget& target : targets_) {
    const auto rings = target.pixels->local_rings(comm.rank());
    const auto pixels = target.pixels->local_ring_pixels(comm.rank());
    const PairRange own = target.pixels->own_pairs(comm.rank());
    std::vector<Index>& places = places_.emplace_back(at(2 * (own.end - own.first)), Index{-1});
    std::size_t next = 0;
    for (Index p = own.first; p < own.end; ++p)
      for (bool north : {true, false})
        if (ring_of(target.pixels->grid(), p, north) != nullptr)
          places[at(2 * (p - own.first) + (north ? 0 : 1))] = pixels[next++];
  }
  for (int thread = 0; thread < omp_get_max_threads(); ++thread)
    sums_.push_back(std::make_unique<RowSum>(layout.sum, ffts_.sizes()));
}

template <class T>
void Convolver<T>::operator()(std::span<const std::span<const T>> fields, std::span<const double> weights,
                              const std::vector<std::vector<std::span<T>>>& out) {
  fields_ = static_cast<Index>(fields.size());
  store_.forget();
  const auto is_own = [&](const Band& band) {
    return band.needed.first >= halo_.own().first && band.needed.end <= halo_.own().end;
  };
  halo_.exchange(comm_, fields, [&](bool own) {
    for (const Band& band : bands_)
      if (is_own(band) == own) work_on(band, weights, out);
  });
}

template <class T>
void Convolver<T>::work_on(const Band& band, std::span<const double> weights,
                           const std::vector<std::vector<std::span<T>>>& out) {
  core::ExceptionCollector guarded;
  const auto first = static_cast<Index>(band.first), end = static_cast<Index>(band.end);
#pragma omp parallel num_threads(static_cast <int>(sums_.size()))
  {
    RowSum& sum = *sums_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic)
    for (Index q = band.needed.first; q < band.needed.end; ++q)
      if (!store_.holds(q)) guarded([&] { load(q, weights, sum.work()); });
#pragma omp for schedule(dynamic)
    for (Index i = first; i < end; ++i)
      guarded([&] {
        const Task& task = tasks_[at(i)];
        sum.sum(plans_[task.target], task.p, task.pairs, fields_, ffts_, store_);
        store(task, sum, out);
      });
  }
  guarded.rethrow();
}

template <class T>
void Convolver<T>::load(Index q, std::span<const double> weights, RingWork& work) {
  const grid::RingGrid& grid = in_->grid();
  Index modes = 0, repeated = 0;
  bool truncate = true, pixels = false;
  for (const RowPlan& plan : plans_) {
    if (plan.in_modes(q) > 0) truncate = truncate && plan.spec().truncate;
    modes = std::max(modes, plan.in_modes(q));
    pixels = pixels || plan.needs_pixels(q);
    repeated = std::max(repeated, plan.longest_sum());
  }
  const grid::Ring* const rings[2] = {ring_of(grid, q, true), ring_of(grid, q, false)};
  for (Index field = 0; field < fields_; ++field) {
    double* x[2] = {work.rows[0].data(), work.rows[1].data()};
    for (int h = 0; h < 2; ++h) {
      if (rings[h] == nullptr) continue;
      if (pixels) x[h] = store_.pixels(q, field, h == 0);
      const T* source = halo_.ring(field, q, h == 0);
      const grid::RingPair& pair = grid.pairs()[at(q)];
      const double weight = weights[at(h == 0 ? pair.north : pair.south)];
      const Index n = rings[h]->nphi;
      for (Index j = 0; j < n; ++j) x[h][j] = weight * static_cast<double>(source[j]);
      if (pixels)
        for (Index j = 0; j < repeated; ++j) x[h][n + j] = x[h][j % n];
    }
    if (modes > 0)
      RingStore::transform(ffts_, rings, {x[0], x[1]}, modes, truncate,
                           {store_.modes(q, field, true), store_.modes(q, field, false)}, work);
  }
  store_.set_held(q);
}

template <class T>
void Convolver<T>::store(const Task& task, RowSum& sum, const std::vector<std::vector<std::span<T>>>& out) const {
  const RowPlan& plan = plans_[task.target];
  for (Index g = 0; g < task.pairs; ++g)
    for (bool north : {true, false}) {
      const grid::Ring* ring = ring_of(plan.out(), task.p + g, north);
      if (ring == nullptr) continue;
      const Index place = places_[task.target][at(2 * (task.p + g - plan.own().first) + (north ? 0 : 1))];
      for (Index field = 0; field < fields_; ++field) {
        const double* pixels = sum.pixels(g, field, north);
        T* target = out[task.target][at(field)].data() + place;
        if constexpr (std::is_same_v<T, double>)
          write_pixels(pixels, ring->nphi, streamed_, target);
        else
          std::transform(pixels, pixels + ring->nphi, target, [](double x) { return static_cast<T>(x); });
      }
    }
}

ARMILLA_INSTANTIATE_CLASS(Convolver);

}  // namespace armilla::radial
