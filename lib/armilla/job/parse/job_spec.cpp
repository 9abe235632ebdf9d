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
    case ValueSort::kStatistics:
      break;
  }
  return "statistics";
}

alm::Convention ConventionSpec::or_default() const {
  alm::Convention convention;
  convention.norm = norm.value_or(convention.norm);
  convention.phase = phase.value_or(convention.phase);
  convention.basis = basis.value_or(convention.basis);
  return convention;
}

}  // namespace armilla::job
