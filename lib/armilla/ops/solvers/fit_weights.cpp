#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/fit_operand.hpp>
#include <armilla/ops/solvers/fit_weights.hpp>
#include <armilla/ops/unit_scale.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

using core::at;

// P is used if the ratio of the largest to the smallest weight per area exceeds this. P doubles the number of
// transforms per iteration and divides the number of iterations by about the square root of the ratio.
constexpr double kSpread = 4;

// Lower limit for preconditioner weights, relative to the mean weight. Inverses of smaller weights would dominate those
// of all other pixels, and their rounding errors would dominate the residual.
template <class T>
constexpr double kMinInverted = sizeof(T) == 4 ? 1e-3 : 1e-6;

// Calls visit(ring slot, pixel) for the local pixels.
template <class Visit>
void for_each_pixel(const dist::PixelDistribution& pixels, int rank, Visit&& visit) {
  const std::vector<Index> rings = pixels.local_rings(rank);
  const std::vector<Index> begins = pixels.local_ring_pixels(rank);
  for (std::size_t slot = 0; slot < rings.size(); ++slot) {
    const Index nphi = pixels.grid().rings()[at(rings[slot])].nphi;
    for (Index j = 0; j < nphi; ++j) visit(slot, at(begins[slot] + j));
  }
}

template <class T>
void check_shape(const transform::MapField<T>& map, const transform::MapField<T>* field, const char* name) {
  if (field == nullptr) return;
  const Index components = field->kind().components();
  if ((field->maps() != 1 && field->maps() != map.maps()) ||
      (components != 1 && components != map.kind().components()) || field->local_size() != map.local_size())
    throw core::InternalError(fmt::format("fit: the {} does not match the maps", name));
}

// Range of the weight per area over the used pixels.
struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  void add(double density) {
    if (density <= 0) return;
    least = std::min(least, density);
    most = std::max(most, density);
  }
  void add(const Range& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

// Totals over the used pixels of a ring; `wrong` if any weight is negative or not finite.
struct RingWeights {
  double weight = 0;
  double area = 0;
  double count = 0;
  Range range;
  bool wrong = false;

  void add(double w, double pixel_area) {
    if (!std::isfinite(w) || w < 0) {
      wrong = true;
      return;
    }
    if (w == 0) return;
    weight += w;
    area += pixel_area;
    ++count;
    range.add(w / pixel_area);
  }
};

}  // namespace

std::vector<double> pixel_areas(const dist::PixelDistribution& pixels, int rank) {
  const auto rings = pixels.grid().rings();
  std::vector<double> areas;
  for (const Index number : pixels.local_rings(rank)) {
    const grid::Ring& ring = rings[at(number)];
    double area = ring.weight;
    if (!pixels.grid().has_weights()) {
      const double north = number == 0 ? 0 : 0.5 * (rings[at(number - 1)].theta + ring.theta);
      const double south =
          number + 1 == static_cast<Index>(rings.size()) ? core::kPi : 0.5 * (rings[at(number + 1)].theta + ring.theta);
      area = 2 * core::kPi * (std::cos(north) - std::cos(south));
    }
    areas.push_back(area / static_cast<double>(ring.nphi));
  }
  return areas;
}

template <class T>
FitWeights<T>::FitWeights(const comm::Communicator& comm, const transform::MapField<T>& map, PixelCount count,
                          std::span<const double> ring_inverse_variance, const FitMaps<T>& maps)
    : spin_fields_(map.kind().spin_fields().begin(), map.kind().spin_fields().end()) {
  std::vector<double> factor;  // weight of one pixel of each own ring
  double largest = 0;
  for (const double value : ring_inverse_variance) largest = std::max(largest, value);
  const double ring_scale = unit_scale(largest);
  comm::phase(comm, [&] {
    check_shape(map, maps.mask, "mask");
    check_shape(map, maps.inverse_variance, "inverse variance");
    area_ = pixel_areas(map.distribution(), map.rank());
    const std::vector<Index> rings = map.distribution().local_rings(map.rank());
    for (std::size_t slot = 0; slot < rings.size(); ++slot) {
      factor.push_back(count == PixelCount::kArea ? std::max(area_[slot], 0.0) : 1.0);
      if (!ring_inverse_variance.empty()) factor.back() *= ring_scale * ring_inverse_variance[at(rings[slot])];
    }
  });
  weigh_pixels(comm, map, factor, ring_scale, maps);
}

