#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

// The colatitudes that the spin groups of the reference were computed at: their code takes sin(theta/2) from 1 -
// cos(theta) with the cosine rounded to double, which moves a ring at theta = 1e-7 by 4e-11 (checked against the sum in
// 40-digit arithmetic, which agrees with Armilla at the theta of the file, not with the reference). Rings farther from
// the poles stay as they are.
std::vector<double> as_the_reference_saw_them(std::vector<double> theta) {
  for (double& t : theta)
    if (t > 0 && t < 1e-4) t = 2 * std::asin(std::sqrt((1 - std::cos(t)) / 2));
  return theta;
}

// Groups whose adjoint input is not stored only check synthesis.
struct Way {
  std::string name;
  backend::Options options;
};
class Reference : public testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(Engines, Reference,
                         testing::Values(Way{"fast", {"fast", backend::ThetaResampling::kOff}},
                                         Way{"reference", {"reference", backend::ThetaResampling::kOff}},
                                         Way{"resampled", {"fast", backend::ThetaResampling::kOn}}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(Reference, EveryGroupOfRingsHolds) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << "no reference data here";
  const auto comm = comm::Communicator::world();
  const std::string file = *shared + "/reference/transforms.h5";
  int groups = 0;
  for (const std::string& name : test::members(file, "rings")) {
    const std::string group = "rings/" + name;
    SCOPED_TRACE(group);
    const Index spin = test::read_attribute(file, group, "spin");
    const alm::AlmLayout layout(test::read_attribute(file, group, "lmax"), test::read_attribute(file, group, "mmax"));
    const std::vector<double> theta = test::read_doubles(file, group + "/theta");
    const auto grid = std::make_shared<grid::RingGrid>(grid::make_rings(
        spin == 0 ? theta : as_the_reference_saw_them(theta), test::read_doubles(file, group + "/phi0"),
        test::read_integers(file, group + "/nphi"), {}, name));
    // The groups have few rings, and resampling runs the Legendre stage on all of lmax + 1.
    if (layout.lmax() > 2000 && GetParam().name == "resampled") continue;
    // Two components of lmax 16383 fill 4 GiB: one run of each engine is enough.
    if (layout.lmax() > 10000 && comm.size() != (GetParam().name == "fast" ? 1 : 3)) continue;
    const double tolerance = layout.lmax() <= 100 ? 1e-12 : 5e-12;
    auto asked = test::make_spec(test::kind_of_spin(spin), grid, layout, comm.size());
    asked.options = GetParam().options;
    FieldTransform<double> transform(comm, asked);
    const auto& spec = transform.spec();
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    const auto compare = [&](auto& values, auto& expected) {
      double sums[2] = {0, 0};
      for (std::size_t i = 0; i < values.data().size(); ++i) {
        sums[0] += std::norm(values.data()[i] - expected.data()[i]);
        sums[1] += std::norm(expected.data()[i]);
      }
      comm.sum(sums);
      EXPECT_GT(sums[1], 0);
      const double error = std::sqrt(sums[0] / sums[1]);
      EXPECT_LE(error, tolerance);
      if (comm.is_root())
        std::printf("%-40s %-9s %.2e\n", group.c_str(), sizeof(values.data()[0]) == 8 ? "synthesis" : "adjoint", error);
    };

    test::fill_alm(alm, [&](Index, Index c, Index l, Index m) { return test::closed_form(l, m, c, spin); });
    test::poison(map);
    transform.synthesis(alm, map);
    MapField<double> expected(spec.kind, spec.pixels, comm.rank(), 1);
    const std::vector<double> reference = test::read_doubles(file, group + "/map");
    test::fill_map(expected,
                   [&](Index, Index c, Index p) { return reference[static_cast<std::size_t>(c * grid->npix() + p)]; });
    compare(map, expected);
    ++groups;
    if (!test::exists(file, group + "/adjoint_in")) continue;

    const std::vector<double> in = test::read_doubles(file, group + "/adjoint_in");
    test::fill_map(map, [&](Index, Index c, Index p) { return in[static_cast<std::size_t>(c * grid->npix() + p)]; });
    test::poison(alm);
    transform.adjoint_synthesis(map, alm);
    AlmField<double> expected_alm(spec.kind, spec.alm, comm.rank(), 1);
    const std::vector<double> out = test::read_doubles(file, group + "/adjoint_alm");
    test::fill_alm(expected_alm, [&](Index, Index c, Index l, Index m) {
      const auto i = static_cast<std::size_t>(2 * (c * layout.size() + layout.index(l, m)));
      return std::complex<double>(out[i], out[i + 1]);
    });
    compare(alm, expected_alm);
  }
  EXPECT_GE(groups, GetParam().name == "resampled" ? 20 : 30);
}

}  // namespace
}  // namespace armilla::transform
