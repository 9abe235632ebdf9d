#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/core/types.hpp>
#include <armilla/io/metadata.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

using core::Index;

/// Result of a step `compare`.
struct Comparison {
  std::string step, compared, reference;
  std::vector<std::pair<std::string, double>> relative_rms = {};  ///< for each component, maximum over all maps
  /// Largest difference for each component; for values only.
  std::vector<std::pair<std::string, double>> largest = {};
  Index maps = 1;
};

/// Merges the results for other maps of the same step.
inline void add_comparison(std::vector<Comparison>& all, const Comparison& more) {
  for (Comparison& known : all) {
    if (known.step != more.step) continue;
    known.maps += more.maps;
    for (std::size_t c = 0; c < known.relative_rms.size(); ++c)
      known.relative_rms[c].second = std::max(known.relative_rms[c].second, more.relative_rms[c].second);
    for (std::size_t c = 0; c < known.largest.size(); ++c)
      known.largest[c].second = std::max(known.largest[c].second, more.largest[c].second);
    return;
  }
  all.push_back(more);
}

/// A map of a campaign that was left out by an input, because of its file, or by a step.
struct SkippedMap {
  std::string input = {}, file = {};  ///< empty if a step detected it
  std::string step = {};              ///< empty if an input detected it
  std::string label = {};
  std::string reason = {};

  /// Describes the reason as text.
  std::string text() const { return step.empty() ? reason : step + ": " + reason; }
};

/// Minimum and maximum over the maps of a step; without maps, plus and minus infinity.
struct OverMaps {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  bool any() const { return min <= max; }
  void add(double value) { add(OverMaps{value, value}); }
  void add(const OverMaps& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
  }
};

/// Result of a step with an iterative method that stops at convergence: `analysis`, `analysis_at`
/// (ops::AnalysisOutcome), `inverse_deflection`.
struct SolvedAnalysis {
  std::string step, method;
  Index maps = 0;
  Index unconverged = 0;
  OverMaps iterations = {}, normal_residual = {}, map_residual = {};
  OverMaps alm_error = {};              ///< with `tolerance` only
  OverMaps condition = {};              ///< lower bound of the normal equations, without `tolerance` only
  OverMaps displacement_residual = {};  ///< of an inverse deflection, instead of the other members [rad]
  Index condition_iterations = 0;       ///< of the fit with the largest condition number

  /// Adds condition numbers of other maps, the largest of which was seen after that number of iterations.
  void add_condition(const OverMaps& other, Index seen_after) {
    if (other.max > condition.max) condition_iterations = seen_after;
    condition.add(other);
  }
};

/// Result of a step `leakage`: the linear fits of maps of B to their templates.
struct LeakageFits {
  struct Line {
    Index item;  ///< index of the map in a campaign
    double slope;
    double intercept;  ///< in units of the map
  };
  std::string step, map;
  std::vector<Line> lines;
};

/// Merges the results for other maps of the same step.
inline void add_leakage(std::vector<LeakageFits>& all, const LeakageFits& more) {
  for (LeakageFits& known : all) {
    if (known.step != more.step) continue;
    known.lines.insert(known.lines.end(), more.lines.begin(), more.lines.end());
    return;
  }
  all.push_back(more);
}

/// Pixels of an input map that were set to zero.
struct ZeroedPixels {
  std::string input, file;
  io::BadPixels pixels;  ///< over all ranks and components
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
  std::vector<Comparison> comparisons;
  std::vector<SolvedAnalysis> analyses;  ///< one for each step
  std::vector<ResumedStep> resumed;
  std::vector<LeakageFits> leakage;
  std::vector<ZeroedPixels> zeroed;
  double campaign_seconds = 0;
  double preparation_seconds = 0;  ///< for what steps keep for all batches, and their transforms
  Index maps = 0;                  ///< maps of a campaign processed by this group, including skipped ones
  std::vector<SkippedMap> skipped;
  std::optional<SkippedMap> failed;   ///< the map that ended the run
  Index maps_left = 0;                ///< maps of the campaign still to be done by other parts
  std::vector<std::string> warnings;  ///< issued by the run
  bool logs = true;                   ///< whether warnings and maps that are left out are also logged

  /// Adds the maps to earlier ones of the same step.
  void add(const SolvedAnalysis& solved) {
    const auto found = std::ranges::find(analyses, solved.step, &SolvedAnalysis::step);
    if (found == analyses.end()) {
      analyses.push_back(solved);
      return;
    }
    found->maps += solved.maps;
    found->unconverged += solved.unconverged;
    found->iterations.add(solved.iterations);
    found->normal_residual.add(solved.normal_residual);
    found->map_residual.add(solved.map_residual);
    found->alm_error.add(solved.alm_error);
    found->displacement_residual.add(solved.displacement_residual);
    found->add_condition(solved.condition, solved.condition_iterations);
  }

  /// Removes all results except times.
  void forget_found() {
    comparisons.clear();
    analyses.clear();
    leakage.clear();
    zeroed.clear();
    warnings.clear();
  }

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
