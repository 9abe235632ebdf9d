#include <armilla/api/access.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "job_values.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace armilla {
namespace {

TEST(JobValues, ValuesOfTheCallerAreNeverWritten) {
  const auto world = Communicator::world();
  const Map<double> map = scalar_map(world);
  const Alm<double> alm = scalar_alm(world);
  const std::vector<double> pixels(map.data().begin(), map.data().end());
  const std::vector<std::complex<double>> numbers(alm.data().begin(), alm.data().end());
  // These steps work in place if their operand is their own.
  Job job(world, job_text("{scale: {alm: alm, factor: 3, out: a}}, {smooth: {alm: alm, fwhm_arcmin: 60, out: b}}, "
                          "{mask: {map: map, mask: map, out: c}}",
                          "inputs: {map: {remove_monopole: true}}\n"));
  job.input("alm", alm);
  job.input("map", map);
  JobResult result = job.run();
  EXPECT_EQ(result.names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(std::ranges::equal(alm.data(), numbers));
  EXPECT_TRUE(std::ranges::equal(map.data(), pixels));
  const Alm<double> scaled = result.take_alm("a");
  for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(scaled.data()[i], 3.0 * numbers[i]);
  EXPECT_EQ(result.names(), (std::vector<std::string>{"b", "c"}));
  EXPECT_THROW(result.take_map("b"), InputError);
  EXPECT_THROW(result.take_map("a"), InputError);
  EXPECT_THROW(result.take_map<float>("c"), InputError);
}

TEST(JobValues, PrecisionIsThatOfTheJob) {
  const auto world = Communicator::world();
  const std::string steps = "{synthesis: {alm: alm, grid: healpix:4, out: map}}";
  Job single(world, job_text(steps, "execution: {precision: single}\n"));
  single.input("alm", scalar_alm(world));
  Job own(world, job_text(steps, "execution: {precision: single}\n"));
  own.input("alm", scalar_alm<float>(world));
  EXPECT_TRUE(std::ranges::equal(single.run().take_map<float>("map").data(), own.run().take_map<float>("map").data()));
}

TEST(JobValues, BorrowedValuesAreNotCountedAgain) {
  const auto world = Communicator::world();
  Transform<double> t(world, {.grid = make_healpix(512), .lmax = 4});
  const Map<double> map = t.make_map();
  const auto bytes = static_cast<Index>(map.data().size() * sizeof(double));
  const auto peak = [&](const std::string& keys) {
    Job job(world, job_text("{adjoint_synthesis: {map: map, lmax: 4, out: a}}", "inputs: {map: {" + keys + "}}\n"));
    job.input("map", map);
    return job.plan().memory;
  };
  EXPECT_LT(peak(""), peak("bad_data: zero") - bytes / 2);
}

TEST(JobValues, ReplacedValuesAreThoseOfTheNextRun) {
  const auto world = Communicator::world();
  const Map<double> map = scalar_map(world);
  const auto convolved = [&](Job& job, std::vector<double> kernel) {
    job.input_kernel("k", {0.0, 0.4, 0.8}, std::move(kernel));
    return job.run().take_map("c");
  };
  const std::string text = job_text("{convolve: {map: map, kernel: {table: {file: k}}, out: c}}");
  Job job(world, text), other(world, text);
  job.input("map", map);
  other.input("map", map);
  static_cast<void>(convolved(job, {3, 1, 0}));
  EXPECT_TRUE(std::ranges::equal(convolved(job, {6, 5, 0}).data(), convolved(other, {6, 5, 0}).data()));
  // Another precision, of which the job needs a copy.
  Job smooth(world, job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}"));
  smooth.input("alm", scalar_alm(world));
  static_cast<void>(smooth.run());
  smooth.input("alm", scalar_alm<float>(world));
  EXPECT_EQ(smooth.run().names(), std::vector<std::string>{"a"});
  // Columns that a step no longer finds.
  Job window(world, job_text("{multiply: {alm: alm, by: {window: w}, out: a}}"));
  window.input("alm", scalar_alm(world));
  SpectraTable table = flat_table();
  window.input("w", table);
  static_cast<void>(window.run());
  table.names = {"EE", "BB"};
  table.columns.push_back(table.columns[0]);
  window.input("w", table);
  EXPECT_NE(refusal_on_all(world, [&] { window.run(); }).find("has the columns EE, BB"), std::string::npos);
}

TEST(JobValues, AJobHoldsOnlyTheLastValueOfAnInput) {
  const auto world = Communicator::world();
  Job job(world, job_text("{scale: {alm: alm, factor: 2, out: a}}"));
  std::optional<Alm<double>> first = scalar_alm(world);
  const auto field = std::weak_ptr(api::Access::shared_field(*first));
  job.input("alm", *first);
  job.run();
  first.reset();
  EXPECT_FALSE(field.expired());
  job.input("alm", scalar_alm(world));
  EXPECT_TRUE(field.expired());
}

TEST(JobValues, AValueThatReplacesAFileIsCheckedAgain) {
  const auto world = Communicator::world();
  const std::string file = world.broadcast(testing::TempDir() + fmt::format("armilla_job_{}.h5", ::getpid()));
  write(file, scalar_alm(world));
  Job job(world, job_text("{scale: {alm: a, factor: 2, out: b}}",
                          fmt::format("inputs: {{a: {{alm: '{}', lmax: 4}}}}\n", file)));
  EXPECT_EQ(job.run().take_alm("b").layout().lmax(), 4);
  job.input("a", scalar_alm(world));
  EXPECT_NE(refusal_on_all(world, [&] { job.run(); }).find("cannot truncate a value in memory"), std::string::npos);
  world.barrier();
  if (world.is_root()) std::filesystem::remove(file);
}

TEST(JobValues, AKeptInputIsThatOfTheRun) {
  const auto world = Communicator::world();
  Map<double> map = scalar_map(world);
  const std::vector<double> pixels(map.data().begin(), map.data().end());
  Job job(world, job_text("{mask: {map: map, mask: map, out: c}}"));
  job.input("map", map);
  job.keep("map");
  JobResult result = job.run();
  std::ranges::fill(map.data(), 0.0);
  EXPECT_TRUE(std::ranges::equal(result.take_map("map").data(), pixels));
}

TEST(JobValues, AJobThatKeepsAnInputNeedsNoStep) {
  const auto world = Communicator::world();
  Job job(world, "version: 1\n");
  job.input("a", scalar_alm(world));
  job.keep("a");
  JobResult result = job.run();
  EXPECT_EQ(result.type("a"), "alm");
  EXPECT_EQ(result.precision(), Precision::kDouble);
  EXPECT_TRUE(std::ranges::equal(result.take_alm("a").data(), scalar_alm(world).data()));
  EXPECT_EQ(result.type("a"), "alm");
}

TEST(JobValues, SpectraOfSeveralMapsAreACampaign) {
  const auto world = Communicator::world();
  std::vector<SpectraTable> spectra(3, {1, {"TT"}, {{1, 2}}, ""});
  spectra[1].columns = {{4, 2}};
  Job job(world, job_text("{statistics: {spectra: cl, out: s}}"));
  job.input("cl", spectra);
  const JobResult::Statistics statistics = job.run().take_statistics("s");
  EXPECT_EQ(statistics.mean.columns, (std::vector<std::vector<double>>{{2, 2}}));
  EXPECT_EQ(statistics.covariance, (std::vector<std::vector<double>>{{3, 0, 0, 0}}));
  spectra[1].names = {"EE"};
  EXPECT_NE(refusal_on_all(world, [&] { job.input("cl", spectra); }).find("all maps must match"), std::string::npos);
}

}  // namespace
}  // namespace armilla
