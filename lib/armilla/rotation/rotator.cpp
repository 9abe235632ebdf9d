#include <armilla/core/instantiate.hpp>
#include <armilla/rotation/rotator.hpp>

#include <algorithm>

#include <omp.h>

namespace armilla::rotation {

namespace {

// Maximum number of degrees that a thread gathers: two cache lines of one m in double precision.
constexpr Index kMaxDegrees = 8;
constexpr Index kRows = kMaxDegrees * kMaxFields;

Index row_stride(Index lmax) { return lmax + 1 + 2 * kRowPadding; }

using core::at;

// Divides the runs into parts that a thread gathers at once. They are short enough to fit its rows and to give each
// thread several parts.
std::vector<DegreeRun> split(std::span<const DegreeRun> runs, Index threads) {
  constexpr Index parts_per_thread = 8;
  Index degrees = 0;
  for (const DegreeRun& run : runs) degrees += run.count;
  const Index together = std::clamp<Index>(degrees / (parts_per_thread * threads), 1, kMaxDegrees);
  std::vector<DegreeRun> parts;
  for (const DegreeRun& run : runs)
    for (Index done = 0; done < run.count; done += together)
      parts.push_back({run.first_degree + done, std::min(together, run.count - done), run.first_index + done});
  return parts;
}

}  // namespace

Rotator::Workspace::Workspace(Index lmax) : turn(lmax) {
  real.assign(at(kRows * row_stride(lmax)), 0.0);
  imag.assign(at(kRows * row_stride(lmax)), 0.0);
}

// R_y(theta) = R_z(pi/2) Y R_z(theta - pi) Y R_z(pi/2) with Y = R_y(pi/2).
Rotator::Rotator(const math::EulerAngles& angles, Index lmax, int threads)
    : lmax_(lmax),
      factorials_(lmax),
      before_(make_phases(angles.psi, 1, lmax)),
      between_(make_phases(angles.theta, 2, lmax, PhaseSign::kPairs)),
      after_(make_phases(angles.phi, 1, lmax, PhaseSign::kPairs)) {
  for (int thread = 0; thread < threads; ++thread) workspaces_.emplace_back(lmax);
}

template <class T>
void Rotator::rotate_rows(const DegreeView<T>& view, const DegreeRun& run, Index first_field, Index fields,
                          Workspace& work) const {
  const auto [first_degree, count, first_index] = run;
  const Index stride = row_stride(lmax_);
  const Index last_degree = first_degree + count - 1;
  double* real = work.real.data() + kRowPadding;
  double* imag = work.imag.data() + kRowPadding;
  // Rows are [degree][field].
  for (Index f = 0; f < fields; ++f)
    for (Index m = 0; m <= last_degree; ++m) {
      const std::complex<T>* in = view.data + view.offsets[at(m)] + (first_field + f) * view.field_strides[at(m)];
      const double c = before_.cosine[at(m)];
      const double s = before_.minus_sine[at(m)];
      for (Index i = std::max<Index>(0, m - first_degree); i < count; ++i) {
        const auto re = static_cast<double>(in[first_index + i].real());
        const auto im = static_cast<double>(in[first_index + i].imag());
        const Index place = (i * fields + f) * stride + m;
        real[place] = c * re - s * im;
        imag[place] = c * im + s * re;
      }
    }
  for (Index i = 0; i < count; ++i)
    rotate_degree({.degree = first_degree + i,
                   .fields = fields,
                   .stride = stride,
                   .real = real + i * fields * stride,
                   .imag = imag + i * fields * stride},
                  factorials_, between_, after_, work.turn);
  for (Index f = 0; f < fields; ++f)
    for (Index m = 0; m <= last_degree; ++m) {
      std::complex<T>* out = view.data + view.offsets[at(m)] + (first_field + f) * view.field_strides[at(m)];
      for (Index i = std::max<Index>(0, m - first_degree); i < count; ++i) {
        const Index place = (i * fields + f) * stride + m;
        out[first_index + i] = std::complex<T>(static_cast<T>(real[place]), static_cast<T>(imag[place]));
      }
    }
}

template <class T>
void Rotator::rotate(const DegreeView<T>& view) {
  const auto threads = static_cast<Index>(workspaces_.size());
  const std::vector<DegreeRun> parts = split(view.runs, threads);
  for (Index first_field = 0; first_field < view.fields; first_field += kMaxFields) {
    const Index fields = std::min(kMaxFields, view.fields - first_field);
    // The largest degrees come first, so that the threads finish at the same time.
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(threads))
    for (Index part = static_cast<Index>(parts.size()) - 1; part >= 0; --part)
      rotate_rows(view, parts[at(part)], first_field, fields, workspaces_[at(omp_get_thread_num())]);
  }
}

core::MemoryEstimate Rotator::memory(Index lmax, int threads) {
  const auto number = static_cast<Index>(sizeof(double));
  const Index tables = 2 * (2 * lmax + 2 + 2 * kRowPadding) + 6 * (lmax + 1 + kRowPadding);
  const Index work = 2 * kRows * row_stride(lmax) + (1 + 2 * kMaxFields) * (lmax + 1 + kRowPadding);
  return {.tables = number * tables, .kept = number * threads * work};
}

ARMILLA_INSTANTIATE(Rotator::rotate);

}  // namespace armilla::rotation
