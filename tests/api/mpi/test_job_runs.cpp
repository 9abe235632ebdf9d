#include <armilla/armilla.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "job_values.hpp"
#include "support/mpi_main.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace armilla {
namespace {

TEST(JobRuns, AnotherRunReadsTheValuesAgainAndBuildsNoTransform) {
  const auto world = Communicator::world();
  clear_cache(world);
  Alm<double> alm = scalar_alm(world);
  Job job(world, job_text("{synthesis: {alm: alm, grid: healpix:4, out: map}}"));
  job.input("alm", alm);
  const Map<double> first = job.run().take_map("map");
  const Index built = transform::cache_of(world)->counts().built;
  for (std::complex<double>& number : alm.data()) number *= 2;
  const Map<double> second = job.run().take_map("map");
  EXPECT_EQ(transform::cache_of(world)->counts().built, built);
  for (std::size_t i = 0; i < first.data().size(); ++i) ASSERT_EQ(second.data()[i], 2 * first.data()[i]);
  // Another job with the same transform, and other values of the same shape.
  Job other(world, job_text("{synthesis: {alm: alm, grid: healpix:4, out: map}}"));
  other.input("alm", scalar_alm(world));
  EXPECT_TRUE(std::ranges::equal(other.run().take_map("map").data(), first.data()));
  EXPECT_EQ(transform::cache_of(world)->counts().built, built);
  clear_cache(world);
}

TEST(JobRuns, AnErrorOfOneRankIsThatOfAll) {
  const auto world = Communicator::world();
  const int last = world.size() - 1;
  Map<double> map = scalar_map(world);
  if (world.rank() == last && !map.data().empty()) map.data()[0] = std::numeric_limits<double>::quiet_NaN();
  Job bad_pixel(world, job_text("{adjoint_synthesis: {map: map, lmax: 4, out: a}}"));
  bad_pixel.input("map", map);
  EXPECT_NE(refusal_on_all(world, [&] { bad_pixel.run(); }).find("'map' has 1 NaN"), std::string::npos);

  Alm<double> alm = scalar_alm(world);
  if (world.rank() == last && !alm.data().empty()) alm.data().back() = std::numeric_limits<double>::infinity();
  Job bad_alm(world, job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}"));
  bad_alm.input("alm", alm);
  EXPECT_NE(refusal_on_all(world, [&] { bad_alm.run(); }).find("'alm' has values that are NaN or infinite"),
            std::string::npos);
  // The next run, with good values.
  bad_alm.input("alm", scalar_alm(world));
  EXPECT_NO_THROW(bad_alm.run());

  Job other_inputs(world, job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}"));
  other_inputs.input(world.rank() == last && world.size() > 1 ? "other" : "alm", scalar_alm(world));
  if (world.size() > 1) {
    EXPECT_NE(refusal_on_all(world, [&] { other_inputs.run(); }).find("pass the same arguments on all ranks"),
              std::string::npos);
  }
}

TEST(JobRuns, RefusalsNameTheInput) {
  const auto world = Communicator::world();
  const auto refusal = [&](const std::string& steps, const std::string& more = "") {
    return refusal_on_all(world, [&] {
      Job job(world, job_text(steps, more));
      job.input("alm", scalar_alm(world));
      job.input("maps", scalar_alm(world, 3));
      job.run();
    });
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? testing::AssertionSuccess() : testing::AssertionFailure() << text;
  };
  EXPECT_TRUE(
      contains(refusal("{analysis: {map: alm, lmax: 4, out: a}}"), "steps[0].analysis.map = alm is of type 'alm'"));
  EXPECT_TRUE(contains(refusal("{smooth: {alm: none, fwhm_arcmin: 60, out: a}}"), "none is not defined"));
  EXPECT_TRUE(contains(refusal("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}", "inputs: {alm: {lmax: 5}}\n"),
                       "inputs.alm.lmax = 5 cannot truncate a value in memory"));
  EXPECT_TRUE(contains(refusal("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}", "inputs: {alm: {map: a.h5}}\n"),
                       "inputs.alm is a map, but an alm was given"));
  EXPECT_TRUE(contains(refusal("{smooth: {alm: maps, fwhm_arcmin: 60, out: a}}", "execution: {map_groups: 2}\n"),
                       "execution.map_groups = 2 is not possible"));
  EXPECT_TRUE(contains(refusal("{smooth: {alm: maps, fwhm_arcmin: 60, out: a}}", "outputs: {a: {file: a.h5}}\n"),
                       "outputs.a.file"));
  Job job(world, job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}"));
  job.input("alm", scalar_alm(world));
  job.keep("b");
  EXPECT_TRUE(contains(refusal_on_all(world, [&] { job.run(); }), "'b' is to be kept"));
}

TEST(JobRuns, ManyMapsAreKeptInAnyBatches) {
  const auto world = Communicator::world();
  const auto run = [&](const std::string& batch) {
    Job job(world, job_text("{random_alm: {spectrum: cl, fields: [T], lmax: 8, seed: 3, maps: 5, out: a}}, {synthesis: "
                            "{alm: a, grid: healpix:4, out: m}}, {spectra: {alm: a, out: c}}",
                            "execution: {batch: " + batch + "}\n"));
    job.input("cl", flat_table());
    job.keep("a");
    return job.run();
  };
  JobResult whole = run("5"), parts = run("2");
  const Map<double> maps = parts.take_map("m");
  ASSERT_EQ(maps.maps(), 5);
  EXPECT_TRUE(std::ranges::equal(maps.data(), whole.take_map("m").data()));
  EXPECT_TRUE(std::ranges::equal(parts.take_alm("a").data(), whole.take_alm("a").data()));
  const auto spectra = parts.take_spectra("c"), others = whole.take_spectra("c");
  ASSERT_EQ(spectra.size(), 5u);
  for (std::size_t map = 0; map < 5; ++map) EXPECT_EQ(spectra[map].columns, others[map].columns);
}

TEST(JobRuns, LimitsOfMapsLeftOutHoldAndKeysOfFilesAreRefused) {
  const auto world = Communicator::world();
  Alm<double> alms = scalar_alm(world, 3);
  std::ranges::fill(alms.data().subspan(0, 2 * alms.data().size() / 3), std::numeric_limits<double>::quiet_NaN());
  Job limited(world, job_text("{smooth: {alm: alms, fwhm_arcmin: 60, out: a}}",
                              "execution: {on_bad_map: {skip: {at_most: 1}}}\n"));
  limited.input("alms", alms);
  EXPECT_NE(refusal_on_all(world, [&] { limited.run(); }).find("at_most = 1 exceeded"), std::string::npos);
  Job keys(world,
           job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}", "inputs: {alm: {convention: {norm: 4pi}}}\n"));
  keys.input("alm", scalar_alm(world));
  EXPECT_NE(refusal_on_all(world, [&] { keys.run(); }).find("describes a file, but a value was given"),
            std::string::npos);
}

TEST(JobRuns, MapsThatAreLeftOutAreNan) {
  const auto world = Communicator::world();
  Alm<double> alms = scalar_alm(world, 4);
  if (world.rank() == world.size() - 1 && !alms.data().empty())
    alms.data()[alms.data().size() / 4] = std::numeric_limits<double>::quiet_NaN();  // of map 1
  for (const char* batch : {"1", "3", "4"}) {
    Job job(world, job_text("{smooth: {alm: alms, fwhm_arcmin: 60, out: a}}, {spectra: {alm: a, out: c}}, {statistics: "
                            "{spectra: c, out: s}}",
                            fmt::format("execution: {{on_bad_map: skip, batch: {}}}\n", batch)));
    job.input("alms", alms);
    job.keep("a");
    job.keep("c");
    JobResult result = job.run();
    ASSERT_EQ(result.left_out().size(), 1u) << batch;
    EXPECT_TRUE(result.left_out()[0].starts_with("map 1: ")) << result.left_out()[0];
    const auto spectra = result.take_spectra("c");
    for (std::size_t map = 0; map < 4; ++map) EXPECT_EQ(std::isnan(spectra[map].columns.at(0).at(3)), map == 1) << map;
    const Alm<double> a = result.take_alm("a");
    const std::size_t size = a.data().size() / 4;
    for (std::size_t map = 0; map < 4 && size > 0; ++map)
      EXPECT_EQ(std::isnan(a.data()[map * size].real()), map == 1) << map;
    EXPECT_THROW(result.take_spectra("s"), InputError);
    const double mean = (spectra[0].columns[0][3] + spectra[2].columns[0][3] + spectra[3].columns[0][3]) / 3;
    EXPECT_NEAR(result.take_statistics("s").mean.columns[0][3], mean, 1e-15);
  }
}

TEST(JobRuns, StatisticsOfSpectraBeyondDoubleAreRefused) {
  const auto world = Communicator::world();
  Alm<double> alm = scalar_alm(world, 3);
  for (std::complex<double>& number : alm.data()) number *= 1e200;
  Job job(world, job_text("{spectra: {alm: alm, out: cl}}, {statistics: {spectra: cl, out: s}}"));
  job.input("alm", alm);
  EXPECT_NE(refusal_on_all(world, [&] { job.run(); }).find("'cl' has"), std::string::npos);
}

TEST(JobRuns, WhatStepsFindIsInTheReport) {
  const auto world = Communicator::world();
  Job job(world, job_text("{compare: {alm: alm, reference: alm}}"));
  job.input("alm", scalar_alm(world), {.units = {"K"}, .coordsys = "G"});
  job.keep("alm");
  const JobResult result = job.run();
  EXPECT_NE(result.report().find("steps[0].compare"), std::string::npos) << result.report();
  EXPECT_EQ(result.facts("alm").units, std::vector<std::string>{"K"});
}

TEST(JobRuns, CallersThatDifferOnOneRankAreRefused) {
  const auto world = Communicator::world();
  const auto job = [&] {
    Job made(world, job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}"));
    made.input("alm", scalar_alm(world));
    return made;
  };
  if (world.size() > 1) {
    Job kept = job();
    if (world.is_root()) kept.keep("alm");
    EXPECT_NE(refusal_on_all(world, [&] { kept.run(); }).find("same arguments"), std::string::npos);
    const Communicator alone = world.split(world.rank());
    Job other = job();
    EXPECT_THROW(other.input("alm", scalar_alm(alone)), InputError);
  }
  // A callback that throws on rank 0.
  JobOptions options;
  options.progress = [](double, const std::string&) { throw InputError("enough"); };
  Job told(world, job_text("{smooth: {alm: alm, fwhm_arcmin: 60, out: a}}"), options);
  told.input("alm", scalar_alm(world));
  EXPECT_NE(refusal_on_all(world, [&] { told.run(); }).find("enough"), std::string::npos);
}

}  // namespace
}  // namespace armilla
