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

class Plan : public testing::Test {
 protected:
  Plan() {
    folder_.spectra("dl.dat");
    folder_.map("tqu.h5", grid::make_healpix(4), {"T", "Q", "U"}, 3);
    folder_.map("gauss.h5", grid::make_gauss(10, 21), {"T"}, 1);
    folder_.map("pair.h5", grid::make_healpix(4), {"Q", "U"}, 2);
    folder_.alm("teb.h5", 8, 6, {"T", "E", "B"});
    folder_.text("plain.txt", "no data at all\n");
  }

  JobPlan plan(const std::string& body) const {
    return plan_job(comm::Communicator::self(), parse_job("version: 1\n" + body, folder_.path("job.yaml")));
  }
  std::string refusal(const std::string& body) const {
    return input_error([&] { test::prepared(folder_, body); });
  }
  /// A job over the map tqu.h5 ('sky'), gauss.h5 ('gauss') and the alm teb.h5 ('old').
  std::string with_inputs(const std::string& rest) const {
    return "inputs:\n  sky: {map: tqu.h5}\n  gauss: {map: gauss.h5}\n  old: {alm: teb.h5}\nsteps:\n" + rest;
  }

  test::JobFolder folder_;
};

TEST_F(Plan, FieldsUnitsAndCoordinatesGoFromStepToStep) {
  const JobPlan job =
      plan(with_inputs("  - analysis: {map: sky, lmax: 6, out: a}\n"
                       "  - smooth: {alm: a, fwhm_arcmin: 60, out: s}\n"
                       "  - synthesis: {alm: s, grid: {gauss: {nlat: 8}}, out: m}\n"
                       "  - spectra: {alm: a, with: s, out: cl}\n"
                       "  - adjoint_synthesis: {map: m, lmax: 5, mmax: 3, out: adjoint}\n"));
  ASSERT_EQ(job.values.size(), 8u);
  EXPECT_EQ(job.values[3].kind, transform::FieldKind::temperature_polarisation());
  EXPECT_EQ(job.values[5].name, "m");
  EXPECT_EQ(job.values[5].units, (std::vector<std::string>{"mK", "mK", "mK"}));
  EXPECT_EQ(job.values[5].coordsys, "G");
  EXPECT_EQ(job.values[5].pixels->grid().description().nphi, 16);
  EXPECT_EQ(job.values[6].units, std::vector<std::string>{"mK^2"});
  EXPECT_EQ(job.values[6].spectra, (std::vector<std::string>{"TT", "EE", "BB", "TE", "EB", "TB"}));
  EXPECT_EQ(job.values[7].units, (std::vector<std::string>{"", "", ""}));
  EXPECT_EQ(job.values[7].alm->layout().mmax(), 3);
}

TEST_F(Plan, ComponentsAreTakenByName) {
  const JobPlan job = plan(
      "inputs:\n  u: {map: tqu.h5, fields: [Q, U]}\n  t: {map: tqu.h5, fields: [T]}\n"
      "  spin: {map: pair.h5, spin: 3}\n  low: {alm: teb.h5, fields: [E, B], lmax: 4}\n"
      "steps:\n  - analysis: {map: u, lmax: 6, out: a}\n");
  EXPECT_EQ(job.inputs[0].components, (std::vector<Index>{1, 2}));
  EXPECT_EQ(job.inputs[1].components, std::vector<Index>{0});
  EXPECT_EQ(job.inputs[2].components, (std::vector<Index>{0, 1}));
  EXPECT_EQ(job.values[2].kind.max_spin(), 3);
  EXPECT_EQ(job.inputs[3].components, (std::vector<Index>{1, 2}));
  EXPECT_EQ(job.values[3].alm->layout(), alm::AlmLayout(4, 4));
}

TEST_F(Plan, ReadsLateWritesEarlyFreesAfterTheLastUseAndKeepsTransforms) {
  const JobPlan job =
      plan(with_inputs("  - synthesis: {alm: old, grid: {healpix: {nside: 4}}, out: m}\n"
                       "  - analysis: {map: m, lmax: 8, mmax: 6, out: a}\n"
                       "  - smooth: {alm: a, fwhm_arcmin: 60, out: s}\n"
                       "outputs:\n  m: {file: m.h5}\n  s: {file: s.h5}\n"));
  using enum ActionKind;
  const std::vector<Action> expected{{kRead, 2},  {kBuildTransform, 0}, {kStep, 0},          {kFree, 2},
                                     {kWrite, 0}, {kStep, 1},           {kDropTransform, 1}, {kFree, 3},
                                     {kStep, 2},  {kWrite, 1},          {kFree, 5}};
  EXPECT_EQ(job.schedule, expected);
  EXPECT_TRUE(is_in_place(job, 2));
  ASSERT_EQ(job.warnings.size(), 2u);
  EXPECT_TRUE(contains(job.warnings[0], "'sky' is neither used by a step nor written"));
}

