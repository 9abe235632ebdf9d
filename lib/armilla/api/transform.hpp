#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla {

namespace api {
template <class T>
struct TransformState;
struct AlmOrders;
struct MapRings;
}  // namespace api

/// Parameters of a Transform.
struct TransformSpec {
  RingGrid grid;                           ///< pixels of the maps
  Index lmax;                              ///< highest degree of the coefficients
  std::optional<Index> mmax = {};          ///< highest order; default: lmax
  FieldKind fields = FieldKind::scalar();  ///< names and spins of the components
  Index maps = 1;                          ///< number of maps transformed together by each call
  std::string backend = "auto";            ///< "cpu", "cuda", or "auto": GPUs if all ranks can use one, else CPUs
  std::optional<int> threads = {};  ///< OpenMP threads of each call; default: those of a parallel region of the caller
  /// Whether synthesis, analysis and their adjoints throw InputError for values that are not finite, of which one makes
  /// all results NaN; costs a pass through the argument. Calls for vector fields do not check.
  bool check_finite = false;
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

/// Parameters of the calls of Transform for tangent vector fields.
struct VectorOptions {
  /// The two components of a vector in maps.
  enum class Axes {
    kEastNorth,  ///< eastward and northward, as FieldKind::wind()
    kSouthEast   ///< southward (theta) and eastward (phi), as FieldKind::vector()
  };
  /// Factor of the vectors that maps hold.
  enum class Factor {
    kNone,                ///< 1
    kCosLatitude,         ///< cos(latitude), as spectral models hold winds
    kInverseCosLatitude,  ///< 1 / cos(latitude)
  };

  double radius = 1;              ///< of the sphere, in the unit of length of the vectors and their derivatives
  Axes axes = Axes::kEastNorth;   ///< of the vectors in maps
  Factor factor = Factor::kNone;  ///< of the vectors in maps
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

  const Communicator& comm() const { return *comm_; }                       ///< the ranks of the transform
  const RingGrid& grid() const { return pixels_->grid(); }                  ///< the grid of its maps
  const AlmLayout& layout() const { return alm_->layout(); }                ///< lmax and mmax of its coefficients
  const FieldKind& fields() const { return fields_; }                       ///< names and spins of the components
  Index maps() const { return maps_; }                                      ///< number of maps transformed together
  const AlmDistribution& alm_distribution() const { return *alm_; }         ///< which rank owns which m
  const PixelDistribution& pixel_distribution() const { return *pixels_; }  ///< which rank owns which pixels
  /// Name of the backend in use: "cpu" or "cuda".
  std::string backend() const;
  /// Upper bound on the host memory of this rank [bytes] that the transform holds and its calls use, without the Alm
  /// and Map: what the constructor compares with the memory that is available. Iterations of analysis() use more.
  Index workspace_bytes() const;
  /// CUDA index of the GPU of this rank, as cudaSetDevice() takes it; -1 on CPUs.
  int device() const;

  /// Coefficients with the layout of the transform, all 0. Not collective. Throws ResourceError if they exceed the
  /// memory that is available to this rank, without the needs of other ranks.
  Alm<T> make_alm() const;
  /// A map on the grid of the transform, all 0. Not collective. Throws ResourceError like make_alm().
  Map<T> make_map() const;
  /// Coefficients in memory of the caller, with the layout of Alm::data() (maps: Map::data()): nothing is copied,
  /// and any alignment will do. The memory must outlive them, and is read and written only by calls that have them as
  /// arguments. With a GPU, data() brings results to this memory, and must precede changes of values in it. Not
  /// collective. Throws InputError for another size.
  Alm<T> alm_of(std::span<std::complex<T>> values) const;
  /// A map in memory of the caller, likewise.
  Map<T> map_of(std::span<T> values) const;
  /// Coefficients with other fields, such as make_vorticity_divergence() has.
  Alm<T> alm_of(std::span<std::complex<T>> values, const FieldKind& fields) const;
  /// The same for memory that is only read: calls that would write it throw InputError.
  Alm<T> const_alm_of(std::span<const std::complex<T>> values) const;
  /// The same with other fields.
  Alm<T> const_alm_of(std::span<const std::complex<T>> values, const FieldKind& fields) const;
  /// A map that is only read.
  Map<T> const_map_of(std::span<const T> values) const;

  // Fields in memory of the caller on the GPU of the transform, device(), which must outlive them. Calls read and write
  // it in place; work of the caller on it must be complete before a call, and that of a call is complete on return.
  // data() copies the values to host memory that the field allocates then. Values that were written on the host reach
  // the caller's memory with the next call or device_data(). All throw InputError for a transform on CPUs, memory of
  // the host or of another GPU, an address that is not a multiple of the size of a value, and another size. Arrays that
  // are too short are not always found.

