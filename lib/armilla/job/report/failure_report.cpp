#include <armilla/core/log.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/job/journal/verify.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/report/failure_report.hpp>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace armilla::job {

namespace {

using nlohmann::json;

const char* kind_name(core::ErrorKind kind) {
  switch (kind) {
    case core::ErrorKind::kInput:
      return "input";
    case core::ErrorKind::kResource:
      return "resource";
    case core::ErrorKind::kStopped:
      return "stopped";
    case core::ErrorKind::kInternal:
      break;
  }
  return "internal";
}

/// Does not use phases, which throw once a signal has requested a stop.
void write_alone(const std::string& file, const std::string& text) {
  core::PartialFile partial(file);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(partial.path().c_str(), "wb"), &std::fclose);
  const bool is_written = out && std::fwrite(text.data(), 1, text.size(), out.get()) == text.size() &&
                          std::fflush(out.get()) == 0 && ::fsync(::fileno(out.get())) == 0;
  if (!is_written || std::fclose(out.release()) != 0) throw core::ResourceError(core::write_error_text(file, errno));
  partial.publish();
}

}  // namespace

json error_json(const core::CaughtError& error) {
  json result{{"kind", kind_name(error.kind)}, {"message", error.message}, {"exit_code", core::exit_code(error.kind)}};
  if (!error.context) return result;
  const core::ErrorContext& context = *error.context;
  const std::string text = core::sentence({.text = context.text});
  for (const auto& [key, part] :
       {std::pair("where", &context.where), {"section", &context.section}, {"key", &context.key}, {"text", &text}})
    if (!part->empty()) result[key] = *part;
  if (context.value) result["value"] = *context.value;
  return result;
}

void write_failure_report(const RunStart& start, const core::CaughtError& error, const std::string& file) {
  try {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && std::filesystem::file_size(file, ignored) > 0 &&
        !read_report(file)) {
      core::log().warn("--report: '{}' exists and is not an Armilla report, so it is not overwritten", file);
      return;
    }
    json report = start_json(start);
    report["seconds"] = core::now_seconds() - start.seconds;
    report["exit_code"] = core::exit_code(error.kind);
    report["error"] = error_json(error);
    write_alone(file, json_text(report, 2) + "\n");
  } catch (const std::exception& other) {
    if (error.message.find(other.what()) == std::string::npos) core::log().warn("--report: {}", other.what());
  }
}

}  // namespace armilla::job
