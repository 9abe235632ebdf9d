// Objects of the public interface that end after MPI, in another order on each rank, as in languages with garbage
// collection. Exits with the number of failures.
#include <armilla/armilla.hpp>

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

namespace {

using namespace armilla;

std::set<MPI_Comm> duplicates;  // not freed yet
int failures = 0;

void expect(bool is_right, const char* what) {
  if (is_right) return;
  ++failures;
  std::printf("FAILED: %s\n", what);
}

struct Objects {
  explicit Objects(const Communicator& comm)
      : transform(comm, {.grid = make_gauss(6, 11), .lmax = 5}), alm(transform.make_alm()), map(transform.make_map()) {
    transform.synthesis(alm, map);
  }
  Transform<> transform;
  Alm<> alm;
  Map<> map;
};

// Destroyed when the program ends.
std::vector<std::unique_ptr<Objects>> kept;
std::unique_ptr<Communicator> kept_world;

bool is_refused(Objects& objects) {
  try {
    objects.transform.synthesis(objects.alm, objects.map);
  } catch (const InputError& error) {
    return std::string(error.what()).find("freed by MPI_Comm_free or MPI_Finalize") != std::string::npos;
  }
  return false;
}

}  // namespace

extern "C" int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  const int code = PMPI_Comm_dup(comm, copy);
  duplicates.insert(*copy);
  return code;
}

extern "C" int MPI_Comm_free(MPI_Comm* comm) {
  duplicates.erase(*comm);
  return PMPI_Comm_free(comm);
}

int main(int argc, char** argv) {
  {
    const Session session(argc, argv);
    kept_world = std::make_unique<Communicator>(Communicator::world());
    const int rank = kept_world->rank();
    for (int i = 0; i < 4; ++i) kept.push_back(std::make_unique<Objects>(Communicator::world()));
    // Each rank destroys another one, before a collective call.
    kept.erase(kept.begin() + rank % 3);
    kept.back()->transform.synthesis(kept.back()->alm, kept.back()->map);
    if (rank == 1) kept.erase(kept.begin());
    expect(duplicates.size() == 1, "all objects share one duplicate");
  }
  expect(duplicates.empty(), "the duplicate is freed at the end of MPI");
  expect(kept.size() >= 2, "objects are left after MPI");
  for (const auto& objects : kept) expect(is_refused(*objects), "collective calls after MPI are refused");
  kept.front()->alm.data()[0] = 1;
  Objects moved = std::move(*kept.front());
  expect(moved.alm.data()[0] == 1.0, "local calls are possible after MPI");
  return failures;
}
