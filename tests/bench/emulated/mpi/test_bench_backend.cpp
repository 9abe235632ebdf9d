// The backend that a benchmark takes is that of a job.
#include <armilla/bench/bench.hpp>
#include <armilla/core/error.hpp>

#include <string>

#include <gtest/gtest.h>
#include <support/emulation.hpp>
#include <support/mpi_main.hpp>

namespace armilla::bench {
namespace {

TEST(BenchBackend, IsChosenAsForJobs) {
  const auto world = comm::Communicator::world().duplicate();  // for which no result of a check is kept
  const auto chosen = [&](const std::string& backend, const std::string& engine) {
    BenchSweep sweep;
    sweep.grids = {"gauss:16"};
    sweep.backends = {backend};
    sweep.engines = {engine};
    auto cases = bench_cases(sweep);
    choose_backends(world, cases);
    return std::string(name_of(cases.front().backend));
  };
  EXPECT_EQ(chosen("auto", "auto"), "cuda");
  EXPECT_EQ(chosen("auto", "fast"), "cpu");
  EXPECT_EQ(chosen("cpu", "auto"), "cpu");
  const bool is_last = world.rank() == world.size() - 1;
  const test::Pretend wrong({.transform_error = is_last ? 1e-3 : 0.0});
  EXPECT_EQ(chosen("auto", "auto"), "cpu");
  EXPECT_THROW(chosen("cuda", "auto"), core::ResourceError);
}

}  // namespace
}  // namespace armilla::bench

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
