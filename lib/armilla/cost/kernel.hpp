#pragma once

#include <armilla/core/types.hpp>

#include <array>
#include <string>

namespace armilla::cost {

using core::Index;

/// What ranks spend time on, with a rate of its own each.
enum class Kernel {
  kScalarSynthesis,    ///< Legendre stage of scalars
  kScalarAdjoint,      ///< likewise, rings to coefficients
  kSpinSynthesis,      ///< Legendre stage of spin fields
  kSpinAdjoint,        ///< likewise, rings to coefficients
  kResampling,         ///< of Delta in theta
  kEqualRings,         ///< FFTs of rings of one length, Delta to pixels
  kEqualRingsAdjoint,  ///< pixels to Delta
  kMixedRings,         ///< FFTs of rings of many lengths, as on HEALPix, Delta to pixels
  kMixedRingsAdjoint,  ///< pixels to Delta
  kRingModes,          ///< corrections of an iterated analysis between ring modes and Delta
  kTables,             ///< construction of transforms
  kInterpolation,      ///< values at points from the fine grid
  kSpreading,          ///< the transpose
  kSorting,            ///< points into cells
  kRadial,             ///< convolution by rings
  kRandom,             ///< random coefficients
  kTouch,              ///< first use of fresh memory
  kMemory,             ///< passes over fields in memory
  kFiles,              ///< files that are made: opened, synced, renamed
  kReadHdf5,
  kReadFits,
  kReadText,
  kWriteHdf5,
  kWriteFits,
  kWriteText,
};
inline constexpr std::size_t kKernels = static_cast<std::size_t>(Kernel::kWriteText) + 1;

struct KernelInfo {
  Kernel kernel;
  const char* name;   ///< in files of rates
  const char* phase;  ///< of reports and forecasts
  const char* unit;   ///< of its work
};

/// One row per kernel, in the order of the enumeration.
const std::array<KernelInfo, kKernels>& kernels();
const KernelInfo& info(Kernel kernel);

/// Whether its rate is that of all ranks together, at the file system.
inline bool is_of_files(Kernel kernel) { return kernel >= Kernel::kFiles; }

}  // namespace armilla::cost
