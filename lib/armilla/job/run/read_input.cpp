#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/read_input.hpp>
#include <armilla/ops/mask.hpp>
#include <armilla/ops/monopole.hpp>
#include <armilla/ops/norms.hpp>

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// Number of own pixels of a map for which no component is NaN.
template <class T>
Index count_good_pixels(const transform::MapField<T>& map, Index place) {
  Index good = 0;
  for (Index p = 0; p < map.local_size(); ++p) {
    bool all = true;
    for (Index c = 0; c < map.kind().components(); ++c)
      all = all && std::isfinite(map.component(place, c)[core::at(p)]);
    if (all) ++good;
  }
  return good;
}

core::CaughtError input_error(const InputSpec& input, const std::string& text) {
  core::ErrorContext context = error_at(input.place, {}, text);
  std::string message = core::sentence(context);
  return {core::ErrorKind::kInput, std::move(message), std::make_shared<const core::ErrorContext>(std::move(context))};
}

/// The error of a map with this number of good pixels; std::nullopt if it is accepted. A map is rejected if bad pixels
/// are an error and it has any, or if no good pixels remain.
std::optional<core::CaughtError> bad_pixels_error(const InputSpec& input, const std::string& source,
                                                  const ValueInfo& info, const ReadMap& map) {
  if (map.bad.total() == 0) return std::nullopt;
  const auto error = [&](const std::string& advice) {
    return input_error(
        input, fmt::format("{}{} has {} NaN or infinite and {} bad or missing pixels (BAD_DATA) in the fields {}: {}",
                           input.file.empty() ? "" : "map file ", source, map.bad.nan, map.bad.bad_data,
                           fmt::join(info.kind.map_names(), ", "), advice));
  };
  if (input.bad_data == BadDataPolicy::kError)
    return error("repair it, or set " + core::mention({}, "bad_data", "zero"));
  const bool nothing = input.good_pixels.empty()
                           ? map.bad.total() == info.pixels->grid().npix() * info.kind.components()
                           : map.good == 0;
  return nothing ? std::optional(error("it has no good pixels")) : std::nullopt;
}

/// Agrees on the error for one map over all ranks: std::nullopt, or the error of the lowest failing rank.
std::optional<core::CaughtError> agreed(const comm::Communicator& comm, const std::optional<core::CaughtError>& mine) {
  try {
    comm::agree(comm, mine);
  } catch (...) {
    return core::describe_current_exception();
  }
  return std::nullopt;
}

}  // namespace

template <class T>
void zero_bad_pixels(transform::MapField<T>& map, Index place) {
  for (Index c = 0; c < map.kind().components(); ++c)
    for (T& number : map.component(place, c))
      if (!std::isfinite(number)) number = 0;
}

template <class T>
std::vector<ReadMap> InputReader<T>::read_single(Value<T>& value, Index place, core::PhaseTimers& timers) {
  std::vector<ReadMap> maps(1);
  comm::phase(comm_, [&] {
    const core::ScopedPhase timer(timers, "read");
    at_place(spec_.place, [&] {
      if (value.is_empty()) allocate(value, 1);
      maps[0] = read(0, value, place);
      if (maps[0].error) core::throw_error(*maps[0].error);
    });
  });
  if (const auto error = errors(maps, 0).front()) core::throw_error(*error);
  return maps;
}

template <class T>
void InputReader<T>::set_reference(Index item) {
  places_ = planned_.source->open(item)->places(comm_.size(), comm_.rank());
  reference_ = item;
}

template <class T>
void InputReader<T>::allocate(Value<T>& value, Index maps) {
  if (info_.is_borrowed) {
    value = planned_.source->borrow(T());
    return;
  }
  switch (info_.sort) {
    case ValueSort::kMap:
      value.template emplace<transform::MapField<T>>(info_.kind, info_.pixels, comm_.rank(), maps);
      break;
    case ValueSort::kAlm:
      value.template emplace<transform::AlmField<T>>(info_.kind, info_.alm, comm_.rank(), maps);
      break;
    case ValueSort::kPoints:
    case ValueSort::kValues:
      if (!places_) set_reference(reference_);
      value.template emplace<points::PointField<T>>(info_.kind, places_, maps);
      break;
    default:
      value.template emplace<Tables>(core::at(maps));
  }
}

template <class T>
ReadMap InputReader<T>::read(Index item, Value<T>& value, Index place) const {
  ReadMap map;
  const Source& source = *planned_.source;
  try {
    const std::unique_ptr<SourceItem> opened = source.open(item);
    map.seen = opened->seen();
    if (places_ && source.text(item) != source.text(reference_)) {
      const auto own = opened->places(comm_.size(), comm_.rank());
      try {
        ops::check_same_points(*own, *places_);
      } catch (const core::InputError& error) {
        throw core::InputError(fmt::format(
            "'{}' does not match '{}', the first usable file: {}; one of the two does not belong to the campaign",
            source.text(item), source.text(reference_), error.what()));
      }
    }
    map.bad = opened->read(planned_.components, value, place);
    map.odd = find_odd_samples(value, place, source.described().precision);
    if (!spec_.good_pixels.empty()) map.good = count_good_pixels(value.template get<transform::MapField<T>>(), place);
  } catch (...) {
    map.error = core::describe_current_exception();
  }
  return map;
}

