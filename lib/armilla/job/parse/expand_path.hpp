#pragma once

#include <functional>
#include <optional>
#include <string>

namespace armilla::job {

/// The value of an environment variable; std::nullopt if it is not set.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;

/// An environment variable of this process.
std::optional<std::string> environment_variable(const std::string& name);

/// Expands a path of a job: `$NAME` and `${NAME}` become variables, `$$` a dollar sign, and a leading `~` or `~/` the
/// variable HOME. Throws InputError if a variable is unset or empty, or if the path has invalid syntax. Its text is
/// meant to follow "<key> = <path> ".
std::string expand_path(const std::string& path, const Variables& variables);

}  // namespace armilla::job
