#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/transform/peer_exchange.hpp>

#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace armilla::transform {

namespace {

using core::at;

// What a rank tells the others: the handles of its arrays, if they are not empty, and where it receives what.
struct Handles {
  bool has_here = false, has_there = false;
  backend::PeerHandle here = {}, there = {};
};

template <class Value>
void append(std::string& text, std::span<const Value> values) {
  text.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

template <class Value>
Value value_at(const std::string& text, std::size_t begin) {
  Value value;
  std::memcpy(&value, text.data() + begin, sizeof(value));
  return value;
}

// Collective. The letters of all ranks, in rank order.
std::vector<std::string> gather_letters(const comm::Communicator& comm, const std::string& letter) {
  std::vector<std::string> letters;
  for (auto& of_rank : comm.gather_on_node(letter))
    if (of_rank) letters.push_back(std::move(*of_rank));
  if (static_cast<int>(letters.size()) != comm.size()) throw core::ResourceError("the ranks are on several nodes");
  return letters;
}

}  // namespace

template <class T>
PeerExchange<T>::Links::~Links() {
  if (!closed) return;
  for (Peer& peer : peers)
    if (&peer != &peers[at(rank)]) peer.arrays = {};
  const auto others = static_cast<Index>(peers.size()) - 1;
  for (std::size_t other = 0; other < peers.size(); ++other)
    if (other != at(rank)) ++(*closed)[other];
  const auto is_closed = [closed = closed, own = at(rank), others]() -> bool { return (*closed)[own] == others; };
  if (const ExchangeArrays& own = peers[at(rank)].arrays; !is_closed())
    backend::release_when_closed({own.here, own.there}, is_closed);
}

template <class T>
PeerExchange<T>::PeerExchange(const comm::Communicator& comm, std::vector<core::ExchangePart> parts,
                              backend::Memory& memory, ExchangeArrays arrays)
    : comm::PartedExchange<T>(std::move(parts)), comm_(comm), copied_(this->parts(), MPI_REQUEST_NULL) {
  std::string own;
  comm::phase(comm, [&] {
    links_.rank = comm.rank();
    links_.access = memory.make_peer_access();
    links_.peers.resize(at(comm.size()));
    links_.peers[at(comm.rank())].arrays = std::move(arrays);
    own = letter();
  });
  const std::vector<std::string> letters = gather_letters(comm, own);
  links_.closed = std::make_shared<const comm::NodeCounters>(comm, at(comm.size()));
  comm::phase(comm, [&] { open_peers(letters); });
}

template <class T>
std::string PeerExchange<T>::letter() const {
  const ExchangeArrays& own = links_.peers[at(comm_.rank())].arrays;
  Handles handles{own.here != nullptr, own.there != nullptr};
  if (handles.has_here) handles.here = links_.access->handle_of(own.here.get());
  if (handles.has_there) handles.there = links_.access->handle_of(own.there.get());
  std::string text;
  append(text, std::span<const Handles>(&handles, 1));
  for (std::size_t number = 0; number < this->parts(); ++number) {
    append(text, std::span<const Index>(this->part(number).here_displacements));
    append(text, std::span<const Index>(this->part(number).there_displacements));
  }
  return text;
}

template <class T>
void PeerExchange<T>::open_peers(const std::vector<std::string>& letters) {
  const std::size_t ranks = letters.size(), own = at(comm_.rank());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Peer& peer = links_.peers[rank];
    const auto handles = value_at<Handles>(letters[rank], 0);
    if (rank != own && handles.has_here) peer.arrays.here = links_.access->open(handles.here);
    if (rank != own && handles.has_there) peer.arrays.there = links_.access->open(handles.there);
    for (std::size_t number = 0; number < this->parts(); ++number) {
      const auto begin_of = [&](std::size_t side) {
        return value_at<Index>(letters[rank], sizeof(Handles) + ((2 * number + side) * ranks + own) * sizeof(Index));
      };
      peer.here_begins.push_back(begin_of(0));
      peer.there_begins.push_back(begin_of(1));
    }
  }
}

template <class T>
template <class Work>
void PeerExchange<T>::keep_error(const Work& work) {
  try {
    work();
  } catch (...) {
    if (!error_) error_ = core::describe_current_exception();
  }
}

template <class T>
void PeerExchange<T>::prepare(const Complex* send, Complex* receive) {
  const ExchangeArrays& own = links_.peers[at(comm_.rank())].arrays;
  if (receive != (this->is_forward() ? own.there : own.here).get())
    throw core::InternalError("an exchange between devices receives in an array that other ranks do not know");
  send_ = send;
  reported_ = 0;
  error_.reset();
  comm::check_mpi(MPI_Ibarrier(comm_.native(), &free_), "MPI_Ibarrier");
}

template <class T>
void PeerExchange<T>::start(std::size_t number) {
  comm::check_mpi(MPI_Wait(&free_, MPI_STATUS_IGNORE), "MPI_Wait");
  const core::ExchangePart& part = this->part(number);
  const bool forward = this->is_forward();
  keep_error([&] {
    const auto ranks = links_.peers.size();
    for (std::size_t step = 0; step < ranks; ++step) {
      // Each rank begins with the next one, so that no rank receives from all at once.
      const std::size_t to = (at(comm_.rank()) + 1 + step) % ranks;
      const Peer& peer = links_.peers[to];
      const Index count = (forward ? part.here_counts : part.there_counts)[to];
      if (count == 0) continue;
      auto* array = static_cast<Complex*>((forward ? peer.arrays.there : peer.arrays.here).get());
      links_.access->copy(array + (forward ? peer.there_begins : peer.here_begins)[number],
                          send_ + (forward ? part.here_displacements : part.there_displacements)[to],
                          count * static_cast<Index>(sizeof(Complex)));
    }
    links_.access->mark(number);
  });
}

template <class T>
bool PeerExchange<T>::is_copied(std::size_t part) {
  bool copied = true;
  if (!error_) keep_error([&] { copied = links_.access->is_reached(part); });
  return copied;
}

template <class T>
void PeerExchange<T>::poll() {
  for (; reported_ < this->started() && is_copied(reported_); ++reported_)
    comm::check_mpi(MPI_Ibarrier(comm_.native(), &copied_[reported_]), "MPI_Ibarrier");
  for (std::size_t part = 0; part < reported_; ++part) {
    if (copied_[part] == MPI_REQUEST_NULL) continue;
    int done = 0;
    comm::check_mpi(MPI_Test(&copied_[part], &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) this->arrived(part);
  }
}

template <class T>
void PeerExchange<T>::complete() {
  keep_error([&] { links_.access->wait(); });
  for (; reported_ < this->parts(); ++reported_)
    comm::check_mpi(MPI_Ibarrier(comm_.native(), &copied_[reported_]), "MPI_Ibarrier");
  comm::check_mpi(MPI_Waitall(static_cast<int>(copied_.size()), copied_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  for (std::size_t part = 0; part < this->parts(); ++part) this->arrived(part);
  comm::agree(comm_, error_);
}

ARMILLA_INSTANTIATE_CLASS(PeerExchange);

}  // namespace armilla::transform
