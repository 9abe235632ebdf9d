#include <armilla/core/error.hpp>
#include <armilla/draw/png.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>
#include <sys/resource.h>
#include <unistd.h>

namespace armilla::draw {
namespace {

namespace fs = std::filesystem;

class Png : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("armilla_draw_{}", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::string message_of(const std::string& path) {
  try {
    write_png(path, Image(4, 4));
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST_F(Png, ReadBackHasTheSameSizeAndColours) {
  Image image(37, 23);
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> channel(0, 255);
  const auto draw = [&] { return static_cast<std::uint8_t>(channel(random)); };
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) image.set(x, y, {draw(), draw(), draw()});
  const std::string path = folder_ / "noise.png";
  write_png(path, image);

  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&png, path.c_str())) << png.message;
  ASSERT_EQ(png.width, 37U);
  ASSERT_EQ(png.height, 23U);
  png.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(37 * 23);
  ASSERT_TRUE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr)) << png.message;
  EXPECT_EQ(pixels, std::vector<Rgb>(image.pixels().begin(), image.pixels().end()));
}

TEST_F(Png, ReplacesAnOlderPictureAndLeavesNothingElse) {
  const std::string path = folder_ / "a.png";
  std::ofstream(path) << "old";
  write_png(path, Image(5, 5));
  EXPECT_GT(fs::file_size(path), 3U);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Png, MissingFolderIsAnInputErrorThatNamesThePath) {
  const std::string path = folder_ / "absent" / "a.png";
  const std::string message = message_of(path);
  EXPECT_NE(message.find(path), std::string::npos) << message;
  EXPECT_NE(message.find("does not exist: create it"), std::string::npos) << message;
}

TEST_F(Png, AFolderInPlaceOfTheFileIsAnInputErrorAndLeavesNoTemporaryFile) {
  const std::string path = folder_ / "a.png";
  fs::create_directory(path);
  const std::string message = message_of(path);
  EXPECT_NE(message.find("a.png"), std::string::npos) << message;
  EXPECT_EQ(files(), 1U);
}

TEST_F(Png, AFullDiskIsAResourceErrorThatNamesThePath) {
  // A limit of file size stands for a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string path = folder_ / "full.png";
  std::string message = "no error";
  try {
    write_png(path, Image(600, 600));
  } catch (const core::ResourceError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(message.find("full.png': File too large"), std::string::npos) << message;
  EXPECT_EQ(files(), 0U);
}

TEST_F(Png, DevicesAreRefusedAndLinksAreFollowed) {
  const std::string message = message_of("/dev/null");
  EXPECT_NE(message.find("'/dev/null' cannot be written: it is a device"), std::string::npos) << message;
  fs::create_symlink("target.png", folder_ / "link.png");
  write_png(folder_ / "link.png", Image(4, 4));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.png"));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "target.png"));
}

TEST(Image, SizesThatCannotBeAreRefused) {
  EXPECT_THROW(Image(0, 5), core::InputError);
  EXPECT_THROW(Image(5, -1), core::InputError);
  EXPECT_THROW(Image(40000, 5), core::InputError);
}

}  // namespace
}  // namespace armilla::draw
