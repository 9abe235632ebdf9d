#include <armilla/job/operation.hpp>
#include <armilla/job/steps/add.hpp>
#include <armilla/job/steps/adjoint_analysis.hpp>
#include <armilla/job/steps/adjoint_gradient.hpp>
#include <armilla/job/steps/adjoint_synthesis.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/compare.hpp>
#include <armilla/job/steps/convert_vector.hpp>
#include <armilla/job/steps/decouple.hpp>
#include <armilla/job/steps/gradient.hpp>
#include <armilla/job/steps/leakage.hpp>
#include <armilla/job/steps/mask.hpp>
#include <armilla/job/steps/multiply.hpp>
#include <armilla/job/steps/random_alm.hpp>
#include <armilla/job/steps/regrid.hpp>
#include <armilla/job/steps/resize.hpp>
#include <armilla/job/steps/rotate.hpp>
#include <armilla/job/steps/scale.hpp>
#include <armilla/job/steps/select.hpp>
#include <armilla/job/steps/smooth.hpp>
#include <armilla/job/steps/spectra.hpp>
#include <armilla/job/steps/statistics.hpp>
#include <armilla/job/steps/synthesis.hpp>

namespace armilla::job {

const std::vector<OperationKind>& operation_kinds() {
  static const std::vector<OperationKind> kinds{
      steps::RandomAlm::kind(),
      steps::Synthesis::kind(),
      steps::Analysis::kind(),
      steps::AdjointSynthesis::kind(),
      steps::AdjointAnalysis::kind(),
      steps::Gradient::kind(),
      steps::AdjointGradient::kind(),
      steps::ConvertVector::kind(),
      steps::Regrid::kind(),
      steps::Smooth::kind(),
      steps::Multiply::kind(),
      steps::Scale::kind(),
      steps::Add::kind(),
      steps::Resize::kind(),
      steps::Rotate::kind(),
      steps::Mask::kind(),
      steps::Select::kind(),
      steps::Leakage::kind(),
      steps::Spectra::kind(),
      steps::Decouple::kind(),
      steps::Statistics::kind(),
      steps::Compare::kind(),
  };
  return kinds;
}

void Operation::prepare(const comm::Communicator&, const PlannedStep&) const {}

core::Index Operation::extra_bytes(const JobPlan&, const PlannedStep&, core::Precision, int) const { return 0; }

core::Index Operation::kept_bytes(const JobPlan&, const PlannedStep&, int) const { return 0; }

void Operation::take(const YamlValue& step, const std::string& key, ValueSort sort) { take(key, step.text(key), sort); }

void Operation::take(const std::string& key, const std::string& name, ValueSort sort) {
  operands_.push_back({key, name, sort});
}

void Operation::make(const YamlValue& step) { make(step.text("out")); }

void Operation::make(const std::string& name) { results_.push_back(name); }

}  // namespace armilla::job
