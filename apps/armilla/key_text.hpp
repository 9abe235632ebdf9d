#pragma once

#include <armilla/job/parse/keys.hpp>

#include <string>
#include <vector>

namespace armilla::app {

/// A text of the key tables without marks of Markdown: links and backquotes.
std::string plain(const std::string& text);

/// "--fwhm-arcmin" of {"fwhm_arcmin"}, "--by-window" of {"by", "window"}.
std::string option_name(const std::vector<std::string>& path);

/// What the value of a key is, in capitals: N, NUMBER, WORD, FILE, GRID ..
std::string value_word(const job::Key& key);

/// What an option for the key means, with choices and default.
std::string option_help(const job::Key& key);

}  // namespace armilla::app
