#pragma once

#include <armilla/core/error.hpp>

#include <string>

#include <kernels/core/stream.hpp>
#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::kernels {

/// Numbers of fields together, and of pairs per thread, for which kernels are compiled: powers of two. With few pairs
/// per thread a small transform has more blocks; with many, each load from shared memory is used better. Kernels on
/// CUDA cores have at most as many pairs as their variant. More than four leave registers for too few warps: with
/// eight, the adjoint is 17% slower on an H100, the synthesis 2%.
struct ScalarChoices {
  static constexpr int max_fields_of_synthesis(core::Precision sums) {
    return sums == core::Precision::kDouble ? 4 : 2;
  }
  static constexpr int kMaxFieldsOfAdjoint = 2;

  /// Kernels for tensor cores: four or eight fields together; maximum pairs per thread of the synthesis, and fixed
  /// pairs per thread of the adjoint.
  static constexpr int kMaxTensorFields = 8;
  static constexpr int kMinTensorFields = 4;
  static constexpr int kMaxTensorPairs = 2;
};

/// Calls call.operator()<P>() for the number of pairs per thread, at most kMost. Throws InternalError for a number
/// without a kernel.
template <int kMost, class Call>
void with_pairs(const PairBlocks& blocks, const Call& call) {
  const auto try_pairs = [&]<int P>() {
    if constexpr (P <= kMost) {
      if (blocks.pairs_per_thread == P) {
        call.template operator()<P>();
        return true;
      }
    }
    return false;
  };
  if (!(try_pairs.template operator()<8>() || try_pairs.template operator()<4>() ||
        try_pairs.template operator()<2>() || try_pairs.template operator()<1>()))
    throw core::InternalError("no Legendre kernel for " + std::to_string(blocks.pairs_per_thread) +
                              " pairs of rings per thread");
}

/// The version for the adjoint on tensor cores. It has a single number of pairs, because the order of sums depends on
/// it. Throws InternalError for Delta in single precision.
template <class Call>
void with_tensor_pairs_of_adjoint(const PairBlocks& blocks, const DeviceDeltaNumbers& delta, const Call& call) {
  if (delta.in_double == nullptr)
    throw core::InternalError("the Legendre adjoint by tensor cores supports Delta in double precision only");
  if (blocks.pairs_per_thread != ScalarChoices::kMaxTensorPairs)
    throw core::InternalError("no Legendre adjoint by tensor cores for " + std::to_string(blocks.pairs_per_thread) +
                              " pairs of rings per thread");
  call.template operator()<ScalarChoices::kMaxTensorPairs>();
}

/// Calls call.operator()<form, pairs per thread>(stage) for both forms of the blocks of a stage, if there are any, with
/// the stage of these blocks; P pairs per thread for two terms.
template <int P, class Call>
void with_forms(const DeviceScalarStage& stage, const Call& call) {
  DeviceScalarStage some = stage;
  some.pair_blocks = stage.pair_blocks.of_form(RecurrenceForm::kTwoTerm);
  if (some.pair_blocks.count > 0) call.template operator()<RecurrenceForm::kTwoTerm, P>(some);
  some.pair_blocks = stage.pair_blocks.of_form(RecurrenceForm::kEquator);
  if (some.pair_blocks.count > 0) call.template operator()<RecurrenceForm::kEquator, 1>(some);
}

/// The stream of the blocks of a form.
template <RecurrenceForm kForm>
StreamHandle stream_of(StreamHandle stream, StreamHandle of_equator) {
  return kForm == RecurrenceForm::kEquator ? of_equator : stream;
}

/// Calls call.operator()<G>() for the number of fields together, one of the specified ones. Throws InternalError for
/// others.
template <int... kFields, class Call>
void with_fields(const FieldGroups& groups, const Call& call) {
  const auto try_fields = [&]<int G>() {
    if (groups.together == G) call.template operator()<G>();
    return groups.together == G;
  };
  if (!(try_fields.template operator()<kFields>() || ...))
    throw core::InternalError("no Legendre kernel for " + std::to_string(groups.together) + " fields together");
}

template <class S, class Call>
void with_fields_of_synthesis(const FieldGroups& groups, const Call& call) {
  if constexpr (ScalarChoices::max_fields_of_synthesis(core::kPrecisionOf<S>) == 4)
    with_fields<4, 2, 1>(groups, call);
  else
    with_fields<2, 1>(groups, call);
}

/// Calls call.operator()<S>() for the type in which most products are summed.
template <class Call>
void with_sums(const PairBlocks& blocks, const Call& call) {
  if (blocks.sums == core::Precision::kSingle)
    call.template operator()<float>();
  else
    call.template operator()<double>();
}

/// Calls call.operator()<spin>(), 0 to kMaxBands. Throws InternalError for others.
template <class Call>
void with_spin(Index spin, const Call& call) {
  if (spin == 0) return call.template operator()<0>();
  if (spin == 1) return call.template operator()<1>();
  if (spin == 2) return call.template operator()<2>();
  if (spin == 3) return call.template operator()<3>();
  throw core::InternalError("no kernel converts coefficients of spin " + std::to_string(spin) + " to scalar ones");
}

}  // namespace armilla::kernels
