#include <armilla/comm/node_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>

namespace armilla::job {

namespace {

constexpr Index kMapBytes = Index{320} << 20;  // per batch
// Sufficient for a batch that already shares almost everything that maps can share. Larger batches only use more
// memory, whose first access takes time. They also increase the time of file access before the first and after the last
// computation.
constexpr Index kEnoughBytes = Index{96} << 20;
constexpr Index kEights = 8;
constexpr Index kMax = 64;
constexpr Index kBatchesPerGroup = 4;
constexpr Index kBatchesOfEnough = 8;
constexpr double kShareOfFree = 0.5;  // other processes may use the node

/// The multiple of eight maps of `each` bytes that fits in `bytes`.
Index maps_in(Index bytes, Index each) { return std::clamp(bytes / each / kEights * kEights, kEights, kMax); }

/// Maps per batch for a group with `share` maps.
Index wanted_batch(Index share, Index each, bool on_device) {
  // The largest multiple of eight with at least that many batches, for at least eight maps.
  const auto in_batches = [&](Index number) { return std::max(share / number / kEights * kEights, kEights); };
  const Index most = std::min({maps_in(kMapBytes, each), in_batches(kBatchesPerGroup), share});
  return on_device ? most : std::min(most, std::max(maps_in(kEnoughBytes, each), in_batches(kBatchesOfEnough)));
}

/// Collective. Memory available to each rank, determined by the rank with the least.
RankMemory memory_of_ranks(const comm::Communicator& world, const JobPlan& plan) {
  return {usable(comm::free_bytes_per_rank(world, plan.spec.execution.memory_limit)),
          transform::device_room(world, plan.spec.execution.backend)};
}

/// Size of the largest map or alm of a batch.
Index largest_map(const JobPlan& plan) {
  Index largest = 1;
  for (const ValueInfo& value : plan.values) {
    if (!value.per_item) continue;
    Index bytes = 0;
    for (int rank = 0; rank < plan.ranks; ++rank) bytes += field_bytes(plan, value, 1, rank);
    largest = std::max(largest, bytes);
  }
  return largest;
}

/// Whether batches of `batch` maps fit in memory on that rank.
bool fits(JobPlan plan, int rank, Index batch, const RankMemory& memory) {
  set_batch(plan, batch);
  const MemoryModel model(plan, rank);
  const bool on_device = memory.device != backend::kNoDevice && model.has_device();
  const MemoryForecast forecast = model.forecast(0, on_device ? std::optional(model.min_work()) : std::nullopt);
  return forecast.peak() <= memory.host && (!on_device || forecast.device_peak().total() <= memory.device);
}

}  // namespace

Index usable(Index free) { return static_cast<Index>(kShareOfFree * static_cast<double>(free)); }

MapGroups groups_that_fit(const JobPlan& plan, int ranks, const RankMemory& memory) {
  const auto most = static_cast<int>(std::clamp<Index>(plan.campaign->taken(), 1, ranks));
  MapGroups chosen{ranks, most};
  if (const auto asked = plan.spec.execution.map_groups) {
    chosen.groups = static_cast<int>(std::min<Index>(*asked, most));
    return chosen;
  }
  // The largest number of groups whose plan fits; one if none fits.
  for (int of_group = 1; of_group <= ranks; of_group *= 2) {
    chosen.groups = std::min(most, ranks / of_group);
    if (chosen.groups == 1) return chosen;
    if (fits(plan_for(plan, ranks / chosen.groups), 0, 1, memory)) return chosen;
  }
  chosen.groups = 1;
  return chosen;
}

Index batch_that_fits(const JobPlan& plan, int rank, const RankMemory& memory) {
  const CampaignPlan& campaign = *plan.campaign;
  const Index longest = campaign.longest_run();
  if (const auto asked = plan.spec.execution.batch) return std::min(*asked, longest);
  const Index share = std::max((campaign.taken() + campaign.groups - 1) / campaign.groups, Index{1});
  Index batch = wanted_batch(share, largest_map(plan), memory.device != backend::kNoDevice);
  while (batch > 1 && !fits(plan, rank, batch, memory))
    batch = batch > kEights ? (batch - 1) / kEights * kEights : batch / 2;
  // The same number of batches, but of equal size, because a partial batch takes as long as a full one.
  const Index batches = (share + batch - 1) / batch;
  return std::min((share + batches - 1) / batches, longest);
}

MapGroups choose_groups(const comm::Communicator& world, const JobPlan& plan) {
  const RankMemory memory = memory_of_ranks(world, plan);
  MapGroups chosen{world.size(), 1};
  comm::phase(world, [&] {
    if (world.is_root()) chosen = groups_that_fit(plan, world.size(), memory);
  });
  world.broadcast(&chosen.groups, sizeof(chosen.groups));
  return chosen;
}

Index choose_batch(const comm::Communicator& world, const JobPlan& plan, int rank) {
  const RankMemory memory = memory_of_ranks(world, plan);
  Index batch = 1;
  comm::phase(world, [&] { batch = batch_that_fits(plan, rank, memory); });
  // The minimum over all ranks.
  auto least = static_cast<double>(batch);
  world.min({&least, 1});
  return static_cast<Index>(least);
}

}  // namespace armilla::job
