#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <complex>
#include <type_traits>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/device_pointer.hpp>
#include <kernels/core/warp.hpp>
#include <kernels/legendre/sum_numbers.hpp>

namespace armilla::kernels {

// Input and output of the kernels of the Legendre stage by the scalar recurrence. Methods and names are those of
// legendre::ScalarTables, DegreeTables and Task. Pointer: KernelPointer or DevicePointer.

/// A quantity for step k of m, l = m + 2 k, as a product of functions of l - m, l + m and l (DegreeTables::Product).
template <template <class> class Pointer>
struct StepProductOf {
  Pointer<const double> distance;   ///< [(l -+ m) / 2]
  Pointer<const double> degree[2];  ///< [l % 2][l / 2]

  HOST_DEVICE double degree_of(Index m, Index k) const { return degree[m % 2][m / 2 + k]; }
  HOST_DEVICE double times(double factor, Index m, Index k) const {
    return factor * distance[k] * distance[m + k] * degree_of(m, k);
  }
};
using StepProduct = StepProductOf<KernelPointer>;

/// A band from a spin to the next lower one (DegreeTables::Band). [l], l >= -1.
template <template <class> class Pointer>
struct SpinBandOf {
  Pointer<const double> a;
  Pointer<const double> b;
  Pointer<const double> c;
};
using SpinBand = SpinBandOf<KernelPointer>;

inline constexpr int kMaxBands = 3;

/// Tables of degrees and of all m (DegreeTables).
template <template <class> class Pointer>
struct DegreeNumbersOf {
  Index spin;
  Index lmax;
  StepProductOf<Pointer> alpha, low, high, row, equator;
  Pointer<const double> row_b[2];        ///< [l % 2][l / 2]
  Pointer<const double> alpha_scale;     ///< [m][2] for even and for odd steps
  Pointer<const double> row_scale;       ///< [m][2] for even and for odd steps
  Pointer<const double> root;            ///< [x] sqrt(x); spins only
  SpinBandOf<Pointer> bands[kMaxBands];  ///< for spin, spin - 1, .., 1
};
using DegreeNumbers = DegreeNumbersOf<KernelPointer>;

/// Ring pairs, ascending sin(theta). Start values are start_norm[m] power_low[m % 32] power_high[m / 32]
/// 2^(800 power_scale[m / 32]) (StartValues).
template <template <class> class Pointer>
struct PairNumbersOf {
  Index count;
  Pointer<const double> variable;     ///< [pair] -sin^2 for RowKind::kPolar, otherwise cos^2
  Pointer<const double> even_factor;  ///< [pair] of the half of Delta that is even under reflection at the equator
  Pointer<const double> odd_factor;   ///< [pair]
  Pointer<const double> power_low;    ///< [m % 32][pair]
  Pointer<const double> power_high;   ///< [m / 32][pair]
  Pointer<const double> power_scale;  ///< [m / 32][pair]
  Pointer<const double> start_norm;   ///< [m]
  Pointer<const Index> block;         ///< [pair] of block_shift
  Pointer<const Index> north_slot;    ///< [pair] or -1
  Pointer<const Index> south_slot;    ///< [pair] or -1
};
using PairNumbers = PairNumbersOf<KernelPointer>;

/// Local m, ascending.
template <template <class> class Pointer>
struct OrderNumbersOf {
  Pointer<const Index> m;  ///< [local m]
  Pointer<const Index>
      first_step;  ///< [local m, and the end] steps of all preceding local m; steps of each are padded to kStepPadding
  Pointer<const Index> first_pair;   ///< [local m] m does not contribute to pairs before this one
  Pointer<const Index> alm_offset;   ///< [local m] coefficient (l, m) of a component is at offset + l
  Pointer<const Index> block_shift;  ///< [local m][block]
};
using OrderNumbers = OrderNumbersOf<KernelPointer>;

/// Numbers of steps of an m are rounded up to a multiple of this; coefficients after the last degree are zero.
inline constexpr Index kStepPadding = 4;

/// Rows and variable of a recurrence (ScalarTables): kTwoTerm in -sin^2 and in cos^2, and kEquator.
enum class RowKind { kPolar = 0, kSquare = 1, kEquator = 2 };
inline constexpr int kRowKinds = 3;
inline constexpr int kMaxSections = 5;

/// Pairs per thread for sums in double if other threads, with `pairs` each, sum in float: few, so that they need no
/// more registers.
HOST_DEVICE constexpr int exact_pairs(int pairs) { return pairs < 2 ? pairs : 2; }

/// Forms for which kernels are compiled: both kinds of kTwoTerm are one form.
enum class RecurrenceForm { kTwoTerm, kEquator };

/// Pairs begin .. end - 1, which share their rows and sum products in the same way. Their block b has `block_pairs`
/// pairs starting at begin + b block_pairs. The blocks of all sections are consecutive; those of this one start at
/// first_block.
struct PairSection {
  RowKind rows;
  core::Precision sums;
  Index begin, end;
  Index block_pairs;
  Index blocks;
  Index first_block;

