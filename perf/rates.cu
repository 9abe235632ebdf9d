// Rates of a GPU that decide between designs of the Legendre kernels. First in TFMA/s of the whole GPU: fused
// multiply-adds (DFMA), tensor-core tiles m8n8k4 and m16n8k4 (DMMA), and both at once, in the same warps and in
// different ones. Then in cycles of one multiprocessor for an instruction of a warp: DFMA with one, two and three
// operands that are not in the reuse cache, DMMA, loads from shared memory, exchanges between lanes.
//   perf_rates
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
  std::fprintf(stderr, "perf_rates: %s\n", cudaGetErrorString(status));
  std::exit(3);
}

// Memory of the GPU for results.
class Results {
 public:
  explicit Results(std::size_t bytes) { check(cudaMalloc(&data_, bytes)); }
  ~Results() { cudaFree(data_); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

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
  const Results out(sizeof(double) * blocks * kThreads);
  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  std::vector<float> milliseconds;
  for (int round = 0; round < 12; ++round) {
    check(cudaEventRecord(start));
    rate<kPlain, kTiles, kSixteen><<<blocks, kThreads>>>(out.as<double>(), 0.999, split);
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
}

constexpr int kWarps = 16;  // of the one block whose cycles are counted
constexpr int kRounds = 512;
constexpr int kNumbers = 2048;  // of shared memory

enum class Kind { kOne, kTwo, kThree, kTile, kTileBeside, kWide, kNarrow, kWideOfFour, kFragment, kExchange };

// Four for each chain.
template <Kind kKind>
__device__ void products(double (&sum)[kChains], const double (&a)[kChains], const double (&b)[kChains]) {
#pragma unroll
  for (int n = 0; n < 4; ++n)
#pragma unroll
    for (int i = 0; i < kChains; ++i)
      sum[i] = fma(kKind == Kind::kThree ? a[i] : a[0], kKind == Kind::kOne ? b[0] : b[i], sum[i]);
}

// kBytes per lane, from `address` plus multiples of `stride`.
template <int kBytes>
__device__ void loads(double (&number)[kChains], unsigned address, int stride) {
#pragma unroll
  for (int i = 0; i < kChains; i += kBytes / 8) {
    const unsigned at = address + static_cast<unsigned>(i / (kBytes / 8) * stride);
    if constexpr (kBytes == 16)
      asm volatile("ld.volatile.shared.v2.f64 {%0, %1}, [%2];" : "=d"(number[i]), "=d"(number[i + 1]) : "r"(at));
    else
      asm volatile("ld.volatile.shared.f64 %0, [%1];" : "=d"(number[i]) : "r"(at));
  }
}

// One round. Instructions per round are those of instructions_of().
template <Kind kKind>
__device__ void round_of(double (&sum)[kChains], const double (&a)[kChains], const double (&b)[kChains],
                         double (&c)[4][4], unsigned shared, int lane, int warp) {
  using enum Kind;
  if constexpr (kKind == kOne || kKind == kTwo || kKind == kThree) {
    products<kKind>(sum, a, b);
  } else if constexpr (kKind == kTile) {
#pragma unroll
    for (int i = 0; i < 4; ++i) armilla::kernels::tensor_tile(c[i], a + 2 * (i % 2), b[i]);
  } else if constexpr (kKind == kTileBeside) {
    // Two warps of each scheduler do 4 tiles, two do 32 DFMA: as many cycles if a DFMA takes two.
    if (warp % 8 < 4)
      round_of<kTile>(sum, a, b, c, shared, lane, warp);
    else
      products<kOne>(sum, a, b);
  } else if constexpr (kKind == kWide) {
    loads<16>(sum, shared, 16);
  } else if constexpr (kKind == kNarrow) {
    loads<8>(sum, shared, 8);
  } else if constexpr (kKind == kWideOfFour) {
    loads<16>(sum, shared + lane % 4 * 16, 256);
  } else if constexpr (kKind == kFragment) {
    loads<8>(sum, shared + lane * 8, 256);
  } else {
#pragma unroll
    for (int i = 0; i < kChains; ++i) {
      int low = __double2loint(sum[i]);
      asm volatile("shfl.sync.bfly.b32 %0, %0, 4, 31, -1;" : "+r"(low));
      sum[i] = __hiloint2double(1, low);
    }
  }
}

constexpr int instructions_of(Kind kind) {
  using enum Kind;
  if (kind == kOne || kind == kTwo || kind == kThree) return 4 * kChains;
  return kind == kTile || kind == kTileBeside || kind == kWide || kind == kWideOfFour ? 4 : kChains;
}

template <Kind kKind>
__global__ void __launch_bounds__(32 * kWarps, 1) count(double* out, long long* cycles, double x, double y) {
  __shared__ __align__(16) double numbers[kNumbers];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < kNumbers; i += blockDim.x) numbers[i] = x + i;
  double sum[kChains], a[kChains], b[kChains], c[4][4];
  for (int i = 0; i < kChains; ++i) {
    sum[i] = x * i;
    a[i] = x + i * lane;
    b[i] = y + i * warp;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[i][j] = x * i + j;
  const auto begin = static_cast<unsigned>(__cvta_generic_to_shared(numbers));
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int n = 0; n < kRounds; ++n) round_of<kKind>(sum, a, b, c, begin + ((n * 64) & 4095), lane, warp);
  const long long end = clock64();
  double total = 0;
  for (int i = 0; i < kChains; ++i) total += sum[i];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) total += c[i][j];
  out[threadIdx.x] = total;
  if (lane == 0) cycles[warp] = end - start;
}

// The least of five runs, each as long as its longest warp. `share`: 4 for what each scheduler has of its own, 1 for
// what the multiprocessor has once.
template <Kind kKind>
void show(const char* name, int share) {
  const Results out(sizeof(double) * 32 * kWarps), cycles(sizeof(long long) * kWarps);
  long long least = 0;
  for (int run = 0; run < 5; ++run) {
    count<kKind><<<1, 32 * kWarps>>>(out.as<double>(), cycles.as<long long>(), 0.999, 1.001);
    check(cudaGetLastError());
    long long of_warp[kWarps];
    check(cudaMemcpy(of_warp, cycles.as<long long>(), sizeof of_warp, cudaMemcpyDeviceToHost));
    const long long longest = *std::max_element(of_warp, of_warp + kWarps);
    least = run == 0 ? longest : std::min(least, longest);
  }
  const double instructions = static_cast<double>(kRounds) * instructions_of(kKind) * kWarps / share;
  std::printf("cycles: %-44s %6.2f of a %s\n", name, static_cast<double>(least) / instructions,
              share == 4 ? "scheduler" : "multiprocessor");
}

}  // namespace

int main() {
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::fprintf(stderr, "perf_rates: no GPU is visible\n");
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
  show<Kind::kOne>("DFMA, one operand", 4);
  show<Kind::kTwo>("DFMA, two operands", 4);
  show<Kind::kThree>("DFMA, three operands", 4);
  show<Kind::kTile>("DMMA, 16 rows", 4);
  show<Kind::kTileBeside>("DMMA of half of the warps, DFMA of the others", 4);
  show<Kind::kWide>("16-byte load, one address", 1);
  show<Kind::kNarrow>("8-byte load, one address", 1);
  show<Kind::kWideOfFour>("16-byte load, four addresses", 1);
  show<Kind::kFragment>("8-byte load, 32 addresses", 1);
  show<Kind::kExchange>("exchange between lanes", 1);
}
