#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>

namespace armilla::transform {

namespace {

Index least_of_ranks(const comm::Communicator& comm, Index bytes) {
  auto least = static_cast<double>(bytes);
  comm.min({&least, 1});
  return static_cast<Index>(least);
}

}  // namespace

backend::Placement placement(const comm::Communicator& comm) {
  const auto place = comm.node_rank();
  return {place.rank, place.ranks};
}

Index device_room(const comm::Communicator& comm, backend::Kind kind) {
  const backend::Placement place = placement(comm);
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
