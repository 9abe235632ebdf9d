#pragma once

#include <armilla/transform/peer_exchange.hpp>

#include <complex>
#include <memory>
#include <string>
#include <vector>

namespace armilla::transform {

/// How values get from the memory of one rank to those of others.
enum class ExchangePath {
  kHost,   ///< by MPI from host memory, to which those of a device are copied
  kMpi,    ///< by MPI from device memory
  kPeers,  ///< by copies from device to device (PeerExchange)
};

/// host, mpi or peers.
const char* name_of(ExchangePath path);

/// The path chosen for all ranks.
struct ExchangeChoice {
  ExchangePath path = ExchangePath::kHost;
  std::string why_not_peers = {};  ///< empty if the path is kPeers, or was requested, and for host memory
};

/// Collective. The path for arrays in `memory`. For devices, the first that works: peers, if test values arrive; mpi,
/// if MPI takes device memory (comm::takes_device_memory); host. The environment variable ARMILLA_DEVICE_EXCHANGE on
/// the root selects one by its name. Throws InputError for other values, and ResourceError if it cannot be used. Peers
/// are tested once for each communicator.
ExchangeChoice choose_exchange_path(const comm::Communicator& comm, backend::Memory& memory);

/// Collective. An exchange between arrays of this rank in `memory`, or in host memory with kHost.
template <class T>
std::unique_ptr<comm::PartedExchange<T>> make_exchange(const comm::Communicator& comm, ExchangePath path,
                                                       std::vector<core::ExchangePart> parts, backend::Memory& memory,
                                                       ExchangeArrays arrays);

/// Collective. Exchanges test values between arrays in `memory`, there and back. Returns how many arrive wrong on all
/// ranks; `sent`, if not null, is set to their number. The path is not kHost.
Index exchange_errors(const comm::Communicator& comm, ExchangePath path, backend::Memory& memory,
                      Index* sent = nullptr);

}  // namespace armilla::transform
