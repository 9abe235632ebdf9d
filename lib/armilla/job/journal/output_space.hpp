#pragma once

#include <armilla/job/journal/selection.hpp>
#include <armilla/job/plan/plan.hpp>

namespace armilla::job {

/// Not collective; root only. Throws ResourceError if a file system has too little free space for what this run will
/// write. For a campaign, these are the maps of `selection`: files of maps that are done, those of other parts, and
/// space that files of all maps already occupy do not count. Also counts the spectra from which statistics are
/// computed. `selection` is ignored for other jobs.
void check_output_space(const JobPlan& plan, const Selection& selection);

}  // namespace armilla::job
