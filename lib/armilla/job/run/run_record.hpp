#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/core/types.hpp>
#include <armilla/job/run/finding.hpp>
#include <armilla/job/value/source.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

/// A map of a campaign that was left out by an input, because of its file, or by a step.
struct SkippedMap {
  std::string input = {}, file = {};  ///< empty if a step detected it
  std::string step = {};              ///< empty if an input detected it
  std::string label = {};
  std::string reason = {};

  /// Describes the reason as text.
  std::string text() const { return step.empty() ? reason : step + ": " + reason; }
};

/// Pixels of an input map that were set to zero.
struct ZeroedPixels {
  std::string input, file;
  BadPixels pixels;  ///< over all ranks and components
};

/// A step that resumed its iterations from a checkpoint.
struct ResumedStep {
  std::string step;
  Index iterations;  ///< completed by earlier runs
};

struct StepTime {
  std::string step;
  double seconds;  ///< of this rank
};

/// The record of a run on one rank, in addition to its files.
struct RunRecord {
  std::optional<backend::Kind> backend;  ///< the backend in use; std::nullopt if no step used a transform
  core::PhaseTimers timers;
  Index bytes_sent = 0;
  std::vector<StepTime> steps;
  std::vector<Finding> findings;  ///< one for each kind and step
  std::vector<ResumedStep> resumed;
  std::vector<ZeroedPixels> zeroed;
  double campaign_seconds = 0;
  double preparation_seconds = 0;  ///< for what steps keep for all batches, and their transforms
  Index maps = 0;                  ///< maps of a campaign processed by this group, including skipped ones
  std::vector<SkippedMap> skipped;
  std::optional<SkippedMap> failed;   ///< the map that ended the run
  Index maps_left = 0;                ///< maps of the campaign still to be done by other parts
  std::vector<std::string> warnings;  ///< issued by the run
  std::vector<std::string> warned;    ///< inputs for which warn_once() has issued a warning
  bool logs = true;                   ///< whether warnings and maps that are left out are also logged

  /// Removes all results except times.
  void forget_found() {
    findings.clear();
    zeroed.clear();
    warnings.clear();
    warned.clear();
  }

  /// Issues a warning about the values of an input, if it is the first one: further maps of a campaign are alike.
  void warn_once(const std::string& input, const std::string& warning);

  /// Merges the results for other maps of the same input.
  void add_zeroed(const ZeroedPixels& more) {
    for (ZeroedPixels& known : zeroed)
      if (known.input == more.input) {
        known.pixels.nan += more.pixels.nan;
        known.pixels.bad_data += more.pixels.bad_data;
        return;
      }
    zeroed.push_back(more);
  }

  /// Time of a step, which may run for many batches.
  void add_step(const std::string& step, double seconds) {
    for (StepTime& known : steps)
      if (known.step == step) {
        known.seconds += seconds;
        return;
      }
    steps.push_back({step, seconds});
  }
};

}  // namespace armilla::job
