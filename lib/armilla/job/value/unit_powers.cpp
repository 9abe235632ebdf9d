#include <armilla/job/value/unit_powers.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

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

constexpr std::string_view kSquare = ")^2";

/// X of "(X)^2"; empty for other units.
std::string_view inside_square(std::string_view unit) {
  const bool is_square = unit.size() > kSquare.size() && unit.starts_with('(') && unit.ends_with(kSquare);
  return is_square ? unit.substr(1, unit.size() - kSquare.size() - 1) : std::string_view();
}

/// A unit as powers of base symbols, times 10^decade.
struct Decades {
  std::map<std::string, int> powers;
  int decade = 0;
};

/// A symbol without its prefix, and the power of ten of the prefix. Only symbols whose prefixes are unambiguous are
/// known: T is not a prefix of anything here, and "mm" stays as it is.
std::pair<std::string, int> without_prefix(const std::string& symbol) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kBases{
      {{"K", "K"}, {"K_CMB", "K"}, {"K_cmb", "K"}, {"Kcmb", "K"}, {"KCMB", "K"}, {"K_RJ", "K_RJ"}, {"Jy", "Jy"}}};
  // The micro sign, U+00B5, and the Greek letter, U+03BC.
  constexpr std::array<std::pair<std::string_view, int>, 9> kPrefixes{
      {{"", 0}, {"n", -9}, {"u", -6}, {"mu", -6}, {"\u00b5", -6}, {"\u03bc", -6}, {"m", -3}, {"k", 3}, {"M", 6}}};
  for (const auto& [spelling, base] : kBases) {
    if (!symbol.ends_with(spelling)) continue;
    const std::string_view prefix(symbol.data(), symbol.size() - spelling.size());
    for (const auto& [known, decade] : kPrefixes)
      if (prefix == known) return {std::string(base), decade};
  }
  return {symbol, 0};
}

std::optional<Decades> decades_of(std::string_view unit) {
  if (const std::string_view inner = inside_square(unit); !inner.empty()) {
    std::optional<Decades> squared = decades_of(inner);
    if (!squared) return std::nullopt;
    squared->decade *= 2;
    for (auto& [symbol, exponent] : squared->powers) exponent *= 2;
    return squared;
  }
  constexpr std::string_view kThermodynamic = "thermodynamic";  // WMAP: "mK,thermodynamic"
  if (unit.ends_with(kThermodynamic) && unit.size() > kThermodynamic.size()) {
    unit.remove_suffix(kThermodynamic.size());
    while (unit.ends_with(' ') || unit.ends_with(',')) unit.remove_suffix(1);
  }
  const auto powers = powers_of(unit);
  if (!powers) return std::nullopt;
  Decades result;
  for (const Power& power : *powers) {
    const auto [symbol, decade] = without_prefix(power.symbol);
    result.powers[symbol] += power.exponent;
    result.decade += decade * power.exponent;
  }
  std::erase_if(result.powers, [](const auto& power) { return power.second == 0; });
  return result;
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

std::string unit_product(const std::string& a, const std::string& b) {
  const auto is_number = [](const std::string& unit) { return unit.empty() || unit == "1"; };
  if (is_number(a) || is_number(b)) return is_number(b) ? a : b;
  if (a == b) return unit_squared(a);
  auto powers = powers_of(a);
  const auto others = powers_of(b);
  if (!powers || !others) return fmt::format("({}) ({})", a, b);
  for (const Power& other : *others) {
    const auto known = std::ranges::find(*powers, other.symbol, &Power::symbol);
    if (known == powers->end())
      powers->push_back(other);
    else
      known->exponent += other.exponent;
  }
  std::erase_if(*powers, [](const Power& power) { return power.exponent == 0; });
  return powers->empty() ? "1" : text_of(*powers);
}

std::optional<double> unit_factor(const std::string& from, const std::string& to) {
  if (from.empty() || to.empty()) return std::nullopt;
  if (from == to) return 1.0;
  const auto source = decades_of(from), target = decades_of(to);
  if (!source || !target || source->powers != target->powers) return std::nullopt;
  return std::pow(10.0, source->decade - target->decade);
}

}  // namespace armilla::job
