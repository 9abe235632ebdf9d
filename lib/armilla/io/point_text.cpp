#include <armilla/core/error.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/point_text.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr std::array<std::string_view, 4> kRemarks{"UNIT", "SPINS", "COORDSYS", "POLCCONV"};

std::vector<std::string> names_in(const std::string& line) {
  std::vector<std::string_view> words;
  split_words(line, separator_of(line), words);
  std::vector<std::string> names;
  for (std::string_view word : words) {
    // Other programs quote names.
    if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    names.emplace_back(word);
  }
  return names;
}

bool holds(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return has_places(names);
  return std::ranges::all_of(wanted, [&](const std::string& name) {
    return std::ranges::any_of(names, [&](const std::string& other) { return upper(other) == upper(name); });
  });
}

}  // namespace

PointText::PointText(const std::string& path, const std::vector<std::string>& wanted) : path_(path), lines_(path) {
  is_row_ = read_line();
  choose_names(wanted);
  separator_ = separator_of(line_);
}

bool PointText::read_line() {
  while (lines_.next(line_)) {
    const auto comment = line_.find('#');
    if (comment != std::string::npos) {
      if (trimmed(line_.substr(0, comment)).empty() && names_.empty()) take_comment(trimmed(line_.substr(comment + 1)));
      line_.resize(comment);
    }
    if (line_.find_first_not_of(" \t\r\v\f") != std::string::npos) return true;
  }
  line_.clear();
  return false;
}

void PointText::take_comment(const std::string& comment) {
  const auto colon = comment.find(':');
  const std::string key = upper(trimmed(comment.substr(0, colon)));
  if (colon != std::string::npos && std::ranges::find(kRemarks, key) != kRemarks.end())
    remarks_[key] = trimmed(comment.substr(colon + 1));
  else if (!comment.empty())
    comment_ = comment;
}

void PointText::choose_names(const std::vector<std::string>& wanted) {
  const std::vector<std::string> of_line = names_in(line_), of_comment = names_in(comment_);
  const bool is_numbers = std::ranges::all_of(of_line, [](const std::string& word) { return is_number(word); });
  const bool comment_fits = is_row_ ? of_comment.size() == of_line.size() : !of_comment.empty();
  const bool line_names = is_row_ && !is_numbers;
  if (line_names && (holds(of_line, wanted) || !(comment_fits && holds(of_comment, wanted)))) {
    names_ = of_line;
    is_row_ = read_line();
  } else if (comment_fits) {
    names_ = of_comment;
  }
}

const std::vector<std::string_view>* PointText::next() {
  if (!is_row_ && !read_line()) return nullptr;
  is_row_ = false;
  split_words(line_, separator_, words_);
  if (words_.size() != names_.size())
    throw core::InputError(fmt::format("'{}', line {}: {} words, but there are {} column names: {}", path_,
                                       line_number(), words_.size(), names_.size(),
                                       names_.empty()
                                           ? "put a line of column names before the numbers, such as 'theta,phi,T'"
                                           : "each line needs one value per column"));
  return &words_;
}

}  // namespace armilla::io
