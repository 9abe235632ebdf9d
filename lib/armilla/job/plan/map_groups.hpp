#pragma once

#include <armilla/comm/communicator.hpp>
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
