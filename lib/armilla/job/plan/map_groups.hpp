#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/job/plan/plan.hpp>

namespace armilla::job {

/// How the ranks of a run are divided into groups that transform separate maps. Groups consist of consecutive ranks,
/// and their sizes differ by at most one.
struct MapGroups {
  int ranks = 1;
  int groups = 1;

  int group_of(int rank) const { return static_cast<int>(static_cast<Index>(rank) * groups / ranks); }
  int first_rank(int group) const {
    return static_cast<int>((static_cast<Index>(group) * ranks + groups - 1) / groups);
  }
};

/// Memory available to a rank [bytes].
struct RankMemory {
  Index host = core::kTooManyBytes;
  Index device = backend::kNoDevice;  ///< kNoDevice if ranks have no device
};

/// The share of a rank's `free` bytes of host memory that groups and batches may use. The rest is left for other
/// processes on the node.
Index usable(Index free);

/// Not collective. choose_groups() for `ranks` ranks with `memory` available to each.
MapGroups groups_that_fit(const JobPlan& plan, int ranks, const RankMemory& memory);

/// Not collective. choose_batch() for `rank` of the group with `memory` available.
Index batch_that_fits(const JobPlan& plan, int rank, const RankMemory& memory);

/// Collective. The number of groups that the job requests, otherwise the number from a model. Ranks that transform a
/// map together wait for each other at each exchange, so a campaign takes the least time if each rank has its own maps.
/// The model uses as many groups as there are ranks and maps. It is limited by the memory estimate of a group with the
/// same transforms and the free memory of its nodes and devices. The result is the same on all ranks.
MapGroups choose_groups(const comm::Communicator& world, const JobPlan& plan);

/// Collective over all ranks; each passes the plan of its own group and its `rank` in it. Returns the maps per batch:
/// what the job requests, or at most a multiple of 8 from 8 to 64, the same for all batches up to rounding. The default
/// is as many maps as make 320 MiB of map data. A group with at least 32 maps has at least four batches, so that file
/// access overlaps with transforms. Without devices, a group with at least 64 maps has at least eight batches, provided
/// that each holds 96 MiB. The batch is limited to half of the free memory, and to the free memory of devices. The
/// batch size does not affect results.
Index choose_batch(const comm::Communicator& world, const JobPlan& plan, int rank);

}  // namespace armilla::job
