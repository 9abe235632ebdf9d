#pragma once

#include <kernels/rings/fold_body.hpp>
#include <kernels/rings/pixels_body.hpp>
#include <kernels/rings/roots.hpp>
#include <kernels/rings/short_rings.hpp>
#include <kernels/rings/unfold_body.hpp>

/// The kernels of short_rings.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Shared memory of a block of short rings; lane k of a column has value k.
template <class T>
struct ShortShared {
  static_assert(kShortRing <= kLanes);

  RingColumn columns[kColumns];
  ComplexNumber<T> root[kColumns][kShortRing];  ///< exp(-2 pi i k / n)
  ComplexNumber<T> in[kColumns][kShortRing];
  ComplexNumber<T> out[kColumns][kShortRing];
};

/// Operations common to both directions, for one thread.
template <class T, class Task>
struct ShortRing {
  using Lane = Nothing;
  using Shared = ShortShared<T>;
  static constexpr int kThreads = kRingThreads;

  Task task;

  GridSize grid() const { return task.grid(); }

  HOST_DEVICE void prepare(BlockIndex index, Shared& shared, int thread) const {
    prepare_columns(task.chunk, task.layout, RingBlock(index), shared.columns, thread);
  }

  HOST_DEVICE static void make_roots(Shared& shared, int thread) {
    const int n = shared.columns[thread / kLanes].nphi;
    const int k = thread % kLanes;
    if (k < n) shared.root[thread / kLanes][k] = rounded<T>(half_root(2 * k, n));
  }

  /// Delta of both rings at m, with its phase.
  HOST_DEVICE FoldedPair<T> folded(const RingColumn& column, int m) const {
    ComplexNumber<T> sides[2];
    for (int side = 0; side < 2; ++side) {
      sides[side] = {0, 0};
      if (column.row[side] < 0) continue;
      sides[side] =
          turned(task.phases, column.phase[side], m, load(task.delta, task.layout.m_shift[m] + column.row[side]));
    }
    if (m == 0) return {{sides[0].re, sides[1].re}, {0, 0}};
    return fold_pair(sides[0], sides[1]);
  }

  /// Value k of the spectrum, before multiplication by conjugate roots.
  HOST_DEVICE void gather(Shared& shared, int thread) const {
    const RingColumn& column = shared.columns[thread / kLanes];
    const int n = column.nphi;
    const int k = thread % kLanes;
    if (k >= n) return;
    const bool self = k == 0 || 2 * k == n;
    ComplexNumber<T> sum{0, 0};
    for (int m = k, mirror = n - k; m < column.m_count || mirror < column.m_count; m += n, mirror += n) {
      if (m < column.m_count) {
        const FoldedPair<T> here = folded(column, m);
        sum = sum + here.up;
        if (self) sum = sum + here.down;
      }
      if (!self && mirror < column.m_count) sum = sum + folded(column, mirror).down;
    }
    shared.in[thread / kLanes][k] = sum;
  }

  /// out_k = sum over j of in_j root_(j k), or with conjugate roots.
  HOST_DEVICE static void multiply(Shared& shared, bool conjugate, int thread) {
    const int c = thread / kLanes;
    const int n = shared.columns[c].nphi;
    const int k = thread % kLanes;
    if (k >= n) return;
    ComplexNumber<T> sum{0, 0};
    for (int j = 0, product = 0; j < n; ++j) {
      const ComplexNumber<T> root = shared.root[c][product];
      sum = sum + shared.in[c][j] * (conjugate ? conj(root) : root);
      product += k;
      if (product >= n) product -= n;
    }
    shared.out[c][k] = sum;
  }

  HOST_DEVICE void write(const Shared& shared, int thread) const {
    const RingColumn& column = shared.columns[thread / kLanes];
    const int j = thread % kLanes;
    if (j < column.nphi) write_pixel(task.map, task.factor, column, j, shared.out[thread / kLanes][j]);
  }

  HOST_DEVICE void read(Shared& shared, int thread) const {
    const RingColumn& column = shared.columns[thread / kLanes];
    const int j = thread % kLanes;
    if (j < column.nphi) shared.in[thread / kLanes][j] = read_pixel(task.map, column, j);
  }

  HOST_DEVICE void scatter(const Shared& shared, int thread) const {
    const RingColumn& column = shared.columns[thread / kLanes];
    const ComplexNumber<T>* spectrum = shared.out[thread / kLanes];
    const int n = column.nphi;
    for (int m = thread % kLanes; m < column.m_count; m += kLanes) {
      const int k = m % n;
      ComplexNumber<T> sides[2];
      unfold_pair(spectrum[k], spectrum[k == 0 ? 0 : n - k], sides);
      for (int side = 0; side < 2; ++side)
        if (column.row[side] >= 0)
          store(task.delta, task.layout.m_shift[m] + column.row[side],
                delta_of(task.phases, task.factor, column, side, m, sides[side]));
    }
  }
};

/// Delta -> pixels.
template <class T>
struct ShortSynthesisBody : ShortRing<T, ShortSynthesis<T>> {
  using typename ShortRing<T, ShortSynthesis<T>>::Shared;

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    Shared& shared = team.shared();
    team.each([&](Nothing&, int thread) { this->prepare(block, shared, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      this->make_roots(shared, thread);
      this->gather(shared, thread);
    });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      this->multiply(shared, true, thread);
      this->write(shared, thread);  // pixels computed by this thread
    });
  }
};

/// Pixels -> Delta.
template <class T>
struct ShortAdjointBody : ShortRing<T, ShortAdjoint<T>> {
  using typename ShortRing<T, ShortAdjoint<T>>::Shared;

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    Shared& shared = team.shared();
    team.each([&](Nothing&, int thread) { this->prepare(block, shared, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) {
      this->make_roots(shared, thread);
      this->read(shared, thread);
    });
    team.barrier();
    team.each([&](Nothing&, int thread) { this->multiply(shared, false, thread); });
    team.barrier();
    team.each([&](Nothing&, int thread) { this->scatter(shared, thread); });
  }
};

void short_synthesis(const DeviceShortSynthesis<float>& task, StreamHandle stream) {
  launch_team(ShortSynthesisBody<float>{{in_kernel(task)}}, "synthesis of short rings", stream);
}
void short_synthesis(const DeviceShortSynthesis<double>& task, StreamHandle stream) {
  launch_team(ShortSynthesisBody<double>{{in_kernel(task)}}, "synthesis of short rings", stream);
}
void short_adjoint(const DeviceShortAdjoint<float>& task, StreamHandle stream) {
  launch_team(ShortAdjointBody<float>{{in_kernel(task)}}, "adjoint of short rings", stream);
}
void short_adjoint(const DeviceShortAdjoint<double>& task, StreamHandle stream) {
  launch_team(ShortAdjointBody<double>{{in_kernel(task)}}, "adjoint of short rings", stream);
}

}  // namespace armilla::kernels
