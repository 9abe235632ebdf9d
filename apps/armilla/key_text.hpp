#pragma once

#include <armilla/job/parse/keys.hpp>

#include <string>
#include <vector>

namespace armilla::app {

/// What the value of a key is, in capitals: N, NUMBER, WORD, FILE, GRID ..
std::string value_word(const job::Key& key);

/// What an option for the key means, with choices and default.
std::string option_help(const job::Key& key);

}  // namespace armilla::app
