#include <armilla/cost/built_in_rates.hpp>

namespace armilla::cost {

RateSet built_in_rates() {
  using enum Kernel;
  RateSet set;
  set.cores = 64;
  // Rates of the Legendre stage and of rings at two sizes, of one map and of many.
  set.samples = {
      {kScalarSynthesis, {{256, false, 1.9e10}, {1024, false, 3.0e10}, {4096, false, 3.5e10}, {384, true, 2.9e10}}},
      {kScalarAdjoint, {{256, false, 1.6e10}, {1024, false, 2.7e10}, {4096, false, 3.2e10}, {384, true, 2.3e10}}},
      {kSpinSynthesis, {{256, false, 1.8e10}, {1024, false, 3.0e10}, {4096, false, 3.4e10}, {384, true, 2.8e10}}},
      {kSpinAdjoint, {{256, false, 1.5e10}, {1024, false, 2.6e10}, {4096, false, 3.0e10}, {384, true, 2.2e10}}},
      {kResampling, {{1024, false, 4.0e10}, {4096, false, 4.0e10}}},
      {kEqualRings, {{512, false, 2.2e9}, {4096, false, 2.4e9}, {512, true, 2.2e9}}},
      {kEqualRingsAdjoint, {{512, false, 2.0e9}, {4096, false, 2.2e9}, {512, true, 2.0e9}}},
      {kMixedRings, {{512, false, 2.0e9}, {4096, false, 2.2e9}, {512, true, 2.0e9}}},
      {kMixedRingsAdjoint, {{512, false, 1.8e9}, {4096, false, 2.0e9}, {512, true, 1.8e9}}},
      {kRingModes, {{1024, false, 1.0e8}}},
      {kTables, {{1024, false, 1.0e8}}},
      {kInterpolation, {{1024, false, 5.0e8}}},
      {kSpreading, {{1024, false, 4.0e8}}},
      {kSorting, {{1024, false, 1.2e7}}},
      {kRadial, {{1024, false, 5.0e9}}},
      {kRandom, {{1024, false, 4.0e6}}},
      {kMemory, {{1024, false, 5.0e9}}},
      {kFiles, {{1, false, 50}}},
      {kReadHdf5, {{1, false, 1.0e9}}},
      {kReadFits, {{1, false, 4.0e8}}},
      {kReadText, {{1, false, 3.0e7}}},
      {kWriteHdf5, {{1, false, 5.0e8}}},
      {kWriteFits, {{1, false, 3.0e8}}},
      {kWriteText, {{1, false, 2.0e7}}},
  };
  set.latency = 5e-6;
  set.bandwidth = 1e10;
  set.process_bytes = Index{40} << 20;
  set.peer_bytes = Index{256} << 10;
  return set;
}

}  // namespace armilla::cost
