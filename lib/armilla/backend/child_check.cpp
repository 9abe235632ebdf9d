#include <armilla/backend/child_check.hpp>
#include <armilla/core/child_process.hpp>
#include <armilla/core/precision_name.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::backend {

namespace {

using core::ChildEnd;
using core::ChildResult;
using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Maximum number of characters of a child's standard error that a message quotes.
constexpr std::size_t kQuoted = 400;

// Signals that indicate a crash. Other signals are sent from outside: by the scheduler, or when the machine is out of
// memory.
constexpr std::array kSignalsOfCrashes{SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

std::string_view last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of("\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

/// The end of the child's output, as one line of printable characters.
std::string quoted(std::string text) {
  if (text.size() > kQuoted) text.erase(0, text.size() - kQuoted);
  std::string line;
  for (const char c : text) {
    const bool printable = c > ' ' && c <= '~';
    if (printable || (!line.empty() && line.back() != ' ')) line += printable ? c : ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line.empty() ? line : ". It printed: " + line;
}

DeviceCheck fault(bool lasting, const std::string& how, const ChildResult& result) {
  return {.rms = kInfinity, .fault = "the check of the GPU " + how + quoted(result.errors), .lasting = lasting};
}

}  // namespace

DeviceCheck check_device_in_child(const CheckMethod& method, Kind kind, const Placement& placement,
                                  core::Precision precision) {
  const ChildResult result =
      core::run_child(method.program,
                      {kCheckVerb, "--backend", name_of(kind), "--rank", std::to_string(placement.rank), "--ranks",
                       std::to_string(placement.ranks), "--precision", core::precision_name(precision)},
                      std::chrono::milliseconds(std::llround(1e3 * method.limit_seconds)));
  switch (result.end) {
    case ChildEnd::kTimedOut: {
      DeviceCheck check = fault(true, fmt::format("did not finish within {:g} s", method.limit_seconds), result);
      check.seconds = method.limit_seconds;
      return check;
    }
    case ChildEnd::kNotStarted:
      return fault(false, fmt::format("could not be started ({}): {}", method.program, std::strerror(result.number)),
                   result);
    case ChildEnd::kSignalled:
      return fault(std::ranges::find(kSignalsOfCrashes, result.number) != kSignalsOfCrashes.end(),
                   fmt::format("was terminated by signal {} ({})", result.number, strsignal(result.number)), result);
    case ChildEnd::kExited:
    case ChildEnd::kUnknown:
      break;
  }
  if (const auto check = check_from_json(std::string(last_line(result.output)))) return *check;
  return fault(false,
               result.end == ChildEnd::kExited ? fmt::format("exited with code {} and no result", result.number)
                                               : "ended without a result",
               result);
}

std::string check_to_json(const DeviceCheck& check) {
  const json line = {
      {"rms", check.rms}, {"fault", check.fault}, {"lasting", check.lasting}, {"seconds", check.seconds}};
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<DeviceCheck> check_from_json(const std::string& line) {
  const json check = json::parse(line, nullptr, false);
  if (!check.is_object()) return std::nullopt;
  const auto rms = check.find("rms");
  const auto fault = check.find("fault");
  const auto lasting = check.find("lasting");
  if (rms == check.end() || fault == check.end() || lasting == check.end()) return std::nullopt;
  if (!(rms->is_number() || rms->is_null()) || !fault->is_string() || !lasting->is_boolean()) return std::nullopt;
  const json seconds = check.value("seconds", json(0));
  if (!seconds.is_number()) return std::nullopt;
  return DeviceCheck{.rms = rms->is_null() ? kInfinity : rms->get<double>(),
                     .fault = *fault,
                     .lasting = *lasting,
                     .seconds = seconds.get<double>()};
}

}  // namespace armilla::backend
