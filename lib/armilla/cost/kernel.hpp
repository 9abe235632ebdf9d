#pragma once

#include <armilla/core/types.hpp>

#include <array>
#include <string>

namespace armilla::cost {

using core::Index;

/// Categories of work of ranks, each with its own rate.
enum class Kernel {
  kScalarSynthesis,    ///< Legendre stage of scalars
  kScalarAdjoint,      ///< Legendre stage of scalars, rings to coefficients
  kSpinSynthesis,      ///< Legendre stage of spin fields
  kSpinAdjoint,        ///< Legendre stage of spin fields, rings to coefficients
  kResampling,         ///< resampling of Delta in theta
  kEqualRings,         ///< FFTs of rings of equal length, Delta to pixels
  kEqualRingsAdjoint,  ///< FFTs of rings of equal length, pixels to Delta
  kMixedRings,         ///< FFTs of rings of many lengths, as on HEALPix, Delta to pixels
  kMixedRingsAdjoint,  ///< FFTs of rings of many lengths, pixels to Delta
  kRingModes,          ///< corrections of an iterated analysis between ring modes and Delta
  kTables,             ///< construction of tables of transforms
  kInterpolation,      ///< values at points from the fine grid
  kSpreading,          ///< adjoint of the interpolation
  kSorting,            ///< sorting of points into cells
  kRadial,             ///< convolution by rings
  kRandom,             ///< random coefficients
  kTouch,              ///< first access to newly allocated memory
  kMemory,             ///< passes over fields in memory
  kFiles,              ///< file creation: open, sync, rename
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
  const char* name;   ///< name in rate files
  const char* phase;  ///< name of the phase in reports and forecasts
  const char* unit;   ///< unit of its work
};

/// One row per kernel, in enumeration order.
const std::array<KernelInfo, kKernels>& kernels();
const KernelInfo& info(Kernel kernel);

/// Whether it is work on files, whose rate is that of all ranks together.
inline bool is_of_files(Kernel kernel) { return kernel >= Kernel::kFiles; }

/// Whether it is arithmetic of the Legendre stage, whose rate is a share of the FMA peak.
inline bool is_of_legendre(Kernel kernel) { return kernel <= Kernel::kResampling; }

}  // namespace armilla::cost
