#include <armilla/bench/bench.hpp>
#include <armilla/bench/calibration.hpp>
#include <armilla/bench/scaling.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/write.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "end_together.hpp"
#include "launcher.hpp"
#include "memory_option.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include "whole_number.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::app {

namespace {

struct BenchArguments {
  bench::BenchSweep sweep;
  std::string json;
  std::optional<core::Index> memory_limit;
  bool calibrate = false;
  std::string rates, folder = ".";
  std::string scaling, report;
  std::vector<int> predict;
  int ranks_per_node = 1;
};

void run_all(const comm::Communicator& comm, const BenchArguments& arguments) {
  auto cases = bench::bench_cases(arguments.sweep);
  const auto memory_limit = memory_limit_or_default(arguments.memory_limit);
  // Fails before the measurements if the folder is not writable.
  if (!arguments.json.empty()) const io::AtomicFile trial(comm, arguments.json);
  bench::choose_backends(comm, cases);
  nlohmann::json records = nlohmann::json::array();
  if (comm.is_root()) print_now(bench::bench_table_head());
  for (const bench::BenchCase& one : cases) {
    const bench::BenchRecord record = bench::run_bench(comm, one, memory_limit);
    records.push_back(bench::bench_json(record));
    if (comm.is_root()) print_now(bench::bench_table_row(record));
  }
  if (!arguments.json.empty()) io::write_text(comm, arguments.json, records.dump(2) + "\n");
}

/// Returns the path of the file that stores the rates.
std::string rates_file(const BenchArguments& arguments) {
  if (!arguments.rates.empty()) return arguments.rates;
  const std::filesystem::path file = cost::Rates::cache_file();
  if (file.empty())
    throw core::InputError("there is no cache folder for rates: set ARMILLA_CACHE_DIR or use --rates FILE");
  return file.string();
}

/// Collective. Adds the measured rates to the file of rates.
void run_calibration(const comm::Communicator& comm, const BenchArguments& arguments) {
  std::string file;
  cost::Rates rates = cost::Rates::built_in();
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    file = rates_file(arguments);
    std::error_code error;  // if the folder cannot be made, the file cannot be written, which is reported below
    if (arguments.rates.empty()) std::filesystem::create_directories(std::filesystem::path(file).parent_path(), error);
    if (std::filesystem::exists(file, error)) rates = cost::Rates::from_file(file);
  });
  file = comm.broadcast(file);
  const io::AtomicFile trial(comm, file);  // fails before the measurements if the file is not writable
  bench::CalibrationOptions options{.folder = arguments.folder, .tell = {}};
  options.tell = [](const std::string& what) { print_now(fmt::format("measuring {}\n", what)); };
  rates.put(bench::calibrate(comm, options));
  io::write_text(comm, file, comm.is_root() ? rates.text() : std::string());
  if (comm.is_root()) print_text(fmt::format("rates written to {}\n", file));
}

cost::Rates rates_of(const BenchArguments& arguments) {
  return arguments.rates.empty() ? cost::Rates::of_this_machine() : cost::Rates::from_file(arguments.rates);
}

bench::Study study_of(const BenchArguments& arguments) {
  return arguments.scaling == "weak" ? bench::Study::kWeak : bench::Study::kStrong;
}

/// Predicts the points of a scaling study. Needs no MPI.
int predict(const BenchArguments& arguments) {
  const cost::Rates rates = rates_of(arguments);
  nlohmann::json points = nlohmann::json::array();
  for (const bench::BenchCase& one : bench::bench_cases(arguments.sweep))
    for (auto& point : bench::predict_points(one, study_of(arguments), arguments.predict, arguments.ranks_per_node,
                                             core::thread_count(), rates))
      points.push_back(std::move(point));
  const std::string text = points.dump(2) + "\n";
  if (arguments.report.empty())
    print_text(text);
  else
    io::write_text(comm::Communicator::self(), arguments.report, text);
  return core::kExitDone;
}

/// Collective. Measures one point of a scaling study for each case.
void run_scaling(const comm::Communicator& comm, const BenchArguments& arguments) {
  auto cases = bench::bench_cases(arguments.sweep);
  const auto memory_limit = memory_limit_or_default(arguments.memory_limit);
  cost::Rates rates = cost::Rates::built_in();
  comm::phase(comm, [&] {
    if (comm.is_root()) rates = rates_of(arguments);
  });
  if (!arguments.report.empty()) const io::AtomicFile trial(comm, arguments.report);
  bench::choose_backends(comm, cases);
  nlohmann::json points = nlohmann::json::array();
  for (const bench::BenchCase& one : cases) {
    const nlohmann::json point = bench::measure_point(comm, one, study_of(arguments), rates, memory_limit);
    if (comm.is_root())
      print_now(fmt::format("{} {} lmax {}: {} ranks with {} threads, {:.4g} s, predicted {:.4g} s\n",
                            arguments.scaling, point["grid"].get<std::string>(), point["lmax"].get<core::Index>(),
                            point["ranks"].get<int>(), point["threads"].get<int>(),
                            point["wall"]["median"].get<double>(), point["predicted"]["seconds"].get<double>()));
    points.push_back(point);
  }
  if (!arguments.report.empty())
    io::write_text(comm, arguments.report, comm.is_root() ? points.dump(2) + "\n" : std::string());
}

