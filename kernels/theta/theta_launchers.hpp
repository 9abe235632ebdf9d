#pragma once

#include <kernels/theta/target_body.hpp>
#include <kernels/theta/theta.hpp>
#include <kernels/theta/theta_body.hpp>

/// The launchers of theta.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void source_to_sequence(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* source,
                        std::complex<double>* sequence, StreamHandle stream) {
  launch_team(EachThread{SourceToSequence{task, columns, values(source), values(sequence)}},
              "source rings to sequences", stream);
}

void sequence_to_source(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                        std::complex<double>* source, StreamHandle stream) {
  launch_team(EachThread{SequenceToSource{task, columns, values(sequence), values(source)}},
              "sequences to source rings", stream);
}

void change_spectrum(const ThetaTask& task, const ThetaColumns& columns, const SpectrumChange& change,
                     const std::complex<double>* in, std::complex<double>* out, StreamHandle stream) {
  launch_team(EachThread{ChangeSpectrum{task, columns, change, values(in), values(out)}}, "change of spectra", stream);
}

void weigh_sequences(const ThetaTask& task, const ThetaColumns& columns, const double* weights, double gain, int length,
                     std::complex<double>* sequence, StreamHandle stream) {
  launch_team(EachThread{WeighSequences{task, columns, weights, gain, length, values(sequence)}},
              "weights of sequences", stream);
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
  const InterpolateTargets<T, false> body{task, columns, values(sequence), nullptr, values(delta)};
  launch_team(EachThread{body}, "interpolation in theta", stream);
}

template <class T>
void interpolate_circle(const ThetaTask& task, const ThetaColumns& columns, const std::complex<double>* sequence,
                        std::complex<double>* work, std::complex<T>* delta, StreamHandle stream) {
  if (have_extra(task, columns))
    launch_team(EachThread{InterpolateExtra{task, columns, values(sequence), values(work)}}, "rings at the poles",
                stream);
  const InterpolateTargets<T, true> body{task, columns, values(sequence), values(work), values(delta)};
  launch_team(EachThread{body}, "interpolation on a circle", stream);
}

template <class T>
void gather_targets(const ThetaTask& task, const ThetaColumns& columns, const std::complex<T>* delta,
                    std::complex<double>* sequence, StreamHandle stream) {
  const GatherTargets<T, false> body{task, columns, values(delta), nullptr, values(sequence)};
  launch_team(EachThread{body}, "transposed interpolation in theta", stream);
}

template <class T>
void gather_circle(const ThetaTask& task, const ThetaColumns& columns, const std::complex<T>* delta,
                   std::complex<double>* work, std::complex<double>* sequence, StreamHandle stream) {
  ComplexDouble* shares = values(work) + 2 * task.targets.width;
  if (have_extra(task, columns)) {
    launch_team(EachThread{AddUpExtra<T>{task, values(delta), shares}}, "rings at the poles", stream);
    launch_team(EachThread{FinishExtra{task, shares, values(work)}}, "rings at the poles", stream);
  }
  const GatherTargets<T, true> body{task, columns, values(delta), values(work), values(sequence)};
  launch_team(EachThread{body}, "transposed interpolation on a circle", stream);
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
