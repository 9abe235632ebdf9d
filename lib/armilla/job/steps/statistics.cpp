#include <armilla/io/write.hpp>
#include <armilla/job/run/spectra_store.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>

namespace armilla::job::steps {

namespace {

struct Statistics final : Step<Statistics> {
  static Keys<Statistics> keys() {
    return {operand("spectra", ValueSort::kSpectra, "the spectra of each map of a campaign"),
            result("their mean and covariance")};
  }

  void plan(StepPlanner& planner) const override {
    const ValueInfo& spectra = planner.operand();
    ValueInfo& statistics = planner.result();
    statistics.sort = ValueSort::kStatistics;
    statistics.spectra = spectra.spectra;
    statistics.spectra_lmax = spectra.spectra_lmax;
    statistics.units = spectra.units;
    statistics.coordsys = spectra.coordsys;
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("statistics", [&] {
      if (step.store() == nullptr || !step.comm().is_root()) return;
      for (Index place = 0; place < step.batch().maps; ++place)
        if (step.batch().is_there(place))
          step.store()->put(step.batch().first + place,
                            io::in_file_order(step.spectra()[static_cast<std::size_t>(place)]));
    });
  }

  bool gathers() const override { return true; }
};

}  // namespace

OperationKind statistics() {
  return Statistics::kind(
      "statistics",
      "Compute the mean and the l-l' covariance of the spectra of [many maps](job_reference.md#many-maps)");
}

}  // namespace armilla::job::steps
