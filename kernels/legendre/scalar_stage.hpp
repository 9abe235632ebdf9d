#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>
#include <kernels/core/warp.hpp>

#include <complex>

namespace armilla::kernels {

/// What the kernels of the Legendre stage by the scalar recurrence read and write: plain pointers, all to the device,
/// or all to the host. Methods and names are those of legendre::ScalarTables, DegreeTables and Task.

/// A number of step k of m, l = m + 2 k, as a product of functions of l - m, l + m and l (DegreeTables::Product).
struct StepProduct {
  const double* distance;   ///< [(l -+ m) / 2]
  const double* degree[2];  ///< [l % 2][l / 2]

  HOST_DEVICE double degree_of(Index m, Index k) const { return degree[m % 2][m / 2 + k]; }
  HOST_DEVICE double times(double factor, Index m, Index k) const {
    return factor * distance[k] * distance[m + k] * degree_of(m, k);
  }
};

/// Of a spin to the one below (DegreeTables::Band). [l], l >= -1.
struct SpinBand {
  const double* a;
  const double* b;
  const double* c;
};

inline constexpr int kMostBands = 3;

/// Numbers of degrees and of all m (DegreeTables).
struct DegreeNumbers {
  Index spin;
  Index lmax;
  StepProduct alpha, low, high, row, equator;
  const double* row_b[2];      ///< [l % 2][l / 2]
  const double* alpha_scale;   ///< [m][2]
  const double* row_scale;     ///< [m][2]
  const double* root;          ///< [x] sqrt(x); spins only
  SpinBand bands[kMostBands];  ///< for spin, spin - 1, .., 1
};

/// Ring pairs, ascending sin(theta). Start values are start_norm[m] power_low[m % 32] power_high[m / 32]
/// 2^(800 power_scale[m / 32]) (StartValues).
struct PairNumbers {
  Index count;
  const double* variable;     ///< [pair] -sin^2 for RowKind::kPolar, else cos^2
  const double* even_factor;  ///< [pair] of the half of Delta that is even under the mirror at the equator
  const double* odd_factor;   ///< [pair]
  const double* power_low;    ///< [m % 32][pair]
  const double* power_high;   ///< [m / 32][pair]
  const double* power_scale;  ///< [m / 32][pair]
  const double* start_norm;   ///< [m]
  const Index* block;         ///< [pair] of block_shift
  const Index* north_slot;    ///< [pair] or -1
  const Index* south_slot;    ///< [pair] or -1
};

/// Own m, ascending.
struct OrderNumbers {
  const Index* m;            ///< [own m]
  const Index* first_step;   ///< [own m, and the end] steps of all own m before; steps of each are padded to kStepPadding
  const Index* first_pair;   ///< [own m] pairs before this one do not feel m
  const Index* alm_offset;   ///< [own m] coefficient (l, m) of a component stands at offset + l
  const Index* block_shift;  ///< [own m][block]
};

/// Steps of an m are rounded up to a multiple of this; what is behind the last degree has coefficients zero.
inline constexpr Index kStepPadding = 4;

/// Which rows and variable a recurrence takes (ScalarTables): kTwoTerm in -sin^2 and in cos^2, and kEquator.
enum class RowKind { kPolar = 0, kSquare = 1, kEquator = 2 };
inline constexpr int kRowKinds = 3;

/// What kernels are made for: both kinds of kTwoTerm are one form.
enum class RecurrenceForm { kTwoTerm, kEquator };

/// Pairs begin .. end - 1, which share their rows, and how they are dealt out: block b has `threads` *
/// `pairs_per_thread` of them, from begin on. Their partial sums of the adjoint are in slots first_slot + b.
struct PairSection {
  RowKind rows;
  Index begin, end;
  int threads;
  int pairs_per_thread;
  Index blocks;
  Index first_slot;

  HOST_DEVICE Index block_begin(Index b) const { return begin + b * threads * pairs_per_thread; }
  HOST_DEVICE Index block_end(Index b) const {
    const Index next = block_begin(b + 1);
    return next < end ? next : end;
  }
};

/// Fields first .. first + together * groups - 1, `together` of them sharing the values of a recurrence.
struct FieldGroups {
  Index first;
  int together;
  Index groups;
};

/// The own m number k_begin .. k_end - 1 on their way. Field f = map * components + component. Spins have two
/// components, E and B in alm, Q and U in Delta.
struct ScalarStage {
  DegreeNumbers degrees;
  PairNumbers pairs;
  OrderNumbers orders;
  Index components, maps;
  Index component_stride, map_stride;  ///< of alm
  Index blocks;                        ///< of block_shift
  int section_count;
  PairSection sections[kRowKinds];
  Index slots;  ///< of partial sums, of all sections

  Index k_begin, k_end;
  Two* rows[kRowKinds];  ///< [own m of these][step] {a, b}; kEquator: two of them, {a, b}, {factor, -}
  Two* coefficients;     ///< [own m of these][field][step] {even re, even im}, {odd re, odd im}
  Two* partial_sums;     ///< [slot][own m of these][field][step], likewise

  HOST_DEVICE Index fields() const { return components * maps; }
  HOST_DEVICE Index steps(Index k) const { return orders.first_step[k + 1] - orders.first_step[k]; }
  HOST_DEVICE Index chunk_steps() const { return orders.first_step[k_end] - orders.first_step[k_begin]; }
  HOST_DEVICE Index first_step(Index k) const { return orders.first_step[k] - orders.first_step[k_begin]; }
  /// Where a field of an own m begins among the coefficients, in Two, and so among the partial sums of a slot.
  HOST_DEVICE Index field_begin(Index k, Index field) const { return 2 * (first_step(k) * fields() + field * steps(k)); }
  HOST_DEVICE Index slot_begin(Index slot) const { return 2 * slot * chunk_steps() * fields(); }
  HOST_DEVICE const Two* rows_of(RowKind kind, Index k) const {
    return rows[static_cast<int>(kind)] + first_step(k) * (kind == RowKind::kEquator ? 2 : 1);
  }
  /// Coefficients of a component, counted from degree 0.
  HOST_DEVICE Index alm_begin(Index k, Index component, Index map) const {
    return map * map_stride + component * component_stride + orders.alm_offset[k];
  }
  /// Delta of a field of an own m on the ring of a slot of a pair.
  HOST_DEVICE Index delta_place(Index k, Index pair, Index slot, Index field) const {
    const Index within = field % components * maps + field / components;
    return orders.block_shift[k * blocks + pairs.block[pair]] + slot * fields() + within;
  }
};

/// Delta in memory, in double or in single precision: the other pointer is null. Complex numbers as pairs.
struct DeltaNumbers {
  double* in_double = nullptr;
  float* in_single = nullptr;

  HOST_DEVICE Two get(Index place) const {
    if (in_double != nullptr) return {in_double[2 * place], in_double[2 * place + 1]};
    return {static_cast<double>(in_single[2 * place]), static_cast<double>(in_single[2 * place + 1])};
  }
  HOST_DEVICE void set(Index place, double re, double im) const {
    if (in_double != nullptr) {
      in_double[2 * place] = re;
      in_double[2 * place + 1] = im;
    } else {
      in_single[2 * place] = static_cast<float>(re);
      in_single[2 * place + 1] = static_cast<float>(im);
    }
  }
};

inline DeltaNumbers delta_numbers(std::complex<double>* delta) { return {reinterpret_cast<double*>(delta), nullptr}; }
inline DeltaNumbers delta_numbers(std::complex<float>* delta) { return {nullptr, reinterpret_cast<float*>(delta)}; }

}  // namespace armilla::kernels
