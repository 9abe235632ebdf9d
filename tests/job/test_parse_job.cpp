#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/parts.hpp>

#include <optional>
#include <string>
#include <vector>

#include "error_message.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::contains;
using test::input_error;

const std::string kJob = R"(version: 1
inputs:
  sky: {map: maps/sky.fits, fields: [T, Q, U], bad_data: zero, remove_monopole: true}
  old: {alm: /data/old.h5, spin: 3, lmax: 20, mmax: 10}
steps:
  - analysis:
      map: sky
      lmax: 64
      method: {jacobi: {iterations: 3}}
      out: sky_alm
  - smooth:    {alm: sky_alm, fwhm_arcmin: 600, out: smooth_alm}
  - synthesis: {alm: smooth_alm, grid: {gauss: {nlat: 40, nphi: 81}}, out: smooth_map}
  - spectra:   {alm: sky_alm, with: smooth_alm, out: cl}
outputs:
  sky_alm:    {file: sky_alm.fits, precision: double}
  smooth_map: {file: out/smoothed.h5}
execution: {backend: cpu, engine: fast, theta_resampling: on, precision: single, threads: 2}
)";

JobSpec parse(const std::string& text, std::vector<std::string> overrides = {}) {
  return parse_job(text, "jobs/a.yaml", overrides);
}

template <class Step>
const Step& step(const JobSpec& job, std::size_t number) {
  return dynamic_cast<const Step&>(*job.steps[number].operation);
}

std::string refusal(const std::string& text, std::vector<std::string> overrides = {}) {
  return input_error([&] { parse(text, overrides); });
}

/// A job of one step, which stands in line 3.
std::string one_step(const std::string& step) { return "version: 1\nsteps:\n  - " + step + "\n"; }

TEST(ParseJob, PathsTakeVariablesAndTheHomeFolder) {
  const Variables variables = [](const std::string& name) -> std::optional<std::string> {
    if (name == "HOME") return "/home/me";
    if (name == "DATA_1") return "/data";
    if (name == "EMPTY") return "";
    return std::nullopt;
  };
  EXPECT_EQ(expand_path("a/~b.h5", variables), "a/~b.h5");
  EXPECT_EQ(expand_path("~", variables), "/home/me");
  EXPECT_EQ(expand_path("~/a.h5", variables), "/home/me/a.h5");
  EXPECT_EQ(expand_path("$DATA_1/${DATA_1}x$$y.h5", variables), "/data//datax$y.h5");
  const auto refused = [&](const std::string& path) { return input_error([&] { expand_path(path, variables); }); };
  EXPECT_TRUE(contains(refused("$NONE/a"), "variable NONE, which is not set"));
  EXPECT_TRUE(contains(refused("${EMPTY}/a"), "variable EMPTY, which is empty"));
  EXPECT_TRUE(contains(refused("~you/a"), "home folder of another user"));
  for (const char* path : {"a$", "${A", "${A-b}", "$1", "${}"})
    EXPECT_TRUE(contains(refused(path), "'$' without a variable name")) << path;
}

TEST(ParseJob, OutputsGoBelowTheirFolder) {
  const JobSpec job = parse_job(kJob, "jobs/a.yaml", {}, "runs/1");
  EXPECT_EQ(job.outputs[0].file, "runs/1/sky_alm.fits");
  EXPECT_EQ(job.outputs[1].file, "runs/1/out/smoothed.h5");
  EXPECT_EQ(job.inputs[0].file, "jobs/maps/sky.fits");
}

TEST(ParseJob, MapsThatMayBeLeftOutAreLimited) {
  const auto limit = [](const std::string& policy) {
    return parse(kJob, {"execution.on_bad_map=" + policy}).execution.bad_map_limit;
  };
  EXPECT_FALSE(limit("skip"));
  EXPECT_FALSE(limit("{skip: {at_most: 1%}}")->is_exceeded(10, 1000));
  EXPECT_TRUE(limit("{skip: {at_most: 1%}}")->is_exceeded(11, 1000));
  EXPECT_FALSE(limit("{skip: {at_most: 0.1%}}")->is_exceeded(3, 3000));
  EXPECT_TRUE(limit("{skip: {at_most: 1%}}")->is_exceeded(1, 99));
  EXPECT_FALSE(limit("{skip: {at_most: 3}}")->is_exceeded(3, 5));
  EXPECT_TRUE(limit("{skip: {at_most: 3}}")->is_exceeded(4, 5000));
  EXPECT_TRUE(limit("{skip: {at_most: 0}}")->is_exceeded(1, 5));
  for (const char* value : {"-1", "101%", "1.5", "x", "'%'", "nan", "[1]"})
    EXPECT_TRUE(contains(refusal(kJob, {fmt::format("execution.on_bad_map={{skip: {{at_most: {}}}}}", value)}),
                         "such as 5 or 1%"))
        << value;
  EXPECT_TRUE(contains(refusal(kJob, {"execution.on_bad_map={stop: {at_most: 1}}"}), "unknown key 'stop'"));
}

