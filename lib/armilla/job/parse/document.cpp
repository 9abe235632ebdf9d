#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/parse/refuse.hpp>

#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/depthguard.h>

namespace armilla::job {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words{""};
  for (const char c : text) {
    if (c == separator)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// `scalar_of` converts the scalars of a document.
template <class ScalarOf>
nlohmann::json json_of(const YAML::Node& node, const ScalarOf& scalar_of) {
  using nlohmann::json;
  if (node.IsMap()) {
    json section = json::object();
    for (const auto& member : node)
      section[member.first.IsScalar() ? member.first.Scalar() : ""] = json_of(member.second, scalar_of);
    return section;
  }
  if (node.IsSequence()) {
    json list = json::array();
    for (const auto& item : node) list.push_back(json_of(item, scalar_of));
    return list;
  }
  return node.IsScalar() ? scalar_of(node) : json();
}

nlohmann::json value_of(const YAML::Node& node) {
  Index whole = 0;
  double number = 0;
  bool yes = false;
  if (YAML::convert<Index>::decode(node, whole)) return whole;
  if (YAML::convert<double>::decode(node, number) && std::isfinite(number)) return number;
  if (YAML::convert<bool>::decode(node, yes)) return yes;
  return node.Scalar();
}

/// Converts scalars to strings, unless JSON has a value with the same spelling.
nlohmann::json spelling_of(const YAML::Node& node) {
  const nlohmann::json value = nlohmann::json::parse(node.Scalar(), nullptr, false);
  const bool is_value = (value.is_number() || value.is_boolean()) && value.dump() == node.Scalar();
  return is_value ? value : nlohmann::json(node.Scalar());
}

/// An index in a list; -1 if the word is not a number.
Index list_position(const std::string& word) {
  Index position = -1;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), position);
  return result.ec == std::errc() && result.ptr == word.data() + word.size() ? position : -1;
}

// Levels of sections and lists. Functions that descend the tree call themselves, so this bounds the stack.
constexpr int kDeepest = 64;

/// One override while it descends the tree.
struct Override {
  const std::string& option;
  const std::vector<std::string>& words;
  const YAML::Node& value;

  /// Sets words[depth ..] below `node`; returns the key path that was set. Nodes of yaml-cpp are references, so
  /// assigning to node[key] changes the tree.
  std::string set(YAML::Node node, std::size_t depth, const std::string& path) const {
    const std::string& word = words[depth];
    const bool last = depth + 1 == words.size();
    if (node.IsSequence()) {
      const Index position = list_position(word);
      if (position < 0 || position >= static_cast<Index>(node.size()))
        refuse_text(option, fmt::format("'{}' has items 0 .. {}, but no item '{}'", path,
                                        static_cast<Index>(node.size()) - 1, word));
      const auto item = static_cast<std::size_t>(position);
      const std::string item_path = fmt::format("{}[{}]", path, position);
      if (!last) return set(node[item], depth + 1, item_path);
      node[item] = value;
      return item_path;
    }
    if (node.IsScalar())
      refuse_text(option, fmt::format("'{}' is '{}' and has no key '{}': set the value as a whole", path,
                                      core::excerpt(node.Scalar()), core::excerpt(word)));
    const std::string member = path.empty() ? word : path + "." + word;
    if (last) {
      node[word] = value;
      return member;
    }
    if (!node[word]) node[word] = YAML::Node(YAML::NodeType::Map);
    return set(node[word], depth + 1, member);
  }
};

// The line with 0-based index `line`.
std::string line_of(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string found;
  for (int i = 0; i <= line; ++i)
    if (!std::getline(lines, found)) return {};
  return found;
}

[[noreturn]] void refuse_depth(const std::string& file) {
  refuse_text(file, fmt::format("sections are nested more than {} levels deep, or are repeated too often by aliases: "
                                "write the values in full",
                                kDeepest));
}

