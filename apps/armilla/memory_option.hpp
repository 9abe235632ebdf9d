#pragma once

#include <armilla/core/types.hpp>

#include <optional>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Adds --memory-limit to a verb. `limit` [bytes] must outlive the verb; it is left unchanged if the option is not
/// given.
void add_memory_limit(CLI::App& verb, std::optional<core::Index>& limit);

/// Returns `limit` if set, otherwise the value of the environment variable ARMILLA_MEMORY_LIMIT, if set. Throws
/// InputError if the variable is not a valid size.
std::optional<core::Index> memory_limit_or_default(const std::optional<core::Index>& limit);

}  // namespace armilla::app