TEST(ParseJob, MethodsOfAnalysisHaveWeightsAndASolver) {
  using ops::WeightKind;
  const auto method = [](const std::string& text) {
    return step<steps::Analysis>(parse(one_step("analysis: {map: m, lmax: 4, method: " + text + ", out: a}")), 0)
        .method.method;
  };
  const auto weights = [&](const std::string& text) { return method(text).weights; };
  EXPECT_EQ(weights("quadrature"), (ops::WeightsSpec{WeightKind::kGrid, {}}));
  EXPECT_EQ(weights("ring_weights"), (ops::WeightsSpec{WeightKind::kRing, {}}));
  EXPECT_EQ(weights("{ring_weights: {degree: 100}}"), (ops::WeightsSpec{WeightKind::kRing, 100}));
  EXPECT_EQ(weights("{pixel_weights: {degree: 0}}"), (ops::WeightsSpec{WeightKind::kPixel, 0}));
  EXPECT_EQ(weights("{jacobi: {iterations: 3}}"), (ops::WeightsSpec{WeightKind::kGrid, {}}));
  EXPECT_EQ(weights("{jacobi: {iterations: 3, weights: pixel}}"), (ops::WeightsSpec{WeightKind::kPixel, {}}));
  EXPECT_EQ(weights("{jacobi: {iterations: 3, weights: {ring: {degree: 9}}}}"),
            (ops::WeightsSpec{WeightKind::kRing, 9}));
  EXPECT_EQ(method("ring_weights").transforms(), 1);
  EXPECT_EQ(method("{jacobi: {iterations: 3, weights: ring}}").transforms(), 7);
}

TEST(ParseJob, EveryKeyArrives) {
  const JobSpec job = parse(kJob);
  ASSERT_EQ(job.inputs.size(), 2u);
  EXPECT_EQ(job.inputs[0].file, "jobs/maps/sky.fits");
  EXPECT_EQ(job.inputs[0].bad_data, io::BadDataPolicy::kZero);
  EXPECT_EQ(job.inputs[0].monopole, Monopole::kRemove);
  EXPECT_EQ(job.inputs[1].monopole, Monopole::kKeep);
  EXPECT_EQ(job.inputs[0].fields.names, (std::vector<std::string>{"T", "Q", "U"}));
  EXPECT_EQ(job.inputs[1].file, "/data/old.h5");
  EXPECT_EQ(job.inputs[1].fields.spin, 3);
  EXPECT_EQ(job.inputs[1].lmax, 20);
  EXPECT_EQ(job.inputs[1].mmax, 10);
  ASSERT_EQ(job.steps.size(), 4u);
  const auto& analysis = step<steps::Analysis>(job, 0);
  EXPECT_EQ(job.steps[0].place.path, "steps[0].analysis");
  EXPECT_EQ(analysis.limits->lmax, 64);
  EXPECT_EQ(analysis.limits->mmax, 64);
  EXPECT_EQ(std::get<ops::Jacobi>(analysis.method.method.solver).iterations, 3);
  EXPECT_EQ(analysis.aliasing, steps::Analysis::Aliasing::kRefuse);
  const auto& synthesis = step<steps::Synthesis>(job, 2);
  EXPECT_EQ(synthesis.onto->description.kind, "gauss");
  EXPECT_EQ(synthesis.onto->description.nlat, 40);
  EXPECT_EQ(synthesis.onto->description.nphi, 81);
  EXPECT_EQ(job.steps[3].operation->operands()[1].name, "smooth_alm");
  EXPECT_EQ(job.outputs[0].precision, core::Precision::kDouble);
  EXPECT_EQ(job.outputs[1].precision, core::Precision::kSingle);
  EXPECT_EQ(job.outputs[1].file, "jobs/out/smoothed.h5");
  EXPECT_EQ(job.execution.threads, 2);
  EXPECT_EQ(job.execution.options.engine, "fast");
  EXPECT_EQ(job.execution.options.theta_resampling, backend::ThetaResampling::kOn);
}

