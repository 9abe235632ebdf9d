#pragma once

#include <functional>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// Queues work in a stream of the emulated device. It runs when the host waits for the stream or a later event, or
/// frees device memory; until then its results are not visible. It runs as a kernel, which can read device memory. Its
/// captures by value correspond to the arguments copied by a launch. Counted in Emulation::launched. Throws
/// ResourceError if the thread's device is not that of the stream.
void enqueue(StreamHandle stream, std::function<void()> work);

/// Throws ResourceError if the thread records a Graph, during which a device refuses `what`.
void refuse_while_recording(const char* what);

/// Runs all queued work of all streams, as a device does before it frees memory.
void finish_all_streams();

}  // namespace armilla::kernels
