#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/job/parse/packed_texts.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/output_file.hpp>
#include <armilla/job/value/patterns.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <glob.h>

namespace armilla::job {

namespace fs = std::filesystem;

namespace {

constexpr Index kMaxItems = 10'000'000;
constexpr std::size_t kMostDigits = 18;  // of a number in a name
constexpr const char* kWildcards = "*?[";

/// `{0000..0999}` within a name.
struct NumberRange {
  std::size_t begin, end;  // positions of the braces
  Index first, last;
  std::size_t width;
};

std::optional<Index> number_of(const std::string& digits) {
  Index number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || digits[0] == '-' || error != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

std::optional<NumberRange> find_range(const std::string& file, std::size_t from = 0) {
  for (std::size_t begin = file.find('{', from); begin != std::string::npos; begin = file.find('{', begin + 1)) {
    const std::size_t end = file.find('}', begin);
    const std::size_t dots = file.find("..", begin);
    if (end == std::string::npos || dots == std::string::npos) return std::nullopt;
    if (dots > end) continue;
    const std::string first = file.substr(begin + 1, dots - begin - 1);
    const auto a = number_of(first);
    const auto b = number_of(file.substr(dots + 2, end - dots - 2));
    if (a && b) return NumberRange{begin, end + 1, *a, *b, first.size()};
  }
  return std::nullopt;
}

/// `%04d` or `%d` within a name, as of printf. Where a letter or digit follows, as in "5%done", it is text.
struct PrintfNumber {
  std::size_t begin, end;
  Index width;  ///< with leading zeros; 1 for `%d`
};

std::optional<PrintfNumber> find_printf(const std::string& file, std::size_t from = 0) {
  constexpr const char* kDigits = "0123456789";
  for (std::size_t begin = file.find('%', from); begin != std::string::npos; begin = file.find('%', begin + 1)) {
    const std::size_t end = std::min(file.find_first_not_of(kDigits, begin + 1), file.size());
    const std::string digits = file.substr(begin + 1, end - begin - 1);
    if (end == file.size() || file[end] != 'd') continue;
    if (end + 1 < file.size() && std::isalnum(static_cast<unsigned char>(file[end + 1])) != 0) continue;
    if (digits.empty()) return PrintfNumber{begin, end + 1, 1};
    const std::optional<Index> width = number_of(digits);
    if (digits[0] == '0' && width && *width >= 1 && *width <= Index{kMostDigits})
      return PrintfNumber{begin, end + 1, *width};
  }
  return std::nullopt;
}

/// `{}` or `{:04}` within the name of an output, or `%d` or `%04d`.
struct Placeholder {
  std::size_t begin, end;       // positions of the braces
  std::optional<Index> digits;  // of `{:04}`
};

std::optional<Placeholder> find_placeholder(const std::string& file, std::size_t from) {
  const std::optional<PrintfNumber> number = find_printf(file, from);
  for (std::size_t begin = file.find('{', from); begin != std::string::npos; begin = file.find('{', begin + 1)) {
    if (number && number->begin < begin) break;
    if (file.compare(begin, 2, "{}") == 0) return Placeholder{begin, begin + 2, std::nullopt};
    if (file.compare(begin, 2, "{:") != 0) continue;
    const std::size_t end = file.find('}', begin);
    const std::string width = end == std::string::npos ? "" : file.substr(begin + 2, end - begin - 2);
    const std::optional<Index> digits = number_of(width);
    if (!digits || width[0] != '0' || *digits < 1 || *digits > Index{kMostDigits})
      throw core::InputError(fmt::format(
          "has the invalid placeholder '{}': expected '{{}}', or '{{:04}}' for numbers of 4 digits (at most {})",
          core::excerpt(file.substr(begin, end - begin + 1)), kMostDigits));
    return Placeholder{begin, end + 1, digits};
  }
  if (number) return Placeholder{number->begin, number->end, number->width};
  return std::nullopt;
}

InputItems expand_range(const std::string& pattern, const NumberRange& range) {
  if (find_range(pattern, range.end))
    throw core::InputError(fmt::format("'{}' has two number ranges: use only one", pattern));
  if (range.last < range.first)
    throw core::InputError(
        fmt::format("'{}' has a descending range: write {{{}..{}}}", pattern, range.last, range.first));
  if (range.last - range.first >= kMaxItems)
    throw core::InputError(fmt::format("'{}' expands to too many files: at most {} are supported", pattern, kMaxItems));
  if (range.width > kMostDigits)
    throw core::InputError(fmt::format("'{}' has numbers of {} digits, but at most {} are supported",
                                       core::excerpt(pattern), range.width, kMostDigits));
  InputItems items;
  for (Index number = range.first; number <= range.last; ++number) {
    items.labels.push_back(fmt::format("{:0{}}", number, range.width));
    items.files.push_back(pattern.substr(0, range.begin) + items.labels.back() + pattern.substr(range.end));
  }
  return items;
}

InputItems expand_wildcards(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  InputItems items;
  for (std::size_t i = 0; i < found.gl_pathc; ++i) items.files.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (status != 0 && status != GLOB_NOMATCH)
    throw core::InputError(fmt::format("cannot read the folder of '{}': check its permissions", pattern));
  if (items.files.empty())
    throw core::InputError(fmt::format("'{}' matches no file: correct the pattern or the folder", pattern));
  std::ranges::sort(items.files);
  const std::size_t before = pattern.find_first_of(kWildcards);
  std::size_t last = pattern.find_last_of("*?]");
  if (last == std::string::npos) last = before;
  const std::size_t after = pattern.size() - last - 1;
  for (const std::string& file : items.files) {
    std::string label = file.substr(before, file.size() - after - before);
    std::ranges::replace(label, '/', '_');
    items.labels.push_back(std::move(label));
  }
  if (std::set<std::string>(items.labels.begin(), items.labels.end()).size() != items.labels.size())
    throw core::InputError(fmt::format(
        "'{}' is ambiguous: its wildcards match the same text in several files: use a more specific pattern", pattern));
  return items;
}

/// The existing files with a number in place of `%04d`, in ascending order.
InputItems expand_printf(const std::string& pattern, const PrintfNumber& number) {
  const std::string before = pattern.substr(0, number.begin), after = pattern.substr(number.end);
  if (find_printf(after) || pattern.find_first_of(kWildcards) != std::string::npos || find_range(pattern))
    throw core::InputError(fmt::format("'{}' has several numbers or wildcards: use only one of them", pattern));
  std::error_code error;
  const fs::path folder = fs::path(before).has_parent_path() ? fs::path(before).parent_path() : fs::path(".");
  std::vector<std::pair<Index, std::string>> found;
  if (after.find('/') != std::string::npos)
    throw core::InputError(fmt::format("'{}' has its number in the name of a folder: use wildcards instead", pattern));
  const std::string start = fs::path(before).filename().string();
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(after) || name.size() < start.size() + after.size()) continue;
    const std::string digits = name.substr(start.size(), name.size() - start.size() - after.size());
    const std::optional<Index> value = number_of(digits);
    if (value && digits == fmt::format("{:0{}}", *value, number.width)) found.emplace_back(*value, digits);
  }
  if (error) throw core::InputError(fmt::format("cannot read the folder of '{}': check its permissions", pattern));
  if (found.empty())
    throw core::InputError(fmt::format("'{}' matches no file: correct the pattern or the folder", pattern));
  std::ranges::sort(found);
  InputItems items;
  for (const auto& [value, digits] : found) {
    items.labels.push_back(digits);
    items.files.push_back(before + digits + after);
  }
  return items;
}

std::string in_brackets(const std::string& file) { return file.empty() ? "" : fmt::format(" ({})", file); }

/// The maps of a list whose first entry is a pattern: the files of each entry, [map][entry].
InputItems expand_entries(const std::vector<std::string>& entries) {
  InputItems items = expand_pattern(entries.front());
  if (entries.size() == 1) return items;
  std::vector<std::vector<std::string>> files{std::move(items.files)};
  for (auto entry = entries.begin() + 1; entry != entries.end(); ++entry) {
    if (is_pattern(*entry)) files.push_back(expand_pattern(*entry).files);
    const std::size_t count = is_pattern(*entry) ? files.back().size() : 1;
    if (count != files.front().size() || !is_pattern(*entry))
      throw core::InputError(fmt::format(
          "'{}' is {} file{}, but '{}' matches {}: the entries of a list are components of the same maps, so "
          "each must match equally many files",
          *entry, count, count == 1 ? "" : "s", entries.front(), files.front().size()));
  }
  items.files.clear();
  for (std::size_t map = 0; map < files.front().size(); ++map)
    for (const auto& of_entry : files) items.files.push_back(of_entry[map]);
  return items;
}

/// Numbers as labels of maps.
InputItems numbered(Index maps) {
  InputItems items;
  for (Index map = 0; map < maps; ++map) items.labels.push_back(fmt::format("{}", map));
  return items;
}

InputItems items_of(const InputSpec& input, const Sources& sources) {
  if (const auto given = sources.find(input.name); given != sources.end()) {
    const auto& dimensions = given->second->described().dimensions;
    return dimensions.empty() ? InputItems() : InputItems{.labels = dimensions.front().labels};
  }
  if (input.is_of_step || !is_pattern(input.file)) {
    for (const std::string& entry : input.more_files)
      if (is_pattern(entry))
        refuse(input.place, sort_name(input.sort), entry,
               fmt::format("is a pattern, but '{}' in the same list is a single file: the entries of a list are "
                           "components of the same maps, so each must match equally many files",
                           input.file));
    std::error_code error;
    const bool is_expected = input.expect && input.expect->maps && !fs::exists(input.file, error);
    if (is_expected && !can_have_batch_axis(input.file))
      refuse(input.place, "expect.maps", fmt::format("{}", *input.expect->maps),
             fmt::format("needs HDF5, because '{}' cannot have a batch axis: use a pattern", input.file));
    return numbered(is_expected ? *input.expect->maps : maps_in_file(input));
  }
  if (input.expect && input.expect->maps)
    refuse(input.place, "expect.maps", fmt::format("{}", *input.expect->maps),
           "is the number of a batch axis, but the files of a pattern have one map each: remove it");
  if (input.sort == ValueSort::kPoints)
    refuse(input.place, "points", input.file,
           "is a pattern, but points are a single file for all maps: use one file, or an input 'values' at the same "
           "points");
  try {
    return expand_entries(input.entries());
  } catch (const core::InputError& error) {
    complain(input.place, sort_name(input.sort), marked_text(error));
  }
}

/// Throws InputError for a key that could mean a value or a file.
void check_references(const JobSpec& spec) {
  for (const Reference& named : spec.references) {
    std::error_code error;
    if (named.path.empty() || !fs::is_regular_file(named.path, error)) continue;
    refuse(named.place, {}, named.text,
           fmt::format("is the name of a value, and of a file: rename the value, or write './{}' for the file",
                       named.text));
  }
}

}  // namespace

