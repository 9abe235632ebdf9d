#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <any>
#include <cstring>
#include <optional>
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

/// An MPI communicator, shared by copies of a Communicator.
struct Communicator::Handle {
  enum class Owner { kCopies, kProgram };

  MPI_Comm comm = MPI_COMM_NULL;      // null for a single process, and if is_freed
  Owner owner = Owner::kProgram;      // who frees it: the last copy, or the program with its own communicator
  bool is_freed = false;              // by the program
  std::optional<NodeRank> node = {};  // once known
  std::any inherited = {};
  std::shared_ptr<void> attached = {};  // of Owner::kProgram; may contain copies of the communicator

  ~Handle() {
    // After MPI has been finalised, there is nothing left to free.
    int ended = 0;
    if (owner == Owner::kCopies && comm != MPI_COMM_NULL && MPI_Finalized(&ended) == MPI_SUCCESS && ended == 0)
      MPI_Comm_free(&comm);
  }
};

namespace {

// Called by MPI_Finalize while communication is still possible, because MPI deletes the attributes of MPI_COMM_SELF
// first (MPI 3.1, 8.7.1). It need not delete those of MPI_COMM_WORLD.
int free_duplicate_of_world(MPI_Comm /*self*/, int /*key*/, void* world_key, void* /*extra*/) {
  return MPI_Comm_delete_attr(MPI_COMM_WORLD, *static_cast<const int*>(world_key));
}

void free_at_end_of_mpi(const int& world_key) {
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate_of_world, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, const_cast<int*>(&world_key)), "MPI_Comm_set_attr");
}

}  // namespace

// Called by MPI when the program frees its communicator: collective over the same ranks, so the duplicate can be freed.
int Communicator::free_duplicate(MPI_Comm, int, void* value, void*) {
  const std::unique_ptr<std::shared_ptr<Handle>> handle(static_cast<std::shared_ptr<Handle>*>(value));
  (*handle)->attached.reset();
  (*handle)->is_freed = true;
  return MPI_Comm_free(&(*handle)->comm);
}

const int& Communicator::duplicate_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &made, nullptr), "MPI_Comm_create_keyval");
    return made;
  }();
  return key;
}

