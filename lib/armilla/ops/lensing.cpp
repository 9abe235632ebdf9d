#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/lensing.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::ops {

using core::at;

namespace {

/// Returns work() and records its time as a phase.
template <class Work>
auto timed(const transform::Monitor& monitor, const char* name, const Work& work) {
  std::optional<core::ScopedPhase> timer;
  if (monitor.timers != nullptr) timer.emplace(*monitor.timers, name);
  return work();
}

/// Arc tangent of a small argument, by its series.
double small_arc(double t) {
  const double square = t * t;
  return t - t * square * (1.0 / 3 - square * (1.0 / 5 - square * (1.0 / 7)));
}

/// Displacement of one pixel of a ring.
struct Displaced {
  double theta, phi_change, gamma;

  // If the squared displacement divided by the squared distance from the axis is smaller, the series are exact to
  // rounding.
  static constexpr double kLittle = 6e-5;

  /// Series for small displacements, which cover most pixels of lensed maps. Avoids trigonometric functions, which take
  /// 200 ns.
  void displace_little(const grid::Ring& ring, double south, double east) {
    const double square = south * south + east * east;
    const double cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30));
    const double share = 1 - square / 6 * (1 - square / 20);
    const double x = cosine * ring.sin_theta + share * south * ring.cos_theta, y = share * east;
    const double z = cosine * ring.cos_theta - share * south * ring.sin_theta, rho = std::sqrt(x * x + y * y);
    const double product = z * ring.cos_theta + rho * ring.sin_theta;
    theta = ring.theta + small_arc((rho * ring.cos_theta - z * ring.sin_theta) / product);
    phi_change = small_arc(y / x);
    // Napier's analogy in the triangle of n, n' and the pole:
    // tan(gamma / 2) = tan(phi_change / 2) cos((theta + theta') / 2) / cos((theta' - theta) / 2).
    gamma = 2 * small_arc(y * (ring.cos_theta + z) / ((rho + x) * (1 + product)));
  }

  Displaced(const grid::Ring& ring, double south, double east) {
    if (south * south + east * east < kLittle * ring.sin_theta * ring.sin_theta) {
      displace_little(ring, south, east);
      return;
    }
    const double angle = std::hypot(south, east);
    const double cosine = std::cos(angle), share = angle > 0 ? std::sin(angle) / angle : 1;
    // n' in the frame in which n has longitude 0; rho is its distance from the axis.
    const double x = cosine * ring.sin_theta + share * south * ring.cos_theta, y = share * east;
    const double z = cosine * ring.cos_theta - share * south * ring.sin_theta, rho = std::hypot(x, y);
    theta = std::atan2(rho, z);
    phi_change = std::atan2(y, x);
    if (angle == 0 || rho == 0) {
      gamma = 0;
      return;
    }
    // Direction of the geodesic at n and at n', southward and eastward. Its component along phi times the distance from
    // the axis is constant (Clairaut).
    const double here_south = south / angle, here_east = east / angle;
    const double sine = std::sin(angle), cos_change = x / rho, sin_change = y / rho;
    const double there_x = -sine * ring.sin_theta + cosine * here_south * ring.cos_theta, there_y = cosine * here_east;
    const double there_z = -sine * ring.cos_theta - cosine * here_south * ring.sin_theta;
    const double there_east = cos_change * there_y - sin_change * there_x;
    const double there_south = std::cos(theta) * (cos_change * there_x + sin_change * there_y) - rho * there_z;
    gamma = std::atan2(here_east * there_south - here_south * there_east,
                       here_south * there_south + here_east * there_east);
  }
};

/// Multiplies first + i second by exp(i spin gamma), pixel by pixel.
template <class T>
void turn_tensors(const std::vector<double>& gamma, Index spin, T* first, T* second) {
  const auto count = static_cast<Index>(gamma.size());
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < count; ++i) {
    const double turn = static_cast<double>(spin) * gamma[at(i)];
    const double c = std::cos(turn), s = std::sin(turn);
    const auto a = static_cast<double>(first[i]), b = static_cast<double>(second[i]);
    first[i] = static_cast<T>(c * a - s * b);
    second[i] = static_cast<T>(s * a + c * b);
  }
}

/// Number of pixels of each pair of rows of the fine grid, before displacement.
std::vector<Index> point_counts(Index rows, const dist::PixelDistribution& pixels) {
  std::vector<Index> counts(at(rows / 2), 0);
  for (const grid::Ring& ring : pixels.grid().rings())
    counts[at(points::PointOwners::pair_of(ring.theta, rows))] += ring.nphi;
  return counts;
}

}  // namespace