TEST_F(Plan, MemoryForecastFollowsTheScheduleAndEndsWhereItBegan) {
  const std::string body = with_inputs(
      "  - synthesis: {alm: old, grid: {healpix: {nside: 32}}, out: m}\n"
      "  - analysis: {map: m, lmax: 8, method: {jacobi: {iterations: 1}}, out: a}\n"
      "outputs:\n  m: {file: m.fits, ordering: nested}\n");
  const JobPlan job = plan(body);
  const MemoryForecast forecast = forecast_memory(job, 0, 1000);
  const Index map_bytes = 3 * 12 * 32 * 32 * 8;
  ASSERT_EQ(forecast.actions.size(), job.schedule.size());
  EXPECT_EQ(forecast.actions.front(), 1000 + 3 * 42 * 16);  // the alm: 42 coefficients of lmax 8, mmax 6
  EXPECT_EQ(job.schedule.back().kind, ActionKind::kFree);
  EXPECT_EQ(forecast.actions.back(), 1000);
  Index step_peak = 0;
  for (std::size_t i = 0; i < job.schedule.size(); ++i)
    if (job.schedule[i] == Action{ActionKind::kStep, 1}) step_peak = forecast.actions[i];
  EXPECT_GT(step_peak, 1000 + 2 * map_bytes);  // the map and what is left of it between iterations
  EXPECT_GE(forecast.peak(), step_peak);
  EXPECT_LT(forecast_memory(plan(body + "execution: {precision: single}\n"), 0, 1000).peak(), forecast.peak());
}

TEST_F(Plan, LmaxBeyondTheGridIsRefusedUnlessAllowed) {
  EXPECT_TRUE(contains(
      refusal(with_inputs("  - analysis: {map: sky, lmax: 12, out: a}\n")),
      "job.yaml:7: steps[0].analysis.lmax = 12 exceeds 3 nside - 1 = 11 of map 'sky' (aliased): lower lmax, or "
      "set allow_aliasing: true"));
  EXPECT_TRUE(contains(refusal(with_inputs("  - analysis: {map: gauss, lmax: 10, out: a}\n")),
                       "lmax = 10 exceeds nlat - 1 = 9 of map 'gauss'"));
  EXPECT_NO_THROW(plan(with_inputs("  - analysis: {map: sky, lmax: 12, allow_aliasing: true, out: a}\n")));
}

TEST_F(Plan, GridsOfSomeRingsOrFewPixelsSayWhatTheyCannotDo) {
  const auto on = [&](const std::string& grid, const std::string& analysis) {
    return with_inputs("  - synthesis: {alm: old, grid: " + grid + ", out: m}\n  - analysis: {map: m, " + analysis +
                       ", out: a}\n");
  };
  EXPECT_TRUE(
      contains(refusal(on("{healpix: {nside: 8, rings: [[0, 15]]}}", "lmax: 4")),
               "steps[1].analysis.map = m covers only part of the sky (healpix nside 8, rings 0-15), over which "
               "quadrature is not exact: use adjoint_synthesis"));
  EXPECT_TRUE(contains(refusal(on("{healpix: {nside: 8, rings: [31]}}", "lmax: 4")),
                       "job.yaml:7: steps[0].synthesis.grid.healpix: rings: ring 31 does not exist on healpix nside 8: "
                       "its rings are 0 .. 30 from north to south"));
  EXPECT_TRUE(contains(refusal(on("{gauss: {nlat: 8, theta_deg: [90, 190]}}", "lmax: 4")),
                       "colatitude 90 .. 190 degrees is not a valid range"));
  EXPECT_TRUE(contains(refusal(on("{gauss: {nlat: 8, theta_deg: [0, 1]}}", "lmax: 4")),
                       "no ring of gauss 8 x 16 is at colatitude 0 .. 1"));
  EXPECT_TRUE(
      contains(refusal(on("{reduced_gauss: {nlat: 9}}", "lmax: 9")), "lmax = 9 exceeds nlat - 1 = 8 of map 'm'"));
  EXPECT_TRUE(contains(refusal(on("{equiangular: {rule: cc, nlat: 9}}", "lmax: 8")),
                       "lmax = 8 exceeds nlat - 2 = 7 of map 'm'"));
  EXPECT_TRUE(contains(refusal(on("{octahedral: {nlat: 8}}", "lmax: 9")), "lmax = 9 exceeds nlat - 1 = 7 of map 'm'"));
  EXPECT_TRUE(
      contains(refusal(on("{reduced_gauss: {nlat: 64, spin: 1}}", "lmax: 8")),
               "map = m has spin 2, but reduced_gauss 64 spin 1 supports spins up to 1 (aliased): create the grid with "
               "spin: 2, or set allow_aliasing: true"));
  EXPECT_NO_THROW(plan(on("{reduced_gauss: {nlat: 64, spin: 1}}", "lmax: 8, allow_aliasing: true")));
}

