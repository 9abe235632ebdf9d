#include <armilla/core/error.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows steps() {
  Rows rows;
  for (const job::OperationKind& kind : job::operation_kinds())
    rows.emplace_back(kind.name, job::plain_text(kind.help) + (job::is_command(kind) ? "" : " (job files only)"));
  return rows;
}

Rows methods() {
  Rows rows;
  for (const job::steps::MethodKind& kind : job::steps::method_kinds())
    rows.emplace_back(kind.name, job::plain_text(kind.help));
  return rows;
}

Rows grids() {
  Rows rows;
  const std::vector<std::string> forms = grid::grid_forms();
  for (std::size_t i = 0; i < forms.size(); ++i) rows.emplace_back(forms[i], grid::grid_kinds()[i].help);
  rows.emplace_back("{rings: {file: FILE}}", "arbitrary rings, listed in an HDF5 file");
  rows.emplace_back("{KIND: {.., theta_deg: [A, B]}}", "part of a grid, by colatitude or by rings: [[FIRST, LAST]]");
  return rows;
}

Rows formats() {
  Rows rows;
  for (const io::FormatSummary& format : io::format_list())
    rows.emplace_back(fmt::format("{} ({})", format.name, fmt::join(format.endings, " ")), format.holds);
  rows.emplace_back("pictures (.png .svg .pdf)", "written by armilla view");
  return rows;
}

constexpr std::pair<const char*, Rows (*)()> kLists[] = {
    {"steps", steps}, {"methods", methods}, {"grids", grids}, {"formats", formats}};

}  // namespace

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const auto& [name, rows] : kLists) names.emplace_back(name);
  return names;
}

void add_list(CLI::App& app, Action& chosen) {
  auto which = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("list", "List job steps, analysis methods, grids or file formats");
  verb->add_option("what", *which, fmt::format("One of {}", fmt::join(list_names(), ", ")))->type_name("WHAT");
  verb->footer("Example: armilla list grids");
  verb->callback([which, &chosen] {
    chosen = [which] {
      const auto list = std::ranges::find_if(kLists, [&](const auto& one) { return *which == one.first; });
      if (list == std::end(kLists))
        throw core::InputError(fmt::format("list{}{}: specify one of {}", which->empty() ? "" : " ", *which,
                                           fmt::join(list_names(), ", ")));
      const Rows rows = list->second();
      std::size_t width = 0;
      for (const auto& row : rows) width = std::max(width, row.first.size());
      for (const auto& [name, help] : rows) print("{:{}}  {}\n", name, width, help);
      return core::kExitDone;
    };
  });
}

}  // namespace armilla::app
