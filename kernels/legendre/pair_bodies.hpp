#pragma once

#include <algorithm>
#include <type_traits>

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// The bodies of one kernel over ring pairs, for the sections of a PairBlocks with P pairs per thread and most products
/// summed in S, of a variant: two terms summed in S, two terms summed in double if S is not double (otherwise the
/// same), and the equator form.
template <template <RecurrenceForm, int, int, class, class> class Body, int P, int G, class S, class Variant>
struct PairBodies {
  static constexpr bool kMixed = !std::is_same_v<S, double>;
  using TwoTerms = Body<RecurrenceForm::kTwoTerm, P, G, S, Variant>;
  using Exact = Body<RecurrenceForm::kTwoTerm, kMixed ? exact_pairs(P) : P, G, double, Variant>;
  using Equator = Body<RecurrenceForm::kEquator, 1, G, double, Variant>;
  static constexpr std::size_t kSharedBytes =
      std::max({sizeof(typename TwoTerms::Shared), sizeof(typename Exact::Shared), sizeof(typename Equator::Shared)});
};

}  // namespace armilla::kernels
