#pragma once

#include <armilla/backend/device_use.hpp>
#include <armilla/backend/runs.hpp>

#include <cstddef>
#include <functional>
#include <span>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Carries runs of an array in any host memory to an array without gaps on the device, and back, by way of two pinned
/// buffers: one is filled or emptied by the threads of the rank while the other is copied. One caller at a time.
class Passage {
 public:
  /// Throws ResourceError where the host has too little memory to be pinned.
  Passage() : buffers_{Buffer(kBytes), Buffer(kBytes)} {}

  /// The numbers of `runs` of `host`, one after the other; there when the stream has come there.
  template <class Number>
  void to_device(const Number* host, const Runs& runs, kernels::DevicePointer<Number> there,
                 const kernels::Stream& stream) {
    fill(reinterpret_cast<const std::byte*>(host), runs, sizeof(Number), kernels::device_cast<std::byte>(there),
         stream);
  }
  /// Back to their places, other numbers of `host` left alone; done when it returns.
  template <class Number>
  void to_host(kernels::DevicePointer<const Number> there, const Runs& runs, Number* host,
               const kernels::Stream& stream) {
    empty(kernels::device_cast<const std::byte>(there), runs, sizeof(Number), reinterpret_cast<std::byte*>(host),
          stream);
  }

 private:
  static constexpr Index kBytes = kPassageBytes / 2;  // of a buffer

  struct Buffer {
    explicit Buffer(Index bytes) : numbers(bytes) {}
    kernels::PinnedBuffer<std::byte> numbers;
    kernels::Event copied;
  };

  void fill(const std::byte* host, const Runs& runs, std::size_t size, kernels::DevicePointer<std::byte> there,
            const kernels::Stream& stream);
  void empty(kernels::DevicePointer<const std::byte> there, const Runs& runs, std::size_t size, std::byte* host,
             const kernels::Stream& stream);

  Buffer buffers_[2];
};

}  // namespace armilla::backend
