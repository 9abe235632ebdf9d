#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/job/plan/plan.hpp>

namespace armilla::job {

/// How the ranks of a run are divided into groups, each of which transforms maps of its own: consecutive ranks, group
/// sizes that differ by one at most.
struct MapGroups {
  int ranks = 1;
  int groups = 1;

  int group_of(int rank) const { return static_cast<int>(static_cast<Index>(rank) * groups / ranks); }
  int first_rank(int group) const {
    return static_cast<int>((static_cast<Index>(group) * ranks + groups - 1) / groups);
  }
};

/// What a rank may use of memory [bytes].
struct RankMemory {
  Index host = core::kTooManyBytes;
  Index device = backend::kNoDevice;  ///< kNoDevice where ranks have none
};

/// Of `free` bytes of the host that a rank has to itself, the share that groups and batches may use: others may run on
/// the node as well.
Index usable(Index free);

/// Not collective: choose_groups() for `ranks` ranks that may use `memory` each.
MapGroups groups_that_fit(const JobPlan& plan, int ranks, const RankMemory& memory);

/// Not collective: choose_batch() where `rank` of the group may use `memory`.
Index batch_that_fits(const JobPlan& plan, int rank, const RankMemory& memory);

/// Collective. The number of groups that the job asks for, or, by a model: ranks that transform a map together wait for
/// each other at each exchange, so the time of a campaign is least where each rank has maps of its own. So there are as
/// many groups as ranks and maps, as far as the announced memory of a group with the same transforms fits what is free
/// on its nodes, and on its devices. The same on all ranks.
MapGroups choose_groups(const comm::Communicator& world, const JobPlan& plan);

/// Collective over all ranks, with the plan of their own group, whose rank `rank` it is. Maps per batch: what the job
/// asks for, or 8 to 64 in eights: as many as make 320 MiB of map data, at least four batches for each group where it
/// has so many maps, so that files are read and written meanwhile, eight without devices where 96 MiB are left for
/// each, and no more than fit half of the free memory, and the free memory of devices. Results do not depend on it.
Index choose_batch(const comm::Communicator& world, const JobPlan& plan, int rank);

}  // namespace armilla::job