bool is_pattern(const std::string& file) {
  if (file.find_first_of(kWildcards) == std::string::npos && !find_range(file) && !find_printf(file)) return false;
  std::error_code error;
  return !fs::exists(file, error);
}

InputItems expand_pattern(const std::string& pattern) {
  if (const auto range = find_range(pattern)) {
    if (pattern.find_first_of(kWildcards) != std::string::npos)
      throw core::InputError(fmt::format("'{}' has both a number range and wildcards: use only one of them", pattern));
    return expand_range(pattern, *range);
  }
  if (const auto number = find_printf(pattern)) return expand_printf(pattern, *number);
  return expand_wildcards(pattern);
}

bool has_placeholder(const std::string& file) { return find_placeholder(file, 0).has_value(); }

Index label_digits(const std::vector<std::string>& labels) {
  std::size_t longest = 0;
  std::optional<Index> before;
  for (const std::string& label : labels) {
    const std::optional<Index> number = number_of(label);
    if (!number || (before && *number <= *before)) return 0;
    before = number;
    longest = std::max(longest, label.size());
  }
  return static_cast<Index>(longest);
}

std::string with_label(const std::string& file, const std::string& label, Index digits) {
  std::string result;
  std::size_t begin = 0;
  while (const auto found = find_placeholder(file, begin)) {
    result += file.substr(begin, found->begin - begin);
    const std::optional<Index> number = number_of(label);
    if (found->digits && !number)
      throw core::InputError(
          fmt::format("requires a number of {} digits, but a map is called '{}': write '{{}}', which accepts any name",
                      *found->digits, core::excerpt(label)));
    const Index width = found->digits.value_or(digits);
    result += width > 0 && number ? fmt::format("{:0{}}", *number, width) : label;
    begin = found->end;
  }
  return result + file.substr(begin);
}

