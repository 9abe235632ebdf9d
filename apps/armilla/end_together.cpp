#include "end_together.hpp"

#include <armilla/core/host_name.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>

#include <chrono>
#include <thread>

#include "standard_streams.hpp"
#include <fmt/format.h>

namespace armilla::app {

int report_error(const core::CaughtError& error) {
  if (error.kind != core::ErrorKind::kStopped)
    print_error(fmt::format("armilla: error: {}\n", error.message));
  else if (core::claim_stop_message())
    print_error(fmt::format("armilla: {}\n", error.message));
  return core::exit_code(error.kind);
}

EndTogether::EndTogether() : comm_(comm::Communicator::world().duplicate()) {}

bool EndTogether::all_arrive() const {
  MPI_Request request = MPI_REQUEST_NULL;
  comm::check_mpi(MPI_Ibarrier(comm_.native(), &request), "MPI_Ibarrier");
  const double start = core::now_seconds();
  int arrived = 0;
  while (true) {
    comm::check_mpi(MPI_Test(&request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    if (arrived != 0) return true;
    if (core::now_seconds() - start > kPatience) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

int EndTogether::report(const core::CaughtError& error) const {
  const int code = core::exit_code(error.kind);
  if (all_arrive()) return comm_.is_root() ? report_error(error) : code;
  print_error(
      fmt::format("armilla: error on rank {}, host {}, only: {}\n", comm_.rank(), core::host_name(), error.message));
  MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

}  // namespace armilla::app
