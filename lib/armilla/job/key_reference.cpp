#include <armilla/job/key_reference.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace armilla::job {

namespace {

constexpr const char* kHead = R"(# Keys of a job

All keys of the [job language](job_reference.md), with their types and defaults. This page is
generated from the tables that parse jobs; the test `unit.job` compares the two.

A key without a default is optional. *Name of a map* (*an alm*, *spectra*) is a name defined in the
job: an input, its `good_pixels`, or the result of an earlier step (`out`, and `b_map`, `template`,
`alm` of `leakage`).
)";

std::string row(const Key& key, const std::string& prefix) {
  const std::string fallback = key.is_required ? "required" : key.requirement.empty() ? key.fallback : key.requirement;
  std::string text = fmt::format("| `{}{}` | {} | {} | {} |\n", prefix, key.name, type_text(key), fallback, key.help);
  for (const Key& member : key.members) text += row(member, prefix + key.name + ".");
  return text;
}

std::string table(const std::vector<Key>& keys) {
  if (keys.empty()) return "No keys.\n";
  std::string text = "| key | type | default | meaning |\n|---|---|---|---|\n";
  for (const Key& key : keys) text += row(key, "");
  return text;
}

// Lines of at most 100 columns, wrapped at blanks.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kColumns = 100;
  std::string lines;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t size = end - begin;
    if (column > 0) {
      const bool fits = column + 1 + size <= kColumns;
      lines += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    lines.append(text, begin, size);
    column += size;
    begin = end + 1;
  }
  return lines;
}

std::string section(int level, const std::string& title, const std::string& help, const std::vector<Key>& keys) {
  return fmt::format("\n{} {}\n\n{}{}", std::string(static_cast<std::size_t>(level), '#'), title,
                     help.empty() ? "" : wrapped(help + ".") + "\n\n", table(keys));
}

}  // namespace

std::string key_reference() {
  std::string text = kHead;
  text += section(2, "inputs", "Each input has a name and these keys", input_keys());
  text += section(3, "convention",
                  "The convention of an input or output ([conventions](job_reference.md#conventions-of-coefficients)). "
                  "The defaults apply if neither the input file nor the job specifies a value; if both do, they must "
                  "agree",
                  convention_keys());
  text += "\n## steps\n\nThe steps are a list with items of the form `- operation: {keys}`.\n";
  for (const OperationKind& kind : operation_kinds()) text += section(3, kind.name, kind.help, kind.keys);
  text +=
      "\n### Methods of analysis\n\nThe value of `method` is one of these names, or a section that contains one of "
      "them and its keys,\nsuch as `{jacobi: {iterations: 3}}`. The short form `{jacobi: 3}` sets the first key. For "
      "details see\n[methods of analysis](job_reference.md#methods-of-analysis).\n";
  for (const steps::MethodKind& kind : steps::method_kinds()) text += section(4, kind.name, kind.help, kind.keys);
  text +=
      section(2, "outputs", "Each output is the name of a map, alm, spectra or other value of the job, with these keys",
              output_keys());
  text += section(2, "execution", "", execution_keys());
  return text;
}

}  // namespace armilla::job
