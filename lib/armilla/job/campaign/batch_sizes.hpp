#pragma once

#include <armilla/job/plan/plan.hpp>

#include <deque>

namespace armilla::job {

/// The maps of a group of ranks for which no batch has been started: every `groups`-th batch of the plan, from that of
/// the group on. Batches may be taken in smaller pieces.
class BatchQueue {
 public:
  BatchQueue(const CampaignPlan& campaign, int group);
  bool empty() const { return runs_.empty(); }
  /// Removes the next consecutive maps, at most `most`. Must not be empty.
  CampaignPlan::Run take(Index most);

 private:
  std::deque<CampaignPlan::Run> runs_;
};

/// The number of maps of the next batch, so that the batch fits into the remaining time. Without a time limit it is
/// that of the plan. With a limit, and unless the job sets the number, batches have one map until the time of a map is
/// known. Times are those of the slowest batch so far, per map. All results are those of one rank.
class BatchSizes {
 public:
  enum class Choice { kFixed, kFitsTime };

  BatchSizes(Index most, Choice choice) : most_(most), choice_(choice) {}

  /// The maps of the first batch if `seconds` remain, infinite without a limit.
  Index first(double seconds) const;

  /// Records a finished batch whose fields held `maps` maps, without the time of preparing its steps.
  void add(Index maps, double seconds);
  /// Time of preparing the steps for another number of maps.
  void set_preparation(double seconds);
  /// Time of writing one map.
  void set_write(double seconds) { write_ = seconds; }

  /// Seconds that a batch of `maps` will take without writing it, if steps are prepared for `prepared` maps; 0 if the
  /// time of a map is unknown.
  double expected(Index maps, Index prepared) const;
  /// The maps of the next batch if it must be on disk after `seconds`, infinite without a limit; 0 if no map fits.
  /// Steps are prepared for `prepared` maps, and for another number only if the batch would not fit, or if twice as
  /// many maps fit.
  Index next(double seconds, Index prepared) const;

 private:
  Index fitting(double seconds) const;

  Index most_;
  Choice choice_;
  double map_ = 0;          // [s] per map
  double preparation_ = 0;  // [s]
  double write_ = 0;        // [s] per map
};

}  // namespace armilla::job
