#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla {

namespace api {
template <class T>
struct TransformState;
}  // namespace api

/// Parameters of a Transform.
struct TransformSpec {
  RingGrid grid;                           ///< pixels of the maps
  Index lmax;                              ///< highest degree of the coefficients
  std::optional<Index> mmax = {};          ///< highest order; default: lmax
  FieldKind fields = FieldKind::scalar();  ///< names and spins of the components
  Index maps = 1;                          ///< number of maps transformed together by each call
  std::string backend = "auto";            ///< "cpu", "cuda", or "auto": GPUs if all ranks can use one, else CPUs
};

/// Weights of pixels in an analysis.
enum class Weights {
  kGrid,  ///< the quadrature weights of the grid
  /// One weight per ring. HEALPix: all zonal harmonics up to 25/8 nside integrate exactly. Equiangular grids: exact up
  /// to half of the highest lmax, for maps without power above lmax; faster than kGrid, which is exact for all maps.
  kRing,
  /// HEALPix: pixel weights, with which all harmonics up to 3 nside integrate exactly; computed once and cached on
  /// disk.
  kPixel
};

/// Parameters of Transform::analysis().
struct AnalysisOptions {
  Index iterations = 0;  ///< steps alm += A (map - Y alm) after alm = A map, A the quadrature; exact grids need 0
  Weights weights = Weights::kGrid;  ///< of the quadrature
};

/// Result of Transform::analysis_to_tolerance() for one map: the worst of its spin fields (T; Q with U).
struct ToleranceResult {
  bool converged;       ///< whether the tolerance was reached
  Index iterations;     ///< number of iterations
  double alm_error;     ///< estimated rms error of the coefficients divided by their rms
  double map_residual;  ///< rms of map - Y alm divided by that of the map
};

/// Transforms between maps on one grid and coefficients up to one lmax, for fields of any mixture of spins. T, the type
/// of the values, is float or double; `Transform t(comm, spec)` is a Transform<double>. Workspace is allocated at
/// construction and kept until destruction. A transform and the fields that it creates share the communicator.
/// Destroying and moving them is local, and possible in any order on each rank, also after MPI_Finalize. A moved-from
/// transform can only be assigned to or destroyed.
///
/// Fields of another transform are accepted if the spins of their components, the number of maps, layout or grid, and
/// ranks are the same; otherwise calls throw InputError.
template <class T = double>
class Transform {
 public:
  /// Collective. Throws InputError for lmax below 0 or below the spin, mmax > lmax, maps < 1 and unknown backends.
  /// Throws ResourceError if memory is insufficient, on the host or a GPU, or if the named backend is not available. On
  /// the host, the transform with one Alm and one Map must fit, for all ranks of a node together, in the memory that is
  /// available or in the total ARMILLA_MEMORY_LIMIT (such as 64G or none) of the environment. Memory that the process
  /// holds already counts as that of such fields, because another transform may have made them; make_alm() and
  /// make_map() check again, for their own rank. Prints a warning once if a node has more OpenMP threads than CPUs and
  /// threads spin while they wait (docs/cluster.md).
  Transform(const Communicator& comm, TransformSpec spec);
  /// Not collective.
  Transform(Transform&& other) noexcept = default;
  /// Not collective. Releases the previous transform.
  Transform& operator=(Transform&& other) noexcept = default;

  const Communicator& comm() const { return *comm_; }         ///< the ranks of the transform
  const RingGrid& grid() const { return pixels_->grid(); }    ///< the grid of its maps
  const AlmLayout& layout() const { return alm_->layout(); }  ///< lmax and mmax of its coefficients
  const FieldKind& fields() const { return fields_; }         ///< names and spins of the components
  /// Name of the backend in use: "cpu" or "cuda".
  std::string backend() const;

  /// Coefficients with the layout of the transform, all 0. Not collective. Throws ResourceError if they exceed the
  /// memory that is available to this rank, without the needs of other ranks.
  Alm<T> make_alm() const;
  /// A map on the grid of the transform, all 0. Not collective. Throws ResourceError like make_alm().
  Map<T> make_map() const;

  /// Collective. map = Y alm: the fields with these coefficients at the pixels. Overwrites map.
  void synthesis(const Alm<T>& alm, Map<T>& map);
  /// Collective. alm = Y^T map: the sum over pixels of map times conj(Y_lm), without weights. Overwrites alm.
  void adjoint_synthesis(const Map<T>& map, Alm<T>& alm);
  /// Collective. Computes the coefficients of a map by quadrature and iterations. Overwrites alm. The workspace stays
  /// allocated for calls with the same options. Throws InputError if lmax, mmax or the spin exceed the limits of the
  /// grid (RingGrid::analysis_limits()), for grids without weights (parts of the sky, and some rings files), for
  /// weights that the grid does not support, and for negative iterations.
  void analysis(const Map<T>& map, Alm<T>& alm, AnalysisOptions options = {});
  /// Collective. map = W Y alm, the adjoint of analysis() with the default options. Overwrites map. Throws InputError
  /// like analysis().
  void adjoint_analysis(const Alm<T>& alm, Map<T>& map);
  /// Collective. Computes the coefficients of a map to `tolerance`, their relative rms error; returns the result for
  /// each map. Overwrites alm. Throws InputError like analysis(), if the precision or the grid does not support the
  /// tolerance, and for maps with NaN or infinite pixels.
  std::vector<ToleranceResult> analysis_to_tolerance(const Map<T>& map, Alm<T>& alm, double tolerance);

 private:
  void check(const Alm<T>& alm, const Map<T>& map) const;

  std::shared_ptr<const Communicator> comm_;
  FieldKind fields_;
  std::shared_ptr<const AlmDistribution> alm_;
  std::shared_ptr<const PixelDistribution> pixels_;
  Index maps_;
  std::shared_ptr<api::TransformState<T>> state_;
};

/// Not collective. Frees the memory of transforms that jobs on the ranks of `comm` have kept for the next job. Does not
/// affect objects in use, or results.
void clear_cache(const Communicator& comm);

}  // namespace armilla
