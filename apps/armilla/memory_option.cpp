#include "memory_option.hpp"

#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>

#include <string>

namespace armilla::app {

void add_memory_limit(CLI::App& verb, std::optional<core::Index>& limit) {
  verb.add_option_function<std::string>(
          "--memory-limit",
          [&limit](const std::string& text) {
            try {
              limit = core::parse_bytes(text);
            } catch (const core::InputError& error) {
              throw CLI::ValidationError("--memory-limit", error.what());
            }
          },
          "Memory limit for all ranks of a node, such as 64G, or none")
      ->type_name("SIZE");
}

std::optional<core::Index> memory_limit_or_default(const std::optional<core::Index>& limit) {
  return limit ? limit : core::environment_memory_limit();
}

}  // namespace armilla::app
