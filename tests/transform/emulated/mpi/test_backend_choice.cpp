// Transforms that are made without the name of a backend.
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <support/emulation.hpp>

namespace armilla::transform {
namespace {

std::string backend_in_use(const comm::Communicator& comm, const std::string& engine = "auto") {
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_gauss(16, 32));
  FieldTransformSpec spec;
  spec.kind = FieldKind::scalar();
  spec.alm = std::make_shared<const dist::AlmDistribution>(alm::AlmLayout(15, 15), comm.size());
  spec.pixels = std::make_shared<const dist::PixelDistribution>(grid, comm.size());
  spec.options.engine = engine;
  return FieldTransform<double>(comm, spec).backend();
}

TEST(AutoBackend, IsTheFirstOneThatAllRanksCanRelyOn) {
  const auto comm = comm::Communicator::world();
  const bool last = comm.rank() == comm.size() - 1;
  EXPECT_EQ(backend_in_use(comm), "cuda");
  EXPECT_EQ(backend_in_use(comm, "fast"), "cpu");
  for (const kernels::Emulation& flaw :
       {kernels::Emulation{.visible = false}, {.single_to_double = 32}, {.row_error = 1e-9}, {.fails = true}}) {
    const test::Pretend flawed(last ? flaw : kernels::Emulation{});
    EXPECT_EQ(backend_in_use(comm), "cpu");
  }
}

}  // namespace
}  // namespace armilla::transform
