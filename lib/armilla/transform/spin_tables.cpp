#include <armilla/transform/spin_tables.hpp>

#include <algorithm>

namespace armilla::transform {

namespace {

using core::at;

template <class T>
Index bytes_of(const std::vector<T>& v) {
  return static_cast<Index>(v.size() * sizeof(T));
}

}  // namespace

SpinTables::SpinTables(const FieldTransformSpec& spec, const SpinField& spin_field_, int rank)
    : spin_field(spin_field_),
      maps(spec.maps),
      campaign(spec.campaign),
      lmax(spec.alm->layout().lmax()),
      ranks(spec.alm->ranks()),
      exchange(*spec.alm, *spec.pixels, spin_field.spin, spin_field.components * spec.maps, rank,
               std::max(1, spec.exchange_parts)),
      own_m(spec.alm->local_m(rank)),
      alm_offsets(spec.alm->local_offsets(rank)),
      alm_size(spec.alm->local_size(rank)),
      alm_stride(alm_size * spec.kind.components()),
      map_size(spec.pixels->local_pixels(rank)),
      map_stride(map_size * spec.kind.components()) {
  const grid::RingGrid& grid = spec.pixels->grid();
  for (const grid::RingPair& pair : grid.pairs()) {
    cos_theta.push_back(pair.cos_theta);
    sin_theta.push_back(pair.sin_theta);
  }
  const std::vector<Index> own_rings = spec.pixels->local_rings(rank);
  const std::vector<Index> pixels = spec.pixels->local_ring_pixels(rank);
  for (std::size_t slot = 0; slot < own_rings.size(); ++slot) {
    const grid::Ring& ring = grid.rings()[at(own_rings[slot])];
    rings.push_back({ring.nphi, ring.phi0, pixels[slot], exchange.m_count[slot]});
    // With exact quadrature, the Legendre stage applies the weights in theta.
    if (grid.has_weights())
      quadrature.push_back((spec.theta_quadrature() ? 1 : ring.weight) / static_cast<double>(ring.nphi));
  }
  for (std::size_t p = 0; p < grid.pairs().size(); ++p) {
    if (exchange.pair_block[p] != rank) continue;
    Index first = exchange.north_slot[p];
    Index second = exchange.south_slot[p];
    if (grid.is_joined_to_next(static_cast<Index>(p))) {
      first = std::max(first, second);
      second = std::max(exchange.north_slot[p + 1], exchange.south_slot[p + 1]);
    }
    if (first < 0 || second < 0) continue;
    rings[at(first)].partner = second;
    rings[at(second)].partner = first;
  }
}

legendre::Task SpinTables::legendre_task() const {
  return {.lmax = lmax,
          .spin = spin_field.spin,
          .components = spin_field.components,
          .maps = maps,
          .allow_tensor_cores = campaign,
          .m = own_m,
          .alm_offset = alm_offsets,
          .component_stride = alm_size,
          .map_stride = alm_stride,
          .cos_theta = cos_theta,
          .sin_theta = sin_theta,
          .first_pair = exchange.first_pair,
          .block_shift = exchange.block_shift,
          .pair_block = exchange.pair_block,
          .north_slot = exchange.north_slot,
          .south_slot = exchange.south_slot,
          .blocks = ranks};
}

fft::RingTask SpinTables::ring_task() const {
  return {.rings = rings,
          .m_shift = exchange.m_shift,
          .components = spin_field.components,
          .maps = maps,
          .component_stride = map_size,
          .map_stride = map_stride};
}

core::MemoryEstimate SpinTables::memory() const {
  return {.tables = bytes_of(own_m) + bytes_of(alm_offsets) + bytes_of(cos_theta) + bytes_of(sin_theta) +
                    bytes_of(rings) + bytes_of(quadrature) + bytes_of(exchange.block_shift) +
                    bytes_of(exchange.pair_block) + bytes_of(exchange.north_slot) + bytes_of(exchange.south_slot) +
                    bytes_of(exchange.m_shift) + bytes_of(exchange.m_count) + bytes_of(exchange.first_pair)};
}

std::vector<double> own_weights(const dist::PixelDistribution& pixels, int rank, std::span<const double> weight) {
  std::vector<double> own;
  for (const Index ring : pixels.local_rings(rank)) own.push_back(weight[static_cast<std::size_t>(ring)]);
  return own;
}

}  // namespace armilla::transform
