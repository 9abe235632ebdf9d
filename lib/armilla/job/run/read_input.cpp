#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/run/read_input.hpp>
#include <armilla/ops/mask.hpp>
#include <armilla/ops/norms.hpp>

#include <cmath>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

[[noreturn]] void refuse_item(const std::string& file, const std::string& what, const std::string& own,
                              const std::string& first, const std::string& first_file) {
  throw core::InputError(fmt::format("'{}' has {} {}, but the first map, '{}', has {}: all maps of an input must match",
                                     file, what, own, first_file, first));
}

void check_metadata(const io::FieldMetadata& own, const io::FieldMetadata& first, const std::string& file,
                    const std::string& first_file) {
  const auto check = [&](const char* what, const std::vector<std::string>& a, const std::vector<std::string>& b) {
    if (a != b)
      refuse_item(file, what, fmt::format("{}", fmt::join(a, ", ")), fmt::format("{}", fmt::join(b, ", ")), first_file);
  };
  check("the fields", own.fields, first.fields);
  check("the units", own.units, first.units);
  if (own.spins != first.spins)
    refuse_item(file, "the spins", fmt::format("{}", fmt::join(own.spins, ", ")),
                fmt::format("{}", fmt::join(first.spins, ", ")), first_file);
  if (own.coordsys != first.coordsys)
    refuse_item(file, "COORDSYS", fmt::format("'{}'", own.coordsys), fmt::format("'{}'", first.coordsys), first_file);
}

void check_like(const io::MapInfo& own, const io::MapInfo& first) {
  const auto text = [](const io::MapInfo& info) { return info.grid->description().text(); };
  if (text(own) != text(first)) refuse_item(own.path, "the grid", text(own), text(first), first.path);
  if (!own.grid->same_pixels(*first.grid))
    refuse_item(own.path, "the grid", text(own), "one with different rings", first.path);
}

void check_like(io::AlmInfo& own, const io::AlmInfo& first) {
  if (own.lmax != first.lmax || own.mmax != first.mmax)
    refuse_item(own.path, "lmax, mmax", fmt::format("{}, {}", own.lmax, own.mmax),
                fmt::format("{}, {}", first.lmax, first.mmax), first.path);
  // If a file does not specify it, the job or the default applies, as for the first file.
  if (!own.says_norm) own.convention.norm = first.convention.norm;
  if (!own.says_phase) own.convention.phase = first.convention.phase;
  if (!own.says_basis) own.convention.basis = first.convention.basis;
  if (!(own.convention == first.convention))
    refuse_item(own.path, "the convention", own.convention.text(), first.convention.text(), first.path);
}

void check_like(io::PointsInfo& own, const io::PointsInfo& first) {
  if (own.points != first.points)
    refuse_item(own.path, "points:", fmt::format("{}", own.points), fmt::format("{}", first.points), first.path);
  // If a file does not specify it, the job or the default applies, as for the first file.
  if (own.metadata.coordsys.empty()) own.metadata.coordsys = first.metadata.coordsys;
  if (own.metadata.polcconv.empty()) own.metadata.polcconv = first.metadata.polcconv;
  if (own.metadata.polcconv != first.metadata.polcconv)
    refuse_item(own.path, "POLCCONV", own.metadata.polcconv, first.metadata.polcconv, first.path);
}

}  // namespace

template <class T>
io::BadPixels read_into(const io::MapInfo& info, const PlannedInput& planned, transform::MapField<T>& map,
                        Index place) {
  const auto ranges = map.distribution().pixel_ranges(map.rank());
  io::BadPixels bad;
  for (Index c = 0; c < map.kind().components(); ++c) {
    const io::BadPixels found = io::read_map<T>(info, planned.components[static_cast<std::size_t>(c)], ranges,
                                                map.component(place, c), io::BadDataPolicy::kMark);
    bad.nan += found.nan;
    bad.bad_data += found.bad_data;
  }
  return bad;
}

template <class T>
io::BadPixels read_into(const io::AlmInfo& info, const PlannedInput& planned, transform::AlmField<T>& alm,
                        Index place) {
  for (Index c = 0; c < alm.kind().components(); ++c)
    io::read_alm<T>(info, planned.components[static_cast<std::size_t>(c)], alm.distribution(), alm.rank(),
                    alm.component(place, c));
  return {};
}

template <class T>
io::BadPixels read_into(const io::PointsInfo& info, const PlannedInput& planned, points::PointField<T>& values,
                        Index place) {
  const points::LocalPoints& places = *values.points();
  if (info.path != std::get<io::PointsInfo>(planned.info).path) {
    points::LocalPoints own{places.first, std::vector<double>(places.theta.size()),
                            std::vector<double>(places.phi.size())};
    io::read_places(info, own.first, own.theta, own.phi);
    try {
      ops::check_same_points(own, places);
    } catch (const core::InputError& error) {
      throw core::InputError(fmt::format(
          "'{}' does not match '{}', the first usable file: {}; one of the two does not belong to the campaign",
          info.path, std::get<io::PointsInfo>(planned.info).path, error.what()));
    }
  }
  // With the names from the job, read_values() recognises U, whose sign depends on POLCCONV.
  io::PointsInfo named = info;
  named.metadata.fields.resize(static_cast<std::size_t>(info.components));
  for (std::size_t c = 0; c < planned.components.size(); ++c)
    named.metadata.fields[static_cast<std::size_t>(planned.components[c])] = values.kind().map_names()[c];
  for (Index c = 0; c < values.kind().components(); ++c)
    io::read_values<T>(named, planned.components[static_cast<std::size_t>(c)], places.first,
                       values.component(place, c));
  return {};
}

