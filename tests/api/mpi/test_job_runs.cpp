#include <armilla/armilla.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/mpi_main.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace armilla {
namespace {

constexpr Index kDegree = 10;

SpectraTable flat_table() { return {kDegree, {"TT"}, {std::vector<double>(kDegree + 1, 1.0)}, ""}; }

template <class T = double>
Alm<T> scalar_alm(const Communicator& comm, Index maps = 1) {
  Transform<T> t(comm, {.grid = make_healpix(4), .lmax = kDegree, .maps = maps});
  Alm<T> alm = t.make_alm();
  random_alm(alm, flat_table(), 9);
  return alm;
}

template <class T = double>
Map<T> scalar_map(const Communicator& comm) {
  Transform<T> t(comm, {.grid = make_healpix(4), .lmax = kDegree});
  Map<T> map = t.make_map();
  t.synthesis(scalar_alm<T>(comm), map);
  return map;
}

std::string job_text(const std::string& steps, const std::string& more = "") {
  return "version: 1\nsteps: [" + steps + "]\n" + more;
}

/// The message of the InputError that all ranks throw.
template <class Work>
std::string refusal_on_all(const Communicator& comm, Work&& work) {
  std::string message;
  try {
    work();
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, comm.broadcast(message)) << "the error of rank " << comm.rank();
  return message;
}

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

TEST(JobRuns, ValuesOfTheCallerAreNeverWritten) {
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

TEST(JobRuns, PrecisionIsThatOfTheJob) {
  const auto world = Communicator::world();
  const std::string steps = "{synthesis: {alm: alm, grid: healpix:4, out: map}}";
  Job single(world, job_text(steps, "execution: {precision: single}\n"));
  single.input("alm", scalar_alm(world));
  Job own(world, job_text(steps, "execution: {precision: single}\n"));
  own.input("alm", scalar_alm<float>(world));
  EXPECT_TRUE(std::ranges::equal(single.run().take_map<float>("map").data(), own.run().take_map<float>("map").data()));
}

TEST(JobRuns, BorrowedValuesAreNotCountedAgain) {
  const auto world = Communicator::world();
  Transform<double> t(world, {.grid = make_healpix(128), .lmax = 4});
  const Map<double> map = t.make_map();
  const auto bytes = static_cast<Index>(map.data().size() * sizeof(double));
  const auto peak = [&](const std::string& keys) {
    Job job(world, job_text("{adjoint_synthesis: {map: map, lmax: 4, out: a}}", "inputs: {map: {" + keys + "}}\n"));
    job.input("map", map);
    return job.plan().memory;
  };
  EXPECT_LT(peak(""), peak("bad_data: zero") - bytes / 2);
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

TEST(JobRuns, ReplacedValuesAreThoseOfTheNextRun) {
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
