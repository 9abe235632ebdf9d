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

/// What is transformed, between which grid and which coefficients.
struct TransformSpec {
  RingGrid grid;                           ///< pixels of the maps
  Index lmax;                              ///< highest degree of the coefficients
  std::optional<Index> mmax = {};          ///< highest order; none: lmax
  FieldKind fields = FieldKind::scalar();  ///< names and spins of the components
  Index maps = 1;                          ///< maps that each call transforms together
  std::string backend = "auto";            ///< "cpu", "cuda", or "auto": GPUs where all ranks can use one, else CPUs
};

/// Weights of pixels in an analysis.
enum class Weights {
  kGrid,  ///< the quadrature weights of the grid
  kRing,  ///< HEALPix: of rings, with which all zonal harmonics up to 25/8 nside integrate exactly
  kPixel  ///< HEALPix: of pixels, with which all harmonics up to 3 nside integrate exactly; found once and cached on
          ///< disk
};

/// How Transform::analysis() finds coefficients.
struct AnalysisOptions {
  Index iterations = 0;  ///< how often alm += A (map - Y alm) follows alm = A map, A the quadrature; exact grids need 0
  Weights weights = Weights::kGrid;  ///< of the quadrature
};

/// What Transform::analysis_to_tolerance() reached for one map, the worst of its spin fields (T; Q with U).
struct ToleranceResult {
  bool converged;       ///< whether the tolerance was reached
  Index iterations;     ///< how many it took
  double alm_error;     ///< estimated rms error of the coefficients over their rms
  double map_residual;  ///< rms of map - Y alm over that of the map
};

/// Transforms between maps on one grid and coefficients up to one lmax, for fields of any mixture of spins. T, the type
/// of the numbers, is float or double; `Transform t(comm, spec)` is a Transform<double>. Workspace is allocated at
/// construction and kept until destruction. A transform and the fields that it makes share a duplicate of the
/// communicator. Whichever is destroyed last frees it, which is collective and happens before MPI ends. A moved-from
/// transform can only be assigned to or destroyed.
///
/// Fields of another transform are taken where their components have the same spins, and their number of maps, layout
/// or grid, and ranks are the same; otherwise calls throw InputError.
template <class T = double>
class Transform {
 public:
  /// Collective. Throws InputError for lmax below 0 or the spin, mmax > lmax, maps < 1 and unknown backends;
  /// ResourceError where memory does not suffice, on the host or a GPU, or the named backend cannot work here.
  Transform(const Communicator& comm, TransformSpec spec);
  /// Not collective.
  Transform(Transform&& other) noexcept = default;
  /// Collective: frees what it was before.
  Transform& operator=(Transform&& other) noexcept = default;

  const Communicator& comm() const { return *comm_; }         ///< the ranks that it works on
  const RingGrid& grid() const { return pixels_->grid(); }    ///< of its maps
  const AlmLayout& layout() const { return alm_->layout(); }  ///< lmax and mmax of its coefficients
  const FieldKind& fields() const { return fields_; }         ///< names and spins of the components
  /// Name of the backend in use: "cpu" or "cuda".
  std::string backend() const;

  /// Coefficients of the transform's layout, all 0. Not collective. Throws ResourceError where memory does not suffice.
  Alm<T> make_alm() const;
  /// A map on the transform's grid, all 0. Not collective. Throws ResourceError where memory does not suffice.
  Map<T> make_map() const;

  /// Collective. map = Y alm: the fields with these coefficients at the pixels. Overwrites map.
  void synthesis(const Alm<T>& alm, Map<T>& map);
  /// Collective. alm = Y^T map: the sum over pixels of map times conj(Y_lm), without weights. Overwrites alm.
  void adjoint_synthesis(const Map<T>& map, Alm<T>& alm);
  /// Collective. Finds the coefficients of a map by quadrature, and iterations. Overwrites alm. Its workspace stays
  /// allocated for calls with the same options. Throws InputError where lmax, mmax or the spin exceed what the grid
  /// carries (RingGrid::analysis_limits()), for grids without weights, which are those of parts of the sky and some
  /// from files, for weights that the grid does not have, and for negative iterations.
  void analysis(const Map<T>& map, Alm<T>& alm, AnalysisOptions options = {});
  /// Collective. map = W Y alm, the adjoint of analysis() with the default options. Overwrites map. Throws InputError
  /// as that.
  void adjoint_analysis(const Alm<T>& alm, Map<T>& map);
  /// Collective. Finds the coefficients of a map to `tolerance`, their relative rms error; returns what was reached for
  /// each map. Overwrites alm. Throws InputError where analysis() does, where the precision or the grid cannot give the
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

}  // namespace armilla