void expand_inputs(const comm::Communicator& comm, JobSpec& spec, const Sources& sources) {
  // Only the root accesses folders, to avoid access by thousands of ranks.
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    check_references(spec);
    const InputSpec* first = nullptr;
    for (InputSpec& input : spec.inputs) {
      input.items = items_of(input, sources);
      if (input.items.empty()) continue;
      if (first != nullptr && first->items.labels.size() != input.items.labels.size())
        complain(
            input.place, {},
            fmt::format("has {} map{}{}, but {} has {}{}: maps are paired in order, so use equal numbers of maps",
                        input.items.labels.size(), input.items.labels.size() == 1 ? "" : "s", in_brackets(input.file),
                        mention(first->place), first->items.labels.size(), in_brackets(first->file)),
            core::ErrorContext::Form::kPredicate);
      if (first == nullptr) first = &input;
    }
  });
  for (InputSpec& input : spec.inputs) {
    input.items.files = unpacked(comm.broadcast(packed(input.items.files)));
    input.items.labels = unpacked(comm.broadcast(packed(input.items.labels)));
  }
}

std::vector<std::string> item_labels(const JobSpec& spec) {
  for (const InputSpec& input : spec.inputs)
    if (!input.items.files.empty()) return input.items.labels;
  for (const InputSpec& input : spec.inputs)
    if (!input.items.empty()) return input.items.labels;
  return {};
}

}  // namespace armilla::job