  HOST_DEVICE Index block_begin(Index b) const { return begin + b * block_pairs; }
  HOST_DEVICE Index block_end(Index b) const {
    const Index next = block_begin(b + 1);
    return next < end ? next : end;
  }
};

/// Assignment of pairs to blocks of `threads` threads, a multiple of 32. Each thread has pairs_per_thread pairs; one in
/// the equator section, and exact_pairs() in sections that sum in double if the others do not.
struct PairBlocks {
  core::Precision sums = core::Precision::kDouble;  ///< precision of most sums
  int threads = 0;
  int pairs_per_thread = 0;
  int section_count = 0;
  PairSection sections[kMaxSections];
  Index count = 0;  ///< number of blocks of all sections
  Index first = 0;  ///< index of the first of these blocks, if they are not all

  /// The first block with a pair at or after this one; `count` if there is none. Later blocks have such pairs, too.
  HOST_DEVICE Index first_block(Index pair) const {
    int s = 0;
    while (s < section_count && sections[s].end <= pair) ++s;
    if (s == section_count) return count;
    const Index before = pair - sections[s].begin;
    // 32-bit integers are sufficient, and their divisions are ten times faster.
    const unsigned block =
        before <= 0 ? 0 : static_cast<unsigned>(before) / static_cast<unsigned>(sections[s].block_pairs);
    return sections[s].first_block + block;
  }

  /// The blocks whose sections have a form, for a separate launch; blocks of the equator form, which has few pairs,
  /// have only the threads that they need.
  PairBlocks of_form(RecurrenceForm form) const {
    PairBlocks some = *this;
    some.section_count = 0;
    some.count = 0;
    for (int s = 0; s < section_count; ++s) {
      const PairSection& section = sections[s];
      if ((section.rows == RowKind::kEquator) != (form == RecurrenceForm::kEquator)) continue;
      if (some.section_count == 0) some.first = section.first_block;
      some.sections[some.section_count++] = section;
      some.count += section.blocks;
      const Index warps = (section.end - section.begin + kWarp - 1) / kWarp;
      if (form == RecurrenceForm::kEquator && warps * kWarp < threads) some.threads = static_cast<int>(warps) * kWarp;
    }
    return some;
  }
};

/// Fields first .. first + together * groups - 1, `together` of them sharing the values of a recurrence.
struct FieldGroups {
  Index first;
  int together;
  Index groups;
};

/// The local m with indices k_begin .. k_end - 1, which are being processed. Field f = map * components + component.
/// Spins have two components, E and B in alm, Q and U in Delta.
template <template <class> class Pointer>
struct ScalarStageOf {
  DegreeNumbersOf<Pointer> degrees;
  PairNumbersOf<Pointer> pairs;
  OrderNumbersOf<Pointer> orders;
  Index components, maps;
  Index component_stride, map_stride;  ///< of alm
  Index blocks;                        ///< of block_shift
  PairBlocks pair_blocks;

  Index k_begin, k_end;
  Index max_steps;               ///< maximum over these m
  Pointer<Two> rows[kRowKinds];  ///< [local m of these][step] {a, b}; kEquator: two of them, {a, b}, {factor, -}
  Pointer<Two> coefficients;     ///< [local m of these][field][step] {even re, even im}, {odd re, odd im}
  Pointer<StepCoefficients<float>> single_coefficients;  ///< as `coefficients`, or null if nothing is summed in float
  Pointer<Two> partial_sums;                             ///< [block of pairs][local m of these][field][step], as above