template <class T>
void FitWeights<T>::weigh_pixels(const comm::Communicator& comm, const transform::MapField<T>& map,
                                 std::span<const double> factor, double ring_scale, const FitMaps<T>& operands) {
  const dist::PixelDistribution& pixels = map.distribution();
  const bool by_ring = operands.mask == nullptr && operands.inverse_variance == nullptr;
  Index maps = 1;
  Index components = 1;
  for (const auto* field : {operands.mask, operands.inverse_variance}) {
    if (field == nullptr) continue;
    maps = std::max(maps, field->maps());
    components = std::max(components, field->kind().components());
  }
  const Operand<T> mask(comm, operands.mask);
  const Operand<T> inverse_variance(comm, operands.inverse_variance);
  const auto value = [&](Index k, Index c, std::size_t slot, std::size_t p) {
    double w = factor[slot];
    if (mask) w *= mask.value(k, c, p) * mask.value(k, c, p);
    if (inverse_variance) w *= inverse_variance.value(k, c, p);
    return w;
  };
  // [field][own ring], where a field is a component of a map.
  const Index fields = maps * components;
  const auto rings = static_cast<Index>(factor.size());
  std::vector<RingWeights> of_rings;
  comm::phase(comm, [&] {
    of_rings.resize(at(fields * rings));
    const std::vector<Index> numbers = pixels.local_rings(map.rank());
    const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
#pragma omp parallel for schedule(dynamic, 16)
    for (Index i = 0; i < fields * rings; ++i) {
      const std::size_t slot = at(i % rings);
      const Index nphi = pixels.grid().rings()[at(numbers[slot])].nphi;
      for (Index j = 0; j < nphi; ++j)
        of_rings[at(i)].add(value(i / rings / components, i / rings % components, slot, at(begins[slot] + j)),
                            area_[slot]);
    }
  });
  std::vector<Range> ranges(at(fields));
  std::vector<double> wrong(at(fields), 0.0);
  for (Index i = 0; i < fields * rings; ++i) {
    const RingWeights& ring = of_rings[at(i)];
    ranges[at(i / rings)].add(ring.range);
    if (ring.wrong) wrong[at(i / rings)] = 1;
  }
  const auto all_rings = static_cast<Index>(pixels.grid().rings().size());
  const std::vector<double> sums = sums_over_rows<3>(comm, fields, rings, all_rings, [&](Index f, Index ring) {
    const RingWeights& own = of_rings[at(f * rings + ring)];
    return std::array{own.weight, own.area, own.count};
  });
  comm.max(std::span<double>(wrong));
  std::vector<MapFault> faults;
  for (Index f = 0; f < fields; ++f) {
    if (wrong[at(f)] == 0 && sums[at(3 * f)] != 0) continue;
    if (!faults.empty() && faults.back().place == f / components) continue;
    const std::string which = components > 1 ? fmt::format(" of component {}", f % components) : std::string();
    faults.push_back(
        {f / components,
         wrong[at(f)] != 0
             ? fmt::format("weights{} are negative or not finite: inverse variances must be finite and at least 0, "
                           "with 0 for pixels without data",
                           which)
             : fmt::format("all pixels{} are masked or have inverse variance 0: no usable pixels", which)});
  }
  if (!faults.empty()) throw MapFaults(std::move(faults), FaultOf::kWeights, maps);
  std::vector<double> least;
  std::vector<double> most;
  for (const Range& range : ranges) {
    least.push_back(range.least);
    most.push_back(range.most);
  }
  comm.min(std::span<double>(least));
  comm.max(std::span<double>(most));
  // Mean weight per area of each map and component, the same for both components of a spin field.
  std::vector<double> mean(at(fields), 0.0);
  for (Index k = 0; k < maps; ++k)
    for (const transform::SpinField& spin_field : spin_fields_) {
      const Index first = k * components + (components == 1 ? 0 : spin_field.first);
      const Index count = components == 1 ? 1 : spin_field.components;
      Range range;
      double weight = 0;
      double area = 0;
      double used = 0;
      for (Index f = first; f < first + count; ++f) {
        range.add(least[at(f)]);
        range.add(most[at(f)]);
        weight += sums[at(3 * f)];
        area += sums[at(3 * f + 1)];
        used += sums[at(3 * f + 2)];
      }
      spread_.push_back(range.most > kSpread * range.least);
      for (Index f = first; f < first + count; ++f) mean[at(f)] = weight / area;
      used_.push_back(static_cast<Index>(used) * (spin_field.components / count));
      scales_.push_back(ring_scale * mask.scale(k) * mask.scale(k) * inverse_variance.scale(k) / (weight / area));
    }
  comm::phase(comm, [&] {
    if (by_ring) {
      for (std::size_t slot = 0; slot < area_.size(); ++slot) {
        const double w = factor[slot] / mean.front();
        rings_.push_back(w);
        inverse_rings_.push_back(area_[slot] * (w > 0 ? area_[slot] / std::max(w, kMinInverted<T>) : 1.0));
      }
      return;
    }
    const auto kind = components == 1 ? transform::FieldKind::scalar() : map.kind();
    pixels_.emplace(kind, map.shared_distribution(), map.rank(), maps);
    if (any_spread()) inverse_pixels_.emplace(kind, map.shared_distribution(), map.rank(), maps);
    for (Index f = 0; f < fields; ++f) {
      const auto w_of = pixels_->component(f / components, f % components);
      const auto v_of = inverse_pixels_ ? inverse_pixels_->component(f / components, f % components) : std::span<T>();
      for_each_pixel(pixels, map.rank(), [&](std::size_t slot, std::size_t p) {
        const double w = value(f / components, f % components, slot, p) / mean[at(f)];
        w_of[p] = static_cast<T>(w);
        const bool counts = w_of[p] > 0;
        if (inverse_pixels_)
          v_of[p] = static_cast<T>(area_[slot] * (counts ? area_[slot] / std::max(w, kMinInverted<T>) : 1.0));
      });
    }
  });
}

