#include <armilla/backend/theta_chunk.hpp>
#include <armilla/backend/theta_sizes.hpp>
#include <armilla/resample/sine_product.hpp>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include <kernels/theta/theta_body.hpp>

namespace armilla::backend {

namespace {

constexpr auto kComplex = static_cast<Index>(sizeof(std::complex<double>));

Index sum_of(const std::vector<Index>& lengths) { return std::accumulate(lengths.begin(), lengths.end(), Index{0}); }

}  // namespace

Index ColumnSizes::bytes_per_column() const { return sum_of(sequences) * kComplex; }

Index ColumnSizes::call() const { return fft_columns(longest); }

Index ColumnSizes::chunk(Index work_bytes) const { return columns_of_chunk(longest, bytes_per_column(), work_bytes); }

std::vector<WorkSpace> ColumnSizes::work() const {
  const Index of_ffts = call() * sum_of(ffts) * kComplex;
  return {{call() * bytes_per_column(), regular_chunk(longest) * bytes_per_column()}, {of_ffts, of_ffts}};
}

ThetaTableSizes::ThetaTableSizes(const legendre::Task& task, Index source_lmax, Index grid_lmax, Index fine_length,
                                 bool circle) {
  const auto own = static_cast<Index>(task.m.size());
  const Index targets = task.pairs() + (circle ? 1 : 0);
  block_shift = {own * task.blocks};
  north_slot = south_slot = {task.pairs()};
  first_pair = first_source = {own};
  pair_block = {task.pairs()};
  sign = {own};
  ring_factor = {circle ? 2 * targets : 0};
  extra_share = {circle ? 4 * targets : 0};
  source_twiddle = source_scaled = {source_lmax + 1};
  fine_twiddle = fine_scaled = {grid_lmax + 1};
  first_point = {targets};
  entry_begin = {fine_length / 2 + 1};
  weights = {kernels::kThetaWidth * targets};
  entries = {kernels::kThetaWidth * targets};
}

ColumnSizes theta_columns(const ThetaLengths& lengths) {
  return {lengths.fine, {lengths.source, lengths.fine}, {lengths.source, lengths.fine}};
}

QuadratureSizes::QuadratureSizes(Index width, const ThetaLengths& lengths, Index source_lmax, Index grid_lmax) {
  const Index product = resample::SineProduct::plan_length(source_lmax, grid_lmax);
  const Index outer = std::max(lengths.source, lengths.fine);
  weights = {product};
  product_twiddle = from_grid = to_grid = {grid_lmax + 1};
  from_source = to_source = {source_lmax + 1};
  extra = {kernels::circle_work(width)};
  columns = {std::max(outer, product), {outer, product}, {lengths.source, lengths.fine, product}};
}

template <class T>
SourceSizes SourceSizes::of(const legendre::Task& task, Index delta_size) {
  // From the first coefficient of a spin field to the end of its last one. Those of other spin fields may lie between.
  const Index extent = task.maps == 0 ? 0 : (task.maps - 1) * task.map_stride + task.components * task.component_stride;
  return {{delta_size}, {std::is_same_v<T, double> ? 0 : extent}};
}
template SourceSizes SourceSizes::of<float>(const legendre::Task&, Index);
template SourceSizes SourceSizes::of<double>(const legendre::Task&, Index);

}  // namespace armilla::backend
