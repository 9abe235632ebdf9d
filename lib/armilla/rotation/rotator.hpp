#pragma once

#include <armilla/core/memory_estimate.hpp>
#include <armilla/math/euler.hpp>
#include <armilla/rotation/quarter_turn.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::rotation {

/// Consecutive degrees that are contiguous in memory.
struct DegreeRun {
  Index first_degree;
  Index count;
  Index first_index;  ///< index of the first degree among the stored degrees, which are ascending
};

/// Coefficients of some degrees with all their m. For the degree with index i, a_lm of a field is at data[offsets[m] +
/// field * field_strides[m] + i]. Indices i also count degrees below m, although they have no a_lm.
template <class T>
struct DegreeView {
  std::complex<T>* data;
  Index fields;
  std::span<const Index> offsets;        ///< [m]
  std::span<const Index> field_strides;  ///< [m]
  std::span<const DegreeRun> runs;
};

/// A rotation of real fields, or of pairs of coefficients (E, B) of fields of any spin, which rotate like two real
/// fields. For each degree, d(theta) is computed as d(pi/2) exp(-i m theta) d(pi/2) with phases (Trapani & Navaza
/// 2006). Both matrices are real and known exactly. The method is equally stable for all theta, including near 0 and
/// pi.
class Rotator {
 public:
  /// Creates a rotator for `threads` threads. Throws std::bad_alloc.
  Rotator(const math::EulerAngles& angles, Index lmax, int threads);

  /// Rotates in place with all threads. Results are bitwise identical for any runs, threads and number of fields.
  template <class T>
  void rotate(const DegreeView<T>& view);

  static core::MemoryEstimate memory(Index lmax, int threads);

 private:
  struct Workspace {
    explicit Workspace(Index lmax);
    QuarterTurnWorkspace turn;
    core::AlignedVector<double> real;
    core::AlignedVector<double> imag;
  };

  template <class T>
  void rotate_rows(const DegreeView<T>& view, const DegreeRun& run, Index first_field, Index fields,
                   Workspace& work) const;

  Index lmax_;
  DoubleFactorials factorials_;
  Phases before_, between_, after_;
  std::vector<Workspace> workspaces_;  ///< [thread]
};

}  // namespace armilla::rotation
