// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/ring_runs.cpp"

#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/ring_runs.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/precision-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Delta is [pair][north, south][field][re, im] with `width` fields. Both functions process whole vectors of pairs, all
// fields of each, and return the number of pairs processed.

template <class T>
HWY_INLINE void scatter_rings(const T* rings, Index width, T* delta) {
  for (Index i = 0; i < 2 * lane_count(); ++i) std::copy_n(rings + 2 * i, 2, delta + 2 * width * i);
}

template <class T>
HWY_INLINE Index unpack_all(const double* even, const double* odd, const double* halves, Index padded, Index count,
                            const FieldSet& fields, Index width, T* delta) {
  const Tag d;
  const hn::Rebind<T, Tag> narrow;
  const Index lanes = lane_count();
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Vec fe = hn::LoadU(d, even + i);
    const Vec fo = hn::LoadU(d, odd + i);
    const double* half = halves + i;
    T* to = delta + 4 * width * i + 2 * fields.first;
    for (Index f = 0; f < fields.count; ++f, half += 4 * padded, to += 2 * fields.step) {
      const Vec even_re = hn::Mul(fe, hn::LoadU(d, half));
      const Vec even_im = hn::Mul(fe, hn::LoadU(d, half + padded));
      const Vec odd_re = hn::Mul(fo, hn::LoadU(d, half + 2 * padded));
      const Vec odd_im = hn::Mul(fo, hn::LoadU(d, half + 3 * padded));
      HWY_ALIGN T rings[4 * hn::MaxLanes(Tag())];
      hn::StoreInterleaved4(narrowed<T>(hn::Add(even_re, odd_re)), narrowed<T>(hn::Add(even_im, odd_im)),
                            narrowed<T>(hn::Sub(even_re, odd_re)), narrowed<T>(hn::Sub(even_im, odd_im)), narrow,
                            width == 1 ? to : rings);
      if (width > 1) scatter_rings(rings, width, to);
    }
  }
  return i;
}

// Real and imaginary parts of one ring of a vector of pairs.
template <class V>
struct RingPart {
  V re, im;
};

#if HWY_TARGET != HWY_SCALAR
// Complex values with this distance, next to each other.
template <class D, class T>
HWY_INLINE hn::Vec<D> gather_values(D d, const T* from, Index distance) {
  if constexpr (hn::MaxLanes(D()) == 2) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    constexpr Index kValues = static_cast<Index>(hn::MaxLanes(half)) / 2;
    return hn::Combine(d, gather_values(half, from + kValues * distance, distance),
                       gather_values(half, from, distance));
  }
}
template <class D, class T>
HWY_INLINE RingPart<hn::Vec<D>> gather_ring(D d, const T* from, Index distance) {
  const auto low = gather_values(d, from, distance);
  const auto high = gather_values(d, from + lane_count() / 2 * distance, distance);
  return {hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low)};
}
#else
template <class D, class T>
HWY_INLINE RingPart<hn::Vec<D>> gather_ring(D d, const T* from, Index) {
  return {hn::LoadU(d, from), hn::LoadU(d, from + 1)};
}
#endif

// The transpose, to the four values of each pair and field. Values are `number` apart, vectors of pairs `next` apart.
template <class T>
HWY_INLINE Index pack_all(const double* even, const double* odd, const T* delta, Index count, const FieldSet& fields,
                          Index width, Index number, Index next, double* halves) {
  const Tag d;
  const hn::Rebind<T, Tag> narrow;
  const Index lanes = lane_count();
  Index i = 0;
  for (; i + lanes <= count; i += lanes, halves += next) {
    const Vec fe = hn::LoadU(d, even + i);
    const Vec fo = hn::LoadU(d, odd + i);
    const T* from = delta + 4 * width * i + 2 * fields.first;
    double* half = halves;
    for (Index f = 0; f < fields.count; ++f, half += 4 * number, from += 2 * fields.step) {
      RingPart<hn::Vec<hn::Rebind<T, Tag>>> north, south;
      if (width == 1) {
        hn::LoadInterleaved4(narrow, from, north.re, north.im, south.re, south.im);
      } else {
        north = gather_ring(narrow, from, 4 * width);
        south = gather_ring(narrow, from + 2 * width, 4 * width);
      }
      const Vec north_re = widened(north.re);
      const Vec north_im = widened(north.im);
      const Vec south_re = widened(south.re);
      const Vec south_im = widened(south.im);
      hn::StoreU(hn::Mul(fe, hn::Add(north_re, south_re)), d, half);
      hn::StoreU(hn::Mul(fe, hn::Add(north_im, south_im)), d, half + number);
      hn::StoreU(hn::Mul(fo, hn::Sub(north_re, south_re)), d, half + 2 * number);
      hn::StoreU(hn::Mul(fo, hn::Sub(north_im, south_im)), d, half + 3 * number);
    }
  }
  return i;
}

