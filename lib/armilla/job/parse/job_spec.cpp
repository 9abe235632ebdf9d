#include <armilla/job/parse/job_spec.hpp>

namespace armilla::job {

const char* sort_name(ValueSort sort) {
  switch (sort) {
    case ValueSort::kMap:
      return "map";
    case ValueSort::kAlm:
      return "alm";
    case ValueSort::kPoints:
      return "points";
    case ValueSort::kValues:
      return "values";
    case ValueSort::kSpectra:
      return "spectra";
    case ValueSort::kTable:
      return "table";
    case ValueSort::kStatistics:
      break;
  }
  return "statistics";
}

std::vector<std::string> InputSpec::entries() const {
  std::vector<std::string> all{file};
  all.insert(all.end(), more_files.begin(), more_files.end());
  return all;
}

std::vector<std::string> InputSpec::files_of(Index item) const {
  if (items.files.empty()) return entries();
  const auto count = static_cast<std::ptrdiff_t>(1 + more_files.size());
  const auto first = items.files.begin() + item * count;
  return {first, first + count};
}

bool BadMapLimit::is_exceeded(Index left_out, Index maps) const {
  const auto count = static_cast<double>(left_out);
  constexpr double kRounding = 1e-12;  // 0.1% of 3000 maps are 3 maps
  return is_percent ? 100 * count > number * static_cast<double>(maps) * (1 + kRounding) : count > number;
}

alm::Convention ConventionSpec::or_default() const {
  alm::Convention convention;
  convention.norm = norm.value_or(convention.norm);
  convention.phase = phase.value_or(convention.phase);
  convention.basis = basis.value_or(convention.basis);
  return convention;
}

}  // namespace armilla::job
