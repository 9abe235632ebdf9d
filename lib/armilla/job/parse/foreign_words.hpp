#pragma once

#include <span>
#include <string>
#include <string_view>

namespace armilla::job {

/// Where a word stands: a key or step of a job, or a verb or option of the command line.
enum class WordPlace { kJob, kCommand };

/// For messages about unknown keys, steps and verbs: what Armilla has for a word of healpy or of the programs of
/// HEALPix, as "'iter' of healpy is `method: {jacobi: {iterations: 3}}` here". Empty if the word is none of theirs.
std::string foreign_word(std::string_view word, WordPlace place = WordPlace::kJob);

/// For messages about an unknown key, step or verb: foreign_word() of it and the known words, else did_you_mean().
std::string explain_unknown(std::string_view word, std::span<const std::string> known,
                            WordPlace place = WordPlace::kJob);

}  // namespace armilla::job
