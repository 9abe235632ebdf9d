#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace armilla::job {

class YamlValue;

/// A job file as YAML, with overrides from the command line applied.
class Document {
 public:
  /// `overrides`: "steps.0.analysis.lmax=128", the value any YAML in flow style. A missing last key, or a missing
  /// section on the way, is added (and rejected later if unknown); a missing list item is an error. Throws InputError
  /// for text that is not YAML and for overrides with an invalid path.
  Document(const std::string& text, std::string file, std::span<const std::string> overrides);

  YamlValue root() const;
  const std::string& file() const { return file_; }
  /// The whole document as JSON text; scalars that are numbers, true or false are converted.
  std::string json() const;
  /// The whole document as JSON text, in which only numbers with the same spelling in JSON, true and false are
  /// converted; all other scalars remain strings. Used as a job file, it gives the same job.
  std::string contents() const;
  /// "job.yaml:12", or the override that set `path`.
  std::string where(const std::string& path, const YAML::Node& node) const;

 private:
  void apply(const std::string& override_text);

  std::string file_;
  YAML::Node root_;
  std::vector<std::pair<std::string, std::string>> overridden_;  ///< key path, option
};

/// One node of a document that knows its key path. Every getter throws InputError with file, line, key path, value and
/// what was expected.
class YamlValue {
 public:
  /// `section`: Place::section.
  YamlValue(const Document& document, YAML::Node node, std::string path, std::size_t section = 0)
      : document_(&document), node_(std::move(node)), path_(std::move(path)), section_(section) {}

  const std::string& path() const { return path_; }
  Place place() const { return {document_->where(path_, node_), path_, section_}; }
  bool is_scalar() const { return node_.IsScalar(); }
  bool is_list() const { return node_.IsSequence(); }
  bool is_section() const { return node_.IsMap(); }
  /// Throws "<where>: <path> = <value> <rest>".
  [[noreturn]] void fail(std::string_view rest) const;

  /// Throws "<where>: <path> <rest>", for a section as a whole.
  [[noreturn]] void complain(std::string_view rest) const;

  /// Key and value of each member of a section, in order; empty for an empty value. Duplicate keys are errors.
  std::vector<std::pair<std::string, YamlValue>> members() const;
  /// Throws for members that are not among `known`, naming the nearest.
  void expect_keys(std::span<const std::string> known) const;
  std::optional<YamlValue> find(const std::string& key) const;
  /// Throws if the section lacks `key`.
  YamlValue at(const std::string& key) const;
  std::vector<YamlValue> items() const;

  std::string text() const;
  /// The text of the member `key`, which must exist and not be empty.
  std::string text(const std::string& key) const { return at(key).text(); }
  Index whole_number(Index minimum, Index maximum) const;
  double number() const;
  bool yes_or_no() const;
  std::vector<std::string> texts() const;
  /// "NAME:VALUE" or "NAME=VALUE", the short forms of command lines, as the section {NAME: VALUE}; std::nullopt for
  /// other values.
  std::optional<YamlValue> short_section() const;
  /// Index of the text among `choices`.
  std::size_t choice(std::span<const std::string> choices) const;

 private:
  /// The value `node` of the member `key`.
  YamlValue member(const std::string& key, const YAML::Node& node) const;

  const Document* document_;
  YAML::Node node_;
  std::string path_;
  std::size_t section_;
};

}  // namespace armilla::job
