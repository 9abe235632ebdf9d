#pragma once

#include <armilla/job/parse/keys.hpp>

#include <string>
#include <vector>

namespace armilla::app {

/// Placeholder for the value of a key in help texts: N, NUMBER, WORD, FILE, GRID ..
std::string value_word(const job::Key& key);

/// Help text of the option for a key, with choices and default.
std::string option_help(const job::Key& key);

}  // namespace armilla::app
