#pragma once

#include <functional>
#include <optional>
#include <string>

namespace armilla::job {

/// The value of an environment variable; nothing if it is not set.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;

/// That of this process.
std::optional<std::string> environment_variable(const std::string& name);

/// A path of a job with `$NAME` and `${NAME}` replaced by variables, `$$` by a dollar sign, and `~` or `~/` at its
/// beginning by the variable HOME. Throws InputError, whose text goes behind "<key> = <path> ", where a variable is
/// not set or empty, or the path cannot be read.
std::string expand_path(const std::string& path, const Variables& variables);

}  // namespace armilla::job
