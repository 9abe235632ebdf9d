#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace armilla::comm {

namespace {

// The largest block per MPI call [bytes]; counts of MPI 3 have 32 bits.
constexpr Index kChunk = Index{1} << 30;

int as_int(Index value) { return static_cast<int>(value); }

template <class T>
void reduce(MPI_Comm comm, std::span<T> values, MPI_Datatype type, MPI_Op op) {
  if (comm == MPI_COMM_NULL || values.empty()) return;
  const auto size = static_cast<Index>(values.size());
  constexpr Index most = kChunk / static_cast<Index>(sizeof(T));
  for (Index done = 0; done < size; done += most)
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data() + done, as_int(std::min(most, size - done)), type, op, comm),
              "MPI_Allreduce");
}

}  // namespace

void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw core::InternalError(fmt::format("{} failed: {}", what, std::string(text, static_cast<std::size_t>(length))));
}

Session::Session(int& argc, char**& argv) {
  int running = 0;
  check_mpi(MPI_Initialized(&running), "MPI_Initialized");
  if (running != 0)
    throw core::InputError("MPI is already initialised: create only one Session, or use Communicator::duplicate_of()");
  int provided = 0;
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    throw core::ResourceError("this MPI library does not support threads (MPI_THREAD_FUNNELED): use another MPI");
  }
}

Session::~Session() { MPI_Finalize(); }

bool calls_from_any_thread() {
  int running = 0;
  MPI_Initialized(&running);
  if (running == 0) return false;
  int level = 0;
  check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  return level == MPI_THREAD_MULTIPLE;
}

Communicator Communicator::take(MPI_Comm comm) {
  int rank = 0;
  int size = 1;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return Communicator(comm, rank, size);
}

Communicator Communicator::duplicate_of(MPI_Comm comm) {
  MPI_Comm own = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(comm, &own), "MPI_Comm_dup");
  return take(own);
}

Communicator Communicator::world() { return duplicate_of(MPI_COMM_WORLD); }

Communicator Communicator::split(int group) const {
  const NodeRank node = node_rank();
  Communicator group_comm = self();
  if (comm_ != MPI_COMM_NULL) {
    MPI_Comm comm = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(comm_, group, rank_, &comm), "MPI_Comm_split");
    group_comm = take(comm);
  }
  group_comm.node_ = node;
  return group_comm;
}

Communicator Communicator::duplicate() const {
  Communicator copy = comm_ == MPI_COMM_NULL ? self() : duplicate_of(comm_);
  copy.node_ = node_;
  return copy;
}

Communicator Communicator::self() { return Communicator(MPI_COMM_NULL, 0, 1); }

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), rank_(other.rank_), size_(other.size_), node_(other.node_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(comm_, other.comm_);
  rank_ = other.rank_;
  size_ = other.size_;
  node_ = other.node_;
  return *this;
}

Communicator::~Communicator() {
  // After MPI has been finalised, there is nothing left to free.
  int ended = 0;
  if (comm_ != MPI_COMM_NULL && MPI_Finalized(&ended) == MPI_SUCCESS && ended == 0) MPI_Comm_free(&comm_);
}

Communicator::NodeRank Communicator::node_rank() const {
  if (node_) return *node_;
  if (comm_ == MPI_COMM_NULL) return {0, 1};
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  NodeRank place{0, 1};
  check_mpi(MPI_Comm_rank(node, &place.rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(node, &place.ranks), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return place;
}

void Communicator::barrier() const {
  if (comm_ != MPI_COMM_NULL) check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
}

void Communicator::sum(std::span<double> values) const { reduce(comm_, values, MPI_DOUBLE, MPI_SUM); }
void Communicator::sum(std::span<Index> values) const { reduce(comm_, values, MPI_INT64_T, MPI_SUM); }
void Communicator::max(std::span<double> values) const { reduce(comm_, values, MPI_DOUBLE, MPI_MAX); }
void Communicator::max(std::span<Index> values) const { reduce(comm_, values, MPI_INT64_T, MPI_MAX); }
void Communicator::min(std::span<double> values) const { reduce(comm_, values, MPI_DOUBLE, MPI_MIN); }

void Communicator::broadcast(void* data, Index bytes, int root) const {
  if (comm_ == MPI_COMM_NULL) return;
  auto* begin = static_cast<char*>(data);
  for (Index done = 0; done < bytes; done += kChunk)
    check_mpi(MPI_Bcast(begin + done, as_int(std::min(kChunk, bytes - done)), MPI_BYTE, root, comm_), "MPI_Bcast");
}

std::string Communicator::broadcast(std::string text, int root) const {
  Index length = static_cast<Index>(text.size());
  broadcast(&length, sizeof(length), root);
  text.resize(static_cast<std::size_t>(length));
  broadcast(text.data(), length, root);
  return text;
}

std::vector<std::string> Communicator::gather(const std::string& text) const {
  const Index length = static_cast<Index>(text.size());
  std::vector<Index> lengths(static_cast<std::size_t>(size_), 0);
  lengths[static_cast<std::size_t>(rank_)] = length;
  sum(lengths);
  Index total = 0;
  for (const Index l : lengths) total += l;
  std::string all(is_root() ? static_cast<std::size_t>(total) : 0, '\0');
  gather_bytes(text.data(), length, lengths, all.data());
  std::vector<std::string> texts;
  if (!is_root()) return texts;
  std::size_t begin = 0;
  for (const Index l : lengths) {
    texts.push_back(all.substr(begin, static_cast<std::size_t>(l)));
    begin += static_cast<std::size_t>(l);
  }
  return texts;
}

void Communicator::gather_bytes(const void* mine, Index bytes, std::span<const Index> counts_bytes, void* out) const {
  constexpr int tag = 1;
  const auto* source = static_cast<const char*>(mine);
  if (!is_root()) {
    for (Index done = 0; done < bytes; done += kChunk)
      check_mpi(MPI_Send(source + done, as_int(std::min(kChunk, bytes - done)), MPI_BYTE, 0, tag, comm_), "MPI_Send");
    return;
  }
  auto* target = static_cast<char*>(out);
  if (bytes > 0) std::memcpy(target, source, static_cast<std::size_t>(bytes));
  target += bytes;
  for (int rank = 1; rank < size_; ++rank) {
    const Index count = counts_bytes[static_cast<std::size_t>(rank)];
    for (Index done = 0; done < count; done += kChunk)
      check_mpi(MPI_Recv(target + done, as_int(std::min(kChunk, count - done)), MPI_BYTE, rank, tag, comm_,
                         MPI_STATUS_IGNORE),
                "MPI_Recv");
    target += count;
  }
}

}  // namespace armilla::comm