/// Throws InputError if aliases expand to an infinite tree, or to one far larger than its text.
void check_size(const YAML::Node& node, const std::string& file, int depth, Index& nodes) {
  constexpr Index kMostNodes = 10'000'000;
  if (depth > kDeepest || ++nodes > kMostNodes) refuse_depth(file);
  if (node.IsMap())
    for (const auto& member : node) check_size(member.second, file, depth + 1, nodes);
  if (node.IsSequence())
    for (const auto& item : node) check_size(item, file, depth + 1, nodes);
}

}  // namespace

Document::Document(const std::string& text, std::string file, std::span<const std::string> overrides)
    : file_(std::move(file)) {
  try {
    root_ = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    if (dynamic_cast<const YAML::DeepRecursion*>(&error) != nullptr) refuse_depth(file_);
    const std::string line = line_of(text, error.mark.line);
    const std::string where = fmt::format("{}:{}", file_, error.mark.line + 1);
    if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string::npos)
      refuse_text(where, "not YAML: the line is indented with a tab: use spaces only");
    bool braces = false;
    for (const char* mark : {"..", "{}", "{:", "${"}) braces = braces || text.find(mark) != std::string::npos;
    refuse_text(where,
                fmt::format("not YAML: {}{}", error.msg,
                            braces ? "; names with braces need quotes: {map: \"sims/map_{000..999}.fits\"}" : ""));
  }
  if (!root_.IsDefined() || root_.IsNull())
    refuse_text(file_, "the file is empty: expected a job with the keys version, inputs, steps, outputs and execution");
  if (!root_.IsMap())
    refuse_text(file_,
                "not a job: expected a YAML section with the keys version, inputs, steps, outputs and execution");
  for (const auto& option : overrides) apply(option);
  Index nodes = 0;
  check_size(root_, file_, 0, nodes);
}

void Document::apply(const std::string& override_text) {
  const std::string option = "--set " + core::excerpt(override_text);
  const auto equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse_text(option, "expected KEY.PATH=VALUE, for example steps.0.analysis.lmax=128");
  YAML::Node value;
  try {
    value = YAML::Load(override_text.substr(equals + 1));
  } catch (const YAML::Exception& error) {
    if (dynamic_cast<const YAML::DeepRecursion*>(&error) != nullptr) refuse_depth(option);
    refuse_text(option, fmt::format("the value is not YAML: {}", error.msg));
  }
  const auto words = split(override_text.substr(0, equals), '.');
  if (words.size() > kDeepest)
    refuse_text(option, fmt::format("the key has {} levels, but at most {} are supported: use a key of the job, for "
                                    "example steps.0.analysis.lmax",
                                    words.size(), kDeepest));
  overridden_.emplace_back(Override{option, words, value}.set(root_, 0, ""), option);
}

std::string Document::json() const { return json_text(json_of(root_, value_of)); }

std::string Document::contents() const { return json_text(json_of(root_, spelling_of)); }

YamlValue Document::root() const { return {*this, root_, ""}; }

std::string Document::where(const std::string& path, const YAML::Node& node) const {
  for (const auto& [key_path, option] : overridden_)
    if (path.starts_with(key_path) &&
        (path.size() == key_path.size() || path[key_path.size()] == '.' || path[key_path.size()] == '['))
      return option;
  if (node.Mark().is_null()) return file_;
  return fmt::format("{}:{}", file_, node.Mark().line + 1);
}

void YamlValue::fail(std::string_view rest) const {
  core::ErrorContext context = error_at(place(), {}, std::string(rest), core::ErrorContext::Form::kPredicate);
  if (node_.IsScalar()) context.value = core::excerpt(node_.Scalar());
  if (node_.IsNull()) context.text.insert(0, "(empty) ");
  if (node_.IsMap()) context.text.insert(0, "(a section) ");
  if (node_.IsSequence()) context.text.insert(0, "(a list) ");
  throw core::InputError(std::move(context));
}

void YamlValue::complain(std::string_view rest) const {
  job::complain(place(), {}, std::string(rest), core::ErrorContext::Form::kPredicate);
}

