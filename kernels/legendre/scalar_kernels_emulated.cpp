#include <kernels/core/emulation.hpp>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/coefficients_body.hpp>
#include <kernels/legendre/host_block.hpp>
#include <kernels/legendre/pair_bodies.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {

namespace {

// Blocks of pairs, each with the body that its section takes.
template <class Bodies>
void run_pair_blocks(const PairArguments& arguments) {
  const ScalarStage& stage = arguments.stage;
  for (Index number = 0; number < block_count(stage, arguments.groups); ++number) {
    const BlockWork work = BlockWork::of(stage, arguments.groups, number);
    const int threads = stage.pair_blocks.threads;
    if (work.form() == RecurrenceForm::kEquator)
      run_block(typename Bodies::Equator{stage, arguments.delta}, work, threads);
    else if (work.exact())
      run_block(typename Bodies::Exact{stage, arguments.delta}, work, threads);
    else
      run_block(typename Bodies::TwoTerms{stage, arguments.delta}, work, threads);
  }
}

template <class Body>
void run_threads(const Body& body, Index blocks, int threads) {
  for (Index number = 0; number < blocks; ++number)
    for (int thread = 0; thread < threads; ++thread) body.run(number, thread);
}

}  // namespace

void launch_rows(const ScalarStage& stage, StreamHandle) {
  const CoefficientBlocks blocks(stage, 1);
  run_threads(RowsBody{stage, blocks}, blocks.count(stage), kCoefficientThreads);
  if (emulation().row_error == 0) return;
  for (Two* rows : stage.rows)
    if (rows != nullptr) rows[0].a *= 1 + emulation().row_error;
}

template <class T>
void launch_load(const ScalarStage& stage, const std::complex<T>* alm, StreamHandle) {
  const CoefficientBlocks blocks(stage, stage.maps);
  with_spin(stage.degrees.spin, [&]<int kSpin>() {
    run_threads(LoadBody<kSpin, T>{stage, blocks, reinterpret_cast<const ComplexNumber<T>*>(alm)}, blocks.count(stage),
                kCoefficientThreads);
  });
}

template <class T>
void launch_store(const ScalarStage& stage, std::complex<T>* alm, StreamHandle) {
  const CoefficientBlocks blocks(stage, stage.maps);
  with_spin(stage.degrees.spin, [&]<int kSpin>() {
    const StoreBody<kSpin, T> body{stage, blocks, reinterpret_cast<ComplexNumber<T>*>(alm)};
    for (Index number = 0; number < blocks.count(stage); ++number) run_block(body, number, kCoefficientThreads);
  });
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

template void launch_load<float>(const ScalarStage&, const std::complex<float>*, StreamHandle);
template void launch_load<double>(const ScalarStage&, const std::complex<double>*, StreamHandle);
template void launch_store<float>(const ScalarStage&, std::complex<float>*, StreamHandle);
template void launch_store<double>(const ScalarStage&, std::complex<double>*, StreamHandle);

}  // namespace armilla::kernels
