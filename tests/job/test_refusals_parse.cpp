// Jobs that are refused for their text alone.
#include <armilla/job/parse/parse_job.hpp>

#include <optional>
#include <string>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::analysis;
using test::contains;
using test::RefusedJob;
using test::synthesis;

std::string parse_refusal(const RefusedJob& job) {
  return test::input_error([&] { parse_job("version: 1\n" + job.body, "job.yaml", job.overrides); });
}

/// Each message has the parts and says where.
void expect_not_parsed(const std::vector<RefusedJob>& jobs) {
  for (const RefusedJob& one : jobs) {
    SCOPED_TRACE(one.body);
    const std::string message = parse_refusal(one);
    for (const std::string& part : one.parts) EXPECT_TRUE(contains(message, part));
    EXPECT_TRUE(contains(message, one.overrides.empty() ? "job.yaml:" : "--set "));
  }
}

/// A job of one step, in line 3.
RefusedJob step(const std::string& text, std::vector<std::string> parts) {
  return {"steps:\n  - " + text + "\n", std::move(parts)};
}

TEST(ParseRefusals, TheJobsThatAreChangedAreGood) {
  EXPECT_NO_THROW(parse_job("version: 1\n" + analysis("lmax: 16"), "job.yaml"));
  EXPECT_NO_THROW(parse_job("version: 1\n" + synthesis("{healpix: {nside: 8}}"), "job.yaml"));
}

TEST(ParseRefusals, Analysis) {
  const auto method = [](const std::string& text, std::vector<std::string> parts) {
    parts.emplace_back("job.yaml:5: steps[0].");
    return RefusedJob{analysis("lmax: 16, method: " + text), std::move(parts)};
  };
  expect_not_parsed({
      {analysis("lmx: 16"),
       {"job.yaml:5: steps[0].analysis: unknown key 'lmx': did you mean 'lmax'? Known: map, only, lmax"}},
      {analysis("lmax: 16"),
       {"--set steps.0.analysis.iter=3: steps[0].analysis: unknown key 'iter'"},
       {"steps.0.analysis.iter=3"}},
      {analysis("lmax: 16, mmax: 17"), {"job.yaml:5: steps[0].analysis.mmax = 17 exceeds lmax = 16"}},
      {analysis("lmax: sixteen"), {"job.yaml:5: steps[0].analysis.lmax = sixteen is not an integer"}},
      {analysis("lmax: 16, tolerance: 2"), {"steps[0].analysis.tolerance = 2 is not a valid tolerance"}},
      {analysis("lmax: 16, tolerance: 1e-10, method: quadrature"),
       {"steps[0].analysis.tolerance = 1e-10 cannot be combined with a method"}},
      method("{ring_wights: {}}", {"analysis.method: unknown key 'ring_wights': did you mean 'ring_weights'?"}),
      method("ring_wights", {"analysis.method = ring_wights is not valid: expected one of quadrature, ring_weights"}),
      method("{pixel_weights: {degree: many}}", {"pixel_weights.degree = many is not an integer"}),
      method("{ring_weights: {degree: -1}}", {"ring_weights.degree = -1"}),
      method("{ring_weights: {iterations: 1}}", {"unknown key 'iterations'"}),
      method("{jacobi: {weights: ring}}", {"analysis.method.jacobi lacks the key 'iterations'"}),
      method("{jacobi: {iterations: 1, weights: rings}}",
             {"jacobi.weights = rings is not valid: expected one of grid, ring"}),
      method("{jacobi: {iterations: 1}, ring_weights: {}}", {"analysis.method", "has 2 of"}),
      method("{cg: {tolerence: 1e-8}}", {"tolerence", "tolerance"}),
      method("{cg: {regularise: 0}}", {"method.cg.regularise = 0 is not positive"}),
      method("{cg: {regularise: -1}}", {"regularise = -1 is not positive"}),
      method("{cg: {regularise: none}}", {"regularise", "none"}),
      method("{cg: {regularise: {spectrum: cl.dat}}}", {"method.cg.regularise", "set spectrum_kind: dl if"}),
      method("{cg: {regularise: {spectra: cl.dat}}}",
             {"method.cg.regularise: unknown key 'spectra': did you mean 'spectrum'"}),
  });
}

