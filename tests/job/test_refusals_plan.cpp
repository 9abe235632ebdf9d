// Jobs that are refused by the plan of a step.
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace armilla::job {
namespace {

using test::analysis;
using test::expect_refused;
using test::RefusedJob;
using test::synthesis;

/// sky.h5, a map T, Q, U of nside 8, t.h5, one of T, and alm.h5, coefficients of T to lmax 8.
class PlanRefusals : public testing::Test {
 protected:
  PlanRefusals() {
    folder_.map("sky.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
    folder_.map("t.h5", grid::make_healpix(8), {"T"}, 1);
    folder_.alm("alm.h5", 8, 8, {"T"});
    folder_.spectra("dl.dat");
  }

  /// Rings with or without weights.
  void rings(const std::string& file, const std::vector<double>& weight) const {
    test::JobFolder::Columns columns{
        {"theta", {0.5, 1.0, 1.5, 2.0}}, {"phi0", {0.0, 0.1, 0.2, 0.3}}, {"nphi", {4, 8, 16, 8}}};
    if (!weight.empty()) columns.emplace_back("weight", weight);
    folder_.columns(file, "grid", columns);
  }

  /// A synthesis of the coefficients in line 5 and an analysis with these keys in line 6.
  static std::string round_trip(const std::string& grid, const std::string& keys) {
    return "inputs:\n  a: {alm: alm.h5}\nsteps:\n  - synthesis: {alm: a, grid: " + grid +
           ", out: m}\n  - analysis: {map: m, " + keys + ", out: b}\noutputs:\n  m: {file: m.h5}\n";
  }

  test::JobFolder folder_;
};

/// While alive, this process cannot allocate more than `bytes`; without effect under sanitizers, which reserve a large
/// address space.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(rlim_t bytes) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    setrlimit(RLIMIT_AS, &limit);
#endif
  }
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(PlanRefusals, DegreesOfWeights) {
  const auto method = [](const std::string& text, std::vector<std::string> parts) {
    parts.emplace_back("job.yaml:5: steps[0].");
    return RefusedJob{analysis("lmax: 16, method: " + text), std::move(parts)};
  };
  expect_refused(
      folder_, {
                   method("{jacobi: {iterations: 1, weights: {pixel: {degree: 40}}}}", {"degree = 40 is out of range"}),
                   method("{ring_weights: {degree: 29}}",
                          {"analysis.method: degree = 29 is out of range: ring weights of nside 8 "
                           "can be exact up to degree 28"}),
                   method("{pixel_weights: {degree: 25}}",
                          {"analysis.method: degree = 25 is out of range: pixel weights of nside "
                           "8 can be exact up to degree 24"}),
               });
}

TEST_F(PlanRefusals, WeightsThatAGridDoesNotHave) {
  const auto on_gauss = [](const std::string& method, const std::string& kinds) {
    return RefusedJob{
        round_trip("{gauss: {nlat: 10}}", "lmax: 8, method: " + method),
        {"job.yaml:6: steps[1].analysis.method: ",
         "weights require a full-sky " + kinds + ", but this one is on gauss 10 x 20: use the weights of the grid"}};
  };
  rings("rings.h5", {});
  expect_refused(
      folder_,
      {
          on_gauss("ring_weights", "HEALPix or equiangular map"),
          on_gauss("pixel_weights", "HEALPix map"),
          on_gauss("{jacobi: {iterations: 1, weights: ring}}", "HEALPix or equiangular map"),
          {round_trip("{equiangular: {rule: cc, nlat: 33}}", "lmax: 20, method: ring_weights"),
           {"job.yaml:6: steps[1].analysis.method: ", "only up to lmax = 16, not 20: use quadrature"}},
          {round_trip("{rings: {file: rings.h5}}", "lmax: 3"),
           {"job.yaml:6: steps[1].analysis.map = m is on rings of", "rings.h5",
            "has no quadrature weights: add the dataset 'weight' to its file, or use adjoint_synthesis or the method "
            "cg"}},
          {round_trip("{healpix: {nside: 8, theta_deg: [0, 90]}}", "lmax: 3"),
           {"job.yaml:6: steps[1].analysis.map = m covers only part of the sky (healpix nside 8, rings 0-15)",
            "use adjoint_synthesis, or supply your own weights in a rings file"}},
          {"inputs:\n  a: {alm: alm.h5}\nsteps:\n  - adjoint_analysis: {alm: a, grid: {rings: {file: rings.h5}}, out: "
           "m}\noutputs:\n  m: {file: m.h5}\n",
           {"steps[0].adjoint_analysis.grid = ", "rings.h5", "has no quadrature weights"}},
          {"inputs:\n  a: {alm: alm.h5}\nsteps:\n  - synthesis: {alm: a, grid: {rings: {file: rings.h5}}, out: x}\n"
           "  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 1200}}, out: y}\noutputs:\n  y: {file: y.h5}\n",
           {"weights", "none"}},
      });
}

TEST_F(PlanRefusals, GridsThatCannotCarryTheLmax) {
  rings("rings.h5", {1, 2, 3, 4});
  const auto on = [](const std::string& grid, int lmax, const std::string& rule) {
    return RefusedJob{round_trip(grid, "lmax: " + std::to_string(lmax)),
                      {"job.yaml:6: steps[1].analysis.", rule, "of map 'm' (aliased): lower"}};
  };
  expect_refused(folder_, {
                              on("{rings: {file: rings.h5}}", 4, "the number of rings - 1 = 3"),
                              on("{gauss: {nlat: 4}}", 4, "nlat - 1 = 3"),
                              on("{gauss: {nlat: 8, nphi: 5}}", 3, "mmax = 3 exceeds (nphi - 1) / 2 = 2"),
                              on("{reduced_gauss: {nlat: 4}}", 4, "nlat - 1 = 3"),
                              on("{octahedral: {nlat: 4}}", 4, "nlat - 1 = 3"),
                          });
}

TEST_F(PlanRefusals, GridsThatCannotBe) {
  rings("rings.h5", {1, 2, 3, 4});
  const auto on = [](const std::string& grid, const std::string& part) {
    return RefusedJob{synthesis(grid), {"job.yaml:5: steps[0].synthesis.grid", part}};
  };
  expect_refused(
      folder_,
      {
          on("{healpix: {nside: 8, rings: [[3, 31]]}}",
             "ring 31 does not exist on healpix nside 8: its rings are 0 .. 30"),
          on("{rings: {file: rings.h5, theta_deg: [150, 180]}}", "no ring of rings of"),
          on("{healpix: {nside: 8, rings: [[5, 3]]}}",
             "rings = [5, 3]: the first ring of a range must not exceed the last"),
          on("{healpix: {nside: 8, theta_deg: [60, 30]}}", "colatitude 60 .. 30 degrees is not a valid range"),
          on("{gauss: {nlat: 9, theta_deg: [0, 2]}}", "no ring of gauss 9 x 18 is at colatitude 0 .. 2 degrees"),
          on("{gauss: {nlat: 0}}", "nlat = 0 is not an integer in 1"),
          on("{gauss: {nlat: 8, nphi: 0}}", "nphi = 0 is not an integer in 1"),
          on("{healpix: {nside: 8}, gauss: {nlat: 9}}", "has 2 grids"),
          on("{healpix: {nside: 600000000}}", "nside = 600000000 is out of range"),
      });
}

TEST_F(PlanRefusals, GridsAreSizedBeforeTheyAreMade) {
  const AddressSpaceLimit limit(rlim_t{128} << 20);
  const auto on = [](const std::string& grid, const std::string& key) {
    return RefusedJob{synthesis(grid), {"job.yaml:5: steps[0].synthesis.grid", key, "rings"}};
  };
  expect_refused(folder_, {
                              on("{gauss: {nlat: 4000000}}", "gauss.nlat = 4000000"),
                              on("{reduced_gauss: {nlat: 4000000}}", "reduced_gauss.nlat = 4000000"),
                              on("{octahedral: {nlat: 4000000}}", "octahedral.nlat = 4000000"),
                              on("{equiangular: {rule: f1, nlat: 4000000}}", "equiangular.nlat = 4000000"),
                              on("{healpix: {nside: 16777216}}", "healpix.nside = 16777216"),
                              on("{healpix: {nside: 16777216, theta_deg: [1, 179]}}", "healpix.nside = 16777216"),
                              on("{healpix: {nside: 536870912}}",
                                 "nside = 536870912 results in 2147483647 rings, but at most 1048576 are supported"),
                          });
}

TEST_F(PlanRefusals, StepsOnCoefficients) {
  folder_.alm("a.h5", 12, 12, {"T"});
  folder_.attribute("a.h5", "alm", "UNITS", "uK");
  folder_.attribute("a.h5", "alm", "COORDSYS", "G");
  folder_.alm("kelvin.h5", 12, 12, {"T"});
  folder_.attribute("kelvin.h5", "alm", "UNITS", "K");
  folder_.alm("small.h5", 5, 5, {"T"});
  folder_.alm("polar.h5", 12, 12, {"E", "B"});
  folder_.alm("narrow.h5", 12, 3, {"T"});
  folder_.alm("nowhere.h5", 12, 12, {"T"});
  folder_.text("short.dat", "# L T\n0 1\n1 1\n2 1\n3 1\n4 1\n");
  std::string two = "# L T TT\n";
  for (int l = 0; l < 20; ++l) two += std::to_string(l) + " 1 1\n";
  folder_.text("two.dat", two);
  folder_.text("endless.dat", "# L T\n0 1\n1 1\n2 inf\n3 1\n");
  const auto step = [](const std::string& text, std::vector<std::string> parts) {
    return RefusedJob{
        "inputs:\n  a: {alm: a.h5}\n  kelvin: {alm: kelvin.h5}\n  small: {alm: small.h5}\n"
        "  polar: {alm: polar.h5}\n  narrow: {alm: narrow.h5}\n  nowhere: {alm: nowhere.h5}\n"
        "  sky: {map: sky.h5}\nsteps:\n  - " +
            text + "\n",
        std::move(parts)};
  };
  expect_refused(
      folder_,
      {
          step("add: {alm: a, with: small, out: b}",
               {"add.with = small has lmax 5, mmax 5, but 'a' has lmax 12, mmax 12: make them equal"}),
          step("add: {alm: a, with: kelvin, units: m, out: b}",
               {"add.alm = a has the units", "but the sum has the units m, and there is no known conversion"}),
          step("scale: {alm: kelvin, units: m, out: b}", {"scale.units = m cannot be converted from K, the unit of"}),
          step("scale: {alm: kelvin, out: b}", {"needs factor, a number, or units, to which it converts"}),
          step("multiply: {map: sky, out: b}", {"lacks with: name the map to multiply with"}),
          step("multiply: {map: sky, with: sky, by: {l_range: [0, 3]}, out: b}", {"by", "applies to alm only"}),
          step("add: {map: sky, with: a, out: b}", {"add.with = a is of type 'alm', but 'map' is needed here"}),
          step("add: {alm: a, with: polar, out: b}", {"add.with = polar has the fields E, B"}),
          step("multiply: {alm: a, by: {window: short.dat}, out: b}",
               {"by.window = ", "short.dat ends at l = 4", "lmax = 12"}),
          step("multiply: {alm: polar, by: {window: two.dat}, out: b}", {"has the columns T, TT, but none for E"}),
          step("multiply: {alm: a, by: {window: none.dat}, out: b}", {"multiply.by.window", "none.dat"}),
          step("multiply: {alm: a, by: {window: endless.dat}, out: b}", {"multiply.by.window", "endless.dat", "l = 2"}),
          step("rotate: {alm: a, from: ecliptic, to: equatorial, out: b}",
               {"from = ecliptic contradicts COORDSYS = G of 'a' (galactic): remove from, or correct the file"}),
          step("rotate: {alm: narrow, euler_deg: [1, 2, 3], out: b}",
               {"alm = narrow has mmax = 3 below lmax = 12, but rotated coefficients have all m: use alm with mmax = "
                "lmax"}),
          step("rotate: {alm: nowhere, to: ecliptic, out: b}",
               {"alm = nowhere does not specify its coordinates (COORDSYS)"}),
          step("select: {map: sky, fields: [X], out: b}",
               {"select.fields = [X] of 'sky' contains X, which is not one of T, Q, U"}),
          step("analysis: {map: sky, only: [Q], lmax: 8, out: b}",
               {"analysis.only = [Q] of the alm of 'sky' contains Q, which is not one of T, E, B"}),
          step("analysis: {map: sky, only: [E], lmax: 8, out: e}\n  - synthesis: {alm: e, only: [B], grid: {healpix: "
               "{nside: 8}}, out: b}",
               {"synthesis.only = [B] of 'e' contains B"}),
      });
}

TEST_F(PlanRefusals, VectorFields) {
  folder_.map("air.h5", grid::make_healpix(4), {"T", "U", "V"}, 3);
  const auto step = [](const std::string& text, const std::string& fields, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  air: {map: air.h5, fields: [" + fields +
                          "]}\nsteps:\n  - analysis: {map: air, lmax: 8, out: a}\n  - " + text +
                          "\noutputs:\n  b: {file: b.h5}\n",
                      std::move(parts)};
  };
  expect_refused(
      folder_,
      {
          step("gradient: {alm: a, grid: {healpix: {nside: 4}}, out: b}", "T, {names: [U, V], spin: 1}",
               {"job.yaml:6: steps[1].gradient.alm = a has the fields T, E_U, B_V",
                "spin 1: only scalars have a gradient"}),
          step("convert_vector: {alm: a, to: wind, out: b}", "T",
               {"steps[1].convert_vector.alm = a has the fields T, none of which has the name of a vector field: set "
                "from"}),
          step("analysis: {map: air, lmax: 8, out: b}", "{names: [U, V], spin: 9}",
               {"lmax = 8 is below the spin = 9 of the fields U, V, which have no degrees l < 9: raise lmax"}),
          step("convert_vector: {alm: a, from: wind, to: stream_potential, out: b}", "T",
               {"has the fields T, which are not wind: expected two components of spin 1"}),
          step("convert_vector: {alm: a, from: stream_potential, to: wind, out: b}", "{name: T}, {name: U}, {name: V}",
               {"has the fields T, U, V, and more than one pair of them can be stream_potential: name the intended "
                "pair STREAM, POTENTIAL"}),
          step("adjoint_gradient: {map: air, lmax: 8, out: b}", "T, {names: [U, V], spin: 1}",
               {"steps[1].adjoint_gradient.map = air has the fields T, U, V", "spin 0: tangent vectors have spin 1"}),
          step("adjoint_synthesis: {map: air, lmax: 0, out: b}", "{names: [U, V], spin: 1}",
               {"steps[1].adjoint_synthesis.lmax = 0 is below the spin = 1 of the fields U, V", "raise lmax"}),
      });
}

TEST_F(PlanRefusals, Masks) {
  folder_.map("mask.h5", grid::make_healpix(16), {"MASK"}, 1);
  const auto step = [](const std::string& text, std::vector<std::string> parts) {
    return RefusedJob{
        "inputs:\n  sky: {map: sky.h5}\n  qu: {map: sky.h5, fields: [Q, U]}\n  cut: {map: mask.h5}\n"
        "steps:\n  - " +
            text + "\n",
        std::move(parts)};
  };
  const std::string spectra = "analysis: {map: sky, lmax: 8, out: a}\n  - spectra: {alm: a, out: cl}\n  - ";
  const std::string other = "mask = cut is on healpix nside 16, but the map is on healpix nside 8";
  expect_refused(
      folder_,
      {
          step("leakage: {map: qu, mask: cut, lmax: 8, out: a}", {other}),
          step("mask: {map: sky, mask: cut, out: a}", {other}),
          step("leakage: {map: sky, mask: cut, lmax: 8, out: a}",
               {"map = sky has the fields T, Q, U", "fields: [Q, U]"}),
          step("mask: {map: sky, mask: qu, out: a}", {"mask = qu has 2 components, but the map has 3"}),
          step("leakage: {map: qu, mask: qu, lmax: 8, out: a}", {"mask = qu has 2 components: use one component"}),
          step(spectra + "decouple: {spectra: cl, mask: qu, out: full}",
               {"mask = qu has 2 components: use a mask with one component"}),
      });
}

TEST_F(PlanRefusals, Convolutions) {
  folder_.text("one.txt", "0 1\n");
  folder_.text("zero.dat", "# L TT\n0 0\n1 0\n");
  folder_.text("unsorted.txt", "# theta K\n0 1\n0.2 0.5\n0.1 0.2\n");
  folder_.text("nan.txt", "0 1\n0.1 nan\n0.2 0\n");
  folder_.text("far.txt", "0 1\n3 0.5\n4 0\n");
  const auto convolve = [](const std::string& keys, std::vector<std::string> parts) {
    return RefusedJob{"inputs:\n  x: {map: t.h5}\nsteps:\n  - convolve: {map: x, " + keys +
                          ", out: y}\noutputs:\n  y: {file: y.h5}\n",
                      std::move(parts)};
  };
  const std::string gaussian = "kernel: {gaussian: {fwhm_arcmin: 600}}, ";
  const std::string wide = "kernel: {gaussian: {fwhm_arcmin: 5000}}, method: harmonic, ";
  expect_refused(
      folder_,
      {
          convolve("kernel: {table: {file: unsorted.txt}}", {"unsorted.txt", "row 3", "does not increase"}),
          convolve("kernel: {table: {file: one.txt}}", {"one.txt", "at least 2"}),
          convolve("kernel: {table: {file: nan.txt}}", {"nan.txt", "row 2", "finite"}),
          convolve("kernel: {table: {file: far.txt}}", {"far.txt", "0 .. pi"}),
          convolve("kernel: {mexican_hat: {scale_deg: 10}}, mask: x, normalise: true", {"normalise", "zero mean"}),
          convolve("kernel: {top_hat: {radius_deg: 20}}, method: harmonic", {"method", "no band limit"}),
          convolve(gaussian + "cutoff_deg: 10, cutoff_error: 1.0e-8", {"cutoff_deg", "allows 1e-08"}),
          convolve(gaussian + "normalise: true", {"normalise", "mask"}),
          convolve("kernel: {needlet: {scale: 40}}", {"kernel", "scale 40"}),
          convolve(gaussian + "spectrum: zero.dat", {"spectrum", "zero.dat", "0 at all"}),
          convolve(wide + "cutoff_deg: 60.5", {"method", "'harmonic' is not possible"}),
          convolve(wide + "mode_error: 0", {"method", "'harmonic' is not possible"}),
          {"inputs:\n  x: {map: sky.h5}\nsteps:\n  - convolve: {map: x, kernel: {gaussian: {fwhm_arcmin: 1500}}, "
           "method: rings, out: y}\noutputs:\n  y: {file: y.h5}\n",
           {"steps[0]", "method", "harmonic"}},
      });
}

}  // namespace
}  // namespace armilla::job
