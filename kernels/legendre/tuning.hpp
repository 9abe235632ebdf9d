#pragma once

// Written by perf/tuning.py from perf/tuning.json.
namespace armilla::kernels {

/// Whose threads share tiles of rows and coefficients in shared memory, and wait for each other: those of a block of
/// several warps, or those of a single warp.
enum class Tiles { kOfBlock, kOfWarp };

/// Choices of the Legendre kernels on CUDA cores, as a template argument of bodies and launchers. Other variants derive
/// from this struct and replace some of its members.
struct Production {
  static constexpr Tiles kSynthesisTiles = Tiles::kOfWarp;
  /// Maximum pairs of rings per thread: powers of two.
  static constexpr int kSynthesisPairs = 4;
  /// Maximum pairs of rings per thread. The order of sums depends on it.
  static constexpr int kAdjointPairs = 4;
  /// Steps of a tile with sums in double; those with sums in float have 64.
  static constexpr int kSynthesisSteps = 32;
  /// Steps of a tile.
  static constexpr int kAdjointSteps = 64;
};

}  // namespace armilla::kernels
