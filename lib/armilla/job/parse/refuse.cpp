#include <armilla/core/text.hpp>
#include <armilla/job/parse/refuse.hpp>

namespace armilla::job {

void refuse(const Place& place, std::string_view key, const std::string& value, const std::string& rest) {
  throw core::InputError(fmt::format("{}: {}.{} = {} {}", place.where, place.path, key, core::excerpt(value), rest));
}

}  // namespace armilla::job
