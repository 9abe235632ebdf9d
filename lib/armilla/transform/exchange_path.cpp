#include <armilla/comm/exchange.hpp>
#include <armilla/comm/message_exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/transform/exchange_path.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

constexpr const char* kVariable = "ARMILLA_DEVICE_EXCHANGE";
constexpr Index kNumbers = 4096;  // test values sent to each rank

using Number = std::complex<double>;

/// Collective. The path that the root requests.
std::optional<ExchangePath> requested_path(const comm::Communicator& comm) {
  std::string text;
  comm::phase(comm, [&] {
    const char* const value = comm.is_root() ? std::getenv(kVariable) : nullptr;
    text = value == nullptr ? "" : value;
  });
  text = comm.broadcast(std::move(text));
  if (text.empty()) return std::nullopt;
  for (const ExchangePath path : {ExchangePath::kHost, ExchangePath::kMpi, ExchangePath::kPeers})
    if (text == name_of(path)) return path;
  throw core::InputError(core::ErrorContext{
      .text = fmt::format("{}={}: use peers, mpi or host, or unset it for the fastest that works", kVariable, text)});
}

/// Collective. Why test values do not get from device to device; empty if they do.
std::string try_peers(const comm::Communicator& comm, backend::Memory& memory) {
  std::string why;
  try {
    Index sent = 0;
    const Index wrong = exchange_errors(comm, ExchangePath::kPeers, memory, &sent);
    if (wrong != 0) why = fmt::format("{} of {} values copied between GPUs are wrong", wrong, sent);
  } catch (const core::ResourceError& error) {
    why = error.what();
  }
  comm.barrier();
  backend::release_closed_arrays();
  return why;
}

/// Collective. try_peers(), once for each communicator with a cache.
std::string why_not_peers(const comm::Communicator& comm, backend::Memory& memory) {
  std::optional<std::string>* known = nullptr;
  comm::phase(comm, [&] {
    if (TransformCache* cache = cache_of(comm); cache != nullptr) known = &cache->peer_trial();
  });
  if (count_of(comm, known != nullptr && known->has_value()) == comm.size()) return **known;
  const std::string why = try_peers(comm, memory);
  if (known != nullptr) *known = why;
  return why;
}

/// Value i that rank `from` sends to rank `to`.
Number number_of(int from, int to, Index i) {
  return {static_cast<double>(from) + 0.5, static_cast<double>(to) * 1e6 + static_cast<double>(i)};
}

}  // namespace

const char* name_of(ExchangePath path) {
  switch (path) {
    case ExchangePath::kPeers:
      return "peers";
    case ExchangePath::kMpi:
      return "mpi";
    case ExchangePath::kHost:
      break;
  }
  return "host";
}

ExchangeChoice choose_exchange_path(const comm::Communicator& comm, backend::Memory& memory) {
  if (comm.size() == 1 || memory.space() == core::MemorySpace::kHost) return {};
  const std::optional<ExchangePath> requested = requested_path(comm);
  if (requested == ExchangePath::kHost) return {};
  if (requested == ExchangePath::kMpi) {
    if (!comm::takes_device_memory())
      throw core::ResourceError(core::ErrorContext{
          .text = fmt::format("{}=mpi, but MPI does not report support for device memory: unset it", kVariable)});
    return {ExchangePath::kMpi};
  }
  const std::string why = why_not_peers(comm, memory);
  if (why.empty()) return {ExchangePath::kPeers};
  if (requested)
    throw core::ResourceError(core::ErrorContext{.text = fmt::format("{}=peers: {}: unset it", kVariable, why)});
  return {comm::takes_device_memory() ? ExchangePath::kMpi : ExchangePath::kHost, why};
}

template <class T>
std::unique_ptr<comm::PartedExchange<T>> make_exchange(const comm::Communicator& comm, ExchangePath path,
                                                       std::vector<core::ExchangePart> parts, backend::Memory& memory,
                                                       ExchangeArrays arrays) {
  if (path == ExchangePath::kPeers)
    return std::make_unique<PeerExchange<T>>(comm, std::move(parts), memory, std::move(arrays));
  return std::make_unique<comm::MessageExchange<T>>(
      comm, std::move(parts), path == ExchangePath::kMpi ? memory.space() : core::MemorySpace::kHost);
}

Index exchange_errors(const comm::Communicator& comm, ExchangePath path, backend::Memory& memory, Index* sent) {
  using Exchange = comm::PartedExchange<double>;
  std::vector<Number> here, there, found;
  ExchangeArrays arrays;
  Index bytes = 0;
  core::ExchangePart part;
  comm::phase(comm, [&] {
    for (int other = 0; other < comm.size(); ++other)
      for (Index i = 0; i < kNumbers; ++i) {
        here.push_back(number_of(comm.rank(), other, i));
        there.push_back(number_of(other, comm.rank(), i));
      }
    found.resize(here.size());
    bytes = static_cast<Index>(here.size() * sizeof(Number));
    for (auto* counts : {&part.here_counts, &part.there_counts}) counts->assign(core::at(comm.size()), kNumbers);
    for (auto* begins : {&part.here_displacements, &part.there_displacements})
      for (int rank = 0; rank < comm.size(); ++rank) begins->push_back(kNumbers * rank);
    arrays = {memory.allocate(bytes), memory.allocate(bytes)};
    memory.from_host(arrays.here.get(), here.data(), bytes);
    memory.from_host(arrays.there.get(), found.data(), bytes);
  });
  const auto exchange = make_exchange<double>(comm, path, {part}, memory, arrays);
  Index wrong = 0;
  const auto carry = [&](Exchange::Direction direction, void* from, void* to, const std::vector<Number>& expected) {
    exchange->begin(direction, static_cast<const Number*>(from), static_cast<Number*>(to));
    exchange->finish();
    comm::phase(comm, [&] {
      memory.to_host(found.data(), to, bytes);
      for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] == expected[i] ? 0 : 1;
      std::ranges::fill(found, Number{});
      memory.from_host(from, found.data(), bytes);  // so that the way back has to fill it
    });
  };
  carry(Exchange::Direction::kForward, arrays.here.get(), arrays.there.get(), there);
  carry(Exchange::Direction::kBackward, arrays.there.get(), arrays.here.get(), here);
  comm.sum({&wrong, 1});
  if (sent != nullptr) *sent = 2 * kNumbers * comm.size() * comm.size();
  return wrong;
}

ARMILLA_INSTANTIATE(make_exchange);

}  // namespace armilla::transform