template <class T>
std::vector<std::optional<core::CaughtError>> InputReader<T>::errors(std::vector<ReadMap>& maps, Index first) const {
  std::vector<Index> failed, counts;
  std::vector<core::FileState> seen;
  for (const ReadMap& map : maps) {
    failed.push_back(map.error ? 1 : 0);
    counts.insert(counts.end(), {map.bad.nan, map.bad.bad_data, map.good});
    seen.push_back(map.seen);
  }
  comm_.max(std::span<Index>(failed));
  // The policy uses the counts of all ranks, so that the message does not depend on the number of ranks.
  comm_.sum(std::span<Index>(counts));
  std::vector<OddSamples*> odd;
  for (ReadMap& map : maps) odd.push_back(&map.odd);
  join_odd_samples(comm_, info_, odd);
  const std::vector<bool> same = same_on_all_ranks(comm_, seen);
  std::vector<std::optional<core::CaughtError>> errors;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Index item = first + static_cast<Index>(i);
    const std::string source = planned_.source->text(item);
    std::optional<core::CaughtError>& error = errors.emplace_back();
    maps[i].bad = {counts[3 * i], counts[3 * i + 1]};
    maps[i].good = counts[3 * i + 2];
    if (failed[i] > 0)
      error = agreed(comm_, maps[i].error);
    else if (!same[i])
      error = core::CaughtError{core::ErrorKind::kInput, different_file_text(source)};
    else
      error = bad_pixels_error(spec_, source, info_, maps[i]);
    if (!error) error = repeated_error(maps[i], item);
  }
  return errors;
}

template <class T>
std::string InputReader<T>::text_of(Index item) const {
  const InputItems& items = spec_.items;
  return planned_.source->text(item) +
         (items.files.empty() && !items.empty() ? fmt::format(", map {},", items.labels[core::at(item)]) : "");
}

template <class T>
std::optional<core::CaughtError> InputReader<T>::repeated_error(const ReadMap& map, Index item) const {
  if (spec_.repeated_longitude == RepeatedLongitude::kKeep || !map.odd.repeated.is_found()) return std::nullopt;
  const std::string of_file =
      fmt::format("{} to ignore the last one, or {} to use both", core::mention({}, "repeated_longitude", "drop"),
                  core::mention({}, "repeated_longitude", "keep"));
  return input_error(
      spec_, fmt::format("{} has the same values at the first and the last longitude of each ring, but no other "
                         "neighbours are equal: the last pixel seems to repeat the first, which a map must not: {}",
                         text_of(item), spec_.file.empty() ? "remove it" : "set " + of_file));
}

template <class T>
std::optional<std::string> InputReader<T>::settle(Value<T>& value, const ReadMap& map, Index item, Index place) const {
  if (!map.odd.may_need_settling()) return std::nullopt;
  const auto warning =
      settle_odd_samples(comm_, map.odd, planned_.source->described().precision, text_of(item), value, place);
  return warning ? std::optional(word_(error_at(spec_.place, {}, *warning))) : std::nullopt;
}

template <class T>
void InputReader<T>::finish(Value<T>& value, const std::vector<ReadMap>& maps, Index first,
                            std::vector<Value<T>>& values, RunRecord* record) const {
  BadPixels bad;
  for (std::size_t place = 0; place < maps.size(); ++place) {
    bad += maps[place].bad;
    const auto at = static_cast<Index>(place);
    const auto warning = settle(value, maps[place], first + at, at);
    if (warning && record != nullptr) record->warn_once(spec_.name, *warning);
  }
  auto* map = value.template find_own<transform::MapField<T>>();
  if (map == nullptr) return;
  if (spec_.monopole == Monopole::kRemove) ops::remove_monopole(comm_, *map);
  if (const auto good_pixels = planned_.good_pixels)
    comm::phase(comm_, [&] {
      auto& mask = values[*good_pixels].template emplace<transform::MapField<T>>(
          transform::FieldKind::scalar("MASK"), map->shared_distribution(), map->rank(), map->maps());
      ops::find_good_pixels(*map, mask);
    });
  if (bad.total() == 0 || spec_.bad_data == BadDataPolicy::kKeep) return;
  for (Index place = 0; place < map->maps(); ++place) zero_bad_pixels(*map, place);
  if (record != nullptr) record->add_zeroed({spec_.name, spec_.file, bad});
}

ARMILLA_INSTANTIATE(zero_bad_pixels);
ARMILLA_INSTANTIATE_CLASS(InputReader);

}  // namespace armilla::job