TEST(ParseJob, EveryGridTakesAPartOfTheSky) {
  const auto selection = [](const std::string& grid) {
    const JobSpec job = parse(one_step("synthesis: {alm: a, grid: " + grid + ", out: m}"));
    return step<steps::Synthesis>(job, 0).onto->selection;
  };
  for (const std::string grid : {"healpix: {nside: 8", "gauss: {nlat: 16", "reduced_gauss: {nlat: 64",
                                 "octahedral: {nlat: 16", "equiangular: {rule: cc, nlat: 9", "rings: {file: r.h5"}) {
    EXPECT_TRUE(selection("{" + grid + "}}").selects_all());
    EXPECT_EQ(selection("{" + grid + ", rings: [3, [5, 9], 4]}}").rings,
              (std::vector<grid::RingRange>{{3, 3}, {5, 9}, {4, 4}}));
    const auto band = selection("{" + grid + ", theta_deg: [60, 90.0]}}").theta;
    ASSERT_TRUE(band);
    EXPECT_NEAR(band->first, core::kPi / 3, 1e-15);
    EXPECT_EQ(band->last, core::kPi / 2);
  }
  const auto refused = [](const std::string& part) {
    return refusal(one_step("synthesis: {alm: a, grid: {healpix: {nside: 8, " + part + "}}, out: m}"));
  };
  EXPECT_TRUE(contains(refused("rings: []"), "steps[0].synthesis.grid.healpix.rings (a list) is empty"));
  EXPECT_TRUE(contains(refused("rings: 5"), "grid.healpix.rings = 5 is not a list"));
  EXPECT_TRUE(
      contains(refused("rings: [[1, 2, 3]]"), "rings[0] (a list) is not a range of rings: expected [first, last]"));
  EXPECT_TRUE(contains(refused("rings: [-1]"), "rings[0] = -1 is not an integer"));
  EXPECT_TRUE(contains(refused("theta_deg: [1]"), "theta_deg (a list) is not a range of colatitudes"));
  EXPECT_TRUE(contains(refused("theta_deg: [a, b]"), "theta_deg[0] = a is not a number"));
  EXPECT_TRUE(contains(refused("theta: [1, 2]"), "unknown key 'theta': did you mean 'theta_deg'?"));
}

TEST(ParseJob, ThetaResamplingIsLeftToTheCostModelUnlessSaid) {
  using enum backend::ThetaResampling;
  const std::string step = one_step("smooth: {alm: a, fwhm_arcmin: 1, out: b}");
  EXPECT_EQ(parse(step).execution.options.theta_resampling, kAuto);
  EXPECT_EQ(parse(step, {"execution.theta_resampling=auto"}).execution.options.theta_resampling, kAuto);
  EXPECT_EQ(parse(step, {"execution.theta_resampling=on"}).execution.options.theta_resampling, kOn);
  EXPECT_EQ(parse(step, {"execution.theta_resampling=off"}).execution.options.theta_resampling, kOff);
}

TEST(ParseJob, OverridesReplaceAndAdd) {
  const JobSpec job = parse(
      kJob, {"steps.0.analysis.lmax=128", "steps.0.analysis.mmax=100", "steps.2.synthesis.grid={healpix: {nside: 16}}",
             "inputs.sky.fields=[T]", "outputs.sky_alm.file=/elsewhere/a.h5"});
  EXPECT_EQ(step<steps::Analysis>(job, 0).limits->lmax, 128);
  EXPECT_EQ(step<steps::Analysis>(job, 0).limits->mmax, 100);
  EXPECT_EQ(step<steps::Synthesis>(job, 2).onto->description.nside, 16);
  EXPECT_EQ(job.inputs[0].fields.names, std::vector<std::string>{"T"});
  EXPECT_EQ(job.outputs[0].file, "/elsewhere/a.h5");
}

TEST(ParseJob, OverridesMakeSectionsThatAreKnown) {
  const JobSpec job = parse(one_step("smooth: {alm: a, fwhm_arcmin: 1, out: b}"), {"execution.precision=single"});
  EXPECT_EQ(job.execution.precision, core::Precision::kSingle);
}

