#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/job/parse/json_text.hpp>

#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

using core::Index;

std::string json_text(const nlohmann::json& value, int indentation) {
  return value.dump(indentation, ' ', false, nlohmann::json::error_handler_t::replace);
}

Index json_index(const nlohmann::json& object, const char* key, Index absent) {
  const auto member = object.find(key);
  if (member == object.end()) return absent;
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  const bool is_index =
      member->is_number_integer() && (!member->is_number_unsigned() || member->get<std::uint64_t>() <= kLargest);
  if (!is_index)
    throw core::InputError(fmt::format("'{}' = {} is not an integer", key, core::excerpt(json_text(*member))));
  return member->get<Index>();
}

}  // namespace armilla::job
