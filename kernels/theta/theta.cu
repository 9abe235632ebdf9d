#include <kernels/core/check.hpp>
#include <kernels/theta/theta.hpp>
#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body, class... Arguments>
__global__ void __launch_bounds__(kThetaThreads) theta_kernel(const Arguments... arguments) {
  Body::run(arguments..., static_cast<Index>(blockIdx.x), static_cast<int>(threadIdx.x));
}

template <class Body, class... Arguments>
void launch(const char* name, StreamHandle stream, Index blocks, const Arguments&... arguments) {
  if (blocks == 0) return;
  theta_kernel<Body, Arguments...><<<static_cast<unsigned>(blocks), kThetaThreads, 0, stream>>>(arguments...);
  check_launch(name);
}

}  // namespace

void source_to_sequence(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* source,
                        std::complex<double>* sequence, StreamHandle stream) {
  launch<SourceToSequence>("source rings to sequences", stream, SourceToSequence::blocks(task, columns), task, columns,
                           values(source), values(sequence));
}

void sequence_to_source(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                        std::complex<double>* source, StreamHandle stream) {
  launch<SequenceToSource>("sequences to source rings", stream, SequenceToSource::blocks(task, columns), task, columns,
                           values(sequence), values(source));
}

void change_spectrum(const ThetaTask& task, const ThetaColumns& columns, const SpectrumChange& change,
                     const std::complex<double>* in, std::complex<double>* out, StreamHandle stream) {
  launch<ChangeSpectrum>("change of spectra", stream, ChangeSpectrum::blocks(change, columns), task, columns, change,
                         values(in), values(out));
}

template <class T>
void interpolate_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                         std::complex<T>* delta, StreamHandle stream) {
  launch<InterpolateTargets<T>>("interpolation in theta", stream, InterpolateTargets<T>::blocks(task, columns), task,
                                columns, values(sequence), values(delta));
}

template <class T>
void gather_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<T>* delta,
                    std::complex<double>* sequence, StreamHandle stream) {
  launch<GatherTargets<T>>("transposed interpolation in theta", stream, GatherTargets<T>::blocks(task, columns), task,
                           columns, values(delta), values(sequence));
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
