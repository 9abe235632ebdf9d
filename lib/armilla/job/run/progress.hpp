#pragma once

#include <armilla/core/types.hpp>

#include <cstddef>
#include <string>

namespace armilla::job {

using core::Index;

enum class Verbosity { kQuiet, kNormal };

/// Shows the progress of a job: a bar on stderr if that is a terminal, else a line per minute in the log. Active on one
/// rank only; on others all calls do nothing.
class Progress {
 public:
  enum class Display { kNone, kBar, kLog };
  /// Bar or log on the root, depending on whether stderr is a terminal; none on other ranks, or with --quiet.
  static Display choose(bool is_root, Verbosity verbosity);

  /// `steps`: number of all steps of the job.
  Progress(Display display, std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What runs now, such as "steps[0].analysis", as number `number` of the steps, and how many transforms it has.
  void begin(std::size_t number, const std::string& what, std::size_t transforms);
  /// Sets the number of maps, by which progress is counted from now on.
  void campaign(Index maps);
  /// So many are done, by all ranks.
  void maps_done(Index maps);
  /// Work other than a step, such as "writing map.h5".
  void note(const std::string& what);
  /// Completed fraction of the current transform. A smaller fraction than before means that the next transform has
  /// started.
  void update(double fraction);
  /// Share of the whole job that is done: of a campaign, of its maps, else steps counted alike.
  double fraction() const;

 private:
  void show(bool now);
  std::string maps_text() const;
  void clear() const;

  Display display_;
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
