#include <armilla/core/log.hpp>
#include <armilla/job/run/run_record.hpp>

#include <algorithm>

namespace armilla::job {

void RunRecord::warn_once(const std::string& input, const std::string& warning) {
  if (std::ranges::find(warned, input) != warned.end()) return;
  warned.push_back(input);
  warnings.push_back(warning);
  if (logs) core::log().warn("{}", warning);
}

}  // namespace armilla::job
