// Transforms at arbitrary points against exact values, and their adjoints.
#include <armilla/core/error.hpp>
#include <armilla/points/point_transform.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/distance.hpp"
#include "support/dot.hpp"
#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include "support/reference_data.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::points {
namespace {

using core::at;
using core::kPi;

double noise(std::uint64_t a, std::uint64_t b, std::uint64_t c) { return test::noise(a, b, c); }

/// Points of all ranks, and which of them this rank gives: contiguous blocks.
struct Catalogue {
  std::string name;
  std::vector<double> theta, phi;

  Index size() const { return static_cast<Index>(theta.size()); }
  static Index begin(Index size, int rank, int ranks) { return size * rank / ranks; }
};

Catalogue uniform(Index count) {
  Catalogue points{"uniform", {0, kPi, 1e-6, kPi - 1e-6, kPi / 2}, {0.3, 5, 1, 2, -1e5}};
  for (Index i = 5; i < count; ++i) {
    points.theta.push_back(std::acos(std::clamp(noise(1, static_cast<std::uint64_t>(i), 0), -1.0, 1.0)));
    points.phi.push_back(10 * noise(2, static_cast<std::uint64_t>(i), 0));
  }
  return points;
}

std::vector<Catalogue> catalogues(Index count) {
  std::vector<Catalogue> all{uniform(count)};
  Catalogue degree{"within a degree", {}, {}}, meridian{"on a meridian", {}, {}}, equal{"equal", {}, {}},
      empty{"empty", {}, {}};
  for (Index i = 0; i < count; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    degree.theta.push_back(1.2 + 0.008 * noise(3, n, 0));
    degree.phi.push_back(4 + 0.008 * noise(4, n, 0));
    meridian.theta.push_back(kPi * static_cast<double>(i) / static_cast<double>(count - 1));
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
        transform(comm, spec, std::span(all.theta).subspan(at(begin), at(end - begin)),
                  std::span(all.phi).subspan(at(begin), at(end - begin))),
        values(at(spec.maps * spec.kind.components()), std::vector<T>(at(end - begin), T(-7))) {}

  std::vector<std::span<T>> spans() { return {values.begin(), values.end()}; }
  std::vector<std::span<const T>> const_spans() const { return {values.begin(), values.end()}; }

  Index begin, end;
  PointTransformSpec spec;
  PointTransform<T> transform;
  std::vector<std::vector<T>> values;  // [map, component][own point]
};

PointTransformSpec spec_of(transform::FieldKind kind, Index lmax, int ranks, double accuracy, Index maps = 1) {
  return {.kind = std::move(kind),
          .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks),
          .maps = maps,
          .accuracy = accuracy};
}

template <class T>
transform::AlmField<T> random_alm(const PointTransformSpec& spec, int rank) {
  transform::AlmField<T> alm(spec.kind, spec.alm, rank, spec.maps);
  test::fill_noise(alm, 5);
  return alm;
}

/// sqrt(sum |a - b|^2 / sum |b|^2) over all ranks.
double distance(const comm::Communicator& comm, const std::vector<std::vector<double>>& a,
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

/// The most accurate transform stands for the exact one; the reference file is a test of its own.
TEST(PointTransform, HoldsTheAccuracyThatIsAskedFor) {
  const auto comm = comm::Communicator::world();
  const Catalogue points = uniform(3000);
  for (const Index spin : {0, 1, 2, 3}) {
    const transform::FieldKind kind = test::kind_of_spin(spin);
    const PointTransformSpec best = spec_of(kind, 90, comm.size(), 2e-13);
    const auto alm = random_alm<double>(best, comm.rank());
    PointRun<double> exact(comm, points, best);
    exact.transform.synthesis(alm, exact.spans());
    transform::AlmField<double> exact_adjoint(kind, best.alm, comm.rank(), 1);
    exact.transform.adjoint_synthesis(exact.const_spans(), exact_adjoint);
    for (double accuracy : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      SCOPED_TRACE("spin " + std::to_string(spin) + ", accuracy " + std::to_string(std::log10(accuracy)));
      PointRun<double> run(comm, points, spec_of(kind, 90, comm.size(), accuracy));
      run.transform.synthesis(alm, run.spans());
      EXPECT_LE(distance(comm, run.values, exact.values), accuracy);
      transform::AlmField<double> adjoint(kind, best.alm, comm.rank(), 1);
      run.transform.adjoint_synthesis(exact.const_spans(), adjoint);
      EXPECT_LE(test::distance(comm, adjoint, exact_adjoint), accuracy);
    }
  }
}

/// Values at 800 points, the poles and points 1e-6 from them among them, good to 2e-13.
TEST(PointTransform, GivesTheReferenceValues) {
  const auto comm = comm::Communicator::world();
  const std::string file = test::reference_file("nonuniform.h5");
  for (const Index spin : {0, 1, 2, 3}) {
    const std::string group = "nonuniform/spin" + std::to_string(spin) + "/";
    const Index lmax = test::read_attribute(file, group, "lmax");
    const Catalogue points{"reference", test::read_doubles(file, group + "theta"),
                           test::read_doubles(file, group + "phi")};
    const std::vector<double> values = test::read_doubles(file, group + "values"),
                              adjoint_in = test::read_doubles(file, group + "adjoint_in"),
                              adjoint_alm = test::read_doubles(file, group + "adjoint_alm");
    const transform::FieldKind kind = test::kind_of_spin(spin);
    const auto take = [&](const PointRun<double>& run, const std::vector<double>& all) {
      std::vector<std::vector<double>> own;
      for (Index c = 0; c < kind.components(); ++c)
        own.emplace_back(all.begin() + c * points.size() + run.begin, all.begin() + c * points.size() + run.end);
      return own;
    };
    for (double accuracy : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      SCOPED_TRACE("spin " + std::to_string(spin) + ", accuracy " + std::to_string(std::log10(accuracy)));
      PointRun<double> run(comm, points, spec_of(kind, lmax, comm.size(), accuracy));
      const auto make = [&] { return transform::AlmField<double>(kind, run.spec.alm, comm.rank(), 1); };
      transform::AlmField<double> alm = make(), expected = make(), found = make();
      test::fill_alm(alm, [&](Index, Index c, Index l, Index m) { return test::closed_form(l, m, c, spin); });
      run.transform.synthesis(alm, run.spans());
      EXPECT_LE(distance(comm, run.values, take(run, values)), accuracy);
      test::fill_alm(expected, [&](Index, Index c, Index l, Index m) {
        const alm::AlmLayout layout(lmax, lmax);
        const std::size_t i = 2 * at(c * layout.size() + layout.index(l, m));
        return std::complex<double>(adjoint_alm[i], adjoint_alm[i + 1]);
      });
      const auto given = take(run, adjoint_in);
      run.transform.adjoint_synthesis(std::vector<std::span<const double>>(given.begin(), given.end()), found);
      EXPECT_LE(test::distance(comm, found, expected), accuracy);
    }
  }
}

TEST(PointTransform, AdjointIsTheTranspose) {
  const auto comm = comm::Communicator::world();
  for (const Catalogue& points : catalogues(1000)) {
    if (points.size() == 0) continue;
    for (const transform::FieldKind& kind :
         {transform::FieldKind::temperature_polarisation(), transform::FieldKind::spin(3)}) {
      SCOPED_TRACE(points.name);
      PointRun<double> run(comm, points, spec_of(kind, 60, comm.size(), 1e-6, 2));
      const auto x = random_alm<double>(run.spec, comm.rank());
      run.transform.synthesis(x, run.spans());
      std::vector<std::vector<double>> y = run.values;
      for (std::size_t f = 0; f < y.size(); ++f)
        for (std::size_t i = 0; i < y[f].size(); ++i) y[f][i] = noise(7, at(run.begin) + i, f);
      transform::AlmField<double> adjoint(kind, run.spec.alm, comm.rank(), 2);
      run.transform.adjoint_synthesis(std::vector<std::span<const double>>(y.begin(), y.end()), adjoint);
      double sums[3] = {0, 0, 0};  // <Yx, y>, |Yx|^2, |y|^2
      for (std::size_t f = 0; f < y.size(); ++f)
        for (std::size_t i = 0; i < y[f].size(); ++i) {
          sums[0] += run.values[f][i] * y[f][i];
          sums[1] += std::pow(run.values[f][i], 2);
          sums[2] += std::pow(y[f][i], 2);
        }
      comm.sum(sums);
      EXPECT_NEAR(test::dot(comm, x, adjoint), sums[0], 1e-13 * std::sqrt(sums[1] * sums[2]));
    }
  }
}

TEST(PointTransform, IsBitwiseIdenticalOnAnyRanksAndThreads) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  for (const Catalogue& points : catalogues(700)) {
    SCOPED_TRACE(points.name);
    const transform::FieldKind kind = transform::FieldKind::temperature_polarisation();
    PointRun<double> together(comm, points, spec_of(kind, 70, comm.size(), 1e-9));
    const auto alm = random_alm<double>(together.spec, comm.rank());
    together.transform.synthesis(alm, together.spans());
    transform::AlmField<double> adjoint(kind, together.spec.alm, comm.rank(), 1);
    together.transform.adjoint_synthesis(together.const_spans(), adjoint);

    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    PointRun<double> alone(self, points, spec_of(kind, 70, 1, 1e-9));
    const auto whole = random_alm<double>(alone.spec, 0);
    alone.transform.synthesis(whole, alone.spans());
    omp_set_num_threads(threads);
    for (std::size_t f = 0; f < together.values.size(); ++f)
      for (std::size_t i = 0; i < together.values[f].size(); ++i)
        ASSERT_EQ(together.values[f][i], alone.values[f][at(together.begin) + i]) << f << ' ' << i;
    if (points.size() == 0) continue;
    transform::AlmField<double> whole_adjoint(kind, alone.spec.alm, 0, 1);
    alone.transform.adjoint_synthesis(alone.const_spans(), whole_adjoint);
    // Samples near the boundaries of ranks are sums over the points of both.
    double sums[2] = {0, 0};
    const auto own_m = together.spec.alm->local_m(comm.rank()), offsets = together.spec.alm->local_offsets(comm.rank());
    const auto all_offsets = alone.spec.alm->local_offsets(0);
    for (Index c = 0; c < kind.components(); ++c)
      for (std::size_t k = 0; k < own_m.size(); ++k)
        for (Index l = own_m[k]; l <= 70; ++l) {
          const auto expected = whole_adjoint.component(0, c)[at(all_offsets[at(own_m[k])] + l)];
          sums[0] += std::norm(adjoint.component(0, c)[at(offsets[k] + l)] - expected);
          sums[1] += std::norm(expected);
        }
    comm.sum(sums);
    EXPECT_LE(std::sqrt(sums[0] / sums[1]), 1e-14);
  }
}

TEST(PointTransform, WorksInSinglePrecision) {
  const auto comm = comm::Communicator::world();
  const Catalogue points = uniform(1000);
  const transform::FieldKind kind = transform::FieldKind::temperature_polarisation();
  PointRun<double> exact(comm, points, spec_of(kind, 60, comm.size(), 1e-10));
  exact.transform.synthesis(random_alm<double>(exact.spec, comm.rank()), exact.spans());
  PointRun<float> single(comm, points, spec_of(kind, 60, comm.size(), 1e-5));
  single.transform.synthesis(random_alm<float>(single.spec, comm.rank()), single.spans());
  std::vector<std::vector<double>> found;
  for (const auto& field : single.values) found.emplace_back(field.begin(), field.end());
  EXPECT_LE(distance(comm, found, exact.values), 1e-5);
}

TEST(PointTransform, RefusesInvalidPoints) {
  const auto comm = comm::Communicator::world();
  Catalogue points = uniform(100);
  const auto message = [&](double accuracy) {
    try {
      PointRun<double>(comm, points, spec_of(transform::FieldKind::scalar(), 20, comm.size(), accuracy));
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(1e-20).find("the best for lmax 20"), std::string::npos) << message(1e-20);
  points.theta[77] = 3.2;
  EXPECT_NE(message(1e-6).find("point 77: theta = 3.2 is outside [0, pi]"), std::string::npos) << message(1e-6);
  points.theta[77] = 1;
  points.phi[99] = std::nan("");
  EXPECT_NE(message(1e-6).find("point 99: phi = nan"), std::string::npos) << message(1e-6);
}

}  // namespace
}  // namespace armilla::points

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