std::shared_ptr<const points::LocalPoints> read_places(const io::PointsInfo& info, int ranks, int rank) {
  auto places = std::make_shared<points::LocalPoints>();
  places->first = points::first_point(info.points, ranks, rank);
  const auto count = static_cast<std::size_t>(points::first_point(info.points, ranks, rank + 1) - places->first);
  places->theta.resize(count);
  places->phi.resize(count);
  io::read_places(info, places->first, places->theta, places->phi);
  return places;
}

template <class T>
Index count_good_pixels(const transform::MapField<T>& map, Index place) {
  Index good = 0;
  for (Index p = 0; p < map.local_size(); ++p) {
    bool all = true;
    for (Index c = 0; c < map.kind().components(); ++c)
      all = all && std::isfinite(map.component(place, c)[static_cast<std::size_t>(p)]);
    if (all) ++good;
  }
  return good;
}

std::optional<std::string> bad_pixels_text(const InputSpec& input, const std::string& file, const ValueInfo& info,
                                           const io::BadPixels& bad, Index good) {
  if (bad.total() == 0) return std::nullopt;
  const auto text = [&](const std::string& advice) {
    return fmt::format(
        "{}: {}: map file {} has {} NaN or infinite and {} bad or missing pixels (BAD_DATA) in the fields {}: {}",
        input.place.where, input.place.path, file, bad.nan, bad.bad_data, fmt::join(info.kind.map_names(), ", "),
        advice);
  };
  if (input.bad_data == io::BadDataPolicy::kError) return text("repair it, or set bad_data: zero");
  const bool nothing =
      input.good_pixels.empty() ? bad.total() == info.pixels->grid().npix() * info.kind.components() : good == 0;
  return nothing ? std::optional(text("it has no good pixels")) : std::nullopt;
}

template <class T>
void zero_bad_pixels(transform::MapField<T>& map) {
  for (T& value : map.data())
    if (!std::isfinite(value)) value = 0;
}

template <class T>
transform::MapField<T> good_pixels_of(const transform::MapField<T>& map) {
  transform::MapField<T> mask(transform::FieldKind::scalar("MASK"), map.shared_distribution(), map.rank(), map.maps());
  ops::find_good_pixels(map, mask);
  return mask;
}

const std::string& item_file(const InputSpec& input, Index item) {
  return input.items.files.empty() ? input.file : input.items.files[static_cast<std::size_t>(item)];
}

template <class Info>
Info open_item(const InputSpec& input, const PlannedInput& planned, Index item) {
  const Info& first = std::get<Info>(planned.info);
  if (input.items.files.empty()) {
    Info info = first;
    if constexpr (requires { info.batch; }) info.batch.map = item;
    return info;
  }
  const std::string& file = item_file(input, item);
  if (file == first.path) return first;
  Info info = [&] {
    if constexpr (std::is_same_v<Info, io::MapInfo>)
      return io::open_map(file);
    else if constexpr (std::is_same_v<Info, io::PointsInfo>)
      return io::open_points(file, input.catalogue.columns);
    else
      return io::open_alm(file);
  }();
  if (info.components != first.components)
    refuse_item(file, "components:", fmt::format("{}", info.components), fmt::format("{}", first.components),
                first.path);
  check_like(info, first);
  check_metadata(info.metadata, first.metadata, file, first.path);
  return info;
}

template io::BadPixels read_into<float>(const io::MapInfo&, const PlannedInput&, transform::MapField<float>&, Index);
template io::BadPixels read_into<double>(const io::MapInfo&, const PlannedInput&, transform::MapField<double>&, Index);
template io::BadPixels read_into<float>(const io::AlmInfo&, const PlannedInput&, transform::AlmField<float>&, Index);
template io::BadPixels read_into<double>(const io::AlmInfo&, const PlannedInput&, transform::AlmField<double>&, Index);
template io::BadPixels read_into<float>(const io::PointsInfo&, const PlannedInput&, points::PointField<float>&, Index);
template io::BadPixels read_into<double>(const io::PointsInfo&, const PlannedInput&, points::PointField<double>&,
                                         Index);
ARMILLA_INSTANTIATE(count_good_pixels);
ARMILLA_INSTANTIATE(zero_bad_pixels);
ARMILLA_INSTANTIATE(good_pixels_of);
template io::MapInfo open_item<io::MapInfo>(const InputSpec&, const PlannedInput&, Index);
template io::AlmInfo open_item<io::AlmInfo>(const InputSpec&, const PlannedInput&, Index);
template io::PointsInfo open_item<io::PointsInfo>(const InputSpec&, const PlannedInput&, Index);

}  // namespace armilla::job