TEST_F(Plan, OperandsMustBeThereAndOfTheRightSort) {
  EXPECT_TRUE(
      contains(refusal(with_inputs("  - analysis: {map: sly, lmax: 4, out: a}\n")),
               "steps[0].analysis.map = sly is not defined by an input or an earlier step: did you mean 'sky'?"));
  EXPECT_TRUE(contains(refusal(with_inputs("  - analysis: {map: old, lmax: 4, out: a}\n")),
                       "map = old is of type 'alm', but 'map' is needed here"));
  EXPECT_TRUE(contains(refusal(with_inputs("  - smooth: {alm: a, fwhm_arcmin: 1, out: s}\n"
                                           "  - analysis: {map: sky, lmax: 4, out: a}\n")),
                       "alm = a is not created until steps[1].analysis: move that step before this one"));
  EXPECT_TRUE(contains(refusal(with_inputs("  - analysis: {map: sky, lmax: 4, out: sky}\n")),
                       "the name 'sky' is already in use"));
  EXPECT_TRUE(contains(
      refusal(with_inputs("  - spectra: {alm: old, out: cl}\n  - smooth: {alm: cl, fwhm_arcmin: 1, out: s}\n")),
      "is of type 'spectra'"));
}

TEST_F(Plan, FieldsThatDoNotMatchAreRefused) {
  EXPECT_TRUE(contains(
      refusal(with_inputs(
          "  - analysis: {map: gauss, lmax: 8, mmax: 6, out: a}\n  - spectra: {alm: old, with: a, out: cl}\n")),
      "with = a has the fields T, but 'old' has T, E, B"));
  EXPECT_TRUE(contains(
      refusal(with_inputs("  - analysis: {map: sky, lmax: 8, out: a}\n  - compare: {alm: a, reference: old}\n")),
      "reference = old has lmax 8, mmax 6, but 'a' has lmax 8, mmax 8"));
  EXPECT_TRUE(
      contains(refusal("inputs:\n  sky: {map: gauss.h5, fields: [T, Q, U]}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"),
               "requests fields T, Q, U from"));
  EXPECT_TRUE(
      contains(refusal("inputs:\n  sky: {map: tqu.h5, fields: [T, X]}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"),
               "job.yaml:3: inputs.sky requests fields T, X from"));
  EXPECT_TRUE(
      contains(refusal("inputs:\n  sky: {map: tqu.h5, fields: [T, Q]}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"),
               "job.yaml:3: inputs.sky: fields [T, Q] are not a known combination: Q is half of a pair"));
  EXPECT_TRUE(contains(refusal("inputs:\n  sky: {map: gauss.h5, spin: 2}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"),
                       "requests spin 2 from"));
}

TEST_F(Plan, FilesThatDoNotServeAreNamed) {
  EXPECT_TRUE(
      contains(refusal("inputs:\n  sky: {map: none.h5}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"), "none.h5"));
  EXPECT_TRUE(
      contains(refusal("inputs:\n  sky: {map: plain.txt}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"), "plain.txt"));
  EXPECT_TRUE(contains(refusal("inputs:\n  sky: {alm: tqu.h5}\nsteps: []\noutputs: {sky: {file: o.h5}}\n"), "tqu.h5"));
  const std::string random = "steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, ";
  EXPECT_TRUE(
      contains(refusal(random + "fields: [T], lmax: 41, out: a}\n"), "lmax = 41 exceeds l = 40, the last degree in"));
  EXPECT_TRUE(contains(refusal(random + "fields: [X], lmax: 4, out: a}\n"), "X"));
  EXPECT_TRUE(
      contains(refusal(with_inputs("  - synthesis: {alm: old, grid: {healpix: {nside: 1000000000}}, out: m}\n")),
               "nside = 1000000000 is out of range"));
  EXPECT_TRUE(
      contains(refusal(with_inputs("  - synthesis: {alm: old, grid: {rings: {file: gone.h5}}, out: m}\n")), "gone.h5"));
}

TEST_F(Plan, OutputsMustHaveAPlaceOfTheirOwn) {
  const auto out = [&](const std::string& lines) {
    return with_inputs("  - spectra: {alm: old, out: cl}\noutputs:\n" + lines);
  };
  EXPECT_TRUE(contains(refusal(out("  skies: {file: a.h5}\n")),
                       "'skies' is not defined by an input or a step: did you mean 'sky'?"));
  EXPECT_TRUE(contains(refusal(out("  sky: {file: a.h5}\n  old: {file: ./a.h5}\n")), "is also written by"));
  EXPECT_TRUE(contains(refusal(out("  sky: {file: teb.h5}\n")), "is also read by inputs.old"));
  EXPECT_TRUE(contains(refusal(out("  sky: {file: job.yaml.fits}\n  cl: {file: cl.png}\n")), "cl.png"));
  EXPECT_TRUE(contains(refusal(out("  old: {file: o.h5, ordering: nested}\n")), "nested applies to HEALPix maps only"));
  EXPECT_TRUE(contains(refusal(out("  sky: {file: plain.txt/a.h5}\n")), "is not a folder"));
}

}  // namespace
}  // namespace armilla::job
