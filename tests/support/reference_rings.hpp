#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::test {

// The colatitudes that the spin groups of the reference were computed at: their code takes sin(theta/2) from 1 -
// cos(theta) with the cosine rounded to double, which moves a ring at theta = 1e-7 by 4e-11 (checked against the sum in
// 40-digit arithmetic, which agrees with Armilla at the theta of the file, not with the reference). Rings farther from
// the poles stay as they are.
inline std::vector<double> as_the_reference_saw_them(std::vector<double> theta) {
  for (double& t : theta)
    if (t > 0 && t < 1e-4) t = 2 * std::asin(std::sqrt((1 - std::cos(t)) / 2));
  return theta;
}

/// Transforms the coefficients and maps of the groups "rings/*" of the reference file with a backend, and compares;
/// groups without a stored input of the adjoint check synthesis only. `takes` says by lmax which groups are done; their
/// number is returned.
inline int check_reference_rings(const comm::Communicator& comm, const std::string& file, backend::Kind backend,
                                 const backend::Options& options, const std::function<bool(Index lmax)>& takes) {
  int groups = 0;
  for (const std::string& name : members(file, "rings")) {
    const std::string group = "rings/" + name;
    SCOPED_TRACE(group);
    const Index spin = read_attribute(file, group, "spin");
    const alm::AlmLayout layout(read_attribute(file, group, "lmax"), read_attribute(file, group, "mmax"));
    if (!takes(layout.lmax())) continue;
    const std::vector<double> theta = read_doubles(file, group + "/theta");
    const auto grid = std::make_shared<grid::RingGrid>(
        grid::make_rings(spin == 0 ? theta : as_the_reference_saw_them(theta), read_doubles(file, group + "/phi0"),
                         read_integers(file, group + "/nphi"), {}, name));
    const double tolerance = layout.lmax() <= 100 ? 1e-12 : 5e-12;
    auto asked = make_spec(kind_of_spin(spin), grid, layout, comm.size());
    asked.backend = backend;
    asked.options = options;
    transform::FieldTransform<double> transform(comm, asked);
    const auto& spec = transform.spec();
    transform::AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    transform::MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
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

    fill_alm(alm, [&](Index, Index c, Index l, Index m) { return closed_form(l, m, c, spin); });
    poison(map);
    transform.synthesis(alm, map);
    transform::MapField<double> expected(spec.kind, spec.pixels, comm.rank(), 1);
    const std::vector<double> reference = read_doubles(file, group + "/map");
    fill_map(expected,
             [&](Index, Index c, Index p) { return reference[static_cast<std::size_t>(c * grid->npix() + p)]; });
    compare(map, expected);
    ++groups;
    if (!exists(file, group + "/adjoint_in")) continue;

    const std::vector<double> in = read_doubles(file, group + "/adjoint_in");
    fill_map(map, [&](Index, Index c, Index p) { return in[static_cast<std::size_t>(c * grid->npix() + p)]; });
    poison(alm);
    transform.adjoint_synthesis(map, alm);
    transform::AlmField<double> expected_alm(spec.kind, spec.alm, comm.rank(), 1);
    const std::vector<double> out = read_doubles(file, group + "/adjoint_alm");
    fill_alm(expected_alm, [&](Index, Index c, Index l, Index m) {
      const auto i = static_cast<std::size_t>(2 * (c * layout.size() + layout.index(l, m)));
      return std::complex<double>(out[i], out[i + 1]);
    });
    compare(alm, expected_alm);
  }
  return groups;
}

}  // namespace armilla::test
