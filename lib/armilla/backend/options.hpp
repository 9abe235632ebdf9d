#pragma once

#include <armilla/core/types.hpp>
#include <armilla/resample/fine_grid.hpp>

#include <string>
#include <vector>

namespace armilla::backend {

using core::Index;

/// The compute backend of a job. kAuto leaves the choice to transform::choose_backend(), which takes the first backend
/// that can be used and passes its checks.
enum class Kind { kAuto, kCuda, kCpu };

/// "auto", "cuda", "cpu", in enumeration order: the names in jobs, options and reports.
std::vector<std::string> kind_names();
const char* name_of(Kind kind);
/// The kind with that name. Throws InputError, listing the choices, for other names.
Kind kind_of(const std::string& name);

/// Whether the backend computes on devices.
constexpr bool has_device(Kind kind) { return kind == Kind::kCuda; }

/// Whether the Legendre stage runs on the smallest set of rings that determines fields of its lmax. Delta_m is then
/// resampled in theta to the rings of the grid (docs/decisions/0008-theta-resampling.md).
enum class ThetaResampling {
  kAuto,  ///< if it saves time (resample::pays, by lmax and the grid only) and the engine is not "reference"
  kOn,    ///< always; slower if the grid has few rings
  kOff
};

/// How a backend computes. All options here may change the last bits of a result; no other option does.
struct Options {
  std::string engine = "auto";  ///< of the Legendre stage: a name of legendre::engine_names()
  ThetaResampling theta_resampling = ThetaResampling::kAuto;
  /// For transforms at points: the rings of the grid are those of this fine grid. Delta_m is deconvolved there, so that
  /// kernel sums over theta reproduce it. The length is 0 for other transforms.
  resample::FineGrid deconvolved = {};

  friend bool operator==(const Options&, const Options&) = default;
};

/// "auto", "on", "off", in enumeration order.
std::vector<std::string> theta_resampling_names();
const char* name_of(ThetaResampling choice);

/// Why these options require the CPU (they name an engine); empty if they do not.
std::string why_cpu(const Options& options);

/// The fine grid for resampling a transform of degree `lmax`.
resample::FineGrid fine_grid(const Options& options, Index lmax);

/// Whether a transform of degree `lmax` on a grid of that many pairs of rings is resampled.
bool is_resampled(const Options& options, Index lmax, Index pairs);

}  // namespace armilla::backend
