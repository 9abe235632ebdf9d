#pragma once

#include <armilla/core/error.hpp>
#include <kernels/legendre/scalar_stage.hpp>

#include <fmt/format.h>

namespace armilla::kernels {

/// For which numbers of pairs per thread and of fields together kernels are made: as many as stay in registers. Few
/// pairs per thread make more blocks of a small transform, many make better use of each load from shared memory. The
/// equator's form has one pair per thread.
struct ScalarChoices {
  static constexpr int kMostFieldsOfSynthesis = 4;
  static constexpr int kMostFieldsOfAdjoint = 2;
  /// Pairs per thread of the synthesis, at most.
  static constexpr int most_pairs_of_synthesis(int fields) { return fields == 1 ? 8 : 4; }
  /// Of the adjoint the same for all numbers of fields: the order of sums depends on it.
  static constexpr int kMostPairsOfAdjoint = 8;
};

[[noreturn]] inline void refuse_choice(const char* kernel, const PairSection& section, const FieldGroups& groups) {
  throw core::InternalError(fmt::format("{}: no kernel for {} pairs per thread and {} fields together", kernel,
                                        section.pairs_per_thread, groups.together));
}

/// Calls call.operator()<form, P>() for the section's rows and pairs per thread, at most kMostPairs; false for a number
/// that there is no kernel for.
template <int kMostPairs, class Call>
bool with_section(const PairSection& section, const Call& call) {
  const auto try_pairs = [&]<RecurrenceForm kForm, int P>() {
    if constexpr (P <= kMostPairs) {
      if (section.pairs_per_thread != P) return false;
      call.template operator()<kForm, P>();
      return true;
    }
    return false;
  };
  if (section.rows == RowKind::kEquator) return try_pairs.template operator()<RecurrenceForm::kEquator, 1>();
  return try_pairs.template operator()<RecurrenceForm::kTwoTerm, 1>() || try_pairs.template operator()<RecurrenceForm::kTwoTerm, 2>() ||
         try_pairs.template operator()<RecurrenceForm::kTwoTerm, 4>() || try_pairs.template operator()<RecurrenceForm::kTwoTerm, 8>();
}

/// Calls call.operator()<spin>(), 0 to kMostBands.
template <class Call>
void with_spin(Index spin, const Call& call) {
  if (spin == 0) return call.template operator()<0>();
  if (spin == 1) return call.template operator()<1>();
  if (spin == 2) return call.template operator()<2>();
  if (spin == 3) return call.template operator()<3>();
  throw core::InternalError(fmt::format("no kernel takes coefficients of spin {} to scalar ones", spin));
}

}  // namespace armilla::kernels
