#pragma once

#include <armilla/io/stated_header.hpp>

#include <functional>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Adds the options with which a verb states what the header of a map lacks or has wrong: --hdu, --nside,
/// --input-ordering, --polcconv, --coordsys and --bad-value, as one-line commands of steps have them.
void add_header_options(CLI::App& verb, io::StatedHeader& header);

/// Returns the result of call(). An InputError about such a property names its option.
int with_header_words(const std::function<int()>& call);

}  // namespace armilla::app
