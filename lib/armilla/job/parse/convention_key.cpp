#include <armilla/job/parse/convention_key.hpp>
#include <armilla/job/parse/sections.hpp>

#include <string>
#include <vector>

namespace armilla::job {

namespace {

template <class Names>
std::vector<std::string> words(const Names& names) {
  return {names.begin(), names.end()};
}

}  // namespace

Keys<ConventionSpec> keys_of_convention() {
  using K = KeyMakers<ConventionSpec>;
  return {
      K::choice("norm", &ConventionSpec::norm, words(alm::kNormNames), "norm of the harmonics").fallback("orthonormal"),
      K::choice("phase", &ConventionSpec::phase, words(alm::kPhaseNames), "whether Y_lm includes the factor (-1)^m")
          .fallback("condon-shortley"),
      K::choice("basis", &ConventionSpec::basis, words(alm::kBasisNames), "a_lm, or C_lm and S_lm")
          .fallback("complex")};
}

std::vector<Key> convention_keys() { return described(keys_of_convention()); }

}  // namespace armilla::job
