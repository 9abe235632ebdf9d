#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/healpix_header.hpp>
#include <armilla/io/pixel_order.hpp>

#include <fmt/format.h>

namespace armilla::io {

Index healpix_pixels(std::optional<Index> nside, const std::string& path) {
  if (!nside)
    throw core::InputError(core::ErrorContext{
        .text = fmt::format("'{}': NSIDE is missing: state the resolution of the HEALPix map with {}, or write it into "
                            "the header",
                            path, core::mention("", "nside", "N"))});
  constexpr Index largest = Index{1} << 29;
  if (*nside < 1 || *nside > largest)
    throw core::InputError(fmt::format("'{}': NSIDE = {} is not in 1 .. 2^29: correct the header", path, *nside));
  return 12 * *nside * *nside;
}

std::shared_ptr<const grid::RingGrid> healpix_grid(std::optional<Index> nside, Ordering ordering,
                                                   const std::string& path) {
  healpix_pixels(nside, path);
  if (ordering == Ordering::kNested && !has_nested_order(*nside))
    throw core::InputError(fmt::format(
        "'{}': NSIDE = {} is not a power of two, as ORDERING = NESTED requires: correct the header", path, *nside));
  try {
    return std::make_shared<const grid::RingGrid>(grid::make_healpix(*nside));
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("'{}': NSIDE = {}: {}", path, *nside, error.what()));
  }
}

}  // namespace armilla::io
