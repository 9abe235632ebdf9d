#pragma once

#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/transform/transform_cache.hpp>

namespace armilla::job {

/// Collective over `world`. Runs a job over many maps, those of `selection`. Each group runs the steps that do not
/// depend on a map, then processes batches in turn. The next batch is read and the previous one is written while the
/// current batch is transformed. The plan is for the ranks of `group`, whose index is groups.group_of(world.rank()).
/// Throws the same error on all ranks of the world. A group that fails notifies the others, which stop after the
/// current batch; completed files are kept. Files that cover all maps and statistics are completed after the last map.
/// Until then they are unfinished, and the next run continues them. Transforms are taken from `cache`, which is for the
/// ranks of the group.
void run_campaign(const comm::Communicator& world, const comm::Communicator& group, const MapGroups& groups,
                  const JobPlan& plan, const Selection& selection, transform::TransformCache& cache,
                  CampaignJournal& journal, Progress& progress, RunRecord& record);

}  // namespace armilla::job
