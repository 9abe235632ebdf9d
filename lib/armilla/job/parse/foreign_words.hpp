#pragma once

#include <span>
#include <string>
#include <string_view>

namespace armilla::job {

/// Context of a word: a key or step of a job, or a verb or option of the command line.
enum class WordPlace { kJob, kCommand };

/// For messages about unknown keys, steps and verbs: the Armilla equivalent of a word from healpy, HEALPix,
/// SHTOOLS, NaMaster and other programs, in any case, as "this is a healpy name; the equivalent in Armilla is `method:
/// {jacobi: {iterations: 3}}`". Empty for other words.
std::string foreign_word(std::string_view word, WordPlace place = WordPlace::kJob);

/// For help: foreign_word() for the command line, and the equivalent in a job file. Empty for other words.
std::string explain_foreign(std::string_view word);

/// For messages about an unknown key, step or verb: foreign_word() and the known words, otherwise did_you_mean().
std::string explain_unknown(std::string_view word, std::span<const std::string> known,
                            WordPlace place = WordPlace::kJob);

}  // namespace armilla::job