TEST(ParseJob, OverridesThatLeadNowhereAreRefused) {
  EXPECT_TRUE(
      contains(refusal(kJob, {"steps.7.analysis.lmax=1"}), "--set steps.7.analysis.lmax=1: 'steps' has items 0 .. 3"));
  EXPECT_TRUE(contains(refusal(kJob, {"steps.first=1"}), "no item 'first'"));
  EXPECT_TRUE(contains(refusal(kJob, {"steps.0.analysis.lmx=1"}),
                       "--set steps.0.analysis.lmx=1: steps[0].analysis: unknown key 'lmx': did you mean 'lmax'?"));
  EXPECT_TRUE(contains(refusal(kJob, {"exection.precision=single"}), "did you mean 'execution'?"));
  EXPECT_TRUE(contains(refusal(kJob, {"version.x=1"}), "'version' is '1' and has no key 'x'"));
  EXPECT_TRUE(contains(refusal(kJob, {"lmax"}), "expected KEY.PATH=VALUE"));
  EXPECT_TRUE(contains(refusal(kJob, {"steps.0.analysis.lmax=big"}),
                       "--set steps.0.analysis.lmax=big: steps[0].analysis.lmax = big is not an integer"));
  EXPECT_TRUE(contains(refusal(kJob, {"steps.0.analysis.lmax={a"}), "the value is not YAML"));
}

TEST(ParseJob, UnknownKeysNameTheNearest) {
  EXPECT_TRUE(
      contains(refusal("version: 1\nstep: []\n"), "jobs/a.yaml:2: the job: unknown key 'step': did you mean 'steps'?"));
  EXPECT_TRUE(
      contains(refusal(one_step("analisys: {}")), "steps[0]: unknown key 'analisys': did you mean 'analysis'?"));
  EXPECT_TRUE(contains(refusal(one_step("smooth: {alm: a, fwhm: 1, out: b}")),
                       "jobs/a.yaml:3: steps[0].smooth: unknown key 'fwhm': this is a healpy name; the equivalent in "
                       "Armilla is `fwhm_arcmin`"));
  EXPECT_TRUE(contains(refusal(one_step("synthesis: {alm: a, grid: {helpix: {nside: 4}}, out: b}")),
                       "steps[0].synthesis.grid: unknown key 'helpix': did you mean 'healpix'?"));
  EXPECT_TRUE(contains(refusal(one_step("synthesis: {alm: a, grid: {healpix: {nsides: 4}}, out: b}")),
                       "did you mean 'nside'?"));
}

TEST(ParseJob, WrongTypesNameFileLineKeyValueAndExpectation) {
  EXPECT_TRUE(contains(refusal(one_step("adjoint_synthesis: {map: a, lmax: many, out: b}")),
                       "jobs/a.yaml:3: steps[0].adjoint_synthesis.lmax = many is not an integer in 0 .. 1048576"));
  EXPECT_TRUE(
      contains(refusal(one_step("adjoint_synthesis: {map: a, lmax: 12.5, out: b}")), "= 12.5 is not an integer"));
  EXPECT_TRUE(contains(refusal(one_step("adjoint_synthesis: {map: a, lmax: -1, out: b}")), "= -1 is not an integer"));
  EXPECT_TRUE(contains(refusal(one_step("adjoint_synthesis: {map: a, lmax: [3], out: b}")), "lmax (a list) is not"));
  EXPECT_TRUE(contains(refusal(one_step("smooth: {alm: a, fwhm_arcmin: wide, out: b}")), "= wide is not a number"));
  EXPECT_TRUE(contains(refusal(one_step("smooth: {alm: a, fwhm_arcmin: -3, out: b}")), "= -3 is outside"));
  EXPECT_TRUE(contains(refusal(one_step("analysis: {map: a, lmax: 3, allow_aliasing: perhaps, out: b}")),
                       "allow_aliasing = perhaps is neither true nor false"));
  EXPECT_TRUE(contains(refusal(one_step("analysis: {map: a, lmax: 3, method: magic, out: b}")),
                       "method = magic is not valid: expected one of quadrature, ring_weights"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: 5\n"), "jobs/a.yaml:2: steps = 5 is not a list"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\ninputs: [a]\n"), "inputs (a list) is not a section"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\noutputs:\n  a: {file: a.h5, precision: half}\n"),
                       "jobs/a.yaml:4: outputs.a.precision = half is not valid: expected one of single, double"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\nexecution: {theta_resampling: perhaps}\n"),
                       "execution.theta_resampling = perhaps is not valid: expected one of auto, on, off"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\nexecution: {theta_resample: on}\n"),
                       "did you mean 'theta_resampling'?"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\nexecution: {backend: gpu}\n"),
                       "= gpu is not valid: expected one of auto, cuda, cpu"));
}

