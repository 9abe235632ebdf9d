#include <armilla/core/error.hpp>
#include <armilla/core/large_memory.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "launcher.hpp"
#include "verbs.hpp"
#include "version.hpp"
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace armilla::app {
namespace {

void start_log() {
  auto log = spdlog::stderr_color_mt("armilla");
  log->set_pattern("%H:%M:%S armilla: %^%l%$: %v");
  spdlog::set_default_logger(std::move(log));
}

/// Mistakes on the command line are bad input; help and version are no mistakes. Every rank sees the same line; the
/// first one speaks, and alone it fails: launchers kill all ranks when one fails, perhaps before the first has spoken.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  if (!is_first_rank()) return core::kExitDone;
  if (error.get_exit_code() == 0) return app.exit(error);
  fmt::print(stderr, "armilla: error: {}\nSee: armilla --help, or armilla VERB --help\n", error.what());
  return core::kExitInput;
}

int run(int argc, char** argv) {
  CLI::App app("Spherical harmonic transforms on clusters.");
  app.name("armilla");
  app.set_version_flag("--version", version_text(), "Print version, compiler and libraries, and end");
  app.footer("Example: mpirun -n 4 armilla run job.yaml\nEach verb has its own --help.");
  app.require_subcommand(1);
  Action chosen;
  add_run(app, chosen);
  add_inspect(app, chosen);
  add_convert(app, chosen);
  add_view(app, chosen);
  add_bench(app, chosen);
  add_check_device(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  }
  return chosen();
}

int run_and_report(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (...) {
    const auto error = core::describe_current_exception();
    fmt::print(stderr, "armilla: error: {}\n", error.message);
    return core::exit_code(error.kind);
  }
}

}  // namespace
}  // namespace armilla::app

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over its limit is then an error of write(), which is reported and cleaned up
  armilla::core::return_freed_memory();
  armilla::app::start_log();
  return armilla::app::run_and_report(argc, argv);
}
