#pragma once

#include <armilla/points/point_transform.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/distance.hpp"
#include "support/fields.hpp"

namespace armilla::points {

inline double noise(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return test::noise(a, b, c); }

/// Points of all ranks, and which of them this rank gives: contiguous blocks.
struct Catalogue {
  std::string name;
  std::vector<double> theta, phi;

  Index size() const { return static_cast<Index>(theta.size()); }
  static Index begin(Index size, int rank, int ranks) { return size * rank / ranks; }
};

inline Catalogue uniform(Index count) {
  Catalogue points{"uniform", {0, core::kPi, 1e-6, core::kPi - 1e-6, core::kPi / 2}, {0.3, 5, 1, 2, -1e5}};
  for (Index i = 5; i < count; ++i) {
    points.theta.push_back(std::acos(std::clamp(noise(1, static_cast<std::uint64_t>(i), 0), -1.0, 1.0)));
    points.phi.push_back(10 * noise(2, static_cast<std::uint64_t>(i), 0));
  }
  return points;
}

inline std::vector<Catalogue> catalogues(Index count) {
  std::vector<Catalogue> all{uniform(count)};
  Catalogue degree{"within a degree", {}, {}}, meridian{"on a meridian", {}, {}}, equal{"equal", {}, {}},
      empty{"empty", {}, {}};
  for (Index i = 0; i < count; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    degree.theta.push_back(1.2 + 0.008 * noise(3, n, 0));
    degree.phi.push_back(4 + 0.008 * noise(4, n, 0));
    meridian.theta.push_back(core::kPi * static_cast<double>(i) / static_cast<double>(count - 1));
    meridian.phi.push_back(2);
    equal.theta.push_back(2.5);
    equal.phi.push_back(0.1);
  }
  for (Catalogue& one : {std::ref(degree), std::ref(meridian), std::ref(equal), std::ref(empty)}) all.push_back(one);
  return all;
}

template <class T>
struct PointRun {
  PointRun(const comm::Communicator& comm, const Catalogue& all, PointTransformSpec spec_)
      : begin(Catalogue::begin(all.size(), comm.rank(), comm.size())),
        end(Catalogue::begin(all.size(), comm.rank() + 1, comm.size())),
        spec(std::move(spec_)),
        transform(comm, spec, std::span(all.theta).subspan(core::at(begin), core::at(end - begin)),
                  std::span(all.phi).subspan(core::at(begin), core::at(end - begin))),
        values(core::at(spec.maps * spec.kind.components()), std::vector<T>(core::at(end - begin), T(-7))) {}

  std::vector<std::span<T>> spans() { return {values.begin(), values.end()}; }
  std::vector<std::span<const T>> const_spans() const { return {values.begin(), values.end()}; }

  Index begin, end;
  PointTransformSpec spec;
  PointTransform<T> transform;
  std::vector<std::vector<T>> values;  // [map, component][own point]
};

inline PointTransformSpec spec_of(transform::FieldKind kind, Index lmax, int ranks, double accuracy, Index maps = 1,
                                  backend::Kind backend = backend::Kind::kCpu) {
  return {.kind = std::move(kind),
          .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks),
          .maps = maps,
          .accuracy = accuracy,
          .backend = backend};
}

template <class T>
transform::AlmField<T> random_alm(const PointTransformSpec& spec, int rank) {
  transform::AlmField<T> alm(spec.kind, spec.alm, rank, spec.maps);
  test::fill_noise(alm, 5);
  return alm;
}

/// sqrt(sum |a - b|^2 / sum |b|^2) over all ranks.
inline double distance(const comm::Communicator& comm, const std::vector<std::vector<double>>& a,
                       const std::vector<std::vector<double>>& b) {
  double sums[2] = {0, 0};
  for (std::size_t f = 0; f < a.size(); ++f)
    for (std::size_t i = 0; i < a[f].size(); ++i) {
      sums[0] += std::pow(a[f][i] - b[f][i], 2);
      sums[1] += std::pow(b[f][i], 2);
    }
  comm.sum(sums);
  return std::sqrt(sums[0] / sums[1]);
}

}  // namespace armilla::points
