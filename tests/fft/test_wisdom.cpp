#include <armilla/fft/complex_plan.hpp>
#include <armilla/fft/fftw.hpp>
#include <armilla/fft/wisdom.hpp>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace armilla::fft {
namespace {

namespace fs = std::filesystem;

const std::set<Index> kLengths = {64, 512, 640};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// FFTW writes its entries in no particular order: lines, without the first with its checksum.
std::multiset<std::string> entries(const std::string& text) {
  std::istringstream stream(text);
  std::multiset<std::string> lines;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) lines.insert(line);
  return lines;
}

void forget() { fftw_forget_wisdom(); }

std::string measured(const std::set<Index>& lengths) {
  Wisdom<double>::measure(lengths);
  return Wisdom<double>::text();
}

class FftWisdom : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "armilla-wisdom-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    if (const char* value = std::getenv("ARMILLA_CACHE_DIR")) before_ = value;
    use(folder_ / "cache");
    forget();
  }
  void TearDown() override {
    before_.empty() ? unsetenv("ARMILLA_CACHE_DIR") : setenv("ARMILLA_CACHE_DIR", before_.c_str(), 1);
    forget();
    fs::remove_all(folder_);
  }
  static void use(const fs::path& cache) { setenv("ARMILLA_CACHE_DIR", cache.c_str(), 1); }

  fs::path folder_;
  std::string before_;
};

TEST_F(FftWisdom, LengthsOfMostRingsAreMeasured) {
  for (const Index n : {512, 640, 768, 896, 960, 1152, 8192, 15 * 1024}) EXPECT_TRUE(is_measured(n)) << n;
  for (const Index n : {0, 1, 4, 256, 480, 500, 700, 800, 1100, 8190}) EXPECT_FALSE(is_measured(n)) << n;
}

TEST_F(FftWisdom, FileIsInTheCacheFolder) {
  EXPECT_EQ(Wisdom<double>::file().parent_path(), folder_ / "cache");
  EXPECT_NE(Wisdom<double>::file(), Wisdom<float>::file());
}

TEST_F(FftWisdom, IsMeasuredWithoutAFolder) {
  const auto kept = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  const std::string xdg = kept("XDG_CACHE_HOME");
  const std::string home = kept("HOME");
  for (const char* name : {"ARMILLA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) unsetenv(name);
  EXPECT_EQ(Wisdom<double>::file(), "");
  EXPECT_GT(entries(measured({512})).size(), 1);
  if (!xdg.empty()) setenv("XDG_CACHE_HOME", xdg.c_str(), 1);
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

TEST_F(FftWisdom, IsMeasuredOnceAndReadBack) {
  const std::string first = measured(kLengths);
  const fs::path file = Wisdom<double>::file();
  const std::string kept = content(file);
  EXPECT_EQ(kept, first);
  const auto written = fs::last_write_time(file);
  EXPECT_EQ(entries(measured(kLengths)), entries(first));
  forget();
  EXPECT_EQ(entries(measured(kLengths)), entries(first));
  EXPECT_EQ(content(file), kept);
  EXPECT_EQ(fs::last_write_time(file), written);
  // More lengths are added; what was there stays.
  forget();
  Wisdom<double>::measure({768});
  EXPECT_NE(content(file), kept);
  forget();
  const std::string grown = content(file);
  Wisdom<double>::measure({512, 640, 768});
  EXPECT_EQ(content(file), grown);
  for (const auto& entry : fs::directory_iterator(file.parent_path()))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(FftWisdom, GoesToOtherProcessesAsText) {
  const std::string text = measured(kLengths);
  forget();
  EXPECT_NE(entries(Wisdom<double>::text()), entries(text));
  EXPECT_TRUE(Wisdom<double>::add(text));
  EXPECT_EQ(entries(Wisdom<double>::text()), entries(text));
  forget();
  std::string damaged = text;
  damaged[damaged.size() / 2] ^= 1;
  for (const std::string& wrong : {damaged, text.substr(0, text.size() / 2), std::string("x"), std::string()})
    EXPECT_FALSE(Wisdom<double>::add(wrong));
  EXPECT_FALSE(Wisdom<float>::add(text));
}

TEST_F(FftWisdom, DamagedFileIsReplaced) {
  Wisdom<double>::measure(kLengths);
  const fs::path file = Wisdom<double>::file();
  const std::string good = content(file);
  for (const std::string& wrong : {good.substr(0, good.size() / 2), std::string(), std::string("(fftw-3 nothing)\n")}) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << wrong;
    forget();
    const std::string text = measured(kLengths);
    EXPECT_EQ(content(file), text);
    forget();
    EXPECT_TRUE(Wisdom<double>::add(content(file)));
  }
}

TEST_F(FftWisdom, FolderThatCannotBeIsNoError) {
  std::ofstream(folder_ / "file") << "x";
  use(folder_ / "file" / "cache");
  EXPECT_GT(entries(measured(kLengths)).size(), 1);
  EXPECT_NO_THROW(ComplexPlan<double>(512));
}

TEST_F(FftWisdom, PlanLearnsByItself) {
  const ComplexPlan<double> plan(512);
  EXPECT_FALSE(fs::exists(Wisdom<double>::file()));
  const std::string known = Wisdom<double>::text();
  const ComplexPlan<double> again(512);
  EXPECT_EQ(entries(Wisdom<double>::text()), entries(known));
}

// Whoever comes second finds what the first one measured.
TEST_F(FftWisdom, ProcessesTakeTurns) {
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::string text = measured(kLengths);
      std::ofstream(folder_ / std::to_string(i), std::ios::binary) << text;
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::string kept = content(Wisdom<double>::file());
  EXPECT_FALSE(kept.empty());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(entries(content(folder_ / std::to_string(i))), entries(kept));
}

TEST_F(FftWisdom, ThreadsTakeTurns) {
  std::string one, other;
  std::thread first([&] { one = measured(kLengths); });
  std::thread second([&] { other = measured(kLengths); });
  first.join();
  second.join();
  EXPECT_EQ(entries(one), entries(other));
}

}  // namespace
}  // namespace armilla::fft
