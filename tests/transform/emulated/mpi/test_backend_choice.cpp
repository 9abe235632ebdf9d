// Transforms that are made without the name of a backend.
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <support/emulation.hpp>

namespace armilla::transform {
namespace {

using backend::Kind;

Kind backend_in_use(const comm::Communicator& comm, const std::string& engine = "auto") {
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_gauss(16, 32));
  FieldTransformSpec spec;
  spec.kind = FieldKind::scalar();
  spec.alm = std::make_shared<const dist::AlmDistribution>(alm::AlmLayout(15, 15), comm.size());
  spec.pixels = std::make_shared<const dist::PixelDistribution>(grid, comm.size());
  spec.options.engine = engine;
  return FieldTransform<double>(comm, spec).backend();
}

TEST(AutoBackend, IsTheFirstOneThatAllRanksCanRelyOn) {
  const auto comm = comm::Communicator::world().duplicate();  // for which no result of a check is kept
  const bool last = comm.rank() == comm.size() - 1;
  EXPECT_EQ(backend_in_use(comm), Kind::kCuda);
  EXPECT_EQ(backend_in_use(comm, "fast"), Kind::kCpu);
  for (const kernels::Emulation& flaw :
       {kernels::Emulation{.visible = false}, {.single_to_double = 32}, {.row_error = 1e-9}, {.fails = true}}) {
    const test::Pretend flawed(last ? flaw : kernels::Emulation{});
    EXPECT_EQ(backend_in_use(comm), Kind::kCpu);
  }
}

// A driver that is too old is not the same as a machine without a GPU.
TEST(AutoBackend, SaysWhyNoRankCanUseItsGpus) {
  const auto comm = comm::Communicator::world();
  const test::Pretend old({.has_old_driver = true});
  const BackendChoice choice = choose_backend(comm, Kind::kAuto, core::Precision::kDouble, "");
  EXPECT_EQ(choice.kind, Kind::kCpu);
  EXPECT_NE(choice.warning.find("all ranks compute on CPUs. rank 0 on "), std::string::npos) << choice.warning;
  EXPECT_NE(choice.warning.find("the emulated driver is too old"), std::string::npos) << choice.warning;
  try {
    choose_backend(comm, Kind::kCuda, core::Precision::kDouble, "");
    FAIL() << "it was taken";
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("the emulated driver is too old: update the driver"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace armilla::transform
