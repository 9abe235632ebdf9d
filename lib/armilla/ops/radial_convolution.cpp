#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/ops/radial_convolution.hpp>
#include <armilla/transform/device_work.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

using core::at;

/// Returns the full-sky grid of which `grid` is a part, or `grid` itself.
std::shared_ptr<const grid::RingGrid> whole_of(const grid::RingGrid& grid) {
  grid::GridDescription description = grid.description();
  if (description.is_whole()) return std::make_shared<grid::RingGrid>(grid);
  if (description.kind == "rings")
    throw core::InputError(core::ErrorContext{
        .text = fmt::format("needs pixel areas, but part of a grid of rings from a file has none: set {}",
                            core::mention({}, "weights", "none"))});
  description.part.clear();
  return std::make_shared<grid::RingGrid>(grid::make_grid(description));
}

}  // namespace

void RadialAreas::check(const std::optional<WeightsSpec>& weights, const grid::RingGrid& grid) {
  if (!weights) return;
  const auto whole = whole_of(grid);
  if (weights->kind == WeightKind::kPixel && !grid.description().is_whole())
    throw core::InputError("pixel: pixel weights require a full-sky HEALPix map: use grid, ring or none");
  check_weights(*weights, *whole);
  if (weights->kind == WeightKind::kGrid && !whole->has_weights())
    throw core::InputError(core::ErrorContext{.text = "needs pixel areas, but these rings have no weights: set " +
                                                      core::mention({}, "weights", "none")});
}

RadialAreas::RadialAreas(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
                         const std::optional<WeightsSpec>& weights) {
  const grid::RingGrid& grid = pixels->grid();
  check(weights, grid);
  rings_.assign(grid.rings().size(), 1.0);
  if (!weights) return;
  const auto whole = whole_of(grid);
  std::vector<double> areas;
  for (const grid::Ring& ring : whole->rings()) areas.push_back(ring.weight / static_cast<double>(ring.nphi));
  if (weights->kind == WeightKind::kRing)
    areas =
        AnalysisWeights(comm, std::make_shared<dist::PixelDistribution>(whole, comm.size()), *weights).of_rings(*whole);
  if (weights->kind == WeightKind::kPixel)
    pixels_.emplace(comm, pixels, weights->degree.value_or(pixel_weights_degree(grid.description().nside)));
  const std::vector<Index> numbers = grid::ring_numbers(grid);
  for (std::size_t ring = 0; ring < rings_.size(); ++ring) rings_[ring] = areas[at(numbers[ring])];
}

core::MemoryEstimate RadialAreas::memory(const dist::PixelDistribution& pixels,
                                         const std::optional<WeightsSpec>& weights, int rank) {
  core::MemoryEstimate estimate;
  estimate.tables = static_cast<Index>(pixels.grid().rings().size() * sizeof(double));
  if (weights && weights->kind != WeightKind::kGrid) estimate += AnalysisWeights::memory(pixels, *weights, rank);
  return estimate;
}

bool on_device(backend::Kind backend, const std::vector<radial::ConvolutionTarget>& targets) {
  return backend::has_device(backend) && !targets.empty() &&
         std::ranges::all_of(targets, [](const auto& target) { return target.spec.device_table != nullptr; });
}

template <class T>
RadialConvolution<T>::RadialConvolution(const comm::Communicator& comm,
                                        std::shared_ptr<const dist::PixelDistribution> in,
                                        const std::vector<radial::ConvolutionTarget>& targets, Index fields,
                                        const RadialDevice& device)
    : fields_(std::min(fields, kFieldsAtOnce)) {
  if (!on_device(device.backend, targets)) {
    comm::phase(comm, [&] { on_host_.emplace(comm, in, targets, fields_); });
    return;
  }
  const backend::Placement place = transform::placement(comm, device.backend);
  comm::phase(comm, [&] {
    context_ = backend::make_context<T>(device.backend, place);
    on_device_.emplace(comm, context_, in, targets, fields_, device.work_bytes);
  });
}

template <class T>
core::MemoryEstimate RadialConvolution<T>::memory(const dist::PixelDistribution& in,
                                                  const std::vector<radial::ConvolutionTarget>& targets, int rank,
                                                  Index fields, backend::Kind backend) {
  const Index at_once = std::min(fields, kFieldsAtOnce);
  return on_device(backend, targets) ? radial::DeviceConvolver<T>::host_memory(in, targets, rank, at_once)
                                     : radial::Convolver<T>::memory(in, targets, rank, at_once);
}

template <class T>
typename RadialConvolution<T>::DeviceMemory RadialConvolution<T>::device_memory(
    const dist::PixelDistribution& in, const std::vector<radial::ConvolutionTarget>& targets, int rank, Index fields) {
  const radial::BandMemory memory =
      radial::DeviceConvolver<T>::device_memory(in, targets, rank, std::min(fields, kFieldsAtOnce));
  DeviceMemory all{memory.rings, memory.bands.most};
  all.estimate.work.push_back(memory.bands);
  return all;
}

