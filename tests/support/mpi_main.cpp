#include "support/mpi_main.hpp"

#include <armilla/comm/communicator.hpp>

#include <gtest/gtest.h>

namespace armilla::test {

int mpi_main(int argc, char** argv) {
  comm::Session session(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  const auto world = comm::Communicator::world();
  if (!world.is_root()) {  // one voice on the terminal; failures of the others are printed as they happen
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(world.rank()));
  }
  // A failure of one rank is a failure of the run.
  double failed = RUN_ALL_TESTS();
  world.max({&failed, 1});
  return static_cast<int>(failed);
}

}  // namespace armilla::test
