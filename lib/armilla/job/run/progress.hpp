#pragma once

#include <armilla/core/types.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace armilla::job {

using core::Index;

enum class Verbosity { kQuiet, kNormal };

/// Shows the progress of a job: a bar on stderr if that is a terminal, otherwise a line per minute in the log. Active
/// on one rank only; calls on other ranks do nothing.
class Progress {
 public:
  enum class Display { kNone, kBar, kLog, kCall };
  /// Bar or log on the root, depending on whether stderr is a terminal; none on other ranks, or with --quiet.
  static Display choose(bool is_root, Verbosity verbosity);

  /// `steps`: total number of steps of the job.
  Progress(Display display, std::size_t steps);
  /// Calls `call` with the completed fraction of the job and a description of the current work, at most every 0.1 s.
  using Call = std::function<void(double fraction, const std::string& what)>;
  Progress(Call call, std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts the step with index `number`, shown as `what`, such as "steps[0].analysis", with its number of transforms.
  void begin(std::size_t number, const std::string& what, std::size_t transforms);
  /// Sets the number of maps; progress is then measured in maps.
  void campaign(Index maps);
  /// Sets the number of maps finished by all ranks.
  void maps_done(Index maps);
  /// Shows work other than a step, such as "writing map.h5".
  void note(const std::string& what);
  /// Sets the completed fraction of the current transform. A smaller fraction than before means that the next transform
  /// has started.
  void update(double fraction);
  /// Completed fraction of the job: by maps in a campaign, otherwise by steps of equal weight.
  double fraction() const;

 private:
  void show(bool now);
  std::string maps_text() const;
  void clear() const;

  Display display_;
  Call call_ = {};
  std::size_t steps_;
  std::size_t number_ = 0;
  std::size_t transforms_ = 0;
  std::size_t transforms_done_ = 0;
  double last_ = 0;
  std::string what_;
  double shown_at_;
  Index maps_ = 0;
  Index maps_done_ = 0;
  double campaign_began_ = 0;
};

}  // namespace armilla::job