template <class T>
void RadialConvolution<T>::operator()(const transform::MapField<T>& map, const RadialAreas& areas,
                                      const std::vector<transform::MapField<T>*>& out) {
  const transform::MapField<T>* source = &map;
  std::optional<transform::MapField<T>> weighted;
  if (const PixelWeights* weights = areas.of_pixels()) {
    weighted.emplace(map.kind(), map.shared_distribution(), map.rank(), map.maps());
    weights->multiply(map, *weighted, map.memory());
    source = &*weighted;
  }
  const Index fields = map.maps() * map.kind().components();
  // Batches have equal size, because device tables are for a fixed number of fields. The last batch may overlap the
  // previous one.
  const Index batches = (fields + fields_ - 1) / fields_, at_once = (fields + batches - 1) / batches;
  const auto for_some = [&](const auto& work) {
    for (Index batch = 0; batch < batches; ++batch) work(std::min(batch * at_once, fields - at_once));
  };
  if (on_device_ && on_device_->is_at_once()) {
    const auto memory = context_->memory();
    const T* from = source->read(memory);
    std::vector<T*> to;
    for (transform::MapField<T>* field : out) to.push_back(field->overwrite(memory));
    for_some([&](Index first) {
      std::vector<T*> some;
      for (std::size_t t = 0; t < out.size(); ++t) some.push_back(to[t] + first * out[t]->local_size());
      on_device_->at_once(from + first * source->local_size(), some, at_once, areas.of_rings());
    });
    return;
  }
  const auto components = transform::host_components(*source);
  std::vector<std::vector<std::span<T>>> results;
  for (transform::MapField<T>* field : out) {
    auto& result = results.emplace_back();
    for (Index k = 0; k < field->maps(); ++k)
      for (Index c = 0; c < field->kind().components(); ++c) result.push_back(field->component(k, c));
  }
  for_some([&](Index first) {
    std::vector<std::vector<std::span<T>>> some;
    for (const auto& result : results) some.emplace_back(result.begin() + first, result.begin() + first + at_once);
    const auto given = std::span(components).subspan(at(first), at(at_once));
    if (on_device_)
      (*on_device_)(given, areas.of_rings(), some);
    else
      (*on_host_)(given, areas.of_rings(), some);
  });
}

template <class T>
void convolve_harmonic(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                       const RadialAreas& areas, const std::vector<std::vector<std::vector<double>>>& windows,
                       const std::vector<transform::MapField<T>*>& out) {
  const transform::FieldTransformSpec& spec = transform.spec();
  const int rank = map.rank();
  transform::AlmField<T> alm(spec.kind, spec.alm, rank, map.maps());
  const transform::MapField<T>* source = &map;
  if (const PixelWeights* weights = areas.of_pixels()) {
    weights->multiply(map, *out.front(), map.memory());  // the first result overwrites it later
    source = out.front();
  }
  transform.quadrature(*source, alm, transform::own_weights(map.distribution(), rank, areas.of_rings()));
  for (std::size_t kernel = 0; kernel < out.size(); ++kernel) {
    const bool is_last = kernel + 1 == out.size();
    std::optional<transform::AlmField<T>> copy;
    if (!is_last) {
      copy.emplace(spec.kind, spec.alm, rank, map.maps());
      std::ranges::copy(std::as_const(alm).data(), copy->data().begin());
    }
    transform::AlmField<T>& product = is_last ? alm : *copy;
    std::size_t part = 0;
    for (const transform::SpinField& spin : spec.kind.spin_fields())
      transform::multiply_degrees(product, spin.first, spin.components, windows[kernel][part++]);
    transform.synthesis(product, *out[kernel]);
  }
}

template <class T>
void divide_map(const comm::Communicator& comm, transform::MapField<T>& map, const transform::MapField<T>& divisor,
                double least) {
  const auto divisors = transform::host_components(divisor);
  std::vector<double> largest(divisors.size(), 0.0);
  for (std::size_t k = 0; k < divisors.size(); ++k)
    for (const T value : divisors[k]) largest[k] = std::max(largest[k], std::abs(static_cast<double>(value)));
  comm.max(std::span<double>(largest));
  const Index components = divisor.kind().components();
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < map.kind().components(); ++c) {
      const std::size_t by = at((divisor.maps() == 1 ? 0 : k) * components + (components == 1 ? 0 : c));
      const auto limit = static_cast<T>(least * largest[by]);
      const std::span<T> values = map.component(k, c);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::abs(divisors[by][i]) <= limit ? T(0) : values[i] / divisors[by][i];
    }
}

ARMILLA_INSTANTIATE_CLASS(RadialConvolution);
ARMILLA_INSTANTIATE(convolve_harmonic);
ARMILLA_INSTANTIATE(divide_map);

}  // namespace armilla::ops
