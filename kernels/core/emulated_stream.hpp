#pragma once

#include <functional>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// Gives work to a stream of the emulated device. As on a device, it is not done when this returns: it is done when the
/// host waits for the stream, for an event behind it, or gives device memory back; before that nobody finds its
/// results. The work is run as a kernel: it can read device memory. What it captures by value is what a launch copies.
void enqueue(StreamHandle stream, std::function<void()> work);

/// Does all work of all streams, as a device does before it takes memory back.
void finish_all_streams();

}  // namespace armilla::kernels
