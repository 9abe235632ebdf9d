// Jobs that pass all checks and fail for the values that they read or compute.
#include <armilla/backend/context.hpp>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::analysis;
using test::expect_failed;
using test::RefusedJob;

constexpr std::size_t kPixels = 768;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// sky.h5, a map T, Q, U of nside 8 whose numbers vary, as noise does.
class RunRefusals : public testing::Test {
 protected:
  RunRefusals() {
    noise("sky.h5", {"T", "Q", "U"});
    folder_.spectra("dl.dat");
  }

  void map(const std::string& file, const std::vector<std::string>& fields,
           const std::function<double(std::size_t)>& value) const {
    const dist::PixelDistribution pixels(std::make_shared<const grid::RingGrid>(grid::make_healpix(8)), 1);
    std::vector<double> values(kPixels * fields.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
    folder_.write_map(file, pixels, fields, values);
  }
  void noise(const std::string& file, const std::vector<std::string>& fields) const {
    map(file, fields, [](std::size_t i) { return std::sin(static_cast<double>(i * i)); });
  }

  test::JobFolder folder_;
};

TEST_F(RunRefusals, MasksThatLeaveTooLittle) {
  map("none.h5", {"MASK"}, [](std::size_t) { return 0.0; });
  map("four.h5", {"MASK"}, [](std::size_t i) { return i < 4 ? 1.0 : 0.0; });
  const auto job = [](const std::string& mask, const std::string& step, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  sky: {map: sky.h5}\n  qu: {map: sky.h5, fields: [Q, U]}\n  cut: {map: " + mask +
                          "}\nsteps:\n  - " + step + "\n",
                      std::move(parts)};
  };
  const std::string decouple =
      "analysis: {map: sky, lmax: 8, out: a}\n  - spectra: {alm: a, out: cl}\n"
      "  - decouple: {spectra: cl, mask: cut, out: b}";
  expect_failed(
      folder_,
      {
          job("none.h5", "leakage: {map: qu, mask: cut, lmax: 8, out: a}", {"leakage.mask = cut is 0 everywhere"}),
          job("none.h5", decouple, {"decouple.mask = cut is 0 everywhere"}),
          job("four.h5", decouple, {"decouple.mask = cut", "Use bins of more than 1 degree,"}),
          job("none.h5", "analysis: {map: sky, lmax: 8, method: {lsmr: {mask: cut}}, out: a}",
              {"job.yaml:",
               "steps[0].analysis.method.lsmr: all pixels are masked or have inverse variance 0: no usable "
               "pixels"}),
      });
}

TEST_F(RunRefusals, Fits) {
  noise("hits.h5", {"HITS"});
  map("first.h5", {"MASK"}, [](std::size_t i) { return i < 30 ? 1.0 : 0.0; });
  const auto fit = [](const std::string& input, const std::string& keys, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  sky: {map: sky.h5}\n  other: {map: " + input +
                          "}\nsteps:\n  - analysis: {map: sky, " + keys + ", out: a}\noutputs:\n  a: {file: a.h5}\n",
                      std::move(parts)};
  };
  expect_failed(
      folder_, {
                   fit("hits.h5", "lmax: 16, method: {cg: {inverse_variance: other}}",
                       {"steps[0].analysis.method.cg: weights are negative or not finite"}),
                   fit("first.h5", "lmax: 5, method: {cg: {mask: other}}",
                       {"steps[0].analysis.method.cg: 30 data (values of pixels", "36 unknowns", "T up to lmax = 5"}),
                   fit("hits.h5", "lmax: 16, method: {cg: {max_iterations: 4}}",
                       {"job.yaml:", "steps[0].analysis.method.cg: the analysis did not converge",
                        "after 4 iterations: raise method.cg.max_iterations or method.cg.tolerance, lower lmax, or set "
                        "method.cg.allow_unconverged: true"}),
               });
}

TEST_F(RunRefusals, Points) {
  std::vector<double> theta, phi;
  for (int i = 0; i < 600; ++i) {
    theta.push_back(std::acos(1 - (2.0 * i + 1) / 600));
    phi.push_back(std::fmod(2.4 * i, 6.28));
  }
  const std::vector<double> ones(600, 1.0);
  const auto changed = [](std::vector<double> values, std::size_t i, double value) {
    values[i] = value;
    return values;
  };
  std::vector<double> values;
  for (int i = 0; i < 1800; ++i) values.push_back(std::sin(static_cast<double>(i) * i));
  folder_.points("v.h5", theta, phi, values, {"T", "Q", "U"});
  folder_.points("minus.h5", theta, phi, changed(ones, 17, -1));
  folder_.points("nothing.h5", theta, phi, std::vector<double>(600, 0.0));
  folder_.points("other.h5", theta, changed(phi, 590, 0.1), ones);
  folder_.points("t.h5", theta, phi, ones);
  folder_.points("shifted.h5", theta, changed(phi, 17, phi[17] + 1e-3), ones);
  folder_.points("nan.h5", theta, phi, changed(ones, 64, kNotANumber));
  folder_.columns("wrong.h5", "/", {{"theta", changed(changed(theta, 3, -0.1), 500, 4)}, {"phi", phi}});
  folder_.columns("endless.h5", "/", {{"theta", theta}, {"phi", changed(phi, 12, kNotANumber)}});
  folder_.alm("a.h5", 4, 4, {"T"});
  const auto job = [](const std::string& inputs, const std::string& step, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  " + inputs + "\nsteps:\n  - " + step + "\n", std::move(parts)};
  };
  const auto fit = [&](const std::string& weights, const std::string& keys, std::vector<std::string> parts) {
    return job("v: {values: v.h5}\n  w: {values: " + weights + "}",
               "analysis_at: {values: v, lmax: 20, " + keys + ", out: b}", std::move(parts));
  };
  const auto at = [&](const std::string& points, std::vector<std::string> parts) {
    parts.emplace_back("inputs.p");
    return job("a: {alm: a.h5}\n  p: {points: " + points + "}", "synthesis_at: {alm: a, points: p, out: b}",
               std::move(parts));
  };
  expect_failed(folder_, {
                             fit("t.h5", "method: {cg: {max_iterations: 3}}",
                                 {"method.cg", "did not converge", "3 iterations", "condition", "lower lmax"}),
                             fit("minus.h5", "weights: w", {"weights", "the weight of point 17 is -1"}),
                             fit("other.h5", "weights: w", {"weights", "point 590", "the same catalogue"}),
                             fit("nothing.h5", "weights: w", {"weights", "all weights are 0"}),
                             at("wrong.h5", {"point 3 ", "-0.1"}),
                             at("endless.h5", {"point 12 ", "nan"}),
                             job("x: {values: nan.h5}", "adjoint_synthesis_at: {values: x, lmax: 9, out: b}",
                                 {"inputs.x", "nan.h5", "point 64 ", "nan"}),
                             job("x: {values: t.h5}\n  y: {values: shifted.h5}", "compare: {values: x, reference: y}",
                                 {"compare", "point 17", "use values of the same catalogue"}),
                         });
}

TEST_F(RunRefusals, NumbersThatAreNotFinite) {
  const auto scaled = [](const std::string& first, const std::string& second, const std::string& step,
                         const std::string& output) {
    return "inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 8, out: a}\n  - scale: {alm: a, "
           "factor: " +
           first + ", out: b}\n  - scale: {alm: b, factor: " + second + ", out: c}\n  - " + step + "\noutputs:\n  " +
           output + "\n";
  };
  const std::string synthesis = "synthesis: {alm: c, grid: {healpix: {nside: 8}}, out: d}";
  expect_failed(
      folder_,
      {
          {scaled("1.0e+308", "1.0e+10", synthesis, "c: {file: c.h5}"),
           {"job.yaml:7: steps[2].scale", "'c' has ", " non-finite values out of 270 (0 NaN, ", "on_nonfinite: warn"}},
          {scaled("1.0e+50", "1", synthesis, "c: {file: c.h5, precision: single}"),
           {"steps[2].scale", "non-finite values", "in the single precision of its output"}},
          {scaled("1.0e+308", "1.0e+10", synthesis, "d: {file: d.h5}"),
           {"steps[3].synthesis", "'d' has ", "; its operand 'c' has "}},
          {scaled("1.0e+200", "1", "spectra: {alm: c, out: d}", "d: {file: d.h5}"),
           {"steps[3].spectra", "'d' has ", "non-finite"}},
      });
  EXPECT_NO_THROW(test::run(folder_, scaled("1.0e+308", "1.0e+10", synthesis, "a: {file: a.h5}")))
      << "only what is written is checked";
}

TEST_F(RunRefusals, MapsWithoutAGoodPixel) {
  map("bad.h5", {"T"}, [](std::size_t) { return kNotANumber; });
  expect_failed(
      folder_, {{analysis("lmax: 6", "map: bad.h5, bad_data: zero"), {"bad.h5", "no good pixels"}},
                {analysis("lmax: 6", "map: bad.h5, bad_data: mask, good_pixels: good"), {"bad.h5", "no good pixels"}}});
}

TEST_F(RunRefusals, DeflectionsWithoutAnInverse) {
  folder_.alm("d.h5", 95, 95, {"E_D", "B_D"});
  expect_failed(
      folder_,
      {{"inputs:\n  d: {alm: d.h5, spin: 1}\nsteps:\n  - scale: {alm: d, factor: 1, out: e}\n  - inverse_deflection: "
        "{deflection: e, lmax: 20, accuracy: 1.0e-6, out: none}\noutputs:\n  none: {file: none.h5}\n",
        {"steps[1].inverse_deflection: no inverse of the deflection was found at",
         "pixels; at the first of them, pixel ", "determinant", "smooth the deflection, or lower its lmax"}}});
}

// A single ring of a grid may be longer than FFTs can be.
TEST_F(RunRefusals, RingsThatAreTooLongForFfts) {
  folder_.alm("alm.h5", 8, 8, {"T"});
  const std::string body = test::synthesis("{healpix: {nside: 536870912, rings: [1073741823]}}");
  test::expect_message(test::error_of([&] { test::run(folder_, body); }),
                       {"a ring of 2147483648 pixels is too long for FFTW"}, core::ErrorKind::kResource);
}

TEST_F(RunRefusals, AGpuThatIsNotThere) {
  const std::string reason = backend::why_unusable(backend::Kind::kCuda);
  if (reason.empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_TRUE(test::contains(reason, "built without CUDA") || test::contains(reason, "no GPU is visible"));
  const std::string body = analysis("lmax: 16") + "execution: {backend: cuda}\n";
  test::expect_message(test::error_of([&] { test::run(folder_, body); }),
                       {"backend = cuda", reason, "set backend to cpu or auto"}, core::ErrorKind::kResource);
}

// A link to itself: what the system says is an error of the user, not of the program.
TEST_F(RunRefusals, AJournalFolderThatCannotBeLookedAt) {
  std::filesystem::create_symlink(".armilla", folder_.path(".armilla"));
  const std::string body =
      "steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 1, maps: 2, out: a}\n"
      "outputs:\n  a: {file: \"a_{}.h5\"}\n";
  test::expect_message(test::error_of([&] { test::run(folder_, body); }),
                       {"/.armilla', the journal folder of output '", "/a_{}.h5"});
}

}  // namespace
}  // namespace armilla::job
