#pragma once

#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>

namespace armilla::job {

/// Collective over `world`. Runs a job of many maps, those of `selection`: each group does what depends on none of
/// them, then takes batches in turn; a batch is read while the one before is transformed, and written while the next
/// one is. The plan is for the ranks of `group`, which is number groups.group_of(world.rank()). Throws the same error
/// on all ranks of the world: a group that fails tells the others, which stop after the batch at hand; files that were
/// complete by then stay. When the last map of all is done, files of all maps and statistics are completed; until then
/// they are unfinished, and the next run continues them.
void run_campaign(const comm::Communicator& world, const comm::Communicator& group, const MapGroups& groups,
                  const JobPlan& plan, const Selection& selection, CampaignJournal& journal, Progress& progress,
                  RunRecord& record);

}  // namespace armilla::job
