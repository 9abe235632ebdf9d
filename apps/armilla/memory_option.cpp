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
              throw CLI::ValidationError("--memory-limit or ARMILLA_MEMORY_LIMIT", error.what());
            }
          },
          "Memory for the ranks of a node, as 64G, or none")
      ->type_name("SIZE")
      ->envname("ARMILLA_MEMORY_LIMIT");
}

}  // namespace armilla::app
