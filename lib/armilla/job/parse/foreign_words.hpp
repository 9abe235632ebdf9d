#pragma once

#include <span>
#include <string>
#include <string_view>

namespace armilla::job {

/// For messages about unknown keys, steps and verbs: what Armilla has for a word of healpy or of HEALPix's programs,
/// as "'iter' of healpy is `method: {jacobi: {iterations: 3}}` here". Empty if the word is none of theirs.
std::string foreign_word(std::string_view word);

/// For messages about an unknown key, step or verb: foreign_word() of it and the known words, else did_you_mean().
std::string explain_unknown(std::string_view word, std::span<const std::string> known);

}  // namespace armilla::job
