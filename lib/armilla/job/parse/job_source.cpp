#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/job/parse/job_source.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <cstring>
#include <iostream>

#include <fmt/format.h>

namespace armilla::job {

namespace {

// Jobs have a few kB. A stream without end, such as /dev/zero, must not fill the memory.
constexpr Index kLargestJob = Index{16} << 20;

void check_size(Index bytes, const std::string& name) {
  if (bytes > kLargestJob)
    throw core::InputError(
        fmt::format("{} has more than {} MiB, so it is not a job: pass a job file in YAML", name, kLargestJob >> 20));
}

std::string text_of_input() {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  std::string text;
  while (std::cin) {
    const std::size_t before = text.size();
    text.resize(before + kPiece);
    std::cin.read(text.data() + before, kPiece);
    text.resize(before + static_cast<std::size_t>(std::cin.gcount()));
    check_size(static_cast<Index>(text.size()), "standard input");
  }
  if (std::cin.bad()) throw core::InputError("cannot read standard input");
  return text;
}

std::string text_of_job(const std::string& file) {
  check_size(core::InputFile(file).size(), fmt::format("'{}'", file));
  auto [text, error] = core::read_file(file);
  if (error != 0) throw core::InputError(fmt::format("cannot read job file {}: {}", file, std::strerror(error)));
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
