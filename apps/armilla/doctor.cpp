#include <armilla/comm/communicator.hpp>
#include <armilla/core/log.hpp>
#include <armilla/doctor/examine.hpp>

#include <memory>
#include <string>

#include "end_together.hpp"
#include "launcher.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <nlohmann/json.hpp>

namespace armilla::app {

namespace {

struct DoctorArguments {
  doctor::Options options;
  bool json = false;
};

void flush_output() { print_now(""); }

void print_report(const doctor::Report& report, bool json) {
  if (json)
    print_json(doctor::report_json(report).dump(2) + "\n");
  else
    print_lines(doctor::report_text(report));
  flush_output();
}

int doctor(DoctorArguments& arguments) {
  const comm::Session session = start_mpi();
  const EndTogether end;
  const comm::Communicator world = comm::Communicator::world();
  if (!world.is_root()) core::log().set_level(spdlog::level::off);
  try {
    const doctor::Report report = doctor::examine(world, arguments.options);
    if (world.is_root()) print_report(report, arguments.json);
    world.barrier();  // launchers kill all ranks when one fails, so wait until rank 0 has printed
    return report.exit_code;
  } catch (...) {
    return end.report(core::describe_current_exception());
  }
}

}  // namespace

void add_doctor(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* verb = app.add_subcommand("doctor", "Check ranks, binding, MPI, GPUs, file system and arithmetic");
  verb->add_option("--folder", arguments->options.folder, "Folder on the file system to test; default: current folder")
      ->type_name("FOLDER");
  verb->add_flag("--json", arguments->json, "Print JSON with the details of every rank");
  verb->footer(
      "Example: srun --mpi=pmix armilla doctor --folder $SCRATCH\n"
      "Exit codes: 0 no findings, 1 warnings, 3 errors.");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return doctor(*arguments); }; });
}

}  // namespace armilla::app
