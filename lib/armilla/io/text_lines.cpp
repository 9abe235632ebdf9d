#include <armilla/core/error.hpp>
#include <armilla/io/text_lines.hpp>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr std::size_t kBuffer = std::size_t{64} << 10;
constexpr std::size_t kMaxLine = std::size_t{16} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // of UTF-8

}  // namespace

TextLines::TextLines(const std::string& path) : file_(path), buffer_(kBuffer) {}

bool TextLines::fill() {
  begin_ = 0;
  end_ = static_cast<std::size_t>(file_.read_some(position_, buffer_));
  position_ += static_cast<Index>(end_);
  return end_ > 0;
}

bool TextLines::next(std::string& line) {
  line.clear();
  if (begin_ == end_ && !fill()) return false;
  ++number_;
  for (bool ended = false; !ended && (begin_ < end_ || fill());) {
    const char* const first = buffer_.data() + begin_;
    const char* const last = buffer_.data() + end_;
    const char* const stop = std::find(first, last, '\n');
    line.append(first, stop);
    ended = stop != last;
    begin_ += static_cast<std::size_t>(stop - first) + (ended ? 1 : 0);
    if (line.size() > kMaxLine)
      throw core::InputError(
          fmt::format("'{}', line {}: more than {} bytes: it is not a table of text", file_.path(), number_, kMaxLine));
  }
  if (line.ends_with('\r')) line.pop_back();
  if (number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

}  // namespace armilla::io
