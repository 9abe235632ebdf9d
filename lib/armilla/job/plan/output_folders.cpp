#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/plan/output_folders.hpp>
#include <armilla/job/plan/output_locks.hpp>

#include <ranges>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;

OutputFolders::OutputFolders(const JobPlan& plan) : OutputFolders() {
  if (!plan.spec.output_dir.empty()) make({.where = "--output-dir"}, fs::path(plan.spec.output_dir).lexically_normal());
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i))
      make(error_at(plan.spec.outputs[i].place, {}, {}), core::folder_of(file));
}

OutputFolders::~OutputFolders() {
  std::error_code error;
  for (const fs::path& folder : made_ | std::views::reverse) fs::remove(folder, error);  // fails if it contains files
}

void OutputFolders::make(const core::ErrorContext& about, const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  make(about, folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path());
  if (fs::create_directory(folder, error)) {
    made_.push_back(folder);
    return;
  }
  if (std::error_code ignored; fs::is_directory(folder, ignored)) return;  // another run may have created it
  core::ErrorContext context = about;
  context.text = fmt::format("cannot create folder '{}' ({}): choose another folder", folder.string(),
                             error ? error.message() : "a file of that name exists");
  throw core::ResourceError(std::move(context));
}

std::vector<std::string> missing_folders(const JobPlan& plan) {
  std::set<std::string> seen;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i)) {
      const std::string folder = core::folder_of(file);
      std::error_code error;
      if (!seen.insert(folder).second || fs::is_directory(folder, error)) continue;
      notes.push_back(plan.spec.word(
          error_at(plan.spec.outputs[i].place, {}, fmt::format("the run creates the folder '{}'", folder))));
    }
  return notes;
}

}  // namespace armilla::job
