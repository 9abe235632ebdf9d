#include "run_options.hpp"

#include <map>
#include <regex>

#include "verbs.hpp"

namespace armilla::app {

namespace {

double number_of(const std::string& digits) { return digits.empty() ? 0 : std::stod(digits); }

job::CampaignPart parse_part(const std::string& text) {
  static const std::regex form("([0-9]{1,9})/([0-9]{1,9})");
  std::smatch found;
  if (std::regex_match(text, found, form)) {
    const job::CampaignPart part{std::stoll(found[1]), std::stoll(found[2])};
    if (part.number >= 1 && part.number <= part.of && part.of <= 30000) return part;
  }
  throw CLI::ValidationError("--part",
                             "'" + text + "' is not a valid part: expected I/N, such as 2/8, with I from 1 to N");
}

double parse_lock_wait(const std::string& text) {
  static const std::regex form("[0-9]{1,9}(\\.[0-9]{1,9})?");
  if (std::regex_match(text, form)) return std::stod(text);
  throw CLI::ValidationError("--lock-wait",
                             "'" + text + "' is not a valid number of seconds: expected 0 or more, such as 30");
}

}  // namespace

double parse_duration(const std::string& text) {
  static const std::regex with_unit("([0-9]{1,9}(\\.[0-9]{1,9})?)([dhms])");
  static const std::regex clock("(([0-9]{1,6})-)?([0-9]{1,6}):([0-5]?[0-9]):([0-5]?[0-9])");
  static const std::map<std::string, double> units{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}};
  std::smatch found;
  double seconds = 0;
  if (std::regex_match(text, found, with_unit))
    seconds = std::stod(found[1]) * units.at(found[3]);
  else if (std::regex_match(text, found, clock))
    seconds = number_of(found[2]) * 86400 + number_of(found[3]) * 3600 + number_of(found[4]) * 60 + number_of(found[5]);
  if (!(seconds > 0))
    throw CLI::ValidationError("--max-time",
                               "'" + text + "' is not a valid time: expected 3h, 90m, 45s, HH:MM:SS or D-HH:MM:SS");
  return seconds;
}

void add_job_options(CLI::App& verb, std::vector<std::string>& overrides, std::string& output_dir) {
  verb.add_option("--set", overrides, "Override a value of the job; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  verb.add_option("--output-dir", output_dir, "Base folder for relative output paths")
      ->type_name("DIR")
      ->check(CLI::Validator([](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, ""));
}

void add_campaign_options(CLI::App& verb, job::RunOptions& options, std::optional<double>& max_seconds) {
  verb.add_option_function<std::string>(
          "--part", [&options](const std::string& text) { options.part = parse_part(text); },
          "Process only part I of N of the maps of a campaign (for job arrays)")
      ->type_name("I/N");
  verb.add_flag("--restart", options.restart, "Ignore maps and checkpoints of earlier runs and start over");
  verb.add_option_function<std::string>(
          "--max-time", [&max_seconds](const std::string& text) { max_seconds = parse_duration(text); },
          "Stop cleanly before this time has passed: 3h, 90m or HH:MM:SS")
      ->type_name("TIME");
  verb.add_option_function<std::string>(
          "--lock-wait", [&options](const std::string& text) { options.lock_wait_seconds = parse_lock_wait(text); },
          "Wait at most this long for another run of the same job; default 30")
      ->type_name("SECONDS");
}

}  // namespace armilla::app
