#pragma once

#include <algorithm>
#include <type_traits>

#include <kernels/legendre/block_pairs.hpp>

namespace armilla::kernels {

/// The bodies of one kernel over ring pairs, for the sections of PairBlocks that has P pairs per thread and sums most
/// products in S: two terms in S, two terms in double where others are not (else the same), and the equator's form.
template <template <RecurrenceForm, int, int, class> class Body, int P, int G, class S>
struct PairBodies {
  static constexpr bool kMixed = !std::is_same_v<S, double>;
  using TwoTerms = Body<RecurrenceForm::kTwoTerm, P, G, S>;
  using Exact = Body<RecurrenceForm::kTwoTerm, kMixed ? exact_pairs(P) : P, G, double>;
  using Equator = Body<RecurrenceForm::kEquator, 1, G, double>;
  static constexpr std::size_t kSharedBytes =
      std::max({sizeof(typename TwoTerms::Shared), sizeof(typename Exact::Shared), sizeof(typename Equator::Shared)});
};

}  // namespace armilla::kernels