template <class T>
Pointing displace(const transform::MapField<T>& vectors, Index map) {
  const dist::PixelDistribution& pixels = vectors.distribution();
  const std::vector<Index> rings = pixels.local_rings(vectors.rank()),
                           places = pixels.local_ring_pixels(vectors.rank());
  const std::span<const T> south = vectors.component(map, 0), east = vectors.component(map, 1);
  Pointing pointing;
  for (std::vector<double>* angles : {&pointing.theta, &pointing.phi, &pointing.gamma}) angles->resize(south.size());
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const grid::Ring& ring = pixels.grid().rings()[at(rings[r])];
    for (Index j = 0; j < ring.nphi; ++j) {
      const std::size_t i = at(places[r] + j);
      const Displaced moved(ring, static_cast<double>(south[i]), static_cast<double>(east[i]));
      const double phi =
          ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi) + moved.phi_change;
      pointing.theta[i] = moved.theta;
      pointing.phi[i] = phi - 2 * core::kPi * std::floor(phi / (2 * core::kPi));
      pointing.gamma[i] = moved.gamma;
    }
  }
  return pointing;
}

template <class T>
Lens<T>::Lens(const comm::Communicator& comm, const transform::MapField<T>& vectors, Index map,
              points::PointTransformSpec spec, transform::Monitor monitor)
    : Lens(comm,
           timed(monitor, "pointing",
                 [&] {
                   std::unique_ptr<Pointing> pointing;
                   comm::phase(comm, [&] { pointing = std::make_unique<Pointing>(displace(vectors, map)); });
                   return pointing;
                 }),
           std::move(spec), monitor) {}

template <class T>
Lens<T>::Lens(const comm::Communicator& comm, std::unique_ptr<Pointing> pointing, points::PointTransformSpec spec,
              transform::Monitor monitor)
    : comm_(comm), pointing_(std::move(pointing)), transform_(timed(monitor, "plan points", [&] {
        return points::PointTransform<T>(comm, spec, pointing_->theta, pointing_->phi, monitor);
      })) {
  comm::phase(comm, [&] { alm_.emplace(spec.kind, spec.alm, comm.rank(), 1); });
}

template <class T>
void Lens<T>::operator()(const transform::AlmField<T>& alm, Index from, transform::MapField<T>& out, Index to) {
  const transform::FieldKind& kind = alm.kind();
  std::vector<std::span<T>> values;
  // No copy for a field of one map, which may be in device memory.
  const bool one = alm.maps() == 1;
  comm::phase(comm_, [&] {
    for (Index c = 0; c < kind.components(); ++c) {
      if (!one) std::ranges::copy(alm.component(from, c), alm_->component(0, c).begin());
      values.push_back(out.component(to, c));
    }
  });
  transform_.synthesis(one ? alm : *alm_, values);
  comm::phase(comm_, [&] {
    for (const transform::SpinField& field : kind.spin_fields()) {
      if (field.spin == 0) continue;
      turn_tensors(pointing_->gamma, field.spin, values[at(field.first)].data(), values[at(field.first + 1)].data());
    }
  });
}

template <class T>
void Lens<T>::adjoint(const transform::MapField<T>& map, Index from, std::span<const double> factors,
                      transform::AlmField<T>& out, Index to) {
  const transform::FieldKind& kind = map.kind();
  const auto count = static_cast<Index>(pointing_->gamma.size());
  core::AlignedBuffer<T> turned;
  std::vector<std::span<const T>> values;
  comm::phase(comm_, [&] {
    turned = core::AlignedBuffer<T>(kind.components() * count);
    for (Index c = 0; c < kind.components(); ++c) {
      const T* given = map.component(from, c).data();
      T* made = turned.data() + c * count;
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < count; ++i)
        made[i] = factors.empty() ? given[i] : static_cast<T>(factors[at(i)] * static_cast<double>(given[i]));
      values.emplace_back(made, at(count));
    }
    for (const transform::SpinField& field : kind.spin_fields()) {
      if (field.spin == 0) continue;
      T* first = turned.data() + field.first * count;
      turn_tensors(pointing_->gamma, -field.spin, first, first + count);
    }
  });
  transform_.adjoint_synthesis(values, *alm_);
  comm::phase(comm_, [&] {
    for (Index c = 0; c < kind.components(); ++c)
      std::ranges::copy(std::as_const(*alm_).component(0, c), out.component(to, c).begin());
  });
}

template <class T>
core::MemoryEstimate lens_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                 int rank) {
  const Index own = pixels.local_pixels(rank);
  const std::vector<Index> counts = point_counts(points::PointTransform<T>::rows(spec), pixels);
  core::MemoryEstimate memory = points::PointTransform<T>::memory(spec, counts, pixels.ranks(), rank, own);
  memory.kept += 3 * own * static_cast<Index>(sizeof(double)) +
                 transform::AlmField<T>::memory(spec.kind, *spec.alm, rank, 1).held();
  return memory;
}

template <class T>
backend::DeviceEstimate lens_device_memory(const points::PointTransformSpec& spec,
                                           const dist::PixelDistribution& pixels, int rank) {
  using Transform = points::PointTransform<T>;
  backend::DeviceEstimate memory =
      Transform::device_memory(spec, point_counts(Transform::rows(spec), pixels), pixels.ranks(), rank);
  memory.held.kept += transform::AlmField<T>::memory(spec.kind, *spec.alm, rank, 1).held();
  return memory;
}

ARMILLA_INSTANTIATE(displace);
ARMILLA_INSTANTIATE_CLASS(Lens);
ARMILLA_INSTANTIATE(lens_memory);

ARMILLA_INSTANTIATE(lens_device_memory);

}  // namespace armilla::ops
