#include <armilla/job/parse/json_text.hpp>

#include <nlohmann/json.hpp>

namespace armilla::job {

std::string json_text(const nlohmann::json& value, int indentation) {
  return value.dump(indentation, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace armilla::job
