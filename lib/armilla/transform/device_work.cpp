#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <any>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/ranges.h>

namespace armilla::transform {

namespace {

Index least_of_ranks(const comm::Communicator& comm, Index bytes) {
  auto least = static_cast<double>(bytes);
  comm.min({&least, 1});
  return static_cast<Index>(least);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

backend::Placement placement(const comm::Communicator& comm, backend::Kind kind) {
  if (!backend::has_device(kind)) return {};
  if (const auto* kept = std::any_cast<backend::Placement>(&comm.inherited())) return *kept;
  backend::SeenDevices own;
  comm::phase(comm, [&] {
    for (const backend::Device& device : backend::visible_devices()) own.push_back(device.uuid);
  });
  const std::vector<std::optional<std::string>> texts = comm.gather_on_node(fmt::format("{}", fmt::join(own, " ")));
  std::vector<backend::SeenDevices> seen;
  for (const std::optional<std::string>& text : texts) seen.push_back(text ? words_of(*text) : own);
  const backend::Placement place = backend::place_rank(seen, comm.node_rank().rank);
  // Threads may use self() at the same time.
  const bool may_keep = comm.native() != MPI_COMM_NULL;
  if (least_of_ranks(comm, own.empty() ? 0 : 1) == 1 && may_keep) comm.inherited() = place;
  return place;
}

Index device_room(const comm::Communicator& comm, backend::Kind kind) {
  const backend::Placement place = placement(comm, kind);
  Index room = backend::kNoDevice;
  comm::phase(comm, [&] {
    if (backend::has_device(kind) && backend::why_unusable(kind).empty()) room = backend::device_room(kind, place);
  });
  return least_of_ranks(comm, room);
}

std::optional<Index> largest_device_work(Index room, Index min_work, const std::function<Index(Index)>& total) {
  // Each workspace may use at most 1/8 of the available memory, and at most 2 GiB, beyond which there is no speed-up.
  constexpr Index kShare = 8;
  constexpr Index kMaxWork = Index{2} << 30;
  for (Index work = std::min(room / kShare, kMaxWork); work > min_work; work /= 2)
    if (total(work) <= room) return work;
  if (total(min_work) <= room) return min_work;
  return std::nullopt;
}

Index choose_device_work(const comm::Communicator& comm, Index room, Index min_work,
                         const std::function<Index(Index)>& total,
                         const std::function<core::ErrorContext()>& too_small) {
  Index work = 0;
  comm::phase(comm, [&] {
    const auto found = largest_device_work(room, min_work, total);
    if (!found) throw core::ResourceError(too_small());
    work = *found;
  });
  return std::max(least_of_ranks(comm, work), min_work);
}

}  // namespace armilla::transform
