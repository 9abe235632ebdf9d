#pragma once

#include <span>
#include <string>
#include <string_view>

namespace armilla::job {

/// The known word that begins with `word`, otherwise the one with the smallest Levenshtein distance to it. Ties are
/// resolved in favour of the first. Empty if no words are known.
std::string nearest_key(std::string_view word, std::span<const std::string> known);

/// nearest_key() if the word is close enough to be a typing error: at most a third of its letters differ. Otherwise
/// empty.
std::string close_key(std::string_view word, std::span<const std::string> known);

/// For messages: "did you mean 'lmax'? Known: lmax, mmax, out".
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace armilla::job