TEST(ParseRefusals, WordsOfHealpyLeadToThoseOfArmilla) {
  expect_not_parsed({
      {analysis("lmax: 16, iter: 3"),
       {"job.yaml:5: steps[0].analysis: unknown key 'iter': this is a healpy name; the equivalent in Armilla is "
        "`method: {jacobi: {iterations: 3}}` of an analysis. Known: map, only, lmax"}},
      {"steps:\n  - map2alm: {map: sky, lmax: 16, out: a}\n",
       {"job.yaml:3: steps[0]: unknown key 'map2alm': this is a healpy name; the equivalent in Armilla is the step "
        "`analysis`. Known: "}},
      {analysis("lmax: 16", "map: sky.h5, pol: true"),
       {"inputs.sky: unknown key 'pol': this is a healpy name; the equivalent in Armilla is `fields: [T, Q, U]`"}},
  });
}

TEST(ParseRefusals, NumbersBeyondTheirRangeNameTheKey) {
  const std::string body =
      "inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n"
      "  - synthesis: {alm: a, grid: {healpix: {nside: 8}}, out: b}\noutputs:\n  b: {file: b.h5}\n";
  const std::vector<RefusedJob> jobs{
      {body, {"steps[0].analysis.lmax = 4611686018427387904"}, {"steps.0.analysis.lmax=4611686018427387904"}},
      {body, {std::string(200, '7') + "..."}, {"steps.0.analysis.lmax=" + std::string(10000, '7')}},
      {body, {"steps[0].analysis.lmax = 1073741824"}, {"steps.0.analysis.lmax=1073741824"}},
      {body, {"steps[0].analysis.lmax = 99999999999999999999999"}, {"steps.0.analysis.lmax=99999999999999999999999"}},
      {body,
       {"grid.healpix.nside = 9223372036854775807"},
       {"steps.1.synthesis.grid.healpix.nside=9223372036854775807"}},
      {body, {"grid.healpix.nside = -1"}, {"steps.1.synthesis.grid.healpix.nside=-1"}},
      {body, {"execution.threads = -9223372036854775808"}, {"execution.threads=-9223372036854775808"}},
      {body, {"the key has 30001 levels, but at most 64 are supported"}, {[] {
         std::string key = "a";
         for (int i = 0; i < 30000; ++i) key += ".0";
         return key + "=1";
       }()}},
  };
  expect_not_parsed(jobs);
  for (const RefusedJob& one : jobs) EXPECT_LT(parse_refusal(one).size(), 700u) << one.overrides[0].substr(0, 80);
}

TEST(ParseRefusals, VariablesThatCannotBeExpanded) {
  const Variables variables = [](const std::string& name) -> std::optional<std::string> {
    if (name == "ARMILLA_EMPTY") return "";
    return std::nullopt;
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"$ARMILLA_NO_SUCH/sky.h5", "variable ARMILLA_NO_SUCH, which is not set"},
      {"${ARMILLA_EMPTY}/sky.h5", "variable ARMILLA_EMPTY, which is empty"},
      {"${ARMILLA_EMPTY/sky.h5", "without a variable name"},
      {"~root/sky.h5", "home folder of another user"}};
  for (const auto& [path, part] : cases) {
    const std::string message = test::input_error([&] {
      parse_job("version: 1\n" + analysis("lmax: 8", "map: \"" + path + "\""), "job.yaml", {}, "", variables);
    });
    EXPECT_TRUE(contains(message, "job.yaml:3: inputs.sky.map = " + path + " "));
    EXPECT_TRUE(contains(message, part));
  }
}

TEST(ParseRefusals, StepsOnCoefficients) {
  expect_not_parsed({
      step("scale: {alm: a, factor: .nan, out: b}", {"scale.factor = .nan is not finite"}),
      step("scale: {alm: a, factor: two, out: b}", {"scale.factor = two is not a number"}),
      step("add: {alm: a, with: a, factors: [1], out: b}", {"factors", "is not a list of two numbers"}),
      step("multiply: {alm: a, by: {l_range: [7, 3]}, out: b}", {"l_range", "contains no l"}),
      step("multiply: {alm: a, by: {window: short.dat, l_range: [1, 2]}, out: b}", {"has 2 functions of l"}),
      step("multiply: {alm: a, by: {beam: 3}, out: b}", {"unknown key 'beam'"}),
      step("resize: {alm: a, lmax: 3, mmax: 4, out: b}", {"resize.mmax = 4 exceeds lmax = 3"}),
      step("rotate: {alm: a, euler_deg: [1, 2, 3], to: ecliptic, out: b}",
           {"to = ecliptic cannot be combined with euler_deg"}),
      step("rotate: {alm: a, euler_deg: [1, 2], out: b}",
           {"has 2 angles instead of three: expected [psi, theta, phi]"}),
      step("rotate: {alm: a, euler_deg: [1, .nan, 3], out: b}", {"euler_deg[1]"}),
      step("rotate: {alm: a, from: ecliptic, out: b}", {"has neither angles nor coordinates: set euler_deg"}),
      step("rotate: {alm: a, to: supergalactic, out: b}",
           {"to = supergalactic is not valid: expected one of galactic, ecliptic, equatorial"}),
      step("select: {fields: [T], out: b}", {"needs one of map and alm"}),
      step("compare: {alm: a, values: x, reference: a}", {"needs one of alm and values"}),
      {"inputs:\n  a: {alm: a.h5, convention: {norm: 3pi}}\noutputs:\n  a: {file: b.h5}\n",
       {"convention.norm = 3pi is not valid: expected one of orthonormal, 4pi"}},
  });
}

