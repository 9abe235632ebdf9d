#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/journal/campaign_view.hpp>
#include <armilla/job/plan/plan.hpp>

#include <vector>

namespace armilla::job {

/// The remaining work of a campaign, or of a part of it.
struct Selection {
  std::vector<Index> items;  ///< maps to do, ascending
  Index done = 0;            ///< maps of the part that earlier runs did
  Index elsewhere = 0;       ///< maps of other parts that are still to be done
  bool publishes = false;    ///< whether files of all maps must still be completed, if no maps remain

  bool is_complete() const { return items.empty() && !publishes; }
};

/// Not collective. Throws InputError if outputs with another key exist (CampaignView::refuse_other_key), unless
/// `restart` requests that all maps be recomputed.
Selection select_maps(const JobPlan& plan, const CampaignView& view, bool restart);

/// Collective: the root inspects files. The backend of the plan must be chosen. The result is the same on all ranks.
Selection select_maps(const comm::Communicator& comm, const JobPlan& plan, bool restart);

}  // namespace armilla::job
