#pragma once

#include <armilla/transform/field.hpp>

#include <span>

namespace armilla::ops {

using core::Index;

/// Arithmetic on the pixels of maps, in the memory that holds the first map and in the precision of the field. No
/// function is collective. NaN pixels stay NaN. A batch of maps takes another batch of as many maps, or a single map
/// for all of them. Functions throw InputError if the two differ in grid or number of maps, or in number of components
/// where one component is not enough.

/// Multiplies component c by factors[c], in place.
template <class T>
void scale(transform::MapField<T>& map, std::span<const double> factors);

/// Adds `number` to all pixels of all components, in place.
template <class T>
void add(transform::MapField<T>& map, double number);

/// map = factors[c] map + other_factors[c] other for each component c, in place. `other` may be `map`.
template <class T>
void add(transform::MapField<T>& map, std::span<const double> factors, const transform::MapField<T>& other,
         std::span<const double> other_factors);

/// map = map other, in place. An `other` of one component multiplies all components. `other` may be `map`.
template <class T>
void multiply(transform::MapField<T>& map, const transform::MapField<T>& other);

}  // namespace armilla::ops
