#pragma once

#include <armilla/job/operation.hpp>

#include <string>

namespace armilla::job::steps {

/// `leakage: {map, mask, lmax, mmax, method, allow_aliasing, b_map, template, alm, out}`: the B map of masked
/// polarisation, cleaned of what leaks into it from E (Liu et al. 2019, arXiv:1811.04691, as in fastSHT: Tian,
/// Li & Liu 2022). It stands for steps of other kinds and a RemoveLeakage.
struct Leakage {
  static OperationKind kind();
};

/// The last step of Leakage: fits a B map by its template on the pixels of a mask, and takes off what was found.
struct RemoveLeakage final : Operation {
  RemoveLeakage(const std::string& map, const std::string& pattern, const std::string& mask, const std::string& out);
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps
