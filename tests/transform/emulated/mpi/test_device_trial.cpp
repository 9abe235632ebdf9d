// Checks of devices by children of the ranks, with shell scripts in place of the program. All ranks share one device.
#include <armilla/core/error.hpp>
#include <armilla/transform/backend_choice.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::transform {
namespace {

using backend::Kind;

const std::string kPass = R"(echo '{"fault":"","lasting":true,"rms":2e-14}')";
const std::string kBusy = R"(echo '{"fault":"the GPU is in use","lasting":false,"rms":null}')";
const std::string kCrash = "kill -SEGV $$";

class DeviceTrials : public testing::Test {
 protected:
  DeviceTrials() : world_(comm::Communicator::world()) {
    if (world_.is_root()) own_ = std::make_unique<test::ScratchFolder>();
    folder_ = world_.broadcast(own_ ? own_->path().string() : std::string());
    cache_.emplace(folder_ + "/cache");
  }
  ~DeviceTrials() override { world_.barrier(); }

  /// From now on the program does this, and notes that it ran.
  void program(const std::string& commands) {
    if (own_) own_->script("program", "echo ran >> " + folder_ + "/runs\n" + commands);
    world_.barrier();
  }

  BackendChoice choose(Kind asked, core::Precision precision = core::Precision::kDouble) {
    return choose_backend(world_, asked, precision, "", {.program = folder_ + "/program", .limit_seconds = 60});
  }

  std::string failure(Kind asked) {
    std::string message;
    try {
      choose(asked);
      ADD_FAILURE() << "no error";
    } catch (const core::ResourceError& error) {
      message = error.what();
    }
    EXPECT_EQ(message, world_.broadcast(message));
    return message;
  }

  /// How often the program has run, on all ranks together.
  std::ptrdiff_t runs() {
    world_.barrier();
    const std::string text = test::content(folder_ + "/runs");
    world_.barrier();
    return std::ranges::count(text, '\n');
  }

  void remove_cache() {
    world_.barrier();
    if (own_) std::filesystem::remove_all(folder_ + "/cache");
    world_.barrier();
  }

  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  comm::Communicator world_;
  std::unique_ptr<test::ScratchFolder> own_;
  std::string folder_;
  std::optional<test::CacheAt> cache_;
};

TEST_F(DeviceTrials, CheckASharedDeviceOnceAndForAll) {
  program(kPass);
  const BackendChoice first = choose(Kind::kAuto);
  EXPECT_EQ(first.kind, Kind::kCuda);
  EXPECT_EQ(first.trial->rms, 2e-14);
  EXPECT_TRUE(first.trial->passed);
  EXPECT_FALSE(first.trial->kept);
  EXPECT_EQ(runs(), 1);
  program(kCrash);  // does not run
  for (const Kind asked : {Kind::kAuto, Kind::kCuda}) {
    const BackendChoice later = choose(asked);
    EXPECT_EQ(later.kind, Kind::kCuda);
    EXPECT_EQ(later.trial->rms, 2e-14);
    EXPECT_TRUE(later.trial->kept);
    EXPECT_EQ(runs(), 1);
  }
  EXPECT_EQ(choose(Kind::kAuto, core::Precision::kSingle).kind, Kind::kCpu);
  EXPECT_EQ(runs(), 2);
}

TEST_F(DeviceTrials, SurviveACrash) {
  program(kCrash);
  for (const bool kept : {false, true}) {
    const BackendChoice choice = choose(Kind::kAuto);
    EXPECT_EQ(choice.kind, Kind::kCpu);
    EXPECT_EQ(choice.trial->kept, kept);
    EXPECT_TRUE(contains(choice.warning, "all ranks compute on CPUs. GPU 'emulated' of rank 0 on "));
    EXPECT_TRUE(contains(choice.warning, "signal 11 (Segmentation fault). This result is cached in " + folder_));
    EXPECT_EQ(choice.warning, world_.broadcast(choice.warning));
  }
  EXPECT_TRUE(contains(failure(Kind::kCuda), "signal 11 (Segmentation fault)"));
  EXPECT_EQ(runs(), 1);
  program(kPass);
  EXPECT_EQ(choose(Kind::kAuto).kind, Kind::kCpu);
  remove_cache();
  EXPECT_EQ(choose(Kind::kAuto).kind, Kind::kCuda);
  EXPECT_EQ(runs(), 2);
}

TEST_F(DeviceTrials, RepeatWhatMayPass) {
  program(kBusy);
  EXPECT_TRUE(contains(failure(Kind::kCuda), "GPU 'emulated' of rank 0 on "));
  EXPECT_EQ(choose(Kind::kAuto).kind, Kind::kCpu);
  EXPECT_EQ(runs(), 2);
  program(kPass);
  EXPECT_EQ(choose(Kind::kCuda).kind, Kind::kCuda);
  EXPECT_EQ(runs(), 3);
}

TEST_F(DeviceTrials, TakeAResultThatAnyRankKnows) {
  program(kPass);
  choose(Kind::kCuda);
  const bool last = world_.rank() == world_.size() - 1;
  cache_.reset();
  cache_.emplace(last ? folder_ + "/cache" : std::string());
  EXPECT_TRUE(choose(Kind::kCuda).trial->kept);
  EXPECT_EQ(runs(), 1);
}

TEST_F(DeviceTrials, GoOnWithoutACache) {
  program(kPass);
  cache_.reset();
  cache_.emplace("");
  for (int time = 1; time <= 2; ++time) {
    EXPECT_EQ(choose(Kind::kCuda).kind, Kind::kCuda);
    EXPECT_EQ(runs(), time);
  }
}

}  // namespace
}  // namespace armilla::transform
