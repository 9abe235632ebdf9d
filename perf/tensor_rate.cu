// Rates of FP64 arithmetic on a GPU: plain fused multiply-adds (DFMA), tensor-core tiles m8n8k4 and m16n8k4 (DMMA), and
// both at once, in the same warps and in different ones: the Legendre kernels for tensor cores (decision 16) are to
// gain from them what is counted there.
//   perf_tensor_rate
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <kernels/core/tensor_tile.cuh>

namespace {

constexpr int kChains = 8;  // independent sums, to hide the latency
constexpr int kLoops = 2000;
constexpr int kThreads = 256;
constexpr double kTileFma = 16 * 8 * 4;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "perf_tensor_rate: %s\n", cudaGetErrorString(status));
  std::exit(3);
}

// Eight rows at a time, or sixteen as the kernels have it.
template <bool kSixteen>
__device__ void tile(double (&c)[4], double a, double b) {
  const double rows[2] = {a, b};
  if constexpr (kSixteen) {
    armilla::kernels::tensor_tile(c, rows, b);
  } else {
    for (int half = 0; half < 2; ++half)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                   : "d"(rows[half]), "d"(b));
  }
}

// kPlain and kTiles: so many of each in a round of the loop, for each chain. `split`: even warps do the one, odd warps
// the other.
template <int kPlain, int kTiles, bool kSixteen>
__global__ void __launch_bounds__(kThreads) rate(double* out, double x, bool split) {
  double sum[kChains][4];
  double number[kChains];
  for (int i = 0; i < kChains; ++i) {
    for (double& part : sum[i]) part = x * i;
    number[i] = x + i;
  }
  const bool odd_warp = (threadIdx.x / 32) % 2 == 1;
  for (int loop = 0; loop < kLoops; ++loop) {
    if (!split || !odd_warp)
      for (int n = 0; n < kPlain; ++n)
        for (int i = 0; i < kChains; ++i) number[i] = fma(number[i], x, 1e-9);
    if (!split || odd_warp)
      for (int n = 0; n < kTiles; ++n)
        for (int i = 0; i < kChains; ++i) tile<kSixteen>(sum[i], x, x);
  }
  double total = 0;
  for (int i = 0; i < kChains; ++i) total += number[i] + sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

template <int kPlain, int kTiles, bool kSixteen = true>
void time(const char* name, int multiprocessors, bool split) {
  const int blocks = 8 * multiprocessors;
  double* out = nullptr;
  check(cudaMalloc(&out, sizeof(double) * blocks * kThreads));
  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  std::vector<float> milliseconds;
  for (int round = 0; round < 12; ++round) {
    check(cudaEventRecord(start));
    rate<kPlain, kTiles, kSixteen><<<blocks, kThreads>>>(out, 0.999, split);
    check(cudaGetLastError());
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float time = 0;
    check(cudaEventElapsedTime(&time, start, end));
    if (round > 1) milliseconds.push_back(time);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double seconds = 1e-3 * milliseconds[milliseconds.size() / 2];
  const double warps = static_cast<double>(blocks) * (kThreads / 32) * (split ? 0.5 : 1.0);
  const double plain = warps * 32 * kLoops * kChains * kPlain;
  const double tiles = warps * kTileFma * kLoops * kChains * kTiles;
  std::printf("%-34s %8.2f ms   plain %7.2f   tiles %7.2f TFMA/s\n", name, 1e3 * seconds, 1e-12 * plain / seconds,
              1e-12 * tiles / seconds);
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(end));
  check(cudaFree(out));
}

}  // namespace

int main() {
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::fprintf(stderr, "perf_tensor_rate: no GPU is visible\n");
    return 3;
  }
  const int count = device.multiProcessorCount;
  std::printf("%s, %d multiprocessors\n", device.name, count);
  time<4, 0>("plain", count, false);
  time<0, 2, false>("tiles of 8 rows", count, false);
  time<0, 2>("tiles of 16 rows", count, false);
  time<4, 1>("4 plain + 1 tile, same warp", count, false);
  time<2, 1>("2 plain + 1 tile, same warp", count, false);
  time<1, 1>("1 plain + 1 tile, same warp", count, false);
  time<8, 1>("8 plain | 1 tile, different warps", count, true);
  time<4, 1>("4 plain | 1 tile, different warps", count, true);
}
