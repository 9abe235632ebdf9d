#include <armilla/comm/phase.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/log.hpp>
#include <armilla/ops/pixel_weights.hpp>
#include <armilla/ops/pixel_weights_file.hpp>
#include <armilla/ops/pixel_weights_solver.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

// Maximum quadrature error that is accepted without a warning.
constexpr double kExact = 1e-13;

// The rings of a rank in pixel order, which differs from slot order.
struct RingOrder {
  std::vector<std::size_t> slot;  // [position in the order] slot of dist::PixelDistribution::local_rings
  std::vector<Index> begin;       // [position, and the end] first pixel within a component of the rank

  RingOrder(const dist::PixelDistribution& pixels, int rank) : begin(pixels.local_ring_pixels(rank)) {
    slot.resize(begin.size());
    std::iota(slot.begin(), slot.end(), std::size_t{0});
    std::ranges::sort(slot, {}, [&](std::size_t s) { return begin[s]; });
    std::ranges::sort(begin);
    begin.push_back(pixels.local_pixels(rank));
  }
};

}  // namespace

Index pixel_weights_limit(Index nside) { return nside == 2 ? 5 : 3 * nside; }

Index pixel_weights_degree(Index nside) { return pixel_weights_limit(nside); }

std::filesystem::path pixel_weights_file(Index nside, Index degree) {
  const std::filesystem::path folder = core::cache_folder();
  return folder.empty() ? folder : folder / fmt::format("pixel-weights-1-nside-{}-degree-{}", nside, degree);
}

PixelWeights::PixelWeights(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
                           Index degree)
    : pixels_(std::move(pixels)), orbits_(std::max(Index{1}, pixels_->grid().description().nside)) {
  const Index nside = orbits_.nside();
  if (!pixels_->grid().description().is_full_healpix())
    throw core::InputError(
        fmt::format("pixel weights require a full-sky HEALPix map, not {}", pixels_->grid().description().text()));
  if (degree < 0 || degree > pixel_weights_limit(nside))
    throw core::InputError(
        fmt::format("pixel weights of nside {} cannot be exact up to degree {}: use a degree from 0 to {}", nside,
                    degree, pixel_weights_limit(nside)));
  const Index first = orbits_.begin(pixels_->pair_begin(comm.rank()));
  comm::phase(comm, [&] {
    corrections_ = backend::DualBuffer<double>(orbits_.begin(pixels_->pair_begin(comm.rank() + 1)) - first);
  });
  const PixelWeightsFile file{pixel_weights_file(nside, degree), nside, degree, orbits_.count()};
  if (file.read(comm, first, corrections_.host())) return;
  if (comm.is_root())
    core::log().info("pixel weights of nside {} up to degree {} are not in the cache: computing them", nside, degree);
  const FoundWeights found = find_pixel_weights(comm, orbits_, degree);
  if (comm.is_root()) {
    const std::string text =
        fmt::format("pixel weights of nside {} up to degree {}: {} iterations, largest quadrature error {:.1e}", nside,
                    degree, found.iterations, found.error);
    found.error > kExact ? core::log().warn(text) : core::log().info(text);
  }
  file.write(comm, found.begin, found.corrections, first, corrections_.host());
}

template <class T>
void PixelWeights::multiply(const transform::MapField<T>& from, transform::MapField<T>& to,
                            const std::shared_ptr<backend::Memory>& memory) const {
  const Index own = orbits_.begin(pixels_->pair_begin(from.rank()));
  const RingOrder order(*pixels_, from.rank());
  const std::vector<Index> rings = pixels_->local_rings(from.rank());
  std::vector<Index> quarter, shifted, first;
  for (const std::size_t slot : order.slot) {
    const Index ring = rings[slot];
    const Index pair = std::min(ring, 4 * orbits_.nside() - 2 - ring);
    quarter.push_back(orbits_.quarter(pair));
    shifted.push_back(orbits_.is_shifted(pair) ? 1 : 0);
    first.push_back(orbits_.begin(pair) - own);
  }
  const T* source = from.read(memory);
  memory->ops<T>().multiply_orbits({order.begin, quarter, shifted, first, from.maps() * from.kind().components()},
                                   corrections_.read(memory), source, to.overwrite(memory));
}

core::MemoryEstimate PixelWeights::memory(const dist::PixelDistribution& pixels, Index degree, int rank) {
  const grid::HealpixOrbits orbits(pixels.grid().description().nside);
  const Index own = orbits.begin(pixels.pair_begin(rank + 1)) - orbits.begin(pixels.pair_begin(rank));
  return find_pixel_weights_memory(orbits.nside(), degree, rank, pixels.ranks()) +
         core::MemoryEstimate{.tables = own * static_cast<Index>(sizeof(double))};
}

ARMILLA_INSTANTIATE(PixelWeights::multiply);

}  // namespace armilla::ops