Index unpack_run_float(const double* even, const double* odd, const double* halves, Index padded, Index count,
                       const FieldSet& fields, Index width, float* delta) {
  return unpack_all(even, odd, halves, padded, count, fields, width, delta);
}
Index unpack_run_double(const double* even, const double* odd, const double* halves, Index padded, Index count,
                        const FieldSet& fields, Index width, double* delta) {
  return unpack_all(even, odd, halves, padded, count, fields, width, delta);
}
Index pack_run_float(const double* even, const double* odd, const float* delta, Index count, const FieldSet& fields,
                     Index width, Index number, Index next, double* halves) {
  return pack_all(even, odd, delta, count, fields, width, number, next, halves);
}
Index pack_run_double(const double* even, const double* odd, const double* delta, Index count, const FieldSet& fields,
                      Index width, Index number, Index next, double* halves) {
  return pack_all(even, odd, delta, count, fields, width, number, next, halves);
}

Index lanes_of_vectors() { return lane_count(); }

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(unpack_run_float);
HWY_EXPORT(unpack_run_double);
HWY_EXPORT(pack_run_float);
HWY_EXPORT(pack_run_double);
HWY_EXPORT(lanes_of_vectors);

namespace {

using core::at;

template <class T, class... Arguments>
Index unpack_run(const Arguments&... arguments) {
  if constexpr (std::is_same_v<T, float>)
    return HWY_DYNAMIC_DISPATCH(unpack_run_float)(arguments...);
  else
    return HWY_DYNAMIC_DISPATCH(unpack_run_double)(arguments...);
}
template <class T, class... Arguments>
Index pack_run(const Arguments&... arguments) {
  if constexpr (std::is_same_v<T, float>)
    return HWY_DYNAMIC_DISPATCH(pack_run_float)(arguments...);
  else
    return HWY_DYNAMIC_DISPATCH(pack_run_double)(arguments...);
}

}  // namespace

RingRuns::RingRuns(const Task& task, std::vector<double> even, std::vector<double> odd)
    : even_(std::move(even)), odd_(std::move(odd)), run_end_(at(task.pairs())) {
  const auto follows = [&](Index p) {
    const std::size_t here = at(p);
    const auto whole = [&](std::size_t pair) {
      return task.north_slot[pair] >= 0 && task.south_slot[pair] == task.north_slot[pair] + 1;
    };
    return task.pair_block[here] == task.pair_block[here - 1] && whole(here - 1) && whole(here) &&
           task.north_slot[here] == task.south_slot[here - 1] + 1;
  };
  for (Index p = task.pairs() - 1; p >= 0; --p)
    run_end_[at(p)] = p + 1 < task.pairs() && follows(p + 1) ? run_end_[at(p + 1)] : p + 1;
}

// Calls body(first, count, position of the northern Delta of the first pair, position of the southern one); a position
// is -1 for an absent ring.
template <class Body>
void RingRuns::for_each_run(const Task& task, Index k, Index begin, Index end, Body&& body) const {
  for (Index first = begin; first < end;) {
    const Index last = std::min(run_end_[at(first)], end);
    const Index north = task.north_slot[at(first)];
    const Index south = task.south_slot[at(first)];
    body(first, last - first, north >= 0 ? task.delta_position(k, first, north) : -1,
         south >= 0 ? task.delta_position(k, first, south) : -1);
    first = last;
  }
}

