#include <armilla/core/error.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/stated_header.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::io {

void refuse_contradiction(const std::string& path, std::string_view key, std::string_view keyword,
                          const std::string& stated, const std::string& in_file) {
  throw core::InputError(core::ErrorContext{
      .key = std::string(key),
      .value = stated,
      .text =
          fmt::format("contradicts {}, which has {} = {}: remove {}, or override the file with {}", path, keyword,
                      in_file, core::mention("", key), core::mention("", key, fmt::format("{{force: {}}}", stated))),
      .form = core::ErrorContext::Form::kPredicate});
}

Ordering agreed_ordering(const std::string& path, const StatedHeader& stated, const std::string& in_file) {
  if (stated.ordering && stated.ordering->is_forced) return stated.ordering->value;
  if (in_file.empty()) {
    if (stated.ordering) return stated.ordering->value;
    throw core::InputError(core::ErrorContext{
        .text = fmt::format("'{}': ORDERING is missing: state it with {} or {}, or write it into the header", path,
                            core::mention("", "ordering", "ring"), core::mention("", "ordering", "nested"))});
  }
  const Ordering ordering = ordering_of(in_file, path);
  if (stated.ordering && stated.ordering->value != ordering)
    refuse_contradiction(path, "ordering", "ORDERING", stated.ordering->value == Ordering::kRing ? "ring" : "nested",
                         in_file);
  return ordering;
}

std::optional<Index> agreed_nside(const std::string& path, const StatedHeader& stated, std::optional<Index> in_file) {
  if (!stated.nside) return in_file;
  const auto& [value, is_forced] = *stated.nside;
  if (in_file && *in_file != value && !is_forced)
    refuse_contradiction(path, "nside", "NSIDE", fmt::format("{}", value), fmt::format("{}", *in_file));
  return value;
}

double agreed_bad_value(const std::string& path, const StatedHeader& stated, std::optional<double> in_file) {
  // NaN and infinite values are bad in any case, and no other value is near them.
  if (in_file && !std::isfinite(*in_file)) in_file = kBadPixel;
  if (!stated.bad_value) return in_file.value_or(kBadPixel);
  if (!std::isfinite(stated.bad_value->value)) return in_file.value_or(kBadPixel);
  const auto& [value, is_forced] = *stated.bad_value;
  const bool is_same = in_file && std::abs(*in_file - value) <= 1e-5 * std::abs(value);
  if (in_file && !is_same && !is_forced)
    refuse_contradiction(path, "bad_value", "BAD_DATA", fmt::format("{}", value), fmt::format("{}", *in_file));
  return value;
}

void agree_on_metadata(const std::string& path, const StatedHeader& stated, FieldMetadata& metadata) {
  const auto agree = [&](std::string_view key, std::string_view keyword, const auto& wanted, std::string& in_file) {
    if (!wanted) return;
    if (!in_file.empty() && in_file != wanted->value && !wanted->is_forced)
      refuse_contradiction(path, key, keyword, wanted->value, in_file);
    in_file = wanted->value;
  };
  agree("coordsys", "COORDSYS", stated.coordsys, metadata.coordsys);
  agree("polcconv", "POLCCONV", stated.polcconv, metadata.polcconv);
}

}  // namespace armilla::io
