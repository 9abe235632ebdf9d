#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::transform {

using core::Index;

/// Components that transform together: one for spin 0, two (Q, U in maps; E, B in alm) for spin > 0.
struct SpinField {
  Index spin;        ///< of both components
  Index first;       ///< index of its first component within the field
  Index components;  ///< 1 or 2

  /// Equal in all members.
  friend bool operator==(const SpinField&, const SpinField&) = default;
};

/// Components of a field and their names in maps and in alm: any combination of scalars and pairs of any spin. The
/// coefficients of Q, U are named E, B, those of another pair X, Y are named E_X, B_Y.
class FieldKind {
 public:
  FieldKind() = default;
  /// One component of spin 0.
  static FieldKind scalar(std::string name = "T");
  /// Q, U in maps and E, B in alm: spin 2 alone.
  static FieldKind polarisation();
  /// T, Q, U in maps; T, E, B in alm.
  static FieldKind temperature_polarisation();
  /// Two components of any spin > 0: RE1, IM1 etc. in maps, E, B in alm; scalar() for spin 0. Throws InputError for
  /// spin < 0.
  static FieldKind spin(Index spin);
  /// Tangent vectors by their eastward and northward components U, V: spin 1.
  static FieldKind wind();
  /// Tangent vectors by their components V_THETA (southward) and V_PHI (eastward): spin 1.
  static FieldKind vector();
  /// Two components of a spin > 0 with the given names. Throws InputError for spin < 1.
  static FieldKind pair(Index spin, const std::string& first, const std::string& second);
  /// The components of all kinds, in order. Throws InputError if two components have the same name.
  static FieldKind joined(std::span<const FieldKind> kinds);
  /// Derives the kind from the names in a job or file, of maps or of alm. Q, U and E, B are spin 2, U, V (not after Q)
  /// wind(), V_THETA, V_PHI vector(), RE3, IM3 spin 3 and so on, others scalars; I is T. `spins`, one per name or
  /// empty, gives the spin of pairs with other names; kByName derives a spin from the name. Throws InputError for half
  /// a pair, also if it is the only component and its spin is derived from its name.
  static FieldKind from_names(std::span<const std::string> names, std::span<const Index> spins = {});
  static constexpr Index kByName = -1;  ///< derive the spin from the name

  /// Components that transform together, in the order of components.
  std::span<const SpinField> spin_fields() const { return spin_fields_; }
  /// Number of components.
  Index components() const { return static_cast<Index>(map_names_.size()); }
  const std::vector<std::string>& map_names() const { return map_names_; }  ///< of the components in maps
  const std::vector<std::string>& alm_names() const { return alm_names_; }  ///< of the components in alm
  /// Spin of each component.
  std::vector<Index> spins() const;
  /// The highest spin of a component.
  Index max_spin() const;

  /// Equal if the spin fields are equal; names are ignored.
  friend bool operator==(const FieldKind& a, const FieldKind& b) { return a.spin_fields_ == b.spin_fields_; }

 private:
  FieldKind(Index spin, std::vector<std::string> map_names, std::vector<std::string> alm_names);

  std::vector<SpinField> spin_fields_;
  std::vector<std::string> map_names_;
  std::vector<std::string> alm_names_;
};

}  // namespace armilla::transform
