#pragma once

#include <string>
#include <vector>

#include "points/point_run.hpp"
#include "support/dot.hpp"
#include "support/reference_data.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::points {

// What holds on every backend.

/// Values at 800 points, the poles and points 1e-6 from them among them, good to 2e-13. Every `stride`-th combination
/// of spin and accuracy.
inline void check_reference(backend::Kind backend, int stride = 1) {
  const auto comm = comm::Communicator::world();
  int number = 0;
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
      if (number++ % stride != 0) continue;
      SCOPED_TRACE("spin " + std::to_string(spin) + ", accuracy " + std::to_string(std::log10(accuracy)));
      PointRun<double> run(comm, points, spec_of(kind, lmax, comm.size(), accuracy, 1, backend));
      const auto make = [&] { return transform::AlmField<double>(kind, run.spec.alm, comm.rank(), 1); };
      transform::AlmField<double> alm = make(), expected = make(), found = make();
      test::fill_alm(alm, [&](Index, Index c, Index l, Index m) { return test::closed_form(l, m, c, spin); });
      run.transform.synthesis(alm, run.spans());
      EXPECT_LE(distance(comm, run.values, take(run, values)), accuracy);
      test::fill_alm(expected, [&](Index, Index c, Index l, Index m) {
        const alm::AlmLayout layout(lmax, lmax);
        const std::size_t i = 2 * core::at(c * layout.size() + layout.index(l, m));
        return std::complex<double>(adjoint_alm[i], adjoint_alm[i + 1]);
      });
      const auto given = take(run, adjoint_in);
      run.transform.adjoint_synthesis(std::vector<std::span<const double>>(given.begin(), given.end()), found);
      EXPECT_LE(test::distance(comm, found, expected), accuracy);
    }
  }
}

inline void check_adjoint(backend::Kind backend) {
  const auto comm = comm::Communicator::world();
  for (const Catalogue& points : catalogues(1000)) {
    if (points.size() == 0) continue;
    for (const transform::FieldKind& kind :
         {transform::FieldKind::temperature_polarisation(), transform::FieldKind::spin(3)}) {
      SCOPED_TRACE(points.name);
      PointRun<double> run(comm, points, spec_of(kind, 60, comm.size(), 1e-6, 2, backend));
      const auto x = random_alm<double>(run.spec, comm.rank());
      run.transform.synthesis(x, run.spans());
      std::vector<std::vector<double>> y = run.values;
      for (std::size_t f = 0; f < y.size(); ++f)
        for (std::size_t i = 0; i < y[f].size(); ++i) y[f][i] = noise(7, core::at(run.begin) + i, f);
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

/// Values; those of the adjoint are within rounding on other numbers of ranks.
inline void check_ranks(backend::Kind backend) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  for (const Catalogue& points : catalogues(700)) {
    SCOPED_TRACE(points.name);
    const transform::FieldKind kind = transform::FieldKind::temperature_polarisation();
    PointRun<double> together(comm, points, spec_of(kind, 70, comm.size(), 1e-9, 1, backend));
    const auto alm = random_alm<double>(together.spec, comm.rank());
    together.transform.synthesis(alm, together.spans());
    transform::AlmField<double> adjoint(kind, together.spec.alm, comm.rank(), 1);
    together.transform.adjoint_synthesis(together.const_spans(), adjoint);

    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    PointRun<double> alone(self, points, spec_of(kind, 70, 1, 1e-9, 1, backend));
    const auto whole = random_alm<double>(alone.spec, 0);
    alone.transform.synthesis(whole, alone.spans());
    omp_set_num_threads(threads);
    for (std::size_t f = 0; f < together.values.size(); ++f)
      for (std::size_t i = 0; i < together.values[f].size(); ++i)
        ASSERT_EQ(together.values[f][i], alone.values[f][core::at(together.begin) + i]) << f << ' ' << i;
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
          const auto expected = whole_adjoint.component(0, c)[core::at(all_offsets[core::at(own_m[k])] + l)];
          sums[0] += std::norm(adjoint.component(0, c)[core::at(offsets[k] + l)] - expected);
          sums[1] += std::norm(expected);
        }
    comm.sum(sums);
    EXPECT_LE(std::sqrt(sums[0] / sums[1]), 1e-14);
  }
}

}  // namespace armilla::points
