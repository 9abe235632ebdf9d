#include <armilla/grid/makers.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/device_bytes.hpp>
#include <support/fields.hpp>

namespace armilla::transform {
namespace {

// Transforms on devices are kept within a limit for the memory of the device, and freed there.
TEST(DeviceCache, HasItsOwnLimitAndEqualResults) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  FieldTransformSpec spec =
      test::make_spec(FieldKind::temperature_polarisation(), std::make_shared<grid::RingGrid>(grid::make_healpix(8)),
                      alm::AlmLayout(16, 16), comm.size());
  spec.backend = backend::Kind::kCuda;
  const auto bytes_held = [&] { return test::device_bytes_held(comm); };
  const Index held = bytes_held();
  const auto synthesis = [&](FieldTransform<double>& transform) {
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    test::fill_noise(alm, 4);
    test::poison(map);
    transform.synthesis(alm, map);
    const auto pixels = map.data();
    return std::vector<double>(pixels.begin(), pixels.end());
  };
  TransformCache cache(comm);
  cache.set_limit({Index{1} << 30, Index{1} << 34});
  std::vector<double> expected;
  expected = synthesis(*cache.take<double>(spec));
  EXPECT_GT(bytes_held(), held);
  EXPECT_EQ(synthesis(*cache.take<double>(spec)), expected);
  EXPECT_EQ(cache.counts().reused, 1);
  cache.set_limit({Index{1} << 30, 1});
  EXPECT_EQ(cache.counts().kept, 0);
  EXPECT_EQ(bytes_held(), held);
  EXPECT_EQ(synthesis(*cache.take<double>(spec)), expected);
  EXPECT_EQ(bytes_held(), held);
  // Those on CPUs have a limit of their own.
  spec.backend = backend::Kind::kCpu;
  static_cast<void>(cache.take<double>(spec));
  EXPECT_EQ(cache.counts().kept, 1);
}

}  // namespace
}  // namespace armilla::transform
