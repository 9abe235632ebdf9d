#include <armilla/cost/kernel.hpp>

namespace armilla::cost {

const std::array<KernelInfo, kKernels>& kernels() {
  using enum Kernel;
  static constexpr const char* kFma = "FMA of the Legendre stage";
  static constexpr const char* kRingUnit = "n (4 + log2(n + 1)) of rings of n pixels";
  static const std::array<KernelInfo, kKernels> rows{{
      {kScalarSynthesis, "scalar_synthesis", "legendre", kFma},
      {kScalarAdjoint, "scalar_adjoint", "legendre", kFma},
      {kSpinSynthesis, "spin_synthesis", "legendre", kFma},
      {kSpinAdjoint, "spin_adjoint", "legendre", kFma},
      {kResampling, "resampling", "legendre", "FMA of resampling in theta"},
      {kEqualRings, "equal_rings", "rings", kRingUnit},
      {kEqualRingsAdjoint, "equal_rings_adjoint", "rings", kRingUnit},
      {kMixedRings, "mixed_rings", "rings", kRingUnit},
      {kMixedRingsAdjoint, "mixed_rings_adjoint", "rings", kRingUnit},
      {kRingModes, "ring_modes", "rings", "complex numbers of Delta"},
      {kTables, "tables", "prepare", "complex numbers of Delta of one map"},
      {kInterpolation, "interpolation", "points", "samples read"},
      {kSpreading, "spreading", "points", "samples written"},
      {kSorting, "sorting", "plan points", "points"},
      {kRadial, "radial", "convolve", "FMA of rows and ring FFTs"},
      {kRandom, "random", "random_alm", "coefficients"},
      {kTouch, "touch", "fields", "bytes"},
      {kMemory, "memory", "fields", "bytes"},
      {kFiles, "files", "write", "files"},
      {kReadHdf5, "read_hdf5", "read", "bytes"},
      {kReadFits, "read_fits", "read", "bytes"},
      {kReadText, "read_text", "read", "bytes"},
      {kWriteHdf5, "write_hdf5", "write", "bytes"},
      {kWriteFits, "write_fits", "write", "bytes"},
      {kWriteText, "write_text", "write", "bytes"},
  }};
  return rows;
}

const KernelInfo& info(Kernel kernel) { return kernels()[static_cast<std::size_t>(kernel)]; }

}  // namespace armilla::cost