TEST(ParseRefusals, VectorFields) {
  expect_not_parsed({
      step("gradient: {alm: a, grid: {healpix: {nside: 4}}, radius_m: 0, out: b}",
           {"job.yaml:3: steps[0].gradient.radius_m = 0 is not a valid radius", "6371000"}),
      step("convert_vector: {alm: a, to: wind, radius_m: -1, out: b}",
           {"steps[0].convert_vector.radius_m = -1 is not a valid radius"}),
      step("gradient: {alm: a, grid: {healpix: {nside: 4}}, axes: up, out: b}",
           {"steps[0].gradient.axes", "theta_phi, east_north"}),
      step("convert_vector: {alm: a, to: breeze, out: b}",
           {"steps[0].convert_vector.to", "theta_phi, wind, vorticity_divergence, stream_potential"}),
      {analysis("lmax: 8", "map: sky.h5, fields: [{names: [U], spin: 1}]"),
       {"job.yaml:3: inputs.sky.fields", "has 1 names: a field of spin above 0 has two components"}},
      {analysis("lmax: 8", "map: sky.h5, fields: [{names: [U, V]}]"), {"inputs.sky.fields", "lacks the key 'spin'"}},
      {analysis("lmax: 8", "map: sky.h5, fields: [{names: [U, V], spin: -1}]"), {"inputs.sky.fields", "spin = -1"}},
      {analysis("lmax: 8", "map: sky.h5, fields: [{nam: T}]"),
       {"inputs.sky.fields", "unknown key 'nam': did you mean 'name'"}},
  });
}

TEST(ParseRefusals, Convolutions) {
  const auto convolve = [](const std::string& keys, std::vector<std::string> parts) {
    return step("convolve: {map: x, " + keys + "}", std::move(parts));
  };
  const std::string gaussian = "kernel: {gaussian: {fwhm_arcmin: 600}}, ";
  expect_not_parsed({
      convolve("kernel: {gaussian: {fwhm_arcmin: -3}}, out: y", {"fwhm_arcmin", "-3"}),
      convolve("kernel: {gaussian: {fwhm_arcmin: 600}, top_hat: {radius_deg: 1}}, out: y", {"kernel", "2 kernels"}),
      convolve("kernels: [{name: y, needlet: {scale: 2}}], out: z", {"out", "remove 'out'"}),
      convolve("kernel: {top_hat: {radius_deg: 200}}, out: y", {"radius_deg", "200"}),
      convolve(gaussian + "cutoff_deg: 200, out: y", {"cutoff_deg", "200"}),
      convolve(gaussian + "cutoff_error: 0, out: y", {"cutoff_error", "between 0 and 1"}),
      convolve(gaussian + "mode_error: 1, out: y", {"mode_error", "a number below 1"}),
      convolve("kernels: []", {"kernels", "is empty"}),
      convolve(gaussian + "kernel_evaluation: fast, out: y", {"kernel_evaluation", "interpolated"}),
      convolve("kernels: [{name: y, needlet: {scale: 2}}, {name: y, needlet: {scale: 3}}]", {"two kernels named 'y'"}),
  });
}

TEST(ParseRefusals, Lensing) {
  const std::string grid = "grid: {healpix: {nside: 8}}";
  expect_not_parsed({
      step("lens: {alm: a, potential: p, deflection: d, " + grid + ", out: b}", {"both potential and deflection"}),
      step("lens: {alm: a, " + grid + ", out: b}", {"neither potential nor deflection"}),
      step("lens: {alm: a, potential: p, " + grid + ", accuracy: fine, out: b}", {"accuracy", "fine"}),
      step("lens_adjoint: {map: m, lmax: 20, out: b}", {"lens_adjoint", "neither potential nor deflection"}),
      step("lens_adjoint: {map: m, potential: p, deflection: d, lmax: 20, out: b}", {"both potential and deflection"}),
      step("lens_adjoint: {map: m, deflection: d, lmax: 20, weights: ring, out: b}", {"weights", "ring"}),
      step("lens_adjoint: {map: m, deflection: d, lmax: 20, magnify: grid, out: b}", {"magnify", "grid"}),
      step("inverse_deflection: {lmax: 20, out: b}", {"inverse_deflection", "neither potential nor deflection"}),
      step("inverse_deflection: {potential: p, deflection: d, lmax: 20, out: b}", {"both potential and deflection"}),
  });
}

