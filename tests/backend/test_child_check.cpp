// The check of devices by a child process, with shell scripts in place of the program.
#include <armilla/backend/child_check.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::backend {
namespace {

const std::string kPass = R"(echo '{"fault":"","lasting":true,"rms":2e-14}')";

class ChildCheck : public testing::Test {
 protected:
  DeviceCheck check(const std::string& commands, double limit_seconds = 60) {
    const CheckMethod method{.program = folder_.script("program", commands), .limit_seconds = limit_seconds};
    return check_device_in_child(method, Kind::kCuda, {2, 5}, core::Precision::kSingle);
  }

  /// Expects a fault with that text.
  void expect_fault(const DeviceCheck& found, const std::string& text, bool lasting) {
    EXPECT_TRUE(std::isinf(found.rms));
    EXPECT_NE(found.fault.find(text), std::string::npos) << found.fault;
    EXPECT_EQ(found.lasting, lasting);
  }

  test::ScratchFolder folder_;
};

TEST_F(ChildCheck, GivesWhatTheChildFound) {
  const DeviceCheck passed = check("echo a library says hello\n" + kPass);
  EXPECT_EQ(passed.rms, 2e-14);
  EXPECT_EQ(passed.fault, "");
  EXPECT_TRUE(passed.lasting);
  const DeviceCheck wrong = check(R"(echo '{"fault":"off by 3","lasting":true,"rms":3}')");
  EXPECT_EQ(wrong.rms, 3);
  EXPECT_EQ(wrong.fault, "off by 3");
  expect_fault(check(R"(echo '{"fault":"out of memory","lasting":false,"rms":null}')"), "out of memory", false);
}

TEST_F(ChildCheck, TellsTheChildWhatToCheck) {
  check("echo \"$@\" > " + (folder_.path() / "arguments").string());
  EXPECT_EQ(test::content(folder_.path() / "arguments"),
            "check-device --backend cuda --rank 2 --ranks 5 --precision single\n");
}

TEST_F(ChildCheck, TakesACrashForALastingFault) {
  expect_fault(check("kill -SEGV $$"), "the check of the GPU was terminated by signal 11 (Segmentation fault)", true);
  expect_fault(check("kill -ABRT $$"), "signal 6 (Aborted)", true);
  expect_fault(check(kPass + "\nkill -SEGV $$"), "signal 11", true);
}

TEST_F(ChildCheck, TakesASignalFromOutsideForAFaultThatMayPass) {
  expect_fault(check("kill -KILL $$"), "signal 9 (Killed)", false);
  expect_fault(check("kill -TERM $$"), "signal 15 (Terminated)", false);
}

TEST_F(ChildCheck, EndsAHang) {
  expect_fault(check("exec sleep 60", 0.3), "the check of the GPU did not finish within 0.3 s", true);
}

TEST_F(ChildCheck, TakesAnythingElseForAFault) {
  expect_fault(check("echo hello"), "exited with code 0 and no result", false);
  expect_fault(check("echo '{\"rms\":1}'"), "no result", false);
  expect_fault(check("echo '{\"fault\":1,\"lasting\":true,\"rms\":2e-14}'"), "no result", false);
  expect_fault(check(kPass + "\necho more"), "no result", false);
  expect_fault(check("exit 127"), "exited with code 127 and no result", false);
  expect_fault(check("head -c 3000000 /dev/zero"), "exited with code 0 and no result", false);
}

TEST_F(ChildCheck, QuotesTheEndOfWhatTheChildSaid) {
  const DeviceCheck found = check("head -c 100000 /dev/zero >&2; printf 'CUDA\\n\\tis \\033 gone\\n' >&2; exit 3");
  expect_fault(found, "exited with code 3 and no result. It printed: CUDA is gone", false);
  EXPECT_LT(found.fault.size(), 500u);
}

TEST_F(ChildCheck, TakesAProgramThatCannotStartForAFault) {
  const CheckMethod absent{.program = (folder_.path() / "absent").string()};
  expect_fault(check_device_in_child(absent, Kind::kCuda, {}, core::Precision::kDouble), "could not be started (",
               false);
  const CheckMethod folder{.program = folder_.path().string()};
  expect_fault(check_device_in_child(folder, Kind::kCuda, {}, core::Precision::kDouble), "Permission denied", false);
}

TEST(CheckToJson, IsReadBack) {
  const DeviceCheck wrong{.rms = INFINITY, .fault = "not \"text\": \xff\n", .lasting = false};
  const std::string line = check_to_json(wrong);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const DeviceCheck read = check_from_json(line).value();
  EXPECT_TRUE(std::isinf(read.rms));
  EXPECT_EQ(read.fault, "not \"text\": \xef\xbf\xbd\n");
  EXPECT_FALSE(read.lasting);
  EXPECT_EQ(check_from_json(check_to_json({.rms = 1.0 / 3})).value().rms, 1.0 / 3);
  for (const char* text : {"", "{", "[]", "null", "{\"rms\":1}"}) EXPECT_FALSE(check_from_json(text)) << text;
}

}  // namespace
}  // namespace armilla::backend
