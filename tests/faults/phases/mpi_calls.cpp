// Replaces functions of MPI in programs that tests run, by the profiling interface of the MPI standard (PMPI).
//
// ARMILLA_TRIAL_MPI_THREADS = single, funneled, serialized or multiple is the most that MPI_Init_thread provides. Below
// multiple, communication from another thread than the one that initialised MPI ends the run with exit code 99; so it
// does for `watched`, which provides multiple.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <mpi.h>

namespace {

std::thread::id first_thread;
bool only_first_thread = false;

std::string level_asked_for() {
  const char* text = std::getenv("ARMILLA_TRIAL_MPI_THREADS");
  return text == nullptr ? "multiple" : text;
}

int most_threads(const std::string& level) {
  if (level == "single") return MPI_THREAD_SINGLE;
  if (level == "funneled") return MPI_THREAD_FUNNELED;
  return level == "serialized" ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
}

void check_thread(const char* call) {
  if (!only_first_thread || std::this_thread::get_id() == first_thread) return;
  std::fprintf(stderr, "%s from a second thread, which this MPI does not allow\n", call);
  std::fflush(stderr);
  std::_Exit(99);  // not MPI_Abort, which is a call from a second thread too; mpirun stops the other ranks
}

}  // namespace

extern "C" {

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const std::string level = level_asked_for();
  const int most = most_threads(level);
  first_thread = std::this_thread::get_id();
  only_first_thread = most < MPI_THREAD_MULTIPLE || level == "watched";
  return PMPI_Init_thread(argc, argv, required < most ? required : most, provided);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  check_thread("MPI_Allreduce");
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  check_thread("MPI_Bcast");
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  check_thread("MPI_Barrier");
  return PMPI_Barrier(comm);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  check_thread("MPI_Send");
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  check_thread("MPI_Recv");
  return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  check_thread("MPI_Isend");
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_displacements, MPI_Datatype send_type,
                  void* receive, const int* receive_counts, const int* receive_displacements, MPI_Datatype receive_type,
                  MPI_Comm comm) {
  check_thread("MPI_Alltoallv");
  return PMPI_Alltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                        receive_displacements, receive_type, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  check_thread("MPI_Comm_dup");
  return PMPI_Comm_dup(comm, copy);
}

}  // extern "C"
