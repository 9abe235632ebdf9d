#pragma once

#include <armilla/iteration/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::iteration {

/// The data of a map that an iteration keeps between its corrections.
enum class Scheme {
  kPixel,        ///< the map itself; any weights
  kRing,         ///< the modes of its rings, transformed once; per-ring weights
  kNormalMatrix  ///< none: coefficients only, by the normal matrix (docs/decisions/0017-normal-matrix.md)
};

/// Names of the schemes: "pixel", "ring", "normal_matrix", in enumeration order.
std::vector<std::string> scheme_names();
const char* name_of(Scheme scheme);

/// The order in which the corrections of an analysis are applied.
enum class Order {
  kJacobi,    ///< every m uses the residual of the previous round
  kImmediate  ///< each m, in ascending order, uses the residual after the previous m: fastSHT's scheme (Tian, Li & Liu
              ///< 2022)
};

/// An iterated analysis: alm = A map, then repeatedly alm += A (map - Y alm), where A is a quadrature.
struct IterationSpec {
  Order order = Order::kJacobi;
  Index count = 0;                    ///< corrections after the first analysis
  bool ring_weights = false;          ///< whether A multiplies each ring by a weight of its own
  std::optional<Scheme> scheme = {};  ///< requested scheme; unset: chosen automatically
};

/// Why these iterations cannot use a scheme; empty if they can:
///
///   order       pixel   ring           normal_matrix
///   jacobi      yes     ring weights   ring weights, CPU, rings that mirror each other, tables below 1 GiB
///   immediate   no      ring weights   no
///
/// (cg and lsmr use rings with per-ring weights, otherwise pixels: ops/solvers/normal_equations.hpp.)
std::string why_not(Scheme scheme, const FieldTransformSpec& spec, const IterationSpec& iterations);

/// The requested scheme, or else the best one: the normal matrix for the maps of a campaign, otherwise rings, otherwise
/// pixels. The choice depends on grid, lmax, spins, weights, backend and whether the maps belong to a campaign. It does
/// not depend on the number of maps, ranks or threads. Throws InputError if the requested scheme is not supported.
Scheme choose_scheme(const FieldTransformSpec& spec, const IterationSpec& iterations);

/// Whether the ranks deal the maps of an iteration among themselves, so that each iterates whole maps alone.
bool deals_whole_maps(Scheme scheme, Order order);

}  // namespace armilla::iteration
