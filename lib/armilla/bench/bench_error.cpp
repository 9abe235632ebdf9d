#include <armilla/bench/bench_error.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::bench {

namespace {

using transform::AlmField;
using transform::FieldTransform;
using transform::MapField;

constexpr Index kMaxRings = 16;

using core::at;

// Rings distributed over the grid. If the grid is symmetric about the equator, each ring is chosen with its mirror
// image.
std::vector<Index> chosen_rings(const grid::RingGrid& grid) {
  const auto rings = static_cast<Index>(grid.rings().size());
  const Index count = std::min(rings, kMaxRings);
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) {
    const Index from_end = std::min(i, count - 1 - i);
    const Index ring = count == 1 ? 0 : (from_end * (rings - 1)) / (count - 1);
    chosen.push_back(i == from_end ? ring : rings - 1 - ring);
  }
  return chosen;
}

grid::RingGrid grid_of(const grid::RingGrid& grid, const std::vector<Index>& chosen) {
  std::vector<grid::Ring> rings;
  for (const Index i : chosen) rings.push_back(grid.rings()[at(i)]);
  return grid::RingGrid({.kind = "rings", .file = "a subset of " + grid.description().text()}, std::move(rings),
                        grid.has_weights(), {});
}

// Location of a ring of the subset in this rank's pixels of the grid, and in the pixels of the subset.
struct RingCopy {
  Index local;     // first pixel among those of the rank
  Index gathered;  // first pixel of the subset
  Index count;
};

std::vector<RingCopy> copies(const dist::PixelDistribution& pixels, int rank, const std::vector<Index>& chosen,
                             const grid::RingGrid& subset) {
  const auto rings = pixels.local_rings(rank);
  const auto begin = pixels.local_ring_pixels(rank);
  std::vector<RingCopy> result;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const auto found = std::ranges::find(chosen, rings[i]);
    if (found == chosen.end()) continue;
    const grid::Ring& ring = subset.rings()[static_cast<std::size_t>(found - chosen.begin())];
    result.push_back({begin[i], ring.first_pixel, ring.nphi});
  }
  return result;
}

// The subset of rings with the data required by the comparison, on every rank.
template <class T>
class Subset {
 public:
  explicit Subset(FieldTransform<T>& fast)
      : comm_(fast.comm()),
        grid_(fast.spec().pixels->shared_grid()),
        chosen_(chosen_rings(*grid_)),
        subset_(std::make_shared<grid::RingGrid>(grid_of(*grid_, chosen_))),
        pixels_(std::make_shared<dist::PixelDistribution>(subset_, comm_.size())),
        copies_(copies(*fast.spec().pixels, comm_.rank(), chosen_, *subset_)),
        alm_(fast.spec().kind, fast.spec().alm, comm_.rank(), 1),
        map_(fast.spec().kind, pixels_, comm_.rank(), 1),
        gathered_(at(subset_->npix())) {}

  AlmField<double>& alm() { return alm_; }
  MapField<double>& map() { return map_; }
  const std::shared_ptr<const dist::PixelDistribution>& pixels() const { return pixels_; }

  // Collective. The chosen rings of one component, on all ranks.
  std::span<const double> gather(std::span<const T> component) {
    std::ranges::fill(gathered_, 0.0);
    for (const RingCopy& copy : copies_)
      for (Index i = 0; i < copy.count; ++i)
        gathered_[at(copy.gathered + i)] = static_cast<double>(component[at(copy.local + i)]);
    comm_.sum(std::span<double>(gathered_));
    return gathered_;
  }

  // Calls visit(index in the local component, index in gather()) for the local pixels of the subset.
  template <class Visit>
  void for_pixels(Visit&& visit) const {
    Index position = 0;
    for (const dist::PixelRange& range : pixels_->pixel_ranges(comm_.rank()))
      for (Index i = 0; i < range.count; ++i) visit(at(position++), at(range.first + i));
  }

  // Sets all other rings to zero.
  void keep_only_chosen(std::span<T> component) const {
    std::vector<T> kept;
    for (const RingCopy& copy : copies_)
      kept.insert(kept.end(), component.begin() + copy.local, component.begin() + copy.local + copy.count);
    std::ranges::fill(component, T{0});
    auto next = kept.begin();
    for (const RingCopy& copy : copies_) {
      std::copy(next, next + copy.count, component.begin() + copy.local);
      next += copy.count;
    }
  }

 private:
  const comm::Communicator& comm_;
  std::shared_ptr<const grid::RingGrid> grid_;
  std::vector<Index> chosen_;
  std::shared_ptr<const grid::RingGrid> subset_;
  std::shared_ptr<const dist::PixelDistribution> pixels_;
  std::vector<RingCopy> copies_;
  AlmField<double> alm_;
  MapField<double> map_;
  std::vector<double> gathered_;
};

// Sums of squares of difference and reference.
struct Squares {
  double difference = 0;
  double reference = 0;

