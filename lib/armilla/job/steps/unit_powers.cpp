#include <armilla/job/steps/unit_powers.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

struct Power {
  std::string symbol;
  int exponent;
};

constexpr int kLargestExponent = 99;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for ASCII letters, and all bytes of other characters in UTF-8, independent of the locale.
bool is_symbol(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<int> take_exponent(std::string_view& text) {
  const bool is_marked = take(text, "**") || take(text, "^");
  const bool is_enclosed = is_marked && take(text, "(");
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  if (!is_marked && !has_sign && (text.empty() || !is_digit(text.front()))) return 1;
  if (take(text, "+") && (text.empty() || !is_digit(text.front()))) return std::nullopt;
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || exponent < -kLargestExponent || exponent > kLargestExponent || exponent == 0)
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (is_enclosed && !take(text, ")")) return std::nullopt;
  return exponent;
}

// Parses "m/s", "m s-1", "m.s^-1", "1/s", "m**2 s**-1" as powers of symbols; std::nullopt if the unit has another form.
std::optional<std::vector<Power>> powers_of(std::string_view unit) {
  std::vector<Power> powers;
  int sign = 1;
  if (unit.starts_with("1/")) unit.remove_prefix(1);
  while (!unit.empty()) {
    const auto length = static_cast<std::size_t>(std::ranges::find_if_not(unit, is_symbol) - unit.begin());
    if (length == 0 && !(powers.empty() && unit.starts_with('/'))) return std::nullopt;
    if (length > 0) {
      const std::string symbol(unit.substr(0, length));
      unit.remove_prefix(length);
      const auto exponent = take_exponent(unit);
      if (!exponent) return std::nullopt;
      powers.push_back({symbol, sign * *exponent});
    }
    if (unit.empty()) break;
    const std::string_view rest = unit.substr(std::min(unit.find_first_not_of(' '), unit.size()));
    if (rest.empty() || std::string_view("/.*").find(rest.front()) != std::string_view::npos) unit = rest;
    if (unit.empty()) break;
    sign = unit.front() == '/' ? -1 : 1;
    if (std::string_view("/.* ").find(unit.front()) == std::string_view::npos) return std::nullopt;
    unit.remove_prefix(1);
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    if (unit.empty()) return std::nullopt;
  }
  if (powers.empty()) return std::nullopt;
  return powers;
}

std::string text_of(const std::vector<Power>& powers) {
  std::vector<std::string> words;
  for (const Power& power : powers)
    words.push_back(power.exponent == 1 ? power.symbol : fmt::format("{}{}", power.symbol, power.exponent));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string unit_squared(const std::string& unit) {
  if (unit.empty() || unit == "1") return unit;
  auto powers = powers_of(unit);
  if (!powers) return fmt::format("({})^2", unit);
  if (powers->size() == 1 && powers->front().exponent == 1) return powers->front().symbol + "^2";
  for (Power& power : *powers) power.exponent *= 2;
  return text_of(*powers);
}

std::string unit_root(const std::string& squared) {
  constexpr std::string_view kSquare = ")^2";
  if (squared == "1") return squared;
  std::string root;
  if (squared.size() > kSquare.size() && squared.starts_with('(') && squared.ends_with(kSquare)) {
    root = squared.substr(1, squared.size() - kSquare.size() - 1);
  } else if (auto powers = powers_of(squared)) {
    for (Power& power : *powers) {
      if (power.exponent % 2 != 0) return {};
      power.exponent /= 2;
    }
    root = text_of(*powers);
  }
  return root == "muK" ? "uK" : root;
}

}  // namespace armilla::job::steps
