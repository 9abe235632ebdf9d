#pragma once

#include <armilla/core/error.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/write.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace armilla::test {

using core::Index;

/// A fresh folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  /// Names in the folder, hidden ones too, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

/// While alive, a process cannot make a file larger than `bytes`: what a full disk looks like to a writer.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(Index bytes);
  ~FileSizeLimit();
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  unsigned long long before_;
};

inline TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "armilla_io_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

inline TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

inline std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

inline FileSizeLimit::FileSizeLimit(Index bytes) {
  std::signal(SIGXFSZ, SIG_IGN);  // as the program does, so that writes fail instead of ending it
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  before_ = limit.rlim_cur;
  limit.rlim_cur = static_cast<rlim_t>(bytes);
  setrlimit(RLIMIT_FSIZE, &limit);
}

inline FileSizeLimit::~FileSizeLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(before_);
  setrlimit(RLIMIT_FSIZE, &limit);
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Cuts a file off.
inline void truncate_to(const std::string& path, Index bytes) {
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes));
}

/// A value of a pixel that single precision cannot hold exactly and that tells component and pixel.
inline double pixel_value(Index component, Index pixel) {
  return std::sin(1.0 + static_cast<double>(pixel) * 0.7) + static_cast<double>(component) * 10.0 / 3.0;
}

inline std::complex<double> alm_value(Index component, Index l, Index m) {
  const auto x = static_cast<double>(l * 1000 + m);
  return {std::cos(x) + static_cast<double>(component) / 3.0, m == 0 ? 0.0 : std::sin(x)};
}

/// [component][own pixel] of a rank.
template <class T>
std::vector<T> map_values(const dist::PixelDistribution& pixels, int rank, Index components) {
  std::vector<T> values;
  for (Index c = 0; c < components; ++c)
    for (const dist::PixelRange& range : pixels.pixel_ranges(rank))
      for (Index i = 0; i < range.count; ++i) values.push_back(static_cast<T>(pixel_value(c, range.first + i)));
  return values;
}

/// [component][own m, l] of a rank.
template <class T>
std::vector<std::complex<T>> alm_values(const dist::AlmDistribution& alm, int rank, Index components) {
  std::vector<std::complex<T>> values;
  for (Index c = 0; c < components; ++c)
    for (const Index m : alm.local_m(rank))
      for (Index l = m; l <= alm.layout().lmax(); ++l) values.push_back(std::complex<T>(alm_value(c, l, m)));
  return values;
}

/// All own components, read over NaN, so that what is not written shows.
template <class T>
std::vector<T> read_all_maps(const io::MapInfo& info, const dist::PixelDistribution& pixels, int rank,
                             io::BadDataPolicy policy = io::BadDataPolicy::kError) {
  const auto own = static_cast<std::size_t>(pixels.local_pixels(rank));
  std::vector<T> values(own * static_cast<std::size_t>(info.components), std::numeric_limits<T>::quiet_NaN());
  for (Index c = 0; c < info.components; ++c)
    io::read_map<T>(info, c, pixels.pixel_ranges(rank),
                    std::span(values).subspan(static_cast<std::size_t>(c) * own, own), policy,
                    io::sign_to_cosmo(info.metadata, static_cast<std::size_t>(c)));
  return values;
}

template <class T>
std::vector<std::complex<T>> read_all_alm(const io::AlmInfo& info, const dist::AlmDistribution& alm, int rank) {
  const auto own = static_cast<std::size_t>(alm.local_size(rank));
  std::vector<std::complex<T>> values(own * static_cast<std::size_t>(info.components),
                                      std::numeric_limits<T>::quiet_NaN());
  for (Index c = 0; c < info.components; ++c)
    io::read_alm<T>(info, c, alm, rank, std::span(values).subspan(static_cast<std::size_t>(c) * own, own));
  return values;
}

/// Rounded to what a file of that precision holds. Volatile, because GCC 12 at -O2 leaves the rounding out where it
/// vectorises two of them, as in a complex number.
template <class T>
T stored(T value, core::Precision precision) {
  if (precision == core::Precision::kDouble) return value;
  const volatile auto rounded = static_cast<float>(value);
  return static_cast<T>(rounded);
}
template <class T>
std::complex<T> stored(std::complex<T> value, core::Precision precision) {
  return {stored(value.real(), precision), stored(value.imag(), precision)};
}

template <class V>
void expect_stored(const std::vector<V>& read, const std::vector<V>& written, core::Precision precision) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], stored(written[i], precision)) << "at " << i;
}

/// Expects `action` to throw Error with a message that contains all `parts`.
template <class Error, class Action>
void expect_error(Action action, const std::vector<std::string>& parts) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "'" << part << "' is not in: " << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another error was thrown: " << error.what();
  }
}

}  // namespace armilla::test