TEST(ParseRefusals, InputsOfPoints) {
  const auto points = [](const std::string& keys, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  p: {" + keys +
                          "}\nsteps:\n  - synthesis_at: {alm: a, points: p, out: b}\noutputs:\n  b: {file: b.h5}\n",
                      std::move(parts)};
  };
  expect_not_parsed({
      points("points: p.h5, spin: 2", {"inputs.p.spin", "does not apply to points"}),
      points("points: p.h5, polcconv: IAU", {"inputs.p.polcconv", "applies to maps and values only"}),
      points("points: p.h5, bad_data: zero", {"inputs.p.bad_data", "applies to maps only"}),
      points("points: p.h5, columns: [theta]", {"inputs.p.columns", "two columns"}),
      points("points: p.h5, lmax: 9", {"inputs.p.lmax", "applies to alm files only"}),
      points("points: p.h5, map: p.h5", {"inputs.p has the keys 'map' and 'points'", "keep only one"}),
      points("alm: a.h5, columns: [RA, DEC]", {"inputs.p.columns", "applies to maps, points, values and spectra only"}),
      step("analysis_at: {values: v, lmax: 20, method: {cg: {mask: w}}, out: b}", {"method", "the key 'weights'"}),
  });
}

TEST(ParseRefusals, BadDataAndExecution) {
  expect_not_parsed({
      {analysis("lmax: 16", "map: sky.h5, bad_data: mask"),
       {"bad_data = mask needs a name for the mask of good pixels"}},
      {analysis("lmax: 16", "map: sky.h5, bad_data: zero, good_pixels: good"),
       {"good_pixels = good requires bad_data: mask, which creates this mask"}},
      {analysis("lmax: 16") + "execution: {on_nonfinite: ignore}\n", {"execution.on_nonfinite", "error", "warn"}},
      {analysis("lmax: 16") + "execution: {on_bad_map: ignore}\n", {"on_bad_map"}},
      {analysis("lmax: 16") + "execution: {batch: 0}\n", {"execution.batch"}},
      {"outputs:\n  m: {file: m_{}.h5}\n", {"need quotes"}},
  });
}

// The jobs that tests/cli/test_discovery.py shows to config/job.schema.json.
TEST(ParseRefusals, WhatTheSchemaRefuses) {
  const std::string grid = ", out: m}\noutputs:\n  m: {file: m.h5}\n";
  expect_not_parsed({
      {"stepz: []\n", {"job.yaml:2: the job: unknown key 'stepz': did you mean 'steps'?"}},
      {analysis("lmax: 16", "map: sky.h5, alm: both.h5"), {"inputs.sky has the keys 'map' and 'alm'"}},
      {analysis("lmax: 16", "fields: [T]"),
       {"inputs.sky needs one of the keys 'map', 'alm', 'points', 'values', 'spectra' and 'table'"}},
      step("analisis: {}", {"steps[0]: unknown key 'analisis': did you mean 'analysis'?"}),
      {analysis("mmax: 16"), {"steps[0].analysis lacks the key 'lmax'"}},
      {analysis("lmax: -1"), {"steps[0].analysis.lmax = -1 is not an integer"}},
      {analysis("lmax: many"), {"steps[0].analysis.lmax = many is not an integer"}},
      {analysis("lmax: 16, method: jacobbi"), {"steps[0].analysis.method = jacobbi is not valid"}},
      {analysis("lmax: 16, method: {jacobi: {iterationz: 3}}"),
       {"method.jacobi: unknown key 'iterationz': did you mean 'iterations'?"}},
      {synthesis("{healpix: {nlat: 3}}"), {"steps[0].synthesis.grid.healpix: unknown key 'nlat'"}},
      {synthesis("\"healpixx:3\""), {"steps[0].synthesis.grid", "healpixx"}},
      {"inputs:\n  sky: {map: sky.h5}\noutputs:\n  sky: {}\n", {"outputs.sky lacks the key 'file'"}},
      {analysis("lmax: 16") + "execution: {backend: tpu}\n", {"execution.backend = tpu is not valid"}},
  });
}

}  // namespace
}  // namespace armilla::job
