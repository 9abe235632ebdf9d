#!/usr/bin/env python3
"""Writes kernels/legendre/tuning.hpp, the choices of the Legendre kernels in jobs, from tuning.json.

    tuning.py [PATH]     writes the header; PATH, written by part "tune" of the GPU report, replaces tuning.json
    tuning.py --check    exit code 1 if the header is not what tuning.json gives

Member "measured" of tuning.json says why the choices were made."""

import json
import pathlib
import sys

HOME = pathlib.Path(__file__).resolve().parent
CHOICES = HOME / "tuning.json"
HEADER = HOME.parent / "kernels" / "legendre" / "tuning.hpp"
# Values for which kernels can be compiled. Fewer pairs than this are a choice for each transform.
VALUES = {
    "synthesis": {"tiles": ("block", "warp"), "pairs": (1, 2, 4, 8), "steps": (16, 32, 64)},
    "adjoint": {"pairs": (1, 2, 4, 8), "steps": (16, 32, 64)},
}
TEXT = """#pragma once

// Written by perf/tuning.py from perf/tuning.json.
namespace armilla::kernels {

/// Whose threads share tiles of rows and coefficients in shared memory, and wait for each other: those of a block of
/// several warps, or those of a single warp.
enum class Tiles { kOfBlock, kOfWarp };

/// Choices of the Legendre kernels on CUDA cores, as a template argument of bodies and launchers. Other variants derive
/// from this struct and replace some of its members.
struct Production {
  static constexpr Tiles kSynthesisTiles = Tiles::%(tiles)s;
  /// Maximum pairs of rings per thread: powers of two.
  static constexpr int kSynthesisPairs = %(synthesis_pairs)d;
  /// Maximum pairs of rings per thread. The order of sums depends on it.
  static constexpr int kAdjointPairs = %(adjoint_pairs)d;
  /// Steps of a tile with sums in double; those with sums in float have 64.
  static constexpr int kSynthesisSteps = %(synthesis_steps)d;
  /// Steps of a tile.
  static constexpr int kAdjointSteps = %(adjoint_steps)d;
};

}  // namespace armilla::kernels
"""


def header_of(tuning):
    """The text of the header. Raises ValueError for choices without a kernel."""
    own = {kernel: set(choices) for kernel, choices in tuning.items() if kernel != "measured"}
    if own != {kernel: set(values) for kernel, values in VALUES.items()}:
        raise ValueError("tuning.json must have exactly the members of VALUES in tuning.py")
    for kernel, choices in VALUES.items():
        for name, values in choices.items():
            if tuning[kernel][name] not in values:
                raise ValueError("%s.%s: %r is none of %s" % (kernel, name, tuning[kernel][name], values))
    if tuning.get("measured", {}).get("device") == "emulated":
        raise ValueError("the emulated device has no times by which to choose")
    synthesis, adjoint = tuning["synthesis"], tuning["adjoint"]
    return TEXT % {
        "tiles": {"block": "kOfBlock", "warp": "kOfWarp"}[synthesis["tiles"]],
        "synthesis_pairs": synthesis["pairs"],
        "adjoint_pairs": adjoint["pairs"],
        "synthesis_steps": synthesis["steps"],
        "adjoint_steps": adjoint["steps"],
    }


def main(words):
    check = words == ["--check"]
    path = CHOICES if check or not words else pathlib.Path(words[0])
    chosen = path.read_text()
    text = header_of(json.loads(chosen))
    if check:
        return 0 if HEADER.read_text() == text else 1
    HEADER.write_text(text)
    CHOICES.write_text(chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