template <class T>
bool FitWeights<T>::any_spread() const {
  return std::ranges::find(spread_, true) != spread_.end();
}

namespace {

template <class T>
void multiply_by(const transform::MapField<T>& weights, transform::MapField<T>& map,
                 const std::shared_ptr<backend::Memory>& memory) {
  const Index size = map.local_size();
  const Index components = map.kind().components();
  const T* factors = weights.read(memory);
  T* numbers = map.update(memory);
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < components; ++c) {
      memory->ops<T>().multiply(factors + field_of(weights, k, c) * size, numbers + (k * components + c) * size, size);
    }
}

}  // namespace

template <class T>
void FitWeights<T>::multiply(transform::MapField<T>& map, const std::shared_ptr<backend::Memory>& memory) const {
  multiply_by(*pixels_, map, memory);
}

template <class T>
void FitWeights<T>::multiply_inverse(transform::MapField<T>& map,
                                     const std::shared_ptr<backend::Memory>& memory) const {
  multiply_by(*inverse_pixels_, map, memory);
}

template <class T>
std::vector<double> FitWeights<T>::squares(const comm::Communicator& comm, const transform::MapField<T>& map) const {
  const dist::PixelDistribution& pixels = map.distribution();
  const Index size = map.local_size();
  const Index components = map.kind().components();
  const Index fields = map.maps() * components;
  Index rings = 0;
  std::vector<double> sums;
  const std::shared_ptr<backend::Memory> memory = map.memory();
  comm::phase(comm, [&] {
    const std::vector<Index> begin = pixels.local_ring_pixels(map.rank());
    std::vector<Index> length, weight_begin;
    for (const Index ring : pixels.local_rings(map.rank())) length.push_back(pixels.grid().rings()[at(ring)].nphi);
    if (pixels_)
      for (Index f = 0; f < fields; ++f)
        weight_begin.push_back(field_of(*pixels_, f / components, f % components) * size);
    rings = static_cast<Index>(begin.size());
    sums.resize(at(fields * rings));
    const T* numbers = map.read(memory);
    memory->ops<T>().sum_products({begin, length, fields, size},
                                  {pixels_ ? pixels_->read(memory) : nullptr, weight_begin}, numbers, numbers, sums);
  });
  const auto all_rings = static_cast<Index>(pixels.grid().rings().size());
  const std::vector<double> of_fields = sums_over_rows<1>(comm, fields, rings, all_rings, [&](Index f, Index ring) {
    return std::array{(pixels_ ? 1.0 : rings_[at(ring)]) * sums[at(f * rings + ring)]};
  });
  return sums_of_systems(map.kind(), of_fields);
}

template <class T>
std::vector<T> FitWeights<T>::of_pixels(const transform::MapField<T>& map, Index k, Index c) const {
  std::vector<T> weights(at(map.local_size()));
  if (pixels_) {
    const auto values = transform::host_components(*pixels_)[at(field_of(*pixels_, k, c))];
    std::ranges::copy(values, weights.begin());
    return weights;
  }
  for_each_pixel(map.distribution(), map.rank(),
                 [&](std::size_t slot, std::size_t p) { weights[p] = static_cast<T>(rings_[slot]); });
  return weights;
}

template <class T>
core::MemoryEstimate FitWeights<T>::memory(const dist::PixelDistribution& pixels, int rank, const FitMapsShape& shape) {
  const Index of_rings = 4 * static_cast<Index>(pixels.local_rings(rank).size()) * static_cast<Index>(sizeof(double));
  return {.tables =
              of_rings + 2 * shape.maps * shape.components * pixels.local_pixels(rank) * static_cast<Index>(sizeof(T))};
}

ARMILLA_INSTANTIATE_CLASS(FitWeights);

}  // namespace armilla::ops
