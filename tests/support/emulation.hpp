#pragma once

#include <kernels/core/emulation.hpp>

namespace armilla::test {

/// While it is there, the emulated device is as `settings` say.
class Pretend {
 public:
  explicit Pretend(const kernels::Emulation& settings) { kernels::emulation() = settings; }
  ~Pretend() { kernels::emulation() = {}; }
  Pretend(const Pretend&) = delete;
  Pretend& operator=(const Pretend&) = delete;
};

}  // namespace armilla::test
