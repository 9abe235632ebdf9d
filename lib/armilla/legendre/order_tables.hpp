#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/start_values.hpp>

#include <span>

namespace armilla::legendre {

/// One call of the scalar kernels for one m. Pairs begin .. middle - 1 of the grid are its low pairs, middle .. end - 1
/// the others. The task is complete except for its fields.
struct ScalarCall {
  ScalarKernelTask kernel;
  Index begin = 0, middle = 0, end = 0;
};

/// All that the scalar kernels need for one m, apart from coefficients and Delta.
class OrderTables {
 public:
  /// Allocates memory for any m >= least_m of these degrees, which must outlive this object.
  explicit OrderTables(const DegreeTables& degrees, Index least_m = 0) : scalar_(degrees, least_m) {}
  OrderTables(const OrderTables&) = delete;
  OrderTables& operator=(const OrderTables&) = delete;

  /// Computes the tables of another m, which contributes to the pairs from `first` on that do not use the Wigner
  /// recurrence. `variable` is [pair] the variable of the recurrence of each pair.
  void set(Index m, Index first, const PairParts& parts, std::span<const double> variable, const StartValues& starts);
  /// Computes and keeps the values of the recurrence, which the kernels then read.
  void keep_values();

  /// The m of the last call of set(); -1: none.
  Index m() const { return m_; }
  const ScalarTables& scalar() const { return scalar_; }
  /// One call for each form of the recurrence that has pairs, from the pole to the equator.
  std::span<const ScalarCall> calls() const { return {calls_, static_cast<std::size_t>(count_)}; }

  /// Bytes of the values of these tables that keep_values() would allocate.
  Index value_bytes() const;

  /// Upper bound of the bytes of the objects for all m of a transform, without values.
  static Index bytes_of_all(Index lmax, Index spin, Index pairs);

 private:
  struct Arrays {
    core::AlignedVector<double> variable, start, scale;  ///< [pair], padded
    core::AlignedVector<double> values;                  ///< [step][pair]
  };
  void add_call(ScalarForm form, Index begin, Index middle, Index end, std::span<const double> variable,
                const StartValues& starts);

  ScalarTables scalar_;
  Index m_ = -1;
  Arrays arrays_[2];
  ScalarCall calls_[2];
  Index count_ = 0;
};

}  // namespace armilla::legendre
