#pragma once

#include <armilla/core/memory_estimate.hpp>
#include <armilla/math/euler.hpp>
#include <armilla/rotation/quarter_turn.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::rotation {

/// Consecutive degrees that lie side by side.
struct DegreeRun {
  Index first_degree;
  Index count;
  Index first_index;  ///< position of the first one among the degrees that are there, ascending
};

/// Coefficients of some degrees with all their m. The degree at index i has its a_lm of a field at
/// data[offsets[m] + field * field_strides[m] + i]; degrees below m count in i too, though they have no a_lm.
template <class T>
struct DegreeView {
  std::complex<T>* data;
  Index fields;
  std::span<const Index> offsets;        ///< [m]
  std::span<const Index> field_strides;  ///< [m]
  std::span<const DegreeRun> runs;
};

/// One rotation of real fields, or of pairs of coefficients (E, B) of fields of any spin, which rotate like two real
/// ones. Degree by degree d(theta) is taken as d(pi/2) exp(-i m theta) d(pi/2) with phases (Trapani & Navaza 2006):
/// both matrices are real, known exactly, and as stable at theta next to 0 and pi as anywhere.
class Rotator {
 public:
  /// For `threads` threads. Throws std::bad_alloc.
  Rotator(const math::EulerAngles& angles, Index lmax, int threads);

  /// Rotates in place, by all threads. The same bits for any runs, threads and number of fields.
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
