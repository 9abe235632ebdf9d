#pragma once

#include <armilla/transform/field.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <utility>

#include "support/reference_data.hpp"

namespace armilla::test {

using core::Index;

/// Fills each local coefficient with f(map, component, l, m).
template <class T, class F>
void fill_alm(transform::AlmField<T>& alm, F&& f) {
  const auto own_m = alm.distribution().local_m(alm.rank());
  const auto offsets = alm.distribution().local_offsets(alm.rank());
  const Index lmax = alm.distribution().layout().lmax();
  for (Index map = 0; map < alm.maps(); ++map)
    for (Index c = 0; c < alm.kind().components(); ++c)
      for (std::size_t k = 0; k < own_m.size(); ++k)
        for (Index l = own_m[k]; l <= lmax; ++l)
          alm.component(map, c)[static_cast<std::size_t>(offsets[k] + l)] = std::complex<T>(f(map, c, l, own_m[k]));
}

/// Fills each local pixel with f(map, component, global pixel).
template <class T, class F>
void fill_map(transform::MapField<T>& map_field, F&& f) {
  for (Index map = 0; map < map_field.maps(); ++map)
    for (Index c = 0; c < map_field.kind().components(); ++c) {
      std::size_t i = 0;
      for (const auto& range : map_field.distribution().pixel_ranges(map_field.rank()))
        for (Index p = range.first; p < range.first + range.count; ++p)
          map_field.component(map, c)[i++] = static_cast<T>(f(map, c, p));
    }
}

/// A number in (-1, 1) that depends on its arguments only, so every rank draws the same field.
inline double noise(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ULL + b * 0xC2B2AE3D27D4EB4FULL + c * 0x165667B19E3779F9ULL + 1;
  for (int i = 0; i < 3; ++i) {
    x ^= x >> 31;
    x *= 0xD6E8FEB86659FD93ULL;
  }
  return static_cast<double>(x >> 11) * 0x1p-52 - 1.0;
}

/// Coefficients of a real field: noise, real at m = 0, nothing below the spin of the component.
template <class T>
void fill_noise(transform::AlmField<T>& alm, std::uint64_t seed) {
  std::vector<Index> spin(static_cast<std::size_t>(alm.kind().components()));
  for (const auto& part : alm.kind().spin_fields())
    for (Index c = part.first; c < part.first + part.components; ++c) spin[static_cast<std::size_t>(c)] = part.spin;
  fill_alm(alm, [&](Index map, Index c, Index l, Index m) -> std::complex<double> {
    if (l < spin[static_cast<std::size_t>(c)]) return 0;
    const auto key = static_cast<std::uint64_t>((l << 20) + m);
    const auto field = static_cast<std::uint64_t>(map * 8 + c);
    return {noise(seed, key, 2 * field), m == 0 ? 0.0 : noise(seed, key, 2 * field + 1)};
  });
}

/// What nothing may survive in an output.
template <class Field>
void poison(Field& field) {
  for (auto& value : field.data()) value = std::numeric_limits<float>::quiet_NaN();
}

inline transform::FieldKind kind_of_spin(Index spin) {
  return spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
}

/// A spec for one field on one grid.
inline transform::FieldTransformSpec make_spec(transform::FieldKind kind, std::shared_ptr<const grid::RingGrid> grid,
                                               alm::AlmLayout layout, int ranks, Index maps = 1) {
  transform::FieldTransformSpec spec;
  spec.kind = std::move(kind);
  spec.alm = std::make_shared<dist::AlmDistribution>(layout, ranks);
  spec.pixels = std::make_shared<dist::PixelDistribution>(std::move(grid), ranks);
  spec.maps = maps;
  return spec;
}

}  // namespace armilla::test
