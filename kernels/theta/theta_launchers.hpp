#pragma once

#include <kernels/theta/theta.hpp>
#include <kernels/theta/theta_body.hpp>

/// The launchers of theta.hpp, for the file that includes this to compile: it has declared how to run the bodies,
/// launch<Body>(name, stream, blocks, arguments ...), which calls Body::run(arguments ..., block, thread) for
/// kThetaThreads threads of each block.
namespace armilla::kernels {

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

void weigh_sequences(const ThetaTask& task, const ThetaColumns& columns, const double* weights, double gain, int length,
                     std::complex<double>* sequence, StreamHandle stream) {
  launch<WeighSequences>("weights of sequences", stream, WeighSequences::blocks(columns, length), task, columns,
                         weights, gain, length, values(sequence));
}

// Whether some of the columns have values at an extra pair.
inline bool have_extra(const ThetaTask& task, const ThetaColumns& columns) {
  const Index first = task.extra_k * task.targets.width;
  return task.extra_share != nullptr && task.extra_k >= 0 && first < columns.end &&
         first + task.targets.width > columns.begin;
}

template <class T>
void interpolate_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                         std::complex<T>* delta, StreamHandle stream) {
  using Body = InterpolateTargets<T, false>;
  const ComplexDouble* no_extra = nullptr;
  launch<Body>("interpolation in theta", stream, Body::blocks(task, columns), task, columns, values(sequence), no_extra,
               values(delta));
}

template <class T>
void interpolate_circle(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                        std::complex<double>* work, std::complex<T>* delta, StreamHandle stream) {
  const ComplexDouble* extra = values(work);
  if (have_extra(task, columns))
    launch<InterpolateExtra>("rings at the poles", stream, InterpolateExtra::blocks(task), task, columns,
                             values(sequence), values(work));
  using Body = InterpolateTargets<T, true>;
  launch<Body>("interpolation on a circle", stream, Body::blocks(task, columns), task, columns, values(sequence), extra,
               values(delta));
}

template <class T>
void gather_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<T>* delta,
                    std::complex<double>* sequence, StreamHandle stream) {
  using Body = GatherTargets<T, false>;
  const ComplexDouble* no_extra = nullptr;
  launch<Body>("transposed interpolation in theta", stream, Body::blocks(task, columns), task, columns, values(delta),
               no_extra, values(sequence));
}

template <class T>
void gather_circle(const ThetaTask& task, const ThetaColumns& columns, const std::complex<T>* delta,
                   std::complex<double>* work, std::complex<double>* sequence, StreamHandle stream) {
  const ComplexDouble* extra = values(work);
  ComplexDouble* shares = values(work) + 2 * task.targets.width;
  if (have_extra(task, columns)) {
    launch<AddUpExtra<T>>("rings at the poles", stream, AddUpExtra<T>::blocks(task), task, values(delta), shares);
    const ComplexDouble* all_shares = shares;
    launch<FinishExtra>("rings at the poles", stream, FinishExtra::blocks(task), task, all_shares, values(work));
  }
  using Body = GatherTargets<T, true>;
  launch<Body>("transposed interpolation on a circle", stream, Body::blocks(task, columns), task, columns,
               values(delta), extra, values(sequence));
}

Index circle_work(const ThetaTask& task) { return 2 * task.targets.width * (1 + kThetaThreads); }

template void interpolate_targets<float>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                         std::complex<float>*, StreamHandle);
template void interpolate_circle<float>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                        std::complex<double>*, std::complex<float>*, StreamHandle);
template void gather_targets<float>(const ThetaTask&, const ThetaColumns&, const std::complex<float>*,
                                    std::complex<double>*, StreamHandle);
template void gather_circle<float>(const ThetaTask&, const ThetaColumns&, const std::complex<float>*,
                                   std::complex<double>*, std::complex<double>*, StreamHandle);

template void interpolate_targets<double>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                          std::complex<double>*, StreamHandle);
template void interpolate_circle<double>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                         std::complex<double>*, std::complex<double>*, StreamHandle);
template void gather_targets<double>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                     std::complex<double>*, StreamHandle);
template void gather_circle<double>(const ThetaTask&, const ThetaColumns&, const std::complex<double>*,
                                    std::complex<double>*, std::complex<double>*, StreamHandle);

}  // namespace armilla::kernels
