#include <kernels/theta/theta.hpp>
#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body, class... Arguments>
void launch(Index blocks, const Arguments&... arguments) {
  for (Index block = 0; block < blocks; ++block)
    for (int thread = 0; thread < kThetaThreads; ++thread) Body::run(arguments..., block, thread);
}

}  // namespace

void source_to_sequence(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* source,
                        std::complex<double>* sequence, StreamHandle) {
  launch<SourceToSequence>(SourceToSequence::blocks(task, columns), task, columns, values(source), values(sequence));
}

void sequence_to_source(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                        std::complex<double>* source, StreamHandle) {
  launch<SequenceToSource>(SequenceToSource::blocks(task, columns), task, columns, values(sequence), values(source));
}

void change_spectrum(const ThetaTask& task, const ThetaColumns& columns, const SpectrumChange& change,
                     const std::complex<double>* in, std::complex<double>* out, StreamHandle) {
  launch<ChangeSpectrum>(ChangeSpectrum::blocks(change, columns), task, columns, change, values(in), values(out));
}

template <class T>
void interpolate_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                         std::complex<T>* delta, StreamHandle) {
  launch<InterpolateTargets<T>>(InterpolateTargets<T>::blocks(task, columns), task, columns, values(sequence),
                                values(delta));
}

template <class T>
void gather_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<T>* delta,
                    std::complex<double>* sequence, StreamHandle) {
  launch<GatherTargets<T>>(GatherTargets<T>::blocks(task, columns), task, columns, values(delta), values(sequence));
}

template void interpolate_targets<float>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                         std::complex<float>*, StreamHandle);
template void interpolate_targets<double>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                          std::complex<double>*, StreamHandle);
template void gather_targets<float>(const ThetaTask&, const ThetaColumns&, const std::complex<float>*,
                                    std::complex<double>*, StreamHandle);
template void gather_targets<double>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                     std::complex<double>*, StreamHandle);

}  // namespace armilla::kernels
