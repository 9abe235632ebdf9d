// Transforms at arbitrary points against exact values, and their adjoints.
#include <armilla/core/error.hpp>
#include <armilla/points/point_transform.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "points/point_checks.hpp"
#include "support/distance.hpp"
#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::points {
namespace {

using core::at;

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

TEST(PointTransform, GivesTheReferenceValues) { check_reference(backend::Kind::kCpu); }

TEST(PointTransform, AdjointIsTheTranspose) { check_adjoint(backend::Kind::kCpu); }

TEST(PointTransform, IsBitwiseIdenticalOnAnyRanksAndThreads) { check_ranks(backend::Kind::kCpu); }

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
