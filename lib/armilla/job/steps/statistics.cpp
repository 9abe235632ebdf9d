#include <armilla/io/write.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/spectra_store.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/statistics.hpp>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Statistics&, StepRun<T>& step) {
  step.local("statistics", [&] {
    if (step.store() == nullptr || !step.comm().is_root()) return;
    for (Index place = 0; place < step.batch().maps; ++place)
      if (step.batch().is_there(place))
        step.store()->put(step.batch().first + place,
                          io::in_file_order(step.spectra()[static_cast<std::size_t>(place)]));
  });
}

}  // namespace

Statistics::Statistics(const YamlValue& value, const ParseContext&) {
  take(value, "spectra", ValueSort::kSpectra);
  make(value);
}

OperationKind Statistics::kind() { return {"statistics", {"spectra", "out"}, parse_step<Statistics>}; }

void Statistics::plan(StepPlanner& planner) const {
  const ValueInfo& spectra = planner.operand();
  ValueInfo& result = planner.result();
  result.sort = ValueSort::kStatistics;
  result.spectra = spectra.spectra;
  result.spectra_lmax = spectra.spectra_lmax;
  result.units = spectra.units;
  result.coordsys = spectra.coordsys;
}

void Statistics::run(StepRun<float>& step) const { run_as(*this, step); }
void Statistics::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