  void add(std::complex<double> value, std::complex<double> truth) {
    difference += std::norm(value - truth);
    reference += std::norm(truth);
  }
  // Collective. Infinite if the reference is zero but the difference is not.
  double relative_rms(const comm::Communicator& comm) const {
    std::vector<double> both{difference, reference};
    comm.sum(std::span<double>(both));
    return both[0] == 0 ? 0.0 : std::sqrt(both[0] / both[1]);
  }
};

template <class T>
void compare_maps(FieldTransform<double>& exact, BenchDirection direction, Subset<T>& subset, Index map_number,
                  const AlmField<T>& alm, const MapField<T>& map, Squares& squares) {
  for (Index c = 0; c < alm.kind().components(); ++c)
    std::ranges::transform(alm.component(map_number, c), subset.alm().component(0, c).begin(),
                           [](std::complex<T> a) { return std::complex<double>(a); });
  if (direction == BenchDirection::kAdjointAnalysis)
    exact.adjoint_quadrature(subset.alm(), subset.map());
  else
    exact.synthesis(subset.alm(), subset.map());
  for (Index c = 0; c < map.kind().components(); ++c) {
    const auto found = subset.gather(map.component(map_number, c));
    const auto truth = subset.map().component(0, c);
    subset.for_pixels([&](std::size_t own, std::size_t gathered) { squares.add(found[gathered], truth[own]); });
  }
}

template <class T>
void compare_alm(FieldTransform<double>& exact, BenchDirection direction, Subset<T>& subset, Index map_number,
                 const AlmField<T>& alm, const MapField<T>& map, Squares& squares) {
  for (Index c = 0; c < map.kind().components(); ++c) {
    const auto values = subset.gather(map.component(map_number, c));
    const auto own_values = subset.map().component(0, c);
    subset.for_pixels([&](std::size_t own, std::size_t gathered) { own_values[own] = values[gathered]; });
  }
  if (direction == BenchDirection::kAnalysis)
    exact.quadrature(subset.map(), subset.alm());
  else
    exact.adjoint_synthesis(subset.map(), subset.alm());
  for (Index c = 0; c < alm.kind().components(); ++c) {
    const auto found = alm.component(map_number, c);
    const auto truth = subset.alm().component(0, c);
    for (std::size_t i = 0; i < truth.size(); ++i) squares.add(std::complex<double>(found[i]), truth[i]);
  }
}

template <class T>
void transform_chosen(FieldTransform<T>& transform, BenchDirection direction, const Subset<T>& subset, AlmField<T>& alm,
                      MapField<T>& map) {
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < map.kind().components(); ++c) subset.keep_only_chosen(map.component(k, c));
  if (direction == BenchDirection::kAnalysis)
    transform.quadrature(map, alm);
  else
    transform.adjoint_synthesis(map, alm);
}

// For quadrature that does not treat rings separately. It is exact, so it must reproduce the coefficients of a map. Its
// adjoint must be a map whose adjoint synthesis gives the coefficients.
template <class T>
double round_trip_error(FieldTransform<T>& transform, BenchDirection direction, AlmField<T>& alm, MapField<T>& map) {
  transform.quadrature(map, alm);
  AlmField<T> back(alm.kind(), alm.shared_distribution(), alm.rank(), alm.maps());
  if (direction == BenchDirection::kAnalysis) {
    transform.synthesis(alm, map);
    transform.quadrature(map, back);
  } else {
    transform.adjoint_quadrature(alm, map);
    transform.adjoint_synthesis(map, back);
  }
  Squares squares;
  for (std::size_t i = 0; i < alm.data().size(); ++i)
    squares.add(std::complex<double>(back.data()[i]), std::complex<double>(alm.data()[i]));
  return squares.relative_rms(transform.comm());
}

}  // namespace

template <class T>
double bench_error(FieldTransform<T>& transform, BenchDirection direction, AlmField<T>& alm, MapField<T>& map) {
  const comm::Communicator& comm = transform.comm();
  const bool is_quadrature = direction == BenchDirection::kAnalysis || direction == BenchDirection::kAdjointAnalysis;
  if (is_quadrature && transform.spec().theta_quadrature()) return round_trip_error(transform, direction, alm, map);
  std::optional<Subset<T>> subset;
  comm::phase(comm, [&] { subset.emplace(transform); });
  FieldTransform<double> exact(comm, {.kind = transform.spec().kind,
                                      .alm = transform.spec().alm,
                                      .pixels = subset->pixels(),
                                      .maps = 1,
                                      .backend = backend::Kind::kCpu,
                                      .options = {.engine = "reference"}});
  if (!makes_maps(direction)) transform_chosen(transform, direction, *subset, alm, map);
  Squares squares;
  std::vector<Index> maps{0};
  if (map.maps() > 1) maps.push_back(map.maps() - 1);
  for (const Index k : maps) {
    if (makes_maps(direction))
      compare_maps(exact, direction, *subset, k, alm, map, squares);
    else
      compare_alm(exact, direction, *subset, k, alm, map, squares);
  }
  return squares.relative_rms(comm);
}

ARMILLA_INSTANTIATE(bench_error);

}  // namespace armilla::bench
