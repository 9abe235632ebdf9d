#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// Work recorded for a Graph of the emulated device: one branch for each stream, the first for the stream that was
/// recorded. As on a device, only events order the work of different branches: a branch runs as far as another one
/// waits for it, and no further.
class Recording {
 public:
  /// The end of the work recorded so far in a branch.
  struct Place {
    std::size_t branch = 0;
    std::size_t end = 0;
  };

  /// The stream takes part until the end of the recording. Returns its branch.
  std::size_t add_branch(StreamHandle stream) {
    streams_.push_back(stream);
    branches_.emplace_back();
    return branches_.size() - 1;
  }
  void add(std::size_t branch, std::function<void()> work) { branches_[branch].push_back({std::move(work), {}}); }
  void add_wait(std::size_t branch, const Place& place) { branches_[branch].push_back({{}, place}); }
  Place place(std::size_t branch) const { return {branch, branches_[branch].size()}; }

  const std::vector<StreamHandle>& streams() const { return streams_; }
  bool is_over() const { return is_over_; }
  void finish() { is_over_ = true; }

  /// Runs the first branch, and of the others what it waits for.
  void run() const {
    Progress progress(branches_.size());
    run_to(place(0), progress, true);
  }
  /// Whether the first branch waits for the end of all others.
  bool is_joined() const {
    Progress progress(branches_.size());
    run_to(place(0), progress, false);
    for (std::size_t b = 0; b < branches_.size(); ++b)
      if (progress[b] < branches_[b].size()) return false;
    return true;
  }

 private:
  using Progress = std::vector<std::size_t>;
  struct Step {
    std::function<void()> work;  ///< empty: waits for `place`
    Place place;
  };

  void run_to(const Place& place, Progress& progress, bool works) const {
    while (progress[place.branch] < place.end) {
      const Step& step = branches_[place.branch][progress[place.branch]++];
      if (!step.work)
        run_to(step.place, progress, works);
      else if (works)
        step.work();
    }
  }

  std::vector<std::vector<Step>> branches_;
  std::vector<StreamHandle> streams_;
  bool is_over_ = false;
};

}  // namespace armilla::kernels
