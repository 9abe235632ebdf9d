#include <armilla/fft/interleave.hpp>
#include <armilla/radial/ring_store.hpp>

#include <algorithm>

namespace armilla::radial {

using core::at;

namespace {

using fft::kTileM;

/// The number of modes, out of `count`, that are stored for a ring.
Index carried(const grid::Ring& ring, Index count, bool truncate) {
  return truncate ? std::min(count, (ring.nphi - 1) / 2 + 1) : count;
}

void interleave_modes(fft::Split<double> modes, Index count, std::complex<double>* out) {
  fft::interleave(fft::Split<const double>{modes.re, modes.im}, count, out);
}

/// Rings that share a transform, as its real and imaginary part: indices in a pair; second is -1 for a single ring.
struct Shared {
  int first, second;
};

/// Calls body(shared) for the transforms of a pair.
template <class Body>
void for_each_transform(const grid::Ring* const (&rings)[2], const Body& body) {
  if (rings[0] != nullptr && rings[1] != nullptr && rings[0]->nphi == rings[1]->nphi) return body(Shared{0, 1});
  for (int h = 0; h < 2; ++h)
    if (rings[h] != nullptr) body(Shared{h, -1});
}

/// Calls body(tile) for all tiles of modes 0 .. count - 1, with the phases of the rings.
template <class Body>
void for_each_tile(const grid::Ring* const (&rings)[2], Shared shared, Index count, RingWork& work, const Body& body) {
  const int numbers[2] = {shared.first, shared.second};
  for (int part = 0; part < 2; ++part)
    if (numbers[part] >= 0) work.phases[part].set(rings[numbers[part]]->phi0, count);
  const auto phase = [&](int part, Index m) -> fft::TilePhase<double> {
    const std::complex<double> high = work.phases[part].high(m / kTileM);
    return {{work.phases[part].low_re(), work.phases[part].low_im()}, high.real(), high.imag()};
  };
  for (Index m = 0; m < count; m += kTileM) {
    fft::FoldTile<double> tile{.first = m, .count = std::min(kTileM, count - m), .n = rings[shared.first]->nphi};
    tile.north = work.tile[0].data();
    tile.north_phase = phase(0, m);
    if (shared.second >= 0) {
      tile.south = work.tile[1].data();
      tile.south_phase = phase(1, m);
    }
    body(tile);
  }
}

}  // namespace

RingWork::RingWork(const fft::RingFftSizes& sizes, Index pixels)
    : rows{core::AlignedBuffer<double>(pixels), core::AlignedBuffer<double>(pixels)},
      zeros(pixels),
      discarded(pixels),
      spectrum(pixels),
      tile{core::AlignedBuffer<std::complex<double>>(kTileM), core::AlignedBuffer<std::complex<double>>(kTileM)},
      fft(sizes) {
  std::ranges::fill(zeros.span(), 0.0);
}

Index RingStore::Sizes::bytes() const {
  return places * fields * 2 * (pixels + 2 * modes) * static_cast<Index>(sizeof(double));
}

RingStore::RingStore(const Sizes& sizes)
    : sizes_(sizes),
      held_(at(sizes.places), Index{-1}),
      pixels_(sizes.places * sizes.fields * 2 * sizes.pixels),
      modes_(sizes.places * sizes.fields * 4 * sizes.modes) {}

void RingStore::transform(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                          const double* const (&x)[2], Index count, bool truncate, const fft::Split<double> (&modes)[2],
                          RingWork& work) {
  for_each_transform(rings, [&](Shared shared) {
    const grid::Ring& ring = *rings[shared.first];
    const Index end = carried(ring, count, truncate);
    plans.at(ring.nphi).from_rows({x[shared.first], shared.second < 0 ? work.zeros.data() : x[shared.second]},
                                  work.spectrum.data(), work.fft);
    for_each_tile(rings, shared, end, work, [&](const fft::FoldTile<double>& tile) {
      fft::unfold(tile, work.spectrum.data(), 1, 1);
      fft::deinterleave(tile.north, tile.count, modes[shared.first] + tile.first, false);
      if (shared.second >= 0) fft::deinterleave(tile.south, tile.count, modes[shared.second] + tile.first, false);
    });
    for (int h : {shared.first, shared.second})
      if (h >= 0) {
        std::fill(modes[h].re + end, modes[h].re + count, 0.0);
        std::fill(modes[h].im + end, modes[h].im + count, 0.0);
      }
  });
}

void RingStore::transform_back(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                               const fft::Split<double> (&modes)[2], Index count, bool truncate, double* const (&y)[2],
                               RingWork& work) {
  for_each_transform(rings, [&](Shared shared) {
    const grid::Ring& ring = *rings[shared.first];
    const Index end = carried(ring, count, truncate);
    const bool once = fft::folds_once(end, ring.nphi);
    std::fill_n(work.spectrum.data(), ring.nphi, std::complex<double>(0));
    for_each_tile(rings, shared, end, work, [&](const fft::FoldTile<double>& tile) {
      interleave_modes(modes[shared.first] + tile.first, tile.count, tile.north);
      if (shared.second >= 0) interleave_modes(modes[shared.second] + tile.first, tile.count, tile.south);
      fft::fold(tile, once, work.spectrum.data());
    });
    // The spectrum has real and imaginary part exchanged, and therefore the pixels do, too.
    double* second = shared.second < 0 ? work.discarded.data() : y[shared.second];
    plans.at(ring.nphi).to_rows(work.spectrum.data(), {second, y[shared.first]}, work.fft, false);
  });
}

}  // namespace armilla::radial