std::optional<YamlValue> YamlValue::short_section() const {
  if (!node_.IsScalar()) return std::nullopt;
  const std::string& text = node_.Scalar();
  const std::size_t mark = text.find_first_of(":=");
  if (mark == 0 || mark == std::string::npos || mark + 1 == text.size()) return std::nullopt;
  YAML::Node section(YAML::NodeType::Map);
  section[text.substr(0, mark)] = text.substr(mark + 1);
  return YamlValue(*document_, section, path_, section_);
}

YamlValue YamlValue::member(const std::string& key, const YAML::Node& node) const {
  const std::string path = path_.empty() ? key : path_ + "." + key;
  const bool is_section =
      path == "execution" || path_ == "inputs" || path_ == "outputs" || (section_ == 0 && path_.starts_with("steps["));
  return {*document_, node, path, section_ == 0 && is_section ? path.size() : section_};
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::members() const {
  if (node_.IsNull()) return {};
  if (!node_.IsMap()) fail("is not a section: expected 'key: value' lines or {key: value}");
  std::vector<std::pair<std::string, YamlValue>> result;
  std::set<std::string> earlier;
  for (const auto& member : node_) {
    if (!member.first.IsScalar()) fail("has a key that is not a plain word");
    const std::string key = member.first.Scalar();
    result.emplace_back(key, this->member(key, member.second));
    if (earlier.insert(key).second) continue;
    Place second = result.back().second.place();
    second.where = fmt::format("{}:{}", document_->file(), member.first.Mark().line + 1);
    job::complain(second, {}, "appears twice: remove or rename one", core::ErrorContext::Form::kPredicate);
  }
  return result;
}

void YamlValue::expect_keys(std::span<const std::string> known) const {
  for (const auto& [key, value] : members()) {
    bool found = false;
    for (const auto& name : known) found = found || name == key;
    if (!found)
      job::complain({value.place().where, path_, section_}, {},
                    fmt::format("unknown key '{}': {}", core::excerpt(key), explain_unknown(key, known)));
  }
}

std::optional<YamlValue> YamlValue::find(const std::string& key) const {
  for (auto& [name, value] : members())
    if (name == key) return value;
  return std::nullopt;
}

YamlValue YamlValue::at(const std::string& key) const {
  if (auto value = find(key)) return *value;
  complain(fmt::format("lacks the key '{}'", key));
}

std::vector<YamlValue> YamlValue::items() const {
  if (!node_.IsSequence()) fail("is not a list: expected '- item' lines or [item, item]");
  std::vector<YamlValue> result;
  for (std::size_t i = 0; i < node_.size(); ++i)
    result.emplace_back(*document_, node_[i], fmt::format("{}[{}]", path_, i), section_);
  return result;
}

std::string YamlValue::text() const {
  if (!node_.IsScalar()) fail("is not a string: expected a name or a path");
  if (node_.Scalar().empty()) complain("is an empty string: expected a name or a path");
  return node_.Scalar();
}

Index YamlValue::whole_number(Index minimum, Index maximum) const {
  const auto refuse = [&]() {
    fail(fmt::format("is not an integer in {} .. {}: expected digits only", minimum, maximum));
  };
  if (!node_.IsScalar()) refuse();
  const std::string& digits = node_.Scalar();
  Index value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) refuse();
  if (value < minimum || value > maximum) refuse();
  return value;
}

double YamlValue::number() const {
  double value = 0;
  if (!node_.IsScalar() || !YAML::convert<double>::decode(node_, value)) fail("is not a number");
  return value;
}

bool YamlValue::yes_or_no() const {
  bool value = false;
  if (!node_.IsScalar() || !YAML::convert<bool>::decode(node_, value)) fail("is neither true nor false");
  return value;
}

std::vector<std::string> YamlValue::texts() const {
  std::vector<std::string> result;
  for (const auto& item : items()) result.push_back(item.text());
  if (result.empty()) fail("is empty: expected a list of names");
  return result;
}

std::size_t YamlValue::choice(std::span<const std::string> choices) const {
  if (node_.IsScalar())
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (choices[i] == node_.Scalar()) return i;
  fail(fmt::format("is not valid: expected one of {}", fmt::join(choices, ", ")));
}

}  // namespace armilla::job
