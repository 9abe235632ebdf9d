#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/leakage.hpp>
#include <armilla/ops/mask.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

/// Pixels of one map of a batch, of its template and of its mask.
template <class T>
struct FitPixels {
  std::span<const T> map, pattern, mask;

  FitPixels(const transform::MapField<T>& maps, const transform::MapField<T>& patterns,
            const transform::MapField<T>& masks, Index k)
      : map(maps.component(k, 0)),
        pattern(patterns.component(k, 0)),
        mask(masks.component(masks.maps() == 1 ? 0 : k, 0)) {}
};

/// Collective. For each map of a batch, sums the values of `term(map, pixels, pixel)` over the unmasked pixels. Result
/// [map][sum].
template <std::size_t count, class T, class Term>
std::vector<double> sum_over_rings(const comm::Communicator& comm, const transform::MapField<T>& map,
                                   const transform::MapField<T>& pattern, const transform::MapField<T>& mask,
                                   Term&& term) {
  const dist::PixelDistribution& pixels = map.distribution();
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  const auto slots = static_cast<Index>(rings.size());
  std::vector<FitPixels<T>> fields;
  for (Index k = 0; k < map.maps(); ++k) fields.emplace_back(map, pattern, mask, k);
  const auto all_rings = static_cast<Index>(pixels.grid().rings().size());
  return sums_over_rows<count>(comm, map.maps(), slots, all_rings, [&](Index k, Index ring) {
    const FitPixels<T>& own = fields[static_cast<std::size_t>(k)];
    const auto slot = static_cast<std::size_t>(ring);
    const auto begin = static_cast<std::size_t>(begins[slot]);
    const auto nphi = static_cast<std::size_t>(pixels.grid().rings()[static_cast<std::size_t>(rings[slot])].nphi);
    std::array<double, count> sums{};
    for (std::size_t p = begin; p < begin + nphi; ++p) {
      if (own.mask[p] == T{0}) continue;
      const std::array<double, count> terms = term(k, own, p);
      for (std::size_t s = 0; s < count; ++s) sums[s] += terms[s];
    }
    return sums;
  });
}

/// Mean of a map and of its template over the unmasked pixels.
struct Means {
  double map, pattern;
};

template <class T>
void check_shapes(const transform::MapField<T>& map, const transform::MapField<T>& pattern,
                  const transform::MapField<T>& mask) {
  check_mask(mask.kind(), mask.distribution().grid(), map.kind(), map.distribution().grid());
  if (map.kind().components() != 1 || pattern.kind().components() != 1 || pattern.maps() != map.maps() ||
      pattern.local_size() != map.local_size() || (mask.maps() != 1 && mask.maps() != map.maps()))
    throw core::InputError(
        "leakage: map and template must have one component each, the same grid and the same number of maps");
}

}  // namespace

template <class T>
std::vector<LeakageFit> fit_leakage(const comm::Communicator& comm, const transform::MapField<T>& map,
                                    const transform::MapField<T>& pattern, const transform::MapField<T>& mask) {
  comm::phase(comm, [&] { check_shapes(map, pattern, mask); });
  const auto maps = static_cast<std::size_t>(map.maps());
  const std::vector<double> sums =
      sum_over_rings<3>(comm, map, pattern, mask, [](Index, const FitPixels<T>& own, std::size_t p) {
        return std::array{1.0, static_cast<double>(own.map[p]), static_cast<double>(own.pattern[p])};
      });
  std::vector<Means> means(maps);
  for (std::size_t k = 0; k < maps; ++k) {
    if (sums[3 * k] == 0)
      throw core::InputError(fmt::format("leaves no pixels{}: use a mask with at least one nonzero pixel",
                                         mask.maps() == 1 ? std::string() : fmt::format(" of map {} of the batch", k)));
    means[k] = {sums[3 * k + 1] / sums[3 * k], sums[3 * k + 2] / sums[3 * k]};
  }
  const std::vector<double> squares =
      sum_over_rings<2>(comm, map, pattern, mask, [&](Index k, const FitPixels<T>& own, std::size_t p) {
        const Means& mean = means[static_cast<std::size_t>(k)];
        const double t = static_cast<double>(own.pattern[p]) - mean.pattern;
        return std::array{t * t, t * (static_cast<double>(own.map[p]) - mean.map)};
      });
  std::vector<LeakageFit> fits(maps);
  for (std::size_t k = 0; k < maps; ++k) {
    fits[k].slope = squares[2 * k] > 0 ? squares[2 * k + 1] / squares[2 * k] : 0.0;
    fits[k].intercept = means[k].map - fits[k].slope * means[k].pattern;
  }
  return fits;
}

template <class T>
void remove_leakage(transform::MapField<T>& map, const transform::MapField<T>& pattern,
                    const transform::MapField<T>& mask, std::span<const LeakageFit> fits) {
  check_shapes(map, pattern, mask);
  for (Index k = 0; k < map.maps(); ++k) {
    const FitPixels<T> own(map, pattern, mask, k);
    const LeakageFit fit = fits[static_cast<std::size_t>(k)];
    const std::span<T> values = map.component(k, 0);
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < values.size(); ++p)
      values[p] = own.mask[p] == T{0} ? T{0}
                                      : static_cast<T>(static_cast<double>(values[p]) -
                                                       fit.slope * static_cast<double>(own.pattern[p]) - fit.intercept);
  }
}

ARMILLA_INSTANTIATE(fit_leakage);
ARMILLA_INSTANTIATE(remove_leakage);

}  // namespace armilla::ops
