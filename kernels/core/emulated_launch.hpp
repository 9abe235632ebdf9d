#pragma once

#include <kernels/core/emulated_stream.hpp>
#include <kernels/core/emulation.hpp>
#include <kernels/core/host_blocks.hpp>

namespace armilla::kernels {

template <class Body>
void launch_team(const Body& body, const char*, StreamHandle stream) {
  checked_grid(body);
  enqueue(stream, [body, order = emulation().order] { run_blocks(body, order); });
}

}  // namespace armilla::kernels
