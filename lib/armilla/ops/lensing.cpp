#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/lensing.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <complex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <kernels/lensing/displacement.hpp>

namespace armilla::ops {

using core::at;

namespace {

constexpr auto kDouble = static_cast<Index>(sizeof(double));

/// Returns work() and records its time as a phase.
template <class Work>
auto timed(const transform::Monitor& monitor, const char* name, const Work& work) {
  std::optional<core::ScopedPhase> timer;
  if (monitor.timers != nullptr) timer.emplace(*monitor.timers, name);
  return work();
}

/// The rings of a rank, in the order of its pixels.
struct LocalRings {
  std::vector<Index> begin;
  std::vector<kernels::MapRing> rings;

  LocalRings(const dist::PixelDistribution& pixels, int rank) {
    const std::vector<Index> own = pixels.local_rings(rank), places = pixels.local_ring_pixels(rank);
    std::vector<std::size_t> order(own.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return places[i]; });
    for (const std::size_t i : order) {
      const grid::Ring& ring = pixels.grid().rings()[at(own[i])];
      begin.push_back(places[i]);
      rings.push_back({ring.theta, ring.sin_theta, ring.cos_theta, ring.phi0, ring.nphi});
    }
    begin.push_back(pixels.local_pixels(rank));
  }
  backend::MapRings tables() const { return {begin, rings.data()}; }
};

/// Number of pixels of each pair of rows of the fine grid, before displacement.
std::vector<Index> point_counts(Index rows, const dist::PixelDistribution& pixels) {
  std::vector<Index> counts(at(rows / 2), 0);
  for (const grid::Ring& ring : pixels.grid().rings())
    counts[at(points::PointOwners::pair_of(ring.theta, rows))] += ring.nphi;
  return counts;
}

/// Map `map` of a field, in the memory that holds its latest values.
template <class T>
transform::AlmField<T> one_map(const transform::AlmField<T>& alm, Index map) {
  const std::shared_ptr<backend::Memory> memory = alm.memory();
  const Index size = alm.kind().components() * alm.local_size();
  // The const_cast is safe: access is for reading.
  auto* first = const_cast<std::complex<T>*>(alm.read(memory)) + map * size;
  return {alm.kind(), alm.shared_distribution(), alm.rank(), 1, std::span(first, at(size)), backend::Access::kRead,
          memory};
}

template <class T>
Index map_bytes(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels, int rank) {
  return transform::MapField<T>::memory(spec.kind, pixels, rank, 1).held();
}

}  // namespace

template <class T>
Pointing displace(const transform::MapField<T>& vectors, Index map) {
  const std::span<const T> south = vectors.component(map, 0), east = vectors.component(map, 1);
  Pointing pointing;
  for (std::vector<double>* angles : {&pointing.theta, &pointing.phi, &pointing.gamma}) angles->resize(south.size());
  backend::host_memory()->ops<T>().displace(LocalRings(vectors.distribution(), vectors.rank()).tables(), south.data(),
                                            east.data(), pointing.theta.data(), pointing.phi.data(),
                                            pointing.gamma.data());
  return pointing;
}

template <class T>
typename Lens<T>::Angles Lens<T>::displaced(const comm::Communicator& comm, const transform::MapField<T>& vectors,
                                            Index map, const points::PointTransformSpec& spec) {
  Angles angles{backend::host_memory(), {}, {}, {}, vectors.local_size()};
  const bool there = points::PointTransform<T>::is_placed_there(spec, comm.size());
  const backend::Placement place = transform::placement(comm, spec.backend);
  comm::phase(comm, [&] {
    if (there) angles.memory = backend::make_context<T>(spec.backend, place)->memory();
    for (std::shared_ptr<double>* one : {&angles.theta, &angles.phi, &angles.gamma})
      *one = std::static_pointer_cast<double>(angles.memory->allocate(angles.count * kDouble));
    const T* south = vectors.read(angles.memory) + map * vectors.kind().components() * angles.count;
    angles.memory->template ops<T>().displace(LocalRings(vectors.distribution(), vectors.rank()).tables(), south,
                                              south + angles.count, angles.theta.get(), angles.phi.get(),
                                              angles.gamma.get());
  });
  return angles;
}

template <class T>
Lens<T>::Lens(const comm::Communicator& comm, const transform::MapField<T>& vectors, Index map,
              points::PointTransformSpec spec, transform::Monitor monitor)
    : Lens(comm, timed(monitor, "pointing", [&] { return displaced(comm, vectors, map, spec); }), spec, monitor) {}

template <class T>
Lens<T>::Lens(const comm::Communicator& comm, const Angles& angles, const points::PointTransformSpec& spec,
              const transform::Monitor& monitor)
    : comm_(comm),
      memory_(angles.memory),
      gamma_(angles.gamma),
      count_(angles.count),
      transform_(timed(monitor, "plan points", [&] {
        if (points::PointTransform<T>::is_placed_there(spec, comm.size()))
          return points::PointTransform<T>(
              comm, spec, points::DevicePositions{angles.memory, angles.theta, angles.phi, angles.count}, monitor);
        return points::PointTransform<T>(comm, spec, std::span(angles.theta.get(), at(angles.count)),
                                         std::span(angles.phi.get(), at(angles.count)), monitor);
      })) {}

