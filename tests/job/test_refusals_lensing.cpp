// Jobs with lensing that are refused by the plan of a step.
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::expect_refused;
using test::RefusedJob;

/// tqu.h5, potential.h5 and deflection.h5 to lmax 95, and m.h5, a map T, Q, U of nside 8.
class LensingRefusals : public testing::Test {
 protected:
  LensingRefusals() {
    folder_.alm("tqu.h5", 95, 95, {"T", "E", "B"});
    folder_.alm("potential.h5", 95, 95, {"P"});
    folder_.alm("deflection.h5", 95, 95, {"E_D", "B_D"});
    folder_.map("m.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
  }

  /// A job of one step after those that make `short`, `dipole`, `wind` and `cap`.
  static RefusedJob step(const std::string& text, std::vector<std::string> parts) {
    return {
        "inputs:\n  tqu: {alm: tqu.h5}\n  phi: {alm: potential.h5}\n  d: {alm: deflection.h5, spin: 1}\n"
        "  m: {map: m.h5}\nsteps:\n"
        "  - resize: {alm: tqu, lmax: 1, out: short}\n  - resize: {alm: d, lmax: 1, out: dipole}\n"
        "  - convert_vector: {alm: d, from: theta_phi, to: wind, out: wind}\n"
        "  - synthesis: {alm: tqu, grid: {healpix: {nside: 8, theta_deg: [30, 80]}}, out: cap}\n"
        "  - " +
            text + "\noutputs:\n  none: {file: none.h5}\n",
        std::move(parts)};
  }

  test::JobFolder folder_;
  const std::string grid_ = "grid: {healpix: {nside: 8}}";
};

TEST_F(LensingRefusals, Lens) {
  const auto lens = [&](const std::string& keys, std::vector<std::string> parts) {
    return step("lens: {" + keys + ", " + grid_ + ", out: none}", std::move(parts));
  };
  EXPECT_NO_THROW(test::prepared(folder_, lens("alm: tqu, potential: phi", {}).body));
  EXPECT_NO_THROW(test::prepared(folder_, lens("alm: tqu, deflection: d", {}).body));
  expect_refused(folder_,
                 {
                     lens("alm: tqu, potential: phi, accuracy: 1.0e-16", {"accuracy", "the best for lmax 95"}),
                     lens("alm: tqu, potential: tqu", {"lens.potential = tqu", "only scalars have a gradient"}),
                     lens("alm: tqu, deflection: tqu", {"single field of spin 1"}),
                     lens("alm: short, potential: phi", {"lens.alm = short", "below the spin = 2"}),
                     lens("alm: tqu, deflection: phi", {"lens.deflection = phi", "single field of spin 1"}),
                     lens("alm: tqu, potential: nobody", {"lens.potential = nobody", "is not defined"}),
                 });
}

TEST_F(LensingRefusals, LensAdjoint) {
  const auto adjoint = [](const std::string& keys, std::vector<std::string> parts) {
    return step("lens_adjoint: {" + keys + ", out: none}", std::move(parts));
  };
  EXPECT_NO_THROW(test::prepared(folder_, adjoint("map: m, deflection: d, lmax: 20", {}).body));
  expect_refused(
      folder_,
      {
          adjoint("map: m, deflection: wind, lmax: 20", {"lens_adjoint.deflection = wind", "eastward"}),
          adjoint("map: cap, deflection: d, lmax: 20, weights: grid",
                  {"lens_adjoint.weights = grid", "requires quadrature weights", "weights: none"}),
          adjoint("map: m, potential: tqu, lmax: 20", {"lens_adjoint.potential = tqu", "a single scalar"}),
          adjoint("map: m, deflection: phi, lmax: 20", {"lens_adjoint.deflection = phi", "single field of spin 1"}),
          adjoint("map: nobody, deflection: d, lmax: 20", {"lens_adjoint.map = nobody", "is not defined"}),
          adjoint("map: m, deflection: d, lmax: 1", {"lens_adjoint.lmax = 1", "below the spin = 2", "raise lmax"}),
          adjoint("map: m, deflection: d, lmax: 95, accuracy: 1.0e-16", {"accuracy", "the best for lmax 95"}),
          adjoint("map: m, deflection: d, lmax: 20, accuracy: 0.6", {"accuracy"}),
          adjoint("map: m, deflection: dipole, lmax: 20, magnify: true",
                  {"lens_adjoint.deflection = dipole", "lmax = 1", "resize it to lmax = 2"}),
      });
}

TEST_F(LensingRefusals, InverseDeflection) {
  const auto inverse = [](const std::string& keys, std::vector<std::string> parts) {
    return step("inverse_deflection: {" + keys + ", out: none}", std::move(parts));
  };
  EXPECT_NO_THROW(test::prepared(folder_, inverse("deflection: d, lmax: 20", {}).body));
  expect_refused(folder_,
                 {
                     inverse("deflection: d, lmax: 20, grid: {healpix: {nside: 8, theta_deg: [30, 80]}}",
                             {"inverse_deflection.grid = ", "a full-sky grid with quadrature weights"}),
                     inverse("deflection: tqu, lmax: 20", {"inverse_deflection.deflection = tqu", "spin 1"}),
                     inverse("deflection: d, lmax: 0", {"lmax = 0", "spin"}),
                     inverse("deflection: d, lmax: 20, accuracy: 1.0e-17", {"accuracy", "the best for lmax 95"}),
                     inverse("deflection: d, lmax: 40, " + grid_,
                             {"inverse_deflection.lmax = 40 exceeds 3 nside - 1 = 23", "finer grid"}),
                 });
}

TEST_F(LensingRefusals, CoordinatesThatDiffer) {
  for (const char* file : {"potential.h5", "deflection.h5"}) folder_.attribute(file, "alm", "COORDSYS", "C");
  folder_.attribute("tqu.h5", "alm", "COORDSYS", "G");
  folder_.attribute("m.h5", "map", "COORDSYS", "G");
  for (const auto& [key, name] : {std::pair("potential", "phi"), std::pair("deflection", "d")}) {
    const std::string said = std::string(key) + " = " + name + " is in coordinates C, but '";
    const std::string advice = std::string("rotate '") + name + "' first (step rotate with to: galactic)";
    const std::string operand = std::string(key) + ": " + name;
    expect_refused(
        folder_, {step("lens: {alm: tqu, " + operand + ", " + grid_ + ", out: none}", {said + "tqu' is in G", advice}),
                  step("lens_adjoint: {map: m, " + operand + ", lmax: 20, magnify: true, out: none}",
                       {said + "m' is in G", advice})});
  }
}

}  // namespace
}  // namespace armilla::job
