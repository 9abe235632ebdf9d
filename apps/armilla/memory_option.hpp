#pragma once

#include <armilla/core/types.hpp>

#include <optional>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Adds --memory-limit, or the variable ARMILLA_MEMORY_LIMIT in its place, to a verb. `limit` [bytes] lives as long as
/// the verb; nothing where neither was given.
void add_memory_limit(CLI::App& verb, std::optional<core::Index>& limit);

}  // namespace armilla::app
