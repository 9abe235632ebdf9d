#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/job/parse/job_source.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <istream>

#include <fmt/format.h>

namespace armilla::job {

namespace {

// Jobs have a few kB. A stream without end, such as /dev/zero, must not fill the memory.
constexpr std::size_t kLargestJob = std::size_t{16} << 20;

std::string text_of(std::istream& stream, const std::string& name) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  std::string text;
  while (stream) {
    const std::size_t before = text.size();
    text.resize(before + kPiece);
    stream.read(text.data() + before, kPiece);
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLargestJob)
      throw core::InputError(
          fmt::format("{} has more than {} MiB, so it is not a job: pass a job file in YAML", name, kLargestJob >> 20));
  }
  return text;
}

std::string text_of_input() {
  std::string text = text_of(std::cin, "standard input");
  if (std::cin.bad()) throw core::InputError("cannot read standard input");
  return text;
}

std::string text_of_job(const std::string& file) {
  core::check_readable(file);
  std::ifstream stream(file);
  std::string text = text_of(stream, fmt::format("'{}'", file));
  if (stream.bad() || !stream.is_open())
    throw core::InputError(fmt::format("cannot read job file {}: {}", file, std::strerror(errno)));
  if (text.find('\0') != std::string::npos || text.starts_with("SIMPLE  ="))
    throw core::InputError(fmt::format(
        "{} is not a job file but binary data: run 'armilla inspect {}' to see what it contains", file, file));
  return text;
}

}  // namespace

JobSource::JobSource(const std::string& file)
    : name(file == "-" ? "standard input" : file),
      text([file] { return file == "-" ? text_of_input() : text_of_job(file); }) {}

}  // namespace armilla::job
