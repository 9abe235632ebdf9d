#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/coefficients_launchers.hpp>
#include <kernels/legendre/pair_bodies.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

namespace {

// Blocks of pairs, each with the body that its section takes.
template <class Bodies>
void run_pair_blocks(const PairArguments& arguments) {
  const ScalarStage& stage = arguments.stage;
  const HostOrder order = emulation().order;
  for_all(order, Index{block_count(stage, arguments.groups)}, [&](Index number) {
    const BlockWork work = BlockWork::of(stage, arguments.groups, number);
    const int threads = stage.pair_blocks.threads;
    const int rotation = work.rotation(threads / kWarp);
    if (work.form() == RecurrenceForm::kEquator)
      run_block(typename Bodies::Equator{stage, arguments.delta}, work, threads, order, rotation);
    else if (work.exact())
      run_block(typename Bodies::Exact{stage, arguments.delta}, work, threads, order, rotation);
    else
      run_block(typename Bodies::TwoTerms{stage, arguments.delta}, work, threads, order, rotation);
  });
}

}  // namespace

void launch_rows(const ScalarStage& stage, StreamHandle stream) {
  launch_team(EachThread{RowsBody{stage, CoefficientBlocks(stage, 1)}}, "rows", stream);
  if (emulation().row_error == 0) return;
  for (Two* rows : stage.rows)
    if (rows != nullptr) rows[0].a *= 1 + emulation().row_error;
}

void launch_scalar_synthesis(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                             StreamHandle) {
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields_of_synthesis<S>(groups, [&]<int G>() {
      constexpr int kMost = ScalarChoices::most_pairs_of_synthesis(G, core::kPrecisionOf<S>);
      with_pairs<kMost>(stage.pair_blocks, [&]<int P>() {
        run_pair_blocks<PairBodies<SynthesisBody, P, G, S>>({stage, groups, delta});
      });
    });
  });
}

void launch_scalar_adjoint(const ScalarStage& stage, const FieldGroups& groups, const DeltaNumbers& delta,
                           StreamHandle) {
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields<2, 1>(groups, [&]<int G>() {
      with_pairs<ScalarChoices::kMostPairsOfAdjoint>(stage.pair_blocks, [&]<int P>() {
        run_pair_blocks<PairBodies<AdjointBody, P, G, S>>({stage, groups, delta});
      });
    });
  });
}

}  // namespace armilla::kernels
