#pragma once

#include <armilla/cost/transform_work.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <memory>
#include <vector>

namespace armilla::job {

/// Counts of the transforms of a job, which its plans for different numbers of ranks and maps share: the steps of the
/// Legendre stage are counted once for each transform, the exchange once for each number of ranks and maps.
class CountedTransforms {
 public:
  /// The counts of a transform. `bytes_of_number`: size of a real value, the same in all calls.
  std::shared_ptr<const cost::TransformCounts> of(const transform::FieldTransformSpec& spec, Index bytes_of_number);

 private:
  struct Known {
    transform::FieldTransformSpec spec;
    std::shared_ptr<const cost::TransformCounts> counts;
  };
  std::vector<Known> known_;
};

}  // namespace armilla::job
