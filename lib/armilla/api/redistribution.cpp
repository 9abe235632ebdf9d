#include <armilla/api/access.hpp>
#include <armilla/api/item_owners.hpp>
#include <armilla/api/redistribution.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla {

using api::Access;
using core::at;

namespace {

void check_ranks(const Communicator& comm, int ranks) {
  if (ranks != comm.size())
    throw InputError(
        fmt::format("the distribution is for {} ranks, but the communicator has {}: use that of a "
                    "transform on this communicator",
                    ranks, comm.size()));
}

// `field` is a Map or an Alm.
template <class Field>
void check_same_ranks(const Communicator& comm, const Field& field) {
  check_ranks(comm, field.distribution().ranks());
  if (field.rank() != comm.rank())
    throw InputError(
        fmt::format("the field was created for rank {}, but this is rank {} of the redistribution: create "
                    "it with a transform on the same communicator",
                    field.rank(), comm.rank()));
}

/// Pointers to the values of all components of all maps, [map][component]; of the real and imaginary parts of complex
/// values, [map][component][part].
template <class T, class Value>
std::vector<T*> parts_of(Value* first, const api::Places& places, Index maps, Index components) {
  std::vector<T*> parts;
  for (Index k = 0; k < maps; ++k)
    for (Index c = 0; c < components; ++c) {
      T* const value = reinterpret_cast<T*>(first + places.first(k, c));
      for (std::size_t part = 0; part < sizeof(Value) / sizeof(T); ++part) parts.push_back(value + part);
    }
  return parts;
}

/// Number of reals in a value of the program.
template <class T, class Value>
constexpr Index kParts = static_cast<Index>(sizeof(Value) / sizeof(T));

// `field` is a Map or an Alm, whose values, of type Value, consist of one or two reals T.
template <class T, class Field, class Value>
void scatter(const api::ItemOwners& owners, std::span<const Value> values, Field& field, std::optional<Value> fill,
             const Strides& strides) {
  const Index maps = field.maps(), components = field.fields().components();
  std::vector<const T*> given;
  std::vector<T*> owned;
  std::vector<T> fills;
  comm::phase(owners.comm(), [&] {
    const api::Places places(strides, maps, components, owners.size(), values.size());
    given = parts_of<const T>(values.data(), places, maps, components);
    const std::span<Value> own = field.data();
    owned = parts_of<T>(own.data(), api::Places({}, maps, components, Access::field(field).local_size(), own.size()),
                        maps, components);
    if (!fill) return;
    const auto* parts = reinterpret_cast<const T*>(&*fill);
    for (std::size_t f = 0; f < owned.size(); ++f) fills.push_back(parts[f % at(kParts<T, Value>)]);
  });
  owners.to_owners<T>(given, kParts<T, Value> * strides.index, owned, kParts<T, Value>, fills);
}

template <class T, class Field, class Value>
void gather(const api::ItemOwners& owners, const Field& field, std::span<Value> values, const Strides& strides) {
  const Index maps = field.maps(), components = field.fields().components();
  std::vector<const T*> owned;
  std::vector<T*> given;
  comm::phase(owners.comm(), [&] {
    const api::Places places(strides, maps, components, owners.size(), values.size());
    given = parts_of<T>(values.data(), places, maps, components);
    const std::span<const Value> own = field.data();
    owned = parts_of<const T>(
        own.data(), api::Places({}, maps, components, Access::field(field).local_size(), own.size()), maps, components);
  });
  owners.from_owners<T>(owned, kParts<T, Value>, given, kParts<T, Value> * strides.index);
}

}  // namespace

/// The owners of pixels, and the pixels that maps must have.
struct api::PixelOwners {
  std::shared_ptr<const RingGrid> grid;
  ItemOwners items;

  template <class T>
  void check(const Map<T>& map) const {
    comm::phase(items.comm(), [&] {
      check_same_ranks(items.comm(), map);
      if (!map.grid().same_pixels(*grid))
        throw InputError(fmt::format("the map is on {}, but the redistribution is for {}",
                                     map.grid().description().text(), grid->description().text()));
    });
  }
};

/// The owners of coefficients, and the layout that alm must have.
struct api::AlmOwners {
  AlmLayout layout;
  ItemOwners items;

  template <class T>
  void check(const Alm<T>& alm) const {
    comm::phase(items.comm(), [&] {
      check_same_ranks(items.comm(), alm);
      if (!(alm.layout() == layout))
        throw InputError(
            fmt::format("the alm have lmax = {}, mmax = {}, but the redistribution is for lmax = {}, mmax = {}",
                        alm.layout().lmax(), alm.layout().mmax(), layout.lmax(), layout.mmax()));
    });
  }
};

