#include <armilla/backend/device_memory.hpp>
#include <armilla/backend/ring_groups.hpp>
#include <armilla/backend/ring_mode_tables.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_sizes.hpp>
#include <armilla/backend/wigner_tables.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/resample/theta_resampler.hpp>

namespace armilla::backend {

namespace {

// Memory of DevicePairs, with sums in that precision.
DeviceEstimate pairs_memory(const legendre::Task& task, core::Precision sums) {
  DeviceEstimate memory;
  const legendre::PairParts parts(task);
  if (parts.wigner < parts.end) {
    const ScalarStageShape::Bounds bounds = ScalarStageShape(task, sums).work_bounds();
    memory += {ScalarStageTables::memory(task), {{bounds.single, bounds.all}}};
  }
  if (parts.wigner > 0 || parts.wigner == parts.end) memory += WignerTables::memory(task, 0, parts.wigner);
  return memory;
}

ThetaLengths lengths_of(Index source_lmax, const resample::FineGrid& fine) {
  return {2 * resample::resampler_size(source_lmax, fine).source_pairs, fine.length};
}

// Memory of DeviceTheta.
DeviceEstimate theta_memory(const legendre::Task& task, const resample::FineGrid& fine) {
  return {{.tables = bytes_of(ThetaTableSizes(task, task.lmax, task.lmax, fine.length, false))},
          theta_columns(lengths_of(task.lmax, fine)).work()};
}

// Memory of DeviceQuadrature for fields up to `degree`.
DeviceEstimate quadrature_memory(const legendre::Task& task, Index degree, bool resampled) {
  const Index lmax = resampled ? task.lmax : degree;  // of the source
  const resample::FineGrid fine = resample::fine_grid_of(degree);
  const QuadratureSizes own(task.width(), lengths_of(lmax, fine), lmax, degree);
  return {{.tables = bytes_of(ThetaTableSizes(task, lmax, degree, fine.length, true)) + bytes_of(own)},
          own.columns.work()};
}

template <class T>
DeviceEstimate legendre_memory(const Options& options, const legendre::Task& task) {
  if (!is_resampled(options, task.lmax, task.pairs())) return pairs_memory(task, core::kPrecisionOf<T>);
  const resample::SourceThetas thetas = resample::source_thetas(task.lmax);
  const SourceRings source(task, thetas.cosines, thetas.sines);
  DeviceEstimate memory = pairs_memory(source.task(), core::kPrecisionOf<T>);
  memory += theta_memory(task, fine_grid(options, task.lmax));
  memory.held.kept += bytes_of(SourceSizes::of<T>(task, source.delta_size()));
  return memory;
}

}  // namespace

template <class T>
DeviceEstimate device_memory(const Options& options, const legendre::Task& legendre_task,
                             const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                             const math::MeridianCircle& circle) {
  DeviceEstimate memory = legendre_memory<T>(options, legendre_task);
  if (circle.points > 0)
    memory += quadrature_memory(legendre_task, circle.degree,
                                is_resampled(options, legendre_task.lmax, legendre_task.pairs()));
  memory += RingGroups(ring_task, {.plain = plain_lengths(ring_lengths)}).memory(ring_task, sizeof(T));
  memory.held.tables += ring_factors(ring_task).bytes();
  memory.held += RingModeTables::memory(ring_task);
  return memory;
}

ARMILLA_INSTANTIATE(device_memory);

}  // namespace armilla::backend
