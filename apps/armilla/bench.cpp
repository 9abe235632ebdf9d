#include <armilla/bench/bench.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/write.hpp>

#include <memory>
#include <optional>

#include "check_device.hpp"
#include "end_together.hpp"
#include "memory_option.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

namespace armilla::app {

namespace {

/// How long a rank with an error waits for the others before it takes itself for the only one: see run.cpp.

struct BenchArguments {
  bench::BenchSweep sweep;
  std::string json;
  std::optional<core::Index> memory_limit;
};

void run_all(const comm::Communicator& comm, const BenchArguments& arguments) {
  auto cases = bench::bench_cases(arguments.sweep);
  const auto memory_limit = memory_limit_or_default(arguments.memory_limit);
  // A folder that cannot be written is found before the work.
  if (!arguments.json.empty()) const io::AtomicFile trial(comm, arguments.json);
  bench::choose_backends(comm, cases, check_in_child());
  nlohmann::json records = nlohmann::json::array();
  if (comm.is_root()) print_now(bench::bench_table_head());
  for (const bench::BenchCase& one : cases) {
    const bench::BenchRecord record = bench::run_bench(comm, one, memory_limit);
    records.push_back(bench::bench_json(record));
    if (comm.is_root()) print_now(bench::bench_table_row(record));
  }
  if (!arguments.json.empty()) io::write_text(comm, arguments.json, records.dump(2) + "\n");
}

int bench(const BenchArguments& arguments) {
  int no_arguments = 0;
  char** no_values = nullptr;
  comm::Session session(no_arguments, no_values);
  const EndTogether end;
  const comm::Communicator world = comm::Communicator::world();  // outlives errors: freeing it is collective
  if (!world.is_root()) spdlog::set_level(spdlog::level::off);
  try {
    run_all(world, arguments);
    return core::kExitDone;
  } catch (...) {
    return end.report(core::describe_current_exception());
  }
}

}  // namespace

void add_bench(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<BenchArguments>();
  bench::BenchSweep& sweep = arguments->sweep;
  CLI::App* verb = app.add_subcommand("bench", "Time transforms, and compare them with the operation count");
  const auto add_list = [verb](const char* name, auto& list, const char* text, const char* type) {
    return verb->add_option(name, list, text)
        ->delimiter(',')
        ->type_name(type)
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
  };
  add_list("--grid", sweep.grids, "healpix:NSIDE, gauss:NLAT[:NPHI], cc:NLAT, reduced_gauss:NLAT ..", "GRID")
      ->required();
  add_list("--lmax", sweep.lmax, "Default: the largest for analysis on the grid", "L");
  add_list("--spin", sweep.spins, "Default: 0", "S");
  add_list("--direction", sweep.directions, "synthesis (default), analysis (quadrature), adjoint, adjoint_analysis",
           "WORD");
  add_list("--maps", sweep.maps, "Maps in one transform, default 1", "K");
  add_list("--precision", sweep.precisions, "double (default) or single", "WORD");
  add_list("--backend", sweep.backends, "auto (default), cuda, cpu", "NAME");
  add_list("--engine", sweep.engines, "Of the Legendre stage, default auto", "NAME");
  add_list("--theta-resampling", sweep.theta_resampling, "auto (default), on, off", "WORD");
  add_list("--rounds", sweep.rounds, "Times that each transform is timed, default 7", "N");
  add_memory_limit(*verb, arguments->memory_limit);
  verb->add_option("--json", arguments->json, "Write an array of all records")->type_name("FILE");
  verb->footer(
      "Each option but --json and --memory-limit takes a list, as 0,2: all combinations are run.\n"
      "peak%: operation count of the Legendre stage per second, of the cores' peak, measured in between.\n"
      "error: relative rms against the reference engine on 16 rings.\n"
      "Example: OMP_NUM_THREADS=2 armilla bench --grid gauss:1024 --lmax 1023 --spin 0,2 --json b.json");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return bench(*arguments); }; });
}

}  // namespace armilla::app