template <class T>
void Lens<T>::turn(int sign, T* values) const {
  for (const transform::SpinField& field : transform_.spec().kind.spin_fields())
    if (field.spin != 0)
      memory_->ops<T>().turn(sign * field.spin, gamma_.get(), values + field.first * count_,
                             values + (field.first + 1) * count_, count_);
}

template <class T>
void Lens<T>::operator()(const transform::AlmField<T>& alm, Index from, transform::MapField<T>& out, Index to) {
  std::optional<transform::AlmField<T>> one;
  std::optional<backend::DualBuffer<T>> values;
  T* address = nullptr;
  comm::phase(comm_, [&] {
    if (alm.maps() > 1) one.emplace(one_map(alm, from));
    const Index size = alm.kind().components() * count_;
    address = (out.maps() == 1 ? out.overwrite(memory_) : out.update(memory_)) + to * size;
    values.emplace(std::span(address, at(size)), backend::Access::kReadWrite, memory_);
  });
  transform_.synthesis(one ? *one : alm, *values);
  comm::phase(comm_, [&] { turn(1, address); });
}

template <class T>
void Lens<T>::adjoint(const transform::MapField<T>& map, Index from, const backend::DualBuffer<double>& factors,
                      transform::AlmField<T>& out, Index to) {
  const Index components = map.kind().components(), size = components * count_;
  std::shared_ptr<T> turned;
  std::optional<backend::DualBuffer<T>> values;
  std::optional<transform::AlmField<T>> one;
  comm::phase(comm_, [&] {
    turned = std::static_pointer_cast<T>(memory_->allocate(size * static_cast<Index>(sizeof(T))));
    const double* const scale = factors.size() > 0 ? factors.read(memory_) : nullptr;
    const T* given = map.read(memory_) + from * size;
    for (Index c = 0; c < components; ++c)
      memory_->ops<T>().scale(scale, given + c * count_, turned.get() + c * count_, count_);
    turn(-1, turned.get());
    values.emplace(std::span(turned.get(), at(size)), backend::Access::kRead, memory_);
    if (out.maps() > 1) one.emplace(out.kind(), out.shared_distribution(), out.rank(), 1);
  });
  transform_.adjoint_synthesis(*values, one ? *one : out);
  if (!one) return;
  comm::phase(comm_, [&] {
    for (Index c = 0; c < components; ++c)
      std::ranges::copy(std::as_const(*one).component(0, c), out.component(to, c).begin());
  });
}

template <class T>
core::MemoryEstimate lens_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                 int rank) {
  using Transform = points::PointTransform<T>;
  const Index own = pixels.local_pixels(rank);
  core::MemoryEstimate memory =
      Transform::memory(spec, point_counts(Transform::rows(spec), pixels), pixels.ranks(), rank, own);
  if (!Transform::is_placed_there(spec, pixels.ranks())) memory.kept += 3 * own * kDouble;
  return memory;
}

template <class T>
backend::DeviceEstimate lens_device_memory(const points::PointTransformSpec& spec,
                                           const dist::PixelDistribution& pixels, int rank) {
  using Transform = points::PointTransform<T>;
  backend::DeviceEstimate memory =
      Transform::device_memory(spec, point_counts(Transform::rows(spec), pixels), pixels.ranks(), rank);
  memory.held.kept += transform::AlmField<T>::memory(spec.kind, *spec.alm, rank, 1).held();
  // Values are in the maps.
  if (Transform::is_placed_there(spec, pixels.ranks()))
    memory.held.kept += pixels.local_pixels(rank) * kDouble - map_bytes<T>(spec, pixels, rank);
  return memory;
}

template <class T>
core::MemoryEstimate lens_adjoint_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                         int rank) {
  const bool there = points::PointTransform<T>::is_placed_there(spec, pixels.ranks());
  return {.workspace = transform::AlmField<T>::memory(spec.kind, *spec.alm, rank, 1).held() +
                       (there ? 0 : map_bytes<T>(spec, pixels, rank))};
}

template <class T>
Index lens_adjoint_device_bytes(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                int rank) {
  return points::PointTransform<T>::is_placed_there(spec, pixels.ranks()) ? map_bytes<T>(spec, pixels, rank) : 0;
}

ARMILLA_INSTANTIATE(displace);
ARMILLA_INSTANTIATE_CLASS(Lens);
ARMILLA_INSTANTIATE(lens_memory);
ARMILLA_INSTANTIATE(lens_device_memory);
ARMILLA_INSTANTIATE(lens_adjoint_memory);
ARMILLA_INSTANTIATE(lens_adjoint_device_bytes);

}  // namespace armilla::ops
