#include "check_device.hpp"

#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace armilla::app {

namespace {

constexpr double kMaxSeconds = 86400;

struct CheckArguments {
  std::string backend;
  backend::Placement place;
  core::Precision precision = core::Precision::kDouble;
};

int check_device(const CheckArguments& arguments) {
  // Exits with the rank that started it. Disables core dumps, because a crash is a valid result. Uses one thread: the
  // other cores belong to other ranks, and the rank's binding may put all threads on one core.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Signals go to the whole process group, so ignore them here: the parent rank terminates this process and does not
  // treat an unfinished check as a result.
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) std::signal(signal, SIG_IGN);
  const rlimit no_core_file{0, 0};
  setrlimit(RLIMIT_CORE, &no_core_file);
  core::set_thread_count(1);
  const backend::Kind kind = backend::kind_of(arguments.backend);
  const backend::DeviceCheck check = arguments.precision == core::Precision::kSingle
                                         ? backend::check_device<float>(kind, arguments.place)
                                         : backend::check_device<double>(kind, arguments.place);
  print("{}\n", backend::check_to_json(check));
  return core::kExitDone;
}

}  // namespace

backend::CheckMethod check_in_child() {
  backend::CheckMethod method{.program = "/proc/self/exe"};  // is valid even if the file has been replaced
  if (const char* text = std::getenv("ARMILLA_DEVICE_CHECK_SECONDS")) {
    char* end = nullptr;
    method.limit_seconds = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(method.limit_seconds > 0 && method.limit_seconds <= kMaxSeconds))
      throw core::InputError(
          fmt::format("ARMILLA_DEVICE_CHECK_SECONDS = '{}' is not a number between 0 and {}: set the time limit of the "
                      "GPU check in seconds",
                      text, kMaxSeconds));
  }
  return method;
}

void add_check_device(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb = app.add_subcommand(backend::kCheckVerb, "Check the device of one rank; for internal use");
  verb->group("");  // hidden
  verb->add_option("--backend", arguments->backend, "Backend with devices")->required()->type_name("NAME");
  verb->add_option("--rank", arguments->place.rank, "Index of the rank on this machine")->type_name("N");
  verb->add_option("--ranks", arguments->place.ranks, "Ranks on this machine")->type_name("N");
  static const std::map<std::string, core::Precision> precisions{{"single", core::Precision::kSingle},
                                                                 {"double", core::Precision::kDouble}};
  verb->add_option("--precision", arguments->precision, "double (default) or single")
      ->transform(CLI::CheckedTransformer(precisions).description(""))
      ->type_name("NAME");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return check_device(*arguments); }; });
}

}  // namespace armilla::app
