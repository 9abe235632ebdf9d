// The corpus of the fuzz targets, and a few thousand mutations of it that are the same in each run.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "targets.hpp"
#include <gtest/gtest.h>

namespace armilla::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargestFile = 1 << 16;
constexpr int kMutations = 40;   // of each file
constexpr double kLongest = 20;  // [s]

Bytes content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::filesystem::path> corpus(const Target& target) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(ARMILLA_FUZZ_CORPUS) / std::string(target.name)))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Flips bits and cuts the end off. Not of HDF5 files, as the HDF5 library may crash on them (docs/reliability.md).
void mutate_bytes(const Target& target, Bytes& bytes, Random& random) {
  if (bytes.empty() || target.name == "hdf5") return;
  for (std::size_t i = 0, changes = 1 + random.below(8); i < changes; ++i)
    bytes[random.below(bytes.size())] ^= static_cast<std::uint8_t>(1U << random.below(8));
  if (random.one_in(8)) bytes.resize(1 + random.below(bytes.size()));
}

/// Runs one file; every exception but InputError is a failure, and so is a long time.
bool run(const Target& target, const Bytes& file, const std::string& what) {
  const auto start = Clock::now();
  bool read = false;
  try {
    read = target.run(file);
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), kLongest) << what;
  return read;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, FilesAreReadOrRefused) {
  const auto files = corpus(GetParam());
  ASSERT_FALSE(files.empty());
  int good = 0;
  for (const auto& path : files) {
    const bool read = run(GetParam(), content_of(path), path.filename().string());
    if (!path.filename().string().starts_with("good")) continue;
    EXPECT_TRUE(read) << path.filename().string() << " is a good file";
    ++good;
  }
  EXPECT_GT(good, 3);
}

TEST_P(Corpus, MutationsAreReadOrRefused) {
  const auto files = corpus(GetParam());
  int changed = 0;
  for (const auto& path : files) {
    const Bytes seed = content_of(path);
    for (std::uint32_t i = 0; i < kMutations; ++i) {
      Random random(i);
      Bytes file = seed;
      mutate(GetParam(), file, kLargestFile, random,
             [&](Bytes& bytes, std::size_t) { mutate_bytes(GetParam(), bytes, random); });
      if (file != seed) ++changed;
      run(GetParam(), file, path.filename().string() + ", mutation " + std::to_string(i));
    }
  }
  EXPECT_GT(changed, kMutations * static_cast<int>(files.size()) / 2);
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& found) { return std::string(found.param.name); });

}  // namespace

}  // namespace armilla::fuzz
