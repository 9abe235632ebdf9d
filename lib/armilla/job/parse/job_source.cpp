#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/job/parse/job_source.hpp>

#include <cstring>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

namespace armilla::job {

namespace {

std::string text_of_input() {
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (std::cin.bad()) throw core::InputError("cannot read standard input");
  return text;
}

std::string text_of_job(const std::string& file) {
  io::check_readable(file);
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
