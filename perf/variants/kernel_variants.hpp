#pragma once

#include <string>
#include <vector>

#include <kernels/legendre/scalar_launchers.hpp>

namespace armilla::perf {

/// Kernels on CUDA cores that differ from those of jobs in one direction.
struct KernelVariant {
  const char* name;
  const char* what;
  std::string choices;  ///< that differ from those of jobs, as in choices_of
  kernels::ScalarKernels kernels;
};

/// The choices of a variant as members of perf/tuning.json, separated by commas: all of them, or those that differ from
/// those of jobs. For example "adjoint.steps=64".
template <class Variant>
std::string choices_of(bool all) {
  using kernels::Production;
  std::string text;
  const auto add = [&](const char* name, const std::string& value, const std::string& of_jobs) {
    if (!all && value == of_jobs) return;
    if (!text.empty()) text += ',';
    text.append(name).append("=").append(value);
  };
  const auto tiles = [](kernels::Tiles some) { return some == kernels::Tiles::kOfWarp ? "warp" : "block"; };
  const auto number = [](int some) { return std::to_string(some); };
  add("synthesis.tiles", tiles(Variant::kSynthesisTiles), tiles(Production::kSynthesisTiles));
  add("synthesis.pairs", number(Variant::kSynthesisPairs), number(Production::kSynthesisPairs));
  add("synthesis.steps", number(Variant::kSynthesisSteps), number(Production::kSynthesisSteps));
  add("adjoint.pairs", number(Variant::kAdjointPairs), number(Production::kAdjointPairs));
  add("adjoint.steps", number(Variant::kAdjointSteps), number(Production::kAdjointSteps));
  return text;
}

/// Compiled for devices and for the emulated device.
std::vector<KernelVariant> synthesis_variants();
std::vector<KernelVariant> adjoint_variants();

}  // namespace armilla::perf
