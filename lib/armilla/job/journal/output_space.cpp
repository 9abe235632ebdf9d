#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/job/journal/campaign_view.hpp>
#include <armilla/job/journal/output_space.hpp>
#include <armilla/job/parse/refuse.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace armilla::job {

namespace {

namespace fs = std::filesystem;

/// Bytes on disk that are free once the file is replaced or removed; 0 if it does not exist.
Index allocated_bytes(const std::string& file) {
  constexpr Index kBlock = 512;  // of st_blocks, on all file systems
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) return 0;
  return static_cast<Index>(status.st_blocks) * kBlock;
}

/// The space that a run needs on each file system.
class SpaceDemand {
 public:
  explicit SpaceDemand(const JobPlan& plan) : plan_(plan) {}

  /// Adds `bytes` of an output in the folder of `file`.
  void add(std::size_t output, const std::string& file, Index bytes) {
    const std::string folder = core::folder_of(file);
    const std::optional<dev_t> device = device_of(folder);
    if (!device || bytes <= 0) return;
    FileSystem& system = systems_.at(*device);
    system.needed = core::saturating_sum(system.needed, bytes);
    if (system.lacks_space() && !system.first) system.first = {output, folder};
  }

  /// Throws ResourceError if the outputs of a file system do not fit; names the first one that does not.
  void check() const {
    for (const auto& [device, system] : systems_) {
      if (!system.first) continue;
      const auto& [output, folder] = *system.first;
      throw core::ResourceError(error_at(
          plan_.spec.outputs[output].place, {},
          fmt::format("the file system of folder {} has {} bytes free ({}), but all outputs on it need {} bytes "
                      "({}){}: free some space, or write elsewhere",
                      folder, system.space.available, core::readable_bytes(static_cast<Index>(system.space.available)),
                      system.needed, core::readable_bytes(system.needed), maps_text())));
    }
  }

 private:
  struct FileSystem {
    fs::space_info space;
    Index needed = 0;
    std::optional<std::pair<std::size_t, std::string>> first = {};  ///< output that does not fit, and its folder
    bool lacks_space() const { return space.capacity > 0 && static_cast<std::uintmax_t>(needed) > space.available; }
  };

  /// The file system of a folder; std::nullopt if it does not exist or does not report its space.
  std::optional<dev_t> device_of(const std::string& folder) {
    const auto [known, is_new] = devices_.emplace(folder, std::nullopt);
    struct stat status {};
    if (!is_new || ::stat(folder.c_str(), &status) != 0) return known->second;
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    if (error) return std::nullopt;
    systems_.try_emplace(status.st_dev, FileSystem{space});
    return known->second = status.st_dev;
  }

  std::string maps_text() const {
    if (!plan_.campaign) return "";
    return fmt::format(" ({} of {} maps are to be computed)", plan_.campaign->taken(), plan_.campaign->maps());
  }

  const JobPlan& plan_;
  std::map<std::string, std::optional<dev_t>> devices_;
  std::map<dev_t, FileSystem> systems_;
};

/// What an unfinished file of all maps needs in addition to what it occupies, if `items` maps are written to it.
Index growth(const std::string& unfinished, Index bytes, Index maps, Index items) {
  return std::min(core::saturating_product(bytes / maps, items),
                  std::max<Index>(bytes - allocated_bytes(unfinished), 0));
}

/// growth() for a file with a batch axis. On file systems that can reserve space, it is complete from the start.
Index batch_growth(const std::string& unfinished, Index bytes, Index maps, Index items) {
  return stamp_of(unfinished).is_there() ? growth(unfinished, bytes, maps, items) : bytes;
}

/// Files that replace others free their space. While they are written, each group has one more.
void add_each(const JobPlan& plan, const Selection& selection, std::size_t output, SpaceDemand& demand) {
  struct Folder {
    Index written = 0;
    Index freed = 0;
    std::string last = {};
  };
  const Index each = plan.outputs[output].bytes / plan.campaign->maps();
  std::map<std::string, Folder> folders;
  for (const Index item : selection.items) {
    const std::string file = output_file(plan, output, item);
    Folder& folder = folders[core::folder_of(file)];
    folder.written = core::saturating_sum(folder.written, each);
    folder.freed = core::saturating_sum(folder.freed, allocated_bytes(file));
    folder.last = file;
  }
  for (const auto& [name, folder] : folders) {
    const Index replacing = folder.freed > 0 ? core::saturating_product(each, plan.campaign->groups) : 0;
    demand.add(output, folder.last, core::saturating_sum(std::max<Index>(folder.written - folder.freed, 0), replacing));
  }
}

void add_campaign(const JobPlan& plan, const Selection& selection, SpaceDemand& demand) {
  const CampaignKey key = campaign_key(plan);
  const CampaignView view(plan, key);
  const Index maps = plan.campaign->maps(), items = static_cast<Index>(selection.items.size());
  const bool starts_over = plan.spec.execution.restart && plan.spec.execution.part.is_all();
  std::set<std::size_t> stored;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const PlannedOutput& output = plan.outputs[i];
    const std::string& file = plan.spec.outputs[i].file;
    if (output.form == OutputForm::kEach) {
      add_each(plan, selection, i, demand);
    } else if (output.form == OutputForm::kBatchAxis) {
      // A complete file is copied to continue it (CampaignJournal::begin).
      const bool is_copied = items > 0 && view.is_published(i) && !starts_over;
      demand.add(i, file, is_copied ? output.bytes : batch_growth(view.unfinished(i), output.bytes, maps, items));
    } else if (!view.is_statistics(i)) {
      demand.add(i, file, output.bytes);
    } else if (items > 0 || !view.is_published(i)) {
      const ValueInfo& value = plan.values[output.value];
      const Index spectra = core::saturating_product(
          maps, static_cast<Index>(value.spectra.size()) * stored_spectrum_bytes(value.spectra_lmax));
      if (stored.insert(output.value).second)
        demand.add(i, file, growth(view.spectra(output.value), spectra, maps, items));
      demand.add(i, file, output.bytes);
    }
  }
}

}  // namespace

void check_output_space(const JobPlan& plan, const Selection& selection) {
  SpaceDemand demand(plan);
  if (plan.campaign && !plan.outputs.empty())
    add_campaign(plan, selection, demand);
  else
    for (std::size_t i = 0; i < plan.outputs.size(); ++i)
      demand.add(i, plan.spec.outputs[i].file, plan.outputs[i].bytes);
  demand.check();
}

}  // namespace armilla::job
