#include <armilla/core/instantiate.hpp>
#include <armilla/cost/point_work.hpp>
#include <armilla/cost/transform_work.hpp>
#include <armilla/nufft/kernel_choice.hpp>

namespace armilla::cost {

namespace {

/// Exchange in which every rank sends bytes to the owners of points, or receives them.
Exchange spread_exchange(double bytes, int ranks, double calls) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  return {.calls = calls,
          .kind = ExchangeKind::kEstimated,
          .total_bytes = bytes * others,
          .largest_rank_bytes = bytes * others / ranks,
          .largest_pair_bytes = bytes / ranks / ranks,
          .partners = ranks - 1};
}

}  // namespace

template <class T>
Work point_work(const points::PointTransformSpec& spec, Index points, int ranks, const PointPasses& passes) {
  const nufft::KernelChoice kernel =
      nufft::choose_kernel(spec.alm->layout().lmax(), spec.accuracy, core::kPrecisionOf<T>);
  const TransformCounts counts(points::PointTransform<T>::torus(spec, ranks), sizeof(T));
  Work work = counts.of({.synthesis = passes.synthesis, .adjoint = passes.adjoint});
  work.add(counts.of_construction());
  const auto count = static_cast<double>(points), share = count / ranks;
  const auto fields = static_cast<double>(spec.maps * spec.kind.components());
  const double samples = kernel.width * kernel.width * fields;
  const auto size = static_cast<double>(spec.alm->layout().lmax() + 1);
  work.add(Item{Kernel::kSorting, size, 1, {count, share}});
  if (passes.synthesis > 0)
    work.add(Item{
        Kernel::kInterpolation, size, 1, {passes.synthesis * samples * count, passes.synthesis * samples * share}});
  if (passes.adjoint > 0)
    work.add(Item{Kernel::kSpreading, size, 1, {passes.adjoint * samples * count, passes.adjoint * samples * share}});
  if (ranks > 1) {
    work.add(spread_exchange(2 * sizeof(double) * count, ranks, 1));
    work.add(spread_exchange(sizeof(T) * fields * count, ranks, passes.synthesis + passes.adjoint));
  }
  return work;
}

ARMILLA_INSTANTIATE(point_work);

}  // namespace armilla::cost
