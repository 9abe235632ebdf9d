#include <armilla/backend/placement.hpp>

#include <algorithm>
#include <cstddef>

namespace armilla::backend {

namespace {

std::size_t device_of(std::span<const SeenDevices> seen, std::size_t rank) {
  const auto sees_the_same = [&](const SeenDevices& other) { return other == seen[rank]; };
  const auto ranks = static_cast<std::size_t>(std::ranges::count_if(seen, sees_the_same));
  const auto before = static_cast<std::size_t>(std::ranges::count_if(seen.first(rank), sees_the_same));
  return before * seen[rank].size() / std::max(ranks, seen[rank].size());
}

}  // namespace

Placement place_rank(std::span<const SeenDevices> seen, int rank) {
  const auto own = static_cast<std::size_t>(rank);
  if (seen[own].empty()) return {};
  const std::size_t device = device_of(seen, own);
  const std::string& uuid = seen[own][device];
  Placement place{static_cast<int>(device), 0};
  for (std::size_t other = 0; other < seen.size(); ++other)
    if (!seen[other].empty() && seen[other][device_of(seen, other)] == uuid) ++place.ranks;
  return place;
}

}  // namespace armilla::backend
