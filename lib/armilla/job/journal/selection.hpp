#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/journal/campaign_view.hpp>
#include <armilla/job/plan/plan.hpp>

#include <vector>

namespace armilla::job {

/// What is left to do of a campaign, or of a part of it.
struct Selection {
  std::vector<Index> items;  ///< maps to do, ascending
  Index done = 0;            ///< maps of the part that earlier runs did
  Index elsewhere = 0;       ///< maps of other parts that are not done
  bool publishes = false;    ///< where no map is left: whether files of all maps are still to be completed

  bool is_complete() const { return items.empty() && !publishes; }
};

/// Not collective. Throws InputError if outputs of another key are there (CampaignView::refuse_other_key), unless
/// `restart` asks to compute all maps again.
Selection select_maps(const JobPlan& plan, const CampaignView& view, bool restart);

/// Collective: the root looks at files. Of a plan whose backend is chosen. The same on all ranks.
Selection select_maps(const comm::Communicator& comm, const JobPlan& plan, bool restart);

}  // namespace armilla::job