namespace {

std::vector<dist::OwnedPlace> owned_pixels(const Communicator& comm, const PixelDistribution& pixels_of,
                                           std::span<const Index> pixels) {
  check_ranks(comm, pixels_of.ranks());
  const RingGrid& grid = pixels_of.grid();
  std::vector<dist::OwnedPlace> items;
  items.reserve(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (pixels[i] < 0 || pixels[i] >= grid.npix())
      throw InputError(fmt::format("pixel {} in place {} of rank {} does not exist: {} has pixels 0 to {}", pixels[i],
                                   i, comm.rank(), grid.description().text(), grid.npix() - 1));
    items.push_back(pixels_of.place(pixels[i]));
  }
  return items;
}

std::vector<dist::OwnedPlace> owned_coefficients(const Communicator& comm, const AlmDistribution& alm_of,
                                                 std::span<const Index> l, std::span<const Index> m) {
  check_ranks(comm, alm_of.ranks());
  if (l.size() != m.size())
    throw InputError(fmt::format("{} values of l, but {} of m: pass as many", l.size(), m.size()));
  const AlmLayout& layout = alm_of.layout();
  const std::vector<dist::OwnedPlace> orders = alm_of.places();
  std::vector<dist::OwnedPlace> items;
  items.reserve(l.size());
  for (std::size_t i = 0; i < l.size(); ++i) {
    if (m[i] < 0 || m[i] > layout.mmax() || l[i] < m[i] || l[i] > layout.lmax())
      throw InputError(
          fmt::format("(l, m) = ({}, {}) in place {} of rank {} does not exist: use 0 <= m <= {}, m <= l <= {}", l[i],
                      m[i], i, comm.rank(), layout.mmax(), layout.lmax()));
    const dist::OwnedPlace& order = orders[at(m[i])];
    items.push_back({order.rank, order.index + l[i]});
  }
  return items;
}

}  // namespace

PixelRedistribution::PixelRedistribution(const Communicator& comm, const PixelDistribution& pixels_of,
                                         std::span<const Index> pixels) {
  std::vector<dist::OwnedPlace> items;
  comm::phase(comm, [&] { items = owned_pixels(comm, pixels_of, pixels); });
  const auto name = [own = pixels_of.pixel_ranges(comm.rank())](Index place) {
    std::size_t range = 0;
    for (; place >= own[range].count; ++range) place -= own[range].count;
    return fmt::format("pixel {}", own[range].first + place);
  };
  owners_.reset(
      new api::PixelOwners{pixels_of.shared_grid(), {comm, items, pixels_of.local_pixels(comm.rank()), name}});
}

PixelRedistribution::PixelRedistribution(PixelRedistribution&& other) noexcept = default;
PixelRedistribution& PixelRedistribution::operator=(PixelRedistribution&& other) noexcept = default;
PixelRedistribution::~PixelRedistribution() = default;

Index PixelRedistribution::size() const { return owners_->items.size(); }

template <class T>
void PixelRedistribution::to_map(std::span<const T> values, Map<T>& map, std::optional<T> fill,
                                 const Strides& strides) const {
  owners_->check(map);
  scatter<T>(owners_->items, values, map, fill, strides);
}

template <class T>
void PixelRedistribution::from_map(const Map<T>& map, std::span<T> values, const Strides& strides) const {
  owners_->check(map);
  gather<T>(owners_->items, map, values, strides);
}

AlmRedistribution::AlmRedistribution(const Communicator& comm, const AlmDistribution& alm_of, std::span<const Index> l,
                                     std::span<const Index> m) {
  std::vector<dist::OwnedPlace> items;
  comm::phase(comm, [&] { items = owned_coefficients(comm, alm_of, l, m); });
  const auto name = [orders = alm_of.local_m(comm.rank()), offsets = alm_of.local_offsets(comm.rank())](Index place) {
    // The last m whose coefficients begin at or before the place.
    std::size_t k = 0;
    while (k + 1 < orders.size() && offsets[k + 1] + orders[k + 1] <= place) ++k;
    return fmt::format("(l, m) = ({}, {})", place - offsets[k], orders[k]);
  };
  owners_.reset(new api::AlmOwners{alm_of.layout(), {comm, items, alm_of.local_size(comm.rank()), name}});
}

AlmRedistribution AlmRedistribution::of_orders(const Communicator& comm, const AlmDistribution& alm_of,
                                               std::span<const Index> m) {
  std::vector<Index> degrees, orders;
  comm::phase(comm, [&] {
    for (const Index order : m) {
      const Index last = std::max(order, alm_of.layout().lmax());  // at least one coefficient, to be refused
      for (Index l = std::max(order, Index{0}); l <= last; ++l) {
        degrees.push_back(l);
        orders.push_back(order);
      }
    }
  });
  return {comm, alm_of, degrees, orders};
}

AlmRedistribution::AlmRedistribution(AlmRedistribution&& other) noexcept = default;
AlmRedistribution& AlmRedistribution::operator=(AlmRedistribution&& other) noexcept = default;
AlmRedistribution::~AlmRedistribution() = default;

Index AlmRedistribution::size() const { return owners_->items.size(); }

template <class T>
void AlmRedistribution::to_alm(std::span<const std::complex<T>> values, Alm<T>& alm,
                               std::optional<std::complex<T>> fill, const Strides& strides) const {
  owners_->check(alm);
  scatter<T>(owners_->items, values, alm, fill, strides);
}

template <class T>
void AlmRedistribution::from_alm(const Alm<T>& alm, std::span<std::complex<T>> values, const Strides& strides) const {
  owners_->check(alm);
  gather<T>(owners_->items, alm, values, strides);
}

ARMILLA_INSTANTIATE(PixelRedistribution::to_map);
ARMILLA_INSTANTIATE(PixelRedistribution::from_map);
ARMILLA_INSTANTIATE(AlmRedistribution::to_alm);
ARMILLA_INSTANTIATE(AlmRedistribution::from_alm);

}  // namespace armilla
