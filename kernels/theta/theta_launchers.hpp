#pragma once

#include <armilla/core/instantiate.hpp>

#include <kernels/theta/target_body.hpp>
#include <kernels/theta/theta.hpp>
#include <kernels/theta/theta_body.hpp>

/// The launchers of theta.hpp, to be compiled in a file that includes this and defines launch_team.
namespace armilla::kernels {

void source_to_sequence(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> source, DevicePointer<std::complex<double>> sequence,
                        StreamHandle stream) {
  launch_team(
      EachThread{SourceToSequence{in_kernel(task), columns, in_kernel(values(source)), in_kernel(values(sequence))}},
      "source rings to sequences", stream);
}

void sequence_to_source(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<double>> source,
                        StreamHandle stream) {
  launch_team(
      EachThread{SequenceToSource{in_kernel(task), columns, in_kernel(values(sequence)), in_kernel(values(source))}},
      "sequences to source rings", stream);
}

void change_spectrum(const DeviceThetaTask& task, const ThetaColumns& columns, const DeviceSpectrumChange& change,
                     DevicePointer<const std::complex<double>> in, DevicePointer<std::complex<double>> out,
                     StreamHandle stream) {
  launch_team(EachThread{ChangeSpectrum{in_kernel(task), columns, in_kernel(change), in_kernel(values(in)),
                                        in_kernel(values(out))}},
              "change of spectra", stream);
}

void weigh_sequences(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const double> weights,
                     double gain, int length, DevicePointer<std::complex<double>> sequence, StreamHandle stream) {
  launch_team(EachThread{WeighSequences{in_kernel(task), columns, in_kernel(weights), gain, length,
                                        in_kernel(values(sequence))}},
              "weights of sequences", stream);
}

// Whether some of the columns have values at an extra pair.
inline bool have_extra(const DeviceThetaTask& task, const ThetaColumns& columns) {
  const Index first = task.extra_k * task.targets.width;
  return task.extra_share != nullptr && task.extra_k >= 0 && first < columns.end &&
         first + task.targets.width > columns.begin;
}

template <class T>
void interpolate_targets(const DeviceThetaTask& task, const ThetaColumns& columns,
                         DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<T>> delta,
                         StreamHandle stream) {
  const InterpolateTargets<T, false> body{in_kernel(task), columns, in_kernel(values(sequence)), nullptr,
                                          in_kernel(values(delta))};
  launch_team(EachThread{body}, "interpolation in theta", stream);
}

template <class T>
void interpolate_circle(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<double>> work,
                        DevicePointer<std::complex<T>> delta, StreamHandle stream) {
  if (have_extra(task, columns))
    launch_team(
        EachThread{InterpolateExtra{in_kernel(task), columns, in_kernel(values(sequence)), in_kernel(values(work))}},
        "rings at the poles", stream);
  const InterpolateTargets<T, true> body{in_kernel(task), columns, in_kernel(values(sequence)), in_kernel(values(work)),
                                         in_kernel(values(delta))};
  launch_team(EachThread{body}, "interpolation on a circle", stream);
}

template <class T>
void gather_targets(const DeviceThetaTask& task, const ThetaColumns& columns,
                    DevicePointer<const std::complex<T>> delta, DevicePointer<std::complex<double>> sequence,
                    StreamHandle stream) {
  const GatherTargets<T, false> body{in_kernel(task), columns, in_kernel(values(delta)), nullptr,
                                     in_kernel(values(sequence))};
  launch_team(GatherTeam{EachThread{body}}, "transposed interpolation in theta", stream);
}

template <class T>
void take_fine_grid(const DeviceThetaTask& task, const ThetaColumns& columns,
                    DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<T>> delta,
                    StreamHandle stream) {
  launch_team(
      EachThread{TakeFineGrid<T>{in_kernel(task), columns, in_kernel(values(sequence)), in_kernel(values(delta))}},
      "rings of the fine grid", stream);
}

template <class T>
void put_fine_grid(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                   DevicePointer<std::complex<double>> sequence, StreamHandle stream) {
  launch_team(
      EachThread{PutFineGrid<T>{in_kernel(task), columns, in_kernel(values(delta)), in_kernel(values(sequence))}},
      "rings to the fine grid", stream);
}

template <class T>
void gather_circle(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                   DevicePointer<std::complex<double>> work, DevicePointer<std::complex<double>> sequence,
                   StreamHandle stream) {
  const DevicePointer<ComplexDouble> shares = values(work) + 2 * task.targets.width;
  if (have_extra(task, columns)) {
    launch_team(EachThread{AddUpExtra<T>{in_kernel(task), in_kernel(values(delta)), in_kernel(shares)}},
                "rings at the poles", stream);
    launch_team(EachThread{FinishExtra{in_kernel(task), in_kernel(shares), in_kernel(values(work))}},
                "rings at the poles", stream);
  }
  const GatherTargets<T, true> body{in_kernel(task), columns, in_kernel(values(delta)), in_kernel(values(work)),
                                    in_kernel(values(sequence))};
  launch_team(GatherTeam{EachThread{body}}, "transposed interpolation on a circle", stream);
}

ARMILLA_INSTANTIATE(interpolate_targets);
ARMILLA_INSTANTIATE(interpolate_circle);
ARMILLA_INSTANTIATE(take_fine_grid);
ARMILLA_INSTANTIATE(put_fine_grid);
ARMILLA_INSTANTIATE(gather_targets);
ARMILLA_INSTANTIATE(gather_circle);

}  // namespace armilla::kernels
