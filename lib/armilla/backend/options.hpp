#pragma once

#include <armilla/core/types.hpp>
#include <armilla/resample/fine_grid.hpp>

#include <string>
#include <vector>

namespace armilla::backend {

using core::Index;

/// What a job computes with. kAuto leaves the choice to transform::choose_backend(), which takes the first of the
/// others that can work and deserves trust.
enum class Kind { kAuto, kCuda, kCpu };

/// "auto", "cuda", "cpu", in the order of the enumeration: the names in jobs, options and reports.
std::vector<std::string> kind_names();
const char* name_of(Kind kind);
/// The kind of that name. Throws InputError, naming the choices, for others.
Kind kind_of(const std::string& name);

/// Whether the backend computes on devices.
constexpr bool has_device(Kind kind) { return kind == Kind::kCuda; }

/// Whether the Legendre stage runs on the least set of rings that fixes fields of its lmax, from which Delta_m is
/// resampled in theta to the rings of the grid (docs/decisions/0008-theta-resampling.md).
enum class ThetaResampling {
  kAuto,  ///< where it saves time (resample::pays, by lmax and the grid only) and the engine is not "reference"
  kOn,    ///< always; slower where the grid has few rings
  kOff
};

/// How a backend computes. All options here may change the last bits of a result; nothing else does.
struct Options {
  std::string engine = "auto";  ///< of the Legendre stage: a name of legendre::engine_names()
  ThetaResampling theta_resampling = ThetaResampling::kAuto;
  /// Of transforms at points: the rings of the grid are those of this fine grid, and Delta_m there is what sums with
  /// its kernel over theta make Delta_m of. Length 0: of other transforms.
  resample::FineGrid deconvolved = {};

  friend bool operator==(const Options&, const Options&) = default;
};

/// "auto", "on", "off", in the order of the enumeration.
std::vector<std::string> theta_resampling_names();
const char* name_of(ThetaResampling choice);

/// Why these options need the CPU (they name an engine); empty where they do not.
std::string why_cpu(const Options& options);

/// The fine grid by which a transform of degree `lmax` is resampled.
resample::FineGrid fine_grid(const Options& options, Index lmax);

/// Whether a transform of degree `lmax` on a grid of that many pairs of rings is resampled.
bool is_resampled(const Options& options, Index lmax, Index pairs);

}  // namespace armilla::backend
