#include <armilla/core/text.hpp>

#include <algorithm>
#include <cstdint>

namespace armilla::core {

namespace {

constexpr std::size_t kMaxBytes = 200;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

/// A character of UTF-8: its code point and number of bytes; 0 bytes if the text does not begin with a valid one.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  // Longer forms of shorter codes, surrogates, and codes beyond Unicode are not valid.
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(next.bytes, 1));
    const bool is_safe =
        next.bytes > 0 && (!is_control(next.code) || kept.find(text.front()) != std::string_view::npos);
    result += is_safe ? bytes : std::string_view("?");
    text.remove_prefix(bytes.size());
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return without_controls(text, ""); }

std::string printable_lines(std::string_view text) { return without_controls(text, "\n\t"); }

std::string excerpt(std::string_view text) {
  std::size_t end = std::min(text.size(), kMaxBytes);
  while (end < text.size() && end > 0 && is_continuation(text[end])) --end;
  const std::string result = printable(text.substr(0, end));
  return end < text.size() ? result + "..." : result;
}

}  // namespace armilla::core
