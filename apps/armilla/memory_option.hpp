#pragma once

#include <armilla/core/types.hpp>

#include <optional>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Adds --memory-limit to a verb. `limit` [bytes] lives as long as the verb; nothing where it was not given.
void add_memory_limit(CLI::App& verb, std::optional<core::Index>& limit);

/// `limit`, else what the variable ARMILLA_MEMORY_LIMIT says, else nothing. Throws InputError for what is no amount.
std::optional<core::Index> memory_limit_or_default(const std::optional<core::Index>& limit);

}  // namespace armilla::app