// Calls body(i, last, index of a field in the set, its position in Delta) for blocks of pairs, all fields of each
// block. In Delta the fields are contiguous, in halves the pairs, so both are accessed in whole cache lines.
template <class Body>
void RingRuns::for_each_block(Index from, Index count, const FieldSet& fields, Body&& body) {
  constexpr Index kBlock = 8;
  for (Index i = from; i < count; i += kBlock)
    for (Index f = 0; f < fields.count; ++f) body(i, std::min(i + kBlock, count), f, fields.first + f * fields.step);
}

template <class T>
void RingRuns::unpack(const Task& task, Index k, const FieldSet& fields, Index begin, Index end, Index padded,
                      const double* halves, std::complex<T>* delta) const {
  const Index width = task.width();
  for_each_run(task, k, begin, end, [&](Index first, Index count, Index north, Index south) {
    const double* even = &even_[at(first)];
    const double* odd = &odd_[at(first)];
    const double* run = halves + (first - begin);
    Index done = 0;
    if (count > 1)
      done = unpack_run<T>(even, odd, run, padded, count, fields, width, reinterpret_cast<T*>(delta + north));
    for_each_block(done, count, fields, [&](Index i, Index last, Index f, Index w) {
      const double* h = run + 4 * f * padded;
      for (; i < last; ++i) {
        const double even_re = even[i] * h[i];
        const double even_im = even[i] * h[padded + i];
        const double odd_re = odd[i] * h[2 * padded + i];
        const double odd_im = odd[i] * h[3 * padded + i];
        if (north >= 0)
          delta[north + 2 * i * width + w] = {static_cast<T>(even_re + odd_re), static_cast<T>(even_im + odd_im)};
        if (south >= 0)
          delta[south + 2 * i * width + w] = {static_cast<T>(even_re - odd_re), static_cast<T>(even_im - odd_im)};
      }
    });
  });
}

Index RingRuns::vector_lanes() { return HWY_DYNAMIC_DISPATCH(lanes_of_vectors)(); }

template <class T>
void RingRuns::pack(const Task& task, Index k, const FieldSet& fields, const StoredPairs& pairs,
                    const std::complex<T>* delta, double* halves) const {
  const Index width = task.width();
  const Index lanes = vector_lanes();
  const Index block = pairs.block;
  const Index numbers = 4 * fields.count;
  // Address of the first value of a pair; the others follow at a distance of a block.
  const auto at_place = [&](Index place) { return halves + place / block * block * numbers + place % block; };
  for_each_run(task, k, pairs.begin, pairs.end, [&](Index first, Index count, Index north, Index south) {
    const double* even = &even_[at(first)];
    const double* odd = &odd_[at(first)];
    const Index place = pairs.first + (first - pairs.begin);
    const auto some = [&](Index from, Index to) {
      for_each_block(from, to, fields, [&](Index i, Index last, Index f, Index w) {
        for (; i < last; ++i) {
          const std::complex<T> n = north >= 0 ? delta[north + 2 * i * width + w] : std::complex<T>(0);
          const std::complex<T> s = south >= 0 ? delta[south + 2 * i * width + w] : std::complex<T>(0);
          const std::complex<double> a(static_cast<double>(n.real()), static_cast<double>(n.imag()));
          const std::complex<double> b(static_cast<double>(s.real()), static_cast<double>(s.imag()));
          double* h = at_place(place + i) + 4 * f * block;
          h[0] = even[i] * (a.real() + b.real());
          h[block] = even[i] * (a.imag() + b.imag());
          h[2 * block] = odd[i] * (a.real() - b.real());
          h[3 * block] = odd[i] * (a.imag() - b.imag());
        }
      });
    };
    Index done = 0;
    if (count > 1) {
      done = std::min(count, (lanes - place % lanes) % lanes);
      some(0, done);
      done += pack_run<T>(even + done, odd + done, reinterpret_cast<const T*>(delta + north + 2 * width * done),
                          count - done, fields, width, block, block == lanes ? numbers * lanes : lanes,
                          at_place(place + done));
    }
    some(done, count);
  });
  for (Index place = pairs.first + (pairs.end - pairs.begin); place < pairs.first + pairs.room; ++place)
    for (Index n = 0; n < numbers; ++n) at_place(place)[n * block] = 0.0;
}

ARMILLA_INSTANTIATE(RingRuns::unpack);
ARMILLA_INSTANTIATE(RingRuns::pack);

}  // namespace armilla::legendre
#endif