  /// Coefficients of `size` values in memory of the caller on the GPU. Not collective.
  Alm<T> device_alm_of(std::complex<T>* values, std::size_t size) const;
  /// The same with other fields. Not collective.
  Alm<T> device_alm_of(std::complex<T>* values, std::size_t size, const FieldKind& fields) const;
  /// A map of `size` values on the GPU. Not collective.
  Map<T> device_map_of(T* values, std::size_t size) const;
  /// Coefficients on the GPU that are only read: calls that would write them throw InputError. Not collective.
  Alm<T> const_device_alm_of(const std::complex<T>* values, std::size_t size) const;
  /// The same with other fields. Not collective.
  Alm<T> const_device_alm_of(const std::complex<T>* values, std::size_t size, const FieldKind& fields) const;
  /// A map on the GPU that is only read. Not collective.
  Map<T> const_device_map_of(const T* values, std::size_t size) const;

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

  // Tangent vector fields, for transforms of pairs of spin 1, such as FieldKind::wind(); one transform of each pair.
  // Coefficients of E and B, which synthesis() and analysis() take, depend on the axes and the radius; those of the
  // calls below are derivatives. A call keeps memory for one Alm until the transform is destroyed. All throw InputError
  // for transforms of other spins, for a radius that is not positive, and if a ring is at a pole where the factor or
  // its inverse is infinite.

  /// Coefficients for vector_fields(): the two scalars vorticity and divergence of each pair, all 0. Not collective.
  /// Throws ResourceError like make_alm().
  Alm<T> make_vorticity_divergence() const;
  /// Collective. Computes vectors v from their vorticity r . curl v and divergence, [vorticity, divergence] of each
  /// pair. Degree 0 is ignored. Overwrites map.
  void vector_fields(const Alm<T>& vorticity_divergence, Map<T>& map, const VectorOptions& options = {});
  /// Collective. Computes vorticity and divergence of vectors, by analysis() with the default options. Overwrites
  /// vorticity_divergence; its degree 0 is 0. Also throws InputError like analysis().
  void vorticity_divergence(const Map<T>& map, Alm<T>& vorticity_divergence, const VectorOptions& options = {});
  /// Coefficients for gradient(): one scalar for each pair, all 0. Not collective. Throws ResourceError like
  /// make_alm().
  Alm<T> make_potential() const;
  /// Collective. Computes the gradient of scalars, one for each pair. Overwrites map.
  void gradient(const Alm<T>& potential, Map<T>& map, const VectorOptions& options = {});
  /// Collective. The adjoint of gradient(): a sum over pixels without weights. Overwrites potential.
  void adjoint_gradient(const Map<T>& map, Alm<T>& potential, const VectorOptions& options = {});

 private:
  Alm<T> make_scalars(const std::vector<const char*>& names) const;
  /// Collective. Throws InputError for fields or options that calls for vectors do not take.
  void check_vectors(const Alm<T>& scalars, Index for_each_pair, const Map<T>& map, const VectorOptions& options,
                     bool writes_map) const;
  Map<T> adopt_map(std::span<T> values, bool is_writable, std::shared_ptr<backend::Memory> memory = {}) const;
  Alm<T> adopt_alm(const FieldKind& fields, std::span<std::complex<T>> values, bool is_writable,
                   std::shared_ptr<backend::Memory> memory = {}) const;
  /// The memory of the GPU. Throws InputError without one, where `on_host` replaces `call`.
  std::shared_ptr<backend::Memory> device_memory(const char* call, const char* on_host) const;
  void check_one(const Alm<T>& alm) const;
  void check_one(const Map<T>& map) const;
  /// Collective. Throws InputError if a call cannot read and write these fields.
  template <class Read, class Written>
  void check(const Read& read, const Written& written) const;

  std::shared_ptr<const Communicator> comm_;
  FieldKind fields_;
  std::shared_ptr<const AlmDistribution> alm_;
  std::shared_ptr<const PixelDistribution> pixels_;
  Index maps_;
  std::shared_ptr<const api::AlmOrders> orders_;
  std::shared_ptr<const api::MapRings> rings_;
  std::shared_ptr<api::TransformState<T>> state_;
};

/// Not collective. Frees the memory of transforms that jobs on the ranks of `comm` have kept for the next job. Does not
/// affect objects in use, or results.
void clear_cache(const Communicator& comm);

}  // namespace armilla
