#pragma once

#include <armilla/core/types.hpp>

#include <cstddef>
#include <string>

namespace armilla::job {

using core::Index;

enum class Verbosity { kQuiet, kNormal };

/// Shows how far a job is: a bar on stderr where that is a terminal, else a line a minute in the log. Active on the
/// rank that constructs it as such; elsewhere all calls do nothing.
class Progress {
 public:
  enum class Display { kNone, kBar, kLog };
  /// Bar or log, as stderr is a terminal or not, on the root; none on other ranks, and where the user wants quiet.
  static Display choose(bool is_root, Verbosity verbosity);

  /// `steps`: number of all steps of the job.
  Progress(Display display, std::size_t steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What runs now, such as "steps[0].analysis", as number `number` of the steps, and how many transforms it has.
  void begin(std::size_t number, const std::string& what, std::size_t transforms);
  /// From here on the job has `maps` maps, which are what progress counts.
  void campaign(Index maps);
  /// So many are done, by all ranks.
  void maps_done(Index maps);
  /// Work that is no step, such as "writing map.h5".
  void note(const std::string& what);
  /// The share of the transform under way that is done. A smaller share than before means that the next one began.
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
