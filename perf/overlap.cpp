// Times transforms that overlap the exchange between ranks with the Legendre stage, for several numbers of parts, on a
// network with an artificial delay. Each rank has a link of the given rate, and each part arrives when the link would
// have transferred it, independently of the work of the ranks. Run it under mpirun.
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <mpi.h>

using namespace armilla;
using core::Index;

namespace {

/// Rate of the link out of a rank in bytes per second; 0: no delay.
double rate = 0;
double link_is_free = 0;                 ///< time at which the link becomes free
std::map<MPI_Request, double> arrivals;  ///< arrival times of parts

double arrival_of(MPI_Request request) {
  const auto found = arrivals.find(request);
  return found == arrivals.end() ? 0 : found->second;
}

}  // namespace

// Intercepts MPI calls by the profiling interface of MPI.
extern "C" int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                              MPI_Datatype send_type, void* receive, const int* receive_counts,
                              const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                              MPI_Request* request) {
  const int result = PMPI_Ialltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                     receive_displacements, receive_type, comm, request);
  if (rate == 0) return result;
  int ranks = 0, rank = 0, size = 0;
  PMPI_Comm_size(comm, &ranks);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Type_size(send_type, &size);
  double bytes = 0;
  for (int other = 0; other < ranks; ++other)
    if (other != rank) bytes += static_cast<double>(send_counts[other]) * size;
  link_is_free = std::max(link_is_free, core::now_seconds()) + bytes / rate;
  arrivals[*request] = link_is_free;
  return result;
}

extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  if (core::now_seconds() >= arrival_of(*request)) {
    arrivals.erase(*request);
    return PMPI_Test(request, done, status);
  }
  int there = 0;
  *done = 0;
  return PMPI_Request_get_status(*request, &there, MPI_STATUS_IGNORE);  // makes progress, and keeps the request
}

extern "C" int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) {
    while (core::now_seconds() < arrival_of(requests[i])) std::this_thread::sleep_for(std::chrono::microseconds(20));
    arrivals.erase(requests[i]);
  }
  return PMPI_Waitall(count, requests, statuses);
}

namespace {

struct Times {
  std::vector<double> synthesis, adjoint;
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  comm::Session session(argc, argv);
  CLI::App app("Times transforms whose exchange overlaps the Legendre stage");
  Index lmax = 2047, spin = 0;
  int turns = 5;
  std::vector<int> parts{1, 2, 4, 8};
  double megabytes = 0;
  app.add_option("--lmax", lmax, "band limit, on a Gauss grid");
  app.add_option("--spin", spin);
  app.add_option("--turns", turns);
  app.add_option("--parts", parts, "number of parts of the exchange; 1 is without overlap");
  app.add_option("--rate", megabytes, "bandwidth out of each rank [MB/s]; 0: no delay");
  CLI11_PARSE(app, argc, argv);
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_gauss(lmax + 1, 2 * lmax + 2));
  rate = 1e6 * megabytes;
  std::map<int, Times> seconds;
  std::map<int, double> exchange;
  Index bytes = 0;
  for (int turn = 0; turn <= turns; ++turn)
    for (const int number : parts) {
      transform::FieldTransformSpec spec;
      spec.kind = spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
      spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), comm.size());
      spec.pixels = std::make_shared<dist::PixelDistribution>(grid, comm.size());
      spec.backend = backend::Kind::kCpu;
      spec.exchange_parts = number;
      core::PhaseTimers timers;
      bytes = 0;
      transform::FieldTransform<double> transform(comm, spec, {.timers = &timers, .bytes_sent = &bytes});
      transform::AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
      transform::MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
      for (auto& a : alm.data()) a = 1;
      const auto timed = [&](const auto& work) {
        comm.barrier();
        const double start = core::now_seconds();
        work();
        comm.barrier();
        return core::now_seconds() - start;
      };
      const double synthesis = timed([&] { transform.synthesis(alm, map); });
      const double adjoint = timed([&] { transform.adjoint_synthesis(map, alm); });
      if (turn == 0) continue;  // the first turn includes first touches of memory
      seconds[number].synthesis.push_back(synthesis);
      seconds[number].adjoint.push_back(adjoint);
      for (const auto& entry : timers.entries())
        if (entry.name == "exchange") exchange[number] += entry.seconds / (2 * turns);
    }
  if (!comm.is_root()) return 0;
  std::printf("lmax %ld, spin %ld, %d ranks, %.1f MB out of rank 0 in each transform\n%6s %13s %13s %20s\n",
              static_cast<long>(lmax), static_cast<long>(spin), comm.size(), 0.5e-6 * static_cast<double>(bytes),
              "parts", "synthesis [s]", "adjoint [s]", "waits of rank 0 [s]");
  for (const auto& [number, times] : seconds)
    std::printf("%6d %13.4f %13.4f %20.4f\n", number, median(times.synthesis), median(times.adjoint), exchange[number]);
}
