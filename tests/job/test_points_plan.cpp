// Points and values in jobs: what is planned of them before anything is read.
#include <armilla/core/error.hpp>
#include <armilla/io/points.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::contains;
using test::input_error;

constexpr Index kPoints = 1000;

class PointsPlan : public testing::Test {
 protected:
  PointsPlan() {
    std::vector<double> theta, phi, values(2 * kPoints, 1.0);
    for (Index i = 0; i < kPoints; ++i) {
      theta.push_back(core::kPi * static_cast<double>(i) / static_cast<double>(kPoints));
      phi.push_back(static_cast<double>(i));
    }
    const auto self = comm::Communicator::self();
    io::write_points<double>(self, folder_.path("points.h5"), {{}, {}, "G", ""}, theta, phi, {}, {});
    io::write_points<double>(self, folder_.path("pair.h5"), {{"Q", "U"}, {"mK", "mK"}, "", ""}, theta, phi, values, {});
    folder_.text("stars.csv", "RA,DEC,e1,e2\n1,2,3,4\n5,6,7,8\n");
    folder_.alm("teb.h5", 8, 6, {"T", "E", "B"});
    folder_.spectra("dl.dat");
  }

  JobPlan plan(const std::string& body) const {
    return plan_job(comm::Communicator::self(), parse_job("version: 1\n" + body, folder_.path("job.yaml")));
  }
  std::string refusal(const std::string& body) const {
    return input_error([&] { test::prepared(folder_, body); });
  }
  std::string with_inputs(const std::string& rest) const {
    return "inputs:\n  a: {alm: teb.h5}\n  p: {points: points.h5}\n  x: {values: pair.h5}\nsteps:\n" + rest;
  }

  test::JobFolder folder_;
};

TEST_F(PointsPlan, KindsUnitsAndCoordinatesFollowTheSteps) {
  const JobPlan job =
      plan(with_inputs("  - synthesis_at: {alm: a, points: p, out: v}\n"
                       "  - select: {alm: a, fields: [T], out: t}\n"
                       "  - gradient_at: {alm: t, points: x, axes: east_north, radius_m: 2, out: g}\n"
                       "  - adjoint_synthesis_at: {values: x, lmax: 5, mmax: 3, out: b}\n"));
  const auto value = [&](const std::string& name) {
    for (const ValueInfo& info : job.values)
      if (info.name == name) return info;
    return ValueInfo();
  };
  EXPECT_EQ(value("p").sort, ValueSort::kPoints);
  EXPECT_EQ(value("p").kind.components(), 0);
  EXPECT_EQ(value("v").sort, ValueSort::kValues);
  EXPECT_EQ(value("v").kind, transform::FieldKind::temperature_polarisation());
  EXPECT_EQ(value("v").coordsys, "G");  // of the points, as the alm do not say
  EXPECT_EQ(value("v").catalogue, value("p").catalogue);
  EXPECT_EQ(value("g").kind.map_names(), (std::vector<std::string>{"T_EAST", "T_NORTH"}));
  EXPECT_EQ(value("g").catalogue, value("x").catalogue);
  EXPECT_EQ(value("x").units, (std::vector<std::string>{"mK", "mK"}));
  EXPECT_EQ(value("b").kind.alm_names(), (std::vector<std::string>{"E", "B"}));
  EXPECT_EQ(value("b").units, (std::vector<std::string>{"", ""}));
  EXPECT_EQ(value("b").alm->layout(), alm::AlmLayout(5, 3));
}

TEST_F(PointsPlan, ColumnsAreTakenByNameOrAsTheJobSays) {
  const JobPlan job = plan(
      "inputs:\n  p: {values: stars.csv, value_columns: [e2, e1], spin: 3, polcconv: COSMO}\n"
      "  q: {values: stars.csv, fields: [e1]}\n"
      "steps:\n  - adjoint_synthesis_at: {values: p, lmax: 5, out: b}\n");
  EXPECT_EQ(job.inputs[0].source->described().points, 2);
  EXPECT_EQ(job.inputs[0].components, (std::vector<Index>{0, 1}));
  EXPECT_EQ(job.values[0].kind.max_spin(), 3);
  EXPECT_EQ(job.values[0].coordsys, "C");
  EXPECT_EQ(job.inputs[1].components, std::vector<Index>{0});
  EXPECT_TRUE(contains(refusal("inputs:\n  p: {points: stars.csv, coordsys: G}\nsteps:\n"
                               "  - adjoint_synthesis_at: {values: p, lmax: 5, out: b}\n"),
                       "inputs.p.coordsys = G contradicts"));
}

