#include <armilla/backend/devices.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/large_memory.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/text.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/report/versions.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "end_together.hpp"
#include "launcher.hpp"
#include "standard_streams.hpp"
#include "thread_waits.hpp"
#include "usage_error.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>

namespace armilla::app {
namespace {

/// Messages of the log may contain texts from files.
class PrintableFormatter : public spdlog::formatter {
 public:
  explicit PrintableFormatter(std::unique_ptr<spdlog::formatter> inner) : formatter_(std::move(inner)) {}
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const std::string safe = core::printable_lines({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg printable = message;
    printable.payload = safe;
    formatter_->format(printable, line);
    // Positions of the colours.
    message.color_range_start = printable.color_range_start;
    message.color_range_end = printable.color_range_end;
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<PrintableFormatter>(formatter_->clone());
  }

 private:
  std::unique_ptr<spdlog::formatter> formatter_;
};

void start_log() {
  core::log().set_formatter(std::make_unique<PrintableFormatter>(
      std::make_unique<spdlog::pattern_formatter>("%H:%M:%S armilla: %^%l%$: %v")));
  core::log().set_level(spdlog::level::info);
}

std::string gpus() {
  if (std::string(core::kCudaBuild) != "ON") return "built without CUDA";
  std::string text;
  for (const backend::Device& device : backend::visible_devices())
    text += fmt::format("{}{} ({}.{}, {} GiB)", text.empty() ? "" : ", ", device.name, device.compute_major,
                        device.compute_minor, device.memory_bytes >> 30);
  return text.empty() ? "built with CUDA, no GPU visible" : "built with CUDA, visible: " + text;
}

// Version, compiler, build type, CUDA, and the versions of the libraries in use.
std::string version_text() {
  std::string libraries;
  for (const auto& [name, version] : job::library_versions())
    libraries += fmt::format("{}{} {}", libraries.empty() ? "" : "; ", name, version);
  return fmt::format("armilla {}\ncompiler: {}, {}, {}\nGPUs: {}\nlibraries: {}", core::kVersion, core::kCompiler,
                     core::kBuildType, legendre::kernel_instruction_set(), gpus(), libraries);
}

bool is_step(const std::string& verb) {
  return std::ranges::find(job::operation_kinds(), verb, &job::OperationKind::name) != job::operation_kinds().end();
}

/// Help was requested for a verb that does not exist, such as a step that is available only in job files.
bool is_help_for_unknown_verb(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extra = app.remaining();
  return error.get_name() == "CallForHelp" && app.get_subcommands().empty() && !extra.empty() &&
         !extra.front().starts_with("-");
}

/// --help and --version are not errors. All ranks see the same command line. Only rank 0 prints the message and returns
/// an error: launchers kill all ranks when one fails, possibly before rank 0 has printed.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  if (!is_first_rank()) return core::kExitDone;
  if (error.get_exit_code() == 0 && !is_help_for_unknown_verb(app, error)) {
    std::ostringstream text;
    app.exit(error, text);
    print_text(text.str());
    check_standard_output();
    return core::kExitDone;
  }
  print_error(fmt::format("armilla: error: {}\nSee: armilla --help, or armilla VERB --help\n",
                          describe_usage_error(app, error)));
  return core::kExitInput;
}

int run(int argc, char** argv) {
  CLI::App app("Spherical harmonic transforms on clusters.");
  app.name("armilla");
  app.set_version_flag("--version", version_text(), "Print version, compiler and libraries, then exit");
  app.footer(
      "Most job steps are also verbs: see armilla list steps. Each verb has its own --help.\n"
      "Example: armilla smooth map.fits --fwhm-arcmin 60 -o smooth.fits\n"
      "Example: mpirun -n 4 armilla run job.yaml");
  app.require_subcommand(1);
  Action chosen;
  add_run(app, chosen);
  add_plan(app, chosen);
  add_inspect(app, chosen);
  add_convert(app, chosen);
  add_view(app, chosen);
  add_status(app, chosen);
  add_verify(app, chosen);
  add_bench(app, chosen);
  add_doctor(app, chosen);
  add_list(app, chosen);
  add_help(app, chosen);
  add_completion(app, chosen);
  add_steps(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  }
  using core::StopSignals;
  const std::string verb = app.get_subcommands().front()->get_name();
  const bool runs_job = verb == "run" || is_step(verb);
  const StopSignals signals(runs_job ? StopSignals::Usr1::kAtBoundary : StopSignals::Usr1::kAtOnce,
                            is_first_rank() ? StopSignals::Speech::kSpeaks : StopSignals::Speech::kSilent);
  const int code = chosen();
  if (code == core::kExitDone) check_standard_output();
  return code;
}

int run_and_report(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (...) {
    return report_error(core::describe_current_exception());
  }
}

}  // namespace
}  // namespace armilla::app

int main(int argc, char** argv) {
  armilla::app::limit_thread_waits(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // write() then returns an error at the file size limit, which is reported
  armilla::app::open_standard_streams();
  armilla::core::return_freed_memory();
  armilla::app::start_log();
  return armilla::app::run_and_report(argc, argv);
}
