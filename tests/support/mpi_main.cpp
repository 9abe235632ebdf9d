#include "support/mpi_main.hpp"

#include <armilla/comm/communicator.hpp>

#include <gtest/gtest.h>

#ifdef __SANITIZE_ADDRESS__
// Open MPI unloads its components, whose leaks then have no name that a suppression could match.
extern "C" int dlclose(void*) { return 0; }
#endif

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
