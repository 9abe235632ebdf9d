#pragma once

#include <armilla/iteration/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::iteration {

/// What an iteration keeps of a map between its corrections.
enum class Scheme {
  kPixel,        ///< the map itself: any weights
  kRing,         ///< the modes of its rings, which are transformed once: weights of rings
  kNormalMatrix  ///< nothing: coefficients alone, by the normal matrix (docs/decisions/0017-normal-matrix.md)
};

/// Of a scheme: "pixel", "ring", "normal_matrix", in the order of the enumeration.
std::vector<std::string> scheme_names();
const char* name_of(Scheme scheme);

/// In which order the corrections of an analysis see each other.
enum class Order {
  kJacobi,    ///< all m see what the round before left of the map
  kImmediate  ///< each m, in ascending order, sees what the m before it left: fastSHT's scheme (Tian, Li & Liu 2022)
};

/// An iterated analysis, alm = A map and then so often alm += A (map - Y alm), A a quadrature.
struct Corrections {
  Order order = Order::kJacobi;
  Index count = 0;
  bool ring_weights = false;          ///< whether A multiplies each ring by a number of its own
  std::optional<Scheme> scheme = {};  ///< asked for; none: chosen
};

/// Why corrections cannot go by a scheme; empty where they can. The table:
///
///   order       pixel   ring           normal_matrix
///   jacobi      yes     ring weights   ring weights, CPU, rings that mirror each other, tables below 1 GiB
///   immediate   no      ring weights   no
///
/// (cg and lsmr go by rings where weights are those of rings, else by pixels: ops/solvers/normal_equations.hpp.)
std::string why_not(Scheme scheme, const FieldTransformSpec& spec, const Corrections& corrections);

/// The scheme that is asked for, else the best: the normal matrix for the maps of a campaign, else rings, else pixels.
/// Depends on grid, lmax, spins, weights, backend and whether the maps are of a campaign, never on how many there are,
/// nor on ranks and threads. Throws InputError where what is asked for cannot be.
Scheme choose_scheme(const FieldTransformSpec& spec, const Corrections& corrections);

}  // namespace armilla::iteration
