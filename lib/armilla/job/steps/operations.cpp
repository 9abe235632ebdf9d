#include <armilla/job/parse/operation.hpp>
#include <armilla/job/steps/rows.hpp>

namespace armilla::job {

const std::vector<OperationKind>& operation_kinds() {
  static const std::vector<OperationKind> kinds{
      steps::random_alm(),
      steps::synthesis(),
      steps::analysis(),
      steps::adjoint_synthesis(),
      steps::adjoint_analysis(),
      steps::gradient(),
      steps::adjoint_gradient(),
      steps::synthesis_at(),
      steps::adjoint_synthesis_at(),
      steps::analysis_at(),
      steps::gradient_at(),
      steps::lens(),
      steps::pointing(),
      steps::lens_adjoint(),
      steps::inverse_deflection(),
      steps::convert_vector(),
      steps::regrid(),
      steps::smooth(),
      steps::multiply(),
      steps::convolve(),
      steps::reconstruct(),
      steps::scale(),
      steps::add(),
      steps::resize(),
      steps::rotate(),
      steps::mask(),
      steps::select(),
      steps::leakage(),
      steps::spectra(),
      steps::decouple(),
      steps::statistics(),
      steps::compare(),
  };
  return kinds;
}

}  // namespace armilla::job
