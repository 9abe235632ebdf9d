#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/plan/output_folders.hpp>
#include <armilla/job/plan/output_locks.hpp>

#include <ranges>
#include <system_error>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;

OutputFolders::OutputFolders(const JobPlan& plan) : OutputFolders() {
  if (plan.spec.output_dir.empty()) return;
  const fs::path top = fs::path(plan.spec.output_dir).lexically_normal();
  make(top);
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i)) {
      const fs::path folder = core::folder_of(file);
      const fs::path inside = folder.lexically_relative(top);
      if (!inside.empty() && *inside.begin() != "..") make(folder);
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

}  // namespace armilla::job
