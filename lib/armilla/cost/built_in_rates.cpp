#include <armilla/cost/rates.hpp>

namespace armilla::cost {

RateSet built_in_rates() {
  using enum Kernel;
  RateSet set;
  set.cores = 64;
  // Rates of the Legendre stage and of rings at several sizes, for one map and for many. The Legendre stage reaches
  // 32% to 75% of kBuiltInFmaPeak, the shares that were measured on cores with AVX-512.
  set.samples = {
      {kScalarSynthesis,
       {{256, false, 1.3e10},
        {1024, false, 1.4e10},
        {4096, false, 1.5e10},
        {256, true, 1.25e10},
        {2048, true, 1.5e10}}},
      {kScalarAdjoint,
       {{256, false, 1.2e10}, {1024, false, 1.3e10}, {4096, false, 1.4e10}, {256, true, 0.9e10}, {2048, true, 1.4e10}}},
      {kSpinSynthesis,
       {{256, false, 0.95e10},
        {1024, false, 1.3e10},
        {4096, false, 1.45e10},
        {256, true, 0.85e10},
        {2048, true, 1.45e10}}},
      {kSpinAdjoint,
       {{256, false, 0.85e10},
        {1024, false, 1.25e10},
        {4096, false, 1.3e10},
        {256, true, 0.65e10},
        {2048, true, 1.3e10}}},
      {kResampling, {{1024, false, 1.5e10}}},
      {kEqualRings, {{512, false, 9.0e9}, {4096, false, 7.8e9}, {512, true, 6.0e9}}},
      {kEqualRingsAdjoint, {{512, false, 9.0e9}, {4096, false, 7.8e9}, {512, true, 6.5e9}}},
      {kMixedRings, {{512, false, 3.2e9}, {2048, false, 3.5e9}, {512, true, 3.3e9}}},
      {kMixedRingsAdjoint, {{512, false, 3.4e9}, {2048, false, 3.4e9}, {512, true, 3.5e9}}},
      {kRingModes, {{256, false, 6.0e7}, {256, true, 1.3e8}}},
      {kTables, {{256, false, 8.0e7}, {2048, false, 2.5e8}}},
      {kInterpolation, {{512, false, 6.0e9}}},
      {kSpreading, {{512, false, 4.5e9}}},
      {kSorting, {{512, false, 5.0e7}}},
      {kRadial, {{2048, false, 1.0e10}}},
      {kRandom, {{512, false, 2.5e7}}},
      {kTouch, {{1024, false, 2.0e9}}},
      {kMemory, {{1024, false, 1.0e10}}},
      {kFiles, {{1, false, 50}}},
      {kReadHdf5, {{1, false, 1.5e9}}},
      {kReadFits, {{1, false, 7.0e8}}},
      {kReadText, {{1, false, 3.0e7}}},
      {kWriteHdf5, {{1, false, 7.0e8}}},
      {kWriteFits, {{1, false, 2.5e8}}},
      {kWriteText, {{1, false, 2.0e7}}},
  };
  set.latency = 5e-6;
  set.bandwidth = 1e10;
  set.process_bytes = Index{40} << 20;
  set.peer_bytes = Index{256} << 10;
  return set;
}

}  // namespace armilla::cost
