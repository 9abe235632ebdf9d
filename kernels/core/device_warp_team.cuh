#pragma once

#include <kernels/core/device_team.cuh>
#include <kernels/core/unrolled.hpp>

namespace armilla::kernels {

/// DeviceTeam for blocks of one warp. It waits for nothing but its own copies and lanes.
template <class Lane, class Shared>
class DeviceWarpTeam {
 public:
  __device__ explicit DeviceWarpTeam(Shared& shared, int = 0) : shared_(shared) {}

  __device__ static constexpr int threads() { return kWarp; }
  __device__ Shared& shared() { return shared_; }
  template <class Body>
  __device__ void each(Body&& body) {
    body(lane_, static_cast<int>(threadIdx.x));
  }
  template <class Body>
  __device__ void each_warp(Body&& body) {
    DeviceWarp<Lane> warp(lane_, 0);
    body(warp);
  }
  template <int kMost, class Value>
  __device__ void start_copy(Value* to, const Value* from, Index count) {
    static_assert(sizeof(Value) == 16);
    const auto lane = static_cast<int>(threadIdx.x);
    const auto all = static_cast<int>(count);
    unrolled<(kMost + kWarp - 1) / kWarp>([&]<int round>() {
      const int i = round * kWarp + lane;
      if (i < all) __pipeline_memcpy_async(to + i, from + i, sizeof(Value));
    });
  }
  __device__ void end_copies() { __pipeline_commit(); }
  template <int kLeft>
  __device__ void wait_for_copies() {
    __pipeline_wait_prior(kLeft);
  }
  __device__ void barrier() { __syncwarp(); }

 private:
  Lane lane_;
  Shared& shared_;
};

}  // namespace armilla::kernels
