#include <armilla/armilla.hpp>
#include <armilla/core/machine.hpp>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

/// Sets a variable of the environment, or removes it (nullptr), while it is there.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }

  const char* name_;
  std::optional<std::string> before_;
};

template <class Call>
std::string resource_error(const Call& call) {
  try {
    call();
  } catch (const ResourceError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ResourceError";
  return "";
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
}

// A transform of which the map takes 80 MB in all, and 1.6 MB of coefficients.
TransformSpec medium() { return {.grid = make_gauss(100, 100000), .lmax = 99, .mmax = 20}; }

std::string ranks_text(const Communicator& comm) {
  return " (" + std::to_string(comm.size()) + " rank" + (comm.size() == 1 ? ")" : "s)");
}

// claims: guarantee memory_check
TEST(Memory, ATransformIsRefusedWithBothFiguresForAllRanksOfANode) {
  const auto world = Communicator::world();
  const Variable limit("ARMILLA_MEMORY_LIMIT", "50M");
  const std::string text = resource_error([&] { Transform<double>(world, medium()); });
  expect_parts(text, {"a transform with its fields on gauss 100 x 100000 with lmax = 99 needs ", ranks_text(world),
                      "available: 50.0 MiB (the specified memory limit)", "ARMILLA_MEMORY_LIMIT"});
}

TEST(Memory, TheLimitOfTheFirstRankCountsForAll) {
  const auto world = Communicator::world();
  const Variable limit("ARMILLA_MEMORY_LIMIT", world.is_root() ? "none" : "50M");
  EXPECT_NO_THROW(Transform<double>(world, medium()));
}

TEST(Memory, PointsAreCheckedAsWell) {
  const auto world = Communicator::world();
  const Variable limit("ARMILLA_MEMORY_LIMIT", "50M");
  const std::vector<double> theta(300000, 1.0), phi(theta.size(), 0.5);
  const std::string text = resource_error([&] { PointTransform<double>(world, {.lmax = 900}, theta, phi); });
  expect_parts(text, {"a transform at points with lmax = 900 needs ", ranks_text(world)});
}

TEST(Memory, FieldsAreCheckedOnTheirOwnRank) {
  const Communicator self = Communicator::self();
  const Transform t(self, {.grid = make_gauss(100, 100000), .lmax = 2000, .mmax = 2000});
  const Variable limit("ARMILLA_MEMORY_LIMIT", "10M");
  expect_parts(resource_error([&] { t.make_map(); }), {"make_map() needs ", "available: 10.0 MiB"});
  expect_parts(resource_error([&] { t.make_alm(); }), {"make_alm() needs ", "available: 10.0 MiB"});
  const Variable none("ARMILLA_MEMORY_LIMIT", "none");
  EXPECT_EQ(t.make_map().data().size(), 10'000'000u);
}

// Fields of one transform may be used by another, for which they need not be counted again.
TEST(Memory, FieldsThatExistAreNotCountedTwice) {
  const auto world = Communicator::world();
  const Transform first(world, medium());
  const Map map = first.make_map();
  Index bytes = core::resident_bytes();
  std::array<double, 1> total{static_cast<double>(bytes)};
  world.sum(total);
  const std::string text = std::to_string(static_cast<Index>(total[0]) + world.size() * (Index{40} << 20));
  const Variable limit("ARMILLA_MEMORY_LIMIT", text.c_str());
  EXPECT_NO_THROW(Transform<double>(world, medium()));
  EXPECT_FALSE(map.data().empty() && world.size() == 1);
}

TEST(Memory, RealLimitsApply) {
  const auto world = Communicator::world();
  const Variable none("ARMILLA_MEMORY_LIMIT", nullptr);
  // 6.4 TB.
  const std::string text =
      resource_error([&] { Transform<double>(world, {.grid = make_gauss(20000, 40000000), .lmax = 10}); });
  expect_parts(text, {" needs ", "; available: "});
}

/// Keeps the transforms of other tests of this program from printing the warning, which each process prints once.
class NoSpinning : public testing::Environment {
 public:
  void SetUp() override { policy_.emplace("OMP_WAIT_POLICY", "passive"); }
  void TearDown() override { policy_.reset(); }

 private:
  std::optional<Variable> policy_;
};

[[maybe_unused]] const auto* const no_spinning = testing::AddGlobalTestEnvironment(new NoSpinning);

// Only one of the transforms of a process says it, also if the test is repeated.
TEST(Threads, AWarningIsPrintedOnce) {
  static std::string text;
  const auto world = Communicator::world();
  const Variable policy("OMP_WAIT_POLICY", nullptr), count("GOMP_SPINCOUNT", nullptr), time("KMP_BLOCKTIME", nullptr);
  const int threads = core::thread_count();
  core::set_thread_count(static_cast<int>(core::own_cpus().size()) + 1);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) Transform<double>(world, {.grid = make_healpix(2), .lmax = 3});
  text += testing::internal::GetCapturedStderr();
  core::set_thread_count(threads);
  const std::string warning = "armilla: warning: ";
  const auto first = text.find(warning);
  if (!world.is_root()) {
    EXPECT_EQ(first, std::string::npos) << text;
    return;
  }
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find(warning, first + 1), std::string::npos) << text;
  expect_parts(text, {"threads share", "OMP_WAIT_POLICY=passive"});
}

}  // namespace
}  // namespace armilla
