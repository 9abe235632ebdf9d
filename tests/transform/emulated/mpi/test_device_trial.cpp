// How often devices are checked: a pass holds for later jobs on the same ranks, a failure does not.
#include <armilla/core/error.hpp>
#include <armilla/transform/backend_choice.hpp>

#include <string>

#include <gtest/gtest.h>
#include <mpi.h>
#include <support/emulation.hpp>

namespace armilla::transform {
namespace {

using backend::Kind;
using core::Precision;
using test::Pretend;

/// All ranks, with a communicator on which no device has been checked.
class DeviceTrials : public testing::Test {
 protected:
  DeviceTrials() { MPI_Comm_dup(MPI_COMM_WORLD, &native_); }
  ~DeviceTrials() override { MPI_Comm_free(&native_); }

  comm::Communicator ranks() const { return comm::Communicator::duplicate_of(native_); }
  BackendChoice choose(Kind asked, Precision precision = Precision::kDouble) const {
    return choose_backend(ranks(), asked, precision, "");
  }

  bool is_last() const { return ranks().rank() == ranks().size() - 1; }
  kernels::Emulation wrong_on_last() const { return {.row_error = is_last() ? 1e-7 : 0.0}; }

  MPI_Comm native_ = MPI_COMM_NULL;
};

TEST_F(DeviceTrials, DoNotRepeatACheckThatPassed) {
  const BackendChoice first = choose(Kind::kAuto);
  EXPECT_EQ(first.kind, Kind::kCuda);
  EXPECT_TRUE(first.trial->passed);
  EXPECT_FALSE(first.trial->kept);
  const Pretend wrong(wrong_on_last());
  for (const Kind asked : {Kind::kAuto, Kind::kCuda}) {
    const BackendChoice later = choose(asked);
    EXPECT_EQ(later.kind, Kind::kCuda);
    EXPECT_TRUE(later.trial->kept);
    EXPECT_EQ(later.trial->rms, first.trial->rms);
    EXPECT_EQ(later.trial->device, "emulated");
  }
  EXPECT_EQ(choose(Kind::kAuto, Precision::kSingle).kind, Kind::kCuda);  // the error is below that of floats
  const Pretend failing({.fails = is_last()});
  EXPECT_EQ(choose_backend(ranks().duplicate(), Kind::kAuto, Precision::kDouble, "").kind, Kind::kCpu);
}

TEST_F(DeviceTrials, RepeatACheckThatFailed) {
  {
    const Pretend wrong(wrong_on_last());
    for (int time = 0; time < 2; ++time) {
      const BackendChoice choice = choose(Kind::kAuto);
      EXPECT_EQ(choice.kind, Kind::kCpu);
      EXPECT_FALSE(choice.trial->kept);
      const std::string last = std::to_string(ranks().size() - 1);
      EXPECT_NE(choice.warning.find("all ranks compute on CPUs. GPU 'emulated' of rank " + last), std::string::npos);
      EXPECT_EQ(choice.warning, ranks().broadcast(choice.warning));
    }
    EXPECT_THROW(choose(Kind::kCuda), core::ResourceError);
  }
  const BackendChoice now = choose(Kind::kCuda);
  EXPECT_EQ(now.kind, Kind::kCuda);
  EXPECT_FALSE(now.trial->kept);
}

}  // namespace
}  // namespace armilla::transform
