#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <functional>
#include <memory>
#include <vector>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

FieldTransformSpec on_grid(grid::RingGrid grid) {
  return test::make_spec(FieldKind::temperature_polarisation(), std::make_shared<grid::RingGrid>(std::move(grid)),
                         alm::AlmLayout(10, 8), 3, 2);
}

/// Gauss rings of a file, the weight of one of them times `factor`, from longitude phi0.
grid::RingGrid file_of_rings(double factor, double phi0 = 0) {
  const grid::RingGrid gauss = grid::make_gauss(12, 24);
  std::vector<grid::Ring> rings(gauss.rings().begin(), gauss.rings().end());
  rings[3].weight *= factor;
  for (grid::Ring& ring : rings) ring.phi0 = phi0;
  return grid::RingGrid({.kind = "rings", .file = "rings.h5"}, std::move(rings), true, gauss.analysis_limits());
}

TEST(SameTransform, ComparesValues) {
  const auto make = [] { return on_grid(grid::make_gauss(12, 24)); };
  EXPECT_TRUE(make() == make()) << "made twice";
  auto named = make();
  named.kind = FieldKind::joined(std::vector{FieldKind::scalar("D"), FieldKind::polarisation()});
  EXPECT_TRUE(named == make()) << "names do not matter";
  const auto distribution = [](Index lmax, int ranks, Index step) {
    return std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, 8), ranks, step);
  };
  const auto pixels = [](grid::RingGrid grid, int ranks) {
    return std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(std::move(grid)), ranks);
  };
  using Spec = FieldTransformSpec;
  const std::vector<std::function<void(Spec&)>> changes{
      [](Spec& spec) { spec.kind = FieldKind::polarisation(); },
      [&](Spec& spec) { spec.alm = distribution(11, 3, 1); },
      [&](Spec& spec) { spec.alm = distribution(10, 3, 2); },
      [&](Spec& spec) { spec.pixels = pixels(grid::make_gauss(12, 25), 3); },
      [&](Spec& spec) { spec.pixels = pixels(grid::make_equiangular("cc", 12, 24), 3); },
      [](Spec& spec) { spec.campaign = true; },
      [](Spec& spec) { spec.backend = backend::Kind::kCpu; },
      [](Spec& spec) { spec.options.engine = "reference"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    FieldTransformSpec changed = make();
    changes[i](changed);
    EXPECT_FALSE(changed == make()) << i;
    EXPECT_FALSE(changed.same_but_for_size(make())) << i;
  }
  const std::vector<std::function<void(Spec&)>> sizes{
      [&](Spec& spec) { spec.alm = distribution(10, 2, 1); },
      [&](Spec& spec) { spec.pixels = pixels(grid::make_gauss(12, 24), 2); },
      [](Spec& spec) { spec.maps = 3; },
      [](Spec& spec) { spec.exchange_parts = 2; },
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    FieldTransformSpec changed = make();
    sizes[i](changed);
    EXPECT_FALSE(changed == make()) << i;
    EXPECT_TRUE(changed.same_but_for_size(make())) << i;
  }
  FieldTransformSpec on_device = make(), on_larger = make();
  on_device.device_work = 1 << 20;
  on_larger.device_work = 1 << 21;
  EXPECT_FALSE(on_device == on_larger);
  EXPECT_TRUE(on_device.same_but_for_size(on_larger));
  EXPECT_FALSE(on_device.same_but_for_size(make())) << "other steps on a device";
}

TEST(SameTransform, AReplacedFileOfRingsIsAnotherGrid) {
  EXPECT_TRUE(on_grid(file_of_rings(1)) == on_grid(file_of_rings(1)));
  EXPECT_FALSE(on_grid(file_of_rings(1)) == on_grid(file_of_rings(2)));
  // The same pixels, but phases with other roundings.
  EXPECT_FALSE(on_grid(file_of_rings(1)) == on_grid(file_of_rings(1, 2 * core::kPi)));
}

}  // namespace
}  // namespace armilla::transform
