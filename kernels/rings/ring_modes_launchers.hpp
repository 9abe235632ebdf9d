#pragma once

#include <algorithm>

#include <kernels/core/team.hpp>
#include <kernels/rings/ring_modes.hpp>

/// The kernels of ring_modes.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Calls body(m, i) for `rows` of m and values i of each: a row of blocks for each m.
template <class Body>
struct ModeRows {
  static constexpr int kThreads = 256;
  static constexpr Index kMaxBlocks = 4096;  ///< of a row
  static constexpr Index kMaxRows = 65535;   ///< of a launch

  Body body;
  Index m_begin;
  Index rows;
  Index numbers;

  HOST_DEVICE Index blocks() const {
    const Index all = (numbers + kThreads - 1) / kThreads;
    return all < kMaxBlocks ? all : kMaxBlocks;
  }
  GridSize grid() const { return {blocks(), rows}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index step = blocks() * kThreads;
    for (Index i = block.x * kThreads + thread; i < numbers; i += step) body(m_begin + block.y, i);
  }
};

template <class T>
HOST_DEVICE inline ComplexNumber<T> mapped(const math::PairMap& map, ComplexNumber<T> z) {
  const T a = static_cast<T>(map.a);
  const T b = static_cast<T>(map.b);
  const T c = static_cast<T>(map.c);
  const T d = static_cast<T>(map.d);
  return {a * z.re + b * z.im, c * z.im + d * z.re};
}

/// Position of one thread: value i of m, counted from its first slot.
template <class T>
struct SpectraPlace {
  Index slot;
  Index column;  ///< slot * width + w
  SpectraRing ring;
  const math::Turn* turns;

  /// Returns false if m has fewer values.
  HOST_DEVICE bool find(const RingModeTask<T>& task, Index m, Index i) {
    const Index first = task.rings.first_slot[m];
    column = first * task.rings.width + i;
    slot = first + i / task.rings.width;
    if (slot >= task.rings.slots) return false;
    ring = task.rings.rings[slot];
    turns = task.rings.turns + ring.turns;
    return true;
  }
};

template <class T>
struct GatherBody {
  RingModeTask<T> task;

  HOST_DEVICE void operator()(Index m, Index i) const {
    SpectraPlace<T> place;
    if (!place.find(task, m, i)) return;
    if (2 * m <= place.ring.nphi) return;  // its own class
    const math::RingAlias alias = math::RingAlias::of(m, place.ring.nphi);
    const Index* shift = task.rings.m_shift;
    const ComplexNumber<T> z = load(task.modes, shift[alias.c] + place.column);
    store(task.modes, shift[m] + place.column, mapped(math::alias_of_class(alias, place.turns[alias.turns]), z));
  }
};

template <class T>
struct SubtractBody {
  SubtractTask<T> task;

  HOST_DEVICE void operator()(Index m, Index i) const {
    const RingModeTask<T>& modes = task.modes;
    SpectraPlace<T> place;
    if (!place.find(modes, m, i)) return;
    const Index n = place.ring.nphi;
    math::RingAlias alias = math::RingAlias::of(m, n);
    if (alias.previous(n) >= modes.m_begin) return;  // processed together with that m
    const Index* shift = modes.rings.m_shift;
    const Index own = shift[alias.c] + place.column;
    double factor = task.factor[place.slot];
    ComplexNumber<T> left{0, 0};
    if (task.from == SubtractFrom::kModes)
      left = load(modes.modes, own);
    else
      factor = -factor;
    const Index end = modes.m_end < place.ring.m_count ? modes.m_end : place.ring.m_count;
    for (Index next = m; next < end; next = alias.next(n)) {
      alias = math::RingAlias::of(next, n);
      const math::PairMap map = math::class_of_alias(next, n, alias, place.turns[alias.turns], place.turns[1], factor);
      left = left - mapped(map, load(task.delta, shift[next] + place.column));
    }
    store(modes.modes, own, left);
  }
};

template <class T>
struct ScaleBody {
  ScaleTask<T> task;

