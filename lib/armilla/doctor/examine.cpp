#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/doctor/checks.hpp>
#include <armilla/doctor/examine.hpp>
#include <armilla/doctor/rank_facts.hpp>

#include <algorithm>
#include <array>

#include <mpi.h>

namespace armilla::doctor {

namespace {

std::string thread_level() {
  int level = MPI_THREAD_SINGLE;
  comm::check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  if (level == MPI_THREAD_MULTIPLE) return "MPI_THREAD_MULTIPLE";
  if (level == MPI_THREAD_SERIALIZED) return "MPI_THREAD_SERIALIZED";
  return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE";
}

MpiFacts mpi_facts() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  comm::check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return {.library = whole.substr(0, whole.find_first_of(",\n")),
          .threads = thread_level(),
          .claims_device_memory = comm::takes_device_memory()};
}

int exit_code_of(const std::vector<Finding>& findings) {
  if (findings.empty()) return core::kExitDone;
  const auto is_error = [](const Finding& finding) { return finding.severity == Severity::kError; };
  return std::ranges::any_of(findings, is_error) ? core::kExitResource : kExitWarnings;
}

}  // namespace

Report examine(const comm::Communicator& world, const Options& options) {
  Report report;
  comm::phase(world, [&] { report.mpi = mpi_facts(); });
  report.ranks = gather_facts(world);
  if (world.is_root()) report.findings = rank_findings(report.ranks, world.size());
  report.device_check = examine_devices(world, report.mpi, report.findings);
  report.files = examine_folder(world, options.folder, report.findings);
  report.arithmetic = examine_arithmetic(world, report.findings);
  report.exit_code = exit_code_of(report.findings);
  world.broadcast(&report.exit_code, sizeof(report.exit_code));
  return report;
}

}  // namespace armilla::doctor