TEST_F(PointsPlan, PlacesAreCountedWhileValuesStandAtThem) {
  // The same at few points and at many: what grows is what stands at points.
  const JobPlan job = plan(with_inputs(
      "  - synthesis_at: {alm: a, points: p, out: v}\n  - adjoint_synthesis_at: {values: v, lmax: 4, out: b}\n"
      "outputs:\n  b: {file: b.h5}\n"));
  const MemoryForecast forecast = forecast_memory(job, 0, 5000);
  EXPECT_EQ(forecast.actions.back(), 5000);
  Index read = 0, step = 0, after = 0;
  for (std::size_t i = 0; i < job.schedule.size(); ++i) {
    if (job.schedule[i] == Action{ActionKind::kRead, 1}) read = forecast.actions[i] - forecast.actions[i - 1];
    if (job.schedule[i] == Action{ActionKind::kStep, 0}) step = forecast.actions[i];
    if (job.schedule[i] == Action{ActionKind::kFree, 1}) after = forecast.actions[i];
  }
  EXPECT_EQ(read, 2 * kPoints * 8);
  EXPECT_EQ(after, 5000 + 2 * kPoints * 8 + 3 * kPoints * 8);  // the places stay with the values
  EXPECT_GT(step, after + 3 * 42 * 16);                        // the transform is on top
}

TEST_F(PointsPlan, RanksTakeTheirShareOfTheCatalogue) {
  const JobPlan job =
      plan_alone(parse_job("version: 1\n" + with_inputs("  - synthesis_at: {alm: a, points: p, out: v}\n"),
                           folder_.path("job.yaml")),
                 7);
  Index points = 0;
  for (int rank = 0; rank < 7; ++rank) {
    const Index own = local_points(job, job.values[1], rank);
    EXPECT_LE(std::abs(own - kPoints / 7), 1);
    points += own;
  }
  EXPECT_EQ(points, kPoints);
  EXPECT_EQ(field_bytes(job, job.values[3], 1, 0), local_points(job, job.values[3], 0) * 3 * 8);
}

TEST_F(PointsPlan, OutputsHaveTheFormatOfTheirEnding) {
  const std::string step = with_inputs("  - synthesis_at: {alm: a, points: p, out: v}\n");
  for (const std::string name : {"v.h5", "v.fits", "v.csv", "v.txt", "v.dat"}) {
    const JobPlan job = plan(step + "outputs:\n  v: {file: " + name + "}\n");
    EXPECT_GE(job.outputs[0].bytes, kPoints * (2 + 3) * 8) << name;
  }
  EXPECT_TRUE(contains(refusal(step + "outputs:\n  v: {file: v.png}\n"), "outputs.v.file: "));
  EXPECT_TRUE(contains(refusal(step + "outputs:\n  v: {file: v.h5, ordering: nested}\n"), "to HEALPix maps only"));
  EXPECT_TRUE(contains(refusal(step + "outputs:\n  v: {file: v.h5, convention: {norm: 4pi}}\n"), "to alm only"));
  EXPECT_TRUE(contains(refusal(step + "outputs:\n  a: {file: a.csv}\n"), "a.csv"));
}

TEST_F(PointsPlan, ADryRunSaysThatPlacesAreNotRead) {
  const JobPlan job = plan(with_inputs("  - synthesis_at: {alm: a, points: p, out: v}\n"));
  EXPECT_TRUE(
      contains(job.spec.steps[0].operation->plan_note(job, job.steps[0]), "points evenly distributed over the sphere"));
}

}  // namespace
}  // namespace armilla::job