TEST(ParseJob, MissingKeysAreNamed) {
  EXPECT_TRUE(contains(refusal("steps: []\n"), "the job lacks the key 'version'"));
  EXPECT_TRUE(contains(refusal("version: 2\nsteps: []\n"), "version = 2 is not supported"));
  EXPECT_TRUE(contains(refusal("version: 1\n"), "nothing to do"));
  EXPECT_TRUE(contains(refusal(one_step("synthesis: {alm: a, out: b}")), "steps[0].synthesis lacks the key 'grid'"));
  EXPECT_TRUE(contains(refusal(one_step("synthesis: {alm: a, grid: {healpix: {}}, out: b}")),
                       "steps[0].synthesis.grid.healpix lacks the key 'nside'"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\ninputs:\n  a: {fields: [T]}\n"),
                       "needs one of the keys 'map', 'alm', 'points', 'values', 'spectra' and 'table'"));
  EXPECT_TRUE(contains(refusal(one_step("random_alm: {spectrum: cl.dat, fields: [T], lmax: 4, out: a}")),
                       "set spectrum_kind: dl if"));
  EXPECT_TRUE(contains(refusal(one_step("random_alm: {spectrum: cl.fits, lmax: 4, out: a}")), "lacks fields: use [T]"));
}

TEST(ParseJob, ContradictionsAreRefused) {
  EXPECT_TRUE(
      contains(refusal(one_step("analysis: {map: a, lmax: 10, mmax: 11, out: b}")), "mmax = 11 exceeds lmax = 10"));
  EXPECT_TRUE(contains(refusal(one_step("{smooth: {alm: a, fwhm_arcmin: 1, out: b}, spectra: {alm: a, out: c}}")),
                       "steps[0] has 2 operations"));
  EXPECT_TRUE(contains(refusal(one_step("smooth: {alm: a, alm: b, fwhm_arcmin: 1, out: c}")),
                       "steps[0].smooth.alm appears twice"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\ninputs:\n  a: {map: a.h5}\n  a: {map: b.h5}\n"),
                       "jobs/a.yaml:5: inputs.a appears twice"));
  EXPECT_TRUE(
      contains(refusal("version: 1\nsteps: []\ninputs:\n  a: {map: a.h5, lmax: 3}\n"), "applies to alm files only"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\ninputs:\n  a: {alm: a.h5, fields: [E], spin: 2}\n"),
                       "inputs.a.spin = 2 applies to the last two names of 'fields', but there is only one"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\ninputs:\n  a: {alm: a.h5, fields: [{name: E}, B], spin: 2}\n"),
                       "contradicts the spin given in 'fields'"));
  EXPECT_TRUE(
      contains(refusal(one_step("random_alm: {spectrum: cl.fits, spectrum_kind: dl, fields: [T], lmax: 4, out: a}")),
               "spectrum_kind = dl cannot be used with FITS or HDF5 files"));
}

/// The parts of the InputError that this job raises, as "where|section|key|value".
std::string parts_of(const std::string& text, std::vector<std::string> overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const core::InputError& error) {
    if (!error.context()) return "no parts";
    const core::ErrorContext& parts = *error.context();
    return fmt::format("{}|{}|{}|{}", parts.where, parts.section, parts.key, parts.value.value_or("-"));
  }
  return "no error";
}

