#ifndef ARMILLA_H
#define ARMILLA_H

/** @file
 *  Armilla for C and, through iso_c_binding, for Fortran: the calls of <armilla/armilla.hpp>, on arrays of the program.
 *
 *  All functions but armilla_version() and armilla_last_error() return a status. After another status than ARMILLA_OK,
 *  armilla_last_error() says what is wrong and what to do, and results are unspecified. No function aborts or throws.
 *
 *  Handles stand for objects. A handle of zeros stands for none. A function that creates an object sets its last
 *  argument; armilla_..._free() destroys the object and sets the handle to zeros. Handles that are null, freed or of
 *  another kind are errors. Objects keep what they need: a session or a grid may be freed before the transforms on it.
 *
 *  Functions marked [collective] must be called by all ranks of the session, in the same order; an error of one rank is
 *  returned on all of them. Freeing is local. MPI is initialised and finalised by the program. An object may be used by
 *  one thread at a time.
 *
 *  Arrays have the sizes that their functions state, in values: one complex value counts once. Coefficients are
 *  [map][component][local order m][l = m .. lmax] with the m of armilla_transform_orders(); pixels are
 *  [map][component][pixel] with the ranges of armilla_transform_pixel_ranges(); on one rank, all m, and all pixels of
 *  the grid. Arrays are used in place, without a copy, and need no alignment beyond that of their type. Arrays of maps,
 *  coefficients and values at points are in the memory of a GPU if options.device_memory is 1, all others always in
 * that of the host.
 */

#include <stdint.h>

