#include <armilla/comm/launcher.hpp>

#include <array>
#include <cstdlib>

namespace armilla::comm {

namespace {

struct Setting {
  const char* name;
  const char* value;
};
constexpr Setting kSettingsOfOpenMpi[] = {
    {"OMPI_MCA_ess_singleton_isolated", "1"}, {"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "self"}};

}  // namespace

const char* launched_rank() {
  for (const char* name : std::array{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return rank;
  return nullptr;
}

SingleRankSettings::SingleRankSettings() {
  static_assert(std::size(kSettingsOfOpenMpi) == kSettings);
  if (launched_rank() != nullptr) return;
  for (int i = 0; i < kSettings; ++i) {
    added_[i] = std::getenv(kSettingsOfOpenMpi[i].name) == nullptr;
    if (added_[i]) ::setenv(kSettingsOfOpenMpi[i].name, kSettingsOfOpenMpi[i].value, 1);
  }
}

SingleRankSettings::~SingleRankSettings() {
  for (int i = 0; i < kSettings; ++i)
    if (added_[i]) ::unsetenv(kSettingsOfOpenMpi[i].name);
}

}  // namespace armilla::comm