/// Throws InputError for options that exclude each other and for missing options.
void check(const BenchArguments& arguments) {
  if (arguments.calibrate && (!arguments.scaling.empty() || !arguments.sweep.grids.empty()))
    throw core::InputError("--calibrate measures its own cases: remove --scaling and --grid");
  if (!arguments.calibrate && arguments.sweep.grids.empty())
    throw core::InputError("--grid is missing: specify one such as healpix:512 or gauss:1024, or use --calibrate");
  if (arguments.scaling.empty() && (!arguments.report.empty() || !arguments.predict.empty()))
    throw core::InputError("--report and --predict apply to scaling studies: add --scaling strong or --scaling weak");
  if (!arguments.scaling.empty() && !arguments.json.empty())
    throw core::InputError("--json does not apply to scaling studies: use --report");
}

int bench(const BenchArguments& arguments) {
  if (!arguments.predict.empty()) {
    check(arguments);
    return predict(arguments);
  }
  const comm::Session session = start_mpi();
  const EndTogether end;
  const comm::Communicator world = comm::Communicator::world();
  if (!world.is_root()) core::log().set_level(spdlog::level::off);
  try {
    check(arguments);
    if (arguments.calibrate)
      run_calibration(world, arguments);
    else if (!arguments.scaling.empty())
      run_scaling(world, arguments);
    else
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
  CLI::App* verb = app.add_subcommand("bench", "Time transforms and compare them with the operation count");
  const auto add_list = [verb](const char* name, auto& list, const char* text, const char* type) {
    return verb->add_option(name, list, text)
        ->delimiter(',')
        ->type_name(type)
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
  };
  add_list("--grid", sweep.grids, "healpix:NSIDE, gauss:NLAT[:NPHI], cc:NLAT, reduced_gauss:NLAT etc.", "GRID");
  add_list("--lmax", sweep.lmax, "Largest degree; default: the limit of the grid for analysis", "L");
  add_list("--spin", sweep.spins, "Spin of the field; default: 0", "S");
  add_list("--direction", sweep.directions, "synthesis (default), analysis (quadrature), adjoint, adjoint_analysis",
           "WORD");
  add_list("--maps", sweep.maps, "Maps per transform; default: 1", "K");
  add_list("--precision", sweep.precisions, "double (default) or single", "WORD");
  add_list("--backend", sweep.backends, "auto (default), cuda, cpu", "NAME");
  add_list("--engine", sweep.engines, "Engine of the Legendre stage; default: auto", "NAME");
  add_list("--theta-resampling", sweep.theta_resampling, "auto (default), on, off", "WORD");
  add_list("--rounds", sweep.rounds, "Timed repetitions of each transform; default: 7", "N");
  add_memory_limit(*verb, arguments->memory_limit);
  verb->add_option("--json", arguments->json, "Write all records as a JSON array")->type_name("FILE");
  verb->add_flag("--calibrate", arguments->calibrate, "Measure the rates that `armilla plan` uses");
  verb->add_option("--rates", arguments->rates, "Rates file; default: the file of this machine in the cache")
      ->type_name("FILE");
  verb->add_option("--folder", arguments->folder, "Folder for the test files of --calibrate; default: current folder")
      ->type_name("DIR");
  verb->add_option("--scaling", arguments->scaling, "strong: fixed size; weak: size grows with the number of ranks")
      ->check(CLI::IsMember({"strong", "weak"}).description(""))
      ->type_name("WORD");
  verb->add_option("--report", arguments->report, "Write the points of a scaling study as JSON")->type_name("FILE");
  verb->add_option("--predict", arguments->predict, "Predict a study for these numbers of ranks, without MPI")
      ->delimiter(',')
      ->check(whole_number(1, 1 << 24))
      ->type_name("N");
  verb->add_option("--ranks-per-node", arguments->ranks_per_node, "Ranks per node for --predict; default: 1")
      ->check(whole_number(1, 1 << 16))
      ->type_name("N");
  verb->footer(
      "Each option from --grid to --rounds takes a list, such as 0,2: all combinations are run.\n"
      "peak%: operations of the Legendre stage per second, relative to the measured peak of the cores.\n"
      "error: relative rms against the reference engine on 16 rings.\n"
      "Example: OMP_NUM_THREADS=2 armilla bench --grid gauss:1024 --lmax 1023 --spin 0,2 --json b.json");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return bench(*arguments); }; });
}

}  // namespace armilla::app
