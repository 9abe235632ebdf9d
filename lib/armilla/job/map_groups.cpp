#include <armilla/comm/phase.hpp>
#include <armilla/job/machine.hpp>
#include <armilla/job/map_groups.hpp>
#include <armilla/job/memory_model.hpp>

#include <algorithm>

namespace armilla::job {

namespace {

constexpr Index kMapBytes = Index{256} << 20;  // of a batch
constexpr Index kEights = 8;
constexpr Index kMost = 64;
constexpr Index kBatchesPerGroup = 4;
constexpr double kShareOfFree = 0.5;  // others may run on the node as well

Index round_up(Index value) { return (value + kEights - 1) / kEights * kEights; }

/// Collective. What each rank may use, by the rank that has least.
Index free_bytes(const comm::Communicator& world) {
  double bytes = static_cast<double>(available_bytes()) * kShareOfFree / world.node_place().ranks;
  world.min({&bytes, 1});
  return static_cast<Index>(bytes);
}

/// Of the largest map or alm that a batch has.
Index largest_map(const JobPlan& plan) {
  Index largest = 1;
  for (const ValueInfo& value : plan.values) {
    if (!value.per_item) continue;
    Index bytes = 0;
    for (int rank = 0; rank < plan.ranks; ++rank) bytes += field_bytes(value, plan.spec.execution.precision, rank);
    largest = std::max(largest, bytes);
  }
  return largest;
}

Index peak_of(JobPlan plan, int rank, Index batch) {
  set_batch(plan, batch);
  return forecast_memory(plan, rank, 0).peak();
}

}  // namespace

MapGroups choose_groups(const comm::Communicator& world, const JobPlan& plan) {
  const auto most = static_cast<int>(std::min<Index>(world.size(), plan.campaign->maps()));
  MapGroups chosen{world.size(), most};
  if (const auto asked = plan.spec.execution.map_groups) {
    chosen.groups = static_cast<int>(std::min<Index>(*asked, most));
    return chosen;
  }
  const Index free = free_bytes(world);
  comm::phase(world, [&] {
    if (!world.is_root()) return;
    for (int ranks = 1; ranks <= world.size(); ranks *= 2) {
      chosen.groups = std::min(most, world.size() / ranks);
      if (chosen.groups == 1) return;
      const int in_group = world.size() / chosen.groups;
      if (peak_of(plan_for(plan.spec, in_group), 0, 1) <= free) return;
    }
    chosen.groups = 1;
  });
  world.broadcast(&chosen.groups, sizeof(chosen.groups));
  return chosen;
}

Index choose_batch(const comm::Communicator& world, const JobPlan& plan, int rank) {
  const CampaignPlan& campaign = *plan.campaign;
  if (const auto asked = plan.spec.execution.batch) return std::min(*asked, campaign.maps());
  const Index free = free_bytes(world);
  Index batch = 1;
  comm::phase(world, [&] {
    const Index share = (campaign.maps() + campaign.groups - 1) / campaign.groups;
    const Index wanted = std::clamp(kMapBytes / largest_map(plan) / kEights * kEights, kEights, kMost);
    batch = std::min({wanted, round_up((share + kBatchesPerGroup - 1) / kBatchesPerGroup), share});
    while (batch > 1 && peak_of(plan, rank, batch) > free) batch = batch > kEights ? batch - kEights : batch / 2;
  });
  auto least = static_cast<double>(batch);
  world.min({&least, 1});
  return static_cast<Index>(least);
}

}  // namespace armilla::job
