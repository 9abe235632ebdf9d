#pragma once

#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::job {

/// The components that the inputs of a job read, with their spins; one text for each input of a field:
/// "input 'sky': T (spin 0), Q, U (spin 2)". Names of components whose spin nothing states, which are read as scalars,
/// are marked.
std::vector<std::string> input_fields_text(const JobPlan& plan);

/// The same for reports: an array with `input`, `polcconv` of the source, and for each component `field`, `spin` and
/// whether the spin is `stated`.
nlohmann::json input_fields_json(const JobPlan& plan);

}  // namespace armilla::job