#ifdef __cplusplus
#include <complex>
/** A complex number in double precision. */
typedef std::complex<double> armilla_complex_double;
/** A complex number in single precision. */
typedef std::complex<float> armilla_complex_float;
extern "C" {
#else
#include <complex.h>
/** A complex number in double precision. */
typedef double _Complex armilla_complex_double;
/** A complex number in single precision. */
typedef float _Complex armilla_complex_float;
#endif

/** Version of this interface: the number changes when programs must be compiled anew. */
#define ARMILLA_C_VERSION 1

/** What a function returns. */
enum armilla_status {
  ARMILLA_OK = 0,
  ARMILLA_INPUT_ERROR = 2,    /**< an argument or a file is not valid */
  ARMILLA_RESOURCE_ERROR = 3, /**< memory, disk or a device is exhausted or failed */
  ARMILLA_INTERNAL_ERROR = 4, /**< a bug in Armilla */
  ARMILLA_STOPPED = 5         /**< stopped by a signal */
};

/** Version of the library, such as "0.2.0". */
const char* armilla_version(void);
/** Message of the last call of this thread that failed; empty if none has. Valid until the next call that fails. */
const char* armilla_last_error(void);

/* Handles. */
/** Handle of ranks that work together. */
typedef struct armilla_session {
  int64_t id; /**< 0: none */
} armilla_session;
/** Handle of a grid: the pixels of maps. */
typedef struct armilla_grid {
  int64_t id; /**< 0: none */
} armilla_grid;
/** Handle of a transform between maps and coefficients. */
typedef struct armilla_transform {
  int64_t id; /**< 0: none */
} armilla_transform;
/** Handle of a redistribution to pixels or orders of the program. */
typedef struct armilla_redistribution {
  int64_t id; /**< 0: none */
} armilla_redistribution;
/** Handle of a transform at arbitrary points. */
typedef struct armilla_points {
  int64_t id; /**< 0: none */
} armilla_points;
/** Handle of a job: steps of armilla run. */
typedef struct armilla_job {
  int64_t id; /**< 0: none */
} armilla_job;
/** Handle of the results of a job. */
typedef struct armilla_result {
  int64_t id; /**< 0: none */
} armilla_result;

/* Sessions. */

/** This process alone; no MPI is used. */
int armilla_session_alone(armilla_session* session);
/** [collective] The ranks of an MPI communicator, as MPI_Comm_c2f() in C or a communicator of the mpi module in Fortran
 *  gives it. Messages of Armilla are separate from those of the program. Free the communicator after the last
 * collective call. */
int armilla_session_of_mpi(int communicator, armilla_session* session);
/** Rank of this process in the session, and number of ranks. */
int armilla_session_rank(armilla_session session, int* rank, int* ranks);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_session_free(armilla_session* session);

/* Grids. */

/** A grid by its short form: "healpix:1024", "gauss:256:512", "cc:181" and others (section Grids of
 * docs/job_reference.md). */
int armilla_grid_named(const char* name, armilla_grid* grid);
/** A grid of rings from north to south: colatitude theta and longitude phi0 of the first pixel [rad], number of pixels
 *  nphi, and weight [sr] of each whole ring, or NULL; arrays of `rings` values. */
int armilla_grid_of_rings(int64_t rings, const double* theta, const double* phi0, const int64_t* nphi,
                          const double* weight, armilla_grid* grid);
/** Number of rings and of pixels. */
int armilla_grid_size(armilla_grid grid, int64_t* rings, int64_t* pixels);
/** The rings, as in armilla_grid_of_rings(), and the index of their first pixel; arrays of `rings` values or NULL. */
int armilla_grid_rings(armilla_grid grid, int64_t rings, double* theta, double* phi0, int64_t* nphi, double* weight,
                       int64_t* first_pixel);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_grid_free(armilla_grid* grid);

/* Transforms. */

/** Parameters of transforms; set by armilla_transform_options_init(). */
typedef struct armilla_transform_options {
  int64_t lmax;         /**< highest degree; must be set */
  int64_t mmax;         /**< highest order; -1: lmax */
  int64_t maps;         /**< number of maps transformed together by each call: 1 */
  const char* fields;   /**< names of the components, "T" by default; "T,Q,U"; "U,V" for winds */
  const int64_t* spins; /**< spin of each component; NULL: from the names */
  int single_precision; /**< 0: calls take double; 1: float, with the functions whose names end in _float */
  int threads;          /**< OpenMP threads of each call; 0: those of the caller */
  int check_finite;     /**< 1: NaN and infinite values are errors, except in calls for vectors */
  const char* backend;  /**< "cpu", "cuda", or "auto", the default */
  double accuracy;      /**< of transforms at points: relative rms error; 0: 1e-10, in single precision 1e-6 */
  /** 1: maps, coefficients and values at points that are passed to calls, with the transform as their argument, are in
   *  the memory of its GPU, and are read and written there (armilla::Transform::device_map_of()). Complex values are
   *  aligned to their size. Work of the program on them must be complete before a call; that of the call is complete on
   *  return. An error for transforms on CPUs. */
  int device_memory;
} armilla_transform_options;

/** Sets the default of all parameters. */
int armilla_transform_options_init(armilla_transform_options* options);

/** [collective] Transform between maps on a grid and coefficients. Allocates its workspace. */
int armilla_transform_create(armilla_session session, armilla_grid grid, const armilla_transform_options* options,
                             armilla_transform* transform);
/** Values of this rank: of coefficients and of maps, with all components and maps. */
int armilla_transform_sizes(armilla_transform transform, int64_t* alm_size, int64_t* map_size);
/** CUDA index of the GPU of this rank; -1 for a transform on CPUs. */
int armilla_transform_device(armilla_transform transform, int* device);
/** Number of orders m of this rank, and the m in ascending order, if `orders` is not NULL: `capacity` values. */
int armilla_transform_orders(armilla_transform transform, int64_t* count, int64_t* orders, int64_t capacity);
/** Ranges of pixels of this rank, at most two, in local order: index of the first pixel in the grid, and number. */
int armilla_transform_pixel_ranges(armilla_transform transform, int* count, int64_t first[2], int64_t pixels[2]);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_transform_free(armilla_transform* transform);

/** [collective] map = Y alm. */
int armilla_synthesis(armilla_transform transform, const armilla_complex_double* alm, int64_t alm_size, double* map,
                      int64_t map_size);
/** armilla_synthesis() in single precision. */
int armilla_synthesis_float(armilla_transform transform, const armilla_complex_float* alm, int64_t alm_size, float* map,
                            int64_t map_size);
/** [collective] alm = Y^T map: a sum over pixels without weights. */
int armilla_adjoint_synthesis(armilla_transform transform, const double* map, int64_t map_size,
                              armilla_complex_double* alm, int64_t alm_size);
/** armilla_adjoint_synthesis() in single precision. */
int armilla_adjoint_synthesis_float(armilla_transform transform, const float* map, int64_t map_size,
                                    armilla_complex_float* alm, int64_t alm_size);

/** Weights of pixels in an analysis (armilla::Weights). */
enum armilla_weights { ARMILLA_WEIGHTS_GRID = 0, ARMILLA_WEIGHTS_RING = 1, ARMILLA_WEIGHTS_PIXEL = 2 };

/** [collective] Coefficients of a map, by quadrature and `iterations` steps alm += A (map - Y alm). */
int armilla_analysis(armilla_transform transform, const double* map, int64_t map_size, armilla_complex_double* alm,
                     int64_t alm_size, int64_t iterations, int weights);
/** armilla_analysis() in single precision. */
int armilla_analysis_float(armilla_transform transform, const float* map, int64_t map_size, armilla_complex_float* alm,
                           int64_t alm_size, int64_t iterations, int weights);
/** [collective] map = W Y alm: the adjoint of armilla_analysis() without iterations. */
int armilla_adjoint_analysis(armilla_transform transform, const armilla_complex_double* alm, int64_t alm_size,
                             double* map, int64_t map_size);
/** armilla_adjoint_analysis() in single precision. */
int armilla_adjoint_analysis_float(armilla_transform transform, const armilla_complex_float* alm, int64_t alm_size,
                                   float* map, int64_t map_size);

/** Axes of tangent vectors in maps (armilla::VectorOptions::Axes). */
enum armilla_axes { ARMILLA_EAST_NORTH = 0, ARMILLA_SOUTH_EAST = 1 };
/** A factor that the vectors of maps contain (armilla::VectorOptions::Factor). */
enum armilla_factor {
  ARMILLA_FACTOR_NONE = 0,
  ARMILLA_FACTOR_COS_LATITUDE = 1,
  ARMILLA_FACTOR_INVERSE_COS_LATITUDE = 2
};
/** Parameters of calls for vectors. */
typedef struct armilla_vector_options {
  double radius; /**< of the sphere */
  int axes;      /**< armilla_axes */
  int factor;    /**< armilla_factor */
} armilla_vector_options;

/** [collective] Vectors from their vorticity and divergence: [map][vorticity, divergence of each pair][coefficient], as
 *  many values as the coefficients of the transform, whose fields are pairs of spin 1, such as "U,V". `options` NULL:
 *  radius 1, eastward and northward, no factor. */
int armilla_vector_fields(armilla_transform transform, const armilla_complex_double* vorticity_divergence,
                          int64_t alm_size, double* map, int64_t map_size, const armilla_vector_options* options);
/** armilla_vector_fields() in single precision. */
int armilla_vector_fields_float(armilla_transform transform, const armilla_complex_float* vorticity_divergence,
                                int64_t alm_size, float* map, int64_t map_size, const armilla_vector_options* options);
/** [collective] Vorticity and divergence of vectors, by quadrature. */
int armilla_vorticity_divergence(armilla_transform transform, const double* map, int64_t map_size,
                                 armilla_complex_double* vorticity_divergence, int64_t alm_size,
                                 const armilla_vector_options* options);
/** armilla_vorticity_divergence() in single precision. */
int armilla_vorticity_divergence_float(armilla_transform transform, const float* map, int64_t map_size,
                                       armilla_complex_float* vorticity_divergence, int64_t alm_size,
                                       const armilla_vector_options* options);
/** [collective] Gradient of one scalar for each pair: half as many coefficients as those of the transform. */
int armilla_gradient(armilla_transform transform, const armilla_complex_double* potential, int64_t alm_size,
                     double* map, int64_t map_size, const armilla_vector_options* options);
/** armilla_gradient() in single precision. */
int armilla_gradient_float(armilla_transform transform, const armilla_complex_float* potential, int64_t alm_size,
                           float* map, int64_t map_size, const armilla_vector_options* options);
/** [collective] Adjoint of armilla_gradient(): a sum over pixels without weights. */
int armilla_adjoint_gradient(armilla_transform transform, const double* map, int64_t map_size,
                             armilla_complex_double* potential, int64_t alm_size,
                             const armilla_vector_options* options);
/** armilla_adjoint_gradient() in single precision. */
int armilla_adjoint_gradient_float(armilla_transform transform, const float* map, int64_t map_size,
                                   armilla_complex_float* potential, int64_t alm_size,
                                   const armilla_vector_options* options);

/** [collective] For each map, the sum over all coefficients, also of negative m, of a conj(b); bitwise identical for
 * any number of ranks. `products`: one value for each map. */
int armilla_alm_products(armilla_transform transform, const armilla_complex_double* a, const armilla_complex_double* b,
                         int64_t alm_size, double* products, int64_t maps);
/** [collective] The same for maps. */
int armilla_map_products(armilla_transform transform, const double* a, const double* b, int64_t map_size,
                         double* products, int64_t maps);

/* Redistribution. */

/** Places of values in an array of the program (armilla::Strides). */
typedef struct armilla_strides {
  int64_t map;       /**< from one map to the next */
  int64_t component; /**< from one component to the next */
  int64_t index;     /**< from one pixel or coefficient to the next */
} armilla_strides;

/** [collective] Between the maps of a transform and the pixels of this rank of the program: `count` indices in the
 * grid, possibly none (armilla::PixelRedistribution). */
int armilla_redistribution_of_pixels(armilla_transform transform, const int64_t* pixels, int64_t count,
                                     armilla_redistribution* redistribution);
/** [collective] Between the coefficients of a transform and those of this rank of the program: `count` pairs (l, m). */
int armilla_redistribution_of_coefficients(armilla_transform transform, const int64_t* l, const int64_t* m,
                                           int64_t count, armilla_redistribution* redistribution);
/** [collective] Likewise by orders: each of `count` m with its coefficients l = m .. lmax. */
int armilla_redistribution_of_orders(armilla_transform transform, const int64_t* m, int64_t count,
                                     armilla_redistribution* redistribution);
/** Number of pixels or coefficients of this rank of the program. */
int armilla_redistribution_size(armilla_redistribution redistribution, int64_t* size);
/** [collective] Values of the program, [map][component][pixel] or at `strides`, to a map of the transform. `fill`:
 * value of pixels that no rank has, or NULL: such pixels are an error. */
int armilla_redistribute_to_map(armilla_redistribution redistribution, const double* values, int64_t size,
                                const armilla_strides* strides, double* map, int64_t map_size, const double* fill);
/** armilla_redistribute_to_map() in single precision. */
int armilla_redistribute_to_map_float(armilla_redistribution redistribution, const float* values, int64_t size,
                                      const armilla_strides* strides, float* map, int64_t map_size, const float* fill);
/** [collective] The reverse; several ranks may have the same pixel. */
int armilla_redistribute_from_map(armilla_redistribution redistribution, const double* map, int64_t map_size,
                                  double* values, int64_t size, const armilla_strides* strides);
/** armilla_redistribute_from_map() in single precision. */
int armilla_redistribute_from_map_float(armilla_redistribution redistribution, const float* map, int64_t map_size,
                                        float* values, int64_t size, const armilla_strides* strides);
/** [collective] The same for coefficients. */
int armilla_redistribute_to_alm(armilla_redistribution redistribution, const armilla_complex_double* values,
                                int64_t size, const armilla_strides* strides, armilla_complex_double* alm,
                                int64_t alm_size, const armilla_complex_double* fill);
/** armilla_redistribute_to_alm() in single precision. */
int armilla_redistribute_to_alm_float(armilla_redistribution redistribution, const armilla_complex_float* values,
                                      int64_t size, const armilla_strides* strides, armilla_complex_float* alm,
                                      int64_t alm_size, const armilla_complex_float* fill);
/** [collective] The same for coefficients, as armilla_redistribute_from_map(). */
int armilla_redistribute_from_alm(armilla_redistribution redistribution, const armilla_complex_double* alm,
                                  int64_t alm_size, armilla_complex_double* values, int64_t size,
                                  const armilla_strides* strides);
/** armilla_redistribute_from_alm() in single precision. */
int armilla_redistribute_from_alm_float(armilla_redistribution redistribution, const armilla_complex_float* alm,
                                        int64_t alm_size, armilla_complex_float* values, int64_t size,
                                        const armilla_strides* strides);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_redistribution_free(armilla_redistribution* redistribution);

/* Transforms at points. */

/** [collective] Transform between coefficients and values at `count` points of this rank, possibly none: theta in [0,
 * pi] and phi [rad] (armilla::PointTransform). */
int armilla_points_create(armilla_session session, const armilla_transform_options* options, const double* theta,
                          const double* phi, int64_t count, armilla_points* points);
/** Values of this rank: of coefficients, and of fields at the points, [map][component][point]. */
int armilla_points_sizes(armilla_points points, int64_t* alm_size, int64_t* values_size);
/** CUDA index of the GPU of this rank; -1 for a transform on CPUs. */
int armilla_points_device(armilla_points points, int* device);
/** [collective] values = Y alm. */
int armilla_points_synthesis(armilla_points points, const armilla_complex_double* alm, int64_t alm_size, double* values,
                             int64_t values_size);
/** armilla_points_synthesis() in single precision. */
int armilla_points_synthesis_float(armilla_points points, const armilla_complex_float* alm, int64_t alm_size,
                                   float* values, int64_t values_size);
/** [collective] alm = Y^T values. */
int armilla_points_adjoint_synthesis(armilla_points points, const double* values, int64_t values_size,
                                     armilla_complex_double* alm, int64_t alm_size);
/** armilla_points_adjoint_synthesis() in single precision. */
int armilla_points_adjoint_synthesis_float(armilla_points points, const float* values, int64_t values_size,
                                           armilla_complex_float* alm, int64_t alm_size);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_points_free(armilla_points* points);

/* Jobs. */

/** [collective] A job of `armilla run` from its YAML text, the same on all ranks (armilla::Job). */
int armilla_job_create(armilla_session session, const char* yaml, armilla_job* job);
/** Gives the value of an input: a map or coefficients of a transform on the same session; call on all ranks. The array
 * is used without a copy by armilla_job_run(), so it must exist until then. */
int armilla_job_input_map(armilla_job job, const char* name, armilla_transform transform, const double* map,
                          int64_t map_size);
/** armilla_job_input_map() in single precision. */
int armilla_job_input_map_float(armilla_job job, const char* name, armilla_transform transform, const float* map,
                                int64_t map_size);
/** armilla_job_input_map() for coefficients. */
int armilla_job_input_alm(armilla_job job, const char* name, armilla_transform transform,
                          const armilla_complex_double* alm, int64_t alm_size);
/** armilla_job_input_alm() in single precision. */
int armilla_job_input_alm_float(armilla_job job, const char* name, armilla_transform transform,
                                const armilla_complex_float* alm, int64_t alm_size);
/** Gives spectra or functions of l, the same on all ranks; copied. `names` are separated by commas, such as "TT,EE";
 *  `values` has each of them at l = 0 .. lmax, one after the other. */
int armilla_job_input_spectra(armilla_job job, const char* name, const char* names, int64_t lmax, const double* values,
                              int64_t size);
/** Keeps a value in memory although a step uses it or a file receives it; call on all ranks. */
int armilla_job_keep(armilla_job job, const char* name);
/** [collective] Runs the job. */
int armilla_job_run(armilla_job job, armilla_result* result);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_job_free(armilla_job* job);

/** The values of a map, of coefficients or of values at points of the result: their address and number on this rank,
 *  [map][component][...], and their components and maps (NULL: not wanted). Valid until the result is freed. `_float`:
 *  of jobs in single precision. */
int armilla_result_map(armilla_result result, const char* name, const double** values, int64_t* size,
                       int64_t* components, int64_t* maps);
/** armilla_result_map() in single precision. */
int armilla_result_map_float(armilla_result result, const char* name, const float** values, int64_t* size,
                             int64_t* components, int64_t* maps);
/** armilla_result_map() for coefficients. */
int armilla_result_alm(armilla_result result, const char* name, const armilla_complex_double** values, int64_t* size,
                       int64_t* components, int64_t* maps);
/** armilla_result_alm() in single precision. */
int armilla_result_alm_float(armilla_result result, const char* name, const armilla_complex_float** values,
                             int64_t* size, int64_t* components, int64_t* maps);
/** armilla_result_map() for values at points. */
int armilla_result_points(armilla_result result, const char* name, const double** values, int64_t* size,
                          int64_t* components, int64_t* maps);
/** armilla_result_points() in single precision. */
int armilla_result_points_float(armilla_result result, const char* name, const float** values, int64_t* size,
                                int64_t* components, int64_t* maps);
/** Spectra of the result: names separated by commas, lmax, and [map][name][l] at `values`; the same on all ranks. Valid
 *  until the result is freed. */
int armilla_result_spectra(armilla_result result, const char* name, const char** names, int64_t* lmax,
                           const double** values, int64_t* size);
/** What steps have found, as JSON (armilla::JobResult::report). Valid until the result is freed. */
int armilla_result_report(armilla_result result, const char** json);
/** Destroys the object and sets the handle to zeros; null handles are ignored. */
int armilla_result_free(armilla_result* result);

#ifdef __cplusplus
}
#endif

#endif
