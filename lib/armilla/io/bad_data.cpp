#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/bad_data.hpp>

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace armilla::io {

namespace {

bool is_near(double value, double bad) { return std::abs(value - bad) <= 1e-5 * std::abs(bad); }

}  // namespace

bool is_bad_value(double value, double bad_value) {
  return !std::isfinite(value) || is_near(value, kBadPixel) || is_near(value, bad_value);
}

template <class T>
BadPixels clean_values(std::span<T> values, double bad_value, BadDataPolicy policy, Sign sign) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  BadPixels bad;
  for (T& value : values) {
    if (!std::isfinite(value)) {
      ++bad.nan;
      if (policy != BadDataPolicy::kKeep) value = policy == BadDataPolicy::kMark ? nan : T{0};
    } else if (is_near(value, kBadPixel) || is_near(value, bad_value)) {
      ++bad.bad_data;
      value = policy == BadDataPolicy::kKeep ? static_cast<T>(kBadPixel) : policy == BadDataPolicy::kMark ? nan : T{0};
    } else if (sign == Sign::kOpposite) {
      value = -value;
    }
  }
  return bad;
}

std::string field_text(const FieldMetadata& metadata, Index component) {
  const auto i = static_cast<std::size_t>(component);
  return i < metadata.fields.size() ? fmt::format("{} ({})", component, metadata.fields[i])
                                    : fmt::format("{}", component);
}

void check_component(const std::string& path, Index component, Index components) {
  if (component < 0 || component >= components)
    throw core::InputError(
        fmt::format("'{}' has components 0 .. {}: component {} does not exist", path, components - 1, component));
}

ARMILLA_INSTANTIATE(clean_values);

}  // namespace armilla::io
