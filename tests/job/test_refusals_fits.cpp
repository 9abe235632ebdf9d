// Jobs with fits and with values at points that are refused by the plan of a step.
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::analysis;
using test::expect_refused;
using test::RefusedJob;

constexpr int kCatalogue = 60;

class FitRefusals : public testing::Test {
 protected:
  FitRefusals() {
    folder_.map("sky.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
    for (int i = 0; i < kCatalogue; ++i) {
      theta_.push_back(0.05 * (i + 1));
      phi_.push_back(2.4 * i);
    }
  }

  /// Values 1 at the first points of the catalogue.
  void values(const std::string& file, std::size_t points, const std::vector<std::string>& fields) const {
    folder_.points(file, {theta_.begin(), theta_.begin() + static_cast<std::ptrdiff_t>(points)},
                   {phi_.begin(), phi_.begin() + static_cast<std::ptrdiff_t>(points)},
                   std::vector<double>(points * fields.size(), 1.0), fields);
  }

  test::JobFolder folder_;
  std::vector<double> theta_, phi_;
};

TEST_F(FitRefusals, MasksAndInverseVariances) {
  folder_.map("small.h5", grid::make_healpix(4), {"MASK"}, 1);
  folder_.map("two.h5", grid::make_healpix(8), {"Q", "U"}, 2);
  const auto cg = [](const std::string& input, const std::string& keys, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  sky: {map: sky.h5}\n  mask: {map: " + input +
                          "}\nsteps:\n  - analysis: {map: sky, lmax: 16, method: {cg: {" + keys +
                          "}}, out: a}\noutputs:\n  a: {file: a.h5}\n",
                      std::move(parts)};
  };
  expect_refused(folder_,
                 {
                     cg("small.h5", "mask: mask",
                        {"job.yaml:",
                         "steps[0].analysis.method.cg.mask = mask is on healpix nside 4, but the map 'sky' is on "
                         "healpix nside 8: use the same pixels"}),
                     cg("two.h5", "mask: mask",
                        {"method.cg.mask = mask has 2 components, but 3 components of the map 'sky' are analysed"}),
                     cg("small.h5", "mask: masque",
                        {"steps[0].analysis.method.cg.mask = masque is not defined by an input or an earlier step"}),
                     cg("small.h5", "inverse_variance: [1, 2, 3]",
                        {"method.cg.inverse_variance: has 3 numbers, but healpix nside 8 has 31 rings"}),
                 });
}

TEST_F(FitRefusals, Tolerances) {
  const auto below = [](const std::string& keys, const std::string& key, const std::string& precision,
                        const std::string& least) {
    return RefusedJob{analysis("lmax: 16, " + keys) + "execution: {precision: " + precision + "}\n",
                      {"job.yaml:", "steps[0].analysis." + key + " = ",
                       "is below the limit of " + precision + " precision", "use " + least + " or more"}};
  };
  expect_refused(folder_, {
                              below("tolerance: 1e-8", "tolerance", "single", "2e-06"),
                              below("tolerance: 1e-15", "tolerance", "double", "1e-13"),
                              below("method: {cg: {tolerance: 1e-15}}", "method.cg.tolerance", "double", "1e-13"),
                              below("method: {cg: {tolerance: 1e-8}}", "method.cg.tolerance", "single", "2e-06"),
                          });
  folder_.map("fine.h5", grid::make_healpix(64), {"T"}, 1);
  const auto fine = [](const std::string& tolerance, int lmax) {
    return analysis("lmax: " + std::to_string(lmax) + ", tolerance: " + tolerance, "map: fine.h5");
  };
  expect_refused(folder_,
                 {{fine("1e-10", 191),
                   {"steps[0].analysis.tolerance = 1e-10 cannot be reached at lmax = 191", "Lower lmax to 178"}},
                  {fine("1e-12", 191), {"Lower lmax to 172"}}});
  EXPECT_NO_THROW(test::prepared(folder_, fine("1e-10", 178)));
  EXPECT_NO_THROW(test::prepared(folder_, fine("1e-12", 172)));
}

TEST_F(FitRefusals, Penalties) {
  folder_.map("four.h5", grid::make_healpix(4), {"T", "Q", "U"}, 3);
  const auto table = [&](const std::string& file, const std::string& head, int rows, const auto& numbers) {
    std::string text = head + "\n";
    for (int l = 0; l < rows; ++l) text += std::to_string(l) + " " + numbers(l) + "\n";
    folder_.text(file, text);
  };
  table("minus.dat", "# L TT EE BB", 6, [](int l) { return std::string(l == 2 ? "-1" : "1") + " 1 1"; });
  table("few.dat", "# L TT", 6, [](int) { return std::string("1"); });
  table("short.dat", "# L TT EE BB", 4, [](int) { return std::string("1 1 1"); });
  const auto penalty = [](const std::string& value, std::vector<std::string> parts) {
    return RefusedJob{analysis("lmax: 5, method: {cg: {regularise: {spectrum: " + value + "}}}", "map: four.h5"),
                      std::move(parts)};
  };
  expect_refused(folder_,
                 {
                     penalty("minus.dat, spectrum_kind: cl",
                             {"method.cg.regularise.spectrum = ", "negative C_l -1 of T at l = 2"}),
                     penalty("few.dat, spectrum_kind: cl", {"method.cg.regularise.spectrum = ", "has no column EE"}),
                     penalty("short.dat, spectrum_kind: cl", {"lmax = 5", "exceeds l = 3"}),
                     penalty("absent.fits", {"method.cg.regularise.spectrum", "absent.fits"}),
                 });
}

TEST_F(FitRefusals, FewerDataThanUnknowns) {
  values("v.h5", 6, {"T"});
  for (const std::string method : {"cg", "lsmr"})
    expect_refused(
        folder_,
        {{"inputs:\n  v: {values: v.h5}\nsteps:\n  - analysis_at: {values: v, lmax: 5, out: a, method: " + method +
              "}\noutputs:\n  a: {file: a.h5}\n",
          {"job.yaml:5: steps[0].analysis_at.method." + method + ": ", "6 data (values of points", "36 unknowns",
           "T up to lmax = 5", "lower lmax, use more data, or regularise the fit", "regularise: 0.01"}}});
}

TEST_F(FitRefusals, FitsOfPoints) {
  folder_.points("p.h5", theta_, phi_);
  values("v.h5", kCatalogue, {"T", "Q", "U"});
  values("few.h5", 1, {"T"});
  const auto fit = [](const std::string& keys, std::vector<std::string> parts) {
    return RefusedJob{
        "inputs:\n  v: {values: v.h5}\n  few: {values: few.h5}\n  p: {points: p.h5}\nsteps:\n"
        "  - analysis_at: {values: v, " +
            keys + ", out: a}\noutputs:\n  a: {file: a.h5}\n",
        std::move(parts)};
  };
  EXPECT_NO_THROW(test::prepared(folder_, fit("lmax: 4", {}).body));
  expect_refused(folder_, {
                              fit("lmax: 4, method: jacobi", {"method = jacobi", "use cg or lsmr"}),
                              fit("lmax: 4, method: {cg: {tolerance: 1.0e-15}}",
                                  {"method.cg.tolerance", "below the limit of double precision"}),
                              fit("lmax: 4, weights: v", {"weights = v", "one component"}),
                              fit("lmax: 4, weights: p", {"weights = p", "'values' is needed"}),
                              fit("lmax: 4, weights: few", {"weights = few", "1 points, but 'v' has 60"}),
                              fit("lmax: 1", {"lmax = 1", "below the spin = 2"}),
                          });
}

TEST_F(FitRefusals, StepsAtPoints) {
  folder_.points("p.h5", theta_, phi_);
  values("x.h5", kCatalogue, {"Q", "U"});
  values("few.h5", 1, {"Q", "U"});
  values("scalar.h5", kCatalogue, {"T"});
  folder_.alm("a.h5", 150, 150, {"E", "B"});
  folder_.attribute("a.h5", "alm", "COORDSYS", "G");
  folder_.alm("g.h5", 8, 8, {"T"});
  folder_.attribute("g.h5", "alm", "COORDSYS", "G");
  folder_.alm("low.h5", 1, 1, {"E", "B"});
  folder_.text("stars.csv", "RA,DEC\n1,2\n");
  const auto step = [](const std::string& text, std::vector<std::string> parts) {
    return RefusedJob{
        "inputs:\n  a: {alm: a.h5}\n  p: {points: p.h5}\n  x: {values: x.h5}\n  low: {alm: low.h5}\n"
        "  few: {values: few.h5}\n  c: {points: stars.csv}\n  g: {alm: g.h5}\n"
        "  scalar: {values: scalar.h5}\nsteps:\n  - " +
            text + "\n",
        std::move(parts)};
  };
  EXPECT_NO_THROW(test::prepared(folder_, step("synthesis_at: {alm: a, points: p, out: y}", {}).body));
  EXPECT_NO_THROW(test::prepared(folder_, step("adjoint_synthesis_at: {values: x, lmax: 9, out: y}", {}).body));
  expect_refused(
      folder_,
      {
          step("synthesis_at: {alm: a, points: p, accuracy: 1.0e-14, out: y}",
               {"accuracy", "1e-14", "the best for lmax 150", "2e-13"}),
          step("adjoint_synthesis_at: {values: p, lmax: 9, out: y}", {"values = p", "'points'", "'values' is needed"}),
          step("gradient_at: {alm: a, points: p, out: y}", {"gradient_at.alm = a", "only scalars have a gradient"}),
          step("synthesis_at: {alm: a, points: c, out: y}",
               {"points = c", "coordinates C", "in G", "rotate with to: equatorial"}),
          step("compare: {values: x, reference: few}", {"reference = few", "has 1 points, but 'x' has 60"}),
          step("synthesis_at: {alm: a, points: p, accuracy: 0.9, out: y}",
               {"accuracy", "0.9 exceeds the largest supported value 0.5"}),
          step("synthesis_at: {alm: low, points: p, out: y}",
               {"synthesis_at.alm = low", "lmax = 1", "below the spin = 2"}),
          step("adjoint_synthesis_at: {values: x, lmax: 1, out: y}", {"lmax = 1", "below the spin = 2"}),
          step("synthesis_at: {alm: a, points: a, out: y}", {"points = a", "'alm'", "'points' is needed"}),
          step("analysis: {map: x, lmax: 9, out: y}", {"map = x", "'values'", "'map' is needed"}),
          step("compare: {values: x, reference: scalar}",
               {"reference = scalar has the fields T, but 'x' has Q, U: use values with the same fields"}),
          step("gradient_at: {alm: g, points: c, out: y}",
               {"points = c", "coordinates C", "'g' is in G", "rotate 'g' first"}),
      });
}

TEST_F(FitRefusals, CampaignsOfValues) {
  folder_.points("p.h5", theta_, phi_);
  folder_.spectra("dl.dat");
  for (int k = 0; k < 3; ++k) values("x_" + std::to_string(k) + ".h5", kCatalogue, {"Q", "U"});
  expect_refused(
      folder_,
      {
          {"inputs:\n  p: {points: p.h5}\nsteps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, "
           "B], lmax: 8, maps: 5, out: a}\n  - synthesis_at: {alm: a, points: p, out: v}\noutputs:\n  v: {file: "
           "v.h5}\n",
           {"v.h5", "add the placeholder '{}' to its name"}},
          {"inputs:\n  x: {values: \"x_{0..2}.h5\"}\nsteps:\n  - adjoint_synthesis_at: {values: x, lmax: 30, out: b}\n"
           "  - synthesis_at: {alm: b, points: x, out: v}\noutputs:\n  v: {file: \"w_{}.h5\"}\n",
           {"points = x", "use positions without values"}},
      });
}

}  // namespace
}  // namespace armilla::job
