#pragma once

#include <cuda_pipeline_primitives.h>
#include <kernels/core/tensor_tile.cuh>
#include <kernels/core/unrolled.hpp>
#include <kernels/core/warp.hpp>

namespace armilla::kernels {

/// HostWarp on the device: each lane runs its own part.
template <class Lane>
class DeviceWarp {
 public:
  __device__ DeviceWarp(Lane& lane, int index) : lane_(lane), index_(index) {}

  __device__ int index() const { return index_; }
  __device__ Lane& any_lane() { return lane_; }
  template <class Body>
  __device__ void each(Body&& body) {
    body(lane_, own());
  }
  template <class Condition>
  __device__ bool any(Condition&& condition) {
    return __any_sync(kAll, condition(lane_, own()));
  }
  template <class Give, class Take>
  __device__ void exchange(int bit, Give&& give, Take&& take) {
    take(lane_, own(), __shfl_xor_sync(kAll, give(lane_, own()), bit));
  }
  template <class A, class B, class C>
  __device__ void multiply_add(A&& a, B&& b, C&& c) {
    tensor_tile(c(lane_), a(lane_), b(lane_));
  }
  __device__ void sync() { __syncwarp(kAll); }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
  __device__ static int own() { return static_cast<int>(threadIdx.x) % kWarp; }
  Lane& lane_;
  int index_;
};

/// HostTeam on the device: the state is that of the calling thread, and control flow that of its block or warp.
template <class Lane, class Shared>
class DeviceTeam {
 public:
  __device__ explicit DeviceTeam(Shared& shared, int rotation = 0) : shared_(shared), rotation_(rotation) {}

  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ Shared& shared() { return shared_; }
  template <class Body>
  __device__ void each(Body&& body) {
    body(lane_, static_cast<int>(threadIdx.x));
  }
  template <class Body>
  __device__ void each_warp(Body&& body) {
    DeviceWarp<Lane> warp(lane_, rotated_warp(static_cast<int>(threadIdx.x) / kWarp, rotation_, threads() / kWarp));
    body(warp);
  }
  template <int kMost, class Value>
  __device__ void start_copy(Value* to, const Value* from, Index count) {
    static_assert(sizeof(Value) == 16);
    const int all = static_cast<int>(count);
    for (int i = static_cast<int>(threadIdx.x); i < all; i += static_cast<int>(blockDim.x))
      __pipeline_memcpy_async(to + i, from + i, sizeof(Value));
  }
  template <int kCount, int kThreads, class Value, class Source>
  __device__ void start_gather(Value* to, Source&& source) {
    static_assert(sizeof(Value) == 16);
    unrolled<(kCount + kThreads - 1) / kThreads>([&]<int round>() {
      const unsigned i = threadIdx.x + round * kThreads;
      if ((round + 1) * kThreads > kCount && i >= kCount) return;
      const CopySource<Value> copy = source(i);
      __pipeline_memcpy_async(to + i, copy.from, sizeof(Value), copy.exists ? 0 : sizeof(Value));
    });
  }
  __device__ void end_copies() { __pipeline_commit(); }
  template <int kLeft>
  __device__ void wait_for_copies() {
    __pipeline_wait_prior(kLeft);
  }
  __device__ void barrier() { __syncthreads(); }

 private:
  Lane lane_;
  Shared& shared_;
  int rotation_;
};

}  // namespace armilla::kernels
