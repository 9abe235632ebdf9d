// Results of the check of devices, kept from run to run.
#include <armilla/backend/kept_check.hpp>

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::backend {
namespace {

namespace fs = std::filesystem;

const Device kDevice{.name = "a GPU", .uuid = "0123", .driver = "12080 NVRM 570.1"};
const DeviceCheck kPassed{.rms = 2e-14};
const DeviceCheck kWrong{.rms = 3, .fault = "off by 3"};

std::string key_of(const Device& device, core::Precision precision = core::Precision::kDouble) {
  return check_key(Kind::kCuda, device, precision);
}

class KeptCheck : public testing::Test {
 protected:
  test::ScratchFolder folder_;
  test::CacheAt cache_{(folder_.path() / "cache").string()};
};

TEST_F(KeptCheck, IsFoundAgain) {
  const std::string key = key_of(kDevice);
  EXPECT_FALSE(find_kept_check(key));
  EXPECT_EQ(keep_check(key, kPassed).fault, "");
  const DeviceCheck found = find_kept_check(key).value();
  EXPECT_EQ(found.rms, kPassed.rms);
  EXPECT_EQ(found.fault, "");
  EXPECT_TRUE(fs::exists(kept_check_file(key)));
}

TEST_F(KeptCheck, IsThatOfOneDeviceBackendAndPrecision) {
  keep_check(key_of(kDevice), kPassed);
  Device other = kDevice;
  other.uuid = "4567";
  for (const std::string& key : {key_of(other), key_of(kDevice, core::Precision::kSingle),
                                 check_key(Kind::kCpu, kDevice, core::Precision::kDouble)}) {
    EXPECT_FALSE(find_kept_check(key));
    EXPECT_NE(kept_check_file(key), kept_check_file(key_of(kDevice)));
  }
}

TEST_F(KeptCheck, IsReplacedAfterTheDriverHasChanged) {
  keep_check(key_of(kDevice), kWrong);
  Device updated = kDevice;
  updated.driver = "13000 NVRM 580.1";
  const std::string key = key_of(updated);
  EXPECT_FALSE(find_kept_check(key));
  EXPECT_EQ(kept_check_file(key), kept_check_file(key_of(kDevice)));
  keep_check(key, kPassed);
  EXPECT_EQ(find_kept_check(key).value().fault, "");
  EXPECT_FALSE(find_kept_check(key_of(kDevice)));
}

TEST_F(KeptCheck, NamesTheFileOfAFaultToRemove) {
  const std::string key = key_of(kDevice);
  const std::string file = kept_check_file(key).string();
  const std::string expected = "off by 3. This result is cached in " + file + ": delete that file to repeat the check";
  EXPECT_EQ(keep_check(key, kWrong).fault, expected);
  EXPECT_EQ(find_kept_check(key).value().fault, expected);
  fs::remove(file);
  EXPECT_FALSE(find_kept_check(key));
}

TEST_F(KeptCheck, IsNoTimeOutOnceTheLimitIsRaised) {
  const std::string key = key_of(kDevice);
  keep_check(key, {.rms = 1, .fault = "too slow", .seconds = 10});
  EXPECT_TRUE(find_kept_check(key, 5));
  EXPECT_TRUE(find_kept_check(key, 10));
  EXPECT_FALSE(find_kept_check(key, 20));
  keep_check(key, kPassed);
  EXPECT_TRUE(find_kept_check(key, 20));
}

TEST_F(KeptCheck, IsNotAFaultThatMayPass) {
  const std::string key = key_of(kDevice);
  DeviceCheck busy = kWrong;
  busy.lasting = false;
  EXPECT_EQ(keep_check(key, busy).fault, kWrong.fault);
  EXPECT_FALSE(find_kept_check(key));
  EXPECT_FALSE(fs::exists(kept_check_file(key)));
}

TEST_F(KeptCheck, IsNoneWhereItsFileIsBroken) {
  const std::string key = key_of(kDevice);
  keep_check(key, kPassed);
  const fs::path file = kept_check_file(key);
  const std::string whole = test::content(file);
  for (const std::string& broken : {std::string(), whole.substr(0, whole.size() / 2), std::string("{}\n"),
                                    std::string("{\"key\": 1, \"check\": 1}"), std::string("\xff\0garbage", 9)}) {
    std::ofstream(file) << broken;
    EXPECT_FALSE(find_kept_check(key)) << broken;
  }
  keep_check(key, kPassed);
  EXPECT_TRUE(find_kept_check(key));
}

TEST(KeptChecks, AreNoneWithoutACache) {
  const test::ScratchFolder folder;
  std::ofstream(folder.path() / "file") << "no folder";
  for (const std::string& place : {std::string(), (folder.path() / "file").string()}) {
    const test::CacheAt cache(place);
    const std::string key = key_of(kDevice);
    EXPECT_EQ(keep_check(key, kWrong).fault, kWrong.fault);
    EXPECT_FALSE(find_kept_check(key));
  }
}

}  // namespace
}  // namespace armilla::backend
