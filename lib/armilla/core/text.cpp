#include <armilla/core/text.hpp>

#include <algorithm>

namespace armilla::core {

namespace {

constexpr std::size_t kMaxBytes = 200;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

}  // namespace

std::string excerpt(std::string_view text) {
  std::size_t end = std::min(text.size(), kMaxBytes);
  while (end < text.size() && end > 0 && is_continuation(text[end])) --end;
  std::string result(text.substr(0, end));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return end < text.size() ? result + "..." : result;
}

}  // namespace armilla::core