Communicator::Communicator(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {
  if (handle_->comm == MPI_COMM_NULL) return;
  check_mpi(MPI_Comm_rank(handle_->comm, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(handle_->comm, &size_), "MPI_Comm_size");
}

Communicator Communicator::duplicate_of(MPI_Comm comm) {
  int running = 0, ended = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&ended);
  if (running == 0 || ended != 0)
    throw core::InputError(fmt::format("MPI {}: {}", ended != 0 ? "has been finalised" : "is not initialised",
                                       "create communicators between MPI_Init_thread and MPI_Finalize, or use "
                                       "Communicator::self(), which needs no MPI"));
  if (comm == MPI_COMM_NULL)
    throw core::InputError("the communicator is MPI_COMM_NULL: pass one of which this process is a member");
  const int key = duplicate_key();
  void* found = nullptr;
  int is_found = 0;
  check_mpi(MPI_Comm_get_attr(comm, key, &found, &is_found), "MPI_Comm_get_attr");
  if (is_found != 0) return Communicator(*static_cast<std::shared_ptr<Handle>*>(found));
  auto handle = std::make_unique<std::shared_ptr<Handle>>(std::make_shared<Handle>());
  check_mpi(MPI_Comm_dup(comm, &(*handle)->comm), "MPI_Comm_dup");
  Communicator made(*handle);
  check_mpi(MPI_Comm_set_attr(comm, key, handle.get()), "MPI_Comm_set_attr");
  static_cast<void>(handle.release());  // owned by the attribute
  if (comm == MPI_COMM_WORLD) free_at_end_of_mpi(duplicate_key());
  return made;
}

Communicator Communicator::world() { return duplicate_of(MPI_COMM_WORLD); }

Communicator Communicator::self() {
  // Never destroyed, so that attached objects do not depend on the order in which static objects are destroyed.
  static const auto* const handle = new std::shared_ptr(std::make_shared<Handle>(Handle{.node = NodeRank{0, 1}}));
  return Communicator(*handle);
}

Communicator Communicator::alone() const {
  return Communicator(std::make_shared<Handle>(
      Handle{.owner = Handle::Owner::kCopies, .node = node_rank(), .inherited = handle_->inherited}));
}

Communicator Communicator::split(int group) const {
  if (native() == MPI_COMM_NULL) return *this;
  auto handle = std::make_shared<Handle>(
      Handle{.owner = Handle::Owner::kCopies, .node = node_rank(), .inherited = handle_->inherited});
  check_mpi(MPI_Comm_split(native(), group, rank_, &handle->comm), "MPI_Comm_split");
  return Communicator(std::move(handle));
}

Communicator Communicator::duplicate() const {
  if (native() == MPI_COMM_NULL) return *this;
  auto handle = std::make_shared<Handle>(
      Handle{.owner = Handle::Owner::kCopies, .node = handle_->node, .inherited = handle_->inherited});
  check_mpi(MPI_Comm_dup(native(), &handle->comm), "MPI_Comm_dup");
  return Communicator(std::move(handle));
}

std::shared_ptr<void>* Communicator::attached() const {
  return handle_->owner == Handle::Owner::kProgram ? &handle_->attached : nullptr;
}

std::any& Communicator::inherited() const { return handle_->inherited; }

MPI_Comm Communicator::native() const {
  if (handle_->is_freed)
    throw core::InputError(
        "the communicator of this object was freed by MPI_Comm_free or MPI_Finalize: free it after the last collective "
        "call");
  return handle_->comm;
}

Communicator Communicator::on_node() const {
  auto handle = std::make_shared<Handle>(Handle{.owner = Handle::Owner::kCopies});
  check_mpi(MPI_Comm_split_type(native(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &handle->comm),
            "MPI_Comm_split_type");
  return Communicator(std::move(handle));
}

Communicator::NodeRank Communicator::node_rank() const {
  if (handle_->node) return *handle_->node;
  const Communicator node = on_node();
  handle_->node = NodeRank{node.rank(), node.size()};
  return *handle_->node;
}

std::vector<std::optional<std::string>> Communicator::gather_on_node(const std::string& text) const {
  const NodeRank place = node_rank();
  std::vector<std::optional<std::string>> texts(static_cast<std::size_t>(place.ranks));
  if (native() == MPI_COMM_NULL) {
    texts[static_cast<std::size_t>(place.rank)] = text;
    return texts;
  }
  const Communicator members = on_node();
  std::vector<Index> is_member(texts.size(), 0);
  is_member[static_cast<std::size_t>(place.rank)] = 1;
  members.sum(is_member);
  std::vector<std::string> gathered = members.gather(text);
  gathered.resize(static_cast<std::size_t>(members.size()));
  auto next = gathered.begin();  // ordered like texts
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    if (is_member[rank] != 0) texts[rank] = members.broadcast(std::move(*next++));
  return texts;
}

void Communicator::barrier() const {
  if (native() != MPI_COMM_NULL) check_mpi(MPI_Barrier(native()), "MPI_Barrier");
}

void Communicator::sum(std::span<double> values) const { reduce(native(), values, MPI_DOUBLE, MPI_SUM); }
void Communicator::sum(std::span<Index> values) const { reduce(native(), values, MPI_INT64_T, MPI_SUM); }
void Communicator::max(std::span<double> values) const { reduce(native(), values, MPI_DOUBLE, MPI_MAX); }
void Communicator::max(std::span<Index> values) const { reduce(native(), values, MPI_INT64_T, MPI_MAX); }
void Communicator::min(std::span<double> values) const { reduce(native(), values, MPI_DOUBLE, MPI_MIN); }

void Communicator::broadcast(void* data, Index bytes, int root) const {
  if (native() == MPI_COMM_NULL) return;
  auto* begin = static_cast<char*>(data);
  for (Index done = 0; done < bytes; done += kChunk)
    check_mpi(MPI_Bcast(begin + done, as_int(std::min(kChunk, bytes - done)), MPI_BYTE, root, native()), "MPI_Bcast");
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
      check_mpi(MPI_Send(source + done, as_int(std::min(kChunk, bytes - done)), MPI_BYTE, 0, tag, native()),
                "MPI_Send");
    return;
  }
  auto* target = static_cast<char*>(out);
  if (bytes > 0) std::memcpy(target, source, static_cast<std::size_t>(bytes));
  target += bytes;
  for (int rank = 1; rank < size_; ++rank) {
    const Index count = counts_bytes[static_cast<std::size_t>(rank)];
    for (Index done = 0; done < count; done += kChunk)
      check_mpi(MPI_Recv(target + done, as_int(std::min(kChunk, count - done)), MPI_BYTE, rank, tag, native(),
                         MPI_STATUS_IGNORE),
                "MPI_Recv");
    target += count;
  }
}

}  // namespace armilla::comm
