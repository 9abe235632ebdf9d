#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/comm/node_counters.hpp>
#include <armilla/comm/parted_exchange.hpp>
#include <armilla/core/error.hpp>

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::transform {

using core::Index;

/// The arrays of this rank on both sides of an exchange, from Memory::allocate().
struct ExchangeArrays {
  std::shared_ptr<void> here, there;
};

/// The exchange between ranks with devices on one node. Each rank copies its values into the arrays of the others
/// (backend::PeerAccess) beside the work of its device. A part is complete when all ranks have reported that their
/// copies of it are (MPI_Ibarrier). Holds a reference to the communicator. Other ranks may have the arrays open until
/// they have destroyed their exchange, so the arrays outlive this object if necessary.
template <class T>
class PeerExchange final : public comm::PartedExchange<T> {
 public:
  using typename comm::PartedExchange<T>::Complex;

  /// Collective. `arrays` are the buffers that receive in begin(). Throws ResourceError on all ranks if they are on
  /// several nodes, or if one cannot access the memory of another.
  PeerExchange(const comm::Communicator& comm, std::vector<core::ExchangePart> parts, backend::Memory& memory,
               ExchangeArrays arrays);

  /// finish() throws the first error of any rank on all ranks.
  void poll() override;

 private:
  /// Another rank, or this one.
  struct Peer {
    ExchangeArrays arrays;
    std::vector<Index> here_begins, there_begins;  ///< [part] where values of this rank begin in its arrays
  };
  /// The destructor closes what is open of other ranks, and tells them.
  struct Links {
    ~Links();
    int rank = 0;
    std::unique_ptr<backend::PeerAccess> access;
    std::shared_ptr<const comm::NodeCounters> closed;  ///< [rank] number of ranks that have closed its arrays
    std::vector<Peer> peers;                           ///< [rank]
  };

  void open_peers(const std::vector<std::string>& letters);
  std::string letter() const;
  void prepare(const Complex* send, Complex* receive) override;
  void start(std::size_t part) override;
  void complete() override;
  bool is_copied(std::size_t part);
  /// Calls work(), and keeps its error for the end of the exchange, so that this rank continues like the others.
  template <class Work>
  void keep_error(const Work& work);

  const comm::Communicator& comm_;
  Links links_;
  MPI_Request free_ = MPI_REQUEST_NULL;  ///< complete when all ranks have begun: their arrays can be written
  std::vector<MPI_Request> copied_;      ///< [part] complete when all ranks have copied it
  std::size_t reported_ = 0;             ///< number of parts whose copies this rank has reported
  const Complex* send_ = nullptr;
  std::optional<core::CaughtError> error_;
};

extern template class PeerExchange<float>;
extern template class PeerExchange<double>;

}  // namespace armilla::transform
