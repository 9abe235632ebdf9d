#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/point_analysis.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/fit_counts.hpp>
#include <armilla/ops/solvers/least_squares.hpp>
#include <armilla/ops/solvers/point_fit.hpp>
#include <armilla/ops/solvers/regularised_fit.hpp>
#include <armilla/ops/unit_scale.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace armilla::ops {

using core::at;

namespace {

/// For each field [map, component], the index of its system in the batch (batch_vectors.hpp).
std::vector<std::size_t> systems_of_fields(const transform::FieldKind& kind, Index maps) {
  std::vector<std::size_t> systems;
  std::size_t system = 0;
  for (Index map = 0; map < maps; ++map)
    for (const transform::SpinField& field : kind.spin_fields())
      systems.insert(systems.end(), at(field.components), system++);
  return systems;
}

}  // namespace

template <class T>
PointAnalysis<T>::PointAnalysis(points::PointTransform<T>& transform, std::span<const double> inverse_variance)
    : transform_(transform) {
  const comm::Communicator& comm = transform.comm();
  std::vector<Index> counts(at(comm.size()), 0);
  counts[at(comm.rank())] = transform.points();
  comm.sum(counts);
  std::vector<double> sums{0, static_cast<double>(inverse_variance.size())};
  std::vector<Index> used{0};
  comm::phase(comm, [&] {
    const Index before = std::accumulate(counts.begin(), counts.begin() + comm.rank(), Index{0});
    for (std::size_t i = 0; i < inverse_variance.size(); ++i) {
      if (!(inverse_variance[i] >= 0) || !std::isfinite(inverse_variance[i]))
        throw core::InputError(
            fmt::format("the weight of point {} is {}: inverse variances must be finite and at least 0, with 0 for "
                        "points without data",
                        before + static_cast<Index>(i), inverse_variance[i]));
      sums[0] += inverse_variance[i];
      if (inverse_variance[i] > 0) ++used[0];
    }
  });
  comm.sum(std::span<double>(sums));
  comm.sum(used);
  const auto points = static_cast<double>(std::accumulate(counts.begin(), counts.end(), Index{0}));
  if (points == 0) throw core::InputError("there are no points to fit: provide points on at least one rank");
  constexpr double kSphere = 4 * core::kPi;
  if (sums[1] == 0) {
    scale_ = kSphere / points;
    weights_.assign(1, scale_);
    used_ = static_cast<Index>(points);
    return;
  }
  used_ = used[0];
  comm::phase(comm, [&] {
    if (static_cast<Index>(inverse_variance.size()) != transform_.points())
      throw core::InputError(
          fmt::format("{} weights for {} points: provide one per point", inverse_variance.size(), transform_.points()));
    if (!(sums[0] > 0)) throw core::InputError("all weights are 0: no usable points");
    weights_.assign(inverse_variance.begin(), inverse_variance.end());
    scale_ = kSphere / sums[0];
    for (double& weight : weights_) weight *= scale_;
  });
}

template <class T>
std::vector<AnalysisOutcome> PointAnalysis<T>::run(std::span<const T> values, transform::AlmField<T>& alm,
                                                   const AnalysisMethod& method, iteration::Checkpoint<T>* checkpoint) {
  return run(backend::DualBuffer<T>({const_cast<T*>(values.data()), values.size()}, backend::Access::kRead), alm,
             method, checkpoint);
}

template <class T>
std::vector<AnalysisOutcome> PointAnalysis<T>::run(const backend::DualBuffer<T>& values, transform::AlmField<T>& alm,
                                                   const AnalysisMethod& method, iteration::Checkpoint<T>* checkpoint) {
  const comm::Communicator& comm = transform_.comm();
  const points::PointTransformSpec& spec = transform_.spec();
  const LeastSquares& fit = *method.fit();
  if (!fit.regularise.any()) {
    const std::string fault = count_fault(FitData::kPoints, spec.alm->layout(), spec.kind, [&](std::size_t field) {
      return used_ * spec.kind.spin_fields()[field].components;
    });
    if (!fault.empty()) throw core::InputError(core::ErrorContext{.text = fault});
  }
  const std::vector<std::size_t> system_of_field = systems_of_fields(spec.kind, spec.maps);
  const std::size_t systems = system_of_field.empty() ? 0 : system_of_field.back() + 1;
  // `wrong` [map]: whether a value is not finite. `largest` [system]: largest value with nonzero weight.
  std::vector<double> wrong(at(spec.maps), 0.0), largest(systems, 0.0);
  comm::phase(comm, [&] {
    const Index count = transform_.points();
    const std::span<const T> all = values.host();
    for (std::size_t f = 0; f < system_of_field.size(); ++f) {
      bool is_finite = true;
      double most = 0;
      const std::span<const T> of_field = all.subspan(f * at(count), at(count));
#pragma omp parallel for schedule(static) reduction(&& : is_finite) reduction(max : most)
      for (Index i = 0; i < count; ++i) {
        const auto magnitude = std::abs(static_cast<double>(of_field[at(i)]));
        if (!std::isfinite(magnitude)) is_finite = false;
        if (weights_.size() == 1 || weights_[at(i)] > 0) most = std::max(most, magnitude);
      }
      if (!is_finite) wrong[f / at(spec.kind.components())] = 1;
      double& so_far = largest[system_of_field[f]];
      so_far = std::max(so_far, most);
    }
  });
  comm.max(std::span<double>(wrong));
  comm.max(std::span<double>(largest));
  std::vector<MapFault> faults;
  for (Index map = 0; map < spec.maps; ++map)
    if (wrong[at(map)] > 0) faults.push_back({map, "some values are not finite: fix them"});
  if (!faults.empty()) throw MapFaults(std::move(faults), FaultOf::kMap, spec.maps);

  std::vector<double> scales, back;
  for (const double most : largest) {
    // Limited to the range of T, which is exceeded only if all values are subnormal.
    scales.push_back(std::min(unit_scale(most), std::ldexp(1.0, std::numeric_limits<T>::max_exponent - 1)));
    back.push_back(1 / scales.back());
  }
  std::unique_ptr<PointFit<T>> problem;
  comm::phase(comm, [&] { problem = std::make_unique<PointFit<T>>(transform_, values, scales, weights_); });
  std::vector<AnalysisOutcome> outcomes =
      fit_regularised<T>(*problem, alm, algorithm_of(method), residual_target<T>(fit), fit.regularise,
                         std::vector<double>(systems, scale_), checkpoint);
  for (AnalysisOutcome& outcome : outcomes) outcome.alm_error.reset();
  comm::phase(comm, [&] { combine_each(std::vector<double>(systems, 0.0), alm, back, alm, problem->memory()); });
  return outcomes;
}

template <class T>
core::MemoryEstimate PointAnalysis<T>::memory(const points::PointTransformSpec& spec, Index given, int rank,
                                              const AnalysisMethod& method) {
  const Index values =
      PointFit<T>::allocated(spec.maps * spec.kind.components(), given) * static_cast<Index>(sizeof(T));
  const Index alms = fit_vectors(algorithm_of(method), method.fit()->regularise);
  const Index alm = spec.maps * spec.kind.components() * spec.alm->local_size(rank) * 2 * static_cast<Index>(sizeof(T));
  const Index penalty =
      penalty_bytes(method.fit()->regularise, spec.maps * spec.kind.components(), spec.alm->layout().lmax());
  return {.kept = given * static_cast<Index>(sizeof(double)), .workspace = values + alms * alm + penalty};
}

ARMILLA_INSTANTIATE_CLASS(PointAnalysis);

}  // namespace armilla::ops
