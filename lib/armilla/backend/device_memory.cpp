#include <armilla/backend/device_memory.hpp>
#include <armilla/backend/ring_groups.hpp>
#include <armilla/backend/ring_mode_tables.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_chunk.hpp>
#include <armilla/backend/wigner_tables.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/resample/sine_product.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <complex>
#include <type_traits>

#include <kernels/theta/theta_body.hpp>

namespace armilla::backend {

namespace {

constexpr auto kComplex = static_cast<Index>(sizeof(std::complex<double>));
constexpr auto kReal = static_cast<Index>(sizeof(double));

// Workspace of the partial sums of DeviceWigner: at least for a single m, at most for all.
WorkSpace wigner_work(const legendre::Task& task, Index pair_end) {
  const Index width = kernels::wigner_maps(task.maps) * (task.spin == 0 ? 2 : 4) * kReal;
  WorkSpace work;
  for (std::size_t k = 0; k < task.m.size(); ++k) {
    const Index degrees = std::max<Index>(0, task.lmax + 1 - math::lowest_degree(task.spin, task.m[k]));
    const Index bytes = kernels::wigner_blocks(pair_end - task.first_pair[k]) * degrees * width;
    work.least = std::max(work.least, bytes);
    work.most += bytes;
  }
  return work;
}

// Memory of DevicePairs, with sums in that precision.
DeviceEstimate pairs_memory(const legendre::Task& task, core::Precision sums) {
  DeviceEstimate memory;
  const legendre::PairParts parts(task);
  if (parts.wigner < parts.end) {
    const ScalarStageShape::Bounds bounds = ScalarStageShape(task, sums).work_bounds();
    memory += {ScalarStageTables::memory(task), {{bounds.single, bounds.all}}};
  }
  if (parts.wigner > 0 || parts.wigner == parts.end)
    memory += {WignerTables::memory(task, 0, parts.wigner), {wigner_work(task, parts.wigner)}};
  return memory;
}

// Memory of ThetaTables from source rings for `source_lmax` to a fine grid for `degree`; `circle`: including the tables
// of a circle.
core::MemoryEstimate theta_tables_memory(const legendre::Task& task, Index source_lmax, Index degree,
                                         const resample::FineGrid& fine, bool circle) {
  constexpr auto kWhole = static_cast<Index>(sizeof(Index));
  constexpr auto kInt = static_cast<Index>(sizeof(int));
  const auto own = static_cast<Index>(task.m.size());
  const Index targets = task.pairs() + (circle ? 1 : 0);
  return {.tables =
              own * (task.blocks * kWhole + 2 * kWhole + kReal) + task.pairs() * (2 * kWhole + kInt) +
              targets * (kInt + kernels::kThetaWidth * (kReal + static_cast<Index>(sizeof(kernels::ThetaEntry)))) +
              (fine.length / 2 + 1) * kInt + 2 * (source_lmax + degree + 2) * kComplex +
              (circle ? 6 * targets * kReal : 0)};
}

// Workspaces for columns of total length `lengths`, in chunks as for columns of one `length`, and for the FFTs of one
// call of each length.
std::vector<WorkSpace> column_work(Index length, Index lengths, Index fft_lengths) {
  const Index least = fft_columns(length), columns = regular_chunk(length);
  return {{least * lengths * kComplex, columns * lengths * kComplex},
          {least * fft_lengths * kComplex, least * fft_lengths * kComplex}};
}

// Memory of DeviceTheta.
DeviceEstimate theta_memory(const legendre::Task& task, const resample::FineGrid& fine) {
  const resample::ResamplerSize size = resample::resampler_size(task.lmax, fine);
  const Index lengths = 2 * (size.source_pairs + size.fine_pairs);
  return {theta_tables_memory(task, task.lmax, task.lmax, fine, false),
          column_work(2 * size.fine_pairs, lengths, lengths)};
}

// Memory of DeviceQuadrature for fields up to `degree`.
DeviceEstimate quadrature_memory(const legendre::Task& task, Index degree, bool resampled) {
  const Index lmax = resampled ? task.lmax : degree;  // of the source
  const resample::FineGrid fine = resample::fine_grid_of(degree);
  const Index source = 2 * resample::resampler_size(lmax, resample::fine_grid_of(lmax)).source_pairs;
  const Index product = resample::SineProduct::plan_length(lmax, degree);
  const Index outer = std::max(source, fine.length);
  const core::MemoryEstimate own{.tables = product * kReal + (2 * (lmax + 1) + 3 * (degree + 1)) * kComplex +
                                           2 * task.width() * (1 + kernels::kThetaThreads) * kComplex};
  return {theta_tables_memory(task, lmax, degree, fine, true) + own,
          column_work(std::max(product, outer), outer + product, source + fine.length + product)};
}

template <class T>
DeviceEstimate legendre_memory(const Options& options, const legendre::Task& task) {
  if (!is_resampled(options, task.lmax, task.pairs())) return pairs_memory(task, core::kPrecisionOf<T>);
  const resample::SourceThetas thetas = resample::source_thetas(task.lmax);
  const SourceRings source(task, thetas.cosines, thetas.sines);
  DeviceEstimate memory = pairs_memory(source.task(), core::kPrecisionOf<T>);
  memory += theta_memory(task, fine_grid(options, task.lmax));
  // Delta on the source rings, and coefficients in double.
  memory.held.kept += source.delta_size() * kComplex;
  if (std::is_same_v<T, float> && task.maps > 0)
    memory.held.kept += ((task.maps - 1) * task.map_stride + task.components * task.component_stride) * kComplex;
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
  memory.held.tables += static_cast<Index>(ring_task.rings.size()) * kReal;  // weights of rings
  memory.held += RingModeTables::memory(ring_task);
  return memory;
}

ARMILLA_INSTANTIATE(device_memory);

}  // namespace armilla::backend