  HOST_DEVICE void operator()(Index m, Index i) const {
    SpectraPlace<T> place;
    if (!place.find(task.modes, m, i)) return;
    const Index number = task.modes.rings.m_shift[m] + place.column;
    const T by = static_cast<T>(task.by[i % task.maps]);
    const ComplexNumber<T> z = load(task.modes.modes, number);
    store(task.modes.modes, number, ComplexNumber<T>{by * z.re, by * z.im});
  }
};

/// Value i belongs to map i % maps and slot i / maps of one row.
template <class T>
struct SquaresBody {
  SquaresTask<T> task;

  HOST_DEVICE Index numbers() const { return task.rings.slots * task.maps; }
  HOST_DEVICE void operator()(Index, Index i) const {
    const Index slot = i / task.maps;
    const Index map = i % task.maps;
    const SpectraRing ring = task.rings.rings[slot];
    double sum = 0;
    for (Index c = 0; 2 * c <= ring.nphi && c < ring.m_count; ++c) {
      const double pixels = math::RingAlias::is_own_mirror(c, ring.nphi) ? 1 : 2;
      const Index first = task.rings.m_shift[c] + slot * task.rings.width + map;
      for (Index w = 0; w < task.rings.width; w += task.maps) {
        const ComplexNumber<T> z = load(task.modes, first + w);
        const double re = static_cast<double>(z.re);
        const double im = static_cast<double>(z.im);
        sum += pixels * (re * re + im * im);
      }
    }
    const double factor = task.factor[slot];
    task.sums[map * task.rings.slots + slot] = factor != 0 ? sum / factor : 0;
  }
};

/// Launches a body for m_begin .. m_end - 1, with at most the maximum number of grid rows per launch.
template <class Body>
void launch_rows_of(const Body& body, Index m_begin, Index m_end, Index numbers, const char* what,
                    StreamHandle stream) {
  using Rows = ModeRows<Body>;
  for (Index m = m_begin; m < m_end; m += Rows::kMaxRows)
    launch_team(EachThread{Rows{body, m, std::min(m_end - m, Rows::kMaxRows), numbers}}, what, stream);
}
template <class Body, class T>
void launch_modes(const Body& body, const DeviceRingModeTask<T>& task, const char* what, StreamHandle stream) {
  launch_rows_of(body, task.m_begin, task.m_end, task.numbers, what, stream);
}
template <class T>
void launch_squares(const SquaresBody<T>& body, StreamHandle stream) {
  launch_rows_of(body, 0, 1, body.numbers(), "squares of ring modes", stream);
}

void gather_aliases(const DeviceRingModeTask<float>& task, StreamHandle stream) {
  launch_modes(GatherBody<float>{in_kernel(task)}, task, "aliases of ring modes", stream);
}
void gather_aliases(const DeviceRingModeTask<double>& task, StreamHandle stream) {
  launch_modes(GatherBody<double>{in_kernel(task)}, task, "aliases of ring modes", stream);
}
void subtract(const DeviceSubtractTask<float>& task, StreamHandle stream) {
  launch_modes(SubtractBody<float>{in_kernel(task)}, task.modes, "corrections of ring modes", stream);
}
void subtract(const DeviceSubtractTask<double>& task, StreamHandle stream) {
  launch_modes(SubtractBody<double>{in_kernel(task)}, task.modes, "corrections of ring modes", stream);
}
void scale(const DeviceScaleTask<float>& task, StreamHandle stream) {
  launch_modes(ScaleBody<float>{in_kernel(task)}, task.modes, "products of ring modes", stream);
}
void scale(const DeviceScaleTask<double>& task, StreamHandle stream) {
  launch_modes(ScaleBody<double>{in_kernel(task)}, task.modes, "products of ring modes", stream);
}
void squares(const DeviceSquaresTask<float>& task, StreamHandle stream) {
  launch_squares(SquaresBody<float>{in_kernel(task)}, stream);
}
void squares(const DeviceSquaresTask<double>& task, StreamHandle stream) {
  launch_squares(SquaresBody<double>{in_kernel(task)}, stream);
}

}  // namespace armilla::kernels
