#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/plan/output_folders.hpp>
#include <armilla/job/plan/output_locks.hpp>

#include <ranges>
#include <set>
#include <system_error>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;

namespace {

bool is_inside(const fs::path& folder, const fs::path& top) {
  const fs::path inside = folder.lexically_relative(top);
  return !inside.empty() && *inside.begin() != "..";
}

fs::path top_of(const JobPlan& plan) { return fs::path(plan.spec.output_dir).lexically_normal(); }

}  // namespace

OutputFolders::OutputFolders(const JobPlan& plan) : OutputFolders() {
  if (plan.spec.output_dir.empty()) return;
  const fs::path top = top_of(plan);
  make(top);
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i)) {
      const fs::path folder = core::folder_of(file);
      if (is_inside(folder, top)) make(folder);
    }
}

OutputFolders::~OutputFolders() {
  std::error_code error;
  for (const fs::path& folder : made_ | std::views::reverse) fs::remove(folder, error);  // fails if it contains files
}

void OutputFolders::make(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  make(folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path());
  if (fs::create_directory(folder, error))
    made_.push_back(folder);
  else if (std::error_code ignored; !fs::is_directory(folder, ignored))  // another run may have created it
    throw core::ResourceError(fmt::format("--output-dir: cannot create folder '{}' ({}): choose another folder",
                                          folder.string(), error ? error.message() : "a file of that name exists"));
}

std::vector<std::string> missing_folders(const JobPlan& plan) {
  std::set<std::string> seen;
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i)) {
      const std::string folder = core::folder_of(file);
      std::error_code error;
      if (!seen.insert(folder).second || fs::is_directory(folder, error)) continue;
      if (!plan.spec.output_dir.empty() && is_inside(folder, top_of(plan))) continue;
      warnings.push_back(core::sentence(
          error_at(plan.spec.outputs[i].place, {},
                   fmt::format("folder '{}' does not exist: create it before the run, or use --output-dir", folder))));
    }
  return warnings;
}

}  // namespace armilla::job
