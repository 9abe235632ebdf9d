#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/text_table.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

constexpr std::array<std::string_view, 4> kRemarks{"UNIT", "SPINS", "COORDSYS", "POLCCONV"};
constexpr std::size_t kMostComments = 64;  // before the rows, as candidates for names

using Names = std::vector<std::string>;

// The most columns of a table; more are no table of this program, and would exceed the attributes of HDF5.
constexpr std::size_t kMostColumns = 4096;

Names names_in(const std::string& line) {
  std::vector<std::string_view> words;
  split_words(line, separator_of(line), words);
  Names names;
  for (std::string_view word : words) {
    // Other programs quote names.
    if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    names.emplace_back(word);
  }
  const auto is_numbered = [&](const std::string& name) {
    return name.starts_with(fmt::format("{}:", &name - names.data() + 1));
  };
  if (std::ranges::all_of(names, is_numbered))
    for (std::string& name : names) name.erase(0, name.find(':') + 1);
  return names;
}

bool has(const Names& names, const std::string& name) {
  return std::ranges::any_of(names, [&](const std::string& other) { return upper(other) == upper(name); });
}

bool has_any(const Names& names, const Names& wanted) {
  return std::ranges::any_of(wanted, [&](const std::string& name) { return has(names, name); });
}

// Whether the names are those of a known kind of table, or include the names that the caller knows.
bool are_known(const Names& names, const Names& wanted) {
  if (wanted.empty()) return has_places(names) || (!names.empty() && is_degree(names.front()));
  return std::ranges::all_of(wanted, [&](const std::string& name) { return has(names, name); });
}

}  // namespace

bool is_degree(std::string_view name) {
  const std::string text = upper(name);
  return text == "L" || text == "ELL";
}

TextReader::TextReader(const std::string& path, const TableParts& parts) : path_(path), lines_(path) {
  is_row_ = read_line();
  choose_names(parts);
  is_header_ = false;
  separator_ = separator_of(line_);
}

bool TextReader::read_line() {
  while (lines_.next(line_)) {
    const auto comment = line_.find('#');
    if (comment != std::string::npos) {
      if (is_header_ && trimmed(line_.substr(0, comment)).empty()) take_comment(trimmed(line_.substr(comment + 1)));
      line_.resize(comment);
    }
    if (line_.find_first_not_of(" \t\r\v\f") != std::string::npos) return true;
  }
  line_.clear();
  return false;
}

void TextReader::take_comment(const std::string& comment) {
  const auto colon = comment.find(':');
  const std::string key = upper(trimmed(comment.substr(0, colon)));
  if (colon != std::string::npos && std::ranges::find(kRemarks, key) != kRemarks.end()) {
    remarks_[key] = trimmed(comment.substr(colon + 1));
  } else if (!comment.empty()) {
    if (comments_.size() == kMostComments) comments_.erase(comments_.begin());
    comments_.push_back(comment);
  }
}

void TextReader::choose_names(const TableParts& parts) {
  const Names of_line = names_in(line_);
  if (of_line.size() > kMostColumns)
    throw core::InputError(fmt::format("'{}': a line has {} words, but at most {} columns are supported", path_,
                                       of_line.size(), kMostColumns));
  const bool has_number = std::ranges::any_of(of_line, [](const std::string& word) { return is_number(word); });
  const bool is_numbers = std::ranges::all_of(of_line, [](const std::string& word) { return is_number(word); });
  if (!parts.names.empty()) {
    names_ = parts.names;
    for (const std::string& comment : comments_)
      if (const Names names = names_in(comment); !parts.header.empty() && are_known(names, parts.header))
        names_ = names;
    if (!is_row_ || has_number) return;
    if (has_any(of_line, parts.header)) names_ = of_line;
    is_row_ = read_line();
    return;
  }
  Names last, known;  // names in comments with as many words as the rows
  Names other;        // names of spectra in another number
  for (const std::string& comment : comments_) {
    Names names = names_in(comment);
    if (is_row_ && names.size() != of_line.size()) {
      last.clear();
      if (is_degree(names.front())) other = names;
      continue;
    }
    if (are_known(names, parts.header)) known = names;
    last = std::move(names);
  }
  const bool may_be_names = is_row_ && !is_numbers;
  if (may_be_names && (known.empty() || are_known(of_line, parts.header))) {
    names_ = of_line;
    is_row_ = read_line();
  } else {
    names_ = !known.empty() ? known : !last.empty() ? last : other;
  }
}

const std::vector<std::string_view>* TextReader::next() {
  if (!is_row_ && !read_line()) return nullptr;
  is_row_ = false;
  split_words(line_, separator_, words_);
  if (words_.size() != names_.size())
    throw core::InputError(fmt::format(
        "'{}', line {}: {} words, but there are {} column names, {}: each line needs one value per column", path_,
        line_number(), words_.size(), names_.size(), core::excerpt(fmt::format("{}", fmt::join(names_, ", ")))));
  return &words_;
}

}  // namespace armilla::io
