#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::backend {

using core::Index;

/// Whether the Legendre stage runs on a least set of rings, from which Delta_m is resampled in theta to those of the
/// grid (docs/decisions/0008-theta-resampling.md).
enum class ThetaResampling {
  kAuto,  ///< where it saves time (resample::pays, which looks at lmax and the grid only), unless the engine is
          ///< "reference", which stays plain
  kOn,    ///< always; slower where the grid has few rings
  kOff
};

/// How a backend is to compute. Everything in here may change the last bits of a result, nothing else may.
struct Options {
  std::string engine = "auto";  ///< of the Legendre stage: a name of legendre::engine_names()
  ThetaResampling theta_resampling = ThetaResampling::kAuto;

  friend bool operator==(const Options&, const Options&) = default;
};

/// "auto", "on", "off", in the order of the enumeration.
std::vector<std::string> theta_resampling_names();
const char* name_of(ThetaResampling choice);

/// Why these options ask for the CPU, as they do by naming an engine; empty where they do not.
std::string why_cpu(const Options& options);

/// True where a transform of degree `lmax` on a grid of that many pairs of rings is going to be resampled.
bool is_resampled(const Options& options, Index lmax, Index pairs);

}  // namespace armilla::backend
