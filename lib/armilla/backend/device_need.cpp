#include <armilla/backend/device_need.hpp>
#include <armilla/backend/ring_groups.hpp>
#include <armilla/backend/ring_mode_tables.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_chunk.hpp>
#include <armilla/backend/wigner_tables.hpp>
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
constexpr auto kWhole = static_cast<Index>(sizeof(Index));
constexpr auto kInt = static_cast<Index>(sizeof(int));

// Partial sums of DeviceWigner: of single m, and of all.
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

// DevicePairs, with products summed in numbers of that precision.
void add_pairs(const legendre::Task& task, core::Precision sums, StageNeed& need) {
  const legendre::PairParts parts(task);
  if (parts.wigner < parts.end) {
    const ScalarStageShape::Bounds bounds = ScalarStageShape(task, sums).work_bounds();
    need.tables += ScalarStageTables::bytes(task);
    need.work.push_back({bounds.single, bounds.all});
  }
  if (parts.wigner > 0 || parts.wigner == parts.end) {
    need.tables += WignerTables::bytes(task, 0, parts.wigner);
    need.work.push_back(wigner_work(task, parts.wigner));
  }
}

// ThetaTables, with those of a circle.
Index theta_table_bytes(const legendre::Task& task, const resample::ResamplerSize& size, bool circle) {
  const auto own = static_cast<Index>(task.m.size());
  const Index targets = task.pairs() + (circle ? 1 : 0);
  return own * (task.blocks * kWhole + 2 * kWhole + kReal) + task.pairs() * (2 * kWhole + kInt) +
         targets * (kInt + kernels::kThetaWidth * (kReal + static_cast<Index>(sizeof(kernels::ThetaEntry)))) +
         (size.fine_pairs + 1) * kInt + 4 * (task.lmax + 1) * kComplex + (circle ? 6 * targets * kReal : 0);
}

// Columns of `lengths` together, in chunks as regular for one of `length`; once more for FFTs.
void add_columns(Index length, Index lengths, Index fft_lengths, StageNeed& need) {
  const Index columns = regular_chunk(length);
  need.work.push_back({lengths * kComplex, columns * lengths * kComplex});
  need.work.push_back({fft_lengths * kComplex, columns * fft_lengths * kComplex});
}

// DeviceTheta.
void add_theta(const legendre::Task& task, const resample::ResamplerSize& size, StageNeed& need) {
  need.tables += theta_table_bytes(task, size, false);
  const Index lengths = 2 * (size.source_pairs + size.fine_pairs);
  add_columns(2 * size.fine_pairs, lengths, lengths, need);
}

// DeviceQuadrature.
void add_quadrature(const legendre::Task& task, const resample::ResamplerSize& size, StageNeed& need) {
  const Index product = resample::SineProduct::plan_length(task.lmax);
  const Index outer = 2 * std::max(size.source_pairs, size.fine_pairs);
  need.tables += theta_table_bytes(task, size, true) + product * kReal + 5 * (task.lmax + 1) * kComplex +
                 2 * task.width() * (1 + kernels::kThetaThreads) * kComplex;
  add_columns(product, outer + product, 2 * (size.source_pairs + size.fine_pairs) + product, need);
}

}  // namespace

Index StageNeed::work_at(Index work_bytes) const {
  Index bytes = 0;
  for (const WorkSpace& space : work) bytes += space.bytes(work_bytes);
  return bytes;
}

template <class T>
StageNeed legendre_need(const Options& options, const legendre::Task& task, bool quadrature) {
  StageNeed need;
  const resample::ResamplerSize size = resample::resampler_size(task.lmax, task.pairs());
  const bool resampled = is_resampled(options, task.lmax, task.pairs());
  if (resampled) {
    const resample::SourceThetas thetas = resample::source_thetas(task.lmax);
    const SourceRings source(task, thetas.cosines, thetas.sines);
    add_pairs(source.task(), core::kPrecisionOf<T>, need);
    add_theta(task, size, need);
    need.arrays += source.delta_size() * kComplex;
    if (std::is_same_v<T, float> && task.maps > 0)
      need.arrays += ((task.maps - 1) * task.map_stride + task.components * task.component_stride) * kComplex;
  } else {
    add_pairs(task, core::kPrecisionOf<T>, need);
  }
  if (quadrature) add_quadrature(task, size, need);
  return need;
}

template <class T>
StageNeed rings_need(const fft::RingTask& task, std::span<const Index> ring_lengths) {
  const RingBytes bytes = RingGroups(task, {.plain = plain_lengths(ring_lengths)}).bytes(task, sizeof(T));
  StageNeed need;
  need.tables = bytes.tables + static_cast<Index>(task.rings.size()) * kReal + RingModeTables::bytes(task);
  need.work.push_back({bytes.least(), bytes.all()});
  return need;
}

std::optional<Index> choose_work(Index room, Index min_work, const std::function<Index(Index work_bytes)>& total) {
  // Of what is there each working space may take an eighth; more than 2 GiB make nothing faster.
  constexpr Index kShare = 8;
  constexpr Index kMaxWork = Index{2} << 30;
  for (Index work = std::min(room / kShare, kMaxWork); work > min_work; work /= 2)
    if (total(work) <= room) return work;
  if (total(min_work) <= room) return min_work;
  return std::nullopt;
}

template StageNeed legendre_need<float>(const Options&, const legendre::Task&, bool);
template StageNeed legendre_need<double>(const Options&, const legendre::Task&, bool);
template StageNeed rings_need<float>(const fft::RingTask&, std::span<const Index>);
template StageNeed rings_need<double>(const fft::RingTask&, std::span<const Index>);

}  // namespace armilla::backend
