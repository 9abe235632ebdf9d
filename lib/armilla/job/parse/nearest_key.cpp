#include <armilla/job/parse/nearest_key.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace armilla::job {

namespace {

std::size_t levenshtein(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

/// A word that is a prefix of a known word is the nearest.
std::size_t distance(std::string_view word, std::string_view known) {
  return word.size() >= 3 && known.starts_with(word) ? 0 : levenshtein(word, known);
}

}  // namespace

std::string nearest_key(std::string_view word, std::span<const std::string> known) {
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
    return distance(word, a) < distance(word, b);
  });
  return nearest == known.end() ? std::string() : *nearest;
}

std::string close_key(std::string_view word, std::span<const std::string> known) {
  const std::string nearest = nearest_key(word, known);
  return 3 * distance(word, nearest) <= word.size() ? nearest : std::string();
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return "no keys are expected here";
  return fmt::format("did you mean '{}'? Known: {}", nearest_key(word, known), fmt::join(known, ", "));
}

}  // namespace armilla::job