  HOST_DEVICE Index fields() const { return components * maps; }
  HOST_DEVICE Index steps(Index k) const { return orders.first_step[k + 1] - orders.first_step[k]; }
  HOST_DEVICE Index chunk_steps() const { return orders.first_step[k_end] - orders.first_step[k_begin]; }
  HOST_DEVICE Index first_step(Index k) const { return orders.first_step[k] - orders.first_step[k_begin]; }
  /// Start of a field of an local m in the coefficients, and in the partial sums of a block of pairs.
  HOST_DEVICE Index field_begin(Index k, Index field) const {
    return 2 * (first_step(k) * fields() + field * steps(k));
  }
  /// Coefficients of a field of an local m for sums in S.
  template <class S>
  HOST_DEVICE auto coefficients_of(Index k, Index field) const {
    if constexpr (std::is_same_v<S, float>)
      return single_coefficients + field_begin(k, field) / 2;
    else
      return coefficients + field_begin(k, field);
  }
  HOST_DEVICE Index sums_begin(Index block) const { return 2 * block * chunk_steps() * fields(); }
  HOST_DEVICE const Two* rows_of(RowKind kind, Index k) const {
    return rows[static_cast<int>(kind)] + first_step(k) * (kind == RowKind::kEquator ? 2 : 1);
  }
  /// Coefficients of a component, indexed from degree 0.
  HOST_DEVICE Index alm_begin(Index k, Index component, Index map) const {
    return map * map_stride + component * component_stride + orders.alm_offset[k];
  }
  /// Delta of the first field of an local m on ring slot 0 of a pair's block; slots are fields() apart.
  HOST_DEVICE Index delta_begin(Index k, Index pair) const {
    return orders.block_shift[k * blocks + pairs.block[pair]];
  }
  /// Position of a field among those of a ring: component before map.
  HOST_DEVICE Index delta_field(Index field) const {
    return components == 1 ? field : (field & 1) * maps + (field >> 1);
  }
};
using ScalarStage = ScalarStageOf<KernelPointer>;
using DeviceScalarStage = ScalarStageOf<DevicePointer>;

/// Delta in memory, complex numbers in double or in single precision: the other pointer is null.
template <template <class> class Pointer>
struct DeltaNumbersOf {
  Pointer<ComplexNumber<double>> in_double = nullptr;
  Pointer<ComplexNumber<float>> in_single = nullptr;

  /// Calls read(numbers), an array in the precision of Delta. Reading many numbers in one call keeps their loads free
  /// of branches, so that all of them are in flight at once.
  template <class Read>
  HOST_DEVICE void with_numbers(const Read& read) const {
    if (in_double != nullptr)
      read(static_cast<const ComplexNumber<double>*>(in_double));
    else
      read(static_cast<const ComplexNumber<float>*>(in_single));
  }
  HOST_DEVICE void set(Index place, double re, double im) const {
    if (in_double != nullptr)
      in_double[place] = {re, im};
    else
      in_single[place] = {static_cast<float>(re), static_cast<float>(im)};
  }
};

using DeltaNumbers = DeltaNumbersOf<KernelPointer>;
using DeviceDeltaNumbers = DeltaNumbersOf<DevicePointer>;

inline DeviceDeltaNumbers delta_numbers(DevicePointer<std::complex<double>> delta) {
  return {device_cast<ComplexNumber<double>>(delta), nullptr};
}
inline DeviceDeltaNumbers delta_numbers(DevicePointer<std::complex<float>> delta) {
  return {nullptr, device_cast<ComplexNumber<float>>(delta)};
}
/// For kernels that only read Delta.
template <class T>
DeviceDeltaNumbers delta_numbers(DevicePointer<const std::complex<T>> delta) {
  return delta_numbers(DevicePointer(const_cast<std::complex<T>*>(delta.address())));
}

/// Arguments of the kernels over ring pairs.
template <template <class> class Pointer>
struct PairArgumentsOf {
  ScalarStageOf<Pointer> stage;
  FieldGroups groups;
  DeltaNumbersOf<Pointer> delta;
};
using PairArguments = PairArgumentsOf<KernelPointer>;

}  // namespace armilla::kernels