TEST(ParseJob, ErrorsHaveTheSectionAndTheKeyApart) {
  EXPECT_EQ(parts_of(one_step("analysis: {map: a, lmax: -1, out: b}")), "jobs/a.yaml:3|steps[0].analysis|lmax|-1");
  EXPECT_EQ(parts_of(one_step("analysis: {map: a, lmax: 3, method: {cg: {tolerance: 2}}, out: b}")),
            "jobs/a.yaml:3|steps[0].analysis|method.cg.tolerance|2");
  EXPECT_EQ(parts_of(one_step("synthesis: {alm: a, grid: {healpix: {nside: 1, rings: [x]}}, out: b}")),
            "jobs/a.yaml:3|steps[0].synthesis|grid.healpix.rings[0]|x");
  EXPECT_EQ(parts_of(one_step("scale: {alm: a, out: b}")), "jobs/a.yaml:3|steps[0].scale||-");
  EXPECT_EQ(parts_of(one_step("{}")), "jobs/a.yaml:3||steps[0]|-");
  EXPECT_EQ(parts_of(one_step("scale: {alm: a, factor: [1], out: b}")), "jobs/a.yaml:3|steps[0].scale|factor|-");
  const std::string input = "version: 1\nsteps: []\ninputs:\n  my.map: {map: a.h5, fields: {a: T}}\n";
  EXPECT_EQ(parts_of(input), "jobs/a.yaml:4|inputs.my.map|fields|-");
  EXPECT_EQ(parts_of(one_step("scale: {alm: a, factor: 1, out: b}"), {"execution.threads=0"}),
            "--set execution.threads=0|execution|threads|0");
  EXPECT_EQ(parts_of("version: 2\n"), "jobs/a.yaml:1||version|2");
  EXPECT_EQ(parts_of("wrong: 1\n"), "jobs/a.yaml:1|the job||-");
  EXPECT_EQ(parts_of("- a\n"), "jobs/a.yaml|||-");
}

// Outputs must not overwrite them.
TEST(ParseJob, StepsNameEveryFileThatTheyRead) {
  const auto files = [](const std::string& step) {
    std::vector<std::string> paths;
    const JobSpec job = parse(one_step(step));
    for (const InputSpec& input : job.inputs) paths.push_back(input.file);
    for (const StepSpec& one : job.steps)
      for (const FileSpec& file : one.operation->files()) paths.push_back(file.path);
    return paths;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(files("multiply: {alm: a, by: {window: beam.fits}, out: b}"), Paths{"jobs/beam.fits"});
  EXPECT_EQ(files("multiply: {alm: a, by: {l_range: [0, 3]}, out: b}"), Paths{});
  EXPECT_EQ(files("random_alm: {spectrum: cl.fits, fields: [T], lmax: 4, out: a}"), Paths{"jobs/cl.fits"});
  EXPECT_EQ(files("synthesis: {alm: a, grid: {rings: {file: rings.h5}}, out: b}"), Paths{"jobs/rings.h5"});
  EXPECT_EQ(files("regrid: {map: a, grid: {rings: {file: rings.h5}}, out: b}"), Paths{"jobs/rings.h5"});
}

TEST(ParseJob, TextThatIsNotYamlNamesTheLine) {
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: [\n"), "jobs/a.yaml:3: not YAML"));
  EXPECT_TRUE(
      contains(refusal("version: 1\nsteps:\n\t- a: 1\n"), "jobs/a.yaml:3: not YAML: the line is indented with a tab"));
  EXPECT_TRUE(contains(refusal("version: 1\nsteps: []\ninputs:\n  a: {map: a.h5, alm: b.h5}\n"),
                       "has the keys 'map' and 'alm'"));
  EXPECT_TRUE(contains(refusal("just words"), "not a job: expected a YAML section"));
  EXPECT_TRUE(contains(refusal("version: 1\ninputs: {a: {map: ''}}\n"),
                       "2: inputs.a.map is an empty string: expected a name or a path"));
  EXPECT_TRUE(contains(refusal(""), "the file is empty"));
}

TEST(ParseJob, AliasesThatDoNotEndAreRefused) {
  for (const char* text : {"version: 1\ninputs: &a {x: *a}\n", "version: 1\nsteps: &a [*a]\n"}) {
    std::string said;
    try {
      parse_job(text, "job.yaml");
    } catch (const core::InputError& error) {
      said = error.what();
    }
    EXPECT_TRUE(contains(said, "job.yaml: sections are nested more than 64 levels deep")) << text;
  }
  std::string laugh = "version: 1\ninputs:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    laugh += fmt::format("  a{0}: &a{0} [*a{1}", i, i - 1);
    for (int j = 1; j < 10; ++j) laugh += fmt::format(", *a{}", i - 1);
    laugh += "]\n";
  }
  EXPECT_THROW(parse_job(laugh, "job.yaml"), core::InputError);
}

}  // namespace
}  // namespace armilla::job
