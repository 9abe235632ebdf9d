#include <armilla/backend/cuda/radial_stage.hpp>

#include <algorithm>

namespace armilla::backend {

namespace {

fft::RingTask task_of(const RadialTables::Modes& modes, Index fields, Index pixels) {
  return {.rings = modes.rings,
          .m_shift = modes.m_shift,
          .components = 1,
          .maps = fields,
          .component_stride = 0,
          .map_stride = pixels};
}

}  // namespace

RadialStage::RadialStage(const RadialTables& tables, Index work_bytes, const kernels::Stream& stream,
                         const RingOptions& in_options, const RingOptions& out_options)
    : fields_(tables.fields),
      in_pixels_(tables.in_pixels),
      out_pixels_(tables.out_pixels),
      modes_(static_cast<Index>(tables.out.m_shift.size())),
      table_cells_(tables.table_cells),
      table_cells_per_unit_(tables.table_cells_per_unit),
      table_end_(tables.table_end),
      areas_(kernels::upload<double>(tables.areas, stream)),
      samples_(kernels::upload<double>(tables.samples, stream)),
      weights_(kernels::upload<double>(tables.weights, stream)),
      table_(kernels::upload<double>(tables.table, stream)),
      groups_(kernels::upload<kernels::RadialPairGroup>(tables.groups, stream)),
      rows_(kernels::upload<kernels::RadialRowGroup>(tables.rows, stream)),
      pixel_rings_(kernels::upload<kernels::RadialPixelRing>(tables.pixel_rings, stream)),
      pixel_rows_(kernels::upload<kernels::RadialPixelRow>(tables.pixel_rows, stream)),
      in_shift_(kernels::upload<Index>(tables.in.m_shift, stream)),
      out_shift_(kernels::upload<Index>(tables.out.m_shift, stream)),
      in_modes_(tables.in.numbers),
      out_modes_(tables.out.numbers) {
  if (!tables.out.rings.empty()) {
    in_rings_.emplace(task_of(tables.in, fields_, in_pixels_), work_bytes, stream, in_options);
    out_rings_.emplace(task_of(tables.out, fields_, out_pixels_), work_bytes, stream, out_options);
  }
  for (const kernels::RadialPixelRing& ring : tables.pixel_rings) max_nphi_ = std::max(max_nphi_, ring.nphi);
  stream.wait();  // the tables of the host may end
}

void RadialStage::operator()(DevicePointer<const double> in, DevicePointer<double> out, const kernels::Stream& stream) {
  kernels::fill_zero(out, fields_ * out_pixels_, stream);
  if (out_rings_) {
    in_rings_->adjoint(in, areas_.data(), in_modes_.data(), stream);
    kernels::sum_radial_modes(
        kernels::DeviceRadialModesTask{.groups = groups_.data(),
                                       .rows = rows_.data(),
                                       .samples = samples_.data(),
                                       .in_shift = in_shift_.data(),
                                       .out_shift = out_shift_.data(),
                                       .group_count = groups_.size(),
                                       .modes = modes_,
                                       .width = fields_,
                                       .in = real(DevicePointer<const std::complex<double>>(in_modes_.data())),
                                       .out = real(out_modes_.data())},
        stream.get());
    out_rings_->synthesis(out_modes_.data(), nullptr, out, stream);
  }
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

}  // namespace armilla::backend
