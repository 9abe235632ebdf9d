#pragma once

#include <kernels/core/host_team.hpp>

namespace armilla::kernels {

/// One block on the host, with threads that know nothing of the last one.
template <class Body, class Work>
void run_block(const Body& body, const Work& work, int threads) {
  HostTeam<typename Body::Lane, typename Body::Shared> team(threads);
  body.run(team, work);
}

}  // namespace armilla::kernels
