#include <armilla/backend/cuda/radial_stage.hpp>

#include <algorithm>
#include <utility>

namespace armilla::backend {

namespace {

DeviceRings<double> rings_of(const RadialTables::Modes& modes, Index fields, Index pixels, Index work_bytes,
                             const kernels::Stream& stream) {
  return DeviceRings<double>(modes.task(fields, pixels), work_bytes, stream, {.plain = modes.plain});
}

}  // namespace

RadialStage::Target::Target(const RadialTables& tables, const RadialTables::Target& target, Index work_bytes,
                            const kernels::Stream& stream)
    : fields_(tables.fields),
      in_pixels_(tables.in_pixels),
      out_pixels_(target.pixels),
      modes_(static_cast<Index>(target.modes.m_shift.size())),
      table_cells_(target.table_cells),
      table_cells_per_unit_(target.table_cells_per_unit),
      table_end_(target.table_end),
      samples_(kernels::upload<double>(target.samples, stream)),
      weights_(kernels::upload<double>(target.weights, stream)),
      table_(kernels::upload<double>(target.table, stream)),
      groups_(kernels::upload<kernels::RadialPairGroup>(target.groups, stream)),
      rows_(kernels::upload<kernels::RadialRowGroup>(target.rows, stream)),
      pixel_rings_(kernels::upload<kernels::RadialPixelRing>(target.pixel_rings, stream)),
      pixel_rows_(kernels::upload<kernels::RadialPixelRow>(target.pixel_rows, stream)),
      shift_(kernels::upload<Index>(target.modes.m_shift, stream)),
      modes_of_rings_(target.modes.numbers) {
  if (!target.modes.rings.empty()) rings_.emplace(rings_of(target.modes, fields_, out_pixels_, work_bytes, stream));
  for (const kernels::RadialPixelRing& ring : target.pixel_rings) max_nphi_ = std::max(max_nphi_, ring.nphi);
}

void RadialStage::Target::sum_modes(DevicePointer<const Index> in_shift, DevicePointer<const std::complex<double>> in,
                                    DevicePointer<double> out, const kernels::Stream& stream) {
  kernels::fill_zero(out, fields_ * out_pixels_, stream);
  if (!rings_) return;
  kernels::sum_radial_modes(kernels::DeviceRadialModesTask{.groups = groups_.data(),
                                                           .rows = rows_.data(),
                                                           .samples = samples_.data(),
                                                           .in_shift = in_shift,
                                                           .out_shift = shift_.data(),
                                                           .group_count = groups_.size(),
                                                           .modes = modes_,
                                                           .width = fields_,
                                                           .in = real(in),
                                                           .out = real(modes_of_rings_.data())},
                            stream.get());
  rings_->synthesis(modes_of_rings_.data(), nullptr, out, stream);
}

void RadialStage::Target::sum_pixels(DevicePointer<const double> in, DevicePointer<double> out,
                                     const kernels::Stream& stream) const {
  kernels::sum_radial_pixels(kernels::DeviceRadialPixelsTask{.rings = pixel_rings_.data(),
                                                             .rows = pixel_rows_.data(),
                                                             .weights = weights_.data(),
                                                             .table = table_.data(),
                                                             .table_cells = table_cells_,
                                                             .table_cells_per_unit = table_cells_per_unit_,
                                                             .table_end = table_end_,
                                                             .ring_count = pixel_rings_.size(),
                                                             .max_nphi = max_nphi_,
                                                             .fields = fields_,
                                                             .in_stride = in_pixels_,
                                                             .out_stride = out_pixels_,
                                                             .in = in,
                                                             .out = out},
                             stream.get());
}

RadialStage::RadialStage(const RadialTables& tables, Index work_bytes, const kernels::Stream& stream)
    : areas_(kernels::upload<double>(tables.areas, stream)),
      shift_(kernels::upload<Index>(tables.in.m_shift, stream)),
      modes_(tables.in.numbers) {
  if (!tables.in.rings.empty())
    rings_.emplace(rings_of(tables.in, tables.fields, tables.in_pixels, work_bytes, stream));
  for (const RadialTables::Target& target : tables.targets) targets_.emplace_back(tables, target, work_bytes, stream);
}

void RadialStage::operator()(DevicePointer<const double> in, std::span<const DevicePointer<double>> out,
                             const kernels::Stream& stream) {
  if (rings_) rings_->adjoint(in, areas_.data(), modes_.data(), stream);
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    targets_[t].sum_modes(shift_.data(), std::as_const(modes_).data(), out[t], stream);
    targets_[t].sum_pixels(in, out[t], stream);
  }
}

}  // namespace armilla::backend
