#include "point_stage.hpp"

#include <armilla/backend/cuda/cuda_memory.hpp>
#include <armilla/backend/cuda/cuda_point_engine.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "variants/point_variants.hpp"
#include <kernels/core/device.hpp>
#include <kernels/nufft/tensor_cells.hpp>

namespace armilla::perf {

using core::at;

namespace {

template <class T>
using Points = std::span<kernels::NufftPoint<T>>;

// The same tables, with the points of each chunk sorted by sub-cells, and by their order before within a sub-cell.
// Chunks that are not completely requested are sorted for each of their parts.
template <class T>
backend::PointTables<T> sorted_by_sub_cells(const backend::PointTables<T>& tables) {
  backend::PointTables<T> sorted = tables;
  sorted.fill_points = [&tables](Index first, Points<T> some) {
    const auto end = first + static_cast<Index>(some.size());
    std::vector<kernels::NufftPoint<T>> chunk_points;
    auto chunk = std::ranges::upper_bound(tables.chunks, first, {}, &kernels::NufftChunk::begin) - 1;
    for (; chunk != tables.chunks.end() && chunk->begin < end; ++chunk) {
      chunk_points.resize(at(chunk->count));
      tables.fill_points(chunk->begin, chunk_points);
      std::ranges::stable_sort(chunk_points, {}, [&](const kernels::NufftPoint<T>& point) {
        return kernels::tensor_sub_cell_number(tables.window.width, point.row, point.column);
      });
      const Index from = std::max(first, chunk->begin), to = std::min(end, chunk->begin + chunk->count);
      std::copy(chunk_points.begin() + (from - chunk->begin), chunk_points.begin() + (to - chunk->begin),
                some.begin() + (from - first));
    }
  };
  return sorted;
}

// Makes engines for points with the kernels of a variant.
template <class T>
class PointContext final : public backend::Context<T> {
 public:
  PointContext(const PointVariant& variant, std::shared_ptr<const kernels::Stream> stream)
      : on_tensor_cores_(variant.on_tensor_cores), stream_(std::move(stream)) {}

  std::shared_ptr<backend::Memory> memory() const override { return memory_; }
  std::unique_ptr<backend::FieldStages<T>> make_stages(const backend::Options&, const legendre::Task&,
                                                       const fft::RingTask&, std::span<const Index>,
                                                       const math::MeridianCircle&) override {
    throw core::InternalError("this context has only sums at points");
  }
  std::unique_ptr<backend::RadialEngine<T>> make_radial_engine() override {
    throw core::InternalError("this context has only sums at points");
  }
  std::unique_ptr<backend::PointEngine<T>> make_point_engine(const backend::PointTables<T>& tables) override {
    // As in jobs.
    const Index work = std::min(kernels::device_memory().free / 8, Index{2} << 30);
    if constexpr (std::is_same_v<T, double>)
      if (on_tensor_cores_)
        return std::make_unique<backend::CudaPointEngine<T>>(sorted_by_sub_cells(tables), work, *stream_,
                                                             tensor_point_kernels());
    return std::make_unique<backend::CudaPointEngine<T>>(tables, work, *stream_);
  }
  backend::PlacedPoints<T> place_points(const kernels::NufftPlacement&, const double*, const double*, Index) override {
    throw core::InternalError("this context has only sums at points");
  }

 private:
  bool on_tensor_cores_;
  std::shared_ptr<const kernels::Stream> stream_;
  std::shared_ptr<backend::Memory> memory_ = backend::make_cuda_memory(stream_);
};

template <class T>
nufft::KernelChoice kernel_of(const points::PointTransformSpec& spec) {
  return nufft::choose_kernel(spec.alm->layout().lmax(), spec.accuracy, core::kPrecisionOf<T>);
}

Index fields_of(const points::PointTransformSpec& spec) { return spec.maps * spec.kind.components(); }

std::vector<Index> spins_of(const points::PointTransformSpec& spec) {
  std::vector<Index> spins;
  for (Index map = 0; map < spec.maps; ++map)
    for (const Index spin : spec.kind.spins()) spins.push_back(spin);
  return spins;
}

}  // namespace

std::vector<PointVariant> point_variants() {
  return {{"production", "the kernels of jobs", false},
          {"points_tensor", "16 x 16 tiles on tensor cores, in double precision, windows up to 13", true}};
}

std::string why_unusable(const PointVariant& variant, int width, core::Precision precision) {
  if (!variant.on_tensor_cores) return {};
  const std::string name = std::string("variant ") + variant.name;
  if (precision != core::Precision::kDouble) return name + " requires double precision: remove --precision single";
  if (width > kernels::kTensorMaxWidth)
    return name + " requires windows of width up to " + std::to_string(kernels::kTensorMaxWidth) + ", not " +
           std::to_string(width) + ": use a larger --accuracy";
  return {};
}

template <class T>
PointStage<T>::PointStage(const PointVariant& variant, const points::PointTransformSpec& spec,
                          std::span<const double> theta, std::span<const double> phi)
    : comm_(comm::Communicator::self()),
      kernel_(kernel_of<T>(spec)),
      stream_(std::make_shared<const kernels::Stream>()),
      torus_(spec.kind, points::PointTransform<T>::torus(spec, 1).pixels, 0, spec.maps),
      values_(fields_of(spec) * static_cast<Index>(theta.size())),
      halo_(comm_, torus_.shared_distribution(), {{0, kernel_.fine_length / 4}}, fields_of(spec),
            transform::RingHalo<T>::Use::kBoth) {
  if (const std::string why = why_unusable(variant, kernel_.width, core::kPrecisionOf<T>); !why.empty())
    throw core::InternalError(why);
  const nufft::PointPlan<T> plan(kernel_, nufft::sphere_band(kernel_), theta, phi);
  const std::vector parts{points::DevicePart<T>::of(plan, {})};
  sums_ = std::make_unique<points::DeviceSums<T>>(comm_, std::make_shared<PointContext<T>>(variant, stream_),
                                                  torus_.distribution(), halo_, parts, spins_of(spec),
                                                  static_cast<Index>(theta.size()));
}

ARMILLA_INSTANTIATE_CLASS(PointStage);

}  // namespace armilla::perf
