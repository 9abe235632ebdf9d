#pragma once

#include <kernels/core/emulation.hpp>
#include <kernels/core/host_blocks.hpp>

namespace armilla::kernels {

template <class Body>
void launch_team(const Body& body, const char*, StreamHandle) {
  run_blocks(body, emulation().order);
}

}  // namespace armilla::kernels
