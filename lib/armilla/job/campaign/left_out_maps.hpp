#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>

#include <optional>
#include <set>
#include <vector>

namespace armilla::job {

/// The maps left out by all groups of ranks of a campaign, checked against `on_bad_map: {skip: {at_most: 1%}}`.
class LeftOutMaps {
 public:
  explicit LeftOutMaps(const JobPlan& plan) : plan_(plan) {}

  /// Whether the job has a limit.
  bool has_limit() const { return plan_.spec.execution.bad_map_limit.has_value(); }
  /// Encodes the index `item` of a map for a comm::Mailbox: -2 or less.
  static Index letter(Index item) { return -2 - item; }
  /// Adds an encoded index.
  void add(Index letter) { items_.insert(-2 - letter); }
  /// The error for too many left-out maps, which ends the run; std::nullopt if there is none.
  std::optional<core::CaughtError> error() const;

 private:
  const JobPlan& plan_;
  std::set<Index> items_;
};

/// Throws InputError if more maps of a campaign have the state 0 (CampaignView::states()) than the job allows.
void check_left_out(const JobPlan& plan, const std::vector<Index>& states);

/// Collective. Logs the maps that groups without the root of `world` have left out; `speaks` is set on one rank of each
/// such group.
void tell_left_out(const comm::Communicator& world, const RunRecord& record, bool speaks);

}  // namespace armilla::job
