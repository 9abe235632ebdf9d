#include <armilla/job/run/run_record.hpp>

#include <algorithm>

#include <spdlog/spdlog.h>

namespace armilla::job {

void RunRecord::warn_once(const std::string& input, const std::string& warning) {
  if (std::ranges::find(warned, input) != warned.end()) return;
  warned.push_back(input);
  warnings.push_back(warning);
  if (logs) spdlog::warn("{}", warning);
}

}  // namespace armilla::job
