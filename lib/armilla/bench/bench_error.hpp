#pragma once

#include <armilla/bench/bench_case.hpp>
#include <armilla/transform/field_transform.hpp>

namespace armilla::bench {

/// Collective. Relative rms difference between `transform` and the reference engine in double precision. It uses up to
/// 16 rings distributed over the grid, including the first and the last, for the first and the last map of the batch.
/// Synthesis, and the adjoint of analysis with weights: `map` = Y `alm` is compared on those rings with the synthesis
/// of `alm` on them alone. Analysis and adjoint: `map` is set to zero on all other rings, and `alm` becomes its
/// transform. As both are linear, it is compared, for all l and m, with the transform of those rings alone. Analysis on
/// equiangular grids and its adjoint combine rings: alm -> map -> alm, with synthesis or its adjoint, is compared with
/// `alm`.
template <class T>
double bench_error(transform::FieldTransform<T>& transform, BenchDirection direction, transform::AlmField<T>& alm,
                   transform::MapField<T>& map);

extern template double bench_error<float>(transform::FieldTransform<float>&, BenchDirection,
                                          transform::AlmField<float>&, transform::MapField<float>&);
extern template double bench_error<double>(transform::FieldTransform<double>&, BenchDirection,
                                           transform::AlmField<double>&, transform::MapField<double>&);

}  // namespace armilla::bench
