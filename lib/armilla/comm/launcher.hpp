#pragma once

namespace armilla::comm {

/// The rank of this process as the launcher gives it in the environment (Open MPI, MPICH, Slurm), or null without a
/// launcher. Can be called before MPI is initialised.
const char* launched_rank();

/// Settings of Open MPI for a process without a launcher, which is a single rank: it starts no daemon and searches for
/// no networks, which would take 0.3 s. Settings of the user are kept. They apply to an MPI_Init during the lifetime of
/// the object, and not to processes that this one starts later. No effect with a launcher.
class SingleRankSettings {
 public:
  SingleRankSettings();
  ~SingleRankSettings();
  SingleRankSettings(const SingleRankSettings&) = delete;
  SingleRankSettings& operator=(const SingleRankSettings&) = delete;

 private:
  static constexpr int kSettings = 3;
  bool added_[kSettings] = {};
};

}  // namespace armilla::comm
