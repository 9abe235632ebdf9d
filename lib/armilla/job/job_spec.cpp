#include <armilla/job/job_spec.hpp>

namespace armilla::job {

const char* sort_name(ValueSort sort) {
  switch (sort) {
    case ValueSort::kMap:
      return "map";
    case ValueSort::kAlm:
      return "alm";
    case ValueSort::kSpectra:
      break;
  }
  return "spectra";
}

}  // namespace armilla::job
